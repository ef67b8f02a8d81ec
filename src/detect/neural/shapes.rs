//! The shape of the word that a piece is part of, as numbers for the model: what an uncased vocabulary forgets.
//!
//! ```text
//! "Seen by SMITH-Jones\n3/4"      Seen  by  SMITH  -  Jones  3   /  4
//!                                  11    2    4    1    3    15  1  7
//! ```
//!
//! The number is a kind, plus eight where the word is the first visible thing of its line. A word here is a maximal run of
//! letters and digits, or one other visible character. `shapes.json` holds examples which the training code is held to.

use std::ops::Range;

use crate::text::{Token, TokenKind, tokens};

/// How many numbers there are: shapes are below it.
pub const SHAPES: i32 = 17;

/// What is added for the first word of a line.
const LINE_START: i32 = 8;

/// The shapes of a sentence's pieces, which are given by their bytes in it; an empty piece has shape 0, as special ones have.
pub fn shapes(sentence: &str, pieces: &[Range<usize>]) -> Vec<i32> {
    let words: Vec<Token> = tokens(sentence).collect();
    let shapes: Vec<i32> = words.iter().enumerate().map(|(at, word)| shape(sentence, &words[..at], word)).collect();
    pieces
        .iter()
        .map(|piece| {
            if piece.is_empty() {
                return 0;
            }
            let at = words.partition_point(|word| word.end <= piece.start);
            match words.get(at) {
                Some(word) if word.start <= piece.start => shapes[at],
                _ => kind(""),
            }
        })
        .collect()
}

fn shape(sentence: &str, before: &[Token], word: &Token) -> i32 {
    let starts_line = before.last().is_none_or(|last| sentence[last.end..word.start].contains('\n'));
    let kind = if word.kind == TokenKind::Punctuation { kind("") } else { kind(word.text(sentence)) };
    kind + if starts_line { LINE_START } else { 0 }
}

/// 1 no letter or digit, 2 small letters, 3 a capital and then small letters, 4 capitals (two or more), 5 one capital,
/// 6 letters otherwise (also those without case), 7 digits, 8 letters and digits.
fn kind(word: &str) -> i32 {
    let length = word.chars().count();
    let digits = word.chars().filter(|character| character.is_numeric()).count();
    let mut rest = word.chars();
    let starts_large = rest.next().is_some_and(char::is_uppercase);
    match length - digits {
        _ if length == 0 => 1,
        0 => 7,
        _ if digits > 0 => 8,
        _ if word.chars().all(char::is_lowercase) => 2,
        1 if starts_large => 5,
        _ if word.chars().all(char::is_uppercase) => 4,
        _ if starts_large && rest.all(char::is_lowercase) => 3,
        _ => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(serde::Deserialize)]
    struct Example {
        text: String,
        /// Code points, as Python counts.
        pieces: Vec<(usize, usize)>,
        shapes: Vec<i32>,
    }

    fn byte(text: &str, code_point: usize) -> usize {
        text.char_indices().nth(code_point).map_or(text.len(), |(at, _)| at)
    }

    #[test]
    fn the_examples_that_training_is_held_to() {
        let examples: Vec<Example> = serde_json::from_str(include_str!("shapes.json")).unwrap();
        assert!(examples.len() >= 10);
        for example in examples {
            let pieces: Vec<_> = example
                .pieces
                .iter()
                .map(|&(start, end)| byte(&example.text, start)..byte(&example.text, end))
                .collect();
            assert_eq!(shapes(&example.text, &pieces), example.shapes, "{}", example.text);
        }
    }

    proptest! {
        #[test]
        fn pieces_of_one_word_share_its_shape(word in "[A-Za-z0-9]{2,12}", before in "[ \\n.]{0,3}") {
            let text = format!("{before}{word} end");
            let at = before.len();
            let pieces: Vec<_> = (at..at + word.len()).map(|at| at..at + 1).collect();
            let shapes = shapes(&text, &pieces);
            prop_assert!(shapes.windows(2).all(|pair| pair[0] == pair[1]));
            prop_assert_eq!(shapes[0] > LINE_START, before.rsplit('\n').next().unwrap().trim().is_empty());
        }

        #[test]
        fn every_shape_is_below_the_number_of_shapes(text in "\\PC{0,20}[\\n ]?\\PC{0,20}") {
            let pieces: Vec<_> = text.char_indices().map(|(at, character)| at..at + character.len_utf8()).collect();
            prop_assert!(shapes(&text, &pieces).iter().all(|shape| (1..SHAPES).contains(shape)));
        }
    }
}
