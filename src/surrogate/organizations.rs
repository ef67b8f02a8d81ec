//! Hospitals, organizations, units, landmarks and jobs.
//!
//! ```text
//! Mayo Clinic → Hadley Clinic     St. Mary's Hospital → St. Agnes's Hospital     MGH → QKT     Room 7A → Room 3K
//! Walmart → Danforth     First Lutheran Church → Grace Baptist Church     truck driver → beekeeper
//! ```

use std::collections::HashSet;
use std::sync::LazyLock;

use super::casing::{Casing, fold};
use super::ids::{self, Family};
use super::phrases::{Chooser, Part, Phrase, cased};
use super::places::{PatientPlaces, from_list};
use super::tables::Tables;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Words that say what kind of institution or place it is.
const GENERAL: &str = include_str!("data/general_words.txt");

/// Words that tell institutions of one kind apart without naming anyone: one becomes another where nothing else can.
const QUALIFIERS: [&str; 16] = [
    "general",
    "community",
    "regional",
    "memorial",
    "university",
    "county",
    "municipal",
    "city",
    "central",
    "north",
    "south",
    "east",
    "west",
    "first",
    "national",
    "valley",
];

fn is_general(folded: &str) -> bool {
    static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| GENERAL.split_whitespace().collect());
    WORDS.contains(folded)
}

/// The institutions of one patient.
pub(super) struct Institutions<'a> {
    pub places: PatientPlaces<'a>,
}

impl Institutions<'_> {
    /// A hospital, organization, unit or landmark.
    pub(super) fn replace(&self, value: &str) -> String {
        let mut phrase = Phrase::new(value, is_general);
        self.mark_codes(&mut phrase);
        self.mark_known_name(&mut phrase);
        if !phrase.has(Part::Distinctive) && !phrase.has(Part::Code) {
            return self.without_name(value, &phrase);
        }
        phrase.rewrite(self.places.randomness, self)
    }

    /// Single letters beside a general word are codes of rooms and wings; capitals alone are abbreviations.
    fn mark_codes(&self, phrase: &mut Phrase) {
        let small_letters = phrase.value.contains(|character: char| character.is_lowercase());
        let alone = phrase.words.len() == 1;
        for (word, part) in phrase.words.iter().zip(&mut phrase.parts) {
            let short = word.text.len() <= 5 && word.text.bytes().all(|byte| byte.is_ascii_uppercase());
            let known = word.text.len() > 3 && Tables::shared().name(&fold(word.text)).is_some();
            let abbreviation = short && word.text.len() > 1 && (alone || small_letters) && !known;
            let letter = word.text.len() == 1 && word.text.bytes().all(|byte| byte.is_ascii_alphabetic()) && !alone;
            let lower_letter = letter && word.text != "a" && word.text != "y";
            if *part != Part::General && (abbreviation || letter)
                || (lower_letter && word.text.bytes().all(|byte| byte.is_ascii_uppercase()))
            {
                *part = Part::Code;
            }
        }
    }

    /// A well-known name of general words only, `State Farm`, distinguishes all the same; a last word of kind stays.
    fn mark_known_name(&self, phrase: &mut Phrase) {
        if phrase.has(Part::Distinctive) || phrase.has(Part::Code) || phrase.words.len() < 2 {
            return;
        }
        let lexicon = Lexicon::shared();
        if !lexicon.word(phrase.value).is_any(WordFlags::HOSPITAL | WordFlags::ORGANIZATION) {
            return;
        }
        let kinds = [
            WordFlags::HOSPITAL_CUE,
            WordFlags::PHARMACY_CUE,
            WordFlags::SCHOOL_CUE,
            WordFlags::CHURCH_CUE,
            WordFlags::COMPANY_CUE,
        ];
        let cues = kinds.into_iter().fold(WordFlags::NONE, WordFlags::union);
        let last = phrase.words.len() - 1;
        let ends_in_kind = lexicon.word(phrase.words[last].text).is_any(cues);
        for (index, part) in phrase.parts.iter_mut().enumerate() {
            if index < last || !ends_in_kind {
                *part = Part::Distinctive;
            }
        }
    }

    /// Only general words: another qualifier, or a founder's name before it all.
    fn without_name(&self, value: &str, phrase: &Phrase) -> String {
        let randomness = self.places.randomness;
        for word in &phrase.words {
            let folded = fold(word.text);
            if let Some(position) = QUALIFIERS.iter().position(|&qualifier| qualifier == folded) {
                let draw = randomness.draw("qualifiers", b"");
                let moved = randomness.displace(&draw, QUALIFIERS.len() as u128, position as u128) as usize;
                let written = Casing::of(word.text).apply(QUALIFIERS[moved]);
                return [&value[..word.start], &written, &value[word.end()..]].concat();
            }
        }
        if phrase.words.is_empty() {
            return ids::replace(randomness, Family::Place, value);
        }
        let founder = self.founder(&fold(value));
        let founder = if Casing::of(value) == Casing::Upper { founder.to_uppercase() } else { founder.to_owned() };
        let article =
            phrase.words.len() > 1 && matches!(fold(phrase.words[0].text).as_str(), "the" | "a" | "el" | "la");
        let (before, after) = value.split_at(phrase.words[usize::from(article)].start);
        format!("{before}{founder} {after}")
    }

    fn founder(&self, key: &str) -> &'static str {
        let founders = &Tables::shared().founders;
        let randomness = self.places.randomness;
        let index = match founders.position(key) {
            Some(position) => {
                let draw = randomness.draw("founders", b"");
                randomness.displace(&draw, founders.entries.len() as u128, position as u128) as usize
            }
            None => randomness.draw("founders", key.as_bytes()).index(founders.entries.len()),
        };
        founders.entries.get(index).copied().unwrap_or("Hadley")
    }

    /// A county, landmark, unit or other place.
    pub(super) fn landmark(&self, value: &str, county: bool) -> String {
        let named_so = county || fold(value).ends_with(" county") || fold(value).ends_with(" parish");
        match self.places.county(value).filter(|_| named_so) {
            Some(image) => image,
            None => self.replace(value),
        }
    }

    /// A job; a plural stays one.
    pub(super) fn profession(&self, value: &str) -> String {
        if let Some((adjective, job)) = value.split_once(' ')
            && ["retired", "former", "unemployed", "ex"].iter().any(|known| adjective.eq_ignore_ascii_case(known))
            && !job.trim().is_empty()
        {
            return format!("{adjective} {}", self.profession(job));
        }
        let (randomness, list) = (self.places.randomness, &Tables::shared().professions);
        let singular = value.strip_suffix(['s', 'S']).filter(|singular| list.position(&fold(singular)).is_some());
        let image = match singular.filter(|_| list.position(&fold(value)).is_none()) {
            Some(singular) => from_list(randomness, "professions", list, singular)
                .map(|image| image + if Casing::of(value) == Casing::Upper { "S" } else { "s" }),
            None => from_list(randomness, "professions", list, value),
        };
        match image {
            Some(image) if Casing::of(value) == Casing::Title => first_capital(&image),
            Some(image) => image,
            None => String::from("shopkeeper"),
        }
    }
}

/// A job at the beginning of a sentence has one capital, a title as `Truck Driver` would have more: both read well so.
fn first_capital(text: &str) -> String {
    let lower = text.to_lowercase();
    let mut characters = lower.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

impl Chooser for Institutions<'_> {
    fn choose(&self, run: &str, saint: bool) -> String {
        let label = if saint { Label::Hospital } else { Label::Organization };
        self.places.remembered.or_make(label.into(), None, run, || self.make_choice(run, saint))
    }
}

impl Institutions<'_> {
    fn make_choice(&self, run: &str, saint: bool) -> String {
        let tables = Tables::shared();
        if saint && let Some(image) = from_list(self.places.randomness, "saints", &tables.saints, run) {
            return image;
        }
        if let Some(city) = self.places.known_city(run) {
            return cased(run, city);
        }
        cased(run, self.founder(&fold(run)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::exchange::Exchange;
    use crate::surrogate::permutation::Randomness;

    fn with<T>(seed: u8, test: impl FnOnce(Institutions<'_>) -> T) -> T {
        let randomness = Randomness::new([seed; 32]);
        let exchange = Exchange::new(&randomness, false);
        test(Institutions {
            places: PatientPlaces { randomness: &randomness, exchange: &exchange, remembered: &Default::default() },
        })
    }

    #[test]
    fn the_kind_of_institution_stays() {
        for seed in 0..20 {
            with(seed, |institutions| {
                for (value, end) in [
                    ("Mayo Clinic", " Clinic"),
                    ("St. Mary's Hospital", "'s Hospital"),
                    ("ROCHESTER METHODIST HOSPITAL", " HOSPITAL"),
                    ("General Hospital", " Hospital"),
                    ("Hy-Vee Pharmacy", " Pharmacy"),
                    ("the clinic", " clinic"),
                    ("MGH", ""),
                    ("Walmart", ""),
                    ("State Farm", ""),
                    ("Gonda 7 South", " South"),
                    ("Yosemite National Park", " National Park"),
                    ("O'Hare Airport", " Airport"),
                ] {
                    let image = institutions.replace(value);
                    assert!(image != value && image.ends_with(end), "{value} {image}");
                    assert!(
                        !["Mayo", "Mary", "METHODIST", "Hy-Vee", "Yosemite", "State Farm"]
                            .iter()
                            .any(|name| image.contains(name)),
                        "{image}"
                    );
                }
                assert_eq!(institutions.replace("MGH").len(), 3);
            });
        }
    }

    #[test]
    fn rooms_keep_their_word_and_change_their_code() {
        with(1, |institutions| {
            for (value, start) in [
                ("Room 7A", "Room "),
                ("Bed 12", "Bed "),
                ("Unit B", "Unit "),
                ("ICU 4", "ICU "),
                ("Rm. 304-2", "Rm. "),
            ] {
                let image = institutions.landmark(value, false);
                assert!(image != value && image.starts_with(start) && image.len() == value.len(), "{value} {image}");
            }
            assert!(institutions.landmark("7th floor", false).ends_with(" floor"));
            assert!(
                institutions.landmark("Olmsted County", false).contains("County")
                    || institutions.landmark("Olmsted County", false).contains("Parish")
            );
        });
    }

    #[test]
    fn jobs_become_jobs() {
        with(1, |institutions| {
            for value in
                ["truck driver", "Teacher", "FARMER", "welders", "quidditch referee", "retired", "retired teacher"]
            {
                let image = institutions.profession(value);
                assert!(!image.eq_ignore_ascii_case(value) && !image.is_empty());
                assert_eq!(Casing::of(&image), Casing::of(value), "{value} {image}");
            }
            assert!(institutions.profession("welders").ends_with('s'));
        });
    }
}
