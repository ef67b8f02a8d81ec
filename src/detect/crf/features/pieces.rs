//! Tokens as the model has them: those of the text, cut where words were run together.
//!
//! ```text
//! 43años ─▶ 43 años      DíazNºCol ─▶ Díaz Nº Col      45479406HBM ─▶ 45479406 HBM      McCoy stays
//! ```
//!
//! Run-together words are a class of errors of their own (Dehghan et al. 2015): an identifier that shares a token with something
//! else can be marked neither rightly nor exactly.

use crate::text::{Token, TokenKind, tokens};

/// A capital ends a word only after this many small letters, lest `McCoy` and `mmHg` be cut.
const LEAST_SMALL: usize = 3;

/// The pieces of a text, in order; what is between them is white space or nothing.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = Token> + '_ {
    tokens(text).flat_map(move |token| Pieces { text, rest: token })
}

struct Pieces<'t> {
    text: &'t str,
    rest: Token,
}

impl Iterator for Pieces<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let Token { start, end, kind } = self.rest;
        if start >= end {
            return None;
        }
        let word = self.rest.text(self.text);
        let length = if kind == TokenKind::Punctuation { word.len() } else { first_piece(word) };
        let piece = &word[..length];
        self.rest.start = start + length;
        let kind = match kind {
            TokenKind::Punctuation => TokenKind::Punctuation,
            _ if piece.chars().all(char::is_alphabetic) => TokenKind::Word,
            _ if piece.chars().any(char::is_alphabetic) => TokenKind::Alphanumeric,
            _ => TokenKind::Number,
        };
        Some(Token { start, end: start + length, kind })
    }
}

/// The length in bytes of the first piece of a word.
fn first_piece(word: &str) -> usize {
    let mut small = 0;
    let mut before: Option<char> = None;
    for (at, character) in word.char_indices() {
        if let Some(before) = before {
            let joined = before.is_ascii_digit() && character.is_alphabetic()
                || before.is_alphabetic() && character.is_ascii_digit()
                || small >= LEAST_SMALL && character.is_uppercase()
                || before == 'º' && character.is_uppercase();
            if joined {
                return at;
            }
        }
        small = if character.is_lowercase() { small + 1 } else { 0 };
        before = Some(character);
    }
    word.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<&str> {
        pieces(text).map(|token| token.text(text)).collect()
    }

    #[test]
    fn words_run_together_are_cut() {
        assert_eq!(cut("43años DíazNºCol:7"), ["43", "años", "Díaz", "Nº", "Col", ":", "7"]);
        assert_eq!(cut("45479406HBM VivianLee"), ["45479406", "HBM", "Vivian", "Lee"]);
        assert_eq!(cut("McCoy mmHg IVs O'Neil"), ["McCoy", "mmHg", "IVs", "O", "'", "Neil"]);
    }

    proptest! {
        #[test]
        fn pieces_are_the_tokens(text in "\\PC{0,60}|[A-Za-z0-9º .]{0,60}") {
            let together: String = cut(&text).concat();
            prop_assert_eq!(together, text.split_whitespace().collect::<String>());
            prop_assert!(pieces(&text).all(|piece| piece.start < piece.end));
        }
    }
}
