//! Forms whose blanks are lost, as scanners and exports leave them: fields and values in one word of capitals.
//!
//! ```text
//! PATIENTGARZAMIGUELDOB03221967MRN7719034LOC4SOUTH
//! └field┘└──name───┘   └─date─┘   └number┘   └room┘
//! ```
//!
//! A word is read as a form where a field with a number says that it is one; else only a name that the lexicon knows is taken.
//!
//! Beside them stand the dates that programs write in one word with their time: `20140305101112.123-0500`, `05MAR2014:10:11:12`.

use std::sync::LazyLock;

use regex::Regex;

use super::context::byte_at;
use super::findings::{Findings, date};
use super::survey::Survey;
use crate::lexicon::{Lexicon, WordFlags, WordInfo};
use crate::phi::{Kind, Label};

/// No shorter word is a form, in bytes.
const SHORTEST: usize = 11;
/// No shorter one is a date with its time: `05MAR14`.
const SHORTEST_STAMP: usize = 7;
/// So many bear either half of a name whose blank is lost.
const BEARERS: u32 = 2_000;

/// What follows the name of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Letters, up to the next field.
    Name(Label),
    /// At least three digits, with up to three letters before them.
    Number(Label),
    /// Six or eight digits.
    Date,
    /// A digit, or a letter and a digit, and all up to the next field.
    Room,
    /// A digit first, and all up to the next field: an address.
    Address,
    /// A digit or a letter for the sex: nothing that identifies, only the field before it ends here.
    Little,
    /// Words: likewise.
    Words,
}

use Takes::{Address, Date, Little, Name, Number, Room, Words};

/// Fields by what they are called, a longer name before one that it begins with.
const FIELDS: &[(&str, Takes)] = &[
    ("PATIENTNAME", Name(Label::Patient)),
    ("PATIENT", Name(Label::Patient)),
    ("PTNAME", Name(Label::Patient)),
    ("NAME", Name(Label::Patient)),
    ("GUARANTOR", Name(Label::Patient)),
    ("NEXTOFKIN", Name(Label::Patient)),
    ("NOK", Name(Label::Patient)),
    ("SPOUSE", Name(Label::Patient)),
    ("ATTENDING", Name(Label::Doctor)),
    ("PHYSICIAN", Name(Label::Doctor)),
    ("PROVIDER", Name(Label::Doctor)),
    ("SURGEON", Name(Label::Doctor)),
    ("ATTN", Name(Label::Patient)),
    ("PHYS", Name(Label::Doctor)),
    ("EMPLOYER", Name(Label::Organization)),
    ("EMPL", Name(Label::Organization)),
    ("BIRTHDATE", Date),
    ("DOB", Date),
    ("DATE", Date),
    ("ADMIT", Date),
    ("DISCH", Date),
    ("DOS", Date),
    ("MRN", Number(Label::MedicalRecord)),
    ("ACCOUNT", Number(Label::Account)),
    ("ACCT", Number(Label::Account)),
    ("PHONE", Number(Label::Phone)),
    ("TEL", Number(Label::Phone)),
    ("FAX", Number(Label::Fax)),
    ("SSN", Number(Label::Ssn)),
    ("CLAIM", Number(Label::IdNum)),
    ("POLICY", Number(Label::HealthPlan)),
    ("MEMBERID", Number(Label::HealthPlan)),
    ("INVNO", Number(Label::Account)),
    ("CASENO", Number(Label::IdNum)),
    ("NPI", Number(Label::License)),
    ("ROOM", Room),
    ("LOC", Room),
    ("BED", Room),
    ("ADDRESS", Address),
    ("ADDR", Address),
    ("DIAGNOSIS", Words),
    ("DX", Words),
    ("DIET", Words),
    ("ALLERGY", Words),
    ("AGE", Little),
    ("SEX", Little),
];

/// Fields in small letters whose value stands right behind them: `mrn0018823dob07041961`.
static SMALL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(mrn|acct|ssn|dob|ph|tel|fax)([0-9]{6,11})(?:[^0-9]|$)").expect("the pattern is a literal")
});
/// A surname and a given name in capitals between a field in small letters and what follows: `ptMORALES,JESUSmrn0018823`.
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[^A-Za-z])(?:pts?|patient|name|re)[:.]?([A-Z]{2,}(?:-[A-Z]{2,})?, ?[A-Z]{2,})(?:[^A-Z]|$)")
        .expect("the pattern is a literal")
});

/// A field in a word: where it and its value begin.
struct Field {
    start: usize,
    value: usize,
    takes: Takes,
}

/// Judges every long word of capitals and digits.
pub(super) fn detect(sentence: &str, findings: &mut Findings) {
    let part = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-';
    let mut at = 0;
    while at < sentence.len() {
        // No word that is long enough begins before the byte that ends it.
        match sentence.as_bytes().get(at + SHORTEST_STAMP - 1) {
            Some(&last) if part(last) => {}
            Some(_) => {
                at += SHORTEST_STAMP;
                continue;
            }
            None => break,
        }
        let length = sentence.as_bytes()[at..].iter().take_while(|&&byte| part(byte)).count();
        if length >= SHORTEST && !sentence[..at].ends_with(char::is_alphanumeric) {
            word(&sentence[at..at + length], at, findings);
        }
        if length >= SHORTEST_STAMP && sentence.as_bytes()[at].is_ascii_digit() {
            stamp(sentence, at, length, findings);
        }
        at += length.max(1);
    }
}

/// Adds what stands right behind fields in small letters.
pub(super) fn small_fields(sentence: &str, survey: &Survey, findings: &mut Findings) {
    small_names(sentence, findings);
    if survey.digits >= 6 {
        small_numbers(sentence, findings);
    }
}

fn small_names(sentence: &str, findings: &mut Findings) {
    let bytes = sentence.as_bytes();
    let capitals = |at: usize| at > 1 && bytes[at - 2..at].iter().all(u8::is_ascii_uppercase);
    if !memchr::memchr_iter(b',', bytes).any(capitals) {
        return;
    }
    for name in BETWEEN.captures_iter(sentence).filter_map(|found| found.get(1)) {
        if !findings.covers(&name.range()) {
            findings.add(name.range(), Label::Patient, 0.85);
        }
    }
}

fn small_numbers(sentence: &str, findings: &mut Findings) {
    for found in SMALL.captures_iter(sentence) {
        let (Some(field), Some(value)) = (found.get(1), found.get(2)) else { continue };
        let glued = sentence[..field.start()].ends_with(|c: char| c.is_ascii_alphabetic());
        let class = match (field.as_str(), value.len()) {
            ("mrn", _) => Label::MedicalRecord.into(),
            ("acct", _) => Label::Account.into(),
            ("ssn", 9) => Label::Ssn.into(),
            ("dob", 6 | 8) => date(Kind::DateFull),
            ("fax", 7 | 10 | 11) => Label::Fax.into(),
            ("ph" | "tel", 7 | 10 | 11) if !glued => Label::Phone.into(),
            _ => continue,
        };
        if !findings.covers(&value.range()) {
            findings.add(value.range(), class, 0.85);
        }
    }
}

/// Adds what the fields of one word hold; `offset` is where it stands.
fn word(word: &str, offset: usize, findings: &mut Findings) {
    let fields = fields(word);
    let is_form = fields.iter().any(|field| matches!(field.takes, Number(_) | Date | Address));
    for (place, field) in fields.iter().enumerate() {
        let end = fields.get(place + 1).map_or(word.len(), |next| next.start);
        let value = word[field.value..end].trim_matches('-');
        let mut range = offset + field.value..offset + field.value + value.len();
        let class = match field.takes {
            Name(label) if names(value, is_form, field.start == 0) => {
                range.start += titled(value);
                label.into()
            }
            Number(label) => {
                range.end = range.start + number(value);
                label.into()
            }
            Date => {
                range.end = range.start + digits(value);
                date(Kind::DateFull)
            }
            Room if is_form => Label::Hospital.into(),
            Address => Label::Street.into(),
            _ => continue,
        };
        if !findings.covers(&range) {
            findings.add(range, class, 0.8);
        }
    }
}

/// Adds what begins at `at` with a word of so many bytes, if it is a date and its time as programs write them.
fn stamp(sentence: &str, at: usize, length: usize, findings: &mut Findings) {
    if sentence[..at].ends_with(|before: char| before.is_alphanumeric() || "./_-+".contains(before)) {
        return;
    }
    let end = packed_end(sentence, at).or_else(|| named_end(sentence, at, length));
    if let Some(end) = end.filter(|&end| !goes_on(sentence, end)) {
        findings.add(at..end, date(Kind::DateFull), 1.0);
    }
}

/// Whether a word goes on behind a place, with or without a mark.
fn goes_on(sentence: &str, at: usize) -> bool {
    let mut behind = sentence[at..].chars();
    match behind.next() {
        Some('.' | '/' | '-' | '+') => behind.next().is_some_and(char::is_alphanumeric),
        Some(next) => next.is_alphanumeric() || next == '_',
        None => false,
    }
}

/// Where `20140305101112.123-0500` ends, the form of HL7: a day, hour and minutes, then seconds, their fraction and a zone. A fraction or
/// a zone tells it from a number.
fn packed_end(sentence: &str, at: usize) -> Option<usize> {
    let length = digits(&sentence[at..]);
    let part = |start: usize| sentence.get(at + start..at + start + 2).and_then(|part| part.parse::<u32>().ok());
    let fits = matches!(length, 12 | 14)
        && matches!(part(0), Some(18..=21))
        && matches!(part(4), Some(1..=12))
        && matches!(part(6), Some(1..=31))
        && matches!(part(8), Some(0..=23))
        && matches!(part(10), Some(0..=59));
    if !fits {
        return None;
    }
    let mut end = at + length;
    if length == 14 && byte_at(sentence, end) == b'.' {
        end += match digits(&sentence[end + 1..]) {
            0 => 0,
            fraction => 1 + fraction,
        };
    }
    if matches!(byte_at(sentence, end), b'+' | b'-') && is_zone(&sentence[end + 1..]) {
        end += 5;
    }
    (end > at + length).then_some(end)
}

/// Whether a text begins with the four digits of a zone.
fn is_zone(text: &str) -> bool {
    let zone = text.get(..4).filter(|_| digits(text) == 4).and_then(|zone| zone.parse::<u32>().ok());
    zone.is_some_and(|zone| zone <= 1400 && zone % 100 < 60)
}

/// Where the date of `05MAR2014:10:11:12` ends, the form of SAS, or `05-MAR-14 10.11.12.000000` with its time, that of Oracle.
fn named_end(sentence: &str, at: usize, length: usize) -> Option<usize> {
    const MONTHS: [&str; 12] = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
    let (word, behind) = sentence[at..].split_at_checked(length)?;
    let clock = clock_end(behind)?;
    let (day, rest) = word.split_at_checked(2)?;
    let (month, year) = match rest.strip_prefix('-') {
        Some(rest) => rest.split_once('-')?,
        None => rest.split_at_checked(3)?,
    };
    let fits = matches!(day.parse::<u32>(), Ok(1..=31))
        && MONTHS.contains(&month)
        && matches!(year.len(), 2 | 4)
        && digits(year) == year.len();
    fits.then_some(at + length + clock)
}

/// How much of what stands behind a date belongs to it with its clock time: nothing of `:10:11:12`, for times are found by themselves,
/// and all of ` 10.11.12.000000`, which would be taken for an address. None where there is no such time.
fn clock_end(behind: &str) -> Option<usize> {
    // Nines stand for digits.
    let has_form = |form: &str| {
        let fits = |(byte, mark): (u8, u8)| if mark == b'9' { byte.is_ascii_digit() } else { byte == mark };
        behind.len() >= form.len() && behind.bytes().zip(form.bytes()).all(fits)
    };
    if has_form(":99:99") {
        return Some(0);
    }
    let dotted = " 99.99.99.";
    let fraction = behind.get(dotted.len()..).filter(|_| has_form(dotted)).map(digits)?;
    (3..=9).contains(&fraction).then_some(dotted.len() + fraction)
}

/// The fields of a word, in order.
fn fields(word: &str) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut at = 0;
    while at < word.len() {
        let named = FIELDS
            .iter()
            .find(|(name, takes)| word[at..].starts_with(name) && fits(&word[at + name.len()..], *takes, at == 0));
        let Some((name, takes)) = named else {
            at += 1;
            continue;
        };
        fields.push(Field { start: at, value: at + name.len(), takes: *takes });
        at += name.len();
    }
    fields
}

/// Whether what stands behind the name of a field is its value.
fn fits(rest: &str, takes: Takes, first: bool) -> bool {
    let digit_within = |reach: usize| rest.bytes().take(reach).any(|byte| byte.is_ascii_digit());
    match takes {
        Name(_) => rest.bytes().take_while(u8::is_ascii_uppercase).count() >= 3 && (first || rest.len() >= 4),
        Number(_) => number(rest) > 0,
        Date => matches!(digits(rest), 6 | 8),
        Room => digit_within(2),
        Address => digit_within(1),
        Little => digit_within(1) || rest.starts_with(['F', 'M']),
        Words => rest.len() >= 4,
    }
}

/// The length of the number that a text begins with, with up to three letters before its digits; 0 where there is none.
fn number(text: &str) -> usize {
    let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let rest = &text[letters.min(text.len())..];
    let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
    if letters <= 3 && digits(rest) >= 3 { letters + rest[..length].trim_end_matches('-').len() } else { 0 }
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The length of the title that a name begins with.
fn titled(name: &str) -> usize {
    let title = ["MRS", "MR", "MS", "DR"].into_iter().find(|title| name.starts_with(title));
    title.map(str::len).filter(|length| name.len() >= length + 3).unwrap_or(0)
}

/// Whether letters are somebody's name: in a form, unless they are a word; elsewhere where the lexicon knows the name, or both halves.
fn names(value: &str, is_form: bool, first: bool) -> bool {
    const WORD: WordFlags =
        WordFlags::ENGLISH.union(WordFlags::MEDICAL).union(WordFlags::ABBREVIATION).union(WordFlags::CARE_ROLE);
    let name = &value[titled(value)..];
    let lexicon = Lexicon::shared();
    let info = lexicon.word(name);
    let borne = |info: WordInfo| info.surname_count.max(info.given_count) >= BEARERS;
    let halves = || {
        let cuts = (3..name.len().saturating_sub(2)).filter(|&cut| name.is_char_boundary(cut));
        cuts.map(|cut| name.split_at(cut)).any(|(one, other)| {
            let (one, other) = (lexicon.word(one), lexicon.word(other));
            borne(one) && borne(other) && (one.given_count >= BEARERS || other.given_count >= BEARERS)
        })
    };
    name.len() >= 3
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-')
        && (borne(info) || !info.is_any(WORD))
        && (is_form || first && (borne(info) && !info.is_any(WORD) || info == WordInfo::UNKNOWN && halves()))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn all(sentence: &str) -> Vec<&str> {
        found(
            sentence,
            &[
                Label::Patient,
                Label::Doctor,
                Label::Date,
                Label::MedicalRecord,
                Label::Phone,
                Label::Account,
                Label::Hospital,
                Label::Street,
                Label::IdNum,
            ],
        )
    }

    #[test]
    fn fields_in_one_word() {
        assert_eq!(
            all("PATIENTGARZAMIGUELDOB03221967MRN7719034LOC4SOUTH"),
            ["GARZAMIGUEL", "03221967", "7719034", "4SOUTH"]
        );
        assert_eq!(all("ATTENDINGFISKEADMIT101223DXLUDWIGANGINA"), ["FISKE", "101223"]);
        assert_eq!(all("NOKWHITESIDESGENETEL6015550125ACCT90031177"), ["WHITESIDESGENE", "6015550125", "90031177"]);
        assert_eq!(all("GUARANTORFINNEGAN-ROWEKADDR41HATCHERYLN"), ["FINNEGAN-ROWEK", "41HATCHERYLN"]);
        assert_eq!(all("ATTNMRSQUIMBYCLAIMWC00291174"), ["QUIMBY", "WC00291174"]);
        assert_eq!(all("PATIENTGARZAMIGUEL seen"), ["GARZAMIGUEL"]);
    }

    #[test]
    fn fields_in_small_letters() {
        assert_eq!(all("ptMORALES,JESUSmrn0018823dob07041961 admitted"), ["MORALES,JESUS", "0018823", "07041961"]);
        assert_eq!(all("atbs,ph5755550119,lives"), ["5755550119"]);
        assert_eq!(all("a graph of 12, re IV,PO meds"), [] as [&str; 0]);
    }

    #[test]
    fn dates_with_their_times_as_programs_write_them() {
        for (sentence, stamp) in [
            ("Collected 20140305101112.123 in lab.", "20140305101112.123"),
            ("OBX|1|20140305101112.123-0500|F", "20140305101112.123-0500"),
            ("Collected 20140305101112-0500.", "20140305101112-0500"),
            ("Collected 201403051011-0600, resulted", "201403051011-0600"),
            ("Collected 20140305101112+0000 in lab.", "20140305101112+0000"),
            ("Admitted 05MAR2014:10:11:12 to ward.", "05MAR2014"),
            ("Admitted 05MAR14:10:11:12.000 to ward.", "05MAR14"),
            ("Admitted 05-MAR-14 10.11.12.000000000 AM to ward.", "05-MAR-14 10.11.12.000000000"),
            ("Admitted 05-MAR-2014 10.11.12.000 to ward.", "05-MAR-2014 10.11.12.000"),
        ] {
            assert_eq!(all(sentence), [stamp], "{sentence}");
        }
    }

    #[test]
    fn numbers_that_are_no_dates_with_their_times() {
        for sentence in [
            "series 1.2.840.20140305101112.123",
            "part 20149905101112.123",
            "part 20140305991112.123",
            "part 20140305101112-0500-1",
            "part 20140305101112-9500",
            "lot 45MAR14:10:11",
        ] {
            assert_eq!(found(sentence, &[Label::Date]), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn long_words_that_are_no_forms() {
        for sentence in [
            "PATIENTEDUCATION",
            "INPATIENTADMISSION",
            "ATTENDINGPHYSICIAN",
            "PATIENTRESTINGCOMFORTABLY",
            "DIETCARDIACACTIVITYUPADLIB",
            "HEMICOLECTOMY",
            "CHOLECYSTECTOMY-2",
            "TELEMETRY2000",
        ] {
            assert_eq!(all(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
