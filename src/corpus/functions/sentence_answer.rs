//! `sentence_answer(sentence, before, after)`: what the ensemble claims on one sentence, offsets in bytes, and what of it the span
//! cache did not know. The dear function of a run: each distinct sentence meets it once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{Array, ArrayRef, BinaryBuilder, ListArray, StructArray};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, Fields};
use datafusion::logical_expr::ScalarUDF;

use super::spans::{ClaimsBuilder, claim_type};
use super::{Argument, Deferred, Function, text, valid};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::CorpusError;
use crate::corpus::index::{SpanCache, encode_answer};
use crate::corpus::progress::Meter;
use crate::detect::{Judged, Memory};
use crate::text::{InContext, SentenceHasher};

/// The detection of a run: where earlier answers are, and what is told of it.
#[derive(Debug, Default)]
pub struct Detection {
    cache: Option<SpanCache>,
    /// Sentences that each member was asked about.
    asked: Vec<AtomicU64>,
    /// Claims that medical vocabulary took back in this run, by its term; one for each distinct sentence. What the cache remembers of patterns
    /// and dictionaries is what was left of their claims, so those are not among them.
    vetoed: Mutex<BTreeMap<&'static str, u64>>,
}

impl Detection {
    /// A detection that asks the cache first, where there is one.
    pub fn new(cache: Option<SpanCache>) -> Self {
        let members = cache.as_ref().map_or(0, SpanCache::members);
        let asked = (0..members).map(|_| AtomicU64::new(0)).collect();
        Self { cache, asked, vetoed: Mutex::default() }
    }

    /// What was vetoed so far in this run, by term.
    pub fn vetoed(&self) -> BTreeMap<&'static str, u64> {
        self.vetoed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many sentences each member was asked about, which the cache did not know.
    pub fn asked(&self) -> Vec<u64> {
        self.asked.iter().map(|asked| asked.load(Ordering::Relaxed)).collect()
    }

    /// The cache.
    pub fn cache(&self) -> Option<&SpanCache> {
        self.cache.as_ref()
    }

    fn add(&self, terms: &[&'static str]) {
        if !terms.is_empty() {
            let mut counts = self.vetoed.lock().unwrap_or_else(PoisonError::into_inner);
            terms.iter().for_each(|term| *counts.entry(term).or_default() += 1);
        }
    }
}

/// The cache as the ensemble asks it, about the sentences with these keys.
struct Remembered<'c> {
    cache: &'c SpanCache,
    hasher: &'c SentenceHasher,
    keys: Vec<u128>,
}

impl Memory for Remembered<'_> {
    fn recall(&self, sentence: usize, member: usize, shown: u64) -> Option<Vec<Judged>> {
        self.cache.recall(member, self.keys[sentence], shown)
    }

    fn digest(&self, shown: &str) -> u64 {
        (u128::from_be_bytes(self.hasher.hash(shown)) >> 64) as u64
    }
}

/// The answers by member that are new.
fn fresh_type() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Binary, true)))
}

fn fields() -> Fields {
    vec![Field::new("claims", claim_type(), true), Field::new("fresh", fresh_type(), false)].into()
}

/// The function; `meter` counts the sentences that it has seen, for a stage to show how far it is.
pub(super) fn function(deidentifier: &Arc<Deidentifier>, detection: &Arc<Detection>, meter: &Meter) -> ScalarUDF {
    let (deidentifier, detection, meter) = (Arc::clone(deidentifier), Arc::clone(detection), meter.clone());
    Deferred::define(Function::new(
        "sentence_answer",
        &[&[Argument::Text("sentence"), Argument::Text("before"), Argument::Text("after")]],
        |_| DataType::Struct(fields()),
        (
            "sentence_answer(sentence, before, after)",
            "What the ensemble claims on a sentence, judged with what stands before and after it: claims, a list of struct(start, end, class, detector, score), offsets in bytes; fresh, what the span cache did not know.",
        ),
        move |arguments| {
            let (sentences, before, after) = (text(&arguments[0]), text(&arguments[1]), text(&arguments[2]));
            let in_context = |row: usize| InContext {
                before: valid(before, row).unwrap_or_default(),
                text: sentences.value(row),
                after: valid(after, row).unwrap_or_default(),
            };
            let present: Vec<_> = (0..sentences.len()).filter(|&row| sentences.is_valid(row)).map(in_context).collect();
            let (ensemble, mut vetoed) = (deidentifier.ensemble()?, Vec::new());
            let remembered = match &detection.cache {
                Some(cache) => {
                    let hasher = deidentifier.hasher()?;
                    let key = |sentence: &InContext<'_>| u128::from_be_bytes(hasher.hash_in_context(*sentence));
                    Some(Remembered { cache, hasher, keys: present.iter().map(key).collect() })
                }
                None => None,
            };
            let memory = remembered.as_ref().map(|remembered| remembered as &dyn Memory);
            let found = ensemble.detect_again(&present, memory, &mut |term| vetoed.push(term));
            let mut found = found.map_err(CorpusError::from)?.into_iter();
            let mut claims = ClaimsBuilder::default();
            let (mut fresh, mut lengths) = (BinaryBuilder::new(), Vec::new());
            for row in 0..sentences.len() {
                let answered = sentences.is_valid(row).then(|| found.next()).flatten();
                match &answered {
                    Some((spans, _)) => claims.append(spans)?,
                    None => claims.append_null(),
                }
                let answers = answered.map(|(_, answers)| answers).unwrap_or_default();
                for (answer, asked) in answers.iter().zip(&detection.asked) {
                    asked.fetch_add(u64::from(answer.is_some()), Ordering::Relaxed);
                    fresh.append_option(answer.as_ref().map(encode_answer));
                }
                lengths.push(answers.len());
            }
            detection.add(&vetoed);
            meter.add(sentences.len() as u64, sentences.lengths().map(u64::from).sum());
            let item = Arc::new(Field::new_list_field(DataType::Binary, true));
            let fresh = ListArray::try_new(item, OffsetBuffer::from_lengths(lengths), Arc::new(fresh.finish()), None)?;
            let columns: Vec<ArrayRef> = vec![claims.finish()?, Arc::new(fresh)];
            Ok(Arc::new(StructArray::try_new(fields(), columns, None)?))
        },
    ))
}
