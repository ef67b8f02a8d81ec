//! What one list approves in any context and another rejects in a certain one: a conflict of two entries.
//!
//! ```text
//! Normal.  *        approved                   neither preferred   both undecided
//! Normal.  Lungs:   rejected, by another list  the rejection       both stay: in any context but this one
//!                                              the approval        approved here too
//! ```
//!
//! A list that says both by itself has said what it means: in any context but this one.
//!
//! What one list rejects in any context and another approves in a certain one is a conflict as well; where the rejection is undone the
//! approval holds in its context only. A list that says both by itself exempts the sentence nowhere; where another list undoes its rejection,
//! its approval is in doubt with it.

use std::collections::HashMap;

use super::candidate::Context;
use super::file::Entry;
use super::merge::{Conflict, Preference, settled};
use super::verdict::{Decision, Verdict};

/// An entry's context and sentence.
type Key = (Context, String);

/// What lists decide otherwise in a context than in any, by the key of the entry in a context, with the approval and the rejection.
#[derive(Default)]
pub(super) struct Exceptions(HashMap<Key, Vec<[Verdict; 2]>>);

impl Exceptions {
    /// Adds those of a list.
    pub fn add(&mut self, entries: &[Entry]) {
        for (in_any, decided) in
            [Decision::Approved, Decision::Rejected].map(|decision| (decision, in_any(entries, decision)))
        {
            for entry in entries {
                let Some(other) = decided.get(entry.candidate.sentence.as_str()) else { continue };
                let (Some(there), Some(here)) = (&other.verdict, against(entry, in_any)) else { continue };
                let (approved, rejected) = if in_any == Decision::Approved { (there, here) } else { (here, there) };
                self.0.entry(key(entry)).or_default().push([approved.clone(), rejected.clone()]);
            }
        }
    }

    fn holds(&self, entry: &Entry, approved: &Verdict, rejected: &Verdict) -> bool {
        let said = self.0.get(&key(entry));
        said.is_some_and(|said| said.iter().any(|[one, other]| one == approved && other == rejected))
    }
}

/// Settles what merged entries say of a sentence in any context and in a certain one; gives the conflicts. `unsettled` are those between
/// entries of one key that are undecided now: their rejections are not forgotten either.
pub(super) fn settle(
    entries: &mut [Entry],
    unsettled: &[Conflict],
    exceptions: &Exceptions,
    preference: Preference,
) -> Vec<Conflict> {
    let disputed: HashMap<_, _> =
        unsettled.iter().map(|conflict| (conflict.candidate.key(), &conflict.rejected)).collect();
    let approvals = in_any(entries, Decision::Approved);
    let (mut conflicts, mut verdicts) = (Vec::new(), HashMap::new());
    for entry in entries.iter().filter(|entry| entry.candidate.context != Context::Any) {
        let Some(approval) = approvals.get(entry.candidate.sentence.as_str()) else { continue };
        let stands = against(entry, Decision::Approved);
        let Some(rejected) = stands.or_else(|| disputed.get(&entry.candidate.key()).copied()) else { continue };
        let Some(approved) = &approval.verdict else { continue };
        if stands.is_some() && exceptions.holds(entry, approved, rejected) {
            continue;
        }
        let verdict = match settled(approved, rejected, preference) {
            // Of claims that its reviewer had not before him an approval says nothing.
            Some(_) if approval.candidate.claims != entry.candidate.claims => Some(rejected.clone()),
            verdict => verdict,
        };
        if verdict.is_none() {
            verdicts.insert(key(approval), None);
        }
        conflicts.push(conflict(entry, [approved, rejected], Decision::Approved, verdict.as_ref()));
        verdicts.insert(key(entry), verdict);
    }
    let rejections = in_any(entries, Decision::Rejected);
    for entry in entries.iter() {
        let in_any = (Context::Any, entry.candidate.sentence.clone());
        let stands = rejections.get(entry.candidate.sentence.as_str()).and_then(|rejection| rejection.verdict.as_ref());
        let rejected = stands.or_else(|| disputed.get(&(&in_any.0, in_any.1.as_str())).copied());
        let (Some(rejected), Some(approved)) = (rejected, against(entry, Decision::Rejected)) else { continue };
        // Where another list has undone the rejection that its own list made, nobody has said that the approval may stand without it.
        if stands.is_some() && exceptions.holds(entry, approved, rejected) {
            continue;
        }
        let verdict = settled(approved, rejected, preference);
        // The rejection goes where it does not settle it, and with it what else it would have kept out is as it was decided.
        if verdict.as_ref().is_none_or(|verdict| verdict.decision() == Decision::Approved) {
            verdicts.insert(in_any, None);
        }
        conflicts.push(conflict(entry, [approved, rejected], Decision::Rejected, verdict.as_ref()));
        verdicts.insert(key(entry), verdict);
    }
    if !conflicts.is_empty() {
        for entry in entries {
            if let Some(verdict) = verdicts.remove(&key(entry)) {
                entry.verdict = verdict;
            }
        }
    }
    conflicts
}

/// Of an entry in a certain context with what is decided in any; and how it was settled.
fn conflict(
    entry: &Entry,
    [approved, rejected]: [&Verdict; 2],
    in_any: Decision,
    settled: Option<&Verdict>,
) -> Conflict {
    Conflict {
        candidate: entry.candidate.clone(),
        approved: approved.clone(),
        in_any: Some(in_any),
        rejected: rejected.clone(),
        settled: settled.map(Verdict::decision),
    }
}

/// What is decided so in any context, by its sentence.
fn in_any(entries: &[Entry], decision: Decision) -> HashMap<&str, &Entry> {
    let is_decided = |entry: &&Entry| entry.candidate.context == Context::Any && entry.decision() == Some(decision);
    entries.iter().filter(is_decided).map(|entry| (entry.candidate.sentence.as_str(), entry)).collect()
}

/// The decision of an entry in a certain context where it is the opposite of one.
fn against(entry: &Entry, decision: Decision) -> Option<&Verdict> {
    let verdict = entry.verdict.as_ref().filter(|verdict| verdict.decision() != decision);
    verdict.filter(|_| entry.candidate.context != Context::Any)
}

fn key(entry: &Entry) -> Key {
    (entry.candidate.context.clone(), entry.candidate.sentence.clone())
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::super::candidate::tests::candidate;
    use super::super::{Candidate, ClaimedRange, InclusionList, MergeOptions, Merged, ReviewFile, merge};
    use super::*;
    use crate::text::{ContextMode, InContext};

    /// A list of entries of one sentence, by context, with decisions and when they were made.
    fn list(entries: &[(&str, Decision, i64)]) -> ReviewFile {
        let candidates = entries.iter().map(|(context, ..)| candidate(context, "Normal.", 5));
        let mut file = ReviewFile::new(ContextMode::Short, candidates).unwrap();
        for entry in &mut file.entries {
            let is_of = |context: &str| candidate(context, "Normal.", 5).context == entry.candidate.context;
            let (_, decision, seconds) = entries.iter().find(|decided| is_of(decided.0)).unwrap();
            let time = DateTime::from_timestamp(*seconds, 0).unwrap();
            entry.verdict = Some(Verdict::new(*decision, "Meyer", time, "read").unwrap());
        }
        file
    }

    fn merged(files: &[ReviewFile], preference: Preference) -> Merged {
        merge(files.iter().cloned(), MergeOptions { preference, ..MergeOptions::default() }).unwrap()
    }

    /// Whether the merged list exempts the sentence after `Lungs:`, and after another line.
    fn exempt(merged: &Merged) -> (bool, bool) {
        let list = InclusionList::parse(&merged.file.to_csv()).unwrap();
        let after = |before| list.contains(InContext { before, ..InContext::alone("Normal.") });
        (after("Lungs:"), after("Plan:"))
    }

    const APPROVED: Decision = Decision::Approved;
    const REJECTED: Decision = Decision::Rejected;

    #[test]
    fn an_approval_for_any_context_and_a_rejection_in_one_are_a_conflict() {
        let any = list(&[("*", APPROVED, 1)]);
        let here = list(&[("Lungs:", REJECTED, 2)]);
        let newer = list(&[("*", APPROVED, 3)]);
        for (approval, preference, now, expected) in [
            (&any, Preference::Neither, None, (false, false)),
            (&any, Preference::Rejected, Some(REJECTED), (false, true)),
            (&any, Preference::Newest, Some(REJECTED), (false, true)),
            (&newer, Preference::Newest, Some(APPROVED), (true, true)),
        ] {
            let merged = merged(&[approval.clone(), here.clone()], preference);
            assert_eq!(merged.conflicts.len(), 1, "{preference:?}");
            assert!(
                merged.conflicts[0].in_any == Some(APPROVED) && merged.conflicts[0].settled == now,
                "{preference:?}"
            );
            assert_eq!(exempt(&merged), expected, "{preference:?}");
            assert!(merged.to_string().contains("in any context"), "{merged}");
        }
    }

    #[test]
    fn a_list_may_make_an_exception_of_its_own() {
        let both = list(&[("*", APPROVED, 1), ("Lungs:", REJECTED, 2)]);
        for files in [vec![both.clone()], vec![both.clone(), list(&[("*", APPROVED, 1)])]] {
            let merged = merged(&files, Preference::Neither);
            assert_eq!((merged.conflicts.len(), exempt(&merged)), (0, (false, true)));
        }
        let later = merged(&[both, list(&[("*", APPROVED, 3)])], Preference::Neither);
        assert_eq!((later.conflicts.len(), exempt(&later)), (1, (false, false)));
    }

    #[test]
    fn a_rejection_in_any_context_and_an_approval_in_one_are_a_conflict() {
        let any = list(&[("*", REJECTED, 2)]);
        let here = list(&[("Lungs:", APPROVED, 1)]);
        let newer = list(&[("Lungs:", APPROVED, 3)]);
        for (approval, preference, now, expected) in [
            (&here, Preference::Neither, None, (false, false)),
            (&here, Preference::Rejected, Some(REJECTED), (false, false)),
            (&newer, Preference::Rejected, Some(REJECTED), (false, false)),
            (&here, Preference::Newest, Some(REJECTED), (false, false)),
            (&newer, Preference::Newest, Some(APPROVED), (true, false)),
        ] {
            for files in [[approval.clone(), any.clone()], [any.clone(), approval.clone()]] {
                let merged = merged(&files, preference);
                assert_eq!(merged.conflicts.len(), 1, "{preference:?}");
                assert!(
                    merged.conflicts[0].in_any == Some(REJECTED) && merged.conflicts[0].settled == now,
                    "{preference:?}"
                );
                assert_eq!(exempt(&merged), expected, "{preference:?}");
                assert!(merged.to_string().contains("in any context"), "{merged}");
            }
        }
        let disputed = [list(&[("*", APPROVED, 1)]), any, newer];
        let merged_disputed = merged(&disputed, Preference::Neither);
        assert_eq!((merged_disputed.conflicts.len(), exempt(&merged_disputed)), (2, (false, false)));
        let both = list(&[("*", REJECTED, 1), ("Lungs:", APPROVED, 2)]);
        let merged = merged(&[both], Preference::Neither);
        assert_eq!((merged.conflicts.len(), exempt(&merged)), (0, (false, false)));
    }

    #[test]
    fn a_disputed_rejection_is_not_passed_over() {
        let both = list(&[("*", APPROVED, 1), ("Lungs:", APPROVED, 1)]);
        let merged = merged(&[both, list(&[("Lungs:", REJECTED, 2)])], Preference::Neither);
        assert_eq!((merged.conflicts.len(), exempt(&merged)), (2, (false, false)));
    }

    #[test]
    fn an_approval_does_not_wake_where_the_rejection_beside_it_is_disputed() {
        let both = list(&[("*", REJECTED, 3), ("Lungs:", APPROVED, 1)]);
        let any = list(&[("*", APPROVED, 2)]);
        for files in [[both.clone(), any.clone()], [any.clone(), both.clone()]] {
            let undecided = merged(&files, Preference::Neither);
            assert_eq!((undecided.conflicts.len(), exempt(&undecided)), (2, (false, false)));
            for preference in [Preference::Rejected, Preference::Newest] {
                assert_eq!(exempt(&merged(&files, preference)), (false, false), "{preference:?}");
            }
        }
    }

    #[test]
    fn an_approval_for_any_context_falls_where_another_list_claims_something() {
        let claims = vec![ClaimedRange { start: 0, end: 6, label: "DOCTOR".to_owned() }];
        let mut claimed = list(&[("Lungs:", APPROVED, 1)]);
        for entry in &mut claimed.entries {
            entry.candidate.claims.clone_from(&claims);
            entry.verdict = None;
        }
        let any = list(&[("*", APPROVED, 3)]);
        for files in [[any.clone(), claimed.clone()], [claimed.clone(), any.clone()]] {
            let merged = merged(&files, Preference::Neither);
            assert_eq!((merged.unseen_claims, exempt(&merged)), (1, (false, false)));
        }
        // Who had them before him has decided.
        let mut both = list(&[("*", APPROVED, 3), ("Lungs:", APPROVED, 3)]);
        for entry in &mut both.entries {
            entry.candidate.claims.clone_from(&claims);
        }
        let merged = merged(&[both, claimed], Preference::Neither);
        assert_eq!((merged.unseen_claims, exempt(&merged)), (0, (true, true)));
    }

    #[test]
    fn a_newer_approval_for_any_context_does_not_cover_claims_in_one() {
        let mut here = list(&[("Lungs:", REJECTED, 2)]);
        let claims = vec![ClaimedRange { start: 0, end: 6, label: "DOCTOR".to_owned() }];
        for entry in &mut here.entries {
            entry.candidate = Candidate { claims: claims.clone(), ..entry.candidate.clone() };
        }
        let merged = merged(&[list(&[("*", APPROVED, 3)]), here], Preference::Newest);
        assert_eq!((merged.conflicts[0].settled, exempt(&merged)), (Some(REJECTED), (false, true)));
    }
}
