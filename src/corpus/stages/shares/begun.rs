//! The files that the tasks of a run began with. Notes that arrive while tasks are under way, or before a lost one is run again, are another run's.
//!
//! ```text
//! EXCHANGE/<run>/notes.json                    {"files": ["a.parquet", "b.parquet"], "of": 2}
//! task 3, later: a.parquet, b.parquet, late.parquet ─▶ a.parquet, b.parquet, where that makes the run the others have begun
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::TaskOptions;
use super::exchange::run_folder;
use crate::corpus::columns::unreadable;
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::Result;
use crate::corpus::output::{Group, group_of_lease};
use crate::corpus::source::{Source, Unit, count_files};
use crate::corpus::stages::{Prepared, RunOptions};
use crate::corpus::store::Location;

/// In the folder of a run in its exchange; as confidential as that, for names of files may tell of patients.
const NOTES: &str = "notes.json";

/// The files that tasks have begun with.
#[derive(Serialize, Deserialize)]
struct Begun {
    /// Those that hold notes, by their paths below the location.
    files: BTreeSet<String>,
    /// How many there were, empty ones too.
    of: usize,
}

/// Remembers in the folder of a run what it reads, unless another task has.
///
/// # Errors
/// [`CorpusError::Output`](crate::corpus::CorpusError::Output) where that cannot be written, and where the notes cannot be listed.
pub(super) async fn remember(run: &Location, source: &Source) -> Result<()> {
    let notes = run.join(NOTES);
    if notes.read_if_there().await?.is_some() {
        return Ok(());
    }
    let files = source.units.iter().flat_map(Unit::files).map(|file| source.location.path_below(file)).collect();
    let begun = Begun { files, of: count_files(&source.location).await? };
    notes.write(serde_json::to_string(&begun).unwrap_or_default()).await
}

/// The job of the other tasks, prepared, where they have begun with files that are all there still; `exchange` is what tells theirs from others.
///
/// Files that have come since are not opened: they may have columns of their own.
///
/// # Errors
/// Where the lease, the exchange or the notes cannot be read.
pub(in crate::corpus::stages) async fn as_begun(
    options: &RunOptions,
    task: &TaskOptions,
    exchange: &str,
    deidentifier: &Arc<Deidentifier>,
) -> Result<Option<Prepared>> {
    let group = group_of_lease(&options.out).await?.filter(|group| group.of == task.of && group.exchange == exchange);
    let Some(group) = group else { return Ok(None) };
    let Some(Begun { files, of }) = remembered(&task.exchange, &group).await? else { return Ok(None) };
    let (out, deidentifier) = (Some(&options.out), Arc::clone(deidentifier));
    // Where these are other notes by now, what is there is opened instead, and says what is wrong.
    let Ok(begun) = Prepared::open(&options.job, out, deidentifier, options.second_pass, Some(&files)).await else {
        return Ok(None);
    };
    if begun.job() != group.job {
        return Ok(None);
    }
    let files_left = count_files(&options.job.notes).await?.saturating_sub(of) as u64;
    Ok(Some(Prepared { files_left, ..begun }))
}

async fn remembered(exchange: &Location, group: &Group) -> Result<Option<Begun>> {
    let notes = run_folder(exchange, &group.job, group.epoch).join(NOTES);
    let Some((content, _)) = notes.read_if_there().await? else { return Ok(None) };
    serde_json::from_slice(&content).map(Some).map_err(|_| unreadable("exchange"))
}
