//! Which label was predicted where gold has which: the table from which the token figures follow.
//!
//! ```text
//! gold \ predicted   PATIENT  DOCTOR  none
//! PATIENT                 90       4     6     found .94 (any label), recall .90
//! DOCTOR                   2      80     8
//! none                     1       0  5000
//! ```

use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::{Breakdown, Counts};
use crate::phi::Label;

/// A label, or none: no identifier.
pub type Side = Option<Label>;

/// Units by the label that gold gives them and the label that was predicted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Confusion {
    /// (gold, predicted) to units; pairs that do not occur have no entry. Units under no span of either side are counted where
    /// the unit is a token, and unknown where it is a code point.
    pub cells: BTreeMap<(Side, Side), u64>,
}

impl Confusion {
    pub(super) fn record(&mut self, gold: Side, predicted: Side, units: u64) {
        let cell = self.cells.entry((gold, predicted)).or_default();
        *cell = cell.saturating_add(units);
    }

    /// Counts by label: two different labels are a miss of the one and a false alarm of the other.
    pub fn by_label(&self) -> Breakdown {
        let mut counts = Breakdown::default();
        for (&(gold, predicted), &units) in &self.cells {
            counts.record(gold, predicted, units);
        }
        counts
    }

    /// Counts of identifier or not, whatever the labels.
    pub fn binary(&self) -> Counts {
        let mut counts = Counts::default();
        for (&(gold, predicted), &units) in &self.cells {
            counts += Counts::of_unit(gold.is_some(), predicted.is_some(), units);
        }
        counts
    }

    /// Of the units that gold gives one of `labels`: found under any predicted label, or missed. Its recall says what would
    /// leave with the note.
    pub fn found(&self, labels: &[Label]) -> Counts {
        let mut counts = Counts::default();
        for (&(gold, predicted), &units) in &self.cells {
            if gold.is_some_and(|label| labels.contains(&label)) {
                counts += Counts::of_unit(true, predicted.is_some(), units);
            }
        }
        counts
    }

    /// Of the units that were predicted as one of `labels`: gold gives them one of these too, or does not.
    pub fn confirmed(&self, labels: &[Label]) -> Counts {
        let mut counts = Counts::default();
        for (&(gold, predicted), &units) in &self.cells {
            if predicted.is_some_and(|label| labels.contains(&label)) {
                counts += Counts::of_unit(gold.is_some_and(|label| labels.contains(&label)), true, units);
            }
        }
        counts
    }

    /// Cohen's kappa of the two sides over the labels and none; nothing where agreement by chance is certain.
    pub fn kappa(&self) -> Option<f64> {
        kappa(self.cells.iter().map(|(&pair, &units)| (pair, units)))
    }

    /// Cohen's kappa of the two sides over identifier or not.
    pub fn binary_kappa(&self) -> Option<f64> {
        kappa(self.cells.iter().map(|(&(gold, predicted), &units)| ((gold.is_some(), predicted.is_some()), units)))
    }

    /// The labels that occur on either side, in order.
    pub fn labels(&self) -> Vec<Label> {
        let mut labels: Vec<Label> =
            self.cells.keys().flat_map(|&(gold, predicted)| [gold, predicted]).flatten().collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }
}

impl AddAssign for Confusion {
    fn add_assign(&mut self, other: Self) {
        for ((gold, predicted), units) in other.cells {
            self.record(gold, predicted, units);
        }
    }
}

/// (observed − chance) / (1 − chance), chance being the agreement of two sides with these shares that know nothing of each
/// other.
fn kappa<Category: Ord + Copy>(cells: impl Iterator<Item = ((Category, Category), u64)>) -> Option<f64> {
    let (mut total, mut agreed) = (0.0, 0.0);
    let mut shares: BTreeMap<Category, (f64, f64)> = BTreeMap::new();
    for ((left, right), units) in cells {
        let units = units as f64;
        total += units;
        agreed += if left == right { units } else { 0.0 };
        shares.entry(left).or_default().0 += units;
        shares.entry(right).or_default().1 += units;
    }
    let chance: f64 = shares.values().map(|(left, right)| (left / total) * (right / total)).sum();
    (total > 0.0 && chance < 1.0).then(|| (agreed / total - chance) / (1.0 - chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confusion(cells: &[(Side, Side, u64)]) -> Confusion {
        let mut confusion = Confusion::default();
        cells.iter().for_each(|&(gold, predicted, units)| confusion.record(gold, predicted, units));
        confusion
    }

    #[test]
    fn the_picture_of_this_module() {
        let (patient, doctor) = (Some(Label::Patient), Some(Label::Doctor));
        let table = confusion(&[
            (patient, patient, 90),
            (patient, doctor, 4),
            (patient, None, 6),
            (doctor, patient, 2),
            (doctor, doctor, 80),
            (doctor, None, 8),
            (None, patient, 1),
            (None, None, 5000),
        ]);
        assert_eq!(table.found(&[Label::Patient]).recall(), Some(0.94));
        assert_eq!(table.by_label().of(Label::Patient).recall(), Some(0.90));
        assert_eq!(table.confirmed(&[Label::Patient, Label::Doctor]).precision(), Some(176.0 / 177.0));
        assert_eq!(table.binary(), Counts { true_positives: 176, false_positives: 1, false_negatives: 14 });
        assert_eq!(table.labels(), [Label::Patient, Label::Doctor]);
    }

    #[test]
    fn kappa_by_hand() {
        // A textbook table: 20 and 15 agreed, 5 and 10 not; observed .7, by chance .5.
        let date = Some(Label::Date);
        let table = confusion(&[(date, date, 20), (date, None, 5), (None, date, 10), (None, None, 15)]);
        assert!((table.kappa().unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(table.kappa(), table.binary_kappa());
        assert_eq!(confusion(&[(None, None, 9)]).kappa(), None, "nothing can disagree");
        assert_eq!(Confusion::default().kappa(), None);
    }

    #[test]
    fn labels_lower_kappa_and_identifier_or_not_does_not_see_them() {
        let table = confusion(&[(Some(Label::City), Some(Label::State), 5), (None, None, 5)]);
        assert_eq!(table.binary_kappa(), Some(1.0));
        assert!(table.kappa().unwrap() < 1.0);
    }
}
