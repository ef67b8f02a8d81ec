//! Given names of two syllables with a small letter after the hyphen, as Korean and Chinese ones are written: `Sung-min`, `Kim Soon-ja`.

use super::super::found::Found;
use super::super::people::{add, label_near};
use super::super::plausible::Likeness;
use super::super::words::{Gap, Shape, Words};
use crate::detect::boundaries::is_joined_given;

/// So many bear a surname that stands before such a given name.
const BEARERS: u32 = 1_000;

/// Adds such names, with the surname on either side.
pub(super) fn detect(words: &Words, found: &mut Found) {
    for index in 1..words.list.len() {
        let second = &words.list[index];
        let joined = second.gap == Gap::Hyphen
            && second.shape == Shape::Lower
            && words.list[index - 1].shape == Shape::Capital
            && is_joined_given(words.text(index - 1), words.text(index))
            && !words.between_after(index).starts_with(['-', '\'']);
        if joined {
            let first = index - 1 - usize::from(is_surname_before(words, index - 1));
            let last = index + usize::from(is_surname_behind(words, index + 1));
            add(words, first, last, label_near(words, index), 0.8, found);
        }
    }
}

/// `Kim Soon-ja`: a surname before the given name.
fn is_surname_before(words: &Words, given: usize) -> bool {
    given.checked_sub(1).is_some_and(|before| {
        let word = &words.list[before];
        words.between(given) == " "
            && word.shape == Shape::Capital
            && word.marker.is_none()
            && word.info.surname_count >= BEARERS
            && words.likeness_at(before) >= Likeness::Namesake
    })
}

/// `Hyun-sook Baek`: a surname behind the given name.
fn is_surname_behind(words: &Words, index: usize) -> bool {
    words.get(index).is_some_and(|word| {
        words.between(index) == " "
            && word.shape == Shape::Capital
            && word.marker.is_none()
            && words.likeness_at(index) >= Likeness::Unknown
    })
}

#[cfg(test)]
mod tests {
    use crate::detect::dictionary::people::tests::people;

    #[test]
    fn given_names_of_two_syllables() {
        for (sentence, name) in [
            ("paging Sung-min in ID now", "Sung-min"),
            ("Called recip Hyun-sook Baek at noon", "Hyun-sook Baek"),
            ("Mrs. Kim Soon-ja returns today", "Kim Soon-ja"),
            ("Pupil: Seo-yeon, grade 2", "Seo-yeon"),
            ("her aunt Mei-ling is here", "Mei-ling"),
        ] {
            assert_eq!(people(sentence), [name], "{sentence}");
        }
    }

    #[test]
    fn other_words_with_hyphens() {
        for sentence in ["does tai-chi at home", "a Long-term plan", "Sun-dried fruit", "Mu-opioid agonist"] {
            assert_eq!(people(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
