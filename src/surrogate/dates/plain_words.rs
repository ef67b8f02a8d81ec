//! Words of plain English beside a date, which tell nobody and no day: they stay.
//!
//! ```text
//! mother 2019, labor since 3/4: they stay     Mother 2019, rose 3/4, bastille day 2019, labor7 3/4: other letters
//! ```

use super::lex::Token;
use crate::lexicon::{Lexicon, WordFlags};
use crate::surrogate::ids::{self, Family, turn_until};
use crate::surrogate::permutation::{Direction, Randomness};

/// The largest list of English words whose words stay: every dictionary has them.
const LARGEST_LIST: u8 = 35;
/// More bearers make a name of a word, however it is written: `rose`, but not `labor`.
const MOST_SURNAMES: u32 = 5_000;
const MOST_GIVEN_NAMES: u32 = 500;
/// What else a word may be that tells somebody or a place.
const NAMES: WordFlags = WordFlags::NICKNAME
    .union(WordFlags::CITY)
    .union(WordFlags::COUNTY)
    .union(WordFlags::STATE)
    .union(WordFlags::STATE_ABBREVIATION)
    .union(WordFlags::COUNTRY)
    .union(WordFlags::LANDMARK)
    .union(WordFlags::NATIONALITY)
    .union(WordFlags::HOSPITAL)
    .union(WordFlags::ORGANIZATION);

/// Words that tell a time of the year and are read as none.
const OF_THE_YEAR: [&str; 7] = ["carnival", "equinox", "fast", "harvest", "monsoon", "saint", "solstice"];
/// Words that dates keep and that make a day or a time of the year of other words: `bastille day`, `breast cancer month`.
const MAKE_A_DAY: [&str; 11] =
    ["day", "eve", "feast", "festival", "holiday", "holidays", "month", "night", "season", "week", "weekend"];

/// Whether words of a text may be the name of a day, so that none of them stays.
pub(super) fn may_name_a_day(value: &str, tokens: &[Token]) -> bool {
    tokens.iter().any(|token| MAKE_A_DAY.iter().any(|word| token.text(value).eq_ignore_ascii_case(word)))
}

/// What stands for a word that no date has, or for its surrogate; nothing where it stays.
pub(super) fn another_word(
    randomness: &Randomness,
    direction: Direction,
    value: &str,
    token: &Token,
    may_stay: bool,
) -> Option<String> {
    let written = token.text(value);
    let turned = |word: &str| ids::turn(randomness, direction, Family::Identifier, word);
    if !may_stay || !stands_alone(value, token) {
        return Some(turned(written));
    }
    // No other word becomes one that stays.
    (!is_plain(written)).then(|| turn_until(written, turned, |image| !is_plain(image)))
}

/// Whether a word in small letters is a common one of English that is no usual name, and tells no time of the year.
fn is_plain(word: &str) -> bool {
    let is_small = word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_small || OF_THE_YEAR.contains(&word) || word.ends_with("ieth") {
        return false;
    }
    let info = Lexicon::shared().word(word);
    let is_name = info.surname_count > MOST_SURNAMES || info.given_count > MOST_GIVEN_NAMES || info.is_any(NAMES);
    info.english_size().is_some_and(|size| size <= LARGEST_LIST) && !is_name
}

/// Whether a word is no part of a code or an address: blanks, brackets and the marks of sentences stand beside it.
fn stands_alone(value: &str, token: &Token) -> bool {
    let is_beside = |mark: char| mark.is_whitespace() || ",;:()[]\"'’".contains(mark);
    let before = value.get(..token.start).and_then(|before| before.chars().next_back());
    let mut behind = value.get(token.end..).unwrap_or_default().chars();
    let next = behind.next();
    let next = if next == Some('.') { behind.next() } else { next };
    before.is_none_or(is_beside) && next.is_none_or(is_beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_are_told_from_names_and_from_words_for_a_time_of_the_year() {
        for word in ["mother", "father", "labor", "daughter", "fracture", "relapse"] {
            assert!(is_plain(word), "{word}");
        }
        for word in
            ["Mother", "MOTHER", "karen", "rose", "mark", "hope", "martin", "harvest", "fortieth", "xqzzt", "m", ""]
        {
            assert!(!is_plain(word), "{word}");
        }
    }
}
