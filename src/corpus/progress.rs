//! How far a stage is: rows and bytes, counted where they are read, watched from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::DataType;

/// Counts what a stage has read. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct Meter(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    read: AtomicU64,
    rows: AtomicU64,
    bytes: AtomicU64,
}

impl Meter {
    /// Adds rows as they come from a file, accepted or refused.
    pub fn add_read(&self, rows: u64) {
        self.0.read.fetch_add(rows, Ordering::Relaxed);
    }

    /// Rows that came from files so far, accepted or refused.
    pub fn read(&self) -> u64 {
        self.0.read.load(Ordering::Relaxed)
    }

    /// Adds rows and the bytes of their text.
    pub fn add(&self, rows: u64, bytes: u64) {
        self.0.rows.fetch_add(rows, Ordering::Relaxed);
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Adds batches: their rows and the bytes of their text columns, which are the views of UTF-8.
    pub fn add_batches(&self, batches: &[RecordBatch]) {
        for batch in batches {
            let text = batch.columns().iter().filter(|column| *column.data_type() == DataType::Utf8View);
            let bytes = text.map(|column| column.as_string_view().lengths().map(u64::from).sum::<u64>()).sum();
            self.add(batch.num_rows() as u64, bytes);
        }
    }

    /// Rows so far.
    pub fn rows(&self) -> u64 {
        self.0.rows.load(Ordering::Relaxed)
    }

    /// Bytes of text so far.
    pub fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }
}

/// Watches a job: the command line draws bars or writes lines, tests watch nothing.
pub trait Observer: Send + Sync {
    /// A stage begins; `rows` is how many it will read, where that is known.
    fn begin(&self, stage: &'static str, rows: Option<u64>, meter: &Meter);

    /// The stage has ended well; one that fails does not end.
    fn end(&self, stage: &'static str);

    /// A part of the output is finished, or was kept as an earlier run left it.
    fn part(&self, _kept: bool) {}
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn begin(&self, _stage: &'static str, _rows: Option<u64>, _meter: &Meter) {}
    fn end(&self, _stage: &'static str) {}
}
