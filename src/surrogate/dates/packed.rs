//! Dates in one run of digits.
//!
//! ```text
//! 20190304 → 2019 03 04     03042019 → 03 04 2019     030419 → 03 04 19     201903 → 2019 03     0304 → 03 04
//!
//! month first: March 4, 2019      day first: 3 April 2019
//! ```

use super::calendar::year_of_two_digits;

/// The layout of a date in one run of digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packed {
    /// `20190304`, perhaps with a time after it.
    YearMonthDay,
    /// `03042019`.
    MonthDayYear,
    /// The same, the day first.
    DayMonthYear,
    /// `190304`.
    ShortYearMonthDay,
    /// `030419`.
    MonthDayShortYear,
    /// The same, the day first.
    DayMonthShortYear,
    /// `201903`.
    YearMonth,
    /// `0304`.
    MonthDay,
    /// The same, the day first.
    DayMonth,
}

impl Packed {
    /// The first layout in which the digits are a plausible date; those with the day first come first, or not at all.
    pub fn of(digits: &str, day_first: bool) -> Option<Self> {
        let layouts: &[Self] = match digits.len() {
            8 if day_first => &[Self::YearMonthDay, Self::DayMonthYear, Self::MonthDayYear],
            8 => &[Self::YearMonthDay, Self::MonthDayYear],
            9.. if has_time(digits) => &[Self::YearMonthDay],
            6 if day_first => {
                &[Self::DayMonthShortYear, Self::MonthDayShortYear, Self::ShortYearMonthDay, Self::YearMonth]
            }
            6 => &[Self::MonthDayShortYear, Self::ShortYearMonthDay, Self::YearMonth],
            4 if day_first => &[Self::DayMonth, Self::MonthDay],
            4 => &[Self::MonthDay],
            _ => &[],
        };
        layouts.iter().copied().find(|layout| layout.read(digits).is_some())
    }

    /// Year (2015 where there is none), month and day (15 where there is none), if the digits are such a date.
    pub fn read(self, digits: &str) -> Option<(i32, u32, u32)> {
        let number = |start: usize, end: usize| digits.get(start..end).and_then(|part| part.parse::<u32>().ok());
        let century = |year: u32| year_of_two_digits(year) as i32;
        let (year, month, day) = match self {
            Self::YearMonthDay => (number(0, 4)? as i32, number(4, 6)?, number(6, 8)?),
            Self::MonthDayYear => (number(4, 8)? as i32, number(0, 2)?, number(2, 4)?),
            Self::DayMonthYear => (number(4, 8)? as i32, number(2, 4)?, number(0, 2)?),
            Self::ShortYearMonthDay => (century(number(0, 2)?), number(2, 4)?, number(4, 6)?),
            Self::MonthDayShortYear => (century(number(4, 6)?), number(0, 2)?, number(2, 4)?),
            Self::DayMonthShortYear => (century(number(4, 6)?), number(2, 4)?, number(0, 2)?),
            Self::YearMonth => (number(0, 4)? as i32, number(4, 6)?, 15),
            Self::MonthDay => (2015, number(0, 2)?, number(2, 4)?),
            Self::DayMonth => (2015, number(2, 4)?, number(0, 2)?),
        };
        let plausible = (1800..=2199).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        plausible.then_some((year, month, day))
    }

    /// Whether the year has two digits.
    pub const fn is_short(self) -> bool {
        matches!(self, Self::ShortYearMonthDay | Self::MonthDayShortYear | Self::DayMonthShortYear)
    }

    /// Whether there is a year at all.
    pub const fn has_year(self) -> bool {
        !matches!(self, Self::MonthDay | Self::DayMonth)
    }

    /// The digits of a date in this layout.
    pub fn write(self, year: i32, month: u32, day: u32) -> String {
        let short = year.rem_euclid(100);
        match self {
            Self::YearMonthDay => format!("{year:04}{month:02}{day:02}"),
            Self::MonthDayYear => format!("{month:02}{day:02}{year:04}"),
            Self::DayMonthYear => format!("{day:02}{month:02}{year:04}"),
            Self::ShortYearMonthDay => format!("{short:02}{month:02}{day:02}"),
            Self::MonthDayShortYear => format!("{month:02}{day:02}{short:02}"),
            Self::DayMonthShortYear => format!("{day:02}{month:02}{short:02}"),
            Self::YearMonth => format!("{year:04}{month:02}"),
            Self::MonthDay => format!("{month:02}{day:02}"),
            Self::DayMonth => format!("{day:02}{month:02}"),
        }
    }
}

/// Whether digits are a day with its hour, minutes and seconds, as far as they go, and perhaps a fraction of two, three or six digits.
fn has_time(digits: &str) -> bool {
    match digits.len() {
        10 => digits.get(8..).is_some_and(|hour| hour < "24") && Packed::YearMonthDay.read(digits).is_some(),
        12 | 14 => is_timestamp(digits),
        16 | 17 | 20 => digits.get(..14).is_some_and(is_timestamp),
        _ => false,
    }
}

/// Whether digits are a day, an hour and minutes, and perhaps seconds: `20190304101112`.
pub(super) fn is_timestamp(digits: &str) -> bool {
    if !matches!(digits.len(), 12 | 14) || Packed::YearMonthDay.read(digits).is_none() {
        return false;
    }
    digits.get(8..).is_some_and(|time| time.trim_end_matches('0') == "24" || is_clock_time(time))
}

/// Whether digits are an hour, or one with minutes and perhaps seconds: `1011`, `101112`.
pub(super) fn is_clock_time(digits: &str) -> bool {
    let number = |start: usize| digits.get(start..start + 2).map_or(Some(0), |part| part.parse::<u32>().ok());
    let below = |start: usize, end: u32| number(start).is_some_and(|number| number < end);
    // A minute may have a leap second.
    matches!(digits.len(), 2 | 4 | 6) && below(0, 24) && below(2, 60) && below(4, 61)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for (digits, day_first) in ["20190304", "03042019", "030419", "190325", "201903", "0304"]
            .into_iter()
            .flat_map(|digits| [(digits, false), (digits, true)])
        {
            let layout = Packed::of(digits, day_first).unwrap();
            let (year, month, day) = layout.read(digits).unwrap();
            assert_eq!(layout.write(year, month, day), digits);
        }
        for digits in ["", "12345", "99999999", "1345", "abcdefgh"] {
            assert_eq!(Packed::of(digits, false), None);
            assert_eq!(Packed::of(digits, true), None);
        }
    }

    #[test]
    fn timestamps_have_a_day_and_a_time() {
        assert!(["20190304101112", "201903041011", "20190304235960", "20190304240000"].into_iter().all(is_timestamp));
        for digits in ["2019030410", "20190304101112", "20190304101112123", "20190304101112123456"] {
            assert_eq!(Packed::of(digits, false), Some(Packed::YearMonthDay), "{digits}");
        }
        for digits in ["2019030499", "20190304991112", "201903041011123", "20191304101112123"] {
            assert_eq!(Packed::of(digits, false), None, "{digits}");
        }
        for digits in ["20190304", "2019030410", "20191304101112", "20190304241112", "201903041060", "2019030410111"] {
            assert!(!is_timestamp(digits), "{digits}");
        }
    }

    #[test]
    fn the_day_comes_first_where_it_is_said_to() {
        let read = |digits: &str| Packed::of(digits, true).and_then(|layout| layout.read(digits));
        assert_eq!(read("03042019"), Some((2019, 4, 3)));
        assert_eq!(read("03252019"), Some((2019, 3, 25)));
        assert_eq!(read("20190304"), Some((2019, 3, 4)));
        assert_eq!(read("030419"), Some((2019, 4, 3)));
        assert_eq!(read("0304"), Some((2015, 4, 3)));
    }
}
