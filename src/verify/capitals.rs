//! A word cut where capitals or digits tell that another one begins.
//!
//! ```text
//! DrSmith ─▶ Dr · Smith        JSmith2 ─▶ J · Smith · 2        SMITH ─▶ SMITH
//! ```

use std::ops::Range;

/// What a character is to the cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Small,
    Capital,
    Digit,
    /// An apostrophe, or a letter of a script without capitals.
    Other,
}

impl Sort {
    fn of(character: char) -> Self {
        match character {
            _ if character.is_lowercase() => Self::Small,
            _ if character.is_uppercase() => Self::Capital,
            _ if character.is_ascii_digit() => Self::Digit,
            _ => Self::Other,
        }
    }
}

/// Whether a word may have several parts; most have not, and that is told by one look at their bytes.
pub(super) fn may_have_parts(word: &str) -> bool {
    let (mut digit, mut letter, mut small, mut capital) = (false, false, false, false);
    for (at, byte) in word.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => digit = true,
            b'a'..=b'z' => (letter, small) = (true, true),
            // It may be a letter of either kind.
            0x80.. => (letter, small, capital) = (true, true, true),
            b'A'..=b'Z' => (letter, capital) = (true, capital || at > 0),
            _ => {}
        }
    }
    letter && digit || small && capital
}

/// The parts of a word, in order: where each stands.
pub(super) fn parts(word: &str) -> Vec<Range<usize>> {
    let sorts: Vec<(usize, Sort)> = word.char_indices().map(|(at, character)| (at, Sort::of(character))).collect();
    let mut found = Vec::new();
    let mut start = 0;
    for (place, pair) in sorts.windows(2).enumerate() {
        let begins = match (pair[0].1, pair[1].1) {
            (Sort::Small, Sort::Capital) => true,
            // The last of several capitals belongs to what follows: `MDSmith`.
            (Sort::Capital, Sort::Capital) => sorts.get(place + 2).is_some_and(|next| next.1 == Sort::Small),
            (Sort::Digit, Sort::Small | Sort::Capital) | (Sort::Small | Sort::Capital, Sort::Digit) => true,
            _ => false,
        };
        if begins {
            found.push(start..pair[1].0);
            start = pair[1].0;
        }
    }
    found.push(start..word.len());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(word: &str) -> Vec<&str> {
        parts(word).into_iter().map(|part| &word[part]).collect()
    }

    #[test]
    fn capitals_and_digits_cut_words() {
        for (word, expected) in [
            ("DrSmith", &["Dr", "Smith"][..]),
            ("SmithMD", &["Smith", "MD"]),
            ("MDSmith", &["MD", "Smith"]),
            ("JSmith2", &["J", "Smith", "2"]),
            ("2smith99", &["2", "smith", "99"]),
            ("MuñozÉlan", &["Muñoz", "Élan"]),
            ("Smith", &["Smith"]),
            ("SMITH", &["SMITH"]),
            ("O’Brien", &["O’Brien"]),
            ("12345", &["12345"]),
        ] {
            assert_eq!(cut(word), expected, "{word}");
            assert!(may_have_parts(word) || expected.len() == 1, "{word}");
        }
        assert!(["Smith", "SMITH", "smith", "12345", ""].into_iter().all(|word| !may_have_parts(word)));
    }

    proptest! {
        #[test]
        fn parts_joined_are_the_word(word in "\\PC{0,20}|[A-Za-z0-9é’]{0,20}") {
            prop_assert_eq!(cut(&word).concat(), word.clone());
            prop_assert!(may_have_parts(&word) || cut(&word).len() == 1 || !word.is_ascii());
        }
    }
}
