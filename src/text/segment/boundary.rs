//! What parts two sentences of a text that follow one another.

use std::ops::Range;

use super::{breaks, lengths};

/// The boundary between two sentences of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boundary {
    /// The sentence before it, without line breaks that are written out at its end.
    pub before: Range<usize>,
    /// The sentence after it, likewise.
    pub after: Range<usize>,
    /// How many lines end at it.
    pub breaks: usize,
    /// Whether a sentence that was too long was cut here, in a line; something may cross it that no rule knew.
    pub by_length: bool,
}

impl Boundary {
    /// The boundary between two sentences as [`sentences`](super::sentences) has cut them, one right after the other.
    pub fn between(text: &str, before: &Range<usize>, after: &Range<usize>) -> Self {
        let words = |sentence: &Range<usize>| {
            let (words, lines) = breaks::without_written(&text[sentence.clone()]);
            (sentence.start..sentence.start + words.len(), lines)
        };
        let (words_before, written) = words(before);
        let breaks = breaks::count(&text[before.end..after.start]).max(written);
        let by_length = breaks == 0 && lengths::was_cut(text, before, after.start);
        Self { before: words_before, after: words(after).0, breaks, by_length }
    }
}
