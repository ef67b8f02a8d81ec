//! The key of every look-up: a word without case, accents, apostrophes and full stops.
//!
//! ```text
//! "O’Brien" ─▶ obrien     "José" ─▶ jose     "St. Louis" ─▶ st louis     "Winston-Salem" ─▶ winston salem
//! ```

use crate::text::latin_base;

/// A folded word or phrase, held without allocation.
pub(super) struct Folded {
    bytes: [u8; Folded::LIMIT],
    length: usize,
}

impl Folded {
    /// The longest key; no name, word or phrase of the lexicon is longer.
    pub const LIMIT: usize = 64;

    /// Folds a word or phrase; none if it is empty, too long, or not in Latin letters.
    pub fn of(text: &str) -> Option<Self> {
        let mut folded = Self { bytes: [0; Self::LIMIT], length: 0 };
        if text.len() <= Self::LIMIT && text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            let bytes = &mut folded.bytes[..text.len()];
            bytes.copy_from_slice(text.as_bytes());
            bytes.make_ascii_lowercase();
            folded.length = text.len();
        } else if text.is_ascii() {
            text.bytes().try_for_each(|byte| folded.push_ascii(byte))?;
        } else {
            text.chars().try_for_each(|letter| folded.push_char(letter))?;
        }
        if folded.length > 0 && folded.bytes[folded.length - 1] == b' ' {
            folded.length -= 1;
        }
        (folded.length > 0).then_some(folded)
    }

    /// The key.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// The key as text; every key is ASCII.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// The key's hash.
    pub fn hash(&self) -> u64 {
        hash_of(self.as_bytes())
    }

    fn push_ascii(&mut self, byte: u8) -> Option<()> {
        match byte {
            b'\'' | b'.' | b'`' => Some(()),
            b' ' | b'\t' | b'\n' | b'\r' | b'-' => match self.as_bytes().last() {
                None | Some(b' ') => Some(()),
                Some(_) => self.push(b' '),
            },
            _ => self.push(byte.to_ascii_lowercase()),
        }
    }

    fn push_char(&mut self, letter: char) -> Option<()> {
        match letter {
            _ if letter.is_ascii() => self.push_ascii(letter as u8),
            'ß' | 'ẞ' => self.push_all(b"ss"),
            'æ' | 'Æ' => self.push_all(b"ae"),
            'œ' | 'Œ' => self.push_all(b"oe"),
            'þ' | 'Þ' => self.push_all(b"th"),
            // Combining marks, and every shape of apostrophe.
            '\u{300}'..='\u{36f}' | '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2b0}'..='\u{2ff}' | '´' => Some(()),
            '\u{a0}' | '\u{2010}' | '\u{2011}' | '\u{2013}' => self.push_ascii(b' '),
            _ => self.push(latin_base(letter)?),
        }
    }

    fn push_all(&mut self, bytes: &[u8]) -> Option<()> {
        bytes.iter().try_for_each(|&byte| self.push(byte))
    }

    fn push(&mut self, byte: u8) -> Option<()> {
        *self.bytes.get_mut(self.length)? = byte;
        self.length += 1;
        Some(())
    }
}

/// A hash of short keys: eight bytes at a time, each folded in by a wide multiplication.
pub(super) fn hash_of(key: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = key.as_chunks::<8>();
    let last = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    words.iter().map(|&word| u64::from_le_bytes(word)).chain([last]).fold(key.len() as u64, |hash, word| {
        let product = u128::from(hash ^ word ^ 0xd6e8_feb8_6659_fd93) * u128::from(MULTIPLIER);
        product as u64 ^ (product >> 64) as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn folded(text: &str) -> Option<String> {
        Folded::of(text).map(|key| key.as_str().to_owned())
    }

    #[test]
    fn case_accents_marks_and_spaces_fall_away() {
        let cases = [
            ("O’Brien", "obrien"),
            ("O'BRIEN", "obrien"),
            ("José", "jose"),
            ("Jose\u{301}", "jose"),
            ("Łukasz", "lukasz"),
            ("Nguyễn", "nguyen"),
            ("Müller", "muller"),
            ("Strauß", "strauss"),
            ("St. Louis", "st louis"),
            ("Winston-Salem", "winston salem"),
            ("  Long \n Beach ", "long beach"),
            ("Ærø", "aero"),
            ("Ağaoğlu", "agaoglu"),
            ("Ƙanta", "kanta"),
        ];
        for (text, key) in cases {
            assert_eq!(folded(text).as_deref(), Some(key), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_a_key_has_none() {
        for text in ["", " ", "...", "Иван", "山田", &"a".repeat(65)] {
            assert_eq!(folded(text), None, "{text}");
        }
        assert!(folded(&"a".repeat(64)).is_some());
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(text in "\\PC{0,70}") {
            if let Some(key) = folded(&text) {
                prop_assert!(key.is_ascii());
                prop_assert_eq!(folded(&key), Some(key));
            }
        }
    }
}
