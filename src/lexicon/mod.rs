//! What is known of words before any context: names, places, organizations, jobs, medical and plain English words.
//!
//! ```text
//! word("Brown")      SURNAME 1.4 M · GIVEN_NAME 1,500 · ENGLISH band 0
//! word("Foley")      SURNAME 50,000 · EPONYM (catheter) · CITY 17,000
//! word("truck driver") PROFESSION                       … one probe of one table, no allocation
//! phrases()          what to put into an automaton      surnames(), us_places(), … what to choose surrogates from
//! ```
//!
//! The data are compiled into the program, unpacked once and shared; `data/SOURCES.md` says whence they come.
//! A flag says what a word *can* be: whether it is one here is for a detector to decide.

mod files;
mod fold;
mod medical;
mod names;
mod organizations;
mod phrases;
mod places;
mod table;
mod word;

use std::num::NonZeroU32;
use std::sync::LazyLock;

use fold::Folded;
use table::Table;

pub use names::{GivenName, Surname};
pub use organizations::OrganizationKind;
pub use phrases::PhraseClass;
pub use places::{Country, State, UsPlace};
pub use word::{NameEntry, Origin, Sex, WordFlags, WordInfo};

/// What part a word can have in a phrase of several words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhrasePart {
    /// Whether a phrase may begin with it; never no where one does.
    pub begins: bool,
    /// The upper half of its hash, where it is one word to the lexicon.
    hash: Option<NonZeroU32>,
}

/// The entries that the table is made for, so that it need not grow while it is filled.
const ROOM: usize = 560_000;

/// The words, phrases and lists, in memory.
pub struct Lexicon {
    table: Table,
    phrases: phrases::Phrases,
    names: names::Names,
    places: places::Places,
    medical: medical::Medical,
    organizations: organizations::Organizations,
    saints: Vec<&'static str>,
}

impl Lexicon {
    /// The one lexicon of the process, loaded by the first call.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<Lexicon> = LazyLock::new(Lexicon::load);
        &SHARED
    }

    fn load() -> Self {
        let mut table = Table::with_capacity(ROOM);
        let mut phrases = phrases::Phrases::default();
        let names = names::Names::load(&mut table);
        names::load_world_names(&mut table);
        let medical = medical::Medical::load(&mut table, &mut phrases);
        let places = places::Places::load(&mut table, &mut phrases);
        let organizations = organizations::Organizations::load(&mut table, &mut phrases);
        let saints = files::section(files::NAMES_WRITTEN, "saint");
        phrases.finish();
        Self { table, phrases, names, places, medical, organizations, saints }
    }

    /// All that is known of a word or phrase, whatever its case, accents, apostrophes and full stops; hyphens count as spaces.
    pub fn word(&self, word: &str) -> WordInfo {
        Folded::of(word).and_then(|key| self.table.get(&key).copied()).unwrap_or(WordInfo::UNKNOWN)
    }

    /// All that is known of a word, and what part it can have in a phrase.
    pub fn word_and_part(&self, word: &str) -> (WordInfo, PhrasePart) {
        let Some(key) = Folded::of(word) else {
            return (WordInfo::UNKNOWN, PhrasePart { begins: true, hash: None });
        };
        let info = self.table.get(&key).copied().unwrap_or(WordInfo::UNKNOWN);
        let single = !key.as_bytes().contains(&b' ');
        let hash = NonZeroU32::new((key.hash() >> 32) as u32).filter(|_| single);
        (info, PhrasePart { begins: self.table.may_begin_phrase(&key), hash })
    }

    /// Whether a phrase may begin with two words in a row; never no where one does.
    pub fn may_hold_pair(&self, first: PhrasePart, second: PhrasePart) -> bool {
        match (first.hash, second.hash) {
            (Some(first), Some(second)) => self.table.may_hold_pair(first.get(), second.get()),
            _ => true,
        }
    }

    /// Every word and phrase, folded, with what is known of it.
    pub fn entries(&self) -> impl Iterator<Item = (&[u8], WordInfo)> {
        self.table.iter().map(|(key, info)| (key, *info))
    }

    /// The number of distinct words and phrases.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there is no word at all, which is never so.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Sets a flag on a word or phrase.
fn mark(table: &mut Table, text: &str, flag: WordFlags) {
    if let Some(key) = Folded::of(text) {
        table.entry(&key).flags |= flag;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_probe_tells_all() {
        let lexicon = Lexicon::shared();
        let info = lexicon.word("Washington");
        assert!(info.is(WordFlags::SURNAME | WordFlags::CITY | WordFlags::STATE | WordFlags::COUNTY));
        assert!(info.surname_count > 100_000 && info.population > 500_000);
        assert_eq!(lexicon.word("xqzzt"), WordInfo::UNKNOWN);
        assert_eq!(lexicon.word(""), WordInfo::UNKNOWN);
        assert!(lexicon.len() > 400_000 && lexicon.len() <= ROOM && !lexicon.is_empty(), "{}", lexicon.len());
    }

    proptest! {
        #[test]
        fn any_text_is_safe_and_case_does_not_matter(text in "\\PC{0,80}") {
            let lexicon = Lexicon::shared();
            let _ = (lexicon.eponym(&text), lexicon.state(&text), lexicon.zip(&text));
            if text.is_ascii() {
                prop_assert_eq!(lexicon.word(&text), lexicon.word(&text.to_ascii_uppercase()));
            }
        }
    }
}
