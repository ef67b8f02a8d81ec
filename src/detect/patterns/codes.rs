//! Codes of letters and digits that nothing introduces: `SP19-44321`, `QX-3320916`, `45479406HBM`, `K104 552 871 006`.
//!
//! ```text
//! "... specimen QX-23-118803 received"      a chain of digits, widened over letters, digits and dashes
//!               └─────┬────┘
//! ```
//!
//! A code is an identifier unless its form is that of an amount, a stage, a vertebra, a diagnosis, a trial or a marker.

use crate::detect::listed::listed;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::context::{byte_at, byte_before, word_before};
use super::expression;
use super::findings::Findings;
use super::numbers::is_amount;
use super::phones::are_hours;
use super::shared_codes::is_shared;
use super::survey::{Chain, Survey};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// A diagnosis without its point: a letter, two characters, and an extension that ends in a letter or is short.
static ICD: LazyLock<Regex> =
    LazyLock::new(|| expression(r"^[a-tv-z][0-9][0-9a-z](?:\.[0-9a-z]{1,4}|[0-9a-z]{0,3}[a-z]|[0-9]{1,2})?$"));
/// The number of a unit of blood or of a label in groups: `W1234 22 604418`, `G072 523 418 007`.
static GROUPED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?-i:[A-Z])[0-9]{3,4} [0-9]{2,3} [0-9]{3,6}(?: [0-9]{2,3}| (?-i:[C-NP-Z]))?\b|\b(?-i:[A-Z]{2,3}[- ][0-9]{2}[- ][0-9]{6,8})\b|\b(?-i:[A-Z])[0-9] [0-9]{5,6}\b",
    )
});

/// Four digits at a time: a parcel, a card.
static FOURS: LazyLock<Regex> = LazyLock::new(|| expression(r"\b[0-9]{4}(?:([ -])[0-9]{4}){3,5}(?:[ -][0-9]{1,4})?\b"));
/// Degrees of latitude and longitude.
static COORDINATES: LazyLock<Regex> =
    LazyLock::new(|| expression(r"-?\b[0-9]{1,2}\.[0-9]{4,8}\s?,\s?-?[0-9]{1,3}\.[0-9]{4,8}\b"));

/// Adds `9407 1118 9956 0021 4478 06` and `36.1867,-94.1288`, before their parts are taken for anything else.
pub(super) fn long(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits >= 16 {
        for found in FOURS.find_iter(sentence) {
            if !are_hours(found.as_str()) && !findings.covers(&found.range()) {
                findings.add(found.range(), Label::IdNum, 0.8);
            }
        }
    }
    if survey.digits >= 10 && memchr::memchr(b'.', sentence.as_bytes()).is_some() {
        for found in COORDINATES.find_iter(sentence) {
            if !findings.covers(&found.range()) {
                findings.add(found.range(), Label::LocationOther, 0.8);
            }
        }
    }
}

/// Adds the numbers of units of blood, before `unit K104` is taken for a ward.
pub(super) fn grouped(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if !survey.lettered && survey.digits < 8 {
        return;
    }
    if survey.digits >= 6 {
        for found in GROUPED.find_iter(sentence).filter(|found| found.as_str().contains(' ')) {
            if !findings.covers(&found.range()) {
                findings.add(found.range(), Label::IdNum, 0.7);
            }
        }
    }
    if survey.digits >= 9 {
        for chain in &survey.chains {
            of_printed_form(sentence, chain, findings);
        }
    }
}

/// `Form 24 117 00382`, `kit no. 24 118 00402`: the number that is printed on a form or a kit, in groups of two, three and four to six.
fn of_printed_form(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let Some(start) = chain.start.checked_sub("24 117 ".len()) else { return };
    let fits = |(at, byte): (usize, &u8)| if matches!(at, 2 | 6) { *byte == b' ' } else { byte.is_ascii_digit() };
    let groups = sentence.as_bytes().get(start..chain.start).is_some_and(|groups| groups.iter().enumerate().all(fits));
    if !groups || chain.count != 1 || !(4..=6).contains(&(chain.end - chain.start)) {
        return;
    }
    let lead = word_before(sentence, sentence[..start].trim_end_matches(['#', ' ']).len());
    let inner = |byte: u8| byte.is_ascii_alphanumeric();
    let free = !inner(byte_before(sentence, start)) && !inner(byte_at(sentence, chain.end));
    let range = start..chain.end;
    if free && listed!(lead, "form forms kit card slip no number") && !findings.covers(&range) {
        findings.add(range, Label::IdNum, 0.8);
    }
}

/// Adds codes that nothing else has claimed.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits < 3 {
        return;
    }
    let mut done = 0;
    for chain in &survey.chains {
        if chain.start < done {
            continue;
        }
        let range = widened(sentence, chain.start, chain.end);
        done = range.end;
        if range.len() >= 5 && !findings.covers(&range) && (is_code(sentence, &range) || is_numbered(sentence, &range))
        {
            let digits = digits_of(&sentence[range.clone()]);
            findings.add(range, Label::IdNum, if digits >= 6 { 0.8 } else { 0.6 });
        }
    }
}

/// `the plot paper, no. C-114`: a short code after `no.`
fn is_numbered(sentence: &str, range: &Range<usize>) -> bool {
    let text = &sentence[range.clone()];
    let head = &sentence.as_bytes()[..range.start];
    head.last_chunk::<4>().is_some_and(|lead| lead.eq_ignore_ascii_case(b"no. "))
        && text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.contains('-')
        && digits_of(text) >= 3
}

/// How many digits of ASCII a text has.
pub(super) fn digits_of(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

/// The place with the letters, digits and single dashes around it.
pub(super) fn widened(sentence: &str, start: usize, end: usize) -> Range<usize> {
    let bytes = sentence.as_bytes();
    let inner = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let (mut from, mut to) = (start, end);
    while from > 0 && (inner(from - 1) || bytes[from - 1] == b'-' && from > 1 && inner(from - 2)) {
        // Words that ran together with the code: `accessionQX2403`.
        if bytes[from].is_ascii_uppercase() && bytes[from - 1].is_ascii_lowercase() {
            break;
        }
        from -= 1;
    }
    while inner(to) || bytes.get(to) == Some(&b'-') && inner(to + 1) {
        to += 1;
    }
    from..to
}

fn is_code(sentence: &str, range: &Range<usize>) -> bool {
    let text = &sentence[range.clone()];
    if text.contains(['/', '.']) {
        return false;
    }
    let digits = digits_of(text);
    let small = text.bytes().any(|byte| byte.is_ascii_lowercase());
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let longest = longest_run(text, |byte| byte.is_ascii_digit());
    // `7K9T2`: digits and capitals by turns.
    let turns = bytes_turn(text.as_bytes()) >= 4 && text.as_bytes()[0].is_ascii_digit() && !small && text.len() >= 5;
    let enough = turns
        || if small {
            digits >= 5
        } else {
            digits >= 4 && text.len() >= 6 || digits >= 3 && longest >= 3 && text.len() >= 7
        };
    letters > 0
        && enough
        && longest_run(text, |byte| byte.is_ascii_alphabetic()) <= 6
        && !is_other(sentence, range, longest)
}

/// How often letters and digits change places.
fn bytes_turn(bytes: &[u8]) -> usize {
    bytes.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count()
}

fn longest_run(text: &str, of: impl Fn(u8) -> bool) -> usize {
    text.as_bytes().split(|byte| !of(*byte)).map(<[u8]>::len).max().unwrap_or(0)
}

/// Amounts, timestamps, diagnoses, trials, vertebrae, leads, obstetric formulas and markers.
fn is_other(sentence: &str, range: &Range<usize>, longest: usize) -> bool {
    let text = &sentence[range.clone()];
    let bytes = text.as_bytes();
    let leading = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let tail = &text[leading..];
    let amount = leading > 0
        && listed!(
            tail,
            "mg ml mcg k g kg u iu units cc hrs hr h s x ppm hz st nd rd th mm kcal cal cm gm meq lb lbs cgy gy ms am pm",
        );
    let stamp = leading == 8 && matches!(bytes.get(8), Some(b'T' | b't'));
    let dose = text.split('-').any(|part| {
        ["mg", "mcg", "ml", "MG", "MCG", "ML"].iter().any(|unit| part.ends_with(unit))
            && part.len() > 2
            && part.as_bytes()[0].is_ascii_digit()
    });
    let goes_on = byte_at(sentence, range.end) == b'.' && byte_at(sentence, range.end + 1).is_ascii_digit()
        || matches!(byte_before(sentence, range.start), b'.' | b'_' | b'@');
    let letters = &text[..bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count()];
    let known = letters.len() > 1
        && Lexicon::shared()
            .word(letters)
            .is_any(WordFlags::ABBREVIATION.union(WordFlags::MEDICAL).union(WordFlags::DRUG));
    let trial = (known
        || listed!(
            letters,
            "rtog ecog calgb nsabp swog alliance mk bnt azd ly gsk abt tak cpt icd hcpcs drg fy cy ndc iso ce fda covid sars ncor",
        ))
        && longest <= 5
        && digits_of(text) <= 4;
    let billing = listed!(letters, "cpt icd hcpcs drg ndc gmt utc") && longest <= 6;
    let few = known && longest <= 3;
    let parts = text.split('-').all(|part| {
        let letters = part.bytes().take_while(u8::is_ascii_alphabetic).count();
        letters <= 2 && part.len() - letters <= 2 && part.len() > letters
    });
    let obstetric = bytes[0].eq_ignore_ascii_case(&b'g')
        && bytes.get(1).is_some_and(u8::is_ascii_digit)
        && text.bytes().any(|byte| byte.eq_ignore_ascii_case(&b'p'))
        && text.len() <= 8;
    // Trials and variants of genes have numbers of their own.
    let registry = text.get(..3).is_some_and(|head| head.eq_ignore_ascii_case("nct"))
        || letters == "rs" && digits_of(text) + 2 == text.len();
    let model = digits_of(text) <= 4
        && listed!(
            word_before(sentence, range.start),
            "model mod olympus pentax fujinon scope medtronic philips siemens stryker version type series",
        );
    amount
        || model
        || billing
        || stamp
        || dose
        || goes_on
        || trial
        || few
        || parts
        || obstetric
        || registry
        || ICD.is_match(text) && !ends_in_two_capitals(text)
        || is_shared(sentence, range)
        || is_amount(sentence, range.clone())
}

/// A lot may end in two capitals, a diagnosis only in one, or after the place holder `X`.
fn ends_in_two_capitals(text: &str) -> bool {
    matches!(text.as_bytes(), [.., place, last] if place.is_ascii_uppercase() && last.is_ascii_uppercase() && *place != b'X')
        && text.len() >= 6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<&str> {
        let survey = Survey::of(text, super::super::cues::CueTable::shared());
        let mut spans = Vec::new();
        let mut findings = Findings::new(&mut spans);
        grouped(text, &survey, &mut findings);
        detect(text, &survey, &mut findings);
        spans.iter().map(|span| &text[span.start..span.end]).collect()
    }

    #[test]
    fn codes_are_found_whole() {
        for (text, code) in [
            ("slides SP19-44321 reviewed", "SP19-44321"),
            ("case QX-3320916 opened", "QX-3320916"),
            ("45479406HBM", "45479406HBM"),
            ("unit K104 552 871 006 hung", "K104 552 871 006"),
            ("order E2406-55170 read", "E2406-55170"),
            ("seen todayQRX240306 again", "QRX240306"),
            ("Form 24 117 00382    Infant: BOY", "24 117 00382"),
            ("new kit no. 24 118 00402 sent", "24 118 00402"),
        ] {
            assert_eq!(codes(text), [code], "{text}");
        }
    }

    #[test]
    fn clinical_codes_are_none() {
        for text in [
            "T10-T12 fracture",
            "G2P1001",
            "1500mg",
            "CPT99213",
            "V2-V6 leads",
            "MK-3475",
            "C50.911",
            "S72001A",
            "HLA-B2705",
            "NCT01234567",
            "COVID-19 in FY2024",
            "L4-L5-S1",
            "RTOG-0617",
            "10MG/5ML",
            "HR110-120",
            "250mcg-500mcg",
            "rs4149056",
            "form at 24 117 00382",
            "kit 24 117 12345mg",
        ] {
            assert_eq!(codes(text), [""; 0], "{text}");
        }
    }
}
