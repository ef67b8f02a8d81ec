//! The values that people and places are made of, read once.
//!
//! ```text
//! female.txt  male.txt  surnames.txt  nicknames.txt     names, frequent ones first
//! cities.txt  states.txt  counties.txt                  places of the United States
//! ```

use std::collections::HashMap;
use std::sync::LazyLock;

use super::random::Random;

/// A state with its postal abbreviation and the first three digits of a postal code there.
#[derive(Debug, Clone, Copy)]
pub struct State {
    /// Two letters.
    pub code: &'static str,
    /// The name in full.
    pub name: &'static str,
    /// Three digits.
    pub zip_prefix: &'static str,
}

/// All tables.
#[derive(Debug)]
pub struct Tables {
    /// Female given names.
    pub female: Vec<&'static str>,
    /// Male given names.
    pub male: Vec<&'static str>,
    /// Family names.
    pub surnames: Vec<&'static str>,
    /// Towns, each with the code of its state.
    pub cities: Vec<(&'static str, &'static str)>,
    /// Stems and endings of street names.
    pub street_stems: &'static [&'static str],
    nicknames: HashMap<&'static str, Vec<&'static str>>,
    states: HashMap<&'static str, State>,
    counties: HashMap<&'static str, Vec<&'static str>>,
}

/// Street types, abbreviated and in full.
pub const STREET_TYPES: &[&str] = &[
    "St", "Street", "Ave", "Avenue", "Rd", "Road", "Dr", "Drive", "Ln", "Lane", "Ct", "Court", "Blvd", "Way", "Pl",
    "Circle", "Terrace", "Trail", "Pkwy", "St NE", "Ave NW", "St SW", "Ave SE",
];

const STREET_STEMS: &[&str] = &[
    "Main",
    "Oak",
    "Maple",
    "Elm",
    "Washington",
    "Cedar",
    "Pine",
    "Lake",
    "Hill",
    "Park",
    "Walnut",
    "Church",
    "Spring",
    "North",
    "Ridge",
    "Lincoln",
    "Willow",
    "Mill",
    "River",
    "Sunset",
    "Jackson",
    "Cherry",
    "Highland",
    "Franklin",
    "Jefferson",
    "Dogwood",
    "Hickory",
    "Meadow",
    "Forest",
    "Center",
    "Railroad",
    "Chestnut",
    "Adams",
    "Birch",
    "Laurel",
    "Prospect",
    "Madison",
    "Poplar",
    "College",
    "Country Club",
    "Valley View",
    "Old Mill",
    "Martin Luther King Jr",
    "Fox Hollow",
    "Deer Run",
    "Summit",
    "Orchard",
    "Cottonwood",
    "Magnolia",
    "Sycamore",
    "1st",
    "2nd",
    "3rd",
    "5th",
    "7th",
    "10th",
    "12th",
    "21st",
    "34th",
    "E Broadway",
    "W 4th",
    "S Grand",
    "N Market",
    "West End",
    "County Line",
    "St. Charles",
    "Saint Paul",
    "San Pedro",
    "El Camino",
    "Mesa Verde",
];

static SHARED: LazyLock<Tables> = LazyLock::new(Tables::load);

impl Tables {
    /// The shipped tables, read at first use.
    pub fn shared() -> &'static Tables {
        &SHARED
    }

    fn load() -> Self {
        Self {
            female: lines(include_str!("data/female.txt")),
            male: lines(include_str!("data/male.txt")),
            surnames: lines(include_str!("data/surnames.txt")),
            cities: pairs(include_str!("data/cities.txt")).collect(),
            street_stems: STREET_STEMS,
            nicknames: lists(include_str!("data/nicknames.txt")),
            states: pairs(include_str!("data/states.txt"))
                .filter_map(|(code, rest)| {
                    let (name, zip_prefix) = rest.split_once('|')?;
                    Some((code, State { code, name, zip_prefix }))
                })
                .collect(),
            counties: lists(include_str!("data/counties.txt")),
        }
    }

    /// A family name; frequent ones come more often.
    pub fn surname(&self, random: &mut Random) -> &'static str {
        skewed(&self.surnames, random)
    }

    /// A given name; frequent ones come more often.
    pub fn given(&self, female: bool, random: &mut Random) -> &'static str {
        skewed(if female { &self.female } else { &self.male }, random)
    }

    /// Short forms of a given name.
    pub fn nicknames(&self, given: &str) -> &[&'static str] {
        self.nicknames.get(given).map_or(&[], Vec::as_slice)
    }

    /// A town with its state.
    pub fn town(&self, random: &mut Random) -> (&'static str, State) {
        let (city, code) = random.pick(&self.cities).copied().unwrap_or(("Springfield", "IL"));
        (city, self.state(code))
    }

    /// The state of this code; Illinois for an unknown one.
    pub fn state(&self, code: &str) -> State {
        self.states.get(code).copied().unwrap_or(State { code: "IL", name: "Illinois", zip_prefix: "600" })
    }

    /// A county of the state.
    pub fn county(&self, state: &str, random: &mut Random) -> &'static str {
        self.counties.get(state).and_then(|counties| random.pick(counties)).copied().unwrap_or("Jefferson")
    }
}

/// The square of a uniform number prefers the head of the list, as names do.
fn skewed(values: &[&'static str], random: &mut Random) -> &'static str {
    let unit = 1.0 - random.unit();
    let place = (unit.powf(1.7) * values.len() as f64) as usize;
    values.get(place).copied().unwrap_or("Lee")
}

fn lines(text: &'static str) -> Vec<&'static str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

fn pairs(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.lines().filter_map(|line| line.trim().split_once('|'))
}

fn lists(text: &'static str) -> HashMap<&'static str, Vec<&'static str>> {
    pairs(text).map(|(key, values)| (key, values.split(',').collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_whole() {
        let tables = Tables::shared();
        assert!(tables.female.len() + tables.male.len() >= 1500 && tables.surnames.len() >= 3000);
        for (city, code) in &tables.cities {
            assert_eq!(tables.state(code).code, *code, "{city}");
            assert!(tables.counties.contains_key(code), "{code}");
        }
        for (given, short) in &tables.nicknames {
            assert!(!short.is_empty() && !short.contains(given));
        }
    }
}
