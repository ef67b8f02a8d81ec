//! Rows that cannot be de-identified: kept out of the output, written down with the reason, counted.

use std::sync::Mutex;

/// A refused row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The unit it stands in.
    pub unit: usize,
    /// Its place in the unit, from 0: the row of a Parquet part, the line of a JSON Lines file.
    pub row: u64,
    /// The column at fault; none where the whole line is.
    pub column: Option<String>,
    /// Why, without a word of its content.
    pub reason: &'static str,
}

/// Collects refused rows from every worker of a stage.
#[derive(Debug, Default)]
pub struct Quarantine(Mutex<Vec<Refused>>);

impl Quarantine {
    /// Notes a refused row.
    pub fn push(&self, refused: Refused) {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(refused);
    }

    /// How many rows of a unit were refused so far.
    pub fn of_unit(&self, unit: usize) -> u64 {
        let refused = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        refused.iter().filter(|row| row.unit == unit).count() as u64
    }

    /// Everything refused so far, in input order.
    pub fn take(&self) -> Vec<Refused> {
        let mut refused = std::mem::take(&mut *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        refused.sort_by_key(|row| (row.unit, row.row));
        refused
    }
}
