//! Numbers of a record whose digits stand apart, or among letters.
//!
//! ```text
//! 7123456     ─▶  7 123 456 · 71.23.456 · 7:123:456       123-45-6789 ─▶  123.45.6789 · 123 / 45-6789 · 123:45:6789
//! 55901       ─▶  55901-2211
//! ```
//!
//! Measurements stand side by side in every note, and no run changes them. So only numbers are read across blanks that are long enough
//! not to be met by chance: `12 3 45` is not 12345, and the blood pressure 120/80 no postal code. From nine digits on it does not matter
//! what stands between them.

use super::shapes::{Candidate, Form, key};

/// The fewest digits that are read across what separates them.
const FEWEST: usize = 7;
/// From so many digits on it does not matter what separates them, and whether it is alike everywhere.
const SURE: usize = 9;
/// The most characters between two digits: `507 - 555`.
const LONGEST_GAP: usize = 3;
/// The digits of a postal code of the United States, and of what may follow it.
const ZIP: usize = 5;
const PLUS_FOUR: usize = 4;

/// A number to be looked for by its digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spelled {
    digits: Vec<u8>,
    /// That of the number as one that is written in a piece.
    pub key: u64,
}

impl Spelled {
    /// A value of a record, if it is a number that is long enough.
    pub fn of(value: &str) -> Option<Self> {
        let value = value.trim();
        let mut digits = digits_of(value)?;
        // The United States' own code may go before a telephone number, or not.
        if digits.len() == 11 && digits.first() == Some(&b'1') {
            digits.remove(0);
        }
        (digits.len() >= FEWEST).then(|| Self { digits, key: key(value) })
    }

    /// The postal code of a record, which four digits more may follow on either side.
    pub fn of_zip(value: &str) -> Option<Self> {
        let mut digits = digits_of(value)?;
        let is_zip = [ZIP, ZIP + PLUS_FOUR].contains(&digits.len());
        digits.truncate(ZIP);
        let key = key(std::str::from_utf8(&digits).ok()?);
        is_zip.then_some(Self { digits, key })
    }

    /// Where the number ends, if it stands at a digit.
    fn end_at(&self, text: &str, start: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let is_sure = self.digits.len() >= SURE;
        let mut at = start;
        let mut first_gap = None;
        for digit in &self.digits {
            if bytes.get(at) != Some(digit) {
                let gap = gap_at(text, at, is_sure)?;
                let alike = *first_gap.get_or_insert(gap) == gap || is_sure;
                if !alike || at == start || self.digits.len() < FEWEST {
                    return None;
                }
                at += gap.len();
            }
            if bytes.get(at) != Some(digit) {
                return None;
            }
            at += 1;
        }
        let goes_on = bytes.get(at).is_some_and(u8::is_ascii_digit);
        let fits = self.digits.len() >= FEWEST || is_plus_four(&bytes[at..]);
        (fits && !goes_on).then_some(at)
    }
}

/// Adds every number of a record that stands in a text, however its digits are separated.
pub(super) fn add_spelled(numbers: &[Spelled], text: &str, found: &mut Vec<Candidate>) {
    if numbers.is_empty() {
        return;
    }
    let mut is_inside = false;
    for (start, byte) in text.bytes().enumerate() {
        let is_digit = byte.is_ascii_digit();
        if is_digit && !is_inside {
            let begin = numbers.iter().filter(|number| number.digits.first() == Some(&byte));
            found.extend(begin.filter_map(|number| {
                let end = number.end_at(text, start)?;
                Some(Candidate { range: start..end, form: Form::Code, key: number.key })
            }));
        }
        is_inside = is_digit;
    }
}

/// The digits of a value without letters.
fn digits_of(value: &str) -> Option<Vec<u8>> {
    let is_number = !value.contains(|c: char| c.is_alphabetic() || c == '@');
    is_number.then(|| value.bytes().filter(u8::is_ascii_digit).collect())
}

/// The few blanks and marks at a place that may separate digits of one number: any, where so many digits are no chance.
fn gap_at(text: &str, at: usize, is_sure: bool) -> Option<&str> {
    let rest = text.get(at..)?;
    let is_gap = |character: char| separates(character) || is_sure && !character.is_alphanumeric();
    let end = rest.char_indices().take(LONGEST_GAP + 1).find(|(_, character)| !is_gap(*character))?.0;
    rest.get(..end).filter(|gap| !gap.is_empty())
}

fn separates(character: char) -> bool {
    match character {
        '.' | '-' | '/' | ':' | '_' | '\u{2010}'..='\u{2015}' => true,
        '\n' | '\r' => false,
        _ => character.is_whitespace(),
    }
}

/// Whether the four digits more of a postal code follow.
fn is_plus_four(rest: &[u8]) -> bool {
    let Some((b'-', rest)) = rest.split_first() else { return false };
    rest.iter().take_while(|byte| byte.is_ascii_digit()).count() == PLUS_FOUR
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found<'t>(value: &str, text: &'t str) -> Vec<&'t str> {
        let numbers: Vec<_> = Spelled::of(value).into_iter().chain(Spelled::of_zip(value)).collect();
        let mut all = Vec::new();
        add_spelled(&numbers, text, &mut all);
        all.into_iter().map(|one| &text[one.range]).collect()
    }

    #[test]
    fn numbers_with_their_digits_apart() {
        for (value, written) in [
            ("7123456", "7 123 456"),
            ("7123456", "71.23.456"),
            ("7-123-456", "71/23/456"),
            ("7123456", "7\u{a0}123\u{a0}456"),
            ("7123456", "7123456"),
            ("7123456", "7:123:456"),
            ("7123456", "71:23:45:6"),
            ("7-123-456", "7_123_456"),
            ("123-45-6789", "123.45.6789"),
            ("123456789", "123 / 45-6789"),
            ("(507) 555-0101", "507 / 555 / 0101"),
            ("+1 507 555 0101", "507.555-0101"),
            ("507-555-7462", "507:555:7462"),
            ("507-555-7462", "507_555_7462"),
            ("507-555-7462", "507, 555 | 7462"),
            ("507-555-7462", "507-555-\n7462"),
            ("123-45-6789", "123\u{b7}45\u{200b}6789"),
        ] {
            for text in [format!("MRN {written} today."), written.to_owned(), format!("A{written}_01")] {
                assert_eq!(found(value, &text), [written], "{value}: {text}");
            }
        }
        assert_eq!(found("55901", "MN 55901-2211"), ["55901"]);
        assert_eq!(found("55901-2211", "MN 55901-7788, 55901-2211"), ["55901", "55901-2211", "55901"]);
    }

    #[test]
    fn other_numbers_are_not() {
        for (value, text) in [
            ("7123456", "7 123.456, 7, 123, 456, 7 123 4567, 17 123 456, 7 123\n456, 7    123    456, 7:123.456"),
            ("507-555-7462", "507:555:74621, 507a555a7462, 507 :: 555 :: 7462, 1507:555:7462"),
            ("12345", "12-345, 12 345, 12.345 123/45, 12345-678, 12345-67890, 12345"),
            ("123456", "12 34 56, 12/34/56, 12:34:56"),
            ("AB-7123456", "7 123 456"),
            ("a7123456@b.example", "7123456"),
            ("", "0"),
        ] {
            assert!(found(value, text).is_empty(), "{value}: {:?}", found(value, text));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_safe(text in "\\PC{0,60}|[0-9 .\\-/\u{a0}]{0,60}") {
            found("121-2112", &text);
        }
    }
}
