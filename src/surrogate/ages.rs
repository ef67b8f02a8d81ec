//! Ages: above 89 all alike, up to 89 (where a policy removes those too) a few years off.
//!
//! ```text
//! 92 → 89+     92 y/o → 89+ y/o     ninety-two → over 89     67 → 64     18 months → 15 months
//! 92 1/2, 92nd, over 90 → 89+     92y3m → 89+y     late nineties → late eighties or older     1104 months → 89+ years
//! 41st → 43rd     forty-first → forty-third     92 to 45 → 89+ to 43, where lower ages change at all
//! ```

use super::age_words::{DECADES, HIGHEST, ORDINALS, Words, in_words, spell_ordinal};
use super::casing::Casing;
use super::dates::{ordinal_suffix, without_ordinal};
use super::options::AgesOver89;
use super::permutation::Randomness;
use crate::text::numbers::{PEOPLE, PEOPLE_FROM, TENS, spell};

/// By how many years at most a lower age changes.
const SPREAD: u32 = 4;

/// Units shorter than a year, by how they begin, and how many of them are 90 years at least.
const SHORT_UNITS: [(&str, u32); 7] = [
    ("mo", 1_080),
    ("week", 4_692),
    ("wk", 4_692),
    ("day", 32_850),
    ("hour", 788_400),
    ("hr", 788_400),
    ("min", 47_304_000),
];

/// Words before an age over 89 that its surrogate says itself, or that tell more than it does.
const ABSORBED: [&str; 16] = [
    "over",
    "above",
    "past",
    "older than",
    "more than",
    "greater than",
    "at least",
    "≥",
    ">=",
    ">",
    "early",
    "mid",
    "late",
    "a",
    "early to",
    "mid to",
];

/// The surrogate of an age, in digits or words; nothing where the text holds no age.
///
/// `over_89` says that the text is known to be an age over 89, whatever it reads. A lower one in digits behind it, as in `92 to 45`,
/// then stays, as lower ones do wherever only those over 89 are replaced; else it changes as it does alone.
pub(super) fn replace(randomness: &Randomness, highest: AgesOver89, value: &str, over_89: bool) -> Option<String> {
    // `92 (ninety-two)`: where an age over 89 is told twice, once is enough.
    let is_told = |text: &str| in_words(text).is_some_and(|(.., number)| over_89 || number.is_over_89());
    if let Some((start, end)) = digits(value) {
        if is_told(&value[..start]) || is_told(&value[end..]) {
            return Some(highest.in_digits().to_owned());
        }
        return Some(in_digits(randomness, highest, value, (start, end), over_89));
    }
    let Some((start, end, number)) = in_words(value) else {
        // `noventa y tres`: words of another language.
        return (over_89 && value.contains(char::is_alphabetic)).then(|| highest.in_digits().to_owned());
    };
    if is_told(&value[end..]) {
        return Some(highest.in_words().to_owned());
    }
    let is_over = over_89 || number.is_over_89();
    let before = if is_over { without_prefix(&value[..start]) } else { &value[..start] };
    let after = &value[end..];
    let after = in_words_beside(randomness, highest, if is_over { without_fraction(after) } else { after });
    let casing = Casing::of(value[before.len()..end].trim_start());
    let word = match number {
        Words::Number(_) | Words::Ish(_) | Words::Nth(_) if is_over => highest.in_words().to_owned(),
        Words::Number(age) => spell(changed(randomness, age, HIGHEST)),
        Words::Nth(age) => spell_ordinal(changed(randomness, age, HIGHEST)),
        Words::Ish(age) => format!("{}ish", TENS[another_decade(randomness, age / 10) as usize]),
        Words::Ordinal(_) if is_over => String::from("ninth or later"),
        Words::Ordinal(decade) => ORDINALS[another_decade(randomness, decade) as usize].to_owned(),
        Words::Person(_) if is_over => highest.in_words().to_owned(),
        Words::Person(decade) => another_person(randomness, decade, &value[start..end]),
        Words::Decade(_) if is_over => String::from("late eighties or older"),
        Words::Decade(decade) => DECADES[another_decade(randomness, decade) as usize].to_owned(),
    };
    // Words of an age are lower case unless all of the text is not: `Ninety-two` opens a sentence.
    let written = match casing {
        Casing::Upper => word.to_uppercase(),
        Casing::Lower => word,
        Casing::Title | Casing::Mixed => capitalized(&word),
    };
    Some([before, &written, &after].concat())
}

/// A text without digits beside an age, with the ages in it replaced as well: `45 (forty-five)`, `sixty to seventy`.
fn in_words_beside(randomness: &Randomness, highest: AgesOver89, text: &str) -> String {
    let age = in_words(text).and_then(|_| replace(randomness, highest, text, false));
    age.unwrap_or_else(|| text.to_owned())
}

fn capitalized(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

fn digits(value: &str) -> Option<(usize, usize)> {
    let start = value.find(|character: char| character.is_ascii_digit())?;
    let run = |at: usize| value[at..].bytes().take_while(u8::is_ascii_digit).count();
    let end = start + run(start);
    // `33,000 days`
    let thousands = end - start <= 3 && value[end..].starts_with(',') && run(end + 1) == 3;
    Some((start, if thousands { end + 4 } else { end }))
}

impl AgesOver89 {
    const fn in_digits(self) -> &'static str {
        match self {
            Self::Over89 => "89+",
            Self::From90 => "90+",
        }
    }

    const fn in_words(self) -> &'static str {
        match self {
            Self::Over89 => "over 89",
            Self::From90 => "ninety or over",
        }
    }
}

fn in_digits(
    randomness: &Randomness,
    highest: AgesOver89,
    value: &str,
    (start, end): (usize, usize),
    over_89: bool,
) -> String {
    let (before, behind) = (in_words_beside(randomness, highest, &value[..start]), &value[end..]);
    let age: u32 = value[start..end].replace(',', "").parse().unwrap_or(u32::MAX);
    // `41st` has an ending, and is no decade as `40s` is.
    let after = without_ordinal(behind);
    let (ending, _) = behind.split_at(behind.len() - after.len());
    let decade = after.strip_prefix("'s").or_else(|| after.strip_prefix("’s")).or_else(|| after.strip_prefix('s'));
    let decade = decade.filter(|_| ending.is_empty());
    let short = short_unit(after);
    if over_89 || age >= short.map_or(HIGHEST + 1, |(_, of_90_years)| of_90_years) {
        let rest = decade.unwrap_or(after);
        let rest = rest.strip_prefix('+').unwrap_or(rest);
        let rest = without_fraction(rest);
        let rest = if short.is_some() { in_years(rest) } else { without_months(rest) };
        let rest = if over_89 { further(highest, &rest) } else { beside(randomness, highest, &rest) };
        return [without_prefix(&before), highest.in_digits(), &rest].concat();
    }
    let moved = match decade {
        Some(_) if age >= 10 && age.is_multiple_of(10) => another_decade(randomness, age / 10) * 10,
        _ => changed(randomness, age, short.map_or(HIGHEST, |(_, of_90_years)| of_90_years - 1)),
    };
    let ending = match ending {
        "" => String::new(),
        _ => Casing::of(ending).apply(ordinal_suffix(moved)),
    };
    // A second number (`5 years 3 months`, `67-68`, `50s to 60s`) moves along, so that none stays as it was.
    format!("{before}{moved}{ending}{}", beside(randomness, highest, after))
}

/// What follows an age, with every other age in it replaced as well: `67-68`, `92 to 45`.
fn beside(randomness: &Randomness, highest: AgesOver89, text: &str) -> String {
    match digits(text) {
        Some(next) => in_digits(randomness, highest, text, next, false),
        None => in_words_beside(randomness, highest, text),
    }
}

/// What follows an age over 89, with every other such age in it replaced as well, where lower ones stay: `92-95`.
fn further(highest: AgesOver89, text: &str) -> String {
    match digits(text) {
        Some((start, end)) => {
            let is_age = text[start..end].parse().is_ok_and(|age: u32| age > HIGHEST);
            let written = if is_age { highest.in_digits() } else { &text[start..end] };
            let rest = if is_age { without_ordinal(&text[end..]) } else { &text[end..] };
            let rest = rest.strip_prefix('+').filter(|_| is_age).unwrap_or(rest);
            [&text[..start], written, &further(highest, rest)].concat()
        }
        None => text.to_owned(),
    }
}

/// What is before an age over 89, without the words that would be said twice: `over`, `late`.
fn without_prefix(before: &str) -> &str {
    let head = before.trim_end_matches([' ', '-']);
    let is_absorbed = |word: &&&str| {
        let Some((rest, last)) = head.len().checked_sub(word.len()).and_then(|at| head.split_at_checked(at)) else {
            return false;
        };
        let is_word = word.starts_with(|character: char| character.is_ascii_alphabetic());
        last.eq_ignore_ascii_case(word) && !(is_word && rest.ends_with(char::is_alphanumeric))
    };
    match ABSORBED.iter().find(is_absorbed) {
        Some(word) => without_prefix(&before[..head.len() - word.len()]),
        None => before,
    }
}

/// Without the part of a year that is told behind a number: `.5`, ` 1/2`, `½`, ` and a half`.
fn without_fraction(text: &str) -> &str {
    let is_digit = |character: char| character.is_ascii_digit();
    if let Some(fraction) = text.strip_prefix('.').filter(|fraction| fraction.starts_with(is_digit)) {
        return fraction.trim_start_matches(is_digit);
    }
    let part = text.trim_start_matches([' ', '-']);
    let fractions = ["½", "¼", "¾", "1/2", "1/4", "3/4", "and a half"];
    let rest = fractions.iter().find_map(|fraction| part.strip_prefix(fraction));
    rest.filter(|rest| !rest.starts_with(char::is_alphanumeric) || part.starts_with(['½', '¼', '¾'])).unwrap_or(text)
}

/// What follows a number of years, without the months, weeks and days on top of them: `y3m`, ` years and 3 months`.
fn without_months(text: &str) -> String {
    let Some((start, end)) = digits(text) else { return text.to_owned() };
    let tail = text[end..].trim_start_matches([' ', '-']);
    let (unit, rest) = tail.split_at(tail.bytes().take_while(u8::is_ascii_alphabetic).count());
    let units = ["m", "mo", "mos", "month", "months", "w", "wk", "wks", "week", "weeks", "d", "day", "days"];
    let years = text[..start].trim_end_matches([' ', ',', '&', '-']);
    let years = years.strip_suffix("and").unwrap_or(years).trim_end_matches([' ', ',']);
    let word = years.trim_matches([' ', '-', '.']);
    let of_years = ["y", "yr", "yrs", "year", "years"].iter().any(|years| word.eq_ignore_ascii_case(years));
    match of_years && units.iter().any(|of| unit.eq_ignore_ascii_case(of)) {
        true => without_months(&[years, rest].concat()),
        false => text.to_owned(),
    }
}

/// The unit shorter than a year behind a number, and how many of them are 90 years at least.
fn short_unit(after: &str) -> Option<(&'static str, u32)> {
    let word = after.trim_start_matches([' ', '-']).to_ascii_lowercase();
    let alone = match word.as_str() {
        "d" => "day",
        "w" => "week",
        _ => "",
    };
    SHORT_UNITS.into_iter().find(|(unit, _)| word.starts_with(unit) || *unit == alone)
}

/// What follows a number of units shorter than a year, with years instead: ` months`, `-day-old`.
fn in_years(after: &str) -> String {
    let unit = after.trim_start_matches([' ', '-']);
    let mark = &after[..after.len() - unit.len()];
    let (unit, rest) = unit.split_at(unit.bytes().take_while(u8::is_ascii_alphabetic).count());
    let year =
        if ["month", "week", "day", "hour"].contains(&unit.to_ascii_lowercase().as_str()) { "year" } else { "years" };
    [if mark.is_empty() { " " } else { mark }, year, rest].concat()
}

/// An age one to four years off, from 1 to `highest`; the same for the same age.
fn changed(randomness: &Randomness, age: u32, highest: u32) -> u32 {
    let draw = randomness.draw("age", &age.to_be_bytes());
    let step = 1 + draw.below(u128::from(SPREAD)) as u32;
    let downwards = draw.bytes()[0] & 1 == 0;
    let age = age.min(u32::MAX - SPREAD);
    if (downwards && age > step) || age + step > highest { age.saturating_sub(step) } else { age + step }
}

fn another_decade(randomness: &Randomness, decade: u32) -> u32 {
    let up = randomness.draw("decade of life", &decade.to_be_bytes()).bytes()[0] & 1 == 0;
    if decade <= 2 || (up && decade < 8) { decade + 1 } else { decade - 1 }
}

/// A person of the decade above or below, in the number of the original.
fn another_person(randomness: &Randomness, decade: u32, original: &str) -> String {
    let other = another_decade(randomness, decade).clamp(PEOPLE_FROM, 8);
    let other = if other == decade { PEOPLE_FROM + 1 } else { other };
    let plural = if original.ends_with(['s', 'S']) { "s" } else { "" };
    format!("{}{plural}", PEOPLE[(other - PEOPLE_FROM) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn age(value: &str) -> String {
        replace(&Randomness::new([5; 32]), AgesOver89::Over89, value, false).unwrap()
    }

    #[test]
    fn ages_over_89_become_one() {
        for (value, surrogate) in [
            ("92", "89+"),
            ("103", "89+"),
            ("92 y/o", "89+ y/o"),
            ("92-year-old", "89+-year-old"),
            ("90s", "89+"),
            ("ninety-two", "over 89"),
            ("Ninety two year old", "Over 89 year old"),
            ("nineties", "late eighties or older"),
            ("92.5", "89+"),
            ("92-95", "89+-89+"),
            ("92y - 95y", "89+y - 89+y"),
            ("one hundred and two", "over 89"),
            ("nonagenarian", "over 89"),
            ("ninetyish", "over 89"),
            ("tenth", "ninth or later"),
            ("Centenarians", "Over 89"),
            ("a hundred years", "over 89 years"),
            ("one-oh-two", "over 89"),
            ("One oh two years old", "Over 89 years old"),
            ("A hundred and two years old", "Over 89 years old"),
            ("92 1/2 years old", "89+ years old"),
            ("92½ y/o", "89+ y/o"),
            ("92y3m", "89+y"),
            ("92 years and 3 months old", "89+ years old"),
            ("late nineties", "late eighties or older"),
            ("in her early nineties", "in her late eighties or older"),
            ("mid to late 90s", "89+"),
            ("92nd birthday", "89+ birthday"),
            ("ninety-second birthday", "over 89 birthday"),
            ("over 90", "89+"),
            ("Over ninety", "Over 89"),
            ("> 92", "89+"),
            ("1104 months", "89+ years"),
            ("1104 mo", "89+ years"),
            ("33000-day-old", "89+-year-old"),
            ("33,000 days", "89+ years"),
            ("4,800 weeks", "89+ years"),
        ] {
            assert_eq!(age(value), surrogate);
        }
        assert_eq!(replace(&Randomness::new([5; 32]), AgesOver89::Over89, "90", true).unwrap(), "89+");
        assert_eq!(replace(&Randomness::new([5; 32]), AgesOver89::Over89, "noventa y tres", true).unwrap(), "89+");
        for (value, surrogate) in [("94 y/o", "90+ y/o"), ("Ninety-one", "Ninety or over"), ("90's", "90+")] {
            let image = replace(&Randomness::new([5; 32]), AgesOver89::From90, value, false);
            assert_eq!(image.as_deref(), Some(surrogate));
        }
    }

    #[test]
    fn lower_ages_move_a_little_and_stay_below_90() {
        for original in 0..=89_u32 {
            let moved: u32 = age(&original.to_string()).parse().unwrap();
            assert!(moved != original && moved <= 89 && moved.abs_diff(original) <= 4, "{original}");
            assert_ne!(age(&spell(original)), spell(original));
        }
        assert!(age("18 months").ends_with(" months") && age("18 months") != "18 months");
        assert_ne!(age("99 days"), "89+ days");
        for months in [1000, 1078, 1079] {
            let moved = age(&format!("{months} months"));
            let number: u32 = moved.strip_suffix(" months").unwrap().parse().unwrap();
            assert!(number < 1080 && number != months && number.abs_diff(months) <= 4, "{moved}");
        }
        for decade in [
            "20s",
            "50's",
            "eighties",
            "teens",
            "octogenarian",
            "septuagenarians",
            "quadragenarian",
            "sixtyish",
            "sixth",
            "second",
        ] {
            assert_ne!(age(decade), decade);
        }
    }

    #[test]
    fn every_age_of_a_value_changes() {
        let (moved, other) = (age("45"), age("72"));
        let [words, further] = [&moved, &other].map(|number| spell(number.parse().unwrap()));
        for (value, surrogate) in [
            ("45 (forty-five)", format!("{moved} ({words})")),
            ("forty-five (45)", format!("{words} ({moved})")),
            ("forty-five to seventy-two", format!("{words} to {further}")),
            ("45, seventy-two or 45", format!("{moved}, {further} or {moved}")),
            ("50s to 60s", format!("{} to {}", age("50s"), age("60s"))),
            ("50s to sixties", format!("{} to {}", age("50s"), age("sixties"))),
        ] {
            assert_eq!(age(value), surrogate, "{value}");
        }
    }

    #[test]
    fn an_age_that_is_told_twice_is_told_once() {
        for value in ["92 (ninety-two)", "ninety-two (92)", "ninety; 45"] {
            assert_eq!(age(value), "89+", "{value}");
        }
        assert_eq!(age("ninety-two or ninety-three"), "over 89");
    }

    #[test]
    fn an_ordinal_becomes_the_ordinal_of_what_its_number_becomes() {
        let number = |number: u32| -> u32 { age(&number.to_string()).parse().unwrap() };
        for original in 12..=89 {
            let (moved, ordinal) = (spell_ordinal(number(original)), spell_ordinal(original));
            assert_eq!(age(&format!("her {ordinal} birthday")), format!("her {moved} birthday"));
            let suffixes = [original, number(original)].map(ordinal_suffix);
            let [from, to] = [original, number(original)].map(|number| number.to_string());
            let birthday = |number: &str, suffix: &str| format!("her {number}{suffix} birthday");
            assert_eq!(age(&birthday(&from, suffixes[0])), birthday(&to, suffixes[1]));
        }
        assert_eq!(age("Forty first year"), format!("{} year", capitalized(&spell_ordinal(number(41)))));
        assert_eq!(age("41ST"), format!("{}{}", number(41), ordinal_suffix(number(41)).to_uppercase()));
        assert_eq!(age("tenth birthday"), format!("{} birthday", spell_ordinal(number(10))));
        for (value, surrogate) in [
            ("91st birthday", "89+ birthday"),
            ("101st birthday", "89+ birthday"),
            ("91st to 95th", "89+ to 89+"),
            ("her ninetieth birthday", "her over 89 birthday"),
            ("ninety-first", "over 89"),
        ] {
            assert_eq!(age(value), surrogate, "{value}");
        }
    }

    #[test]
    fn a_lower_age_beside_one_over_89_stays_only_where_lower_ages_do() {
        let oldest = |value: &str| replace(&Randomness::new([5; 32]), AgesOver89::Over89, value, true).unwrap();
        let (moved, words) = (age("45"), spell(age("45").parse().unwrap()));
        for (value, changed, kept) in [
            ("92 to 45", format!("89+ to {moved}"), "89+ to 45"),
            ("92-45", format!("89+-{moved}"), "89+-45"),
            ("between 92 and 45", format!("between 89+ and {moved}"), "between 89+ and 45"),
            ("92 to forty-five", format!("89+ to {words}"), "89+"),
            ("ninety-two to forty-five", format!("over 89 to {words}"), "over 89"),
        ] {
            assert_eq!(age(value), changed, "{value}");
            assert_eq!(oldest(value), kept, "{value}");
        }
        assert_eq!(oldest("91st-95th"), "89+-89+");
    }

    #[test]
    fn what_is_no_age_is_nothing() {
        assert!(replace(&Randomness::new([5; 32]), AgesOver89::Over89, "elderly", false).is_none());
        assert!(replace(&Randomness::new([5; 32]), AgesOver89::Over89, "", true).is_none());
    }
}
