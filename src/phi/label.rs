//! What an identifier is: the labels of i2b2-2014 and the sub-kinds that policies tell apart.

use std::fmt;
use std::str::FromStr;

use super::PhiError;

macro_rules! labels {
    ($($variant:ident = $name:literal, $doc:literal;)+) => {
        /// One category of protected health information, named as in the i2b2-2014 guideline.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Label { $(#[doc = $doc] $variant,)+ }

        impl Label {
            /// Every label, in declaration order; `Label::ALL[label as usize] == label`.
            pub const ALL: &'static [Label] = &[$(Label::$variant,)+];

            /// The name used in data sets, SQL and policy files.
            pub const fn name(self) -> &'static str {
                match self { $(Label::$variant => $name,)+ }
            }
        }

        impl FromStr for Label {
            type Err = PhiError;
            fn from_str(name: &str) -> Result<Self, PhiError> {
                $(if name.eq_ignore_ascii_case($name) { return Ok(Label::$variant); })+
                Err(PhiError::UnknownLabel { name: name.to_owned() })
            }
        }
    };
}

labels! {
    Patient = "PATIENT", "The patient, kin, friends and every other private person.";
    Doctor = "DOCTOR", "A person of the care staff, initials at sign-off included.";
    Username = "USERNAME", "A user id or sign-on code.";
    Profession = "PROFESSION", "A job of a person outside care.";
    Hospital = "HOSPITAL", "A care site, named unit, numbered room or bed.";
    Organization = "ORGANIZATION", "An employer, school, church, pharmacy, insurer, laboratory, service or club.";
    Street = "STREET", "A street line, house number included.";
    City = "CITY", "A city, town or village.";
    State = "STATE", "A state or province.";
    Country = "COUNTRY", "A country.";
    Zip = "ZIP", "A postal code.";
    LocationOther = "LOCATION-OTHER", "A building, county, park, airport, region or landmark.";
    Age = "AGE", "An age, in digits or words.";
    Date = "DATE", "A full or partial date, year, weekday, season, quarter or holiday.";
    Phone = "PHONE", "A telephone, pager or extension number.";
    Fax = "FAX", "A fax number.";
    Email = "EMAIL", "An e-mail address.";
    Url = "URL", "A web address.";
    IpAddr = "IPADDR", "An internet protocol address.";
    Ssn = "SSN", "A social security number, or its last four digits when said to be so.";
    MedicalRecord = "MEDICALRECORD", "The site's record number.";
    HealthPlan = "HEALTHPLAN", "A member, group, policy, Medicare or NHS number.";
    Account = "ACCOUNT", "A visit, encounter or financial account number.";
    License = "LICENSE", "A DEA, NPI, CLIA, driver's or professional licence number.";
    Vehicle = "VEHICLE", "A number plate or vehicle identification number.";
    Device = "DEVICE", "A serial, lot or unique device identifier.";
    BioId = "BIOID", "A biometric identifier.";
    IdNum = "IDNUM", "Any other unique number.";
    Time = "TIME", "A clock time: auxiliary, for templates; in no policy and left out of scores.";
}

impl fmt::Display for Label {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

macro_rules! kinds {
    ($($variant:ident = $name:literal of $label:expr, $doc:literal;)+) => {
        /// A part of a label that policies tell apart.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        #[repr(u8)]
        pub enum Kind {
            /// The label has no sub-kind, or it is not known: policies treat it as removed wherever any kind of the label is.
            #[default]
            Unknown,
            $(#[doc = $doc] $variant,)+
        }

        impl Kind {
            /// Every kind; `Kind::ALL[kind as usize] == kind`.
            pub const ALL: &'static [Kind] = &[Kind::Unknown, $(Kind::$variant,)+];

            /// The name used in data sets and policy files (`DATE:year`); empty for [`Kind::Unknown`].
            pub const fn name(self) -> &'static str {
                match self { Kind::Unknown => "", $(Kind::$variant => $name,)+ }
            }

            /// The label this is a part of; none for [`Kind::Unknown`].
            pub const fn label(self) -> Option<Label> {
                match self { Kind::Unknown => None, $(Kind::$variant => Some($label),)+ }
            }
        }
    };
}

kinds! {
    DateFull = "full" of Label::Date, "Day, month and year.";
    DatePartial = "partial" of Label::Date, "A date without its year or its day.";
    DateYear = "year" of Label::Date, "A bare year or decade.";
    DateWeekday = "weekday" of Label::Date, "A weekday that stands alone.";
    DateHoliday = "holiday" of Label::Date, "A holiday.";
    DateSeason = "season" of Label::Date, "A season or quarter.";
    LocationCounty = "county" of Label::LocationOther, "A county.";
    LocationUnit = "unit" of Label::LocationOther, "A unit, room or building of a site.";
    LocationLandmark = "landmark" of Label::LocationOther, "A park, airport, region or landmark.";
    AgeOver89 = "over-89" of Label::Age, "An age of 90 years or more.";
    AgeUpTo89 = "up-to-89" of Label::Age, "An age of at most 89 years.";
}

/// What a policy decides about: a label with its sub-kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Class {
    /// The label.
    pub label: Label,
    /// Its sub-kind, [`Kind::Unknown`] where it has none.
    pub kind: Kind,
}

impl Class {
    /// A label without sub-kind.
    pub const fn of(label: Label) -> Self {
        Self { label, kind: Kind::Unknown }
    }
}

impl From<Label> for Class {
    fn from(label: Label) -> Self {
        Self::of(label)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Unknown => write!(formatter, "{}", self.label),
            kind => write!(formatter, "{}:{}", self.label, kind.name()),
        }
    }
}

impl FromStr for Class {
    type Err = PhiError;

    fn from_str(text: &str) -> Result<Self, PhiError> {
        let Some((label, kind)) = text.split_once(':') else {
            return Ok(Self::of(text.parse()?));
        };
        let label: Label = label.parse()?;
        Kind::ALL
            .iter()
            .find(|candidate| candidate.label() == Some(label) && candidate.name().eq_ignore_ascii_case(kind))
            .map(|&kind| Self { label, kind })
            .ok_or_else(|| PhiError::UnknownLabel { name: text.to_owned() })
    }
}
