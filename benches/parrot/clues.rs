//! What an attacker can measure of a candidate, apart from what the parrot says: lexicon, prevalence, dates, geography.
//!
//! ```text
//! a rare name     found with one patient once           a city that is not in the patient's state
//! a common name   with twenty patients, often           a birth date eleven weeks from the patient's usual one
//! ```
//!
//! A clue that says nothing of a candidate is not a number; the regression gives that a weight of its own.

use plainsight::lexicon::{Lexicon, WordFlags};
use plainsight::text::TokenKind;

use crate::corpus::{Candidate, Released};
use crate::dates::{Seen, calendar, read};
use crate::groups::{CITIES, DATES, HOSPITALS, INTERNET, ORGANIZATIONS, STATES, ZIPS};
use crate::index::{Index, beginning_key, state_of, value_key, word_key, words};

/// What is measured, in the order of the vector.
pub const CLUES: [&str; 32] = [
    "bearers of the rarest word",
    "bearers of the commonest word",
    "words out of the lexicon",
    "English",
    "medical",
    "inhabitants",
    "listed as a whole",
    "begins small",
    "capitals only",
    "words",
    "length",
    "digits",
    "a plus sign",
    "patients with the value",
    "patients with the rarest word",
    "patients with the commonest word",
    "mentions of the value",
    "mentions of the rarest word",
    "mentions of the commonest word",
    "mentions in the note",
    "outside of identifiers",
    "values that begin alike",
    "names of the patient in it",
    "days to the note",
    "days to another date of the note",
    "mentions of the day",
    "a partner at an allowed shift",
    "days before the note within a year",
    "years before the note",
    "share of its state with the patient",
    "city of the patient's state",
    "agrees with its neighbours",
];

/// A clue that says nothing.
const NOTHING: f32 = f32::NAN;
/// Shifts are whole weeks, from eight to fifty-two.
const WEEKS: std::ops::RangeInclusive<i64> = 8..=52;

/// The clues of a candidate of a note.
pub fn clues(index: &Index, note: &Released, place: usize) -> [f32; CLUES.len()] {
    let candidate = &note.candidates[place];
    let value = &note.text[candidate.range.clone()];
    let mut clues = [NOTHING; CLUES.len()];
    words_of(value, &mut clues[..13]);
    prevalence(index, note, candidate, value, &mut clues[13..23]);
    if candidate.group == DATES {
        dates(index, note, place, value, &mut clues[23..29]);
    }
    geography(index, note, place, value, &mut clues[29..]);
    clues
}

fn log(count: u32) -> f32 {
    (count as f32 + 1.0).log10()
}

fn flag(flag: bool) -> f32 {
    f32::from(u8::from(flag))
}

fn words_of(value: &str, clues: &mut [f32]) {
    let lexicon = Lexicon::shared();
    let (mut rarest, mut commonest, mut outside, mut english, mut medical) = (u32::MAX, 0, 0_u8, 0_u8, 0_u8);
    for token in words(value).filter(|token| token.kind == TokenKind::Word && token.end - token.start > 1) {
        let info = lexicon.word(token.text(value));
        let bearers = info.surname_count.max(info.given_count);
        (rarest, commonest) = (rarest.min(bearers), commonest.max(bearers));
        outside += u8::from(info.flags == WordFlags::NONE);
        english += info.english_size().map_or(0, |_| 1);
        medical += u8::from(info.is(WordFlags::MEDICAL));
    }
    let whole = lexicon.word(value);
    let listed = WordFlags::CITY | WordFlags::HOSPITAL | WordFlags::ORGANIZATION | WordFlags::LANDMARK;
    let letters = || value.chars().filter(|character| character.is_alphabetic());
    let digits = value.chars().filter(char::is_ascii_digit).count();
    clues.copy_from_slice(&[
        if rarest == u32::MAX { NOTHING } else { log(rarest) },
        if rarest == u32::MAX { NOTHING } else { log(commonest) },
        f32::from(outside),
        f32::from(english),
        f32::from(medical),
        log(whole.population),
        flag(whole.is_any(listed)),
        flag(value.starts_with(char::is_lowercase)),
        flag(letters().count() > 1 && letters().all(char::is_uppercase)),
        words(value).count() as f32,
        value.chars().count() as f32,
        digits as f32,
        flag(value.contains('+')),
    ]);
}

fn prevalence(index: &Index, note: &Released, candidate: &Candidate, value: &str, clues: &mut [f32]) {
    let (group, patient) = (candidate.group, note.patient);
    let of = |key: u64| index.patients.get(&key).copied().unwrap_or(0);
    let often = |key: u64| index.mentions.get(&(patient, key)).copied().unwrap_or(0);
    let keys: Vec<u64> = words(value).map(|word| word_key(group, word.text(value))).collect();
    let least = |count: &dyn Fn(u64) -> u32| keys.iter().map(|key| count(*key)).min().map_or(NOTHING, log);
    let most = |count: &dyn Fn(u64) -> u32| keys.iter().map(|key| count(*key)).max().map_or(NOTHING, log);
    let whole = value_key(group, value);
    let same = |other: &&Candidate| other.group == group && value_key(group, &note.text[other.range.clone()]) == whole;
    let outside = words(value).map(|word| {
        let key = word_key(0, word.text(value));
        let (all, inside) = (index.anywhere.get(&key), index.inside.get(&key));
        all.copied().unwrap_or(0).saturating_sub(inside.copied().unwrap_or(0))
    });
    let lower = value.to_lowercase();
    let named = index.names[patient].iter().filter(|name| name.len() > 3 && lower.contains(name.as_str())).count();
    clues.copy_from_slice(&[
        log(of(whole)),
        least(&of),
        most(&of),
        log(often(whole)),
        least(&often),
        most(&often),
        note.candidates.iter().filter(same).count() as f32,
        outside.max().map_or(NOTHING, log),
        log(index.beginnings.get(&beginning_key(group, value)).copied().unwrap_or(0)),
        if group == INTERNET { named as f32 } else { NOTHING },
    ]);
}

fn dates(index: &Index, note: &Released, place: usize, value: &str, clues: &mut [f32]) {
    let own = |other: usize| match read(&note.text[note.candidates[other].range.clone()]) {
        Some(Seen::Day(day)) if note.candidates[other].group == DATES => Some(day),
        _ => None,
    };
    let others: Vec<i64> = (0..note.candidates.len()).filter(|other| *other != place).filter_map(own).collect();
    let of_note = note.day.or_else(|| {
        let mut sorted = others.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied()
    });
    match read(value) {
        Some(Seen::Day(day)) => {
            let seen = |day: i64| index.days[note.patient].get(&day).copied().unwrap_or(0);
            let partner = WEEKS.flat_map(|weeks| [day - 7 * weeks, day + 7 * weeks]).map(seen).max().unwrap_or(0);
            let old = of_note.is_some_and(|of_note| of_note - day > 500);
            clues[0] = of_note.map_or(NOTHING, |of_note| (of_note - day) as f32);
            clues[1] = others.iter().map(|other| (other - day).abs()).min().map_or(NOTHING, |days| days as f32);
            clues[2] = log(seen(day));
            clues[3] = if old { log(partner) - log(seen(day)) } else { NOTHING };
        }
        Some(Seen::OfYear(day)) => {
            let of_note = of_note.and_then(calendar);
            clues[4] = of_note.map_or(NOTHING, |(of_note, _)| (of_note - day).rem_euclid(365) as f32);
        }
        Some(Seen::Year(year)) => {
            clues[5] = of_note.and_then(calendar).map_or(NOTHING, |(_, of_note)| (of_note - year) as f32);
        }
        None => {}
    }
}

fn geography(index: &Index, note: &Released, place: usize, value: &str, clues: &mut [f32]) {
    let group = note.candidates[place].group;
    let votes = &index.states[note.patient];
    let all: u32 = votes.values().sum();
    let home = votes.iter().max_by_key(|(state, count)| (**count, **state)).map(|(state, _)| *state);
    let lexicon = Lexicon::shared();
    if let Some(state) = state_of(group, value) {
        clues[0] = votes.get(state).copied().unwrap_or(0) as f32 / all.max(1) as f32;
    }
    let named = |state: &str| match group {
        CITIES => lexicon.city(value).is_some().then(|| lexicon.city_in_state(value, state)),
        HOSPITALS | ORGANIZATIONS => {
            let runs = || runs(value).filter(|run| lexicon.city(run).is_some_and(|inhabitants| inhabitants > 0));
            runs().next().is_some().then(|| runs().any(|run| lexicon.city_in_state(run, state)))
        }
        STATES | ZIPS => state_of(group, value).map(|own| own == state),
        _ => None,
    };
    clues[1] = home.and_then(named).map_or(NOTHING, flag);
    let near = |other: &usize| *other != place && gap(note, place, *other) < 4;
    let beside = [place.wrapping_sub(1), place + 1].into_iter().filter(|other| *other < note.candidates.len());
    let agreeing = beside.filter(near).filter_map(|other| {
        let (other_group, other) = (note.candidates[other].group, &note.text[note.candidates[other].range.clone()]);
        match (group, other_group) {
            (STATES | ZIPS, CITIES) => {
                lexicon.city(other)?;
                Some(lexicon.city_in_state(other, state_of(group, value)?))
            }
            _ => named(state_of(other_group, other)?),
        }
    });
    clues[2] = agreeing.map(flag).reduce(f32::min).unwrap_or(NOTHING);
}

/// The words of a value, and its pairs of words.
fn runs(value: &str) -> impl Iterator<Item = &str> {
    let places: Vec<_> = words(value).collect();
    let ranges: Vec<_> = (1..=2)
        .flat_map(|length| places.windows(length).map(|run| run[0].start..run[run.len() - 1].end).collect::<Vec<_>>())
        .collect();
    ranges.into_iter().map(|range| &value[range])
}

/// How many bytes lie between two candidates.
fn gap(note: &Released, one: usize, other: usize) -> usize {
    let (first, second) = (&note.candidates[one.min(other)], &note.candidates[one.max(other)]);
    second.range.start.saturating_sub(first.range.end)
}
