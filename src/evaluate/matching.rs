//! One note: which predictions meet which gold, as whole spans and unit by unit.
//!
//! ```text
//! spans    [A        ]                       layers  [A        ][C  ]
//!             [B  ]                           ─▶     every position carries the label of the first span over it;
//!                [C      ]                           pieces do not overlap, so two layers are walked side by side
//! ```

use std::cmp::Reverse;
use std::ops::Range;

use super::tokens::counted_tokens;
use super::{Breakdown, Counts, LabelledSpan};
use crate::phi::Label;

/// The spans that are scored, ordered by start, end and label: no auxiliary ones, and each once.
pub(super) fn scored(spans: &[LabelledSpan]) -> Vec<LabelledSpan> {
    let mut scored: Vec<_> = spans.iter().copied().filter(|span| span.label != Label::Time).collect();
    scored.sort_unstable();
    scored.dedup();
    scored
}

/// Counts whole spans; both sides as [`scored`] gives them.
pub(super) fn strict(gold: &[LabelledSpan], predicted: &[LabelledSpan]) -> Breakdown {
    let mut counts = Breakdown::default();
    for span in gold {
        let found = predicted.binary_search(span).is_ok();
        counts.record(Some(span.label), found.then_some(span.label), 1);
    }
    for span in predicted {
        if gold.binary_search(span).is_err() {
            counts.record(None, Some(span.label), 1);
        }
    }
    counts
}

/// Counts the tokens of `text`, by label and as identifier or not.
pub(super) fn by_token(text: &str, gold: &[LabelledSpan], predicted: &[LabelledSpan]) -> (Breakdown, Counts) {
    let (gold, predicted) = (layer(gold), layer(predicted));
    count_units(&gold, &predicted, counted_tokens(text).map(|token| (token, 1)))
}

/// Counts the code points of the spans, by label and as identifier or not.
pub(super) fn by_code_point(gold: &[LabelledSpan], predicted: &[LabelledSpan]) -> (Breakdown, Counts) {
    let (gold, predicted) = (layer(gold), layer(predicted));
    let mut boundaries: Vec<usize> = gold.iter().chain(&predicted).flat_map(|piece| [piece.start, piece.end]).collect();
    boundaries.sort_unstable();
    boundaries.dedup();
    // Between two neighbouring boundaries neither side changes its label, so the stretch is counted in one go.
    let stretches = boundaries.windows(2).map(|pair| (pair[0]..pair[1], (pair[1] - pair[0]) as u64));
    count_units(&gold, &predicted, stretches)
}

fn count_units(
    gold: &[LabelledSpan],
    predicted: &[LabelledSpan],
    units: impl Iterator<Item = (Range<usize>, u64)>,
) -> (Breakdown, Counts) {
    let (mut gold, mut predicted) = (Walk(gold), Walk(predicted));
    let (mut labels, mut binary) = (Breakdown::default(), Counts::default());
    for (range, weight) in units {
        let (gold, predicted) = (gold.label(&range), predicted.label(&range));
        labels.record(gold, predicted, weight);
        binary += match (gold, predicted) {
            (Some(_), Some(_)) => Counts { true_positives: weight, ..Counts::default() },
            (None, Some(_)) => Counts { false_positives: weight, ..Counts::default() },
            (Some(_), None) => Counts { false_negatives: weight, ..Counts::default() },
            (None, None) => Counts::default(),
        };
    }
    (labels, binary)
}

/// Pieces that do not overlap, in text order, covering what the spans cover: where several spans lie over a position,
/// the one that starts first has it, of those the longest, of those the one of the earliest label.
fn layer(spans: &[LabelledSpan]) -> Vec<LabelledSpan> {
    let mut spans = spans.to_vec();
    spans.sort_unstable_by_key(|span| (span.start, Reverse(span.end), span.label));
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
struct Walk<'layer>(&'layer [LabelledSpan]);

impl Walk<'_> {
    /// The label of the first piece that shares a position with `range`. Ranges must come in text order.
    fn label(&mut self, range: &Range<usize>) -> Option<Label> {
        while let [first, rest @ ..] = self.0
            && first.end <= range.start
        {
            self.0 = rest;
        }
        self.0.first().filter(|piece| piece.start < range.end).map(|piece| piece.label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn span(start: usize, end: usize, label: Label) -> LabelledSpan {
        LabelledSpan::new(start, end, label)
    }

    fn counts(true_positives: u64, false_positives: u64, false_negatives: u64) -> Counts {
        Counts { true_positives, false_positives, false_negatives }
    }

    #[test]
    fn strict_wants_start_end_and_label() {
        let gold = [span(0, 4, Label::Patient), span(5, 9, Label::City), span(10, 12, Label::Date)];
        let predicted = [span(0, 4, Label::Patient), span(5, 9, Label::State), span(10, 11, Label::Date)];
        let strict = strict(&gold, &predicted);
        assert_eq!(strict.of(Label::Patient), counts(1, 0, 0));
        assert_eq!(strict.of(Label::City), counts(0, 0, 1));
        assert_eq!(strict.of(Label::State), counts(0, 1, 0));
        assert_eq!(strict.of(Label::Date), counts(0, 1, 1));
        assert_eq!(strict.micro(), counts(1, 2, 2));
    }

    #[test]
    fn times_and_duplicates_are_left_out() {
        let spans =
            [span(9, 12, Label::Date), span(0, 5, Label::Time), span(9, 12, Label::Date), span(1, 2, Label::Age)];
        assert_eq!(scored(&spans), [span(1, 2, Label::Age), span(9, 12, Label::Date)]);
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

    fn spans() -> impl Strategy<Value = Vec<LabelledSpan>> {
        let labels = prop::sample::select(vec![Label::Patient, Label::Date, Label::City, Label::Time]);
        let one =
            (0_usize..40, 1_usize..12, labels).prop_map(|(start, length, label)| span(start, start + length, label));
        prop::collection::vec(one, 0..10)
    }

    /// The rules word for word, without layers and walks.
    fn plain_label(range: &Range<usize>, spans: &[LabelledSpan]) -> Option<Label> {
        spans
            .iter()
            .filter(|span| span.start < range.end && range.start < span.end)
            .min_by_key(|span| (span.start, Reverse(span.end), span.label))
            .map(|span| span.label)
    }

    proptest! {
        #[test]
        fn walking_layers_equals_asking_every_span(text in "[ab1 .é]{52}", gold in spans(), predicted in spans()) {
            let (gold, predicted) = (scored(&gold), scored(&predicted));
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
            let (gold, predicted) = (scored(&gold), scored(&predicted));
            let (labels, binary) = by_token(&text, &gold, &predicted);
            let labels = labels.micro();
            prop_assert_eq!((labels.gold(), labels.predicted()), (binary.gold(), binary.predicted()));
            prop_assert!(labels.true_positives <= binary.true_positives);
        }
    }
}
