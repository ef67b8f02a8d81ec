//! The words of a name or phrase, with their places.
//!
//! ```text
//! "St. Mary's Hospital, Room 7A" ─▶ St · Mary · Hospital · Room · 7A
//! ```

use smallvec::SmallVec;

/// A word and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// First byte.
    pub start: usize,
    /// The word, without a possessive `'s`.
    pub text: &'a str,
}

impl Word<'_> {
    /// One past the last byte.
    pub(super) const fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The words of a value, most of which have few.
pub(super) type Words<'a> = SmallVec<[Word<'a>; 4]>;

/// Maximal runs of letters and digits, with apostrophes inside; what follows a last apostrophe as `s` is left outside.
pub(super) fn words(value: &str) -> Words<'_> {
    if value.is_ascii() {
        return ascii_words(value);
    }
    let mut words = Words::new();
    let mut at = 0;
    let begins = |character: char| character.is_alphanumeric() && !is_apostrophe(character);
    while let Some(offset) = value[at..].find(begins) {
        let start = at + offset;
        let mut end = start;
        let mut characters = value[start..].char_indices().peekable();
        while let Some((index, character)) = characters.next() {
            let inside = match is_apostrophe(character) {
                true => characters.peek().is_some_and(|(_, next)| next.is_alphabetic()),
                false => character.is_alphanumeric() || is_combining(character),
            };
            if !inside {
                break;
            }
            end = start + index + character.len_utf8();
        }
        let text = &value[start..end];
        words.push(Word { start, text: without_possessive(text) });
        at = end;
    }
    words
}

/// The same for a value of ASCII, as most are: byte by byte.
fn ascii_words(value: &str) -> Words<'_> {
    let bytes = value.as_bytes();
    let is_letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
    let goes_on = |at: usize| match bytes.get(at) {
        Some(b'\'' | b'`') => is_letter(at + 1),
        Some(byte) => byte.is_ascii_alphanumeric(),
        None => false,
    };
    let mut words = Words::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        if bytes[start].is_ascii_alphanumeric() {
            while goes_on(at) {
                at += 1;
            }
            words.push(Word { start, text: without_possessive(&value[start..at]) });
        } else {
            at += 1;
        }
    }
    words
}

/// What people type for an apostrophe: quotation marks, accents without a letter, a prime, the full-width form.
pub(super) const APOSTROPHES: [char; 9] = ['\'', '’', '‘', '`', '´', 'ʼ', '\u{201b}', '\u{2032}', '\u{ff07}'];

fn is_apostrophe(character: char) -> bool {
    if character.is_ascii() { matches!(character, '\'' | '`') } else { APOSTROPHES.contains(&character) }
}

pub(super) const fn is_combining(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
}

fn without_possessive(text: &str) -> &str {
    let Some(stem) = text.strip_suffix(['s', 'S']) else {
        return text;
    };
    match stem.strip_suffix(is_apostrophe) {
        Some(base) if !base.is_empty() => base,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apostrophes_stay_inside_and_possessives_outside() {
        let found: Vec<&str> =
            words("St. Mary's, O'Brien’s #7A-x d' Jose\u{301}").iter().map(|word| word.text).collect();
        assert_eq!(found, ["St", "Mary", "O'Brien", "7A", "x", "d", "Jose\u{301}"]);
        for mark in APOSTROPHES {
            let value = format!("O{mark}Brien{mark}s, Jones{mark} {mark}Tool");
            let found: Vec<String> = words(&value).iter().map(|word| word.text.replace(mark, "'")).collect();
            assert_eq!(found, ["O'Brien", "Jones", "Tool"], "{mark}");
        }
    }
}
