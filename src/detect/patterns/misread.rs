//! Letters that a scanner read for digits, and digits for letters: `O3/12/2O21`, `MRN 7O14B`, `MEDlCAL REC0RD`.
//!
//! ```text
//! "D0CT0R seen O6/l4/24, N0. 88O12"  ─▶  "DOCTOR seen 06/14/24, NO. 88012"
//! ```
//!
//! Every exchange is of one byte for one byte, so that places in the restored sentence are places in the sentence.
//! A word is restored only where its form leaves little doubt: `O2`, `L5`, `T1N0M0`, `10l` and `FEV1` stay.

use super::cues::{Cue, CueTable};

/// The sentence as it was meant, or none where nothing looks misread.
pub(super) fn restored(sentence: &str) -> Option<String> {
    let bytes = sentence.as_bytes();
    let mut fixed: Option<Vec<u8>> = None;
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let whole = if length > 0 { whole_date(bytes, at) } else { None };
        if let Some(end) = whole {
            for byte in &mut fixed.get_or_insert_with(|| bytes.to_vec())[at..end] {
                *byte = as_digit(*byte);
            }
            at = end;
            continue;
        }
        if length == 1 && (is_last_of_date(bytes, at) || is_first_of_date(bytes, at)) {
            fixed.get_or_insert_with(|| bytes.to_vec())[at] = b'1';
        } else if length > 1 {
            let view = fixed.as_deref().unwrap_or(bytes);
            let token = Token { bytes: view, start: at, end: at + length };
            let digits = token.is_number();
            if !digits && let Some(month) = token.month() {
                fixed.get_or_insert_with(|| bytes.to_vec())[at..at + length].copy_from_slice(&month[..length]);
            } else if digits || token.is_word() {
                let restored = fixed.get_or_insert_with(|| bytes.to_vec());
                for place in at..at + length {
                    restored[place] = if digits { as_digit(restored[place]) } else { as_letter(restored, place) };
                }
            }
        }
        at += length.max(1);
    }
    fixed.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// Whether a run of digits touches a letter that is taken for a digit, or is a `0` or `1` inside a word: all that the
/// survey of a sentence need look at before [`restored`] is asked.
pub(super) fn is_beside_letter(bytes: &[u8], start: usize, end: usize) -> bool {
    let before = start.checked_sub(1).map_or(b' ', |at| bytes[at]);
    let after = bytes.get(end).copied().unwrap_or(b' ');
    let inside = end - start == 1 && matches!(bytes[start], b'0' | b'1');
    let joined =
        matches!(after, b'/' | b'-' | b':' | b'.') && bytes.get(end + 1).is_some_and(|byte| is_like_digit(*byte));
    let after_pair = before == b'/' && start > 2 && is_like_digit(bytes[start - 2]) && is_like_digit(bytes[start - 3]);
    // `l/28/25`
    let after_lone = before == b'/'
        && start > 1
        && matches!(bytes[start - 2], b'l' | b'I')
        && start.checked_sub(3).is_none_or(|at| !bytes[at].is_ascii_alphanumeric());
    let head = inside_head(bytes, start, end, after);
    after_pair
        || after_lone
        || head
        || is_like_digit(before)
        || is_like_digit(after)
        || joined
        || inside && before.is_ascii_alphabetic() && after.is_ascii_alphabetic()
}

/// `7/l`: a lone `l` for the day after the number of a month, no litre: `10^9/l` and `mg/l` stay.
fn is_last_of_date(bytes: &[u8], at: usize) -> bool {
    let Some(head) = bytes[..at].strip_suffix(b"/") else { return false };
    let digits = head.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if !matches!(bytes[at], b'l' | b'I') || !(1..=2).contains(&digits) {
        return false;
    }
    let (before, month) = head.split_at(head.len() - digits);
    let month = month.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
    month <= 12
        && before.last().is_none_or(|last| matches!(last, b' ' | b'(' | b'\n'))
        && !before.ends_with(b"10 ")
        && bytes.get(at + 1).is_none_or(|next| matches!(next, b' ' | b'.' | b',' | b')' | b'\n' | b';'))
}

/// `l/28/25`: a lone `l` for the month of a whole date.
fn is_first_of_date(bytes: &[u8], at: usize) -> bool {
    let digits = |from: usize| bytes.iter().skip(from).take(5).take_while(|byte| byte.is_ascii_digit()).count();
    let day = digits(at + 2);
    let year = digits(at + 3 + day);
    matches!(bytes[at], b'l' | b'I')
        && at.checked_sub(1).is_none_or(|before| matches!(bytes[before], b' ' | b'(' | b':' | b'\n'))
        && bytes.get(at + 1) == Some(&b'/')
        && (1..=2).contains(&day)
        && bytes.get(at + 2 + day) == Some(&b'/')
        && matches!(year, 2 | 4)
}

/// `O7-Ol-2Ol6`, `lO.l2.9O`: the end of three numbers of a date that begin at `at`, some of their digits misread.
fn whole_date(bytes: &[u8], at: usize) -> Option<usize> {
    if at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_alphanumeric() || b"-/.".contains(&bytes[before]))
    {
        return None;
    }
    let number = |from: usize| {
        let length =
            bytes.iter().skip(from).take(5).take_while(|byte| byte.is_ascii_digit() || is_like_digit(**byte)).count();
        let value = bytes[from.min(bytes.len())..].iter().take(length);
        (length, value.fold(0_u32, |value, &byte| value * 10 + u32::from(as_digit(byte) - b'0')))
    };
    let (first, month) = number(at);
    let mark = *bytes.get(at + first)?;
    let (second, day) = number(at + first + 1);
    let (third, _) = number(at + first + second + 2);
    let end = at + first + second + third + 2;
    let two = 1..=2;
    let fits = matches!(mark, b'/' | b'-' | b'.')
        && bytes.get(at + first + second + 1) == Some(&mark)
        && two.contains(&first)
        && two.contains(&second)
        && matches!(third, 2 | 4)
        && (1..=31).contains(&month)
        && (1..=31).contains(&day)
        && month.min(day) <= 12
        && !bytes.get(end).is_some_and(|next| next.is_ascii_alphanumeric() || *next == mark);
    let token = bytes.get(at..end)?;
    let digits = token.iter().filter(|byte| byte.is_ascii_digit()).count();
    (fits && digits > 1 && token.iter().any(|byte| is_like_digit(*byte))).then_some(end)
}

/// `0ct`: a zero that begins a word.
fn inside_head(bytes: &[u8], start: usize, end: usize, after: u8) -> bool {
    end - start == 1 && bytes[start] == b'0' && after.is_ascii_alphabetic()
}

/// Whether a letter looks like a zero or a one.
pub(super) const fn is_like_digit(byte: u8) -> bool {
    matches!(byte, b'O' | b'o' | b'l' | b'I')
}

const fn as_digit(byte: u8) -> u8 {
    match byte {
        b'O' | b'o' => b'0',
        b'l' | b'I' => b'1',
        other => other,
    }
}

fn as_letter(bytes: &[u8], at: usize) -> u8 {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
    let after = bytes.get(at + 1).copied().unwrap_or(b' ');
    let capital = before.is_ascii_uppercase() || !before.is_ascii_alphabetic() && after.is_ascii_uppercase();
    match (bytes[at], capital) {
        (b'0', true) => b'O',
        (b'0', false) => b'o',
        (b'1' | b'l', true) => b'I',
        (b'1', false) => b'l',
        (other, _) => other,
    }
}

/// Whether a word names a month.
fn is_month(word: &[u8]) -> bool {
    matches!(CueTable::shared().cue(word), Some(Cue::Month(_) | Cue::MonthShort(_)))
}

fn is_ordinal_ending(letters: &[u8]) -> bool {
    [b"st", b"nd", b"rd", b"th"].iter().any(|ending| letters.eq_ignore_ascii_case(*ending))
}

/// A run of letters and digits in its sentence.
struct Token<'t> {
    bytes: &'t [u8],
    start: usize,
    end: usize,
}

impl Token<'_> {
    fn at(&self, place: usize) -> u8 {
        self.bytes.get(place).copied().unwrap_or(b' ')
    }

    /// Digits with some of their look-alikes: `2O24`, `44l8`, `8O1`, and `O2` in `11/O2/1967`.
    fn is_number(&self) -> bool {
        let token = &self.bytes[self.start..self.end];
        let digits = token.iter().filter(|byte| byte.is_ascii_digit()).count();
        let alike = token.iter().filter(|byte| is_like_digit(**byte)).count();
        if alike > 0
            && digits + alike == token.len()
            && token.len() == 2
            && (self.precedes_month() || digits == 1 && self.follows_month())
        {
            return true;
        }
        // `3Oth Apri1`, `(O2O) 7946`
        let ordinal = digits + alike == 2 && alike > 0 && token.len() == 4 && is_ordinal_ending(&token[2..]);
        let area = token.len() == 3 && digits + alike == 3 && digits > 0 && alike > 0 && self.is_in_brackets();
        if ordinal && self.precedes_month() || area {
            return true;
        }
        // `2O24-lO-l8`: the month of a date with the year first.
        if digits == 0 && alike == 2 && token.len() == 2 && self.at(self.end) == b'-' && self.start >= 5 {
            return self.at(self.start - 1) == b'-'
                && self.bytes[self.start - 5..self.start - 1].iter().all(u8::is_ascii_digit);
        }
        // `lO/18`: both digits of a day or month.
        if digits == 0 && alike == token.len() && token.len() == 2 && token[0] != b'o' {
            let next = self.at(self.end + 1);
            return self.at(self.end) == b'/'
                && (next.is_ascii_digit() || is_like_digit(next) && self.at(self.end + 2).is_ascii_digit());
        }
        if digits == 0 || alike == 0 || digits + alike < token.len() {
            return false;
        }
        if digits == 1 && token.len() == 2 && (self.opens_date() || self.is_age_at_death() || self.precedes_age()) {
            return true;
        }
        let inner = token.windows(3).any(|w| w[0].is_ascii_digit() && is_like_digit(w[1]) && w[2].is_ascii_digit());
        // `1000l` is a volume, `100O` a number.
        let volume = alike == 1 && token.last() == Some(&b'l');
        inner || digits >= 2 && token.len() >= 4 && !volume || self.is_joined() || digits >= 2 && self.follows_number()
    }

    /// The name of a month of which letters were misread: `JuIy`, `0ct`, `N0v`. Its bytes and nothing more.
    fn month(&self) -> Option<[u8; 12]> {
        let token = &self.bytes[self.start..self.end];
        let odd = |at: usize| {
            matches!(token[at], b'0' | b'1') || token[at] == b'I' && at > 0 && token[at - 1].is_ascii_lowercase()
        };
        if !(3..=9).contains(&token.len()) || !(0..token.len()).any(odd) {
            return None;
        }
        let mut word = [b' '; 12];
        for (at, byte) in token.iter().enumerate() {
            word[at] = match byte {
                b'0' if at == 0 => b'O',
                b'0' => b'o',
                b'1' | b'I' => b'l',
                other => *other,
            };
        }
        is_month(&word[..token.len()]).then_some(word)
    }

    /// `8l y.o.`, `4O-year-old`, `6l yo`.
    fn precedes_age(&self) -> bool {
        let rest = self.bytes[self.end..].strip_prefix(b" ").or_else(|| self.bytes[self.end..].strip_prefix(b"-"));
        rest.is_some_and(|rest| {
            [b"y.o".as_slice(), b"y/o", b"yo ", b"yo,", b"yr old", b"year"]
                .iter()
                .any(|unit| rest.get(..unit.len()).is_some_and(|head| head.eq_ignore_ascii_case(unit)))
        })
    }

    /// `2l/4/23`: the first number of a whole date.
    fn opens_date(&self) -> bool {
        let rest = &self.bytes[self.end..];
        let digits = |from: usize| rest.iter().skip(from).take(3).take_while(|byte| byte.is_ascii_digit()).count();
        let day = digits(1);
        let year = rest.iter().skip(2 + day).take(2).filter(|byte| byte.is_ascii_digit() || is_like_digit(**byte));
        matches!(rest.first(), Some(b'/' | b'-'))
            && (1..=2).contains(&day)
            && rest.get(1 + day) == rest.first()
            && year.count() == 2
    }

    /// `died of gastric cancer at 6l;`: no flow of oxygen is told of the dead.
    fn is_age_at_death(&self) -> bool {
        let head = &self.bytes[..self.start];
        let near = &head[head.len().saturating_sub(60)..];
        self.bytes[self.start].is_ascii_digit()
            && (head.ends_with(b" at ") && memchr::memmem::find(near, b"died").is_some()
                || head.ends_with(b" age ")
                || head.ends_with(b" aged ")
                || head.ends_with(b"AGE: ")
                || head.ends_with(b"Age: ")
                || head.ends_with(b"AGE ")
                // `brother Earl, 8l, has`
                || head.ends_with(b", ") && self.at(self.end) == b',' && head.iter().rev().nth(2).is_some_and(u8::is_ascii_lowercase))
    }

    /// Whether the word right before is the name of a month: `SEPT l2`.
    fn follows_month(&self) -> bool {
        let head = &self.bytes[..self.start];
        let blank = head.iter().rev().take(2).take_while(|byte| matches!(byte, b' ' | b'-' | b'.')).count();
        let end = head.len() - blank;
        let letters = head[..end].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
        blank > 0 && is_month(&head[end - letters..end])
    }

    /// Whether the name of a month follows: `O1-MAR`, `l4 Aug`, `3Oth Apri1`; behind `O2` a year must follow it, or oxygen is meant.
    fn precedes_month(&self) -> bool {
        let start = self.end + 1;
        let letters = self.bytes.iter().skip(start).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let Some(word) = self.bytes.get(start..start + letters) else { return false };
        let month = is_month(word) || Token { bytes: self.bytes, start, end: start + letters }.month().is_some();
        let year = |from: usize| {
            self.at(from) == b' '
                && (1..=4).all(|digit| self.at(from + digit).is_ascii_digit() || is_like_digit(self.at(from + digit)))
        };
        match self.at(self.end) {
            b'-' => month,
            b' ' => {
                month
                    && self.at(start).is_ascii_uppercase()
                    && (!self.bytes[self.start..self.end].eq_ignore_ascii_case(b"O2") || year(start + letters))
            }
            _ => false,
        }
    }

    /// `(O2O) 7946`: an area code.
    fn is_in_brackets(&self) -> bool {
        let next = self.at(self.end + 1);
        self.start > 0
            && self.at(self.start - 1) == b'('
            && self.at(self.end) == b')'
            && (next.is_ascii_digit() || next == b' ' && self.at(self.end + 2).is_ascii_digit())
    }

    /// A slash, dash, dot or colon joins it to a digit.
    fn is_joined(&self) -> bool {
        // `44O.555.O170`
        let dotted = self.end - self.start == 3 && self.at(self.end) == b'.' && {
            let group = self.bytes.iter().skip(self.end + 1).take(3);
            group.filter(|byte| byte.is_ascii_digit() || is_like_digit(**byte)).count() == 3
                && self.at(self.end + 4) == b'.'
        };
        let behind = self.end - self.start == 4
            && self.start >= 5
            && self.at(self.start - 1) == b'.'
            && self.at(self.start - 5) == b'.'
            && self.bytes[self.start - 4..self.start - 1].iter().all(u8::is_ascii_digit);
        if dotted || behind {
            return true;
        }
        let mark = |byte: u8| matches!(byte, b'/' | b'-' | b':');
        let before = self.start >= 2 && mark(self.at(self.start - 1)) && self.at(self.start - 2).is_ascii_digit();
        let next = self.at(self.end + 1);
        let after = mark(self.at(self.end))
            && (next.is_ascii_digit() || is_like_digit(next) && self.at(self.end + 2).is_ascii_digit());
        let head = is_like_digit(self.at(self.start));
        // `JUN-l5-2024`.
        let month = self.start >= 4 && self.at(self.start - 1) == b'-' && self.at(self.start - 2).is_ascii_alphabetic();
        if month && head && after && self.at(self.end) == b'-' {
            return true;
        }
        before && (head || after || self.bytes[self.end - 1] != b'l')
            || after && head && self.at(self.end) != b'-' && self.end - self.start == 2
            || after && self.end - self.start >= 3
    }

    /// `523 418 O15`: a group after groups of three digits and more.
    fn follows_number(&self) -> bool {
        self.start >= 4
            && self.at(self.start - 1) == b' '
            && self.bytes[self.start - 4..self.start - 1].iter().all(u8::is_ascii_digit)
    }

    /// A word with `0` or `1` inside, or with a small `l` among capitals.
    fn is_word(&self) -> bool {
        let token = &self.bytes[self.start..self.end];
        let letters = token.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        let small = token.iter().filter(|byte| byte.is_ascii_lowercase()).count();
        let shouted = small > 0 && letters - small >= 2 && token.iter().filter(|byte| **byte == b'l').count() == small;
        let digits = token.len() - letters;
        if digits == 0 {
            return shouted;
        }
        let inner = (0..token.len()).filter(|&at| token[at].is_ascii_digit()).all(|at| {
            matches!(token[at], b'0' | b'1')
                && at > 0
                && token[at - 1].is_ascii_alphabetic()
                && token.get(at + 1).is_some_and(u8::is_ascii_alphabetic)
        });
        inner && letters >= 3 && letters > 2 * digits && (small == 0 || letters - small <= 1 || shouted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misread_characters_are_restored_in_place() {
        for (read, meant) in [
            ("D.O.B. O3/l2/2O21", "D.O.B. 03/12/2021"),
            ("seen 7/l, well", "seen 7/1, well"),
            ("tel 44O.555.Ol7O, SEX: F   AGE: 5l Y", "tel 440.555.0170, SEX: F   AGE: 51 Y"),
            ("brother Earl, 8l, has it", "brother Earl, 81, has it"),
            ("MEDlCAL REC0RD 7O14", "MEDICAL RECORD 7014"),
            ("call (4O3)555-Ol42", "call (403)555-0142"),
            ("JAN-l9-2O23", "JAN-19-2023"),
            ("unit 481 220 O77", "unit 481 220 077"),
            ("valve rep1aced", "valve replaced"),
            ("PART A O7-Ol-2Ol6 on", "PART A 07-01-2016 on"),
            ("d.o.b. lO.l2.9O, hosp", "d.o.b. 10.12.90, hosp"),
            ("coll l2-3l-99", "coll 12-31-99"),
            ("irnplant O2 JUN 2O22", "irnplant 02 JUN 2022"),
            ("typed 3Oth Apri1", "typed 30th April"),
            ("Tel (O2O) 7946 O3l8", "Tel (020) 7946 0318"),
        ] {
            assert_eq!(restored(read).as_deref(), Some(meant), "{read}");
        }
    }

    #[test]
    fn what_is_written_so_stays() {
        for text in [
            "SpO2 96% on 2L O2",
            "T1N0M0",
            "pT2N0 G1P0",
            "FEV1 1.2l",
            "HbA1c 7.1",
            "H1N1",
            "L5/S1",
            "10l/min",
            "C1q and C3",
            "Q1H",
            "1000l",
            "IL-6",
            "B12 and O1",
            "K0.1",
            "NSAIDs 2/10",
            "O2 May be weaned",
            "I/O 2/3 I/II",
            "grade I-II-III",
        ] {
            assert_eq!(restored(text), None, "{text}");
        }
    }
}
