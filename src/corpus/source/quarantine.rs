//! Rows that cannot be de-identified: kept out of the output, written down with the reason, counted.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

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
pub struct Quarantine(Mutex<Rows>);

#[derive(Debug, Default)]
struct Rows {
    refused: Vec<Refused>,
    /// How many of each unit.
    of_units: HashMap<usize, u64>,
}

impl Quarantine {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a refused row.
    pub fn push(&self, refused: Refused) {
        let mut rows = self.rows();
        *rows.of_units.entry(refused.unit).or_default() += 1;
        rows.refused.push(refused);
    }

    /// How many rows of a unit were refused so far.
    pub fn of_unit(&self, unit: usize) -> u64 {
        self.rows().of_units.get(&unit).copied().unwrap_or_default()
    }

    /// Everything refused so far, in input order.
    pub fn take(&self) -> Vec<Refused> {
        let mut refused = std::mem::take(&mut *self.rows()).refused;
        refused.sort_by_key(|row| (row.unit, row.row));
        refused
    }
}
