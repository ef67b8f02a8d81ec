//! `deidentify(text, patient_id[, policy[, mode[, anchor]]])`: one text through the whole way.

use std::sync::Arc;

use arrow::array::{Array, StringViewBuilder};
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::ways::Ways;
use super::{Argument, Function, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::CorpusError;

const ARGUMENTS: [Argument; 5] = [
    Argument::Text("text"),
    Argument::Identifier("patient_id"),
    Argument::Text("policy"),
    Argument::Text("mode"),
    Argument::Date("anchor"),
];

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "deidentify",
        &[&ARGUMENTS[..2], &ARGUMENTS[..3], &ARGUMENTS[..4], &ARGUMENTS],
        |_| DataType::Utf8View,
        (
            "deidentify(text, patient_id[, policy[, mode[, anchor]]])",
            "The text with its identifiers replaced, consistently for the patient. The policy is A, B, C or D, the mode surrogate, tag, numbered-tag, angle-tag, redact, mask or mask-whole; without them, or where they are null, those of the session. The anchor is the day of the note, near which dates without a year are.",
        ),
        move |arguments| {
            let (texts, patients) = (text(&arguments[0]), text(&arguments[1]));
            let (mut reader, mut ways) = (deidentifier.reader(), Ways::new(&deidentifier, &arguments[2..])?);
            let mut found = deidentifier.found_in(texts)?.into_iter();
            let mut replaced = StringViewBuilder::with_capacity(texts.len());
            for (row, text) in texts.iter().enumerate() {
                let Some((text, found)) = text.zip(text.and_then(|_| found.next())) else {
                    replaced.append_null();
                    continue;
                };
                if patients.is_null(row) {
                    return Err(no_patient().into());
                }
                let spans = reader.with_known(text, Some(patients.value(row)), found)?;
                replaced.append_value(reader.replace(ways.of(row)?, text, patients.value(row), &spans)?);
            }
            Ok(Arc::new(replaced.finish()))
        },
    )
}

/// What a statement is told that asks `deidentify` for a text of nobody, whatever it was rewritten to.
pub(super) fn no_patient() -> CorpusError {
    CorpusError::configuration(
        "deidentify: argument `patient_id` is null in a row with text",
        "give every note a patient, or its own id",
    )
}
