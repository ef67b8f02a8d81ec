//! The words of the calendar, in small letters.
//!
//! ```text
//! MONTHS[row][2] = march, mar, marzo, mars …   WEEKDAYS[row][0] = monday, mondays, mon …   spell(21) = twenty-first
//! ```

/// Names of months: English in full and short, then other languages.
pub(super) const MONTHS: [[&str; 12]; 7] = [
    [
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
    ],
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
    [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    [
        "januar",
        "februar",
        "märz",
        "april",
        "mai",
        "juni",
        "juli",
        "august",
        "september",
        "oktober",
        "november",
        "dezember",
    ],
    [
        "gennaio",
        "febbraio",
        "marzo",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "agosto",
        "settembre",
        "ottobre",
        "novembre",
        "dicembre",
    ],
    [
        "janeiro",
        "fevereiro",
        "março",
        "abril",
        "maio",
        "junho",
        "julho",
        "agosto",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
    ],
];

/// Names of weekdays: English in full and short, then other languages.
pub(super) const WEEKDAYS: [[&str; 7]; 7] = [
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    ["mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays"],
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    ["mon", "tues", "weds", "thurs", "fri", "sat", "sun"],
    ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
    ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"],
];

/// Seasons, in the order of the year; each with its other spellings.
pub(super) const SEASONS: [&[&str]; 4] =
    [&["spring", "springtime"], &["summer", "summertime"], &["fall", "autumn"], &["winter", "wintertime"]];

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
