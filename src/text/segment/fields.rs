//! Where one field of a form ends and the next begins, in one line.
//!
//! ```text
//! "Name: SMITH, JOHN   MRN: 00417   Sex: M | Allergies: none"
//!  └──────┬────────┘   └───┬────┘   └──┬───┘ └──────┬──────┘
//!   its own label      its own     its own       its own
//! ```
//!
//! A line is cut where two blanks, a tab or ` | ` part a labelled value from the next label. So `Sex: M` is counted by itself however
//! the form is laid out, and a name in one field no longer makes the whole line one of a kind. A cell without a label is never cut
//! off: what it holds is told by the cells beside it.

use super::marks::is_blank;

/// A label is no longer than this, in bytes.
const LONGEST_LABEL: usize = 40;
/// A label has at least this many letters: `D: kg   T: mw` says who dictated and who typed, in one.
const FEWEST_LETTERS: usize = 2;
/// A label has no more words than this.
const MOST_WORDS: usize = 4;

/// The fields of one line, as its colons are met from left to right.
#[derive(Debug)]
pub(super) struct Fields {
    /// Where the line or the sentence begins, whichever is later.
    floor: usize,
    /// Past the colon of the last label.
    labelled: Option<usize>,
}

impl Fields {
    /// Of a line or sentence that begins at `floor`.
    #[inline]
    pub(super) const fn new(floor: usize) -> Self {
        Self { floor, labelled: None }
    }

    /// Where the field before the one with the colon at `colon` ends, if both have a label and the former has a value.
    pub(super) fn end_before(&mut self, bytes: &[u8], colon: usize) -> Option<usize> {
        let gap = label_before(bytes, self.floor, colon)?;
        let last = self.labelled.replace(colon + 1)?;
        let has_value = bytes.get(last..gap)?.iter().any(|byte| !is_blank(*byte) && *byte != b'|');
        has_value.then_some(gap)
    }
}

/// If a colon ends a label: where the gap before it begins, or `floor`.
fn label_before(bytes: &[u8], floor: usize, colon: usize) -> Option<usize> {
    if !is_after_label(bytes, floor, colon) {
        return None;
    }
    let end = colon - bytes[floor..colon].iter().rev().take_while(|byte| is_blank(**byte)).count();
    let mut words = 1;
    let mut at = end;
    while at > floor {
        if end - at > LONGEST_LABEL {
            return None;
        }
        match (bytes[at - 1], bytes[floor..at - 1].last()) {
            (b'\t', _) | (b' ', Some(b' ' | b'\t' | b'|')) => break,
            (b' ', _) if words < MOST_WORDS => words += 1,
            (byte, _) if is_in_label(byte) => (),
            _ => return None,
        }
        at -= 1;
    }
    let letters = bytes[at..end].iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let begins = bytes[at].is_ascii_uppercase() || bytes[at].is_ascii_lowercase() && words == 1;
    if letters < FEWEST_LETTERS || at > floor && !begins {
        return None;
    }
    Some(at - bytes[floor..at].iter().rev().take_while(|byte| is_blank(**byte)).count())
}

/// Whether a colon can end a label: that of a clock time, a ratio or an address on the web does not.
fn is_after_label(bytes: &[u8], floor: usize, colon: usize) -> bool {
    let before = bytes[floor..colon].last().copied().unwrap_or_default();
    match bytes.get(colon + 1) {
        None => true,
        Some(after) if after.is_ascii_digit() => !before.is_ascii_digit(),
        Some(after) => !(after.is_ascii_lowercase() || matches!(after, b'/' | b'\\' | b':')),
    }
}

const fn is_in_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || !byte.is_ascii()
        || matches!(byte, b'/' | b'#' | b'(' | b')' | b'\'' | b'-' | b'&' | b'.' | b'_' | b'%' | b'*')
}
