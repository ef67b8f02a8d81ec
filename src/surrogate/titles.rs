//! What stands beside names and is none: titles, suffixes, particles, degrees.
//!
//! ```text
//! Dr. Ludwig van Smith, Jr., M.D.          stays: Dr. van Jr. M.D.
//! ```

use std::sync::LazyLock;

use super::lists::{ByHash, key};
use super::words::Word;

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
const SUFFIXES: &[&str] = &["jr", "sr", "ii", "iii", "iv", "2nd", "3rd", "4th"];
const PARTICLES: &[&str] = &[
    "abu", "al", "and", "ap", "aka", "bin", "bint", "da", "das", "de", "del", "della", "den", "der", "di", "do", "dos",
    "du", "e", "el", "ibn", "la", "las", "le", "los", "nee", "née", "or", "ten", "ter", "the", "van", "vander", "vom",
    "von", "y", "zu", "zum", "zur",
];
/// Degrees that are not also initials or names.
const DEGREES: &[&str] = &[
    "aprn", "bsn", "cnm", "cnp", "cns", "crna", "dds", "dmd", "dnp", "dpm", "dpt", "emt", "esq", "facc", "facp",
    "facs", "fnp", "lcsw", "lpn", "lvn", "mbbs", "md", "mph", "msn", "msw", "pharmd", "phd", "psyd", "rn", "rph",
];
/// Degrees only after a comma.
const SHORT_DEGREES: &[&str] = &["cns", "do", "jd", "ma", "mba", "ms", "np", "od", "ot", "pa", "pa-c", "pt", "slp"];

/// The lists that a word in small letters is in, one bit each.
fn lists_of(folded: &str) -> u8 {
    static WORDS: LazyLock<ByHash<u8>> = LazyLock::new(|| {
        let mut words = ByHash::default();
        for (list, bit) in [
            (TITLES, TITLE),
            (SUFFIXES, SUFFIX),
            (PARTICLES, PARTICLE),
            (DEGREES, DEGREE),
            (SHORT_DEGREES, SHORT_DEGREE),
        ] {
            list.iter().for_each(|word| *words.entry(key(word)).or_default() |= bit);
        }
        words
    });
    if folded.len() > LONGEST { 0 } else { WORDS.get(&key(folded)).copied().unwrap_or(0) }
}

/// The same for a word as it is written.
fn lists_of_written(word: &str) -> u8 {
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

const TITLE: u8 = 1;
const SUFFIX: u8 = 2;
const PARTICLE: u8 = 4;
const DEGREE: u8 = 8;
const SHORT_DEGREE: u8 = 16;
/// Bytes of the longest word of the lists.
const LONGEST: usize = 10;

/// Whether a word among others is no name: title, suffix, particle, degree.
pub(super) fn kept(value: &str, words: &[Word], index: usize) -> bool {
    let word = words[index];
    let lists = lists_of_written(word.text);
    if lists == 0 {
        return false;
    }
    let folded = word.text.to_lowercase();
    let is_in = |list: &[&str]| list.contains(&folded.as_str());
    let of = |list: u8| lists & list != 0;
    let before = value[..word.start].trim_end();
    let (first, last) = (index == 0, index + 1 == words.len());
    let capital = word.text.starts_with(char::is_uppercase);
    let only_titles = words[..index].iter().all(|word| lists_of_written(word.text) & TITLE != 0);
    if of(SUFFIX) && !first {
        return true;
    }
    if of(TITLE) && !last && (only_titles || is_in(&["dr", "mr", "mrs", "ms", "prof"])) {
        return true;
    }
    if of(PARTICLE) && !last && !(first && capital && is_in(&["al", "van", "ten", "do", "e", "y", "le", "da"])) {
        return folded.len() > 1 || !capital;
    }
    let after_comma = before.ends_with(',');
    let capitals = word.text.bytes().all(|byte| byte.is_ascii_uppercase());
    let degree = of(DEGREE) && (after_comma || capitals || folded == "phd");
    !first && (degree || (after_comma && capitals && of(SHORT_DEGREE)))
}

/// Whether a word may be read as a title, suffix, particle or degree: no surrogate of a listed name is such a word.
pub(super) fn is_special(folded: &str) -> bool {
    lists_of(folded) != 0
}

/// Where the name ends and degrees after commas begin: `K. Nguyen, M.D., Ph.D.`
pub(super) fn before_degrees(value: &str) -> usize {
    let mut end = value.len();
    while let Some(comma) = value[..end].rfind(',') {
        let degree: String = value[comma..end]
            .chars()
            .filter(char::is_ascii_alphabetic)
            .map(|letter| letter.to_ascii_lowercase())
            .collect();
        let dotted = value[comma..end].contains('.');
        if !(DEGREES.contains(&degree.as_str())
            || (dotted && degree.len() > 1 && SHORT_DEGREES.contains(&degree.as_str())))
        {
            break;
        }
        end = comma;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::words::words;

    fn left(value: &str) -> Vec<&str> {
        let words = words(value);
        let end = before_degrees(value);
        (0..words.len())
            .filter(|&index| words[index].start < end && !kept(value, &words, index))
            .map(|index| words[index].text)
            .collect()
    }

    #[test]
    fn names_are_left() {
        for (value, names) in [
            ("Dr. Ludwig van Smith, Jr., M.D.", vec!["Ludwig", "Smith"]),
            ("María de la Cruz", vec!["María", "Cruz"]),
            ("Baby Boy Smith", vec!["Smith"]),
            ("Al Green", vec!["Al", "Green"]),
            ("Van Nguyen", vec!["Van", "Nguyen"]),
            ("Le, Do", vec!["Le", "Do"]),
            ("Smith, Jones DO", vec!["Smith", "Jones", "DO"]),
            ("Sarah Connor, PA-C", vec!["Sarah", "Connor", "C"]),
        ] {
            assert_eq!(left(value), names, "{value}");
        }
    }
}
