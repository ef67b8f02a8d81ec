//! A table as the newest version of its log has it.

use std::sync::Arc;

use arrow::array::AsArray;
use arrow::datatypes::{FieldRef, Schema};
use chrono::{DateTime, Utc};
use delta_kernel::engine::arrow_conversion::TryIntoArrow;
use delta_kernel::engine::arrow_data::ArrowEngineData;
use delta_kernel::scan::ScanMetadata;
use delta_kernel::scan::state::ScanFile;
use delta_kernel::snapshot::SnapshotRef;
use delta_kernel::table_features::ColumnMappingMode;
use delta_kernel::{Engine as _, Snapshot};
use object_store::ObjectMeta;
use object_store::path::Path;

use super::kernel::{Engine, done, root, with_engine};
use super::listing::{DeltaFile, DeltaTable, is_table};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;

/// The table at a location; none where there is no log.
///
/// # Errors
/// [`CorpusError::Input`] for a log that cannot be read or understood, and for tables whose files are not all below the location, or name
/// their columns otherwise than the table does.
pub(in crate::corpus) async fn opened(location: &Location) -> Result<Option<DeltaTable>> {
    if !is_table(location).await? {
        return Ok(None);
    }
    let place = location.clone();
    with_engine(location, move |engine| read(&place, engine)).await.map(Some)
}

/// The newest version, of a table that can be read here.
pub(super) fn newest(location: &Location, engine: &Engine) -> Result<SnapshotRef> {
    let snapshot = done(location, Snapshot::builder_for(root(location)).build(engine))?;
    refuse_blank_commits(location, engine, snapshot.table_root())?;
    match snapshot.table_properties().column_mapping_mode {
        None | Some(ColumnMappingMode::None) => Ok(snapshot),
        Some(_) => Err(CorpusError::input(
            location.uri(),
            "its files name their columns otherwise than the table does (delta.columnMapping.mode), which is not read",
        )),
    }
}

/// Less than any version takes that has something to say.
const BLANK_BYTES: u64 = 256;

/// Refuses a log with a version that says nothing: its file was lost, and which rows it removed with it. The kernel takes it for one that
/// changed nothing.
fn refuse_blank_commits(location: &Location, engine: &Engine, table: &url::Url) -> Result<()> {
    let log = table.join("_delta_log/").map_err(|_| elsewhere(location))?;
    let storage = engine.storage_handler();
    let mut small = Vec::new();
    for file in done(location, storage.list_from(&log))? {
        let file = done(location, file)?;
        if file.size < BLANK_BYTES && is_commit(&file.location) {
            small.push((file.location, None));
        }
    }
    for content in done(location, storage.read_files(small))? {
        if done(location, content)?.split(|byte| *byte == b'\n').all(says_nothing) {
            return Err(CorpusError::input(location.uri(), "its log has a version without content; it is damaged"));
        }
    }
    Ok(())
}

/// Whether a file of a log is that of a version: `_delta_log/00000000000000000001.json`.
fn is_commit(file: &url::Url) -> bool {
    let mut parts = file.path_segments().into_iter().flatten().rev();
    let name = parts.next().and_then(|name| name.strip_suffix(".json"));
    let is_number = |name: &str| name.len() == 20 && name.bytes().all(|byte| byte.is_ascii_digit());
    name.is_some_and(is_number) && parts.next() == Some("_delta_log")
}

/// Whether a line holds no action.
fn says_nothing(line: &[u8]) -> bool {
    matches!(line.trim_ascii(), b"" | b"{}")
}

pub(super) fn read(location: &Location, engine: &Engine) -> Result<DeltaTable> {
    let snapshot = newest(location, engine)?;
    let scan = done(location, snapshot.scan_builder().build())?;
    let fields = |schema: &delta_kernel::schema::StructType| -> Result<Schema> {
        let no_column = |_| CorpusError::input(location.uri(), "it has a column of a type that is not known here");
        schema.try_into_arrow().map_err(no_column)
    };
    let (all, in_files) = (fields(scan.logical_schema())?, fields(scan.physical_schema())?);
    let partitions = all.fields().iter().filter(|field| in_files.field_with_name(field.name()).is_err());
    let partitions: Vec<_> = partitions.cloned().collect();
    let mut found = Vec::new();
    for metadata in done(location, scan.scan_metadata(engine))? {
        let metadata = done(location, metadata)?;
        if names_absolute_vectors(&metadata) {
            return Err(elsewhere(location));
        }
        found = done(location, metadata.visit_scan_files(found, |found, file| found.push(file)))?;
    }
    let file = |file: ScanFile| -> Result<DeltaFile> {
        let rows = file.stats.as_ref().map(|stats| stats.num_records);
        let deleted = done(location, file.dv_info.get_row_indexes(engine, scan.table_root()))?;
        let expected = done(location, file.dv_info.cardinality())?;
        let deleted = deleted.map(|deleted| sorted(deleted, expected, rows)).transpose();
        let deleted = deleted.map_err(|reason| CorpusError::input(location.uri(), reason))?;
        // No text stands for no value, of every type.
        let value =
            |partition: &FieldRef| file.partition_values.get(partition.name()).filter(|value| !value.is_empty());
        let values = partitions.iter().map(|partition| value(partition).cloned()).collect();
        Ok(DeltaFile { object: object(location, scan.table_root(), &file)?, values, deleted, rows })
    };
    let mut files = found.into_iter().map(file).collect::<Result<Vec<_>>>()?;
    files.sort_by(|left, right| left.object.location.cmp(&right.object.location));
    Ok(DeltaTable { file_schema: Arc::new(in_files), partitions, files })
}

/// The rows that are deleted, in order, if they are as many as the log says and are rows of the file: a vector that is damaged must not bring
/// rows back.
fn sorted(
    mut deleted: Vec<u64>,
    expected: Option<u64>,
    rows: Option<u64>,
) -> std::result::Result<Arc<[u64]>, &'static str> {
    deleted.sort_unstable();
    deleted.dedup();
    let last = deleted.last().copied().unwrap_or_default();
    match rows {
        None => Err("its log does not tell how many rows a file has of which some are deleted"),
        Some(rows) if Some(deleted.len() as u64) == expected && last < rows => Ok(deleted.into()),
        Some(_) => Err("which rows are deleted is told in two ways; the table is damaged"),
    }
}

/// Whether deletion vectors lie at places of their own, which might be anywhere.
fn names_absolute_vectors(metadata: &ScanMetadata) -> bool {
    let data = metadata.scan_files.data().any_ref().downcast_ref::<ArrowEngineData>();
    let vectors = data.and_then(|data| data.record_batch().column_by_name("deletionVector"));
    let kinds = vectors.and_then(|vectors| vectors.as_struct_opt()?.column_by_name("storageType"));
    let kinds = kinds.and_then(|kinds| kinds.as_string_opt::<i32>());
    kinds.is_none_or(|kinds| kinds.iter().flatten().any(|kind| kind == "p"))
}

fn elsewhere(location: &Location) -> CorpusError {
    CorpusError::input(location.uri(), "its log names files that are not below it")
}

/// The object of a file. Its name in the log is that of a URL, relative to the table or not.
fn object(location: &Location, root: &url::Url, file: &ScanFile) -> Result<ObjectMeta> {
    let url = root.join(&file.path).map_err(|_| elsewhere(location))?;
    let path = Path::from_url_path(url.path()).map_err(|_| elsewhere(location))?;
    if url.scheme() != root.scheme() || url.authority() != root.authority() || !path.prefix_matches(location.path()) {
        return Err(elsewhere(location));
    }
    Ok(ObjectMeta {
        location: path,
        last_modified: DateTime::<Utc>::from_timestamp_millis(file.modification_time).unwrap_or_default(),
        size: u64::try_from(file.size).unwrap_or_default(),
        e_tag: None,
        version: None,
    })
}
