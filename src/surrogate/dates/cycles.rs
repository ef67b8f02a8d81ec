//! What comes round: seasons, quarters, weekdays, and decades in words.
//!
//! ```text
//! summer → winter     Q3 2014 → Q1 2015     Tuesday → Friday     the late nineties → the late eighties
//! ```

use super::calendar::{SEASONS, WEEKDAYS, spell};
use super::lex::{Class, Token};
use super::moving::Moving;
use super::ordinals::ordinal_suffix;
use super::shift::Edit;
use crate::surrogate::age_words::DECADES;
use crate::surrogate::casing::{Casing, fold};
use crate::surrogate::permutation::{Direction, Randomness};

/// Moves seasons and quarters one to three on. What is left to be recognised as dates comes back where that differs:
/// the number of a quarter is no day.
pub(super) fn rotate_seasons(
    randomness: &Randomness,
    direction: Direction,
    value: &str,
    tokens: &[Token],
    edits: &mut Vec<Edit>,
) -> Option<Vec<Token>> {
    let word = |token: &Token, words: &[&str]| {
        token.class == Class::Word && words.iter().any(|word| token.text(value).eq_ignore_ascii_case(word))
    };
    let quarters = tokens.iter().any(|token| word(token, &["q", "quarter", "qtr", "quarters", "trimester"]));
    if !quarters && !tokens.iter().any(|token| matches!(token.class, Class::Season(_))) {
        return None;
    }
    let step = 1 + randomness.draw("season", b"").index(3);
    let step = if direction == Direction::Forth { step } else { 4 - step };
    let mut left = tokens.to_vec();
    for (index, token) in tokens.iter().enumerate() {
        let edit = |text: String| Edit { start: token.start, end: token.end, text };
        match token.class {
            Class::Season(season) => {
                let name = SEASONS[(season + step) % 4][0];
                edits.push(edit(Casing::of(token.text(value)).apply(name)));
            }
            Class::Number(quarter @ 1..=4) if quarters && token.len() == 1 => {
                let moved = (quarter - 1 + step as u32) % 4 + 1;
                edits.push(edit(moved.to_string()));
                left[index].class = Class::Word;
                if let Some(suffix) = tokens.get(index + 1).filter(|next| next.class == Class::Suffix) {
                    edits.push(Edit { start: suffix.start, end: suffix.end, text: ordinal_suffix(moved).to_owned() });
                }
            }
            Class::Spoken(quarter @ 1..=4) if quarters => {
                let moved = (quarter - 1 + step as u32) % 4 + 1;
                edits.push(edit(Casing::of(token.text(value)).apply(&spell(moved))));
                left[index].class = Class::Word;
            }
            _ => {}
        }
    }
    Some(left)
}

/// By how many days a weekday moves that stands alone.
pub(super) fn weekday_step(randomness: &Randomness, direction: Direction) -> usize {
    let step = 1 + randomness.draw("weekday", b"").index(6);
    if direction == Direction::Forth { step } else { 7 - step }
}

/// Moves weekdays by so many days.
pub(super) fn rotate_weekdays(step: usize, value: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
    for token in tokens {
        let Class::Weekday(day, row) = token.class else { continue };
        let written = token.text(value);
        // A misspelt one is written anew where it stays, for it may be a name: `Mondal`.
        if step > 0 || fold(written) != fold(WEEKDAYS[row][day]) {
            let text = Casing::of(written).apply(WEEKDAYS[row][(day + step) % 7]);
            edits.push(Edit { start: token.start, end: token.end, text });
        }
    }
}

/// How many entries of [`DECADES`] are none of a century: `teens` are also an age.
const NO_DECADES: usize = 2;

/// Moves decades in words by one, as those in digits move; behind the last comes the first.
pub(super) fn rotate_decades(moving: Moving, value: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
    let decades = DECADES.get(NO_DECADES..).unwrap_or_default();
    for token in tokens.iter().filter(|token| token.class == Class::Word) {
        let written = token.text(value);
        let Some(decade) = decades.iter().position(|known| written.eq_ignore_ascii_case(known)) else { continue };
        let moved = (decade as i64 + moving.direction_of_time()).rem_euclid(decades.len() as i64) as usize;
        if let Some(name) = decades.get(moved) {
            edits.push(Edit { start: token.start, end: token.end, text: Casing::of(written).apply(name) });
        }
    }
}
