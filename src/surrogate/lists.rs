//! Lists of names, each of which knows its place.
//!
//! ```text
//! cities: "St. Paul" ─ place_key ─▶ saint paul ─ hash ─▶ group Minnesota, rank 2
//! ```

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_64;

use super::casing::fold;
use super::partition::{Partition, Position};

/// Entries of one word, of two, and of more are chosen among themselves, so that a place keeps its number of words.
const NUMBERS_OF_WORDS: usize = 3;

fn words_of(name: &str) -> usize {
    name.split([' ', '-']).filter(|word| !word.is_empty()).count().clamp(1, NUMBERS_OF_WORDS) - 1
}

/// Lists by the number of words of their entries.
pub(super) struct ListsByWords([List; NUMBERS_OF_WORDS]);

impl ListsByWords {
    /// The entries, each in its list.
    pub(super) fn new(entries: impl IntoIterator<Item = &'static str>) -> Self {
        let mut lists: [Vec<&str>; NUMBERS_OF_WORDS] = std::array::from_fn(|_| Vec::new());
        entries.into_iter().for_each(|entry| lists[words_of(entry)].push(entry));
        Self(lists.map(List::new))
    }

    /// The list whose entries have as many words as a text.
    pub(super) fn like(&self, text: &str) -> &List {
        &self.0[words_of(text)]
    }
}

/// Places of one sort.
pub(super) struct Places {
    pub partition: Partition,
    pub list: Vec<&'static str>,
    positions: ByHash<Position>,
}

/// A plain list with its entries' places.
pub(super) struct List {
    pub entries: Vec<&'static str>,
    positions: ByHash<u32>,
}

impl List {
    pub(super) fn new(entries: impl IntoIterator<Item = &'static str>) -> Self {
        let mut list = Self { entries: Vec::new(), positions: HashMap::default() };
        for entry in entries {
            if let std::collections::hash_map::Entry::Vacant(free) = list.positions.entry(key(&fold(entry))) {
                free.insert(list.entries.len() as u32);
                list.entries.push(entry);
            }
        }
        list
    }

    /// The place of a folded entry.
    pub(super) fn position(&self, folded: &str) -> Option<usize> {
        self.positions.get(&key(folded)).map(|&position| position as usize)
    }
}

impl Places {
    /// Nothing yet, in so many groups.
    pub(super) fn new(groups: usize) -> Self {
        Self {
            partition: Partition::new(groups.max(1), NUMBERS_OF_WORDS, 0),
            list: Vec::new(),
            positions: HashMap::default(),
        }
    }

    /// Adds a name to a group; a name that is there already stays where it is. Names come in order of falling counts.
    pub(super) fn add(&mut self, name: &'static str, state: usize, inhabitants: u32) {
        if let std::collections::hash_map::Entry::Vacant(free) = self.positions.entry(key(&place_key(name))) {
            free.insert(self.partition.push(state, words_of(name), self.list.len() as u32, inhabitants));
            self.list.push(name);
        }
    }

    /// Adds a name to the group of its first letter, which holds `most` names.
    pub(super) fn add_by_letter(&mut self, name: &'static str, count: u32, most: usize) {
        let Some(letter) = first_letter(&place_key(name)).map(usize::from) else { return };
        if self.partition.group_len(letter) < most {
            self.add(name, letter, count);
        }
    }

    /// The place of a name, given as its [`place_key`].
    pub(super) fn position(&self, place: &str) -> Option<Position> {
        self.positions.get(&key(place)).copied()
    }
}

/// A map by numbers that are hashes already.
pub(super) type ByHash<V> = HashMap<u64, V, BuildHasherDefault<Hashed>>;

/// Takes a hash as it is.
#[derive(Default)]
pub(super) struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The number under which a folded name is listed.
pub(super) fn key(folded: &str) -> u64 {
    xxh3_64(folded.as_bytes())
}

/// The letter of the alphabet that a folded name begins with.
pub(super) fn first_letter(folded: &str) -> Option<u8> {
    folded.bytes().next().filter(u8::is_ascii_lowercase).map(|letter| letter - b'a')
}

/// Letters of the longest of the short words that a place's name has in full.
const LONGEST_SHORT_WORD: usize = 3;

/// The folded form of a place's name: without full stops, with `Saint`, `Fort` and `Mount` in full and single spaces.
pub(super) fn place_key(name: &str) -> String {
    let folded = fold(name);
    if folded.len() > LONGEST_SHORT_WORD && folded.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return folded;
    }
    let mut key = String::with_capacity(folded.len() + 4);
    for word in folded
        .split(|character: char| character.is_whitespace() || matches!(character, '.' | '-'))
        .filter(|word| !word.is_empty())
    {
        let word = match word {
            "st" => "saint",
            "ste" => "sainte",
            "ft" => "fort",
            "mt" => "mount",
            "co" | "cty" if !key.is_empty() => "county",
            other => other,
        };
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(word);
    }
    key
}
