//! Birth dates behind their label, in forms that nothing else has: `DOB 41-11-23`, `DOB 1941 23 11`, `D.O.B.: XI/23/1941`, `DOB 1941Nov23`.
//!
//! A label says what stands behind it, so that three numbers in any order are a day.

use std::sync::LazyLock;

use regex::Regex;

use super::dates::day_and_month;
use super::findings::{Findings, date};
use super::survey::Survey;
use super::{captures_in, expression};
use crate::phi::Kind;

static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    let month = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}";
    let roman = "(?:x(?:i{1,2})?|i[xv]|vi{0,3}|i{1,3})";
    let mark = r"\s?[-/. ]\s?";
    expression(&format!(
        r"\b(?:d\.?o\.?b\.?|birth\s?dates?|date\sof\sbirth)\s{{0,3}}(?:is\s|was\s|[:#=.(-]\s{{0,3}})?(?:(?P<numbers>[0-9]{{1,4}}{mark}[0-9]{{1,2}}{mark}[0-9]{{1,4}}|[0-9]{{8}})|(?P<named>[0-9]{{4}}[-/. ]?{month}[-/. ]?[0-9]{{1,2}}|{roman}[-/.][0-9]{{1,2}}[-/.](?:19|20)?[0-9]{{2}}))\b"
    ))
});

/// Adds such dates, before rules that would take their numbers for something else.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let has = |part: &str| memchr::memmem::find(sentence.as_bytes(), part.as_bytes()).is_some();
    if survey.digits < 4 || !["OB", "ob", "o.b", "O.B", "irth", "IRTH"].iter().any(|part| has(part)) {
        return;
    }
    for found in captures_in(&LABELLED, sentence) {
        let numbers = found.name("numbers").filter(|numbers| is_day(numbers.as_str()));
        let Some(day) = found.name("named").or(numbers) else { continue };
        if !findings.covers(&day.range()) {
            findings.add(day.range(), date(Kind::DateFull), 0.9);
        }
    }
}

/// Whether numbers are a year, a month and a day in some order; those that stand in one are `YYYYMMDD` or the day first.
fn is_day(numbers: &str) -> bool {
    let parts: Vec<&str> = numbers.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    let parts: Vec<&str> = match parts[..] {
        [all] if matches!(&all[..2], "19" | "20") => vec![&all[..4], &all[4..6], &all[6..]],
        [all] if matches!(all.get(4..6), Some("19" | "20")) => vec![&all[..2], &all[2..4], &all[4..]],
        _ => parts,
    };
    let [first, second, third] = parts[..] else { return false };
    let number = |part: &str| part.parse::<u32>().unwrap_or_default();
    let is_year = |part: &str| match part.len() {
        4 => (1840..=2299).contains(&number(part)),
        length => length == 2,
    };
    is_year(first) && day_and_month(number(second), number(third))
        || is_year(third) && day_and_month(number(first), number(second))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn a_label_tells_a_birth_date_in_any_form() {
        for (sentence, day) in [
            ("DOB 41-11-23 F", "41-11-23"),
            ("DOB 1941 23 11", "1941 23 11"),
            ("DOB: 1941 11 23, seen today", "1941 11 23"),
            ("D.O.B.: XI/23/1941", "XI/23/1941"),
            ("dob 1941Nov23", "1941Nov23"),
            ("Date of birth: 1941/November/23", "1941/November/23"),
            ("DOB: 23111941", "23111941"),
            ("DOB 19411123 MRN pending", "19411123"),
            ("DOB 23 11 1941", "23 11 1941"),
            ("birthdate (23 . 11 . 41)", "23 . 11 . 41"),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), [day], "{sentence}");
        }
        for sentence in ["DOB 99-99-99", "DOB verified 2 times", "birth date unknown, 12345678"] {
            assert_eq!(found(sentence, &[Label::Date]), [] as [&str; 0], "{sentence}");
        }
    }
}
