//! Dates in one run of digits.
//!
//! ```text
//! 20190304 → 2019 03 04     03042019 → 03 04 2019     030419 → 03 04 19     201903 → 2019 03     0304 → 03 04
//! ```

/// The layout of a date in one run of digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packed {
    /// `20190304`, perhaps with a time after it.
    YearMonthDay,
    /// `03042019`.
    MonthDayYear,
    /// `190304`.
    ShortYearMonthDay,
    /// `030419`.
    MonthDayShortYear,
    /// `201903`.
    YearMonth,
    /// `0304`.
    MonthDay,
}

impl Packed {
    /// The first layout in which the digits are a plausible date.
    pub fn of(digits: &str) -> Option<Self> {
        let layouts: &[Self] = match digits.len() {
            8 => &[Self::YearMonthDay, Self::MonthDayYear],
            12 | 14 => &[Self::YearMonthDay],
            6 => &[Self::MonthDayShortYear, Self::ShortYearMonthDay, Self::YearMonth],
            4 => &[Self::MonthDay],
            _ => &[],
        };
        layouts.iter().copied().find(|layout| layout.read(digits).is_some())
    }

    /// Year (2015 where there is none), month and day (15 where there is none), if the digits are such a date.
    pub fn read(self, digits: &str) -> Option<(i32, u32, u32)> {
        let number = |start: usize, end: usize| digits.get(start..end).and_then(|part| part.parse::<u32>().ok());
        let century = |year: u32| {
            if year <= 50 { year as i32 + 2000 } else { year as i32 + 1900 }
        };
        let (year, month, day) = match self {
            Self::YearMonthDay => (number(0, 4)? as i32, number(4, 6)?, number(6, 8)?),
            Self::MonthDayYear => (number(4, 8)? as i32, number(0, 2)?, number(2, 4)?),
            Self::ShortYearMonthDay => (century(number(0, 2)?), number(2, 4)?, number(4, 6)?),
            Self::MonthDayShortYear => (century(number(4, 6)?), number(0, 2)?, number(2, 4)?),
            Self::YearMonth => (number(0, 4)? as i32, number(4, 6)?, 15),
            Self::MonthDay => (2015, number(0, 2)?, number(2, 4)?),
        };
        let plausible = (1800..=2199).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        plausible.then_some((year, month, day))
    }

    /// Whether the year has two digits.
    pub const fn is_short(self) -> bool {
        matches!(self, Self::ShortYearMonthDay | Self::MonthDayShortYear)
    }

    /// The digits of a date in this layout.
    pub fn write(self, year: i32, month: u32, day: u32) -> String {
        let short = year.rem_euclid(100);
        match self {
            Self::YearMonthDay => format!("{year:04}{month:02}{day:02}"),
            Self::MonthDayYear => format!("{month:02}{day:02}{year:04}"),
            Self::ShortYearMonthDay => format!("{short:02}{month:02}{day:02}"),
            Self::MonthDayShortYear => format!("{month:02}{day:02}{short:02}"),
            Self::YearMonth => format!("{year:04}{month:02}"),
            Self::MonthDay => format!("{month:02}{day:02}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for digits in ["20190304", "03042019", "030419", "190325", "201903", "0304"] {
            let layout = Packed::of(digits).unwrap();
            let (year, month, day) = layout.read(digits).unwrap();
            assert_eq!(layout.write(year, month, day), digits);
        }
        for digits in ["", "12345", "99999999", "1345", "abcdefgh"] {
            assert_eq!(Packed::of(digits), None);
        }
    }
}
