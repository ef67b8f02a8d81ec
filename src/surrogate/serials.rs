//! Several social security numbers in one value, or one with words that are none of it.
//!
//! ```text
//! 123-45-6789 / 987-65-4321      123-45-6789 or 4321      123-45-6789 (spouse Ann)      123-45-6789 and
//! ```

use super::markers::letters_and_digits;
use super::parts::{self, Part};
use crate::phi::Label;

/// The forms of a number: `9` is a digit, `a` a digit or a letter of a mask. The last four digits stand for one beside a whole one.
const FORMS: [&[u8]; 5] = [b"aaa-aa-9999", b"aaa aa 9999", b"aaa.aa.9999", b"aaaaa9999", LAST_FOUR];
const LAST_FOUR: &[u8] = b"9999";

/// Words that stand between numbers, and beside them.
const BESIDE: [&str; 13] =
    ["and", "four", "last", "no", "number", "numbers", "or", "security", "social", "ss", "ssn", "ssns", "x"];

/// The numbers of a value with what else stands there; nothing where it is one number, perhaps with a word that stays beside any.
pub(super) fn parts(value: &str) -> Option<Vec<Part<'_>>> {
    let mut numbers: Vec<Part> = Vec::new();
    let (mut at, mut whole) = (0, false);
    while at < value.len() {
        let form = FORMS.iter().find(|form| is_number(value.as_bytes(), at, form));
        let number = form.and_then(|form| value.get(at..at + form.len()));
        if let Some(text) = number {
            whole |= text.len() > LAST_FOUR.len();
            numbers.push(Part { start: at, text, label: Label::Ssn });
        }
        at += number.map_or(1, str::len);
    }
    if numbers.is_empty() {
        return None;
    }
    let is_known = |word: &str| BESIDE.iter().any(|known| word.eq_ignore_ascii_case(known));
    let mut found = Vec::with_capacity(numbers.len());
    let mut start = 0;
    for number in numbers {
        found.extend(parts::others(value, start..number.start, is_known));
        start = number.start + number.text.len();
        found.push(number);
    }
    found.extend(parts::others(value, start..value.len(), is_known));
    match found.as_slice() {
        // `123-45-6789 and`, `last four 6789`
        [number] => has_more(value, number.text).then_some(found),
        _ => whole.then_some(found),
    }
}

/// Whether letters or digits of a value are none of its number, nor of a word that is no part of any.
fn has_more(value: &str, number: &str) -> bool {
    letters_and_digits(value.as_bytes()).len() > letters_and_digits(number.as_bytes()).len()
}

/// Whether a number of a form stands at a place, and nothing goes on before it or after it.
fn is_number(bytes: &[u8], start: usize, form: &[u8]) -> bool {
    let Some(text) = bytes.get(start..start + form.len()) else { return false };
    let is_masked = text.first().is_some_and(|first| !first.is_ascii_digit());
    let fits = |(form, byte): (&u8, &u8)| match form {
        b'a' if is_masked => matches!(byte, b'x' | b'X' | b'*'),
        b'a' | b'9' => byte.is_ascii_digit(),
        mark => byte == mark,
    };
    let goes_on = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'*');
    let joins = |mark: Option<&u8>, next: Option<&u8>| matches!(mark, Some(b'-' | b'.')) && goes_on(next);
    let before = |distance: usize| start.checked_sub(distance).and_then(|at| bytes.get(at));
    let end = start + form.len();
    let free = !goes_on(before(1))
        && !joins(before(1), before(2))
        && !goes_on(bytes.get(end))
        && !joins(bytes.get(end), bytes.get(end + 1));
    free && form.iter().zip(text).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_one_value_are_parted() {
        use crate::phi::Label::{IdNum, Patient, Ssn};
        for (value, found) in [
            ("123-45-6789 / 987-65-4321", vec![(Ssn, "123-45-6789"), (Ssn, "987-65-4321")]),
            ("123-45-6789/987654321", vec![(Ssn, "123-45-6789"), (Ssn, "987654321")]),
            ("SSN 123-45-6789 or 4321", vec![(Ssn, "123-45-6789"), (Ssn, "4321")]),
            ("XXX-XX-6789, ***-**-4321.", vec![(Ssn, "XXX-XX-6789"), (Ssn, "***-**-4321")]),
            ("123-45-6789 (spouse Ann)", vec![(Ssn, "123-45-6789"), (Patient, "spouse Ann")]),
            ("123 45 6789, 12B", vec![(Ssn, "123 45 6789"), (IdNum, "12B")]),
            ("123-45-6789 and", vec![(Ssn, "123-45-6789")]),
            ("123-45-6789 or", vec![(Ssn, "123-45-6789")]),
            ("Social Security No. 123-45-6789", vec![(Ssn, "123-45-6789")]),
            ("and XXX-XX-6789", vec![(Ssn, "XXX-XX-6789")]),
            ("last four 6789", vec![(Ssn, "6789")]),
        ] {
            assert_eq!(parts::labelled(value, parts(value)), found, "{value}");
        }
        for value in [
            "123-45-6789",
            "SSN: 123-45-6789",
            "6789",
            "6789 Ann",
            "and Ann",
            "1234567 and",
            "123-45-6789-1",
            "12345 6789",
            "é",
            "",
        ] {
            assert!(parts(value).is_none(), "{value}");
        }
    }
}
