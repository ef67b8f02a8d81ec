//! Codes and figures that everybody shares, though their form is that of an identifier: `97110-GP`, `WH-380-F`, `LCD L33822`,
//! `BGB-A317`, `97-100F`, `GG0170`, `6947M-62`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::codes::digits_of;
use super::context::{first_run, first_word, word_before};
use super::expression;
use crate::detect::listed::listed;

/// The number of a model of an implant with its size: `133S-MX-13`, `6947M-62`.
static SIZED_MODEL: LazyLock<Regex> =
    LazyLock::new(|| expression(r"^(?-i:[0-9]{3,4}[A-Z]{0,3}(?:-[A-Z]{1,3})?-[0-9]{2})$"));
/// Catalogues of concepts, substances, articles, books and trials, before the number of one.
pub(in crate::detect) const CATALOGUES: &str =
    "snomed sctid rxnorm rxcui unii pmid pmcid pubmed omim isbn issn doi nct";
/// How far before a code its guideline may be named, in bytes.
const GUIDELINE_REACH: usize = 40;

/// Whether a code is of what is done, paid for, given or implanted, and not of a person.
pub(in crate::detect) fn is_shared(sentence: &str, range: &Range<usize>) -> bool {
    let text = &sentence[range.clone()];
    is_span_of_amounts(text)
        || is_billed(sentence, text)
        || is_operation(sentence, range)
        || is_form(sentence, range)
        || is_of_guideline(sentence, range)
        || is_trial_drug(sentence, text)
        || is_assessed(sentence, text)
        || is_of_catalogue(sentence, range)
        || is_model_before_lot(sentence, range)
        || is_of_literature(sentence, range)
        || is_of_a_genome(sentence, range)
        || is_of_a_maker(sentence, range)
        || is_setting(&sentence[range.end..])
}

/// `SNOMED CT 22298006`, `RxCUI: 197361`, `PMID 33301246`, `doi:10.1056/NEJMoa2034577`: a concept, a substance, an article, a trial.
fn is_of_literature(sentence: &str, range: &Range<usize>) -> bool {
    let head = sentence[..range.start].trim_end_matches([' ', ':', '#', '(']);
    let before = word_before(sentence, head.len());
    let named = match before {
        "CT" | "ct" => word_before(sentence, head.len() - before.len()),
        _ => before,
    };
    // What a publisher is called in a DOI.
    let publisher = sentence[..range.start]
        .strip_suffix('/')
        .map(|head| head.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'));
    let is_doi = publisher.is_some_and(|head| sentence[head.len()..].starts_with("10."));
    is_doi || listed!(named, CATALOGUES)
}

/// `chr13:32914438`, `arr[hg19] 22q11.21(18844632_21462353)`, `COSM476`, `ENST00000357654`, `rs1801133`: a place in the genome that
/// everybody has, or a variant with a number.
fn is_of_a_genome(sentence: &str, range: &Range<usize>) -> bool {
    let text = &sentence[range.clone()];
    let head = sentence[..range.start].rsplit(char::is_whitespace).next().unwrap_or_default().to_ascii_lowercase();
    let chromosome = head.strip_prefix("chr").is_some_and(|rest| rest.contains(':'));
    let band = head.split_once('(').is_some_and(|(band, _)| {
        let arm = band.trim_start_matches(|c: char| c.is_ascii_digit());
        arm.len() < band.len() && arm.starts_with(['p', 'q']) && arm.len() > 1
    });
    let prefix = first_word(text).to_ascii_lowercase();
    let numbered = listed!(prefix.as_str(), "cosm cosv enst ensg ensp vcv rcv scv rs")
        && digits_of(text) + prefix.len() == text.len();
    chromosome || band || numbered
}

/// `Catalog # 1234-56-789`, `Cat no. 71434113`, `REF 00-5970-014-02` with dashes: the number of an article.
fn is_of_a_maker(sentence: &str, range: &Range<usize>) -> bool {
    let head = sentence[..range.start].trim_end_matches([' ', ':', '#', '.', '=']);
    let before = word_before(sentence, head.len());
    let numbered = listed!(before, "no number num")
        && listed!(word_before(sentence, head.len() - before.len()), "catalog catalogue cat model part article");
    let article = sentence[range.clone()].matches('-').count() >= 2
        && sentence[range.clone()].bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    numbered || listed!(before, "catalog catalogue") || listed!(before, "ref cat model") && article && before != "Ref"
}

/// Whether one of the words of a sentence is such a cue.
fn says(sentence: &str, is_cue: impl Fn(&str) -> bool) -> bool {
    sentence.split(|c: char| !c.is_ascii_alphanumeric()).any(is_cue)
}

/// `97-100F`, `150-220lb`: from one amount to another that is at most twice as much.
fn is_span_of_amounts(text: &str) -> bool {
    let Some((low, rest)) = text.split_once('-') else { return false };
    let high = first_run(rest, u8::is_ascii_digit);
    let unit = &rest[high.len()..];
    let (Ok(low), Ok(high)) = (low.parse::<u32>(), high.parse::<u32>()) else { return false };
    (10..1_000).contains(&low)
        && low < high
        && high <= low * 2
        && listed!(unit, "f c lb lbs kg k s g h hr hrs d w wk wks mo y yo yrs mm cm")
}

/// `97110x2`, `20610-RT`, `99285-25`: a procedure with its units or modifiers. Modifiers of digits alone ask for a code of medicine, which
/// begins with a nine, or for a word of billing.
fn is_billed(sentence: &str, text: &str) -> bool {
    let code = first_run(text, u8::is_ascii_digit);
    if code.len() != 5 || code.starts_with('0') {
        return false;
    }
    let rest = &text[code.len()..];
    let counted = rest
        .strip_prefix(['x', 'X'])
        .is_some_and(|units| matches!(units.len(), 1 | 2) && units.bytes().all(|byte| byte.is_ascii_digit()));
    let billing =
        |word: &str| listed!(word, "cpt hcpcs code codes coded billed bill billing modifier modifiers denied");
    let modifier = |part: &str| {
        listed!(part, "gp go gn gt gq gy gz ga kx rt lt tc xe xs xp xu qw fq rr nu ue as lc ld rc")
            || listed!(part, "22 24 25 26 50 51 52 53 54 55 57 58 59 62 76 77 78 79 80 81 82 91 93 95")
                && (code.starts_with('9') || says(sentence, billing))
    };
    counted || rest.strip_prefix('-').is_some_and(|parts| parts.split('-').all(modifier))
}

/// `0DTJ4ZZ`: an operation by its seven signs, among which are neither `I` nor `O`.
fn is_operation(sentence: &str, range: &Range<usize>) -> bool {
    let text = &sentence[range.clone()];
    text.len() == 7
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase() && !matches!(byte, b'I' | b'O'))
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.starts_with(|c: char| c.is_ascii_digit())
        && (text.ends_with("ZZ") || listed!(word_before(sentence, range.start), "icd pcs") || says(sentence, is_pcs))
}

fn is_pcs(word: &str) -> bool {
    listed!(word, "pcs")
}

/// `WH-380-F`, `SSA-3368-BK`, `form 10-10EZ`: a printed form by the agency that issues it.
fn is_form(sentence: &str, range: &Range<usize>) -> bool {
    let text = &sentence[range.clone()];
    let agency = first_word(text);
    let issued = text[agency.len()..].starts_with('-') && listed!(agency, "wh cms hcfa ssa sf dd hhs owcp");
    let named = listed!(word_before(sentence, range.start), "form forms va")
        && agency.is_empty()
        && text.ends_with(|c: char| c.is_ascii_uppercase());
    digits_of(text) <= 4 && (issued || named)
}

/// `LCD L33822`, `article A52464`, `MCG A-0504`: a rule by which a payer judges.
fn is_of_guideline(sentence: &str, range: &Range<usize>) -> bool {
    let text = &sentence[range.clone()];
    let (letter, figures) = (first_word(text), digits_of(text));
    if letter.len() != 1 {
        return false;
    }
    let covered = listed!(word_before(sentence, range.start), "lcd ncd lca article") && figures == 5 && text.len() == 6;
    let head = &sentence[..range.start];
    // `50 MCG` is an amount.
    let guided = head.rfind("MCG").is_some_and(|at| {
        range.start - at <= GUIDELINE_REACH && !head[..at].trim_end().ends_with(|c: char| c.is_ascii_digit())
    });
    covered || guided && figures == 4 && text.len() == 6 && text.contains('-')
}

/// `BGB-A317`, `REGN5459`, `PF-06463922` on a trial: a drug by the letters of its maker and a number.
fn is_trial_drug(sentence: &str, text: &str) -> bool {
    let maker = first_word(text);
    let rest = &text[maker.len()..];
    // `A317`: behind a dash a letter may come before the digits.
    let rest = match rest.strip_prefix('-') {
        Some(rest) => rest.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(rest),
        None => rest,
    };
    let figures = first_run(rest, u8::is_ascii_digit);
    let trial = |word: &str| {
        listed!(word, "trial study arm drug cohort inhibitor cycle escalation placebo protocol dosed investigational")
    };
    (3..=8).contains(&figures.len())
        && rest.len() <= figures.len() + 1
        && rest[figures.len()..].bytes().all(|byte| byte.is_ascii_alphabetic())
        && (listed!(maker, "bgb jnj amg regn bms abbv gsk medi sar azd incb tak bnt arry sgn")
            || listed!(maker, "ly pf ro bi mk abt bay tas") && says(sentence, trial))
}

/// `GG0170`, `M0300C1` of an MDS: an item of an assessment that every facility fills in.
fn is_assessed(sentence: &str, text: &str) -> bool {
    let letters = first_word(text);
    let rest = &text[letters.len()..];
    let figures = first_run(rest, u8::is_ascii_digit);
    let assessment = |word: &str| listed!(word, "mds pdpm oasis bims");
    (1..=2).contains(&letters.len())
        && figures.len() == 4
        && rest.len() <= figures.len() + 2
        && !rest.contains('-')
        && (letters == "GG" && figures.starts_with('0') || says(sentence, assessment))
}

/// `Panel 65304N`, `Natrelle 133S-MX-13`, `lead 6947M-62`: what a laboratory or a maker offers.
fn is_of_catalogue(sentence: &str, range: &Range<usize>) -> bool {
    let text = &sentence[range.clone()];
    let lead = word_before(sentence, range.start);
    let offered = listed!(lead, "panel profile") && digits_of(text) <= 6 && text.len() <= 7;
    let implanted = listed!(
        lead,
        "natrelle mentor sientra allergan memorygel te expander expanders implant implants lead leads jude biotronik \
         medtronic scientific abbott model",
    );
    offered || implanted && SIZED_MODEL.is_match(text)
}

/// `KT-2300-4   LOT 20488217`, `REF 366381 LOT 4102`: what stands before the lot or serial number of a device names its model.
pub(super) fn is_model_before_lot(sentence: &str, range: &Range<usize>) -> bool {
    let text = &sentence[range.clone()];
    let rest = &sentence[range.end..];
    let next = rest.trim_start_matches(' ');
    let lettered = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    // `SN visit` is one of nursing.
    let serial = |mark: &str| {
        let token = next[mark.len()..].split(' ').next().unwrap_or_default();
        mark != "SN " || token.contains(|c: char| c.is_ascii_digit())
    };
    digits_of(text) <= 7
        && next.len() < rest.len()
        && ["LOT", "Lot", "SN ", "S/N", "(01)"].iter().any(|mark| next.starts_with(mark) && serial(mark))
        && (lettered || listed!(word_before(sentence, range.start), "ref cat catalog model"))
}

/// ` @ 30 cmH2O` behind the name of a device: what it is set to.
fn is_setting(after: &str) -> bool {
    let Some(rest) = after.strip_prefix(" @ ") else { return false };
    let figures = first_run(rest, |byte| byte.is_ascii_digit() || *byte == b'.');
    let unit = first_word(rest[figures.len()..].trim_start_matches(' '));
    !figures.is_empty() && listed!(unit, "cmh mmhg hz psi lpm ma rpm watts w ml")
}

/// Whether the last word before a number, over marks and other numbers, says that it is of a payer's network: `RxBIN / PCN ... 610623 / 02330000`.
pub(super) fn is_of_network(sentence: &str, start: usize) -> bool {
    let mut words = sentence[..start].rsplit(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let said = words.find(|word| word.contains(|c: char| c.is_ascii_alphabetic()));
    said.is_some_and(|word| listed!(word, "bin rxbin pcn rxpcn"))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    const NUMBERS: [Label; 9] = [
        Label::IdNum,
        Label::Account,
        Label::Ssn,
        Label::Vehicle,
        Label::Device,
        Label::MedicalRecord,
        Label::HealthPlan,
        Label::Username,
        Label::Phone,
    ];

    #[test]
    fn codes_that_everybody_shares() {
        for sentence in [
            "Temp 97-100F: Y, weight 150-220lb, BP 120-140S",
            "told the code was wrong 99285-25 v 99284",
            "97110-GP x2, 97112-59, 97140x1 today",
            "20610-RT and J1885 x2",
            "coded 20610-59-RT",
            "PCS 0DTJ4ZZ, 02703ZZ, 30233N1",
            "certified on WH-380-F and SSA-3368-BK",
            "VA form 10-10EZ on file",
            "per LCD L33822, article A52464, MCG 26th ed., A-0504",
            "got BGB-A317 and AMG-510, then REGN5459, TAK-788",
            "study drug PF-06463922 or LY3023414",
            "PDPM GG0130A 05, M0300C1",
            "Panel 65304N: AMP MDMA",
            "TE (Natrelle 133S-MX-13), lead 6947M-62",
            "REF 366381 LOT A4102",
            "EMST150 @ 30 cmH2O",
        ] {
            let found: Vec<_> = found(sentence, &NUMBERS).into_iter().filter(|found| *found != "A4102").collect();
            assert_eq!(found, [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn codes_of_one_person_beside_them() {
        for (sentence, code) in [
            ("case 44187-25 closed", "44187-25"),
            ("slides WH26-38041 reviewed", "WH26-38041"),
            ("form 31-204-00917 rejected", "31-204-00917"),
            ("given 50 MCG, bag A-0243", "A-0243"),
            ("file PF-06463922 is missing", "PF-06463922"),
            ("cups 24-11820F came", "24-11820F"),
            ("sealed LFT118204 @ 0830", "LFT118204"),
            ("ZK170442 of the bank", "ZK170442"),
        ] {
            assert_eq!(found(sentence, &NUMBERS), [code], "{sentence}");
        }
    }
}
