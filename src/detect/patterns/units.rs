//! Rooms, beds and wards that have a number: `Room 7A`, `bed 12`, `Rm 402-B`, `4 West`, `5N`.

use crate::detect::listed::listed;
use std::sync::LazyLock;

use regex::Regex;

use super::anchored;
use super::context::{byte_at, byte_before, first_run, first_word, is_one_of, offset_in, word_after, word_before};
use super::findings::Findings;
use super::survey::Hit;
use super::value::value_end;
use super::wards;
use crate::phi::{Class, Kind, Label};

static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    anchored(r"\.?(?:\s+(?:number|no\.?))?\s*[:#]?\s*([a-z]{0,2}-?[0-9]{1,4}(?:[-/]?[a-z]|-[0-9]{1,2})?)\b")
});
static LETTER: LazyLock<Regex> = LazyLock::new(|| anchored(r"\s+((?-i:[A-Z]))(?:[\s.,;)]|$)"));

/// `Unit: Surg Onc 8E`, `Ward: Maternity 2`: a field's value that ends in a number.
static FIELD: LazyLock<Regex> = LazyLock::new(|| {
    anchored(r"[ \t]?:[ \t]*((?-i:[A-Z][A-Za-z]+(?:[ /-][A-Z][A-Za-z]+)? [0-9]{1,2}[A-Z]?))(?:\s\s|[,;|)\n]|\s*$)")
});

/// What is given by the unit: `Unit: PRBC 2`.
const GIVEN_BY_THE_UNIT: &str =
    "prbc prbcs rbc rbcs ffp platelets plt plts cryo plasma blood packed whole insulin heparin";

/// Whether a text begins with hours and minutes, and no age.
fn is_clock(text: &str) -> bool {
    let Some((hour, rest)) = text.split_once(':') else { return false };
    let minutes = first_run(rest, u8::is_ascii_digit);
    let behind = rest[minutes.len()..].trim_start_matches(' ');
    let is_below = |digits: &str, most: u32| digits.len() <= 2 && digits.parse().is_ok_and(|number: u32| number < most);
    let aged = listed!(first_word(behind), "m f yo y yom yof year yr male female man woman");
    is_below(hour, 24) && minutes.len() == 2 && is_below(minutes, 60) && !aged
}

/// Judges `room`, `bed`, `ward` and their like.
pub(super) fn unit(sentence: &str, hit: Hit, findings: &mut Findings) {
    let word = &sentence[hit.start..hit.end];
    let rest = &sentence[hit.end..];
    if is_one_of(word, &["floor", "flr", "fl"]) && ordinal_floor(sentence, hit, findings) {
        return;
    }
    let intensive = listed!(word, "icu nicu micu sicu picu ccu cvicu cticu ticu neuroicu pacu");
    let weak = listed!(word, "or unit bay level station exam hall wing tower floor flr suite ste building bldg");
    let capital = word.as_bytes()[0].is_ascii_uppercase();
    let value = match NUMBER.captures(rest).and_then(|captures| captures.get(1)) {
        Some(value) => value,
        None if listed!(word, "room bed ward pod building bldg wing tower suite") && capital => {
            match LETTER.captures(rest).and_then(|captures| captures.get(1)) {
                Some(value) => value,
                None => return,
            }
        }
        None => {
            if listed!(word, "unit ward")
                && let Some(name) = FIELD.captures(rest).and_then(|captures| captures.get(1))
                && !listed!(first_word(name.as_str()), GIVEN_BY_THE_UNIT)
            {
                findings.add(hit.end + name.start()..hit.end + name.end(), Label::Hospital, 0.7);
            } else if intensive
                && capital
                && let Some(start) = wards::intensive_start(sentence, hit)
            {
                findings.add(start..hit.end, Label::Hospital, 0.8);
            } else if intensive
                && capital
                && let Some(end) = wards::lettered_end(sentence, hit)
            {
                findings.add(hit.start..end, Label::Hospital, 0.7);
            }
            return;
        }
    };
    let end = hit.end + value.end();
    // `found on bathroom floor 08:25`, `to bed 22:30`: when it was; but `Room 14:82 yo M`.
    if is_clock(&sentence[hit.end + value.start()..]) {
        return;
    }
    // `in treatment rm. 0200 38.1`: the end of a sentence, and when it was; but `moved to Rm. 0412`.
    let link = &rest[..value.start()];
    if link.starts_with(". ") && !capital && value.as_str().len() == 4 && value.as_str().starts_with('0') {
        return;
    }
    let next = byte_at(sentence, end);
    let glued = value.start() == 0 && !capital;
    let decimal = matches!(next, b'.' | b',') && byte_at(sentence, end + 1).is_ascii_digit()
        || matches!(next, b'%' | b'/' | b'+');
    let amount = listed!(
        word_after(sentence, end),
        "mg ml days units hours weeks times prbc prbcs ffp minutes per years months mcg x cc more am pm feet \
         blood cryo platelets pints mm cm vs degrees tabs tablets pillows",
    );
    // `ICU 14` is a bed; `icu`, `ICU 2019` and `FL 33101` are not.
    let no_bed = (intensive || word.eq_ignore_ascii_case("fl"))
        && (!capital
            || value.as_str().len() > 2 + usize::from(value.as_str().contains('-')) * 2
            || word.len() == 2
            || listed!(word_after(sentence, end), "nights day night wks hrs hr h d y yrs"));
    let postoperative =
        word == "POD" || no_bed || word == "OR" && listed!(word_after(sentence, end), "h hr hrs wk wks d");
    if postoperative || decimal || glued || amount || findings.covers(&(hit.start..end)) {
        return;
    }
    let operating = word == "OR"
        && value.as_str().len() <= 2
        && !is_one_of(word_before(sentence, hit.start), &["and", "adjusted", "the"])
        || word != "OR" && !word.eq_ignore_ascii_case("or");
    if !operating
        || weak && !capital && !is_one_of(word, &["unit", "bay", "suite", "floor"])
        || is_one_of(word, &["exam"])
    {
        return;
    }
    let counted = is_one_of(word, &["unit", "level"])
        && listed!(word_before(sentence, hit.start), "one per blood trauma pain prothrombin");
    // `Level 1 trauma`, `Level 4 nodes`, `Unit 2 of PRBC`
    let graded = word.eq_ignore_ascii_case("level")
        && listed!(
            word_after(sentence, end),
            "trauma evidence node nodes us ultrasound activation alert ed dissection care neck center nicu of ii iii lymph",
        )
        || word.eq_ignore_ascii_case("unit") && word_after(sentence, end).eq_ignore_ascii_case("of");
    if counted || graded {
        return;
    }
    let score = if weak { 0.7 } else { 0.9 };
    if is_one_of(word, &["building", "bldg", "tower", "hall"]) {
        findings.add(hit.start..end, Class { label: Label::LocationOther, kind: Kind::LocationUnit }, score);
    } else {
        let start = unit_start(sentence, hit);
        findings.add(start..end, Label::Hospital, score);
    }
}

/// Where a unit begins that has more to its name: `side room 4`, `T6 SICU bed 11`, `3 Birch bed 12`.
fn unit_start(sentence: &str, hit: Hit) -> usize {
    let word = &sentence[hit.start..hit.end];
    let lead = word_before(sentence, hit.start);
    let start = offset_in(sentence, lead);
    let beside = sentence[start + lead.len()..hit.start] == *" ";
    match () {
        () if listed!(word, "room rm")
            && beside
            && listed!(lead, "side procedure delivery operating treatment isolation echo") =>
        {
            start
        }
        () if word.eq_ignore_ascii_case("bed") => wards::floor_before_bed(sentence, hit).unwrap_or(hit.start),
        () if listed!(word, "icu micu sicu nicu picu ccu cvicu cticu ticu") => {
            wards::intensive_start(sentence, hit).unwrap_or(hit.start)
        }
        () => hit.start,
    }
}

/// Judges `unit no.` before the number of a record or of a bag: `UNIT NO: 391882`.
pub(super) fn record_number(sentence: &str, hit: Hit, findings: &mut Findings) {
    static LINK: LazyLock<Regex> = LazyLock::new(|| anchored(r"\s?(?:no|nos|number|num)\b[.:#\s]*"));
    if !sentence[hit.start..hit.end].eq_ignore_ascii_case("unit") {
        return;
    }
    let Some(link) = LINK.find(&sentence[hit.end..]) else { return };
    let start = hit.end + link.end();
    let Some(end) = value_end(sentence, start) else { return };
    let digits = sentence[start..end].bytes().filter(u8::is_ascii_digit).count();
    if digits >= 5 && !findings.covers(&(start..end)) {
        let plain = sentence.as_bytes()[start].is_ascii_digit();
        findings.add(start..end, if plain { Label::MedicalRecord } else { Label::IdNum }, 0.9);
    }
}

/// `4th floor`, unless someone lives there.
fn ordinal_floor(sentence: &str, hit: Hit, findings: &mut Findings) -> bool {
    let before = sentence[..hit.start].trim_end_matches([' ', '-']);
    let suffix = ["st", "nd", "rd", "th"].iter().any(|suffix| before.to_ascii_lowercase().ends_with(suffix));
    if !suffix || hit.start - before.len() > 2 {
        return false;
    }
    let number = &before[..before.len() - 2];
    let digits = number.bytes().rev().take_while(u8::is_ascii_digit).count();
    let start = number.len() - digits;
    let home = sentence[..start].split(|c: char| !c.is_ascii_alphabetic()).any(|word| {
        listed!(word, "lives living live resides apartment apt fell fall jumped home house climbs climb stairs walks")
    }) || listed!(word_after(sentence, hit.end), "apartment apt walkup walk window balcony condo flat");
    let free = !byte_before(sentence, start).is_ascii_alphanumeric();
    if !(1..=2).contains(&digits) || !free || home || findings.covers(&(start..hit.end)) {
        return false;
    }
    findings.add(start..hit.end, Label::Hospital, 0.7);
    true
}

/// Judges a compass point or tower after a number: `4 West`, `5N`, `3 South Tower`.
pub(super) fn wing(sentence: &str, hit: Hit, findings: &mut Findings) {
    let word = &sentence[hit.start..hit.end];
    let bytes = sentence.as_bytes();
    let gap = bytes[..hit.start].iter().rev().take_while(|byte| **byte == b' ').count();
    let end_of_number = hit.start - gap.min(1);
    let digits = bytes[..end_of_number].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let start = end_of_number - digits;
    let short = word.len() <= 2;
    if gap > 1
        || !(1..=2).contains(&digits)
        || !word.as_bytes()[0].is_ascii_uppercase()
        || short && gap == 1
        || findings.covers(&(start..hit.end))
    {
        return;
    }
    let before = byte_before(sentence, start);
    let lead = word_before(sentence, start);
    let mover = listed!(lead, "to from on unit floor ward in transferred at admitted room of via");
    let free = !before.is_ascii_alphanumeric() && !matches!(before, b'.' | b'/' | b'-' | b'$' | b'#');
    let after = byte_at(sentence, hit.end);
    if free
        && !after.is_ascii_alphanumeric()
        && after != b'/'
        && (mover || !short && matches!(word, "West" | "East" | "North" | "South" | "Tower"))
        && !(short && matches!(word, "C" | "F" | "M" | "S" | "E" | "W") && !mover)
    {
        findings.add(start..hit.end, Label::Hospital, if mover { 0.8 } else { 0.6 });
    }
}
