//! Numbers below a hundred, years, and decades of life, in words; months in Roman numerals.
//!
//! ```text
//! 67 = sixty-seven     2014 = twenty fourteen     1998 = nineteen ninety-eight     2003 = two thousand three
//! ```

/// Zero to nineteen.
pub(crate) const UNITS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
/// The tens, at their tenth.
pub(crate) const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// The months in Roman numerals, from January.
pub(crate) const ROMAN_MONTHS: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];

/// People by the decades of their age, beginning with [`PEOPLE_FROM`].
pub(crate) const PEOPLE: [&str; 7] = [
    "quadragenarian",
    "quinquagenarian",
    "sexagenarian",
    "septuagenarian",
    "octogenarian",
    "nonagenarian",
    "centenarian",
];
/// The decades of a quadragenarian.
pub(crate) const PEOPLE_FROM: u32 = 4;

/// A number below a hundred; of a larger one, its last two digits.
pub(crate) fn spell(number: u32) -> String {
    let (tens, units) = (TENS[(number / 10 % 10) as usize], UNITS[(number % 10) as usize]);
    match number % 100 {
        small @ 0..20 => UNITS[small as usize].to_owned(),
        round if round.is_multiple_of(10) => tens.to_owned(),
        _ => format!("{tens}-{units}"),
    }
}

/// A year as it is said.
pub(crate) fn spell_year(year: u32) -> String {
    let (century, rest) = (year / 100, year % 100);
    match (century, rest) {
        (20, 0) => String::from("two thousand"),
        (20, 1..=9) => format!("two thousand {}", spell(rest)),
        (_, 0) => format!("{} hundred", spell(century)),
        (_, 1..=9) => format!("{} oh {}", spell(century), spell(rest)),
        _ => format!("{} {}", spell(century), spell(rest)),
    }
}

/// A year by its last two digits as it is said, a zero first where they have one: `oh-nine`, with this joint behind it.
pub(crate) fn spell_short_year(year: u32, joint: &str) -> String {
    match year % 100 {
        rest @ 0..10 => format!("oh{joint}{}", if rest == 0 { "oh".to_owned() } else { spell(rest) }),
        rest => spell(rest),
    }
}

/// The year that small words say, and how many of the words say it.
pub(crate) fn read_year(words: &[&str]) -> Option<(u32, usize)> {
    let (century, mut used) = match words {
        ["two", "thousand", "and", ..] => (20, 3),
        ["two", "thousand", ..] => (20, 2),
        ["eighteen", ..] => (18, 1),
        ["nineteen", ..] => (19, 1),
        ["twenty", ..] => (20, 1),
        _ => return None,
    };
    let thousands = words.first() == Some(&"two");
    let rest = match words.get(used..).unwrap_or_default() {
        ["hundred", "and", rest @ ..] if !thousands && below_hundred(rest).is_some() => with(below_hundred(rest)?, 2),
        ["hundred", rest @ ..] if !thousands && below_hundred(rest).is_some() => with(below_hundred(rest)?, 1),
        ["hundred", ..] if !thousands => (0, 1),
        ["oh" | "o", unit, ..] if !thousands => (below(unit, 1..10)?, 2),
        rest if below_hundred(rest).is_some_and(|(number, _)| thousands || number >= 10) => below_hundred(rest)?,
        _ if thousands => return Some((2000, 2)),
        _ => return None,
    };
    used += rest.1;
    Some((century * 100 + rest.0, used))
}

/// A number from 1 to 99 that words begin with, and how many of them say it.
fn below_hundred(words: &[&str]) -> Option<(u32, usize)> {
    let tens = words.first().and_then(|word| below_tens(word));
    match (tens, words.get(1).and_then(|word| below(word, 1..10))) {
        (Some(tens), Some(units)) => Some((tens + units, 2)),
        (Some(tens), None) => Some((tens, 1)),
        (None, _) => below(words.first()?, 1..20).map(|number| (number, 1)),
    }
}

/// The same after so many words more.
const fn with((number, used): (u32, usize), words: usize) -> (u32, usize) {
    (number, used + words)
}

fn below(word: &str, range: std::ops::Range<u32>) -> Option<u32> {
    UNITS.iter().position(|&unit| unit == word).map(|unit| unit as u32).filter(|unit| range.contains(unit))
}

fn below_tens(word: &str) -> Option<u32> {
    TENS.iter().position(|&tens| tens == word && !word.is_empty()).map(|tens| tens as u32 * 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_read_as_they_are_spelled() {
        for year in 1800..2100 {
            let spelled = spell_year(year);
            let words: Vec<&str> = spelled.split([' ', '-']).collect();
            assert_eq!(read_year(&words), Some((year, words.len())), "{spelled}");
        }
        assert_eq!(read_year(&["two", "thousand", "and", "nineteen", "in"]), Some((2019, 4)));
        assert_eq!(read_year(&["nineteen", "hundred", "and", "twenty", "five"]), Some((1925, 5)));
        assert_eq!(read_year(&["nineteen", "hundred", "five"]), Some((1905, 3)));
        assert_eq!(read_year(&["nineteen", "hundred", "and"]), Some((1900, 2)));
        assert_eq!(read_year(&["nineteen", "five"]), None);
        assert_eq!(read_year(&["twenty", "milligrams"]), None);
        assert_eq!(read_year(&["two", "days"]), None);
        assert_eq!(read_year(&[]), None);
    }

    #[test]
    fn numbers_are_spelled() {
        assert_eq!(
            [0, 7, 19, 20, 67, 89].map(spell),
            ["zero", "seven", "nineteen", "twenty", "sixty-seven", "eighty-nine"]
        );
    }
}
