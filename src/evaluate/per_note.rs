//! How errors spread over the notes, and over the types of notes (Murugadoss et al. 2021, Table 5).
//!
//! ```text
//! missed tokens   0     1    2    3   4   5   6–10   >10
//! notes         912    61   14    6   3   1      2     1
//! ```

use std::ops::AddAssign;

use super::Counts;

/// Notes by how many errors of one sort each has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ErrorsPerNote {
    /// Notes with as many errors as [`ErrorsPerNote::BINS`] says.
    pub notes: [u64; 8],
}

impl ErrorsPerNote {
    /// The numbers of errors that the counts of [`ErrorsPerNote::notes`] stand for.
    pub const BINS: [&'static str; 8] = ["0", "1", "2", "3", "4", "5", "6-10", ">10"];

    pub(super) fn of_note(errors: u64) -> Self {
        let bin = match errors {
            0..=5 => errors as usize,
            6..=10 => 6,
            _ => 7,
        };
        let mut notes = [0; 8];
        notes[bin] = 1;
        Self { notes }
    }
}

impl AddAssign for ErrorsPerNote {
    fn add_assign(&mut self, other: Self) {
        self.notes.iter_mut().zip(other.notes).for_each(|(total, notes)| *total += notes);
    }
}

/// The scores of the notes of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoteTypeScores {
    /// How many there are.
    pub notes: u64,
    /// Notes of which something was missed: at least one gold token that no prediction covers.
    pub notes_with_misses: u64,
    /// Tokens that are part of an identifier, of whatever label.
    pub binary_token: Counts,
}

impl AddAssign for NoteTypeScores {
    fn add_assign(&mut self, other: Self) {
        self.notes += other.notes;
        self.notes_with_misses += other.notes_with_misses;
        self.binary_token += other.binary_token;
    }
}

/// How many decoys were taken for identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Decoys {
    /// Decoys that gold marks.
    pub marked: u64,
    /// Of these, how many have a token that a prediction covers and that belongs to no gold identifier.
    pub scrubbed: u64,
}

impl Decoys {
    /// The share that was scrubbed; none where none is marked.
    pub fn rate(&self) -> Option<f64> {
        self.counts().recall()
    }

    /// As counts whose recall is the rate.
    pub(super) const fn counts(&self) -> Counts {
        Counts {
            true_positives: self.scrubbed,
            false_positives: 0,
            false_negatives: self.marked.saturating_sub(self.scrubbed),
        }
    }
}

impl AddAssign for Decoys {
    fn add_assign(&mut self, other: Self) {
        self.marked += other.marked;
        self.scrubbed += other.scrubbed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins() {
        let mut all = ErrorsPerNote::default();
        for errors in [0, 0, 1, 5, 6, 10, 11, u64::MAX] {
            all += ErrorsPerNote::of_note(errors);
        }
        assert_eq!(all.notes, [2, 1, 0, 0, 0, 1, 2, 2]);
    }

    #[test]
    fn decoys_without_any_have_no_rate() {
        assert_eq!(Decoys::default().rate(), None);
        assert_eq!(Decoys { marked: 4, scrubbed: 1 }.rate(), Some(0.25));
    }
}
