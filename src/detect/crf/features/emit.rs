//! From facts to attributes: which values are put together, family by family.
//!
//! ```text
//! CONTEXT 17 (lower −1, lower 0) ─▶ xxh3(lower 0, seed xxh3(lower −1, seed 17))
//! ```

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::families::{Families, Family};
use super::shapes::class;
use super::tokens::{Facts, NONE, Reading};

/// Where attributes go.
struct Sink<'a> {
    hashes: &'a mut Vec<u64>,
    family: u64,
}

impl Sink<'_> {
    /// Adds the attribute of a template, numbered within its family, and its values.
    fn push<const N: usize>(&mut self, template: u64, values: [u64; N]) {
        let seed = self.family << 32 | template << 8 | N as u64;
        self.hashes.push(values.iter().fold(seed, |seed, value| xxh3_64_with_seed(&value.to_le_bytes(), seed)));
    }

    /// Adds an attribute for each bit that is set.
    fn push_bits(&mut self, template: u64, mut bits: u32) {
        while bits != 0 {
            self.push(template, [u64::from(bits.trailing_zeros())]);
            bits &= bits - 1;
        }
    }
}

/// What makes the attributes of one family.
type Emitter = fn(&mut Sink<'_>, &Reading, usize);

/// Appends the attributes of the token at `at`.
pub(super) fn emit(families: Families, reading: &Reading, at: usize, hashes: &mut Vec<u64>) {
    let emitters: [(Family, Emitter); 12] = [
        (Family::Word, word),
        (Family::Context, context),
        (Family::Affix, affix),
        (Family::Pattern, pattern),
        (Family::Shape, shape),
        (Family::Chunk, chunk),
        (Family::Position, position),
        (Family::Header, header),
        (Family::Opening, opening),
        (Family::Lexicon, lexicon),
        (Family::Usage, usage),
        (Family::Preceding, preceding),
    ];
    for (family, emitter) in emitters {
        if families.has(family) {
            emitter(&mut Sink { hashes, family: family as u64 + 1 }, reading, at);
        }
    }
}

/// A value of the token `offset` away.
fn value(reading: &Reading, at: usize, offset: isize, of: impl Fn(&Facts) -> u64) -> u64 {
    reading.near(at, offset).map_or(NONE, of)
}

fn word(sink: &mut Sink<'_>, reading: &Reading, at: usize) {
    let facts = &reading.facts[at];
    sink.push(0, [1]);
    sink.push(1, [facts.raw]);
    sink.push(2, [facts.lower]);
}

fn context(sink: &mut Sink<'_>, reading: &Reading, at: usize) {
    let lower = |offset| value(reading, at, offset, |facts| facts.lower);
    let [b4, b3, b2, b1, here, a1, a2, a3, a4] = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map(lower);
    for (template, word) in [(0, b4), (1, b3), (2, b2), (3, b1), (4, a1), (5, a2), (6, a3), (7, a4)] {
        sink.push(template, [word]);
    }
    for (template, pair) in [
        (8, [b1, here]),
        (9, [here, a1]),
        (10, [b2, b1]),
        (11, [a1, a2]),
        (12, [b1, a1]),
        (13, [b3, b2]),
        (14, [b2, here]),
    ] {
        sink.push(template, pair);
    }
    sink.push(15, [b2, b1, here]);
    sink.push(16, [here, a1, a2]);
    sink.push(17, [b3, b2, b1]);
    sink.push(22, [b1, here, a1]);
    let words = |offset: isize| reading.near(at, offset).filter(|facts| facts.is_word).map(|facts| facts.lower);
    for word in (-6..=-1).filter_map(words) {
        sink.push(18, [word]);
    }
    for word in (1..=4).filter_map(words) {
        sink.push(19, [word]);
    }
    let last_word = (-8..=-1).rev().find_map(words).unwrap_or(NONE);
    sink.push(20, [last_word, reading.facts[at].shape]);
    sink.push(21, [last_word]);
}

fn affix(sink: &mut Sink<'_>, reading: &Reading, at: usize) {
    let facts = &reading.facts[at];
    for (length, (prefix, suffix)) in facts.prefixes.iter().zip(&facts.suffixes).enumerate() {
        if *prefix != NONE {
            sink.push(length as u64, [*prefix]);
            sink.push(8 + length as u64, [*suffix]);
        }
    }
    sink.push(16, [value(reading, at, -1, |facts| facts.suffixes[2])]);
    sink.push(17, [value(reading, at, 1, |facts| facts.prefixes[2])]);
}

fn pattern(sink: &mut Sink<'_>, reading: &Reading, at: usize) {
    sink.push_bits(0, reading.facts[at].classes);
    for offset in -3isize..=3 {
        let classes = value(reading, at, offset, |facts| u64::from(facts.classes));
        sink.push((8 + offset) as u64, [classes]);
    }
    sink.push_bits(1, reading.chunks[reading.facts[at].chunk].classes);
}

fn shape(sink: &mut Sink<'_>, reading: &Reading, at: usize) {
    let full = |offset| value(reading, at, offset, |facts| facts.shape);
    let collapsed = |offset| value(reading, at, offset, |facts| facts.collapsed);
    let [b2, b1, here, a1, a2] = [-2, -1, 0, 1, 2].map(collapsed);
    sink.push(0, [full(0)]);
    sink.push(1, [here]);
    sink.push(2, [full(-1)]);
    sink.push(3, [full(1)]);
    sink.push(4, [b2]);
    sink.push(5, [b1]);
    sink.push(6, [a1]);
    sink.push(7, [a2]);
    sink.push(8, [b1, here]);
    sink.push(9, [here, a1]);
    sink.push(10, [b1, here, a1]);
    sink.push(11, [b2, b1, here]);
    sink.push(12, [here, a1, a2]);
    sink.push(13, [full(-1), full(0), full(1)]);
    let lower = |offset| value(reading, at, offset, |facts| facts.lower);
    sink.push(14, [lower(-1), full(0)]);
    sink.push(15, [lower(1), full(0)]);
    sink.push(16, [lower(-2), lower(-1), here]);
}

fn chunk(sink: &mut Sink<'_>, reading: &Reading, at: usize) {
    let facts = &reading.facts[at];
    let chunk = &reading.chunks[facts.chunk];
    let first = reading.facts[..at].iter().rev().take_while(|before| before.chunk == facts.chunk).count().min(6) as u64;
    sink.push(0, [chunk.shape]);
    sink.push(1, [chunk.collapsed]);
    sink.push(2, [chunk.collapsed, first]);
    sink.push(3, [u64::from(chunk.classes), first]);
    sink.push(4, [first]);
    sink.push(5, [u64::from(chunk.digits), u64::from(chunk.classes & class::NUMBER)]);
    let other = |at: Option<usize>| at.and_then(|at| reading.chunks.get(at)).map_or(NONE, |chunk| chunk.collapsed);
    let (before, after) = (other(facts.chunk.checked_sub(1)), other(Some(facts.chunk + 1)));
    sink.push(6, [before]);
    sink.push(7, [after]);
    sink.push(8, [before, chunk.collapsed]);
    sink.push(9, [chunk.collapsed, after]);
    sink.push(10, [other(facts.chunk.checked_sub(2)), before, chunk.collapsed]);
    sink.push(11, [chunk.collapsed, after, other(Some(facts.chunk + 2))]);
}

/// A number in steps that grow.
fn bucket(number: usize) -> u64 {
    match number {
        0..=4 => number as u64,
        5..=7 => 5,
        8..=15 => 6,
        16..=31 => 7,
        _ => 8,
    }
}

fn position(sink: &mut Sink<'_>, reading: &Reading, at: usize) {
    let facts = &reading.facts[at];
    let (from_start, to_end) = (at - reading.first, reading.facts.len() - 1 - at);
    let gap_after = value(reading, at, 1, |after| 1 + after.gap as u64);
    sink.push(0, [bucket(from_start)]);
    sink.push(1, [bucket(to_end)]);
    sink.push(2, [facts.gap as u64]);
    sink.push(3, [gap_after]);
    sink.push(4, [facts.gap as u64, gap_after, facts.collapsed]);
    sink.push(5, [u64::from(facts.depth), u64::from(facts.quoted)]);
    sink.push(6, [bucket(facts.in_line)]);
    sink.push(7, [facts.collapsed, bucket(from_start)]);
    sink.push(8, [bucket(reading.facts.len() - reading.first), bucket(from_start)]);
}

fn header(sink: &mut Sink<'_>, reading: &Reading, at: usize) {
    let facts = &reading.facts[at];
    let carried = facts.header[0] == NONE;
    let [last, two] = if carried { reading.context_header } else { facts.header };
    let distance = if carried { 20 + (at - reading.first).min(6) } else { facts.since_header.min(12) } as u64;
    sink.push(0, [last, u64::from(carried)]);
    sink.push(1, [two, u64::from(carried)]);
    sink.push(2, [last, distance]);
    sink.push(3, [last, facts.shape]);
    sink.push(4, [last, facts.lower]);
    sink.push(5, [two, facts.collapsed, u64::from(carried)]);
    sink.push(6, [distance]);
    sink.push(7, [last, value(reading, at, -1, |before| before.lower)]);
    sink.push(8, [last, value(reading, at, 1, |after| after.lower), facts.collapsed]);
    sink.push(9, [last, reading.chunks[facts.chunk].collapsed]);
}

fn opening(sink: &mut Sink<'_>, reading: &Reading, at: usize) {
    let facts = &reading.facts[at];
    let mut words = reading.facts[reading.first..].iter().filter(|facts| facts.is_word).map(|facts| facts.lower);
    let first = words.next().unwrap_or(NONE);
    let second = words.next().unwrap_or(NONE);
    let place = bucket(at - reading.first);
    sink.push(0, [first]);
    sink.push(1, [first, second]);
    sink.push(2, [first, second, facts.shape]);
    sink.push(3, [first, place]);
    sink.push(4, [first, facts.collapsed]);
}

fn lexicon(sink: &mut Sink<'_>, reading: &Reading, at: usize) {
    let facts = &reading.facts[at];
    sink.push_bits(0, facts.flags);
    sink.push_bits(1, facts.begins);
    sink.push_bits(2, facts.ends);
    let flags = |offset| value(reading, at, offset, |facts| u64::from(facts.flags));
    sink.push(3, [flags(0), facts.collapsed]);
    sink.push(4, [flags(-1)]);
    sink.push(5, [flags(1)]);
    sink.push(6, [flags(-1), flags(0)]);
    sink.push(7, [flags(0), flags(1)]);
    sink.push(8, [u64::from(facts.commonness), facts.collapsed]);
}

fn usage(sink: &mut Sink<'_>, reading: &Reading, at: usize) {
    let usage = |offset| value(reading, at, offset, |facts| u64::from(facts.usage));
    let collapsed = reading.facts[at].collapsed;
    let [b2, b1, here, a1, a2] = [-2, -1, 0, 1, 2].map(usage);
    sink.push(0, [here]);
    sink.push(1, [here, collapsed]);
    sink.push(2, [b1]);
    sink.push(3, [a1]);
    sink.push(4, [b2]);
    sink.push(5, [a2]);
    sink.push(6, [b1, here]);
    sink.push(7, [here, a1]);
    sink.push(8, [b1, here, a1]);
    sink.push(9, [b2, b1, here]);
    sink.push(10, [here, a1, a2]);
}

fn preceding(sink: &mut Sink<'_>, reading: &Reading, at: usize) {
    let facts = &reading.facts[at];
    let [first, second] = reading.context_opening;
    let place = bucket(at - reading.first);
    sink.push(0, [first]);
    sink.push(1, [first, second]);
    sink.push(2, [first, second, place]);
    sink.push(3, [first, facts.collapsed]);
    sink.push(4, [u64::from(reading.context_asks), u64::from(reading.has_context), place]);
    let opening = reading.facts[reading.first..].iter().find(|facts| facts.is_word).map_or(NONE, |facts| facts.lower);
    sink.push(5, [first, second, opening]);
    sink.push(6, [reading.context_header[1], opening]);
}
