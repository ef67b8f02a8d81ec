//! Ages in words, and words for a time of life.
//!
//! ```text
//! ninety-two, in her tenth decade, nonagenarian, one hundred and two: over 89     newborn, middle-aged: no number
//! ```

use crate::text::numbers::{PEOPLE, PEOPLE_FROM, TENS, UNITS, spell};

/// The highest age that may be told.
pub(super) const HIGHEST: u32 = 89;

/// Decades of life or of a century, at their tens.
pub(super) const DECADES: [&str; 10] =
    ["", "teens", "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"];

/// Ordinals of decades, at their number.
pub(super) const ORDINALS: [&str; 12] = [
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
];

/// What a small ordinal counts where it is no decade: `her tenth birthday`, `the second week of life`.
const COUNTED: [&str; 5] = ["birthday", "year", "month", "week", "day"];

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
    /// `her forty-first birthday`
    Nth(u32),
}

impl Words {
    /// Whether it is an age over 89.
    pub(super) const fn is_over_89(&self) -> bool {
        match self {
            Self::Number(age) | Self::Ish(age) | Self::Nth(age) => *age > HIGHEST,
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
                let number = |unit: usize| tens as u32 * 10 + unit as u32 + 1;
                let cardinal = UNITS[1..10].iter().position(is_next).map(|unit| Words::Number(number(unit)));
                let ordinal = || ORDINALS[1..10].iter().position(is_next).map(|unit| Words::Nth(number(unit)));
                let number = cardinal.or_else(ordinal)?;
                joined.then_some((next_end, number))
            });
            let (end, number) = unit.unwrap_or((end, Words::Number(tens as u32 * 10)));
            return Some((start, end, number));
        }
        if let Some(number) = ordinal(&word) {
            return Some((start, end, Words::Nth(number)));
        }
        let next_is = |next: Option<&(usize, usize)>, wanted: &str| {
            next.is_some_and(|&(start, end)| value[start..end].eq_ignore_ascii_case(wanted))
        };
        if word == "hundredth" {
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
        if let Some(number) = ORDINALS.iter().position(|&ordinal| ordinal == word) {
            let counted = words.peek().map(|&(start, end)| value[start..end].to_ascii_lowercase());
            let is_counted = counted.is_some_and(|next| COUNTED.contains(&next.strip_suffix('s').unwrap_or(&next)));
            let number = number as u32;
            return Some((start, end, if is_counted { Words::Nth(number) } else { Words::Ordinal(number) }));
        }
        let person = word.trim_end_matches('s').trim_start_matches("super");
        if let Some(decade) = PEOPLE.iter().position(|&of_decade| of_decade == person) {
            return Some((start, end, Words::Person(decade as u32 + PEOPLE_FROM)));
        }
    }
    None
}

/// The number that an ordinal of one word says which is none of [`ORDINALS`]: `twelfth`, `fortieth`.
fn ordinal(word: &str) -> Option<u32> {
    let tens = (2..TENS.len() as u32).map(|tens| tens * 10);
    (ORDINALS.len() as u32..20).chain(tens).find(|&number| word.ends_with("th") && spell_ordinal(number) == word)
}

/// The ordinal of a number below a hundred, of a larger one that of its last two digits: `forty-second`, `fortieth`, `twelfth`.
pub(super) fn spell_ordinal(number: u32) -> String {
    let cardinal = spell(number);
    match (ORDINALS.get((number % 100) as usize), cardinal.rsplit_once('-')) {
        (Some(ordinal), _) => (*ordinal).to_owned(),
        (None, Some((tens, _))) => format!("{tens}-{}", ORDINALS[(number % 10) as usize]),
        (None, None) if cardinal == "twelve" => String::from("twelfth"),
        (None, None) => match cardinal.strip_suffix('y') {
            Some(tens) => format!("{tens}ieth"),
            None => format!("{cardinal}th"),
        },
    }
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

    #[test]
    fn ordinals_are_read_as_they_are_spelled() {
        for number in 12..100 {
            let ordinal = spell_ordinal(number);
            let found = in_words(&ordinal);
            let is_number = |(start, end, words): (usize, usize, Words)| {
                (start, end) == (0, ordinal.len()) && matches!(words, Words::Nth(read) if read == number)
            };
            assert!(found.is_some_and(is_number), "{ordinal}");
        }
        assert_eq!(
            [2, 12, 13, 20, 41, 88].map(spell_ordinal),
            ["second", "twelfth", "thirteenth", "twentieth", "forty-first", "eighty-eighth"]
        );
        // What a small one counts tells it from a decade of life.
        assert!(matches!(in_words("tenth birthday"), Some((0, 5, Words::Nth(10)))));
        assert!(matches!(in_words("tenth decade"), Some((0, 5, Words::Ordinal(10)))));
    }
}
