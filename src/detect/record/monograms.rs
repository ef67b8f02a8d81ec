//! Known people by their initials, as staff sign and are spoken of.
//!
//! ```text
//! known: Outi Hämäläinen, Katri Stone-Tsosie
//! note:  "PSYCH (KST) PCL-5 41 … seen w/ OH"       "OR 2, OH group"
//!                └ DOCTOR            └ DOCTOR      (nothing: an abbreviation, and nobody's sign-off)
//! ```
//!
//! Initials that are also an abbreviation, a state or a word count only where somebody signs or is named: after `by`, in
//! brackets, beside a slash, at the end of a line.

use super::PatientRecord;
use super::fold::Key;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Detector, Label, Span};

/// How many letters initials have.
const SHORTEST: usize = 2;
const LONGEST: usize = 4;

/// Titles and credentials that are written with names in lists and are no part of their initials.
const AROUND_NAMES: [&str; 24] = [
    "MD", "DO", "RN", "NP", "PA", "PA-C", "CRNA", "PhD", "PharmD", "LPN", "MSW", "LCSW", "PT", "OT", "DPT", "FNP",
    "APRN", "CNP", "DDS", "Dr", "Mr", "Mrs", "Ms", "Prof",
];

/// The initials of known people.
#[derive(Debug, Default)]
pub(super) struct Monograms {
    known: Vec<([u8; LONGEST], Label)>,
}

impl Monograms {
    /// The initials of everybody in a record of whom a given name, or its first letter, is known.
    pub(super) fn new(record: &PatientRecord) -> Self {
        let mut monograms = Self::default();
        let own = [&record.given_names, &record.middle_names, &record.family_names];
        let own = own.iter().filter_map(|names| names.first()).map(String::as_str).collect::<Vec<_>>().join(" ");
        monograms.add(&own, Label::Patient);
        for (label, name) in &record.related {
            match name.split_once(',') {
                Some((family, given)) => monograms.add(&format!("{given} {family}"), *label),
                None => monograms.add(name, *label),
            }
        }
        monograms
    }

    fn add(&mut self, name: &str, label: Label) {
        let words = |marks: &'static [char]| {
            let words =
                name.split(marks).filter(|word| !AROUND_NAMES.iter().any(|other| other.eq_ignore_ascii_case(word)));
            words.filter_map(|word| word.chars().find(|c| c.is_alphabetic())).collect::<Vec<char>>()
        };
        let (whole, parts) = (words(&[' ', '.']), words(&[' ', '.', '-']));
        let first_and_last = match (whole.first(), whole.last()) {
            (Some(&first), Some(&last)) if whole.len() > SHORTEST => vec![first, last],
            _ => Vec::new(),
        };
        for letters in [whole, parts, first_and_last] {
            let folded: Vec<u8> = letters.iter().filter_map(|&letter| fold(letter)).collect();
            if folded.len() != letters.len() || !(SHORTEST..=LONGEST).contains(&folded.len()) {
                continue;
            }
            let mut key = [0; LONGEST];
            key[..folded.len()].copy_from_slice(&folded);
            if !self.known.iter().any(|(known, _)| *known == key) {
                self.known.push((key, label));
            }
        }
    }

    /// Adds where the initials stand in `text` to `spans`.
    pub(super) fn find(&self, text: &str, spans: &mut Vec<Span>) {
        if self.known.is_empty() {
            return;
        }
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(offset) = bytes[at..].iter().position(u8::is_ascii_uppercase) {
            let start = at + offset;
            let (key, end) = read(bytes, start);
            at = end.max(start + 1);
            let inside = start > 0 && (bytes[start - 1].is_ascii_alphanumeric() || bytes[start - 1] >= 0x80);
            let goes_on = bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
            if inside || goes_on {
                // The rest of the word is none's initials.
                while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
                    at += 1;
                }
                continue;
            }
            if let Some((_, label)) = self.known.iter().find(|(known, _)| *known == key)
                && stands_for_someone(text, start, end)
            {
                spans.push(Span::new(start, end, *label, Detector::Record, 0.8));
            }
        }
    }
}

/// The capitals at a place, stops between them allowed, and where they end: `KST`, `R.D.H.` without its last stop.
fn read(bytes: &[u8], start: usize) -> ([u8; LONGEST], usize) {
    let (mut key, mut length, mut at, mut end) = ([0; LONGEST], 0, start, start);
    while at < bytes.len() && bytes[at].is_ascii_uppercase() && length < LONGEST {
        key[length] = bytes[at];
        length += 1;
        end = at + 1;
        at = if bytes.get(end) == Some(&b'.') { end + 1 } else { end };
    }
    (key, end)
}

/// A capital of ASCII for a letter, its accent left out.
fn fold(letter: char) -> Option<u8> {
    let mut key = Key::new();
    key.push_char(letter);
    key.as_bytes().first().filter(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_uppercase)
}

/// Whether initials mean a person where they stand.
fn stands_for_someone(text: &str, start: usize, end: usize) -> bool {
    let info = Lexicon::shared().word(&text[start..end]);
    let other = WordFlags::ABBREVIATION
        .union(WordFlags::MEDICAL)
        .union(WordFlags::STATE_ABBREVIATION)
        .union(WordFlags::CARE_ROLE)
        .union(WordFlags::HEADING);
    let ambiguous = info.is_any(other) || info.english_band().is_some();
    let line = &text[text[..start].rfind('\n').map_or(0, |at| at + 1)..start];
    let after = &text[end..];
    let ends_line = after.trim_start_matches(['.', ' ', '\t', '\r']).is_empty()
        || after.trim_start_matches(['.', ' ', '\r']).starts_with('\n');
    let before = line.trim_end_matches([' ', '\t']);
    let word = before.rsplit([' ', '\t']).next().unwrap_or_default();
    let led = ["by", "per", "w/", "with", "from", "d/w", "signed", "witness", "cc:", "-", "--", "–"]
        .iter()
        .any(|lead| lead.eq_ignore_ascii_case(word));
    let slashed = before.ends_with('/') || after.trim_start_matches(' ').starts_with('/');
    let bracketed = before.ends_with('(') && after.starts_with(')');
    let own_line = before.is_empty() && (ends_line || after.starts_with([':', '/']));
    let signs = ends_line && before.ends_with(['.', ')', '/', '-', '—']);
    if ambiguous {
        led || own_line || signs || bracketed && !info.is(WordFlags::MEDICAL)
    } else {
        led || slashed || bracketed || own_line || signs || ends_line || !before.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, Label)> {
        let record = PatientRecord {
            given_names: vec!["Reino".into()],
            family_names: vec!["Hietala".into()],
            middle_names: vec!["David".into()],
            related: vec![
                (Label::Doctor, "O. Hämäläinen".into()),
                (Label::Doctor, "Stone-Tsosie, Katri MD".into()),
                (Label::Doctor, "Katri Stone-Tsosie".into()),
                (Label::Doctor, "Wu".into()),
            ],
            ..PatientRecord::default()
        };
        let mut spans = Vec::new();
        Monograms::new(&record).find(text, &mut spans);
        spans.iter().map(|span| (text[span.start..span.end].to_owned(), span.leading().class.label)).collect()
    }

    #[test]
    fn initials_where_somebody_signs_or_is_named() {
        for text in ["PSYCH (KST) 41, no SI.", "seen w/ KST today", "plan d/w KST", "stable overnight. KST", "KST\n"] {
            assert_eq!(found(text), [("KST".to_owned(), Label::Doctor)], "{text}");
        }
        assert_eq!(found("checked by OH at noon"), [("OH".to_owned(), Label::Doctor)]);
        assert_eq!(found("pt signed \"R.D.H.\" here"), [("R.D.H".to_owned(), Label::Patient)]);
    }

    #[test]
    fn abbreviations_stay() {
        for text in ["moved from Lima, OH 45801", "OH group", "KSTX", "aKST", "W for Wu", "3 OH-butyrate"] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
