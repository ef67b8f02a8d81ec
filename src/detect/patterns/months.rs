//! Dates with a month's name: `March 5th, 2014`, `5 March`, `04MAR2019`, `March 3-5`, `Feb of 2019`, `since May`.

use std::sync::LazyLock;

use regex::Regex;

use super::ages::number_words;
use super::anchored;
use super::context::{Cursor, byte_at, byte_before, is_listed, is_one_of, word_after, word_before};
use super::cues::{Cue, CueTable};
use super::day_lists;
use super::findings::{Findings, date};
use super::spoken;
use super::survey::Hit;
use crate::detect::listed::listed;
use crate::phi::Kind;

const SUFFIXES: &str = "st nd rd th er";
const ORDINALS: &str = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth \
                        thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth \
                        thirtieth";
/// Words before which a month stands by itself.
const BEFORE_MONTHS: &str = "in since until till til last next early mid late by during from through thru of end \
                             beginning around about this every each to between before after past previous early- \
                             mid- late- on and for or approximately circa seen";
/// Those before which even a word that is mostly no month (`may`, `march`, `mar`) is one.
const SURELY_BEFORE_MONTHS: &str =
    "in since until till til last early mid late during next through thru before after from by";
/// What follows `may` where it is a verb and `march`, `mar` where they are none.
const AFTER_VERBS: &str = "be have need not also take use return resume require benefit consider cause continue \
                           start want help shower increase repeat give get go stop eat drive try well remove";

/// The longest short form of a month, `Sept`.
const LONGEST_SHORT: usize = 4;

/// What was read before and after the name of a month.
#[derive(Default)]
struct Parts {
    start: usize,
    end: usize,
    day: bool,
    year: bool,
}

/// Judges a month's name.
pub(super) fn detect(sentence: &str, hit: Hit, month: u8, short: bool, findings: &mut Findings) {
    if findings.covers(&(hit.start..hit.end)) || is_tomography(sentence, hit) {
        return;
    }
    let parts = year_first(sentence, hit).unwrap_or_else(|| around(sentence, hit, findings));
    if parts.day || parts.year {
        let kind = if parts.day && parts.year { Kind::DateFull } else { Kind::DatePartial };
        if !(parts.day && !parts.year && is_verb_with_number(sentence, hit, month, short, &parts)) {
            findings.add(parts.start..parts.end, date(kind), if short { 0.95 } else { 1.0 });
        }
    } else if let Some(score) = alone(sentence, hit, month, short) {
        findings.add(hit.start..hit.end, date(Kind::DatePartial), score);
    } else if follows_month(sentence, hit, findings) {
        findings.add(hit.start..hit.end, date(Kind::DatePartial), 0.6);
    }
}

/// What is read before and after the name of a month.
fn around(sentence: &str, hit: Hit, findings: &Findings) -> Parts {
    let mut parts = Parts { start: hit.start, end: hit.end, ..Parts::default() };
    day_before(sentence, &mut parts);
    // `Jul 22/Aug 3`: the day of the month before.
    if parts.start < hit.start && findings.covers(&(parts.start..hit.start)) {
        parts = Parts { start: hit.start, end: hit.end, ..Parts::default() };
    }
    after_month(sentence, &mut parts);
    if !parts.year {
        join_next(sentence, &mut parts);
    }
    parts
}

/// `OCT scan`, `OCT: no fluid`, `OCT mac`: a picture of the retina.
fn is_tomography(sentence: &str, hit: Hit) -> bool {
    sentence[hit.start..hit.end] == *"OCT"
        && listed!(
            word_after(sentence, hit.end),
            "scan scans scanned macula macular mac rnfl retina nerve disc od os ou showed shows without guided imaging image images angiography \
             wnl normal stable fluid irf srf"
        )
}

/// `last seen Nov or Dec`: beside a month that is one.
fn follows_month(sentence: &str, hit: Hit, findings: &Findings) -> bool {
    let head = sentence[..hit.start].trim_end_matches(' ');
    let head = ["or", "and", "/", "-", "–"].iter().find_map(|joint| head.strip_suffix(joint));
    let capital = byte_at(sentence, hit.start).is_ascii_uppercase();
    let end = head.map_or(0, |head| head.trim_end_matches([' ', '.']).len());
    capital && end > 0 && byte_before(sentence, end).is_ascii_alphabetic() && findings.covers(&(end - 1..end))
}

/// `may 2 tablets`, `dec 10 mg`, `mar 30`: a number after a lower-case word that is mostly no month.
fn is_verb_with_number(sentence: &str, hit: Hit, month: u8, short: bool, parts: &Parts) -> bool {
    let lower = byte_at(sentence, hit.start).is_ascii_lowercase();
    let word = &sentence[hit.start..hit.end];
    let after = word_after(sentence, parts.end);
    let unit = listed!(after, "mg ml mcg tablets tabs units cc cm mm kg lbs years year weeks days");
    let percent = byte_at(sentence, parts.end) == b'%';
    (unit || percent) && !matches!(parts.start, start if start < hit.start)
        || lower && month == 5 && unit
        || short && lower && word == "mar" && unit
}

/// Takes in the month that a range goes on with, where that has the year of both, or a day as the first has: `March-May 2014`,
/// `December 23 to January 1, 2014`, `Jul 22-Aug 3`.
fn join_next(sentence: &str, parts: &mut Parts) {
    let mut cursor = Cursor::new(sentence, parts.end);
    cursor.skip(b" ", 1);
    let dash = skip_dash(sentence, &mut cursor);
    if !dash && cursor.skip(b"/", 1) == 0 && !cursor.one_of("to through thru") {
        return;
    }
    cursor.skip(b" ", 1);
    let word = cursor.word();
    if !matches!(CueTable::shared().cue(word.as_bytes()), Some(Cue::Month(_) | Cue::MonthShort(_))) {
        return;
    }
    let mut next = Parts { start: cursor.at, end: cursor.at + word.len(), ..Parts::default() };
    after_month(sentence, &mut next);
    if next.day == parts.day && (next.year || next.day && dash) {
        (parts.end, parts.year) = (next.end, next.year);
    }
}

/// A year before its month and day, with the same mark between all: `2014-Mar-05`, `2014/Mar/05`.
fn year_first(sentence: &str, hit: Hit) -> Option<Parts> {
    let mark = byte_before(sentence, hit.start);
    if !matches!(mark, b'-' | b'/' | b'.') || byte_at(sentence, hit.end) != mark {
        return None;
    }
    let start = year_before(sentence, hit.start)?;
    let mut cursor = Cursor::new(sentence, hit.end + 1);
    read_day(sentence, &mut cursor).then_some(Parts { start, end: cursor.at, day: true, year: true })
}

/// Where the year begins that stands before a month, with one mark between them.
fn year_before(sentence: &str, month: usize) -> Option<usize> {
    let head = sentence[..month].strip_suffix(['-', '/', '.'])?;
    let start = head.len() - head.bytes().rev().take_while(u8::is_ascii_digit).count();
    let before = byte_before(sentence, start);
    let free = !before.is_ascii_alphanumeric() && !matches!(before, b'/' | b'-' | b'.');
    let year = head.len() - start == 4 && (1840..=2100).contains(&head[start..].parse().unwrap_or(0));
    (free && year).then_some(start)
}

/// Reads `5`, `5th of`, `the fifth of`, `05-` backwards from the month.
fn day_before(sentence: &str, parts: &mut Parts) {
    let bytes = sentence.as_bytes();
    let mut at = skip_back(bytes, parts.start, b" \t\r\n-/,.", 2);
    let mut gap = parts.start - at;
    // `the 3rd of last February`
    let told = strip_word_back(sentence, at, "last this next").map(|rest| skip_back(bytes, rest, b" ", 1));
    at = told.filter(|&rest| strip_word_back(sentence, rest, "of").is_some()).unwrap_or(at);
    if let Some(rest) = strip_word_back(sentence, at, "of de") {
        at = skip_back(bytes, rest, b" \t\r\n", 2);
        gap = 1;
    }
    let end = at;
    if let Some(start) = strip_word_back(sentence, at, ORDINALS) {
        let tens = skip_back(bytes, start, b" -", 1);
        let start = strip_word_back(sentence, tens, "twenty thirty").unwrap_or(start);
        // `second March` is an ordinal of the day only with `of` or at least a blank.
        if gap > 0 {
            (parts.start, parts.day) = (start, true);
        }
        return;
    }
    let letters = bytes[..at].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    if letters > 0 {
        if letters != 2 || !listed!(&sentence[at - 2..at], SUFFIXES) {
            return;
        }
        at -= 2;
    }
    let digits = bytes[..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=2).contains(&digits) || at < end && end - at != 2 {
        return;
    }
    let start = at - digits;
    let in_a_number = start > 0 && (matches!(bytes[start - 1], b'.' | b'$' | b'%') || bytes[start - 1].is_ascii_alphabetic())
        // `COLL:30-JUL-24` is a field, `07:30 JUL` a clock time.
        || start > 1 && bytes[start - 1] == b':' && bytes[start - 2].is_ascii_digit();
    let value: u32 = sentence[start..at].parse().unwrap_or(0);
    let between = &sentence[at..parts.start];
    // `13.2 from 17. may be able to go`: another sentence.
    let is_verb = |verb: &str| {
        let behind = sentence[parts.start..].strip_prefix(verb).and_then(|rest| rest.strip_prefix(' '));
        behind.is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_lowercase()))
    };
    let verb = between == ". " && (is_verb("may") || is_verb("march"));
    let other_date = gap > 0 && between.contains(',') || verb;
    if in_a_number || !(1..=31).contains(&value) || other_date {
        return;
    }
    // A range of days before the month: `3-5 March`.
    let dash = start > 1 && bytes[start - 1] == b'-' && bytes[start - 2].is_ascii_digit();
    let range = bytes[..start.saturating_sub(1)].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    parts.start = match () {
        () if dash && range <= 2 => start - 1 - range,
        () if letters > 0 => day_lists::start_before(sentence, start, value),
        () if gap > 0 => day_lists::bare_start_before(sentence, start, value),
        () => start,
    };
    parts.day = true;
}

fn skip_back(bytes: &[u8], at: usize, set: &[u8], most: usize) -> usize {
    at - bytes[..at].iter().rev().take(most).take_while(|byte| set.contains(byte)).count()
}

fn strip_word_back(sentence: &str, at: usize, words: &str) -> Option<usize> {
    let letters = sentence.as_bytes()[..at].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    is_listed(&sentence[at - letters..at], words).then_some(at - letters)
}

/// Reads day, range of days and year after the month.
fn after_month(sentence: &str, parts: &mut Parts) {
    // `a flu shot this October.⏎5. DNI`: the next item of a list.
    if parts.end - parts.start > LONGEST_SHORT && sentence[parts.end..].starts_with(".\n") {
        return;
    }
    let mut cursor = Cursor::new(sentence, parts.end);
    cursor.skip(b".", 1);
    let separators = cursor.skip(b" \t\r\n,-/", 3);
    let day_known = parts.day;
    if !day_known && cursor.one_of("the") {
        cursor.skip_blanks();
    }
    if !day_known && let Some(end) = dotted_day(&sentence[parts.end..]) {
        (parts.day, parts.year, parts.end) = (true, true, parts.end + end);
        return;
    }
    let mut here = cursor;
    if !day_known && read_day(sentence, &mut here) {
        (parts.day, parts.end) = (true, here.at);
        read_range(sentence, &mut here, parts);
        if let Some(end) = day_lists::end_after(sentence, parts.end) {
            (parts.end, here.at) = (end, end);
        }
        cursor = here;
        cursor.skip(b" \t\r\n,-/.", 3);
        // A dictated mark.
        if cursor.one_of("comma") {
            cursor.skip_blanks();
        }
    }
    if !day_known
        && parts.day
        && let Some(end) = year_behind_clock(&sentence[parts.end..])
    {
        (parts.year, parts.end) = (true, parts.end + end);
        return;
    }
    let of = cursor.one_of("of in de del") && cursor.skip_blanks() > 0;
    let comma = parts.end < cursor.at && sentence[parts.end..cursor.at].contains([',', '-', '/'])
        || parts.day && is_of_birth(sentence, parts.start);
    read_year(sentence, cursor, comma || day_known || of || separators == 0, parts);
}

/// Where the year ends that machines write behind the time: ` 09:14:00 EDT 2019` of `Jul 22 09:14:00 EDT 2019`.
fn year_behind_clock(rest: &str) -> Option<usize> {
    static CLOCK: LazyLock<Regex> = LazyLock::new(|| {
        anchored(
            r" {1,2}[0-2]?[0-9]:[0-5][0-9]:[0-5][0-9](?: [ap]m)?(?: (?-i:[A-Z]{2,5})| [+-][0-9]{4})? (?:19|20)[0-9]{2}\b",
        )
    });
    rest.starts_with(' ').then(|| CLOCK.find(rest)).flatten().map(|found| found.end())
}

/// Where a day and a year end behind a month, all with stops between them: `.3.2021` of `Oct.3.2021`.
fn dotted_day(rest: &str) -> Option<usize> {
    let mut parts = rest.strip_prefix('.')?.splitn(3, '.');
    let day = parts.next()?;
    let year = parts.next()?.get(..4)?;
    let end = 1 + day.len() + 1 + year.len();
    let fits = day.parse().is_ok_and(|day: u32| (1..=31).contains(&day))
        && day.len() <= 2
        && year.parse().is_ok_and(|year: u32| (1840..=2100).contains(&year))
        && !byte_at(rest, end).is_ascii_alphanumeric();
    fits.then_some(end)
}

/// Whether a word for a birth stands right before: `DOB Mar 4 38`.
fn is_of_birth(sentence: &str, at: usize) -> bool {
    listed!(word_before(sentence, at), "dob bday birthdate birthday")
}

fn read_day(sentence: &str, cursor: &mut Cursor) -> bool {
    if cursor.one_of(ORDINALS) {
        return true;
    }
    let mut here = *cursor;
    if here.one_of("twenty thirty") {
        here.skip(b" -", 1);
        if here.one_of(ORDINALS) {
            *cursor = here;
            return true;
        }
    }
    if day_before_year(cursor) || day_in_words(sentence, cursor) {
        return true;
    }
    let Some((value, _)) = cursor.number(2) else {
        return false;
    };
    let suffixed = {
        let mut suffix = *cursor;
        let found = suffix.one_of(SUFFIXES);
        if found {
            *cursor = suffix;
        }
        found
    };
    let next = cursor.peek();
    let number_goes_on = !suffixed && (next.is_ascii_alphabetic() || matches!(next, b'%'))
        || matches!(next, b':' | b'.') && byte_at(sentence, cursor.at + 1).is_ascii_digit()
        || next == b'/' && is_slashed_date(&sentence[cursor.at..]);
    (1..=31).contains(&value) && !number_goes_on
}

/// `0 9 2013`: a day whose digits stand apart, which the year after them tells. Moves over the day.
fn day_before_year(cursor: &mut Cursor) -> bool {
    let mut here = *cursor;
    let day = match here.number(1) {
        Some((tens @ 0..=3, _)) if here.skip(b" ", 1) == 1 => {
            here.number(1).map(|(units, _)| 10 * tens + units).filter(|_| here.peek() == b' ')
        }
        Some(_) => None,
        None => None,
    };
    let end = here.at;
    here.skip(b" ,", 2);
    let year = matches!(here.number(4), Some((1900..=2100, 4)));
    let fits = year && day.is_some_and(|day| (1..=31).contains(&day));
    if fits {
        cursor.at = end;
    }
    fits
}

/// `five nineteen fifty`: a day in words, which the year after it tells from an amount. Moves over the day.
fn day_in_words(sentence: &str, cursor: &mut Cursor) -> bool {
    let mut here = *cursor;
    let day = number_words(&mut here).is_some_and(|day| (1..=31).contains(&day));
    let end = here.at;
    let parted = here.skip(b" ,", 2) > 0;
    let mut year = || spoken::year(sentence, &mut here).is_some() || matches!(here.number(4), Some((1840..=2100, 4)));
    let fits = day && parted && year();
    if fits {
        cursor.at = end;
    }
    fits
}

/// Whether `/09/25` goes on, so that the number before it begins a date of its own.
fn is_slashed_date(rest: &str) -> bool {
    let mut parts = rest.split('/').skip(1);
    let day = parts.next().unwrap_or_default();
    (1..=2).contains(&day.len())
        && day.bytes().all(|byte| byte.is_ascii_digit())
        && parts.next().is_some_and(|year| year.starts_with(|c: char| c.is_ascii_digit()))
}

/// Moves over a hyphen or a dash.
fn skip_dash(sentence: &str, cursor: &mut Cursor) -> bool {
    let dash = sentence[cursor.at..].chars().next().filter(|dash| matches!(dash, '-' | '–' | '—'));
    cursor.at += dash.map_or(0, char::len_utf8);
    dash.is_some()
}

fn read_range(sentence: &str, cursor: &mut Cursor, parts: &mut Parts) {
    let mut here = *cursor;
    here.skip_blanks();
    let joined = skip_dash(sentence, &mut here)
        || here.one_of("to through thru and or")
        || here.skip(b"&", 1) == 1
        || is_next_day_of_a_year(sentence, &mut here);
    if !joined {
        return;
    }
    here.skip_blanks();
    let mut day = here;
    if read_day(sentence, &mut day)
        && !matches!(day.peek(), b'/')
        && !is_one_of(word_after(sentence, day.at), &["mg", "weeks", "days", "am", "pm"])
    {
        parts.end = day.at;
        *cursor = day;
    }
}

/// `/23` of `July 22/23, 2019`: one of the days that follow, where a year behind it tells that it is none itself. Moves over the stroke.
fn is_next_day_of_a_year(sentence: &str, cursor: &mut Cursor) -> bool {
    let digits = sentence[..cursor.at].bytes().rev().take_while(u8::is_ascii_digit).count();
    let first = sentence[cursor.at - digits..cursor.at].parse::<u32>().unwrap_or(u32::MAX);
    let mut here = *cursor;
    let stroke = here.skip(b"/", 1) == 1;
    let second = here.number(2).map_or(0, |(day, _)| day);
    let parted = here.skip(b",", 1) + here.skip(b" ", 1) > 0;
    let fits = stroke && parted && second > first && second <= 31 && matches!(here.number(4), Some((1900..=2100, 4)));
    cursor.at += usize::from(fits);
    fits
}

fn read_year(sentence: &str, cursor: Cursor, short_allowed: bool, parts: &mut Parts) {
    let mut here = cursor;
    if spoken::year(sentence, &mut here).is_some() {
        (parts.year, parts.end) = (true, here.at);
        return;
    }
    if short_allowed && spoken::year_after_zero(&mut here) || parts.day && year_of_tens(sentence, &mut here) {
        (parts.year, parts.end) = (true, here.at);
        return;
    }
    let quote = here.skip_apostrophe();
    let Some((value, digits)) = here.number(4) else { return };
    let next = here.peek();
    let goes_on = matches!(next, b':' | b'%')
        || next.is_ascii_alphabetic() && next != b'T' && next != b'@'
        || matches!(next, b'.' | b'/' | b'-') && byte_at(sentence, here.at + 1).is_ascii_digit() && digits == 2;
    let four = digits == 4 && (1840..=2100).contains(&value);
    // `22-MAY-83 seen`: joined to its month.
    let joined = byte_before(sentence, cursor.at) == b'-' && byte_before(sentence, cursor.at - 1).is_ascii_alphabetic();
    // `DOB Mar 4 38 5/7 weeks`: how long the mother had carried.
    let rest = &sentence[here.at..];
    let carried = rest.starts_with('+')
        || rest.starts_with("-w")
        || rest.get(2..4) == Some("/7")
        || listed!(word_after(sentence, here.at), "wk wks week weeks");
    let two = digits == 2
        && !carried
        && (quote || short_allowed && !goes_on && (joined || short_year_fits(sentence, here.at)));
    // `31/Dec/2014:23:10:00`, as servers write it.
    let clock = byte_before(sentence, cursor.at) == b'/'
        && sentence[here.at..].split(':').skip(1).take(2).filter(|part| part.len() > 1).count() == 2;
    if four && (next != b':' || clock) || two {
        (parts.year, parts.end) = (true, here.at);
    }
}

/// `ninety-two` of `July ninth ninety-two`: a year without its century, behind a day that is said too. Moves over it.
fn year_of_tens(sentence: &str, cursor: &mut Cursor) -> bool {
    let mut here = *cursor;
    let said = sentence[..here.at].trim_end_matches([' ', ',', '-']).ends_with(|last: char| last.is_ascii_alphabetic());
    let year = said && number_words(&mut here).is_some_and(|year| (20..100).contains(&year));
    let fits = year && !byte_at(sentence, here.at).is_ascii_alphanumeric() && short_year_fits(sentence, here.at);
    if fits {
        cursor.at = here.at;
    }
    fits
}

/// Whether what follows a number of two digits lets it be a year: `5 Mar 14 at noon`, not `Mar 5, 14 patients`.
fn short_year_fits(sentence: &str, at: usize) -> bool {
    let after = word_after(sentence, at);
    after.is_empty()
        || !byte_at(sentence, at).is_ascii_whitespace()
        || listed!(after, "at and to with by for the through from she he patient pt in showed was")
}

/// `India Feb, needs a letter`, `stopped Dec.`, `(Jan-April)`: in capitals and at the end of what is said.
fn stands_apart(sentence: &str, hit: Hit, before: &str, plain: bool) -> bool {
    let word = &sentence[hit.start..hit.end];
    let ends = hit.end == sentence.len() || matches!(byte_at(sentence, hit.end), b',' | b'.' | b';' | b')' | b'\n');
    let range = byte_at(sentence, hit.end) == b'-' && byte_at(sentence, hit.end + 1).is_ascii_uppercase();
    let cut = byte_at(sentence, hit.end) == b'.'
        && byte_at(sentence, hit.end + 1) == b' '
        && byte_at(sentence, hit.end + 2).is_ascii_lowercase();
    let mixed = word.bytes().skip(1).all(|byte| byte.is_ascii_lowercase()) && word.as_bytes()[0].is_ascii_uppercase();
    let ended = listed!(before, "stopped started began ended quit due expired expires moved left returned back");
    mixed && (plain || ended || range) && (ends && !cut || range) && !before.is_empty()
}

/// How sure it is that a month's name without numbers is a date.
fn alone(sentence: &str, hit: Hit, month: u8, short: bool) -> Option<f32> {
    let word = &sentence[hit.start..hit.end];
    let first = word.as_bytes()[0];
    let before = word_before(sentence, hit.start);
    let after = word_after(sentence, hit.end);
    let told = listed!(before, BEFORE_MONTHS);
    let verb = listed!(after, AFTER_VERBS);
    let joined =
        matches!(byte_at(sentence, hit.end), b'/' | b'-') && byte_at(sentence, hit.end + 1).is_ascii_alphabetic();
    if byte_before(sentence, hit.start) == b'-' && !told || byte_before(sentence, hit.start).is_ascii_digit() {
        return None;
    }
    let planned = listed!(
        after,
        "appt appointment labs clinic scan mri infusion recheck colonoscopy surgery trip wedding visit visits f/u meeting \
         hearing recital",
    );
    if planned && first.is_ascii_uppercase() && !matches!(month, 3 | 5) && !is_one_of(word, &["jan", "JAN"]) {
        return Some(0.7);
    }
    if short {
        let capital = first.is_ascii_uppercase();
        let plain = !matches!(month, 3 | 12) && !word.eq_ignore_ascii_case("jan");
        return (listed!(before, SURELY_BEFORE_MONTHS) && capital && !verb && !is_one_of(after, &["the"]))
            .then_some(0.85)
            .or((told && capital && plain).then_some(0.6))
            .or(stands_apart(sentence, hit, before, plain).then_some(0.6));
    }
    match month {
        5 => (listed!(before, SURELY_BEFORE_MONTHS)
            && !verb
            && (first == b'M'
                || hit.end == sentence.trim_end().len()
                || listed!(after, "if but and or for when so unless because at due i we is was")
                || matches!(byte_at(sentence, hit.end), b',' | b'.' | b';' | b'?' | b'!' | b')' | b'\n')
                || !is_one_of(before, &["by", "after", "before", "from", "through"])))
        .then_some(0.9)
        .or((told && first == b'M' && word != "MAY" && !verb && before != "this").then_some(0.7))
        .or(listed!(after, "is was").then_some(0.6)),
        3 => {
            (listed!(before, SURELY_BEFORE_MONTHS) && !verb).then_some(0.9).or((told && word == "March").then_some(0.7))
        }
        4 | 6 | 8 => {
            if told && first.is_ascii_uppercase() || listed!(before, SURELY_BEFORE_MONTHS) {
                Some(0.9)
            } else {
                (joined && first.is_ascii_uppercase()).then_some(0.6)
            }
        }
        _ => Some(if told { 0.95 } else { 0.8 }),
    }
}
