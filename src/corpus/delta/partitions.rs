//! Rows of a table with partitions go to files by what they have in some columns, which the log tells and the files do not hold.
//!
//! ```text
//! text  note_type  year
//! "…"   ED         2024        note_type=ED/year=2024/        "…", "…"
//! "…"   Progress   2024   ─▶   note_type=Progress/year=2024/  "…"
//! "…"   ED         2024
//! ```

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use arrow::array::{Array, AsArray, RecordBatch, StringArray, UInt32Array};
use arrow::compute::{CastOptions, cast_with_options, take_record_batch};
use arrow::datatypes::DataType;
use arrow::util::display::FormatOptions;
use delta_kernel::expressions::Scalar;
use delta_kernel::schema::{DataType as DeltaType, StructType};
use delta_kernel::transaction::{BoundWriteContext, WriteState};

use super::kernel::done;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;

/// How a time without a zone is written, of which Arrow has another form.
const TIME: &str = "%Y-%m-%d %H:%M:%S%.f";

/// What the partitions of some rows are, as texts in the order of their columns; none for null.
pub(super) type Values = Vec<Option<String>>;

/// The columns of a table that its files do not hold; they come after the others.
#[derive(Debug)]
pub(super) struct Partitions {
    columns: Vec<(String, DeltaType)>,
}

impl Partitions {
    /// Those of a table with these columns that are named.
    pub(super) fn of(table: &StructType, names: &[String]) -> Self {
        let is_named = |name: &String| names.contains(name);
        let fields = table.fields().filter(|field| is_named(field.name()));
        Self { columns: fields.map(|field| (field.name().clone(), field.data_type().clone())).collect() }
    }

    /// The rows of a batch by their partitions, without the columns of these.
    ///
    /// # Errors
    /// [`CorpusError::Output`] for a text without letters, and for bytes that are no text: a log cannot tell them from nothing.
    pub(super) fn split(&self, location: &Location, rows: &RecordBatch) -> Result<Vec<(Values, RecordBatch)>> {
        let of_files = rows.num_columns() - self.columns.len();
        let texts = rows.columns()[of_files..].iter().map(|column| written(column));
        let unwritten = || CorpusError::output(location.uri(), "a value of a partition is one that a log cannot hold");
        let texts: Vec<StringArray> = texts.collect::<Option<_>>().ok_or_else(unwritten)?;
        let mut groups: BTreeMap<Vec<Option<&str>>, Vec<u32>> = BTreeMap::new();
        for row in 0..rows.num_rows() {
            let values = texts.iter().map(|texts| texts.is_valid(row).then(|| texts.value(row))).collect();
            groups.entry(values).or_default().push(row as u32);
        }
        if groups.keys().flatten().any(|value| *value == Some("")) {
            let reason =
                "a partition has a text without letters, which is null in a Delta table; give null, or a word for it";
            return Err(CorpusError::output(location.uri(), reason));
        }
        let in_arrow = |error| CorpusError::in_stage("append")(datafusion::error::DataFusionError::from(error));
        let in_files: Vec<_> = (0..of_files).collect();
        let in_files = rows.project(&in_files).map_err(in_arrow)?;
        let is_one = groups.len() == 1;
        let parted = groups.into_iter().map(|(values, places)| {
            let values = values.into_iter().map(|value| value.map(str::to_owned)).collect();
            match is_one {
                true => Ok((values, in_files.clone())),
                false => Ok((values, take_record_batch(&in_files, &UInt32Array::from(places)).map_err(in_arrow)?)),
            }
        });
        parted.collect()
    }

    /// How a file of rows with these values is written.
    ///
    /// # Errors
    /// [`CorpusError::Input`] for a value that is none of the column's type.
    pub(super) fn context(
        &self,
        location: &Location,
        state: &Arc<WriteState>,
        values: Values,
    ) -> Result<BoundWriteContext> {
        let context = state.write_context_builder();
        if self.columns.is_empty() {
            return done(location, context.build());
        }
        let scalars = self.columns.iter().zip(values).map(|((name, data_type), value)| {
            let scalar = match (value, data_type) {
                (Some(value), DeltaType::Primitive(primitive)) => primitive.parse_scalar(&value)?,
                (_, data_type) => Scalar::Null(data_type.clone()),
            };
            Ok((name.clone(), scalar))
        });
        let scalars = done(location, scalars.collect::<delta_kernel::KernelResult<HashMap<_, _>>>())?;
        done(location, context.with_partition_values(scalars).build())
    }
}

/// The values of a column as the log writes them; none where one cannot be written.
fn written(column: &dyn Array) -> Option<StringArray> {
    let options = CastOptions { safe: false, format_options: FormatOptions::new().with_timestamp_format(Some(TIME)) };
    Some(cast_with_options(column, &DataType::Utf8, &options).ok()?.as_string::<i32>().clone())
}

/// Rows that wait for a file, by their partitions.
#[derive(Default)]
pub(super) struct Gathered {
    groups: BTreeMap<Values, (usize, Vec<RecordBatch>)>,
    bytes: usize,
}

impl Gathered {
    pub(super) fn add(&mut self, values: Values, rows: RecordBatch) {
        let bytes = rows.get_array_memory_size();
        let group = self.groups.entry(values).or_default();
        group.0 += bytes;
        self.bytes += bytes;
        group.1.push(rows);
    }

    /// The partition with the most bytes, where all together have more than these.
    pub(super) fn largest_above(&mut self, bytes: usize) -> Option<(Values, Vec<RecordBatch>)> {
        if self.bytes < bytes {
            return None;
        }
        let largest = self.groups.iter().max_by_key(|(_, (bytes, _))| *bytes)?.0.clone();
        let (bytes, rows) = self.groups.remove(&largest)?;
        self.bytes -= bytes;
        Some((largest, rows))
    }

    /// What is left.
    pub(super) fn rest(self) -> impl Iterator<Item = (Values, Vec<RecordBatch>)> {
        self.groups.into_iter().map(|(values, (_, rows))| (values, rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{ArrayRef, BooleanArray, Date32Array, Int32Array, TimestampMicrosecondArray};
    use arrow::datatypes::{Field, Schema};
    use delta_kernel::engine::arrow_conversion::TryIntoKernel;

    fn place() -> Location {
        Location::parse("/t").unwrap()
    }

    /// Rows of three columns: texts, and partitions.
    fn rows(partitions: Vec<(&str, ArrayRef)>) -> (Partitions, RecordBatch) {
        let texts = Arc::new(StringArray::from_iter_values(["a", "b", "c"])) as ArrayRef;
        let columns: Vec<_> = std::iter::once(("text", texts)).chain(partitions).collect();
        let fields = columns.iter().map(|(name, column)| Field::new(*name, column.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let table: StructType = schema.as_ref().try_into_kernel().unwrap();
        let names: Vec<_> = columns.iter().skip(1).map(|(name, _)| (*name).to_owned()).collect();
        let values = columns.into_iter().map(|(_, column)| column).collect();
        (Partitions::of(&table, &names), RecordBatch::try_new(schema, values).unwrap())
    }

    fn split(partitions: Vec<(&str, ArrayRef)>) -> Vec<(Vec<String>, Vec<String>)> {
        let (partitions, rows) = rows(partitions);
        let text = |value: Option<String>| value.unwrap_or_else(|| "null".to_owned());
        let parted = partitions.split(&place(), &rows).unwrap().into_iter().map(|(values, rows)| {
            let texts = rows.column(0).as_string::<i32>().iter().flatten().map(str::to_owned).collect();
            assert_eq!(rows.num_columns(), 1);
            (values.into_iter().map(text).collect(), texts)
        });
        parted.collect()
    }

    #[test]
    fn rows_are_parted_by_all_columns() {
        let kinds = Arc::new(StringArray::from(vec![Some("ED"), None, Some("ED")])) as ArrayRef;
        let years = |years: [i32; 3]| Arc::new(Int32Array::from_iter_values(years)) as ArrayRef;
        let parts = |values: &[&str], texts: &[&str]| {
            let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
            (owned(values), owned(texts))
        };
        let both = split(vec![("kind", Arc::clone(&kinds)), ("year", years([2024, 2024, 2024]))]);
        assert_eq!(both, [parts(&["null", "2024"], &["b"]), parts(&["ED", "2024"], &["a", "c"])]);
        let apart = split(vec![("kind", kinds), ("year", years([2024, 2024, 2025]))]);
        assert_eq!(apart.len(), 3);
        assert_eq!(split(vec![]), [parts(&[], &["a", "b", "c"])]);
    }

    #[test]
    fn values_are_read_as_they_were_written() {
        let times = TimestampMicrosecondArray::from(vec![1_718_454_645_123_456, -1, 0]);
        let (partitions, rows) = rows(vec![
            ("day", Arc::new(Date32Array::from(vec![19_000, -5, 0]))),
            ("is_new", Arc::new(BooleanArray::from(vec![true, false, true]))),
            ("local", Arc::new(times.clone())),
            ("time", Arc::new(times.clone().with_timezone("UTC"))),
        ]);
        let mut read: Vec<_> = partitions.split(&place(), &rows).unwrap();
        read.sort_by_key(|(_, rows)| rows.column(0).as_string::<i32>().value(0).to_owned());
        for (row, (values, _)) in read.iter().enumerate() {
            let scalars = partitions.columns.iter().zip(values).map(|((_, data_type), value)| {
                let DeltaType::Primitive(primitive) = data_type else { panic!("{data_type}") };
                primitive.parse_scalar(value.as_ref().unwrap()).unwrap()
            });
            let scalars: Vec<_> = scalars.collect();
            let micros = times.value(row);
            assert_eq!(scalars[0], Scalar::Date([19_000, -5, 0][row]));
            assert_eq!(scalars[1], Scalar::Boolean(row != 1));
            assert_eq!(scalars[2..], [Scalar::TimestampNtz(micros), Scalar::Timestamp(micros)]);
        }
    }

    #[test]
    fn a_text_without_letters_is_no_partition() {
        let (partitions, rows) = rows(vec![("kind", Arc::new(StringArray::from(vec!["ED", "", "ED"])) as ArrayRef)]);
        assert!(matches!(partitions.split(&place(), &rows), Err(CorpusError::Output { .. })));
    }

    #[test]
    fn the_largest_partition_goes_first() {
        let batch = |rows: usize| {
            let texts = StringArray::from_iter_values(std::iter::repeat_n("some text of a note", rows));
            RecordBatch::try_from_iter([("text", Arc::new(texts) as ArrayRef)]).unwrap()
        };
        let mut gathered = Gathered::default();
        for (kind, rows) in [("a", 10), ("b", 100), ("a", 20)] {
            gathered.add(vec![Some(kind.to_owned())], batch(rows));
        }
        assert!(gathered.largest_above(1 << 20).is_none());
        let (values, rows) = gathered.largest_above(100).unwrap();
        assert_eq!((values, rows.len()), (vec![Some("b".to_owned())], 1));
        assert_eq!(gathered.rest().map(|(_, rows)| rows.len()).collect::<Vec<_>>(), [2]);
    }
}
