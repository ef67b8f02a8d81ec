//! Surrogates: what stands in a note instead of an identifier, as one keyed function.
//!
//! ```text
//! key, patient ─▶ Surrogates ── replace(class, value) ─▶ surrogate     no table, no state, any worker, any day
//!
//! PATIENT  SMITH, JOHN C → HUGHES, KEVIN R        DATE   March 5th, 2014 → January 8th, 2014
//! PHONE    (507) 555-0101 → (934) 218-7760        CITY   Rochester → a city of the state that Minnesota becomes
//! ```
//!
//! - Within a patient the same value has the same surrogate in every note; across patients surrogates are independent.
//! - A value of a listed range moves within it by a keyed permutation without fixed point; what no list holds is
//!   composed from a keyed hash.
//! - Form stays: capitals, separators, lengths of numbers, the way a date is written.
//! - No value that must change comes back as it was.

mod ages;
mod casing;
mod composed;
mod contacts;
mod dates;
mod ids;
mod internet;
mod key;
mod names;
mod numbers;
mod organizations;
mod partition;
mod permutation;
mod phrases;
mod places;
mod pseudonyms;
mod scripts;
mod streets;
mod tables;
mod titles;
mod words;

use std::sync::OnceLock;

use crate::phi::{Class, Kind, Label};
use contacts::Contacts;
use ids::Family;
use names::Names;
use organizations::Institutions;
use permutation::Randomness;
use places::PatientPlaces;

pub use key::{Key, KeyError};
pub use pseudonyms::{Pseudonyms, pseudonym_integer, pseudonym_text};

/// The surrogates of one patient.
///
/// Making one costs about a microsecond; it holds the patient's subkey and nothing of any note.
pub struct Surrogates {
    randomness: Randomness,
    letters: OnceLock<[u8; 26]>,
    states: OnceLock<Vec<u8>>,
    days: i64,
}

impl Surrogates {
    /// The surrogates of a patient under a key. The identifier is taken as it is: another spelling is another patient.
    pub fn new(key: &Key, patient_id: &str) -> Self {
        let mut hasher = blake3::Hasher::new_keyed(&key.derive("surrogates"));
        hasher.update(patient_id.as_bytes());
        let randomness = Randomness::new(*hasher.finalize().as_bytes());
        let days = dates::shift_days(&randomness);
        Self { randomness, letters: OnceLock::new(), states: OnceLock::new(), days }
    }

    /// The number of days by which the patient's dates move: eight to fifty-two whole weeks, in either direction.
    pub const fn date_shift_days(&self) -> i64 {
        self.days
    }

    /// The surrogate of a value of a class.
    ///
    /// It is never empty. It differs from the value, except for a clock time, which is no identifier; a value that has
    /// neither letters nor digits, and so no form to keep, becomes its label in brackets.
    pub fn replace(&self, class: Class, value: &str) -> String {
        if class.label == Label::Time && !value.is_empty() {
            return value.to_owned();
        }
        let surrogate = self.of_class(class, value);
        if self.is_changed(value, &surrogate) {
            return surrogate;
        }
        let code = ids::replace(&self.randomness, Family::Identifier, value);
        if self.is_changed(value, &code) { code } else { format!("[{}]", class.label) }
    }

    fn is_changed(&self, value: &str, surrogate: &str) -> bool {
        !surrogate.trim().is_empty() && !surrogate.trim().eq_ignore_ascii_case(value.trim())
    }

    fn of_class(&self, class: Class, value: &str) -> String {
        let randomness = &self.randomness;
        match class.label {
            Label::Patient | Label::Doctor => self.names().replace(value),
            Label::Date => dates::replace(randomness, self.days, class.kind, value),
            Label::Age => ages::replace(randomness, value, class.kind == Kind::AgeOver89)
                .unwrap_or_else(|| ids::replace(randomness, Family::Identifier, value)),
            Label::Phone | Label::Fax => ids::replace(randomness, Family::Telephone, value),
            Label::IpAddr => ids::replace(randomness, Family::InternetAddress, value),
            Label::Email => {
                let contacts = Contacts { names: self.names() };
                contacts.email(value).unwrap_or_else(|| contacts.url(value))
            }
            Label::Url => Contacts { names: self.names() }.url(value),
            Label::City => self.places().city(value),
            Label::State => self.places().state(value),
            Label::Country => self.places().country(value),
            Label::Zip => self.places().postal_code(value),
            Label::Street => self.places().street(value),
            Label::Hospital | Label::Organization => self.institutions().replace(value),
            Label::LocationOther => self.institutions().landmark(value, class.kind == Kind::LocationCounty),
            Label::Profession => self.institutions().profession(value),
            Label::Ssn => ids::social_security(randomness, value),
            Label::Username
            | Label::MedicalRecord
            | Label::HealthPlan
            | Label::Account
            | Label::License
            | Label::Vehicle
            | Label::Device
            | Label::BioId
            | Label::IdNum
            | Label::Time
            | Label::Site(_) => ids::replace(randomness, Family::Identifier, value),
        }
    }

    fn names(&self) -> Names<'_> {
        let letters = self.letters.get_or_init(|| names::exchange_letters(&self.randomness));
        Names { randomness: &self.randomness, letters }
    }

    fn places(&self) -> PatientPlaces<'_> {
        let states = self.states.get_or_init(|| places::exchange_states(&self.randomness));
        PatientPlaces { randomness: &self.randomness, states }
    }

    fn institutions(&self) -> Institutions<'_> {
        Institutions { places: self.places() }
    }
}

#[cfg(test)]
mod tests;
