//! Several telephone numbers in one value.
//!
//! ```text
//! 507-555-0101; 507-555-0102      507-555-0101 or 0102      (h) 507-555-0101 (c) 507-555-0102      cell 507-555-0101 Ann
//! ```
//!
//! Other words beside a number are names of their own.

use super::parts::{self, Part};
use crate::phi::Label;

/// Words that stand between numbers, and beside them.
const BESIDE: &[&str] = &[
    "and",
    "b",
    "beeper",
    "c",
    "cell",
    "daytime",
    "emergency",
    "evening",
    "extn",
    "f",
    "fax",
    "h",
    "home",
    "m",
    "mobile",
    "num",
    "number",
    "o",
    "office",
    "opt",
    "option",
    "or",
    "p",
    "pager",
    "ph",
    "phone",
    "tel",
    "telephone",
    "voicemail",
    "w",
    "work",
];

/// Words that belong to the number which they stand behind, and stay in it.
const EXTENSIONS: [&str; 4] = ["ext", "extension", "pin", "x"];

/// Digits of a number before a word that parts it from another at least, and before a mark or an unknown word that does.
const BEFORE_WORD: usize = 4;
const BEFORE_MARK: usize = 7;
/// Digits after a mere blank that parts two numbers at least.
const AFTER_BLANK: usize = 7;

/// A run of digits with what belongs to it.
struct Run {
    start: usize,
    end: usize,
    digits: usize,
}

/// The numbers of a value; nothing where it is one number and nothing else.
pub(super) fn parts(label: Label, value: &str) -> Option<Vec<Part<'_>>> {
    let mut left = value.bytes().filter(u8::is_ascii_digit).count();
    if left < BEFORE_WORD {
        return None;
    }
    let mut numbers: Vec<Run> = Vec::with_capacity(2);
    for (start, digits) in runs(value) {
        let end = start + digits;
        let parted = numbers.last().is_none_or(|number| are_parted(value, number, start, left));
        if let Some(number) = numbers.last_mut().filter(|_| !parted) {
            (number.end, number.digits) = (end, number.digits + digits);
        } else {
            numbers.push(Run { start, end, digits });
        }
        left -= digits;
    }
    // Unknown words that do not stand apart are part of the number beside them, and change with it.
    let (first, last) = (numbers.first()?, numbers.last()?);
    let (before, behind) = (value.get(..first.start)?, value.get(last.end..)?);
    let joins_first = !are_known(before) && first.digits < BEFORE_MARK || before.ends_with(char::is_alphabetic);
    let apart = last.digits >= BEFORE_MARK && stand_apart(behind);
    let joins_last = !are_known(behind) && !apart || behind.starts_with(char::is_alphabetic);
    if joins_first {
        numbers.first_mut()?.start = 0;
    }
    if joins_last {
        numbers.last_mut()?.end = value.len();
    }
    let words = |text: &str| text.contains(char::is_alphabetic);
    let whole = match numbers.as_slice() {
        [number] => !words(value.get(..number.start)?) && !words(value.get(number.end..)?),
        _ => false,
    };
    if whole {
        return None;
    }
    let mut found = Vec::with_capacity(numbers.len());
    let mut at = 0;
    for number in numbers {
        found.extend(parts::others(value, at..number.start, stays));
        found.push(Part { start: number.start, text: value.get(number.start..number.end)?, label });
        at = number.end;
    }
    found.extend(parts::others(value, at..value.len(), stays));
    Some(found)
}

/// Where digits begin, and how many there are.
fn runs(value: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + value.get(at..)?.find(|character: char| character.is_ascii_digit())?;
        let digits = value.get(start..)?.bytes().take_while(u8::is_ascii_digit).count();
        at = start + digits;
        Some((start, digits))
    })
}

/// Whether a number ends before the digits at `next`, with which `left` digits of the value are left.
fn are_parted(value: &str, number: &Run, next: usize, left: usize) -> bool {
    let gap = value.get(number.end..next).unwrap_or_default();
    if gap.contains(char::is_alphabetic) {
        let touches = gap.starts_with(char::is_alphabetic) || gap.ends_with(char::is_alphabetic);
        let are_others = number.digits >= BEFORE_MARK && stand_apart(gap);
        return number.digits >= BEFORE_WORD && !touches && (are_known(gap) || are_others);
    }
    if gap.contains([';', '|', '&', ',', '/']) {
        return number.digits >= BEFORE_MARK;
    }
    let whole = number.digits == 10 || number.digits == 11 && value[number.start..].starts_with('1');
    whole && left >= AFTER_BLANK && gap.contains(char::is_whitespace)
}

/// Whether all words of a text are known to stand beside numbers.
fn are_known(text: &str) -> bool {
    words_of(text).all(is_known)
}

fn is_known(word: &str) -> bool {
    BESIDE.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether words behind a number are none of it: `(Ann)`, but not `-FLOWERS` or `ext. 5`.
fn stand_apart(text: &str) -> bool {
    text.starts_with(|mark: char| mark.is_whitespace() || matches!(mark, ',' | ';' | ':' | '(' | ')' | '[' | '/'))
        && !words_of(text).any(is_extension)
}

fn is_extension(word: &str) -> bool {
    EXTENSIONS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether a word beside numbers is neither a part of one nor a name.
fn stays(word: &str) -> bool {
    is_known(word) || is_extension(word)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(value: &str) -> Vec<&str> {
        parts(Label::Phone, value).unwrap_or_default().iter().map(|part| part.text).collect()
    }

    #[test]
    fn numbers_of_one_value_are_parted() {
        for (value, found) in [
            ("507-555-0101; 507-555-0102", vec!["507-555-0101", "507-555-0102"]),
            ("507-555-0101, (507) 555-0102", vec!["507-555-0101", "507) 555-0102"]),
            ("507-555-0101 or 0102", vec!["507-555-0101", "0102"]),
            ("507-555-0101/0102", vec!["507-555-0101", "0102"]),
            ("(507) 555-0101 (507) 555-0102", vec!["507) 555-0101", "507) 555-0102"]),
            ("1-507-555-0101 507-555-0102", vec!["1-507-555-0101", "507-555-0102"]),
            ("507-555-0101 ext. 5, 507-555-0102", vec!["507-555-0101 ext. 5", "507-555-0102"]),
            ("(h) 507-555-0101 (c) 507-555-0102", vec!["507-555-0101", "507-555-0102"]),
            ("home: 555-0101, cell: 555-0102 (Ann)", vec!["555-0101", "555-0102", "Ann"]),
            ("cell 555-0142 Bob O'Hara", vec!["555-0142", "Bob O'Hara"]),
            ("Bob 555-0142 cell, Ann Lee: 555-0143", vec!["Bob", "555-0142", "Ann Lee", "555-0143"]),
            ("555-0142 Bob (home) ask for Ann", vec!["555-0142", "Bob", "ask for Ann"]),
            ("617-555-0123 option 3", vec!["617-555-0123", "3"]),
            ("507-555-0101 (h)", vec!["507-555-0101"]),
        ] {
            assert_eq!(numbers(value), found, "{value}");
        }
    }

    #[test]
    fn one_number_is_one() {
        for value in [
            "(507) 555-0101",
            "507-555-0101 x12",
            "507-555-0101, ext 12",
            "507-555-\n0101",
            "030/901820",
            "+44 (0)20 7946 0958",
            "0044 20 7946 0958",
            "+91 98765 43210",
            "001 507 555 0101",
            "617-555-0123 #4567",
            "617-555-0123 pin 3",
            "1-888-555-FLOW",
            "1-800-FLOWERS",
            "617-KL5-1234",
            "911",
            "",
        ] {
            assert_eq!(numbers(value), Vec::<&str>::new(), "{value}");
        }
    }
}
