//! Titles and credentials are outside.
//!
//! ```text
//! "[Dr. Anna Bell]"    Anna Bell        "[Anna Bell, MD]"    Anna Bell
//! "[/es/ Anna Bell]"   Anna Bell        "[LEE DO]"           LEE DO      a name, for all that capitals tell
//! ```

use crate::detect::dictionary::{is_credential, is_post_nominal, is_title};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};

/// What an electronic signature begins with.
const SIGNED: &[&str] = &["E-SIG ", "E-Sig ", "e-sig ", "ESIG ", "/es/ ", "/s/ "];

/// Takes `Dr.`, `Mrs` and signatures off the beginning.
pub(super) fn without_titles(text: &str, (mut start, end): (usize, usize)) -> (usize, usize) {
    loop {
        let inside = &text[start..end];
        if let Some(rest) = SIGNED.iter().find_map(|sign| inside.strip_prefix(sign)) {
            start = end - rest.trim_start().len();
            continue;
        }
        let word = inside.find(|letter: char| !letter.is_alphabetic()).map_or("", |length| &inside[..length]);
        let rest = inside[word.len()..].trim_start_matches('.').trim_start();
        let separated = rest.len() < inside.len() - word.len();
        if word.is_empty() || !separated || rest.is_empty() || !(is_short_title(word) || is_director(word, rest)) {
            return (start, end);
        }
        start = end - rest.len();
    }
}

/// So many bear a surname that it may stand before a given name in capitals: `COTA MARIA`.
const COMMON_SURNAME: u32 = 1_000;

/// A title that is no name too: `Dr`, `Mrs`; not `Major`. What a field is called, `Maiden`, and a long credential that
/// is no surname are outside as well.
fn is_short_title(word: &str) -> bool {
    let credential = word.len() >= 4
        && word.bytes().all(|byte| byte.is_ascii_uppercase())
        && is_credential(word)
        && Lexicon::shared().word(word).surname_count < COMMON_SURNAME;
    is_title(word)
        && (word.len() <= 3 || matches!(word, "Miss" | "Doctor" | "Professor" | "Rev" | "Officer" | "Sister"))
        || listed!(
            word,
            "ptl ptlm athlete camper buyer kahu mamaw papaw babushka sergeant colonel lieutenant detective principal chaplain trooper auntie aunty mama mummy babygirl babyboy"
        )
        || matches!(
            word,
            "Maiden"
                | "MAIDEN"
                | "Surname"
                | "Nickname"
                | "Last"
                | "First"
                | "Preparer"
                | "Asst"
                | "ASST"
                | "Atty"
                | "ADON"
        )
        || credential
}

/// `DON Earline Cormier`: of nursing, and what others are called for short, in capitals before a name that is not: `RAN Pascoe`, `TORB Fenn`.
fn is_director(word: &str, rest: &str) -> bool {
    const SHORT: [&str; 12] = ["DON", "ADON", "DSD", "RAN", "AHP", "CHW", "QRC", "TORB", "VORB", "LNC", "CNA", "EVS"];
    SHORT.contains(&word) && rest.starts_with(char::is_uppercase) && rest.contains(char::is_lowercase)
}

/// Takes `, MD`, `RN` and what else colleagues write behind a name off the end; a name of one word stays whole.
pub(super) fn without_credentials(text: &str, (start, mut end): (usize, usize)) -> (usize, usize) {
    loop {
        let inside = &text[start..end];
        let Some((name, last)) = inside.rsplit_once([' ', ',']) else { return (start, end) };
        let bare = last.trim_end_matches('.');
        let counsel = bare.eq_ignore_ascii_case("esq");
        let written = counsel || bare.chars().filter(|letter| letter.is_uppercase()).count() >= 2;
        let name = name.trim_end_matches([' ', ',']);
        let small = name.contains(char::is_lowercase);
        let comma = inside[name.len()..].contains(',');
        if !written || name.is_empty() || !(counsel || is_credential(bare) || small && is_rank_or_role(bare, comma)) {
            return (start, end);
        }
        // In a name of capitals `LEE DO` only a comma tells a credential.
        if bare.len() == 2 && !comma && !small {
            return (start, end);
        }
        end = start + name.len();
    }
}

/// `Josie CCLS`, `Boaz ST`, `Goodwin GIP`: capitals behind a name in small letters that say what somebody is, or an abbreviation. What
/// is a name too, `Linh BAO`, asks for a comma.
fn is_rank_or_role(word: &str, comma: bool) -> bool {
    const ROLES: &[&str] = &["ST", "UM", "CM", "SW", "RT", "PT", "OT", "MA", "MB", "BAO"];
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let info = Lexicon::shared().word(word);
    let named = info.is_any(WordFlags::SURNAME.union(WordFlags::GIVEN_NAME)) && !comma;
    let abbreviation = info.is(WordFlags::ABBREVIATION) && !info.is(WordFlags::STATE_ABBREVIATION);
    let capitals = !word.contains(char::is_lowercase);
    !named
        && (ROLES.contains(&word)
            || is_post_nominal(word) && (letters > 3 || !capitals)
            || abbreviation && capitals && letters > 2)
}
