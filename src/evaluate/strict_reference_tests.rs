//! Strict figures held equal to those that two other libraries gave for the same spans; `testdata/nervaluate.py` says how.

use serde_json::Value;

use super::{Counts, Evaluation, Evaluator, GoldSpan, LabelledSpan, NoteUnderTest, TokenUnit};
use crate::phi::Label;

fn reference() -> Value {
    serde_json::from_str(include_str!("testdata/nervaluate.json")).unwrap()
}

fn spans(side: &Value) -> Vec<LabelledSpan> {
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let span = |span: &Value| {
        LabelledSpan::new(number(&span[0]), number(&span[1]), span[2].as_str().unwrap().parse().unwrap())
    };
    side.as_array().unwrap().iter().map(span).collect()
}

fn evaluation(reference: &Value) -> Evaluation {
    let mut evaluator = Evaluator::with_replicates(TokenUnit::CodePoint, 0);
    for note in reference["notes"].as_array().unwrap() {
        let gold: Vec<GoldSpan> = spans(&note["gold"]).into_iter().map(GoldSpan::from).collect();
        let predicted = spans(&note["predicted"]);
        let note_id = note["note_id"].as_str().unwrap();
        let note =
            NoteUnderTest { note_id, cluster: None, note_type: None, text: None, gold: &gold, predicted: &predicted };
        evaluator.add_note(note).unwrap();
    }
    evaluator.finish()
}

fn assert_close(ours: Option<f64>, theirs: &Value, what: &str) {
    let (ours, theirs) = (ours.unwrap(), theirs.as_f64().unwrap());
    assert!((ours - theirs).abs() < 1e-9, "{what}: {ours} and {theirs}");
}

fn assert_equal(ours: Counts, theirs: &Value, what: &str) {
    let counts = [ours.true_positives, ours.gold(), ours.predicted()];
    assert_eq!(counts, ["correct", "possible", "actual"].map(|name| theirs[name].as_u64().unwrap()), "{what}");
    assert_close(ours.precision(), &theirs["precision"], what);
    assert_close(ours.recall(), &theirs["recall"], what);
    assert_close(ours.f1(), &theirs["f1"], what);
}

#[test]
fn overall_and_by_label_as_nervaluate_has_them() {
    let reference = reference();
    let evaluation = evaluation(&reference);
    assert_eq!(evaluation.notes, 60);
    assert_equal(evaluation.strict.micro(), &reference["nervaluate_strict"]["overall"], "overall");
    let labels = reference["nervaluate_strict"]["labels"].as_object().unwrap();
    assert_eq!(labels.len(), evaluation.strict.per_label.len());
    for (name, theirs) in labels {
        let label: Label = name.parse().unwrap();
        assert_equal(evaluation.strict.of(label), theirs, name);
    }
}

#[test]
fn micro_and_macro_as_seqeval_has_them() {
    let reference = reference();
    let strict = evaluation(&reference).strict;
    let (micro, macro_average) = (strict.micro(), strict.macro_average());
    let theirs = &reference["seqeval_strict"];
    assert_close(micro.precision(), &theirs["micro"]["precision"], "micro precision");
    assert_close(micro.recall(), &theirs["micro"]["recall"], "micro recall");
    assert_close(micro.f1(), &theirs["micro"]["f1"], "micro F1");
    assert_close(macro_average.precision, &theirs["macro"]["precision"], "macro precision");
    assert_close(macro_average.recall, &theirs["macro"]["recall"], "macro recall");
    assert_close(macro_average.f1, &theirs["macro"]["f1"], "macro F1");
}
