//! From byte offsets, which the program uses, to code points, which users see: in `"µg Ann"`, byte 4 is code point 3.

/// Converts byte offsets of one text, cheapest when asked in ascending order.
#[derive(Debug)]
pub struct CodePoints<'t> {
    text: &'t str,
    byte: usize,
    code_point: usize,
}

impl<'t> CodePoints<'t> {
    /// A converter for `text`.
    pub fn new(text: &'t str) -> Self {
        Self { text, byte: 0, code_point: 0 }
    }

    /// The number of code points before a byte offset; an offset past the end counts as the end.
    pub fn before(&mut self, byte: usize) -> usize {
        if byte < self.byte {
            (self.byte, self.code_point) = (0, 0);
        }
        let byte = byte.min(self.text.len());
        self.code_point += count(&self.text.as_bytes()[self.byte..byte]);
        self.byte = byte;
        self.code_point
    }
}

/// Code points in valid UTF-8: every byte that does not continue another.
fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| (byte as i8) >= -0x40).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_counting_characters(text in "\\PC{0,40}", order in prop::collection::vec(0..200usize, 0..8)) {
            let mut code_points = CodePoints::new(&text);
            for guess in order {
                let byte = (0..=guess.min(text.len())).rev().find(|&byte| text.is_char_boundary(byte)).unwrap_or(0);
                prop_assert_eq!(code_points.before(byte), text[..byte].chars().count());
            }
        }
    }
}
