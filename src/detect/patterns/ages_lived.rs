//! Ages that the story of a life tells: `Penicillin till 18`, `raised her from 6 until`, `a runner of 52`, `I'm 68`,
//! `She is a weaver, left-handed, 41, who`.
//!
//! None of these has a unit, and each asks for a person, a span of years or a column around the number.

use crate::detect::listed::listed;
use std::ops::Range;

use super::context::{byte_at, byte_before, word_before};
use crate::lexicon::{Lexicon, WordFlags};

/// People by what they are or do, before `of` and an age; words in `er` and `ist` count too.
const PEOPLE: &str = "man woman boy girl lad lass gentleman lady person athlete child youth teen adult widow widower \
                      patient primigravida multip chap fellow student nurse chef cook cyclist sprinter veteran \
                      schoolboy schoolgirl housewife retiree pensioner male female";
/// Words in `er` that are no people.
const NO_PEOPLE: &str = "number fever power marker center centre danger order cluster after over under either other \
                         diameter another master buffer filter cancer bladder ulcer layer timer catheter taper \
                         transfer remainder quarter offer her factor monitor finger shoulder sister brother";
/// What lasts from or until an age.
const LASTING: &str = "raised raise raising lived lives fostered foster wore braces deaf blind smoked smoker drank \
                       worked grew schooled breastfed nursed bedwetting enuresis stuttered stammered adopted served \
                       prophylaxis penicillin bicillin seizures asthma asthmatic diabetic epileptic diabetes \
                       vegetarian care custody homeschooled boarded swam danced played wet married orphan migraines \
                       therapy braced institutionalized mute kept mill maid weaver apprentice apprenticed service miner factory \
                       farm spinner pit snuff tobacco cigarettes dipped chewed";
/// What is told by the clock, so that no age follows `until`.
const BY_THE_CLOCK: &str = "npo hold open closed asleep awake sleep slept up tonight today am pm noon shift hours \
                            stay wait visiting nap naps morning evening night call page";

/// Whether the number at `range` is told as an age of a life.
pub(super) fn tells(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    value > 0
        && (of_person(sentence, range, value)
            || bounds_a_time(sentence, range, value)
            || said_of_one(sentence, range, value)
            || between_commas(sentence, range, value))
}

/// The words before a place, nearest first.
pub(super) fn words_before(sentence: &str, at: usize) -> impl Iterator<Item = &str> {
    let head = &sentence[..at];
    let start = head.rfind(['.', ';', '|', '!', '?']).map_or(0, |stop| stop + 1);
    head[start..].rsplit(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').filter(|word| !word.is_empty())
}

/// Whether nothing goes on after the number: a mark, a line end or the end.
pub(super) fn ends_here(sentence: &str, at: usize) -> bool {
    matches!(byte_at(sentence, at), b',' | b'.' | b';' | b')' | b'!' | b'?' | b'\n')
        && !byte_at(sentence, at + 1).is_ascii_digit()
        || sentence[at..].trim_end().is_empty()
}

/// `a woman of 98 years`: of a person, where `a smoker of 20 years` and `a patient of ten years` tell how long.
pub(super) fn of_one(sentence: &str, range: &Range<usize>) -> bool {
    let mut words = words_before(sentence, range.start);
    words.next().is_some_and(|of| of.eq_ignore_ascii_case("of"))
        && words.next().is_some_and(|noun| {
            listed!(noun, "man woman boy girl lad lass gentleman lady child widow widower male female")
        })
}

/// `a runner of 52`, `In a man of 58`.
fn of_person(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    if !word_before(sentence, range.start).eq_ignore_ascii_case("of") || byte_before(sentence, range.start) != b' ' {
        return false;
    }
    let mut words = words_before(sentence, range.start).skip(1);
    let Some(noun) = words.next() else { return false };
    let article = words.take(4).any(|word| listed!(word, "a an this the her his our"));
    let by_form = noun.len() > 4
        && value > 9
        && (noun.ends_with("er") || noun.ends_with("ist"))
        && !listed!(noun, NO_PEOPLE)
        && !Lexicon::shared().word(noun).is(WordFlags::MEDICAL);
    article && (listed!(noun, PEOPLE) || by_form)
}

/// `Penicillin till 18`, `raised her from 6 until`, `diabetic since 11`.
fn bounds_a_time(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let before = word_before(sentence, range.start);
    if !listed!(before, "till til until from since to") || byte_before(sentence, range.start) != b' ' {
        return false;
    }
    let rest = sentence[range.end..].trim_start();
    let next = &rest[..rest.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let goes_on = listed!(next, "until till til to when and then before after on while with");
    if !(ends_here(sentence, range.end) || goes_on) {
        return false;
    }
    let near = || words_before(sentence, range.start).skip(1).take(9);
    let lasting = near().any(|word| listed!(word, LASTING));
    let clock = near().any(|word| listed!(word, BY_THE_CLOCK));
    lasting && !clock
        || listed!(before, "till til until")
            && (13..=30).contains(&value)
            && !clock
            && ends_here(sentence, range.end)
            && near().any(|word| Lexicon::shared().word(word).is(WordFlags::DRUG) || listed!(word, "on"))
}

/// `I'm 68`, `She's 86!`, `pt is 47, lives`, `will be 65 next month`, `would have been 46`.
fn said_of_one(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    if byte_before(sentence, range.start) != b' ' || value < 3 {
        return false;
    }
    let rest = sentence[range.end..].trim_start();
    let next = &rest[..rest.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let goes_on = listed!(
        next,
        "and but now next soon this in who with today tomorrow i about abt lives living works working retired"
    ) && !rest.starts_with("and 1");
    if !(ends_here(sentence, range.end) || goes_on) {
        return false;
    }
    let mut words = words_before(sentence, range.start).peekable();
    while words.next_if(|word| listed!(word, "now only just already almost nearly about only still")).is_some() {}
    let Some(verb) = words.next() else { return false };
    if listed!(verb, "she's he's i'm im shes hes she’s he’s i’m") {
        return true;
    }
    let whole_life = value > 12;
    match () {
        () if verb.eq_ignore_ascii_case("be") => {
            let helper = words.next().unwrap_or_default();
            listed!(helper, "she'll he'll i'll")
                || listed!(helper, "will would") && whole_life && {
                    let person = words.next().unwrap_or_default();
                    person.is_empty()
                        || listed!(person, "she he i pt patient who")
                        || person.starts_with(char::is_uppercase)
                }
        }
        // `would of been 46`, `she'd have been 60`
        () if verb.eq_ignore_ascii_case("been") => {
            let helper = words.next().unwrap_or_default();
            let would = if listed!(helper, "have of") { words.next().unwrap_or_default() } else { helper };
            whole_life && listed!(would, "would would've he'd she'd i'd")
        }
        // `Pt is 11, asthma`
        () if verb.eq_ignore_ascii_case("is") && value > 4 && byte_at(sentence, range.end) == b',' && !whole_life => {
            listed!(words.next().unwrap_or_default(), "pt patient child she he")
        }
        () if listed!(verb, "is was am") => {
            let person = words.next().unwrap_or_default();
            listed!(person, "i she he pt patient husband wife mother father mom dad brother sister who") && whole_life
        }
        () => false,
    }
}

/// `She is a weaver, left-handed, 41, who` and `The victim, 17, was`.
fn between_commas(sentence: &str, range: &Range<usize>, value: u32) -> bool {
    let head = sentence[..range.start].trim_end_matches([' ', '\n']);
    if !head.ends_with(',') || range.start - head.len() > 2 || byte_at(sentence, range.end) != b',' || value < 13 {
        return false;
    }
    let mut words = words_before(sentence, range.start).take(14).peekable();
    let nearest = words.peek().copied().unwrap_or_default();
    if listed!(nearest, "pt victim client patient resident member mother father widow widower driver driver's caller") {
        return true;
    }
    // `boilermaker (retired), 71, was told`
    let lead = &head[..head.len() - 1];
    let named = lead.ends_with(|c: char| c.is_alphabetic() || c == '"');
    // `glucose (fasting), 98, was seen`
    let employed =
        lead.ends_with(')') && listed!(nearest, "retired disabled unemployed widowed widow married single divorced");
    let told = sentence[range.end + 1..].trim_start();
    let verbs = ["was told", "was seen", "was found", "was brought", "who lives", "presents with", "presented with"];
    if (named || employed) && verbs.iter().any(|verb| told.starts_with(verb)) {
        return true;
    }
    let digits = words_before(sentence, range.start).take(6).any(|word| word.bytes().any(|b| b.is_ascii_digit()));
    let mut verb = false;
    !digits
        && words.any(|word| {
            let found = verb && listed!(word, "she he who i patient pt");
            verb = listed!(word, "is was am");
            found
        })
}
