//! `sentence_claims(sentence)`: what the ensemble claims on one sentence, offsets in bytes. The dear function of a run: each
//! distinct sentence meets it once.

use std::sync::Arc;

use arrow::array::Array;
use datafusion::logical_expr::ScalarUDF;

use super::spans::{ClaimsBuilder, claim_type};
use super::{Argument, Function, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::progress::Meter;

/// The function; `meter` counts the sentences that it has seen, for a stage to show how far it is.
pub(super) fn function(deidentifier: &Arc<Deidentifier>, meter: &Meter) -> ScalarUDF {
    let (deidentifier, meter) = (Arc::clone(deidentifier), meter.clone());
    Function::define(
        "sentence_claims",
        &[&[Argument::Text("sentence")]],
        |_| claim_type(),
        (
            "sentence_claims(sentence)",
            "What the ensemble claims on a sentence: a list of struct(start, end, class, detector, score), offsets in bytes.",
        ),
        move |arguments| {
            let sentences = text(&arguments[0]);
            let bytes = sentences.lengths().map(u64::from).sum();
            let mut claims = ClaimsBuilder::default();
            for sentence in sentences {
                match sentence {
                    Some(sentence) => claims.append(&deidentifier.ensemble().detect(sentence))?,
                    None => claims.append_null(),
                }
            }
            meter.add(sentences.len() as u64, bytes);
            claims.finish()
        },
    )
}
