//! Numbers that look random and are the same for the same seed, so that a failure can be had again.

/// The generator SplitMix64.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator of its own for something with a name: what others draw does not change what it draws.
    pub fn of(seed: u64, name: &str) -> Self {
        let hash = blake3::hash(format!("{seed}\n{name}").as_bytes());
        Self(hash.as_bytes().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// At least 0 and less than 1.
    pub fn fraction(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.fraction() * limit as f64) as usize
    }

    pub fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}
