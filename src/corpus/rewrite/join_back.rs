//! The node of a plan that joins what was found in distinct sentences back to the texts in which they stand.
//!
//! ```text
//! answers: sentence_hash, answer ─┐
//!                                 ├─ JoinBack ─▶ notes' columns, claims
//! notes: …, text, patient ────────┘
//! ```

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use arrow::datatypes::Field;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, DFSchemaRef, UnnestOptions, plan_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::memory_pool::MemoryReservation;
use datafusion::functions::core::expr_fn::get_field;
use datafusion::functions_aggregate::expr_fn::min;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, UserDefinedLogicalNodeCore, col};
use futures::future::{BoxFuture, Shared};

use super::calls::Call;
use crate::corpus::claims::SentenceClaims;
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::functions;
use crate::corpus::progress::Meter;

/// The columns of the answers.
pub(super) const HASH: &str = "__sentence_hash";
pub(super) const ANSWER: &str = "__answer";

/// The answers, and the memory that they take; or why there are none.
pub(super) type Answers = Result<(Arc<SentenceClaims>, Arc<MemoryReservation>), Arc<DataFusionError>>;

/// The answers, gathered when the first of those that share them wants them, by all who wait for them. An answer follows from its sentence alone, so
/// one is as good as another. Where they cannot be had that is told to everybody: a plan is run once, and not again.
pub(super) type Gathered = Arc<OnceLock<Shared<BoxFuture<'static, Answers>>>>;

/// Joins the claims on the distinct sentences of an input back to its texts, as one more column.
pub(super) struct JoinBack {
    answers: LogicalPlan,
    gathered: Gathered,
    notes: LogicalPlan,
    call: Call,
    column: String,
    schema: DFSchemaRef,
    deidentifier: Arc<Deidentifier>,
}

impl JoinBack {
    /// A join of the distinct sentences of an input to its rows, which `notes` are, perhaps with further columns.
    pub(super) fn new(
        call: &Call,
        input: &LogicalPlan,
        notes: LogicalPlan,
        deidentifier: &Arc<Deidentifier>,
    ) -> Result<Self> {
        // Another patient's view of the same texts, or texts of which some were filtered out since.
        let shared = Self::in_plan(&notes).find(|known| known.call.text == call.text);
        let answers = match shared {
            Some(known) => (known.answers.clone(), Arc::clone(&known.gathered)),
            None => (answers(call, input, deidentifier)?, Arc::default()),
        };
        let column = free_name(&notes);
        Self::over(answers, notes, call.clone(), column, Arc::clone(deidentifier))
    }

    fn over(
        (answers, gathered): (LogicalPlan, Gathered),
        notes: LogicalPlan,
        call: Call,
        column: String,
        deidentifier: Arc<Deidentifier>,
    ) -> Result<Self> {
        let claims = Arc::new(Field::new(&column, functions::claim_type(), true));
        let fields = notes.schema().iter().map(|(relation, field)| (relation.cloned(), Arc::clone(field)));
        let fields = fields.chain([(None, claims)]).collect();
        let schema = DFSchema::new_with_metadata(fields, notes.schema().metadata().clone())?;
        let schema = schema.with_functional_dependencies(notes.schema().functional_dependencies().clone())?;
        Ok(Self { answers, gathered, notes, call, column, schema: Arc::new(schema), deidentifier })
    }

    /// Those in a plan that lie under nothing but others and filters, from above.
    pub(super) fn in_plan(plan: &LogicalPlan) -> impl Iterator<Item = &Self> {
        let mut next = Some(plan);
        std::iter::from_fn(move || {
            loop {
                match next? {
                    LogicalPlan::Filter(filter) => next = Some(&filter.input),
                    LogicalPlan::Extension(extension) => {
                        let node = extension.node.as_any().downcast_ref::<Self>();
                        next = node.map(|node| &node.notes);
                        return node;
                    }
                    _ => return None,
                }
            }
        })
    }

    pub(super) fn is_of(&self, call: &Call) -> bool {
        self.call == *call
    }

    /// The column of claims that it adds.
    pub(super) fn column(&self) -> &str {
        &self.column
    }

    pub(super) fn call(&self) -> &Call {
        &self.call
    }

    pub(super) fn gathered(&self) -> &Gathered {
        &self.gathered
    }

    pub(super) fn deidentifier(&self) -> &Arc<Deidentifier> {
        &self.deidentifier
    }

    /// What must be equal for two to be the same.
    fn parts(&self) -> (&LogicalPlan, &Call, &str) {
        (&self.notes, &self.call, &self.column)
    }
}

/// A name for a column of claims that no column of a plan has.
fn free_name(plan: &LogicalPlan) -> String {
    let is_free = |name: &String| plan.schema().fields().iter().all(|field| field.name() != name);
    (1_usize..).map(|number| format!("__claims_{number}")).find(is_free).unwrap_or_default()
}

/// The answers of the ensemble on the distinct sentences of a column of texts.
fn answers(call: &Call, input: &LogicalPlan, deidentifier: &Arc<Deidentifier>) -> Result<LogicalPlan> {
    const SENTENCE: &str = "__sentence";
    let sentences = functions::sentences(deidentifier).call(vec![call.text.clone()]);
    let answer = functions::sentence_answer(deidentifier, &Arc::default(), &Meter::default());
    let part = |name: &str| get_field(col(SENTENCE), name);
    // Sentences of one hash have one text and one context.
    let texts = ["text", "before", "after"];
    LogicalPlanBuilder::from(input.clone())
        .project([sentences.alias(SENTENCE)])?
        .unnest_column_with_options(SENTENCE, UnnestOptions::new().with_preserve_nulls(false))?
        .aggregate([part("sentence_hash").alias(HASH)], texts.map(|name| min(part(name)).alias(name)))?
        .project([col(HASH), answer.call(texts.map(col).to_vec()).alias(ANSWER)])?
        .build()
}

impl std::fmt::Debug for JoinBack {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.fmt_for_explain(formatter)
    }
}

impl PartialEq for JoinBack {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for JoinBack {}

impl PartialOrd for JoinBack {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.parts().partial_cmp(&other.parts())
    }
}

impl Hash for JoinBack {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

impl UserDefinedLogicalNodeCore for JoinBack {
    fn name(&self) -> &str {
        "JoinBack"
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        vec![&self.answers, &self.notes]
    }

    fn schema(&self) -> &DFSchemaRef {
        &self.schema
    }

    fn expressions(&self) -> Vec<Expr> {
        std::iter::once(self.call.text.clone()).chain(self.call.patient.clone()).collect()
    }

    fn fmt_for_explain(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "JoinBack: {}", self.call.text)?;
        self.call.patient.iter().try_for_each(|patient| write!(formatter, ", {patient}"))
    }

    fn with_exprs_and_inputs(&self, expressions: Vec<Expr>, inputs: Vec<LogicalPlan>) -> Result<Self> {
        let mut expressions = expressions.into_iter();
        let (Some(text), patient) = (expressions.next(), expressions.next()) else {
            return plan_err!("JoinBack is over a text");
        };
        let Ok([answers, notes]) = <[LogicalPlan; 2]>::try_from(inputs) else {
            return plan_err!("JoinBack has two inputs");
        };
        let answers = (answers, Arc::clone(&self.gathered));
        Self::over(answers, notes, Call { text, patient }, self.column.clone(), Arc::clone(&self.deidentifier))
    }

    fn necessary_children_exprs(&self, output_columns: &[usize]) -> Option<Vec<Vec<usize>>> {
        let own = self.notes.schema().fields().len();
        let mut of_notes: Vec<usize> = output_columns.iter().copied().filter(|&column| column < own).collect();
        for expression in self.expressions() {
            let walked = expression.apply(|part| {
                if let Expr::Column(column) = part {
                    of_notes.extend(self.notes.schema().maybe_index_of_column(column));
                }
                Ok(TreeNodeRecursion::Continue)
            });
            walked.ok()?;
        }
        of_notes.sort_unstable();
        of_notes.dedup();
        Some(vec![vec![0, 1], of_notes])
    }
}
