//! What is compared: the spans of one note, as gold has them and as they were predicted.
//!
//! ```text
//! "Parkinson's, seen by Rose Brown on Monday"
//!  └─ decoy ┘           └─ DOCTOR ┘    └ DATE:weekday       gold
//!                       └ PATIENT ┘                         predicted
//! ```

use std::fmt;
use std::str::FromStr;

use crate::phi::{Class, Kind, Label, PhiError};

/// One identifier in one note, as it was predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelledSpan {
    /// First code point.
    pub start: usize,
    /// One past the last code point.
    pub end: usize,
    /// What it is.
    pub label: Label,
    /// Of which sub-kind, where that is told; else it is derived from the text, as that of gold is, see [`super::derived_kind`].
    pub kind: Kind,
}

impl LabelledSpan {
    /// A span of the code points `start..end`.
    pub const fn new(start: usize, end: usize, label: Label) -> Self {
        Self::of(start, end, Class::of(label))
    }

    /// The same, of a class.
    pub const fn of(start: usize, end: usize, class: Class) -> Self {
        Self { start, end, label: class.label, kind: class.kind }
    }
}

/// What a gold span is marked as. Written `DATE`, `DATE:weekday` or `NOT-PHI`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// An identifier. Where its sub-kind is not given it is derived from the text, see [`super::derived_kind`].
    Identifier(Class),
    /// A decoy: words that look like an identifier and are none, such as an eponym or a name that is a word here.
    Decoy,
}

impl Mark {
    /// The pseudo-label of decoys in gold data sets.
    pub const DECOY: &'static str = "NOT-PHI";
}

impl FromStr for Mark {
    type Err = PhiError;

    fn from_str(name: &str) -> Result<Self, PhiError> {
        if name.eq_ignore_ascii_case(Self::DECOY) { Ok(Self::Decoy) } else { name.parse().map(Self::Identifier) }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Identifier(class) => class.fmt(formatter),
            Self::Decoy => formatter.write_str(Self::DECOY),
        }
    }
}

/// One marked stretch of one note, as gold has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GoldSpan {
    /// First code point.
    pub start: usize,
    /// One past the last code point.
    pub end: usize,
    /// What it is marked as.
    pub mark: Mark,
}

impl GoldSpan {
    /// An identifier at the code points `start..end`.
    pub fn new(start: usize, end: usize, class: impl Into<Class>) -> Self {
        Self { start, end, mark: Mark::Identifier(class.into()) }
    }

    /// A decoy at the code points `start..end`.
    pub const fn decoy(start: usize, end: usize) -> Self {
        Self { start, end, mark: Mark::Decoy }
    }
}

impl From<LabelledSpan> for GoldSpan {
    fn from(span: LabelledSpan) -> Self {
        Self::new(span.start, span.end, Class { label: span.label, kind: span.kind })
    }
}

/// One note with both sides, in any order, overlapping or not. A note that only one side knows has no spans on the other.
#[derive(Debug, Clone, Copy)]
pub struct NoteUnderTest<'note> {
    /// The note's identifier.
    pub note_id: &'note str,
    /// What the bootstrap draws: the patient's identifier, so that the notes of one patient are drawn together; where it is
    /// not known, the note is its own cluster.
    pub cluster: Option<&'note str>,
    /// The type of note, for the figures by note type.
    pub note_type: Option<&'note str>,
    /// The text; needed to count tokens, see [`TokenUnit`].
    pub text: Option<&'note str>,
    /// All spans that gold marks, decoys included.
    pub gold: &'note [GoldSpan],
    /// All spans that were predicted.
    pub predicted: &'note [LabelledSpan],
}

/// What one count of the token and binary-token figures is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenUnit {
    /// A maximal run of alphanumeric characters (Unicode). Every other character that is no space is a token of its own
    /// too, but is not counted: a bracket or a comma carries no identifier. Needs the text of every note.
    Token,
    /// One code point of a span, spaces and punctuation included: for spans whose text is not at hand. Long identifiers
    /// weigh more than under [`TokenUnit::Token`], so figures of the two units are not comparable.
    CodePoint,
}

impl TokenUnit {
    /// The name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::CodePoint => "code-point",
        }
    }

    /// What several of them are called in reports.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Token => "tokens",
            Self::CodePoint => "code points",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Kind;

    #[test]
    fn marks_are_read_as_they_are_written() {
        let weekday = Mark::Identifier(Class { label: Label::Date, kind: Kind::DateWeekday });
        for (mark, name) in [(Mark::Decoy, "NOT-PHI"), (weekday, "DATE:weekday")] {
            assert_eq!(mark.to_string(), name);
            assert_eq!(name.parse::<Mark>().unwrap(), mark);
        }
        assert_eq!("city".parse::<Mark>().unwrap(), Mark::Identifier(Class::of(Label::City)));
        assert!("NAME".parse::<Mark>().is_err());
    }
}
