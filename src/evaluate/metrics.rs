//! Counts, and the figures that follow from them.
//!
//! ```text
//! precision = TP / (TP + FP)     recall = TP / (TP + FN)     F1 = 2 TP / (2 TP + FP + FN)
//! ```

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::phi::Label;

/// A figure that follows from counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Statistic {
    /// [`Counts::precision`].
    Precision,
    /// [`Counts::recall`].
    Recall,
    /// [`Counts::f1`].
    F1,
}

/// How often prediction and gold agreed, and how often they did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// In both.
    pub true_positives: u64,
    /// Predicted, not in gold.
    pub false_positives: u64,
    /// In gold, not predicted.
    pub false_negatives: u64,
}

impl Counts {
    /// One stretch of `units` that is, or is not, marked on either side.
    pub(super) fn of_unit(gold: bool, predicted: bool, units: u64) -> Self {
        let mut counts = Self::default();
        match (gold, predicted) {
            (true, true) => counts.true_positives = units,
            (false, true) => counts.false_positives = units,
            (true, false) => counts.false_negatives = units,
            (false, false) => {}
        }
        counts
    }

    /// Adds `weight` times `other`.
    pub(super) fn add_weighted(&mut self, other: Self, weight: u64) {
        *self += Self {
            true_positives: other.true_positives.saturating_mul(weight),
            false_positives: other.false_positives.saturating_mul(weight),
            false_negatives: other.false_negatives.saturating_mul(weight),
        };
    }

    /// All that gold holds.
    pub const fn gold(&self) -> u64 {
        self.true_positives.saturating_add(self.false_negatives)
    }

    /// All that was predicted.
    pub const fn predicted(&self) -> u64 {
        self.true_positives.saturating_add(self.false_positives)
    }

    /// One of the three figures.
    pub fn figure(&self, statistic: Statistic) -> Option<f64> {
        match statistic {
            Statistic::Precision => self.precision(),
            Statistic::Recall => self.recall(),
            Statistic::F1 => self.f1(),
        }
    }

    /// The share of the predicted that is in gold; none where nothing was predicted.
    pub fn precision(&self) -> Option<f64> {
        share(self.true_positives, self.predicted())
    }

    /// The share of gold that was predicted; none where gold is empty.
    pub fn recall(&self) -> Option<f64> {
        share(self.true_positives, self.gold())
    }

    /// The harmonic mean of precision and recall; none where nothing is in gold and nothing was predicted. It is zero,
    /// not undefined, where only one of the two is empty: the other side is then wrong altogether.
    pub fn f1(&self) -> Option<f64> {
        let both = self.gold().saturating_add(self.predicted());
        share(self.true_positives.saturating_mul(2), both)
    }
}

/// A share of two counts; none where the whole is nothing.
pub(super) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.true_positives = self.true_positives.saturating_add(other.true_positives);
        self.false_positives = self.false_positives.saturating_add(other.false_positives);
        self.false_negatives = self.false_negatives.saturating_add(other.false_negatives);
    }
}

/// The counts of every label that occurs in gold or in the prediction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Breakdown {
    /// By label; a label that occurs nowhere has no entry.
    pub per_label: BTreeMap<Label, Counts>,
}

/// Unweighted means over labels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MacroAverage {
    /// Over the labels that were predicted.
    pub precision: Option<f64>,
    /// Over the labels that are in gold.
    pub recall: Option<f64>,
    /// Over the labels that are in gold or were predicted.
    pub f1: Option<f64>,
}

impl Breakdown {
    /// The counts of all labels added up.
    pub fn micro(&self) -> Counts {
        let mut total = Counts::default();
        self.per_label.values().for_each(|&counts| total += counts);
        total
    }

    /// The means of the labels' precision, recall and F1, each over the labels for which it is defined: a label that
    /// was never predicted has no precision and lowers recall and F1 only, a label that gold lacks lowers precision
    /// and F1 only.
    pub fn macro_average(&self) -> MacroAverage {
        MacroAverage {
            precision: mean(self.per_label.values().filter_map(Counts::precision)),
            recall: mean(self.per_label.values().filter_map(Counts::recall)),
            f1: mean(self.per_label.values().filter_map(Counts::f1)),
        }
    }

    /// The counts of one label; zeros where it occurs nowhere.
    pub fn of(&self, label: Label) -> Counts {
        self.per_label.get(&label).copied().unwrap_or_default()
    }

    /// Counts `units` that carry `gold` in gold and `predicted` in the prediction.
    pub(super) fn record(&mut self, gold: Option<Label>, predicted: Option<Label>, units: u64) {
        if gold == predicted {
            self.add(gold, Counts { true_positives: units, ..Counts::default() });
        } else {
            self.add(gold, Counts { false_negatives: units, ..Counts::default() });
            self.add(predicted, Counts { false_positives: units, ..Counts::default() });
        }
    }

    fn add(&mut self, label: Option<Label>, counts: Counts) {
        if let Some(label) = label {
            *self.per_label.entry(label).or_default() += counts;
        }
    }
}

impl AddAssign for Breakdown {
    fn add_assign(&mut self, other: Self) {
        for (label, counts) in other.per_label {
            self.add(Some(label), counts);
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u64), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(true_positives: u64, false_positives: u64, false_negatives: u64) -> Counts {
        Counts { true_positives, false_positives, false_negatives }
    }

    #[test]
    fn figures_by_hand() {
        let some = counts(6, 2, 4);
        assert_eq!((some.precision(), some.recall()), (Some(0.75), Some(0.6)));
        assert_eq!(some.f1(), Some(12.0 / 18.0));
        assert_eq!((some.gold(), some.predicted()), (10, 8));
    }

    #[test]
    fn nothing_over_nothing_is_undefined() {
        let none = Counts::default();
        assert_eq!((none.precision(), none.recall(), none.f1()), (None, None, None));
        let missed = counts(0, 0, 3);
        assert_eq!((missed.precision(), missed.recall(), missed.f1()), (None, Some(0.0), Some(0.0)));
        let spurious = counts(0, 3, 0);
        assert_eq!((spurious.precision(), spurious.recall(), spurious.f1()), (Some(0.0), None, Some(0.0)));
    }

    #[test]
    fn huge_counts_do_not_overflow() {
        let mut huge = counts(u64::MAX, u64::MAX, u64::MAX);
        huge += huge;
        assert!(huge.precision().is_some() && huge.recall().is_some() && huge.f1().is_some());
    }

    #[test]
    fn micro_weighs_by_frequency_and_macro_by_label() {
        let mut breakdown = Breakdown::default();
        breakdown.record(Some(Label::Date), Some(Label::Date), 9);
        breakdown.record(Some(Label::Date), None, 1);
        breakdown.record(Some(Label::City), Some(Label::State), 2);
        assert_eq!(breakdown.of(Label::Date), counts(9, 0, 1));
        assert_eq!(breakdown.of(Label::City), counts(0, 0, 2));
        assert_eq!(breakdown.of(Label::State), counts(0, 2, 0));
        assert_eq!(breakdown.micro(), counts(9, 2, 3));
        let average = breakdown.macro_average();
        assert_eq!(average.precision, Some(0.5), "of DATE 1 and STATE 0; CITY was never predicted");
        assert_eq!(average.recall, Some(0.45), "of DATE .9 and CITY 0; STATE is not in gold");
        assert_eq!(average.f1, Some(18.0 / 19.0 / 3.0));
    }

    #[test]
    fn no_labels_have_no_average() {
        assert_eq!(Breakdown::default().macro_average(), MacroAverage::default());
    }
}
