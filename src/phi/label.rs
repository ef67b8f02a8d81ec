//! What an identifier is: the labels of i2b2-2014 and the sub-kinds that policies tell apart.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

use super::PhiError;

macro_rules! labels {
    ($($variant:ident = $name:literal, $doc:literal;)+) => {
        /// One category of protected health information, named as in the i2b2-2014 guideline, or one of a site's own.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Label {
            $(#[doc = $doc] $variant,)+
            /// A label that a site's annotations and the model trained on them have beside these.
            Site(SiteLabel),
        }

        impl Label {
            /// Every label but a site's own, in declaration order.
            pub const ALL: &'static [Label] = &[$(Label::$variant,)+];

            /// The name used in data sets, SQL and policy files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Label::$variant => $name,)+
                    Label::Site(label) => label.name(),
                }
            }
        }

        impl FromStr for Label {
            type Err = PhiError;

            /// The label of that name, without regard to case; of a site's own, those that [`Label::or_site`] has seen.
            fn from_str(name: &str) -> Result<Self, PhiError> {
                $(if name.eq_ignore_ascii_case($name) { return Ok(Label::$variant); })+
                SiteLabel::known(name)
                    .map(Label::Site)
                    .ok_or_else(|| PhiError::UnknownLabel { name: name.to_owned() })
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

/// The name of a label that is none of ours, for annotations and models with a label set of their own.
///
/// ```
/// use plainsight::phi::Label;
/// let sex = Label::or_site("SEXO_SUJETO_ASISTENCIA")?;
/// assert_eq!(sex.name(), "SEXO_SUJETO_ASISTENCIA");
/// assert_eq!(Label::or_site("doctor")?, Label::Doctor);
/// assert!(Label::or_site("two words").is_err());
/// # Ok::<(), plainsight::phi::PhiError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteLabel(&'static str);

/// The names given so far. A label is copied with every claim, so its name lives as long as the program; label sets are small.
static SITE_LABELS: RwLock<BTreeSet<&'static str>> = RwLock::new(BTreeSet::new());

/// How many labels of their own the sites of one program may have, so that a wrong column read as labels does not fill memory.
const MOST_SITE_LABELS: usize = 1000;

impl SiteLabel {
    /// The name.
    pub const fn name(self) -> &'static str {
        self.0
    }

    fn known(name: &str) -> Option<Self> {
        let names = SITE_LABELS.read().unwrap_or_else(PoisonError::into_inner);
        names.iter().find(|known| known.eq_ignore_ascii_case(name)).copied().map(Self)
    }
}

impl Label {
    /// Whether it is a person's name.
    pub const fn is_person(self) -> bool {
        matches!(self, Self::Patient | Self::Doctor)
    }

    /// Whether it is a number or code that stands for a person or thing, told apart from the others of its kind by cues alone.
    pub const fn is_number(self) -> bool {
        matches!(
            self,
            Self::Ssn
                | Self::MedicalRecord
                | Self::HealthPlan
                | Self::Account
                | Self::License
                | Self::Vehicle
                | Self::Device
                | Self::BioId
                | Self::IdNum
        )
    }

    /// The label of that name, which becomes a site's own where it is none of ours: letters, digits, `-`, `_` and `.`, at most 64.
    ///
    /// # Errors
    /// [`PhiError::UnknownLabel`] where the name cannot be a label's, or a thousand others were given already.
    pub fn or_site(name: &str) -> Result<Self, PhiError> {
        let unknown = || PhiError::UnknownLabel { name: name.chars().take(80).collect() };
        if let Ok(label) = name.parse() {
            return Ok(label);
        }
        let is_name = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_' | '.');
        if name.is_empty() || name.chars().count() > 64 || !name.chars().all(is_name) {
            return Err(unknown());
        }
        let mut names = SITE_LABELS.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = names.iter().find(|known| known.eq_ignore_ascii_case(name)) {
            return Ok(Self::Site(SiteLabel(known)));
        }
        if names.len() >= MOST_SITE_LABELS {
            return Err(unknown());
        }
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        names.insert(name);
        Ok(Self::Site(SiteLabel(name)))
    }
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
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

impl From<Class> for String {
    fn from(class: Class) -> Self {
        class.to_string()
    }
}

impl TryFrom<String> for Class {
    type Error = PhiError;

    fn try_from(text: String) -> Result<Self, PhiError> {
        text.parse()
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
