//! Note after note into one [`Evaluation`].
//!
//! ```text
//! worker 1   add_note add_note …  ┐
//! worker 2   add_note add_note …  ┴─ merge ─▶ finish ─▶ Evaluation ─▶ text, JSON or HTML
//! ```
//!
//! Everything kept is a count, so memory does not grow with the notes, and neither their order nor the way they are
//! spread over workers changes a figure.

use std::collections::BTreeMap;

use super::bootstrap::{Bootstrap, Cluster, Measure};
use super::confusion::Confusion;
use super::group::{Group, GroupScores};
use super::matching::{Scored, overlapping, relaxed, scored_gold, scored_predicted, strict};
use super::per_note::{Decoys, ErrorsPerNote, NoteTypeScores};
use super::tokens::CodePointText;
use super::units::{Unit, code_points, tokens, within};
use super::{Breakdown, Counts, EvaluateError, GoldSpan, Mark, NoteUnderTest, TokenUnit};

/// The scores of a set of notes. Displayed as text; serialized with the derived figures beside the counts; see
/// [`Evaluation::to_html`] for the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// What one count of the token figures is.
    pub unit: TokenUnit,
    /// Notes, those without any span included.
    pub notes: u64,
    /// Those of which it is not known whose they are: each is drawn by itself in the bootstrap.
    pub notes_of_nobody: u64,
    /// Gold spans that were scored: no auxiliary ones, no decoys, and duplicates once.
    pub gold_spans: u64,
    /// Predicted spans that were scored, likewise.
    pub predicted_spans: u64,
    /// Whole spans of equal start, end and label.
    pub strict: Breakdown,
    /// Spans that overlap one of the same label, one to one.
    pub relaxed: Breakdown,
    /// Spans that overlap one of whatever label, one to one.
    pub relaxed_any_label: Counts,
    /// Tokens of equal label.
    pub token: Breakdown,
    /// Tokens that are part of an identifier, of whatever label.
    pub binary_token: Counts,
    /// Tokens by gold and predicted label.
    pub confusion: Confusion,
    /// The scores of the parts of the identifiers.
    pub groups: BTreeMap<Group, GroupScores>,
    /// The scores by note type; notes whose type is not given are under the empty name.
    pub note_types: BTreeMap<String, NoteTypeScores>,
    /// Notes by gold tokens that no prediction covers: what would be left in the note.
    pub missed_tokens: ErrorsPerNote,
    /// Notes by gold spans of which at least one token is not covered.
    pub missed_spans: ErrorsPerNote,
    /// Decoys marked and scrubbed.
    pub decoys: Decoys,
    /// The replicates from which intervals follow.
    pub bootstrap: Bootstrap,
    /// Sum of digests of every note's gold: tells whether two predictions were scored on the same gold. In no report, for
    /// it is made of identifiers.
    pub(super) gold_digest: u128,
}

/// Scores notes one at a time.
#[derive(Debug, Clone)]
pub struct Evaluator {
    so_far: Evaluation,
}

impl Evaluator {
    /// An evaluator that has seen no note, with [`Bootstrap::REPLICATES`] replicates.
    pub const fn new(unit: TokenUnit) -> Self {
        Self::with_replicates(unit, Bootstrap::REPLICATES)
    }

    /// An evaluator with another number of bootstrap replicates; with none there are no intervals.
    pub const fn with_replicates(unit: TokenUnit, replicates: usize) -> Self {
        Self {
            so_far: Evaluation {
                unit,
                notes: 0,
                notes_of_nobody: 0,
                gold_spans: 0,
                predicted_spans: 0,
                strict: Breakdown { per_label: BTreeMap::new() },
                relaxed: Breakdown { per_label: BTreeMap::new() },
                relaxed_any_label: Counts { true_positives: 0, false_positives: 0, false_negatives: 0 },
                token: Breakdown { per_label: BTreeMap::new() },
                binary_token: Counts { true_positives: 0, false_positives: 0, false_negatives: 0 },
                confusion: Confusion { cells: BTreeMap::new() },
                groups: BTreeMap::new(),
                note_types: BTreeMap::new(),
                missed_tokens: ErrorsPerNote { notes: [0; 8] },
                missed_spans: ErrorsPerNote { notes: [0; 8] },
                decoys: Decoys { marked: 0, scrubbed: 0 },
                bootstrap: Bootstrap::new(replicates),
                gold_digest: 0,
            },
        }
    }

    /// Scores one note. With [`TokenUnit::CodePoint`], a text is used to check the spans' ends and to tell sub-kinds only.
    ///
    /// # Errors
    /// Where a span is empty or lies outside the text, or the text is missing and tokens are to be counted. A note that is
    /// refused counts nowhere.
    pub fn add_note(&mut self, note: NoteUnderTest<'_>) -> Result<(), EvaluateError> {
        let text = note.text.map(CodePointText::new);
        check(&note, text.as_ref())?;
        let gold = scored_gold(note.gold, text.as_ref());
        let predicted = scored_predicted(note.predicted, text.as_ref());
        let decoys: Vec<GoldSpan> = note.gold.iter().copied().filter(|span| span.mark == Mark::Decoy).collect();
        let units = match (self.so_far.unit, note.text) {
            (TokenUnit::Token, Some(text)) => tokens(text, &gold, &predicted),
            (TokenUnit::Token, None) => return Err(EvaluateError::NoText),
            (TokenUnit::CodePoint, _) => code_points(&gold, &predicted, &decoys),
        };
        let scores = self.score(&note, &gold, &predicted, &units, &decoys);
        let cluster = Cluster::of(note.cluster, note.note_id);
        self.so_far.bootstrap.add(&cluster, measures(&scores));
        self.add(scores);
        Ok(())
    }

    /// Adds the notes that another evaluator has scored.
    ///
    /// # Errors
    /// [`EvaluateError::DifferentUnits`] or [`EvaluateError::DifferentReplicates`] where the two count differently; this
    /// evaluator is then unchanged.
    pub fn merge(&mut self, mut other: Self) -> Result<(), EvaluateError> {
        if self.so_far.unit != other.so_far.unit {
            return Err(EvaluateError::DifferentUnits);
        }
        let replicates = other.so_far.bootstrap.replicates();
        let theirs = std::mem::replace(&mut other.so_far.bootstrap, Bootstrap::new(replicates));
        self.so_far.bootstrap.merge(theirs)?;
        self.add(other.so_far);
        Ok(())
    }

    /// The scores of all notes added.
    pub fn finish(self) -> Evaluation {
        self.so_far
    }

    /// The scores of one note, without replicates.
    fn score(
        &self,
        note: &NoteUnderTest<'_>,
        gold: &[Scored],
        predicted: &[Scored],
        units: &[Unit],
        decoys: &[GoldSpan],
    ) -> Evaluation {
        let mut scores = Self::with_replicates(self.so_far.unit, 0).finish();
        for unit in units {
            let (gold, predicted) = unit.labels();
            scores.confusion.record(gold, predicted, unit.weight);
        }
        scores.notes = 1;
        scores.notes_of_nobody = u64::from(note.cluster.is_none());
        scores.gold_spans = gold.len() as u64;
        scores.predicted_spans = predicted.len() as u64;
        scores.strict = strict(gold, predicted);
        scores.relaxed = relaxed(gold, predicted);
        scores.relaxed_any_label = overlapping(gold, predicted);
        scores.token = scores.confusion.by_label();
        scores.binary_token = scores.confusion.binary();
        scores.groups =
            Group::ALL.map(|group| (group, GroupScores::of_note(group, gold, predicted, units))).into_iter().collect();
        scores.missed_tokens = ErrorsPerNote::of_note(scores.binary_token.false_negatives);
        let leaks = |span: &&Scored| within(units, span.start, span.end).iter().any(Unit::is_missed);
        scores.missed_spans = ErrorsPerNote::of_note(gold.iter().filter(leaks).count() as u64);
        scores.note_types = BTreeMap::from([(
            note.note_type.unwrap_or_default().to_owned(),
            NoteTypeScores {
                notes: 1,
                notes_with_misses: u64::from(scores.binary_token.false_negatives > 0),
                binary_token: scores.binary_token,
            },
        )]);
        scores.decoys = count_decoys(decoys, units);
        scores.gold_digest = digest(note.note_id, gold, decoys);
        scores
    }

    fn add(&mut self, part: Evaluation) {
        let total = &mut self.so_far;
        total.notes += part.notes;
        total.notes_of_nobody += part.notes_of_nobody;
        total.gold_spans += part.gold_spans;
        total.predicted_spans += part.predicted_spans;
        total.strict += part.strict;
        total.relaxed += part.relaxed;
        total.relaxed_any_label += part.relaxed_any_label;
        total.token += part.token;
        total.binary_token += part.binary_token;
        total.confusion += part.confusion;
        for (group, scores) in part.groups {
            *total.groups.entry(group).or_default() += scores;
        }
        for (note_type, scores) in part.note_types {
            *total.note_types.entry(note_type).or_default() += scores;
        }
        total.missed_tokens += part.missed_tokens;
        total.missed_spans += part.missed_spans;
        total.decoys += part.decoys;
        total.gold_digest = total.gold_digest.wrapping_add(part.gold_digest);
    }
}

/// What the bootstrap keeps of a note.
fn measures(scores: &Evaluation) -> Vec<(Measure, Counts)> {
    let mut measures = vec![
        (Measure::Strict, scores.strict.micro()),
        (Measure::Relaxed, scores.relaxed.micro()),
        (Measure::Token, scores.token.micro()),
        (Measure::BinaryToken, scores.binary_token),
        (Measure::Decoys, scores.decoys.counts()),
    ];
    for (&label, &counts) in &scores.token.per_label {
        measures.push((Measure::TokenOf(label), counts));
        measures.push((Measure::FoundOf(label), scores.confusion.found(&[label])));
    }
    measures
}

fn count_decoys(decoys: &[GoldSpan], units: &[Unit]) -> Decoys {
    let mut decoys: Vec<(usize, usize)> = decoys.iter().map(|span| (span.start, span.end)).collect();
    decoys.sort_unstable();
    decoys.dedup();
    let is_scrubbed = |&&(start, end): &&(usize, usize)| {
        within(units, start, end).iter().any(|unit| unit.predicted.is_some() && unit.gold.is_none())
    };
    Decoys { marked: decoys.len() as u64, scrubbed: decoys.iter().filter(is_scrubbed).count() as u64 }
}

/// A number for the gold of one note, the same for the same spans in whatever order.
fn digest(note_id: &str, gold: &[Scored], decoys: &[GoldSpan]) -> u128 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(note_id.len() as u64).to_le_bytes()).update(note_id.as_bytes());
    let mut span = |start: usize, end: usize, label: &str| {
        hasher.update(&(start as u64).to_le_bytes()).update(&(end as u64).to_le_bytes());
        hasher.update(label.as_bytes()).update(&[0]);
    };
    gold.iter().for_each(|gold| span(gold.start, gold.end, gold.class.label.name()));
    let mut decoys = decoys.to_vec();
    decoys.sort_unstable();
    decoys.iter().for_each(|decoy| span(decoy.start, decoy.end, "NOT-PHI"));
    let mut number = [0; 16];
    hasher.finalize_xof().fill(&mut number);
    u128::from_le_bytes(number)
}

/// Refuses spans that cannot be of this note.
pub(super) fn check(note: &NoteUnderTest<'_>, text: Option<&CodePointText>) -> Result<(), EvaluateError> {
    let gold = note.gold.iter().map(|span| ("gold", span.start, span.end));
    let predicted = note.predicted.iter().map(|span| ("predicted", span.start, span.end));
    for (side, start, end) in gold.chain(predicted) {
        if start >= end {
            return Err(EvaluateError::EmptySpan { side, start, end });
        }
        if let Some(length) = text.map(CodePointText::len)
            && end > length
        {
            return Err(EvaluateError::OutsideText { side, start, end, length });
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "evaluator_tests.rs"]
mod tests;
