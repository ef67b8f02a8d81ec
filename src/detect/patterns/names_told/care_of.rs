//! Who takes in somebody's mail: `c/o Hill, 44 Elm St`, `c/o Grace Field⏎PO Box 12`; no `c/o Pain, 4 days`.

use std::sync::LazyLock;

use regex::Regex;

use super::is_term;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::survey::Survey;
use crate::detect::patterns::{captures_in, expression};
use crate::lexicon::Lexicon;
use crate::phi::Label;

/// Words with a capital behind `c/o`, and a house or a box.
static MAIL: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\bc/o:?\s((?u-i:\p{Lu}[\p{L}'’-]+)(?: (?u-i:\p{Lu}[\p{L}.'’-]*)){0,2})(?:,\s?|\s?\n\s?|;\s?)(?:p\.?\s?o\.?\s?box|[0-9]{1,5}\s(?u-i:[NSEW]\.?\s)?(?u-i:\p{Lu}\p{L}))",
    )
});

/// Adds them.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits == 0 || !survey.has_mark(b'/') {
        return;
    }
    for name in captures_in(&MAIL, sentence).filter_map(|captures| captures.get(1)) {
        if name.as_str().split(' ').all(may_be_name) && !findings.covers(&name.range()) {
            findings.add(name.range(), Label::Patient, 0.75);
        }
    }
}

/// Whether a word is borne, or nothing that is complained of.
fn may_be_name(word: &str) -> bool {
    let info = Lexicon::shared().word(word.trim_end_matches('.'));
    info.surname_count.max(info.given_count) >= 100 || info.english_size().is_none() && !is_term(word)
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn who_takes_in_the_mail() {
        for (sentence, names) in [
            ("mail it c/o Hill, 44 Elm St", &["Hill"] as &[&str]),
            ("c/o Grace Field, PO Box 12", &["Grace Field"]),
            ("58F c/o Pain, 4 days", &[]),
            ("c/o Nausea, 2 Episodes", &[]),
            ("C/O ITCHING, 3 DAYS", &[]),
            ("pt c/o pain at 44 Elm St", &[]),
        ] {
            assert_eq!(found(sentence, &[Label::Patient]), names, "{sentence}");
        }
    }
}
