//! How a session plans what a cluster computes: as ever, and then the plan as a whole is one that is computed elsewhere.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::compute::cast;
use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use ballista_core::execution_plans::execute_physical_plan;
use ballista_core::extension::SessionConfigExt;
use datafusion::catalog::Session;
use datafusion::common::not_impl_err;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::Result;
use datafusion::execution::context::QueryPlanner;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::joins::{HashJoinExec, PartitionMode};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties, ReplaceChildrenOptions,
};
use datafusion_proto::protobuf::PhysicalPlanNode;
use futures::{StreamExt, TryStreamExt};

/// The schema of the tables that tell of the session itself.
const OF_THE_SESSION: &str = "information_schema";

/// Plans as another planner does, for a cluster to compute.
#[derive(Debug)]
pub(super) struct Planner {
    pub(super) planner: Arc<dyn QueryPlanner + Send + Sync>,
    pub(super) scheduler: String,
}

#[async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(&self, plan: &LogicalPlan, session: &dyn Session) -> Result<Arc<dyn ExecutionPlan>> {
        let planned = self.planner.create_physical_plan(plan, session).await?;
        match plan {
            LogicalPlan::Analyze(_) => not_impl_err!("EXPLAIN ANALYZE does not measure what a cluster computes"),
            LogicalPlan::Explain(_) => Ok(planned),
            _ if reads_nothing(plan)? => Ok(planned),
            _ if reads_compressed_text(&planned)? => {
                not_impl_err!(
                    "a cluster reads no compressed CSV or JSON in FROM; ask it without --cluster, or of Parquet"
                )
            }
            _ if would_be_spread(&planned, session.config().target_partitions())? => {
                not_impl_err!("a cluster cannot compute a join of this statement; ask it without --cluster")
            }
            _ => Ok(Arc::new(Elsewhere::new(planned, self.scheduler.clone()))),
        }
    }
}

/// Whether a plan reads text files that are compressed, of which plans that travel do not tell.
fn reads_compressed_text(plan: &Arc<dyn ExecutionPlan>) -> Result<bool> {
    plan.exists(|node| {
        let source = node.downcast_ref::<DataSourceExec>().map(|scan| scan.data_source().as_ref() as &dyn Any);
        let files = source.and_then(|source| source.downcast_ref::<FileScanConfig>());
        Ok(files.is_some_and(|files| files.file_compression_type.is_compressed()))
    })
}

/// Whether a plan has a join that Ballista spreads although what stands above it was planned for one that is not.
fn would_be_spread(plan: &Arc<dyn ExecutionPlan>, partitions: usize) -> Result<bool> {
    plan.exists(|node| {
        let join = node.downcast_ref::<HashJoinExec>();
        Ok(join.is_some_and(|join| {
            *join.partition_mode() == PartitionMode::CollectLeft
                && join.properties().output_partitioning().partition_count() != partitions
        }))
    })
}

/// Whether a plan reads no table but those that tell of the session, which nobody else has.
fn reads_nothing(plan: &LogicalPlan) -> Result<bool> {
    let mut nothing = true;
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node {
            nothing = scan.table_name.schema() == Some(OF_THE_SESSION);
        }
        Ok(if nothing { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
    })?;
    Ok(nothing)
}

/// A leaf: what is below is computed by a cluster.
struct Elsewhere {
    plan: Arc<dyn ExecutionPlan>,
    scheduler: String,
    properties: Arc<PlanProperties>,
}

impl Elsewhere {
    fn new(plan: Arc<dyn ExecutionPlan>, scheduler: String) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(plan.schema()),
            Partitioning::UnknownPartitioning(1),
            plan.pipeline_behavior(),
            plan.boundedness(),
        );
        Self { plan, scheduler, properties: Arc::new(properties) }
    }
}

impl fmt::Debug for Elsewhere {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Elsewhere")
    }
}

impl DisplayAs for Elsewhere {
    fn fmt_as(&self, _: DisplayFormatType, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Elsewhere")
    }
}

impl ExecutionPlan for Elsewhere {
    fn name(&self) -> &str {
        "Elsewhere"
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

    fn execute(&self, _partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let (plan, scheduler) = (Arc::clone(&self.plan), self.scheduler.clone());
        let config = context.session_config().clone();
        let computed = async move {
            let (settings, codec) = (config.ballista_config(), config.ballista_physical_extension_codec());
            let session = context.session_id();
            execute_physical_plan::<PhysicalPlanNode>(scheduler, &settings, plan, codec.as_ref(), session, config).await
        };
        let schema = self.schema();
        let planned = Arc::clone(&schema);
        let rows = futures::stream::once(computed).try_flatten();
        let rows = rows.map(move |batch| batch.and_then(|batch| as_planned(&batch, &planned)));
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }
}

/// The rows in the types that were planned: on the way, dictionaries become what they hold.
fn as_planned(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(schema.fields()).map(|(column, field)| match column.data_type() {
        same if same == field.data_type() => Ok(Arc::clone(column)),
        _ => cast(column, field.data_type()),
    });
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let columns = columns.collect::<std::result::Result<_, _>>()?;
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}
