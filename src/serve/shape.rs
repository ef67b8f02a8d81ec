//! How large a statement is where each part stands as often as it is named. A short text can make that as large as it likes, and planning takes time,
//! memory and stack by it, which neither `--timeout` nor `--memory` ends.
//!
//! ```text
//! statement ─ tables and SELECTs, those in WITH as often as named ─▶ plan ─ columns, with what they are made of ─▶ optimizer
//!             t1 AS (SELECT … FROM t0 a, t0 b), t2 AS (… t1 a, t1 b)       t1 AS (SELECT a + a AS a FROM t0), t2 AS (… FROM t1)
//! ```

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::common::DFSchema;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::error::DataFusionError;
use datafusion::logical_expr::{Expr, JoinType, LogicalPlan, Subquery};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr as SqlExpr, GroupByExpr, ObjectName, Query, Select, SetExpr, TableFactor, Visit, Visitor,
};

use super::statement::Refused;

/// How many tables and SELECTs a statement may have. Tables in FROM, by commas or JOIN, make a tree as deep.
const MOST_TABLES: usize = 128;
/// In how many ways a SELECT may group at once: every row is held once for each.
const MOST_GROUPINGS: usize = 64;
/// How many parts the expressions of a statement may have in all. A longer text may have as many as it has bytes: long lists of values are parts too.
const MOST_PARTS: usize = 20_000;

/// What a statement has too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum TooLarge {
    /// Tables and SELECTs.
    #[error(
        "the statement has more than {MOST_TABLES} tables and SELECTs; those in WITH count as often as they are named"
    )]
    Tables,
    /// Grouping sets.
    #[error(
        "the statement groups in more than {MOST_GROUPINGS} ways at once; CUBE doubles them with each of its columns"
    )]
    Groupings,
    /// Expressions that name columns that are expressions.
    #[error(
        "the statement's columns are too large, with what they are made of written out; name a computed column less often"
    )]
    Columns,
}

/// Whether a statement is small enough to be planned.
///
/// # Errors
/// [`TooLarge::Tables`], [`TooLarge::Groupings`].
pub(super) fn check_statement(statement: &Statement) -> Result<(), TooLarge> {
    match statement {
        Statement::Statement(statement) => statement.visit(&mut Count::default()).break_value().map_or(Ok(()), Err),
        Statement::Explain(explain) => check_statement(&explain.statement),
        // Refused by their kinds.
        Statement::CopyTo(_) | Statement::CreateExternalTable(_) | Statement::Reset(_) => Ok(()),
    }
}

/// Whether a plan of a text of so many bytes, not optimized yet, can be: a condition that moves down to a table has what its columns are made of in
/// their place, at each step.
///
/// # Errors
/// [`TooLarge::Columns`]; those of the engine.
pub(super) fn check_plan(plan: &LogicalPlan, text: usize) -> Result<(), Refused> {
    let mut weight = Weight { parts: 0 };
    weight.columns(plan, 1).map_err(Refused::Engine)?;
    if weight.parts > MOST_PARTS.max(text) { Err(TooLarge::Columns.into()) } else { Ok(()) }
}

/// Whether a plan that stands for several rows of values has no more tables than a statement may have.
///
/// # Errors
/// [`TooLarge::Tables`]; those of the engine.
pub(super) fn check_tables(plan: &LogicalPlan) -> Result<(), Refused> {
    let mut tables = 0;
    let counted = plan.apply_with_subqueries(|node| {
        tables += usize::from(matches!(node, LogicalPlan::TableScan(_)));
        Ok(TreeNodeRecursion::Continue)
    });
    counted.map_err(Refused::Engine)?;
    if tables > MOST_TABLES { Err(TooLarge::Tables.into()) } else { Ok(()) }
}

/// What has been counted of a statement.
#[derive(Default)]
struct Count {
    /// Tables and SELECTs of the queries that are open, the innermost last.
    open: Vec<usize>,
    /// The names of queries in WITH that are still to come, by where they stand.
    to_come: HashMap<*const Query, String>,
    /// The sizes of those that have been counted. Of several of one name the largest, whichever is meant.
    known: HashMap<String, usize>,
}

impl Count {
    fn add(&mut self, size: usize) -> ControlFlow<TooLarge> {
        let Some(count) = self.open.last_mut() else { return ControlFlow::Continue(()) };
        *count = count.saturating_add(size);
        if *count > MOST_TABLES { ControlFlow::Break(TooLarge::Tables) } else { ControlFlow::Continue(()) }
    }
}

impl Visitor for Count {
    type Break = TooLarge;

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<TooLarge> {
        for table in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.to_come.insert(std::ptr::from_ref(table.query.as_ref()), table.alias.name.value.to_lowercase());
        }
        self.open.push(0);
        self.add(selects(&query.body))
    }

    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<TooLarge> {
        let size = self.open.pop().unwrap_or_default();
        match self.to_come.remove(&std::ptr::from_ref(query)) {
            Some(name) => {
                let known = self.known.entry(name).or_default();
                *known = size.max(*known);
                ControlFlow::Continue(())
            }
            None => self.add(size),
        }
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<TooLarge> {
        let size = match table {
            TableFactor::Table { name, .. } => self.known.get(&written(name)).copied().unwrap_or(1),
            // What is in them is counted by itself.
            TableFactor::Derived { .. } | TableFactor::NestedJoin { .. } => 0,
            _ => 1,
        };
        self.add(size)
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<TooLarge> {
        if groupings(select) > MOST_GROUPINGS {
            return ControlFlow::Break(TooLarge::Groupings);
        }
        ControlFlow::Continue(())
    }
}

/// How many SELECTs and VALUES a query unites; those in brackets are queries themselves.
fn selects(body: &SetExpr) -> usize {
    match body {
        SetExpr::SetOperation { left, right, .. } => selects(left) + selects(right),
        SetExpr::Query(_) => 0,
        _ => 1,
    }
}

/// A table's name as the engine looks it up among those in WITH, but in lower case, quoted or not.
fn written(name: &ObjectName) -> String {
    let parts = name.0.iter().filter_map(|part| part.as_ident());
    parts.map(|part| part.value.to_lowercase()).collect::<Vec<_>>().join(".")
}

/// In how many ways a SELECT groups. Planning writes them all down, so that they must be counted before.
fn groupings(select: &Select) -> usize {
    let GroupByExpr::Expressions(expressions, _) = &select.group_by else { return 1 };
    let ways = expressions.iter().map(|expression| match expression {
        SqlExpr::Cube(sets) => 2_usize.saturating_pow(sets.len().try_into().unwrap_or(u32::MAX)),
        SqlExpr::Rollup(sets) => sets.len() + 1,
        SqlExpr::GroupingSets(sets) => sets.len(),
        _ => 1,
    });
    ways.fold(1, usize::saturating_mul)
}

/// The parts of all expressions so far, with what their columns are made of in their place.
struct Weight {
    parts: usize,
}

/// The columns of a plan below, and the parts of each.
type Below<'p> = (&'p DFSchema, Vec<usize>);

impl Weight {
    /// The parts of each column of a plan. `outer` are those of the largest column of the plans around a subquery.
    fn columns(&mut self, plan: &LogicalPlan, outer: usize) -> Result<Vec<usize>, DataFusionError> {
        let mut below: Vec<Below<'_>> = Vec::new();
        for input in plan.inputs() {
            below.push((input.schema().as_ref(), self.columns(input, outer)?));
        }
        let all = || below.iter().flat_map(|(_, columns)| columns.iter().copied());
        let largest = all().max().unwrap_or(1);
        let mut own = Vec::new();
        plan.apply_expressions(|expression| {
            let parts = self.expression(expression, &below, outer.max(largest))?;
            own.push(parts);
            if !matches!(expression, Expr::Column(_)) {
                self.parts = self.parts.saturating_add(parts);
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        let width = plan.schema().fields().len();
        let mut columns = match plan {
            LogicalPlan::Projection(_) => own,
            LogicalPlan::Aggregate(aggregate) => {
                let groups = own.iter().take(aggregate.group_expr.len()).copied().max().unwrap_or(1);
                vec![groups; width.saturating_sub(aggregate.aggr_expr.len())]
            }
            LogicalPlan::Join(join) => match join.join_type {
                JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => {
                    below.last().map(|(_, columns)| columns.clone()).unwrap_or_default()
                }
                _ => all().collect(),
            },
            LogicalPlan::Union(_) | LogicalPlan::Unnest(_) | LogicalPlan::Distinct(_) => {
                vec![own.iter().copied().fold(largest, usize::max); width]
            }
            _ => all().collect(),
        };
        // What is computed here, such as a sum, stays where it is.
        columns.resize(width, 1);
        Ok(columns)
    }

    /// The parts of an expression.
    fn expression(&mut self, expression: &Expr, below: &[Below<'_>], outer: usize) -> Result<usize, DataFusionError> {
        let mut parts = 0_usize;
        expression.apply(|part| {
            let here = match part {
                Expr::Column(column) => {
                    let found =
                        |(schema, columns): &Below<'_>| columns.get(schema.maybe_index_of_column(column)?).copied();
                    below.iter().find_map(found).unwrap_or(1)
                }
                Expr::OuterReferenceColumn(..) => outer,
                Expr::ScalarSubquery(subquery) => self.subquery(subquery, outer)?,
                Expr::Exists(exists) => self.subquery(&exists.subquery, outer)?,
                Expr::InSubquery(within) => self.subquery(&within.subquery, outer)?,
                Expr::SetComparison(comparison) => self.subquery(&comparison.subquery, outer)?,
                _ => 1,
            };
            parts = parts.saturating_add(here);
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(parts)
    }

    /// The parts of the largest column of a subquery.
    fn subquery(&mut self, subquery: &Subquery, outer: usize) -> Result<usize, DataFusionError> {
        Ok(self.columns(&subquery.subquery, outer)?.into_iter().max().unwrap_or(1).saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::SessionContext;
    use datafusion::sql::parser::DFParser;

    use super::*;

    fn counted(text: &str) -> Result<(), TooLarge> {
        check_statement(&DFParser::parse_sql(text).unwrap()[0])
    }

    async fn fits(text: &str) -> bool {
        let context = SessionContext::new();
        context.sql("CREATE TABLE notes AS VALUES (1, 'a')").await.unwrap().collect().await.unwrap();
        let plan = context.state().create_logical_plan(text).await.unwrap();
        match check_plan(&plan, text.len()) {
            Ok(()) => true,
            Err(Refused::TooLarge(TooLarge::Columns)) => false,
            Err(refused) => panic!("{refused}"),
        }
    }

    fn list(of: impl Fn(usize) -> String, count: usize, between: &str) -> String {
        (0..count).map(of).collect::<Vec<_>>().join(between)
    }

    #[test]
    fn tables_are_counted_as_often_as_they_are_named() {
        let commas = |count| format!("SELECT 1 FROM {}", list(|at| format!("n a{at}"), count, ", "));
        assert_eq!((counted(&commas(127)), counted(&commas(128))), (Ok(()), Err(TooLarge::Tables)));
        let joins = |count| format!("SELECT 1 FROM n{}", " CROSS JOIN n".repeat(count));
        assert_eq!((counted(&joins(126)), counted(&joins(127))), (Ok(()), Err(TooLarge::Tables)));
        let united = |count| list(|_| "SELECT 1 FROM n".to_owned(), count, " UNION ALL ");
        assert_eq!((counted(&united(64)), counted(&united(65))), (Ok(()), Err(TooLarge::Tables)));
        let doubled = |count| {
            let tables = list(|at| format!("t{} AS (SELECT 1 FROM t{at} a, T{at} b)", at + 1), count, ", ");
            format!("WITH t0 AS (SELECT 1), {tables} SELECT 1 FROM t{count}")
        };
        assert_eq!((counted(&doubled(6)), counted(&doubled(7))), (Ok(()), Err(TooLarge::Tables)));
        assert_eq!(counted(&doubled(300)), Err(TooLarge::Tables));
        for text in [
            format!("EXPLAIN {}", commas(128)),
            format!("SELECT (SELECT count(*) FROM ({}))", commas(127)),
            format!("WITH t AS ({}) SELECT 1 FROM T JOIN \"t\" ON true", commas(80)),
            format!("SELECT 1 FROM (n CROSS JOIN ({}) a)", commas(127)),
        ] {
            assert_eq!(counted(&text), Err(TooLarge::Tables), "{text}");
        }
    }

    #[test]
    fn groupings_are_counted_before_they_are_written_down() {
        let columns = |count| list(|at| format!("a{at}"), count, ", ");
        for (by, fits) in [
            (columns(500), true),
            (format!("CUBE({})", columns(6)), true),
            (format!("CUBE({})", columns(7)), false),
            (format!("a, CUBE({})", columns(60)), false),
            (format!("CUBE({0}), CUBE({0})", columns(3)), true),
            (format!("CUBE({0}), ROLLUP({0})", columns(4)), false),
            (format!("ROLLUP({})", columns(63)), true),
            (format!("ROLLUP({})", columns(64)), false),
            (format!("GROUPING SETS ({})", list(|at| format!("(a{at})"), 64, ", ")), true),
            (format!("GROUPING SETS ({})", list(|at| format!("(a{at})"), 65, ", ")), false),
        ] {
            let expected = if fits { Ok(()) } else { Err(TooLarge::Groupings) };
            assert_eq!(counted(&format!("SELECT 1 FROM n GROUP BY {by}")), expected, "{by}");
            assert_eq!(counted(&format!("SELECT (SELECT 1 FROM n GROUP BY {by})")), expected, "{by}");
        }
    }

    #[tokio::test]
    async fn columns_are_weighed_with_what_they_are_made_of() {
        let doubled = |count| {
            let tables = list(|at| format!(", t{} AS (SELECT a + a AS a FROM t{at})", at + 1), count, "");
            format!("WITH t0 AS (SELECT column1 AS a FROM notes){tables}")
        };
        for (text, expected) in [
            (format!("{} SELECT a FROM t8 WHERE a > 5", doubled(8)), true),
            (format!("{} SELECT a FROM t30 WHERE a > 5", doubled(30)), false),
            (format!("{} SELECT 1 FROM notes, t30 x, t30 y WHERE x.a > y.a", doubled(30)), false),
            (format!("{} SELECT 1 FROM notes WHERE column1 IN (SELECT a FROM t30)", doubled(30)), false),
            (format!("{} SELECT a FROM t30 GROUP BY a", doubled(30)), false),
            (format!("{} SELECT a FROM t12 UNION ALL SELECT a FROM t12", doubled(12)), false),
            (format!("{} SELECT * FROM (SELECT sum(a) AS b FROM t8) WHERE b > 5", doubled(8)), true),
            (format!("SELECT * FROM notes WHERE column1 IN ({})", list(|at| at.to_string(), 20_000, ", ")), true),
        ] {
            assert_eq!(fits(&text).await, expected, "{}", &text[..text.len().min(120)]);
        }
    }
}
