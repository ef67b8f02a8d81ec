//! Known people by their initials, as staff sign and are spoken of.
//!
//! ```text
//! known: Outi Hämäläinen, Katri Stone-Tsosie
//! note:  "PSYCH (KST) PCL-5 41 … seen w/ OH"       "OR 2, OH group"
//!                └ DOCTOR            └ DOCTOR      (nothing: an abbreviation, and nobody's sign-off)
//! ```
//!
//! Initials that are also an abbreviation, a state or a word count only where somebody signs or is named: after `by`, in
//! brackets, beside a slash, at the end of a line. Small letters (`… aware. sa`, `/lv`, `ow/OWOJCIK1`) are looked at there alone.

use super::PatientRecord;
use super::fold::Key;
use super::names::names_in;
use super::plain::character_before;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Detector, Label, Span};

/// How many letters initials have.
const SHORTEST: usize = 2;
const LONGEST: usize = 4;

/// Titles, suffixes and credentials that are written with names in lists and are no part of their initials.
const AROUND_NAMES: &str =
    "MD DO RN NP PA PA-C CRNA PhD PharmD LPN MSW LCSW PT OT DPT FNP APRN CNP DDS Dr Mr Mrs Ms Prof Jr Sr II III IV";

/// What stands before a colon at the head of a line far more often than somebody's initials.
const HEADINGS: &str = "re cc pe vs pt id hx dx rx fx tx pc op ap cv gi gu gyn msk ext neuro psy hpi ros pmh psh fh sh dob mrn ssn pcp imp dc ed er or \
                        ot st rt iv po ht wt bp hr rr bmi loc poc eta edd lmp tel fax ref att attn subj obj";
/// Titles, which stand before a name.
const TITLES: &str = "dr mr ms mrs";

/// The initials of known people.
#[derive(Debug, Default)]
pub(super) struct Monograms {
    known: Vec<([u8; LONGEST], Label)>,
}

impl Monograms {
    /// The initials of everybody in a record of whom a given name, or its first letter, is known, instead of those of another.
    pub(super) fn refill(&mut self, record: &PatientRecord<'_>) {
        self.known.clear();
        let own = [&record.given_names, &record.middle_names, &record.family_names]
            .map(|names| names.first().map_or("", |name| name.as_ref()));
        self.add(&own, Label::Patient);
        for (label, cell) in &record.related {
            for name in names_in(cell) {
                match name.split_once(',') {
                    Some((family, given)) => self.add(&[given, family], *label),
                    None => self.add(&[name], *label),
                }
            }
        }
    }

    /// How many bytes it takes besides itself.
    pub(super) fn heap_bytes(&self) -> usize {
        self.known.capacity() * size_of::<([u8; LONGEST], Label)>()
    }

    /// Adds the initials of a name that is given in parts.
    fn add(&mut self, name: &[&str], label: Label) {
        let whole = Initials::of(name, &[' ', '.']);
        let hyphened = name.iter().any(|part| part.contains('-'));
        let parts = if hyphened { Initials::of(name, &[' ', '.', '-']) } else { whole };
        let ends = (whole.count > SHORTEST).then(|| whole.ends());
        for key in [whole.key(), parts.key(), ends.and_then(Initials::key)].into_iter().flatten() {
            if !self.known.iter().any(|(known, _)| *known == key) {
                self.known.push((key, label));
            }
        }
    }

    /// Adds where the initials stand in `text`, of which all that may be initials is given, to `spans`.
    pub(super) fn find(&self, text: &str, written: &[Written], spans: &mut Vec<Span>) {
        for Written { key, start, end } in written {
            if let Some((_, label)) = self.known.iter().find(|(known, _)| known == key)
                && stands_for_someone(text, *start, *end)
            {
                spans.push(Span::new(*start, *end, *label, Detector::Record, 0.8));
            }
        }
    }
}

/// The first letters of the words of a name.
#[derive(Clone, Copy)]
struct Initials {
    /// The first ones, and the last of all; 0 for a letter without a capital of ASCII.
    letters: [u8; LONGEST],
    last: u8,
    count: usize,
}

impl Initials {
    fn of(name: &[&str], marks: &[char]) -> Self {
        let mut initials = Self { letters: [0; LONGEST], last: 0, count: 0 };
        let words = name.iter().flat_map(|part| part.split(marks)).filter(|word| !listed!(word, AROUND_NAMES));
        for letter in words.filter_map(|word| word.chars().find(|c| c.is_alphabetic())) {
            initials.last = fold(letter).unwrap_or(0);
            if let Some(place) = initials.letters.get_mut(initials.count) {
                *place = initials.last;
            }
            initials.count += 1;
        }
        initials
    }

    /// The first one and the last.
    const fn ends(self) -> Self {
        let mut letters = [0; LONGEST];
        (letters[0], letters[1]) = (self.letters[0], self.last);
        Self { letters, last: self.last, count: SHORTEST }
    }

    /// What they are looked for as; none where they are too few or too many, or not all have a capital of ASCII.
    fn key(self) -> Option<[u8; LONGEST]> {
        let letters = (SHORTEST..=LONGEST).contains(&self.count).then(|| &self.letters[..self.count])?;
        letters.iter().all(|&letter| letter != 0).then_some(self.letters)
    }
}

/// Letters of a note that may be initials.
#[derive(Clone, Copy)]
pub(super) struct Written {
    key: [u8; LONGEST],
    start: usize,
    end: usize,
}

/// All that may be initials in a text.
pub(super) fn written(text: &str) -> Vec<Written> {
    let mut all = capitals(text);
    small(text, &mut all);
    all
}

/// Two or three small letters at the end of a line and beside a slash.
fn small(text: &str, all: &mut Vec<Written>) {
    let bytes = text.as_bytes();
    let mut push = |start: usize, end: usize| {
        let before = start.checked_sub(1).map_or(b'\n', |at| bytes[at]);
        let free = matches!(before, b' ' | b'\t' | b'\n' | b'/' | b'-' | b'(' | b':')
            && !bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
        if free && (SHORTEST..LONGEST).contains(&(end - start)) {
            let mut key = [0; LONGEST];
            key.iter_mut().zip(&bytes[start..end]).for_each(|(place, byte)| *place = byte.to_ascii_uppercase());
            all.push(Written { key, start, end });
        }
    };
    let before =
        |end: usize| end - bytes[..end].iter().rev().take(LONGEST).take_while(|byte| byte.is_ascii_lowercase()).count();
    let after =
        |start: usize| start + bytes[start..].iter().take(LONGEST).take_while(|byte| byte.is_ascii_lowercase()).count();
    // What stands behind a slash has been seen when something else stands behind it.
    let unseen = |start: usize| start.checked_sub(1).is_none_or(|at| bytes[at] != b'/');
    for slash in memchr::memchr_iter(b'/', bytes) {
        if unseen(before(slash)) {
            push(before(slash), slash);
        }
        push(slash + 1, after(slash + 1));
    }
    for line in text.split_inclusive('\n') {
        let from = line.as_ptr() as usize - text.as_ptr() as usize;
        let end = from + line.trim_end_matches([' ', '.', ')', '\t', '\r', '\n']).len();
        if unseen(before(end)) {
            push(before(end), end);
        }
    }
}

/// All capitals that may be initials in a text, in order.
fn capitals(text: &str) -> Vec<Written> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(offset) = bytes[at..].iter().position(u8::is_ascii_uppercase) {
        let start = at + offset;
        let (key, end) = read(bytes, start);
        at = end.max(start + 1);
        let inside = character_before(text, start).is_some_and(|c| c.is_ascii_alphanumeric() || !c.is_ascii());
        let goes_on = bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
        if inside || goes_on {
            // The rest of the word is none's initials.
            while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
                at += 1;
            }
        } else if key[SHORTEST - 1] != 0 {
            all.push(Written { key, start, end });
        }
    }
    all
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
    if listed!(&text[start..end], TITLES) || after.starts_with(':') && listed!(&text[start..end], HEADINGS) {
        return false;
    }
    let is_led = |leads: &[&str]| leads.iter().any(|lead| lead.eq_ignore_ascii_case(word));
    let led_by_person = is_led(&["by", "d/w", "signed", "witness", "cc:"]);
    let led = led_by_person || is_led(&["per", "w/", "with", "from", "-", "--", "–"]);
    let slashed = before.ends_with('/') || after.trim_start_matches(' ').starts_with('/');
    let bracketed = before.ends_with('(') && after.starts_with(')');
    let own_line = before.is_empty() && (ends_line || after.starts_with([':', '/']));
    let signs = ends_line && before.ends_with(['.', ')', '/', '-', '—']);
    let small = text.as_bytes()[start].is_ascii_lowercase();
    if small {
        // `…, lives alone, ok`: a word is nobody's, but for a stroke or a wide blank before it: `1714   /lv`, `IBCLC   emr`.
        let stroke = before.strip_suffix('/').is_some_and(|head| head.is_empty() || head.ends_with(' '));
        let closes = ends_line || after.starts_with('/');
        let wide = line.ends_with("   ") && ends_line && info.english_band().is_none();
        stroke && closes || wide || !ambiguous && (led || slashed || bracketed || own_line || signs || ends_line)
    } else if ambiguous {
        // `per ED`, `w/ MS`, `TB/HIV` and `- DM` in a list are the abbreviation; under the last line `- DM` is who wrote it.
        let is_item = matches!(before.trim_start(), "-" | "--" | "–" | "*" | "•") && !after.trim().is_empty();
        led_by_person
            || own_line && !after.starts_with('/')
            || signs && !is_item
            || bracketed && !info.is(WordFlags::MEDICAL)
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
        let mut monograms = Monograms::default();
        monograms.refill(&record);
        monograms.find(text, &written(text), &mut spans);
        spans.iter().map(|span| (text[span.start..span.end].to_owned(), span.leading().class.label)).collect()
    }

    #[test]
    fn initials_where_somebody_signs_or_is_named() {
        for text in ["PSYCH (KST) 41, no SI.", "seen w/ KST today", "plan d/w KST", "stable overnight. KST", "KST\n"] {
            assert_eq!(found(text), [("KST".to_owned(), Label::Doctor)], "{text}");
        }
        assert_eq!(found("checked by OH at noon"), [("OH".to_owned(), Label::Doctor)]);
        assert_eq!(found("stable overnight\n- OH\n"), [("OH".to_owned(), Label::Doctor)]);
        assert_eq!(found("pt signed \"R.D.H.\" here"), [("R.D.H".to_owned(), Label::Patient)]);
    }

    #[test]
    fn small_initials_where_somebody_signs() {
        for text in ["Dr Wu aware.  kst", "plan as above /kst", "kst/OKST1", "ambulated x2 - kst\nnext", "(kst)"] {
            assert_eq!(found(text), [("kst".to_owned(), Label::Doctor)], "{text}");
        }
        assert_eq!(found("Outi RN 03/09/26 1447   /oh/"), [("oh".to_owned(), Label::Doctor)]);
        for text in ["kst came by later", "akst", "kst2", "told kst, who left"] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn headings_and_titles_are_nobodys() {
        let record =
            PatientRecord { given_names: vec!["Rosa".into()], family_names: vec!["Ebbe".into()], ..Default::default() };
        let doctor = vec![(Label::Doctor, "Dana Rusk".into())];
        let mut monograms = Monograms::default();
        monograms.refill(&PatientRecord { related: doctor, ..record });
        let found = |text: &str| {
            let mut spans = Vec::new();
            monograms.find(text, &written(text), &mut spans);
            spans.len()
        };
        assert_eq!(found("Memo\nRE: results of the biopsy\n"), 0);
        assert_eq!(found("DISCUSSED WITH DR. MOOSE AT NOON"), 0);
        assert_eq!(found("Memo\nRE\nstable overnight. RE"), 2);
    }

    #[test]
    fn abbreviations_stay() {
        for text in [
            "moved from Lima, OH 45801",
            "OH group",
            "KSTX",
            "aKST",
            "W for Wu",
            "3 OH-butyrate",
            "per OH",
            "w/ OH added",
            "OH/KZZ positive",
            "Problems:\n- OH\n- gout",
            "- OH, stable",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
