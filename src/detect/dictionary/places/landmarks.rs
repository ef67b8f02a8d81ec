//! Buildings, waters, parks and roads: `Alder Creek Bridge`, `Hotel Marlin`, `Lake Rosamund`, `the I-70 overpass`.

use crate::detect::listed::listed;
use std::sync::LazyLock;

use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::words::{Cues, Gap, MEDICAL, Shape, Words};
use crate::detect::patterns::cues::WordTable;
use crate::lexicon::WordFlags;
use crate::phi::{Class, Kind, Label};

const LANDMARK: Class = Class { label: Label::LocationOther, kind: Kind::LocationLandmark };

/// What a word is to the name of a landmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Ends the name of a landmark, and is little else: `Airport`.
    Sure,
    /// Ends the name of a landmark, or is an ordinary word: `Falls`, `Field`.
    Loose,
    /// Begins one: `Lake`, `Hotel`.
    Front,
}

const ROLES: &[(Role, &str)] = &[
    (
        Role::Sure,
        "airport airfield airstrip park mall stadium arena beach island islands mountain mountains canyon zoo museum plaza \
         casino ranch forest harbor harbour dam trail trailhead towers apartments courthouse prison jail penitentiary barracks \
         reservation homes housing shelter annex springs fairgrounds fairground campground overlook overpass \
         underpass marina reservoir bayou peninsula gulch creek cemetery speedway racetrack raceway \
         ballpark coliseum amphitheater preserve refuge lighthouse turnpike expressway parkway freeway interchange \
         rancheria plantation vineyard boardwalk esplanade promenade aquarium planetarium observatory castle \
         palace villas condos condominiums lofts motel dormitory projects estates acres",
    ),
    (
        Role::Loose,
        "library lake river bridge valley bay falls building hall tower house square terminal station depot pier wharf \
         pond cove point highlands heights gardens garden monument theater theatre auditorium field fields playground \
         hotel inn lodge room lounge tavern ridge mesa butte basin delta gorge hills dorm commons camp fort fair festival \
         farm mill mine mines quarry works yard dock docks crossing junction hollow glen woods grove meadows \
         desert coast shore shores sound strait channel glacier volcano lagoon cave caverns market",
    ),
    (
        Role::Front,
        "lake mount mt fort ft camp port hotel lac isla isle pulau gulf cape rio villa ranch loch plaza playa",
    ),
];

/// What ends the names of landmarks in small letters.
const SMALL_HEADS: &str = "fairgrounds fairground dam overpass underpass overlook bridge airport mall park cemetery river lake \
                           creek beach building apartments hotel motel casino jail prison reservation courthouse campus canal stadium \
                           interchange exit ramp trailhead marina reservoir library lighthouse plant refinery quarry";

fn roles(word: &str) -> Option<Role> {
    static TABLE: LazyLock<WordTable<Role>> = LazyLock::new(|| WordTable::of(ROLES.iter().copied()));
    TABLE.get(word.as_bytes())
}

/// Whether a word ends the names of landmarks.
pub(super) fn is_head(word: &str) -> bool {
    matches!(roles(word), Some(Role::Sure | Role::Loose))
}

/// Every word that begins or ends the names of landmarks, blank-separated.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    ROLES.iter().map(|(_, words)| *words).chain([SMALL_HEADS])
}

/// Whether a word begins or ends the names of landmarks.
pub(in crate::detect::dictionary) fn is_landmark(word: &str) -> bool {
    roles(word).is_some()
}

/// The landmark that begins at `first`; its last word.
pub(super) fn detect(words: &Words, first: usize, found: &mut Found) -> Option<usize> {
    if words.shouted {
        return None;
    }
    if let Some(last) = county_of(words, first).or_else(|| shire(words, first)) {
        found.add(
            words.list[first].start..words.list[last].end,
            Class { label: Label::LocationOther, kind: Kind::LocationCounty },
            0.8,
        );
        return Some(last);
    }
    if !words.cues.has(Cues::LANDMARK) {
        return None;
    }
    let last = by_head(words, first).or_else(|| by_front(words, first))?;
    found.add(words.list[first].start..words.list[last].end, LANDMARK, 0.7);
    Some(last)
}

/// `Forest Park`, `Alder Creek Bridge`.
fn by_head(words: &Words, first: usize) -> Option<usize> {
    let word = &words.list[first];
    let article = listed!(words.text(first), "the a an our your his her my this that in at to from");
    if word.marker.is_some_and(|marker| marker != Marker::Particle)
        || word.shape != Shape::Capital
        || article
        || is_vague(words, first)
    {
        return None;
    }
    let mut best = None;
    for head in first + 1..(first + 4).min(words.list.len()) {
        let next = &words.list[head];
        if next.gap != Gap::Space || next.shape != Shape::Capital || words.between(head).len() > 2 {
            break;
        }
        match roles(words.text(head)) {
            Some(Role::Sure) => best = Some(head),
            Some(Role::Loose | Role::Front) if is_proper(words, first) || head > first + 1 || is_led(words, first) => {
                best = Some(head)
            }
            _ => {}
        }
    }
    let head = best?;
    let named_so = words.list[head].info.surname_count > 10_000
        && !is_led(words, first)
        && (first..head).all(|at| words.list[at].info.surname_count.max(words.list[at].info.given_count) > 5_000);
    let person = word.info.given_count > 20_000 && roles(words.text(head)) != Some(Role::Sure) || named_so;
    let street = words.list[first].gap == Gap::Other
        && words.between(first).trim_end().ends_with(|mark: char| mark.is_ascii_digit());
    let start = word.gap == Gap::Start && !is_proper(words, first);
    (!person && !street && !start).then_some(head)
}

/// Whether a word before a head describes it: `Dental Bridge`, `Recent Falls`.
fn is_vague(words: &Words, index: usize) -> bool {
    const KINDS: &str = "dental frequent recent recurrent multiple risk fall mechanical ground level nursing group assisted post operating \
                         recovery waiting exam treatment procedure emergency delivery town city public private visual surgical \
                         sterile magnetic electric gastric central local north south east west main big small new old high low \
                         open mass medical trauma first second third red green blue yellow black white inner outer upper lower \
                         left right train bus gas police fire power parking living dining bed bath family guest night day \
                         air water oil total home group half full clear visit care lab nurse nurses physical work music \
                         science exercise mobile trailer hospital clinic school church state county national federal";
    let info = words.list[index].info;
    listed!(words.text(index), KINDS)
        || info.is_any(MEDICAL)
            && info.surname_count < 5_000
            && (info.english_size().is_none_or(|size| size > 40)
                || info.is_any(WordFlags::DRUG.union(WordFlags::ABBREVIATION)))
}

fn is_proper(words: &Words, index: usize) -> bool {
    const NAMES: WordFlags = WordFlags::SURNAME
        .union(WordFlags::CITY)
        .union(WordFlags::GIVEN_NAME)
        .union(WordFlags::STATE)
        .union(WordFlags::COUNTY);
    let info = words.list[index].info;
    (info.is_any(NAMES) || info.flags.is_empty()) && info.english_size().is_none_or(|size| size >= 35)
}

fn is_led(words: &Words, first: usize) -> bool {
    first > 0
        && matches!(words.list[first].gap, Gap::Space)
        && listed!(
            words.text(first - 1),
            "at to from near in the by past behind under outside around through of on across",
        )
}

/// `Lake Rosamund`, `Hotel Marlin`, `Camp Arrowhead`.
fn by_front(words: &Words, first: usize) -> Option<usize> {
    let word = &words.list[first];
    if word.shape != Shape::Capital
        || roles(words.text(first)) != Some(Role::Front)
            && !matches!(words.text(first), "Lake" | "Hotel" | "Fort" | "Camp")
    {
        return None;
    }
    let next = words.get(first + 1)?;
    let named = matches!(next.gap, Gap::Space | Gap::Stop)
        && next.shape == Shape::Capital
        && next.marker.is_none_or(|marker| marker == Marker::Particle || next.info.surname_count > 5_000)
        && !(next.info.is_any(MEDICAL) && next.info.surname_count < 500)
        && words.between(first + 1).len() <= 2;
    // Some of these words are surnames: `Camp, Robert`; `Rio Ferrer`.
    let person = word.gap == Gap::Start && word.info.surname_count > 5_000 && next.info.surname_count > 0;
    let surname =
        word.info.surname_count > 1_000 && first > 0 && words.list[first - 1].is_capital() && word.gap == Gap::Space;
    (named && !person && !surname).then_some(first + 1)
}

/// `County of Harlan`.
fn county_of(words: &Words, first: usize) -> Option<usize> {
    let of = words.text(first) == "County" && words.get(first + 1).is_some() && words.text(first + 1) == "of";
    let name = words.get(first + 2)?;
    (of && name.gap == Gap::Space
        && name.shape == Shape::Capital
        && name.info.is_any(WordFlags::COUNTY.union(WordFlags::CITY)))
    .then_some(first + 2)
}

/// `North Yorkshire`, `Derbyshire`.
fn shire(words: &Words, first: usize) -> Option<usize> {
    let is_shire = |index: usize| {
        words.get(index).is_some_and(|word| word.shape == Shape::Capital && word.end - word.start > 7)
            && words.text(index).ends_with("shire")
            && words.text(index) != "Hampshire"
    };
    if is_shire(first) {
        return Some(first);
    }
    let direction = matches!(words.text(first), "North" | "South" | "East" | "West");
    (direction && is_shire(first + 1) && words.list[first + 1].gap == Gap::Space).then_some(first + 1)
}

/// `Harlan Co fairgrounds`, `the Milford dam`, `the I-70 overpass`: a head in small letters after a name.
pub(super) fn small_head(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    if !word.cues.has(Cues::SMALL_LANDMARK)
        || words.shouted
        || word.gap != Gap::Space && word.gap != Gap::Other
        || index == 0
        || word.end - word.start < 3
    {
        return;
    }
    let head = words.text(index);
    if word.gap == Gap::Other {
        // `I-70 overpass`: the number stands in the gap.
        let road = matches!(words.text(index - 1), "I" | "US" | "SR" | "Hwy" | "Highway" | "Route" | "Rte");
        let number = words.between(index).trim().trim_start_matches('-');
        if road && (1..=3).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit()) {
            found.add(words.list[index - 1].start..word.end, LANDMARK, 0.7);
        }
        return;
    }
    let mut first = index;
    while first > 0
        && index - first < 3
        && words.list[first].gap == Gap::Space
        && words.between(first).len() == 1
        && words.list[first - 1].shape == Shape::Capital
    {
        first -= 1;
    }
    let start = words.list[first].gap == Gap::Start && index - first == 1;
    let named =
        (first..index).any(|at| is_proper(words, at) && !is_vague(words, at) && words.list[at].marker.is_none());
    let possessed = words.list[index - 1].info.given_count > 20_000;
    if first < index
        && named
        && !start
        && !possessed
        && !words.is_eponym(index - 1)
        && !matches!(head, "plant" | "exit" | "ramp" | "canal" | "building" if index - first == 1 && words.list[first].info.is_any(MEDICAL))
    {
        found.add(words.list[first].start..word.end, LANDMARK, 0.6);
    }
}

/// Whether a word ends the names of landmarks in small letters.
pub(in crate::detect::dictionary) fn is_small_landmark(word: &str) -> bool {
    static TABLE: LazyLock<WordTable<()>> = LazyLock::new(|| WordTable::of([((), SMALL_HEADS)]));
    TABLE.get(word.as_bytes()).is_some()
}
