//! The columns of the tables that stages hand on, read as what the stage after wants.

use arrow::array::{Array, AsArray, RecordBatch, StringViewArray, UInt64Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, UInt64Type};

use super::error::{CorpusError, Result};
use crate::text::SentenceHash;

/// What is said of a table that is not as the stage before has written it.
pub(super) fn unreadable(table: &'static str) -> CorpusError {
    CorpusError::internal(format!("the table `{table}` cannot be read"))
}

/// A column as keys: 16 bytes each.
pub(super) fn keys(batch: &RecordBatch, column: &str, table: &'static str) -> Result<Vec<u128>> {
    let hashes = batch.column_by_name(column).and_then(|column| column.as_fixed_size_binary_opt());
    let hashes = hashes.filter(|hashes| hashes.value_length() == 16).ok_or_else(|| unreadable(table))?;
    let key = |row| SentenceHash::try_from(hashes.value(row)).map(u128::from_be_bytes).map_err(|_| unreadable(table));
    (0..hashes.len()).map(key).collect()
}

/// A column as text.
pub(super) fn texts(batch: &RecordBatch, column: &str, table: &'static str) -> Result<StringViewArray> {
    let column = batch.column_by_name(column).ok_or_else(|| unreadable(table))?;
    cast(column, &DataType::Utf8View).map(|column| column.as_string_view().clone()).map_err(|_| unreadable(table))
}

/// A column as numbers.
pub(super) fn numbers(batch: &RecordBatch, column: &str, table: &'static str) -> Result<UInt64Array> {
    let column = batch.column_by_name(column).ok_or_else(|| unreadable(table))?;
    let column = cast(column, &DataType::UInt64).map_err(|_| unreadable(table))?;
    Ok(column.as_primitive::<UInt64Type>().clone())
}
