//! Whether one value always becomes the same other one, told in bounded memory.
//!
//! ```text
//! PT0001 ─▶ 7KQ…   PT0001 ─▶ 7KQ…   fine
//! PT0001 ─▶ M3X…                    one became two
//! PT0002 ─▶ 7KQ…                    two became one
//! ```

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::pieces::hash;

/// Values and what they became, as hashes. Where there are more than fit, a sample of them is followed, each with all its rows.
#[derive(Debug)]
pub struct Correspondence {
    forward: Followed,
    backward: Option<Followed>,
}

/// Hashes with hashes, those under a limit that falls when they are too many.
#[derive(Debug)]
struct Followed {
    pairs: HashMap<u64, u64>,
    most: usize,
    limit: u64,
}

/// What a pair says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// New, or as before.
    Consistent,
    /// The value has become another one before, or another value has become this one.
    Contradicted,
}

impl Correspondence {
    /// Follows up to so many values; where `unique`, two values must not become one.
    pub fn new(most: usize, unique: bool) -> Self {
        Self { forward: Followed::new(most), backward: unique.then(|| Followed::new(most)) }
    }

    /// Takes note of a value and what it became.
    pub fn see(&mut self, value: &str, became: &str) -> Pairing {
        let (value, became) = (spread(value), spread(became));
        let backward = self.backward.as_mut().is_none_or(|backward| backward.agrees(became, value));
        match self.forward.agrees(value, became) && backward {
            true => Pairing::Consistent,
            false => Pairing::Contradicted,
        }
    }

    /// How many values are followed, and whether these are all.
    pub fn followed(&self) -> (usize, bool) {
        (self.forward.pairs.len(), self.forward.limit == u64::MAX)
    }
}

fn spread(value: &str) -> u64 {
    hash(value.as_bytes()).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Followed {
    fn new(most: usize) -> Self {
        Self { pairs: HashMap::new(), most: most.max(1), limit: u64::MAX }
    }

    fn agrees(&mut self, from: u64, to: u64) -> bool {
        if from > self.limit {
            return true;
        }
        let agrees = match self.pairs.entry(from) {
            Entry::Occupied(seen) => *seen.get() == to,
            Entry::Vacant(place) => {
                place.insert(to);
                true
            }
        };
        while self.pairs.len() > self.most && self.limit > 0 {
            self.limit /= 2;
            let limit = self.limit;
            self.pairs.retain(|&from, _| from <= limit);
        }
        agrees
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn contradictions_are_seen_in_both_directions() {
        let mut ids = Correspondence::new(100, true);
        assert_eq!(ids.see("a", "x"), Pairing::Consistent);
        assert_eq!(ids.see("a", "x"), Pairing::Consistent);
        assert_eq!(ids.see("a", "y"), Pairing::Contradicted);
        assert_eq!(ids.see("b", "x"), Pairing::Contradicted);
        let mut shifts = Correspondence::new(100, false);
        assert_eq!((shifts.see("a", "7"), shifts.see("b", "7")), (Pairing::Consistent, Pairing::Consistent));
    }

    proptest! {
        #[test]
        fn memory_is_bounded_and_what_is_followed_stays_true(count in 1usize..600, most in 1usize..64) {
            let mut ids = Correspondence::new(most, true);
            for _ in 0..2 {
                for number in 0..count {
                    prop_assert_eq!(ids.see(&number.to_string(), &format!("p{number}")), Pairing::Consistent);
                }
            }
            prop_assert!(ids.followed().0 <= most);
            prop_assert_eq!(ids.followed().1, count <= most);
            let wrong = (0..count).filter(|n| ids.see(&n.to_string(), "q") == Pairing::Contradicted).count();
            prop_assert!(wrong > 0 || ids.followed().0 == 0 || count == 1 || most < 4);
        }
    }
}
