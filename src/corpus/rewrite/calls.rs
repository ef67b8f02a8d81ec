//! The calls in a plan that detect, and what stands in their place.

use std::sync::{Arc, LazyLock};

use datafusion::common::Column;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion, TreeNodeVisitor};
use datafusion::error::Result;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{Expr, LogicalPlan, Operator, ScalarUDF};

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
        let stands_alone = ![text].into_iter().chain(patient).any(needs_more_than_a_row);
        (repeats && stands_alone).then(|| Self { text: text.clone(), patient: patient.cloned() })
    }

    /// Whether its arguments are there already, so that no row can fail by them.
    fn is_plain(&self) -> bool {
        std::iter::once(&self.text).chain(&self.patient).all(|part| matches!(part, Expr::Column(_) | Expr::Literal(..)))
    }

    /// Whether there is one in an expression.
    pub(super) fn is_in(expression: &Expr) -> bool {
        expression.exists(|part| Ok(Self::of(part).is_some())).unwrap_or_default()
    }

    /// All in the expressions of a plan's uppermost node, each once, but those that are computed for some rows only: `CASE WHEN k <> 0 THEN
    /// phi_score(substr(t, 1, 10 / k)) END` must not divide where k is 0. Columns and constants can be read for every row.
    pub(super) fn all_in(plan: &LogicalPlan) -> Result<Vec<Self>> {
        let mut gathering = Gathering::default();
        match plan {
            LogicalPlan::Filter(filter) => {
                for part in split_conjunction(&filter.predicate).into_iter().filter(|part| Self::is_in(part)) {
                    part.visit(&mut gathering)?;
                    // Further conditions are asked where this one holds.
                    gathering.guards = 1;
                }
            }
            _ => {
                plan.apply_expressions(|expression| expression.visit(&mut gathering))?;
            }
        }
        Ok(gathering.calls)
    }
}

/// What detects, before it is rewritten and after.
const DETECTING: [&str; 6] =
    ["phi_spans", "phi_score", "deidentify", "spans_of_claims", "score_of_claims", "replace_spans"];

/// Whether an argument cannot be computed from a row of the input alone, or holds a further call: then that one is rewritten, and this one is not.
fn needs_more_than_a_row(argument: &Expr) -> bool {
    let needs_more = |part: &Expr| match part {
        Expr::ScalarFunction(call) => DETECTING.contains(&call.func.name()),
        Expr::OuterReferenceColumn(..)
        | Expr::LambdaVariable(_)
        | Expr::ScalarSubquery(_)
        | Expr::Exists(_)
        | Expr::InSubquery(_)
        | Expr::SetComparison(_) => true,
        _ => false,
    };
    argument.exists(|part| Ok(needs_more(part))).unwrap_or(true)
}

/// Whether parts of an expression are computed for some rows only.
fn is_guard(expression: &Expr) -> bool {
    match expression {
        Expr::Case(_) | Expr::HigherOrderFunction(_) => true,
        Expr::BinaryExpr(binary) => matches!(binary.op, Operator::And | Operator::Or),
        Expr::ScalarFunction(call) => call.func.short_circuits(),
        Expr::AggregateFunction(call) => call.params.filter.is_some(),
        _ => false,
    }
}

/// The calls on the way through expressions.
#[derive(Default)]
struct Gathering {
    calls: Vec<Call>,
    /// Below how many that are computed for some rows only.
    guards: usize,
}

impl<'e> TreeNodeVisitor<'e> for Gathering {
    type Node = Expr;

    fn f_down(&mut self, part: &'e Expr) -> Result<TreeNodeRecursion> {
        let call = Call::of(part).filter(|call| self.guards == 0 || call.is_plain());
        if let Some(call) = call.filter(|call| !self.calls.contains(call)) {
            self.calls.push(call);
        }
        self.guards += usize::from(is_guard(part));
        Ok(TreeNodeRecursion::Continue)
    }

    fn f_up(&mut self, part: &'e Expr) -> Result<TreeNodeRecursion> {
        self.guards -= usize::from(is_guard(part));
        Ok(TreeNodeRecursion::Continue)
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
