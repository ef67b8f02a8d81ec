//! Ages behind a person: `P. Oduya, 47, auction ringman`, `Jane Doe, 84, MRN`, `Mrs. Best-Okonkwo (44, paralegal)`, `Jaxon (3)`,
//! `Brar, 7 yr, ALL`, `OKAFOR, GRACE  92  ROOM 4`, `Mr. Anuntak is 54,`.
//!
//! A scale with its score (`Braden (16, moderate)`), a doctor's room and the rows of a list look the same, so the person must be told
//! by a title, an initial or a name that is common and nothing of medicine.

use std::ops::Range;

use super::ages_lived::ends_here;
use super::context::{byte_at, word_before};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};

const TITLES: &str = "mr mrs ms miss mx mme mdm madam";
/// People who are called by no name, before a comma and an age: `WF, 66, retired`, `Pronounced, 87,`.
const UNNAMED: &str = "wf wm bf bm hf lady man woman male female gentleman widow widower pronounced deceased decedent";
/// What a name with a number behind it is whose number is a place: `Dr. Lee, 12,`.
const PLACED: &str = "dr room rm suite doctor drs prof";
/// Scales that are called by a name, with their scores in brackets.
const SCALES: &str = "braden morse norton barthel katz bayley lawton lansky conners vineland";
const DAYS: &str = "january february march april may june july august september october november december jan feb mar apr jun jul aug \
                    sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday";

/// Whether the number at `range` stands behind a person as only an age does, whatever follows.
pub(super) fn tells(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    value > 0
        && (with_years(sentence, range) || before_small(sentence, range, value) || in_brackets(sentence, range, value))
}

/// Whether it stands behind a person, where nothing is counted by it.
pub(super) fn tells_uncounted(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    value > 0
        && (behind_comma(sentence, range, value)
            || in_column(sentence, range, value)
            || is_said_of_titled(sentence, range, value))
}

/// `Brar, 7 yr, ALL`, `pt Myeesha, 14 y, asthma`, `34yrs, okada rider`: years between a name and a comma.
fn with_years(sentence: &str, range: &Range<usize>) -> bool {
    let unit = sentence[range.end..].trim_start_matches(' ');
    let Some(rest) = ["yrs", "yr", "y", "years"].iter().find_map(|years| {
        unit.strip_prefix(years).filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/'))
    }) else {
        return false;
    };
    let closes = rest.starts_with([',', ';', ')']) || rest.starts_with(". ");
    let head = sentence[..range.start].trim_end_matches(' ');
    closes
        && (head.is_empty() && sentence[range.end..].starts_with('y')
            || head.strip_suffix(',').is_some_and(ends_in_name))
}

/// `P. Oduya, 47, auction ringman`, `Mrs Okonkwo, 44, here with`: between commas, before a small letter.
fn before_small(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let goes_on =
        sentence[range.end..].strip_prefix(", ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
    goes_on && value > 2 && sentence[..range.start].strip_suffix(", ").is_some_and(ends_in_person)
}

/// `Mrs. Best-Okonkwo (44, paralegal)`, `Olga Petrov (79) fell`, `Mark (63, Boise)`, `great-grandbaby Jaxon (3) and`.
fn in_brackets(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let Some(head) = sentence[..range.start].strip_suffix(" (") else { return false };
    let closes = byte_at(sentence, range.end) == b')';
    let goes_on = sentence[range.end..].strip_prefix(", ").is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    if !(closes || goes_on) {
        return false;
    }
    ends_in_person(head)
        || closes && value > 2 && ends_in_full_name(head)
        || ends_in_given_name(head, if closes { 5_000 } else { 1_000 }, closes)
}

/// `Jane Doe, 84, MRN` and `DOE, 84`: between commas or at the end.
fn behind_comma(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let head = sentence[..range.start].trim_end_matches([' ', '\n']);
    let Some(name) = head.strip_suffix(',').filter(|_| range.start - head.len() <= 1) else { return false };
    let closes = matches!(byte_at(sentence, range.end), b',' | b')' | b';' | b'.')
        || range.end == sentence.len()
        || sentence[range.end..].starts_with(" (");
    let name = name.trim_end_matches(',');
    let length = name.bytes().rev().take_while(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80).count();
    let Some(word) = name.get(name.len() - length..).filter(|_| closes) else { return false };
    if listed!(word, UNNAMED) {
        return true;
    }
    let info = Lexicon::shared().word(word);
    let other =
        WordFlags::MEDICAL.union(WordFlags::STREET_SUFFIX).union(WordFlags::STATE).union(WordFlags::STATE_ABBREVIATION);
    let written = word.starts_with(char::is_uppercase) && !listed!(word, DAYS) || !info.is(WordFlags::ENGLISH);
    word.len() >= 3
        && !listed!(word_before(sentence, name.len() - length), PLACED)
        && info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME))
        && !info.is_any(other)
        && written
        && (word.chars().any(char::is_lowercase) || value > 9)
}

/// `OKAFOR, GRACE  92  ROOM 4`: a column of its own after a name with its comma.
fn in_column(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let head = sentence[..range.start].trim_end_matches(' ');
    if range.start - head.len() < 2 || !sentence[range.end..].starts_with("  ") || value > 110 {
        return false;
    }
    let line = head.rsplit('\n').next().unwrap_or(head);
    let field = line.rsplit("  ").next().unwrap_or(line);
    let name = field.rsplit(':').next().unwrap_or(field);
    let mut words = name.split([' ', ',']);
    name.contains(',')
        && !name.bytes().any(|byte| byte.is_ascii_digit())
        && words.clone().filter(|word| word.len() > 1).all(|word| word.starts_with(char::is_uppercase))
        && words.any(is_name)
}

/// `Mr. Anuntak is 54, the only wage`: said of somebody with a title.
fn is_said_of_titled(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let head = sentence[..range.start].strip_suffix(' ').unwrap_or_default();
    let told = ["is", "was", "turned", "turns", "is now", "was then"].iter().find_map(|verb| head.strip_suffix(verb));
    let Some(head) = told.and_then(|head| head.strip_suffix(' ')) else { return false };
    let name = head.rsplit(' ').next().unwrap_or_default();
    let title = word_before(sentence, head.len() - name.len());
    value > 9 && name.starts_with(char::is_uppercase) && listed!(title, TITLES) && ends_here(sentence, range.end)
}

/// Whether a word is a name of persons and nothing of medicine.
fn is_name(word: &str) -> bool {
    let info = Lexicon::shared().word(word);
    info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME))
        && !info.is_any(WordFlags::MEDICAL.union(WordFlags::DRUG))
}

/// Whether a text ends in a word that is a name, or none that is known, and nothing of medicine.
fn ends_in_name(head: &str) -> bool {
    let word = last_word(head);
    let info = Lexicon::shared().word(word);
    word.len() > 1
        && word.starts_with(char::is_uppercase)
        && (info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME)) || info.flags.is_empty() && word.len() > 3)
        && !info.is_any(WordFlags::MEDICAL.union(WordFlags::DRUG).union(WordFlags::EPONYM))
}

/// Whether a text ends in a given name and a family name: `Olga Petrov`.
pub(super) fn ends_in_full_name(head: &str) -> bool {
    let last = last_word(head);
    let first = last_word(head[..head.len() - last.len()].trim_end());
    let capital = |word: &str| word.len() > 1 && word.starts_with(char::is_uppercase);
    capital(last)
        && capital(first)
        && is_name(last)
        && is_name(first)
        && Lexicon::shared().word(first).is(WordFlags::GIVEN_NAME)
}

/// Whether a text ends in a given name that at least so many bear and no scale has; a plain one is nothing else besides.
pub(super) fn ends_in_given_name(head: &str, least: u32, plain: bool) -> bool {
    let name = last_word(head);
    let info = Lexicon::shared().word(name);
    let other = WordFlags::EPONYM.union(WordFlags::MEDICAL).union(WordFlags::ENGLISH);
    name.len() > 2
        && name.starts_with(char::is_uppercase)
        && info.given_count >= least
        && !info.is(WordFlags::EPONYM)
        && !listed!(name, SCALES)
        && (!plain || name.chars().skip(1).all(char::is_lowercase) && !info.is_any(other))
}

/// Whether a text ends in a person told by a title, by an initial or by a given name before: `Mrs. Best-Okonkwo`, `P. Oduya`.
fn ends_in_person(head: &str) -> bool {
    let word = last_word(head);
    if word.len() < 2 || !word.starts_with(char::is_uppercase) {
        return false;
    }
    let mut before = head[..head.len() - word.len()].trim_end_matches(['-', ' ']);
    for _ in 0..3 {
        let bare = before.trim_end_matches('.');
        let previous = last_word(bare);
        let titled = listed!(previous, TITLES);
        let initial = previous.len() == 1 && before.ends_with('.') && previous.starts_with(char::is_uppercase);
        let given = Lexicon::shared().word(previous);
        let given = previous.starts_with(char::is_uppercase)
            && given.given_count >= 500
            && !given.is_any(WordFlags::MEDICAL.union(WordFlags::DRUG));
        if titled || (initial || given) && ends_in_name(head) {
            return true;
        }
        if !previous.starts_with(char::is_uppercase) {
            return false;
        }
        before = bare[..bare.len() - previous.len()].trim_end_matches(['-', ' ']);
    }
    false
}

fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| !c.is_alphabetic() && !matches!(c, '\'' | '’')).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn ages_behind_people() {
        for (sentence, age) in [
            ("Jaswant Singh Brar, 7 yr, ALL-HR", "7"),
            ("34yrs, okada rider from", "34"),
            ("P. Oduya, 47, auction ringman", "47"),
            ("Jane Okafor, 84, MRN 0012345", "84"),
            ("WF, 66, retired", "66"),
            ("Mrs. Best-Okonkwo (44, paralegal) here", "44"),
            ("Olga Petrov (79) fell", "79"),
            ("great-grandbaby Jaxon (3) was there", "3"),
            ("Hannah (12, in grade 6) helps", "12"),
            ("OKAFOR, GRACE  92  ROOM 4", "92"),
            ("Mr. Anuntak is 54, the only wage", "54"),
        ] {
            assert_eq!(found(sentence, &[Label::Age]), [age], "{sentence}");
        }
    }

    #[test]
    fn scores_rooms_and_days_behind_names() {
        for sentence in [
            "Wong-Baker (4, moderate)",
            "Braden (16, moderate)",
            "smoker, 20 yrs, quit",
            "weight gain (12, 8 in a week)",
            "seen by Dr. Lee, 12, for follow-up",
        ] {
            assert_eq!(found(sentence, &[Label::Age]), [] as [&str; 0], "{sentence}");
        }
    }
}
