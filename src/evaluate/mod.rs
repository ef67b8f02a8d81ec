//! How well detection did: predicted spans against gold spans, counted in four ways.
//!
//! ```text
//! text       Seen  by  Dr.  Rose  Brown  on  3 / 4 .
//! gold                      [DOCTOR    ]     [DATE]
//! predicted                 [PATIENT]        [DATE]
//!
//! strict entity   start, end and label must agree     DATE right; DOCTOR missed; PATIENT spurious
//! relaxed entity  an overlap with the same label      DATE right; DOCTOR missed; PATIENT spurious
//! token           the label of every token            3, 4 right; Rose wrong; Brown missed
//! binary token    identifier or not, per token        Rose, 3, 4 right; Brown missed
//! ```
//!
//! The rules, for gold and predicted spans alike:
//!
//! - Spans labelled [`Label::Time`](crate::phi::Label::Time) are auxiliary and left out of every score; where gold is read by `any`, its own
//!   label for times is another one, `SITE-TIME`, and scored. Exact duplicates (start, end and label) count once.
//! - **Strict entity**: a predicted span is a true positive if a gold span has the same start, end and label. Every
//!   other predicted span is a false positive of its label, every other gold span a false negative of its label.
//! - **Relaxed entity**: a gold and a predicted span of the same label that share at least one code point may be paired,
//!   each span in one pair at most, and as many pairs as can be are made. A pair is a true positive, every other span an
//!   error of its label. **Relaxed, any label**: the same whatever the labels.
//! - **Token**: a token is a maximal run of alphanumeric characters, see [`TokenUnit::Token`]; it carries the label of
//!   a span that it shares at least one character with. Where it shares characters with several spans, the one that
//!   starts first gives the label, of those the longest, of those the one whose label is declared first in [`Label`](crate::phi::Label).
//!   Equal labels are a true positive. A label in gold alone is a false negative, one in the prediction alone a false
//!   positive, and two different labels are both: a false negative of the gold label and a false positive of the
//!   predicted one.
//! - **Binary token**: the same tokens, identifier or not: a token is an identifier if any span shares a character
//!   with it.
//! - **Found**, of a label: tokens that gold gives the label, found if any prediction covers them, whatever its label.
//! - **Groups** (HIPAA, policies A to D): see [`Group`], [`GroupScores`] and [`Coverage`].
//! - **Decoys**, gold spans marked [`Mark::Decoy`], are no identifiers: what is predicted over them is a false positive like
//!   any other, and they are counted on their own besides, see [`Decoys`].
//! - **Intervals** are 95 % bootstrap intervals over patients, see [`Bootstrap`].
//! - **Micro** figures come from the counts of all labels added up. **Macro** figures are unweighted means over the
//!   labels for which the figure is defined, see [`Breakdown::macro_average`].
//!
//! Sharing one character is enough, so a token that is covered in part counts as found: the strict figures, not the
//! token figures, show slipped boundaries.

mod bootstrap;
mod comparison;
mod confusion;
mod error;
mod evaluator;
pub mod gold;
mod group;
mod kind;
mod label_map;
mod listing;
mod matching;
mod metrics;
mod per_note;
mod report;
mod span;
#[cfg(test)]
mod strict_reference_tests;
mod tokens;
mod units;

pub use bootstrap::{Bootstrap, Interval, Measure};
pub use comparison::{Change, Comparison, Gain, Gains};
pub use confusion::{Confusion, Side};
pub use error::EvaluateError;
pub use evaluator::{Evaluation, Evaluator};
pub use group::{CATEGORIES, Coverage, Group, GroupScores};
pub use kind::derived_kind;
pub use label_map::{LabelMap, LabelMapError};
pub use listing::{ErrorKind, ListedError, Place, list_errors};
pub use metrics::{Breakdown, Counts, MacroAverage, Statistic};
pub use per_note::{Decoys, ErrorsPerNote, NoteTypeScores};
pub use span::{GoldSpan, LabelledSpan, Mark, NoteUnderTest, TokenUnit};
