//! One hash table from folded words and phrases to what is known of them.
//!
//! ```text
//! "O’Brien" ─fold─▶ "obrien" ─hash─▶ slot: 12 bits of hash, 20 of entry ─▶ key and WordInfo side by side
//! ```
//!
//! A look-up touches two cache lines: most words are short enough to lie inside their entry.

use super::fold::Folded;
use super::word::WordInfo;

/// The bits of a slot that number an entry; the rest are a tag from the key's hash.
const INDEX_BITS: u32 = 20;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;
/// The longest key that lies inside its entry.
const SHORT: usize = 11;

/// The bits of the filter of phrases' first words: few enough for a processor's nearest cache.
const HEAD_BITS: usize = 1 << 18;

/// The bits of the filter of phrases' first two words.
const PAIR_BITS: usize = 1 << 20;

/// The place in that filter of a phrase's first word; none for a single word.
fn head(key: &[u8]) -> Option<usize> {
    let length = key.iter().position(|byte| *byte == b' ')?;
    Some(head_of(super::fold::hash_of(&key[..length])))
}

/// The place in that filter of a word by its hash.
fn head_of(hash: u64) -> usize {
    hash as usize % HEAD_BITS
}

/// The place of two words in a row by the upper halves of their hashes.
fn pair_of(first: u32, second: u32) -> usize {
    let both = u64::from(first) << 32 | u64::from(second);
    (both.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % PAIR_BITS
}

/// The place of a phrase's first two words; none for a single word.
fn pair(key: &[u8]) -> Option<usize> {
    let mut words = key.split(|byte| *byte == b' ').map(|word| (super::fold::hash_of(word) >> 32) as u32);
    Some(pair_of(words.next()?, words.next()?))
}

fn is_set(bits: &[u64], place: usize) -> bool {
    bits[place / 64] >> (place % 64) & 1 == 1
}

/// An open-addressing table that only grows.
pub(super) struct Table {
    /// A tag over the entry's number plus one; 0 where the slot is free.
    slots: Vec<u32>,
    entries: Vec<Entry>,
    /// The keys longer than `SHORT`, end to end.
    long_keys: Vec<u8>,
    /// A bit for the hash of each first word of a phrase: most pairs of words in a text are none, and are turned away by it.
    phrase_heads: Vec<u64>,
    /// The same for each pair of first words.
    phrase_pairs: Vec<u64>,
}

struct Entry {
    info: WordInfo,
    length: u8,
    /// The key, or for a long one the place where it begins in `long_keys`, as little-endian bytes.
    key: [u8; SHORT],
}

impl Table {
    /// A table with room for some number of entries before it must grow.
    pub fn with_capacity(entries: usize) -> Self {
        Self {
            slots: vec![0; (entries + entries / 2).next_power_of_two().max(16)],
            entries: Vec::with_capacity(entries),
            long_keys: Vec::with_capacity(entries * 2),
            phrase_heads: vec![0; HEAD_BITS / 64],
            phrase_pairs: vec![0; PAIR_BITS / 64],
        }
    }

    /// The number of distinct keys.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Every key with what is known of it.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &WordInfo)> {
        self.entries.iter().map(|entry| (self.key(entry), &entry.info))
    }

    /// What is known of a folded key.
    pub fn get(&self, key: &Folded) -> Option<&WordInfo> {
        if head(key.as_bytes()).is_some_and(|head| !is_set(&self.phrase_heads, head)) {
            return None;
        }
        self.probe(key.as_bytes(), key.hash()).ok().and_then(|index| self.entries.get(index)).map(|entry| &entry.info)
    }

    /// Whether a phrase of several words may begin as this key does; never no where one does.
    pub fn may_begin_phrase(&self, key: &Folded) -> bool {
        is_set(&self.phrase_heads, head(key.as_bytes()).unwrap_or_else(|| head_of(key.hash())))
    }

    /// Whether a phrase may begin with two words whose hashes have these upper halves; never no where one does.
    pub fn may_hold_pair(&self, first: u32, second: u32) -> bool {
        is_set(&self.phrase_pairs, pair_of(first, second))
    }

    /// The entry of a key, made where there is none.
    pub fn entry(&mut self, key: &Folded) -> &mut WordInfo {
        let (bytes, hash) = (key.as_bytes(), key.hash());
        let index = match self.probe(bytes, hash) {
            Ok(index) => index,
            Err(slot) => {
                let index = self.entries.len();
                self.slots[slot] = slot_of(hash, index);
                if let (Some(head), Some(pair)) = (head(bytes), pair(bytes)) {
                    self.phrase_heads[head / 64] |= 1 << (head % 64);
                    self.phrase_pairs[pair / 64] |= 1 << (pair % 64);
                }
                let entry = self.new_entry(bytes);
                self.entries.push(entry);
                if self.entries.len() * 3 > self.slots.len() * 2 {
                    self.grow();
                }
                index
            }
        };
        &mut self.entries[index].info
    }

    fn new_entry(&mut self, bytes: &[u8]) -> Entry {
        let mut key = [0; SHORT];
        if bytes.len() <= SHORT {
            key[..bytes.len()].copy_from_slice(bytes);
        } else {
            // All keys together are a few million bytes, one at most `Folded::LIMIT`.
            key[..4].copy_from_slice(&(self.long_keys.len() as u32).to_le_bytes());
            self.long_keys.extend_from_slice(bytes);
        }
        Entry { info: WordInfo::UNKNOWN, length: bytes.len() as u8, key }
    }

    /// The entry with this key, or else the free slot where its search ended.
    fn probe(&self, key: &[u8], hash: u64) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let tag = slot_of(hash, 0) & !INDEX_MASK;
        let mut position = hash as usize & mask;
        loop {
            let slot = self.slots[position];
            if slot == 0 {
                return Err(position);
            }
            if slot & !INDEX_MASK == tag {
                let index = (slot & INDEX_MASK) as usize - 1;
                if self.key(&self.entries[index]) == key {
                    return Ok(index);
                }
            }
            position = (position + 1) & mask;
        }
    }

    fn key<'a>(&'a self, entry: &'a Entry) -> &'a [u8] {
        let length = entry.length as usize;
        if length <= SHORT {
            return &entry.key[..length];
        }
        let [a, b, c, d, ..] = entry.key;
        let start = u32::from_le_bytes([a, b, c, d]) as usize;
        &self.long_keys[start..start + length]
    }

    fn grow(&mut self) {
        let mut slots = vec![0; self.slots.len() * 2];
        let mask = slots.len() - 1;
        for (index, entry) in self.entries.iter().enumerate() {
            let hash = super::fold::hash_of(self.key(entry));
            let mut position = hash as usize & mask;
            while slots[position] != 0 {
                position = (position + 1) & mask;
            }
            slots[position] = slot_of(hash, index);
        }
        self.slots = slots;
    }
}

/// A slot that leads to an entry. The data inside the program are half of what 20 bits can number, as a test makes sure.
fn slot_of(hash: u64, index: usize) -> u32 {
    ((hash >> 32) as u32 & !INDEX_MASK) | (index as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_growth() {
        let mut table = Table::with_capacity(1);
        let key = |number: u32| {
            let text =
                if number.is_multiple_of(2) { format!("w{number}") } else { format!("a longer phrase {number}") };
            Folded::of(&text).unwrap()
        };
        for number in 0..5_000 {
            table.entry(&key(number)).population = number;
        }
        table.entry(&key(17)).surname_count = 3;
        assert_eq!(table.len(), 5_000);
        assert!((0..5_000).all(|number| table.get(&key(number)).unwrap().population == number));
        assert_eq!(table.get(&key(17)).unwrap().surname_count, 3);
        assert!(table.get(&key(5_000)).is_none());
    }
}
