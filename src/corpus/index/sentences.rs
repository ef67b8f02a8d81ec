//! What is claimed on every distinct sentence of a run, by hash: the way back from sentences to notes.
//!
//! A note is segmented again and each sentence looked up: segmenting is cheap, and neither text nor spans are shuffled.
//! A sentence that is not here stops the run: it was seen by no stage, so nobody can say that it is free of identifiers.

use std::ops::Range;
use std::path::Path;

use arrow::array::RecordBatch;

use super::judged::{decode, encode};
use super::{SortedFile, SortedWriter, local};
use crate::corpus::columns::{keys, unreadable};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::read_spans;
use crate::corpus::store::Location;
use crate::detect::Judged;
use crate::phi::Span;
use crate::text::{ContextMode, SentenceHasher};

/// The claims on every distinct sentence.
#[derive(Debug)]
pub struct SentenceIndex(SortedFile);

/// Makes a [`SentenceIndex`] of batches of `sentence_hash` and `claims`, in the order of hashes.
pub struct SentenceIndexWriter(SortedWriter);

impl SentenceIndexWriter {
    /// Begins the index at a local place, in a folder that exists.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub fn create(location: &Location) -> Result<Self> {
        SortedWriter::create(&local(location)?).map(Self)
    }

    /// Adds a batch.
    ///
    /// # Errors
    /// [`CorpusError::Internal`] where the columns are not those, [`CorpusError::Accounting`] where a sentence comes twice.
    pub fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let claims = batch.column_by_name("claims").ok_or_else(|| unreadable("claims"))?;
        let rows = read_spans(claims).map_err(CorpusError::in_stage("index"))?;
        for (key, spans) in keys(batch, "sentence_hash", "claims")?.into_iter().zip(&rows) {
            if !self.0.add(key, &encode(&Judged::of_spans(spans)))? {
                return Err(CorpusError::Accounting { reason: "a distinct sentence was detected twice".to_owned() });
            }
        }
        Ok(())
    }

    /// The index.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub fn finish(self) -> Result<SentenceIndex> {
        self.0.finish().map(SentenceIndex)
    }
}

impl SentenceIndex {
    /// Opens an index that an earlier run has kept.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where it cannot be read or is none.
    pub fn open(path: &Path) -> Result<Self> {
        SortedFile::open(path).map(Self)
    }

    /// The number of distinct sentences.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The claims on a text, whose sentences and what they are judged with are given, as byte ranges of the text.
    ///
    /// # Errors
    /// [`CorpusError::Accounting`] for a sentence that is not in the index, [`CorpusError::Input`] for claims that are damaged.
    pub fn spans(
        &self,
        text: &str,
        sentences: &[Range<usize>],
        context: ContextMode,
        hasher: &SentenceHasher,
    ) -> Result<Vec<Span>> {
        let mut found = Vec::new();
        for (range, sentence) in sentences.iter().zip(context.sentences(text, sentences)) {
            let hash = u128::from_be_bytes(hasher.hash_in_context(sentence));
            let stored = self.0.get(hash).ok_or_else(|| CorpusError::Accounting {
                reason: "a sentence is neither listed, templated nor detected; the notes changed during the run"
                    .to_owned(),
            })?;
            let judged = decode(stored).ok_or_else(|| self.0.damaged())?;
            let spans = Judged::spans(&judged).into_iter().map(|span| span.shifted(range.start));
            for span in spans {
                // Damage that the check has missed must not become a panic, or a name that stays.
                if span.is_empty() || span.end > range.end || text.get(span.start..span.end).is_none() {
                    return Err(self.0.damaged());
                }
                found.push(span);
            }
        }
        Ok(found)
    }
}
