//! The two templates of a sentence: what stands in it where nothing is claimed, and what is claimed of it.
//!
//! ```text
//! sentence   Electronically signed by: DEWEY, JONES K on 3/4/2019 at 2:02 PM
//! syntax     Electronically signed by: {W}, {W} {W} on {N}/{N}/{N} at {N}:{N} PM
//! NER        Electronically signed by: {B-DOCTOR}{I-DOCTOR} {I-DOCTOR} {I-DOCTOR} on {B-DATE:full}{I-DATE:full}… at {B-TIME}…
//! together   Electronically signed by: (?<DOCTOR>\p{Alphabetic}+, \p{Alphabetic}+ \p{Alphabetic}+) on (?<DATE_full>[0-9]+/…
//! ```
//!
//! W, N and A stand for a token of letters, of digits, and of both; a `{` of the sentence is written `{{`. In the NER template a
//! sign inside an identifier has a tag too, so that both templates together say where each identifier ends. The words of a clock
//! time stay: times are kept under every policy, and a name must not fit where `PM` stood.

use super::form::{Form, Part};
use super::run::Run;
use crate::phi::{Class, Kind, Label, Span};
use crate::text::{TokenKind, tokens};

/// The syntax template of a sentence: each token inside a span becomes `{W}`, `{N}` or `{A}`, all else stays.
///
/// `spans` are byte ranges of the sentence that do not overlap, in order, as [`crate::phi::unite`] gives them. None where no
/// template can stand for the sentence: a span ends inside a run of letters or of digits, or holds digits that are not ASCII's, a
/// year is not just a number of four digits, or the spans are no such ranges.
///
/// ```
/// use plainsight::detect::template::{ner_template, syntax_template};
/// use plainsight::phi::{Detector, Label, Span};
/// let sentence = "Seen by Rose, RN on 3/4 {x}";
/// let span = |start, end, label: Label| Span::new(start, end, label, Detector::Pattern, 1.0);
/// let spans = [span(8, 16, Label::Doctor), span(20, 23, Label::Date)];
/// assert_eq!(syntax_template(sentence, &spans).unwrap(), "Seen by {W}, {W} on {N}/{N} {{x}");
/// assert_eq!(
///     ner_template(sentence, &spans).unwrap(),
///     "Seen by {B-DOCTOR}{I-DOCTOR} {I-DOCTOR} on {B-DATE}{I-DATE}{I-DATE} {{x}"
/// );
/// ```
pub fn syntax_template(sentence: &str, spans: &[Span]) -> Option<String> {
    let replace = |piece: &Piece, template: &mut String| match piece.slot {
        Some(run) => template.push_str(placeholder(run)),
        None => push_text(template, &sentence[piece.start..piece.end]),
    };
    Some(with_pieces_replaced(sentence, &pieces(sentence, spans)?, replace))
}

/// The NER template of a sentence: each token inside a span becomes the IOB2 tag of the class that leads there, all else stays.
///
/// `spans` are as in [`syntax_template`]; none where that gives none.
pub fn ner_template(sentence: &str, spans: &[Span]) -> Option<String> {
    let replace = |piece: &Piece, template: &mut String| {
        template.push_str(if piece.begins { "{B-" } else { "{I-" });
        template.push_str(&piece.class.to_string());
        template.push('}');
    };
    Some(with_pieces_replaced(sentence, &pieces(sentence, spans)?, replace))
}

/// The form that a syntax template and a NER template of the same sentence give together; none where they are not of one sentence,
/// or no regular expression could tell where a slot ends.
///
/// A class whose kind depends on what stands in the slot loses it, for another value may be of another kind: a slot that held
/// ages of up to 89 years is for any age, and one that held weekdays for any word of a date.
pub(super) fn form_of(syntax: &str, ner: &str) -> Option<Form> {
    let (mut parts, mut gap, mut open) = (Vec::new(), Vec::new(), None);
    let mut tags = atoms(ner)?.into_iter();
    for atom in atoms(syntax)? {
        let part = match atom {
            Atom::Placeholder(name) => Part::Run(run_of(name)?),
            Atom::Text(text) => Part::Text(text.to_owned()),
        };
        match tags.next()? {
            Atom::Placeholder(tag) => {
                let (begins, class) = class_of_tag(tag)?;
                if begins || open != Some(class) {
                    if open.is_some() {
                        parts.push(Part::Close);
                    }
                    parts.append(&mut gap);
                    parts.push(Part::Open(class));
                    open = Some(class);
                }
                parts.append(&mut gap);
                parts.push(match part {
                    Part::Run(run) => Part::Run(fitted(run, class)?),
                    part => part,
                });
            }
            Atom::Text(text) if part == Part::Text(text.to_owned()) => gap.push(part),
            Atom::Text(_) => return None,
        }
    }
    if open.is_some() {
        parts.push(Part::Close);
    }
    parts.append(&mut gap);
    for parts in parts.split_mut(|part| *part == Part::Close) {
        let is_time = |part: &Part| matches!(part, Part::Open(class) if class.label == Label::Time);
        let begin = parts.iter().position(is_time).unwrap_or(parts.len());
        shorten_clock(parts[begin..].iter_mut().filter_map(Part::run_mut));
    }
    if tags.next().is_some() { None } else { Form::new(parts) }
}

/// Of several numbers, as a clock time has them, each is of two digits at most.
fn shorten_clock<'r>(runs: impl Iterator<Item = &'r mut Run>) {
    let mut numbers: Vec<_> = runs.filter(|run| **run == Run::ShortDigits).collect();
    if numbers.len() > 1 {
        numbers.iter_mut().for_each(|number| **number = Run::ClockDigits);
    }
}

/// Whether anything is claimed in the sentences of a NER template.
pub(super) fn has_tags(ner: &str) -> bool {
    atoms(ner).is_none_or(|atoms| atoms.iter().any(|atom| matches!(atom, Atom::Placeholder(_))))
}

/// A token or part of one inside a span.
struct Piece {
    start: usize,
    end: usize,
    /// Whether it is the first of its span.
    begins: bool,
    class: Class,
    /// What it is to become; none where it stays.
    slot: Option<Run>,
}

fn pieces(sentence: &str, spans: &[Span]) -> Option<Vec<Piece>> {
    let (mut pieces, mut free) = (Vec::new(), 0);
    for span in spans {
        let text = sentence.get(span.start..span.end).filter(|_| span.start >= free)?;
        // Asked for what it refuses: the written class keeps its kind.
        class_in_template(span)?;
        let class = span.leading().class;
        let first = pieces.len();
        for token in tokens(text) {
            let (start, end) = (span.start + token.start, span.start + token.end);
            match class.label {
                Label::Time if token.kind != TokenKind::Punctuation => {
                    push_clock(&mut pieces, sentence, (start, end), class)?
                }
                _ => {
                    let slot = slot_of(token.kind).map(|run| fitted(run, class).ok_or(())).transpose().ok()?;
                    pieces.push(Piece { start, end, begins: false, class, slot });
                }
            }
        }
        if class.label == Label::Time {
            shorten_clock(pieces[first..].iter_mut().filter_map(|piece| piece.slot.as_mut()));
        }
        pieces.get_mut(first)?.begins = true;
        free = span.end;
    }
    let is_whole = |piece: &Piece| piece.slot.is_none_or(|run| run.end(sentence, piece.start) == Some(piece.end));
    let is_apart = |pair: &[Piece]| match (pair[0].slot, pair[1].slot) {
        (Some(run), Some(next)) => pair[0].end < pair[1].start || run.is_apart_from(next),
        _ => true,
    };
    (pieces.iter().all(is_whole) && pieces.windows(2).all(is_apart)).then_some(pieces)
}

const fn slot_of(kind: TokenKind) -> Option<Run> {
    match kind {
        TokenKind::Word => Some(Run::Letters),
        TokenKind::Number => Some(Run::Digits),
        TokenKind::Alphanumeric => Some(Run::Mixed),
        TokenKind::Punctuation => None,
    }
}

/// What can stand in a slot of a class: numbers that a policy may keep are short, and no word may stand where they stood.
fn fitted(run: Run, class: Class) -> Option<Run> {
    match (class.label == Label::Time || class.kind == Kind::DateYear, run) {
        (false, run) => Some(run),
        (true, Run::Digits) => Some(Run::ShortDigits),
        (true, _) => None,
    }
}

/// The numbers of a clock time become slots and its words stay: `1402h` is a number and a word.
fn push_clock(pieces: &mut Vec<Piece>, sentence: &str, (start, end): (usize, usize), class: Class) -> Option<()> {
    let is_letter = |character: char| character.is_alphabetic();
    let mut at = start;
    while let Some(first) = sentence[at..end].chars().next() {
        let is_word = is_letter(first);
        let piece = &sentence[at..end];
        let length = piece.find(|character| is_letter(character) != is_word).unwrap_or(piece.len());
        let is_cut = sentence[at + length..].starts_with(is_letter) || sentence[..at].ends_with(is_letter);
        if is_word && is_cut {
            return None;
        }
        let slot = (!is_word).then_some(Run::ShortDigits);
        pieces.push(Piece { start: at, end: at + length, begins: false, class, slot });
        at += length;
    }
    Some(())
}

fn with_pieces_replaced(sentence: &str, pieces: &[Piece], replace: impl Fn(&Piece, &mut String)) -> String {
    let (mut template, mut at) = (String::with_capacity(sentence.len() + 16 * pieces.len()), 0);
    for piece in pieces {
        push_text(&mut template, &sentence[at..piece.start]);
        replace(piece, &mut template);
        at = piece.end;
    }
    push_text(&mut template, &sentence[at..]);
    template
}

fn push_text(template: &mut String, text: &str) {
    template.push_str(&text.replace('{', "{{"));
}

const fn placeholder(run: Run) -> &'static str {
    match run {
        Run::Letters | Run::AsciiLetters | Run::AsciiCapitals => "{W}",
        Run::Digits | Run::ShortDigits | Run::ClockDigits | Run::AnyDigits => "{N}",
        Run::Mixed => "{A}",
    }
}

fn run_of(name: &str) -> Option<Run> {
    match name {
        "W" => Some(Run::Letters),
        "N" => Some(Run::Digits),
        "A" => Some(Run::Mixed),
        _ => None,
    }
}

/// Whether a tag begins an identifier, and of what class it is.
fn class_of_tag(tag: &str) -> Option<(bool, Class)> {
    let (position, name) = tag.split_once('-')?;
    let class = name.parse().or_else(|_| Label::or_site(name).map(Class::of)).ok()?;
    match position {
        "B" => Some((true, widened(class))),
        "I" => Some((false, widened(class))),
        _ => None,
    }
}

fn widened(class: Class) -> Class {
    match class.kind {
        Kind::AgeOver89 | Kind::AgeUpTo89 => Class::of(Label::Age),
        Kind::DateWeekday | Kind::DateHoliday | Kind::DateSeason => Class::of(Label::Date),
        _ => class,
    }
}

/// What the span's class becomes in a template; none where its claims are of several labels: a policy may keep one of them and must
/// remove it for another, and a slot has only one.
pub(super) fn class_in_template(span: &Span) -> Option<Class> {
    let label = span.claims.first()?.class.label;
    let is_one = span.claims.iter().all(|claim| claim.class.label == label);
    is_one.then(|| widened(span.leading().class))
}

/// One element of a template as it is written.
enum Atom<'t> {
    /// What stands between braces.
    Placeholder(&'t str),
    /// A run of letters, or one other character.
    Text(&'t str),
}

fn atoms(template: &str) -> Option<Vec<Atom<'_>>> {
    let (mut atoms, mut rest) = (Vec::new(), template);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '{' if rest.starts_with("{{") => {
                atoms.push(Atom::Text("{"));
                2
            }
            '{' => {
                let name = rest[1..].split_once('}')?.0;
                atoms.push(Atom::Placeholder(name));
                name.len() + 2
            }
            _ => {
                let word = rest.find(|character: char| !character.is_alphabetic()).unwrap_or(rest.len());
                let length = word.max(first.len_utf8());
                atoms.push(Atom::Text(&rest[..length]));
                length
            }
        };
        rest = &rest[length..];
    }
    Some(atoms)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::phi::{Detector, unite};

    /// The sentence of an example as in a file, with its spans.
    fn spans(example: &str) -> (String, Vec<Span>) {
        let (sentence, slots) = super::super::file::marked_up(example).unwrap();
        let span = |(start, end, class)| Span::new(start, end, class, Detector::Pattern, 1.0);
        (sentence, slots.into_iter().map(span).collect())
    }

    fn templates(example: &str) -> Option<(String, String, Option<String>)> {
        let (sentence, spans) = spans(example);
        let (syntax, ner) = (syntax_template(&sentence, &spans)?, ner_template(&sentence, &spans)?);
        let pattern = form_of(&syntax, &ner).and_then(|form| form.pattern());
        Some((syntax, ner, pattern))
    }

    #[test]
    fn both_templates_make_the_expression() {
        let (syntax, ner, pattern) =
            templates("Signed: [DOCTOR DEWEY, J K7] on [DATE:full 3/4/19] at [TIME 2:02 PM], [AGE:up-to-89 65]yo {W}")
                .unwrap();
        assert_eq!(syntax, "Signed: {W}, {W} {A} on {N}/{N}/{N} at {N}:{N} PM, {N}yo {{W}");
        assert!(ner.starts_with("Signed: {B-DOCTOR}{I-DOCTOR} {I-DOCTOR} {I-DOCTOR} on {B-DATE:full}{I-DATE:full}"));
        assert!(ner.ends_with(" at {B-TIME}{I-TIME}{I-TIME} {I-TIME}, {B-AGE:up-to-89}yo {{W}"));
        let mixed = Run::Mixed.expression();
        assert_eq!(
            pattern.unwrap(),
            format!(
                "Signed: (?<DOCTOR>\\p{{Alphabetic}}+, \\p{{Alphabetic}}+ {mixed}) on (?<DATE_full>[0-9]+/[0-9]+/[0-9]+) at \
                 (?<TIME>[0-9]{{1,2}}:[0-9]{{1,2}} PM), (?<AGE>[0-9]+)yo \\{{W\\}}"
            )
        );
    }

    #[test]
    fn neighbours_stay_apart() {
        let (_, _, pattern) = templates("[[[DOCTOR Rose][DATE 7][DOCTOR Lee] [DOCTOR Ann]]").unwrap();
        let letters = Run::Letters.expression();
        assert_eq!(
            pattern.unwrap(),
            format!(r"\[(?<DOCTOR>{letters})(?<DATE>[0-9]+)(?<DOCTOR2>{letters}) (?<DOCTOR3>{letters})\]")
        );
    }

    #[test]
    fn what_no_template_can_stand_for() {
        for example in [
            "Dr. [DOCTOR Ro]se",
            "[DOCTOR Ro][DOCTOR se]",
            "[DATE 1]2",
            "[IDNUM K7]b",
            "[DOCTOR PM][AGE 65yo]",
            "[DATE ٣]",
            "[TIME 12345]",
            "[TIME 12:345]",
            "[DATE:year 12345]",
            "[DATE:year MMX]",
            "[TIME 2p]m",
        ] {
            assert!(templates(example).is_none(), "{example}");
        }
        let (sentence, mut found) = spans("Seen by [DOCTOR Rose Lee]");
        for (start, end) in [(9, 9), (8, 99), (9, 8), (8, 11)] {
            (found[0].start, found[0].end) = (start, end);
            assert!(syntax_template(&sentence, &found).is_none());
        }
        for (syntax, ner) in [
            ("{W} a", "{B-DOCTOR} b"),
            ("{W}", "{W}"),
            ("{W} ", "{B-DOCTOR}"),
            ("{X}", "{B-AGE}"),
            ("{W", "{B-AGE"),
            ("{W}", "{B-TIME}"),
        ] {
            assert!(form_of(syntax, ner).is_none(), "{syntax}");
        }
    }

    fn sentence_with_spans() -> impl Strategy<Value = (String, Vec<Span>)> {
        let text = "(Rose|O'Brien|3/4|2:02 PM|K7|65yo|\\{W\\}|\\{\\{|\\[|\\]|[{}]|é|٣|, | |\\.|\n){0,12}|\\PC{0,24}";
        (text, prop::collection::vec((0_usize..40, 1_usize..12, 0_usize..Label::ALL.len() + Kind::ALL.len()), 0..4))
            .prop_map(|(text, ranges)| {
                let boundary =
                    |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
                let kinds = Kind::ALL.iter().filter_map(|&kind| Some(Class { label: kind.label()?, kind }));
                let classes: Vec<Class> = Label::ALL.iter().map(|&label| Class::of(label)).chain(kinds).collect();
                let spans = ranges.into_iter().map(|(start, length, class)| {
                    let class = classes[class % classes.len()];
                    Span::new(boundary(start), boundary(start + length), class, Detector::Pattern, 1.0)
                });
                let united = unite(spans.collect());
                (text, united)
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        /// A sentence is of the form that its templates give, and the slots are its spans.
        #[test]
        fn a_form_reads_its_own_sentence((sentence, spans) in sentence_with_spans()) {
            let (syntax, ner) = (syntax_template(&sentence, &spans), ner_template(&sentence, &spans));
            prop_assert_eq!(syntax.is_some(), ner.is_some());
            let (Some(syntax), Some(ner)) = (syntax, ner) else { return Ok(()) };
            let form = form_of(&syntax, &ner);
            prop_assert!(form.is_some(), "{:?} {:?}", syntax, ner);
            let read = form.unwrap().read(&sentence);
            let expected = spans.iter().map(|span| {
                let text = &sentence[span.start..span.end];
                let start = span.end - text.trim_start().len();
                (start, start + text.trim().len(), class_in_template(span).unwrap())
            });
            prop_assert_eq!(read, Some(expected.collect()));
        }

        /// No two sentences without spans share a template, whatever braces they hold.
        #[test]
        fn text_is_never_a_placeholder(one in "[{}WNA]{0,6}", other in "[{}WNA]{0,6}") {
            prop_assert_eq!(syntax_template(&one, &[]) == syntax_template(&other, &[]), one == other);
            prop_assert!(atoms(&syntax_template(&one, &[]).unwrap()).unwrap().iter().all(|atom| matches!(atom, Atom::Text(_))));
        }

        #[test]
        fn any_templates_are_safe(syntax in "(\\{W\\}|\\{\\{|\\{|\\}|N| ){0,8}|\\PC{0,12}", ner in "(\\{B-AGE\\}|\\{I-AGE\\}|\\{| ){0,8}|\\PC{0,12}") {
            let _ = form_of(&syntax, &ner);
        }
    }
}
