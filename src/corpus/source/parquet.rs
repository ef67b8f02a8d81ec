//! Parquet files of notes.
//!
//! Strings are read as bytes even where the file declares strings: a reader of strings refuses a whole batch for one
//! bad row, and the promise is that a bad row is refused alone.

use std::ops::Range;
use std::sync::Arc;

use ::parquet::arrow::ParquetRecordBatchStreamBuilder;
use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, RowSelection};
use ::parquet::arrow::async_reader::AsyncFileReader;
use ::parquet::basic::{ConvertedType, Type as PhysicalType};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::{FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataReader};
use ::parquet::schema::types::{SchemaDescriptor, Type, TypePtr};
use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, FieldRef, IntervalUnit, Schema, SchemaRef, TimeUnit};
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt, TryFutureExt};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};

use super::discover::file_uri;
use super::{Source, Unit};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::schema::{bare, is_text};
use crate::corpus::store::Location;

/// What stands at the end of a Parquet file.
#[derive(Debug, Clone)]
pub struct Footer {
    metadata: ArrowReaderMetadata,
    /// The columns as the file has them, before anything of them is taken otherwise.
    schema: TypePtr,
}

impl Footer {
    /// The columns as the file has them.
    pub(super) fn parquet_schema(&self) -> &Type {
        &self.schema
    }
}

/// Rows decoded at once at most, and bytes after which a batch is closed: a note may be large.
const BATCH_ROWS: u64 = 1024;
const BATCH_BYTES: u64 = 16 << 20;

/// Reads a file's footer.
pub(super) async fn footer(location: &Location, file: &ObjectMeta) -> Result<Footer> {
    let mut reader = reader(location, &file.location, file.size);
    let loaded = ArrowReaderMetadata::load_async(&mut reader, ArrowReaderOptions::new()).await;
    let taken = loaded.and_then(|metadata| {
        let schema = metadata.parquet_schema().root_schema_ptr();
        let metadata = with_intervals_in_bytes(metadata).and_then(with_microseconds)?;
        Ok(Footer { metadata, schema })
    });
    taken.map_err(|error| {
        match CorpusError::in_input(&file_uri(location, file), &error) {
            temporary if temporary.is_temporary() => temporary,
            // The store refused it, which says nothing of what is in it.
            refused if matches!(error, ParquetError::External(_)) => refused,
            _ => CorpusError::input(
                file_uri(location, file),
                format!("it is not a whole Parquet file ({})", first_line(&error)),
            ),
        }
    })
}

/// What the columns of a file are called.
///
/// # Errors
/// [`CorpusError::Input`] where it is no whole Parquet file, or cannot be read.
pub(in crate::corpus) async fn column_names(location: &Location, file: &ObjectMeta) -> Result<Vec<String>> {
    let footer = footer(location, file).await?;
    Ok(footer.parquet_schema().get_fields().iter().map(|column| column.name().to_owned()).collect())
}

/// The same metadata with intervals of months, days and milliseconds as the bytes that they are: they would be read as days and milliseconds, without
/// the months.
fn with_intervals_in_bytes(metadata: ArrowReaderMetadata) -> Result<ArrowReaderMetadata, ParquetError> {
    let is_read_so = |field: &Field| *field.data_type() == DataType::Interval(IntervalUnit::DayTime);
    if !metadata.schema().flattened_fields().into_iter().any(is_read_so) {
        return Ok(metadata);
    }
    let root = metadata.parquet_schema().root_schema();
    let columns = root.get_fields().iter().map(without_interval);
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let root = Type::group_type_builder(root.name()).with_fields(columns).build()?;
    let key_values = metadata.metadata().file_metadata().key_value_metadata().cloned();
    let metadata = with_columns(metadata.metadata(), root, key_values);
    ArrowReaderMetadata::try_new(Arc::new(metadata), ArrowReaderOptions::new())
}

/// A column of which, and of whose fields, it is not said that they are intervals.
fn without_interval(column: &TypePtr) -> Result<TypePtr, ParquetError> {
    let info = column.get_basic_info();
    if column.is_group() {
        let fields = column.get_fields().iter().map(without_interval);
        return Type::group_type_builder(column.name())
            .with_repetition(info.repetition())
            .with_logical_type(info.logical_type_ref().cloned())
            .with_converted_type(info.converted_type())
            .with_fields(fields.collect::<Result<Vec<_>, _>>()?)
            .build()
            .map(Arc::new);
    }
    if info.converted_type() != ConvertedType::INTERVAL {
        return Ok(Arc::clone(column));
    }
    Type::primitive_type_builder(column.name(), column.get_physical_type())
        .with_repetition(info.repetition())
        .with_length(INTERVAL_BYTES)
        .build()
        .map(Arc::new)
}

/// The same metadata of a file whose columns are said to be others.
fn with_columns(metadata: &ParquetMetaData, root: Type, key_values: Option<Vec<KeyValue>>) -> ParquetMetaData {
    let file = metadata.file_metadata();
    let file = FileMetaData::new(
        file.version(),
        file.num_rows(),
        file.created_by().map(str::to_owned),
        key_values,
        Arc::new(SchemaDescriptor::new(Arc::new(root))),
        file.column_orders().cloned(),
    );
    ParquetMetaData::new(file, metadata.row_groups().to_vec())
}

/// The bytes of an interval: four for months, days and milliseconds each.
const INTERVAL_BYTES: i32 = 12;

/// The same metadata with the timestamps of Spark, Hive and Impala (INT96) in microseconds: in nanoseconds, which is what is read where the file does
/// not say otherwise, days before 1677 and after 2262 become others, and so would `9999-12-31`.
fn with_microseconds(metadata: ArrowReaderMetadata) -> Result<ArrowReaderMetadata, ParquetError> {
    let leaves = metadata.parquet_schema().columns();
    if leaves.iter().all(|leaf| leaf.physical_type() != PhysicalType::INT96) {
        return Ok(metadata);
    }
    let mut leaves = leaves.iter().map(|leaf| leaf.physical_type() == PhysicalType::INT96);
    let fields = metadata.schema().fields().iter().map(|field| in_microseconds(field, &mut leaves));
    let schema = Schema::new_with_metadata(fields.collect::<Vec<_>>(), metadata.schema().metadata().clone());
    let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
    ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options)
}

/// A field with the timestamps in microseconds of which `leaves`, a value for each of the file's columns below it, say so.
fn in_microseconds(field: &FieldRef, leaves: &mut impl Iterator<Item = bool>) -> FieldRef {
    let data_type = match field.data_type() {
        DataType::List(item) => DataType::List(in_microseconds(item, leaves)),
        DataType::LargeList(item) => DataType::LargeList(in_microseconds(item, leaves)),
        DataType::FixedSizeList(item, size) => DataType::FixedSizeList(in_microseconds(item, leaves), *size),
        DataType::Map(entries, sorted) => DataType::Map(in_microseconds(entries, leaves), *sorted),
        DataType::Struct(fields) => {
            DataType::Struct(fields.iter().map(|field| in_microseconds(field, leaves)).collect())
        }
        other => match (leaves.next(), other) {
            (Some(true), DataType::Timestamp(TimeUnit::Nanosecond, zone)) => {
                DataType::Timestamp(TimeUnit::Microsecond, zone.clone())
            }
            (_, other) => other.clone(),
        },
    };
    Arc::new(field.as_ref().clone().with_data_type(data_type))
}

/// The columns of all files, in the order of the first: they are found by name, so each file may have an order of its own. What else may
/// differ is what makes no difference to what is read: see [`united`].
pub(super) fn common_schema(location: &Location, files: &[ObjectMeta], footers: &[Footer]) -> Result<SchemaRef> {
    let Some(first) = footers.first() else {
        return Err(CorpusError::input(location.uri(), "there are no files there"));
    };
    let mut columns = first.metadata.schema().fields().to_vec();
    for (file, footer) in files.iter().zip(footers) {
        let joined = join(&mut columns, footer.metadata.schema());
        joined.map_err(|reason| CorpusError::input(file_uri(location, file), reason))?;
    }
    Ok(Arc::new(Schema::new(columns)))
}

/// Takes what one more file says of the columns; tells the first that it has otherwise, by names and types alone.
fn join(columns: &mut [FieldRef], file: &Schema) -> Result<(), String> {
    for column in columns.iter_mut() {
        let Ok(other) = file.field_with_name(column.name()) else {
            return Err(format!("it has no column `{}`, which the first file has", column.name()));
        };
        let Some(data_type) = united(column.data_type(), other.data_type()) else {
            let (before, here) = (bare(column.data_type()), bare(other.data_type()));
            return Err(format!(
                "its column `{}` is of type {here}, that of the files before is {before}",
                column.name()
            ));
        };
        // Some writers say of a column in which all is null that nothing in it is.
        let has_nulls = |field: &Field| field.is_nullable() || *field.data_type() == DataType::Null;
        let is_nullable = has_nulls(column) || has_nulls(other);
        *column = Arc::new(column.as_ref().clone().with_data_type(data_type).with_nullable(is_nullable));
    }
    let is_new = |field: &&FieldRef| columns.iter().all(|column| column.name() != field.name());
    match file.fields().iter().find(is_new) {
        Some(further) => Err(format!("it has a column `{}`, which the first file has not", further.name())),
        None if file.fields().len() != columns.len() => Err("it has two columns of one name".to_owned()),
        None => Ok(()),
    }
}

/// The type that both are read as, where there is one: strings are strings however they are stored, and a column without a type, in which all
/// is null, is of any.
fn united(one: &DataType, other: &DataType) -> Option<DataType> {
    match (one, other) {
        (DataType::Null, typed) | (typed, DataType::Null) => Some(typed.clone()),
        _ if bare(one) == bare(other) || (is_text(one) && is_text(other)) => Some(one.clone()),
        _ => None,
    }
}

/// The same metadata with every string (a view of UTF-8 in `schema`) declared binary; a column in which all is null has no strings, and
/// stays what it is.
pub(super) fn text_as_binary(footer: &Footer, schema: &SchemaRef) -> Result<ArrowReaderMetadata, ParquetError> {
    let metadata = footer.metadata.metadata();
    let file = metadata.file_metadata();
    let in_file = footer.metadata.schema();
    let is_string = |name: &str| {
        schema.field_with_name(name).is_ok_and(|field| *field.data_type() == DataType::Utf8View)
            && in_file.field_with_name(name).is_ok_and(|field| *field.data_type() != DataType::Null)
    };
    let fields = file.schema_descr().root_schema().get_fields().iter().map(|field| {
        if !(field.is_primitive() && is_string(field.name())) {
            return Ok(Arc::clone(field));
        }
        Type::primitive_type_builder(field.name(), field.get_physical_type())
            .with_repetition(field.get_basic_info().repetition())
            .build()
            .map(Arc::new)
    });
    let root = Type::group_type_builder(file.schema_descr().root_schema().name())
        .with_fields(fields.collect::<Result<_, _>>()?)
        .build()?;
    let metadata = with_columns(metadata, root, None);
    let wanted = in_file.fields().iter().map(|field| {
        if is_string(field.name()) {
            Arc::new(Field::new(field.name(), DataType::BinaryView, field.is_nullable()))
        } else {
            Arc::clone(field)
        }
    });
    let wanted = Arc::new(Schema::new(wanted.collect::<Vec<_>>()));
    ArrowReaderMetadata::try_new(Arc::new(metadata), ArrowReaderOptions::new().with_schema(wanted))
}

/// The rows of a unit but the deleted ones, strings as binary, with the wanted columns of the source in the order of the file.
pub(super) fn read(
    source: &Source,
    unit: &Unit,
    metadata: &ArrowReaderMetadata,
    groups: Range<usize>,
    deleted: Option<&[u64]>,
    wanted: &[usize],
) -> Result<BoxStream<'static, Result<RecordBatch>>> {
    let name = source.location.name_of(&unit.file);
    let bytes: u64 = metadata.metadata().row_groups()[groups.clone()]
        .iter()
        .map(|group| group.total_byte_size().unsigned_abs())
        .sum();
    let rows: u64 =
        metadata.metadata().row_groups()[groups.clone()].iter().map(|group| group.num_rows().unsigned_abs()).sum();
    let batch_rows = (BATCH_BYTES * rows.max(1) / bytes.max(1)).clamp(1, BATCH_ROWS);
    let reader = reader(&source.location, &unit.file, unit.bytes);
    let in_file = wanted.iter().map(|&column| metadata.schema().index_of(source.schema.field(column).name()));
    let in_file = in_file.collect::<Result<Vec<_>, _>>().map_err(|error| CorpusError::in_input(&name, &error))?;
    let projection = ProjectionMask::roots(metadata.parquet_schema(), in_file);
    let mut stream = ParquetRecordBatchStreamBuilder::new_with_metadata(reader, metadata.clone())
        .with_row_groups(groups.collect())
        .with_projection(projection)
        .with_batch_size(batch_rows as usize);
    if let Some(deleted) = deleted {
        let first = unit.first_row();
        stream = stream.with_row_selection(rows_left(deleted, first..first + rows));
    }
    let stream = stream.build().map_err(|error| CorpusError::in_input(&name, &error))?;
    Ok(stream.map(move |batch| batch.map_err(|error| CorpusError::in_input(&name, &error))).boxed())
}

/// Which rows of a stretch of a file are left, of those the deleted ones given by their places in the file.
pub(in crate::corpus) fn rows_left(deleted: &[u64], stretch: Range<u64>) -> RowSelection {
    let (begin, end) = (stretch.start, stretch.end);
    let within = deleted.iter().copied().filter(|row| stretch.contains(row));
    let mut next = begin;
    let mut kept = Vec::new();
    for row in within.chain([end]) {
        kept.push((next - begin) as usize..(row - begin) as usize);
        next = row + 1;
    }
    kept.retain(|range| !range.is_empty());
    RowSelection::from_consecutive_ranges(kept.into_iter(), (end - begin) as usize)
}

fn reader(location: &Location, path: &Path, bytes: u64) -> StoredFile {
    StoredFile { store: location.store(), path: path.clone(), bytes }
}

/// A file in an object store, read by ranges.
struct StoredFile {
    store: Arc<dyn ObjectStore>,
    path: Path,
    bytes: u64,
}

impl AsyncFileReader for StoredFile {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, Result<Bytes, ParquetError>> {
        self.store.get_range(&self.path, range).map_err(|error| ParquetError::External(Box::new(error))).boxed()
    }

    fn get_byte_ranges(&mut self, ranges: Vec<Range<u64>>) -> BoxFuture<'_, Result<Vec<Bytes>, ParquetError>> {
        async move {
            self.store.get_ranges(&self.path, &ranges).await.map_err(|error| ParquetError::External(Box::new(error)))
        }
        .boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _options: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, Result<Arc<ParquetMetaData>, ParquetError>> {
        async move {
            let bytes = self.bytes;
            ParquetMetaDataReader::new().load_and_finish(self, bytes).await.map(Arc::new)
        }
        .boxed()
    }
}

fn first_line(error: &ParquetError) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(columns: &[(&str, DataType)]) -> Schema {
        Schema::new(columns.iter().map(|(name, kind)| Field::new(*name, kind.clone(), false)).collect::<Vec<_>>())
    }

    #[test]
    fn columns_are_those_of_all_files_by_name() {
        let coded = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        let first = columns(&[("a", DataType::Null), ("b", DataType::LargeUtf8), ("c", DataType::Int64)]);
        let mut joined = first.fields().to_vec();
        let null = Schema::new(vec![
            Field::new("b", DataType::Null, true),
            Field::new("c", DataType::Int64, false),
            Field::new("a", DataType::Date32, false),
        ]);
        join(&mut joined, &null).unwrap();
        join(&mut joined, &columns(&[("c", DataType::Int64), ("b", coded), ("a", DataType::Date32)])).unwrap();
        let read: Vec<_> = joined.iter().map(|column| (column.name().as_str(), column.data_type().clone())).collect();
        assert_eq!(read, [("a", DataType::Date32), ("b", DataType::LargeUtf8), ("c", DataType::Int64)]);
        assert_eq!(joined.iter().map(|column| column.is_nullable()).collect::<Vec<_>>(), [true, true, false]);
    }

    #[test]
    fn what_is_read_otherwise_is_told_by_name_and_type() {
        let first = columns(&[("a", DataType::Utf8), ("b", DataType::Int64)]);
        let told = |file: &[(&str, DataType)]| join(&mut first.fields().to_vec(), &columns(file)).unwrap_err();
        let (a, b) = (("a", DataType::Utf8), ("b", DataType::Int64));
        let other = told(&[a.clone(), ("b", DataType::Int32)]);
        assert!(other.contains("`b` is of type Int32") && other.contains("Int64"), "{other}");
        assert!(told(std::slice::from_ref(&a)).contains("no column `b`"));
        assert!(told(&[a.clone(), b.clone(), ("ward", DataType::Utf8)]).contains("`ward`"));
        assert!(told(&[a.clone(), b, a]).contains("two columns"));
    }
}
