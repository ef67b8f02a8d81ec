//! The notes as a run would write them, as a table of a session that knows nothing else of them.
//!
//! ```text
//! SELECT text FROM notes WHERE patient_id = '7f3a…'          a session without plainsight's functions
//!   StreamingTableExec: a leaf, nothing below it is seen
//!   ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
//!   SELECT deidentify(text, __patient) … FROM notes          a private session, whose plans the other never has in hand
//! ```
//!
//! What is asked above the line sees values of the output only. A condition goes below it where it names no text: there it stands over the same
//! values, and the notes that it leaves out need not be detected. Conditions on texts stay above. The statistics of the source, its order, its
//! paths and the messages of its errors stay below.
//!
//! What a reader still learns: how many notes there are, and in which order they lie in the source, for they come in that order; both are so in the
//! output of a run too. And how long an answer takes: a note whose sentences are all known elsewhere costs less.

use std::io::Write;
use std::sync::Arc;

use arrow::datatypes::{Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNode;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{
    Expr, LogicalPlan, LogicalPlanBuilder, TableProviderFilterPushDown, TableType, ident, lit,
};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};
use datafusion::prelude::SessionContext;
use futures::StreamExt;

use super::error::CorpusError;
use super::leaf::{in_types, leaf};
use super::schema::{Role, bare};
use super::source::Source;
use super::stages::{anchored, quoted, released};

/// A fault below a de-identified view. What it was may quote the notes or their places: the log tells of it, the reader is told that it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// Asking again is of no use before something is mended.
    #[error("the notes cannot be read or de-identified; the log of the server tells more")]
    Lasting,
    /// It may pass: a store, or a cluster, does not answer.
    #[error("the notes cannot be had just now; ask again later, and the log of the server tells more")]
    Passing,
}

/// Registers the notes of `source` under the name `notes` in `outer`, each column by its role as a run would write it. The session `inner` has
/// plainsight's functions and the table `notes` of the same source.
///
/// # Errors
/// [`CorpusError::Engine`] where the engine refuses the table.
pub async fn register_view(outer: &SessionContext, inner: &SessionContext, source: &Source) -> Result<(), CorpusError> {
    let fail = CorpusError::in_stage("view");
    let kept = source.columns.iter().filter(|column| column.role != Role::Drop);
    let columns = kept.map(|column| {
        let name = quoted(&column.name);
        match column.role {
            // A name of its own, or the column could be had by that of the table below.
            Role::Keep | Role::Drop => format!("{name} AS {name}"),
            _ => released(
                &source.columns,
                column,
                &format!("deidentify({name}, __patient{})", anchored(&source.columns)),
            ),
        }
    });
    let statement = format!("SELECT {} FROM notes", columns.collect::<Vec<_>>().join(", "));
    let plan = inner.sql(&statement).await.map_err(&fail)?.into_unoptimized_plan();
    let texts = source.columns.of(Role::Text).map(|column| column.name.clone()).collect();
    let view = DeidentifiedNotes::new(inner.state(), plan, texts);
    outer.register_table("notes", Arc::new(view)).map(drop).map_err(&fail)
}

/// The table.
struct DeidentifiedNotes {
    inner: SessionState,
    /// What a reader may see, over the notes.
    plan: LogicalPlan,
    schema: SchemaRef,
    /// The columns that are texts.
    texts: Vec<String>,
}

impl DeidentifiedNotes {
    fn new(inner: SessionState, plan: LogicalPlan, texts: Vec<String>) -> Self {
        // Metadata of fields are free text of whoever wrote the source.
        let fields = plan.schema().fields().iter().map(|field| Field::new(field.name(), bare(field.data_type()), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        Self { inner, plan, schema, texts }
    }

    /// Whether a condition may stand below: its columns are no texts and its value follows from the row alone.
    fn goes_below(&self, condition: &Expr) -> bool {
        let plain = |column: &str| {
            let field = self.schema.field_with_name(column);
            !self.texts.iter().any(|text| text == column) && field.is_ok_and(|field| !field.data_type().is_nested())
        };
        let whole = condition.exists(|part| {
            Ok(matches!(
                part,
                Expr::ScalarSubquery(_)
                    | Expr::Exists(_)
                    | Expr::InSubquery(_)
                    | Expr::SetComparison(_)
                    | Expr::OuterReferenceColumn(..)
                    | Expr::Placeholder(_)
            ))
        });
        whole.is_ok_and(|other| !other)
            && !condition.is_volatile()
            && condition.column_refs().iter().all(|column| plain(&column.name))
    }

    async fn below(
        &self,
        schema: &SchemaRef,
        conditions: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let mut builder = LogicalPlanBuilder::from(self.plan.clone());
        if let Some(condition) = conjunction(conditions.iter().cloned()) {
            builder = builder.filter(condition)?;
        }
        // Where no column is asked for, the rows are counted: one that costs nothing stands for them.
        let mut columns: Vec<_> = schema.fields().iter().map(|field| ident(field.name())).collect();
        if columns.is_empty() {
            columns.push(lit(true).alias("__row"));
        }
        builder = builder.project(columns)?;
        if limit.is_some() {
            builder = builder.limit(0, limit)?;
        }
        self.inner.create_physical_plan(&builder.build()?).await
    }
}

impl std::fmt::Debug for DeidentifiedNotes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("DeidentifiedNotes")
    }
}

#[async_trait]
impl TableProvider for DeidentifiedNotes {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::View
    }

    fn supports_filters_pushdown(&self, conditions: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let place = |condition: &&Expr| match self.goes_below(condition) {
            true => TableProviderFilterPushDown::Exact,
            false => TableProviderFilterPushDown::Unsupported,
        };
        Ok(conditions.iter().map(place).collect())
    }

    async fn scan(
        &self,
        _outer: &dyn Session,
        projection: Option<&Vec<usize>>,
        conditions: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = match projection {
            Some(projection) => Arc::new(self.schema.project(projection)?),
            None => Arc::clone(&self.schema),
        };
        if !conditions.iter().all(|condition| self.goes_below(condition)) {
            return Err(hidden(DataFusionError::Internal("a condition on texts was pushed down".to_owned())));
        }
        let below = self.below(&schema, conditions, limit).await.map_err(hidden)?;
        let (partitions, task, shown) =
            (below.output_partitioning().partition_count(), self.inner.task_ctx(), Arc::clone(&schema));
        // The rows come by the private session, whatever the task of the plan around them.
        leaf(schema, partitions, move |partition, _outer| {
            let (rows, schema) = (below.execute(partition, Arc::clone(&task)).map_err(hidden)?, Arc::clone(&shown));
            let rows = rows.map(move |batch| batch.and_then(|batch| in_types(&batch, &schema)).map_err(hidden));
            Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&shown), rows)))
        })
    }
}

/// What is told above of an error below: that there was one, that memory ran out, or that a condition of the reader cannot be computed.
fn hidden(error: DataFusionError) -> DataFusionError {
    match error.find_root() {
        DataFusionError::ResourcesExhausted(_) => {
            return DataFusionError::ResourcesExhausted("the notes need more memory than there is".to_owned());
        }
        DataFusionError::ArrowError(fault, _) => match fault.as_ref() {
            ArrowError::CastError(_) | ArrowError::ParseError(_) => {
                return ArrowError::CastError("behind the de-identified view".to_owned()).into();
            }
            ArrowError::DivideByZero => return ArrowError::DivideByZero.into(),
            _ => {}
        },
        _ => {}
    }
    let reason = CorpusError::in_stage("view")(error);
    match tracing::dispatcher::has_been_set() {
        true => tracing::error!("{reason}"),
        // Standard error may be closed; the reader is told that there was a fault all the same.
        false => drop(writeln!(std::io::stderr(), "error: {reason}")),
    }
    DataFusionError::External(Box::new(if reason.is_temporary() { ViewError::Passing } else { ViewError::Lasting }))
}
