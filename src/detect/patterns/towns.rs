//! Towns that their place in an address tells, whatever they are called: `40218 Beach Rd, Soldotna`, `Wadena Minn.`, `Ottawa ON  K1S 2B9`.

use super::context::{byte_at, byte_before, last_word, offset_in, word_before};
use super::findings::Findings;
use super::survey::Hit;
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Provinces of Canada, as before their postal codes.
const PROVINCES: &[&str] = &["ON", "QC", "BC", "AB", "MB", "SK", "NS", "NB", "NL", "PE", "PEI", "YT", "NT", "NU"];

/// Adds the town, and the state, that follow a street line and a comma.
pub(super) fn after_streets(sentence: &str, findings: &mut Findings) {
    for end in findings.ends_of(Label::Street) {
        let Some(rest) = sentence[end..].strip_prefix(", ") else { continue };
        let start = offset_in(sentence, rest);
        let Some(name) = name_end(sentence, start) else { continue };
        let state = state_after(sentence, name);
        let after = &sentence[name..];
        let closed = after.trim().is_empty()
            || after.starts_with([',', '.', ';', ')', '\n'])
            || after.starts_with("  ")
            || after.strip_prefix(' ').is_some_and(|next| next.starts_with(char::is_lowercase));
        if (state.is_some() || closed) && !findings.covers(&(start..name)) {
            findings.add(start..name, Label::City, 0.75);
            if let Some((start, end)) = state.filter(|&(start, end)| !findings.covers(&(start..end))) {
                findings.add(start..end, Label::State, 0.85);
            }
        }
    }
}

/// The end of one to three words that may name a town.
fn name_end(sentence: &str, start: usize) -> Option<usize> {
    const OTHER: WordFlags = WordFlags::MEDICAL
        .union(WordFlags::DRUG)
        .union(WordFlags::ABBREVIATION)
        .union(WordFlags::CARE_ROLE)
        .union(WordFlags::STREET_SUFFIX);
    let mut end = None;
    let mut at = start;
    for number in 0..3 {
        let rest = &sentence[at..];
        let length =
            rest.chars().take_while(|c| c.is_alphabetic() || matches!(c, '\'' | '-')).map(char::len_utf8).sum();
        let word = &rest[..length];
        let info = Lexicon::shared().word(word);
        let capital = word.starts_with(char::is_uppercase) && word.chars().skip(1).any(char::is_lowercase);
        let town = info.is(WordFlags::CITY)
            || !info.is_any(OTHER) && (number > 0 || info.english_size().is_none_or(|size| size > 40));
        if length < 3 || !capital || !town {
            break;
        }
        end = Some(at + length);
        if sentence.as_bytes().get(at + length) != Some(&b' ') {
            break;
        }
        at += length + 1;
    }
    end
}

/// A state's two capitals after a name.
fn state_after(sentence: &str, at: usize) -> Option<(usize, usize)> {
    let rest = sentence[at..].trim_start_matches([',', ' ']);
    let start = offset_in(sentence, rest);
    let code = rest.get(..2)?;
    let free = !rest[2..].starts_with(|c: char| c.is_alphanumeric());
    let state = Lexicon::shared().word(code).is(WordFlags::STATE_ABBREVIATION);
    (free && state && start > at && start - at <= 2 && code.bytes().all(|b| b.is_ascii_uppercase()))
        .then_some((start, start + 2))
}

/// Judges an old abbreviation of a state: `Wadena Minn.`, `Troy, Mich`.
pub(super) fn old_state(sentence: &str, hit: Hit, findings: &mut Findings) {
    let town = word_before(sentence, hit.start);
    let start = offset_in(sentence, town);
    let between = &sentence[start + town.len()..hit.start];
    let info = Lexicon::shared().word(town);
    let named = town.starts_with(char::is_uppercase) && info.is(WordFlags::CITY) && !info.is(WordFlags::MEDICAL);
    // `Paris mass` and `Wash hands` are words.
    let word = listed!(&sentence[hit.start..hit.end], "mass wash ala ark colo conn");
    let ended = matches!(byte_at(sentence, hit.end), b'.' | b',' | b';' | b')' | b'\n') || hit.end == sentence.len();
    let named = named && (!word || ended);
    if named && matches!(between, " " | ", ") && byte_at(sentence, hit.start).is_ascii_uppercase() {
        if !findings.covers(&(start..start + town.len())) {
            findings.add(start..start + town.len(), Label::City, 0.8);
        }
        findings.add(hit.start..hit.end, Label::State, 0.85);
    }
}

/// Adds states of two initials: `moved to N.J. 1996`, `Albany, N.Y.`
pub(super) fn dotted_states(sentence: &str, findings: &mut Findings) {
    for dot in memchr::memchr_iter(b'.', sentence.as_bytes()) {
        let Some(start) = dot.checked_sub(1) else { continue };
        let initials = (byte_at(sentence, start), byte_at(sentence, dot + 1));
        let state = matches!(
            initials,
            (b'N', b'J' | b'Y' | b'H' | b'M' | b'C' | b'D') | (b'S', b'C' | b'D') | (b'R', b'I') | (b'D', b'C')
        );
        let end = dot + 3;
        let free = !byte_before(sentence, start).is_ascii_alphanumeric()
            && byte_before(sentence, start) != b'.'
            && byte_at(sentence, dot + 2) == b'.'
            && !byte_at(sentence, end).is_ascii_alphanumeric();
        if !(state && free) || findings.covers(&(start..end)) {
            continue;
        }
        let before = word_before(sentence, start);
        let town = before.starts_with(char::is_uppercase) && Lexicon::shared().word(before).is(WordFlags::CITY);
        // `to D.C. tomorrow` discharges, and `N.H.` is a nursing home.
        let other = matches!(initials, (b'D', b'C') | (b'N', b'H'));
        if town || !other && listed!(before, "in to from of near the through around across") {
            findings.add(start..end - 1, Label::State, 0.8);
        }
    }
}

/// Adds the province and town before a Canadian postal code.
pub(super) fn before_postcode(sentence: &str, code: usize, findings: &mut Findings) {
    let head = sentence[..code].trim_end_matches([' ', ',']);
    let Some(province) = PROVINCES.iter().find(|province| head.ends_with(**province)) else { return };
    let start = head.len() - province.len();
    let lead = sentence[..start].trim_end_matches([' ', ',']);
    let town = last_word(lead);
    if start - lead.len() >= 1
        && town.starts_with(char::is_uppercase)
        && town.len() > 2
        && !listed!(town, "address city town")
    {
        findings.add(start..head.len(), Label::State, 0.9);
        if !findings.covers(&(lead.len() - town.len()..lead.len())) {
            findings.add(lead.len() - town.len()..lead.len(), Label::City, 0.8);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn places(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::City, Label::State])
    }

    #[test]
    fn towns_by_their_place() {
        assert_eq!(places("Lives at 40218 Kalifornsky Beach Rd Unit 6, Soldotna, up 14 steps."), ["Soldotna"]);
        assert_eq!(places("Mail goes to P.O.Box 77, Ninilchik but she sleeps in a camper"), ["Ninilchik"]);
        assert_eq!(places("77-14 164th St, #4F, Flushing NY"), ["Flushing", "NY"]);
        assert_eq!(places("RR 2 Box 118, Wadena Minn."), ["Wadena", "Minn"]);
        assert_eq!(places("moved to N.J. 1996"), ["N.J"]);
        assert_eq!(places("Ottawa ON  K1S 2B9  daughter's"), ["Ottawa", "ON"]);
    }

    #[test]
    fn what_follows_a_street_is_not_always_a_town() {
        for sentence in
            ["fell at 12 Oak St, Pain since", "lives 4 Elm Rd, Apt 3, alone", "seen on Mass. in the left breast"]
        {
            assert_eq!(places(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
