//! Setting the balance of recall and precision of a trained model, on examples that it has not seen.
//!
//! ```text
//! bias −2 ─────────── 0 ─────────── 4 ─────────── 8
//!      precision ▲                      recall ▲        recall ≥ .98 asked for ─▶ the least bias that reaches it, and its cost
//! ```
//!
//! The bias and the measure "highest recall at a precision of at least p" are those of Hartman et al. (2020).

use std::cmp::Ordering;

use super::scores::{Counted, Scores, evaluate, predictions};
use super::{Example, TrainError};
use crate::detect::crf::{CrfModel, Dial};

/// What is asked of a model. All shares are in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// At least this recall, at as little cost in precision as can be.
    Recall(f64),
    /// As much recall as can be, at no less than this precision (R@P).
    Precision(f64),
}

impl Target {
    /// The share that is asked for.
    pub const fn share(self) -> f64 {
        match self {
            Self::Recall(share) | Self::Precision(share) => share,
        }
    }

    /// Refuses a share that makes no sense, such as a percentage.
    ///
    /// # Errors
    /// [`TrainError::Setting`].
    pub fn check(self) -> Result<(), TrainError> {
        let share = self.share();
        if share > 0.0 && share <= 1.0 {
            Ok(())
        } else {
            Err(TrainError::Setting { setting: "target", must: "above 0 and at most 1" })
        }
    }

    /// Whether it is reached.
    pub fn is_reached(self, counted: &Counted) -> bool {
        self.measures(counted).0 >= self.share()
    }

    /// Which of two meets it better: nearer to it first, then, where both reach it, the one with more of the other measure.
    pub fn compare(self, one: &Counted, other: &Counted) -> Ordering {
        let ((one, cost), (other, other_cost)) = (self.measures(one), self.measures(other));
        let cut = |share: f64| share.min(self.share());
        cut(one).total_cmp(&cut(other)).then(cost.total_cmp(&other_cost))
    }

    /// What is asked for, and what it costs. What finds nothing has no precision here: a model that is silent is never what is wanted.
    fn measures(self, counted: &Counted) -> (f64, f64) {
        let precision = if counted.found == 0 { 0.0 } else { counted.precision() };
        match self {
            Self::Recall(_) => (counted.recall(), precision),
            Self::Precision(_) => (precision, counted.recall()),
        }
    }
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    /// Tokens that are part of any identifier: what stays in the text is what matters.
    #[default]
    Tokens,
    /// Spans with the same bounds and label.
    Strict,
}

impl Measure {
    fn of(self, scores: &Scores) -> Counted {
        match self {
            Self::Tokens => scores.tokens,
            Self::Strict => scores.strict(),
        }
    }
}

/// A bias and what it does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Subtracted from the score of "not an identifier".
    pub outside_bias: f32,
    /// What the model then finds.
    pub counted: Counted,
}

/// A bias that was chosen, and what it costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The bias to use, with its figures.
    pub chosen: Point,
    /// The figures without bias.
    pub unbiased: Point,
    /// Whether the target is reached; if not, what was chosen comes nearest.
    pub reached: bool,
}

/// The biases that are tried: from −4 to 12, in steps of a half.
fn biases() -> impl Iterator<Item = f32> {
    (-8i8..=24).map(|step| f32::from(step) / 2.0)
}

/// What the model finds with each bias, from the least to the greatest.
pub fn curve(model: &CrfModel, development: &[Example], measure: Measure) -> Vec<Point> {
    let point = |outside_bias: f32| {
        let dial = Dial { outside_bias, thresholds: model.dial().thresholds.clone() };
        let scores = evaluate(&model.clone().with_dial(dial), development);
        Point { outside_bias, counted: measure.of(&scores) }
    };
    biases().map(point).collect()
}

/// Chooses the bias that meets a target, from a [`curve`]; none where the curve is empty. Of biases that do the same, that which is nearest to
/// none: the notes do not say that more is needed.
pub fn choose(curve: &[Point], target: Target) -> Option<Choice> {
    let nearer = |left: &&Point, right: &&Point| left.outside_bias.abs().total_cmp(&right.outside_bias.abs());
    let unbiased = curve.iter().min_by(nearer)?;
    let better =
        |left: &&Point, right: &&Point| target.compare(&left.counted, &right.counted).then_with(|| nearer(right, left));
    let chosen = curve.iter().max_by(better)?;
    Some(Choice { chosen: *chosen, unbiased: *unbiased, reached: target.is_reached(&chosen.counted) })
}

/// For each label the least score from which on its spans are right at least as often as `precision` says. A label that cannot
/// reach it keeps every span: what is lost by dropping them is worse than what is gained.
pub fn thresholds(model: &CrfModel, development: &[Example], precision: f64) -> Vec<f32> {
    let mut found: Vec<Vec<(f32, bool)>> = vec![Vec::new(); model.labels().len()];
    for (example, predictions) in development.iter().zip(predictions(model, development)) {
        for one in predictions {
            let label = &model.labels()[one.label as usize];
            let right = example.spans.iter().any(|(range, same)| *range == one.range && same == label);
            found[one.label as usize].push((one.score, right));
        }
    }
    found.into_iter().map(|of_label| threshold(of_label, precision)).collect()
}

/// The least score at which the spans that reach it are precise enough.
fn threshold(mut found: Vec<(f32, bool)>, precision: f64) -> f32 {
    found.sort_by(|left, right| right.0.total_cmp(&left.0));
    let (mut right, mut least) = (0, None);
    for (at, (score, is_right)) in found.iter().enumerate() {
        right += usize::from(*is_right);
        let last_of_score = found.get(at + 1).is_none_or(|(next, _)| next < score);
        if last_of_score && right as f64 >= precision * (at + 1) as f64 {
            least = Some(if at + 1 == found.len() { 0.0 } else { *score });
        }
    }
    least.unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve() -> Vec<Point> {
        let point =
            |outside_bias: f32, right, found| Point { outside_bias, counted: Counted { right, found, gold: 100 } };
        vec![point(-2.0, 70, 70), point(0.0, 85, 88), point(2.0, 93, 102), point(4.0, 97, 120), point(6.0, 97, 160)]
    }

    #[test]
    fn the_cheapest_bias_that_reaches_the_target() {
        let recall = choose(&curve(), Target::Recall(0.9)).unwrap();
        assert_eq!((recall.chosen.outside_bias, recall.unbiased.outside_bias, recall.reached), (2.0, 0.0, true));
        let precision = choose(&curve(), Target::Precision(0.8)).unwrap();
        assert_eq!((precision.chosen.outside_bias, precision.reached), (4.0, true));
        let too_much = choose(&curve(), Target::Recall(0.99)).unwrap();
        assert!(!too_much.reached && too_much.chosen.counted.right == 97);
        assert_eq!(choose(&[], Target::Recall(0.5)), None);
    }

    #[test]
    fn of_biases_that_do_the_same_the_least_is_chosen() {
        let same = |outside_bias: f32| Point { outside_bias, counted: Counted { right: 9, found: 10, gold: 10 } };
        let curve: Vec<Point> = biases().map(same).collect();
        for target in [Target::Recall(0.5), Target::Recall(1.0), Target::Precision(0.5), Target::Precision(1.0)] {
            assert_eq!(choose(&curve, target).unwrap().chosen.outside_bias, 0.0, "{target:?}");
        }
    }

    #[test]
    fn finding_nothing_reaches_no_precision() {
        let point =
            |outside_bias: f32, right, found| Point { outside_bias, counted: Counted { right, found, gold: 100 } };
        let choice = choose(&[point(-4.0, 0, 0), point(0.0, 80, 100)], Target::Precision(0.9)).unwrap();
        assert_eq!((choice.chosen.outside_bias, choice.reached), (0.0, false));
    }

    #[test]
    fn targets_are_shares() {
        for share in [0.5, 1.0] {
            assert_eq!(Target::Recall(share).check(), Ok(()));
        }
        for share in [f64::NAN, f64::INFINITY, 95.0, 0.0, -0.1, 1.000_1] {
            let refused = Target::Precision(share).check();
            assert!(matches!(refused, Err(TrainError::Setting { setting: "target", .. })), "{share}");
        }
    }

    #[test]
    fn thresholds_cut_where_precision_would_fall() {
        let found = vec![(0.9, true), (0.8, true), (0.7, false), (0.6, true), (0.5, false), (0.4, false)];
        assert_eq!(threshold(found.clone(), 0.75), 0.6);
        assert_eq!(threshold(found.clone(), 1.0), 0.8);
        assert_eq!(threshold(found, 0.5), 0.0);
        assert_eq!(threshold(vec![(0.9, false)], 0.5), 0.0);
    }
}
