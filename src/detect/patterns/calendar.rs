//! Points of the calendar that are no numbers: `Tuesday`, `last winter`, `spring of 2019`, `Q3 2019`, `Christmas Eve`.

use crate::detect::listed::listed;
use std::sync::LazyLock;

use regex::Regex;

use super::context::{Cursor, byte_at, byte_before, is_one_of, offset_in, word_after, word_before};
use super::expression;
use super::findings::{Findings, date};
use super::occasions::has_clock_time;
use super::survey::Hit;
use crate::phi::Kind;

/// What follows the first word of a holiday that has more words, or nothing for those that have one.
static HOLIDAY: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"^(?:(?:christmas|xmas)(?:\s+(?:eve|day))?|thanksgiving(?:\s+(?:eve|day))?|(?:easter|palm)\s+sunday|easter(?:\s+monday)?|halloween|ha?n+uk+ah?|chanukah|passover|ramad[ah]n|eid(?:\s+al[- ](?:fitr|adha))?|diwali|kwanzaa|juneteenth|(?:decoration|flag|arbor|election|inauguration|armistice|remembrance|australia|labor|memorial|independence|columbus|canada|boxing|groundhog|mlk|leap|pioneer|tax|patriots?(?:'|(?u:’))?|indigenous\s+peoples?'?)\s+day|(?:veteran|vet|president|mother|father|valentine)s?(?:'|(?u:’))?s?(?:'|(?u:’))?\s+day|valentines|valentine(?:'|(?u:’))s|new\s+year(?:'|(?u:’))?s?(?:'|(?u:’))?(?:\s+(?:eve|day))|new\s+year(?:'|(?u:’))s|(?-i:New\s+Year)\b|patrick(?:'|(?u:’))?s\s+day|pa(?:dd|tt)y(?:'|(?u:’))?s(?:\s+day)?|super\s+bowl\s+sunday|martin\s+luther\s+king(?:,?\s+jr\.?)?(?:'s)?\s+day|good\s+friday|yom\s+(?:kippur|ha(?:shoah|zikaron|atzmaut))|(?:souls|saints)(?:'|(?u:’))?\s+(?:day|eve)|(?:joseph|nicholas|george|andrew|david)(?:'|(?u:’))?s\s+day|(?:shrove|fat|pancake|maundy|holy|easter)\s+(?:tuesday|thursday|saturday|sunday)|(?:orthodox|coptic)\s+(?:easter|christmas)|epiphany|candlemas|wigilia|lohri|(?:vai|bai)sakhi|pongal|onam|navratri|dussehra|janmashtami|tet|shavuot|simchat\s+torah|lag\s+b'?omer|tisha\s+b'?av|tu\s+b'?shvat|ashura|mawlid|laylat\s+al[- ]qadr|michaelmas|whitsun(?:day|tide)?|bastille\s+day|kamehameha\s+day|anzac\s+day|guy\s+fawkes(?:\s+(?:night|day))?|hogmanay|bonfire\s+night|nochebuena|navidad|semana\s+santa|setsubun|obon|chuseok|advent\s+sunday|labour\s+day|rosh\s+ha-?shanah?|cinco\s+de\s+mayo|d(?:i|(?u:í))a\s+de\s+(?:los\s+)?muertos|mardi\s+gras|ash\s+wednesday|(?:lunar|chinese|hmong|lao|khmer|tibetan|persian|ethiopian|jewish|tamil|thai|vietnamese|korean)\s+new\s+year|fourth\s+of\s+july|cny|holi|pentecost|lent|nowruz|songkran|vesak|sukkot|purim)\b",
    )
});

/// Names of months, as words.
pub(in crate::detect) const MONTHS: &str = "january february march april may june july august september october november december jan feb mar apr \
                                 jun jul aug sep sept oct nov dec";

/// Judges the first word of a holiday.
pub(super) fn holiday(sentence: &str, hit: Hit, findings: &mut Findings) {
    let Some(found) = HOLIDAY.find(&sentence[hit.start..]) else {
        return;
    };
    let end = hit.start + found.end();
    let start = saint_before(sentence, hit.start);
    let capital = byte_at(sentence, hit.start).is_ascii_uppercase();
    // `Paddy's wife` is somebody's.
    let nickname = start == hit.start && listed!(&sentence[hit.start..hit.end], "paddy paddys patty pattys");
    if nickname && !found.as_str().ends_with("ay") {
        return;
    }
    // `Valentine's mother` is somebody's.
    let name = found.as_str();
    let short =
        start == hit.start && listed!(&sentence[hit.start..hit.end], "valentine") && !name.ends_with(['y', 'Y']);
    if short
        && !listed!(
            word_before(sentence, start),
            "after before around since on by until til till for past near this last of over at every"
        )
    {
        return;
    }
    let (named, end) = (end, with_year(sentence, end));
    let pattern = is_one_of(word_after(sentence, end), &["tree", "disease", "factor", "seals", "syndrome"]);
    let lent = listed!(found.as_str(), "lent holi tet onam obon epiphany pongal ashura");
    // `Tet 6/2024`: of tetanus.
    let shot = found.as_str().eq_ignore_ascii_case("tet")
        && sentence[end..].trim_start().starts_with(|c: char| c.is_ascii_digit());
    if !pattern && !shot && !findings.covers(&(hit.start..end)) && (capital || !lent) {
        // Of one year it is one day, which the calendar tells.
        let kind = if end > named { Kind::DateFull } else { Kind::DateHoliday };
        findings.add(start..end, date(kind), if capital { 0.95 } else { 0.8 });
    }
}

/// The end of a holiday with the year behind it: `Easter weekend 2011`, `Thanksgiving of 2022`, `Christmas '19`.
fn with_year(sentence: &str, end: usize) -> usize {
    let mut cursor = Cursor::new(sentence, end);
    cursor.skip_blanks();
    if cursor.one_of("weekend week break time season") {
        cursor.skip_blanks();
    }
    cursor.skip(b",", 1);
    cursor.skip_blanks();
    if cursor.one_of("of in") {
        cursor.skip_blanks();
    }
    let short = cursor.skip_apostrophe();
    match cursor.number(4) {
        Some((1900..=2099, 4)) if !cursor.peek().is_ascii_alphanumeric() => cursor.at,
        Some((_, 2)) if short && !cursor.peek().is_ascii_alphanumeric() => cursor.at,
        _ => end,
    }
}

/// Judges `St` before the name of a saint and `Day` or `Eve`: `St. Andrew's Day`.
pub(super) fn saint(sentence: &str, hit: Hit, findings: &mut Findings) {
    if !sentence[hit.start..hit.end].eq_ignore_ascii_case("st") {
        return;
    }
    let mut cursor = Cursor::new(sentence, hit.end);
    cursor.skip(b".", 1);
    if cursor.skip_blanks() == 0 || !cursor.peek().is_ascii_uppercase() {
        return;
    }
    cursor.at += cursor.word().len();
    cursor.skip(b"'", 1);
    if sentence[cursor.at..].starts_with('’') {
        cursor.at += '’'.len_utf8();
    }
    cursor.one_of("s");
    if cursor.skip_blanks() > 0 && cursor.one_of("day eve night") && !findings.covers(&(hit.start..cursor.at)) {
        findings.add(hit.start..cursor.at, date(Kind::DateHoliday), 0.9);
    }
}

/// Where `St.`, `Saint` or `All` begins before the name of a holiday.
fn saint_before(sentence: &str, at: usize) -> usize {
    let lead = sentence[..at].trim_end_matches([' ', '.']);
    let length = lead.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    let start = lead.len() - length;
    if at - lead.len() <= 2 && listed!(&lead[start..], "st saint all") { start } else { at }
}

/// Judges a weekday's full name, with the day of the month that may follow: `Monday the 13th`.
pub(super) fn weekday(sentence: &str, hit: Hit, findings: &mut Findings) {
    if findings.covers(&(hit.start..hit.end)) {
        return;
    }
    // `Black Friday` is a day of its own.
    let lead = sentence[..hit.start].trim_end_matches(' ');
    let colour =
        lead.len().checked_sub(5).filter(|&at| lead.get(at..).is_some_and(|word| listed!(word, "black cyber")));
    match day_after(sentence, hit.end) {
        _ if of_month(sentence, hit, findings) => {}
        Some(end) => findings.add(hit.start..end, date(Kind::DatePartial), 0.95),
        None => findings.add(colour.unwrap_or(hit.start)..hit.end, date(Kind::DateWeekday), 0.95),
    }
}

/// Adds `2nd Thurs of December`, `last Friday in May`: one day of a month by its weekday.
fn of_month(sentence: &str, hit: Hit, findings: &mut Findings) -> bool {
    let which = sentence[..hit.start].rsplit(' ').nth(1).unwrap_or_default().trim_start_matches('(');
    let mut cursor = Cursor::new(sentence, hit.end);
    cursor.skip(b".", 1);
    let told = sentence[..hit.start].ends_with(' ')
        && listed!(which, "first second third fourth fifth last 1st 2nd 3rd 4th 5th")
        && cursor.skip_blanks() > 0
        && cursor.one_of("of in")
        && cursor.skip_blanks() > 0
        && cursor.one_of(MONTHS);
    if told {
        findings.add(offset_in(sentence, which)..cursor.at, date(Kind::DatePartial), 0.9);
    }
    told
}

/// The end of ` the 13th` or ` 13th` after a weekday.
fn day_after(sentence: &str, at: usize) -> Option<usize> {
    let mut cursor = Cursor::new(sentence, at);
    cursor.skip(b".,", 1);
    cursor.skip_blanks();
    if cursor.one_of("the") {
        cursor.skip_blanks();
    }
    matches!(cursor.number(2), Some((1..=31, _))).then_some(())?;
    cursor.one_of("st nd rd th").then_some(cursor.at)
}

/// Judges a day of the month told by its number alone: `on the 12th`, `back the 30th`, `since the 3rd`.
pub(super) fn day_of_month(sentence: &str, hit: Hit, findings: &mut Findings) {
    let digits = sentence[..hit.start].bytes().rev().take_while(u8::is_ascii_digit).count();
    let start = hit.start - digits;
    let value: u32 = sentence[start..hit.start].parse().unwrap_or(0);
    if !(1..=2).contains(&digits)
        || !(1..=31).contains(&value)
        || !matches!(byte_before(sentence, start), b' ' | b'\n')
        || findings.covers(&(start..hit.end))
    {
        return;
    }
    let after = word_after(sentence, hit.end);
    let ends = hit.end == sentence.len()
        || matches!(byte_at(sentence, hit.end), b'.' | b',' | b';' | b')' | b'?' | b'!' | b'\n');
    let free = ends
        || sentence[hit.end..].starts_with(" (")
        || listed!(
            after,
            "and it he she i we they was is at in or for to so but if when because with w/ am pm morning evening \
             afternoon night as then pt patient do by from after before will would can could no not which who that \
             on booked per via due",
        );
    if !free {
        return;
    }
    let lead = word_before(sentence, start);
    let article = lead.eq_ignore_ascii_case("the");
    let before = if article { word_before(sentence, super::context::offset_in(sentence, lead)) } else { lead };
    // `4 -> 6 on 3rd` counts trials.
    if !article
        && is_one_of(lead, &["on"])
        && sentence[..super::context::offset_in(sentence, lead)].trim_end().ends_with(|c: char| c.is_ascii_digit())
    {
        return;
    }
    let told = listed!(
        before,
        "on by until till til since back from before after through thru is was for of between due eff effective yest yesterday \
         tomorrow today tonight appt appointment surgery till closed see seen starts start starting arrive arrives leaving leaves return returns returning scheduled think thinks believe",
    );
    // `Restarted 21st.`, `scan 22nd`: nothing small is counted so.
    let apart = value > 3
        && (ends || after.eq_ignore_ascii_case("to"))
        && listed!(
            before,
            "restarted started stopped resumed held discharged admitted seen due again booked scheduled moved transferred \
             discharge op scan infusion appt return arrives home dialysis chemo review clinic inr finished ended repeated",
        );
    // `26th booked 9am infusion` heads its line.
    let heads = value > 3
        && sentence[..start].trim_end_matches(' ').bytes().next_back().is_none_or(|byte| byte == b'\n')
        && listed!(after, "booked at is works ok or scheduled instead best");
    // `between the 3rd and the 9th`
    let second = article && before.eq_ignore_ascii_case("and") && {
        let first = word_before(sentence, super::context::offset_in(sentence, before));
        let at = super::context::offset_in(sentence, first);
        listed!(first, "st nd rd th") && byte_before(sentence, at).is_ascii_digit()
    };
    if apart
        || second
        || heads
        || told
            && (article || listed!(before, "on by until till since back thru yest yesterday tomorrow today tonight"))
    {
        findings.add(start..hit.end, date(Kind::DatePartial), 0.75);
    }
}

/// Judges a weekday's abbreviation, surer where there are several days in the sentence: `Sat` is also a saturation, `Sun` a sun, `wed` a verb.
pub(super) fn weekday_short(sentence: &str, hit: Hit, several: bool, findings: &mut Findings) {
    let word = &sentence[hit.start..hit.end];
    let (before, after) = (word_before(sentence, hit.start), word_after(sentence, hit.end));
    let plain = listed!(word, "tues thurs weds thur fri");
    let told = listed!(
        before,
        "on x this last next every until by since each til till from thru starts start recheck repeat back bmp due today tomorrow and off f/u plus moved to pass reviewing through or before after appt rtc labs",
    );
    let clock = is_before_clock(sentence, hit);
    // `starts sat if hep B is back`
    let resumes = listed!(before, "on starts start missed til till until by this next last since")
        && listed!(after, "if for so but bc b/c because since unless");
    let part_of_day = resumes
        || clock
        || listed!(after, "am pm night nite morning morn afternoon evening at eve noon and or w/ with when");
    let mut cursor = Cursor::new(sentence, hit.end);
    cursor.skip(b"., ", 3);
    let day_follows = cursor.number(2).is_some();
    let number_follows = day_follows && matches!(cursor.peek(), b'/' | b'-');
    // `Sun Apr 14`, `Sun 14 Apr`
    let month_follows = listed!(after, MONTHS)
        || day_follows && cursor.skip_blanks() > 0 && cursor.peek().is_ascii_uppercase() && cursor.one_of(MONTHS);
    // `Mon/Wed/Fri` and `M-W-F` are dosing schedules.
    let schedule = matches!(byte_at(sentence, hit.end), b'/') && !number_follows
        || matches!(byte_before(sentence, hit.start), b'/');
    let capital = word.as_bytes()[0].is_ascii_uppercase();
    let ends = hit.end == sentence.len()
        || matches!(byte_at(sentence, hit.end), b'.' | b',' | b';' | b')' | b'+' | b'\n' | b':')
        || sentence[hit.end..].starts_with("  ");
    let apart = capital && word != "SUN" && word != "SAT" && (ends || listed!(word, "Mon Tue Wed Thu"));
    let saturation = is_one_of(word, &["sat", "sun"])
        && !is_weekend_day(sentence, hit, told || part_of_day || ends || number_follows || is_one_of(before, &["was"]));
    // `Lymph 26%, Mon 8%`: a share of white cells.
    let share = word.eq_ignore_ascii_case("mon")
        && sentence[hit.end..]
            .trim_start_matches([' ', ':'])
            .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
            .starts_with('%');
    // `5 mg daily exc 2.5 mg Mon & Fri`: days of a dose.
    let dosed = listed!(before, "mg mcg") && !part_of_day && !number_follows && !month_follows;
    if schedule || share || dosed || saturation && !month_follows {
        return;
    }
    let small = !capital && (told || part_of_day) && !listed!(word, "mon sun sat")
        || !capital && word == "mon" && (ends && told || resumes);
    let off = listed!(before, "off was this next last")
        && !listed!(word_two_before(sentence, hit.start, before), "he she pt patient");
    let weekend = !capital && listed!(word, "sat sun") && ((told || several) && (ends || part_of_day) || off || clock);
    let listed_days = !capital && several && listed!(word, "mon tue wed");
    let sure = number_follows
        || month_follows
        || plain
        || apart
        || small
        || weekend
        || listed_days
        || capital && (told || part_of_day);
    if of_month(sentence, hit, findings) {
        return;
    }
    if sure && !findings.covers(&(hit.start..hit.end)) {
        match day_after(sentence, hit.end) {
            Some(end) => findings.add(hit.start..end, date(Kind::DatePartial), 0.85),
            None => findings.add(hit.start..hit.end, date(Kind::DateWeekday), 0.85),
        }
    }
}

/// Whether a clock time follows, and no saturation was taken at it: `to triage, sat 23:20`, but `O2 sat 10:30 94%`.
fn is_before_clock(sentence: &str, hit: Hit) -> bool {
    let head = sentence[..hit.start].trim_end_matches([' ', '-']);
    let oxygen = ["O2", "o2", "pulse ox", "Pulse ox"].iter().any(|lead| head.ends_with(lead));
    // `sat 08:00 97 RA`
    let high = || {
        let mut words = sentence[hit.end..].split([' ', ',', ';']).filter(|word| !word.is_empty()).skip(1);
        words.next().is_some_and(|word| word.parse().is_ok_and(|share: u32| (70..=100).contains(&share)))
    };
    let share = sentence[hit.end..].chars().take(14).any(|c| c == '%') || high();
    !oxygen && !share && has_clock_time(sentence, hit.end)
}

/// The word before the word before `at`.
fn word_two_before<'t>(sentence: &'t str, at: usize, before: &'t str) -> &'t str {
    if before.is_empty() || at == 0 { "" } else { word_before(sentence, super::context::offset_in(sentence, before)) }
}

/// Whether `Sat` or `Sun` is a day: no saturation of so much, no light, no verb.
fn is_weekend_day(sentence: &str, hit: Hit, fits: bool) -> bool {
    let word = &sentence[hit.start..hit.end];
    let before = word_before(sentence, hit.start);
    let after = word_after(sentence, hit.end);
    let mut cursor = Cursor::new(sentence, hit.end);
    cursor.skip(b" :.=", 3);
    // `Sat at 94%`
    if cursor.one_of("at") {
        cursor.skip_blanks();
    }
    let amount = matches!(cursor.number(3), Some((40.., _))) || cursor.peek() == b'%';
    let light = listed!(
        after,
        "exposure protection damage burn burns screen sensitivity exposed damaged lamp was is on up down in",
    ) && !listed!(after, "on in is was")
        || listed!(before, "the o2 oxygen room resting he she they patient pt dr ra");
    let share = sentence[..hit.start].trim_end().ends_with('%');
    fits && !amount && !light && !share && (word.starts_with('S') && word != "SAT" || word.starts_with('s'))
}

/// Judges a season: `fall` is mostly an accident, `spring` mostly a time.
pub(super) fn season(sentence: &str, hit: Hit, findings: &mut Findings) {
    let mut cursor = Cursor::new(sentence, hit.end);
    cursor.skip(b",", 1);
    cursor.skip_blanks();
    let of = cursor.one_of("of");
    if of {
        cursor.skip_blanks();
    }
    if super::spoken::year(sentence, &mut cursor).is_some() {
        findings.add(hit.start..cursor.at, date(Kind::DateSeason), 0.95);
        return;
    }
    let quote = cursor.skip(b"'", 1) == 1;
    if let Some((value, digits)) = cursor.number(4)
        && (digits == 4 && (1900..=2100).contains(&value)
            || quote && digits == 2
            // `the spring of 22`, but `a fall of 22 feet`
            || of && digits == 2
                && !is_one_of(&sentence[hit.start..hit.end], &["fall"])
                && !super::years::unit_follows(sentence, cursor.at))
    {
        // `winter of 1920-21`
        let mut end = cursor.at;
        if cursor.skip(b"-/", 1) == 1 && cursor.number(4).is_some_and(|(_, digits)| digits == 2 || digits == 4) {
            end = cursor.at;
        }
        findings.add(hit.start..end, date(Kind::DateSeason), 0.95);
        return;
    }
    let before = word_before(sentence, hit.start);
    let fall = is_one_of(&sentence[hit.start..hit.end], &["fall"]);
    if listed!(
        word_after(sentence, hit.end),
        "semester term classes schedule sports season break recital quarter training musical concert league term \
         registration enrollment harvest festival camp vacation tryouts practice",
    ) || !fall
        && listed!(
            word_after(sentence, hit.end),
            "ball football planting cleaning conference play choir holidays olympics",
        )
    {
        findings.add(hit.start..hit.end, date(Kind::DateSeason), 0.7);
        return;
    }
    let previous = word_before(sentence, super::context::offset_in(sentence, before));
    let score = match () {
        () if fall && listed!(previous, "his her the patient's their my pt's a since no") => {
            return;
        }
        () if fall
            && !(listed!(before, "last this next")
                && matches!(byte_at(sentence, hit.end), b',' | b'.' | b')' | b';'))
            && listed!(
                word_after(sentence, hit.end),
                "was occurred happened resulted at from on with risk precautions when",
            ) =>
        {
            return;
        }
        () if listed!(before, "last this next past previous coming early late mid") => 0.85,
        () if !fall && listed!(before, "in since until during by every each over") => 0.7,
        () if !fall && is_one_of(before, &["the"]) && listed!(previous, "in since during over until of for") => 0.7,
        () if listed!(&sentence[hit.start..hit.end], "winter summer autumn wintertime summertime springtime")
            && !listed!(word_after(sentence, hit.end), "squash savory flounder street road") =>
        {
            0.6
        }
        () => return,
    };
    findings.add(hit.start..hit.end, date(Kind::DateSeason), score);
}

/// Judges `quarter`: `third quarter of 2019`.
pub(super) fn quarter(sentence: &str, hit: Hit, findings: &mut Findings) {
    let ordinal = word_before(sentence, hit.start);
    if !listed!(ordinal, "first second third fourth last 1st 2nd 3rd 4th") {
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

/// Judges `fy`: `FY22`, `CY 2021`.
fn fiscal_year(sentence: &str, hit: Hit, findings: &mut Findings) {
    let mut cursor = Cursor::new(sentence, hit.end);
    let glued = cursor.skip(b" '", 1) == 0;
    let year = match cursor.number(4) {
        Some((1990..=2099, 4)) => !super::years::unit_follows(sentence, cursor.at),
        Some((_, 2)) => glued,
        _ => false,
    };
    if year && byte_at(sentence, hit.start).is_ascii_uppercase() && !cursor.peek().is_ascii_alphanumeric() {
        findings.add(hit.start..cursor.at, date(Kind::DateYear), 0.85);
    }
}

/// Judges `q`: `Q3 2019` and `Q3`, not `q3h`; and `FY22`.
pub(super) fn quarter_short(sentence: &str, hit: Hit, findings: &mut Findings) {
    if hit.end - hit.start == 2 {
        return fiscal_year(sentence, hit, findings);
    }
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
        _ if matches!(byte_before(sentence, hit.start), b' ' | b'(')
            && !listed!(
                word_after(sentence, bare_end),
                "h hr hrs hour hours d day days wk wks week weeks mo month months minutes min year years pain shift prn \
                 neuro neuros turn turns vitals suction neb nebs accucheck accuchecks",
            )
            && !matches!(byte_at(sentence, bare_end), b'-' | b'/' | b'.') =>
        {
            findings.add(hit.start..bare_end, date(Kind::DateSeason), 0.5);
        }
        _ if is_one_of(
            word_before(sentence, hit.start),
            &[
                "in", "since", "by", "until", "for", "of", "end", "this", "last", "next", "through", "during",
                "before", "late", "early",
            ],
        ) =>
        {
            findings.add(hit.start..bare_end, date(Kind::DateSeason), 0.7);
        }
        _ => {}
    }
}
