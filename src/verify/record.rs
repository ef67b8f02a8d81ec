//! What the structured record knows of a patient, looked for in a text.
//!
//! ```text
//! record   Ann Marie Lee · 12 Oak Street, Rochester · 507-555-0101 · kin: Bo Lee
//! text     "LEE, ANN M. of 12 Oak St … (507) 555-0101 … her son Bo Lee … Lee"
//!           └── name ─┘   └addr┘      └─ number ─┘          └name┘   └ one word
//! ```
//!
//! A full name is a given and a family name side by side, in either order, with at most two middle names or initials between or
//! after them. One word alone counts apart: whether it means something else as well is asked of the lexicon.

use std::collections::HashSet;
use std::ops::Range;

use super::shapes::{Candidate, keys_of_value};
use super::words::{Word, keys};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Class, Label, Policy};

/// The structured record of one patient; empty fields are unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// Given names and nicknames, one an entry.
    pub given_names: Vec<String>,
    /// Middle names and initials, one an entry.
    pub middle_names: Vec<String>,
    /// Family names, former ones too, one an entry.
    pub family_names: Vec<String>,
    /// Full names of kin as [`Label::Patient`] and of staff as [`Label::Doctor`]: `Given Middle Family` or `Family, Given Middle`.
    pub related: Vec<(Label, String)>,
    /// Street line, house number first.
    pub street: String,
    /// City or town.
    pub city: String,
    /// Postal code.
    pub zip: String,
    /// Telephone numbers in any format.
    pub phones: Vec<String>,
    /// E-mail addresses.
    pub emails: Vec<String>,
    /// Numbers and codes with what they are.
    pub identifiers: Vec<(Label, String)>,
}

/// The records of one patient, ready to be looked for.
#[derive(Debug, Default)]
pub struct KnownValues {
    people: Vec<Person>,
    numbers: HashSet<u64>,
    address: Vec<Address>,
    /// Every word that a search can begin at or that counts alone.
    words: HashSet<u64>,
    /// Those that count alone, with whether they mean something else as well.
    alone: Vec<(Vec<u64>, bool)>,
    /// One bit for every word, so that most words of a text are told by one look.
    sieve: [u64; 16],
}

/// A person's names, each a sequence of words.
#[derive(Debug, Default)]
struct Person {
    given: Vec<Vec<u64>>,
    middle: Vec<Vec<u64>>,
    family: Vec<Vec<u64>>,
}

/// A street line: its house number and what the street is called.
#[derive(Debug)]
struct Address {
    house: u64,
    street: u64,
}

/// What was found of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A full name.
    Name,
    /// House number and street.
    Address,
    /// One name or the town; whether it means something else as well.
    Word { ordinary: bool },
}

/// How many words may stand between the two names of a full name.
const MOST_MIDDLE: usize = 2;
/// How far the street's name may stand behind the house number, in words: `12 North Oak Street`.
const STREET_REACH: usize = 3;
/// A shorter name does not count alone.
const SHORTEST_ALONE: usize = 3;

impl KnownValues {
    /// What is looked for of a patient's records, under a policy: what it keeps may stay.
    pub fn new<'r>(records: impl IntoIterator<Item = &'r Record>, policy: &Policy) -> Self {
        let mut known = Self::default();
        for record in records {
            known.add(record, policy);
        }
        known.alone.sort_unstable();
        known.alone.dedup();
        let alone = known.alone.iter().filter_map(|(words, _)| words.first());
        let people = known.people.iter().flat_map(|person| person.given.iter().chain(&person.family));
        let houses = known.address.iter().map(|address| &address.house);
        known.words = alone.chain(people.filter_map(|name| name.first())).chain(houses).copied().collect();
        for word in &known.words {
            known.sieve[(word >> 6) as usize % 16] |= 1 << (word % 64);
        }
        known
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.numbers.is_empty()
    }

    fn add(&mut self, record: &Record, policy: &Policy) {
        let removes = |label| policy.removes(Class::of(label));
        let phrases = |names: &[String]| names.iter().map(|name| keys(name)).filter(|name| !name.is_empty()).collect();
        if removes(Label::Patient) {
            self.people.push(Person {
                given: phrases(&record.given_names),
                middle: phrases(&record.middle_names),
                family: phrases(&record.family_names),
            });
            record.given_names.iter().chain(&record.middle_names).chain(&record.family_names).for_each(|name| {
                self.add_alone(name);
            });
        }
        for (_, name) in record.related.iter().filter(|(label, _)| removes(*label)) {
            let person = Person::of_full_name(name);
            let single = person.given.is_empty() || person.family.is_empty();
            self.people.push(person);
            if !single {
                name.split([' ', ',']).for_each(|word| self.add_alone(word));
            }
        }
        if removes(Label::City) {
            self.add_alone(&record.city);
        }
        if removes(Label::Street) {
            self.address.extend(Address::of(&record.street));
        }
        let listed = |label, values: &[String]| if removes(label) { values.to_vec() } else { Vec::new() };
        let mut values = listed(Label::Phone, &record.phones);
        values.extend(listed(Label::Email, &record.emails));
        values.extend(listed(Label::Zip, std::slice::from_ref(&record.zip)));
        values.extend(record.identifiers.iter().filter(|(label, _)| removes(*label)).map(|(_, value)| value.clone()));
        self.numbers.extend(values.iter().flat_map(|value| keys_of_value(value)));
    }

    fn add_alone(&mut self, phrase: &str) {
        // Titles and degrees in a full name are no names.
        const TITLES: &[&str] =
            &["mr", "mrs", "ms", "dr", "md", "do", "rn", "np", "pa", "phd", "jr", "sr", "the", "and", "prof"];
        let plain = phrase.trim().trim_matches(['.', ',', '(', ')']);
        if plain.chars().count() < SHORTEST_ALONE || TITLES.contains(&plain.to_lowercase().as_str()) {
            return;
        }
        let words = keys(plain);
        if !words.is_empty() {
            self.alone.push((words, is_ordinary(plain)));
        }
    }

    /// Whether a candidate is a number, code or address of the record.
    pub(super) fn has_number(&self, candidate: &Candidate) -> bool {
        self.numbers.contains(&candidate.key)
    }

    /// Everything known in a text, in order; what lies in a full name is not told again by its words.
    pub(super) fn find(&self, text: &str, words: &[Word], found: &mut Vec<(Found, Range<usize>)>) {
        let mut covered = 0;
        for (at, word) in words.iter().enumerate() {
            if self.sieve[(word.key >> 6) as usize % 16] & (1 << (word.key % 64)) == 0
                || !self.words.contains(&word.key)
            {
                continue;
            }
            let whole = |count: usize| word.range.start..words[at + count - 1].range.end;
            if let Some(count) = self.people.iter().filter_map(|person| person.at(text, words, at)).max() {
                let range = whole(count);
                covered = covered.max(range.end);
                found.push((Found::Name, range));
            } else if let Some(count) = self.address.iter().find_map(|address| address.at(text, words, at)) {
                found.push((Found::Address, whole(count)));
            } else if word.range.start >= covered
                && let Some((name, ordinary)) = self.alone.iter().find(|(name, _)| begins(&words[at..], name))
            {
                found.push((Found::Word { ordinary: *ordinary }, whole(name.len())));
            }
        }
    }
}

/// Whether a word means something besides a name or a town.
fn is_ordinary(word: &str) -> bool {
    const OTHER: [WordFlags; 9] = [
        WordFlags::ENGLISH,
        WordFlags::MEDICAL,
        WordFlags::ABBREVIATION,
        WordFlags::EPONYM,
        WordFlags::PROFESSION,
        WordFlags::NATIONALITY,
        WordFlags::HEADING,
        WordFlags::STATE,
        WordFlags::COUNTRY,
    ];
    let info = Lexicon::shared().word(word);
    OTHER.iter().any(|&flag| info.is_any(flag))
}

fn begins(words: &[Word], phrase: &[u64]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(word, key)| word.key == *key)
}

/// Whether two neighbouring words can belong to one name: spaces, a comma, a full stop, a hyphen or one line break between them.
fn joins(text: &str, left: &Word, right: &Word) -> bool {
    let gap = &text[left.range.end..right.range.start];
    gap.len() <= 6
        && gap.bytes().all(|byte| matches!(byte, b' ' | b',' | b'.' | b'-' | b'\n' | b'\r'))
        && gap.bytes().filter(|&byte| byte == b'\n').count() <= 1
}

impl Person {
    fn of_full_name(name: &str) -> Self {
        let (given, family) = match name.split_once(',') {
            Some((family, rest)) => (rest.trim(), family.trim()),
            None => name.trim().rsplit_once(' ').unwrap_or_default(),
        };
        let mut parts = given.split_whitespace();
        let first = parts.next().map(keys).into_iter().filter(|name| !name.is_empty()).collect();
        let family = Some(keys(family)).into_iter().filter(|name| !name.is_empty()).collect();
        Self { given: first, middle: parts.map(keys).filter(|name| !name.is_empty()).collect(), family }
    }

    /// How many words the person's full name has that begins at a word.
    fn at(&self, text: &str, words: &[Word], at: usize) -> Option<usize> {
        self.ordered(text, words, at, &self.given, &self.family).or_else(|| {
            let count = self.ordered(text, words, at, &self.family, &self.given)?;
            // `Lee, Ann M.`: what follows belongs to the name.
            Some(count + self.middle(text, words, at + count))
        })
    }

    fn ordered(&self, text: &str, words: &[Word], at: usize, first: &[Vec<u64>], last: &[Vec<u64>]) -> Option<usize> {
        first.iter().filter(|name| begins(&words[at..], name)).find_map(|name| {
            let mut next = at + name.len();
            for skipped in 0..=MOST_MIDDLE {
                if !(words.get(next).is_some_and(|word| joins(text, &words[next - 1], word))) {
                    return None;
                }
                if let Some(other) = last.iter().find(|other| begins(&words[next..], other)) {
                    return Some(next + other.len() - at);
                }
                let middle = self.middle(text, words, next);
                if middle == 0 || skipped == MOST_MIDDLE {
                    return None;
                }
                next += middle;
            }
            None
        })
    }

    /// How many words of a middle name or initial stand at a word.
    fn middle(&self, text: &str, words: &[Word], at: usize) -> usize {
        let Some(word) = words.get(at).filter(|word| joins(text, &words[at - 1], word)) else { return 0 };
        if let Some(name) = self.middle.iter().find(|name| begins(&words[at..], name)) {
            return name.len();
        }
        let written = &text[word.range.clone()];
        usize::from(written.chars().count() == 1 && written.chars().all(char::is_uppercase))
    }
}

impl Address {
    fn of(line: &str) -> Option<Self> {
        let mut parts = line.split_whitespace();
        let house = parts.next().filter(|house| house.bytes().any(|byte| byte.is_ascii_digit()))?;
        let lexicon = Lexicon::shared();
        let is_name = |part: &&str| !lexicon.word(part.trim_matches(['.', ','])).is_any(WordFlags::DIRECTION);
        let street = parts.find(is_name)?;
        Some(Self { house: *keys(house).first()?, street: *keys(street).first()? })
    }

    fn at(&self, text: &str, words: &[Word], at: usize) -> Option<usize> {
        let rest = words[at..].first().filter(|word| word.key == self.house).map(|_| &words[at + 1..])?;
        let reach = rest.iter().take(STREET_REACH);
        let place = reach.clone().position(|word| word.key == self.street)?;
        let line = &text[words[at].range.end..rest[place].range.start];
        (!line.contains(['\n', ';', ':', '('])).then_some(place + 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::shapes::candidates;
    use crate::verify::words::words;

    fn record() -> Record {
        Record {
            given_names: vec!["Zuzana".to_owned()],
            middle_names: vec!["Marie".to_owned()],
            family_names: vec!["Lopez-Strong".to_owned(), "Weaver".to_owned()],
            related: vec![
                (Label::Patient, "Bohumil Lopez".to_owned()),
                (Label::Doctor, "Okafor, Ngozi, MD".to_owned()),
            ],
            street: "12 North Oak Street".to_owned(),
            city: "Rochester".to_owned(),
            zip: "55901".to_owned(),
            phones: vec!["507-555-0101".to_owned()],
            emails: vec!["zl@example.org".to_owned()],
            identifiers: vec![(Label::MedicalRecord, "0012345".to_owned())],
        }
    }

    fn found(text: &str, policy: &str) -> Vec<(Found, String)> {
        let known = KnownValues::new(&[record()], &Policy::named(policy).unwrap());
        let (mut cut, mut all) = (Vec::new(), Vec::new());
        words(text, &mut cut);
        known.find(text, &cut, &mut all);
        all.into_iter().map(|(found, range)| (found, text[range].to_owned())).collect()
    }

    #[test]
    fn full_names_in_either_order() {
        for name in [
            "Zuzana Lopez-Strong",
            "LOPEZ STRONG, ZUZANA",
            "Lopez-Strong, Zuzana M.",
            "Zuzana M. Weaver",
            "Zuzana Marie\nWeaver",
            "Weaver, Zuzana Marie",
            "Bohumil Lopez",
            "Lopez, Bohumil",
            "Ngozi Okafor",
        ] {
            let text = format!("Seen today: {name} here.");
            let all = found(&text, "C");
            assert_eq!(all.first(), Some(&(Found::Name, name.trim_end_matches('.').to_owned())), "{name}: {all:?}");
        }
        assert!(found("Ngozi Okafor", "A").is_empty());
    }

    #[test]
    fn single_words_and_addresses() {
        let word = |ordinary, text: &str| (Found::Word { ordinary }, text.to_owned());
        assert_eq!(found("a weaver, and Zuzana's dog", "C"), [word(true, "weaver"), word(false, "Zuzana")]);
        assert_eq!(found("lives at 12 N. Oak St", "C"), [(Found::Address, "12 N. Oak".to_owned())]);
        assert_eq!(found("12 of them; Oak", "C"), []);
        assert_eq!(found("Zuzana was seen by Weaver", "C").len(), 2);
    }

    #[test]
    fn numbers_however_written() {
        let known = KnownValues::new(&[record()], &Policy::default());
        for text in ["(507) 555-0101", "+15075550101", "MRN 0012345", "ZL@example.org", "MN 55901-1234", "MN 55901"] {
            let mut all = Vec::new();
            candidates(text, &mut all);
            assert_eq!(all.iter().any(|candidate| known.has_number(candidate)), text != "MN 55901-1234", "{text}");
        }
    }
}
