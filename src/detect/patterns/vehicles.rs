//! Vehicles: identification numbers by their check digit, and plates where a vehicle is spoken of: `truck 2C 71884`,
//! `MVC, 4KRX229`, `plate BK 41 872`.

use crate::detect::listed::listed;
use std::sync::LazyLock;

use regex::Regex;

use super::context::{byte_at, byte_before, offset_in, word_before};
use super::cues::Cue;
use super::findings::Findings;
use super::survey::{Hit, Survey};
use super::{anchored, expression};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// How far after a vehicle its plate is looked for, in bytes.
const REACH: usize = 42;

/// Plates of many countries: letters and digits in two or three groups.
static PLATE: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?-i:[A-Z]{2}[0-9]{2} ?[A-Z]{3}|[0-9][A-Z]{3}[0-9]{3}|[A-Z]{2,3}[ -][0-9]{2,3}[ -][0-9]{2,4}|[A-Z]{2,3}[ -]?[0-9]{3,5}|[A-Z]{2} [0-9]{3} [A-Z]{3}|[A-Z]{2} [0-9] [0-9]{4}|[0-9]{3}[ -]?[A-Z]{3}|[0-9]{1,2}[A-Z]{1,2}[ -]?[0-9]{3,6}|[0-9][A-Z] [0-9A-Z]{4,6}|[0-9]{1,2}-[A-Z]?[0-9]{4,6}[A-Z]?|[A-Z]{1,3}-[A-Z]{1,2}[ -]?[0-9]{2,4})\b",
    )
});

/// Plates of six signs in two groups, directly behind their word: so short that a vehicle must be spoken of, or a licence.
static SHORT_PLATE: LazyLock<Regex> = LazyLock::new(|| {
    anchored(
        r"(?:[\s:.#]|\b(?:no|number|num|is|was|reads?|partial)\b)*(?:(?-i:[A-Z]{2}) )?((?-i:[A-Z]{3} [A-Z][0-9]{2}|[0-9][A-Z]{2} [A-Z][0-9]{2}|[A-Z]{3} [0-9][A-Z][0-9]|[0-9]{3} [A-Z]{2}[0-9]))\b",
    )
});

/// Judges `plate`, which needs no vehicle beside it.
pub(super) fn plate(sentence: &str, hit: Hit, survey: &Survey, findings: &mut Findings) {
    if listed!(&sentence[hit.start..hit.end], "plate plates registration tag") {
        short_plate(sentence, hit, survey, findings);
        within(sentence, hit, REACH + 20, findings);
    }
}

/// `gray Tacoma tag QKX D41`, `license plate 4TR M22`.
fn short_plate(sentence: &str, hit: Hit, survey: &Survey, findings: &mut Findings) {
    if !survey.has(Cue::Vehicle) && !listed!(word_before(sentence, hit.start), "license licence") {
        return;
    }
    let Some(plate) = SHORT_PLATE.captures(&sentence[hit.end..]).and_then(|captures| captures.get(1)) else { return };
    let range = hit.end + plate.start()..hit.end + plate.end();
    if !findings.covers(&range) {
        state_before(sentence, range.start, findings);
        findings.add(range, Label::Vehicle, 0.8);
    }
}

/// Judges a word for a vehicle.
pub(super) fn detect(sentence: &str, hit: Hit, findings: &mut Findings) {
    // `REGN5459` is a drug.
    if byte_at(sentence, hit.end).is_ascii_digit() && listed!(&sentence[hit.start..hit.end], "reg regn") {
        return;
    }
    within(sentence, hit, REACH, findings);
}

fn within(sentence: &str, hit: Hit, reach: usize, findings: &mut Findings) {
    let end = (hit.end + reach).min(sentence.len());
    let end = (hit.end..=end).rev().find(|&at| sentence.is_char_boundary(at)).unwrap_or(hit.end);
    let Some(found) = PLATE.find(&sentence[hit.end..end]) else { return };
    let range = hit.end + found.start()..hit.end + found.end();
    let goes_on = byte_at(sentence, range.end).is_ascii_alphanumeric()
        || matches!(byte_at(sentence, range.end), b'-' | b'/' | b'.' | b'%' | b':')
            && byte_at(sentence, range.end + 1).is_ascii_alphanumeric();
    let letters = found.as_str().split(|c: char| !c.is_ascii_alphabetic()).find(|part| !part.is_empty()).unwrap_or("");
    let known = WordFlags::ABBREVIATION.union(WordFlags::MEDICAL).union(WordFlags::STATE_ABBREVIATION);
    let grouped = found.as_str().len() >= 7
        && (found.as_str().ends_with(|c: char| c.is_ascii_uppercase()) || found.as_str().matches(' ').count() > 1);
    let other = letters.len() > 1 && !grouped && Lexicon::shared().word(letters).is_any(known)
        || found.as_str().as_bytes()[0].is_ascii_alphabetic()
            && listed!(
                letters,
                "am pm mph gcs bp hr ed er icu tel fax mrn dob ext c l t s mg ml x lkw lkn lsw lnw eta etd toa rosc tnk"
            );
    if !goes_on && !other && !findings.covers(&range) {
        state_before(sentence, range.start, findings);
        findings.add(range, Label::Vehicle, 0.7);
    }
}

/// `plate PA KXR-0918`: the state that has issued a plate.
fn state_before(sentence: &str, plate: usize, findings: &mut Findings) {
    let code = plate.saturating_sub(3)..plate.saturating_sub(1);
    let (Some(letters), blank) = (sentence.get(code.clone()), byte_before(sentence, plate)) else { return };
    let capitals = letters.bytes().all(|byte| byte.is_ascii_uppercase());
    if capitals
        && blank == b' '
        && byte_before(sentence, code.start) == b' '
        && Lexicon::shared().word(letters).is(WordFlags::STATE_ABBREVIATION)
    {
        findings.add(code, Label::State, 0.8);
    }
}

/// A vehicle identification number by its check digit.
pub(super) fn by_check_digit(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits < 6 {
        return;
    }
    for found in sentence.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| word.len() == 17) {
        let start = offset_in(sentence, found);
        if is_vehicle_number(found) && !findings.covers(&(start..start + 17)) {
            findings.add(start..start + 17, Label::Vehicle, 1.0);
        }
    }
}

/// The check of ISO 3779 as used in North America: weighted values of all characters modulo eleven.
fn is_vehicle_number(text: &str) -> bool {
    const WEIGHTS: [u32; 17] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
    let mut sum = 0;
    for (byte, weight) in text.bytes().zip(WEIGHTS) {
        let value = match byte.to_ascii_uppercase() {
            digit @ b'0'..=b'9' => u32::from(digit - b'0'),
            b'I' | b'O' | b'Q' => return false,
            letter @ b'A'..=b'H' => u32::from(letter - b'A') + 1,
            letter @ b'J'..=b'R' => u32::from(letter - b'J') + 1,
            letter @ b'S'..=b'Z' => u32::from(letter - b'S') + 2,
            _ => return false,
        };
        sum += value * weight;
    }
    let check = text.as_bytes()[8].to_ascii_uppercase();
    let expected = if sum % 11 == 10 { b'X' } else { b'0' + (sum % 11) as u8 };
    check == expected && text.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::patterns::golden::found;

    #[test]
    fn vehicle_numbers_have_a_check_digit() {
        assert!(is_vehicle_number("1M8GDM9AXKP042788"));
        assert!(is_vehicle_number("11111111111111111"));
        assert!(!is_vehicle_number("1M8GDM9A1KP042788"));
        assert!(!is_vehicle_number("1M8GDM9AXKPO42788"));
    }

    #[test]
    fn plates_of_six_signs() {
        let plates = |sentence| found(sentence, &[Label::Vehicle]);
        assert_eq!(plates("Pt vehicle, gray Tacoma tag QKX D41, left locked"), ["QKX D41"]);
        assert_eq!(plates("blue Civic tag 4TR M22"), ["4TR M22"]);
        assert_eq!(plates("license plate BRX 7K2 seen"), ["BRX 7K2"]);
        for sentence in [
            "skin tag LLQ T12",
            "Car accident LKW 0815",
            "truck rolled, CTA L45",
            "locking plate DVR L45",
            "got REGN5459, TAK-788",
        ] {
            assert_eq!(plates(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
