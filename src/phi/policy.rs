//! Which claims make a span go: the four groups of Murugadoss et al. 2021 (Table 1), and custom sets.
//!
//! ```text
//! A ⊂ B ⊂ C (default) ⊂ D        never, unless asked: AGE:up-to-89, TIME
//! ```

use std::collections::BTreeSet;

use serde::Deserialize;

use super::PhiError;
use super::label::{Class, Kind, Label};
use super::span::Span;

/// The set of classes that are kept; every class not in it is removed, so that an unknown class never passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    name: String,
    kept: BTreeSet<Class>,
}

/// What `--policy FILE` holds.
///
/// ```toml
/// base = "C"                             # A, B, C or D
/// remove = ["PROFESSION", "AGE"]         # besides what the base removes
/// keep = ["DATE:year", "DATE:weekday"]   # although the base removes it
/// ```
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyFile {
    base: String,
    #[serde(default)]
    remove: Vec<String>,
    #[serde(default)]
    keep: Vec<String>,
}

impl Policy {
    /// One of the four named policies.
    ///
    /// # Errors
    /// [`PhiError::UnknownPolicy`] for any other name.
    pub fn named(name: &str) -> Result<Self, PhiError> {
        let level = match name {
            "A" | "a" => 0,
            "B" | "b" => 1,
            "C" | "c" => 2,
            "D" | "d" => 3,
            _ => return Err(PhiError::UnknownPolicy { name: name.to_owned() }),
        };
        let mut kept = BTreeSet::from([Class { label: Label::Age, kind: Kind::AgeUpTo89 }, Class::of(Label::Time)]);
        if level < 3 {
            kept.insert(Class::of(Label::Profession));
            kept.insert(Class { label: Label::Date, kind: Kind::DateHoliday });
            kept.insert(Class { label: Label::Date, kind: Kind::DateWeekday });
        }
        if level < 2 {
            kept.insert(Class::of(Label::Hospital));
            kept.insert(Class { label: Label::LocationOther, kind: Kind::LocationUnit });
            kept.insert(Class::of(Label::Country));
        }
        if level < 1 {
            kept.insert(Class::of(Label::Doctor));
            kept.insert(Class::of(Label::Username));
            kept.insert(Class::of(Label::State));
        }
        Ok(Self { name: name.to_uppercase(), kept })
    }

    /// A policy from the text of a TOML file with `base`, `remove` and `keep`.
    ///
    /// # Errors
    /// [`PhiError::Policy`] where the text is not such a file; [`PhiError::UnknownLabel`] for a class that does not exist.
    pub fn from_toml(text: &str) -> Result<Self, PhiError> {
        let file: PolicyFile =
            toml::from_str(text).map_err(|error| PhiError::Policy { reason: error.message().to_owned() })?;
        let mut policy = Self::named(&file.base)?;
        if let Some(name) = file.remove.iter().find(|name| file.keep.contains(name)) {
            return Err(PhiError::Policy { reason: format!("`{name}` is both removed and kept") });
        }
        for name in &file.remove {
            let removed: Class = name.parse()?;
            policy
                .kept
                .retain(|class| *class != removed && !(removed.kind == Kind::Unknown && class.label == removed.label));
        }
        for name in &file.keep {
            let kept: Class = name.parse()?;
            policy.kept.insert(kept);
            if kept.kind == Kind::Unknown {
                policy.kept.extend(
                    Kind::ALL
                        .iter()
                        .filter(|kind| kind.label() == Some(kept.label))
                        .map(|&kind| Class { label: kept.label, kind }),
                );
            }
        }
        policy.name = format!("custom on {}", policy.name);
        Ok(policy)
    }

    /// The name for reports: a letter, or `custom on` one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a class is removed.
    pub fn removes(&self, class: Class) -> bool {
        !self.kept.contains(&class)
    }

    /// Whether it removes every class that another removes.
    pub fn removes_all_of(&self, other: &Self) -> bool {
        self.kept.is_subset(&other.kept)
    }

    /// Whether a span is removed: it is if any one claim on it is of a removed class (threshold of one claim).
    pub fn removes_span(&self, span: &Span) -> bool {
        span.claims.iter().any(|claim| self.removes(claim.class))
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::named("C").expect("C is one of the four names")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Detector;

    fn removed(policy: &str, class: &str) -> bool {
        Policy::named(policy).unwrap().removes(class.parse().unwrap())
    }

    #[test]
    fn each_group_removes_what_the_one_before_it_does_and_more() {
        let classes: Vec<Class> = Label::ALL
            .iter()
            .map(|&label| Class::of(label))
            .chain(Kind::ALL.iter().filter_map(|&kind| Some(Class { label: kind.label()?, kind })))
            .collect();
        for pair in ["A", "B", "C", "D"].windows(2) {
            let (narrow, wide) = (Policy::named(pair[0]).unwrap(), Policy::named(pair[1]).unwrap());
            assert!(classes.iter().all(|&class| !narrow.removes(class) || wide.removes(class)));
            assert!(classes.iter().any(|&class| !narrow.removes(class) && wide.removes(class)));
        }
    }

    #[test]
    fn the_table_of_groups() {
        assert!(removed("A", "PATIENT") && removed("A", "DATE:year") && removed("A", "LOCATION-OTHER:county"));
        assert!(!removed("A", "DOCTOR") && removed("B", "DOCTOR") && removed("B", "STATE"));
        assert!(!removed("B", "HOSPITAL") && removed("C", "HOSPITAL") && removed("C", "COUNTRY"));
        assert!(!removed("C", "DATE:weekday") && removed("D", "DATE:weekday") && removed("D", "PROFESSION"));
        assert!(!removed("D", "AGE:up-to-89") && removed("A", "AGE:over-89") && !removed("D", "TIME"));
    }

    #[test]
    fn an_unknown_kind_is_removed() {
        for policy in ["A", "B", "C", "D"] {
            assert!(removed(policy, "AGE") && removed(policy, "DATE") && removed(policy, "LOCATION-OTHER"));
        }
    }

    #[test]
    fn one_removed_claim_is_enough() {
        let mut span = Span::new(0, 4, Label::Profession, Detector::Dictionary, 0.9);
        assert!(!Policy::default().removes_span(&span));
        span.claims.extend(Span::new(0, 4, Label::Patient, Detector::Dictionary, 0.1).claims);
        assert!(Policy::default().removes_span(&span));
    }

    #[test]
    fn files_add_to_and_take_from_a_base() {
        let both = Policy::from_toml("base = 'A'\nkeep = ['DOCTOR']\nremove = ['DOCTOR']").unwrap_err();
        assert!(both.to_string().contains("both removed and kept"), "{both}");
        let policy = Policy::from_toml("base = 'C'\nremove = ['AGE', 'DATE:weekday']\nkeep = ['HOSPITAL']").unwrap();
        assert!(policy.removes("AGE:up-to-89".parse().unwrap()));
        assert!(policy.removes("DATE:weekday".parse().unwrap()));
        assert!(!policy.removes("DATE:holiday".parse().unwrap()));
        assert!(!policy.removes("HOSPITAL".parse().unwrap()));
        assert!(Policy::from_toml("base = 'C'\nremove = ['NAMES']").is_err());
        assert!(Policy::from_toml("base = 'Z'").is_err());
        assert!(Policy::from_toml("remove = []").is_err());
    }
}
