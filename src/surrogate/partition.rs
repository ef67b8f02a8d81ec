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

use super::permutation::{Draw, Randomness};

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
            let moved = if group == target {
                self.at_other_rank(randomness, purpose, from)
            } else {
                self.at_keyed_rank(randomness, purpose, target, subgroup, rank)
            };
            return Image::Entry(moved);
        }
        let left_over = (0..subgroup).map(|index| self.surplus(group, target, index)).sum::<usize>() + rank - reached;
        match self.free_place(group, target, left_over) {
            Ok((other, rank)) => Image::Entry(self.at_keyed_rank(randomness, purpose, target, other, rank)),
            Err(left_over) => Image::Composed(left_over as u32),
        }
    }

    /// Whence an entry comes that stands at a position of the group to which `source` goes; nothing where none goes there.
    pub(super) fn origin(&self, randomness: &Randomness, purpose: &str, image: Position, source: u8) -> Option<u32> {
        let (group, target) = (usize::from(source), usize::from(image.group));
        let subgroup = usize::from(image.subgroup);
        let own = self.cell(group, subgroup);
        if group == target {
            let (start, end) = band(own.len(), image.rank as usize);
            let draw = rank_draw(randomness, purpose, group, subgroup, start);
            let rank = randomness.restore(&draw, (end - start) as u128, (image.rank as usize - start) as u128) as usize;
            return own.get(start + rank).copied();
        }
        let rank = self.rank_before(randomness, purpose, image);
        if let Some(&entry) = own.get(rank) {
            return Some(entry);
        }
        let earlier = (0..subgroup).map(|index| self.surplus(target, group, index)).sum::<usize>();
        self.left_over_entry(group, target, earlier + rank - own.len())
    }

    /// The entry of `source` to which the composed name of this number belongs; nothing where it has fewer.
    pub(super) fn origin_of_composed(&self, source: u8, target: u8, number: u32) -> Option<u32> {
        let (group, target) = (usize::from(source), usize::from(target));
        let free: usize = (0..self.subgroups).map(|index| self.surplus(target, group, index)).sum();
        self.left_over_entry(group, target, free + number as usize)
    }

    /// How many more entries a sub-group has in one group than in another.
    fn surplus(&self, group: usize, other: usize, subgroup: usize) -> usize {
        self.cell(group, subgroup).len().saturating_sub(self.cell(other, subgroup).len())
    }

    /// The sub-group and rank of the free place of a number in `target`; what is left of the number where there are fewer.
    fn free_place(&self, group: usize, target: usize, mut number: usize) -> Result<(usize, usize), usize> {
        for subgroup in 0..self.subgroups {
            let free = self.surplus(target, group, subgroup);
            if number < free {
                return Ok((subgroup, self.cell(group, subgroup).len() + number));
            }
            number -= free;
        }
        Err(number)
    }

    /// The entry of a number among those of `group` that find no place in their own sub-group of `target`.
    fn left_over_entry(&self, group: usize, target: usize, mut number: usize) -> Option<u32> {
        for subgroup in 0..self.subgroups {
            let surplus = self.surplus(group, target, subgroup);
            if number < surplus {
                return self.cell(group, subgroup).get(self.cell(target, subgroup).len() + number).copied();
            }
            number -= surplus;
        }
        None
    }

    /// How many entries of a group find no place in another, and how many places of that are left free.
    pub(super) fn balance(&self, group: u8, target: u8) -> (usize, usize) {
        let (from, to) = (self.group_len(usize::from(group)), self.group_len(usize::from(target)));
        (from.saturating_sub(to), to.saturating_sub(from))
    }

    /// The entry of this number among those of `group` that find no place in `target`.
    pub(super) fn homeless(&self, group: u8, target: u8, number: usize) -> Option<u32> {
        self.origin_of_composed(group, target, number as u32)
    }

    /// The entry at the free place of this number in `target`, after all of `group` have come.
    pub(super) fn vacancy(
        &self,
        randomness: &Randomness,
        purpose: &str,
        group: u8,
        target: u8,
        number: usize,
    ) -> Option<u32> {
        let (from, to) = (usize::from(group), usize::from(target));
        let surplus: usize = (0..self.subgroups).map(|index| self.surplus(from, to, index)).sum();
        let (subgroup, rank) = self.free_place(from, to, surplus + number).ok()?;
        Some(self.at_keyed_rank(randomness, purpose, to, subgroup, rank))
    }

    /// The number of a position among the places that stay free in its group after all of `source` have come.
    pub(super) fn vacancy_number(
        &self,
        randomness: &Randomness,
        purpose: &str,
        image: Position,
        source: u8,
    ) -> Option<usize> {
        let (from, to) = (usize::from(source), usize::from(image.group));
        let subgroup = usize::from(image.subgroup);
        let rank = self.rank_before(randomness, purpose, image);
        let earlier: usize = (0..subgroup).map(|index| self.surplus(to, from, index)).sum();
        let surplus: usize = (0..self.subgroups).map(|index| self.surplus(from, to, index)).sum();
        (earlier + rank.checked_sub(self.cell(from, subgroup).len())?).checked_sub(surplus)
    }

    fn at_keyed_rank(&self, randomness: &Randomness, purpose: &str, group: usize, subgroup: usize, rank: usize) -> u32 {
        let cell = self.cell(group, subgroup);
        let (start, end) = band(cell.len(), rank);
        let draw = rank_draw(randomness, purpose, group, subgroup, start);
        let moved = randomness.permute(&draw, (end - start) as u128, (rank - start) as u128) as usize;
        cell[start + moved]
    }

    /// An entry that stays in its group moves to another rank of its band.
    fn at_other_rank(&self, randomness: &Randomness, purpose: &str, from: Position) -> u32 {
        let (group, subgroup, rank) = (usize::from(from.group), usize::from(from.subgroup), from.rank as usize);
        let cell = self.cell(group, subgroup);
        let (start, end) = band(cell.len(), rank);
        let draw = rank_draw(randomness, purpose, group, subgroup, start);
        cell[start + randomness.displace(&draw, (end - start) as u128, (rank - start) as u128) as usize]
    }

    /// The rank that the keyed permutation takes to a position.
    fn rank_before(&self, randomness: &Randomness, purpose: &str, image: Position) -> usize {
        let (group, subgroup, rank) = (usize::from(image.group), usize::from(image.subgroup), image.rank as usize);
        let (start, end) = band(self.cell(group, subgroup).len(), rank);
        let draw = rank_draw(randomness, purpose, group, subgroup, start);
        start + randomness.unpermute(&draw, (end - start) as u128, (rank - start) as u128) as usize
    }
}

fn rank_draw(randomness: &Randomness, purpose: &str, group: usize, subgroup: usize, start: usize) -> Draw {
    let mut input = [0; 10];
    input[..2].copy_from_slice(&[group as u8, subgroup as u8]);
    input[2..].copy_from_slice(&(start as u64).to_be_bytes());
    randomness.draw(purpose, &input)
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
                assert_eq!(images.len(), from.clone().count());
                for &from in from {
                    let back = match partition.image(&randomness, "test", from, 1 - group) {
                        Image::Entry(entry) => partition.origin(&randomness, "test", positions[entry as usize], group),
                        Image::Composed(number) => partition.origin_of_composed(group, 1 - group, number),
                    };
                    assert_eq!(back.map(|entry| positions[entry as usize]), Some(from));
                }
                assert_eq!(images.iter().any(|image| image.starts_with("Composed")), group == 0);
                for (entry, &from) in positions.iter().enumerate().filter(|(_, position)| position.group == group) {
                    let Image::Entry(moved) = partition.image(&randomness, "test", from, group) else { unreachable!() };
                    assert_ne!(moved as usize, entry);
                    let back = partition.origin(&randomness, "test", positions[moved as usize], group);
                    assert_eq!(back, Some(entry as u32));
                }
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
