//! Where the rules put what they find.

use std::ops::Range;

use crate::phi::{Class, Detector, Label, Span};

/// The spans of one sentence, as they gather.
pub(super) struct Found<'v> {
    spans: &'v mut Vec<Span>,
    first: usize,
}

impl<'v> Found<'v> {
    /// Appends to `spans`; what is already there belongs to others.
    pub(super) fn new(spans: &'v mut Vec<Span>) -> Self {
        Self { first: spans.len(), spans }
    }

    /// Adds a span that is not empty, unless the same claim is there already.
    pub(super) fn add(&mut self, range: Range<usize>, class: impl Into<Class>, score: f32) {
        let class = class.into();
        let known = self.spans[self.first..].iter().any(|span| {
            span.start <= range.start
                && range.end <= span.end
                && span.claims[0].class == class
                && span.claims[0].score >= score
        });
        if range.start < range.end && !known {
            self.spans.push(Span::new(range.start, range.end, class, Detector::Dictionary, score));
        }
    }

    /// The bounds and label of the `at`th span found so far.
    pub(super) fn nth(&self, at: usize) -> Option<(usize, usize, Label)> {
        self.spans[self.first..].get(at).map(|span| (span.start, span.end, span.claims[0].class.label))
    }

    /// Whether a person found so far ends at a place.
    pub(super) fn ends_person(&self, end: usize) -> bool {
        let is_person = |span: &Span| span.claims[0].class.label.is_person();
        self.spans[self.first..].iter().any(|span| span.end == end && is_person(span))
    }

    /// Whether anything found so far shares a byte with `range`.
    #[inline]
    pub(super) fn covers(&self, range: Range<usize>) -> bool {
        self.spans[self.first..].iter().any(|span| span.start < range.end && range.start < span.end)
    }
}
