//! Weeks of a year, numbered as ISO 8601 numbers them.
//!
//! ```text
//! five weeks on: 2019-W10 → 2019-W15      2019W10-3 → 2019W15-3      week 50 of 2019 → week 3 of 2020
//! ```

use std::sync::LazyLock;

use chrono::{Datelike, NaiveDate, Weekday};
use regex::{Captures, Regex};

use super::moving::{Moving, parts};

/// `2019-W10`, with a day of the week or without.
static YEAR_FIRST: LazyLock<Regex> = LazyLock::new(|| expression(r"^([0-9]{4})(-?W)([0-9]{2})(?:(-?)([1-7]))?$"));
/// `week 10 of 2019`.
static WEEK_FIRST: LazyLock<Regex> =
    LazyLock::new(|| expression(r"^((?i:week|wk)\.? {0,2})([0-9]{1,2})(,? {1,2}(?:(?i:of|in) )?)([0-9]{4})$"));

fn expression(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a literal")
}

/// Whether a text is a week of a year, with a day or without.
pub(super) fn is_one(value: &str) -> bool {
    moved(Moving::forth(7, None), value).is_some()
}

/// The surrogate of a week; none where a text is no week.
pub(super) fn moved(moving: Moving, value: &str) -> Option<String> {
    if !value.contains(['W', 'w']) {
        return None;
    }
    if let Some(read) = YEAR_FIRST.captures(value) {
        let image = match read.get(5) {
            Some(day) => day_on(moving, day_of(&read[1], &read[3], day.as_str())?)?,
            None => week_on(moving, day_of(&read[1], &read[3], "1")?)?,
        };
        let day =
            read.get(5).map_or(String::new(), |_| format!("{}{}", &read[4], image.weekday().number_from_monday()));
        return Some(format!("{}{}{:02}{day}", image.iso_week().year(), &read[2], image.iso_week().week()));
    }
    let read: Captures<'_> = WEEK_FIRST.captures(value)?;
    let image = week_on(moving, day_of(&read[4], &read[2], "1")?)?.iso_week();
    let week = if read[2].starts_with('0') { format!("{:02}", image.week()) } else { image.week().to_string() };
    Some(format!("{}{week}{}{}", &read[1], &read[3], image.year()))
}

/// A day of a week, counted from Monday, which is 1.
fn day_of(year: &str, week: &str, day: &str) -> Option<NaiveDate> {
    let weekday = Weekday::try_from(day.parse::<u8>().ok()?.checked_sub(1)?).ok()?;
    NaiveDate::from_isoywd_opt(year.parse().ok()?, week.parse().ok()?, weekday)
}

fn day_on(moving: Moving, date: NaiveDate) -> Option<NaiveDate> {
    let (year, month, day) = parts(date);
    moving.day(year, month, day)
}

/// The same, where nothing but the week is told: it moves by the nearest number of weeks, one at least.
fn week_on(moving: Moving, monday: NaiveDate) -> Option<NaiveDate> {
    let weeks = ((moving.days.abs() + 3) / 7).max(1);
    day_on(Moving { days: 7 * weeks * moving.direction_of_time(), ..moving }, monday)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn weeks_move_as_days_do() {
        let on = |days, value| moved(Moving::forth(days, None), value);
        for (value, image) in [
            ("2019-W10", "2019-W15"),
            ("2019W10-3", "2019W15-3"),
            ("2019-W50", "2020-W03"),
            ("week 50 of 2019", "week 3 of 2020"),
            ("Wk 02, 2019", "Wk 07, 2019"),
        ] {
            assert_eq!(on(35, value).as_deref(), Some(image));
        }
        assert_eq!(on(10, "2019-W10-3").as_deref(), Some("2019-W11-6"));
        assert_eq!(on(2, "2019-W10").as_deref(), Some("2019-W11"), "never its original");
        for value in ["2019-W54", "2019-10", "week 0 of 2019", "week of 2019", "2019-W10-8"] {
            assert_eq!(on(35, value), None, "{value}");
        }
    }

    proptest! {
        #[test]
        fn a_week_comes_back(year in 1950..2100_i32, week in 1..=52_u32, days in -500..500_i64) {
            prop_assume!(days != 0);
            let value = format!("{year}-W{week:02}");
            let moving = Moving::forth(days, None);
            let image = moved(moving, &value).unwrap();
            prop_assert_ne!(&image, &value);
            prop_assert_eq!(moved(moving.back(), &image).unwrap(), value);
        }
    }
}
