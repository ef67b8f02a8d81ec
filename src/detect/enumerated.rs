//! Names that stand in an enumeration of medicine, and name nobody there.
//!
//! ```text
//! "Moro present, Galant, Perez, Babkin, Landau"       beside two rare eponyms and without a title, Perez is one too
//! "Sydney 3; Kyoto 3; OLGA II; Vienna 4; Kudo IIIs"   what is followed by a grade among others so followed is a classification
//! ```
//!
//! A list of persons whose names happen to be rare eponyms, twice over, is far rarer than a list of signs.

use crate::lexicon::{Lexicon, WordFlags};

/// How far around a claim its enumeration reaches, in bytes.
const REACH: usize = 90;
/// An eponym borne by fewer people is rare.
const RARE: u32 = 2_000;
/// So many others of a kind make an enumeration.
const FEWEST: usize = 2;

/// Why a claim on `inside` names nobody, if its enumeration says so.
pub(super) fn explained(before: &str, inside: &str, after: &str) -> Option<&'static str> {
    let single =
        inside.starts_with(char::is_uppercase) && inside.chars().all(|c| c.is_alphabetic() || c == '\'' || c == '-');
    if !single {
        return None;
    }
    let (before, after) = (tail(before), head(after));
    if grade(after).is_some() {
        let others = graded(before) + graded(after);
        if others >= FEWEST {
            return Some("an enumeration of grades");
        }
    }
    let rare = eponyms(before).chain(eponyms(after)).filter(|word| *word != inside).take(FEWEST).count();
    (rare == FEWEST && is_item(before, after)).then_some("an enumeration of eponyms")
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

/// Whether marks of a list, a conjunction or an end stand on both sides.
fn is_item(before: &str, after: &str) -> bool {
    let lead = before.trim_end();
    let opens = lead.is_empty()
        || lead.ends_with([',', ';', '/', ':', '.', '(', '+'])
        || ["and", "or", "vs", "no", "not", "with"].iter().any(|word| lead.ends_with(word));
    let rest = after.trim_start();
    let closes = rest.is_empty()
        || rest.starts_with([',', ';', '/', '.', ')', ':', '+'])
        || ["and ", "or ", "vs", "neg", "pos", "absent", "present"].iter().any(|word| rest.starts_with(word));
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

/// How many capitalized words of a text a grade follows.
fn graded(text: &str) -> usize {
    let mut words = text.split(' ').peekable();
    let mut count = 0;
    while let Some(word) = words.next() {
        let name = word.len() > 2 && word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic);
        count += usize::from(name && words.peek().is_some_and(|next| is_grade(next)));
    }
    count
}

/// The grade that a text begins with, after one blank.
fn grade(text: &str) -> Option<&str> {
    let token = text.strip_prefix(' ')?.split(' ').next()?;
    is_grade(token).then_some(token)
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
        assert!(is_explained("Sydney protocol x5; Kyoto 3; OLGA II; Vienna 4; Paris 0-IIa", "Kyoto"));
        assert!(is_explained("Stanford B, DeBakey III, Crawford II.", "Crawford"));
        assert!(is_explained("Babinski neg, Chvostek, Perez, Trousseau", "Perez"));
    }

    #[test]
    fn persons_are_not_explained() {
        assert!(!is_explained("Perez called about the rash", "Perez"));
        assert!(!is_explained("Team: Smith, Perez, Jones", "Perez"));
        assert!(!is_explained("Perez 412, Smith 414", "Perez"));
        assert!(!is_explained("Babinski and Chvostek shown to Perez who agreed", "Perez"));
    }
}
