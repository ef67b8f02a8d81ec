//! Names of people: surnames, given names, nicknames.
//!
//! ```text
//! surname("O’Brien") ─▶ 116,000 bearers, White     given_name("josé") ─▶ Male, Hispanic     nicknames("Bob") ─▶ robert, …
//! ```

use std::collections::HashMap;

use super::fold::Folded;
use super::table::Table;
use super::word::{NO_SHARE, NameEntry, Origin, Sex, WordFlags, sex_of};
use super::{Lexicon, files};

/// A given name as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivenName {
    /// The name, its first letter large.
    pub name: &'static str,
    /// Whose name it is, none for names of either sex.
    pub sex: Option<Sex>,
    /// The census group of most bearers.
    pub origin: Option<Origin>,
    /// Bearers in the United States.
    pub count: u32,
}

/// A surname as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surname {
    /// The name, with its inner capitals and apostrophe: `McDonald`, `O'Brien`.
    pub name: &'static str,
    /// The census group of most bearers.
    pub origin: Option<Origin>,
    /// Bearers in the United States; 50 where too few to be counted.
    pub count: u32,
}

/// What this file contributes to the lexicon.
pub(super) struct Names {
    given: Vec<GivenName>,
    surnames: Vec<Surname>,
    nicknames: HashMap<&'static str, Vec<&'static str>>,
}

impl Names {
    pub fn load(table: &mut Table) -> Self {
        // The files are in order of count.
        let surnames = load_surnames(table);
        let given = load_given_names(table);
        let nicknames = load_nicknames(table);
        for particle in files::section(files::NAMES_WRITTEN, "particle") {
            super::mark(table, particle, WordFlags::PARTICLE);
        }
        Self { given, surnames, nicknames }
    }
}

fn load_surnames(table: &mut Table) -> Vec<Surname> {
    files::rows(files::unpack_forever(files::SURNAMES))
        .filter_map(|[name, count, origin]| {
            let surname = Surname { name, origin: Origin::from_code(origin), count: count.parse().ok()? };
            let info = table.entry(&Folded::of(name)?);
            info.flags |= WordFlags::SURNAME;
            info.surname_count = surname.count;
            info.surname_origin = surname.origin;
            Some(surname)
        })
        .collect()
}

fn load_given_names(table: &mut Table) -> Vec<GivenName> {
    files::rows(files::unpack_forever(files::GIVEN_NAMES))
        .filter_map(|[name, count, female, origin]| {
            let female_percent = female.parse().unwrap_or(NO_SHARE);
            let origin = Origin::from_code(origin);
            let given = GivenName { name, sex: sex_of(female_percent), origin, count: count.parse().ok()? };
            let info = table.entry(&Folded::of(name)?);
            info.flags |= WordFlags::GIVEN_NAME;
            info.given_count = given.count;
            info.given_origin = given.origin;
            info.female_percent = female_percent;
            Some(given)
        })
        .collect()
}

/// The bearers that a name of the written lists is taken to have where the census knows fewer: their true number is not
/// known, and this is what tells a name from a chance likeness without making it common.
const WORLD_COUNT: u32 = 500;

/// Flags the written names. They are for recognition alone: surrogates are chosen from the census.
pub(super) fn load_world_names(table: &mut Table) {
    for (section, name) in files::items(files::WORLD_NAMES_WRITTEN) {
        let Some(key) = Folded::of(name) else { continue };
        let info = table.entry(&key);
        let (flag, count) = match section {
            "surname" => (WordFlags::SURNAME, &mut info.surname_count),
            _ => (WordFlags::GIVEN_NAME, &mut info.given_count),
        };
        *count = (*count).max(WORLD_COUNT);
        info.flags |= flag;
    }
}

fn load_nicknames(table: &mut Table) -> HashMap<&'static str, Vec<&'static str>> {
    let mut nicknames: HashMap<&'static str, Vec<&'static str>> = HashMap::new();
    let mut pair = |name: &'static str, other: &'static str| {
        if name == other {
            return;
        }
        for (from, to) in [(name, other), (other, name)] {
            let known = nicknames.entry(from).or_default();
            if !known.contains(&to) {
                known.push(to);
            }
        }
    };
    for [name, others] in files::rows(files::unpack_forever(files::NICKNAMES)) {
        others.split(',').for_each(|other| pair(name, other));
    }
    for item in files::section(files::NAMES_WRITTEN, "nickname") {
        let (name, others) = item.split_once(':').unwrap_or((item, ""));
        others.split('|').map(str::trim).filter(|other| !other.is_empty()).for_each(|other| pair(name.trim(), other));
    }
    nicknames.keys().for_each(|name| super::mark(table, name, WordFlags::NICKNAME));
    nicknames
}

impl Lexicon {
    /// The word as a surname, whatever its case and accents; the parts of a hyphenated name are asked for one by one.
    pub fn surname(&self, word: &str) -> Option<NameEntry> {
        self.word(word).surname()
    }

    /// The word as a given name, whatever its case and accents.
    pub fn given_name(&self, word: &str) -> Option<NameEntry> {
        self.word(word).given_name()
    }

    /// The nicknames of a given name and the full names of a nickname, folded; empty where none is known.
    pub fn nicknames(&self, given: &str) -> &[&'static str] {
        Folded::of(given).and_then(|key| self.names.nicknames.get(key.as_str())).map_or(&[], Vec::as_slice)
    }

    /// All given names, the commonest first.
    pub fn given_names(&self) -> &[GivenName] {
        &self.names.given
    }

    /// All surnames, the commonest first.
    pub fn surnames(&self) -> &[Surname] {
        &self.names.surnames
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_writing() {
        let lexicon = Lexicon::shared();
        for word in ["Smith", "SMITH", "smith", "O'Brien", "O’BRIEN", "McDonald", "Muñoz", "Nguyễn", "García"] {
            assert!(lexicon.surname(word).is_some_and(|name| name.count > 10_000), "{word}");
        }
        assert!(lexicon.surname("Xqzzt").is_none());
        assert_eq!(lexicon.surname("Garcia").unwrap().origin, Some(Origin::Hispanic));
        assert_eq!(lexicon.surname("Nguyen").unwrap().origin, Some(Origin::Asian));
        assert_eq!(lexicon.given_name("MARY").unwrap().sex, Some(Sex::Female));
        assert_eq!(lexicon.given_name("josé").unwrap().sex, Some(Sex::Male));
        assert_eq!(lexicon.given_name("Jamie").unwrap().sex, None);
    }

    #[test]
    fn names_of_the_world_beyond_the_census() {
        let lexicon = Lexicon::shared();
        for word in ["Sivapalan", "Djordjevic", "Mukamana", "Rhydderch", "Taumoepeau"] {
            assert!(lexicon.surname(word).is_some_and(|name| name.count >= WORLD_COUNT), "{word}");
        }
        for word in ["Aoibhinn", "Zsuzsanna", "Mkrtich", "Nomvula", "Phindile", "Kaleialoha"] {
            assert!(lexicon.given_name(word).is_some_and(|name| name.count >= WORLD_COUNT), "{word}");
        }
        for section in ["surname", "given"] {
            let names = files::section(files::WORLD_NAMES_WRITTEN, section);
            assert!(names.len() >= 1_000, "{section} {}", names.len());
        }
    }

    #[test]
    fn nicknames_go_both_ways() {
        let lexicon = Lexicon::shared();
        assert!(lexicon.nicknames("Robert").contains(&"bob"));
        assert!(lexicon.nicknames("BOB").contains(&"robert"));
        for (name, others) in &lexicon.names.nicknames {
            assert!(others.iter().all(|other| lexicon.nicknames(other).contains(name)), "{name}");
        }
        assert!(lexicon.nicknames("Xqzzt").is_empty());
    }

    #[test]
    fn slices_are_ordered_distinct_and_found_again() {
        let lexicon = Lexicon::shared();
        assert!(lexicon.surnames().len() > 170_000 && lexicon.given_names().len() > 50_000);
        assert!(
            lexicon.surnames().windows(2).all(|pair| pair[0].count >= pair[1].count && pair[0].name != pair[1].name)
        );
        assert!(lexicon.given_names().windows(2).all(|pair| pair[0].count >= pair[1].count));
        assert!(lexicon.surnames().iter().all(|name| {
            lexicon
                .surname(name.name)
                .is_some_and(|entry| entry.count == name.count.max(WORLD_COUNT) || entry.count == name.count)
        }));
        assert!(
            lexicon
                .given_names()
                .iter()
                .all(|name| lexicon.given_name(name.name).is_some_and(|entry| entry.sex == name.sex))
        );
        assert!(lexicon.surnames().iter().any(|name| name.name == "O'Brien"));
        assert!(lexicon.surnames().iter().any(|name| name.name == "McDonald"));
    }
}
