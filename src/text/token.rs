//! Tokens with offsets: `Seen 3/4 by J.Q.` is Word Number Punctuation Number Word Word Punctuation Word Punctuation.

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters only.
    Word,
    /// Decimal digits only.
    Number,
    /// Letters and digits.
    Alphanumeric,
    /// One character that is neither letter, digit nor white space.
    Punctuation,
}

/// A token's place in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What it is made of.
    pub kind: TokenKind,
}

impl Token {
    /// The token's characters in the text it was cut from.
    pub fn text<'t>(&self, source: &'t str) -> &'t str {
        &source[self.start..self.end]
    }
}

/// The tokens of a text, in order: maximal runs of letters and digits, and every other visible character by itself.
pub fn tokens(text: &str) -> Tokens<'_> {
    Tokens { text, at: 0 }
}

/// Iterator of [`tokens`].
#[derive(Debug, Clone)]
pub struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = &self.text[self.at..];
        let visible = rest.find(|character: char| !character.is_whitespace())?;
        let start = self.at + visible;
        let mut kind = None;
        let mut end = start;
        for character in self.text[start..].chars() {
            kind = match (kind, TokenKind::of(character)) {
                (None, TokenKind::Punctuation) => {
                    end += character.len_utf8();
                    kind = Some(TokenKind::Punctuation);
                    break;
                }
                (None, first) => Some(first),
                (Some(_), TokenKind::Punctuation) => break,
                (Some(so_far), next) if so_far == next => Some(so_far),
                (Some(_), _) => Some(TokenKind::Alphanumeric),
            };
            end += character.len_utf8();
        }
        self.at = end;
        Some(Token { start, end, kind: kind.unwrap_or(TokenKind::Punctuation) })
    }
}

impl TokenKind {
    fn of(character: char) -> Self {
        if character.is_ascii_digit() {
            Self::Number
        } else if character.is_alphabetic() {
            Self::Word
        } else if character.is_numeric() {
            Self::Number
        } else {
            Self::Punctuation
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kinds(text: &str) -> Vec<(&str, TokenKind)> {
        tokens(text).map(|token| (token.text(text), token.kind)).collect()
    }

    #[test]
    fn runs_and_single_marks() {
        use TokenKind::{Alphanumeric, Number, Punctuation, Word};
        assert_eq!(
            kinds("Rm 7A, 3/4 Muñoz's"),
            [
                ("Rm", Word),
                ("7A", Alphanumeric),
                (",", Punctuation),
                ("3", Number),
                ("/", Punctuation),
                ("4", Number),
                ("Muñoz", Word),
                ("'", Punctuation),
                ("s", Word)
            ]
        );
        assert_eq!(kinds(" \t\n"), []);
    }

    proptest! {
        #[test]
        fn every_visible_character_is_in_one_token(text in "\\PC{0,60}|[a-z0-9 .\\n]{0,60}") {
            let mut at = 0;
            for token in tokens(&text) {
                prop_assert!(token.start >= at && token.end > token.start);
                prop_assert!(text[at..token.start].chars().all(char::is_whitespace));
                prop_assert!(!token.text(&text).chars().any(char::is_whitespace));
                at = token.end;
            }
            prop_assert!(text[at..].chars().all(char::is_whitespace));
        }
    }
}
