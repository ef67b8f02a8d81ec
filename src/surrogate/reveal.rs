//! The way back, for those who have the key: from a surrogate to what it stands for.
//!
//! ```text
//! Kevin Hughes ─▶ John Smith        01/14/2019 ─▶ 03/04/2019        Hadley Clinic ─▶ cannot be told: it was drawn from a list
//! ```
//!
//! Whatever may have been the original is worked out and replaced again: only what becomes the surrogate counts. So a wrong value is
//! never told; where several values have one surrogate, all of them are.

use std::slice;

use chrono::NaiveDate;

use super::apart::Apart;
use super::canonical::canonical;
use super::casing::fold;
use super::entities::Entities;
use super::ids::{self, Family};
use super::parts::{self, Part};
use super::permutation::Direction;
use super::tags::Tags;
use super::words::words;
use super::{LONGEST_VALUE, Surrogates, dates, telephone};
use crate::phi::{Class, Kind, Label};

/// What a surrogate stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revealed {
    /// This value. It may have been written with other capitals, accents or leading zeros.
    Value(String),
    /// One of these values, which have the same surrogate.
    OneOf(Vec<String>),
    /// It cannot be told.
    NotInvertible {
        /// Why, without any value.
        reason: &'static str,
    },
}

impl Revealed {
    fn of(mut values: Vec<String>, without: &'static str) -> Self {
        match (values.len(), values.pop()) {
            (_, None) => Self::NotInvertible { reason: without },
            (1, Some(value)) => Self::Value(value),
            (_, Some(last)) => {
                values.push(last);
                Self::OneOf(values)
            }
        }
    }

    /// The same values in another writing, where they are right in it.
    fn written(self, write: impl Fn(&str) -> String, is_right: impl Fn(&str) -> bool) -> Self {
        let values = match self {
            Self::Value(value) => vec![value],
            Self::OneOf(values) => values,
            told @ Self::NotInvertible { .. } => return told,
        };
        let written = values.iter().map(|value| write(value)).filter(|value| is_right(value));
        Self::of(written.collect(), NO_ORIGINAL)
    }
}

/// How many ways of putting parts together are told at most.
const MOST_READINGS: usize = 512;

/// Names of seasons, which move by a rule of their own that is not undone with every date.
const SEASONS: [&str; 8] = ["autumn", "fall", "spring", "springtime", "summer", "summertime", "winter", "wintertime"];

const NO_ORIGINAL: &str = "no value has this surrogate in the notes of this patient, under this key and these options";

const TOO_MANY: &str = "it can be read in too many ways";

/// Why nothing is found.
fn no_original(class: Class, surrogate: &str) -> &'static str {
    let season = || words(surrogate).iter().any(|word| SEASONS.contains(&fold(word.text).as_str()));
    if class.label == Label::Date && season() { "a season cannot be led back" } else { NO_ORIGINAL }
}

impl Surrogates {
    /// The value that has a surrogate in the notes of this patient.
    pub fn reveal(&self, class: Class, surrogate: &str) -> Revealed {
        self.reveal_at(class, surrogate, None)
    }

    /// The value that has a surrogate in a note of an original day, which was given to [`Surrogates::replace_at`] too.
    pub fn reveal_at(&self, class: Class, surrogate: &str, anchor: Option<NaiveDate>) -> Revealed {
        if surrogate.len() > LONGEST_VALUE {
            return Revealed::NotInvertible { reason: "it is longer than any identifier" };
        }
        let is_right = |value: &str| {
            let image = self.replace_at(class, value, anchor);
            image == surrogate || class.label == Label::Date && dates::is_written_as(surrogate, value, image)
        };
        if let Some(tags) = Tags::of(class.label, surrogate) {
            return self.reveal_at(class, &tags.plain, anchor).written(|value| tags.write(value), is_right);
        }
        if let Some(entities) = Entities::of(surrogate) {
            return self.reveal_at(class, &entities.plain, anchor).written(|value| entities.write(value), is_right);
        }
        if let Some(apart) = Apart::of(class.label, surrogate) {
            return self.reveal_at(class, &apart.whole, anchor).written(|value| apart.write(value), is_right);
        }
        if let Some(parts) = parts::of(class.label, surrogate) {
            return self.reveal_parts(class, surrogate, &parts);
        }
        let mut originals = match self.originals(class, surrogate, anchor) {
            Ok(originals) => originals,
            Err(reason) => return Revealed::NotInvertible { reason },
        };
        // What nothing else changed was given a code.
        originals.push(ids::turn(&self.randomness, Direction::Back, Family::Identifier, surrogate));
        originals.retain(|original| is_right(original));
        let mut told: Vec<(String, String)> = Vec::with_capacity(1);
        for original in originals {
            let value = canonical(class, &original);
            if !told.iter().any(|(known, _)| *known == value) {
                told.push((value, original));
            }
        }
        Revealed::of(told.into_iter().map(|(_, original)| original).collect(), no_original(class, surrogate))
    }

    /// The value whose parts have these surrogates; nothing where that of one cannot be told.
    fn reveal_parts(&self, class: Class, surrogate: &str, parts: &[Part]) -> Revealed {
        let mut found: Vec<Vec<String>> = vec![Vec::new()];
        for part in parts {
            let choices = match self.reveal(part.label.into(), part.text) {
                Revealed::Value(value) => vec![value],
                Revealed::OneOf(values) => values,
                told @ Revealed::NotInvertible { .. } => return told,
            };
            if found.len() * choices.len() > MOST_READINGS {
                return Revealed::NotInvertible { reason: TOO_MANY };
            }
            let with = |known: &[String]| -> Vec<Vec<String>> {
                choices.iter().map(|choice| [known, slice::from_ref(choice)].concat()).collect()
            };
            found = found.iter().flat_map(|known| with(known)).collect();
        }
        let write = |texts: &Vec<String>| parts::write(surrogate, parts, texts.iter().map(String::as_str));
        let mut values: Vec<String> = found.iter().map(write).collect();
        values.retain(|value| self.replace(class, value) == surrogate);
        Revealed::of(values, NO_ORIGINAL)
    }

    /// What may have become a surrogate; a superset.
    fn originals(&self, class: Class, surrogate: &str, anchor: Option<NaiveDate>) -> Result<Vec<String>, &'static str> {
        let turned =
            |family: Family| Ok(vec![ids::turn_one(&self.randomness, Direction::Back, family, class.label, surrogate)]);
        match class.label {
            Label::Time => Ok(vec![surrogate.to_owned()]),
            Label::Patient | Label::Doctor => self.names().before(surrogate).ok_or(TOO_MANY),
            Label::Date => {
                let moving = self.moving(anchor);
                let originals = dates::before(&self.randomness, moving, class.kind, surrogate);
                if dates::may_hide_an_age(moving, surrogate, &originals) {
                    return Err("dates of all years that tell an age over 89 are taken to be of one");
                }
                Ok(originals)
            }
            Label::Phone | Label::Fax if self.options.reserved_numbers => {
                Err("reserved numbers stand for many numbers each")
            }
            Label::Phone | Label::Fax => {
                Ok(vec![telephone::turn(&self.randomness, Direction::Back, self.options.area_codes, surrogate)])
            }
            Label::IpAddr => turned(Family::InternetAddress),
            Label::Ssn => Ok(vec![ids::social_security(&self.randomness, Direction::Back, surrogate)]),
            Label::Vehicle => turned(Family::Vehicle),
            Label::Username
            | Label::MedicalRecord
            | Label::HealthPlan
            | Label::Account
            | Label::License
            | Label::Device
            | Label::BioId
            | Label::IdNum
            | Label::Site(_) => turned(Family::Identifier),
            Label::City => {
                Ok(self.places().city_before(surrogate).into_iter().collect()).and_then(|cities: Vec<String>| {
                    if cities.is_empty() {
                        Err("a made-up town stands for a name that no list holds")
                    } else {
                        Ok(cities)
                    }
                })
            }
            Label::State if self.options.keep_states => Ok(vec![surrogate.to_owned()]),
            Label::State => self
                .places()
                .turn_state(Direction::Back, surrogate)
                .map(|state| vec![state])
                .ok_or("a made-up region stands for a name that no list holds"),
            Label::Zip => Ok(vec![self.places().turn_postal_code(Direction::Back, surrogate)]),
            Label::LocationOther if class.kind == Kind::LocationCounty => self
                .places()
                .county_before(surrogate)
                .map(|county| vec![county])
                .ok_or("it stands for the name of a county that no list holds"),
            Label::Age => Err("ages over 89 share one surrogate, and lower ones are changed by a few years"),
            Label::Email | Label::Url => Err("domains are made up"),
            Label::Country | Label::Profession => Err("what is listed and what is not share a list"),
            Label::Street | Label::Hospital | Label::Organization | Label::LocationOther => {
                Err("names of streets, institutions and landmarks are chosen from lists that they share")
            }
        }
    }
}
