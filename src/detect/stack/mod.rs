//! Stacking: a linear model over what members claim of a word decides whether it is an identifier (Liu et al. 2022).
//!
//! ```text
//!                   Seen by   Rose       Okafor      on Tuesday
//! knowledge                              DOCTOR .7      DATE 1.0     a pattern of certain form: stays, whoever judges
//! transformer                DOCTOR .31  DOCTOR .98                  trained members propose words from 0.05 on
//! ─ features ─ weights ─▶     .88         .99                        P(identifier); words from `threshold` on stay
//! ```
//!
//! The model is a file, `stack.toml`, that `plainsight train stack` writes. It was trained for certain members and is refused with
//! others. So it takes false alarms back, and finds what no member was sure enough of by itself.

mod election;
mod features;
mod proposals;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use election::elect;
pub(crate) use features::Words;
pub(super) use proposals::WordByWord;

use features::{MEMBER_FEATURES, WORD_FEATURES};

/// The only format of stack.toml so far.
const FORMAT: u32 = 1;

/// How the weights were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Logistic regression.
    #[default]
    Logistic,
    /// A linear support vector machine, its margins turned into probabilities (Platt 1999).
    Svm,
}

impl Method {
    /// The name used in files and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logistic => "logistic",
            Self::Svm => "svm",
        }
    }
}

/// A model that decides over the claims of certain members.
#[derive(Debug, Clone, PartialEq)]
pub struct Stack {
    method: Method,
    threshold: f32,
    proposals: f32,
    /// The members it was trained for, in order.
    members: Vec<String>,
    /// By member its features, then those of the word.
    weights: Vec<f64>,
    intercept: f64,
}

/// stack.toml as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StackFile {
    format: u32,
    method: Method,
    threshold: f32,
    proposals: f32,
    intercept: f64,
    word: BTreeMap<String, f64>,
    member: Vec<MemberWeights>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MemberWeights {
    model: String,
    weights: BTreeMap<String, f64>,
}

/// How many features a word has where there are so many members.
pub(crate) const fn width(members: usize) -> usize {
    members * MEMBER_FEATURES.len() + WORD_FEATURES.len()
}

impl Stack {
    /// A model of trained parts: the weights of [`width`] features, and the intercept behind them; none where their number is
    /// another or one is no number. Words stay from a probability of one half on.
    pub(crate) fn new(method: Method, proposals: f32, members: Vec<String>, mut weights: Vec<f64>) -> Option<Self> {
        let is_sound = weights.len() == width(members.len()) + 1 && weights.iter().all(|weight| weight.is_finite());
        let intercept = weights.pop().filter(|_| is_sound)?;
        Some(Self { method, threshold: 0.5, proposals, members, weights, intercept })
    }

    /// The same model where words stay from another probability on, in (0, 1).
    #[must_use]
    pub fn with_threshold(self, threshold: f32) -> Self {
        Self { threshold, ..self }
    }

    /// How it was trained.
    pub const fn method(&self) -> Method {
        self.method
    }

    /// The least probability at which a word stays, in (0, 1).
    pub const fn threshold(&self) -> f32 {
        self.threshold
    }

    /// The least probability at which trained members propose a word, in (0, 1). Their own biases and thresholds do not count.
    pub const fn proposals(&self) -> f32 {
        self.proposals
    }

    /// The members it was trained for, in order.
    pub fn members(&self) -> &[String] {
        &self.members
    }

    /// Reads a stack.toml; the error says what is wrong with it.
    ///
    /// # Errors
    /// Where the text is no stack.toml, or holds features that this program does not count.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: StackFile = toml::from_str(text).map_err(|error| format!("is no stack.toml: {}", error.message()))?;
        if file.format != FORMAT {
            return Err(format!("has the format {}; this program reads {FORMAT}", file.format));
        }
        for (name, share) in [("threshold", file.threshold), ("proposals", file.proposals)] {
            if !(share > 0.0 && share < 1.0) {
                return Err(format!("has `{name}` = {share}; it is above 0 and below 1"));
            }
        }
        let mut weights = Vec::with_capacity(width(file.member.len()));
        for member in &file.member {
            weights.extend(ordered(&member.weights, MEMBER_FEATURES)?);
        }
        weights.extend(ordered(&file.word, WORD_FEATURES)?);
        weights.push(file.intercept);
        let members = file.member.into_iter().map(|member| member.model).collect();
        let stack = Self::new(file.method, file.proposals, members, weights);
        let stack = stack.ok_or_else(|| "has a weight that is no number".to_owned())?;
        Ok(stack.with_threshold(file.threshold))
    }

    /// The model as a stack.toml.
    pub fn to_toml(&self) -> String {
        let named = |names: &[&str], weights: &[f64]| {
            names.iter().zip(weights).map(|(name, weight)| ((*name).to_owned(), *weight)).collect::<BTreeMap<_, _>>()
        };
        let (of_members, of_word) = self.weights.split_at(self.members.len() * MEMBER_FEATURES.len());
        let member = self.members.iter().zip(of_members.chunks_exact(MEMBER_FEATURES.len()));
        let file = StackFile {
            format: FORMAT,
            method: self.method,
            threshold: self.threshold,
            proposals: self.proposals,
            intercept: self.intercept,
            word: named(WORD_FEATURES, of_word),
            member: member
                .map(|(model, weights)| MemberWeights {
                    model: model.clone(),
                    weights: named(MEMBER_FEATURES, weights),
                })
                .collect(),
        };
        toml::to_string(&file).expect("names and numbers are TOML")
    }

    /// Whether a word with these features stays.
    fn passes(&self, features: &[f64]) -> bool {
        let threshold = f64::from(self.threshold);
        self.log_odds(features) >= (threshold / (1.0 - threshold)).ln()
    }

    /// The logarithm of the odds that a word with these features is an identifier.
    fn log_odds(&self, features: &[f64]) -> f64 {
        self.weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum::<f64>() + self.intercept
    }
}

/// The weights of features in the order of their names.
fn ordered(weights: &BTreeMap<String, f64>, names: &[&str]) -> Result<Vec<f64>, String> {
    if let Some(other) = weights.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(format!("has a weight of `{other}`, which this program does not count: train it again"));
    }
    let weight = |name: &&str| {
        let missing = || format!("has no weight of `{name}`: train it again");
        weights.get(*name).copied().ok_or_else(missing)
    };
    names.iter().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack() -> Stack {
        let weights = (0..=width(2)).map(|at| at as f64 / 7.0 - 3.0).collect();
        Stack::new(Method::Svm, 0.05, vec!["knowledge".into(), "crf site".into()], weights).unwrap().with_threshold(0.3)
    }

    #[test]
    fn a_model_goes_through_its_file_unchanged() {
        assert_eq!(Stack::parse(&stack().to_toml()).unwrap(), stack());
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let wrong = |old: &str, new: &str| {
            let text = stack().to_toml();
            assert!(text.contains(old), "{text}");
            Stack::parse(&text.replacen(old, new, 1)).unwrap_err()
        };
        assert!(wrong("format = 1", "format = 2").contains("format 2"));
        assert!(wrong("threshold = 0.3", "threshold = 1.0").contains("`threshold`"));
        assert!(wrong("proposals = 0.05", "proposals = 0.0").contains("`proposals`"));
        assert!(wrong("agreement =", "agreements =").contains("`agreements`"));
        assert!(wrong("intercept = ", "intercept = inf # ").contains("no number"));
        assert!(wrong("method = \"svm\"", "method = \"trees\"").contains("no stack.toml"));
    }

    #[test]
    fn the_threshold_is_a_probability() {
        let mut weights = vec![0.0; width(1)];
        weights.push((0.8f64 / 0.2).ln());
        let stack = Stack::new(Method::Logistic, 0.05, vec!["knowledge".into()], weights).unwrap();
        let features = vec![1.0; width(1)];
        assert!(stack.clone().with_threshold(0.79).passes(&features));
        assert!(!stack.with_threshold(0.81).passes(&features));
    }

    #[test]
    fn the_number_of_weights_must_be_right() {
        assert_eq!(Stack::new(Method::Logistic, 0.05, vec!["knowledge".into()], vec![0.0; width(1)]), None);
        assert_eq!(Stack::new(Method::Logistic, 0.05, Vec::new(), vec![f64::NAN; width(0) + 1]), None);
    }
}
