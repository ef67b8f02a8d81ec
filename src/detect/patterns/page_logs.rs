//! Numbers of pagers in the log of an exchange: `0703 to 31-8842: bed 22 BP 88/41`.

use std::sync::LazyLock;

use regex::Regex;

use super::expression;
use super::findings::Findings;
use super::survey::Survey;
use crate::phi::Label;

/// A clock time at the head of a line, and whom the page went to.
static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"^\s*(?:[0-9]{4}|[0-9]{1,2}:[0-9]{2})\s(?:to|->|→)\s([0-9]{1,3}-[0-9]{3,5}|[0-9]{5,10}):\s")
});

/// Adds such numbers.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits < 7 || survey.colons == 0 {
        return;
    }
    for (start, line) in survey.lines(sentence) {
        let entry = line.trim_start().starts_with(|c: char| c.is_ascii_digit()).then(|| ENTRY.captures(line)).flatten();
        if let Some(number) = entry.and_then(|entry| entry.get(1)) {
            let range = start + number.start()..start + number.end();
            if !findings.covers(&range) {
                findings.add(range, Label::Phone, 0.85);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn whom_a_page_went_to() {
        assert_eq!(found("0703 to 31-8842: bed 22 BP 88/41", &[Label::Phone]), ["31-8842"]);
        assert_eq!(found("07:03 to 60127: call micro", &[Label::Phone]), ["60127"]);
        assert_eq!(found("0700 to 1900: 1200 ml in", &[Label::Phone]), [] as [&str; 0]);
    }
}
