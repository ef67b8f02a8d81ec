//! Note after note into one [`Evaluation`].
//!
//! ```text
//! worker 1   add_note add_note …  ┐
//! worker 2   add_note add_note …  ┴─ merge ─▶ finish ─▶ Evaluation ─▶ table or JSON
//! ```
//!
//! Everything kept is a count, so memory does not grow with the notes, and neither their order nor the way they are
//! spread over workers changes a figure.

use std::ops::AddAssign;

use super::matching::{by_code_point, by_token, scored, strict};
use super::{Breakdown, Counts, EvaluateError, LabelledSpan, TokenUnit};

/// The scores of a set of notes. Displayed as a text table; serialized with the derived figures beside the counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// What one count of `token`, `binary_token` and `misses` is.
    pub unit: TokenUnit,
    /// Notes, those without any span included.
    pub notes: u64,
    /// Gold spans that were scored: no auxiliary ones, and duplicates once.
    pub gold_spans: u64,
    /// Predicted spans that were scored, likewise.
    pub predicted_spans: u64,
    /// Whole spans of equal start, end and label.
    pub strict: Breakdown,
    /// Tokens of equal label.
    pub token: Breakdown,
    /// Tokens that are part of an identifier, of whatever label.
    pub binary_token: Counts,
    /// How the missed tokens spread over the notes.
    pub misses: MissesPerNote,
}

/// Notes by the number of their gold tokens (or code points, see [`Evaluation::unit`]) that no prediction covers: what
/// would be left in the note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MissesPerNote {
    /// Notes of which nothing was missed.
    pub none: u64,
    /// Notes with one miss.
    pub one: u64,
    /// Notes with two misses.
    pub two: u64,
    /// Notes with three misses or more.
    pub three_or_more: u64,
}

impl MissesPerNote {
    fn of_note(missed: u64) -> Self {
        let mut notes = Self::default();
        match missed {
            0 => notes.none = 1,
            1 => notes.one = 1,
            2 => notes.two = 1,
            _ => notes.three_or_more = 1,
        }
        notes
    }
}

impl AddAssign for MissesPerNote {
    fn add_assign(&mut self, other: Self) {
        self.none += other.none;
        self.one += other.one;
        self.two += other.two;
        self.three_or_more += other.three_or_more;
    }
}

/// Scores notes one at a time.
#[derive(Debug, Clone)]
pub struct Evaluator {
    so_far: Evaluation,
}

impl Evaluator {
    /// An evaluator that has seen no note.
    pub fn new(unit: TokenUnit) -> Self {
        Self {
            so_far: Evaluation {
                unit,
                notes: 0,
                gold_spans: 0,
                predicted_spans: 0,
                strict: Breakdown::default(),
                token: Breakdown::default(),
                binary_token: Counts::default(),
                misses: MissesPerNote::default(),
            },
        }
    }

    /// Scores one note: all its gold spans and all its predicted spans, in any order, overlapping or not.
    ///
    /// A note that is in one of the two sets only is given with no spans on the other side. With
    /// [`TokenUnit::CodePoint`], the text is used to check the spans' ends only.
    ///
    /// # Errors Where a span is empty or lies outside the text, or the text is missing and tokens are to be counted. A
    /// note that is refused counts nowhere.
    pub fn add_note(
        &mut self,
        text: Option<&str>,
        gold: &[LabelledSpan],
        predicted: &[LabelledSpan],
    ) -> Result<(), EvaluateError> {
        let length = text.map(|text| text.chars().count());
        check("gold", gold, length)?;
        check("predicted", predicted, length)?;
        let (gold, predicted) = (scored(gold), scored(predicted));
        let (token, binary_token) = match (self.so_far.unit, text) {
            (TokenUnit::Token, Some(text)) => by_token(text, &gold, &predicted),
            (TokenUnit::Token, None) => return Err(EvaluateError::NoText),
            (TokenUnit::CodePoint, _) => by_code_point(&gold, &predicted),
        };
        self.add(Evaluation {
            unit: self.so_far.unit,
            notes: 1,
            gold_spans: gold.len() as u64,
            predicted_spans: predicted.len() as u64,
            strict: strict(&gold, &predicted),
            token,
            binary_token,
            misses: MissesPerNote::of_note(binary_token.false_negatives),
        });
        Ok(())
    }

    /// Adds the notes that another evaluator has scored.
    ///
    /// # Errors
    /// [`EvaluateError::DifferentUnits`] where the two count different units; this evaluator is then unchanged.
    pub fn merge(&mut self, other: Self) -> Result<(), EvaluateError> {
        if self.so_far.unit != other.so_far.unit {
            return Err(EvaluateError::DifferentUnits);
        }
        self.add(other.so_far);
        Ok(())
    }

    /// The scores of all notes added.
    pub fn finish(self) -> Evaluation {
        self.so_far
    }

    fn add(&mut self, part: Evaluation) {
        let total = &mut self.so_far;
        total.notes += part.notes;
        total.gold_spans += part.gold_spans;
        total.predicted_spans += part.predicted_spans;
        total.strict += part.strict;
        total.token += part.token;
        total.binary_token += part.binary_token;
        total.misses += part.misses;
    }
}

fn check(side: &'static str, spans: &[LabelledSpan], length: Option<usize>) -> Result<(), EvaluateError> {
    for &LabelledSpan { start, end, .. } in spans {
        if start >= end {
            return Err(EvaluateError::EmptySpan { side, start, end });
        }
        if let Some(length) = length
            && end > length
        {
            return Err(EvaluateError::OutsideText { side, start, end, length });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Label;
    use proptest::prelude::*;

    /// A note's text with its gold and predicted spans.
    type Note = (String, Vec<LabelledSpan>, Vec<LabelledSpan>);

    fn evaluator(unit: TokenUnit, notes: &[Note]) -> Evaluator {
        let mut evaluator = Evaluator::new(unit);
        for (text, gold, predicted) in notes {
            evaluator.add_note(Some(text), gold, predicted).unwrap();
        }
        evaluator
    }

    fn swapped(counts: Counts) -> Counts {
        Counts { false_positives: counts.false_negatives, false_negatives: counts.false_positives, ..counts }
    }

    #[test]
    fn the_picture_of_this_room() {
        let text = "Seen by Dr. Rose Brown on 3/4.";
        let gold = [LabelledSpan::new(12, 22, Label::Doctor), LabelledSpan::new(26, 29, Label::Date)];
        let predicted = [LabelledSpan::new(12, 16, Label::Patient), LabelledSpan::new(26, 29, Label::Date)];
        let mut evaluator = Evaluator::new(TokenUnit::Token);
        evaluator.add_note(Some(text), &gold, &predicted).unwrap();
        let evaluation = evaluator.finish();
        let counts = |true_positives, false_positives, false_negatives| Counts {
            true_positives,
            false_positives,
            false_negatives,
        };
        assert_eq!((evaluation.notes, evaluation.gold_spans, evaluation.predicted_spans), (1, 2, 2));
        assert_eq!(evaluation.strict.micro(), counts(1, 1, 1));
        assert_eq!(evaluation.token.micro(), counts(2, 1, 2));
        assert_eq!(evaluation.token.of(Label::Doctor), counts(0, 0, 2));
        assert_eq!(evaluation.binary_token, counts(3, 0, 1));
        assert_eq!(evaluation.misses, MissesPerNote { one: 1, ..MissesPerNote::default() });
    }

    #[test]
    fn times_move_no_figure() {
        let date = LabelledSpan::new(0, 3, Label::Date);
        let time = LabelledSpan::new(4, 8, Label::Time);
        let plain = ("3/4 9:30".to_owned(), vec![date], vec![date]);
        let timed = ("3/4 9:30".to_owned(), vec![date, time], vec![date]);
        let spurious = ("3/4 9:30".to_owned(), vec![date], vec![date, date, time]);
        let expected = evaluator(TokenUnit::Token, &[plain]).finish();
        assert_eq!(evaluator(TokenUnit::Token, &[timed]).finish(), expected);
        assert_eq!(evaluator(TokenUnit::Token, &[spurious]).finish(), expected);
    }

    #[test]
    fn misses_are_counted_by_note() {
        let gold = |tokens: usize| (0..tokens).map(|at| LabelledSpan::new(2 * at, 2 * at + 1, Label::IdNum)).collect();
        let notes: Vec<Note> =
            [0, 0, 1, 2, 3, 5].into_iter().map(|tokens| ("a b c d e".to_owned(), gold(tokens), vec![])).collect();
        let evaluation = evaluator(TokenUnit::Token, &notes).finish();
        assert_eq!(evaluation.misses, MissesPerNote { none: 2, one: 1, two: 1, three_or_more: 2 });
        assert_eq!(evaluation.notes, 6);
    }

    #[test]
    fn notes_that_cannot_be_scored_are_refused_and_count_nowhere() {
        let mut evaluator = Evaluator::new(TokenUnit::Token);
        let good = [LabelledSpan::new(0, 3, Label::Age)];
        assert_eq!(evaluator.add_note(None, &good, &good), Err(EvaluateError::NoText));
        let outside = [LabelledSpan::new(0, 4, Label::Age)];
        let error = EvaluateError::OutsideText { side: "predicted", start: 0, end: 4, length: 3 };
        assert_eq!(evaluator.add_note(Some("é90"), &good, &outside), Err(error));
        let reversed = [LabelledSpan { start: 3, end: 1, label: Label::Time }];
        let error = EvaluateError::EmptySpan { side: "gold", start: 3, end: 1 };
        assert_eq!(evaluator.add_note(Some("é90"), &reversed, &good), Err(error));
        assert_eq!(evaluator.finish(), Evaluator::new(TokenUnit::Token).finish());
        let mut without_text = Evaluator::new(TokenUnit::CodePoint);
        without_text.add_note(None, &good, &good).unwrap();
        assert_eq!(without_text.merge(Evaluator::new(TokenUnit::Token)), Err(EvaluateError::DifferentUnits));
        assert_eq!(without_text.finish().binary_token.true_positives, 3);
    }

    fn spans() -> impl Strategy<Value = Vec<LabelledSpan>> {
        let labels = prop::sample::select(Label::ALL);
        let one = (0_usize..30, 1_usize..10, labels)
            .prop_map(|(start, length, label)| LabelledSpan::new(start, start + length, label));
        prop::collection::vec(one, 0..8)
    }

    fn notes() -> impl Strategy<Value = Vec<Note>> {
        prop::collection::vec(("[abé1 ,.]{40}", spans(), spans()), 0..6)
    }

    fn units() -> impl Strategy<Value = TokenUnit> {
        prop::sample::select(vec![TokenUnit::Token, TokenUnit::CodePoint])
    }

    proptest! {
        #[test]
        fn a_perfect_prediction_has_no_error(unit in units(), mut notes in notes()) {
            notes.iter_mut().for_each(|(_, gold, predicted)| predicted.clone_from(gold));
            let evaluation = evaluator(unit, &notes).finish();
            for counts in [evaluation.strict.micro(), evaluation.token.micro(), evaluation.binary_token] {
                prop_assert!(counts.f1().is_none_or(|f1| f1 == 1.0));
                prop_assert_eq!((counts.false_positives, counts.false_negatives), (0, 0));
            }
            prop_assert!(evaluation.strict.macro_average().f1.is_none_or(|f1| (f1 - 1.0).abs() < 1e-12));
            prop_assert_eq!(evaluation.misses.none, evaluation.notes);
        }

        #[test]
        fn swapping_the_sides_swaps_precision_and_recall(unit in units(), notes in notes()) {
            let there = evaluator(unit, &notes).finish();
            let turned: Vec<Note> = notes.into_iter().map(|(text, gold, predicted)| (text, predicted, gold)).collect();
            let back = evaluator(unit, &turned).finish();
            for (there, back) in [(&there.strict, &back.strict), (&there.token, &back.token)] {
                prop_assert_eq!(there.micro().precision(), back.micro().recall());
                prop_assert_eq!(there.macro_average().precision, back.macro_average().recall);
                prop_assert_eq!(there.macro_average().f1, back.macro_average().f1);
                for &label in Label::ALL {
                    prop_assert_eq!(there.of(label), swapped(back.of(label)));
                }
            }
            prop_assert_eq!(there.binary_token, swapped(back.binary_token));
        }

        #[test]
        fn merging_is_the_same_as_adding(unit in units(), notes in notes(), cuts in (0_usize..6, 0_usize..6)) {
            let (first, second) = (cuts.0.min(cuts.1).min(notes.len()), cuts.0.max(cuts.1).min(notes.len()));
            let part = |range: std::ops::Range<usize>| evaluator(unit, &notes[range]);
            let mut left = part(0..first);
            left.merge(part(first..second)).unwrap();
            left.merge(part(second..notes.len())).unwrap();
            let mut middle = part(first..second);
            middle.merge(part(second..notes.len())).unwrap();
            let mut right = part(0..first);
            right.merge(middle).unwrap();
            let whole = evaluator(unit, &notes).finish();
            prop_assert_eq!(&left.finish(), &whole);
            prop_assert_eq!(&right.finish(), &whole);
        }

        #[test]
        fn every_span_is_accounted_for(notes in notes()) {
            let evaluation = evaluator(TokenUnit::Token, &notes).finish();
            let total = evaluation.strict.micro();
            prop_assert_eq!((total.gold(), total.predicted()), (evaluation.gold_spans, evaluation.predicted_spans));
            let misses = evaluation.misses;
            prop_assert_eq!(misses.none + misses.one + misses.two + misses.three_or_more, evaluation.notes);
        }
    }
}
