//! Words and the pieces that they are made of: a word is judged whole, so no span ever ends inside one.
//!
//! ```text
//! "Jose\u{301}: SMITHSON"     text    Jose ´ :  SMITHSON
//!                             pieces  jose   :  smith ##son
//!                             words   └──┬─┘ └┬ └────┬────┘     a mark without a piece stays with the letters before it
//! ```

use std::ops::Range;

use crate::text::{Token, TokenKind, tokens};

/// A run of letters and digits, or another visible character, or several of them that a piece spans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WordPieces {
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
    /// Its pieces; never empty.
    pub(super) pieces: Range<usize>,
    /// Whether it has a letter or digit.
    pub(super) is_lettered: bool,
}

/// The words of a sentence that have a piece, in order. What the tokenizer removed is part of no word, unless it stands
/// directly behind letters or digits.
pub(super) fn words(sentence: &str, places: &[Range<usize>]) -> Vec<WordPieces> {
    let tokens: Vec<Token> = tokens(sentence).collect();
    let (mut own, joined) = touched(&tokens, places);
    let mut words: Vec<WordPieces> = Vec::with_capacity(tokens.len());
    // The token before, where it was removed and so joins what stands on its two sides.
    let mut bridge = None;
    for (at, token) in tokens.iter().enumerate() {
        let is_lettered = token.kind != TokenKind::Punctuation;
        let adjoins = words.last().is_some_and(|word| word.end == token.start && word.is_lettered);
        match (own[at].take(), words.last_mut()) {
            (Some(pieces), Some(word)) if joined[at] || (adjoins && is_lettered && bridge == Some(at)) => {
                word.end = token.end;
                word.is_lettered |= is_lettered;
                word.pieces = word.pieces.start.min(pieces.start)..word.pieces.end.max(pieces.end);
            }
            (Some(pieces), _) => words.push(WordPieces { start: token.start, end: token.end, pieces, is_lettered }),
            (None, Some(word)) if adjoins => {
                word.end = token.end;
                bridge = Some(at + 1);
            }
            (None, _) => (),
        }
    }
    words
}

/// The pieces that touch each token, and whether a piece touches it and the one before.
fn touched(tokens: &[Token], places: &[Range<usize>]) -> (Vec<Option<Range<usize>>>, Vec<bool>) {
    let mut own: Vec<Option<Range<usize>>> = vec![None; tokens.len()];
    let mut joined = vec![false; tokens.len()];
    for (piece, place) in places.iter().enumerate() {
        let first = tokens.partition_point(|token| token.end <= place.start);
        for at in first..tokens.len() {
            if tokens[at].start >= place.end {
                break;
            }
            joined[at] |= at > first;
            let known = own[at].clone().unwrap_or(piece..piece);
            own[at] = Some(known.start.min(piece)..known.end.max(piece + 1));
        }
    }
    (own, joined)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut<'t>(text: &'t str, places: &[Range<usize>]) -> Vec<(&'t str, Range<usize>)> {
        words(text, places).into_iter().map(|word| (&text[word.start..word.end], word.pieces)).collect()
    }

    #[test]
    fn words_of_several_pieces() {
        assert_eq!(cut("SMITHSON, x", &[0..5, 5..8, 8..9, 10..11]), [("SMITHSON", 0..2), (",", 2..3), ("x", 3..4)]);
    }

    #[test]
    fn pieces_of_several_words() {
        assert_eq!(
            cut("Lee's St. Paul", &[0..3, 3..5, 6..9, 9..14]),
            [("Lee", 0..1), ("'s", 1..2), ("St.", 2..3), ("Paul", 3..4)]
        );
    }

    #[test]
    fn what_was_removed() {
        // An accent of its own, a soft hyphen inside a word, and a mark that stands alone.
        assert_eq!(cut("Jose\u{301}: x", &[0..4, 6..7, 8..9]), [("Jose\u{301}", 0..1), (":", 1..2), ("x", 2..3)]);
        assert_eq!(cut("Smi\u{ad}th x", &[0..3, 5..7, 8..9]), [("Smi\u{ad}th", 0..2), ("x", 2..3)]);
        assert_eq!(cut("Smi\u{ad}th x", &[0..7, 8..9]), [("Smi\u{ad}th", 0..1), ("x", 1..2)]);
        assert_eq!(cut("a \u{ad} b", &[0..1, 5..6]), [("a", 0..1), ("b", 1..2)]);
        assert_eq!(cut("", &[]), []);
    }

    proptest! {
        #[test]
        fn words_are_whole_and_in_order(text in "[A-Za-z0-9 .,\u{301}é]{0,30}", cuts in prop::collection::vec(any::<bool>(), 31)) {
            let mut places: Vec<Range<usize>> = Vec::new();
            for ((at, character), cut) in text.char_indices().zip(cuts) {
                let end = at + character.len_utf8();
                match places.last_mut() {
                    Some(last) if !cut && last.end == at => last.end = end,
                    _ if character == '\u{301}' => (),
                    _ => places.push(at..end),
                }
            }
            let words = words(&text, &places);
            prop_assert!(words.windows(2).all(|pair| pair[0].end <= pair[1].start));
            for word in &words {
                prop_assert!(text.get(word.start..word.end).is_some_and(|part| !part.is_empty()) && !word.pieces.is_empty());
                prop_assert!(tokens(&text).all(|token| token.end <= word.start || token.start >= word.start && token.end <= word.end || token.start >= word.end));
            }
        }
    }
}
