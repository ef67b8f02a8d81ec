//! Several predictions on the same gold: side by side, and what one gains over another.
//!
//! ```text
//! system      recall  precision  F1    …         label      recall                    precision
//! rules        .912     .955    .933             PATIENT   +.041 [+.022, +.060]   -.003 [-.011, +.004]
//! + records    .953     .952    .952
//! ```

use std::collections::BTreeSet;

use serde::Serialize;

use super::bootstrap::{Interval, Measure};
use super::{Counts, EvaluateError, Evaluation, Statistic};
use crate::phi::Label;

/// Predictions that were scored against the same gold, under their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    systems: Vec<(String, Evaluation)>,
}

impl Comparison {
    /// One with no system in it.
    pub const fn new() -> Self {
        Self { systems: Vec::new() }
    }

    /// Adds a system's evaluation.
    ///
    /// # Errors
    /// Where it counts otherwise than the first, or was scored against other gold; the comparison is then unchanged.
    pub fn add(&mut self, name: impl Into<String>, evaluation: Evaluation) -> Result<(), EvaluateError> {
        if let Some((_, first)) = self.systems.first() {
            check(first, &evaluation)?;
        }
        self.systems.push((name.into(), evaluation));
        Ok(())
    }

    /// The systems in the order in which they were added.
    pub fn systems(&self) -> &[(String, Evaluation)] {
        &self.systems
    }

    /// What each system gains over the first.
    ///
    /// # Errors
    /// None that [`Comparison::add`] has not refused already.
    pub fn gains(&self) -> Result<Vec<Gains>, EvaluateError> {
        let Some(((base, first), others)) = self.systems.split_first() else { return Ok(Vec::new()) };
        others.iter().map(|(name, other)| Gains::between((base, first), (name, other))).collect()
    }
}

fn check(left: &Evaluation, right: &Evaluation) -> Result<(), EvaluateError> {
    if left.unit != right.unit {
        return Err(EvaluateError::DifferentUnits);
    }
    left.bootstrap.check(&right.bootstrap)?;
    if (left.gold_digest, left.notes) == (right.gold_digest, right.notes) {
        Ok(())
    } else {
        Err(EvaluateError::DifferentGold)
    }
}

/// How far a figure moved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Change {
    /// The figure of the second prediction less that of the first.
    pub difference: f64,
    /// Its 95 % interval, both drawn alike; none without replicates.
    pub interval: Option<Interval>,
}

/// The gain in one set of counts; a change is none where one of the two figures is undefined.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gain {
    /// A label (tokens of equal label), `all, strict`, `all, token` or `identifier or not`.
    pub of: &'static str,
    /// The change in recall.
    pub recall: Option<Change>,
    /// The change in precision.
    pub precision: Option<Change>,
}

/// What one prediction gains over another on the same gold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gains {
    /// The name of the one that is measured from.
    pub from: String,
    /// The name of the other.
    pub to: String,
    /// The totals, then every label that occurs.
    pub gains: Vec<Gain>,
}

impl Gains {
    /// The gains of `to` over `from`.
    ///
    /// # Errors
    /// Where the two count differently or were scored against different gold.
    pub fn between(from: (&str, &Evaluation), to: (&str, &Evaluation)) -> Result<Self, EvaluateError> {
        check(from.1, to.1)?;
        let (base, other) = (from.1, to.1);
        let total = |of, measure, counts: fn(&Evaluation) -> Counts| {
            gain(of, measure, (base, counts(base)), (other, counts(other)))
        };
        let mut gains = vec![
            total("identifier or not", Measure::BinaryToken, |evaluation| evaluation.binary_token),
            total("all, token", Measure::Token, |evaluation| evaluation.token.micro()),
            total("all, strict", Measure::Strict, |evaluation| evaluation.strict.micro()),
        ];
        let labels: BTreeSet<Label> =
            base.token.per_label.keys().chain(other.token.per_label.keys()).copied().collect();
        for label in labels {
            let (ours, theirs) = (base.token.of(label), other.token.of(label));
            if (ours, theirs) != Default::default() {
                gains.push(gain(label.name(), Measure::TokenOf(label), (base, ours), (other, theirs)));
            }
        }
        Ok(Self { from: from.0.to_owned(), to: to.0.to_owned(), gains })
    }
}

fn gain(of: &'static str, measure: Measure, from: (&Evaluation, Counts), to: (&Evaluation, Counts)) -> Gain {
    let change = |statistic: Statistic| {
        let difference = to.1.figure(statistic)? - from.1.figure(statistic)?;
        Some(Change { difference, interval: to.0.bootstrap.difference(&from.0.bootstrap, measure, statistic) })
    };
    Gain { of, recall: change(Statistic::Recall), precision: change(Statistic::Precision) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Evaluator, GoldSpan, LabelledSpan, NoteUnderTest, TokenUnit};

    /// Two hundred notes of one date each; every `skip`th is missed.
    fn evaluation(skip: usize) -> Evaluation {
        let mut evaluator = Evaluator::with_replicates(TokenUnit::Token, 400);
        for note in 0..200 {
            let date = LabelledSpan::new(0, 3, Label::Date);
            let predicted = if note % skip == 0 { vec![] } else { vec![date] };
            let note = NoteUnderTest {
                note_id: &note.to_string(),
                cluster: None,
                note_type: None,
                text: Some("May"),
                gold: &[GoldSpan::from(date)],
                predicted: &predicted,
            };
            evaluator.add_note(note).unwrap();
        }
        evaluator.finish()
    }

    #[test]
    fn a_gain_is_paired() {
        let (worse, better) = (evaluation(4), evaluation(8));
        let gains = Gains::between(("a", &worse), ("b", &better)).unwrap();
        let recall = gains.gains.iter().find(|gain| gain.of == "DATE").unwrap().recall.unwrap();
        assert!((recall.difference - 0.125).abs() < 1e-12);
        let interval = recall.interval.unwrap();
        // One eighth of 200 notes differ: the standard error of the difference is .0234.
        assert!((interval.low - 0.079).abs() < 0.012 && (interval.high - 0.171).abs() < 0.012, "{interval:?}");
        let none = Gains::between(("a", &worse), ("a", &worse)).unwrap().gains[0].recall.unwrap();
        assert_eq!((none.difference, none.interval), (0.0, Some(Interval { low: 0.0, high: 0.0 })));
    }

    #[test]
    fn other_gold_is_refused() {
        let mut comparison = Comparison::new();
        comparison.add("a", evaluation(4)).unwrap();
        comparison.add("b", evaluation(8)).unwrap();
        let empty = Evaluator::with_replicates(TokenUnit::Token, 400).finish();
        assert_eq!(comparison.add("c", empty), Err(EvaluateError::DifferentGold));
        let points = Evaluator::with_replicates(TokenUnit::CodePoint, 400).finish();
        assert_eq!(comparison.add("c", points), Err(EvaluateError::DifferentUnits));
        assert_eq!(comparison.gains().unwrap().len(), 1);
    }
}
