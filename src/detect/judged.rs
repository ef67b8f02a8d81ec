//! What members say before thresholds: what is worth keeping of them.
//!
//! ```text
//!                     Seen by Rose  Okafor
//! judged              .02     .31   .98 DOCTOR       kept, from the floor on
//! decided at .4                    [Okafor]          read from it, whatever the threshold is today
//! decided at .2              [Rose  Okafor]
//! ```
//!
//! Asking a model is dear and deciding is cheap. So a cache keeps what was judged, and thresholds, votes and policies apply when it is
//! read: a threshold that moves costs nothing (README, span cache).

use crate::phi::{Claim, Class, Detector, Span};

/// What is less likely to be an identifier than this is not kept: no threshold finds it.
pub const FLOOR: f32 = 10.0 / 1024.0;

/// What a member says of a stretch of a sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// First byte in what the member was shown.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The likeliest class.
    pub class: Class,
    /// Who says so.
    pub detector: Detector,
    /// How likely that class is, in (0, 1].
    pub score: f32,
    /// How likely any identifier is, in (0, 1]: what thresholds are held against.
    pub of_any: f32,
    /// Whether it may go on with what stands before it: the word before was judged too, and this one does not begin anew.
    pub goes_on: bool,
    /// Whether it has a letter or digit.
    pub is_lettered: bool,
}

/// What a member said of a sentence once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// A keyed digest of what the member was shown; where it would be shown something else now, the answer is void.
    pub shown: u64,
    /// What it said.
    pub judged: Vec<Judged>,
}

impl Judged {
    /// Spans as they are: every claim of every span, in order.
    pub fn of_spans(spans: &[Span]) -> Vec<Self> {
        let one = |span: &Span, claim: &Claim| Self {
            start: span.start as u32,
            end: span.end as u32,
            class: claim.class,
            detector: claim.detector,
            score: claim.score,
            of_any: claim.score,
            goes_on: false,
            is_lettered: true,
        };
        spans.iter().flat_map(|span| span.claims.iter().map(move |claim| one(span, claim))).collect()
    }

    /// The spans that [`Judged::of_spans`] was made of; claims on one range are one span.
    pub fn spans(judged: &[Self]) -> Vec<Span> {
        let span = |claims: &[Self]| Span {
            start: claims[0].start as usize,
            end: claims[0].end as usize,
            claims: claims.iter().map(Self::claim).collect(),
        };
        judged.chunk_by(|one, other| (one.start, one.end) == (other.start, other.end)).map(span).collect()
    }

    /// The stretch with how likely it is any identifier.
    pub(super) fn considered(&self) -> Span {
        let claim = Claim { score: self.of_any, ..self.claim() };
        Span { start: self.start as usize, end: self.end as usize, claims: vec![claim] }
    }

    /// The claim that it makes.
    pub const fn claim(&self) -> Claim {
        Claim { class: self.class, detector: self.detector, score: self.score }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Label;

    #[test]
    fn spans_come_back_with_all_their_claims() {
        let mut spans = vec![
            Span::new(3, 9, Label::Doctor, Detector::Pattern, 0.5),
            Span::new(9, 12, Label::City, Detector::Dictionary, 1.0),
        ];
        spans[0].claims.push(Claim { class: Label::Patient.into(), detector: Detector::Dictionary, score: 0.25 });
        assert_eq!(Judged::spans(&Judged::of_spans(&spans)), spans);
        assert_eq!(Judged::spans(&[]), []);
    }
}
