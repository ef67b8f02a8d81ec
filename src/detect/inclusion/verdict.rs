//! What a person has decided on an entry: approved or rejected, by whom, when and why.

use chrono::{DateTime, Datelike, SecondsFormat, Timelike, Utc};
use serde::{Serialize, Serializer};

use super::error::InclusionError;

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// It names nobody: it passes untouched.
    Approved,
    /// It is left to the detectors.
    Rejected,
}

impl Decision {
    /// The name used in files and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
        }
    }
}

/// What reports call the decision on an entry that has or has not got one.
pub(super) fn decision_name(decision: Option<Decision>) -> &'static str {
    decision.map_or("undecided", Decision::name)
}

/// A decision with who made it, when and why.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Verdict {
    decision: Decision,
    reviewer: String,
    #[serde(serialize_with = "written")]
    time: DateTime<Utc>,
    reason: String,
}

fn written<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&time_text(*time))
}

/// A time as files and reports have it: RFC 3339, UTC, whole seconds.
pub(super) fn time_text(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

impl Verdict {
    /// A decision; its time is taken in whole seconds.
    ///
    /// # Errors
    /// [`InclusionError::Verdict`] where the reviewer or the reason is blank, or the year has not four digits.
    pub fn new(decision: Decision, reviewer: &str, time: DateTime<Utc>, reason: &str) -> Result<Self, InclusionError> {
        let (reviewer, reason) = (reviewer.trim(), reason.trim());
        let missing = |reason| Err(InclusionError::Verdict { reason });
        if reviewer.is_empty() {
            return missing("a decision needs the name of its reviewer");
        }
        if reason.is_empty() {
            return missing("a decision needs a reason");
        }
        match time.with_nanosecond(0).filter(|time| (1000..10_000).contains(&time.year())) {
            Some(time) => Ok(Self { decision, reviewer: reviewer.to_owned(), time, reason: reason.to_owned() }),
            None => missing("a decision needs a time with a year of four digits"),
        }
    }

    /// What was decided.
    pub const fn decision(&self) -> Decision {
        self.decision
    }

    /// Who decided.
    pub fn reviewer(&self) -> &str {
        &self.reviewer
    }

    /// When, in whole seconds.
    pub const fn time(&self) -> DateTime<Utc> {
        self.time
    }

    /// Why.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Later verdicts first prevail; of two in one second, a rejection, and then an order that nobody can mind.
    pub(super) fn precedence(&self) -> (DateTime<Utc>, Decision, &str, &str) {
        (self.time, self.decision, &self.reviewer, &self.reason)
    }
}
