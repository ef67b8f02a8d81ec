//! What lies at the place of an output: whose it is, and whether the parts that are named are there.

use std::collections::{BTreeMap, BTreeSet};

use super::manifest::{MANIFEST, Manifest, PartRecord};
use super::{OWN, RECORDS, SUCCESS};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;
use crate::corpus::warehouse;

/// The record of a finished part, by its place in the output.
pub(super) fn record_name(number: u64) -> String {
    format!("{RECORDS}/part-{number:06}.json")
}

/// Whether a file of an output is one that plainsight writes: `_SUCCESS`, its own, or a part below folders of partitions.
pub(super) fn is_ours(file: &str) -> bool {
    let (folders, name) = file.rsplit_once('/').unwrap_or(("", file));
    let number = name.strip_prefix("part-").and_then(|name| name.split_once('.'));
    let is_part = number.is_some_and(|(number, ending)| {
        number.len() >= 6 && number.bytes().all(|byte| byte.is_ascii_digit()) && ["parquet", "jsonl"].contains(&ending)
    });
    let in_partitions = folders.is_empty() || folders.split('/').all(|folder| folder.contains('='));
    file == SUCCESS || file.starts_with(&format!("{OWN}/")) || is_part && in_partitions
}

pub(super) async fn refuse_foreign(location: &Location) -> Result<()> {
    match is_foreign(location).await? {
        true => Err(CorpusError::configuration(
            format!("there is something at `{}`, and it is no output of plainsight", location.uri()),
            "choose another --out",
        )),
        false => Ok(()),
    }
}

/// Whether there are files at a location, and none of them is ours. Folders without files are nobody's.
pub(super) async fn is_foreign(location: &Location) -> Result<bool> {
    let files = files(location).await?;
    // Files that are being written are not listed.
    let is_somebodys = !files.is_empty() || !location.leftovers()?.is_empty() && location.join(OWN).is_vacant().await?;
    Ok(is_somebodys && !has_own(&files))
}

/// Every file by its path in the output.
pub(super) async fn files(location: &Location) -> Result<BTreeSet<String>> {
    Ok(sizes(location).await?.into_keys().collect())
}

/// Every file by its path in the output, with its size.
pub(super) async fn sizes(location: &Location) -> Result<BTreeMap<String, u64>> {
    let files = location.list().await?;
    Ok(files.into_iter().map(|file| (location.path_below(&file.location), file.size)).collect())
}

/// Whether the file of a part is among these, of its size.
pub(super) fn is_there(part: &PartRecord, sizes: &BTreeMap<String, u64>) -> bool {
    part.name.as_ref().is_none_or(|name| sizes.get(name) == Some(&part.bytes))
}

/// How many of the parts that a manifest names are there, of their sizes, and how many are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) there: u64,
    pub(super) lost: u64,
    /// Rows of those that are there.
    pub(super) rows: u64,
}

impl Parts {
    pub(super) fn of(manifest: &Manifest, sizes: &BTreeMap<String, u64>) -> Self {
        let named = manifest.parts.iter().filter(|part| part.name.is_some());
        let (there, lost): (Vec<_>, Vec<_>) = named.partition(|part| is_there(part, sizes));
        let rows = there.iter().map(|part| part.rows).sum();
        Self { there: there.len() as u64, lost: lost.len() as u64, rows }
    }
}

/// What is said of an output of which parts are lost.
pub(super) fn damage(lost: u64, of: u64) -> String {
    let are = if lost == 1 { "is" } else { "are" };
    format!("{lost} of {of} parts {are} missing or of another size")
}

/// Whether files of a run are among these. What `generate` makes is marked in the same folder.
pub(super) fn has_own(files: &BTreeSet<String>) -> bool {
    let own = format!("{OWN}/");
    files.iter().any(|file| file.starts_with(&own)) && (files.contains(MANIFEST) || !files.contains(warehouse::MARK))
}
