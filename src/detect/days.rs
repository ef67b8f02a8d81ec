//! Days that were also taken for persons.
//!
//! ```text
//! "cosigned V Lamb, MD Jan 28"      [Jan 28] is a day by its form, and [Jan] no more than a guess
//! "since Mardi Gras"                so is a feast of two words
//! "Monday, March 31, 2025"          so is a weekday beside its day, though both are names, too
//! "June called", "Easter came by"   one word may be both, and is what it is surest to be
//! ```
//!
//! The guess stays a claim, for a policy may keep days and remove persons; but it names nothing and is looked for nowhere else.

use std::ops::Range;

use crate::phi::{Claim, Detector, Kind, Label, Span};

/// How sure a pattern is of what has the whole form of a day.
const SURE: f32 = 0.9;
/// A title tells of a person: `Dr. May 3/4`.
const TITLED: f32 = 1.0;
/// What is left of the score of a guess: too little to name a span that a pattern is sure of.
const GUESSED: f32 = 0.5;

/// Whether patterns alone claim a span, as a day that has a number or is a feast of several words.
pub(super) fn is_day(sentence: &str, span: &Span) -> bool {
    let words = &sentence[span.start..span.end];
    let is_whole = |claim: &Claim| {
        let telling = words.contains(|letter: char| letter.is_ascii_digit())
            || claim.class.kind == Kind::DateHoliday && words.contains(' ');
        claim.class.label == Label::Date && claim.detector == Detector::Pattern && claim.score >= SURE && telling
    };
    span.claims.iter().all(is_whole)
}

/// Whether all claims are of a person.
pub(super) fn is_person(span: &Span) -> bool {
    span.claims.iter().all(|claim| claim.class.label.is_person())
}

/// The claim as a guess.
pub(super) fn guessed(claim: &Claim) -> Claim {
    Claim { score: claim.score.min(GUESSED), ..*claim }
}

/// Makes guesses of what the dictionary claims of persons within such days, of claims that are not united yet.
pub(super) fn outrank_persons(sentence: &str, spans: &mut [Span]) {
    if !spans.iter().any(is_guess) {
        return;
    }
    let is_told = |span: &&Span| is_day(sentence, span) || is_weekday(span);
    let range = |span: &Span| span.start..span.end;
    let days: Vec<_> = spans.iter().filter(is_told).map(range).collect();
    let whole: Vec<_> = spans.iter().filter(|span| is_day(sentence, span)).map(range).collect();
    for span in spans.iter_mut().filter(|span| is_guess(span)) {
        let meets = |day: &Range<usize>| day.start < span.end && span.start < day.end;
        if whole.iter().any(meets) && is_within(sentence, span, &days) {
            span.claims.iter_mut().for_each(|claim| *claim = guessed(claim));
        }
    }
}

/// Whether the dictionary alone claims a person, and no title tells of one.
pub(super) fn is_guess(span: &Span) -> bool {
    let is_of_dictionary = |claim: &Claim| claim.detector == Detector::Dictionary && claim.score < TITLED;
    is_person(span) && span.claims.iter().all(is_of_dictionary)
}

/// Whether every letter and digit of a span lies in one of some ranges.
pub(super) fn is_within(sentence: &str, span: &Span, ranges: &[Range<usize>]) -> bool {
    let mut letters = sentence[span.start..span.end].char_indices().filter(|(_, letter)| letter.is_alphanumeric());
    letters.all(|(at, _)| ranges.iter().any(|range| range.contains(&(span.start + at))))
}

/// Whether patterns alone claim a span, as a weekday.
fn is_weekday(span: &Span) -> bool {
    let is_weekday = |claim: &Claim| {
        claim.class.kind == Kind::DateWeekday && claim.detector == Detector::Pattern && claim.score >= SURE
    };
    span.claims.iter().all(is_weekday)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::{Class, unite};

    fn leading(sentence: &str, day: &str, kind: Kind, name: &str, detector: Detector, score: f32) -> Label {
        let at = |words: &str| {
            let start = sentence.find(words).expect("it is there");
            (start, start + words.len())
        };
        let ((start, end), (from, to)) = (at(day), at(name));
        let class = Class { label: Label::Date, kind };
        let mut spans = vec![
            Span::new(start, end, class, Detector::Pattern, 0.95),
            Span::new(from, to, Label::Doctor, detector, score),
        ];
        outrank_persons(sentence, &mut spans);
        let spans = unite(spans);
        assert_eq!(spans[0].claims.len(), 2, "nothing is lost");
        spans[0].leading().class.label
    }

    #[test]
    fn nobody_is_called_a_day() {
        let dictionary = Detector::Dictionary;
        assert_eq!(leading("MD Jan 28", "Jan 28", Kind::DatePartial, "Jan", dictionary, 0.7), Label::Date);
        assert_eq!(leading("on 14-JAN-2024", "14-JAN-2024", Kind::DateFull, "JAN", dictionary, 0.9), Label::Date);
        let feast = leading("since Mardi Gras", "Mardi Gras", Kind::DateHoliday, "Mardi Gras", dictionary, 0.9);
        assert_eq!(feast, Label::Date);
    }

    #[test]
    fn nobody_is_called_a_weekday_and_a_month() {
        let weekday = Class { label: Label::Date, kind: Kind::DateWeekday };
        let full = Class { label: Label::Date, kind: Kind::DateFull };
        let of_persons = |day: Class, score: f32| {
            let mut spans = vec![
                Span::new(0, 6, day, Detector::Pattern, 0.95),
                Span::new(8, 22, full, Detector::Pattern, 1.0),
                Span::new(0, 13, Label::Patient, Detector::Dictionary, score),
            ];
            outrank_persons("Monday, March 31, 2025", &mut spans);
            spans[2].claims[0].score
        };
        assert_eq!(of_persons(weekday, 0.8), GUESSED);
        assert_eq!(of_persons(weekday, 1.0), 1.0, "a title");
        let feast = Class { label: Label::Date, kind: Kind::DateHoliday };
        assert_eq!(of_persons(feast, 0.8), 0.8, "a feast of one word is no day by its form");
    }

    #[test]
    fn what_may_be_a_person_stays_one() {
        for (sentence, day, kind, name, detector, score) in [
            ("June called", "June", Kind::DatePartial, "June", Detector::Dictionary, 0.7),
            ("by Easter", "Easter", Kind::DateHoliday, "Easter", Detector::Dictionary, 0.7),
            ("Dr. May 3", "May 3", Kind::DatePartial, "May", Detector::Dictionary, 1.0),
            ("Jan 28 Lee", "Jan 28", Kind::DatePartial, "28 Lee", Detector::Dictionary, 0.7),
            ("MD Jan 28", "Jan 28", Kind::DatePartial, "Jan", Detector::Record, 0.9),
        ] {
            assert_eq!(leading(sentence, day, kind, name, detector, score), Label::Doctor, "{sentence}");
        }
    }
}
