//! Names before a stage of training in brackets: `Lindqvist (MS3)`, `Sparrow (PGY-2)`.

use std::sync::LazyLock;

use regex::Regex;

use super::{is_plain, is_term};
use crate::detect::dictionary::is_credential;
use crate::detect::listed::listed;
use crate::detect::patterns::findings::Findings;
use crate::phi::Label;

static TRAINEES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b([A-Z][A-Za-z'’-]{1,24})(?:, [A-Z]\.?)? \((?:MS-?[1-4IV]{1,2}|PGY-? ?[1-9]|CA-?[123]|SRNA|FY[12]|CT[123]|ST[1-8])\)")
        .expect("the pattern is a literal")
});
/// Who stands there without a name.
const ROLES: &str = "resident intern student fellow registrar doctor team junior senior trainee sho f1 f2";

/// Adds such names.
pub(super) fn detect(sentence: &str, findings: &mut Findings) {
    let has_stage = |stage: &str| memchr::memmem::find(sentence.as_bytes(), stage.as_bytes()).is_some();
    if !sentence.contains('(')
        || !["(MS", "(PGY", "(CA", "(SRNA", "(FY", "(CT", "(ST"].iter().any(|stage| has_stage(stage))
    {
        return;
    }
    for found in TRAINEES.captures_iter(sentence) {
        let Some(name) = found.get(1) else { continue };
        let is_nobody = listed!(name.as_str(), ROLES)
            || is_credential(name.as_str())
            || is_term(name.as_str()) && is_plain(name.as_str());
        if !is_nobody && !findings.covers(&name.range()) {
            findings.add(name.range(), Label::Doctor, 0.85);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn who_is_in_training_is_named() {
        for (sentence, named) in [
            ("ASST: Vu (PGY4), Lindqvist (MS3)", &["Vu", "Lindqvist"] as &[&str]),
            ("seen with Rivers (PGY-2) today", &["Rivers"]),
            ("ASSISTANT: Dov Quarrion, MD (PGY-5)", &[]),
            ("d/w the Resident (PGY2) and Student (MS4)", &[]),
            ("Chest (CT2 of the series) and Head (CT)", &[]),
        ] {
            assert_eq!(found(sentence, &[Label::Doctor]), named, "{sentence}");
        }
    }
}
