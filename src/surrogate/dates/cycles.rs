//! What comes round: seasons, quarters, weekdays, and decades in words.
//!
//! ```text
//! summer → winter     été → hiver     Q3 2014 → Q1 2015     Tuesday → Friday     the late nineties → the late eighties
//! ```

use super::calendar::{OTHER_SEASONS, SEASONS, WEEKDAYS, spell};
use super::lex::{Class, Token};
use super::moving::Moving;
use super::ordinals::ordinal_suffix;
use super::shift::Edit;
use crate::surrogate::age_words::DECADES;
use crate::surrogate::casing::{Casing, fold};
use crate::surrogate::permutation::{Direction, Randomness};

/// The languages that have all the seasons of a text, as rows of [`SEASONS`].
fn languages(value: &str, tokens: &[Token]) -> Vec<usize> {
    let is_season = |token: &&Token| matches!(token.class, Class::Season(_));
    let seasons: Vec<String> = tokens.iter().filter(is_season).map(|token| fold(token.text(value))).collect();
    let has = |row: usize, season: &str| {
        let other = OTHER_SEASONS.iter().filter(|(_, of, _)| *of == row).map(|(name, ..)| name);
        SEASONS[row].iter().chain(other).any(|name| fold(name) == season)
    };
    (0..SEASONS.len()).filter(|&row| seasons.iter().all(|season| has(row, season))).collect()
}

/// In how many languages the seasons of a text can be led back, one at least: `Winter` may have been a German or an English one.
pub(super) fn readings_of_seasons(value: &str, tokens: &[Token]) -> usize {
    let is_season = |token: &Token| matches!(token.class, Class::Season(_));
    if tokens.iter().any(is_season) { languages(value, tokens).len().max(1) } else { 1 }
}

/// Moves seasons and quarters one to three on, seasons in their language: the first that has all those of the text, or on the way back
/// the one of the reading. What is left to be recognised as dates comes back where that differs: the number of a quarter is no day.
pub(super) fn rotate_seasons(
    randomness: &Randomness,
    moving: Moving,
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
    let step = if moving.direction == Direction::Forth { step } else { 4 - step };
    let language = languages(value, tokens).get(moving.reading).copied();
    let mut left = tokens.to_vec();
    for (index, token) in tokens.iter().enumerate() {
        let edit = |text: String| Edit { start: token.start, end: token.end, text };
        match token.class {
            Class::Season(season) => {
                let own = || languages(value, &[*token]).first().copied();
                let name = SEASONS[language.or_else(own).unwrap_or(0)][(season + step) % 4];
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
