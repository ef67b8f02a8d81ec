//! The kinds of notes, how frequent each is, and for whom it is written.
//!
//! ```text
//! Prenatal Visit | note_prenatal | 10 | pregnant | 0      name, rule, weight, whom, capitals of a thousand
//! ```

use std::sync::LazyLock;

use super::grammar::Grammar;
use super::random::Random;

/// One kind of note.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoteType {
    pub name: &'static str,
    pub rule: usize,
    weight: u64,
    whom: Whom,
    /// How many of a thousand are in capitals throughout.
    pub capitals: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whom {
    Anybody,
    Adult,
    Child,
    Pregnant,
}

static TYPES: LazyLock<Vec<NoteType>> =
    LazyLock::new(|| include_str!("data/types.txt").lines().filter_map(parse).collect());

/// The names of all kinds of notes.
pub fn note_types() -> Vec<&'static str> {
    TYPES.iter().map(|kind| kind.name).collect()
}

/// A kind of note that is written for a patient of this sex and age; none only if the table were empty.
pub(super) fn draw(female: bool, age: i64, random: &mut Random) -> Option<NoteType> {
    let fits = |kind: &&NoteType| match kind.whom {
        Whom::Anybody => true,
        Whom::Adult => age >= 18,
        Whom::Child => age < 18,
        Whom::Pregnant => female && (18..45).contains(&age),
    };
    let total: u64 = TYPES.iter().filter(fits).map(|kind| kind.weight).sum();
    let mut ticket = random.below(total);
    TYPES
        .iter()
        .filter(fits)
        .find(|kind| match ticket.checked_sub(kind.weight) {
            Some(rest) => {
                ticket = rest;
                false
            }
            None => true,
        })
        .copied()
}

fn parse(line: &'static str) -> Option<NoteType> {
    let mut fields = line.split('|').map(str::trim);
    let name = fields.next()?;
    let rule = Grammar::shared().find(fields.next()?)?;
    let weight = fields.next()?.parse().ok()?;
    let whom = match fields.next()? {
        "adult" => Whom::Adult,
        "child" => Whom::Child,
        "pregnant" => Whom::Pregnant,
        _ => Whom::Anybody,
    };
    Some(NoteType { name, rule, weight, whom, capitals: fields.next()?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_kind_of_note() {
        let lines = include_str!("data/types.txt")
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
            .count();
        assert_eq!(note_types().len(), lines);
        assert!(lines >= 25);
    }

    #[test]
    fn children_have_no_prenatal_visits() {
        let mut random = Random::of(&[5]);
        for _ in 0..2000 {
            assert_ne!(draw(true, 4, &mut random).unwrap().whom, Whom::Pregnant);
            assert_ne!(draw(true, 30, &mut random).unwrap().whom, Whom::Child);
        }
    }
}
