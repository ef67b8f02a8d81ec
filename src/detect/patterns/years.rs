//! Dates that are one number: `since 2003`, `'98`, `the 1990s`, `20190304`.

use crate::detect::listed::listed;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::ages;
use super::clock_years;
use super::context::{Cursor, byte_at, byte_before, is_one_of, offset_in, word_after, word_before};
use super::dates::value;
use super::findings::{Findings, date};
use super::pairs::ends_in_procedure;
use super::survey::{Chain, Hit, Survey};
use super::{anchored, expression};
use crate::phi::{Kind, Label};

/// Words before which a number of four digits is an amount, a room or a code.
pub(super) const NOT_BEFORE_YEARS: &str = "epi bnp ck cpk wbc plt platelets anc ferritin alt ast glucose volume tv \
                                           weight bp b/p room rm dose count cpt icd nt b12 cd4 ldh lipase kcal \
                                           calories size level vol troponin procalcitonin ggt alp pao2 uo uop output \
                                           intake bolus hours approximately steps over titer ana vl model than \
                                           under above below max ratio figo ajcc tnm tg triglycerides trig probnp nt-probnp \
                                           d-dimer ddimer dimer pth crp pvr ebl uf igg ige iga igm cortisol hcg bhcg b-hcg \
                                           myoglobin fvc fev1 efw pager pgr beeper bleep bleeper pin badge";

/// Whether a unit follows that makes a number an amount.
pub(in crate::detect) fn unit_follows(sentence: &str, at: usize) -> bool {
    const UNITS: &str = "mg mcg g gm grams ml cc l kg lb lbs cm mm units unit iu meq mmol mmhg kcal calories cal \
                         ml/hr mg/dl ng/ml pg/ml u/l mcg/ml mg/ml g/dl steps hrs hours hr h cells copies feet ft miles meters \
                         tablets tablet tabs tab capsules drops puffs percent bpm mcg/kg mg/kg k patients people \
                         times days dollars minutes min msec ms psi";
    let mark = byte_at(sentence, at);
    let unit = !matches!(mark, b':' | b',' | b'(') && listed!(word_after(sentence, at), UNITS);
    mark == b'%' || unit && !is_other_than_unit(sentence, at)
}

/// Whether what looks like a unit behind a number is the first word of something else: `2015 L mastectomy`, `3/4 K 4.1`, `3/14 HR 80`,
/// `2012 MS`, `3/14 CC: cough`, `2019 G tube`, `3/14 H&P`. Units in such capitals stand right behind their number, or before nothing of the kind.
fn is_other_than_unit(sentence: &str, at: usize) -> bool {
    /// What is measured in litres, and what becomes of it.
    const LITRES: &str = "of nc o nasal cannula oxygen ns lr saline bolus boluses fluid fluids crystalloid ivf iv ascites blood urine \
                          water via per in out over at for by to on and with removed drained given received net negative neg positive \
                          pos total daily today output intake flow max mask hfnc nrb fm ra tank concentrator humidified uf goal";
    let Some(rest) = sentence.get(at..).and_then(|rest| rest.strip_prefix(' ')) else { return false };
    // `2015 - L TKA`, `2012 (L) mastectomy`: the word that follows is told behind these, too.
    let rest = rest.trim_start_matches([' ', '-', '(']);
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, behind) = rest.split_at(letters);
    let behind = behind.trim_start_matches(')');
    let next = behind.strip_prefix(' ').unwrap_or_default();
    let value = behind.trim_start_matches([' ', ':', '=']).starts_with(|c: char| c.is_ascii_digit());
    match word {
        "L" => {
            let side = &next[..next.bytes().take_while(u8::is_ascii_alphabetic).count()];
            !side.is_empty() && !listed!(side, LITRES)
        }
        "HR" | "K" => value || behind.starts_with('+'),
        "CC" => behind.starts_with(':'),
        "G" => next.starts_with("tube") || next.starts_with("J tube") || behind.starts_with("-tube"),
        "H" => behind.starts_with('&'),
        "MS" => true,
        _ => false,
    }
}

/// Judges a number that stands alone.
pub(super) fn detect(sentence: &str, survey: &Survey, chain: &Chain, findings: &mut Findings) {
    let (number, digits) = value(sentence, chain.numbers()[0]);
    let before = byte_before(sentence, chain.start);
    let after = byte_at(sentence, chain.end);
    if digits == 4
        && let Some(week) = week_of_year(sentence, chain)
    {
        return findings.add(week, date(Kind::DatePartial), 0.85);
    }
    match digits {
        2 if matches!(before, b'\'' | b'`') || sentence[..chain.start].ends_with('’') => {
            short_year(sentence, chain, after, findings);
        }
        2 if listed!(word_before(sentence, chain.start), "yob") && !after.is_ascii_alphanumeric() => {
            findings.add(chain.range(), date(Kind::DateYear), 0.9);
        }
        2 if is_of_operation(sentence, chain, number) => findings.add(chain.range(), date(Kind::DateYear), 0.7),
        2 if after.is_ascii_alphabetic() || after == b'\'' => decade(sentence, chain, findings),
        4 if (1840..1900).contains(&number) => old_year(sentence, chain, findings),
        4 if (1900..=2100).contains(&number) => bare_year(sentence, survey, chain, number, findings),
        8 => compact(sentence, chain, findings),
        12 | 14 if is_timestamp(sentence, chain) => {
            findings.add(chain.start..chain.start + 8, date(Kind::DateFull), 1.0);
        }
        _ => {}
    }
}

/// Where a week of the year stands, as ISO 8601 writes and numbers it, or as it is said: `2025-W07`, `2025W07-3`, `week 7 of 2025`.
fn week_of_year(sentence: &str, chain: &Chain) -> Option<Range<usize>> {
    static BEHIND: LazyLock<Regex> = LazyLock::new(|| anchored(r"(?-i:-?W)(?:0[1-9]|[1-4][0-9]|5[0-3])(?:-[1-7])?\b"));
    static BEFORE: LazyLock<Regex> =
        LazyLock::new(|| expression(r"\b(?:week|wk)\.? {0,2}(?:0?[1-9]|[1-4][0-9]|5[0-3]),? {1,2}(?:of |in )?$"));
    /// As long as what `BEFORE` matches.
    const LONGEST: usize = 18;
    let free = !byte_before(sentence, chain.start).is_ascii_alphanumeric();
    if !free || !matches!(value(sentence, chain.numbers()[0]), (1900..=2100, 4)) {
        return None;
    }
    let (head, rest) = (&sentence[..chain.start], &sentence[chain.end..]);
    if let Some(found) = rest.starts_with(['-', 'W']).then(|| BEHIND.find(rest)).flatten() {
        return Some(chain.start..chain.end + found.end());
    }
    let from = head.floor_char_boundary(head.len().saturating_sub(LONGEST));
    let told = head.ends_with(' ') && !rest.starts_with(|next: char| next.is_ascii_alphanumeric());
    let found = told.then(|| BEFORE.find(&head[from..])).flatten()?;
    Some(from + found.start()..chain.end)
}

/// `TAH 91, lap chole 04`: two digits behind an operation, before a mark; joints are bent by so many degrees after theirs.
fn is_of_operation(sentence: &str, chain: &Chain, number: u32) -> bool {
    let operation = word_before(sentence, chain.start);
    let ends = sentence[chain.end..].trim_start_matches(' ');
    let ends = ends.is_empty()
        || ends.starts_with([',', ';', ')', '\n'])
        || ends.starts_with('.') && !byte_at(ends, 1).is_ascii_digit();
    !(10..60).contains(&number)
        && byte_before(sentence, chain.start) == b' '
        && ends
        && sentence[..chain.start].trim_end_matches(' ').ends_with(operation)
        && ends_in_procedure(operation)
        && !listed!(operation, "tka tha orif btl bka aka fusion t&a pacer stent lami")
}

/// `20190304140233`: a timestamp without separators, of which only the date part is marked.
fn is_timestamp(sentence: &str, chain: &Chain) -> bool {
    let decimal = byte_at(sentence, chain.end) == b'.' && byte_at(sentence, chain.end + 1).is_ascii_digit();
    !decimal && is_stamp(&sentence[chain.range()])
}

/// Whether digits are a day with its year, an hour and a minute, perhaps a second: `201903041402`, `19990304140233`.
fn is_stamp(digits: &str) -> bool {
    let below = |part: &str, most: u32| part.parse().is_ok_and(|part: u32| part < most);
    let clock = digits.get(8..).unwrap_or_default();
    matches!(clock.len(), 4 | 6)
        && (digits.starts_with("19") || digits.starts_with("20"))
        && is_compact_date(&digits[..8])
        && below(&clock[..2], 24)
        && clock.as_bytes()[2..].chunks(2).all(|part| part[0] < b'6')
}

/// `'98` and `'90s`.
fn short_year(sentence: &str, chain: &Chain, after: u8, findings: &mut Findings) {
    let quote = sentence[..chain.start].char_indices().next_back().map_or(chain.start, |(at, _)| at);
    let free = !byte_before(sentence, quote).is_ascii_alphanumeric();
    if free && !matches!(after, b'"' | b'\'') {
        let end = if after == b's' { chain.end + 1 } else { chain.end };
        let start = month_before(sentence, quote);
        let kind = if start < quote { Kind::DatePartial } else { Kind::DateYear };
        findings.add(start..end, date(kind), 0.85);
    }
}

/// Where the number of a month begins that a stroke joins to a year: `6/'24`; the place of the year where there is none.
fn month_before(sentence: &str, year: usize) -> usize {
    let Some(head) = sentence[..year].strip_suffix('/') else { return year };
    let digits = head.bytes().rev().take_while(u8::is_ascii_digit).count();
    let start = head.len() - digits;
    let month = head[start..].parse().is_ok_and(|month: u32| (1..=12).contains(&month));
    let free = !byte_before(sentence, start).is_ascii_alphanumeric() && byte_before(sentence, start) != b'/';
    if month && free { start } else { year }
}

/// `the early 60s`, unless a vital sign or an age is told in tens.
fn decade(sentence: &str, chain: &Chain, findings: &mut Findings) {
    const VITALS: &str = "hr bp sbp dbp map sat sats pressure pressures rate rates glucose sugar sugars temp \
                          temps diastolic systolic o2 spo2 pulse range ranging running low high mid upper score \
                          scores ef saturation saturations age aged bpm fsbg bg bs weight glucoses sugar's sbps \
                          readings values";
    let mut cursor = Cursor::new(sentence, chain.end);
    cursor.skip(b"'", 1);
    if !cursor.one_of("s") || !sentence[chain.start..chain.end].ends_with('0') {
        return;
    }
    let words = sentence[..chain.start]
        .split(|character: char| !character.is_alphanumeric())
        .rev()
        .filter(|word| !word.is_empty());
    let mut before = words.take(9).peekable();
    let lead = before.peek().copied().unwrap_or("");
    let (early, told) = (is_one_of(lead, &["early", "late", "mid"]), is_one_of(lead, &["the"]));
    let within = told && before.clone().nth(1).is_some_and(|word| listed!(word, "in since during"));
    let mut person = false;
    let mut vital = false;
    // `died of MI early 60s` tells an age, `in the early 60s` a time.
    let mut death = false;
    let article = before.clone().nth(1).is_some_and(|word| word.eq_ignore_ascii_case("the"));
    for word in before {
        death |= listed!(word, "died deceased death passed mother father brother sister onset diagnosed aged");
        person |= is_one_of(word, &["his", "her", "their", "my"]);
        vital |= listed!(word, VITALS) && !(early && word.eq_ignore_ascii_case("mid"));
    }
    // `unknown male, 50s`, `"Chuy" 50s`
    let of_one = listed!(lead, "male female man woman gentleman lady") || sentence[..chain.start].ends_with("\" ");
    // `dx'd 40s`, `menopause 50s`
    let onset = listed!(lead, "dx'd dx onset died d diagnosed menopause deceased");
    if (onset || of_one || early && !article && death) && !vital {
        let years = sentence[chain.start..chain.end].parse().unwrap_or(0);
        findings.add(chain.start..cursor.at, ages::class(years), 0.7);
    } else if (early || told) && (within || !person) && !vital {
        findings.add(chain.start..cursor.at, date(Kind::DateYear), 0.7);
    }
}

/// Judges a decade in words: `in the early sixties`; those of a life are ages.
pub(super) fn decade_word(sentence: &str, hit: Hit, findings: &mut Findings) {
    let lead = word_before(sentence, hit.start);
    let article = match listed!(lead, "early mid late") {
        true => word_before(sentence, offset_in(sentence, lead)),
        false => lead,
    };
    if article.eq_ignore_ascii_case("the") && !findings.covers(&(hit.start..hit.end)) {
        findings.add(hit.start..hit.end, date(Kind::DateYear), 0.8);
    }
}

/// `born 1898`, `came over in 1887`: with words of a life only, for amounts are as large.
fn old_year(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let before = word_before(sentence, chain.start);
    let free = !byte_before(sentence, chain.start).is_ascii_alphanumeric()
        && !byte_at(sentence, chain.end).is_ascii_alphanumeric()
        && !unit_follows(sentence, chain.end);
    let life = || {
        sentence[..chain.start].split(|c: char| !c.is_ascii_alphabetic()).any(|word| {
            listed!(
                word,
                "born birth immigrated emigrated came arrived married founded established built settled homesteaded \
                 great-grandfather grandfather grandmother ancestor ancestors family",
            )
        })
    };
    if free && (listed!(before, "born b circa yob dob birth") || listed!(before, "in since about around") && life()) {
        findings.add(chain.range(), date(Kind::DateYear), 0.85);
    }
}

fn bare_year(sentence: &str, survey: &Survey, chain: &Chain, number: u32, findings: &mut Findings) {
    let before_byte = byte_before(sentence, chain.start);
    let after_byte = byte_at(sentence, chain.end);
    let lead = sentence[..chain.start].strip_suffix('.').map_or("", |head| word_before(head, head.len()));
    // `b.1921`, `d.2003`, `ca.1950`
    let abbreviated = before_byte == b'.' && listed!(lead, "b d c ca m est dx dob yob");
    if before_byte.is_ascii_alphanumeric()
        || !abbreviated && matches!(before_byte, b'$' | b'#' | b'.' | b'+' | b'_' | b'@' | b'>' | b'<' | b'=')
    {
        return;
    }
    let mut cursor = Cursor::new(sentence, chain.end);
    cursor.skip(b"'", 1);
    if number.is_multiple_of(10) && cursor.one_of("s") {
        findings.add(chain.start..cursor.at, date(Kind::DateYear), 1.0);
        return;
    }
    if findings.is_time(&chain.range())
        || after_byte.is_ascii_alphanumeric()
        || matches!(after_byte, b':' if byte_at(sentence, chain.end + 1).is_ascii_digit())
    {
        return;
    }
    let before = word_before(sentence, chain.start);
    let certain = listed!(
        before,
        "in since from until till through circa year by before after during early late mid spring summer fall \
         autumn winter ca around approx diagnosed dx born b class until between and early- of",
    );
    // `since about 2009`
    let rough = listed!(before, "about approximately roughly around")
        && listed!(word_before(sentence, offset_in(sentence, before)), "since in from until by circa of");
    let form = before_byte == b'-' && listed!(before, "ds cms hcfa dd sf ldss");
    let amount = form || is_of_fluids(sentence, chain) || number == 2000 && is_of_thousands(sentence, chain.start);
    if amount || unit_follows(sentence, chain.end) || listed!(before, NOT_BEFORE_YEARS) && !rough {
        return;
    }
    // `from 1990 to 1994`, but `increased to 2000`.
    if before.eq_ignore_ascii_case("to")
        && !sentence[..chain.start].split(|c: char| !c.is_ascii_digit()).any(|part| part.len() == 4)
    {
        return;
    }
    // `at 2015` is a clock time, `gave 2000` an amount.
    let clock = number % 100 < 60 && number >= 2000 && is_one_of(before, &["at", "@", "time", "arrived", "departed"]);
    let score = match () {
        () if certain || rough => 0.95,
        () if clock || is_one_of(before, &["gave", "given", "about"]) => return,
        () if number > 2060 => return,
        () if clock_years::is_clock(sentence, survey, chain, number, findings) => {
            return findings.add(chain.range(), Label::Time, 0.8);
        }
        () => 0.7,
    };
    findings.add(chain.range(), date(Kind::DateYear), score);
}

/// `heparin 2000 + 500/h`, `vit D 2000 daily`: behind a drug that is given by thousands of units.
fn is_of_thousands(sentence: &str, at: usize) -> bool {
    let head = sentence[..at].trim_end_matches([' ', ':']);
    let drug = head.rsplit([' ', '(', ',', '\n', '/', '|', ';']).next().unwrap_or_default();
    let vitamin = || listed!(word_before(sentence, offset_in(sentence, drug)), "vit vitamin");
    drug.eq_ignore_ascii_case("d") && vitamin()
        || listed!(drug, "hep heparin epo epogen procrit retacrit epoetin d3 d2 vitd vitd3 cholecalciferol")
}

/// `2018 in, 1995 out`, `I 1900  O 2700`: fluids of a day.
fn is_of_fluids(sentence: &str, chain: &Chain) -> bool {
    let number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let (head, rest) = (&sentence[..chain.start], &sentence[chain.end..]);
    let first = rest.strip_prefix(" in").is_some_and(|rest| {
        let other = rest.trim_start_matches([',', '/', ' ']);
        number(other) && other.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" out")
    });
    let second = rest.starts_with(" out")
        && head
            .trim_end_matches([',', '/', ' '])
            .strip_suffix(" in")
            .is_some_and(|head| head.ends_with(|c: char| c.is_ascii_digit()));
    // `I 1900  O 2700`
    let balance = head.ends_with("I ") && rest.trim_start_matches(' ').strip_prefix("O ").is_some_and(number);
    first || second || balance
}

fn is_compact_date(digits: &str) -> bool {
    let part = |range: Range<usize>| digits.get(range).and_then(|part| part.parse::<u32>().ok()).unwrap_or(0);
    let year_first =
        (1900..=2100).contains(&part(0..4)) && (1..=12).contains(&part(4..6)) && (1..=31).contains(&part(6..8));
    let year_last =
        (1900..=2100).contains(&part(4..8)) && (1..=12).contains(&part(0..2)) && (1..=31).contains(&part(2..4));
    year_first || year_last
}

fn compact(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let digits = &sentence[chain.range()];
    let free = !byte_before(sentence, chain.start).is_ascii_alphanumeric();
    if free
        && is_compact_date(digits)
        && (digits.starts_with("19")
            || digits.starts_with("20")
            || digits[4..].starts_with("20")
            || digits[4..].starts_with("19"))
    {
        findings.add(chain.range(), date(Kind::DateFull), 0.85);
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn weeks_of_a_year() {
        for (sentence, weeks) in [
            ("due 2025-W07, or 2025W08-3", &["2025-W07", "2025W08-3"] as &[&str]),
            ("seen in week 7 of 2025 and Wk. 12, 2025", &["week 7 of 2025", "Wk. 12, 2025"]),
            ("at week 7 in clinic", &[]),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), weeks, "{sentence}");
        }
    }
}
