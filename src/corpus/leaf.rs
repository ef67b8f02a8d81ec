//! Rows that come into a plan from elsewhere: a private session, a cluster. Rules of the plan around them do not reach what gives them.

use std::fmt;
use std::sync::Arc;

use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::compute::cast;
use arrow::datatypes::SchemaRef;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};

/// A plan of `partitions` whose rows `rows` gives, each partition by its number.
///
/// # Errors
/// [`datafusion::error::DataFusionError`] where the engine refuses it.
pub(crate) fn leaf<F>(schema: SchemaRef, partitions: usize, rows: F) -> Result<Arc<dyn ExecutionPlan>>
where
    F: Fn(usize, Arc<TaskContext>) -> Result<SendableRecordBatchStream> + Send + Sync + 'static,
{
    let rows: Rows = Arc::new(rows);
    let partition = |partition| {
        Arc::new(Partition { schema: Arc::clone(&schema), partition, rows: Arc::clone(&rows) })
            as Arc<dyn PartitionStream>
    };
    let partitions = (0..partitions).map(partition).collect();
    Ok(Arc::new(StreamingTableExec::try_new(schema, partitions, None, [], false, None)?))
}

type Rows = Arc<dyn Fn(usize, Arc<TaskContext>) -> Result<SendableRecordBatchStream> + Send + Sync>;

struct Partition {
    schema: SchemaRef,
    partition: usize,
    rows: Rows,
}

impl fmt::Debug for Partition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Partition")
    }
}

impl PartitionStream for Partition {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, task: Arc<TaskContext>) -> SendableRecordBatchStream {
        let failed = |error| {
            let rows = futures::stream::iter([Err(error)]);
            Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), rows)) as SendableRecordBatchStream
        };
        (self.rows)(self.partition, task).unwrap_or_else(failed)
    }
}

/// A batch under the names and in the types of a schema: on the way, metadata and dictionaries may have been lost.
///
/// # Errors
/// [`datafusion::error::DataFusionError`] where a type cannot become the other.
pub(crate) fn in_types(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(schema.fields()).map(|(column, field)| match column.data_type() {
        same if same == field.data_type() => Ok(Arc::clone(column)),
        _ => cast(column, field.data_type()),
    });
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let columns = columns.collect::<std::result::Result<_, _>>()?;
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}
