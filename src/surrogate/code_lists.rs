//! Several codes of one kind in one value: record numbers, postal codes, Internet addresses.
//!
//! ```text
//! 55901, 55902 ─▶ 55901 · 55902      4417093/4417094 ─▶ 4417093 · 4417094      10.0.0.1 and 10.0.0.2 ─▶ 10.0.0.1 · 10.0.0.2
//! 4417093 (old) ─▶ 4417093           4417093 (Ann) ─▶ 4417093 · Ann
//! ```
//!
//! A value is a list where each of its pieces is by itself a full code, and else one: `12-3456-789`, `S18/12345`. Which it is depends
//! on its form alone, so that a surrogate is a list where its original is.

use super::addresses::{CODES, part};
use super::internet::is_address;
use super::markers::{VEHICLE_MARKERS, letters_and_digits, without_markers};
use super::parts::{self, Part};
use super::remarks::is_remark;
use super::words::{Word, words};
use crate::phi::Label;

/// What stands between codes.
const MARKS: [char; 7] = [',', ';', '|', '&', '/', '\n', '\r'];
/// Words that stand there.
const BETWEEN: [&str; 2] = ["and", "or"];

/// Letters and digits of a code of a list at least, and digits.
const FEWEST_CHARACTERS: usize = 4;
const FEWEST_DIGITS: usize = 3;
/// The same before and behind a stroke, which may stand within a code.
const FEWEST_BESIDE_STROKE: usize = 6;

/// The codes of a value; nothing where it is one.
pub(super) fn parts(label: Label, value: &str) -> Option<Vec<Part<'_>>> {
    if let Some(parts) = before_port(label, value) {
        return Some(parts);
    }
    // Of most codes each byte says that there is none.
    if value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') || !value.contains(is_gap) {
        return None;
    }
    if let Some(parts) = before_remark(label, value) {
        return Some(parts);
    }
    let pieces = pieces(label, value);
    let is_code = |piece: &Part| match label {
        Label::IpAddr => is_address(piece.text),
        Label::Zip => CODES.contains(&form(piece.text).as_str()),
        _ => code(label, piece.text).is_some(),
    };
    let are_codes = pieces.len() > 1 && pieces.iter().all(is_code);
    let has_stroke = value.contains('/') && !matches!(label, Label::IpAddr | Label::Zip);
    (are_codes && (!has_stroke || are_alike(label, &pieces))).then_some(pieces)
}

/// What stands between marks and between words like `and`; Internet addresses have no blanks either.
fn pieces(label: Label, value: &str) -> Vec<Part<'_>> {
    let is_mark = |mark: char| MARKS.contains(&mark) || label == Label::IpAddr && mark == ' ';
    let marks = value.match_indices(is_mark).map(|(at, mark)| (at, at + mark.len()));
    let all = words(value);
    let between = all.iter().filter(|word| is_between(value, word)).map(|word| (word.start, word.end()));
    let mut breaks: Vec<(usize, usize)> = marks.chain(between).chain([(value.len(), value.len())]).collect();
    breaks.sort_unstable();
    let mut start = 0;
    let mut found = Vec::with_capacity(2);
    for (end, next) in breaks {
        found.extend(part(value, start, end, label));
        start = next;
    }
    found
}

fn is_gap(character: char) -> bool {
    character.is_whitespace() || MARKS.contains(&character)
}

/// Whether a word parts codes: `and` with blanks or marks around it, but not in `AND-1234`.
fn is_between(value: &str, word: &Word) -> bool {
    let before = value.get(..word.start).unwrap_or_default();
    let behind = value.get(word.end()..).unwrap_or_default();
    BETWEEN.iter().any(|between| word.text.eq_ignore_ascii_case(between))
        && before.ends_with(is_gap)
        && behind.starts_with(is_gap)
}

/// The code of a piece, which words like `MRN` may stand before.
fn code(label: Label, piece: &str) -> Option<&str> {
    let code = piece.split_whitespace().next_back()?;
    let bytes = piece.as_bytes();
    let places = match label {
        Label::Vehicle => without_markers(bytes, VEHICLE_MARKERS),
        _ => letters_and_digits(bytes),
    };
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let is_inside = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '.' | '#');
    let is_whole = code.trim_start_matches('#').starts_with(|first: char| first.is_ascii_alphanumeric())
        && code.ends_with(|last: char| last.is_ascii_alphanumeric())
        && code.chars().all(is_inside);
    let is_all = places.first().is_some_and(|first| *first >= piece.len() - code.len());
    (is_whole && is_all && places.len() >= FEWEST_CHARACTERS && digits >= FEWEST_DIGITS).then_some(code)
}

/// An Internet address before the port of a service or the length of a network, which stay: `10.0.0.5:8080`, `[2001:db8::1]:443`, `10.1.0.0/16`.
fn before_port(label: Label, value: &str) -> Option<Vec<Part<'_>>> {
    let (address, number) = value.rsplit_once([':', '/']).filter(|_| label == Label::IpAddr)?;
    let inside = address.strip_prefix('[').and_then(|address| address.strip_suffix(']'));
    // Without brackets the last group of a longer address is no port.
    let is_apart = inside.is_some() || !address.contains(':') || value.as_bytes()[address.len()] == b'/';
    let text = inside.unwrap_or(address);
    let is_number = (1..=5).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    let start = usize::from(inside.is_some());
    (is_apart && is_number && is_address(text)).then(|| vec![Part { start, text, label }])
}

/// A code before words in brackets, and the words where they do not say what kind of code it is.
fn before_remark(label: Label, value: &str) -> Option<Vec<Part<'_>>> {
    if matches!(label, Label::IpAddr | Label::Zip) {
        return None;
    }
    let open = value.find(['(', '['])?;
    let remark = value.get(open + 1..)?.trim_end().strip_suffix([')', ']'])?;
    let is_words = remark.contains(char::is_alphabetic) && remark.chars().all(|c| c.is_alphabetic() || c == ' ');
    let code = part(value, 0, open, label).filter(|part| is_words && code(label, part.text).is_some())?;
    let end = open + 1 + remark.len();
    let others = if is_remark(remark) { vec![] } else { parts::others(value, open + 1..end, |_| false) };
    Some([vec![code], others].concat())
}

/// Whether the codes of a list have one form, and are long enough to be no halves of one.
fn are_alike(label: Label, pieces: &[Part]) -> bool {
    let mut forms = pieces.iter().filter_map(|piece| code(label, piece.text)).map(form);
    let first = forms.next().unwrap_or_default();
    let length = first.chars().filter(|character| character.is_ascii_alphanumeric()).count();
    length >= FEWEST_BESIDE_STROKE && forms.all(|form| form == first)
}

/// A code with `9` for every digit and `A` for every letter.
fn form(code: &str) -> String {
    let kind = |character: char| match character {
        '0'..='9' => '9',
        'A'..='Z' | 'a'..='z' => 'A',
        mark => mark,
    };
    code.chars().map(kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::parts::labelled;

    #[test]
    fn lists_are_told_from_codes_that_have_marks() {
        use crate::phi::Label::{IdNum, IpAddr, MedicalRecord, Patient, Vehicle, Zip};
        for (label, value, codes) in [
            (Zip, "55901, 55902", vec!["55901", "55902"]),
            (Zip, "55901-1234 or K1A 0B1", vec!["55901-1234", "K1A 0B1"]),
            (IpAddr, "10.0.0.1, 10.0.0.2", vec!["10.0.0.1", "10.0.0.2"]),
            (IpAddr, "10.0.0.5:8080", vec!["10.0.0.5"]),
            (IpAddr, "192.168.1.0/24", vec!["192.168.1.0"]),
            (IpAddr, "[2001:db8::1]:443", vec!["2001:db8::1"]),
            (IpAddr, "2001:db8::1", vec![]),
            (IpAddr, "00:1B:44:11:3A:37", vec![]),
            (IpAddr, "10.0.0.1 fe80::1 and 001A2B3C4D5E", vec!["10.0.0.1", "fe80::1", "001A2B3C4D5E"]),
            (MedicalRecord, "4417093/4417094", vec!["4417093", "4417094"]),
            (MedicalRecord, "MRN 4417093, #88123, and 7-123-456", vec!["MRN 4417093", "#88123", "7-123-456"]),
            (IdNum, "S18-1234;\nAND-5678", vec!["S18-1234", "AND-5678"]),
            (Vehicle, "6TR-435 and 7TH-129", vec!["6TR-435", "7TH-129"]),
        ] {
            let found: Vec<&str> = labelled(value, parts(label, value)).into_iter().map(|(_, text)| text).collect();
            assert_eq!(found, codes, "{value}");
        }
        let (record, name) = ((MedicalRecord, "4417093"), (Patient, "Ann Lee"));
        for (value, parts) in [
            ("4417093 (old)", vec![record]),
            ("4417093 [previous]", vec![record]),
            ("MRN 4417093 (old)", vec![(MedicalRecord, "MRN 4417093")]),
            ("4417093 (Ann Lee)", vec![record, name]),
        ] {
            assert_eq!(labelled(value, super::parts(MedicalRecord, value)), parts, "{value}");
        }
        for (label, value) in [
            (MedicalRecord, "12-3456-789"),
            (MedicalRecord, "44 17 (old 3)"),
            (MedicalRecord, "(old) 4417093"),
            (MedicalRecord, "03/04/2019"),
            (MedicalRecord, "S18/12345"),
            (MedicalRecord, "1,234,567"),
            (MedicalRecord, "4417093 and"),
            (MedicalRecord, "4417093, Ann"),
            (MedicalRecord, "4417093 (old), 4417094"),
            (IdNum, "12345-and-67890"),
            (Vehicle, "JOB 12345, JOB 54321"),
            (Zip, "55901/1234"),
            (Zip, "MN 55901, WI 54601"),
            (IpAddr, "00 1A 2B 3C 4D 5E"),
            (IpAddr, "10.0.0.1, 10.0.0.999"),
            (Zip, ""),
        ] {
            assert!(parts(label, value).is_none(), "{value}");
        }
    }
}
