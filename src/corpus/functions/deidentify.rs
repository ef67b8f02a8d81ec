//! `deidentify(text, patient_id)`: one text through the whole way.

use std::sync::Arc;

use arrow::array::{Array, StringViewBuilder};
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::CorpusError;

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "deidentify",
        &[&[Argument::Text("text"), Argument::Identifier("patient_id")]],
        |_| DataType::Utf8View,
        (
            "deidentify(text, patient_id)",
            "The text with its identifiers replaced, by the session's policy and mode, consistently for the patient.",
        ),
        move |arguments| {
            let (texts, patients) = (text(&arguments[0]), text(&arguments[1]));
            let mut reader = deidentifier.reader();
            let mut found = deidentifier.found_in(texts)?.into_iter();
            let mut replaced = StringViewBuilder::with_capacity(texts.len());
            for (row, text) in texts.iter().enumerate() {
                let Some((text, found)) = text.zip(text.and_then(|_| found.next())) else {
                    replaced.append_null();
                    continue;
                };
                if patients.is_null(row) {
                    return Err(CorpusError::configuration(
                        "deidentify: argument `patient_id` is null in a row with text",
                        "give every note a patient, or its own id",
                    )
                    .into());
                }
                let spans = reader.with_known(text, Some(patients.value(row)), found)?;
                replaced.append_value(reader.replace(text, patients.value(row), &spans)?);
            }
            Ok(Arc::new(replaced.finish()))
        },
    )
}
