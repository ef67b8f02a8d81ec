//! One word that is mostly a name, and what makes it another thing all the same.
//!
//! ```text
//! Gonzalez   a name      Jordan reports pain   who acts      Bruder mask, Li <0.1, Ramadan   other things
//! ```

use super::deeds::{acts, is_on_duty, may_act, speaks, takes_over};
use crate::detect::dictionary::chat;
use crate::detect::dictionary::found::Found;
use crate::detect::dictionary::markers::Marker;
use crate::detect::dictionary::people::{add, label_near};
use crate::detect::dictionary::plausible::{Likeness, likeness};
use crate::detect::dictionary::runs::{CUES, is_clean_name};
use crate::detect::dictionary::words::{Gap, MEDICAL, Shape, Words};
use crate::detect::listed::{WordList, listed};
use crate::lexicon::{WordFlags, WordInfo};
use crate::phi::Label;

/// Parts of the body and signs that are told by whom they are named after: `pouch of Douglas`.
static NAMED_AFTER: WordList = WordList::new(
    "pouch circle canal ligament sphincter ampulla space angle triangle fascia foramen bundle sign loop \
                           islets tract line crypts node valve vein fossa duct gland glands band zone membrane",
);

/// One word that is mostly a name.
pub(super) fn single(words: &Words, index: usize, found: &mut Found) {
    let word = &words.list[index];
    let info = word.info;
    let cased = word.shape == Shape::Capital && !words.shouted;
    // `Jordan reports pain`: who acts is a person, whatever else the word may be.
    let actor = cased
        && may_act(words, index)
        && !info.is_any(MEDICAL)
        && (acts(words, index) || speaks(words, index))
        && !words.is_eponym(index);
    if actor && is_person_acting(words, index) {
        let label = if is_covering(words, index) { Label::Doctor } else { label_near(words, index) };
        add(words, index, index, label, 0.6, found);
    } else if cased && is_owner(words, index) {
        let half = words.gap_after(index) == Gap::Hyphen;
        add(words, index, index + usize::from(half), label_near(words, index), 0.5, found);
    } else if cased && is_household(words, index) {
        add(words, index, index, Label::Patient, 0.6, found);
    } else if let Some(score) = score_alone(words, index, actor) {
        add(words, index, index, label_near(words, index), score, found);
    }
}

/// `The Smith family was here`: a surname of many, whatever else it means.
fn is_household(words: &Words, index: usize) -> bool {
    const COMMON: u32 = 20_000;
    let article = index.checked_sub(1).is_some_and(|before| words.text(before).eq_ignore_ascii_case("the"));
    let is_small = |at: usize| words.get(at).is_some_and(|word| word.gap == Gap::Space && word.shape == Shape::Lower);
    let family = is_small(index + 1) && listed!(words.text(index + 1), "family household");
    // `the Brown family practice`
    let goes_on = words.get(index + 2).is_some_and(|next| next.gap == Gap::Space)
        && (!is_small(index + 2)
            || listed!(words.text(index + 2), "practice medicine clinic physician physicians doctor health center of"));
    article
        && family
        && !goes_on
        && words.list[index].gap == Gap::Space
        && words.list[index].info.surname_count >= COMMON
}

/// Whether what a word does makes it a person: `Jordan reports pain`, `Zbyszko laughed`.
fn is_person_acting(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    let info = word.info;
    let given = info.english_size().is_none_or(|size| size > 50) && info.given_count >= 5_000;
    let new = || {
        info.given_count >= 20_000
            || info.given_count >= 1_000 && (word.gap != Gap::Start || info.english_size() > Some(35))
            || is_new(info, words.text(index))
    };
    given || is_covering(words, index) || new() && speaks(words, index)
}

/// Whether someone is on duty or takes over, borne by many: `Strong to cover overnight`.
fn is_covering(words: &Words, index: usize) -> bool {
    words.list[index].info.surname_count > 5_000 && (takes_over(words, index) || is_on_duty(words, index))
}

/// `I faxed Zbyszko's letter`, `Grace's pain is less`: what belongs to a word that no list holds, or to a given name that is a word too.
fn is_owner(words: &Words, index: usize) -> bool {
    let info = words.list[index].info;
    let given = (info.given_count >= 1_000 || info.given_count >= 100 && info.english_size() > Some(35))
        && !info.is_any(MEDICAL.union(CUES).union(WordFlags::EPONYM))
        && !listed!(
            words.text(index),
            "baby today guy child major senior junior king queen holiday spring april may june august",
        );
    // `Min-jun's`: the second half of the name is written small.
    let half = words.get(index + 1).is_some_and(|half| half.gap == Gap::Hyphen && half.shape == Shape::Lower);
    let last = index + usize::from(half);
    words.sentence[words.list[last].end..].starts_with("'s ")
        && (is_new(info, words.text(index)) || given || half && info.flags.is_empty())
        && words.get(last + 2).is_some_and(|owned| {
            owned.shape == Shape::Lower
                && !listed!(words.text(last + 2), "or and was were is are in on at with disease syndrome sign")
                && (owned.known.english_size().is_some_and(|size| size <= 35)
                    || info.surname_count.max(info.given_count) > 0 && owned.known != WordInfo::UNKNOWN)
        })
        && !is_before_thing(words, last)
        && !words.is_eponym(index)
}

/// Whether a medical word follows that names no deed: after it a capital names a thing, as in `Bruder mask`.
fn is_before_thing(words: &Words, index: usize) -> bool {
    let info = words.list[index].info;
    info.surname_count.max(info.given_count) < 50_000
        && words.get(index + 1).is_some_and(|next| {
            next.gap == Gap::Space
                && next.shape == Shape::Lower
                && next.marker.is_none_or(|marker| marker == Marker::NoName)
                && is_medical_noun(next.known)
        })
}

/// How sure it is that a word is a name, with nothing but its place to tell; none where it is another thing.
fn score_alone(words: &Words, index: usize, actor: bool) -> Option<f32> {
    let word = &words.list[index];
    let info = word.info;
    let bearers = info.surname_count.max(info.given_count);
    let fewest = if actor || word.gap != Gap::Start && info.given_count >= 100 { 100 } else { 1_000 };
    if bearers < fewest || is_other(words, index) || stands_as_other(words, index) {
        return None;
    }
    let after = words.between_after(index);
    let possessive = after.starts_with("'s") || after.starts_with("’s");
    // `Wilson's, Addison's`: a possessive that owns nothing is a disease.
    let owns = || {
        words.get(index + 2).is_some_and(|owned| {
            owned.gap == Gap::Space
                && owned.shape == Shape::Lower
                && !listed!(words.text(index + 2), "or and was were is are in on at with")
        })
    };
    if possessive && info.is(WordFlags::EPONYM) && !owns() {
        return None;
    }
    let frequent = info.given_count > 20_000 || info.surname_count > 20_000;
    match () {
        () if possessive && !frequent => Some(0.5),
        () if frequent => Some(0.7),
        () if word.gap == Gap::Start && bearers < 10_000 && !acts(words, index) => None,
        () => Some(0.5),
    }
}

/// Whether a word is more often another thing, wherever it stands: no name, a code, a place, a house, a month.
fn is_other(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    let info = word.info;
    let city = info.is(WordFlags::CITY) && info.population > 30_000 && info.given_count < 20_000;
    let organization = info.is_any(
        WordFlags::ORGANIZATION.union(WordFlags::HOSPITAL).union(WordFlags::LANDMARK).union(WordFlags::COMPANY_CUE),
    );
    !is_clean_name(word)
        || info.english_size().is_some()
        || organization
        || word.shape == Shape::Upper && (word.end - word.start <= 4 || words.shouted)
        || city && !words.sentence[word.end..].starts_with("'s ")
        || listed!(words.text(index), "ramadan april june august may summer autumn march jan easter")
}

/// Whether the words and marks around a word make it another thing: a finding, a symbol, a part of a code or of a company.
fn stands_as_other(words: &Words, index: usize) -> bool {
    let word = &words.list[index];
    let after = words.between_after(index);
    let text = words.text(index);
    let finding = index > 0 && listed!(words.text(index - 1), "negative positive bilateral baby");
    let short_form = after.starts_with([':', '[', '.', ';'])
        && chat::SHORT_FORMS.iter().any(|short| short.eq_ignore_ascii_case(text));
    let placed = index > 0
        && word.gap == Gap::Space
        && (matches!(words.text(index - 1), "the" | "The" | "a" | "an" | "at" | "near")
            || words.text(index - 1) == "of" && index > 1 && NAMED_AFTER.contains(words.text(index - 2)))
        && words.get(index + 1).is_none_or(|next| !next.is_capital());
    let capital_company =
        words.get(index + 1).is_some_and(|next| next.gap == Gap::Space && next.is_capital() && next.info.is_any(CUES));
    let joined = word.gap == Gap::Hyphen
        || words.gap_after(index) == Gap::Hyphen
        || text.contains('-') && !after.starts_with("'s") && !acts(words, index);
    // `Labs: Li <0.1`: a symbol with its value.
    let symbol =
        text.len() == 2 && after.trim_start().starts_with(|c: char| c.is_ascii_digit() || matches!(c, '<' | '>' | '='));
    finding
        || short_form
        || placed
        || capital_company
        || joined
        || symbol
        || is_before_thing(words, index)
        || words.is_eponym(index)
}

/// Whether a word is in no list, and long enough to be no code.
fn is_new(info: WordInfo, text: &str) -> bool {
    likeness(info) == Likeness::Unknown && text.len() >= 4 || info.given_count > 0 && likeness(info) == Likeness::Name
}

/// A medical word that is no everyday verb: after it a capital names a thing, as in `Bruder mask`.
fn is_medical_noun(info: WordInfo) -> bool {
    info.is_any(WordFlags::MEDICAL) || info.english_size().is_none() && info.flags.is_empty()
}
