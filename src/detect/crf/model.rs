//! A trained model, and what it says of a sentence.

use std::ops::Range;

use super::features::{Attributes, Families, FeatureExtractor};
use super::lattice::{Lattice, Transitions};
use super::tags::{OUTSIDE, Tags};
use super::usage::Usage;
use super::weights::Weights;

/// How the balance of recall and precision is set, after training.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dial {
    /// Subtracted from the score of "not an identifier" at every token before decoding (Hartman et al. 2020), in natural
    /// logarithms of odds: 0 leaves the model as trained, more finds more.
    pub outside_bias: f32,
    /// The least score of a span, by label number; a label without one has 0 and takes every span.
    pub thresholds: Vec<f32>,
}

/// A span that the model found.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// Its bytes in the sentence.
    pub range: Range<usize>,
    /// The number of its label.
    pub label: u16,
    /// The mean over its tokens of the probability of the label, in [0, 1].
    pub score: f32,
    /// Whether it stands at the beginning of the sentence and goes on from one in the sentence before.
    pub goes_on: bool,
}

/// What the model says of one token, whatever its neighbours are taken for.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedToken {
    /// Its bytes in the sentence.
    pub range: Range<usize>,
    /// The number of the likeliest label, if it is part of an identifier.
    pub label: u16,
    /// The probability of being part of an identifier of any label, in [0, 1].
    pub of_any: f32,
}

/// Buffers for prediction: one a thread.
#[derive(Debug, Default)]
pub struct Workspace {
    attributes: Attributes,
    lattice: Lattice,
    sums: Vec<i32>,
    marginals: Vec<f32>,
    path: Vec<u16>,
}

/// A linear-chain CRF.
#[derive(Debug, Clone)]
pub struct CrfModel {
    pub(super) tags: Tags,
    pub(super) extractor: FeatureExtractor,
    pub(super) weights: Weights,
    pub(super) transitions: Transitions,
    pub(super) usage: Usage,
    pub(super) dial: Dial,
    /// Where the model comes from, in a line, for reports.
    pub(super) description: String,
}

impl CrfModel {
    /// A model of trained parts.
    pub fn new(tags: Tags, families: Families, weights: Weights, transitions: Transitions, usage: Usage) -> Self {
        let extractor = FeatureExtractor::new(families);
        Self { tags, extractor, weights, transitions, usage, dial: Dial::default(), description: String::new() }
    }

    /// The same model with another balance of recall and precision.
    #[must_use]
    pub fn with_dial(mut self, dial: Dial) -> Self {
        self.dial = dial;
        self
    }

    /// The same model with a line that tells where it comes from.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// The labels, by number.
    pub fn labels(&self) -> &[String] {
        self.tags.labels()
    }

    /// The tags.
    pub const fn tags(&self) -> &Tags {
        &self.tags
    }

    /// The families of features it was trained with.
    pub const fn families(&self) -> Families {
        self.extractor.families()
    }

    /// The balance of recall and precision.
    pub const fn dial(&self) -> &Dial {
        &self.dial
    }

    /// The weights of attributes.
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The scores of one tag after another.
    pub const fn transitions(&self) -> &Transitions {
        &self.transitions
    }

    /// What words were in the training data.
    pub const fn usage(&self) -> &Usage {
        &self.usage
    }

    /// Where it comes from.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Finds spans in a sentence: in order, not overlapping, on character boundaries.
    pub fn predict(
        &self,
        context: Option<&str>,
        sentence: &str,
        workspace: &mut Workspace,
        predictions: &mut Vec<Prediction>,
    ) {
        self.decode(context, sentence, workspace, predictions);
        predictions.retain(|found| self.is_likely(found.label, found.score));
    }

    /// Whether a span reaches its label's threshold.
    pub fn is_likely(&self, label: u16, score: f32) -> bool {
        score >= self.dial.thresholds.get(label as usize).copied().unwrap_or(0.0)
    }

    /// Finds spans as [`CrfModel::predict`] does, however unlikely they are.
    pub fn decode(
        &self,
        context: Option<&str>,
        sentence: &str,
        workspace: &mut Workspace,
        predictions: &mut Vec<Prediction>,
    ) {
        predictions.clear();
        self.score(context, sentence, workspace);
        let Workspace { attributes, lattice, marginals, path, .. } = workspace;
        lattice.viterbi(&self.transitions, path);
        if path.iter().all(|tag| *tag as usize == OUTSIDE) {
            return;
        }
        lattice.forward_backward(&self.transitions);
        marginals.resize(self.tags.len(), 0.0);
        for (tokens, label) in self.tags.decode(path) {
            let mut sum = 0.0;
            for token in tokens.clone() {
                lattice.marginals(token, marginals);
                sum += self.of_label(marginals, label);
            }
            let score = (sum / tokens.len() as f32).clamp(0.0, 1.0);
            let range = attributes.tokens()[tokens.start].start..attributes.tokens()[tokens.end - 1].end;
            let range = trimmed(sentence, range);
            if !range.is_empty() {
                let goes_on = tokens.start == 0 && self.tags.continues(path[0] as usize);
                predictions.push(Prediction { range, label, score, goes_on });
            }
        }
    }

    /// What is said of each token of a sentence.
    pub fn judge(&self, context: Option<&str>, sentence: &str, workspace: &mut Workspace) -> Vec<JudgedToken> {
        self.score(context, sentence, workspace);
        let Workspace { attributes, lattice, marginals, .. } = workspace;
        lattice.forward_backward(&self.transitions);
        marginals.resize(self.tags.len(), 0.0);
        let judged = attributes.tokens().iter().enumerate().filter_map(|(token, range)| {
            lattice.marginals(token, marginals);
            let labels = (0..self.labels().len() as u16).map(|label| (self.of_label(marginals, label), label));
            let (_, label) = labels.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)))?;
            Some(JudgedToken { range: range.clone(), label, of_any: (1.0 - marginals[OUTSIDE]).clamp(0.0, 1.0) })
        });
        judged.collect()
    }

    /// The highest probability, over the sentence's tokens, of being part of any identifier, in [0, 1]; 0 for a sentence
    /// without tokens. Tells which sentences a dearer model must see.
    pub fn highest_inside(&self, context: Option<&str>, sentence: &str, workspace: &mut Workspace) -> f32 {
        self.score(context, sentence, workspace);
        let Workspace { attributes, lattice, marginals, .. } = workspace;
        lattice.forward_backward(&self.transitions);
        marginals.resize(self.tags.len(), 0.0);
        (0..attributes.tokens().len())
            .map(|token| {
                lattice.marginals(token, marginals);
                (1.0 - marginals[OUTSIDE]).clamp(0.0, 1.0)
            })
            .fold(0.0, f32::max)
    }

    /// Fills the lattice with the state scores of a sentence.
    fn score(&self, context: Option<&str>, sentence: &str, workspace: &mut Workspace) {
        let Workspace { attributes, lattice, sums, .. } = workspace;
        self.extractor.extract(context, sentence, |word| self.usage.of(word), attributes);
        let tokens = attributes.tokens().len();
        lattice.reset(tokens, self.tags.len());
        for token in 0..tokens {
            sums.clear();
            sums.resize(self.tags.len(), 0);
            for hash in attributes.of(token) {
                self.weights.add(*hash, sums);
            }
            let states = lattice.states_mut(token);
            for (state, sum) in states.iter_mut().zip(sums.iter()) {
                *state = *sum as f32 * self.weights.scale();
            }
            states[OUTSIDE] -= self.dial.outside_bias;
        }
    }

    fn of_label(&self, marginals: &[f32], label: u16) -> f32 {
        let of_label = |tag: &usize| self.tags.tag(*tag).is_some_and(|(_, other)| other == label);
        (0..marginals.len()).filter(of_label).map(|tag| marginals[tag]).sum()
    }
}

/// A range without the separators at its ends, which no identifier begins or ends with.
fn trimmed(sentence: &str, range: Range<usize>) -> Range<usize> {
    const SEPARATORS: [char; 4] = [',', ';', ':', ' '];
    let text = &sentence[range.clone()];
    let start = range.start + text.len() - text.trim_start_matches(SEPARATORS).len();
    let end = start + sentence[start..range.end].trim_end_matches(SEPARATORS).len();
    start..end
}
