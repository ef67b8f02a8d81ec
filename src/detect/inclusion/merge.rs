//! Several lists as one: the union of their entries by context and sentence.
//!
//! ```text
//! approved + undecided ─▶ approved       approved + rejected ─▶ a conflict: undecided and reported, unless one is preferred
//! two approvals ─▶ the later             approved + claims that its reviewer had not before him ─▶ undecided, counted
//! ```
//!
//! So are a decision in a context and the opposite one for any; see [`across`].
//! Merging is the same in any order, and a list merged with itself is that list. Where there are conflicts it is so for one merge of
//! all lists, not for a merge of merges: what is left undecided no longer says that it was disputed.

use std::collections::{BTreeSet, HashMap};

use super::across::{self, Exceptions};
use super::candidate::{Candidate, ClaimedRange, Context};
use super::cell::escaped;
use super::error::InclusionError;
use super::file::{Entry, ReviewFile, sort};
use super::list::is_whole;
use super::verdict::{Decision, Verdict, decision_name, time_text};
use crate::text::SEGMENTER_VERSION;

/// What becomes of an entry that one list approves and another rejects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preference {
    /// It is undecided.
    #[default]
    Neither,
    /// It is rejected.
    Rejected,
    /// The later decision counts; of two in one second, the rejection.
    Newest,
}

/// What becomes of the counts of an entry that several lists have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counting {
    /// The largest of each: true of lists of one corpus, and never more than there is, whatever the corpora have in common.
    #[default]
    Largest,
    /// Their sum: true of corpora that have no patient in common.
    Sum,
}

/// How lists are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MergeOptions {
    /// What settles a conflict.
    pub preference: Preference,
    /// How counts are joined.
    pub counting: Counting,
}

/// An entry that one list approves and another rejects. It quotes a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Context and sentence.
    pub candidate: Candidate,
    /// The latest approval.
    pub approved: Verdict,
    /// Which of the two is for any context, where the other is for this one.
    pub in_any: Option<Decision>,
    /// The latest rejection.
    pub rejected: Verdict,
    /// What the merged list says.
    pub settled: Option<Decision>,
}

/// A merged list and what had to be decided about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The list; its version is above that of every list it was made of.
    pub file: ReviewFile,
    /// What the lists disagree on, in the order of the list.
    pub conflicts: Vec<Conflict>,
    /// Entries with an approval that did not count: another list has claims on them that its reviewer had not before him.
    pub unseen_claims: usize,
    /// Entries left out: made with another version of the segmenter, and no longer whole sentences.
    pub outdated: usize,
}

/// Merges lists. Claims are united; of several reasons to be a candidate the first in [`Why`](super::Why)'s order stays.
///
/// # Errors
/// [`InclusionError::NoList`], and [`InclusionError::Contexts`] where the lists key fragments in different ways.
pub fn merge(files: impl IntoIterator<Item = ReviewFile>, options: MergeOptions) -> Result<Merged, InclusionError> {
    let files: Vec<ReviewFile> = files.into_iter().collect();
    let claims: Vec<_> = files.iter().map(open_claims).collect();
    let (mut merged, mut unseen_claims): (Option<ReviewFile>, usize) = (None, 0);
    let mut groups: HashMap<(Context, String), Vec<Entry>> = HashMap::new();
    let (mut exceptions, mut outdated) = (Exceptions::default(), 0);
    for (number, mut file) in files.into_iter().enumerate() {
        let entries = std::mem::take(&mut file.entries);
        exceptions.add(&entries);
        let is_current = file.segmenter == SEGMENTER_VERSION;
        for mut entry in entries {
            if is_approved_in_any(&entry) && has_others(&claims, number, &entry.candidate.sentence) {
                entry.verdict = None;
                unseen_claims += 1;
            }
            if is_current || is_whole(&entry.candidate.sentence) {
                let key = (entry.candidate.context.clone(), entry.candidate.sentence.clone());
                groups.entry(key).or_default().push(entry);
            } else {
                outdated += 1;
            }
        }
        let version = match merged {
            Some(so_far) if so_far.context != file.context => {
                return Err(InclusionError::Contexts { left: so_far.context, right: file.context });
            }
            Some(so_far) => so_far.version.max(file.version),
            None => file.version,
        };
        merged = Some(ReviewFile { version, segmenter: SEGMENTER_VERSION, ..file });
    }
    let mut file = merged.ok_or(InclusionError::NoList)?;
    file.version = file.version.saturating_add(1);
    let mut merged = Merged { file, conflicts: Vec::new(), unseen_claims, outdated };
    for entries in groups.into_values() {
        merged.add(entries, options);
    }
    sort(&mut merged.file.entries);
    let unsettled: Vec<_> = merged.conflicts.iter().filter(|conflict| conflict.settled.is_none()).cloned().collect();
    let further = across::settle(&mut merged.file.entries, &unsettled, &exceptions, options.preference);
    merged.conflicts.extend(further);
    merged.conflicts.sort_by(|one, other| one.candidate.key().cmp(&other.candidate.key()));
    Ok(merged)
}

/// The claims of a list by sentence, in whatever context, but for those that a reviewer has rejected: that settles them where they are.
fn open_claims(file: &ReviewFile) -> HashMap<String, BTreeSet<ClaimedRange>> {
    let mut claims: HashMap<_, BTreeSet<_>> = HashMap::new();
    for entry in &file.entries {
        if !entry.candidate.claims.is_empty() && entry.decision() != Some(Decision::Rejected) {
            claims.entry(entry.candidate.sentence.clone()).or_default().extend(entry.candidate.claims.iter().cloned());
        }
    }
    claims
}

fn is_approved_in_any(entry: &Entry) -> bool {
    entry.candidate.context == Context::Any && entry.decision() == Some(Decision::Approved)
}

/// Whether other lists claim something in a sentence that a list does not claim there: who approved the sentence in any context had it not before him.
fn has_others(claims: &[HashMap<String, BTreeSet<ClaimedRange>>], list: usize, sentence: &str) -> bool {
    let own = claims[list].get(sentence);
    let others = claims.iter().enumerate().filter(|(number, _)| *number != list);
    let mut others = others.filter_map(|(_, claims)| claims.get(sentence)).flatten();
    others.any(|claim| own.is_none_or(|own| !own.contains(claim)))
}

impl Merged {
    /// Adds what the lists have under one key.
    fn add(&mut self, entries: Vec<Entry>, options: MergeOptions) {
        let Some(candidate) = joined(&entries, options.counting) else { return };
        let mut latest: [Option<Verdict>; 2] = [None, None];
        let mut is_unseen = false;
        for Entry { candidate: seen, verdict } in entries {
            let Some(verdict) = verdict else { continue };
            if verdict.decision() == Decision::Approved && seen.claims != candidate.claims {
                is_unseen = true;
                continue;
            }
            let latest = &mut latest[usize::from(verdict.decision() == Decision::Rejected)];
            if latest.as_ref().is_none_or(|latest| latest.precedence() < verdict.precedence()) {
                *latest = Some(verdict);
            }
        }
        self.unseen_claims += usize::from(is_unseen);
        let verdict = match latest {
            [Some(approved), Some(rejected)] => {
                let verdict = settled(&approved, &rejected, options.preference);
                let settled = verdict.as_ref().map(Verdict::decision);
                let candidate = candidate.clone();
                self.conflicts.push(Conflict { candidate, approved, in_any: None, rejected, settled });
                verdict
            }
            [approved, rejected] => approved.or(rejected),
        };
        self.file.entries.push(Entry { candidate, verdict });
    }
}

/// What is left of an approval and a rejection.
pub(super) fn settled(approved: &Verdict, rejected: &Verdict, preference: Preference) -> Option<Verdict> {
    match preference {
        Preference::Neither => None,
        Preference::Newest if approved.precedence() > rejected.precedence() => Some(approved.clone()),
        Preference::Newest | Preference::Rejected => Some(rejected.clone()),
    }
}

/// One candidate for several under one key; none for none.
fn joined(entries: &[Entry], counting: Counting) -> Option<Candidate> {
    let count = |one: u64, other: u64| match counting {
        Counting::Largest => one.max(other),
        Counting::Sum => one.saturating_add(other),
    };
    let join = |one: Candidate, other: Candidate| {
        let mut claims: Vec<ClaimedRange> = one.claims.into_iter().chain(other.claims).collect();
        claims.sort();
        claims.dedup();
        Candidate {
            occurrences: count(one.occurrences, other.occurrences),
            notes: count(one.notes, other.notes),
            patients: count(one.patients, other.patients),
            why: one.why.min(other.why),
            claims,
            ..one
        }
    };
    entries.iter().map(|entry| entry.candidate.clone()).reduce(join)
}

/// What the command prints: counts, and the sentences that the lists disagree on.
impl std::fmt::Display for Merged {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(formatter, "entries                                      {}", self.file.entries.len())?;
        writeln!(formatter, "left out, no longer whole sentences          {}", self.outdated)?;
        writeln!(formatter, "undone approvals, for claims of another list {}", self.unseen_claims)?;
        writeln!(formatter, "conflicts                                    {}", self.conflicts.len())?;
        for Conflict { candidate, approved, in_any, rejected, settled } in &self.conflicts {
            let said = |verdict: &Verdict| {
                let reason = escaped(verdict.reason());
                format!("{} {} ({reason})", escaped(verdict.reviewer()), time_text(verdict.time()))
            };
            writeln!(formatter, "\n{}", escaped(&candidate.sentence))?;
            for (place, line) in candidate.context.remarks() {
                writeln!(formatter, "  {place:<8}  {}", escaped(line))?;
            }
            let place = |decision| if *in_any == Some(decision) { ", in any context" } else { "" };
            writeln!(formatter, "  approved  {}{}", said(approved), place(Decision::Approved))?;
            writeln!(formatter, "  rejected  {}{}", said(rejected), place(Decision::Rejected))?;
            writeln!(formatter, "  now       {}", decision_name(*settled))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use proptest::prelude::*;

    use super::super::candidate::tests::{candidate, candidates};
    use super::*;
    use crate::text::ContextMode;

    fn verdict(decision: Decision, seconds: i64) -> Verdict {
        Verdict::new(decision, "Meyer", DateTime::from_timestamp(seconds, 0).unwrap(), "read").unwrap()
    }

    fn list(entries: impl IntoIterator<Item = (Candidate, Option<Verdict>)>) -> ReviewFile {
        let mut file = ReviewFile::new(ContextMode::Short, []).unwrap();
        file.entries = entries.into_iter().map(|(candidate, verdict)| Entry { candidate, verdict }).collect();
        sort(&mut file.entries);
        file
    }

    fn one(verdict: Option<Verdict>) -> ReviewFile {
        list([(candidate("", "Ok.", 5), verdict)])
    }

    fn merged(files: &[&ReviewFile]) -> Merged {
        merge(files.iter().copied().cloned(), MergeOptions::default()).unwrap()
    }

    fn prefer(preference: Preference, approved: i64, rejected: i64) -> Option<Decision> {
        let files =
            [one(Some(verdict(Decision::Approved, approved))), one(Some(verdict(Decision::Rejected, rejected)))];
        let merged = merge(files, MergeOptions { preference, ..MergeOptions::default() }).unwrap();
        assert_eq!(merged.conflicts[0].settled, merged.file.entries[0].decision());
        merged.file.entries[0].decision()
    }

    #[test]
    fn conflicts_are_settled_as_preferred() {
        assert_eq!(prefer(Preference::Neither, 1, 2), None);
        assert_eq!(prefer(Preference::Rejected, 2, 1), Some(Decision::Rejected));
        assert_eq!(prefer(Preference::Newest, 2, 1), Some(Decision::Approved));
        assert_eq!(prefer(Preference::Newest, 1, 2), Some(Decision::Rejected));
        assert_eq!(prefer(Preference::Newest, 1, 1), Some(Decision::Rejected));
    }

    #[test]
    fn a_decision_outweighs_none_and_a_later_one_an_earlier() {
        let (early, late) = (verdict(Decision::Approved, 1), verdict(Decision::Approved, 2));
        let all = merged(&[&one(Some(late.clone())), &one(None), &one(Some(early))]);
        assert_eq!(all.file.entries[0].verdict, Some(late));
        assert!(all.conflicts.is_empty() && all.file.version() == 2);
    }

    #[test]
    fn an_approval_does_not_cover_claims_that_came_later() {
        let claims = vec![ClaimedRange { start: 0, end: 2, label: "DOCTOR".to_owned() }];
        let claimed = list([(Candidate { claims, ..candidate("", "Ok.", 7) }, None)]);
        let all = merged(&[&one(Some(verdict(Decision::Approved, 1))), &claimed]);
        assert_eq!((all.unseen_claims, all.file.entries[0].decision()), (1, None));
        assert!(all.file.entries[0].candidate.is_claimed());
    }

    #[test]
    fn what_the_segmenter_no_longer_cuts_is_left_out() {
        let mut old = list([(candidate("", "Ok.", 5), None), (candidate("", "Stable. Improved.", 5), None)]);
        assert_eq!(merged(&[&old]).outdated, 0);
        old.segmenter += 1;
        let all = merged(&[&old]);
        assert_eq!((all.outdated, all.file.entries.len(), all.file.segmenter()), (1, 1, SEGMENTER_VERSION));
    }

    #[test]
    fn unlike_lists_are_refused() {
        let files = [ReviewFile::new(ContextMode::Short, []).unwrap(), ReviewFile::new(ContextMode::None, []).unwrap()];
        assert!(matches!(merge(files, MergeOptions::default()), Err(InclusionError::Contexts { .. })));
        assert_eq!(merge([], MergeOptions::default()), Err(InclusionError::NoList));
    }

    prop_compose! {
        /// Lists over a few keys, so that they meet.
        fn lists()(entries in prop::collection::hash_map(
            (0..2_usize, 0..4_usize),
            (candidates(), prop::option::of((any::<bool>(), 0..3_i64)), any::<bool>()), 0..6)
        ) -> ReviewFile {
            list(entries.into_iter().map(|((context, sentence), (other, decided, claimed))| {
                let key = candidate(["", "*"][context], ["Ok.", "Well.", "3/4", "=x"][sentence], 0);
                let claims = vec![ClaimedRange { start: 0, end: 2, label: "DOCTOR".to_owned() }];
                let claims = if claimed { claims } else { Vec::new() };
                let merged = Candidate { context: key.context, sentence: key.sentence, claims, ..other };
                let decision = |approved| if approved { Decision::Approved } else { Decision::Rejected };
                (merged, decided.map(|(approved, time)| verdict(decision(approved), time)))
            }))
        }
    }

    proptest! {
        #[test]
        fn merging_has_no_order(one in lists(), two in lists(), three in lists()) {
            let forward = merged(&[&one, &two, &three]);
            prop_assert_eq!(&merged(&[&three, &one, &two]), &forward);
            if forward.conflicts.is_empty() && forward.unseen_claims == 0 {
                let first = merged(&[&one, &two]).file;
                prop_assert_eq!(merged(&[&first, &three]).file.entries, forward.file.entries);
            }
        }

        #[test]
        fn a_list_merged_with_itself_is_that_list(one in lists()) {
            let twice = merged(&[&one, &one]);
            prop_assert_eq!(&twice.file.entries, &one.entries);
            prop_assert!(twice.conflicts.is_empty() && twice.unseen_claims == 0);
        }

        #[test]
        fn nothing_is_approved_that_no_list_approves(one in lists(), two in lists()) {
            for entry in merged(&[&one, &two]).file.entries {
                let approves = |file: &ReviewFile| file.entries.iter().any(|other| {
                    other.candidate.key() == entry.candidate.key() && other.decision() == Some(Decision::Approved)
                });
                prop_assert!(entry.decision() != Some(Decision::Approved) || approves(&one) || approves(&two));
            }
        }
    }
}
