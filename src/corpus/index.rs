//! What is known of every distinct sentence of a run, by hash: the way back from sentences to notes.
//!
//! ```text
//! hashes   [03…, 1f…, 7a…, …]   sorted, 16 bytes each
//! first    [ 0,   0,   2,  …]   where the spans of each begin
//! spans    [(8..12, claims 5), (20..30, claims 1), …]
//! ```
//!
//! A note is segmented again and each sentence looked up: segmenting is cheap, and neither text nor spans are shuffled.
//! A sentence that is not here stops the run: it was seen by no stage, so nobody can say that it is free of identifiers.
//! Narrow as yet: the index lies in memory, about 24 bytes a distinct sentence and 12 a span.

use std::collections::HashMap;
use std::ops::Range;

use arrow::array::{AsArray, RecordBatch};

use super::error::{CorpusError, Result};
use super::functions::read_spans;
use crate::phi::{Claim, Span};
use crate::text::{SentenceHash, SentenceHasher};

/// Bits of a hash that choose its bucket.
const BUCKET_BITS: u32 = 16;

/// The claims on every distinct sentence.
#[derive(Debug)]
pub struct SentenceIndex {
    hashes: Vec<u128>,
    /// For each hash the range of its spans.
    ranges: Vec<(u32, u32)>,
    spans: Vec<StoredSpan>,
    claims: Vec<Vec<Claim>>,
    /// Where each bucket of hashes begins; one more than there are buckets.
    buckets: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct StoredSpan {
    start: u32,
    end: u32,
    claims: u32,
}

/// Gathers the claims of sentences, in any order.
#[derive(Debug, Default)]
pub struct IndexBuilder {
    entries: Vec<(u128, (u32, u32))>,
    spans: Vec<StoredSpan>,
    claims: Vec<Vec<Claim>>,
    numbers: HashMap<Vec<(String, u8, u32)>, u32>,
}

impl IndexBuilder {
    /// Adds a batch of `sentence_hash` and `claims`.
    ///
    /// # Errors
    /// [`CorpusError::Engine`] where the columns are not those.
    pub fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let missing = || CorpusError::Accounting { reason: "the claims of sentences cannot be read".to_owned() };
        let hashes = batch
            .column_by_name("sentence_hash")
            .and_then(|column| column.as_fixed_size_binary_opt())
            .ok_or_else(missing)?;
        let claims = batch.column_by_name("claims").ok_or_else(missing)?;
        let rows = read_spans(claims).map_err(CorpusError::in_stage("index"))?;
        for (row, spans) in rows.iter().enumerate() {
            let hash = SentenceHash::try_from(hashes.value(row)).map_err(|_| missing())?;
            let start = u32::try_from(self.spans.len()).map_err(|_| too_large())?;
            for span in spans {
                let claims = self.number(&span.claims);
                let place = |offset: usize| u32::try_from(offset).map_err(|_| too_large());
                self.spans.push(StoredSpan { start: place(span.start)?, end: place(span.end)?, claims });
            }
            self.entries.push((u128::from_be_bytes(hash), (start, spans.len() as u32)));
        }
        Ok(())
    }

    /// Equal lists of claims are kept once.
    fn number(&mut self, claims: &[Claim]) -> u32 {
        let key =
            claims.iter().map(|claim| (claim.class.to_string(), claim.detector as u8, claim.score.to_bits())).collect();
        let next = self.claims.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.claims.push(claims.to_vec());
        }
        number
    }

    /// The index.
    ///
    /// # Errors
    /// [`CorpusError::Accounting`] where a sentence was given twice.
    pub fn finish(mut self) -> Result<SentenceIndex> {
        self.entries.sort_unstable_by_key(|(hash, _)| *hash);
        if self.entries.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(CorpusError::Accounting { reason: "a distinct sentence was detected twice".to_owned() });
        }
        u32::try_from(self.entries.len()).map_err(|_| too_large())?;
        let mut buckets = vec![0; (1 << BUCKET_BITS) + 1];
        for (hash, _) in &self.entries {
            buckets[bucket(*hash) + 1] += 1;
        }
        for at in 1..buckets.len() {
            buckets[at] += buckets[at - 1];
        }
        let (hashes, ranges) = self.entries.into_iter().unzip();
        Ok(SentenceIndex { hashes, ranges, spans: self.spans, claims: self.claims, buckets })
    }
}

fn bucket(hash: u128) -> usize {
    (hash >> (128 - BUCKET_BITS)) as usize
}

fn too_large() -> CorpusError {
    CorpusError::Accounting {
        reason: "there are more than four billion distinct sentences or spans; run by parts".to_owned(),
    }
}

impl SentenceIndex {
    /// The number of distinct sentences.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The claims on a text, whose sentences are given, as byte ranges of the text.
    ///
    /// # Errors
    /// [`CorpusError::Accounting`] for a sentence that is not in the index.
    pub fn spans(
        &self,
        text: &str,
        sentences: impl IntoIterator<Item = Range<usize>>,
        hasher: &SentenceHasher,
    ) -> Result<Vec<Span>> {
        let mut found = Vec::new();
        for range in sentences {
            let hash = u128::from_be_bytes(hasher.hash(&text[range.clone()]));
            let (start, length) = self.find(hash).ok_or_else(|| CorpusError::Accounting {
                reason: "a sentence is neither listed, templated nor detected; the notes changed during the run"
                    .to_owned(),
            })?;
            let stored = &self.spans[start as usize..(start + length) as usize];
            found.extend(stored.iter().map(|span| Span {
                start: range.start + span.start as usize,
                end: range.start + span.end as usize,
                claims: self.claims[span.claims as usize].clone(),
            }));
        }
        Ok(found)
    }

    fn find(&self, hash: u128) -> Option<(u32, u32)> {
        let bucket = bucket(hash);
        let (from, to) = (self.buckets[bucket] as usize, self.buckets[bucket + 1] as usize);
        let at = self.hashes[from..to].binary_search(&hash).ok()?;
        Some(self.ranges[from + at])
    }
}
