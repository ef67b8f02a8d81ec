//! The columns of a file of CSV, told by its first records.
//!
//! ```text
//! note_id,text,seen⏎N1,"Seen today.⏎Stable.",2019-03-04⏎      a record ends where a line does and no quotation is open
//! ```
//!
//! The engine tells them piece by piece as a file comes, and loses count of quotations where a piece ends inside of one, as in notes of many lines.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::datatypes::{DataType, Schema, SchemaRef};
use async_trait::async_trait;
use bytes::Bytes;
use datafusion::catalog::Session;
use datafusion::common::{GetExt, Statistics, plan_datafusion_err, plan_err};
use datafusion::config::CsvOptions;
use datafusion::datasource::file_format::csv::{CsvFormat, CsvFormatFactory};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSinkConfig, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::ExecutionPlan;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};

/// Records that are looked at.
const RECORDS: usize = 1000;
/// A record that is longer has a quotation that nobody closed.
const LONGEST_RECORD: usize = 256 << 20;

/// CSV as the engine reads and writes it, but for how its columns are told.
#[derive(Debug)]
struct ByRecords(Arc<dyn FileFormat>);

/// Has the engine tell the columns of CSV by records, wherever it does.
///
/// # Errors
/// [`DataFusionError`] where the session takes no format of that name.
pub(super) fn register(state: &mut SessionState) -> Result<()> {
    state.register_file_format(Arc::new(Factory(CsvFormatFactory::new())), true)
}

/// The engine's own format, where one is ours: it alone knows how to send that to others.
pub(super) fn of_engine(format: &Arc<dyn FileFormat>) -> Arc<dyn FileFormat> {
    format.downcast_ref::<ByRecords>().map_or_else(|| Arc::clone(format), |ours| Arc::clone(&ours.0))
}

#[derive(Debug)]
struct Factory(CsvFormatFactory);

impl FileFormatFactory for Factory {
    fn create(&self, state: &dyn Session, options: &HashMap<String, String>) -> Result<Arc<dyn FileFormat>> {
        Ok(Arc::new(ByRecords(self.0.create(state, options)?)))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(ByRecords(FileFormatFactory::default(&self.0)))
    }
}

impl GetExt for Factory {
    fn get_ext(&self) -> String {
        self.0.get_ext()
    }
}

#[async_trait]
impl FileFormat for ByRecords {
    fn get_ext(&self) -> String {
        self.0.get_ext()
    }

    fn get_ext_with_compression(&self, compression: &FileCompressionType) -> Result<String> {
        self.0.get_ext_with_compression(compression)
    }

    fn compression_type(&self) -> Option<FileCompressionType> {
        self.0.compression_type()
    }

    async fn infer_schema(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        files: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        infer_schema(&self.0, state, store, files).await
    }

    async fn infer_stats(
        &self,
        state: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        schema: SchemaRef,
        file: &ObjectMeta,
    ) -> Result<Statistics> {
        self.0.infer_stats(state, store, schema, file).await
    }

    async fn create_physical_plan(&self, state: &dyn Session, scan: FileScanConfig) -> Result<Arc<dyn ExecutionPlan>> {
        self.0.create_physical_plan(state, scan).await
    }

    async fn create_writer_physical_plan(
        &self,
        rows: Arc<dyn ExecutionPlan>,
        state: &dyn Session,
        sink: FileSinkConfig,
        order: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.0.create_writer_physical_plan(rows, state, sink, order).await
    }

    fn file_source(&self, schema: TableSchema) -> Arc<dyn FileSource> {
        self.0.file_source(schema)
    }
}

/// The columns of files, which are told by their values where the format is CSV.
///
/// # Errors
/// Those of the engine where a file cannot be read; [`DataFusionError::Plan`] where a quotation is not closed, and where two columns have one name.
pub(super) async fn infer_schema(
    format: &Arc<dyn FileFormat>,
    state: &dyn Session,
    store: &Arc<dyn ObjectStore>,
    files: &[ObjectMeta],
) -> Result<SchemaRef> {
    let Some(csv) = format.downcast_ref::<CsvFormat>() else { return format.infer_schema(state, store, files).await };
    let mut left = csv.options().schema_infer_max_rec.unwrap_or(RECORDS);
    let mut schemas = Vec::new();
    for file in files {
        let records = records(csv.options(), store, file).await?;
        let (schema, read) = csv.infer_schema_from_stream(state, left, records).await?;
        if let Some([one, other]) = named_alike(&schema) {
            // Where there are no names, the first line is of values, which no message shows.
            return plan_err!(
                "columns {one} and {other} of a file of CSV have one name; give each its own in the file's first line"
            );
        }
        schemas.push(schema);
        left -= read;
        if left == 0 {
            break;
        }
    }
    Ok(Arc::new(with_text_for_nothing(&Schema::try_merge(schemas)?)))
}

/// The columns, of which those are text that have no value in the records that were looked at: further on they may, and a column without a type
/// has none.
fn with_text_for_nothing(schema: &Schema) -> Schema {
    let fields = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Null => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8)),
        _ => Arc::clone(field),
    });
    Schema::new_with_metadata(fields.collect::<Vec<_>>(), schema.metadata().clone())
}

/// The places of two columns of one name, counted from 1.
fn named_alike(schema: &Schema) -> Option<[usize; 2]> {
    let mut known = HashMap::new();
    let mut places = (1..).zip(schema.fields());
    places.find_map(|(place, field)| Some([known.insert(field.name(), place)?, place]))
}

/// The records of a file in pieces of whole ones.
async fn records(
    options: &CsvOptions,
    store: &Arc<dyn ObjectStore>,
    file: &ObjectMeta,
) -> Result<BoxStream<'static, Result<Bytes>>> {
    let packed = store.get(&file.location).await?.into_stream().map_err(DataFusionError::from).boxed();
    let plain = FileCompressionType::from(options.compression).convert_stream(packed)?;
    let cutter = Cutter::new(options);
    let cut = futures::stream::try_unfold((plain, cutter), |(mut plain, mut cutter)| async move {
        while let Some(piece) = plain.try_next().await? {
            if let Some(records) = cutter.push(&piece)? {
                return Ok(Some((records, (plain, cutter))));
            }
        }
        if cutter.is_quoted {
            return Err(unclosed());
        }
        let last = std::mem::take(&mut cutter.gathered);
        Ok((!last.is_empty()).then(|| (last.into(), (plain, cutter))))
    });
    Ok(cut.boxed())
}

/// Cuts what comes behind records.
struct Cutter {
    quote: u8,
    escape: Option<u8>,
    end: u8,
    gathered: Vec<u8>,
    is_quoted: bool,
    is_escaped: bool,
    /// Whether a quotation may begin: where a field does, or, doubled, right behind the end of one. In a field without one it is a letter: `5'10"`.
    may_open: bool,
    delimiter: u8,
}

impl Cutter {
    fn new(options: &CsvOptions) -> Self {
        Self {
            quote: options.quote,
            escape: options.escape,
            end: options.terminator.unwrap_or(b'\n'),
            gathered: Vec::new(),
            is_quoted: false,
            is_escaped: false,
            may_open: true,
            delimiter: options.delimiter,
        }
    }

    /// The whole records up to the end of a piece, if there is one that ends in it.
    fn push(&mut self, piece: &[u8]) -> Result<Option<Bytes>> {
        let mut end = None;
        for (at, &byte) in piece.iter().enumerate() {
            let may_open = std::mem::replace(&mut self.may_open, false);
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                _ if self.escape == Some(byte) => self.is_escaped = true,
                // One that is doubled opens what it has closed.
                _ if byte == self.quote && self.is_quoted => (self.is_quoted, self.may_open) = (false, true),
                _ if byte == self.quote && may_open => self.is_quoted = true,
                _ if byte == self.end && !self.is_quoted => (end, self.may_open) = (Some(at + 1), true),
                _ if byte == self.delimiter && !self.is_quoted => self.may_open = true,
                _ => {}
            }
        }
        let (records, rest) = piece.split_at(end.unwrap_or(0));
        let mut whole = Vec::new();
        if end.is_some() {
            whole = std::mem::take(&mut self.gathered);
            whole.extend_from_slice(records);
        }
        self.gathered.extend_from_slice(rest);
        if self.gathered.len() > LONGEST_RECORD {
            return Err(unclosed());
        }
        Ok(end.map(|_| whole.into()))
    }
}

fn unclosed() -> DataFusionError {
    plan_datafusion_err!("a file of CSV has a quotation that is not closed; was it cut off?")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// However a file comes in pieces, what is cut has whole records, and nothing is lost.
        #[test]
        fn pieces_are_cut_behind_records(
            records in prop::collection::vec("(a{0,2}|a\"a|\"([a,\r\n]|\"\"){0,6}\")(,(a{0,2}|a\"a|\"([a,\r\n]|\"\"){0,6}\")){0,4}", 1..8),
            lengths in prop::collection::vec(1_usize..9, 1..40)
        ) {
            let file = records.iter().map(|record| format!("{record}\n")).collect::<String>();
            let mut cutter = Cutter::new(&CsvOptions::default());
            let (mut rest, mut cut) = (file.as_bytes(), Vec::new());
            for length in lengths.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (piece, more) = rest.split_at((*length).min(rest.len()));
                rest = more;
                cut.extend(cutter.push(piece).unwrap());
            }
            let mut ends = records.iter().scan(0, |end, record| { *end += record.len() + 1; Some(*end) });
            let mut at = 0;
            for piece in &cut {
                at += piece.len();
                prop_assert!(ends.any(|end| end == at));
            }
            prop_assert_eq!((at, cutter.gathered.len()), (file.len(), 0));
        }
    }
}
