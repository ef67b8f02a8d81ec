//! When two writings are one value.
//!
//! ```text
//! PATIENT  John C. Smith = SMITH, JOHN      DATE  3/4/19 = March 4, 2019      PHONE  (507) 555-0101 = 1-507-555-0101
//! ```

use super::casing::fold;
use super::countries::country_key;
use super::lists::place_key;
use super::special_words::is_special;
use super::tables::Tables;
use super::words::words;
use super::{Surrogates, as_meant, dates};
use crate::phi::{Class, Label};

/// How many numbers tags have.
const NUMBERS: u128 = 9_999;

impl Surrogates {
    /// A number from 1 to 9999 that is the same for all writings of one value in all notes of the patient.
    pub fn number(&self, class: Class, value: &str) -> u32 {
        let mut input = class.label.name().as_bytes().to_vec();
        input.push(0);
        input.extend_from_slice(canonical(class, value).as_bytes());
        1 + self.randomness.draw("number of a tag", &input).below(NUMBERS) as u32
    }
}

fn name_words(value: &str) -> Vec<String> {
    let all: Vec<String> = words(value).iter().map(|word| fold(word.text)).collect();
    let named: Vec<String> = all.iter().filter(|word| word.chars().count() > 1 && !is_special(word)).cloned().collect();
    if named.is_empty() { all } else { named }
}

/// One writing for all writings of a value.
pub(super) fn canonical(class: Class, value: &str) -> String {
    let meant = as_meant(class.label, value);
    let value = meant.as_ref();
    match class.label {
        Label::Patient | Label::Doctor => {
            let mut words = name_words(value);
            words.sort_unstable();
            words.join(" ")
        }
        Label::Date => dates::canonical(value).unwrap_or_else(|| fold(value.trim())),
        Label::Phone | Label::Fax => {
            let digits = letters_and_digits(value);
            let national = digits.strip_prefix("001").filter(|rest| rest.len() == 10);
            let national = national.or_else(|| digits.strip_prefix('1').filter(|rest| rest.len() >= 10));
            national.map_or(digits.clone(), str::to_owned)
        }
        Label::State => {
            Tables::shared().state(value).map_or_else(|| place_key(value), |(index, _)| format!("state {index}"))
        }
        Label::Country => country_key(value),
        Label::City | Label::Street | Label::Hospital | Label::Organization | Label::LocationOther => place_key(value),
        Label::Email | Label::Url | Label::IpAddr | Label::Profession | Label::Age | Label::Time => fold(value.trim()),
        _ => {
            let code = letters_and_digits(value);
            // A number has one surrogate with the zeros before it and without.
            let is_number = code.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { code.trim_start_matches('0').to_owned() } else { code }
        }
    }
}

fn letters_and_digits(value: &str) -> String {
    value.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writings_of_one_value_are_one() {
        for (label, left, right) in [
            (Label::Patient, "Mr. John C. Smith, Jr.", "smith, john"),
            (Label::Date, "20190304", "4 March 2019"),
            (Label::MedicalRecord, "7-123-456", "7123456"),
            (Label::MedicalRecord, "00123456", "123456"),
            (Label::City, "St. Paul", "SAINT PAUL"),
            (Label::Phone, "001 507 555 0101", "(507) 555-0101"),
            (Label::Country, "U.S.", "United States of America"),
            (Label::Email, "A@B.org", "a@b.org"),
            (Label::Patient, "Ann&nbsp;Mu&ntilde;oz", "Munoz, Ann"),
        ] {
            assert_eq!(canonical(label.into(), left), canonical(label.into(), right), "{left}");
        }
        assert_ne!(canonical(Label::Date.into(), "3/4/2019"), canonical(Label::Date.into(), "3/4"));
        assert_eq!(canonical(Label::Patient.into(), "J."), "j");
    }
}
