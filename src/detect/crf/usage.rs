//! What words mostly were in the training data: `madrid` was nearly always a CITY, and often seen.
//!
//! ```text
//! madrid  CITY 312, outside 4  ─▶ label CITY, purity "over nineteen in twenty", support "more than ten"
//! ```
//!
//! A dictionary that a site's own annotations give. Words are kept as hashes only. In training, what a document itself says is
//! left out of what it is told, or the model would learn to trust its dictionary beyond its worth.

use std::collections::{BTreeMap, HashMap};

/// Codes of words by the hash of their small letters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    codes: HashMap<u64, u16>,
}

impl Usage {
    /// What is known of a word, 0 where nothing is.
    pub fn of(&self, word: u64) -> u16 {
        self.codes.get(&word).copied().unwrap_or(0)
    }

    /// The words with their codes, in ascending order of hashes.
    pub fn sorted(&self) -> BTreeMap<u64, u16> {
        self.codes.iter().map(|(word, code)| (*word, *code)).collect()
    }
}

impl FromIterator<(u64, u16)> for Usage {
    fn from_iter<I: IntoIterator<Item = (u64, u16)>>(codes: I) -> Self {
        Self { codes: codes.into_iter().collect() }
    }
}

/// How often a word was seen with each label: the label's number plus one, 0 for outside of all spans.
pub type Counts = BTreeMap<u16, u32>;

/// The code of a word with these counts: its most frequent label, how pure it is and how well supported; 0 for a word seen less
/// than twice.
pub fn code(counts: &Counts) -> u16 {
    let total: u32 = counts.values().sum();
    // Of equals the first: the label with the lowest number.
    let most = counts.iter().fold((0, 0), |most, (label, count)| if *count > most.1 { (*label, *count) } else { most });
    if total < 2 {
        return 0;
    }
    let share = f64::from(most.1) / f64::from(total);
    let purity = match share {
        share if share > 0.95 => 3,
        share if share > 0.8 => 2,
        share if share > 0.5 => 1,
        _ => 0,
    };
    let support = match total {
        0..=3 => 0,
        4..=10 => 1,
        11..=50 => 2,
        _ => 3,
    };
    1 + (most.0 << 4 | purity << 2 | support)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_tell_label_purity_and_support() {
        let of = |counts: &[(u16, u32)]| code(&counts.iter().copied().collect());
        assert_eq!(of(&[]), 0);
        assert_eq!(of(&[(3, 1)]), 0);
        assert_ne!(of(&[(3, 2)]), of(&[(2, 2)]));
        assert_ne!(of(&[(3, 20)]), of(&[(3, 20), (0, 10)]));
        assert_ne!(of(&[(3, 20)]), of(&[(3, 200)]));
        assert_eq!(of(&[(3, 20), (0, 20)]), of(&[(0, 25), (5, 15)]) - 4);
    }
}
