//! Made-up towns.
//!
//! ```text
//! Xqzzt → Alderbrook     Xqzzt Hill → Foxdale Springs
//! ```

use super::lists::place_key;
use super::places::PatientPlaces;
use super::tables::Tables;

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
}
