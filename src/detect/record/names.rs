//! The words of a record's names, whose they are, and how far a word of a note may differ from them.
//!
//! ```text
//! Okafor-Lind, Ngozi T. MD ─▶ okafor lind okaforlind (family) · ngozi (given) · t (middle)       all of one person
//! "0kafor" garbled    "Okofor" one edit    "Ngo" no    "Ngozie" pet form or edit
//! ```

use super::PatientRecord;
use super::fold::{Key, Word};
use super::near;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

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

/// How a word of a note equals a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// Letter by letter, but for case and accents.
    Same,
    /// As a scan may have read it.
    Garbled,
    /// But for one edit, or a spelling of the same sound, or a pet form.
    Near,
    /// But for an edit that makes another word of most short words.
    Slight,
}

/// People, as bits; those of a large dictionary share the last one.
pub(super) type People = u64;

/// One word of names.
#[derive(Debug)]
pub(super) struct NameWord {
    pub key: Key,
    looks: Key,
    /// Whose given, middle and family name it is.
    pub given: People,
    pub middle: People,
    pub family: People,
    pub usual: Usual,
    /// A month or a season.
    pub calendar: bool,
    /// Whether it can be a name by itself.
    pub lone: bool,
}

impl NameWord {
    /// All whose name it is part of.
    pub(super) const fn people(&self) -> People {
        self.given | self.middle | self.family
    }
}

/// The words of all names of a record.
#[derive(Debug, Default)]
pub(super) struct NameSet {
    words: Vec<NameWord>,
    /// Where the words with each first byte begin: `words[firsts[b]..firsts[b + 1]]`.
    firsts: Vec<u16>,
    /// The first two and the last two letters of words, as a scan sees them: an edit spares one of the pairs.
    pairs: near::Pairs,
    /// The first two bytes of words.
    begins: near::PairSet,
    /// The letters of each word, as bits, and its length; all bits for words too short to be misspelt.
    letters: Vec<(u32, usize)>,
    /// Whose given or middle name, and whose family name, begins with each letter.
    initials: [People; 32],
    family_initials: [People; 32],
    staff: People,
    /// Whether one edit, without anything beside it that tells, is enough.
    tolerant: bool,
}

impl NameSet {
    /// The names of a record; a tolerant set finds misspelt names that stand alone, too.
    pub(super) fn new(record: &PatientRecord, tolerant: bool) -> Self {
        let mut set = Self { tolerant, ..Self::default() };
        for given in &record.given_names {
            given.split_whitespace().for_each(|word| set.given(word, 1));
        }
        for middle in &record.middle_names {
            middle.split_whitespace().for_each(|word| set.middle(word, 1));
        }
        for family in &record.family_names {
            set.family(family, 1);
        }
        for (index, (label, name)) in record.related.iter().enumerate() {
            let person = 1 << (index + 1).min(63);
            if *label == Label::Doctor {
                set.staff |= person;
            }
            set.full_name(name, person);
        }
        set.index();
        set
    }

    fn index(&mut self) {
        self.words.retain(|word| !word.key.as_bytes().is_empty());
        self.words.sort_by(|left, right| left.key.as_bytes().cmp(right.key.as_bytes()));
        self.firsts = Vec::with_capacity(257);
        let mut at = 0;
        for byte in 0..=256_u16 {
            while self.words.get(at).is_some_and(|word| u16::from(word.key.as_bytes()[0]) < byte) {
                at += 1;
            }
            self.firsts.push(u16::try_from(at).unwrap_or(u16::MAX));
        }
        for word in &self.words {
            let key = word.key.as_bytes();
            let initial = usize::from(key[0] & 31);
            self.initials[initial] |= word.given | word.middle;
            self.family_initials[initial] |= word.family;
            if let [first, second, ..] = *key {
                self.begins.insert(first, second);
            }
            let long = key.len() >= near::SHORTEST;
            if long {
                self.pairs.insert(key);
                self.pairs.insert(word.looks.as_bytes());
            }
            let looks = word.looks.as_bytes();
            self.letters.push((if long { near::letters(looks) } else { u32::MAX }, looks.len()));
        }
    }

    /// A name as it is written in lists: `Given Middle Family` or `Family, Given Middle`, titles and credentials around it.
    fn full_name(&mut self, name: &str, person: People) {
        let lexicon = Lexicon::shared();
        let (mut family, mut given) = match name.split_once(',') {
            Some((family, given)) if !is_credentials(given) => (family.trim(), given.trim()),
            _ => ("", name.split(',').next().unwrap_or(name).trim()),
        };
        let words: Vec<&str> =
            given.split_whitespace().filter(|word| !is_credential(word) && !is_title(word)).collect();
        if family.is_empty() {
            // Particles belong to the family name: `Ana de la Cruz`.
            let particle = words.iter().skip(1).position(|word| lexicon.word(word).is(WordFlags::PARTICLE));
            let at = particle.map_or(words.len().saturating_sub(1), |index| index + 1);
            let from = words.get(at).map_or(0, |word| word.as_ptr() as usize - given.as_ptr() as usize);
            let to = words.last().map_or(0, |word| word.as_ptr() as usize - given.as_ptr() as usize + word.len());
            family = given.get(from..to).unwrap_or("");
            given = given.get(..from).unwrap_or("");
        }
        self.family(family, person);
        let mut rest = given.split_whitespace().filter(|word| !is_credential(word) && !is_title(word));
        if let Some(first) = rest.next() {
            self.given(first, person);
        }
        rest.for_each(|word| self.middle(word, person));
    }

    fn given(&mut self, given: &str, person: People) {
        self.add(given, true, |word| word.given |= person);
        parts(given).for_each(|part| self.add(part, true, |word| word.given |= person));
        for nickname in Lexicon::shared().nicknames(given) {
            self.add(nickname, true, |word| word.given |= person);
        }
    }

    fn middle(&mut self, middle: &str, person: People) {
        self.add(middle, false, |word| word.middle |= person);
        parts(middle).for_each(|part| self.add(part, false, |word| word.middle |= person));
    }

    /// A family name as a whole and, where it has several parts, each part.
    fn family(&mut self, family: &str, person: People) {
        let family = family.split_whitespace().filter(|word| !is_suffix(word) && !is_credential(word));
        let whole: String = family.clone().collect();
        self.add(&whole, true, |word| word.family |= person);
        for word in family {
            self.add(word, true, |word| word.family |= person);
            parts(word).for_each(|part| self.add(part, true, |word| word.family |= person));
        }
    }

    fn add(&mut self, word: &str, lone: bool, mark: impl FnOnce(&mut NameWord)) {
        let key = Key::of(word);
        let length = key.as_str().chars().count();
        if length == 0 {
            return;
        }
        if let Some(known) = self.words.iter_mut().find(|known| known.key.as_bytes() == key.as_bytes()) {
            known.lone |= lone && length > 1;
            mark(known);
            return;
        }
        let info = Lexicon::shared().word(key.as_str());
        let calendar = CALENDAR.contains(&key.as_str());
        let usual = if GRAMMAR.contains(&key.as_str()) {
            Usual::Grammar
        } else if info.is_any(WordFlags::MEDICAL.union(WordFlags::CARE_ROLE)) || COMMON.contains(&key.as_str()) {
            Usual::Often
        } else {
            match info.english_size() {
                Some(..=20) if info.given_count < 30_000 => Usual::Often,
                Some(..=70) => Usual::Sometimes,
                _ if info.is(WordFlags::NATIONALITY) || calendar => Usual::Sometimes,
                _ => Usual::No,
            }
        };
        // Particles and parts of two letters are names beside the rest of the name only.
        let lone = lone && length > 2 && !info.is(WordFlags::PARTICLE);
        let looks = key.looks();
        let mut word = NameWord { key, looks, given: 0, middle: 0, family: 0, usual, calendar, lone };
        mark(&mut word);
        self.words.push(word);
    }

    /// The words that begin with a byte of a key.
    pub(super) fn beginning(&self, first: u8) -> &[NameWord] {
        let at = |index: usize| self.firsts.get(index).map_or(0, |&at| usize::from(at));
        self.words.get(at(usize::from(first))..at(usize::from(first) + 1)).unwrap_or(&[])
    }

    /// Whether a word of the set can begin as the bytes do.
    pub(super) fn may_begin(&self, key: &[u8]) -> bool {
        matches!(*key, [first, second, ..] if self.begins.may_hold(first, second)) || key.len() == 1
    }

    /// The name that a word of a note is, letter by letter.
    pub(super) fn same(&self, key: &Key) -> Option<&NameWord> {
        let first = *key.as_bytes().first()?;
        if !self.may_begin(key.as_bytes()) {
            return None;
        }
        self.beginning(first).iter().find(|word| word.key.as_bytes() == key.as_bytes())
    }

    /// The name that a word of a note is, or is like.
    pub(super) fn like(&self, word: &Word<'_>) -> Option<(&NameWord, Likeness)> {
        if let Some(name) = self.same(&word.key) {
            return Some((name, Likeness::Same));
        }
        let key = word.key.as_bytes();
        if key.len() < near::SHORTEST || !word.letters {
            return None;
        }
        if !self.pairs.may_hold(key) || word.digits && !near::is_scanned_word(word.written()) {
            return None;
        }
        let looks = word.key.looks();
        let letters = near::letters(looks.as_bytes());
        let found = self.words.iter().zip(&self.letters).find_map(|(name, &(other, length))| {
            if (other ^ letters).count_ones() > 3 || length.abs_diff(looks.as_bytes().len()) > 2 {
                return None;
            }
            if name.looks.as_bytes() == looks.as_bytes() {
                return Some((name, Likeness::Garbled));
            }
            Some((name, near::likeness(name.looks.as_bytes(), looks.as_bytes())?))
        });
        let sure = found.filter(|&(_, likeness)| likeness < Likeness::Slight);
        sure.or_else(|| self.pet_form(word)).or(found).filter(|_| !is_known_word(word.key.as_str()))
    }

    /// `Kosi` or `Mags` of a longer given name; only with a capital.
    fn pet_form(&self, word: &Word<'_>) -> Option<(&NameWord, Likeness)> {
        let written = word.written();
        let capital = written.starts_with(char::is_uppercase) && written.contains(char::is_lowercase);
        let key = word.key.as_bytes();
        let names = if capital && !word.digits { self.beginning(key[0]) } else { &[] };
        names
            .iter()
            .find(|name| name.given != 0 && near::is_pet_form(name.key.as_bytes(), key))
            .map(|name| (name, Likeness::Near))
    }

    /// The people whose given or middle name begins with a letter.
    pub(super) const fn with_initial(&self, letter: u8) -> People {
        self.initials[(letter & 31) as usize]
    }

    /// The people whose family name begins with a letter.
    pub(super) const fn with_family_initial(&self, letter: u8) -> People {
        self.family_initials[(letter & 31) as usize]
    }

    /// What the first of some people is.
    pub(super) const fn label(&self, people: People) -> Label {
        let first = people & people.wrapping_neg();
        if first & self.staff != 0 { Label::Doctor } else { Label::Patient }
    }

    /// Whether a misspelt name may stand alone.
    pub(super) const fn is_tolerant(&self) -> bool {
        self.tolerant
    }
}

/// The parts of a hyphenated name; none of a name without a hyphen.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    let hyphen = |c: char| matches!(c, '-' | '\u{2010}' | '\u{2011}');
    name.split(hyphen).filter(move |part| part.len() < name.len() && !part.is_empty())
}

/// Whether a word is one of English or medicine, so that it is no misspelling.
pub(super) fn is_known_word(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    info.english_band().is_some() || info.is_any(WordFlags::MEDICAL.union(WordFlags::CARE_ROLE))
}

fn is_among(word: &str, list: &[&str]) -> bool {
    let word = word.trim_matches(['.', ',', '(', ')']);
    list.iter().any(|other| other.eq_ignore_ascii_case(word))
}

fn is_title(word: &str) -> bool {
    is_among(word, &["mr", "mrs", "ms", "miss", "dr", "mx", "prof", "rev", "sir"])
}

fn is_suffix(word: &str) -> bool {
    is_among(word, &["jr", "sr", "ii", "iii", "iv"])
}

/// Whether a word of the record is letters after a name, written large: `MD`, `RN`, `PA-C`, `Ph.D.`.
fn is_credential(word: &str) -> bool {
    const CREDENTIALS: &[&str] = &[
        "MD", "M.D", "DO", "D.O", "RN", "NP", "PA", "PA-C", "PHD", "PH.D", "LCSW", "LMSW", "MSW", "FNP", "DNP", "APRN",
        "BSN", "MSN", "MBBS", "PHARMD", "DPM", "DDS", "DMD", "PSYD", "CRNA", "CNM", "OTR", "OTR/L", "PT", "DPT", "RD",
        "FACP", "FACS", "LPN", "CNA", "EMT", "RT", "CCC-SLP", "MPH", "FNP-C", "FNP-BC",
    ];
    let capital = word.starts_with(char::is_uppercase);
    capital && is_among(word, CREDENTIALS) && (word.len() > 2 || word.chars().all(char::is_uppercase))
}

fn is_credentials(words: &str) -> bool {
    words.split([' ', ',']).filter(|word| !word.is_empty()).all(is_credential)
}

/// Months and seasons that are names.
const CALENDAR: &[&str] =
    &["april", "may", "june", "august", "summer", "autumn", "march", "winter", "spring", "season", "january", "july"];

/// Names that are words of grammar.
const GRAMMAR: &[&str] = &[
    "will", "may", "her", "so", "an", "can", "do", "no", "to", "he", "she", "you", "see", "in", "on", "at", "be", "or",
    "as", "is", "my", "we", "me", "go", "such", "little", "more", "still", "well", "long", "low", "high", "day",
    "days", "son", "in", "back", "fell", "head", "hand", "pain", "best", "good", "many", "much", "some", "any", "than",
    "then", "the",
];

/// Names that stand in notes as words more often than as names, however many people bear them.
const COMMON: &[&str] =
    &["faith", "mark", "drew", "major", "bill", "jack", "chance", "chase", "rich", "sunny", "dusty", "trace"];
