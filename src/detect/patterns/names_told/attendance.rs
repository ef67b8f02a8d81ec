//! Who came and who did not: `Attendance (6/8): Dusty, M'Kayla, Faith R.`, `No show: Beau.`, `Absent: Ioan & Kit`.

use std::sync::LazyLock;

use regex::Regex;

use super::is_term;
use crate::detect::listed::listed;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::survey::Survey;
use crate::detect::patterns::topics::Topics;
use crate::detect::patterns::{captures_in, expression};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// The word that such a list is called by, up to its first name.
static CALLED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:^|[\n.;]\s*)(?:group |also |those |family |in )?(?:attendance|attendees|attended|present|absent|excused|no[- ]shows?|participants)(?: by)?(?: ?\([a-z0-9/ ,.-]{1,12}\))?\s?[:=]\s?",
    )
});
/// One name: a word with a capital, further ones or an initial, or an initial and a surname.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"^\s?(?:and |& )?((?u-i:\p{Lu}\.? ?\p{Lu}[\p{L}'’]*|\p{Lu}[\p{L}'’-]+)(?u-i: \p{Lu}(?:[\p{L}'’-]+|\.)?){0,2})",
    )
});
/// What parts two names.
static MARK: LazyLock<Regex> = LazyLock::new(|| expression(r"^\s?(?:[,;/+&]|and\b)"));
/// Who comes and is told by no name.
const ROLES: &str = "patient pt mother father mom dad parents parent wife husband spouse son daughter sister brother family staff team all none \
                     yes no self both everyone client clients child interpreter police security rn md sw np pa pt ot bowel heart breath";

/// Adds the names of such lists.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if !survey.topics.has(Topics::ATTENDING) {
        return;
    }
    for called in captures_in(&CALLED, sentence).filter_map(|captures| captures.get(0)) {
        let (mut at, mut names) = (called.end(), Vec::new());
        while let Some(name) = NAME.captures(&sentence[at..]).and_then(|captures| captures.get(1)) {
            if !name.as_str().split([' ', '.']).filter(|word| word.len() > 1).all(may_be_called) {
                break;
            }
            names.push(at + name.start()..at + name.end());
            at += name.end();
            let Some(mark) = MARK.find(&sentence[at..]) else { break };
            at += mark.end();
        }
        // Of two or more one is known as a name, or a single one is.
        let is_known = |name: &std::ops::Range<usize>| sentence[name.clone()].split(' ').any(is_name);
        if !names.iter().any(is_known) {
            continue;
        }
        for name in names {
            if !findings.covers(&name) {
                findings.add(name, Label::Patient, 0.75);
            }
        }
    }
}

fn may_be_called(word: &str) -> bool {
    !listed!(word, ROLES) && !is_term(word)
}

fn is_name(word: &str) -> bool {
    Lexicon::shared().word(word).is_any(WordFlags::GIVEN_NAME.union(WordFlags::NICKNAME))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn who_came() {
        for (sentence, names) in [
            (
                "Attendance (6/8): Dusty, M'Kayla, Ioan, Faith R., Faith S., X. Cuauhtémoc.",
                &["Dusty", "M'Kayla", "Ioan", "Faith R.", "Faith S.", "X. Cuauhtémoc"] as &[&str],
            ),
            ("No show: Beau.", &["Beau"]),
            ("Absent: Ioan & Kit", &["Ioan", "Kit"]),
            ("Present: Mother, RN, SW", &[]),
            ("Present: Yes", &[]),
            ("Edema absent: Good", &[]),
        ] {
            assert_eq!(found(sentence, &[Label::Patient]), names, "{sentence}");
        }
    }
}
