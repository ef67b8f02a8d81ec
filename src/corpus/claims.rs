//! What is claimed on the sentences of a note: looked up, or detected anew in each note.
//!
//! A run looks up what it has detected once for each distinct sentence. Detecting each occurrence by itself gives the same spans and
//! takes many times as long; it is there to show both (`--no-dedupe`).

use std::ops::Range;

use super::deidentifier::Deidentifier;
use super::error::Result;
use super::index::{HeldClaims, SentenceIndex};
use crate::phi::Span;

/// Where the claims on sentences come from.
#[derive(Debug)]
pub enum SentenceClaims {
    /// From an index of all distinct sentences.
    Index(SentenceIndex),
    /// From what a statement has detected before.
    Held(HeldClaims),
    /// From the ensemble, for each occurrence.
    Afresh,
}

impl SentenceClaims {
    /// The claims on the sentences of a text, as byte ranges of the text.
    ///
    /// # Errors
    /// [`super::CorpusError::Accounting`] for a sentence that is not in the index; where a trained member fails; where there is no key.
    pub fn spans(&self, text: &str, sentences: &[Range<usize>], deidentifier: &Deidentifier) -> Result<Vec<Span>> {
        let context = deidentifier.context();
        match self {
            Self::Index(index) => index.spans(text, sentences, context, deidentifier.hasher()?),
            Self::Held(held) => held.spans(text, sentences, deidentifier),
            Self::Afresh => {
                let in_context: Vec<_> = context.sentences(text, sentences).collect();
                let found = deidentifier.ensemble()?.detect_all(&in_context, &mut |_| {})?;
                let mut spans = Vec::new();
                for (range, found) in sentences.iter().zip(found) {
                    spans.extend(found.into_iter().map(|span| span.shifted(range.start)));
                }
                Ok(spans)
            }
        }
    }
}
