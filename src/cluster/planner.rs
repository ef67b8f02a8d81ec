//! How a session plans what a cluster computes: as ever, and then the plan as a whole is one that is computed elsewhere.

use std::any::Any;
use std::sync::Arc;

use async_trait::async_trait;
use ballista_core::execution_plans::execute_physical_plan;
use ballista_core::extension::SessionConfigExt;
use datafusion::catalog::Session;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{TableReference, not_impl_err};
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::joins::{HashJoinExec, PartitionMode};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion_proto::physical_plan::AsExecutionPlan;
use datafusion_proto::protobuf::PhysicalPlanNode;
use futures::{StreamExt, TryStreamExt};

use super::written_times::with_forms_of_times;
use crate::corpus::{CorpusError, appends_to_table, in_types, leaf};

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
            // Whether or not it reads something, it is not for this machine alone to write.
            _ if planned.exists(|node| Ok(appends_to_table(node)))? => {
                not_impl_err!("a cluster does not append to a Delta table; ask it without --cluster")
            }
            _ if reads_nothing(plan)? => Ok(planned),
            _ if is_recursive(plan)? => {
                not_impl_err!("a cluster does not compute a recursive query of a table; ask it without --cluster")
            }
            _ => match hindrance(&planned, session.config().target_partitions())? {
                Some(hindrance) => not_impl_err!("a cluster {hindrance}; ask it without --cluster"),
                None => {
                    let planned = with_forms_of_times(planned)?;
                    let codec = session.config().ballista_physical_extension_codec();
                    // A table of this session, which `DELETE` or `INSERT … SELECT` would change, is nowhere else.
                    if PhysicalPlanNode::try_from_physical_plan(Arc::clone(&planned), codec.as_ref()).is_err() {
                        return not_impl_err!("a cluster cannot be told of this statement; ask it without --cluster");
                    }
                    elsewhere(planned, self.scheduler.clone())
                }
            },
        }
    }
}

/// What a cluster does not do that a plan asks for.
fn hindrance(plan: &Arc<dyn ExecutionPlan>, partitions: usize) -> Result<Option<&'static str>> {
    Ok(if reads(plan, |files| files.file_compression_type.is_compressed())? {
        Some("reads no compressed CSV or JSON in FROM")
    } else if reads(plan, |files| {
        files.file_groups.iter().any(|group| group.iter().any(|file| !file.extensions.is_empty()))
    })? {
        Some("reads no Delta table in FROM of whose files some rows are deleted")
    } else if would_be_spread(plan, partitions)? {
        Some("cannot compute a join of this statement")
    } else {
        None
    })
}

/// Whether a plan reads files with something about them of which plans that travel do not tell.
fn reads(plan: &Arc<dyn ExecutionPlan>, what: impl Fn(&FileScanConfig) -> bool) -> Result<bool> {
    plan.exists(|node| {
        let source = node.downcast_ref::<DataSourceExec>().map(|scan| scan.data_source().as_ref() as &dyn Any);
        Ok(source.and_then(|source| source.downcast_ref::<FileScanConfig>()).is_some_and(&what))
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

/// Whether a query in a plan is asked again with its own rows: `WITH RECURSIVE t AS …`.
fn is_recursive(plan: &LogicalPlan) -> Result<bool> {
    let mut found = false;
    plan.apply_with_subqueries(|node| {
        found |= matches!(node, LogicalPlan::RecursiveQuery(_));
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(found)
}

/// Whether a plan reads no table but those that tell of the session, which nobody else has, and rows of its own.
fn reads_nothing(plan: &LogicalPlan) -> Result<bool> {
    let (mut own, mut read) = (Vec::new(), Vec::new());
    plan.apply_with_subqueries(|node| {
        match node {
            LogicalPlan::RecursiveQuery(query) => own.push(query.name.clone()),
            LogicalPlan::TableScan(scan) => read.push(scan.table_name.clone()),
            _ => {}
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    let is_own = |name: &TableReference| name.schema().is_none() && own.iter().any(|own| own == name.table());
    Ok(read.iter().all(|name| is_own(name) || name.schema() == Some(OF_THE_SESSION)))
}

/// A leaf whose rows are those that a cluster computes of a plan.
fn elsewhere(plan: Arc<dyn ExecutionPlan>, scheduler: String) -> Result<Arc<dyn ExecutionPlan>> {
    let planned = plan.schema();
    leaf(plan.schema(), 1, move |_partition, context| {
        let (plan, scheduler, schema) = (Arc::clone(&plan), scheduler.clone(), Arc::clone(&planned));
        let address = scheduler.replacen("http", "df", 1);
        let config = context.session_config().clone();
        let computed = async move {
            let (settings, codec) = (config.ballista_config(), config.ballista_physical_extension_codec());
            let session = context.session_id();
            execute_physical_plan::<PhysicalPlanNode>(scheduler, &settings, plan, codec.as_ref(), session, config).await
        };
        let rows = futures::stream::once(computed).try_flatten();
        let rows = rows.map(move |batch| match batch {
            Ok(batch) => in_types(&batch, &schema),
            Err(error) if is_of_connection(&error) => Err(lost(&address).into()),
            Err(error) => Err(error),
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&planned), rows)))
    })
}

/// Whether an error is one of the connection to the scheduler, or of a scheduler that was started anew and does not know the job: Ballista hands on
/// what gRPC says as text. What becomes of the job itself, and what the scheduler refuses, it tells otherwise.
fn is_of_connection(error: &DataFusionError) -> bool {
    let DataFusionError::Execution(message) = error.find_root() else { return false };
    let has = |word: &str| message.contains(word);
    let passes = has("code: Unavailable")
        || has("code: Cancelled")
        || has("code: DeadlineExceeded")
        || has("transport error")
        || has("Error getting status for job");
    let is_of_grpc = message.starts_with("Status {") || message.starts_with("GrpcConnectionError");
    is_of_grpc && passes && !CorpusError::is_told_by_another(error)
}

fn lost(address: &str) -> CorpusError {
    let reason = "the connection to the scheduler is lost; the same command can be given again";
    CorpusError::Input { location: address.to_owned(), reason: reason.to_owned(), temporary: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_scheduler_is_told_from_a_job_that_failed() {
        let told = |message: &str| is_of_connection(&DataFusionError::Execution(message.to_owned()));
        assert!(told("Status { code: Unavailable, message: \"transport error\" }"));
        assert!(told("Status { code: Internal, message: \"Error getting status for job 7: …\" }"));
        assert!(!told("Status { code: OutOfRange, message: \"decoded message length too large\" }"));
        assert!(
            !told("Job 7 failed: Status { code: Internal }")
                && !is_of_connection(&DataFusionError::Plan("Status {".to_owned()))
        );
        assert!(lost("df://127.0.0.1:1").is_temporary());
    }
}
