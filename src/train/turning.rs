//! The recall dial of a whole ensemble: one bias for all trained members, and thresholds by label, chosen on annotated sentences.
//!
//! ```text
//! members, heard once ─ a bias for all ─▶ curve ─ the bias that meets the target at the least cost
//!                                                   └ thresholds by member and label, one after the other, where that costs less
//! ```
//!
//! The measure "highest recall at a precision of at least p" (R@P) and the bias are those of Hartman et al. (2020). What was chosen on
//! sentences flatters itself on them; so the choice is also made on either half of the patients and measured on the other.

use std::collections::BTreeMap;
use std::fmt;

use super::dial::Target;
use super::scores::{Counted, count_found};
use super::{Example, TrainError, data, folds};
use crate::detect::{Replay, Turn};
use crate::phi::Class;

/// The biases that are tried, in logarithms of odds: from −4 to 8 in steps of a half.
pub fn biases() -> Vec<f32> {
    (-8i8..=16).map(|step| f32::from(step) / 2.0).collect()
}

/// The thresholds of labels that are tried.
const THRESHOLDS: &[f32] = &[0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995];
/// A label needs so many sentences to have a threshold of its own: with fewer, chance would choose it.
const LEAST_SENTENCES: usize = 10;
/// How many biases beyond the one that meets the target are starting points for thresholds.
const STARTS: usize = 3;
/// How often all labels are gone through.
const ROUNDS: usize = 2;

/// A place on the curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The bias, beside what the ensemble file has.
    pub bias: f32,
    /// What the ensemble then finds, by words.
    pub counted: Counted,
}

/// Dials that were chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Turned {
    /// How they are turned.
    pub turn: Turn,
    /// What the ensemble then finds on the sentences that the choice was made on.
    pub chosen: Counted,
    /// The same with the bias alone.
    pub by_bias: Point,
    /// The same as the ensemble is.
    pub unturned: Counted,
    /// What it finds where dials were chosen on one half of the patients and it was measured on the other; none with one patient.
    pub crossed: Option<Counted>,
    /// Words of identifiers that no dial can find: in sentences that trained members are not asked about, or of which they say nothing.
    pub out_of_reach: usize,
    /// Whether the target is reached; if not, what was chosen comes nearest.
    pub reached: bool,
    /// What biases alone do.
    pub curve: Vec<Point>,
    target: Target,
}

/// Chooses dials that meet a target. `replay` has heard the examples' sentences, in their order, with [`biases`].
///
/// # Errors
/// [`TrainError::Empty`] where there is no identifier, [`TrainError::Span`] for spans that do not fit, and [`TrainError::Setting`] for a
/// target that makes no sense.
pub fn turn(replay: &Replay<'_>, examples: &[Example], target: Target, seed: u64) -> Result<Turned, TrainError> {
    data::check(examples)?;
    target.check()?;
    if replay.len() != examples.len() || examples.iter().all(|example| example.spans.is_empty()) {
        return Err(TrainError::Empty);
    }
    let all: Vec<usize> = (0..examples.len()).collect();
    let search = Search::new(replay, examples, &all, target);
    let curve = search.curve();
    let unturned = search.count(&Turn::default());
    let (turn, chosen) = search.best(&curve);
    let by_bias = *search.starts(&curve).first().ok_or(TrainError::Empty)?;
    let crossed = crossed(replay, examples, target, seed);
    let (reached, out_of_reach) = (target.is_reached(&chosen), search.fixed.gold - search.fixed.right);
    Ok(Turned { turn, chosen, by_bias, unturned, crossed, out_of_reach, reached, curve, target })
}

/// What is found where dials are chosen on one half of the groups and tried on the other.
fn crossed(replay: &Replay<'_>, examples: &[Example], target: Target, seed: u64) -> Option<Counted> {
    let half = folds(examples, 2, seed);
    let mut counted = Counted::default();
    for kept in [0, 1] {
        let of = |wanted: usize| (0..examples.len()).filter(|at| half[*at] == wanted).collect::<Vec<_>>();
        let (own, other) = (of(kept), of(1 - kept));
        if own.iter().all(|at| examples[*at].spans.is_empty()) {
            return None;
        }
        let search = Search::new(replay, examples, &own, target);
        let (turn, _) = search.best(&search.curve());
        counted += Search::new(replay, examples, &other, target).count(&turn);
    }
    Some(counted)
}

/// A search on some of the sentences.
struct Search<'a> {
    replay: &'a Replay<'a>,
    examples: &'a [Example],
    target: Target,
    /// The sentences on which dials tell, and what is found in the others.
    open: Vec<usize>,
    fixed: Counted,
    /// The sentences of each threshold that there is enough to choose by.
    by_class: BTreeMap<(usize, Class), Vec<usize>>,
}

impl<'a> Search<'a> {
    fn new(replay: &'a Replay<'a>, examples: &'a [Example], kept: &[usize], target: Target) -> Self {
        let (fixed, open): (Vec<usize>, Vec<usize>) = kept.iter().partition(|at| replay.is_fixed(**at));
        let is_kept = |at: &usize| kept.binary_search(at).is_ok();
        let mut by_class = replay.by_class();
        by_class.values_mut().for_each(|places| places.retain(is_kept));
        by_class.retain(|_, places| places.len() >= LEAST_SENTENCES);
        let mut search = Self { replay, examples, target, open, fixed: Counted::default(), by_class };
        for at in fixed {
            search.fixed += search.count_in(at, &Turn::default());
        }
        search
    }

    fn count_in(&self, at: usize, turn: &Turn) -> Counted {
        count_found(&self.examples[at], &self.replay.found(at, turn))
    }

    fn count(&self, turn: &Turn) -> Counted {
        let mut counted = self.fixed;
        self.open.iter().for_each(|at| counted += self.count_in(*at, turn));
        counted
    }

    fn curve(&self) -> Vec<Point> {
        let point = |bias| Point { bias, counted: self.count(&Turn { bias, ..Turn::default() }) };
        biases().into_iter().map(point).collect()
    }

    /// The bias that meets the target best, and some that find more: thresholds can take back what they find too much.
    fn starts(&self, curve: &[Point]) -> Vec<Point> {
        let better = |one: &usize, other: &usize| {
            let by_target = self.target.compare(&curve[*one].counted, &curve[*other].counted);
            by_target.then(curve[*other].bias.abs().total_cmp(&curve[*one].bias.abs()))
        };
        let first = (0..curve.len()).max_by(better).unwrap_or(0);
        curve.iter().skip(first).take(STARTS).copied().collect()
    }

    /// The best dials from all starting points.
    fn best(&self, curve: &[Point]) -> (Turn, Counted) {
        let mut best: Option<(Turn, Counted)> = None;
        for start in self.starts(curve) {
            let (turn, counted) = self.climbed(Turn { bias: start.bias, ..Turn::default() });
            if best.as_ref().is_none_or(|(_, other)| self.target.compare(&counted, other).is_gt()) {
                best = Some((turn, counted));
            }
        }
        best.unwrap_or_default()
    }

    /// Dials from a starting point on, each threshold in turn set where it serves the target best.
    fn climbed(&self, mut turn: Turn) -> (Turn, Counted) {
        let mut counted: BTreeMap<usize, Counted> =
            self.open.iter().map(|at| (*at, self.count_in(*at, &turn))).collect();
        let mut total = self.fixed;
        counted.values().for_each(|one| total += *one);
        for _ in 0..ROUNDS {
            let before = total;
            for (class, places) in &self.by_class {
                for threshold in THRESHOLDS {
                    let mut tried = turn.clone();
                    tried.thresholds.insert(*class, *threshold);
                    let changed = places.iter().filter(|at| self.replay.differs(**at, *class, &turn, &tried));
                    let there: Vec<(usize, Counted)> = changed.map(|at| (*at, self.count_in(*at, &tried))).collect();
                    let mut sum = total.without(there.iter().filter_map(|(at, _)| counted.get(at)));
                    there.iter().for_each(|(_, one)| sum += *one);
                    if self.target.compare(&sum, &total).is_gt() {
                        (turn, total) = (tried, sum);
                        counted.extend(there);
                    }
                }
            }
            if before == total {
                break;
            }
        }
        (turn, total)
    }
}

impl fmt::Display for Turned {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{:<28}  precision  recall      F1", "by word")?;
        let mut row = |name: &str, counted: &Counted| {
            let [precision, recall, f1] = counted.shown();
            writeln!(formatter, "{name:<28}  {precision:>9}  {recall:>6}  {f1:>6}")
        };
        self.curve.iter().try_for_each(|point| row(&format!("bias {:+}", point.bias), &point.counted))?;
        row("as it is", &self.unturned)?;
        row(&format!("bias {:+} alone", self.by_bias.bias), &self.by_bias.counted)?;
        row(&format!("with {} thresholds", self.turn.thresholds.len()), &self.chosen)?;
        self.crossed.iter().try_for_each(|counted| row("chosen on half, tried on half", counted))?;
        let cost = |counted: &Counted| match self.target {
            Target::Recall(_) => ("precision", counted.precision()),
            Target::Precision(_) => ("recall", counted.recall()),
        };
        let ((measure, now), (_, before)) = (cost(&self.chosen), cost(&self.unturned));
        let asked = match self.target {
            Target::Recall(share) => format!("recall of {share}"),
            Target::Precision(share) => format!("precision of {share}"),
        };
        let reached = if self.reached { "reached" } else { "not reached; this is the nearest" };
        let (out_of_reach, gold) = (self.out_of_reach, self.chosen.gold);
        writeln!(formatter, "{out_of_reach} of {gold} words are in sentences where no dial finds them")?;
        writeln!(formatter, "{asked}: {reached}; {measure} {before:.4} → {now:.4}")
    }
}
