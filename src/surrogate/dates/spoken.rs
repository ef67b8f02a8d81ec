//! Numbers in words that are no ordinals.
//!
//! ```text
//! March five, nineteen fifty: a day      two weeks before, at ten thirty: none, and stay      March one nine five: others change
//! ```

use super::lex::{Class, Token};
use crate::surrogate::casing::Casing;
use crate::surrogate::permutation::{Direction, Randomness};
use crate::text::numbers::{TENS, UNITS};

/// Days in words that are no ordinals, beside their month or year: `March five, nineteen fifty`, `March twenty-five`.
pub(super) fn read_days_in_words(text: &str, tokens: &mut Vec<Token>) {
    let mut index = 0;
    while index < tokens.len() {
        if let Some((day, last)) = day_in_words(text, tokens, index) {
            tokens[index] = Token { start: tokens[index].start, end: tokens[last].end, class: Class::Spoken(day) };
            tokens.drain(index + 1..=last);
        }
        index += 1;
    }
}

/// The day that words say from a token on, and their last token.
fn day_in_words(text: &str, tokens: &[Token], index: usize) -> Option<(u32, usize)> {
    let word = |at: usize| tokens.get(at).filter(|token| token.class == Class::Word).map(|token| token.text(text));
    let number = |at: usize| word(at).and_then(cardinal);
    let first = number(index).filter(|first| (1..=30).contains(first))?;
    let joined = tokens.get(index + 1).is_some_and(|mark| matches!(mark.text(text), " " | "-"));
    let tens = joined && first >= 20 && first.is_multiple_of(10);
    let unit = number(index + 2).filter(|unit| tens && (1..=9).contains(unit));
    let (day, last) = unit.map_or((first, index), |unit| (first + unit, index + 2));
    let is_mark = |token: &Token| is_one_of(text, token, &[' ', ',', '-', '.', '\n']);
    let is_month = |token: &Token| token.class.is_named_month();
    let behind_month = match tokens.get(..index).unwrap_or_default() {
        [before @ .., month, mark] => is_mark(mark) && is_month(month) && !end_in_day(text, before),
        _ => false,
    };
    let before_part = match tokens.get(last + 1..).unwrap_or_default() {
        [mark, part, ..] => is_mark(mark) && (is_month(part) || matches!(part.class, Class::SpokenYear(_))),
        _ => false,
    };
    let counts = word(last + 2).is_some_and(is_unit_of_time);
    ((behind_month || before_part) && !counts && day <= 31).then_some((day, last))
}

/// Whether tokens end in the day of a month behind them, so that what is told behind that is none: `5 March one`, `fifth of March ten`.
fn end_in_day(text: &str, tokens: &[Token]) -> bool {
    let is_passed = |token: &Token| match token.class {
        Class::Other => is_one_of(text, token, &[' ', '-', '.', '/']),
        Class::Word => ["of", "de"].iter().any(|of| token.text(text).eq_ignore_ascii_case(of)),
        class => class == Class::Suffix,
    };
    let Some(at) = tokens.iter().rposition(|token| !is_passed(token)) else { return false };
    let is_minute = || at > 0 && tokens[at - 1].text(text).ends_with(':');
    match tokens[at].class {
        Class::Number(day) => tokens[at].len() <= 2 && (1..=31).contains(&day) && !is_minute(),
        Class::Spoken(_) => true,
        _ => false,
    }
}

/// Whether a token is nothing but some of these marks.
pub(super) fn is_one_of(text: &str, token: &Token, marks: &[char]) -> bool {
    token.text(text).chars().all(|mark| marks.contains(&mark))
}

/// The number that a word below a hundred says: one of the first twenty, or of the tens.
pub(super) fn cardinal(word: &str) -> Option<u32> {
    let is = |known: &&str| !known.is_empty() && word.eq_ignore_ascii_case(known);
    let units = UNITS.iter().position(is).map(|unit| unit as u32);
    units.or_else(|| TENS.iter().position(is).map(|tens| tens as u32 * 10))
}

/// Whether a number before a word counts something: `two weeks ago`.
pub(super) fn is_unit_of_time(word: &str) -> bool {
    const UNITS_OF_TIME: [&str; 9] = ["day", "week", "month", "year", "hour", "minute", "decade", "night", "weekend"];
    let word = word.to_ascii_lowercase();
    UNITS_OF_TIME.contains(&word.strip_suffix('s').unwrap_or(&word))
}

/// Another one of the words for numbers below twenty and for the tens.
pub(super) fn another_number(randomness: &Randomness, direction: Direction, written: &str, number: u32) -> String {
    let words: Vec<&str> = UNITS.iter().chain(&TENS[2..]).copied().collect();
    let at = if number < 20 { number } else { UNITS.len() as u32 + number / 10 - 2 };
    let draw = randomness.draw("number in a date", b"");
    let moved = randomness.turn(direction, &draw, words.len() as u128, at.into()) as usize;
    Casing::of(written).apply(words.get(moved).copied().unwrap_or(written))
}

#[cfg(test)]
mod tests {
    use crate::surrogate::dates::lex::{Class, lex};

    fn classes(text: &str) -> Vec<Class> {
        lex(text).iter().map(|token| token.class).filter(|&class| class != Class::Other).collect()
    }

    #[test]
    fn days_that_are_no_ordinals_are_read_beside_their_month() {
        use Class::{Month, Spoken, SpokenYear, Word};
        assert_eq!(classes("March five, nineteen fifty"), [Month(3, 0), Spoken(5), SpokenYear(1950)]);
        assert_eq!(classes("twenty-five March"), [Spoken(25), Month(3, 0)]);
        assert_eq!(classes("March twenty five nineteen fifty"), [Month(3, 0), Spoken(25), SpokenYear(1950)]);
        assert_eq!(classes("March, two weeks ago"), [Month(3, 0), Word, Word, Word]);
        assert_eq!(classes("five days"), [Word, Word]);
    }

    #[test]
    fn behind_a_day_and_its_month_no_other_day_is_read() {
        use Class::{Month, Number, Spoken, SpokenYear, Suffix, Word};
        assert_eq!(classes("5 March one"), [Number(5), Month(3, 0), Word]);
        assert_eq!(classes("5th of March four"), [Number(5), Suffix, Word, Month(3, 0), Word]);
        assert_eq!(classes("five March nine"), [Spoken(5), Month(3, 0), Word]);
        assert_eq!(classes("5-March-one"), [Number(5), Month(3, 0), Word]);
        assert_eq!(classes("5 March nineteen fifty"), [Number(5), Month(3, 0), SpokenYear(1950)]);
        // Minutes and years are no days.
        assert_eq!(classes("2014 March five"), [Number(2014), Month(3, 0), Spoken(5)]);
        assert_eq!(classes("10:30 March five").last(), Some(&Spoken(5)));
    }
}
