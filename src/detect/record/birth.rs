//! A date of birth in all its usual forms.

use super::fold;

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
    year: u32,
    month: u32,
    day: u32,
}

impl BirthDate {
    /// Reads `YYYY-MM-DD`, `YYYYMMDD` or `MM/DD/YYYY`; none for anything else.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let numbers: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
        let number = |part: &str| part.parse::<u32>().ok();
        let (year, month, day) = match numbers[..] {
            [year, month, day, ..] if year.len() == 4 => (number(year)?, number(month)?, number(day)?),
            [month, day, year, ..] if year.len() == 4 => (number(year)?, number(month)?, number(day)?),
            [all, ..] if all.len() == 8 => (number(&all[..4])?, number(&all[4..6])?, number(&all[6..])?),
            _ => return None,
        };
        ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Self { year, month, day })
    }

    /// Whether a form of the date can begin with the letter or digit.
    pub(super) fn may_begin(&self, first: char) -> bool {
        first.is_ascii_digit() || MONTHS[self.month as usize - 1].starts_with(first)
    }

    /// The end of the date in `text` from `at`, where it stands there.
    pub(super) fn end_at(&self, text: &str, at: usize) -> Option<usize> {
        if fold::inside_word(text, at) && text.as_bytes()[at].is_ascii_digit() {
            return None;
        }
        let rest = &text[at..];
        let mut parts = Parts { rest, at: 0 };
        let end = self.in_numbers(&mut parts.clone()).or_else(|| self.in_words(&mut parts))?;
        let next = rest[end..].chars().next();
        (!next.is_some_and(|next| next.is_ascii_digit())).then_some(at + end)
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
        parts.separator(&['/', '-', '.', '–'])?;
        let second = parts.number()?;
        parts.separator(&['/', '-', '.', '–'])?;
        let third = parts.number()?;
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
        match part.len() {
            4 => part.parse() == Ok(self.year),
            2 => part.parse() == Ok(self.year % 100),
            _ => false,
        }
    }
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

    fn separator(&mut self, set: &[char]) -> Option<()> {
        let mark = self.rest[self.at..].chars().next().filter(|mark| set.contains(mark))?;
        self.at += mark.len_utf8();
        Some(())
    }
}
