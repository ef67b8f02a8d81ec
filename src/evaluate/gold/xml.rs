//! What the two XML readers share: text content and lines.

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::{GoldError, without_mark};

/// The name of the outermost element; none where there is no element.
pub(super) fn outermost(xml: &str) -> Result<Option<Vec<u8>>, GoldError> {
    let mut file = XmlFile::new(xml);
    loop {
        match file.next()? {
            Event::Start(element) => return Ok(Some(element.name().as_ref().to_vec())),
            Event::Eof => return Ok(None),
            _ => {}
        }
    }
}

/// An XML file that is read event by event, knowing its lines.
pub(super) struct XmlFile<'xml> {
    xml: &'xml str,
    reader: Reader<&'xml [u8]>,
}

impl<'xml> XmlFile<'xml> {
    pub(super) fn new(xml: &'xml str) -> Self {
        let xml = without_mark(xml);
        let mut reader = Reader::from_str(xml);
        reader.config_mut().expand_empty_elements = true;
        Self { xml, reader }
    }

    pub(super) fn next(&mut self) -> Result<Event<'xml>, GoldError> {
        self.reader.read_event().map_err(|_| self.malformed())
    }

    /// The line that the reader has come to.
    pub(super) fn line(&self) -> usize {
        let read = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX).min(self.xml.len());
        1 + self.xml.as_bytes()[..read].iter().filter(|&&byte| byte == b'\n').count()
    }

    pub(super) fn malformed(&self) -> GoldError {
        GoldError::Xml { line: self.line() }
    }

    /// The characters that an event adds to the text of its element, with line ends as XML has them.
    pub(super) fn characters(&self, event: &Event<'_>) -> Result<String, GoldError> {
        let text = match event {
            Event::Text(text) => text.xml10_content().map_err(|_| self.malformed())?.into_owned(),
            Event::CData(text) => text.xml10_content().map_err(|_| self.malformed())?.into_owned(),
            Event::GeneralRef(reference) => self.entity(reference)?.to_string(),
            _ => String::new(),
        };
        Ok(text)
    }

    fn entity(&self, reference: &BytesRef<'_>) -> Result<char, GoldError> {
        if let Some(character) = reference.resolve_char_ref().map_err(|_| self.malformed())? {
            return Ok(character);
        }
        match &**reference {
            b"amp" => Ok('&'),
            b"lt" => Ok('<'),
            b"gt" => Ok('>'),
            b"quot" => Ok('"'),
            b"apos" => Ok('\''),
            _ => Err(self.malformed()),
        }
    }

    /// The value of an attribute; none where it is not there.
    pub(super) fn attribute(&self, element: &BytesStart<'_>, name: &str) -> Result<Option<String>, GoldError> {
        let Some(attribute) = element.try_get_attribute(name).map_err(|_| self.malformed())? else {
            return Ok(None);
        };
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|_| self.malformed())?;
        Ok(Some(value.into_owned()))
    }
}
