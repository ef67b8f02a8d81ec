//! `phi_spans(text)`: the identifiers in a text, offsets in code points.

use std::sync::Arc;

use arrow::array::{Array, Float32Builder, Int64Builder, StringBuilder};
use arrow::datatypes::{DataType, Field, Fields};
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, spans, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::text::CodePoints;

fn fields() -> Fields {
    vec![
        Field::new("start", DataType::Int64, false),
        Field::new("end", DataType::Int64, false),
        Field::new("label", DataType::Utf8, false),
        Field::new("score", DataType::Float32, false),
    ]
    .into()
}

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "phi_spans",
        &[&[Argument::Text("text")], &[Argument::Text("text"), Argument::Identifier("patient_id")]],
        |_| DataType::List(Arc::new(Field::new_list_field(DataType::Struct(fields()), false))),
        (
            "phi_spans(text[, patient_id])",
            "The identifiers in a text: a list of struct(start, end, label, score), offsets half-open in code points. With patient_id the patient's record is matched too.",
        ),
        move |arguments| {
            let texts = text(&arguments[0]);
            let patients = arguments.get(1).map(text);
            let mut reader = deidentifier.reader();
            let mut found = deidentifier.found_in(texts)?.into_iter();
            let (mut start, mut end, mut label, mut score) =
                (Int64Builder::new(), Int64Builder::new(), StringBuilder::new(), Float32Builder::new());
            let (mut lengths, mut valid) = (Vec::new(), Vec::new());
            for (row, text) in texts.iter().enumerate() {
                valid.push(text.is_some());
                let patient = patients.filter(|patients| patients.is_valid(row)).map(|patients| patients.value(row));
                let spans = text.zip(text.and_then(|_| found.next()));
                let spans =
                    spans.map(|(text, found)| reader.with_known(text, patient, found)).transpose()?.unwrap_or_default();
                let mut code_points = CodePoints::new(text.unwrap_or_default());
                for span in &spans {
                    start.append_value(code_points.before(span.start) as i64);
                    end.append_value(code_points.before(span.end) as i64);
                    label.append_value(span.leading().class.label.name());
                    score.append_value(spans::best_score(span));
                }
                lengths.push(spans.len());
            }
            spans::list(
                fields(),
                vec![
                    Arc::new(start.finish()),
                    Arc::new(end.finish()),
                    Arc::new(label.finish()),
                    Arc::new(score.finish()),
                ],
                lengths,
                valid,
            )
        },
    )
}
