//! Places: cities to cities, states to states, so that city, county, state and zip code still belong together.
//!
//! ```text
//! Rochester, Olmsted County, MN 55901, Minnesota → Dothan, Baldwin County, AL 36603, Alabama
//! ```
//!
//! States are exchanged by one keyed rule per patient; a city, county or zip code goes to one of the state that its own
//! state becomes, and a city of another country to one of the country that its own becomes. A city that no list holds becomes a made-up town.

use super::casing::fold;
use super::exchange::{Exchange, Side};
use super::ids::{self, Family};
use super::lists::{List, Places, place_key};
use super::partition::Image;
use super::permutation::{Direction, Randomness};
use super::phrases::cased;
use super::remembered::Remembered;
use super::tables::{StateForm, Tables};

/// The places of one patient.
pub(super) struct PatientPlaces<'a> {
    pub randomness: &'a Randomness,
    /// Which state each state becomes, and where what finds no place there goes.
    pub exchange: &'a Exchange,
    /// What names of places and institutions became lately.
    pub remembered: &'a Remembered,
}

/// What countries, and their cities, are permuted under.
const COUNTRIES: &str = "countries";
const WORLD_CITIES: &str = "cities of the world";

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

/// Parts of the names of towns that no list holds.
const TOWN_FIRST: [&str; 48] = [
    "Alder", "Amber", "Apple", "Ash", "Aspen", "Beech", "Berry", "Birch", "Black", "Briar", "Bright", "Cedar", "Clear",
    "Copper", "Cran", "Deer", "East", "Elder", "Elm", "Fair", "Fern", "Fox", "Glen", "Green", "Hazel", "Heather",
    "Holly", "Iron", "Kings", "Lake", "Lin", "Maple", "Marsh", "Meadow", "Mill", "North", "Oak", "Pine", "Queens",
    "Red", "Rock", "Silver", "South", "Stone", "Thorn", "West", "Willow", "Winter",
];
const TOWN_SECOND: [&str; 28] = [
    "bridge", "brook", "bury", "combe", "dale", "field", "ford", "gate", "grove", "ham", "haven", "hurst", "ley",
    "mere", "mont", "mouth", "port", "ridge", "stead", "stow", "ton", "vale", "ville", "water", "well", "wick", "wood",
    "worth",
];
/// What follows in the names of more than one word.
const TOWN_ENDS: [&str; 5] = [" Center", " Falls", " Heights", " Landing", " Springs"];

impl PatientPlaces<'_> {
    /// A city, or city and state.
    pub(super) fn city(&self, value: &str) -> String {
        if let Some(image) = self.known_city(value) {
            return cased(value, image);
        }
        if let Some((city, state)) = city_and_state(value) {
            return value.replacen(city, &self.city(city), 1).replacen(state, &self.state(state), 1);
        }
        cased(value, &self.town(value))
    }

    /// The city that a listed city becomes: one of the state, or of the country, that its own becomes.
    pub(super) fn known_city(&self, value: &str) -> Option<&'static str> {
        self.within_state(&Tables::shared().cities, Side::Cities, value).or_else(|| self.world_city(value))
    }

    fn world_city(&self, value: &str) -> Option<&'static str> {
        let world = &Tables::shared().world_cities;
        let position = world.position(&place_key(value))?;
        let target = self.turn_country(Direction::Forth, position.group)?;
        match world.partition.image(self.randomness, WORLD_CITIES, position, target) {
            Image::Entry(entry) => world.list.get(entry as usize).copied(),
            // The other country has fewer.
            Image::Composed(_) => None,
        }
    }

    fn world_city_before(&self, surrogate: &str) -> Option<&'static str> {
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

    /// A made-up town for a name that no list holds; no listed city is called so, and it is another for nearly every other name.
    pub(super) fn town(&self, value: &str) -> String {
        let key = place_key(value);
        let Tables { cities, world_cities: world, .. } = Tables::shared();
        let draw = self.randomness.draw("other city", key.as_bytes());
        let ends = if key.contains(' ') { &TOWN_ENDS[..] } else { &[""] };
        let all = TOWN_FIRST.len() * TOWN_SECOND.len() * ends.len();
        let named = |number: usize| {
            let (first, rest) = (TOWN_FIRST[number % TOWN_FIRST.len()], number / TOWN_FIRST.len());
            [first, TOWN_SECOND[rest % TOWN_SECOND.len()], ends[rest / TOWN_SECOND.len() % ends.len()]].concat()
        };
        let free = |name: &String| {
            let folded = place_key(name);
            folded != key && cities.position(&folded).is_none() && world.position(&folded).is_none()
        };
        let first = draw.index(all);
        (first..first + all).map(|number| named(number % all)).find(free).unwrap_or_else(|| named(first))
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
        if let Some(city) = listed.or_else(|| self.world_city_before(surrogate)) {
            return Some(cased(surrogate, city));
        }
        let (city, state) = city_and_state(surrogate)?;
        let (old_city, old_state) = (self.city_before(city)?, self.turn_state(Direction::Back, state)?);
        Some(surrogate.replacen(city, &old_city, 1).replacen(state, &old_state, 1))
    }

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
            };
        }
        if let Some(index) = PROVINCES.iter().position(|(code, name)| *code == compact || fold(name) == key) {
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
            });
        };
        let image = match direction {
            Direction::Forth => self.within_state(zips, Side::Zips, zip),
            Direction::Back => self.before_within_state(zips, Side::Zips, zip),
        };
        // A code without any letter or digit after its five is whole.
        let rest =
            if rest.contains(|character: char| character.is_alphanumeric()) { turned(rest) } else { rest.to_owned() };
        format!("{before}{}{rest}", image.unwrap_or(zip))
    }
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

/// Moves a value on until it is where it may be; as often as it takes on a cycle through all of its form.
fn turn_until(value: &str, turn: impl Fn(&str) -> String, may_be: impl Fn(&str) -> bool) -> String {
    let mut image = turn(value);
    for _ in 0..10_000 {
        if may_be(&image) {
            break;
        }
        image = turn(&image);
    }
    image
}

/// `Rochester, MN`: the city and the state.
fn city_and_state(value: &str) -> Option<(&str, &str)> {
    let (city, state) = value.split_once(',')?;
    let (city, state) = (city.trim(), state.trim());
    (!city.is_empty() && !state.is_empty() && !city.contains(state)).then_some((city, state))
}

/// What comes before a code of five digits, the code, and what comes after it.
fn zip_code(value: &str) -> Option<(&str, &str, &str)> {
    let start = value.len() - value.trim_start().len();
    let zip = value.get(start..start + 5).filter(|zip| zip.bytes().all(|byte| byte.is_ascii_digit()))?;
    let rest = &value[start + 5..];
    (!rest.starts_with(|character: char| character.is_alphanumeric())).then_some((&value[..start], zip, rest))
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
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn with<T>(seed: u8, test: impl FnOnce(PatientPlaces<'_>) -> T) -> T {
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
                assert_eq!(places.city("Duluth, MN"), format!("{}, {code}", places.city("Duluth")));
                assert_eq!(places.city("St. Cloud"), places.city("Saint Cloud"));
            });
        }
    }

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
