//! A number, a date or an address that is broken over two lines.
//!
//! ```text
//! call 617-555-⏎0134          a hyphen at the break               Joseph on September⏎9, 2020     a month and its day
//! call (617)⏎555-0134         an area code and a number           lives at 44 Maple⏎Street        a house and a street
//! SSN 123 45⏎6789             as many digits as belong there      Peoria, IL⏎61602                a state and its code
//! ```
//!
//! Whether it is one the detectors say; here is told where it is worth reading.

use super::Joint;
use crate::detect::listed::listed;
use crate::detect::patterns::calendar::MONTHS;
use crate::lexicon::{Lexicon, WordFlags};

/// How the end of a line and the beginning of the next are joined where a value may be broken between them.
pub(super) fn joint(before: &str, after: &str) -> Option<Joint> {
    let (before, after) = (before.trim_end(), after.trim_start());
    if is_hyphenated(before, after) {
        return Some(Joint::Word);
    }
    let is_broken =
        is_number(before, after) || is_date(before, after) || is_age(before, after) || is_address(before, after);
    is_broken.then_some(Joint::Phrase)
}

/// `617-555-⏎0134`, `617⏎-555-0134`, `3/14/⏎2019`.
fn is_hyphenated(before: &str, after: &str) -> bool {
    let digit = |character: char| character.is_ascii_digit();
    let at_end =
        before.strip_suffix(['-', '/']).is_some_and(|number| number.ends_with(digit)) && after.starts_with(digit);
    let at_beginning =
        before.ends_with(digit) && after.strip_prefix(['-', '/']).is_some_and(|number| number.starts_with(digit));
    at_end || at_beginning
}

/// `(617)⏎555-0134`, `617⏎555-0134`, `617 555⏎0134`, `123 45⏎6789`.
fn is_number(before: &str, after: &str) -> bool {
    let ahead = digits(after.bytes());
    let behind = digits(before.bytes().rev());
    if ahead == 3 {
        let goes_on = digits(after[3..].trim_start_matches(['-', '.', ' ']).bytes()) == 4;
        let area = before.strip_suffix(')').map_or(behind, |code| digits(code.bytes().rev()));
        return area == 3 && goes_on;
    }
    ahead == 4 && matches!(behind, 2 | 3) && {
        let head = before[..before.len() - behind].trim_end_matches(['-', '.', ' ', ')']);
        digits(head.bytes().rev()) == 3
    }
}

/// `September⏎9, 2020`, `September 9,⏎2020`, `9⏎September 2020`.
fn is_date(before: &str, after: &str) -> bool {
    // `(January⏎8, 2014)`, `"8⏎January`, `> January⏎> 8`
    let is_month = |word: &str| listed!(bare(word).trim_end_matches(['.', ',']), MONTHS);
    let after = bare(after);
    // `the 8th of⏎January`
    let told = before.strip_suffix(" of");
    let mut words = told.unwrap_or(before).rsplit([' ', '\t', ':']).map(bare);
    let last = words.next().unwrap_or_default();
    let first = after.split([' ', '\t']).next().unwrap_or_default();
    let is_day = |word: &str| matches!(digits(word.bytes()), 1 | 2);
    let is_year = digits(after.bytes()) == 4;
    is_month(last) && last.starts_with(char::is_uppercase) && (is_day(after) || is_year)
        || is_year && is_day(last) && words.next().is_some_and(is_month)
        || is_day(last)
            && (digits(last.bytes()) == last.len()
                || told.is_some() && ["st", "nd", "rd", "th"].iter().any(|end| last.ends_with(end)))
            && is_month(first)
            && first.starts_with(char::is_uppercase)
}

/// `a 91⏎year old man`, `died aged⏎93`.
fn is_age(before: &str, after: &str) -> bool {
    let last = before.rsplit([' ', '\t']).next().unwrap_or_default();
    let first = after.split([' ', '\t', '-']).next().unwrap_or_default();
    // `Age` by itself is the head of a column.
    let told = last == "aged" || ["at age", "the age of"].iter().any(|lead| before.ends_with(lead));
    let counted = matches!(digits(last.bytes()), 1..=3) && digits(last.bytes()) == last.len();
    counted && listed!(first, "year years yr yrs yo y/o yom yof") || told && matches!(digits(after.bytes()), 1..=3)
}

/// `44 Maple⏎Street`, `44⏎Maple Street`, `PO Box⏎4471`, `Peoria, IL⏎61602`, `Peoria,⏎IL 61602`.
fn is_address(before: &str, after: &str) -> bool {
    let is = |word: &str, flags: WordFlags| Lexicon::shared().word(word).is_any(flags);
    let is_state = |word: &str| {
        let word = word.trim_end_matches([',', '.']);
        word.len() == 2
            && word.bytes().all(|letter| letter.is_ascii_uppercase())
            && is(word, WordFlags::STATE_ABBREVIATION)
    };
    let is_street = |word: &str| {
        is(word.trim_end_matches([',', '.', ';']), WordFlags::STREET_SUFFIX) && word.starts_with(char::is_uppercase)
    };
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    let is_house = |word: &str| (1..=5).contains(&digits(word.bytes())) && digits(word.bytes()) == word.len();
    let last = before.rsplit([' ', '\t']).next().unwrap_or_default();
    let mut words = after.split([' ', '\t']);
    let first = words.next().unwrap_or_default();
    let code = digits(after.bytes()) == 5;
    let house_before = || before.rsplit([' ', '\t']).skip(1).take(3).any(is_house);
    code && is_state(last)
        || is_state(first) && words.clone().next().is_some_and(|next| digits(next.bytes()) == 5) && is_name(last)
        || is_street(first) && is_name(last) && house_before()
        || is_house(last) && is_name(first) && words.take(2).any(is_street)
        || listed!(last, "box") && is_house(first.trim_end_matches([',', '.']))
}

/// A text without the marks that it begins with.
fn bare(text: &str) -> &str {
    text.trim_start_matches(|mark: char| !mark.is_alphanumeric())
}

/// How many digits come first.
fn digits(bytes: impl Iterator<Item = u8>) -> usize {
    bytes.take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_in_the_next_line_is_read_on() {
        for (before, after) in [
            ("call 617-555-", "0134 today"),
            ("call 617-", "555-0134"),
            ("call 617", "-555-0134"),
            ("seen 3/14/", "2019 at"),
        ] {
            assert_eq!(joint(before, after), Some(Joint::Word), "{before} | {after}");
        }
        for (before, after) in [
            ("call (617)", "555-0134"),
            ("call 617 555", "0134"),
            ("SSN 123 45", "6789"),
            ("since September", "9, 2020"),
            ("a 91", "year old man"),
            ("died aged", "93"),
            ("since September 9,", "2020."),
            ("(8th of", "January 2014)"),
            ("date:January", "8, 2014"),
            ("since 9", "September 2020"),
            ("lives at 44 Maple", "Street, with"),
            ("lives at 44", "Maple Street"),
            ("to PO Box", "4471."),
            ("Peoria, IL", "61602"),
            ("of Peoria,", "IL 61602"),
        ] {
            assert_eq!(joint(before, after), Some(Joint::Phrase), "{before} | {after}");
        }
        for (before, after) in [
            ("Na 140", "4.2 potassium"),
            ("weight 82", "1. rest"),
            ("she may", "5 mg"),
            ("on the Street", "44"),
            ("Take 1st", "May repeat once"),
            ("18 years of age", "2. Asthma"),
            ("in OR", "6 am"),
            ("", ""),
        ] {
            assert_eq!(joint(before, after), None, "{before} | {after}");
        }
    }
}
