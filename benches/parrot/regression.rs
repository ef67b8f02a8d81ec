//! Logistic regression over clues cut into bins: what an attacker fits on leaks of his own.
//!
//! ```text
//! clue 3.7 ─ cuts at 1, 2, 5 ─▶ bin 2 ─▶ a weight of its own      not a number ─▶ a bin and a weight too
//! ```

/// Bins of a clue, apart from the one of clues that say nothing.
const BINS: usize = 8;
const STEPS: usize = 200;
/// Examples of no leak that are learnt from at most.
const MOST: usize = 10_000;
/// The square penalty, in examples that say the contrary.
const PENALTY: f64 = 2.0;

/// A fitted regression.
pub struct Regression {
    /// Where each clue is cut.
    cuts: Vec<Vec<f32>>,
    /// A weight for each bin of each clue, and the constant.
    weights: Vec<f64>,
}

impl Regression {
    /// Fits the regression: examples are clues and whether they are of a leak. Of many that are of none, some stand for all.
    pub fn fit(examples: &[(&[f32], bool)]) -> Self {
        let others = examples.iter().filter(|(_, leak)| !leak).count();
        let stride = others.div_ceil(MOST).max(1);
        let leaks = examples.iter().filter(|(_, leak)| *leak);
        let drawn = examples.iter().filter(|(_, leak)| !leak).step_by(stride);
        let mut fitted = Self::fit_all(&leaks.chain(drawn).copied().collect::<Vec<_>>());
        if let Some(constant) = fitted.weights.last_mut() {
            *constant -= (stride as f64).ln();
        }
        fitted
    }

    fn fit_all(examples: &[(&[f32], bool)]) -> Self {
        let clues = examples.first().map_or(0, |(clues, _)| clues.len());
        let cuts: Vec<Vec<f32>> = (0..clues).map(|clue| cuts(examples.iter().map(|(clues, _)| clues[clue]))).collect();
        let mut fitted = Self { weights: vec![0.0; clues * (BINS + 1) + 1], cuts };
        let places: Vec<Vec<usize>> = examples.iter().map(|(clues, _)| fitted.places(clues)).collect();
        let leaks = examples.iter().filter(|(_, leak)| *leak).count().max(1) as f64;
        let constant = fitted.weights.len() - 1;
        fitted.weights[constant] = (leaks / (examples.len() as f64 - leaks).max(1.0)).ln();
        let mut squares = vec![1e-8; fitted.weights.len()];
        for _ in 0..STEPS {
            let mut gradient: Vec<f64> = fitted.weights.iter().map(|weight| weight * PENALTY).collect();
            gradient[constant] = 0.0;
            for (places, (_, leak)) in places.iter().zip(examples) {
                let error = probability(fitted.sum(places)) - f64::from(u8::from(*leak));
                places.iter().for_each(|place| gradient[*place] += error);
            }
            // Each weight's steps become as small as its slopes have been large (Duchi et al. 2011).
            for ((weight, slope), square) in fitted.weights.iter_mut().zip(&gradient).zip(&mut squares) {
                *square += slope * slope;
                *weight -= 0.3 * slope / square.sqrt();
            }
        }
        fitted
    }

    /// How much the clues speak for a leak: the logarithm of the odds.
    pub fn score(&self, clues: &[f32]) -> f64 {
        self.sum(&self.places(clues))
    }

    fn sum(&self, places: &[usize]) -> f64 {
        places.iter().map(|place| self.weights[*place]).sum()
    }

    fn places(&self, clues: &[f32]) -> Vec<usize> {
        let bin = |(clue, cuts): (&f32, &Vec<f32>)| match clue.is_nan() {
            true => BINS,
            false => cuts.partition_point(|cut| cut <= clue),
        };
        let bins = clues.iter().zip(&self.cuts).map(bin).enumerate();
        bins.map(|(clue, bin)| clue * (BINS + 1) + bin).chain([self.weights.len() - 1]).collect()
    }
}

fn probability(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

/// The values at which a clue is cut, so that about as many examples lie in each bin; distinct, so there may be fewer.
fn cuts(values: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut sorted: Vec<f32> = values.filter(|value| !value.is_nan()).collect();
    sorted.sort_unstable_by(f32::total_cmp);
    let mut cuts: Vec<f32> = (1..BINS).filter_map(|bin| sorted.get(bin * sorted.len() / BINS)).copied().collect();
    cuts.dedup();
    // The lowest value is below no cut, or a bin would stay empty.
    cuts.retain(|cut| sorted.first().is_some_and(|least| cut > least));
    // Values that most have in common leave room for a cut right above them.
    if let Some(above) = cuts.last().or(sorted.first()).and_then(|last| sorted.iter().find(|value| *value > last))
        && cuts.len() < BINS - 1
    {
        cuts.push(*above);
    }
    cuts
}
