//! The clock time behind a date, which stays.
//!
//! ```text
//! 2019-03-04 | T10+01      2019-03-04 | at 3pm      4 Mar 2019 | 10h30      2019-03-04 | 10:11:12,5      2019-03-04 | -10.11.12.123456
//! ```
//!
//! Times with colons are told among the parts of a date already; these are the forms whose numbers look like further days.

use std::sync::LazyLock;

use regex::Regex;

use super::lex::lex;
use super::recognise::Recogniser;

static CLOCK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:T(?:[01]?[0-9]|2[0-4])(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?|[ ,]+(?:at )?(?:0?[0-9]|1[0-9]|2[0-4])(?::[0-5][0-9](?::[0-5][0-9])?)?\s?(?:[ap]m?\b|[ap]\.m\.)|[ ,]+(?:at )?(?:[01]?[0-9]|2[0-4])h(?:[0-5][0-9])?|[T ](?:[01]?[0-9]|2[0-4]):[0-5][0-9]:[0-5][0-9],[0-9]{1,9}|[ -](?:[01][0-9]|2[0-4])\.[0-5][0-9]\.[0-5][0-9](?:\.[0-9]{1,9})?)$",
    )
    .expect("the pattern is a literal")
});

/// A text as its date and the clock time behind it; without one, all of it is the date.
pub(super) fn split(text: &str) -> (&str, &str) {
    let ends_so = |last: u8| last.is_ascii_digit() || matches!(last | 32, b'm' | b'h' | b'z' | b'a' | b'p' | b'.');
    let begins_so = |first: u8| matches!(first, b'T' | b't' | b' ' | b',' | b'-');
    if !text.bytes().next_back().is_some_and(ends_so) || !text.bytes().any(begins_so) {
        return (text, "");
    }
    let Some(clock) = CLOCK.find(text) else { return (text, "") };
    let (date, clock) = text.split_at(clock.start());
    // `12OCT19` has no T before its year, and `01.04.19-05.06.19` is two days.
    let is_of_word = clock.starts_with(['T', 't']) && !date.trim_end().ends_with(|last: char| last.is_ascii_digit());
    let last_mark = date.bytes().rev().find(|byte| !byte.is_ascii_alphanumeric());
    let is_second_day = last_mark == Some(b'.') && is_dotted(clock) && !date.contains(char::is_alphabetic);
    if is_of_word || is_second_day {
        return (text, "");
    }
    let is_date = Recogniser::of(date, &lex(date)).dates().is_some();
    if is_date { (date, clock) } else { (text, "") }
}

/// Whether a clock time is of numbers between full stops alone.
fn is_dotted(clock: &str) -> bool {
    clock.contains('.') && clock[1..].bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_times_stand_behind_dates() {
        for (date, clock) in [
            ("2019-03-04", "T10"),
            ("2019-03-04", "T10+01"),
            ("04.03.2019", "T10"),
            ("4.Mar.2019", " 10.11.12"),
            ("2019-03-04", " 10 AM"),
            ("2019-03-04", " at 3pm"),
            ("2019-03-04", " 10:11:12,5"),
            ("2019-03-04", "-10.11.12.123456"),
            ("March 4, 2019", " 10am"),
            ("4 Mar 2019", " 10h30"),
            ("03/04/2019", " 10 PM"),
        ] {
            assert_eq!(split(&format!("{date}{clock}")), (date, clock));
        }
        for text in [
            "March 4, 2019",
            "2019-03-04",
            "3pm",
            "10 AM",
            "",
            "4 p",
            "é 3pm",
            "2019-03-04 10:30",
            "12OCT19",
            "2019OCT12",
            "14AUGUST12",
            "12-Oct19",
            "01.04.19-05.06.19",
            "01.04.2019 05.06.19",
            "1.4.19-05.06.19",
        ] {
            assert_eq!(split(text), (text, ""));
        }
    }
}
