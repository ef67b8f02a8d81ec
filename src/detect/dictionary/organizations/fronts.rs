//! Names told by how they begin or are built: `Iglesia Luz del Valle`, `Our Lady of Sorrows`, `Harlan & Voss`, `U.S. Navy`.

use super::named::{is_proper, run_before};
use super::naming::{Role, is_column, role};
use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::words::{Cues, Gap, MEDICAL, Shape, Words};
use crate::detect::listed::listed;
use crate::lexicon::WordFlags;
use crate::phi::Label;

/// Words that begin a name before certain others, and words of armies.
pub(super) const OTHERS: &str = "our office university bank college diocese archdiocese conservatory army navy marines corps force guard church hospice";

/// Whether a word may begin a name, or be one of an army.
pub(in crate::detect::dictionary) fn is_front(text: &str) -> bool {
    matches!(role(text), Some(Role::Front | Role::CareFront)) || listed!(text, OTHERS)
}

/// `Iglesia Luz del Valle`, `Our Lady of Sorrows`: a word that begins a name.
pub(super) fn by_front(words: &Words, index: usize, found: &mut Found) {
    if !words.list[index].cues.has(Cues::FRONT) {
        return;
    }
    let front = match role(words.text(index)) {
        Some(role @ (Role::Front | Role::CareFront)) => role,
        _ if is_lady(words, index) || is_office(words, index) => Role::Front,
        _ if is_of_place(words, index) => Role::Front,
        _ if is_of_something(words, index, "hospice") => Role::CareFront,
        _ if is_of_something(words, index, "church") => Role::Front,
        _ => return,
    };
    let mut last = index;
    while let Some(next) = words.get(last + 1) {
        let inner = next.shape == Shape::Lower
            && listed!(words.text(last + 1), "de la del of y e los las da do al el the")
            && words.get(last + 2).is_some_and(|after| {
                after.gap == Gap::Space && (after.is_capital() || listed!(words.text(last + 2), "la las los el the"))
            });
        if next.gap != Gap::Space || is_column(words, last + 1) || !(next.is_capital() || inner) || last > index + 5 {
            break;
        }
        last += 1;
    }
    while last > index && words.list[last].shape == Shape::Lower {
        last -= 1;
    }
    if last == index {
        return;
    }
    let first = run_before(words, index).unwrap_or(index);
    let label = if front == Role::CareFront { Label::Hospital } else { Label::Organization };
    found.add(words.list[first].start..words.list[last].end, label, 0.8);
}

/// Whether `Our Lady` begins here.
pub(super) fn is_lady(words: &Words, index: usize) -> bool {
    words.text(index).eq_ignore_ascii_case("our")
        && words.get(index + 1).is_some_and(|next| next.is_capital())
        && words.text(index + 1).eq_ignore_ascii_case("lady")
}

/// `Office of Tenant Relations`.
fn is_office(words: &Words, index: usize) -> bool {
    !words.shouted
        && words.text(index) == "Office"
        && words.get(index + 1).is_some_and(|next| next.gap == Gap::Space)
        && words.text(index + 1) == "of"
}

/// `Harlan & Voss`: a firm by its partners.
pub(super) fn partners(words: &Words, index: usize, found: &mut Found) {
    if index == 0 || words.list[index].gap != Gap::Other || words.between(index).trim() != "&" || words.shouted {
        return;
    }
    let surname = |at: usize| {
        let word = &words.list[at];
        word.shape == Shape::Capital
            && word.marker.is_none()
            && !word.info.is_any(MEDICAL)
            && word.info.surname_count.max(u32::from(word.info.flags.is_empty())) > 0
    };
    let given = |at: usize| words.list[at].info.given_count > 2_000;
    let both = surname(index - 1) && surname(index) && !given(index - 1) && !given(index);
    if both && (is_proper(words, index - 1) || is_proper(words, index)) && !words.is_eponym(index) {
        found.add(words.list[index - 1].start..words.list[index].end, Label::Organization, 0.6);
    }
}

/// `the Army`, `U.S. Navy`, `Marine Corps`: where someone served.
pub(super) fn forces(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let text = words.text(index);
    if !word.cues.has(Cues::FRONT)
        || words.shouted
        || !matches!(text, "Army" | "Navy" | "Marines" | "Corps" | "Force" | "Guard")
    {
        return;
    }
    let before = index.checked_sub(1).map_or("", |at| words.text(at));
    let pair = matches!((before, text), ("Marine", "Corps") | ("Air", "Force") | ("Coast" | "National", "Guard"));
    let alone = matches!(text, "Army" | "Navy" | "Marines") && !matches!(before, "Salvation" | "Old");
    if pair && word.gap == Gap::Space || alone {
        let mut first = index - usize::from(pair);
        let states = first > 0 && matches!(words.text(first - 1), "US" | "USA");
        let dotted = first > 1 && words.text(first - 1) == "S" && words.text(first - 2) == "U";
        first -= if dotted { 2 } else { usize::from(states) };
        found.add(words.list[first].start..word.end, Label::Organization, 0.7);
    }
}

/// `Church of the Ascended Lord`, `Hospice of the Valley`: what begins so and goes on with a capital.
fn is_of_something(words: &Words, index: usize, front: &str) -> bool {
    let opens = words.list[index].gap == Gap::Start || is_column(words, index);
    let is = |at: usize, text: &str| {
        words.get(at).is_some_and(|word| word.gap == Gap::Space) && words.text(at).eq_ignore_ascii_case(text)
    };
    let name = index + 2 + usize::from(is(index + 2, "the"));
    words.list[index].is_capital()
        && words.text(index).eq_ignore_ascii_case(front)
        && (!words.shouted || opens)
        && is(index + 1, "of")
        && words.get(name).is_some_and(|word| word.gap == Gap::Space && word.is_capital())
}

/// `University of Tartu`, `Bank of Leith`: an institution of a place.
fn is_of_place(words: &Words, index: usize) -> bool {
    const PLACE: WordFlags = WordFlags::CITY.union(WordFlags::STATE).union(WordFlags::COUNTRY);
    !words.shouted
        && matches!(words.text(index), "University" | "Bank" | "College" | "Diocese" | "Archdiocese" | "Conservatory")
        && words.get(index + 1).is_some_and(|next| next.gap == Gap::Space)
        && words.text(index + 1) == "of"
        && words
            .get(index + 2)
            .is_some_and(|name| name.gap == Gap::Space && name.shape == Shape::Capital && name.info.is_any(PLACE))
}
