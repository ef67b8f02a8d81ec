//! Clauses that the engine reads and passes over: it would answer as if they were not there, and say nothing. Hints and locks,
//! without which the rows are the same, may be.
//!
//! ```text
//! SELECT text FROM notes PREWHERE consent          notes without consent too
//! SELECT * FROM notes TABLESAMPLE (1 PERCENT)      all notes
//! SELECT upper(text) FILTER (WHERE consent) …      notes without consent too
//! ```

use std::ops::ControlFlow;

use datafusion::execution::SessionState;
use datafusion::sql::parser::{CopyToSource, Statement};
use datafusion::sql::sqlparser::ast::{
    DuplicateTreatment, Expr, FunctionArguments, GroupByExpr, Query, Select, SelectItem,
    SelectItemQualifiedWildcardKind, TableFactor, Visit, Visitor,
};

/// The first clause of a statement, in its subqueries too, that would be passed over, by its key words.
pub(crate) fn passed_over(state: &SessionState, statement: &Statement) -> Option<&'static str> {
    let is_scalar = |name: &str| {
        state.scalar_functions().contains_key(name)
            && !state.aggregate_functions().contains_key(name)
            && !state.window_functions().contains_key(name)
    };
    in_statement(statement, &is_scalar)
}

fn in_statement(statement: &Statement, is_scalar: &dyn Fn(&str) -> bool) -> Option<&'static str> {
    let mut clauses = Clauses { is_scalar };
    let found = match statement {
        Statement::Statement(statement) => statement.visit(&mut clauses),
        Statement::Explain(explain) => return in_statement(&explain.statement, is_scalar),
        Statement::CopyTo(copy) => match &copy.source {
            CopyToSource::Query(query) => query.visit(&mut clauses),
            CopyToSource::Relation(_) => return None,
        },
        Statement::CreateExternalTable(_) | Statement::Reset(_) => return None,
    };
    found.break_value()
}

struct Clauses<'s> {
    /// Whether a function is one of single values, neither of groups nor of windows.
    is_scalar: &'s dyn Fn(&str) -> bool,
}

/// The key words of the first clause that is there.
fn first(clauses: &[(bool, &'static str)]) -> ControlFlow<&'static str> {
    match clauses.iter().find(|(is_there, _)| *is_there) {
        Some((_, key_words)) => ControlFlow::Break(key_words),
        None => ControlFlow::Continue(()),
    }
}

impl Visitor for Clauses<'_> {
    type Break = &'static str;

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<&'static str> {
        match expression {
            Expr::Function(call) if (self.is_scalar)(&call.name.to_string().to_lowercase()) => first(&[
                (call.filter.is_some(), "FILTER behind a function of single values"),
                (call.over.is_some(), "OVER behind a function of single values"),
                (call.null_treatment.is_some(), "IGNORE or RESPECT NULLS behind a function of single values"),
                (!call.within_group.is_empty(), "WITHIN GROUP behind a function of single values"),
                (are_of_groups(&call.args), "DISTINCT or ORDER BY in a function of single values"),
            ]),
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<&'static str> {
        first(&[
            (query.for_clause.is_some(), "FOR XML, FOR JSON or FOR BROWSE"),
            (query.settings.is_some(), "SETTINGS"),
            (query.format_clause.is_some(), "FORMAT"),
        ])
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<&'static str> {
        let modifiers = match &select.group_by {
            GroupByExpr::All(modifiers) | GroupByExpr::Expressions(_, modifiers) => modifiers,
        };
        first(&[
            (select.prewhere.is_some(), "PREWHERE"),
            (!select.connect_by.is_empty(), "CONNECT BY"),
            (!select.distribute_by.is_empty(), "DISTRIBUTE BY"),
            (!modifiers.is_empty(), "WITH TOTALS, ROLLUP or CUBE behind GROUP BY"),
            (select.value_table_mode.is_some(), "AS STRUCT or AS VALUE"),
            (select.select_modifiers.is_some(), "a modifier of SELECT"),
            (select.projection.iter().any(narrows_by_pattern), "* ILIKE"),
        ])
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<&'static str> {
        match table {
            TableFactor::Table { version, with_ordinality, partitions, json_path, sample, .. } => first(&[
                (sample.is_some(), "TABLESAMPLE"),
                (version.is_some(), "the version of a table"),
                (!partitions.is_empty(), "PARTITION"),
                (*with_ordinality, "WITH ORDINALITY"),
                (json_path.is_some(), "a path within a table"),
            ]),
            TableFactor::Derived { sample, .. } => first(&[(sample.is_some(), "TABLESAMPLE")]),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Whether arguments are told apart or put in order, as those of groups are.
fn are_of_groups(arguments: &FunctionArguments) -> bool {
    match arguments {
        FunctionArguments::List(list) => {
            list.duplicate_treatment == Some(DuplicateTreatment::Distinct) || !list.clauses.is_empty()
        }
        _ => false,
    }
}

/// Whether an item asks for the columns that have names of a form: all would come.
fn narrows_by_pattern(item: &SelectItem) -> bool {
    match item {
        SelectItem::Wildcard(options)
        | SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(_), options) => {
            options.opt_ilike.is_some()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use datafusion::sql::parser::DFParser;

    use super::*;

    fn found(text: &str) -> Option<&'static str> {
        in_statement(&DFParser::parse_sql(text).unwrap()[0], &|name| name == "upper")
    }

    #[test]
    fn clauses_without_an_effect_are_told() {
        for (clause, told) in [
            ("FROM notes TABLESAMPLE (10 ROWS)", "TABLESAMPLE"),
            ("FROM notes AS n TABLESAMPLE BERNOULLI (10)", "TABLESAMPLE"),
            ("FROM (SELECT 1) AS n TABLESAMPLE (10 PERCENT)", "TABLESAMPLE"),
            ("FROM notes PARTITION (p0)", "PARTITION"),
            ("FROM notes WITH ORDINALITY", "WITH ORDINALITY"),
            ("FROM notes PREWHERE a = 1", "PREWHERE"),
            ("FROM notes START WITH a = 1 CONNECT BY a = 2", "CONNECT BY"),
            ("FROM notes GROUP BY a WITH TOTALS", "WITH TOTALS, ROLLUP or CUBE behind GROUP BY"),
            ("FROM notes GROUP BY ALL WITH ROLLUP", "WITH TOTALS, ROLLUP or CUBE behind GROUP BY"),
            ("FROM notes FOR JSON AUTO", "FOR XML, FOR JSON or FOR BROWSE"),
            ("FROM notes SETTINGS max_rows = 1", "SETTINGS"),
            ("FROM notes FORMAT JSON", "FORMAT"),
        ] {
            for statement in [
                format!("SELECT a {clause}"),
                format!("EXPLAIN SELECT a {clause}"),
                format!("COPY (SELECT a {clause}) TO 'a.csv'"),
                format!("CREATE VIEW v AS SELECT a {clause}"),
                format!("WITH t AS (SELECT a {clause}) SELECT * FROM t"),
                format!("SELECT 1 WHERE EXISTS (SELECT a {clause})"),
            ] {
                assert_eq!(found(&statement), Some(told), "{statement}");
            }
        }
        for call in ["(a) FILTER (WHERE b)", "(DISTINCT a)", "(a ORDER BY b)", "(a) OVER ()", "(a) IGNORE NULLS"] {
            let told = found(&format!("SELECT upper{call} FROM notes"));
            assert!(told.is_some_and(|told| told.ends_with("of single values")), "{call}");
            assert_eq!(found(&format!("SELECT max{call} FROM notes")), None, "{call}");
        }
        assert_eq!(found("SELECT * ILIKE '%text%' FROM notes"), Some("* ILIKE"));
        assert_eq!(found("SELECT notes.* ILIKE '%text%' FROM notes"), Some("* ILIKE"));
    }

    #[test]
    fn what_the_engine_heeds_or_refuses_passes() {
        for statement in [
            "SELECT a, count(*) FROM notes WHERE a > 1 GROUP BY ROLLUP (a) HAVING count(*) > 1 ORDER BY a LIMIT 3 OFFSET 1",
            "SELECT * EXCEPT (a) FROM notes JOIN (SELECT 1 AS b) USING (b)",
            "SELECT DISTINCT ON (a) a FROM notes QUALIFY row_number() OVER (ORDER BY a) = 1",
            "SELECT TOP 1 a FROM notes",
            // The rows are the same without them.
            "SELECT a FROM notes WITH (NOLOCK) FOR UPDATE",
            "COPY notes TO 'a.csv'",
        ] {
            assert_eq!(found(statement), None, "{statement}");
        }
    }
}
