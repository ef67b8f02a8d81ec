//! Moving recognised dates.
//!
//! ```text
//! 03/04/2019  − 21 days → 02/11/2019      March 1st, 2014 + 35 days → April 5th, 2014
//! March 30-31 + 28 days → April 27-28     7/21 moves on the circle of 365 days
//! ```

use chrono::NaiveDate;

use super::cycles::weekday_step;
use super::lex::{Class, Token};
use super::moving::{Moving, month_on, moved, parts};
use super::packed::Packed;
use super::recognise::{Written, Year};
use crate::surrogate::permutation::{Direction, Randomness};

/// A replacement of a byte range; the ranges of one text never overlap.
pub(super) struct Edit {
    pub start: usize,
    pub end: usize,
    pub text: String,
}

/// Writes shifted dates into a text.
pub(super) struct Shifter<'a> {
    pub randomness: &'a Randomness,
    pub text: &'a str,
    pub tokens: &'a [Token],
    pub moving: Moving,
    pub edits: Vec<Edit>,
    /// By how many days a weekday moves that stands beside a date.
    pub weekdays: i64,
}

impl Shifter<'_> {
    /// Adds the edits that move one date, behind which others stand; nothing where the calendar has no such day.
    pub fn shift(&mut self, date: &Written, later: &[Written]) -> Option<()> {
        if let (Some(packed), [(token, _)]) = (date.packed, date.days.as_slice()) {
            return self.shift_packed(packed, *token);
        }
        match (date.year, date.month, date.days.is_empty()) {
            (Some(year), None, true) => self.shift_year(year),
            (year, Some(month), true) => self.shift_month(year, month, date.borrowed),
            (year, Some(month), false) => self.shift_days(date, year, month, later)?,
            (Some(year), None, false) => self.shift_day_of_year(date, year)?,
            (None, None, _) => self.shift_lone_days(date),
        }
        Some(())
    }

    pub(super) fn edit(&mut self, token: usize, text: String) {
        let Token { start, end, .. } = self.tokens[token];
        // A year alone may have been written with the date that borrows it.
        if !self.edits.iter().any(|edit| edit.start == start) {
            self.edits.push(Edit { start, end, text });
        }
    }

    fn shift_packed(&mut self, packed: Packed, token: usize) -> Option<()> {
        let digits = self.tokens[token].text(self.text);
        let (year, month, day) = packed.read(digits)?;
        let (year, month, day) = match packed {
            Packed::MonthDay | Packed::DayMonth => {
                let (month, day) = self.moving.without_year(month, day);
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

    pub(super) fn meant(&self, year: Year) -> i32 {
        let token = self.tokens[year.token];
        self.moving.meant(year.year, token.len() == 2 && matches!(token.class, Class::Number(_)))
    }

    /// What stands for a day, with whose weekday one beside it moves.
    pub(super) fn day_of(&mut self, year: i32, month: u32, day: u32) -> Option<NaiveDate> {
        let image = self.moving.day(year, month, day)?;
        if self.moving.taken(year) != year {
            self.weekdays = (image - moved(year, month, day, 0)?).num_days();
        }
        Some(image)
    }

    pub(super) fn write_year(&mut self, token: usize, year: i32) {
        let text = self.year_text(token, year);
        self.edit(token, text);
    }

    fn shift_month(&mut self, year: Option<Year>, (token, month): (usize, u32), borrowed: bool) {
        match year {
            Some(year) => {
                let (other_year, other) = self.moving.month(self.meant(year), month);
                self.write_month(token, other, self.padded(&[token]));
                if !borrowed {
                    self.write_year(year.token, other_year);
                }
            }
            None => {
                let months = self.moving.months();
                let months = if months % 12 == 0 { self.moving.direction_of_time() } else { months };
                self.write_month(token, month_on(2000, month, months).1, false);
            }
        }
    }

    fn write_month(&mut self, token: usize, month: u32, padded: bool) {
        let text = self.month_text(token, month, padded);
        self.edit(token, text);
    }

    fn shift_days(
        &mut self,
        date: &Written,
        year: Option<Year>,
        (month_token, month): (usize, u32),
        later: &[Written],
    ) -> Option<()> {
        let from = self.edits.len();
        let mut images = Vec::with_capacity(2);
        for &(_, day) in &date.days {
            images.push(match year {
                Some(year) => parts(self.day_of(self.meant(year), month, day)?),
                None => {
                    let (month, day) = self.moving.without_year(month, day);
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
        match (year, year_of) {
            (Some(_), Some(year_of)) if date.borrowed => self.spread_year(date, (year_of, last.1), from, later)?,
            (Some(year), Some(year_of)) => self.write_year(year.token, year_of),
            _ => {}
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

    /// Days without month move on a circle of 31, by three days at least, so that they always change; and by a step of their own, with a weekday beside
    /// them: beside full dates a step that follows from the shift would tell it.
    fn shift_lone_days(&mut self, date: &Written) {
        let step = 3 + self.randomness.draw("lone day", b"").index(20) as i64;
        let step = if self.moving.direction == Direction::Forth { step } else { -step };
        self.weekdays = weekday_step(self.randomness, self.moving.direction) as i64;
        for &(token, day) in &date.days {
            let moved = i64::from(day) - 1 + step;
            let moved = moved.rem_euclid(31) as u32 + 1;
            let padded = self.tokens[token].text(self.text).starts_with('0');
            let text = self.day_text(token, moved, padded);
            self.edit(token, text);
            self.write_suffix(token, moved, "");
        }
    }
}
