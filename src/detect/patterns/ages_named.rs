//! Ages behind a person: `P. Oduya, 47, auction ringman`, `Jane Doe, 84, MRN`, `Mrs. Best-Okonkwo (44, paralegal)`, `Jaxon (3)`,
//! `Brar, 7 yr, ALL`, `OKAFOR, GRACE  92  ROOM 4`, `Mr. Anuntak is 54,`.
//!
//! A scale with its score (`Braden (16, moderate)`), a doctor's room and the rows of a list look the same, so the person must be told
//! by a title, an initial or a name that is common and nothing of medicine.

use std::ops::Range;

use super::ages_infant::ends_in_child;
use super::ages_lived::{ends_here, words_before};
use super::context::{byte_at, first_run, word_before};
use crate::detect::dictionary::is_credential;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};

const TITLES: &str = "mr mrs ms miss mx mme mdm madam";
/// People who are called by no name, before a comma and an age: `WF, 66, retired`, `Pronounced, 87,`.
const UNNAMED: &str =
    "pt patient client wf wm bf bm hf lady man woman male female gentleman widow widower pronounced deceased decedent";
/// What a patient is called before the name.
const CALLED: &str = "pt patient pupil student client resident name mr mrs ms miss mx";
/// Likewise a child.
const CHILDREN: &str = "child baby infant newborn neonate toddler twin triplet boy girl son daughter";
/// What a patient does, or is, right behind an age.
const STORIES: &str = "lives returns presents presenting presented here w w/ with who is was has had admitted adm seen found walked walks \
                       came comes brought biba bib fell reports states denies c/o s/p hx pmh man woman male female lady gentleman from";
/// What goes on from a number that is a measure, or is counted: `pt Diaz 97 on`, `Mr. Diaz 85 systolic`.
const NO_STORIES: &str =
    "on at over by of and or to in sat sats systolic diastolic respirations reps caps ct refill refills dollars";
/// What a name with a number behind it is whose number is a place: `Dr. Lee, 12,`.
const PLACED: &str = "dr room rm suite doctor drs prof nurse";
/// Scales that are called by a name, with their scores in brackets.
const SCALES: &str = "wong baker glasgow rankin fagerstrom braden morse norton barthel katz bayley lawton lansky conners vineland \
                      hester fugl murley hugger saint";
/// Two names of a thing, behind which a number is none of a patient.
const PAIRED: &str = "jackson-pratt stevens-johnson zollinger-ellison paget-schroetter woodcock-johnson harris-benedict austin-moore \
                      salem-sump duffy-kell johnson-johnson";
/// Capitals of no more letters, nobody's name, are an abbreviation.
const ABBREVIATED: usize = 4;
/// A name that fewer bear is more often an abbreviation, where it is written like one.
const BORNE: u32 = 2_000;
/// A given name that so many bear is one, though it is a word as well: `Maria`.
const WELL_KNOWN: u32 = 200_000;
/// The commonest words: the SCOWL list of 4,000.
const COMMONEST: u8 = 10;
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
            || behind_whole_name(sentence, range, value)
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
            || head.strip_suffix(',').is_some_and(ends_in_name)
            || person_ending(head).is_some_and(|person| person.is_whole()))
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
        || closes && value < 60 && ends_in_child(head)
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

/// `Pt Opal Hensley 91 lives`, `Pt: Ivo Nyquist  68   Order`, `DOE-WARD, DALIA / 46 /`, `Marcellus P. 38 returns`: right behind a whole
/// name, before what a patient does, a mark or a sex.
fn behind_whole_name(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let head = sentence[..range.start].trim_end_matches([' ', '~']);
    let about = ["approx", "approx.", "approximately", "about"].iter().find_map(|about| head.strip_suffix(about));
    let head = without_nickname(about.unwrap_or(head).trim_end_matches([' ', ',', '/']));
    if !(1..=110).contains(&value) || head.len() == range.start {
        return false;
    }
    let Some(person) = person_ending(head).filter(|_| !ends_in_paired_names(head)) else { return false };
    // A child is called by no ordinary word.
    let called = person.called && if person.child { person.sure > 0 } else { person.known > 0 };
    if !(called || person.is_whole() && value > 12) {
        return false;
    }
    let rest = &sentence[range.end..];
    let behind = rest.strip_prefix(' ').unwrap_or_default();
    let next = first_run(behind, |byte| byte.is_ascii_alphabetic() || *byte == b'/');
    let marks = [" - ", " – ", " / ", " | "];
    // `Name Skov, Inger 2. DOB`: the number of the next field.
    let numbered = value < 10 && rest.strip_prefix(". ").is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let goes_on = marks.iter().any(|mark| rest.starts_with(mark))
        || called && rest.starts_with("  ")
        || rest.starts_with(". ") && !numbered;
    let stories = next.starts_with(|c: char| c.is_ascii_lowercase())
        && (listed!(next, STORIES) || called && value > 17 && !listed!(next, NO_STORIES));
    // `Kealoha, Puanani 49 SICU-09`, but `49 NW Elm`
    let shouted = next.len() > 2
        && value > 12
        && next.bytes().all(|byte| byte.is_ascii_uppercase())
        && head.bytes().any(|byte| byte.is_ascii_lowercase())
        && !Lexicon::shared().word(next).is(WordFlags::DIRECTION);
    ends_here(sentence, range.end) && !numbered || goes_on || stories || shouted || matches!(next, "M" | "F")
}

/// A text without the nickname that it ends in: `Featherstone, Prudence / "Pru"`.
fn without_nickname(head: &str) -> &str {
    let nickname = head.strip_suffix('"').and_then(|head| head.rsplit_once('"'));
    match nickname {
        Some((before, name)) if name.len() < 16 && name.starts_with(char::is_uppercase) && before.contains(' ') => {
            before.trim_end_matches([' ', ',', '/'])
        }
        _ => head,
    }
}

/// Whether a text ends in two names that stand for a thing: `Jackson Pratt 30. Penrose out`, `Stevens Johnson 30. BSA`.
fn ends_in_paired_names(head: &str) -> bool {
    let mut words = words_before(head, head.len());
    let (Some(last), Some(first)) = (words.next(), words.next()) else { return false };
    listed!(&format!("{first}-{last}"), PAIRED)
}

/// A person in whose names a text ends, back to a word for a patient or to where a line, a sentence or a column begins.
#[derive(Default)]
struct Person {
    /// Whether a word for a patient or a child is before the names.
    called: bool,
    /// Whether it is one for a child.
    child: bool,
    /// How many names there are, initials among them.
    names: usize,
    /// How many of them are known as names.
    known: usize,
    /// How many of these are no ordinary words as well.
    sure: usize,
    /// How many of them are ordinary words, or of medicine.
    plain: usize,
    /// How many are written in capitals, and how many in small letters.
    shouted: usize,
    small: usize,
    /// Whether a comma stands among them.
    comma: bool,
}

impl Person {
    /// Whether there are two names at least, none of which is likely to be anything else.
    const fn is_whole(&self) -> bool {
        let mixed = self.shouted > 0 && self.small > 0 && !self.comma;
        self.names > 1 && self.known > 0 && (self.called || self.plain == 0 && self.sure > 0 && !mixed)
    }

    /// Takes in one more name, the nearest first; whether it is one.
    fn takes(&mut self, word: &str) -> bool {
        let letters = word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'));
        let info = Lexicon::shared().word(word);
        let named = info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME));
        let other = listed!(word, PLACED) || listed!(word, DAYS) || listed!(word, SCALES) || is_credential(word);
        let medical = info.is_any(WordFlags::MEDICAL.union(WordFlags::EPONYM)) && !info.is(WordFlags::GIVEN_NAME);
        let initial = word.chars().count() == 1;
        // `DOL 41`, `EDW 71`, `QOL 44`
        let shouted = !initial && !word.contains(char::is_lowercase);
        let borne = info.surname_count.max(info.given_count) >= BORNE;
        let abbreviated = shouted && !borne && word.len() <= ABBREVIATED;
        let of_grammar = !borne && info.english_size().is_some_and(|size| size <= COMMONEST);
        if !letters
            || !word.starts_with(char::is_uppercase)
            || self.names > 3
            || !initial && (other || of_grammar || info.is(WordFlags::DRUG) || medical && !named)
            || self.names == 0 && abbreviated
        {
            return false;
        }
        self.names += 1;
        let known = !initial && named && !medical;
        self.known += usize::from(known);
        self.sure += usize::from(known && (!info.is(WordFlags::ENGLISH) || info.given_count >= WELL_KNOWN));
        // `APACHE II` is none, as `Rey AVLT` is: capitals and small letters are not mixed in a name but before a comma.
        let numeral = listed!(word, "ii iii iv");
        let ordinary = medical || abbreviated || numeral || !named && info.is(WordFlags::ENGLISH);
        self.plain += usize::from(!initial && ordinary);
        self.shouted += usize::from(shouted);
        self.small += usize::from(!initial && !shouted);
        true
    }
}

/// The person in whose names a text ends.
fn person_ending(head: &str) -> Option<Person> {
    let mut person = Person::default();
    let mut rest = head;
    let mut field = false;
    loop {
        let start = rest.rfind([' ', '\n', '|', '(', ';', '>', ':', '"']).map_or(0, |at| at + 1);
        let word = rest[start..].trim_end_matches(',');
        let bare = word.trim_end_matches(['.', ')']);
        let before = &rest[..start];
        // `Choice PT, Whisper, Pilot 50`
        let parted = person.names > 0 && rest.ends_with(',');
        if !parted && (listed!(bare, CALLED) || listed!(bare, CHILDREN)) {
            (person.called, person.child) = (true, listed!(bare, CHILDREN));
            return (person.names > 0).then_some(person);
        }
        // The last word of a sentence, and the number of an entry of a list.
        let closes = word.len() > bare.len() && bare.chars().count() > 1 && !listed!(bare, PLACED);
        let numbered = bare.len() < 3
            && bare.bytes().all(|byte| byte.is_ascii_digit())
            && (before.is_empty() || before.ends_with('\n'));
        if person.names > 0 && !field && (closes || numbered) {
            return Some(person);
        }
        if field || !person.takes(bare) {
            return None;
        }
        person.comma |= parted;
        let lead = before.trim_end_matches([' ', '"']);
        field = lead.ends_with(':');
        let opens = lead.is_empty() || before.ends_with("  ") || lead.ends_with(['\n', '|', '(', ';', '>']);
        if opens && !field {
            return Some(person);
        }
        rest = lead.trim_end_matches(':');
    }
}

/// Whether a text ends in a child that is called one, and by name: `Child: Maksym`, `Twin B`.
pub(super) fn ends_in_named_child(head: &str) -> bool {
    person_ending(head).is_some_and(|person| person.child && person.plain < person.names)
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

/// The word that a text ends in.
pub(super) fn last_word(text: &str) -> &str {
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
            ("Pt Opal Mae Hensley 91 lives w/ a son", "91"),
            ("Pt: Maria Nyquist  68   Order: cane", "68"),
            ("Mr. Earl Dean Petrov  66  ECOG 1", "66"),
            ("pt Ricky Petrov, 58 welder, drove himself", "58"),
            ("Marcus P. 38 returns for labs", "38"),
            ("1 Maria X. 44 - BP 171/99", "44"),
            ("PETROV-REED, MARIA / 46 / scope in", "46"),
            ("Pt Petrov, Maria approx 40 F  in bed", "40"),
            ("watcher. Petrov, Maria 49 SICU-09", "49"),
            ("#19 8 mm. Maria Petrov 17 y, stable", "17"),
            ("children at home, Keoni (4) & two dogs", "4"),
            ("Pt, 24, presented w/ injury", "24"),
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
            "Dr. Maria Petrov 45 min visit",
            "seen by Maria Petrov 45 - see note",
            "Maria Petrov RN 45 - see note",
            "worked at Wells Fargo 20 y, retired",
            "Maria Petrov 49 Elm St",
            "pt Petrov 40 mg given",
            "Morse Fall 45, Braden 16",
            "Jackson Pratt 30. Penrose out",
            "Bair Hugger 38. Temp up",
            "Woodcock Johnson 88. Reading low",
            "Follow-up Care 20 - scheduled",
            "Pt Petrov 97 on RA",
            "Mr. Petrov 85 systolic",
            "pt Petrov 90 refills",
            "APACHE II 24, SOFA 11",
            "Rey AVLT 31.",
            "Infant Petrov, DOL 41, direct bili 6.1",
            "Choice PT, Whisper, Pilot 50, Gaia 2",
            "1. Name Petrov, Inger 2. DOB unknown",
            "children: Prednisone (4) given",
        ] {
            assert_eq!(found(sentence, &[Label::Age]), [] as [&str; 0], "{sentence}");
        }
    }
}
