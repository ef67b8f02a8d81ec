//! How well detection did: predicted spans against gold spans, counted in three ways.
//!
//! ```text
//! text       Seen  by  Dr.  Rose  Brown  on  3 / 4 .
//! gold                      [DOCTOR    ]     [DATE]
//! predicted                 [PATIENT]        [DATE]
//!
//! strict entity   start, end and label must agree     DATE right; DOCTOR missed; PATIENT spurious
//! token           the label of every token            3, 4 right; Rose wrong; Brown missed
//! binary token    identifier or not, per token        Rose, 3, 4 right; Brown missed
//! ```
//!
//! The rules, for gold and predicted spans alike:
//!
//! - Spans labelled [`Label::Time`] are auxiliary and left out of every score. Exact duplicates (start, end and label)
//!   count once.
//! - **Strict entity**: a predicted span is a true positive if a gold span has the same start, end and label. Every
//!   other predicted span is a false positive of its label, every other gold span a false negative of its label.
//! - **Token**: a token is a maximal run of alphanumeric characters, see [`TokenUnit::Token`]; it carries the label of
//!   a span that it shares at least one character with. Where it shares characters with several spans, the one that
//!   starts first gives the label, of those the longest, of those the one whose label is declared first in [`Label`].
//!   Equal labels are a true positive. A label in gold alone is a false negative, one in the prediction alone a false
//!   positive, and two different labels are both: a false negative of the gold label and a false positive of the
//!   predicted one.
//! - **Binary token**: the same tokens, identifier or not: a token is an identifier if any span shares a character
//!   with it.
//! - **Micro** figures come from the counts of all labels added up. **Macro** figures are unweighted means over the
//!   labels for which the figure is defined, see [`Breakdown::macro_average`].
//!
//! Sharing one character is enough, so a token that is covered in part counts as found: the strict figures, not the
//! token figures, show slipped boundaries.

mod evaluator;
mod matching;
mod metrics;
mod report;
mod tokens;

pub use evaluator::{Evaluation, Evaluator, MissesPerNote};
pub use metrics::{Breakdown, Counts, MacroAverage};

use crate::phi::Label;

/// One identifier in one note, as gold or as predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelledSpan {
    /// First code point.
    pub start: usize,
    /// One past the last code point.
    pub end: usize,
    /// What it is.
    pub label: Label,
}

impl LabelledSpan {
    /// A span of the code points `start..end`.
    pub const fn new(start: usize, end: usize, label: Label) -> Self {
        Self { start, end, label }
    }
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
}

/// Why a note, or the part of another worker, cannot be scored. Never holds note text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvaluateError {
    /// Tokens were asked for and the note has no text.
    #[error("the note has no text, so its tokens are not known; give the notes, or count code points")]
    NoText,
    /// A span that covers nothing or ends before it starts.
    #[error("the {side} span {start}..{end} is empty or reversed")]
    EmptySpan {
        /// `gold` or `predicted`.
        side: &'static str,
        /// First code point, as given.
        start: usize,
        /// One past the last code point, as given.
        end: usize,
    },
    /// A span that ends after the text does: the offsets belong to another text, or count bytes.
    #[error("the {side} span {start}..{end} reaches beyond the note, which has {length} code points")]
    OutsideText {
        /// `gold` or `predicted`.
        side: &'static str,
        /// First code point.
        start: usize,
        /// One past the last code point.
        end: usize,
        /// Length of the text in code points.
        length: usize,
    },
    /// Two evaluations that count different things cannot be added up.
    #[error("counts of one unit cannot be added to counts of another")]
    DifferentUnits,
}
