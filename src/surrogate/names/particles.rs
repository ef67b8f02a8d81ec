//! Names that are titles, particles or degrees as well: `Le`, `Do`, `Ma`, `Judge`.
//!
//! ```text
//! listed names in L ─▶ 9 of 12 names in C ┐
//! Le, Lady                                └▶ 2 of the 3 that no other name becomes, of like length
//! ```
//!
//! No surrogate of a listed name is such a word, so they are not among the listed names. Where more names begin with the target letter
//! than with their own, they become some that are left over; elsewhere short composed words, which nothing else becomes either.

use super::{KINDS, Names};
use crate::surrogate::casing::fold;
use crate::surrogate::composed::{compose, names_of};
use crate::surrogate::lists::first_letter;
use crate::surrogate::special_words::is_special;
use crate::surrogate::tables::Tables;

/// Letters of a short name at most, and of a longer one that may stand for a longer one.
const SHORT: usize = 4;
const LONG: usize = 8;
/// How many names of a kind are looked at.
const MOST_TRIED: usize = 2_000;

impl Names<'_> {
    /// What a name becomes that is also a particle or the like; nothing for other words.
    pub(super) fn of_particle(&self, folded: &str, target: u8) -> Option<String> {
        let source = first_letter(folded)?;
        let short = folded.len() <= SHORT;
        let alike = Tables::shared().particles.get(usize::from(source))?;
        let number = alike.iter().filter(|name| (name.len() <= SHORT) == short).position(|name| *name == folded)?;
        let left_over = self.left_over(source, target, short).nth(number).map(str::to_owned);
        left_over.or_else(|| self.short_composed(target, number + if short { 0 } else { alike.len() }))
    }

    /// The name of this first letter that is also a particle and became a folded name.
    pub(super) fn particle_before(&self, folded: &str, source: u8, target: u8) -> Option<String> {
        let alike = Tables::shared().particles.get(usize::from(source))?;
        let became = |name: &&&str| self.of_particle(name, target).is_some_and(|image| fold(&image) == folded);
        alike.iter().find(became).map(|name| (*name).to_owned())
    }

    /// Listed names that no listed name of the source letter becomes: surnames first.
    fn left_over(&self, source: u8, target: u8, short: bool) -> impl Iterator<Item = &'static str> {
        let tables = Tables::shared();
        let entries = tables.names.iter().zip(KINDS).rev().flat_map(move |(names, purpose)| {
            let (_, free) = names.balance(source, target);
            (0..free.min(MOST_TRIED))
                .filter_map(move |number| names.vacancy(self.randomness, purpose, source, target, number))
        });
        let fits =
            move |name: &&str| if short { name.len() <= SHORT } else { (SHORT + 1..=LONG).contains(&name.len()) };
        entries.filter_map(move |entry| tables.name_list.get(entry as usize).copied()).filter(fits)
    }

    /// A composed word of a syllable and an ending, that differs from a listed name in the first letter alone: what is so written and
    /// not listed becomes longer words itself.
    fn short_composed(&self, target: u8, number: usize) -> Option<String> {
        let (tables, all) = (Tables::shared(), names_of(1));
        let draw = self.randomness.draw("short composed names", b"");
        let words = (0..all).map(|step| compose(target, self.randomness.permute(&draw, all, step), 1));
        let free = |word: &String| {
            let rest = word.get(1..).and_then(|rest| tables.rest(rest));
            tables.name(word).is_none() && rest.is_some() && word.len() <= LONG && !is_special(word)
        };
        words.filter(free).nth(number)
    }
}
