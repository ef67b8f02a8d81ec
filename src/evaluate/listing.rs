//! The errors of one note, each with its words and what stands around them.
//!
//! ```text
//! missed   112..118  DOCTOR            "…per protocol. Seen by [Rosario] at the desk…"
//! boundary  12..22   DOCTOR  12..16    "…Dr. [Rose Brown] called…"
//! ```
//!
//! **Confidential**: a listing quotes the note. It belongs into a private file and nowhere else.

use serde::Serialize;

use super::evaluator::check;
use super::matching::{Scored, scored_gold, scored_predicted};
use super::tokens::CodePointText;
use super::{EvaluateError, Mark, NoteUnderTest};

/// How many code points of context are shown on each side.
const CONTEXT: usize = 40;

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// A gold span that no predicted span overlaps.
    Missed,
    /// A gold span that predicted spans of other labels overlap, and none of its own.
    Mislabelled,
    /// A gold span that a predicted span of its label overlaps, with another start or end.
    Boundary,
    /// A predicted span that is neither right nor the counterpart of one of the errors above.
    Spurious,
    /// The same on a decoy.
    ScrubbedDecoy,
}

/// One side of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Place {
    /// First code point.
    pub start: usize,
    /// One past the last code point.
    pub end: usize,
    /// The label, with its sub-kind not told.
    pub label: &'static str,
}

impl From<&Scored> for Place {
    fn from(span: &Scored) -> Self {
        Self { start: span.start, end: span.end, label: span.class.label.name() }
    }
}

/// One error. Holds note text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedError {
    /// The note.
    pub note_id: String,
    /// What went wrong.
    pub error: ErrorKind,
    /// The gold span, for all but spurious ones.
    pub gold: Option<Place>,
    /// The predicted span, for all but missed ones.
    pub predicted: Option<Place>,
    /// The words of the gold span, or of the predicted one where there is none; on one line, like the context.
    pub words: String,
    /// Up to 40 code points before.
    pub before: String,
    /// Up to 40 code points after.
    pub after: String,
}

/// The errors of a note, in text order: every gold span that strict matching misses, once, and every predicted span that is
/// no counterpart of one of these and not right.
///
/// # Errors
/// As [`super::Evaluator::add_note`]; a note without text cannot be quoted.
pub fn list_errors(note: &NoteUnderTest<'_>) -> Result<Vec<ListedError>, EvaluateError> {
    let text = CodePointText::new(note.text.ok_or(EvaluateError::NoText)?);
    check(note, Some(&text))?;
    let gold = scored_gold(note.gold, Some(&text));
    let predicted = scored_predicted(note.predicted, Some(&text));
    let mut explained: Vec<bool> =
        predicted.iter().map(|predicted| gold.iter().any(|gold| same(gold, predicted))).collect();
    let mut found = Vec::new();
    for span in &gold {
        if predicted.iter().any(|predicted| same(span, predicted)) {
            continue;
        }
        let counterpart = counterpart(span, &predicted);
        if let Some(at) = counterpart {
            explained[at] = true;
        }
        let other = counterpart.map(|at| &predicted[at]);
        let kind = match other {
            None => ErrorKind::Missed,
            Some(other) if other.class.label == span.class.label => ErrorKind::Boundary,
            Some(_) => ErrorKind::Mislabelled,
        };
        found.push((kind, Some(span), other));
    }
    for (span, _) in predicted.iter().zip(&explained).filter(|(_, explained)| !**explained) {
        let on_decoy =
            note.gold.iter().any(|gold| gold.mark == Mark::Decoy && gold.start < span.end && span.start < gold.end);
        found.push((if on_decoy { ErrorKind::ScrubbedDecoy } else { ErrorKind::Spurious }, None, Some(span)));
    }
    let mut errors: Vec<ListedError> = found
        .into_iter()
        .filter_map(|(kind, gold, predicted)| listed(note.note_id, &text, kind, gold, predicted))
        .collect();
    errors.sort_by_key(|error| error.gold.or(error.predicted).map(|place| (place.start, place.end)));
    Ok(errors)
}

fn same(left: &Scored, right: &Scored) -> bool {
    (left.start, left.end, left.class.label) == (right.start, right.end, right.class.label)
}

/// The predicted span that overlaps a gold span: of its own label if there is one, of these the one that shares most.
fn counterpart(gold: &Scored, predicted: &[Scored]) -> Option<usize> {
    let shared = |span: &Scored| span.end.min(gold.end).saturating_sub(span.start.max(gold.start));
    let overlapping = predicted.iter().enumerate().filter(|(_, span)| shared(span) > 0);
    overlapping
        .max_by_key(|(at, span)| (span.class.label == gold.class.label, shared(span), std::cmp::Reverse(*at)))
        .map(|(at, _)| at)
}

fn listed(
    note_id: &str,
    text: &CodePointText,
    error: ErrorKind,
    gold: Option<&Scored>,
    predicted: Option<&Scored>,
) -> Option<ListedError> {
    let shown = gold.or(predicted)?;
    Some(ListedError {
        note_id: note_id.to_owned(),
        error,
        gold: gold.map(Place::from),
        predicted: predicted.map(Place::from),
        words: on_one_line(text.slice(shown.start, shown.end)),
        before: on_one_line(text.slice(shown.start.saturating_sub(CONTEXT), shown.start)),
        after: on_one_line(text.slice(shown.end, shown.end.saturating_add(CONTEXT))),
    })
}

/// Line breaks and other control characters as spaces.
fn on_one_line(text: &str) -> String {
    let is_break = |character: char| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
    text.chars().map(|character| if is_break(character) { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{GoldSpan, LabelledSpan};
    use crate::phi::Label;

    fn errors(text: &str, gold: &[GoldSpan], predicted: &[LabelledSpan]) -> Vec<ListedError> {
        let note = NoteUnderTest { note_id: "n", cluster: None, note_type: None, text: Some(text), gold, predicted };
        list_errors(&note).unwrap()
    }

    #[test]
    fn each_kind_of_error_once() {
        let text = "Zoë Brown\nof Austin, Foley in, May 4, Epley 9:30, seen";
        let gold = [
            GoldSpan::new(0, 9, Label::Patient),
            GoldSpan::new(13, 19, Label::City),
            GoldSpan::decoy(21, 26),
            GoldSpan::new(31, 36, Label::Date),
        ];
        let predicted = [
            LabelledSpan::new(0, 3, Label::Patient),
            LabelledSpan::new(4, 9, Label::Patient),
            LabelledSpan::new(13, 19, Label::State),
            LabelledSpan::new(21, 26, Label::Doctor),
            LabelledSpan::new(44, 48, Label::Time),
        ];
        let errors = errors(text, &gold, &predicted);
        let kinds: Vec<_> = errors.iter().map(|error| (error.error, error.words.as_str())).collect();
        let expected = [
            (ErrorKind::Spurious, "Zoë"),
            (ErrorKind::Boundary, "Zoë Brown"),
            (ErrorKind::Mislabelled, "Austin"),
            (ErrorKind::ScrubbedDecoy, "Foley"),
            (ErrorKind::Missed, "May 4"),
        ];
        assert_eq!(kinds, expected);
        assert_eq!(errors[2].predicted.unwrap().label, "STATE");
        assert_eq!(
            (errors[1].before.as_str(), errors[1].after.as_str()),
            ("", " of Austin, Foley in, May 4, Epley 9:30,")
        );
        assert_eq!(errors[4].before, "Zoë Brown of Austin, Foley in, ");
        assert!(errors[4].predicted.is_none() && errors[3].gold.is_none());
    }

    #[test]
    fn right_ones_are_not_listed_and_text_is_needed() {
        let gold = [GoldSpan::new(0, 5, Label::Date)];
        assert!(errors("May 4", &gold, &[LabelledSpan::new(0, 5, Label::Date)]).is_empty());
        let note =
            NoteUnderTest { note_id: "n", cluster: None, note_type: None, text: None, gold: &gold, predicted: &[] };
        assert_eq!(list_errors(&note), Err(EvaluateError::NoText));
        assert!(list_errors(&NoteUnderTest { text: Some("May"), ..note }).is_err());
    }
}
