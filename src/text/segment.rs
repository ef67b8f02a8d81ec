//! Lossless segmentation of clinical text.
//!
//! ```text
//! "HPI: Seen by Dr. Lee today. Feels well.\r\n  1. Aspirin 81 mg p.o. daily\n"
//!  └───────────┬────────────┘ └────┬────┘      └───────────┬──────────┘
//!          sentence            sentence                sentence          what lies between is white space
//! ```
//!
//! A line break ends a sentence unless the line was wrapped; inside a line `.`, `?` and `!` end one before something that can
//! begin another, except after abbreviations and initials. Every decision looks at the two lines around it only, but for a line
//! without any boundary, which is cut by length: so an edit moves no boundary of another line. Narrow as yet: tables and form fields are single lines, and a fragment's context is no part of its key.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

/// Raised whenever a boundary can fall elsewhere: part of the fingerprint of everything that is stored by sentence.
pub const SEGMENTER_VERSION: u32 = 2;

/// A sentence longer than this is cut at white space, where there is any.
const LONGEST: usize = 2_000;
/// A run of closing marks longer than this ends no sentence: it is a rule drawn with marks.
const MOST_CLOSING: usize = 32;
/// A line shorter than this was not wrapped before a lower-case word.
const WRAPPED_LOWER: usize = 30;
/// A line shorter than this was not wrapped before any other word.
const WRAPPED_ANY: usize = 60;

static ABBREVIATIONS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    include_str!("abbreviations.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect()
});

/// The sentences of a text, as byte ranges in order that neither overlap nor begin or end in white space.
/// What lies outside them is white space only.
pub fn sentences(text: &str) -> Sentences<'_> {
    Sentences { text, at: 0 }
}

/// Iterator of [`sentences`].
#[derive(Debug, Clone)]
pub struct Sentences<'t> {
    text: &'t str,
    at: usize,
}

impl Iterator for Sentences<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.at + self.text[self.at..].find(|character: char| !character.is_whitespace())?;
        let end = end_of_sentence(self.text, start);
        self.at = end;
        Some(start..start + self.text[start..end].trim_end().len())
    }
}

/// The end of the sentence that begins at `start`; more than `start`, for a visible character stands there. Looks no further
/// than [`LONGEST`], so that a text without any boundary costs no more than another.
fn end_of_sentence(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    // Whether a line was wrapped is told by its whole length, sentences before this one included.
    let mut line_start = memchr::memrchr(b'\n', &bytes[start.saturating_sub(LONGEST)..start])
        .map_or(start.saturating_sub(LONGEST), |at| start.saturating_sub(LONGEST) + at + 1);
    for (at, byte) in bytes.iter().enumerate().take(start + LONGEST + 1).skip(start) {
        match byte {
            b'\n' if is_wrapped(text, line_start, at) => line_start = at + 1,
            b'\n' => return at,
            b'.' | b'?' | b'!' => {
                if let Some(end) = stop(text, start, at) {
                    return end;
                }
            }
            _ => (),
        }
    }
    if bytes.len() - start > LONGEST { safe_cut(text, start) } else { bytes.len() }
}

/// Where the sentence ends if the mark at `at` ends it: after closing quotes and brackets, before white space and a beginning.
fn stop(text: &str, start: usize, at: usize) -> Option<usize> {
    let rest = &text[at + 1..];
    let is_closing = |character: &char| matches!(character, '.' | '?' | '!' | '"' | '\'' | ')' | ']' | '”' | '’');
    let closing = rest.chars().take(MOST_CLOSING).take_while(is_closing).map(char::len_utf8).sum::<usize>();
    let end = at + 1 + closing;
    let after = &text[end..];
    let gap = after.len() - after.trim_start_matches([' ', '\t']).len();
    if gap == 0 {
        return None;
    }
    let next = after[gap..].chars().next()?;
    let begins =
        next.is_uppercase() || next.is_numeric() || matches!(next, '"' | '“' | '(' | '[' | '-' | '*' | '•' | '_' | '#');
    if !begins || (text.as_bytes()[at] == b'.' && closing == 0 && is_abbreviation(&text[start..at])) {
        return None;
    }
    Some(end)
}

/// Whether a text ends in a word after which a full stop belongs to the word: an abbreviation, an initial, a list number.
fn is_abbreviation(before: &str) -> bool {
    let word_start = before
        .char_indices()
        .rev()
        .take_while(|(_, character)| character.is_alphanumeric() || *character == '.')
        .last()
        .map_or(before.len(), |(at, _)| at);
    let word = &before[word_start..];
    let mut characters = word.chars();
    match (characters.next(), characters.next()) {
        (None, _) => false,
        (Some(only), None) => only.is_uppercase() || matches!(only, 'b' | 'd') || before.len() == word.len(),
        _ if word.chars().all(char::is_numeric) => before.len() == word.len(),
        _ if word.len() > 8 => false,
        _ => word.contains('.') || ABBREVIATIONS.contains(word.to_lowercase().as_str()),
    }
}

/// Whether the line that ends at `line_end` goes on in the next one.
fn is_wrapped(text: &str, line_start: usize, line_end: usize) -> bool {
    let line = text.get(line_start..line_end).unwrap_or_default().trim_end();
    let stops = line.ends_with(['?', '!', ':', ';', '|'])
        || line.strip_suffix('.').is_some_and(|before| !is_abbreviation(before));
    if line.len() < WRAPPED_LOWER || stops || line.contains('\t') {
        return false;
    }
    let next = &text[line_end + 1..];
    let next = &next[..memchr::memchr(b'\n', next.as_bytes()).unwrap_or(next.len())];
    let Some(first) = next.chars().next() else { return false };
    if first.is_lowercase() {
        return !is_field(next);
    }
    let shouts = |line: &str| line.len() > 3 && line.chars().all(|character| !character.is_lowercase());
    line.len() >= WRAPPED_ANY
        && first.is_alphanumeric()
        && !is_field(next)
        && !is_listed(next)
        && (!shouts(next) || shouts(line))
}

/// Whether a line begins as a header or a form field does: a few words and a colon, which is not that of a clock time.
fn is_field(line: &str) -> bool {
    let bytes = line.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    memchr::memchr_iter(b':', &bytes[..bytes.len().min(40)])
        .any(|at| !(digit(at + 1) && at.checked_sub(1).is_some_and(digit)))
}

/// Whether a line begins as a list item does: `1.`, `2)`.
fn is_listed(line: &str) -> bool {
    let rest = line.trim_start_matches(|character: char| character.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with(['.', ')'])
}

/// A cut in a text with no boundary within [`LONGEST`] bytes: after the last white space before it, else between characters.
fn safe_cut(text: &str, start: usize) -> usize {
    let limit = (start + 1..=start + LONGEST).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    match text[start..limit].rfind(char::is_whitespace) {
        Some(space) if space > 0 => start + space,
        _ => limit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<&str> {
        sentences(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn sentences_of_a_line() {
        assert_eq!(
            cut("Feels well. No pain! Why? (See below.) Ok"),
            ["Feels well.", "No pain!", "Why?", "(See below.)", "Ok"]
        );
        assert_eq!(
            cut("Seen by Dr. Lee. J. Smith came, B.P. 120/80."),
            ["Seen by Dr. Lee.", "J. Smith came, B.P. 120/80."]
        );
        assert_eq!(
            cut("Dose 0.5 mg p.o. b.i.d. today. 3 tabs left."),
            ["Dose 0.5 mg p.o. b.i.d. today.", "3 tabs left."]
        );
        assert_eq!(cut("Go to www.site.org. Then call."), ["Go to www.site.org.", "Then call."]);
        assert_eq!(cut("Father b. 1921, d. 1999 in Troy. Well."), ["Father b. 1921, d. 1999 in Troy.", "Well."]);
    }

    #[test]
    fn line_breaks_end_sentences_unless_wrapped() {
        assert_eq!(
            cut("Name: Ann\r\nAge: 50\r\n\r\n 1. Aspirin\n2. Zinc"),
            ["Name: Ann", "Age: 50", "1. Aspirin", "2. Zinc"]
        );
        let wrapped = "The patient was seen in the clinic today with her daughter Mary\nSmith and has no complaints.";
        assert_eq!(cut(wrapped), [wrapped]);
        assert_eq!(cut("The patient was seen in clinic today\nand is well.").len(), 1);
        // A sentence that begins late in a wrapped line goes on, too; and the colon of a clock time makes no field.
        let late = "No fever or chills since the last visit, and eating well again. Mary\nSmith called at 10:30.";
        assert_eq!(cut(late)[1], "Mary\nSmith called at 10:30.");
        assert_eq!(cut("He came to the clinic on Tuesday and then again on Friday to see Dr.\nLee.").len(), 1);
        assert_eq!(
            cut("PATIENT TRANSFERRED BY AMBULANCE FROM THE COMMUNITY HOSPITAL OF LAKE\nCITY IN STABLE CONDITION").len(),
            1
        );
        assert_eq!(cut("The patient was seen in the clinic today with her daughter Mary here\nPlan: rest").len(), 2);
        assert_eq!(cut("Lisinopril 10 mg daily\nmetformin 500 mg").len(), 2);
    }

    #[test]
    fn long_lines_are_cut_at_white_space() {
        let words = "word ".repeat(10_000);
        assert!(
            sentences(&words).all(|range| range.len() <= LONGEST && words[range].split(' ').all(|word| word == "word"))
        );
        let run = "é".repeat(30_000);
        assert_eq!(sentences(&run).map(|range| range.len()).sum::<usize>(), run.len());
        let marks = "!".repeat(30_000);
        assert_eq!(sentences(&marks).map(|range| range.len()).sum::<usize>(), marks.len());
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "[A-Za-z0-9 .?!:,\\r\\n\\té”•]{0,300}|\\PC{0,80}") {
            let mut at = 0;
            for range in sentences(&text) {
                prop_assert!(range.start >= at && range.end > range.start);
                prop_assert!(text[at..range.start].chars().all(char::is_whitespace));
                prop_assert_eq!(text[range.clone()].trim(), &text[range.clone()]);
                at = range.end;
            }
            prop_assert!(text[at..].chars().all(char::is_whitespace));
        }

        #[test]
        fn a_paragraph_is_cut_alone_as_in_a_note(before in "[A-Za-z .\\n]{0,80}", text in "[A-Za-z0-9 .?!:,\\n]{0,200}") {
            let note = format!("{before}\n\n{text}");
            let alone: Vec<_> = cut(&text).into_iter().map(str::to_owned).collect();
            let together: Vec<_> = cut(&note).into_iter().map(str::to_owned).collect();
            prop_assert!(together.ends_with(&alone));
        }
    }
}
