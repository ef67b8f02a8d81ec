//! Letters without case and accents, words of a note, and the letters that scanning confuses.
//!
//! ```text
//! "MUÑOZ" ─▶ munoz     "Liễu" ─▶ lieu     "Strauß" ─▶ strauss     "TR0NG" ─▶ tr0ng ─ looks ─▶ trong
//! ```

use std::cell::OnceCell;

use super::plain::{character_before, end_of_escape, is_combining_mark, is_invisible, plain, read, written_out};
use super::words::is_known;
use crate::text::{latin_base, mark_written_out};

/// A word's letters and digits, folded, as UTF-8; words that are longer have no key.
#[derive(Clone, Copy)]
pub(super) struct Key {
    bytes: [u8; Key::LIMIT],
    length: u8,
}

impl Key {
    /// The longest key in bytes: no name is longer, and few run-together ones are.
    pub(super) const LIMIT: usize = 40;

    pub(super) const fn new() -> Self {
        Self { bytes: [0; Self::LIMIT], length: 0 }
    }

    /// The letters and digits of a text; cut off at the limit.
    pub(super) fn of(text: &str) -> Self {
        let mut key = Self::new();
        if text.is_ascii() {
            for byte in text.bytes().filter(u8::is_ascii_alphanumeric) {
                key.push(byte.to_ascii_lowercase());
            }
            return key;
        }
        text.chars().for_each(|character| {
            key.push_char(character);
        });
        key
    }

    /// Adds a folded byte; whether there was room.
    #[inline]
    pub(super) fn push(&mut self, byte: u8) -> bool {
        let Some(place) = self.bytes.get_mut(usize::from(self.length)) else { return false };
        *place = byte;
        self.length += 1;
        true
    }

    /// Adds a character, folded; whether there was room.
    pub(super) fn push_char(&mut self, character: char) -> bool {
        let character = plain(character);
        if character.is_ascii() {
            return !character.is_ascii_alphanumeric() || self.push(character.to_ascii_lowercase() as u8);
        }
        let mut fits = true;
        fold(character, |folded| {
            let mut buffer = [0; 4];
            let bytes = folded.encode_utf8(&mut buffer).as_bytes();
            // A character is added whole or not at all.
            fits &= usize::from(self.length) + bytes.len() <= Self::LIMIT && bytes.iter().all(|&byte| self.push(byte));
        });
        fits
    }

    #[inline]
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// Its first eight bytes as a number, zeros after a shorter key's: keys are in the order of these, then of the rest.
    #[inline]
    pub(super) const fn beginning(&self) -> u64 {
        match self.bytes.first_chunk::<8>() {
            Some(bytes) => u64::from_be_bytes(*bytes),
            None => 0,
        }
    }

    /// The number of letters and digits.
    pub(super) fn count(&self) -> usize {
        self.as_bytes().iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
    }

    /// Whether two keys are the same.
    #[inline]
    pub(super) fn is(&self, other: &Self) -> bool {
        self.beginning() == other.beginning() && self.as_bytes() == other.as_bytes()
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// The key as a scan may have read it: digits as the letters they look like, `i` as `l`, `rn` as `m`, `vv` as `w`.
    pub(super) fn looks(&self) -> Self {
        let mut looks = Self::new();
        for &byte in self.as_bytes() {
            let byte = letter_like(byte);
            let joined = match (looks.as_bytes().last(), byte) {
                (Some(b'r'), b'n') => b'm',
                (Some(b'v'), b'v') => b'w',
                _ => {
                    looks.push(byte);
                    continue;
                }
            };
            looks.bytes[usize::from(looks.length) - 1] = joined;
        }
        looks
    }
}

impl std::fmt::Debug for Key {
    /// The length only: names stay out of logs.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Key({} bytes)", self.length)
    }
}

/// Gives the folded characters of one that is not ASCII: none for marks, one for most, two for ligatures.
fn fold(character: char, mut emit: impl FnMut(char)) {
    let base = match character {
        'ß' | 'ẞ' => return "ss".chars().for_each(emit),
        'æ' | 'Æ' => return "ae".chars().for_each(emit),
        'œ' | 'Œ' => return "oe".chars().for_each(emit),
        'þ' | 'Þ' => return "th".chars().for_each(emit),
        _ if is_mark(character) => return,
        _ => latin_base(character),
    };
    match base {
        Some(base) => emit(char::from(base)),
        None => character.to_lowercase().filter(|letter| letter.is_alphanumeric()).take(1).for_each(emit),
    }
}

/// Apostrophes and other marks that stand inside a word and are no letters of it.
fn is_mark(character: char) -> bool {
    matches!(character, '\'' | '`' | '´' | '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2b0}'..='\u{2ff}' | '\u{ff07}')
        || is_combining_mark(character)
        || is_invisible(character)
}

/// Whether a character is a letter or digit of a word: the marks of footnotes beside one, `Lee²`, `Lee①`, and fractions are none of it.
pub(super) fn is_of_word(character: char) -> bool {
    let is_apart = matches!(
        character,
        '²' | '³' | '¹' | '¼'..='¾' | '\u{2070}'..='\u{2089}' | '\u{2150}'..='\u{215f}' | '①'..='⒛' | '⓪'..='⓿' | '❶'..='➓'
    );
    character.is_alphanumeric() && !is_apart
}

/// The letter that a scanned digit looks like; `i` looks like `l`.
#[inline]
pub(super) const fn letter_like(byte: u8) -> u8 {
    match byte {
        b'0' => b'o',
        b'1' | b'i' => b'l',
        b'5' => b's',
        b'8' => b'b',
        b'2' => b'z',
        b'6' => b'g',
        other => other,
    }
}

/// The digit that a letter looks like in a number; the letter itself where it looks like none.
#[inline]
pub(super) const fn digit_like(byte: u8) -> u8 {
    match byte {
        b'o' | b'O' => b'0',
        b'l' | b'I' | b'i' | b'L' => b'1',
        b's' | b'S' => b'5',
        b'b' | b'B' => b'8',
        b'z' | b'Z' => b'2',
        b'g' | b'G' => b'6',
        other => other,
    }
}

/// The first byte of the key of what stands at a place; none for what is no letter or digit.
pub(super) fn first(text: &str, at: usize) -> Option<u8> {
    let mut key = Key::new();
    key.push_char(text.get(at..)?.chars().next()?);
    key.as_bytes().first().copied()
}

/// One word of a note: letters, digits and the marks inside them.
pub(super) struct Word<'t> {
    /// The note.
    pub text: &'t str,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Its letters and digits.
    pub key: Key,
    /// Whether it has digits.
    pub digits: bool,
    /// Whether it has letters.
    pub letters: bool,
    /// Whether a capital follows a small letter: `GraceYoung`; or what nobody sees stands between two letters.
    pub joint: bool,
    /// Whether it is a word of English or medicine, once somebody has asked.
    known: OnceCell<bool>,
}

impl<'t> Word<'t> {
    /// The first word at or after a place.
    pub(super) fn next(text: &'t str, from: usize) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut start = from;
        while start < bytes.len() {
            match bytes[start] {
                byte if byte.is_ascii_alphanumeric() => break,
                byte @ (b'&' | b'\\' | b'=' | b'%') => match written_out(&text[start..]) {
                    Some((letter, _)) if is_of_word(letter) && !is_mark(letter) => break,
                    // `m&#178;`: a whole character that no word has.
                    Some((letter, length)) if letter.is_alphanumeric() => start += length,
                    _ if byte == b'\\' => {
                        let mark = mark_written_out(&text[..start], &text[start..]).map(|(_, length)| start + length);
                        start = end_of_escape(text, start).or(mark).unwrap_or(start + 1);
                    }
                    _ => start += 1,
                },
                byte if byte < 0x80 => start += 1,
                _ => match text[start..].chars().next() {
                    Some(letter) if is_of_word(letter) && !is_mark(letter) => break,
                    letter => start += letter.map_or(1, char::len_utf8),
                },
            }
        }
        (start < bytes.len()).then(|| Self::at(text, start))
    }

    /// The word that begins at a place.
    fn at(text: &'t str, start: usize) -> Self {
        let bytes = text.as_bytes();
        let mut word = Self {
            text,
            start,
            end: start,
            key: Key::new(),
            digits: false,
            letters: false,
            joint: false,
            known: OnceCell::new(),
        };
        let mut small = false;
        while let Some(&byte) = bytes.get(word.end) {
            let fits = match byte {
                b'a'..=b'z' => {
                    small = true;
                    word.letters = true;
                    word.end += 1;
                    word.key.push(byte)
                }
                b'A'..=b'Z' => {
                    word.joint |= small;
                    small = false;
                    word.letters = true;
                    word.end += 1;
                    word.key.push(byte | 0x20)
                }
                b'0'..=b'9' => {
                    word.digits = true;
                    word.end += 1;
                    word.key.push(byte)
                }
                b'\'' if goes_on(text, word.end + 1) => {
                    word.end += 1;
                    true
                }
                0..0x80 if !matches!(byte, b'&' | b'\\' | b'=' | b'%') => break,
                _ => match word.beyond_ascii(&mut small) {
                    Some(fits) => fits,
                    None => break,
                },
            };
            if !fits {
                word.skip_rest();
            }
        }
        word
    }

    /// Takes in a letter, digit or mark that is not of ASCII, or one that is written out, where the word goes on with one; whether
    /// there was room for it.
    fn beyond_ascii(&mut self, small: &mut bool) -> Option<bool> {
        let rest = &self.text[self.end..];
        let (character, length) = match rest.chars().next()? {
            '\\' => written_out(rest).or_else(|| mark_written_out(&self.text[..self.end], rest))?,
            '&' | '=' | '%' => written_out(rest)?,
            character => (character, character.len_utf8()),
        };
        let after = self.end + length;
        if is_invisible(character) {
            let seen = self.text[after..].trim_start_matches(is_invisible);
            seen.starts_with(is_of_word).then_some(())?;
            // It may part two words as well: what reads the word looks at both.
            self.joint = true;
            self.end = self.text.len() - seen.len();
            return Some(true);
        }
        if is_mark(character) {
            (is_combining_mark(character) || goes_on(self.text, after)).then_some(())?;
            self.end = after;
            return Some(true);
        }
        let digit = plain(character).is_ascii_digit();
        is_of_word(character).then(|| {
            self.joint |= *small && character.is_uppercase();
            *small = character.is_lowercase();
            self.digits |= digit;
            self.letters |= !digit;
            self.end = after;
            self.key.push_char(character)
        })
    }

    /// Runs to the end of a word that is too long for a key.
    fn skip_rest(&mut self) {
        let rest = &self.text[self.end..];
        let length = rest.find(|character: char| !is_of_word(character)).unwrap_or(rest.len());
        self.digits |= rest[..length].contains(|character: char| character.is_ascii_digit());
        self.end += length;
    }

    /// Whether it is a word of English or medicine, so that it is no misspelling; looked up once, whoever asks.
    pub(super) fn is_known(&self) -> bool {
        *self.known.get_or_init(|| is_known(&self.key))
    }

    /// The word as written.
    pub(super) fn written(&self) -> &'t str {
        &self.text[self.start..self.end]
    }

    /// A part of the word as a word of its own.
    pub(super) fn part(&self, start: usize, end: usize) -> Self {
        let written = &self.text[start..end];
        Self {
            text: self.text,
            start,
            end,
            key: Key::of(written),
            digits: written.bytes().any(|byte| byte.is_ascii_digit()),
            letters: written.contains(char::is_alphabetic),
            joint: false,
            known: OnceCell::new(),
        }
    }
}

/// Whether a word goes on after an apostrophe: with a letter that is no possessive `s` at the word's end.
fn goes_on(text: &str, after: usize) -> bool {
    let mut rest = text[after..].chars();
    match rest.next() {
        Some('s' | 'S') => rest.next().is_some_and(char::is_alphabetic),
        Some(letter) => letter.is_alphabetic(),
        None => false,
    }
}

/// Whether a letter or digit stands right before a place.
pub(super) fn inside_word(text: &str, at: usize) -> bool {
    character_before(text, at).is_some_and(is_of_word)
}

/// The end of `key` in `text` from `at`, over at most `gap` marks of `separators` between any two of its characters, a line break
/// with its indent being one; characters that a scan confuses count as equal. What follows is for the caller to judge.
pub(super) fn match_key(text: &str, at: usize, key: &[u8], separators: &[char], gap: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut skipped, mut matched, mut confused, mut place) = (0, 0, 0, at);
    let mut end = at;
    while matched < key.len() {
        let &byte = bytes.get(place)?;
        let (character, length) =
            if byte.is_ascii_alphanumeric() { (char::from(byte), 1) } else { read(text.get(place..)?)? };
        place += length;
        if character.is_ascii_alphanumeric() {
            let byte = character.to_ascii_lowercase() as u8;
            confused += usize::from(byte != key[matched]);
            if letter_like(byte) != letter_like(key[matched]) {
                return None;
            }
            matched += 1;
            (skipped, end) = (0, place);
            continue;
        }
        let mut folded = Key::new();
        folded.push_char(character);
        if !folded.as_bytes().is_empty() {
            if !key[matched..].starts_with(folded.as_bytes()) {
                return None;
            }
            matched += folded.as_bytes().len();
            (skipped, end) = (0, place);
        } else if matched == 0 || !(is_combining_mark(character) || is_invisible(character)) {
            skipped += 1;
            if matched == 0 || skipped > gap || !separators.contains(&character) && !is_mark(character) {
                return None;
            }
        }
    }
    // A scan garbles some of the letters, never most.
    (!key.is_empty() && confused * 3 <= key.len() + 1).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_every_latin_script_fold() {
        let cases = [
            ("Nguyễn", "nguyen"),
            ("Trương", "truong"),
            ("Kaʻiulani", "kaiulani"),
            ("Łucja", "lucja"),
            ("Jose\u{301}", "jose"),
            ("Strauß", "strauss"),
            ("O’Hara", "ohara"),
            ("Ðorđe", "dorde"),
            ("Иван", "иван"),
        ];
        for (text, key) in cases {
            assert_eq!(Key::of(text).as_str(), key, "{text}");
        }
        assert_eq!(Key::of("WALTERN0vv").looks().as_str(), "waltemow");
    }

    fn words(text: &str) -> Vec<String> {
        let mut from = 0;
        let mut all = Vec::new();
        while let Some(word) = Word::next(text, from) {
            from = word.end;
            all.push(word.written().to_owned());
        }
        all
    }

    #[test]
    fn what_nobody_sees_and_entities_of_letters_are_inside_a_word() {
        let cases = [
            ("Lad\u{ad}ner", "ladner"),
            ("L\u{200b}\u{200d}ADNER", "ladner"),
            ("Ｌａｄｎｅｒ", "ladner"),
            ("Mu&ntilde;oz", "munoz"),
            ("&Eacute;mile", "emile"),
            ("O&#39;Hara", "ohara"),
            ("O＇Hara", "ohara"),
            ("１２３", "123"),
        ];
        for (text, key) in cases {
            let word = Word::next(text, 0).unwrap();
            assert_eq!((word.written(), word.key.as_str()), (text, key), "{text}");
            assert_eq!((word.digits, word.letters), (key == "123", key != "123"), "{text}");
        }
        assert_eq!(words("by\\nLadner,\\r\\nO'Hara \\t12 \\nlee"), ["by", "Ladner", "O'Hara", "12", "lee"]);
        assert_eq!(words("C:\\nadia"), ["C", "nadia"]);
        assert_eq!(words("\u{200e}Ladner\u{200e} R&D &lt;b"), ["Ladner", "R", "D", "lt", "b"]);
    }

    #[test]
    fn words_end_before_a_possessive() {
        assert_eq!(
            words("O'Hara's kin, d’Arcy’s. (it's) MRN0012"),
            ["O'Hara", "s", "kin", "d’Arcy", "s", "it", "s", "MRN0012"]
        );
    }
}
