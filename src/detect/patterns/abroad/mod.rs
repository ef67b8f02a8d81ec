//! Forms that the notes of other countries have, and Spanish, French or German lines in English ones.
//!
//! ```text
//! "née le 12 mars 1948, 76 ans, 14 rue des Lilas, 31059 Toulouse · NIR 2 48 03 09 122 034 · CHU de Rangueil, chambre 12"
//!          └─ DATE ──┘  └ AGE   └─ STREET ─────┘  └ ZIP  └ CITY         └─ SSN ─────────┘   └─ HOSPITAL ───┘  └─ HOSPITAL ┘
//! ```
//!
//! Spanish, French, German, Portuguese, Italian and Dutch; of Swedish, Danish, Polish and Turkish the months and a few forms more. A
//! sentence is looked at only where a letter has an accent, or a word of these languages stands in it that English does not have, or two
//! of their small words; so notes in English pay for little more than a glance at words that are looked up anyway.

mod hours;
mod numbers;
mod persons;
mod places;
mod times;

use regex::{Captures, Regex};

use super::cues::{Cue, CueTable};
use super::findings::Findings;
use super::survey::{Hit, Survey};
use crate::detect::listed::listed;

/// How many small words tell another language.
const SMALL_WORDS: usize = 2;

/// Adds what is told in forms of other languages.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if !is_abroad(sentence, survey) {
        return;
    }
    hours::detect(sentence, findings);
    times::detect(sentence, findings);
    places::detect(sentence, findings);
    numbers::detect(sentence, findings);
    persons::detect(sentence, findings);
}

/// Whether a sentence is of another language, or has words of one in it.
pub(in crate::detect) fn is_foreign(sentence: &str) -> bool {
    is_abroad(sentence, &Survey::of(sentence, CueTable::shared()))
}

fn is_abroad(sentence: &str, survey: &Survey) -> bool {
    let small = survey.hits.iter().filter(|hit| hit.cue == Cue::AbroadSmall);
    let road = |word: &str| listed!(word, "rue calle avenida paseo camino impasse chemin viale corso rua");
    let strong = |hit: &Hit| match hit.cue {
        Cue::Abroad => true,
        Cue::Street | Cue::Road => road(&sentence[hit.start..hit.end]),
        _ => false,
    };
    survey.hits.iter().any(strong)
        || small.take(SMALL_WORDS).count() == SMALL_WORDS
        || survey.beyond_ascii && (has_accent(sentence) || has_cyrillic(sentence))
}

/// Whether a Latin letter has an accent: `é`, `ß`, `ł`, `ş`.
fn has_accent(sentence: &str) -> bool {
    let bytes = sentence.as_bytes();
    // `×` and `÷` begin as `é` does, and stand in notes of any language.
    memchr::memchr3_iter(0xC3, 0xC4, 0xC5, bytes)
        .any(|at| !(bytes[at] == 0xC3 && matches!(bytes.get(at + 1), Some(0x97 | 0xB7))))
}

/// Whether a Cyrillic letter is anywhere.
fn has_cyrillic(sentence: &str) -> bool {
    memchr::memchr2(0xD0, 0xD1, sentence.as_bytes()).is_some()
}

/// An expression over letters of any alphabet, in any case.
///
/// Where a sentence has a letter beyond ASCII, `regex` finds the bounds of words (`\b`) with an engine a dozen times slower than its
/// automaton. So there the same expression without bounds is asked first: it matches wherever the exact one does, and seldom matches.
struct Expression {
    exact: Regex,
    unbounded: Regex,
}

fn expression(pattern: &str) -> Expression {
    let compile = |pattern: &str| Regex::new(&format!("(?i){pattern}")).expect("the pattern is a literal");
    Expression { exact: compile(pattern), unbounded: compile(&pattern.replace(r"\b", "")) }
}

impl Expression {
    fn captures_iter<'t>(&self, sentence: &'t str) -> impl Iterator<Item = Captures<'t>> {
        let may = if sentence.is_ascii() { &self.exact } else { &self.unbounded };
        may.is_match(sentence).then(|| self.exact.captures_iter(sentence)).into_iter().flatten()
    }

    fn is_match(&self, sentence: &str) -> bool {
        self.captures_iter(sentence).next().is_some()
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn english_sentences_are_not_looked_at() {
        for sentence in [
            "Seen by Dr. de la Cruz via Zoom 20 min",
            "Patient per van driver in room, 3 days of a la carte diet",
            "Hospital course: 40 mg IV, place 2 lines",
        ] {
            let survey = super::Survey::of(sentence, super::super::cues::CueTable::shared());
            assert!(!super::is_abroad(sentence, &survey), "{sentence}");
        }
        assert_eq!(found("stayed at rue du Bac 12", &[Label::Street]), ["rue du Bac 12"]);
    }
}
