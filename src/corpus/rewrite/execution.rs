//! How [`JoinBack`] runs: the answers are gathered first and held by hash, then the notes pass by, in their order and their partitions.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::plan_err;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::context::QueryPlanner;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::{LogicalPlan, UserDefinedLogicalNode};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, Distribution, ExecutionPlan, ExecutionPlanProperties,
    InputDistributionRequirements, PlanProperties, ReplaceChildrenOptions,
};
use datafusion::physical_planner::{DefaultPhysicalPlanner, ExtensionPlanner, PhysicalPlanner};
use futures::{FutureExt, TryFutureExt, TryStreamExt};

use super::join_back::{ANSWER, Gathered, HASH, JoinBack};
use crate::corpus::claims::SentenceClaims;
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::functions;
use crate::corpus::index::HeldClaims;

/// Plans what the engine plans, and [`JoinBack`].
#[derive(Debug)]
pub(super) struct Planner;

#[async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(&self, plan: &LogicalPlan, session: &dyn Session) -> Result<Arc<dyn ExecutionPlan>> {
        let planner = DefaultPhysicalPlanner::with_extension_planners(vec![Arc::new(Self)]);
        planner.create_physical_plan(plan, session).await
    }
}

#[async_trait]
impl ExtensionPlanner for Planner {
    async fn plan_extension(
        &self,
        planner: &dyn PhysicalPlanner,
        node: &dyn UserDefinedLogicalNode,
        logical_inputs: &[&LogicalPlan],
        physical_inputs: &[Arc<dyn ExecutionPlan>],
        session: &dyn Session,
        context: &PhysicalPlanningContext,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let Some(node) = node.as_any().downcast_ref::<JoinBack>() else { return Ok(None) };
        let ([_, notes], [answers, physical_notes]) = (logical_inputs, physical_inputs) else {
            return plan_err!("JoinBack has two inputs");
        };
        let physical = |expression| planner.create_physical_expr(expression, notes.schema(), session, context);
        let text = physical(&node.call().text)?;
        let patient = node.call().patient.as_ref().map(physical).transpose()?;
        let join = JoinBackExec::new(
            [Arc::clone(answers), Arc::clone(physical_notes)],
            Expressions { text, patient, column: node.column().to_owned() },
            Arc::clone(node.deidentifier()),
            Arc::clone(node.gathered()),
        );
        Ok(Some(Arc::new(join)))
    }
}

/// What is read of the notes, and where the claims go.
#[derive(Debug, Clone)]
pub(super) struct Expressions {
    pub(super) text: Arc<dyn PhysicalExpr>,
    pub(super) patient: Option<Arc<dyn PhysicalExpr>>,
    pub(super) column: String,
}

pub(super) struct JoinBackExec {
    /// Answers, then notes.
    inputs: [Arc<dyn ExecutionPlan>; 2],
    expressions: Expressions,
    deidentifier: Arc<Deidentifier>,
    properties: Arc<PlanProperties>,
    gathered: Gathered,
    metrics: ExecutionPlanMetricsSet,
}

impl JoinBackExec {
    pub(super) fn new(
        inputs: [Arc<dyn ExecutionPlan>; 2],
        expressions: Expressions,
        deidentifier: Arc<Deidentifier>,
        gathered: Gathered,
    ) -> Self {
        let notes = &inputs[1];
        let claims = Field::new(&expressions.column, functions::claim_type(), true);
        let fields = notes.schema().fields().iter().cloned().chain([Arc::new(claims)]).collect::<Vec<_>>();
        let schema = Arc::new(Schema::new_with_metadata(fields, notes.schema().metadata().clone()));
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            notes.output_partitioning().clone(),
            notes.pipeline_behavior(),
            notes.boundedness(),
        );
        let metrics = ExecutionPlanMetricsSet::new();
        Self { inputs, expressions, deidentifier, properties: Arc::new(properties), gathered, metrics }
    }

    pub(super) fn expressions(&self) -> &Expressions {
        &self.expressions
    }
}

impl std::fmt::Debug for JoinBackExec {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "JoinBackExec {:?}", self.expressions)
    }
}

impl DisplayAs for JoinBackExec {
    fn fmt_as(&self, _: DisplayFormatType, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "JoinBackExec: {}", self.expressions.text)?;
        self.expressions.patient.iter().try_for_each(|patient| write!(formatter, ", {patient}"))
    }
}

impl ExecutionPlan for JoinBackExec {
    fn name(&self) -> &str {
        "JoinBackExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        self.inputs.iter().collect()
    }

    /// Every partition of notes needs all answers.
    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        InputDistributionRequirements::new(vec![Distribution::SinglePartition, Distribution::UnspecifiedDistribution])
    }

    /// Rows stay in their order, which is not told: the engine would sort below instead of above, by another column, for it takes the columns of a
    /// node of two inputs for those of both.
    fn maintains_input_order(&self) -> Vec<bool> {
        vec![false, false]
    }

    fn apply_expressions(
        &self,
        visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        let mut next = TreeNodeRecursion::Continue;
        for expression in std::iter::once(&self.expressions.text).chain(&self.expressions.patient) {
            next = visit(expression)?;
        }
        Ok(next)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Ok(inputs) = children.try_into() else { return plan_err!("JoinBack has two inputs") };
        let (deidentifier, gathered) = (Arc::clone(&self.deidentifier), Arc::clone(&self.gathered));
        Ok(Arc::new(Self::new(inputs, self.expressions.clone(), deidentifier, gathered)))
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let [answers, notes] = &self.inputs;
        let notes = notes.execute(partition, Arc::clone(&context))?;
        let (answers, gathered) = (Arc::clone(answers), Arc::clone(&self.gathered));
        let (expressions, deidentifier) = (self.expressions.clone(), Arc::clone(&self.deidentifier));
        let (metrics, schema) = (BaselineMetrics::new(&self.metrics, partition), self.schema());
        let joined_schema = Arc::clone(&schema);
        let joined = async move {
            let gathering =
                gathered.get_or_init(|| gather(answers, context).map_err(Arc::new).boxed().shared()).clone();
            let (known, _) = gathering.await.map_err(DataFusionError::Shared)?;
            Ok::<_, DataFusionError>(notes.and_then(move |batch| {
                let _time = metrics.elapsed_compute().timer();
                let joined = expressions.join(&batch, &known, &deidentifier, &joined_schema);
                std::future::ready(joined.inspect(|batch| metrics.record_output(batch.num_rows())))
            }))
        };
        let joined = futures::stream::once(joined).try_flatten();
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, joined)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }
}

impl Expressions {
    fn join(
        &self,
        batch: &RecordBatch,
        known: &SentenceClaims,
        deidentifier: &Deidentifier,
        schema: &SchemaRef,
    ) -> Result<RecordBatch> {
        let column = |expression: &Arc<dyn PhysicalExpr>| -> Result<ArrayRef> {
            expression.evaluate(batch)?.into_array(batch.num_rows())
        };
        let patients = self.patient.as_ref().map(column).transpose()?;
        let claims = functions::claims_on_notes(&column(&self.text)?, patients.as_ref(), known, None, deidentifier)?;
        let columns = batch.columns().iter().cloned().chain([claims]).collect();
        Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
    }
}

/// Holds all answers, within the memory of the session.
async fn gather(
    answers: Arc<dyn ExecutionPlan>,
    context: Arc<TaskContext>,
) -> Result<(Arc<SentenceClaims>, Arc<MemoryReservation>)> {
    let reservation = MemoryConsumer::new("JoinBack").register(context.memory_pool());
    let mut held = HeldClaims::default();
    let mut answers = answers.execute(0, context)?;
    while let Some(batch) = answers.try_next().await? {
        let before = held.bytes();
        held.add(&batch, HASH, ANSWER)?;
        reservation.try_grow(held.bytes() - before)?;
    }
    Ok((Arc::new(SentenceClaims::Held(held)), Arc::new(reservation)))
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::DataType;
    use datafusion::catalog::streaming::StreamingTable;
    use datafusion::common::exec_datafusion_err;
    use datafusion::physical_plan::execute_stream_partitioned;
    use datafusion::physical_plan::streaming::PartitionStream;

    use super::*;
    use crate::corpus::session;
    use crate::surrogate::Key;

    /// Notes that cannot be read.
    #[derive(Debug)]
    struct Lost(SchemaRef);

    impl PartitionStream for Lost {
        fn schema(&self) -> &SchemaRef {
            &self.0
        }

        fn execute(&self, _task: Arc<TaskContext>) -> SendableRecordBatchStream {
            let rows = futures::stream::iter([Err(exec_datafusion_err!("the notes are lost"))]);
            Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.0), rows))
        }
    }

    #[tokio::test]
    async fn every_partition_tells_why_there_are_no_answers() {
        let schema = Arc::new(Schema::new(vec![Field::new("text", DataType::Utf8, true)]));
        let partitions = (0..3).map(|_| Arc::new(Lost(Arc::clone(&schema))) as Arc<dyn PartitionStream>).collect();
        let key = Key::from_hex(&"07".repeat(32)).unwrap();
        let context = session(&Arc::new(Deidentifier::new().with_key(key)), 3).unwrap();
        let notes = StreamingTable::try_new(Arc::clone(&schema), partitions).unwrap();
        context.register_table("notes", Arc::new(notes)).unwrap();
        let asked = context.sql("SELECT phi_spans(text) FROM notes").await.unwrap();
        let streams =
            execute_stream_partitioned(asked.create_physical_plan().await.unwrap(), context.task_ctx()).unwrap();
        assert_eq!(streams.len(), 3);
        for stream in streams {
            let told = stream.try_collect::<Vec<_>>().await.unwrap_err().to_string();
            assert!(told.contains("the notes are lost"), "{told}");
        }
    }
}
