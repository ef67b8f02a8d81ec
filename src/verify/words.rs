//! Words as they are compared with a record: without case, accents, apostrophes and the possessive `'s`, and with the letters that other
//! forms of text write out.
//!
//! ```text
//! "O’Brien-José's"  ─▶  obrien · jose        "Nguyễn"  ─▶  nguyen        "Mu\'f1oz", "Mu&ntilde;oz"  ─▶  munoz
//! ```

use std::ops::Range;

use super::pieces::hash;
use crate::text::{entity_after, latin_base, letter_written_out};

/// A word of a text.
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// Its bytes.
    pub range: Range<usize>,
    /// Tells unequal words apart, but for rare collisions.
    pub key: u64,
}

/// The words of a text in order, numbers among them.
pub(super) fn words(text: &str, words: &mut Vec<Word>) {
    words.clear();
    let bytes = text.as_bytes();
    let mut folded = Vec::with_capacity(64);
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        folded.clear();
        while at < bytes.len() {
            let byte = bytes[at];
            if byte.is_ascii_alphanumeric() {
                folded.push(byte.to_ascii_lowercase());
                at += 1;
            } else if byte == b'\'' && at > start && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic) {
                at += 1;
            } else if byte < 0x80 {
                let Some((letter, length)) = written_out(&text[at..]) else { break };
                fold(letter, &mut folded);
                at += length;
            } else {
                let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
                match character {
                    '’' if at > start => {}
                    _ if at > start && is_mark(character) => {}
                    _ if character.is_alphanumeric() => fold(character, &mut folded),
                    _ => break,
                }
                at += character.len_utf8();
            }
        }
        if at == start {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let mut end = at;
        for possessive in ["'s", "’s", "'S", "’S"] {
            if text[start..end].ends_with(possessive) {
                end -= possessive.len();
                folded.pop();
                break;
            }
        }
        words.push(Word { range: start..end, key: hash(&folded) });
    }
}

/// The keys of a phrase's words.
pub(super) fn keys(phrase: &str) -> Vec<u64> {
    let mut found = Vec::new();
    words(phrase, &mut found);
    found.into_iter().map(|word| word.key).collect()
}

/// Adds a letter in small form, without its marks if it is a Latin one.
fn fold(character: char, folded: &mut Vec<u8>) {
    for lower in character.to_lowercase() {
        match lower {
            _ if lower.is_ascii() => folded.push(lower as u8),
            _ if is_mark(lower) => {}
            'ß' => folded.extend_from_slice(b"ss"),
            'æ' => folded.extend_from_slice(b"ae"),
            'œ' => folded.extend_from_slice(b"oe"),
            'þ' => folded.extend_from_slice(b"th"),
            _ => match latin_base(lower) {
                Some(base) => folded.push(base),
                None => folded.extend_from_slice(lower.encode_utf8(&mut [0; 4]).as_bytes()),
            },
        }
    }
}

/// The letter that a text begins with where it is written out, and how long that is: `\'f1`, `=C3=B1`, `&ntilde;`.
fn written_out(text: &str) -> Option<(char, usize)> {
    /// No name of a letter is longer: `Scaron`, `#x00F1`.
    const LONGEST: usize = 7;
    let found = match text.strip_prefix('&') {
        Some(rest) => entity_after(rest, LONGEST).map(|(letter, length)| (letter, length + 1))?,
        None => letter_written_out(text)?,
    };
    (!found.0.is_ascii() && found.0.is_alphabetic()).then_some(found)
}

/// Whether a character only changes the letter before it: `e` and U+0301 are `é`.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn case_accents_and_apostrophes_fall_away() {
        assert_eq!(keys("O’Brien-José's"), keys("obrien jose"));
        assert_eq!(keys("LOPEZ'S"), keys("López"));
        assert_eq!(keys("D'Angelo"), keys("DAngelo"));
        assert_ne!(keys("Ann"), keys("Anne"));
        assert_eq!(keys("'quoted'"), keys("quoted"));
    }

    #[test]
    fn marks_of_all_latin_letters_fall_away() {
        for (marked, plain) in [
            ("José Nguyễn", "Jose Nguyen"),
            ("NGUYỄN", "nguyen"),
            ("Jose\u{301} Nguye\u{302}\u{303}n", "Jose Nguyen"),
            ("Trần Đức Ứng", "Tran Duc Ung"),
            ("Şahin İnanç Işık", "Sahin Inanc Isik"),
            ("Țîrțu Șerban", "Tirtu Serban"),
            ("Łukasz Żółć", "Lukasz Zolc"),
            ("Weiß Ærø Þór", "Weiss Aero Thor"),
            ("Lefœuvre LEFŒUVRE", "Lefoeuvre lefoeuvre"),
            ("Daŉiel Paŀlo", "Daniel Pallo"),
            ("Ǎn Lǚ", "An Lu"),
        ] {
            assert_eq!(keys(marked), keys(plain), "{marked}");
        }
        assert_ne!(keys("Иван"), keys("Иванов"));
        assert_eq!(keys("Иван"), keys("ИВАН"));
    }

    #[test]
    fn letters_that_are_written_out_are_letters() {
        for written in
            ["Mu\\'f1oz", "Mu\\u00f1oz", "MU\\u00D1OZ", "Mu=C3=B1oz", "Mu%C3%B1oz", "Mu&ntilde;oz", "Mu&#241;oz's"]
        {
            assert_eq!(keys(written), keys("Muñoz"), "{written}");
        }
        assert_eq!(keys("\\'c1lvarez"), keys("Álvarez"));
        for two in ["Ann&amp;Lee", "Ann&Lee;", "Ann=Lee", "Ann%20Lee", "Ann\\Lee", "Ann&#x20;Lee"] {
            assert!(keys(two).len() > 1, "{two}");
        }
    }

    proptest! {
        #[test]
        fn words_stand_in_order_on_boundaries(text in "\\PC{0,60}|[a-zé'’ .]{0,60}") {
            let mut found = Vec::new();
            words(&text, &mut found);
            let mut at = 0;
            for word in found {
                prop_assert!(word.range.start >= at && word.range.end > word.range.start);
                prop_assert!(text.get(word.range.clone()).is_some());
                at = word.range.end;
            }
        }
    }
}
