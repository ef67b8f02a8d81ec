//! The negative log-likelihood of the right tags, and its gradient.
//!
//! ```text
//! parameters   weights of features, attribute by attribute │ transitions, tag by tag
//! gradient     expected count − observed count, and twice c2 times the weight
//! ```
//!
//! Stretches are dealt to a fixed number of shards whose sums are added in order, so that the number of threads changes nothing.

use std::ops::Range;

use super::data::Data;
use crate::detect::crf::{Lattice, Transitions};

/// Sums are kept apart for this many parts of the data.
const SHARDS: usize = 4;

/// The features: pairs of an attribute and a tag that occur.
pub(super) struct Features {
    /// Where the features of each attribute end.
    ends: Vec<usize>,
    /// The tag of each feature, ascending within an attribute.
    pub tags: Vec<u16>,
}

impl Features {
    /// The pairs that occur at least so often in the data, and those that `extra` gives, by attribute number.
    pub fn new(data: &Data, min_count: usize, extra: impl Iterator<Item = (u32, u16)>) -> Self {
        let mut pairs: Vec<u64> = Vec::new();
        for token in 0..data.gold.len() {
            let tag = u64::from(data.gold[token]);
            pairs.extend(data.of(token).iter().map(|attribute| u64::from(*attribute) << 16 | tag));
        }
        pairs.sort_unstable();
        let mut kept: Vec<u64> = pairs
            .chunk_by(|left, right| left == right)
            .filter(|run| run.len() >= min_count)
            .map(|run| run[0])
            .collect();
        kept.extend(extra.map(|(attribute, tag)| u64::from(attribute) << 16 | u64::from(tag)));
        kept.sort_unstable();
        kept.dedup();
        let mut features = Self { ends: vec![0; data.attributes.len()], tags: Vec::with_capacity(kept.len()) };
        for pair in kept {
            features.tags.push(pair as u16);
            features.ends[(pair >> 16) as usize] = features.tags.len();
        }
        let mut end = 0;
        for of_attribute in &mut features.ends {
            end = (*of_attribute).max(end);
            *of_attribute = end;
        }
        features
    }

    /// The numbers of an attribute's features.
    pub fn of(&self, attribute: usize) -> Range<usize> {
        attribute.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[attribute]
    }

    pub fn len(&self) -> usize {
        self.tags.len()
    }
}

/// The function that training lowers.
pub(super) struct Objective<'a> {
    data: &'a Data,
    features: &'a Features,
    observed: Vec<f64>,
    shards: Vec<Range<usize>>,
    threads: usize,
}

struct Sums {
    loss: f64,
    gradient: Vec<f64>,
}

impl<'a> Objective<'a> {
    pub fn new(data: &'a Data, features: &'a Features, threads: usize) -> Self {
        let tokens = data.gold.len();
        let cut = |shard: usize| data.stretches.partition_point(|stretch| stretch.start * SHARDS < tokens * shard);
        let shards = (0..SHARDS).map(|shard| cut(shard)..cut(shard + 1)).collect();
        let mut objective = Self { data, features, observed: Vec::new(), shards, threads: threads.clamp(1, SHARDS) };
        objective.observed = objective.count_observed();
        objective
    }

    /// The number of parameters.
    pub fn len(&self) -> usize {
        self.features.len() + self.data.tags.len() * self.data.tags.len()
    }

    fn count_observed(&self) -> Vec<f64> {
        let (mut observed, tags) = (vec![0.0; self.len()], self.data.tags.len());
        for stretch in &self.data.stretches {
            let mut before = None;
            for token in stretch.clone() {
                let tag = self.data.gold[token];
                for attribute in self.data.of(token) {
                    let range = self.features.of(*attribute as usize);
                    if let Ok(at) = self.features.tags[range.clone()].binary_search(&tag) {
                        observed[range.start + at] += 1.0;
                    }
                }
                if let Some(before) = before {
                    observed[self.features.len() + before * tags + tag as usize] += 1.0;
                }
                before = Some(tag as usize);
            }
        }
        observed
    }

    /// The loss with these parameters; writes its gradient.
    pub fn evaluate(&self, parameters: &[f64], gradient: &mut [f64]) -> f64 {
        let weights: Vec<f32> = parameters[..self.features.len()].iter().map(|weight| *weight as f32).collect();
        let scores: Vec<f32> = parameters[self.features.len()..].iter().map(|score| *score as f32).collect();
        let transitions = Transitions::new(&self.data.tags, &scores);
        let (weights, transitions) = (&weights, &transitions);
        let mut sums: Vec<(usize, Sums)> = std::thread::scope(|scope| {
            let work = |worker: usize| {
                let own = (worker..SHARDS).step_by(self.threads);
                own.map(|shard| (shard, self.sum(shard, weights, transitions))).collect::<Vec<_>>()
            };
            let workers: Vec<_> = (1..self.threads).map(|worker| scope.spawn(move || work(worker))).collect();
            let mut sums = work(0);
            for worker in workers {
                match worker.join() {
                    Ok(of_worker) => sums.extend(of_worker),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            sums
        });
        sums.sort_by_key(|(shard, _)| *shard);
        gradient.iter_mut().zip(&self.observed).for_each(|(slope, observed)| *slope = -observed);
        let mut loss = 0.0;
        for (_, shard) in sums {
            loss += shard.loss;
            gradient.iter_mut().zip(&shard.gradient).for_each(|(slope, expected)| *slope += expected);
        }
        loss
    }

    /// Loss and expected counts of a shard.
    fn sum(&self, shard: usize, weights: &[f32], transitions: &Transitions) -> Sums {
        let tags = self.data.tags.len();
        let mut sums = Sums { loss: 0.0, gradient: vec![0.0; self.len()] };
        let (mut lattice, mut marginals) = (Lattice::default(), vec![0.0; tags]);
        let (mut pairs, mut of_stretch) = (vec![0.0f64; tags * tags], vec![0.0f32; tags * tags]);
        for stretch in &self.data.stretches[self.shards[shard].clone()] {
            self.score(stretch, weights, &mut lattice);
            sums.loss += lattice.forward_backward(transitions) - self.gold_score(stretch, &lattice, transitions);
            for (at, token) in stretch.clone().enumerate() {
                lattice.marginals(at, &mut marginals);
                for attribute in self.data.of(token) {
                    for feature in self.features.of(*attribute as usize) {
                        sums.gradient[feature] += f64::from(marginals[self.features.tags[feature] as usize]);
                    }
                }
            }
            of_stretch.fill(0.0);
            lattice.add_pairs(&mut of_stretch);
            pairs.iter_mut().zip(&of_stretch).for_each(|(sum, pair)| *sum += f64::from(*pair));
        }
        let expected = pairs.iter().zip(transitions.exponentials()).map(|(pair, factor)| pair * f64::from(*factor));
        sums.gradient[self.features.len()..].iter_mut().zip(expected).for_each(|(slope, expected)| *slope += expected);
        sums
    }

    fn score(&self, stretch: &Range<usize>, weights: &[f32], lattice: &mut Lattice) {
        lattice.reset(stretch.len(), self.data.tags.len());
        for (at, token) in stretch.clone().enumerate() {
            let states = lattice.states_mut(at);
            for attribute in self.data.of(token) {
                let range = self.features.of(*attribute as usize);
                for (tag, weight) in self.features.tags[range.clone()].iter().zip(&weights[range]) {
                    states[*tag as usize] += weight;
                }
            }
        }
    }

    fn gold_score(&self, stretch: &Range<usize>, lattice: &Lattice, transitions: &Transitions) -> f64 {
        let (tags, gold) = (self.data.tags.len(), &self.data.gold[stretch.clone()]);
        let states: f64 =
            gold.iter().enumerate().map(|(at, tag)| f64::from(lattice.states()[at * tags + *tag as usize])).sum();
        let steps =
            gold.windows(2).map(|pair| f64::from(transitions.scores()[pair[0] as usize * tags + pair[1] as usize]));
        states + steps.sum::<f64>()
    }
}
