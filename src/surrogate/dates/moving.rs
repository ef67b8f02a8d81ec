//! How far the parts of dates move.
//!
//! ```text
//! days: by the patient's number      a month or year alone: by the nearest number of them      7/21: on the circle of 365 days
//! ```

use chrono::{Datelike, Days, NaiveDate};

use crate::surrogate::options::DateOrder;
use crate::surrogate::permutation::Direction;

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
    /// Which of the languages that have the seasons of a text they are taken to be of.
    pub reading: usize,
    /// The first year whose dates tell no age over 89, where those of earlier years are taken to be of it.
    pub oldest: Option<i32>,
}

/// From the oldest year to that of the newest notes.
const NO_AGE_OVER: i32 = 89;

impl Moving {
    /// From originals to surrogates.
    pub fn forth(days: i64, anchor: Option<NaiveDate>) -> Self {
        Self { days, direction: Direction::Forth, anchor, day_first: false, leap: false, reading: 0, oldest: None }
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
    pub fn months(self) -> i64 {
        let months = (self.days * 48 + 731 * self.days.signum()) / 1461;
        if months == 0 { self.direction_of_time() } else { months }
    }

    /// Years by which a year alone moves.
    pub fn years(self) -> i64 {
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
    pub fn month(self, year: i32, month: u32) -> (i32, u32) {
        let image = month_on(self.taken(year), month, self.months());
        if image == (year, month) { (self.taken(year), month) } else { image }
    }

    /// The same for a year, which moves by so many, or is the later one that it is taken to be.
    pub fn year(self, year: i32, step: i64) -> i32 {
        let taken = self.taken(year);
        if taken == year { year + step as i32 } else { taken }
    }

    /// The direction in which what is less than a date moves.
    pub fn direction_of_time(self) -> i64 {
        if self.days < 0 { -1 } else { 1 }
    }

    /// A day without its year: in the year in which it is nearest to the anchor, or else on the circle of an ordinary year.
    pub fn without_year(self, month: u32, day: u32) -> (u32, u32) {
        let Some(anchor) = self.anchor else {
            return on_the_circle(month, day, self.days, self.leap);
        };
        let of_year = |year: i32| NaiveDate::from_ymd_opt(year, month, day);
        let nearest = (anchor.year() - 8..=anchor.year() + 8)
            .filter_map(of_year)
            .min_by_key(|date| (*date - anchor).num_days().unsigned_abs());
        let moved = match nearest {
            Some(date) => add(date, self.days),
            None => moved(anchor.year(), month, day, self.days),
        };
        moved.map_or((month, day), |date| (date.month(), date.day()))
    }
}

/// A day some days on; an impossible one (30 February) counts on into the next month first.
pub(super) fn moved(year: i32, month: u32, day: u32, days: i64) -> Option<NaiveDate> {
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    add(first.checked_add_days(Days::new(u64::from(day.saturating_sub(1))))?, days)
}

fn add(date: NaiveDate, days: i64) -> Option<NaiveDate> {
    let count = Days::new(days.unsigned_abs());
    if days < 0 { date.checked_sub_days(count) } else { date.checked_add_days(count) }
}

/// A month some months on.
pub(super) fn month_on(year: i32, month: u32, months: i64) -> (i32, u32) {
    let number = i64::from(year) * 12 + i64::from(month) - 1 + months;
    (number.div_euclid(12) as i32, number.rem_euclid(12) as u32 + 1)
}

/// Year, month and day.
pub(super) fn parts(date: NaiveDate) -> (i32, u32, u32) {
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
}
