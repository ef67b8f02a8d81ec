//! Where people live, told in fewer words than a street line: `9 Tanners Fold, HX7`, `next door at no. 11`, `HX7 8QE not 8QD`,
//! `BIRTHPLACE OR`, `on 3rd st`, `walgreens on grand ave`.

use std::sync::LazyLock;

use regex::Regex;

use super::context::{byte_at, byte_before, offset_in, word_before};
use super::expression;
use super::findings::Findings;
use super::survey::{Chain, Hit, Survey};
use crate::detect::listed::listed;
use crate::lexicon::Lexicon;
use crate::phi::Label;

/// Ends of British street names that are ordinary words, so that a house number and a comma or line end must stand around.
const BRITISH_ENDS: &str = "fold croft brow rise mount dene gate wynd vennel brae garth bank side green yard chase field fields \
                            hey royd view top nook fields bottom edge moor head dale wharf quay parade villas cottages mead \
                            leigh lea holme thorpe walk hill";

/// Adds houses whose number begins the line or follows `no.`.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits > 0 {
        development(sentence, findings);
    }
    for chain in &survey.chains {
        if chain.count == 1 && chain.end - chain.start <= 4 && !findings.covers(&chain.range()) {
            british_line(sentence, chain, findings);
            numbered_house(sentence, chain, findings);
        }
    }
}

/// A line of an address in Puerto Rico: `URB VILLA FONTANA 4HN-7 VIA 38`, `COND EL PONCE APT 4`.
fn development(sentence: &str, findings: &mut Findings) {
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        expression(
            r"(?-i:(?:^|\n|,\s)\s*((?:URB|COND|BO|PARC|Urb|Cond|Parc)\.? [A-Z][A-Za-z .#-]*[0-9][A-Za-z0-9 #-]*))\s*(?:\n|,|$)",
        )
    });
    // Hardly any line begins so.
    const BEGINNINGS: [&str; 7] = ["URB", "COND", "BO ", "PARC", "Urb", "Cond", "Parc"];
    let mut lines = sentence.split(['\n', ',']).map(str::trim_start);
    if !lines.any(|line| BEGINNINGS.iter().any(|beginning| line.starts_with(beginning))) {
        return;
    }
    for line in LINE.captures_iter(sentence).filter_map(|captures| captures.get(1)) {
        let range = line.start()..line.start() + line.as_str().trim_end().len();
        let named = line
            .as_str()
            .split(' ')
            .skip(1)
            .take_while(|word| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic()))
            .count();
        if named > 0 && !findings.covers(&range) {
            findings.add(range, Label::Street, 0.8);
        }
    }
}

/// `9 Tanners Fold,`, `14 Miller's Croft` at the end of a line.
fn british_line(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let mut end = chain.end + usize::from(matches!(byte_at(sentence, chain.end), b'a'..=b'd' | b'A'..=b'D'));
    let before = byte_before(sentence, chain.start);
    if byte_at(sentence, end) != b' ' || !matches!(before, b' ' | b'\n' | b'(' | b':') {
        return;
    }
    let mut last = "";
    for words in 0..4 {
        let Some(rest) = sentence.get(end..).and_then(|rest| rest.strip_prefix(' ')) else { return };
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'\'').count();
        if length < 3 || !rest.starts_with(|c: char| c.is_ascii_uppercase()) {
            return;
        }
        last = &rest[..length];
        end += 1 + length;
        if words > 0 && listed!(last, BRITISH_ENDS) {
            break;
        }
    }
    let after = &sentence[end..];
    let closed =
        after.trim_start_matches(['.', ' ']).is_empty() || after.starts_with([',', '\n']) || after.starts_with("  ");
    if listed!(last, BRITISH_ENDS) && closed {
        findings.add(chain.start..end, Label::Street, 0.8);
    }
}

/// `fed by Mr Lee at no. 11`, `the lady at number 9`.
fn numbered_house(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let number = word_before(sentence, chain.start);
    if byte_before(sentence, chain.start) != b' ' || !listed!(number, "no number nr") {
        return;
    }
    let at = offset_in(sentence, number);
    let lead = word_before(sentence, at);
    let head = &sentence[..at];
    let neighbourly = || {
        head.rsplit(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).take(10).any(|word| {
            listed!(
                word,
                "neighbour neighbours neighbor neighbors door mr mrs ms miss lady man gentleman lives live living moved \
                 house friend opposite across fed key keys street road cul"
            )
        })
    };
    let end = chain.end + usize::from(matches!(byte_at(sentence, chain.end), b'a'..=b'd' | b'A'..=b'D'));
    let free = !byte_at(sentence, end).is_ascii_alphanumeric() && !matches!(byte_at(sentence, end), b'/' | b'-' | b'%');
    if listed!(lead, "at from opposite") && free && neighbourly() {
        findings.add(chain.start..end, Label::Street, 0.7);
    }
}

/// `on 3rd st`, `off 22nd ave`, `on grand ave`: a suffix in small letters after a preposition and a name.
pub(super) fn small_street(sentence: &str, hit: Hit, findings: &mut Findings) {
    let suffix = &sentence[hit.start..hit.end];
    if !matches!(suffix, "st" | "ave" | "blvd" | "pkwy" | "street" | "avenue") {
        return;
    }
    let Some(head) = sentence[..hit.start].strip_suffix(' ') else { return };
    let name = word_or_number_before(sentence, head.len());
    let start = head.len() - name.len();
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let ordinal = digits > 0 && listed!(&name[digits..], "st nd rd th");
    let word = matches!(suffix, "ave" | "blvd" | "pkwy")
        && name.len() > 2
        && name.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !listed!(name, "the this that their same main other pain and");
    if (ordinal || word)
        && byte_before(sentence, start) == b' '
        && listed!(word_before(sentence, start), "on at off near from and to by of down")
        && !findings.covers(&(start..hit.end))
    {
        findings.add(start..hit.end, Label::Street, 0.7);
    }
}

fn word_or_number_before(sentence: &str, end: usize) -> &str {
    let head = &sentence[..end];
    &head[end - head.bytes().rev().take_while(u8::is_ascii_alphanumeric).count()..]
}

/// The second half of a postcode that corrects the first: `HX7 8QE not 8QD`.
pub(super) fn corrected_postcode(sentence: &str, end: usize, findings: &mut Findings) {
    let rest = sentence[end..].trim_start_matches([',', ' ', '(']);
    let Some(half) = rest.strip_prefix("not ").or_else(|| rest.strip_prefix("NOT ")) else { return };
    let bytes = half.as_bytes();
    let fits = matches!(bytes, [b'0'..=b'9', b'A'..=b'Z', b'A'..=b'Z', ..])
        && !bytes.get(3).is_some_and(u8::is_ascii_alphanumeric);
    if fits {
        let start = offset_in(sentence, half);
        findings.add(start..start + 3, Label::Zip, 0.7);
    }
}

/// `BIRTHPLACE OR`, `STATE OF BIRTH: IN`: the code of a state in a field of the birth.
pub(super) fn birthplace(sentence: &str, hit: Hit, findings: &mut Findings) {
    let spelled = sentence[hit.start..hit.end].eq_ignore_ascii_case("birth");
    let of = word_before(sentence, hit.start);
    let field =
        of.eq_ignore_ascii_case("of") && listed!(word_before(sentence, offset_in(sentence, of)), "state place st");
    if spelled && !field {
        return;
    }
    let rest = sentence[hit.end..].trim_start_matches([' ', ':', '-']);
    let gap = sentence.len() - hit.end - rest.len();
    let code = &rest[..rest.bytes().take_while(u8::is_ascii_uppercase).count()];
    let after = &rest[code.len()..];
    let closed = after.trim().is_empty() || after.starts_with("  ") || after.starts_with(['\n', ',', ';', '.']);
    if (1..=4).contains(&gap) && code.len() == 2 && closed && Lexicon::shared().state(code).is_some() {
        let start = offset_in(sentence, code);
        findings.add(start..start + 2, Label::State, 0.9);
    }
}

/// Whether a city and the code of its state follow: `DR BOISE ID 83703`, so that `Dr` ends a street line.
pub(super) fn city_and_state_follow(sentence: &str, at: usize) -> bool {
    let mut words = sentence[at..].trim_start_matches('.').split([' ', ',']).filter(|word| !word.is_empty()).take(4);
    let capital = |word: &str| word.len() > 2 && word.starts_with(|c: char| c.is_ascii_uppercase());
    if !words.next().is_some_and(capital) {
        return false;
    }
    words.find(|word| !capital(word)).is_some_and(|word| {
        word.len() == 2 && word.bytes().all(|b| b.is_ascii_uppercase()) && Lexicon::shared().state(word).is_some()
    })
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn places(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Street, Label::Zip, Label::State])
    }

    #[test]
    fn places_in_few_words() {
        for (sentence, place) in [
            ("lives 14 Weavers Fold, Otley", "14 Weavers Fold"),
            ("QUIÑONES\nURB VILLA FONTANA 4HN-7 VIA 38\nCAROLINA", "URB VILLA FONTANA 4HN-7 VIA 38"),
            ("3 Miller's Croft", "3 Miller's Croft"),
            ("fed by Mrs Lee at no. 14", "14"),
            ("the neighbour at number 9 has a key", "9"),
            ("BIRTHPLACE OH", "OH"),
            ("STATE OF BIRTH: IN", "IN"),
            ("a place on 9th st last year", "9th st"),
            ("the pharmacy on crescent ave says no", "crescent ave"),
            ("C/O A LOWE 2217 W HALVERSON DR BOISE ID", "2217 W HALVERSON DR"),
        ] {
            assert_eq!(places(sentence), [place], "{sentence}");
        }
        assert_eq!(places("postcode is LS7 4QP not 4QD"), ["LS7 4QP", "4QD"]);
    }

    #[test]
    fn what_is_no_place() {
        for sentence in [
            "used a no. 11 blade at no. 3 site",
            "2 Days Rise in creatinine",
            "birth in or out of hospital",
            "walks 4 hours a day on the st elevation",
            "give 3 Tabs then 1 Rise",
        ] {
            assert_eq!(places(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
