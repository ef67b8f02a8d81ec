//! What the written lists say of a word, found by one look instead of one for each list.
//!
//! ```text
//! "hospital" ─▶ marker NoName · cues HEAD SMALL_HEAD SITE_FIELD     which rules it can set off: all others pass it by
//! ```

use std::ops::{BitOr, BitOrAssign};
use std::sync::LazyLock;

use super::{Marker, marker};
use crate::detect::dictionary::unexplained::{self, Use, use_of};
use crate::detect::dictionary::{eponyms, leads, markers, names_alone, organizations, places, professions};
use crate::detect::patterns::cues::WordTable;
use crate::detect::short_word;

/// A set of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::detect::dictionary) struct Cues(u32);

macro_rules! cues {
    ($($name:ident = $bit:literal, $doc:literal, $test:expr;)+) => {
        impl Cues {
            $(#[doc = $doc] pub(in crate::detect::dictionary) const $name: Self = Self(1 << $bit);)+
            const TESTS: &[(Self, fn(&str) -> bool)] = &[$((Self::$name, $test),)+];
        }
    };
}

cues! {
    EPONYM_HEAD = 2, "Follows eponyms.", eponyms::is_head;
    UNIT = 3, "Ends the name of a unit, or stands before its number.", organizations::is_unit;
    SMALL_HEAD = 4, "Ends the name of an organization in small letters.", organizations::is_small_head;
    HEAD = 5, "Ends the name of an organization.", organizations::is_head;
    FRONT = 6, "Begins the name of an organization.", organizations::is_front;
    SITE_LEAD = 7, "A preposition before sites.", organizations::is_lead;
    SITE_FIELD = 8, "A field that holds the name of a site.", organizations::is_field;
    LANDMARK = 9, "Begins or ends the name of a landmark.", places::is_landmark;
    SMALL_LANDMARK = 10, "Ends the name of a landmark in small letters.", places::is_small_landmark;
    TOWN_LEAD = 11, "A preposition before towns in small letters.", places::is_town_lead;
    COUNTY = 12, "Ends the name of a county.", places::is_county;
    LEAD = 13, "Announces a person.", leads::is_lead;
    JOB = 14, "The last word of a job.", professions::is_job;
    WORK = 17, "Tells that someone works at a site.", organizations::is_work;
    DEED = 15, "Follows people who act.", names_alone::is_deed;
    FAR_HEAD = 16, "Ends a name of more words than were found, or stands before the number of a union.", unexplained::is_far_head;
}

/// Every word that passes a test, blank-separated.
fn cue_words() -> impl Iterator<Item = &'static str> {
    let others = [eponyms::HEADS, leads::LEADS, professions::cue_words(), unexplained::FAR_HEADS, "local"];
    organizations::cue_words().chain(places::cue_words()).chain(names_alone::DEEDS).chain(others)
}

impl Cues {
    /// No rule.
    pub(in crate::detect::dictionary) const NONE: Self = Self(0);
    /// May begin a phrase of the lexicon.
    pub(in crate::detect::dictionary) const PHRASE: Self = Self(1);
    /// Is an eponym of the lexicon, perhaps with a possessive.
    pub(in crate::detect::dictionary) const EPONYM: Self = Self(1 << 1);

    /// Whether any of these rules is among them.
    #[inline]
    pub(in crate::detect::dictionary) const fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }
}

impl BitOr for Cues {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Cues {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// What the written lists say of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Listing {
    /// Of its neighbours.
    pub(super) marker: Option<Marker>,
    /// Of the capitals beside it.
    pub(super) usage: Option<Use>,
    /// Of the rules that it sets off.
    pub(super) cues: Cues,
}

impl Listing {
    /// What is said of a word in any case.
    pub(super) fn of(word: &str) -> Self {
        static TABLE: LazyLock<WordTable<Listing>> = LazyLock::new(|| {
            let words = cue_words().chain(markers::words()).chain(unexplained::words());
            WordTable::of(words.flat_map(str::split_ascii_whitespace).map(|word| (Listing::by_tests(word), word)))
        });
        if word.len() > short_word::LONGEST {
            return Self::by_tests(word);
        }
        TABLE.get(word.as_bytes()).unwrap_or_default()
    }

    fn by_tests(word: &str) -> Self {
        let set_off = Cues::TESTS.iter().filter(|(_, test)| test(word));
        let cues = set_off.fold(Cues::NONE, |cues, (cue, _)| cues | *cue);
        Self { marker: marker(word), usage: use_of(word), cues }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;

    #[test]
    fn the_table_holds_all_that_the_lists_say() {
        let words = Lexicon::shared().entries().filter_map(|(word, _)| std::str::from_utf8(word).ok());
        for word in words.chain(cue_words().flat_map(str::split_ascii_whitespace)) {
            assert_eq!(Listing::of(word), Listing::by_tests(word), "{word}");
        }
    }
}
