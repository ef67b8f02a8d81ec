//! Names that no list holds.
//!
//! ```text
//! numbered     h ─▶ h·a·nd·o·l·er   h·u·st·a·r·ow  …           every number another name; stand for listed names that found no place
//! respelled    Sorkowitz ─▶ T·alp·en·ast   by letters of the same kind, as few of them in an order that names hardly have; stand for
//!                                          names that no list holds, one for one
//! ```
//!
//! The first letter is the caller's. A respelled name keeps its length and the places of its vowels, as a number keeps its digits: what
//! is injective over all strings cannot be shorter than they are, and so reads as a name exactly if the original does.

use super::permutation::{Direction, LARGEST, Randomness};

/// Syllables of the names that stand for listed ones.
pub(super) const SYLLABLES: usize = 3;
/// Of more syllables no name is read as a numbered one.
const MOST_SYLLABLES: usize = 16;

const SYLLABLE_VOWELS: [&str; 6] = ["a", "e", "i", "o", "u", "ai"];
const MIDDLES: [&str; 16] = ["b", "d", "g", "l", "ll", "m", "n", "nd", "r", "rr", "rl", "s", "st", "t", "th", "v"];
/// No ending is a vowel, a middle and another ending, so that a name can be read in one way only.
const ENDS: [&str; 16] =
    ["ack", "an", "ash", "ard", "ek", "ell", "en", "er", "ett", "ey", "in", "is", "o", "ow", "ski", "wick"];

/// How many numbered names of so many syllables a letter has.
pub(super) const fn names_of(syllables: usize) -> u128 {
    96_u128.pow(syllables as u32) * 16
}

/// A pronounceable name in small letters; other numbers below `96 ^ syllables · 16`, and other numbers of syllables, give other names.
pub(super) fn compose(letter: u8, mut number: u128, syllables: usize) -> String {
    let mut name = beginning(letter);
    let mut next = |list: &[&'static str]| {
        let part = list[(number % list.len() as u128) as usize];
        number /= list.len() as u128;
        part
    };
    for _ in 0..syllables {
        name.push_str(next(&SYLLABLE_VOWELS));
        name.push_str(next(&MIDDLES));
    }
    name.push_str(next(&ENDS));
    name
}

fn beginning(letter: u8) -> String {
    let first = char::from(b'a' + letter.min(25));
    let mut name = String::from(first);
    match first {
        'q' => name.push('u'),
        'a' | 'e' | 'i' | 'o' | 'u' => name.push('l'),
        _ => {}
    }
    name
}

/// What a word without its first letter is as a numbered name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbered {
    /// What comes before the first vowel, as an index of [`BEGINNINGS`]: each first letter has its own.
    beginning: usize,
    /// The number.
    pub number: u128,
    /// How many syllables it has, from [`SYLLABLES`] on.
    pub syllables: usize,
}

const BEGINNINGS: [&str; 3] = ["", "l", "u"];

/// Reads a numbered name; nothing for other words, and for those that begin as none with their first letter does.
pub(super) fn decompose(name: &str) -> Option<Numbered> {
    let letter = name.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
    let numbered = read_numbered(name.get(1..)?)?;
    (beginning(letter)[1..] == *BEGINNINGS[numbered.beginning]).then_some(numbered)
}

/// Reads what follows the first letter of a numbered name, whichever letter that is.
fn read_numbered(rest: &str) -> Option<Numbered> {
    (0..BEGINNINGS.len()).find_map(|beginning| {
        let (number, syllables) = read_syllables(rest.strip_prefix(BEGINNINGS[beginning])?)?;
        Some(Numbered { beginning, number, syllables })
    })
}

fn read_syllables(mut rest: &str) -> Option<(u128, usize)> {
    let whole = rest;
    let mut parts = Vec::new();
    // A vowel and a middle are taken while more follows; no ending could be taken for them.
    let end = loop {
        let vowel = SYLLABLE_VOWELS.iter().rposition(|vowel| rest.starts_with(vowel));
        let syllable = vowel.and_then(|vowel| {
            let later = &rest[SYLLABLE_VOWELS[vowel].len()..];
            (0..MIDDLES.len())
                .filter(|&middle| later.starts_with(MIDDLES[middle]) && goes_on(&later[MIDDLES[middle].len()..]))
                .max_by_key(|&middle| MIDDLES[middle].len())
                .map(|middle| (vowel, middle, &later[MIDDLES[middle].len()..]))
        });
        match syllable {
            Some((vowel, middle, later)) => {
                parts.push((vowel, middle));
                rest = later;
            }
            None => break ENDS.iter().position(|end| *end == rest)?,
        }
    };
    if !(SYLLABLES..=MOST_SYLLABLES).contains(&parts.len()) {
        return None;
    }
    let number = parts
        .iter()
        .rev()
        .fold(end as u128, |number, &(vowel, middle)| number * 96 + (middle * SYLLABLE_VOWELS.len() + vowel) as u128);
    // A letter without a beginning of its own shows whether the same is written.
    (compose(1, number, parts.len())[1..] == *whole).then_some((number, parts.len()))
}

/// Whether a vowel or an ending follows a middle.
fn goes_on(rest: &str) -> bool {
    rest.starts_with(['a', 'e', 'i', 'o', 'u']) || matches!(rest, "ski" | "wick")
}

/// Letters that stand in for each other inside a name: vowels, frequent consonants, rare ones; then pairs of them.
const CLASSES: [&[&str]; 5] = [
    &["a", "e", "i", "o", "u"],
    &["b", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w"],
    &["j", "q", "x", "y", "z"],
    &["ai", "au", "ea", "ee", "ei", "ia", "ie", "io", "oa", "oo", "ou", "ue"],
    &[
        "bb", "br", "ch", "ck", "dd", "dr", "ff", "gg", "gh", "gr", "kr", "ld", "lf", "lk", "ll", "lm", "ln", "ls",
        "lt", "mb", "mm", "mp", "nd", "ng", "nk", "nn", "ns", "nt", "pp", "rb", "rd", "rg", "rk", "rl", "rm", "rn",
        "rr", "rs", "rt", "rv", "sc", "sh", "sk", "ss", "st", "th", "tt", "wn",
    ],
];
const VOWEL_PAIRS: usize = 3;
const CONSONANT_PAIRS: usize = 4;

/// Longer words are no names, and are not respelled.
const LONGEST: usize = 40;
/// How often a word is moved on in search of one of its own kind.
const MOST_STEPS: usize = 10_000;

/// The units of a word after its first letter: the class of each and its place there.
fn units(word: &[u8]) -> Vec<(u8, u8)> {
    let vowel = |at: usize| word.get(at).map(|letter| b"aeiou".contains(letter));
    let mut units = Vec::with_capacity(word.len());
    let mut at = 1;
    while at < word.len() {
        let mut run = 1;
        while vowel(at + run) == vowel(at) {
            run += 1;
        }
        let pairs = if vowel(at) == Some(true) { VOWEL_PAIRS } else { CONSONANT_PAIRS };
        let pair = word.get(at..at + 2).filter(|_| run == 2);
        match pair.and_then(|pair| CLASSES[pairs].iter().position(|known| known.as_bytes() == pair)) {
            Some(place) => units.push((pairs as u8, place as u8)),
            None => units.extend(word[at..at + run].iter().filter_map(|letter| single(*letter))),
        }
        at += run;
    }
    units
}

fn single(letter: u8) -> Option<(u8, u8)> {
    (0..3).find_map(|class| {
        let place = CLASSES[class].iter().position(|known| known.as_bytes() == [letter])?;
        Some((class as u8, place as u8))
    })
}

/// What is known of words without their first letter, so that words of every letter are respelled among equally many.
pub(super) trait Rests {
    /// Whether it follows a first letter in a list: no such word is respelled, and none is the outcome.
    fn is_listed(&self, rest: &str) -> bool;

    /// How many of its letters follow each other as they hardly do in names: what reads well becomes what reads well.
    fn rare_pairs(&self, rest: &str) -> usize;
}

/// Respells a word of small ASCII letters that no list holds, under another first letter, or undoes that.
pub(super) fn respell(
    randomness: &Randomness,
    direction: Direction,
    word: &str,
    letter: u8,
    rests: &impl Rests,
) -> Option<String> {
    if word.len() > LONGEST {
        return None;
    }
    let rare_pairs = rests.rare_pairs(&word[1..]);
    let mut units = units(word.as_bytes());
    let radices: Vec<u8> = units.iter().map(|&(class, _)| CLASSES[usize::from(class)].len() as u8).collect();
    let classes: Vec<u8> = units.iter().map(|&(class, _)| class).collect();
    let size =
        radices.iter().try_fold(1_u128, |size, &radix| size.checked_mul(radix.into()).filter(|&size| size <= LARGEST));
    // Up to forty letters never fill 120 bits save where nearly all are pairs; such a word is moved in two halves.
    let halves =
        if size.is_some() { [0..units.len(), 0..0] } else { [0..units.len() / 2, units.len() / 2..units.len()] };
    let draws: Vec<_> = halves.iter().map(|half| randomness.draw("respelled name", &classes[half.clone()])).collect();
    for _ in 0..MOST_STEPS {
        for (half, draw) in halves.iter().zip(&draws) {
            let (radices, units) = (&radices[half.clone()], &mut units[half.clone()]);
            let size = radices.iter().map(|&radix| u128::from(radix)).product();
            let number = radices
                .iter()
                .zip(units.iter())
                .fold(0, |number, (&radix, unit)| number * u128::from(radix) + u128::from(unit.1));
            let mut moved = match direction {
                Direction::Forth => randomness.permute(draw, size, number),
                Direction::Back => randomness.unpermute(draw, size, number),
            };
            for (unit, &radix) in units.iter_mut().zip(radices).rev() {
                unit.1 = (moved % u128::from(radix)) as u8;
                moved /= u128::from(radix);
            }
        }
        let mut image = String::with_capacity(word.len());
        image.push(char::from(b'a' + letter.min(25)));
        units.iter().for_each(|&(class, place)| image.push_str(CLASSES[usize::from(class)][usize::from(place)]));
        let alike = self::units(image.as_bytes()).iter().map(|&(class, _)| class).eq(classes.iter().copied());
        let free = |rest: &str| !rests.is_listed(rest) && read_numbered(rest).is_none();
        if alike && rests.rare_pairs(&image[1..]) == rare_pairs && free(&image[1..]) {
            return Some(image);
        }
    }
    None
}

/// A word that happens to be a numbered name, or to read as one after another first letter, becomes one of a syllable more, as the
/// names of as many syllables stand for others; nothing for other words.
pub(super) fn renumber(randomness: &Randomness, word: &str, letter: u8) -> Option<String> {
    let Numbered { beginning, number, syllables } = read_numbered(word.get(1..)?)?;
    let draw = randomness.draw("renumbered name", &[syllables as u8]);
    let moved = randomness.permute(&draw, names_of(syllables), number);
    Some(compose(letter, moved * BEGINNINGS.len() as u128 + beginning as u128, syllables + 1))
}

/// The word that became a numbered name of more than [`SYLLABLES`] syllables.
pub(super) fn renumber_back(randomness: &Randomness, name: &str, letter: u8) -> Option<String> {
    let Numbered { number, syllables, .. } = decompose(name)?;
    let (moved, beginning) = (number / BEGINNINGS.len() as u128, (number % BEGINNINGS.len() as u128) as usize);
    let syllables = syllables - 1;
    if syllables < SYLLABLES || moved >= names_of(syllables) {
        return None;
    }
    let draw = randomness.draw("renumbered name", &[syllables as u8]);
    let number = randomness.unpermute(&draw, names_of(syllables), moved);
    let first = char::from(b'a' + letter.min(25));
    Some([first.encode_utf8(&mut [0; 4]), BEGINNINGS[beginning], &compose(1, number, syllables)[1..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_number_is_another_name_that_can_be_read() {
        for letter in [b'h' - b'a', b'o' - b'a', b'q' - b'a'] {
            for number in (0..names_of(3)).step_by(997).chain(0..3_000) {
                for syllables in 3..6 {
                    let read = decompose(&compose(letter, number, syllables)).unwrap();
                    assert_eq!((read.number, read.syllables), (number, syllables));
                }
            }
        }
        for word in ["", "h", "smith", "ha", "qandoler", "Handoler", "handol", "ähm"] {
            assert_eq!(decompose(word), None);
        }
    }

    #[test]
    fn numbered_words_make_room_for_numbered_names() {
        let randomness = Randomness::new([1; 32]);
        for word in [compose(7, 12_345, 3), format!("hl{}", &compose(1, 12_345, 3)[1..]), compose(16, 98_765_432, 4)] {
            let image = renumber(&randomness, &word, 11).unwrap();
            let first = word.as_bytes()[0] - b'a';
            assert!(decompose(&image).unwrap().syllables > 3);
            assert_eq!(renumber_back(&randomness, &image, first), Some(word));
        }
        assert_eq!(renumber_back(&randomness, &compose(7, 12_345, 3), 11), None);
        assert_eq!(renumber(&randomness, "smith", 11), None);
    }

    struct Made;

    impl Rests for Made {
        fn is_listed(&self, rest: &str) -> bool {
            rest.len().is_multiple_of(5) && rest.ends_with('a')
        }

        fn rare_pairs(&self, rest: &str) -> usize {
            rest.matches("ta").count().min(1)
        }
    }

    proptest! {
        #[test]
        fn respelled_words_come_back(word in "[a-z]{1,40}", letter in 0_u8..26, seed: u8) {
            let randomness = Randomness::new([seed; 32]);
            prop_assume!(!Made.is_listed(&word[1..]) && read_numbered(&word[1..]).is_none());
            let image = respell(&randomness, Direction::Forth, &word, letter, &Made).unwrap();
            prop_assert_eq!(image.len(), word.len());
            prop_assert!(!Made.is_listed(&image[1..]) && image.as_bytes()[0] == b'a' + letter);
            prop_assert_eq!(Made.rare_pairs(&image[1..]), Made.rare_pairs(&word[1..]));
            let first = word.as_bytes()[0] - b'a';
            prop_assert_eq!(respell(&randomness, Direction::Back, &image, first, &Made), Some(word));
        }
    }
}
