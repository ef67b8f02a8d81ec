//! How the states of the country are exchanged for one patient, and where that leaves their places.
//!
//! ```text
//! Minnesota → Alabama      882 zip codes → 642, and 240 that find no place there
//! Hawaii    → Vermont       94 zip codes → 308, of which 214 stay free          … the 240 of all go to the 214 of all
//! ```
//!
//! All places of a list together are permuted, so that none is the image of two.

use super::lists::Places;
use super::partition::{Image, Position};
use super::permutation::{Direction, Randomness};
use super::tables::Tables;

/// Which list of places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Cities.
    Cities,
    /// Counties.
    Counties,
    /// Zip codes.
    Zips,
}

impl Side {
    const fn purpose(self) -> &'static str {
        ["cities", "counties", "zip codes"][self as usize]
    }
}

/// The exchange of the states of one patient.
pub(super) struct Exchange {
    states: Vec<u8>,
    back: Vec<u8>,
    balances: [Balance; 3],
}

/// Sums over the states before each: of places that find none, by their state, and of places left free, by theirs.
struct Balance {
    homeless: Vec<usize>,
    vacant: Vec<usize>,
}

impl Exchange {
    /// The keyed exchange of the states within classes of equal size; of none, where states are kept.
    pub(super) fn new(randomness: &Randomness, keep_states: bool) -> Self {
        let tables = Tables::shared();
        let mut states: Vec<u8> = (0..tables.states.len().min(256)).map(|state| state as u8).collect();
        let classes = if keep_states { &[][..] } else { &tables.state_classes };
        for (index, class) in classes.iter().enumerate() {
            let purpose = ["states 0", "states 1", "states 2", "states 3"].get(index).copied().unwrap_or("states");
            for (from, to) in class.iter().zip(randomness.derangement(purpose, class.len())) {
                states[usize::from(*from)] = class[usize::from(to)];
            }
        }
        let mut back = vec![0; states.len()];
        states.iter().zip(0..).for_each(|(&to, from)| back[usize::from(to)] = from);
        let balances =
            [&tables.cities, &tables.counties, &tables.zips].map(|places| Balance::new(places, &states, &back));
        Self { states, back, balances }
    }

    /// The state that one becomes, or that becomes it.
    pub(super) fn turn_state(&self, direction: Direction, state: u8) -> Option<u8> {
        let states = if direction == Direction::Forth { &self.states } else { &self.back };
        states.get(usize::from(state)).copied()
    }

    /// The entry that a place becomes.
    pub(super) fn image(&self, randomness: &Randomness, places: &Places, side: Side, from: Position) -> Option<u32> {
        let target = self.turn_state(Direction::Forth, from.group)?;
        match places.partition.image(randomness, side.purpose(), from, target) {
            Image::Entry(entry) => Some(entry),
            Image::Composed(number) => {
                let balance = &self.balances[side as usize];
                let number = balance.homeless[usize::from(from.group)] + number as usize;
                let Pair { number, other, swapped } = self.pair(randomness, places, side, number);
                self.vacancy(randomness, places, side, if swapped { other } else { number })
            }
        }
    }

    /// The entry that becomes a place.
    pub(super) fn origin(&self, randomness: &Randomness, places: &Places, side: Side, image: Position) -> Option<u32> {
        let source = self.turn_state(Direction::Back, image.group)?;
        if let Some(entry) = places.partition.origin(randomness, side.purpose(), image, source) {
            return Some(entry);
        }
        let balance = &self.balances[side as usize];
        let free = places.partition.vacancy_number(randomness, side.purpose(), image, source)?;
        let vacancy = balance.vacant[usize::from(image.group)] + free;
        let draw = randomness.draw("homeless places", side.purpose().as_bytes());
        let number = randomness.unpermute(&draw, balance.total() as u128, vacancy as u128) as usize;
        let Pair { number, other, swapped } = self.pair(randomness, places, side, number);
        self.homeless(places, side, if swapped { other } else { number })
    }

    /// Places without a home are numbered and go in pairs: where one of a pair would come to itself, the two change.
    fn pair(&self, randomness: &Randomness, places: &Places, side: Side, number: usize) -> Pair {
        let other = number ^ 1;
        if other >= self.balances[side as usize].total() {
            return Pair { number, other: number, swapped: false };
        }
        let stays = |number| self.homeless(places, side, number) == self.vacancy(randomness, places, side, number);
        Pair { number, other, swapped: stays(number) || stays(other) }
    }

    fn homeless(&self, places: &Places, side: Side, number: usize) -> Option<u32> {
        let sums = &self.balances[side as usize].homeless;
        let group = sums.partition_point(|&sum| sum <= number) - 1;
        let target = self.turn_state(Direction::Forth, group as u8)?;
        places.partition.homeless(group as u8, target, number - sums[group])
    }

    fn vacancy(&self, randomness: &Randomness, places: &Places, side: Side, number: usize) -> Option<u32> {
        let balance = &self.balances[side as usize];
        let draw = randomness.draw("homeless places", side.purpose().as_bytes());
        let number = randomness.permute(&draw, balance.total() as u128, number as u128) as usize;
        let group = balance.vacant.partition_point(|&sum| sum <= number) - 1;
        let source = self.turn_state(Direction::Back, group as u8)?;
        places.partition.vacancy(randomness, side.purpose(), source, group as u8, number - balance.vacant[group])
    }
}

struct Pair {
    number: usize,
    other: usize,
    swapped: bool,
}

impl Balance {
    fn new(places: &Places, states: &[u8], back: &[u8]) -> Self {
        let sums = |counts: Vec<usize>| {
            let mut sum = 0;
            let mut sums = vec![0];
            sums.extend(counts.into_iter().map(|count| {
                sum += count;
                sum
            }));
            sums
        };
        let homeless = states.iter().zip(0..).map(|(&to, from)| places.partition.balance(from, to).0).collect();
        let vacant = back.iter().zip(0..).map(|(&from, to)| places.partition.balance(from, to).1).collect();
        Self { homeless: sums(homeless), vacant: sums(vacant) }
    }

    fn total(&self) -> usize {
        self.homeless.last().copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_place_becomes_another_and_no_two_the_same() {
        let tables = Tables::shared();
        for (seed, keep_states) in [(1, false), (2, false), (3, true)] {
            let randomness = Randomness::new([seed; 32]);
            let exchange = Exchange::new(&randomness, keep_states);
            for (places, side) in
                [(&tables.cities, Side::Cities), (&tables.counties, Side::Counties), (&tables.zips, Side::Zips)]
            {
                let mut seen = HashSet::new();
                let mut stay = 0;
                for (entry, name) in places.list.iter().enumerate() {
                    let from = places.position(&crate::surrogate::lists::place_key(name)).unwrap();
                    let image = exchange.image(&randomness, places, side, from).unwrap();
                    assert!(seen.insert(image), "{name}");
                    stay += usize::from(image as usize == entry);
                    let name = places.list[image as usize];
                    let to = places.position(&crate::surrogate::lists::place_key(name)).unwrap();
                    assert_eq!(exchange.origin(&randomness, places, side, to), Some(entry as u32), "{name}");
                }
                // The only place of its state cannot become another of it.
                assert!(stay == 0 || keep_states && stay < 12, "{stay}");
            }
        }
    }
}
