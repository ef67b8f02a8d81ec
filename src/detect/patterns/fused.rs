//! Forms whose blanks are lost, as scanners and exports leave them: fields and values in one word of capitals.
//!
//! ```text
//! PATIENTGARZAMIGUELDOB03221967MRN7719034LOC4SOUTH
//! └field┘└──name───┘   └─date─┘   └number┘   └room┘
//! ```
//!
//! A word is read as a form where a field with a number says that it is one; else only a name that the lexicon knows is taken.

use super::findings::{Findings, date};
use crate::lexicon::{Lexicon, WordFlags, WordInfo};
use crate::phi::{Kind, Label};

/// No shorter word is a form, in bytes.
const SHORTEST: usize = 11;
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
        let length = sentence.as_bytes()[at..].iter().take_while(|&&byte| part(byte)).count();
        if length >= SHORTEST && !sentence[..at].ends_with(char::is_alphanumeric) {
            word(&sentence[at..at + length], at, findings);
        }
        at += length.max(1);
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
