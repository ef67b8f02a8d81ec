//! The tokens that are counted.
//!
//! ```text
//! "O'Brien, 3/4"  ─▶  O  Brien  3  4        (' , and / carry no identifier)
//! ```
//!
//! Kept apart from the tokenizer of the detectors on purpose: a change over there must not move the figures over here.

use std::ops::Range;

/// The maximal runs of alphanumeric characters of a text, as code-point ranges in text order.
pub(super) fn counted_tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut characters = text.chars().map(char::is_alphanumeric).enumerate().peekable();
    std::iter::from_fn(move || {
        let (start, _) = characters.find(|&(_, alphanumeric)| alphanumeric)?;
        let mut end = start + 1;
        while characters.next_if(|&(_, alphanumeric)| alphanumeric).is_some() {
            end += 1;
        }
        Some(start..end)
    })
}

/// A text that is cut by code points.
pub(super) struct CodePointText<'text> {
    text: &'text str,
    /// The byte at which each code point begins, and the length; empty where every code point is one byte.
    starts: Vec<usize>,
    length: usize,
}

impl<'text> CodePointText<'text> {
    pub(super) fn new(text: &'text str) -> Self {
        let starts: Vec<usize> = if text.is_ascii() {
            Vec::new()
        } else {
            text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
        };
        let length = starts.len().checked_sub(1).unwrap_or(text.len());
        Self { text, starts, length }
    }

    /// Length in code points.
    pub(super) const fn len(&self) -> usize {
        self.length
    }

    /// The code points `start..end`, as many of them as there are.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'text str {
        let byte = |at: usize| {
            let at = at.min(self.length);
            if self.starts.is_empty() { at } else { self.starts[at] }
        };
        self.text.get(byte(start)..byte(end)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        counted_tokens(text).map(|range| characters[range].iter().collect()).collect()
    }

    #[test]
    fn runs_of_letters_and_digits() {
        assert_eq!(tokens("O'Brien, 3/4 (45479406HBM)"), ["O", "Brien", "3", "4", "45479406HBM"]);
        assert_eq!(tokens("a_b"), ["a", "b"]);
        assert!(tokens("").is_empty() && tokens(" .,()\n—").is_empty());
    }

    #[test]
    fn offsets_are_code_points() {
        assert_eq!(counted_tokens("Zoë 李明\u{a0}😀x").collect::<Vec<_>>(), [0..3, 4..6, 8..9]);
    }

    #[test]
    fn cutting_by_code_points() {
        for text in ["", "Ann 92", "Zoë 李明😀"] {
            let cut = CodePointText::new(text);
            assert_eq!(cut.len(), text.chars().count());
            for start in 0..cut.len() + 2 {
                for end in start..cut.len() + 2 {
                    assert_eq!(cut.slice(start, end), text.chars().take(end).skip(start).collect::<String>());
                }
            }
        }
        assert_eq!(CodePointText::new("abc").slice(2, 1), "");
    }
}
