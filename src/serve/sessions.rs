//! The engine's sessions, one a role. What a role must not see is not there.

use std::sync::Arc;

use datafusion::prelude::SessionContext;

use super::ServeOptions;
use super::access::Role;
use crate::corpus::source::discover;
use crate::corpus::{
    CorpusError, Deidentifier, Result, closed_session, plain_session, register_output, register_shared,
    register_source, register_view,
};

/// The sessions. Nothing that is asked changes them.
pub(super) struct Sessions {
    confidential: SessionContext,
    deidentified: SessionContext,
}

impl Sessions {
    /// Opens the notes and the released outputs, as they are now.
    ///
    /// # Errors
    /// Those of reading the notes and outputs; [`CorpusError::Configuration`] for a released table of a name that is taken.
    pub(super) async fn open(deidentifier: &Arc<Deidentifier>, options: &ServeOptions) -> Result<Self> {
        let source = Arc::new(discover(&options.notes, &options.columns).await?);
        let limits = (options.memory, options.spilled);
        let confidential = match &options.cluster {
            Some((cluster, place)) => {
                let upgrade = |state| cluster.upgrade(state, deidentifier);
                let context = closed_session(deidentifier, options.partitions, limits, Some(&upgrade))?;
                register_shared(&context, &source, place, &options.columns, options.partitions)?;
                context
            }
            None => {
                let context = closed_session(deidentifier, options.partitions, limits, None)?;
                register_source(&context, &source, options.partitions)?;
                context
            }
        };
        let deidentified = plain_session(&confidential, options.partitions)?;
        register_view(&deidentified, &confidential, &source).await?;
        for (name, location) in &options.released {
            for context in [&confidential, &deidentified] {
                if context.table_exist(name.as_str()).unwrap_or(true) {
                    return Err(CorpusError::configuration(
                        format!("--released: there is a table `{name}` already"),
                        "give it another name",
                    ));
                }
                register_output(context, name, location).await?;
            }
        }
        Ok(Self { confidential, deidentified })
    }

    /// The session of a role.
    pub(super) fn of(&self, role: Role) -> &SessionContext {
        match role {
            Role::Confidential => &self.confidential,
            Role::Deidentified => &self.deidentified,
        }
    }
}
