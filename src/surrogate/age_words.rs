//! Ages in words, and words for a time of life.
//!
//! ```text
//! ninety-two, in her tenth decade, nonagenarian, one hundred and two: over 89     newborn, middle-aged: no number
//! ```

use crate::text::numbers::{PEOPLE, PEOPLE_FROM, TENS, UNITS};

/// The highest age that may be told.
pub(super) const HIGHEST: u32 = 89;

/// Decades of life or of a century, at their tens.
pub(super) const DECADES: [&str; 10] =
    ["", "teens", "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"];

/// Ordinals of decades, at their number.
pub(super) const ORDINALS: [&str; 12] = [
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
];

/// Words for a time of life up to 89, which tell no number: they stay.
const TIMES_OF_LIFE: &[&str] = &[
    "adolescent",
    "adult",
    "age",
    "aged",
    "baby",
    "boy",
    "child",
    "children",
    "elderly",
    "female",
    "geriatric",
    "girl",
    "infant",
    "juvenile",
    "kid",
    "kindergartener",
    "kindergartner",
    "male",
    "man",
    "men",
    "middle",
    "minor",
    "neonate",
    "newborn",
    "old",
    "older",
    "pediatric",
    "preemie",
    "premature",
    "preschooler",
    "preteen",
    "school",
    "schooler",
    "senior",
    "teen",
    "teenager",
    "toddler",
    "tween",
    "woman",
    "women",
    "young",
    "youth",
];

/// Whether an age is told by words for a time of life alone: `newborn`, `middle-aged`, `female infant`.
pub(super) fn is_time_of_life(value: &str) -> bool {
    let known = |(start, end): (usize, usize)| {
        let word = value[start..end].to_ascii_lowercase();
        let singular = word.strip_suffix('s').unwrap_or(&word);
        // `teens` are a decade.
        !DECADES.contains(&word.as_str()) && [&word, singular].iter().any(|word| TIMES_OF_LIFE.contains(word))
    };
    let other = |character: char| character.is_alphanumeric() && !character.is_ascii_alphabetic();
    !value.contains(other) && words(value).next().is_some() && words(value).all(known)
}

/// An age in words.
pub(super) enum Words {
    /// `sixty-seven`
    Number(u32),
    /// `the sixties`, by their tens.
    Decade(u32),
    /// `a nonagenarian`, by the tens.
    Person(u32),
    /// `sixtyish`
    Ish(u32),
    /// `in her tenth decade`
    Ordinal(u32),
}

impl Words {
    /// Whether it is an age over 89.
    pub(super) const fn is_over_89(&self) -> bool {
        match self {
            Self::Number(age) | Self::Ish(age) => *age > HIGHEST,
            Self::Decade(decade) | Self::Person(decade) => *decade >= 9,
            Self::Ordinal(decade) => *decade > 9,
        }
    }
}

/// Whether a mark joins tens and units: `ninety‑two` is one age, whatever its hyphen.
const fn joins(mark: char) -> bool {
    matches!(mark, ' ' | '\t' | '\n' | '\r' | '\u{a0}' | '-' | '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// The first age in words: where it begins, where it ends, and what it is.
pub(super) fn in_words(value: &str) -> Option<(usize, usize, Words)> {
    let mut words = words(value).peekable();
    while let Some((start, end)) = words.next() {
        let word = value[start..end].to_ascii_lowercase();
        if let Some(decade) = DECADES.iter().position(|&decade| decade == word) {
            return Some((start, end, Words::Decade(decade as u32)));
        }
        if let Some(tens) = TENS.iter().position(|&tens| tens == word) {
            let unit = words.peek().and_then(|&(next, next_end)| {
                let joined = value[end..next].chars().all(joins);
                let is_next = |unit: &&str| value[next..next_end].eq_ignore_ascii_case(unit);
                // `her ninety-second birthday`
                let ordinal = || ORDINALS[1..10].iter().position(|unit| tens == 9 && is_next(unit));
                let unit = UNITS[1..10].iter().position(is_next).or_else(ordinal)?;
                joined.then_some((next_end, unit as u32 + 1))
            });
            let (end, unit) = unit.unwrap_or((end, 0));
            return Some((start, end, Words::Number(tens as u32 * 10 + unit)));
        }
        let next_is = |next: Option<&(usize, usize)>, wanted: &str| {
            next.is_some_and(|&(start, end)| value[start..end].eq_ignore_ascii_case(wanted))
        };
        if matches!(word.as_str(), "ninetieth" | "hundredth") {
            return Some((start, end, Words::Number(90)));
        }
        if word == "one" && ["oh", "o"].into_iter().any(|oh| next_is(words.peek(), oh)) {
            // `one-oh-two`
            let unit = words.nth(1).and_then(|(next, end)| {
                let unit = UNITS[1..10].iter().position(|unit| value[next..end].eq_ignore_ascii_case(unit))?;
                Some((end, unit as u32 + 101))
            });
            let (end, number) = unit.unwrap_or((end, 1));
            return Some((start, end, Words::Number(number)));
        }
        if word == "hundred" || (word == "one" && next_is(words.peek(), "hundred")) {
            // `one hundred and two`, to its last word.
            let is_number = |word: &str| {
                let word = word.to_ascii_lowercase();
                ["hundred", "and"].contains(&word.as_str())
                    || [&TENS[2..], &UNITS[1..], &ORDINALS[1..10]].concat().contains(&word.as_str())
            };
            let last = words.take_while(|&(start, end)| is_number(&value[start..end])).last();
            return Some((start, last.map_or(end, |(_, end)| end), Words::Number(100)));
        }
        if let Some(unit) = UNITS.iter().position(|&unit| unit == word) {
            return Some((start, end, Words::Number(unit as u32)));
        }
        if let Some(tens) = word.strip_suffix("ish").and_then(|word| TENS[2..].iter().position(|&tens| tens == word)) {
            return Some((start, end, Words::Ish(20 + 10 * tens as u32)));
        }
        if let Some(decade) = ORDINALS.iter().position(|&ordinal| ordinal == word) {
            return Some((start, end, Words::Ordinal(decade as u32)));
        }
        let person = word.trim_end_matches('s').trim_start_matches("super");
        if let Some(decade) = PEOPLE.iter().position(|&of_decade| of_decade == person) {
            return Some((start, end, Words::Person(decade as u32 + PEOPLE_FROM)));
        }
    }
    None
}

fn words(value: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + value[at..].find(|character: char| character.is_ascii_alphabetic())?;
        let end = start + value[start..].bytes().take_while(u8::is_ascii_alphabetic).count();
        at = end;
        Some((start, end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_life_is_no_age() {
        for value in ["newborn", "Infant", "toddlers", "TEENAGER", "middle-aged", "female infant", "elderly man"] {
            assert!(is_time_of_life(value), "{value}");
        }
        for value in ["", "-", "octogenarian", "infant Smith", "old 92", "ninety", "teens", "été"] {
            assert!(!is_time_of_life(value), "{value}");
        }
    }

    #[test]
    fn any_hyphen_joins_tens_and_units() {
        for value in ["ninety-two", "ninety two", "ninety\u{2011}two", "Ninety–Two", "ninety − two", "ninety\ntwo"]
        {
            let found = in_words(value).map(|(start, end, number)| (start, end, number.is_over_89()));
            assert_eq!(found, Some((0, value.len(), true)), "{value}");
        }
        let found = in_words("ninety, two").map(|(start, end, _)| (start, end));
        assert_eq!(found, Some((0, "ninety".len())));
    }
}
