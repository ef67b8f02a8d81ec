//! brat standoff: the note in one file, its annotations in another.
//!
//! ```text
//! a.txt   Seen by Rose Brown
//! a.ann   T1<tab>DOCTOR 8 12;13 18<tab>Rose Brown      two parts, two spans
//! ```
//!
//! Give the text as it is on disk: a reader that turns `\r\n` into `\n` moves every offset behind it, and so does one that drops a byte
//! order mark.

use super::{
    AnnotatedNote, Annotation, BYTE_ORDER_MARK, CodePointText, GoldError, check_offsets, same_words, without_mark,
};

/// Reads a note of a brat corpus: text-bound annotations (`T`); relations, events, attributes, notes and equivalences are no
/// spans and are passed over. A discontinuous annotation becomes one span a part.
///
/// A byte order mark before the text is one of its code points here, as it is in the notes that are read from such files. Some tools do
/// not count it: where the words that annotations repeat fit only so, their offsets are moved behind it.
///
/// # Errors
/// Where a line is not as brat writes it, an annotation lies outside the text, or repeats other words than the text has there.
pub fn brat(note_id: &str, text: &str, annotations: &str) -> Result<AnnotatedNote, GoldError> {
    let annotations = without_mark(annotations);
    let spans = match (read_lines(text, annotations), text.strip_prefix(BYTE_ORDER_MARK)) {
        (Err(error), Some(rest)) => {
            let spans = read_lines(rest, annotations).map_err(|_| error)?;
            spans.into_iter().map(|span| Annotation { start: span.start + 1, end: span.end + 1, ..span }).collect()
        }
        (spans, _) => spans?,
    };
    Ok(AnnotatedNote { note_id: note_id.to_owned(), text: Some(text.to_owned()), spans })
}

fn read_lines(text: &str, annotations: &str) -> Result<Vec<Annotation>, GoldError> {
    let cut = CodePointText::new(text);
    let mut spans = Vec::new();
    for (at, line) in annotations.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match line.chars().next() {
            Some('T') => read_line(&cut, at + 1, line, &mut spans)?,
            Some('R' | 'E' | 'A' | 'M' | 'N' | '#' | '*') | None => {}
            Some(_) => return Err(GoldError::Line { line: at + 1, reason: "not a line of brat standoff" }),
        }
    }
    Ok(spans)
}

fn read_line(text: &CodePointText, number: usize, line: &str, spans: &mut Vec<Annotation>) -> Result<(), GoldError> {
    let fail = |reason| GoldError::Line { line: number, reason };
    let mut fields = line.splitn(3, '\t').skip(1);
    let place = fields.next().ok_or_else(|| fail("an annotation without label and offsets"))?;
    let (label, parts) = place.split_once(' ').ok_or_else(|| fail("an annotation without offsets"))?;
    let first = spans.len();
    let mut words = String::new();
    for part in parts.split(';') {
        let (start, end) = part.trim().split_once(' ').ok_or_else(|| fail("offsets are two numbers"))?;
        let number_of = |digits: &str| digits.trim().parse().map_err(|_| fail("offsets are two numbers"));
        let (start, end) = (number_of(start)?, number_of(end)?);
        check_offsets(text, number, start, end)?;
        words.push(' ');
        words.push_str(text.slice(start, end));
        spans.push(Annotation { start, end, label: label.to_owned() });
    }
    let (start, end) = (spans[first].start, spans[spans.len() - 1].end);
    match fields.next() {
        Some(repeated) if !same_words(repeated, &words) => Err(GoldError::WordsDiffer { line: number, start, end }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: usize, end: usize, label: &str) -> Annotation {
        Annotation { start, end, label: label.to_owned() }
    }

    #[test]
    fn parts_are_spans_and_other_lines_are_none() {
        let annotations = "T1\tNOMBRE 0 3;8 12\tZoë Ruiz\nR1\tOf Arg1:T1 Arg2:T2\n#1\tAnnotatorNotes T1\tx\n\nT2\tFECHAS 14 19\t3 May\r\n";
        let note = brat("n", "Zoë, la Ruiz\r\n3 May", annotations).unwrap();
        assert_eq!(note.spans, [span(0, 3, "NOMBRE"), span(8, 12, "NOMBRE"), span(14, 19, "FECHAS")]);
    }

    #[test]
    fn a_byte_order_mark_counts_in_the_text_whoever_counts_it() {
        let annotated = |text: &str, annotations: &str| brat("n", text, annotations).unwrap();
        assert_eq!(annotated("Rose", "\u{feff}T1\tX 0 4\tRose").spans, [span(0, 4, "X")]);
        assert_eq!(annotated("\u{feff}Rose", "T1\tX 1 5\tRose").spans, [span(1, 5, "X")]);
        let not_counted = annotated("\u{feff}Rose", "T1\tX 0 4\tRose");
        assert_eq!(not_counted.spans, [span(1, 5, "X")]);
        assert_eq!(not_counted.text.as_deref(), Some("\u{feff}Rose"));
        let neither = brat("n", "\u{feff}Rose", "T1\tX 2 4\tRose");
        assert_eq!(neither, Err(GoldError::WordsDiffer { line: 1, start: 2, end: 4 }));
    }

    #[test]
    fn words_over_a_line_break() {
        assert_eq!(brat("n", "Rose\nBrown", "T1\tX 0 10\tRose Brown").unwrap().spans, [span(0, 10, "X")]);
        assert_eq!(brat("n", "Rose", "").unwrap().spans, []);
    }

    #[test]
    fn what_is_wrong() {
        let error = |annotations: &str| brat("n", "Rose Brown", annotations).unwrap_err();
        assert_eq!(error("\nT1\tX 0 4\tRuse"), GoldError::WordsDiffer { line: 2, start: 0, end: 4 });
        assert_eq!(error("T1\tX 0 11\tRose"), GoldError::Offsets { line: 1, start: 0, end: 11, length: 10 });
        for line in ["T1", "T1\tX", "T1\tX 0", "T1\tX 0 four\tRose", "T1\tX 0 4;\tRose", "Xavier"] {
            assert!(matches!(error(line), GoldError::Line { line: 1, .. }), "{line}");
        }
    }
}
