//! Roads and crossings told by number: `on I-80 westbound`, `US-23`, `Rt 49`, `mile marker 61.5`, `exit 147`, `on West 11th`,
//! `1120 1/2 E. 3rd`, `1300 block Tyler`, `PSC 802 Box 74, APO AE 09499`.
//!
//! `I-131` is iodine, `US` an ultrasound and `Rt` the right side, so that a road asks for a word of the way beside it.

use std::sync::LazyLock;

use regex::Regex;

use super::context::{byte_at, byte_before, word_after, word_before};
use super::expression;
use super::findings::Findings;
use super::survey::{Chain, Survey};
use super::years::unit_follows;
use crate::detect::listed::listed;
use crate::phi::{Class, Kind, Label};

/// What a numbered road is written with, right before its number.
static ROAD: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:(?-i:(?:I|US|U\.S\.|SR|CR|FM)-|(?:Rt|RT|Rte|RTE|SR|CR|FM)[ -]|US )|(?:state |us |county )?(?:rte|route|hwy|highway|interstate)[ -]|county (?:road|rd|rte) |(?-i:Road) )$",
    )
});
/// A numbered street behind a compass point.
static COMPASS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:[0-9]{1,5}(?: 1/2)? |(?:on|off|at|near|to|from) )(?-i:(?:North|South|East|West|[NSEW]\.?) [0-9]{1,3}(?:st|nd|rd|th))\b",
    )
});
/// `1300 block Tyler`, `400 block of N. Alder St`: a stretch of a street.
static BLOCK: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b[1-9][0-9]{0,2}00 block (?:of )?(?-i:(?:[NSEW]\.? )?[A-Z][A-Za-z'-]+)(?: (?-i:St|Ave|Rd|Blvd|Dr|Ln|Way|Street|Avenue|Road|Drive|Lane|Boulevard)\b)?",
    )
});
/// Addresses of the forces abroad.
static FORCES: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:psc|cmr|unit) [0-9]{1,5},? box [0-9]{1,5}\b|\b(?-i:([AFD]PO),? (A[AEP]),? (0?9[0-9]{3,4}|340[0-9]{2}))\b",
    )
});

const LANDMARK: Class = Class { label: Label::LocationOther, kind: Kind::LocationLandmark };

/// Judges the numbers of a sentence as those of roads.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for chain in &survey.chains {
        if chain.count <= 2 && !findings.covers(&chain.range()) {
            road(sentence, chain, findings);
            marker(sentence, chain, findings);
        }
    }
    if memchr::memmem::find(sentence.as_bytes(), b"00 block ").is_some() {
        for found in BLOCK.find_iter(sentence).filter(|found| !findings.covers(&found.range())).collect::<Vec<_>>() {
            findings.add(found.range(), Label::Street, 0.85);
        }
    }
    if survey.hits.iter().any(|hit| byte_before(sentence, hit.start).is_ascii_digit()) {
        for found in COMPASS.find_iter(sentence) {
            let text = found.as_str();
            let lead = if byte_at(text, 0).is_ascii_digit() { 0 } else { text.find(' ').map_or(0, |blank| blank + 1) };
            let range = found.start() + lead..found.end();
            let body = listed!(
                word_after(sentence, found.end()),
                "rib ribs toe toes finger digit metatarsal metacarpal mt intercostal ics space floor grade cranial nerve",
            );
            if !body && !findings.covers(&range) {
                findings.add(range, Label::Street, 0.75);
            }
        }
    }
    if survey.digits >= 5 {
        forces(sentence, findings);
    }
}

/// `on I-80 westbound`, `kept dropping on US-23`, `rock slide on Rt 49`.
fn road(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let digits = chain.end - chain.start;
    let head = &sentence[..chain.start];
    if chain.count != 1 || digits > 4 || byte_at(sentence, chain.end).is_ascii_alphanumeric() {
        return;
    }
    if !may_be_road(head) {
        return;
    }
    let Some(found) = ROAD.find(head) else { return };
    let iodine = found.as_str().starts_with('I') && listed!(&sentence[chain.range()], "123 124 125 131");
    let before = word_before(sentence, found.start());
    let after = word_after(sentence, chain.end);
    let way = listed!(
        before,
        "on off near along via down of exit shoulder northbound southbound eastbound westbound nb sb eb wb up and & between @ at crash mva mvc rollover"
    ) || listed!(
        after,
        "westbound eastbound northbound southbound wb eb nb sb exit north south east west overpass ramp bridge mile and & @ near by closed closure shut"
    ) || sentence[chain.end..].starts_with(" at mile");
    // `Rte 9` is spelled as no side is.
    let kind = found.as_str().trim_end_matches([' ', '-']).rsplit(' ').next().unwrap_or_default();
    let few = digits < 2 && !listed!(kind, "rte route hwy highway interstate");
    let right = found.as_str().ends_with(' ') && (few || listed!(after, "fr french rib ribs"));
    // `metoprolol on CR 50`: a form of a drug, unless more than `on` or `off` tells a road.
    let taken = word_before(sentence, super::context::offset_in(sentence, before));
    let form = found.as_str().ends_with("R ") && found.as_str().len() == 3;
    let released =
        form && listed!(before, "on off") && !listed!(taken, "mvc mva crash accident rollover lives collision");
    // `on US 4 cm`: an ultrasound, unless the way goes on.
    let crossing = || {
        let other = sentence[chain.end..].strip_prefix(" and ");
        other.is_some_and(|other| other.starts_with(|letter: char| letter.is_ascii_uppercase()))
    };
    let onward = || {
        listed!(after, "near northbound southbound eastbound westbound nb sb eb wb north south east west exit")
            || crossing()
    };
    let ultrasound = found.as_str() == "US " && !(digits == 3 && onward());
    if way
        && !released
        && !iodine
        && !ultrasound
        && !right
        && !unit_follows(sentence, chain.end)
        && !byte_at(sentence, chain.end + 1).is_ascii_digit()
    {
        findings.add(found.start()..chain.end, Label::Street, 0.8);
    }
}

/// Whether a text ends in a blank or a dash behind the last letters of what a numbered road is written with; never no where it ends so.
fn may_be_road(head: &str) -> bool {
    let Some(kind) = head.strip_suffix([' ', '-']) else { return false };
    let kind = kind.trim_end_matches('.');
    let letters = kind.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    listed!(&kind[kind.len() - letters..], "i us s sr cr fm rt rte route hwy highway interstate road rd")
}

/// `at mile marker 61.5`, `near exit 147`, `MM 61`.
fn marker(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let before = word_before(sentence, chain.start);
    if byte_before(sentence, chain.start) != b' ' || chain.end - chain.start > 6 {
        return;
    }
    let at = super::context::offset_in(sentence, before);
    let lead = word_before(sentence, at);
    let mile = listed!(before, "marker post") && listed!(lead, "mile");
    let exit = listed!(before, "exit") && listed!(lead, "near at off past");
    let counted = unit_follows(sentence, chain.end) || listed!(word_after(sentence, chain.end), "o'clock wks");
    if (mile || exit) && !counted {
        let start = if mile { super::context::offset_in(sentence, lead) } else { at };
        findings.add(start..chain.end, LANDMARK, 0.75);
    }
}

/// `PSC 802 Box 74, APO AE 09499`.
fn forces(sentence: &str, findings: &mut Findings) {
    for captures in FORCES.captures_iter(sentence) {
        let Some(whole) = captures.get(0) else { continue };
        match (captures.get(1), captures.get(2), captures.get(3)) {
            (Some(office), Some(state), Some(zip)) => {
                findings.add(office.range(), Label::City, 0.9);
                findings.add(state.range(), Label::State, 0.9);
                if !findings.covers(&zip.range()) {
                    findings.add(zip.range(), Label::Zip, 0.95);
                }
            }
            _ if !findings.covers(&whole.range()) => findings.add(whole.range(), Label::Street, 0.9),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn places(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Street, Label::LocationOther, Label::City, Label::State, Label::Zip])
    }

    #[test]
    fn roads_and_crossings() {
        assert_eq!(places("found on the shoulder of I-80 westbound near exit 147"), ["I-80", "exit 147"]);
        assert_eq!(places("kept dropping on US-23"), ["US-23"]);
        assert_eq!(places("rock slide on Rt 49 at dusk"), ["Rt 49"]);
        assert_eq!(places("cannot come if I-94 closed"), ["I-94"]);
        assert_eq!(places("crash on US 441 near the mill"), ["US 441"]);
        assert_eq!(places("crash on Rte 9 near the mill"), ["Rte 9"]);
        assert_eq!(places("the peach place off Road 26 near the mill"), ["Road 26"]);
        assert_eq!(places("rolled at mile marker 61.5"), ["mile marker 61.5"]);
        assert_eq!(places("store called 911. 1300 block Tyler"), ["1300 block Tyler"]);
        assert_eq!(places("down in the 400 block of N. Alder St, cold"), ["400 block of N. Alder St"]);
        assert_eq!(places("Rt 2 Box 118-C, home"), ["Rt 2 Box 118-C"]);
        assert_eq!(places("lives 22 1/2 Calle Sombra, upstairs"), ["22 1/2 Calle Sombra"]);
        assert_eq!(places("her son's on West 11th"), ["West 11th"]);
        assert_eq!(places("lives 1120 1/2 E. 3rd, rear"), ["1120 1/2 E. 3rd"]);
        assert_eq!(places("PSC 802 Box 74, APO AE 09499"), ["PSC 802 Box 74", "APO", "AE", "09499"]);
    }

    #[test]
    fn what_is_no_road() {
        for sentence in [
            "treated with I-131 in",
            "on US 4 cm mass",
            "seen on US 12 weeks ago",
            "noted on US 141 and stable",
            "metoprolol on CR 50",
            "off SR 150",
            "pain on Rt 4th finger",
            "on Rt 9 in the chest",
            "I-125 seeds on board",
            "exit site 3",
            "exit 2 cm below",
        ] {
            assert_eq!(places(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
