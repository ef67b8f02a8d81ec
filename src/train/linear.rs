//! Linear models of two classes: logistic regression, and a support vector machine.
//!
//! ```text
//! logistic   Σ log(1 + e^(−y·f))        + c2·|w|²       f = w·x + intercept, y = ±1
//! svm        Σ max(0, 1 − y·f)²         + c2·|w|²       then P = 1 / (1 + e^−(a·f + b)), a and b by Platt (1999)
//! ```
//!
//! Both are smooth and have one minimum, so both are found by the same method as the CRF's. The scaling of the second is folded into
//! its weights: either way a model's log-odds are linear in the features. The intercept is not penalized.

use std::ops::ControlFlow;

use super::minimize::{Options, minimize};
use crate::detect::stack::Method;

/// A word to learn from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub features: Vec<f64>,
    /// Whether it is an identifier's.
    pub gold: bool,
}

/// At most this many steps.
const ITERATIONS: usize = 300;
/// Ten steps that lower the function by less than this share end the search.
const TOLERANCE: f64 = 1e-7;

/// The weights of features with the intercept behind them, in log-odds. The rows have one length.
pub(super) fn fit(method: Method, rows: &[Row], c2: f64) -> Vec<f64> {
    match method {
        Method::Logistic => descend(rows, c2, logistic),
        Method::Svm => {
            let weights = descend(rows, c2, squared_hinge);
            let (slope, offset) = platt(rows, &weights);
            let mut scaled: Vec<f64> = weights.iter().map(|weight| weight * slope).collect();
            scaled.last_mut().into_iter().for_each(|intercept| *intercept += offset);
            scaled
        }
    }
}

/// Loss and its slope where the margin is y·f.
fn logistic(margin: f64) -> (f64, f64) {
    // Of the two forms the one that does not overflow.
    let tail = (-margin.abs()).exp();
    let loss = tail.ln_1p() + (-margin).max(0.0);
    (loss, if margin > 0.0 { -tail / (1.0 + tail) } else { -1.0 / (1.0 + tail) })
}

fn squared_hinge(margin: f64) -> (f64, f64) {
    let short = (1.0 - margin).max(0.0);
    (short * short, -2.0 * short)
}

fn descend(rows: &[Row], c2: f64, loss: fn(f64) -> (f64, f64)) -> Vec<f64> {
    let width = rows.first().map_or(0, |row| row.features.len());
    let mut weights = vec![0.0; width + 1];
    let evaluate = |weights: &[f64], gradient: &mut [f64]| {
        gradient.fill(0.0);
        let mut sum = 0.0;
        for row in rows {
            let sign = if row.gold { 1.0 } else { -1.0 };
            let (value, slope) = loss(sign * output(weights, &row.features));
            sum += value;
            gradient.iter_mut().zip(&row.features).for_each(|(sum, feature)| *sum += sign * slope * feature);
            gradient[width] += sign * slope;
        }
        for (slope, weight) in gradient.iter_mut().zip(&weights[..width]) {
            *slope += 2.0 * c2 * weight;
            sum += c2 * weight * weight;
        }
        sum
    };
    let options = Options { c1: 0.0, iterations: ITERATIONS, tolerance: TOLERANCE };
    minimize(&mut weights, options, evaluate, |_, _, _| ControlFlow::Continue(()));
    weights
}

/// w·x + intercept.
pub(super) fn output(weights: &[f64], features: &[f64]) -> f64 {
    let dot: f64 = weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
    dot + weights[features.len()]
}

/// Slope and offset that turn outputs into log-odds, by maximum likelihood with Platt's softened targets.
fn platt(rows: &[Row], weights: &[f64]) -> (f64, f64) {
    let positive = rows.iter().filter(|row| row.gold).count() as f64;
    let negative = rows.len() as f64 - positive;
    let targets = ((positive + 1.0) / (positive + 2.0), 1.0 / (negative + 2.0));
    let outputs: Vec<(f64, f64)> =
        rows.iter().map(|row| (output(weights, &row.features), if row.gold { targets.0 } else { targets.1 })).collect();
    let mut line = vec![1.0, 0.0];
    let evaluate = |line: &[f64], gradient: &mut [f64]| {
        gradient.fill(0.0);
        let mut sum = 0.0;
        for &(output, target) in &outputs {
            let log_odds = line[0] * output + line[1];
            let ((loss, slope), (other, back)) = (logistic(log_odds), logistic(-log_odds));
            sum += target * loss + (1.0 - target) * other;
            let slope = target * slope - (1.0 - target) * back;
            gradient[0] += slope * output;
            gradient[1] += slope;
        }
        sum
    };
    let options = Options { c1: 0.0, iterations: ITERATIONS, tolerance: TOLERANCE };
    minimize(&mut line, options, evaluate, |_, _, _| ControlFlow::Continue(()));
    // A slope that is not positive would turn the model round: such rows say nothing.
    if line[0] > 0.0 { (line[0], line[1]) } else { (1.0, 0.0) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rows with one feature that tells, right four times of five, and one that does not.
    fn rows() -> Vec<Row> {
        let row = |at: usize| Row {
            features: vec![f64::from(u8::from(at.is_multiple_of(2))), (at % 7) as f64 / 7.0],
            gold: at.is_multiple_of(2) != at.is_multiple_of(5),
        };
        (0..700).map(row).collect()
    }

    fn probability(weights: &[f64], features: &[f64]) -> f64 {
        1.0 / (1.0 + (-output(weights, features)).exp())
    }

    #[test]
    fn both_learn_what_tells_and_their_probabilities_are_the_shares() {
        let rows = rows();
        for method in [Method::Logistic, Method::Svm] {
            let weights = fit(method, &rows, 0.01);
            for even in [0.0, 1.0] {
                let of_kind: Vec<&Row> = rows.iter().filter(|row| row.features[0] == even).collect();
                let share = of_kind.iter().filter(|row| row.gold).count() as f64 / of_kind.len() as f64;
                let told = probability(&weights, &[even, 0.5]);
                assert!((told - share).abs() < 0.06, "{method:?} {even}: {told} for {share}");
            }
            assert!(weights[1].abs() < 0.2 * weights[0].abs(), "{method:?} {weights:?}");
        }
    }

    #[test]
    fn a_penalty_holds_back_weights_but_not_the_intercept() {
        let all_gold: Vec<Row> = (0..50).map(|_| Row { features: vec![0.0], gold: true }).collect();
        for method in [Method::Logistic, Method::Svm] {
            let weights = fit(method, &all_gold, 5.0);
            assert!(weights[0].abs() < 1e-6 && probability(&weights, &[0.0]) > 0.9, "{method:?} {weights:?}");
        }
        let loose = fit(Method::Logistic, &rows(), 0.01)[0];
        assert!(fit(Method::Logistic, &rows(), 100.0)[0].abs() < loose.abs());
    }

    proptest! {
        #[test]
        fn slopes_are_those_of_the_losses(margin in -30.0..30.0f64) {
            for loss in [logistic, squared_hinge] {
                let step = 1e-6;
                let slope = (loss(margin + step).0 - loss(margin - step).0) / (2.0 * step);
                prop_assert!((loss(margin).1 - slope).abs() < 1e-3, "{margin}");
            }
        }
    }
}
