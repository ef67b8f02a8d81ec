//! The flags of those who answer statements: how notes are read, and how identifiers are found in them and replaced.

use clap::Args;

use super::arguments::{ColumnArguments, DeidentifyArguments, PolicyArguments, SourceArguments, context_mode};
use crate::corpus::{Deidentifier, Location, Result};
use crate::detect::Half;
use crate::text::ContextMode;

#[derive(Debug, Args)]
pub(super) struct SessionArguments {
    #[command(flatten)]
    pub(super) columns: ColumnArguments,
    /// With which lines a sentence of up to four words is judged, as in `run`: none, short or around
    #[arg(long, value_name = "none|short|around", default_value = "short", value_parser = context_mode)]
    context: ContextMode,
    #[command(flatten)]
    deidentify: DeidentifyArguments,
    #[command(flatten)]
    policy: PolicyArguments,
}

impl SessionArguments {
    /// Refuses a key that others can read in its file.
    pub(super) fn check_key_is_private(&self) -> Result<()> {
        self.deidentify.check_key_is_private()
    }

    /// What the flags name to be read, by flag.
    pub(super) fn inputs(&self) -> Result<Vec<(&'static str, Location)>> {
        Ok([self.deidentify.inputs()?, self.policy.inputs()?].concat())
    }

    /// The finder and replacer that the flags describe, with the patients where `source` reaches them.
    pub(super) async fn deidentifier(&self, source: Option<&SourceArguments>) -> Result<Deidentifier> {
        let (preset, policy) = (self.columns.preset(), Some(&self.policy));
        self.deidentify.deidentifier_of(Half::Both, policy, preset, self.context, source).await
    }
}
