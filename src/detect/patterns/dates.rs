//! Numeric dates: `03/04/2019`, `2019-03-04`, `3.4.19`, `20190304`, `7/21`, `3/2014`, `3/4-3/7`.
//!
//! A chain of numbers is judged as a whole, so that `140/4.0/107/25.7` and `120/80` are never taken apart.

use std::ops::Range;

use super::context::{byte_at, byte_before, is_one_of, word_after, word_before};
use super::findings::{Findings, date};
use super::pairs::{self, FRACTION_WORDS, fraction_word_near};
use super::parted_dates;
use super::survey::{Chain, LONGEST_CHAIN, Survey};
use super::years;
use crate::detect::listed::listed;
use crate::phi::Kind;

/// Judges a chain of numbers.
pub(super) fn detect(sentence: &str, survey: &Survey, chain: &Chain, findings: &mut Findings) {
    if findings.covers(&chain.range()) {
        return;
    }
    let separators = chain.separators();
    match chain.count {
        1 => match parted(sentence, chain) {
            Some(range) => findings.add(range, date(Kind::DateFull), 0.95),
            None => years::detect(sentence, survey, chain, findings),
        },
        2 => pairs::detect(sentence, survey, chain, findings),
        3 if separators[0] == separators[1] => triple(sentence, chain, findings),
        3..=LONGEST_CHAIN => mixed(sentence, survey, chain, findings),
        _ => {}
    }
}

/// Where a date stands whose year is a number that stands alone, its other numbers behind other marks.
fn parted(sentence: &str, chain: &Chain) -> Option<Range<usize>> {
    let (number, digits) = value(sentence, (chain.start, chain.end));
    if digits != 4
        || year(number, digits).is_none()
        || byte_before(sentence, chain.start) == b':' && byte_at(sentence, chain.end) == b':'
    {
        return None;
    }
    let behind = || Some(chain.start..parted_dates::end(sentence, chain.end)?);
    parted_dates::start(sentence, chain.start).map(|start| start..chain.end).or_else(behind)
}

/// The year that a number of two or four digits can be.
fn year(value: u32, digits: usize) -> Option<u32> {
    match digits {
        // Shifted dates may lie far ahead.
        4 if (1840..=2299).contains(&value) => Some(value),
        2 => Some(if value < 50 { 2000 + value } else { 1900 + value }),
        _ => None,
    }
}

/// Whether two numbers are a day and a month, in either order.
pub(super) const fn day_and_month(first: u32, second: u32) -> bool {
    first >= 1 && second >= 1 && ((first <= 12 && second <= 31) || (second <= 12 && first <= 31))
}

pub(super) fn value(sentence: &str, (start, end): (usize, usize)) -> (u32, usize) {
    let digits = end - start;
    let parsed = if digits <= 9 { sentence[start..end].parse().unwrap_or(u32::MAX) } else { u32::MAX };
    (parsed, digits)
}

/// Whether three numbers are a whole date: day and month with the year last, or the year first.
pub(super) fn is_whole_date(sentence: &str, chain: &Chain) -> bool {
    let numbers: Vec<_> = chain.numbers().iter().map(|&number| value(sentence, number)).collect();
    let [(first, first_digits), (second, second_digits), (third, third_digits)] = numbers[..] else {
        return false;
    };
    let year_last =
        first_digits <= 2 && second_digits <= 2 && day_and_month(first, second) && year(third, third_digits).is_some();
    let year_first = first_digits == 4
        && second_digits <= 2
        && third_digits <= 2
        && year(first, 4).is_some()
        && day_and_month(second, third);
    year_last || year_first
}

/// `03/06/202414:20`: a date that ran together with its clock time.
fn date_with_clock(sentence: &str, chain: &Chain, findings: &mut Findings) -> bool {
    let (start, end) = chain.numbers()[2];
    let clock = (end - start == 5 || end - start == 6) && byte_at(sentence, end) == b':';
    if !clock || !sentence[start..].starts_with("20") && !sentence[start..].starts_with("19") {
        return false;
    }
    let date_part = chain.cut(start + 4);
    if is_whole_date(sentence, &date_part) {
        findings.add(date_part.range(), date(Kind::DateFull), 0.9);
        return true;
    }
    false
}

fn triple(sentence: &str, chain: &Chain, findings: &mut Findings) {
    if date_with_clock(sentence, chain, findings) {
        return;
    }
    if !is_whole_date(sentence, chain) || is_glued(sentence, chain) {
        return;
    }
    let separator = chain.separators()[0];
    let four_digit_year = chain.numbers().iter().any(|(start, end)| end - start == 4);
    let score = match separator {
        b'/' => 1.0,
        b'-' if four_digit_year => 1.0,
        b'-' => 0.9,
        _ if four_digit_year => 1.0,
        // A dotted short date looks like the number of a version or a section.
        _ if listed!(word_before(sentence, chain.start), "v version section software release rev") => {
            return;
        }
        _ => 0.8,
    };
    // `methadone 10/10/15 mg`, `lispro 8/8/10 w/ meals`: doses of a day.
    let dosed = listed!(word_after(sentence, chain.end), "mg units u w/ tid qid meals ac")
        && listed!(
            word_before(sentence, chain.start),
            "methadone insulin lispro aspart humalog novolog nph levemir glargine regular prandial dose doses baclofen gabapentin sinemet prednisone"
        );
    if separator == b'/' && !four_digit_year && dosed {
        return;
    }
    // Three small numbers with dashes may be a schedule or a size: `2-3-10`, `6-12-24 months`.
    if score < 1.0 && listed!(word_after(sentence, chain.end), "mg ml cm mm units months weeks hours") {
        return;
    }
    let previous = word_before(sentence, chain.start);
    if !four_digit_year && is_one_of(previous, &["bp", "dosing", "fr", "gravida", "para"]) {
        return;
    }
    findings.add(chain.range(), date(Kind::DateFull), score);
}

/// Whether a letter or sign right before or after makes the chain a part of something else: `L3/4/5`, `3/4/19mg`.
pub(super) fn is_glued(sentence: &str, chain: &Chain) -> bool {
    let before = byte_before(sentence, chain.start);
    let after = byte_at(sentence, chain.end);
    let whole = chain.count == 3 && chain.numbers().iter().any(|(start, end)| end - start == 4);
    let file_name = before == b'_' && chain.count == 3 && matches!(after, b'.' | b'_');
    let vertebra =
        before.is_ascii_alphabetic() && !whole && !byte_before(sentence, chain.start - 1).is_ascii_alphabetic();
    // `Ovesco 11/6t` is a size; `3/4/2019T14:20` goes on with a clock time.
    let sized = chain.count == 2 && after == b't' && !byte_at(sentence, chain.end + 1).is_ascii_alphabetic();
    // `DOB 3/14/61F`, `seen 3/14/19by Dr`: three numbers with strokes are a day, and no size with its unit, `10/12/14Fr`.
    let behind = &sentence[chain.end..];
    let behind = &behind[..behind.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let is_day = chain.count == 3
        && chain.separators() == b"//"
        && is_whole_date(sentence, chain)
        && listed!(behind, "m f by at and for with to on in pt");
    let unit = after.is_ascii_alphabetic()
        && !whole
        && !is_day
        && (sized || !matches!(after, b'T' | b't' | b'a' | b'A' | b'@'));
    vertebra || unit || !file_name && (matches!(before, b'$' | b'#' | b'_') || matches!(after, b'%' | b'_'))
}

/// Chains with two kinds of separators: ranges `3/4-3/7`, `3/4/19-3/9/19`, `3/4-7`.
fn mixed(sentence: &str, survey: &Survey, chain: &Chain, findings: &mut Findings) {
    let separators = chain.separators();
    // `2019-07-22/2019-07-25`
    if separators == b"--/--" {
        for part in [chain.part(0, 3), chain.part(3, 6)].iter().filter(|part| is_whole_date(sentence, part)) {
            findings.add(part.range(), date(Kind::DateFull), 0.95);
        }
        return;
    }
    if days_in_a_row(sentence, chain, findings) {
        return;
    }
    let Some(dash) = separators.iter().position(|&separator| separator == b'-') else {
        return;
    };
    if separators.iter().filter(|&&separator| separator == b'-').count() != 1
        || separators.iter().all(|&separator| separator == b'-')
    {
        return;
    }
    let (left, right) = (chain.part(0, dash + 1), chain.part(dash + 1, chain.count));
    let is_date = |part: &Chain| match part.count {
        2 => {
            let ((first, first_digits), (second, second_digits)) =
                (value(sentence, part.numbers()[0]), value(sentence, part.numbers()[1]));
            part.separators()[0] == b'/'
                && first_digits <= 2
                && (second_digits <= 2 && day_and_month(first, second)
                    || second_digits == 4 && first <= 12 && year(second, 4).is_some())
        }
        3 => is_whole_date(sentence, part),
        _ => false,
    };
    let kind = |part: &Chain| date(if part.count == 3 { Kind::DateFull } else { Kind::DatePartial });
    let fraction = fraction_word_near(sentence, chain.start) && left.count == 2 && right.count == 2
        || listed!(word_after(sentence, chain.end), FRACTION_WORDS);
    // `20 mg (2/2019-11/2020)`: a fraction has no year.
    let has_year = |part: &Chain| part.numbers().iter().any(|(start, end)| end - start == 4);
    if is_date(&left) && is_date(&right) && (!fraction || has_year(&left) || has_year(&right)) {
        findings.add(left.range(), kind(&left), 0.9);
        findings.add(right.range(), kind(&right), 0.9);
    } else if is_date(&left) && right.count <= 2 && !fraction {
        same_month(sentence, survey, &left, &right, findings);
    } else if is_date(&right) && right.count == 3 && left.count == 1 && value(sentence, left.numbers()[0]).0 <= 31 {
        findings.add(chain.range(), date(Kind::DateFull), 0.9);
    }
}

/// `3/4/19-3/5/19-3/6/19`, `3/4-3/5-3/6`, `01/02/2019/03/04/2019`: three days with dashes between them, or two that ran together.
fn days_in_a_row(sentence: &str, chain: &Chain, findings: &mut Findings) -> bool {
    let separators = chain.separators();
    let ran_together = separators == b"/////";
    let each = match separators {
        _ if ran_together => 3,
        _ if separators.iter().filter(|&&separator| separator == b'-').count() < 2 => return false,
        _ => separators.iter().position(|&separator| separator == b'-').map_or(0, |dash| dash + 1),
    };
    if !(2..=3).contains(&each) || !chain.count.is_multiple_of(each) {
        return false;
    }
    let parts: Vec<Chain> = (0..chain.count).step_by(each).map(|first| chain.part(first, first + each)).collect();
    let mut joints = (each..chain.count).step_by(each).map(|first| separators[first - 1]);
    let is_joined = ran_together || joints.all(|joint| joint == b'-');
    let is_day = |part: &Chain| match each {
        3 => part.separators() == b"//" && is_whole_date(sentence, part),
        _ => {
            let [(first, one), (second, other)] = [0, 1].map(|at| value(sentence, part.numbers()[at]));
            part.separators() == b"/" && one <= 2 && other <= 2 && day_and_month(first, second)
        }
    };
    let of_four_digits = |part: &Chain| part.numbers().last().is_some_and(|(start, end)| end - start == 4);
    let is_told = !ran_together || parts.iter().all(of_four_digits);
    // `5/5-5/5-5/5`, `3/10-4/10-5/10`: scores out of one number.
    let out_of = |part: &Chain| value(sentence, part.numbers()[1]).0;
    let counted = each == 2
        && (fraction_word_near(sentence, chain.start)
            || listed!(word_after(sentence, chain.end), FRACTION_WORDS)
            || parts.windows(2).all(|pair| out_of(&pair[0]) == out_of(&pair[1])));
    if !is_joined || !is_told || counted || !parts.iter().all(is_day) {
        return false;
    }
    let kind = if each == 3 { Kind::DateFull } else { Kind::DatePartial };
    parts.iter().for_each(|part| findings.add(part.range(), date(kind), 0.9));
    true
}

/// `3/4-7` and `3/4-7/19`: a range of days that shares its month is one span.
fn same_month(sentence: &str, survey: &Survey, left: &Chain, right: &Chain, findings: &mut Findings) {
    let (last_day, _) = value(sentence, right.numbers()[0]);
    let (_, first_day) = (left, value(sentence, left.numbers()[left.count - 1]).0);
    if last_day > 31 {
        return;
    }
    if right.count == 2 && left.count == 2 {
        findings.add(left.start..right.end, date(Kind::DateFull), 0.8);
    } else if left.count == 2 && first_day < last_day {
        if let Some(score) = pairs::score(sentence, survey, left, (1, 31)) {
            findings.add(left.start..right.end, date(Kind::DatePartial), score);
        }
    } else if left.count == 3 {
        findings.add(left.range(), date(Kind::DateFull), 0.9);
    }
}
