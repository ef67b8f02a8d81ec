//! The lexicon, arranged for choosing surrogates: built once, shared by all patients.
//!
//! ```text
//! names   by kind (women's, men's, either's, surnames) × first letter × origin
//! places  by state: cities, counties, zip codes          by country: cities of the world          jobs, streets: plain lists
//! ```

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::casing::fold;
use super::letter_pairs::LetterPairs;
use super::lists::{ByHash, List, ListsByWords, Places, first_letter, key, place_key};
use super::nicknames::{Family, NAMES_WITH_FORMS, SHORT_FORMS, families, given_names, world_names};
use super::partition::{Partition, Position};
use super::place_tables::{classes_of_states, forms_of_states, load_places, load_world};
use super::special_words::{is_special, special_words};
use crate::lexicon::{Lexicon, Origin};

/// Kinds of names, as indices of [`Tables::names`].
const KINDS: usize = 4;
/// Origins, with one for none.
const ORIGINS: usize = 6;
/// Where a name stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamePosition {
    pub kind: u8,
    /// Its own place, or that of the name of which it is a short form.
    pub position: Position,
    /// Which short form it is, if one.
    pub short_form: Option<u8>,
}

/// Names, places and jobs to choose from.
pub(super) struct Tables {
    /// One partition a kind of name; groups are letters.
    pub names: [Partition; KINDS],
    /// All names, as [`Tables::names`] numbers them.
    pub name_list: Vec<&'static str>,
    name_positions: ByHash<NamePosition>,
    /// Titles, particles and degrees that are names too, in small letters, by the letters that they begin with. They are not listed.
    pub particles: [Vec<&'static str>; 26],
    /// The short forms of an entry of [`Tables::name_list`], as entries.
    short_forms: HashMap<u32, [u32; SHORT_FORMS]>,
    /// What follows the first letter of a name, for all names.
    rests: Vec<Box<str>>,
    rest_positions: ByHash<u32>,
    /// Which letters follow each other there.
    pub letter_pairs: LetterPairs,
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
    /// Countries by their inhabitants, in one group.
    pub countries: Places,
    /// Cities that no state has; groups are countries, as [`Tables::countries`] numbers them.
    pub world_cities: Places,
    /// Jobs behind `a`, and those behind `an`.
    professions: [ListsByWords; 2],
    pub streets: ListsByWords,
    /// Saints by the letters that they begin with.
    pub saints: [Vec<&'static str>; 26],
    /// Frequent surnames, after which institutions are called; groups are letters.
    pub founders: Places,
    /// Towns of one word, after which they are called too; groups are letters.
    pub towns: Places,
}

/// How a state is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StateForm {
    /// Two letters.
    Code,
    /// In full.
    Name,
    /// By a short form of old: `Minn`, `W. Va`.
    Short,
}

/// How many surnames of each letter institutions are called after, and how many towns.
const FOUNDERS: usize = 200;
const SAINTS: &str = include_str!("data/saints.txt");

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

    /// Whether a folded word is a known name, listed or also a particle.
    pub(super) fn is_name(&self, folded: &str) -> bool {
        let alike = first_letter(folded).and_then(|letter| self.particles.get(usize::from(letter)));
        self.name(folded).is_some() || alike.is_some_and(|alike| alike.contains(&folded))
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
        let (countries, world_cities) = load_world(lexicon, &cities);
        let state_classes = classes_of_states(&states, &zips.partition);
        let mut tables = Self {
            names: std::array::from_fn(|_| Partition::new(26, ORIGINS, NAMES_WITH_FORMS)),
            name_list: Vec::new(),
            short_forms: HashMap::new(),
            particles: names_among_special_words(lexicon),
            name_positions: HashMap::default(),
            rests: Vec::new(),
            rest_positions: HashMap::default(),
            letter_pairs: LetterPairs::of(std::iter::empty()),
            states,
            state_names,
            state_forms,
            state_classes,
            cities,
            counties,
            zips,
            countries,
            world_cities,
            professions: jobs_by_article(lexicon),
            streets: ListsByWords::new(lexicon.street_names().iter().copied()),
            saints: saints_by_letter(),
            founders: Places::new(26),
            towns: Places::new(26),
        };
        tables.load_names(lexicon);
        tables.load_namesakes(lexicon);
        tables.letter_pairs = LetterPairs::of(tables.rests.iter().map(|rest| &**rest));
        tables
    }

    /// A name that is surname and town counts as what it is to more people.
    fn load_namesakes(&mut self, lexicon: &'static Lexicon) {
        let usable = |name: &str| {
            name.len() > 3
                && name.bytes().all(|byte| byte.is_ascii_alphabetic())
                && lexicon.english_band(name).is_none()
                && !lexicon.is_medical(name)
        };
        let mut towns: HashMap<&str, u32> = HashMap::new();
        for place in lexicon.us_places().iter().filter(|place| place.population > 0 && usable(place.city)) {
            let inhabitants = towns.entry(place.city).or_default();
            *inhabitants = place.population.max(*inhabitants);
        }
        towns.retain(|town, inhabitants| lexicon.surname(town).is_none_or(|surname| surname.count < *inhabitants));
        for surname in
            lexicon.surnames().iter().filter(|surname| usable(surname.name) && !towns.contains_key(surname.name))
        {
            self.founders.add_by_letter(surname.name, surname.count, FOUNDERS);
        }
        let mut towns: Vec<(&str, u32)> = towns.into_iter().collect();
        towns.sort_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(right.0)));
        towns.into_iter().for_each(|(town, inhabitants)| self.towns.add_by_letter(town, inhabitants, FOUNDERS));
    }

    /// The jobs of as many words as one and behind the same article: what a note writes before it stays right.
    pub(super) fn jobs_like(&self, job: &str) -> &List {
        self.professions[usize::from(is_behind_an(job))].like(job)
    }

    /// The short form of this number of an entry; nothing where it has none.
    pub(super) fn short_form(&self, entry: u32, number: u8) -> Option<&'static str> {
        let form = self.short_forms.get(&entry)?.get(usize::from(number))?;
        self.name_list.get(*form as usize).copied()
    }

    /// A word that is both given name and surname is what more people bear it as, so that it has one surrogate.
    fn load_names(&mut self, lexicon: &'static Lexicon) {
        let given_names = given_names(lexicon);
        let families = families(lexicon, &given_names);
        let forms: HashSet<&str> = families.iter().flat_map(|family| family.forms).collect();
        for given in given_names.iter().filter(|given| !forms.contains(given.name)) {
            self.add_name(given.name, given.kind, given.origin, given.count);
        }
        let of_census = lexicon.surnames().iter().map(|surname| (surname.name, surname.origin, surname.count));
        let known: HashSet<String> = of_census.clone().map(|(name, ..)| fold(name)).collect();
        let of_world = world_names("surname").filter(|(name, _)| !known.contains(&fold(name)));
        let mut surnames: Vec<_> = of_census.chain(of_world.map(|(name, count)| (name, None, count))).collect();
        surnames.sort_by_key(|&(_, _, count)| std::cmp::Reverse(count));
        for (name, origin, count) in surnames {
            if lexicon.given_name(name).is_none_or(|given| given.count < count) {
                self.add_name(name, 3, origin, count);
            }
        }
        families.into_iter().for_each(|family| self.add_short_forms(&family));
    }

    fn add_name(&mut self, name: &'static str, kind: u8, origin: Option<Origin>, count: u32) {
        let folded = fold(name);
        let Some(letter) = first_letter(&folded).filter(|_| folded.len() > 1 && !is_special(&folded)) else {
            return;
        };
        if self.name(&folded).is_none() {
            let subgroup = origin.map_or(0, |origin| origin as usize);
            let entry = self.name_list.len() as u32;
            let position = self.names[usize::from(kind)].push(usize::from(letter), subgroup, entry, count);
            self.list_name(name, &folded, NamePosition { kind, position, short_form: None });
        }
    }

    /// Short forms stand where their name stands, so that they move with it.
    fn add_short_forms(&mut self, family: &Family) {
        let Some(formal) = self.name(&fold(family.name)) else { return };
        let Some(entry) = self.names[usize::from(formal.kind)].entry(formal.position) else { return };
        let first = self.name_list.len() as u32;
        for (number, form) in (0..).zip(family.forms) {
            self.list_name(form, &fold(form), NamePosition { short_form: Some(number), ..formal });
        }
        self.short_forms.insert(entry, std::array::from_fn(|number| first + number as u32));
    }

    fn list_name(&mut self, name: &'static str, folded: &str, position: NamePosition) {
        self.name_positions.insert(key(folded), position);
        self.name_list.push(name);
        if let Some(rest) = folded.get(1..)
            && let std::collections::hash_map::Entry::Vacant(free) = self.rest_positions.entry(key(rest))
        {
            free.insert(self.rests.len() as u32);
            self.rests.push(rest.into());
        }
    }
}

fn jobs_by_article(lexicon: &'static Lexicon) -> [ListsByWords; 2] {
    [false, true].map(|behind_an| {
        ListsByWords::new(lexicon.professions().iter().copied().filter(|job| is_behind_an(job) == behind_an))
    })
}

/// Whether `an` stands before a word: an actor, but a unit clerk.
pub(super) fn is_behind_an(word: &str) -> bool {
    /// Where an `e` or `u` is said as if a consonant stood before it.
    const CONSONANTS: [&str; 5] = ["eu", "uni", "uro", "use", "uti"];
    let word = fold(word);
    word.starts_with(['a', 'e', 'i', 'o', 'u']) && !CONSONANTS.iter().any(|begin| word.starts_with(begin))
}

fn names_among_special_words(lexicon: &'static Lexicon) -> [Vec<&'static str>; 26] {
    let mut names: [Vec<&str>; 26] = std::array::from_fn(|_| Vec::new());
    for word in special_words().filter(|word| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase())) {
        let known = lexicon.surname(word).is_some() || lexicon.given_name(word).is_some();
        if let Some(letter) = first_letter(word).filter(|_| known) {
            names[usize::from(letter)].push(word);
        }
    }
    names.iter_mut().for_each(|names| {
        names.sort_unstable();
        names.dedup();
    });
    names
}

fn saints_by_letter() -> [Vec<&'static str>; 26] {
    let mut saints: [Vec<&str>; 26] = std::array::from_fn(|_| Vec::new());
    for saint in SAINTS.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace) {
        if let Some(letter) = first_letter(&fold(saint)) {
            saints[usize::from(letter)].push(saint);
        }
    }
    saints
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
