//! Surrogates of every class for any value.

use std::sync::LazyLock;

use chrono::{Datelike, Duration, NaiveDate};
use plainsight::phi::{Class, Kind, Label};
use plainsight::surrogate::{
    AgesOver89, AreaCodes, Key, Pseudonyms, Replacement, Revealed, SurrogateOptions, Surrogates,
};

use crate::input::{self, parts};

static KEY: LazyLock<Key> = LazyLock::new(|| Key::from_hex(&"a7".repeat(32)).expect("64 digits"));

/// Ways to write a date that leave nothing to guess: in digits, and with the name of the month.
const IN_DIGITS: [&str; 4] = ["%m/%d/%Y", "%Y-%m-%d", "%Y%m%d", "%m-%d-%Y"];
const IN_WORDS: [&str; 5] = ["%d%b%Y", "%B %d, %Y", "%d %B %Y", "%b %d, %Y", "%A, %B %d, %Y"];

/// The surrogates of one of few patients, under options that a byte chooses.
fn patient(text: &str) -> (Surrogates, SurrogateOptions) {
    let choice = text.bytes().next().unwrap_or_default();
    let options = SurrogateOptions {
        ages_over_89: if choice & 1 == 0 { AgesOver89::default() } else { AgesOver89::From90 },
        area_codes: [AreaCodes::Changed, AreaCodes::State, AreaCodes::Kept][usize::from(choice >> 1) % 3],
        reserved_numbers: choice & 32 != 0,
        keep_states: choice & 64 != 0,
        ..SurrogateOptions::default()
    };
    (Surrogates::with_options(&KEY, text, options), options)
}

/// A class, a patient and a value. A surrogate is never empty, never a value that must change, always the same, and what is told of it
/// becomes it.
pub fn surrogates(bytes: &[u8]) {
    let text = input::text(bytes);
    let [class, id, value] = parts(&text);
    let class = input::class(class);
    let ((surrogates, options), (again, _)) = (patient(id), patient(id));
    let surrogate = surrogates.replace(class, value);
    assert!(!surrogate.is_empty());
    let may_stay = match class.label {
        Label::Time => {
            assert!(value.is_empty() || surrogate == value);
            true
        }
        // Only what names nothing but states.
        Label::State => options.keep_states && !value.is_empty(),
        // Only words for a time of life.
        Label::Age => class.kind != Kind::AgeOver89 && !value.chars().any(char::is_numeric),
        _ => false,
    };
    assert!(may_stay || !surrogate.trim().eq_ignore_ascii_case(value.trim()), "{class} became itself");
    again.replace(class, "another value, asked for first");
    assert_eq!(again.replace(class, value), surrogate);
    assert!(surrogate.len() <= 8 * value.len() + 200, "{} bytes became {}", value.len(), surrogate.len());
    let told = match surrogates.reveal(class, &surrogate) {
        Revealed::Value(original) => vec![original],
        Revealed::OneOf(originals) => originals,
        Revealed::NotInvertible { .. } => Vec::new(),
    };
    assert!(told.iter().all(|original| again.replace(class, original) == surrogate));
    surrogates.reveal(class, value);
    for &replacement in Replacement::ALL {
        let written = surrogates.write(replacement, class, value, None);
        let masked = matches!(replacement, Replacement::Mask | Replacement::MaskWhole);
        assert_eq!(written.is_empty(), masked && value.is_empty());
        if masked {
            let (before, after) = (value.chars().count(), written.chars().count());
            // An accent of its own goes with its letter, and an entity of HTML is one character.
            assert!(if value.is_ascii() && !value.contains('&') { after == before } else { after <= before });
        }
    }
}

/// A patient, an anchor and a value; and a day of its own, which moves by the patient's shift in every unambiguous form.
pub fn dates(bytes: &[u8]) {
    let text = input::text(bytes);
    let [id, anchor, value] = parts(&text);
    let (surrogates, _) = patient(id);
    let anchor = anchor.parse::<NaiveDate>().ok();
    for kind in [Kind::Unknown, Kind::DateFull, Kind::DatePartial, Kind::DateYear, Kind::DateWeekday, Kind::DateHoliday]
    {
        let class = Class { label: Label::Date, kind };
        let surrogate = surrogates.replace_at(class, value, anchor);
        assert!(!surrogate.is_empty() && !surrogate.trim().eq_ignore_ascii_case(value.trim()));
        assert_eq!(surrogates.replace_at(class, value, anchor), surrogate);
        surrogates.reveal_at(class, &surrogate, anchor);
    }
    let number = bytes.iter().fold(0_u32, |number, byte| number.wrapping_mul(31).wrapping_add(u32::from(*byte)));
    // From the year 1942 to 2027: those before the oldest year are taken to be of it.
    let Some(day) = NaiveDate::from_num_days_from_ce_opt(709_000 + (number % 31_000) as i32) else { return };
    // May is no shorter than its short form, so that it does not tell how to write another month.
    let forms = if number % 2 == 0 || day.month() == 5 { &IN_DIGITS[..] } else { &IN_WORDS };
    let form = forms[(number / 31_000) as usize % forms.len()];
    let moved = day + Duration::days(surrogates.date_shift_days());
    let class = Class { label: Label::Date, kind: Kind::DateFull };
    let surrogate = surrogates.replace(class, &day.format(form).to_string());
    assert_eq!(unpadded(&surrogate), unpadded(&moved.format(form).to_string()));
}

/// A date without the zeros before its numbers: from the 17th nobody can tell whether the 7th has one.
fn unpadded(date: &str) -> String {
    let bytes = date.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let is_padding = |at: usize| bytes[at] == b'0' && is_digit(at + 1) && !(at > 0 && is_digit(at - 1));
    date.char_indices().filter(|(at, _)| !is_padding(*at)).map(|(_, character)| character).collect()
}

/// A class of numbers and two values: of ASCII, form stays, two values stay two, and the way back leads to the value. Then pseudonyms.
pub fn numbers(bytes: &[u8]) {
    let text = input::text(bytes);
    let [class, one, other] = parts(&text);
    let class = match input::class(class) {
        class if class.label.is_number() && class.label != Label::Ssn => class,
        _ => Class::of(Label::IdNum),
    };
    let surrogates = Surrogates::new(&KEY, "1");
    if [one, other].iter().all(|value| is_number(value)) {
        let [of_one, of_other] = [one, other].map(|value| surrogates.replace(class, value));
        assert_eq!(shape(&of_one), shape(one));
        if shape(one) == shape(other) && one != other {
            assert_ne!(of_one, of_other, "two values became one");
        }
        let told = match surrogates.reveal(class, &of_one) {
            Revealed::Value(told) => vec![told],
            Revealed::OneOf(told) => told,
            Revealed::NotInvertible { reason } => panic!("{reason}"),
        };
        assert!(told.iter().any(|told| told == one), "the value is not told");
    }
    let pseudonyms = Pseudonyms::new(&KEY, class.label.name());
    let [first, second] = [one, other].map(|value| number(value.as_bytes()));
    let images = [first, second].map(|number| pseudonyms.integer(number));
    assert!(images[0] != first && (images[0] < 0) == (first < 0) && (images[0] == images[1]) == (first == second));
    let images = [first, second].map(|number| pseudonyms.integer_32(number as i32));
    assert!(images[0] != first as i32 && (images[0] == images[1]) == (first as i32 == second as i32));
    assert_eq!(pseudonyms.text(one) == pseudonyms.text(other), one == other);
    assert_eq!(pseudonyms.text(one).len(), 26);
}

/// Letters and digits with single separators between them, not too long: what numbers in notes are.
fn is_number(value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric();
    let bytes = value.as_bytes();
    (1..=40).contains(&bytes.len())
        && bytes.iter().all(|&byte| is_plain(byte) || matches!(byte, b'-' | b'/' | b'.'))
        && bytes.first().copied().is_some_and(is_plain)
        && bytes.last().copied().is_some_and(is_plain)
}

/// What of a number stays: everything but which digits and letters it has.
fn shape(text: &str) -> String {
    let kind = |character: char| match character {
        '0'..='9' => '9',
        'A'..='Z' => 'A',
        'a'..='z' => 'a',
        other => other,
    };
    text.chars().map(kind).collect()
}

fn number(bytes: &[u8]) -> i64 {
    bytes.iter().fold(0, |number: i64, byte| number.wrapping_mul(257).wrapping_add(i64::from(*byte)))
}
