//! Words of the names of institutions and places: which are general, and which of those may name something all the same.
//!
//! ```text
//! hospital: general, a kind     forest: general, names where nothing else does     regional: tells institutions of a kind apart
//! ```

use std::sync::LazyLock;

use super::lists::{ByHash, key};
use crate::lexicon::{Lexicon, WordFlags};

/// Words that say what kind of institution or place it is.
const GENERAL: &str = include_str!("data/general_words.txt");

/// General words that name a place where no other word does: `Forest Hospital`, `Long Beach Clinic`.
const NAMING: &str = include_str!("data/naming_words.txt");

/// Words that tell institutions of one kind apart without naming anyone: one becomes another where nothing else can.
pub(super) const QUALIFIERS: [&str; 16] = [
    "general",
    "community",
    "regional",
    "memorial",
    "university",
    "county",
    "municipal",
    "city",
    "central",
    "north",
    "south",
    "east",
    "west",
    "first",
    "national",
    "valley",
];

/// General words that stay in capitals too: units, legal forms, what stands before saints and between words. Other words of two or
/// three capitals are abbreviations of names, whatever they mean in small letters: `UAB`, `SCA`, `AT&T`.
const GENERAL_IN_CAPITALS: [&str; 53] = [
    "and", "bed", "bldg", "co", "corp", "ctr", "dme", "dmepos", "ems", "ent", "er", "fl", "for", "ft", "gmbh", "gym",
    "gyn", "hmo", "hosp", "hvac", "icu", "inc", "lab", "ldr", "llc", "llp", "lp", "ltac", "ltc", "ltd", "micu", "mt",
    "mvz", "nicu", "ob", "obgyn", "of", "or", "pacu", "pd", "picu", "plc", "pllc", "ppo", "rm", "sicu", "snf", "st",
    "ste", "the", "va", "vamc", "vna",
];

/// What is known of a word of names of institutions.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sort {
    /// It tells what kind of institution or place something is, or has a like role in names.
    pub general: bool,
    /// It names a place where no other word does.
    pub naming: bool,
    /// The lexicon knows it as a kind of institution.
    pub kind: bool,
}

impl Sort {
    /// What is known of a folded word.
    pub(super) fn of(folded: &str) -> Self {
        static SORTS: LazyLock<ByHash<Sort>> = LazyLock::new(Sort::all);
        SORTS.get(&key(folded)).copied().unwrap_or_default()
    }

    fn all() -> ByHash<Self> {
        let mut sorts: ByHash<Self> = ByHash::default();
        GENERAL.split_whitespace().for_each(|word| sorts.entry(key(word)).or_default().general = true);
        NAMING.split_whitespace().for_each(|word| sorts.entry(key(word)).or_default().naming = true);
        let kinds = Lexicon::shared().entries().filter(|(_, info)| info.is_any(WordFlags::KIND_CUES));
        for word in kinds.filter_map(|(word, _)| std::str::from_utf8(word).ok()) {
            let sort = sorts.entry(key(word)).or_default();
            (sort.general, sort.kind) = (true, true);
        }
        sorts
    }
}

/// Whether a general word is one in capitals too: an English one of some length, or one that is mostly written so.
pub(super) fn stays_in_capitals(folded: &str) -> bool {
    GENERAL_IN_CAPITALS.contains(&folded) || folded.len() > 3 && Lexicon::shared().english_band(folded).is_some()
}
