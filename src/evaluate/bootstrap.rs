//! How far a figure would move with other patients: Poisson bootstrap over clusters of notes.
//!
//! ```text
//! cluster key ─ hash ─▶ weights 1 0 2 0 1 3 …   one per replicate, each Poisson(1)
//! replicate r = Σ over notes of weight(cluster of the note, r) × counts of the note
//! 95 % interval = what lies between the 2.5th and the 97.5th percentile of the replicates' figures
//! ```
//!
//! A cluster's weights follow from its key alone, so neither the order of the notes nor their spread over workers moves an
//! interval, nothing is kept per note, and two predictions on one gold see the same draws, which makes their difference a
//! paired one.

use std::collections::BTreeMap;

use super::metrics::Counts;
use super::{EvaluateError, Statistic};
use crate::phi::Label;

/// A set of counts of which the bootstrap keeps the replicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// Whole spans of equal start, end and label.
    Strict,
    /// Spans that overlap one of the same label.
    Relaxed,
    /// Tokens of equal label.
    Token,
    /// Tokens that are part of an identifier, of whatever label.
    BinaryToken,
    /// Decoys: its recall is the share of them that were scrubbed.
    Decoys,
    /// Tokens of one label, equal labels wanted.
    TokenOf(Label),
    /// Tokens that gold gives one label: its recall is the share found under any label.
    FoundOf(Label),
}

/// A 95 % interval, by percentiles.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Interval {
    /// The 2.5th percentile.
    pub low: f64,
    /// The 97.5th percentile.
    pub high: f64,
}

/// The replicates of every measure that occurred. Memory is replicates times measures, whatever the number of notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bootstrap {
    replicates: usize,
    sums: BTreeMap<Measure, Vec<Counts>>,
}

impl Bootstrap {
    /// How many replicates are drawn where nothing else is asked for.
    pub const REPLICATES: usize = 1000;

    pub(super) const fn new(replicates: usize) -> Self {
        Self { replicates, sums: BTreeMap::new() }
    }

    /// How many replicates there are; none means no intervals.
    pub const fn replicates(&self) -> usize {
        self.replicates
    }

    /// Adds a note's counts to the replicates that drew its cluster.
    pub(super) fn add(&mut self, cluster: &Cluster, counts: impl IntoIterator<Item = (Measure, Counts)>) {
        if self.replicates == 0 {
            return;
        }
        let weights = cluster.weights(self.replicates);
        for (measure, counts) in counts {
            if counts == Counts::default() {
                continue;
            }
            let sums = self.sums.entry(measure).or_insert_with(|| vec![Counts::default(); self.replicates]);
            for (sum, &weight) in sums.iter_mut().zip(&weights) {
                if weight > 0 {
                    sum.add_weighted(counts, u64::from(weight));
                }
            }
        }
    }

    /// Adds the replicates of another part.
    pub(super) fn merge(&mut self, other: Self) -> Result<(), EvaluateError> {
        self.check(&other)?;
        for (measure, counts) in other.sums {
            let sums = self.sums.entry(measure).or_insert_with(|| vec![Counts::default(); self.replicates]);
            sums.iter_mut().zip(counts).for_each(|(sum, counts)| *sum += counts);
        }
        Ok(())
    }

    /// Refuses a part with another number of replicates.
    pub(super) const fn check(&self, other: &Self) -> Result<(), EvaluateError> {
        if self.replicates == other.replicates {
            Ok(())
        } else {
            Err(EvaluateError::DifferentReplicates { left: self.replicates, right: other.replicates })
        }
    }

    /// The interval of a figure, over the replicates in which it is defined.
    pub fn interval(&self, measure: Measure, statistic: Statistic) -> Option<Interval> {
        let counts = self.sums.get(&measure)?;
        percentiles(counts.iter().filter_map(|counts| counts.figure(statistic)).collect())
    }

    /// The interval of a figure less the same figure of `base`, replicate by replicate.
    pub(super) fn difference(&self, base: &Self, measure: Measure, statistic: Statistic) -> Option<Interval> {
        let (ours, theirs) = (self.sums.get(&measure)?, base.sums.get(&measure)?);
        let pairs = ours.iter().zip(theirs);
        percentiles(
            pairs.filter_map(|(ours, theirs)| Some(ours.figure(statistic)? - theirs.figure(statistic)?)).collect(),
        )
    }
}

/// The 2.5th and the 97.5th percentile, linear between the ranks.
fn percentiles(mut values: Vec<f64>) -> Option<Interval> {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    let at = |share: f64| {
        let place = share * last as f64;
        let below = place.floor();
        let (left, right) = (values[below as usize], values[(below as usize + 1).min(last)]);
        left + (right - left) * (place - below)
    };
    Some(Interval { low: at(0.025), high: at(0.975) })
}

/// What is drawn together.
pub(super) struct Cluster(blake3::Hasher);

impl Cluster {
    /// The notes of one patient, or one note whose patient is not known.
    pub(super) fn of(patient: Option<&str>, note: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        // A patient and a note of the same name are two clusters.
        match patient {
            Some(patient) => hasher.update(b"patient").update(&[0]).update(patient.as_bytes()),
            None => hasher.update(b"note").update(&[0]).update(note.as_bytes()),
        };
        Self(hasher)
    }

    /// How often each replicate draws it.
    fn weights(&self, replicates: usize) -> Vec<u8> {
        let mut draws = self.0.finalize_xof();
        let mut weights = Vec::with_capacity(replicates);
        let mut block = [0; 256];
        while weights.len() < replicates {
            draws.fill(&mut block);
            let numbers =
                block.chunks_exact(4).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
            weights.extend(numbers.take(replicates - weights.len()).map(poisson));
        }
        weights
    }
}

/// P(X ≤ k) for X of Poisson(1), as shares of 2³²; beyond the last, the tail is less than one of them.
const CUMULATIVE: [u32; 12] = {
    let mut table = [0; 12];
    let mut term = 1.0 / std::f64::consts::E;
    let mut sum = 0.0;
    let mut k = 0;
    while k < table.len() {
        sum += term;
        term /= (k + 1) as f64;
        table[k] = (sum * 4_294_967_296.0) as u32;
        k += 1;
    }
    table
};

/// A Poisson(1) number from a uniform one.
fn poisson(uniform: u32) -> u8 {
    CUMULATIVE.iter().take_while(|&&bound| uniform >= bound).count() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_poisson_of_mean_one() {
        let mut seen = [0_f64; 16];
        for cluster in 0..200 {
            for weight in Cluster::of(Some(&cluster.to_string()), "").weights(1000) {
                seen[usize::from(weight)] += 1.0 / 200_000.0;
            }
        }
        let expected = [0.367_88, 0.367_88, 0.183_94, 0.061_31, 0.015_33];
        for (seen, expected) in seen.iter().zip(expected) {
            assert!((seen - expected).abs() < 0.004, "{seen} for {expected}");
        }
        assert_eq!((poisson(0), poisson(u32::MAX)), (0, 12));
    }

    #[test]
    fn weights_depend_on_the_cluster_alone() {
        let weights = |patient, note| Cluster::of(patient, note).weights(100);
        assert_eq!(weights(Some("p1"), "n1"), weights(Some("p1"), "n2"));
        assert_ne!(weights(None, "n1"), weights(None, "n2"));
        assert_ne!(weights(Some("x"), "x"), weights(None, "x"));
        assert_eq!(Cluster::of(None, "n").weights(1000)[..130], Cluster::of(None, "n").weights(130)[..]);
    }

    #[test]
    fn the_interval_is_that_of_the_binomial() {
        // 400 clusters of one token, 80 % found: the standard error is .02.
        let mut bootstrap = Bootstrap::new(1000);
        for cluster in 0..400 {
            let counts = Counts::of_unit(true, cluster % 5 != 0, 1);
            bootstrap.add(&Cluster::of(None, &cluster.to_string()), [(Measure::BinaryToken, counts)]);
        }
        let interval = bootstrap.interval(Measure::BinaryToken, Statistic::Recall).unwrap();
        assert!((interval.low - 0.7608).abs() < 0.01 && (interval.high - 0.8392).abs() < 0.01, "{interval:?}");
        assert_eq!(bootstrap.interval(Measure::Strict, Statistic::Recall), None);
    }

    #[test]
    fn notes_of_one_patient_are_drawn_together() {
        let width = |clusters: u32| {
            let mut bootstrap = Bootstrap::new(500);
            for note in 0..100_u32 {
                let patient = (note % clusters).to_string();
                let counts = Counts::of_unit(true, (note % clusters).is_multiple_of(2), 1);
                bootstrap.add(&Cluster::of(Some(&patient), ""), [(Measure::Strict, counts)]);
            }
            let interval = bootstrap.interval(Measure::Strict, Statistic::Recall).unwrap();
            interval.high - interval.low
        };
        assert!(width(10) > 2.0 * width(100));
    }

    #[test]
    fn percentiles_between_ranks() {
        let interval = percentiles((0..=40).map(f64::from).rev().collect()).unwrap();
        assert_eq!((interval.low, interval.high), (1.0, 39.0));
        assert_eq!(percentiles(vec![0.5]), Some(Interval { low: 0.5, high: 0.5 }));
        assert_eq!(percentiles(vec![]), None);
    }

    #[test]
    fn no_replicates_no_intervals() {
        let mut bootstrap = Bootstrap::new(0);
        bootstrap.add(&Cluster::of(None, "n"), [(Measure::Strict, Counts::of_unit(true, true, 1))]);
        assert_eq!(bootstrap, Bootstrap::new(0));
        assert!(bootstrap.merge(Bootstrap::new(1)).is_err());
    }
}
