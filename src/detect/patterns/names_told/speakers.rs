//! Who speaks or writes in a log: `(23:07) Bo: me y`, `[3/5/24, 14:02] kiki: ok`, and behind a role: `AIDE (Precious): bath x3`.

use std::sync::LazyLock;

use regex::Regex;

use super::is_term;
use crate::detect::listed::listed;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::survey::Survey;
use crate::detect::patterns::{captures_in, expression};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// A time in brackets at the head of a line, its day before it or not, a word or a few, a colon: `(11/28 2:14 PM) Tess V.: ok`; or a day and
/// a time with a dash behind them, as telephones write: `3/5/24, 14:02 - Bo: ok`.
static TIMED: LazyLock<Regex> = LazyLock::new(|| {
    const DAY: &str = r"(?:[0-9]{1,4}[-/.][0-9]{1,2}(?:[-/.][0-9]{2,4})?|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)";
    const TIME: &str = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\s?[ap]\.?(?:m\b\.?)?)?";
    const NAME: &str = r"((?u:\p{L}[\p{L}'’-]{1,14})(?:\s(?u-i:\p{Lu}[\p{L}'’-]{0,14}\.?)){0,2})";
    expression(&format!(
        r"(?:^|\n)\s*(?:[\[(<](?:{DAY},? (?:at )?)?{TIME}[\])>]\s+|{DAY},? {TIME} ?(?u:[-–]) ){NAME}\s?:\s"
    ))
});
/// A role at the head of a line, who has it in brackets, a colon.
static ROLED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:^|\n)\s*(?:aide|rn|lpn|cna|hha|nurse|chaplain|sw|msw|lcsw|social work(?:er)?|volunteer|pt|ot|slp|st|md|np|pa|rt|dietitian|dietician|pharmacist|therapist|case manager|cm|sitter|tech|scribe|bereavement|music therapy|art therapy|child life|counselor)\s\(((?u-i:\p{Lu}\p{Ll}[\p{L}'’-]*(?: \p{Lu}\.?(?:[\p{L}'’-]+)?){0,2}))\)\s?:",
    )
});
/// What stands before a colon there and is nobody's name.
const NOBODY: &str = "rn md np pa lpn cna nurse doctor provider patient pt note notes plan update bp hr rr temp spo2 pain vitals vs tele lab labs rx \
                      order orders med meds action event alarm call caller callers agent bot system auto user admin team all re fyi nb ps from to subject \
                      response question answer me you unknown unit triage resident fellow attending intern charge pharmacy client therapist mother mom \
                      father dad wife husband son daughter sister brother operator dispatch status result results assessment";

/// Adds them.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.colons == 0 {
        return;
    }
    if survey.digits > 2 && survey.colons > 1 {
        for name in captures_in(&TIMED, sentence).filter_map(|captures| captures.get(1)) {
            let first = name.as_str().split(' ').next().unwrap_or_default();
            const OTHER: WordFlags = WordFlags::MEDICAL.union(WordFlags::DRUG).union(WordFlags::ABBREVIATION);
            let info = Lexicon::shared().word(first);
            let is_other = info.is_any(OTHER) && info.given_count < 1_000 || listed!(first, NOBODY);
            if !is_other && !findings.covers(&name.range()) {
                findings.add(name.range(), Label::Doctor, 0.75);
            }
        }
    }
    if !survey.has_mark(b'(') {
        return;
    }
    for name in captures_in(&ROLED, sentence).filter_map(|captures| captures.get(1)) {
        let first = name.as_str().split(' ').next().unwrap_or_default();
        if !is_term(first) && !listed!(first, NOBODY) && !findings.covers(&name.range()) {
            findings.add(name.range(), Label::Doctor, 0.75);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn whoever_speaks() {
        for (sentence, told) in [
            ("(23:07) Bo: me y", &["Bo"] as &[&str]),
            ("[14:02:11] kiki: hey who has 22", &["kiki"]),
            ("(23:15) Bo: hope called", &["Bo"]),
            ("AIDE (Precious): bath x3", &["Precious"]),
            ("SOCIAL WORK (Dina Nakagawa): met the son", &["Dina Nakagawa"]),
            ("(11/28 2:14 PM) Tess V.: hey", &["Tess V."]),
            ("[3/5/24, 14:02:11] Jomo: me. why", &["Jomo"]),
            ("3/5/24, 14:02 - Ravindra: ok called", &["Ravindra"]),
            ("(11/28 2:14 PM) Vitals: stable", &[]),
            ("3/5/24 14:02 - Assessment: stable", &[]),
            ("(14:02) BP: 120/80", &[]),
            ("(14:02) RN: gave it", &[]),
            ("(08:15) Troponin: 0.4", &[]),
            ("RN (Days): gave it", &[]),
        ] {
            assert_eq!(found(sentence, &[Label::Doctor]), told, "{sentence}");
        }
    }
}
