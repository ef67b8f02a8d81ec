//! `mapped_value(label, value, patient[, anchor])`: a value of a structured column, replaced as it would be in a note of that patient.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::array::{Array, StringViewBuilder};
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::kept_value::keeps_another;
use super::surrogate::class_of;
use super::ways::days;
use super::{Argument, Function, text};
use crate::corpus::deidentifier::{Deidentifier, Way};
use crate::corpus::error::CorpusError;
use crate::detect::listed::listed;
use crate::evaluate::derived_kind;
use crate::phi::{Class, Kind, Label};
use crate::surrogate::{DateOrder, day_of, is_no_day, is_only_date};
use crate::text::numbers::{PEOPLE, TENS, UNITS};

const ARGUMENTS: [Argument; 4] =
    [Argument::Text("label"), Argument::Value("value"), Argument::Identifier("patient"), Argument::Date("anchor")];

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "mapped_value",
        &[&ARGUMENTS[..3], &ARGUMENTS],
        |_| DataType::Utf8View,
        (
            "mapped_value(label, value, patient[, anchor])",
            "What stands for a value in that patient's notes, in the mode of the session; what the policy keeps stays, and so do blanks and words for nothing. An e-mail address, an age or a date that holds more than that becomes null, and so does a value that is kept and holds something that is not.",
        ),
        move |arguments| {
            let [labels, values, patients] = [0, 1, 2].map(|argument| text(&arguments[argument]));
            let (policy, replacement) = (deidentifier.policy(), deidentifier.replacement());
            let anchors = days(&deidentifier, arguments.get(3))?;
            let mut reader = deidentifier.reader();
            let mut mapped = StringViewBuilder::with_capacity(values.len());
            for (row, value) in values.iter().enumerate() {
                match value {
                    Some(value) if labels.is_valid(row) => {
                        let class = told(class_of("mapped_value", labels.value(row))?, value);
                        if is_placeholder(class.label, value) {
                            mapped.append_value(value);
                            continue;
                        }
                        if holds_more(class.label, value) {
                            mapped.append_null();
                            continue;
                        }
                        if patients.is_null(row) {
                            return Err(no_patient().into());
                        }
                        let way = Way { policy, replacement, anchor: anchors.get(row).copied().flatten() };
                        let patient = patients.value(row);
                        match policy.removes(class) {
                            true => {
                                let value = with_zeros(class.label, value);
                                mapped.append_value(reader.value(way, class, &value, patient)?);
                            }
                            false if keeps_another(&mut reader, policy, class, value, patient)? => mapped.append_null(),
                            false => mapped.append_value(value),
                        }
                    }
                    _ => mapped.append_null(),
                }
            }
            Ok(Arc::new(mapped.finish()))
        },
    )
}

/// A zip code of four digits, or a social security number of seven or eight, has lost its zeros in a column of integers: as notes write it.
fn with_zeros(label: Label, value: &str) -> Cow<'_, str> {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    let whole = match (label, value.len()) {
        (Label::Zip, 4) => 5,
        (Label::Ssn, 7 | 8) => 9,
        _ => return Cow::Borrowed(value),
    };
    if is_number { Cow::Owned(format!("{value:0>whole$}")) } else { Cow::Borrowed(value) }
}

/// What a statement is told that maps a value of nobody: the values of all such rows would be taken for one patient's.
fn no_patient() -> CorpusError {
    CorpusError::configuration(
        "mapped_value: argument `patient` is null in a row with a value",
        "give every row a patient, or its own id",
    )
}

/// A class with the kind that its value tells, where none is given.
pub(in crate::corpus) fn told(class: Class, value: &str) -> Class {
    let kind = if class.kind == Kind::Unknown { derived_kind(class.label, value) } else { class.kind };
    Class { kind, ..class }
}

/// Words that stand beside the numbers of an age, in parts: `y/o` is two.
const WORDS_OF_AGES: &str = "y yo yr yrs year years o old older m mo mos mth mths month months w wk wks week weeks d day days h hr hrs hour \
    hours min mins minute minutes s ish age aged and a half of at in the to or plus over under above below greater less more than about \
    around approx approximately nearly almost early mid late newborn neonate infant child adult hundred twenties thirties forties fifties \
    sixties seventies eighties nineties";

/// Whether a value of a structured column holds more than one of its label does, so that what is found of it would change and the rest stay: a
/// name beside an age or an address.
pub(in crate::corpus) fn holds_more(label: Label, value: &str) -> bool {
    match label {
        Label::Email => {
            let mut words = value.split(|mark: char| mark.is_whitespace() || ",;<>()[]".contains(mark));
            words.any(|word| word.contains(char::is_alphanumeric) && !word.contains('@'))
        }
        Label::Age => {
            let value = value.to_lowercase();
            let mut words = value.split(|mark: char| !mark.is_alphabetic()).filter(|word| !word.is_empty());
            let is_number = |word: &str| [&UNITS[..], &TENS, &PEOPLE].iter().any(|numbers| numbers.contains(&word));
            words.any(|word| !is_number(word) && !listed!(word, WORDS_OF_AGES)) || !are_of_age(&value)
        }
        Label::Date => !is_only_date(value),
        // A clock time stays as it is.
        Label::Time => {
            let is_of_clock = |word: &str| {
                listed!(word, "a p m am pm h hr hrs hour hours t z utc gmt est edt cst cdt mst mdt pst pdt")
            };
            let words = |is_part: fn(char) -> bool| {
                value.split(move |mark: char| !is_part(mark)).filter(|word| !word.is_empty())
            };
            words(char::is_alphabetic).any(|word| !is_of_clock(word))
                || value.contains('/')
                || words(|mark| mark.is_ascii_digit()).any(|number| number.len() > 9)
                || day_of(value, DateOrder::default()).is_some() && !is_six_digits(value.trim())
        }
        _ => false,
    }
}

/// `103000`, which is an hour, and might be a day.
fn is_six_digits(value: &str) -> bool {
    value.len() == 6 && value.bytes().all(|digit| digit.is_ascii_digit())
}

/// More years than anybody lives, with a few to spare, and more months than a child is counted in.
const MOST_OF_AGE: u32 = 150;

/// Whether the numbers of a value can be an age: one, with decimals or without, a span of two, or a few with words between them. `41-22-0078` and
/// `12/25/50` are something else.
fn are_of_age(value: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let numbers: Vec<&str> =
        value.split(|c: char| !c.is_ascii_digit() && c != '.').filter(|part| part.contains(is_digit)).collect();
    let whole = |number: &&str| number.trim_end_matches('.').split('.').next().unwrap_or_default().parse::<u32>().ok();
    let is_small = |number: &&str| {
        let parts = number.trim_matches('.').split('.').count();
        parts <= 2 && whole(number).is_some_and(|number| number <= MOST_OF_AGE)
    };
    let has_words = value.contains(char::is_alphabetic);
    let rises = || numbers.windows(2).all(|pair| whole(&pair[0]) <= whole(&pair[1])) && value.contains(['-', '–']);
    numbers.iter().all(is_small)
        && match numbers.len() {
            0 | 1 => true,
            2 => has_words || rises(),
            _ => has_words && numbers.len() <= 3,
        }
}

/// What stands in columns where there is no value.
const PLACEHOLDERS: &[&str] = &[
    "n/a",
    "n.a.",
    "na",
    "nil",
    "none",
    "null",
    "unk",
    "unknown",
    "not known",
    "not available",
    "not applicable",
    "not recorded",
    "missing",
    "ongoing",
    "pending",
    "tbd",
    "no date",
    "not done",
    "not given",
    "not scheduled",
    "not specified",
    "unspecified",
    "undetermined",
    "never",
    "see note",
    "to be determined",
    "present",
];

/// Those of them that are surnames, too: in a column of names they are replaced as such, for a name must not stay.
const ALSO_NAMES: &[&str] = &["na", "nil", "none", "null", "never", "present"];

/// What stands in the place of an address, and of a number of insurance.
const NO_ADDRESS: &[&str] =
    &["homeless", "undomiciled", "transient", "general delivery", "no fixed address", "no fixed abode"];
const NO_NUMBER: &[&str] = &["medicare", "medicaid", "self pay", "self-pay", "selfpay", "uninsured"];

/// Whether a value of a structured column stands for none: blanks, marks, a word that says so, the days that databases write for no day,
/// a number of zeros alone.
pub(in crate::corpus) fn is_placeholder(label: Label, value: &str) -> bool {
    let value = value.trim().to_lowercase();
    let may_be_name = label.is_person() && ALSO_NAMES.contains(&value.as_str());
    let of_label: &[&str] = match label {
        Label::Street | Label::City | Label::LocationOther => NO_ADDRESS,
        Label::HealthPlan => NO_NUMBER,
        _ => &[],
    };
    let is_word = |words: &[&str]| words.contains(&value.as_str());
    let is_zeros = || {
        let mut signs = value.chars().filter(|sign| sign.is_alphanumeric());
        let is_number = label.is_number() || matches!(label, Label::Zip | Label::Phone | Label::Fax);
        is_number && value.matches('0').count() > 1 && signs.all(|sign| sign == '0')
    };
    !may_be_name
        && (!value.contains(char::is_alphanumeric)
            || is_word(PLACEHOLDERS)
            || is_word(of_label)
            || label == Label::Date && is_no_day(&value)
            || is_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_nothing_are_told_from_values() {
        for value in
            ["", "  ", "-", "?", "N/A", "Unknown", "null", "No date", "9999-12-31", "12/31/9999", "0000-00-00 00:00:00"]
        {
            assert!(is_placeholder(Label::Date, value), "{value}");
        }
        for (value, is_none) in [("Na", false), ("Null", false), ("unknown", true), ("N/A", true), ("", true)] {
            assert_eq!(is_placeholder(Label::Patient, value), is_none, "{value}");
        }
        for (label, value, is_none) in [
            (Label::Phone, "000-000-0000", true),
            (Label::Zip, "00000", true),
            (Label::MedicalRecord, "0000000", true),
            (Label::MedicalRecord, "0", false),
            (Label::MedicalRecord, "0000001", false),
            (Label::Street, "Homeless", true),
            (Label::Patient, "Homeless", false),
            (Label::HealthPlan, "Medicare", true),
            (Label::HealthPlan, "Medicare 1EG4-TE5-MK72", false),
        ] {
            assert_eq!(is_placeholder(label, value), is_none, "{value}");
        }
        for value in ["Nan", "0", "March", "9999-12-30", "Noone", "x", "12/31/9999 Jones"] {
            assert!(!is_placeholder(Label::Date, value), "{value}");
        }
    }

    #[test]
    fn names_beside_ages_and_addresses_are_more() {
        for (label, value) in [
            (Label::Email, "kjones@mgh.org or ask Karen Jones"),
            (Label::Email, "Karen Jones <kjones@mgh.org>"),
            (Label::Email, "Jones"),
            (Label::Age, "93, Karen Jones"),
            (Label::Age, "93yo Jones"),
            (Label::Age, "41-22-0078"),
            (Label::Age, "88 41 22 07"),
            (Label::Age, "10.1.2.3"),
            (Label::Age, "12/25/50"),
            (Label::Age, "55-10-12"),
            (Label::Age, "219-09-9999"),
            (Label::Age, "3/4/2019"),
            (Label::Age, "88412207 41"),
            (Label::Date, "2019-03-04 (Dr. Karen Jones)"),
            (Label::Time, "03/04/2019 10:30"),
            (Label::Time, "2019-03-04T10:30"),
            (Label::Time, "10:30 Karen Jones"),
        ] {
            assert!(holds_more(label, value), "{value}");
        }
        for (label, value) in [
            (Label::Email, "kjones@mgh.org"),
            (Label::Email, "<a.b@mgh.org>; mailto:c@mgh.org"),
            (Label::Age, "93"),
            (Label::Age, "93 y/o"),
            (Label::Age, "Ninety-three years old"),
            (Label::Age, "18 mo. 3 wks"),
            (Label::Age, "early 90s"),
            (Label::Age, "40-45"),
            (Label::Age, "1.5"),
            (Label::Age, "40 to 45 years"),
            (Label::Date, "March 4th, 2019"),
            (Label::Time, "10:30-11:15"),
            (Label::Time, "10:30:00.000 AM EST"),
            (Label::Time, "103000"),
            (Label::Time, "10:30:00.0000000"),
            (Label::Time, "10:30-11:15 -0500"),
            (Label::Patient, "Karen Jones"),
        ] {
            assert!(!holds_more(label, value), "{value}");
        }
    }
}
