//! Names that are spelled out: `S-M-I-T-H`, `R O B E R T  S M I T H`.

use super::fold::{Key, Word};
use super::name_word::NameWord;
use super::names::NameSet;
use super::words::NoteWords;
use crate::phi::{Detector, Span};

/// Shorter names, letter by letter, are abbreviations as well.
const FEWEST_LETTERS: usize = 4;
/// More letters in a row than any name has.
const MOST_LETTERS: usize = 40;
/// Between two letters, in bytes.
const WIDEST_GAP: usize = 3;

/// Adds the names whose letters stand one by one.
pub(super) fn find(names: &NameSet, note: &NoteWords<'_>, spans: &mut Vec<Span>) {
    let mut words = note.words.as_slice();
    while let Some(first) = words.iter().position(is_letter) {
        words = &words[first..];
        let row = words.iter().zip(words.iter().skip(1)).take(MOST_LETTERS);
        let length =
            1 + row.take_while(|(letter, next)| is_letter(next) && next.start - letter.end <= WIDEST_GAP).count();
        let (letters, rest) = words.split_at(length);
        names_among(names, letters, spans);
        words = rest;
    }
}

fn is_letter(word: &Word<'_>) -> bool {
    word.letters && word.key.as_bytes().len() == 1
}

/// The names in a row of letters, the longest first.
fn names_among(names: &NameSet, mut letters: &[Word<'_>], spans: &mut Vec<Span>) {
    while letters.len() >= FEWEST_LETTERS {
        let mut key = Key::new();
        // As far as a key goes: no name is longer.
        let _ = letters.iter().all(|letter| key.push(letter.key.as_bytes()[0]));
        let long = |name: &&NameWord| name.key.as_bytes().len() >= FEWEST_LETTERS && name.is_lone();
        let Some(name) = names.beginnings_of(key.as_bytes()).find(long) else {
            letters = &letters[1..];
            continue;
        };
        let (spelled, rest) = letters.split_at(name.key.as_bytes().len());
        if let [first, .., last] = spelled {
            spans.push(Span::new(first.start, last.end, names.label(name.people()), Detector::Record, 0.9));
        }
        letters = rest;
    }
}
