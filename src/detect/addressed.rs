//! Towns of addresses that were also taken for persons.
//!
//! ```text
//! "Toledo, OH 43604"      [Toledo] is a town by the state and the code behind it, and [Toledo, OH] no more than a guess
//! "Dr. Toledo, OH 43604"  a title tells of a person
//! ```
//!
//! As of [`super::days`] the guess stays a claim.

use super::days::{guessed, is_guess, is_within};
use crate::lexicon::Lexicon;
use crate::phi::{Detector, Label, Span};

/// How sure a pattern is of a town before its state and its code.
const SURE: f32 = 0.95;
/// Between a town and its state, in bytes.
const WIDEST_GAP: usize = 2;

/// Makes guesses of what the dictionary claims of persons in towns and states of addresses, of claims that are not united yet.
pub(super) fn outrank_persons(sentence: &str, spans: &mut [Span]) {
    let is_told = |span: &Span, label: Label| {
        span.claims
            .iter()
            .any(|claim| claim.class.label == label && claim.detector == Detector::Pattern && claim.score >= SURE)
    };
    let told = |label| spans.iter().filter(move |span| is_told(span, label));
    let mut places = Vec::new();
    for town in told(Label::City) {
        let state = told(Label::State).find(|state| (town.end..=town.end + WIDEST_GAP).contains(&state.start));
        let Some(state) = state else { continue };
        // `Ruth Washington, PA 15301` may be somebody.
        if Lexicon::shared().city_in_state(&sentence[town.start..town.end], &sentence[state.start..state.end]) {
            places.extend([town.start..town.end, state.start..state.end]);
        }
    }
    if places.is_empty() {
        return;
    }
    for span in spans.iter_mut().filter(|span| is_guess(span)) {
        if !is_within(sentence, span, &places) {
            continue;
        }
        span.claims.iter_mut().for_each(|claim| *claim = guessed(claim));
        // Over the comma it would make one of a town and its state.
        if let Some(place) = places.iter().find(|place| place.contains(&span.start)) {
            span.end = span.end.min(place.end);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::{Ensemble, InclusionList, Templates};
    use crate::phi::Label;

    fn labels(text: &str) -> Vec<Label> {
        let ensemble = Ensemble::knowledge(InclusionList::default(), Templates::default());
        ensemble.detect_by_knowledge(text).iter().map(|span| span.leading().class.label).collect()
    }

    #[test]
    fn towns_are_nobody() {
        for text in [
            "Toledo, OH 43604",
            "Springfield, IL 62701-1234",
            "Madison, WI 53703",
            "Troy, NY 12180",
            "Jackson, MS 39201",
        ] {
            assert_eq!(labels(text), [Label::City, Label::State, Label::Zip], "{text}");
        }
    }

    #[test]
    fn who_has_a_title_or_a_credential_is_somebody() {
        assert_eq!(labels("Maria Kowalczyk, MD 31422"), [Label::Doctor, Label::State, Label::Zip]);
        assert_eq!(labels("Dr. Madison, WI 53703").first(), Some(&Label::Doctor));
    }
}
