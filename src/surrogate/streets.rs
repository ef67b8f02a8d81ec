//! Street lines: other numbers and another name, the kind of street and the unit as they were.
//!
//! ```text
//! 1216 2nd Street SW, Apt 4B → 3875 6th Street SW, Apt 9K     500 State Highway 72 → 318 State Highway 46
//! ```

use std::sync::LazyLock;

use super::casing::fold;
use super::lists::{ByHash, key};
use super::phrases::{Chooser, Part, Phrase, code};
use super::places::{PatientPlaces, from_list};
use super::tables::Tables;
use super::words::words;
use crate::phi::Label;

const DIRECTIONS: &[&str] = &[
    "e",
    "east",
    "n",
    "ne",
    "north",
    "northeast",
    "northwest",
    "nw",
    "s",
    "se",
    "south",
    "southeast",
    "southwest",
    "sw",
    "w",
    "west",
];
const ROADS: &[&str] = &[
    "county",
    "fm",
    "hc",
    "highway",
    "hwy",
    "interstate",
    "mm",
    "route",
    "rr",
    "rt",
    "rte",
    "rural",
    "sr",
    "state",
    "township",
    "us",
];
const UNITS: &[&str] = &[
    "apartment",
    "apt",
    "basement",
    "bldg",
    "box",
    "building",
    "c/o",
    "condo",
    "dept",
    "fl",
    "floor",
    "lot",
    "no",
    "number",
    "p",
    "o",
    "po",
    "post",
    "office",
    "rm",
    "room",
    "space",
    "spc",
    "ste",
    "suite",
    "trailer",
    "trlr",
    "unit",
    "upper",
    "lower",
    "of",
    "the",
    "and",
    "at",
];
const SUFFIXES: &[&str] = &[
    "aly",
    "alley",
    "ave",
    "avenue",
    "av",
    "bend",
    "blvd",
    "boulevard",
    "brg",
    "bridge",
    "byp",
    "bypass",
    "cir",
    "circle",
    "cres",
    "crescent",
    "crossing",
    "ct",
    "court",
    "cv",
    "cove",
    "dr",
    "drive",
    "expressway",
    "expy",
    "fork",
    "fwy",
    "freeway",
    "gdns",
    "glen",
    "grove",
    "hl",
    "hill",
    "hills",
    "hollow",
    "isle",
    "jct",
    "knoll",
    "landing",
    "lane",
    "ln",
    "loop",
    "mall",
    "manor",
    "mews",
    "park",
    "parkway",
    "pass",
    "path",
    "pike",
    "pkwy",
    "pl",
    "place",
    "plaza",
    "plz",
    "point",
    "pt",
    "rd",
    "ridge",
    "road",
    "row",
    "run",
    "sq",
    "square",
    "st",
    "sta",
    "street",
    "ter",
    "terrace",
    "tpke",
    "trace",
    "trail",
    "trl",
    "turnpike",
    "view",
    "vista",
    "walk",
    "way",
];

/// A word of addresses that is no name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StreetWord {
    Direction,
    Road,
    Unit,
    Suffix,
}

static STREET_WORDS: LazyLock<ByHash<StreetWord>> = LazyLock::new(|| {
    let lists = [
        (SUFFIXES, StreetWord::Suffix),
        (UNITS, StreetWord::Unit),
        (ROADS, StreetWord::Road),
        (DIRECTIONS, StreetWord::Direction),
    ];
    lists.into_iter().flat_map(|(words, class)| words.iter().map(move |&word| (key(word), class))).collect()
});

impl PatientPlaces<'_> {
    /// A street line.
    pub(super) fn street(&self, value: &str) -> String {
        let mut phrase = Phrase::new(value, |word| STREET_WORDS.contains_key(&key(word)));
        self.find_street_name(&mut phrase);
        keep_fractions(&mut phrase);
        phrase.rewrite(self)
    }

    /// A street may be named by words that are general elsewhere: `Park Avenue`, `North Street`, `State Street`, `The Grove`. The last suffix stays
    /// where anything else names the street.
    fn find_street_name(&self, phrase: &mut Phrase) {
        mark_letter(phrase);
        mark_letters_of_units(phrase);
        mark_words_of_units(phrase);
        let units = units(&phrase.folded);
        let Phrase { folded, parts, words, .. } = phrase;
        let is = |index: usize, class: StreetWord| is_street_word(&folded[index], class);
        let Some(last) = (0..units).rev().find(|&index| is(index, StreetWord::Suffix)) else {
            return;
        };
        for index in 0..last {
            if parts[index] != Part::General {
                continue;
            }
            if is(index, StreetWord::Suffix) || index > 0 && is_name_like_box(folded, parts[index + 1], index) {
                parts[index] = if words[index].text.len() == 1 { Part::Code } else { Part::Distinctive };
            }
        }
        // `118 1/2 North St`: the number of a house names no street, `118 2nd St` is named by one.
        let is_house =
            |index: &usize| parts[*index] == Part::Code && words[*index].text.ends_with(|c: char| c.is_ascii_digit());
        let house = (0..last).take_while(is_house).count().max(1);
        // `County Road 5`, `State Rd E`.
        let numbered = parts[last + 1..units].contains(&Part::Code);
        let named = (0..last).any(|index| {
            parts[index] == Part::Distinctive
                || is(index, StreetWord::Road) && numbered
                || (index >= house && parts[index] == Part::Code)
        });
        let ordinal =
            words.first().is_some_and(|word| word.text.ends_with(|character: char| character.is_alphabetic()));
        if named || ordinal && parts[0] == Part::Code {
            return;
        }
        let names = |index: &usize| parts[*index] == Part::General && !ARTICLES.contains(&folded[*index].as_str());
        match (0..last).rev().find(names) {
            Some(name) => parts[name] = Part::Distinctive,
            // `Avenue of the Americas`, `Avenue N`: what is behind names it.
            None if last > 0 && parts[last + 1..units].iter().all(|part| *part == Part::General) => {
                parts[last] = Part::Distinctive;
            }
            None => {}
        }
    }
}

/// `123 1/2 Elm St`: the half of a house is no number of its own, and no house has another fraction.
fn keep_fractions(phrase: &mut Phrase) {
    const FRACTIONS: [(&str, &str); 5] = [("1", "2"), ("1", "3"), ("2", "3"), ("1", "4"), ("3", "4")];
    for index in 1..phrase.words.len().saturating_sub(1) {
        let (number, over) = (phrase.words[index], phrase.words[index + 1]);
        let is_fraction =
            FRACTIONS.contains(&(number.text, over.text)) && &phrase.value[number.end()..over.start] == "/";
        // `Mariahilfer Str. 5/1/4` is a house, a stair and a door.
        let gap = &phrase.value[phrase.words[index - 1].end()..number.start];
        if is_fraction && phrase.parts[index - 1] == Part::Code && matches!(gap, " " | "-") {
            phrase.parts[index..index + 2].fill(Part::General);
        }
    }
}

/// Whether a word of boxes of the post is none of one: `Post Road`, `Box Elder Dr`, `P Street`. `next` is what follows it.
fn is_name_like_box(folded: &[String], next: Part, index: usize) -> bool {
    let before = index.checked_sub(1).map_or("", |before| folded[before].as_str());
    let after = folded.get(index + 1).map_or("", String::as_str);
    match folded[index].as_str() {
        "p" => after != "o",
        "o" => before != "p",
        "post" => after != "office",
        "office" => before != "post" && next != Part::Code,
        "box" => !["o", "po", "office"].contains(&before) && next != Part::Code,
        _ => false,
    }
}

/// Words before the name of a street that are no part of it.
const ARTICLES: &[&str] = &["of", "the", "and", "at", "no", "number"];

/// Where apartments, floors and the like begin, which is behind the kind of street: before it they name it, `Post Road`, `Lower St`.
fn units(folded: &[String]) -> usize {
    let is = |index: usize, class: StreetWord| is_street_word(&folded[index], class);
    let is_unit = |&index: &usize| is(index, StreetWord::Unit) && (0..index).any(|kind| is(kind, StreetWord::Suffix));
    (1..folded.len()).find(is_unit).unwrap_or(folded.len())
}

fn is_street_word(folded: &str, class: StreetWord) -> bool {
    STREET_WORDS.get(&key(folded)) == Some(&class)
}

/// Whether a text is made of directions: `West`, `N.`
pub(super) fn are_directions(text: &str) -> bool {
    let words = words(text);
    !words.is_empty() && words.iter().all(|word| is_street_word(&fold(word.text), StreetWord::Direction))
}

/// Whether a text has a word that says what kind of road it is: `Ave`, `Highway`.
pub(super) fn has_kind(text: &str) -> bool {
    let mut folded = words(text).into_iter().map(|word| fold(word.text));
    folded.any(|word| is_street_word(&word, StreetWord::Suffix) || is_street_word(&word, StreetWord::Road))
}

/// Whether a text is nothing but such a word.
pub(super) fn is_kind(text: &str) -> bool {
    words(text).len() == 1 && has_kind(text)
}

/// Whether a line begins with the number of a house and something behind it: `12B Elm`, but not `2nd floor`.
pub(super) fn begins_with_house(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (Some(number), Some(_)) = (words.next(), words.next()) else { return false };
    let letters = number.chars().filter(|character| character.is_alphabetic()).count();
    number.starts_with(|character: char| character.is_ascii_digit()) && letters <= 1
}

/// `County Rd E`, `Avenue N`: a letter after the kind of street is its name and no direction, where nothing before names it.
fn mark_letter(phrase: &mut Phrase) {
    let is = |index: usize, class: StreetWord| phrase.folded.get(index).is_some_and(|word| is_street_word(word, class));
    let units = units(&phrase.folded);
    let kind = (0..units).rev().find(|&index| is(index, StreetWord::Suffix) || is(index, StreetWord::Road));
    let Some(kind) = kind else { return };
    let letter =
        phrase.words.get(kind + 1).is_some_and(|word| word.text.len() == 1) && is(kind + 1, StreetWord::Direction);
    let named = (0..kind).any(|index| match phrase.parts.get(index) {
        Some(Part::Distinctive) => true,
        Some(Part::Code) => {
            // `5th Ave N`; a number that comes first is that of the house.
            index > 0 || phrase.words.first().is_some_and(|word| word.text.ends_with(char::is_alphabetic))
        }
        _ => is(index, StreetWord::Direction) || is(index, StreetWord::Suffix),
    });
    if letter
        && !named
        && kind + 1 < units
        && let Some(part) = phrase.parts.get_mut(kind + 1)
    {
        *part = Part::Code;
    }
}

/// `Unit F`, `Apt. C`, `38-B`: a letter behind a word for units or joined to the number of a house is a code; `I` before a number is a road.
fn mark_letters_of_units(phrase: &mut Phrase) {
    for index in 0..phrase.words.len() {
        let word = phrase.words[index];
        if word.text.len() != 1 || phrase.parts[index] != Part::Distinctive {
            continue;
        }
        let before = index.checked_sub(1);
        let gap = before.map_or("", |before| &phrase.value[phrase.words[before].end()..word.start]);
        let follows_unit = before.is_some_and(|before| is_street_word(&phrase.folded[before], StreetWord::Unit));
        let is_joined = before.is_some_and(|before| phrase.parts[before] == Part::Code) && gap == "-";
        let is_numbered = phrase.parts.get(index + 1) == Some(&Part::Code);
        let between = phrase.words.get(index + 1).map_or("", |next| &phrase.value[word.end()..next.start]);
        phrase.parts[index] = match word.text {
            "I" if is_numbered && matches!(between, "-" | " ") => Part::General,
            _ if follows_unit || is_joined || gap.ends_with('#') => Part::Code,
            _ => Part::Distinctive,
        };
    }
}

/// Words that are of units only before a number, `Flat 3`, `Mile 14`, and those that are behind a kind of street: `12 Elm St rear`. Elsewhere they
/// name streets: `Front St`, `Mile High Rd`.
fn mark_words_of_units(phrase: &mut Phrase) {
    const BEFORE_NUMBERS: [&str; 7] = ["blk", "block", "exit", "flat", "marker", "mile", "shop"];
    const BEHIND_KINDS: [&str; 2] = ["front", "rear"];
    let is_kind = |word: &String| is_street_word(word, StreetWord::Suffix);
    for index in (0..phrase.words.len()).rev() {
        let folded = phrase.folded[index].as_str();
        let is_numbered = phrase.parts.get(index + 1).is_some_and(|next| *next == Part::Code)
            || phrase.folded.get(index + 1).is_some_and(|next| next == "marker")
                && phrase.parts[index + 1] == Part::General;
        let is_last = index + 1 == phrase.words.len() && phrase.folded[..index].iter().any(is_kind);
        if BEFORE_NUMBERS.contains(&folded) && is_numbered || BEHIND_KINDS.contains(&folded) && is_last {
            phrase.parts[index] = Part::General;
        }
    }
}

impl Chooser for PatientPlaces<'_> {
    fn choose(&self, run: &str, _: bool) -> String {
        self.remembered.or_make(Label::Street.into(), None, run, || {
            from_list(self.randomness, "streets", Tables::shared().streets.like(run), run)
                .unwrap_or_else(|| self.town(run))
        })
    }

    fn code(&self, text: &str) -> String {
        code(self.randomness, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::exchange::Exchange;
    use crate::surrogate::permutation::Randomness;

    #[test]
    fn streets_keep_their_form() {
        let randomness = Randomness::new([5; 32]);
        let exchange = Exchange::new(&randomness, false);
        let places = PatientPlaces { randomness: &randomness, exchange: &exchange, remembered: &Default::default() };
        for (value, start, end) in [
            ("1216 2nd Street SW", "", " Street SW"),
            ("44 Elm St., Apt 4B", "", ""),
            ("500 State Highway 72", "", ""),
            ("P.O. Box 1234", "P.O. Box ", ""),
            ("12 Park Avenue", "", " Avenue"),
            ("7 North Street", "", " Street"),
            ("N Main St", "N ", " St"),
            ("221B Baker Street", "", " Street"),
        ] {
            let image = places.street(value);
            assert!(image != value && image.starts_with(start) && image.ends_with(end), "{value} {image}");
            assert!(
                !["Elm", "72", "1234", "Park", "North", "Main", "Baker"]
                    .iter()
                    .any(|word| value.contains(word) && image.contains(word)),
                "{image}"
            );
        }
        for (value, start) in
            [("1234 County Rd E", " County Rd "), ("1234 Avenue N", " Avenue "), ("88 Road S", " Road ")]
        {
            let image = places.street(value);
            assert!(image.contains(start) && image.len() == value.len(), "{image}");
            assert_ne!(image.chars().last(), value.chars().last(), "{value} {image}");
        }
        for value in ["123 1/2 Elm St", "45 3/4 Oak Ave"] {
            let image = places.street(value);
            assert!(image.contains(&value[value.find(' ').unwrap()..][..5]), "{image}");
        }
        for (value, end) in [("12 Elm Ave N", " Ave N"), ("5th Ave N", " Ave N"), ("8 County Rd 5 E", " E")] {
            assert!(places.street(value).ends_with(end), "{value}");
        }
        for value in [
            "123 State Street",
            "77 County St",
            "12 Rural Rd",
            "900 Interstate Ave",
            "1200 Post Road",
            "12 Post Oak Ln",
            "12 Box Elder Dr",
            "200 Office Park Drive",
            "1200 P Street NW",
            "45 O St",
            "15 The Grove",
            "8 Lower Rd",
            "8 Upper St, Apt 4",
        ] {
            let image = places.street(value);
            let name = value.split(' ').skip(1).find(|word| !["The"].contains(word)).unwrap();
            assert!(!image.split(' ').any(|word| word == name), "{value} {image}");
        }
        assert!(places.street("12 Trailer Park Ave, Lower Unit").ends_with(" Ave, Lower Unit"));
        assert!(places.street("500 State Highway 72").contains(" State Highway "));
        assert!(places.street("44 Elm St., Apt 4B").contains(" St., Apt "));
    }
}
