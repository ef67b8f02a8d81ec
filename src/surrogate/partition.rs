//! A list cut into cells, whose entries move from group to group by a keyed rule.
//!
//! ```text
//! group S ┬ origin A: smith sullivan …          φ(S) = H ┬ origin A: harris hughes …
//!         └ origin B: sanchez santos …    ─────▶         └ origin B: hernandez herrera …
//! ```
//!
//! An entry goes to the same sub-group of the image of its group, at a keyed rank of the same frequency band. Where the
//! other cell is smaller, what is left over goes to free places in other cells of the target group, and what is left
//! over then is numbered, for a surrogate to be composed. So no two entries share an image.

use super::permutation::Randomness;

/// Upper ends of the frequency bands: ranks are permuted within their band, so that common entries become common ones.
const BANDS: [usize; 5] = [16, 64, 512, 4_096, usize::MAX];
/// A last band with fewer entries than this joins the one before it.
const SMALLEST_BAND: usize = 16;

/// Entries of a list, by group and sub-group, in order of falling frequency.
pub(super) struct Partition {
    subgroups: usize,
    cells: Vec<Vec<u32>>,
}

/// Where an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub group: u8,
    pub subgroup: u8,
    pub rank: u32,
}

/// Where an entry goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Image {
    /// To another entry.
    Entry(u32),
    /// To a composed one, with this number among those of the group.
    Composed(u32),
}

impl Partition {
    /// A partition without entries.
    pub(super) fn new(groups: usize, subgroups: usize) -> Self {
        Self { subgroups, cells: vec![Vec::new(); groups * subgroups] }
    }

    /// Adds an entry at the end of its cell; says where it stands. A group or sub-group out of range is the last.
    pub(super) fn push(&mut self, group: usize, subgroup: usize, entry: u32) -> Position {
        let subgroup = subgroup.min(self.subgroups - 1);
        let last = self.cells.len() / self.subgroups - 1;
        let group = group.min(last);
        let cell = &mut self.cells[group * self.subgroups + subgroup];
        cell.push(entry);
        Position { group: group as u8, subgroup: subgroup as u8, rank: cell.len() as u32 - 1 }
    }

    /// The number of entries of a group.
    pub(super) fn group_len(&self, group: usize) -> usize {
        (0..self.subgroups).map(|subgroup| self.cell(group, subgroup).len()).sum()
    }

    fn cell(&self, group: usize, subgroup: usize) -> &[u32] {
        self.cells.get(group * self.subgroups + subgroup).map_or(&[], Vec::as_slice)
    }

    /// Where the entry at a position goes when its group goes to `target`.
    pub(super) fn image(&self, randomness: &Randomness, purpose: &str, from: Position, target: u8) -> Image {
        let (group, subgroup, target) = (usize::from(from.group), usize::from(from.subgroup), usize::from(target));
        let rank = from.rank as usize;
        let reached = self.cell(target, subgroup).len();
        if rank < reached {
            return self.at_keyed_rank(randomness, purpose, target, subgroup, rank);
        }
        let surplus = |index: usize| self.cell(group, index).len().saturating_sub(self.cell(target, index).len());
        let mut left_over = (0..subgroup).map(surplus).sum::<usize>() + rank - reached;
        for other in 0..self.subgroups {
            let taken = self.cell(group, other).len();
            let free = self.cell(target, other).len().saturating_sub(taken);
            if left_over < free {
                return self.at_keyed_rank(randomness, purpose, target, other, taken + left_over);
            }
            left_over -= free;
        }
        Image::Composed(left_over as u32)
    }

    fn at_keyed_rank(
        &self,
        randomness: &Randomness,
        purpose: &str,
        group: usize,
        subgroup: usize,
        rank: usize,
    ) -> Image {
        let cell = self.cell(group, subgroup);
        let (start, end) = band(cell.len(), rank);
        let mut input = [0; 10];
        input[..2].copy_from_slice(&[group as u8, subgroup as u8]);
        input[2..].copy_from_slice(&(start as u64).to_be_bytes());
        let draw = randomness.draw(purpose, &input);
        let moved = randomness.permute(&draw, (end - start) as u128, (rank - start) as u128) as usize;
        Image::Entry(cell[start + moved])
    }
}

/// The frequency band of a rank in a cell of `len` entries.
fn band(len: usize, rank: usize) -> (usize, usize) {
    let mut start = 0;
    for end in BANDS {
        let end = if len.saturating_sub(end) < SMALLEST_BAND { len } else { end };
        if rank < end {
            return (start, end);
        }
        start = end;
    }
    (start, len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_entries_share_an_image() {
        let mut partition = Partition::new(2, 3);
        let mut positions = Vec::new();
        let mut entry = 0;
        for (group, subgroup, count) in [(0, 0, 700), (0, 1, 30), (0, 2, 90), (1, 0, 100), (1, 1, 400), (1, 2, 91)] {
            for _ in 0..count {
                positions.push(partition.push(group, subgroup, entry));
                entry += 1;
            }
        }
        for seed in 0..8 {
            let randomness = Randomness::new([seed; 32]);
            for group in 0..2 {
                let from = positions.iter().filter(|position| position.group == group);
                let images: HashSet<_> = from
                    .clone()
                    .map(|&from| format!("{:?}", partition.image(&randomness, "test", from, 1 - group)))
                    .collect();
                assert_eq!(images.len(), from.count());
                assert_eq!(images.iter().any(|image| image.starts_with("Composed")), group == 0);
            }
        }
    }

    #[test]
    fn bands_cover_a_cell_without_gaps() {
        for len in [1, 31, 64, 70, 95, 96, 600, 5_000, 20_000] {
            let mut at = 0;
            while at < len {
                let (start, end) = band(len, at);
                assert!(
                    start == at && end > at && end <= len && (end - start >= SMALLEST_BAND || len < 32 || start == 0)
                );
                at = end;
            }
        }
    }
}
