//! Areas of a hospital by their kind and number, and its wings by their floor: `CDU-7`, `to IR 3`, `6 Tower`.
//!
//! The same letters and numbers are scans, doses, ratios and scores, so an ambiguous one asks for a word of going or being there.

use super::context::{byte_at, byte_before, word_after, word_before};
use super::findings::Findings;
use super::rooms::{ends_in_arrow, is_free, with_letter};
use super::survey::{Chain, Survey};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// Areas whose abbreviation is hardly anything else.
const AREAS: &str = "micu sicu ccu cvicu cticu nicu picu pacu icu cdu ldr ldrp resus tcu pcu imcu sdu bmt hdu itu amu sau mau eau dsu ecu emu \
                     sticu ticu nsicu nccu pccu ccicu msicu cvu ctu ltac vitu hobs obsunit stepdown step-down l&d";
/// Areas that are named like a specialty, a scan or an everyday word: only where somebody goes or is.
const VAGUE_AREAS: &str = "ed er ct ir or ft wr tr dr xr ep us mr obs peds ortho neuro rehab onc tele med surg medsurg triage trauma hall hallway \
                           lobby seclusion angio endo fluoro nursery cubicle booth stall slot stn operatory infusion dialysis \
                           lounge pre-op preop post-op gi gyn ob mb obgyn cardiac psych bh detox vascular cysto";
/// Words after which somebody goes to an area, or is moved there.
const GOING: &str = "to from into via placed room rm bed boarding board moved moving loc location obs transport xfer transfer send sent took \
                     taken roomed outside assigned assign called";
/// Words after which an area may stand, where nothing is counted behind it.
const BEING: &str = "in at on near";
/// Who is in an area, and what is said of it, right behind it.
const SAID_OF: &str = "called calling nurse rn rns charge desk bed beds staff team secretary clerk full empty huddle handoff census board \
                       dirty paged asking report holding";
/// Wards by their whole name: only with the three digits of a room, where somebody is.
const ROOMED: &str = "postpartum antepartum maternity pediatrics oncology orthopedics telemetry medsurg";
/// Areas whose letters are also the form of a drug: `oxycodone IR 5`.
const RELEASES: &str = "er ir xr dr";
/// Words behind a wing.
const WINGS: &str =
    "north south east west tower main center central pavilion annex northeast northwest southeast southwest";

/// Adds the areas and wings.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for chain in &survey.chains {
        if chain.count != 1 || chain.end - chain.start > 4 || findings.covers(&chain.range()) {
            continue;
        }
        if let Some(range) = numbered_area(sentence, chain).or_else(|| wing(sentence, chain)) {
            findings.add(range, Label::Hospital, 0.7);
        }
    }
}

/// `CDU-7`, `MICU 8`, `LDR4`, `to IR 3`, `boarding in ED 31`, `Peds 6 called`, `Dialysis stn 11`.
fn numbered_area(sentence: &str, chain: &Chain) -> Option<std::ops::Range<usize>> {
    let end = with_letter(sentence, chain.end);
    let head = &sentence[..chain.start];
    let head = head.strip_suffix([' ', '-']).unwrap_or(head);
    let word =
        &head[head.len() - head.bytes().rev().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'&').count()..];
    let start = head.len() - word.len();
    let glued = chain.start == start + word.len();
    // `to PACU 13:08`
    let clock = byte_at(sentence, end) == b':' && byte_at(sentence, end + 1).is_ascii_digit();
    if chain.end - chain.start > 3
        || clock
        || !is_free(sentence, end)
        || word.is_empty()
        || byte_before(sentence, start).is_ascii_alphanumeric()
    {
        return None;
    }
    // `NICU 9d`, `to XR 500`: how long, and how much.
    if sentence[chain.end..end].ends_with('d') || listed!(word, RELEASES) && chain.end - chain.start > 2 {
        return None;
    }
    let capitals = word.bytes().all(|byte| !byte.is_ascii_lowercase());
    let written = word.starts_with(|letter: char| letter.is_ascii_uppercase());
    let lead = word_before(sentence, start);
    let ends = sentence[end..].trim().is_empty()
        || matches!(byte_at(sentence, end), b',' | b'.' | b';' | b')' | b'\n' | b':')
        || listed!(word_after(sentence, end), "since overnight until till awaiting");
    let said = listed!(word_after(sentence, end), SAID_OF);
    let goes = listed!(lead, GOING) || ends_in_arrow(&sentence[..start]);
    let spoken_of =
        || goes || !listed!(word, RELEASES) && (said || listed!(lead, BEING) && ends || points_on(&sentence[end..]));
    // `CT2` and `TRAUMA2` are as often a scan or a name; `IR 3` is written large.
    let apart = !glued || word.len() == 3;
    let fits = if listed!(word, AREAS) {
        capitals || written || spoken_of()
    } else {
        listed!(word, VAGUE_AREAS) && (capitals || word.len() > 3 || written && word.len() > 2) && apart && spoken_of()
            || !glued && written && is_roomed(word, lead, chain)
            || !glued && ends && is_of_field(sentence, word, lead)
    };
    fits.then(|| qualified_start(sentence, start)..end)
}

/// Whether a ward and three digits are a room: `mom still Postpartum 314`.
fn is_roomed(ward: &str, lead: &str, chain: &Chain) -> bool {
    listed!(ward, ROOMED) && chain.end - chain.start == 3 && listed!(lead, "still in on at to from now remains")
}

/// Whether an area closes the field of its kind: `Lab: Cath 2`, and of dialysis `sta 12`.
fn is_of_field(sentence: &str, area: &str, lead: &str) -> bool {
    let dialysis = || {
        let mut words = sentence.split(|c: char| !c.is_ascii_alphabetic());
        words.any(|word| listed!(word, "dialysis hemodialysis hd davita fresenius"))
    };
    listed!(area, "cath angio ep") && listed!(lead, "lab suite") || listed!(area, "sta stn") && dialysis()
}

/// Whether an arrow to a place follows; one to a number changes a dose.
fn points_on(text: &str) -> bool {
    let text = text.trim_start();
    let behind = ["->", "=>", "→"].iter().find_map(|arrow| text.strip_prefix(arrow));
    behind.is_some_and(|rest| rest.trim_start().starts_with(char::is_alphabetic))
}

/// Where an area begins whose kind stands before it: `Neuro ICU 3`, `Dialysis stn 11`, `Infusion bay 6`.
fn qualified_start(sentence: &str, start: usize) -> usize {
    let before = word_before(sentence, start);
    let at = super::context::offset_in(sentence, before);
    let beside = sentence.get(at + before.len()..start) == Some(" ");
    let kind = listed!(
        before,
        "neuro dialysis infusion trauma peds surgical medical cardiac burn recovery chemo waiting psych adult hybrid"
    );
    if beside && kind && before.starts_with(char::is_uppercase) { at } else { start }
}

/// `11 North`, `unit clerk 6 Tower`, `called from 6 main`: a floor with its wing.
fn wing(sentence: &str, chain: &Chain) -> Option<std::ops::Range<usize>> {
    let rest = sentence[chain.end..].strip_prefix(' ')?;
    let word = &rest[..rest.bytes().take_while(u8::is_ascii_alphabetic).count()];
    let end = chain.end + 1 + word.len();
    let tele = listed!(word, "tele");
    if chain.end - chain.start > 2 || !(listed!(word, WINGS) || tele) || byte_at(sentence, end) == b'-' {
        return None;
    }
    let next = word_after(sentence, end);
    // `4 West Main St` is an address.
    let address = next.starts_with(char::is_uppercase) && byte_at(sentence, end) == b' '
        || Lexicon::shared().word(next).is(WordFlags::STREET_SUFFIX);
    let mark = byte_before(sentence, chain.start);
    let clear = matches!(mark, b' ' | b'\n' | b'/' | b'(' | b':' | b'>' | b'@' | b'|');
    let lead = word_before(sentence, chain.start);
    let led = listed!(
        lead,
        "to in from on at unit floor clerk nurse rn called loc location is transfer xfer mom dad fl covering covers"
    ) || matches!(mark, b'/' | b'>' | b'@' | b':')
        || ends_in_arrow(&sentence[..chain.start])
        || sentence[..chain.start].trim_end().ends_with([':', '/', '@', '|']);
    let ends = matches!(byte_at(sentence, end), b',' | b'.' | b';' | b')' | b'\n' | b'|' | b'/')
        || sentence[end..].trim().is_empty();
    let opens = chain.start == 0 && (ends || listed!(next, SAID_OF));
    let written = word.starts_with(char::is_uppercase) && !tele && !listed!(word, "main center central");
    let fits = led && (ends || written || listed!(next, SAID_OF) || next.is_empty()) || written && (ends || opens);
    (clear && fits && (!address || ends)).then_some(chain.start..end)
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn places_by_number() {
        for (sentence, places) in [
            ("moved to obs CDU-7 overnight", &["CDU-7"] as &[&str]),
            ("boarding in ED 31 since noon", &["ED 31"]),
            ("Trauma done -> CT 2 -> IR 3", &["CT 2", "IR 3"]),
            ("Peds 6 called for meds", &["Peds 6"]),
            ("unit clerk 6 Tower", &["6 Tower"]),
            ("BIENVENU,M/26F/11 North", &["11 North"]),
            ("mom still Postpartum 314, dad home", &["Postpartum 314"]),
            ("Lab: Cath 2", &["Cath 2"]),
            ("dialysis run sheet, sta 12", &["sta 12"]),
            ("who is covering 7 Tower tonight", &["7 Tower"]),
        ] {
            assert_eq!(found(sentence, &[Label::Hospital]), places, "{sentence}");
        }
    }

    #[test]
    fn amounts_scores_and_addresses() {
        for sentence in [
            "OR 2.4 (CI 1.2-3)",
            "ER 3+ PR neg",
            "TR 2+ MR 1+",
            "CT 2 weeks ago",
            "seen in ED 3 times",
            "from ICU 14 days later",
            "two of the 2 main symptoms",
            "lives at 4 West Main St",
            "oxycodone IR 5 for pain",
            "metoprolol ER 25 -> 50",
            "quetiapine XR 50 tonight",
            "seen on CT 2 nodules",
            "in ED 12 lead EKG done",
            "ICU 2 more days",
            "TSH and FT 4",
            "Postpartum 314 mL lost",
            "went to cath 2 stents placed",
            "fetal head at sta 0, contractions q 3",
            "given by 2 Tylenol RN aware",
            "called at 4 Petrov RN, no answer",
            "report to 2 charge nurses",
        ] {
            assert_eq!(found(sentence, &[Label::Hospital]), [] as [&str; 0], "{sentence}");
        }
    }
}
