//! How often every distinct sentence occurs and where it stands first: the way from counts to the texts of sentences.
//!
//! The notes are read again, each sentence is looked up, and the text is taken where it stands first. No table is joined, no text is
//! shuffled, and nothing of the size of the corpus is held.

use std::path::Path;

use arrow::array::RecordBatch;
use xxhash_rust::xxh3::xxh3_64;

use super::{SortedFile, SortedWriter, local};
use crate::corpus::columns::{keys, numbers};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;

/// How often a distinct sentence occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// In all notes.
    pub occurrences: u64,
    /// In how many notes; text columns of a note count by themselves.
    pub notes: u64,
    /// In the notes of how many patients.
    pub patients: u64,
    /// The first document that it stands in.
    pub first_document: u64,
}

/// The counts of every distinct sentence: four numbers and a hash of them, by which damage is told.
#[derive(Debug)]
pub struct CountIndex(SortedFile);

/// Makes a [`CountIndex`] of batches of the table `counts`, in the order of hashes.
pub struct CountIndexWriter(SortedWriter);

impl CountIndexWriter {
    /// Begins the index at a local place, in a folder that exists.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub fn create(location: &Location) -> Result<Self> {
        SortedWriter::create(&local(location)?).map(Self)
    }

    /// Adds a batch.
    ///
    /// # Errors
    /// [`CorpusError::Internal`] where the columns are not those, [`CorpusError::Accounting`] where a sentence comes twice.
    pub fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let column = |name| numbers(batch, name, "counts");
        let columns = [column("occurrences")?, column("notes")?, column("patients")?, column("first_document")?];
        for (row, key) in keys(batch, "sentence_hash", "counts")?.into_iter().enumerate() {
            let mut bytes: Vec<u8> = columns.iter().flat_map(|column| column.value(row).to_le_bytes()).collect();
            bytes.extend(xxh3_64(&bytes).to_le_bytes());
            if !self.0.add(key, &bytes)? {
                return Err(CorpusError::Accounting { reason: "a distinct sentence was counted twice".to_owned() });
            }
        }
        Ok(())
    }

    /// The index.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub fn finish(self) -> Result<CountIndex> {
        self.0.finish().map(CountIndex)
    }
}

impl CountIndex {
    /// Opens an index that an earlier run has kept.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where it cannot be read or is none.
    pub fn open(path: &Path) -> Result<Self> {
        SortedFile::open(path).map(Self)
    }

    /// The counts of a sentence; none where it was not counted, or where they are damaged.
    pub fn get(&self, hash: u128) -> Option<Count> {
        let (bytes, check) = self.0.get(hash)?.split_last_chunk()?;
        if u64::from_le_bytes(*check) != xxh3_64(bytes) {
            return None;
        }
        let number = |at: usize| Some(u64::from_le_bytes(*bytes.get(8 * at..)?.first_chunk()?));
        Some(Count { occurrences: number(0)?, notes: number(1)?, patients: number(2)?, first_document: number(3)? })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, FixedSizeBinaryArray, UInt64Array};

    use super::*;

    #[test]
    fn damaged_counts_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("counts.idx");
        let mut writer = CountIndexWriter::create(&Location::parse(&path.to_string_lossy()).unwrap()).unwrap();
        let number = |number: u64| Arc::new(UInt64Array::from(vec![number])) as ArrayRef;
        let hash = FixedSizeBinaryArray::try_from_iter([7_u128.to_be_bytes()].into_iter()).unwrap();
        let columns = [
            ("sentence_hash", Arc::new(hash) as ArrayRef),
            ("occurrences", number(4)),
            ("notes", number(3)),
            ("patients", number(2)),
            ("first_document", number(16)),
        ];
        writer.add(&RecordBatch::try_from_iter(columns).unwrap()).unwrap();
        let counts = writer.finish().unwrap();
        assert_eq!(counts.get(7), Some(Count { occurrences: 4, notes: 3, patients: 2, first_document: 16 }));
        assert_eq!(counts.get(8), None);
        drop(counts);
        let mut damaged = std::fs::read(&path).unwrap();
        // The first value begins behind the header.
        damaged[40] = 5;
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(CountIndex::open(&path).unwrap().get(7), None);
    }
}
