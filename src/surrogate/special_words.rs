//! Words that stand beside names: titles, suffixes, particles, degrees; many are names of some as well.
//!
//! ```text
//! sr ─▶ TITLE | SUFFIX      do ─▶ PARTICLE | SHORT_DEGREE      smith ─▶ none
//! ```

use std::sync::LazyLock;

use super::lists::{ByHash, key};

const TITLES: &[&str] = &[
    "aunt",
    "brother",
    "capt",
    "captain",
    "col",
    "cousin",
    "dame",
    "deacon",
    "doctor",
    "dr",
    "dra",
    "drs",
    "father",
    "fr",
    "frau",
    "grandma",
    "grandpa",
    "herr",
    "hon",
    "judge",
    "lady",
    "lieutenant",
    "lt",
    "madame",
    "maj",
    "major",
    "miss",
    "mlle",
    "mme",
    "monsieur",
    "mother",
    "mr",
    "mrs",
    "ms",
    "mx",
    "nurse",
    "officer",
    "pastor",
    "prof",
    "professor",
    "rabbi",
    "rev",
    "reverend",
    "señor",
    "señora",
    "sgt",
    "sir",
    "sister",
    "sra",
    "sr",
    "srta",
    "uncle",
    "baby",
    "boy",
    "girl",
    "infant",
    "twin",
];
const SUFFIXES: &[&str] = &["jr", "sr", "junior", "family", "ii", "iii", "iv", "2nd", "3rd", "4th"];
const PARTICLES: &[&str] = &[
    "abu", "al", "and", "ap", "aka", "bin", "bint", "comma", "da", "das", "de", "del", "della", "den", "der", "di",
    "do", "dos", "du", "e", "el", "ibn", "la", "las", "le", "los", "nee", "née", "of", "or", "ten", "ter", "the",
    "van", "vander", "vom", "von", "y", "zu", "zum", "zur",
];
/// Degrees that are not also initials or names.
pub(super) const DEGREES: &[&str] = &[
    "aprn", "bsn", "cnm", "cnp", "cns", "crna", "dds", "dmd", "dnp", "dpm", "dpt", "emt", "esq", "facc", "facp",
    "facs", "fnp", "lcsw", "lpn", "lvn", "mbbs", "md", "mph", "msn", "msw", "pharmd", "phd", "psyd", "rn", "rph",
];
/// Degrees only after a comma.
pub(super) const SHORT_DEGREES: &[&str] =
    &["cns", "do", "jd", "ma", "mba", "ms", "np", "od", "ot", "pa", "pa-c", "pt", "slp"];
/// What stands for the given name of a child that has none yet, before its surname or after it.
const BIRTHS: &[&str] = &["baby", "boy", "girl", "infant", "newborn", "triplet", "twin"];
/// `St. John` is a name of two words, of which the first is no name.
const SAINTS: &[&str] = &["st", "ste"];

/// The words of the lists.
struct Listed {
    /// The lists of each word, one bit each.
    words: ByHash<u8>,
    /// By their length in bytes, the first letters that they have: most words of names are turned away by it.
    first_letters: [u32; LONGEST + 1],
}

static LISTED: LazyLock<Listed> = LazyLock::new(|| {
    let mut listed = Listed { words: ByHash::default(), first_letters: [0; LONGEST + 1] };
    for (list, bit) in [
        (TITLES, TITLE),
        (SUFFIXES, SUFFIX),
        (PARTICLES, PARTICLE),
        (DEGREES, DEGREE),
        (SHORT_DEGREES, SHORT_DEGREE),
        (BIRTHS, BIRTH),
        (SAINTS, SAINT),
    ] {
        for word in list {
            *listed.words.entry(key(word)).or_default() |= bit;
            listed.first_letters[word.len()] |= bit_of_first(word);
        }
    }
    listed
});

/// The lists that a word in small letters is in, one bit each.
fn lists_of(folded: &str) -> u8 {
    let listed = &*LISTED;
    let letters = listed.first_letters.get(folded.len()).copied().unwrap_or(0);
    if letters & bit_of_first(folded) == 0 { 0 } else { listed.words.get(&key(folded)).copied().unwrap_or(0) }
}

/// A bit for the first byte of a word.
fn bit_of_first(word: &str) -> u32 {
    word.bytes().next().map_or(0, |first| 1 << (first % 32))
}

/// The same for a word as it is written.
pub(super) fn lists_of_written(word: &str) -> u8 {
    let mut small = [0; LONGEST];
    match small.get_mut(..word.len()) {
        Some(letters) if word.is_ascii() => {
            letters.copy_from_slice(word.as_bytes());
            letters.make_ascii_lowercase();
            std::str::from_utf8(letters).map_or(0, lists_of)
        }
        Some(_) => lists_of(&word.to_lowercase()),
        None => 0,
    }
}

/// The lists.
pub(super) const TITLE: u8 = 1;
pub(super) const SUFFIX: u8 = 2;
pub(super) const PARTICLE: u8 = 4;
pub(super) const DEGREE: u8 = 8;
pub(super) const SHORT_DEGREE: u8 = 16;
pub(super) const BIRTH: u8 = 32;
pub(super) const SAINT: u8 = 64;
/// The lists whose words are never surrogates of listed names.
const SPECIAL: u8 = TITLE | SUFFIX | PARTICLE | DEGREE | SHORT_DEGREE;
/// Bytes of the longest word of the lists.
const LONGEST: usize = 10;

/// Whether a word may be read as a title, suffix, particle or degree: no surrogate of a listed name is such a word.
pub(super) fn is_special(folded: &str) -> bool {
    lists_of(folded) & SPECIAL != 0
}

/// All such words.
pub(super) fn special_words() -> impl Iterator<Item = &'static str> {
    [TITLES, SUFFIXES, PARTICLES, DEGREES, SHORT_DEGREES].into_iter().flatten().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_may_be_in_several_lists() {
        assert_eq!(lists_of_written("Sr"), TITLE | SUFFIX);
        assert_eq!(lists_of_written("DO"), PARTICLE | SHORT_DEGREE);
        assert_eq!(lists_of_written("Née"), PARTICLE);
        assert_eq!(lists_of_written("Smith"), 0);
        assert!(special_words().all(is_special));
    }
}
