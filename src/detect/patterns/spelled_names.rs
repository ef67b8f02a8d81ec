//! Names that are spelled out: `Runyon, R U N Y O N`, `that's Q-U-I-C-K`, `moon that is m o o n`.

use super::context::{byte_at, byte_before, word_before};
use super::findings::Findings;
use super::survey::Survey;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Fewer letters are an abbreviation.
const FEWEST: usize = 4;

/// Adds runs of single letters of one case with one blank or dash between each two.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.lone_letters < FEWEST {
        return;
    }
    let bytes = sentence.as_bytes();
    let single = |at: usize, small: bool| {
        let letter = byte_at(sentence, at);
        (if small { letter.is_ascii_lowercase() } else { letter.is_ascii_uppercase() })
            && !byte_before(sentence, at).is_ascii_alphanumeric()
            && bytes.get(at + 1).is_none_or(|next| !next.is_ascii_alphanumeric())
    };
    let mut at = 0;
    while at < bytes.len() {
        let mark = byte_at(sentence, at + 1);
        let small = byte_at(sentence, at).is_ascii_lowercase();
        if !(single(at, small) && matches!(mark, b' ' | b'-')) {
            at += 1;
            continue;
        }
        let mut end = at;
        while byte_at(sentence, end + 1) == mark && end + 2 < bytes.len() && single(end + 2, small) {
            end += 2;
        }
        let letters: String = sentence[at..=end].chars().filter(char::is_ascii_alphabetic).collect();
        let range = at..end + 1;
        if letters.len() >= FEWEST && is_name(sentence, at, &letters) && !findings.covers(&range) {
            findings.add(range, Label::Patient, 0.8);
        }
        at = end + 2;
    }
}

/// Whether letters spell a name: the word before them, what is said to be spelled, or a name of five letters that is no word.
/// Vitamins, teeth and `D L R O W` are letters too.
fn is_name(sentence: &str, at: usize, letters: &str) -> bool {
    const OTHER: WordFlags =
        WordFlags::ENGLISH.union(WordFlags::MEDICAL).union(WordFlags::ABBREVIATION).union(WordFlags::DRUG);
    // `moon that is m o o n`: the name stands a few words before.
    const NEAR: usize = 4;
    let before = word_before(sentence, at);
    let info = Lexicon::shared().word(letters);
    let known = letters.len() > FEWEST && info.surname_count.max(info.given_count) > 100 && !info.is_any(OTHER);
    let named = sentence[..at].rsplit([' ', ',', '.', '(']).filter(|word| !word.is_empty()).take(NEAR);
    named.into_iter().any(|word| word.eq_ignore_ascii_case(letters))
        || listed!(before, "that's spelled spelt spell spelling spells")
        || known
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn names(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Patient])
    }

    #[test]
    fn names_letter_by_letter() {
        assert_eq!(names("Opal Runyon, R U N Y O N. Date"), ["R U N Y O N"]);
        assert_eq!(names("a letter to doctor moon that is m o o n at the"), ["m o o n"]);
        assert_eq!(names("this is Ravenel r a v e n e l on"), ["r a v e n e l"]);
        assert_eq!(names("Lem You Ill, that is spelled l-e-m-u-e-l"), ["l-e-m-u-e-l"]);
        assert_eq!(names("Bartholomew Quick, that's Q-U-I-C-K, came"), ["Q-U-I-C-K"]);
    }

    #[test]
    fn letters_that_are_no_name() {
        for sentence in [
            "A B C D of care",
            "S O A P note",
            "grade T N M X X X X",
            "P A I N score",
            "A - B - C",
            "vitamins A D E K",
            "WORLD backwards D L R O W",
            "tooth E F O P N",
            "vitamins a d e k daily",
            "spell world backwards d l r o w",
        ] {
            assert_eq!(names(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
