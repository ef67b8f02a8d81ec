//! Ages beside the day of birth that they follow from: `DOB 8/8/79 (45)`, `DOB 9/8/85   38   Housing`, `born 3/4/1950, 74`.
//!
//! The year and the age must add up to a year in which notes are written.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::ages::class;
use super::findings::Findings;
use super::survey::Survey;
use super::{captures_in, expression};
use crate::detect::listed::listed;

/// The years in which notes are written.
const WRITTEN: RangeInclusive<u32> = 1990..=2045;
/// Nobody is older.
const OLDEST: u32 = 119;

static BESIDE: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:d\.?o\.?b\.?|birth\s?date|date\sof\sbirth|born(?:\son)?|b\.)\s{0,3}[:#=]?\s{0,3}(?:[0-9]{1,2}\s?[-/.]\s?[0-9]{1,2}\s?[-/.]\s?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s[0-9]{1,2},?\s|[0-9]{1,2}[- ](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?[- ])(?P<year>(?:19|20)?[0-9]{2})(?:\s{0,3}(?P<bracket>[(\[])\s?|\s{0,2}[,;/-]\s{0,2}|\s{1,8})(?P<age>[0-9]{1,3})(?P<behind>\s?[)\]]|\s?(?:y/?o?|yrs?)\b|\s?(?:m|f|male|female)\b|\s{2}|\s?[|;,\n]|\s*$)",
    )
});

/// Adds such ages.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let has = |part: &str| memchr::memmem::find(sentence.as_bytes(), part.as_bytes()).is_some();
    if survey.digits < 5 || !["OB", "ob", "o.b", "O.B", "irth", "IRTH", "orn", "ORN", "b."].iter().any(|part| has(part))
    {
        return;
    }
    for captures in captures_in(&BESIDE, sentence) {
        let Some(age) = captures.name("age").filter(|_| is_closed(&captures) && adds_up(&captures)) else { continue };
        if captures.name("bracket").is_none() && goes_on(&sentence[age.end()..]) {
            continue;
        }
        if !findings.covers(&age.range()) {
            findings.add(age.range(), class(number(age.as_str())), 0.85);
        }
    }
}

/// Whether a number is one of several, or what stands behind it counts or measures: `72  bpm`, `30|45|60`, `55 yrs smoking`.
fn goes_on(rest: &str) -> bool {
    const MEASURED: &str = "mg mcg g kg lb lbs oz cm mm ml units unit bpm hr rr ra mmhg sat beats weeks wk wks days months mo hours min smoking smoker \
                            smoked pack of hx history";
    let rest = rest.trim_start_matches([' ', ',', ';', '|', '/']);
    let mut words = rest.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let second = if listed!(first, "y yo yr yrs") { words.next().unwrap_or_default() } else { "" };
    rest.starts_with(|c: char| c.is_ascii_digit() || c == '%') || listed!(first, MEASURED) || listed!(second, MEASURED)
}

fn number(digits: &str) -> u32 {
    digits.parse().unwrap_or(u32::MAX)
}

/// Whether what is in brackets is nothing but the age, and what is in none has no bracket behind.
fn is_closed(captures: &Captures) -> bool {
    let closes = captures.name("behind").is_some_and(|behind| behind.as_str().ends_with([')', ']']));
    let told = captures.name("behind").is_some_and(|behind| behind.as_str().contains(char::is_alphabetic));
    captures.name("bracket").is_some() == closes || told
}

/// Whether somebody born in that year is so old when notes are written.
fn adds_up(captures: &Captures) -> bool {
    let [year, age] = ["year", "age"].map(|part| captures.name(part).map_or(u32::MAX, |part| number(part.as_str())));
    let fits = |born: u32| WRITTEN.contains(&(born + age));
    age <= OLDEST && if year < 100 { fits(1900 + year) || fits(2000 + year) } else { fits(year) }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn an_age_that_the_day_of_birth_tells() {
        for (sentence, age) in [
            ("Client: Io Quorlin   DOB 8/8/79 (45)   ID 3307", "45"),
            ("A0900 DOB 11/02/1932  (92)", "92"),
            ("DOB: 8 Aug 1979 (45)", "45"),
            ("DOC# 77219     DOB 9/8/85   38   Housing", "38"),
            ("DOB 9/8/85 38 M", "38"),
            ("born 3/4/1950, 74, lives alone", "74"),
            ("born on March 4, 1950 (74 y/o)", "74"),
            ("DOB 03/04/1950 - 74", "74"),
        ] {
            assert_eq!(found(sentence, &[Label::Age]), [age], "{sentence}");
        }
        for sentence in [
            "DOB 8/8/79 (3)",
            "DOB 9/8/85   120   mg",
            "DOB 9/8/1985 10 mg given",
            "born 3/4/2019, 7 lb 2 oz",
            "DOB 3/4/2019 38 weeks",
            "DOB 3/4/1950  72  bpm",
            "DOB 3/4/1930  92  RA sat",
            "DOB 9/8/1985  38  mg oxycodone",
            "DOB 8/8/1979 at bedside 12, 30",
            "Pt born at 35 wk 1990  10  lb",
            "DOB 01/01/1990 30|45|60",
            "DOB 09/01/1960, 55 yrs smoking",
        ] {
            assert_eq!(found(sentence, &[Label::Age]), [] as [&str; 0], "{sentence}");
        }
    }
}
