//! Odd characters as the plain ones that they stand for.
//!
//! ```text
//! no-break blank ─▶ blank     U+2212 − ─▶ -     full-width １ ─▶ 1     soft hyphen ─▶ nothing
//! ```

/// The plain character for an odd one; none for those without a width.
pub(crate) fn plain(letter: char) -> Option<char> {
    match letter {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(' '),
        '\u{2010}'..='\u{2012}' | '\u{2212}' | '\u{fe63}' => Some('-'),
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => None,
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0),
        other => Some(other),
    }
}
