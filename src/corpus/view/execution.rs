//! The place in a plan where rows come out of a private session.

use std::sync::Arc;

use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties, ReplaceChildrenOptions,
};
use futures::StreamExt;

use super::{hidden, told};

/// A leaf: neither rules nor dynamic conditions of the plan around it reach what it holds, and it tells no statistics, order or metrics of it.
pub(super) struct DeidentifiedExec {
    below: Arc<dyn ExecutionPlan>,
    /// The task of the private session.
    task: Arc<TaskContext>,
    properties: Arc<PlanProperties>,
}

impl DeidentifiedExec {
    /// Rows of `below`, run in the session of `task`, with the columns of `schema`.
    pub(super) fn new(below: Arc<dyn ExecutionPlan>, schema: SchemaRef, task: Arc<TaskContext>) -> Self {
        let partitions = below.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(partitions),
            below.pipeline_behavior(),
            below.boundedness(),
        );
        Self { below, task, properties: Arc::new(properties) }
    }
}

impl std::fmt::Debug for DeidentifiedExec {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("DeidentifiedExec")
    }
}

impl DisplayAs for DeidentifiedExec {
    fn fmt_as(&self, _: DisplayFormatType, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("DeidentifiedExec")
    }
}

impl ExecutionPlan for DeidentifiedExec {
    fn name(&self) -> &str {
        "DeidentifiedExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        _children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn with_new_children(self: Arc<Self>, _children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, partition: usize, _outer: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let rows = self.below.execute(partition, Arc::clone(&self.task)).map_err(hidden)?;
        let schema = self.schema();
        let shown = Arc::clone(&schema);
        let rows = rows.map(move |batch| batch.and_then(|batch| columns(&batch, &shown)).map_err(hidden));
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }
}

/// The columns of a batch under the names and types that the reader was told.
fn columns(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, DataFusionError> {
    let columns = schema.fields().iter().zip(batch.columns()).map(|(field, column)| told(column, field.data_type()));
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let columns = columns.collect::<Result<Vec<_>>>()?;
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}
