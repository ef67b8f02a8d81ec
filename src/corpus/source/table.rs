//! A source as two tables of the engine.
//!
//! ```text
//! notes      __note, __patient, every column that is not dropped, partitions     one row a note, in input order within a unit
//! documents  document, note_id, patient, text_column, text                      one row a note and text column that is not null
//! ```
//!
//! Each partition of the engine reads whole units, one after another, and a batch never holds rows of two units.

use std::sync::{Arc, LazyLock};

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, RecordBatch, StringArray, StringViewArray, StringViewBuilder, UInt64Array,
};
use arrow::compute::{cast, filter, filter_record_batch};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::streaming::StreamingTable;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use futures::stream::BoxStream;
use futures::{Stream, StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};

use super::discover::NO_VALUE;
use super::identifiers::identifiers;
use super::quarantine::{Quarantine, Refused};
use super::{Part, Source, Unit, json, parquet, place_of_document, row_key, text};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::progress::Meter;
use crate::corpus::schema::{Column, Role};

/// What the name of a note's own pseudo-patient begins with; no identifier of a table does.
pub const PSEUDO_PATIENT: char = '\u{1}';

/// The columns of `documents`.
pub static DOCUMENT_SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    Arc::new(Schema::new(vec![
        Field::new("document", DataType::UInt64, false),
        Field::new("note_id", DataType::Utf8View, true),
        Field::new("patient", DataType::Utf8View, false),
        Field::new("text_column", DataType::Utf8View, false),
        Field::new("text", DataType::Utf8View, false),
    ]))
});

/// The table `notes`, read by `partitions` workers. Refused rows go to `quarantine`, accepted ones to `meter`.
///
/// # Errors
/// [`CorpusError::Engine`] where the engine refuses the table.
pub fn notes_table(
    source: &Arc<Source>,
    partitions: usize,
    quarantine: &Arc<Quarantine>,
    meter: &Meter,
) -> Result<StreamingTable> {
    table(source, partitions, quarantine, meter, notes_schema(source), Shape::Notes)
}

/// The columns of `notes`.
pub(super) fn notes_schema(source: &Source) -> SchemaRef {
    let mut fields = vec![
        Arc::new(Field::new("__note", DataType::UInt64, false)),
        Arc::new(Field::new("__patient", DataType::Utf8View, false)),
    ];
    let kept = source.columns.iter().filter(|column| column.role != Role::Drop);
    fields.extend(kept.map(|column| match source.schema.field_with_name(&column.name) {
        Ok(field) => Arc::new(field.clone()),
        Err(_) => Arc::new(Field::new(&column.name, DataType::Utf8, true)),
    }));
    Arc::new(Schema::new(fields))
}

/// The table `documents`, read by `partitions` workers. Refused rows go to `quarantine`, accepted ones to `meter`.
///
/// # Errors
/// [`CorpusError::Engine`] where the engine refuses the table.
pub fn documents_table(
    source: &Arc<Source>,
    partitions: usize,
    quarantine: &Arc<Quarantine>,
    meter: &Meter,
) -> Result<StreamingTable> {
    table(source, partitions, quarantine, meter, Arc::clone(&DOCUMENT_SCHEMA), Shape::Documents)
}

fn table(
    source: &Arc<Source>,
    partitions: usize,
    quarantine: &Arc<Quarantine>,
    meter: &Meter,
    schema: SchemaRef,
    shape: Shape,
) -> Result<StreamingTable> {
    let workers = partitions.clamp(1, source.read_units().count().max(1));
    let streams = (0..workers).map(|worker| {
        let (source, quarantine, meter) = (Arc::clone(source), Arc::clone(quarantine), meter.clone());
        Arc::new(Worker { source, quarantine, meter, schema: Arc::clone(&schema), shape, worker, workers })
            as Arc<dyn PartitionStream>
    });
    StreamingTable::try_new(Arc::clone(&schema), streams.collect()).map_err(CorpusError::in_stage("read"))
}

/// Which of the two tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Shape {
    Notes,
    Documents,
}

/// Reads every `workers`-th of the units that are read.
#[derive(Debug)]
struct Worker {
    source: Arc<Source>,
    quarantine: Arc<Quarantine>,
    meter: Meter,
    schema: SchemaRef,
    shape: Shape,
    worker: usize,
    workers: usize,
}

impl PartitionStream for Worker {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let units: Vec<usize> = self.source.read_units().skip(self.worker).step_by(self.workers).collect();
        let (quarantine, meter) = (self.quarantine.of_worker(), self.meter.clone());
        let batches = batches(&self.source, units, self.shape, Arc::clone(&self.schema), quarantine, meter);
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), batches.map_err(Into::into)))
    }
}

/// The rows of units, one after another.
pub(super) fn batches(
    source: &Arc<Source>,
    units: Vec<usize>,
    shape: Shape,
    schema: SchemaRef,
    quarantine: Arc<Quarantine>,
    meter: Meter,
) -> impl Stream<Item = Result<RecordBatch>> + Send + use<> {
    let source = Arc::clone(source);
    let (at_end, place) = (Arc::clone(&quarantine), source.location.uri().to_owned());
    let end = futures::stream::once(async move { at_end.tell(&place) }).filter_map(|()| std::future::ready(None));
    let batches = futures::stream::iter(units).map(move |unit| {
        let (source, schema, meter) = (Arc::clone(&source), Arc::clone(&schema), meter.clone());
        let wanted = wanted_columns(&source, shape);
        let rows = rows(&source, &source.units[unit], &wanted, Arc::clone(&quarantine), meter.clone());
        rows.map(move |rows| {
            let batches = rows.and_then(|rows| match shape {
                Shape::Notes => rows.into_notes(&source, &schema).map(|batch| vec![batch]),
                Shape::Documents => rows.into_documents(&source),
            });
            batches.inspect(|batches| meter.add_batches(batches))
        })
    });
    batches.flatten().map_ok(|batches| futures::stream::iter(batches.into_iter().map(Ok))).try_flatten().chain(end)
}

/// Rows of one unit with their keys.
pub(super) struct Rows {
    unit: usize,
    keys: Vec<u64>,
    batch: RecordBatch,
}

/// The accepted rows of a unit; the others go to the quarantine. Of a Parquet file the wanted columns are read alone.
pub(super) fn rows(
    source: &Arc<Source>,
    unit: &Unit,
    wanted: &[usize],
    quarantine: Arc<Quarantine>,
    meter: Meter,
) -> BoxStream<'static, Result<Rows>> {
    let index = unit.index;
    match &unit.part {
        Part::RowGroups { metadata, groups, deleted, .. } => {
            let batches = match parquet::read(source, unit, metadata, groups.clone(), deleted.as_deref(), wanted) {
                Ok(batches) => batches,
                Err(error) => return futures::stream::once(async { Err(error) }).boxed(),
            };
            let mut next = 0;
            let schema = Arc::clone(&source.schema);
            batches
                .map(move |batch| {
                    let batch = batch?;
                    let numbers: Vec<u64> = (next..next + batch.num_rows() as u64).collect();
                    next += batch.num_rows() as u64;
                    meter.add_read(batch.num_rows() as u64);
                    let (batch, numbers) = accept_utf8(batch, numbers, &schema, index, &quarantine)?;
                    Ok(Rows { unit: index, keys: keys(index, &numbers), batch })
                })
                .boxed()
        }
        Part::Lines(compression) => accepted(json::read(source, unit, *compression).boxed(), index, quarantine, meter),
        Part::Texts(files) => accepted(text::read(source, index, files).boxed(), index, quarantine, meter),
    }
}

/// Rows with their numbers in the file, and those that are refused.
type Read = (RecordBatch, Vec<u64>, Vec<Refused>);

/// Sends the refused rows of a unit to the quarantine.
fn accepted(
    batches: BoxStream<'static, Result<Read>>,
    unit: usize,
    quarantine: Arc<Quarantine>,
    meter: Meter,
) -> BoxStream<'static, Result<Rows>> {
    batches
        .map_ok(move |(batch, numbers, refused)| {
            meter.add_read((numbers.len() + refused.len()) as u64);
            refused.into_iter().for_each(|refused| quarantine.push(refused));
            Rows { unit, keys: keys(unit, &numbers), batch }
        })
        .boxed()
}

fn keys(unit: usize, numbers: &[u64]) -> Vec<u64> {
    numbers.iter().map(|&row| row_key(unit, row)).collect()
}

/// The file columns that a table needs.
fn wanted_columns(source: &Source, shape: Shape) -> Vec<usize> {
    let needed = |column: &Column| match shape {
        Shape::Notes => column.role != Role::Drop,
        Shape::Documents => column.role == Role::Text,
    };
    // Who the patient is matters even where the column is left out.
    let identifies = |column: &Column| [source.columns.note(), source.columns.patient()].contains(&Some(column));
    let wanted = source.columns.iter().filter(|column| needed(column) || identifies(column));
    wanted.filter_map(|column| place_in_files(source, column)).collect()
}

/// The file columns that tell which note a row is, and whose.
pub(super) fn identifying_columns(source: &Source) -> Vec<usize> {
    let columns = [source.columns.note(), source.columns.patient()].into_iter().flatten();
    columns.filter_map(|column| place_in_files(source, column)).collect()
}

/// The place of a column in the files; none for a partition.
fn place_in_files(source: &Source, column: &Column) -> Option<usize> {
    if column.partition { None } else { source.schema.index_of(&column.name).ok() }
}

/// Turns strings that were read as bytes into strings; rows where one is not UTF-8 are refused.
fn accept_utf8(
    batch: RecordBatch,
    mut numbers: Vec<u64>,
    schema: &Schema,
    unit: usize,
    quarantine: &Quarantine,
) -> Result<(RecordBatch, Vec<u64>)> {
    let fault = |error: arrow::error::ArrowError| CorpusError::in_stage("read")(error.into());
    let is_text = |name: &str| schema.field_with_name(name).is_ok_and(|field| *field.data_type() == DataType::Utf8View);
    let mut accepted = vec![true; batch.num_rows()];
    for (field, column) in
        batch.schema_ref().fields().iter().zip(batch.columns()).filter(|(field, _)| is_text(field.name()))
    {
        let Some(column) = column.as_binary_view_opt() else { continue };
        for (row, value) in column.iter().enumerate() {
            if accepted[row] && value.is_some_and(|value| std::str::from_utf8(value).is_err()) {
                accepted[row] = false;
                quarantine.push(Refused {
                    unit,
                    row: numbers[row],
                    column: Some(field.name().clone()),
                    reason: "the text is not UTF-8",
                });
            }
        }
    }
    let batch = if accepted.contains(&false) {
        let mut keep = accepted.iter();
        numbers.retain(|_| *keep.next().unwrap_or(&false));
        filter_record_batch(&batch, &BooleanArray::from(accepted)).map_err(fault)?
    } else {
        batch
    };
    let (schema, columns, _) = batch.into_parts();
    let mut fields = schema.fields().to_vec();
    let mut accepted = Vec::with_capacity(columns.len());
    for (field, column) in fields.iter_mut().zip(columns) {
        match column.as_binary_view_opt() {
            Some(view) if is_text(field.name()) => {
                *field = Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View));
                accepted.push(Arc::new(view.clone().to_string_view().map_err(fault)?) as ArrayRef);
            }
            _ => accepted.push(column),
        }
    }
    Ok((RecordBatch::try_new(Arc::new(Schema::new(fields)), accepted).map_err(fault)?, numbers))
}

impl Rows {
    fn into_notes(self, source: &Source, schema: &SchemaRef) -> Result<RecordBatch> {
        let rows = self.batch.num_rows();
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(UInt64Array::from(self.keys.clone())), Arc::new(self.patients(source)?)];
        for field in &schema.fields()[2..] {
            columns.push(match self.batch.column_by_name(field.name()) {
                Some(column) => {
                    cast(column, field.data_type()).map_err(|error| CorpusError::in_stage("read")(error.into()))?
                }
                None => self.partition(source, field.name(), rows),
            });
        }
        RecordBatch::try_new(Arc::clone(schema), columns).map_err(|error| CorpusError::in_stage("read")(error.into()))
    }

    /// The value of a partition in every row; null where the folder says that there is none.
    fn partition(&self, source: &Source, name: &str, rows: usize) -> ArrayRef {
        let position = source.partitions.iter().position(|partition| partition == name);
        let value = position.map_or("", |position| source.units[self.unit].partition_values[position].as_str());
        let value = Some(value).filter(|value| *value != NO_VALUE);
        Arc::new(std::iter::repeat_n(value, rows).collect::<StringArray>())
    }

    fn into_documents(self, source: &Source) -> Result<Vec<RecordBatch>> {
        let fault = |error: arrow::error::ArrowError| CorpusError::in_stage("read")(error.into());
        let rows = self.batch.num_rows();
        let patients: ArrayRef = Arc::new(self.patients(source)?);
        let notes = match self.strings(source, source.columns.note())? {
            Some(notes) => notes,
            None => StringViewArray::new_null(rows),
        };
        let mut batches = Vec::new();
        for (place, column) in source.columns.of(Role::Text).enumerate() {
            let Some(text) = self.batch.column_by_name(&column.name) else { continue };
            let keys = UInt64Array::from_iter_values(self.keys.iter().map(|key| key + place as u64));
            let name = StringViewArray::from_iter_values(std::iter::repeat_n(&column.name, rows));
            let columns: [ArrayRef; 5] = [
                Arc::new(keys),
                Arc::new(notes.clone()),
                Arc::clone(&patients),
                Arc::new(name),
                cast(text, &DataType::Utf8View).map_err(fault)?,
            ];
            let present = arrow::compute::is_not_null(text).map_err(fault)?;
            let columns =
                columns.iter().map(|column| filter(column, &present)).collect::<Result<Vec<_>, _>>().map_err(fault)?;
            batches.push(RecordBatch::try_new(Arc::clone(&DOCUMENT_SCHEMA), columns).map_err(fault)?);
        }
        Ok(batches)
    }

    /// Who surrogates are consistent for: the patient's identifier as text, without white space around it. A note without one is
    /// its own pseudo-patient, named by its identifier or else by its file and its place in it, which are the same when other files come or go.
    pub(super) fn patients(&self, source: &Source) -> Result<StringViewArray> {
        let (patients, notes) =
            (self.strings(source, source.columns.patient())?, self.strings(source, source.columns.note())?);
        let present = |column: &Option<StringViewArray>, row: usize| {
            let value = column.as_ref().filter(|column| column.is_valid(row)).map(|column| column.value(row).trim());
            value.filter(|value| !value.is_empty()).map(str::to_owned)
        };
        let mut names = StringViewBuilder::with_capacity(self.keys.len());
        for (row, key) in self.keys.iter().enumerate() {
            names.append_value(present(&patients, row).unwrap_or_else(|| match present(&notes, row) {
                Some(note) => format!("{PSEUDO_PATIENT}note {note}"),
                None => self.by_place(source, *key),
            }));
        }
        Ok(names.finish())
    }

    /// The name of a pseudo-patient by the place of its note.
    fn by_place(&self, source: &Source, key: u64) -> String {
        let (unit, row) = (&source.units[self.unit], place_of_document(key).1);
        let (file, row) = (unit.file_of(row), unit.place_in_file(row));
        format!("{PSEUDO_PATIENT}row {row} of {}", source.location.path_below(file))
    }

    fn strings(&self, source: &Source, column: Option<&Column>) -> Result<Option<StringViewArray>> {
        let Some(column) = column else { return Ok(None) };
        let values = match self.batch.column_by_name(&column.name) {
            Some(values) => Arc::clone(values),
            None => self.partition(source, &column.name, self.batch.num_rows()),
        };
        identifiers(&values).map(Some).map_err(|error| CorpusError::in_stage("read")(error.into()))
    }
}
