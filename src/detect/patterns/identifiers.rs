//! Numbers that a word introduces: `MRN: 00-12-34`, `Acct # 5521-A`, `NPI 1234567893`, `Lot EK9231`, `SSN ending 6789`.
//!
//! One table says which words, for which label, how many digits make a number long enough, and whether a `#`, `:` or
//! `number` must stand between. `Order 2 tablets` and `Case discussed 3/4` introduce nothing.

use crate::detect::listed::listed;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::context::{byte_at, byte_before, first_word, is_one_of, word_after, word_before};
use super::findings::Findings;
use super::shared_codes::is_model_before_lot;
use super::spaced_codes;
use super::survey::Hit;
use super::value::{serial_end, spaced_digits_end, value_end};
use super::{anchored, expression};
use crate::phi::Label;

/// What a word introduces.
struct Introduction {
    words: &'static str,
    label: Label,
    /// The fewest digits of a value.
    digits: usize,
    /// Whether only a `#`, `:`, `=`, `number`, `no.` or `id` makes a value of what follows.
    linked: bool,
}

const fn introduction(words: &'static str, label: Label, digits: usize, linked: bool) -> Introduction {
    Introduction { words, label, digits, linked }
}

const INTRODUCTIONS: &[Introduction] = &[
    introduction("mrn mrns hrn medrec umrn emrn hospno mrno cmrn empi mpi", Label::MedicalRecord, 3, false),
    introduction("mr", Label::MedicalRecord, 6, false),
    introduction("hospital hosp rec record records chart emr ehr unitno urn", Label::MedicalRecord, 4, true),
    introduction("account acct accts csn har fin hsp guarantor", Label::Account, 3, false),
    introduction("visit encounter billing bill invoice contact financial statement", Label::Account, 5, true),
    introduction("hicn mbi nhs hin ohip medicaid medicare phn hcn nhia nhif pmjay abha", Label::HealthPlan, 4, false),
    introduction("member subscriber beneficiary policyholder insured mbr", Label::HealthPlan, 4, false),
    introduction("grp rxgrp rxgroup", Label::HealthPlan, 4, false),
    // `2 AARP/UHC   318 442 907-11`
    introduction(
        "aarp uhc bcbs aetna cigna humana anthem tricare kaiser molina wellcare ambetter mcr mcd",
        Label::HealthPlan,
        7,
        true,
    ),
    introduction("mem card cards", Label::HealthPlan, 4, true),
    introduction(
        "group policy plan insurance payer payor insurer cert certificate ins coverage",
        Label::HealthPlan,
        4,
        true,
    ),
    introduction("dea npi clia upin", Label::License, 5, false),
    introduction(
        "gmc nmc gphc hcpc ahpra nrp nremt aprn abms cds nzmc mcnz hpcsa mmc sanc nmbi",
        Label::License,
        5,
        false,
    ),
    introduction("bar", Label::License, 4, true),
    introduction("license licence lic licensed licensure dl", Label::License, 4, false),
    introduction("vin", Label::Vehicle, 6, false),
    introduction("plate plates", Label::Vehicle, 2, false),
    introduction("tail aircraft", Label::Vehicle, 2, false),
    introduction("tag", Label::Vehicle, 4, false),
    introduction("registration", Label::Vehicle, 3, true),
    introduction("serial serials sn ser udi logger", Label::Device, 3, false),
    introduction("lot", Label::Device, 2, false),
    introduction("device implant", Label::Device, 5, true),
    introduction("badge", Label::IdNum, 1, false),
    introduction("nhi", Label::HealthPlan, 4, false),
    introduction("ccn tin ein", Label::License, 6, false),
    introduction("tcn livescan", Label::BioId, 6, false),
    introduction("barcode voucher caseload envelope env", Label::IdNum, 4, false),
    introduction(
        "accession acc accn specimen sample requisition req interp interpreter bands wristband armband bbid aadhaar nric hkid participant",
        Label::IdNum,
        4,
        false,
    ),
    introduction("prescription rx rxnum script", Label::IdNum, 4, true),
    introduction(
        "claim claims passport docket conf confirmation courier placard stamp estimate pre-estimate authorization auth preauth precert ticket",
        Label::IdNum,
        4,
        false,
    ),
    introduction(
        "case job order document doc reference ref tracking report batch file employee student personnel staff \
         inmate referral incident request dispatch run cad pcr prf epcr epr call-id appeal recording warranty parcel airbill waybill study exam image transcription dictation job permit warrant \
         kit band rand subj rpt index slide clock operator",
        Label::IdNum,
        4,
        true,
    ),
    introduction("rcpt receipt", Label::IdNum, 4, false),
    // `CoverMyMeds key: BT7QX9M2`
    introduction("key", Label::IdNum, 3, false),
    introduction("chip microchip", Label::IdNum, 9, false),
    introduction("check cheque log label slip", Label::IdNum, 4, true),
    // `Cause no. 2024-CI-04417` is a court's.
    introduction("cause", Label::IdNum, 5, true),
    introduction("id ids identifier identification pid uid uuid guid", Label::IdNum, 4, false),
    introduction(
        "fingerprint fingerprints biometric retina retinal iris voiceprint bioid thumbprint palmprint handprint \
         faceprint footprint footprints palm voice facial afis",
        Label::BioId,
        4,
        true,
    ),
];

/// The words of each row of the table.
pub(super) fn cue_words() -> impl Iterator<Item = (u8, &'static str)> {
    INTRODUCTIONS.iter().enumerate().map(|(row, introduction)| (row as u8, introduction.words))
}

static LINK: LazyLock<Regex> = LazyLock::new(|| {
    anchored(
        r"(?:\((?:old|new|prior|former|current)\)|['(\s.:#=)*,_/\x22-]|(?u:[’“”])|\b(?:last|final)[\s-]+(?:4|four|6|six|8|eight)\b(?:\s+digits)?|\b(?:ra|hospital|vein|given|as|written|reads|still|template|on|file|enrolled|numbers?|num|nbr|no|nos|ids?|identifier|identification|code|card|is|was|of|record|claim|ending|ends|in|with|last|policy|group|plan|scans?|value|template|hash|recognition|print|enrollment|plate|assigned|ref|mrn|name|member)\b|\bdigits\b)*",
    )
});
static DATE_OR_TIME: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\A(?:[0-9]{1,2}[-/.][0-9]{1,2}(?:[-/.](?:[0-9]{2}|[0-9]{4}))?|(?:19|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/](?:19|20)[0-9]{2}|[0-9]{1,2}:[0-9]{2}|(?:0?[1-9]|[12][0-9]|3[01])-?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-?(?:(?:19|20)[0-9]{2}|[0-9]{2}))\z",
    )
});
static MASKED: LazyLock<Regex> = LazyLock::new(|| anchored(r"[-\s]*(?:x{1,4}[-\s]*){0,2}[- ]([0-9]{4})\b"));

/// Judges a word of the table.
pub(super) fn detect(sentence: &str, hit: Hit, row: u8, findings: &mut Findings) {
    let Some(introduction) = INTRODUCTIONS.get(usize::from(row)) else {
        return;
    };
    let hit = with_form(sentence, hit);
    let rest = &sentence[hit.end..];
    let link = LINK.find(rest).map_or("", |found| found.as_str());
    let start = hit.end + link.len();
    // `p.Ser1982fs` is a variant of a gene.
    if byte_before(sentence, hit.start) == b'.' && sentence[..hit.start].ends_with("p.") {
        return;
    }
    if start == hit.end && !byte_at(sentence, start).is_ascii_digit() {
        return;
    }
    let linked = link.contains(['#', ':', '='])
        || link
            .split(|c: char| !c.is_ascii_alphabetic())
            .any(|word| listed!(word, "number numbers no num nbr id ids identifier nos identification"))
        || link.contains("ending") && !sentence[start..].starts_with("19") && !sentence[start..].starts_with("20")
        || byte_before(sentence, hit.start) == b'#'
        || introduction.label == Label::BioId
            && link
                .split(|c: char| !c.is_ascii_alphabetic())
                .any(|word| is_one_of(word, &["code", "template", "hash"]));
    if introduction.label == Label::License && is_decilitre(sentence, hit) {
        return;
    }
    // `License plate 7KLM221` is introduced by the plate.
    if introduction.label == Label::License && is_one_of(word_after(sentence, hit.end), &["plate", "plates", "tag"]) {
        return;
    }
    let Some(value) = reach(sentence, start, introduction) else { return };
    // `MRN 44170 4417 88123 5`: what runs into a number of another kind ends before it.
    let value = match findings.first_within(&(start..value)) {
        Some(at) => start + sentence[start..at].trim_end_matches([' ', '-', '/', '.', ',']).len(),
        None => value,
    };
    let text = &sentence[start..value];
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if introduction.linked && !linked && !(is_code(text) && link.len() <= 12) {
        return;
    }
    if is_no_number(sentence, hit, link, &(start..value), introduction) {
        return;
    }
    // `Rx BIN 610502`, `Aetna 800-555-0122`: a code that all share, and the payer's telephone.
    let shared = listed!(text.split([' ', ':']).next().unwrap_or_default(), "bin pcn rxbin rxpcn");
    if shared || introduction.label == Label::HealthPlan && introduction.linked && !linked && is_telephone(text) {
        return;
    }
    // What only names a kind of number keeps at least its digits; a link by words alone needs a longer one.
    let lettered = text.starts_with(|c: char| c.is_ascii_uppercase());
    // `tail N417PL` is an aircraft's, `tail 12 mm` of the pancreas.
    if listed!(&sentence[hit.start..hit.end], "tail aircraft") && !lettered {
        return;
    }
    // `MR EC-5518`: letters make up for digits.
    let coded = introduction.label == Label::MedicalRecord && lettered && is_code(text) && text.contains('-');
    let lead = word_before(sentence, hit.start);
    let quoted = link.ends_with(['"', '“'])
        && introduction.label == Label::Vehicle
        && listed!(lead, "license licence partial lic temp vehicle car truck");
    // `lot 4K7ZB`
    let short_lot = listed!(&sentence[hit.start..hit.end], "lot")
        && text.len() >= 4
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && !listed!(lead, "a parking whole");
    // `study id KX-118`
    let short_id = listed!(&sentence[hit.start..hit.end], "id ids identifier")
        && lettered
        && !text.contains(' ')
        && text.bytes().filter(u8::is_ascii_uppercase).count() >= 2;
    // `VIN ends 4352`
    let last_of_vin = listed!(&sentence[hit.start..hit.end], "vin")
        && link.split(|c: char| !c.is_ascii_alphabetic()).any(|word| listed!(word, "ends ending last"));
    // `(86 F, MR 7719)`: behind the sex.
    let year = text.len() == 4 && (text.starts_with("19") || text.starts_with("20"));
    let of_somebody = !year
        && listed!(&sentence[hit.start..hit.end], "mr")
        && listed!(lead, "m f yo")
        && sentence[..hit.start].ends_with(", ");
    let fewest = match () {
        () if coded || last_of_vin || of_somebody => 4,
        () if short_id => 3,
        () if quoted => 1,
        () if short_lot => 2,
        () if linked || introduction.label == Label::Vehicle && lettered => introduction.digits,
        () => introduction.digits.max(4).min(introduction.digits + 2),
    };
    if digits < fewest || is_other_quantity(sentence, start, value, !introduction.linked) {
        return;
    }
    // `Voice: GRBAS 3-1-3-2-0` is a row of scores.
    let single = !text.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit));
    if introduction.label == Label::BioId && single && !lettered {
        return;
    }
    let label = label_of(sentence, hit, link, introduction.label);
    // `kit tracking ID-0047721`: letters that are glued to the digits are of the number.
    let figures = text.bytes().all(|byte| byte.is_ascii_digit());
    let prefixed = introduction.label == Label::IdNum && link.ends_with(" ID-") && figures;
    let from = if prefixed { start - "ID-".len() } else { start };
    findings.add(from..value, label, if linked || !introduction.linked { 0.95 } else { 0.8 });
}

/// The word with `form` or `report` behind it, where it is of what such a thing tells: `incident form INC-3390`.
fn with_form(sentence: &str, hit: Hit) -> Hit {
    let next = first_word(sentence[hit.end..].strip_prefix(' ').unwrap_or(""));
    if listed!(&sentence[hit.start..hit.end], "incident") && listed!(next, "form forms report") {
        Hit { end: hit.end + 1 + next.len(), ..hit }
    } else {
        hit
    }
}

/// How far the value reaches that begins at `start`.
fn reach(sentence: &str, start: usize, introduction: &Introduction) -> Option<usize> {
    if !introduction.linked
        && let Some(end) = spaced_digits_end(sentence, start)
    {
        return Some(end);
    }
    let end = value_end(sentence, start).max(spaced_codes::end(sentence, start))?;
    let serial = introduction.label == Label::Device && !introduction.linked;
    Some(if serial { serial_end(sentence, start, end) } else { end })
}

/// Whether a value is a model before its lot, `kit REF 1295108D LOT REGX1188`, or a year after a mere colon, `Study: 2019`.
fn is_no_number(sentence: &str, hit: Hit, link: &str, range: &Range<usize>, introduction: &Introduction) -> bool {
    let (word, text) = (&sentence[hit.start..hit.end], &sentence[range.clone()]);
    // `check: 1430`, `payer ID 00070`, `Order: E0601 auto`: done at an hour, the same for all whom one insures, equipment.
    let counted = link.contains('#')
        || link.split(|c: char| !c.is_ascii_alphabetic()).any(|word| listed!(word, "no num number nbr"));
    if listed!(word, "check cheque log label slip") && !counted
        || listed!(word, "id") && listed!(word_before(sentence, hit.start), "payer payor")
        || listed!(word, "payer payor") && link.split(' ').any(|word| listed!(word, "id id: id#"))
        || listed!(word, "order") && is_equipment(text)
    {
        return true;
    }
    let year = text.len() == 4
        && (text.starts_with("19") || text.starts_with("20"))
        && text.bytes().all(|byte| byte.is_ascii_digit());
    // `rpt: 0600`: reported, or to be repeated, at an hour.
    let hour = text.len() == 4 && text.parse().is_ok_and(|hour: u32| hour < 2400 && hour % 100 < 60);
    listed!(word, "rpt index") && hour && !counted
        || introduction.linked && introduction.label == Label::IdNum && year && link.trim() == ":"
        || listed!(&sentence[hit.start..hit.end], "ref kit") && is_model_before_lot(sentence, range)
}

/// `E0601`: what is worn, breathed or rolled in, as it is billed (HCPCS).
fn is_equipment(text: &str) -> bool {
    text.len() == 5 && text.starts_with(['A', 'E', 'K', 'L']) && text[1..].bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether `dl` is the unit and no driver's licence: `13.5 g/dL (12.0-15.5)`, `104 mg / dl 70-99`, `per dL`.
fn is_decilitre(sentence: &str, hit: Hit) -> bool {
    let before = sentence[..hit.start].trim_end_matches(' ');
    let word = &sentence[hit.start..hit.end];
    word == "dL"
        || word.eq_ignore_ascii_case("dl")
            && (before.ends_with(|c: char| c == '/' || c.is_ascii_digit())
                || is_one_of(word_before(sentence, hit.start), &["per", "a"]))
}

/// Whether a value has the form of a telephone number with its area code.
fn is_telephone(text: &str) -> bool {
    let groups: Vec<usize> = text.split(['-', '.', ' ', '(', ')']).map(str::len).filter(|&length| length > 0).collect();
    groups == [3, 3, 4] && text.bytes().all(|byte| !byte.is_ascii_alphabetic())
}

/// Whether a value is an identifier by its form, so that a word before it is enough: `claim TB-118803`, `job 4411872`.
fn is_code(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let capitals = text.bytes().filter(u8::is_ascii_uppercase).count();
    let small = text.bytes().any(|byte| byte.is_ascii_lowercase());
    let compact_date = digits == 8 && text.len() == 8 && (text.starts_with("19") || text.starts_with("20"));
    !small
        && !compact_date
        && (digits >= 6 && !text.ends_with("000") && !text.contains('.')
            || capitals > 0 && digits >= 4
            || text.contains('-') && capitals > 0 && digits >= 3)
}

/// Dates, clock times and amounts are no identifiers.
///
/// After a word that introduces nothing else (`MRN 00-12-34`), numbers with dashes are no dates.
pub(super) fn is_other_quantity(sentence: &str, start: usize, end: usize, sure: bool) -> bool {
    let text = &sentence[start..end].replace(['–', '‑'], "-");
    let clock = byte_at(sentence, end) == b':' && byte_at(sentence, end + 1).is_ascii_digit() && end - start <= 2;
    let unit = listed!(
        word_after(sentence, end),
        "mg ml mcg tablets tabs tablet units days weeks months years hours minutes cc year mm cm kg patients \
         times capsules refills doses pm am",
    );
    // `chart 33-71-06` is no day of any month.
    let date = DATE_OR_TIME.is_match(text)
        && !is_no_day(text)
        && !(sure && text.contains('-') && !(text.starts_with("19") || text.starts_with("20")));
    let year = text.strip_prefix(|c: char| c.is_ascii_lowercase()).and_then(|rest| rest.strip_prefix('.'));
    let born = year.is_some_and(|year| {
        year.len() == 4 && (year.starts_with("18") || year.starts_with("19") || year.starts_with("20"))
    });
    clock || date || born || unit && text.len() <= 5 || matches!(byte_at(sentence, end), b'%' | b'@')
}

/// Whether three numbers of two digits have no day and month among them, in any order.
fn is_no_day(text: &str) -> bool {
    let parts: Vec<u32> = text.split(['-', '/', '.']).filter_map(|part| part.parse().ok()).collect();
    let pair = |one: u32, other: u32| (1..=12).contains(&one.min(other)) && (1..=31).contains(&one.max(other));
    matches!(parts[..], [first, second, third] if text.len() == 8 && !pair(first, second) && !pair(second, third))
}

/// The label, by the words around: `patient id` is a record number, `vaccine lot` no device, `member` after `plan`.
fn label_of(sentence: &str, hit: Hit, link: &str, label: Label) -> Label {
    let word = &sentence[hit.start..hit.end];
    let before = word_before(sentence, hit.start);
    let has = |words: &[&str]| link.split(|c: char| !c.is_ascii_alphabetic()).any(|word| is_one_of(word, words));
    match label {
        Label::IdNum if is_staff_number(sentence, hit.end + link.len()) => Label::Username,
        Label::IdNum if is_one_of(word, &["id", "ids", "identifier", "identification", "pid"]) => match () {
            () if is_one_of(before, &["patient", "pt", "hospital", "medical", "patient's"])
                || word.eq_ignore_ascii_case("pid") =>
            {
                Label::MedicalRecord
            }
            () if is_one_of(before, &["insurance", "plan", "policy", "member", "subscriber"]) => Label::HealthPlan,
            () if is_one_of(before, &["device", "implant"]) => Label::Device,
            () if is_one_of(before, &["vein", "print", "biometric", "recognition", "geometry"]) => Label::BioId,
            () => Label::IdNum,
        },
        Label::IdNum if has(&["mrn"]) => Label::MedicalRecord,
        Label::Vehicle if is_one_of(before, &["asset", "property", "inventory"]) => Label::IdNum,
        Label::Device if word.eq_ignore_ascii_case("lot") => {
            let sentence = sentence.to_ascii_lowercase();
            let drug = [
                "vaccin",
                "immuniz",
                "inject",
                "dose",
                " mg",
                "mcg",
                "bupivacaine",
                "lidocaine",
                "shot",
                "toxoid",
                "influenza",
                "covid",
                "pfizer",
                "moderna",
                "tdap",
                "insulin",
                "botox",
                "vial",
                "medication",
                "contrast",
                "exp",
                "ndc",
                "drug",
            ];
            let device = [
                "implant",
                "stent",
                "device",
                "pacemaker",
                "lead",
                "graft",
                "mesh",
                "screw",
                "component",
                "prosthes",
                "catheter",
                "valve",
            ];
            if drug.iter().any(|word| sentence.contains(word)) && !device.iter().any(|word| sentence.contains(word)) {
                Label::IdNum
            } else {
                Label::Device
            }
        }
        other => other,
    }
}

/// `ID: RN4471`: the number of one of the staff.
fn is_staff_number(sentence: &str, at: usize) -> bool {
    static STAFF_NUMBER: LazyLock<Regex> =
        LazyLock::new(|| anchored(r"(?-i:(?:RN|NP|LPN|CNA|RRT|RPH|PHARMD))[0-9]{3,6}\b"));
    STAFF_NUMBER.is_match(&sentence[at..])
}

/// Judges `four` and what else may say that the last digits of a number are told: `last four 4471`, `last 4 of her
/// social, which is 7730`.
pub(super) fn last_four(sentence: &str, hit: Hit, findings: &mut Findings) {
    static LAST: LazyLock<Regex> = LazyLock::new(|| {
        expression(
            r"\blast[\s-]*(?:4|four)(?:\s+digits)?(?:\s+of)?(?:[\s(]+(?:the|his|her|your|their|my|pt'?s?|patient'?s?)\b)?(?:\s+(?:social(?:\s+security)?|ssn?|soc))?(?:\s+(?:number|no|is|was|are))*[\s:=,#)-]{1,3}(?:[a-z' ]{0,16}[\s,])??([0-9]{4})\b",
        )
    });
    let from =
        (hit.start.saturating_sub(40)..=hit.start).find(|&at| sentence.is_char_boundary(at)).unwrap_or(hit.start);
    if let Some(number) = LAST.captures(&sentence[from..]).and_then(|captures| captures.get(1)) {
        let range = from + number.start()..from + number.end();
        if !findings.covers(&range) && !matches!(byte_at(sentence, range.end), b'/' | b'%' | b':') {
            findings.add(range, Label::Ssn, 0.9);
        }
    }
}

/// Judges `s/n`.
pub(super) fn serial(sentence: &str, hit: Hit, findings: &mut Findings) {
    let head = &sentence.as_bytes()[..hit.start];
    let row = INTRODUCTIONS.iter().position(|row| row.words.starts_with("serial"));
    if let (Some(row), [.., b's' | b'S', b'/']) = (row, head)
        && !head.get(head.len().wrapping_sub(3)).is_some_and(u8::is_ascii_alphanumeric)
    {
        detect(sentence, hit, row as u8, findings);
    }
}

/// The identifier of a device as on its label: `(01)00885556321147(17)290131(10)50931A`.
pub(super) fn device_label(sentence: &str, findings: &mut Findings) {
    static LABEL: LazyLock<Regex> =
        LazyLock::new(|| expression(r"\(01\)\s?[0-9]{14}(?:\s?\([0-9]{2,3}\)\s?[a-z0-9-]{1,20})*"));
    if memchr::memmem::find(sentence.as_bytes(), b"(01)").is_some() {
        for found in LABEL.find_iter(sentence) {
            findings.add(found.range(), Label::Device, 1.0);
        }
    }
}

/// The lot of a vaccine in the column between the day and the place of the shot: `07/19/2021   R92GA     PO     mm`.
pub(super) fn lots_of_shots(sentence: &str, findings: &mut Findings) {
    static LOT: LazyLock<Regex> = LazyLock::new(|| {
        expression(
            r"[0-9]{1,2}[/-][0-9]{1,2}[/-][0-9]{2,4}\s\s+((?-i:[A-Z0-9]{4,9}))\s\s+(?-i:LT|RT|LA|RA|LD|RD|LVL|RVL|PO|IM|SQ|SC|NAS|IN)\b",
        )
    });
    if memchr::memmem::find(sentence.as_bytes(), b"  ").is_none() {
        return;
    }
    for lot in LOT.captures_iter(sentence).filter_map(|captures| captures.get(1)) {
        let mixed = lot.as_str().bytes().any(|byte| byte.is_ascii_digit());
        if mixed && !findings.covers(&lot.range()) {
            findings.add(lot.range(), Label::IdNum, 0.8);
        }
    }
}

/// Judges `SSN`, `social security`, `xxx-xx-`.
pub(super) fn social_security(sentence: &str, hit: Hit, findings: &mut Findings) {
    let word = &sentence[hit.start..hit.end];
    last_four(sentence, hit, findings);
    // `SSA-3368-BK` is a form of the agency.
    if word.eq_ignore_ascii_case("ssa") && byte_at(sentence, hit.end) == b'-' {
        return;
    }
    // `Soc. Sec. (last 4): 4471`; `SOC 2019` is the start of care.
    if word.eq_ignore_ascii_case("soc") && !listed!(word_after(sentence, hit.end), "sec security") {
        return;
    }
    let mut start = hit.end;
    if is_one_of(word, &["xx", "xxx"]) {
        if let Some(last) = MASKED.captures(&sentence[hit.end..]).and_then(|captures| captures.get(1)) {
            let range = hit.end + last.start()..hit.end + last.end();
            if !findings.covers(&range) && byte_at(sentence, range.end) != b'-' {
                findings.add(range, Label::Ssn, 0.95);
            }
        }
        return;
    }
    if listed!(word, "social soc") {
        let rest = sentence[hit.end..].trim_start_matches(['.', ' ', '\n']);
        let second = first_word(rest);
        let security = is_one_of(second, &["security", "sec"]);
        start = if security { sentence.len() - rest.len() + second.len() } else { hit.end };
        if !security && !sentence[hit.end..].trim_start().starts_with(['#', ':']) {
            return;
        }
    }
    let link = LINK.find(&sentence[start..]).map_or(0, |found| found.end());
    let masked =
        sentence[start + link..].bytes().take_while(|byte| matches!(byte, b'x' | b'X' | b'*' | b'-' | b' ')).count();
    let from = start + link + masked;
    let bytes = sentence.as_bytes();
    let length = bytes[from..].iter().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b' ')).count();
    let Some(end) = end_of_social_security(&sentence[from..from + length]).map(|end| from + end) else { return };
    if !byte_at(sentence, end).is_ascii_alphabetic() && !findings.covers(&(from..end)) {
        findings.add(from..end, Label::Ssn, 1.0);
    }
}

/// Where a number of nine digits ends that a run of digits, hyphens and blanks begins with, or the last four of one: further numbers may stand behind
/// it, `SSN 6789 55 yo`.
fn end_of_social_security(run: &str) -> Option<usize> {
    let ends = |wanted: usize| {
        let mut digits = 0;
        let last = run.bytes().position(|byte| {
            digits += usize::from(byte.is_ascii_digit());
            digits == wanted
        })?;
        let rest = &run[last + 1..];
        (rest.starts_with(' ') || rest.trim_end_matches('-').is_empty()).then_some(last + 1)
    };
    ends(9).or_else(|| ends(4).filter(|end| *end == 4))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn numbers(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::IdNum, Label::MedicalRecord, Label::Device, Label::Vehicle, Label::Ssn])
    }

    #[test]
    fn numbers_after_what_introduces_them() {
        for (sentence, number) in [
            ("hold for exam, kit tracking ID-0047721. Done", "ID-0047721"),
            ("SSN 123 45 6789 55 yo M", "123 45 6789"),
            ("SSN: 6789 3/4/61 seen", "6789"),
            ("SSN 6789 55 yo", "6789"),
            ("kit no ID-0055812 sealed", "ID-0055812"),
            ("no broken skin, incident form INC-3390", "INC-3390"),
            ("incident report # 20449 filed", "20449"),
            ("ABO O POS  BB BAND ZKR 4417", "ZKR 4417"),
            ("BBID RTX 9917 verified", "RTX 9917"),
            ("cause no. 2024-CI-04417", "2024-CI-04417"),
            ("MRN 4 4 1 8 8 2 3; seen", "4 4 1 8 8 2 3"),
            ("MRN (old) 77120 merged", "77120"),
            ("MRN 44–18–82 merged", "44–18–82"),
            ("study id KX-118 enrolled", "KX-118"),
            ("VIN ends 4352", "4352"),
            ("s/n 12488013 077, OS", "12488013 077"),
            ("kit REF 1295108D LOT REGX1188", "REGX1188"),
        ] {
            assert_eq!(numbers(sentence), [number], "{sentence}");
        }
    }

    #[test]
    fn words_that_introduce_nothing_here() {
        for sentence in [
            "incident form completed",
            "band 4 of 6",
            "kit: 4 swabs",
            "cause: 3 vessels",
            "SSA-3368-BK returned",
            "Sleep study: 2019",
            "chart: 5 5 5",
        ] {
            assert_eq!(numbers(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
