//! Names whose further words mean something else, told by the age behind or the nickname inside: `Delphine Iron Cloud, 26, firefighter`,
//! `Terrence "Terry" Maddox Fane`.

use std::sync::LazyLock;

use regex::Regex;

use crate::detect::listed::listed;
use crate::detect::patterns::ages::class;
use crate::detect::patterns::findings::Findings;
use crate::detect::patterns::survey::{Chain, Survey};
use crate::detect::patterns::{captures_in, expression};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// One word or more with capitals, then an age between commas, a race and a sex before it or not.
static AGED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b((?u-i:\p{Lu}\p{Ll}[\p{L}'’-]*)(?:\s(?u-i:\p{Lu}[\p{L}'’-]*\.?)){0,3}), ?(?:[wbhauo]/[mf], ?)?([1-9][0-9]?|1[01][0-9])(?:,|;| ?y\.?/?o\b| [mf]\b)",
    )
});
/// A given name, another one in quotation marks, one or two words with capitals.
static NICKNAMED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r#"\b((?u-i:\p{Lu}\p{Ll}[\p{L}'’-]*)\s(?u:["“(])(?u-i:\p{Lu}\p{Ll}[\p{L}'’. -]{0,14})(?u:["”)])\s(?u-i:\p{Lu}[\p{L}'’-]+)(?:\s(?u-i:\p{Lu}[\p{L}'’-]+))?)(?:[,.;:\n]|\s[a-z(]|$)"#,
    )
});
/// A given name is borne by so many; by so many where it stands alone.
const COMMON: u32 = 200;
const COMMON_ALONE: u32 = 2_000;

/// Adds them.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let aged = |chain: &Chain| chain.count == 1 && sentence[..chain.start].trim_end_matches(' ').ends_with(',');
    if survey.has_mark(b',') && survey.chains.iter().any(aged) {
        for captures in captures_in(&AGED, sentence) {
            let (Some(name), Some(age)) = (captures.get(1), captures.get(2)) else { continue };
            if is_name(name.as_str()) {
                findings.add(name.range(), Label::Patient, 0.75);
                if !findings.covers(&age.range()) {
                    findings.add(age.range(), class(age.as_str().parse().unwrap_or(0)), 0.75);
                }
            }
        }
    }
    if survey.has_mark(b'"') || survey.beyond_ascii || survey.has_mark(b'(') {
        for name in captures_in(&NICKNAMED, sentence).filter_map(|captures| captures.get(1)) {
            if is_name(name.as_str()) {
                findings.add(name.range(), Label::Patient, 0.75);
            }
        }
    }
}

/// Whether the first of some words is a given name and hardly another word, and none is one of medicine alone or of a place.
fn is_name(words: &str) -> bool {
    const OTHER: WordFlags = WordFlags::MEDICAL
        .union(WordFlags::DRUG)
        .union(WordFlags::ABBREVIATION)
        .union(WordFlags::HEADING)
        .union(WordFlags::CARE_ROLE)
        .union(WordFlags::EPONYM);
    let mut words = words.split([' ', '"', '“', '”', '(', ')']).filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return false };
    let given = Lexicon::shared().word(first);
    let alone = words.clone().next().is_none();
    let (bearers, common) = if alone { (COMMON_ALONE, 70) } else { (COMMON, 35) };
    let rare = given.english_size().is_none_or(|size| size > common) && !given.is_any(OTHER);
    given.given_count >= bearers
        && rare
        && given.population == 0
        && words.all(|word| {
            let info = Lexicon::shared().word(word);
            // `Iron` is a drug, and a word of names.
            let is_everyday = info.english_size().is_some_and(|size| size <= 35);
            let medical = info.is_any(OTHER) && info.surname_count < 1_000 && info.given_count < 1_000 && !is_everyday;
            !medical && !listed!(word, PLACES)
        })
}

/// What ends the names of places and bodies.
const PLACES: &str = "hospital clinic center centre county street avenue road lane drive unit ward school church university college company \
                      january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec \
                      monday tuesday wednesday thursday friday saturday sunday room bed floor suite apt";

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn names_to_their_end() {
        for (sentence, told) in [
            ("POV: Delphine Iron Cloud, 26, firefighter", &["Delphine Iron Cloud", "26"] as &[&str]),
            (
                "Decedent Terrence \"Terry\" Maddox Fane, W/M, 71, b. in Butte",
                &["Terrence \"Terry\" Maddox Fane", "71"],
            ),
            ("now 9. Aria, 5, was born the week", &["5"]),
            ("Seen in March Two Clinic, 26, again", &[]),
            ("Whipple Procedure, 26, done", &[]),
        ] {
            let found = found(sentence, &[Label::Patient, Label::Age]);
            assert!(told.iter().all(|value| found.contains(value)), "{sentence}: {found:?}");
            assert!(!told.is_empty() || !found.iter().any(|value| value.starts_with(char::is_uppercase)), "{sentence}");
        }
    }
}
