//! What is read of a log.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::datatypes::{FieldRef, SchemaRef};
use futures::StreamExt;
use object_store::ObjectMeta;
use object_store::path::Path;

use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::{Location, is_temporary};

/// Where the log lies below a table.
const LOG: &str = "_delta_log";

/// A table.
#[derive(Debug)]
pub(in crate::corpus) struct DeltaTable {
    /// The columns in the files.
    #[cfg_attr(not(feature = "delta"), expect(dead_code, reason = "for tables that are read as such"))]
    pub(in crate::corpus) file_schema: SchemaRef,
    /// The columns that are not in the files, for all rows of a file have one value of them.
    pub(in crate::corpus) partitions: Vec<FieldRef>,
    /// The files, by path.
    pub(in crate::corpus) files: Vec<DeltaFile>,
}

/// A file of a table.
#[derive(Debug, Clone)]
pub(in crate::corpus) struct DeltaFile {
    /// The file in its store. What its log tells of it, not its store: a file of a table never changes.
    pub(in crate::corpus) object: ObjectMeta,
    /// Its value of each partition column, as text; none where it is null.
    pub(in crate::corpus) values: Vec<Option<String>>,
    /// The rows that are deleted, by their places in the file, in order.
    pub(in crate::corpus) deleted: Option<Arc<[u64]>>,
    /// How many rows the file has, those among them, where the log says so.
    #[cfg_attr(not(feature = "delta"), expect(dead_code, reason = "for tables that are read as such"))]
    pub(in crate::corpus) rows: Option<u64>,
}

/// Whether there is a log.
///
/// # Errors
/// [`CorpusError::Input`] where the store does not answer.
pub(in crate::corpus) async fn is_table(location: &Location) -> Result<bool> {
    if let Some(path) = location.local_path() {
        // A log without versions is one that cannot be read, not none.
        return Ok(path.join(LOG).symlink_metadata().is_ok());
    }
    has_log(location, location.path().clone()).await
}

async fn has_log(location: &Location, folder: Path) -> Result<bool> {
    let first = location.store().list(Some(&folder.join(LOG))).next().await.transpose();
    first.map(|first| first.is_some()).map_err(|error| CorpusError::store_input(location.uri(), &error))
}

/// Whether a file on this machine lies in a table once all links are followed. Folders that were looked at are not looked at again.
fn leads_into_table(file: &Path, looked_at: &mut HashSet<std::path::PathBuf>) -> bool {
    let Ok(file) = std::path::Path::new("/").join(file.as_ref()).canonicalize() else { return false };
    let Some(folder) = file.parent() else { return false };
    looked_at.insert(folder.to_owned()) && folder.ancestors().any(|folder| folder.join(LOG).symlink_metadata().is_ok())
}

/// Refuses to read as files what lies in a table or holds one: a location, or a pattern of files that begins with one.
///
/// # Errors
/// [`CorpusError::Input`] with the folder to name instead, or where the store does not answer.
pub(in crate::corpus) async fn refuse_files_of_tables(location: &Location) -> Result<()> {
    let refuse = |what: &str| {
        let reason = format!("{what}, whose log tells which of its files hold; name the folder of the table itself");
        Err(CorpusError::input(location.uri(), reason))
    };
    let is_pattern = |part: &str| part.contains(['*', '?', '[']);
    let parts: Vec<_> = location.path().parts().collect();
    let fixed = parts.iter().take_while(|part| !is_pattern(part.as_ref())).count();
    for depth in 0..=fixed {
        let folder: Path = parts[..depth].iter().cloned().collect();
        let is_table = match location.local_path() {
            Some(_) => std::path::Path::new("/").join(folder.as_ref()).join(LOG).symlink_metadata().is_ok(),
            // Who may read a folder need not be allowed to look into those above it.
            None => has_log(location, folder).await.unwrap_or(false),
        };
        if is_table {
            return refuse("it is, or lies in, a Delta table");
        }
    }
    let folder: Path = parts[..fixed].iter().cloned().collect();
    let is_log =
        |path: &Path| path.prefix_match(&folder).is_some_and(|mut below| below.any(|part| part.as_ref() == LOG));
    if location.local_path().is_some() && !std::path::Path::new("/").join(folder.as_ref()).is_dir() {
        return Ok(());
    }
    let mut below = location.store().list(Some(&folder));
    let mut looked_at = HashSet::new();
    while let Some(object) = below.next().await {
        match object {
            Ok(object) if is_log(&object.location) => return refuse("below it is a Delta table"),
            Ok(object) if location.local_path().is_some() && leads_into_table(&object.location, &mut looked_at) => {
                return refuse("a link below it leads into a Delta table");
            }
            Ok(_) => {}
            Err(error) if is_temporary(&error) => return Err(CorpusError::store_input(location.uri(), &error)),
            // One object can be read where nothing can be listed; more cannot.
            Err(_) => break,
        }
    }
    Ok(())
}
