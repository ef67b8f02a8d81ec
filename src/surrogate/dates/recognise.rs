//! Which tokens of a date are its year, month and days.
//!
//! ```text
//! 3/4/19 → month day year     2019-03-04 → year month day     25/12/19 → day month year (no month 25)
//! March 3-5, 2014 → month day day year     3/4-3/7/2019 → two dates, the first borrows the second's year
//! December 30 to January 2, 2014 → the first is of the year before     2014-064 → year and day of the year
//! Xyzzy 4, 2019 → a day and a year, for the word may be a month that is not read
//! ```

use super::calendar::year_of_two_digits;
use super::lex::{Class, Token};
use super::packed::Packed;
use crate::surrogate::words::APOSTROPHES;

/// A year as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Year {
    /// The token.
    pub token: usize,
    /// The year in full.
    pub year: i32,
}

/// One date as written: the tokens of its parts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Written {
    /// The year.
    pub year: Option<Year>,
    /// The token of the month and the month.
    pub month: Option<(usize, u32)>,
    /// The tokens of the days and the days; two for a range in one month. With a year and no month, the day of the year.
    pub days: Vec<(usize, u32)>,
    /// Whether the year is told by a later date, beside which it stands.
    pub borrowed: bool,
    /// Parts that stand in one run of digits, such as `20190304`.
    pub packed: Option<Packed>,
}

/// A number or month among the tokens, with what stands around it.
#[derive(Clone, Copy)]
pub(super) struct Core {
    pub token: usize,
    pub value: u32,
    pub digits: usize,
    pub month: bool,
    pub apostrophe: bool,
    pub ordinal: bool,
    decade: bool,
}

/// A text with its tokens.
pub(super) struct Recogniser<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    /// Whether a bare number of two digits is a year.
    pub years_only: bool,
    /// Whether the first of two numbers that may both be months is the day.
    pub day_first: bool,
    /// The same of two numbers behind a year.
    pub day_after_year: bool,
}

/// More parts than any written date or list of dates has.
const MOST_PARTS: usize = 16;

impl<'a> Recogniser<'a> {
    /// One that takes the first number for the month, where it may be, and a bare number of two digits for a day.
    pub const fn of(text: &'a str, tokens: &'a [Token]) -> Self {
        Self { text, tokens, years_only: false, day_first: false, day_after_year: false }
    }

    /// The dates in the text, or nothing where it cannot be understood as dates.
    pub fn dates(&self) -> Option<Vec<Written>> {
        let cores: Vec<Core> = (0..self.tokens.len()).filter_map(|index| self.core(index)).collect();
        if cores.is_empty() || cores.len() > MOST_PARTS {
            return None;
        }
        let mut dates = match (cores.len(), self.lone(cores[0])) {
            (1, Some(date)) => vec![date],
            _ => self.sequence(&cores)?,
        };
        lend_years(&mut dates);
        Some(dates)
    }

    pub(super) fn core(&self, index: usize) -> Option<Core> {
        let token = self.tokens[index];
        let (value, digits, month) = match token.class {
            Class::Number(value) => (value, token.len(), false),
            Class::Spoken(value) => (value, 0, false),
            Class::SpokenYear(value) => (value, 4, false),
            Class::Month(month, _) => (month, 0, true),
            _ => return None,
        };
        let before = index.checked_sub(1).map_or("", |before| self.tokens[before].text(self.text));
        let mut after = self.tokens[index + 1..].iter();
        let next = after.next();
        let decade_after_apostrophe = next.is_some_and(|token| matches!(token.text(self.text), "'" | "’"))
            && after.next().is_some_and(|token| token.text(self.text).eq_ignore_ascii_case("s"));
        Some(Core {
            token: index,
            value,
            digits,
            month,
            // `'22` and `FY22`
            apostrophe: digits == 2
                && (before.ends_with(APOSTROPHES) || ["fy", "cy"].iter().any(|year| before.eq_ignore_ascii_case(year))),
            ordinal: digits == 0 || next.is_some_and(|token| token.class == Class::Suffix),
            decade: decade_after_apostrophe || next.is_some_and(|token| token.class == Class::Decade),
        })
    }

    /// Dates one after another: the longest reading of the first parts as one date that leaves dates.
    fn sequence(&self, cores: &[Core]) -> Option<Vec<Written>> {
        if let Some(date) = self.single(cores) {
            return Some(vec![date]);
        }
        for split in (1..cores.len()).rev() {
            let (first, rest) = cores.split_at(split);
            let parted = self.separates(first[split - 1], rest[0]) || self.is_interval(first, rest[0]);
            // `20140305101112^20140306`: nothing else belongs to the date of a run.
            if (parted || self.is_stamp(first) || self.is_stamp(&rest[..1]))
                && let Some(date) = self.single(first)
                && let Some(mut later) = self.sequence(rest)
            {
                later.insert(0, date);
                return Some(later);
            }
        }
        None
    }

    /// `2019-03-04/2019-03-06`, `20190304/20190306`.
    fn is_interval(&self, first: &[Core], next: Core) -> bool {
        let [start, .., end] = first else {
            return first.iter().all(|only| only.digits == 8 && next.digits == 8 && self.between(*only, next) == "/");
        };
        start.digits == 4 && next.digits == 4 && self.between(*end, next).ends_with('/')
    }

    /// Whether parts are one whole date in one run of digits.
    pub(super) fn is_stamp(&self, cores: &[Core]) -> bool {
        matches!(cores, [only] if only.digits >= 8 && self.packed(*only).is_some())
    }

    pub(super) fn between(&self, left: Core, right: Core) -> &str {
        &self.text[self.tokens[left.token].end..self.tokens[right.token].start]
    }

    /// Whether a range or list goes on between two parts.
    pub(super) fn separates(&self, left: Core, right: Core) -> bool {
        if (left.month && right.month) || self.has_unknown_between(left, right) {
            return true;
        }
        let between = self.between(left, right).to_lowercase();
        between.contains(['-', '–', '—', ',', ';', '&', '\n', '+'])
            || between.split(|character: char| !character.is_alphabetic()).any(|word| {
                matches!(
                    word,
                    "to" | "through"
                        | "thru"
                        | "until"
                        | "till"
                        | "and"
                        | "or"
                        | "al"
                        | "a"
                        | "y"
                        | "au"
                        | "bis"
                        | "und"
                        | "et"
                )
            })
    }

    pub(super) fn single(&self, cores: &[Core]) -> Option<Written> {
        let months = cores.iter().filter(|core| core.month).count();
        match (months, cores) {
            (0, [only]) => bare_year(*only).or_else(|| self.packed(*only)).or_else(|| self.day_of_no_month(*only)),
            (0, [first, second]) => self.two(*first, *second),
            (0, [first, second, third]) => self.three(*first, *second, *third),
            (0, _) => self.days_in_numbers(cores),
            (1, _) => self.with_month_name(cores),
            _ => None,
        }
    }

    /// A number that is all there is.
    fn lone(&self, core: Core) -> Option<Written> {
        if core.month {
            return dated(None, core, &[]);
        }
        if let Some(date) = bare_year(core).or_else(|| self.packed(core)) {
            return Some(date);
        }
        if core.digits == 2 && !core.ordinal && (self.years_only || core.value > 31) {
            return Some(Written { year: year(core), ..Written::default() });
        }
        (1..=31).contains(&core.value).then(|| Written { days: vec![(core.token, core.value)], ..Written::default() })
    }

    pub(super) fn packed(&self, core: Core) -> Option<Written> {
        let layout = Packed::of(self.tokens[core.token].text(self.text), self.day_first).filter(|_| core.digits > 0)?;
        Some(Written { packed: Some(layout), days: vec![(core.token, 1)], ..Written::default() })
    }

    fn two(&self, first: Core, second: Core) -> Option<Written> {
        if let Some(date) = self.day_of_year(first, second) {
            return Some(date);
        }
        if (is_year(first, 4) || is_year(second, 4)) && self.has_no_month(first, second) {
            return None;
        }
        if is_year(first, 4) {
            return dated(Some(first), second, &[]);
        }
        if is_year(second, 4) || (second.digits == 2 && (second.apostrophe || second.value > 31)) {
            return dated(Some(second), first, &[]);
        }
        let day_first = first.value > 12 || (self.day_first && second.value <= 12);
        if day_first { dated(None, second, &[first]) } else { dated(None, first, &[second]) }
    }

    fn three(&self, first: Core, second: Core, third: Core) -> Option<Written> {
        let slash_then_range = self.between(first, second).contains('/') && !self.between(second, third).contains('/');
        if slash_then_range
            && third.digits <= 2
            && third.value > second.value
            && second.value <= 31
            && third.value <= 31
        {
            return dated(None, first, &[second, third]);
        }
        if first.digits == 4 || (first.digits == 2 && first.value > 31) {
            let day_first = second.value > 12 || (self.day_after_year && third.value <= 12);
            let (month, day) = if day_first { (third, second) } else { (second, third) };
            return is_year(first, 2).then(|| dated(Some(first), month, &[day]))?;
        }
        if !is_year(third, 2) {
            return None;
        }
        let day_first = first.value > 12 || (self.day_first && second.value <= 12);
        let (month, day) = if day_first { (second, first) } else { (first, second) };
        dated(Some(third), month, &[day])
    }

    fn with_month_name(&self, cores: &[Core]) -> Option<Written> {
        match cores {
            [month] => dated(None, *month, &[]),
            [month, number] if month.month => match is_year(*number, 4) || number.apostrophe || number.value > 31 {
                true => dated(Some(*number), *month, &[]),
                false => dated(None, *month, &[*number]),
            },
            [number, month] => match is_year(*number, 4) {
                true => dated(Some(*number), *month, &[]),
                false => dated(None, *month, &[*number]),
            },
            [first, month, last] if month.month => match is_year(*first, 4) {
                true => dated(Some(*first), *month, &[*last]),
                false => dated(Some(*last), *month, &[*first]),
            },
            [month, day, last] if month.month => {
                // `Mar-04-19`; the range `Mar 3-5` has no hyphen behind its month.
                let joined = |left: Core, right: Core| self.between(left, right) == "-";
                let hyphens = last.digits == 2 && !last.ordinal && joined(*month, *day) && joined(*day, *last);
                match is_year(*last, 4) || last.apostrophe || hyphens || !self.ranges(*day, *last) {
                    true => dated(Some(*last), *month, &[*day]),
                    false => dated(None, *month, &[*day, *last]),
                }
            }
            _ => self.days_of_a_month(cores),
        }
    }

    pub(super) fn ranges(&self, left: Core, right: Core) -> bool {
        self.separates(left, right) && !self.between(left, right).starts_with(',')
    }
}

pub(super) fn is_year(core: Core, fewest_digits: usize) -> bool {
    !core.month && !core.ordinal && core.digits >= fewest_digits && year(core).is_some()
}

pub(super) fn year(core: Core) -> Option<Year> {
    let year = match (core.digits, core.value) {
        (4, 1000..=2999) => core.value as i32,
        (2, digits) => year_of_two_digits(digits) as i32,
        _ => return None,
    };
    Some(Year { token: core.token, year })
}

/// A year that needs nothing beside it to be one.
fn bare_year(core: Core) -> Option<Written> {
    let plain = (core.digits == 4 && (1700..=2199).contains(&core.value)) || core.apostrophe;
    let decade = core.decade && core.value.is_multiple_of(10);
    if core.ordinal || !(plain || decade) {
        return None;
    }
    Some(Written { year: Some(year(core)?), ..Written::default() })
}

pub(super) fn dated(written_year: Option<Core>, month: Core, days: &[Core]) -> Option<Written> {
    let year = match written_year {
        Some(core) => Some(year(core).filter(|_| !core.month && !core.ordinal)?),
        None => None,
    };
    let plausible = (1..=12).contains(&month.value)
        && (month.month || matches!(month.digits, 1 | 2))
        && days.iter().all(|day| !day.month && day.digits <= 2 && (1..=31).contains(&day.value));
    plausible.then(|| Written {
        year,
        month: Some((month.token, month.value)),
        days: days.iter().map(|day| (day.token, day.value)).collect(),
        ..Written::default()
    })
}

/// A date without its year is of the year of the date behind it, or of the one before where its month is later.
fn lend_years(dates: &mut [Written]) {
    let mut lender: Option<(Year, Option<u32>)> = None;
    for date in dates.iter_mut().rev() {
        let month = date.month.map(|(_, month)| month);
        if let (None, Some(own), Some((lent, later))) = (date.year, month, lender) {
            let is_before = later.is_some_and(|later| own > later);
            date.year = Some(Year { year: lent.year - i32::from(is_before), ..lent });
            // A year that stands alone is not written but with a date that borrows it.
            date.borrowed = later.is_some();
        }
        lender = date.year.map(|year| (year, month)).or(lender);
    }
}

#[cfg(test)]
mod tests {
    use crate::surrogate::dates::{Kind, Moving, replace};
    use crate::surrogate::permutation::Randomness;

    #[test]
    fn two_digits_behind_a_month_a_day_and_two_hyphens_are_a_year() {
        for (value, image) in [
            ("Mar-4-19", "Apr-8-19"),
            ("MAR-04-19", "APR-08-19"),
            ("Mar-04-51", "Apr-08-51"),
            ("December-28-19", "February-01-20"),
            ("Mar 4-19", "Apr 8-23"),
            ("March 4-19, 2019", "April 8-23, 2019"),
        ] {
            let moved = replace(&Randomness::new([4; 32]), Moving::forth(35, None), Kind::Unknown, value);
            assert_eq!(moved, image, "{value}");
        }
    }
}
