//! Letters that stand for a person by what is behind them: `no oozing. lr RN`, `worksheet. kwz COA`, and `R.W., 58F` of a patient.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::detect::dictionary::{is_credential, is_post_nominal};
use crate::detect::listed::listed;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::initials_told::{NO_INITIALS, has_dotted_capitals};
use crate::detect::patterns::survey::Survey;
use crate::detect::patterns::{captures_in, expression};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Capitals with their stops before an age and a sex, or an age between commas, where a case begins: a patient of a conference.
static AGED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:^|\n|[:|]|\b(?:case|pt|patient)\s?#?[0-9]{0,3}[.:)]?)\s*((?-i:[A-Z]\.[A-Z]\.(?:[A-Z]\.)?)),?\s[1-9][0-9]\s?(?:(?-i:[MF])\b|y/?o\b|years?\b|yr\b|,)",
    )
});
/// What such capitals abbreviate besides.
const DISEASES: &str = "mi af chf uti dm htn copd cad cva bp hr jp pe dvt tb ra ms hf";
/// What small letters before a credential are besides.
const NO_SIGNERS: &str = "to by the an and or for per md rn via with from my our her his on at of as is in pt no new seen ask call told paged \
                          tell see each any all one two was are has had not this that ed er icu pm am me cc re ref care peds psych home day \
                          note work left main med meds labs lead trip unit ward team head chg mgr dir noc eve nite prn uro gyn neph pulm endo \
                          derm rheu onc heme ent ext surg neur cbc gtt";

/// Adds such letters.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for (start, line) in survey.lines(sentence) {
        if let Some(letters) = before_credential(line) {
            let range = start + letters.start..start + letters.end;
            if !findings.covers(&range) {
                findings.add(range, Label::Doctor, 0.65);
            }
        }
    }
    if survey.digits > 0 && survey.has_mark(b'.') && has_dotted_capitals(sentence.as_bytes()) {
        for letters in captures_in(&AGED, sentence).filter_map(|captures| captures.get(1)) {
            let plain = letters.as_str().replace('.', "");
            if !listed!(&plain, NO_INITIALS) && !listed!(&plain, DISEASES) && !findings.covers(&letters.range()) {
                findings.add(letters.range(), Label::Patient, 0.7);
            }
        }
    }
}

/// Two to four small letters before the credential that ends a line; on a line of their own they sign, whatever they are besides.
fn before_credential(line: &str) -> Option<Range<usize>> {
    let line = line.trim_end_matches([' ', '\t', '\r', '.', ',', ';', ')']);
    let (head, credential) = line.rsplit_once(' ')?;
    let capitals = credential.len() > 1 && credential.bytes().all(|byte| byte.is_ascii_uppercase());
    let known = listed!(credential, "rn lpn cna np rph pharmd crna") && !credential.contains(char::is_uppercase)
        || capitals && (is_credential(credential) || is_post_nominal(credential));
    let head = head.trim_end_matches(',');
    let letters = head.bytes().rev().take_while(u8::is_ascii_lowercase).count();
    let start = head.len() - letters;
    let word = &head[start..];
    let free = head[..start].is_empty() || head[..start].ends_with([' ', '\t', '.', '(', '-', '—', '–']);
    if !known || !free || !(2..=4).contains(&letters) || listed!(word, NO_SIGNERS) {
        return None;
    }
    const TERMS: WordFlags = WordFlags::MEDICAL.union(WordFlags::DRUG).union(WordFlags::CARE_ROLE);
    let info = Lexicon::shared().word(word);
    let explained = info.english_size().is_some_and(|size| size <= 70)
        || info.is_any(TERMS)
        || letters == 2 && info.is(WordFlags::ABBREVIATION);
    (start == 0 || !explained).then_some(start..head.len())
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
        for sentence in [
            "seen by RN.",
            "call the RN",
            "at 3 pm RN",
            "was on I.V. 20 mg",
            "see MD",
            "per ED MD",
            "D.C. 20 y ago",
            "s/p M.I., 62M",
            "cleared by uro NP",
        ] {
            assert_eq!(found(sentence, &[Label::Doctor, Label::Patient]), [] as [&str; 0], "{sentence}");
        }
    }
}
