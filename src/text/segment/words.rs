//! The words of `abbreviations.txt`, found by their bytes: a lookup allocates nothing and reads one slot, seldom two.
//!
//! `Dr` → `dr`, packed into a number → slot → `TITLE`

use std::sync::LazyLock;

/// What is known of a word; several may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Word(u8);

impl Word {
    /// The stop after it never ends a sentence.
    pub(super) const TITLE: Self = Self(1);
    /// The stop after it ends a sentence only before an opener or a pronoun.
    pub(super) const ABBREVIATION: Self = Self(2);
    /// It begins a sentence and is no one's name.
    pub(super) const OPENER: Self = Self(4);
    /// It begins a sentence, and may be a name after an initial.
    pub(super) const PRONOUN: Self = Self(32);
    /// A month.
    pub(super) const MONTH: Self = Self(8);
    /// A line that ends in it was wrapped.
    pub(super) const GOES_ON: Self = Self(16);
    /// A state: the stop after it ends no sentence before a postal code.
    pub(super) const STATE: Self = Self(64);

    /// What the list says of a word, in whatever case; nothing of one that it has not.
    #[inline]
    pub(super) fn of(word: &[u8]) -> Self {
        packed(word).map_or(Self(0), |key| WORDS.find(key))
    }

    /// Whether one of the given things is known of it.
    #[inline]
    pub(super) const fn is(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }
}

/// The sections of the file.
const SECTIONS: [(&str, Word); 7] = [
    ("[titles]", Word::TITLE),
    ("[words]", Word::ABBREVIATION),
    ("[states]", Word::STATE),
    ("[openers]", Word::OPENER),
    ("[pronouns]", Word::PRONOUN),
    ("[months]", Word::MONTH),
    ("[goes on]", Word::GOES_ON),
];

/// Slots of the table: a power of two, several times as many as there are words.
const SLOTS: usize = 2_048;

static WORDS: LazyLock<Table> = LazyLock::new(Table::shipped);

/// A hash table that is filled once: a key of 0 is an empty slot, and the next slot is tried where one is taken.
struct Table(Box<[(u128, u8)]>);

impl Table {
    /// The words of the file; what stands before the first section, or is too long for a key, counts for nothing.
    fn shipped() -> Self {
        let mut table = Self(vec![(0, 0); SLOTS].into());
        let mut kind = Word(0);
        for line in include_str!("../abbreviations.txt").lines().filter(|line| !line.starts_with('#')) {
            match SECTIONS.iter().find(|(heading, _)| *heading == line) {
                Some((_, section)) => kind = *section,
                None => line
                    .split_whitespace()
                    .filter_map(|word| packed(word.as_bytes()))
                    .for_each(|key| table.slot(key, |slot| *slot = (key, slot.1 | kind.0))),
            }
        }
        table
    }

    fn find(&self, key: u128) -> Word {
        let mut at = home(key);
        loop {
            match self.0[at] {
                (found, kind) if found == key => return Word(kind),
                (0, _) => return Word(0),
                _ => at = (at + 1) % SLOTS,
            }
        }
    }

    /// Hands out the slot that has a key, or the empty one that it belongs to.
    fn slot(&mut self, key: u128, fill: impl FnOnce(&mut (u128, u8))) {
        let mut at = home(key);
        while self.0[at].0 != key && self.0[at].0 != 0 {
            at = (at + 1) % SLOTS;
        }
        fill(&mut self.0[at]);
    }
}

/// A word in lower case as a number; none of an empty one and of one longer than 16 bytes.
fn packed(word: &[u8]) -> Option<u128> {
    let fits = !word.is_empty() && word.len() <= 16;
    fits.then(|| word.iter().fold(0, |key, byte| key << 8 | u128::from(byte.to_ascii_lowercase())))
}

/// The slot that a key is looked for first.
const fn home(key: u128) -> usize {
    let folded = (key as u64) ^ ((key >> 64) as u64).rotate_left(32);
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 53) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_in_any_case_with_all_its_sections() {
        assert_eq!(Word::of(b"Dr"), Word::TITLE);
        assert_eq!(Word::of(b"VS"), Word::TITLE);
        assert!(Word::of(b"Jan").is(Word::MONTH) && Word::of(b"Jan").is(Word::ABBREVIATION));
        assert!(Word::of("März".as_bytes()).is(Word::MONTH));
        for unknown in ["", "d", "drx", "xdr", "[titles]", "#", "abcdefghijklmnopqrst", "\0"] {
            assert_eq!(Word::of(unknown.as_bytes()), Word::default(), "{unknown:?}");
        }
    }

    #[test]
    fn every_word_of_the_file_is_found_and_fits() {
        let file = include_str!("../abbreviations.txt");
        let mut words = 0;
        for word in file.lines().filter(|line| !line.starts_with(['#', '['])).flat_map(str::split_whitespace) {
            assert!(Word::of(word.as_bytes()) != Word::default(), "{word}");
            assert_eq!(word, word.to_lowercase());
            words += 1;
        }
        assert!(words * 4 < SLOTS, "the table is filled to less than a quarter");
        for (heading, _) in SECTIONS {
            assert_eq!(file.lines().filter(|line| *line == heading).count(), 1, "{heading}");
        }
        assert_eq!(file.lines().filter(|line| line.starts_with('[')).count(), SECTIONS.len());
    }
}
