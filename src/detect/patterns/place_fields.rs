//! Fields of an address that are called what they hold: `City: Milwaukee`, `"state": "WI"`, `County: Ada`.
//!
//! Many a town is called like something else, a brace or a fever, and in its own field it is a town.

use super::context::{offset_in, word_before};
use super::findings::Findings;
use crate::detect::listed::listed;
use crate::lexicon::Lexicon;
use crate::phi::Label;

const SCORE: f32 = 0.85;
/// No place has a longer name, in bytes.
const LONGEST: usize = 60;
/// A place has at most so many words.
const MOST_WORDS: usize = 4;
/// What stands in such a field where there is no place.
const NOWHERE: &str = "none unknown na n/a unk same see self other homeless declined refused tbd pending not no yes";
/// Words inside of names of places that have no capital.
const INSIDE: &str = "of the de la del los las and";

/// Adds the values of such fields of a sentence.
pub(super) fn detect(sentence: &str, findings: &mut Findings) {
    for colon in memchr::memchr_iter(b':', sentence.as_bytes()) {
        let field = word_before(sentence, colon);
        let Some(label) = label_of(field) else { continue };
        let rest = &sentence[colon + 1..];
        let start = colon + 1 + rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let value = value(&sentence[start..]);
        let range = start..start + value.len();
        let is_meant = match label {
            Label::State => is_of_address(sentence, field, &sentence[range.end..]),
            _ => true,
        };
        if is_meant && is_place(label, value) && !findings.covers(&range) {
            findings.add(range, label, SCORE);
        }
    }
}

fn label_of(field: &str) -> Option<Label> {
    if listed!(field, "city town municipality hometown birthplace") {
        Some(Label::City)
    } else if listed!(field, "county cnty parish") {
        Some(Label::LocationOther)
    } else if listed!(field, "state st province") {
        Some(Label::State)
    } else {
        listed!(field, "country ctry").then_some(Label::Country)
    }
}

/// Whether a field of a state is one of an address: `ST` is also a speech therapist, and patients are in one state or another.
fn is_of_address(sentence: &str, field: &str, after: &str) -> bool {
    const CONDITIONS: &str = "mental emotional functional nutritional general mood steady volume fluid hydration disease carrier current physical";
    let after = after.trim_start_matches([' ', ',', ';', '\n', '"']);
    let has_code = || {
        after.starts_with(|c: char| c.is_ascii_digit())
            || after.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("zip"))
    };
    let before = word_before(sentence, offset_in(sentence, field));
    if field.eq_ignore_ascii_case("st") { has_code() } else { !listed!(before, CONDITIONS) }
}

/// The words that a field's value begins with, up to a mark, a wide gap, or the label of the next field.
fn value(rest: &str) -> &str {
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    let end = rest.find([',', ';', '\n', '\t', '|', '/', '(', '{', '}', '"', '=']).unwrap_or(rest.len());
    let inside = rest[..end].split("  ").next().unwrap_or_default();
    let inside = match inside.split_once(':') {
        Some((words, _)) => words.rsplit_once(' ').map_or("", |(words, _)| words),
        None => inside,
    };
    inside.trim_end_matches([' ', '.'])
}

/// Whether a value is a place of that kind, or may be a town or a county that no list knows.
fn is_place(label: Label, value: &str) -> bool {
    let words = || value.split(' ');
    let has_capital = |word: &str| word.starts_with(char::is_uppercase) || listed!(word, INSIDE);
    let is_of_letters = |c: char| c.is_alphabetic() || matches!(c, ' ' | '\'' | '’' | '-' | '.');
    let is_name = value.len() > 1
        && words().count() <= MOST_WORDS
        && value.starts_with(char::is_uppercase)
        && value.chars().all(is_of_letters)
        && words().all(|word| has_capital(word) && !listed!(word, NOWHERE));
    is_name
        && match label {
            Label::State => Lexicon::shared().state(value).is_some(),
            Label::Country => Lexicon::shared().is_country(value),
            _ => true,
        }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    const PLACES: [Label; 4] = [Label::City, Label::LocationOther, Label::State, Label::Country];

    #[test]
    fn places_in_fields_of_their_own() {
        for (sentence, places) in [
            ("City: Milwaukee  State: WI", &["Milwaukee", "WI"] as &[&str]),
            ("city: New Britain;, state: CT;", &["New Britain", "CT"]),
            ("City: Egg Harbor Zip: 08234", &["Egg Harbor"]),
            ("County: Ada, Country: USA", &["Ada", "USA"]),
            ("City: unknown, State: alert", &[]),
            ("City: None State: Alert County: N/A", &[]),
            ("Mental state: OK, ST: CT reviewed", &[]),
            ("St: CT Zip: 06051", &["CT"]),
        ] {
            assert_eq!(found(sentence, &PLACES), places, "{sentence}");
        }
    }
}
