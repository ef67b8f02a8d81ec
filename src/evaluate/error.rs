//! What can be wrong with what is compared. No variant holds note text.

/// Why a note, or the part of another worker, cannot be scored.
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
    /// Two evaluations that count different things cannot be added up or compared.
    #[error("counts of one unit cannot be set against counts of another")]
    DifferentUnits,
    /// Two evaluations with different numbers of bootstrap replicates cannot be added up or compared.
    #[error("{left} bootstrap replicates cannot be set against {right}")]
    DifferentReplicates {
        /// Of the one.
        left: usize,
        /// Of the other.
        right: usize,
    },
    /// Two predictions were scored against different gold, so their difference means nothing.
    #[error("the two predictions were not scored against the same gold notes and spans")]
    DifferentGold,
}

impl EvaluateError {
    /// Whether the gold is at fault, not what is compared with it.
    pub fn is_of_gold(&self) -> bool {
        matches!(self, Self::EmptySpan { side, .. } | Self::OutsideText { side, .. } if *side == "gold")
    }
}
