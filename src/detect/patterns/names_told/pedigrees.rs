//! Members of a family behind their place in its pedigree, and their ages: `II-1 Rivka    br ca 44, contralat 58`.

use std::sync::LazyLock;

use regex::Regex;

use super::is_term;
use crate::detect::listed::listed;
use crate::detect::patterns::ages::class;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::survey::Survey;
use crate::detect::patterns::{captures_in, expression};
use crate::phi::Label;

/// A generation in Roman figures, a number, and a name (Bennett et al. 2008, the nomenclature of pedigrees).
static MEMBER: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:^|\n)\s*(?-i:I|II|III|IV|V|VI)[-:.][0-9]{1,2}[:.]?\s+(?:(?:pt's|her|his|the|mat|pat)\s)?((?u-i:\p{Lu}\p{Ll}[\p{L}'’-]*(?: \p{Lu}\p{L}['’\p{L}-]+)?))",
    )
});
/// The age at which somebody fell ill, was seen alive or died, in such a line.
static AGE: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:ca|cancer|carcinoma|contralat|contralateral|alive|living|breast|ovary|ovarian|colon|crc|prostate|pancreas|melanoma|uterine|endometrial|gastric|renal|thyroid|mi|cva|stroke|dx|d\.|died)(?: at)? ([1-9][0-9]?|1[01][0-9])\b",
    )
});
/// What stands there and names nobody.
const NOBODY: &str = "you consultand client proband unaffected affected deceased alive healthy male female unknown carrier sister brother mother father aunt uncle son \
                      daughter twin twins cousin sibs siblings breast colon ovarian prostate index no none patient self died well";

/// Adds them.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits == 0 || !sentence.trim_start().starts_with(['I', 'V']) && !survey.has_mark(b'\n') {
        return;
    }
    for member in captures_in(&MEMBER, sentence).filter_map(|captures| captures.get(1)) {
        let first = member.as_str().split(' ').next().unwrap_or_default();
        if listed!(first, NOBODY) || is_term(first) {
            continue;
        }
        if !findings.covers(&member.range()) {
            findings.add(member.range(), Label::Patient, 0.8);
        }
        let line = &sentence[member.end()..];
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        for age in captures_in(&AGE, line).filter_map(|captures| captures.get(1)) {
            let range = member.end() + age.start()..member.end() + age.end();
            if !findings.covers(&range) {
                findings.add(range, class(age.as_str().parse().unwrap_or(0)), 0.75);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn members_of_a_family() {
        for (sentence, told) in [
            ("II-1 Rivka    br ca 44, contralat 58, alive 73", &["Rivka", "44", "58", "73"] as &[&str]),
            ("I-2  Fruma   ov ca, d. 49", &["Fruma", "49"]),
            ("III-1 proband, unaff", &[]),
            ("II-3 Breast ca 44", &[]),
            ("I-1 Asthma since 12", &[]),
        ] {
            let found: Vec<_> = found(sentence, &[Label::Patient, Label::Age]);
            assert!(told.iter().all(|value| found.contains(value)), "{sentence}: {found:?}");
            assert!(!told.is_empty() || !found.iter().any(|value| value.starts_with(char::is_uppercase)), "{sentence}");
        }
    }
}
