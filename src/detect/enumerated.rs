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
/// A term borne by fewer people is rare.
const RARE: u32 = 2_000;
/// A name borne by as many is more often a person's than an eponym.
const COMMON: u32 = 10_000;
/// A word that so few bear is a name only where something says so.
const HARDLY_BORNE: u32 = 100;
/// So many others of a kind make an enumeration.
const FEWEST: usize = 2;
/// So many others explain a name that is common besides: `Babinski, Hawkins, Malecot, Yankauer`.
const MANY: usize = 3;

/// Words that tell of persons: beside one of them a list is of those who bear the names.
const OF_PERSONS: &str = "with by per visitors consults consult team staff seen saw s/b d/w discussed reviewed husband wife rounds \
                          present attending attendings fellow resident residents nurse dr drs mr mrs ms told called kids children \
                          siblings household family beds room sign appts son sons daughter daughters mother father brother sister";

/// Why a claim on `inside` names nobody, if its enumeration says so: each of its words is an item of medicine, and those beside them are too.
pub(super) fn explained(before: &str, inside: &str, after: &str) -> Option<&'static str> {
    let (before, after) = (tail(before), head(after));
    let told = |text: &str| text.split(|c: char| !c.is_alphabetic() && c != '/').any(|word| listed!(word, OF_PERSONS));
    if told(before) || !opens(before) || !(closes(after) || grade(after).is_some()) {
        return None;
    }
    let led = terms(before).take(MANY).count();
    let company = led + terms(after).take(MANY).count();
    let needed = |item| others_needed(item, led > 0, grade(after).is_some());
    inside
        .split(", ")
        .all(|item| needed(item).is_some_and(|needed| company >= needed))
        .then_some("an enumeration of medicine")
}

/// How many terms of medicine beside an item explain it, if any do: `led` by one, with a grade behind it.
fn others_needed(item: &str, led: bool, graded: bool) -> Option<usize> {
    if !item.starts_with(char::is_uppercase) || !item.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '-')) {
        return None;
    }
    let info = Lexicon::shared().word(item);
    let people = info.surname_count.max(info.given_count);
    match () {
        () if info.is(WordFlags::EPONYM) => Some(if people < COMMON { FEWEST } else { MANY }),
        () if info.is(WordFlags::CITY) && graded && people < COMMON => Some(FEWEST),
        // No list has it: `Biotene, Peridex, Caphosol, Gelclair`; but a line may begin with the patient whose drugs it tells.
        () if led && people < HARDLY_BORNE && item.len() > 3 => Some(FEWEST),
        () => None,
    }
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

/// Whether marks of a list or a conjunction stand before.
fn opens(before: &str) -> bool {
    let lead = before.trim_end();
    lead.is_empty()
        || lead.ends_with([',', ';', '/', '+'])
        || ["and", "or", "vs", "no"].contains(&lead.rsplit(' ').next().unwrap_or_default())
}

/// Whether a mark of a list, a finding or an end stands behind.
fn closes(after: &str) -> bool {
    let rest = after.trim_start();
    rest.is_empty()
        || rest.starts_with([',', ';', '/', '.', ')', '+'])
        || listed!(
            rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default(),
            "and or vs neg negative pos positive absent present"
        )
}

/// The terms of medicine in a text that hardly anyone bears as a name, and the eponyms that a grade follows.
fn terms(text: &str) -> impl Iterator<Item = &str> {
    let mut words = text.split(' ').peekable();
    std::iter::from_fn(move || {
        let word = words.next()?;
        Some((word, words.peek().is_some_and(|next| is_grade(next))))
    })
    .filter(|(word, graded)| word.split(|c: char| !c.is_alphabetic()).any(|part| is_told(part, *graded)))
    .map(|(word, _)| word)
}

/// Whether a word is a term of medicine and no name: a rare one, or an eponym with a grade.
fn is_told(word: &str, graded: bool) -> bool {
    const TERMS: WordFlags = WordFlags::EPONYM.union(WordFlags::DRUG);
    if word.len() < 4 || !word.starts_with(char::is_uppercase) {
        return false;
    }
    let info = Lexicon::shared().word(word);
    let rare = info.surname_count.max(info.given_count) < RARE;
    let written = word.contains(char::is_lowercase);
    let term = info.is_any(TERMS) || written && info.is(WordFlags::MEDICAL) && info.english_size().is_none();
    rare && term || graded && info.is(WordFlags::EPONYM)
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
        assert!(is_explained("Biotene, Peridex, Caphosol, Gelclair", "Caphosol"));
        assert!(is_explained("Babinski neg, Hawkins, Malecot, Yankauer", "Hawkins"));
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
            ("Okwudili, Lasix, Coreg, Plavix", "Okwudili"),
            ("Yankauer, Robinson", "Robinson"),
        ] {
            assert!(!is_explained(sentence, word), "{sentence}");
        }
    }
}
