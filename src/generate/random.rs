//! Random numbers that can be had anywhere in the warehouse without what stands before them.
//!
//! ```text
//! Random::of(&[seed, NOTE, 4711])   the stream of note 4711, the same on every machine and in every order
//! permute(4711, 10_000_000_000, k)  its position in a fixed shuffle of ten milliards: a unique ten-digit id
//! ```

/// A small fast stream of random numbers (SplitMix64), made from any number of keys.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The stream that belongs to these keys, in this order.
    pub fn of(keys: &[u64]) -> Self {
        let state = keys
            .iter()
            .fold(0x243f_6a88_85a3_08d3, |state, key| mix(state ^ mix(key.wrapping_add(0x9e37_79b9_7f4a_7c15))));
        Self(state)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `bound`; 0 where the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from `low` to `high`, both included; `low` where they are the wrong way round.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = high.saturating_sub(low).max(0) as u64;
        low.saturating_add(self.below(width.saturating_add(1)) as i64)
    }

    /// A number above 0 and up to 1.
    pub fn unit(&mut self) -> f64 {
        ((self.bits() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// True in `permille` of a thousand cases.
    pub fn chance(&mut self, permille: u64) -> bool {
        self.below(1000) < permille
    }

    /// One of the values; none only where there are none.
    pub fn pick<'a, T>(&mut self, values: &'a [T]) -> Option<&'a T> {
        values.get(self.below(values.len() as u64) as usize)
    }
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Where `index` goes in a shuffle of `0..size` that `key` determines: a bijection.
/// An index outside the range comes back as it is.
pub fn permute(index: u64, size: u64, key: u64) -> u64 {
    if index >= size || size < 2 {
        return index;
    }
    let half = (64 - (size - 1).leading_zeros()).div_ceil(2);
    let mask = (1u64 << half) - 1;
    let mut value = index;
    // A Feistel network on an even number of bits; walk its cycle until the value is inside again.
    loop {
        let (mut left, mut right) = (value >> half, value & mask);
        for round in 0..4 {
            let mixed = mix(right ^ mix(key.wrapping_add(round))) & mask;
            (left, right) = (right, left ^ mixed);
        }
        value = (left << half) | right;
        if value < size {
            return value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permutation_meets_every_index_once() {
        for size in [1, 2, 3, 10, 257, 1000] {
            let mut seen: Vec<u64> = (0..size).map(|index| permute(index, size, 7)).collect();
            seen.sort_unstable();
            assert!(seen.iter().copied().eq(0..size), "size {size}");
        }
    }

    #[test]
    fn streams_differ_by_key_and_by_order_of_keys() {
        assert_eq!(Random::of(&[1, 2]).bits(), Random::of(&[1, 2]).bits());
        assert_ne!(Random::of(&[1, 2]).bits(), Random::of(&[2, 1]).bits());
        assert_ne!(Random::of(&[1]).bits(), Random::of(&[1, 0]).bits());
    }

    #[test]
    fn bounds_hold() {
        let mut random = Random::of(&[3]);
        for _ in 0..1000 {
            assert!((5..=9).contains(&random.between(5, 9)));
            let unit = random.unit();
            assert!(unit > 0.0 && unit <= 1.0);
        }
        assert_eq!(random.between(9, 5), 9);
        assert_eq!(random.below(0), 0);
        assert!(random.pick::<u8>(&[]).is_none());
    }
}
