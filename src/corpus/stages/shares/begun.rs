//! The files that the tasks of a run began with. Notes that arrive while tasks are under way, or before a lost one is run again, are another run's.
//!
//! ```text
//! EXCHANGE/<run>/notes.json                    ["day=1/a.parquet", "day=1/b.parquet"]
//! task 3, later: a.parquet, b.parquet, late.parquet ─▶ a.parquet, b.parquet, where that makes the run the others have begun
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use super::TaskOptions;
use super::exchange::run_folder;
use crate::corpus::columns::unreadable;
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::Result;
use crate::corpus::output::{Group, group_of_lease};
use crate::corpus::source::Source;
use crate::corpus::stages::{Prepared, RunOptions};
use crate::corpus::store::Location;

/// In the folder of a run in its exchange; as confidential as that, for names of files may tell of patients.
const NOTES: &str = "notes.json";

/// The paths of the files of notes, below their location.
fn files_of(source: &Source) -> BTreeSet<String> {
    source.units.iter().map(|unit| source.location.path_below(&unit.file)).collect()
}

/// Remembers in the folder of a run what it reads, unless another task has.
///
/// # Errors
/// [`CorpusError::Output`](crate::corpus::CorpusError::Output) where that cannot be written.
pub(super) async fn remember(run: &Location, source: &Source) -> Result<()> {
    let notes = run.join(NOTES);
    match notes.read_if_there().await? {
        Some(_) => Ok(()),
        None => notes.write(serde_json::to_string(&files_of(source)).unwrap_or_default()).await,
    }
}

/// What is prepared, with fewer files of notes where the other tasks have begun without the rest; `exchange` is what tells theirs from others.
///
/// # Errors
/// Where the lease or the exchange cannot be read, and those of opening the notes.
pub(in crate::corpus::stages) async fn as_begun(
    prepared: Prepared,
    options: &RunOptions,
    task: &TaskOptions,
    exchange: &str,
    deidentifier: Arc<Deidentifier>,
) -> Result<Prepared> {
    let Some(group) = group_of_lease(&options.out).await? else { return Ok(prepared) };
    let are_others = group.of == task.of && group.exchange == exchange && group.job != prepared.job();
    let Some(files) = (if are_others { remembered(&task.exchange, &group).await? } else { None }) else {
        return Ok(prepared);
    };
    let there = files_of(&prepared.source);
    if files.is_empty() || !files.is_subset(&there) {
        return Ok(prepared);
    }
    let begun =
        Prepared::open(&options.job, Some(&options.out), deidentifier, options.second_pass, Some(&files)).await?;
    let files_left = (there.len() - files.len()) as u64;
    Ok(if begun.job() == group.job { Prepared { files_left, ..begun } } else { prepared })
}

async fn remembered(exchange: &Location, group: &Group) -> Result<Option<BTreeSet<String>>> {
    let notes = run_folder(exchange, &group.job, group.epoch).join(NOTES);
    let Some((content, _)) = notes.read_if_there().await? else { return Ok(None) };
    serde_json::from_slice(&content).map(Some).map_err(|_| unreadable("exchange"))
}
