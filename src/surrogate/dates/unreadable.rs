//! What was marked as a date and cannot be read as one: its digits and months change, at last all of it.
//!
//! ```text
//! 13/45/2019 → 21/83/2020     3/4/5/6 and 5/6/2019: the whole date moves as everywhere     yesterday → October 7
//! ```

use super::calendar::MONTHS;
use super::cycles::{rotate_decades, rotate_weekdays, weekday_step};
use super::lex::{Class, Token};
use super::moving::Moving;
use super::recognise::Recogniser;
use super::shift::{Edit, Shifter};
use super::writing::{day_in_words, year_in_words};
use super::{apply, replace_words};
use crate::surrogate::casing::Casing;
use crate::surrogate::ids;
use crate::surrogate::permutation::{Direction, Randomness};

/// Numbers of a text that is no known form of a date, in digits or words: years move by one, small numbers become other days.
pub(super) fn step_numbers(
    randomness: &Randomness,
    moving: Moving,
    value: &str,
    tokens: &[Token],
    edits: &mut Vec<Edit>,
) {
    let mut after_year: Option<u32> = None;
    for token in tokens {
        if edits.iter().any(|edit| edit.start == token.start) {
            continue;
        }
        let (written, step) = (token.text(value), moving.days.signum());
        let number = match token.class {
            Class::Number(number) => number,
            // Days and years in words that are beside no part of a date.
            Class::Spoken(day) => {
                let moved = randomness.displace(&randomness.draw("part of a date", b""), 31, u128::from(day) - 1) + 1;
                edits.push(Edit { start: token.start, end: token.end, text: day_in_words(written, moved as u32) });
                continue;
            }
            Class::SpokenYear(year) => {
                let text = year_in_words(written, moving.year(year as i32, step));
                edits.push(Edit { start: token.start, end: token.end, text });
                continue;
            }
            _ => continue,
        };
        let text = match (token.len(), after_year) {
            (4, _) if (1700..=2199).contains(&number) => moving.year(number as i32, step).to_string(),
            (2, Some(year)) => {
                format!("{:02}", moving.year((year / 100 * 100 + number) as i32, step).rem_euclid(100))
            }
            (1 | 2, _) if number <= 12 => {
                let moved =
                    randomness.displace(&randomness.draw("part of a date", b""), 12, u128::from(number.max(1)) - 1) + 1;
                if written.starts_with('0') { format!("{moved:02}") } else { moved.to_string() }
            }
            // No month, but a day.
            (2, _) if number <= 31 => {
                let day = u128::from(number) - 13;
                (13 + randomness.displace(&randomness.draw("part of a date", b""), 19, day)).to_string()
            }
            _ => ids::replace_digits(randomness, "part of a date", written),
        };
        after_year = (token.len() == 4).then_some(number);
        edits.push(Edit { start: token.start, end: token.end, text });
    }
}

/// Whatever else was marked as a date. The whole dates in it move as everywhere.
pub(super) fn unreadable(randomness: &Randomness, moving: Moving, value: &str, tokens: &[Token]) -> String {
    let (mut edits, weekdays) = whole_dates(randomness, moving, value, tokens);
    let step =
        if edits.is_empty() { weekday_step(randomness, Direction::Forth) } else { weekdays.rem_euclid(7) as usize };
    step_numbers(randomness, moving, value, tokens, &mut edits);
    for token in tokens {
        let is_moved = edits.iter().any(|edit| edit.start == token.start);
        if let Class::Month(month, row) = token.class
            && !is_moved
        {
            let moved = MONTHS[row][(month as usize + randomness.draw("month", b"").index(11)) % 12];
            edits.push(Edit { start: token.start, end: token.end, text: Casing::of(token.text(value)).apply(moved) });
        }
    }
    rotate_decades(moving, value, tokens, &mut edits);
    rotate_weekdays(step, value, tokens, &mut edits);
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

/// The edits that move the whole dates of a text which is not understood as a whole, and by how many days weekdays move beside them.
fn whole_dates(randomness: &Randomness, moving: Moving, value: &str, tokens: &[Token]) -> (Vec<Edit>, i64) {
    let recogniser = Recogniser { day_first: moving.day_first, ..Recogniser::of(value, tokens) };
    let mut shifter = Shifter { randomness, text: value, tokens, moving, edits: Vec::new(), weekdays: moving.days };
    for date in recogniser.whole_dates() {
        let from = shifter.edits.len();
        if shifter.shift(&date, &[]).is_none() {
            shifter.edits.truncate(from);
        }
    }
    (shifter.edits, shifter.weekdays)
}
