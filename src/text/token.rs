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
        let mut start = self.at;
        let (mut kind, length) = loop {
            match kind_at(self.text, start)? {
                (Some(kind), length) => break (kind, length),
                (None, length) => start += length,
            }
        };
        let mut end = start + length;
        if kind != TokenKind::Punctuation {
            while let Some((Some(next), length)) = kind_at(self.text, end)
                && next != TokenKind::Punctuation
            {
                if next != kind {
                    kind = TokenKind::Alphanumeric;
                }
                end += length;
            }
        }
        self.at = end;
        Some(Token { start, end, kind })
    }
}

/// What ASCII's characters are by themselves; nothing for white space. Nearly all text is of them, and counting cuts all of it.
const ASCII: [Option<TokenKind>; 128] = {
    let mut kinds = [Some(TokenKind::Punctuation); 128];
    let mut byte = 0;
    while byte < kinds.len() {
        kinds[byte] = match byte as u8 {
            b'0'..=b'9' => Some(TokenKind::Number),
            b'A'..=b'Z' | b'a'..=b'z' => Some(TokenKind::Word),
            b'\t'..=b'\r' | b' ' => None,
            _ => Some(TokenKind::Punctuation),
        };
        byte += 1;
    }
    kinds
};

/// What the character at a byte is by itself, nothing for white space, and its length in bytes; none behind the last.
#[inline]
fn kind_at(text: &str, at: usize) -> Option<(Option<TokenKind>, usize)> {
    let byte = *text.as_bytes().get(at)?;
    match ASCII.get(usize::from(byte)) {
        Some(&kind) => Some((kind, 1)),
        None => text[at..].chars().next().map(|character| (TokenKind::of(character), character.len_utf8())),
    }
}

impl TokenKind {
    fn of(character: char) -> Option<Self> {
        if character.is_whitespace() {
            None
        } else if character.is_alphabetic() {
            Some(Self::Word)
        } else if character.is_numeric() {
            Some(Self::Number)
        } else {
            Some(Self::Punctuation)
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

    #[test]
    fn the_characters_of_ascii_are_what_all_are() {
        for (byte, kind) in (0_u8..128).zip(ASCII) {
            assert_eq!(kind, TokenKind::of(char::from(byte)), "{byte}");
        }
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
