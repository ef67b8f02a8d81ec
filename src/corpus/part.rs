//! One file of an output, written as a stream: never whole in memory, and given up unless it is finished.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::json::WriterBuilder;
use arrow::json::writer::LineDelimited;
use parquet::arrow::AsyncArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::SchemaDescriptor;

use super::error::{CorpusError, Result};
use super::source::AsWritten;
use super::store::{Location, Upload, Uploaded};

/// A row group is closed at this size, so that a writer's memory does not follow the size of the notes.
const ROW_GROUP_BYTES: usize = 32 << 20;

/// How an output file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartFormat {
    /// Apache Parquet, compressed with Zstandard.
    Parquet,
    /// One JSON object a line.
    JsonLines,
}

impl PartFormat {
    /// The ending of file names.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::JsonLines => "jsonl",
        }
    }

    /// The format that a file name's ending tells.
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        if name.ends_with(".parquet") {
            Some(Self::Parquet)
        } else if [".jsonl", ".ndjson", ".json"].iter().any(|ending| name.ends_with(ending)) {
            Some(Self::JsonLines)
        } else {
            None
        }
    }
}

/// Writes one file.
pub struct PartWriter {
    location: Location,
    sink: Sink,
}

enum Sink {
    Parquet(Box<AsyncArrowWriter<Upload>>),
    JsonLines(Box<Upload>, Lines),
}

impl PartWriter {
    /// Begins a file.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where the schema cannot be written in the format.
    pub fn create(location: Location, format: PartFormat, schema: &SchemaRef) -> Result<Self> {
        Self::create_annotated(location, format, schema, None)
    }

    /// The same, with more said of the columns than Arrow has types for, where the format can say it.
    ///
    /// # Errors
    /// As [`PartWriter::create`].
    pub fn create_annotated(
        location: Location,
        format: PartFormat,
        schema: &SchemaRef,
        annotated: Option<&SchemaDescriptor>,
    ) -> Result<Self> {
        let upload = Upload::begin(&location);
        let sink = match format {
            PartFormat::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::ZSTD(ZstdLevel::default()))
                    .set_created_by(concat!("plainsight ", env!("CARGO_PKG_VERSION")).to_owned())
                    .build();
                let mut options = ArrowWriterOptions::new().with_properties(properties);
                if let Some(annotated) = annotated {
                    options = options.with_parquet_schema(annotated.clone());
                }
                let writer = AsyncArrowWriter::try_new_with_options(upload, Arc::clone(schema), options);
                Sink::Parquet(Box::new(writer.map_err(|error| CorpusError::output(location.uri(), error))?))
            }
            PartFormat::JsonLines => Sink::JsonLines(Box::new(upload), Lines::default()),
        };
        Ok(Self { location, sink })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where they cannot be written.
    pub async fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let fail = |error: ParquetError| CorpusError::in_output(self.location.uri(), &error);
        match &mut self.sink {
            Sink::Parquet(writer) => {
                writer.write(batch).await.map_err(fail)?;
                if writer.in_progress_size() > ROW_GROUP_BYTES {
                    writer.flush().await.map_err(fail)?;
                }
            }
            Sink::JsonLines(upload, lines) => {
                let mut writer = WriterBuilder::new()
                    .with_explicit_nulls(true)
                    .with_encoder_factory(Arc::new(AsWritten))
                    .build::<_, LineDelimited>(lines.clone());
                let written = writer.write(batch).and_then(|()| writer.finish());
                written.map_err(|error| CorpusError::output(self.location.uri(), error))?;
                upload.put(lines.take().into()).await?;
            }
        }
        Ok(())
    }

    /// Ends the file; before this nobody sees it.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where it cannot be completed.
    pub async fn finish(self) -> Result<Uploaded> {
        match self.sink {
            Sink::Parquet(mut writer) => {
                writer.finish().await.map_err(|error| CorpusError::in_output(self.location.uri(), &error))?;
                writer.into_inner().finish().await
            }
            Sink::JsonLines(upload, _) => upload.finish().await,
        }
    }
}

/// Where JSON lines are gathered between the writer that makes them and the store.
#[derive(Debug, Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
