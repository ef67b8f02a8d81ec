//! Bars, diners and shops that are called by whoever keeps them: `burned at Lucille's`, `walk to Tony Packo's`, `the Byler harness shop`.
//!
//! ```text
//! fryer oil at Lucille's, TBSA 6      a name's possessive behind a preposition of place, and nothing behind it that it has
//! pain at Erb's point, at mom's       a term of medicine; no name
//! lives above the Vento's pizza place a trade behind the name
//! ```

use std::sync::LazyLock;

use regex::Regex;

use super::findings::Findings;
use super::survey::Survey;
use super::topics::Topics;
use super::{captures_in, expression};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// A preposition of place and a possessive of one or two words with capitals.
static KEEPERS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:at|to|from|into|outside|behind|near|above|below|over|opposite|by)\s(?:the\s)?((?-i:[A-Z][a-z]{2,}(?:\s[A-Z][a-z]{2,})?)(?u:['’])s(?:\s(?-i:Tap|Tavern|Bar|Grill|Diner|Pub|Cafe|Deli|Bakery|Kitchen|Place|Pizza|Market|Garage|Salon|Inn|Lounge))?)",
    )
});
/// What is traded or made at such a place.
const TRADES: &str = "shop|store|diner|bakery|tavern|pub|deli|pizzeria|barbershop|laundromat|brewery|winery|orchard|sawmill|quarry|dairy|creamery|cannery|foundry|hatchery|greenhouse|feedlot|junkyard|pawnshop|pizza place|body shop|grocery|hardware";
/// A name with a capital before a trade in small letters, with at most one word between.
static TRADED: LazyLock<Regex> = LazyLock::new(|| {
    expression(&format!(
        r"\b(?:the|at|for|from|owns?|runs?|above|behind|near|outside)\s(?:the\s)?((?-i:[A-Z][a-z]{{3,}})(?:(?u:['’])s)?\s(?:(?-i:[a-z]{{3,12}})\s)?(?-i:{TRADES}))\b"
    ))
});

/// What goes on behind the possessive and lets it stand for a place.
const BEHIND: &str =
    "and with w for on by in last when since every but or who where after before until till then while again this next";
/// Whose places are no such ones, and days.
const OTHERS: &str = "mom dad mum mama papa mother father grandma grandpa gran nana sister brother auntie aunt uncle son daughter wife \
                      husband patient doctor children women men veterans valentine mother's father's president presidents \
                      today yesterday tomorrow tonight everyone someone somebody anyone one god patients nurse friend neighbor";

/// Adds such places.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.has_mark(b'\'') || survey.beyond_ascii {
        for captures in captures_in(&KEEPERS, sentence) {
            let Some(place) = captures.get(1) else { continue };
            let rest = &sentence[place.end()..];
            let next = rest.strip_prefix(' ').map_or("", super::context::first_word);
            let ends =
                rest.trim_start().is_empty() || rest.starts_with([',', '.', ';', ')', '\n', ':', '-', '/', '!', '?']);
            let keeper = place.as_str().split(['\'', '’']).next().unwrap_or_default();
            if (ends || listed!(next, BEHIND)) && is_name(keeper) && !findings.covers(&place.range()) {
                findings.add(place.range(), Label::Organization, 0.6);
            }
        }
    }
    if !survey.topics.has(Topics::TRADES) {
        return;
    }
    for captures in captures_in(&TRADED, sentence) {
        let Some(shop) = captures.get(1) else { continue };
        let keeper = shop.as_str().split([' ', '\'', '’']).next().unwrap_or_default();
        if is_name(keeper) && !findings.covers(&shop.range()) {
            findings.add(shop.range(), Label::Organization, 0.6);
        }
    }
}

/// Whether words with capitals are what somebody is called, and mean nothing else.
fn is_name(words: &str) -> bool {
    const OTHER: WordFlags =
        WordFlags::MEDICAL.union(WordFlags::DRUG).union(WordFlags::CARE_ROLE).union(WordFlags::NATIONALITY);
    Lexicon::shared().eponym(words).is_none()
        && words.split(' ').all(|word| {
            let info = Lexicon::shared().word(word);
            let other =
                info.is_any(OTHER) || listed!(word, OTHERS) || info.english_size().is_some_and(|size| size <= 50);
            !other || info.given_count > 20_000
        })
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn places(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Organization])
    }

    #[test]
    fn places_called_by_their_keeper_are_found() {
        for (sentence, place) in [
            ("fryer oil at Lucille's, TBSA 6", "Lucille's"),
            ("Goal: walk to Tony Packo's by fall", "Tony Packo's"),
            ("drooled his beer at Finnegan's Tap", "Finnegan's Tap"),
            ("lives above the Vento's pizza place", "Vento's pizza place"),
            ("call the Byler harness shop and they run over", "Byler harness shop"),
            ("fell outside Romano’s and hit her head", "Romano’s"),
        ] {
            assert_eq!(places(sentence), [place], "{sentence}");
        }
    }

    #[test]
    fn terms_and_relatives_are_none() {
        for sentence in [
            "tender at McBurney's, no rebound",
            "pain at Erb's point",
            "stays at mom's on weekends",
            "seen at Women's and Children's",
            "to Today's visit",
            "due to Parkinson's, stable",
            "from Crohn's and colitis",
            "at Mother's, then home",
            "the Target store",
            "the Medical supply store",
        ] {
            assert_eq!(places(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
