//! Numbers that a country gives its people, by their form alone: groups in which nothing else is written.
//!
//! ```text
//! 3428 90117 5           Medicare of Australia
//! 880614 5207 08 3       identity number of South Africa, which begins with the birth date
//! K441827(3)             identity card of Hong Kong, with its check digit
//! 91-2345-6789-0123      health account (ABHA) of India
//! Aadhaar 4471 0082 9163 · CHI 190242 7162 · PHN 9074 118 226     by their word and their groups
//! ```

use std::sync::LazyLock;

use regex::Regex;

use super::context::byte_at;
use super::findings::Findings;
use super::survey::Survey;
use super::{captures_in, expression};
use crate::phi::Label;

/// Forms that hardly anything else has, and those that a word before them tells, in a group. Each begins and ends where a word does.
static FORMS: LazyLock<[(Label, Regex); 4]> = LazyLock::new(|| {
    [
        (
            Label::HealthPlan,
            expression(r"\b[2-6][0-9]{3} [0-9]{5} [0-9]\b(?:[-/][0-9]\b)?|\b[0-9]{2}-[0-9]{4}-[0-9]{4}-[0-9]{4}\b"),
        ),
        (
            Label::IdNum,
            expression(
                r"\b[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]) [0-9]{4} (?:[01][89] [0-9]|[01][89][0-9])\b|\b(?-i:[A-Z]{1,2}[0-9]{6}\([0-9A]\))",
            ),
        ),
        (
            Label::HealthPlan,
            expression(
                r"\b(?:chi|phn|hcn|h&c|h & c|health card|mcp|ramq|ahcip|ohip|msp|nhs|ihi|nhia|nhif|sha)\b[ .:#]*(?:no\b|number\b)?[ .:#]*((?-i:[A-Z]{1,4})?[ /]?[0-9]{3,6}[ -][0-9]{3,5}(?:[ -][0-9]{3,4})?(?:[ -]?(?-i:[A-Z]{1,2})\b)?)\b",
            ),
        ),
        (
            Label::IdNum,
            expression(
                r"\b(?:aadha+r|uidai|uid)\b[ .:#]*(?:no\b|number\b|card\b)?[ .:#]*([0-9x]{4}[ -][0-9x]{4}[ -][0-9]{4})\b",
            ),
        ),
    ]
});

/// Adds the numbers.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits < 7 {
        return;
    }
    for (label, form) in FORMS.iter() {
        for captures in captures_in(form, sentence) {
            let Some(found) = captures.get(1).or_else(|| captures.get(0)) else { continue };
            let goes_on = matches!(byte_at(sentence, found.end()), b'-' | b'/' | b'.')
                && byte_at(sentence, found.end() + 1).is_ascii_digit();
            if !goes_on && !findings.covers(&found.range()) {
                findings.add(found.range(), *label, 0.9);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn numbers_by_their_groups() {
        for (sentence, number) in [
            ("Cardamone, 79, Medicare 3428 90117 5 ref 2", "3428 90117 5"),
            ("SA ID 880614 5207 08 3", "880614 5207 08 3"),
            ("HKID K441827(3)", "K441827(3)"),
            ("F  81  CHI 190242 7162", "190242 7162"),
            ("Re Harpreet GREWAL, PHN 9074 118 226, born May 4, 1983", "9074 118 226"),
            ("Aadhaar 4471 0082 9163 xerox taken", "4471 0082 9163"),
            ("HCN 1234 567 890 ON", "1234 567 890 ON"),
        ] {
            assert_eq!(found(sentence, &[Label::HealthPlan, Label::IdNum]), [number], "{sentence}");
        }
    }

    #[test]
    fn numbers_of_other_things() {
        for sentence in ["rounds 0800 1200 1600", "tai chi 30 min", "doses of 250 500 750", "I/O 1200 1500 300"] {
            assert_eq!(found(sentence, &[Label::HealthPlan, Label::IdNum]), [] as [&str; 0], "{sentence}");
        }
    }
}
