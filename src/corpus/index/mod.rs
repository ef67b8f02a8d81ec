//! What is known by a hash, in files that are mapped and not held: the memory of a run does not grow with the corpus.
//!
//! ```text
//! counts      sentence ─▶ where it stands first, how often        for the texts of distinct sentences
//! sentences   sentence ─▶ its claims                              for the way back to notes
//! cache       sentence ─▶ what a member once said of it           for the next run; one folder a member
//! patients    patient  ─▶ what the second pass looks for          for every note of the patient
//! ```

mod cache;
mod counts;
mod judged;
mod patients;
mod sentences;
mod sorted;

pub use cache::{CacheReport, SpanCache};
pub use counts::{Count, CountIndex, CountIndexWriter};
pub use judged::{encode_answer, read_answer};
pub use patients::{PatientDictionaries, PatientDictionariesWriter};
pub use sentences::{SentenceIndex, SentenceIndexWriter};
pub use sorted::{SortedFile, SortedWriter};

use std::path::PathBuf;

use arrow::array::{Array, AsArray, RecordBatch};

use super::error::{CorpusError, Result};
use super::store::Location;
use crate::text::SentenceHash;

/// The local place of an index: it is mapped, so it cannot lie in an object store.
pub(super) fn local(location: &Location) -> Result<PathBuf> {
    location.local_path().ok_or_else(|| {
        CorpusError::configuration(
            format!("`{}` is not on this machine", location.uri()),
            "let --work and --cache name local folders; only notes, patients and output may lie in an object store",
        )
    })
}

fn unreadable(table: &'static str) -> CorpusError {
    CorpusError::Accounting { reason: format!("the table `{table}` cannot be read") }
}

/// The keys of a batch: its column of 16 bytes.
pub(super) fn keys(batch: &RecordBatch, column: &str, table: &'static str) -> Result<Vec<u128>> {
    let hashes = batch.column_by_name(column).and_then(|column| column.as_fixed_size_binary_opt());
    let hashes = hashes.filter(|hashes| hashes.value_length() == 16).ok_or_else(|| unreadable(table))?;
    let key = |row| SentenceHash::try_from(hashes.value(row)).map(u128::from_be_bytes).map_err(|_| unreadable(table));
    (0..hashes.len()).map(key).collect()
}
