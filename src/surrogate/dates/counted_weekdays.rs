//! Weekdays and weeks that are counted within a month or a feast: what counts them is no day of the month.
//!
//! ```text
//! first Sunday in August ─▶ first Sunday in November      3rd wk of Lent ─▶ 3rd wk of Advent      Dec 2nd, Thursday: a day, which moves
//! ```

use super::lex::{Class, Token};
use super::spoken::is_one_of;

/// No month has more of a weekday.
const MOST: u32 = 5;

/// Takes ordinals in front of weekdays and weeks for what they are.
pub(super) fn leave_ordinals(text: &str, tokens: &mut [Token]) {
    for index in 0..tokens.len() {
        let length = match tokens[index..] {
            [Token { class: Class::Spoken(1..=MOST), .. }, ..] => 1,
            [Token { class: Class::Number(1..=MOST), .. }, Token { class: Class::Suffix, .. }, ..] => 2,
            _ => continue,
        };
        let (before, after) = (&tokens[..index], &tokens[index + length..]);
        if is_counted(text, after) && !may_end_in_month(text, before) {
            tokens[index].class = Class::Word;
        }
    }
}

/// Whether a blank follows, and then a weekday or a word for weeks.
fn is_counted(text: &str, tokens: &[Token]) -> bool {
    let [gap, counted, ..] = tokens else { return false };
    let is_week =
        || ["week", "wk", "weekend", "wkend"].iter().any(|week| counted.text(text).eq_ignore_ascii_case(week));
    gap.text(text) == " " && (matches!(counted.class, Class::Weekday(..)) || is_week())
}

/// Whether a month stands right before, of which the ordinal is a day, or a word that may be one: `Dec the 2nd Thursday`.
fn may_end_in_month(text: &str, tokens: &[Token]) -> bool {
    let is_passed = |token: &&Token| {
        token.text(text).eq_ignore_ascii_case("the") || is_one_of(text, token, &[' ', ',', '.', '-', '\n'])
    };
    let before = tokens.iter().rev().find(|token| !is_passed(token));
    before.is_some_and(|token| token.class == Class::Unknown || token.class.is_named_month())
}

#[cfg(test)]
mod tests {
    use crate::surrogate::dates::lex::{Class, lex};

    #[test]
    fn what_counts_weekdays_is_no_day() {
        let is_day = |token: &Class| matches!(token, Class::Spoken(_) | Class::Number(1..=31));
        let has_day = |text: &str| lex(text).iter().any(|token| is_day(&token.class));
        for text in
            ["first Sunday in August", "2nd Thurs of December", "third wk of Lent", "first Monday of March 2019"]
        {
            assert!(!has_day(text), "{text}");
        }
        for text in [
            "Dec 2nd Thursday",
            "Dec\n2nd Thursday",
            "Febuary the 2nd Thursday",
            "2nd of December",
            "the first, Sunday",
            "December third",
            "12th Sunday",
        ] {
            assert!(has_day(text), "{text}");
        }
    }
}
