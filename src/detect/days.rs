//! Days that were also taken for persons.
//!
//! ```text
//! "cosigned V Lamb, MD Jan 28"      [Jan 28] is a day by its form, so [Jan] is nobody
//! "since Mardi Gras"                a feast of two words is nobody either
//! "June called", "Easter came by"   one word may be both, and stays both
//! ```

use crate::phi::{Claim, Detector, Kind, Label, Span};

/// How sure a pattern is of what has the whole form of a day.
const SURE: f32 = 0.9;
/// A title tells of a person: `Dr. May 3/4`.
const TITLED: f32 = 1.0;

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

/// Takes back what the dictionary claims of persons within such days, of claims that are not united yet.
pub(super) fn take_back_persons(sentence: &str, spans: &mut Vec<Span>) {
    let guessed = |claim: &Claim| claim.detector == Detector::Dictionary && claim.score < TITLED;
    let is_guess = |span: &Span| is_person(span) && span.claims.iter().all(guessed);
    if !spans.iter().any(is_guess) {
        return;
    }
    let days: Vec<_> = spans.iter().filter(|span| is_day(sentence, span)).map(|day| day.start..day.end).collect();
    spans.retain(|span| !(is_guess(span) && days.iter().any(|day| day.start <= span.start && span.end <= day.end)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::Class;

    fn left(sentence: &str, day: &str, kind: Kind, name: &str, detector: Detector, score: f32) -> usize {
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
        take_back_persons(sentence, &mut spans);
        spans.len() - 1
    }

    #[test]
    fn nobody_is_called_a_day() {
        let dictionary = Detector::Dictionary;
        assert_eq!(left("MD Jan 28", "Jan 28", Kind::DatePartial, "Jan", dictionary, 0.7), 0);
        assert_eq!(left("on 14-JAN-2024", "14-JAN-2024", Kind::DateFull, "JAN", dictionary, 0.9), 0);
        assert_eq!(left("since Mardi Gras", "Mardi Gras", Kind::DateHoliday, "Mardi Gras", dictionary, 0.9), 0);
    }

    #[test]
    fn what_may_be_a_person_stays() {
        let dictionary = Detector::Dictionary;
        assert_eq!(left("June called", "June", Kind::DatePartial, "June", dictionary, 0.7), 1);
        assert_eq!(left("by Easter", "Easter", Kind::DateHoliday, "Easter", dictionary, 0.7), 1);
        assert_eq!(left("Dr. May 3", "May 3", Kind::DatePartial, "May", dictionary, 1.0), 1, "a title tells");
        assert_eq!(
            left("Jan 28 Lee", "Jan 28", Kind::DatePartial, "28 Lee", dictionary, 0.7),
            1,
            "it is more than the day"
        );
        assert_eq!(
            left("MD Jan 28", "Jan 28", Kind::DatePartial, "Jan", Detector::Record, 0.9),
            1,
            "the record says so"
        );
    }
}
