//! Numbers that nothing introduces: nine digits as `123-45-6789`, long runs of digits, codes such as `SP19-4432`,
//! `45479406HBM`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::context::{byte_at, byte_before, is_listed, word_after, word_before};
use super::expression;
use super::findings::Findings;
use super::survey::{Chain, Survey};
use crate::phi::Label;

static CODE: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:[a-z]{1,6}[0-9]*[-:]?[0-9]{2,4}[-][0-9]{3,8}(?:-[a-z0-9]+)?|[a-z]*[0-9][a-z0-9]*(?:-[a-z0-9]+){0,3})\b",
    )
});
static ICD: LazyLock<Regex> = LazyLock::new(|| expression(r"^[a-tv-z][0-9][0-9a-z](?:\.?[0-9a-z]{1,4})?$"));

/// `123-45-6789` is a social security number by its form.
pub(super) fn social_security(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let lengths: Vec<usize> = chain.numbers().iter().map(|(start, end)| end - start).collect();
    let dashed = chain.separators() == b"--" || chain.separators() == b"..";
    if chain.count == 3
        && lengths == [3, 2, 4]
        && dashed
        && !findings.covers(&chain.range())
        && !byte_before(sentence, chain.start).is_ascii_alphanumeric()
    {
        findings.add(chain.range(), Label::Ssn, if chain.separators() == b"--" { 1.0 } else { 0.7 });
    }
}

/// Adds long numbers and codes that nothing else has claimed.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits < 5 {
        return;
    }
    for chain in &survey.chains {
        long_number(sentence, chain, findings);
    }
    for found in CODE.find_iter(sentence) {
        code(sentence, found.range(), findings);
    }
}

fn long_number(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let digits = sentence[chain.range()].bytes().filter(u8::is_ascii_digit).count();
    let longest = chain.numbers().iter().map(|(start, end)| end - start).max().unwrap_or(0);
    let letters = byte_before(sentence, chain.start).is_ascii_alphanumeric()
        || byte_at(sentence, chain.end).is_ascii_alphanumeric();
    if longest < 4 || digits < 7 || letters || findings.covers(&chain.range()) || is_amount(sentence, chain.range()) {
        return;
    }
    if chain.separators().contains(&b'.') || chain.separators().contains(&b'/') && longest < 6 {
        return;
    }
    findings.add(chain.range(), Label::IdNum, if longest >= 7 { 0.85 } else { 0.6 });
}

fn is_amount(sentence: &str, range: Range<usize>) -> bool {
    let before = byte_before(sentence, range.start);
    let comma = before == b',' && range.start > 1 && byte_before(sentence, range.start - 1).is_ascii_digit();
    let code = is_listed(
        word_before(sentence, range.start),
        "cpt icd ndc loinc snomed bin pcn rxnorm rxcui pmid doi hcpcs snomed-ct umls nct grant",
    );
    let unit = is_listed(
        word_after(sentence, range.end),
        "mg ml mcg units cc copies cells iu cfu cfu/ml copies/ml platelets /ul iu/ml colonies dollars organisms",
    );
    matches!(before, b'$' | b'.' | b'>' | b'<') || comma || code || unit || byte_at(sentence, range.end) == b'%'
}

/// A code of letters and digits with at least five digits, or of the form of an accession: `S-19-12345`.
fn code(sentence: &str, range: Range<usize>, findings: &mut Findings) {
    let text = &sentence[range.clone()];
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    if digits < 5 || letters == 0 || findings.covers(&range) || is_amount(sentence, range.clone()) {
        return;
    }
    let bytes = text.as_bytes();
    let leading = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let tail = &text[leading..];
    // `81000mg` and `20190304T1402` are no codes.
    let amount = leading > 0 && is_listed(tail, "mg ml mcg k g kg u iu units cc hrs h s x ppm hz st nd rd th mm");
    let stamp = leading == 8 && matches!(bytes.get(8), Some(b'T' | b't'));
    let drug_range = tail.split('-').any(|part| part.ends_with("mg") || part.ends_with("mcg") || part.ends_with("ml"));
    let goes_on = byte_at(sentence, range.end) == b'.' && byte_at(sentence, range.end + 1).is_ascii_digit();
    if amount
        || stamp
        || drug_range
        || goes_on
        || ICD.is_match(text)
        || text.get(..3).is_some_and(|head| head.eq_ignore_ascii_case("nct"))
    {
        return;
    }
    // Words with dashes (`COVID-19-2020`) have letters of a word; identifiers have few letters in a run.
    let longest_word = text.split(|character: char| !character.is_ascii_alphabetic()).map(str::len).max().unwrap_or(0);
    if longest_word <= 6 {
        findings.add(range, Label::IdNum, if digits >= 6 { 0.8 } else { 0.6 });
    }
}

/// A vehicle identification number by its check digit.
pub(super) fn vehicle(sentence: &str, findings: &mut Findings) {
    for found in sentence.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| word.len() == 17) {
        let start = super::context::offset_in(sentence, found);
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

    #[test]
    fn vehicle_numbers_have_a_check_digit() {
        assert!(is_vehicle_number("1M8GDM9AXKP042788"));
        assert!(is_vehicle_number("11111111111111111"));
        assert!(!is_vehicle_number("1M8GDM9A1KP042788"));
        assert!(!is_vehicle_number("1M8GDM9AXKPO42788"));
    }
}
