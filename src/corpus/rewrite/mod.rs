//! Plain SQL at the cost of the remainder: functions that detect over a column are rewritten, so that each distinct sentence is detected
//! once, however often it occurs.
//!
//! ```text
//! SELECT note_id, deidentify(text, patient_id) FROM notes
//!
//! Projection: note_id, replace_spans(text, patient_id, __claims)
//!   JoinBack: text, patient_id
//!     Projection: sentence_hash, sentence_answer(text, before, after)     each distinct sentence once
//!       Aggregate: group by sentence_hash
//!         Unnest: sentences(text)
//!           notes
//!     notes
//! ```
//!
//! Calls whose arguments are computed for some rows only (in `CASE`, or behind `AND`), calls within calls, what `DELETE` and `UPDATE` ask,
//! recursive queries and grouping sets stay as they are; so does whatever cannot be rewritten.
//!
//! `SET plainsight.distinct_detection = false` turns it off. It needs the session's key, by which sentences are told apart.

mod calls;
mod execution;
mod join_back;
mod wire;

pub(crate) use wire::JoinBackCodec;

use std::sync::Arc;

use datafusion::common::config::ConfigExtension;
use datafusion::common::extensions_options;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::error::Result;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::logical_expr::utils::{conjunction, split_conjunction_owned};
use datafusion::logical_expr::{Expr, Extension, Filter, LogicalPlan, LogicalPlanBuilder, WriteOp};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

use super::deidentifier::Deidentifier;
use calls::{Call, Names};
use execution::Planner;
use join_back::JoinBack;

extensions_options! {
    /// How statements are rewritten.
    pub struct RewriteOptions {
        /// Whether phi_spans, phi_score and deidentify over a column detect each distinct sentence once
        pub distinct_detection: bool, default = true
    }
}

impl ConfigExtension for RewriteOptions {
    const PREFIX: &'static str = "plainsight";
}

/// Adds the rewriting to a session that is being built.
pub(super) fn with_rewriting(builder: SessionStateBuilder, deidentifier: &Arc<Deidentifier>) -> SessionStateBuilder {
    let rule = DistinctDetection { deidentifier: Arc::clone(deidentifier) };
    builder.with_optimizer_rule(Arc::new(rule)).with_query_planner(Arc::new(Planner))
}

/// The rule of the optimizer.
struct DistinctDetection {
    deidentifier: Arc<Deidentifier>,
}

impl std::fmt::Debug for DistinctDetection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("DistinctDetection")
    }
}

impl OptimizerRule for DistinctDetection {
    fn name(&self) -> &str {
        "distinct_detection"
    }

    fn rewrite(&self, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let options = config.options();
        let wanted = options.extensions.get::<RewriteOptions>().is_none_or(|options| options.distinct_detection);
        if !wanted || self.deidentifier.hasher().is_err() {
            return Ok(Transformed::no(plan));
        }
        plan.transform_down_up_with_subqueries(
            |plan| {
                let next = if stays(&plan) { TreeNodeRecursion::Jump } else { TreeNodeRecursion::Continue };
                Ok(Transformed::new(plan, false, next))
            },
            |plan| self.node(plan),
        )
    }
}

/// Whether what is below a node stays as it is: of rows to be deleted or changed the table is told the conditions as they were written, and a
/// recursive query can name its own rows only once.
fn stays(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Dml(statement) => !matches!(statement.op, WriteOp::Insert(_) | WriteOp::Ctas),
        LogicalPlan::RecursiveQuery(_) => true,
        _ => false,
    }
}

impl DistinctDetection {
    /// A node over inputs that are rewritten. Where that cannot be done it is the one that it was, which gives the same.
    fn node(&self, plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
        let calls = Call::all_in(&plan)?;
        if calls.is_empty() {
            return Ok(Transformed::no(plan));
        }
        match self.rewritten(plan.clone(), &calls) {
            Ok(Some(rewritten)) if rewritten.schema().logically_equivalent_names_and_types(plan.schema()) => {
                Ok(Transformed::yes(rewritten))
            }
            _ => Ok(Transformed::no(plan)),
        }
    }

    /// A node by the claims on what it calls for; none for nodes that are not rewritten.
    fn rewritten(&self, plan: LogicalPlan, calls: &[Call]) -> Result<Option<LogicalPlan>> {
        match plan {
            LogicalPlan::Filter(filter) => self.filter(filter, calls).map(Some),
            LogicalPlan::Sort(_) => {
                // What is sorted keeps its columns, so those that were joined are taken away again.
                let columns: Vec<_> = plan.schema().iter().map(Expr::from).collect();
                let sorted = self.over_input(plan, calls)?;
                LogicalPlanBuilder::from(sorted).project(columns)?.build().map(Some)
            }
            // Their expressions are lists of expressions, which are no longer told apart once they are replaced.
            LogicalPlan::Aggregate(ref aggregate) if has_grouping_sets(&aggregate.group_expr) => Ok(None),
            LogicalPlan::Projection(_) | LogicalPlan::Aggregate(_) => self.over_input(plan, calls).map(Some),
            _ => Ok(None),
        }
    }

    /// What need not be detected to be decided is decided first.
    fn filter(&self, filter: Filter, calls: &[Call]) -> Result<LogicalPlan> {
        let columns: Vec<_> = filter.input.schema().iter().map(Expr::from).collect();
        let (detecting, others): (Vec<_>, Vec<_>) =
            split_conjunction_owned(filter.predicate).into_iter().partition(Call::is_in);
        let mut input = Arc::unwrap_or_clone(filter.input);
        if let Some(others) = conjunction(others) {
            input = LogicalPlan::Filter(Filter::try_new(others, Arc::new(input))?);
        }
        let (input, names) = self.joined(input, calls)?;
        let detecting = detecting.into_iter().map(|part| names.replace_in(part)).collect::<Result<Vec<_>>>()?;
        LogicalPlanBuilder::from(input).filter(conjunction(detecting).unwrap_or_default())?.project(columns)?.build()
    }

    /// The same plan over an input to which the claims are joined.
    fn over_input(&self, plan: LogicalPlan, calls: &[Call]) -> Result<LogicalPlan> {
        let (input, names) = self.joined(plan.inputs()[0].clone(), calls)?;
        let expressions = names.replace_in_all(&plan)?;
        plan.with_new_exprs(expressions, vec![input])
    }

    /// An input with a column of claims for each text, and the names of those columns.
    fn joined(&self, input: LogicalPlan, calls: &[Call]) -> Result<(LogicalPlan, Names)> {
        let (mut notes, mut names) = (filtered_below(&input).unwrap_or(&input).clone(), Names::new(&self.deidentifier));
        for call in calls {
            if names.of(call).is_some() {
                continue;
            }
            if let Some(known) = JoinBack::in_plan(&notes).find(|known| known.is_of(call)) {
                names.add(call, known.column());
                continue;
            }
            let node = JoinBack::new(call, &input, notes, &self.deidentifier)?;
            names.add(call, node.column());
            notes = LogicalPlan::Extension(Extension { node: Arc::new(node) });
        }
        Ok((notes, names))
    }
}

fn has_grouping_sets(groups: &[Expr]) -> bool {
    groups.iter().any(|group| matches!(group, Expr::GroupingSet(_)))
}

/// A filter below that was rewritten already: its claims are still there to be used, under the projection that hides them.
fn filtered_below(plan: &LogicalPlan) -> Option<&LogicalPlan> {
    let LogicalPlan::Projection(projection) = plan else { return None };
    let filter = projection.input.as_ref();
    // Whatever else it projects would be lost.
    let hides_only = projection.expr.iter().all(|expr| matches!(expr, Expr::Column(_)));
    let is_rewritten = matches!(filter, LogicalPlan::Filter(_)) && JoinBack::in_plan(filter).next().is_some();
    (hides_only && is_rewritten).then_some(filter)
}
