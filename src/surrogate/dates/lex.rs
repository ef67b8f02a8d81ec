//! The tokens of a written date.
//!
//! ```text
//! Tuesday, March 4th, '14 at 10:30
//! Weekday  Month ││    │     Time Time
//!        Number 4 │  Number 14
//!             Suffix
//! ```

use std::sync::LazyLock;

use super::calendar::{MONTHS, ORDINALS, OTHER_SEASONS, ROMAN, SEASONS, WEEKDAYS};
use super::counted_weekdays::leave_ordinals;
use super::holidays;
use super::packed::{Packed, is_clock_time};
use super::short_years::read_short_years;
use super::spoken::read_days_in_words;
use super::times::mark_times;
use super::words::{is_known, misspelt};
use crate::surrogate::casing::fold;
use crate::surrogate::lists::{ByHash, key};
use crate::surrogate::words::APOSTROPHES;
use crate::text::numbers::read_year;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Digits, with their value; too long ones count as [`u32::MAX`].
    Number(u32),
    /// A day of the month in words.
    Spoken(u32),
    /// A year in words.
    SpokenYear(u32),
    /// The digits of a clock time.
    Time,
    /// A month, 1 to 12, and the row of [`MONTHS`] it was written from.
    Month(u32, usize),
    /// A weekday, Monday 0, and the row of [`WEEKDAYS`].
    Weekday(usize, usize),
    /// `st`, `nd`, `rd` or `th` after digits, `er` after a French 1.
    Suffix,
    /// `s` or `'s` after the digits of a decade.
    Decade,
    /// A season: spring 0, summer, autumn, winter.
    Season(usize),
    /// Another word of those that stand beside dates, or one letter.
    Word,
    /// A word that no date has: a name, or a month in a language that is not read.
    Unknown,
    /// Anything between.
    Other,
}

impl Class {
    /// Whether it is a month by its name: Roman numerals mean much else.
    pub const fn is_named_month(self) -> bool {
        matches!(self, Self::Month(_, row) if row != ROMAN)
    }
}

/// A stretch of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub start: usize,
    pub end: usize,
    pub class: Class,
}

impl Token {
    /// The token's text.
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        &text[self.start..self.end]
    }

    /// Length in bytes.
    pub const fn len(&self) -> usize {
        self.end - self.start
    }
}

/// Cuts a text into tokens that together are the whole text.
pub(super) fn lex(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::with_capacity(12);
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let same = run_of(first);
        let length = text[at..].find(|character| !same(character)).unwrap_or(text.len() - at);
        let (start, end) = (at, at + length);
        at = end;
        let before = tokens.last().map(|token| token.class);
        match two_parts(&text[start..end], &tokens) {
            Some((length, behind)) => {
                let cut = start + length;
                tokens.push(Token { start, end: cut, class: classify(&text[start..cut], None) });
                tokens.push(Token { start: cut, end, class: behind });
            }
            None => tokens.push(Token { start, end, class: classify(&text[start..end], before) }),
        }
    }
    if text.contains(char::is_alphabetic) {
        read_words(text, &mut tokens);
    }
    mark_times(text, &mut tokens);
    set_codes_apart(text, &mut tokens);
    tokens
}

/// What words say of a date, and what a date says of words in it.
fn read_words(text: &str, tokens: &mut Vec<Token>) {
    join_years(text, tokens);
    join_spoken(text, tokens);
    leave_ordinals(text, tokens);
    read_months_that_are_english_words(text, tokens);
    read_days_in_words(text, tokens);
    read_short_years(text, tokens);
    read_holidays(text, tokens);
    read_school_years(text, tokens);
    read_misspelt(text, tokens);
}

/// How many of the digits right behind the tokens before them are a part of their own, where they are two, and what the other is.
fn two_parts(digits: &str, before: &[Token]) -> Option<(usize, Class)> {
    let is_behind_month = before.last()?.class.is_named_month();
    if !is_behind_month || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let behind = |length: usize| Some((length, Class::Number(digits.get(length..)?.parse().ok()?)));
    match year_before_time(digits, before) {
        Some(year) => Some((year, Class::Time)),
        None => day_before_year(digits).and_then(behind),
    }
}

fn is_year(digits: &str) -> bool {
    digits.parse::<u32>().is_ok_and(|year| (1700..=2199).contains(&year))
}

/// How many digits behind a day and its month are the year, where a clock time follows: `05MAR20141011`, `05MAR2014101112`.
fn year_before_time(digits: &str, before: &[Token]) -> Option<usize> {
    const YEAR: usize = 4;
    let [.., day, _] = before else { return None };
    let is_day = day.len() <= 2 && matches!(day.class, Class::Number(1..=31));
    let (year, time) = digits.split_at_checked(YEAR)?;
    (is_day && is_year(year) && matches!(time.len(), 4 | 6) && is_clock_time(time)).then_some(YEAR)
}

/// How many of the digits right behind a month are the day, where a year follows: `MAR052014`, `MAR0514`.
fn day_before_year(digits: &str) -> Option<usize> {
    let day = match digits.len() {
        4 if !is_year(digits) => 2,
        5 | 6 if digits.get(digits.len() - 4..).is_some_and(is_year) => digits.len() - 4,
        _ => return None,
    };
    let number = digits.get(..day).and_then(|day| day.parse::<u32>().ok());
    let fits = number.is_some_and(|number| (1..=31).contains(&number));
    fits.then_some(day)
}

/// Digits that are too many for a part of a date, or too few for two, are a code where other parts are told: they change by themselves.
fn set_codes_apart(text: &str, tokens: &mut [Token]) {
    let is_code = |token: &Token| {
        let length = token.len();
        let odd = matches!(length, 5 | 7) || length > 8 && Packed::of(token.text(text), false).is_none();
        odd && matches!(token.class, Class::Number(_))
    };
    let is_part = |token: &Token| {
        matches!(token.class, Class::Number(_) | Class::Month(..) | Class::Spoken(_) | Class::SpokenYear(_))
    };
    if tokens.iter().any(|token| is_part(token) && !is_code(token)) {
        tokens.iter_mut().filter(|token| is_code(token)).for_each(|token| token.class = Class::Unknown);
    }
}

fn run_of(first: char) -> fn(char) -> bool {
    if first.is_ascii_digit() {
        |character| character.is_ascii_digit()
    } else if first.is_alphabetic() {
        char::is_alphabetic
    } else {
        |character| !character.is_ascii_digit() && !character.is_alphabetic()
    }
}

fn classify(word: &str, before: Option<Class>) -> Class {
    match word.as_bytes().first() {
        Some(b'0'..=b'9') => return Class::Number(word.parse().unwrap_or(u32::MAX)),
        Some(byte) if byte.is_ascii_alphabetic() || *byte >= 0x80 => {}
        _ => return Class::Other,
    }
    if !word.starts_with(char::is_alphabetic) {
        return Class::Other;
    }
    if WITHOUT_ACCENTS.iter().any(|other| word.eq_ignore_ascii_case(other)) {
        return Class::Word;
    }
    let word = fold(word);
    if let Some(Class::Number(number)) = before {
        match word.as_str() {
            "er" if number == 1 => return Class::Suffix,
            "st" | "nd" | "rd" | "th" => return Class::Suffix,
            "s" => return Class::Decade,
            _ => {}
        }
    }
    named(&word)
}

fn named(word: &str) -> Class {
    static NAMES: LazyLock<ByHash<Class>> = LazyLock::new(names);
    let known = NAMES.get(&key(word)).copied();
    known.unwrap_or_else(|| if word.chars().nth(1).is_none() || is_known(word) { Class::Word } else { Class::Unknown })
}

/// Words of the name of a holiday are none of a person: `Martin Luther King Day`, but not `3/4/2019 (Martin)`.
fn read_holidays(text: &str, tokens: &mut [Token]) {
    let may_be = |token: &Token| token.class == Class::Unknown && holidays::is_word_of_one(token.text(text));
    if !tokens.iter().any(may_be) {
        return;
    }
    let straight = text.replace(APOSTROPHES, "'");
    let Some(name) = holidays::find(&straight).and_then(|found| straight.get(found.start..found.end)) else { return };
    for token in tokens.iter_mut().filter(|token| may_be(token)) {
        let mut words = name.split(|character: char| !character.is_alphabetic());
        if words.any(|word| word.eq_ignore_ascii_case(token.text(text))) {
            token.class = Class::Word;
        }
    }
}

/// `SY` is short for a school year before its number: `SY 2018-19`, but not `3/4/2019 (Sy)`, who is somebody.
fn read_school_years(text: &str, tokens: &mut [Token]) {
    let is_mark = |token: &Token| token.text(text).chars().all(|mark| matches!(mark, ' ' | '-' | '\'' | '’'));
    let is_number = |token: &Token| matches!(token.class, Class::Number(_)) && matches!(token.len(), 2 | 4);
    let mut rest = tokens;
    while let [word, behind @ ..] = rest {
        let before_number = || match &*behind {
            [mark, number, ..] if mark.class == Class::Other => is_mark(mark) && is_number(number),
            [number, ..] => is_number(number),
            [] => false,
        };
        if word.class == Class::Unknown && word.text(text) == "SY" && before_number() {
            word.class = Class::Word;
        }
        rest = behind;
    }
}

/// Misspelt months and weekdays are read where no month is told: `Febuary 14, 1952`, but not `3/4/2019 (Julia)`. A word by itself must be long:
/// `Febuary`, but not `junk`.
fn read_misspelt(text: &str, tokens: &mut [Token]) {
    let is_number = |token: &Token| matches!(token.class, Class::Number(_));
    let is_whole = tokens.windows(5).any(|parts| {
        parts.iter().step_by(2).all(is_number)
            && parts[1].text(text) == parts[3].text(text)
            && matches!(parts[1].text(text), "/" | "-" | ".")
    });
    if is_whole || tokens.iter().any(|token| token.class.is_named_month()) {
        return;
    }
    let shortest = if tokens.iter().any(is_number) { 0 } else { SHORTEST_ALONE };
    for token in tokens.iter_mut().filter(|token| token.class == Class::Unknown && token.len() >= shortest) {
        token.class = misspelt(&fold(token.text(text))).unwrap_or(token.class);
    }
}

/// The fewest bytes of a misspelt month that stands without a number.
const SHORTEST_ALONE: usize = 6;

/// Words that are seasons only with their accents, as Swedish `vår` and `höst`.
const WITHOUT_ACCENTS: [&str; 2] = ["host", "var"];

/// Months of other languages that English says for something else: `3 years ago`.
const ENGLISH_WORDS: [&str; 5] = ["ago", "out", "set", "me", "mas"];

/// `5 ago 2019`, `25-AGO-2019`, `30/set`, `ago-2022`: between parts of a date they are months, whatever English says by them. Not `3 years ago`, nor
/// `12 out of 20`.
fn read_months_that_are_english_words(text: &str, tokens: &mut [Token]) {
    for index in 0..tokens.len() {
        let is_month = |name: &&&str| tokens[index].text(text).eq_ignore_ascii_case(name);
        let Some(name) = ENGLISH_WORDS[..3].iter().find(is_month) else { continue };
        let (before, after) = (tokens[..index].iter().rev(), tokens[index + 1..].iter());
        let (day, day_joint) = number_beside(text, before);
        let (year, year_joint) = number_beside(text, after);
        let is_day = day.is_some_and(|day| day.len() <= 2 && matches!(day.class, Class::Number(1..=31)));
        let is_year = year.is_some_and(|year| matches!(year.len(), 2 | 4));
        let is_first_of_year = index == 0 && is_year && year_joint != " ";
        if is_day && (is_year || !day_joint.trim().is_empty() && year_joint.trim().is_empty()) || is_first_of_year {
            let mut rows = (0..).zip(MONTHS.iter());
            let found = rows.find_map(|(row, names)| Some((names.iter().position(|month| month == name)?, row)));
            if let Some((month, row)) = found {
                tokens[index].class = Class::Month(month as u32 + 1, row);
            }
        }
    }
}

/// The number that comes next, and what joins it: a mark or two, or `de`.
fn number_beside<'t>(text: &'t str, mut tokens: impl Iterator<Item = &'t Token>) -> (Option<&'t Token>, &'t str) {
    let is_number = |token: &&Token| matches!(token.class, Class::Number(_));
    let Some(first) = tokens.next() else { return (None, "") };
    if is_number(&first) {
        return (Some(first), "");
    }
    let joint = first.text(text);
    match tokens.next() {
        Some(number) if is_number(&number) && matches!(joint, " " | "/" | "-" | "." | ". ") => (Some(number), joint),
        Some(of) if joint == " " && of.text(text).eq_ignore_ascii_case("de") => (tokens.nth(1).filter(is_number), "de"),
        _ => (None, joint),
    }
}

/// The words of the calendar; of two meanings of a word, the first in the order of the tables.
fn names() -> ByHash<Class> {
    let mut names = ByHash::default();
    let mut add = |name: &str, class: Class| {
        names.entry(key(&fold(name))).or_insert(class);
    };
    add("sept", Class::Month(9, 1));
    add("thirtieth", Class::Spoken(30));
    for (row, months) in MONTHS.iter().enumerate() {
        let read = (1..).zip(months).filter(|(_, name)| !ENGLISH_WORDS.contains(name));
        read.for_each(|(month, name)| add(name, Class::Month(month, row)));
    }
    for (row, days) in WEEKDAYS.iter().enumerate() {
        days.iter().enumerate().for_each(|(day, name)| add(name, Class::Weekday(day, row)));
    }
    for seasons in &SEASONS {
        seasons.iter().enumerate().for_each(|(season, name)| add(name, Class::Season(season)));
    }
    OTHER_SEASONS.iter().for_each(|&(name, _, season)| add(name, Class::Season(season)));
    (1..).zip(ORDINALS).for_each(|(day, name)| add(name, Class::Spoken(day)));
    names
}

/// `twenty fourteen` is one token.
fn join_years(text: &str, tokens: &mut Vec<Token>) {
    let mut index = 0;
    while index + 2 < tokens.len() {
        let starts = tokens[index].class == Class::Word
            && ["two", "eighteen", "nineteen", "twenty"]
                .iter()
                .any(|word| tokens[index].text(text).eq_ignore_ascii_case(word));
        if starts {
            // Words stand at every other place while single spaces or hyphens part them.
            let run = tokens[index..].chunks(2).take(5);
            let mut words = Vec::with_capacity(5);
            for pair in run {
                words.push(pair[0].text(text).to_ascii_lowercase());
                if !pair.get(1).is_some_and(|between| matches!(between.text(text), " " | "-" | "\n")) {
                    break;
                }
            }
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            if let Some((year, used)) = read_year(&words) {
                let last = index + 2 * (used - 1);
                tokens[index] =
                    Token { start: tokens[index].start, end: tokens[last].end, class: Class::SpokenYear(year) };
                tokens.drain(index + 1..=last);
            }
        }
        index += 1;
    }
}

/// `twenty-first` is one token.
fn join_spoken(text: &str, tokens: &mut Vec<Token>) {
    let mut index = 0;
    while index + 2 < tokens.len() {
        let word = tokens[index].text(text);
        let tens = match tokens[index].class {
            Class::Word if word.eq_ignore_ascii_case("twenty") => 20,
            Class::Word if word.eq_ignore_ascii_case("thirty") => 30,
            _ => 0,
        };
        let joined = matches!(tokens[index + 1].text(text), "-" | " ");
        if let (1.., true, Class::Spoken(unit @ 1..=9)) = (tens, joined, tokens[index + 2].class) {
            tokens[index] =
                Token { start: tokens[index].start, end: tokens[index + 2].end, class: Class::Spoken(tens + unit) };
            tokens.drain(index + 1..index + 3);
        }
        index += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::dates::calendar::spell;

    fn classes(text: &str) -> Vec<Class> {
        lex(text).iter().map(|token| token.class).filter(|&class| class != Class::Other).collect()
    }

    #[test]
    fn tokens_are_told_apart() {
        use Class::{Decade, Month, Number, Season, Spoken, Suffix, Time, Weekday, Word};
        assert_eq!(classes("Tues, MARCH 4th, '14"), [Weekday(1, 3), Month(3, 0), Number(4), Suffix, Number(14)]);
        assert_eq!(classes("04MAR2019"), [Number(4), Month(3, 1), Number(2019)]);
        assert_eq!(
            classes("2019-03-04T10:11:12.5Z"),
            [Number(2019), Number(3), Number(4), Word, Time, Time, Time, Time, Word]
        );
        assert_eq!(classes("20190304T1011"), [Number(20_190_304), Word, Time]);
        assert_eq!(classes("the 1990s"), [Word, Number(1990), Decade]);
        assert_eq!(classes("May twenty-first"), [Month(5, 0), Spoken(21)]);
        assert_eq!(classes("May, Nineteen ninety-eight or so"), [Month(5, 0), Class::SpokenYear(1998), Word, Word]);
        assert_eq!(classes("twenty days ago"), [Word, Word, Word]);
        assert_eq!(classes("Autumn 15 février"), [Season(2), Number(15), Month(2, 3)]);
        assert_eq!(classes("Höst, host, ÉTÉ"), [Season(2), Word, Season(1)]);
        assert_eq!(classes("MAR052014"), [Month(3, 1), Number(5), Number(2014)]);
        assert_eq!(classes("Mar0514"), [Month(3, 1), Number(5), Number(14)]);
        assert_eq!(classes("Mar2014 MAR995014"), [Month(3, 1), Number(2014), Month(3, 1), Number(995_014)]);
        assert_eq!(classes("05MAR20141011"), [Number(5), Month(3, 1), Number(2014), Time]);
        assert_eq!(classes("05MAR2014101112.123"), [Number(5), Month(3, 1), Number(2014), Time, Time]);
        assert_eq!(classes("05MAR20142560"), [Number(5), Month(3, 1), Number(20_142_560)]);
        assert_eq!(classes("MAR20141011"), [Month(3, 1), Number(20_141_011)]);
        assert_eq!(classes("3/4 1234567"), [Number(3), Number(4), Class::Unknown]);
        assert_eq!(classes("1234567"), [Number(1_234_567)]);
    }

    #[test]
    fn months_that_are_english_words_are_read_between_parts_of_a_date() {
        let month = |text: &str| {
            classes(text).into_iter().find_map(|class| match class {
                Class::Month(month, _) => Some(month),
                _ => None,
            })
        };
        for (text, number) in [
            ("5 ago 2019", 8),
            ("25-AGO-2019", 8),
            ("5ago2019", 8),
            ("30/ago", 8),
            ("ago-2022", 8),
            ("12 out 2019", 10),
            ("3 de set de 2021", 9),
            ("3.set.21", 9),
        ] {
            assert_eq!(month(text), Some(number), "{text}");
        }
        for text in ["3 years ago", "12 out of 20", "5 ago", "2019 ago", "set 4", "3/4/2019 out", "out 2019"] {
            assert_eq!(month(text), None, "{text}");
        }
    }

    #[test]
    fn tokens_are_the_whole_text() {
        for text in ["", "3/4", "٣/٤ März’s\u{301}", "twenty-first", "::"] {
            let joined: String = lex(text).iter().map(|token| token.text(text)).collect();
            assert_eq!(joined, text);
        }
    }

    #[test]
    fn words_that_no_date_has_are_told_apart() {
        use Class::{Month, Number, Suffix, Unknown, Weekday, Word};
        assert_eq!(classes("DOB Febuary 4"), [Word, Month(2, 0), Number(4)]);
        assert_eq!(classes("Wendesday 4 Xyzzy"), [Weekday(2, 0), Number(4), Unknown]);
        assert_eq!(classes("4 марта 2019"), [Number(4), Month(3, 30), Number(2019)]);
        assert_eq!(classes("1er mars"), [Number(1), Suffix, Month(3, 3)]);
        assert_eq!(classes("Martin Luther King Day"), [Word, Word, Word, Word]);
        assert_eq!(classes("Valentine’s Day"), [Word, Word, Word]);
        assert_eq!(classes("4 Luther Day"), [Number(4), Unknown, Word]);
        assert_eq!(classes("SY 2018-19"), [Word, Number(2018), Number(19)]);
        assert_eq!(classes("SY19"), [Word, Number(19)]);
        assert_eq!(classes("3/4/2019 (Sy)"), [Number(3), Number(4), Number(2019), Unknown]);
        assert_eq!(classes("3/4/2019 SY"), [Number(3), Number(4), Number(2019), Unknown]);
        assert_eq!(classes("3/4/2019 Julia"), [Number(3), Number(4), Number(2019), Unknown]);
        // A month that is spelled is enough.
        assert_eq!(classes("May 4, Marhc"), [Month(5, 0), Number(4), Unknown]);
    }

    #[test]
    fn spoken_days_are_read_as_they_are_spelled() {
        for day in 1..=31 {
            assert_eq!(classes(&spell(day)), [Class::Spoken(day)]);
        }
    }
}
