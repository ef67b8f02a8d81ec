//! Holidays: each becomes another one.
//!
//! ```text
//! Christmas 2013 → Labor Day 2012     new year's eve → halloween     EASTER → VETERANS DAY
//! ```

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::surrogate::permutation::{Direction, Randomness};

/// Every holiday: the name it is given as a surrogate, then its other names, all found in lower case.
const HOLIDAYS: &[&[&str]] = &[
    &["New Year's Day", "new years day", "new year's", "new years", "new year"],
    &["New Year's Eve", "new years eve", "nye"],
    &["Martin Luther King Day", "martin luther king jr. day", "martin luther king jr day", "mlk day", "mlk"],
    &["Groundhog Day"],
    &["Valentine's Day", "valentines day", "st. valentine's day", "valentine's", "valentines"],
    &["Presidents' Day", "president's day", "presidents day"],
    &["Ash Wednesday"],
    &["Mardi Gras", "fat tuesday", "shrove tuesday"],
    &["St. Patrick's Day", "saint patrick's day", "st patrick's day", "st. patricks day", "st patricks day"],
    &["Palm Sunday"],
    &["Good Friday"],
    &["Easter", "easter sunday", "easter monday"],
    &["Passover", "pesach"],
    &["Earth Day"],
    &["Cinco de Mayo"],
    &["Mother's Day", "mothers day", "mothers' day"],
    &["Memorial Day"],
    &["Juneteenth"],
    &["Father's Day", "fathers day", "fathers' day"],
    &["Fourth of July", "4th of july", "july fourth", "independence day"],
    &["Labor Day", "labour day"],
    &["Rosh Hashanah", "rosh hashana"],
    &["Yom Kippur"],
    &["Columbus Day", "indigenous peoples' day", "indigenous peoples day"],
    &["Halloween", "hallowe'en"],
    &["All Saints' Day", "all saints day"],
    &["Veterans Day", "veteran's day", "veterans' day"],
    &["Thanksgiving", "thanksgiving day"],
    &["Black Friday"],
    &["Hanukkah", "chanukah", "hanukah"],
    &["Christmas Eve", "xmas eve"],
    &["Christmas", "christmas day", "xmas", "xmas day", "x-mas", "noel"],
    &["Boxing Day"],
    &["Kwanzaa"],
    &["Diwali", "deepavali"],
    &["Ramadan"],
    &["Lunar New Year", "chinese new year"],
    &["Pentecost", "whitsunday"],
];

/// A holiday's place in a text.
pub(super) struct Found {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    holiday: usize,
}

/// Whether a word is one of those of the names: most dates have none, and need not be searched for all the names.
pub(super) fn is_word_of_one(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let words = HOLIDAYS
            .iter()
            .flat_map(|names| names.iter())
            .flat_map(|name| name.split(|character: char| !character.is_alphabetic()).filter(|word| word.len() > 1));
        words.map(str::to_ascii_lowercase).collect()
    });
    WORDS.contains(word.to_ascii_lowercase().as_str())
}

/// The longest holiday name in a text.
pub(super) fn find(text: &str) -> Option<Found> {
    static NAMES: LazyLock<Vec<(usize, String)>> = LazyLock::new(|| {
        let named = |(holiday, names): (usize, &&[&str])| {
            names.iter().map(move |name| (holiday, name.to_ascii_lowercase())).collect::<Vec<_>>()
        };
        HOLIDAYS.iter().enumerate().flat_map(named).collect()
    });
    let lower = text.to_ascii_lowercase();
    let mut longest: Option<Found> = None;
    for &(holiday, ref name) in NAMES.iter() {
        let Some(start) = lower.find(name.as_str()) else {
            continue;
        };
        let found = Found { start, end: start + name.len(), holiday };
        let whole = !lower[..start].ends_with(is_letter) && !lower[found.end..].starts_with(is_letter);
        if whole && longest.as_ref().is_none_or(|other| other.end - other.start < name.len()) {
            longest = Some(found);
        }
    }
    longest
}

fn is_letter(character: char) -> bool {
    character.is_alphanumeric()
}

/// The name of the holiday that stands in for the one found, written with the capitals of the original.
pub(super) fn another(randomness: &Randomness, direction: Direction, text: &str, found: &Found) -> String {
    let draw = randomness.draw("holiday", b"");
    let moved = randomness.turn(direction, &draw, HOLIDAYS.len() as u128, found.holiday as u128) as usize;
    let name = HOLIDAYS[moved][0];
    let original = &text[found.start..found.end];
    if !original.contains(|character: char| character.is_ascii_uppercase()) {
        name.to_lowercase()
    } else if original.contains(|character: char| character.is_ascii_lowercase()) {
        name.to_owned()
    } else {
        name.to_uppercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_name_is_found_at_word_boundaries() {
        let found = find("on Christmas Eve 2013").unwrap();
        assert_eq!((found.start, found.end), (3, 16));
        assert!(find("Easterly winds").is_none());
        assert!(find("the Fourth of July weekend").is_some());
    }

    #[test]
    fn every_holiday_becomes_another() {
        let randomness = Randomness::new([1; 32]);
        for names in HOLIDAYS {
            let name = names[0];
            let moved = another(&randomness, Direction::Forth, name, &find(name).unwrap());
            assert_ne!(moved, name);
            assert_eq!(another(&randomness, Direction::Back, &moved, &find(&moved).unwrap()), name);
            assert_eq!(
                another(&randomness, Direction::Forth, &name.to_uppercase(), &find(&name.to_uppercase()).unwrap()),
                moved.to_uppercase()
            );
        }
    }
}
