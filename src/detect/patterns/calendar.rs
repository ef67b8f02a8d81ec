//! Points of the calendar that are no numbers: `Tuesday`, `last winter`, `spring of 2019`, `Q3 2019`, `Christmas Eve`.

use std::sync::LazyLock;

use regex::Regex;

use super::context::{Cursor, byte_at, byte_before, is_listed, is_one_of, word_after, word_before};
use super::expression;
use super::findings::{Findings, date};
use super::survey::Hit;
use crate::phi::Kind;

/// What follows the first word of a holiday that has more words, or nothing for those that have one.
static HOLIDAY: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"^(?:(?:christmas|xmas)(?:\s+(?:eve|day))?|thanksgiving(?:\s+(?:eve|day))?|(?:easter|palm)\s+sunday|easter(?:\s+monday)?|halloween|ha?n+uk+ah?|chanukah|passover|ramad[ah]n|eid(?:\s+al[- ](?:fitr|adha))?|diwali|kwanzaa|juneteenth|(?:labor|memorial|independence|columbus|canada|boxing|groundhog|mlk|indigenous\s+peoples?'?)\s+day|(?:veteran|president|mother|father|valentine)s?(?:'|(?u:’))?s?(?:'|(?u:’))?\s+day|valentines|new\s+year(?:'|(?u:’))?s?(?:'|(?u:’))?(?:\s+(?:eve|day))|new\s+year(?:'|(?u:’))s|patrick(?:'|(?u:’))?s\s+day|martin\s+luther\s+king(?:,?\s+jr\.?)?(?:'s)?\s+day|good\s+friday|yom\s+kippur|rosh\s+ha-?shanah?|cinco\s+de\s+mayo|mardi\s+gras|ash\s+wednesday|(?:lunar|chinese)\s+new\s+year|fourth\s+of\s+july|holi|pentecost|lent|nowruz|songkran|vesak|sukkot|purim)\b",
    )
});

/// Judges the first word of a holiday.
pub(super) fn holiday(sentence: &str, hit: Hit, findings: &mut Findings) {
    let Some(found) = HOLIDAY.find(&sentence[hit.start..]) else {
        return;
    };
    let end = hit.start + found.end();
    let capital = byte_at(sentence, hit.start).is_ascii_uppercase();
    let pattern = is_one_of(word_after(sentence, end), &["tree", "disease", "factor", "seals", "syndrome"]);
    let lent = is_one_of(found.as_str(), &["lent", "holi"]);
    if !pattern && !findings.covers(&(hit.start..end)) && (capital || !lent) {
        findings.add(hit.start..end, date(Kind::DateHoliday), if capital { 0.95 } else { 0.8 });
    }
}

/// Judges a weekday's full name.
pub(super) fn weekday(hit: Hit, findings: &mut Findings) {
    if !findings.covers(&(hit.start..hit.end)) {
        findings.add(hit.start..hit.end, date(Kind::DateWeekday), 0.95);
    }
}

/// Judges a weekday's abbreviation: `Sat` is also a saturation, `Sun` a sun, `wed` a verb.
pub(super) fn weekday_short(sentence: &str, hit: Hit, findings: &mut Findings) {
    let word = &sentence[hit.start..hit.end];
    let (before, after) = (word_before(sentence, hit.start), word_after(sentence, hit.end));
    let plain = is_one_of(word, &["tues", "thurs", "weds", "thur"]);
    let told = is_listed(before, "on this last next every until by since each til till from thru");
    let part_of_day = is_listed(after, "am pm night morning afternoon evening at");
    let mut cursor = Cursor::new(sentence, hit.end);
    cursor.skip(b"., ", 3);
    let number_follows = cursor.number(2).is_some() && matches!(cursor.peek(), b'/' | b'-');
    let month_follows = is_listed(
        after,
        "january february march april may june july august september october november december jan feb mar apr \
         jun jul aug sep sept oct nov dec",
    );
    // `Mon/Wed/Fri` and `M-W-F` are dosing schedules.
    let schedule = matches!(byte_at(sentence, hit.end), b'/') || matches!(byte_before(sentence, hit.start), b'/');
    let capital = word.as_bytes()[0].is_ascii_uppercase();
    let saturation = is_one_of(word, &["sat", "sun"]) && (word.len() == 3 && !word.starts_with('S') || word == "SAT");
    if schedule || saturation && !month_follows && !(number_follows && told) {
        return;
    }
    let sure = number_follows || month_follows || plain || capital && (told || part_of_day);
    if sure && !findings.covers(&(hit.start..hit.end)) {
        findings.add(hit.start..hit.end, date(Kind::DateWeekday), 0.85);
    }
}

/// Judges a season: `fall` is mostly an accident, `spring` mostly a time.
pub(super) fn season(sentence: &str, hit: Hit, findings: &mut Findings) {
    let mut cursor = Cursor::new(sentence, hit.end);
    cursor.skip(b",", 1);
    cursor.skip_blanks();
    if cursor.one_of("of") {
        cursor.skip_blanks();
    }
    let quote = cursor.skip(b"'", 1) == 1;
    if let Some((value, digits)) = cursor.number(4)
        && (digits == 4 && (1900..=2100).contains(&value) || quote && digits == 2)
    {
        findings.add(hit.start..cursor.at, date(Kind::DateSeason), 0.95);
        return;
    }
    let before = word_before(sentence, hit.start);
    let fall = is_one_of(&sentence[hit.start..hit.end], &["fall"]);
    let previous = word_before(
        sentence,
        hit.start
            - (sentence[..hit.start].len() - sentence[..hit.start].trim_end().len())
            - before.len().min(hit.start),
    );
    let score = match () {
        () if fall && is_listed(previous, "his her the patient's their my pt's a since no") => {
            return;
        }
        () if fall
            && is_listed(
                word_after(sentence, hit.end),
                "was occurred happened resulted at from on with risk precautions when",
            ) =>
        {
            return;
        }
        () if is_listed(before, "last this next past previous coming early late mid") => 0.85,
        () if !fall && is_listed(before, "in since until during by every each over") => 0.7,
        () if !fall && is_one_of(before, &["the"]) && is_listed(previous, "in since during over until of for") => 0.7,
        () => return,
    };
    findings.add(hit.start..hit.end, date(Kind::DateSeason), score);
}

/// Judges `quarter`: `third quarter of 2019`.
pub(super) fn quarter(sentence: &str, hit: Hit, findings: &mut Findings) {
    let ordinal = word_before(sentence, hit.start);
    if !is_listed(ordinal, "first second third fourth last 1st 2nd 3rd 4th") {
        return;
    }
    let mut cursor = Cursor::new(sentence, hit.end);
    cursor.skip_blanks();
    if cursor.one_of("of in") {
        cursor.skip_blanks();
    }
    if matches!(cursor.number(4), Some((year, 4)) if (1900..=2100).contains(&year)) {
        let start = hit.start - (hit.start - sentence[..hit.start].trim_end().len()) - ordinal.len();
        findings.add(start..cursor.at, date(Kind::DateSeason), 0.9);
    }
}

/// Judges `q`: `Q3 2019` and `Q3`, not `q3h`.
pub(super) fn quarter_short(sentence: &str, hit: Hit, findings: &mut Findings) {
    let mut cursor = Cursor::new(sentence, hit.end);
    if !matches!(cursor.number(1), Some((1..=4, 1)))
        || byte_at(sentence, hit.start) != b'Q'
        || cursor.peek().is_ascii_alphanumeric()
    {
        return;
    }
    let bare_end = cursor.at;
    cursor.skip(b" /,-'", 2);
    match cursor.number(4) {
        Some((year, digits))
            if digits == 4 && (1900..=2100).contains(&year) || digits == 2 && byte_at(sentence, bare_end) != b' ' =>
        {
            findings.add(hit.start..cursor.at, date(Kind::DateSeason), 0.95);
        }
        _ if is_one_of(word_before(sentence, hit.start), &["in", "since", "by", "until"]) => {
            findings.add(hit.start..bare_end, date(Kind::DateSeason), 0.7);
        }
        _ => {}
    }
}
