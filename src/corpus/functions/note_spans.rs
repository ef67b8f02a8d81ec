//! `note_spans(text, patient)`: the claims of known sentences joined back to a note, with what is known of the patient matched
//! in it: the record, and the second pass's dictionary.

use std::sync::Arc;

use arrow::array::Array;
use datafusion::logical_expr::ScalarUDF;

use super::spans::{ClaimsBuilder, claim_type};
use super::{Argument, Function, text};
use crate::corpus::claims::SentenceClaims;
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::index::PatientDictionaries;
use crate::text::sentences;

pub(super) fn function(
    deidentifier: &Arc<Deidentifier>,
    claims: &Arc<SentenceClaims>,
    dictionaries: Option<&Arc<PatientDictionaries>>,
) -> ScalarUDF {
    let (deidentifier, known, dictionaries) = (Arc::clone(deidentifier), Arc::clone(claims), dictionaries.cloned());
    Function::define(
        "note_spans",
        &[&[Argument::Text("text"), Argument::Identifier("patient")]],
        |_| claim_type(),
        (
            "note_spans(text, patient)",
            "The claims of known sentences joined back to a note, and those of what is known of the patient: offsets in bytes. A sentence that no stage has seen is an error.",
        ),
        move |arguments| {
            let (texts, patients) = (text(&arguments[0]), text(&arguments[1]));
            let ensemble = deidentifier.ensemble()?;
            let mut reader = deidentifier.reader_of(dictionaries.as_deref());
            let mut claims = ClaimsBuilder::default();
            for (row, text) in texts.iter().enumerate() {
                let Some(text) = text else {
                    claims.append_null();
                    continue;
                };
                let cut: Vec<_> = sentences(text).collect();
                let mut found = known.spans(text, &cut, &deidentifier)?;
                ensemble.detect_seams(text, &cut, &mut found);
                let patient = patients.is_valid(row).then(|| patients.value(row));
                claims.append(&reader.with_known(text, patient, found)?)?;
            }
            claims.finish()
        },
    )
}
