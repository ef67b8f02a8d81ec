//! A text cut into the pieces that two texts are aligned by.
//!
//! ```text
//! "Seen 03/04.⏎  ****"  ─▶  Seen · 03 · / · 04 · . · ⏎ · ****        (spaces and tabs belong to no piece)
//! ```

use std::ops::Range;

/// A run of letters and digits, a run of one mark, or a line break.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Tells unequal pieces apart, but for rare collisions.
    pub hash: u64,
}

/// What a character is to the pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Letter,
    Mark,
    Break,
    Space,
}

impl Piece {
    /// Its place.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// The pieces of a text, in order.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(text.len() / 4 + 8);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some((sort, length)) = sort_at(text, at) {
        let (start, first) = (at, bytes[at]);
        at += length;
        match sort {
            Sort::Space => continue,
            Sort::Break => {}
            Sort::Letter => {
                while let Some((Sort::Letter, length)) = sort_at(text, at) {
                    at += length;
                }
            }
            // A rule of dashes or a mask is one piece, however long.
            Sort::Mark if length == 1 => {
                while bytes.get(at) == Some(&first) {
                    at += 1;
                }
            }
            Sort::Mark => {}
        }
        pieces.push(Piece { start, end: at, hash: hash(&bytes[start..at]) });
    }
    pieces
}

#[inline]
fn sort_at(text: &str, at: usize) -> Option<(Sort, usize)> {
    let byte = *text.as_bytes().get(at)?;
    Some(match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => (Sort::Letter, 1),
        b'\n' => (Sort::Break, 1),
        b' ' | b'\t' | b'\r' | 0x0b | 0x0c => (Sort::Space, 1),
        0..=0x7f => (Sort::Mark, 1),
        _ => {
            let character = text.get(at..)?.chars().next()?;
            let sort = if character.is_alphanumeric() {
                Sort::Letter
            } else if character.is_whitespace() {
                Sort::Space
            } else {
                Sort::Mark
            };
            (sort, character.len_utf8())
        }
    })
}

/// A hash of bytes, eight at a time.
#[inline]
pub(super) fn hash(bytes: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = bytes.as_chunks::<8>();
    let last = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    words.iter().map(|&word| u64::from_le_bytes(word)).chain([last]).fold(bytes.len() as u64, |hash, word| {
        let product = u128::from(hash ^ word ^ 0xd6e8_feb8_6659_fd93) * u128::from(MULTIPLIER);
        product as u64 ^ (product >> 64) as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_marks_and_line_breaks() {
        let text = "Seen 03/04.\n  **** — Muñoz";
        let cut: Vec<_> = pieces(text).iter().map(|piece| &text[piece.range()]).collect();
        assert_eq!(cut, ["Seen", "03", "/", "04", ".", "\n", "****", "—", "Muñoz"]);
    }

    proptest! {
        #[test]
        fn what_is_between_pieces_is_white_space_without_line_breaks(text in "\\PC{0,40}|[a-z0-9 .*\\n\\t]{0,60}") {
            let mut at = 0;
            for piece in pieces(&text) {
                prop_assert!(piece.start >= at && piece.end > piece.start);
                prop_assert!(text[at..piece.start].chars().all(|gap| gap.is_whitespace() && gap != '\n'));
                at = piece.end;
            }
            prop_assert!(text[at..].chars().all(char::is_whitespace));
        }
    }
}
