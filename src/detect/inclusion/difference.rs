//! What has changed from one list to another.
//!
//! ```text
//! absent → approved      + approved   No acute distress.
//! rejected → absent      - rejected   Seen by Dr. Lee.
//! undecided → approved   ~ approved   Normal.                 (after `Heart sounds:`; was undecided)
//! ```

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::candidate::Context;
use super::cell::escaped;
use super::file::{Entry, ReviewFile};
use super::verdict::decision_name;

/// What reports call an entry that a list has not got.
const ABSENT: &str = "absent";

/// One entry that was added, removed or decided otherwise. It quotes a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// `absent`, `undecided`, `approved` or `rejected`.
    pub before: &'static str,
    /// The same, and never the same as before.
    pub after: &'static str,
    /// The sentence.
    pub sentence: String,
    /// Its context.
    pub context: Context,
}

/// What has changed from one list to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The versions of the two lists.
    pub versions: [u32; 2],
    /// How many entries went which way: `undecided → approved`.
    pub counts: BTreeMap<String, usize>,
    /// Entries with the same decision, made by another person, at another time, or for another reason.
    pub decided_again: usize,
    /// Entries of both lists that occur more or less often.
    pub counted_again: usize,
    /// Entries of both lists with other claims.
    pub claimed_otherwise: usize,
    /// The changes: first those of the later list, in its order, then what it has no more.
    pub changes: Vec<Change>,
}

impl Difference {
    /// Compares an earlier list with a later one.
    pub fn between(before: &ReviewFile, after: &ReviewFile) -> Self {
        let mut earlier: HashMap<_, &Entry> =
            before.entries.iter().map(|entry| (entry.candidate.key(), entry)).collect();
        let mut difference = Self {
            versions: [before.version, after.version],
            counts: BTreeMap::new(),
            decided_again: 0,
            counted_again: 0,
            claimed_otherwise: 0,
            changes: Vec::new(),
        };
        for entry in &after.entries {
            let was = earlier.remove(&entry.candidate.key());
            if let Some(was) = was {
                difference.compare(was, entry);
            }
            difference.record(was, Some(entry));
        }
        let removed = before.entries.iter().filter(|entry| earlier.contains_key(&entry.candidate.key()));
        removed.for_each(|entry| difference.record(Some(entry), None));
        difference
    }

    fn compare(&mut self, was: &Entry, is: &Entry) {
        let counts = |entry: &Entry| (entry.candidate.occurrences, entry.candidate.notes, entry.candidate.patients);
        self.decided_again += usize::from(was.decision() == is.decision() && was.verdict != is.verdict);
        self.counted_again += usize::from(counts(was) != counts(is));
        self.claimed_otherwise += usize::from(was.candidate.claims != is.candidate.claims);
    }

    fn record(&mut self, was: Option<&Entry>, is: Option<&Entry>) {
        let state = |entry: Option<&Entry>| entry.map_or(ABSENT, |entry| decision_name(entry.decision()));
        let (before, after) = (state(was), state(is));
        if let Some(entry) = is.or(was).filter(|_| before != after) {
            *self.counts.entry(format!("{before} → {after}")).or_default() += 1;
            let (context, sentence) = (entry.candidate.context.clone(), entry.candidate.sentence.clone());
            self.changes.push(Change { before, after, sentence, context });
        }
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for Change { before, after, sentence, context } in &self.changes {
            let (sign, state) = match (*before, *after) {
                (ABSENT, after) => ('+', after),
                (before, ABSENT) => ('-', before),
                (_, after) => ('~', after),
            };
            write!(formatter, "{sign} {state:<9}  {}", escaped(sentence))?;
            let remark = |(place, line): (&str, &str)| format!("{place} `{}`", escaped(line));
            let mut remarks: Vec<String> = context.remarks().into_iter().map(remark).collect();
            if sign == '~' {
                remarks.push(format!("was {before}"));
            }
            let remarks = if remarks.is_empty() { String::new() } else { format!("  ({})", remarks.join("; ")) };
            writeln!(formatter, "{remarks}")?;
        }
        let [before, after] = self.versions;
        writeln!(formatter, "{}version {before} → {after}", if self.changes.is_empty() { "" } else { "\n" })?;
        for (change, count) in &self.counts {
            writeln!(formatter, "{change:<22} {count}")?;
        }
        writeln!(formatter, "{:<22} {}", "decided again", self.decided_again)?;
        writeln!(formatter, "{:<22} {}", "counted again", self.counted_again)?;
        writeln!(formatter, "{:<22} {}", "claimed otherwise", self.claimed_otherwise)
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::super::candidate::tests::candidate;
    use super::super::{Approval, Candidate};
    use super::*;
    use crate::text::ContextMode;

    fn list(candidates: impl IntoIterator<Item = Candidate>) -> ReviewFile {
        ReviewFile::new(ContextMode::Short, candidates).unwrap()
    }

    #[test]
    fn every_way_is_told() {
        let before = list([candidate("", "Ok.", 9), candidate("Lungs:", "Clear\n", 2), candidate("", "Gone.", 1)]);
        let mut after = list([candidate("", "Ok.", 9), candidate("Lungs:", "Clear\n", 3), candidate("*", "New.", 1)]);
        let approval = Approval { patients_at_least: 3, including_claimed: false };
        after.approve(approval, "Meyer", "read", DateTime::UNIX_EPOCH).unwrap();
        let difference = Difference::between(&before, &after);
        let shown = "~ approved   Ok.  (was undecided)\n\
                     ~ approved   Clear\\n  (after `Lungs:`; was undecided)\n\
                     + undecided  New.  (in `any context`)\n\
                     - undecided  Gone.\n\n\
                     version 1 → 2\n\
                     absent → undecided     1\n\
                     undecided → absent     1\n\
                     undecided → approved   2\n\
                     decided again          0\n\
                     counted again          1\n\
                     claimed otherwise      0\n";
        assert_eq!(difference.to_string(), shown);
        let json = serde_json::to_value(&difference).unwrap();
        assert_eq!(json["counts"]["undecided → approved"], 2);
        assert_eq!(json["changes"][1]["context"]["before"], "Lungs:");
        assert_eq!(json["changes"][2]["context"], serde_json::Value::Null);
    }

    #[test]
    fn a_list_does_not_differ_from_itself() {
        let mut list = list([candidate("", "Ok.", 9)]);
        list.approve(Approval::default(), "Meyer", "read", DateTime::UNIX_EPOCH).unwrap();
        let difference = Difference::between(&list, &list);
        assert!(difference.changes.is_empty() && difference.counts.is_empty());
        let other = ReviewFile {
            entries: list.entries.iter().map(|entry| Entry { verdict: None, ..entry.clone() }).collect(),
            ..list.clone()
        };
        let back = Difference::between(&list, &other);
        assert_eq!((back.changes[0].before, back.changes[0].after), ("approved", "undecided"));
    }
}
