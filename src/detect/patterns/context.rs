//! What stands around a place of a sentence: before `3/4` in `seen on 3/4 at noon` is `on`, after it `at`.

/// The nearest word before `at`, over at most four blanks, brackets and light punctuation marks; empty where there
/// is none.
pub(super) fn word_before(text: &str, at: usize) -> &str {
    let bytes = text.as_bytes();
    let mut end = at;
    while end > 0 && at - end < 4 && is_light(bytes[end - 1]) {
        end -= 1;
    }
    let mut start = end;
    while start > 0 && is_word(bytes[start - 1]) {
        start -= 1;
    }
    text.get(start..end).unwrap_or("")
}

/// The nearest word after `at`, over at most three blanks and light punctuation marks; empty where there is none.
pub(super) fn word_after(text: &str, at: usize) -> &str {
    let bytes = text.as_bytes();
    let mut start = at;
    while start < bytes.len() && start - at < 3 && (is_light(bytes[start]) || bytes[start] == b')') {
        start += 1;
    }
    let mut end = start;
    while end < bytes.len() && is_word(bytes[end]) {
        end += 1;
    }
    text.get(start..end).unwrap_or("")
}

/// The letters of ASCII that a text begins with: `kg` of `kg, on Monday`; empty where it begins with anything else, a blank too.
pub(in crate::detect) fn first_word(text: &str) -> &str {
    first_run(text, u8::is_ascii_alphabetic)
}

/// The bytes of ASCII that a text begins with and that all belong together: `4th` of `4th floor` where letters and digits do.
pub(super) fn first_run(text: &str, belongs: impl Fn(&u8) -> bool) -> &str {
    let length = text.bytes().take_while(belongs).count();
    text.get(..length).unwrap_or("")
}

/// The letters that a text ends in, with the dashes and apostrophes among them: `Brighton-Le-Sands`.
pub(super) fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| !(c.is_alphabetic() || matches!(c, '-' | '\'' | '’'))).next().unwrap_or_default()
}

/// Whether `word` is one of `words`, in any case.
pub(super) fn is_one_of(word: &str, words: &[&str]) -> bool {
    !word.is_empty() && words.iter().any(|candidate| candidate.eq_ignore_ascii_case(word))
}

/// Whether `word` is one of the blank-separated `words`, in any case.
pub(in crate::detect) fn is_listed(word: &str, words: &str) -> bool {
    !word.is_empty() && words.split_ascii_whitespace().any(|candidate| candidate.eq_ignore_ascii_case(word))
}

/// Where `word` begins in `text`, of which it is a part.
pub(super) fn offset_in(text: &str, word: &str) -> usize {
    (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// The byte before `at`, a blank at the start.
#[inline]
pub(super) fn byte_before(text: &str, at: usize) -> u8 {
    if at == 0 { b' ' } else { text.as_bytes().get(at - 1).copied().unwrap_or(b' ') }
}

/// The byte at `at`, a blank past the end.
#[inline]
pub(super) fn byte_at(text: &str, at: usize) -> u8 {
    text.as_bytes().get(at).copied().unwrap_or(b' ')
}

const fn is_light(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'(' | b'[' | b',' | b':' | b'.' | b'~' | b'*' | b'-')
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0x80 || byte == b'\'' || byte == b'/'
}

/// A reading head over a text for small hand-written parsers.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    /// The byte that is read next.
    pub(super) at: usize,
}

impl<'t> Cursor<'t> {
    /// A head at byte `at`.
    pub(super) const fn new(text: &'t str, at: usize) -> Self {
        Self { text, at }
    }

    /// The byte that is read next, a blank past the end.
    pub(super) fn peek(&self) -> u8 {
        byte_at(self.text, self.at)
    }

    /// Skips bytes of `set`, at most `most`; how many were skipped.
    pub(super) fn skip(&mut self, set: &[u8], most: usize) -> usize {
        let start = self.at;
        while self.at < self.text.len() && self.at - start < most && set.contains(&self.text.as_bytes()[self.at]) {
            self.at += 1;
        }
        self.at - start
    }

    /// Skips an apostrophe, straight or curly; whether there was one.
    pub(super) fn skip_apostrophe(&mut self) -> bool {
        let apostrophe = self.text[self.at..].chars().next().filter(|mark| matches!(mark, '\'' | '’'));
        self.at += apostrophe.map_or(0, char::len_utf8);
        apostrophe.is_some()
    }

    /// Skips blanks and line breaks.
    pub(super) fn skip_blanks(&mut self) -> usize {
        self.skip(b" \t\r\n", 8)
    }

    /// Reads a whole run of digits of length 1 to `most`: its value and length. Moves only where there is one.
    pub(super) fn number(&mut self, most: usize) -> Option<(u32, usize)> {
        let digits = self.text.as_bytes()[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || digits > most.min(9) {
            return None;
        }
        let value = self.text[self.at..self.at + digits].parse().ok()?;
        self.at += digits;
        Some((value, digits))
    }

    /// Reads a run of ASCII letters, without moving.
    pub(super) fn word(&self) -> &'t str {
        first_word(&self.text[self.at.min(self.text.len())..])
    }

    /// Reads one of the blank-separated `words` as a whole run of letters, in any case. Moves only where there is one.
    pub(super) fn one_of(&mut self, words: &str) -> bool {
        let word = self.word();
        let found = is_listed(word, words);
        if found {
            self.at += word.len();
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_around_a_place() {
        let text = "seen on (3/4) at noon";
        assert_eq!(word_before(text, 9), "on");
        assert_eq!(word_after(text, 12), "at");
        assert_eq!(word_before(text, 0), "");
        assert_eq!(word_after(text, text.len()), "");
        assert_eq!(word_before("é3", 2), "é");
    }

    #[test]
    fn what_a_text_begins_with() {
        assert_eq!(first_word("kg, on Monday"), "kg");
        assert_eq!(first_word("St. Jude"), "St");
        assert_eq!(first_word("naïve"), "na");
        for text in ["", " kg", "2 kg", "é", "'s"] {
            assert_eq!(first_word(text), "", "{text}");
        }
        assert_eq!(first_run("4th floor", u8::is_ascii_alphanumeric), "4th");
        assert_eq!(first_run("é", |byte| *byte == 0xC3), "");
    }

    #[test]
    fn the_cursor_moves_only_over_what_it_reads() {
        let mut cursor = Cursor::new("12345 March", 0);
        assert_eq!(cursor.number(2), None);
        assert_eq!(cursor.number(5), Some((12345, 5)));
        assert_eq!(cursor.skip_blanks(), 1);
        assert!(!cursor.one_of("mar"));
        assert!(cursor.one_of("march"));
        assert_eq!(cursor.peek(), b' ');
    }
}
