//! Bare names of people, places and sites that no transformer gives a thought.
//!
//! ```text
//! "Ely negative, Craig normal"   Craig, a name by the dictionary, P(identifier) below the floor by the model    taken back
//! "Craig called back"            .4 by the model                                                               stays
//! "Dr. Craig agrees"             a title tells it, whatever the model says                                     stays
//! ```
//!
//! A name that stands alone is as likely an eponym, a brand or an instrument, and no list has them all. A model that has read what stands
//! around it and gives it less than [`FLOOR`](super::FLOOR) is a better judge than the census.

use super::doubts::is_doubtful;
use super::learned::Family;
use crate::phi::{Claim, Detector, Span};

/// Surer claims of the dictionary rest on more than the name of a person: a title, a role, a verb of persons.
const BARE: f32 = 0.7;
/// Likewise for places and sites, and for persons in capitals, which are told by less: `AKA "RED"`.
const BARER: f32 = 0.5;
/// A shorter word may be somebody's initials, or in capitals a site's.
const SHORTEST: (usize, usize) = (3, 4);
/// What a model gives this much it has thought of, whatever vocabulary says against it.
const A_THOUGHT: f32 = 0.25;

/// Takes back the bare names of `known` that share no byte with words that a transformer has `considered` or that any trained member claims.
pub(super) fn take_back(sentence: &str, known: &mut Vec<Span>, mut considered: Vec<Span>, learned: &[Vec<Span>]) {
    considered.retain(|word| word.claims[0].score >= A_THOUGHT || !is_doubtful(sentence, word));
    known.retain(|span| {
        let meets = |other: &Span| other.start < span.end && span.start < other.end;
        !is_bare(sentence, span) || considered.iter().any(meets) || learned.iter().flatten().any(meets)
    });
}

/// Whether nothing but the dictionary says that `words`, which are one, are a person's name.
pub(super) fn is_one_word(words: &str, span: &Span) -> bool {
    let by_name_alone = |claim: &Claim| claim.detector == Detector::Dictionary && claim.score <= BARE;
    span.claims.iter().all(by_name_alone) && !words.contains(' ')
}

/// Whether nothing but the dictionary says that one word with a capital is a name.
fn is_bare(sentence: &str, span: &Span) -> bool {
    let word = &sentence[span.start..span.end];
    let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
    let written = word.contains(char::is_lowercase);
    let by_name_alone = |claim: &Claim| {
        let most = match Family::of(claim.class.label) {
            Family::Person if written => BARE,
            Family::Person | Family::Place | Family::Site => BARER,
            _ => return false,
        };
        claim.detector == Detector::Dictionary && claim.score <= most
    };
    word.len() >= if written { SHORTEST.0 } else { SHORTEST.1 }
        && word.starts_with(char::is_uppercase)
        && word.chars().all(char::is_alphabetic)
        && span.claims.iter().all(by_name_alone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Label;

    const SENTENCE: &str = "Ely negative, Craig normal";

    fn left(spans: Vec<Span>, considered: Vec<Span>, learned: &[Vec<Span>]) -> usize {
        let mut known = spans;
        take_back(SENTENCE, &mut known, considered, learned);
        known.len()
    }

    fn craig(detector: Detector, score: f32) -> Vec<Span> {
        vec![Span::new(14, 19, Label::Patient, detector, score)]
    }

    #[test]
    fn a_bare_name_that_nobody_considers_is_none() {
        assert_eq!(left(craig(Detector::Dictionary, 0.7), vec![], &[]), 0);
        let other = vec![Span::new(4, 12, Label::Patient, Detector::Transformer, 0.5)];
        assert_eq!(left(craig(Detector::Dictionary, 0.7), other, &[vec![]]), 0);
    }

    #[test]
    fn what_is_considered_claimed_or_told_otherwise_stays() {
        assert_eq!(left(craig(Detector::Dictionary, 0.7), craig(Detector::Transformer, 0.02), &[]), 1);
        assert_eq!(left(craig(Detector::Dictionary, 0.7), vec![], &[craig(Detector::Crf, 0.9)]), 1);
        assert_eq!(left(craig(Detector::Dictionary, 0.8), vec![], &[]), 1);
        assert_eq!(left(craig(Detector::Pattern, 0.5), vec![], &[]), 1);
        let place = |score| vec![Span::new(14, 19, Label::City, Detector::Dictionary, score)];
        assert_eq!((left(place(0.6), vec![], &[]), left(place(0.5), vec![], &[])), (1, 0));
        let letters = vec![Span::new(0, 2, Label::Doctor, Detector::Dictionary, 0.5)];
        assert_eq!(left(letters, vec![], &[]), 1);
    }
}
