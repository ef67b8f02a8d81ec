//! `sentence_claims(sentence)`: what the ensemble claims on one sentence, offsets in bytes. The dear function of a run: each
//! distinct sentence meets it once.

use std::sync::Arc;

use datafusion::logical_expr::ScalarUDF;

use super::spans::{ClaimsBuilder, claim_type};
use super::{Argument, Function, text};
use crate::corpus::deidentifier::Deidentifier;

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "sentence_claims",
        &[&[Argument::Text("sentence")]],
        |_| claim_type(),
        (
            "sentence_claims(sentence)",
            "What the ensemble claims on a sentence: a list of struct(start, end, class, detector, score), offsets in bytes.",
        ),
        move |arguments| {
            let mut claims = ClaimsBuilder::default();
            for sentence in text(&arguments[0]) {
                match sentence {
                    Some(sentence) => claims.append(&deidentifier.ensemble().detect(sentence))?,
                    None => claims.append_null(),
                }
            }
            claims.finish()
        },
    )
}
