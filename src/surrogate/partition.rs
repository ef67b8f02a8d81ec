//! A list cut into cells, whose entries move from group to group by a keyed rule.
//!
//! ```text
//! group S ┬ origin A: smith sullivan …          φ(S) = H ┬ origin A: harris hughes …
//!         └ origin B: sanchez santos …    ─────▶         └ origin B: hernandez herrera …
//! ```
//!
//! An entry goes to the same sub-group of the image of its group, at a keyed rank of its frequency band there: entries of which the
//! commonest is at most half as common again as the rarest, and four at least. Where the other cell is smaller, what is left over goes to free places in other cells of the target group, and what is left
//! over then is numbered, for a surrogate to be composed. So no two entries share an image.

use super::permutation::{Draw, Randomness};

/// A band ends where an entry is rarer than its first one by more than this factor, as a fraction: ranks are permuted within their
/// band, so that common entries become common ones and rare ones rare.
const BAND_FACTOR: (u64, u64) = (3, 2);
/// Entries of a band at least: where few are as common as the first, it goes on.
const SMALLEST_BAND: usize = 4;

/// Entries of a list, by group and sub-group, in order of falling frequency.
pub(super) struct Partition {
    subgroups: usize,
    /// The rank at which every cell has an edge between bands, so that the entries before it stay among themselves; 0 for none.
    edge: usize,
    cells: Vec<Cell>,
}

/// The entries of one group and sub-group.
#[derive(Clone, Default)]
struct Cell {
    entries: Vec<u32>,
    /// The rank of each band's first entry.
    bands: Vec<u32>,
    /// How common the first entry of the last band is.
    commonest: u32,
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
    /// A partition without entries. The first `edge` entries of each cell will become the first ones of another.
    pub(super) fn new(groups: usize, subgroups: usize, edge: usize) -> Self {
        Self { subgroups, edge, cells: vec![Cell::default(); groups * subgroups] }
    }

    /// Adds an entry at the end of its cell; says where it stands. A group or sub-group out of range is the last.
    ///
    /// `count` is how common it is, by which bands are cut: bearers, inhabitants. Entries come in order of falling counts.
    pub(super) fn push(&mut self, group: usize, subgroup: usize, entry: u32, count: u32) -> Position {
        let subgroup = subgroup.min(self.subgroups - 1);
        let last = self.cells.len() / self.subgroups - 1;
        let group = group.min(last);
        let cell = &mut self.cells[group * self.subgroups + subgroup];
        cell.push(entry, count, self.edge);
        Position { group: group as u8, subgroup: subgroup as u8, rank: cell.entries.len() as u32 - 1 }
    }

    /// The number of entries of a group.
    pub(super) fn group_len(&self, group: usize) -> usize {
        (0..self.subgroups).map(|subgroup| self.cell(group, subgroup).len()).sum()
    }

    /// The entry at a position.
    pub(super) fn entry(&self, position: Position) -> Option<u32> {
        let cell = self.cell(usize::from(position.group), usize::from(position.subgroup));
        cell.get(position.rank as usize).copied()
    }

    fn cell(&self, group: usize, subgroup: usize) -> &[u32] {
        self.cells.get(group * self.subgroups + subgroup).map_or(&[], |cell| cell.entries.as_slice())
    }

    /// The frequency band of a rank: where it begins and where it ends.
    fn band(&self, group: usize, subgroup: usize, rank: usize) -> (usize, usize) {
        self.cells.get(group * self.subgroups + subgroup).map_or((0, 0), |cell| cell.band(rank, self.edge))
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
            let (start, end) = self.band(group, subgroup, image.rank as usize);
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
        let (start, end) = self.band(group, subgroup, rank);
        let draw = rank_draw(randomness, purpose, group, subgroup, start);
        let moved = randomness.permute(&draw, (end - start) as u128, (rank - start) as u128) as usize;
        cell[start + moved]
    }

    /// An entry that stays in its group moves to another rank of its band.
    fn at_other_rank(&self, randomness: &Randomness, purpose: &str, from: Position) -> u32 {
        let (group, subgroup, rank) = (usize::from(from.group), usize::from(from.subgroup), from.rank as usize);
        let cell = self.cell(group, subgroup);
        let (start, end) = self.band(group, subgroup, rank);
        let draw = rank_draw(randomness, purpose, group, subgroup, start);
        cell[start + randomness.displace(&draw, (end - start) as u128, (rank - start) as u128) as usize]
    }

    /// The rank that the keyed permutation takes to a position.
    fn rank_before(&self, randomness: &Randomness, purpose: &str, image: Position) -> usize {
        let (group, subgroup, rank) = (usize::from(image.group), usize::from(image.subgroup), image.rank as usize);
        let (start, end) = self.band(group, subgroup, rank);
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

impl Cell {
    fn push(&mut self, entry: u32, count: u32, edge: usize) {
        let rank = self.entries.len();
        let begun = self.bands.last().map_or(0, |&start| start as usize);
        let rarer = u64::from(count) * BAND_FACTOR.0 < u64::from(self.commonest) * BAND_FACTOR.1;
        let before_edge = rank < edge && rank + SMALLEST_BAND > edge;
        if rank == 0 || rank == edge || (rarer && rank - begun >= SMALLEST_BAND && !before_edge) {
            self.bands.push(rank as u32);
            self.commonest = count;
        }
        self.entries.push(entry);
    }

    /// A last band that is too small belongs to the one before it.
    fn band(&self, rank: usize, edge: usize) -> (usize, usize) {
        let len = self.entries.len();
        let bands = match self.bands.as_slice() {
            [before @ .., last]
                if !before.is_empty() && len < *last as usize + SMALLEST_BAND && *last as usize != edge =>
            {
                before
            }
            all => all,
        };
        let next = bands.partition_point(|&start| start as usize <= rank);
        let start = next.checked_sub(1).map_or(0, |index| bands[index] as usize);
        (start, bands.get(next).map_or(len, |&end| end as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_entries_share_an_image() {
        let mut partition = Partition::new(2, 3, 10);
        let mut positions = Vec::new();
        let mut entry = 0;
        for (group, subgroup, count) in [(0, 0, 700), (0, 1, 30), (0, 2, 90), (1, 0, 100), (1, 1, 400), (1, 2, 91)] {
            for rank in 0..count {
                positions.push(partition.push(group, subgroup, entry, 100_000 / (rank + 1)));
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
    fn bands_cover_a_cell_without_gaps_and_hold_what_is_alike() {
        for (len, edge) in [(1, 0), (3, 0), (31, 0), (31, 24), (25, 24), (70, 24), (600, 0), (20_000, 24)] {
            let mut cell = Cell::default();
            let counts: Vec<u32> = (0..len as u32).map(|rank| 1_000_000 / (rank + 1)).collect();
            counts.iter().for_each(|&count| cell.push(0, count, edge));
            let mut at = 0;
            while at < len {
                let (start, end) = cell.band(at, edge);
                assert!(start == at && end > at && end <= len && !(start < edge && edge < end));
                assert!(
                    end - start >= SMALLEST_BAND || len < 2 * SMALLEST_BAND || start == edge,
                    "{start} {end} {len}"
                );
                // Beyond the smallest size all are nearly as common as the first; what joins the last band, or the one before the edge,
                // may be rarer.
                let alike = counts[end - 1] as f64 * 1.51 >= counts[start] as f64;
                assert!(alike || end == edge || end - start < 2 * SMALLEST_BAND, "{start} {end} of {len}");
                assert!((start..end).all(|rank| cell.band(rank, edge) == (start, end)));
                at = end;
            }
        }
    }
}
