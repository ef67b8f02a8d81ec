//! The calls in a plan that detect, and what stands in their place.

use std::sync::{Arc, LazyLock};

use datafusion::common::Column;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::error::Result;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan, ScalarUDF};

use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::functions;

/// A text, or column of texts, in which identifiers are looked for, and whose text it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Hash)]
pub(super) struct Call {
    pub(super) text: Expr,
    pub(super) patient: Option<Expr>,
}

impl Call {
    /// The call that an expression is, if it is one over a column.
    fn of(expression: &Expr) -> Option<Self> {
        let Expr::ScalarFunction(call) = expression else { return None };
        let (text, patient) = match (call.func.name(), call.args.as_slice()) {
            ("phi_spans" | "phi_score", [text]) => (text, None),
            ("phi_spans" | "phi_score", [text, patient]) | ("deidentify", [text, patient, ..]) => (text, Some(patient)),
            _ => return None,
        };
        // A constant is one text, and what is drawn anew each time has no two readings that are the same.
        let repeats =
            text.any_column_refs() && !text.is_volatile() && patient.is_none_or(|patient| !patient.is_volatile());
        repeats.then(|| Self { text: text.clone(), patient: patient.cloned() })
    }

    /// Whether there is one in an expression.
    pub(super) fn is_in(expression: &Expr) -> bool {
        expression.exists(|part| Ok(Self::of(part).is_some())).unwrap_or_default()
    }

    /// All in the expressions of a plan's uppermost node, each once.
    pub(super) fn all_in(plan: &LogicalPlan) -> Result<Vec<Self>> {
        let mut calls = Vec::new();
        plan.apply_expressions(|expression| {
            expression.apply(|part| {
                calls.extend(Self::of(part).filter(|call| !calls.contains(call)));
                Ok(TreeNodeRecursion::Continue)
            })
        })?;
        Ok(calls)
    }
}

/// The columns in which the claims on texts are, and the function that replaces by them.
pub(super) struct Names {
    columns: Vec<(Call, String)>,
    replace: ScalarUDF,
}

static SPANS: LazyLock<ScalarUDF> = LazyLock::new(functions::spans_of_claims);
static SCORE: LazyLock<ScalarUDF> = LazyLock::new(functions::score_of_claims);

impl Names {
    pub(super) fn new(deidentifier: &Arc<Deidentifier>) -> Self {
        Self { columns: Vec::new(), replace: functions::replace_spans(deidentifier) }
    }

    pub(super) fn add(&mut self, call: &Call, column: &str) {
        self.columns.push((call.clone(), column.to_owned()));
    }

    pub(super) fn of(&self, call: &Call) -> Option<Expr> {
        let (_, column) = self.columns.iter().find(|(known, _)| known == call)?;
        Some(Expr::Column(Column::new_unqualified(column)))
    }

    /// An expression with every call replaced by one that reads claims.
    pub(super) fn replace_in(&self, expression: Expr) -> Result<Expr> {
        let replaced = expression.transform_up(|part| {
            let Some(claims) = Call::of(&part).and_then(|call| self.of(&call)) else {
                return Ok(Transformed::no(part));
            };
            let Expr::ScalarFunction(mut call) = part else { return Ok(Transformed::no(part)) };
            Ok(Transformed::yes(match call.func.name() {
                "phi_spans" => SPANS.call(vec![call.args.swap_remove(0), claims]),
                "phi_score" => SCORE.call(vec![claims]),
                _ => {
                    // text, patient, claims, and what else is said of the way to replace
                    call.args.insert(2, claims);
                    self.replace.call(call.args)
                }
            }))
        })?;
        Ok(replaced.data)
    }

    /// The expressions of a plan, replaced so, under the names that they had.
    pub(super) fn replace_in_all(&self, plan: &LogicalPlan) -> Result<Vec<Expr>> {
        let preserver = NamePreserver::new(plan);
        let replace = |expression: Expr| {
            let name = preserver.save(&expression);
            Ok(name.restore(self.replace_in(expression)?))
        };
        plan.expressions().into_iter().map(replace).collect()
    }
}
