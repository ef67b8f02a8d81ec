//! Short written lists of words, asked so often that most words must be turned away at a glance.
//!
//! ```text
//! WordList::new("sign test score").contains("Test")      by first letter and length first, then by the words
//! ```

use std::sync::OnceLock;

/// Blank-separated ASCII words.
pub(super) struct WordList {
    words: &'static str,
    /// For each first letter, a bit for each length, the 31st for all that are longer.
    lengths: OnceLock<[u32; 26]>,
}

impl WordList {
    /// A list of the words in `words`, in small letters.
    pub(super) const fn new(words: &'static str) -> Self {
        Self { words, lengths: OnceLock::new() }
    }

    /// Whether `word` is in the list, in any case.
    pub(super) fn contains(&self, word: &str) -> bool {
        let Some(letter) = letter_of(word) else { return false };
        self.lengths()[letter] & bit_of(word) != 0
            && self.words.split_ascii_whitespace().any(|listed| listed.eq_ignore_ascii_case(word))
    }

    fn lengths(&self) -> &[u32; 26] {
        self.lengths.get_or_init(|| {
            let mut lengths = [0; 26];
            for word in self.words.split_ascii_whitespace() {
                if let Some(letter) = letter_of(word) {
                    lengths[letter] |= bit_of(word);
                }
            }
            lengths
        })
    }
}

fn letter_of(word: &str) -> Option<usize> {
    let first = word.bytes().next()?;
    first.is_ascii_alphabetic().then(|| usize::from(first.to_ascii_lowercase() - b'a'))
}

fn bit_of(word: &str) -> u32 {
    1 << word.len().min(31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_holds_its_words_in_any_case_and_no_others() {
        static LIST: WordList = WordList::new("sign test score in-law");
        for word in ["sign", "Test", "SCORE", "in-law"] {
            assert!(LIST.contains(word), "{word}");
        }
        for word in ["", "tests", "tes", "text", "é", "1", "sig"] {
            assert!(!LIST.contains(word), "{word}");
        }
    }
}
