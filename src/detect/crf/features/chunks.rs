//! Runs without white space, of which tokens are parts: `(ann.lee@site.org).` is the chunk `ann.lee@site.org`.

use super::shapes::{classes, shapes};

/// A chunk longer than this is looked at up to here.
const LONGEST: usize = 80;

/// What is known of a chunk.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Chunk {
    pub shape: u64,
    pub collapsed: u64,
    pub classes: u32,
    /// Digits in it, at most 15.
    pub digits: u8,
}

impl Chunk {
    /// The facts of a chunk's text.
    pub fn of(text: &str) -> Self {
        let (shape, collapsed) = shapes(text);
        let digits = text.chars().filter(|character| character.is_numeric()).count().min(15) as u8;
        Self { shape, collapsed, classes: classes(text), digits }
    }
}

/// The chunk that a text begins with, without the brackets, quotes and stops around it.
pub(super) fn trimmed(text: &str) -> &str {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = &text[..end];
    let text = &text[..text.find(char::is_whitespace).unwrap_or(text.len())];
    text.trim_start_matches(['(', '[', '"', '\'', '“', '«', '¿', '¡'])
        .trim_end_matches(['.', ',', ';', ':', ')', ']', '"', '\'', '”', '»', '?', '!'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_around_a_chunk_is_no_part_of_it() {
        assert_eq!(trimmed("(ann.lee@site.org). Then"), "ann.lee@site.org");
        assert_eq!(trimmed("3/4/2020,"), "3/4/2020");
        assert_eq!(trimmed("..."), "");
        assert_eq!(Chunk::of("(555)0199").digits, 7);
        assert!(trimmed(&"é".repeat(100)).len() <= LONGEST);
    }
}
