//! One word of names, and what it is besides.
//!
//! ```text
//! grant   given name of one, family name of another    an ordinary word sometimes
//! may     given name                                   a word of grammar, a month
//! ```

use std::sync::OnceLock;

use super::fold::Key;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};

/// What a name word is besides: the more usual that is, the more its surroundings must say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Usual {
    /// A name and nothing else.
    No,
    /// An ordinary word, but above all a given name: `grant`, `penny`, `joy`.
    Sometimes,
    /// A common or medical word: `strong`, `early`, `case`, `frank`.
    Often,
    /// A word of grammar: `will`, `may`, `her`.
    Grammar,
}

/// People, as bits; those of a large dictionary share the last one.
pub(super) type People = u64;

/// One word of names.
#[derive(Debug)]
pub(super) struct NameWord {
    pub key: Key,
    /// Whose given, middle and family name it is.
    pub given: People,
    pub middle: People,
    pub family: People,
    /// Whether it was first met as a name that can stand alone, and whether it was so later.
    pub lone_at_first: bool,
    pub lone_again: bool,
    /// Asked for only where the name stands in a note, and looked up then: most names of a record stand in no note.
    facts: OnceLock<Facts>,
}

/// What a name word is besides.
#[derive(Debug, Clone, Copy)]
struct Facts {
    usual: Usual,
    calendar: bool,
    particle: bool,
    medical: bool,
}

impl Facts {
    fn of(key: &str) -> Self {
        let info = Lexicon::shared().word(key);
        let calendar = listed!(key, CALENDAR);
        let medical = info.is_any(WordFlags::MEDICAL.union(WordFlags::CARE_ROLE));
        let usual = if listed!(key, GRAMMAR) {
            Usual::Grammar
        } else if medical || listed!(key, COMMON) {
            Usual::Often
        } else {
            match info.english_size() {
                Some(..=20) if info.given_count < 30_000 => Usual::Often,
                Some(..=70) => Usual::Sometimes,
                _ if info.is(WordFlags::NATIONALITY) || calendar => Usual::Sometimes,
                _ => Usual::No,
            }
        };
        Self {
            usual,
            calendar,
            particle: info.is(WordFlags::PARTICLE),
            medical: medical && info.surname_count < COMMON_SURNAME,
        }
    }
}

impl NameWord {
    /// A word that is nobody's as yet, by its key.
    pub(super) const fn new(key: Key, lone_at_first: bool) -> Self {
        Self { key, given: 0, middle: 0, family: 0, lone_at_first, lone_again: false, facts: OnceLock::new() }
    }

    /// All whose name it is part of.
    pub(super) const fn people(&self) -> People {
        self.given | self.middle | self.family
    }

    fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| Facts::of(self.key.as_str()))
    }

    /// How usual a word it is besides.
    pub(super) fn usual(&self) -> Usual {
        self.facts().usual
    }

    /// Whether it is a month or a season.
    pub(super) fn is_calendar(&self) -> bool {
        self.facts().calendar
    }

    /// Whether medicine has the word, too, and few are called by it: `Stone`, but not `Young`.
    pub(super) fn is_medical(&self) -> bool {
        self.facts().medical
    }

    /// Whether it stands before family names: `de`, `van`.
    pub(super) fn is_particle(&self) -> bool {
        self.facts().particle
    }

    /// Whether it can be a name by itself. Particles and parts of two letters are names beside the rest of the name only.
    pub(super) fn is_lone(&self) -> bool {
        self.lone_again || self.lone_at_first && !self.facts().particle
    }
}

/// A surname of so many people in the US census is in a patient's notes a person, whatever else it means.
const COMMON_SURNAME: u32 = 200_000;

/// Months and seasons that are names.
const CALENDAR: &str = "april may june august summer autumn march winter spring season january july";

/// Names that are words of grammar.
const GRAMMAR: &str = "will may her so an can do no to he she you see in on at be or as is my we me go such little more still \
    well long low high day days son in back fell head hand pain best good many much some any than then the";

/// Names that stand in notes as words more often than as names, however many people bear them.
const COMMON: &str = "faith mark drew major bill jack chance chase rich sunny dusty trace";
