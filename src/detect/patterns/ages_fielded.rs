//! Ages that a field or a form tells: `Age is given as 78`, `WELL CHILD 4 YR`, `Clinical details: 29 F, nodule`, `Pt 16. Went to`.

use std::sync::LazyLock;

use regex::Regex;

use super::ages::class;
use super::findings::Findings;
use super::survey::Survey;
use super::{captures_in, expression};

static TOLD: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r#"\bage (?:is |was )?(?:given|listed|stated|recorded|documented|reported|entered|shown|noted) as ([0-9]{1,3})\b|\bwell[- ](?:child|baby|adolescent)(?: (?:check|checkup|visit|exam|care))?[,:]? -? ?([0-9]{1,2}) ?(?:yrs?|years?|mos?|months?|y)\b|\b(?:clinical (?:details|info|information|history|indication)|history|hx|hpi|indications?|summary|one[- ]liner|c|s|id)\s?: ?([0-9]{1,2}|10[0-9]) ?(?-i:[MF])(?:,|\s["(a-z]|\.?$)|(?:^|[.!?\n] ?)(?-i:Pt|Patient) ([1-9][0-9])\.(?:\s|$)|\(([0-9]{1,2} and a half)\)|\b(?:(?:pt|patient|pat|client|member)_age|(?:(?:pt|patient|pat|client|member)_)?age(?:_[a-z]+)+) ?[=:] ?"?([0-9]{1,3})\b|\b([0-9]{1,2}|10[0-9]) ?(?:y/?o ?)?(?:(?-i:RHD?|LHD?)|(?:right|left)[- ]handed|ambidextrous) (?:woman|man|male|female|lady|gentleman|(?-i:[MF])\b)|\b([0-9]{1,3}), (?:turns|turning) [0-9]{1,3}\b|\b(?:sibs|siblings|brothers|sisters|nephews|nieces|cousins) ([0-9]{1,2}),? (?:and|&) ([0-9]{1,2})(?:[,.;)]|\s+(?:and|at|in|home|live|lives|with|w/|well|healthy|both|also|who)\b)"#,
    )
});

/// Adds them.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    // An age of one digit or more, and one word of the form.
    if survey.chains.is_empty() {
        return;
    }
    for captures in captures_in(&TOLD, sentence) {
        for age in captures.iter().skip(1).flatten().filter(|age| !findings.covers(&age.range())).collect::<Vec<_>>() {
            let digits = age.as_str().bytes().take_while(u8::is_ascii_digit).count();
            findings.add(age.range(), class(age.as_str()[..digits].parse().unwrap_or(0)), 0.75);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn ages_of_fields() {
        for (sentence, ages) in [
            ("1. Age is given as 78.", &["78"] as &[&str]),
            ("WELL CHILD 4 YR", &["4"]),
            ("Well child check, 4 yr", &["4"]),
            ("Clinical details: 29 F, thyroid nodule", &["29"]),
            ("C: 58 F \"can't catch my breath\"", &["58"]),
            ("Pt 16. Went to the park", &["16"]),
            ("joaquin (2 and a half) has spots", &["2 and a half"]),
            ("AGE_AT_VISIT=84", &["84"]),
            ("ID/CC: 83 RH woman, L weakness", &["83"]),
            ("Mr Ennis -- 101, turns 102 in spring", &["101", "102"]),
            ("Older sibs 11 and 6 home in Kirtland.", &["11", "6"]),
            ("GEST_AGE_WEEKS=39, STORAGE_TEMP=20", &[]),
            ("T: 99 F, HR 80", &[]),
            ("PT 16.2, INR 1.4", &[]),
            ("Well child care: 2 vaccines", &[]),
        ] {
            assert_eq!(found(sentence, &[Label::Age]), ages, "{sentence}");
        }
    }
}
