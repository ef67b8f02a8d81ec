//! The commonest form of all dates, read at once: a month, a day and a year in numbers between strokes.
//!
//! ```text
//! 03/04/2019 ─▶ 01/14/2019     3/4/19 ─▶ 1/14/19     25/12/2019, 3/4: other forms, which are read part by part
//! ```
//!
//! It says what the long way says, several times as fast.

use chrono::Datelike;

use super::calendar::year_of_two_digits;
use super::moving::Moving;

/// The date moved; nothing where the value has another form, or where the long way must say what stands for it.
pub(super) fn moved(moving: Moving, value: &str) -> Option<String> {
    let mut parts = value.split('/');
    let (month, day, year) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let (month_number, day_number) = (number(month, 1..=2)?, number(day, 1..=2)?);
    let year_number = match number(year, 2..=4)? {
        digits if year.len() == 2 => year_of_two_digits(digits) as i32,
        whole @ 1_000..=2_999 => whole as i32,
        _ => return None,
    };
    let is_month_first = (1..=12).contains(&month_number) && (day_number > 12 || !moving.day_first);
    if !is_month_first || !(1..=31).contains(&day_number) {
        return None;
    }
    let image = moving.day(moving.meant(year_number, year.len() == 2), month_number, day_number)?;
    let is_padded = month.starts_with('0') || day.starts_with('0') || month.len() == 2 && day.len() == 2;
    let fewest = if is_padded { 2 } else { 1 };
    let mut written = String::with_capacity(10);
    for number in [image.month(), image.day()] {
        push(&mut written, number, fewest);
        written.push('/');
    }
    push(&mut written, image.year().rem_euclid(10_i32.pow(year.len() as u32)) as u32, year.len());
    (written != value).then_some(written)
}

/// Writes a number with so many digits at least.
fn push(written: &mut String, number: u32, fewest: usize) {
    if number > 9 || fewest > 1 {
        push(written, number / 10, fewest.saturating_sub(1).max(1));
    }
    written.push(char::from(b'0' + (number % 10) as u8));
}

/// A number of so many digits.
fn number(digits: &str, lengths: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let is_one = lengths.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_one.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::phi::Kind;
    use crate::surrogate::dates::lex::lex;
    use crate::surrogate::dates::{leave_unknown_parts, readable};
    use crate::surrogate::options::DateOrder;
    use crate::surrogate::permutation::Randomness;

    /// What the long way says.
    fn by_parts(moving: Moving, value: &str) -> Option<String> {
        let mut tokens = lex(value);
        leave_unknown_parts(&mut tokens);
        readable(&Randomness::new([3; 32]), moving, Kind::Unknown, value, &tokens)
    }

    #[test]
    fn the_common_form_is_read_and_others_are_not() {
        let moving = Moving::forth(35, None);
        for (value, image) in [
            ("03/04/2019", "04/08/2019"),
            ("3/4/19", "4/8/19"),
            ("12/3/2019", "1/7/2020"),
            ("9/30/1999", "11/4/1999"),
            ("10/01/99", "11/05/99"),
            ("02/30/2019", "04/06/2019"),
        ] {
            assert_eq!(moved(moving, value).as_deref(), Some(image), "{value}");
        }
        for value in ["25/12/2019", "3/4", "3/4/019", "3/4/2019/", "13/13/19", "3/4/0999", "٣/4/2019"] {
            assert_eq!(moved(moving, value), None, "{value}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn both_ways_say_the_same(
            value in "[0-3]?[0-9]/[0-3]?[0-9]/(19|20|[0-9]{2})?[0-9]{2}",
            weeks in -52_i64..=52,
            day_first: bool,
            oldest in proptest::option::of(1_900_i32..2_000),
        ) {
            let order = if day_first { DateOrder::DayFirst } else { DateOrder::MonthFirst };
            let moving = Moving::forth(7 * weeks, None).not_before(oldest).in_order(order);
            if let Some(at_once) = moved(moving, &value) {
                prop_assert_eq!(Some(at_once), by_parts(moving, &value));
            }
        }
    }
}
