//! The surname that closes what was said.
//!
//! ```text
//! "Seen with the team. Agree with plan. HOLLANDER"     nothing but a name behind the last stop of a line: who signs
//! "BP up. Started Norvasc. Stable."                    a drug, a word: nobody
//! ```
//!
//! Such a name is a sentence of its own, or the end of one where no capital follows the stop; so this is asked of a whole note.

use super::listed::listed;
use super::neighbours::Taken;
use super::repeated::lines;
use super::veto;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Detector, Label, Span};

/// How sure it is that somebody signs.
const SCORE: f32 = 0.6;
/// So many bear a surname that stands there by itself.
const FEWEST: u32 = 300;
/// Shorter ones are initials and abbreviations.
const SHORTEST: usize = 4;
/// So many bear one that is an eponym besides, and then it must be in capitals.
const MANY: u32 = 3_000;
/// What is signed has so many words.
const FEWEST_WORDS: usize = 3;
/// What is said at the end, and borne as a surname.
const THANKS: &str = "gracias merci danke amen adios salud";
/// What else stands alone behind a stop.
const OTHERS: WordFlags = WordFlags::MEDICAL
    .union(WordFlags::HEADING)
    .union(WordFlags::COUNTRY)
    .union(WordFlags::STATE)
    .union(WordFlags::NATIONALITY);

/// Adds the surnames that close the lines of a note.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut found: Vec<_> =
        lines(text).filter_map(|(start, line)| signer(line).map(|span| span.shifted(start))).collect();
    found.retain(|span| !veto::is_term(text, span));
    Taken::by(spans).retain_free(&mut found);
    spans.extend(found);
}

/// Who signs at the end of a line.
fn signer(line: &str) -> Option<Span> {
    let line = line.trim_end();
    let start = line.rfind(' ')? + 1;
    let name = &line[start..];
    let said = line[..start].trim_end_matches([' ', '-', '/']);
    let plain = name.chars().count() >= SHORTEST && name.chars().all(char::is_alphabetic);
    if !plain || !said.ends_with(['.', '!', '?']) || !said.contains(char::is_lowercase) {
        return None;
    }
    let info = Lexicon::shared().word(name);
    let eponym = info.is(WordFlags::EPONYM);
    let is_surname = info.surname_count >= if eponym { MANY } else { FEWEST }
        && !(eponym && name.contains(char::is_lowercase))
        && info.english_size().is_none()
        && !info.is_any(OTHERS)
        && !listed!(name, THANKS);
    let is_signed = said.split_whitespace().take(FEWEST_WORDS).count() == FEWEST_WORDS && !ends_in_title(said);
    (is_surname && is_signed).then(|| Span::new(start, line.len(), Label::Doctor, Detector::Pattern, SCORE))
}

/// `Spoke with Mrs. Okafor`: a stop that ends no sentence.
fn ends_in_title(said: &str) -> bool {
    let word = said.trim_end_matches('.').rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    word.chars().count() < 2 || listed!(word, "st mt ft pt") || super::dictionary::is_title(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        find(text, &mut spans);
        spans.iter().map(|span| &text[span.start..span.end]).collect()
    }

    #[test]
    fn surnames_behind_the_last_stop() {
        for (text, name) in [
            ("Seen with the team. Agree with plan. HOLLANDER", "HOLLANDER"),
            ("agree w/ above, flare, taper pred. okonkwo", "okonkwo"),
            ("Will follow along with you. Halvorsen\nnext line", "Halvorsen"),
            ("wound clean, no drainage. -- brzezinski", "brzezinski"),
        ] {
            assert_eq!(found(text), [name], "{text}");
        }
    }

    #[test]
    fn words_behind_the_last_stop() {
        for text in [
            "BP up, seen today. Norvasc",
            "pulses strong by hand. Doppler",
            "slept well all night. stable",
            "Spoke with Mrs. Halvorsen",
            "Taken to the ED of St. Halvorsen",
            "Will call back tomorrow. Gracias",
            "seen by J. Halvorsen",
            "Moved here in spring. Norway",
            "Halvorsen",
            "ok. Halvorsen",
            "SEEN WITH THE TEAM. HOLLANDER",
        ] {
            assert_eq!(found(text), [] as [&str; 0], "{text}");
        }
    }
}
