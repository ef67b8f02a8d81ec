//! One note unit by unit: what gold and the prediction say of every token.
//!
//! ```text
//! spans    [A        ]                       layers  [A        ][C  ]
//!             [B  ]                           ─▶     every position carries the class of the first span over it;
//!                [C      ]                           pieces do not overlap, so two layers are walked side by side
//! ```

use std::cmp::Reverse;
use std::ops::Range;

use super::GoldSpan;
use super::matching::Scored;
use super::tokens::counted_tokens;
use crate::phi::{Class, Label};

/// A token, or a stretch of code points over which neither side changes its mind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    /// Code points.
    pub(super) range: Range<usize>,
    /// How many units it counts for: 1, or the length of the stretch.
    pub(super) weight: u64,
    pub(super) gold: Option<Class>,
    pub(super) predicted: Option<Class>,
}

impl Unit {
    /// The labels of both sides.
    pub(super) fn labels(&self) -> (Option<Label>, Option<Label>) {
        (self.gold.map(|class| class.label), self.predicted.map(|class| class.label))
    }

    /// Whether it belongs to an identifier and nothing was predicted over it.
    pub(super) const fn is_missed(&self) -> bool {
        self.gold.is_some() && self.predicted.is_none()
    }
}

/// The counted tokens of a text.
pub(super) fn tokens(text: &str, gold: &[Scored], predicted: &[Scored]) -> Vec<Unit> {
    units(gold, predicted, counted_tokens(text).map(|token| (token, 1)))
}

/// The code points of the spans, `decoys` too. What lies under no span is left out, for without a text nobody knows how much
/// it is.
pub(super) fn code_points(gold: &[Scored], predicted: &[Scored], decoys: &[GoldSpan]) -> Vec<Unit> {
    let spans = gold.iter().chain(predicted).flat_map(|span| [span.start, span.end]);
    let mut boundaries: Vec<usize> = spans.chain(decoys.iter().flat_map(|span| [span.start, span.end])).collect();
    boundaries.sort_unstable();
    boundaries.dedup();
    let stretches = boundaries.windows(2).map(|pair| (pair[0]..pair[1], (pair[1] - pair[0]) as u64));
    let mut units = units(gold, predicted, stretches);
    units.retain(|unit| unit.gold.is_some() || unit.predicted.is_some());
    units
}

fn units(gold: &[Scored], predicted: &[Scored], ranges: impl Iterator<Item = (Range<usize>, u64)>) -> Vec<Unit> {
    let (gold, predicted) = (layer(gold), layer(predicted));
    let (mut gold, mut predicted) = (Walk(&gold), Walk(&predicted));
    ranges
        .map(|(range, weight)| {
            let (gold, predicted) = (gold.class(&range), predicted.class(&range));
            Unit { range, weight, gold, predicted }
        })
        .collect()
}

/// Of the units in text order, those that share a position with `start..end`.
pub(super) fn within(units: &[Unit], start: usize, end: usize) -> &[Unit] {
    let first = units.partition_point(|unit| unit.range.end <= start);
    let rest = &units[first..];
    &rest[..rest.partition_point(|unit| unit.range.start < end)]
}

/// Pieces that do not overlap, in text order, covering what the spans cover: where several spans lie over a position,
/// the one that starts first has it, of those the longest, of those the one of the earliest label.
fn layer(spans: &[Scored]) -> Vec<Scored> {
    let mut spans = spans.to_vec();
    spans.sort_unstable_by_key(|span| (span.start, Reverse(span.end), span.class));
    // All earlier spans start no later than this one, so what lies before the furthest of their ends is theirs.
    let mut covered = 0;
    spans.retain_mut(|span| {
        span.start = span.start.max(covered);
        covered = covered.max(span.end);
        span.start < span.end
    });
    spans
}

/// A layer that is read from left to right.
struct Walk<'layer>(&'layer [Scored]);

impl Walk<'_> {
    /// The class of the first piece that shares a position with `range`. Ranges must come in text order.
    fn class(&mut self, range: &Range<usize>) -> Option<Class> {
        while let [first, rest @ ..] = self.0
            && first.end <= range.start
        {
            self.0 = rest;
        }
        self.0.first().filter(|piece| piece.start < range.end).map(|piece| piece.class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Breakdown, Confusion, Counts};
    use proptest::prelude::*;

    fn span(start: usize, end: usize, label: Label) -> Scored {
        Scored { start, end, class: Class::of(label) }
    }

    fn both(units: &[Unit]) -> (Breakdown, Counts) {
        let mut confusion = Confusion::default();
        for unit in units {
            let (gold, predicted) = unit.labels();
            confusion.record(gold, predicted, unit.weight);
        }
        (confusion.by_label(), confusion.binary())
    }

    fn by_token(text: &str, gold: &[Scored], predicted: &[Scored]) -> (Breakdown, Counts) {
        both(&tokens(text, gold, predicted))
    }

    fn by_code_point(gold: &[Scored], predicted: &[Scored]) -> (Breakdown, Counts) {
        both(&code_points(gold, predicted, &[]))
    }

    fn counts(true_positives: u64, false_positives: u64, false_negatives: u64) -> Counts {
        Counts { true_positives, false_positives, false_negatives }
    }

    #[test]
    fn one_shared_character_gives_a_token_its_label() {
        // The second surname is found but for its first letter, and the year in one digit only.
        let text = "Ann Berg 2019";
        let gold = [span(0, 8, Label::Patient), span(9, 13, Label::Date)];
        let (labels, binary) = by_token(text, &gold, &[span(5, 8, Label::Patient), span(12, 13, Label::Date)]);
        assert_eq!(labels.of(Label::Patient), counts(1, 0, 1));
        assert_eq!(labels.of(Label::Date), counts(1, 0, 0));
        assert_eq!(binary, counts(2, 0, 1));
    }

    #[test]
    fn a_wrong_label_is_missed_and_spurious_but_still_an_identifier() {
        let (labels, binary) = by_token("Austin", &[span(0, 6, Label::City)], &[span(0, 6, Label::Patient)]);
        assert_eq!(labels.of(Label::City), counts(0, 0, 1));
        assert_eq!(labels.of(Label::Patient), counts(0, 1, 0));
        assert_eq!(binary, counts(1, 0, 0));
    }

    #[test]
    fn punctuation_and_spaces_are_not_counted() {
        let (labels, binary) = by_token("(3/4), x", &[span(1, 4, Label::Date)], &[span(0, 7, Label::Date)]);
        assert_eq!(labels.of(Label::Date), counts(2, 0, 0));
        assert_eq!(binary, counts(2, 0, 0));
    }

    #[test]
    fn the_first_then_the_longest_prediction_gives_the_label() {
        let gold = [span(0, 3, Label::Patient), span(4, 8, Label::Patient)];
        let late_and_long = [span(0, 8, Label::Patient), span(4, 20, Label::City)];
        assert_eq!(by_token("Ann Berg", &gold, &late_and_long).0.micro(), counts(2, 0, 0));
        let same_start = [span(0, 3, Label::City), span(0, 8, Label::Patient)];
        assert_eq!(by_token("Ann Berg", &gold, &same_start).0.micro(), counts(2, 0, 0));
        let same_range = [span(0, 8, Label::City), span(0, 8, Label::Patient)];
        assert_eq!(by_token("Ann Berg", &gold, &same_range).0.of(Label::Patient), counts(2, 0, 0));
    }

    #[test]
    fn an_overlapped_prediction_keeps_its_rest() {
        let predicted = [span(0, 8, Label::Patient), span(4, 13, Label::City)];
        let (labels, binary) = by_token("Ann Berg Ulm", &[span(9, 12, Label::City)], &predicted);
        assert_eq!((labels.of(Label::City), labels.of(Label::Patient)), (counts(1, 0, 0), counts(0, 2, 0)));
        assert_eq!(binary, counts(1, 2, 0));
    }

    #[test]
    fn code_points_weigh_by_length() {
        let gold = [span(0, 10, Label::Patient)];
        let predicted = [span(4, 12, Label::Patient), span(8, 20, Label::City)];
        let (labels, binary) = by_code_point(&gold, &predicted);
        assert_eq!((labels.of(Label::Patient), labels.of(Label::City)), (counts(6, 2, 4), counts(0, 8, 0)));
        assert_eq!(binary, counts(6, 10, 4));
        assert_eq!(by_code_point(&[span(0, usize::MAX, Label::Age)], &[]).1.false_negatives, usize::MAX as u64);
    }

    fn spans() -> impl Strategy<Value = Vec<Scored>> {
        let labels = prop::sample::select(vec![Label::Patient, Label::Date, Label::City]);
        let one =
            (0_usize..40, 1_usize..12, labels).prop_map(|(start, length, label)| span(start, start + length, label));
        prop::collection::vec(one, 0..10)
    }

    /// The rules word for word, without layers and walks.
    fn plain_label(range: &Range<usize>, spans: &[Scored]) -> Option<Label> {
        spans
            .iter()
            .filter(|span| span.start < range.end && range.start < span.end)
            .min_by_key(|span| (span.start, Reverse(span.end), span.class))
            .map(|span| span.class.label)
    }

    proptest! {
        #[test]
        fn walking_layers_equals_asking_every_span(text in "[ab1 .é]{52}", gold in spans(), predicted in spans()) {
            let mut tokens = Breakdown::default();
            for token in counted_tokens(&text) {
                tokens.record(plain_label(&token, &gold), plain_label(&token, &predicted), 1);
            }
            prop_assert_eq!(by_token(&text, &gold, &predicted).0, tokens);
            let mut points = Breakdown::default();
            for point in 0..60 {
                points.record(plain_label(&(point..point + 1), &gold), plain_label(&(point..point + 1), &predicted), 1);
            }
            prop_assert_eq!(by_code_point(&gold, &predicted).0, points);
        }

        #[test]
        fn labels_can_only_add_errors(text in "[ab1 .]{52}", gold in spans(), predicted in spans()) {
            let (labels, binary) = by_token(&text, &gold, &predicted);
            let labels = labels.micro();
            prop_assert_eq!((labels.gold(), labels.predicted()), (binary.gold(), binary.predicted()));
            prop_assert!(labels.true_positives <= binary.true_positives);
        }
    }
}
