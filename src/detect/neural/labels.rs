//! The columns of a model's output, and what a row of scores says.
//!
//! ```text
//! labels = ["O", "B-PATIENT", "I-PATIENT", "B-DATE", …]
//!           │      └────────┬────────┘
//!        no identifier    one class, threshold 0.3 of "PATIENT", else of "default", else 0.5
//! ```
//!
//! Probabilities are counted in units of 1/1024, so that the last bits, in which runtimes differ, seldom decide and sums are
//! exact.

use std::collections::BTreeMap;

use crate::phi::{Class, Label};

/// A probability of one, in the units in which probabilities are counted.
pub const UNITS: u16 = 1024;

/// The threshold of labels without one.
const DEFAULT_THRESHOLD: f32 = 0.5;
/// The key of the threshold of labels without their own.
const DEFAULT: &str = "default";

/// A class with its columns.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Columns {
    pub(super) class: Class,
    /// The column of a word that begins a span of the class, if there is one.
    pub(super) begin: Option<usize>,
    /// The column of a word that goes on with it.
    pub(super) inside: Option<usize>,
    /// The least probability of *any* identifier at which a word is one of this class, in units.
    pub(super) threshold: u16,
}

/// What the columns of a model's output mean.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LabelScheme {
    /// How many columns there are.
    pub(super) width: usize,
    /// The column of words that are no identifier.
    pub(super) outside: usize,
    pub(super) classes: Vec<Columns>,
}

impl LabelScheme {
    /// Reads the names of the columns and the thresholds. The error says what is wrong, for a reader of model.toml.
    pub(super) fn new(names: &[String], thresholds: &BTreeMap<String, f32>) -> Result<Self, String> {
        let mut scheme = Self { width: names.len(), outside: usize::MAX, classes: Vec::new() };
        for (column, name) in names.iter().enumerate() {
            let is_new = match name.split_once('-') {
                None if name == "O" => std::mem::replace(&mut scheme.outside, column) == usize::MAX,
                Some(("B", class)) => scheme.columns(class)?.begin.replace(column).is_none(),
                Some(("I", class)) => scheme.columns(class)?.inside.replace(column).is_none(),
                _ => return Err(format!("`labels` has `{name}`; write `O`, `B-LABEL` or `I-LABEL`")),
            };
            if !is_new {
                return Err(format!("`labels` has `{name}` twice; each column has a name of its own"));
            }
        }
        if scheme.outside == usize::MAX || scheme.classes.is_empty() {
            return Err("`labels` needs `O` and at least one `B-LABEL` or `I-LABEL`".to_owned());
        }
        scheme.set_thresholds(thresholds)?;
        Ok(scheme)
    }

    fn columns(&mut self, name: &str) -> Result<&mut Columns, String> {
        let class = class(name).ok_or_else(|| format!("`labels` has the label `{name}`, which cannot be one"))?;
        let at = self.classes.iter().position(|columns| columns.class == class).unwrap_or_else(|| {
            self.classes.push(Columns { class, begin: None, inside: None, threshold: UNITS });
            self.classes.len() - 1
        });
        Ok(&mut self.classes[at])
    }

    fn set_thresholds(&mut self, thresholds: &BTreeMap<String, f32>) -> Result<(), String> {
        let mut own = BTreeMap::new();
        for (name, &threshold) in thresholds {
            if !(threshold > 0.0 && threshold <= 1.0) {
                return Err(format!("the threshold of `{name}` is {threshold}; it is above 0 and at most 1"));
            }
            if name != DEFAULT {
                let class = class(name).filter(|class| self.classes.iter().any(|columns| columns.class == *class));
                own.insert(
                    class.ok_or_else(|| format!("[thresholds] has `{name}`, which is not in `labels`"))?,
                    threshold,
                );
            }
        }
        let default = thresholds.get(DEFAULT).copied().unwrap_or(DEFAULT_THRESHOLD);
        for columns in &mut self.classes {
            columns.threshold = units(own.get(&columns.class).copied().unwrap_or(default)).max(1);
        }
        Ok(())
    }

    /// The probabilities of one row of logits after `bias` was taken from that of no identifier, in units.
    /// None where the row holds what is no number.
    pub(super) fn probabilities(&self, logits: &[f32], bias: f32) -> Option<Vec<u16>> {
        let biased = |column: usize, logit: f32| if column == self.outside { logit - bias } else { logit };
        let greatest = logits.iter().enumerate().map(|(column, &logit)| biased(column, logit)).fold(f32::MIN, f32::max);
        let powers: Vec<f32> =
            logits.iter().enumerate().map(|(column, &logit)| (biased(column, logit) - greatest).exp()).collect();
        let sum: f32 = powers.iter().sum();
        let is_sound = logits.iter().all(|logit| logit.is_finite()) && sum.is_finite();
        is_sound.then(|| powers.iter().map(|power| units(power / sum)).collect())
    }
}

/// `LABEL`, a label of ours or a site's own, or `LABEL:kind`.
fn class(name: &str) -> Option<Class> {
    if name.contains(':') { name.parse().ok() } else { Label::or_site(name).ok().map(Class::of) }
}

/// A probability in units, to the nearest.
pub(in crate::detect) fn units(probability: f32) -> u16 {
    (probability * f32::from(UNITS)).round() as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scheme(names: &[&str], thresholds: &[(&str, f32)]) -> Result<LabelScheme, String> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        LabelScheme::new(&names, &thresholds.iter().map(|&(name, value)| (name.to_owned(), value)).collect())
    }

    #[test]
    fn columns_of_a_class_may_stand_anywhere() {
        let scheme = scheme(&["I-PATIENT", "B-DATE:year", "O", "B-PATIENT"], &[("default", 0.25), ("PATIENT", 0.125)]);
        let scheme = scheme.unwrap();
        assert_eq!((scheme.width, scheme.outside), (4, 2));
        let patient = Columns { class: Label::Patient.into(), begin: Some(3), inside: Some(0), threshold: 128 };
        let year = Columns { class: "DATE:year".parse().unwrap(), begin: Some(1), inside: None, threshold: 256 };
        assert_eq!(scheme.classes, [patient, year]);
    }

    #[test]
    fn a_site_has_labels_of_its_own() {
        let scheme = scheme(&["O", "B-SEXO_SUJETO"], &[]).unwrap();
        assert_eq!((scheme.classes[0].class.label.name(), scheme.classes[0].threshold), ("SEXO_SUJETO", 512));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |names: &[&str], thresholds: &[(&str, f32)]| scheme(names, thresholds).unwrap_err();
        assert!(wrong(&["O", "PATIENT"], &[]).contains("`PATIENT`"));
        assert!(wrong(&["O", "E-PATIENT"], &[]).contains("`E-PATIENT`"));
        assert!(wrong(&["O", "B-PATIENT", "B-PATIENT"], &[]).contains("twice"));
        assert!(wrong(&["O", "O", "B-PATIENT"], &[]).contains("twice"));
        assert!(wrong(&["B-PATIENT"], &[]).contains("needs `O`"));
        assert!(wrong(&["O"], &[]).contains("at least one"));
        assert!(wrong(&["O", "B-two words"], &[]).contains("cannot be"));
        assert!(wrong(&["O", "B-DATE"], &[("DAT", 0.5)]).contains("not in `labels`"));
        for threshold in [0.0, -1.0, 1.5, f32::NAN] {
            assert!(wrong(&["O", "B-DATE"], &[("DATE", threshold)]).contains("above 0"));
        }
    }

    #[test]
    fn rows_that_are_no_numbers_are_refused() {
        let scheme = scheme(&["O", "B-DATE"], &[]).unwrap();
        assert_eq!(scheme.probabilities(&[0.0, 0.0], 0.0).unwrap(), [512, 512]);
        assert_eq!(scheme.probabilities(&[f32::MAX, f32::MIN], 0.0).unwrap(), [1024, 0]);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(scheme.probabilities(&[bad, 0.0], 0.0).is_none());
        }
    }

    proptest! {
        #[test]
        fn a_bias_raises_every_label_but_o(row in prop::collection::vec(-9.0..9.0f32, 3), bias in 0.0..5.0f32) {
            let scheme = scheme(&["O", "B-DATE", "I-DATE"], &[]).unwrap();
            let (plain, biased) = (scheme.probabilities(&row, 0.0).unwrap(), scheme.probabilities(&row, bias).unwrap());
            prop_assert!(plain.iter().map(|&units| i32::from(units)).sum::<i32>().abs_diff(1024) <= 2);
            prop_assert!(biased[0] <= plain[0] && biased[1] >= plain[1] && biased[2] >= plain[2]);
        }
    }
}
