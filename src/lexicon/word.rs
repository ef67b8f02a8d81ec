//! What is known of one word: a set of flags, and the counts that weigh them.
//!
//! ```text
//! "Rose" ─▶ { GIVEN_NAME 196,000 bearers, women · SURNAME 150,000 · ENGLISH size 20 }
//! ```

use std::ops::{BitOr, BitOrAssign};

/// Whose given name it is: at least four bearers in five.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sex {
    /// Mostly women's.
    Female,
    /// Mostly men's.
    Male,
}

/// The census group that at least half of a name's bearers report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Origin {
    /// White, not Hispanic.
    White = 1,
    /// Black or African American, not Hispanic.
    Black = 2,
    /// Hispanic or Latino of any race.
    Hispanic = 3,
    /// Asian, Native Hawaiian or Pacific Islander.
    Asian = 4,
    /// American Indian or Alaska Native.
    Native = 5,
}

impl Origin {
    /// The origin that a data file's letter stands for; none for `-` and anything else.
    pub(super) fn from_code(code: &str) -> Option<Self> {
        match code {
            "w" => Some(Self::White),
            "b" => Some(Self::Black),
            "h" => Some(Self::Hispanic),
            "a" => Some(Self::Asian),
            "n" => Some(Self::Native),
            _ => None,
        }
    }
}

/// A set of things that a word, or a phrase, can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WordFlags(u32);

macro_rules! flags {
    ($($name:ident = $bit:literal, $doc:literal;)+) => {
        impl WordFlags {
            $(#[doc = $doc] pub const $name: Self = Self(1 << $bit);)+
        }
    };
}

flags! {
    SURNAME = 0, "A surname of the census or of the written lists.";
    GIVEN_NAME = 1, "A given name of the census or of the written lists.";
    NICKNAME = 2, "A given name that has nicknames, or is one.";
    ENGLISH = 3, "An ordinary English word, written small; [`WordInfo::english_band`] says how common.";
    MEDICAL = 4, "A word of disease, anatomy, procedure or device names.";
    DRUG = 5, "A generic or brand name of a drug (also [`WordFlags::MEDICAL`]).";
    ABBREVIATION = 6, "A clinical abbreviation (also [`WordFlags::MEDICAL`]).";
    EPONYM = 7, "A person or place whose name is a medical term's first part.";
    CITY = 8, "A whole city or town name.";
    CITY_PART = 9, "A word of a city name of several words.";
    STATE = 10, "A state or territory of the United States, by its full name.";
    STATE_ABBREVIATION = 11, "A state's two-letter code or old short form (`MN`, `Minn`); many are words too, so mind the case in the text.";
    COUNTY = 12, "A US county, with or without its `County`.";
    COUNTRY = 13, "A country, its usual short forms included.";
    LANDMARK = 14, "A region, park, airport or other landmark.";
    NATIONALITY = 15, "An ethnicity, language, religion or nationality: no place, though it looks like one.";
    PROFESSION = 16, "A job outside care.";
    CARE_ROLE = 17, "A role of the care staff: never an identifier.";
    STREET_SUFFIX = 18, "A usual street suffix: `street`, `ave`, `blvd`.";
    RARE_STREET_SUFFIX = 19, "A street suffix that is more often another word: `hill`, `station`, `rest`.";
    DIRECTION = 20, "A direction as written in addresses: `n`, `southwest`.";
    PARTICLE = 21, "A particle inside surnames: `de`, `van`, `al`.";
    HOSPITAL = 22, "A well-known hospital or care site.";
    ORGANIZATION = 23, "A well-known pharmacy, insurer, laboratory, employer, school or club.";
    HOSPITAL_CUE = 24, "What a hospital's name ends in: `hospital`, `medical center`, `clinic`.";
    PHARMACY_CUE = 25, "What a pharmacy's name ends in.";
    SCHOOL_CUE = 26, "What a school's name ends in.";
    CHURCH_CUE = 27, "What a congregation's name ends in.";
    COMPANY_CUE = 28, "What a company's name ends in: `inc`, `llc`, `plumbing`.";
    INSURER_CUE = 29, "What an insurer's name ends in or holds.";
    SERVICE_CUE = 30, "What the name of a service ends in: `fire department`, `funeral home`.";
    HEADING = 31, "A word that headings and form labels are made of: title case says nothing there.";
}

impl WordFlags {
    /// No flag.
    pub const NONE: Self = Self(0);

    /// What the names of hospitals, pharmacies, schools, congregations, companies, insurers and services end in.
    pub const KIND_CUES: Self = Self::HOSPITAL_CUE
        .union(Self::PHARMACY_CUE)
        .union(Self::SCHOOL_CUE)
        .union(Self::CHURCH_CUE)
        .union(Self::COMPANY_CUE)
        .union(Self::INSURER_CUE)
        .union(Self::SERVICE_CUE);

    /// Whether all flags of `other` are set.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any flag of `other` is set.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The flags of both; for constants, where `|` cannot be used.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether no flag is set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as bits, for feature vectors; stable within one version of the program.
    pub const fn bits(self) -> u32 {
        self.0
    }
}

impl BitOr for WordFlags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl BitOrAssign for WordFlags {
    fn bitor_assign(&mut self, other: Self) {
        *self = self.union(other);
    }
}

/// Marks a share of women that is not known.
pub(super) const NO_SHARE: u8 = u8::MAX;

/// All that one probe of the lexicon tells; for an unknown word, [`WordInfo::UNKNOWN`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordInfo {
    /// What the word is.
    pub flags: WordFlags,
    /// Bearers of it as a surname in the United States, 0 where it is none.
    pub surname_count: u32,
    /// Bearers of it as a given name in the United States, 0 where it is none.
    pub given_count: u32,
    /// Inhabitants of the largest city of this name, 0 where it is none or the number is not known.
    pub population: u32,
    pub(super) surname_origin: Option<Origin>,
    pub(super) given_origin: Option<Origin>,
    pub(super) female_percent: u8,
    pub(super) english_size: u8,
}

impl WordInfo {
    /// What is known of a word that the lexicon does not hold.
    pub const UNKNOWN: Self = Self {
        flags: WordFlags::NONE,
        surname_count: 0,
        given_count: 0,
        population: 0,
        surname_origin: None,
        given_origin: None,
        female_percent: NO_SHARE,
        english_size: 0,
    };

    /// Whether all these flags are set.
    #[inline]
    pub const fn is(&self, flags: WordFlags) -> bool {
        self.flags.contains(flags)
    }

    /// Whether any of these flags is set.
    #[inline]
    pub const fn is_any(&self, flags: WordFlags) -> bool {
        self.flags.intersects(flags)
    }

    /// How common an English word this is: 0 in every dictionary, 1 in a usual one, 2 in a large, 3 in a huge one.
    pub const fn english_band(&self) -> Option<u8> {
        match self.english_size {
            0 => None,
            1..=35 => Some(0),
            36..=60 => Some(1),
            61..=70 => Some(2),
            _ => Some(3),
        }
    }

    /// The smallest SCOWL list with the word, a finer measure than the band: 10 (the commonest 4,000), 20 (12,000), 35, 40, 50, 55, 60, 70, 80.
    #[inline]
    pub const fn english_size(&self) -> Option<u8> {
        if self.english_size == 0 { None } else { Some(self.english_size) }
    }

    /// Whether so many bear the word as a surname, 10,000 of the census, that it is oftener somebody than the eponym, the verb or the general word that
    /// is written alike.
    #[inline]
    pub const fn is_common_surname(&self) -> bool {
        self.surname_count >= 10_000
    }

    /// The word as a surname.
    pub fn surname(&self) -> Option<NameEntry> {
        self.is(WordFlags::SURNAME).then_some(NameEntry {
            count: self.surname_count,
            sex: None,
            origin: self.surname_origin,
        })
    }

    /// The word as a given name.
    pub fn given_name(&self) -> Option<NameEntry> {
        self.is(WordFlags::GIVEN_NAME).then_some(NameEntry {
            count: self.given_count,
            sex: sex_of(self.female_percent),
            origin: self.given_origin,
        })
    }
}

impl Default for WordInfo {
    fn default() -> Self {
        Self::UNKNOWN
    }
}

/// The sex that at least four bearers in five have.
pub(super) fn sex_of(female_percent: u8) -> Option<Sex> {
    match female_percent {
        0..=20 => Some(Sex::Male),
        80..=100 => Some(Sex::Female),
        _ => None,
    }
}

/// A word as a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameEntry {
    /// Bearers in the United States; 50 for surnames too rare to be counted, at least 500 for names of the written lists.
    pub count: u32,
    /// Whose name it is, none for surnames and names of either sex.
    pub sex: Option<Sex>,
    /// The census group of most bearers.
    pub origin: Option<Origin>,
}
