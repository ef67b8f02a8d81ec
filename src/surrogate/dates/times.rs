//! Which numbers beside a date are a clock time or its zone, and so stay.
//!
//! ```text
//! 03/04/2019 10:30     20190304T101112     03/04/2019 1230     10:11-0500     00:00:00 GMT-0500     10.11.12.000000
//! 20190304101112.123-0500: fraction and zone     04MAR2019:10:11:12: all but the year     2014:03:05 10:11:12: the last three
//! ```

use super::lex::{Class, Token};
use super::ordinals::without_ordinal;
use super::packed::{is_clock_time, is_timestamp};

/// Digits of the finest fraction of a second that clocks tell.
const MOST_OF_A_SECOND: usize = 9;

/// Digits beside a colon are a clock time, unless they end a whole date before it, and so are those after `T` in `20190304T101112`,
/// those of its zone in `10:11+00`, what stands behind a time in one run with its date, four behind a whole date, and `10.11.12`
/// behind one or with its fraction. More digits than such a part has are none: `10:301234567`.
pub(super) fn mark_times(text: &str, tokens: &mut [Token]) {
    for index in 0..tokens.len() {
        if !matches!(tokens[index].class, Class::Number(_)) {
            continue;
        }
        if is_of_a_day_with_colons(text, tokens, index) || ends_a_date(text, tokens, index) {
            continue;
        }
        let beside = is_time(text, tokens, index) || is_zone(text, tokens, index) || is_clock(text, tokens, index);
        if beside || is_behind_timestamp(text, tokens, index) {
            tokens[index].class = Class::Time;
        }
        let whole = tokens.get(index..index + 7).is_some_and(|parts| is_dotted_time(text, parts));
        let length = if whole { 7 } else { 5 };
        if whole || is_dotted_clock(text, tokens, index) {
            tokens.iter_mut().skip(index).take(length).step_by(2).for_each(|part| part.class = Class::Time);
        }
    }
}

/// Whether a number follows a token of a class behind a separator.
fn follows(text: &str, tokens: &[Token], index: usize, separator: &str, class: fn(Class) -> bool) -> bool {
    let before = index.checked_sub(1).and_then(|at| tokens.get(at));
    let earlier = index.checked_sub(2).and_then(|at| tokens.get(at));
    before.is_some_and(|token| token.text(text) == separator) && earlier.is_some_and(|token| class(token.class))
}

const fn is_a_time(class: Class) -> bool {
    matches!(class, Class::Time)
}

/// A day in one run of digits.
const fn is_packed_day(class: Class) -> bool {
    matches!(class, Class::Number(10_000_000..=99_999_999))
}

fn is_time(text: &str, tokens: &[Token], index: usize) -> bool {
    let is_colon = |at: Option<usize>| at.and_then(|at| tokens.get(at)).is_some_and(|token| token.text(text) == ":");
    let (digits, length) = (tokens[index].text(text), tokens[index].len());
    // `DOB:03/04/1950`, `3/4/2019:5/6/2019`: what only a colon stands before, and no hour, is of a day where it goes on.
    let is_of_day = || {
        let earlier = index.checked_sub(2).and_then(|at| tokens.get(at));
        // `04MAR2014:10.11.12` is an hour.
        let is_dotted = tokens.get(index + 1).is_some_and(|next| next.text(text) == ".");
        let is_behind_year = is_dotted && earlier.is_some_and(|token| token.len() == 4);
        let is_behind_time = earlier.is_some_and(|token| is_a_time(token.class));
        !is_behind_time && !is_behind_year && goes_on(text, tokens, index)
    };
    let beside_colon = is_colon(Some(index + 1)) || is_colon(index.checked_sub(1)) && !is_of_day();
    // `10:11:12:345`
    let is_part = length <= 2 || length == 3 && parts_before(text, tokens, index) == 3;
    let behind = |mark: &&str| is_clock_time(digits) && follows(text, tokens, index, mark, is_packed_day);
    beside_colon && is_part
        || behind(&"T")
        || length == 6 && [" ", "_", ":"].iter().any(behind)
        || is_fraction(text, tokens, index)
}

/// How many parts of a clock time stand before a token, with a colon behind each.
fn parts_before(text: &str, tokens: &[Token], index: usize) -> usize {
    let pairs = tokens.get(..index).unwrap_or_default().rchunks_exact(2);
    pairs.take_while(|pair| is_a_time(pair[0].class) && pair[1].text(text) == ":").count()
}

/// The fraction of a second: as many digits as a clock counts, and few where no seconds are told.
fn is_fraction(text: &str, tokens: &[Token], index: usize) -> bool {
    let Some(whole) = index.checked_sub(2).filter(|_| follows(text, tokens, index, ".", is_a_time)) else {
        return false;
    };
    let seconds = tokens[whole].len() == 6 || parts_before(text, tokens, whole) >= 2;
    tokens[index].len() <= if seconds { MOST_OF_A_SECOND } else { 3 }
}

/// `2014:03:05 10:11:12`, `03:05:2014`, `03:2014`: a part of a day, or of a month, with colons, as cameras write it.
fn is_of_a_day_with_colons(text: &str, tokens: &[Token], index: usize) -> bool {
    let is_day = |parts: &[Token]| {
        let [left, first, middle, second, right] = parts else { return false };
        let below = |part: &Token, most: u32| match part.class {
            Class::Number(number) => part.len() <= 2 && (1..=most).contains(&number),
            _ => false,
        };
        let padded = middle.len() == 2 && right.len() == 2;
        [first, second].iter().all(|mark| mark.text(text) == ":")
            && (is_year(left) && padded && below(middle, 12) && below(right, 31)
                || below(left, 31) && below(middle, 31) && is_year(right))
    };
    // In `05MAR2014:10:11:12` the year ends a day.
    let is_part = |token: &Token| matches!(token.class, Class::Number(_) | Class::Month(..));
    let opens = |start: usize| !tokens[start.saturating_sub(2)..start].iter().any(is_part);
    let mut starts = [0, 2, 4].iter().filter_map(|before| index.checked_sub(*before)).filter(|&start| opens(start));
    starts.any(|start| tokens.get(start..start + 5).is_some_and(is_day)) || is_before_year(text, tokens, index)
}

/// Four digits that are a year of somebody who lives or has lived.
const fn is_year(part: &Token) -> bool {
    part.end - part.start == 4 && matches!(part.class, Class::Number(1800..=2199))
}

/// Whether a year stands behind a number and a colon: no time has so many minutes.
fn is_before_year(text: &str, tokens: &[Token], index: usize) -> bool {
    tokens.get(index + 1..index + 3).is_some_and(|behind| behind[0].text(text) == ":" && is_year(&behind[1]))
}

/// `05MAR2014:10:11:12`, `3/5/1920:8:05`, `05MAR14:1011`: the last part of a whole date before a colon and a clock time.
fn ends_a_date(text: &str, tokens: &[Token], index: usize) -> bool {
    if !is_before_clock(text, tokens.get(index + 1..).unwrap_or_default()) {
        return false;
    }
    let last = tokens[index];
    let mut parts =
        tokens[..index].iter().rev().filter(|token| matches!(token.class, Class::Number(_) | Class::Month(..)));
    let (Some(middle), Some(first)) = (parts.next(), parts.next()) else { return false };
    let marks = [(first, middle), (middle, &last)].map(|(left, right)| text.get(left.end..right.start));
    // `3/5/14:10` may be a day at 14:10.
    let named = [first, middle].iter().any(|part| matches!(part.class, Class::Month(..)));
    let told = named || first.len() == 4 || last.len() == 4;
    told && marks[0] == marks[1]
        && matches!(marks[0], Some("" | "/" | "-" | "."))
        && is_whole_date(text, &[last, *middle, *first])
}

/// Whether tokens begin with a colon and an hour with minutes: `:10:11`, `:8:05`, `:1011`.
fn is_before_clock(text: &str, tokens: &[Token]) -> bool {
    let number = |part: &Token| matches!(part.class, Class::Number(_));
    match tokens {
        [colon, hour, other, minute, ..] if other.text(text) == ":" => {
            colon.text(text) == ":" && hour.len() <= 2 && minute.len() == 2 && number(hour) && number(minute)
        }
        [colon, clock, ..] => {
            colon.text(text) == ":" && number(clock) && clock.len() >= 4 && is_clock_time(clock.text(text))
        }
        _ => false,
    }
}

/// `20140305101112.123`, `20140305101112-0500`, `201403051011+0100`: the fraction or the zone right behind date and time in one run.
fn is_behind_timestamp(text: &str, tokens: &[Token], index: usize) -> bool {
    let Some([digits, mark]) = index.checked_sub(2).and_then(|at| tokens.get(at..index)) else { return false };
    let fits = match mark.text(text) {
        "." => digits.len() == 14 && tokens[index].len() <= MOST_OF_A_SECOND,
        "+" | "-" => {
            let is_zone = matches!(tokens[index].class, Class::Number(zone) if zone <= 1400 && zone % 100 < 60);
            is_zone && tokens[index].len() == 4 && !goes_on(text, tokens, index)
        }
        _ => false,
    };
    fits && is_timestamp(digits.text(text))
}

/// Whether a mark behind a number joins a further one to it.
fn goes_on(text: &str, tokens: &[Token], index: usize) -> bool {
    tokens.get(index + 1).is_some_and(|next| next.text(text).starts_with(['/', '-', '.', '–']))
}

/// `10:11+00`, `10:11 -0500`, `GMT-0500`, and the end of `1230-1545`.
fn is_zone(text: &str, tokens: &[Token], index: usize) -> bool {
    let signed =
        |class: fn(Class) -> bool, signs: &[&str]| signs.iter().any(|sign| follows(text, tokens, index, sign, class));
    let (Class::Number(number), length) = (tokens[index].class, tokens[index].len()) else { return false };
    let earlier = index.checked_sub(2).and_then(|at| tokens.get(at));
    let is_offset = match length {
        1 | 2 => number <= 14,
        4 => number <= 1400 && number.is_multiple_of(5) && number % 100 < 60,
        _ => false,
    };
    let ends_range =
        length == 4 && earlier.is_some_and(|start| start.len() == 4) && is_clock_time(tokens[index].text(text));
    let behind_time =
        matches!(length, 2 | 4) && (is_offset || ends_range) && signed(is_a_time, &["+", "-", " +", " -"]);
    let name = earlier.map_or("", |token| token.text(text));
    let behind_name = ["GMT", "UTC"].iter().any(|zone| name.eq_ignore_ascii_case(zone))
        && is_offset
        && signed(|class| class == Class::Word, &["+", "-"]);
    // `08:00-06 Mar 2019`
    let is_day =
        || length <= 2 && tokens.iter().skip(index + 1).take(2).any(|token| matches!(token.class, Class::Month(..)));
    (behind_time || behind_name) && !goes_on(text, tokens, index) && !is_day()
}

/// `03/04/2019 1230`, `05MAR2014:1011`, `20190304 1230`, `March 4, 2019 at 1230`: four digits that are an hour and its minutes, or six
/// behind what only a time follows.
fn is_clock(text: &str, tokens: &[Token], index: usize) -> bool {
    let token = tokens[index];
    if token.len() < 4 || !is_clock_time(token.text(text)) {
        return false;
    }
    let parts =
        || tokens[..index].iter().rev().filter(|token| matches!(token.class, Class::Number(_) | Class::Month(..)));
    let Some(last) = parts().next() else { return false };
    let between = text.get(last.end..token.start).unwrap_or_default();
    let joined = match between.trim().to_lowercase().as_str() {
        "" => !between.is_empty() && token.len() == 4,
        "@" | "at" | "t" | ":" | "_" => true,
        _ => false,
    };
    joined && (is_packed_day(last.class) || is_whole_date(text, &parts().take(3).copied().collect::<Vec<_>>()))
}

/// Whether three parts, the last one first, are year, month and day with nothing but marks between them.
fn is_whole_date(text: &str, parts: &[Token]) -> bool {
    let [last, middle, first] = parts else { return false };
    let marks = |left: &Token, right: &Token| {
        text.get(left.end..right.start)
            .is_some_and(|between| without_ordinal(between).trim_matches([' ', ',', '.']).len() <= 1)
    };
    let year = |part: &Token| part.len() == 4 && matches!(part.class, Class::Number(1000..=2999 | 9999));
    let small = |part: &Token| part.len() <= 2 || matches!(part.class, Class::Month(..));
    let named = [last, middle, first].into_iter().filter(|part| matches!(part.class, Class::Month(..))).count();
    let ordered = (year(first) && small(last)) || (small(first) && (year(last) || last.len() == 2));
    named <= 1 && small(middle) && ordered && marks(first, middle) && marks(middle, last)
}

/// `05-MAR-14 10.11.12`, `2014-03-05-10.11.12`: hour, minute and second behind a whole date that is written otherwise; one with full
/// stops may have another behind it.
fn is_dotted_clock(text: &str, tokens: &[Token], index: usize) -> bool {
    let Some([hour, dot, minute, other, second]) = tokens.get(index..index + 5) else { return false };
    let below = |part: &Token, end: u32| matches!(part.class, Class::Number(number) if number < end);
    let is_clock = [dot, other].iter().all(|mark| mark.text(text) == ".")
        && hour.len() <= 2
        && [minute, second].iter().all(|part| part.len() == 2)
        && below(hour, 24)
        && below(minute, 60)
        && below(second, 61);
    let mut parts =
        tokens[..index].iter().rev().filter(|token| matches!(token.class, Class::Number(_) | Class::Month(..)));
    let Some(last) = parts.next().filter(|_| is_clock) else { return false };
    let between = text.get(last.end..hour.start).unwrap_or_default();
    if is_packed_day(last.class) {
        return between == " ";
    }
    let (Some(middle), Some(first)) = (parts.next(), parts.next()) else { return false };
    let mark = text.get(middle.end..last.start).unwrap_or_default();
    mark != "." && (between == " " || between == mark) && is_whole_date(text, &[*last, *middle, *first])
}

/// Whether tokens are hour, minute, second and the fraction of a second, with full stops between them.
fn is_dotted_time(text: &str, parts: &[Token]) -> bool {
    parts.iter().skip(1).step_by(2).all(|between| between.text(text) == ".")
        && parts.iter().step_by(2).all(|part| matches!(part.class, Class::Number(_)))
        && parts.iter().step_by(2).take(3).all(|part| part.len() <= 2)
        && (3..=MOST_OF_A_SECOND).contains(&parts[6].len())
}

#[cfg(test)]
mod tests {
    use crate::surrogate::dates::lex::{Class, lex};

    fn times(text: &str) -> Vec<&str> {
        lex(text).iter().filter(|token| token.class == Class::Time).map(|token| token.text(text)).collect()
    }

    #[test]
    fn clock_times_and_zones_are_told_from_parts_of_dates() {
        assert_eq!(times("Mon Mar 04 2019 00:00:00 GMT-0500"), ["00", "00", "00", "0500"]);
        assert_eq!(times("3/4/2019 10:00 UTC+1"), ["10", "00", "1"]);
        for text in ["03/04/2019 1230", "3/4/19 @ 1230", "2019-03-04T1230", "20190304 1230", "March 4th, 2019 at 1230"]
        {
            assert_eq!(times(text), ["1230"], "{text}");
        }
        assert_eq!(times("3/4/2019 1230-1400"), ["1230", "1400"]);
        assert_eq!(times("20140305101112.123-0500"), ["123", "0500"]);
        assert_eq!(times("20140305101112+0000"), ["0000"]);
        assert_eq!(times("201403051011-0600"), ["0600"]);
        for text in ["05MAR2014:10:11:12", "05MAR14:10:11:12", "05/Mar/2014:10:11:12", "2014-03-05:10:11:12"] {
            assert_eq!(times(text), ["10", "11", "12"], "{text}");
        }
        for (text, found) in [
            ("3/5/1920:8:05", vec!["8", "05"]),
            ("MAR051920:10:11", vec!["10", "11"]),
            ("05MAR2014:1011", vec!["1011"]),
            ("05MAR14:1011", vec!["1011"]),
            ("MAR0514:10:11", vec!["10", "11"]),
            ("2014:03:05 10:11:12", vec!["10", "11", "12"]),
            ("05-MAR-14 10.11.12 AM", vec!["10", "11", "12"]),
            ("2014-03-05-10.11.12", vec!["10", "11", "12"]),
            ("20140305_101112", vec!["101112"]),
            ("2014-03-05T101112", vec!["101112"]),
            ("10:11:12:345", vec!["10", "11", "12", "345"]),
            ("3/4/2019 1230-1545", vec!["1230", "1545"]),
            ("10:30.5", vec!["10", "30", "5"]),
        ] {
            assert_eq!(times(text), found, "{text}");
        }
        assert_eq!(times("05MAR 14:10:11"), ["14", "10", "11"]);
        assert_eq!(times("05MAR14:10"), ["14", "10"]);
        for text in [
            "20149905101112.123",
            "20140305996112-0500",
            "201403051011.12",
            "20140305101112-0500-1",
            "March 4 2019",
            "21 February 2018",
            "3/4 2019",
            "3/4/2019 2460",
            "3/4/2019 - 2019",
            "2018 2019",
            "4 March 2019",
            "2014:03:05",
            "03.04.2019 10.11.12",
            "20140305 991112",
            "03/04/2019 030519",
        ] {
            assert!(times(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn more_digits_than_a_time_has_are_none_of_it() {
        for (text, found) in [
            ("10:301234567", vec!["10"]),
            ("1234567:30", vec!["30"]),
            ("10:11-9876", vec!["10", "11"]),
            ("10:11-2014", vec!["10", "11"]),
            ("10:30.7123456", vec!["10", "30"]),
            ("10:30:15.7123456789", vec!["10", "30", "15"]),
            ("20190304T12345678", vec![]),
            ("20140305101112.1234567890", vec![]),
        ] {
            assert_eq!(times(text), found, "{text}");
        }
    }
}
