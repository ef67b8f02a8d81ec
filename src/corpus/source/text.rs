//! A folder of plain text files, one note a file, as brat and many exports have them.
//!
//! ```text
//! notes/S0004-06142005000500011-1.txt ─▶ note_id "S0004-06142005000500011-1", text: the file, byte for byte
//! notes/S0004-06142005000500011-1.ann    annotations beside their text are passed over
//! notes/PT001/discharge.txt          ─▶ note_id "PT001/discharge"
//! ```

use std::sync::Arc;

use arrow::array::{RecordBatch, StringViewArray};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use bytes::Bytes;
use futures::{Stream, StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStoreExt};
use xxhash_rust::xxh3::xxh3_64;

use super::discover::{InTable, UNIT_BYTES};
use super::quarantine::Refused;
use super::{Part, Source};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;

/// How many files a unit has, about, where there are many, and at most; each unit becomes one part of the output.
const USUAL_FILES: u64 = 256;
const MOST_FILES: u64 = 1024;
/// Few files make about so many units, so that there is work for several.
const USUAL_UNITS: u64 = 64;
/// How many files are read to one batch, and how many of them at once.
const BATCH_FILES: usize = 64;
const FILES_AT_ONCE: usize = 8;

/// The columns that a text file has: its name without ending, and its content.
pub(super) fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("note_id", DataType::Utf8View, false),
        Field::new("text", DataType::Utf8View, false),
    ]))
}

/// What a note is called: its file below the notes, without the ending. Files of one name in several folders are several notes.
pub(in crate::corpus) fn name_of(location: &Location, file: &Path) -> String {
    let below = location.path_below(file);
    below.rsplit_once('.').map_or("", |(name, _)| name).to_owned()
}

/// Whether a file is annotations that lie beside their text.
pub(super) fn is_annotation(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ann"))
}

/// The files that are read together: those of the same partitions in the order of their names, from one whose name says so to the next. So a file more or
/// less changes the unit that it is in, and hardly ever another. Gives the place of the first, the bytes and the version of all, and which they are.
pub(super) fn grouped(
    location: &Location,
    files: &[ObjectMeta],
    places: &[InTable],
    versions: &[String],
) -> Vec<(usize, u64, String, Part)> {
    let name = |at: usize| location.path_below(&files[at].location);
    // By powers of two: as files come, units are joined, and none is cut otherwise.
    let usual = (files.len() as u64 / USUAL_UNITS).clamp(1, USUAL_FILES);
    let usual = 1 << usual.ilog2();
    let mut starts = Vec::new();
    let (mut count, mut bytes) = (0, 0);
    for (at, file) in files.iter().enumerate() {
        let begins = at == 0
            || places[at].folders != places[at - 1].folders
            || xxh3_64(name(at).as_bytes()).is_multiple_of(usual)
            || count == MOST_FILES
            || bytes + file.size > UNIT_BYTES.unsigned_abs();
        if begins {
            starts.push(at);
            (count, bytes) = (0, 0);
        }
        (count, bytes) = (count + 1, bytes + file.size);
    }
    let ends = starts.iter().skip(1).copied().chain([files.len()]);
    let unit = |(start, end): (&usize, usize)| {
        let mut hasher = blake3::Hasher::new();
        for at in *start..end {
            let told = format!("{} {:?} {:?} ", files[at].size, name(at), versions[at]);
            hasher.update(told.as_bytes());
        }
        let bytes = files[*start..end].iter().map(|file| file.size).sum();
        let part = Part::Texts(files[*start..end].iter().map(|file| file.location.clone()).collect());
        (*start, bytes, hasher.finalize().to_hex()[..32].to_owned(), part)
    };
    starts.iter().zip(ends).map(unit).collect()
}

/// The rows of a unit, some files at a time, and those that are refused.
pub(super) fn read(
    source: &Source,
    unit: usize,
    files: &Arc<[Path]>,
) -> impl Stream<Item = Result<(RecordBatch, Vec<u64>, Vec<Refused>)>> + use<> {
    let (location, files) = (source.location.clone(), Arc::clone(files));
    let starts = (0..files.len()).step_by(BATCH_FILES);
    futures::stream::iter(starts).then(move |start| {
        let (location, files) = (location.clone(), Arc::clone(&files));
        async move { batch(&location, unit, start, &files[start..files.len().min(start + BATCH_FILES)]).await }
    })
}

async fn batch(
    location: &Location,
    unit: usize,
    start: usize,
    files: &[Path],
) -> Result<(RecordBatch, Vec<u64>, Vec<Refused>)> {
    let contents = files.iter().cloned().map(|file| async move {
        let fail = |error: object_store::Error| CorpusError::store_input(location.name_of(&file), &error);
        location.store().get(&file).await.map_err(fail)?.bytes().await.map_err(fail)
    });
    let contents: Vec<Bytes> = futures::stream::iter(contents).buffered(FILES_AT_ONCE).try_collect().await?;
    let (mut names, mut texts, mut rows, mut refused) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (row, (file, content)) in (start as u64..).zip(files.iter().zip(&contents)) {
        match std::str::from_utf8(content) {
            Ok(text) => {
                names.push(name_of(location, file));
                texts.push(text);
                rows.push(row);
            }
            Err(_) => {
                let (column, reason) = (Some("text".to_owned()), "the text is not UTF-8");
                refused.push(Refused { unit, row, column, reason });
            }
        }
    }
    let columns: [Arc<dyn arrow::array::Array>; 2] =
        [Arc::new(StringViewArray::from_iter_values(names)), Arc::new(StringViewArray::from_iter_values(texts))];
    let batch =
        RecordBatch::try_new(schema(), columns.into()).map_err(|error| CorpusError::in_stage("read")(error.into()))?;
    Ok((batch, rows, refused))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::schema::ColumnOptions;
    use crate::corpus::source::{Unit, discover};

    async fn units(notes: &Location) -> Arc<[Unit]> {
        discover(notes, &ColumnOptions::default()).await.unwrap().units
    }

    fn files(units: &[Unit]) -> Vec<String> {
        let files = units.iter().flat_map(|unit| (0..unit.known_rows().unwrap()).map(|row| unit.file_of(row)));
        files.map(|file| file.filename().unwrap().to_owned()).collect()
    }

    #[tokio::test]
    async fn a_file_more_changes_one_unit() {
        let folder = tempfile::tempdir().unwrap();
        let notes = Location::parse(folder.path().to_str().unwrap()).unwrap();
        let write = |name: &str| std::fs::write(folder.path().join(name), "Seen.").unwrap();
        (0..2000).for_each(|note| write(&format!("n{note:04}.txt")));
        let before = units(&notes).await;
        assert!((50..400).contains(&before.len()), "{}", before.len());
        assert_eq!(files(&before), (0..2000).map(|note| format!("n{note:04}.txt")).collect::<Vec<_>>());
        write("n1000a.txt");
        let after = units(&notes).await;
        assert_eq!(files(&after).len(), 2001);
        let known = |unit: &&Unit| before.iter().all(|other| other.version != unit.version);
        let changed: Vec<_> = after.iter().filter(known).collect();
        assert!((1..=2).contains(&changed.len()) && files(&after).contains(&"n1000a.txt".to_owned()));
    }

    #[tokio::test]
    async fn files_of_several_partitions_are_apart() {
        let folder = tempfile::tempdir().unwrap();
        let notes = Location::parse(folder.path().to_str().unwrap()).unwrap();
        for name in ["site=a/1.txt", "site=b/1.txt", "site=b/2.txt"] {
            std::fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
            std::fs::write(folder.path().join(name), "Seen.").unwrap();
        }
        let units = units(&notes).await;
        let of = |site: &str| -> u64 {
            let of_site = units.iter().filter(|unit| unit.partition_values == [site]);
            of_site.map(|unit| unit.known_rows().unwrap()).sum()
        };
        assert_eq!((of("a"), of("b")), (1, 2));
    }
}
