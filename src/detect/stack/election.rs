//! From judged words to spans.
//!
//! ```text
//! knowledge         [ Clinic     of   Rose  Okafor ]
//! transformer                         [Rose] [Okafor]
//! words that stay                      Rose   Okafor
//! spans                               [Rose  Okafor]     what knowledge claims is cut to its words that stay;
//!                                                        neighbours of one label that trained members propose are one span
//! ```

use super::Stack;
use super::features::{Words, is_exempt, is_time, touched};
use crate::phi::{Claim, Span};

/// What a stack lets stand of the claims on a sentence: the spans of `known`, cut to words that stay, and the proposals of trained
/// members, joined to spans. The first have one boundary with the second at most where they overlap; both are in order.
pub(crate) fn elect(
    stack: &Stack,
    sentence: &str,
    known: Vec<Span>,
    proposed: &[Vec<Span>],
    words: &Words<'_>,
) -> (Vec<Span>, Vec<Span>) {
    let stays: Vec<bool> = (0..words.len())
        .map(|at| words.is_claimed(at) && (words.is_exempt(at) || stack.passes(&words.features(at))))
        .collect();
    let cut = known.into_iter().flat_map(|span| cut(span, words, &stays)).collect();
    (cut, joined(sentence, proposed, words, &stays))
}

/// A span cut to the words that stay: marks between two of them stay too, and so do those at its ends.
fn cut(span: Span, words: &Words<'_>, stays: &[bool]) -> Vec<Span> {
    let inside = touched(&words.words, &span);
    if is_time(&span) || is_exempt(&span) || inside.is_empty() || stays[inside.clone()].iter().all(|stays| *stays) {
        return vec![span];
    }
    let mut parts = Vec::new();
    let mut first = inside.start;
    for run in stays[inside.clone()].chunk_by(|one, next| one == next) {
        let last = first + run.len() - 1;
        if run[0] {
            let start = if first == inside.start { span.start } else { words.words[first].start };
            let end = if last + 1 == inside.end { span.end } else { words.words[last].end };
            parts.push(Span { start, end, claims: span.claims.clone() });
        }
        first = last + 1;
    }
    parts
}

/// The proposed words that stay, neighbours of one label joined where nothing stands between them that nobody proposes.
fn joined(sentence: &str, proposed: &[Vec<Span>], words: &Words<'_>, stays: &[bool]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut before = None;
    for at in (0..words.len()).filter(|&at| stays[at]) {
        let word = words.words[at];
        let Some(claims) = claims_on(proposed, word.start, word.end) else { continue };
        let adjoins = before.replace(at).is_some_and(|before: usize| before + 1 == at);
        match spans.last_mut() {
            Some(last)
                if adjoins
                    && last.claims[0].class.label == claims[0].class.label
                    && is_proposed(sentence, proposed, last.end, word.start) =>
            {
                last.end = word.end;
                claims.into_iter().for_each(|claim| add(&mut last.claims, claim));
            }
            _ => spans.push(Span { start: word.start, end: word.end, claims }),
        }
    }
    spans
}

/// What trained members claim of a word, the surest first; none where they do not.
fn claims_on(proposed: &[Vec<Span>], start: usize, end: usize) -> Option<Vec<Claim>> {
    let on_it = proposed.iter().flatten().filter(|span| span.start < end && start < span.end && !is_time(span));
    let mut claims: Vec<Claim> = Vec::new();
    on_it.flat_map(|span| &span.claims).for_each(|claim| add(&mut claims, *claim));
    claims.sort_by(|one, other| other.score.total_cmp(&one.score));
    (!claims.is_empty()).then_some(claims)
}

/// Adds a claim; of two by one detector for one class the surer counts.
fn add(claims: &mut Vec<Claim>, claim: Claim) {
    match claims.iter_mut().find(|known| known.class == claim.class && known.detector == claim.detector) {
        Some(known) => known.score = known.score.max(claim.score),
        None => claims.push(claim),
    }
}

/// Whether every visible character between two places is part of a proposal.
fn is_proposed(sentence: &str, proposed: &[Vec<Span>], start: usize, end: usize) -> bool {
    let covered = |at: usize| proposed.iter().flatten().any(|span| span.start <= at && at < span.end);
    sentence[start..end].char_indices().all(|(at, mark)| mark.is_whitespace() || covered(start + at))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::features::{MEMBER_FEATURES, WORD_FEATURES};
    use super::super::{Method, width};
    use super::*;
    use crate::phi::{Detector, Label};

    /// A stack of two members that goes by the score of the second, and keeps what it is surer of than by half; else by the first's.
    fn by_second() -> Stack {
        let mut weights = vec![0.0; width(2) + 1];
        let second = MEMBER_FEATURES.len();
        weights[second] = -10.0;
        weights[second + 1] = 20.0;
        weights[1] = 20.0;
        weights[2 * second + WORD_FEATURES.len()] = -10.0;
        weights[second] += 10.0;
        Stack::new(Method::Logistic, 0.05, vec!["knowledge".into(), "crf".into()], weights).unwrap()
    }

    fn spans(sentence: &str, list: &[(&str, Label, f32)], detector: Detector) -> Vec<Span> {
        let span = |(words, label, score): &(&str, Label, f32)| {
            let start = sentence.find(words).expect("the words are in the sentence");
            Span::new(start, start + words.len(), *label, detector, *score)
        };
        list.iter().map(span).collect()
    }

    fn elected(sentence: &str, known: &[(&str, Label, f32)], proposed: &[(&str, Label, f32)]) -> [Vec<String>; 2] {
        let known = spans(sentence, known, Detector::Dictionary);
        let proposed = vec![spans(sentence, proposed, Detector::Crf)];
        let words = Words::new(sentence, &[&known, &proposed[0]], true);
        let (known, joined) = elect(&by_second(), sentence, known.clone(), &proposed, &words);
        [known, joined].map(|spans| spans.iter().map(|span| sentence[span.start..span.end].to_owned()).collect())
    }

    #[test]
    fn proposals_that_stay_are_joined() {
        use Label::{City, Doctor};
        let proposed = [("Rose", Doctor, 0.6), ("Okafor", Doctor, 0.9), ("by", Doctor, 0.1), ("Troy", City, 0.9)];
        assert_eq!(elected("Seen by Rose Okafor Troy", &[], &proposed)[1], ["Rose Okafor", "Troy"]);
        let apart = [("Okafor", Doctor, 0.9), ("Rose", Doctor, 0.9)];
        assert_eq!(elected("Okafor, Rose", &[], &apart)[1], ["Okafor", "Rose"]);
        let comma = [("Okafor", Doctor, 0.9), (",", Doctor, 0.2), ("Rose", Doctor, 0.9)];
        assert_eq!(elected("Okafor, Rose", &[], &comma)[1], ["Okafor, Rose"]);
    }

    #[test]
    fn what_is_known_is_cut_to_words_that_stay() {
        use Label::Doctor;
        let sentence = "(Clinic of Okafor)";
        assert_eq!(
            elected(sentence, &[("(Clinic of Okafor)", Doctor, 0.4)], &[("Okafor", Doctor, 0.9)])[0],
            ["Okafor)"]
        );
        assert!(elected(sentence, &[("Clinic of Okafor", Doctor, 0.4)], &[])[0].is_empty());
        assert_eq!(elected(sentence, &[("Clinic of Okafor", Doctor, 0.6)], &[])[0], ["Clinic of Okafor"]);
        assert_eq!(elected("Okafor at 14:20", &[("14:20", Label::Time, 0.1)], &[])[0], ["14:20"]);
    }

    proptest! {
        #[test]
        fn nothing_is_claimed_that_nobody_claimed_and_what_is_exempt_stays(
            sentence in "[A-Za-zé ,.]{1,40}",
            known in prop::collection::vec((0_usize..40, 1_usize..9, 0.01f32..=1.0), 0..4),
            proposed in prop::collection::vec((0_usize..40, 1_usize..9, 0.01f32..=1.0), 0..6)
        ) {
            let on = |mut at: usize| { at = at.min(sentence.len()); while !sentence.is_char_boundary(at) { at -= 1; } at };
            let spans = |list: &[(usize, usize, f32)], detector| -> Vec<Span> {
                let made = list.iter().map(|&(start, length, score)| {
                    Span::new(on(start), on(start + length), Label::City, detector, score)
                });
                made.filter(|span| !span.is_empty()).collect()
            };
            let known = crate::phi::unite(spans(&known, Detector::Pattern));
            let proposed = vec![spans(&proposed, Detector::Transformer)];
            let words = Words::new(&sentence, &[&known, &proposed[0]], true);
            let (cut, joined) = elect(&by_second(), &sentence, known.clone(), &proposed, &words);
            let covers = |spans: &[Span], at: usize| spans.iter().any(|span| span.start <= at && at < span.end);
            for span in cut.iter().chain(&joined) {
                prop_assert!(!span.is_empty() && sentence.get(span.start..span.end).is_some());
            }
            for span in &cut {
                prop_assert!((span.start..span.end).all(|at| covers(&known, at)));
            }
            for span in known.iter().filter(|span| is_exempt(span)) {
                prop_assert!(cut.contains(span));
            }
        }
    }
}
