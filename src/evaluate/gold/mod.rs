//! Annotated notes in the formats of published corpora.
//!
//! ```text
//! i2b2-2014 XML ─┐
//! i2b2-2006 XML ─┼─▶ AnnotatedNote (text, spans with foreign labels) ─ LabelMap ─▶ gold spans
//! brat standoff ─┤
//! CoNLL columns ─┘
//! ```
//!
//! Readers take the content of a file and nothing else; offsets are checked against the text, and where a format repeats the
//! words of an annotation they must be the words at its offsets. A byte order mark before annotations is no part of them.

mod brat;
mod conll;
mod i2b2_2006;
mod i2b2_2014;
mod xml;

pub use brat::brat;
pub use conll::conll;
pub use i2b2_2006::i2b2_2006;
pub use i2b2_2014::i2b2_2014;

use super::tokens::CodePointText;

/// A note as an annotated corpus has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedNote {
    /// The note's identifier, as the corpus or the file's name gives it.
    pub note_id: String,
    /// The text that the offsets count, where the format carries it.
    pub text: Option<String>,
    /// Its annotations, in the order of the file.
    pub spans: Vec<Annotation>,
}

/// A stretch of a note with a label of the corpus' own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// First code point.
    pub start: usize,
    /// One past the last code point.
    pub end: usize,
    /// The label as the corpus writes it; see [`super::LabelMap`].
    pub label: String,
}

/// Some editors put it before a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// What is wrong with an annotated file. Lines count from 1. Never holds note text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GoldError {
    /// Not well-formed XML.
    #[error("line {line}: not well-formed XML")]
    Xml {
        /// Where the reader stopped.
        line: usize,
    },
    /// An element that must be there is not.
    #[error("the file has no `{element}` element")]
    MissingElement {
        /// Its name.
        element: &'static str,
    },
    /// A format that no reader knows. What the element is called is not told: in a text with brackets it may be a word of the note.
    #[error("its outermost element is neither `deIdi2b2`, as of i2b2-2014, nor `ROOT` or `RECORD`, as of i2b2-2006")]
    Outermost,
    /// An attribute is missing, or is no number where one is wanted.
    #[error("line {line}: the annotation's attribute `{attribute}` is missing or not valid")]
    Attribute {
        /// Of the element.
        line: usize,
        /// Its name.
        attribute: &'static str,
    },
    /// An annotation outside the text, empty or reversed.
    #[error("line {line}: the annotation {start}..{end} does not fit the text, which has {length} code points")]
    Offsets {
        /// Of the annotation.
        line: usize,
        /// First code point.
        start: usize,
        /// One past the last code point.
        end: usize,
        /// Length of the text in code points.
        length: usize,
    },
    /// An annotation that repeats other words than those at its offsets.
    #[error("line {line}: the annotation {start}..{end} repeats other words than the text has there")]
    WordsDiffer {
        /// Of the annotation.
        line: usize,
        /// First code point.
        start: usize,
        /// One past the last code point.
        end: usize,
    },
    /// A line that is not as the format has it.
    #[error("line {line}: {reason}")]
    Line {
        /// Which.
        line: usize,
        /// What is wrong.
        reason: &'static str,
    },
}

/// Reads a file of either i2b2 corpus, told apart by its outermost element; `name` is that of the note where the file has only one.
///
/// # Errors
/// [`GoldError::Outermost`] for other XML, else those of [`i2b2_2014`] and [`i2b2_2006`].
pub fn i2b2(name: &str, xml: &str) -> Result<Vec<AnnotatedNote>, GoldError> {
    match xml::outermost(xml)?.as_deref() {
        Some(b"deIdi2b2") => i2b2_2014(name, xml).map(|note| vec![note]),
        Some(b"ROOT" | b"RECORD") => i2b2_2006(xml),
        _ => Err(GoldError::Outermost),
    }
}

/// Content from its first line on.
fn without_mark(content: &str) -> &str {
    content.strip_prefix(BYTE_ORDER_MARK).unwrap_or(content)
}

/// Refuses offsets that do not fit the text.
fn check_offsets(text: &CodePointText, line: usize, start: usize, end: usize) -> Result<(), GoldError> {
    if start < end && end <= text.len() {
        Ok(())
    } else {
        Err(GoldError::Offsets { line, start, end, length: text.len() })
    }
}

/// Whether two stretches are the same words: a line break in the text is a space where a format repeats it on one line.
fn same_words(left: &str, right: &str) -> bool {
    left.split_whitespace().eq(right.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every annotation that is let through lies in its text.
    fn assert_fits(note: &AnnotatedNote) {
        let length = note.text.as_deref().map_or(usize::MAX, |text| text.chars().count());
        assert!(note.spans.iter().all(|span| span.start < span.end && span.end <= length));
    }

    #[test]
    fn the_outermost_element_tells_the_corpus() {
        let of_2014 = "<deIdi2b2><TEXT>a</TEXT></deIdi2b2>";
        let of_2006 = "<ROOT><RECORD ID='7'><TEXT>see &lt;deIdi2b2</TEXT></RECORD></ROOT>";
        for mark in ["", "\u{feff}"] {
            let ids = |xml: &str| {
                let notes = i2b2("n", &format!("{mark}<?xml version='1.0'?>\n<!-- <deIdi2b2> -->\n{xml}")).unwrap();
                notes.into_iter().map(|note| note.note_id).collect::<Vec<_>>()
            };
            assert_eq!((ids(of_2014), ids(of_2006)), (vec!["n".to_owned()], vec!["7".to_owned()]));
        }
        for other in ["<MEDDOCAN><TEXT>a</TEXT></MEDDOCAN>", "<Rose>", "", "no element"] {
            assert_eq!(i2b2("n", other), Err(GoldError::Outermost), "{other}");
        }
    }

    proptest! {
        #[test]
        fn no_input_makes_a_reader_panic_or_lets_an_annotation_outside_its_text(
            text in "[aé😀 \r\n]{0,20}",
            lines in "([TR#X][0-9]{0,2}[\t ]?[A-Z]{0,3}[\t ;]?[0-9]{0,2}[ ;][0-9]{0,20}[\t ]?[aé]{0,3}\n?){0,4}",
            columns in "([aé-]{0,3}[ \t]{0,2}([BIESLUOX][-_]?[A-Z]{0,2})?\r?\n{0,2}){0,8}",
            xml in "(<[/?!]?(TEXT|TAGS|PHI|RECORD|N)( (ID|TYPE|start|end|text)=['\"]?[0-9aé&;-]{0,3}['\"]?){0,3}/?>|[aé&;<>\\]\\[]|<!\\[CDATA\\[|&amp;|\n){0,12}",
        ) {
            brat("n", &text, &lines).iter().for_each(assert_fits);
            conll("n", &columns).iter().flatten().for_each(assert_fits);
            i2b2_2014("n", &xml).iter().for_each(assert_fits);
            i2b2_2006(&xml).iter().flatten().for_each(assert_fits);
        }
    }
}
