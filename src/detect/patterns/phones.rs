//! Telephones, faxes, pagers, extensions: `(555) 123-4567 x89`, `555-0101`, `pager 4-1234`, `+44 20 7946 0958`.

use crate::detect::listed::listed;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::context::{byte_at, byte_before, first_word, word_after, word_before};
use super::cues::Cue;
use super::findings::Findings;
use super::survey::{Hit, Survey};
use super::{anchored, expression};
use crate::phi::Label;

static FULL: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:\+?1[-. /]{0,2})?(?:\([2-9][0-9]{2}\)|\b[2-9][0-9]{2})(?:[-. /]{1,2}|(?u:[–—‑])|)[0-9]{3}(?:[-. ]|\s[-.]\s?|(?u:[–—‑]))[0-9]{4}\b|\b[2-9][0-9]{2}[-/][2-9][0-9]{6}\b|\([2-9][0-9]{2}\)\s?[0-9]{7}\b",
    )
});
static INTERNATIONAL: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\+[1-9][0-9]{0,2}(?:[-. ]?\(?[0-9]{1,5}\)?){2,6}|\b(?:00 ?|011[- ])[1-9][0-9]{0,2}(?:[-. ][0-9]{1,5}){2,5}\b",
    )
});
static NATIONAL: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\(0[1-9][0-9]{0,4}\)[- ]?[0-9]{3,4}[- ]?[0-9]{3,4}\b|\b0[1-9][0-9]{1,4}\)?[- ][0-9]{3,4}[- ]?[0-9]{3,4}\b|\b0[1-9] [0-9]{4} [0-9]{4}\b|\b07[0-9]{9}\b",
    )
});
static LOCAL: LazyLock<Regex> = LazyLock::new(|| expression(r"\b[2-9][0-9]{2}(?:[-.]|(?u:[–‑]))[0-9]{4}\b"));
static EXTENSION: LazyLock<Regex> = LazyLock::new(|| {
    anchored(
        r"[,;]?\s*\(?(?:x|ext\.?|extension|extn\.?)\s*[:#.]?\s*([0-9]{1,6}(?:-[0-9]{3,5})?|[0-9]{2,4}[lo])\b| #([0-9]{3,5})\b",
    )
});
/// A number with its extension or the letter of a kind of line right behind it: `617.555.0134x12`, `617-555-0134c`.
static GLUED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?:\+?\b1[-. ])?(?:\([2-9][0-9]{2}\)\s?[2-9][0-9]{2}[-. ]|\b[2-9][0-9]{2}-[2-9][0-9]{2}-|\b[2-9][0-9]{2}\.[2-9][0-9]{2}\.)[0-9]{4}(?:(?:x|extn?\.?)[ .:]?[0-9]{1,6}|[chmow])\b",
    )
});
/// Ten digits with blanks among them, and a mark between two groups or a word for telephones before them: `720 . 555 . 0191`,
/// `828 555-0 1 6 6`, `617.555.01 44`, `call 985 555 01 06`.
static LOOSE: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"\b[2-9] ?[0-9] ?[0-9](?: [-.] ?|[-.] |[-.]| )[2-9] ?[0-9] ?[0-9](?: [-.] ?|[-.] |[-.]| )[0-9o] ?[0-9ol](?: [-.] ?|[-.] |[-.]| |)[0-9ol] ?[0-9ol]\b",
    )
});
/// What may stand between `phone`, `pager` or `call` and its number.
static LINKED: LazyLock<Regex> = LazyLock::new(|| {
    anchored(
        r"(?:[\s:.#=()*-]|\b(?:number|numbers|no|num|is|was|at|to|on|cell|home|work|office|mobile|him|her|them|me|us|back|phone|ext|x|pager|pgr|id|please|via|line|direct|clinic|desk|main|or|page|beeper|day|night|evening|daytime|nurse|patient|contact|tele)\b)*(\+?\(?[0-9][0-9() .-]{1,18}[0-9]|[0-9])",
    )
});

/// Letters instead of digits: `1-800-QUIT-NOW`.
static LETTERED: LazyLock<Regex> =
    LazyLock::new(|| expression(r"\b1-8(?:00|33|44|55|66|77|88)-(?-i:[A-Z0-9]{2,7}(?:-[A-Z0-9]{1,5}){0,2})\b"));

/// Adds numbers that have the form of a telephone number.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits >= 4 {
        pager_mark(sentence, survey, findings);
        named_after(sentence, survey, findings);
        reached(sentence, survey, findings);
        if survey.chains.iter().any(|chain| sentence[chain.range()].starts_with("1-8")) {
            lettered(sentence, findings);
        }
    }
    let abroad = survey.digits >= 8 && may_be_abroad(sentence, survey);
    if abroad {
        international(sentence, &INTERNATIONAL, findings);
    }
    if survey.digits >= 10 {
        loose(sentence, findings);
    }
    if survey.digits < 7 || !abroad && !survey.may_hold_phone() {
        return;
    }
    for found in FULL.find_iter(sentence) {
        // `UOP 650/500 -1150`
        let summed = found.as_str().contains('/') && found.as_str().contains(" -");
        if stands_free(sentence, &found.range()) && !summed && !unit_follows(sentence, found.end()) {
            add(sentence, found.range(), 0.95, findings);
        }
    }
    if survey.chains.iter().any(|chain| b"xechmow".contains(&(byte_at(sentence, chain.end) | 0x20))) {
        for found in GLUED.find_iter(sentence) {
            let number = found.as_str().trim_end_matches(|last: char| last.is_ascii_alphabetic());
            let before = byte_before(sentence, found.start());
            if !before.is_ascii_alphanumeric() && !matches!(before, b'-' | b'.' | b'/' | b'#' | b'$') {
                add(sentence, found.start()..found.start() + number.len(), 0.95, findings);
            }
        }
    }
    international(sentence, &NATIONAL, findings);
    for found in LOCAL.find_iter(sentence) {
        if stands_free(sentence, &found.range()) && is_local(sentence, &found.range()) {
            add(sentence, found.range(), if cue_before(sentence, found.start()) { 0.95 } else { 0.7 }, findings);
        }
    }
    solid(sentence, survey, findings);
    or_else(sentence, survey, findings);
}

/// Free numbers that spell a word.
fn lettered(sentence: &str, findings: &mut Findings) {
    for found in LETTERED.find_iter(sentence) {
        if found.as_str().bytes().any(|byte| byte.is_ascii_uppercase()) && !findings.covers(&found.range()) {
            findings.add(found.range(), Label::Phone, 0.95);
        }
    }
}

/// Numbers that a form's boxes or a hurried hand have pulled apart.
fn loose(sentence: &str, findings: &mut Findings) {
    for found in LOOSE.find_iter(sentence) {
        let groups = found.as_str().split([' ', '-', '.']);
        let joined = groups.filter(|group| group.len() >= 3).count();
        let marked = found.as_str().contains(['-', '.']);
        let told = marked || cue_before(sentence, found.start());
        if joined > 0 && told && stands_free(sentence, &found.range()) && !unit_follows(sentence, found.end()) {
            add(sentence, found.range(), 0.85, findings);
        }
    }
}

/// Whether a number begins as from abroad: after a plus sign, or with zeros or `011`.
fn may_be_abroad(sentence: &str, survey: &Survey) -> bool {
    survey.chains.iter().any(|chain| {
        byte_before(sentence, chain.start) == b'+'
            || sentence[chain.start..].starts_with("00")
            || sentence[chain.start..].starts_with("011")
    })
}

/// Numbers of other countries, of eight digits at least.
fn international(sentence: &str, form: &Regex, findings: &mut Findings) {
    for found in form.find_iter(sentence) {
        let digits = found.as_str().bytes().filter(u8::is_ascii_digit).count();
        if digits >= 8 && !are_hours(found.as_str()) && stands_free(sentence, &found.range()) {
            add(sentence, found.range(), 0.85, findings);
        }
    }
}

/// `0800 1200 1600`: the hours of a round, each of four digits.
pub(super) fn are_hours(number: &str) -> bool {
    let is_hour = |group: &str| group.len() == 4 && group.get(..2) <= Some("24") && group.get(2..) < Some("60");
    let mut groups = number.split([' ', '-']);
    groups.all(is_hour) && number.len() > 9
}

/// `p30417`, `PGY-2 p 0448`, `pgy1 28850`: the pager of one who signs, of four or five digits.
fn pager_mark(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for chain in survey.chains.iter().filter(|chain| chain.count == 1 && matches!(chain.end - chain.start, 4 | 5)) {
        let head = &sentence[..chain.start];
        let glued = head
            .strip_suffix('p')
            .or_else(|| head.strip_suffix("p "))
            .or_else(|| head.strip_suffix('#').and_then(|head| head.strip_suffix("p")));
        let marked = glued.is_some_and(|head| head.ends_with([' ', ',', ';', '(', '/', '\n']));
        let doctor = head.trim_end().trim_end_matches(|c: char| c.is_ascii_digit());
        let trainee = chain.end - chain.start == 5
            && head.ends_with(' ')
            && doctor.len() < head.trim_end().len()
            && ["pgy", "PGY", "PGY-", "pgy-"].iter().any(|mark| doctor.ends_with(mark));
        let free = !byte_at(sentence, chain.end).is_ascii_alphanumeric() && byte_at(sentence, chain.end) != b'/';
        if (marked || trainee) && free && !unit_follows(sentence, chain.end) && !findings.covers(&chain.range()) {
            findings.add(chain.range(), Label::Phone, 0.8);
        }
    }
}

/// `5512 is the charge phone`, `4-4188 is her pager`: a number that is only named behind.
fn named_after(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for hit in survey.hits.iter().filter(|hit| matches!(hit.cue, Cue::Phone | Cue::Pager | Cue::Extension)) {
        let line = &sentence[hit.start..hit.end];
        let Some(chain) = survey.chains.iter().rev().find(|chain| chain.end < hit.start) else { continue };
        let between = &sentence[chain.end..hit.start];
        let mut words = between.split_ascii_whitespace();
        let named = between.starts_with(' ')
            && words.next() == Some("is")
            && words.next().is_some_and(|word| listed!(word, "the her his my our their your"))
            && words.all(|word| word.bytes().all(|byte| byte.is_ascii_alphabetic()))
            && between.len() <= 28;
        let digits = sentence[chain.range()].bytes().filter(u8::is_ascii_digit).count();
        let internal = (4..=6).contains(&digits) && (chain.count == 1 || chain.separators() == b"-");
        if listed!(line, "phone cell cellphone mobile pager beeper ext extension landline vocera ascom spectralink")
            && named
            && internal
            && stands_free(sentence, &chain.range())
            && !findings.covers(&chain.range())
        {
            findings.add(chain.range(), Label::Phone, 0.85);
        }
    }
}

/// `she's on 7-2290`, `reach me at 5-5551`: the line of an exchange at which somebody is reached. `at 5-2019` is a month.
fn reached(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let is_line = |number: &str| match number.split_once('-') {
        Some((exchange, line)) => exchange.len() == 1 && line.len() == 4 && !matches!(&line[..2], "19" | "20"),
        None => false,
    };
    for chain in survey.chains.iter().filter(|chain| chain.count == 2 && is_line(&sentence[chain.range()])) {
        let mut words = sentence[..chain.start].split_ascii_whitespace().rev();
        let is_at = words.next().is_some_and(|word| listed!(word, "on at"));
        let is_somebody = words.next().is_some_and(|word| {
            listed!(&word.replace('’', "'"), "me him her us them she's shes he's hes i'm im they're theyre we're")
        });
        if is_at
            && is_somebody
            && stands_free(sentence, &chain.range())
            && !unit_follows(sentence, chain.end)
            && !findings.covers(&chain.range())
        {
            findings.add(chain.range(), Label::Phone, 0.85);
        }
    }
}

/// Ten digits without separators, where a telephone is spoken of.
fn solid(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for chain in survey.chains.iter().filter(|chain| chain.count == 1) {
        let digits = chain.end - chain.start;
        if matches!(digits, 10 | 11)
            && matches!(byte_at(sentence, chain.start), b'1'..=b'9')
            && cue_before(sentence, chain.start)
            && stands_free(sentence, &chain.range())
        {
            add(sentence, chain.range(), 0.9, findings);
        }
    }
}

/// `555-0144 or -0145`, `(617) 555-0143 or 0144`: the last digits of another number.
fn or_else(sentence: &str, survey: &Survey, findings: &mut Findings) {
    for chain in survey.chains.iter().filter(|chain| chain.count == 1 && chain.end - chain.start == 4) {
        let head = &sentence[..chain.start];
        let bare = head.strip_suffix('-').unwrap_or(head).trim_end_matches(' ');
        let dashed = head.ends_with('-');
        let lead = bare.strip_suffix(" or").or_else(|| bare.strip_suffix('/').filter(|_| dashed));
        let after_phone = lead.is_some_and(|lead| {
            findings.ending_near(lead.len(), 2).is_some_and(|(_, label)| matches!(label, Label::Phone | Label::Fax))
        });
        if after_phone && !findings.covers(&chain.range()) {
            findings.add(chain.range(), Label::Phone, 0.8);
        }
    }
}

fn add(sentence: &str, range: Range<usize>, score: f32, findings: &mut Findings) {
    if findings.covers(&range) {
        return;
    }
    let label = if fax_before(sentence, range.start) { Label::Fax } else { Label::Phone };
    findings.add(range.clone(), label, score);
    let extension = EXTENSION.captures(&sentence[range.end..]);
    if let Some(number) = extension.and_then(|captures| captures.get(1).or_else(|| captures.get(2))) {
        findings.add(range.end + number.start()..range.end + number.end(), Label::Phone, score);
    }
    if let Some(digits) = other_ending(sentence, &range) {
        findings.add(range.end + 1..range.end + 1 + digits, Label::Phone, score);
    }
}

/// `860-555-0150/0151`: how many last digits of another number stand behind a stroke.
fn other_ending(sentence: &str, range: &Range<usize>) -> Option<usize> {
    let digits = sentence[range.end..].strip_prefix('/')?.bytes().take_while(u8::is_ascii_digit).count();
    let end = range.end + 1 + digits;
    let whole = sentence[range.clone()].bytes().filter(u8::is_ascii_digit).count() >= 10;
    let goes_on = matches!(byte_at(sentence, end), b'-' | b'.' | b'/') && byte_at(sentence, end + 1).is_ascii_digit();
    let free = !byte_at(sentence, end).is_ascii_alphanumeric() && !goes_on;
    (free && (digits == 4 || whole && matches!(digits, 1 | 2))).then_some(digits)
}

/// Not a part of a longer number, code or amount.
fn stands_free(sentence: &str, range: &Range<usize>) -> bool {
    let before = byte_before(sentence, range.start);
    let after = byte_at(sentence, range.end);
    let goes_on = matches!(after, b'-' | b'.' | b'/')
        && byte_at(sentence, range.end + 1).is_ascii_digit()
        && other_ending(sentence, range).is_none();
    let began = matches!(before, b'-' | b'.' | b'/')
        && range.start > 1
        && byte_before(sentence, range.start - 1).is_ascii_alphanumeric();
    // `NDC 0093-7214-01`: a package of a drug.
    let drug = listed!(word_before(sentence, range.start), "ndc ndc# upc");
    !before.is_ascii_digit() && !after.is_ascii_digit() && !goes_on && !began && !drug && !matches!(before, b'$' | b'_')
}

fn is_local(sentence: &str, range: &Range<usize>) -> bool {
    let round =
        sentence[range.clone()].ends_with("000") && sentence.as_bytes()[range.start + 1..range.start + 3] == *b"00";
    let number = &sentence[range.clone()];
    let dotted = number.contains('.');
    cue_before(sentence, range.start)
        || !round
            && !dotted
            && !unit_follows(sentence, range.end)
            && !byte_before(sentence, range.start).is_ascii_alphabetic()
}

fn unit_follows(sentence: &str, at: usize) -> bool {
    listed!(word_after(sentence, at), "mg ml mcg units cc kcal calories steps mg/day ml/day iu cells g")
}

/// The letters of the 30 bytes before a place that are in the same field.
fn lead(sentence: &str, at: usize) -> &str {
    let mut start = at.saturating_sub(30);
    while !sentence.is_char_boundary(start) {
        start += 1;
    }
    let lead = &sentence[start..at];
    &lead[lead.rfind([';', '|', '\t']).map_or(0, |end| end + 1)..]
}

fn cue_before(sentence: &str, at: usize) -> bool {
    const LINES: &str = "phone telephone tel cell mobile ph call called calling callback contact reach reached pager page \
                         beeper fax home work office landline number hotline text dial voicemail c h t w o p f m cb \
                         telephoned phones pgr faxed line";
    lead(sentence, at).split(|character: char| !character.is_ascii_alphabetic()).any(|word| listed!(word, LINES))
}

/// Whether the nearest word that names a kind of line is a fax.
fn fax_before(sentence: &str, at: usize) -> bool {
    let nearest = lead(sentence, at).rsplit(|character: char| !character.is_ascii_alphabetic()).find(|word| {
        listed!(word, "fax faxed facsimile fx f phone tel ph p cell pager telephone mobile call office home")
    });
    nearest.is_some_and(|word| listed!(word, "fax faxed facsimile fx f faxes"))
}

/// Judges `phone`, `pager`, `call` and their like: numbers of any form that follow directly.
pub(super) fn cued(sentence: &str, hit: Hit, label: Label, least: usize, findings: &mut Findings) {
    if listed!(&sentence[hit.start..hit.end], "ring") && is_of_stoma(sentence) {
        return;
    }
    let Some(captures) = LINKED.captures(&sentence[hit.end..]) else {
        return;
    };
    let Some(number) = captures.get(1) else { return };
    let link = &sentence[hit.end..hit.end + number.start()];
    let glued = link.is_empty()
        && hit.end - hit.start > 2
        && !listed!(&sentence[hit.start..hit.end], "fax pager phone telephone cell mobile tel");
    let start = hit.end + number.start();
    let mut text = trimmed(number.as_str());
    // `called 911. 1300 block Tyler`: that number is everybody's.
    if text.starts_with("911. ") {
        return;
    }
    let whole = text.len();
    // `Pager: 12345 3/14/2019`, `pager 4417 55 yo`: behind the number stands another one.
    // `pager 2-7733 days`: the line of an exchange is no count of them, but when it is answered.
    let exchange = |text: &str| text.as_bytes().get(1) == Some(&b'-') && text.len() == 6;
    let ends_in_other = |text: &str| {
        let end = start + text.len();
        is_other_number(sentence, end) && !(exchange(text) && word_after(sentence, end) == "days")
    };
    while ends_in_other(text) || findings.covers(&(start..start + text.len())) {
        let Some(blank) = text.rfind(' ') else { return };
        text = trimmed(&text[..blank]);
    }
    let range = start..start + text.len();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    // `K 6.7 called 1822 to Anh`, `paged at 0930`: when somebody called.
    let cue = &sentence[hit.start..hit.end];
    let called = cue.eq_ignore_ascii_case("called") && matches!(link.trim(), "" | "at")
        || cue.eq_ignore_ascii_case("paged") && link.trim() == "at" && text.ends_with(['0', '5']);
    let clock = called && text.len() == 4 && text <= "2400" && &text[2..] < "60";
    // Behind what is carried stands its number: `pager 1985`.
    let carried = listed!(cue, "pager pagers pgr beeper bleep bleeper");
    let year = text.len() == 4 && (text.starts_with("19") || text.starts_with("20")) && !link.contains([':', '#']);
    let year = year && !carried;
    // What was cut off counts nothing; what is left must be told as a number of a telephone, or have the form of one.
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let told = carried || link.contains([':', '#']) || matches!(digits, 7 | 10) && text.contains('-');
    if text.len() < whole && !(is_plain && told) {
        return;
    }
    if digits >= least && digits <= 15 && !year && !clock && !glued {
        findings.add(range, label, 0.9);
    }
}

/// Whether a number that ends at a place is none of a telephone: a date or an hour goes on there, or what it counts follows.
fn is_other_number(sentence: &str, end: usize) -> bool {
    let after = byte_at(sentence, end);
    let counted = word_after(sentence, end);
    matches!(after, b':' | b'/') && byte_at(sentence, end + 1).is_ascii_digit()
        || after == b'%'
        || after.is_ascii_alphabetic()
        || listed!(counted, "mg days hours minutes am pm weeks times years year beats min of yo")
}

/// Whether a sentence tells of what is worn over a stoma, so that a `ring` calls nobody: `ring 14604, pouch 18194`.
fn is_of_stoma(sentence: &str) -> bool {
    sentence
        .split(|c: char| !c.is_ascii_alphabetic())
        .any(|word| listed!(word, "pouch pouches wafer wafers ostomy stoma flange colostomy ileostomy urostomy"))
}

/// Cuts a number off before a date, a second number or an unmatched bracket: at the first double blank or closing
/// bracket.
fn trimmed(number: &str) -> &str {
    let number = number.split("  ").next().unwrap_or(number);
    let opens = number.trim_start_matches('+').starts_with('(');
    let number = if opens { number } else { number.split([')', '(']).next().unwrap_or(number) };
    number.trim_end_matches([' ', '.', '-', '('])
}

/// Judges `ext` and `x` before an extension.
pub(super) fn extension(sentence: &str, hit: Hit, findings: &mut Findings) {
    let short = hit.end - hit.start == 1;
    let mut cursor = super::context::Cursor::new(sentence, hit.end);
    cursor.skip(b".:# ", if short { 1 } else { 3 });
    let start = cursor.at;
    let Some((_, digits)) = cursor.number(6) else { return };
    let mut end = cursor.at;
    if cursor.skip(b"-", 1) == 1 && matches!(cursor.number(5), Some((_, 4 | 5))) {
        end = cursor.at;
    }
    if !short && digits == 1 {
        end += digits_apart(&sentence[end..]);
    }
    let number = findings.ending_near(hit.start, 4).filter(|(_, label)| matches!(label, Label::Phone | Label::Fax));
    let glued = short && start == hit.end;
    let least = match () {
        () if number.is_some() => 1,
        // `x210` in one, at the end of what is said.
        () if glued && (end == sentence.len() || b"\n.),;".contains(&byte_at(sentence, end))) => 3,
        () if short => 4,
        () => 2,
    };
    let free =
        !byte_before(sentence, hit.start).is_ascii_alphanumeric() && !byte_at(sentence, end).is_ascii_alphanumeric();
    let other = number.is_none()
        && (is_of_joint(sentence, hit.start, &sentence[start..end]) || is_extubated(sentence, start..end));
    let size = short && listed!(word_after(sentence, end), "mg cm mm days weeks doses");
    let share = byte_at(sentence, end) == b'%';
    if end - start >= least && digits <= 6 && free && !size && !other && !share && !findings.covers(&(start..end)) {
        // `555-0190 ext. 226` is one number.
        let (from, label) = number.unwrap_or((start, Label::Phone));
        findings.add(from..end, label, 0.85);
    }
}

/// How many bytes the digits of `2 2 0 7` take behind the first one, two or more of them, with a blank before each.
fn digits_apart(rest: &str) -> usize {
    let pairs = rest.as_bytes().chunks_exact(2).take_while(|pair| pair[0] == b' ' && pair[1].is_ascii_digit()).count();
    if (2..=5).contains(&pairs) { 2 * pairs } else { 0 }
}

/// `R wrist ext 70`, `flex 120/ext 0`, `Flex 70, ext 20`: whether it is told how far a joint goes.
fn is_of_joint(sentence: &str, at: usize, degrees: &str) -> bool {
    const JOINTS: &str = "wrist knee elbow hip shoulder neck finger thumb ankle toe trunk lumbar cervical mcp pip dip flex flexion prom arom";
    let bent = sentence[..at]
        .trim_end_matches([' ', ',', ';', '/'])
        .trim_end_matches(|c: char| c.is_ascii_digit() || c == '-')
        .trim_end_matches([' ', ':', '+']);
    degrees.parse().is_ok_and(|degrees: u32| degrees <= 180)
        && (listed!(word_before(bent, bent.len()), "flex flexion ff ir abd rot")
            || listed!(word_before(sentence, at), JOINTS))
}

/// `TOF 4/4, ext 0901 -> PACU`: whether it is told at what hour, and where to, somebody went without a tube.
fn is_extubated(sentence: &str, hour: Range<usize>) -> bool {
    let rest = sentence[hour.end..].trim_start();
    let leaves = ["->", "-->", "→", "to "].iter().find_map(|sign| rest.strip_prefix(sign));
    let hour = &sentence[hour];
    hour.len() == 4
        && hour.parse().is_ok_and(|hour: u32| hour < 2400 && hour % 100 < 60)
        && leaves.is_some_and(|place| listed!(first_word(place.trim_start()), "pacu icu micu sicu picu ccu floor"))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn phones(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Phone])
    }

    #[test]
    fn numbers_pulled_apart_and_with_another_ending() {
        assert_eq!(phones("Office 860-555-0150/0151, back line"), ["860-555-0150", "0151"]);
        assert_eq!(phones("landline (307)555 -0139."), ["(307)555 -0139"]);
        assert_eq!(phones("reached 2nd try 985 555 01 06"), ["985 555 01 06"]);
        assert_eq!(phones("quit line 1-800-QUIT-NOW given"), ["1-800-QUIT-NOW"]);
        for sentence in ["rates 985 555 01 06 steps", "860-555-0150/01512", "UOP 650/500 -1150", "drawn 555-0144/21/3"]
        {
            assert_eq!(phones(sentence), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn what_stands_right_behind_a_number_is_none_of_it() {
        for (sentence, numbers) in [
            ("Pager: 12345 3/14/2019", vec!["12345"]),
            ("pager 4417 10:15 AM", vec!["4417"]),
            ("pager 4417 5 mg given", vec!["4417"]),
            ("pager 4417 55 yo M", vec!["4417"]),
            ("pager 12345 617-555-0134", vec!["617-555-0134", "12345"]),
            ("Phone: 617.555.0134x12 today", vec!["617.555.0134x12"]),
            ("(617) 555-0134x12", vec!["(617) 555-0134x12"]),
            ("reach her at 617.555.0134c or home", vec!["617.555.0134"]),
            ("ID pager 2-7733 days; after 5 the operator", vec!["2-7733"]),
            ("call 419-555-0140 x22l", vec!["419-555-0140", "22l"]),
        ] {
            let mut found = phones(sentence);
            found.sort_unstable_by_key(|number| std::cmp::Reverse(number.len()));
            assert_eq!(found, numbers, "{sentence}");
        }
        for sentence in ["call 10 15 min later", "paged at 0930 10 mg", "phone 5 mg"] {
            assert_eq!(phones(sentence), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn what_is_dialled_from_abroad_is_all_of_the_number() {
        assert_eq!(phones("tel +52 322 226 0044 at home"), ["+52 322 226 0044"]);
        assert_eq!(phones("call +52 (322) 226 0044"), ["+52 (322) 226 0044"]);
        assert_eq!(phones("tel. 001 480 555 0125"), ["001 480 555 0125"]);
        assert_eq!(phones("called 00 44 20 7946 0958"), ["00 44 20 7946 0958"]);
    }

    #[test]
    fn extensions_and_extubations() {
        for (sentence, number) in [
            ("call ext 1542 to schedule", "1542"),
            ("ext 2210 to reach the desk", "2210"),
            ("PACU ext 1542 ICU ext 1610", "1542"),
            ("questions x210.", "210"),
            ("noelle  |  ext 2 2 0 7  |", "2 2 0 7"),
        ] {
            assert!(phones(sentence).contains(&number), "{sentence}");
        }
        for sentence in [
            "TOF 4/4, ext 0901 -> PACU",
            "ext 0901 to PACU",
            "R wrist ext 70",
            "flex 120/ext 0",
            "Flex 70, ext 20",
            "ext 4 5 of the knee",
        ] {
            assert_eq!(phones(sentence), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn lines_at_which_somebody_is_reached() {
        assert_eq!(phones("signing out to Zsofia @0730, she's on 7-2290. thanks"), ["7-2290"]);
        assert_eq!(phones("questions? reach me at 5-5551"), ["5-5551"]);
        for sentence in ["saw her at 5-2019 visit", "put him on 2-5 L", "she's on 1-2020 units", "he's at 3-4000 mg"] {
            assert_eq!(phones(sentence), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn numbers_that_are_named_behind() {
        assert_eq!(phones("wants you to call, 4434 is the nurse phone"), ["4434"]);
        assert_eq!(phones("5512 is the charge phone"), ["5512"]);
        assert_eq!(phones("4-4188 is her pager tonight"), ["4-4188"]);
        for sentence in
            ["took 4000 steps by her phone", "4434 is the dose", "100 is the score by phone", "ring 14604, pouch 18194"]
        {
            assert_eq!(phones(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
