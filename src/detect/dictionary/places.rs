//! Places: `Springfield, IL`, `from Duluth`, `Cook County`, `in Vietnam`, `Logan Airport`.
//!
//! Ethnicities, languages and scores named after places are none, and a word that is a place, a name and an English
//! word
//! (`Jordan`, `Reading`) is a place only after a preposition or before a state.

mod landmarks;
mod towns;

pub(super) use self::landmarks::{is_landmark, is_small_landmark};
pub(super) use self::towns::is_town_lead;

use super::found::Found;
use super::markers::Marker;
use super::words::{Cues, Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Class, Kind, Label};

/// At most so many words make a place.
const LONGEST_PLACE: usize = 4;
const ANY_PLACE: WordFlags =
    WordFlags::CITY.union(WordFlags::STATE).union(WordFlags::COUNTRY).union(WordFlags::LANDMARK);
const STATES: WordFlags = WordFlags::STATE.union(WordFlags::STATE_ABBREVIATION);
/// Scores and other things that are named after places: never a place before these.
const PLACE_SCORES: &str = "coma scale score cognitive classification criteria bowel depression orthosis sign protocol knee shoulder hip \
     virus disease fever outcome prognostic rules rule variant flu study heart sleepiness handedness hernia index \
     developmental gcs regimen method bridge brace syndrome eye ascent tick virus, encephalitis yellow alcohol \
     questionnaire units lineage lineages strain comfort agitation sedation stroke lymphoma ankle mesh catheter pouch acute mean";

/// Whether a word ends the names of buildings, waters and parks.
pub(super) fn ends_landmark(word: &str) -> bool {
    landmarks::is_head(word)
}

/// What ends the names of counties.
const COUNTIES: &str = "county parish borough";

/// Whether a word ends the names of counties.
pub(super) fn is_county(word: &str) -> bool {
    listed!(word, COUNTIES)
}

/// Every word that sets off a rule of places, blank-separated.
pub(super) fn cue_words() -> impl Iterator<Item = &'static str> {
    landmarks::words().chain([COUNTIES, towns::LEADS])
}

/// Adds every place of a sentence.
pub(super) fn detect(words: &Words, found: &mut Found) {
    let mut index = 0;
    while index < words.list.len() {
        let word = &words.list[index];
        if word.shape == Shape::Lower {
            landmarks::small_head(words, index, found);
            towns::small(words, index, found);
            towns::small_with_state(words, index, found);
        }
        towns::state_of_licence(words, index, found);
        if !word.is_capital() || found.covers(word.start..word.end) {
            index += 1;
            continue;
        }
        index = before_state(words, index, found)
            .or_else(|| towns::before_country(words, index, found))
            .or_else(|| if words.digits { towns::before_code(words, index, found) } else { None })
            .or_else(|| if words.cues.has(Cues::COUNTY) { county(words, index, found) } else { None })
            .or_else(|| towns::of_people(words, index, found))
            .or_else(|| known(words, index, found))
            .or_else(|| landmarks::detect(words, index, found))
            .map_or(index + 1, |last| last + 1);
    }
}

/// The longest phrase from `first` whose words are joined and that has one of the flags.
fn longest(words: &Words, first: usize, flags: WordFlags) -> Option<usize> {
    if !(words.list[first].info.is_any(flags) || words.may_be_phrase(first)) {
        return None;
    }
    let end = (first + LONGEST_PLACE).min(words.list.len());
    (first..end).rev().find(|&last| {
        words.joined(first, last) && words.list[last].shape != Shape::Lower && words.look_up(first, last).is_any(flags)
    })
}

/// `City, ST` and `City, Statename`: the city may be one that no list knows.
fn before_state(words: &Words, first: usize, found: &mut Found) -> Option<usize> {
    for last in first..(first + LONGEST_PLACE).min(words.list.len()) {
        if !words.joined(first, last) || words.list[last].shape == Shape::Lower {
            break;
        }
        let state = last + 1;
        let Some(next) = words.get(state) else { break };
        if !matches!(next.gap, Gap::Comma | Gap::Space) {
            continue;
        }
        let may_be = next.info.is_any(STATES) || words.may_be_phrase(state);
        let Some(state_end) = may_be.then(|| state_at(words, state)).flatten() else {
            continue;
        };
        let name = words.phrase(state, state_end);
        let city = words.phrase(first, last);
        let known_city = words.look_up(first, last).is(WordFlags::CITY);
        let listed = known_city && Lexicon::shared().city_in_state(city, name);
        let comma = next.gap == Gap::Comma;
        let code = name.len() == 2;
        // `ID 4266` behind a name is a number.
        let number =
            name == "ID" && words.between_after(state_end).trim_start().starts_with(|c: char| c.is_ascii_digit());
        // `Brooke Hatch, MS, CCC-SLP`: a degree before another one.
        let degree =
            comma && words.get(state + 1).is_some_and(|next| next.gap == Gap::Comma && next.is(Marker::Credential));
        let credential = code && (number || degree || words.list[state].is(Marker::Credential));
        let led = first > 0 && words.list[first - 1].is(Marker::PlaceLead) || place_verb(words, first);
        let fits = match () {
            () if credential => listed && (comma || led) && !is_of_person(words, first, state),
            () if !comma => {
                listed && (led || !code || is_address_end(words, state)) && words.list[first].shape != Shape::Lower
            }
            () if listed => true,
            () if code => known_city || led && words.list[first..=last].iter().all(|word| word.is_capital()),
            () => known_city || led,
        };
        if fits && !(words.shouted && !listed && !led) {
            found.add(words.list[first].start..words.list[last].end, Label::City, if listed { 0.95 } else { 0.8 });
            found.add(words.list[state].start..words.list[state_end].end, Label::State, 0.95);
            return Some(state_end);
        }
    }
    None
}

/// `Heart Rhythm Center, Kenosha WI`, `Kimberling City MO.`: the code of a state that hardly abbreviates anything else, with nothing of the
/// same line or clause behind it.
fn is_address_end(words: &Words, code: usize) -> bool {
    const CLEAR: &str = "NY NJ AZ NV WA KS TN KY OH IL IA WI MN VT NH NM WY AK GA FL UT MO NC TX";
    let behind = words.between_after(code).trim_start_matches(' ');
    !words.shouted
        && listed!(words.text(code), CLEAR)
        && (behind.is_empty() || behind.starts_with(['\n', ',', ';', '.', ')', '(', '|']))
}

/// Whether a town before the code of a state is a family name, and the code no state's: `Alicia O. Garland, PA-C`, `Aaron Chase, MD`,
/// `R. Wagner, MD`, `Hans Stanley, ID 4266`.
fn is_of_person(words: &Words, first: usize, code: usize) -> bool {
    let assistant = words.sentence[words.list[code].end..].starts_with("-C");
    let given = first.checked_sub(1).is_some_and(|before| {
        let given = &words.list[before];
        match words.list[first].gap {
            Gap::Space => given.shape == Shape::Initial || given.is_capital() && given.info.given_count > 500,
            Gap::Stop => given.shape == Shape::Initial,
            _ => false,
        }
    });
    assistant || given
}

/// The last word of the state that begins at `index`: a full name, or a code in capitals.
fn state_at(words: &Words, index: usize) -> Option<usize> {
    let word = words.get(index)?;
    if word.shape == Shape::Upper && word.end - word.start == 2 && word.info.is(WordFlags::STATE_ABBREVIATION) {
        return Some(index);
    }
    if !word.is_capital() {
        return None;
    }
    (index..(index + 3).min(words.list.len()))
        .rev()
        .find(|&last| words.joined(index, last) && words.look_up(index, last).is(WordFlags::STATE))
}

/// `Cook County`, `St. Louis County`, `Orleans Parish`.
fn county(words: &Words, first: usize, found: &mut Found) -> Option<usize> {
    for last in first..(first + 3).min(words.list.len()) {
        if !words.joined(first, last) {
            break;
        }
        let head = last + 1;
        let next = words.get(head)?;
        // `Facility Yellowstone County Detention Facility`: a field before the name.
        if first < last && listed!(words.text(first), "facility location agency hospital clinic employer residence") {
            break;
        }
        let told = matches!(words.text(head), "County" | "COUNTY" | "Parish" | "Borough") && next.gap == Gap::Space;
        // `Oregon and Clark County` are two.
        let one = (first..=last)
            .all(|at| words.list[at].is_capital() || words.list[at].marker == Some(Marker::Particle))
            || words.look_up(first, last).is(WordFlags::COUNTY);
        if told
            && one
            && words.list[first].is_capital()
            && (words.list[first].marker.is_none_or(|marker| matches!(marker, Marker::Particle))
                || first == last && words.list[first].gap == Gap::Space && words.list[first].info.is(WordFlags::COUNTY))
        {
            let building = words
                .get(head + 1)
                .is_some_and(|next| next.gap == Gap::Space && next.info.is_any(super::runs::CUES) && next.is_capital());
            if building {
                return None;
            }
            found.add(
                words.list[first].start..words.list[head].end,
                Class { label: Label::LocationOther, kind: Kind::LocationCounty },
                0.95,
            );
            // `Clark County, WA`
            let state = words.get(head + 1).filter(|state| {
                state.info.is(WordFlags::STATE_ABBREVIATION)
                    && words.text(head + 1).bytes().all(|byte| byte.is_ascii_uppercase())
                    && words.between(head + 1) == ", "
            });
            let Some(state) = state else { return Some(head) };
            found.add(state.start..state.end, Label::State, 0.9);
            return Some(head + 1);
        }
    }
    None
}

/// Whether a verb or noun of living or moving stands before: `lives in`, `moved to`, `born in`, `trip to`.
fn place_verb(words: &Words, index: usize) -> bool {
    const VERBS: &str = "from to in near visited visiting outside around at toward leaving via through across of";
    const STRONG: &str = "lives living live lived moved moving born raised resides residing resident travel \
                          traveled travelled travels traveling trip flew returned vacation native immigrated \
                          emigrated originally visit visiting home relocated relocating cruise drove driving back \
                          hometown city town state grew up went going works";
    let Some(lead) = index.checked_sub(1) else { return false };
    let near = words.text(lead);
    if listed!(near, VERBS) {
        let strong = (lead.saturating_sub(3)..lead).any(|at| listed!(words.text(at), STRONG));
        return strong
            || near.eq_ignore_ascii_case("from")
            || near.eq_ignore_ascii_case("near")
            || near.eq_ignore_ascii_case("visited");
    }
    false
}

/// Cities, states and countries of the lists.
fn known(words: &Words, first: usize, found: &mut Found) -> Option<usize> {
    let last = longest(words, first, ANY_PLACE)?;
    let info = words.look_up(first, last);
    let word = &words.list[first];
    if is_score(words, first, last) || info.is(WordFlags::NATIONALITY) || towns::is_vehicle(words, first, last) {
        return Some(last);
    }
    let lead = first.checked_sub(1).map(|before| words.list[before]);
    let preposition = lead.is_some_and(|before| before.is(Marker::PlaceLead) && word.gap == Gap::Space)
        || matches!(first.checked_sub(1).map(|at| words.text(at)), Some("from" | "to" | "at" | "From" | "To"));
    let strong = place_verb(words, first) && word.gap == Gap::Space;
    let after_place = lead.is_some_and(|before| word.gap == Gap::Comma && found.covers(before.start..before.end));
    let english = info.english_size().is_some_and(|size| size <= 60);
    let medical = info.is_any(MEDICAL);
    let plain = (first..=last).all(|index| {
        words.list[index].info.english_size().is_some_and(|size| size <= 60) || words.list[index].is(Marker::NoName)
    });
    let into = matches!(first.checked_sub(1).map(|at| words.text(at)), Some("in" | "near")) && word.gap == Gap::Space;
    if words.list[last].info.is_any(super::runs::CUES) && first < last && !strong {
        return None;
    }
    let name = info.given_count.max(info.surname_count);
    let single = first == last;
    let short_code = single && word.shape == Shape::Upper && word.end - word.start <= 3;
    if words.shouted && single && !strong || word.marker.is_some() && single && !word.is(Marker::Particle) {
        let state = info.is_any(WordFlags::STATE.union(WordFlags::COUNTRY))
            && word.marker.is_none()
            && !english
            && info.given_count < 1_000;
        if !state {
            return None;
        }
    }
    let next_is_name = words.get(last + 1).is_some_and(|next| {
        next.gap == Gap::Space
            && next.is_capital()
            && next.info.surname_count > 500
            && next.info.english_size().is_none()
    });
    // `Billings Clinic, Poughkeepsie`: a town behind what stands in it.
    let behind = after_place && info.given_count < 2_000 && !next_is_name;
    let label = label_of(&info);
    let country_or_state = info.is_any(WordFlags::STATE.union(WordFlags::COUNTRY));
    let score = match () {
        () if short_code => {
            let known = matches!(words.text(first), "USA" | "UK" | "UAE" | "U.S" | "NYC");
            if known || preposition && country_or_state {
                0.7
            } else {
                return None;
            }
        }
        () if medical && !strong => return None,
        // `VIETNAM ERA`, `Korean War`: when somebody served, and not where somebody lives.
        () if info.is(WordFlags::COUNTRY)
            && words.get(last + 1).is_some_and(|next| {
                next.gap == Gap::Space
                    && listed!(words.text(last + 1), "era war vet vets veteran veterans conflict syndrome")
            }) =>
        {
            return None;
        }
        () if country_or_state && !english && info.given_count < 2_000 => 0.9,
        () if country_or_state && (preposition || strong || after_place) && !next_is_name => 0.9,
        () if country_or_state && !single => 0.9,
        () if country_or_state => return None,
        () if info.is(WordFlags::LANDMARK) && !single => 0.8,
        () if info.is(WordFlags::LANDMARK) && (preposition || strong) && !english => 0.7,
        () if strong && !next_is_name && (info.population > 0 || !single) && !(english && info.population < 20_000) => {
            0.9
        }
        () if preposition
            && !english
            && !next_is_name
            && (info.population > 5_000 || !single)
            && (name < 50_000 || info.population > 100_000) =>
        {
            0.7
        }
        () if (into || behind) && !english && !medical && info.population > 5_000 => 0.8,
        () if !single && (!plain || info.population > 80_000) => 0.6,
        () if english || name > 5_000 || info.population < 40_000 || word.gap == Gap::Start || next_is_name => {
            return None;
        }
        () if info.is(WordFlags::EPONYM) => return None,
        () => 0.5,
    };
    found.add(word.start..words.list[last].end, label, score);
    Some(last)
}

fn label_of(info: &crate::lexicon::WordInfo) -> Class {
    match () {
        () if info.is(WordFlags::STATE) && info.population < 1_000_000 => Class::of(Label::State),
        () if info.is(WordFlags::COUNTRY) && info.population < 1_000_000 => Class::of(Label::Country),
        () if info.is(WordFlags::CITY) => Class::of(Label::City),
        () if info.is(WordFlags::STATE) => Class::of(Label::State),
        () if info.is(WordFlags::COUNTRY) => Class::of(Label::Country),
        () => Class { label: Label::LocationOther, kind: Kind::LocationLandmark },
    }
}

fn is_score(words: &Words, first: usize, last: usize) -> bool {
    if words.is_eponymous(first, last) {
        return true;
    }
    // `Comfort Gloucester 2`, `NYHA (New York)`, `A/Thailand/8/2022`.
    let before = first.checked_sub(1);
    let scale = before.is_some_and(|at| listed!(words.text(at), "nyha comfort modified revised strain strains"));
    let strain = before.is_some_and(|at| words.list[at].shape == Shape::Initial) && words.between(first) == "/";
    if scale || strain {
        return true;
    }
    let Some(next) = words.get(last + 1) else { return false };
    let text = words.text(last + 1);
    matches!(next.gap, Gap::Space | Gap::Hyphen) && listed!(text, PLACE_SCORES) || words.is_eponym(last)
}
