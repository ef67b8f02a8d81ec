//! Surrogates: what stands in a note instead of an identifier, as one keyed function.
//!
//! ```text
//! key, patient ─▶ Surrogates ── replace(class, value) ─▶ surrogate     no table, no state, any worker, any day
//!
//! PATIENT  SMITH, JOHN C → MOORE, DANIEL R        DATE   March 5th, 2014 → January 8th, 2014
//! PHONE    (507) 555-0101 → (934) 218-7760        CITY   Rochester → a city of the state that Minnesota becomes
//! ```
//!
//! - Within a patient the same value has the same surrogate in every note; across patients surrogates are independent.
//! - A value of a listed range moves within it by a keyed permutation without fixed point; what no list holds is
//!   composed from a keyed hash.
//! - Form stays: capitals, separators, lengths of numbers, the way a date is written.
//! - No value that must change comes back as it was.

mod abbreviations;
mod addresses;
mod age_words;
mod ages;
mod apart;
mod canonical;
mod casing;
mod code_lists;
mod composed;
mod contacts;
mod countries;
mod dates;
mod entities;
mod exchange;
mod hosts;
mod ids;
mod institution_words;
mod internet;
mod jobs;
mod key;
mod latin;
mod letter_pairs;
mod lists;
mod markers;
mod names;
mod network;
mod nicknames;
mod options;
mod organizations;
mod partition;
mod parts;
mod permutation;
mod phrases;
mod place_tables;
mod places;
mod pseudonyms;
mod radix;
mod remarks;
mod remembered;
mod replacement;
mod reveal;
mod scripts;
mod serials;
mod special_words;
mod state_lists;
mod states;
mod streets;
mod tables;
mod tags;
mod telephone;
mod telephones;
mod titles;
mod towns;
mod words;

use std::borrow::Cow;
use std::cell::OnceCell;

use chrono::{Datelike, NaiveDate};

use crate::phi::{Class, Kind, Label};
use apart::Apart;
use contacts::Contacts;
use dates::Moving;
use entities::Entities;
use exchange::Exchange;
use ids::Family;
use names::Names;
use organizations::Institutions;
use permutation::{Direction, Randomness};
use places::PatientPlaces;
use remembered::Remembered;
use tags::Tags;

pub use dates::{DateStyle, is_no_day, is_only_date};
pub use key::{Key, KeyError};
pub use options::{AgesOver89, AreaCodes, DateOrder, DateShift, OptionsError, ShiftUnit, SurrogateOptions};
pub use pseudonyms::{Pseudonyms, pseudonym_integer, pseudonym_text};
pub use replacement::{Replacement, UnknownReplacement};
pub use reveal::Revealed;

/// The day that a text says, where it is a full date, perhaps with a time.
pub fn day_of(text: &str, order: DateOrder) -> Option<NaiveDate> {
    dates::first_day(&as_meant(Label::Date, text), order)
}

/// A value without tags and entities.
fn as_meant(label: Label, value: &str) -> Cow<'_, str> {
    let value = Tags::of(label, value).map_or(Cow::Borrowed(value), |tags| Cow::Owned(tags.plain));
    let read = Entities::of(&value).map(|entities| entities.plain);
    read.map_or(value, Cow::Owned)
}

/// No identifier has more bytes.
const LONGEST_VALUE: usize = 1_000;
/// Bytes of the pieces in which longer values are replaced: about as many as a code has, which is soon another one of its form.
const LENGTH_OF_PIECES: usize = 24;

/// The surrogates of one patient.
///
/// Making one costs about a microsecond. It holds the patient's subkey and remembers what it was lately asked for, as notes repeat
/// themselves; both are wiped or freed with it, and no answer depends on what was asked before. Each thread makes its own.
pub struct Surrogates {
    randomness: Randomness,
    options: SurrogateOptions,
    letters: OnceCell<[u8; 26]>,
    exchange: OnceCell<Exchange>,
    days: i64,
    remembered: Remembered,
    /// The same for words of names, places and institutions.
    words: Remembered,
}

impl Surrogates {
    /// The surrogates of a patient under a key. The identifier is taken as it is: another spelling is another patient.
    pub fn new(key: &Key, patient_id: &str) -> Self {
        Self::with_options(key, patient_id, SurrogateOptions::default())
    }

    /// The same under other options than the default ones.
    pub fn with_options(key: &Key, patient_id: &str, options: SurrogateOptions) -> Self {
        let randomness = Randomness::new(*key.derive_for("surrogates", patient_id));
        let shift = options.date_shift;
        let days = shift.days(randomness.draw("date shift", b"").index(shift.choices()));
        let (letters, exchange) = (OnceCell::new(), OnceCell::new());
        let (remembered, words) = (Remembered::default(), Remembered::default());
        Self { randomness, options, letters, exchange, days, remembered, words }
    }

    /// The number of days by which the patient's dates move: whole weeks from eight to fifty-two, in either direction, unless
    /// options say otherwise.
    pub const fn date_shift_days(&self) -> i64 {
        self.days
    }

    /// The day that stands for a day of a structured column, as it would in a note: shifted with the patient's dates, and of those that
    /// tell an age over 89 no earlier than [`SurrogateOptions::oldest_year`]. None at the edge of the calendar.
    pub fn shift_day(&self, day: NaiveDate) -> Option<NaiveDate> {
        self.moving(None).day(day.year(), day.month(), day.day())
    }

    /// The surrogate of a value of a class.
    ///
    /// It is never empty. It differs from the value, except for what options keep and for what is no identifier: a clock time, a time of
    /// life in words as `newborn`. A value that has neither letters nor digits, and so no form to keep, becomes its label in brackets.
    pub fn replace(&self, class: Class, value: &str) -> String {
        self.replace_at(class, value, None)
    }

    /// The same in a note of a day: dates without a year are in the year in which they are nearest to it.
    pub fn replace_at(&self, class: Class, value: &str, anchor: Option<NaiveDate>) -> String {
        if let Some(tags) = Tags::of(class.label, value).filter(|_| value.len() <= LONGEST_VALUE) {
            return tags.write(&self.replace_at(class, &tags.plain, anchor));
        }
        let kept = match class.label {
            Label::Time => true,
            // `Rochester, MN` is more than a state.
            Label::State => {
                self.options.keep_states
                    && parts::of(Label::State, value)
                        .is_none_or(|parts| parts.iter().all(|part| part.label == Label::State))
            }
            Label::Age => class.kind != Kind::AgeOver89 && age_words::is_time_of_life(value),
            _ => false,
        };
        if kept && !value.is_empty() {
            return value.to_owned();
        }
        let anchor = anchor.filter(|_| class.label == Label::Date);
        self.remembered.or_make(class, anchor, value, || self.make(class, value, anchor))
    }

    fn make(&self, class: Class, value: &str, anchor: Option<NaiveDate>) -> String {
        if value.len() > LONGEST_VALUE {
            return self.make_in_pieces(class, value);
        }
        if let Some(entities) = Entities::of(value) {
            let written = entities.write(&self.replace_at(class, &entities.plain, anchor));
            if self.is_changed(value, &written) {
                return written;
            }
        }
        if let Some(parts) = parts::of(class.label, value) {
            let others: Vec<String> = parts.iter().map(|part| self.replace(part.label.into(), part.text)).collect();
            let written = parts::write(value, &parts, others.iter().map(String::as_str));
            if self.is_changed(value, &written) {
                return written;
            }
        }
        // What is written apart must be read so on the way back too.
        let apart = Apart::of(class.label, value)
            .map(|apart| apart.write(&self.replace_at(class, &apart.whole, anchor)))
            .filter(|written| Apart::of(class.label, written).is_some());
        let surrogate = apart.unwrap_or_else(|| self.of_class(class, value, anchor));
        if self.is_changed(value, &surrogate) {
            return surrogate;
        }
        let code = ids::replace(&self.randomness, Family::Identifier, value);
        if self.is_changed(value, &code) { code } else { format!("[{}]", class.label) }
    }

    /// What is longer than any identifier (a line of letters without a blank, an attachment in the text) is replaced piece by piece as
    /// codes are: the arithmetic of one code grows with the square of its length, and so does the search for one of its form.
    fn make_in_pieces(&self, class: Class, value: &str) -> String {
        let mut written = String::with_capacity(value.len());
        let mut rest = value;
        while !rest.is_empty() {
            let end = (1..=rest.len().min(LENGTH_OF_PIECES))
                .rev()
                .find(|&at| rest.is_char_boundary(at))
                .unwrap_or(rest.len());
            let (piece, after) = rest.split_at(end);
            written.push_str(&ids::replace(&self.randomness, Family::Identifier, piece));
            rest = after;
        }
        if self.is_changed(value, &written) { written } else { format!("[{}]", class.label) }
    }

    fn is_changed(&self, value: &str, surrogate: &str) -> bool {
        !surrogate.trim().is_empty() && !surrogate.trim().eq_ignore_ascii_case(value.trim())
    }

    fn moving(&self, anchor: Option<NaiveDate>) -> Moving {
        let oldest = Some(i32::from(self.options.oldest_year)).filter(|&year| year > 0);
        Moving::forth(self.days, anchor).not_before(oldest).in_order(self.options.date_order)
    }

    fn of_class(&self, class: Class, value: &str, anchor: Option<NaiveDate>) -> String {
        let randomness = &self.randomness;
        match class.label {
            Label::Patient | Label::Doctor => self.names().replace(value),
            Label::Date => dates::replace(randomness, self.moving(anchor), class.kind, value),
            Label::Age => ages::replace(randomness, self.options.ages_over_89, value, class.kind == Kind::AgeOver89)
                .unwrap_or_else(|| ids::replace(randomness, Family::Identifier, value)),
            Label::Phone | Label::Fax => telephone::replace(randomness, self.options, value),
            Label::IpAddr => self.code(Family::InternetAddress, class.label, value),
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
            Label::Ssn => ids::social_security(randomness, Direction::Forth, value),
            Label::Vehicle => self.code(Family::Vehicle, class.label, value),
            Label::Username
            | Label::MedicalRecord
            | Label::HealthPlan
            | Label::Account
            | Label::License
            | Label::Device
            | Label::BioId
            | Label::IdNum
            | Label::Time
            | Label::Site(_) => self.code(Family::Identifier, class.label, value),
        }
    }

    /// One code, such as a record number or an Internet address.
    fn code(&self, family: Family, label: Label, value: &str) -> String {
        ids::turn_one(&self.randomness, Direction::Forth, family, label, value)
    }

    fn names(&self) -> Names<'_> {
        Names { randomness: &self.randomness, letters: self.letters(), remembered: &self.words }
    }

    fn letters(&self) -> &[u8; 26] {
        self.letters.get_or_init(|| names::exchange_letters(&self.randomness))
    }

    fn places(&self) -> PatientPlaces<'_> {
        let exchange = self.exchange.get_or_init(|| Exchange::new(&self.randomness, self.options.keep_states));
        PatientPlaces { randomness: &self.randomness, exchange, remembered: &self.words }
    }

    fn institutions(&self) -> Institutions<'_> {
        Institutions { places: self.places(), letters: self.letters() }
    }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
