//! What the whole output tells of a value: how many patients have it, how often, and where a patient lives.
//!
//! ```text
//! "Ann Lee" ─▶ 14 patients, 3 times with this one; "lee" 220 patients, 5 times; a tenth of all "lee" outside of identifiers
//! patient 17 ─▶ OH 31 times, TX once     dates of patient 17 ─▶ day 17,960 four times, day 8,201 twice …
//! ```

use std::collections::{HashMap, HashSet};

use plainsight::lexicon::Lexicon;
use plainsight::text::{Token, TokenKind, tokens};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::corpus::Released;
use crate::dates::{Seen, read};
use crate::groups::{DATES, Group, PATIENTS, PROVIDERS, STATES, ZIPS};

/// Counts over an output.
#[derive(Default)]
pub struct Index {
    /// Patients with a value of a class, and with a word of one.
    pub patients: HashMap<u64, u32>,
    /// How often a patient has a value, or a word, of a class.
    pub mentions: HashMap<(usize, u64), u32>,
    /// Occurrences of a word inside candidates, and anywhere.
    pub inside: HashMap<u64, u32>,
    pub anywhere: HashMap<u64, u32>,
    /// Distinct values of a class that begin alike.
    pub beginnings: HashMap<u64, u32>,
    /// How often each patient's text names each state, by itself or by a zip code.
    pub states: Vec<HashMap<&'static str, u32>>,
    /// How often each patient has each full date.
    pub days: Vec<HashMap<i64, u32>>,
    /// The words of each patient's names.
    pub names: Vec<HashSet<String>>,
}

/// The key of a whole value of a class: its words in small letters, without what stands between them.
pub fn value_key(group: Group, value: &str) -> u64 {
    let words: Vec<String> = words(value).map(|word| word.text(value).to_lowercase()).collect();
    xxh3_64_with_seed(words.join(" ").as_bytes(), group as u64)
}

/// The key of a word of a class.
pub fn word_key(group: Group, word: &str) -> u64 {
    xxh3_64_with_seed(word.to_lowercase().as_bytes(), 100 + group as u64)
}

/// The key of how a value begins: its class, its length and three letters or digits.
pub fn beginning_key(group: Group, value: &str) -> u64 {
    let characters: Vec<char> = value.chars().filter(|character| character.is_alphanumeric()).collect();
    let head: String = characters.iter().take(3).collect();
    xxh3_64_with_seed(format!("{head}{}", characters.len()).as_bytes(), 200 + group as u64)
}

/// The words and numbers of a value; an `s` after an apostrophe is none.
pub fn words(value: &str) -> impl Iterator<Item = Token> {
    let is_word = |token: &Token| token.kind != TokenKind::Punctuation && token.text(value) != "s";
    tokens(value).filter(is_word).collect::<Vec<_>>().into_iter()
}

/// The code of the state that a state's name or a zip code tells.
pub fn state_of(group: Group, value: &str) -> Option<&'static str> {
    let lexicon = Lexicon::shared();
    match group {
        STATES => lexicon.state(value).map(|state| state.abbreviation),
        ZIPS => lexicon.zip(value.trim().get(..5)?).map(|place| place.state),
        _ => None,
    }
}

impl Index {
    /// Reads an output.
    pub fn of(notes: &[Released]) -> Self {
        let patients = notes.iter().map(|note| note.patient + 1).max().unwrap_or(0);
        let mut index = Self {
            states: vec![HashMap::new(); patients],
            days: vec![HashMap::new(); patients],
            names: vec![HashSet::new(); patients],
            ..Self::default()
        };
        let (mut values, mut of_patient) = (HashSet::new(), HashSet::new());
        for note in notes {
            for token in words(&note.text) {
                *index.anywhere.entry(word_key(0, token.text(&note.text))).or_default() += 1;
            }
            for candidate in &note.candidates {
                let (group, value) = (candidate.group, &note.text[candidate.range.clone()]);
                let whole = value_key(group, value);
                if values.insert(whole) {
                    *index.beginnings.entry(beginning_key(group, value)).or_default() += 1;
                }
                for token in words(value) {
                    let word = token.text(value);
                    *index.inside.entry(word_key(0, word)).or_default() += 1;
                    index.count(note.patient, word_key(group, word), &mut of_patient);
                    if matches!(group, PATIENTS | PROVIDERS) {
                        index.names[note.patient].insert(word.to_lowercase());
                    }
                }
                index.count(note.patient, whole, &mut of_patient);
                if let Some(state) = state_of(group, value) {
                    *index.states[note.patient].entry(state).or_default() += 1;
                }
                if group == DATES
                    && let Some(Seen::Day(day)) = read(value)
                {
                    *index.days[note.patient].entry(day).or_default() += 1;
                }
            }
        }
        index
    }

    fn count(&mut self, patient: usize, key: u64, of_patient: &mut HashSet<(usize, u64)>) {
        if of_patient.insert((patient, key)) {
            *self.patients.entry(key).or_default() += 1;
        }
        *self.mentions.entry((patient, key)).or_default() += 1;
    }
}
