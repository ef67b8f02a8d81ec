//! The days that the lines of a log begin with.
//!
//! ```text
//! "3/5 wt 75.2 UOP 1.2L⏎3/6 wt 74.1 UOP 2.6L⏎3/8 wt 72.8 flat"     one behind the other: days
//! "4/5 biceps⏎3/5 triceps⏎5/5 grip"                              of five, in no order: strengths
//! ```
//!
//! By itself `3/5 wt 75.2` is a day, a score or a fraction; the lines around it tell. So this is asked of a whole note.

use std::ops::Range;

use super::listed::listed;
use super::neighbours::{Taken, number};
use super::patterns::pairs::FRACTION_WORDS;
use super::repeated::lines;
use crate::phi::{Class, Detector, Kind, Label, Span};

/// How sure such a day is.
const SCORE: f32 = 0.6;
/// A claim must be so sure to make its line one of a log.
const TELLING: f32 = 0.5;
/// So many days lie between two lines of a log at most, where each month has 31.
const WIDEST_STEP: u32 = 62;
/// In so many words behind a score it is said of what.
const WORDS_OF_SCORES: usize = 2;
const DAYS_OF_MONTH: u32 = 31;
const DAYS_OF_YEAR: u32 = 12 * DAYS_OF_MONTH;
/// What quantities are told in.
const FRACTIONS: &[(u32, u32)] = &[(1, 2), (1, 3), (2, 3), (1, 4), (2, 4), (3, 4)];
/// What most scales have as their most points; of a log by such lines alone there must be several.
const SCALES: [u32; 4] = [4, 5, 6, 10];
const FEWEST_LIKE_SCORES: usize = 3;
/// Lines of other things between two lines of one log, at most.
const WIDEST_GAP: usize = 8;

/// What a line begins with.
#[derive(Debug)]
struct Head {
    range: Range<usize>,
    /// Which line of the text it begins, from zero.
    line: usize,
    first: u32,
    second: u32,
    /// Whether it is a day whatever the other lines say.
    known: bool,
    /// Whether the words behind it are said of scores: `2/4 DP pulses`.
    scored: bool,
}

/// Adds the days that lines begin with to what was found in a note.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut heads = heads(text);
    if heads.len() < 2 {
        return;
    }
    let mut days: Vec<usize> = spans.iter().filter(|span| is_day(span)).map(|span| span.start).collect();
    days.sort_unstable();
    for head in &mut heads {
        head.known |= days.binary_search(&head.range.start).is_ok();
    }
    let mut found = Vec::new();
    for log in logs(&heads) {
        let surely = unscored(log) >= FEWEST_LIKE_SCORES;
        found.extend(log.iter().filter(|head| !head.known && (surely || !head.scored)).map(|head| {
            let class = Class { label: Label::Date, kind: Kind::DatePartial };
            Span::new(head.range.start, head.range.end, class, Detector::Pattern, SCORE)
        }));
    }
    Taken::by(spans).retain_free(&mut found);
    spans.extend(found);
}

fn is_day(span: &Span) -> bool {
    span.leading().class.label == Label::Date && span.leading().score >= TELLING
}

/// The lines of a text that begin with two numbers.
fn heads(text: &str) -> Vec<Head> {
    let heads = lines(text).enumerate().filter_map(|(number, (start, line))| Some((number, start, head(line)?)));
    heads.map(|(line, start, head)| head.at(line, start)).collect()
}

impl Head {
    fn at(self, line: usize, start: usize) -> Self {
        Self { range: self.range.start + start..self.range.end + start, line, ..self }
    }

    /// The day of the year, of months of 31 days; in the order month, day or the other.
    fn day(&self, month_first: bool) -> Option<u32> {
        let (month, day) = if month_first { (self.first, self.second) } else { (self.second, self.first) };
        let is_day = (1..=12).contains(&month) && (1..=DAYS_OF_MONTH).contains(&day);
        is_day.then(|| (month - 1) * DAYS_OF_MONTH + day)
    }
}

/// `3/5 wt`, `- 3/5: stable`, `3/5/19 wt`: the numbers at the beginning of a line.
fn head(line: &str) -> Option<Head> {
    let bare = line.trim_start_matches([' ', '\t', '-', '*', '•', '>', '|', '(', '[']);
    let (first, rest) = number(bare, 2)?;
    let (second, rest) = number(rest.strip_prefix('/')?, 2)?;
    let year = rest.strip_prefix('/').map(|year| year.bytes().take_while(u8::is_ascii_digit).count());
    let rest = match year {
        Some(digits @ (2 | 4)) => &rest[1 + digits..],
        Some(_) => return None,
        None => rest,
    };
    let stops = rest.strip_prefix(['-', '.']).is_some_and(|next| !next.starts_with(|c: char| c.is_alphanumeric()));
    let ends = rest.trim_end().is_empty() || rest.starts_with([' ', '\t', ':', ',', ';', ')', ']', '|', '@', '=']);
    let start = line.len() - bare.len();
    let range = start..line.len() - rest.len();
    let mut words = rest.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).take(WORDS_OF_SCORES);
    let scored = words.any(|word| listed!(word, FRACTION_WORDS));
    (ends || stops).then_some(Head { range, line: 0, first, second, known: year.is_some(), scored })
}

/// The lines that follow each other as days do, forwards or backwards.
fn logs(heads: &[Head]) -> Vec<&[Head]> {
    // Of two orders that tell as many lines the last one counts.
    [false, true]
        .into_iter()
        .map(|month_first| logs_in_order(heads, month_first))
        .max_by_key(covered)
        .unwrap_or_default()
}

/// How many lines are told.
fn covered(logs: &Vec<&[Head]>) -> usize {
    logs.iter().map(|log| log.len()).sum()
}

fn logs_in_order(heads: &[Head], month_first: bool) -> Vec<&[Head]> {
    let (mut logs, mut from) = (Vec::new(), 0);
    while from < heads.len() {
        let (mut to, mut forwards) = (from + 1, None);
        while to < heads.len() {
            match step(&heads[to - 1], &heads[to], month_first) {
                Some(None) => {}
                Some(Some(direction)) if forwards.is_none_or(|known| known == direction) => forwards = Some(direction),
                _ => break,
            }
            to += 1;
        }
        let log = &heads[from..to];
        if forwards.is_some() && are_days(log) {
            logs.push(log);
        }
        from = to;
    }
    logs
}

/// Whether the second line is later than the first one; within where both are of one day. None if they are too far apart.
fn step(first: &Head, second: &Head, month_first: bool) -> Option<Option<bool>> {
    if second.line - first.line > WIDEST_GAP {
        return None;
    }
    let (first, second) = (first.day(month_first)?, second.day(month_first)?);
    let ahead = (second + DAYS_OF_YEAR - first) % DAYS_OF_YEAR;
    match ahead {
        0 => Some(None),
        ahead if ahead <= WIDEST_STEP => Some(Some(true)),
        ahead if DAYS_OF_YEAR - ahead <= WIDEST_STEP => Some(Some(false)),
        _ => None,
    }
}

/// Whether lines in order are days, and not what is measured on one scale, `3/5`, `4/5`, or told in parts, `1/2`, `3/4`.
fn are_days(log: &[Head]) -> bool {
    let one_scale = log.iter().all(|head| head.second == log[0].second);
    let parts = log.iter().all(|head| FRACTIONS.contains(&(head.first, head.second)));
    let scores = log.iter().all(|head| head.first <= head.second && SCALES.contains(&head.second));
    let scored = scores || unscored(log) < log.len();
    log.iter().any(|head| head.known) || !one_scale && !parts && (!scored || unscored(log) >= FEWEST_LIKE_SCORES)
}

/// How many lines of a log are not said of scores.
fn unscored(log: &[Head]) -> usize {
    log.iter().filter(|head| !head.scored).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        find(text, &mut spans);
        spans.iter().map(|span| &text[span.start..span.end]).collect()
    }

    #[test]
    fn days_of_a_log() {
        for (text, days) in [
            ("3/5 wt 75.2\n3/6 wt 74.1\n3/8 wt 72.8 flat\nng", &["3/5", "3/6", "3/8"] as &[&str]),
            ("1/9 BCx 2/2\n1/10 MSSA\n- 1/12: rpt neg", &["1/9", "1/10", "1/12"]),
            ("12/30 afeb\n1/2 up in chair", &["12/30", "1/2"]),
            ("4/12\tPT\n4/10\tPT\n4/3\teval", &["4/12", "4/10", "4/3"]),
            ("28/3 obs stable\n30/3 home\n2/4 rv", &["28/3", "30/3", "2/4"]),
            ("3/5/19 wt 75\n3/6 wt 74", &["3/6"]),
            ("1/5 clear\r\n2/5 clear\r\n2/7 d/c", &["1/5", "2/5", "2/7"]),
            ("3/4 wt 75\n3/5 pain better\n3/6 wt 74\n3/8 home", &["3/4", "3/5", "3/6", "3/8"]),
            ("3/5/19 wt 75\n3/6 wt 74\n4/5 strength", &["3/6"]),
        ] {
            assert_eq!(found(text), days, "{text}");
        }
    }

    #[test]
    fn scores_and_fractions() {
        for text in [
            "4/5 biceps\n3/5 triceps\n5/5 grip",
            "3/5 hip\n4/5 knee\n5/5 ankle",
            "1/2 tab am\n3/4 tab pm",
            "3/5 wt 75.2",
            "5/10 pain\n20/30 vision",
            "2/6 murmur",
            "120/80 sitting\n110/70 standing",
            "3/5mg\n3/6mg",
            "3/5%\n3/6%",
            "2/4 DP pulses\n5/5 strength",
            "- 2/6 SEM\n- 5/5 strength",
            "4/10 pain\n4/5 strength",
            "4/5 R arm\n4/6 V",
            "3/9 x\n1\n2\n3\n4\n5\n6\n7\n8\n3/10 y",
        ] {
            assert_eq!(found(text), [] as [&str; 0], "{text}");
        }
    }
}
