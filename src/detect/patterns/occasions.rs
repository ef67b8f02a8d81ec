//! Dates that only their place tells: `LDL 88 (3/10)`, `4/10 3:12p` at the head of a line, `on the twentieth`, `Feb half term`.
//!
//! A pair of numbers may be a fraction, so each rule asks for what goes with dates only: a laboratory value before it, a
//! clock time after it, an article and a preposition around an ordinal.

use super::calendar::MONTHS;
use super::context::{
    Cursor, byte_at, byte_before, first_run, first_word, is_one_of, offset_in, word_after, word_before,
};
use super::findings::{Findings, date};
use super::survey::{Chain, Hit};
use crate::detect::listed::listed;
use crate::phi::Kind;

/// Whether a pair of numbers stands where a date does: after the value of a laboratory, or before a time of day at the
/// head of its line.
pub(super) fn is_at_a_date_s_place(sentence: &str, chain: &Chain) -> bool {
    follows_value(sentence, chain) || heads_an_entry(sentence, chain)
}

/// `PSA 148 (2/10)`, `INR 2.2 4/6, 3.1 4/10`.
fn follows_value(sentence: &str, chain: &Chain) -> bool {
    let bracket = byte_before(sentence, chain.start) == b'(';
    let head = &sentence[..chain.start - usize::from(bracket)];
    let value = head.trim_end_matches(' ');
    let after = byte_at(sentence, chain.end);
    let closed = if bracket {
        matches!(after, b')' | b',')
    } else {
        matches!(after, b',' | b';' | b'.' | b'\n' | b')')
            || sentence[chain.end..].trim_start().is_empty()
            || sentence[chain.end..].starts_with(" .")
    };
    if !closed || value.len() == head.len() || !value.ends_with(|c: char| c.is_ascii_digit() || c == '%') {
        return false;
    }
    // The test is the first word back; values and other dates may stand between.
    let name = value
        .rsplit([' ', ',', '(', ')', ';', ':', '='])
        .filter(|part| !part.is_empty())
        .take(6)
        .find(|part| part.starts_with(|c: char| c.is_ascii_alphabetic()));
    name.is_some_and(|name| {
        listed!(
            name,
            "psa a1c hba1c hgb hb hct wbc plt cr creat creatinine k na inr bnp tsh cea ca125 ca19-9 afp ferritin ldl hdl alt \
             ast bili tbili lipase lactate trop glucose alb albumin esr crp mg phos vanc trough tacro level wt weight t4 ft4 \
             vitd b12 folate iron egfr gfr hcg pth uric ck cd4 vl platelets hemoglobin bun anc dig lithium",
        )
    })
}

/// `4/10 3:12p Mom: parking?`, `3/3 0915 pt ambulated`.
fn heads_an_entry(sentence: &str, chain: &Chain) -> bool {
    let row = sentence[..chain.start].trim_end_matches([' ', '|', '[']).bytes().next_back().is_none_or(|b| b == b'\n');
    let rest = sentence[chain.end..].trim_start_matches(' ');
    let gap = sentence.len() - chain.end - rest.len();
    if !row || !(1..=3).contains(&gap) {
        return false;
    }
    match clock_time(rest) {
        Some(ClockTime::Colon(minutes)) => minutes > 0,
        Some(ClockTime::Run) => !listed!(word_after(rest, 4), "mg ml cc kcal units mcg g steps calories"),
        Some(ClockTime::Half) | None => false,
    }
}

/// Whether a half of the day or an hour behind a sign follows a day: `5/6 AM labs`, `5/6 @ 3`.
pub(super) fn has_hour(sentence: &str, end: usize) -> bool {
    let rest = sentence[end..].trim_start_matches(' ');
    let hour = rest.strip_prefix('@').map(|rest| rest.trim_start_matches(' '));
    hour.is_some_and(|hour| hour.starts_with(|c: char| c.is_ascii_digit()))
        || rest.len() < sentence.len() - end && listed!(word_after(sentence, end), "am pm")
}

/// Whether a clock time follows a day: `moved to 9/9 13:11`, `10/10 3 am - called`, `out 2/2 0700`.
pub(super) fn has_clock_time(sentence: &str, end: usize) -> bool {
    let rest = sentence[end..].trim_start_matches([' ', ',', '@']);
    let apart = rest.len() < sentence.len() - end;
    // Four digits are a year or an amount as often, but for those that begin with a zero.
    apart
        && match clock_time(rest) {
            Some(ClockTime::Colon(2) | ClockTime::Half) => true,
            Some(ClockTime::Run) => rest.starts_with('0'),
            _ => false,
        }
}

/// How a clock time is written.
enum ClockTime {
    /// With a colon and so many digits behind it: `13:11`, `3:12p`.
    Colon(usize),
    /// With its half of the day: `3 am`.
    Half,
    /// In four digits: `0915`.
    Run,
}

/// The clock time that a text begins with.
fn clock_time(text: &str) -> Option<ClockTime> {
    let digits = first_run(text, u8::is_ascii_digit);
    let rest = &text[digits.len()..];
    let number: u32 = digits.parse().ok()?;
    match digits.len() {
        1 | 2 if number < 24 => match rest.strip_prefix(':') {
            Some(minutes) => Some(ClockTime::Colon(first_run(minutes, u8::is_ascii_digit).len())),
            None => is_one_of(first_word(rest.trim_start_matches(' ')), &["am", "pm"]).then_some(ClockTime::Half),
        },
        4 if number < 2400 && number % 100 < 60 => {
            let ends = matches!(byte_at(rest, 0), b'.' | b',' | b';' | b')') && !byte_at(rest, 1).is_ascii_digit();
            (ends || matches!(byte_at(rest, 0), b' ' | b':' | b'\n')).then_some(ClockTime::Run)
        }
        _ => None,
    }
}

/// Judges the word of an ordinal: `on the twentieth`, `left on the twenty-third.`, `the day after the Fourth`.
pub(super) fn ordinal(sentence: &str, hit: Hit, findings: &mut Findings) {
    let word = &sentence[hit.start..hit.end];
    let tens = ["twenty", "thirty"].iter().find_map(|tens| {
        let head = sentence[..hit.start].strip_suffix(['-', ' '])?;
        let start = head.len().checked_sub(tens.len())?;
        head.get(start..)?.eq_ignore_ascii_case(tens).then_some(start)
    });
    let start = tens.unwrap_or(hit.start);
    if tens.is_none() && listed!(word, "first second third") || findings.covers(&(start..hit.end)) {
        return;
    }
    let article = word_before(sentence, start);
    if !article.eq_ignore_ascii_case("the") {
        return;
    }
    let lead = word_before(sentence, offset_in(sentence, article));
    let holiday = word == "Fourth" && listed!(lead, "after before over for until of since");
    if !holiday && !listed!(lead, "on by until till since before after through") {
        return;
    }
    let next = word_after(sentence, hit.end);
    let ends = matches!(byte_at(sentence, hit.end), b'.' | b',' | b';' | b')' | b'?' | b'!')
        || sentence[hit.end..].trim_start().is_empty();
    let goes_on = listed!(
        next,
        "and it he she i we they was is at in to so but if when because morning evening afternoon night instead with as",
    ) && !is_ordinal(word_after(sentence, offset_in(sentence, next) + next.len()));
    let counted = sentence[..start].rsplit(|c: char| !c.is_ascii_alphabetic()).filter(|w| !w.is_empty()).take(8).any(|w| {
        listed!(
            w,
            "toe toes finger fingers rib ribs digit digits metatarsal metacarpal ray rays nerve floor try attempt cycle child \
             space interspace hole step",
        )
    });
    if (ends || goes_on) && !counted {
        findings.add(start..hit.end, date(Kind::DatePartial), 0.75);
    }
}

fn is_ordinal(word: &str) -> bool {
    listed!(
        word,
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth \
         sixteenth seventeenth eighteenth nineteenth twentieth thirtieth",
    )
}

/// Judges `half` and `bank`: `Feb half term`, `May half-term`, `August bank holiday`, `bank holiday Monday`.
pub(super) fn term(sentence: &str, hit: Hit, findings: &mut Findings) {
    let half = sentence[hit.start..hit.end].eq_ignore_ascii_case("half");
    let mut cursor = Cursor::new(sentence, hit.end);
    if cursor.skip(b" -", 1) == 0 || !cursor.one_of(if half { "term terms" } else { "holiday holidays" }) {
        return;
    }
    let mut end = cursor.at;
    if !half && cursor.skip(b" ", 1) == 1 && cursor.one_of("monday friday mon fri weekend") {
        end = cursor.at;
    }
    let lead = word_before(sentence, hit.start);
    let start = offset_in(sentence, lead);
    let dated = sentence[start + lead.len()..hit.start].trim_matches([' ', '-']).is_empty()
        && (listed!(lead, MONTHS) || listed!(lead, "spring summer autumn winter easter whitsun"));
    findings.add(if dated { start } else { hit.start }..end, date(Kind::DateSeason), 0.85);
}

#[cfg(test)]
mod tests {
    use super::has_clock_time;
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn dates(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Date])
    }

    #[test]
    fn dates_by_their_place() {
        for (sentence, date) in [
            ("TSH 4.1 (5/8), normal", "5/8"),
            ("K 3.9 (2/3)", "2/3"),
            ("3/4 0830 ambulated in hall", "3/4"),
            ("2/5 9:10p texted mother", "2/5"),
            ("went home on the thirty-first.", "thirty-first"),
            ("expected by the sixteenth, weather allowing", "sixteenth"),
            ("fireworks burn over the Fourth.", "Fourth"),
            ("away for May half term", "May half term"),
            ("fell on bank holiday Monday", "bank holiday Monday"),
        ] {
            assert_eq!(dates(sentence), [date], "{sentence}");
        }
    }

    #[test]
    fn clock_times_behind_a_day() {
        for behind in [" 13:11", ", 3 am - called", " @ 3pm", " 0:05", " 0915", " 0700. Calm"] {
            assert!(has_clock_time(behind, 0), "{behind}");
        }
        for behind in ["", "13:11", " 24:10", " 13:1", " 113:11", " 1915", " 0915.5", " 0970", " 3 amps", " and 13:11"]
        {
            assert!(!has_clock_time(behind, 0), "{behind}");
        }
    }

    #[test]
    fn fractions_and_ordinals_of_things() {
        for sentence in [
            "MoCA 22 (4/5 recall)",
            "strength 4 (4/5)",
            "5/5 1200 mg given",
            "on the third try he sat",
            "numbness of the toes, on the fourth and fifth",
            "the fifth of nine children",
            "half the dose, then bank the rest",
        ] {
            assert_eq!(dates(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
