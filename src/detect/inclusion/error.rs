//! What can go wrong between candidates and a list. No variant holds note text.

use crate::text::ContextMode;

/// Why entries cannot be taken, decided on or brought together. A line that cannot be read is a
/// [`DetectError::Inclusion`](crate::detect::DetectError).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InclusionError {
    /// A candidate that no review file can hold.
    #[error("candidate {number}: {reason}")]
    Candidate {
        /// Its place among the candidates, from 1.
        number: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A decision that does not say who made it, when and why.
    #[error("{reason}")]
    Verdict {
        /// What is missing.
        reason: &'static str,
    },
    /// A row of a table that does not describe an entry.
    #[error("row {number}: {reason}")]
    Row {
        /// Its place in the table, from 1.
        number: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Lists whose fragments were keyed by different contexts mean different sentences.
    #[error("the lists were made with --context {} and {}; build them again with one", left.name(), right.name())]
    Contexts {
        /// Of the first list.
        left: ContextMode,
        /// Of another one.
        right: ContextMode,
    },
    /// Nothing to merge.
    #[error("there is no list to merge")]
    NoList,
}

/// Why a review came to an end. What was decided before is in the file, but for a decision that could not be saved.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// A reviewer without a name, or a reason that is none.
    #[error(transparent)]
    Verdict(#[from] InclusionError),
    /// The terminal, or what stands for it, cannot be read or written.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] std::io::Error),
    /// The last decision could not be saved.
    #[error("the last decision was not saved: {0}")]
    Save(#[source] std::io::Error),
}
