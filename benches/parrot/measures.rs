//! How much better than chance a ranking is, with 95 % intervals over patients.
//!
//! ```text
//! scores of leaks and of surrogates ─▶ 2·(AUC − ½), TPR − FPR at the attacker's threshold, precision in the top k of k leaks
//! ```

use xxhash_rust::xxh3::xxh3_64_with_seed;

const REPLICATES: u64 = 400;

/// A candidate with its score.
#[derive(Debug, Clone, Copy)]
pub struct Scored {
    pub patient: usize,
    pub leak: bool,
    pub score: f64,
    /// Whether the attacker calls it a leak.
    pub accused: bool,
}

/// A figure with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// An attacker's success on a class.
#[derive(Debug, Clone, Copy)]
pub struct Success {
    pub candidates: usize,
    pub leaks: usize,
    /// Twice the area under the curve above one half: 0 is chance, 1 is certainty.
    pub ranking: Figure,
    /// True less false positive rate at the threshold that he chose on leaks of his own.
    pub advantage: Figure,
    /// The share of leaks among as many of the highest scores as there are leaks.
    pub top: f64,
}

impl Success {
    /// The share of leaks.
    pub fn prevalence(&self) -> f64 {
        self.leaks as f64 / self.candidates.max(1) as f64
    }

    /// Measures; nothing without leaks, or with nothing else.
    pub fn of(mut scored: Vec<Scored>) -> Option<Self> {
        let leaks = scored.iter().filter(|one| one.leak).count();
        if leaks == 0 || leaks == scored.len() {
            return None;
        }
        scored.sort_unstable_by(|left, right| right.score.total_cmp(&left.score));
        let (mut rankings, mut advantages) = (Vec::new(), Vec::new());
        for replicate in 0..REPLICATES {
            let weights = weights(&scored, replicate);
            rankings.extend(ranking(&scored, &weights));
            advantages.extend(advantage(&scored, &weights));
        }
        let once = vec![1.0; scored.len()];
        Some(Self {
            candidates: scored.len(),
            leaks,
            ranking: figure(ranking(&scored, &once)?, rankings),
            advantage: figure(advantage(&scored, &once)?, advantages),
            top: top(&scored, leaks),
        })
    }
}

/// How often a replicate draws each candidate: by patient, Poisson of mean one.
fn weights(scored: &[Scored], replicate: u64) -> Vec<f64> {
    let draw = |one: &Scored| {
        let uniform = xxh3_64_with_seed(&one.patient.to_le_bytes(), replicate) as f64 / u64::MAX as f64;
        let (mut term, mut sum, mut count) = ((-1.0f64).exp(), 0.0, 0.0);
        loop {
            sum += term;
            if uniform < sum || count > 12.0 {
                return count;
            }
            count += 1.0;
            term /= count;
        }
    };
    scored.iter().map(draw).collect()
}

/// Twice the area under the curve above one half, of scores in falling order; equal scores count half.
fn ranking(scored: &[Scored], weights: &[f64]) -> Option<f64> {
    let (mut leaks, mut others, mut area) = (0.0, 0.0, 0.0);
    let mut at = 0;
    while at < scored.len() {
        let equal = scored[at..].iter().take_while(|one| one.score == scored[at].score).count();
        let (mut own_leaks, mut own_others) = (0.0, 0.0);
        for place in at..at + equal {
            *(if scored[place].leak { &mut own_leaks } else { &mut own_others }) += weights[place];
        }
        area += own_others * (leaks + own_leaks / 2.0);
        leaks += own_leaks;
        others += own_others;
        at += equal;
    }
    (leaks > 0.0 && others > 0.0).then(|| 2.0 * area / (leaks * others) - 1.0)
}

fn advantage(scored: &[Scored], weights: &[f64]) -> Option<f64> {
    let sum = |leak: bool, accused: Option<bool>| -> f64 {
        let wanted = |one: &Scored| one.leak == leak && accused.is_none_or(|accused| one.accused == accused);
        scored.iter().zip(weights).filter(|(one, _)| wanted(one)).map(|(_, weight)| weight).sum()
    };
    let (leaks, others) = (sum(true, None), sum(false, None));
    (leaks > 0.0 && others > 0.0).then(|| sum(true, Some(true)) / leaks - sum(false, Some(true)) / others)
}

/// The share of leaks in the first `count`; those that score as the last of them count in proportion.
fn top(scored: &[Scored], count: usize) -> f64 {
    let last = scored[count - 1].score;
    let above = scored.iter().take_while(|one| one.score > last);
    let (above, of_them) = above.fold((0, 0), |(all, leaks), one| (all + 1, leaks + usize::from(one.leak)));
    let equal = scored[above..].iter().take_while(|one| one.score == last);
    let (equal, of_equal) = equal.fold((0, 0), |(all, leaks), one| (all + 1, leaks + usize::from(one.leak)));
    (of_them as f64 + of_equal as f64 * (count - above) as f64 / equal as f64) / count as f64
}

fn figure(value: f64, mut replicates: Vec<f64>) -> Figure {
    replicates.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| replicates.get((share * (replicates.len() as f64 - 1.0)).round() as usize).copied();
    Figure { value, low: at(0.025).unwrap_or(value), high: at(0.975).unwrap_or(value) }
}
