//! Names of people: word by word, the same word always the same way within a patient.
//!
//! ```text
//! John Smith → Daniel Moore   SMITH, JOHN C → MOORE, DANIEL R   Mr. Smith's → Mr. Moore's   J. Smith → D. Moore   Johnny → Danny
//! ```
//!
//! Letters are exchanged by one keyed rule per patient, and a name becomes one that begins with the letter that its own
//! first letter becomes: so initials agree with names. Within that, a name keeps its sex, origin and frequency band
//! where the lexicon knows them; a word it does not know becomes a composed name.

mod before;
mod particles;

use smallvec::SmallVec;

use super::casing::{Casing, fold};
use super::composed::{Rests, SYLLABLES, compose, renumber, respell};
use super::ids::{self, Family};
use super::lists::first_letter;
use super::partition::Image;
use super::permutation::{Direction, Randomness};
use super::remembered::Remembered;
use super::scripts;
use super::tables::{NamePosition, Tables};
use super::titles::{before_degrees, kept};
use super::words::{Word, words};
use crate::phi::Label;

/// Letters with about equally many bearers, exchanged among each other: the names of a letter can only be as common as it lets them.
const LETTERS: [(&str, &[u8]); 3] =
    [("frequent letters", b"abcdjlmrs"), ("common letters", b"efghknptvw"), ("rare letters", b"ioquxyz")];

/// What the kinds of names are permuted under.
const KINDS: [&str; 4] = ["women's names", "men's names", "given names", "surnames"];

/// The number from which on numbered names stand for unlisted ones; there are not as many listed ones.
const FIRST_REST: u128 = 8_000_000;

/// What the numbers of composed names are permuted under: without a key they would tell which name they stand for.
const NUMBERED: &str = "numbered names";

/// The number of a name that found no place: no two kinds share one.
fn numbered(number: u32, kind: u8) -> u128 {
    u128::from(number) * KINDS.len() as u128 + u128::from(kind)
}

/// The names of one patient.
pub(super) struct Names<'a> {
    pub randomness: &'a Randomness,
    /// Which letter each letter becomes.
    pub letters: &'a [u8; 26],
    /// What words became lately.
    pub remembered: &'a Remembered,
}

/// The keyed exchange of the letters of the alphabet; no letter stays.
pub(super) fn exchange_letters(randomness: &Randomness) -> [u8; 26] {
    let mut letters = [0; 26];
    for (purpose, class) in LETTERS {
        for (from, to) in class.iter().zip(randomness.derangement(purpose, class.len())) {
            letters[usize::from(from - b'a')] = class[usize::from(to)] - b'a';
        }
    }
    letters
}

impl Rests for Tables {
    fn is_listed(&self, rest: &str) -> bool {
        self.rest(rest).is_some()
    }

    fn rare_pairs(&self, rest: &str) -> usize {
        self.letter_pairs.rare_in(rest)
    }
}

impl Names<'_> {
    /// The surrogate of a written name.
    pub(super) fn replace(&self, value: &str) -> String {
        let words = words(value);
        if let [word] = words.as_slice()
            && is_initials(word.text)
        {
            return self.write(value, &words, |names, _| Some(names.initials(word.text)));
        }
        let end = before_degrees(value);
        let stays = |index: usize| words[index].start >= end || kept(value, &words, index);
        let stays: SmallVec<[bool; 8]> = (0..words.len()).map(stays).collect();
        let all_stay = stays.iter().all(|stays| *stays);
        self.write(value, &words, |names, index| {
            (all_stay || !stays[index]).then(|| names.written_word(words[index].text))
        })
    }

    fn write(&self, value: &str, words: &[Word], word: impl Fn(&Self, usize) -> Option<String>) -> String {
        let mut written = String::with_capacity(value.len() + 8);
        let mut at = 0;
        for (index, original) in words.iter().enumerate() {
            written.push_str(&value[at..original.start]);
            at = original.start + original.text.len();
            match word(self, index) {
                Some(surrogate) => written.push_str(&surrogate),
                None => written.push_str(original.text),
            }
        }
        written.push_str(&value[at..]);
        written
    }

    fn written_word(&self, text: &str) -> String {
        self.remembered.or_make(Label::Doctor.into(), None, text, || self.make_written_word(text))
    }

    fn make_written_word(&self, text: &str) -> String {
        if text.contains(|character: char| character.is_ascii_digit()) {
            return ids::replace(self.randomness, Family::Identifier, text);
        }
        let mut letters = text.chars();
        if let (Some(letter), None) = (letters.next(), letters.next()) {
            return self.initial(letter).to_string();
        }
        let folded = fold(text);
        let listed = Tables::shared().name(&folded);
        if listed.is_none() {
            if let Some(parts) = run_together(text) {
                return parts.into_iter().map(|part| self.word(part)).collect();
            }
            let vowel = folded.contains(['a', 'e', 'i', 'o', 'u', 'y']);
            if text.len() <= 3 && !vowel && text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
                return self.initials(text);
            }
        }
        self.cased(text, &folded, listed)
    }

    /// The surrogate of one word of a name, written as the original is.
    pub(super) fn word(&self, text: &str) -> String {
        let folded = fold(text);
        self.cased(text, &folded, Tables::shared().name(&folded))
    }

    fn cased(&self, text: &str, folded: &str, listed: Option<NamePosition>) -> String {
        let casing = Casing::of(text);
        match self.of_place(folded, listed) {
            Some(name) if matches!(casing, Casing::Title | Casing::Mixed) && name.starts_with(char::is_uppercase) => {
                name
            }
            Some(name) => casing.apply(&name),
            None => self.foreign(Direction::Forth, text),
        }
    }

    /// The surrogate of a folded name, as it is usually written or in small letters; nothing where it is in letters
    /// outside the Latin alphabet.
    #[cfg(test)]
    pub(super) fn folded(&self, folded: &str) -> Option<String> {
        self.of_place(folded, Tables::shared().name(folded))
    }

    /// The same for a name that stands at a place of the tables, or at none.
    fn of_place(&self, folded: &str, listed: Option<NamePosition>) -> Option<String> {
        let target = self.letters[usize::from(first_letter(folded)?)];
        if !folded.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        let tables = Tables::shared();
        let Some(name) = listed else {
            return self.of_particle(folded, target).or_else(|| self.make_unlisted(folded, target));
        };
        let partition = &tables.names[usize::from(name.kind)];
        let purpose = KINDS[usize::from(name.kind & 3)];
        match (partition.image(self.randomness, purpose, name.position, target), name.short_form) {
            (Image::Entry(entry), None) => tables.name_list.get(entry as usize).map(|name| name.to_string()),
            (Image::Entry(entry), Some(form)) => tables.short_form(entry, form).map(str::to_owned),
            (Image::Composed(number), None) => {
                let draw = self.randomness.draw(NUMBERED, &[target]);
                let moved = self.randomness.permute(&draw, FIRST_REST, numbered(number, name.kind));
                Some(compose(target, moved, SYLLABLES))
            }
            // Names with short forms become such ones.
            (Image::Composed(_), Some(_)) => None,
        }
    }

    /// A name that no list holds is respelled. Where it would be taken for a numbered name, or differs from a listed one in the first
    /// letter alone, a numbered name stands for it: else listed and other names would meet.
    fn make_unlisted(&self, folded: &str, target: u8) -> Option<String> {
        let tables = Tables::shared();
        if let Some(numbered) = renumber(self.randomness, folded, target) {
            return Some(numbered);
        }
        if let Some(rest) = tables.rest(&folded[1..]) {
            let draw = self.randomness.draw("rests of names", b"");
            let moved = self.randomness.permute(&draw, tables.rests().len() as u128, rest.into());
            return Some(compose(target, FIRST_REST + moved, SYLLABLES));
        }
        respell(self.randomness, Direction::Forth, folded, target, tables)
    }

    /// The letter that an initial becomes, in the same case.
    pub(super) fn initial(&self, letter: char) -> char {
        let folded = fold(letter.encode_utf8(&mut [0; 4]));
        match first_letter(&folded) {
            Some(index) => {
                let image = char::from(b'a' + self.letters[usize::from(index)]);
                if letter.is_uppercase() { image.to_ascii_uppercase() } else { image }
            }
            None => self.foreign_letter(Direction::Forth, letter, b""),
        }
    }

    fn initials(&self, text: &str) -> String {
        text.chars().map(|letter| if letter.is_alphabetic() { self.initial(letter) } else { letter }).collect()
    }

    /// A name in another script: its first letter as the initial, the others each under a draw of the originals before it.
    fn foreign(&self, direction: Direction, text: &str) -> String {
        let mut originals = String::new();
        text.chars()
            .map(|character| {
                let moved = match direction {
                    _ if !originals.is_empty() => self.foreign_letter(direction, character, originals.as_bytes()),
                    // Without its accent it would have the image of another letter.
                    Direction::Forth if !character.is_ascii() => self.foreign_letter(direction, character, b""),
                    Direction::Forth => self.initial(character),
                    Direction::Back => self.initial_before(character).unwrap_or(character),
                };
                let original = if direction == Direction::Forth { character } else { moved };
                originals.extend(original.to_lowercase());
                moved
            })
            .collect()
    }

    fn foreign_letter(&self, direction: Direction, character: char, originals: &[u8]) -> char {
        let draw = self.randomness.draw("foreign letter", &scripts::drawn_by(originals, character));
        if character.is_ascii_alphabetic() {
            let step = 1 + draw.below(25) as u8;
            let step = if direction == Direction::Forth { step } else { 26 - step };
            let moved = char::from(b'a' + (character.to_ascii_lowercase() as u8 - b'a' + step) % 26);
            return if character.is_ascii_uppercase() { moved.to_ascii_uppercase() } else { moved };
        }
        scripts::turn(direction, character, &draw).unwrap_or(character)
    }
}

/// Two or three capitals, or two small letters, are the initials of someone.
fn is_initials(text: &str) -> bool {
    let upper = text.bytes().all(|byte| byte.is_ascii_uppercase());
    let lower = text.bytes().all(|byte| byte.is_ascii_lowercase());
    match text.len() {
        2 => upper || lower,
        3 => upper && Tables::shared().name(&fold(text)).is_none(),
        _ => false,
    }
}

/// The parts of names written without space, `VivianLee`, where all are known.
fn run_together(text: &str) -> Option<Vec<&str>> {
    let bytes = text.as_bytes();
    let cuts = (1..bytes.len()).filter(|&at| bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase());
    let mut parts = Vec::new();
    let mut start = 0;
    for cut in cuts.chain([text.len()]) {
        let part = text.get(start..cut)?;
        if part.len() < 2 {
            return None;
        }
        parts.push(part);
        start = cut;
    }
    let known = parts.iter().all(|part| Tables::shared().is_name(&fold(part)));
    (parts.len() > 1 && known).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::words::APOSTROPHES;
    use proptest::prelude::*;

    fn with<T>(seed: u8, test: impl FnOnce(Names<'_>) -> T) -> T {
        let randomness = Randomness::new([seed; 32]);
        let letters = exchange_letters(&randomness);
        test(Names { randomness: &randomness, letters: &letters, remembered: &Remembered::default() })
    }

    #[test]
    fn one_person_in_many_writings() {
        for seed in 0..20 {
            with(seed, |names| {
                let (john, smith, c) = (names.word("John"), names.word("Smith"), names.initial('C'));
                let j = john.chars().next().unwrap();
                for (written, image) in [
                    ("John Smith", format!("{john} {smith}")),
                    ("SMITH, JOHN C", format!("{}, {} {c}", smith.to_uppercase(), john.to_uppercase())),
                    ("Mr. Smith's", format!("Mr. {smith}'s")),
                    ("J. Smith", format!("{j}. {smith}")),
                    ("john", john.to_lowercase()),
                    ("John C. Smith, Jr.", format!("{john} {c}. {smith}, Jr.")),
                    ("Smith-Johnson", format!("{smith}-{}", names.word("Johnson"))),
                    ("John Smith, MD, PhD", format!("{john} {smith}, MD, PhD")),
                    ("John Smith, M.D., Ph.D.", format!("{john} {smith}, M.D., Ph.D.")),
                    ("JohnSmith", format!("{john}{smith}")),
                    ("Ludwig van Smith", format!("{} van {smith}", names.word("Ludwig"))),
                    ("JCS", format!("{j}{c}{}", names.initial('S'))),
                ] {
                    assert_eq!(names.replace(written), image, "{written}");
                }
                assert!(!john.eq_ignore_ascii_case("john") && !smith.eq_ignore_ascii_case("smith"));
            });
        }
    }

    #[test]
    fn sex_and_origin_are_kept() {
        let tables = Tables::shared();
        with(3, |names| {
            for name in ["mary", "john", "garcia", "nguyen", "smith"] {
                let image = names.folded(name).unwrap();
                let (from, to) = (tables.name(name).unwrap(), tables.name(&fold(&image)).unwrap());
                assert_eq!((from.kind, from.position.subgroup), (to.kind, to.position.subgroup), "{name} {image}");
            }
        });
    }

    #[test]
    fn accents_and_scripts() {
        with(3, |names| {
            assert_eq!(fold(&names.replace("José")), fold(&names.replace("JOSE")));
            for name in ["Иванов", "王小明", "Muñoz", "Nguyễn", "O’Brien", "McDonald", "Μαρία"] {
                assert_ne!(names.replace(name), name);
            }
            for (written, plain) in [
                ("Nguyễn Văn Minh", "Nguyen Van Minh"),
                ("NGUYỄN, VĂN MINH", "NGUYEN, VAN MINH"),
                ("Trần", "Tra\u{302}\u{300}n"),
                ("Phạm", "Pham"),
                ("Đặng Thị Hương", "Dang Thi Huong"),
                ("Kaʻahumanu", "Kaahumanu"),
                ("Oʼbrien", "O'brien"),
                ("Məmmədov", "Memmedov"),
            ] {
                assert_eq!(names.replace(written), names.replace(plain), "{written}");
            }
            for mark in APOSTROPHES {
                for name in ["O'Brien", "O'Zyxwick", "Dr. O'Brien's", "D'ANGELO, ANN", "M'Bala"] {
                    let written = name.replace('\'', &mark.to_string());
                    assert_eq!(fold(&names.replace(&written)), fold(&names.replace(name)), "{written}");
                }
            }
            assert_eq!(names.replace("И.").chars().next(), names.replace("Иванов").chars().next());
        });
    }

    #[test]
    fn codes_among_names_keep_their_form() {
        with(3, |names| {
            let image = names.replace("DF14");
            assert!(image.len() == 4 && image != "DF14" && image[2..].parse::<u8>().is_ok(), "{image}");
            for value in ["Dr", "de la", "Jr.", "MD", "tp", "Al", "Do"] {
                assert_ne!(names.replace(value), value);
            }
        });
    }

    #[test]
    fn letters_are_exchanged_without_one_that_stays() {
        for seed in 0..50 {
            with(seed, |names| {
                let mut seen = *names.letters;
                assert!(seen.iter().enumerate().all(|(from, &to)| from != usize::from(to)));
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..26));
            });
        }
    }

    #[test]
    fn names_that_are_particles_too_are_one_in_all_writings() {
        for seed in 0..30 {
            with(seed, |names| {
                for (name, written, capitals, other) in [
                    ("Das", "Dr. Anil Das", "DAS, ANIL", "Anil"),
                    ("Le", "Dr. Thanh Le", "LE, THANH", "Thanh"),
                    ("Judge", "Mary Judge", "JUDGE, MARY", "Mary"),
                    ("Van", "Minh Van", "VAN, MINH", "Minh"),
                ] {
                    let (image, given) = (names.word(name), names.word(other));
                    assert!(names.replace(written).ends_with(&format!("{given} {image}")), "{written} {image}");
                    assert_eq!(names.replace(capitals), format!("{image}, {given}").to_uppercase());
                    // No telltale: like any other name.
                    assert!(image.len() <= 8 && !image.eq_ignore_ascii_case(name), "{name} {image}");
                    let folded = fold(&image);
                    assert_eq!(names.unfolded(&folded).as_deref(), Some(fold(name).as_str()), "{image}");
                }
                assert!(names.replace("Mr. van der Berg").starts_with("Mr. van der "));
                assert!(names.replace("VAN DER BERG, JAN").starts_with("VAN DER "));
                assert!(names.replace("SMITH, BABY BOY A").contains(", BABY BOY "));
            });
        }
    }

    #[test]
    fn composed_names_tell_nothing_without_the_key() {
        let tables = Tables::shared();
        let folded = |name: &str, seed| with(seed, |names| names.folded(name)).map(|image| fold(&image));
        let composed = |name: &str, seed| folded(name, seed).filter(|image| !tables.is_name(image));
        let names = tables.name_list.iter().map(|name| fold(name)).step_by(101);
        let often = names.filter(|name| (0..8).filter(|&seed| composed(name, seed).is_some()).count() > 5);
        let mut seen = 0;
        for name in often.take(20) {
            let images: Vec<_> = (0..60).filter_map(|seed| composed(&name, seed)).collect();
            let distinct: std::collections::HashSet<_> = images.iter().map(|image| &image[1..]).collect();
            assert_eq!(distinct.len(), images.len(), "{name}");
            seen += images.len();
        }
        assert!(seen > 400, "{seen}");
    }

    #[test]
    fn no_two_names_of_the_lexicon_become_one() {
        with(11, |names| {
            let tables = Tables::shared();
            let particles = tables.particles.iter().flatten().filter_map(|name| names.folded(name));
            let images = tables.name_list.iter().filter_map(|name| {
                let image = fold(&names.folded(&fold(name))?);
                assert_eq!(names.unfolded(&image).as_deref(), Some(*name));
                Some(image)
            });
            let mut images: Vec<String> = images.chain(particles.map(|image| fold(&image))).collect();
            let all = images.len();
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len(), all);
        });
    }

    proptest! {
        #[test]
        fn any_text_is_survived_and_letters_change(value in "\\PC{0,30}") {
            let image = with(3, |names| names.replace(&value));
            if value.chars().any(|character| character.is_ascii_alphanumeric()) {
                prop_assert_ne!(image, value);
            }
        }
    }
}
