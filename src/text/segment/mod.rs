//! Lossless segmentation of clinical text.
//!
//! ```text
//! "HPI: Seen by Dr. Lee today. Feels well.\r\n  1. Aspirin 81 mg p.o. daily\nSex: M   MRN: 00417\n"
//!  └───────────┬────────────┘ └────┬────┘      └───────────┬──────────┘  └─┬──┘   └───┬────┘
//!          sentence            sentence                sentence         sentence   sentence    what lies between is white space
//! ```
//!
//! A line break ends a sentence unless the line was wrapped (`wraps`); inside a line `.`, `?` and `!` end one before something that can
//! begin another, except after abbreviations, initials and list numbers (`marks`, `abbreviations.txt`); and a labelled field of a form
//! ends before the next label (`fields`). Every decision looks at the line and its neighbours only, but for a sentence that is too
//! long and is cut by length (`lengths`): so an edit moves no boundary more than two lines away.
//!
//! Exports write line breaks out as text: `\n`, `\r\n`, `\.br\`, `<br>`, `</p>`. They end a sentence and are the last of it. `\n` and `\r`
//! before a small letter are parts of a path unless there is another near in the line (`breaks`).
//!
//! The rows of a table are one sentence each. A cell by itself has lost the header above it and the label at the left of its row, and
//! `Osei` or `11082` in a sentence of its own is an identifier that nothing tells; a row is repeated less often than a cell, but
//! what is not counted is read by the detectors, and what is missed is not. Fields carry their label with them, so they may part.
//!
//! It is fast because it stops at a handful of bytes only: a table tells which they are, and each asks for some dozens of bytes
//! around it. Nothing is allocated.

mod boundary;
mod breaks;
mod fields;
#[cfg(test)]
mod golden;
mod lengths;
mod marks;
mod words;
mod wraps;

use std::ops::Range;

pub use boundary::Boundary;
pub(crate) use breaks::end_of_written;
pub(super) use breaks::without_written;
use fields::Fields;

/// Raised whenever a boundary can fall elsewhere: part of the fingerprint of everything that is stored by sentence.
pub const SEGMENTER_VERSION: u32 = 7;

/// The bytes that something may end at; those above ASCII begin the breaks that are not of it.
const DECISIVE: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"\n\r\x0B\x0C.?!:\\<\xC2\xE2";
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
};

/// The sentences of a text, as byte ranges in order that neither overlap nor begin or end in white space.
/// What lies outside them is white space only.
pub fn sentences(text: &str) -> Sentences<'_> {
    Sentences { text, at: 0, line_start: 0 }
}

/// Iterator of [`sentences`].
#[derive(Debug, Clone)]
pub struct Sentences<'t> {
    text: &'t str,
    /// Where the last sentence ended.
    at: usize,
    /// Where the line of `at` begins.
    line_start: usize,
}

impl Iterator for Sentences<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.skip_white_space()?;
        self.at = self.end_of_sentence(start);
        Some(start..start + self.text[start..self.at].trim_end().len())
    }
}

impl Sentences<'_> {
    /// Where the next sentence begins.
    fn skip_white_space(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        loop {
            let byte = *bytes.get(at)?;
            match breaks::length_at(bytes, at) {
                0 if marks::is_blank(byte) => at += 1,
                0 if byte.is_ascii() => return Some(at),
                0 => match self.text[at..].chars().next()? {
                    space if space.is_whitespace() => at += space.len_utf8(),
                    _ => return Some(at),
                },
                length => {
                    at += length;
                    self.line_start = at;
                }
            }
        }
    }

    /// The end of the sentence that begins at `start`; more than `start`, for a visible character stands there. Looks hardly further
    /// than [`lengths::LONGEST`], so that a text without any boundary costs no more than another.
    fn end_of_sentence(&mut self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let limit = bytes.len().min(start + lengths::LONGEST + 1);
        let line_of_start = self.line_start;
        let mut floor = start;
        let mut fields = Fields::new(floor);
        let mut at = start;
        while let Some(found) = bytes[at..limit].iter().position(|byte| DECISIVE[usize::from(*byte)]) {
            at += found;
            let end = match bytes[at] {
                b'.' | b'?' | b'!' => marks::end_after(self.text, floor, at),
                b':' => fields.end_before(bytes, at),
                b'\\' | b'<' => breaks::end_of_written(self.text, at).inspect(|end| self.line_start = *end),
                b'\r' if bytes.get(at + 1) == Some(&b'\n') => None,
                _ => match breaks::length_at(bytes, at) {
                    0 => None,
                    length if !wraps::goes_on(self.text, self.line_start, at, at + length) => Some(at),
                    length => {
                        floor = at + length;
                        self.line_start = floor;
                        fields = Fields::new(floor);
                        None
                    }
                },
            };
            if let Some(end) = end {
                return end;
            }
            at += 1;
        }
        if bytes.len() - start <= lengths::LONGEST {
            return bytes.len();
        }
        let end = lengths::cut(self.text, start);
        // The cut may lie before a break that was looked at already.
        let last_break = self.text[start..end].rfind(breaks::is_break).map(|at| start + at);
        self.line_start = last_break.map_or(line_of_start, |at| at + breaks::length_at(bytes, at));
        end
    }
}

#[cfg(test)]
mod tests;
