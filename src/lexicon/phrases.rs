//! Phrases of several words, for one automaton over the text.
//!
//! ```text
//! "long beach" City 466,000 · "st. louis", "st louis", "saint louis" City · "truck driver" Profession · "at&t" Organization
//! ```

use super::Lexicon;
use super::fold::Folded;
use super::table::Table;
use super::word::WordFlags;

/// What a phrase is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PhraseClass {
    /// A city or town.
    City,
    /// A US state or territory.
    State,
    /// A US county, with its `County` or `Parish`.
    County,
    /// A country.
    Country,
    /// A region, park, airport or other landmark.
    Landmark,
    /// An ethnicity, language or nationality: no place.
    Nationality,
    /// A job outside care.
    Profession,
    /// A role of the care staff: no identifier.
    CareRole,
    /// A well-known hospital.
    Hospital,
    /// A well-known pharmacy, insurer, laboratory, employer, school or club.
    Organization,
    /// What a hospital's name ends in.
    HospitalCue,
    /// What a pharmacy's name ends in.
    PharmacyCue,
    /// What a school's name ends in.
    SchoolCue,
    /// What a congregation's name ends in.
    ChurchCue,
    /// What a company's name ends in.
    CompanyCue,
    /// What an insurer's name ends in or holds.
    InsurerCue,
    /// What the name of a service ends in.
    ServiceCue,
    /// A medical term that begins with a name: `Foley catheter`.
    Eponym,
    /// A drug, disease, procedure or device.
    Medical,
}

impl PhraseClass {
    /// The flag of words and phrases of this class.
    pub const fn flag(self) -> WordFlags {
        match self {
            Self::City => WordFlags::CITY,
            Self::State => WordFlags::STATE,
            Self::County => WordFlags::COUNTY,
            Self::Country => WordFlags::COUNTRY,
            Self::Landmark => WordFlags::LANDMARK,
            Self::Nationality => WordFlags::NATIONALITY,
            Self::Profession => WordFlags::PROFESSION,
            Self::CareRole => WordFlags::CARE_ROLE,
            Self::Hospital => WordFlags::HOSPITAL,
            Self::Organization => WordFlags::ORGANIZATION,
            Self::HospitalCue => WordFlags::HOSPITAL_CUE,
            Self::PharmacyCue => WordFlags::PHARMACY_CUE,
            Self::SchoolCue => WordFlags::SCHOOL_CUE,
            Self::ChurchCue => WordFlags::CHURCH_CUE,
            Self::CompanyCue => WordFlags::COMPANY_CUE,
            Self::InsurerCue => WordFlags::INSURER_CUE,
            Self::ServiceCue => WordFlags::SERVICE_CUE,
            Self::Eponym => WordFlags::EPONYM,
            Self::Medical => WordFlags::MEDICAL,
        }
    }
}

/// The phrases, their texts end to end in one buffer.
#[derive(Default)]
pub(super) struct Phrases {
    texts: String,
    entries: Vec<(u32, u8, PhraseClass, u32)>,
}

impl Phrases {
    /// Flags a word or phrase in the table and, unless it is one plain word, keeps it for the automaton.
    pub fn add(&mut self, table: &mut Table, text: &str, class: PhraseClass, count: u32) {
        let Some(key) = Folded::of(text) else { return };
        let info = table.entry(&key);
        info.flags |= class.flag();
        if class == PhraseClass::City {
            info.population = info.population.max(count);
        }
        let lower = text.to_ascii_lowercase();
        if lower.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return;
        }
        self.keep(&lower, class, count);
        if lower != key.as_str() {
            // Written without its marks: `st louis`, `lowes`, `winston salem`.
            let bare: String = lower.chars().filter(|letter| !matches!(letter, '.' | '\'')).collect();
            for variant in [bare.as_str(), key.as_str(), lower.replace('\'', "’").as_str()] {
                if variant != lower && variant.bytes().any(|byte| !byte.is_ascii_alphanumeric()) {
                    self.keep(variant, class, count);
                }
            }
        }
    }

    fn keep(&mut self, text: &str, class: PhraseClass, count: u32) {
        // Keys are at most 64 bytes, texts little longer: a length fits a byte, and all texts together 32 bits.
        if let Ok(length) = u8::try_from(text.len()) {
            self.entries.push((self.texts.len() as u32, length, class, count));
            self.texts.push_str(text);
        }
    }

    /// Forgets repetitions.
    pub fn finish(&mut self) {
        let texts = &self.texts;
        let text = |entry: &(u32, u8, PhraseClass, u32)| &texts[entry.0 as usize..entry.0 as usize + entry.1 as usize];
        self.entries.sort_unstable_by(|a, b| text(a).cmp(text(b)).then(a.2.cmp(&b.2)).then(b.3.cmp(&a.3)));
        self.entries.dedup_by(|later, first| text(later) == text(first) && later.2 == first.2);
    }
}

impl Lexicon {
    /// Every phrase that is not one plain word, in small letters with the marks it is written with (`st. louis`, `st louis`,
    /// `at&t`), its class, and its inhabitants where it is a place; a phrase of several classes comes once for each.
    pub fn phrases(&self) -> impl Iterator<Item = (&str, PhraseClass, u32)> {
        self.phrases.entries.iter().map(|&(start, length, class, count)| {
            (&self.phrases.texts[start as usize..start as usize + length as usize], class, count)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn phrases_are_small_distinct_and_flagged() {
        let lexicon = Lexicon::shared();
        let mut seen = HashSet::new();
        for (phrase, class, _) in lexicon.phrases() {
            assert!(!phrase.is_empty() && !phrase.bytes().any(|byte| byte.is_ascii_uppercase()), "{phrase}");
            assert!(lexicon.word(phrase).is(class.flag()), "{phrase}");
            assert!(seen.insert((phrase, class)), "{phrase}");
        }
        assert!(seen.len() > 15_000);
        for phrase in ["st. louis", "st louis", "saint louis", "winston-salem", "winston salem", "o'fallon", "o’fallon"]
        {
            assert!(seen.contains(&(phrase, PhraseClass::City)), "{phrase}");
        }
        assert!(seen.contains(&("truck driver", PhraseClass::Profession)));
        assert!(seen.contains(&("medical center", PhraseClass::HospitalCue)));
        assert!(seen.contains(&("mayo clinic", PhraseClass::Hospital)));
        assert!(!seen.iter().any(|(phrase, _)| *phrase == "chicago"));
    }
}
