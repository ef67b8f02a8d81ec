//! Numbers below a hundred and years, in words.
//!
//! ```text
//! 67 = sixty-seven     2014 = twenty fourteen     1998 = nineteen ninety-eight     2003 = two thousand three
//! ```

/// Zero to nineteen.
pub(super) const UNITS: [&str; 20] = [
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
pub(super) const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// A number below a hundred; of a larger one, its last two digits.
pub(super) fn spell(number: u32) -> String {
    let (tens, units) = (TENS[(number / 10 % 10) as usize], UNITS[(number % 10) as usize]);
    match number % 100 {
        small @ 0..20 => UNITS[small as usize].to_owned(),
        round if round.is_multiple_of(10) => tens.to_owned(),
        _ => format!("{tens}-{units}"),
    }
}

/// A year as it is said.
pub(super) fn spell_year(year: u32) -> String {
    let (century, rest) = (year / 100, year % 100);
    match (century, rest) {
        (20, 0) => String::from("two thousand"),
        (20, 1..=9) => format!("two thousand {}", spell(rest)),
        (_, 0) => format!("{} hundred", spell(century)),
        (_, 1..=9) => format!("{} oh {}", spell(century), spell(rest)),
        _ => format!("{} {}", spell(century), spell(rest)),
    }
}

/// The year that small words say, and how many of the words say it.
pub(super) fn read_year(words: &[&str]) -> Option<(u32, usize)> {
    let (century, mut used) = match words {
        ["two", "thousand", "and", ..] => (20, 3),
        ["two", "thousand", ..] => (20, 2),
        ["nineteen", ..] => (19, 1),
        ["twenty", ..] => (20, 1),
        _ => return None,
    };
    let thousands = words.first() == Some(&"two");
    let rest = match words.get(used..).unwrap_or_default() {
        ["hundred", ..] if !thousands => (0, 1),
        ["oh" | "o", unit, ..] if !thousands => (below(unit, 1..10)?, 2),
        [first, second, ..] if below_tens(first).is_some() && below(second, 1..10).is_some() => {
            (below_tens(first)? + below(second, 1..10)?, 2)
        }
        [first, ..] if below_tens(first).is_some() => (below_tens(first)?, 1),
        [first, ..] if below(first, if thousands { 1..20 } else { 10..20 }).is_some() => (below(first, 1..20)?, 1),
        _ if thousands => return Some((2000, 2)),
        _ => return None,
    };
    used += rest.1;
    Some((century * 100 + rest.0, used))
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
        for year in 1900..2100 {
            let spelled = spell_year(year);
            let words: Vec<&str> = spelled.split([' ', '-']).collect();
            assert_eq!(read_year(&words), Some((year, words.len())), "{spelled}");
        }
        assert_eq!(read_year(&["two", "thousand", "and", "nineteen", "in"]), Some((2019, 4)));
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
