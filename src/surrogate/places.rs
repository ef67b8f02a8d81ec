//! Places: cities to cities, states to states, so that city, county, state and zip code still belong together.
//!
//! ```text
//! Rochester, Olmsted County, MN 55901, Minnesota → Dothan, Baldwin County, AL 36603, Alabama
//! ```
//!
//! States are exchanged by one keyed rule per patient; a city, county or zip code goes to one of the state that its own
//! state becomes, and a city of another country to one of the country that its own becomes. A city that no list holds becomes a made-up town.

use super::casing::fold;
use super::code_lists;
use super::exchange::{Exchange, Side};
use super::ids::{self, Family, turn_until};
use super::lists::{List, Places, place_key};
use super::parts;
use super::permutation::{Direction, Randomness};
use super::phrases::cased;
use super::remembered::Remembered;
use super::tables::Tables;
use crate::phi::Label;

/// The places of one patient.
pub(super) struct PatientPlaces<'a> {
    pub randomness: &'a Randomness,
    /// Which state each state becomes, and where what finds no place there goes.
    pub exchange: &'a Exchange,
    /// What names of places and institutions became lately.
    pub remembered: &'a Remembered,
}

impl PatientPlaces<'_> {
    /// A city.
    pub(super) fn city(&self, value: &str) -> String {
        match self.known_city(value) {
            Some(image) => cased(value, image),
            None => cased(value, &self.town(value)),
        }
    }

    /// The city that a listed city becomes: one of the state, or of the country, that its own becomes.
    pub(super) fn known_city(&self, value: &str) -> Option<&'static str> {
        self.within_state(&Tables::shared().cities, Side::Cities, value).or_else(|| self.world_city(value))
    }

    fn within_state(&self, places: &'static Places, side: Side, value: &str) -> Option<&'static str> {
        let position = places.position(&place_key(value))?;
        let entry = self.exchange.image(self.randomness, places, side, position)?;
        places.list.get(entry as usize).copied()
    }

    fn before_within_state(&self, places: &'static Places, side: Side, value: &str) -> Option<&'static str> {
        let position = places.position(&place_key(value))?;
        let entry = self.exchange.origin(self.randomness, places, side, position)?;
        places.list.get(entry as usize).copied()
    }

    /// The listed city that becomes this one; nothing where it is a made-up town.
    pub(super) fn city_before(&self, surrogate: &str) -> Option<String> {
        let listed = self.before_within_state(&Tables::shared().cities, Side::Cities, surrogate);
        listed.or_else(|| self.world_city_before(surrogate)).map(|city| cased(surrogate, city))
    }

    /// A county, with its word where the original has it.
    pub(super) fn county(&self, value: &str) -> Option<String> {
        let tables = Tables::shared();
        let whole = self.within_state(&tables.counties, Side::Counties, value);
        match whole {
            Some(county) => Some(cased(value, county)),
            None => {
                let county = self.within_state(&tables.counties, Side::Counties, &format!("{value} County"))?;
                Some(cased(value, county.trim_end_matches(" County").trim_end_matches(" Parish")))
            }
        }
    }

    /// The county that becomes this one.
    pub(super) fn county_before(&self, surrogate: &str) -> Option<String> {
        let counties = &Tables::shared().counties;
        if let Some(county) = self.before_within_state(counties, Side::Counties, surrogate) {
            return Some(cased(surrogate, county));
        }
        [" County", " Parish"].iter().find_map(|word| {
            let county = self.before_within_state(counties, Side::Counties, &format!("{surrogate}{word}"))?;
            Some(cased(surrogate, county.trim_end_matches(" County").trim_end_matches(" Parish")))
        })
    }

    /// A postal code: a real one where it is a zip code of the list, and only there.
    pub(super) fn postal_code(&self, value: &str) -> String {
        self.turn_postal_code(Direction::Forth, value)
    }

    /// A postal code, there or back.
    pub(super) fn turn_postal_code(&self, direction: Direction, value: &str) -> String {
        let turned = |text: &str| ids::turn(self.randomness, direction, Family::PostalCode, text);
        let zips = &Tables::shared().zips;
        let Some((before, zip, rest)) = zip_code(value).filter(|(_, zip, _)| zips.position(zip).is_some()) else {
            return turn_until(value, turned, |image| {
                zip_code(image).is_none_or(|(_, zip, _)| zips.position(zip).is_none())
                    && parts::of(Label::Zip, image).is_none()
            });
        };
        let image = match direction {
            Direction::Forth => self.within_state(zips, Side::Zips, zip),
            Direction::Back => self.before_within_state(zips, Side::Zips, zip),
        };
        // A code without any letter or digit after its five is whole, and what is no list becomes none.
        let is_one = |rest: &str| code_lists::parts(Label::Zip, &format!("{zip}{rest}")).is_none();
        let is_more = rest.contains(|character: char| character.is_alphanumeric());
        let rest = if is_more { turn_until(rest, turned, is_one) } else { rest.to_owned() };
        format!("{before}{}{rest}", image.unwrap_or(zip))
    }
}

/// Whether a list has a city.
pub(super) fn is_city(value: &str) -> bool {
    let (key, Tables { cities, world_cities, .. }) = (place_key(value), Tables::shared());
    cities.position(&key).is_some() || world_cities.position(&key).is_some()
}

/// Whether a list has the five digits that a text begins with.
pub(super) fn is_zip_code(value: &str) -> bool {
    zip_code(value).is_some_and(|(_, zip, _)| Tables::shared().zips.position(zip).is_some())
}

/// What comes before a code of five digits, the code, and what comes after it: four more digits may follow at once.
fn zip_code(value: &str) -> Option<(&str, &str, &str)> {
    let start = value.len() - value.trim_start().len();
    let zip = value.get(start..start + 5).filter(|zip| zip.bytes().all(|byte| byte.is_ascii_digit()))?;
    let rest = &value[start + 5..];
    let add_on = rest.trim_end();
    let joined = add_on.len() == 4 && add_on.bytes().all(|byte| byte.is_ascii_digit());
    (joined || !rest.starts_with(|character: char| character.is_alphanumeric())).then_some((&value[..start], zip, rest))
}

/// Another entry of a list: displaced where it is listed, chosen by its key otherwise; nothing from an empty list.
pub(super) fn from_list(randomness: &Randomness, purpose: &str, list: &'static List, value: &str) -> Option<String> {
    let key = fold(value.trim());
    let index = match list.position(&key) {
        Some(position) => {
            randomness.displace(&randomness.draw(purpose, b""), list.entries.len() as u128, position as u128) as usize
        }
        None => randomness.draw(purpose, key.as_bytes()).index(list.entries.len()),
    };
    list.entries.get(index).map(|entry| cased(value, entry))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Asks for the places of a patient.
    pub(in crate::surrogate) fn with<T>(seed: u8, test: impl FnOnce(PatientPlaces<'_>) -> T) -> T {
        let randomness = Randomness::new([seed; 32]);
        let exchange = Exchange::new(&randomness, false);
        test(PatientPlaces { randomness: &randomness, exchange: &exchange, remembered: &Remembered::default() })
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
                let (plus_four, joined) = (places.postal_code("55901-1234"), places.postal_code("559011234"));
                assert_eq!(plus_four.replace('-', ""), joined);
                assert!(plus_four.starts_with(&places.postal_code("55901")));
                assert_eq!(places.turn_postal_code(Direction::Back, &joined), "559011234");
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
