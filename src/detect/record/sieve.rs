//! Which beginnings of three letters a set of words has.
//!
//! ```text
//! okafor, ngozi ─▶ bits of "oka", "ngo"      okay: perhaps      oak: no
//! ```
//!
//! Of a hundred words it lets one in twenty others through, so most words of a note cost one look at it.

/// A bit for the first three bytes of each of some words.
#[derive(Debug, Default)]
pub(super) struct Beginnings([u64; 32]);

impl Beginnings {
    /// Takes in the beginning of a word; a word of fewer than three bytes has none.
    pub(super) fn insert(&mut self, word: &[u8]) {
        if let Some(place) = place(word) {
            self.0[place / 64] |= 1 << (place % 64);
        }
    }

    /// Whether a word that begins so may have been taken in: never no where one was, and no for fewer than three bytes.
    #[inline]
    pub(super) fn may_hold(&self, word: &[u8]) -> bool {
        place(word).is_some_and(|place| self.0[place / 64] >> (place % 64) & 1 != 0)
    }
}

#[inline]
fn place(word: &[u8]) -> Option<usize> {
    let [first, second, third, ..] = *word else { return None };
    let three = u32::from_be_bytes([0, first, second, third]);
    Some((three.wrapping_mul(0x9E37_79B1) >> 21) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn most_other_words_are_turned_away() {
        let mut beginnings = Beginnings::default();
        ["okafor", "ngozi", "strong"].iter().for_each(|word| beginnings.insert(word.as_bytes()));
        let words = ["the", "patient", "pain", "okay", "stable", "was", "seen", "ok", "o", ""];
        let let_through = words.iter().filter(|word| beginnings.may_hold(word.as_bytes())).count();
        assert!(let_through <= 1, "{let_through}");
    }

    proptest! {
        #[test]
        fn a_word_that_begins_as_one_taken_in_is_never_refused(
            words in prop::collection::vec("[a-z]{3,8}", 1..20), rest in "[a-z]{0,4}"
        ) {
            let mut beginnings = Beginnings::default();
            words.iter().for_each(|word| beginnings.insert(word.as_bytes()));
            for word in &words {
                let other = [&word[..3], &rest].concat();
                prop_assert!(beginnings.may_hold(other.as_bytes()));
            }
        }
    }
}
