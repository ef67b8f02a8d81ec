//! How far the name of a site or a body goes: over what kind it is, its number and its town.
//!
//! ```text
//! [Yakima] Pathology Assoc · [Mountain View] Elementary      what kind it is
//! [Elks Lodge] 335 · [Bartell Drugs] #47                     its number
//! [Saint Francis Hospital] Muskogee                          its town
//! ```

use crate::detect::listed::listed;
use crate::detect::patterns::context::first_word;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Kinds that only the last word of a name tells.
const KINDS: &str = "elementary intermediate magnet correctional radiology teleradiology pathology dermatology cardiology orthopedics orthopaedics \
                     pediatrics imaging rehab heart oncology nephrology gastroenterology neurology urology rheumatology assoc associates clinic \
                     dialysis hospice pharmacy academy lumber haven harbor pond";
/// What is said of a heart or after an image, and is no part of a name.
const SAID: &str = "rate rhythm failure sounds tones murmur disease attack regular rrr shows showed reveals negative positive exam consult consulted \
                    following report results notes recommended recommends referral healthy cath block visit ordered saw will";
/// Bodies that are told apart by a number.
const NUMBERED: &str = "lodge local post troop district station store ladder engine company chapter ibew ps squad";
/// What behind a number tells that it counts something.
const COUNTED: &str =
    "times days weeks months years hours minutes ago refills refill with of tabs tablets mg visits miles blocks people";
/// What somebody who is called like a town does.
const DOES: &str = "reports was has is states says denies presents had came wants called will";
/// A town behind a site has at least so many inhabitants.
const TOWN: u32 = 5_000;
/// No name takes in more words of its kind.
const MOST_KINDS: usize = 3;

/// Takes in what goes on behind a name of a site, a body or a place.
pub(super) fn with_rest(text: &str, (start, end): (usize, usize), label: Label) -> (usize, usize) {
    let kind = (0..MOST_KINDS).fold(end, |end, _| with_kind(text, end));
    if !matches!(label, Label::Hospital | Label::Organization) {
        return (start, kind);
    }
    let end = with_number(text, start, kind);
    (start, if label == Label::Hospital { with_town(text, start, end) } else { end })
}

/// The word behind one blank that a text begins with; empty where there is none.
fn word_behind(text: &str) -> &str {
    text.strip_prefix(' ').map_or("", first_word)
}

/// The word with a capital behind one blank at a place, and where it ends.
fn next_word(text: &str, end: usize) -> Option<(&str, usize)> {
    let word = word_behind(&text[end..]);
    word.starts_with(char::is_uppercase).then_some((word, end + 1 + word.len()))
}

/// Where the name ends with the word of its kind that stands behind it: `Yakima [Pathology]`.
fn with_kind(text: &str, end: usize) -> usize {
    match next_word(text, end) {
        Some((word, behind)) if listed!(word, KINDS) => {
            if listed!(word_behind(&text[behind..]), SAID) || text[behind..].starts_with(':') { end } else { behind }
        }
        _ => end,
    }
}

/// Where it ends with its number: `Elks Lodge [335]`, `Bartell Drugs [#47]`; but `Ace Store 3 days ago`.
fn with_number(text: &str, start: usize, end: usize) -> usize {
    let last = text[start..end].rsplit(' ').next().unwrap_or_default();
    let rest = &text[end..];
    let marked = rest.strip_prefix(" #");
    let Some(number) = marked.or_else(|| rest.strip_prefix(' ').filter(|_| listed!(last, NUMBERED))) else {
        return end;
    };
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let goes_on =
        number[digits..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | ':' | '%'));
    let closes = number[digits..].starts_with('.') && !number[digits + 1..].starts_with(|c: char| c.is_alphanumeric());
    let counted = listed!(word_behind(&number[digits..]), COUNTED);
    let fewest = if marked.is_some() { 2 } else { 1 };
    if (fewest..=5).contains(&digits) && !counted && (!goes_on || closes) {
        end + (rest.len() - number.len()) + digits
    } else {
        end
    }
}

/// Where the name of a site in several words ends with its town: `Saint Francis Hospital [Muskogee]`.
fn with_town(text: &str, start: usize, end: usize) -> usize {
    let Some((word, behind)) = next_word(text, end) else { return end };
    let info = Lexicon::shared().word(word);
    let town = info.is(WordFlags::CITY)
        && info.population >= TOWN
        && info.english_size().is_none()
        && !info.is(WordFlags::MEDICAL);
    // `Mercy Hospital Jackson Smith`, `St. Luke's Boise, ID`: a name goes on, or the state follows the town.
    let does = listed!(word_behind(&text[behind..]), DOES);
    let goes_on = does || next_word(text, behind).is_some() || text[behind..].starts_with([',', '-', '\'', '’']);
    let several = text[start..end].contains(' ');
    if town && !goes_on && several { behind } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(marked: &str, label: Label) -> String {
        let (open, close) = (marked.find('⟦').unwrap(), marked.find('⟧').unwrap() - '⟦'.len_utf8());
        let text = marked.replace(['⟦', '⟧'], "");
        let (start, end) = with_rest(&text, (open, close), label);
        text[start..end].to_owned()
    }

    #[test]
    fn kinds_numbers_and_towns_are_taken_in() {
        for (marked, label, whole) in [
            ("read by ⟦Yakima⟧ Pathology Assoc)", Label::City, "Yakima Pathology Assoc"),
            ("at ⟦Mountain View⟧ Elementary recess", Label::City, "Mountain View Elementary"),
            ("pass thru ⟦Elks Lodge⟧ 335; driver", Label::Organization, "Elks Lodge 335"),
            ("⟦Bartell Drugs⟧ #47 called", Label::Organization, "Bartell Drugs #47"),
            ("at ⟦Saint Francis Hospital⟧ Muskogee.", Label::Hospital, "Saint Francis Hospital Muskogee"),
        ] {
            assert_eq!(taken(marked, label), whole);
        }
    }

    #[test]
    fn what_is_said_behind_a_site_is_not() {
        for (marked, label, whole) in [
            ("in ⟦Duluth⟧ Heart rate 80", Label::City, "Duluth"),
            ("at ⟦Mercy⟧ Radiology: clear", Label::Hospital, "Mercy"),
            ("⟦Mercy Hospital⟧ 3/4", Label::Hospital, "Mercy Hospital"),
            ("⟦Lakeview Clinic⟧ Austin Smith came", Label::Hospital, "Lakeview Clinic"),
            ("at ⟦Ace Store⟧ 3 days ago", Label::Organization, "Ace Store"),
            ("from ⟦Mercy Hospital⟧ Austin reports", Label::Hospital, "Mercy Hospital"),
            ("⟦Walgreens⟧ 2 tabs", Label::Organization, "Walgreens"),
        ] {
            assert_eq!(taken(marked, label), whole);
        }
    }
}
