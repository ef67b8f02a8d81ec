//! A date of birth in its usual forms.
//!
//! ```text
//! 1950-03-05  ─▶  03/05/1950 · 3-5-50 · 5.3.1950 · 1950-03-05T10:00 · 19500305 · March 5, 1950 · 5th of March 1950 · 05MAR50
//!                 1950:03:05 · 3_5_1950 · 03 05 50 · III/5/1950
//! ```
//!
//! Every form begins or ends with the year. So its last two digits are looked for, and only what stands around them is read.

use std::ops::Range;

use memchr::memmem::Finder;

use crate::text::numbers::ROMAN_MONTHS;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Nobody's birth is earlier; four digits below are a month and a day.
const FIRST_YEAR: u32 = 1300;
/// The longest way between two parts of a date, in bytes.
const LONGEST_GAP: usize = 6;

/// A day of the calendar, ready to be looked for.
#[derive(Debug)]
pub(super) struct BirthDate {
    year: u32,
    month: u32,
    day: u32,
    /// Finds the last two digits of the year.
    end_of_year: Finder<'static>,
}

impl PartialEq for BirthDate {
    fn eq(&self, other: &Self) -> bool {
        (self.year, self.month, self.day) == (other.year, other.month, other.day)
    }
}

impl BirthDate {
    /// The days that a text may tell: `YYYY-MM-DD`, `YYYYMMDD`, `MM/DD/YYYY` or `DD/MM/YYYY` as far as there is such a month, `MMDDYYYY`, a month by
    /// its name, a year of two digits behind the others, a time after it; none for anything else.
    pub fn readings(text: &str) -> Vec<Self> {
        let is_digit = |character: char| character.is_ascii_digit();
        let date = text.split_once('T').filter(|(date, time)| date.ends_with(is_digit) && time.starts_with(is_digit));
        let date = date.map_or(text, |(date, _)| date);
        let parts: Vec<&str> =
            date.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
        let mut found = Vec::new();
        match parts[..] {
            [all, ..] if all.len() == 8 && all.bytes().all(|byte| byte.is_ascii_digit()) => {
                let begins_with_year = Self::add(&mut found, &all[..4], &all[4..6], &all[6..]);
                if !begins_with_year {
                    Self::add_either(&mut found, &all[..2], &all[2..4], &all[4..]);
                }
            }
            // `05MAR1950`
            [all, ..]
                if all.starts_with(is_digit)
                    && matches!(all.len(), 7 | 9)
                    && all.is_ascii()
                    && all[2..5].bytes().all(|byte| byte.is_ascii_alphabetic()) =>
            {
                Self::add(&mut found, &all[5..], &all[2..5], &all[..2]);
            }
            [first, second, third, ..] if month_named(first).is_some() => {
                Self::add(&mut found, third, first, second);
            }
            [first, second, third, ..] if first.len() == 4 && first.bytes().all(|byte| byte.is_ascii_digit()) => {
                Self::add(&mut found, first, second, third);
            }
            [first, second, third, ..] if month_named(second).is_some() => {
                Self::add(&mut found, third, second, first);
            }
            [first, second, third, ..] => Self::add_either(&mut found, first, second, third),
            _ => {}
        }
        found
    }

    /// Adds the days of a day and a month in either order.
    fn add_either(found: &mut Vec<Self>, first: &str, second: &str, year: &str) {
        Self::add(found, year, first, second);
        Self::add(found, year, second, first);
    }

    /// Adds a day where there is such a one, and is not yet; of a year of two digits those of this century and the last. Gives whether there is one.
    fn add(found: &mut Vec<Self>, year: &str, month: &str, day: &str) -> bool {
        let number = |part: &str| part.parse::<u32>().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()));
        let ordinal =
            |part: &str| ["st", "nd", "rd", "th"].iter().find_map(|ending| number(part.strip_suffix(ending)?));
        let short = (day.len() <= 4).then(|| number(day).or_else(|| ordinal(day))).flatten();
        let (Some(day), Some(year_read)) = (short, number(year)) else { return false };
        let Some(month) = month_named(month).or_else(|| number(month)) else { return false };
        let years = match year.len() {
            2 => vec![1900 + year_read, 2000 + year_read],
            4 if year_read >= FIRST_YEAR => vec![year_read],
            _ => return false,
        };
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return false;
        }
        for year in years {
            let end_of_year = Finder::new(format!("{:02}", year % 100).as_bytes()).into_owned();
            let birth = Self { year, month, day, end_of_year };
            if !found.contains(&birth) {
                found.push(birth);
            }
        }
        true
    }

    /// Tells every place of the date in a text, in order.
    pub fn find(&self, text: &str, mut tell: impl FnMut(Range<usize>)) {
        let bytes = text.as_bytes();
        let mut read = 0;
        for at in self.end_of_year.find_iter(bytes) {
            if at < read {
                continue;
            }
            let start = at - bytes[read..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            read = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            if let Some(place) = self.around(text, start..read) {
                tell(place);
            }
        }
    }

    /// The date that is a run of digits, or ends or begins with it.
    fn around(&self, text: &str, run: Range<usize>) -> Option<Range<usize>> {
        let digits = &text[run.clone()];
        if self.is_whole(digits) {
            return Some(run);
        }
        let is_year = match digits.len() {
            2 => digits.parse() == Ok(self.year % 100),
            4 => digits.parse() == Ok(self.year),
            _ => false,
        };
        if !is_year {
            return None;
        }
        match self.start_before(text, &run) {
            Some(start) => Some(start..run.end),
            None if digits.len() == 4 => Some(run.start..self.end_after(text, run.end)?),
            None => None,
        }
    }

    /// Whether digits are the whole date, or with hours and minutes after it, as messages of HL7 have it.
    fn is_whole(&self, digits: &str) -> bool {
        let (year, month, day) = (self.year, self.month, self.day);
        match digits.len() {
            8 => [
                format!("{year:04}{month:02}{day:02}"),
                format!("{month:02}{day:02}{year:04}"),
                format!("{day:02}{month:02}{year:04}"),
            ]
            .iter()
            .any(|form| form == digits),
            12 | 14 => digits.starts_with(&format!("{year:04}{month:02}{day:02}")),
            _ => false,
        }
    }

    /// Where the date begins that a year ends: `03/05/1950`, `March 5, 1950`, `5 Mar 1950`.
    fn start_before(&self, text: &str, year: &Range<usize>) -> Option<usize> {
        let last = before(text, year.start)?;
        let short = year.len() == 2;
        // `3:05:50` and `March 5:50` are times.
        if short && last.gap == ":" {
            return None;
        }
        if self.is_month_name(last.text) {
            let of = before(text, last.start).filter(|part| part.text.eq_ignore_ascii_case("of"));
            let day = number_before(text, of.map_or(last.start, |of| of.start))?;
            return self.is_day(day.text).then_some(day.start);
        }
        let second = number_before(text, year.start).unwrap_or(last);
        let first = before(text, second.start)?;
        if self.is_month_name(first.text) {
            // `March 5 50 mg` tells no year.
            let is_year = !short || !second.gap.trim().is_empty();
            return (is_year && self.is_day(second.text)).then_some(first.start);
        }
        let fits = self.is_month(first.text) && self.is_day(second.text)
            || self.is_day(first.text) && self.is_month(second.text);
        let mark = joint(first.gap, second.gap)?;
        if !fits || short && !tells_short_year(mark, &first, &second) {
            return None;
        }
        // A number that goes on is another one; but dates may follow one another, and lines join the parts of a file's name.
        let joined = if mark.is_empty() { first.gap } else { mark };
        let may_follow = !short && matches!(mark, "" | "_");
        let digit = |c: char| c.is_ascii_digit();
        let goes_on = !may_follow && text[..first.start].strip_suffix(joined).is_some_and(|rest| rest.ends_with(digit))
            || short && text[year.end..].strip_prefix(joined).is_some_and(|rest| rest.starts_with(digit));
        (!goes_on).then_some(first.start)
    }

    /// Where the date ends that a year begins: `1950-03-05`, `1950 March 5`.
    fn end_after(&self, text: &str, year_end: usize) -> Option<usize> {
        let month = after(text, year_end)?;
        let day = after(text, month.end)?;
        let is_month =
            self.is_month_name(month.text) || self.is_month(month.text) && joint(month.gap, day.gap).is_some();
        (is_month && self.is_day(day.text)).then_some(day.end)
    }

    fn is_day(&self, part: &str) -> bool {
        part.len() <= 2 && part.parse() == Ok(self.day)
    }

    fn is_month(&self, part: &str) -> bool {
        part.len() <= 2 && part.parse() == Ok(self.month)
            || part.eq_ignore_ascii_case(ROMAN_MONTHS[self.month as usize - 1])
    }

    fn is_month_name(&self, part: &str) -> bool {
        let name = MONTHS[self.month as usize - 1];
        part.len() >= 3 && name.get(..part.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(part))
    }
}

/// The month of a name, or of three letters and more that it begins with.
fn month_named(name: &str) -> Option<u32> {
    let begins = |month: &&str| month.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
    let at = MONTHS.iter().position(|month| name.len() >= 3 && begins(month));
    Some(at.or_else(|| name.eq_ignore_ascii_case("sept").then_some(8))? as u32 + 1)
}

/// A number or word beside another, and what stands between them.
struct Part<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    gap: &'t str,
}

/// The number or word before a place.
fn before(text: &str, place: usize) -> Option<Part<'_>> {
    let head = &text[..place];
    let part = match head.strip_suffix(':') {
        Some(part) if part.ends_with(|c: char| c.is_ascii_alphanumeric()) => part,
        _ => head.trim_end_matches(is_gap),
    };
    let is_alike = alike(part.chars().next_back()?)?;
    let start = part.trim_end_matches(|c: char| is_alike(&c)).len();
    let (end, gap) = (part.len(), &head[part.len()..]);
    (gap.len() <= LONGEST_GAP).then(|| Part { text: &part[start..], start, end, gap })
}

/// The number or word after a place.
fn after(text: &str, place: usize) -> Option<Part<'_>> {
    let tail = &text[place..];
    let part = match tail.strip_prefix(':') {
        Some(part) if part.starts_with(|c: char| c.is_ascii_alphanumeric()) => part,
        _ => tail.trim_start_matches(is_gap),
    };
    let is_alike = alike(part.chars().next()?)?;
    let rest = part.trim_start_matches(|c: char| is_alike(&c));
    let (start, end) = (text.len() - part.len(), text.len() - rest.len());
    let gap = &text[place..start];
    (gap.len() <= LONGEST_GAP).then(|| Part { text: &text[start..end], start, end, gap })
}

/// The number before a place, also as `5th`.
fn number_before(text: &str, place: usize) -> Option<Part<'_>> {
    let part = before(text, place)?;
    let is_ordinal = ["st", "nd", "rd", "th"].iter().any(|ending| part.text.eq_ignore_ascii_case(ending));
    let number = match is_ordinal {
        true => Part { gap: part.gap, ..before(text, part.start).filter(|number| number.gap.is_empty())? },
        false => part,
    };
    number.text.starts_with(|c: char| c.is_ascii_digit()).then_some(number)
}

/// What a number or word consists of that has such a letter or digit.
fn alike(letter: char) -> Option<fn(&char) -> bool> {
    match letter {
        '0'..='9' => Some(char::is_ascii_digit),
        'a'..='z' | 'A'..='Z' => Some(char::is_ascii_alphabetic),
        _ => None,
    }
}

/// What may stand between two parts of a date. A colon only stands there alone: after `March 5:` comes what was done then.
fn is_gap(character: char) -> bool {
    let is_mark = matches!(character, ',' | '\'' | '’') || is_joint(character) && character != ':';
    is_mark || character.is_whitespace()
}

/// Whether a mark may stand between the numbers of a date: a full stop, a slash, a hyphen or dash, a low line, a colon.
fn is_joint(mark: char) -> bool {
    matches!(mark, '.' | '/' | '\\' | '-' | '_' | ':' | '\u{2010}'..='\u{2015}' | '\u{2044}' | '\u{2212}' | '\u{2215}')
}

/// The mark that stands both times between three numbers of a date; empty where there are blanks only.
fn joint<'t>(first: &'t str, second: &str) -> Option<&'t str> {
    let mark = first.trim();
    let mut characters = mark.chars();
    let is_mark = match (characters.next(), characters.next()) {
        (None, _) => !first.is_empty() && !second.is_empty(),
        (Some(character), None) => is_joint(character),
        _ => false,
    };
    (is_mark && mark == second.trim()).then_some(mark)
}

/// Whether what stands before two digits tells that they are a year: numbers side by side are measurements, unless each has two digits
/// and one blank stands between them.
fn tells_short_year(mark: &str, first: &Part<'_>, second: &Part<'_>) -> bool {
    let is_number = |part: &Part<'_>| part.text.len() == 2 && part.text.starts_with(|c: char| c.is_ascii_digit());
    let is_blank = |gap: &str| gap.chars().count() == 1 && !gap.contains(['\n', '\r', '\t']);
    let is_spaced = || is_number(first) && is_number(second) && first.gap == second.gap && is_blank(first.gap);
    !mark.is_empty() || is_spaced()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found<'t>(birth: &str, text: &'t str) -> Vec<&'t str> {
        let mut all = Vec::new();
        BirthDate::readings(birth)[0].find(text, |place| all.push(&text[place]));
        all
    }

    #[test]
    fn records_tell_the_date_in_several_forms() {
        let days = |text: &str| {
            let days = BirthDate::readings(text).into_iter().map(|birth| (birth.year, birth.month, birth.day));
            days.collect::<Vec<_>>()
        };
        for text in [
            "1950-12-25T00:00:00",
            "19501225",
            "12251950",
            "12/25/1950",
            "25/12/1950",
            "25.12.1950 00:00",
            "25-DEC-1950",
            "December 25, 1950",
            "25 Dec 1950",
            "25DEC1950",
            "1950-Dec-25",
            "Dec 25th 1950",
            "25th Dec 1950",
        ] {
            assert_eq!(days(text), [(1950, 12, 25)], "{text}");
        }
        assert_eq!(days("October 25, 1950"), [(1950, 10, 25)]);
        assert_eq!(days("September 5 1950"), [(1950, 9, 5)]);
        assert_eq!(days("12/25/50"), [(1950, 12, 25), (2050, 12, 25)]);
        assert_eq!(days("03/04/1950"), [(1950, 3, 4), (1950, 4, 3)]);
        for text in ["", "1950", "25/13/1950", "13/25/1950", "unknown", "éé5MAR50", "1/2/3/4"] {
            assert_eq!(days(text), [], "{text}");
        }
    }

    #[test]
    fn every_usual_form_is_found() {
        for form in [
            "03/05/1950",
            "3/5/1950",
            "3/5/50",
            "03-05-50",
            "3.5.1950",
            "5/3/1950",
            "05.03.1950",
            "03 / 05 / 1950",
            "03 05 1950",
            "3–5–1950",
            "1950-03-05",
            "1950/3/5",
            "1950-Mar-05",
            "19500305",
            "03051950",
            "195003051030",
            "March 5, 1950",
            "MARCH 5 1950",
            "Mar. 5th, 1950",
            "Mar 5, '50",
            "5 Mar 1950",
            "5 March, 1950",
            "5th of March 1950",
            "05-Mar-1950",
            "5-MAR-50",
            "05MAR1950",
            "05mar50",
            "March\u{a0}5,\u{a0}1950",
            "1950:03:05",
            "03:05:1950",
            "3_5_1950",
            "3_5_50",
            "1950_03_05",
            "3\\5\\1950",
            "3—5—1950",
            "3‐5‐50",
            "03 05 50",
            "05 03 50",
            "03\u{a0}05\u{a0}50",
            "III/5/1950",
            "5.III.1950",
            "5. iii. 1950",
            "5 III 1950",
            "5-III-50",
            "1950-III-05",
        ] {
            for text in [format!("DOB: {form}, seen 50 times."), format!("(b.{form})"), format!("x\n{form}\n50 1950 x")]
            {
                assert_eq!(found("1950-03-05", &text), [form], "{text}");
            }
        }
        assert_eq!(found("1950-03-05", "03/05/1950-03/05/1950 1950-03-05T00:00:00.000 DOB03/05/1950").len(), 4);
        assert_eq!(found("1950-03-05", "scan_12_03_05_1950.pdf"), ["03_05_1950"]);
        assert_eq!(found("2001-09-30", "Sept 30, 2001; 30 September 01; 9/30/01").len(), 3);
    }

    #[test]
    fn other_dates_and_numbers_are_not() {
        for text in [
            "03/06/1950 04/05/1950 03/05/1951 3/5/51",
            "13/05/1950 03/15/1950 103/05/1950 03/05/19501",
            "March 15, 1950; May 5, 1950; March 1950; 1950",
            "on March 5 50 mg was given",
            "3-5-50-60 and 12/3/5/50 and 3 5 50",
            "id 119500305 and 195003050 and 03/05-1950",
            "3,5,1950",
            "at 03:05:50, on March 5:50 was given, March 5: 50 mg, 5 March: 50 mg",
            "10 03 05 50 and 03 05 50 60 and 3 05 50 and 03  05 50 and 03\t05\t50 and 03\n05\n50",
            "12_3_5_50 and 3_5_50_60 and 3_5:1950",
            "IV/5/1950 III/6/1950 XIII/5/1950 5 III 50",
        ] {
            assert!(found("1950-03-05", text).is_empty(), "{text}: {:?}", found("1950-03-05", text));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_safe(text in "\\PC{0,60}|[0-9mari .,:_/–'\\-]{0,60}|[035/1945 ]{0,40}") {
            BirthDate::readings("1950-03-05")[0].find(&text, |place| assert!(text.get(place).is_some()));
        }
    }
}
