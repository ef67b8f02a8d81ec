//! Streets by their bare name, and inns by their number: `lives on Maple`, `the CVS on Elm`, `stays at the Motel 6`.
//!
//! ```text
//! lives on Maple, house off Oak     one of the names that streets of any town have, behind a home, a shop or someone who lives there
//! lives on Ensure, the leads on Main ward      other things
//! Smiths on 45th       a number higher than any day of a month has, behind what stands there
//! ```

use std::sync::LazyLock;

use regex::Regex;

use super::context::first_word;
use super::findings::Findings;
use super::survey::Survey;
use super::topics::Topics;
use super::{captures_in, expression};
use crate::detect::listed::listed;
use crate::phi::{Class, Kind, Label};

/// A home, a shop or a life there, `on` or `off`, and one of the commonest names of streets.
static STREETS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:liv(?:es?|ed|ing)|resid(?:es?|ing)|stay(?:s|ed|ing)?|house|home|apt|apartment|condo|trailer|duplex|store|shop|pharmacy|clinic|office|shelter|church|school|bar|corner|station|cvs|walgreens|rite aid|walmart|target|kroger|safeway|costco|mcdonald's)\s(?:on|off)\s((?-i:Main|Elm|Oak|Maple|Cedar|Pine|Walnut|Chestnut|Spruce|Birch|Willow|Poplar|Sycamore|Hickory|Magnolia|Locust|Cherry|Washington|Lincoln|Jefferson|Jackson|Madison|Monroe|Adams|Franklin|Broadway|Church|Mill|High|Market|State|Union|Prospect|Highland|Ridge|Spring|Water|Grand|River))\b",
    )
});
/// A street by a number that no day has, with what stands there before it.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b([a-z']{3,})\s(?:on|off)\s((?:3[2-9]|[4-9][0-9]|1[0-9]{2})(?:st|nd|rd|th))(?:$|[,.;)\n]|\s\s|\s(?:and|near|by)\s)",
    )
});
/// Inns that are called by a number.
static INNS: LazyLock<Regex> = LazyLock::new(|| expression(r"\b(?:motel 6|super 8|studio 6)\b"));

/// Those that say what the next word is like as well.
const ALSO_WORDS: &str = "high state spring water grand union market prospect cherry main mill";
/// What may follow them where they are streets.
const BEHIND: &str = "with w in by near and at since alone for but who which where across from next behind today now until till when after \
                      before because is was";

const LANDMARK: Class = Class { label: Label::LocationOther, kind: Kind::LocationLandmark };

/// Adds such streets and inns.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.topics.has(Topics::LONE_STREETS) {
        streets(sentence, survey, findings);
    }
    if survey.topics.has(Topics::INNS) {
        for inn in INNS.find_iter(sentence) {
            let capital = inn.as_str().starts_with(|c: char| c.is_ascii_uppercase());
            let motel = inn.as_str().starts_with(['m', 'M']);
            if (capital || motel) && !findings.covers(&inn.range()) {
                findings.add(inn.range(), LANDMARK, 0.75);
            }
        }
    }
}

fn streets(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let mut leads = sentence.match_indices(" on ").chain(sentence.match_indices(" off "));
    if leads.any(|(at, lead)| sentence[at + lead.len()..].starts_with(|c: char| c.is_ascii_uppercase())) {
        for captures in captures_in(&STREETS, sentence) {
            let Some(name) = captures.get(1) else { continue };
            if !goes_on(name.as_str(), &sentence[name.end()..]) && !findings.covers(&name.range()) {
                findings.add(name.range(), Label::Street, 0.65);
            }
        }
    }
    let mut leads = sentence.match_indices(" on ").chain(sentence.match_indices(" off "));
    if survey.digits > 0 && leads.any(|(at, lead)| is_ordinal(&sentence[at + lead.len()..])) {
        numbered(sentence, findings);
    }
}

/// Whether a text begins with digits and a small letter of an ordinal behind them: `45th`.
fn is_ordinal(text: &str) -> bool {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    text.len() >= behind.len() + 2 && behind.starts_with(['s', 'n', 'r', 't'])
}

/// `Smiths on 45th`, `lives off 132nd`, but no place of a curve of growth: `Wt on 45th`.
fn numbered(sentence: &str, findings: &mut Findings) {
    for captures in captures_in(&NUMBERED, sentence) {
        let (Some(lead), Some(street)) = (captures.get(1), captures.get(2)) else { continue };
        let there = lead.as_str().starts_with(|c: char| c.is_ascii_uppercase())
            || listed!(
                lead.as_str(),
                "lives live lived living house home apt apartment store shop pharmacy corner stop"
            );
        let curve = sentence.split(|c: char| !c.is_ascii_alphabetic()).any(|word| {
            listed!(word, "percentile percentiles ile tile growth curve weight wt height length ht hc bmi plot plots plotting plotted tracks tracking \
                 tracked follows following")
        });
        if there && !curve && !findings.covers(&street.range()) {
            findings.add(street.range(), Label::Street, 0.6);
        }
    }
}

/// Whether a name has more words or is a part of one: `Main ward`, `High Street`, `State-run`, `High flow oxygen`.
fn goes_on(name: &str, rest: &str) -> bool {
    let next = rest.strip_prefix(' ').unwrap_or_default();
    let capital = next.starts_with(|c: char| c.is_uppercase());
    let thing =
        ["ward", "unit", "floor", "campus", "hall", "aid", "disability", "ave", "street", "dose", "shift", "story"];
    let word = first_word(next);
    let told = !word.is_empty() && listed!(name, ALSO_WORDS) && !listed!(word, BEHIND);
    rest.starts_with(['-', '/', '\'', '’']) || capital || told || thing.iter().any(|word| next.starts_with(word))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn places(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Street, Label::LocationOther])
    }

    #[test]
    fn streets_and_inns() {
        for (sentence, place) in [
            ("lives on Maple with her aunt", "Maple"),
            ("their house off Oak burned down", "Oak"),
            ("e-prescribed to the CVS on Elm.", "Elm"),
            ("stays at the Motel 6 by the mall", "Motel 6"),
            ("found at Super 8 by a maid", "Super 8"),
            ("an apartment on High by the school", "High"),
            ("Pharmacy: Smiths on 45th     Referred by: friend", "45th"),
            ("lives off 132nd, second house", "132nd"),
        ] {
            assert_eq!(places(sentence), [place], "{sentence}");
        }
    }

    #[test]
    fn what_is_neither() {
        for sentence in [
            "lives on Ensure and soup",
            "stays on Main ward",
            "home on High dose steroids",
            "discharged home on High flow oxygen",
            "living on State benefits",
            "home on Cherry cough drops",
            "living on State disability",
            "a super 8 hours of sleep",
            "put the pads on Maple syrup",
            "Wt on 45th, HC on 60th",
            "Tracking on 50th.",
            "Plotting on 75th, good",
            "Seen on 5th, back on 12th",
            "Died on 45th day of stay",
        ] {
            assert_eq!(places(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
