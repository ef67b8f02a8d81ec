//! Patients whom logs and forms name by less than a name: `8:12  Jaxsyn B gr 2`, `Pt 0918 Grant L.`, `Client: K.M.`, `Initials: J-Q`,
//! `pt known as "Stone"`.

use std::sync::LazyLock;

use regex::Regex;

use super::NO_INITIALS;
use crate::detect::listed::listed;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::survey::Survey;
use crate::detect::patterns::topics::Topics;
use crate::detect::patterns::{captures_in, expression};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// The line of a school: a time, a pupil, a grade.
static GRADED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:^|\n)\s*[0-9]{1,2}:?[0-9]{2}\s?(?:[ap]m?)?\s+((?-i:[A-Z][A-Za-z]{1,14}\s[A-Z](?:-[A-Z])?))\.?\s+(?:gr|grade)\.?\s(?:k|pk|[1-9]|1[0-2])\b",
    )
});
/// A number of a programme, a given name and an initial.
static NUMBERED: LazyLock<Regex> =
    LazyLock::new(|| expression(r"\b(?:pt|client|patient)\s#?[0-9]{3,6}\s+((?-i:[A-Z][a-z]{2,14}\s[A-Z]))\."));
/// What a patient is known as, in quotation marks.
static KNOWN_AS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r#"\b(?:pt|patient|client|resident|he|she)\s(?:(?:is|was|also|best)\s){0,2}(?:known\sas|goes\sby|answers\sto)\s(?u:["“])((?-i:[A-Z][a-z]{1,14}))(?u:["”])"#,
    )
});
/// Initials of a client, and those of a study with a dash for the second name.
static INITIALS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:client|student|pupil|child|camper|participant|consumer)\s?:\s?((?-i:[A-Z]\.[A-Z]\.(?:[A-Z]\.)?))|\binitials?(?:\s?:\s?|\s)((?-i:[A-Z]-[A-Z]{1,2}))\b",
    )
});

/// Adds such patients.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let about = |topic: Topics| survey.topics.has(topic);
    if survey.digits > 2 && about(Topics::GRADED) {
        told_by(&GRADED, sentence, findings);
    }
    if survey.digits > 2 && about(Topics::CLIENTS) {
        told_by(&NUMBERED, sentence, findings);
    }
    if survey.has_mark(b'"') || survey.beyond_ascii {
        told_by(&KNOWN_AS, sentence, findings);
    }
    if survey.colons > 0 && about(Topics::CLIENTS) {
        told_by(&INITIALS, sentence, findings);
    }
}

/// Adds what an expression captures, unless its first word or its letters are plainly another thing: `1204  Hepatitis B gr 2`.
fn told_by(expression: &Regex, sentence: &str, findings: &mut Findings) {
    for captures in captures_in(expression, sentence) {
        let Some(found) = captures.iter().skip(1).flatten().next() else { continue };
        let letters = found.as_str().replace(['.', '-'], "");
        let first = found.as_str().split(' ').next().unwrap_or_default();
        if !is_other(first) && !listed!(&letters, NO_INITIALS) && !findings.covers(&found.range()) {
            findings.add(found.range(), Label::Patient, 0.75);
        }
    }
}

/// Whether a word means a thing of medicine, or a class of things, and is hardly anybody's name.
fn is_other(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    let medical = info.is_any(WordFlags::MEDICAL.union(WordFlags::DRUG)) && info.given_count < 1_000;
    medical || listed!(word, "type stage class group grade child level part plan bed room unit")
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn patients(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Patient])
    }

    #[test]
    fn patients_by_less_than_a_name() {
        for (sentence, all) in [
            ("8:12  Jaxsyn B gr 2  HA, temp 98.2", &["Jaxsyn B"] as &[&str]),
            ("1:05  Wren T-H gr K  lice", &["Wren T-H"]),
            ("Pt 0918 Grant L. at 95 mg", &["Grant L"]),
            ("pt known as \"Stone\", born elsewhere", &["Stone"]),
            ("Client: K.M.    seen at home", &["K.M."]),
            ("Initials: J-Q   visit 4", &["J-Q"]),
        ] {
            assert_eq!(patients(sentence), all, "{sentence}");
        }
    }

    #[test]
    fn things_in_such_places() {
        for sentence in [
            "1204  Hepatitis B gr 2",
            "Child B grade 2",
            "a drug known as \"Ice\"",
            "Client: U.S. only",
            "2 kids, Asthma (4)",
            "children on Medicaid (4)",
            "siblings have Crohn (2)",
            "siblings (2) and Tylenol (4)",
        ] {
            assert_eq!(patients(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
