//! Holidays: each becomes another one.
//!
//! ```text
//! Christmas 2013 → Labor Day 2012     new year's eve → halloween     EASTER → VETERANS DAY
//! ```

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::surrogate::permutation::{Direction, Randomness};

/// Every holiday: the name it is given as a surrogate, then its other names, all found in lower case.
const HOLIDAYS: &[&[&str]] = &[
    &["New Year's Day", "new years day", "new year's", "new years", "new year"],
    &["New Year's Eve", "new years eve", "nye", "hogmanay", "nochevieja", "silvester"],
    &["Martin Luther King Day", "martin luther king jr. day", "martin luther king jr day", "mlk day", "mlk"],
    &["Groundhog Day"],
    &["Valentine's Day", "valentines day", "st. valentine's day", "st. valentine's", "valentine's", "valentines"],
    &["Presidents' Day", "president's day", "presidents day"],
    &["Ash Wednesday"],
    &["Mardi Gras", "fat tuesday", "shrove tuesday"],
    &["St. Patrick's Day", "saint patrick's day", "st patrick's day", "st. patricks day", "st patricks day"],
    &["Palm Sunday"],
    &["Good Friday"],
    &[
        "Easter",
        "easter sunday",
        "easter monday",
        "paques",
        "pâques",
        "ostern",
        "pasqua",
        "pascoa",
        "páscoa",
        "pasen",
        "wielkanoc",
    ],
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
    &["All Saints' Day", "all saints day", "toussaint"],
    &["Veterans Day", "veteran's day", "veterans' day", "vets day"],
    &["Thanksgiving", "thanksgiving day"],
    &["Black Friday"],
    &["Hanukkah", "chanukah", "hanukah"],
    &["Christmas Eve", "xmas eve", "nochebuena", "heiligabend", "wigilia"],
    &[
        "Christmas",
        "christmas day",
        "xmas",
        "xmas day",
        "x-mas",
        "noel",
        "noël",
        "navidad",
        "natale",
        "weihnachten",
        "kerst",
        "kerstmis",
    ],
    &["Boxing Day"],
    &["Kwanzaa"],
    &["Diwali", "deepavali"],
    &["Ramadan", "ramazan"],
    &["Lunar New Year", "chinese new year", "hmong new year", "tet"],
    &["Pentecost", "whitsunday", "pfingsten", "pinksteren"],
    &["Eid al-Fitr", "eid al fitr", "eid ul-fitr", "eid"],
    &["Eid al-Adha", "eid al adha", "eid ul-adha"],
    &["Purim"],
    &["Sukkot", "sukkoth", "succoth"],
    &["Shavuot"],
    &["Epiphany", "three kings day"],
    &["Ascension Day", "ascension"],
    &["Advent"],
    &["Lent"],
    &["Holi"],
    &["May Day"],
    &["Flag Day"],
    &["Super Bowl Sunday", "superbowl sunday"],
    &["All Souls' Day", "all souls day"],
    &["Pongal"],
];

/// Names in capitals that are no longer are abbreviations: `MLK`, `NYE`.
const LONGEST_OF_CAPITALS: usize = 3;

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
    WORDS.contains(lowered(word).as_str())
}

/// Whether a word is the whole name of one. The other words of names are those of people as well: `Martin`, `Patrick`.
pub(super) fn is_name_of_one(word: &str) -> bool {
    HOLIDAYS.iter().flat_map(|names| names.iter()).any(|name| word.eq_ignore_ascii_case(name))
}

/// A name of a holiday in small letters, and which one it is of.
struct Name {
    text: String,
    holiday: usize,
}

/// The longest holiday name in a text.
pub(super) fn find(text: &str) -> Option<Found> {
    /// The names by their first words, each in the order of the table.
    static NAMES: LazyLock<HashMap<String, Vec<Name>>> = LazyLock::new(|| {
        let mut names: HashMap<String, Vec<Name>> = HashMap::new();
        for (holiday, all) in HOLIDAYS.iter().enumerate() {
            for text in all.iter().map(|name| name.to_ascii_lowercase()) {
                let first = text.split(|letter: char| !is_letter(letter)).next().unwrap_or_default().to_owned();
                names.entry(first).or_default().push(Name { text, holiday });
            }
        }
        names
    });
    let lower = lowered(text);
    let mut longest: Option<Found> = None;
    let mut at = 0;
    for word in lower.split_inclusive(|letter: char| !is_letter(letter)) {
        let (start, first) = (at, word.trim_end_matches(|letter: char| !is_letter(letter)));
        at += word.len();
        // `the holidays, Holi`: a name may be a part of a word before it stands alone.
        let is_whole =
            |name: &str| lower[start..].strip_prefix(name).is_some_and(|behind| !behind.starts_with(is_letter));
        for name in NAMES.get(first).into_iter().flatten().filter(|name| is_whole(&name.text)) {
            if longest.as_ref().is_none_or(|other| other.end - other.start < name.text.len()) {
                longest = Some(Found { start, end: start + name.text.len(), holiday: name.holiday });
            }
        }
    }
    longest
}

/// A text in small letters, where each has as many bytes as its capital: `NOËL` has an accent.
fn lowered(text: &str) -> String {
    let small = |letter: char| {
        let mut letters = letter.to_lowercase();
        match (letters.next(), letters.next()) {
            (Some(small), None) if small.len_utf8() == letter.len_utf8() => small,
            _ => letter,
        }
    };
    text.chars().map(small).collect()
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
    } else if original.len() <= LONGEST_OF_CAPITALS
        || original.contains(|character: char| character.is_ascii_lowercase())
    {
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
        assert!(find("PÂQUES 2019").is_some() && is_word_of_one("NOËL"));
        assert!(find("the Fourth of July weekend").is_some());
        let found = find("the holidays, Holi 2019").unwrap();
        assert_eq!((found.start, found.end), (14, 18));
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
