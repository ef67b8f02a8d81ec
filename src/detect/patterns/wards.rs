//! Wards by their codes: `T6 SICU`, `4E 418`, `8B bay 2`, `3 Birch bed 12`, `7N full`, `4S->6E`.
//!
//! A code of a letter and a number is a vertebra or a stage as often, so a unit, a bed or a move must stand beside it.

use super::context::{byte_at, byte_before, word_after, word_before};
use super::findings::Findings;
use super::survey::{Chain, Hit, Survey};
use super::years::unit_follows;
use crate::detect::listed::listed;
use crate::phi::Label;

/// Adds wards that begin with a number.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for chain in &survey.chains {
        if chain.count == 1 && !byte_before(sentence, chain.start).is_ascii_alphanumeric() {
            coded(sentence, chain, findings);
            in_one_word(sentence, chain, findings);
            told(sentence, chain, findings);
            named(sentence, chain, findings);
        }
    }
}

/// `7 Tower Oncology`, `5 South Tele`, `on 6 Ortho`, `Tower 6 South`: the number of a floor and what is there. One word asks for a preposition
/// or the like before it.
fn named(sentence: &str, chain: &Chain, findings: &mut Findings) {
    if chain.end - chain.start > 2 || byte_at(sentence, chain.end) != b' ' || byte_before(sentence, chain.start) == b'.'
    {
        return;
    }
    let mut end = chain.end;
    let mut words = 0;
    while let Some(length) = unit_word(&sentence[end..], words > 0) {
        (end, words) = (end + length, words + 1);
    }
    if words == 0 {
        return;
    }
    let lead = word_before(sentence, chain.start);
    let beside = sentence[..chain.start].strip_suffix(' ').is_some_and(|head| head.ends_with(lead));
    let building = beside && lead.starts_with(|c: char| c.is_ascii_uppercase()) && listed!(lead, BUILDINGS);
    let led = listed!(lead, "on to from at in off unit ward floor flr left via called loc location report")
        || chain.start == 0
        || sentence[..chain.start].ends_with(['\n', '(', '|', '>'])
        || sentence[..chain.start].ends_with(": ");
    if words > 1 || led || building {
        let start = if building { chain.start - lead.len() - 1 } else { chain.start };
        if !unit_follows(sentence, end)
            && !listed!(word_after(sentence, end), "consults consult cases patients pts notes")
        {
            findings.add(start..end, Label::Hospital, 0.75);
        }
    }
}

/// What floors are called by, first and further on.
const UNITS: &str = "tower pavilion annex ortho onc oncology tele telemetry neuro peds rehab cardiac stepdown psych palliative transplant";
const FURTHER: &str = "main center central icu med surg medical surgical medsurg nursing staff unit";
/// Buildings with a number and a wing.
const BUILDINGS: &str = "tower pavilion annex main";

/// How long the word of a unit that a text goes on with is, with the blank before it.
fn unit_word(rest: &str, further: bool) -> Option<usize> {
    let rest = rest.strip_prefix(' ')?;
    let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let word = &rest[..length];
    let capital = word.starts_with(|c: char| c.is_ascii_uppercase());
    let direction = listed!(word, "north south east west");
    let known = listed!(word, UNITS) || direction || further && listed!(word, FURTHER);
    (capital && known && !rest[length..].starts_with(|c: char| c.is_alphanumeric())).then_some(length + 1)
}

/// `4E 418`, `8B bay 2`, `12C SR2`, `transferred 8A to 9C`.
fn coded(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let letter = byte_at(sentence, chain.end);
    let end = chain.end + 1;
    let mark = byte_before(sentence, chain.start);
    let fits = chain.end - chain.start <= 2
        && matches!(letter, b'A'..=b'H' | b'N' | b'S' | b'W')
        && !byte_at(sentence, end).is_ascii_alphanumeric()
        && !matches!(byte_at(sentence, end), b'/' | b'-' | b'\'' | b'%')
        && !matches!(mark, b'.' | b'/' | b'-' | b'#' | b'$');
    if !fits {
        return;
    }
    let rest = &sentence[end..];
    let place = rest.strip_prefix(' ').map_or(0, |rest| bed_length(rest, matches!(letter, b'N' | b'S' | b'E' | b'W')));
    if place > 0 {
        let range = chain.start..end + 1 + place;
        if !unit_follows(sentence, range.end) && !stage_before(sentence, chain.start) {
            findings.add(range, Label::Hospital, 0.75);
        }
        return;
    }
    let lead = word_before(sentence, chain.start);
    let moved = || {
        sentence[..chain.start]
            .rsplit(|c: char| !c.is_ascii_alphabetic())
            .filter(|word| !word.is_empty())
            .take(5)
            .any(|word| listed!(word, "transferred transfer moved admitted adm xfer tx ward transferring"))
    };
    if (listed!(lead, "transferred moved xfer ward")
        || listed!(lead, "to from on") && (moved() || is_monitored(&sentence[end..])))
        && !unit_follows(sentence, end)
        && !findings.covers(&(chain.start..end))
    {
        findings.add(chain.start..end, Label::Hospital, 0.7);
    }
}

/// Whether somebody is watched there: `to 8B w/ tele`.
fn is_monitored(rest: &str) -> bool {
    let rest = rest.trim_start_matches(' ');
    ["w/ tele", "with tele", "on tele", "for tele", "w/ monitor", "for obs"].iter().any(|told| rest.starts_with(told))
}

/// `Rosario in 8E07`, `to 5W18`: floor, wing and room in one word, behind a preposition.
fn in_one_word(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let room = &sentence.as_bytes()[(chain.end + 1).min(sentence.len())..];
    let digits = room.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = chain.end + 1 + digits;
    let fits = chain.end - chain.start <= 2
        && matches!(byte_at(sentence, chain.end), b'A'..=b'H' | b'N' | b'S' | b'W')
        && digits == 2
        && byte_before(sentence, chain.start) == b' '
        && !byte_at(sentence, end).is_ascii_alphanumeric();
    let led = listed!(word_before(sentence, chain.start), "in to from at room rm loc location bed");
    if fits && led && !unit_follows(sentence, end) && !findings.covers(&(chain.start..end)) {
        findings.add(chain.start..end, Label::Hospital, 0.7);
    }
}

/// `7N full`, `4S->6E`, `5W huddle`: the code of a ward where it is told what goes on there.
fn told(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let end = chain.end + 1;
    let letter = matches!(byte_at(sentence, chain.end), b'N' | b'S' | b'E' | b'W');
    let fits = chain.end - chain.start <= 2
        && letter
        && !byte_at(sentence, end).is_ascii_alphanumeric()
        && matches!(byte_before(sentence, chain.start), b' ' | b'\n' | b'>' | b'(' | b'"');
    if !fits {
        return;
    }
    let rest = sentence[end..].trim_start_matches(' ');
    let arrow =
        rest.starts_with("->") || rest.starts_with('→') || super::rooms::ends_in_arrow(&sentence[..chain.start]);
    let said = listed!(
        word_after(sentence, end),
        "full short census huddle charge handoff nurse rn rns staff desk team secretary clerk called calling beds tele report board down",
    ) && byte_at(sentence, end) == b' ';
    if (arrow || said) && !findings.covers(&chain.range()) {
        findings.add(chain.start..end, Label::Hospital, 0.7);
    }
}

/// The length of a bed or room after the code of a ward: `bay 2`, `SR5`, and after a wing a bare number: `418`.
fn bed_length(rest: &str, wing: bool) -> usize {
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let gap = usize::from(letters > 0 && rest.as_bytes().get(letters) == Some(&b' '));
    let digits = rest[letters + gap..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = letters + gap + digits;
    end += usize::from(matches!(byte_at(rest, end), b'A'..=b'D'));
    let free = !byte_at(rest, end).is_ascii_alphanumeric()
        && !matches!(byte_at(rest, end), b'/' | b'%' | b':' | b'.' if byte_at(rest, end + 1).is_ascii_digit());
    let bed = match letters {
        0 => wing && (2..=3).contains(&digits),
        _ => (1..=3).contains(&digits) && listed!(&rest[..letters], "bay bed bd room rm sr side cubicle chair"),
    };
    if bed && free { end } else { 0 }
}

fn stage_before(sentence: &str, at: usize) -> bool {
    listed!(word_before(sentence, at), "stage grade type class gleason level pt ct figure fig table exhibit")
}

/// The start of the code before an intensive unit: `T6 SICU`, `5 MICU`; the start of the unit where there is none.
pub(super) fn intensive_start(sentence: &str, hit: Hit) -> Option<usize> {
    let head = sentence[..hit.start].strip_suffix(' ')?;
    let token = &head[head.len() - head.bytes().rev().take_while(u8::is_ascii_alphanumeric).count()..];
    let start = head.len() - token.len();
    let coded = (2..=3).contains(&token.len())
        && token.starts_with(|c: char| c.is_ascii_uppercase())
        && token[1..].bytes().all(|byte| byte.is_ascii_digit());
    if coded {
        return Some(start);
    }
    // `Tower 6 SICU`
    let numbered = (1..=2).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_digit());
    let tower = word_before(sentence, start);
    (numbered && listed!(tower, "tower pavilion") && byte_before(sentence, start) == b' ')
        .then(|| super::context::offset_in(sentence, tower))
}

/// `PACU B till 18:00`: the letter of a recovery area.
pub(super) fn lettered_end(sentence: &str, hit: Hit) -> Option<usize> {
    let rest = sentence[hit.end..].strip_prefix(' ')?;
    let letter = rest.starts_with(|c: char| ('B'..='D').contains(&c))
        || rest.starts_with('A') && listed!(word_after(rest, 1), "until till at for from bed and then")
        || rest.starts_with('A') && rest[1..].trim_start().is_empty();
    let precaution = listed!(word_after(rest, 1), "diff difficile spine section collar cell strep");
    (letter
        && !precaution
        && !byte_at(rest, 1).is_ascii_alphanumeric()
        && !matches!(byte_at(rest, 1), b'&' | b'/' | b'-' | b'.'))
    .then_some(hit.end + 2)
}

/// `3 Birch bed 12`: a floor with its name, after a verb of moving.
pub(super) fn floor_before_bed(sentence: &str, hit: Hit) -> Option<usize> {
    let head = sentence[..hit.start].strip_suffix(' ')?;
    let name = &head[head.len() - head.bytes().rev().take_while(u8::is_ascii_alphabetic).count()..];
    let before = head[..head.len() - name.len()].strip_suffix(' ')?;
    let digits = before.bytes().rev().take_while(u8::is_ascii_digit).count();
    let start = before.len() - digits;
    let capital =
        name.len() > 3 && name.starts_with(|c: char| c.is_ascii_uppercase()) && !listed!(name, "beds pods tele");
    let led = listed!(word_before(sentence, start), "to from on in at loc location unit");
    (capital && led && (1..=2).contains(&digits) && byte_before(sentence, start) == b' ').then_some(start)
}

#[cfg(test)]
mod tests {
    #[test]
    fn floors_by_what_is_there() {
        for (sentence, unit) in [
            ("Requested by Anselm, RN, 7 Tower Oncology.", "7 Tower Oncology"),
            ("left Tower 6 South, has", "Tower 6 South"),
            ("Called to 5 South Tele 06:18", "5 South Tele"),
            ("moved to 6 Ortho for rehab", "6 Ortho"),
        ] {
            assert_eq!(super::super::golden::found(sentence, &[crate::phi::Label::Hospital]), [unit], "{sentence}");
        }
        for sentence in ["seen by 2 Ortho residents", "to 3 Psych consults", "0.2 Tele strips"] {
            assert_eq!(super::super::golden::found(sentence, &[crate::phi::Label::Hospital]), [""; 0], "{sentence}");
        }
    }

    use crate::detect::SentenceDetector;
    use crate::detect::patterns::PatternDetector;
    use crate::phi::{Label, unite};

    fn wards(sentence: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        PatternDetector::new().detect(sentence, &mut spans);
        unite(spans)
            .iter()
            .filter(|span| span.leading().class.label == Label::Hospital)
            .map(|span| &sentence[span.start..span.end])
            .collect()
    }

    #[test]
    fn wards_with_what_stands_beside_them() {
        for (sentence, ward) in [
            ("report to T5 MICU", "T5 MICU"),
            ("5W 212  · Wt 80 kg", "5W 212"),
            ("C0311227  88F  7A bay 4", "7A bay 4"),
            ("12C SR2 for review", "12C SR2"),
            ("recovery in PACU B until 1700", "PACU B"),
            ("isolated in side room 4", "side room 4"),
            ("adm to 2 Maple bed 8", "2 Maple bed 8"),
            ("7N full, hold in ED", "7N"),
            ("to 8B w/ tele, belongings with son", "8B"),
        ] {
            assert_eq!(wards(sentence), [ward], "{sentence}");
        }
        assert_eq!(wards("transferred 8A to 9C"), ["8A", "9C"]);
        assert_eq!(wards("4S->6E for obs"), ["4S", "6E"]);
    }

    #[test]
    fn floor_wing_and_room_in_one_word() {
        assert_eq!(wards("called re Rosario, V in 8E07 for K 6.1"), ["8E07"]);
        assert_eq!(wards("the 2D10 transducer"), [] as [&str; 0]);
    }

    #[test]
    fn stages_vertebrae_and_days_are_no_wards() {
        for sentence in [
            "stage 3B 200 mg",
            "T6 level, L4-5 fusion, POD 3",
            "grade 2A bed rest",
            "progressed to 3B with pain",
            "cough > 2W",
            "10E 500 mg",
            "he spent 2 nights in ICU",
            "3 beds free",
        ] {
            assert_eq!(wards(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
