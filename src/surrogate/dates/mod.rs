//! Dates: moved by the patient's number of days, written as they were written.
//!
//! ```text
//! text ─lex─▶ tokens ─recognise─▶ year, month, days ─shift─▶ the same text with other tokens
//!
//! 03/04/2019 → 01/14/2019     5 March 2014 → 15 January 2014     20190304T1011 → 20190114T1011
//! ```
//!
//! The shift is of whole weeks unless options say otherwise, so that weekdays keep their dates; the distance between two full dates is
//! exact. Months and years alone move by about as much, one at least; seasons, quarters, holidays and weekdays that stand alone move
//! by a step of their own. What cannot be read as a date still changes: its digits, its months, at last all of it.

mod calendar;
mod holidays;
mod lex;
mod listed;
mod lookalikes;
mod only;
mod packed;
mod recognise;
mod shift;
mod times;
mod words;

use chrono::NaiveDate;

use crate::phi::Kind;
use calendar::{MONTHS, SEASONS, WEEKDAYS, spell};
use lex::{Class, Token, lex};
pub use only::{is_no_day, is_only_date};
use recognise::{Recogniser, Written};
pub(super) use shift::Moving;
pub(super) use shift::ordinal_suffix;
use shift::{Edit, Shifter};

use super::casing::{Casing, fold};
use super::ids::{self, Family};
use super::options::DateOrder;
use super::permutation::{Direction, Randomness};

/// The surrogate of a date of any kind.
pub(super) fn replace(randomness: &Randomness, moving: Moving, kind: Kind, value: &str) -> String {
    match lookalikes::read(value) {
        Some(read) => lookalikes::write(value, &read, replace_read(randomness, moving, kind, &read)),
        None => replace_read(randomness, moving, kind, value),
    }
}

fn replace_read(randomness: &Randomness, moving: Moving, kind: Kind, value: &str) -> String {
    let tokens = lex(value);
    let moved = readable(randomness, moving, kind, value, &tokens).filter(|moved| moved != value);
    moved.unwrap_or_else(|| unreadable(randomness, moving, value, &tokens))
}

/// The dates that become a surrogate, each in one writing; none where a keyed choice stands for something unreadable.
pub(super) fn before(randomness: &Randomness, moving: Moving, kind: Kind, surrogate: &str) -> Vec<String> {
    let read = lookalikes::read(surrogate);
    let read = read.as_deref().unwrap_or(surrogate);
    let tokens = lex(read);
    let mut found: Vec<String> = Vec::new();
    // Half a year from the anchor, one day more or less decides which year is the nearest.
    let nudges: &[i64] = if moving.anchor.is_some() { &[0, -10, 10] } else { &[0] };
    for (day_first, leap) in [(false, false), (true, false), (false, true), (true, true)] {
        for &nudge in nudges {
            let moving = Moving { day_first, leap, ..moving.back() }.nudged(nudge);
            let original = readable(randomness, moving, kind, read, &tokens);
            let original = original.map(|original| lookalikes::write(surrogate, read, original));
            found.extend(original.filter(|original| !found.contains(original)));
        }
    }
    found.retain(|original| replace(randomness, moving, kind, original) == surrogate);
    found
}

/// Whether a surrogate may stand for dates of all years that tell an age over 89: they are taken to be of one.
pub(super) fn may_hide_an_age(moving: Moving, surrogate: &str, originals: &[String]) -> bool {
    let years = |text: &str| -> Vec<i32> {
        let clear = lookalikes::read(text);
        let text = clear.as_deref().unwrap_or(text);
        let tokens = lex(text);
        let read = |years_only| Recogniser { years_only, ..Recogniser::of(text, &tokens) }.dates();
        let dates = [false, true].map(read).into_iter().flatten().flatten();
        let year = |date: Written| match (date.packed, date.year) {
            (Some(packed), _) => {
                let (year, ..) = packed.read(tokens.get(date.days.first()?.0)?.text(text))?;
                packed.has_year().then(|| moving.meant(year, packed.is_short()))
            }
            (None, Some(year)) => Some(moving.meant(year.year, tokens[year.token].len() == 2)),
            (None, None) => None,
        };
        dates.filter_map(year).collect()
    };
    moving.oldest.is_some_and(|oldest| {
        let is_first = |year: i32| year == oldest || year == oldest / 10 * 10;
        years(surrogate).into_iter().any(is_first)
            || originals.iter().flat_map(|original| years(original)).any(|year| year <= oldest)
    })
}

/// The first full date in a text.
pub(super) fn first_day(text: &str, order: DateOrder) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(read_as(text, order)?.split(' ').next()?, "%Y-%m-%d").ok()
}

/// What a text is read as, in one writing for all: `3/4/19` and `March 4, 2019` are both `2019-3-4`.
pub(super) fn canonical(value: &str) -> Option<String> {
    read_as(value, DateOrder::MonthFirst)
}

fn read_as(value: &str, order: DateOrder) -> Option<String> {
    let clear = lookalikes::read(value);
    let value = clear.as_deref().unwrap_or(value);
    let (tokens, day_first) = (lex(value), order == DateOrder::DayFirst);
    let dates = Recogniser { day_first, ..Recogniser::of(value, &tokens) }.dates()?;
    let mut written = String::new();
    for date in dates {
        let packed = date.packed.and_then(|packed| packed.read(tokens.get(date.days.first()?.0)?.text(value)));
        if let Some((year, month, day)) = packed {
            written.push_str(&format!("{year}-{month}-{day} "));
            continue;
        }
        let number = |number: Option<u32>| number.map_or(String::from("?"), |number| number.to_string());
        let year = number(date.year.map(|year| year.year.unsigned_abs()));
        let days: Vec<String> = date.days.iter().map(|(_, day)| day.to_string()).collect();
        written.push_str(&format!("{year}-{}-{} ", number(date.month.map(|(_, month)| month)), days.join(",")));
    }
    Some(written.trim_end().to_owned())
}

fn readable(randomness: &Randomness, moving: Moving, kind: Kind, value: &str, tokens: &[Token]) -> Option<String> {
    let words = tokens.iter().any(|token| match token.class {
        Class::Spoken(_) => true,
        Class::Word => token.len() > 1 && holidays::is_word_of_one(token.text(value)),
        _ => false,
    });
    if words && let Some(moved) = with_holiday(randomness, moving, value) {
        return Some(moved);
    }
    ordinary(randomness, moving, kind, value, tokens)
}

fn with_holiday(randomness: &Randomness, moving: Moving, value: &str) -> Option<String> {
    let straight = value.replace('’', "'");
    let found = holidays::find(&straight)?;
    let dated = straight[found.end..].contains(|character: char| character.is_ascii_digit());
    if dated && straight[found.start..found.end].to_ascii_lowercase().contains("july") {
        // The fourth of July of a year is a full date.
        return None;
    }
    let rest = |text: &str| {
        let tokens = lex(text);
        let is_dated = |token: &Token| matches!(token.class, Class::Number(_) | Class::Month(..));
        match tokens.iter().any(is_dated) {
            true if moving.direction == Direction::Forth => Some(replace(randomness, moving, Kind::DateYear, text)),
            true => readable(randomness, moving, Kind::DateYear, text, &tokens),
            false => {
                let mut edits = Vec::new();
                replace_words(randomness, moving.direction, text, &tokens, &mut edits);
                Some(apply(text, edits))
            }
        }
    };
    let (before, after) = (rest(&straight[..found.start])?, rest(&straight[found.end..])?);
    Some([before, holidays::another(randomness, moving.direction, &straight, &found), after].concat())
}

fn ordinary(randomness: &Randomness, moving: Moving, kind: Kind, value: &str, tokens: &[Token]) -> Option<String> {
    let mut shifter = Shifter { text: value, tokens, moving, edits: Vec::with_capacity(4), weekdays: moving.days };
    let tokens_left = rotate_seasons(randomness, moving.direction, value, tokens, &mut shifter.edits);
    let rotated = !shifter.edits.is_empty();
    let tokens_left = tokens_left.as_deref().unwrap_or(tokens);
    let years_only = kind == Kind::DateYear || rotated;
    // On the way back every order is tried, also the rare one in which a day stands right behind the year.
    let day_after_year = moving.day_first && moving.direction == Direction::Back;
    let recogniser =
        Recogniser { years_only, day_first: moving.day_first, day_after_year, ..Recogniser::of(value, tokens_left) };
    match recogniser.dates() {
        Some(dates) => {
            dates.iter().try_for_each(|date| shifter.shift(date))?;
            rotate_weekdays(shifter.weekdays.rem_euclid(7) as usize, value, tokens, &mut shifter.edits);
        }
        None if rotated && moving.direction == Direction::Back => return None,
        None if rotated => step_numbers(randomness, moving, value, tokens_left, &mut shifter.edits),
        None if tokens.iter().any(|token| matches!(token.class, Class::Number(_) | Class::Month(..))) => {
            return None;
        }
        None => rotate_weekdays(weekday_step(randomness, moving.direction), value, tokens, &mut shifter.edits),
    }
    if shifter.edits.is_empty() {
        return None;
    }
    replace_words(randomness, moving.direction, value, tokens, &mut shifter.edits);
    Some(apply(value, shifter.edits))
}

/// Words that no date has may be names, or months in a language that is not read: letters for letters, as in codes.
fn replace_words(randomness: &Randomness, direction: Direction, value: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
    for token in tokens.iter().filter(|token| token.class == Class::Unknown) {
        let text = ids::turn(randomness, direction, Family::Identifier, token.text(value));
        edits.push(Edit { start: token.start, end: token.end, text });
    }
}

fn apply(value: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.start);
    let mut written = String::with_capacity(value.len() + 8);
    let mut at = 0;
    for edit in edits.iter() {
        written.push_str(value.get(at..edit.start).unwrap_or_default());
        written.push_str(&edit.text);
        at = edit.end;
    }
    written.push_str(&value[at..]);
    written
}

/// Moves seasons and quarters one to three on. What is left to be recognised as dates comes back where that differs:
/// the number of a quarter is no day.
fn rotate_seasons(
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
fn weekday_step(randomness: &Randomness, direction: Direction) -> usize {
    let step = 1 + randomness.draw("weekday", b"").index(6);
    if direction == Direction::Forth { step } else { 7 - step }
}

fn rotate_weekdays(step: usize, value: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
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

/// Numbers of a text that is no known form of a date: years move by one, small numbers become other days.
fn step_numbers(randomness: &Randomness, moving: Moving, value: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
    let mut after_year: Option<u32> = None;
    for token in tokens {
        let Class::Number(number) = token.class else { continue };
        let step = moving.days.signum();
        let text = match (token.len(), after_year) {
            (4, _) if (1700..=2199).contains(&number) => moving.year(number as i32, step).to_string(),
            (2, Some(year)) => {
                format!("{:02}", moving.year((year / 100 * 100 + number) as i32, step).rem_euclid(100))
            }
            (1 | 2, _) if number <= 12 => {
                let moved =
                    randomness.displace(&randomness.draw("part of a date", b""), 12, u128::from(number.max(1)) - 1) + 1;
                if token.text(value).starts_with('0') { format!("{moved:02}") } else { moved.to_string() }
            }
            // No month, but a day.
            (2, _) if number <= 31 => {
                let day = u128::from(number) - 13;
                (13 + randomness.displace(&randomness.draw("part of a date", b""), 19, day)).to_string()
            }
            _ => ids::replace_digits(randomness, "part of a date", token.text(value)),
        };
        after_year = (token.len() == 4).then_some(number);
        edits.push(Edit { start: token.start, end: token.end, text });
    }
}

/// Whatever else was marked as a date.
fn unreadable(randomness: &Randomness, moving: Moving, value: &str, tokens: &[Token]) -> String {
    let mut edits = Vec::new();
    step_numbers(randomness, moving, value, tokens, &mut edits);
    for token in tokens {
        if let Class::Month(month, row) = token.class {
            let moved = MONTHS[row][(month as usize + randomness.draw("month", b"").index(11)) % 12];
            edits.push(Edit { start: token.start, end: token.end, text: Casing::of(token.text(value)).apply(moved) });
        }
    }
    if edits.is_empty() {
        rotate_weekdays(weekday_step(randomness, Direction::Forth), value, tokens, &mut edits);
    }
    if !edits.is_empty() {
        replace_words(randomness, Direction::Forth, value, tokens, &mut edits);
    }
    let written = apply(value, edits);
    if written != value {
        return written;
    }
    let draw = randomness.draw("unreadable date", value.as_bytes());
    let day = 1 + u32::from(draw.bytes()[0]) % 28;
    Casing::of(value).apply(&format!("{} {day}", MONTHS[0][draw.index(12)]))
}

#[cfg(test)]
mod tests;
