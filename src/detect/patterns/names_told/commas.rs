//! Names as systems print them, with a comma and no blank: `SHARP,DELROY`, `ATT: SAPERSTEIN,M`.

use std::sync::LazyLock;

use regex::Regex;

use super::is_term;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::{captures_in, expression};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Capitals, a comma, and a name or an initial.
static JOINED: LazyLock<Regex> =
    LazyLock::new(|| expression(r"\b((?-i:[A-Z][A-Z'-]{2,})),((?-i:[A-Z][A-Z'-]+|[A-Z]))\b"));
/// So many are called by a surname, and by a given name.
const BORNE: u32 = 100;

/// Adds them.
pub(super) fn detect(sentence: &str, findings: &mut Findings) {
    if !sentence.contains(',') {
        return;
    }
    for captures in captures_in(&JOINED, sentence) {
        let (Some(whole), Some(last), Some(first)) = (captures.get(0), captures.get(1), captures.get(2)) else {
            continue;
        };
        let info = |word: &str| Lexicon::shared().word(word);
        let is_word = |word: &str| info(word).english_size().is_some_and(|size| size <= 50);
        let is_initial = first.len() == 1;
        let is_borne = info(last.as_str()).surname_count >= BORNE
            && !is_term(last.as_str())
            && (is_initial || info(first.as_str()).given_count >= BORNE && !is_term(first.as_str()));
        // `HAND,R`, `GOOD,MAY`: one of both is nothing but a name.
        let is_plain = is_word(last.as_str()) && (is_initial || is_word(first.as_str()));
        // `FLORENCE,AL`
        let is_town = info(last.as_str()).is(WordFlags::CITY) && info(first.as_str()).is(WordFlags::STATE_ABBREVIATION);
        // `CBC,BMP,LFT`: a list goes on.
        let goes_on =
            sentence[whole.end()..].starts_with([',', '/']) || sentence[..whole.start()].ends_with([',', '/']);
        if is_borne && !is_plain && !is_town && !goes_on && !findings.covers(&whole.range()) {
            findings.add(whole.range(), Label::Patient, 0.8);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn names_with_a_comma_and_no_blank() {
        for (sentence, names) in [
            ("1641 walk in. SHARP,DELROY 52 m", &["SHARP,DELROY"] as &[&str]),
            ("ATT: SAPERSTEIN,M      RES: DIOP,A", &["SAPERSTEIN,M", "DIOP,A"]),
            ("CBC,BMP,LFT sent, KNEE,R and HIP,L seen", &[]),
            ("NS,LR and D5W", &[]),
            ("XR HAND,R 3 VIEWS, CT HEAD,W CONTRAST", &[]),
            ("PAIN CONTROL GOOD,MAY DC HOME", &[]),
            ("WAS IN FLORENCE,AL LAST YEAR", &[]),
        ] {
            assert_eq!(found(sentence, &[Label::Patient]), names, "{sentence}");
        }
    }
}
