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
}
