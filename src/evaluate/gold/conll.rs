//! CoNLL columns: a token a line, its tag in the last column, a blank line after each sentence.
//!
//! ```text
//! Rose    B-DOCTOR
//! Brown   I-DOCTOR        ─▶  "Rose Brown left\n", DOCTOR 0..10
//! left    O
//! ```

use super::{AnnotatedNote, Annotation, GoldError, without_mark};

/// Reads a file of columns, split at tabs where a line has one and else at spaces. The text is rebuilt: one space between
/// tokens, one line break after each sentence; offsets count it.
///
/// Tags may be IOB1, IOB2 or BIOES (also BILOU): B, S and U begin a span, and so does any other tag whose label is not that of
/// the span before it; E, L, S and U end one. `-DOCSTART-` begins a note; the notes of a file with several are called
/// `name-1`, `name-2` and so on.
///
/// # Errors
/// [`GoldError::Line`] where a line has no tag, or the tag is not of these schemes.
pub fn conll(name: &str, columns: &str) -> Result<Vec<AnnotatedNote>, GoldError> {
    let mut notes = vec![Building::default()];
    for (at, line) in without_mark(columns).split('\n').enumerate() {
        let line = line.trim_end();
        let current = notes.len() - 1;
        if line.trim().is_empty() {
            notes[current].end_sentence();
        } else if line.starts_with("-DOCSTART-") {
            notes[current].end_sentence();
            if !notes[current].text.is_empty() {
                notes.push(Building::default());
            }
        } else {
            let (token, tag) = fields(line)
                .ok_or(GoldError::Line { line: at + 1, reason: "a token without a tag; columns are token … tag" })?;
            let tag = Tag::parse(tag).ok_or(GoldError::Line {
                line: at + 1,
                reason: "a tag that is not O or one of B-, I-, E-, S-, L-, U-",
            })?;
            match (token.is_empty(), tag.label) {
                (false, _) => notes[current].push(token, tag),
                // A character that some step before has removed leaves its tag behind.
                (true, None) => {}
                (true, Some(_)) => return Err(GoldError::Line { line: at + 1, reason: "a label without a token" }),
            }
        }
    }
    if notes.len() > 1 && notes.last().is_some_and(|note| note.text.is_empty()) {
        notes.pop();
    }
    let several = notes.len() > 1;
    let named = notes.into_iter().enumerate().map(|(at, mut note)| {
        note.end_sentence();
        let note_id = if several { format!("{name}-{}", at + 1) } else { name.to_owned() };
        AnnotatedNote { note_id, text: Some(note.text), spans: note.spans }
    });
    Ok(named.collect())
}

/// The first column, which may be empty, and the last.
fn fields(line: &str) -> Option<(&str, &str)> {
    let (token, rest, separator) = if line.contains('\t') {
        let (token, rest) = line.split_once('\t')?;
        (token, rest, '\t')
    } else {
        let (token, rest) = line.split_once(' ')?;
        (token, rest, ' ')
    };
    let tag = rest.rsplit(separator).next()?.trim();
    (!tag.is_empty()).then_some((token.trim(), tag))
}

/// A tag: none for O.
struct Tag<'line> {
    label: Option<&'line str>,
    begins: bool,
    ends: bool,
}

impl<'line> Tag<'line> {
    fn parse(tag: &'line str) -> Option<Self> {
        if tag == "O" {
            return Some(Self { label: None, begins: false, ends: true });
        }
        let (scheme, label) = tag.split_once(['-', '_'])?;
        let (begins, ends) = match scheme {
            "B" => (true, false),
            "I" => (false, false),
            "E" | "L" => (false, true),
            "S" | "U" => (true, true),
            _ => return None,
        };
        (!label.is_empty()).then_some(Self { label: Some(label), begins, ends })
    }
}

#[derive(Default)]
struct Building {
    text: String,
    /// Code points of the text so far.
    length: usize,
    spans: Vec<Annotation>,
    /// Whether the last span may go on.
    open: bool,
    in_sentence: bool,
}

impl Building {
    fn push(&mut self, token: &str, tag: Tag<'_>) {
        if self.in_sentence {
            self.text.push(' ');
            self.length += 1;
        }
        self.in_sentence = true;
        let start = self.length;
        self.text.push_str(token);
        self.length += token.chars().count();
        if let Some(label) = tag.label {
            match self.spans.last_mut() {
                Some(last) if self.open && !tag.begins && last.label == label => last.end = self.length,
                _ => self.spans.push(Annotation { start, end: self.length, label: label.to_owned() }),
            }
        }
        self.open = !tag.ends;
    }

    fn end_sentence(&mut self) {
        if self.in_sentence {
            self.text.push('\n');
            self.length += 1;
        }
        self.in_sentence = false;
        self.open = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(note: &AnnotatedNote) -> Vec<(String, &str)> {
        let text = note.text.as_deref().unwrap();
        let words = |span: &Annotation| text.chars().take(span.end).skip(span.start).collect();
        note.spans.iter().map(|span| (words(span), span.label.as_str())).collect()
    }

    #[test]
    fn the_schemes_say_the_same() {
        let iob2 = "Zoë B-PER\nBrown I-PER\nAnn B-PER\nof O\nOslo B-LOC\n\nBonn B-LOC\n";
        let iob1 = "Zoë I-PER\nBrown I-PER\nAnn B-PER\nof O\nOslo I-LOC\n\nBonn I-LOC\n";
        let bioes = "Zoë\tx\tB-PER\nBrown\tx\tE-PER\nAnn\tx\tS-PER\nof\tx\tO\nOslo\tx\tU-LOC\n\r\n\nBonn\tx\tI-LOC";
        for columns in [iob2, iob1, bioes] {
            let notes = conll("n", columns).unwrap();
            assert_eq!(notes[0].text.as_deref(), Some("Zoë Brown Ann of Oslo\nBonn\n"));
            let expected = [("Zoë Brown", "PER"), ("Ann", "PER"), ("Oslo", "LOC"), ("Bonn", "LOC")];
            assert_eq!(words(&notes[0]), expected.map(|(words, label)| (words.to_owned(), label)));
        }
    }

    #[test]
    fn documents_and_labels_with_a_dash() {
        let columns = "-DOCSTART- -X- O\n\nA B-LOCATION-OTHER\n\n-DOCSTART- O\nB O\n";
        let notes = conll("f", columns).unwrap();
        assert_eq!(notes.iter().map(|note| note.note_id.as_str()).collect::<Vec<_>>(), ["f-1", "f-2"]);
        assert_eq!(notes[0].spans[0].label, "LOCATION-OTHER");
        assert_eq!(conll("f", "").unwrap().len(), 1);
        let marked = conll("f", "\u{feff}Rose B-X\n").unwrap();
        assert_eq!((marked[0].text.as_deref(), marked[0].spans[0].end), (Some("Rose\n"), 4));
        assert_eq!(conll("f", "A\tO\n\tO\nB\tO").unwrap()[0].text.as_deref(), Some("A B\n"));
    }

    #[test]
    fn what_is_wrong() {
        for (columns, line) in
            [("A O\nB", 2), ("A X-PER", 1), ("A PER", 1), ("A B-", 1), ("A O\n\nB Q", 3), ("A O\n\tB-PER", 2)]
        {
            assert!(
                matches!(conll("f", columns), Err(GoldError::Line { line: found, .. }) if found == line),
                "{columns}"
            );
        }
    }
}
