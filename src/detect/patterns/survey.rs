//! One pass over a sentence that finds what the families start from: cue words and chains of numbers.
//!
//! ```text
//! "MRN 00-12-34, seen March 5 and 3/7/2019"
//!   └cue └chain        └cue  └chain └chain
//! ```
//!
//! Most sentences have few of either, and every family but a few gated expressions works from these places only.

use std::ops::Range;

use super::cues::{Cue, CueTable};
use super::misread;
use super::topics::Topics;

/// At most so many numbers are kept of a chain; longer chains are no dates and no phone numbers.
pub(super) const LONGEST_CHAIN: usize = 9;

/// A cue word and its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    /// What it points to.
    pub(super) cue: Cue,
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
}

/// Numbers joined by `/`, `-` or `.` without blanks: `3/4-3/7`, `555-123-4567`, `98.6`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chain {
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
    /// How many numbers there are; those from [`LONGEST_CHAIN`] on are not kept.
    pub(super) count: usize,
    numbers: [(usize, usize); LONGEST_CHAIN],
    separators: [u8; LONGEST_CHAIN],
}

impl Chain {
    /// The places of the numbers that were kept.
    pub(super) fn numbers(&self) -> &[(usize, usize)] {
        &self.numbers[..self.count.min(LONGEST_CHAIN)]
    }

    /// What stands between the numbers that were kept.
    pub(super) fn separators(&self) -> &[u8] {
        &self.separators[..self.count.min(LONGEST_CHAIN) - 1]
    }

    /// The bytes of the chain.
    pub(super) const fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The chain with its last number ended at byte `end`.
    pub(super) fn cut(&self, end: usize) -> Self {
        let mut cut = *self;
        cut.numbers[self.count.min(LONGEST_CHAIN) - 1].1 = end;
        cut.end = end;
        cut
    }

    /// The chain of the numbers `from..to` of this one.
    pub(super) fn part(&self, from: usize, to: usize) -> Self {
        let mut part = *self;
        part.count = to - from;
        part.numbers[..to - from].copy_from_slice(&self.numbers[from..to]);
        part.separators[..to - from - 1].copy_from_slice(&self.separators[from..to - 1]);
        part.start = part.numbers[0].0;
        part.end = part.numbers[to - from - 1].1;
        part
    }
}

/// What one pass over a sentence finds.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Cue words, in order.
    pub(super) hits: Vec<Hit>,
    /// Chains of numbers, in order.
    pub(super) chains: Vec<Chain>,
    /// How many digits there are in all.
    pub(super) digits: usize,
    /// How many letters stand without another beside them.
    pub(super) lone_letters: usize,
    /// Whether two blanks stand side by side.
    pub(super) wide_blank: bool,
    /// What its words let it be about.
    pub(super) topics: Topics,
    /// The marks and blanks of ASCII that there are, as bits.
    marks: u128,
    /// Whether there is a character that is not of ASCII.
    pub(super) beyond_ascii: bool,
    /// How many colons there are.
    pub(super) colons: usize,
    /// Whether a number follows a capital letter without a blank.
    pub(super) lettered: bool,
    /// Whether a letter stands where a scanner may have misread it.
    pub(super) misread: bool,
}

impl Survey {
    /// Surveys a sentence.
    pub(super) fn of(sentence: &str, cues: &CueTable) -> Self {
        let bytes = sentence.as_bytes();
        let mut survey = Self::default();
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            if byte.is_ascii_alphabetic() {
                let (end, joined, shouted) = word_end(bytes, at);
                survey.misread |= shouted;
                let sign = cues.get(&bytes[at..end]).unwrap_or_default();
                survey.topics |= sign.topics;
                survey.lone_letters += usize::from(end == at + 1);
                match sign.cue {
                    Some(cue) => survey.hits.push(Hit { cue, start: at, end }),
                    None if joined => survey.push_parts(bytes, at, end, cues),
                    None => {}
                }
                at = end;
            } else if byte.is_ascii_digit() {
                let chain = chain_at(bytes, at);
                for &byte in &bytes[at..chain.end] {
                    if byte.is_ascii_digit() {
                        survey.digits += 1;
                    } else {
                        survey.mark(byte);
                    }
                }
                survey.lettered |= at > 0 && bytes[at - 1].is_ascii_uppercase();
                survey.misread |= misread::is_beside_letter(bytes, at, chain.end);
                at = chain.end;
                survey.chains.push(chain);
            } else {
                survey.mark(byte);
                survey.wide_blank |= byte == b' ' && bytes.get(at + 1) == Some(&b' ');
                survey.colons += usize::from(byte == b':');
                at += 1;
            }
        }
        survey
    }

    #[inline]
    fn mark(&mut self, byte: u8) {
        match byte {
            0..0x80 => self.marks |= 1 << byte,
            _ => self.beyond_ascii = true,
        }
    }

    /// Whether a mark or blank of ASCII is anywhere.
    #[inline]
    pub(super) const fn has_mark(&self, mark: u8) -> bool {
        self.marks >> (mark & 0x7f) & 1 == 1
    }

    /// The lines of the sentence, which was surveyed, each with its first byte.
    pub(super) fn lines<'t>(&self, sentence: &'t str) -> impl Iterator<Item = (usize, &'t str)> + use<'t> {
        let mut next = Some(0);
        let broken = self.has_mark(b'\n');
        std::iter::from_fn(move || {
            let start = next?;
            let rest = &sentence[start..];
            let end = if broken { memchr::memchr(b'\n', rest.as_bytes()) } else { None };
            next = end.map(|end| start + end + 1);
            Some((start, &rest[..end.unwrap_or(rest.len())]))
        })
    }

    /// Words that ran together, as where blanks were lost: `ReturnApril`.
    fn push_parts(&mut self, bytes: &[u8], start: usize, end: usize, cues: &CueTable) {
        let mut part = start;
        for at in start + 1..end {
            if !(bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase()) {
                continue;
            }
            self.push_part(bytes, part, at, cues);
            part = at;
        }
        if part > start {
            self.push_part(bytes, part, end, cues);
        }
    }

    fn push_part(&mut self, bytes: &[u8], start: usize, end: usize, cues: &CueTable) {
        if end - start > 2
            && let Some(cue) = cues.cue(&bytes[start..end])
        {
            self.hits.push(Hit { cue, start, end });
        }
    }

    /// Whether there are numbers close enough together, and enough digits in them, for a telephone number.
    pub(super) fn may_hold_phone(&self) -> bool {
        let (mut digits, mut longest, mut end) = (0, 0, usize::MAX);
        self.chains.iter().any(|chain| {
            let numbers = chain.numbers();
            let slashed_date = chain.count == 3 && chain.separators() == b"//";
            if slashed_date || chain.count == 1 && chain.end - chain.start > 14 {
                return false;
            }
            if chain.start.saturating_sub(end) > 3 || end == usize::MAX {
                (digits, longest) = (0, 0);
            }
            end = chain.end;
            digits += numbers.iter().map(|(start, end)| end - start).sum::<usize>();
            longest = numbers.iter().map(|(start, end)| end - start).max().unwrap_or(0).max(longest);
            digits >= 7 && longest >= 3
        })
    }

    /// Whether any hit is of the cue.
    pub(super) fn has(&self, cue: Cue) -> bool {
        self.hits.iter().any(|hit| hit.cue == cue)
    }
}

/// The end of a run of letters; whether a capital follows a small letter in it, and whether a small `l` is beside a
/// capital.
fn word_end(bytes: &[u8], start: usize) -> (usize, bool, bool) {
    let (mut joined, mut shouted) = (false, false);
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at).filter(|byte| byte.is_ascii_alphabetic()) {
        let before = bytes[at - 1];
        if byte.is_ascii_uppercase() != before.is_ascii_uppercase() {
            joined |= byte.is_ascii_uppercase();
            shouted |= *byte == b'l' || before == b'l' || *byte == b'I';
        }
        at += 1;
    }
    (at, joined, shouted)
}

fn digits_end(bytes: &[u8], start: usize) -> usize {
    start + bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn chain_at(bytes: &[u8], start: usize) -> Chain {
    let mut end = digits_end(bytes, start);
    let mut chain =
        Chain { start, end, count: 1, numbers: [(start, end); LONGEST_CHAIN], separators: [0; LONGEST_CHAIN] };
    while let Some((separator, width)) = separator_at(bytes, end) {
        let next = digits_end(bytes, end + width);
        if next == end + width {
            break;
        }
        if chain.count < LONGEST_CHAIN {
            chain.separators[chain.count - 1] = separator;
            chain.numbers[chain.count] = (end + width, next);
        }
        chain.count += 1;
        end = next;
    }
    chain.end = end;
    chain
}

/// The separator at a place and its width in bytes; dashes of any kind count as `-`.
fn separator_at(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    match bytes.get(at)? {
        byte @ (b'/' | b'-' | b'.') => Some((*byte, 1)),
        0xE2 if matches!(bytes.get(at..at + 3), Some([0xE2, 0x80, 0x90..=0x94])) => Some((b'-', 3)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_and_chains() {
        let text = "MRN 00-12-34, seen March 5 and 3/7/2019–3/9";
        let survey = Survey::of(text, CueTable::shared());
        let hits: Vec<_> = survey.hits.iter().map(|hit| &text[hit.start..hit.end]).collect();
        assert!(hits.contains(&"MRN") && hits.contains(&"March"));
        let chains: Vec<_> = survey.chains.iter().map(|chain| &text[chain.range()]).collect();
        assert_eq!(chains, ["00-12-34", "5", "3/7/2019–3/9"]);
        assert_eq!(survey.chains[2].separators(), b"//-/");
        assert_eq!(&text[survey.chains[2].part(3, 5).range()], "3/9");
    }

    #[test]
    fn lines_are_those_of_the_text() {
        for text in ["", "one", "one\ntwo 3-4\n", "\n\n5 mg"] {
            let lines: Vec<_> = Survey::of(text, CueTable::shared()).lines(text).map(|(_, line)| line).collect();
            assert_eq!(lines, text.split('\n').collect::<Vec<_>>());
        }
    }

    #[test]
    fn long_chains_are_counted_to_their_end() {
        let survey = Survey::of("1-2-3-4-5-6-7-8-9-1-2.", CueTable::shared());
        assert_eq!((survey.chains[0].count, survey.chains[0].end), (11, 21));
        assert_eq!(survey.chains[0].numbers().len(), LONGEST_CHAIN);
    }
}
