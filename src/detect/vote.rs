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

use super::learned::LearnedDetector;
use super::stack::Stack;
use crate::phi::{Detector, Label, Span};
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

/// A member that votes: what it claims, the weight of its vote, and who it is where it was trained.
pub(super) struct Voter<'m> {
    pub(super) spans: Vec<Span>,
    pub(super) weight: f32,
    pub(super) member: Option<&'m dyn LearnedDetector>,
}

impl Voter<'_> {
    /// Patterns and dictionaries speak of all labels.
    fn speaks_of(&self, label: Label) -> bool {
        self.member.is_none_or(|member| member.speaks_of(label))
    }
}

/// Cuts united `spans` down to the words that enough voters claim. A voter that was never taught a label does not count against it, so of those
/// that were the same share is needed as of all. What the site's own dictionary tells is not put to the vote.
pub(super) fn by_weight(sentence: &str, spans: Vec<Span>, voters: &[Voter<'_>], need: f32) -> Vec<Span> {
    let meet = |span: &Span, start: usize, end: usize| span.start < end && start < span.end;
    let is_listed = |span: &Span| span.claims.iter().any(|claim| claim.detector == Detector::Site);
    let all: f32 = voters.iter().map(|voter| voter.weight).sum();
    let is_elected = |start: usize, end: usize| {
        let Some(span) = spans.iter().find(|span| meet(span, start, end)) else { return false };
        let label = span.leading().class.label;
        let weight = |counts: &dyn Fn(&Voter<'_>) -> bool| -> f32 {
            voters.iter().filter(|voter| counts(voter)).map(|voter| voter.weight).sum()
        };
        let claimed = weight(&|voter| voter.spans.iter().any(|span| meet(span, start, end)));
        let listed =
            || voters.iter().flat_map(|voter| &voter.spans).any(|span| is_listed(span) && meet(span, start, end));
        claimed >= need * (weight(&|voter| voter.speaks_of(label)) / all) || listed()
    };
    let elected: Vec<(usize, usize)> =
        tokens(sentence).map(|token| (token.start, token.end)).filter(|&(start, end)| is_elected(start, end)).collect();
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
    use crate::detect::DetectError;
    use crate::phi::unite;

    fn spans(sentence: &str, words: &[&str]) -> Vec<Span> {
        let span = |words: &&str| {
            let start = sentence.find(words).expect("the words are in the sentence");
            Span::new(start, start + words.len(), Label::Doctor, Detector::Crf, 0.5)
        };
        words.iter().map(span).collect()
    }

    fn voter(spans: Vec<Span>, weight: f32) -> Voter<'static> {
        Voter { spans, weight, member: None }
    }

    fn elected(need: f32, weights: [f32; 3]) -> Vec<String> {
        let sentence = "Seen by Rose Okafor on Tuesday, May 4";
        let members = [&["Rose Okafor", "Tuesday"][..], &["by Rose Okafor"], &["Rose", "Tuesday, May 4"]];
        let voter = |(words, weight): (&&[&str], f32)| voter(spans(sentence, words), weight);
        let voters: Vec<_> = members.iter().zip(weights).map(voter).collect();
        let all = unite(voters.iter().flat_map(|voter| voter.spans.clone()).collect());
        let cut = by_weight(sentence, all, &voters, need);
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
    fn a_term_of_the_site_is_not_outvoted() {
        let sentence = "Moved to Yellow Pod";
        let listed = vec![Span::new(9, 19, Label::Hospital, Detector::Site, 1.0)];
        let voters = [voter(listed.clone(), 1.0), voter(Vec::new(), 1.0), voter(Vec::new(), 1.0)];
        assert_eq!(by_weight(sentence, listed.clone(), &voters, 2.0), listed);
    }

    /// A member that was taught names alone, and finds none.
    struct OfNames;

    impl LearnedDetector for OfNames {
        fn detector(&self) -> Detector {
            Detector::Crf
        }

        fn description(&self) -> String {
            String::new()
        }

        fn speaks_of(&self, label: Label) -> bool {
            label == Label::Doctor
        }

        fn detect_all(&self, sentences: &[&str]) -> Result<Vec<Vec<Span>>, DetectError> {
            Ok(vec![Vec::new(); sentences.len()])
        }
    }

    #[test]
    fn who_was_not_taught_a_label_does_not_count_against_it() {
        let sentence = "SSN 123-45-6789";
        for (label, stands) in [(Label::Ssn, true), (Label::Doctor, false)] {
            let found = vec![Span::new(4, 15, label, Detector::Pattern, 1.0)];
            let silent = || Voter { spans: Vec::new(), weight: 1.0, member: Some(&OfNames) };
            let voters = [voter(found.clone(), 1.0), silent(), silent()];
            assert_eq!(!by_weight(sentence, found, &voters, 1.5).is_empty(), stands, "{label:?}");
        }
    }

    #[test]
    fn what_lies_between_two_elected_words_is_not_joined_over_a_lost_one() {
        let sentence = "Rose of Sharon";
        let voters = [&["Rose of Sharon"][..], &["Rose", "Sharon"]].map(|claimed| voter(spans(sentence, claimed), 1.0));
        let cut = by_weight(sentence, spans(sentence, &["Rose of Sharon"]), &voters, 2.0);
        assert_eq!(cut.iter().map(|span| &sentence[span.start..span.end]).collect::<Vec<_>>(), ["Rose", "Sharon"]);
    }
}
