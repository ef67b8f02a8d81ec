//! Places: US cities with state, county and zip; states, counties, countries, cities of the world; parts of addresses.
//!
//! ```text
//! zip("55901") ─▶ Rochester, MN, Olmsted County     city("Long Beach") ─▶ 466,000     city_in_state("Rochester", "MN") ─▶ true
//! ```

use super::fold::Folded;
use super::phrases::{PhraseClass, Phrases};
use super::table::Table;
use super::word::WordFlags;
use super::{Lexicon, files};

/// A city, with the state, county and zip that belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsPlace {
    /// The five digits of the zip code.
    pub zip: &'static str,
    /// The city or town.
    pub city: &'static str,
    /// The two-letter code of the state.
    pub state: &'static str,
    /// The county's full name: `Olmsted County`, `Orleans Parish`.
    pub county: &'static str,
    /// Inhabitants of the whole city, 0 where not known.
    pub population: u32,
}

/// A state or territory of the United States.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The two-letter code.
    pub abbreviation: &'static str,
    /// The full name.
    pub name: &'static str,
    /// Short forms of old: `Minn`, `Calif`.
    pub short_forms: &'static str,
}

/// A country.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Country {
    /// The usual English name, without accents.
    pub name: &'static str,
    /// The two-letter ISO 3166 code.
    pub code: &'static str,
    /// Inhabitants.
    pub population: u32,
}

/// A city of any country.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorldCity {
    /// The name in Latin letters.
    pub name: &'static str,
    /// The two-letter ISO 3166 code of its country.
    pub country: &'static str,
    /// Inhabitants, 0 where not known.
    pub population: u32,
}

/// What this file contributes to the lexicon.
pub(super) struct Places {
    us: Vec<UsPlace>,
    states: Vec<State>,
    countries: Vec<Country>,
    world: Vec<WorldCity>,
    /// The folded forms of the states, in order, each with the state's number.
    state_forms: Vec<(Box<str>, u8)>,
    street_names: Vec<&'static str>,
    /// The hashes of the folded cities of each state with the state's number, in order.
    city_states: Vec<(u64, u8)>,
}

impl Places {
    pub fn load(table: &mut Table, phrases: &mut Phrases) -> Self {
        let mut places = Self {
            us: Vec::new(),
            states: load_states(table, phrases),
            countries: load_countries(table, phrases),
            world: load_world_cities(),
            state_forms: Vec::new(),
            street_names: files::section(files::PLACES_WRITTEN, "street name"),
            city_states: Vec::with_capacity(50_000),
        };
        places.state_forms = state_forms(&places.states);
        places.load_us_places(table, phrases);
        for city in &places.world {
            add_city(table, phrases, city.name, city.population);
        }
        load_counties(table, phrases);
        load_address_parts(table);
        for (section, class) in [("landmark", PhraseClass::Landmark), ("nationality", PhraseClass::Nationality)] {
            for item in files::section(files::PLACES_WRITTEN, section) {
                phrases.add(table, item, class, 0);
            }
        }
        for item in files::section(files::PLACES_WRITTEN, "city") {
            add_city(table, phrases, item, 0);
        }
        places
    }

    fn load_us_places(&mut self, table: &mut Table, phrases: &mut Phrases) {
        let text = files::unpack_forever(files::US_PLACES);
        let rows = files::rows(text).map(|[zip, city, state, county, population]| UsPlace {
            zip,
            city,
            state,
            county,
            population: population.parse().unwrap_or(0),
        });
        self.us = rows.collect();
        for index in 0..self.us.len() {
            let UsPlace { city, state, population, .. } = self.us[index];
            // A city's zips follow each other.
            let before = index.checked_sub(1).map(|before| self.us[before]);
            if before.is_none_or(|before| before.city != city || before.state != state) {
                self.settle(table, phrases, city, state, population);
            }
        }
        for [town, state, population] in files::rows(&files::unpack(files::US_TOWNS)) {
            self.settle(table, phrases, town, state, population.parse().unwrap_or(0));
        }
        self.city_states.sort_unstable();
        self.city_states.dedup();
    }

    /// Records that a state has a city of this name.
    fn settle(&mut self, table: &mut Table, phrases: &mut Phrases, city: &str, state: &str, population: u32) {
        let number = self.states.iter().position(|known| known.abbreviation == state);
        if let (Some(key), Some(number)) = (Folded::of(city), number) {
            self.city_states.push((key.hash(), number as u8));
            add_city(table, phrases, city, population);
        }
    }
}

/// Adds a city under every spelling of its first word.
fn add_city(table: &mut Table, phrases: &mut Phrases, city: &str, population: u32) {
    for spelling in spellings(city) {
        phrases.add(table, &spelling, PhraseClass::City, population);
        for part in spelling.split([' ', '-']).filter(|_| spelling.contains([' ', '-'])) {
            super::mark(table, part, WordFlags::CITY_PART);
        }
    }
}

/// `Saint Louis` is also `St. Louis`, `Fort Worth` also `Ft. Worth`, and the other way round.
fn spellings(city: &str) -> Vec<String> {
    const PAIRS: [(&str, &str); 4] = [("Saint", "St"), ("Fort", "Ft"), ("Mount", "Mt"), ("Sainte", "Ste")];
    let Some((first, rest)) = city.split_once(' ') else { return vec![city.to_owned()] };
    let first = first.trim_end_matches('.');
    match PAIRS.iter().find(|(long, short)| first == *long || first == *short) {
        Some((long, short)) => vec![format!("{long} {rest}"), format!("{short}. {rest}")],
        None => vec![city.to_owned()],
    }
}

fn load_states(table: &mut Table, phrases: &mut Phrases) -> Vec<State> {
    let mut states = Vec::new();
    for item in files::section(files::PLACES_WRITTEN, "state") {
        let mut fields = item.split(':').map(str::trim);
        let (Some(abbreviation), Some(name)) = (fields.next(), fields.next()) else { continue };
        let short_forms = fields.next().unwrap_or_default();
        super::mark(table, abbreviation, WordFlags::STATE_ABBREVIATION);
        phrases.add(table, name, PhraseClass::State, 0);
        for form in short_forms.split('|') {
            // `Ill`, `Mass` and `Miss` are words too: one word alone is no more than an abbreviation.
            if form.contains(' ') {
                phrases.add(table, form, PhraseClass::State, 0);
            } else {
                super::mark(table, form, WordFlags::STATE_ABBREVIATION);
            }
        }
        states.push(State { abbreviation, name, short_forms });
    }
    states
}

/// Every form of every state, folded and in order, with its number; a form of two states is the first one's.
fn state_forms(states: &[State]) -> Vec<(Box<str>, u8)> {
    let mut forms: Vec<(Box<str>, u8)> = Vec::new();
    for (state, number) in states.iter().zip(0..) {
        let short_forms = state.short_forms.split('|');
        let keys = [state.abbreviation, state.name].into_iter().chain(short_forms).filter_map(Folded::of);
        forms.extend(keys.map(|key| (key.as_str().into(), number)));
    }
    forms.sort();
    forms.dedup_by(|later, first| later.0 == first.0);
    forms
}

fn load_countries(table: &mut Table, phrases: &mut Phrases) -> Vec<Country> {
    let mut countries = Vec::new();
    for [name, code, population] in files::rows(files::unpack_forever(files::COUNTRIES)) {
        let population = population.parse().unwrap_or(0);
        phrases.add(table, name, PhraseClass::Country, population);
        countries.push(Country { name, code, population });
    }
    for name in files::section(files::PLACES_WRITTEN, "country") {
        phrases.add(table, name, PhraseClass::Country, 0);
    }
    countries
}

fn load_world_cities() -> Vec<WorldCity> {
    let rows = files::rows(files::unpack_forever(files::WORLD_CITIES));
    rows.map(|[name, country, population]| WorldCity { name, country, population: population.parse().unwrap_or(0) })
        .collect()
}

fn load_counties(table: &mut Table, phrases: &mut Phrases) {
    const KINDS: [&str; 7] = [" County", " Parish", " Borough", " Census Area", " Municipality", " Municipio", " city"];
    for [county, _] in files::rows(&files::unpack(files::US_COUNTIES)) {
        if county.ends_with(" city") {
            continue;
        }
        phrases.add(table, county, PhraseClass::County, 0);
        if let Some(bare) = KINDS.iter().find_map(|kind| county.strip_suffix(kind)) {
            super::mark(table, bare, WordFlags::COUNTY);
        }
    }
}

fn load_address_parts(table: &mut Table) {
    for [suffix] in files::rows(&files::unpack(files::STREET_SUFFIXES)) {
        super::mark(table, suffix, WordFlags::RARE_STREET_SUFFIX);
    }
    let sections = [
        ("street suffix", WordFlags::STREET_SUFFIX),
        ("rare street suffix", WordFlags::RARE_STREET_SUFFIX),
        ("direction", WordFlags::DIRECTION),
    ];
    for (section, flag) in sections {
        for word in files::section(files::PLACES_WRITTEN, section) {
            super::mark(table, word, flag);
        }
    }
}

impl Lexicon {
    /// Inhabitants of the largest city of this name, 0 where not known; none where no city has it.
    pub fn city(&self, phrase: &str) -> Option<u32> {
        let info = self.word(phrase);
        info.is(WordFlags::CITY).then_some(info.population)
    }

    /// Whether this US state, given in any form, has a city of this name.
    pub fn city_in_state(&self, city: &str, state: &str) -> bool {
        let Some(number) = self.state_number(state) else { return false };
        spellings_of_key(city)
            .iter()
            .any(|key| self.places.city_states.binary_search(&(key.hash(), number as u8)).is_ok())
    }

    /// The US state of a full name, a two-letter code in any case, or a short form such as `Minn.`.
    pub fn state(&self, phrase: &str) -> Option<&State> {
        self.state_number(phrase).and_then(|number| self.places.states.get(number))
    }

    fn state_number(&self, phrase: &str) -> Option<usize> {
        let key = Folded::of(phrase)?;
        let forms = &self.places.state_forms;
        let at = forms.binary_search_by(|(form, _)| form.as_bytes().cmp(key.as_bytes())).ok()?;
        forms.get(at).map(|(_, number)| usize::from(*number))
    }

    /// Whether it is a US county, with or without its `County`.
    pub fn is_county(&self, phrase: &str) -> bool {
        self.word(phrase).is(WordFlags::COUNTY)
    }

    /// Whether it is a country, by its usual names.
    pub fn is_country(&self, phrase: &str) -> bool {
        self.word(phrase).is(WordFlags::COUNTRY)
    }

    /// The place of a five-digit zip code.
    pub fn zip(&self, zip: &str) -> Option<&UsPlace> {
        let index = self.places.us.binary_search_by(|place| place.zip.cmp(zip)).ok()?;
        self.places.us.get(index)
    }

    /// All zip codes of the United States with their places, in ascending order; a city stands once for each of its zips.
    pub fn us_places(&self) -> &[UsPlace] {
        &self.places.us
    }

    /// The states and territories, in the order of their codes.
    pub fn states(&self) -> &[State] {
        &self.places.states
    }

    /// The countries, in alphabetical order.
    pub fn countries(&self) -> &[Country] {
        &self.places.countries
    }

    /// Cities of the world with a hundred thousand inhabitants or more, and of some countries smaller ones.
    pub fn world_cities(&self) -> &[WorldCity] {
        &self.places.world
    }

    /// Street names without number and suffix, for composing addresses: `Maple`, `Second`, `Jefferson`.
    pub fn street_names(&self) -> &[&'static str] {
        &self.places.street_names
    }
}

/// The keys under which a city may stand, its own first.
fn spellings_of_key(city: &str) -> Vec<Folded> {
    const PAIRS: [(&str, &str); 4] = [("saint ", "st "), ("fort ", "ft "), ("mount ", "mt "), ("sainte ", "ste ")];
    let Some(key) = Folded::of(city) else { return Vec::new() };
    let others = PAIRS.iter().flat_map(|&(long, short)| [(long, short), (short, long)]);
    let other =
        others.into_iter().find_map(|(from, to)| key.as_str().strip_prefix(from).map(|rest| format!("{to}{rest}")));
    let other = other.as_deref().and_then(Folded::of);
    std::iter::once(key).chain(other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cities_states_counties_and_countries() {
        let lexicon = Lexicon::shared();
        assert!(lexicon.city("LONG BEACH").unwrap() > 400_000);
        for city in [
            "St. Louis",
            "Saint Louis",
            "St Louis",
            "Ft. Worth",
            "Winston-Salem",
            "O'Fallon",
            "São Paulo",
            "Toronto",
            "Lagos",
        ] {
            assert!(lexicon.city(city).is_some_and(|population| population > 50_000), "{city}");
        }
        assert!(lexicon.city("Xqzzt").is_none());
        assert!(lexicon.city_in_state("Rochester", "MN") && lexicon.city_in_state("st. louis", "Missouri"));
        assert!(!lexicon.city_in_state("Rochester", "HI") && !lexicon.city_in_state("Rochester", "Xqzzt"));
        assert_eq!(lexicon.state("Minn.").map(|state| state.abbreviation), Some("MN"));
        assert_eq!(lexicon.state("new york").map(|state| state.abbreviation), Some("NY"));
        assert_eq!(lexicon.state("D.C.").map(|state| state.abbreviation), Some("DC"));
        assert!(lexicon.word("Mass").is(WordFlags::STATE_ABBREVIATION) && !lexicon.word("Mass").is(WordFlags::STATE));
        assert!(
            lexicon.is_county("Olmsted County") && lexicon.is_county("olmsted") && lexicon.is_county("Orleans Parish")
        );
        assert!(lexicon.is_country("Mexico") && lexicon.is_country("U.S.A.") && lexicon.is_country("Côte d'Ivoire"));
        assert!(lexicon.word("Mexican").is(WordFlags::NATIONALITY) && !lexicon.is_country("Mexican"));
    }

    #[test]
    fn whatever_a_state_has_as_a_city_is_one() {
        let lexicon = Lexicon::shared();
        let towns = files::unpack(files::US_TOWNS);
        let towns = files::rows(&towns).map(|[town, _, _]| town);
        for city in lexicon.us_places().iter().map(|place| place.city).chain(towns) {
            for key in spellings_of_key(city) {
                assert!(lexicon.city(key.as_str()).is_some(), "{city}");
            }
        }
    }

    #[test]
    fn zips_are_real_quadruples() {
        let lexicon = Lexicon::shared();
        let place = lexicon.zip("55901").unwrap();
        assert_eq!((place.city, place.state, place.county), ("Rochester", "MN", "Olmsted County"));
        assert!(lexicon.zip("00000").is_none() && lexicon.zip("").is_none());
        assert!(lexicon.us_places().windows(2).all(|pair| pair[0].zip < pair[1].zip));
        for place in lexicon.us_places() {
            assert!(place.zip.len() == 5 && lexicon.city_in_state(place.city, place.state), "{}", place.zip);
        }
    }

    #[test]
    fn parts_of_addresses() {
        let lexicon = Lexicon::shared();
        let is_suffix = |word: &str| lexicon.word(word).is(WordFlags::STREET_SUFFIX);
        assert!(["St", "Street", "AVE", "Blvd.", "drive"].into_iter().all(is_suffix));
        assert!(!is_suffix("rest") && lexicon.word("rest").is(WordFlags::RARE_STREET_SUFFIX));
        assert!(lexicon.word("NW").is(WordFlags::DIRECTION) && lexicon.street_names().len() >= 150);
        assert!(lexicon.states().len() <= 64 && lexicon.states().len() >= 51 && lexicon.countries().len() > 190);
    }
}
