//! The sub-kind of an identifier from its label and its words, where the annotation does not give it.
//!
//! ```text
//! AGE "92", "ninety-two"  ─▶ over-89        DATE "Monday" ─▶ weekday   "2019" ─▶ year   "Easter" ─▶ holiday
//! AGE "45"                ─▶ up-to-89       LOCATION-OTHER "Kent County" ─▶ county   "Room 7A" ─▶ unit
//! ```
//!
//! Kept apart from the detectors on purpose: a detector that mistakes a kind must not move the yardstick with it.

use crate::phi::{Kind, Label};

const WEEKDAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const SHORT_WEEKDAYS: &[&str] = &["mon", "tue", "tues", "wed", "weds", "thu", "thur", "thurs", "fri", "sat", "sun"];
const SEASONS: &[&str] =
    &["spring", "summer", "autumn", "fall", "winter", "quarter", "q1", "q2", "q3", "q4", "springtime", "wintertime"];
const HOLIDAYS: &[&str] = &[
    "christmas",
    "xmas",
    "easter",
    "thanksgiving",
    "halloween",
    "hanukkah",
    "chanukah",
    "passover",
    "ramadan",
    "eid",
    "diwali",
    "kwanzaa",
    "juneteenth",
    "epiphany",
    "pentecost",
    "lent",
    "mardi",
    "valentine",
    "valentines",
    "yom",
    "rosh",
    "day",
    "eve",
    "holiday",
    "holidays",
];
const UNIT_WORDS: &[&str] = &[
    "room",
    "rm",
    "ward",
    "bed",
    "bay",
    "unit",
    "floor",
    "suite",
    "ste",
    "wing",
    "pod",
    "station",
    "building",
    "bldg",
    "tower",
    "pavilion",
    "apt",
    "apartment",
];
const COUNTY_WORDS: &[&str] = &["county", "parish", "borough", "co"];
const NUMBER_WORDS_FROM_90: &[&str] =
    &["ninety", "nineties", "hundred", "centenarian", "nonagenarian", "supercentenarian"];

/// The sub-kind of an identifier; [`Kind::Unknown`] for labels that have none and where its words do not tell.
pub fn derived_kind(label: Label, text: &str) -> Kind {
    let words = words(text);
    match label {
        Label::Age => age(&words),
        Label::Date => date(&words),
        Label::LocationOther => place(&words),
        _ => Kind::Unknown,
    }
}

/// The runs of letters and digits, in lower case; an apostrophe joins (`New Year's` is `new`, `years`).
fn words(text: &str) -> Vec<String> {
    let joined: String = text.chars().filter(|character| !matches!(character, '\'' | '\u{2019}')).collect();
    let runs = joined.split(|character: char| !character.is_alphanumeric());
    runs.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.contains(&word)
}

fn age(words: &[String]) -> Kind {
    let numbers = words.iter().filter_map(|word| {
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        // More digits than an age can have is still more than 89.
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
    });
    let in_words = words.iter().any(|word| is_one_of(word, NUMBER_WORDS_FROM_90));
    match numbers.max() {
        Some(number) if number > 89 => Kind::AgeOver89,
        _ if in_words => Kind::AgeOver89,
        None if words.is_empty() => Kind::Unknown,
        _ => Kind::AgeUpTo89,
    }
}

fn date(words: &[String]) -> Kind {
    let has = |list: &[&str]| words.iter().any(|word| is_one_of(word, list));
    let digits = words.iter().any(|word| word.chars().any(|character| character.is_ascii_digit()));
    let weekday = |word: &String| {
        let singular = word.strip_suffix('s').unwrap_or(word);
        is_one_of(word, WEEKDAYS) || is_one_of(singular, WEEKDAYS) || is_one_of(word, SHORT_WEEKDAYS)
    };
    if !words.is_empty() && words.iter().all(weekday) {
        return Kind::DateWeekday;
    }
    if words.iter().any(|word| is_month(word)) {
        return if words.iter().any(|word| is_year(word)) && words.len() > 2 {
            Kind::DateFull
        } else {
            Kind::DatePartial
        };
    }
    if has(SEASONS) {
        return Kind::DateSeason;
    }
    // With a number beside it, a holiday names one day of one year and is no longer the holiday alone.
    if !digits && has(HOLIDAYS) {
        return Kind::DateHoliday;
    }
    match words {
        [year] if is_year(year) || is_decade(year) => Kind::DateYear,
        [one] if one.len() >= 6 && one.chars().all(|character| character.is_ascii_digit()) => Kind::DateFull,
        [_, _, _, ..] if digits => Kind::DateFull,
        [_, _] if digits => Kind::DatePartial,
        _ => Kind::Unknown,
    }
}

fn is_month(word: &str) -> bool {
    const MONTHS: &[&str] = &[
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    // "sept" and "jan" are months; "ma" and "ju" are not long enough to say.
    let letters = word.trim_start_matches(|character: char| character.is_ascii_digit());
    letters.len() >= 3 && MONTHS.iter().any(|month| month.starts_with(letters))
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse().is_ok_and(|year: u32| (1800..2200).contains(&year))
}

/// `1990s`, `90s`.
fn is_decade(word: &str) -> bool {
    word.strip_suffix('s').is_some_and(|number| {
        matches!(number.len(), 2 | 4) && number.ends_with('0') && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn place(words: &[String]) -> Kind {
    let has = |list: &[&str]| words.iter().any(|word| is_one_of(word, list));
    if has(COUNTY_WORDS) {
        Kind::LocationCounty
    } else if has(UNIT_WORDS) {
        Kind::LocationUnit
    } else if words.is_empty() {
        Kind::Unknown
    } else {
        Kind::LocationLandmark
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_in_digits_and_words() {
        for over in
            ["90", "92", "104yo", "ninety-two", "97-year-old", "a hundred and one", "90s", "99999999999999999999999"]
        {
            assert_eq!(derived_kind(Label::Age, over), Kind::AgeOver89, "{over}");
        }
        for under in ["89", "45", "forty-five", "nineteen", "3 1/2", "80s"] {
            assert_eq!(derived_kind(Label::Age, under), Kind::AgeUpTo89, "{under}");
        }
        assert_eq!(derived_kind(Label::Age, ""), Kind::Unknown);
    }

    #[test]
    fn dates() {
        let cases = [
            ("Monday", Kind::DateWeekday),
            ("Mondays", Kind::DateWeekday),
            ("Thurs.", Kind::DateWeekday),
            ("2019", Kind::DateYear),
            ("1990s", Kind::DateYear),
            ("'90s", Kind::DateYear),
            ("Christmas", Kind::DateHoliday),
            ("New Year's Eve", Kind::DateHoliday),
            ("Labor Day", Kind::DateHoliday),
            ("Christmas 2019", Kind::DatePartial),
            ("fall of 2019", Kind::DateSeason),
            ("Q3 2020", Kind::DateSeason),
            ("3/4/2019", Kind::DateFull),
            ("2019-03-04", Kind::DateFull),
            ("March 4, 2019", Kind::DateFull),
            ("20190304", Kind::DateFull),
            ("3/4", Kind::DatePartial),
            ("March", Kind::DatePartial),
            ("Sept 4th", Kind::DatePartial),
            ("March 2019", Kind::DatePartial),
            ("Monday, March 4", Kind::DatePartial),
            ("", Kind::Unknown),
        ];
        for (text, kind) in cases {
            assert_eq!(derived_kind(Label::Date, text), kind, "{text}");
        }
    }

    #[test]
    fn places_and_labels_without_kinds() {
        assert_eq!(derived_kind(Label::LocationOther, "Kent County"), Kind::LocationCounty);
        assert_eq!(derived_kind(Label::LocationOther, "Room 7A"), Kind::LocationUnit);
        assert_eq!(derived_kind(Label::LocationOther, "Yosemite"), Kind::LocationLandmark);
        assert_eq!(derived_kind(Label::City, "Kent County"), Kind::Unknown);
    }
}
