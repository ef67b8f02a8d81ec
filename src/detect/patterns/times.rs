//! Clock times, the auxiliary label: `14:02`, `2:30 pm`, `0830 hrs`, `at 1430`.

use std::sync::LazyLock;

use regex::Regex;

use super::expression;
use super::findings::Findings;
use super::survey::Survey;
use crate::phi::Label;

static TIMES: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:\b|T)((?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?(?:\s?[ap]\.?m\b\.?)?)|\b((?:0?[1-9]|1[0-2])\s?[ap]\.?m\b\.?)|\b((?:[01][0-9]|2[0-3])[0-5][0-9])\s?(?:hrs?|hours)\b|\b(?:at|@)\s?((?:[01][0-9]|2[0-3])[0-5][0-9])\b",
    )
});

/// Adds clock times.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits == 0 {
        return;
    }
    for captures in TIMES.captures_iter(sentence) {
        let Some(time) = captures.iter().skip(1).flatten().next() else {
            continue;
        };
        let goes_on = sentence.as_bytes().get(time.end()).is_some_and(u8::is_ascii_digit);
        if !goes_on && !findings.covers(&time.range()) {
            findings.add(time.range(), Label::Time, 0.9);
        }
    }
}
