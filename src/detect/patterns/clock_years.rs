//! Clock times of four digits that could be years, `1952`, `2015`, told by what stands around them.
//!
//! ```text
//! CODE 3/4/19: 1952 pulseless … 1954 epi      behind a whole date, and then beside a clock time
//! 0700 report … 1930 assumed care             beside four digits that can be nothing else
//! CABG 2015, seen 3/4/19; since 2003          a year
//! ```

use super::context::{byte_at, byte_before, first_word, word_after};
use super::findings::Findings;
use super::survey::{Chain, Survey};
use super::years::unit_follows;
use crate::detect::listed::listed;

/// What is jotted down with the time at which it was, and hardly ever with a year.
const OF_A_SHIFT: &str = "assumed rec'd recd report handoff voided ambulated repositioned medicated resting sleeping asleep awake vss bedside \
                          rosc pulseless rounds turned suctioned foley linen bath toileted";
/// What times stand behind, and years hardly ever do.
const BEFORE_TIMES: &str = "lkw lkn tpa tnk rosc epi arrival arr eta etd tod alert disp dispatched enr enroute onscene chk notified paged incision";
/// Later years are hardly told, but for what ends or is due in them.
const LATEST: u32 = 2035;
/// No year before is told beside others of the patient, but for a year of birth; so early an evening is begun to be written about.
const EARLIEST_OF_SEVERAL: u32 = 1945;
/// So many numbers one behind the other are a course of times.
const FEWEST_TIMES: usize = 3;

/// Whether a number from 1900 to 2059 is a time of day.
pub(super) fn is_clock(sentence: &str, survey: &Survey, chain: &Chain, number: u32, findings: &Findings) -> bool {
    if number % 100 > 59 || number > 2059 {
        return false;
    }
    let head = sentence[..chain.start].trim_end_matches([' ', '\t']);
    let begins = head.is_empty() || head.ends_with('\n');
    listed!(last_word(head), BEFORE_TIMES)
        || number >= LATEST && !listed!(last_word(head), "due exp expires expired expiry expiration ends retest year")
        || begins && listed!(first_word(sentence[chain.end..].trim_start_matches([' ', ':', '-'])), OF_A_SHIFT)
        || follows_whole_date(sentence, chain, findings)
        || is_of_course(sentence, survey, chain)
        || survey.chains.iter().any(|other| other.start != chain.start && is_surely_clock(sentence, other, findings))
}

fn last_word(text: &str) -> &str {
    text.trim_end_matches([' ', ':', '-']).rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}

/// `DISP 1914 ENR 1915 OS 1922`, `1900 pacing 1915 same 1930 meds`: one of several numbers that rise like times and begin too early for
/// years of a patient. One of them stands behind what is timed, or they head what was seen at rounds; the years of the old rise likewise,
/// `polio 1938, MI 1999, TAVR 2019`.
fn is_of_course(sentence: &str, survey: &Survey, chain: &Chain) -> bool {
    let alone = |other: &&Chain| {
        let free =
            |byte: u8| matches!(byte, 0 | b' ' | b'\n' | b'\r' | b'\t' | b',' | b';' | b'.' | b':' | b'(' | b')');
        other.count == 1
            && other.end - other.start == 4
            && free(byte_before(sentence, other.start))
            && free(byte_at(sentence, other.end))
    };
    let is_year = |other: &Chain| {
        listed!(last_word(&sentence[..other.start]), "in since from until till born b dob yob year circa of")
            || listed!(word_after(sentence, other.end), "born married widowed divorced died graduated retired")
    };
    if !alone(&chain) {
        return false;
    }
    let (mut numbers, mut timed) = (Vec::new(), false);
    for other in survey.chains.iter().filter(alone) {
        let number: u32 = sentence[other.range()].parse().unwrap_or(0);
        if (1900..2060).contains(&number) && number % 100 < 60 {
            if is_year(other) {
                return false;
            }
            let head = &sentence[..other.start];
            let heads_rounds =
                numbers.is_empty() && number.is_multiple_of(5) && (head.is_empty() || head.ends_with('\n'));
            timed |= heads_rounds || listed!(last_word(head), BEFORE_TIMES);
            numbers.push(number);
        }
    }
    timed && numbers.len() >= FEWEST_TIMES && numbers[0] < EARLIEST_OF_SEVERAL && numbers.is_sorted()
}

/// Whether a day with its year stands right before: a second year is none.
fn follows_whole_date(sentence: &str, chain: &Chain, findings: &Findings) -> bool {
    let head = sentence[..chain.start].trim_end_matches([' ', '\t', ':', ',', '@', '-', '(']);
    head.len() < chain.start && findings.ends_whole_date(head.len())
}

/// Four digits that are a time of day and no year, or that have been found to be a time.
fn is_surely_clock(sentence: &str, chain: &Chain, findings: &Findings) -> bool {
    let digits = &sentence[chain.range()];
    let value: u32 = digits.parse().unwrap_or(u32::MAX);
    let is_clock = value < 2400 && value % 100 < 60 && !(1840..2300).contains(&value);
    let is_free = |byte: u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b'#' | b'/' | b'.' | b'$' | b'%' | b'+');
    let (before, after) = (byte_before(sentence, chain.start), byte_at(sentence, chain.end));
    let stops = after == b'.' && !byte_at(sentence, chain.end + 1).is_ascii_digit();
    let free = is_free(before) && (is_free(after) || stops);
    chain.count == 1
        && digits.len() == 4
        && (findings.is_time(&chain.range())
            || is_clock
                && free
                && !unit_follows(sentence, chain.end)
                && !findings.covers(&chain.range())
                && !is_counted(sentence, chain))
}

/// `room 1204`, `ext 1130`, `gave 1000`: behind what is numbered or measured.
fn is_counted(sentence: &str, chain: &Chain) -> bool {
    const NUMBERED: &str = "room rm bed suite apt unit ext extension x pager code pin bldg floor mrn id no number box lot gate door line desk acct \
                            account case phone ending gave given total dose wbc plt platelets bnp ck glucose volume tv uop uo out in over of page";
    listed!(last_word(&sentence[..chain.start]), NUMBERED)
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn times_that_could_be_years() {
        for (sentence, dates) in [
            ("CODE BLUE 3/4/19: 1952 pulseless, 1954 epi, 2002 ROSC", &["3/4/19"] as &[&str]),
            ("10/04/19 1930 Pt rec'd from PACU", &["10/04/19"]),
            ("Report 0700, bath 1100, sleeping 2015", &[]),
            ("1930 assumed care of pt.", &[]),
            ("LKW 1915, arrival 1958, CT 2003", &[]),
            ("DISP 1914 ENR 1915 OS 1922 TRANS 1940 DEST MERCY WEST 1953", &[]),
            ("1900 pacing 1915 phone w mother 1930 same 1945 meds", &[]),
            ("STEMI ALERT 1931. FENT 50 X2", &[]),
            ("June 08, 2018 1659 seen, 2015 dc'd", &["June 08, 2018"]),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), dates, "{sentence}");
        }
    }

    #[test]
    fn years_that_could_be_times() {
        for (sentence, year) in [
            ("MI 2003, CABG 2005", "2003"),
            ("CABG 2015, room 1204", "2015"),
            ("gave 1000 mL, hx CABG 2015", "2015"),
            ("MRN 1130, TURP 2012", "2012"),
            ("seen at 0930, diagnosed in 2015", "2015"),
            ("2015 started on metformin", "2015"),
            ("3/4 2019 visit", "2019"),
            ("born 1932, married 1954, widowed 2010", "2010"),
            ("MI 1998, CABG 2003, TAVR 2015", "2003"),
            ("PMH: polio 1938, appy 1952, MI 2009, TAVR 2019", "1952"),
            ("Father died 1938, mother 1944, brother 1958", "1944"),
            ("1930 born in Ohio, married 1954, widowed 2010", "1954"),
        ] {
            let dates = found(sentence, &[Label::Date]);
            assert!(dates.iter().any(|date| date.ends_with(year)), "{sentence}: {dates:?}");
        }
    }
}
