//! Years of two digits in words, behind a day and its month.
//!
//! ```text
//! June 12, oh-nine ─▶ February 5, ten      July ninth ninety-two ─▶ May seventh ninety-three      March five ten thirty: a time
//! ```

use super::calendar::year_of_two_digits;
use super::lex::{Class, Token};
use super::spoken::{cardinal, is_one_of};

/// Makes the words of such years one token.
pub(super) fn read_short_years(text: &str, tokens: &mut Vec<Token>) {
    let mut index = 0;
    while index < tokens.len() {
        if let Some((digits, last)) = digits_in_words(text, &tokens[index..])
            && is_behind_day(text, &tokens[..index])
            && !tokens.get(index + last + 2).is_some_and(|next| is_number(text, next) || is_of_clock(text, next))
        {
            let (start, end) = (tokens[index].start, tokens[index + last].end);
            tokens[index] = Token { start, end, class: Class::SpokenYear(year_of_two_digits(digits)) };
            tokens.drain(index + 1..=index + last);
        }
        index += 1;
    }
}

/// The two digits that words say from the first token on, and the last of their tokens: `oh-nine`, `nineteen`, `ninety-two`.
fn digits_in_words(text: &str, tokens: &[Token]) -> Option<(u32, usize)> {
    let first = tokens.first().filter(|token| matches!(token.class, Class::Word | Class::Unknown))?.text(text);
    let is_joined = tokens.get(1).is_some_and(|gap| matches!(gap.text(text), " " | "-"));
    let second = tokens.get(2).filter(|_| is_joined).map(|word| word.text(text));
    let unit = second.and_then(cardinal).filter(|unit| (1..=9).contains(unit));
    if is_zero(first) {
        return Some((unit.or_else(|| second.is_some_and(is_zero).then_some(0))?, 2));
    }
    match (cardinal(first)?, unit) {
        (tens @ 20.., Some(unit)) => Some((tens + unit, 2)),
        (digits @ 10.., _) => Some((digits, 0)),
        _ => None,
    }
}

fn is_zero(word: &str) -> bool {
    ["oh", "o"].iter().any(|zero| word.eq_ignore_ascii_case(zero))
}

/// Whether a word tells that a number before it is an hour: `ten am`, `ten o'clock`.
fn is_of_clock(text: &str, token: &Token) -> bool {
    ["a", "am", "h", "hours", "o", "p", "pm"].iter().any(|word| token.text(text).eq_ignore_ascii_case(word))
}

fn is_number(text: &str, token: &Token) -> bool {
    matches!(token.class, Class::Number(_) | Class::Spoken(_) | Class::Time) || cardinal(token.text(text)).is_some()
}

/// Whether the last that tokens tell is a day and its month, in either order.
fn is_behind_day(text: &str, tokens: &[Token]) -> bool {
    let is_passed = |token: &&Token| match token.class {
        Class::Other => is_one_of(text, token, &[' ', ',', '.', '-', '\n']),
        Class::Word => ["of", "the"].iter().any(|word| token.text(text).eq_ignore_ascii_case(word)),
        class => class == Class::Suffix,
    };
    let mut parts = tokens.iter().rev().filter(|token| !is_passed(token));
    let is_month = |token: &Token| token.class.is_named_month();
    let is_day = |token: &Token| match token.class {
        Class::Number(day) => token.len() <= 2 && (1..=31).contains(&day),
        class => matches!(class, Class::Spoken(_)),
    };
    match (parts.next(), parts.next()) {
        (Some(last), Some(first)) => is_month(last) && is_day(first) || is_day(last) && is_month(first),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::surrogate::dates::lex::{Class, lex};

    #[test]
    fn two_digits_in_words_are_years_behind_a_day_and_its_month() {
        let year = |text: &str| {
            lex(text).iter().find_map(|token| match token.class {
                Class::SpokenYear(year) => Some((year, token.text(text).to_owned())),
                _ => None,
            })
        };
        for (text, expected, written) in [
            ("June 12, oh-nine", 2009, "oh-nine"),
            ("the twelfth of June, o nine", 2009, "o nine"),
            ("July ninth ninety-two", 1992, "ninety-two"),
            ("Seventh July Forty-One", 2041, "Forty-One"),
            ("March fourth, nineteen", 2019, "nineteen"),
            ("5 March twenty one", 2021, "twenty one"),
            ("June 12, oh-oh", 2000, "oh-oh"),
        ] {
            assert_eq!(year(text), Some((expected, written.to_owned())), "{text}");
        }
        for text in [
            "June 12 ten am",
            "June 12 ten o'clock",
            "March oh-nine",
            "March five ten thirty",
            "5 March one",
            "March ninety",
            "June 12, oh boy",
        ] {
            assert_eq!(year(text), None, "{text}");
        }
    }
}
