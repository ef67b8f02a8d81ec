//! Where a family puts what it finds: `findings.add(12..22, Label::Phone, 0.9)`.

use std::ops::Range;

use crate::phi::{Class, Detector, Kind, Label, Span};

/// The spans of one sentence, as they gather.
pub(super) struct Findings<'v> {
    spans: &'v mut Vec<Span>,
    first: usize,
}

impl<'v> Findings<'v> {
    /// Appends to `spans`; what is already there belongs to others.
    pub(super) fn new(spans: &'v mut Vec<Span>) -> Self {
        Self { first: spans.len(), spans }
    }

    /// Adds a span that is not empty.
    pub(super) fn add(&mut self, range: Range<usize>, class: impl Into<Class>, score: f32) {
        if range.start < range.end {
            self.spans.push(Span::new(range.start, range.end, class, Detector::Pattern, score));
        }
    }

    /// Whether an identifier found so far shares a byte with `range`; clock times do not count.
    #[inline]
    pub(super) fn covers(&self, range: &Range<usize>) -> bool {
        self.sharing(range).any(|span| !is_clock_time(span))
    }

    /// The first byte of `range` that an identifier found so far holds; clock times do not count.
    pub(super) fn first_within(&self, range: &Range<usize>) -> Option<usize> {
        let identifiers = self.sharing(range).filter(|span| !is_clock_time(span));
        identifiers.map(|span| span.start.max(range.start)).min()
    }

    /// Whether a clock time found so far shares a byte with `range`.
    pub(super) fn is_time(&self, range: &Range<usize>) -> bool {
        self.sharing(range).any(is_clock_time)
    }

    /// The spans found so far that share a byte with `range`.
    fn sharing(&self, range: &Range<usize>) -> impl Iterator<Item = &Span> {
        let Range { start, end } = *range;
        self.spans[self.first..].iter().filter(move |span| span.start < end && start < span.end)
    }

    /// Whether a day with its year found so far ends at `at`.
    pub(super) fn ends_whole_date(&self, at: usize) -> bool {
        self.spans[self.first..].iter().any(|span| span.end == at && span.claims[0].class == date(Kind::DateFull))
    }

    /// Whether a day found so far is `range`.
    pub(super) fn is_day(&self, range: &Range<usize>) -> bool {
        let is_day = |span: &Span| span.claims[0].class.label == Label::Date;
        self.sharing(range).any(|span| is_day(span) && span.start == range.start && span.end == range.end)
    }

    /// Where the identifiers of a label found so far end.
    pub(super) fn ends_of(&self, label: Label) -> Vec<usize> {
        let ends = self.spans[self.first..].iter().filter(|span| span.claims[0].class.label == label);
        ends.map(|span| span.end).collect()
    }

    /// The beginning and the label of the identifier found so far that ends within `reach` bytes before `at`.
    pub(super) fn ending_near(&self, at: usize, reach: usize) -> Option<(usize, Label)> {
        self.spans[self.first..]
            .iter()
            .find(|span| span.end <= at && at - span.end <= reach)
            .map(|span| (span.start, span.claims[0].class.label))
    }
}

/// Whether a span found here is a clock time.
fn is_clock_time(span: &Span) -> bool {
    span.claims[0].class.label == Label::Time
}

/// A date of the given kind.
pub(super) const fn date(kind: Kind) -> Class {
    Class { label: Label::Date, kind }
}
