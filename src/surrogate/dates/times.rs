//! Which numbers beside a date are a clock time or its zone, and so stay.
//!
//! ```text
//! 03/04/2019 10:30     20190304T101112     03/04/2019 1230     10:11-0500     00:00:00 GMT-0500     10.11.12.000000
//! ```

use super::lex::{Class, Token};

/// Digits beside a colon are a clock time, and so are those after `T` in `20190304T101112`, those of its zone in `10:11+00`, four
/// behind a whole date, and `10.11.12.000000` with its fraction.
pub(super) fn mark_times(text: &str, tokens: &mut [Token]) {
    for index in 0..tokens.len() {
        if !matches!(tokens[index].class, Class::Number(_)) {
            continue;
        }
        if is_time(text, tokens, index) || is_zone(text, tokens, index) || is_clock(text, tokens, index) {
            tokens[index].class = Class::Time;
        }
        if let Some(parts) = tokens.get_mut(index..index + 7).filter(|parts| is_dotted_time(text, parts)) {
            parts.iter_mut().step_by(2).for_each(|part| part.class = Class::Time);
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

fn is_time(text: &str, tokens: &[Token], index: usize) -> bool {
    let is_colon = |at: Option<usize>| at.and_then(|at| tokens.get(at)).is_some_and(|token| token.text(text) == ":");
    let is_day = |class| matches!(class, Class::Number(10_000_000..=99_999_999));
    let compact = follows(text, tokens, index, "T", |class| matches!(class, Class::Number(10_000_000..)))
        || (tokens[index].len() == 6 && follows(text, tokens, index, " ", is_day));
    is_colon(Some(index + 1))
        || is_colon(index.checked_sub(1))
        || compact
        || follows(text, tokens, index, ".", is_a_time)
}

/// `10:11+00`, `10:11 -0500`, `GMT-0500`.
fn is_zone(text: &str, tokens: &[Token], index: usize) -> bool {
    let goes_on = tokens.get(index + 1).is_some_and(|next| next.text(text).starts_with(['/', '-', '.', '–']));
    let signed =
        |class: fn(Class) -> bool, signs: &[&str]| signs.iter().any(|sign| follows(text, tokens, index, sign, class));
    let behind_time = matches!(tokens[index].len(), 2 | 4) && signed(is_a_time, &["+", "-", " +", " -"]);
    let name = index.checked_sub(2).and_then(|at| tokens.get(at)).map_or("", |token| token.text(text));
    let behind_name = ["GMT", "UTC"].iter().any(|zone| name.eq_ignore_ascii_case(zone))
        && matches!(tokens[index].len(), 1 | 2 | 4)
        && signed(|class| class == Class::Word, &["+", "-"]);
    !goes_on && (behind_time || behind_name)
}

/// `03/04/2019 1230`, `2019-03-04T1230`, `20190304 1230`, `March 4, 2019 at 1230`: four digits that are an hour and its minutes.
fn is_clock(text: &str, tokens: &[Token], index: usize) -> bool {
    let token = tokens[index];
    let Class::Number(number) = token.class else { return false };
    if token.len() != 4 || number >= 2400 || number % 100 >= 60 {
        return false;
    }
    let parts =
        || tokens[..index].iter().rev().filter(|token| matches!(token.class, Class::Number(_) | Class::Month(..)));
    let Some(last) = parts().next() else { return false };
    let between = text.get(last.end..token.start).unwrap_or_default();
    let joined = !between.is_empty() && matches!(between.trim().to_lowercase().as_str(), "" | "@" | "at" | "t");
    joined
        && (matches!(last.class, Class::Number(10_000_000..=99_999_999))
            || is_whole_date(text, &parts().take(3).copied().collect::<Vec<_>>()))
}

/// Whether three parts, the last one first, are year, month and day with nothing but marks between them.
fn is_whole_date(text: &str, parts: &[Token]) -> bool {
    let [last, middle, first] = parts else { return false };
    let marks = |left: &Token, right: &Token| {
        text.get(left.end..right.start).is_some_and(|between| {
            let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|suffix| between.strip_prefix(suffix));
            ordinal.unwrap_or(between).trim_matches([' ', ',', '.']).len() <= 1
        })
    };
    let year = |part: &Token| part.len() == 4 && matches!(part.class, Class::Number(1000..=2999));
    let small = |part: &Token| part.len() <= 2 || matches!(part.class, Class::Month(..));
    let named = [last, middle, first].into_iter().filter(|part| matches!(part.class, Class::Month(..))).count();
    let ordered = (year(first) && small(last)) || (small(first) && (year(last) || last.len() == 2));
    named <= 1 && small(middle) && ordered && marks(first, middle) && marks(middle, last)
}

/// Whether tokens are hour, minute, second and the fraction of a second, with full stops between them.
fn is_dotted_time(text: &str, parts: &[Token]) -> bool {
    parts.iter().skip(1).step_by(2).all(|between| between.text(text) == ".")
        && parts.iter().step_by(2).all(|part| matches!(part.class, Class::Number(_)))
        && parts.iter().step_by(2).take(3).all(|part| part.len() <= 2)
        && parts[6].len() >= 3
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
        for text in [
            "March 4 2019",
            "21 February 2018",
            "3/4 2019",
            "3/4/2019 2460",
            "3/4/2019 - 2019",
            "2018 2019",
            "4 March 2019",
        ] {
            assert!(times(text).is_empty(), "{text}");
        }
    }
}
