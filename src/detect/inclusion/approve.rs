//! Approval of many entries by one decision.
//!
//! ```text
//! undecided, no claims, enough patients ─▶ approved        claimed ─▶ left, unless said otherwise        decided ─▶ left
//! ```

use super::error::InclusionError;
use super::file::ReviewFile;
use super::verdict::{Decision, Verdict};

/// Which entries are approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Approval {
    /// Those that at least so many patients have.
    pub patients_at_least: u64,
    /// Also those in which a detector claims something.
    pub including_claimed: bool,
}

/// What became of the entries. Together they are all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Approved {
    /// Approved now.
    pub approved: usize,
    /// Decided before, either way, and left so.
    pub decided_before: usize,
    /// Left undecided: too few patients have them.
    pub too_few_patients: usize,
    /// Left undecided: a detector claims something in them.
    pub claimed: usize,
}

impl ReviewFile {
    /// Approves undecided entries. The version rises where any was.
    ///
    /// # Errors
    /// [`InclusionError::Verdict`] for a blank reviewer or reason; nothing is approved then.
    pub fn approve(
        &mut self,
        approval: Approval,
        reviewer: &str,
        reason: &str,
        now: chrono::DateTime<chrono::Utc>,
    ) -> Result<Approved, InclusionError> {
        let verdict = Verdict::new(Decision::Approved, reviewer, now, reason)?;
        let mut counts = Approved::default();
        for entry in &mut self.entries {
            if entry.verdict.is_some() {
                counts.decided_before += 1;
            } else if entry.candidate.patients < approval.patients_at_least {
                counts.too_few_patients += 1;
            } else if entry.candidate.is_claimed() && !approval.including_claimed {
                counts.claimed += 1;
            } else {
                counts.approved += 1;
                entry.verdict = Some(verdict.clone());
            }
        }
        if counts.approved > 0 {
            self.version = self.version.saturating_add(1);
        }
        Ok(counts)
    }
}

impl std::fmt::Display for Approved {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(formatter, "approved                         {}", self.approved)?;
        writeln!(formatter, "left, decided before             {}", self.decided_before)?;
        writeln!(formatter, "left undecided, too few patients {}", self.too_few_patients)?;
        writeln!(formatter, "left undecided, with claims      {}", self.claimed)
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::super::candidate::ClaimedRange;
    use super::super::candidate::tests::candidate;
    use super::*;
    use crate::text::ContextMode;

    #[test]
    fn claims_and_earlier_decisions_are_left() {
        let claims = vec![ClaimedRange { start: 0, end: 3, label: "DOCTOR".to_owned() }];
        let claimed = super::super::Candidate { claims, ..candidate("", "Lee said so.", 90) };
        let mut file =
            ReviewFile::new(ContextMode::Short, [candidate("", "Ok.", 20), candidate("", "Rare.", 3), claimed])
                .unwrap();
        let now = DateTime::UNIX_EPOCH;
        let least = Approval { patients_at_least: 10, including_claimed: false };
        assert!(file.approve(least, " ", "read", now).is_err() && file.approve(least, "Meyer", "\n", now).is_err());
        assert_eq!(file.version(), 1);
        let counts = file.approve(least, "Meyer", "read", now).unwrap();
        assert_eq!(counts, Approved { approved: 1, decided_before: 0, too_few_patients: 1, claimed: 1 });
        assert_eq!(
            file.entries().iter().filter_map(|entry| entry.decision()).collect::<Vec<_>>(),
            [Decision::Approved]
        );
        assert_eq!(file.version(), 2);
        let all = Approval { patients_at_least: 10, including_claimed: true };
        let counts = file.approve(all, "Other", "eponym", now).unwrap();
        assert_eq!(counts, Approved { approved: 1, decided_before: 1, too_few_patients: 1, claimed: 0 });
        assert_eq!(file.entries()[0].verdict.as_ref().unwrap().reviewer(), "Meyer");
        file.approve(all, "Other", "eponym", now).unwrap();
        assert_eq!(file.version(), 3);
    }
}
