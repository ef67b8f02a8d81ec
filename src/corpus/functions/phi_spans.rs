//! `phi_spans(text)` and `phi_score(text)`: the identifiers in a text, offsets in code points, and how sure the surest is.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, Float32Array, Float32Builder, Int64Builder, StringBuilder, StringViewArray};
use arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::spans::{best_score, list, read_spans};
use super::{Argument, Function, text, valid};
use crate::corpus::deidentifier::Deidentifier;
use crate::phi::Span;
use crate::text::CodePoints;

/// A text, or a text and whose it is.
const FORMS: [&[Argument]; 2] =
    [&[Argument::Text("text")], &[Argument::Text("text"), Argument::Identifier("patient_id")]];

fn fields() -> Fields {
    vec![
        Field::new("start", DataType::Int64, false),
        Field::new("end", DataType::Int64, false),
        Field::new("label", DataType::Utf8, false),
        Field::new("score", DataType::Float32, false),
    ]
    .into()
}

fn list_type() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Struct(fields()), false)))
}

pub(super) fn spans(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "phi_spans",
        &FORMS,
        |_| list_type(),
        (
            "phi_spans(text[, patient_id])",
            "The identifiers in a text: a list of struct(start, end, label, score), offsets half-open in code points. With patient_id the patient's record is matched too.",
        ),
        move |arguments| located(text(&arguments[0]), &found(arguments, &deidentifier)?),
    )
}

pub(super) fn score(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "phi_score",
        &FORMS,
        |_| DataType::Float32,
        (
            "phi_score(text[, patient_id])",
            "How sure the surest identifier in a text is: the highest score of phi_spans, between 0 and 1; 0 where there is none.",
        ),
        move |arguments| Ok(scores(&found(arguments, &deidentifier)?)),
    )
}

/// What the optimizer puts in the place of `phi_spans`, where the claims are known.
pub(in crate::corpus) fn spans_of_claims() -> ScalarUDF {
    Function::define(
        "spans_of_claims",
        &[&[Argument::Text("text"), Argument::Any("claims")]],
        |_| list_type(),
        ("spans_of_claims(text, claims)", "The spans that claims make on a text, as phi_spans gives them."),
        |arguments| located(text(&arguments[0]), &read(&arguments[1])?),
    )
}

/// What the optimizer puts in the place of `phi_score`, where the claims are known.
pub(in crate::corpus) fn score_of_claims() -> ScalarUDF {
    Function::define(
        "score_of_claims",
        &[&[Argument::Any("claims")]],
        |_| DataType::Float32,
        ("score_of_claims(claims)", "The highest score of claims, as phi_score gives it."),
        |arguments| Ok(scores(&read(&arguments[0])?)),
    )
}

/// The spans of each text; none where it is null.
fn found(arguments: &[ArrayRef], deidentifier: &Deidentifier) -> Result<Vec<Option<Vec<Span>>>> {
    let (texts, patients) = (text(&arguments[0]), arguments.get(1).map(text));
    let mut reader = deidentifier.reader();
    let mut found = deidentifier.found_in(texts)?.into_iter();
    let mut rows = Vec::with_capacity(texts.len());
    for (row, text) in texts.iter().enumerate() {
        let patient = patients.and_then(|patients| valid(patients, row));
        let spans = text.zip(text.and_then(|_| found.next()));
        rows.push(spans.map(|(text, found)| reader.with_known(text, patient, found)).transpose()?);
    }
    Ok(rows)
}

/// The spans in a column of claims.
fn read(claims: &ArrayRef) -> Result<Vec<Option<Vec<Span>>>> {
    let rows = read_spans(claims)?.into_iter().enumerate();
    Ok(rows.map(|(row, spans)| claims.is_valid(row).then_some(spans)).collect())
}

fn located(texts: &StringViewArray, rows: &[Option<Vec<Span>>]) -> Result<ArrayRef> {
    let (mut start, mut end, mut label, mut score) =
        (Int64Builder::new(), Int64Builder::new(), StringBuilder::new(), Float32Builder::new());
    for (text, spans) in texts.iter().zip(rows) {
        let mut code_points = CodePoints::new(text.unwrap_or_default());
        for span in spans.iter().flatten() {
            start.append_value(code_points.before(span.start) as i64);
            end.append_value(code_points.before(span.end) as i64);
            label.append_value(span.leading().class.label.name());
            score.append_value(best_score(span));
        }
    }
    list(
        fields(),
        vec![Arc::new(start.finish()), Arc::new(end.finish()), Arc::new(label.finish()), Arc::new(score.finish())],
        rows.iter().map(|spans| spans.as_ref().map_or(0, Vec::len)).collect(),
        rows.iter().map(Option::is_some).collect(),
    )
}

fn scores(rows: &[Option<Vec<Span>>]) -> ArrayRef {
    let best = |spans: &Vec<Span>| spans.iter().map(best_score).fold(0.0, f32::max);
    Arc::new(rows.iter().map(|spans| spans.as_ref().map(best)).collect::<Float32Array>())
}
