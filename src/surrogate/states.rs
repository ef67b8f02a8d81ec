//! States and provinces, by code, name or short form.
//!
//! ```text
//! Minnesota → Alabama     MN → AL     mn → al     Minn. → Alabama     ON → SK: provinces among themselves
//! ```

use super::casing::fold;
use super::ids::{self, Family, turn_until};
use super::lists::place_key;
use super::permutation::Direction;
use super::phrases::cased;
use super::places::PatientPlaces;
use super::tables::{StateForm, Tables};
use crate::lexicon::Lexicon;

/// Provinces of the neighbour, which are exchanged among themselves.
const PROVINCES: [(&str, &str); 13] = [
    ("ab", "Alberta"),
    ("bc", "British Columbia"),
    ("mb", "Manitoba"),
    ("nb", "New Brunswick"),
    ("nl", "Newfoundland"),
    ("ns", "Nova Scotia"),
    ("nt", "Northwest Territories"),
    ("nu", "Nunavut"),
    ("on", "Ontario"),
    ("pe", "Prince Edward Island"),
    ("qc", "Quebec"),
    ("sk", "Saskatchewan"),
    ("yt", "Yukon"),
];

/// Longer ones are half names: `N. Carolina`, `Jersey`.
const LONGEST_SHORT_FORM: usize = 5;

impl PatientPlaces<'_> {
    /// A state by code, name or short form.
    pub(super) fn state(&self, value: &str) -> String {
        self.turn_state(Direction::Forth, value).unwrap_or_else(|| cased(value, &self.town(value)))
    }

    /// A state or province, or one of three letters at most, there or back; nothing for other names.
    pub(super) fn turn_state(&self, direction: Direction, value: &str) -> Option<String> {
        let tables = Tables::shared();
        let key = place_key(value);
        let compact: String = fold(value).chars().filter(|character| character.is_alphanumeric()).collect();
        if let Some((state, form)) = tables.state(value) {
            let index = usize::from(self.exchange.turn_state(direction, state)?);
            return match form {
                StateForm::Code => tables.states.get(index).map(|code| write_code(value, code)),
                StateForm::Name => tables.state_names.get(index).map(|name| cased(value, name)),
                StateForm::Short => tables.state_names.get(index).map(|name| write_short(value, name)),
            };
        }
        if let Some(index) = province(&compact, &key) {
            let draw = self.randomness.draw("provinces", b"");
            let moved = self.randomness.turn(direction, &draw, PROVINCES.len() as u128, index as u128) as usize;
            let (code, name) = PROVINCES[moved];
            let coded = PROVINCES[index].0 == compact;
            return Some(if coded { write_code(value, &code.to_uppercase()) } else { cased(value, name) });
        }
        let is_listed = |code: &str| {
            let code = fold(code).replace(['.', ' '], "");
            tables.state_of(&code).is_some() || PROVINCES.iter().any(|(known, _)| *known == code)
        };
        let coded =
            (1..=3).contains(&compact.chars().count()) && compact.bytes().all(|byte| byte.is_ascii_alphanumeric());
        coded.then(|| {
            turn_until(
                value,
                |value| ids::turn(self.randomness, direction, Family::Place, value),
                |code| !is_listed(code),
            )
        })
    }
}

/// The number of a province, by its code or its name as they are looked up.
fn province(compact: &str, key: &str) -> Option<usize> {
    PROVINCES.iter().position(|(code, name)| *code == compact || fold(name) == key)
}

/// How a text writes a state or province; nothing where it names none.
pub(super) fn state_form(value: &str) -> Option<StateForm> {
    let compact: String = fold(value).chars().filter(|character| character.is_alphanumeric()).collect();
    let of_province = || {
        let (code, _) = PROVINCES[province(&compact, &place_key(value))?];
        Some(if code == compact { StateForm::Code } else { StateForm::Name })
    };
    Tables::shared().state(value).map(|(_, form)| form).or_else(of_province)
}

/// A state in its short form of old, if it has one, with the full stop of the original.
fn write_short(value: &str, name: &str) -> String {
    let state = Lexicon::shared().state(name);
    let short = state.and_then(|state| state.short_forms.split('|').next());
    match short.filter(|form| (1..=LONGEST_SHORT_FORM).contains(&form.len())) {
        Some(form) if value.ends_with('.') => cased(value, form) + ".",
        short => cased(value, short.unwrap_or(name)),
    }
}

/// The code of a state with capitals and full stops as the original has them.
fn write_code(value: &str, code: &str) -> String {
    let mut letters = code.chars();
    let mut written = String::with_capacity(value.len());
    for character in value.chars() {
        if character.is_alphabetic() {
            let Some(letter) = letters.next() else { continue };
            written.push(if character.is_lowercase() { letter.to_ascii_lowercase() } else { letter });
        } else {
            written.push(character);
        }
    }
    written.extend(letters);
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::places::tests::with;

    #[test]
    fn short_forms_become_short_forms() {
        let mut short = 0;
        for seed in 0..40 {
            with(seed, |places| {
                for (value, name) in [("Minn.", "Minnesota"), ("Mass", "Massachusetts"), ("W. Va.", "West Virginia")] {
                    let (image, full) = (places.state(value), places.state(name));
                    let bare = image.trim_end_matches('.');
                    let code = |text| Lexicon::shared().state(text).map(|state| state.abbreviation);
                    assert!(code(bare).is_some() && code(bare) == code(&full), "{value} {image} {full}");
                    assert!(bare == full || image.ends_with('.') == value.ends_with('.'), "{value} {image}");
                    short += usize::from(bare != full);
                }
            });
        }
        assert!(short > 40, "{short}");
    }

    #[test]
    fn codes_of_provinces_keep_their_capitals() {
        for seed in 0..20 {
            with(seed, |places| {
                let code = places.state("ON");
                assert!(code.len() == 2 && code == code.to_uppercase() && code != "ON", "{code}");
                assert_eq!(places.state("on"), code.to_lowercase());
                assert_eq!(places.turn_state(Direction::Back, &code).as_deref(), Some("ON"));
            });
        }
    }
}
