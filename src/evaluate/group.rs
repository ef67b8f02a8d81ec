//! Scores for a part of the identifiers: what HIPAA names, and what each policy removes.
//!
//! ```text
//! gold        [PATIENT]  [HOSPITAL]
//! predicted   [DOCTOR ]  [HOSPITAL]  [DATE]
//! HIPAA       found                  wrong       HOSPITAL and DOCTOR are outside: neither wanted nor blamed
//! ```

use std::ops::AddAssign;
use std::sync::LazyLock;

use super::matching::{Scored, overlapping, relaxed, strict};
use super::metrics::share;
use super::units::Unit;
use super::{Confusion, Counts};
use crate::phi::{Class, Label, Policy};

/// A part of the classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// The types that the i2b2-2014 challenge counts as named by HIPAA: PATIENT, AGE, STREET, CITY, ZIP, ORGANIZATION, DATE,
    /// PHONE, FAX, EMAIL and all numbers.
    Hipaa,
    /// What policy A removes.
    A,
    /// What policy B removes.
    B,
    /// What policy C removes.
    C,
    /// What policy D removes.
    D,
}

static POLICIES: LazyLock<[Policy; 4]> = LazyLock::new(|| {
    ["A", "B", "C", "D"].map(|name| Policy::named(name).expect("A, B, C and D are the names of policies"))
});

impl Group {
    /// Every group, from the narrowest.
    pub const ALL: [Self; 5] = [Self::Hipaa, Self::A, Self::B, Self::C, Self::D];

    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hipaa => "HIPAA",
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
        }
    }

    /// Whether a class belongs to it. A class of unknown sub-kind belongs wherever one of its kinds might: what is not known
    /// is removed.
    pub fn contains(self, class: Class) -> bool {
        match self {
            Self::Hipaa => is_hipaa(class.label),
            Self::A => POLICIES[0].removes(class),
            Self::B => POLICIES[1].removes(class),
            Self::C => POLICIES[2].removes(class),
            Self::D => POLICIES[3].removes(class),
        }
    }

    /// Whether what is predicted as a class does not leave where the group is asked for: a policy leaves what it keeps in the note, so that a
    /// patient who is taken for staff is not found by policy A.
    fn takes(self, class: Class) -> bool {
        self == Self::Hipaa || self.contains(class)
    }
}

const fn is_hipaa(label: Label) -> bool {
    use Label::*;
    match label {
        Patient | Age | Street | City | Zip | Organization | Date | Phone | Fax | Email | Ssn | MedicalRecord
        | HealthPlan | Account | License | Vehicle | Device | BioId | IdNum => true,
        Doctor | Username | Profession | Hospital | State | Country | LocationOther | Url | IpAddr | Time | Site(_) => {
            false
        }
    }
}

/// Tokens, asked both ways: is what gold has of the group found, and is what was predicted of the group an identifier?
///
/// The two shares have their own wholes. A token of the group is found where what was predicted over it does not leave: of a policy where
/// that is removed too, of HIPAA's types whatever it is; and a prediction of the group that falls on an identifier outside it costs no
/// clinical words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Tokens that gold gives a class of the group.
    pub gold: u64,
    /// Of these, how many are covered by a prediction that the group takes out.
    pub found: u64,
    /// Tokens that were predicted as a class of the group.
    pub predicted: u64,
    /// Of these, how many gold marks as an identifier of any class.
    pub right: u64,
}

impl Coverage {
    /// `found / gold`.
    pub fn recall(&self) -> Option<f64> {
        share(self.found, self.gold)
    }

    /// `right / predicted`.
    pub fn precision(&self) -> Option<f64> {
        share(self.right, self.predicted)
    }

    /// The harmonic mean of the two; none where one is undefined.
    pub fn f1(&self) -> Option<f64> {
        let (precision, recall) = (self.precision()?, self.recall()?);
        Some(if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 })
    }
}

/// The scores of one group. `strict`, `relaxed`, `relaxed_any_label` and `token` set the gold spans of the group against the predicted
/// spans of the group; `binary_token` is [`Coverage`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GroupScores {
    /// Whole spans of equal start, end and label.
    pub strict: Counts,
    /// Spans that overlap one of the same label.
    pub relaxed: Counts,
    /// Spans that overlap one of whatever label.
    pub relaxed_any_label: Counts,
    /// Tokens of equal label.
    pub token: Counts,
    /// Tokens that are found, and predictions that are right.
    pub binary_token: Coverage,
}

impl GroupScores {
    pub(super) fn of_note(group: Group, gold: &[Scored], predicted: &[Scored], units: &[Unit]) -> Self {
        let part = |spans: &[Scored]| -> Vec<Scored> {
            spans.iter().copied().filter(|span| group.contains(span.class)).collect()
        };
        let (gold, predicted) = (part(gold), part(predicted));
        let (mut token, mut binary_token) = (Confusion::default(), Coverage::default());
        for unit in units {
            let wanted = unit.gold.filter(|&class| group.contains(class));
            let offered = unit.predicted.filter(|&class| group.contains(class));
            token.record(wanted.map(|class| class.label), offered.map(|class| class.label), unit.weight);
            let count = |condition: bool| if condition { unit.weight } else { 0 };
            binary_token += Coverage {
                gold: count(wanted.is_some()),
                found: count(wanted.is_some() && unit.predicted.is_some_and(|class| group.takes(class))),
                predicted: count(offered.is_some()),
                right: count(offered.is_some() && unit.gold.is_some()),
            };
        }
        Self {
            strict: strict(&gold, &predicted).micro(),
            relaxed: relaxed(&gold, &predicted).micro(),
            relaxed_any_label: overlapping(&gold, &predicted),
            token: token.by_label().micro(),
            binary_token,
        }
    }
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Self) {
        self.gold = self.gold.saturating_add(other.gold);
        self.found = self.found.saturating_add(other.found);
        self.predicted = self.predicted.saturating_add(other.predicted);
        self.right = self.right.saturating_add(other.right);
    }
}

impl AddAssign for GroupScores {
    fn add_assign(&mut self, other: Self) {
        self.strict += other.strict;
        self.relaxed += other.relaxed;
        self.relaxed_any_label += other.relaxed_any_label;
        self.token += other.token;
        self.binary_token += other.binary_token;
    }
}

/// The seven categories of i2b2-2014, with their labels.
pub const CATEGORIES: [(&str, &[Label]); 7] = {
    use Label::*;
    [
        ("NAME", &[Patient, Doctor, Username]),
        ("PROFESSION", &[Profession]),
        ("LOCATION", &[Hospital, Organization, Street, City, State, Country, Zip, LocationOther]),
        ("AGE", &[Age]),
        ("DATE", &[Date]),
        ("CONTACT", &[Phone, Fax, Email, Url, IpAddr]),
        ("ID", &[Ssn, MedicalRecord, HealthPlan, Account, License, Vehicle, Device, BioId, IdNum]),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Kind;

    #[test]
    fn policies_widen_and_know_kinds() {
        let weekday = Class { label: Label::Date, kind: Kind::DateWeekday };
        assert!(!Group::C.contains(weekday) && Group::D.contains(weekday) && Group::Hipaa.contains(weekday));
        assert!(Group::A.contains(Class::of(Label::Age)), "an age that is not known may be over 89");
        for &label in Label::ALL {
            for pair in [Group::A, Group::B, Group::C, Group::D].windows(2) {
                assert!(!pair[0].contains(Class::of(label)) || pair[1].contains(Class::of(label)));
            }
        }
    }

    #[test]
    fn every_label_but_the_auxiliary_one_has_one_category() {
        let mut labels: Vec<Label> = CATEGORIES.iter().flat_map(|(_, labels)| labels.iter().copied()).collect();
        labels.sort_unstable();
        assert_eq!(labels, Label::ALL[..Label::ALL.len() - 1]);
        assert_eq!(Label::ALL.last(), Some(&Label::Time));
    }

    #[test]
    fn a_group_is_found_by_any_label_and_not_blamed_for_other_identifiers() {
        let span = |start, end, label| Scored { start, end, class: Class::of(label) };
        let gold = [span(0, 3, Label::Patient), span(4, 9, Label::Hospital)];
        let predicted = [span(0, 3, Label::Doctor), span(4, 9, Label::City), span(10, 13, Label::Date)];
        let units = crate::evaluate::units::tokens("Ann Mercy May", &gold, &predicted);
        let scores = GroupScores::of_note(Group::Hipaa, &gold, &predicted, &units);
        assert_eq!(scores.binary_token, Coverage { gold: 1, found: 1, predicted: 2, right: 1 });
        assert_eq!(scores.strict, Counts { true_positives: 0, false_positives: 2, false_negatives: 1 });
        assert_eq!(scores.token, scores.strict);
        assert_eq!(scores.relaxed_any_label.true_positives, 0);
        assert_eq!(Coverage::default().f1(), None);
    }
}
