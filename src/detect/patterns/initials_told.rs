//! Initials that a role, a deed or a date beside them tells: `witnessed by M.L.`, `K.T. RN`, `brother J.W.`, `RN: kt`, `check: KT/BM`, `3/4 jh: BP ok`.
//!
//! ```text
//! witnessed by M.L., K.T. RN     capitals with their stops      by I.V. route: a way of giving
//! 2nd RN: kt                     the whole of a field           RN: pt stable
//! 3/4 jh: bp better              who wrote a line of a log, and when     3/4 bp: 120/80
//! ```

mod persons;
mod rows;

use std::sync::LazyLock;

use regex::Regex;

use super::context::first_word;
use super::findings::{Findings, date};
use super::sign_off::{are_initials, are_lone_initials};
use super::survey::Survey;
use super::{captures_in, expression};
use crate::detect::listed::listed;
use crate::phi::{Kind, Label};

/// Capitals with their stops behind or before who they are, or before their kin.
static DOTTED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:by|per|witness(?:ed)?|initials?|staff|rn|lpn|lvn|cna|md)(?:\s?:\s?|\s)((?-i:[A-Z]\.[A-Z]\.(?:[A-Z]\.)?))|\b((?-i:[A-Z]\.[A-Z]\.(?:[A-Z]\.)?)),?\s(?-i:RN|LPN|LVN|MD|NP|PA|CNA|RT|PT|OT|SLP|PTA|COTA|DPT|LCSW|MSW|RBT|BCBA|RD|RDN|CRNA|RDH|CMA)\b|\b((?-i:[A-Z]\.[A-Z]\.))'s\s(?:mom|mother|mum|dad|father|wife|husband|son|daughter|sister|brother|parents?|family|grandma|grandmother)\b|\b(?:brother|sister|bro|sis|twin|son|daughter|roommate|wife|husband|mom|dad|mother|father|friend|cousin|partner|boyfriend|girlfriend|ex|uncle|aunt|nephew|niece|grandson|granddaughter|named|nicknamed)\s\(?((?-i:[A-Z]\.[A-Z]\.(?:[A-Z]\.)?))",
    )
});
/// Children before a court: `In the interest of: J.T.M. and A.R.M., minors`.
static MINORS: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:(?:interests?|matter|guardianship|adoption|custody) of|in re):?\s((?-i:[A-Z]\.[A-Z]\.(?:[A-Z]\.)?))(?:(?:,|,? and|,? &)\s((?-i:[A-Z]\.[A-Z]\.(?:[A-Z]\.)?)))*|\b((?-i:[A-Z]\.[A-Z]\.(?:[A-Z]\.)?))(?:(?:,|,? and|,? &)\s((?-i:[A-Z]\.[A-Z]\.(?:[A-Z]\.)?)))?,?\s(?:an?\s|the\s)?(?:minors?|juveniles?)\b",
    )
});
/// What many are called by two letters: `D.J. is with us`, `a son by each, D.J. and Lamont`.
static NICKNAMES: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b((?-i:[ABCDJPRT]\.J\.|J\.T\.|J\.R\.|M\.J\.))(?:\s(?:is|was|has|had|says|said|will|who|lives|came|comes|calls|called|and\s(?-i:[A-Z][a-z])|&\s(?-i:[A-Z][a-z]))|'s\s)",
    )
});
/// The whole of a field of staff, and a pair that has checked something.
static FIELD: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b(?:rn|lpn|lvn|cna|rdh|cma|witness|verifier|co-?sign(?:er)?)\s?:\s?((?-i:[a-z]{2,3}|[A-Z]{2,3}))\s*(?:$|[,;.)])|\b(?:check(?:ed)?|verified|wasted?|witness(?:ed)?)(?:\sby)?\s?:\s?((?-i:[A-Z]{2,3}))/((?-i:[A-Z]{2,3}))\b",
    )
});
/// The last words before the colon of such a field.
const OF_FIELDS: &str = "rn lpn lvn cna rdh cma witness verifier cosign sign cosigner signer check checked verified waste wasted witnessed by";
/// A line of a log: a day, who wrote, a colon.
static LOGGED: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"^\s*((?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12][0-9]|3[01]))\s((?-i:[a-z]{2}|[A-Z]{2}))\s?:\s")
});
/// A line of a chat: who wrote, and at what time: `kp 0712: hey`.
static WRITTEN: LazyLock<Regex> =
    LazyLock::new(|| expression(r"^\s*((?-i:[a-z]{2,3}|[A-Z]{2,3}))\s[0-2]?[0-9]:?[0-5][0-9](?:\s?[ap]m?)?:\s"));

/// What capitals with stops are besides: ways of giving, times, places and credentials.
pub(super) const NO_INITIALS: &str = "iv po im sc sq sl pr ng gt ed er or pt ot rn md do np pa us dc hs ac pc qd bid tid qid eg ie am pm npo rt sw \
                           id gi ob icu ems uk usa ct lp gj og nj va ho \
                           rd hh nh hd ok tb ls qa cv gu rr le ue rle lle rue lue";

/// Adds such initials, and the day before those of a log.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.has_mark(b'.') && has_dotted_capitals(sentence.as_bytes()) {
        with_stops(sentence, findings);
        for found in captures_in(&MINORS, sentence).chain(captures_in(&NICKNAMES, sentence)) {
            for letters in found.iter().skip(1).flatten() {
                if findings.covers(&letters.range()) {
                    continue;
                }
                findings.add(letters.range(), Label::Patient, 0.8);
            }
        }
    }
    rows::detect(sentence, survey, findings);
    persons::detect(sentence, survey, findings);
    if survey.colons == 0 {
        return;
    }
    for (start, line) in survey.lines(sentence) {
        if may_hold_field(line) {
            in_field(line, start, findings);
        }
        if line.trim_start_matches(is_blank).starts_with(|c: char| c.is_ascii_alphabetic())
            && let Some(letters) = WRITTEN.captures(line).and_then(|captures| captures.get(1))
        {
            let range = start + letters.start()..start + letters.end();
            if are_lone_initials(letters.as_str()) && !findings.covers(&range) {
                findings.add(range, Label::Doctor, 0.7);
            }
        }
        // A line of a log begins with its day.
        if line.trim_start_matches(is_blank).starts_with(|c: char| c.is_ascii_digit()) {
            logged(line, start, findings);
        }
    }
}

/// Whether two capitals have their stops: `M.L.`
pub(super) fn has_dotted_capitals(bytes: &[u8]) -> bool {
    let capitals = |stop: usize| {
        let four = stop.checked_sub(1).and_then(|start| bytes.get(start..start + 4));
        matches!(four, Some([first, _, second, b'.']) if first.is_ascii_uppercase() && second.is_ascii_uppercase())
    };
    memchr::memchr_iter(b'.', bytes).any(capitals)
}

/// Whether a word that a field of staff ends in stands before a colon, perhaps over a blank; never no where there is such a field.
fn may_hold_field(line: &str) -> bool {
    memchr::memchr_iter(b':', line.as_bytes()).any(|colon| {
        let head = &line[..colon];
        let head = head.strip_suffix(is_blank).unwrap_or(head);
        let letters = head.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
        listed!(&head[head.len() - letters..], OF_FIELDS)
    })
}

/// Whether a character is white space to the expressions.
const fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

fn with_stops(sentence: &str, findings: &mut Findings) {
    for captures in captures_in(&DOTTED, sentence) {
        let Some(found) = captures.iter().skip(1).flatten().next() else { continue };
        let kin = captures.get(4).is_some();
        let label = if kin || captures.get(3).is_some() { Label::Patient } else { Label::Doctor };
        let letters = found.as_str().replace('.', "");
        // `by J.R. Okafor`: a name goes on.
        let goes_on = (kin || captures.get(1).is_some()) && is_before_name(&sentence[found.end()..]);
        // `T.B.'s mom`: nothing else has kin.
        let other = (kin || label == Label::Doctor) && listed!(&letters, NO_INITIALS);
        // Three letters are an abbreviation far more often: `per A.H.A. guidelines`, `fed by P.E.G.`, `father P.V.D.`
        let begin = captures.get(0).map_or(0, |whole| whole.start());
        let led = captures.get(1).is_some() && !is_signed(&sentence[begin..]);
        let known = (led || kin) && letters.len() > 2 && !are_initials(&letters);
        if !goes_on && !known && !other && !findings.covers(&found.range()) {
            findings.add(found.range(), label, 0.7);
        }
    }
}

/// Whether a text begins with the word of a field that takes initials only.
fn is_signed(text: &str) -> bool {
    listed!(first_word(text), "initial initials witness witnessed")
}

/// Whether a blank and a word with a capital follow.
fn is_before_name(rest: &str) -> bool {
    let mut letters = rest.strip_prefix(' ').unwrap_or_default().chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
}

fn in_field(line: &str, start: usize, findings: &mut Findings) {
    for captures in captures_in(&FIELD, line) {
        let parts: Vec<_> = captures.iter().skip(1).flatten().collect();
        let fit = match parts[..] {
            [only] => are_lone_initials(only.as_str()),
            _ => parts.iter().all(|part| are_initials(part.as_str())),
        };
        for part in parts.iter().filter(|_| fit) {
            let range = start + part.start()..start + part.end();
            if !findings.covers(&range) {
                findings.add(range, Label::Doctor, 0.65);
            }
        }
    }
}

fn logged(line: &str, start: usize, findings: &mut Findings) {
    let Some(captures) = LOGGED.captures(line) else { return };
    let (Some(day), Some(letters)) = (captures.get(1), captures.get(2)) else { return };
    // `4/5 KE: limited by pain`: a grade of strength, and what it is of.
    let grade = day.as_str().ends_with("/5") && letters.as_str().starts_with(|c: char| c.is_ascii_uppercase());
    if grade || !are_lone_initials(letters.as_str()) {
        return;
    }
    for (found, class) in [(day, date(Kind::DatePartial)), (letters, Label::Doctor.into())] {
        let range = start + found.start()..start + found.end();
        if !findings.covers(&range) {
            findings.add(range, class, 0.7);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FIELD, may_hold_field};
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    const TOLD: &[Label] = &[Label::Doctor, Label::Patient, Label::Date];

    #[test]
    fn roles_and_days_tell_initials() {
        for (sentence, all) in [
            ("Waste witnessed by M.L. at bedside", &["M.L."] as &[&str]),
            ("RN J.D. double checked the drip", &["J.D."]),
            ("K.T. RN at bedside", &["K.T."]),
            ("Cade Osei, PTA / S.I. PT", &["S.I."]),
            ("assist Jo   RDH: SQK", &["SQK"]),
            ("called T.J.'s mom back", &["T.J."]),
            ("R.T.'s wife called", &["R.T."]),
            ("that his brother J.W. give him", &["J.W."]),
            ("the ex (K.C.), do not put them together", &["K.C."]),
            ("Initials: A.B.C.", &["A.B.C."]),
            ("In the interest of: J.T.M. and A.R.M., minors", &["J.T.M.", "A.R.M."]),
            ("A son by each, D.J. and Lamont; D.J. is here", &["D.J.", "D.J."]),
            ("2nd RN: kt", &["kt"]),
            ("drip check: KT/BJ, rate same", &["KT", "BJ"]),
            ("3/4 jh: bp better", &["3/4", "jh"]),
            ("kp 0712: hey can u look at him", &["kp"]),
        ] {
            assert_eq!(found(sentence, TOLD), all, "{sentence}");
        }
    }

    #[test]
    fn no_field_is_passed_by() {
        for lead in ["rn", "LPN", "lvn", "cna", "witness", "verifier", "cosign", "co-sign", "co-signer", "Cosigner"] {
            for field in [format!("2nd {lead}: kt"), format!("{lead} : KT, bp same")] {
                assert!(FIELD.is_match(&field) && may_hold_field(&field), "{field}");
            }
        }
        for lead in ["check", "Checked", "verified by", "waste", "wasted", "witness", "witnessed by"] {
            for field in [format!("ok, {lead}: KT/BM"), format!("{lead}\t:KT/BM")] {
                assert!(FIELD.is_match(&field) && may_hold_field(&field), "{field}");
            }
        }
        for other in ["BP: 120/80", "intern: kt", "checked KT: BM", "seen 3:15"] {
            assert!(!may_hold_field(other), "{other}");
        }
    }

    #[test]
    fn routes_vitals_and_words_are_none() {
        for sentence in [
            "given by I.V. push",
            "per P.O. route",
            "seen by C.T. scan",
            "found by M.R.I. too",
            "fed by P.E.G. tube",
            "RN: pt stable",
            "RN: ok",
            "RDH: see below",
            "weak L.E. PT to see",
            "check: BP/HR, then walk",
            "3/4 bp: 120 over 80",
            "3/4 is: fine",
            "bp 0712: 120 over 80",
            "at 0712: asleep",
            "4/5 KE: limited by pain",
            "per O.K. from her",
            "wife P.O. intake better",
        ] {
            assert_eq!(found(sentence, TOLD), [] as [&str; 0], "{sentence}");
        }
    }
}
