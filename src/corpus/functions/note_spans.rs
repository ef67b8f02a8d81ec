//! `note_spans(text, patient)`: the claims of known sentences joined back to a note, with the patient's record matched in it.

use std::sync::Arc;

use arrow::array::Array;
use datafusion::logical_expr::ScalarUDF;

use super::spans::{ClaimsBuilder, claim_type};
use super::{Argument, Function, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::index::SentenceIndex;

pub(super) fn function(deidentifier: &Arc<Deidentifier>, index: &Arc<SentenceIndex>) -> ScalarUDF {
    let (deidentifier, index) = (Arc::clone(deidentifier), Arc::clone(index));
    Function::define(
        "note_spans",
        &[&[Argument::Text("text"), Argument::Identifier("patient")]],
        |_| claim_type(),
        (
            "note_spans(text, patient)",
            "The claims of known sentences joined back to a note, and those of the patient's record: offsets in bytes. A sentence that no stage has seen is an error.",
        ),
        move |arguments| {
            let (texts, patients) = (text(&arguments[0]), text(&arguments[1]));
            let hasher = deidentifier.hasher()?;
            let mut reader = deidentifier.reader();
            let mut claims = ClaimsBuilder::default();
            for (row, text) in texts.iter().enumerate() {
                let Some(text) = text else {
                    claims.append_null();
                    continue;
                };
                let found = index.spans(text, hasher)?;
                let patient = patients.is_valid(row).then(|| patients.value(row));
                claims.append(&reader.with_record(text, patient, found))?;
            }
            claims.finish()
        },
    )
}
