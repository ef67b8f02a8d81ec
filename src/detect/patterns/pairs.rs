//! Two numbers with a mark between them: `7/21`, `3/2014`, `2015-17`, `2/3`.
//!
//! ```text
//! seen 7/21, MI 3/2014, clinic 3-15      a day of a month, a month of a year
//! strength 4/5, BP 120/80, 1/2 tab        a score, a pressure, a part
//! cough 3/52, abx day 5/7                so many weeks, a day of so many
//! ```
//!
//! What could be a fraction, a score or a strength is a date only where the words around it say so.

use std::ops::Range;

use super::context::{byte_at, byte_before, is_one_of, word_after, word_before};
use super::cues::CueTable;
use super::dates::{day_and_month, is_glued, value};
use super::day_lists;
use super::findings::{Findings, date};
use super::survey::{Chain, Survey};
use super::years::{NOT_BEFORE_YEARS, unit_follows};
use crate::detect::listed::listed;
use crate::phi::Kind;

mod days;
mod scores;

pub(super) use days::{ends_in_procedure, score};
pub(in crate::detect) use scores::{FRACTION_WORDS, is_share};
pub(super) use scores::{fraction_word_near, is_of_machine};

/// Whether two numbers with a stroke between them are points, doses or pressures by what stands around them, whoever takes them for a day.
pub(in crate::detect) fn is_scored_pair(sentence: &str, range: &Range<usize>) -> bool {
    let survey = Survey::of(sentence, CueTable::shared());
    let is_pair = |chain: &&Chain| chain.range() == *range && chain.separators() == b"/";
    survey.chains.iter().find(is_pair).is_some_and(|chain| {
        let [first, second] = [0, 1].map(|place| value(sentence, chain.numbers()[place]).0);
        scores::is_scored(sentence, chain, (first, second))
    })
}

/// What there is at all hours: `24/7 home care`.
const AT_ALL_HOURS: &str = "home care supervision access coverage nursing monitoring support help aide aides assistance caregiver caregivers sitter \
                            observation family live-in oxygen o2 staff staffing call hotline line service services by";

/// Words before which a number is told as a point in time.
pub(super) const BEFORE_DATES: &str = "stop stopping hold held finish finishing complete completed given shot vaccine booster flu rsv tdap mmr covid \
                            shingrix pneumovax restarted restart begin begun reply replied rcvd recd rec'd rcv'd faxed on since from until till til thru through dated date between before after by last \
                            seen admitted discharged scheduled lmp dob d/c d/c'd appt appointment effective \
                            beginning starting ending started stopped expires expired exp due collected drawn \
                            received performed done born dos doa dod doi edd edc updated reviewed admit placed \
                            removed w/e wk week visit f/u rtc dt expiration onset surgery procedure given friday \
                            monday tuesday wednesday thursday saturday sunday as-of eff ending inserted mon tue \
                            tues wed thu thur thurs fri sat sun cxr ct mri echo ekg cabg tte sheet intake resubmit \
                            resubmitted resume resumed resumes booked sent mailed filed called spoke signed recheck \
                            rechecked redraw bx biopsy cx ucx bcx us xr xray pet cath colonoscopy egd mammo mammogram \
                            postop preop adm disch dc'd arr arrived arrives back return returns returned hearing \
                            deadline effect note labs vaccinated given' noted stable-since transferred extubated \
                            intubated inserted consult consulted eval evaluation session reported lap op date dates";

/// Judges two numbers.
pub(super) fn detect(sentence: &str, survey: &Survey, chain: &Chain, findings: &mut Findings) {
    if is_glued(sentence, chain) || is_page_or_strain(sentence, chain.start) {
        return;
    }
    let numbers = chain.numbers();
    let (first, first_digits) = value(sentence, numbers[0]);
    let (second, second_digits) = value(sentence, numbers[1]);
    // At all hours, and no day of July.
    let at_all_hours = (first, second, second_digits) == (24, 7, 1) && chain.separators() == b"/";
    if at_all_hours && listed!(word_after(sentence, chain.end), AT_ALL_HOURS) {
        return;
    }
    let before = word_before(sentence, chain.start);
    if first_digits == 4 && second_digits == 4 && first <= second && chain.separators()[0] != b'.' {
        year_range(sentence, chain, before, first, second, findings);
    } else if let Some(score) = month_score(sentence, chain, before) {
        findings.add(chain.range(), date(Kind::DatePartial), score);
    } else if first_digits <= 2
        && second_digits <= 2
        && day_and_month(first, second)
        && chain.separators()[0] != b'.'
        && let Some(score) = days::score(sentence, survey, chain, (first, second))
    {
        let list = match chain.separators()[0] {
            b'/' => day_lists::end_behind(sentence, chain.end, second),
            _ => None,
        };
        let end = list.unwrap_or(chain.end);
        findings.add(with_weekday(sentence, chain.start)..end, date(Kind::DatePartial), score);
    }
}

/// How sure it is that two numbers are a month and its year, in either order; none if they are not. `2015-17` are years likewise.
fn month_score(sentence: &str, chain: &Chain, before: &str) -> Option<f32> {
    let numbers = chain.numbers();
    let (first, first_digits) = value(sentence, numbers[0]);
    let (second, second_digits) = value(sentence, numbers[1]);
    let separator = chain.separators()[0];
    let is_year = |number: u32| (1900..=2100).contains(&number);
    let is_month = |number: u32| (1..=12).contains(&number);
    let told = listed!(before, BEFORE_DATES) || is_one_of(before, &["in"]);
    match (first_digits, second_digits) {
        // `09.1921`, `since 9.1921`: no value with four decimals.
        (_, 4) if separator == b'.' => {
            let fits = (1900..=2060).contains(&second) && is_month(first) && (first_digits == 2 || told);
            (fits && !unit_follows(sentence, chain.end) && !listed!(before, NOT_BEFORE_YEARS)).then_some(0.85)
        }
        _ if separator == b'.' => None,
        (4, 2) if is_year(first) => {
            (separator == b'/' || is_month(second) || second > first % 100 || told).then_some(0.8)
        }
        // `1921/3`
        (4, 1) if separator == b'/' && is_year(first) => (second > 0 && told).then_some(0.8),
        (1 | 2, 4) if is_month(first) && is_year(second) => {
            // `ICD 3-2012.`: with one digit it must stand apart from further numbers.
            let apart = matches!(byte_at(sentence, chain.end), b' ' | b',' | b';' | b'.' | b')' | b'\n')
                && (1940..=2060).contains(&second)
                && byte_before(sentence, chain.start) == b' ';
            (separator == b'/' || apart || told || first_digits == 2).then_some(0.95)
        }
        // `MI in 3/98`, `lap chole 11/94`: a month of a year of the last century.
        (1 | 2, 2) if second > 31 && second != 52 && is_month(first) && separator == b'/' => {
            let operated = second > 60
                && days::ends_in_procedure(before)
                && !fraction_word_near(sentence, chain.start)
                && !unit_follows(sentence, chain.end);
            (operated || told).then_some(0.8)
        }
        _ => None,
    }
}

/// Where a day begins whose weekday is one or two letters before it: `M 9/4`, `Th 9/7`.
fn with_weekday(sentence: &str, at: usize) -> usize {
    let Some(head) = sentence[..at].strip_suffix(' ') else { return at };
    let letters = head.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    let start = head.len() - letters;
    let day = matches!(&head[start..], "M" | "Tu" | "W" | "Th" | "Sa" | "Su")
        // `T 9/5` may be a temperature, `F 9/8` a sex: only in a row of days.
        || matches!(&head[start..], "T" | "F") && head[..start].contains("/") && head[..start].contains("M ");
    if day && matches!(byte_before(sentence, start), b' ' | b'\n' | b'(' | b',') { start } else { at }
}

/// `P.01/03` is a page, `A/Perth/8/2022` a strain.
fn is_page_or_strain(sentence: &str, at: usize) -> bool {
    let before = byte_before(sentence, at);
    before == b'/' && byte_before(sentence, at - 1).is_ascii_alphabetic()
        || listed!(word_before(sentence, at), "p pg page pages pp")
}

fn year_range(sentence: &str, chain: &Chain, before: &str, first: u32, second: u32, findings: &mut Findings) {
    if (1900..=2100).contains(&first)
        && second <= 2100
        && !listed!(before, NOT_BEFORE_YEARS)
        && !unit_follows(sentence, chain.end)
    {
        chain.numbers().iter().for_each(|&(start, end)| findings.add(start..end, date(Kind::DateYear), 0.9));
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn dates(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Date])
    }

    #[test]
    fn months_of_a_year_and_years() {
        for (sentence, date) in [
            ("MI in 3/98", "3/98"),
            ("lap chole 11/94", "11/94"),
            ("seen 2019-03 here", "2019-03"),
            ("worked there 2015-17", "2015-17"),
            ("mammo 3/2014 nl", "3/2014"),
            ("mammo 03-2014 nl", "03-2014"),
            ("since 9.1921", "9.1921"),
            ("in 1921/3 he", "1921/3"),
        ] {
            assert_eq!(dates(sentence), [date], "{sentence}");
        }
        assert_eq!(dates("smoked 1990-2004"), ["1990", "2004"]);
        for sentence in ["ratio 9.1921", "ICD 3-2012.1", "P.01/03", "A/Perth/8/2022", "score 11/94"] {
            assert_eq!(dates(sentence), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn a_weekday_before_a_day() {
        assert_eq!(dates("back Th 9/7 at noon"), ["Th 9/7"]);
    }
}
