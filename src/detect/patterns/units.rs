//! Rooms, beds and wards that have a number: `Room 7A`, `bed 12`, `Rm 402-B`, `4 West`, `5N`.

use std::sync::LazyLock;

use regex::Regex;

use super::anchored;
use super::context::{byte_at, byte_before, is_listed, is_one_of, word_after, word_before};
use super::findings::Findings;
use super::survey::Hit;
use crate::phi::{Class, Kind, Label};

static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    anchored(r"\.?(?:\s+(?:number|no\.?))?\s*[:#]?\s*([a-z]{0,2}-?[0-9]{1,4}(?:[-/]?[a-z]|-[0-9]{1,2})?)\b")
});
static LETTER: LazyLock<Regex> = LazyLock::new(|| anchored(r"\s+((?-i:[A-Z]))(?:[\s.,;)]|$)"));

/// Judges `room`, `bed`, `ward` and their like.
pub(super) fn unit(sentence: &str, hit: Hit, findings: &mut Findings) {
    let word = &sentence[hit.start..hit.end];
    let rest = &sentence[hit.end..];
    let weak = is_listed(word, "or unit bay level station exam hall wing tower floor flr suite ste building bldg");
    let capital = word.as_bytes()[0].is_ascii_uppercase();
    let value = match NUMBER.captures(rest).and_then(|captures| captures.get(1)) {
        Some(value) => value,
        None if is_listed(word, "room bed ward pod building wing tower") && capital => {
            match LETTER.captures(rest).and_then(|captures| captures.get(1)) {
                Some(value) => value,
                None => return,
            }
        }
        None => return,
    };
    let end = hit.end + value.end();
    let next = byte_at(sentence, end);
    let glued = value.start() == 0 && !capital;
    let decimal = matches!(next, b'.' | b',') && byte_at(sentence, end + 1).is_ascii_digit()
        || matches!(next, b'%' | b'/' | b'+');
    let amount = is_listed(
        word_after(sentence, end),
        "mg ml days units hours weeks times prbc prbcs ffp minutes per years months mcg x cc more am pm feet \
         blood cryo platelets pints mm cm vs degrees tabs tablets pillows",
    );
    let postoperative = word == "POD";
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
    if is_one_of(word, &["unit", "level"])
        && is_listed(word_before(sentence, hit.start), "one per blood trauma pain prothrombin")
    {
        return;
    }
    let score = if weak { 0.7 } else { 0.9 };
    if is_one_of(word, &["building", "bldg", "tower", "hall"]) {
        findings.add(hit.start..end, Class { label: Label::LocationOther, kind: Kind::LocationUnit }, score);
    } else {
        findings.add(hit.start..end, Label::Hospital, score);
    }
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
    let mover = is_listed(lead, "to from on unit floor ward in transferred at admitted room of via");
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
