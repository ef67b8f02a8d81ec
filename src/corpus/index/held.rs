//! What is claimed on the distinct sentences of one statement, in memory, by hash.

use std::collections::HashMap;
use std::ops::Range;

use arrow::array::{Array, AsArray, RecordBatch};

use super::judged::{decode, encode};
use crate::corpus::columns::{keys, unreadable};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::read_spans;
use crate::detect::Judged;
use crate::phi::Span;

/// The claims on sentences.
#[derive(Debug, Default)]
pub struct HeldClaims {
    answers: HashMap<u128, Box<[u8]>>,
    bytes: usize,
}

impl HeldClaims {
    /// Adds a batch of hashes and answers, as `sentence_answer` gives them. A row without hash is none of a sentence.
    ///
    /// # Errors
    /// [`CorpusError::Internal`] where the columns are not those.
    pub fn add(&mut self, batch: &RecordBatch, hash: &str, answer: &str) -> Result<()> {
        /// What an entry takes besides its claims, about.
        const ENTRY: usize = 48;
        let unreadable = || unreadable("claims");
        let answers = batch.column_by_name(answer).and_then(|column| column.as_struct_opt());
        let claims = answers.and_then(|answers| answers.column_by_name("claims")).ok_or_else(unreadable)?;
        let rows = read_spans(claims).map_err(CorpusError::in_stage("index"))?;
        for (row, (key, spans)) in keys(batch, hash, "claims")?.into_iter().zip(&rows).enumerate() {
            if claims.is_valid(row) {
                let encoded = encode(&Judged::of_spans(spans)).into_boxed_slice();
                self.bytes += ENTRY + encoded.len();
                self.answers.insert(key, encoded);
            }
        }
        Ok(())
    }

    /// The memory that they take, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The claims on the sentences of a text, as byte ranges of the text. A sentence that is not held is detected: what was read first may
    /// not be what is read now.
    ///
    /// # Errors
    /// Where a trained member fails; where there is no key.
    pub fn spans(&self, text: &str, sentences: &[Range<usize>], deidentifier: &Deidentifier) -> Result<Vec<Span>> {
        let (hasher, mut found) = (deidentifier.hasher()?, Vec::new());
        for (range, sentence) in sentences.iter().zip(deidentifier.context().sentences(text, sentences)) {
            let spans = match self.answers.get(&u128::from_be_bytes(hasher.hash_in_context(sentence))) {
                Some(held) => Judged::spans(&decode(held).ok_or_else(|| unreadable("claims"))?),
                None => deidentifier.ensemble()?.detect_all(&[sentence], &mut |_| {})?.swap_remove(0),
            };
            found.extend(spans.into_iter().map(|span| span.shifted(range.start)));
        }
        Ok(found)
    }
}
