//! Written lists of words, asked so often that most words must be turned away at a glance.
//!
//! ```text
//! listed!(word, "mg ml q units")      by a hash of the word first, then by the words
//! ```

/// Whether `word` is one of the blank-separated words of a constant list, in any case.
macro_rules! listed {
    ($word:expr, $list:expr $(,)?) => {{
        static LISTED_WORDS: $crate::detect::listed::WordList = $crate::detect::listed::WordList::new($list);
        LISTED_WORDS.contains($word)
    }};
}
pub(crate) use listed;

/// Blank-separated words.
pub(crate) struct WordList {
    words: &'static str,
    sieve: Sieve,
}

impl WordList {
    /// A list of the words in `words`.
    pub(crate) const fn new(words: &'static str) -> Self {
        let bytes = words.as_bytes();
        let (mut sieve, mut at) = (Sieve::new(), 0);
        while at < bytes.len() {
            let start = at;
            while at < bytes.len() && !bytes[at].is_ascii_whitespace() {
                at += 1;
            }
            if at > start {
                let (_, from) = bytes.split_at(start);
                let (word, _) = from.split_at(at - start);
                sieve.add(word);
            }
            at += 1;
        }
        Self { words, sieve }
    }

    /// Whether `word` is in the list, in any case.
    #[inline]
    pub(crate) fn contains(&self, word: &str) -> bool {
        self.sieve.may_hold(word.as_bytes()) && self.is_listed(word)
    }

    fn is_listed(&self, word: &str) -> bool {
        !word.is_empty() && self.words.split_ascii_whitespace().any(|listed| listed.eq_ignore_ascii_case(word))
    }
}

/// A bit for the hash of each of some words: of a hundred words it lets one in twenty others through.
pub(crate) struct Sieve([u64; 32]);

impl Sieve {
    /// The sieve of no word.
    pub(crate) const fn new() -> Self {
        Self([0; 32])
    }

    /// Takes a word in.
    pub(crate) const fn add(&mut self, word: &[u8]) {
        let hash = hash_of(word);
        self.0[(hash >> 6) as usize % 32] |= 1 << (hash % 64);
    }

    /// Whether a word may be among those taken in, in any case; never no where it is.
    #[inline]
    pub(crate) const fn may_hold(&self, word: &[u8]) -> bool {
        let hash = hash_of(word);
        self.0[(hash >> 6) as usize % 32] >> (hash % 64) & 1 == 1
    }
}

/// A hash of a word's length and its first and last bytes, small and capital letters being the same.
#[inline]
const fn hash_of(word: &[u8]) -> u64 {
    let (first, last) = match (word.first_chunk::<8>(), word.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => match (word.first_chunk::<4>(), word.last_chunk::<4>()) {
            (Some(first), Some(last)) => (u32::from_le_bytes(*first) as u64, u32::from_le_bytes(*last) as u64),
            _ => match word {
                [first, middle, last] => ((*first as u64) << 16 | (*middle as u64) << 8 | *last as u64, 0),
                [first, last] => ((*first as u64) << 8 | *last as u64, 0),
                [only] => (*only as u64, 0),
                _ => (0, 0),
            },
        },
    };
    const SMALL: u64 = 0x2020_2020_2020_2020;
    let mixed = (first | SMALL) ^ (last | SMALL).rotate_left(29) ^ word.len() as u64;
    mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    const LIST: &str = "mg ml q é mcg units  under\n over it's";

    #[test]
    fn words_of_the_list_and_no_others() {
        for word in ["mg", "ML", "Q", "é", "Units", "OVER", "it's"] {
            assert!(super::listed!(word, LIST), "{word}");
        }
        for word in ["", " ", "m", "unit", "unitss", "mg ml", "è"] {
            assert!(!super::listed!(word, LIST), "{word}");
        }
    }

    proptest! {
        #[test]
        fn the_sieve_refuses_no_word_of_the_list(word in "[a-zA-Z']{1,4}|mg|Ml|UNDER|\\PC{0,3}|[a-z]{7,9}") {
            let plain = !word.is_empty() && LIST.split_ascii_whitespace().any(|other| other.eq_ignore_ascii_case(&word));
            prop_assert_eq!(super::listed!(&word, LIST), plain);
        }
    }
}
