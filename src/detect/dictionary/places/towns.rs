//! Towns that what follows them tells: `Funchal, Portugal`, `Leeds LS1 4AP`, `Nampa 83686`; towns in small letters;
//! states of licences.

use super::{LONGEST_PLACE, label_of};
use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::words::{Cues, Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// `Évora, Portugal`: a town before its country, known or not.
pub(super) fn before_country(words: &Words, first: usize, found: &mut Found) -> Option<usize> {
    for last in first..(first + 3).min(words.list.len()) {
        if last > first && words.list[last].gap != Gap::Space || words.list[last].shape != Shape::Capital {
            return None;
        }
        let country = last + 1;
        let next = words.get(country)?;
        if next.gap == Gap::Space && last + 1 < first + 3 {
            continue;
        }
        if !matches!(next.gap, Gap::Comma) || !next.is_capital() {
            return None;
        }
        let end = (country..(country + 3).min(words.list.len()))
            .rev()
            .find(|&end| words.joined(country, end) && words.look_up(country, end).is(WordFlags::COUNTRY))?;
        let word = &words.list[first];
        let english = words.list[country].info.english_size().is_some_and(|size| size <= 50) && country == end;
        let person = word.info.given_count > 2_000 && first == last;
        let fits = !word.info.is_any(MEDICAL)
            && word.marker.is_none_or(|marker| marker == Marker::Particle)
            && !(english || person || words.list[country].info.given_count > 2_000);
        let known = words.look_up(first, last).is(WordFlags::CITY) || word.info.english_size().is_none();
        if !fits || !known {
            return None;
        }
        found.add(word.start..words.list[last].end, Label::City, 0.8);
        found.add(words.list[country].start..words.list[end].end, Label::Country, 0.9);
        return Some(end);
    }
    None
}

/// `Nampa 83686`, `KEIGHLEY  BD21 4QX`, `Troy Mich 48084`: a known town before a postal code.
pub(super) fn before_code(words: &Words, first: usize, found: &mut Found) -> Option<usize> {
    // Almost no word is followed by a digit or a short form of a state: only those that are cost a look at the lexicon.
    for last in first..(first + LONGEST_PLACE).min(words.list.len()) {
        if last > first && words.list[last].gap != Gap::Space || !words.list[last].is_capital() {
            return None;
        }
        let rest = words.between_after(last);
        let code = is_postal_code(rest.trim_start_matches([' ', ',', '\n']));
        let state = last + 1;
        let short = !code
            && words.get(state).is_some_and(|next| {
                matches!(next.gap, Gap::Space | Gap::Comma)
                    && next.info.is(WordFlags::STATE_ABBREVIATION)
                    && next.is_capital()
                    && is_postal_code(words.between_after(state).trim_start_matches([' ', '.', ',']))
            });
        if !code && !short {
            continue;
        }
        let info = words.look_up(first, last);
        let plain =
            last == first && words.list[first].shape == Shape::Capital && !words.list[first].info.is_any(MEDICAL);
        let town = info.is(WordFlags::CITY) || short && plain;
        if !town || words.list[first].marker.is_some_and(|marker| marker != Marker::Particle) {
            return None;
        }
        found.add(words.list[first].start..words.list[last].end, Label::City, 0.8);
        if short {
            found.add(words.list[state].start..words.list[state].end, Label::State, 0.8);
        }
        return Some(if short { state } else { last });
    }
    None
}

/// Whether a text begins with a zip code or a British postcode.
fn is_postal_code(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let free = |at: usize| !bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    if digits == 5 {
        return free(5);
    }
    let area = bytes.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    if digits > 0 || !(1..=2).contains(&area) {
        return false;
    }
    let district = bytes[area..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = area + district;
    at += usize::from(bytes.get(at).is_some_and(u8::is_ascii_uppercase));
    let inward = bytes.get(at) == Some(&b' ')
        && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
        && bytes.get(at + 2).is_some_and(u8::is_ascii_uppercase)
        && bytes.get(at + 3).is_some_and(u8::is_ascii_uppercase);
    (1..=2).contains(&district) && inward && free(at + 4)
}

/// Prepositions before towns.
pub(super) const LEADS: &str = "in from near to";

/// Whether a word is a preposition before towns.
pub(in crate::detect::dictionary) fn is_town_lead(word: &str) -> bool {
    listed!(word, LEADS)
}

/// `driving over from duluth`: a town in small letters, where a town is awaited and no other word is meant.
pub(super) fn small(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let Some(before) = index.checked_sub(1) else { return };
    if word.gap != Gap::Space || word.marker.is_some() || word.end - word.start < 4 {
        return;
    }
    if !words.list[before].cues.has(Cues::TOWN_LEAD) {
        return;
    }
    let lead = words.text(before);
    let opening = listed!(
        words.text(index),
        "new san los las fort saint santa salt el port mount west east north south baton des",
    );
    let second = words.get(index + 1).is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Lower);
    let last = if opening && second { index + 1 } else { index };
    if opening && last == index {
        return;
    }
    let info = words.look_up(index, last);
    let town = info.is_any(WordFlags::CITY.union(WordFlags::STATE).union(WordFlags::COUNTRY));
    let other = info.is_any(MEDICAL) || info.english_size().is_some() || info.is(WordFlags::NATIONALITY);
    let name = info.surname_count.max(info.given_count);
    let moving = (index.saturating_sub(4)..before).any(|at| {
        words.text(at).len() < 10
            && listed!(
                words.text(at),
                "lives live living moved born from drove driving flew flying trip travel traveling back went works",
            )
    });
    let large = info.population > 2_000 || info.is_any(WordFlags::STATE.union(WordFlags::COUNTRY));
    let fits = town && !other && large && (name < 3_000 || moving) && (!lead.eq_ignore_ascii_case("to") || moving);
    if fits {
        found.add(word.start..words.list[last].end, label_of(&info), 0.6);
    }
}

/// Codes of states in small letters that nothing else in a note is written as.
const SMALL_STATES: &str = "ga fl nc tn ky wv ny nj nv az ut wi mn ia ks ct nh vt ak wy al il";

/// `lift driver valdosta ga`: a town of a state with its code, both in small letters, where the line or phrase ends.
pub(super) fn small_with_state(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let Some(before) = index.checked_sub(1) else { return };
    let code = words.text(index);
    let rest = words.between_after(index);
    let ends = rest.trim().is_empty() || rest.starts_with(['\n', ',', '.', ';', ')']) || rest.starts_with("  ");
    if word.gap != Gap::Space && word.gap != Gap::Comma || !ends || !listed!(code, SMALL_STATES) {
        return;
    }
    let name = &words.list[before];
    let info = words.look_up(before, before);
    let town = name.shape == Shape::Lower
        && name.marker.is_none()
        && name.end - name.start >= 4
        && !info.is_any(MEDICAL)
        && info.english_size().is_none_or(|size| size > 40)
        && Lexicon::shared().city_in_state(words.text(before), code);
    if town && !found.covers(name.start..word.end) {
        found.add(name.start..name.end, Label::City, 0.7);
        found.add(word.start..word.end, Label::State, 0.7);
    }
}

/// Models of cars that are called after places.
const MODELS: &str = "tacoma tucson sedona malibu durango denali yukon tahoe sonoma telluride sierra seville catalina bonneville murano \
                      savana";
/// Models that are states, so that only their makers tell them: no `black SUV, Colorado plates`.
const STATE_MODELS: &str = "dakota colorado montana";
/// Makers of such models.
const MAKERS: &str = "toyota hyundai chevy chevrolet gmc ford dodge kia nissan pontiac buick cadillac";

/// Whether a place is the model of a car: `gray Tacoma tag QKX`, `a Chevy Malibu`.
pub(super) fn is_vehicle(words: &Words, first: usize, last: usize) -> bool {
    let model = words.text(first);
    let state = listed!(model, STATE_MODELS);
    if first != last || !state && !listed!(model, MODELS) {
        return false;
    }
    let before = first.checked_sub(1).filter(|_| words.list[first].gap == Gap::Space).map_or("", |at| words.text(at));
    let after = words.get(last + 1).filter(|next| next.gap == Gap::Space).map_or("", |_| words.text(last + 1));
    listed!(before, MAKERS)
        || !state
            && (listed!(before, "gray grey white black silver red blue green tan gold maroon")
                || listed!(after, "tag plate plates truck pickup suv sedan vin"))
}

/// `a Dayton native`, `Fresno resident`: a large town by those who are of it.
pub(super) fn of_people(words: &Words, index: usize, found: &mut Found) -> Option<usize> {
    let word = &words.list[index];
    let next = words.get(index + 1)?;
    let of_it = next.gap == Gap::Space
        && next.shape == Shape::Lower
        && listed!(words.text(index + 1), "native natives resident residents suburb suburbs");
    let info = word.info;
    let town = info.is(WordFlags::CITY)
        && info.population >= 20_000
        && info.english_size().is_none_or(|size| size > 60)
        && !info.is_any(MEDICAL.union(WordFlags::NATIONALITY));
    if !(of_it && town && word.shape == Shape::Capital && word.marker.is_none()) {
        return None;
    }
    found.add(word.start..word.end, Label::City, 0.7);
    Some(index)
}

/// `TX Lic. Q1`, `State ID OR`, `MI lic 4`: the state that gave a licence or plate.
pub(super) fn state_of_licence(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    if word.shape != Shape::Upper || word.end - word.start != 2 || !word.info.is(WordFlags::STATE_ABBREVIATION) {
        return;
    }
    let after = words.get(index + 1).is_some_and(|next| {
        next.gap == Gap::Space
            && listed!(
                words.text(index + 1),
                "lic license licence dl plate plates tag bar board medicaid reg registration",
            )
    });
    let before = index > 0
        && word.gap == Gap::Space
        && (listed!(words.text(index - 1), "dl licensed license")
            || index > 1 && words.text(index - 1) == "ID" && words.text(index - 2) == "State");
    const CLEAR: &str = "TX FL NY NJ AZ NV UT WA KS TN KY OH IL IA WI MN VT NH NM WY AK GA HI";
    let there = index > 0
        && word.gap == Gap::Space
        && !words.shouted
        && matches!(words.text(index - 1), "in" | "from")
        && listed!(words.text(index), CLEAR);
    let credential = words.text(index) == "MD" || words.text(index) == "PA" || words.text(index) == "OR";
    // `Rutledge O. Mabry III MD   Lic# 88`: behind a name; `PLACARD OR PLATES`: a word in a heading.
    let behind = index > 0 && words.list[index - 1].is_capital() && words.text(index) == "MD";
    let degree = credential && (word.gap == Gap::Comma || behind || words.shouted);
    if after && !degree || before || there {
        found.add(word.start..word.end, Label::State, 0.8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::SentenceDetector;
    use crate::detect::dictionary::DictionaryDetector;
    use crate::phi::unite;

    #[test]
    fn towns_of_their_people() {
        let towns = |sentence: &'static str| {
            let mut spans = Vec::new();
            DictionaryDetector::new().detect(sentence, &mut spans);
            spans.retain(|span| span.leading().class.label == Label::City);
            unite(spans).iter().map(|span| &sentence[span.start..span.end]).collect::<Vec<_>>()
        };
        assert_eq!(towns("She is a Fresno native and walks a lot"), ["Fresno"]);
        assert_eq!(towns("Dayton resident, lives alone"), ["Dayton"]);
        assert_eq!(towns("Senior resident to see"), [] as [&str; 0]);
        assert_eq!(towns("Neurology residents aware"), [] as [&str; 0]);
    }

    #[test]
    fn towns_and_states_in_small_letters() {
        let places = |sentence: &'static str| {
            let mut spans = Vec::new();
            DictionaryDetector::new().detect(sentence, &mut spans);
            spans.retain(|span| matches!(span.leading().class.label, Label::City | Label::State));
            unite(spans).iter().map(|span| &sentence[span.start..span.end]).collect::<Vec<_>>()
        };
        assert_eq!(places("carpet mill lift driver valdosta ga"), ["valdosta", "ga"]);
        assert_eq!(places("smith had plt 200 fl"), [] as [&str; 0]);
        assert_eq!(places("seen at 32 wk ga"), [] as [&str; 0]);
        assert_eq!(places("seen at Billings Clinic, Poughkeepsie, yesterday"), ["Poughkeepsie"]);
        assert_eq!(places("gray Tacoma tag QKX D41 left locked"), [] as [&str; 0]);
        assert_eq!(places("drives a Chevy Colorado"), [] as [&str; 0]);
        assert_eq!(places("blue SUV with Colorado plates"), ["Colorado"]);
    }

    #[test]
    fn postal_codes() {
        for code in ["83686", "83686-1234", "LS9 8TW", "SW1A 1AA next", "M1 1AE"] {
            assert!(is_postal_code(code), "{code}");
        }
        for other in ["8368", "836861", "L5 S1", "BP 120", "A1C 7", "T12 L1", ""] {
            assert!(!is_postal_code(other), "{other}");
        }
    }
}
