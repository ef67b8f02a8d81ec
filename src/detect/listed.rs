//! Written lists of words, asked so often that most words must be turned away at a glance.
//!
//! ```text
//! listed!(word, "mg ml q units")      by a hash of the word first, then by the words that have its place
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
    /// Where words begin, one more than the byte: each at the place that its hash tells or, where that is taken, at the next free one.
    begins: [u16; WordList::PLACES],
    /// Whether they are too many for places, or lie too far.
    crowded: bool,
}

impl WordList {
    /// Places for words; a third of them stay free.
    const PLACES: usize = 512;
    const MOST_WORDS: usize = Self::PLACES * 2 / 3;

    /// A list of the words in `words`.
    pub(crate) const fn new(words: &'static str) -> Self {
        let bytes = words.as_bytes();
        let mut list = Self { words, sieve: Sieve::new(), begins: [0; Self::PLACES], crowded: bytes.len() >= 1 << 16 };
        let (mut count, mut at) = (0, 0);
        while at < bytes.len() {
            let start = at;
            while at < bytes.len() && !bytes[at].is_ascii_whitespace() {
                at += 1;
            }
            if at > start {
                let (_, from) = bytes.split_at(start);
                let (word, _) = from.split_at(at - start);
                let hash = hash_of(word);
                list.sieve.add_hash(hash);
                count += 1;
                list.crowded |= count > Self::MOST_WORDS;
                if !list.crowded {
                    let mut place = Self::place(hash);
                    while list.begins[place] != 0 {
                        place = (place + 1) % Self::PLACES;
                    }
                    list.begins[place] = start as u16 + 1;
                }
            }
            at += 1;
        }
        list
    }

    const fn place(hash: u64) -> usize {
        (hash >> 12) as usize % Self::PLACES
    }

    /// Whether `word` is in the list, in any case.
    #[inline]
    pub(crate) fn contains(&self, word: &str) -> bool {
        let hash = hash_of(word.as_bytes());
        self.sieve.may_hold_hash(hash) && self.is_listed(word, hash)
    }

    fn is_listed(&self, word: &str, hash: u64) -> bool {
        if word.is_empty() {
            return false;
        }
        if self.crowded {
            return self.words.split_ascii_whitespace().any(|listed| listed.eq_ignore_ascii_case(word));
        }
        let mut place = Self::place(hash);
        while self.begins[place] != 0 {
            if self.is_at(usize::from(self.begins[place]) - 1, word) {
                return true;
            }
            place = (place + 1) % Self::PLACES;
        }
        false
    }

    /// Whether the word that begins at a byte of the list is this one.
    fn is_at(&self, begin: usize, word: &str) -> bool {
        let listed = &self.words.as_bytes()[begin..];
        listed.get(..word.len()).is_some_and(|listed| listed.eq_ignore_ascii_case(word.as_bytes()))
            && listed.get(word.len()).is_none_or(u8::is_ascii_whitespace)
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
        self.add_hash(hash_of(word));
    }

    const fn add_hash(&mut self, hash: u64) {
        self.0[(hash >> 6) as usize % 32] |= 1 << (hash % 64);
    }

    /// Whether a word may be among those taken in, in any case; never no where it is.
    #[inline]
    pub(crate) const fn may_hold(&self, word: &[u8]) -> bool {
        self.may_hold_hash(hash_of(word))
    }

    #[inline]
    const fn may_hold_hash(&self, hash: u64) -> bool {
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

    #[test]
    fn of_too_many_words_each_is_found() {
        // As many words as two letters make.
        const MANY: &str = {
            const LETTERS: [u8; 26 * 26 * 3] = {
                let (mut letters, mut at) = ([b' '; 26 * 26 * 3], 0);
                while at < 26 * 26 {
                    letters[3 * at] = b'a' + (at / 26) as u8;
                    letters[3 * at + 1] = b'a' + (at % 26) as u8;
                    at += 1;
                }
                letters
            };
            match std::str::from_utf8(&LETTERS) {
                Ok(words) => words,
                Err(_) => "",
            }
        };
        const FEW: usize = 340;
        let (many, few) = (super::WordList::new(MANY), super::WordList::new(&MANY[..3 * FEW]));
        assert!(many.crowded && !few.crowded);
        for (place, word) in MANY.split_ascii_whitespace().enumerate() {
            assert!(many.contains(word), "{word}");
            assert_eq!(few.contains(word), place < FEW, "{word}");
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
