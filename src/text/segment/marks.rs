//! Whether a full stop, a question or an exclamation mark ends a sentence.
//!
//! ```text
//! "Seen by Dr. Lee on 3. 4. 2019. ? PE (see Fig. 2.) She left."
//!            ╵          ╵  ╵    │ ╵           ╵   │         │
//!          title       a date  end query   number end      end
//! ```
//!
//! A mark ends a sentence if, after closing quotes and brackets, white space and something that can begin another follow it, and if
//! the stop is not part of a word. Everything is read in the line of the mark, at most some dozens of bytes away from it.

use std::ops::Range;

use super::words::Word;

/// A run of closing marks longer than this ends no sentence: it is a rule drawn with marks.
const MOST_CLOSING: usize = 32;
/// A longer word is no abbreviation, even with stops inside: `www.site.org`.
const LONGEST_ABBREVIATION: usize = 8;
/// The number of a list item has no more digits.
const LIST_DIGITS: usize = 3;

/// Where the sentence ends if the mark at `at` ends it: after closing quotes and brackets. `floor` is where the line or the sentence
/// begins, whichever is later; nothing before it is read.
pub(super) fn end_after(text: &str, floor: usize, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let end = past_closing(bytes, at + 1);
    let next = past_blanks(bytes, end);
    if next == end || !begins(text, next) {
        return None;
    }
    let goes_on = match bytes[at] {
        b'.' => bytes[at + 1..end].iter().all(|byte| !is_mark(*byte)) && belongs_to_word(text, floor, at, next),
        // `? PE` asks for a finding.
        b'?' => end == at + 1 && (at == floor || is_blank(bytes[at - 1])),
        _ => false,
    };
    (!goes_on).then_some(end)
}

/// Whether the stop at `at` belongs to the word before it: an abbreviation, an initial, a list number, a part of a date. What follows
/// begins at `next`; nothing before `floor` is read.
pub(super) fn belongs_to_word(text: &str, floor: usize, at: usize, next: usize) -> bool {
    let bytes = text.as_bytes();
    let start = word_before(text, floor, at);
    let word = &bytes[start..at];
    if word.is_empty() {
        return is_between_digits(bytes, floor, at, next);
    }
    if word.iter().all(u8::is_ascii_digit) {
        return is_list_number(text, floor, start..at) || is_in_date(bytes, floor, start..at, next);
    }
    if let Some(only) = only_character(&text[start..at]) {
        return match only {
            'b' | 'd' => true,
            _ if only.is_uppercase() => !opens(bytes, next),
            _ => is_list_number(text, floor, start..at),
        };
    }
    if word.len() > LONGEST_ABBREVIATION {
        return false;
    }
    if word.contains(&b'.') {
        return !opens(bytes, next);
    }
    let known = Word::of(word);
    known.is(Word::TITLE)
        || known.is(Word::STATE) && word[0].is_ascii_uppercase() && is_postal_code(letters_and_digits(bytes, next))
        || known.is(Word::ABBREVIATION) && !opens(bytes, next) && !is_pronoun(letters_and_digits(bytes, next))
}

/// Whether a word is the five digits of a postal code of the United States.
fn is_postal_code(word: &[u8]) -> bool {
    word.len() == 5 && word.iter().all(u8::is_ascii_digit)
}

/// Whether a byte is one of the marks that may end a sentence.
#[inline]
pub(super) const fn is_mark(byte: u8) -> bool {
    matches!(byte, b'.' | b'?' | b'!')
}

/// Whether a byte is white space inside a line.
#[inline]
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Past the marks, quotes and brackets that close a sentence.
fn past_closing(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    for _ in 0..MOST_CLOSING {
        match &bytes[at..] {
            [b'.' | b'?' | b'!' | b'"' | b'\'' | b')' | b']', ..] => at += 1,
            // ” and ’
            [0xE2, 0x80, 0x9D | 0x99, ..] => at += 3,
            _ => break,
        }
    }
    at
}

/// Past the blanks of a line, those of web pages included.
fn past_blanks(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        match &bytes[at..] {
            [b' ' | b'\t', ..] => at += 1,
            [0xC2, 0xA0, ..] => at += 2,
            _ => return at,
        }
    }
}

/// Whether what stands at `at` can begin a sentence.
fn begins(text: &str, at: usize) -> bool {
    match text.as_bytes().get(at) {
        None => false,
        Some(byte) if byte.is_ascii() => {
            byte.is_ascii_uppercase()
                || byte.is_ascii_digit()
                || matches!(byte, b'"' | b'(' | b'[' | b'-' | b'*' | b'_' | b'#')
                // A query for a finding: `Stable. ? PE`.
                || *byte == b'?' && text.as_bytes().get(at + 1).is_some_and(|byte| is_blank(*byte))
        }
        Some(_) => text[at..].chars().next().is_some_and(|character| {
            character.is_uppercase() || character.is_numeric() || matches!(character, '“' | '‘' | '«' | '¿' | '¡' | '•')
        }),
    }
}

/// Where the letters, digits and stops before `at` begin; a word that is too long to matter is cut short.
pub(super) fn word_before(text: &str, floor: usize, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut start = at;
    while start > floor && at - start <= LONGEST_ABBREVIATION {
        let byte = bytes[start - 1];
        if byte.is_ascii_alphanumeric() || byte == b'.' {
            start -= 1;
        } else if byte.is_ascii() {
            break;
        } else {
            match text[floor..start].chars().next_back().filter(|character| character.is_alphanumeric()) {
                Some(character) => start -= character.len_utf8(),
                None => break,
            }
        }
    }
    start
}

fn only_character(word: &str) -> Option<char> {
    let mut characters = word.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// The word at `at`, as far as a listed one can reach.
fn letters_and_digits(bytes: &[u8], at: usize) -> &[u8] {
    let rest = &bytes[at..bytes.len().min(at + 17)];
    let length = rest.iter().position(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
    &rest[..length]
}

fn opens(bytes: &[u8], next: usize) -> bool {
    bytes.get(next).is_some_and(u8::is_ascii_uppercase) && Word::of(letters_and_digits(bytes, next)).is(Word::OPENER)
}

fn is_pronoun(word: &[u8]) -> bool {
    matches!(word, [b'A'..=b'Z', b'a'..=b'z', ..]) && Word::of(word).is(Word::PRONOUN)
}

/// Whether a number or letter stands where that of a list item does: at the beginning of a line or a sentence, after a stop, a colon
/// or a wide gap.
fn is_list_number(text: &str, floor: usize, number: Range<usize>) -> bool {
    let bytes = text.as_bytes();
    if number.len() > LIST_DIGITS {
        return false;
    }
    let before = bytes[floor..number.start].trim_ascii_end();
    let end = floor + before.len();
    let gap = number.start - end;
    match before.last() {
        None => true,
        Some(_) if gap > 1 => true,
        // `Problems: 1. Asthma`, but not `Score: 7. Better.`
        Some(b':') => gap > 0 && &bytes[number] == b"1",
        // `Take daily. 2. Zinc`, but not `Seen on Nov. 18. Better.`
        Some(b'.') => {
            let word = &bytes[word_before(text, floor, end - 1)..end - 1];
            gap > 0 && !Word::of(word).is(Word::TITLE) && !Word::of(word).is(Word::ABBREVIATION)
        }
        Some(b'?' | b'!' | b';' | b'-' | b'*' | b'#') => gap > 0,
        Some(_) => false,
    }
}

/// Whether a stop that stands apart joins two numbers: `800 . 555 . 0128`, `4 . 17 . 22`.
fn is_between_digits(bytes: &[u8], floor: usize, at: usize, next: usize) -> bool {
    matches!(bytes[floor..at], [.., before, b' '] if before.is_ascii_digit())
        && next == at + 2
        && bytes[next].is_ascii_digit()
}

/// Whether the number of a day or month has the rest of its date near it: `3. 4. 2019`, `3. March 1956`.
fn is_in_date(bytes: &[u8], floor: usize, number: Range<usize>, next: usize) -> bool {
    if number.len() > 2 {
        return false;
    }
    let digits = |from: usize| bytes[from..].iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let month = match digits(next) {
        0 => {
            let word = letters_and_digits(bytes, next);
            let year = past_blanks(bytes, next + word.len());
            return digit(year) && Word::of(word).is(Word::MONTH);
        }
        count => next + count,
    };
    let ends_in_number = |before: &[u8]| matches!(before.trim_ascii_end(), [.., b'0'..=b'9', b'.']);
    bytes.get(month) == Some(&b'.') && digit(past_blanks(bytes, month + 1))
        || ends_in_number(&bytes[floor.max(number.start.saturating_sub(8))..number.start])
}
