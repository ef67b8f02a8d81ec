//! Inference in a linear chain: the likeliest tags of a sentence, and how likely each tag of each token is.
//!
//! ```text
//!   state scores   O  B  I          transitions     O  B  I
//!   token 1        …  …  …      ×             O     …  …  −∞      ─▶ Viterbi: one tag a token
//!   token 2        …  …  …                    B     …  …  …       ─▶ forward–backward: a distribution a token
//! ```
//!
//! Forward and backward run in scaled probabilities (Rabiner 1989), so that no logarithm stands in the inner loop.

use super::tags::Tags;

/// Scores of one tag after another, minus infinity where it may not be.
#[derive(Debug, Clone)]
pub struct Transitions {
    scores: Vec<f32>,
    /// The exponentials of the scores, by the tag before, and by the tag after.
    forward: Vec<f32>,
    backward: Vec<f32>,
    /// 1 where a sentence may begin or end with the tag, else 0.
    begins: Vec<f32>,
    ends: Vec<f32>,
}

impl Transitions {
    /// Transitions with these scores, by the tag before and then the tag after; what may not be stays impossible.
    pub fn new(tags: &Tags, scores: &[f32]) -> Self {
        let count = tags.len();
        let score = |before: usize, after: usize| {
            let given = scores.get(before * count + after).copied().unwrap_or(0.0);
            if tags.may_follow(before, after) { given } else { f32::NEG_INFINITY }
        };
        let scores: Vec<f32> = (0..count * count).map(|pair| score(pair / count, pair % count)).collect();
        let forward: Vec<f32> = scores.iter().map(|score| score.exp()).collect();
        let backward = (0..count * count).map(|pair| forward[pair % count * count + pair / count]).collect();
        let allowed = |may: bool| if may { 1.0 } else { 0.0 };
        let begins = (0..count).map(|tag| allowed(tags.may_begin(tag))).collect();
        let ends = (0..count).map(|tag| allowed(tags.may_end(tag))).collect();
        Self { scores, forward, backward, begins, ends }
    }

    /// The scores, minus infinity where a tag may not follow.
    pub fn scores(&self) -> &[f32] {
        &self.scores
    }

    /// The exponentials of the scores.
    pub fn exponentials(&self) -> &[f32] {
        &self.forward
    }
}

/// A probability below this adds nothing that single precision could hold.
const NOTHING: f32 = 1e-20;
/// Scores further than this below the best of their token count as this far below.
const DEEPEST: f32 = -80.0;

/// The scores of a sentence's tokens, and what was inferred from them. Reused, it allocates no more.
#[derive(Debug, Default)]
pub struct Lattice {
    tags: usize,
    /// State scores by token and tag.
    states: Vec<f32>,
    /// Exponentials of state scores, over the best of the token.
    likelihoods: Vec<f32>,
    alpha: Vec<f32>,
    beta: Vec<f32>,
    scales: Vec<f32>,
    back: Vec<u16>,
    best: Vec<f32>,
}

impl Lattice {
    /// Begins a sentence: all states 0.
    pub fn reset(&mut self, tokens: usize, tags: usize) {
        self.tags = tags;
        self.states.clear();
        self.states.resize(tokens * tags, 0.0);
    }

    /// The state scores of a token, to be set.
    pub fn states_mut(&mut self, token: usize) -> &mut [f32] {
        &mut self.states[token * self.tags..(token + 1) * self.tags]
    }

    /// The state scores of all tokens.
    pub fn states(&self) -> &[f32] {
        &self.states
    }

    fn tokens(&self) -> usize {
        self.states.len().checked_div(self.tags).unwrap_or(0)
    }

    /// The likeliest tags; of equals, the one with the lowest number.
    pub fn viterbi(&mut self, transitions: &Transitions, path: &mut Vec<u16>) {
        path.clear();
        let (tokens, count) = (self.tokens(), self.tags);
        if tokens == 0 {
            return;
        }
        self.back.clear();
        self.back.resize(tokens * count, 0);
        self.best.clear();
        let begins = &transitions.begins;
        self.best.extend(self.states[..count].iter().zip(begins).map(|(score, begins)| score + begins.ln()));
        let mut next = vec![0.0; count];
        for token in 1..tokens {
            let back = &mut self.back[token * count..(token + 1) * count];
            next.fill(f32::NEG_INFINITY);
            for before in 0..count {
                let reached = self.best[before];
                let row = &transitions.scores[before * count..(before + 1) * count];
                for ((best, from), step) in next.iter_mut().zip(back.iter_mut()).zip(row) {
                    let score = reached + step;
                    *from = if score > *best { before as u16 } else { *from };
                    *best = best.max(score);
                }
            }
            let states = &self.states[token * count..(token + 1) * count];
            for ((best, next), state) in self.best.iter_mut().zip(&next).zip(states) {
                *best = next + state;
            }
        }
        let last = self.best.iter().zip(&transitions.ends).map(|(score, ends)| score + ends.ln());
        let (mut tag, _) = last
            .enumerate()
            .fold((0, f32::NEG_INFINITY), |best, (tag, score)| if score > best.1 { (tag, score) } else { best });
        path.resize(tokens, 0);
        for token in (0..tokens).rev() {
            path[token] = tag as u16;
            tag = self.back[token * count + tag] as usize;
        }
    }

    /// Runs forward and backward; returns the logarithm of the sum over all sequences of tags, which is the partition function.
    pub fn forward_backward(&mut self, transitions: &Transitions) -> f64 {
        let mut log_sum = self.exponentiate();
        log_sum += self.forward(transitions);
        self.backward(transitions);
        log_sum
    }

    /// The likelihoods of states over the best of each token; returns the sum of the best scores.
    fn exponentiate(&mut self) -> f64 {
        self.likelihoods.clear();
        let mut sum = 0.0;
        for states in self.states.chunks_exact(self.tags.max(1)) {
            let best = states.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            sum += f64::from(best);
            self.likelihoods.extend(states.iter().map(|state| (state - best).max(DEEPEST).exp()));
        }
        sum
    }

    fn forward(&mut self, transitions: &Transitions) -> f64 {
        let (tokens, count) = (self.tokens(), self.tags);
        self.alpha.clear();
        self.alpha.resize(tokens * count, 0.0);
        self.scales.clear();
        let mut log_sum = 0.0;
        for token in 0..tokens {
            let (done, rest) = self.alpha.split_at_mut(token * count);
            let alpha = &mut rest[..count];
            match token.checked_sub(1) {
                None => alpha.copy_from_slice(&transitions.begins),
                Some(before) => add_rows(&transitions.forward, &done[before * count..], alpha),
            }
            let likelihoods = &self.likelihoods[token * count..(token + 1) * count];
            alpha.iter_mut().zip(likelihoods).for_each(|(alpha, likelihood)| *alpha *= likelihood);
            if token + 1 == tokens {
                alpha.iter_mut().zip(&transitions.ends).for_each(|(alpha, ends)| *alpha *= ends);
            }
            let sum = alpha.iter().sum::<f32>().max(f32::MIN_POSITIVE);
            let scale = 1.0 / sum;
            alpha.iter_mut().for_each(|alpha| *alpha *= scale);
            self.scales.push(scale);
            log_sum += f64::from(sum).ln();
        }
        log_sum
    }

    /// Leaves in `beta` the weight of what may follow times the token's own likelihood: what a step onto it is worth, of all steps.
    fn backward(&mut self, transitions: &Transitions) {
        let (tokens, count) = (self.tokens(), self.tags);
        self.beta.clear();
        self.beta.resize(tokens * count, 0.0);
        for token in (0..tokens).rev() {
            let (head, after) = self.beta.split_at_mut((token + 1) * count);
            let beta = &mut head[token * count..];
            if after.is_empty() {
                beta.copy_from_slice(&transitions.ends);
            } else {
                add_rows(&transitions.backward, &after[..count], beta);
            }
            let likelihoods = &self.likelihoods[token * count..(token + 1) * count];
            beta.iter_mut().zip(likelihoods).for_each(|(beta, likelihood)| *beta *= likelihood);
            let scale = 1.0 / beta.iter().sum::<f32>().max(f32::MIN_POSITIVE);
            beta.iter_mut().for_each(|beta| *beta *= scale);
        }
    }

    /// The probability of each tag of a token, after [`Self::forward_backward`].
    pub fn marginals(&self, token: usize, marginals: &mut [f32]) {
        let range = token * self.tags..(token + 1) * self.tags;
        let states = self.alpha[range.clone()].iter().zip(&self.beta[range.clone()]).zip(&self.likelihoods[range]);
        let mut sum = 0.0;
        for (marginal, ((alpha, beta), likelihood)) in marginals.iter_mut().zip(states) {
            *marginal = alpha * (beta / likelihood);
            sum += *marginal;
        }
        let scale = if sum > 0.0 { 1.0 / sum } else { 0.0 };
        marginals.iter_mut().for_each(|marginal| *marginal *= scale);
    }

    /// Adds, for each pair of tags, the expected number of times that one follows the other, but for the factor that
    /// [`Transitions::exponentials`] gives; after [`Self::forward_backward`].
    pub fn add_pairs(&self, pairs: &mut [f32]) {
        let count = self.tags;
        for token in 1..self.tokens() {
            let before = &self.alpha[(token - 1) * count..token * count];
            let step = &self.beta[token * count..(token + 1) * count];
            let here = token * count..(token + 1) * count;
            let states = self.alpha[here.clone()].iter().zip(step).zip(&self.likelihoods[here]);
            let sum: f32 = states.map(|((alpha, beta), likelihood)| alpha * (beta / likelihood)).sum();
            let scale = if sum > 0.0 { self.scales[token] / sum } else { 0.0 };
            for (row, alpha) in pairs.chunks_exact_mut(count).zip(before) {
                if *alpha > 1e-9 {
                    let weight = alpha * scale;
                    row.iter_mut().zip(step).for_each(|(pair, beta)| *pair += weight * beta);
                }
            }
        }
    }
}

/// `sums[j] += Σ weights[i] · matrix[i][j]`.
fn add_rows(matrix: &[f32], weights: &[f32], sums: &mut [f32]) {
    for (row, weight) in matrix.chunks_exact(sums.len()).zip(weights) {
        if *weight > NOTHING {
            sums.iter_mut().zip(row).for_each(|(sum, cell)| *sum += weight * cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tags::Scheme;
    use super::*;
    use proptest::prelude::*;

    /// Every sequence of tags with its score, by counting through them.
    fn sequences(states: &[Vec<f32>], tags: &Tags, transitions: &Transitions) -> Vec<(Vec<u16>, f64)> {
        let count = tags.len();
        (0..count.pow(states.len() as u32))
            .map(|number| {
                let path: Vec<u16> =
                    (0..states.len()).map(|token| (number / count.pow(token as u32) % count) as u16).collect();
                let may = tags.may_begin(path[0] as usize) && tags.may_end(path[path.len() - 1] as usize);
                let mut score = if may { 0.0 } else { f64::NEG_INFINITY };
                for (token, tag) in path.iter().enumerate() {
                    score += f64::from(states[token][*tag as usize]);
                }
                for pair in path.windows(2) {
                    score += f64::from(transitions.scores()[pair[0] as usize * count + pair[1] as usize]);
                }
                (path, score)
            })
            .collect()
    }

    proptest! {
        #[test]
        fn inference_equals_counting_through_all_sequences(
            states in prop::collection::vec(prop::collection::vec(-4.0f32..4.0, 5), 1..5),
            scores in prop::collection::vec(-2.0f32..2.0, 25), bioes: bool,
        ) {
            let tags = if bioes { Tags::new(Scheme::Bioes, vec!["X".to_owned()]) }
                else { Tags::new(Scheme::Bio, vec!["X".to_owned(), "Y".to_owned()]) };
            let transitions = Transitions::new(&tags, &scores);
            let mut lattice = Lattice::default();
            lattice.reset(states.len(), tags.len());
            for (token, scores) in states.iter().enumerate() {
                lattice.states_mut(token).copy_from_slice(scores);
            }
            let all = sequences(&states, &tags, &transitions);
            let sum: f64 = all.iter().map(|(_, score)| score.exp()).sum();
            prop_assert!((lattice.forward_backward(&transitions) - sum.ln()).abs() < 1e-3);
            let mut marginals = vec![0.0; tags.len()];
            for token in 0..states.len() {
                lattice.marginals(token, &mut marginals);
                for (tag, marginal) in marginals.iter().enumerate() {
                    let with = all.iter().filter(|(path, _)| path[token] as usize == tag);
                    let expected = with.map(|(_, score)| score.exp()).sum::<f64>() / sum;
                    prop_assert!((f64::from(*marginal) - expected).abs() < 1e-3);
                }
            }
            let mut pairs = vec![0.0; tags.len() * tags.len()];
            lattice.add_pairs(&mut pairs);
            let total: f32 = pairs.iter().zip(transitions.exponentials()).map(|(pair, factor)| pair * factor).sum();
            prop_assert!((total - (states.len() - 1) as f32).abs() < 1e-3);
            let mut path = Vec::new();
            lattice.viterbi(&transitions, &mut path);
            let best = all.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
            let found = all.iter().find(|(other, _)| *other == path).map(|(_, score)| *score);
            prop_assert!(found.is_some_and(|score| score > best - 1e-3));
        }

        #[test]
        fn no_scores_make_it_fail(states in prop::collection::vec(prop::collection::vec(-1e6f32..1e6, 5), 0..5)) {
            let tags = Tags::new(Scheme::Bioes, vec!["X".to_owned()]);
            let transitions = Transitions::new(&tags, &[]);
            let mut lattice = Lattice::default();
            lattice.reset(states.len(), tags.len());
            for (token, scores) in states.iter().enumerate() {
                lattice.states_mut(token).copy_from_slice(scores);
            }
            prop_assert!(lattice.forward_backward(&transitions).is_finite());
            let (mut path, mut marginals) = (Vec::new(), vec![0.0; tags.len()]);
            lattice.viterbi(&transitions, &mut path);
            prop_assert_eq!(path.len(), states.len());
            for token in 0..states.len() {
                lattice.marginals(token, &mut marginals);
                prop_assert!(marginals.iter().all(|marginal| (0.0..=1.0001).contains(marginal)));
            }
        }
    }
}
