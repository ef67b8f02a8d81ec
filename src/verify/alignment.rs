//! A source text beside what came out of it: which stretches changed.
//!
//! ```text
//! source   Seen by Dr. Ann Smith on 03/04/2019.⏎
//!          ────────────└───────┘────└───┘───────
//! output   Seen by Dr. Nielsen   on 07/02/2019.⏎       changes: `Ann Smith` ─▶ `Nielsen`, `03` ─▶ `07`, `04` ─▶ `02`
//! ```
//!
//! Nothing is taken from the run that made the output. Both texts are cut into pieces. From a difference on, the
//! shortest way of deletions and insertions is sought (Myers 1986) until enough pieces in a row are equal again; so the work
//! follows the size of single differences, not their number. A difference that is too large is taken as far as it was followed,
//! or up to the next line that stands once in both texts (Cohen's patience), so that time and memory stay linear in the texts.

use std::collections::HashMap;
use std::ops::Range;

use super::pieces::{Piece, hash, pieces};

/// Deletions and insertions after which a difference is no longer followed piece by piece.
const MOST_EDITS: usize = 192;
/// How much must be equal again for a difference to be over: a word counts 2, a mark or line break 1.
const STRONG: usize = 10;
/// Pieces in a row that are strong whatever they are.
const ENOUGH: usize = 2 * STRONG;
/// A line of fewer pieces is no anchor.
const ANCHOR_PIECES: usize = 4;

/// A stretch that differs; one side may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Bytes of the source.
    pub source: Range<usize>,
    /// Bytes of the output.
    pub output: Range<usize>,
}

/// Which stretches differ, in order; between them both texts are equal, byte for byte.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alignment {
    changes: Vec<Change>,
}

impl Alignment {
    /// Aligns two texts.
    pub fn of(source: &str, output: &str) -> Self {
        if source == output {
            return Self::default();
        }
        let (left, right) = (pieces(source), pieces(output));
        let matched = Search::new(&left, &right).run();
        Self { changes: changes(source, output, &left, &right, &matched) }
    }

    /// The stretches that differ, in order, on character boundaries.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Where a stretch of the output comes from, and whether it is unchanged there. Of a change that it touches, the whole source.
    pub fn source_of(&self, output: &Range<usize>) -> (Range<usize>, bool) {
        let from = self.changes.partition_point(|change| change.output.end <= output.start);
        let to = from + self.changes[from..].partition_point(|change| change.output.start < output.end);
        let before = from.checked_sub(1).map_or((0, 0), |last| self.ends(last));
        let touched = &self.changes[from..to];
        let start = match touched.first() {
            Some(first) if first.output.start <= output.start => first.source.start,
            _ => before.0 + (output.start - before.1),
        };
        let end = match touched.last() {
            Some(last) if last.output.end >= output.end => last.source.end,
            Some(last) => last.source.end + (output.end - last.output.end),
            None => before.0 + (output.end - before.1),
        };
        (start..end, touched.is_empty())
    }

    fn ends(&self, change: usize) -> (usize, usize) {
        (self.changes[change].source.end, self.changes[change].output.end)
    }
}

/// Equal pieces: so many from these places on.
#[derive(Debug, Clone, Copy)]
struct Match {
    left: usize,
    right: usize,
    length: usize,
}

/// The search for equal pieces.
struct Search<'p> {
    left: &'p [Piece],
    right: &'p [Piece],
    matched: Vec<Match>,
    anchors: Option<Vec<(usize, usize)>>,
    /// How far each diagonal has come, for every number of edits so far, one after another: 1, 2, 3, … entries.
    reached: Vec<usize>,
}

/// Where the search for the end of a difference has ended.
struct End {
    edits: usize,
    diagonal: usize,
    left: usize,
    right: usize,
}

impl<'p> Search<'p> {
    fn new(left: &'p [Piece], right: &'p [Piece]) -> Self {
        Self { left, right, matched: Vec::new(), anchors: None, reached: Vec::new() }
    }

    fn run(mut self) -> Vec<Match> {
        let (mut left, mut right) = (0, 0);
        loop {
            let length = self.equal_from(left, right, usize::MAX);
            self.push(left, right, length);
            (left, right) = (left + length, right + length);
            if left == self.left.len() || right == self.right.len() {
                return self.matched;
            }
            (left, right) = self.difference(left, right);
        }
    }

    fn push(&mut self, left: usize, right: usize, length: usize) {
        if length > 0 {
            self.matched.push(Match { left, right, length });
        }
    }

    fn equal_from(&self, left: usize, right: usize, most: usize) -> usize {
        let pairs = self.left[left..].iter().zip(&self.right[right..]).take(most);
        pairs.take_while(|(left, right)| left.hash == right.hash).count()
    }

    /// Follows a difference to its end; gives where both texts go on.
    fn difference(&mut self, left: usize, right: usize) -> (usize, usize) {
        let (end, over) = self.shortest(left, right);
        let next = (left + end.left, right + end.right);
        if !over && let Some(anchor) = self.anchor_after(left, right).filter(|at| next.0 > at.0 || next.1 > at.1) {
            return anchor;
        }
        self.trace_back(left, right, &end);
        next
    }

    /// The shortest edits from a difference on to where enough is equal again, or as far as they are followed; and which.
    fn shortest(&mut self, left: usize, right: usize) -> (End, bool) {
        let (rows, columns) = (self.left.len() - left, self.right.len() - right);
        self.reached.clear();
        self.reached.push(0);
        let mut furthest = End { edits: 0, diagonal: 0, left: 0, right: 0 };
        for edits in 1..=MOST_EDITS {
            let before = self.reached.len() - edits;
            let mut best: Option<(usize, End)> = None;
            for diagonal in 0..=edits {
                // Diagonal d of `edits` stands for `left - right = 2 d - edits`: d deletions, the rest insertions.
                let deleted = (diagonal > 0).then(|| self.reached[before + diagonal - 1]).filter(|&at| at < rows);
                let inserted = (diagonal < edits).then(|| self.reached[before + diagonal]);
                let inserted = inserted.filter(|&at| at != OUT && at + edits < columns + 2 * diagonal + 1);
                let start = match (deleted.map(|at| at + 1), inserted) {
                    (Some(deleted), Some(inserted)) => deleted.max(inserted),
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => {
                        self.reached.push(OUT);
                        continue;
                    }
                };
                let Some(across) = (start + edits).checked_sub(2 * diagonal).filter(|&across| across <= columns) else {
                    self.reached.push(OUT);
                    continue;
                };
                // So many are strong, and the difference is over: looking further would be done again afterwards.
                let length = self.equal_from(left + start, right + across, ENOUGH);
                self.reached.push(start + length);
                let end = |skip| End { edits, diagonal, left: start + skip, right: across + skip };
                let whole = start + length == rows && across + length == columns;
                let weight = if whole { usize::MAX } else { self.weight(left + start, length) };
                if weight >= STRONG && best.as_ref().is_none_or(|(other, _)| weight > *other) {
                    best = Some((weight, end(0)));
                }
                if start + across + 2 * length > furthest.left + furthest.right {
                    furthest = end(length);
                }
            }
            if let Some((_, end)) = best {
                return (end, true);
            }
        }
        (furthest, false)
    }

    /// What so many equal pieces count.
    fn weight(&self, left: usize, length: usize) -> usize {
        // A single letter or mark says little.
        let weight = |piece: &Piece| if piece.end - piece.start > 1 { 2 } else { 1 };
        self.left[left..left + length].iter().map(weight).sum()
    }

    /// Notes the equal pieces on the way to the end of a difference.
    fn trace_back(&mut self, left: usize, right: usize, end: &End) {
        let first = self.matched.len();
        let (mut at, mut diagonal) = (end.left, end.diagonal);
        for edits in (1..=end.edits).rev() {
            let before = edits * (edits - 1) / 2;
            let rows = self.left.len() - left;
            let deleted = (diagonal > 0).then(|| self.reached[before + diagonal - 1]).filter(|&at| at < rows);
            let columns = self.right.len() - right;
            let inserted = (diagonal < edits).then(|| self.reached[before + diagonal]);
            let inserted = inserted.filter(|&at| at != OUT && at + edits < columns + 2 * diagonal + 1);
            let (start, from, above) = match (deleted, inserted) {
                (Some(deleted), Some(inserted)) if inserted > deleted => (inserted, inserted, diagonal),
                (Some(deleted), _) => (deleted + 1, deleted, diagonal - 1),
                (None, Some(inserted)) => (inserted, inserted, diagonal),
                (None, None) => break,
            };
            let across = right + start + edits - 2 * diagonal;
            self.push(left + start, across, at.saturating_sub(start));
            (at, diagonal) = (from, above);
        }
        self.matched[first..].reverse();
    }

    /// The first anchor behind two places, or at one of them and behind the other.
    fn anchor_after(&mut self, left: usize, right: usize) -> Option<(usize, usize)> {
        let anchors = match self.anchors.take() {
            Some(anchors) => anchors,
            None => anchors(self.left, self.right),
        };
        let from = anchors.partition_point(|anchor| anchor.0 < left || anchor.1 < right);
        // Where two different lines have one hash, an anchor may be the very place of the difference: it leads nowhere.
        let next = anchors[from..].iter().find(|&&anchor| anchor != (left, right)).copied();
        self.anchors = Some(anchors);
        next
    }
}

/// A diagonal that has left the texts.
const OUT: usize = usize::MAX;

/// Where lines begin that stand once in both texts: the longest list of them in the order of both.
fn anchors(left: &[Piece], right: &[Piece]) -> Vec<(usize, usize)> {
    let mut seen: HashMap<u64, [Option<usize>; 2]> = HashMap::new();
    for (side, pieces) in [left, right].into_iter().enumerate() {
        let mut twice = Vec::new();
        for (start, line) in lines(pieces) {
            if let Some(first) = seen.entry(line).or_default()[side].replace(start) {
                twice.push((line, first));
            }
        }
        for (line, _) in twice {
            seen.remove(&line);
        }
    }
    let mut both: Vec<_> = seen.into_values().filter_map(|[left, right]| Some((left?, right?))).collect();
    both.sort_unstable();
    longest_rising(&both)
}

/// Each line that is long enough: where it begins, and its hash.
fn lines(pieces: &[Piece]) -> impl Iterator<Item = (usize, u64)> {
    let line_break = hash(b"\n");
    let mut start = 0;
    pieces.split_inclusive(move |piece| piece.hash == line_break).filter_map(move |line| {
        let from = start;
        start += line.len();
        // The sum is mixed with each piece, so that what repeats does not cancel out.
        let mix = |sum: u64, piece: &Piece| (sum.rotate_left(7) ^ piece.hash).wrapping_mul(0x2545_f491_4f6c_dd1d);
        let sum = line.iter().fold(0, mix);
        (line.len() > ANCHOR_PIECES).then_some((from, sum))
    })
}

/// The longest part of pairs in the order of the left that is in the order of the right, too.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `tops[n]` is the pair with the lowest right end among lists of n + 1 pairs.
    let mut tops: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    for (place, pair) in pairs.iter().enumerate() {
        let pile = tops.partition_point(|&top| pairs[top].1 < pair.1);
        before[place] = pile.checked_sub(1).map(|below| tops[below]);
        match tops.get_mut(pile) {
            Some(top) => *top = place,
            None => tops.push(place),
        }
    }
    let mut list: Vec<_> =
        std::iter::successors(tops.last().copied(), |&place| before[place]).map(|at| pairs[at]).collect();
    list.reverse();
    list
}

/// What lies between equal pieces, where it is not equal too.
fn changes(source: &str, output: &str, left: &[Piece], right: &[Piece], matched: &[Match]) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut source_at, mut output_at) = (0, 0);
    let mut between = |source_from: usize, source_to: usize, output_from: usize, output_to: usize| {
        let (before, after) = (&source[source_from..source_to], &output[output_from..output_to]);
        if before == after {
            return;
        }
        // White space that both begin or end with is no part of the change.
        let (before, after) = (before.as_bytes(), after.as_bytes());
        let space = |(left, right): &(&u8, &u8)| left == right && left.is_ascii_whitespace();
        let head = before.iter().zip(after).take_while(space).count();
        let tail = before[head..].iter().rev().zip(after[head..].iter().rev()).take_while(space).count();
        changes.push(Change {
            source: source_from + head..source_to - tail,
            output: output_from + head..output_to - tail,
        });
    };
    for run in matched {
        for (left, right) in left[run.left..][..run.length].iter().zip(&right[run.right..][..run.length]) {
            // A hash may meet another's by chance.
            if source[left.range()] == output[right.range()] {
                between(source_at, left.start, output_at, right.start);
                (source_at, output_at) = (left.end, right.end);
            }
        }
    }
    between(source_at, source.len(), output_at, output.len());
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown<'t>(source: &'t str, output: &'t str) -> Vec<(&'t str, &'t str)> {
        let alignment = Alignment::of(source, output);
        alignment
            .changes()
            .iter()
            .map(|change| (&source[change.source.clone()], &output[change.output.clone()]))
            .collect()
    }

    /// Both texts are the equal stretches and the changes, in order.
    fn check(source: &str, output: &str) -> Alignment {
        let alignment = Alignment::of(source, output);
        let (mut source_at, mut output_at) = (0, 0);
        for change in alignment.changes() {
            assert!(change.source.start >= source_at && change.output.start >= output_at);
            assert!(!change.source.is_empty() || !change.output.is_empty());
            assert_eq!(source[source_at..change.source.start], output[output_at..change.output.start]);
            assert_ne!(source[change.source.clone()], output[change.output.clone()]);
            (source_at, output_at) = (change.source.end, change.output.end);
        }
        assert_eq!(source[source_at..], output[output_at..]);
        alignment
    }

    #[test]
    fn every_mode_of_replacement() {
        let source = "Seen by Dr. Ann Smith on 03/04/2019. No acute distress.\nMRN: 0012345";
        let name =
            |output: &str| shown(source, output).first().map(|change| (change.0.to_owned(), change.1.to_owned()));
        for (output, replaced) in [
            ("Seen by Dr. Nielsen on 07/02/2019. No acute distress.\nMRN: 7721845", "Nielsen"),
            ("Seen by Dr. [DOCTOR] on [DATE]. No acute distress.\nMRN: [MEDICALRECORD]", "[DOCTOR]"),
            ("Seen by Dr. <*<PERSON*> on <*<DATE*>. No acute distress.\nMRN: <*<ID*>", "<*<PERSON*>"),
            ("Seen by Dr. [REDACTED] on [REDACTED]. No acute distress.\nMRN: [REDACTED]", "[REDACTED]"),
            ("Seen by Dr. *** ***** on **/**/****. No acute distress.\nMRN: *******", "*** *****"),
            ("Seen by Dr. ********* on **********. No acute distress.\nMRN: *******", "*********"),
        ] {
            check(source, output);
            assert_eq!(name(output), Some(("Ann Smith".to_owned(), replaced.to_owned())), "{output}");
        }
    }

    #[test]
    fn white_space_and_lines_that_change_are_seen() {
        assert_eq!(shown("a b c d e f g", "a b  c d e f g"), [(" ", "  ")].map(|_| ("", " ")));
        assert_eq!(shown("one two\nthree four", "one two three four"), [("\n", " ")]);
        assert_eq!(shown("same", "same"), []);
    }

    #[test]
    fn a_long_loss_is_one_change() {
        let line = |number: usize| format!("line {number} of the note, with words of its own\n");
        let source: String = (0..500).map(line).collect();
        let output: String = (0..500).filter(|number| !(100..300).contains(number)).map(line).collect();
        let alignment = check(&source, &output);
        let lost: usize = alignment.changes().iter().map(|change| change.source.len()).sum();
        assert_eq!(
            lost - (source.len() - output.len()),
            alignment.changes().iter().map(|c| c.output.len()).sum::<usize>()
        );
        assert!(lost < source.len() * 45 / 100, "{lost}");
    }

    #[test]
    fn places_lead_back() {
        let alignment =
            check("Dr. Ann Smith came on Monday at noon with her son", "Dr. Bo came on Monday at noon with her son");
        assert_eq!(alignment.source_of(&(7..11)), (14..18, true));
        assert_eq!(alignment.source_of(&(4..6)), (4..13, false));
        assert_eq!(alignment.source_of(&(0..11)), (0..18, false));
    }

    /// A sum of hashes that only turned with each piece came to nothing for what repeats, so that other lines had the same one.
    #[test]
    fn what_repeats_comes_to_an_end() {
        for count in [64, 96, 128, 4_000] {
            for day in ["03/04/2019,", "03/04/2019, ", "ab;"] {
                check(&day.repeat(count), &day.replace("03/04", "07/02").replace('a', "c").repeat(count));
            }
        }
    }

    #[test]
    fn a_megabyte_without_anything_equal_ends_soon() {
        let begun = std::time::Instant::now();
        let text = |salt: usize| (0..200_000).map(|n| format!("{:x} ", n * 2_654_435_761 + salt)).collect::<String>();
        check(&text(1), &text(2));
        check(&"a b ".repeat(100_000), &"b a c ".repeat(100_000));
        assert!(begun.elapsed().as_secs() < 60);
    }

    proptest! {
        #[test]
        fn equal_stretches_are_equal_and_all_is_covered(
            source in "[a-c ,\\n1é]{0,60}|\\PC{0,30}",
            output in "[a-c ,\\n1é]{0,60}|\\PC{0,30}",
        ) {
            check(&source, &output);
        }

        #[test]
        fn one_replaced_word_is_one_change(words in proptest::collection::btree_set("[a-z]{2,8}", 12..80), at in 0usize..80) {
            // Of equal neighbours nobody can say which one was replaced.
            let words: Vec<_> = words.into_iter().collect();
            let at = at % words.len();
            let mut others = words.clone();
            others[at] = "QX".to_owned();
            let (source, output) = (words.join(" "), others.join(" "));
            prop_assert_eq!(shown(&source, &output), [(words[at].as_str(), "QX")]);
            let place = output.find("QX").unwrap();
            let alignment = check(&source, &output);
            prop_assert_eq!(alignment.source_of(&(place..place + 2)), (place..place + words[at].len(), false));
        }
    }
}
