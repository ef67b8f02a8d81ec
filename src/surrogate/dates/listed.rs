//! Days that share a month, and days whose month is not read or not told.
//!
//! ```text
//! March 4, 6 and 8, 2019     4, 5 and 7 March 2019     3/4, 5 and 7/2019     2019-03-04/06     2019-063
//! ```

use chrono::NaiveDate;

use super::lex::{Class, Token};
use super::recognise::{Core, Recogniser, Written, dated, is_year, year};

impl Recogniser<'_> {
    /// Days beside the name of their month, two at least, and perhaps a year behind them.
    pub(super) fn days_of_a_month(&self, cores: &[Core]) -> Option<Written> {
        match cores {
            [month, days @ ..] if month.month => {
                let [first @ .., before, last] = days else { return None };
                match !first.is_empty() && self.is_year_behind(*before, *last) {
                    true => self.listed(Some(*last), *month, days.split_last()?.1),
                    false => self.listed(None, *month, days),
                }
            }
            [days @ .., month] if month.month => self.listed(None, *month, days),
            [days @ .., month, year] if month.month => self.listed(Some(*year), *month, days),
            _ => None,
        }
    }

    fn is_year_behind(&self, day: Core, last: Core) -> bool {
        is_year(last, 4) || last.apostrophe || last.value > 31 || (year(last).is_some() && !self.ranges(day, last))
    }

    /// Two days may stand beside each other in any way, more of them are a list.
    fn listed(&self, year: Option<Core>, month: Core, days: &[Core]) -> Option<Written> {
        (days.len() == 2 || self.is_list(days)).then(|| dated(year, month, days))?
    }

    /// The same where the month is a number: `3/4, 5 and 7/2019`, `3/4, 5 and 7`, and the interval `2019-03-04/06`.
    pub(super) fn days_in_numbers(&self, cores: &[Core]) -> Option<Written> {
        let is_year = |core: &Core| is_year(*core, 4) || core.value > 31;
        let joined = |left: Core, right: Core| matches!(self.between(left, right), "/" | "-" | ".");
        match cores {
            [year, month, first, last]
                if is_year(year)
                    && self.between(*month, *first) == "-"
                    && self.between(*first, *last) == "/"
                    && first.value < last.value =>
            {
                dated(Some(*year), *month, &[*first, *last])
            }
            [month, first, last, year] if is_year(year) && self.separates(*first, *last) => {
                dated(Some(*year), *month, &[*first, *last])
            }
            [month, days @ .., year] if is_year(year) && self.is_list(days) && joined(*month, *days.first()?) => {
                dated(Some(*year), *month, days)
            }
            [month, days @ ..] if self.is_list(days) && self.between(*month, *days.first()?) == "/" => {
                let rising = days.windows(2).all(|pair| pair[0].value < pair[1].value);
                rising.then(|| dated(None, *month, days))?
            }
            _ => None,
        }
    }

    fn is_list(&self, days: &[Core]) -> bool {
        let goes_on = |pair: &[Core]| self.separates(pair[0], pair[1]) && !self.between(pair[0], pair[1]).contains('/');
        days.len() > 1 && days.windows(2).all(goes_on)
    }

    /// `2014-064`: a year and a day of it, in three digits.
    pub(super) fn day_of_year(&self, first: Core, second: Core) -> Option<Written> {
        let fits = first.digits == 4 && second.digits == 3 && is_year(first, 4) && self.between(first, second) == "-";
        let year = year(first).filter(|_| fits)?;
        NaiveDate::from_yo_opt(year.year, second.value)?;
        Some(Written { year: Some(year), days: vec![(second.token, second.value)], ..Written::default() })
    }

    /// Whether one of a year and another number is no month: it has an ordinal, or a word beside it that may be the month itself.
    pub(super) fn has_no_month(&self, first: Core, second: Core) -> bool {
        let joined = matches!(self.between(first, second).trim(), "/" | "-" | "." | "–");
        (first.ordinal && first.digits > 0)
            || self.has_unknown_between(first, second)
            || (self.is_behind_unknown(first) && !joined)
    }

    /// A day beside a word that may be its month, or one that its ordinal tells.
    pub(super) fn day_of_no_month(&self, core: Core) -> Option<Written> {
        let told = (core.ordinal && core.digits > 0) || self.is_behind_unknown(core) || self.is_before_unknown(core);
        let is_day = !core.month && core.digits <= 2 && (1..=31).contains(&core.value);
        (told && is_day).then(|| Written { days: vec![(core.token, core.value)], ..Written::default() })
    }

    /// Whether a word that no date has stands between two parts.
    pub(super) fn has_unknown_between(&self, left: Core, right: Core) -> bool {
        self.tokens[left.token..right.token].iter().any(|token| token.class == Class::Unknown)
    }

    fn is_behind_unknown(&self, core: Core) -> bool {
        self.is_unknown(self.tokens[..core.token].iter().rev())
    }

    fn is_before_unknown(&self, core: Core) -> bool {
        self.is_unknown(self.tokens[core.token + 1..].iter())
    }

    fn is_unknown<'t>(&self, mut beside: impl Iterator<Item = &'t Token>) -> bool {
        let passed = |token: &&Token| match token.class {
            Class::Suffix => false,
            Class::Other => !token.text(self.text).chars().all(|character| matches!(character, ' ' | '.' | '\n' | '-')),
            _ => true,
        };
        beside.find(passed).is_some_and(|token| token.class == Class::Unknown)
    }
}
