//! The words of a note, read once for all that look for something in it.
//!
//! ```text
//! "O'Hara's MRN 0012" ─▶ ohara · s · mrn · 0012      the patient's record and the second pass's dictionary look at the same ones
//! ```

use std::cell::RefCell;

use super::fold::{Key, Word};
use super::monograms::{self, Written};
use super::names::is_known_word;

/// The words of one note, and the capitals that may be somebody's initials.
pub struct NoteWords<'t> {
    pub(super) text: &'t str,
    pub(super) words: Vec<Word<'t>>,
    pub(super) initials: Vec<Written>,
}

impl<'t> NoteWords<'t> {
    /// The words of a note.
    pub fn of(text: &'t str) -> Self {
        // A word and what stands before it are about six bytes of a note.
        let mut words = Vec::with_capacity(text.len() / 5);
        let mut from = 0;
        while let Some(word) = Word::next(text, from) {
            from = word.end;
            words.push(word);
        }
        Self { text, words, initials: monograms::written(text) }
    }

    /// The note.
    pub const fn text(&self) -> &'t str {
        self.text
    }
}

impl std::fmt::Debug for NoteWords<'_> {
    /// How many there are: what a note says stays out of logs.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "NoteWords({})", self.words.len())
    }
}

/// Places for words that were lately looked up, in every thread: the commonest words of notes are fewer.
const PLACES: usize = 4_096;

/// The longest word that has a place.
const LONGEST: usize = 15;

thread_local! {
    /// Words, zeros after them, and in the last byte 1 for one that nobody knows and 2 for one of English or medicine.
    static LOOKED_UP: RefCell<Vec<u128>> = const { RefCell::new(Vec::new()) };
}

/// Whether a key is that of a word of English or medicine: [`is_known_word`], remembered, for notes say the same words again.
pub(super) fn is_known(key: &Key) -> bool {
    let bytes = key.as_bytes();
    if bytes.len() > LONGEST {
        return is_known_word(key.as_str());
    }
    let mut padded = [0; LONGEST + 1];
    padded[..bytes.len()].copy_from_slice(bytes);
    let word = u128::from_be_bytes(padded);
    let place = place(word);
    LOOKED_UP.with_borrow_mut(|places| {
        if places.is_empty() {
            places.resize(PLACES, 0);
        }
        let there = &mut places[place];
        if *there == 0 || *there >> 8 != word >> 8 {
            *there = word | if is_known_word(key.as_str()) { 2 } else { 1 };
        }
        *there & 2 != 0
    })
}

fn place(word: u128) -> usize {
    let folded = (word >> 64) as u64 ^ (word as u64).rotate_left(29);
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A text without the line breaks and tabs that are written out in it.
    fn unescaped(text: &str) -> String {
        ["\\.br\\", "\\n", "\\r", "\\t"].iter().fold(text.to_owned(), |text, escape| text.replace(escape, ""))
    }

    #[test]
    fn words_that_take_each_other_s_place_keep_their_answers() {
        let words: Vec<String> = (0..20_000_u32)
            .map(|number| format!("w{number}"))
            .chain(["pain", "hospital", "okafor", "the", "electroencephalography", ""].map(str::to_owned))
            .collect();
        for _ in 0..2 {
            for word in &words {
                assert_eq!(is_known(&Key::of(word)), is_known_word(Key::of(word).as_str()), "{word}");
            }
        }
    }

    #[test]
    fn characters_that_no_word_has_end_words_and_are_none() {
        for (text, words) in [
            ("BMI 31 kg/m&#178; today", &["BMI", "31", "kg", "m", "today"][..]),
            ("Lee&#185;, SpO&#8322; 97, &#189; tab &#9312;", &["Lee", "SpO", "97", "tab"]),
            ("&#699; x and y", &["x", "and", "y"]),
            ("Lee² ½Lee ①", &["Lee", "Lee"]),
        ] {
            let note = NoteWords::of(text);
            assert_eq!(note.words.iter().map(|word| word.written()).collect::<Vec<_>>(), words, "{text}");
        }
    }

    #[test]
    fn what_a_note_says_is_not_shown() {
        assert_eq!(format!("{:?}", NoteWords::of("Ann Lee, MRN 12")), "NoteWords(4)");
    }

    proptest! {
        #[test]
        fn every_letter_and_digit_is_in_one_word(text in "\\PC{0,60}|[A-Za-z0-9 .'’é-]{0,60}|(\\\\n|\\\\r|\\\\t|\\\\|Lee|n|7|é| ){0,24}") {
            let note = NoteWords::of(&text);
            let mut at = 0;
            for word in &note.words {
                prop_assert!(word.start >= at && word.start < word.end && text.get(word.start..word.end).is_some());
                prop_assert!(!unescaped(&text[at..word.start]).contains(|c: char| c.is_ascii_alphanumeric()));
                at = word.end;
            }
            prop_assert!(!unescaped(&text[at..]).contains(|c: char| c.is_ascii_alphanumeric()));
        }
    }
}
