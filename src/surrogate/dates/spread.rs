//! Dates that share one year, moved into two; and the day of a year.
//!
//! ```text
//! 12/23-1/1/2014  + 7 days → 12/30-1/8/2014               the year before, as it was
//! 5/11-5/20/2016  + 233 days → 12/30/2016-1/8/2017        it was of the same year, and says that it is not now
//! 2014-064        + 7 days → 2014-071
//! ```

use chrono::{Datelike, NaiveDate};

use super::lex::Class;
use super::recognise::{Written, Year};
use super::shift::Shifter;
use crate::surrogate::permutation::Direction;

impl Shifter<'_> {
    /// Writes the year of a date that borrows it from one of the `later` behind it, where that would be read as another one. Its other
    /// parts were written into the edits `from` on; `image` is the year and month that it moved to.
    pub(super) fn spread_year(
        &mut self,
        date: &Written,
        image: (i32, u32),
        from: usize,
        later: &[Written],
    ) -> Option<()> {
        let (own, (month_token, _)) = (date.year?, date.month?);
        if self.is_told(own, image, later)? {
            return Some(());
        }
        let year = self.year_text(own.token, image.0);
        let nearest = nearest_day(date, month_token);
        let mark = match self.mark(month_token, nearest) {
            " " if month_token < nearest => ", ",
            mark => mark,
        };
        let text = [mark, &year].concat();
        let last = self.edits.get_mut(from..)?.iter_mut().max_by_key(|edit| edit.start)?;
        last.text.push_str(&text);
        Some(())
    }

    /// Whether the year of a date is told by the date behind it, as it was before: of the same year, or of the one before.
    fn is_told(&self, own: Year, (year, month): (i32, u32), later: &[Written]) -> Option<bool> {
        let lender = later.iter().find(|date| date.year.is_some() && date.month.is_some())?;
        let (lent, (_, later_month)) = (lender.year?, lender.month?);
        let (later_year, later_month) = match lender.days.first() {
            Some(&(_, day)) => {
                let image = self.moving.day(self.meant(lent), later_month, day)?;
                (image.year(), image.month())
            }
            None => self.moving.month(self.meant(lent), later_month),
        };
        let read = later_year - i32::from(month > later_month);
        // What was told of a date that became a surrogate without its year was told by the date behind it too.
        let as_before = year == later_year || own.year != lent.year || self.moving.direction == Direction::Back;
        Some(year == read && as_before)
    }

    /// Moves the day of a year as the day of the calendar that it is.
    pub(super) fn shift_day_of_year(&mut self, date: &Written, year: Year) -> Option<()> {
        let &[(token, number)] = date.days.as_slice() else { return None };
        let day = NaiveDate::from_yo_opt(self.meant(year), number)?;
        let image = self.day_of(day.year(), day.month(), day.day())?;
        self.write_year(year.token, image.year());
        self.edit(token, format!("{:03}", image.ordinal()));
        Some(())
    }

    /// What stands between a month and a day that is written beside it.
    pub(super) fn mark(&self, month_token: usize, day_token: usize) -> &str {
        if matches!(self.tokens[month_token].class, Class::Month(..)) {
            return " ";
        }
        let (left, right) = (month_token.min(day_token), month_token.max(day_token));
        let mark = self.text.get(self.tokens[left].end..self.tokens[right].start);
        mark.filter(|mark| matches!(*mark, "-" | ".")).unwrap_or("/")
    }

    /// Whether a month and a day keep two digits each, as in `17-Dec-78`, `2001-Mar-31` and the date of a mail: `Sat, 17 Oct 2009`.
    pub(super) fn is_of_fixed_width(&self, month_token: usize, day_token: usize) -> bool {
        let (left, right) = (month_token.min(day_token), month_token.max(day_token));
        match self.text.get(self.tokens[left].end..self.tokens[right].start) {
            Some("" | "-") => true,
            Some(" ") => day_token < month_token && self.tokens[month_token].len() == 3 && self.is_mailed(day_token),
            _ => false,
        }
    }

    /// Whether a day stands behind a short weekday and a comma.
    fn is_mailed(&self, day_token: usize) -> bool {
        let before = day_token.checked_sub(2).and_then(|at| self.tokens.get(at..day_token));
        let Some([day, mark]) = before else { return false };
        matches!(day.class, Class::Weekday(..)) && day.len() == 3 && mark.text(self.text) == ", "
    }
}

/// The token of the day that stands nearest to the month, or the month where there is none.
pub(super) fn nearest_day(date: &Written, month_token: usize) -> usize {
    let days = date.days.iter().map(|&(token, _)| token);
    days.min_by_key(|token| token.abs_diff(month_token)).unwrap_or(month_token)
}
