//! Rows that cannot be de-identified: kept out of the output, written down with the reason, counted.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
pub struct Quarantine {
    rows: Mutex<Rows>,
    /// Whether nobody asks for them, so that whoever reads must be told.
    of_statement: bool,
}

#[derive(Debug, Default)]
struct Rows {
    refused: Vec<Refused>,
    /// How many of each unit.
    of_units: HashMap<usize, u64>,
}

impl Quarantine {
    /// That of one worker of a statement, which has no list of refused rows: how many there were is told when all are read.
    pub fn of_statement() -> Self {
        Self { of_statement: true, ..Self::default() }
    }

    /// One for each worker that reads for a statement, the same for all of a stage.
    pub(super) fn of_worker(self: &Arc<Self>) -> Arc<Self> {
        if self.of_statement { Arc::new(Self::of_statement()) } else { Arc::clone(self) }
    }

    /// Warns of the rows that a statement goes without, on the log or, where there is none, on standard error.
    pub(super) fn tell(&self, notes: &str) {
        let rows = self.rows().refused.len();
        if !self.of_statement || rows == 0 {
            return;
        }
        let reason = format!(
            "rows that cannot be read are left out of what is asked: {rows} of `{notes}`; `plainsight run` lists them, each with its reason"
        );
        match tracing::dispatcher::has_been_set() {
            true => tracing::warn!("{reason}"),
            // Standard error may be closed.
            false => drop(writeln!(std::io::stderr(), "warning: {reason}")),
        }
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
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
