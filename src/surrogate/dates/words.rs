//! Words of dates that are not months, weekdays or seasons: those that a date keeps, and names that are misspelt.
//!
//! ```text
//! DOB, since, of, EST: kept     Febuary = February, Wendesday = Wednesday     Karen: none of a date, replaced
//! ```

use std::collections::HashSet;
use std::sync::LazyLock;

use super::calendar::{MONTHS, ROMAN, WEEKDAYS};
use super::holidays;
use super::lex::Class;
use crate::surrogate::casing::fold;

/// The shortest word that is read as a misspelt English month; `mat` may be `may`, `mar` or no month at all.
const SHORTEST: usize = 4;
/// The same of other languages, whose short months are near to many words.
const SHORTEST_ABROAD: usize = 5;
/// Weekdays are near to fewer words.
const SHORTEST_WEEKDAY: usize = 6;
/// From this length on two letters may be wrong.
const LONG: usize = 7;

/// Whether a folded word stands beside dates and tells nobody's.
pub(super) fn is_known(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let lines = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
        lines.flat_map(str::split_whitespace).map(fold).collect()
    });
    WORDS.contains(word) || holidays::is_name_of_one(word)
}

/// The month or weekday that a folded word is likely meant to be: its first letter is right, and one letter is wrong, or two in a
/// long word.
pub(super) fn misspelt(word: &str) -> Option<Class> {
    static NAMES: LazyLock<Vec<(Vec<char>, Class)>> = LazyLock::new(names);
    let word: Vec<char> = word.chars().collect();
    let near = NAMES.iter().filter_map(|(name, class)| {
        let length = word.len().min(name.len());
        let abroad = matches!(class, Class::Month(_, 1..));
        let most = if length >= LONG { 2 } else { 1 };
        let may_be = word.first() == name.first()
            && word.len() >= if abroad { SHORTEST_ABROAD } else { SHORTEST }
            && word.len().abs_diff(name.len()) <= most;
        may_be.then(|| (distance(&word, name), *class)).filter(|(wrong, _)| *wrong <= most)
    });
    near.min_by_key(|(wrong, _)| *wrong).map(|(_, class)| class)
}

fn names() -> Vec<(Vec<char>, Class)> {
    let mut names = Vec::with_capacity(300);
    let mut add = |name: &str, class: Class, shortest: usize| {
        let name: Vec<char> = fold(name).chars().collect();
        if name.len() >= shortest {
            names.push((name, class));
        }
    };
    for (row, months) in MONTHS.iter().enumerate().filter(|(row, _)| *row != ROMAN) {
        let shortest = if row == 0 { SHORTEST } else { SHORTEST_ABROAD };
        (1..).zip(months).for_each(|(month, name)| add(name, Class::Month(month, row), shortest));
    }
    WEEKDAYS[0].iter().enumerate().for_each(|(day, name)| add(name, Class::Weekday(day, 0), SHORTEST_WEEKDAY));
    names
}

/// How many letters are to be put in, taken out, changed or swapped with the next one to make one word of the other.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, letter) in left.iter().enumerate() {
        let mut next = vec![at + 1];
        for (place, other) in right.iter().enumerate() {
            let mut least = (row[place] + usize::from(letter != other)).min(row[place + 1] + 1).min(next[place] + 1);
            if at > 0 && place > 0 && left[at - 1] == *other && *letter == right[place - 1] {
                least = least.min(before[place - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_months_are_read() {
        for (word, month) in [
            ("febuary", 2),
            ("feburary", 2),
            ("agust", 8),
            ("augst", 8),
            ("decemeber", 12),
            ("novemeber", 11),
            ("setpember", 9),
            ("septmber", 9),
            ("janurary", 1),
            ("mach", 3),
            ("marchy", 3),
            ("jully", 7),
            ("septiembr", 9),
        ] {
            assert!(matches!(misspelt(word), Some(Class::Month(read, _)) if read == month), "{word}");
        }
        assert_eq!(misspelt("wendesday"), Some(Class::Weekday(2, 0)));
        for word in ["karen", "clinic", "mat", "me", "smith", "novel", "decide", "johnson"] {
            assert_eq!(misspelt(word), None, "{word}");
        }
    }

    #[test]
    fn letters_that_are_wrong_are_counted() {
        let between = |left: &str, right: &str| {
            let [left, right] = [left, right].map(|word| word.chars().collect::<Vec<_>>());
            distance(&left, &right)
        };
        assert_eq!(between("march", "march"), 0);
        assert_eq!(between("", "may"), 3);
        assert_eq!(between("mach", "march"), 1);
        assert_eq!(between("setpember", "september"), 1);
        assert_eq!(between("kitten", "sitting"), 3);
    }

    #[test]
    fn words_of_dates_are_known() {
        assert!(["dob", "since", "est", "christmas", "manana", "年", "года"].into_iter().all(is_known));
        assert!(!["karen", "mrn", "clinic", "martin", "patrick"].into_iter().any(is_known));
    }
}
