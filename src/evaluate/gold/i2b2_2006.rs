//! i2b2-2006: many notes a file, annotations inside the text.
//!
//! ```xml
//! <ROOT><RECORD ID="617"><TEXT>Seen by <PHI TYPE="DOCTOR">Rose Brown</PHI></TEXT></RECORD></ROOT>
//! ```

use quick_xml::events::Event;

use super::xml::XmlFile;
use super::{AnnotatedNote, Annotation, GoldError};

/// The note that is being read.
struct Open {
    note_id: String,
    text: Option<String>,
    /// Code points of the text so far.
    length: usize,
    spans: Vec<Annotation>,
    /// Where the annotations begin that have not ended, outermost first.
    begun: Vec<(usize, String)>,
    in_text: bool,
}

/// Reads a file of i2b2-2006. The offsets count the content of `TEXT` without the annotations' tags.
///
/// # Errors
/// Where the file is not well-formed, a record has no identifier or text, or an annotation no type or nothing in it.
pub fn i2b2_2006(xml: &str) -> Result<Vec<AnnotatedNote>, GoldError> {
    let mut file = XmlFile::new(xml);
    let (mut notes, mut open, mut depth) = (Vec::new(), None::<Open>, 0_usize);
    loop {
        let event = file.next()?;
        let line = file.line();
        match (&event, &mut open) {
            (Event::Start(element), note) => {
                depth += 1;
                let missing = |attribute| GoldError::Attribute { line, attribute };
                match (element.name().as_ref(), note) {
                    (b"RECORD", note) => {
                        let note_id = file.attribute(element, "ID")?.ok_or_else(|| missing("ID"))?;
                        *note = Some(Open::new(note_id));
                    }
                    (b"TEXT", Some(note)) => note.begin_text(),
                    (b"PHI", Some(note)) if note.in_text => {
                        let label = file.attribute(element, "TYPE")?.ok_or_else(|| missing("TYPE"))?;
                        note.begun.push((note.length, label));
                    }
                    _ => {}
                }
            }
            (Event::End(element), note) => {
                depth = depth.saturating_sub(1);
                match (element.name().as_ref(), note.as_mut()) {
                    (b"PHI", Some(note)) => note.end_annotation(line)?,
                    (b"TEXT", Some(note)) => note.in_text = false,
                    (b"RECORD", Some(_)) => notes.extend(note.take().map(Open::close).transpose()?),
                    _ => {}
                }
            }
            (Event::Eof, _) if depth == 0 => return Ok(notes),
            (Event::Eof, _) => return Err(file.malformed()),
            (_, Some(note)) if note.in_text => note.push(&file.characters(&event)?),
            _ => {}
        }
    }
}

impl Open {
    const fn new(note_id: String) -> Self {
        Self { note_id, text: None, length: 0, spans: Vec::new(), begun: Vec::new(), in_text: false }
    }

    fn begin_text(&mut self) {
        self.in_text = true;
        self.text.get_or_insert_default();
    }

    fn push(&mut self, characters: &str) {
        self.length += characters.chars().count();
        self.text.get_or_insert_default().push_str(characters);
    }

    fn end_annotation(&mut self, line: usize) -> Result<(), GoldError> {
        let Some((start, label)) = self.begun.pop() else { return Ok(()) };
        if start == self.length {
            return Err(GoldError::Offsets { line, start, end: start, length: self.length });
        }
        self.spans.push(Annotation { start, end: self.length, label });
        Ok(())
    }

    fn close(self) -> Result<AnnotatedNote, GoldError> {
        let text = self.text.ok_or(GoldError::MissingElement { element: "TEXT" })?;
        Ok(AnnotatedNote { note_id: self.note_id, text: Some(text), spans: self.spans })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_no_part_of_the_text() {
        let xml = "<?xml version=\"1.0\"?>\n<ROOT>\n<RECORD ID=\"617\">\n<TEXT>\n\
                   Zoë &amp; Dr. <PHI TYPE=\"DOCTOR\">Rose &lt;Brown</PHI>,\n\
                   <PHI TYPE=\"DATE\">3/4</PHI></TEXT>\n</RECORD>\n<RECORD ID=\"618\"><TEXT/></RECORD></ROOT>";
        let notes = i2b2_2006(xml).unwrap();
        let text = "\nZoë & Dr. Rose <Brown,\n3/4";
        assert_eq!((notes[0].note_id.as_str(), notes[0].text.as_deref()), ("617", Some(text)));
        let words: Vec<(String, &str)> = notes[0]
            .spans
            .iter()
            .map(|span| (text.chars().take(span.end).skip(span.start).collect(), span.label.as_str()))
            .collect();
        assert_eq!(words, [("Rose <Brown".to_owned(), "DOCTOR"), ("3/4".to_owned(), "DATE")]);
        assert_eq!((notes[1].text.as_deref(), notes[1].spans.len(), notes.len()), (Some(""), 0, 2));
    }

    #[test]
    fn what_is_wrong() {
        let record = |inside: &str| i2b2_2006(&format!("<ROOT>\n<RECORD ID='1'>{inside}</RECORD></ROOT>")).unwrap_err();
        assert_eq!(record("<TEXT>a <PHI>b</PHI></TEXT>"), GoldError::Attribute { line: 2, attribute: "TYPE" });
        assert_eq!(
            record("<TEXT>a<PHI TYPE='ID'></PHI></TEXT>"),
            GoldError::Offsets { line: 2, start: 1, end: 1, length: 1 }
        );
        assert_eq!(record(""), GoldError::MissingElement { element: "TEXT" });
        assert_eq!(i2b2_2006("<ROOT><RECORD/></ROOT>"), Err(GoldError::Attribute { line: 1, attribute: "ID" }));
        assert!(matches!(i2b2_2006("<ROOT><RECORD ID='1'>"), Err(GoldError::Xml { .. })));
        assert_eq!(i2b2_2006(""), Ok(vec![]));
    }
}
