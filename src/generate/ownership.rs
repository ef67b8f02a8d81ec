//! Which patient a note belongs to, and the how-manieth of that patient's notes it is.
//!
//! ```text
//! notes in order of patients:  |······ the busiest patient ······|··· the next ···|··|·|·|·|
//! note 4711 ──shuffled──▶                                  ×          ordinal 3 of the next one
//! ```
//! A few patients have very many notes and most have few: the first `k` of `n` hold a share of `(k/n)^SKEW`.

use super::random::permute;

const SKEW: f64 = 0.6;
/// Flattens the head, so that no patient has more than some thousandths of all notes.
const HEAD: f64 = 0.002;

/// Where a note stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Index of the patient.
    pub patient: u64,
    /// How many notes of the patient come before it.
    pub ordinal: u64,
    /// How many notes the patient has.
    pub of: u64,
    /// How many notes all patients before this one have, in order of busyness.
    pub before: u64,
}

/// The place of a note; the answer for a note out of range is that of the last note.
pub(super) fn place(note: u64, notes: u64, patients: u64, seed: u64) -> Place {
    let (notes, patients) = (notes.max(1), patients.max(1));
    let position = permute(note.min(notes - 1), notes, seed ^ 0x4e4f);
    let first = |rank: u64| first_note(rank, notes, patients);
    // The inverse of the share is only as exact as floating point: step to the rank that holds the position.
    let mut rank = inverse(position as f64 / notes as f64, patients).min(patients - 1);
    while rank > 0 && first(rank) > position {
        rank -= 1;
    }
    while rank + 1 < patients && first(rank + 1) <= position {
        rank += 1;
    }
    let before = first(rank);
    Place {
        patient: permute(rank, patients, seed ^ 0x5054),
        ordinal: position - before,
        of: first(rank + 1) - before,
        before,
    }
}

fn first_note(rank: u64, notes: u64, patients: u64) -> u64 {
    if rank >= patients {
        return notes;
    }
    let low = HEAD.powf(SKEW);
    let share = ((rank as f64 / patients as f64 + HEAD).powf(SKEW) - low) / ((1.0 + HEAD).powf(SKEW) - low);
    ((share * notes as f64) as u64).min(notes)
}

fn inverse(share: f64, patients: u64) -> u64 {
    let low = HEAD.powf(SKEW);
    let rank = (share * ((1.0 + HEAD).powf(SKEW) - low) + low).powf(1.0 / SKEW) - HEAD;
    (rank.max(0.0) * patients as f64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn every_note_has_one_place() {
        for (notes, patients) in [(1, 1), (1000, 100), (50, 500), (5000, 1)] {
            let mut of: HashMap<u64, (u64, Vec<u64>)> = HashMap::new();
            for note in 0..notes {
                let place = place(note, notes, patients, 9);
                assert!(place.patient < patients && place.ordinal < place.of);
                let entry = of.entry(place.patient).or_insert((place.of, Vec::new()));
                assert_eq!(entry.0, place.of);
                entry.1.push(place.ordinal);
            }
            for (count, mut ordinals) in of.into_values() {
                ordinals.sort_unstable();
                assert!(ordinals.into_iter().eq(0..count));
            }
        }
    }

    #[test]
    fn a_few_patients_have_many_notes() {
        let mut counts = vec![0u64; 1000];
        for note in 0..20_000 {
            counts[place(note, 20_000, 1000, 3).patient as usize] += 1;
        }
        counts.sort_unstable();
        assert!(counts[999] > 60 && counts[500] < 20, "{} {}", counts[999], counts[500]);
    }
}
