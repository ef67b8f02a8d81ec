//! Rows that are appended: they go to new files, and the log names all of them at once, or none.

use std::fmt;
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch};
use arrow::compute::concat_batches;
use arrow::datatypes::{FieldRef, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::datasource::sink::{DataSink, DataSinkExec};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan};
use delta_kernel::EngineData;
use delta_kernel::committer::FileSystemCommitter;
use delta_kernel::engine::arrow_conversion::TryIntoArrow;
use delta_kernel::engine::arrow_data::ArrowEngineData;
use delta_kernel::transaction::{CommitResult, Transaction, UpdateTableOperation, WriteState};
use futures::TryStreamExt;
use tokio::runtime::Handle;

use super::kernel::{Engine, done, with_engine};
use super::partitions::{Gathered, Partitions, Values};
use super::snapshot::newest;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::leaf::in_types;
use crate::corpus::store::Location;

/// Rows are gathered up to so many bytes in memory, those of all partitions together; then the partition with the most becomes a file.
const FILE_BYTES: usize = 128 << 20;
/// How often is tried to be the next version, where others write at the same time.
const TRIES: usize = 20;
/// Who writes, for those who read the log.
pub(super) const WRITER: &str = concat!("plainsight/", env!("CARGO_PKG_VERSION"));

/// Appends to the table at a location.
#[derive(Debug)]
pub(super) struct Append {
    location: Location,
    /// The columns of the rows.
    schema: SchemaRef,
}

/// Whether a node of a plan appends to a table.
pub(crate) fn appends_to_table(node: &Arc<dyn ExecutionPlan>) -> bool {
    node.downcast_ref::<DataSinkExec>().is_some_and(|sink| sink.sink().is::<Append>())
}

/// How files of a table are written.
struct Written {
    state: Arc<WriteState>,
    partitions: Arc<Partitions>,
    columns: Columns,
    /// The columns of the files, without the partitions.
    in_files: SchemaRef,
    /// The columns of the rows, in the types of the table.
    schema: SchemaRef,
}

/// The columns of a table, and the names of those that are partitions.
#[derive(PartialEq)]
struct Columns(delta_kernel::schema::SchemaRef, Vec<String>);

impl Append {
    pub(super) fn new(location: Location, schema: SchemaRef) -> Self {
        Self { location, schema }
    }

    /// How files are written now.
    async fn begin(&self) -> Result<Written> {
        let (location, expected) = (self.location.clone(), Arc::clone(&self.schema));
        with_engine(&self.location, move |engine| {
            let Next { columns, transaction, .. } = next(&location, engine)?;
            let state = done(&location, transaction.write_state())?;
            let partitions = Partitions::of(&columns.0, &columns.1);
            let table: Schema =
                columns.0.as_ref().try_into_arrow().map_err(|_| {
                    CorpusError::output(location.uri(), "it has a column of a type that is not known here")
                })?;
            let is_partition = |field: &FieldRef| columns.1.contains(field.name());
            let (last, first): (Vec<_>, Vec<_>) = table.fields().iter().cloned().partition(is_partition);
            let in_files = Arc::new(Schema::new(first.clone()));
            let schema = Schema::new(first.into_iter().chain(last).collect::<Vec<_>>());
            let shape = |schema: &Schema| -> Vec<_> {
                schema.fields().iter().map(|field| (field.name().clone(), field.data_type().clone())).collect()
            };
            // Rows go to columns by their places.
            if shape(&schema) != shape(&expected) {
                return Err(changed(&location));
            }
            Ok(Written { state, partitions: Arc::new(partitions), columns, schema: Arc::new(schema), in_files })
        })
        .await
    }

    /// Writes a file, and gives what the log is to say of it.
    async fn file(&self, written: &Written, (values, rows): (Values, Vec<RecordBatch>)) -> Result<RecordBatch> {
        let location = self.location.clone();
        let (state, partitions) = (Arc::clone(&written.state), Arc::clone(&written.partitions));
        let rows = concat_batches(&written.in_files, &rows);
        let rows = rows.map_err(|error| CorpusError::in_stage("append")(error.into()))?;
        let runtime = Handle::current();
        with_engine(&self.location, move |engine| {
            let context = partitions.context(&location, &state, values)?;
            let file = runtime.block_on(engine.write_parquet(&ArrowEngineData::new(rows), &context));
            let told = file.and_then(ArrowEngineData::try_from_engine_data);
            Ok(done(&location, told)?.record_batch().clone())
        })
        .await
    }

    /// Has the log name the files. Another version that came between does not matter to rows that are appended, if the columns are the same.
    async fn commit(&self, files: Vec<RecordBatch>, columns: Columns) -> Result<()> {
        let location = self.location.clone();
        let runtime = Handle::current();
        with_engine(&self.location, move |engine| {
            for _ in 0..TRIES {
                let Next { version, columns: now, mut transaction } = next(&location, engine)?;
                if now != columns {
                    return Err(changed(&location));
                }
                for file in &files {
                    transaction.add_files(Box::new(ArrowEngineData::new(file.clone())) as Box<dyn EngineData>);
                }
                let tried = transaction.commit(engine);
                // A store may have written what it then did not answer for, or answered for twice.
                if matches!(tried, Ok(CommitResult::Committed(_))) || are_named(&location, &runtime, version, &files)? {
                    return Ok(());
                }
                if !matches!(tried, Ok(CommitResult::Conflicted(_))) {
                    break;
                }
            }
            Err(CorpusError::Output {
                location: location.uri().to_owned(),
                reason: "the rows could not be made a version of the table, and are not in it".to_owned(),
                temporary: true,
            })
        })
        .await
    }
}

/// Whether a version that was tried names files that were written. It is asked itself, for a later one may have put them together with others.
fn are_named(location: &Location, runtime: &Handle, version: u64, files: &[RecordBatch]) -> Result<bool> {
    let unknown = |_| {
        CorpusError::output(
            location.uri(),
            "whether the rows are in the table is not known: look before they are written again",
        )
    };
    let commit = location.join(&format!("_delta_log/{version:020}.json"));
    let Some((commit, _)) = runtime.block_on(commit.read_if_there()).map_err(unknown)? else { return Ok(false) };
    let commit = String::from_utf8_lossy(&commit);
    let mut paths = files.iter().filter_map(|file| file.column_by_name("path")?.as_string_opt::<i32>());
    Ok(paths.any(|paths| paths.iter().flatten().any(|path| commit.contains(path))))
}

fn changed(location: &Location) -> CorpusError {
    CorpusError::output(location.uri(), "the columns of the table have changed meanwhile")
}

/// What makes the next version.
struct Next {
    version: u64,
    columns: Columns,
    transaction: Transaction,
}

fn next(location: &Location, engine: &Engine) -> Result<Next> {
    let newest = newest(location, engine)?;
    let (version, schema) = (newest.version() + 1, newest.schema());
    let update = newest.update_table(UpdateTableOperation::Write, WRITER, true);
    let transaction = done(location, update.build(engine, Box::new(FileSystemCommitter::new())))?;
    let partitions = transaction.logical_partition_columns().to_vec();
    Ok(Next { version, columns: Columns(schema, partitions), transaction })
}

#[async_trait]
impl DataSink for Append {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    async fn write_all(
        &self,
        mut rows: SendableRecordBatchStream,
        _context: &Arc<TaskContext>,
    ) -> datafusion::error::Result<u64> {
        let written = self.begin().await?;
        let (mut count, mut files, mut gathered) = (0, Vec::new(), Gathered::default());
        while let Some(batch) = rows.try_next().await? {
            let batch = in_types(&batch, &written.schema)?;
            count += batch.num_rows() as u64;
            for (values, rows) in written.partitions.split(&self.location, &batch)? {
                gathered.add(values, rows);
            }
            while let Some(largest) = gathered.largest_above(FILE_BYTES) {
                files.push(self.file(&written, largest).await?);
            }
        }
        for rest in gathered.rest() {
            files.push(self.file(&written, rest).await?);
        }
        if !files.is_empty() {
            self.commit(files, written.columns).await?;
        }
        Ok(count)
    }
}

impl DisplayAs for Append {
    fn fmt_as(&self, _: DisplayFormatType, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Append: Delta")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::StringArray;

    /// A writer that puts files together at once takes their names out of the table, and not out of the version that named them.
    #[test]
    fn a_version_that_was_tried_is_asked_itself() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("_delta_log");
        std::fs::create_dir(&log).unwrap();
        for (version, commit) in [
            (1, r#"{"add":{"path":"a.parquet","size":1}}"#),
            (2, r#"{"remove":{"path":"a.parquet"}}"#),
            (3, r#"{"add":{"path":"b.parquet","size":2}}"#),
        ] {
            std::fs::write(log.join(format!("{version:020}.json")), format!("{commit}\n")).unwrap();
        }
        let location = Location::parse(&folder.path().to_string_lossy()).unwrap();
        let paths = StringArray::from(vec!["a.parquet"]);
        let files = [RecordBatch::try_from_iter([("path", Arc::new(paths) as _)]).unwrap()];
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let named = |version| are_named(&location, runtime.handle(), version, &files).unwrap();
        assert_eq!([1, 3, 4].map(named), [true, false, false]);
    }
}
