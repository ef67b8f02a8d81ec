//! How far a number or code reaches that a word has introduced: `00-12-34`, `AB 29 604 118`, `GLX-2023-118`, `M0 22871`.
//!
//! Groups of letters and digits, joined by marks or by single blanks. What goes on after a blank must have a digit and must
//! not be the start of something else: a date, a clock time, an amount.

use super::context::{byte_at, first_run, first_word};
use crate::detect::listed::listed;

/// The longest value, in bytes.
const LONGEST: usize = 32;
/// What begins no value, though it is short.
pub(super) const NO_PREFIX: &str = "dob age sex ssn tel ph fax dos date dr mr mrs ms pt md rn on at by to in of for and or the is was no \
                         id seen per exp ext x unit room bed ref ndc cpt icd mg ml male female m f";
/// Words after which a group of digits counts something.
pub(super) const COUNTED: &str = "mg mcg ml cc g kg lb lbs cm mm units unit tablets tabs tab capsules caps days day weeks week months \
                       month years year yrs yr yo y hours hour hrs hr h minutes min am pm times x doses dose refills \
                       refill m f male female patients miles percent w wk wks mo";

/// The end of the value that begins at `start`; none where there is no digit in it.
pub(super) fn value_end(sentence: &str, start: usize) -> Option<usize> {
    let mut end = group_end(sentence, start)?;
    if !has_digit(&sentence[start..end]) {
        let prefix = &sentence[start..end];
        let short = prefix.len() <= 5 && prefix.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-');
        if !short || listed!(prefix, NO_PREFIX) || byte_at(sentence, end) != b' ' {
            return None;
        }
        let next = group_end(sentence, end + 1).filter(|&next| is_going_on(sentence, end + 1, next, true))?;
        if !byte_at(sentence, end + 1).is_ascii_digit() {
            return None;
        }
        end = next;
    }
    // `1AB4-TE5-MK 73`: a short last part with letters goes on after a blank.
    let lettered = |part: usize| sentence[part..end].bytes().any(|byte| byte.is_ascii_uppercase());
    let dash =
        sentence[start..end].rfind('-').map(|dash| start + dash + 1).filter(|&part| lettered(part) && end - part < 4);
    let mut group = sentence[start..end].rfind(' ').map(|blank| start + blank + 1).or(dash).unwrap_or(start);
    let mut groups = 1;
    while end - group <= 5
        && end - start < LONGEST
        && byte_at(sentence, end) == b' '
        && !ends_in_word(&sentence[group..end])
    {
        let Some(next) = group_end(sentence, end + 1) else { break };
        if !is_going_on(sentence, end + 1, next, false) || next - end == 2 && groups < 3 {
            break;
        }
        (group, end, groups) = (end + 1, next, groups + 1);
    }
    Some(end)
}

/// The end of six digits or more that stand one by one: `4 4 1 8 8 2 3`.
pub(super) fn spaced_digits_end(sentence: &str, start: usize) -> Option<usize> {
    let (mut at, mut end, mut count) = (start, start, 0);
    while byte_at(sentence, at).is_ascii_digit() && !byte_at(sentence, at + 1).is_ascii_alphanumeric() {
        count += 1;
        end = at + 1;
        if byte_at(sentence, end) != b' ' {
            break;
        }
        at = end + 1;
    }
    let goes_on = matches!(byte_at(sentence, end), b'/' | b':' | b'%' | b'.' | b'-')
        && byte_at(sentence, end + 1).is_ascii_digit();
    (count >= 6 && !goes_on).then_some(end)
}

/// The end of a serial number, with the three digits behind a blank in which that of a lens ends: `12488013 077`.
pub(super) fn serial_end(sentence: &str, start: usize, end: usize) -> usize {
    let Some(rest) = sentence[end..].strip_prefix(' ') else { return end };
    let group = first_run(rest, u8::is_ascii_digit);
    let behind = &rest[group.len()..];
    let goes_on = behind.starts_with(|c: char| c.is_alphanumeric() || "/-%:".contains(c))
        || behind.starts_with('.') && byte_at(behind, 1).is_ascii_digit();
    let counted = behind.strip_prefix(' ').is_some_and(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
    let serial = end - start == 8 && sentence[start..end].bytes().all(|byte| byte.is_ascii_digit());
    if serial && group.len() == 3 && !goes_on && !counted { end + 1 + group.len() } else { end }
}

/// `12ab` ends in letters that are no part of a number spelled in groups, unless they are capitals.
fn ends_in_word(group: &str) -> bool {
    group.bytes().any(|byte| byte.is_ascii_lowercase() || byte == b'/' || byte == b'.')
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// The end of a run of letters and digits with single marks inside.
fn group_end(sentence: &str, start: usize) -> Option<usize> {
    let bytes = sentence.as_bytes();
    let mut at = start;
    loop {
        let run = bytes.get(at..)?.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if run == 0 {
            break;
        }
        at += run;
        // `44–18–82`: a dash of print between digits.
        if sentence[at..].starts_with(['–', '‑'])
            && bytes[at - 1].is_ascii_digit()
            && byte_at(sentence, at + '–'.len_utf8()).is_ascii_digit()
        {
            at += '–'.len_utf8();
            continue;
        }
        let joined = matches!(byte_at(sentence, at), b'-' | b'.' | b'/' | b'_')
            && byte_at(sentence, at + 1).is_ascii_alphanumeric()
            && joins(sentence, start, at);
        if !joined {
            return (at > start).then_some(at);
        }
        at += 1;
    }
    (at > start).then(|| at - usize::from(at > start && !bytes[at - 1].is_ascii_alphanumeric()))
}

/// Whether the mark at a place is inside a value: before a digit, or before a short group of capitals.
fn joins(sentence: &str, start: usize, at: usize) -> bool {
    let rest = &sentence[at + 1..];
    let run = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let next = &rest[..run];
    let dash = byte_at(sentence, at) == b'-';
    match byte_at(sentence, at) {
        b'.' => has_digit(next) || next.len() <= 2 && has_digit(&sentence[start..at]),
        b'/' => has_digit(next) || next.len() <= 3 && next.bytes().all(|byte| byte.is_ascii_uppercase()),
        _ => has_digit(next) || run <= 6 && (dash && next.bytes().all(|byte| byte.is_ascii_uppercase()) || run <= 2),
    }
}

/// Whether the group `start..end` belongs to the value before it.
fn is_going_on(sentence: &str, start: usize, end: usize, first: bool) -> bool {
    let group = &sentence[start..end];
    let digits = group.bytes().filter(u8::is_ascii_digit).count();
    let mark = |byte| byte == b'-' || first && byte == b'/';
    let capitals = group.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase() || mark(byte));
    let after = byte_at(sentence, end);
    let amount = matches!(after, b'/' | b':' | b'%')
        || matches!(after, b'.' | b',') && byte_at(sentence, end + 1).is_ascii_digit();
    let word = sentence[end..].trim_start_matches([' ', '-']);
    // Four digits and more that are no round number are a number's: `MRN 8243 9581 mg today`.
    let round = digits < 4 || group.ends_with("00");
    let unit = first_word(word);
    let counted = after == b' ' && round && listed!(unit, COUNTED);
    let letters = group.len() - digits;
    digits > 0
        && capitals
        && !amount
        && !counted
        && (digits >= 2 || group.len() == 1)
        && (group.len() <= 8 || first)
        && letters <= 4
        && !(group.len() >= 8 && (group.starts_with("19") || group.starts_with("20")) && group.contains('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_reach_over_marks_and_blanks() {
        for (text, value) in [
            ("00-12-34, seen", "00-12-34"),
            ("AB 29 604 118. Next", "AB 29 604 118"),
            ("GLX-2023-118-R for", "GLX-2023-118-R"),
            ("M0 22871   LD", "M0 22871"),
            ("1Z 88E 402 03 4471 9.", "1Z 88E 402 03 4471 9"),
            ("943 476 5919 GP", "943 476 5919"),
            ("4471093 66 F", "4471093"),
            ("4471 03/12/24", "4471"),
            ("QPT/7740-1126).", "QPT/7740-1126"),
            ("TL 88-3021/P   Date", "TL 88-3021/P"),
            ("TX-33810 (paid)", "TX-33810"),
            ("5512 89 yo", "5512"),
            ("44–18–82; seen", "44–18–82"),
        ] {
            assert_eq!(value_end(text, 0).map(|end| &text[..end]), Some(value), "{text}");
        }
        for text in ["pending", "DOB 03", "", "é", "none 5"] {
            assert_eq!(value_end(text, 0), None, "{text}");
        }
    }

    #[test]
    fn digits_one_by_one_and_serials_in_two_groups() {
        assert_eq!(spaced_digits_end("4 4 1 8 8 2 3; old", 0), Some(13));
        assert_eq!(spaced_digits_end("0 0 4 4 1 8 22", 0), Some(11));
        for text in ["4 4 1", "44 18 82", "5 5 5 5 5 5/5", ""] {
            assert_eq!(spaced_digits_end(text, 0), None, "{text}");
        }
        for (text, end) in [
            ("12488013 077, OS", 12),
            ("12488013 077", 12),
            ("12488013 077 OS", 12),
            ("12488013 120 mg", 8),
            ("12488013", 8),
        ] {
            assert_eq!(serial_end(text, 0, 8), end, "{text}");
        }
        assert_eq!(serial_end("4471 077", 0, 4), 4);
    }
}
