//! Ages of more than one number: `6y4m`, `5 yrs 2 mos`, `3 1/2 year old`, `2½ y/o`, `5 2/12 yo`, `appears 30-35`, `40ish`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::ages::class;
use super::context::{byte_at, byte_before, first_run, word_after, word_before};
use super::findings::Findings;
use super::survey::Chain;
use super::years::unit_follows;
use super::{anchored, expression};
use crate::detect::listed::listed;

/// Years, and the months after them.
static MONTHS: LazyLock<Regex> = LazyLock::new(|| {
    anchored(r"[ -]?(?:y|yr|yrs|year|years)\.?,?[ -]?(?:and |& )?([0-9]{1,2})[ -]?(?:m|mo|mos|mth|mths|month|months)\b")
});
/// A fraction of a year before a unit that tells an age.
static FRACTION: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"^(?:(?u:[½¼¾])|[ -][0-9]/[0-9]{1,2})[ -]?(?:y/o|y\.?o\b|yrs?\.?[ -]old|years?[ -]old|months?[ -]old|mo[ -]old)",
    )
});
/// What years and months of an age follow; after anything else they may be a duration.
const PEOPLE: &str =
    "at ca age aged is was male female m f boy girl infant toddler child now turned she's he's pt patient";

/// Judges a chain with which such an age begins.
pub(super) fn detect(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let (start, end) = chain.numbers()[0];
    if end - start > 3 || byte_before(sentence, start).is_ascii_alphanumeric() || findings.covers(&chain.range()) {
        return;
    }
    let Ok(years) = sentence[start..end].parse::<u32>() else { return };
    if years > 115 {
        return;
    }
    match chain.count {
        1 => {
            years_and_months(sentence, start..end, years, findings);
            with_fraction(sentence, start..end, years, findings);
            of_school(sentence, start..end, years, findings);
            about(sentence, start..end, years, findings);
        }
        2 => between(sentence, chain, years, findings),
        _ => {}
    }
}

/// `6y4m`, `21 y 3 m`, `5 yrs 2 mos`.
fn years_and_months(sentence: &str, range: Range<usize>, years: u32, findings: &mut Findings) {
    let rest = &sentence[range.end..];
    let before = word_before(sentence, range.start);
    if let Some(months) = MONTHS.captures(rest).and_then(|captures| captures.get(1).zip(captures.get(0))) {
        let (months, whole) = months;
        let after = word_after(sentence, range.end + whole.end());
        // `Brielle Two Shields   4 y 7 m`, `called Nadia, 4 y 2 mo`
        let head = &sentence[..range.start];
        let behind_name = before.starts_with(char::is_uppercase) && (head.ends_with("  ") || head.ends_with(", "));
        let told = listed!(before, PEOPLE) || range.start == 0 || head.ends_with('\n') || behind_name;
        if told
            && !listed!(
                after,
                "ago hx history prior later since post after s/p of duration survival follow-up interval"
            )
        {
            findings.add(range.clone(), class(years), 0.8);
            findings.add(range.end + months.start()..range.end + months.end(), class(0), 0.8);
        }
    }
}

/// `CA: 7;4`: a chronological age in years and months, as schools and therapists of speech write it.
fn of_school(sentence: &str, range: Range<usize>, years: u32, findings: &mut Findings) {
    let rest = &sentence[range.end..];
    let months = first_run(rest.strip_prefix(';').unwrap_or_default(), u8::is_ascii_digit);
    let whole = range.start..range.end + 1 + months.len();
    // `Ca 9;3` is calcium.
    let field = word_before(sentence, range.start);
    let told = field == "CA" || field.eq_ignore_ascii_case("chronological");
    let ends = !byte_at(sentence, whole.end).is_ascii_alphanumeric();
    if told && ends && (1..=21).contains(&years) && months.parse().is_ok_and(|months: u32| months < 12) {
        findings.add(whole, class(years), 0.9);
    }
}

/// `3 1/2 year old`, `2½ y/o`, `5 2/12 yo`.
fn with_fraction(sentence: &str, range: Range<usize>, years: u32, findings: &mut Findings) {
    let rest = &sentence[range.end..];
    if !FRACTION.is_match(rest) {
        return;
    }
    let fraction = rest.char_indices().skip(1).find(|(_, c)| !c.is_ascii_digit() && *c != '/').map_or(0, |(at, _)| at);
    findings.add(range.start..range.end + fraction, class(years), 0.95);
}

/// `a lady 40ish`, `60-ish man`: of a person, and of no vital sign.
fn about(sentence: &str, range: Range<usize>, years: u32, findings: &mut Findings) {
    let rest = &sentence[range.end..];
    let Some(after) = rest.strip_prefix("ish").or_else(|| rest.strip_prefix("-ish")) else { return };
    let person = listed!(word_before(sentence, range.start), "appears looks looking lady man woman male female aged")
        || listed!(word_after(after, 0), "man woman male female lady gentleman yo y/o year");
    if years > 12
        && person
        && !after.starts_with(|c: char| c.is_alphanumeric())
        && !super::ages::is_vital(sentence, range.start)
    {
        findings.add(range, class(years), 0.7);
    }
}

/// `appears 30-35`.
fn between(sentence: &str, chain: &Chain, years: u32, findings: &mut Findings) {
    let (start, end) = chain.numbers()[1];
    let Ok(most) = sentence[start..end].parse::<u32>() else { return };
    let told = listed!(word_before(sentence, chain.start), "appears appearing looks looking");
    let free = !byte_at(sentence, chain.end).is_ascii_alphanumeric() && byte_at(sentence, chain.end) != b'%';
    if chain.separators() == b"-"
        && told
        && free
        && years < most
        && most <= 115
        && years > 12
        && !unit_follows(sentence, chain.end)
    {
        findings.add(chain.numbers()[0].0..chain.numbers()[0].1, class(years), 0.8);
        findings.add(start..end, class(most), 0.8);
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn ages(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Age])
    }

    #[test]
    fn ages_of_several_numbers() {
        assert_eq!(ages("6y4m, wt 21.3 kg"), ["6", "4"]);
        assert_eq!(ages("CA 5 yrs 2 mos; receptive lang. at 3 yrs 9 mos"), ["5", "2", "3", "9"]);
        assert_eq!(ages("Brielle Two Shields   4 y 7 m   Wt 15.8 kg"), ["4", "7"]);
        assert_eq!(ages("Age: 7;11   Grade: 2"), ["7;11"]);
        assert_eq!(ages("CA: 7;4   District: North"), ["7;4"]);
        assert_eq!(ages("chronological age 6;0, MLU 3.1"), ["6;0"]);
        assert_eq!(ages("2½ y/o w barky cough"), ["2½"]);
        assert_eq!(ages("3 1/2 year old, ate soap"), ["3 1/2"]);
        assert_eq!(ages("5 2/12 yo girl"), ["5 2/12"]);
        assert_eq!(ages("Unidentified male, appears 30-35, no wallet"), ["30", "35"]);
        assert_eq!(ages("a lady 40ish"), ["40"]);
    }

    #[test]
    fn durations_and_amounts() {
        for sentence in [
            "for 2 years 3 months",
            "stable over 1 yr 6 mo",
            "3 y 2 m ago",
            "HR is 90ish",
            "CA 9; 4 mg given",
            "CA 19;44",
            "Ca 9;3",
            "tokens 7;4",
            "HR 60-65",
            "1/2 tab",
            "married 5 yrs 2 mos",
        ] {
            assert_eq!(ages(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
