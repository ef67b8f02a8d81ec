//! Identifiers known by their words: people, places, organizations and jobs, by lexicon and context.
//!
//! ```text
//! "Discussed with Dr. Foley at Mercy Hospital; Foley catheter stays."
//!                     └ DOCTOR  └ HOSPITAL      (no one: an eponym)
//! ```
//!
//! A word counts by what stands around it: a title, a credential or a field makes even `Strong` a name; the lexicon
//! alone makes
//! one of `Gonzalez`, never of `Rose`. Medical words, eponyms before their terms, drugs and ethnicities veto.

mod appositions;
mod banner;
mod chat;
mod eponyms;
mod fields;
mod found;
#[cfg(test)]
mod golden;
mod leads;
mod markers;
mod names_alone;
mod namesakes;
mod organizations;
mod people;
mod places;
mod plausible;
mod professions;
mod relations;
mod runs;
mod signatures;
mod signers;
mod speakers;
mod staff;
mod unexplained;
mod words;
mod workers;

use std::collections::HashSet;
use std::sync::LazyLock;

pub(in crate::detect) use self::eponyms::is_before_head;
use self::found::Found;
use self::markers::{Marker, marker};
use self::words::Words;
use super::SentenceDetector;
use crate::lexicon::Lexicon;
use crate::phi::{Detector, Span};

/// The member of the ensemble that knows words. Free to make and to share.
#[derive(Debug, Clone, Copy, Default)]
pub struct DictionaryDetector;

impl DictionaryDetector {
    /// The detector; the lexicon is loaded once, at the first sentence.
    pub const fn new() -> Self {
        Self
    }
}

impl SentenceDetector for DictionaryDetector {
    fn detector(&self) -> Detector {
        Detector::Dictionary
    }

    fn detect(&self, sentence: &str, spans: &mut Vec<Span>) {
        let words = Words::of(sentence, Lexicon::shared());
        if words.list.is_empty() {
            return;
        }
        let mut found = Found::new(spans);
        organizations::detect(&words, &mut found);
        places::detect(&words, &mut found);
        fields::detect(&words, &mut found);
        people::detect(&words, &mut found);
        signatures::detect(&words, &mut found);
        staff::detect(&words, &mut found);
        signers::detect(&words, &mut found);
        speakers::detect(&words, &mut found);
        banner::detect(&words, &mut found);
        appositions::detect(&words, &mut found);
        chat::detect(&words, &mut found);
        workers::detect(&words, &mut found);
        names_alone::detect(&words, &mut found);
        namesakes::detect(&words, &mut found);
        appositions::companions(&words, &mut found);
        professions::detect(&words, &mut found);
        unexplained::detect(&words, spans);
    }
}

/// Whether a word is a title before a person's name, of the care staff or not: `Dr`, `Mrs`, `Officer`.
pub(super) fn is_title(word: &str) -> bool {
    matches!(marker(word), Some(Marker::DoctorTitle | Marker::PersonTitle))
}

/// Whether a word is a credential after a name: `MD`, `RN`.
pub(super) fn is_credential(word: &str) -> bool {
    marker(word) == Some(Marker::Credential)
}

/// Whether letters, written so, are a degree, a board or a college behind a name: `FAAOS`, `BCh`. Among the short ones are some that mean
/// other things elsewhere, so it is for those who see what stands before.
pub(super) fn is_post_nominal(word: &str) -> bool {
    static WRITTEN: LazyLock<HashSet<&str>> =
        LazyLock::new(|| include_str!("credentials.txt").split_ascii_whitespace().collect());
    WRITTEN.contains(word)
}
