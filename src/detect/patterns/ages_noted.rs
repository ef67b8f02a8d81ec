//! Ages as notes jot them down: `"kai" 58m  full code`, `TEXT: 92M.`, `(91, 48 kg)`, `maybe ninety odd`.
//!
//! Each asks for a frame that amounts have not: a name or quote before a sex in small letters, a weight after a comma.

use std::ops::Range;

use super::ages::number_words;
use super::context::{Cursor, byte_at, byte_before, first_run, offset_in, word_after, word_before};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};

/// Whether the number at `range` is jotted down as an age.
pub(super) fn tells(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    value > 0
        && match byte_at(sentence, range.end) {
            b'm' | b'f' => before_small_sex(sentence, range),
            b'M' | b'F' => before_closing_sex(sentence, range, value),
            b',' => before_weight(sentence, range, value) || opens_a_story(sentence, range, value),
            b'"' => is_quoted(sentence, range, value),
            b' ' => {
                between_sex_and_birth(sentence, range)
                    || of_oneself(sentence, range, value)
                    || after_birth(sentence, range)
            }
            _ => after_birth(sentence, range),
        }
}

/// `"kai" 58m   full code`, `kowalski 71m s/p`, `66f pmh copd` at the head of a line.
fn before_small_sex(sentence: &str, range: &Range<usize>) -> bool {
    let rest = &sentence[range.end + 1..];
    if rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | '\'')) {
        return false;
    }
    // `6m walk 12 s`, `6m came back negative`: meters and months.
    let grown = || sentence.get(range.clone()).and_then(|age| age.parse().ok()).is_some_and(|age: u32| age > 12);
    let told = rest.starts_with("  ")
        || rest.trim_start().is_empty()
        || rest.starts_with('\n')
        || {
            let next = word_after(sentence, range.end + 1);
            listed!(
                next,
                "s/p w/ with pmh pmhx hx h/o c/o p/w full dnr here who admitted adm presents presented presenting ex known lives \
             from post hd in esrd copd chf dm htn cad sob fall cp"
            ) || grown() && listed!(next, "walks came comes brought biba bib biems fell found transferred")
        };
    let head = sentence[..range.start].trim_end_matches(' ');
    let quoted = head.ends_with(['"', '”', '\'']);
    let opens = head.is_empty() || head.ends_with(['\n', '|']);
    let before = word_before(sentence, range.start);
    let info = Lexicon::shared().word(before);
    let other = WordFlags::MEDICAL.union(WordFlags::DRUG).union(WordFlags::EPONYM).union(WordFlags::ENGLISH);
    let named = before.len() > 2
        && byte_before(sentence, range.start) == b' '
        && info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME))
        && !info.is_any(other);
    let introduced = listed!(before, "pt patient y/o is a this");
    told && (quoted || opens || named || introduced)
}

/// `TEXT: 92M. MAR 2025`: after a heading, before a full stop; no temperature.
fn before_closing_sex(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let rest = &sentence[range.end..];
    let fever = rest.starts_with('F') && (94..=107).contains(&value);
    let head = sentence[..range.start].trim_end_matches(' ');
    let ends = rest[1..].strip_prefix('.').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\n']));
    ends && !fever && (head.is_empty() || head.ends_with(['\n', ':']))
}

/// `(91, 48 kg)`, `(79, 55kg, Cr 130)`, `84, 58 kg, Cr 1.0` at the beginning of a sentence.
fn before_weight(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let rest = sentence[range.end + 1..].trim_start_matches(' ');
    let weight = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let unit = weight.trim_start_matches(' ');
    (byte_before(sentence, range.start) == b'(' || begins_sentence(sentence, range.start))
        && value > 12
        && weight.len() < rest.len()
        && (unit.starts_with("kg") || unit.starts_with("lb"))
}

/// Whether a sentence or a line begins at a place: after a full stop that ends a word.
fn begins_sentence(sentence: &str, at: usize) -> bool {
    let head = &sentence[..at];
    let stop = head.trim_end_matches(' ').strip_suffix('.').filter(|_| head.ends_with(' '));
    head.is_empty()
        || head.ends_with('\n')
        || stop.is_some_and(|word| word.bytes().rev().take_while(u8::is_ascii_alphabetic).count() > 3)
}

/// `seen. 63, adm 1/31 COPD`: the first word of what is told, before how somebody came.
fn opens_a_story(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    (18..=110).contains(&value)
        && begins_sentence(sentence, range.start)
        && sentence[range.end..].starts_with(", ")
        && listed!(
            first_run(&sentence[range.end + 2..], |byte| byte.is_ascii_alphabetic() || *byte == b'/'),
            "adm admitted lives retired widowed married divorced p/w s/p c/o h/o presents presented presenting smoker nonsmoker \
             transferred ambulatory wheelchair"
        )
}

/// `states she is "maybe 31"`: the end of what somebody said of an age; inches have the same sign.
fn is_quoted(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let head = sentence[..range.start].trim_end_matches(' ');
    let about = ["maybe", "about", "around", "probably", "like", "almost", "over", "only", "just"];
    let bare = about.iter().find_map(|word| head.strip_suffix(word)).unwrap_or(head).trim_end_matches(' ');
    let Some(lead) = bare.strip_suffix('"').map(|lead| lead.trim_end_matches(' ')) else { return false };
    let verb = word_before(lead, lead.len());
    // `his pain is "8"`: of a person only.
    let of_person = || {
        listed!(
            word_before(lead, offset_in(lead, verb)),
            "he she they pt patient who mother mom father dad husband wife brother sister son daughter child baby"
        )
    };
    value > 2 && (listed!(verb, "am age aged she's he's turned") || listed!(verb, "is was be") && of_person())
}

/// `M 47  DOB 8-30-77`: between a sex and the field of the birth.
fn between_sex_and_birth(sentence: &str, range: &Range<usize>) -> bool {
    let rest = sentence[range.end..].trim_start_matches(' ').as_bytes();
    let sex = word_before(sentence, range.start);
    byte_before(sentence, range.start) == b' '
        && matches!(sex, "M" | "F")
        && rest.get(..3).is_some_and(|field| field.eq_ignore_ascii_case(b"dob") || field.eq_ignore_ascii_case(b"d.o"))
}

/// `DOB/Age : 02-NOV-1990 / 34`: the second of two values.
fn after_birth(sentence: &str, range: &Range<usize>) -> bool {
    let Some(head) = sentence[..range.start].strip_suffix("/ ") else { return false };
    let line = head.rsplit('\n').next().unwrap_or(head);
    head.ends_with(|c: char| c.is_ascii_digit() || c == ' ')
        && line.as_bytes().windows(3).any(|word| word.eq_ignore_ascii_case(b"dob"))
        && line.as_bytes().windows(3).any(|word| word.eq_ignore_ascii_case(b"age"))
}

/// `neighbour is 79 herself`, `his wife is 83 too`.
fn of_oneself(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    value > 12
        && listed!(word_after(sentence, range.end), "himself herself too")
        && byte_at(sentence, range.end + 1).is_ascii_alphabetic()
        && listed!(word_before(sentence, range.start), "is was now nearly almost turned be")
}

/// Whether the number in words at `range` is told as an age: `may be ninety odd`, `at ninety-two he`, `is eighty-something`.
pub(super) fn tells_in_words(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let next = word_after(sentence, range.end);
    let before = word_before(sentence, range.start);
    let joined = matches!(byte_at(sentence, range.end), b' ' | b'-' | b'\n');
    let about = value >= 20
        && joined
        && listed!(next, "odd something ish")
        && listed!(before, "is was be now turned she's he's over past nearly about");
    let at = value > 12
        && before.eq_ignore_ascii_case("at")
        && matches!(byte_at(sentence, range.end), b' ' | b'\n' | b',')
        && listed!(next, "he she they i her his");
    about || at
}

/// The ordinal in words that ends at `end` and its value: `ninety-second`, `eightieth`, before a birthday.
pub(super) fn ordinal_ending(sentence: &str, end: usize) -> Option<(Range<usize>, u32)> {
    const TENS: [&str; 8] =
        ["twentieth", "thirtieth", "fortieth", "fiftieth", "sixtieth", "seventieth", "eightieth", "ninetieth"];
    const UNITS: [&str; 19] = [
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
    ];
    let head = &sentence[..end];
    let word = head.rsplit(|c: char| !c.is_ascii_alphabetic()).next().filter(|word| word.len() > 4)?;
    let start = offset_in(sentence, word);
    let place = |list: &[&str]| list.iter().position(|name| name.eq_ignore_ascii_case(word));
    if let Some(tens) = place(&TENS) {
        return Some((start..end, 20 + 10 * tens as u32));
    }
    if word.eq_ignore_ascii_case("hundredth") {
        return Some((start..end, 100));
    }
    let units = 1 + place(&UNITS)? as u32;
    let lead = sentence[..start].trim_end_matches([' ', '-']);
    let tens = lead.rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let mut cursor = Cursor::new(tens, 0);
    match number_words(&mut cursor) {
        Some(value) if value >= 20 && value % 10 == 0 && units < 10 && start - lead.len() <= 1 => {
            Some((offset_in(sentence, tens)..end, value + units))
        }
        _ => Some((start..end, units)),
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn ages(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Age])
    }

    #[test]
    fn ages_that_are_jotted_down() {
        for (sentence, age) in [
            ("okafor \"bee\" 44f   dnr", "44"),
            ("okonkwo 71m s/p TKA", "71"),
            ("38f w/ abd pain", "38"),
            ("HX: 59M. Smoker.", "59"),
            ("dose adjusted (88, 51 kg)", "88"),
            ("no dose change. 84, 58 kg, Cr 1.0", "84"),
            ("chest tight. 63, adm for COPD", "63"),
            ("she says she is \"maybe 31\"", "31"),
            ("okonkwo 57m walks in w/ a friend", "57"),
            ("67m fell off ladder", "67"),
            ("thinks his wife is \"about 70\"", "70"),
            ("M 52  DOB 3-4-72", "52"),
            ("DOB/Age : 02-NOV-1980 / 44", "44"),
            ("the neighbour is 79 herself", "79"),
            ("mum is eighty odd and sharp", "eighty"),
            ("At eighty-one she still drives", "eighty-one"),
            ("her eightieth birthday", "eightieth"),
            ("his ninety-fifth birthday party", "ninety-fifth"),
            ("19yom fell", "19"),
            ("in service as a maid from 16.", "16"),
            ("mother died of a stroke at 7l; one sister", "7l"),
        ] {
            assert_eq!(ages(sentence), [age], "{sentence}");
        }
    }

    #[test]
    fn amounts_are_no_ages() {
        for sentence in [
            "moved 5m to the chair, walks 50m w/ frame",
            "waited 45m with no change",
            "the wound is \"about\" 31\" long",
            "his pain is \"8\" today",
            "6m walk 12 s",
            "10m walk test 14.2 s",
            "6m came back negative",
            "HR was up. 84, regular, then 90",
            "titrate to 63, admit if low",
            "tube 16f w/ balloon",
            "Temp: 101F. HR 88",
            "O2 at 6l, sat 94",
            "at twenty to nine",
        ] {
            assert_eq!(ages(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
