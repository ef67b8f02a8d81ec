//! Where replaced spans stood and where what stands for them does, so that annotations on the notes can be carried over.
//!
//! ```text
//! work/offsets/part-000012-1f0c….jsonl      the digest is that of the part: these offsets lead into it and into no other
//! {"note_id":"n1","new_note_id":"7f3a…","column":"text","label":"DOCTOR","start":12,"end":17,"new_start":12,"new_end":19}
//! ```
//!
//! What lies between two replaced spans is the same in both texts, so these say where everything else has gone too. Whoever has them tells
//! surrogates from what was missed: they are written to the work location alone, and stay there.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray, UInt32Array};
use arrow::compute::{cast, take};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use crate::corpus::error::{CorpusError, Result};
use crate::corpus::index::local;
use crate::corpus::output::PartRecord;
use crate::corpus::part::{PartFormat, PartWriter};
use crate::corpus::schema::{Column, Columns, Role};
use crate::corpus::store::Location;

/// The column of the notes' own names.
pub(super) const NOTE: &str = "__note_name";

/// The column of the places in a column of texts.
pub(super) fn name(column: &Column) -> String {
    format!("__offsets {}", column.name)
}

/// The name of the file of a part, which tells the part's content too.
pub(super) fn file_name(part: &PartRecord, format: PartFormat) -> String {
    let digest: String = part.digest.chars().take(16).collect();
    format!("part-{:06}-{digest}.{}", part.number, format.ending())
}

/// Writes the offsets of one part.
pub(super) struct OffsetsWriter {
    folder: PathBuf,
    growing: Location,
    format: PartFormat,
    writer: PartWriter,
}

impl OffsetsWriter {
    /// One for the part of a number, in a local folder.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be begun.
    pub(super) fn new(folder: &Location, part: u64, format: PartFormat) -> Result<Self> {
        let growing = folder.join(&format!("growing-{part:06}"));
        let writer = PartWriter::create(growing.clone(), format, &schema())?;
        Ok(Self { folder: local(folder)?, growing, format, writer })
    }

    /// Adds what was replaced in the rows of a batch, which are written as `released`.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be written.
    pub(super) async fn write(&mut self, columns: &Columns, batch: &RecordBatch, released: &RecordBatch) -> Result<()> {
        for column in columns.of(Role::Text) {
            let rows = rows(columns, column, batch, released).map_err(|error| fail(error.into()))?;
            if rows.num_rows() == 0 {
                continue;
            }
            self.writer.write(&rows).await?;
        }
        Ok(())
    }

    /// Ends the file of a part that is written.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be completed.
    pub(super) async fn finish(self, part: &PartRecord) -> Result<()> {
        let Self { folder, growing, format, writer } = self;
        writer.finish().await?;
        let renamed = std::fs::rename(local(&growing)?, folder.join(file_name(part, format)));
        renamed.map_err(|error| CorpusError::output(growing.uri(), error))
    }
}

fn fail(error: datafusion::error::DataFusionError) -> CorpusError {
    CorpusError::in_stage("replace")(error)
}

fn schema() -> SchemaRef {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let number = |name: &str| Field::new(name, DataType::UInt64, false);
    let texts = ["note_id", "new_note_id", "column", "label"].map(text);
    let numbers = ["start", "end", "new_start", "new_end"].map(number);
    Arc::new(Schema::new(texts.into_iter().chain(numbers).collect::<Vec<_>>()))
}

/// One row for each span that was replaced in a column of texts.
fn rows(
    columns: &Columns,
    column: &Column,
    batch: &RecordBatch,
    released: &RecordBatch,
) -> Result<RecordBatch, arrow::error::ArrowError> {
    let missing = || arrow::error::ArrowError::SchemaError("the offsets of a column are missing".to_owned());
    let lists = batch.column_by_name(&name(column)).and_then(|lists| lists.as_list_opt::<i32>()).ok_or_else(missing)?;
    let (lengths, first) = (lists.offsets().lengths(), lists.value_offsets().first().copied().unwrap_or_default());
    let of_row: UInt32Array = (0_u32..).zip(lengths).flat_map(|(row, spans)| std::iter::repeat_n(row, spans)).collect();
    let places = lists.values().slice(first as usize, of_row.len());
    let repeated = |values: Option<&ArrayRef>| match values {
        Some(values) => cast(&take(values, &of_row, None)?, &DataType::Utf8),
        None => Ok(arrow::array::new_null_array(&DataType::Utf8, of_row.len())),
    };
    let new_note = columns.note().and_then(|note| released.column_by_name(&note.name));
    let mut values = vec![
        repeated(batch.column_by_name(NOTE))?,
        repeated(new_note)?,
        Arc::new(StringArray::from_iter_values(std::iter::repeat_n(&column.name, of_row.len()))) as ArrayRef,
    ];
    values.extend(places.as_struct().columns().iter().cloned());
    RecordBatch::try_new(schema(), values)
}
