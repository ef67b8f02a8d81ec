//! Countries by all their names, and cities that no state has.
//!
//! ```text
//! United States = USA = America → Mexico     Netherlands = Holland → Chile     Chennai → a city of what India becomes
//! ```

use super::ids::{self, Family};
use super::lists::place_key;
use super::partition::Image;
use super::permutation::Direction;
use super::phrases::cased;
use super::places::PatientPlaces;
use super::tables::Tables;

/// What countries, and their cities, are permuted under.
const COUNTRIES: &str = "countries";
const WORLD_CITIES: &str = "cities of the world";

/// A country: its name in the list, what is written short for it, and its other names, all as they are looked up.
type CountryNames = (&'static str, &'static [&'static str], &'static [&'static str]);

/// Countries of several names, which have one surrogate.
const COUNTRY_NAMES: [CountryNames; 28] = [
    ("bosnia and herzegovina", &[], &["bosnia", "herzegovina"]),
    ("brazil", &[], &["brasil"]),
    ("cabo verde", &[], &["cape verde"]),
    ("china", &["prc"], &["mainland china", "p r china", "peoples republic of china"]),
    ("czechia", &[], &["czech republic"]),
    ("democratic republic of the congo", &["drc"], &["congo kinshasa", "d r congo", "dr congo", "zaire"]),
    ("dominican republic", &[], &["republica dominicana"]),
    ("eswatini", &[], &["swaziland"]),
    ("germany", &[], &["deutschland", "federal republic of germany"]),
    ("iran", &[], &["islamic republic of iran", "persia"]),
    ("ireland", &[], &["republic of ireland"]),
    ("italy", &[], &["italia"]),
    ("ivory coast", &[], &["cote divoire"]),
    ("myanmar", &[], &["burma"]),
    ("north korea", &["dprk"], &[]),
    ("north macedonia", &[], &["macedonia"]),
    ("palestinian territory", &[], &["palestine"]),
    ("russia", &[], &["russian federation"]),
    ("south korea", &["rok"], &["korea", "republic of korea"]),
    ("spain", &[], &["espana"]),
    ("syria", &[], &["syrian arab republic"]),
    ("the netherlands", &[], &["holland"]),
    ("timor leste", &[], &["east timor"]),
    ("turkey", &[], &["turkiye"]),
    ("united arab emirates", &["uae"], &["emirates"]),
    ("united kingdom", &["uk", "gb"], &["britain", "great britain"]),
    ("united states", &["us", "usa"], &["america", "united states of america"]),
    ("vietnam", &[], &["viet nam"]),
];

impl PatientPlaces<'_> {
    pub(super) fn world_city(&self, value: &str) -> Option<&'static str> {
        let world = &Tables::shared().world_cities;
        let position = world.position(&place_key(value))?;
        let target = self.turn_country(Direction::Forth, position.group)?;
        match world.partition.image(self.randomness, WORLD_CITIES, position, target) {
            Image::Entry(entry) => world.list.get(entry as usize).copied(),
            // The other country has fewer.
            Image::Composed(_) => None,
        }
    }

    pub(super) fn world_city_before(&self, surrogate: &str) -> Option<&'static str> {
        let world = &Tables::shared().world_cities;
        let position = world.position(&place_key(surrogate))?;
        let source = self.turn_country(Direction::Back, position.group)?;
        let entry = world.partition.origin(self.randomness, WORLD_CITIES, position, source)?;
        world.list.get(entry as usize).copied()
    }

    /// The number of the country that one becomes, or that becomes it.
    fn turn_country(&self, direction: Direction, number: u8) -> Option<u8> {
        let countries = &Tables::shared().countries;
        let position = countries.position(&place_key(countries.list.get(usize::from(number))?))?;
        let entry = match direction {
            Direction::Back => countries.partition.origin(self.randomness, COUNTRIES, position, 0)?,
            Direction::Forth => match countries.partition.image(self.randomness, COUNTRIES, position, 0) {
                Image::Entry(entry) => entry,
                Image::Composed(_) => return None,
            },
        };
        u8::try_from(entry).ok()
    }

    /// A country, by any of its names; what is written short becomes what is, where the other country has a short form.
    pub(super) fn country(&self, value: &str) -> String {
        let (countries, key) = (&Tables::shared().countries, country_key(value));
        let number = |position| countries.partition.entry(position).and_then(|entry| u8::try_from(entry).ok());
        let image = match countries.position(&key).and_then(number) {
            Some(number) => self.turn_country(Direction::Forth, number).map(usize::from),
            None => Some(self.randomness.draw(COUNTRIES, key.as_bytes()).index(countries.list.len())),
        };
        let Some(name) = image.and_then(|image| countries.list.get(image)) else {
            return ids::replace(self.randomness, Family::Place, value);
        };
        let letters = value.chars().filter(|character| character.is_alphabetic()).count();
        match short_forms(&place_key(name)).first() {
            Some(short) if is_short(value) => write_short(value, short),
            // The capitals of `USA` are none of a name.
            _ if is_short(value) || letters <= 3 => (*name).to_owned(),
            _ => cased(value, name),
        }
    }
}

/// Whether a text names a country of the list, by any of its names.
pub(super) fn is_country(value: &str) -> bool {
    Tables::shared().countries.position(&country_key(value)).is_some()
}

/// The key of a country in the list, by any of its names; that of the value where the list does not have it.
pub(super) fn country_key(value: &str) -> String {
    let key = place_key(value);
    let bare = key.strip_prefix("the ").unwrap_or(&key);
    let compact = bare.replace(' ', "");
    let known = |(_, short, others): &&CountryNames| short.contains(&compact.as_str()) || others.contains(&bare);
    if let Some((name, ..)) = COUNTRY_NAMES.iter().find(known) {
        return (*name).to_owned();
    }
    let with_article = format!("the {bare}");
    let listed = |key: &&str| Tables::shared().countries.position(key).is_some();
    [bare, &with_article].into_iter().find(listed).unwrap_or(&key).to_owned()
}

/// What is written short for a country of the list, given as its key.
fn short_forms(key: &str) -> &'static [&'static str] {
    COUNTRY_NAMES.iter().find(|(name, ..)| *name == key).map_or(&[], |(_, short, _)| short)
}

/// Whether a country is written short: `US`, `U.S.A.`
fn is_short(value: &str) -> bool {
    let compact = place_key(value).replace(' ', "");
    COUNTRY_NAMES.iter().any(|(_, short, _)| short.contains(&compact.as_str()))
}

/// A short form of a country with capitals and full stops as the original has them.
fn write_short(value: &str, short: &str) -> String {
    let short = if value.contains(char::is_uppercase) { short.to_uppercase() } else { short.to_owned() };
    if !value.contains('.') {
        return short;
    }
    let dotted: String = short.chars().flat_map(|letter| [letter, '.']).collect();
    if value.ends_with('.') { dotted } else { dotted.trim_end_matches('.').to_owned() }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::surrogate::places::tests::with;

    #[test]
    fn a_city_abroad_is_in_the_country_that_its_own_becomes() {
        let tables = Tables::shared();
        let (countries, world) = (&tables.countries, &tables.world_cities);
        for seed in 0..20 {
            with(seed, |places| {
                let mut images = HashSet::new();
                for (city, country) in [("Chennai", "India"), ("Mumbai", "India"), ("São Paulo", "Brazil")] {
                    let (image, other) = (places.city(city), places.country(country));
                    let number = world.position(&place_key(&image)).unwrap().group;
                    assert_eq!(countries.list[usize::from(number)], other, "{city} {image}");
                    assert_ne!(other, country);
                    assert_eq!(places.city_before(&image).map(|city| place_key(&city)), Some(place_key(city)));
                    assert!(images.insert(image));
                }
            });
        }
    }

    #[test]
    fn a_country_is_one_by_all_its_names() {
        for seed in 0..40 {
            with(seed, |places| {
                for names in [
                    &["United States", "United States of America", "the United States", "America"][..],
                    &["United Kingdom", "Great Britain", "the United Kingdom"],
                    &["Vietnam", "Viet Nam"],
                    &["The Netherlands", "Netherlands", "Holland"],
                    &["Philippines", "the Philippines"],
                ] {
                    let image = places.country(names[0]);
                    assert!(names.iter().all(|name| places.country(name) == image), "{image}");
                }
                for (name, short, dotted) in [("United States", "US", "U.S."), ("United Kingdom", "UK", "U.K.")] {
                    let image = places.country(name);
                    let (written, points) = (places.country(short), places.country(dotted));
                    match short_forms(&place_key(&image)).first() {
                        Some(form) => {
                            assert_eq!(written, form.to_uppercase());
                            assert_eq!(points.replace('.', ""), written);
                            assert!(points.ends_with('.'), "{points}");
                        }
                        None => assert_eq!((&written, &points), (&image, &image)),
                    }
                }
            });
        }
        let countries = &Tables::shared().countries;
        assert!(COUNTRY_NAMES.iter().all(|(name, ..)| countries.position(name).is_some()));
    }
}
