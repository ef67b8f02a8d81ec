//! `plainsight train dial`: an ensemble with the recall or precision that is asked for.

use std::path::PathBuf;

use clap::Args;

use super::Overwriting;
use super::annotated::{Annotated, Members, TargetArguments, members_of, no_lists};
use super::whole_file;
use crate::corpus::{CorpusError, Result};
use crate::train::turning::{biases, turn};

#[derive(Debug, Args)]
pub(super) struct DialArguments {
    #[command(flatten)]
    annotated: Annotated,
    #[command(flatten)]
    members: Members,
    #[command(flatten)]
    target: TargetArguments,
    /// What chance depends on
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The new ensemble.toml, complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
}

pub(super) async fn dial(arguments: &DialArguments) -> Result<()> {
    let target = arguments.target.target().ok_or_else(|| {
        CorpusError::configuration("nothing is asked for", "give --target-recall or --target-precision")
    })?;
    target.check().map_err(super::fault)?;
    let mut inputs = arguments.annotated.inputs()?;
    inputs.extend(arguments.members.input()?);
    let (description, options) = (arguments.members.description()?, arguments.members.options());
    inputs.extend(members_of(&description)?);
    arguments.overwriting.check(&[("--out", arguments.out.as_path())], &inputs)?;
    let examples = arguments.annotated.read().await?;
    let sentences = examples.iter().map(|example| example.sentence.as_str()).collect();
    let replay = description.replay(no_lists(), &options, sentences, biases())?;
    let turned = turn(&replay, &examples, target, arguments.seed).map_err(super::fault)?;
    super::super::print(&turned)?;
    arguments.target.check(turned.reached)?;
    let ensemble = description.turned(&replay, &turned.turn).to_toml(&whole_file::folder_of(&arguments.out));
    super::write(&arguments.out, ensemble.as_bytes())?;
    super::super::print(format!("\nwritten: {}\n", arguments.out.display()))
}
