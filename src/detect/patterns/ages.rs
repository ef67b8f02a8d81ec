//! Ages: `92 y/o`, `ninety-two-year-old`, `age 45`, `in her 90s`, `45M`. The span is the number or its words.

use crate::detect::listed::listed;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::ages_lived;
use super::anchored;
use super::context::{Cursor, byte_at, byte_before, is_one_of, offset_in, word_after, word_before};
use super::findings::Findings;
use super::survey::Hit;
use crate::phi::{Class, Kind, Label};
use crate::text::numbers::{TENS, UNITS};

/// Relatives by one word.
const KIN: &str = "mother father brother sister son daughter aunt uncle grandmother grandfather mom dad wife \
                   husband mgm mgf pgm pgf niece nephew cousin";
const DECADES: &str = "teens twenties thirties forties fifties sixties seventies eighties nineties hundreds";

/// An age of so many years.
pub(super) fn class(years: u32) -> Class {
    Class { label: Label::Age, kind: if years > 89 { Kind::AgeOver89 } else { Kind::AgeUpTo89 } }
}

/// Reads an English number up to a hundred and nineteen: its value; the cursor moves over its words.
pub(super) fn number_words(cursor: &mut Cursor) -> Option<u32> {
    let mut here = *cursor;
    let mut total = 0;
    let mut read = false;
    let _ = here.one_of("a") && here.skip_blanks() > 0;
    if here.one_of("hundred") || {
        let mut one = here;
        one.one_of("one") && one.skip(b" -", 1) == 1 && one.one_of("hundred") && {
            here = one;
            true
        }
    } {
        (total, read, *cursor) = (100, true, here);
        here.skip(b" -", 1);
        let _ = here.one_of("and") && here.skip_blanks() > 0;
    } else if let Some(value) = hundred_and(cursor) {
        return Some(value);
    } else {
        here = *cursor;
    }
    let word = here.word();
    if let Some(tens) = TENS.iter().skip(2).position(|name| name.eq_ignore_ascii_case(word)) {
        here.at += word.len();
        (total, read, *cursor) = (total + 20 + 10 * tens as u32, true, here);
        here.skip(b" -", 1);
    }
    let word = here.word();
    if let Some(units) = UNITS.iter().position(|name| name.eq_ignore_ascii_case(word)) {
        let after_tens = total % 100 != 0;
        if units > 0 && (!after_tens || units < 10) {
            here.at += word.len();
            (total, read, *cursor) = (total + units as u32, true, here);
        }
    }
    read.then_some(total)
}

/// Reads `one-oh-two`, a hundred and two; the cursor moves over it.
fn hundred_and(cursor: &mut Cursor) -> Option<u32> {
    let mut here = *cursor;
    let zero = here.one_of("one") && here.skip(b" -", 1) == 1 && here.one_of("oh") && here.skip(b" -", 1) == 1;
    let word = here.word();
    let units = UNITS
        .iter()
        .position(|name| zero && name.eq_ignore_ascii_case(word))
        .filter(|units| (1..10).contains(units))?;
    cursor.at = here.at + word.len();
    Some(100 + units as u32)
}

/// The number in digits or words that ends at `end`, over at most two blanks or dashes: its place and value.
fn number_ending(sentence: &str, end: usize) -> Option<(Range<usize>, u32)> {
    let bytes = sentence.as_bytes();
    let end =
        end - bytes[..end].iter().rev().take(2).take_while(|byte| matches!(byte, b' ' | b'-' | b'\n' | b'\r')).count();
    let digits = bytes[..end].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if (1..=3).contains(&digits) {
        let mut start = end - digits;
        let value = sentence[start..end].parse().ok()?;
        if byte_before(sentence, start) == b'.' && byte_before(sentence, start - 1).is_ascii_digit() {
            start -= 1 + bytes[..start - 1].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        }
        // `is a41year old`: the blank was lost.
        let glued = byte_before(sentence, start) == b'a' && start > 1 && byte_before(sentence, start - 1) == b' ';
        let free = (glued || !byte_before(sentence, start).is_ascii_alphanumeric())
            && !matches!(byte_before(sentence, start), b'/' | b'%' | b'$');
        return free.then_some((start..end, value));
    }
    // Words: the longest number that ends here, of at most five words.
    let mut best = None;
    let mut start = end;
    for _ in 0..5 {
        let letters = bytes[..start].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if letters == 0 {
            break;
        }
        start -= letters;
        let mut cursor = Cursor::new(sentence, start);
        if let Some(value) = number_words(&mut cursor)
            && cursor.at == end
            && !sentence[start..].starts_with("a ")
        {
            best = Some((start..end, value));
        }
        start -= bytes[..start].iter().rev().take(1).take_while(|byte| matches!(byte, b' ' | b'-')).count();
    }
    best
}

/// Judges a unit of age: `years old`, `yo`, `y/o`, `-month-old`, `M` after a number.
pub(super) fn unit(sentence: &str, hit: Hit, findings: &mut Findings) {
    let Some((place, value)) = number_ending(sentence, hit.start) else {
        return either(sentence, hit, findings);
    };
    if value > 120 || findings.covers(&place) {
        return;
    }
    let word = &sentence[hit.start..hit.end];
    let old = old_follows(sentence, hit.end);
    let before = word_before(sentence, place.start);
    // `92yM`, `94yoWF`: unit, race and sex in one.
    let of_sex = place.end == hit.start && listed!(word, "ym yf yrm yrf ywm ywf ybm ybf yowm yowf yobm yobf");
    let years = of_sex || listed!(word, "years year yr yrs y yo yof yom yold yow ym yf");
    let hours = listed!(word, "hour hours hr hrs");
    let score = match () {
        () if old && of_a_thing(sentence, hit.end, value) => return,
        () if hours && !old => return,
        () if of_sex || is_one_of(word, &["yo", "yof", "yom", "yold", "yow"]) => 1.0,
        () if is_one_of(word, &["m", "f", "male", "female"]) => match sex_score(sentence, hit, &place, value) {
            Some(score) => score,
            None => return,
        },
        () if old => 1.0,
        () if year_of_age(sentence, hit.end) => 1.0,
        // `for Metro Transit x 22y`
        () if before.eq_ignore_ascii_case("x") => return,
        () if word.eq_ignore_ascii_case("y") && short_year_of_age(sentence, hit, &place) => 0.8,
        () if years && sex_follows(sentence, hit.end) && !is_one_of(before, &["for", "x", "past", "last", "over"]) => {
            0.8
        }
        () if years && in_brackets(sentence, hit, &place, value) => 0.8,
        () if years
            && ages_lived::of_one(sentence, &place)
            && !listed!(
                word_after(sentence, hit.end),
                "service follow-up experience duration standing ago work practice follow"
            ) =>
        {
            0.9
        }
        () if well_visit(sentence, hit) || is_of_infant(sentence, &place) => 0.8,
        () => return,
    };
    let is_years = years || is_one_of(word, &["m", "f", "male", "female"]);
    findings.add(place.clone(), class(if is_years { value } else { 0 }), score);
    also_before(sentence, &place, is_years, findings);
}

/// `a 6-year-old pacemaker`: of a thing that nobody is called after, and of no one who has it.
fn of_a_thing(sentence: &str, end: usize, years: u32) -> bool {
    let mut cursor = Cursor::new(sentence, end);
    cursor.skip(b" .-", 2);
    years < 50
        && cursor.one_of("old")
        && cursor.skip_blanks() > 0
        && cursor.one_of(
            "pacemaker icd graft fistula stent stents shunt implant prosthesis tattoo generator battery mesh mattress",
        )
        && !listed!(
            word_after(sentence, cursor.at),
            "patient pt recipient man woman male female dependent owner boy girl gentleman lady check clinic clinician maker",
        )
}

/// `92/93 yo`: one of two ages.
fn either(sentence: &str, hit: Hit, findings: &mut Findings) {
    let word = &sentence[hit.start..hit.end];
    let head = sentence[..hit.start].trim_end_matches([' ', '-']);
    let number = |end: usize| {
        let digits = sentence.as_bytes()[..end].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let value: u32 = (1..=3).contains(&digits).then(|| sentence[end - digits..end].parse().ok())??;
        Some((end - digits..end, value))
    };
    let Some((second, high)) = number(head.len()) else { return };
    let Some((first, low)) = sentence[..second.start].strip_suffix('/').and_then(|head| number(head.len())) else {
        return;
    };
    let told = is_one_of(word, &["yo", "yof", "yom", "yow"])
        || listed!(word, "years year yr yrs y") && old_follows(sentence, hit.end)
        || word.eq_ignore_ascii_case("y") && short_year_of_age(sentence, hit, &second);
    let counted = sentence[..first.start].trim_end().ends_with(|c: char| c.is_ascii_digit());
    let free = !counted && !matches!(byte_before(sentence, first.start), b'/' | b'.' | b'-');
    if told && free && low > 2 && high <= 120 && low.abs_diff(high) <= 2 && !findings.covers(&(first.start..second.end))
    {
        findings.add(first, class(low), 0.9);
        findings.add(second, class(high), 0.9);
    }
}

/// `(84 yrs)`, `M 66y`, `AGE:84Y`, `16 Y  DOB`: years that stand apart, of no duration.
fn in_brackets(sentence: &str, hit: Hit, place: &Range<usize>, value: u32) -> bool {
    let end = hit.end + usize::from(byte_at(sentence, hit.end) == b'.');
    let lead = sentence[..place.start].trim_end_matches(' ');
    let before = word_before(sentence, place.start);
    let column = place.start - lead.len() > 1 || listed!(before, "m f male female age sex");
    let bracket = lead.ends_with('(') && byte_at(sentence, end) == b')';
    let apart = sentence[end..].starts_with("  ") || end == sentence.len() || byte_at(sentence, end) == b'\n';
    let lasting =
        sentence[..place.start].rsplit(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).take(5).any(
            |word| {
                listed!(
                    word,
                    "smoked smoker smoking tobacco pack packs ppd since for duration hx history years married worked \
                         sober x past over last ago retired follow use",
                )
            },
        );
    value > 0 && !lasting && (bracket || column && apart && value > 1)
}

/// `2 month well child`, `9 mo WCC`.
fn well_visit(sentence: &str, hit: Hit) -> bool {
    listed!(word_after(sentence, hit.end), "well wcc wcv wbc-check checkup physical")
        && !is_one_of(word_after(sentence, hit.end), &["wbc"])
        && (listed!(word_after(sentence, hit.end), "wcc wcv") || {
            let mut cursor = Cursor::new(sentence, hit.end);
            cursor.skip(b" -", 2);
            cursor.one_of("well")
                && cursor.skip(b" -", 2) > 0
                && cursor.one_of("child baby visit check infant adolescent woman checkup exam")
        })
}

/// `infant, 6 days`.
fn is_of_infant(sentence: &str, place: &Range<usize>) -> bool {
    let before = word_before(sentence, place.start);
    let young = |word: &str| listed!(word, "infant newborn baby neonate boy girl toddler neonates");
    let comma = byte_before(sentence, place.start.saturating_sub(1)) == b',';
    comma && young(before)
        || is_one_of(before, &["toddler"])
        || is_one_of(before, &["is"]) && young(word_before(sentence, offset_in(sentence, before)))
}

/// Another age that shares the unit: `26 and 28 years old`, `5- and 7-year-old`.
fn also_before(sentence: &str, place: &Range<usize>, is_years: bool, findings: &mut Findings) {
    let joint = word_before(sentence, place.start);
    if !is_one_of(joint, &["and", "or", "to"]) {
        return;
    }
    let at = offset_in(sentence, joint);
    if let Some((other, value)) = number_ending(sentence, at)
        && value <= 120
    {
        findings.add(other, class(if is_years { value } else { 0 }), 0.8);
    }
}

/// `old` after the unit, over blanks, dashes, dots and plural marks.
fn old_follows(sentence: &str, at: usize) -> bool {
    let mut cursor = Cursor::new(sentence, at);
    cursor.skip(b"'s()", 2);
    cursor.skip(b" .,-\r\n", 3);
    // `5 y 3 m old`, `98 years and three months old`: the units between are of the same age.
    if cursor.one_of("and") {
        cursor.skip_blanks();
    }
    if cursor.number(2).is_some() || number_words(&mut cursor).is_some() {
        cursor.skip(b" -", 1);
        if cursor.one_of("m mo months month days weeks mos") {
            cursor.skip(b" -", 1);
        }
    }
    cursor.one_of("old olds young") || cursor.word().eq_ignore_ascii_case("o") && cursor.at == at + 1
}

fn year_of_age(sentence: &str, at: usize) -> bool {
    let mut cursor = Cursor::new(sentence, at);
    cursor.skip_blanks();
    cursor.one_of("of") && cursor.skip_blanks() > 0 && cursor.one_of("age")
}

/// `y/o`, `y.o.`, `y.`, `45y F`.
fn short_year_of_age(sentence: &str, hit: Hit, place: &Range<usize>) -> bool {
    let mut cursor = Cursor::new(sentence, hit.end);
    cursor.skip(b"/.-", 1);
    let o = cursor.one_of("o old");
    o || sex_follows(sentence, hit.end) || place.end == hit.start && matches!(byte_at(sentence, hit.end), b')' | b',')
}

fn sex_follows(sentence: &str, at: usize) -> bool {
    let mut cursor = Cursor::new(sentence, at);
    cursor.skip(b" .,-/", 2);
    cursor.one_of(
        "male female m f man woman boy girl gentleman lady wm wf bm bf hm hf white black caucasian hispanic aam \
         aaf asian african",
    )
}

/// `45M with`, `72 F`, `(63F)`: only in capitals and where a patient is introduced.
fn sex_score(sentence: &str, hit: Hit, place: &Range<usize>, value: u32) -> Option<f32> {
    let word = &sentence[hit.start..hit.end];
    let spelled = word.len() > 1;
    let gap = hit.start - place.end;
    if !spelled && !word.as_bytes()[0].is_ascii_uppercase()
        || value == 0
        || gap > 1
        || sentence[place.clone()].contains('.')
        || word == "F" && gap == 0 && super::ages_brief::is_size(sentence, place)
        || super::ages_brief::is_maker(sentence, place)
    {
        return None;
    }
    let after = word_after(sentence, hit.end);
    let before = word_before(sentence, place.start);
    let introduced = place.start == 0
        || listed!(before, "is a an this pt patient pleasant hpi cc id old summary liner")
        || listed!(after, "with w/ who presents presenting p/w s/p h/o c/o w pmh pmhx hx admitted here c/b known")
        || byte_before(sentence, place.start) == b'(' && byte_at(sentence, hit.end) == b')';
    let years = introduced || spelled && gap == 1;
    (years
        && !matches!(byte_at(sentence, hit.end), b'/' | b'-' | b'\'')
        && !is_one_of(after, &["french", "catheter", "foley"]))
    .then_some(if gap == 0 || spelled { 0.85 } else { 0.7 })
}

/// Judges `age 45`, `aged 7`, `Age: 81`, `ages 26 and 28`, `turned 80`, `died at 71`.
pub(super) fn word(sentence: &str, hit: Hit, findings: &mut Findings) {
    let word = &sentence[hit.start..hit.end];
    let before = word_before(sentence, hit.start);
    // Points of a stroke score: `(age 2, female 1)`.
    let of_score = ["VASc", "HAS-BLED"].iter().any(|score| sentence[..hit.start].contains(score));
    if of_score && listed!(word, "age female male") {
        return;
    }
    if listed!(before, "gestational bone fetal conceptional postmenstrual gestation corrected") {
        return;
    }
    let mut cursor = Cursor::new(sentence, hit.end);
    let event = !is_one_of(word, &["age", "aged", "ages", "edad"]);
    if cursor.skip(b"/", 1) == 1 {
        let _ = cursor.one_of("sex gender race");
    }
    cursor.skip(b"]):= \t\r\n", 3);
    // `turns in nine steps` tells no age.
    if event && is_one_of(word, &["turned", "turning", "turn", "turns"]) && listed!(cursor.word(), "in at of on to") {
        return;
    }
    let link = cursor.one_of("of at is in approximately about around");
    if event && !link && !is_one_of(word, &["turned", "turning", "turn", "turns"]) {
        return;
    }
    cursor.skip(b" ~:>", 2);
    if event && cursor.one_of("age the") {
        return;
    }
    let _ = cursor.one_of("approximately about around approx") && cursor.skip_blanks() > 0;
    for _ in 0..6 {
        let start = cursor.at;
        let Some(value) = read_age(&mut cursor) else { return };
        // `Age: 7;11`: years and months.
        let mut months = cursor;
        if months.skip(b";", 1) == 1 && months.number(2).is_some() && !months.peek().is_ascii_alphanumeric() {
            cursor = months;
        }
        let unit = word_after(sentence, cursor.at);
        let months = listed!(unit, "months month mo weeks days wks mos");
        let sex = cursor.peek() == b'/' && matches!(byte_at(sentence, cursor.at + 1), b'M' | b'F' | b'm' | b'f');
        // `DOB/Age: 02-NOV-1980 / 44`
        let date = cursor.peek() == b'-' && byte_at(sentence, cursor.at + 1).is_ascii_uppercase();
        let other = date
            || !sex && matches!(cursor.peek(), b'/' | b'%' | b':')
            || listed!(unit, "mg am pm hours hospital weeks' degrees deg times times/day");
        if other || value > 120 || event && months {
            return;
        }
        if !findings.covers(&(start..cursor.at)) {
            findings.add(start..cursor.at, class(if months { 0 } else { value }), if event { 0.7 } else { 0.95 });
        }
        let mut joint = cursor;
        joint.skip(b" ,-&", 3);
        let _ = joint.one_of("and to or") && joint.skip_blanks() > 0;
        if event || joint.at == cursor.at {
            return;
        }
        cursor = joint;
    }
}

/// Judges `she is 94.`
pub(super) fn person(sentence: &str, hit: Hit, findings: &mut Findings) {
    static AGE: LazyLock<Regex> = LazyLock::new(|| {
        anchored(
            r"\s+(?:is|was)\s+(?:(?:now|only|already|about|almost|nearly|himself|herself|just)\s+)?([0-9]{2,3})(?:\s+(?:and|who|with|but)\b|[.,;)]|\s*$)",
        )
    });
    let Some(age) = AGE.captures(&sentence[hit.end..]).and_then(|captures| captures.get(1)) else {
        return;
    };
    let range = hit.end + age.start()..hit.end + age.end();
    let value: u32 = age.as_str().parse().unwrap_or(u32::MAX);
    let decimal = byte_at(sentence, range.end + 1).is_ascii_digit();
    if (10..=115).contains(&value) && !decimal && !findings.covers(&range) {
        findings.add(range, class(value), 0.7);
    }
}

/// Judges a relative: `mother (88)`, `father d. 62`, `brother alive 70`.
pub(super) fn kin(sentence: &str, hit: Hit, findings: &mut Findings) {
    static AGE: LazyLock<Regex> = LazyLock::new(|| {
        anchored(
            r"\s*(?:\((?:age\s|aged\s|d\.?\s|died\s|living\s|alive\s)?|(?:d\.?|died|deceased|alive|living),?\s+(?:at\s|@\s?|age\s)?)([0-9]{1,3})\b",
        )
    });
    if !listed!(&sentence[hit.start..hit.end], KIN) {
        return;
    }
    let Some(age) = AGE.captures(&sentence[hit.end..]).and_then(|captures| captures.get(1)) else {
        return;
    };
    let range = hit.end + age.start()..hit.end + age.end();
    let value: u32 = age.as_str().parse().unwrap_or(u32::MAX);
    let other = matches!(byte_at(sentence, range.end), b'%' | b'/' | b'-' | b'.')
        && byte_at(sentence, range.end + 1).is_ascii_digit()
        || listed!(word_after(sentence, range.end), "days weeks months mg children kids sons daughters weeks'");
    if value <= 115 && !other && !findings.covers(&range) {
        findings.add(range, class(value), 0.8);
    }
}

fn read_age(cursor: &mut Cursor) -> Option<u32> {
    match cursor.number(3) {
        Some((value, _)) => Some(value),
        None => number_words(cursor),
    }
}

/// Judges `her 90s`, `his late eighties`.
pub(super) fn decade(sentence: &str, hit: Hit, findings: &mut Findings) {
    let mut cursor = Cursor::new(sentence, hit.end);
    cursor.skip_blanks();
    cursor.skip(b"-", 1);
    // Most words after `his` and `her` are ruled out by their first letter.
    if !matches!(cursor.peek() | 32, b'0'..=b'9' | b'\'' | b'e' | b'm' | b'l' | b't' | b'f' | b's' | b'n' | b'h' | b'-')
    {
        return;
    }
    while cursor.one_of("early mid late to") {
        cursor.skip(b" -/", 2);
    }
    cursor.skip(b"'", 1);
    let start = cursor.at;
    let value = if let Some(decade) = DECADES.split(' ').position(|name| name.eq_ignore_ascii_case(cursor.word())) {
        cursor.at += cursor.word().len();
        10 * (decade as u32 + 1)
    } else {
        let Some((value, 2)) = cursor.number(2) else { return };
        cursor.skip(b"'", 1);
        if value % 10 != 0 || !cursor.one_of("s") {
            return;
        }
        value
    };
    let before = word_before(sentence, hit.start);
    let possessive = is_one_of(&sentence[hit.start..hit.end], &["his", "her", "their", "my"]);
    let part = listed!(&sentence[hit.start..hit.end], "early mid late")
        && !listed!(before, "the in since of from")
        && (byte_before(sentence, cursor.at).is_ascii_alphabetic() && cursor.at - start > 3
            || !is_vital(sentence, hit.start));
    if (possessive || part) && !is_one_of(before, &["with"]) && !findings.covers(&(start..cursor.at)) {
        findings.add(start..cursor.at, class(value), 0.95);
    }
}

/// Whether tens are told of a vital sign: `HR early 80s`.
pub(super) fn is_vital(sentence: &str, at: usize) -> bool {
    sentence[..at].rsplit(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).take(5).any(|word| {
        listed!(
            word,
            "hr bp sbp dbp map sat sats pressure pressures rate rates glucose sugar sugars temp diastolic systolic o2 spo2 \
             pulse range ranging running ef fsbg bg bs weight readings values s sbps mid low high",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        for (text, value) in [
            ("ninety-two", 92),
            ("one hundred and ten", 110),
            ("one hundred", 100),
            ("a hundred and three", 103),
            ("seven", 7),
            ("twenty", 20),
            ("fifty five", 55),
            ("sixteen", 16),
        ] {
            let mut cursor = Cursor::new(text, 0);
            assert_eq!((number_words(&mut cursor), cursor.at), (Some(value), text.len()), "{text}");
        }
        assert_eq!(number_words(&mut Cursor::new("old", 0)), None);
    }

    #[test]
    fn numbers_are_read_backwards() {
        let text = "a ninety-two-year-old";
        assert_eq!(number_ending(text, 13), Some((2..12, 92)));
        assert_eq!(number_ending("92-year", 3), Some((0..2, 92)));
        assert_eq!(number_ending("v92", 3), None);
        assert_eq!(number_ending("", 0), None);
    }
}
