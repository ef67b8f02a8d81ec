//! Which tokens and sentences to learn from, against the flood of what is no identifier.
//!
//! ```text
//! He was seen in clinic by Dr. Rosa Díaz on Friday
//! ·  ·   ·    k  k      k  k k P    P    ·  P            random, p = 0, a history of four: what comes before is kept
//! ·  ·   ·    ·  ·      ·  k k P    P    k  P            window of two
//! ```
//!
//! Both come from Gardner et al. (2010): they raise recall, cost precision, and make training shorter. Tokens are left out of
//! training after their neighbours have seen them, and a sentence falls into stretches there, so that no tag follows one that
//! it does not follow in the text.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Example, chance};

/// Which tokens outside of identifiers to keep.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub enum Sampling {
    /// All.
    #[default]
    All,
    /// Each with a probability, and always those shortly before an identifier.
    RandomOutside {
        /// The probability, in [0, 1].
        probability: f64,
        /// How many tokens before an identifier are always kept; four in the paper.
        history: usize,
    },
    /// Those near an identifier only.
    Window {
        /// How many on either side.
        tokens: usize,
    },
}

/// Which sentences without identifiers to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Negatives {
    /// All.
    #[default]
    Full,
    /// As many as there are sentences with identifiers (Liu et al. 2022): more recall, less precision.
    Balanced,
}

impl Sampling {
    /// The stretches of a sentence to learn from. `inside` tells which tokens are part of identifiers; `example` and `seed` decide
    /// what chance keeps.
    pub(super) fn stretches(self, inside: &[bool], example: usize, seed: u64) -> Vec<Range<usize>> {
        let near = |at: usize, before: usize, after: usize| {
            inside[at.saturating_sub(after)..(at + before + 1).min(inside.len())].contains(&true)
        };
        let kept = |at: usize| match self {
            Self::All => true,
            Self::Window { tokens } => near(at, tokens, tokens),
            Self::RandomOutside { probability, history } => {
                let key = ((example as u64) << 32 | at as u64).to_le_bytes();
                near(at, history, 0) || chance(seed, &key) < probability
            }
        };
        let mut stretches: Vec<Range<usize>> = Vec::new();
        for at in (0..inside.len()).filter(|at| kept(*at)) {
            match stretches.last_mut() {
                Some(last) if last.end == at => last.end = at + 1,
                _ => stretches.push(at..at + 1),
            }
        }
        stretches
    }
}

impl Negatives {
    /// The numbers of the examples to learn from, in order.
    pub(super) fn kept(self, examples: &[Example], seed: u64) -> Vec<usize> {
        let mut negatives: Vec<usize> = (0..examples.len()).filter(|at| examples[*at].spans.is_empty()).collect();
        if self == Self::Balanced {
            let positives = examples.len() - negatives.len();
            negatives.sort_by(|left, right| {
                let of = |at: &usize| chance(seed, &at.to_le_bytes());
                of(left).total_cmp(&of(right)).then(left.cmp(right))
            });
            negatives.truncate(positives);
        }
        let mut kept: Vec<usize> =
            (0..examples.len()).filter(|at| !examples[*at].spans.is_empty()).chain(negatives).collect();
        kept.sort_unstable();
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_hold_what_they_should() {
        let inside = [false, false, false, true, false, false, false, false, true];
        assert_eq!(Sampling::All.stretches(&inside, 0, 1), vec![0..9; 1]);
        assert_eq!(Sampling::Window { tokens: 1 }.stretches(&inside, 0, 1), [2..5, 7..9]);
        let random = |probability| Sampling::RandomOutside { probability, history: 2 }.stretches(&inside, 0, 1);
        assert_eq!(random(0.0), [1..4, 6..9]);
        assert_eq!(random(1.0), vec![0..9; 1]);
        assert!(Sampling::Window { tokens: 3 }.stretches(&[false; 4], 0, 1).is_empty());
    }

    #[test]
    fn balanced_keeps_every_identifier_and_as_many_others() {
        let example = |at: usize| Example {
            context: None,
            sentence: "Troy".to_owned(),
            spans: if at.is_multiple_of(10) { vec![(0..4, "CITY".to_owned())] } else { Vec::new() },
            goes_on: false,
            group: String::new(),
        };
        let all: Vec<_> = (0..100).map(example).collect();
        let kept = Negatives::Balanced.kept(&all, 1);
        assert_eq!((kept.len(), kept.iter().filter(|at| at.is_multiple_of(10)).count()), (20, 10));
        assert_eq!(Negatives::Full.kept(&all, 1).len(), 100);
    }
}
