//! What the structured record knows of a patient, looked for in a text.
//!
//! ```text
//! record   Ann Marie Lee · 12 Oak Street, Rochester · 507-555-0101 · kin: Bo Lee
//! text     "LEE, ANN M. of 12 Oak St … (507) 555-0101 … her son Bo Lee … Lee"
//!           └ name ─┘      └addr┘      └─ number ─┘          └name┘   └ one word
//! ```
//!
//! One word alone counts apart from a full name: whether it means something else as well is asked of the lexicon. It may stand with digits or
//! with other words in one: `Weaver2`, `DrWeaver`.

use std::collections::HashSet;
use std::ops::Range;

use super::births::BirthDate;
use super::capitals::{may_have_parts, parts};
use super::cells;
use super::logins::SHORTEST as SHORTEST_WITHIN;
use super::people::{Person, begins, is_ordinary};
use super::shapes::{Candidate, keys_of_value};
use super::spelled::{Spelled, add_spelled};
use super::words::{Word, keys};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Class, Kind, Label, Policy};

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
    /// County, with or without the word.
    pub county: String,
    /// Postal code.
    pub zip: String,
    /// Employer.
    pub employer: String,
    /// Telephone numbers in any format.
    pub phones: Vec<String>,
    /// E-mail addresses.
    pub emails: Vec<String>,
    /// Numbers and codes with what they are.
    pub identifiers: Vec<(Label, String)>,
    /// Date of birth: `1950-12-25`, `19501225`, `12/25/1950` (and `25/12/1950`, where it may be either both), `12251950`, `25-DEC-1950`, `25DEC1950`,
    /// `December 25, 1950`, a time after it allowed.
    pub birth_date: String,
}

/// The records of one patient, ready to be looked for.
#[derive(Debug, Default)]
pub struct KnownValues {
    people: Vec<Person>,
    numbers: HashSet<u64>,
    /// Those of the numbers that are found with their digits apart, too.
    spelled: Vec<Spelled>,
    births: Vec<BirthDate>,
    address: Vec<Address>,
    /// Every word that a search can begin at or that counts alone.
    words: HashSet<u64>,
    /// Those that count alone, with what they are then.
    alone: Vec<(Vec<u64>, Found)>,
    /// One bit for every word, so that most words of a text are told by one look.
    sieve: [u64; 16],
}

/// A street line: its house number and what the street is called.
#[derive(Debug)]
struct Address {
    house: u64,
    street: u64,
}

/// What was found of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Found {
    /// A full name.
    Name,
    /// House number and street, or a box.
    Address,
    /// A code of letters and digits.
    Code,
    /// The date of birth.
    BirthDate,
    /// One name or the town; whether it means something else as well.
    Word { ordinary: bool },
}

/// How far the street's name may stand behind the house number, in words: `12 North Oak Street`.
const STREET_REACH: usize = 3;
/// The same where all words between them are written as parts of its name: `12 North West Old Big Oak Street`.
const WRITTEN_REACH: usize = 6;
/// What may stand behind the name of a county.
const COUNTY: &str = " county";
/// A shorter code is a room or a dose as well.
const SHORTEST_CODE: usize = 6;
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
        known.spelled.sort_unstable();
        known.spelled.dedup();
        known.numbers.extend(known.spelled.iter().map(|number| number.key));
        let alone = known.alone.iter().filter_map(|(words, _)| words.first());
        let people = known.people.iter().flat_map(Person::first_words);
        let houses = known.address.iter().map(|address| &address.house);
        known.words = alone.chain(people).chain(houses).copied().collect();
        for word in &known.words {
            known.sieve[(word >> 6) as usize % 16] |= 1 << (word % 64);
        }
        known
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.numbers.is_empty() && self.births.is_empty()
    }

    fn add(&mut self, record: &Record, policy: &Policy) {
        let removes = |label| policy.removes(Class::of(label));
        if removes(Label::Patient) {
            self.people.push(Person::new(&record.given_names, &record.middle_names, &record.family_names));
            let names = cells::given_names(&record.given_names).into_iter().chain(record.middle_names.iter().cloned());
            names.chain(cells::family_names(&record.family_names)).for_each(|name| self.add_alone(&name));
        }
        for (_, cell) in record.related.iter().filter(|(label, _)| removes(*label)) {
            let full: Vec<Person> = Person::all_of(cell).filter(Person::has_full_name).collect();
            if !full.is_empty() {
                cell.split([' ', ',', ';']).for_each(|word| self.add_alone(word));
            }
            self.people.extend(full);
        }
        if removes(Label::City) {
            self.add_alone(&record.city);
        }
        if removes(Label::LocationOther) {
            let county = record.county.trim();
            let word = county.len().saturating_sub(COUNTY.len());
            let is_word = county.get(word..).is_some_and(|word| word.eq_ignore_ascii_case(COUNTY));
            self.add_alone(if is_word { &county[..word] } else { county });
        }
        if removes(Label::Organization) {
            self.add_alone(&record.employer);
        }
        if removes(Label::Street) {
            match Address::of(&record.street) {
                Some(address) => self.address.push(address),
                None => self.add_phrase(&record.street, Found::Address),
            }
        }
        let codes: Vec<String> = record
            .identifiers
            .iter()
            .filter(|(label, _)| removes(*label))
            .flat_map(|(_, cell)| cells::codes(cell).map(str::to_owned))
            .collect();
        codes.iter().for_each(|code| self.add_code(code));
        if policy.removes(Class { label: Label::Date, kind: Kind::DateFull }) {
            for birth in BirthDate::readings(&record.birth_date) {
                if !self.births.contains(&birth) {
                    self.births.push(birth);
                }
            }
        }
        let listed = |label, values: &[String]| if removes(label) { values.to_vec() } else { Vec::new() };
        let mut values = listed(Label::Phone, &record.phones);
        values.extend(listed(Label::Email, &record.emails));
        values.extend(listed(Label::Zip, std::slice::from_ref(&record.zip)));
        values.extend(codes);
        self.numbers.extend(values.iter().flat_map(|value| keys_of_value(value)));
        self.spelled.extend(values.iter().filter_map(|value| Spelled::of(value)));
        if removes(Label::Zip) {
            self.spelled.extend(Spelled::of_zip(&record.zip));
        }
    }

    /// A code of letters and digits, as it is parted in the record, at once, and between letters and digits: `QQ-7781-ZZ`, `XZQ 99812`.
    fn add_code(&mut self, value: &str) {
        let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        if letters == 0 || digits == 0 || letters + digits < SHORTEST_CODE {
            return;
        }
        let whole: String = value.chars().filter(|character| character.is_alphanumeric()).collect();
        let mut parted = String::new();
        for character in whole.chars() {
            let last = parted.chars().next_back();
            if last.is_some_and(|last| last.is_ascii_digit() != character.is_ascii_digit()) {
                parted.push(' ');
            }
            parted.push(character);
        }
        [value, &whole, &parted].into_iter().for_each(|form| self.add_phrase(form, Found::Code));
    }

    fn add_alone(&mut self, phrase: &str) {
        // Titles and degrees in a full name are no names.
        const TITLES: &[&str] =
            &["mr", "mrs", "ms", "dr", "md", "do", "rn", "np", "pa", "phd", "jr", "sr", "the", "and", "prof"];
        let plain = phrase.trim().trim_matches(['.', ',', '(', ')']);
        if plain.chars().count() < SHORTEST_ALONE || TITLES.contains(&plain.to_lowercase().as_str()) {
            return;
        }
        self.add_phrase(plain, Found::Word { ordinary: is_ordinary(plain) });
    }

    fn add_phrase(&mut self, phrase: &str, found: Found) {
        let words = keys(phrase);
        if !words.is_empty() {
            self.alone.push((words, found));
        }
    }

    /// Whether a candidate is a number, code or address of the record.
    pub(super) fn has_number(&self, candidate: &Candidate) -> bool {
        self.numbers.contains(&candidate.key)
    }

    /// Adds the numbers of the record whose digits stand apart in a text, as [`Self::has_number`] knows them.
    pub(super) fn add_spelled(&self, text: &str, found: &mut Vec<Candidate>) {
        add_spelled(&self.spelled, text, found);
    }

    /// Whether a search can begin at a word.
    fn knows(&self, key: u64) -> bool {
        self.sieve[(key >> 6) as usize % 16] & (1 << (key % 64)) != 0 && self.words.contains(&key)
    }

    /// What stands in a word that is none of the record's own: digits may stand around it, and capitals tell where it begins and ends.
    fn within(&self, text: &str, word: &Word) -> Option<Found> {
        let written = text.get(word.range.clone()).filter(|written| may_have_parts(written))?;
        let is_digit = |character: char| character.is_ascii_digit();
        let start = word.range.end - written.trim_start_matches(is_digit).len();
        let stem = start..start + written.trim_matches(is_digit).len();
        let is_name =
            |whole: &Word| self.people.iter().any(|person| person.at(text, std::slice::from_ref(whole), 0).is_some());
        if stem != word.range && self.part(text, stem).is_some_and(|whole| is_name(&whole)) {
            return Some(Found::Name);
        }
        parts(written).into_iter().find_map(|part| {
            let part = self.part(text, word.range.start + part.start..word.range.start + part.end)?;
            self.alone.iter().find(|(name, _)| name[..] == [part.key]).map(|(_, found)| *found)
        })
    }

    /// A part of a word as a word by itself, where it is long enough and a search can begin at it.
    fn part(&self, text: &str, range: Range<usize>) -> Option<Word> {
        let written = text.get(range.clone()).filter(|written| written.chars().count() >= SHORTEST_WITHIN)?;
        let [key] = keys(written)[..] else { return None };
        self.knows(key).then_some(Word { range, key })
    }

    /// Everything known in a text but numbers; what lies in a full name is not told again by its words.
    pub(super) fn find(&self, text: &str, words: &[Word], found: &mut Vec<(Found, Range<usize>)>) {
        let mut covered = 0;
        for (at, word) in words.iter().enumerate() {
            if !self.knows(word.key) {
                if word.range.start >= covered
                    && let Some(inside) = self.within(text, word)
                {
                    found.push((inside, word.range.clone()));
                }
                continue;
            }
            let whole = |count: usize| word.range.start..words[at + count - 1].range.end;
            let name = self.people.iter().filter_map(|person| person.at(text, words, at)).max();
            if let Some((count, with_middle)) = name {
                // A part of a family name makes a name too, which lies in the whole one.
                if whole(count).end > covered {
                    found.push((Found::Name, whole(count)));
                }
                covered = covered.max(whole(with_middle).end);
            } else if let Some(count) = self.address.iter().find_map(|address| address.at(text, words, at)) {
                found.push((Found::Address, whole(count)));
            } else if word.range.start >= covered
                && let Some((name, what)) = self.alone.iter().find(|(name, _)| begins(&words[at..], name))
            {
                found.push((*what, whole(name.len())));
            }
        }
        // Of a day that can be read in two ways both find most of its forms.
        let mut places: Vec<Range<usize>> = Vec::new();
        for birth in &self.births {
            birth.find(text, |place| places.extend((!places.contains(&place)).then_some(place)));
        }
        found.extend(places.into_iter().map(|place| (Found::BirthDate, place)));
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
        let place = rest.iter().take(WRITTEN_REACH).position(|word| word.key == self.street)?;
        let line = &text[words[at].range.end..rest[place].range.start];
        let is_part = |word: &Word| text[word.range.clone()].starts_with(char::is_uppercase);
        let near = place < STREET_REACH || rest[..place].iter().all(is_part);
        (near && !line.contains(['\n', ';', ':', '('])).then_some(place + 2)
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
            county: "Tippecanoe County".to_owned(),
            employer: "Globex Corporation".to_owned(),
            zip: "55901".to_owned(),
            phones: vec!["507-555-0101".to_owned()],
            emails: vec!["zl@example.org".to_owned()],
            identifiers: vec![
                (Label::MedicalRecord, "0012345".to_owned()),
                (Label::IdNum, "QQ-7781-ZZ".to_owned()),
                (Label::HealthPlan, "XZQ99812".to_owned()),
            ],
            birth_date: "1950-03-05".to_owned(),
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
            // What stands between the names is part of the place, what follows them is not.
            let place = name.trim_end_matches(" M.").trim_end_matches(" Marie");
            assert_eq!(all, [(Found::Name, place.to_owned())], "{name}");
        }
        assert!(found("Ngozi Okafor", "A").is_empty());
    }

    #[test]
    fn single_words_and_addresses() {
        let word = |ordinary, text: &str| (Found::Word { ordinary }, text.to_owned());
        assert_eq!(found("a weaver, and Zuzana's dog", "C"), [word(true, "weaver"), word(false, "Zuzana")]);
        assert_eq!(found("lives at 12 N. Oak St", "C"), [(Found::Address, "12 N. Oak".to_owned())]);
        assert_eq!(found("12 of them; Oak", "C"), []);
        assert_eq!(found("12 Northwest Old Big Oak Street", "C").len(), 1);
        assert_eq!(found("12 days later a big Oak", "C"), []);
        assert_eq!(found("Zuzana was seen by Weaver", "C").len(), 2);
    }

    #[test]
    fn codes_counties_and_employers() {
        let word = Found::Word { ordinary: false };
        for (value, what) in [
            ("QQ-7781-ZZ", Found::Code),
            ("qq 7781 zz", Found::Code),
            ("QQ7781ZZ", Found::Code),
            ("XZQ-99812", Found::Code),
            ("xzq99812", Found::Code),
            ("Tippecanoe", word),
            ("globex corporation", word),
        ] {
            let all = found(&format!("seen with {value} today"), "C");
            assert_eq!(all, [(what, value.to_owned())], "{value}");
        }
        for text in ["7781 of them", "Globex", "a corporation", "XZQ 12"] {
            assert_eq!(found(text, "C"), [], "{text}");
        }
        let boxed = Record { street: "PO Box 4471".to_owned(), ..Record::default() };
        let known = KnownValues::new(&[boxed], &Policy::default());
        let (mut cut, mut all) = (Vec::new(), Vec::new());
        words("lives at P.O. box, PO BOX 4471", &mut cut);
        known.find("lives at P.O. box, PO BOX 4471", &cut, &mut all);
        assert!(matches!(all[..], [(Found::Address, _)]), "{all:?}");
    }

    #[test]
    fn names_in_longer_words() {
        let word = |ordinary, text: &str| (Found::Word { ordinary }, text.to_owned());
        for name in ["ZWeaver", "WeaverZM", "zweaver2", "okaforn", "OkaforN7", "zuzanaweaver1950"] {
            assert_eq!(found(&format!("Seen by {name} today."), "C"), [(Found::Name, name.to_owned())], "{name}");
        }
        for (text, ordinary) in [("DrOkafor", false), ("Okafor2", false), ("MrsWeaver", true), ("BohumilMD", false)] {
            assert_eq!(found(&format!("Seen by {text} today."), "C"), [word(ordinary, text)], "{text}");
        }
        for text in ["weaverlike", "Okaforian", "HbA1c", "BoLee", "MacBohumilian", "weavers2go", "T12345"] {
            assert_eq!(found(&format!("Seen by {text} today."), "C"), [], "{text}");
        }
        assert!(found("OkaforN", "A").is_empty());
    }

    #[test]
    fn birth_dates_and_numbers_with_their_digits_apart() {
        assert_eq!(found("born March 5, 1950", "C"), [(Found::BirthDate, "March 5, 1950".to_owned())]);
        let keeps = Policy::from_toml("base = 'C'\nkeep = ['DATE']").unwrap();
        assert!(KnownValues::new(&[record()], &keeps).births.is_empty());
        let known = KnownValues::new(&[record()], &Policy::default());
        for text in ["00.12.345", "MN 55901-1234", "507 / 555 / 0101"] {
            let mut all = Vec::new();
            known.add_spelled(text, &mut all);
            assert!(all.len() == 1 && known.has_number(&all[0]), "{text}: {all:?}");
        }
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
