//! The words of a record's names, whose they are, and how far a word of a note may differ from them.
//!
//! ```text
//! Okafor-Lind, Ngozi T. MD ─▶ okafor lind okaforlind (family) · ngozi (given) · t (middle)       all of one person
//! "0kafor" garbled    "Okofor" one edit    "Ngo" no    "Ngozie" pet form or edit
//! ```

use smallvec::SmallVec;

use super::PatientRecord;
use super::context::among;
use super::cues::{KIN, ROLES};
use super::fold::{Key, Word};
use super::name_word::{NameWord, People};
use super::near;
use super::plain::plain;
use super::sieve::Beginnings;
use super::titles::{is_around_name, is_behind_name, is_credential, is_particle, is_suffix};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// In a set of more words of what was found in notes nobody looks for misspelt ones: it is not one patient's, but what notes without a patient
/// share.
const MOST_MISSPELT: usize = 4096;

/// The place, among those of all people, that all private ones share from the 62nd on; behind it that of staff.
const PRIVATE: usize = 62;

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

/// The words of all names of a record.
#[derive(Debug, Default)]
pub(super) struct NameSet {
    words: Vec<NameWord>,
    /// The first eight bytes of the key of each word.
    eights: Vec<u64>,
    /// Where the words with each first byte begin: `words[firsts[b]..firsts[b + 1]]`.
    firsts: Vec<u32>,
    /// The first two and the last two letters of words, as a scan sees them: an edit spares one of the pairs.
    pairs: near::Pairs,
    /// The first two bytes of words.
    begins: near::PairSet,
    /// The first three bytes of words.
    beginnings: Beginnings,
    /// The letters of each word as a scan may have read it, as bits, and their number; all bits for words too short to be misspelt.
    letters: Vec<(u32, u32)>,
    /// Whose given or middle name, and whose family name, begins with each letter.
    initials: [People; 32],
    family_initials: [People; 32],
    staff: People,
    /// Whether one edit, without anything beside it that tells, is enough.
    tolerant: bool,
}

impl NameSet {
    /// The names of a record, instead of those of another; a tolerant set finds misspelt names that stand alone, too.
    pub(super) fn refill(&mut self, record: &PatientRecord<'_>, tolerant: bool) {
        let Self { mut words, mut eights, mut firsts, mut letters, .. } = std::mem::take(self);
        words.clear();
        eights.clear();
        firsts.clear();
        letters.clear();
        *self = Self { words, eights, firsts, letters, tolerant, ..Self::default() };
        for given in &record.given_names {
            given.split_whitespace().for_each(|word| self.given(word, 1));
        }
        for middle in &record.middle_names {
            middle.split_whitespace().for_each(|word| self.middle(word, 1));
        }
        for family in &record.family_names {
            self.family(family, 1);
        }
        let related = record.related.iter().flat_map(|(label, cell)| names_in(cell).map(move |name| (*label, name)));
        for (index, (label, name)) in related.enumerate() {
            // The last two are for all further ones: those that are private, and staff.
            let is_staff = label == Label::Doctor;
            let person = 1 << if index + 1 < PRIVATE { index + 1 } else { PRIVATE + usize::from(is_staff) };
            if is_staff {
                self.staff |= person;
            }
            self.full_name(name, person);
        }
        self.index();
    }

    /// How many bytes it takes besides itself.
    pub(super) fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<NameWord>()
            + self.eights.capacity() * size_of::<u64>()
            + self.firsts.capacity() * size_of::<u32>()
            + self.letters.capacity() * size_of::<(u32, u32)>()
    }

    fn index(&mut self) {
        self.words.sort_unstable_by(|left, right| {
            let eights = left.key.beginning().cmp(&right.key.beginning());
            eights.then_with(|| left.key.as_bytes().cmp(right.key.as_bytes()))
        });
        self.eights.clear();
        self.eights.extend(self.words.iter().map(|word| word.key.beginning()));
        self.firsts.resize(257, 0);
        for word in &self.words {
            self.firsts[usize::from(word.key.as_bytes()[0]) + 1] += 1;
        }
        for at in 1..self.firsts.len() {
            self.firsts[at] += self.firsts[at - 1];
        }
        for word in &self.words {
            let key = word.key.as_bytes();
            let initial = usize::from(key[0] & 31);
            self.initials[initial] |= word.given | word.middle;
            self.family_initials[initial] |= word.family;
            if let [first, second, ..] = *key {
                self.begins.insert(first, second);
            }
            let looks = word.key.looks();
            let looks = looks.as_bytes();
            let long = key.len() >= near::SHORTEST;
            if long {
                self.pairs.insert(key);
                // Where a scan changes no number of letters the pairs are the same.
                if looks.len() != key.len() {
                    self.pairs.insert(looks);
                }
            }
            self.letters.push((if long { near::letters(looks) } else { u32::MAX }, looks.len() as u32));
        }
    }

    /// A name as it is written in lists: `Given Middle Family` or `Family, Given Middle`; titles, `Jr.` and credentials around it.
    fn full_name(&mut self, name: &str, person: People) {
        let (family, given) = match name.split_once(',') {
            Some((family, given)) if !is_behind_name(given) => (family.trim(), given.trim()),
            _ => ("", name.split(',').next().unwrap_or(name).trim()),
        };
        let words = given.split(|c: char| c.is_whitespace() || c == ',');
        let words: SmallVec<[&str; 8]> = words.filter(|word| !word.is_empty() && !is_around_name(word)).collect();
        let mut rest = words.as_slice();
        if family.is_empty() {
            // Particles belong to the family name: `Ana de la Cruz`.
            let particle = words.iter().skip(1).position(|word| is_particle(word));
            let at = particle.map_or(words.len().saturating_sub(1), |index| index + 1);
            let from = words.get(at).map_or(0, |word| word.as_ptr() as usize - given.as_ptr() as usize);
            let to = words.last().map_or(0, |word| word.as_ptr() as usize - given.as_ptr() as usize + word.len());
            self.family(given.get(from..to).unwrap_or(""), person);
            rest = &words[..at.min(words.len())];
        } else {
            self.family(family, person);
        }
        if let Some((first, middle)) = rest.split_first() {
            self.given(first, person);
            for word in middle {
                self.middle(word, person);
            }
        }
    }

    fn given(&mut self, given: &str, person: People) {
        self.add(given, true, |word| word.given |= person);
        for part in parts(given) {
            self.add(part, true, |word| word.given |= person);
        }
        for nickname in Lexicon::shared().nicknames(given) {
            self.add(nickname, true, |word| word.given |= person);
        }
    }

    /// A middle name, by which some are called; of two or three letters it is a name beside the others only.
    fn middle(&mut self, middle: &str, person: People) {
        let tolerant = self.tolerant;
        let lone = |name: &str| tolerant && name.chars().count() > 3;
        self.add(middle, lone(middle), |word| word.middle |= person);
        for part in parts(middle) {
            self.add(part, lone(part), |word| word.middle |= person);
        }
    }

    /// A family name as a whole and, where it has several parts, each part.
    fn family(&mut self, family: &str, person: People) {
        let mut words = family.split_whitespace().filter(|word| !is_suffix(word) && !is_credential(word)).peekable();
        let Some(first) = words.next() else { return };
        let several = words.peek().is_some();
        if several {
            let whole: String = std::iter::once(first).chain(words.clone()).collect();
            self.add(&whole, true, |word| word.family |= person);
        }
        for word in std::iter::once(first).chain(words) {
            // A family name of one word is met twice, as the whole and as a word of it.
            if let Some(known) = self.add(word, true, |word| word.family |= person) {
                known.lone_again |= !several && known.key.count() > 1;
            }
            for part in parts(word) {
                self.add(part, true, |word| word.family |= person);
            }
        }
    }

    /// Adds a name word, or marks the one that is there; none where it has neither letter nor digit.
    fn add(&mut self, word: &str, lone: bool, mark: impl FnOnce(&mut NameWord)) -> Option<&mut NameWord> {
        let key = Key::of(word);
        let length = key.count();
        if length == 0 {
            return None;
        }
        let eight = key.beginning();
        let may_be_there = key.as_bytes().len() < 3 || self.beginnings.may_hold(key.as_bytes());
        self.beginnings.insert(key.as_bytes());
        let alike = if may_be_there { self.eights.as_slice() } else { &[] };
        let mut same = alike.iter().enumerate().filter(|(_, other)| **other == eight).map(|(at, _)| at);
        if let Some(at) = same.find(|&at| self.words[at].key.is(&key)) {
            let known = &mut self.words[at];
            known.lone_again |= lone && length > 1;
            mark(known);
            return Some(known);
        }
        let mut word = NameWord::new(key, lone && length > 2);
        mark(&mut word);
        self.eights.push(eight);
        self.words.push(word);
        self.words.last_mut()
    }

    /// The words that begin with a byte of a key.
    pub(super) fn beginning(&self, first: u8) -> &[NameWord] {
        let (from, to) = self.places(first);
        self.words.get(from..to).unwrap_or(&[])
    }

    /// The words that begin with all of a key, among them the key itself.
    pub(super) fn beginning_with(&self, key: &[u8]) -> &[NameWord] {
        let words = self.beginning(key.first().copied().unwrap_or_default());
        let from = words.partition_point(|word| word.key.as_bytes() < key);
        let words = &words[from..];
        &words[..words.partition_point(|word| word.key.as_bytes().starts_with(key))]
    }

    /// The words that a key begins with, the longest first.
    pub(super) fn beginnings_of<'s>(&'s self, key: &[u8]) -> impl Iterator<Item = &'s NameWord> {
        (1..=key.len()).rev().filter_map(|length| self.of_bytes(&key[..length]))
    }

    /// The word that is a key, letter by letter.
    pub(super) fn of_bytes(&self, key: &[u8]) -> Option<&NameWord> {
        let words = self.beginning(*key.first()?);
        let at = words.binary_search_by(|word| word.key.as_bytes().cmp(key)).ok()?;
        words.get(at)
    }

    /// Where the words that begin with a byte of a key are.
    fn places(&self, first: u8) -> (usize, usize) {
        let at = |index: usize| self.firsts.get(index).map_or(0, |&at| at as usize);
        (at(usize::from(first)), at(usize::from(first) + 1))
    }

    /// Whether a word of the set may begin with the bytes, or with the first three of them.
    #[inline]
    pub(super) fn may_begin(&self, key: &[u8]) -> bool {
        match *key {
            [first, second] => self.begins.may_hold(first, second),
            [_, _, ..] => self.beginnings.may_hold(key),
            [_] => true,
            [] => false,
        }
    }

    /// The name that a word of a note is, letter by letter.
    pub(super) fn same(&self, key: &Key) -> Option<&NameWord> {
        let first = *key.as_bytes().first()?;
        if !self.may_begin(key.as_bytes()) {
            return None;
        }
        let (eight, (from, to)) = (key.beginning(), self.places(first));
        let from = from + self.eights.get(from..to)?.partition_point(|&other| other < eight);
        let same = self.eights.get(from..to)?.iter().zip(self.words.get(from..to)?);
        same.take_while(|(other, _)| **other == eight).map(|(_, word)| word).find(|word| word.key.is(key))
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
        if self.words.len() > MOST_MISSPELT && !self.tolerant
            || !self.pairs.may_hold(key)
            || word.digits && !near::is_scanned_word(word.written())
            || word.is_known()
        {
            return None;
        }
        let looks = word.key.looks();
        let looks = looks.as_bytes();
        let (letters, length) = (near::letters(looks), looks.len() as u32);
        let alike = self.letters.iter().zip(&self.words).filter(|&(&(other, other_length), _)| {
            (other ^ letters).count_ones() <= 3 && other_length.abs_diff(length) <= 2
        });
        let judged = alike.filter_map(|(_, name)| {
            let other = name.key.looks();
            if other.as_bytes() == looks {
                return Some((name, Likeness::Garbled));
            }
            Some((name, near::likeness(other.as_bytes(), looks)?))
        });
        let found = judged.min_by_key(|&(_, likeness)| likeness);
        found.filter(|&(_, likeness)| likeness < Likeness::Slight).or_else(|| self.pet_form(word)).or(found)
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

    /// What some people are: private, if one of them is. A policy may keep the names of staff, but not because a patient has the same.
    pub(super) const fn label(&self, people: People) -> Label {
        if people & !self.staff == 0 { Label::Doctor } else { Label::Patient }
    }

    /// Whether a misspelt name may stand alone.
    pub(super) const fn is_tolerant(&self) -> bool {
        self.tolerant
    }
}

/// The names in a cell of a table, which may hold several, and what each is to the patient: `Mary Quorlin (wife); son: Tom Quorlin`.
pub(crate) fn names_in(cell: &str) -> impl Iterator<Item = &str> {
    let is_relation = |words: &str| {
        let mut words = words.split([' ', '-', '/', ',']).filter(|word| !word.is_empty());
        words.any(|word| among(word, KIN) || among(word, ROLES))
    };
    let names = cell.split([';', '|', '\n']).flat_map(|part| part.split(" and ")).flat_map(|part| part.split(" & "));
    names.map(str::trim).filter_map(move |name| {
        let bare = name.strip_suffix(')').and_then(|open| open.rsplit_once('('));
        let is_role = |inside: &str| is_relation(inside) || listed!(inside, "poa dpoa hcpoa mpoa hcp nok guardian");
        let name = bare.filter(|(_, inside)| is_role(inside)).map_or(name, |(name, _)| name.trim_end());
        let bare = name.split_once(':').filter(|(relation, _)| is_relation(relation));
        let name = bare.map_or(name, |(_, name)| name.trim());
        let bare = name.rsplit_once(" - ").filter(|(_, relation)| is_relation(relation));
        let name = bare.map_or(name, |(name, _)| name.trim_end());
        let bare = name.split_once(' ').filter(|(relation, name)| is_called_kin(relation, name));
        let name = bare.map_or(name, |(_, name)| name.trim_start());
        (!name.is_empty() && !among(name, KIN)).then_some(name)
    })
}

/// `Daughter Liesl`, `Aunt Rose Lee`: what kin are to the patient before their name. `Son Tran` and `Kin Wong` may be called so.
fn is_called_kin(relation: &str, name: &str) -> bool {
    const NEVER_NAMES: &str = "wife husband daughter mother father sister brother aunt auntie uncle niece nephew grandson granddaughter \
        spouse fiance fiancee neighbor neighbour girlfriend boyfriend roommate caregiver guardian grandma grandpa dtr";
    name.starts_with(char::is_uppercase) && listed!(relation, NEVER_NAMES)
}

/// The parts of a name that a hyphen or a stroke joins; none of a name without one. Behind a stroke may also stand what somebody is: `Kim/LPN`.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    const ROLES: WordFlags = WordFlags::CARE_ROLE.union(WordFlags::ABBREVIATION);
    // Most are of letters alone, and are given back at once.
    let name = if name.bytes().all(|byte| byte.is_ascii_alphanumeric()) { "" } else { name };
    let stroke = |c: char| matches!(c, '/' | ';' | '|' | '&' | '+');
    let stroked = name.contains(stroke);
    let is_role = |part: &str| is_around_name(part) || Lexicon::shared().word(part).is_any(ROLES);
    let parts = name.split(move |c: char| plain(c) == '-' || stroke(c));
    parts.filter(move |part| part.len() < name.len() && !part.is_empty() && !(stroked && is_role(part)))
}

/// Whether a word is one of English or medicine, so that it is no misspelling.
pub(super) fn is_known_word(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    info.english_band().is_some() || info.is_any(WordFlags::MEDICAL.union(WordFlags::CARE_ROLE))
}
