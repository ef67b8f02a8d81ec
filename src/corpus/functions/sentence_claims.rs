//! `sentence_claims(sentence)`: what the ensemble claims on one sentence, offsets in bytes. The dear function of a run: each
//! distinct sentence meets it once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::Array;
use datafusion::logical_expr::ScalarUDF;

use super::spans::{ClaimsBuilder, claim_type};
use super::{Argument, Deferred, Function, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::CorpusError;
use crate::corpus::progress::Meter;

/// Claims that medical vocabulary took back, by its term; one for each distinct sentence.
#[derive(Debug, Clone, Default)]
pub struct Vetoes(Arc<Mutex<BTreeMap<&'static str, u64>>>);

impl Vetoes {
    /// What was vetoed so far, by term.
    pub fn by_term(&self) -> BTreeMap<&'static str, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, terms: &[&'static str]) {
        if !terms.is_empty() {
            let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            terms.iter().for_each(|term| *counts.entry(term).or_default() += 1);
        }
    }
}

/// The function; `meter` counts the sentences that it has seen, for a stage to show how far it is, and `vetoes` what was taken back.
pub(super) fn function(deidentifier: &Arc<Deidentifier>, meter: &Meter, vetoes: &Vetoes) -> ScalarUDF {
    let (deidentifier, meter, vetoes) = (Arc::clone(deidentifier), meter.clone(), vetoes.clone());
    Deferred::define(Function::new(
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
            let mut vetoed = Vec::new();
            let present: Vec<&str> = sentences.iter().flatten().collect();
            let found = deidentifier.ensemble()?.detect_all(&present, &mut |term| vetoed.push(term));
            let mut found = found.map_err(CorpusError::from)?.into_iter();
            for row in 0..sentences.len() {
                match sentences.is_valid(row).then(|| found.next()).flatten() {
                    Some(spans) => claims.append(&spans)?,
                    None => claims.append_null(),
                }
            }
            vetoes.add(&vetoed);
            meter.add(sentences.len() as u64, bytes);
            claims.finish()
        },
    ))
}
