//! i2b2-2014: one note a file, annotations beside the text.
//!
//! ```xml
//! <deIdi2b2><TEXT><![CDATA[Seen by Rose Brown]]></TEXT>
//! <TAGS><NAME id="P0" start="8" end="18" text="Rose Brown" TYPE="DOCTOR" comment="" /></TAGS></deIdi2b2>
//! ```

use quick_xml::events::{BytesStart, Event};

use super::xml::XmlFile;
use super::{AnnotatedNote, Annotation, CodePointText, GoldError, check_offsets, same_words};

/// An annotation as the file has it, before the text is known to the end.
struct Tag {
    line: usize,
    annotation: Annotation,
    words: Option<String>,
}

/// Reads a file of i2b2-2014. The label is the `TYPE`, or the element's name where there is none.
///
/// # Errors
/// Where the file is not well-formed, has no text, or has an annotation that does not fit it; `text=` is checked against the
/// offsets, line breaks and spaces being one.
pub fn i2b2_2014(note_id: &str, xml: &str) -> Result<AnnotatedNote, GoldError> {
    let mut file = XmlFile::new(xml);
    let mut text: Option<String> = None;
    let mut tags = Vec::new();
    let mut path: Vec<Vec<u8>> = Vec::new();
    loop {
        let event = file.next()?;
        match &event {
            Event::Start(element) => {
                if path.last().is_some_and(|parent| parent == b"TAGS") {
                    tags.push(tag(&file, element)?);
                }
                path.push(element.name().as_ref().to_vec());
                if path.last().is_some_and(|name| name == b"TEXT") {
                    text.get_or_insert_default();
                }
            }
            Event::End(_) => {
                path.pop();
            }
            Event::Eof if path.is_empty() => break,
            Event::Eof => return Err(file.malformed()),
            _ if path.last().is_some_and(|name| name == b"TEXT") => {
                let characters = file.characters(&event)?;
                text.get_or_insert_default().push_str(&characters);
            }
            _ => {}
        }
    }
    let text = text.ok_or(GoldError::MissingElement { element: "TEXT" })?;
    let spans = checked(&text, tags)?;
    Ok(AnnotatedNote { note_id: note_id.to_owned(), text: Some(text), spans })
}

fn tag(file: &XmlFile<'_>, element: &BytesStart<'_>) -> Result<Tag, GoldError> {
    let line = file.line();
    let number = |attribute: &'static str| {
        let value = file.attribute(element, attribute)?;
        value.and_then(|value| value.trim().parse().ok()).ok_or(GoldError::Attribute { line, attribute })
    };
    let label = match file.attribute(element, "TYPE")? {
        Some(label) if !label.is_empty() => label,
        _ => String::from_utf8_lossy(element.name().as_ref()).into_owned(),
    };
    let annotation = Annotation { start: number("start")?, end: number("end")?, label };
    Ok(Tag { line, annotation, words: file.attribute(element, "text")? })
}

fn checked(text: &str, tags: Vec<Tag>) -> Result<Vec<Annotation>, GoldError> {
    let text = CodePointText::new(text);
    tags.into_iter()
        .map(|Tag { line, annotation, words }| {
            let Annotation { start, end, .. } = annotation;
            check_offsets(&text, line, start, end)?;
            if words.is_some_and(|words| !same_words(&words, text.slice(start, end))) {
                return Err(GoldError::WordsDiffer { line, start, end });
            }
            Ok(annotation)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str, tags: &str) -> String {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<deIdi2b2>\n<TEXT>{text}</TEXT>\n<TAGS>\n{tags}\n</TAGS>\n</deIdi2b2>\n"
        )
    }

    #[test]
    fn offsets_are_code_points_of_the_text() {
        let xml = file(
            "<![CDATA[\nZoë Brown & co <MD>\r\nMay 4]]>",
            "<NAME id=\"P0\" start=\"1\" end=\"10\" text=\"Zoë Brown\" TYPE=\"PATIENT\" comment=\"\" />\n\
             <DATE id='P1' start='21' end='26' text='May 4' TYPE='DATE'></DATE>",
        );
        let note = i2b2_2014("110-01", &xml).unwrap();
        assert_eq!(note.text.as_deref(), Some("\nZoë Brown & co <MD>\nMay 4"));
        let expected = [
            Annotation { start: 1, end: 10, label: "PATIENT".to_owned() },
            Annotation { start: 21, end: 26, label: "DATE".to_owned() },
        ];
        assert_eq!(note.spans, expected);
    }

    #[test]
    fn escaped_text_and_words_over_a_line_break() {
        let xml = file("A &amp; B&#233;\nBrown", "<NAME start=\"4\" end=\"12\" text=\"Bé Brown\"/>");
        let note = i2b2_2014("n", &xml).unwrap();
        assert_eq!(note.text.as_deref(), Some("A & Bé\nBrown"));
        assert_eq!(note.spans[0].label, "NAME");
    }

    #[test]
    fn what_is_wrong_is_told_without_the_text() {
        let error = |text: &str, tags: &str| i2b2_2014("n", &file(text, tags)).unwrap_err();
        let one = |attributes: &str| error("Rose Brown", &format!("<NAME {attributes} TYPE=\"DOCTOR\"/>"));
        assert_eq!(one("start=\"0\" end=\"4\" text=\"Ross\""), GoldError::WordsDiffer { line: 5, start: 0, end: 4 });
        assert_eq!(one("start=\"0\" end=\"11\""), GoldError::Offsets { line: 5, start: 0, end: 11, length: 10 });
        assert_eq!(one("start=\"4\" end=\"4\""), GoldError::Offsets { line: 5, start: 4, end: 4, length: 10 });
        assert_eq!(one("start=\"-1\" end=\"4\""), GoldError::Attribute { line: 5, attribute: "start" });
        assert_eq!(one("start=\"1\""), GoldError::Attribute { line: 5, attribute: "end" });
        assert!(matches!(error("Rose &nobody; Brown", ""), GoldError::Xml { line: 3 }));
        assert!(matches!(error("Rose <B>Brown", ""), GoldError::Xml { .. }));
        assert!(matches!(i2b2_2014("n", "<deIdi2b2><TEXT>Rose"), Err(GoldError::Xml { .. })));
        assert_eq!(i2b2_2014("n", "<deIdi2b2/>"), Err(GoldError::MissingElement { element: "TEXT" }));
        assert_eq!(i2b2_2014("n", ""), Err(GoldError::MissingElement { element: "TEXT" }));
    }
}
