//! Minimizing a smooth function plus an absolute penalty: L-BFGS, and OWL-QN where weights are to become exactly zero.
//!
//! ```text
//! F(x) = f(x) + c1·|x|₁        c1 = 0: limited-memory BFGS (Liu and Nocedal 1989)
//!                              c1 > 0: orthant-wise (Andrew and Gao 2007), as CRFsuite has it
//! ```

use std::collections::VecDeque;
use std::ops::ControlFlow;

/// How long to go on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    /// The weight of the absolute penalty, not negative.
    pub c1: f64,
    /// At most this many steps.
    pub iterations: usize,
    /// Stop when ten steps together lower the function by less than this share of it.
    pub tolerance: f64,
}

/// How many steps the shape of the function is estimated from.
const MEMORY: usize = 6;
/// How many steps must bring something together.
const PERIOD: usize = 10;
/// How often a step is halved before giving up.
const MOST_HALVINGS: usize = 20;
/// The share of the decrease that the gradient promises with which a step is content.
const SUFFICIENT: f64 = 1e-4;

struct Correction {
    step: Vec<f64>,
    change: Vec<f64>,
    inverse: f64,
}

/// Lowers F from `x`, in place. `evaluate` gives f and writes its gradient; `observe` is told the number of the step, from 1, F and
/// x after each, and may end the search.
pub(super) fn minimize(
    x: &mut Vec<f64>,
    options: Options,
    mut evaluate: impl FnMut(&[f64], &mut [f64]) -> f64,
    mut observe: impl FnMut(usize, f64, &[f64]) -> ControlFlow<()>,
) {
    let count = x.len();
    let c1 = options.c1;
    let (mut gradient, mut next_gradient, mut next) = (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
    let mut value = evaluate(x, &mut gradient) + c1 * absolute(x);
    let mut corrections: VecDeque<Correction> = VecDeque::with_capacity(MEMORY);
    let mut past = VecDeque::with_capacity(PERIOD + 1);
    for iteration in 1..=options.iterations {
        let steepest = pseudo_gradient(x, &gradient, c1);
        let length = dot(&steepest, &steepest).sqrt();
        if length <= 1e-9 * dot(x, x).sqrt().max(1.0) {
            return;
        }
        let direction = direction(&steepest, &corrections, c1 > 0.0);
        let mut step = if corrections.is_empty() { 1.0 / length } else { 1.0 };
        let mut found = None;
        for _ in 0..MOST_HALVINGS {
            take_step(x, &direction, &steepest, step, c1 > 0.0, &mut next);
            let next_value = evaluate(&next, &mut next_gradient) + c1 * absolute(&next);
            let promised: f64 =
                next.iter().zip(x.iter()).zip(&steepest).map(|((next, old), slope)| (next - old) * slope).sum();
            if next_value <= value + SUFFICIENT * promised {
                found = Some(next_value);
                break;
            }
            step *= 0.5;
        }
        let Some(next_value) = found else {
            if corrections.is_empty() {
                return;
            }
            corrections.clear();
            continue;
        };
        remember(&mut corrections, x, &next, &gradient, &next_gradient);
        std::mem::swap(x, &mut next);
        std::mem::swap(&mut gradient, &mut next_gradient);
        value = next_value;
        past.push_back(value);
        if observe(iteration, value, x).is_break() {
            return;
        }
        if past.len() > PERIOD
            && past.pop_front().is_some_and(|before| before - value < options.tolerance * value.abs())
        {
            return;
        }
    }
}

/// The gradient of F where it has one, and where it has none the steepest way down, if there is any.
fn pseudo_gradient(x: &[f64], gradient: &[f64], c1: f64) -> Vec<f64> {
    let slope = |(x, slope): (&f64, &f64)| {
        if *x != 0.0 {
            slope + c1 * x.signum()
        } else if *slope < -c1 {
            slope + c1
        } else if *slope > c1 {
            slope - c1
        } else {
            0.0
        }
    };
    x.iter().zip(gradient).map(slope).collect()
}

/// The way to go: the steepest descent, bent by what the last steps told of the shape.
fn direction(steepest: &[f64], corrections: &VecDeque<Correction>, orthant: bool) -> Vec<f64> {
    let mut direction: Vec<f64> = steepest.iter().map(|slope| -slope).collect();
    let mut shares = Vec::with_capacity(MEMORY);
    for correction in corrections.iter().rev() {
        let share = correction.inverse * dot(&correction.step, &direction);
        add(&mut direction, -share, &correction.change);
        shares.push(share);
    }
    if let Some(last) = corrections.back() {
        let scale = 1.0 / (last.inverse * dot(&last.change, &last.change));
        direction.iter_mut().for_each(|value| *value *= scale);
    }
    for (correction, share) in corrections.iter().zip(shares.iter().rev()) {
        let other = correction.inverse * dot(&correction.change, &direction);
        add(&mut direction, share - other, &correction.step);
    }
    if orthant {
        direction.iter_mut().zip(steepest).for_each(|(way, slope)| {
            if *way * slope >= 0.0 {
                *way = 0.0;
            }
        });
    }
    direction
}

/// Goes a step; orthant-wise, a coordinate that would change its sign stays at zero.
fn take_step(x: &[f64], direction: &[f64], steepest: &[f64], step: f64, orthant: bool, next: &mut [f64]) {
    for at in 0..x.len() {
        let value = x[at] + step * direction[at];
        let side = if x[at] != 0.0 { x[at] } else { -steepest[at] };
        next[at] = if orthant && value * side <= 0.0 { 0.0 } else { value };
    }
}

fn remember(corrections: &mut VecDeque<Correction>, x: &[f64], next: &[f64], gradient: &[f64], next_gradient: &[f64]) {
    let difference = |new: &[f64], old: &[f64]| new.iter().zip(old).map(|(new, old)| new - old).collect::<Vec<_>>();
    let (step, change) = (difference(next, x), difference(next_gradient, gradient));
    let curvature = dot(&step, &change);
    if curvature <= 1e-12 * dot(&change, &change) {
        return;
    }
    if corrections.len() == MEMORY {
        corrections.pop_front();
    }
    corrections.push_back(Correction { step, change, inverse: 1.0 / curvature });
}

fn absolute(x: &[f64]) -> f64 {
    x.iter().map(|value| value.abs()).sum()
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn add(sum: &mut [f64], factor: f64, other: &[f64]) {
    sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += factor * other);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ k·(x_k − target_k)², whose minimum with an absolute penalty is known.
    fn bowl(targets: &[f64], c1: f64) -> Vec<f64> {
        let mut x = vec![0.0; targets.len()];
        let options = Options { c1, iterations: 200, tolerance: 0.0 };
        let evaluate = |x: &[f64], gradient: &mut [f64]| {
            let mut sum = 0.0;
            for (at, target) in targets.iter().enumerate() {
                let steep = (at + 1) as f64;
                gradient[at] = 2.0 * steep * (x[at] - target);
                sum += steep * (x[at] - target).powi(2);
            }
            sum
        };
        let mut last = f64::INFINITY;
        minimize(&mut x, options, evaluate, |_, value, _| {
            assert!(value <= last);
            last = value;
            ControlFlow::Continue(())
        });
        x
    }

    #[test]
    fn the_minimum_is_found_and_small_weights_become_zero() {
        let targets = [3.0, -2.0, 0.1, -0.05, 0.0];
        for (x, target) in bowl(&targets, 0.0).iter().zip(&targets) {
            assert!((x - target).abs() < 1e-5);
        }
        let sparse = bowl(&targets, 1.0);
        for (at, (x, target)) in sparse.iter().zip(&targets).enumerate() {
            let shrunk = (target.abs() - 1.0 / (2.0 * (at + 1) as f64)).max(0.0) * target.signum();
            assert!((x - shrunk).abs() < 1e-5, "{at}: {x} {shrunk}");
        }
        assert_eq!(sparse[2..], [0.0, 0.0, 0.0]);
    }
}
