//! A date of birth in all its usual forms.

use smallvec::SmallVec;

use super::fold;
use super::plain::{is_invisible, plain, read};

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

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BirthDate {
    /// Of four digits, or of the two that are known.
    year: u32,
    month: u32,
    day: u32,
}

impl BirthDate {
    /// Reads `YYYY-MM-DD`, `YYYYMMDD`, `MM/DD/YYYY` and `MMDDYYYY`, `DD/MM/YYYY` where no month has that number, a year of two digits behind the
    /// others, and a month by its name; none for anything else.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let is_digit = |character: char| character.is_ascii_digit();
        let date = text.split_once('T').filter(|(date, time)| date.ends_with(is_digit) && time.starts_with(is_digit));
        let date = date.map_or(text, |(date, _)| date);
        let parts = date.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        let parts: SmallVec<[&str; 8]> = parts.collect();
        let number = |part: &str| part.parse::<u32>().ok().filter(|_| part.len() <= 4);
        let year = |part: &str| number(part).filter(|_| matches!(part.len(), 2 | 4));
        let (year, month, day) = match parts[..] {
            [all, ..] if all.starts_with(is_digit) && matches!(all.len(), 7 | 9) => {
                (year(&all[5..])?, month(&all[2..5])?, number(&all[..2])?)
            }
            [all, ..] if all.starts_with(is_digit) && all.len() == 8 => match number(&all[..4])? {
                year @ FIRST_YEAR.. => (year, number(&all[4..6])?, number(&all[6..])?),
                _ => (number(&all[4..])?, number(&all[..2])?, number(&all[2..4])?),
            },
            [first, second, third, ..] => match (month(first), month(second)) {
                (Some(month), _) => (year(third)?, month, number(second)?),
                (_, Some(month)) if first.len() == 4 => (number(first)?, month, number(third)?),
                (_, Some(month)) => (year(third)?, month, number(first)?),
                _ if first.len() == 4 => (number(first)?, number(second)?, number(third)?),
                _ => match (number(first)?, number(second)?) {
                    (day, month) if day > 12 && month <= 12 => (year(third)?, month, day),
                    (month, day) => (year(third)?, month, day),
                },
            },
            _ => return None,
        };
        ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Self { year, month, day })
    }

    /// Whether a form of the date can begin at a place, given the letter or digit there.
    pub(super) fn may_begin(&self, text: &str, at: usize, first: u8) -> bool {
        let next = text.as_bytes()[at..].get(1..3).unwrap_or(&[]);
        let month = MONTHS[self.month as usize - 1].as_bytes();
        if month[0] == first {
            return next.eq_ignore_ascii_case(&month[1..3]);
        }
        let number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'/' | b'-' | b'.' | b' ');
        first.is_ascii_digit() || fold::digit_like(first).is_ascii_digit() && next.iter().any(number)
    }

    /// The end of the date in `text` from `at`, where it stands there; digits may look like letters.
    pub(super) fn end_at(&self, text: &str, at: usize) -> Option<usize> {
        let rest = &text[at..];
        let mut before = text[..at].chars().rev().map(plain);
        let goes_before = match before.next() {
            Some('/' | '-' | '.') => before.next().is_some_and(|digit| digit.is_ascii_digit()),
            last => last.is_some_and(|digit| digit.is_ascii_digit()),
        };
        if goes_before || !self.may_follow(rest.as_bytes()) {
            return None;
        }
        let end = self.written(rest).or_else(|| {
            // A scan reads some of the digits of a date as letters.
            let (buffer, length) = as_digits(rest.as_bytes());
            self.in_numbers(&mut Parts { rest: std::str::from_utf8(&buffer[..length]).ok()?, at: 0 })
        });
        let end = end.or_else(|| self.meant(rest))?;
        (!rest[end..].starts_with(|digit: char| plain(digit).is_ascii_digit())).then_some(at + end)
    }

    /// The end of the date that a text begins with, where characters of it are other forms of those of ASCII, or where it is in
    /// two lines.
    fn meant(&self, rest: &str) -> Option<usize> {
        let other = |byte: &u8| !byte.is_ascii() || byte.is_ascii_control() || *byte == b'&';
        if !rest.as_bytes().iter().take(LONGEST_MEANT).any(other) {
            return None;
        }
        let (mut meant, mut ends, mut length, mut at) = ([0; LONGEST_MEANT], [0; LONGEST_MEANT], 0, 0);
        while length < LONGEST_MEANT
            && let Some((character, read)) = read(&rest[at..])
            && (character.is_ascii() || is_invisible(character))
        {
            at += read;
            if character.is_ascii() {
                meant[length] = if character.is_ascii_control() { b' ' } else { character as u8 };
                ends[length] = at;
                length += 1;
            }
        }
        let end = self.written(std::str::from_utf8(&meant[..length]).ok()?)?;
        ends[..length].get(end.checked_sub(1)?).copied()
    }

    /// Whether the number at the beginning of what follows can begin the date: most numbers of a note cannot.
    fn may_follow(&self, bytes: &[u8]) -> bool {
        let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let scanned = bytes.get(digits).is_some_and(|&byte| fold::digit_like(byte) != byte);
        if digits == 0 || digits == 8 || scanned {
            return true;
        }
        let number = bytes[..digits]
            .iter()
            .fold(0_u32, |number, byte| number.saturating_mul(10).saturating_add(u32::from(byte - b'0')));
        number == self.day
            || number == self.month
            || digits == 4 && number % 100 == self.year % 100
            || number == self.year % 100
    }

    fn written(&self, rest: &str) -> Option<usize> {
        let mut parts = Parts { rest, at: 0 };
        self.in_numbers(&mut parts.clone()).or_else(|| self.in_words(&mut parts))
    }

    fn in_numbers(&self, parts: &mut Parts) -> Option<usize> {
        let first = parts.number()?;
        if first.len() == 8 {
            let forms = [
                format!("{:04}{:02}{:02}", self.year, self.month, self.day),
                format!("{:02}{:02}{:04}", self.month, self.day, self.year),
            ];
            return forms.iter().any(|form| form == first).then_some(parts.at);
        }
        let is_odd = parts.separator()?;
        let second = parts.number()?;
        let is_odd = parts.separator()? || is_odd;
        let third = parts.number()?;
        // Three numbers with blanks are a date only with the year written out, or with all zeros; between colons they are a time, in cells
        // columns.
        let padded = [first, second, third].iter().all(|number| number.len() == 2)
            && (first.starts_with('0') || second.starts_with('0'));
        let blanks = parts.rest[..parts.at].bytes().all(|byte| byte.is_ascii_digit() || byte == b' ');
        if is_odd && first.len() < 4 && third.len() < 4 && !(padded && blanks) {
            return None;
        }
        let is = |part: &str, value: u32| part.len() <= 2 && part.parse() == Ok(value);
        let year = |part: &str| self.is_year(part);
        let fits = is(first, self.month) && is(second, self.day) && year(third)
            || is(first, self.day) && is(second, self.month) && year(third)
            || first.len() == 4 && year(first) && is(second, self.month) && is(third, self.day);
        fits.then_some(parts.at)
    }

    fn in_words(&self, parts: &mut Parts) -> Option<usize> {
        let day_first = parts.number().map(|day| day.parse() == Ok(self.day));
        if day_first == Some(false) {
            return None;
        }
        if day_first.is_some() {
            parts.suffix();
            parts.blanks();
            let mut of = parts.clone();
            if of.word().eq_ignore_ascii_case("of") {
                *parts = of;
            }
            parts.blanks();
        }
        let month = parts.word().to_ascii_lowercase();
        let name = MONTHS[self.month as usize - 1];
        if month.len() < 3 || !name.starts_with(&month) && month != "sept" {
            return None;
        }
        parts.blanks();
        if day_first.is_none() {
            if parts.number()?.parse() != Ok(self.day) {
                return None;
            }
            parts.suffix();
            parts.blanks();
        }
        let year = parts.number()?;
        self.is_year(year).then_some(parts.at)
    }

    fn is_year(&self, part: &str) -> bool {
        let Ok(year) = part.parse::<u32>() else { return false };
        match part.len() {
            4 if self.year < 100 => year >= FIRST_YEAR && year % 100 == self.year,
            4 => year == self.year,
            2 => year == self.year % 100,
            _ => false,
        }
    }
}

/// A month by its name or the first letters of it, at least three.
fn month(name: &str) -> Option<u32> {
    let is = |month: &&str| month.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
    let known =
        |month: &&str| name.len() >= 3 && is(month) || *month == "september" && name.eq_ignore_ascii_case("sept");
    Some(MONTHS.iter().position(known)? as u32 + 1)
}

/// Nobody's birth is earlier; four digits below are a month and a day.
const FIRST_YEAR: u32 = 1300;

/// How many characters of a date are read at most where they are not those of ASCII: `the 4th of September, 1950`.
const LONGEST_MEANT: usize = 32;

/// The longest date in numbers, blanks included.
const LONGEST: usize = 16;

/// The beginning of a text with the letters that look like digits as digits, as far as it can be a date in numbers.
fn as_digits(bytes: &[u8]) -> ([u8; LONGEST], usize) {
    let mut buffer = [0; LONGEST];
    let mut length = 0;
    let (mut digits, mut letters) = (0, 0);
    for &byte in bytes.iter().take(LONGEST) {
        let digit = fold::digit_like(byte);
        match digit {
            b'0'..=b'9' if byte == digit => digits += 1,
            b'0'..=b'9' => letters += 1,
            b'/' | b'-' | b'.' | b' ' => {}
            _ => break,
        }
        buffer[length] = digit;
        length += 1;
    }
    (buffer, if digits > letters { length } else { 0 })
}

/// A reading head over numbers, words and what joins them.
#[derive(Clone)]
struct Parts<'t> {
    rest: &'t str,
    at: usize,
}

impl<'t> Parts<'t> {
    fn run(&mut self, fits: impl Fn(&u8) -> bool) -> &'t str {
        let length = self.rest.as_bytes()[self.at..].iter().take_while(|byte| fits(byte)).count();
        let run = &self.rest[self.at..self.at + length];
        self.at += length;
        run
    }

    fn number(&mut self) -> Option<&'t str> {
        Some(self.run(u8::is_ascii_digit)).filter(|run| !run.is_empty())
    }

    fn word(&mut self) -> &'t str {
        self.run(u8::is_ascii_alphabetic)
    }

    fn blanks(&mut self) {
        self.run(|byte| matches!(byte, b' ' | b',' | b'.' | b'-' | b'/' | b'\n' | b'\r'));
    }

    fn suffix(&mut self) {
        let mut after = self.clone();
        if matches!(after.word(), "st" | "nd" | "rd" | "th") {
            *self = after;
        }
    }

    /// What stands between the numbers of a date: a mark, blanks around it or not; whether it is one that parts other numbers as well.
    fn separator(&mut self) -> Option<bool> {
        const ODD: &[char] = &[':', '|', '_', '(', ')', '*', '~', '+'];
        let from = self.at;
        self.run(|byte| *byte == b' ');
        let rest = &self.rest[self.at..];
        let mark = rest.chars().next().filter(|mark| matches!(mark, '/' | '-' | '.' | '–' | ',' | '\\'));
        let again = mark.filter(|mark| *mark == '/' && rest.starts_with("//"));
        // As a web address has a stroke.
        let escaped = rest.get(..3).is_some_and(|escape| escape.eq_ignore_ascii_case("%2F")).then_some(3);
        let odd = || rest.chars().take(2).take_while(|mark| ODD.contains(mark)).count();
        self.at += mark.map(char::len_utf8).or(escaped).unwrap_or_else(odd) + again.map_or(0, char::len_utf8);
        self.run(|byte| *byte == b' ');
        (self.at > from && self.at - from <= 5).then_some(mark.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_birth_are_read_in_the_forms_that_tables_have() {
        let christmas = Some(BirthDate { year: 1950, month: 12, day: 25 });
        for text in ["1950-12-25", "1950-12-25T00:00:00", "19501225", "12/25/1950", "25/12/1950", "25.12.1950 00:00"] {
            assert_eq!(BirthDate::parse(text), christmas, "{text}");
        }
        for text in [
            "12251950",
            "25-DEC-1950",
            "25DEC1950",
            "December 25, 1950",
            "Dec 25 1950 00:00:00",
            "25 December 1950",
            "1950-Dec-25",
        ] {
            assert_eq!(BirthDate::parse(text), christmas, "{text}");
        }
        assert_eq!(BirthDate::parse("3/4/1950"), Some(BirthDate { year: 1950, month: 3, day: 4 }));
        for text in ["12/25/50", "25-DEC-50"] {
            assert_eq!(BirthDate::parse(text), Some(BirthDate { year: 50, month: 12, day: 25 }), "{text}");
        }
        for text in
            ["", "1950", "25/13/1950", "13/25/1950", "12/25/950", "unknown", "Xember 25, 1950", "Décembre 25 1950"]
        {
            assert_eq!(BirthDate::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_date_stands_between_any_marks_with_its_year_written_out() {
        let birth = BirthDate { year: 1950, month: 11, day: 29 };
        let of_two_digits = BirthDate { year: 50, month: 11, day: 29 };
        for date in [
            "11|29|1950",
            "11:29:1950",
            "11)(29)(1950",
            "11_29_1950",
            "11\\29\\1950",
            "11%2F29%2F1950",
            "11%2f29%2f1950",
            "1950 | 11 | 29",
        ] {
            for birth in [birth, of_two_digits] {
                assert_eq!(birth.end_at(&format!("b. ({date}), well"), 4), Some(4 + date.len()), "{date}");
            }
        }
        for other in ["11:29:50", "11|29|50", "11 29 50", "11/29/1850"] {
            assert_eq!(birth.end_at(&format!("b. {other}"), 3), None, "{other}");
        }
    }

    #[test]
    fn a_date_of_other_characters_is_read_as_it_is_meant() {
        let birth = BirthDate { year: 1950, month: 3, day: 4 };
        for date in [
            "０３/０４/１９５０",
            "03\u{2212}04\u{2212}1950",
            "3\u{2044}4\u{2044}1950",
            "03\u{a0}04\u{a0}1950",
            "03\t04\t1950",
            "03/\n04/1950",
            "03/04/\r\n  > 1950",
            "03/\u{200b}04/\u{200b}1950",
            "4\u{a0}March\u{a0}1950",
        ] {
            assert_eq!(birth.end_at(&format!("b. {date}, well"), 3), Some(3 + date.len()), "{date}");
            assert_eq!(birth.end_at(&format!("b. {date}１"), 3), None, "{date}");
            assert_eq!(birth.end_at(&format!("b. １/{date}"), 7), None, "{date}");
        }
    }
}
