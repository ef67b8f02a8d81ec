//! One note: which predicted spans meet which gold spans.
//!
//! ```text
//! gold       [DOCTOR    ]     [DATE]   [CITY]
//! predicted      [DOCTOR]     [DATE]   [STATE]
//! strict          ✗            ✓         ✗
//! relaxed         ✓            ✓         ✗
//! any label       ✓            ✓         ✓
//! ```

use std::collections::BTreeMap;

use super::tokens::CodePointText;
use super::{Breakdown, Counts, GoldSpan, LabelledSpan, Mark, derived_kind};
use crate::phi::{Class, Kind, Label};

/// A span that is scored, of either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Scored {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) class: Class,
}

impl Scored {
    /// What strict matching compares.
    const fn key(&self) -> (usize, usize, Label) {
        (self.start, self.end, self.class.label)
    }

    const fn overlaps(&self, other: &Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// The gold identifiers that are scored.
pub(super) fn scored_gold(spans: &[GoldSpan], text: Option<&CodePointText>) -> Vec<Scored> {
    let identifiers = spans.iter().filter_map(|span| match span.mark {
        Mark::Identifier(class) => Some(Scored { start: span.start, end: span.end, class }),
        Mark::Decoy => None,
    });
    scored(identifiers.collect(), text)
}

/// The predicted spans that are scored.
pub(super) fn scored_predicted(spans: &[LabelledSpan], text: Option<&CodePointText>) -> Vec<Scored> {
    let class = |span: &LabelledSpan| Class { label: span.label, kind: span.kind };
    let spans = spans.iter().map(|span| Scored { start: span.start, end: span.end, class: class(span) });
    scored(spans.collect(), text)
}

/// No auxiliary spans, each once, ordered by start, end and label, with sub-kinds as far as the text tells them.
fn scored(mut spans: Vec<Scored>, text: Option<&CodePointText>) -> Vec<Scored> {
    spans.retain(|span| span.class.label != Label::Time);
    for span in &mut spans {
        if let (Kind::Unknown, Some(text)) = (span.class.kind, text) {
            span.class.kind = derived_kind(span.class.label, text.slice(span.start, span.end));
        }
    }
    spans.sort_unstable();
    spans.dedup_by_key(|span| span.key());
    spans
}

/// Counts whole spans of equal start, end and label.
pub(super) fn strict(gold: &[Scored], predicted: &[Scored]) -> Breakdown {
    let mut counts = Breakdown::default();
    let holds = |side: &[Scored], span: &Scored| side.binary_search_by_key(&span.key(), Scored::key).is_ok();
    for span in gold {
        let label = span.class.label;
        counts.record(Some(label), holds(predicted, span).then_some(label), 1);
    }
    for span in predicted {
        if !holds(gold, span) {
            counts.record(None, Some(span.class.label), 1);
        }
    }
    counts
}

/// Counts spans that overlap a span of the same label, one to one.
pub(super) fn relaxed(gold: &[Scored], predicted: &[Scored]) -> Breakdown {
    let mut sides: BTreeMap<Label, (Vec<Scored>, Vec<Scored>)> = BTreeMap::new();
    for &span in gold {
        sides.entry(span.class.label).or_default().0.push(span);
    }
    for &span in predicted {
        sides.entry(span.class.label).or_default().1.push(span);
    }
    let per_label = sides.into_iter().map(|(label, (gold, predicted))| (label, overlapping(&gold, &predicted)));
    Breakdown { per_label: per_label.collect() }
}

/// Counts spans that overlap a span of whatever label, one to one, as many as can be paired.
pub(super) fn overlapping(gold: &[Scored], predicted: &[Scored]) -> Counts {
    let mut gold = gold.to_vec();
    let mut free = predicted.to_vec();
    gold.sort_unstable_by_key(|span| (span.end, span.start));
    free.sort_unstable_by_key(|span| (span.end, span.start));
    let mut pairs = 0;
    // Gold spans by their ends: every later one ends no earlier, so of the predicted spans that overlap this one, that
    // which ends first overlaps the fewest of the later ones. Taking it leaves the most for them.
    for span in &gold {
        let from = free.partition_point(|candidate| candidate.end <= span.start);
        if let Some(at) = free[from..].iter().position(|candidate| candidate.overlaps(span)) {
            free.remove(from + at);
            pairs += 1;
        }
    }
    let count = |spans: &[Scored]| spans.len() as u64 - pairs;
    Counts { true_positives: pairs, false_positives: count(predicted), false_negatives: count(&gold) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn span(start: usize, end: usize, label: Label) -> Scored {
        Scored { start, end, class: Class::of(label) }
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
    fn times_decoys_and_duplicates_are_left_out_and_kinds_are_no_part_of_strict() {
        let text = CodePointText::new("Ann Monday 9:30 Foley");
        let weekday = Class { label: Label::Date, kind: Kind::DateWeekday };
        let gold = [
            GoldSpan::new(4, 10, Label::Date),
            GoldSpan::new(11, 15, Label::Time),
            GoldSpan::new(4, 10, weekday),
            GoldSpan::decoy(16, 21),
            GoldSpan::new(0, 3, Label::Patient),
        ];
        let gold = scored_gold(&gold, Some(&text));
        assert_eq!(gold, [span(0, 3, Label::Patient), Scored { start: 4, end: 10, class: weekday }]);
        let predicted = scored_predicted(&[LabelledSpan::new(4, 10, Label::Date)], None);
        assert_eq!(strict(&gold, &predicted).of(Label::Date), counts(1, 0, 0));
    }

    #[test]
    fn relaxed_pairs_one_to_one() {
        let whole = [span(0, 10, Label::Patient)];
        let halves = [span(0, 4, Label::Patient), span(5, 10, Label::Patient)];
        assert_eq!(relaxed(&whole, &halves).micro(), counts(1, 1, 0));
        assert_eq!(relaxed(&halves, &whole).micro(), counts(1, 0, 1));
        assert_eq!(relaxed(&whole, &[span(9, 12, Label::City)]).micro(), counts(0, 1, 1));
        assert_eq!(overlapping(&whole, &[span(9, 12, Label::City)]), counts(1, 0, 0));
        assert_eq!(overlapping(&whole, &[span(10, 12, Label::City)]), counts(0, 1, 1), "touching is not overlapping");
    }

    fn spans() -> impl Strategy<Value = Vec<Scored>> {
        let labels = prop::sample::select(vec![Label::Patient, Label::City]);
        let one =
            (0_usize..20, 1_usize..9, labels).prop_map(|(start, length, label)| span(start, start + length, label));
        prop::collection::vec(one, 0..7).prop_map(|spans| scored(spans, None))
    }

    /// The largest pairing, by trying all.
    fn best(gold: &[Scored], predicted: &[Scored]) -> u64 {
        let Some((first, rest)) = gold.split_first() else { return 0 };
        let mut most = best(rest, predicted);
        for at in 0..predicted.len() {
            if first.overlaps(&predicted[at]) {
                let mut left = predicted.to_vec();
                left.remove(at);
                most = most.max(1 + best(rest, &left));
            }
        }
        most
    }

    proptest! {
        #[test]
        fn no_pairing_is_larger(gold in spans(), predicted in spans()) {
            prop_assert_eq!(overlapping(&gold, &predicted).true_positives, best(&gold, &predicted));
        }

        #[test]
        fn each_way_of_matching_is_milder_than_the_one_before(gold in spans(), predicted in spans()) {
            let (strict, relaxed) = (strict(&gold, &predicted).micro(), relaxed(&gold, &predicted).micro());
            let blind = overlapping(&gold, &predicted);
            prop_assert!(strict.true_positives <= relaxed.true_positives);
            prop_assert!(relaxed.true_positives <= blind.true_positives);
            for counts in [strict, relaxed, blind] {
                prop_assert_eq!((counts.gold(), counts.predicted()), (gold.len() as u64, predicted.len() as u64));
            }
        }
    }
}
