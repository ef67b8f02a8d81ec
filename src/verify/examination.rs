//! One note of the source beside one of the output.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::alignment::Alignment;
use super::changes;
use super::findings::{Finding, FindingKind};
use super::record::{Found, KnownValues};
use super::shapes::{Candidate, Shape, candidates, shape};
use super::words::{Word, words};
use crate::phi::{Class, Label, Policy};

/// Examines notes, one after another, under the policy that the output was made with.
#[derive(Debug)]
pub struct Examiner {
    shapes: Vec<Shape>,
    /// Room that is used again for every note; those of the source by key and place.
    source: Vec<Candidate>,
    output: Vec<Candidate>,
    words: Vec<Word>,
    found: Vec<(Found, Range<usize>)>,
}

impl Examiner {
    /// An examiner who looks for the shapes that a policy removes.
    pub fn new(policy: &Policy) -> Self {
        let removes = |label| policy.removes(Class::of(label));
        let shapes = [
            (Shape::SocialSecurityNumber, removes(Label::Ssn)),
            (Shape::Email, removes(Label::Email)),
            (Shape::Phone, removes(Label::Phone) && removes(Label::Fax)),
            (Shape::RecordNumber, removes(Label::MedicalRecord) && removes(Label::IdNum)),
        ];
        Self {
            shapes: shapes.into_iter().filter(|(_, removed)| *removed).map(|(shape, _)| shape).collect(),
            source: Vec::new(),
            output: Vec::new(),
            words: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Adds what is wrong with a note to `findings`; `known` is what the structured records say of its patient.
    pub fn examine(&mut self, source: &str, output: &str, known: Option<&KnownValues>, findings: &mut Vec<Finding>) {
        let alignment = Alignment::of(source, output);
        changes::judge(source, output, &alignment, findings);
        candidates(source, &mut self.source);
        candidates(output, &mut self.output);
        if let Some(known) = known {
            known.add_spelled(source, &mut self.source);
            known.add_spelled(output, &mut self.output);
        }
        self.source.sort_unstable_by_key(|one| (one.key, one.range.start));
        self.output.sort_unstable_by_key(|one| (one.range.start, Reverse(one.range.end)));
        self.numbers(source, known, &alignment, findings);
        if let Some(known) = known.filter(|known| !known.is_empty()) {
            self.names(source, output, known, &alignment, findings);
        }
    }

    /// Numbers and addresses that the output has as the source has them.
    fn numbers(&self, source: &str, known: Option<&KnownValues>, alignment: &Alignment, findings: &mut Vec<Finding>) {
        let mut told = HashMap::new();
        let mut covered = 0;
        for candidate in &self.output {
            let like = self.like(candidate.key);
            let recorded = known.is_some_and(|known| known.has_number(candidate));
            // A number of the record may have been read in several ways.
            if like.is_empty() && !recorded || recorded && candidate.range.start < covered {
                continue;
            }
            let kind = if recorded {
                Some(FindingKind::RecordNumber)
            } else {
                // What it is may be told at any one of the places where the source has it.
                let of_key =
                    || like.iter().filter_map(|one| shape(source, one)).find(|shape| self.shapes.contains(shape));
                told.entry(candidate.key).or_insert_with(of_key).map(FindingKind::Value)
            };
            let Some(kind) = kind else { continue };
            let (place, unchanged) = alignment.source_of(&candidate.range);
            let next = like.get(like.partition_point(|one| one.range.end <= place.start));
            let there = unchanged || next.is_some_and(|one| one.range.start < place.end);
            if recorded && there {
                covered = candidate.range.end;
            }
            let kind = if there { kind } else { FindingKind::Coincidence };
            findings.push(Finding { kind, source: place, output: candidate.range.clone() });
        }
    }

    /// The candidates of the source with a key, by place.
    fn like(&self, key: u64) -> &[Candidate] {
        let from = self.source.partition_point(|one| one.key < key);
        let count = self.source[from..].partition_point(|one| one.key == key);
        &self.source[from..from + count]
    }

    /// Names, address and date of birth of the record that the output has where the source has them.
    fn names(
        &mut self,
        source: &str,
        output: &str,
        known: &KnownValues,
        alignment: &Alignment,
        findings: &mut Vec<Finding>,
    ) {
        words(output, &mut self.words);
        self.found.clear();
        known.find(output, &self.words, &mut self.found);
        let (mut there, mut of) = (Vec::new(), None);
        for (found, range) in &self.found {
            let (place, unchanged) = alignment.source_of(range);
            let mut kept = unchanged || *found == Found::Name && ends_stand(output, range, alignment);
            if !kept && !matches!(found, Found::Word { .. }) {
                // A stretch may have been taken for changed as a whole: the same name in the source of it is no chance.
                let part = &source[place.clone()];
                if of.as_ref() != Some(&place) {
                    there.clear();
                    words(part, &mut self.words);
                    known.find(part, &self.words, &mut there);
                    of = Some(place.clone());
                }
                let name = &output[range.clone()];
                kept = there.iter().any(|(_, other)| part[other.clone()].eq_ignore_ascii_case(name));
            }
            let kind = match found {
                _ if !kept && matches!(found, Found::Word { .. }) => continue,
                _ if !kept => FindingKind::Coincidence,
                Found::Name => FindingKind::RecordName,
                Found::Address => FindingKind::RecordAddress,
                Found::Code => FindingKind::RecordNumber,
                Found::BirthDate => FindingKind::RecordBirthDate,
                Found::Word { ordinary: false } => FindingKind::RecordWord,
                Found::Word { ordinary: true } => FindingKind::OrdinaryWord,
            };
            // A code may have been told by its digits already.
            let is_told =
                |told: &Finding| told.kind == kind && told.output.start < range.end && range.start < told.output.end;
            if *found != Found::Code || !findings.iter().any(is_told) {
                findings.push(Finding { kind, source: place, output: range.clone() });
            }
        }
    }
}

/// Whether the first and the last word of a full name are unchanged: a middle name between them may have become another.
fn ends_stand(output: &str, name: &Range<usize>, alignment: &Alignment) -> bool {
    let text = &output[name.clone()];
    let first = name.end - text.trim_start_matches(char::is_alphanumeric).len();
    let last = name.start + text.trim_end_matches(char::is_alphanumeric).len();
    let stands = |word: Range<usize>| !word.is_empty() && alignment.source_of(&word).1;
    stands(name.start..first) && stands(last..name.end)
}
