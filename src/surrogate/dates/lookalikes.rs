//! Letters that a scan has put for digits, and digits for letters of months.
//!
//! ```text
//! O3/l2/2O19 ─read─▶ 03/12/2019 ─shift─▶ 10/01/2019 ─write─▶ 1O/0l/2019, letters where the same digit stands at their place
//! ```

use std::ops::Range;

use super::calendar::{FULL, MONTHS, SHORT};

/// More digits than any group of a date has.
const MOST_DIGITS: usize = 14;

/// The text with such letters read as digits, byte for byte; nothing where it has none.
pub(super) fn read(text: &str) -> Option<String> {
    let in_word =
        |pair: &[u8]| matches!(pair, [b'0' | b'1', letter] | [letter, b'0' | b'1'] if letter.is_ascii_alphabetic());
    if !text.bytes().any(|byte| digit_like(byte).is_some()) && !text.as_bytes().windows(2).any(in_word) {
        return None;
    }
    let mut read = text.as_bytes().to_vec();
    for group in groups(text, char::is_alphanumeric) {
        if let Some(month) = month_with_digits(&text.as_bytes()[group.clone()]) {
            read[group].copy_from_slice(&month);
        } else if is_number(text, &group) {
            read[group].iter_mut().for_each(|byte| *byte = digit_like(*byte).unwrap_or(*byte));
        }
    }
    String::from_utf8(read).ok().filter(|read| read != text)
}

/// A month in which a scan has put digits for letters: `0CT`, `Ju1y`, `Apr1l`.
fn month_with_digits(word: &[u8]) -> Option<Vec<u8>> {
    let has_letters = word.iter().any(u8::is_ascii_alphabetic);
    if !has_letters || !word.iter().any(|byte| matches!(byte, b'0' | b'1')) || !word.is_ascii() {
        return None;
    }
    let is_month = |word: &[u8]| {
        [FULL, SHORT].iter().any(|&row| MONTHS[row].iter().any(|month| month.as_bytes().eq_ignore_ascii_case(word)))
    };
    let is_upper = word.iter().filter(|byte| byte.is_ascii_uppercase()).count() > 1;
    let cased = |at: usize, letter: u8| if is_upper || at == 0 { letter.to_ascii_uppercase() } else { letter };
    [b'l', b'i'].into_iter().find_map(|one| {
        let letter = |(at, byte): (usize, &u8)| match byte {
            b'0' => cased(at, b'o'),
            b'1' => cased(at, one),
            letter => *letter,
        };
        Some(word.iter().enumerate().map(letter).collect::<Vec<u8>>()).filter(|word| is_month(word))
    })
}

/// What stands for a text that was read so, with the letters of the text where they are the digits of their places.
pub(super) fn write(text: &str, read: &str, moved: String) -> String {
    let [old, new] = [read, &moved].map(|text| groups(text, |character| character.is_ascii_digit()));
    if old.len() != new.len() {
        return moved;
    }
    let mut written = moved.as_bytes().to_vec();
    for (old, new) in old.into_iter().zip(new).filter(|(old, new)| old.len() == new.len()) {
        for (letter, digit) in text.as_bytes()[old].iter().zip(&mut written[new]) {
            if digit_like(*letter) == Some(*digit) {
                *digit = *letter;
            }
        }
    }
    String::from_utf8(written).unwrap_or(moved)
}

const fn digit_like(byte: u8) -> Option<u8> {
    match byte {
        b'O' | b'o' => Some(b'0'),
        b'l' | b'I' => Some(b'1'),
        _ => None,
    }
}

fn groups(text: &str, is_of_one: fn(char) -> bool) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (at, character) in text.char_indices().filter(|(_, character)| is_of_one(*character)) {
        let end = at + character.len_utf8();
        match groups.last_mut().filter(|group| group.end == at) {
            Some(group) => group.end = end,
            None => groups.push(at..end),
        }
    }
    groups
}

/// Whether a group is a number with such letters: one digit at least, or a day or month between strokes. `1o de março` is an ordinal,
/// and `4/I/2019` has a numeral of its own.
fn is_number(text: &str, group: &Range<usize>) -> bool {
    let bytes = &text.as_bytes()[group.clone()];
    let like = bytes.iter().all(|byte| byte.is_ascii_digit() || digit_like(*byte).is_some());
    let joins = |byte: Option<u8>| byte.is_some_and(|byte| matches!(byte, b'/' | b'-' | b'.'));
    let beside = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at).copied());
    let joined = joins(beside(group.start.checked_sub(1))) || joins(beside(Some(group.end)));
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let parts = text.bytes().filter(|byte| *byte == b'/').count();
    like && bytes.len() <= MOST_DIGITS
        && match digits {
            0 if parts == 0 => false,
            0 => joined && (bytes == b"l" || bytes.len() == 2 && bytes != b"II"),
            _ => joined || bytes != b"1o",
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_in_numbers_are_digits() {
        for (text, digits) in [
            ("O3/l2/2O19", "03/12/2019"),
            ("03/O4/2019", "03/04/2019"),
            ("lO/12/2019", "10/12/2019"),
            ("lO/2", "10/2"),
            ("7/l", "7/1"),
            ("l/28/25", "1/28/25"),
            ("March l4, 2Ol9", "March 14, 2019"),
            ("2O19-O3-O4", "2019-03-04"),
            ("0CT l4 2O16", "OCT 14 2016"),
            ("Ju1y 4, 2019", "July 4, 2019"),
            ("4 Apr1l", "4 April"),
            ("0ctober 4", "October 4"),
        ] {
            assert_eq!(read(text).as_deref(), Some(digits));
        }
        for text in ["3/4/2019", "October 4", "1o de março", "4/I/2019", "14/II/2019", "Ol", "FALL"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn letters_come_back_where_their_digits_do() {
        let written = |text: &str, moved: &str| write(text, &read(text).unwrap(), moved.to_owned());
        assert_eq!(written("O3/l2/2O19", "01/19/2020"), "O1/l9/2O20");
        assert_eq!(written("O3/l2/2O19", "10/02/2019"), "10/02/2O19");
        assert_eq!(written("O3/4/2019", "September 4"), "September 4");
    }
}
