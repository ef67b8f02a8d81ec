//! How the claims of several members become one answer.
//!
//! ```text
//!                 Seen by Rose Okafor on Tuesday
//! knowledge, 1            [Rose Okafor]  [Tuesday]
//! CRF, 1             [by Rose Okafor]
//! transformer, 1          [Rose Okafor]  [Tuesday]
//! union                [by Rose Okafor]  [Tuesday]       one claim is enough (Murugadoss et al. 2021): the default
//! majority of 3           [Rose Okafor]  [Tuesday]       words that half of the weight claims (Liu et al. 2022)
//! stacking                [Rose Okafor]  [Tuesday]       words that a trained model lets stand: see [`Stack`]
//! ```

use std::sync::Arc;

use super::stack::Stack;
use crate::phi::Span;
use crate::text::tokens;

/// How claims are combined.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Combine {
    /// A word is an identifier's if any one member says so.
    #[default]
    Union,
    /// A word is an identifier's if the weights of the members that say so reach `need`.
    Vote {
        /// The least sum of weights.
        need: f32,
    },
    /// A word is an identifier's if a model over the members' claims says so (Liu et al. 2022).
    Stacking(Arc<Stack>),
}

/// Cuts united `spans` down to the words that enough members claim; `by_member` holds each member's own spans and its weight.
pub(super) fn by_weight(sentence: &str, spans: Vec<Span>, by_member: &[(Vec<Span>, f32)], need: f32) -> Vec<Span> {
    let covers =
        |spans: &[Span], start: usize, end: usize| spans.iter().any(|span| span.start < end && start < span.end);
    let elected: Vec<(usize, usize)> = tokens(sentence)
        .map(|token| (token.start, token.end))
        .filter(|&(start, end)| {
            let weight: f32 =
                by_member.iter().filter(|(spans, _)| covers(spans, start, end)).map(|(_, weight)| weight).sum();
            weight >= need
        })
        .collect();
    let mut cut: Vec<Span> = Vec::new();
    for span in spans {
        let words = elected.iter().filter(|(start, end)| *start < span.end && span.start < *end);
        let mut last_end = None;
        for &(start, end) in words {
            let (start, end) = (start.max(span.start), end.min(span.end));
            let skipped = last_end.is_none_or(|last: usize| tokens(&sentence[last..start]).next().is_some());
            match cut.last_mut().filter(|_| !skipped) {
                Some(running) => running.end = end,
                None => cut.push(Span { start, end, claims: span.claims.clone() }),
            }
            last_end = Some(end);
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::{Detector, Label, unite};

    fn spans(sentence: &str, words: &[&str]) -> Vec<Span> {
        let span = |words: &&str| {
            let start = sentence.find(words).expect("the words are in the sentence");
            Span::new(start, start + words.len(), Label::Doctor, Detector::Crf, 0.5)
        };
        words.iter().map(span).collect()
    }

    fn elected(need: f32, weights: [f32; 3]) -> Vec<String> {
        let sentence = "Seen by Rose Okafor on Tuesday, May 4";
        let members = [&["Rose Okafor", "Tuesday"][..], &["by Rose Okafor"], &["Rose", "Tuesday, May 4"]];
        let members: Vec<_> =
            members.iter().zip(weights).map(|(words, weight)| (spans(sentence, words), weight)).collect();
        let all = unite(members.iter().flat_map(|(spans, _)| spans.clone()).collect());
        let cut = by_weight(sentence, all, &members, need);
        cut.iter().map(|span| sentence[span.start..span.end].to_owned()).collect()
    }

    #[test]
    fn words_stand_where_enough_weight_claims_them() {
        assert_eq!(elected(1.0, [1.0; 3]), ["by Rose Okafor", "Tuesday, May 4"]);
        assert_eq!(elected(2.0, [1.0; 3]), ["Rose Okafor", "Tuesday"]);
        assert_eq!(elected(3.0, [1.0; 3]), ["Rose"]);
        assert_eq!(elected(2.0, [0.5, 0.5, 2.0]), ["Rose", "Tuesday, May 4"]);
        assert!(elected(9.0, [1.0; 3]).is_empty());
    }

    #[test]
    fn what_lies_between_two_elected_words_is_not_joined_over_a_lost_one() {
        let sentence = "Rose of Sharon";
        let members = vec![(spans(sentence, &["Rose of Sharon"]), 1.0), (spans(sentence, &["Rose", "Sharon"]), 1.0)];
        let cut = by_weight(sentence, spans(sentence, &["Rose of Sharon"]), &members, 2.0);
        assert_eq!(cut.iter().map(|span| &sentence[span.start..span.end]).collect::<Vec<_>>(), ["Rose", "Sharon"]);
    }
}
