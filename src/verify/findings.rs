//! What can be wrong with an output, how grave it is, and where. No finding holds a value.
//!
//! ```text
//! FullName (leak) · row 812 · source 14..23 · output 14..23          counted by kind, listed by place
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use super::shapes::Shape;

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// An identifier is left.
    Leak,
    /// The output is not what a run writes: text or rows were lost, added or changed.
    Damage,
    /// Somebody should look at it; it may be right.
    Review,
    /// Told apart so that it is not counted among the others.
    Apart,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FindingKind {
    /// A value of a shape stands in the output as in the source.
    Value(Shape),
    /// A full name of the record stands in the output as in the source.
    RecordName,
    /// A number, code or e-mail address of the record does.
    RecordNumber,
    /// The street address of the record does.
    RecordAddress,
    /// The date of birth of the record does.
    RecordBirthDate,
    /// A date column was not moved, or a patient's dates by different numbers of days.
    DateNotShifted,
    /// An identifier column holds the identifier itself.
    IdentifierKept,
    /// One identifier became two, or two became one.
    IdentifierInconsistent,
    /// Text stands in the output where the source has none.
    Inserted,
    /// Text is gone, and nothing stands in its place.
    Removed,
    /// White space or line breaks differ, and nothing else does.
    Layout,
    /// A column that is kept has another value.
    KeptChanged,
    /// A value is there on one side and null on the other.
    NullChanged,
    /// The time of day of a date column is another; dates move by whole days.
    TimeChanged,
    /// Notes that no part was made from, or a part whose notes are gone.
    NotCovered,
    /// Most ordinary words of a note are others: it is the text of another note.
    OtherText,
    /// A part has another number of rows, another digest or another size than the manifest says, or is missing.
    PartDamaged,
    /// A part file that the manifest does not know.
    PartUnknown,
    /// Only ordinary words in small letters were replaced.
    AlteredWords,
    /// A name was put before words that stayed: `Hall Clinic` became `Weston Hall Clinic`.
    Widened,
    /// More words or lines in one stretch than an identifier has.
    LongStretch,
    /// Most of a note was replaced.
    MostlyChanged,
    /// One name or town of the record stands in the output as in the source, and it is no ordinary word.
    RecordWord,
    /// The same for a word that means something else, too.
    OrdinaryWord,
    /// A value of the source or the record stands where the source has something else: a surrogate that equals it by chance.
    Coincidence,
}

impl FindingKind {
    /// How grave it is.
    pub const fn severity(self) -> Severity {
        match self {
            Self::Value(_)
            | Self::RecordName
            | Self::RecordNumber
            | Self::RecordAddress
            | Self::RecordBirthDate
            | Self::DateNotShifted
            | Self::IdentifierKept => Severity::Leak,
            Self::IdentifierInconsistent
            | Self::Inserted
            | Self::Removed
            | Self::Layout
            | Self::KeptChanged
            | Self::NullChanged
            | Self::TimeChanged
            | Self::NotCovered
            | Self::OtherText
            | Self::PartDamaged
            | Self::PartUnknown => Severity::Damage,
            Self::AlteredWords | Self::Widened | Self::LongStretch | Self::MostlyChanged | Self::RecordWord => {
                Severity::Review
            }
            Self::OrdinaryWord | Self::Coincidence => Severity::Apart,
        }
    }

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Value(Shape::SocialSecurityNumber) => "social-security-number",
            Self::Value(Shape::Email) => "email",
            Self::Value(Shape::Phone) => "phone",
            Self::Value(Shape::RecordNumber) => "record-number",
            Self::RecordName => "name-of-record",
            Self::RecordNumber => "number-of-record",
            Self::RecordAddress => "address-of-record",
            Self::RecordBirthDate => "birth-date-of-record",
            Self::DateNotShifted => "date-not-shifted",
            Self::IdentifierKept => "identifier-kept",
            Self::IdentifierInconsistent => "identifier-inconsistent",
            Self::Inserted => "inserted",
            Self::Removed => "removed",
            Self::Layout => "layout",
            Self::KeptChanged => "kept-column-changed",
            Self::NullChanged => "null-changed",
            Self::TimeChanged => "time-of-date-changed",
            Self::NotCovered => "not-covered",
            Self::OtherText => "other-text",
            Self::PartDamaged => "part-damaged",
            Self::PartUnknown => "part-unknown",
            Self::AlteredWords => "altered-words",
            Self::Widened => "widened",
            Self::LongStretch => "long-stretch",
            Self::MostlyChanged => "mostly-changed",
            Self::RecordWord => "word-of-record",
            Self::OrdinaryWord => "ordinary-word-of-record",
            Self::Coincidence => "coincidence",
        }
    }
}

impl Severity {
    /// Whether an output with such a finding is not clean.
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::Leak | Self::Damage)
    }

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Leak => "leak",
            Self::Damage => "damage",
            Self::Review => "review",
            Self::Apart => "apart",
        }
    }
}

/// One thing that was found in a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// Bytes of the source note.
    pub source: Range<usize>,
    /// Bytes of the output note.
    pub output: Range<usize>,
}

/// How often each kind was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    counts: BTreeMap<FindingKind, u64>,
}

impl Tally {
    /// Counts one more.
    pub fn count(&mut self, kind: FindingKind) {
        *self.counts.entry(kind).or_default() += 1;
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Self) {
        for (kind, count) in &other.counts {
            *self.counts.entry(*kind).or_default() += count;
        }
    }

    /// Every kind that was found, with its count.
    pub fn iter(&self) -> impl Iterator<Item = (FindingKind, u64)> {
        self.counts.iter().map(|(kind, count)| (*kind, *count))
    }

    /// How many findings of a severity there are.
    pub fn of(&self, severity: Severity) -> u64 {
        self.iter().filter(|(kind, _)| kind.severity() == severity).map(|(_, count)| count).sum()
    }

    /// Whether no identifier is left and nothing is damaged.
    pub fn is_clean(&self) -> bool {
        !self.iter().any(|(kind, _)| kind.severity().is_fault())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_leaks_and_damage_are_not_clean() {
        let mut tally = Tally::default();
        tally.count(FindingKind::AlteredWords);
        tally.count(FindingKind::Coincidence);
        assert!(tally.is_clean());
        let mut other = Tally::default();
        other.count(FindingKind::Removed);
        tally.add(&other);
        assert!(!tally.is_clean() && tally.of(Severity::Damage) == 1 && tally.of(Severity::Review) == 1);
    }
}
