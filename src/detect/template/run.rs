//! What a slot of a template can hold: one unbroken run of characters of a class.
//!
//! ```text
//! W  \p{Alphabetic}+                                                      DEWEY   Muñoz   Жуков
//! N  [0-9]+                                                               7       2019
//! A  (?:\p{Alphabetic}+[0-9]|[0-9]+\p{Alphabetic})[\p{Alphabetic}0-9]*    K7      12B4
//! ```
//!
//! A run takes all that it can. The regular expressions never take less where a text that is no part of the run follows, and
//! other forms are not read as runs: so the two mean the same.

use std::sync::LazyLock;

use regex::Regex;

/// One kind of run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Run {
    /// Letters of any script.
    Letters,
    /// ASCII digits.
    Digits,
    /// Letters and ASCII digits, at least one of each.
    Mixed,
    /// At most four ASCII digits: hours, minutes, years. Clock times are kept under every policy and years under some, so that a
    /// slot for them must not take in a longer number.
    ShortDigits,
    /// Decimal digits of any script, in hand-written templates.
    AnyDigits,
    /// Letters of the ASCII alphabet, in hand-written templates.
    AsciiLetters,
    /// Its capitals, in hand-written templates.
    AsciiCapitals,
    /// At most two ASCII digits: the hours and minutes of a clock time of several numbers, which together must not take in a telephone number.
    ClockDigits,
}

impl Run {
    /// Every run with the regular expression that means the same.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Letters, r"\p{Alphabetic}+"),
        (Self::Digits, "[0-9]+"),
        (Self::Mixed, r"(?:\p{Alphabetic}+[0-9]|[0-9]+\p{Alphabetic})[\p{Alphabetic}0-9]*"),
        (Self::ShortDigits, "[0-9]{1,4}"),
        (Self::AnyDigits, r"\d+"),
        (Self::AsciiLetters, "[A-Za-z]+"),
        (Self::AsciiCapitals, "[A-Z]+"),
        (Self::ClockDigits, "[0-9]{1,2}"),
    ];

    /// The regular expression that means the same.
    pub fn expression(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Whether the character can be part of the run.
    #[inline]
    pub fn contains(self, character: char) -> bool {
        match self {
            Self::Letters => is_letter(character),
            Self::Digits | Self::ShortDigits | Self::ClockDigits => character.is_ascii_digit(),
            Self::Mixed => is_letter(character) || character.is_ascii_digit(),
            Self::AnyDigits => character.is_ascii_digit() || (!character.is_ascii() && is_digit_elsewhere(character)),
            Self::AsciiLetters => character.is_ascii_alphabetic(),
            Self::AsciiCapitals => character.is_ascii_uppercase(),
        }
    }

    /// Where the run that begins at `at` ends; none where there is none. `at` must be on a character boundary.
    #[inline]
    pub fn end(self, sentence: &str, at: usize) -> Option<usize> {
        let rest = &sentence[at..];
        let length = rest
            .char_indices()
            .find(|&(_, character)| !self.contains(character))
            .map_or(rest.len(), |(length, _)| length);
        let run = &rest[..length];
        let fits = match self {
            Self::Mixed => {
                run.bytes().any(|byte| byte.is_ascii_digit()) && run.bytes().any(|byte| !byte.is_ascii_digit())
            }
            Self::ShortDigits => (1..=4).contains(&length),
            Self::ClockDigits => (1..=2).contains(&length),
            _ => length > 0,
        };
        fits.then_some(at + length)
    }

    /// Whether no character can be part of both.
    pub const fn is_apart_from(self, other: Self) -> bool {
        const fn is_of_digits(run: Run) -> bool {
            matches!(run, Run::Digits | Run::ShortDigits | Run::ClockDigits | Run::AnyDigits)
        }
        !matches!(self, Self::Mixed) && !matches!(other, Self::Mixed) && is_of_digits(self) != is_of_digits(other)
    }
}

/// Whether a character is a letter to regular expressions. The standard library may know another version of Unicode, so beyond
/// ASCII they are asked, once for all characters.
#[inline]
fn is_letter(character: char) -> bool {
    static LETTERS: LazyLock<Box<[u64]>> = LazyLock::new(letters);
    match character.is_ascii() {
        true => character.is_ascii_alphabetic(),
        false => LETTERS[character as usize / 64] >> (character as usize % 64) & 1 == 1,
    }
}

/// A bit for each code point.
fn letters() -> Box<[u64]> {
    let all: String = (char::MIN..=char::MAX).collect();
    let letters = Regex::new(r"\p{Alphabetic}+").expect("the expression is valid");
    let mut bits = vec![0; (char::MAX as usize + 1).div_ceil(64)];
    for letter in letters.find_iter(&all).flat_map(|found| found.as_str().chars()) {
        bits[letter as usize / 64] |= 1 << (letter as usize % 64);
    }
    bits.into()
}

/// Whether a character beyond ASCII is a decimal digit, which the standard library does not tell from other numerals.
fn is_digit_elsewhere(character: char) -> bool {
    static DIGIT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\d$").expect("the expression is valid"));
    character.is_numeric() && DIGIT.is_match(character.encode_utf8(&mut [0; 4]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_those_of_the_expression() {
        let all: String = (char::MIN..=char::MAX).collect();
        for (number, (run, expression)) in Run::ALL.into_iter().enumerate() {
            assert_eq!(run as usize, number);
            let class = match run {
                Run::Mixed => r"[\p{Alphabetic}0-9]",
                Run::ShortDigits | Run::ClockDigits => "[0-9]",
                _ => expression.trim_end_matches('+'),
            };
            let by_expression: String =
                Regex::new(class).unwrap().find_iter(&all).map(|found| found.as_str()).collect();
            let by_run: String = all.chars().filter(|&character| run.contains(character)).collect();
            assert!(by_run == by_expression, "{run:?}");
        }
    }

    #[test]
    fn runs_apart_share_no_character() {
        for (one, _) in Run::ALL {
            for (other, _) in Run::ALL {
                let shared =
                    (char::MIN..=char::MAX).any(|character| one.contains(character) && other.contains(character));
                assert!(!(one.is_apart_from(other) && shared), "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn runs_end_where_the_expression_ends() {
        let texts = ["Ab1-", "12", "a", "1a", "12345", "1234.", "é9x", "٣4", "-", "", "AbC", "ABé", "ⅷ1", "²"];
        for (run, expression) in Run::ALL {
            let expression = Regex::new(&format!("^(?:{expression})$")).unwrap();
            for text in texts {
                assert_eq!(
                    run.end(text, 0) == Some(text.len()) && !text.is_empty(),
                    expression.is_match(text),
                    "{run:?} {text}"
                );
            }
        }
    }
}
