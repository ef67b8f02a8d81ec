//! `note_spans(text, patient)`: the claims of known sentences joined back to a note, with what is known of the patient matched
//! in it: the record, and the second pass's dictionary.

use std::sync::Arc;

use arrow::array::Array;
use datafusion::logical_expr::ScalarUDF;

use super::spans::{ClaimsBuilder, claim_type};
use super::{Argument, Function, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::dictionaries::PatientDictionaries;
use crate::corpus::index::SentenceIndex;
use crate::text::sentences;

pub(super) fn function(
    deidentifier: &Arc<Deidentifier>,
    index: &Arc<SentenceIndex>,
    dictionaries: &Arc<PatientDictionaries>,
) -> ScalarUDF {
    let (deidentifier, index, dictionaries) = (Arc::clone(deidentifier), Arc::clone(index), Arc::clone(dictionaries));
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
            let (hasher, ensemble) = (deidentifier.hasher()?, deidentifier.ensemble()?);
            let mut reader = deidentifier.reader_of(&dictionaries);
            let mut claims = ClaimsBuilder::default();
            for (row, text) in texts.iter().enumerate() {
                let Some(text) = text else {
                    claims.append_null();
                    continue;
                };
                let cut: Vec<_> = sentences(text).collect();
                let mut found = index.spans(text, cut.iter().cloned(), hasher)?;
                ensemble.detect_seams(text, &cut, &mut found);
                let patient = patients.is_valid(row).then(|| patients.value(row));
                claims.append(&reader.with_known(text, patient, found)?)?;
            }
            claims.finish()
        },
    )
}
