//! When two writings are one value.
//!
//! ```text
//! PATIENT  John C. Smith = SMITH, JOHN      DATE  3/4/19 = March 4, 2019      PHONE  (507) 555-0101 = 1-507-555-0101
//! ```

use std::collections::HashSet;

use super::casing::fold;
use super::countries::country_key;
use super::entities::Entities;
use super::lists::place_key;
use super::special_words::is_special;
use super::tables::Tables;
use super::words::words;
use super::{Surrogates, dates};
use crate::phi::{Class, Label};

/// How many numbers tags have.
const NUMBERS: u128 = 9_999;

/// The values of a patient's record in one writing each, for telling where a surrogate happens to be one of them.
///
/// A surrogate that equals another value of the patient is left as it is: drawing again would make it depend on what the record holds,
/// and a record that grows would change what earlier notes were given. So such equalities are counted.
#[derive(Debug, Clone, Default)]
pub struct OwnValues {
    values: Vec<(Class, String)>,
    canonical: HashSet<(Group, String)>,
}

/// How many values were compared, and how many of their surrogates are another value of the same record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChanceEqualities {
    /// Values of the record; for names, their words.
    pub values: usize,
    /// Those whose surrogate is also in the record.
    pub equal: usize,
}

/// Labels whose values may be confused with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Group {
    Name,
    Number,
    Other(Label),
}

impl OwnValues {
    /// The values of one patient's record.
    pub fn new<'v>(record: impl IntoIterator<Item = (Class, &'v str)>) -> Self {
        let values: Vec<(Class, String)> = record
            .into_iter()
            .filter(|(_, value)| !value.trim().is_empty())
            .map(|(class, value)| (class, value.to_owned()))
            .collect();
        let canonical = values
            .iter()
            .flat_map(|(class, value)| parts(*class, value).into_iter().map(|part| (group(class.label), part)))
            .collect();
        Self { values, canonical }
    }

    /// Whether a surrogate, or a word of it where it is a name, is a value of the record.
    pub fn hold(&self, class: Class, surrogate: &str) -> bool {
        let group = group(class.label);
        parts(class, surrogate).into_iter().any(|part| self.canonical.contains(&(group, part)))
    }

    /// How many values of the record have a surrogate that is in the record too.
    pub fn chance_equalities(&self, surrogates: &Surrogates) -> ChanceEqualities {
        let mut counted = ChanceEqualities::default();
        for (class, value) in &self.values {
            let surrogate = surrogates.replace(*class, value);
            for part in parts(*class, &surrogate) {
                counted.values += 1;
                counted.equal += usize::from(self.canonical.contains(&(group(class.label), part)));
            }
        }
        counted
    }
}

impl Surrogates {
    /// A number from 1 to 9999 that is the same for all writings of one value in all notes of the patient.
    pub fn number(&self, class: Class, value: &str) -> u32 {
        let mut input = class.label.name().as_bytes().to_vec();
        input.push(0);
        input.extend_from_slice(canonical(class, value).as_bytes());
        1 + self.randomness.draw("number of a tag", &input).below(NUMBERS) as u32
    }
}

fn group(label: Label) -> Group {
    match label {
        Label::Patient | Label::Doctor => Group::Name,
        Label::Phone | Label::Fax | Label::Zip | Label::Username => Group::Number,
        label if label.is_number() => Group::Number,
        label => Group::Other(label),
    }
}

/// What of a value is compared by itself: the words of a name, the whole of everything else. Ages and times are not compared.
fn parts(class: Class, value: &str) -> Vec<String> {
    match class.label {
        Label::Age | Label::Time => Vec::new(),
        Label::Patient | Label::Doctor => match Entities::of(value) {
            Some(entities) => name_words(&entities.plain),
            None => name_words(value),
        },
        _ => vec![canonical(class, value)],
    }
}

fn name_words(value: &str) -> Vec<String> {
    let all: Vec<String> = words(value).iter().map(|word| fold(word.text)).collect();
    let named: Vec<String> = all.iter().filter(|word| word.chars().count() > 1 && !is_special(word)).cloned().collect();
    if named.is_empty() { all } else { named }
}

/// One writing for all writings of a value.
pub(super) fn canonical(class: Class, value: &str) -> String {
    let entities = Entities::of(value);
    let value = entities.as_ref().map_or(value, |entities| &entities.plain);
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
        _ => letters_and_digits(value),
    }
}

fn letters_and_digits(value: &str) -> String {
    value.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::Key;

    #[test]
    fn writings_of_one_value_are_one() {
        for (label, left, right) in [
            (Label::Patient, "Mr. John C. Smith, Jr.", "smith, john"),
            (Label::Date, "20190304", "4 March 2019"),
            (Label::MedicalRecord, "7-123-456", "7123456"),
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

    #[test]
    fn chance_equalities_are_counted() {
        let surrogates = Surrogates::new(&Key::from_hex(&"11".repeat(32)).unwrap(), "1");
        let class = Class::of(Label::Patient);
        let own = OwnValues::new([(class, "John Smith"), (class, "Mary Smith"), (Label::Age.into(), "44")]);
        assert_eq!(own.chance_equalities(&surrogates), ChanceEqualities { values: 4, equal: 0 });
        // A son who happens to be called what his father becomes.
        let son = surrogates.replace(class, "John");
        let own = OwnValues::new([(class, "John Smith"), (class, son.as_str())]);
        assert_eq!(own.chance_equalities(&surrogates).equal, 1);
        assert!(own.hold(class, &surrogates.replace(class, "Mr. John")) && !own.hold(class, "Zebedee"));
    }
}
