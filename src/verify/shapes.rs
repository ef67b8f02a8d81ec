//! Values whose form tells that they are somebody's: social security numbers, e-mail addresses, telephone and record numbers.
//!
//! ```text
//! "(507) 555-0101, MRN 0012345, WBC 12,500, 03/04/2019"
//!   └─ phone ───┘      └ code ┘   nothing    nothing
//! ```
//!
//! These readings are this room's own; no detector is asked. They are made to be sure, not to find all: a value without a cue has
//! at least seven digits, one with a cue five; dates, times, measurements and codes of catalogues do not count. Values are
//! compared by their digits and letters, so that `507-555-0101` is `(507) 555-0101`, and kept as hashes only.

use std::ops::Range;

use super::pieces::hash;

/// What a value looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// `123-45-6789`.
    SocialSecurityNumber,
    /// `ann.lee@example.org`.
    Email,
    /// `(507) 555-0101`, `+44 20 7946 0958`, and `555-0101` where a word says that it is one.
    Phone,
    /// A number or code that could be a record's, an account's or a member's.
    RecordNumber,
}

/// A value that may be one of a shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it was read as.
    pub form: Form,
    /// The same for the same digits and letters, however they are written.
    pub key: u64,
}

/// How a candidate is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Email,
    ThreeTwoFour,
    Phone,
    ThreeFour,
    Code,
}

/// The fewest digits of any value.
const FEWEST_DIGITS: usize = 5;
/// The fewest digits of a code that no word announces.
const FEWEST_BARE_DIGITS: usize = 7;
/// How many bytes before a value are searched for what announces it.
const CUE_REACH: usize = 28;

/// Everything that may be a value, in order of its end.
pub(super) fn candidates(text: &str, found: &mut Vec<Candidate>) {
    found.clear();
    emails(text, found);
    let runs = runs(text);
    let mut at = 0;
    while at < runs.len() {
        at += match phone_or_number(text, &runs[at..]) {
            Some((candidate, used)) => {
                found.push(candidate);
                used
            }
            None => {
                let used = joined(text, &runs[at..]);
                let range = runs[at].range.start..runs[at + used - 1].range.end;
                if runs[at..at + used].iter().map(|run| run.digits).sum::<usize>() >= FEWEST_DIGITS {
                    found.push(Candidate { key: key(&text[range.clone()]), form: Form::Code, range });
                }
                used
            }
        };
    }
}

/// The keys by which a value of a record is found; none for what is too short to be told from any number.
pub(super) fn keys_of_value(value: &str) -> impl Iterator<Item = u64> {
    let mut found = Vec::new();
    candidates(value, &mut found);
    found.into_iter().map(|candidate| candidate.key)
}

/// Letters and digits without case; of long numbers the last ten digits, so that a country's code does not matter.
pub(super) fn key(value: &str) -> u64 {
    let mut kept: Vec<u8> = value.bytes().filter(u8::is_ascii_alphanumeric).collect();
    kept.make_ascii_lowercase();
    let number = kept.len() > 10 && kept.len() <= 15 && kept.iter().all(u8::is_ascii_digit);
    let phone = number && (value.starts_with(['+', '1', '0']) || value.contains(['(', ' ']));
    hash(if phone { &kept[kept.len() - 10..] } else { &kept })
}

/// Letters and digits in a row, a digit among them.
struct Run {
    range: Range<usize>,
    digits: usize,
}

impl Run {
    fn is_number(&self, length: usize) -> bool {
        self.digits == length && self.range.len() == length
    }
}

fn runs(text: &str) -> Vec<Run> {
    let bytes = text.as_bytes();
    let mut runs = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let start = at;
        let mut digits = 0;
        while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
            digits += usize::from(bytes[at].is_ascii_digit());
            at += 1;
        }
        if digits > 0 {
            runs.push(Run { range: start..at, digits });
        }
    }
    runs
}

/// How many runs are joined by single hyphens to the first, it included.
fn joined(text: &str, runs: &[Run]) -> usize {
    1 + runs.windows(2).take_while(|pair| &text[pair[0].range.end..pair[1].range.start] == "-").count()
}

/// A telephone or social security number that begins with the first run, and how many runs it has.
fn phone_or_number(text: &str, runs: &[Run]) -> Option<(Candidate, usize)> {
    const PHONE: &[&str] =
        &["-", ".", " ", ") ", ")", ")-", "/", ":", "_", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", " - "];
    let between = |place: usize| text.get(runs.get(place)?.range.end..runs.get(place + 1)?.range.start);
    let is = |lengths: &[usize]| {
        lengths.len() <= runs.len() && lengths.iter().zip(runs).all(|(&length, run)| run.is_number(length))
    };
    let separated =
        |count: usize, by: &[&str]| (0..count - 1).all(|at| between(at).is_some_and(|gap| by.contains(&gap)));
    let forms: [(&[usize], &[&str], Form); 8] = [
        (&[3, 2, 4], &["-", " "], Form::ThreeTwoFour),
        (&[3, 3, 4], PHONE, Form::Phone),
        (&[1, 3, 3, 4], &["-", ".", " ", " (", ") ", "-("], Form::Phone),
        (&[3, 4, 4], &[" ", "-"], Form::Phone),
        (&[5, 6], &[" "], Form::Phone),
        (&[4, 3, 4], &[" "], Form::Phone),
        (&[5, 3, 3], &[" "], Form::Phone),
        (&[3, 4], &["-", "."], Form::ThreeFour),
    ];
    let british = |lengths: &[usize]| matches!(lengths, [3, 4, 4] | [5, 6] | [4, 3, 4] | [5, 3, 3]);
    let begins = |prefix| text[runs[0].range.clone()].starts_with(prefix);
    let (form, used) = international(text, runs).or_else(|| {
        let found = forms.iter().find(|(lengths, by, _)| is(lengths) && separated(lengths.len(), by))?;
        let fits = if british(found.0) { begins('0') } else { found.0[0] != 1 || begins('1') };
        fits.then_some((found.2, found.0.len()))
    })?;
    let start = runs[0].range.start;
    // One that goes on is another kind of number.
    let goes_on = between(used - 1) == Some("-") || text[..start].ends_with('-');
    let range = start..runs[used - 1].range.end;
    let value = if form == Form::Phone && text[..start].ends_with('+') { start - 1..range.end } else { range.clone() };
    (!goes_on).then(|| (Candidate { key: key(&text[value]), range, form }, used))
}

/// A number that begins with `+` and a country's code.
fn international(text: &str, runs: &[Run]) -> Option<(Form, usize)> {
    let first = runs.first()?;
    if !text[..first.range.start].ends_with('+') || first.digits != first.range.len() || first.digits > 12 {
        return None;
    }
    let mut digits = first.digits;
    let mut used = 1;
    while let (Some(before), Some(next)) = (runs.get(used - 1), runs.get(used)) {
        let gap = &text[before.range.end..next.range.start];
        let more = digits + next.digits;
        if next.digits != next.range.len() || more > 15 || ![" ", "-", ".", " (", ") ", "-("].contains(&gap) || used > 5
        {
            break;
        }
        (digits, used) = (more, used + 1);
    }
    (digits >= 9).then_some((Form::Phone, used))
}

fn emails(text: &str, found: &mut Vec<Candidate>) {
    let bytes = text.as_bytes();
    for at in memchr::memchr_iter(b'@', bytes) {
        let local = |byte: &&u8| byte.is_ascii_alphanumeric() || b"._%+-".contains(byte);
        let domain = |byte: &&u8| byte.is_ascii_alphanumeric() || b".-".contains(byte);
        let start = at - bytes[..at].iter().rev().take_while(local).count();
        let end = at + 1 + bytes[at + 1..].iter().take_while(domain).count();
        let name = text[at + 1..end].trim_end_matches(['.', '-']);
        let end = at + 1 + name.len();
        let top = name.rsplit_once('.').map_or("", |(_, top)| top);
        if start < at && top.len() >= 2 && top.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            found.push(Candidate {
                range: start..end,
                form: Form::Email,
                key: hash(text[start..end].to_lowercase().as_bytes()),
            });
        }
    }
}

/// What a candidate is by itself and by what stands around it; none for what may be no identifier.
pub(super) fn shape(text: &str, candidate: &Candidate) -> Option<Shape> {
    let value = &text[candidate.range.clone()];
    let announced = |cues: &[&str]| {
        let before = &text[floor(text, candidate.range.start.saturating_sub(CUE_REACH))..candidate.range.start];
        let before = before.to_lowercase();
        before
            .split(|c: char| !c.is_alphanumeric() && c != '#')
            .any(|word| cues.contains(&word) || cues.contains(&word.trim_matches('#')))
    };
    match candidate.form {
        Form::Email => Some(Shape::Email),
        Form::ThreeTwoFour if value.contains('-') || announced(&["ssn", "social"]) => Some(Shape::SocialSecurityNumber),
        Form::ThreeTwoFour => None,
        Form::Phone if value.contains(['-', '.', ')', '/']) || value.starts_with('0') || announced(PHONE_CUES) => {
            Some(Shape::Phone)
        }
        Form::Phone => text[..candidate.range.start].ends_with('+').then_some(Shape::Phone),
        Form::ThreeFour => (announced(PHONE_CUES) && !is_measured(text, candidate)).then_some(Shape::Phone),
        Form::Code => {
            let digits = value.bytes().filter(u8::is_ascii_digit).count();
            // Short numbers with hyphens are ranges, doses and paragraphs of laws, unless a word says otherwise; but `4-645-932` is a
            // usual form of record numbers.
            let number = |part: &str| part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
            let record = value.split('-').map(str::len).eq([1, 3, 3]);
            let small = !record && value.split('-').all(number);
            let enough = (digits >= FEWEST_BARE_DIGITS && !small) || announced(NUMBER_CUES);
            let other = is_measured(text, candidate)
                || is_date(value)
                || is_range(value)
                || announced(CATALOGUES)
                || is_listed(value);
            (enough && !other).then_some(Shape::RecordNumber)
        }
    }
}

const PHONE_CUES: &[&str] = &[
    "phone",
    "ph",
    "tel",
    "telephone",
    "call",
    "called",
    "cell",
    "mobile",
    "fax",
    "pager",
    "contact",
    "p",
    "f",
    "t",
    "h",
    "w",
    "c",
    "home",
    "work",
    "callback",
    "number",
];
const NUMBER_CUES: &[&str] = &[
    "mrn",
    "mr#",
    "mr",
    "record",
    "chart",
    "account",
    "acct",
    "acc",
    "id",
    "id#",
    "csn",
    "accession",
    "policy",
    "member",
    "dea",
    "npi",
    "license",
    "licence",
    "serial",
    "ssn",
    "medicaid",
    "medicare",
    "subscriber",
    "hospital#",
    "uhid",
    "pt#",
    "#",
];
const CATALOGUES: &[&str] = &[
    "cpt", "icd", "icd9", "icd10", "loinc", "ndc", "snomed", "sct", "hcpcs", "drg", "rxnorm", "rxcui", "cas", "pmid",
    "doi", "nct",
];

/// Whether a number counts or measures something: `150000/uL`, `1,250,000`, `0.1234567`, `5000000 units`.
fn is_measured(text: &str, candidate: &Candidate) -> bool {
    const UNITS: &[&str] = &[
        "mg",
        "mcg",
        "ug",
        "g",
        "kg",
        "ml",
        "l",
        "dl",
        "cc",
        "iu",
        "u",
        "units",
        "unit",
        "k",
        "meq",
        "mmol",
        "ng",
        "pg",
        "cfu",
        "copies",
        "cells",
        "cmm",
        "mm",
        "cm",
        "hz",
        "bpm",
        "min",
        "hours",
        "days",
        "years",
        "steps",
        "plt",
        "rbc",
        "wbc",
        "platelets",
    ];
    let (before, after) = (&text[..candidate.range.start], &text[candidate.range.end..]);
    let digit = |text: &str, at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let behind = |mark| before.ends_with(mark) && before.len() > 1 && digit(before, before.len() - 2);
    let ahead = |mark| after.starts_with(mark) && digit(after, 1);
    let unit: String =
        after.trim_start_matches([' ', '/']).chars().take_while(char::is_ascii_alphabetic).take(10).collect();
    behind(['.', ','])
        || ahead(['.', ','])
        || after.starts_with('%')
        || before.trim_end().ends_with(['<', '>', '≥', '≤', '='])
        || UNITS.contains(&unit.to_lowercase().as_str())
}

/// Whether a code is a date or a range of times or years: `20190304`, `2019-03-04`, `04-Mar-2019`, `0900-1730`.
fn is_date(value: &str) -> bool {
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let year = |text: &str| number(text).is_some_and(|year| (1880..2100).contains(&year));
    let upto =
        |text: &str, most: u32| text.len() <= 2 && number(text).is_some_and(|number| (1..=most).contains(&number));
    let time = |text: &str| text.len() == 4 && number(text).is_some_and(|time| time <= 2400 && time % 100 < 60);
    let parts: Vec<_> = value.split('-').collect();
    match parts.as_slice() {
        [all] if all.len() >= 8 && all.is_ascii() => {
            (year(&all[..4]) && upto(&all[4..6], 12) && upto(&all[6..8], 31) && all.len() <= 15)
                || (all.len() == 8 && year(&all[4..]) && upto(&all[..2], 31) && upto(&all[2..4], 31))
        }
        [first, second] => (time(first) && time(second)) || (year(first) && year(second)),
        [first, second, third] => {
            let second = upto(second, 31) || second.bytes().all(|byte| byte.is_ascii_alphabetic());
            let third = third.split(['T', 't']).next().unwrap_or_default();
            second && ((year(first) && upto(third, 31)) || (upto(first, 31) && (year(third) || upto(third, 99))))
        }
        _ => false,
    }
}

/// Whether a code goes from a lower number to a higher one: `135-145`.
fn is_range(value: &str) -> bool {
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.len() <= 4 && !text.starts_with('0'));
    let bounds = value.split_once('-').and_then(|(low, high)| Some((number(low)?, number(high)?)));
    bounds.is_some_and(|(low, high)| low < high)
}

/// Whether a code is of a catalogue by its own form: a trial (`NCT01234567`), or several doses (`500mg-1000mg`).
fn is_listed(value: &str) -> bool {
    let dose = |part: &str| {
        let unit = part.trim_start_matches(|c: char| c.is_ascii_digit());
        !unit.is_empty()
            && unit.len() < part.len()
            && unit.len() <= 3
            && unit.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    value.to_ascii_uppercase().starts_with("NCT0") || value.split('-').all(dose)
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Vec<(Shape, &str)> {
        let mut found = Vec::new();
        candidates(text, &mut found);
        found.iter().filter_map(|one| Some((shape(text, one)?, &text[one.range.clone()]))).collect()
    }

    fn keys(text: &str) -> Vec<u64> {
        let mut found = Vec::new();
        candidates(text, &mut found);
        found.iter().map(|one| one.key).collect()
    }

    #[test]
    fn values_are_read() {
        use Shape::{Email, Phone, RecordNumber, SocialSecurityNumber};
        for (text, expected) in [
            ("SSN 123-45-6789.", vec![(SocialSecurityNumber, "123-45-6789")]),
            ("Call (507) 555-0101 or 507.555.0102", vec![(Phone, "507) 555-0101"), (Phone, "507.555.0102")]),
            ("tel 555-0101; +44 20 7946 0958", vec![(Phone, "555-0101"), (Phone, "44 20 7946 0958")]),
            ("020 7946 0958", vec![(Phone, "020 7946 0958")]),
            ("cell 507:555:0101", vec![(Phone, "507:555:0101")]),
            ("MRN#: 00123", vec![(RecordNumber, "00123")]),
            ("LEE,Ann\t4-645-932\t12-Nov-1948", vec![(RecordNumber, "4-645-932")]),
            ("id K419-188-802-446", vec![(RecordNumber, "K419-188-802-446")]),
            ("824395819 11/12/1959 M", vec![(RecordNumber, "824395819")]),
            ("write to ann.lee@mail.example.org.", vec![(Email, "ann.lee@mail.example.org")]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn dates_measurements_and_codes_are_not() {
        for text in [
            "03/04/2019 2019-03-04 04-Mar-2019 20190304",
            "WBC 12,500 platelets 150000/uL 1,250,000 copies 0.12345678 5000000 units",
            "BP 120/80, 500-1000 mL, 0900-1730, 2019-2021, 500mg-1000mg",
            "CPT 99213, NCT01234567, LOINC 12345-6, 53-21-129 MCA",
            "record: Na 137 (135-145), ABP 98-162",
            "room 1234 bed 2, extension 4455",
            "ratios 507:555:0101 and slides 507_555_0101",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
    }

    #[test]
    fn the_same_number_however_written() {
        for other in ["507-555-0101", "507.555.0101", "+1 507 555 0101", "1-507-555-0101", "5075550101", "507 555-0101"]
        {
            assert_eq!(keys(other), keys("(507) 555-0101"), "{other}");
        }
        assert_eq!(keys("123-45-6789"), keys("123456789"));
        assert_eq!(keys_of_value("AB-0012345").collect::<Vec<_>>(), keys("no. 0012345"));
        assert_eq!(keys_of_value("4455").count(), 0);
    }

    proptest! {
        #[test]
        fn any_text_is_safe(text in "\\PC{0,60}|[0-9a-z@.+() \\-/]{0,60}") {
            let mut found = Vec::new();
            candidates(&text, &mut found);
            for one in found {
                prop_assert!(text.get(one.range.clone()).is_some());
                let _ = shape(&text, &one);
            }
        }
    }
}
