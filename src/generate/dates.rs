//! Dates and clock times, and the many ways they are written.
//!
//! ```text
//! 03/04/2019   3/4/19   March 4, 2019   Mar 4   2019-03-04   4 March 2019   March 2019   2019   Monday
//! ```

use std::fmt::Write;

use chrono::{Datelike, NaiveDate, NaiveDateTime, Timelike};

use super::random::Random;

/// A way to write a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateForm {
    /// Any form of a full date or a month and day, as people write them in running text.
    Any,
    /// `03/04/2019`.
    Numeric,
    /// `3/4/19`.
    Brief,
    /// `3/4`.
    MonthDay,
    /// `March 4, 2019`.
    Long,
    /// `March 4`.
    NamedDay,
    /// `2019-03-04`.
    Iso,
    /// `March 2019`.
    Month,
    /// `2019`.
    Year,
    /// `Monday`.
    Weekday,
    /// `MONDAY, MARCH 4, 2019` is upper case of this: `Monday, March 4, 2019`.
    Formal,
    /// `04-Mar-2019`.
    Laboratory,
    /// `March`.
    MonthName,
}

impl DateForm {
    /// The form that a template names.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "any" => Self::Any,
            "numeric" => Self::Numeric,
            "brief" => Self::Brief,
            "month_day" => Self::MonthDay,
            "long" => Self::Long,
            "named_day" => Self::NamedDay,
            "iso" => Self::Iso,
            "month" => Self::Month,
            "year" => Self::Year,
            "weekday" => Self::Weekday,
            "formal" => Self::Formal,
            "laboratory" => Self::Laboratory,
            "month_name" => Self::MonthName,
            _ => return None,
        })
    }
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Appends a date in this form.
pub fn write_date(date: NaiveDate, form: DateForm, random: &mut Random, text: &mut String) {
    let (year, month, day) = (date.year(), date.month(), date.day());
    let name = MONTHS[date.month0() as usize];
    // Writing to a string cannot fail.
    let _ = match form {
        DateForm::Any => return write_any(date, random, text),
        DateForm::Numeric => write!(text, "{month:02}/{day:02}/{year}"),
        DateForm::Brief => write!(text, "{month}/{day}/{:02}", year.rem_euclid(100)),
        DateForm::MonthDay => write!(text, "{month}/{day}"),
        DateForm::Long => write!(text, "{name} {day}, {year}"),
        DateForm::NamedDay => write!(text, "{name} {day}"),
        DateForm::Iso => write!(text, "{year}-{month:02}-{day:02}"),
        DateForm::Month => write!(text, "{name} {year}"),
        DateForm::Year => write!(text, "{year}"),
        DateForm::Weekday => write!(text, "{}", weekday(date)),
        DateForm::Formal => write!(text, "{}, {name} {day}, {year}", weekday(date)),
        DateForm::Laboratory => write!(text, "{day:02}-{}-{year}", &name[..3]),
        DateForm::MonthName => write!(text, "{name}"),
    };
}

fn write_any(date: NaiveDate, random: &mut Random, text: &mut String) {
    let (year, month, day) = (date.year(), date.month(), date.day());
    let name = MONTHS[date.month0() as usize];
    let short = &name[..3];
    let _ = match random.below(20) {
        0..4 => write!(text, "{month}/{day}/{year}"),
        4..7 => write!(text, "{month}/{day}/{:02}", year.rem_euclid(100)),
        7..9 => write!(text, "{month:02}/{day:02}/{year}"),
        9..11 => write!(text, "{name} {day}, {year}"),
        11 => write!(text, "{short} {day}, {year}"),
        12 => write!(text, "{short} {day}"),
        13 => write!(text, "{day} {name} {year}"),
        14 => write!(text, "{month:02}-{day:02}-{year}"),
        15 => write!(text, "{year}-{month:02}-{day:02}"),
        16 => write!(text, "{name} {day}{}", ordinal(day)),
        17 => write!(text, "{month}.{day}.{:02}", year.rem_euclid(100)),
        18 => write!(text, "{month}/{day}"),
        _ => write!(text, "{}, {name} {day}", weekday(date)),
    };
}

fn weekday(date: NaiveDate) -> &'static str {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        [date.weekday().num_days_from_monday() as usize]
}

fn ordinal(day: u32) -> &'static str {
    match day {
        1 | 21 | 31 => "st",
        2 | 22 => "nd",
        3 | 23 => "rd",
        _ => "th",
    }
}

/// A way to write a clock time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeForm {
    /// Any form.
    Any,
    /// `14:02`.
    Military,
    /// `2:02 PM`.
    Twelve,
}

/// Appends the clock time of a moment.
pub fn write_time(moment: NaiveDateTime, form: TimeForm, random: &mut Random, text: &mut String) {
    let (hour, minute) = (moment.hour(), moment.minute());
    let (afternoon, twelve) = moment.hour12();
    let upper = if afternoon { "PM" } else { "AM" };
    let lower = if afternoon { "pm" } else { "am" };
    let form = if form == TimeForm::Any && random.chance(500) { TimeForm::Military } else { form };
    let _ = match form {
        TimeForm::Military => write!(text, "{hour:02}:{minute:02}"),
        TimeForm::Twelve => write!(text, "{twelve}:{minute:02} {upper}"),
        TimeForm::Any => match random.below(3) {
            0 => write!(text, "{twelve}:{minute:02} {upper}"),
            1 => write!(text, "{twelve}:{minute:02}{lower}"),
            _ => write!(text, "{twelve} {lower}"),
        },
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_date() {
        let date = NaiveDate::from_ymd_opt(2019, 3, 4).unwrap();
        for (form, expected) in [
            ("numeric", "03/04/2019"),
            ("brief", "3/4/19"),
            ("long", "March 4, 2019"),
            ("formal", "Monday, March 4, 2019"),
            ("laboratory", "04-Mar-2019"),
            ("month_name", "March"),
        ] {
            let mut text = String::new();
            write_date(date, DateForm::parse(form).unwrap(), &mut Random::of(&[1]), &mut text);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn forms_of_a_time() {
        let moment = NaiveDate::from_ymd_opt(2019, 3, 4).unwrap().and_hms_opt(0, 5, 0).unwrap();
        let mut text = String::new();
        write_time(moment, TimeForm::Twelve, &mut Random::of(&[1]), &mut text);
        write_time(moment, TimeForm::Military, &mut Random::of(&[1]), &mut text);
        assert_eq!(text, "12:05 AM00:05");
    }
}
