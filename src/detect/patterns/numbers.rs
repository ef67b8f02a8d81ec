//! Numbers that nothing introduces: nine digits as `123-45-6789`, long runs of digits.

use crate::detect::listed::listed;
use std::ops::Range;

use super::codes::widened;
use super::context::{byte_at, byte_before, first_word, word_after, word_before};
use super::findings::Findings;
use super::identifiers::is_other_quantity;
use super::shared_codes::{is_of_network, is_shared};
use super::survey::{Chain, Survey};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// `123-45-6789` is a social security number by its form; `***-**-6789` shows the last of one.
pub(super) fn social_security(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let lengths: Vec<usize> = chain.numbers().iter().map(|(start, end)| end - start).collect();
    let masked =
        ["***-**-", "xxx-xx-", "XXX-XX-", "###-##-"].iter().any(|mask| sentence[..chain.start].ends_with(mask));
    if lengths == [4] && masked && !findings.covers(&chain.range()) {
        findings.add(chain.range(), Label::Ssn, 0.95);
    }
    // `SSN123.45.6789`, `SSN 123/45/6789`; what comes in and goes out is written `800/40/1250`.
    let head = sentence[..chain.start].trim_end_matches([' ', ':', '#', '.']);
    let led = head.ends_with("SSN") || head.ends_with("SS");
    let dashed = matches!(chain.separators(), b"--" | b"..") || led && chain.separators() == b"//";
    if chain.count == 3
        && lengths == [3, 2, 4]
        && dashed
        && !findings.covers(&chain.range())
        && (led || !byte_before(sentence, chain.start).is_ascii_alphanumeric())
    {
        // `123-45-6789A`: the number of a claim of Medicare, as it was.
        let lettered = byte_at(sentence, chain.end).is_ascii_uppercase()
            && !byte_at(sentence, chain.end + 1).is_ascii_alphanumeric();
        findings.add(
            chain.start..chain.end + usize::from(lettered),
            Label::Ssn,
            if chain.separators() == b"--" { 1.0 } else { 0.7 },
        );
    }
}

/// `OTR/L NE 2231`, `CCC-SLP MD 05518`: the licence of one who signs, after the credential and the state; and `last 4:
/// 7730` of a social security number.
pub(super) fn license_of_state(sentence: &str, chain: &Chain, findings: &mut Findings) {
    const CREDENTIALS: &str = "otr/l otr cota cota/l slp ccc lcsw lmsw lmft lpc lcpc lmhc dpt pt ot rph pharmd rd rdn ldn ld \
                               rn lpn np pa psyd phd bcba atc crna aprn dds dmd md do lac dc msw cnm lm rrt";
    let length = chain.end - chain.start;
    if chain.count != 1 || !(4..=6).contains(&length) || findings.covers(&chain.range()) {
        return;
    }
    let head = sentence[..chain.start].trim_end_matches([' ', ':', '#', '=']);
    if length == 4
        && head.len() < chain.start
        && ["last 4", "last-4", "last4", "Last 4", "LAST 4"].iter().any(|lead| head.ends_with(lead))
    {
        findings.add(chain.range(), Label::Ssn, 0.8);
        return;
    }
    let Some(head) = sentence[..chain.start].strip_suffix(' ') else { return };
    let state = head.bytes().rev().take_while(u8::is_ascii_uppercase).count();
    if state != 2 || !Lexicon::shared().word(&head[head.len() - 2..]).is(WordFlags::STATE_ABBREVIATION) {
        return;
    }
    // `Pt ID 4471` is no licence of Idaho.
    if head.ends_with("ID") {
        return;
    }
    let before = word_before(sentence, head.len() - 2);
    let capital = before.starts_with(|c: char| c.is_ascii_uppercase());
    if capital && listed!(before, CREDENTIALS) && !byte_at(sentence, chain.end).is_ascii_alphanumeric() {
        findings.add(chain.range(), Label::License, 0.8);
    }
}

/// `Client #2204`, `Consumer 3381`, `Pt 0918 Grant L.`: the number by which a programme calls somebody. What could be a year or a clock
/// time asks for a `#` or for a name behind it.
pub(super) fn of_person(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let number = &sentence[chain.range()];
    if chain.count != 1
        || !(3..=6).contains(&number.len())
        || byte_at(sentence, chain.end).is_ascii_alphanumeric()
        || findings.covers(&chain.range())
        || is_other_quantity(sentence, chain.start, chain.end, true)
    {
        return;
    }
    let head = sentence[..chain.start].trim_end_matches(' ');
    let sharp = head.ends_with('#');
    let head = head.trim_end_matches(['#', ' ']);
    let letters = head.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    let who = &head[head.len() - letters..];
    if head.len() == chain.start || !listed!(who, "pt patient client consumer participant subject") {
        return;
    }
    let clock = number.len() == 4 && number < "2400" && number.get(2..) < Some("60");
    let year = number.len() == 4 && (number.starts_with("19") || number.starts_with("20"));
    let counted = number.len() < 4 || number.ends_with("00");
    let numbered = !listed!(who, "pt patient") && !clock && !year && !counted;
    if sharp || numbered || number.len() == 4 && is_named(&sentence[chain.end..]) {
        findings.add(chain.range(), Label::IdNum, 0.7);
    }
}

/// ` Grant L.`, ` Ngozi at`: whether a given name follows, one that is also a word only before another capital.
fn is_named(after: &str) -> bool {
    let Some(rest) = after.strip_prefix(' ') else { return false };
    let name = first_word(rest);
    let info = Lexicon::shared().word(name);
    let capital = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
    let more = rest[name.len()..].strip_prefix(' ').is_some_and(capital);
    capital(name) && name.len() > 2 && info.is(WordFlags::GIVEN_NAME) && (more || !info.is(WordFlags::ENGLISH))
}

/// Adds long numbers and codes that nothing else has claimed.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits < 5 {
        return;
    }
    for chain in &survey.chains {
        long_number(sentence, chain, findings);
    }
}

fn long_number(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let digits = sentence[chain.range()].bytes().filter(u8::is_ascii_digit).count();
    let longest = chain.numbers().iter().map(|(start, end)| end - start).max().unwrap_or(0);
    // A number that ran together with the word before it is no shorter for that.
    let variant = sentence[..chain.start].ends_with(" rs") || sentence[..chain.start].eq("rs");
    let glued = byte_before(sentence, chain.start).is_ascii_lowercase() && digits >= 7 && !variant;
    let letters = byte_before(sentence, chain.start).is_ascii_alphanumeric() && !glued
        || byte_at(sentence, chain.end).is_ascii_alphanumeric();
    let sharp = sentence[..chain.start].trim_end_matches(' ').ends_with('#');
    let fewest = match chain.count {
        1 if sharp => 5,
        1 => 6,
        _ => 7,
    };
    // `30-77-41-92`: groups of two as on the folder of a record.
    let folder =
        chain.count == 4 && chain.separators() == b"---" && chain.numbers().iter().all(|(start, end)| end - start == 2);
    let round = digits == 6 && sentence[chain.range()].ends_with("000")
        || is_round_range(sentence, chain)
        || is_shift(sentence, chain);
    let alien = sharp && digits >= 7;
    // `log # 24-1903`, `census no. 104-771`
    let head = sentence[..chain.start].trim_end_matches(' ');
    let marked = head.ends_with(['.', ':']);
    let lead = word_before(sentence, head.trim_end_matches([' ', '.', ':']).len());
    // `no 118-124 systolic`
    let numbered = (sharp || listed!(lead, "num number nbr") || marked && listed!(lead, "no"))
        && chain.separators() == b"-"
        && digits >= 5;
    if longest < 4 && !folder && !alien && !numbered
        || digits < fewest && !numbered
        || round
        || letters
        || findings.covers(&chain.range())
        || is_amount(sentence, chain.range())
        || is_shared(sentence, &widened(sentence, chain.start, chain.end))
    {
        return;
    }
    if chain.separators().contains(&b'.') || chain.separators().contains(&b'/') && longest < 6 {
        return;
    }
    findings.add(with_prefix(sentence, chain)..chain.end, Label::IdNum, if longest >= 7 { 0.85 } else { 0.6 });
}

/// `500-4000`, `1800-2000`: from one round number to another.
fn is_round_range(sentence: &str, chain: &Chain) -> bool {
    let numbers: Vec<u32> =
        chain.numbers().iter().map(|&(start, end)| sentence[start..end].parse().unwrap_or(1)).collect();
    matches!(numbers[..], [low, high] if low < high && high < 10_000 && low % 50 == 0 && high % 50 == 0)
}

/// `1900-0700`, `0800-1230`: from one hour to another, at quarters of it.
fn is_shift(sentence: &str, chain: &Chain) -> bool {
    let is_clock = |&(start, end): &(usize, usize)| {
        let number: u32 = sentence[start..end].parse().unwrap_or(u32::MAX);
        end - start == 4 && number <= 2400 && number % 100 < 60 && number.is_multiple_of(5)
    };
    chain.count == 2 && chain.separators() == b"-" && chain.numbers().iter().all(is_clock)
}

/// Where two or three capitals before a long number begin that are no abbreviation: `QTN 6617702`.
fn with_prefix(sentence: &str, chain: &Chain) -> usize {
    let Some(head) = sentence[..chain.start].strip_suffix(' ') else { return chain.start };
    let letters = head.bytes().rev().take_while(u8::is_ascii_uppercase).count();
    let start = head.len() - letters;
    let known = WordFlags::ABBREVIATION
        .union(WordFlags::MEDICAL)
        .union(WordFlags::STATE_ABBREVIATION)
        .union(WordFlags::CARE_ROLE)
        .union(WordFlags::ENGLISH);
    let apart = matches!(byte_before(sentence, start), b' ' | b'(' | b'\n' | b',');
    let prefix = (2..=3).contains(&letters) && apart && !Lexicon::shared().word(&head[start..]).is_any(known);
    if prefix && !listed!(&head[start..], "no num clm mrn acc ref tel fax npi dea id ids pin fin csn har ssn") {
        start
    } else {
        chain.start
    }
}

pub(super) fn is_amount(sentence: &str, range: Range<usize>) -> bool {
    let before = byte_before(sentence, range.start);
    let comma = before == b',' && range.start > 1 && byte_before(sentence, range.start - 1).is_ascii_digit();
    let code = listed!(
        word_before(sentence, range.start),
        "cpt rxbin icd ndc loinc snomed bin pcn rxnorm rxcui pmid doi hcpcs snomed-ct umls nct grant",
    );
    let code = code || is_of_network(sentence, range.start);
    let unit = listed!(
        word_after(sentence, range.end),
        "mg ml mcg units cc copies cells iu cfu cfu/ml copies/ml platelets /ul iu/ml colonies dollars organisms",
    );
    matches!(before, b'$' | b'.' | b'>' | b'<') || comma || code || unit || byte_at(sentence, range.end) == b'%'
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn numbers(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::IdNum, Label::MedicalRecord, Label::License])
    }

    #[test]
    fn numbers_of_persons() {
        assert_eq!(numbers("Pt 0918 Grant L. at 95 mg, phase II"), ["0918"]);
        assert_eq!(numbers("Consumer 3381 seen for group"), ["3381"]);
        assert_eq!(numbers("client #2204 late again"), ["2204"]);
        assert_eq!(numbers("Pt # 4471 dosed 95 mg"), ["4471"]);
        assert_eq!(numbers("Pt ID 0918 dosed"), ["0918"]);
    }

    #[test]
    fn numbers_behind_a_sign_for_one() {
        assert_eq!(numbers("pages sent 112  log # 24-1903   fee waived"), ["24-1903"]);
        assert_eq!(numbers("She is about 86, census no. 104-771"), ["104-771"]);
        for sentence in
            ["no. 3-4 weeks", "number 10-12 of 15", "ages 10-15, range 100-250", "no 118-124 systolic", "rpt: 0600"]
        {
            assert_eq!(numbers(sentence), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn figures_beside_persons() {
        for sentence in [
            "Pt 0918 to CT, back 0940",
            "Pt 1430 Will return tomorrow",
            "client 1000 steps a day",
            "subject 120 of 200",
            "patient 2019 surgery",
            "pt, 4471 steps",
        ] {
            assert_eq!(numbers(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
