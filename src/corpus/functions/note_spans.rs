//! `note_spans(text, patient)`: the claims of known sentences joined back to a note, with what is known of the patient matched
//! in it: the record, and the second pass's dictionary.

use std::sync::Arc;

use arrow::array::ArrayRef;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::spans::{ClaimsBuilder, claim_type};
use super::{Argument, Function, text, valid};
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
    Function::new(
        "note_spans",
        &[&[Argument::Text("text"), Argument::Identifier("patient")]],
        |_| claim_type(),
        (
            "note_spans(text, patient)",
            "The claims of known sentences joined back to a note, and those of what is known of the patient: offsets in bytes. A sentence that no stage has seen is an error.",
        ),
        move |arguments| {
            claims_on_notes(&arguments[0], Some(&arguments[1]), &known, dictionaries.as_deref(), &deidentifier)
        },
    )
    .spread()
}

/// The claims on a column of texts: those on their sentences, at the seams between them, and what is known of the patients.
pub(in crate::corpus) fn claims_on_notes(
    texts: &ArrayRef,
    patients: Option<&ArrayRef>,
    known: &SentenceClaims,
    dictionaries: Option<&PatientDictionaries>,
    deidentifier: &Deidentifier,
) -> Result<ArrayRef> {
    let texts = Argument::Text("text").prepare(texts)?;
    let patients = patients.map(|patients| Argument::Identifier("patient").prepare(patients)).transpose()?;
    let patients = patients.as_ref().map(text);
    let ensemble = deidentifier.ensemble()?;
    let mut reader = deidentifier.reader_of(dictionaries);
    let mut claims = ClaimsBuilder::default();
    for (row, text) in text(&texts).iter().enumerate() {
        let Some(text) = text else {
            claims.append_null();
            continue;
        };
        let cut: Vec<_> = sentences(text).collect();
        let mut found = known.spans(text, &cut, deidentifier)?;
        ensemble.detect_seams(text, &cut, &mut found);
        let patient = patients.and_then(|patients| valid(patients, row));
        claims.append(&reader.with_known(text, patient, found)?)?;
    }
    claims.finish()
}
