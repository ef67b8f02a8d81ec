//! What is known by a hash, in files that are mapped and not held: the memory of a run does not grow with the corpus.
//!
//! ```text
//! counts      sentence ─▶ where it stands first, how often        for the texts of distinct sentences
//! sentences   sentence ─▶ its claims                              for the way back to notes; held in memory for a statement of SQL
//! cache       sentence ─▶ what a member once said of it           for the next run; one folder a member
//! patients    patient  ─▶ what the second pass looks for          for every note of the patient
//! ```

mod cache;
mod counts;
mod held;
mod judged;
mod patients;
mod sentences;
mod sorted;

pub use cache::{CacheReport, SpanCache};
pub use counts::{Count, CountIndex, CountIndexWriter};
pub use held::HeldClaims;
pub use judged::{encode_answer, read_answer};
pub use patients::{PatientDictionaries, PatientDictionariesWriter};
pub use sentences::{SentenceIndex, SentenceIndexWriter};
pub use sorted::{SortedFile, SortedWriter};

use std::path::PathBuf;

use super::error::{CorpusError, Result};
use super::store::Location;

/// The local place of an index: it is mapped, so it cannot lie in an object store.
pub(super) fn local(location: &Location) -> Result<PathBuf> {
    location.local_path().ok_or_else(|| {
        CorpusError::configuration(
            format!("`{}` is not on this machine", location.uri()),
            "let --work and --cache name local folders; only notes, patients and output may lie in an object store",
        )
    })
}
