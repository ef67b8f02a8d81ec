//! How the rows of a statement are replaced: by the session's policy and mode, where a row names no others.
//!
//! ```sql
//! SELECT deidentify(text, patient_id, 'D', 'tag') FROM notes;
//! ```

use arrow::array::{ArrayRef, StringViewArray};

use super::{text, valid};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::{CorpusError, Result};
use crate::phi::Policy;
use crate::surrogate::Replacement;

/// The policies and modes of some rows.
pub(super) struct Ways<'a> {
    deidentifier: &'a Deidentifier,
    policies: Option<&'a StringViewArray>,
    modes: Option<&'a StringViewArray>,
    /// The policy last named, for most rows name one.
    named: Option<(&'a str, Policy)>,
}

impl<'a> Ways<'a> {
    /// Those that the last arguments of a function name, prepared as text: policies, and then modes.
    pub(super) fn new(deidentifier: &'a Deidentifier, arguments: &'a [ArrayRef]) -> Self {
        let (policies, modes) = (arguments.first().map(text), arguments.get(1).map(text));
        Self { deidentifier, policies, modes, named: None }
    }

    /// The policy and the mode of a row.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] for a name that is none, which is not told, for it may be of the wrong column; and for a policy that
    /// keeps more than the session's where there are templates, which were chosen for that one.
    pub(super) fn of(&mut self, row: usize) -> Result<(&Policy, Replacement)> {
        let mode = match self.modes.and_then(|modes| valid(modes, row)) {
            Some(name) => name.parse().map_err(|_| no_mode())?,
            None => self.deidentifier.replacement(),
        };
        let policy = match self.policies.and_then(|policies| valid(policies, row)) {
            Some(name) => self.policy(name)?,
            None => self.deidentifier.policy(),
        };
        Ok((policy, mode))
    }

    fn policy(&mut self, name: &'a str) -> Result<&Policy> {
        if self.named.as_ref().is_none_or(|(named, _)| *named != name) {
            let policy = Policy::named(name).map_err(|_| no_policy())?;
            if !policy.removes_all_of(self.deidentifier.policy()) && self.deidentifier.ensemble()?.has_templates() {
                return Err(too_narrow());
            }
            self.named = Some((name, policy));
        }
        Ok(self.named.as_ref().map_or(self.deidentifier.policy(), |(_, policy)| policy))
    }
}

// A statement names `deidentify`, whatever it is rewritten to.

fn no_mode() -> CorpusError {
    let names = Replacement::ALL.iter().map(|mode| mode.name()).collect::<Vec<_>>().join(", ");
    CorpusError::configuration("deidentify: argument `mode` is no way to replace", format!("give one of {names}"))
}

fn no_policy() -> CorpusError {
    CorpusError::configuration(
        "deidentify: argument `policy` is no policy",
        "give A, B, C or D; a policy from a file is the session's (--policy)",
    )
}

fn too_narrow() -> CorpusError {
    CorpusError::configuration(
        "deidentify: argument `policy` keeps what the session's policy removes",
        "templates were chosen for the session's; open it with the narrower policy (--policy), or without --templates",
    )
}
