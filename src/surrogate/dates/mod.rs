//! Dates: moved by the patient's number of days, written as they were written.
//!
//! ```text
//! text ─lex─▶ tokens ─recognise─▶ year, month, days ─shift─▶ the same text with other tokens
//!
//! 03/04/2019 → 01/14/2019     5 March 2014 → 15 January 2014     20190304T1011 → 20190114T1011
//! ```
//!
//! The shift is of whole weeks unless options say otherwise, so that weekdays keep their dates; the distance between two full dates is
//! exact. Months and years alone move by about as much, one at least; seasons, quarters, holidays and weekdays that stand alone move
//! by a step of their own. What cannot be read as a date still changes: its digits, its months, at last all of it.

mod calendar;
mod holidays;
mod lex;
mod listed;
mod lookalikes;
mod only;
mod packed;
mod recognise;
mod shift;
mod times;
mod words;

use chrono::NaiveDate;

use crate::phi::Kind;
use calendar::{MONTHS, SEASONS, WEEKDAYS, spell};
use lex::{Class, Token, lex};
pub use only::{is_no_day, is_only_date};
use recognise::{Recogniser, Written};
pub(super) use shift::Moving;
pub(super) use shift::ordinal_suffix;
use shift::{Edit, Shifter};

use super::casing::{Casing, fold};
use super::ids::{self, Family};
use super::options::DateOrder;
use super::permutation::{Direction, Randomness};

/// The surrogate of a date of any kind.
pub(super) fn replace(randomness: &Randomness, moving: Moving, kind: Kind, value: &str) -> String {
    match lookalikes::read(value) {
        Some(read) => lookalikes::write(value, &read, replace_read(randomness, moving, kind, &read)),
        None => replace_read(randomness, moving, kind, value),
    }
}

fn replace_read(randomness: &Randomness, moving: Moving, kind: Kind, value: &str) -> String {
    let tokens = lex(value);
    let moved = readable(randomness, moving, kind, value, &tokens).filter(|moved| moved != value);
    moved.unwrap_or_else(|| unreadable(randomness, moving, value, &tokens))
}

/// The dates that become a surrogate, each in one writing; none where a keyed choice stands for something unreadable.
pub(super) fn before(randomness: &Randomness, moving: Moving, kind: Kind, surrogate: &str) -> Vec<String> {
    let read = lookalikes::read(surrogate);
    let read = read.as_deref().unwrap_or(surrogate);
    let tokens = lex(read);
    let mut found: Vec<String> = Vec::new();
    // Half a year from the anchor, one day more or less decides which year is the nearest.
    let nudges: &[i64] = if moving.anchor.is_some() { &[0, -10, 10] } else { &[0] };
    for (day_first, leap) in [(false, false), (true, false), (false, true), (true, true)] {
        for &nudge in nudges {
            let moving = Moving { day_first, leap, ..moving.back() }.nudged(nudge);
            let original = readable(randomness, moving, kind, read, &tokens);
            let original = original.map(|original| lookalikes::write(surrogate, read, original));
            found.extend(original.filter(|original| !found.contains(original)));
        }
    }
    found.retain(|original| replace(randomness, moving, kind, original) == surrogate);
    found
}

/// Whether a surrogate may stand for dates of all years that tell an age over 89: they are taken to be of one.
pub(super) fn may_hide_an_age(moving: Moving, surrogate: &str, originals: &[String]) -> bool {
    let years = |text: &str| -> Vec<i32> {
        let clear = lookalikes::read(text);
        let text = clear.as_deref().unwrap_or(text);
        let tokens = lex(text);
        let read = |years_only| Recogniser { years_only, ..Recogniser::of(text, &tokens) }.dates();
        let dates = [false, true].map(read).into_iter().flatten().flatten();
        let year = |date: Written| match (date.packed, date.year) {
            (Some(packed), _) => {
                let (year, ..) = packed.read(tokens.get(date.days.first()?.0)?.text(text))?;
                packed.has_year().then(|| moving.meant(year, packed.is_short()))
            }
            (None, Some(year)) => Some(moving.meant(year.year, tokens[year.token].len() == 2)),
            (None, None) => None,
        };
        dates.filter_map(year).collect()
    };
    moving.oldest.is_some_and(|oldest| {
        let is_first = |year: i32| year == oldest || year == oldest / 10 * 10;
        years(surrogate).into_iter().any(is_first)
            || originals.iter().flat_map(|original| years(original)).any(|year| year <= oldest)
    })
}

/// The first full date in a text.
pub(super) fn first_day(text: &str, order: DateOrder) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(read_as(text, order)?.split(' ').next()?, "%Y-%m-%d").ok()
}

/// What a text is read as, in one writing for all: `3/4/19` and `March 4, 2019` are both `2019-3-4`.
pub(super) fn canonical(value: &str) -> Option<String> {
    read_as(value, DateOrder::MonthFirst)
}

fn read_as(value: &str, order: DateOrder) -> Option<String> {
    let clear = lookalikes::read(value);
    let value = clear.as_deref().unwrap_or(value);
    let (tokens, day_first) = (lex(value), order == DateOrder::DayFirst);
    let dates = Recogniser { day_first, ..Recogniser::of(value, &tokens) }.dates()?;
    let mut written = String::new();
    for date in dates {
        let packed = date.packed.and_then(|packed| packed.read(tokens.get(date.days.first()?.0)?.text(value)));
        if let Some((year, month, day)) = packed {
            written.push_str(&format!("{year}-{month}-{day} "));
            continue;
        }
        let number = |number: Option<u32>| number.map_or(String::from("?"), |number| number.to_string());
        let year = number(date.year.map(|year| year.year.unsigned_abs()));
        let days: Vec<String> = date.days.iter().map(|(_, day)| day.to_string()).collect();
        written.push_str(&format!("{year}-{}-{} ", number(date.month.map(|(_, month)| month)), days.join(",")));
    }
    Some(written.trim_end().to_owned())
}

fn readable(randomness: &Randomness, moving: Moving, kind: Kind, value: &str, tokens: &[Token]) -> Option<String> {
    let words = tokens.iter().any(|token| match token.class {
        Class::Spoken(_) => true,
        Class::Word => token.len() > 1 && holidays::is_word_of_one(token.text(value)),
        _ => false,
    });
    if words && let Some(moved) = with_holiday(randomness, moving, value) {
        return Some(moved);
    }
    ordinary(randomness, moving, kind, value, tokens)
}

fn with_holiday(randomness: &Randomness, moving: Moving, value: &str) -> Option<String> {
    let straight = value.replace('’', "'");
    let found = holidays::find(&straight)?;
    let dated = straight[found.end..].contains(|character: char| character.is_ascii_digit());
    if dated && straight[found.start..found.end].to_ascii_lowercase().contains("july") {
        // The fourth of July of a year is a full date.
        return None;
    }
    let rest = |text: &str| {
        let tokens = lex(text);
        let is_dated = |token: &Token| matches!(token.class, Class::Number(_) | Class::Month(..));
        match tokens.iter().any(is_dated) {
            true if moving.direction == Direction::Forth => Some(replace(randomness, moving, Kind::DateYear, text)),
            true => readable(randomness, moving, Kind::DateYear, text, &tokens),
            false => {
                let mut edits = Vec::new();
                replace_words(randomness, moving.direction, text, &tokens, &mut edits);
                Some(apply(text, edits))
            }
        }
    };
    let (before, after) = (rest(&straight[..found.start])?, rest(&straight[found.end..])?);
    Some([before, holidays::another(randomness, moving.direction, &straight, &found), after].concat())
}

fn ordinary(randomness: &Randomness, moving: Moving, kind: Kind, value: &str, tokens: &[Token]) -> Option<String> {
    let mut shifter = Shifter { text: value, tokens, moving, edits: Vec::with_capacity(4), weekdays: moving.days };
    let tokens_left = rotate_seasons(randomness, moving.direction, value, tokens, &mut shifter.edits);
    let rotated = !shifter.edits.is_empty();
    let tokens_left = tokens_left.as_deref().unwrap_or(tokens);
    let years_only = kind == Kind::DateYear || rotated;
    // On the way back every order is tried, also the rare one in which a day stands right behind the year.
    let day_after_year = moving.day_first && moving.direction == Direction::Back;
    let recogniser =
        Recogniser { years_only, day_first: moving.day_first, day_after_year, ..Recogniser::of(value, tokens_left) };
    match recogniser.dates() {
        Some(dates) => {
            dates.iter().try_for_each(|date| shifter.shift(date))?;
            rotate_weekdays(shifter.weekdays.rem_euclid(7) as usize, value, tokens, &mut shifter.edits);
        }
        None if rotated && moving.direction == Direction::Back => return None,
        None if rotated => step_numbers(randomness, moving, value, tokens_left, &mut shifter.edits),
        None if tokens.iter().any(|token| matches!(token.class, Class::Number(_) | Class::Month(..))) => {
            return None;
        }
        None => rotate_weekdays(weekday_step(randomness, moving.direction), value, tokens, &mut shifter.edits),
    }
    if shifter.edits.is_empty() {
        return None;
    }
    replace_words(randomness, moving.direction, value, tokens, &mut shifter.edits);
    Some(apply(value, shifter.edits))
}

/// Words that no date has may be names, or months in a language that is not read: letters for letters, as in codes.
fn replace_words(randomness: &Randomness, direction: Direction, value: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
    for token in tokens.iter().filter(|token| token.class == Class::Unknown) {
        let text = ids::turn(randomness, direction, Family::Identifier, token.text(value));
        edits.push(Edit { start: token.start, end: token.end, text });
    }
}

fn apply(value: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.start);
    let mut written = String::with_capacity(value.len() + 8);
    let mut at = 0;
    for edit in edits.iter() {
        written.push_str(value.get(at..edit.start).unwrap_or_default());
        written.push_str(&edit.text);
        at = edit.end;
    }
    written.push_str(&value[at..]);
    written
}

/// Moves seasons and quarters one to three on. What is left to be recognised as dates comes back where that differs:
/// the number of a quarter is no day.
fn rotate_seasons(
    randomness: &Randomness,
    direction: Direction,
    value: &str,
    tokens: &[Token],
    edits: &mut Vec<Edit>,
) -> Option<Vec<Token>> {
    let word = |token: &Token, words: &[&str]| {
        token.class == Class::Word && words.iter().any(|word| token.text(value).eq_ignore_ascii_case(word))
    };
    let quarters = tokens.iter().any(|token| word(token, &["q", "quarter", "qtr", "quarters", "trimester"]));
    if !quarters && !tokens.iter().any(|token| matches!(token.class, Class::Season(_))) {
        return None;
    }
    let step = 1 + randomness.draw("season", b"").index(3);
    let step = if direction == Direction::Forth { step } else { 4 - step };
    let mut left = tokens.to_vec();
    for (index, token) in tokens.iter().enumerate() {
        let edit = |text: String| Edit { start: token.start, end: token.end, text };
        match token.class {
            Class::Season(season) => {
                let name = SEASONS[(season + step) % 4][0];
                edits.push(edit(Casing::of(token.text(value)).apply(name)));
            }
            Class::Number(quarter @ 1..=4) if quarters && token.len() == 1 => {
                let moved = (quarter - 1 + step as u32) % 4 + 1;
                edits.push(edit(moved.to_string()));
                left[index].class = Class::Word;
                if let Some(suffix) = tokens.get(index + 1).filter(|next| next.class == Class::Suffix) {
                    edits.push(Edit { start: suffix.start, end: suffix.end, text: ordinal_suffix(moved).to_owned() });
                }
            }
            Class::Spoken(quarter @ 1..=4) if quarters => {
                let moved = (quarter - 1 + step as u32) % 4 + 1;
                edits.push(edit(Casing::of(token.text(value)).apply(&spell(moved))));
                left[index].class = Class::Word;
            }
            _ => {}
        }
    }
    Some(left)
}

/// By how many days a weekday moves that stands alone.
fn weekday_step(randomness: &Randomness, direction: Direction) -> usize {
    let step = 1 + randomness.draw("weekday", b"").index(6);
    if direction == Direction::Forth { step } else { 7 - step }
}

fn rotate_weekdays(step: usize, value: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
    for token in tokens {
        let Class::Weekday(day, row) = token.class else { continue };
        let written = token.text(value);
        // A misspelt one is written anew where it stays, for it may be a name: `Mondal`.
        if step > 0 || fold(written) != fold(WEEKDAYS[row][day]) {
            let text = Casing::of(written).apply(WEEKDAYS[row][(day + step) % 7]);
            edits.push(Edit { start: token.start, end: token.end, text });
        }
    }
}

/// Numbers of a text that is no known form of a date: years move by one, small numbers become other days.
fn step_numbers(randomness: &Randomness, moving: Moving, value: &str, tokens: &[Token], edits: &mut Vec<Edit>) {
    let mut after_year: Option<u32> = None;
    for token in tokens {
        let Class::Number(number) = token.class else { continue };
        let step = moving.days.signum();
        let text = match (token.len(), after_year) {
            (4, _) if (1700..=2199).contains(&number) => moving.year(number as i32, step).to_string(),
            (2, Some(year)) => {
                format!("{:02}", moving.year((year / 100 * 100 + number) as i32, step).rem_euclid(100))
            }
            (1 | 2, _) if number <= 12 => {
                let moved =
                    randomness.displace(&randomness.draw("part of a date", b""), 12, u128::from(number.max(1)) - 1) + 1;
                if token.text(value).starts_with('0') { format!("{moved:02}") } else { moved.to_string() }
            }
            // No month, but a day.
            (2, _) if number <= 31 => {
                let day = u128::from(number) - 13;
                (13 + randomness.displace(&randomness.draw("part of a date", b""), 19, day)).to_string()
            }
            _ => ids::replace_digits(randomness, "part of a date", token.text(value)),
        };
        after_year = (token.len() == 4).then_some(number);
        edits.push(Edit { start: token.start, end: token.end, text });
    }
}

/// Whatever else was marked as a date.
fn unreadable(randomness: &Randomness, moving: Moving, value: &str, tokens: &[Token]) -> String {
    let mut edits = Vec::new();
    step_numbers(randomness, moving, value, tokens, &mut edits);
    for token in tokens {
        if let Class::Month(month, row) = token.class {
            let moved = MONTHS[row][(month as usize + randomness.draw("month", b"").index(11)) % 12];
            edits.push(Edit { start: token.start, end: token.end, text: Casing::of(token.text(value)).apply(moved) });
        }
    }
    if edits.is_empty() {
        rotate_weekdays(weekday_step(randomness, Direction::Forth), value, tokens, &mut edits);
    }
    if !edits.is_empty() {
        replace_words(randomness, Direction::Forth, value, tokens, &mut edits);
    }
    let written = apply(value, edits);
    if written != value {
        return written;
    }
    let draw = randomness.draw("unreadable date", value.as_bytes());
    let day = 1 + u32::from(draw.bytes()[0]) % 28;
    Casing::of(value).apply(&format!("{} {day}", MONTHS[0][draw.index(12)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::Datelike;
    use proptest::prelude::*;

    fn moved(days: i64, value: &str) -> String {
        replace(&Randomness::new([4; 32]), Moving::forth(days, None), Kind::Unknown, value)
    }

    #[test]
    fn the_day_comes_first_where_a_site_says_so() {
        let day_first = Moving::forth(35, None).in_order(DateOrder::DayFirst);
        let written = |moving, value: &str| replace(&Randomness::new([4; 32]), moving, Kind::Unknown, value);
        for (value, day, month) in [
            ("03/04/2019", "08/05/2019", "04/08/2019"),
            ("3.4.2019", "8.5.2019", "4.8.2019"),
            ("03-04-19", "08-05-19", "04-08-19"),
            ("03042019", "08052019", "04082019"),
            ("030419", "080519", "040819"),
            ("2/4", "7/5", "3/11"),
            ("2019-03-04", "2019-04-08", "2019-04-08"),
            ("2019/03/04", "2019/04/08", "2019/04/08"),
            ("15/04/2019", "20/05/2019", "20/05/2019"),
            ("04/15/2019", "05/20/2019", "05/20/2019"),
            ("3 April 2019", "8 May 2019", "8 May 2019"),
        ] {
            assert_eq!(written(day_first, value), day, "{value}");
            assert_eq!(written(Moving::forth(35, None), value), month, "{value}");
            let back = before(&Randomness::new([4; 32]), day_first, Kind::Unknown, day);
            assert!(back.contains(&value.to_owned()), "{value}: {back:?}");
        }
        assert_eq!(first_day("03/04/2019", DateOrder::DayFirst), NaiveDate::from_ymd_opt(2019, 4, 3));
    }

    proptest! {
        #[test]
        fn written_with_the_day_first_or_with_a_name_it_is_the_same_day(number in 0..36_500_i64, days in -364..364_i64, mark in "[/.-]") {
            prop_assume!(days != 0);
            let day = NaiveDate::from_ymd_opt(1930, 1, 1).unwrap() + chrono::Duration::days(number);
            let moving = Moving::forth(days, None).in_order(DateOrder::DayFirst);
            let randomness = Randomness::new([4; 32]);
            let written = |form: &str| replace(&randomness, moving, Kind::DateFull, &day.format(form).to_string());
            let moved = day + chrono::Duration::days(days);
            let numbers = format!("%d{mark}%m{mark}%Y");
            prop_assert_eq!(written(&numbers), moved.format(&numbers).to_string());
            prop_assert_eq!(written("%-d %B %Y"), moved.format("%-d %B %Y").to_string());
        }
    }

    #[test]
    fn dates_that_tell_an_age_over_89_are_of_the_oldest_year() {
        for (value, image) in [
            ("03/04/1925", "01/07/1937"),
            ("03/04/1937", "01/07/1937"),
            ("03/04/1938", "01/07/1938"),
            ("3/4/32", "1/7/37"),
            ("3/4/25", "1/7/25"),
            ("19250304", "19370107"),
            ("030432", "010737"),
            ("192503", "193701"),
            ("29 February 1924", "4 January 1937"),
            ("Wednesday, March 4, 1925", "Thursday, January 7, 1937"),
            ("March 1925", "January 1937"),
            ("1925", "1937"),
            ("'32", "'37"),
            ("in nineteen twenty-five", "in nineteen thirty-seven"),
            ("the 1920s", "the 1930s"),
            ("nineteen hundred and twenty-five", "nineteen thirty-seven"),
            ("1925-27", "1937-37"),
            ("1925/26", "1937/37"),
            ("2014/15", "2013/14"),
            ("3/4/1930 - 3/7/1931", "1/7/1937 - 1/10/1937"),
            ("7/21", "5/26"),
        ] {
            let moving = Moving::forth(-56, None).not_before(Some(1937));
            assert_eq!(replace(&Randomness::new([4; 32]), moving, Kind::Unknown, value), image, "{value}");
        }
        // Near a note's day, two digits are no year to come after it.
        let near = |year| Moving::forth(-56, NaiveDate::from_ymd_opt(year, 6, 1)).not_before(Some(1937));
        let written = |moving| replace(&Randomness::new([4; 32]), moving, Kind::Unknown, "3/4/15");
        assert_eq!([written(near(2012)), written(near(2014))], ["1/7/37", "1/7/15"]);
        // One that a year back would be what it was stays where it was taken to.
        let moving = Moving::forth(-365, None).not_before(Some(1937));
        let year_back = replace(&Randomness::new([4; 32]), moving, Kind::DateFull, "03/04/1936");
        assert_eq!(year_back, "03/04/1937");
    }

    #[test]
    fn written_forms_are_kept() {
        for (value, image) in [
            ("03/04/2019", "01/07/2019"),
            ("3/4/19", "1/7/19"),
            ("3-4-2019", "1-7-2019"),
            ("2019-03-04", "2019-01-07"),
            ("2019/03/04", "2019/01/07"),
            ("03.04.2019", "01.07.2019"),
            ("20190304", "20190107"),
            ("03042019", "01072019"),
            ("030419", "010719"),
            ("20190304101112", "20190107101112"),
            ("04MAR2019", "07JAN2019"),
            ("05MAR14", "08JAN14"),
            ("Mar 4, 2019", "Jan 7, 2019"),
            ("Mar. 4, 2019", "Jan. 7, 2019"),
            ("Sept 30, 2019", "Aug 5, 2019"),
            ("March 4th, 2014", "January 7th, 2014"),
            ("MARCH 29TH 2014", "FEBRUARY 1ST 2014"),
            ("4 March 2019", "7 January 2019"),
            ("the 4th of March, 2019", "the 7th of January, 2019"),
            ("March 2014", "January 2014"),
            ("Mar '14", "Jan '14"),
            ("March of 2014", "January of 2014"),
            ("3/2014", "1/2014"),
            ("2014-03", "2014-01"),
            ("7/21", "5/26"),
            ("July 21", "May 26"),
            ("21 July", "26 May"),
            ("18-May-2020", "23-Mar-2020"),
            ("18MAY2020", "23MAR2020"),
            ("18 May 2020", "23 March 2020"),
            ("March", "January"),
            ("Nov/Dec 2014", "Sep/Oct 2014"),
            ("Jan-Mar 2014", "Nov-Jan 2014"),
            ("2014-03-04 to 2014-03-10", "2014-01-07 to 2014-01-13"),
            ("14-Mar-19", "17-Jan-19"),
            ("3/4-3/7", "1/7-1/10"),
            ("25/12/2019", "30/10/2019"),
            ("02/30/2019", "01/05/2019"),
            ("2014", "2013"),
            ("'98", "'97"),
            ("1990s", "1980s"),
            ("the 1990's", "the 1980's"),
            ("2018-2019", "2017-2018"),
            ("2018-19", "2017-18"),
            ("March 3-5", "January 6-8"),
            ("March 3-5, 2014", "January 6-8, 2014"),
            ("March 28-30, 2014", "January 31-February 2, 2014"),
            ("3-5 March 2014", "6-8 January 2014"),
            ("3/4-3/7/2019", "1/7-1/10/2019"),
            ("3/4/2019 - 3/7/2019", "1/7/2019 - 1/10/2019"),
            ("March 3 to April 5, 2014", "January 6 to February 8, 2014"),
            ("Tuesday, March 4, 2014", "Tuesday, January 7, 2014"),
            ("2019-03-04T10:11:12", "2019-01-07T10:11:12"),
            ("2019-03-04 10:11:12.345+01:00", "2019-01-07 10:11:12.345+01:00"),
            ("20190304T101112", "20190107T101112"),
            ("March fourth", "January seventh"),
            ("March fourth, twenty fourteen", "January seventh, twenty fourteen"),
            ("January first twenty fourteen", "November sixth twenty thirteen"),
            ("in nineteen ninety-eight", "in nineteen ninety-seven"),
            ("3 de marzo de 2014", "6 de enero de 2014"),
            ("4.III.2014", "7.I.2014"),
            ("24-X-2014", "29-VIII-2014"),
            ("4 maart 2014", "7 januari 2014"),
            ("24 października 2014", "29 sierpnia 2014"),
            ("4 Mart 2014", "7 Ocak 2014"),
            ("15 févr. 2014", "21 déc. 2013"),
            ("12/25", "10/30"),
            ("2/14 and 2/15", "12/20 and 12/21"),
            ("3/4-5/2019", "1/7-8/2019"),
            ("5/2019-6/2019", "3/2019-4/2019"),
            ("3/4/14, 3/5/14 and 3/9/14", "1/7/14, 1/8/14 and 1/12/14"),
            ("1/2/2020", "11/7/2019"),
            ("4th of July, 2014", "9th of May, 2014"),
            ("2019-03-04 10:11:12+00", "2019-01-07 10:11:12+00"),
            ("2019-03-04T10:11:12-0500", "2019-01-07T10:11:12-0500"),
            ("Mon, 04 Mar 2019 10:11:12 -0500", "Mon, 07 Jan 2019 10:11:12 -0500"),
            ("04-MAR-19 10.11.12.000000 AM", "07-JAN-19 10.11.12.000000 AM"),
            ("20190304 101112", "20190107 101112"),
            ("10:30-03/04/2019", "10:30-01/07/2019"),
        ] {
            assert_eq!(moved(-56, value), image, "{value}");
        }
    }

    #[test]
    fn misspelt_months_and_those_of_other_scripts_are_moved() {
        for (value, image) in [
            ("Febuary 14, 1952", "December 20, 1951"),
            ("Agust 4th, 2019", "June 9th, 2019"),
            ("DECEMEBER 5 2018", "OCTOBER 10 2018"),
            ("Novemeber 2018", "September 2018"),
            ("Wendesday, Setpember 4, 2019", "Wednesday, July 10, 2019"),
            ("4 марта 2019", "7 января 2019"),
            ("3. Jänner 2020", "8. November 2019"),
            ("3. Jaenner 2020", "8. November 2019"),
            ("1er mars 2019", "4 janvier 2019"),
            ("26 février 2019", "1 janvier 2019"),
            ("1er avril 2019", "4 février 2019"),
            ("DOB 3/4/1952", "DOB 1/8/1952"),
        ] {
            assert_eq!(moved(-56, value), image, "{value}");
        }
    }

    #[test]
    fn words_that_no_date_has_are_replaced_and_are_no_reason_to_read_a_day_as_a_month() {
        for value in ["Xyzzy 4, 2019", "4 Xyzzy 2019", "Xyzzy 4th, 2019", "4. Xyzzy 2019"] {
            let image = moved(56, value);
            assert!(!image.contains("Xyzzy") && image.ends_with("2020"), "{image}");
            // The day moves as one that stands alone does.
            assert!(image.contains("15"), "{image}");
        }
        let image = moved(56, "3/4/2019 (Dr. Karen Jones)");
        assert!(image.starts_with("4/29/2019 (") && !image.contains("Karen") && !image.contains("Jones"), "{image}");
        let back = before(&Randomness::new([4; 32]), Moving::forth(56, None), Kind::Unknown, &image);
        assert_eq!(back, ["3/4/2019 (Dr. Karen Jones)"]);
        assert!(!moved(56, "Spring, Karen").contains("Karen"));
        assert!(!moved(56, "Christmas with Karen").contains("Karen"));
        assert!(!moved(56, "13/45 Karen").contains("Karen"));
    }

    #[test]
    fn days_of_a_list_share_their_month() {
        for (days, value, image) in [
            (203, "March 4, 6 and 8, 2019", "September 23, 25 and 27, 2019"),
            (203, "March 4, 5 and 7, 2019", "September 23, 24 and 26, 2019"),
            (203, "4, 5 and 7 March 2019", "23, 24 and 26 September 2019"),
            (203, "March 4, 5 & 7", "September 23, 24 & 26"),
            (203, "March 4, 6, 8, 10, 11 and 12, 2019", "September 23, 25, 27, 29, 30 and October 1, 2019"),
            (203, "3/4, 3/6, and 3/8/2019", "9/23, 9/25, and 9/27/2019"),
            (203, "3/4, 5, 7/2019", "9/23, 24, 26/2019"),
            (203, "3/4, 5 and 7", "9/23, 24 and 26"),
            (203, "March 4th, 6th and 8th, 2019", "September 23rd, 25th and 27th, 2019"),
            (209, "March 4 and 6, 2019", "September 29 and October 1, 2019"),
            (209, "4th and 6th of March, 2019", "29th September and 1st of October, 2019"),
        ] {
            assert_eq!(moved(days, value), image, "{value}");
        }
        assert_eq!(moved(301, "March 4, 6 and 8, 2019"), "December 30, 2019, January 1 and January 3, 2020");
        assert_eq!(moved(301, "4, 6 and 8 March 2019"), "30 December 2019, 1 and 3 January 2020");
        // A range says so itself.
        assert_eq!(moved(301, "March 4-6, 2019"), "December 30-January 1, 2020");
    }

    #[test]
    fn letters_that_a_scan_put_for_digits_are_read() {
        for (value, image) in [
            ("O3/l2/2O19", "O1/l5/2O19"),
            ("03/O4/2019", "01/O7/2019"),
            ("lO/12/2019", "08/17/2019"),
            ("March l4, 2O19", "January l7, 2O19"),
            ("2O19-O3-O4", "2O19-O1-O7"),
        ] {
            assert_eq!(moved(-56, value), image, "{value}");
            let moving = Moving::forth(-56, None);
            let found = before(&Randomness::new([4; 32]), moving, Kind::Unknown, image);
            assert!(found.iter().all(|original| moved(-56, original) == image), "{found:?}");
        }
        assert_eq!(first_day("O3/l2/2O19", DateOrder::MonthFirst), NaiveDate::from_ymd_opt(2019, 3, 12));
    }

    #[test]
    fn intervals_and_machine_forms_keep_the_shift_and_their_times() {
        for (value, image) in [
            ("2019-03-04/2019-03-06", "2019-01-07/2019-01-09"),
            ("2019-03-04T10:00:00Z/2019-03-06T12:00:00Z", "2019-01-07T10:00:00Z/2019-01-09T12:00:00Z"),
            ("20190304/20190306", "20190107/20190109"),
            ("2019-03/2019-05", "2019-01/2019-03"),
            ("2019-03-04/06", "2019-01-07/09"),
            ("2019-02-24/26", "2018-12-30/2019-01-01"),
            ("Mon Mar 04 2019 00:00:00 GMT-0500", "Mon Jan 07 2019 00:00:00 GMT-0500"),
            (
                "Mon Mar 04 2019 00:00:00 GMT-0500 (Eastern Standard Time)",
                "Mon Jan 07 2019 00:00:00 GMT-0500 (Eastern Standard Time)",
            ),
            ("03/04/2019 1230", "01/07/2019 1230"),
            ("03/04/2019 1230-1400", "01/07/2019 1230-1400"),
            ("20190304 1230", "20190107 1230"),
            ("2019-03-04T1230", "2019-01-07T1230"),
        ] {
            assert_eq!(moved(-56, value), image, "{value}");
        }
        assert_eq!(moved(1, "Mon Mar 04 2019 00:00:00 GMT-0500"), "Tue Mar 05 2019 00:00:00 GMT-0500");
    }

    #[test]
    fn what_is_no_calendar_day_changes_in_kind() {
        let seasons = ["spring", "summer", "fall", "winter"];
        assert!(seasons.contains(&moved(56, "summer").as_str()) && moved(56, "summer") != "summer");
        assert!(moved(56, "Spring 2014").ends_with(" 2015"));
        assert!(moved(56, "Q1 2014").starts_with('Q') && moved(56, "Q1 2014").ends_with(" 2015"));
        assert!(moved(56, "first quarter of 2014").ends_with(" quarter of 2015"));
        assert!(moved(56, "Wednesday").ends_with("day") && moved(56, "Wednesday") != "Wednesday");
        assert!(moved(56, "CHRISTMAS 2013").ends_with(" 2014"));
        assert_ne!(moved(56, "Thanksgiving"), "Thanksgiving");
        for value in ["13/45/2019", "the 4th", "yesterday", "00/00/0000", "3/4/5/6/7", "99999999", "twenty nineteen"] {
            assert_ne!(moved(56, value), value);
        }
    }

    fn shift() -> impl Strategy<Value = i64> {
        (8_i64..=52, any::<bool>()).prop_map(|(weeks, forwards)| if forwards { 7 * weeks } else { -7 * weeks })
    }

    proptest! {
        #[test]
        fn full_dates_move_exactly(days in shift(), ordinal in 690_000_i32..750_000) {
            let date = NaiveDate::from_num_days_from_ce_opt(ordinal).unwrap();
            let image = NaiveDate::from_num_days_from_ce_opt(ordinal + days as i32).unwrap();
            let (year, month, day) = (date.year(), date.month(), date.day());
            let same = |from: String, to: String| assert_eq!(moved(days, &from), to);
            let (y, m, d) = (image.year(), image.month(), image.day());
            same(format!("{year}-{month:02}-{day:02}"), format!("{y}-{m:02}-{d:02}"));
            same(format!("{year}{month:02}{day:02}"), format!("{y}{m:02}{d:02}"));
            let [name, other] = [month, m].map(|month| Casing::Title.apply(MONTHS[0][month as usize - 1]));
            same(format!("{name} {day}, {year}"), format!("{other} {d}, {y}"));
            same(format!("{day} {name} {year}"), format!("{d} {other} {y}"));
            let image = moved(days, &format!("{month}/{day}/{year}"));
            let read: Vec<i32> = image.split('/').map(|part| part.parse().unwrap()).collect();
            prop_assert_eq!(read, vec![m as i32, d as i32, y]);
        }

        #[test]
        fn partial_dates_never_stay(days in shift(), month in 1_u32..=12, day in 1_u32..=31, year in 1900..2050) {
            let name = MONTHS[0][month as usize - 1];
            let short = year % 100;
            let values = [
                format!("{month}/{day}"),
                format!("{month}/{year}"),
                name.to_string(),
                format!("{name} {day}"),
                format!("{name} {year}"),
                format!("{name} '{short:02}"),
                format!("{year}"),
                format!("{day}"),
            ];
            for value in values {
                prop_assert_ne!(moved(days, &value), value);
            }
        }

        #[test]
        fn any_text_is_survived_and_changes(days in shift(), value in "(\\PC|[0-9/ -]|march|Q|th|'){0,24}") {
            let image = moved(days, &value);
            prop_assert!(image != value || value.is_empty());
        }
    }
}
