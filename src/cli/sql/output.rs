//! Rows of statements on standard output: a table for people, or CSV, JSON Lines, Parquet for programs.

use std::io::IsTerminal;
use std::sync::Arc;

use clap::ValueEnum;
use datafusion::arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::execution::SendableRecordBatchStream;
use futures::TryStreamExt;
use parquet::arrow::ArrowWriter;

use super::copy::refuse_equal_names;
use crate::cli::{print, put};
use crate::corpus::{CorpusError, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Default)]
pub(super) enum Format {
    /// A table for people
    #[default]
    Table,
    /// Comma-separated values with a line of names
    Csv,
    /// One JSON object a line
    Json,
    /// A Parquet file, of one statement
    Parquet,
}

/// Writes the rows of one statement after another.
pub(super) struct Writer {
    format: Format,
    parquet: Option<ArrowWriter<std::io::Stdout>>,
}

impl Writer {
    /// # Errors
    /// [`CorpusError::Configuration`] for Parquet on a terminal.
    pub(super) fn new(format: Format) -> Result<Self> {
        if format == Format::Parquet && std::io::stdout().is_terminal() {
            return Err(CorpusError::configuration(
                "a Parquet file is nothing for a terminal",
                "send it to a file: > rows.parquet",
            ));
        }
        Ok(Self { format, parquet: None })
    }

    /// Writes the rows of a statement; nothing where it has no columns.
    ///
    /// # Errors
    /// Those of the statement and of standard output; [`CorpusError::Configuration`] for a second statement with rows where the format holds
    /// one only.
    pub(super) async fn write(&mut self, batches: SendableRecordBatchStream, has_columns: bool) -> Result<()> {
        let schema = batches.schema();
        match self.format {
            _ if !has_columns => batches.try_for_each(|_| std::future::ready(Ok(()))).await.map_err(failed),
            Format::Table => table(batches, schema).await,
            Format::Csv => csv(batches, schema).await,
            Format::Json | Format::Parquet if let Err(error) = refuse_equal_names(&schema) => Err(error),
            Format::Json => json(batches).await,
            Format::Parquet => self.parquet(batches, schema).await,
        }
    }

    async fn parquet(&mut self, mut batches: SendableRecordBatchStream, schema: SchemaRef) -> Result<()> {
        if self.parquet.is_some() {
            return Err(CorpusError::configuration(
                "a Parquet file holds the rows of one statement",
                "let one statement alone give rows, or write with COPY … TO",
            ));
        }
        let unwritten = |error: parquet::errors::ParquetError| CorpusError::output("standard output", error);
        let mut writer = ArrowWriter::try_new(std::io::stdout(), schema, None).map_err(unwritten)?;
        while let Some(batch) = batches.try_next().await.map_err(failed)? {
            writer.write(&batch).map_err(unwritten)?;
        }
        self.parquet = Some(writer);
        Ok(())
    }

    /// Ends what is written.
    ///
    /// # Errors
    /// Those of standard output.
    pub(super) fn finish(self) -> Result<()> {
        match self.parquet {
            Some(writer) => writer.close().map(drop).map_err(|error| CorpusError::output("standard output", error)),
            None => Ok(()),
        }
    }
}

fn failed(error: datafusion::error::DataFusionError) -> CorpusError {
    CorpusError::in_running("sql")(error)
}

async fn table(batches: SendableRecordBatchStream, schema: SchemaRef) -> Result<()> {
    let mut batches: Vec<RecordBatch> = batches.try_collect().await.map_err(failed)?;
    if batches.is_empty() {
        batches.push(RecordBatch::new_empty(schema));
    }
    let table = pretty_format_batches(&batches).map_err(|error| failed(error.into()))?;
    // A note may hold what a terminal obeys.
    let table = table.to_string();
    let shown = table.chars().map(|sign| if sign.is_control() && sign != '\n' { '\u{fffd}' } else { sign });
    print(format!("{}\n", shown.collect::<String>()))
}

/// Lists and structs as text, for CSV has no such values: `[{start: 12, end: 17}]`.
fn flat(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns()).map(|(field, column)| {
        if !column.data_type().is_nested() {
            return Ok((field.name().clone(), Arc::clone(column), true));
        }
        let shown = ArrayFormatter::try_new(column.as_ref(), &FormatOptions::default())?;
        let text = |row: usize| column.is_valid(row).then(|| shown.value(row).try_to_string()).transpose();
        let texts = (0..column.len()).map(text).collect::<Result<StringArray, ArrowError>>()?;
        Ok((field.name().clone(), Arc::new(texts) as ArrayRef, true))
    });
    RecordBatch::try_from_iter_with_nullable(columns.collect::<Result<Vec<_>, ArrowError>>()?)
}

async fn csv(mut batches: SendableRecordBatchStream, schema: SchemaRef) -> Result<()> {
    let write = |batch: &RecordBatch, header: bool| {
        let mut bytes = Vec::new();
        datafusion::arrow::csv::WriterBuilder::new().with_header(header).build(&mut bytes).write(&flat(batch)?)?;
        Ok::<_, ArrowError>(bytes)
    };
    let (mut header, empty) = (true, RecordBatch::new_empty(schema));
    while let Some(batch) = batches.try_next().await.map_err(failed)? {
        put(&write(&batch, header).map_err(|error| failed(error.into()))?)?;
        header = false;
    }
    match header {
        true => put(&write(&empty, true).map_err(|error| failed(error.into()))?),
        false => Ok(()),
    }
}

async fn json(mut batches: SendableRecordBatchStream) -> Result<()> {
    while let Some(batch) = batches.try_next().await.map_err(failed)? {
        let mut writer = datafusion::arrow::json::LineDelimitedWriter::new(Vec::new());
        writer.write(&batch).and_then(|()| writer.finish()).map_err(|error| failed(error.into()))?;
        put(&writer.into_inner())?;
    }
    Ok(())
}
