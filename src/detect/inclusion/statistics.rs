//! What a list holds: entries by decision and reason, the share of text that they cover, who decided and when.

use std::collections::BTreeMap;

use serde::Serialize;

use super::candidate::Why;
use super::cell::escaped;
use super::file::{Entry, ReviewFile};
use super::verdict::{Decision, Verdict, decision_name, time_text};

/// The entries of one decision and one reason to be a candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Share {
    /// `approved`, `rejected` or `undecided`.
    pub decision: &'static str,
    /// Why they are candidates.
    pub why: Why,
    /// How many there are.
    pub entries: usize,
    /// Those in which a detector claims something.
    pub claimed: usize,
    /// How often they occur in the corpus.
    pub occurrences: u64,
}

/// What a list holds, in counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// The version of the list.
    pub version: u32,
    /// The version of the segmenter.
    pub segmenter: u32,
    /// How much of their surroundings the sentences are known by.
    pub context: &'static str,
    /// Entries by decision and reason; what there is none of is left out.
    pub shares: Vec<Share>,
    /// Of the occurrences of all entries, the share that approved ones have; 0 for an empty list.
    pub approved_of_list: f64,
    /// Of all sentences of the corpus, the share that approved ones are, where that number was given.
    pub approved_of_corpus: Option<f64>,
    /// How many entries each reviewer has decided.
    pub reviewers: BTreeMap<String, usize>,
    /// When the oldest decision was made, RFC 3339.
    pub oldest: Option<String>,
    /// When the newest was.
    pub newest: Option<String>,
}

impl Statistics {
    /// Counts a list; `corpus` is how many sentences the corpus has, each counted as often as it occurs, if that is known.
    pub fn of(file: &ReviewFile, corpus: Option<u64>) -> Self {
        let decisions = [Some(Decision::Approved), Some(Decision::Rejected), None];
        let kinds = decisions.into_iter().flat_map(|decision| Why::ALL.map(|why| (decision, why)));
        let shares = kinds.map(|kind| share(file, kind)).filter(|share| share.entries > 0).collect();
        let approved = file.entries.iter().filter(|entry| entry.decision() == Some(Decision::Approved));
        let approved = occurrences(approved);
        let part = |whole: u64| if whole == 0 { 0.0 } else { approved as f64 / whole as f64 };
        let verdicts = || file.entries.iter().filter_map(|entry| entry.verdict.as_ref());
        let mut reviewers = BTreeMap::new();
        for verdict in verdicts() {
            *reviewers.entry(verdict.reviewer().to_owned()).or_default() += 1;
        }
        Self {
            version: file.version,
            segmenter: file.segmenter,
            context: file.context.name(),
            shares,
            approved_of_list: part(occurrences(file.entries.iter())),
            approved_of_corpus: corpus.map(part),
            reviewers,
            oldest: verdicts().map(Verdict::time).min().map(time_text),
            newest: verdicts().map(Verdict::time).max().map(time_text),
        }
    }
}

fn share(file: &ReviewFile, (decision, why): (Option<Decision>, Why)) -> Share {
    let entries =
        || file.entries.iter().filter(move |entry| entry.decision() == decision && entry.candidate.why == why);
    Share {
        decision: decision_name(decision),
        why,
        entries: entries().count(),
        claimed: entries().filter(|entry| entry.candidate.is_claimed()).count(),
        occurrences: occurrences(entries()),
    }
}

fn occurrences<'e>(entries: impl Iterator<Item = &'e Entry>) -> u64 {
    entries.fold(0, |sum, entry| sum.saturating_add(entry.candidate.occurrences))
}

impl std::fmt::Display for Statistics {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(formatter, "version {}, segmenter {}, context {}\n", self.version, self.segmenter, self.context)?;
        writeln!(
            formatter,
            "{:<10} {:<10} {:>9} {:>12} {:>15}",
            "decision", "why", "entries", "with claims", "occurrences"
        )?;
        for share in &self.shares {
            let Share { decision, why, entries, claimed, occurrences } = share;
            writeln!(formatter, "{decision:<10} {:<10} {entries:>9} {claimed:>12} {occurrences:>15}", why.name())?;
        }
        writeln!(formatter, "\napproved, of the occurrences listed  {:.1} %", 100.0 * self.approved_of_list)?;
        if let Some(share) = self.approved_of_corpus {
            writeln!(formatter, "approved, of all sentences           {:.1} %", 100.0 * share)?;
        }
        for (reviewer, count) in &self.reviewers {
            writeln!(formatter, "decided by {}: {count}", escaped(reviewer))?;
        }
        match (&self.oldest, &self.newest) {
            (Some(oldest), Some(newest)) => writeln!(formatter, "decided from {oldest} to {newest}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::super::Approval;
    use super::super::candidate::tests::candidate;
    use super::*;
    use crate::text::ContextMode;

    #[test]
    fn counts_by_decision_and_shares() {
        let gold = super::super::Candidate { why: Why::Gold, ..candidate("", "Fine.", 10) };
        let mut file = ReviewFile::new(ContextMode::Short, [candidate("", "Ok.", 30), gold]).unwrap();
        let time = DateTime::from_timestamp(60, 0).unwrap();
        file.approve(Approval { patients_at_least: 20, including_claimed: false }, "Meyer", "read", time).unwrap();
        let statistics = Statistics::of(&file, Some(300));
        assert_eq!((statistics.approved_of_list, statistics.approved_of_corpus), (0.75, Some(0.1)));
        let shown = statistics.to_string();
        assert!(shown.contains("approved   prevalent          1            0              30\n"), "{shown}");
        assert!(shown.contains("undecided  gold               1            0              10\n"), "{shown}");
        assert!(shown.contains("decided by Meyer: 1\ndecided from 1970-01-01T00:01:00Z to 1970-01-01T00:01:00Z\n"));
        let json = serde_json::to_value(&statistics).unwrap();
        assert_eq!((&json["shares"][1]["why"], &json["shares"][1]["occurrences"]), (&"gold".into(), &10.into()));
        let empty = Statistics::of(&ReviewFile::new(ContextMode::None, []).unwrap(), Some(0));
        assert_eq!((empty.approved_of_list, empty.approved_of_corpus), (0.0, Some(0.0)));
    }
}
