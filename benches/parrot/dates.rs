//! Dates as an attacker reads them: month names and numbers, in American order.
//!
//! ```text
//! March 5th, 2014 · 3/5/14 · 2014-03-05 ─▶ day 16,134     7/21 ─▶ day 201 of a year     '14 ─▶ a year
//! ```

use chrono::{Datelike, NaiveDate};
use plainsight::text::{TokenKind, tokens};

/// What a written date tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Days since 1970.
    Day(i64),
    /// Day of the year, from 0.
    OfYear(i64),
    /// A year alone.
    Year(i64),
}

/// Reads a date; nothing where it is written in words or is no date.
pub fn read(value: &str) -> Option<Seen> {
    let (mut month, mut numbers) = (None, Vec::new());
    for token in tokens(value).filter(|token| token.kind != TokenKind::Punctuation) {
        let text = token.text(value);
        let digits = text.trim_end_matches(|character: char| character.is_alphabetic());
        let letters = text.trim_start_matches(|character: char| character.is_ascii_digit());
        month = month.or_else(|| month_of(letters));
        if let Ok(number) = digits.parse::<i64>() {
            numbers.push((number, digits.len()));
        } else if let Some(packed) =
            text.find(|character: char| character.is_alphabetic()).and_then(|at| text.get(..at))
        {
            numbers.extend(packed.parse().map(|number| (number, packed.len())));
            let year = letters.trim_start_matches(|character: char| character.is_alphabetic());
            numbers.extend(year.parse().map(|number| (number, year.len())));
        }
    }
    match (month, numbers.as_slice()) {
        (Some(month), [(year, 4)]) => of_day(*year, month, 15),
        (Some(month), [(day, _)]) => of_year(month, *day),
        (Some(month), [(year, 4), (day, _), ..] | [(day, _), (year, 4), ..]) => of_day(*year, month, *day),
        (Some(month), [(day, _), (year, 2), ..]) => of_day(century(*year), month, *day),
        (None, [(packed, 8)]) => of_day(packed / 10_000, packed / 100 % 100, packed % 100),
        (None, [(year, 4)]) if (1880..2100).contains(year) => Some(Seen::Year(*year)),
        (None, [(year, 2)]) if value.starts_with('\'') => Some(Seen::Year(century(*year))),
        (None, [(year, 4), (month, _), (day, _), ..]) => of_day(*year, *month, *day),
        (None, [(month, _), (day, _), (year, 4), ..]) => of_day(*year, *month, *day),
        (None, [(month, 1..=2), (day, 1..=2), (year, 2), ..]) => of_day(century(*year), *month, *day),
        (None, [(month, 1..=2), (year, 4)]) => of_day(*year, *month, 15),
        (None, [(month, 1..=2), (day, 1..=2)]) => of_year(*month, *day),
        _ => None,
    }
}

fn month_of(word: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let letters: String = word.chars().take_while(|character| character.is_alphabetic()).collect();
    let first = letters.get(..3)?.to_lowercase();
    MONTHS.iter().position(|month| *month == first).map(|place| place as i64 + 1)
}

const fn century(year: i64) -> i64 {
    if year < 30 { 2000 + year } else { 1900 + year }
}

fn date(year: i64, month: i64, day: i64) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?)
}

fn of_day(year: i64, month: i64, day: i64) -> Option<Seen> {
    let date =
        date(year, month, day).or_else(|| date(year, day, month)).filter(|date| (1850..2150).contains(&date.year()))?;
    Some(Seen::Day(date.signed_duration_since(NaiveDate::default()).num_days()))
}

fn of_year(month: i64, day: i64) -> Option<Seen> {
    date(2001, month, day).or_else(|| date(2001, day, month)).map(|date| Seen::OfYear(i64::from(date.ordinal0())))
}

/// Day of the year, from 0, and the year of a day since 1970.
pub fn calendar(day: i64) -> Option<(i64, i64)> {
    let date = NaiveDate::default().checked_add_signed(chrono::TimeDelta::try_days(day)?)?;
    Some((i64::from(date.ordinal0()), i64::from(date.year())))
}
