//! How the rows of a statement are replaced: by the session's policy and mode, where a row names no others, and by the day of the note,
//! where it has one.
//!
//! ```sql
//! SELECT deidentify(text, patient_id, 'D', 'tag') FROM notes;
//! SELECT deidentify(text, patient_id, NULL, NULL, note_date) FROM notes;
//! ```

use arrow::array::{ArrayRef, AsArray, StringViewArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type};
use chrono::NaiveDate;
use datafusion::common::Result as DataFusionResult;

use super::shift_date::{day, numbers, per_day};
use super::{text, valid};
use crate::corpus::deidentifier::{Deidentifier, Way};
use crate::corpus::error::{CorpusError, Result};
use crate::phi::Policy;
use crate::surrogate::{Replacement, day_of};

/// The policies, modes and days of some rows.
pub(super) struct Ways<'a> {
    deidentifier: &'a Deidentifier,
    policies: Option<&'a StringViewArray>,
    modes: Option<&'a StringViewArray>,
    anchors: Vec<Option<NaiveDate>>,
    /// The policy last named, for most rows name one.
    named: Option<(&'a str, Policy)>,
}

impl<'a> Ways<'a> {
    /// Those that the last arguments of a function name: policies and modes, prepared as text, and then days.
    ///
    /// # Errors
    /// Where the days are of a type that holds none.
    pub(super) fn new(deidentifier: &'a Deidentifier, arguments: &'a [ArrayRef]) -> DataFusionResult<Self> {
        let (policies, modes) = (arguments.first().map(text), arguments.get(1).map(text));
        let anchors = days(deidentifier, arguments.get(2))?;
        Ok(Self { deidentifier, policies, modes, anchors, named: None })
    }

    /// The way of a row.
    ///
    /// # Errors
    /// [`CorpusError::Configuration`] for a name that is none, which is not told, for it may be of the wrong column; and for a policy that
    /// keeps more than the session's where there are templates, which were chosen for that one.
    pub(super) fn of(&mut self, row: usize) -> Result<Way<'_>> {
        let anchor = self.anchors.get(row).copied().flatten();
        let replacement = match self.modes.and_then(|modes| valid(modes, row)) {
            Some(name) => name.parse().map_err(|_| no_mode())?,
            None => self.deidentifier.replacement(),
        };
        let policy = match self.policies.and_then(|policies| valid(policies, row)) {
            Some(name) => self.policy(name)?,
            None => self.deidentifier.policy(),
        };
        Ok(Way { policy, replacement, anchor })
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

/// The days of a column of dates, timestamps or texts, if there is one; none where there is no date, or nobody can read it.
pub(super) fn days(deidentifier: &Deidentifier, column: Option<&ArrayRef>) -> DataFusionResult<Vec<Option<NaiveDate>>> {
    let Some(column) = column else { return Ok(Vec::new()) };
    let order = deidentifier.surrogate_options().date_order;
    let of_text = |text: Option<&str>| text.and_then(|text| day_of(text, order));
    Ok(match per_day(column.data_type()) {
        Some(per_day) => {
            let numbers = numbers(column)?;
            numbers.as_primitive::<Int64Type>().iter().map(|number| day(number?, per_day)).collect()
        }
        None => cast(column, &DataType::Utf8View)?.as_string_view().iter().map(of_text).collect(),
    })
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
