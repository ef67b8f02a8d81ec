//! Moving recognised dates and writing them as they were written.
//!
//! ```text
//! 03/04/2019  − 21 days → 02/11/2019      March 1st, 2014 + 35 days → April 5th, 2014
//! March 30-31 + 28 days → April 27-28     7/21 moves on the circle of 365 days
//! ```

use chrono::{Datelike, Days, NaiveDate};

use super::calendar::{MONTHS, ROMAN, spell};
use super::lex::{Class, Token};
use super::packed::Packed;
use super::recognise::{Written, Year};
use crate::surrogate::casing::Casing;
use crate::surrogate::options::DateOrder;
use crate::surrogate::permutation::Direction;
use crate::text::numbers::spell_year;

/// Rows of [`MONTHS`]: English names in full and short. `May` is both, and found as the first.
const FULL: usize = 0;
const SHORT: usize = 1;
/// The month whose short name is its full one.
const MAY: u32 = 5;

/// A replacement of a byte range; the ranges of one text never overlap.
pub(super) struct Edit {
    pub start: usize,
    pub end: usize,
    pub text: String,
}

/// How the dates of a text move.
#[derive(Debug, Clone, Copy)]
pub(in crate::surrogate) struct Moving {
    /// Days by which everything moves; its sign is the direction in which what is less than a date moves.
    pub days: i64,
    /// Whether steps that are keyed by themselves are taken or undone.
    pub direction: Direction,
    /// The day in whose neighbourhood dates without a year are.
    pub anchor: Option<NaiveDate>,
    /// Whether `3/4` is the third of April, where it may be either.
    pub day_first: bool,
    /// Whether a day without year and anchor is one of a leap year.
    pub leap: bool,
    /// The first year whose dates tell no age over 89, where those of earlier years are taken to be of it.
    pub oldest: Option<i32>,
}

/// From the oldest year to that of the newest notes.
const NO_AGE_OVER: i32 = 89;

impl Moving {
    /// From originals to surrogates.
    pub fn forth(days: i64, anchor: Option<NaiveDate>) -> Self {
        Self { days, direction: Direction::Forth, anchor, day_first: false, leap: false, oldest: None }
    }

    /// The same, with dates that may be read in two ways read in this one.
    pub fn in_order(self, order: DateOrder) -> Self {
        Self { day_first: order == DateOrder::DayFirst, ..self }
    }

    /// The same, with dates before a year taken to be of it.
    pub fn not_before(self, oldest: Option<i32>) -> Self {
        Self { oldest, ..self }
    }

    /// From surrogates to originals.
    pub fn back(self) -> Self {
        let anchor = self.anchor.and_then(|anchor| add(anchor, self.days));
        Self { days: -self.days, direction: Direction::Back, anchor, oldest: None, ..self }
    }

    /// The same with another anchor some days off.
    pub fn nudged(self, days: i64) -> Self {
        Self { anchor: self.anchor.and_then(|anchor| add(anchor, days)), ..self }
    }

    /// Months by which a month alone moves: about as far as the days, and not nothing.
    fn months(self) -> i64 {
        let months = (self.days * 48 + 731 * self.days.signum()) / 1461;
        if months == 0 { self.direction_of_time() } else { months }
    }

    /// Years by which a year alone moves.
    fn years(self) -> i64 {
        let years = (self.days * 4 + 731 * self.days.signum()) / 1461;
        if years == 0 { self.direction_of_time() } else { years }
    }

    /// A year as it was meant: two digits are no year after that which follows the note, or the newest notes.
    pub fn meant(self, year: i32, two_digits: bool) -> i32 {
        let newest = |oldest: i32| self.anchor.map_or(i32::MAX, |anchor| anchor.year()).min(oldest + NO_AGE_OVER);
        let is_to_come = |oldest: i32| two_digits && year > newest(oldest) + 1;
        if self.oldest.is_some_and(is_to_come) { year - 100 } else { year }
    }

    /// The year that a date is taken to be of.
    pub fn taken(self, year: i32) -> i32 {
        self.oldest.map_or(year, |oldest| year.max(oldest))
    }

    /// What stands for a day. One that is taken to be of a later year stays where the shift would bring it back.
    pub fn day(self, year: i32, month: u32, day: u32) -> Option<NaiveDate> {
        let taken = self.taken(year);
        let image = moved(taken, month, day, self.days)?;
        let is_back = taken != year && Some(image) == moved(year, month, day, 0);
        if is_back { moved(taken, month, day, 0) } else { Some(image) }
    }

    /// The same for a month of a year.
    fn month(self, year: i32, month: u32) -> (i32, u32) {
        let image = month_on(self.taken(year), month, self.months());
        if image == (year, month) { (self.taken(year), month) } else { image }
    }

    /// The same for a year, which moves by so many, or is the later one that it is taken to be.
    pub fn year(self, year: i32, step: i64) -> i32 {
        let taken = self.taken(year);
        if taken == year { year + step as i32 } else { taken }
    }

    fn direction_of_time(self) -> i64 {
        if self.days < 0 { -1 } else { 1 }
    }
}

/// Writes shifted dates into a text.
pub(super) struct Shifter<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    pub moving: Moving,
    pub edits: Vec<Edit>,
    /// By how many days a weekday moves that stands beside a date.
    pub weekdays: i64,
}

impl Shifter<'_> {
    /// Adds the edits that move one date; nothing where the calendar has no such day.
    pub fn shift(&mut self, date: &Written) -> Option<()> {
        if let (Some(packed), [(token, _)]) = (date.packed, date.days.as_slice()) {
            return self.shift_packed(packed, *token);
        }
        match (date.year, date.month, date.days.is_empty()) {
            (Some(year), None, true) => self.shift_year(year),
            (year, Some(month), true) => self.shift_month(year, month)?,
            (year, Some(month), false) => self.shift_days(date, year, month)?,
            (_, None, _) => self.shift_lone_days(date),
        }
        Some(())
    }

    fn edit(&mut self, token: usize, text: String) {
        let Token { start, end, .. } = self.tokens[token];
        // Two dates of a range may share their year.
        if !self.edits.iter().any(|edit| edit.start == start) {
            self.edits.push(Edit { start, end, text });
        }
    }

    fn shift_packed(&mut self, packed: Packed, token: usize) -> Option<()> {
        let digits = self.tokens[token].text(self.text);
        let (year, month, day) = packed.read(digits)?;
        let (year, month, day) = match packed {
            Packed::MonthDay | Packed::DayMonth => {
                let (month, day) = self.without_year(month, day);
                (year, month, day)
            }
            Packed::YearMonth => {
                let (year, month) = self.moving.month(year, month);
                (year, month, day)
            }
            _ => parts(self.day_of(self.moving.meant(year, packed.is_short()), month, day)?),
        };
        let mut written = packed.write(year, month, day);
        written.push_str(digits.get(written.len()..).unwrap_or_default());
        self.edit(token, written);
        Some(())
    }

    /// A year alone, or a decade, moves by the nearest number of them in the direction of the shift, and by one at least.
    fn shift_year(&mut self, year: Year) {
        let decade = self.tokens.get(year.token + 1).is_some_and(|next| {
            next.class == Class::Decade
                || (matches!(next.text(self.text), "'" | "’")
                    && self
                        .tokens
                        .get(year.token + 2)
                        .is_some_and(|last| last.text(self.text).eq_ignore_ascii_case("s")))
        });
        let meant = self.meant(year);
        let moved = match self.moving.oldest {
            Some(oldest) if decade && meant + 9 < oldest => oldest / 10 * 10,
            _ if decade => meant + 10 * self.moving.direction_of_time() as i32,
            _ => self.moving.year(meant, self.moving.years()),
        };
        self.write_year(year.token, moved);
    }

    fn meant(&self, year: Year) -> i32 {
        let token = self.tokens[year.token];
        self.moving.meant(year.year, token.len() == 2 && matches!(token.class, Class::Number(_)))
    }

    /// What stands for a day, with whose weekday one beside it moves.
    fn day_of(&mut self, year: i32, month: u32, day: u32) -> Option<NaiveDate> {
        let image = self.moving.day(year, month, day)?;
        if self.moving.taken(year) != year {
            self.weekdays = (image - moved(year, month, day, 0)?).num_days();
        }
        Some(image)
    }

    fn write_year(&mut self, token: usize, year: i32) {
        let text = self.year_text(token, year);
        self.edit(token, text);
    }

    fn year_text(&self, token: usize, year: i32) -> String {
        let original = self.tokens[token];
        match original.len() {
            _ if matches!(original.class, Class::SpokenYear(_)) => {
                as_spoken(original.text(self.text), spell_year(year.unsigned_abs()))
            }
            2 => format!("{:02}", year.rem_euclid(100)),
            _ => format!("{:04}", year.rem_euclid(10_000)),
        }
    }

    fn shift_month(&mut self, year: Option<Year>, (token, month): (usize, u32)) -> Option<()> {
        match year {
            Some(year) => {
                let (other_year, other) = self.moving.month(self.meant(year), month);
                self.write_month(token, other, self.padded(&[token]));
                self.write_year(year.token, other_year);
            }
            None => {
                let months = self.moving.months();
                let months = if months % 12 == 0 { self.moving.direction_of_time() } else { months };
                self.write_month(token, month_on(2000, month, months).1, false);
            }
        }
        Some(())
    }

    /// A day without its year: in the year in which it is nearest to the anchor, or else on the circle of an ordinary year.
    fn without_year(&self, month: u32, day: u32) -> (u32, u32) {
        let Some(anchor) = self.moving.anchor else {
            return on_the_circle(month, day, self.moving.days, self.moving.leap);
        };
        let of_year = |year: i32| NaiveDate::from_ymd_opt(year, month, day);
        let nearest = (anchor.year() - 8..=anchor.year() + 8)
            .filter_map(of_year)
            .min_by_key(|date| (*date - anchor).num_days().unsigned_abs());
        let moved = match nearest {
            Some(date) => add(date, self.moving.days),
            None => moved(anchor.year(), month, day, self.moving.days),
        };
        moved.map_or((month, day), |date| (date.month(), date.day()))
    }

    fn write_month(&mut self, token: usize, month: u32, padded: bool) {
        let text = self.month_text(token, month, padded);
        self.edit(token, text);
    }

    fn month_text(&self, token: usize, month: u32, padded: bool) -> String {
        let original = self.tokens[token];
        match original.class {
            Class::Month(written, row) => {
                let row = if written == MAY && row == FULL && self.is_compact(token) { SHORT } else { row };
                let casing = match Casing::of(original.text(self.text)) {
                    // `V` is written as `IX` is.
                    Casing::Title if row == ROMAN => Casing::Upper,
                    other => other,
                };
                casing.apply(MONTHS[row][month as usize - 1])
            }
            _ if padded => format!("{month:02}"),
            _ => month.to_string(),
        }
    }

    /// Whether a month stands between hyphens or digits (`18-May-2020`, `18MAY20`), where names are short: `May` itself does not
    /// tell.
    fn is_compact(&self, token: usize) -> bool {
        let token = self.tokens[token];
        let beside =
            |character: Option<char>| character.is_some_and(|character| character == '-' || character.is_ascii_digit());
        beside(self.text[..token.start].chars().next_back()) || beside(self.text[token.end..].chars().next())
    }

    /// Whether numbers get a leading zero: as some of them have one, or all have two digits and no names of months
    /// stand apart beside them.
    fn padded(&self, tokens: &[usize]) -> bool {
        let mut numbers =
            tokens.iter().map(|&token| self.tokens[token]).filter(|token| matches!(token.class, Class::Number(_)));
        let leading_zero = numbers.clone().any(|token| token.len() == 2 && token.text(self.text).starts_with('0'));
        let two_digits = numbers.all(|token| token.len() == 2);
        let names = tokens.iter().any(|&token| matches!(self.tokens[token].class, Class::Month(..)));
        let apart = tokens.windows(2).any(|pair| pair[0].abs_diff(pair[1]) > 1);
        leading_zero || (two_digits && !(names && apart))
    }

    fn shift_days(&mut self, date: &Written, year: Option<Year>, (month_token, month): (usize, u32)) -> Option<()> {
        let mut images = Vec::with_capacity(2);
        for &(_, day) in &date.days {
            images.push(match year {
                Some(year) => parts(self.day_of(self.meant(year), month, day)?),
                None => {
                    let (month, day) = self.without_year(month, day);
                    (0, month, day)
                }
            });
        }
        let (first, last) = (*images.first()?, *images.last()?);
        let day_first = date.days.first().is_some_and(|&(token, _)| token < month_token);
        // The written month belongs to the day next to it.
        let month_of = if day_first { last.1 } else { first.1 };
        let year_of = year.map(|year| if year.token < month_token { first.0 } else { last.0 });
        let mut tokens = vec![month_token];
        tokens.extend(date.days.iter().map(|&(token, _)| token));
        let padded = self.padded(&tokens);
        self.write_month(month_token, month_of, padded);
        let is_list = self.is_list(&date.days);
        for (&(token, _), &(own, month, day)) in date.days.iter().zip(&images) {
            let other_year = year.filter(|_| is_list && year_of != Some(own)).map(|year| (year.token, own));
            let (before, after) = match month == month_of && other_year.is_none() {
                true => Default::default(),
                false => self.own_month(date, (month_token, month), other_year, padded),
            };
            // The first day has the written month in front of it.
            let before = if !day_first && Some(token) == date.days.first().map(|day| day.0) { "" } else { &before };
            let text = self.day_text(token, day, padded);
            let has_suffix = self.tokens.get(token + 1).is_some_and(|next| next.class == Class::Suffix);
            self.edit(token, [before, &text, if has_suffix { "" } else { &after }].concat());
            self.write_suffix(token, day, &after);
        }
        if let (Some(year), Some(year_of)) = (year, year_of) {
            self.write_year(year.token, year_of);
        }
        Some(())
    }

    /// Whether days are single ones, not the ends of a range: more than two, or two with a comma or `and` between them.
    fn is_list(&self, days: &[(usize, u32)]) -> bool {
        let [(first, _), (last, _)] = days else { return days.len() > 2 };
        let between = self.text.get(self.tokens[*first].end..self.tokens[*last].start).unwrap_or_default();
        between.contains([',', '&', '/']) || {
            let mut words = between.split(|character: char| !character.is_alphabetic());
            words.any(|word| ["and", "or", "und", "et", "y", "e"].iter().any(|and| word.eq_ignore_ascii_case(and)))
        }
    }

    /// What stands before and behind a day whose month, or year, is not that of the list: `October 1`, `30 September`, `12/30/2019`.
    fn own_month(
        &self,
        date: &Written,
        (month_token, month): (usize, u32),
        year: Option<(usize, i32)>,
        padded: bool,
    ) -> (String, String) {
        let name = self.month_text(month_token, month, padded);
        let is_name = matches!(self.tokens[month_token].class, Class::Month(..));
        let nearest = date.days.iter().map(|&(token, _)| token).min_by_key(|token| token.abs_diff(month_token));
        let nearest = nearest.unwrap_or(month_token);
        let (left, right) = (month_token.min(nearest), month_token.max(nearest));
        let mark = self.text.get(self.tokens[left].end..self.tokens[right].start);
        let mark = match mark.filter(|mark| !is_name && matches!(*mark, "-" | ".")) {
            _ if is_name => " ",
            mark => mark.unwrap_or("/"),
        };
        let written = year.map(|(token, year)| (token, self.year_text(token, year)));
        match written {
            _ if nearest < month_token => {
                let year = written.map(|(_, year)| [mark, &year].concat()).unwrap_or_default();
                (String::new(), [mark, &name, &year].concat())
            }
            Some((token, year)) if token < month_token => ([&year, mark, &name, mark].concat(), String::new()),
            Some((_, year)) => ([&name, mark].concat(), [if is_name { ", " } else { mark }, &year].concat()),
            None => ([&name, mark].concat(), String::new()),
        }
    }

    fn day_text(&self, token: usize, day: u32, padded: bool) -> String {
        let original = self.tokens[token];
        match original.class {
            Class::Spoken(_) => as_spoken(original.text(self.text), spell(day)),
            _ if padded => format!("{day:02}"),
            _ => day.to_string(),
        }
    }

    /// Writes the ordinal of a day that has one, and what stands behind the day; the French one is of the first day only.
    fn write_suffix(&mut self, day_token: usize, day: u32, after: &str) {
        let Some(next) = self.tokens.get(day_token + 1).filter(|next| next.class == Class::Suffix) else {
            return;
        };
        let original = next.text(self.text);
        let suffix = match (original.eq_ignore_ascii_case("er"), day) {
            (true, 1) => "er",
            (true, _) => "",
            (false, _) => ordinal_suffix(day),
        };
        let upper = original.starts_with(|character: char| character.is_uppercase());
        let suffix = if upper { suffix.to_uppercase() } else { suffix.to_owned() };
        self.edit(day_token + 1, [&suffix, after].concat());
    }

    /// Days without month move on a circle of 31, by three days at least, so that they always change.
    fn shift_lone_days(&mut self, date: &Written) {
        let step = 3 + self.moving.days.abs() / 7 % 20;
        for &(token, day) in &date.days {
            let moved = i64::from(day) - 1 + step * self.moving.direction_of_time();
            let moved = moved.rem_euclid(31) as u32 + 1;
            let padded = self.tokens[token].text(self.text).starts_with('0');
            let text = self.day_text(token, moved, padded);
            self.edit(token, text);
            self.write_suffix(token, moved, "");
        }
    }
}

/// `st`, `nd`, `rd` or `th`.
pub(in crate::surrogate) const fn ordinal_suffix(number: u32) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

/// Words in small letters with the capitals of the original: a first one stays a first one.
fn as_spoken(original: &str, words: String) -> String {
    match Casing::of(original) {
        Casing::Upper => words.to_uppercase(),
        Casing::Lower => words,
        Casing::Title | Casing::Mixed => capitalized(&words),
    }
}

fn capitalized(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

/// A day some days on; an impossible one (30 February) counts on into the next month first.
fn moved(year: i32, month: u32, day: u32, days: i64) -> Option<NaiveDate> {
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    add(first.checked_add_days(Days::new(u64::from(day.saturating_sub(1))))?, days)
}

fn add(date: NaiveDate, days: i64) -> Option<NaiveDate> {
    let count = Days::new(days.unsigned_abs());
    if days < 0 { date.checked_sub_days(count) } else { date.checked_add_days(count) }
}

/// A month some months on.
fn month_on(year: i32, month: u32, months: i64) -> (i32, u32) {
    let number = i64::from(year) * 12 + i64::from(month) - 1 + months;
    (number.div_euclid(12) as i32, number.rem_euclid(12) as u32 + 1)
}

fn parts(date: NaiveDate) -> (i32, u32, u32) {
    (date.year(), date.month(), date.day())
}

/// A day of a year that is not told, moved on the circle of an ordinary year (of a leap year for 29 February).
fn on_the_circle(month: u32, day: u32, days: i64, leap: bool) -> (u32, u32) {
    let (year, length) = if leap || (month, day) == (2, 29) { (2016, 366) } else { (2015, 365) };
    let Some(date) = moved(year, month, day, 0) else {
        return (month % 12 + 1, day);
    };
    let step = if days % length == 0 { 7 * days.signum() } else { days };
    let image = (i64::from(date.ordinal0()) + step).rem_euclid(length);
    NaiveDate::from_yo_opt(year, image as u32 + 1).map_or((month % 12 + 1, day), |date| (date.month(), date.day()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_days_count_on() {
        assert_eq!(moved(2019, 2, 30, 0), NaiveDate::from_ymd_opt(2019, 3, 2));
        assert_eq!(moved(2019, 3, 4, -28), NaiveDate::from_ymd_opt(2019, 2, 4));
    }

    #[test]
    fn the_circle_of_the_year_moves_every_day() {
        for weeks in 8..=52_i64 {
            for (month, day) in [(1, 1), (2, 28), (2, 29), (2, 30), (12, 31)] {
                assert_ne!(on_the_circle(month, day, weeks * 7, false), (month, day));
                assert_ne!(on_the_circle(month, day, -weeks * 7, false), (month, day));
            }
        }
    }

    #[test]
    fn ordinal_suffixes() {
        let written: Vec<_> = [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31].iter().map(|&day| ordinal_suffix(day)).collect();
        assert_eq!(written, ["st", "nd", "rd", "th", "th", "th", "th", "st", "nd", "rd", "st"]);
    }
}
