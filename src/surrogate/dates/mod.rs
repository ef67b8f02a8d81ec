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
//! by a step of their own, seasons in their language. What cannot be read as a date still changes: its digits, its months, at last
//! all of it but words of plain English.

mod calendar;
mod clocks;
mod counted_weekdays;
mod cycles;
mod digits;
mod holidays;
mod lex;
mod listed;
mod lookalikes;
mod moving;
mod only;
mod ordinals;
mod packed;
mod plain_words;
mod recognise;
mod shift;
mod short_years;
mod spoken;
mod spread;
mod strokes;
mod style;
mod times;
mod unreadable;
mod weeks;
mod whole;
mod words;
mod writing;

use std::cell::LazyCell;

use chrono::NaiveDate;

use crate::phi::Kind;
use cycles::{readings_of_seasons, rotate_decades, rotate_seasons, rotate_weekdays, weekday_step};
use lex::{Class, Token, lex};
pub(super) use moving::Moving;
pub use only::{is_no_day, is_only_date};
pub(super) use ordinals::{ordinal_suffix, without_ordinal};
use plain_words::{another_word, may_name_a_day};
use recognise::{Recogniser, Written};
use shift::{Edit, Shifter};
use spoken::{another_number, cardinal, is_unit_of_time};
pub use style::DateStyle;
use unreadable::{step_numbers, unreadable};

use super::options::DateOrder;
use super::permutation::{Direction, Randomness};
use super::words::APOSTROPHES;

/// The surrogate of a date of any kind.
pub(super) fn replace(randomness: &Randomness, moving: Moving, kind: Kind, value: &str) -> String {
    if let Some(moved) = strokes::moved(moving, value) {
        return moved;
    }
    match digits::read(value) {
        Some(read) => digits::write(value, replace_clear(randomness, moving, kind, &read)),
        None => replace_clear(randomness, moving, kind, value),
    }
}

/// Whether a clock time stands behind a date whose numbers look like further days.
pub(super) fn has_clock(value: &str) -> bool {
    !clocks::split(value).1.is_empty()
}

fn replace_clear(randomness: &Randomness, moving: Moving, kind: Kind, value: &str) -> String {
    match lookalikes::read(value) {
        Some(read) => lookalikes::write(value, &read, replace_read(randomness, moving, kind, &read)),
        None => replace_read(randomness, moving, kind, value),
    }
}

fn replace_read(randomness: &Randomness, moving: Moving, kind: Kind, value: &str) -> String {
    let (date, clock) = clocks::split(value);
    if !clock.is_empty() {
        return replace_read(randomness, moving, kind, date) + clock;
    }
    let mut tokens = lex(value);
    leave_unknown_parts(&mut tokens);
    let moved = readable(randomness, moving, kind, value, &tokens).filter(|moved| moved != value);
    moved.unwrap_or_else(|| unreadable(randomness, moving, value, &tokens))
}

/// The zeros of `2019-03-00` and `00/03/2019` are parts that nobody knew, beside a year of four digits; they stay.
fn leave_unknown_parts(tokens: &mut [Token]) {
    let is_number = |token: &Token| matches!(token.class, Class::Number(_));
    let has_year = tokens.iter().any(|token| is_number(token) && token.len() == 4);
    let is_unknown = |token: &&mut Token| token.class == Class::Number(0) && token.len() <= 2;
    tokens.iter_mut().filter(|_| has_year).filter(is_unknown).for_each(|token| token.class = Class::Other);
}

/// The dates that become a surrogate, each in one writing; none where a keyed choice stands for something unreadable.
pub(super) fn before(randomness: &Randomness, moving: Moving, kind: Kind, surrogate: &str) -> Vec<String> {
    let plain = digits::read(surrogate);
    let plain = plain.as_deref().unwrap_or(surrogate);
    let read = lookalikes::read(plain);
    let read = read.as_deref().unwrap_or(plain);
    let (date, clock) = clocks::split(read);
    if !clock.is_empty() && read == surrogate {
        return before(randomness, moving, kind, date).into_iter().map(|original| original + clock).collect();
    }
    let mut tokens = lex(read);
    leave_unknown_parts(&mut tokens);
    let mut found: Vec<String> = Vec::new();
    // Half a year from the anchor, one day more or less decides which year is the nearest.
    let nudges: &[i64] = if moving.anchor.is_some() { &[0, -10, 10] } else { &[0] };
    let orders = [(false, false), (true, false), (false, true), (true, true)];
    let readings = 0..readings_of_seasons(read, &tokens);
    for (reading, (day_first, leap)) in readings.flat_map(|reading| orders.map(|order| (reading, order))) {
        for &nudge in nudges {
            let moving = Moving { day_first, leap, reading, ..moving.back() }.nudged(nudge);
            let original = readable(randomness, moving, kind, read, &tokens);
            let original = original.map(|original| digits::write(surrogate, lookalikes::write(plain, read, original)));
            found.extend(original.filter(|original| !found.contains(original)));
        }
    }
    found.retain(|original| is_written_as(surrogate, original, replace(randomness, moving, kind, original)));
    found
}

/// Whether a text is the surrogate of an original, in the style of whatever note.
pub(super) fn is_written_as(text: &str, original: &str, surrogate: String) -> bool {
    surrogate == text || DateStyle::ANY.write(original, surrogate) == text
}

/// Whether a surrogate may stand for dates of all years that tell an age over 89: they are taken to be of one.
pub(super) fn may_hide_an_age(moving: Moving, surrogate: &str, originals: &[String]) -> bool {
    let years = |text: &str| -> Vec<i32> {
        let clear = read_clear(text);
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

/// A text with plain digits for all that stand for them; nothing where it has no others.
fn read_clear(text: &str) -> Option<String> {
    let plain = digits::read(text);
    lookalikes::read(plain.as_deref().unwrap_or(text)).or(plain)
}

fn read_as(value: &str, order: DateOrder) -> Option<String> {
    let clear = read_clear(value);
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
    if let Some(moved) = weeks::moved(moving, value) {
        return Some(moved);
    }
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
    let straight = value.replace(APOSTROPHES, "'");
    let found = holidays::find(&straight)?;
    let dated = straight[found.end..].contains(|character: char| character.is_ascii_digit());
    if dated && straight[found.start..found.end].to_ascii_lowercase().contains("july") {
        // The fourth of July of a year is a full date.
        return None;
    }
    let rest = |text: &str| {
        let tokens = lex(text);
        match tokens.iter().any(is_dated) {
            true if moving.direction == Direction::Forth => Some(replace(randomness, moving, Kind::DateYear, text)),
            true => readable(randomness, moving, Kind::DateYear, text, &tokens),
            // Another holiday, a weekday, a season, or words.
            false => readable(randomness, moving, Kind::DateYear, text, &tokens).or_else(|| {
                let mut edits = Vec::new();
                replace_words(randomness, moving.direction, text, &tokens, &mut edits);
                Some(apply(text, edits))
            }),
        }
    };
    let (before, after) = (rest(&straight[..found.start])?, rest(&straight[found.end..])?);
    Some([before, holidays::another(randomness, moving.direction, &straight, &found), after].concat())
}

fn ordinary(randomness: &Randomness, moving: Moving, kind: Kind, value: &str, tokens: &[Token]) -> Option<String> {
    let mut shifter =
        Shifter { randomness, text: value, tokens, moving, edits: Vec::with_capacity(4), weekdays: moving.days };
    let tokens_left = rotate_seasons(randomness, moving, value, tokens, &mut shifter.edits);
    let rotated = !shifter.edits.is_empty();
    let tokens_left = tokens_left.as_deref().unwrap_or(tokens);
    let years_only = kind == Kind::DateYear || rotated;
    // On the way back every order is tried, also the rare one in which a day stands right behind the year.
    let day_after_year = moving.day_first && moving.direction == Direction::Back;
    let recogniser =
        Recogniser { years_only, day_first: moving.day_first, day_after_year, ..Recogniser::of(value, tokens_left) };
    match recogniser.dates() {
        Some(dates) => {
            for (next, date) in (1..).zip(&dates) {
                shifter.shift(date, dates.get(next..).unwrap_or_default())?;
            }
            rotate_weekdays(shifter.weekdays.rem_euclid(7) as usize, value, tokens, &mut shifter.edits);
        }
        None if rotated => step_numbers(randomness, moving, value, tokens_left, &mut shifter.edits),
        None if tokens.iter().any(is_dated) => return None,
        None => rotate_weekdays(weekday_step(randomness, moving.direction), value, tokens, &mut shifter.edits),
    }
    rotate_decades(moving, value, tokens, &mut shifter.edits);
    if shifter.edits.is_empty() {
        return None;
    }
    replace_words(randomness, moving.direction, value, tokens, &mut shifter.edits);
    Some(apply(value, shifter.edits))
}

/// Whether a token is a part of a date that is read as a whole or not at all.
const fn is_dated(token: &Token) -> bool {
    matches!(token.class, Class::Number(_) | Class::Month(..) | Class::Spoken(_) | Class::SpokenYear(_))
}

/// Words that no date has may be names, or months in a language that is not read: letters for letters, as in codes, where they are
/// no plain English. Numbers in words that are read as no part of a date may be one all the same.
fn replace_words(randomness: &Randomness, direction: Direction, value: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
    let mut of_clock = false;
    let may_stay = LazyCell::new(|| !may_name_a_day(value, tokens));
    let is_other = |token: &&Token| matches!(token.class, Class::Word | Class::Unknown);
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| is_other(token)) {
        let written = token.text(value);
        let number = if token.class == Class::Word { cardinal(written) } else { None };
        if token.class == Class::Word {
            // `at ten thirty`
            of_clock = of_clock && number.is_some() || written.eq_ignore_ascii_case("at");
        }
        let next = || tokens.get(index + 2).map_or("", |next| next.text(value));
        let is_hour = |next: &str| ["am", "pm", "o"].iter().any(|hour| next.eq_ignore_ascii_case(hour));
        let counts = || is_unit_of_time(next()) || is_hour(next());
        let text = match number {
            Some(number) if !of_clock && !counts() => another_number(randomness, direction, written, number),
            _ if token.class == Class::Unknown => {
                let Some(other) = another_word(randomness, direction, value, token, *may_stay) else { continue };
                other
            }
            _ => continue,
        };
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

#[cfg(test)]
mod tests;
