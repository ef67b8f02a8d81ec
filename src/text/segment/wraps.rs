//! Whether a line was wrapped, so that its last sentence goes on in the next one.
//!
//! ```text
//! "The patient was seen in clinic today with her daughter Mary⏎"   wide, without a stop: goes on
//! "Smith, who drove her.⏎"                                         a stop: ends
//! "Plan: rest⏎"                                                    narrow: ends
//! "Hct    19.4    28.8⏎"                                           a row of a table: ends
//! ```
//!
//! Where this is not sure, the line ends: a name that is broken over two sentences is mended when spans are joined back, but two rows
//! that are taken for one are counted as neither. Only the end of the one line and the beginning of the other are read.

use std::cmp::Ordering;
use std::ops::Range;

use super::breaks;
use super::marks::{belongs_to_word, is_blank, is_mark, word_before};
use super::words::Word;

/// A line shorter than this was not wrapped.
const NARROWEST: usize = 30;
/// A line shorter than this was not wrapped before a word that can begin a line of its own.
const NARROWEST_ANY: usize = 60;
/// A line shorter than this was not wrapped before such a word, even if it ends in a word that nothing ends in: `Dr.`, `with`.
const NARROWEST_UNFINISHED: usize = 45;
/// A line longer than this was not wrapped before such a word: its breaks are those of paragraphs.
const WIDEST_ANY: usize = 200;
/// How much of a line is read, in bytes.
const REACH: usize = 400;
/// What parts the cells of a row, at least.
const WIDE_GAP: &[u8] = b"   ";
/// A header or the label of a field is no longer than this.
const LONGEST_LABEL: usize = 40;

/// Whether the line from `line_start` to the break at `line_end` goes on in the next one, which begins at `next_line`.
pub(super) fn goes_on(text: &str, line_start: usize, line_end: usize, next_line: usize) -> bool {
    let bytes = text.as_bytes();
    let near = line_start.max(text.floor_char_boundary(line_end.saturating_sub(REACH)));
    let line = bytes[near..line_end].trim_ascii_end();
    let next_start = next_line + indent(&bytes[next_line..]);
    let is_word = bytes.get(next_start).is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
        && breaks::length_at(bytes, next_start) == 0;
    // Few bytes tell most lines apart.
    if line.len() < NARROWEST || !is_word || matches!(line, [.., b'?' | b'!' | b':' | b';' | b'|']) {
        return false;
    }
    let next = &bytes[next_start..bytes.len().min(next_start + REACH)];
    let next = &next[..end_of_line(next)];
    // Pages and paragraphs end.
    if matches!(&bytes[line_end..next_line], [b'\x0C'] | [.., 0xA9]) || is_field(next) || is_item(next) {
        return false;
    }
    let first = text[next_start..].chars().next().unwrap_or_default();
    let Some(unfinished) = open_end(text, near..near + line.len(), next_start, first) else { return false };
    let (indent_of_line, indent_of_next) = (indent(line), next_start - next_line);
    let line = &line[indent_of_line..];
    let is_long = |least: usize| line.len() >= least;
    let joins = if first.is_lowercase() {
        match indent_of_next.cmp(&indent_of_line) {
            Ordering::Less => is_long(NARROWEST_ANY),
            Ordering::Equal => is_long(NARROWEST) && (indent_of_next == 0 || unfinished),
            Ordering::Greater => is_item(line) || is_long(NARROWEST_ANY) && (ends_in_word(line) || unfinished),
        }
    } else {
        let hangs = indent_of_next == 0 || indent_of_next > indent_of_line && is_item(line);
        let surely = is_long(NARROWEST_ANY) && line.len() <= WIDEST_ANY
            || unfinished && is_long(NARROWEST_UNFINISHED) && !line.ends_with(b",");
        let numbers = matches!((line, next), ([.., b'0'..=b'9'], [b'0'..=b'9', ..]));
        hangs && surely && first.is_alphanumeric() && !numbers && (!shouts(next) || shouts(line))
    };
    joins && !ends_row(line) && !begins_row(next)
}

/// Whether a line ends in a word that something must follow; nothing if a stop ends its sentence. What follows begins at
/// `next_start` with `first`.
fn open_end(text: &str, line: Range<usize>, next_start: usize, first: char) -> Option<bool> {
    let bytes = &text.as_bytes()[line.clone()];
    if !ends_in_stop(bytes) {
        return Some(bytes.ends_with(b",") || Word::of(last_word(bytes)).is(Word::GOES_ON));
    }
    let stop = line.end - 1;
    let word = &text.as_bytes()[word_before(text, line.start, stop)..stop];
    // `2 tabs p.o.` seldom goes on in a line that begins like a sentence.
    let is_dose = word.contains(&b'.') && word[0].is_ascii_lowercase() && !first.is_lowercase();
    let belongs = bytes.ends_with(b".") && !is_dose && belongs_to_word(text, line.start, stop, next_start);
    belongs.then(|| Word::of(word).is(Word::TITLE))
}

/// Where the line ends that begins with `line`; the rarer breaks are looked for in what is no ASCII only.
fn end_of_line(line: &[u8]) -> usize {
    let end = memchr::memchr3(b'\n', b'\r', b'\x0C', line).unwrap_or(line.len());
    memchr::memchr2_iter(0xC2, 0xE2, &line[..end]).find(|at| breaks::length_at(line, *at) > 0).unwrap_or(end)
}

fn indent(line: &[u8]) -> usize {
    line.iter().take_while(|byte| is_blank(**byte)).count()
}

/// Whether a line ends as a row of a table or a form does: its cells are parted by tabs or wide gaps. A last cell as long as a line
/// of text may be wrapped.
fn ends_row(line: &[u8]) -> bool {
    let gap = line.windows(WIDE_GAP.len()).rposition(|bytes| bytes == WIDE_GAP);
    gap.is_some_and(|at| line.len() - at - WIDE_GAP.len() < NARROWEST) || memchr::memchr(b'\t', line).is_some()
}

/// Whether a line begins as a row of a table or a form does.
fn begins_row(line: &[u8]) -> bool {
    line.windows(WIDE_GAP.len()).any(|bytes| bytes == WIDE_GAP)
}

fn ends_in_word(line: &[u8]) -> bool {
    line.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// Whether a line ends in a mark, closing quotes and brackets aside.
fn ends_in_stop(line: &[u8]) -> bool {
    let closed = line.iter().rev().find(|byte| !matches!(byte, b'"' | b'\'' | b')' | b']'));
    closed.is_some_and(|byte| is_mark(*byte))
}

/// Whether a line begins as a header or a form field does: a few words and a colon, which is not that of a clock time.
fn is_field(line: &[u8]) -> bool {
    let digit = |at: usize| line.get(at).is_some_and(u8::is_ascii_digit);
    memchr::memchr_iter(b':', &line[..line.len().min(LONGEST_LABEL)])
        .any(|at| !(digit(at + 1) && at.checked_sub(1).is_some_and(digit)))
}

/// Whether a line begins as a list item does: `1.`, `2)`, `a)`, `-`, `•`; an initial, as in `J. Smith`, begins none.
fn is_item(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match &line[digits..] {
        [b'.' | b')', ..] if digits > 0 => digits < 4,
        [letter, b')', b' ', ..] | [letter @ b'a'..=b'z', b'.', b' ', ..] if digits == 0 => {
            letter.is_ascii_alphabetic()
        }
        [b'-' | b'*' | b'+' | b'o', b' ', ..] | [0xE2, 0x80, 0xA2, ..] => digits == 0,
        _ => false,
    }
}

fn last_word(line: &[u8]) -> &[u8] {
    &line[line.iter().rposition(|byte| !byte.is_ascii_alphabetic()).map_or(0, |at| at + 1)..]
}

/// Whether a line is written in capitals.
fn shouts(line: &[u8]) -> bool {
    line.len() > 3 && !line.iter().any(u8::is_ascii_lowercase)
}
