//! Names that stand in an enumeration of medicine, and name nobody there.
//!
//! ```text
//! "Babinski neg, Chvostek, Rovsing, Trousseau"       Rovsing, an eponym, beside two rare ones and no word of persons
//! "Stanford B, DeBakey III, Crawford II, Fontaine III"   an eponym with a grade, beside two others
//! ```
//!
//! A list of persons whose names happen to be rare eponyms, twice over, is far rarer than a list of signs.

use super::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};

/// How far around a claim its enumeration reaches, in bytes.
const REACH: usize = 90;
/// An eponym borne by fewer people is rare.
const RARE: u32 = 2_000;
/// A name borne by as many is more often a person's than an eponym.
const COMMON: u32 = 10_000;
/// So many others of a kind make an enumeration.
const FEWEST: usize = 2;

/// Words that tell of persons: beside one of them a list is of those who bear the names.
const OF_PERSONS: &str = "with by per visitors consults consult team staff seen saw s/b d/w discussed reviewed husband wife rounds \
                          present attending attendings fellow resident residents nurse dr drs mr mrs ms told called kids children \
                          siblings household family beds room sign appts";

/// Why a claim on `inside` names nobody, if its enumeration says so: it is an eponym itself, and at least two beside it are too.
pub(super) fn explained(before: &str, inside: &str, after: &str) -> Option<&'static str> {
    let single =
        inside.starts_with(char::is_uppercase) && inside.chars().all(|c| c.is_alphabetic() || c == '\'' || c == '-');
    let info = Lexicon::shared().word(inside);
    let people = info.surname_count.max(info.given_count);
    if !single || !info.is_any(WordFlags::EPONYM.union(WordFlags::CITY)) || people >= COMMON {
        return None;
    }
    let (before, after) = (tail(before), head(after));
    if before.split(|c: char| !c.is_alphabetic() && c != '/').any(|word| listed!(word, OF_PERSONS)) {
        return None;
    }
    if grade(after).is_some() && graded(before) + graded(after) >= FEWEST {
        return Some("an enumeration of grades");
    }
    let rare = eponyms(before).chain(eponyms(after)).filter(|word| *word != inside).take(FEWEST).count();
    (info.is(WordFlags::EPONYM) && rare == FEWEST && is_item(before, after)).then_some("an enumeration of eponyms")
}

/// The end of a text, of its last line.
fn tail(text: &str) -> &str {
    let line = &text[text.rfind('\n').map_or(0, |at| at + 1)..];
    let mut start = line.len().saturating_sub(REACH);
    while !line.is_char_boundary(start) {
        start += 1;
    }
    &line[start..]
}

/// The beginning of a text, of its first line.
fn head(text: &str) -> &str {
    let line = &text[..text.find('\n').unwrap_or(text.len())];
    let mut end = line.len().min(REACH);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}

/// Whether marks of a list or a conjunction stand before, and one, a finding or an end behind.
fn is_item(before: &str, after: &str) -> bool {
    let lead = before.trim_end();
    let opens = lead.is_empty()
        || lead.ends_with([',', ';', '/', '+'])
        || ["and", "or", "vs", "no"].contains(&lead.rsplit(' ').next().unwrap_or_default());
    let rest = after.trim_start();
    let closes = rest.is_empty()
        || rest.starts_with([',', ';', '/', '.', ')', '+'])
        || listed!(
            rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default(),
            "and or vs neg negative pos positive absent present"
        );
    opens && closes
}

/// The rare eponyms of a text.
fn eponyms(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic()).filter(|word| {
        word.len() > 3 && word.starts_with(char::is_uppercase) && {
            let info = Lexicon::shared().word(word);
            info.is(WordFlags::EPONYM) && info.surname_count.max(info.given_count) < RARE
        }
    })
}

/// How many eponyms of a text a grade follows.
fn graded(text: &str) -> usize {
    let mut words = text.split(' ').peekable();
    let mut count = 0;
    while let Some(word) = words.next() {
        let eponym = || Lexicon::shared().word(word).is(WordFlags::EPONYM);
        let name = word.len() > 2 && word.starts_with(char::is_uppercase);
        count += usize::from(name && words.peek().is_some_and(|next| is_grade(next)) && eponym());
    }
    count
}

/// The grade that a text begins with, after one blank.
fn grade(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(' ')?;
    let token = rest.split(' ').next()?;
    let closed = token.len() == rest.len() || token.ends_with([',', ';', '.', ')']);
    (closed && is_grade(token)).then_some(token)
}

/// `3`, `IIIb`, `A`, `0-IIa`, `7/10`, with the mark of a list behind it.
fn is_grade(token: &str) -> bool {
    let closed = token.trim_end_matches([',', ';', '.', ')']);
    let digits = closed.bytes().filter(u8::is_ascii_digit).count();
    let roman = |text: &str| {
        let letters = text.trim_end_matches(|c: char| matches!(c, 'a'..='d' | 'A'..='C' | 's' | '+'));
        !letters.is_empty() && letters.bytes().all(|byte| matches!(byte, b'I' | b'V'))
    };
    let number =
        digits > 0 && digits <= 3 && closed.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'/'));
    number
        || roman(closed)
        || matches!(closed, "A" | "B" | "C" | "D")
        || closed.split('-').all(|part| part == "0" || roman(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_explained(sentence: &str, word: &str) -> bool {
        let (before, after) = sentence.split_once(word).expect("the word is in the sentence");
        explained(before, word, after).is_some()
    }

    #[test]
    fn enumerations_of_medicine() {
        assert!(is_explained("Stanford B, DeBakey III, Crawford II, Fontaine III, Kellgren 2", "DeBakey"));
        assert!(is_explained("Babinski neg, Chvostek, Rovsing, Trousseau", "Rovsing"));
    }

    #[test]
    fn persons_are_not_explained() {
        for (sentence, word) in [
            ("Perez called about the rash", "Perez"),
            ("Team: Babinski, Chvostek, Trousseau", "Chvostek"),
            ("Kids: Maya 12, Diego 9, Sofia 4.", "Diego"),
            ("Beds: Crawford 3; Delgado 4; Okafor 5", "Crawford"),
            ("Braden 18, Morse 45, Okafor 2 assist", "Okafor"),
            ("Babinski neg, Trousseau neg. Discussed with Galant.", "Galant"),
            ("Staff: Hernandez C, Whitfield D, Okafor B", "Whitfield"),
        ] {
            assert!(!is_explained(sentence, word), "{sentence}");
        }
    }
}
