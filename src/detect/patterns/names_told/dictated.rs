//! Names in small letters, as a machine has heard them: `patient is underhill comma rose`, `this is doctor anselm fairley`.

use std::sync::LazyLock;

use regex::Regex;

use super::{is_plain, is_term};
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::survey::Survey;
use crate::detect::patterns::topics::Topics;
use crate::detect::patterns::{captures_in, expression};
use crate::lexicon::Lexicon;
use crate::phi::Label;

/// A surname, the comma that was said, a given name.
static COMMA: LazyLock<Regex> = LazyLock::new(|| expression(r"\b((?-i:[a-z]{3,})\scomma\s(?-i:[a-z]{2,}))\b"));
/// A title and two words.
static TITLED: LazyLock<Regex> =
    LazyLock::new(|| expression(r"\b((?-i:doctor|patient|nurse|mister|missus))\s((?-i:[a-z]{3,})\s(?-i:[a-z]{4,}))\b"));
/// So many bear a name that tells one.
const BORNE: u32 = 300;

/// Adds such names.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.topics.has(Topics::SAID_COMMA) {
        for name in captures_in(&COMMA, sentence).filter_map(|captures| captures.get(1)) {
            let mut words = name.as_str().split(' ');
            let (family, given) = (words.next().unwrap_or_default(), words.next_back().unwrap_or_default());
            let (last, first) = (Lexicon::shared().word(family), Lexicon::shared().word(given));
            let told =
                last.surname_count >= BORNE && first.given_count >= BORNE && !is_plain(family) && !is_term(family);
            if told && !is_plain(given) && !findings.covers(&name.range()) {
                findings.add(name.range(), Label::Patient, 0.75);
            }
        }
    }
    if !survey.topics.has(Topics::DICTATED) {
        return;
    }
    for captures in captures_in(&TITLED, sentence) {
        let (Some(title), Some(name)) = (captures.get(1), captures.get(2)) else { continue };
        let Some((given, family)) = name.as_str().split_once(' ') else { continue };
        let (first, last) = (Lexicon::shared().word(given), Lexicon::shared().word(family));
        let told = first.given_count >= BORNE && first.english_size().is_none_or(|size| size > 20);
        let named =
            last.english_size().is_none() && (last.surname_count > 0 || last.flags.is_empty()) && !is_term(family);
        if told && named && !findings.covers(&name.range()) {
            let private = matches!(title.as_str(), "patient" | "mister" | "missus");
            findings.add(name.range(), if private { Label::Patient } else { Label::Doctor }, 0.75);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn names(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Patient, Label::Doctor])
    }

    #[test]
    fn names_as_they_were_heard() {
        assert_eq!(names("patient is underhill comma rose date of birth"), ["underhill comma rose"]);
        assert_eq!(names("a clinic note on patient ledbetter comma wanda"), ["ledbetter comma wanda"]);
        assert_eq!(names("this is doctor anselm fairley dictating"), ["anselm fairley"]);
    }

    #[test]
    fn commas_between_words_are_none() {
        for sentence in [
            "no fever comma chills comma or cough",
            "lungs clear comma heart regular",
            "the doctor will call back",
            "patient has severe pain",
            "the patient was seen today",
        ] {
            assert_eq!(names(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
