//! The lexicon, arranged for choosing surrogates: built once, shared by all patients.
//!
//! ```text
//! names   by kind (women's, men's, either's, surnames) × first letter × origin
//! places  by state: cities, counties, zip codes          countries, jobs, streets: plain lists
//! ```

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

use super::casing::fold;
use super::partition::{Partition, Position};
use super::titles::is_special;
use crate::lexicon::{Lexicon, Origin, Sex};

/// Kinds of names, as indices of [`Tables::names`].
const KINDS: usize = 4;
/// Origins, with one for none.
const ORIGINS: usize = 6;
/// Groups that states are dealt into by the number of their places; states are exchanged within a group.
const STATE_CLASSES: usize = 4;

/// Where a name stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamePosition {
    pub kind: u8,
    pub position: Position,
}

/// Names, places and jobs to choose from.
pub(super) struct Tables {
    /// One partition a kind of name; groups are letters.
    pub names: [Partition; KINDS],
    /// All names, as [`Tables::names`] numbers them.
    pub name_list: Vec<&'static str>,
    name_positions: ByHash<NamePosition>,
    /// What follows the first letter of a name, for all names.
    rests: Vec<Box<str>>,
    rest_positions: ByHash<u32>,
    /// Two-letter codes of the states, in order.
    pub states: Vec<&'static str>,
    /// Full names of the states; the code where there is none.
    pub state_names: Vec<&'static str>,
    state_forms: ByHash<(u8, StateForm)>,
    /// States that are exchanged with each other, as indices.
    pub state_classes: Vec<Vec<u8>>,
    /// Cities, counties and zip codes; groups are states.
    pub cities: Places,
    pub counties: Places,
    pub zips: Places,
    pub countries: List,
    pub professions: List,
    pub streets: List,
    pub saints: List,
    /// Frequent surnames, after which institutions are called.
    pub founders: List,
}

/// How a state is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StateForm {
    /// Two letters.
    Code,
    /// In full or by a traditional short form.
    Name,
}

/// How many surnames institutions are called after.
const FOUNDERS: usize = 4_000;

/// Places of one sort.
pub(super) struct Places {
    pub partition: Partition,
    pub list: Vec<&'static str>,
    positions: ByHash<Position>,
}

/// A plain list with its entries' places.
pub(super) struct List {
    pub entries: Vec<&'static str>,
    positions: ByHash<u32>,
}

impl List {
    fn new(entries: impl IntoIterator<Item = &'static str>) -> Self {
        let mut list = Self { entries: Vec::new(), positions: HashMap::default() };
        for entry in entries {
            if let std::collections::hash_map::Entry::Vacant(free) = list.positions.entry(key(&fold(entry))) {
                free.insert(list.entries.len() as u32);
                list.entries.push(entry);
            }
        }
        list
    }

    /// The place of a folded entry.
    pub(super) fn position(&self, folded: &str) -> Option<usize> {
        self.positions.get(&key(folded)).map(|&position| position as usize)
    }
}

impl Places {
    fn new(states: usize) -> Self {
        Self { partition: Partition::new(states.max(1), 1), list: Vec::new(), positions: HashMap::default() }
    }

    fn add(&mut self, name: &'static str, state: usize) {
        if let std::collections::hash_map::Entry::Vacant(free) = self.positions.entry(key(&place_key(name))) {
            free.insert(self.partition.push(state, 0, self.list.len() as u32));
            self.list.push(name);
        }
    }

    /// The place of a name, given as its [`place_key`].
    pub(super) fn position(&self, place: &str) -> Option<Position> {
        self.positions.get(&key(place)).copied()
    }
}

/// A map by numbers that are hashes already.
type ByHash<V> = HashMap<u64, V, BuildHasherDefault<Hashed>>;

/// Takes a hash as it is.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn key(folded: &str) -> u64 {
    xxh3_64(folded.as_bytes())
}

/// The letter of the alphabet that a folded name begins with.
pub(super) fn first_letter(folded: &str) -> Option<u8> {
    folded.bytes().next().filter(u8::is_ascii_lowercase).map(|letter| letter - b'a')
}

impl Tables {
    /// The tables of the program's lexicon.
    pub(super) fn shared() -> &'static Self {
        static SHARED: LazyLock<Tables> = LazyLock::new(|| Tables::load(Lexicon::shared()));
        &SHARED
    }

    /// Where a folded name stands.
    pub(super) fn name(&self, folded: &str) -> Option<NamePosition> {
        self.name_positions.get(&key(folded)).copied()
    }

    /// The number of what follows a first letter, where it follows one in a listed name.
    pub(super) fn rest(&self, rest: &str) -> Option<u32> {
        self.rest_positions.get(&key(rest)).copied()
    }

    /// What follows first letters of listed names, by its number.
    pub(super) fn rests(&self) -> &[Box<str>] {
        &self.rests
    }

    /// The state that a folded text without full stops names, and how it is written.
    pub(super) fn state_of(&self, folded: &str) -> Option<(u8, StateForm)> {
        self.state_forms.get(&key(folded)).copied()
    }

    /// The state that a text names in any writing: `MT` is Montana, not a mount.
    pub(super) fn state(&self, text: &str) -> Option<(u8, StateForm)> {
        let compact: String = fold(text).chars().filter(|character| character.is_alphanumeric()).collect();
        self.state_of(&compact).or_else(|| self.state_of(&place_key(text)))
    }

    fn load(lexicon: &'static Lexicon) -> Self {
        let mut states: Vec<&'static str> = lexicon.us_places().iter().map(|place| place.state).collect();
        states.extend(lexicon.states().iter().map(|state| state.abbreviation));
        states.sort_unstable();
        states.dedup();
        let (cities, counties, zips) = load_places(lexicon, &states);
        let (state_names, state_forms) = forms_of_states(lexicon, &states);
        let state_classes = classes_of_states(&states, &zips.partition);
        let mut tables = Self {
            names: std::array::from_fn(|_| Partition::new(26, ORIGINS)),
            name_list: Vec::new(),
            name_positions: HashMap::default(),
            rests: Vec::new(),
            rest_positions: HashMap::default(),
            states,
            state_names,
            state_forms,
            state_classes,
            cities,
            counties,
            zips,
            countries: List::new(lexicon.countries().iter().map(|country| country.name)),
            professions: List::new(lexicon.professions().iter().copied()),
            streets: List::new(lexicon.street_names().iter().copied()),
            saints: List::new(lexicon.saints().iter().copied()),
            founders: List::new(
                lexicon
                    .surnames()
                    .iter()
                    .map(|surname| surname.name)
                    .filter(|name| name.len() > 3 && lexicon.english_band(name).is_none() && !lexicon.is_medical(name))
                    .take(FOUNDERS),
            ),
        };
        tables.load_names(lexicon);
        tables
    }

    /// A word that is both given name and surname is what more people bear it as, so that it has one surrogate.
    fn load_names(&mut self, lexicon: &'static Lexicon) {
        for given in lexicon.given_names() {
            if lexicon.surname(given.name).is_none_or(|surname| surname.count <= given.count) {
                let kind = match given.sex {
                    Some(Sex::Female) => 0,
                    Some(Sex::Male) => 1,
                    None => 2,
                };
                self.add_name(given.name, kind, given.origin);
            }
        }
        for surname in lexicon.surnames() {
            if lexicon.given_name(surname.name).is_none_or(|given| given.count < surname.count) {
                self.add_name(surname.name, 3, surname.origin);
            }
        }
    }

    fn add_name(&mut self, name: &'static str, kind: u8, origin: Option<Origin>) {
        let folded = fold(name);
        let Some(letter) = first_letter(&folded).filter(|_| folded.len() > 1 && !is_special(&folded)) else {
            return;
        };
        if let std::collections::hash_map::Entry::Vacant(free) = self.name_positions.entry(key(&folded)) {
            let subgroup = origin.map_or(0, |origin| origin as usize);
            let entry = self.name_list.len() as u32;
            let position = self.names[usize::from(kind)].push(usize::from(letter), subgroup, entry);
            free.insert(NamePosition { kind, position });
            self.name_list.push(name);
            let rest = &folded[1..];
            if let std::collections::hash_map::Entry::Vacant(free) = self.rest_positions.entry(key(rest)) {
                free.insert(self.rests.len() as u32);
                self.rests.push(rest.into());
            }
        }
    }
}

fn load_places(lexicon: &'static Lexicon, states: &[&'static str]) -> (Places, Places, Places) {
    let (mut cities, mut counties, mut zips) =
        (Places::new(states.len()), Places::new(states.len()), Places::new(states.len()));
    let mut places: Vec<_> = lexicon.us_places().iter().collect();
    // A name that several states have counts for the one where most people live in such a place.
    places.sort_by(|left, right| right.population.cmp(&left.population).then(left.zip.cmp(right.zip)));
    for place in places {
        let Ok(state) = states.binary_search(&place.state) else {
            continue;
        };
        cities.add(place.city, state);
        counties.add(place.county, state);
        zips.add(place.zip, state);
    }
    (cities, counties, zips)
}

fn forms_of_states(lexicon: &'static Lexicon, states: &[&'static str]) -> (Vec<&'static str>, ByHash<(u8, StateForm)>) {
    let mut names = states.to_vec();
    let mut forms = HashMap::default();
    for state in lexicon.states() {
        let Ok(index) = states.binary_search(&state.abbreviation) else {
            continue;
        };
        names[index] = state.name;
        for form in state.short_forms.split('|').chain([state.name]).filter(|form| !form.is_empty()) {
            forms.insert(key(&place_key(form)), (index as u8, StateForm::Name));
        }
    }
    for (index, code) in states.iter().enumerate() {
        forms.insert(key(&fold(code)), (index as u8, StateForm::Code));
    }
    (names, forms)
}

/// The folded form of a place's name: without full stops, with `Saint`, `Fort` and `Mount` in full and single spaces.
pub(super) fn place_key(name: &str) -> String {
    let folded = fold(name);
    let mut key = String::with_capacity(folded.len() + 4);
    for word in folded
        .split(|character: char| character.is_whitespace() || matches!(character, '.' | '-'))
        .filter(|word| !word.is_empty())
    {
        let word = match word {
            "st" => "saint",
            "ste" => "sainte",
            "ft" => "fort",
            "mt" => "mount",
            "co" | "cty" if !key.is_empty() => "county",
            other => other,
        };
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(word);
    }
    key
}

/// States in classes of about the same number of zip codes, so that there is a place for nearly every place.
fn classes_of_states(states: &[&'static str], zips: &Partition) -> Vec<Vec<u8>> {
    let mut order: Vec<u8> = (0..states.len().min(256)).map(|state| state as u8).collect();
    order.sort_by_key(|&state| (std::cmp::Reverse(zips.group_len(usize::from(state))), state));
    let size = order.len().div_ceil(STATE_CLASSES).max(2);
    let mut classes: Vec<Vec<u8>> = order.chunks(size).map(<[u8]>::to_vec).collect();
    if classes.last().is_some_and(|last| last.len() < 2)
        && let Some(single) = classes.pop()
        && let Some(last) = classes.last_mut()
    {
        last.extend(single);
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_kind() {
        let tables = Tables::shared();
        assert_eq!(tables.name("john").map(|name| name.kind), Some(1));
        assert_eq!(tables.name("mary").map(|name| name.kind), Some(0));
        assert_eq!(tables.name("smith").map(|name| name.kind), Some(3));
        assert!(tables.name("xqzzt").is_none());
    }

    #[test]
    fn places_are_in_their_states() {
        let tables = Tables::shared();
        let minnesota = tables.state_of("mn").unwrap().0;
        assert_eq!(tables.zips.position("55901").map(|zip| zip.group), Some(minnesota));
        assert_eq!(tables.counties.position("olmsted county").map(|county| county.group), Some(minnesota));
        let all: usize = tables.state_classes.iter().map(Vec::len).sum();
        assert_eq!(all, tables.states.len());
        assert!(tables.state_classes.iter().all(|class| class.len() >= 2));
    }
}
