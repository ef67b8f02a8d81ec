//! From a location to units: which files, of which format, in which Hive partitions, with which columns.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use futures::{FutureExt, StreamExt, TryStreamExt};
use object_store::ObjectMeta;
use object_store::path::Path;

use super::nested::{is_json, json_field, without_mark};
use super::{Compression, Format, MOST_TEXT_COLUMNS, Part, Share, Source, Unit, json, parquet, text};
use crate::corpus::delta::{self, DeltaFile, DeltaTable};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::logical_types::LogicalTypes;
use crate::corpus::schema::{ColumnOptions, Columns, Role, is_text};
use crate::corpus::store::Location;

/// Row groups are joined into a unit up to this many bytes of uncompressed data.
pub(super) const UNIT_BYTES: i64 = 64 << 20;
/// How many file footers are read at once.
const FOOTERS_AT_ONCE: usize = 16;

/// What stands for no value in the name of a partition's folder.
pub(crate) const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// Finds the notes at a location and gives every column its role. Only footers and the first lines are read.
///
/// # Errors
/// [`CorpusError::Input`] where there are no notes, formats are mixed, a link leads nowhere, a file cannot be read or its columns
/// differ from the first one's; [`CorpusError::Configuration`] where a column has no role.
pub async fn discover(location: &Location, options: &ColumnOptions) -> Result<Source> {
    discover_files(location, options, None).await
}

/// The same of some files alone, where they are named by their paths below the location.
///
/// # Errors
/// Those of [`discover`].
pub(in crate::corpus) async fn discover_files(
    location: &Location,
    options: &ColumnOptions,
    names: Option<&BTreeSet<String>>,
) -> Result<Source> {
    // Every stage reads the notes anew.
    let location = &location.in_one_version();
    let Found { files, partitions, places, by_log } = match delta::opened(location).await? {
        Some(table) => found_by_log(location, table)?,
        None => found_in_folder(location).await?,
    };
    let is_read = |file: &ObjectMeta| names.is_none_or(|names| names.contains(&location.path_below(&file.location)));
    let (files, places): (Vec<_>, Vec<_>) = files.into_iter().zip(places).filter(|(file, _)| is_read(file)).unzip();
    let format = if by_log { Format::Parquet } else { common_format(location, &files)? };
    let (file_schema, footers) = match format {
        Format::Parquet => {
            // Boxed, so that the compiler sees that they may go from thread to thread.
            let footers: Vec<_> = files.iter().map(|file| parquet::footer(location, file).boxed()).collect();
            let footers: Vec<_> = futures::stream::iter(footers).buffered(FOOTERS_AT_ONCE).try_collect().await?;
            (parquet::common_schema(location, &files, &footers)?, footers)
        }
        Format::JsonLines(_) => (json::infer_schema(location, &files).await?, Vec::new()),
        Format::Text => (text::schema(), Vec::new()),
    };
    // Of other formats whoever wrote the file has said so.
    let file_schema = if matches!(format, Format::JsonLines(_)) { file_schema } else { without_mark(&file_schema) };
    let columns = Columns::resolve(&file_schema, &partitions, options)?;
    if columns.of(Role::Text).count() > MOST_TEXT_COLUMNS {
        return Err(CorpusError::configuration(
            format!("there are more than {MOST_TEXT_COLUMNS} text columns"),
            "drop some, or run twice",
        ));
    }
    let schema = read_schema(&file_schema, &columns);
    let versions = files.iter().zip(&places).map(|(file, place)| version(file, place, by_log));
    let mut parts = Vec::new();
    match format {
        Format::Text => parts.extend(text::grouped(location, &files, &places, &versions.collect::<Vec<_>>())),
        _ => {
            for (position, version) in versions.enumerate() {
                let file = &files[position];
                let of_file = match format {
                    Format::Parquet => {
                        let deleted = places[position].deleted.as_ref();
                        row_group_parts(location, file, &footers[position], &schema, deleted)?
                    }
                    _ => vec![Part::Lines(compression(&file.location))],
                };
                parts.extend(of_file.into_iter().map(|part| (position, file.size, version.clone(), part)));
            }
        }
    }
    let units = parts.into_iter().enumerate().map(|(index, (position, bytes, version, part))| Unit {
        index,
        file: files[position].location.clone(),
        bytes,
        version,
        partition_values: places[position].values.clone(),
        partition_folders: places[position].folders.clone(),
        part,
    });
    let units = units.collect();
    Ok(Source {
        location: location.clone(),
        format,
        schema,
        file_schema,
        logical_types: LogicalTypes::of_all(footers.iter().map(parquet::Footer::parquet_schema)),
        partitions,
        columns,
        units,
        share: Share::ALL,
    })
}

/// How many files of notes there are.
///
/// # Errors
/// Those of [`discover`] before a file is opened.
pub(in crate::corpus) async fn count_files(location: &Location) -> Result<usize> {
    match delta::opened(location).await? {
        Some(table) => Ok(table.files.len()),
        None => Ok(data_files(location).await?.len()),
    }
}

/// The files of notes.
struct Found {
    files: Vec<ObjectMeta>,
    /// The names of the partitions.
    partitions: Vec<String>,
    /// Of each file.
    places: Vec<InTable>,
    /// Whether a log names them: then they are Parquet, however they are called.
    by_log: bool,
}

/// What is known of a file besides what it holds.
pub(super) struct InTable {
    /// Its value of each partition.
    values: Vec<String>,
    /// The same as they are written in the names of folders.
    pub(super) folders: Vec<String>,
    /// The rows that are deleted.
    deleted: Option<Arc<[u64]>>,
}

async fn found_in_folder(location: &Location) -> Result<Found> {
    delta::refuse_files_of_tables(location).await?;
    let files = data_files(location).await?;
    let partitions = partition_names(location, &files)?;
    let place = |file: &ObjectMeta| {
        let values = partition_values(location, &file.location, &partitions)?;
        let folders = folders(location, &file.location).into_iter().filter(|folder| folder.contains('=')).collect();
        Ok(InTable { values, folders, deleted: None })
    };
    let places = files.iter().map(place).collect::<Result<_>>()?;
    Ok(Found { files, partitions, places, by_log: false })
}

fn found_by_log(location: &Location, table: DeltaTable) -> Result<Found> {
    if table.files.is_empty() {
        return Err(CorpusError::Empty { location: location.uri().to_owned(), is_place: true });
    }
    let partitions: Vec<_> = table.partitions.iter().map(|partition| partition.name().clone()).collect();
    let place = |file: DeltaFile| {
        let values: Vec<_> =
            file.values.into_iter().map(|value| value.unwrap_or_else(|| NO_VALUE.to_owned())).collect();
        let folder =
            |(name, value): (&String, &String)| format!("{}={}", percent_encoded(name), percent_encoded(value));
        let folders = partitions.iter().zip(&values).map(folder).collect();
        (file.object, InTable { values, folders, deleted: file.deleted })
    };
    let (files, places) = table.files.into_iter().map(place).unzip();
    Ok(Found { files, partitions, places, by_log: true })
}

/// What tells this version of a file from another. What a log says of it changes it, too.
fn version(file: &ObjectMeta, place: &InTable, by_log: bool) -> String {
    let version = file.e_tag.clone().unwrap_or_else(|| file.last_modified.to_rfc3339());
    if !by_log {
        return version;
    }
    let mut hasher = blake3::Hasher::new();
    for folder in &place.folders {
        hasher.update(folder.as_bytes()).update(b"/");
    }
    for row in place.deleted.iter().flat_map(|deleted| deleted.iter()) {
        hasher.update(&row.to_le_bytes());
    }
    format!("{version} {}", &hasher.finalize().to_hex()[..32])
}

/// The schema that the stages see: every string as a view of UTF-8, whose bytes are checked row by row; all else as it is.
fn read_schema(file_schema: &Schema, columns: &Columns) -> SchemaRef {
    let fields = file_schema.fields().iter().map(|field| {
        let text = columns.of(Role::Text).any(|column| column.name == *field.name()) || is_text(field.data_type());
        let data_type = match field.data_type() {
            _ if text => DataType::Utf8View,
            DataType::Dictionary(_, value) => value.as_ref().clone(),
            other => other.clone(),
        };
        match is_json(field) {
            true => Arc::new(json_field(field.name(), data_type)),
            false => Arc::new(Field::new(field.name(), data_type, field.is_nullable())),
        }
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

async fn data_files(location: &Location) -> Result<Vec<ObjectMeta>> {
    let mut files = location.list().await?;
    files.retain(|file| file.location == *location.path() || !is_hidden(location, &file.location));
    // Consoles and Hadoop mark a folder of a store by an object without content: `site=2/`, `site=2_$folder$`.
    let is_folder = |file: &ObjectMeta| file.size == 0 && format_of(&file.location).is_none();
    files.retain(|file| location.local_path().is_some() || !is_folder(file));
    let are_texts = files.iter().any(|file| format_of(&file.location) == Some(Format::Text));
    let is_passed_over = |file: &Path| are_texts && text::is_annotation(file);
    files.retain(|file| !is_passed_over(&file.location));
    // What is no note is refused below, and so whatever else a link may have led to is one.
    location.refuse_irregular(|link| !is_hidden(location, link) && !is_passed_over(link))?;
    if is_iceberg(location, &files).await {
        return Err(CorpusError::input(location.uri(), NO_ICEBERG));
    }
    if files.is_empty() {
        let is_place = location.local_path().is_none_or(|path| path.exists());
        return Err(CorpusError::Empty { location: location.uri().to_owned(), is_place });
    }
    Ok(files)
}

/// Why an Iceberg table is not read: its folder holds rows that the table has no longer.
pub(in crate::corpus) const NO_ICEBERG: &str = "an Apache Iceberg table is not read here; read its rows by another engine and \
    write them as Parquet";

/// Whether files are those of a table of Apache Iceberg: its metadata lie in a folder of that name, and its rows in one called `data` beside it.
pub(in crate::corpus) async fn is_iceberg(location: &Location, files: &[ObjectMeta]) -> bool {
    let is_metadata = |file: &ObjectMeta| match below(location, &file.location).as_slice() {
        [folder, name] => folder == "metadata" && is_metadata(name),
        _ => false,
    };
    files.iter().any(is_metadata) || lies_in_iceberg(location).await
}

/// Whether a location is the folder of the rows of such a table, or lies in it.
async fn lies_in_iceberg(location: &Location) -> bool {
    let parts: Vec<_> = location.path().parts().collect();
    for depth in (0..parts.len()).filter(|&depth| parts[depth].as_ref() == "data") {
        let metadata: Path = parts[..depth].iter().cloned().chain(["metadata".into()]).collect();
        // Who may read a folder need not be allowed to look into that beside it.
        let listed = location.store().list_with_delimiter(Some(&metadata)).await;
        let has_one = |file: &ObjectMeta| file.location.filename().is_some_and(is_metadata);
        if listed.is_ok_and(|listed| listed.objects.iter().any(has_one)) {
            return true;
        }
    }
    false
}

fn is_metadata(name: &str) -> bool {
    name.ends_with(".metadata.json")
}

/// Whether a path below the location has a part that begins with `_` or `.`, which readers of folders pass over by custom;
/// a partition (`_site=a`) is not hidden.
pub(in crate::corpus) fn is_hidden(location: &Location, file: &Path) -> bool {
    below(location, file).iter().any(|part| part.starts_with(['_', '.']) && !part.contains('='))
}

/// The path of a file from the location on, in parts.
pub(super) fn below(location: &Location, file: &Path) -> Vec<String> {
    match file.prefix_match(location.path()) {
        Some(parts) => parts.map(|part| part.as_ref().to_owned()).collect(),
        None => Vec::new(),
    }
}

pub(super) fn format_of(file: &Path) -> Option<Format> {
    let name = file.filename()?.to_lowercase();
    let plain = name.trim_end_matches(".gz").trim_end_matches(".zst");
    if name.ends_with(".parquet") {
        Some(Format::Parquet)
    } else if [".jsonl", ".ndjson", ".json"].iter().any(|ending| plain.ends_with(ending)) {
        Some(Format::JsonLines(compression(file)))
    } else if name.ends_with(".txt") {
        Some(Format::Text)
    } else {
        None
    }
}

fn compression(file: &Path) -> Compression {
    match file.extension().map(str::to_lowercase).as_deref() {
        Some("gz") => Compression::Gzip,
        Some("zst") => Compression::Zstandard,
        _ => Compression::None,
    }
}

fn common_format(location: &Location, files: &[ObjectMeta]) -> Result<Format> {
    let mut formats = files.iter().map(|file| {
        format_of(&file.location).ok_or_else(|| {
            CorpusError::input(
                file_uri(location, file),
                "notes are files that end in .parquet, .txt, .jsonl, .ndjson or .json, the last three also with .gz or .zst",
            )
        })
    });
    let first = formats.next().transpose()?.unwrap_or(Format::Parquet);
    for format in formats {
        if std::mem::discriminant(&format?) != std::mem::discriminant(&first) {
            return Err(CorpusError::input(
                location.uri(),
                "Parquet, JSON Lines and text files are mixed; give one folder for each",
            ));
        }
    }
    Ok(first)
}

/// The name of a file for messages to the user whose file it is.
pub(super) fn file_uri(location: &Location, file: &ObjectMeta) -> String {
    let relative = below(location, &file.location).join("/");
    if relative.is_empty() {
        location.uri().to_owned()
    } else {
        format!("{}/{relative}", location.uri().trim_end_matches('/'))
    }
}

fn partition_names(location: &Location, files: &[ObjectMeta]) -> Result<Vec<String>> {
    let names = |file: &ObjectMeta| -> Vec<String> {
        folders(location, &file.location)
            .iter()
            .filter_map(|folder| Some(folder.split_once('=')?.0.to_owned()))
            .collect()
    };
    let first = files.first().map(names).unwrap_or_default();
    match files.iter().find(|file| names(file) != first) {
        None => Ok(first),
        Some(file) => Err(CorpusError::input(
            file_uri(location, file),
            "its partitions (name=value folders) differ from those of the first file",
        )),
    }
}

fn folders(location: &Location, file: &Path) -> Vec<String> {
    let mut parts = below(location, file);
    parts.pop();
    parts
}

fn partition_values(location: &Location, file: &Path, partitions: &[String]) -> Result<Vec<String>> {
    let folders = folders(location, file);
    let values: Vec<_> = folders.iter().filter_map(|folder| Some(percent_decoded(folder.split_once('=')?.1))).collect();
    if values.len() == partitions.len() {
        Ok(values)
    } else {
        Err(CorpusError::input(location.uri(), "the partition folders cannot be understood"))
    }
}

/// How Hive writes marks in names and values of partitions.
fn percent_encoded(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_-. ".contains(&byte);
    let mut encoded = Vec::with_capacity(value.len());
    for byte in value.bytes() {
        match plain(byte) {
            true => encoded.push(byte),
            false => encoded.extend(format!("%{byte:02X}").bytes()),
        }
    }
    String::from_utf8(encoded).unwrap_or_else(|_| value.to_owned())
}

/// Hive writes marks in partition values as `%2F`.
fn percent_decoded(value: &str) -> String {
    let bytes = value.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%')
            .then(|| value.get(at + 1..at + 3))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8(decoded).unwrap_or_else(|_| value.to_owned())
}

fn row_group_parts(
    location: &Location,
    file: &ObjectMeta,
    footer: &parquet::Footer,
    schema: &SchemaRef,
    deleted: Option<&Arc<[u64]>>,
) -> Result<Vec<Part>> {
    let metadata =
        parquet::text_as_binary(footer, schema).map_err(|error| CorpusError::input(file_uri(location, file), error))?;
    let groups = metadata.metadata().row_groups();
    let all: u64 = groups.iter().map(|group| group.num_rows().unsigned_abs()).sum();
    if deleted.and_then(|deleted| deleted.last()).is_some_and(|last| *last >= all) {
        return Err(CorpusError::input(file_uri(location, file), "rows are deleted of it that it does not have"));
    }
    let mut parts = Vec::new();
    let (mut start, mut first) = (0, 0);
    while start < groups.len() {
        let mut end = start + 1;
        let mut bytes = groups[start].total_byte_size();
        while end < groups.len() && bytes + groups[end].total_byte_size() <= UNIT_BYTES {
            bytes += groups[end].total_byte_size();
            end += 1;
        }
        let all: u64 = groups[start..end].iter().map(|group| group.num_rows().unsigned_abs()).sum();
        let of_unit = |row: &u64| (first..first + all).contains(row);
        let deleted: Option<Arc<[u64]>> = deleted.map(|rows| rows.iter().copied().filter(of_unit).collect());
        let rows = all - deleted.as_ref().map_or(0, |rows| rows.len() as u64);
        parts.push(Part::RowGroups { metadata: metadata.clone(), groups: start..end, first, rows, deleted });
        (start, first) = (end, first + all);
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_tell_the_format() {
        assert_eq!(format_of(&Path::from("a/b.PARQUET")), Some(Format::Parquet));
        assert_eq!(format_of(&Path::from("a/b.jsonl.gz")), Some(Format::JsonLines(Compression::Gzip)));
        assert_eq!(format_of(&Path::from("a/b.csv")), None);
    }

    #[test]
    fn partition_folders() {
        let root = Location::parse("/w/notes").unwrap();
        let file = Path::from("w/notes/site=a%2Fb/year=2019/x.parquet");
        let names = ["site".to_owned(), "year".to_owned()];
        assert_eq!(partition_values(&root, &file, &names).unwrap().last().map(String::as_str), Some("2019"));
        assert_eq!(percent_decoded("a%2Fb%"), "a/b%");
        assert_eq!(percent_encoded("a/b=ä c"), "a%2Fb%3Dä c");
        assert!(is_hidden(&root, &Path::from("w/notes/_delta_log/0.json")) && !is_hidden(&root, &file));
    }

    /// A disk that is not mounted is no reason to release fewer notes.
    #[cfg(unix)]
    #[tokio::test]
    async fn notes_behind_links_that_lead_nowhere_are_missing() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        std::fs::write(place("a.txt"), "Seen.").unwrap();
        let notes = Location::parse(folder.path().to_str().unwrap()).unwrap();
        let found = async || discover(&notes, &ColumnOptions::default()).await;
        for passed_over in [".#a.txt", "_old", "a.ann"] {
            std::os::unix::fs::symlink("/nowhere/at/all", place(passed_over)).unwrap();
        }
        assert_eq!(found().await.unwrap().units.len(), 1);
        for name in ["b.txt", "year=2019", "more"] {
            std::os::unix::fs::symlink("/nowhere/at/all", place(name)).unwrap();
            let refused = found().await.unwrap_err().to_string();
            assert!(refused.contains(name), "{refused}");
            std::fs::remove_file(place(name)).unwrap();
        }
        assert!(found().await.is_ok());
    }

    #[tokio::test]
    async fn notes_that_change_after_they_were_found_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("notes.jsonl");
        let note = r#"{"note_id":"1","patient_id":"P1","text":"Seen."}"#;
        std::fs::write(&file, note).unwrap();
        let notes = Location::parse(folder.path().to_str().unwrap()).unwrap();
        let source = discover(&notes, &ColumnOptions::default()).await.unwrap();
        let read = || source.location.read_in_ranges(&source.units[0].file).try_collect::<Vec<_>>();
        assert_eq!(read().await.unwrap().concat(), note.as_bytes());
        std::fs::write(&file, note.replace("Seen", "Seen by Ann")).unwrap();
        assert!(matches!(read().await, Err(object_store::Error::Precondition { .. })));
    }
}
