//! Whether a text holds a date and nothing else, and whether it is the day that databases write for none.
//!
//! ```text
//! Mon, March 4th, 2019 10:30 EST: only a date     2019-03-04 (Dr. Karen Jones): more     12/31/9999: no day
//! ```

use super::holidays;
use super::lex::{Class, Token, lex};
use super::lookalikes;
use super::recognise::{Recogniser, Written};
use super::{clocks, weeks};

/// Whether a text holds nothing besides dates, clock times, zones, weekdays, seasons, holidays and the words that stand beside dates.
///
/// What holds more is no value of a column of dates: a name in it would be changed as a word is, not as the name is in the notes.
pub fn is_only_date(text: &str) -> bool {
    let read = lookalikes::read(text);
    let text = clocks::split(read.as_deref().unwrap_or(text)).0;
    if weeks::is_one(text) {
        return true;
    }
    let mut tokens = lex(text);
    let is_of_a_date = |token: &Token| match token.class {
        Class::Unknown => false,
        Class::Other => !token.text(text).chars().any(char::is_numeric),
        _ => true,
    };
    if !tokens.iter().all(is_of_a_date) {
        return false;
    }
    if text.contains(char::is_alphanumeric) && !tells_a_day(text, &tokens) {
        return false;
    }
    // `00/03/2019`: a part that nobody knew. More zeros are a zone or a code.
    let is_not_known = |token: &&mut Token| token.class == Class::Number(0) && token.len() <= 2;
    tokens.iter_mut().filter(is_not_known).for_each(|token| token.class = Class::Other);
    let is_number = |token: &Token| matches!(token.class, Class::Number(_));
    // `2019-03-04 (4)` reads as a month of a year and a day of another month: several dates tell the same parts of theirs.
    let parts = |date: &Written| {
        let whole = date.packed.is_some();
        (whole || date.year.is_some(), whole || date.month.is_some(), whole || !date.days.is_empty())
    };
    let are_alike = |dates: &[Written]| dates.windows(2).all(|pair| parts(&pair[0]) == parts(&pair[1]));
    let dates = || Recogniser::of(text, &tokens).dates();
    !tokens.iter().any(is_number) || dates().is_some_and(|dates| are_alike(&dates))
}

/// Whether something tells when: `14:05`, `on admission`, `x`, `IV` and `12` do not.
fn tells_a_day(text: &str, tokens: &[Token]) -> bool {
    let mut numbers = tokens.iter().filter(|token| matches!(token.class, Class::Number(_)));
    let is_week = |token: &Token| token.class == Class::Word && token.text(text).eq_ignore_ascii_case("w");
    let is_told = |token: &Token| match token.class {
        Class::Spoken(_) | Class::SpokenYear(_) | Class::Weekday(..) | Class::Season(_) | Class::Suffix => true,
        class @ Class::Month(..) => class.is_named_month(),
        Class::Word => holidays::is_word_of_one(token.text(text)),
        _ => false,
    };
    // One number by itself is a year, a decade or a date without marks.
    let is_dated = match (numbers.next(), numbers.next()) {
        (Some(_), Some(_)) => true,
        (Some(one), None) => one.len() >= 4,
        _ => false,
    };
    !tokens.iter().any(is_week) && (is_dated || tokens.iter().any(is_told))
}

/// Whether a text is the last day of 9999 or a day of zeros, in any form: what databases write where there is no day.
pub fn is_no_day(text: &str) -> bool {
    let tokens = lex(text);
    let mut parts = Vec::with_capacity(3);
    for token in &tokens {
        match token.class {
            Class::Number(number) => parts.push((token.len(), number)),
            Class::Month(month, _) => parts.push((0, month)),
            Class::Time | Class::Word | Class::Other => {}
            _ => return false,
        }
    }
    parts.sort_unstable_by_key(|(_, number)| *number);
    match parts.as_slice() {
        [(8, 99_991_231 | 12_319_999 | 31_129_999 | 0)] => true,
        [(14, _)] => {
            let clock = text.trim().get(8..).unwrap_or_default();
            let is_clock = clock < "24" && clock.get(2..4) < Some("60") && clock.get(4..6) < Some("60");
            is_clock && ["99991231", "00000000"].iter().any(|day| text.trim().starts_with(day))
        }
        [(_, 12), (_, 31), (4, 9999)] => true,
        [(_, 0), (_, 0), (_, 0)] => parts.iter().any(|(length, _)| *length == 4),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_told_from_what_holds_more() {
        for text in [
            "03/04/2019",
            "2019-03-04T10:11:12.345Z",
            "Mon, March 4th, 2019 10:30 PM EST",
            "Mon Mar 04 2019 00:00:00 GMT-0500 (Eastern Standard Time)",
            "Febuary 14, 1952",
            "O3/l2/2O19",
            "Spring of 2014",
            "Christmas 2013",
            "4 марта 2019",
            "2019年3月4日",
            "DOB: 3/4/1952",
            "since the 1990s",
            "March fourth, twenty fourteen",
            "00/03/2019",
            "2019-03-04/2019-03-06",
            "March 4, 6 and 8, 2019",
            "Q1 2019",
            "20190304101112.123-0500",
            "20190304101112+0000",
            "201903041011-0600",
            "04MAR2019:10:11:12.000",
            "2019-063",
            "2019-W10-1",
            "2019-03-04T10",
            "2019-03-04 at 3pm",
            "March 4, 2019 10am",
            "03/04/2019 10 PM",
            "Monday",
            "Febuary",
            "the 5th",
            "Christmas",
            "2019",
            "",
        ] {
            assert!(is_only_date(text), "{text}");
        }
        for text in [
            "2019-03-04 (Dr. Karen Jones)",
            "per Karen Jones MRN 1234567, spring",
            "1234567, spring",
            "3/4/2019 507-555-0101",
            "Jones",
            "junk",
            "３/４/２０１９",
            "20190304991112+0000",
            "2019-367",
            "2019-366",
            "3/4/2019 karen@mayo.edu",
            "14:05",
            "9:30 AM",
            "08:00-09:00",
            "on admission",
            "A",
            "x",
            "IV",
            "12",
            "1.",
            "2019-W60-1",
            "2019-03-04 (4)",
        ] {
            assert!(!is_only_date(text), "{text}");
        }
    }

    #[test]
    fn days_that_stand_for_none_are_told_in_every_form() {
        for text in [
            "9999-12-31",
            "12/31/9999",
            "31.12.9999",
            "9999-12-31T23:59:59Z",
            "9999-12-31 23:59:59.999+00:00",
            "99991231",
            "99991231235959",
            "31-DEC-9999",
            "31DEC9999:00:00:00",
            "December 31, 9999",
            "0000-00-00 00:00:00",
            "00/00/0000",
        ] {
            assert!(is_no_day(text), "{text}");
        }
        for text in ["", "9999", "9999-12-30", "12/31/1999", "00:00", "0", "12/31/9999 Jones", "1/31/9999"] {
            assert!(!is_no_day(text), "{text}");
        }
    }
}
