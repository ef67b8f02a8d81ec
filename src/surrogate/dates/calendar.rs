//! The words of the calendar, in small letters.
//!
//! ```text
//! MONTHS[row][2] = march, mar, marzo, mars …   WEEKDAYS[row][0] = monday, mondays, mon …   spell(21) = twenty-first
//! SEASONS[row][2] = fall, otoño, automne, herbst …
//! ```

use std::sync::LazyLock;

/// The year that two digits mean.
pub(super) const fn year_of_two_digits(digits: u32) -> u32 {
    digits + if digits > 50 { 1900 } else { 2000 }
}

/// Names of months: English in full and short, then other languages and Roman numerals.
pub(super) static MONTHS: LazyLock<Vec<[&str; 12]>> = LazyLock::new(|| {
    let rows = include_str!("../data/months.txt").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| row.split(' ').collect::<Vec<_>>().try_into().ok()).chain(MORE_MONTHS).collect()
});

/// German as it is written without its letters and in Austria, Russian as dates have it and alone, Ukrainian.
#[rustfmt::skip]
const MORE_MONTHS: [[&str; 12]; 6] = [
    ["januar", "februar", "maerz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "dezember"],
    ["jänner", "feber", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "dezember"],
    ["jaenner", "feber", "maerz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "dezember"],
    ["января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября", "декабря"],
    ["январь", "февраль", "март", "апрель", "май", "июнь", "июль", "август", "сентябрь", "октябрь", "ноябрь", "декабрь"],
    ["січня", "лютого", "березня", "квітня", "травня", "червня", "липня", "серпня", "вересня", "жовтня", "листопада", "грудня"],
];

/// Rows of [`MONTHS`]: English names in full and short. `May` is both, and found as the first.
pub(super) const FULL: usize = 0;
pub(super) const SHORT: usize = 1;
/// The row of [`MONTHS`] that has numerals, which are no small letters where months are.
pub(super) const ROMAN: usize = 7;

/// Names of weekdays: English in full and short, then other languages.
pub(super) const WEEKDAYS: [[&str; 7]; 15] = [
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    ["mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays"],
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    ["mon", "tues", "weds", "thurs", "fri", "sat", "sun"],
    ["mon", "tues", "weds", "thur", "fri", "sat", "sun"],
    ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
    ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"],
    ["lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"],
    ["maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"],
    ["måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag", "söndag"],
    ["mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag", "søndag"],
    ["poniedziałek", "wtorek", "środa", "czwartek", "piątek", "sobota", "niedziela"],
    ["pazartesi", "salı", "çarşamba", "perşembe", "cuma", "cumartesi", "pazar"],
    ["понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье"],
];

/// Seasons by language, in the order of the year. Languages share some names.
pub(super) const SEASONS: [[&str; 4]; 10] = [
    ["spring", "summer", "fall", "winter"],
    ["primavera", "verano", "otoño", "invierno"],
    ["printemps", "été", "automne", "hiver"],
    ["frühling", "sommer", "herbst", "winter"],
    ["primavera", "estate", "autunno", "inverno"],
    ["primavera", "verão", "outono", "inverno"],
    ["lente", "zomer", "herfst", "winter"],
    ["vår", "sommar", "höst", "vinter"],
    ["forår", "sommer", "efterår", "vinter"],
    ["vår", "sommer", "høst", "vinter"],
];

/// Other names of seasons, with the row of [`SEASONS`] and the place in it.
pub(super) const OTHER_SEASONS: [(&str, usize, usize); 7] = [
    ("springtime", 0, 0),
    ("summertime", 0, 1),
    ("autumn", 0, 2),
    ("wintertime", 0, 3),
    ("frühjahr", 3, 0),
    ("voorjaar", 6, 0),
    ("najaar", 6, 2),
];

/// The days of the month that have one word.
pub(super) const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];

/// A day of the month in words.
pub(super) fn spell(day: u32) -> String {
    match day as usize {
        small @ 1..=20 => ORDINALS[small - 1].to_owned(),
        large @ 21..=29 => format!("twenty-{}", ORDINALS[large - 21]),
        30 => String::from("thirtieth"),
        _ => String::from("thirty-first"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_months_is_whole() {
        let rows = include_str!("../data/months.txt").lines().filter(|line| !line.starts_with('#'));
        assert_eq!(rows.count() + MORE_MONTHS.len(), MONTHS.len());
        assert_eq!(MONTHS[ROMAN][8], "ix");
    }
}
