//! How a line is written, and so what its capitals tell.

use crate::detect::dictionary::words::{Shape, Words};

/// The way of writing of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Register {
    /// Small letters, and capitals for names: `Seen by Anna in clinic`.
    Prose,
    /// A capital for nearly every word, as in headings and forms: `Past Medical History`.
    Title,
    /// Capitals only.
    Shouted,
    /// Small letters even where a sentence begins, and a few capitals: `pt of edgar price, CHF`.
    Careless,
    /// Small letters only, whatever the words are.
    Small,
}

/// One past the last word of the line that begins with the word `first`.
pub(super) fn line_end(words: &Words, first: usize) -> usize {
    (first + 1..words.list.len()).find(|&index| words.list[index].blank.line).unwrap_or(words.list.len())
}

/// The register of the words `first..end`.
pub(super) fn of_line(words: &Words, first: usize, end: usize) -> Register {
    let (mut upper, mut capital, mut lower) = (0, 0, 0);
    for word in &words.list[first..end] {
        match word.shape {
            Shape::Upper => upper += 1,
            Shape::Capital => capital += 1,
            Shape::Lower if word.end - word.start > 2 => lower += 1,
            _ => {}
        }
    }
    match () {
        () if words.shouted || upper >= 3 && upper > 3 * (lower + capital) => Register::Shouted,
        // A wrapped line without capitals is prose where its sentence began with one.
        () if capital == 0 && upper <= lower && words.list[0].shape == Shape::Lower => Register::Small,
        () if capital >= 2 && capital > 2 * lower => Register::Title,
        () if words.list[0].shape == Shape::Lower && lower >= 4 && lower > 2 * (capital + upper) => Register::Careless,
        () => Register::Prose,
    }
}
