//! Laws and cases of the evaluator.

use proptest::prelude::*;

use super::*;
use crate::evaluate::LabelledSpan;
use crate::phi::Label;

/// A note's text with its gold and predicted spans.
type Note = (String, Vec<LabelledSpan>, Vec<LabelledSpan>);

/// Adds a note named after its text, so that the notes of a test are clusters of their own.
fn add(
    evaluator: &mut Evaluator,
    text: Option<&str>,
    gold: &[LabelledSpan],
    predicted: &[LabelledSpan],
) -> Result<(), EvaluateError> {
    let gold: Vec<GoldSpan> = gold.iter().map(|&span| span.into()).collect();
    let note_id = text.unwrap_or("note");
    evaluator.add_note(NoteUnderTest { note_id, cluster: None, note_type: None, text, gold: &gold, predicted })
}

fn evaluator(unit: TokenUnit, notes: &[Note]) -> Evaluator {
    let mut evaluator = Evaluator::with_replicates(unit, 20);
    for (text, gold, predicted) in notes {
        add(&mut evaluator, Some(text), gold, predicted).unwrap();
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
    add(&mut evaluator, Some(text), &gold, &predicted).unwrap();
    let evaluation = evaluator.finish();
    let counts =
        |true_positives, false_positives, false_negatives| Counts { true_positives, false_positives, false_negatives };
    assert_eq!((evaluation.notes, evaluation.gold_spans, evaluation.predicted_spans), (1, 2, 2));
    assert_eq!(evaluation.strict.micro(), counts(1, 1, 1));
    assert_eq!(evaluation.token.micro(), counts(2, 1, 2));
    assert_eq!(evaluation.token.of(Label::Doctor), counts(0, 0, 2));
    assert_eq!(evaluation.binary_token, counts(3, 0, 1));
    assert_eq!(evaluation.missed_tokens.notes, [0, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(evaluation.missed_spans.notes, [0, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(evaluation.relaxed.micro(), counts(1, 1, 1));
    assert_eq!(evaluation.relaxed_any_label, counts(2, 0, 0));
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
    assert_eq!(evaluation.missed_tokens.notes, [2, 1, 1, 1, 0, 1, 0, 0]);
    assert_eq!(evaluation.notes, 6);
}

#[test]
fn notes_that_cannot_be_scored_are_refused_and_count_nowhere() {
    let mut evaluator = Evaluator::new(TokenUnit::Token);
    let good = [LabelledSpan::new(0, 3, Label::Age)];
    assert_eq!(add(&mut evaluator, None, &good, &good), Err(EvaluateError::NoText));
    let outside = [LabelledSpan::new(0, 4, Label::Age)];
    let error = EvaluateError::OutsideText { side: "predicted", start: 0, end: 4, length: 3 };
    assert_eq!(add(&mut evaluator, Some("é90"), &good, &outside), Err(error));
    let reversed = [LabelledSpan { start: 3, end: 1, ..LabelledSpan::new(0, 1, Label::Time) }];
    let error = EvaluateError::EmptySpan { side: "gold", start: 3, end: 1 };
    assert_eq!(add(&mut evaluator, Some("é90"), &reversed, &good), Err(error));
    assert_eq!(evaluator.finish(), Evaluator::new(TokenUnit::Token).finish());
    let mut without_text = Evaluator::new(TokenUnit::CodePoint);
    add(&mut without_text, None, &good, &good).unwrap();
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
        prop_assert_eq!(evaluation.missed_tokens.notes[1..].iter().sum::<u64>(), 0);
            prop_assert_eq!(evaluation.missed_spans.notes[1..].iter().sum::<u64>(), 0);
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
        for errors in [evaluation.missed_tokens, evaluation.missed_spans] {
            prop_assert_eq!(errors.notes.iter().sum::<u64>(), evaluation.notes);
        }
        for scores in evaluation.groups.values() {
            prop_assert!(scores.binary_token.found <= scores.binary_token.gold);
            prop_assert!(scores.binary_token.right <= scores.binary_token.predicted);
        }
    }
}

#[test]
fn decoys_are_never_gold_and_are_counted_apart() {
    let text = "Parkinson's and Lou Gehrig, per Dr. Parkinson";
    let gold = [
        GoldSpan::decoy(0, 9),
        GoldSpan::decoy(16, 26),
        GoldSpan::decoy(16, 26),
        GoldSpan::decoy(36, 45),
        GoldSpan::new(36, 45, Label::Doctor),
    ];
    let predicted = [LabelledSpan::new(16, 19, Label::Patient), LabelledSpan::new(36, 45, Label::Doctor)];
    for unit in [TokenUnit::Token, TokenUnit::CodePoint] {
        let mut evaluator = Evaluator::new(unit);
        let note = NoteUnderTest {
            note_id: "n",
            cluster: Some("p"),
            note_type: Some("letter"),
            text: Some(text),
            gold: &gold,
            predicted: &predicted,
        };
        evaluator.add_note(note).unwrap();
        let evaluation = evaluator.finish();
        assert_eq!(evaluation.gold_spans, 1);
        assert_eq!(evaluation.decoys, Decoys { marked: 3, scrubbed: 1 }, "an identifier on a decoy is no mistake");
        assert_eq!(evaluation.note_types["letter"].notes_with_misses, 0);
        assert!(evaluation.binary_token.false_positives > 0);
    }
}

#[test]
fn the_order_of_notes_moves_nothing_and_replicates_must_agree() {
    let date = [LabelledSpan::new(0, 3, Label::Date)];
    let notes: Vec<Note> = (0..9)
        .map(|at| (format!("3/4 {at}"), date.to_vec(), if at % 3 == 0 { vec![] } else { date.to_vec() }))
        .collect();
    let turned: Vec<Note> = notes.iter().rev().cloned().collect();
    assert_eq!(evaluator(TokenUnit::Token, &notes).finish(), evaluator(TokenUnit::Token, &turned).finish());
    let mut left = Evaluator::with_replicates(TokenUnit::Token, 5);
    let error = EvaluateError::DifferentReplicates { left: 5, right: 6 };
    assert_eq!(left.merge(Evaluator::with_replicates(TokenUnit::Token, 6)), Err(error));
}
