//! The parts of an address that one value holds.
//!
//! ```text
//! 123 Main St, Rochester, MN 55901, USA ─ from its end: a country? a zip code? a state? a city? ─▶ what is left is the street
//! US-MN ─▶ MN      MN and WI ─▶ MN · WI      MN zip 55901 ─▶ MN · 55901
//! ```

use super::casing::fold;
use super::countries::is_country;
use super::parts::Part;
use super::places::{is_city, is_zip_code};
use super::remarks;
use super::state_lists::{self, STATE_MARKS};
use super::states::state_form;
use super::streets::{are_directions, has_kind, is_kind};
use super::tables::{StateForm, Tables};
use crate::phi::Label;

/// What parts the lines of an address.
const BREAKS: [char; 5] = [',', ';', '|', '\n', '\r'];
/// The forms of zip and postal codes: `9` is a digit, `A` a letter.
pub(super) const CODES: [&str; 7] = ["99999-9999", "99999 9999", "999999999", "99999", "A9A 9A9", "A9A-9A9", "A9A9A9"];
/// Names of the country that follow a zip code without a break, or stand before a state: `US-MN`.
pub(super) const COUNTRIES: [&str; 2] = ["usa", "us"];
/// The most words of a state, of a city that no break parts from the street, and of any city.
pub(super) const STATE_WORDS: usize = 3;
const CITY_WORDS: usize = 3;
const MOST_WORDS: usize = 5;
/// What second lines of streets begin with, and no city does.
const UNITS: [&str; 13] =
    ["apartment", "apt", "attn", "bldg", "building", "dept", "fl", "floor", "po", "rm", "room", "suite", "unit"];
/// Words that stand before a zip code.
const BEFORE_CODES: [&str; 5] = ["code", "postal", "postcode", "zip", "zipcode"];

/// The parts of a value; nothing where it is one.
pub(super) fn parts(label: Label, value: &str) -> Option<Vec<Part<'_>>> {
    if label == Label::City && is_city(value) {
        return None;
    }
    let states = if label == Label::State { state_lists::states(value) } else { None };
    if let Some(parts) = states.filter(|_| !is_one(label, value)).or_else(|| remarks::parts(label, value)) {
        return Some(parts);
    }
    if is_one(label, value) {
        return None;
    }
    address(label, value).or_else(|| city_and_rest(label, value))
}

/// Whether a value is one part for sure.
fn is_one(label: Label, value: &str) -> bool {
    match label {
        Label::City => !value.contains(BREAKS) && !value.contains(char::is_whitespace) || is_city(value),
        Label::State => !value.contains(STATE_MARKS) && state_form(value).is_some(),
        Label::Zip => !value.contains(|character: char| character.is_ascii_alphabetic()),
        _ => !value.contains(BREAKS) && Rest::of(value).without_country().code().is_none(),
    }
}

/// What is between two places of a value, without blanks around it; nothing where there is nothing.
pub(super) fn part(value: &str, start: usize, end: usize, label: Label) -> Option<Part<'_>> {
    let text = value.get(start..end)?;
    let blank = text.len() - text.trim_start().len();
    let text = text.trim();
    (!text.is_empty()).then_some(Part { start: start + blank, text, label })
}

/// A city and what follows its comma: a state where it is a known one, for policies may keep states, and else another place.
fn city_and_rest(label: Label, value: &str) -> Option<Vec<Part<'_>>> {
    let comma = value.find(',').filter(|_| label == Label::City)?;
    let city = part(value, 0, comma, Label::City)?;
    let mut rest = part(value, comma + 1, value.len(), Label::State)?;
    if state_form(rest.text).is_none() {
        rest.label = Label::City;
    }
    Some(vec![city, rest])
}

/// An address of two parts or more.
fn address(label: Label, value: &str) -> Option<Vec<Part<'_>>> {
    let mut rest = Rest::of(value);
    let country = rest.take_country();
    let code = rest.take_code();
    if label == Label::Street && !country && !code && rest.ends_in_street_words() {
        return None;
    }
    if label == Label::Zip && code && rest.left.is_empty() {
        // `zip 55901`
        rest.taken.reverse();
        return Some(rest.taken).filter(|taken| taken.iter().all(|part| part.text.len() < value.trim().len()));
    }
    let mut with_state = rest.clone();
    let by_itself = with_state.take_state(label, code);
    let in_state = by_itself.is_some_and(|by_itself| {
        with_state.take_city(label, code || country || by_itself) || matches!(label, Label::State | Label::Zip)
    });
    let found = match label {
        _ if in_state => true,
        Label::City => (country || code) && rest.take_city(label, true),
        Label::Street => rest.take_city(label, country) || code && rest.ends_in_listed_code(),
        _ => false,
    };
    if !found {
        return None;
    }
    let rest = if in_state { with_state } else { rest };
    rest.all(label).filter(|_| label != Label::Zip || code)
}

/// What is left of a value of which parts are taken from its end.
#[derive(Clone)]
struct Rest<'v> {
    value: &'v str,
    left: &'v str,
    /// The last one first.
    taken: Vec<Part<'v>>,
}

impl<'v> Rest<'v> {
    fn of(value: &'v str) -> Self {
        Self { value, left: trimmed(value), taken: Vec::new() }
    }

    /// Takes the end of what is left, where there is one to take.
    fn take(&mut self, end: Option<&'v str>, label: Label) -> bool {
        let Some(text) = end else { return false };
        let start = self.left.len() - text.len();
        self.taken.push(Part { start, text, label });
        self.left = trimmed(self.value.get(..start).unwrap_or_default());
        true
    }

    /// What is left behind the last break, and whether there is one.
    fn line(&self) -> (&'v str, bool) {
        let line = self.left.rsplit(BREAKS).next().unwrap_or_default();
        (line.trim_start(), line.len() < self.left.len())
    }

    /// A country in a line of its own, or behind a code.
    fn country(&self) -> Option<&'v str> {
        let (line, apart) = self.line();
        let last = ends(line, 1).next()?;
        let follows_code = || {
            let before = Self::of(self.left.strip_suffix(last).unwrap_or_default());
            COUNTRIES.iter().any(|name| last.eq_ignore_ascii_case(name)) && before.code().is_some()
        };
        if apart && state_form(line).is_none() && is_country(line) {
            return Some(line);
        }
        follows_code().then_some(last)
    }

    fn take_country(&mut self) -> bool {
        let country = self.country();
        self.take(country, Label::Country)
    }

    fn without_country(mut self) -> Self {
        self.take_country();
        self
    }

    /// A zip or postal code.
    fn code(&self) -> Option<&'v str> {
        let bytes = self.left.as_bytes();
        let fits = |form: &&&str| {
            let Some(at) = bytes.len().checked_sub(form.len()) else { return false };
            let alike = |(form, byte): (u8, &u8)| match form {
                b'9' => byte.is_ascii_digit(),
                b'A' => byte.is_ascii_alphabetic(),
                mark => *byte == mark,
            };
            let free = at == 0 || bytes[at - 1].is_ascii_whitespace() || BREAKS.contains(&char::from(bytes[at - 1]));
            free && form.bytes().zip(&bytes[at..]).all(alike)
        };
        let form = CODES.iter().find(fits)?;
        self.left.get(self.left.len() - form.len()..)
    }

    /// The same with the words that say what it is.
    fn take_code(&mut self) -> bool {
        let code = self.code();
        let taken = self.take(code, Label::Zip);
        while let Some(word) = ends(self.left, 1).next().filter(|_| taken) {
            let is_before = |known: &&str| word.trim_end_matches(':').eq_ignore_ascii_case(known);
            if !BEFORE_CODES.iter().any(is_before) {
                break;
            }
            self.left = trimmed(self.left.get(..self.left.len() - word.len()).unwrap_or_default());
        }
        taken
    }

    /// Whether the last line has nothing but a direction or the kind of the street before it: `100 2nd Ave, West`, `12 Elm, Ct`.
    fn ends_in_street_words(&self) -> bool {
        let (line, apart) = self.line();
        let before = trimmed(self.left.strip_suffix(line).unwrap_or_default());
        let is_behind_city = || before.rsplit(BREAKS).next().is_some_and(is_city);
        let is_kind_of_street = || is_kind(line) && !before.contains(BREAKS) && !has_kind(before);
        apart && (are_directions(line) && !is_behind_city() || is_kind_of_street())
    }

    /// Takes a state; says whether it stands in a line of its own. Small letters are no code but there or before a zip code, and a name
    /// is no state but there, or behind a city that is known.
    fn take_state(&mut self, label: Label, before_code: bool) -> Option<bool> {
        let (line, apart) = self.line();
        let is_state = |text: &&str| {
            let before = line.strip_suffix(*text).unwrap_or_default();
            let sure = before_code || text.len() == line.len();
            match state_form(text) {
                Some(StateForm::Code) => {
                    !text.contains(char::is_whitespace) && (sure || !text.contains(char::is_lowercase))
                }
                // `W VA` is a direction and a code.
                Some(StateForm::Short) if text.contains(' ') && !text.contains('.') => false,
                Some(StateForm::Name | StateForm::Short) => sure || label == Label::City && is_city(before.trim_end()),
                None => false,
            }
        };
        let state = ends(line, STATE_WORDS).find(is_state)?;
        let by_itself = apart && state.len() == line.len();
        let end = self.left.len();
        self.take(Some(state), Label::State);
        // The full stop of `Minn.` is a part of it, that of a sentence is not.
        let stop = self.value.get(end..).is_some_and(|behind| behind.starts_with('.')) && is_abbreviated(state);
        if let Some(part) = self.taken.last_mut().filter(|_| stop) {
            part.text = self.value.get(part.start..=end).unwrap_or(part.text);
        }
        Some(by_itself)
    }

    /// Takes a city: any line where `sure` says that one must be there, else a listed one.
    fn take_city(&mut self, label: Label, sure: bool) -> bool {
        let (line, apart) = self.line();
        let is_line = label != Label::Street || apart;
        let city = if is_line && may_be_city(line) && (sure || is_city(line)) {
            Some(line)
        } else {
            // `123 Main St Rochester`, where the state or the zip code follows.
            ends(line, CITY_WORDS).find(|city| !self.taken.is_empty() && may_be_city(city) && is_city(city))
        };
        self.take(city, Label::City)
    }

    /// Whether what was taken is a code that a list has and a break stands before.
    fn ends_in_listed_code(&self) -> bool {
        let code = self.taken.last().filter(|part| part.label == Label::Zip && is_zip_code(part.text));
        let before = code.and_then(|code| self.value.get(..code.start));
        before.is_some_and(|before| before.trim_end().ends_with(BREAKS))
    }

    /// All parts in their order, with what is left as the first; nothing where there is only one.
    fn all(mut self, label: Label) -> Option<Vec<Part<'v>>> {
        let digits = self.left.contains(|character: char| character.is_ascii_digit());
        let first = if label == Label::City && !digits { Label::City } else { Label::Street };
        let first = part(self.value, 0, self.left.len(), first);
        self.taken.extend(first.filter(|first| first.text.contains(char::is_alphanumeric)));
        self.taken.reverse();
        (self.taken.len() > 1).then_some(self.taken)
    }
}

/// A text without what parts it from the part behind it.
fn trimmed(text: &str) -> &str {
    text.trim_end_matches(|end: char| end.is_whitespace() || BREAKS.contains(&end) || matches!(end, '-' | '.'))
}

/// The last words of a line: as many as may be first, then fewer.
fn ends(line: &str, most: usize) -> impl Iterator<Item = &str> {
    let word = |&(at, letter): &(usize, char)| {
        !letter.is_whitespace() && line.get(..at).is_none_or(|before| !before.ends_with(|c: char| !c.is_whitespace()))
    };
    let starts: Vec<usize> = line.char_indices().filter(word).map(|(at, _)| at).collect();
    let first = starts.len().saturating_sub(most);
    starts.into_iter().skip(first).filter_map(move |at| line.get(at..))
}

/// Whether a state is written short with letters of its name, as `Minn` is: neither a code nor the name.
fn is_abbreviated(state: &str) -> bool {
    matches!(Tables::shared().state(state), Some((_, StateForm::Short)))
}

/// Whether a line is a second line of a street, as no city is.
pub(super) fn is_unit(line: &str) -> bool {
    let first = line.split_whitespace().next().map(|first| fold(first).replace('.', ""));
    first.is_some_and(|first| UNITS.contains(&first.as_str()))
}

/// Whether a line may be a city: a few words without digits that are no second line of a street.
fn may_be_city(line: &str) -> bool {
    (1..=MOST_WORDS).contains(&line.split_whitespace().count())
        && !line.contains(|character: char| character.is_ascii_digit())
        && !is_unit(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::parts::labelled;

    fn found(label: Label, value: &str) -> Vec<(Label, &str)> {
        labelled(value, parts(label, value))
    }

    #[test]
    fn policies_that_keep_states_keep_nothing_else() {
        use crate::phi::Label::{City, State};
        assert_eq!(found(City, "Rochester, Karen Jones"), [(City, "Rochester"), (City, "Karen Jones")]);
        assert_eq!(found(City, "Rochester, MN"), [(City, "Rochester"), (State, "MN")]);
    }

    #[test]
    fn an_address_has_its_parts() {
        use crate::phi::Label::{City, Country, State, Street, Zip};
        let main = (Street, "123 Main St");
        let (rochester, mn, zip) = ((City, "Rochester"), (State, "MN"), (Zip, "55901"));
        for (label, value, parts) in [
            (Street, "123 Main St, Rochester, MN 55901", vec![main, rochester, mn, zip]),
            (Street, "123 Main St\nRochester MN 55901-1234", vec![main, rochester, mn, (Zip, "55901-1234")]),
            (Street, "123 Main St Rochester MN 55901 USA", vec![main, rochester, mn, zip, (Country, "USA")]),
            (Street, "123 Main St, Rochester, Minnesota", vec![main, rochester, (State, "Minnesota")]),
            (Street, "123 Main St, Apt 4, Rochester MN", vec![(Street, "123 Main St, Apt 4"), rochester, mn]),
            (Street, "123 Main St, Rochester", vec![main, rochester]),
            (Street, "123 Main St, 55901", vec![main, zip]),
            (Street, "123 Main St, Xqzzt, MN 55901.", vec![main, (City, "Xqzzt"), mn, zip]),
            (Street, "123 Main St, St. Paul, Minn. 55901", vec![main, (City, "St. Paul"), (State, "Minn."), zip]),
            (
                Street,
                "123 Main St, Toronto, ON M5H 2N2",
                vec![main, (City, "Toronto"), (State, "ON"), (Zip, "M5H 2N2")],
            ),
            (City, "Rochester, MN 55901", vec![rochester, mn, zip]),
            (City, "Rochester MN", vec![rochester, mn]),
            (City, "New York, New York", vec![(City, "New York"), (State, "New York")]),
            (City, "New York 10001", vec![(City, "New York"), (Zip, "10001")]),
            (City, "Paris, France", vec![(City, "Paris"), (Country, "France")]),
            (City, "Rochester, Olmsted", vec![rochester, (City, "Olmsted")]),
            (City, "123 Main St, Rochester, MN", vec![main, rochester, mn]),
            (State, "Rochester, MN", vec![rochester, mn]),
            (State, "MN 55901", vec![mn, zip]),
            (State, "US-MN", vec![mn]),
            (State, "CA-ON", vec![(State, "ON")]),
            (State, "MN/WI", vec![mn, (State, "WI")]),
            // `Okla.` is a state as well.
            (State, "OK/LA", vec![(State, "OK"), (State, "LA")]),
            (State, "US-MN, US-WI", vec![mn, (State, "WI")]),
            (State, "US-MN and WI", vec![mn, (State, "WI")]),
            (State, "US-MN and US-WI", vec![mn, (State, "WI")]),
            (State, "USA: New York or MN", vec![(State, "New York"), mn]),
            (State, "MN, CA-ON", vec![mn, (State, "ON")]),
            // Here it is California.
            (State, "MN-CA-ON", vec![mn, (State, "CA"), (State, "ON")]),
            (State, "MN and", vec![mn]),
            (State, "MN, WI, and New York", vec![mn, (State, "WI"), (State, "New York")]),
            (State, "MN, US", vec![mn, (Country, "US")]),
            (State, "MN - Minnesota", vec![mn, (State, "Minnesota")]),
            (Zip, "MN 55901", vec![mn, zip]),
            (Zip, "MN zip 55901", vec![mn, zip]),
            (State, "MN, Zip Code: 55901", vec![mn, zip]),
            (Zip, "zip code 55901", vec![zip]),
            (State, "MN and WI", vec![mn, (State, "WI")]),
            (State, "mn or wi", vec![(State, "mn"), (State, "wi")]),
            (State, "WA OR ID", vec![(State, "WA"), (State, "OR"), (State, "ID")]),
            (State, "New York, MN and North Dakota", vec![(State, "New York"), mn, (State, "North Dakota")]),
            (City, "Rochester Minnesota", vec![rochester, (State, "Minnesota")]),
            (City, "St. Paul, Minn.", vec![(City, "St. Paul"), (State, "Minn.")]),
            (City, "Rochester, Minnesota.", vec![rochester, (State, "Minnesota")]),
            (City, "Rochester, MN.", vec![rochester, mn]),
            (Street, "Rochester, MN", vec![rochester, mn]),
            (Street, "123 Main St (home)", vec![main]),
        ] {
            assert_eq!(found(label, value), parts, "{label} {value}");
        }
    }

    #[test]
    fn what_is_one_part_is_one() {
        use crate::phi::Label::{City, State, Street, Zip};
        for (label, value) in [
            (Street, "123 Main St"),
            (Street, "123 Main St, Apt 4"),
            (Street, "1216 2nd St, NE"),
            (Street, "100 2nd Ave, West"),
            (Street, "12 Elm, Ct"),
            (Street, "200 First Street SW"),
            (Street, "500 State Highway 55901"),
            (Street, "12 Elm St, PO Box 55901"),
            (City, "Rochester"),
            (City, "New York"),
            (City, "Xqzzt Hill"),
            (State, "N.J."),
            (State, "N-J"),
            (State, "New York"),
            (State, "Newfoundland and Labrador"),
            (State, "Bavaria"),
            (Zip, "55901-1234"),
            (Zip, "K1A 0B1"),
            (Street, ""),
            (City, ", "),
        ] {
            assert!(found(label, value).is_empty(), "{label} {value}");
        }
    }
}
