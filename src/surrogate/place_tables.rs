//! The places of the lexicon, arranged by state and by country.
//!
//! ```text
//! cities, counties, zip codes ─▶ groups of states     MN, Minnesota, Minn. ─▶ state 23     states ─▶ classes of about one size
//! ```

use std::collections::HashMap;

use super::casing::fold;
use super::lists::{ByHash, Places, key, place_key};
use super::partition::Partition;
use super::tables::StateForm;
use crate::lexicon::Lexicon;

/// Groups that states are dealt into by the number of their places; states are exchanged within a group.
const STATE_CLASSES: usize = 4;

/// Countries that become each other, by population. So few are as populous as the largest that by it alone three would be left to choose from.
const COUNTRIES_OF_A_BAND: usize = 12;

/// Cities, counties and zip codes, each in its state.
pub(super) fn load_places(lexicon: &'static Lexicon, states: &[&'static str]) -> (Places, Places, Places) {
    let (mut cities, mut counties, mut zips) =
        (Places::new(states.len()), Places::new(states.len()), Places::new(states.len()));
    let mut places: Vec<_> = lexicon.us_places().iter().collect();
    // A name that several states have counts for the one where most people live in such a place.
    places.sort_by(|left, right| right.population.cmp(&left.population).then(left.zip.cmp(right.zip)));
    for place in places {
        let Ok(state) = states.binary_search(&place.state) else {
            continue;
        };
        cities.add(place.city, state, place.population);
        counties.add(place.county, state, place.population);
        zips.add(place.zip, state, place.population);
    }
    (cities, counties, zips)
}

/// The countries, and their cities but those that share a name with one of `cities`.
pub(super) fn load_world(lexicon: &'static Lexicon, cities: &Places) -> (Places, Places) {
    let mut countries: Vec<_> = lexicon.countries().iter().collect();
    countries.sort_by(|left, right| right.population.cmp(&left.population).then(left.name.cmp(right.name)));
    let (mut listed, mut numbers) = (Places::new(1), HashMap::new());
    for country in countries.into_iter().take(usize::from(u8::MAX)) {
        let number = listed.list.len();
        numbers.insert(country.code, number);
        listed.add(country.name, 0, u32::MAX >> (number / COUNTRIES_OF_A_BAND).min(31));
    }
    let mut world = Places::new(listed.list.len());
    let mut settled: Vec<_> = lexicon.world_cities().iter().collect();
    settled.sort_by(|left, right| right.population.cmp(&left.population).then(left.name.cmp(right.name)));
    for city in settled {
        if let Some(&country) = numbers.get(city.country).filter(|_| cities.position(&place_key(city.name)).is_none()) {
            world.add(city.name, country, city.population);
        }
    }
    (listed, world)
}

/// The full names of states, and which state and form each of their writings is.
pub(super) fn forms_of_states(
    lexicon: &'static Lexicon,
    states: &[&'static str],
) -> (Vec<&'static str>, ByHash<(u8, StateForm)>) {
    let mut names = states.to_vec();
    let mut forms = HashMap::default();
    for state in lexicon.states() {
        let Ok(index) = states.binary_search(&state.abbreviation) else {
            continue;
        };
        names[index] = state.name;
        for form in state.short_forms.split('|').filter(|form| !form.is_empty()) {
            forms.insert(key(&place_key(form)), (index as u8, StateForm::Short));
        }
        forms.insert(key(&place_key(state.name)), (index as u8, StateForm::Name));
    }
    for (index, code) in states.iter().enumerate() {
        forms.insert(key(&fold(code)), (index as u8, StateForm::Code));
    }
    (names, forms)
}

/// States in classes of about the same number of zip codes, so that there is a place for nearly every place.
pub(super) fn classes_of_states(states: &[&'static str], zips: &Partition) -> Vec<Vec<u8>> {
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
