//! Letters that stand for a person by what is behind them: `no oozing. lr RN`, `worksheet. kwz COA`, `prepared by tb`, and `R.W., 58F` of a patient.

use std::sync::LazyLock;

use regex::Regex;

use crate::detect::dictionary::{is_credential, is_post_nominal};
use crate::detect::listed::listed;
use crate::detect::patterns::expression;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::survey::Survey;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Two to four small letters, a blank or a comma, and capitals or a credential in small letters that end what is said.
static CREDENTIALED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:^|[\s.(-]|(?u:[—–]))((?-i:[a-z]{2,4})),?\s((?-i:[A-Z]{2,5})|(?-i:rn|lpn|cna|np|rph|pharmd|crna))\s*(?:$|[,;.)\n])",
    )
});
/// Capitals with their stops before an age and a sex, or an age between commas: a patient of a conference.
static AGED: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"\b((?-i:[A-Z]\.[A-Z]\.(?:[A-Z]\.)?)),?\s(?:[1-9][0-9]?\s?(?:(?-i:[MF])\b|y/?o\b|years?\b|yr\b|,))")
});
/// What small letters before a credential are besides.
const NO_SIGNERS: &str = "to by the an and or for per md rn via with from my our her his on at of as is in pt no new via seen ask call told \
                          paged tell see each any all one two was are has had not this that ed er or icu pm am me cc re ref care peds psych \
                          home day note work left main med meds labs lead trip unit ward team head chg mgr dir noc eve nite prn";

/// Adds such letters.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for captures in CREDENTIALED.captures_iter(sentence) {
        let (Some(letters), Some(credential)) = (captures.get(1), captures.get(2)) else { continue };
        let info = Lexicon::shared().word(letters.as_str());
        let word = info.english_size().is_some_and(|size| size <= 70)
            || info.is_any(
                WordFlags::MEDICAL.union(WordFlags::ABBREVIATION).union(WordFlags::DRUG).union(WordFlags::CARE_ROLE),
            );
        // On a line of their own they sign, whatever they are besides.
        let line = sentence[letters.start()..].lines().next().unwrap_or_default();
        let alone = (letters.start() == 0 || sentence[..letters.start()].ends_with('\n'))
            && credential.end() == letters.start() + line.trim_end().len();
        let word = word && !alone;
        let known = is_credential(credential.as_str())
            || is_post_nominal(credential.as_str())
            || credential.as_str().chars().all(char::is_lowercase);
        if known && !word && !listed!(letters.as_str(), NO_SIGNERS) && !findings.covers(&letters.range()) {
            findings.add(letters.range(), Label::Doctor, 0.65);
        }
    }
    if survey.digits > 0 {
        for letters in AGED.captures_iter(sentence).filter_map(|captures| captures.get(1)) {
            let plain = letters.as_str().replace('.', "");
            if !listed!(&plain, super::super::initials_told::NO_INITIALS) && !findings.covers(&letters.range()) {
                findings.add(letters.range(), Label::Patient, 0.7);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn letters_before_a_credential_or_an_age() {
        for (sentence, label, letters) in [
            ("needle 15g x2, no oozing\nlr rn", Label::Doctor, "lr"),
            ("To Pod C when on 2 L. tmcg NNP", Label::Doctor, "tmcg"),
            ("at front desk. kwz COA", Label::Doctor, "kwz"),
            ("Case 3: R.W., 58F, slides from", Label::Patient, "R.W."),
            ("Case 3. R.M., 63, G4P4", Label::Patient, "R.M."),
        ] {
            assert_eq!(found(sentence, &[label]), [letters], "{sentence}");
        }
    }

    #[test]
    fn other_letters() {
        for sentence in
            ["seen by RN.", "call the RN", "at 3 pm RN", "was on I.V. 20 mg", "see MD", "per ED MD", "D.C. 20 y ago"]
        {
            assert_eq!(found(sentence, &[Label::Doctor, Label::Patient]), [] as [&str; 0], "{sentence}");
        }
    }
}
