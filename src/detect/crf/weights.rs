//! The weights of attributes, in a table that is asked a hundred times a token.
//!
//! ```text
//! hash ─▶ slot: hash, first entry, entries ─▶ (tag 3, −812) (tag 0, 4107)     weight = number × scale
//! ```
//!
//! Weights are whole numbers of 16 bits, and their sums exact: no order of addition changes an answer.

/// A weight for one tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight {
    /// The number of the tag.
    pub tag: u16,
    /// The weight over the table's scale.
    pub value: i16,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    hash: u64,
    first: u32,
    count: u32,
}

/// Weights by attribute.
#[derive(Debug, Clone)]
pub struct Weights {
    slots: Vec<Slot>,
    weights: Vec<Weight>,
    hashes: Vec<u64>,
    scale: f32,
}

impl Weights {
    /// A table of attributes with their weights, in ascending order of hashes. A hash that stands twice counts once.
    pub fn new(scale: f32, attributes: impl Iterator<Item = (u64, Vec<Weight>)>) -> Self {
        let mut table = Self { slots: Vec::new(), weights: Vec::new(), hashes: Vec::new(), scale };
        let mut filled = Vec::new();
        for (hash, weights) in attributes {
            filled.push(Slot { hash, first: table.weights.len() as u32, count: weights.len() as u32 });
            table.weights.extend(weights);
            table.hashes.push(hash);
        }
        table.slots = vec![Slot::default(); (filled.len() * 2).next_power_of_two()];
        for slot in filled {
            let position = table.position(slot.hash);
            table.slots[position] = slot;
        }
        table
    }

    /// Where a hash stands, or the free slot where its search ended.
    fn position(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut position = hash as usize & mask;
        while self.slots[position].count != 0 && self.slots[position].hash != hash {
            position = (position + 1) & mask;
        }
        position
    }

    /// The weights of an attribute, none where it is not known.
    pub fn of(&self, hash: u64) -> &[Weight] {
        let slot = self.slots[self.position(hash)];
        &self.weights[slot.first as usize..(slot.first + slot.count) as usize]
    }

    /// Adds an attribute's weights to the sums of a token.
    pub fn add(&self, hash: u64, sums: &mut [i32]) {
        for weight in self.of(hash) {
            sums[weight.tag as usize] += i32::from(weight.value);
        }
    }

    /// What one unit of the sums is worth.
    pub const fn scale(&self) -> f32 {
        self.scale
    }

    /// The attributes with their weights, in the order in which they were given.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, &[Weight])> {
        self.hashes.iter().map(|hash| (*hash, self.of(*hash)))
    }

    /// The number of weights of all attributes.
    pub fn count(&self) -> usize {
        self.weights.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(
            attributes in prop::collection::btree_map(0u64..500, prop::collection::vec((0u16..4, any::<i16>()), 1..4), 0..60),
        ) {
            let of = |weights: &[(u16, i16)]| weights.iter().map(|(tag, value)| Weight { tag: *tag, value: *value }).collect();
            let expected: BTreeMap<u64, Vec<Weight>> =
                attributes.iter().map(|(hash, weights)| (*hash << 40 | 7, of(weights))).collect();
            let table = Weights::new(1.0, expected.clone().into_iter());
            for hash in 0..500 {
                let hash = hash << 40 | 7;
                prop_assert_eq!(table.of(hash), expected.get(&hash).map_or(&[][..], Vec::as_slice));
            }
            prop_assert!(table.iter().eq(expected.iter().map(|(hash, weights)| (*hash, weights.as_slice()))));
        }
    }
}
