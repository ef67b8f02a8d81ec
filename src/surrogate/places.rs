//! Places: cities to cities, states to states, so that city, county, state and zip code still belong together.
//!
//! ```text
//! Rochester, Olmsted County, MN 55901, Minnesota → Dothan, Baldwin County, AL 36603, Alabama
//! ```
//!
//! States are exchanged by one keyed rule per patient; a city, county or zip code goes to one of the state that its own
//! state becomes.

use super::ids::{self, Family};
use super::partition::Image;
use super::permutation::Randomness;
use super::phrases::cased;
use super::tables::{List, Places, StateForm, Tables, place_key};

/// The places of one patient.
pub(super) struct PatientPlaces<'a> {
    pub randomness: &'a Randomness,
    /// Which state each state becomes, as indices of [`Tables::states`].
    pub states: &'a [u8],
}

/// Cities that stand in for what no list holds.
const FREQUENT_CITIES: usize = 3_000;

/// The keyed exchange of the states within classes of equal size.
pub(super) fn exchange_states(randomness: &Randomness) -> Vec<u8> {
    let tables = Tables::shared();
    let mut states: Vec<u8> = (0..tables.states.len().min(256)).map(|state| state as u8).collect();
    for (index, class) in tables.state_classes.iter().enumerate() {
        let purpose = ["states 0", "states 1", "states 2", "states 3"].get(index).copied().unwrap_or("states");
        for (from, to) in class.iter().zip(randomness.derangement(purpose, class.len())) {
            states[usize::from(*from)] = class[usize::from(to)];
        }
    }
    states
}

impl PatientPlaces<'_> {
    /// A city, or city and state.
    pub(super) fn city(&self, value: &str) -> String {
        if let Some(image) = self.known_city(value) {
            return cased(value, image);
        }
        if let Some((city, rest)) = value.split_once(',') {
            let state = rest.trim();
            if !state.is_empty() && !city.trim().is_empty() {
                let lead = &rest[..rest.len() - rest.trim_start().len()];
                let trail = &rest[lead.len() + state.len()..];
                return format!("{},{lead}{}{trail}", self.city(city), self.state(state));
            }
        }
        cased(value, self.frequent_city(value))
    }

    /// The city that a listed city becomes.
    pub(super) fn known_city(&self, value: &str) -> Option<&'static str> {
        self.within_state(&Tables::shared().cities, "cities", value)
    }

    /// A frequent city, chosen by a name that no list holds.
    pub(super) fn frequent_city(&self, value: &str) -> &'static str {
        let cities = &Tables::shared().cities.list;
        let key = place_key(value);
        let index = self.randomness.draw("other city", key.as_bytes()).index(cities.len().min(FREQUENT_CITIES));
        another(cities, index, &key)
    }

    fn within_state(&self, places: &'static Places, purpose: &str, value: &str) -> Option<&'static str> {
        let position = places.position(&place_key(value))?;
        let target = *self.states.get(usize::from(position.group))?;
        let entry = match places.partition.image(self.randomness, purpose, position, target) {
            Image::Entry(entry) => entry as usize,
            // More places than the other state has: any place, as the list is long.
            Image::Composed(number) => {
                let draw = self.randomness.draw(purpose, &number.to_be_bytes());
                return Some(another(&places.list, draw.index(places.list.len()), &place_key(value)));
            }
        };
        places.list.get(entry).copied()
    }

    /// A state by code, name or short form.
    pub(super) fn state(&self, value: &str) -> String {
        let tables = Tables::shared();
        let key = place_key(value);
        let compact: String = key.split(' ').collect();
        let known = tables.state_of(&key).or_else(|| tables.state_of(&compact));
        let (index, form) = match known {
            Some((state, form)) => (self.states.get(usize::from(state)).copied().unwrap_or(state), form),
            None => {
                let draw = self.randomness.draw("other state", key.as_bytes());
                let form = if compact.len() <= 3 { StateForm::Code } else { StateForm::Name };
                (draw.index(tables.states.len()) as u8, form)
            }
        };
        let (code, name) = (tables.states.get(usize::from(index)), tables.state_names.get(usize::from(index)));
        match form {
            StateForm::Code => code.map(|code| write_code(value, code)),
            StateForm::Name => name.map(|name| cased(value, name)),
        }
        .unwrap_or_else(|| ids::replace(self.randomness, Family::Place, value))
    }

    /// A county, with its word where the original has it.
    pub(super) fn county(&self, value: &str) -> Option<String> {
        let tables = Tables::shared();
        let whole = self.within_state(&tables.counties, "counties", value);
        match whole {
            Some(county) => Some(cased(value, county)),
            None => {
                let county = self.within_state(&tables.counties, "counties", &format!("{value} County"))?;
                Some(cased(value, county.trim_end_matches(" County").trim_end_matches(" Parish")))
            }
        }
    }

    /// A country.
    pub(super) fn country(&self, value: &str) -> String {
        // `USA` or `U.K.` is an abbreviation; what stands for it is a name.
        let abbreviation = value.chars().filter(|character| character.is_alphabetic()).count() <= 3;
        let written = if abbreviation { place_key(value) } else { value.to_owned() };
        let written = if abbreviation { super::casing::Casing::Title.apply(&written) } else { written };
        from_list(self.randomness, "countries", &Tables::shared().countries, &written)
            .unwrap_or_else(|| ids::replace(self.randomness, Family::Place, value))
    }

    /// A postal code: a real one where it is a zip code of the list.
    pub(super) fn postal_code(&self, value: &str) -> String {
        let trimmed = value.trim();
        let (zip, rest) = trimmed.split_at_checked(5).unwrap_or((trimmed, ""));
        match self.within_state(&Tables::shared().zips, "zip codes", zip) {
            Some(image) if !rest.starts_with(|character: char| character.is_alphanumeric()) => value.replacen(
                trimmed,
                &format!("{image}{}", ids::replace(self.randomness, Family::PostalCode, rest)),
                1,
            ),
            _ => ids::replace(self.randomness, Family::PostalCode, value),
        }
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

/// Another entry of a list: displaced where it is listed, chosen by its key otherwise; nothing from an empty list.
pub(super) fn from_list(randomness: &Randomness, purpose: &str, list: &'static List, value: &str) -> Option<String> {
    let key = super::casing::fold(value.trim());
    let index = match list.position(&key) {
        Some(position) => {
            randomness.displace(&randomness.draw(purpose, b""), list.entries.len() as u128, position as u128) as usize
        }
        None => randomness.draw(purpose, key.as_bytes()).index(list.entries.len()),
    };
    list.entries.get(index).map(|entry| cased(value, entry))
}

/// The entry at an index, or the next one where that is the very place in question.
fn another(list: &[&'static str], index: usize, key: &str) -> &'static str {
    let entry = list.get(index).copied().unwrap_or("Fairview");
    if place_key(entry) == key { list.get(index + 1).copied().unwrap_or("Fairview") } else { entry }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<T>(seed: u8, test: impl FnOnce(PatientPlaces<'_>) -> T) -> T {
        let randomness = Randomness::new([seed; 32]);
        let states = exchange_states(&randomness);
        test(PatientPlaces { randomness: &randomness, states: &states })
    }

    #[test]
    fn city_county_state_and_zip_stay_together() {
        let tables = Tables::shared();
        for seed in 0..20 {
            with(seed, |places| {
                let code = places.state("MN");
                let state = tables.state_of(&code.to_lowercase()).unwrap().0;
                assert_ne!(code, "MN");
                assert_eq!(places.state("Minnesota"), tables.state_names[usize::from(state)]);
                assert_eq!(places.state("mn"), code.to_lowercase());
                assert_eq!(tables.zips.position(&places.postal_code("55901")).unwrap().group, state);
                assert_eq!(tables.cities.position(&place_key(&places.city("Duluth"))).unwrap().group, state);
                let county = places.county("Olmsted County").unwrap();
                assert_eq!(tables.counties.position(&place_key(&county)).unwrap().group, state);
                assert_eq!(
                    places.county("Olmsted").unwrap(),
                    county.trim_end_matches(" County").trim_end_matches(" Parish")
                );
                assert_eq!(places.city("DULUTH"), places.city("Duluth").to_uppercase());
                assert_eq!(places.city("Duluth, MN"), format!("{}, {code}", places.city("Duluth")));
                assert_eq!(places.city("St. Cloud"), places.city("Saint Cloud"));
            });
        }
    }

    #[test]
    fn nothing_is_left_of_places_that_no_list_holds() {
        with(5, |places| {
            for value in ["Xqzzt", "", "Zürich", "大阪"] {
                assert_ne!(places.city(value), value);
                assert_ne!(places.state(value), value);
                assert_ne!(places.country(value), value);
            }
            for value in ["99999", "55901-1234", "K1A 0B1", "SW1A 1AA"] {
                let image = places.postal_code(value);
                assert!(image != value && image.len() == value.len(), "{image}");
            }
            assert_ne!(places.country("France"), "France");
        });
    }
}
