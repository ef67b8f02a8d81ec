//! Annotations in tables: a row a span.
//!
//! ```text
//! note_id │ start │ end │ label                                Parquet: the engine reads it ┐
//! {"note_id": "n1", "start": 12, "end": 22, "label": "CITY"}   JSON Lines: read line by line ┴─▶ note ─▶ annotations
//! ```
//!
//! An offset that is no whole number is refused, whatever the type of its column: cut to one, it would be scored as another span. For that
//! JSON Lines are read here: the engine cuts such numbers where it has taken a column for one of whole ones. A file without lines has no
//! spans; `detect` writes it for notes in which it finds nothing.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type};
use datafusion::prelude::SessionContext;
use futures::TryStreamExt;
use object_store::ObjectStoreExt;
use object_store::path::Path;
use serde::Deserialize;
use serde_json::Value;

use super::annotations::Annotations;
use crate::corpus::delta;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::files::open;
use crate::corpus::source::{identifier, identifiers};
use crate::corpus::store::Location;
use crate::evaluate::gold::Annotation;

/// The columns of a table of spans.
const COLUMNS: [&str; 4] = ["note_id", "start", "end", "label"];
/// The column that says of which text of a note a span is, where notes have several.
const TEXT_COLUMN: &str = "text_column";

/// The greatest offset: beyond it floating point knows not every whole number, and no note is so long.
const MOST: u64 = 1 << 53;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A line of JSON; what else it has does not matter.
#[derive(Deserialize)]
struct Row {
    note_id: Option<Value>,
    start: Option<Value>,
    end: Option<Value>,
    label: Option<Value>,
    text_column: Option<String>,
}

impl Annotations {
    /// Reads a table by the engine.
    pub(super) async fn read_table(&mut self, context: &SessionContext, location: &Location) -> Result<()> {
        let fail = |error: datafusion::error::DataFusionError| {
            CorpusError::input(location.uri(), error.to_string().lines().next().unwrap_or_default())
        };
        let table = open(context, location).await?;
        let is_told = table.schema().has_column_with_unqualified_name(TEXT_COLUMN);
        let names: Vec<&str> = COLUMNS.into_iter().chain(is_told.then_some(TEXT_COLUMN)).collect();
        let columns = table.select_columns(&names).map_err(fail)?;
        let mut batches = columns.execute_stream().await.map_err(fail)?;
        let mut before = 0;
        while let Some(batch) = batches.try_next().await.map_err(fail)? {
            self.add_rows(&batch, before).map_err(|reason| CorpusError::input(location.uri(), reason))?;
            before += batch.num_rows();
        }
        Ok(())
    }

    /// Adds rows; so many were before them.
    fn add_rows(&mut self, batch: &RecordBatch, before: usize) -> Result<(), String> {
        let (notes, labels) = (texts(batch, 0, before)?, texts(batch, 3, before)?);
        let (starts, ends) = (offsets(batch, 1, before)?, offsets(batch, 2, before)?);
        if let Some(columns) = batch.column_by_name(TEXT_COLUMN).and_then(|columns| as_type(columns, &DataType::Utf8)) {
            self.text_columns.extend(columns.as_string::<i32>().iter().flatten().map(str::to_owned));
        }
        for (((note, label), start), end) in notes.into_iter().zip(labels).zip(starts).zip(ends) {
            self.notes.entry(note).or_default().push(Annotation { start, end, label });
        }
        Ok(())
    }

    /// Reads files of JSON Lines.
    pub(super) async fn read_lines(&mut self, location: &Location, files: &[Path]) -> Result<()> {
        delta::refuse_files_of_tables(location).await?;
        for file in files {
            self.read_lines_of(location, file).await?;
        }
        Ok(())
    }

    async fn read_lines_of(&mut self, location: &Location, file: &Path) -> Result<()> {
        let name = location.name_of(file);
        let fail = |error: object_store::Error| CorpusError::store_input(&name, &error);
        let mut content = location.store().get(file).await.map_err(fail)?.into_stream();
        let (mut line, mut number): (Vec<u8>, usize) = (Vec::new(), 1);
        while let Some(part) = content.try_next().await.map_err(fail)? {
            let mut part = &part[..];
            while let Some(end) = memchr::memchr(b'\n', part) {
                line.extend_from_slice(&part[..end]);
                self.add_line(&line, number).map_err(|reason| CorpusError::input(&name, reason))?;
                line.clear();
                number += 1;
                part = &part[end + 1..];
            }
            line.extend_from_slice(part);
        }
        self.add_line(&line, number).map_err(|reason| CorpusError::input(&name, reason))
    }

    /// Adds a line; lines count from 1. What stands in it is not told.
    fn add_line(&mut self, line: &[u8], number: usize) -> Result<(), String> {
        let line = if number == 1 { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line) } else { line };
        let line = line.trim_ascii();
        if line.is_empty() {
            return Ok(());
        }
        let row: Row = serde_json::from_slice(line)
            .map_err(|_| format!("line {number} is no JSON object of {}", COLUMNS.join(", ")))?;
        let missing = |name: &str| format!("line {number}: {name} is missing, or no text");
        let no_number = |name: &str| format!("line {number}: {name} is missing, or no whole number of code points");
        let note = row.note_id.and_then(text_of).ok_or_else(|| missing("note_id"))?;
        let label = row.label.and_then(text_of).ok_or_else(|| missing("label"))?;
        let start = row.start.and_then(offset_of).ok_or_else(|| no_number("start"))?;
        let end = row.end.and_then(offset_of).ok_or_else(|| no_number("end"))?;
        self.text_columns.extend(row.text_column);
        self.notes.entry(identifier(&note).to_owned()).or_default().push(Annotation { start, end, label });
        Ok(())
    }
}

/// A column of text; a number names a note as well, as a run names it.
fn texts(batch: &RecordBatch, place: usize, before: usize) -> Result<Vec<String>, String> {
    let name = COLUMNS[place];
    let column = batch.column(place);
    let named = (place == 0).then(|| identifiers(column).ok()).flatten().map(|named| Arc::new(named) as ArrayRef);
    let column = named.as_ref().unwrap_or(column);
    let column = as_type(column, &DataType::Utf8).ok_or_else(|| format!("{name} must be text"))?;
    let rows = column.as_string::<i32>().iter().enumerate();
    rows.map(|(row, value)| value.map(str::to_owned).ok_or_else(|| format!("row {}: {name} is null", before + row + 1)))
        .collect()
}

/// A column of offsets.
fn offsets(batch: &RecordBatch, place: usize, before: usize) -> Result<Vec<usize>, String> {
    let (name, column) = (COLUMNS[place], batch.column(place));
    let wrong_type = || format!("{name} must be whole numbers");
    let numbers: Vec<Option<usize>> = if column.data_type().is_integer() {
        let numbers = as_type(column, &DataType::Int64).ok_or_else(wrong_type)?;
        let number = |number: Option<i64>| within(u64::try_from(number?).ok()?);
        numbers.as_primitive::<Int64Type>().iter().map(number).collect()
    } else {
        let texts = as_type(column, &DataType::Utf8).ok_or_else(wrong_type)?;
        texts.as_string::<i32>().iter().map(|text| whole(text?)).collect()
    };
    let numbers = numbers.into_iter().enumerate();
    let no_number = |row: usize| format!("row {}: {name} is null, or no whole number of code points", before + row + 1);
    numbers.map(|(row, number)| number.ok_or_else(|| no_number(row))).collect()
}

fn as_type(column: &ArrayRef, data_type: &DataType) -> Option<ArrayRef> {
    cast(column, data_type).ok()
}

fn text_of(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn offset_of(value: Value) -> Option<usize> {
    whole(&text_of(value)?)
}

/// A whole number from its digits. `12.0` is one as well: that is how tables with gaps write 12.
fn whole(digits: &str) -> Option<usize> {
    let digits = digits.trim();
    if let Ok(number) = digits.parse() {
        return within(number);
    }
    let number: f64 = digits.parse().ok()?;
    if number.fract() == 0.0 && (0.0..=MOST as f64).contains(&number) { within(number as u64) } else { None }
}

fn within(number: u64) -> Option<usize> {
    if number <= MOST { usize::try_from(number).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use arrow::array::{Float64Array, Int64Array, StringArray, UInt64Array};

    use super::*;

    fn line(start: &str) -> String {
        format!("{{\"note_id\":7,\"start\":{start},\"end\":22,\"label\":\"CITY\",\"claims\":[]}}")
    }

    #[test]
    fn lines_with_whole_numbers_are_spans() {
        for start in ["12", "12.0", "\"12\""] {
            let mut read = Annotations::default();
            read.add_line(format!("\u{feff}{}\r", line(start)).as_bytes(), 1).unwrap();
            read.add_line(b" \r", 2).unwrap();
            assert_eq!(read.notes["7"], [Annotation { start: 12, end: 22, label: "CITY".to_owned() }], "{start}");
        }
    }

    #[test]
    fn notes_are_named_as_a_run_names_them_and_spans_tell_their_text() {
        let mut read = Annotations::default();
        let line = |note: &str, column: &str| {
            format!("{{\"note_id\":{note},\"start\":1,\"end\":2,\"label\":\"CITY\",\"text_column\":\"{column}\"}}")
        };
        read.add_line(line("17.0", "text").as_bytes(), 1).unwrap();
        read.add_line(line("\"17 \"", "comment").as_bytes(), 2).unwrap();
        assert_eq!(read.notes["17"].len(), 2);
        assert_eq!(read.text_columns.iter().collect::<Vec<_>>(), ["comment", "text"]);
    }

    #[test]
    fn other_lines_are_refused_by_their_number() {
        for start in ["12.7", "-1", "18446744073709551615", "1e300", "null", "true", "\"x\"", "[12]"] {
            let refused = Annotations::default().add_line(line(start).as_bytes(), 3).unwrap_err();
            assert!(refused.starts_with("line 3: start is"), "{start}: {refused}");
        }
        for (line, told) in [
            ("[Rose]", "line 3 is no JSON object"),
            ("{}", "line 3: note_id"),
            (r#"{"note_id":"n","start":1,"end":2}"#, "line 3: label"),
            (r#"{"note_id":"n","start":1,"label":"X"}"#, "line 3: end"),
        ] {
            let refused = Annotations::default().add_line(line.as_bytes(), 3).unwrap_err();
            assert!(refused.starts_with(told) && !refused.contains("Rose"), "{refused}");
        }
    }

    fn batch(starts: ArrayRef) -> RecordBatch {
        let rows = starts.len();
        let text = |value: &str| Arc::new(StringArray::from(vec![value; rows])) as ArrayRef;
        let ends = Arc::new(Int64Array::from(vec![22; rows])) as ArrayRef;
        RecordBatch::try_from_iter([("note_id", text("n")), ("start", starts), ("end", ends), ("label", text("CITY"))])
            .unwrap()
    }

    #[test]
    fn columns_of_whole_numbers_are_offsets_whatever_their_type() {
        let columns: [ArrayRef; 4] = [
            Arc::new(Int64Array::from(vec![0, 12])),
            Arc::new(UInt64Array::from(vec![0, 12])),
            Arc::new(Float64Array::from(vec![0.0, 12.0])),
            Arc::new(StringArray::from(vec!["0", "12"])),
        ];
        for starts in columns {
            let mut read = Annotations::default();
            read.add_rows(&batch(starts), 0).unwrap();
            assert_eq!(read.notes["n"].iter().map(|span| span.start).collect::<Vec<_>>(), [0, 12]);
        }
    }

    #[test]
    fn other_columns_are_refused_by_their_row() {
        let columns: [ArrayRef; 5] = [
            Arc::new(Int64Array::from(vec![Some(0), None])),
            Arc::new(Int64Array::from(vec![0, -1])),
            Arc::new(UInt64Array::from(vec![0, u64::MAX])),
            Arc::new(Float64Array::from(vec![0.0, 12.7])),
            Arc::new(StringArray::from(vec!["0", "Rose"])),
        ];
        for starts in columns {
            let refused = Annotations::default().add_rows(&batch(starts), 10).unwrap_err();
            assert!(refused.starts_with("row 12: start is null, or no whole number"), "{refused}");
        }
    }
}
