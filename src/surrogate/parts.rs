//! Values that hold several: each part is replaced as it is where it stands alone.
//!
//! ```text
//! STREET  123 Main St, Rochester, MN 55901 ─▶ STREET 123 Main St · CITY Rochester · STATE MN · ZIP 55901
//! PHONE   507-555-0101 or 0102             ─▶ PHONE 507-555-0101 · PHONE 0102
//! SSN     123-45-6789 (spouse Ann)         ─▶ SSN 123-45-6789 · PATIENT spouse Ann
//! MRN     4417093, 4417094                 ─▶ MRN 4417093 · MRN 4417094
//! ```
//!
//! What stands between the parts stays. A surrogate has the parts that its original has, so the way back goes by parts too.

use std::ops::Range;

use super::words::words;
use super::{addresses, code_lists, serials, telephones};
use crate::phi::Label;

/// A value within another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part<'v> {
    /// Its first byte.
    pub start: usize,
    /// The value.
    pub text: &'v str,
    /// What it is.
    pub label: Label,
}

/// The parts of a value in their order, each shorter than the value; nothing where it is one.
pub(super) fn of(label: Label, value: &str) -> Option<Vec<Part<'_>>> {
    match label {
        Label::Street | Label::City | Label::State => addresses::parts(label, value),
        Label::Zip => code_lists::parts(label, value).or_else(|| addresses::parts(label, value)),
        Label::Phone | Label::Fax => telephones::parts(label, value),
        Label::Ssn => serials::parts(value),
        Label::IpAddr => code_lists::parts(label, value),
        label if label.is_number() => code_lists::parts(label, value),
        _ => None,
    }
}

/// What stands in a range of a value beside numbers and is not known to stand there, as parts: words that follow each other are a name,
/// or a code where they have digits.
pub(super) fn others<'v>(value: &'v str, range: Range<usize>, is_known: impl Fn(&str) -> bool) -> Vec<Part<'v>> {
    let mut found: Vec<Part> = Vec::new();
    let mut goes_on = false;
    for word in words(value.get(range.clone()).unwrap_or_default()) {
        let is_other = !is_known(word.text);
        let (start, end) = (range.start + word.start, range.start + word.end());
        match found.last_mut().filter(|_| goes_on) {
            Some(part) if is_other => part.text = value.get(part.start..end).unwrap_or(part.text),
            _ if is_other => {
                found.push(Part { start, text: value.get(start..end).unwrap_or_default(), label: Label::Patient });
            }
            _ => {}
        }
        goes_on = is_other;
    }
    let has_digits = |part: &Part| part.text.contains(|character: char| character.is_ascii_digit());
    found.iter_mut().filter(|part| has_digits(part)).for_each(|part| part.label = Label::IdNum);
    found
}

/// The labels and texts of parts, each of which stands where it says.
#[cfg(test)]
pub(super) fn labelled<'v>(value: &'v str, parts: Option<Vec<Part<'v>>>) -> Vec<(Label, &'v str)> {
    let parts = parts.unwrap_or_default();
    assert!(parts.iter().all(|part| value.get(part.start..part.start + part.text.len()) == Some(part.text)));
    parts.iter().map(|part| (part.label, part.text)).collect()
}

/// The value with other parts.
pub(super) fn write<'t>(value: &str, parts: &[Part], others: impl IntoIterator<Item = &'t str>) -> String {
    let mut written = String::with_capacity(value.len() + 16);
    let mut at = 0;
    for (part, other) in parts.iter().zip(others) {
        written.push_str(value.get(at..part.start).unwrap_or_default());
        written.push_str(other);
        at = part.start + part.text.len();
    }
    written.push_str(value.get(at..).unwrap_or_default());
    written
}
