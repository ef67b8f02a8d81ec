//! The parts of a moved date, written as they were written.
//!
//! ```text
//! 03 → 04     3rd → 4th     III → IV     MAR → APR     March third → April fourth     nineteen fifty → nineteen fifty-one
//! ```

use super::calendar::{FULL, MONTHS, ROMAN, SHORT, spell};
use super::lex::Class;
use super::ordinals::ordinal_suffix;
use super::recognise::Written;
use super::shift::Shifter;
use super::spoken::cardinal;
use super::spread::nearest_day;
use crate::surrogate::casing::Casing;
use crate::text::numbers::{self, spell_short_year, spell_year};

/// The month whose short name is its full one.
const MAY: u32 = 5;

impl Shifter<'_> {
    /// A year as the one at a token is written.
    pub(super) fn year_text(&self, token: usize, year: i32) -> String {
        let original = self.tokens[token];
        match original.len() {
            _ if matches!(original.class, Class::SpokenYear(_)) => year_in_words(original.text(self.text), year),
            2 => format!("{:02}", year.rem_euclid(100)),
            _ => format!("{:04}", year.rem_euclid(10_000)),
        }
    }

    /// A month as the one at a token is written.
    pub(super) fn month_text(&self, token: usize, month: u32, padded: bool) -> String {
        let original = self.tokens[token];
        match original.class {
            Class::Month(written, row) => {
                let row = if written == MAY && row == FULL && self.is_compact(token) { SHORT } else { row };
                let casing = match Casing::of(original.text(self.text)) {
                    // `V` is written as `IX` is.
                    Casing::Title if row == ROMAN => Casing::Upper,
                    other => other,
                };
                casing.apply(MONTHS[row][month as usize - 1])
            }
            _ if padded => format!("{month:02}"),
            _ => month.to_string(),
        }
    }

    /// Whether a month stands between hyphens or digits (`18-May-2020`, `18MAY20`), where names are short: `May` itself does not
    /// tell.
    fn is_compact(&self, token: usize) -> bool {
        let token = self.tokens[token];
        let beside =
            |character: Option<char>| character.is_some_and(|character| character == '-' || character.is_ascii_digit());
        beside(self.text[..token.start].chars().next_back()) || beside(self.text[token.end..].chars().next())
    }

    /// Whether numbers get a leading zero: as some of them have one, or all have two digits and no names of months
    /// stand apart beside them, as they do not in forms of fixed width.
    pub(super) fn padded(&self, tokens: &[usize]) -> bool {
        let mut numbers =
            tokens.iter().map(|&token| self.tokens[token]).filter(|token| matches!(token.class, Class::Number(_)));
        let leading_zero = numbers.clone().any(|token| token.len() == 2 && token.text(self.text).starts_with('0'));
        let two_digits = numbers.all(|token| token.len() == 2);
        let names = tokens.iter().any(|&token| matches!(self.tokens[token].class, Class::Month(..)));
        let apart = || tokens.windows(2).any(|pair| !self.is_of_fixed_width(pair[0], pair[1]));
        leading_zero || (two_digits && !(names && apart()))
    }

    /// What stands before and behind a day whose month, or year, is not that of the list: `October 1`, `30 September`, `12/30/2019`.
    pub(super) fn own_month(
        &self,
        date: &Written,
        (month_token, month): (usize, u32),
        year: Option<(usize, i32)>,
        padded: bool,
    ) -> (String, String) {
        let name = self.month_text(month_token, month, padded);
        let nearest = nearest_day(date, month_token);
        let mark = self.mark(month_token, nearest);
        let written = year.map(|(token, year)| (token, self.year_text(token, year)));
        match written {
            _ if nearest < month_token => {
                let year = written.map(|(_, year)| [mark, &year].concat()).unwrap_or_default();
                (String::new(), [mark, &name, &year].concat())
            }
            Some((token, year)) if token < month_token => ([&year, mark, &name, mark].concat(), String::new()),
            Some((_, year)) => ([&name, mark].concat(), [if mark == " " { ", " } else { mark }, &year].concat()),
            None => ([&name, mark].concat(), String::new()),
        }
    }

    /// A day as the one at a token is written.
    pub(super) fn day_text(&self, token: usize, day: u32, padded: bool) -> String {
        let original = self.tokens[token];
        match original.class {
            Class::Spoken(_) => day_in_words(original.text(self.text), day),
            _ if padded => format!("{day:02}"),
            _ => day.to_string(),
        }
    }

    /// Writes the ordinal of a day that has one, and what stands behind the day; the French one is of the first day only.
    pub(super) fn write_suffix(&mut self, day_token: usize, day: u32, after: &str) {
        let Some(next) = self.tokens.get(day_token + 1).filter(|next| next.class == Class::Suffix) else {
            return;
        };
        let original = next.text(self.text);
        let suffix = match (original.eq_ignore_ascii_case("er"), day) {
            (true, 1) => "er",
            (true, _) => "",
            (false, _) => ordinal_suffix(day),
        };
        let upper = original.starts_with(|character: char| character.is_uppercase());
        let suffix = if upper { suffix.to_uppercase() } else { suffix.to_owned() };
        self.edit(day_token + 1, [&suffix, after].concat());
    }
}

/// A day in words, an ordinal or a number as the original.
pub(super) fn day_in_words(original: &str, day: u32) -> String {
    let is_cardinal = original.rsplit([' ', '-']).next().is_some_and(|word| cardinal(word).is_some());
    as_spoken(original, if is_cardinal { numbers::spell(day) } else { spell(day) })
}

/// A year in words.
pub(super) fn year_in_words(original: &str, year: i32) -> String {
    let small = original.to_ascii_lowercase();
    let words: Vec<&str> = small.split([' ', '-', '\n']).collect();
    let year = year.unsigned_abs();
    let spelled = match numbers::read_year(&words) {
        Some(_) => spell_year(year),
        None => spell_short_year(year, if original.contains('-') { "-" } else { " " }),
    };
    as_spoken(original, spelled)
}

/// Words in small letters with the capitals of the original: a first one stays a first one.
fn as_spoken(original: &str, words: String) -> String {
    match Casing::of(original) {
        Casing::Upper => words.to_uppercase(),
        Casing::Lower => words,
        Casing::Title | Casing::Mixed => capitalized(&words),
    }
}

fn capitalized(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
