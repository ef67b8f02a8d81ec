//! Codes whose letters and digits stand apart, as the boxes of forms, scanners and dictation leave them: `L D 5 5 1 9 0`,
//! `2 8-11 7 0 5`, `BK 44 o 1923`, `SP 19 : 4 O 8 7`, `S22 - 00419 B`.
//!
//! ```text
//! "acct 7 7-3 0 9 X, faxed"      groups 7 · 7 · 3 · 0 · 9 · X: one value behind a word that introduces one
//! "band L D 5 5 1 9 0"           one by one, letters first: a value whatever stands before it
//! "items 2 1 3 0 2 1"            one by one, but digits alone, and nothing introduces a value: scores
//! ```

use std::sync::LazyLock;

use regex::Regex;

use super::context::{byte_at, byte_before, first_word, word_before};
use super::expression;
use super::findings::Findings;
use super::misread::is_like_digit;
use super::survey::Survey;
use super::value::{COUNTED, NO_PREFIX};
use crate::detect::listed::listed;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::Label;

/// The longest group, and the longest of letters alone.
const LONGEST_GROUP: usize = 6;
const LONGEST_LETTERS: usize = 3;
/// A code has no more groups.
const MOST_GROUPS: usize = 14;

/// The number of a beneficiary of Medicare, in its groups or not: `1EG4-TE5-MK73`, `2KX9 WD3 RN 10` (CMS, *Understanding the MBI*: of
/// eleven places the first is 1–9, each has its kind, and S, L, O, I, B and Z are left out).
static BENEFICIARY: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b[1-9][ac-hjkmnp-rt-y][0-9ac-hjkmnp-rt-y][0-9][ -]?[ac-hjkmnp-rt-y][0-9ac-hjkmnp-rt-y][0-9][ -]?[ac-hjkmnp-rt-y]{2}[ -]?[0-9]{2}\b",
    )
});
/// The number of a specimen with a dash between blanks: `S22 - 00419 B`.
static SPECIMEN: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"\b(?-i:S|SP|SS|SU|NS|CY|CN|CS|HS|F|FN|P|PS|W|N|NP|BM)[0-9]{2} - [0-9]{4,7}(?: (?-i:[A-Z])\b)?")
});

/// Adds codes that stand apart and that no word introduces.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits < 4 {
        return;
    }
    if survey.digits >= 5 {
        // A digit and a letter right behind it begin the one, a dash between blanks is in the other.
        let glued = survey.chains.iter().any(|chain| byte_at(sentence, chain.end).is_ascii_alphabetic());
        let forms = [(&BENEFICIARY, Label::HealthPlan, glued), (&SPECIMEN, Label::IdNum, survey.has_mark(b'-'))];
        for (form, label, _) in forms.into_iter().filter(|(_, _, may)| *may) {
            for found in form.find_iter(sentence).filter(|found| !followed_by_unit(sentence, found.end())) {
                if !findings.covers(&found.range()) {
                    findings.add(found.range(), label, 0.8);
                }
            }
        }
    }
    // A digit that stands alone, or three where nothing introduces a value.
    let lone = survey.chains.iter().filter(|chain| chain.end - chain.start == 1).count();
    if lone < 3 && !(survey.chains.len() > 1 && may_be_numbered(sentence, survey)) {
        return;
    }
    let mut done = 0;
    for (start, _) in sentence.char_indices().filter(|(_, c)| c.is_ascii_uppercase() || c.is_ascii_digit()) {
        if start < done || is_inside(sentence, start) {
            continue;
        }
        if let Some(code) = Code::at(sentence, start)
            && (code.tells_itself() && !is_scored(&sentence[start..code.end], code.marked)
                || is_numbered(sentence, start) && code.digits >= 4 && code.is_apart())
            && !findings.covers(&(start..code.end))
        {
            findings.add(start..code.end, Label::IdNum, 0.8);
            done = code.end;
        }
    }
}

/// The end of the code in several groups that begins at a place, behind a word that introduces one.
pub(super) fn end(sentence: &str, start: usize) -> Option<usize> {
    let code = Code::at(sentence, start)?;
    // `Bar No. 454 0 12.`
    let of_digits = code.groups > 2 && code.singles > 0 && code.digits == code.characters && closes(sentence, code.end);
    (code.digits >= 3 && code.characters >= 5 && (code.is_apart() || of_digits)).then_some(code.end)
}

/// `NRS 7 6 5 4`, `CN 3 4 6 7`: the points of a scale and what is counted up, behind their name in one word.
fn is_scored(code: &str, marked: bool) -> bool {
    const NAMES: WordFlags = WordFlags::ABBREVIATION.union(WordFlags::MEDICAL).union(WordFlags::HEADING);
    let name = first_word(code);
    let figures: Vec<u8> = code.bytes().filter(u8::is_ascii_digit).collect();
    let rising = figures.windows(2).all(|pair| pair[0] <= pair[1]);
    let named = name.len() > 1 && !marked && (figures.len() < 5 || Lexicon::shared().word(name).is_any(NAMES));
    rising || named
}

/// Whether `no.`, `number` or `#` stands right before a place.
fn is_numbered(sentence: &str, start: usize) -> bool {
    let head = sentence[..start].trim_end_matches([' ', ':', '.']);
    head.len() < start && (head.ends_with('#') || listed!(word_before(sentence, head.len()), "no number num nbr"))
}

/// Whether `no.`, `number` or `#` stands anywhere.
fn may_be_numbered(sentence: &str, survey: &Survey) -> bool {
    survey.has_mark(b'#') || memchr::memmem::find(sentence.as_bytes(), b"no. ").is_some()
}

/// Whether a place is inside a word or a number, so that no code begins there.
fn is_inside(sentence: &str, start: usize) -> bool {
    let before = byte_before(sentence, start);
    before.is_ascii_alphanumeric() || before >= 0x80 || matches!(before, b'-' | b'/' | b'.' | b'_' | b'\'')
}

/// Whether a unit or a percent sign follows a place: `4 mg`.
fn followed_by_unit(sentence: &str, end: usize) -> bool {
    byte_at(sentence, end) == b'%' || listed!(first_word(sentence[end..].trim_start_matches(' ')), COUNTED)
}

/// Groups of letters and digits that belong together.
#[derive(Debug, Clone, Copy, Default)]
struct Code {
    end: usize,
    /// Letters and digits in all; those that are digits or look like one between others; letters before the first of these.
    characters: usize,
    digits: usize,
    prefix: usize,
    /// Letters behind the first digit.
    letters: usize,
    /// Whether digits follow such letters, and the largest digit.
    turns: bool,
    largest: u8,
    /// Groups of one character, and all; whether a mark stands between blanks.
    singles: usize,
    groups: usize,
    marked: bool,
}

impl Code {
    /// The groups from a place on, as far as they may be a code.
    fn at(sentence: &str, start: usize) -> Option<Self> {
        let mut code = Self { end: start, ..Self::default() };
        let mut whole = None;
        let mut at = start;
        while code.groups < MOST_GROUPS {
            let Some(group) = Group::at(sentence, at) else { break };
            // `366381 LOT A4102`: a word between two numbers.
            let tail = code.groups > 2 && is_tail(&sentence[at..at + group.length]);
            if code.digits > 0 && group.digits == 0 && group.length > 1 && !group.joined && !tail {
                break;
            }
            code.take(group, at);
            let gap = gap(sentence, code.end);
            // Letters end a code only where nothing follows: `… 4417 S`, but `… 4417 A fib`.
            let ends = group.digits > 0 || group.joined || tail || gap.is_none() && closes(sentence, code.end);
            if ends && code.digits > 0 {
                whole = Some(code);
            }
            let Some((length, marked)) = gap else { break };
            at = code.end + length;
            code.marked |= marked;
        }
        whole
    }

    /// Takes in a group that begins at a place.
    fn take(&mut self, group: Group, at: usize) {
        self.end = at + group.length;
        self.characters += group.length;
        self.groups += 1;
        self.singles += usize::from(group.length == 1);
        let letters = group.length - group.digits;
        self.turns |= self.letters > 0 && group.digits > 0;
        self.largest = self.largest.max(group.largest);
        if self.digits == 0 && group.digits == 0 {
            self.prefix += letters;
        } else {
            self.letters += letters;
        }
        self.digits += group.digits;
    }

    /// Whether it has been pulled apart, and is no row of words and amounts.
    const fn is_apart(&self) -> bool {
        let mixed = self.groups == 2 && self.turns && self.letters > 1;
        self.groups > 1
            && (self.singles > 1 || self.marked || mixed || self.groups > 2 && self.prefix + self.letters > 0)
    }

    /// Whether it is a code though nothing introduces it: letters one by one or few together, then digits one by one. Stages (`T 1 N 0`)
    /// and the counts of pregnancies (`G 2 P 1`) have letters among their digits, levels (`L 4 5`) few of these, strengths (`RUE 5 5 4 5 5`)
    /// and the answers to a questionnaire none above five.
    const fn tells_itself(&self) -> bool {
        let fewest = if self.prefix > 1 { 4 } else { 6 };
        self.prefix > 0
            && self.letters <= 1
            && !self.turns
            && self.largest > b'5'
            && self.digits >= fewest
            && self.singles >= 3
            && self.characters >= 6
    }
}

/// Two capitals that are no word, and so can only end a code: `RG 9 117 XA`.
fn is_tail(group: &str) -> bool {
    const OTHER: WordFlags = WordFlags::ABBREVIATION
        .union(WordFlags::MEDICAL)
        .union(WordFlags::ENGLISH)
        .union(WordFlags::HEADING)
        .union(WordFlags::CARE_ROLE)
        .union(WordFlags::STATE_ABBREVIATION);
    group.len() == 2
        && group.bytes().all(|byte| byte.is_ascii_uppercase())
        && !listed!(group, NO_PREFIX)
        && !Lexicon::shared().word(group).is_any(OTHER)
}

/// One group of a code.
#[derive(Debug, Clone, Copy)]
struct Group {
    length: usize,
    digits: usize,
    /// The largest digit; 0 where there is none.
    largest: u8,
    /// Whether a hyphen joins it to the one before.
    joined: bool,
}

impl Group {
    /// The group that begins at a place; none where a word or an amount does.
    fn at(sentence: &str, start: usize) -> Option<Self> {
        let bytes = sentence.as_bytes().get(start..)?;
        let length = bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let group = bytes.get(..length).filter(|_| (1..=LONGEST_GROUP).contains(&length))?;
        let figures = group.iter().filter(|byte| byte.is_ascii_digit()).count();
        let alike = group.iter().filter(|byte| is_like_digit(**byte)).count();
        let digits = if figures > 0 || alike == length { figures + alike } else { 0 };
        let lone_small = group.iter().any(|byte| byte.is_ascii_lowercase() && !matches!(byte, b'o' | b'l'));
        let letters = length - digits;
        let text = &sentence[start..start + length];
        let word = digits == 0 && (letters > LONGEST_LETTERS || letters > 1 && listed!(text, NO_PREFIX));
        let after = byte_at(sentence, start + length);
        let amount =
            matches!(after, b'%' | b':' | b'.' | b',' | b'/') && byte_at(sentence, start + length + 1).is_ascii_digit();
        // `9 X` goes on, `9 mg` is an amount.
        let counted = digits > 0
            && !bytes.get(length + 1).is_some_and(u8::is_ascii_uppercase)
            && followed_by_unit(sentence, start + length);
        if lone_small || word || amount || counted {
            return None;
        }
        let largest = group.iter().filter(|byte| byte.is_ascii_digit()).max().copied().unwrap_or_default();
        Some(Self { length, digits, largest, joined: byte_before(sentence, start) == b'-' })
    }
}

/// What stands between two groups of a code at a place: its length, and whether it is a mark between blanks.
fn gap(sentence: &str, at: usize) -> Option<(usize, bool)> {
    const GAPS: [(&str, bool); 8] = [
        (" - ", true),
        (" / ", true),
        (" // ", true),
        (" : ", true),
        ("--", false),
        ("- ", true),
        ("-", false),
        (" ", false),
    ];
    let (gap, marked) = GAPS.iter().find(|(gap, _)| sentence[at..].starts_with(gap))?;
    let next = byte_at(sentence, at + gap.len());
    next.is_ascii_alphanumeric().then_some((gap.len(), *marked))
}

/// Whether what is said ends at a place.
fn closes(sentence: &str, at: usize) -> bool {
    let rest = &sentence[at..];
    rest.trim_start_matches([' ', '\t', '\r']).is_empty()
        || rest.starts_with([',', ';', ')', '\n', '\r', '|'])
        || rest.starts_with('.') && !byte_at(rest, 1).is_ascii_alphanumeric()
        || rest.starts_with("  ")
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn codes(sentence: &str) -> Vec<&str> {
        let labels = [
            Label::IdNum,
            Label::Device,
            Label::MedicalRecord,
            Label::HealthPlan,
            Label::Account,
            Label::License,
            Label::Vehicle,
            Label::BioId,
        ];
        found(sentence, &labels)
    }

    #[test]
    fn values_behind_their_words_are_found_in_any_groups() {
        for (sentence, value) in [
            ("Scope GIF, serial 2 8-11 7 0 5, clean", "2 8-11 7 0 5"),
            ("driving the pickup, plate KZ 3-0-9 1", "KZ 3-0-9 1"),
            ("to a payee, acct 7 7-3 0 9 X", "7 7-3 0 9 X"),
            ("DEA given as BK 44 o 1923", "BK 44 o 1923"),
            ("Waitlist no. 9 0 0 3 / 71-B, MELD 27", "9 0 0 3 / 71-B"),
            ("lot 8 0 7 2 - 0 4 1; TIMI 3", "8 0 7 2 - 0 4 1"),
            ("Poison center callback, case PC 18 // 55102", "PC 18 // 55102"),
            ("s/n PJN 60 4417 S", "PJN 60 4417 S"),
            ("retina code PV 0-9-A-4-4-1", "PV 0-9-A-4-4-1"),
            ("wants letter; caseload no. 25 K 611.", "25 K 611"),
            ("baby tbd, lot RG 9 117 XQ on hold", "RG 9 117 XQ"),
            ("STAPLER, LOT T93 K4L.", "T93 K4L"),
            ("Discovery no. D-3300 4127 6", "D-3300 4127 6"),
            ("CXR voucher #0917 given", "0917"),
            ("kit barcode 7 004 881 992 3; result", "7 004 881 992 3"),
        ] {
            assert_eq!(codes(sentence), [value], "{sentence}");
        }
    }

    #[test]
    fn what_stands_one_by_one_behind_letters_tells_itself() {
        for (sentence, value) in [
            ("Baby's tape L D 5 5 1 9 0", "L D 5 5 1 9 0"),
            ("Pump V F T 4 0 4 8 8, canister 300 mL", "V F T 4 0 4 8 8"),
            ("SURG SP 19 : 4 O 8 7", "SP 19 : 4 O 8 7"),
            ("slides from outside S22 - 00419 B", "S22 - 00419 B"),
            ("Mcare 2KX9 WD3 RN 10", "2KX9 WD3 RN 10"),
            ("insured as 1EG4 TE5 MK73", "1EG4 TE5 MK73"),
        ] {
            assert_eq!(codes(sentence), [value], "{sentence}");
        }
    }

    #[test]
    fn scores_stages_and_amounts_are_none() {
        for sentence in [
            "items 2 1 3 0 2 1 total 9",
            "T 1 N 0 M 0, G 2 P 1 0 0 1",
            "APGARS 8 9 9 at 1 5 10",
            "L 4 5 5 5 5 R 5 5 5 5 5",
            "RUE 5 5 4 5 5 5",
            "CN 2 3 4 5 6 7 intact",
            "NRS 7 6 5 4 overnight",
            "BPI 7 8 6 9",
            "Vit B12 - 1200 pg/mL",
            "lot of 2 4 6 mg tablets",
            "Case 3 4 days later",
            "ID 2 1 0 scale",
            "DTR 2 2 2 2 toes down",
            "CN II III IV VI 5 / 5",
            "GCS E 4 V 5 M 6",
            "Unit 2 - 4 beds 1 - 3",
        ] {
            assert_eq!(codes(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
