//! What health workers write behind their names, which is no name itself.
//!
//! ```text
//! S. Haddad, MD, [FAAOS] · CLT-[LANA]       one of the list
//! S. Haddad, MD, [FAXYZ]                    behind one of the list, begins as those of fellows do, and nobody's name
//! seen by RN, [JTM]                         too few capitals: somebody's initials
//! ```

use super::dictionary::{is_credential, is_post_nominal};
use super::doubts::whole_token;
use super::listed::listed;
use crate::lexicon::Lexicon;
use crate::phi::Span;

/// The fewest capitals that are no initials, and the most that fellows have.
const FEWEST: usize = 4;
const MOST: usize = 7;
/// How the letters of fellows, diplomates and members of colleges begin.
const COLLEGES: [&str; 8] = ["FA", "FR", "FC", "FS", "FH", "DF", "DA", "MR"];

/// Whether a claim is on nothing but degrees, boards and colleges.
pub(super) fn is_behind_name(sentence: &str, span: &Span) -> bool {
    let words = &sentence[span.start..span.end];
    let mut parts = words.split([' ', ',', ';']).filter(|part| !part.is_empty()).peekable();
    let behind_one = behind_credential(&sentence[..span.start]);
    parts.peek().is_some()
        && (parts.all(|part| is_known(part, behind_one)) || is_known(whole_token(sentence, span), behind_one))
}

/// Whether a word is a credential: a known one that is nobody's name and has too many letters for initials, or any that is known, or begins
/// as those of colleges do, behind another one and a comma.
fn is_known(word: &str, behind_one: bool) -> bool {
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let named = || {
        let info = Lexicon::shared().word(word);
        info.surname_count > 0 || info.given_count > 0
    };
    let listed = is_post_nominal(word) || letters > 2 && is_credential(word) && word.contains(char::is_uppercase);
    let of_college = || {
        word.bytes().all(|byte| byte.is_ascii_uppercase())
            && (FEWEST..=MOST).contains(&letters)
            && COLLEGES.iter().any(|begins| word.starts_with(begins))
    };
    listed && (behind_one || letters >= FEWEST && !named()) || behind_one && of_college() && !named()
}

/// Whether a text ends in a credential and a comma, or in what a board is named after: `Dip.`.
fn behind_credential(before: &str) -> bool {
    let before = before.trim_end_matches(' ');
    if listed!(last_part(before.trim_end_matches('.')), "dip diplomate") {
        return true;
    }
    let Some(head) = before.strip_suffix([',', ';']) else { return false };
    let last = last_part(head.trim_end_matches('.'));
    last.contains(char::is_uppercase) && (is_credential(last) || is_post_nominal(last))
}

/// What stands behind the last blank or mark of a text.
fn last_part(text: &str) -> &str {
    text.rsplit([' ', ',', ';', '\n']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::{Detector, Label};

    fn behind(marked: &str) -> bool {
        let (start, end) = (marked.find('[').unwrap(), marked.find(']').unwrap());
        let sentence = marked.replacen('[', "", 1).replacen(']', "", 1);
        is_behind_name(&sentence, &Span::new(start, end - 1, Label::Doctor, Detector::Transformer, 0.9))
    }

    #[test]
    fn degrees_boards_and_colleges() {
        for sentence in [
            "S. Haddad-Boutros, MD, [FAAOS], CAQSH",
            "Okonjo, DO, MPH, [FACOEM]; lic",
            "attending Trautwein, MD, [DFAPA]",
            "Grant Yoder, DPT, CLT-[LANA]",
            "Baek, DMD, MS, Dip. [ABO]",
            "B. Curley RN [CCCTM]",
            "Lee, MD, [FAXYZ]",
            "MB BCh BAO, [FRCPCH, FAAP]",
        ] {
            assert!(behind(sentence), "{sentence}");
        }
    }

    #[test]
    fn names_and_initials() {
        for sentence in [
            "seen by RN, [JTM]",
            "attending MD, [PATEL]",
            "[FAXYZ] called",
            "Lee, MD, [Okonjo]",
            "[Ann Lee], MD",
            "Lee, MD, [SMITH-JONES]",
            "Jane Roe, MD, [UPMC]",
            "seen by RN.\n[OKONJO] called",
            "seen MR [ESSAM] today",
        ] {
            assert!(!behind(sentence), "{sentence}");
        }
    }
}
