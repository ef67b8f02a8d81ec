//! The view of a sentence that transformers are shown: what is known already stands there as one fixed value, long numbers as one
//! fixed number of their length.
//!
//! ```text
//! sentence  Electronically signed by [OKAFOR, GRACE] MD on [3/4/2019] at [14:02], BP 131/84
//! view      Electronically signed by  SMITH, JOHN    MD on  5/6/2017  at  10:30,  BP 271/84
//! ```
//!
//! Sentences that differ in known names, dates and in measurements only have one view and are judged once: the idea of the syntax
//! templates of Murugadoss et al. (2021), before there are templates. And a model meets a name that it knows where it would have to
//! guess at a rare one. But what nothing but the dictionary claims stays to be read. A sentence's context stands around it, each part in a
//! line of its own. Spans that are found in the view are led back to the sentence.

use std::ops::Range;

use super::bare;
use crate::phi::{Label, Span};
use crate::text::InContext;

/// What a long number becomes, cut to its length; longer ones repeat it.
const DIGITS: &[u8] = b"2718281828";
/// Digits from which on a number is long.
const LONG: usize = 3;

/// A sentence as models see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct View {
    pub(super) text: String,
    /// Where in it the sentence stands.
    body: Range<usize>,
    /// Stretches that are other than in the sentence: where in the view, where in the sentence.
    masked: Vec<(Range<usize>, Range<usize>)>,
}

impl View {
    /// The view of a sentence of which the united spans `known` are claimed already.
    pub(super) fn of(in_context: InContext<'_>, known: &[Span]) -> Self {
        let sentence = in_context.text;
        let mut view = Self { text: String::with_capacity(sentence.len()), body: 0..0, masked: Vec::new() };
        if !in_context.before.is_empty() {
            view.push_plain(in_context.before);
            view.text.push('\n');
        }
        view.body.start = view.text.len();
        let mut at = 0;
        for span in known {
            let Some(value) = value(sentence, span) else { continue };
            view.push_plain(&sentence[at..span.start]);
            let start = view.text.len();
            if sentence[span.start..span.end].contains(char::is_lowercase) {
                view.text.push_str(value);
            } else {
                view.text.push_str(&value.to_uppercase());
            }
            view.masked.push((start..view.text.len(), span.start..span.end));
            at = span.end;
        }
        view.push_plain(&sentence[at..]);
        view.body.end = view.text.len();
        if !in_context.after.is_empty() {
            view.text.push('\n');
            view.push_plain(in_context.after);
        }
        view
    }

    /// Text as it is, but for its long numbers, which stay in their places. Short ones are left: `3/10` is a score, `2/27` a date.
    fn push_plain(&mut self, text: &str) {
        let mut rest = text;
        while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
            let digits = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
            self.text.push_str(&rest[..start]);
            if digits < LONG {
                self.text.push_str(&rest[start..start + digits]);
            } else {
                self.text.extend(DIGITS.iter().cycle().take(digits).map(|&digit| char::from(digit)));
            }
            rest = &rest[start + digits..];
        }
        self.text.push_str(rest);
    }

    /// A span of the view as one of the sentence; what begins or ends inside a known span begins or ends with it. None for one of the
    /// context.
    pub(super) fn led_back(&self, span: Span) -> Option<Span> {
        let (start, end) = (span.start.max(self.body.start), span.end.min(self.body.end));
        if start >= end {
            return None;
        }
        let start = self.place(start, |original| original.start);
        let end = self.place(end - 1, |original| original.end - 1) + 1;
        Some(Span { start, end, ..span })
    }

    fn place(&self, at: usize, inside: impl Fn(&Range<usize>) -> usize) -> usize {
        let before = self.masked.partition_point(|(shown, _)| shown.end <= at);
        match self.masked.get(before).filter(|(shown, _)| shown.start <= at) {
            Some((_, original)) => inside(original),
            None => match before.checked_sub(1).map(|last| &self.masked[last]) {
                Some((shown, original)) => at - shown.end + original.end,
                None => at - self.body.start,
            },
        }
    }
}

/// What stands for a known span; none for one that stays as it is.
fn value(sentence: &str, span: &Span) -> Option<&'static str> {
    let joins = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    if joins(sentence[..span.start].chars().next_back()) || joins(sentence[span.end..].chars().next()) {
        return None;
    }
    // The model knows eponyms better than the dictionary, as long as it reads them.
    if bare::is_by_dictionary_alone(span) {
        return None;
    }
    let words = &sentence[span.start..span.end];
    let digits = words.bytes().filter(u8::is_ascii_digit).count();
    let value = match span.leading().class.label {
        Label::Patient | Label::Doctor if words.contains(',') => "Smith, John",
        Label::Patient | Label::Doctor if words.trim().contains(' ') => "John Smith",
        Label::Patient | Label::Doctor if words.len() > 3 => "Smith",
        Label::Date if digits > 5 => "5/6/2017",
        Label::Date if digits > 1 => "5/6",
        Label::Time if digits > 1 => "10:30",
        Label::Age if digits > 0 => "57",
        Label::Hospital if words.len() > 12 => "Mercy Hospital",
        Label::City => "Boston",
        Label::State if words.len() == 2 => "OH",
        Label::State => "Ohio",
        Label::Zip => "44113",
        Label::Street if words.len() > 8 => "12 Oak Street",
        Label::Phone | Label::Fax if digits > 6 => "216-555-0142",
        Label::Email => "jsmith@example.com",
        Label::Url => "www.example.com",
        Label::Ssn => "271-82-8182",
        number if number.is_number() && digits > 3 => "2718281",
        _ => return None,
    };
    Some(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::phi::{Detector, unite};

    fn span(start: usize, end: usize, label: Label) -> Span {
        Span::new(start, end, label, Detector::Pattern, 0.9)
    }

    #[test]
    fn known_names_and_numbers_are_shown_as_one() {
        let view = |sentence: &str, name: &str| {
            let start = sentence.find(name).unwrap();
            View::of(InContext::alone(sentence), &[span(start, start + name.len(), Label::Doctor)])
        };
        let one = view("Signed by OKAFOR, GRACE, BP 131/84 and Kay", "OKAFOR, GRACE");
        assert_eq!(one.text, "Signed by SMITH, JOHN, BP 271/84 and Kay");
        assert_eq!(view("Signed by LEE, BO, BP 120/84 and Kay", "LEE, BO").text, one.text);
        let kay = one.text.find("Kay").unwrap();
        let back = one.led_back(span(kay, kay + 3, Label::Patient)).unwrap();
        assert_eq!((back.start, back.end), (39, 42));
        let part = one.led_back(span(17, 21, Label::Patient)).unwrap();
        assert_eq!((part.start, part.end), (10, 23));
    }

    proptest! {
        #[test]
        fn every_place_leads_back_into_the_sentence(
            sentence in "[A-Za-z0-9é ,.]{1,40}",
            known in prop::collection::vec((0_usize..40, 1_usize..15, 0_usize..28), 0..4),
            (from, length) in (0_usize..60, 1_usize..9),
            (before, after) in (prop::sample::select(vec!["", "MRN 12345:"]), prop::sample::select(vec!["", "Ends é 9999"]))
        ) {
            let on = |text: &str, mut at: usize| { at = at.min(text.len()); while !text.is_char_boundary(at) { at -= 1; } at };
            let spans = known.iter().map(|&(start, length, label)| {
                span(on(&sentence, start), on(&sentence, start + length), Label::ALL[label])
            });
            let known = unite(spans.collect());
            let view = View::of(InContext { before, text: &sentence, after }, &known);
            let (start, end) = (on(&view.text, from), on(&view.text, from + length));
            if start < end && let Some(back) = view.led_back(span(start, end, Label::City)) {
                prop_assert!(back.start < back.end && sentence.get(back.start..back.end).is_some(), "{:?}", back);
            }
            let whole = view.led_back(span(0, view.text.len(), Label::City)).unwrap();
            prop_assert_eq!((whole.start, whole.end), (0, sentence.len()));
        }
    }
}
