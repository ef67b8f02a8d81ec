//! Notes as they lie in a warehouse: Parquet files, JSON Lines or plain text, one file, a folder, or a Hive-partitioned tree.
//!
//! ```text
//! notes/site=a/2019.parquet ─┬─ unit 0: row groups 0..3 ─▶ rows (0,0) (0,1) …
//!                            └─ unit 1: row groups 3..7 ─▶ rows (1,0) …
//! notes/site=b/2019.parquet ─── unit 2                      row key = unit << 36 | row << 4
//! notes/a.txt, b.txt, …      ─── one unit of some hundreds
//! ```
//!
//! A *unit* is what one worker reads from end to end and one output part is made of. Units follow from the listing and the
//! files alone, never from the number of workers, so that the same input gives the same parts. A row's key is its unit and
//! its place in it. Of a Delta table the files are those that its log names, without the rows that it says are deleted, which have no place. Rows whose text is not UTF-8 and lines that are not JSON, or have a key twice, are refused row by row, and counted.

mod discover;
mod identifiers;
mod json;
mod keys;
mod large_numbers;
mod nested;
mod numbers;
mod parquet;
mod quarantine;
mod sample;
mod shared;
mod table;
mod text;
mod zstandard;

use std::sync::Arc;

use arrow::datatypes::SchemaRef;

pub(crate) use discover::NO_VALUE;
pub use discover::discover;
pub(super) use discover::{NO_ICEBERG, count_files, discover_files, is_hidden, is_iceberg};
pub(crate) use identifiers::identifier;
pub(super) use identifiers::identifiers;
pub use keys::refuse_broken_lines;
pub(in crate::corpus) use large_numbers::refuse_large_numbers;
pub(super) use nested::{AsWritten, is_json};
#[cfg(feature = "delta")]
pub(super) use parquet::{column_names, rows_left};
pub use quarantine::{Quarantine, Refused};
pub(super) use sample::first_patients;
pub use shared::{SharedRows, SharedTable};
pub use table::{DOCUMENT_SCHEMA, PSEUDO_PATIENT, documents_table, notes_table};
pub(super) use text::name_of as name_of_text;

use super::logical_types::LogicalTypes;
use super::schema::Columns;
use super::store::Location;

/// Bits of a row key below the unit number.
const UNIT_SHIFT: u32 = 36;
/// Bits of a row key below the row number: the place of the text column among the text columns.
const ROW_SHIFT: u32 = 4;
/// The most text columns that a row key can tell apart.
pub const MOST_TEXT_COLUMNS: usize = 1 << ROW_SHIFT;

/// The key of a row: what the stages call a note by.
pub const fn row_key(unit: usize, row: u64) -> u64 {
    ((unit as u64) << UNIT_SHIFT) | (row << ROW_SHIFT)
}

/// How many documents the numbers of a unit span.
pub const DOCUMENTS_OF_UNIT: u64 = 1 << UNIT_SHIFT;

/// The unit and the row in it of a document.
pub const fn place_of_document(document: u64) -> (usize, u64) {
    ((document >> UNIT_SHIFT) as usize, (document & ((1 << UNIT_SHIFT) - 1)) >> ROW_SHIFT)
}

/// How a file of notes is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet.
    Parquet,
    /// One JSON object a line.
    JsonLines(Compression),
    /// One note a file.
    Text,
}

/// How a text file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, ending `.gz`.
    Gzip,
    /// Zstandard, ending `.zst`.
    Zstandard,
}

/// What one worker reads from end to end.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Its number, from 0.
    pub index: usize,
    /// The file; of several the first.
    pub file: object_store::path::Path,
    /// The size in bytes of the file, or of all.
    pub bytes: u64,
    /// What tells this version of the file from another: its e-tag, else when it was last changed; of several a digest of what tells each.
    pub version: String,
    /// The values of the Hive partitions, in the order of [`Source::partitions`].
    pub partition_values: Vec<String>,
    /// The same as they are written in the folders' names.
    pub partition_folders: Vec<String>,
    /// The part of the file.
    pub part: Part,
}

/// The part of a file that is a unit.
#[derive(Debug, Clone)]
pub enum Part {
    /// Row groups of a Parquet file.
    RowGroups {
        /// The file's metadata, text columns declared binary.
        metadata: ::parquet::arrow::arrow_reader::ArrowReaderMetadata,
        /// Which row groups.
        groups: std::ops::Range<usize>,
        /// The place in the file of the first row.
        first: u64,
        /// How many rows they hold, deleted ones left out.
        rows: u64,
        /// The rows of them that a table has no longer, by their places in the file, in order.
        deleted: Option<Arc<[u64]>>,
    },
    /// A whole file of JSON Lines.
    Lines(Compression),
    /// Whole files, each of which is one note.
    Texts(Arc<[object_store::path::Path]>),
}

impl Part {
    /// Which row groups of the file they are; empty where it is all of it.
    pub fn row_groups(&self) -> String {
        match self {
            Self::RowGroups { groups, .. } => format!("{}..{}", groups.start, groups.end),
            Self::Lines(_) | Self::Texts(_) => String::new(),
        }
    }
}

/// A table of notes.
#[derive(Debug, Clone)]
pub struct Source {
    /// Where it lies.
    pub location: Location,
    /// How it is written.
    pub format: Format,
    /// The columns in the files, text columns as views of UTF-8.
    pub schema: SchemaRef,
    /// The columns in the files, as they are there.
    pub file_schema: SchemaRef,
    /// What files of Parquet say of them besides.
    pub logical_types: LogicalTypes,
    /// The names of the Hive partitions.
    pub partitions: Vec<String>,
    /// Every column with its role.
    pub columns: Columns,
    /// The units, in order.
    pub units: Arc<[Unit]>,
    /// Which of them are read.
    pub share: Share,
}

/// Every so many-th unit: all, or the share of one task among several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Which share, from 0.
    pub index: usize,
    /// Of how many, at least one.
    pub of: usize,
}

impl Share {
    /// All units.
    pub const ALL: Self = Self { index: 0, of: 1 };
}

impl Unit {
    /// The files that it is read from.
    pub fn files(&self) -> &[object_store::path::Path] {
        match &self.part {
            Part::Texts(files) => files,
            Part::RowGroups { .. } | Part::Lines(_) => std::slice::from_ref(&self.file),
        }
    }

    /// The rows, where the file says so beforehand.
    pub fn known_rows(&self) -> Option<u64> {
        match &self.part {
            Part::RowGroups { rows, .. } => Some(*rows),
            Part::Lines(_) => None,
            Part::Texts(files) => Some(files.len() as u64),
        }
    }

    /// The place in the file of the unit's first row.
    pub fn first_row(&self) -> u64 {
        match &self.part {
            Part::RowGroups { first, .. } => *first,
            Part::Lines(_) | Part::Texts(_) => 0,
        }
    }
}

impl Unit {
    /// The place in its file of a row of the unit, of which deleted ones are not counted.
    pub fn place_in_file(&self, row: u64) -> u64 {
        let place = self.first_row() + row;
        match &self.part {
            Part::RowGroups { deleted: Some(deleted), .. } => past_deleted(place, deleted),
            Part::RowGroups { .. } | Part::Lines(_) => place,
            Part::Texts(_) => 0,
        }
    }

    /// The file of a row of the unit.
    pub fn file_of(&self, row: u64) -> &object_store::path::Path {
        match &self.part {
            Part::Texts(files) => files.get(row as usize).unwrap_or(&self.file),
            Part::RowGroups { .. } | Part::Lines(_) => &self.file,
        }
    }
}

/// The place of a row of which `place` others that are not deleted stand before; `deleted` are the places of those that are, in order.
fn past_deleted(place: u64, deleted: &[u64]) -> u64 {
    // Before each deleted row stand as many that are not as its place tells, less the deleted ones; these numbers grow.
    let (mut low, mut high) = (0, deleted.len());
    while low < high {
        let middle = low.midpoint(high);
        match deleted[middle] - middle as u64 <= place {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    place + low as u64
}

impl Source {
    /// The units that are read, by their place among all.
    pub fn read_units(&self) -> impl Iterator<Item = usize> + use<> {
        (self.share.index..self.units.len()).step_by(self.share.of.max(1))
    }

    /// The rows of the units that are read, where the files say so beforehand.
    pub fn known_rows(&self) -> Option<u64> {
        self.read_units().map(|unit| self.units[unit].known_rows()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_past_those_that_are_deleted() {
        for deleted in [&[][..], &[0], &[0, 1, 2], &[5, 6, 9], &[3, 20]] {
            let left: Vec<u64> = (0..30).filter(|row| !deleted.contains(row)).collect();
            for (place, row) in left.iter().enumerate() {
                assert_eq!(past_deleted(place as u64, deleted), *row, "{deleted:?}");
            }
        }
        // Of a unit that begins at row 10, in which 12 is deleted.
        assert_eq!([10, 11, 12].map(|place| past_deleted(place, &[12])), [10, 11, 13]);
    }

    #[test]
    fn row_keys_order_by_unit_then_row() {
        let keys = [row_key(0, 0), row_key(0, 1), row_key(0, (1 << 32) - 1), row_key(1, 0), row_key(1 << 20, 7)];
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(place_of_document(keys[3] + 3), (1, 0));
        assert_eq!(place_of_document(keys[4]), (1 << 20, 7));
        assert!(keys[4] + (MOST_TEXT_COLUMNS as u64) <= row_key(1 << 20, 8));
    }
}
