//! The states that one value names.
//!
//! ```text
//! US-MN ─▶ MN      MN/WI ─▶ MN · WI      US-MN and WI ─▶ MN · WI      WA OR ID ─▶ WA · OR · ID      MN, formerly WI ─▶ MN · WI
//! ```

use super::addresses::{COUNTRIES, STATE_WORDS, part};
use super::parts::Part;
use super::states::state_form;
use super::tables::{StateForm, Tables};
use crate::phi::Label;

/// What stands between states.
pub(super) const STATE_MARKS: [char; 13] = ['/', ',', ';', '&', '+', '|', '-', ':', '=', '(', ')', '\n', '\r'];

/// Words that stand there.
const BETWEEN: [&str; 6] = ["and", "formerly", "from", "or", "then", "to"];

/// States with only marks or words like `and` between them; the country before one, as in `US-MN`, stays.
pub(super) fn states(value: &str) -> Option<Vec<Part<'_>>> {
    let mut found: Vec<Part> = Vec::new();
    let mut start = 0;
    for piece in value.split(STATE_MARKS) {
        let end = start + piece.len();
        let is_joined = value.get(..start)?.ends_with('-');
        if let Some(state) = part(value, start, end, Label::State)
            && !is_country_of(state.text, value.get(end..)?, is_joined)
        {
            match state_form(state.text) {
                Some(_) => found.push(state),
                None => found.extend(states_in_words(value, state, !found.is_empty())?),
            }
        }
        start = end + 1;
    }
    (!found.is_empty()).then_some(found)
}

/// `MN and WI`, `WA OR ID`, `MN and US` before `-WI`: states with blanks and words like `and` between them and behind them, or before
/// them where others stand before all, and nothing else.
fn states_in_words<'v>(value: &'v str, all: Part<'v>, goes_on: bool) -> Option<Vec<Part<'v>>> {
    let behind = value.get(all.start + all.text.len()..)?.trim_start();
    let mut found = Vec::new();
    let mut rest = all.text;
    while !rest.is_empty() {
        let word = rest.split_whitespace().next()?;
        let is_country = word.len() == rest.len() && is_country_of(word, behind, true);
        let is_word = BETWEEN.contains(&word) || word.eq_ignore_ascii_case("and") || is_country;
        // `OR` is a state as well.
        let is_between = is_word && (goes_on || !found.is_empty());
        let mut begins = beginnings(rest, STATE_WORDS).filter(|text| state_form(text).is_some());
        let text = match begins.next().filter(|_| !is_between) {
            Some(state) => {
                let start = all.start + all.text.len() - rest.len();
                found.extend(part(value, start, start + state.len(), Label::State));
                state
            }
            None if is_between => word,
            None => return None,
        };
        rest = rest.get(text.len()..)?.trim_start();
    }
    (goes_on || !found.is_empty()).then_some(found)
}

/// Whether a text is the country of the state behind it. `CA` that a hyphen joins to what stands before it is a state itself.
fn is_country_of(text: &str, behind: &str, is_joined: bool) -> bool {
    let behind_mark = behind.get(1..).and_then(|rest| rest.split(STATE_MARKS).next()).unwrap_or_default().trim();
    let of_union = || beginnings(behind_mark, STATE_WORDS).any(|state| Tables::shared().state(state).is_some());
    let is_code = |state: &str| state_form(state) == Some(StateForm::Code);
    let of_province = || !of_union() && beginnings(behind_mark, STATE_WORDS).any(is_code);
    COUNTRIES.iter().any(|name| text.eq_ignore_ascii_case(name)) && of_union()
        || text.eq_ignore_ascii_case("ca") && behind.starts_with('-') && !is_joined && of_province()
}

/// The first words of a text: as many as may be first, then fewer.
fn beginnings(text: &str, most: usize) -> impl Iterator<Item = &str> {
    let mut ends: Vec<usize> = Vec::with_capacity(most);
    for word in text.split_whitespace().take(most) {
        let from = ends.last().copied().unwrap_or(0);
        let blank = text.get(from..).map_or(0, |rest| rest.len() - rest.trim_start().len());
        ends.push(from + blank + word.len());
    }
    ends.into_iter().rev().filter_map(move |end| text.get(..end))
}
