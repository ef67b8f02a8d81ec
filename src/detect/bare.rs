//! What nothing but the dictionary says, and no transformer believes.
//!
//! ```text
//! "Ely negative, Craig normal"   Craig, a name by the dictionary, P(identifier) below a guess by the model     taken back
//! "Craig called back"            .4 by the model                                                               stays
//! "Dr. Craig agrees"             a title tells of it, whatever the model says                                  stays
//! ```
//!
//! A name of a list is as likely an eponym, a brand or an instrument, and no list has them all. A model that has read what stands
//! around it, and was taught its kind, is a better judge than the census.

use super::doubts::is_doubtful;
use super::learned::Family;
use super::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Claim, Detector, Label, Span};

/// Surer claims of the dictionary rest on more than the name of a person: a title, a role, a verb of persons.
const BARE: f32 = 0.7;
/// Likewise for places and sites, and for persons in capitals, which are told by less: `AKA "RED"`.
const BARER: f32 = 0.5;
/// A shorter word may be somebody's initials, or in capitals a site's.
const SHORTEST: (usize, usize) = (3, 4);
/// How many are called by a given name that hardly stands for anything else.
const COMMON: u32 = 50_000;
/// What a model gives less to it does not believe: chosen on notes that rules were made of.
const A_GUESS: f32 = 0.05;
/// What a model gives this much it has thought of, whatever vocabulary says against it.
const A_THOUGHT: f32 = 0.25;

/// Takes back what only the dictionary says of `known`, where it shares no byte with words that a transformer has `considered` or that any
/// trained member claims. `knows` tells whether a transformer was taught a label.
pub(super) fn take_back(
    sentence: &str,
    known: &mut Vec<Span>,
    considered: &[Span],
    learned: &[Vec<Span>],
    knows: impl Fn(Label) -> bool,
) {
    known.retain(|span| {
        let meets = |other: &Span| other.start < span.end && span.start < other.end;
        // Vocabulary is asked last: it is dear.
        let is_believed = |word: &Span| {
            let score = word.claims[0].score;
            let is_in_doubt = || is_bare(sentence, span) && is_doubtful(sentence, word);
            meets(word) && (score >= A_THOUGHT || score >= A_GUESS && !is_in_doubt())
        };
        !is_by_dictionary_alone(span)
            || considered.iter().any(is_believed)
            || learned.iter().flatten().any(meets)
            || !span.claims.iter().all(|claim| is_taught(claim.class.label, &knows))
            || is_full_name(sentence, span)
            || is_double_surname(sentence, span)
            || is_titled(sentence, span)
    });
}

/// Whether nothing but the dictionary claims a span.
pub(super) fn is_by_dictionary_alone(span: &Span) -> bool {
    span.claims.iter().all(|claim| claim.detector == Detector::Dictionary)
}

/// Whether a label, or one that is often taken for it, was taught.
fn is_taught(label: Label, knows: impl Fn(Label) -> bool) -> bool {
    Label::ALL.iter().any(|other| Family::of(*other) == Family::of(label) && knows(*other))
}

/// `Mr. Lane`, `DR. WEST`: nobody but a person has these titles, whatever a model has read.
fn is_titled(sentence: &str, span: &Span) -> bool {
    const TITLES: &str = "mr mrs ms mx miss dr drs prof";
    // `DrKowalczyk`: the blank may be lost.
    let head = sentence[..span.start].strip_suffix(' ').unwrap_or(&sentence[..span.start]);
    let title = head.trim_end_matches('.').rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    // `MR BRAIN`, `MS Contin`
    let is_written = head.ends_with('.') || title.ends_with(char::is_lowercase);
    is_written
        && title.starts_with(char::is_uppercase)
        && listed!(title, TITLES)
        && sentence[span.start..].starts_with(char::is_uppercase)
        && span.claims.iter().all(|claim| Family::of(claim.class.label) == Family::Person && claim.score >= BARE)
}

/// `Jerry Parkinson was seen`: a common given name before a surname, an eponym too. Who is called so is somebody, and a model has read the second
/// word as a disease more often than as a name.
fn is_full_name(sentence: &str, span: &Span) -> bool {
    const OTHER: WordFlags = WordFlags::MEDICAL.union(WordFlags::DRUG).union(WordFlags::EPONYM);
    let Some((first, rest)) = sentence[span.start..span.end].split_once(' ') else { return false };
    let info = |word: &str| Lexicon::shared().word(word);
    let given = info(first);
    let names = |claim: &Claim| Family::of(claim.class.label) == Family::Person && claim.score >= BARE;
    span.claims.iter().all(names)
        && first.starts_with(char::is_uppercase)
        && first.contains(char::is_lowercase)
        && given.given_count >= COMMON
        && !given.is_any(OTHER)
        && given.english_band() != Some(0)
        && rest.split([' ', '-']).all(|word| {
            let info = info(word);
            word.starts_with(char::is_uppercase) && (info.surname_count > 0 || info.is(WordFlags::EPONYM))
        })
}

/// `Kelly-Ryan`: two surnames of many with a hyphen between them, which are nobody's disease.
fn is_double_surname(sentence: &str, span: &Span) -> bool {
    const MANY: u32 = 20_000;
    let Some((first, second)) = sentence[span.start..span.end].split_once('-') else { return false };
    let is_one = |word: &str| {
        let info = Lexicon::shared().word(word);
        word.starts_with(char::is_uppercase) && info.surname_count >= MANY && !info.is(WordFlags::DRUG)
    };
    let names = |claim: &Claim| Family::of(claim.class.label) == Family::Person && claim.score >= BARE;
    let pair = &sentence[span.start..span.end];
    span.claims.iter().all(names) && is_one(first) && is_one(second) && Lexicon::shared().eponym(pair).is_none()
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
        claim.score <= most
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
        take_back(SENTENCE, &mut known, &considered, learned, |label| label != Label::Profession);
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
    fn full_names_stay_though_a_surname_is_an_eponym() {
        for (sentence, left) in [
            ("Jerry Parkinson was seen", true),
            ("John Foley was seen", true),
            ("Foley Parkinson was seen", false),
            ("JERRY PARKINSON WAS SEEN", false),
            ("Jerry parkinson was seen", false),
        ] {
            let end = sentence.find(" was").or_else(|| sentence.find(" WAS")).expect("it is there");
            let mut known = vec![Span::new(0, end, Label::Patient, Detector::Dictionary, 0.7)];
            take_back(sentence, &mut known, &[], &[], |_| true);
            assert_eq!(!known.is_empty(), left, "{sentence}");
        }
    }

    #[test]
    fn names_behind_a_title_stay() {
        for (sentence, left) in [
            ("Mr. Lane was seen", true),
            ("Mr Lane was seen", true),
            ("DR. Lane was seen", true),
            ("MR Lane was seen", false),
            ("pt Lane was seen", false),
            ("alarms. Lane was seen", false),
        ] {
            let start = sentence.find("Lane").expect("it is there");
            let mut known = vec![Span::new(start, start + 4, Label::Patient, Detector::Dictionary, 0.9)];
            take_back(sentence, &mut known, &[], &[], |_| true);
            assert_eq!(!known.is_empty(), left, "{sentence}");
        }
    }

    #[test]
    fn what_is_considered_claimed_or_told_otherwise_stays() {
        assert_eq!(left(craig(Detector::Dictionary, 0.7), craig(Detector::Transformer, 0.06), &[]), 1);
        assert_eq!(left(craig(Detector::Dictionary, 0.9), craig(Detector::Transformer, 0.04), &[]), 0);
        assert_eq!(left(craig(Detector::Dictionary, 0.7), vec![], &[craig(Detector::Crf, 0.9)]), 1);
        assert_eq!(left(craig(Detector::Pattern, 0.5), vec![], &[]), 1);
        assert_eq!(left(craig(Detector::Site, 1.0), vec![], &[]), 1, "the site's own list says so");
        let job = vec![Span::new(14, 19, Label::Profession, Detector::Dictionary, 0.5)];
        assert_eq!(left(job, vec![], &[]), 1, "a model that was taught no jobs says nothing of one");
        let both = [craig(Detector::Dictionary, 0.9), craig(Detector::Pattern, 0.5)].concat();
        assert_eq!(left(crate::phi::unite(both), vec![], &[]), 1);
    }
}
