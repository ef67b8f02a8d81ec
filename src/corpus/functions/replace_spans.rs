//! `replace_spans(text, patient, claims[, policy[, mode]])`: the text with what the policy removes replaced.

use std::sync::Arc;

use arrow::array::{Array, StringViewBuilder};
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::spans::read_spans;
use super::ways::Ways;
use super::{Argument, Function, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::CorpusError;

const ARGUMENTS: [Argument; 5] = [
    Argument::Text("text"),
    Argument::Identifier("patient"),
    Argument::Any("claims"),
    Argument::Text("policy"),
    Argument::Text("mode"),
];

pub(in crate::corpus) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "replace_spans",
        &[&ARGUMENTS[..3], &ARGUMENTS[..4], &ARGUMENTS],
        |_| DataType::Utf8View,
        (
            "replace_spans(text, patient, claims[, policy[, mode]])",
            "The text with every span that the policy removes replaced, and every other byte as it was. Without policy and mode: those of the session.",
        ),
        move |arguments| {
            let (texts, patients) = (text(&arguments[0]), text(&arguments[1]));
            let claims = &arguments[2];
            let (mut reader, mut ways) = (deidentifier.reader(), Ways::new(&deidentifier, &arguments[3..]));
            let mut replaced = StringViewBuilder::with_capacity(texts.len());
            for (row, spans) in read_spans(claims)?.iter().enumerate() {
                if texts.is_null(row) {
                    replaced.append_null();
                } else if patients.is_null(row) || claims.is_null(row) {
                    let reason = "a text has no patient or no claims; it is not let through".to_owned();
                    return Err(CorpusError::Accounting { reason }.into());
                } else {
                    let (policy, mode) = ways.of(row)?;
                    let (text, patient) = (texts.value(row), patients.value(row));
                    replaced.append_value(reader.replace(policy, mode, text, patient, spans)?);
                }
            }
            Ok(Arc::new(replaced.finish()))
        },
    )
}
