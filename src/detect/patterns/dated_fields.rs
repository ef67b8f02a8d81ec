//! Dates whose month, day and year are fields of their own: `Month: 07 Day: 22 Year: 1948`, `{"year":1948,"month":7,"day":22}`,
//! `month_of_birth: 7 day_of_birth: 22`.
//!
//! The whole, from the first number to the last, is one date. `month 6 day 2` tells how long somebody has been treated, so a colon, a birth or a
//! year is asked for.

use std::sync::LazyLock;

use regex::Regex;

use super::expression;
use super::findings::{Findings, date};
use super::survey::Survey;
use crate::phi::Kind;

const MONTH: &str =
    r#"(?:months?|mon|mo|mm)(?P<mb>[ _]?of[ _]?birth)?"?(?P<mc>\s?[:=])?\s{0,2}"?(?P<month>0?[1-9]|1[0-2])\b"#;
const DAY: &str = r#"(?:day|dy|dd)(?:[ _]?of[ _]?birth)?"?(?:\s?[:=])?\s{0,2}"?(?P<day>0?[1-9]|[12][0-9]|3[01])\b"#;
const YEAR: &str = r#"(?:year|yr|yyyy|yy)(?:[ _]?of[ _]?birth)?"?(?:\s?[:=])?\s{0,2}"?(?P<year>(?:19|20)?[0-9]{2})\b"#;
/// What stands between two of them.
const BETWEEN: &str = r#""?[,;]?\s{0,3}"?(?:birth[ _]?)?"#;

static ORDERS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    let birth = r"\b(?P<birth>birth[ _]?|b)?";
    [
        expression(&format!("{birth}{YEAR}{BETWEEN}{MONTH}{BETWEEN}{DAY}")),
        expression(&format!("{birth}{MONTH}{BETWEEN}{DAY}(?:{BETWEEN}{YEAR})?")),
        expression(&format!("{birth}{DAY}{BETWEEN}{MONTH}(?:{BETWEEN}{YEAR})?")),
    ]
});

/// Adds such dates.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let has = |parts: [&str; 6]| {
        parts.iter().any(|part| memchr::memmem::find(sentence.as_bytes(), part.as_bytes()).is_some())
    };
    if survey.chains.len() < 2
        || !has(["ay", "AY", "dd", "DD", "Dy", "DY"])
        || !has(["on", "ON", "mm", "MM", "Mo", "mo"])
    {
        return;
    }
    for found in ORDERS.iter().flat_map(|order| order.captures_iter(sentence)) {
        let numbers = ["month", "day", "year"].map(|name| found.name(name));
        let told = ["birth", "mb", "mc"].iter().any(|name| found.name(name).is_some()) || numbers[2].is_some();
        let (start, end) = (
            numbers.iter().flatten().map(regex::Match::start).min().unwrap_or_default(),
            numbers.iter().flatten().map(regex::Match::end).max().unwrap_or_default(),
        );
        if told && !findings.covers(&(start..end)) {
            findings.add(start..end, date(if numbers[2].is_some() { Kind::DateFull } else { Kind::DatePartial }), 0.9);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn fields_are_one_date() {
        for (sentence, date) in [
            ("Month: 07 Day: 22 Year: 1948", "07 Day: 22 Year: 1948"),
            ("mm 07 dd 22 yyyy 1948", "07 dd 22 yyyy 1948"),
            ("Birth Month 7 Birth Day 22", "7 Birth Day 22"),
            ("{\"year\":1948,\"month\":7,\"day\":22}", "1948,\"month\":7,\"day\":22"),
            ("month_of_birth: 7, day_of_birth: 22", "7, day_of_birth: 22"),
            ("Mo: 07 Day: 22 Yr: 48", "07 Day: 22 Yr: 48"),
            ("Day: 22 Month: 07 Year: 1948", "22 Month: 07 Year: 1948"),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), [date], "{sentence}");
        }
        for sentence in ["seen at month 6 day 2 of the study", "Cycle 2 Day 15", "every month: 1 day off"] {
            assert_eq!(found(sentence, &[Label::Date]), [] as [&str; 0], "{sentence}");
        }
    }
}
