//! A review file of an inclusion list as a Parquet table: its columns, with types.
//!
//! ```text
//! sentence  context  after  occurrences  notes  patients  why        claims  decision  reviewer  time       reason  check     list
//! utf8      utf8     utf8   uint64       …      …         utf8       utf8    utf8      utf8      timestamp  utf8    utf8      utf8
//! Normal.   Heart…          530          512    412       prevalent          (null)    (null)    (null)     (null)  ohfjkjhh  format=1 …
//! ```
//!
//! Text is as it is in the notes. What nobody has decided is null, and so is the context of a sentence that is listed in any. The last column
//! repeats what the first line of a CSV says, since other programs keep columns and drop what else a Parquet file says of itself.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, TimeUnit};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::detect::inclusion::ReviewFile;

/// The column that says of which list the rows are.
const LIST: &str = "list";

/// The type in which a column is written.
fn type_of(column: &str) -> DataType {
    match column {
        "occurrences" | "notes" | "patients" => DataType::UInt64,
        "time" => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        _ => DataType::Utf8,
    }
}

/// A review file as the bytes of a Parquet file. It quotes notes: the caller writes it with mode 0600.
///
/// # Errors
/// A message without note text, where the table cannot be made.
pub fn to_parquet(file: &ReviewFile) -> Result<Vec<u8>, String> {
    let fail = |error: &dyn std::fmt::Display| format!("the table cannot be made: {error}");
    let rows: Vec<_> = file.rows().collect();
    let text = |column: usize| rows.iter().map(|row| row[column].as_deref()).collect::<StringArray>();
    let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
    for (index, name) in ReviewFile::COLUMNS.into_iter().enumerate() {
        columns.push((name, cast(&text(index), &type_of(name)).map_err(|error| fail(&error))?));
    }
    columns.push((LIST, Arc::new(StringArray::from(vec![file.title(); rows.len()]))));
    let nullable = columns.into_iter().map(|(name, column)| (name, column, true));
    let batch = RecordBatch::try_from_iter_with_nullable(nullable).map_err(|error| fail(&error))?;
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
    let mut writer =
        ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).map_err(|error| fail(&error))?;
    writer.write(&batch).map_err(|error| fail(&error))?;
    writer.into_inner().map_err(|error| fail(&error))
}

/// The review file that the bytes of a Parquet file hold, as [`to_parquet`] or another program has written it: columns in any order and of any
/// type that can be read as text, `after` not asked for.
///
/// # Errors
/// A message with the row or column, and without note text.
pub fn of_parquet(bytes: Vec<u8>) -> Result<ReviewFile, String> {
    let fail = |error: &dyn std::fmt::Display| format!("this is no Parquet file that can be read: {error}");
    let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes)).map_err(|error| fail(&error))?;
    let schema = Arc::clone(reader.schema());
    let batches: Vec<RecordBatch> =
        reader.build().and_then(|reader| Ok(reader.collect::<Result<_, _>>()?)).map_err(|error| fail(&error))?;
    let table = arrow::compute::concat_batches(&schema, &batches).map_err(|error| fail(&error))?;
    let text = |name: &str| -> Result<Option<StringArray>, String> {
        let Some(column) = table.column_by_name(name) else { return Ok(None) };
        let column =
            cast(column, &DataType::Utf8).map_err(|_| format!("the column `{name}` cannot be read as text"))?;
        Ok(column.as_any().downcast_ref().cloned())
    };
    let mut columns = Vec::new();
    for name in ReviewFile::COLUMNS {
        let column = text(name)?;
        if column.is_none() && name != "after" {
            return Err(format!("there is no column `{name}`"));
        }
        columns.push(column);
    }
    let titles = text(LIST)?.ok_or_else(|| format!("there is no column `{LIST}`"))?;
    let title = titles.iter().flatten().next().ok_or("there is no row that tells of which list the rows are")?;
    if titles.iter().any(|other| other != Some(title)) {
        return Err("the rows are of several lists; bring these together with `inclusion merge`".to_owned());
    }
    let value = |column: &Option<StringArray>, row: usize| {
        column.as_ref().filter(|column| column.is_valid(row)).map(|column| column.value(row).to_owned())
    };
    let rows: Vec<[Option<String>; 13]> =
        (0..table.num_rows()).map(|row| std::array::from_fn(|column| value(&columns[column], row))).collect();
    let rows = rows.iter().map(|row| row.each_ref().map(Option::as_deref));
    ReviewFile::of_rows(title, rows).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::detect::inclusion::{Approval, Candidate, ClaimedRange, Context, Why};
    use crate::text::ContextMode;

    /// Awkward texts, any context, a claim behind letters of several bytes, and one approval.
    fn file() -> ReviewFile {
        let candidate = |context, sentence: &str, patients, claims| Candidate {
            context,
            sentence: sentence.to_owned(),
            occurrences: patients,
            notes: patients,
            patients,
            why: Why::Medical,
            claims,
        };
        let after = Context::This { before: "*".to_owned(), after: String::new() };
        let claim = ClaimedRange { start: 8, end: 11, label: "DOCTOR".to_owned() };
        let candidates = [
            candidate(Context::ALONE, "=3/4, \"quiet\"\nnight.", 30, vec![]),
            candidate(Context::Any, "Stable.", 20, vec![]),
            candidate(after, "'Normal.", 10, vec![]),
            candidate(Context::ALONE, "Été by Lee.", 12, vec![claim]),
        ];
        let mut file = ReviewFile::new(ContextMode::Short, candidates).unwrap();
        let approval = Approval { patients_at_least: 20, including_claimed: false };
        file.approve(approval, "Meyer", "read", DateTime::UNIX_EPOCH).unwrap();
        file
    }

    /// The table with one column left out.
    fn without(file: &ReviewFile, column: &str) -> Vec<u8> {
        let bytes = Bytes::from(to_parquet(file).unwrap());
        let mut batch =
            ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap().build().unwrap().next().unwrap().unwrap();
        batch.remove_column(batch.schema().index_of(column).unwrap());
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    }

    #[test]
    fn a_file_is_the_same_as_table_and_as_text() {
        let file = file();
        let table = of_parquet(to_parquet(&file).unwrap()).unwrap();
        assert_eq!(table, file);
        assert_eq!(table.to_csv(), file.to_csv());
        assert_eq!(ReviewFile::parse(&table.to_csv()).unwrap(), file);
    }

    #[test]
    fn what_is_no_review_table_is_refused_without_its_text() {
        let message = of_parquet(b"sentence,decision\nLee,approved\n".to_vec()).unwrap_err();
        assert!(message.contains("Parquet") && !message.contains("Lee"), "{message}");
        assert!(of_parquet(without(&file(), "reason")).unwrap_err().contains("`reason`"));
        assert!(of_parquet(without(&file(), "list")).unwrap_err().contains("`list`"));
        assert_eq!(of_parquet(without(&file(), "after")).unwrap(), file());
        assert!(of_parquet(without(&file(), "check")).unwrap_err().contains("`check`"));
        let empty = ReviewFile::new(ContextMode::Short, []).unwrap();
        assert!(of_parquet(to_parquet(&empty).unwrap()).unwrap_err().contains("no row"));
    }
}
