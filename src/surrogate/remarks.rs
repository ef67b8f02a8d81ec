//! Remarks beside an address, and several addresses in one value.
//!
//! ```text
//! 12 Elm St (home) ─▶ 12 Elm St      home: 12 Elm St ─▶ 12 Elm St      12 Elm St; 40 Oak Ave ─▶ 12 Elm St · 40 Oak Ave
//! ```
//!
//! A remark that says what kind of address it is stays; any other is replaced like a place.

use super::addresses::{is_unit, part};
use super::parts::Part;
use super::places::is_zip_code;
use super::states::state_form;
use super::streets::{begins_with_house, has_kind};
use super::words::words;
use crate::phi::Label;

/// Words that say what kind of address stands beside them.
const REMARKS: [&str; 28] = [
    "address",
    "addr",
    "billing",
    "business",
    "current",
    "former",
    "formerly",
    "home",
    "legal",
    "local",
    "mailing",
    "new",
    "office",
    "old",
    "other",
    "permanent",
    "physical",
    "postal",
    "preferred",
    "previous",
    "primary",
    "residence",
    "residential",
    "secondary",
    "shipping",
    "temp",
    "temporary",
    "work",
];

/// Marks that may stand between two addresses, and words that may.
const MARKS: [char; 8] = [',', ';', '|', '/', '&', '\n', '\r', '+'];
const WORDS: [&str; 6] = [" and ", " or ", " AND ", " OR ", " then ", " to "];

/// The addresses of a value, and its remarks where they do not stay; nothing where it is one address alone.
pub(super) fn parts(label: Label, value: &str) -> Option<Vec<Part<'_>>> {
    let several = if label == Label::Street { several(value) } else { None };
    several.or_else(|| in_brackets(label, value)).or_else(|| beside(label, value))
}

/// Street lines that follow each other, each with the number of its house.
fn several(value: &str) -> Option<Vec<Part<'_>>> {
    let marks = value.match_indices(MARKS);
    let mut breaks: Vec<(usize, usize)> = marks.map(|(at, mark)| (at, at + mark.len())).collect();
    for word in WORDS {
        breaks.extend(value.match_indices(word).map(|(at, word)| (at, at + word.len())));
    }
    breaks.sort_unstable();
    let is_line = |start: usize| {
        let end = breaks.iter().map(|(at, _)| *at).find(|at| *at > start).unwrap_or(value.len());
        value.get(start..end).is_some_and(|line| begins_with_house(line) && has_kind(line))
    };
    let mut found = Vec::new();
    let mut start = 0;
    for &(end, next) in &breaks {
        if end > start && is_line(start) && is_line(next) {
            found.push(part(value, start, end, Label::Street)?);
            start = next;
        }
    }
    if found.is_empty() {
        return None;
    }
    found.push(part(value, start, value.len(), Label::Street)?);
    Some(found)
}

/// What stands in brackets, and around them.
fn in_brackets(label: Label, value: &str) -> Option<Vec<Part<'_>>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = value.get(at..)?.find(['(', '[']).map(|open| at + open) {
        let Some(close) = value.get(open..)?.find([')', ']']).map(|close| open + close) else { break };
        found.extend(outside(value, at, open, label));
        let remark = part(value, open + 1, close, label).filter(|remark| !is_remark(remark.text));
        found.extend(remark.map(|remark| Part { label: label_of(remark.text), ..remark }));
        at = close + 1;
    }
    if at == 0 {
        return None;
    }
    found.extend(outside(value, at, value.len(), label));
    found.retain(|part| part.text.contains(char::is_alphanumeric));
    (!found.is_empty()).then_some(found)
}

/// What stands around brackets, without the marks that part it from them; the state behind a city is one.
fn outside(value: &str, start: usize, end: usize, label: Label) -> Option<Part<'_>> {
    let text = value.get(start..end)?;
    let is_mark = |character: char| character.is_whitespace() || MARKS.contains(&character);
    let first = text.len() - text.trim_start_matches(is_mark).len();
    let outside = part(value, start + first, start + text.trim_end_matches(is_mark).len(), label)?;
    let is_state = label == Label::City && start > 0 && state_form(outside.text).is_some();
    Some(if is_state { Part { label: Label::State, ..outside } } else { outside })
}

/// A remark before a colon, or behind the last comma, hyphen or colon.
fn beside(label: Label, value: &str) -> Option<Vec<Part<'_>>> {
    let behind = value.find(':').filter(|&colon| value.get(..colon).is_some_and(is_remark));
    if let Some(colon) = behind {
        return part(value, colon + 1, value.len(), label).map(|part| vec![part]);
    }
    let mark = value.rfind([',', ';', ':', '-', '\n'])?;
    let is_behind = value.get(mark + 1..).is_some_and(is_remark);
    let address = part(value, 0, mark, label).filter(|_| is_behind)?;
    address.text.contains(char::is_alphanumeric).then(|| vec![address])
}

/// Whether a text only says what kind of value stands beside it.
pub(super) fn is_remark(text: &str) -> bool {
    let words = words(text);
    let is_known = |word: &str| REMARKS.iter().any(|known| word.eq_ignore_ascii_case(known));
    !words.is_empty() && words.iter().all(|word| is_known(word.text))
}

/// What another remark is replaced as: a state, a zip code, a line of a street, or any place.
fn label_of(remark: &str) -> Label {
    if state_form(remark).is_some() {
        Label::State
    } else if is_zip_code(remark) {
        Label::Zip
    } else if is_unit(remark) || remark.contains(|character: char| character.is_ascii_digit()) {
        Label::Street
    } else {
        Label::City
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::parts::labelled;
    use proptest::prelude::*;

    #[test]
    fn remarks_and_further_addresses_are_told_apart() {
        use crate::phi::Label::{City, State, Street, Zip};
        let (elm, oak) = ((Street, "12 Elm St"), (Street, "40 Oak Ave"));
        for (label, value, parts) in [
            (Street, "12 Elm St (home)", vec![elm]),
            (Street, "(work) 12 Elm St", vec![elm]),
            (Street, "Home address: 12 Elm St", vec![elm]),
            (Street, "12 Elm St - old", vec![elm]),
            (Street, "12 Elm St (Apt 4)", vec![elm, (Street, "Apt 4")]),
            (Street, "12 Elm St (Ann's house)", vec![elm, (City, "Ann's house")]),
            (Street, "12 Elm St; 40 Oak Ave", vec![elm, oak]),
            (Street, "12 Elm St, 40 Oak Ave", vec![elm, oak]),
            (Street, "12 Elm St and 40 Oak Ave", vec![elm, oak]),
            (Street, "12 Elm St, Apt 4; 40 Oak Ave", vec![(Street, "12 Elm St, Apt 4"), oak]),
            (Street, "12 Elm St (old); 40 Oak Ave", vec![(Street, "12 Elm St (old)"), oak]),
            (City, "Rochester (home)", vec![(City, "Rochester")]),
            (City, "Rochester (MN)", vec![(City, "Rochester"), (State, "MN")]),
            (City, "Rochester (home), MN", vec![(City, "Rochester"), (State, "MN")]),
            (Street, "12 Elm St (home), Rochester, MN", vec![elm, (Street, "Rochester, MN")]),
            (Zip, "55901 (mailing)", vec![(Zip, "55901")]),
        ] {
            assert_eq!(labelled(value, super::parts(label, value)), parts, "{value}");
        }
        for value in ["12 Elm St", "12 1/2 Elm St", "12 Elm St, 2nd floor", "12 Elm St, 55901", "(home)", "12 (", ""] {
            assert!(parts(Street, value).is_none(), "{value}");
        }
    }

    proptest! {
        #[test]
        fn parts_are_shorter_than_the_value(value in "([0-9]{1,3}|Elm|St|Ave|home|and|[ (),;:\\[\\]-]|\\PC){0,16}") {
            for label in [Label::Street, Label::City, Label::Zip] {
                for part in parts(label, &value).unwrap_or_default() {
                    prop_assert!(part.text.len() < value.len() && !part.text.is_empty());
                }
            }
        }
    }
}
