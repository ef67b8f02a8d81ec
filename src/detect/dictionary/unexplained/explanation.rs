//! What explains a capital, or a word that no list has, wherever it stands.

use super::spelling::{self, is_misspelling};
use super::vocabulary::{self, Use};
use crate::detect::dictionary::words::MEDICAL;
use crate::lexicon::{Lexicon, WordFlags, WordInfo};

/// What so many bear as their name is no finding where one speaks of persons.
const WELL_KNOWN: u32 = 4_000;

/// Bearers of a word as a surname or given name, whichever is more.
pub(super) const fn bearers(info: &WordInfo) -> u32 {
    if info.surname_count > info.given_count { info.surname_count } else { info.given_count }
}

/// Whether a word is of the clinic, so that beside it a capital is no one's: no everyday word that is medical besides.
pub(super) fn is_clinical(info: &WordInfo, text: &str) -> bool {
    const NAMELESS: WordFlags = WordFlags::DRUG
        .union(WordFlags::ABBREVIATION)
        .union(WordFlags::CARE_ROLE)
        .union(WordFlags::NATIONALITY)
        .union(WordFlags::EPONYM)
        .union(WordFlags::HEADING);
    info.is_any(NAMELESS)
        || info.is(WordFlags::MEDICAL) && info.english_size().is_none()
        || vocabulary::is(text, Use::Ordinary)
        || spelling::is_medical_form(text) && info.english_size().is_none()
        || spelling::is_coined(text)
}

/// Whether vocabulary explains a capital anywhere.
pub(super) fn is_explained(info: &WordInfo, text: &str) -> bool {
    info.is_any(MEDICAL) && info.given_count < 50_000
        || info.is(WordFlags::EPONYM)
        || vocabulary::is(text, Use::Ordinary)
        || info.english_size().is_some_and(|size| size <= 10) && !is_frequent(info)
        || spelling::is_medical_form(text)
        || spelling::is_coined(text)
        || info.flags.is_empty()
            && (spelling::is_prefixed(text) || is_explained_in_part(text) || spelling::is_run_together(text))
}

/// Whether an eponym is the name of many besides, and nothing else: `Hawkins`, not `Child`.
pub(super) fn is_well_known(info: &WordInfo) -> bool {
    info.is(WordFlags::EPONYM)
        && bearers(info) >= WELL_KNOWN
        && !info.is_any(MEDICAL)
        && info.english_size().is_none_or(|size| size > 35)
}

/// Whether a part of a word with a hyphen explains the whole: `STOP-BANG`, `Irish-born`, `Payne-Martin`.
pub(super) fn is_explained_in_part(text: &str) -> bool {
    let lexicon = Lexicon::shared();
    let explains = |part: &str| {
        let info = lexicon.word(part);
        info.is_any(MEDICAL) || info.english_size().is_some_and(|size| size <= 35) && bearers(&info) < 500
    };
    text.contains('-') && text.split('-').any(explains)
}

/// What is known of the half of a double name whose other half is an eponym: `Doan-Kessler`. None where neither half is
/// nothing but a name, as in `Payne-Martin`.
pub(super) fn name_beside_eponym(text: &str) -> Option<WordInfo> {
    let (left, right) = text.split_once(['-', '‑'])?;
    let lexicon = Lexicon::shared();
    if lexicon.word(text) != WordInfo::UNKNOWN {
        return None;
    }
    let (left, right) = (lexicon.word(left), lexicon.word(right));
    let name = |info: &WordInfo| {
        !info.is(WordFlags::EPONYM) && !info.is_any(MEDICAL) && info.english_size().is_none() && bearers(info) >= 300
    };
    match (name(&left), name(&right)) {
        (true, _) if right.is(WordFlags::EPONYM) => Some(left),
        (_, true) if left.is(WordFlags::EPONYM) => Some(right),
        _ => None,
    }
}

/// Whether a medical word is no everyday word besides.
pub(super) fn is_medical_noun(info: &WordInfo) -> bool {
    info.is_any(MEDICAL) && info.english_size() != Some(10)
}

/// Whether many bear a word as their name, whatever else it means.
pub(super) const fn is_frequent(info: &WordInfo) -> bool {
    info.given_count >= 5_000 || info.surname_count >= 20_000
}

/// Whether a word is no ordinary one.
pub(super) fn is_strange(info: &WordInfo, text: &str) -> bool {
    info.english_size().is_none() && !(info.flags.is_empty() && is_misspelling(text))
}

/// In a line without capitals: names that are no word at all, and no slip of the pen.
pub(super) fn is_name_in_small_letters(info: &WordInfo, text: &str) -> bool {
    let frequent = bearers(info) >= 20_000;
    let known = info.given_count >= 2_000 || info.surname_count >= 5_000 || info.population >= 50_000;
    let unheard = text.len() >= 6 && (info.flags.is_empty() || bearers(info) > 0);
    info.english_size().is_none() && (known || unheard) && (frequent || !is_misspelling(text))
}

/// In a line of capitals: words of no list, and names much commoner than as words.
pub(super) fn is_name_in_capitals(info: &WordInfo, text: &str) -> bool {
    match info.english_size() {
        None if info.flags.is_empty() => text.len() >= 5 && !is_misspelling(text),
        None => bearers(info) >= 300 || info.population >= 5_000,
        Some(size) => size > 35 && bearers(info) >= 50_000,
    }
}
