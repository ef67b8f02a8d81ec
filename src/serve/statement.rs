//! Whether a text is one statement that only reads, and its plan.
//!
//! ```text
//! text ─ size, words ─▶ tokens ─ one, of a kind that reads, not too large ─▶ statement ─ every node reads ─▶ plan, columns
//!                                                                plan with parameters ─ values ─▶ plan, columns
//! ```
//!
//! The kinds and nodes that pass are listed: what the engine learns to do later does not pass by itself.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::ParamValues;
use datafusion::common::metadata::ScalarAndMetadata;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::error::DataFusionError;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, TableScan};
use datafusion::prelude::SessionContext;
use datafusion::scalar::ScalarValue;
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::ast::Statement as SqlStatement;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

use super::access::Role;
use super::nesting;
use super::shape::{self, TooLarge};
use crate::corpus::{name_twice, passed_over};

/// The longest text, in bytes.
const LONGEST_TEXT: usize = 256 << 10;
/// How many operators and key words a text may have. A chain of them is a tree as deep, and whatever walks the tree needs the stack for it: one
/// that runs out ends the process.
const MOST_WORDS: usize = 1_000;
/// The stack, in bytes, of threads that plan and run statements: 64 KiB for each step down the deepest tree. It is taken from the system only
/// where it is used.
pub(super) const STACK: usize = 64 << 20;
/// How deep brackets and subqueries may be nested.
const DEEPEST: usize = 48;
/// So many points of a distribution are kept at most where somebody asks for percentiles.
const MOST_CENTROIDS: u64 = 10_000;
/// How many rows of values the parameters of a statement may be given at once.
const MOST_ROWS: usize = 32;
/// How many bytes the values of parameters may have, each as often as it is mentioned.
const MOST_COPIED: usize = 16 << 20;

/// Why a text is not run.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    /// It is too long.
    #[error("the statement has more than {} KiB", LONGEST_TEXT >> 10)]
    TooLong,
    /// It is too complicated.
    #[error(
        "the statement has more than {MOST_WORDS} operators and key words; long lists of values are better joined as VALUES"
    )]
    TooManyWords,
    /// It would be parsed for ever.
    #[error(
        "the statement has words with a syntax of their own, such as CAST, CASE or NOT, brackets behind FROM, or dots, more than {} within one another, or too \
         much inside of them",
        nesting::MOST_LEVELS
    )]
    TooDeep,
    /// A short text makes it too large to be planned.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// There is none, or more than one.
    #[error("give one statement at a time; this text has {0}")]
    NotOne(usize),
    /// It does more than reading, or tells more than the role may know.
    #[error(
        "{0} is not allowed here: SELECT, WITH, VALUES, SHOW TABLES, SHOW COLUMNS, SHOW FUNCTIONS and DESCRIBE are"
    )]
    NotAllowed(&'static str),
    /// It has a clause that would have no effect.
    #[error("{0} has no effect in this engine: write the statement without it")]
    PassedOver(&'static str),
    /// Two columns of its rows have one name.
    #[error("the rows have two columns `{0}`: give one of them another name, SELECT … AS …")]
    SameName(String),
    /// It has parameters where nothing gives them values.
    #[error("the statement has parameters: prepare it, and give them values")]
    Parameters,
    /// It numbers some parameters, and not others.
    #[error("parameters are written `?` or `$1`, not both in one statement")]
    MixedParameters,
    /// The values that are given do not fit its parameters.
    #[error("the statement has {0} parameters: give rows of as many values, {MOST_ROWS} at most, and one to EXPLAIN")]
    Values(usize),
    /// The values that are given are too large for how often they are mentioned.
    #[error("the values of parameters, each as often as it is mentioned, have more than {} MiB", MOST_COPIED >> 20)]
    Copied,
    /// It cannot be understood or planned.
    #[error("{0}")]
    Engine(DataFusionError),
}

/// A statement that may be run.
pub(super) struct Judged {
    /// Its plan, not yet optimized.
    pub(super) plan: LogicalPlan,
    /// Its kind, for the audit log.
    pub(super) kind: &'static str,
    /// The columns of its rows, as they are sent; where it has parameters, as far as they are known without values.
    pub(super) schema: SchemaRef,
    /// Its parameters by their names (`$1`), in order; null where the statement does not tell a type.
    pub(super) parameters: SchemaRef,
}

/// Reads, judges and plans a text.
///
/// # Errors
/// [`Refused`].
pub(super) async fn judge(context: &SessionContext, role: Role, text: &str) -> Result<Judged, Refused> {
    let statement = parse(text)?;
    let kind = kind(&statement, role)?;
    shape::check_statement(&statement)?;
    let state = context.state();
    passed_over(&state, &statement).map_or(Ok(()), |clause| Err(Refused::PassedOver(clause)))?;
    let mut plan = state.statement_to_plan(statement).await.map_err(Refused::Engine)?;
    check(&plan, role)?;
    name_twice(plan.schema().as_arrow()).map_or(Ok(()), |name| Err(Refused::SameName(name.to_owned())))?;
    shape::check_plan(&plan, text.len())?;
    let parameters = parameters(&plan)?;
    if let LogicalPlan::DescribeTable(_) = plan {
        plan = context.execute_logical_plan(plan).await.map_err(Refused::Engine)?.into_unoptimized_plan();
    }
    let optimized = state.optimize(&plan);
    let schema = match optimized {
        Ok(optimized) => sent(optimized.schema().as_arrow()),
        // Without values some types are open.
        Err(_) if !parameters.fields().is_empty() => sent(plan.schema().as_arrow()),
        Err(error) => return Err(Refused::Engine(error)),
    };
    Ok(Judged { schema, plan, kind, parameters })
}

/// A statement whose parameters have values.
pub(super) struct Bound {
    /// Its plan, not yet optimized.
    pub(super) plan: LogicalPlan,
    /// The columns of its rows, as they are sent.
    pub(super) schema: SchemaRef,
    /// The bytes of its values, each as often as it is mentioned, for as long as the statement is kept.
    pub(super) bytes: usize,
}

/// A statement with the values of its parameters. A batch has a column for each parameter in their order; of
/// several rows each has its answer, and all together are one.
///
/// # Errors
/// [`Refused`].
pub(super) fn bind(
    context: &SessionContext,
    role: Role,
    plan: &LogicalPlan,
    parameters: &Schema,
    values: &RecordBatch,
) -> Result<Bound, Refused> {
    let (count, rows) = (parameters.fields().len(), values.num_rows());
    let is_told = matches!(plan, LogicalPlan::Explain(_) | LogicalPlan::Analyze(_) | LogicalPlan::DescribeTable(_));
    if values.num_columns() != count || rows == 0 || rows > if is_told { 1 } else { MOST_ROWS } {
        return Err(Refused::Values(count));
    }
    let bytes = mentions(plan)?.saturating_mul(values.get_array_memory_size());
    if bytes > MOST_COPIED {
        return Err(Refused::Copied);
    }
    let mut plans = (0..rows).map(|row| with_values(plan, parameters, values, row));
    let first = plans.next().ok_or(Refused::Values(count))??;
    let plan = plans.try_fold(first, |all, plan| {
        LogicalPlanBuilder::from(all).union(plan?).and_then(LogicalPlanBuilder::build).map_err(Refused::Engine)
    })?;
    if rows > 1 {
        shape::check_tables(&plan)?;
        shape::check_plan(&plan, 0)?;
    }
    check(&plan, role)?;
    let optimized = context.state().optimize(&plan).map_err(Refused::Engine)?;
    Ok(Bound { plan, schema: sent(optimized.schema().as_arrow()), bytes })
}

/// How often a plan mentions parameters.
fn mentions(plan: &LogicalPlan) -> Result<usize, Refused> {
    let mut mentions = 0;
    let counted = plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expression| {
            expression.apply(|part| {
                mentions += usize::from(matches!(part, Expr::Placeholder(_)));
                Ok(TreeNodeRecursion::Continue)
            })
        })
    });
    counted.map_err(Refused::Engine)?;
    Ok(mentions)
}

/// A plan with the values of its parameters from a row.
fn with_values(
    plan: &LogicalPlan,
    parameters: &Schema,
    values: &RecordBatch,
    row: usize,
) -> Result<LogicalPlan, Refused> {
    let named = parameters.fields().iter().zip(values.columns()).map(|(field, column)| {
        let value = ScalarValue::try_from_array(column, row)?;
        Ok((field.name().trim_start_matches(['$', '?']).to_owned(), ScalarAndMetadata::new(value, None)))
    });
    let named = named.collect::<Result<Vec<_>, DataFusionError>>().map_err(Refused::Engine)?;
    let numbered = named.iter().enumerate().all(|(index, (name, _))| *name == (index + 1).to_string());
    let values = if numbered {
        ParamValues::List(named.into_iter().map(|(_, value)| value).collect())
    } else {
        ParamValues::Map(named.into_iter().collect())
    };
    plan.clone().with_param_values(values).map_err(Refused::Engine)
}

/// The parameters of a plan: numbered ones by their numbers, then named ones by their names.
fn parameters(plan: &LogicalPlan) -> Result<SchemaRef, Refused> {
    let types = plan.get_parameter_types().map_err(Refused::Engine)?;
    let mut fields: Vec<_> = types
        .into_iter()
        .map(|(name, data_type)| Field::new(name, data_type.map_or(DataType::Null, |known| plain(&known)), true))
        .collect();
    fields.sort_by_cached_key(|field| {
        let name = field.name().trim_start_matches(['$', '?']).to_owned();
        (name.parse().unwrap_or(usize::MAX), name)
    });
    Ok(Arc::new(Schema::new(fields)))
}

/// The columns of rows as they are sent: every value may be null, no view and no dictionary, and nothing that somebody wrote beside the names.
pub(super) fn sent(schema: &Schema) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| Field::new(field.name(), plain(field.data_type()), true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

fn plain(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Dictionary(_, value) => plain(value),
        DataType::Utf8View => DataType::LargeUtf8,
        DataType::BinaryView => DataType::LargeBinary,
        other => other.clone(),
    }
}

fn parse(text: &str) -> Result<Statement, Refused> {
    if text.len() > LONGEST_TEXT {
        return Err(Refused::TooLong);
    }
    let dialect = GenericDialect {};
    let fail = |error| Refused::Engine(DataFusionError::SQL(Box::new(error), None));
    let tokens = Tokenizer::new(&dialect, text).tokenize_with_location().map_err(|error| fail(error.into()))?;
    if tokens.iter().filter(|token| joins(&token.token)).count() > MOST_WORDS {
        return Err(Refused::TooManyWords);
    }
    if nesting::is_too_deep(&tokens) {
        return Err(Refused::TooDeep);
    }
    let text = numbered(text, &tokens)?;
    let parser = DFParserBuilder::new(text.as_ref()).with_dialect(&dialect).with_recursion_limit(DEEPEST).build();
    let mut statements = parser.and_then(|mut parser| parser.parse_statements()).map_err(Refused::Engine)?;
    match (statements.pop_front(), statements.len()) {
        (Some(statement), 0) => Ok(statement),
        (None, _) => Err(Refused::NotOne(0)),
        (Some(_), others) => Err(Refused::NotOne(others + 1)),
    }
}

/// The text with its parameters numbered, as the engine wants them: `a = ? AND b = ?` becomes `a = $1 AND b = $2`.
fn numbered<'t>(text: &'t str, tokens: &[TokenWithSpan]) -> Result<Cow<'t, str>, Refused> {
    let placeholders = || tokens.iter().filter(|token| matches!(token.token, Token::Placeholder(_)));
    let bare = |token: &&TokenWithSpan| matches!(&token.token, Token::Placeholder(name) if name == "?");
    let mut marks =
        placeholders().filter(bare).map(|token| (token.span.start.line, token.span.start.column)).peekable();
    if marks.peek().is_none() {
        return Ok(Cow::Borrowed(text));
    }
    if !placeholders().all(|token| bare(&token)) {
        return Err(Refused::MixedParameters);
    }
    let (mut written, mut number, mut line, mut column) = (String::with_capacity(text.len() + 16), 0, 1, 1);
    for character in text.chars() {
        if marks.next_if_eq(&(line, column)).is_some() {
            number += 1;
            written.push_str(&format!("${number}"));
        } else {
            written.push(character);
        }
        (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    Ok(Cow::Owned(written))
}

/// Whether a token can make a tree deeper. Names, values, commas and brackets do not; brackets are limited by themselves, and so are tables, which
/// commas join.
fn joins(token: &Token) -> bool {
    match token {
        Token::Word(word) => word.keyword != Keyword::NoKeyword && word.quote_style.is_none(),
        Token::Whitespace(_)
        | Token::Comma
        | Token::LParen
        | Token::RParen
        | Token::Number(..)
        | Token::SingleQuotedString(_)
        | Token::EOF => false,
        _ => true,
    }
}

fn kind(statement: &Statement, role: Role) -> Result<&'static str, Refused> {
    let explained = || match role {
        Role::Confidential => Ok("EXPLAIN"),
        // A plan tells paths, conditions and how many rows passed where.
        Role::Deidentified => Err(Refused::NotAllowed("EXPLAIN")),
    };
    let statement = match statement {
        Statement::Statement(statement) => statement.as_ref(),
        Statement::Explain(explain) => {
            kind(&explain.statement, role)?;
            return explained();
        }
        Statement::CopyTo(_) => return Err(Refused::NotAllowed("COPY")),
        Statement::CreateExternalTable(_) => return Err(Refused::NotAllowed("CREATE EXTERNAL TABLE")),
        Statement::Reset(_) => return Err(Refused::NotAllowed("RESET")),
    };
    match statement {
        SqlStatement::Query(_) => Ok("SELECT"),
        SqlStatement::ShowTables { .. } | SqlStatement::ShowColumns { .. } | SqlStatement::ShowFunctions { .. } => {
            Ok("SHOW")
        }
        SqlStatement::ExplainTable { .. } => Ok("DESCRIBE"),
        SqlStatement::Explain { .. } => explained(),
        SqlStatement::Set(_) => Err(Refused::NotAllowed("SET")),
        SqlStatement::Insert(_) => Err(Refused::NotAllowed("INSERT")),
        SqlStatement::Prepare { .. } => Err(Refused::NotAllowed("PREPARE")),
        _ => Err(Refused::NotAllowed("this statement")),
    }
}

/// Whether every node of a plan, subqueries included, only reads, and reads what the role may see.
fn check(plan: &LogicalPlan, role: Role) -> Result<(), Refused> {
    let mut fault = None;
    let walked = plan.apply_with_subqueries(|node| {
        fault = match fault_of(node, role) {
            Some(fault) => Some(fault),
            None => too_much_of(node)?,
        };
        Ok(if fault.is_some() { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    walked.map_err(Refused::Engine)?;
    fault.map_or(Ok(()), |fault| Err(Refused::NotAllowed(fault)))
}

fn fault_of(node: &LogicalPlan, role: Role) -> Option<&'static str> {
    match node {
        LogicalPlan::TableScan(scan) => (role == Role::Deidentified && is_settings(scan)).then_some("reading settings"),
        LogicalPlan::Explain(_) | LogicalPlan::Analyze(_) => (role == Role::Deidentified).then_some("EXPLAIN"),
        LogicalPlan::Projection(_)
        | LogicalPlan::Filter(_)
        | LogicalPlan::Window(_)
        | LogicalPlan::Aggregate(_)
        | LogicalPlan::Sort(_)
        | LogicalPlan::Join(_)
        | LogicalPlan::Repartition(_)
        | LogicalPlan::Union(_)
        | LogicalPlan::EmptyRelation(_)
        | LogicalPlan::Subquery(_)
        | LogicalPlan::SubqueryAlias(_)
        | LogicalPlan::Limit(_)
        | LogicalPlan::Values(_)
        | LogicalPlan::Distinct(_)
        | LogicalPlan::DescribeTable(_)
        | LogicalPlan::Unnest(_) => None,
        // What it gathers between its rounds is not counted by `--memory`.
        LogicalPlan::RecursiveQuery(_) => Some("WITH RECURSIVE"),
        LogicalPlan::Copy(_) => Some("COPY"),
        LogicalPlan::Dml(_) => Some("writing"),
        LogicalPlan::Ddl(_) => Some("CREATE or DROP"),
        LogicalPlan::Statement(_) | LogicalPlan::Extension(_) => Some("this statement"),
    }
}

/// Aggregates that the engine makes room for without counting it: where it has none, it ends the process.
fn too_much_of(node: &LogicalPlan) -> Result<Option<&'static str>, DataFusionError> {
    let mut fault = None;
    node.apply_expressions(|expression| {
        expression.apply(|part| {
            fault = fault.or(match part {
                Expr::AggregateFunction(call) => has_many_centroids(call.func.name(), &call.params.args),
                // Each row gets what all rows gather.
                Expr::WindowFunction(call) if matches!(call.fun.name(), "array_agg" | "string_agg") => {
                    Some("array_agg or string_agg OVER a window")
                }
                Expr::WindowFunction(call) => has_many_centroids(call.fun.name(), &call.params.args),
                _ => None,
            });
            Ok(TreeNodeRecursion::Continue)
        })
    })?;
    Ok(fault)
}

fn has_many_centroids(name: &str, arguments: &[Expr]) -> Option<&'static str> {
    let count = match name {
        "approx_percentile_cont" => arguments.get(2),
        "approx_percentile_cont_with_weight" => arguments.get(3),
        _ => None,
    };
    let is_small = |count: &Expr| {
        let Expr::Literal(value, _) = count else { return false };
        value.to_string().parse().is_ok_and(|count: u64| count <= MOST_CENTROIDS)
    };
    count.filter(|count| !is_small(count)).map(|_| "approx_percentile_cont with more than 10,000 centroids")
}

/// Whether a table of the engine tells how the server is set up, such as where it keeps temporary files.
fn is_settings(scan: &TableScan) -> bool {
    const PLAIN: [&str; 6] = ["tables", "columns", "views", "schemata", "routines", "parameters"];
    scan.table_name.schema() == Some("information_schema") && !PLAIN.contains(&scan.table_name.table())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn judged(role: Role, text: &str) -> Result<&'static str, String> {
        let context =
            SessionContext::new_with_config(datafusion::prelude::SessionConfig::new().with_information_schema(true));
        context.sql("CREATE TABLE notes AS VALUES (1, 'a')").await.unwrap().collect().await.unwrap();
        judge(&context, role, text).await.map(|judged| judged.kind).map_err(|refused| refused.to_string())
    }

    #[tokio::test]
    async fn aggregates_that_no_limit_holds_are_refused() {
        for text in [
            "SELECT approx_percentile_cont(column1, 0.5, 2000000000) FROM notes",
            "SELECT approx_percentile_cont(column1, 0.5, 1000 * 1000 * 1000) FROM notes",
            "SELECT approx_percentile_cont(column1, 0.5, 2000000000) OVER () FROM notes",
            "SELECT approx_percentile_cont(0.5, 2000000000) WITHIN GROUP (ORDER BY column1) FROM notes",
            "SELECT string_agg(column2, '') OVER () FROM notes",
            "SELECT 1 WHERE 1 IN (SELECT length(string_agg(column2, '') OVER ()) FROM notes)",
            "SELECT array_agg(column2) OVER (ORDER BY column1) FROM notes",
        ] {
            let refused = judged(Role::Deidentified, text).await;
            assert!(refused.as_ref().is_err_and(|error| error.contains("is not allowed here")), "{text}: {refused:?}");
        }
        for text in [
            "SELECT approx_percentile_cont(column1, 0.5), approx_percentile_cont(column1, 0.5, 200) FROM notes",
            "SELECT string_agg(column2, ''), array_agg(column1) FROM notes",
            "SELECT sum(column1) OVER () FROM notes",
        ] {
            assert_eq!(judged(Role::Deidentified, text).await.as_deref(), Ok("SELECT"), "{text}");
        }
    }

    #[tokio::test]
    async fn what_reads_passes() {
        for text in [
            "SELECT * FROM notes",
            "WITH a AS (SELECT 1 AS b) SELECT b FROM a;",
            "VALUES (1), (2)",
            "SELECT count(*) FROM notes WHERE column1 IN (SELECT column1 FROM notes)",
            "SELECT * FROM generate_series(1, 3)",
            "SELECT column2, count(*) FROM notes GROUP BY CUBE(column1, column2)",
        ] {
            assert_eq!(judged(Role::Deidentified, text).await.as_deref(), Ok("SELECT"), "{text}");
        }
        for (text, kind) in [
            ("SHOW TABLES", "SHOW"),
            ("SHOW COLUMNS FROM notes", "SHOW"),
            ("SHOW FUNCTIONS", "SHOW"),
            ("DESCRIBE notes", "DESCRIBE"),
        ] {
            assert_eq!(judged(Role::Deidentified, text).await.as_deref(), Ok(kind), "{text}");
        }
        assert_eq!(judged(Role::Confidential, "EXPLAIN ANALYZE SELECT 1").await.as_deref(), Ok("EXPLAIN"));
        assert_eq!(
            judged(Role::Confidential, "SELECT * FROM information_schema.df_settings").await.as_deref(),
            Ok("SELECT")
        );
    }

    #[tokio::test]
    async fn what_writes_or_tells_too_much_does_not() {
        let refused_to_all = [
            "COPY notes TO '/tmp/x.csv'",
            "COPY (SELECT 1) TO '/tmp/x.csv'",
            "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '/etc/passwd'",
            "CREATE TABLE t AS SELECT 1",
            "CREATE VIEW v AS SELECT 1",
            "DROP TABLE notes",
            "INSERT INTO notes VALUES (1, 'b')",
            "UPDATE notes SET column1 = 2",
            "DELETE FROM notes",
            "TRUNCATE TABLE notes",
            "SET datafusion.execution.batch_size = 1",
            "RESET datafusion.execution.batch_size",
            "SHOW ALL",
            "SHOW datafusion.execution.batch_size",
            "PREPARE p AS SELECT 1",
            "EXECUTE p",
            "BEGIN",
            "USE x",
            "EXPLAIN COPY notes TO '/tmp/x.csv'",
            "CREATE FUNCTION f(int) RETURNS int RETURN $1",
            "SELECT 1 INTO t",
            "WITH a AS (INSERT INTO notes VALUES (1, 'b')) SELECT 1",
            "WITH RECURSIVE a AS (SELECT 1 AS b UNION ALL SELECT b + 1 FROM a WHERE b < 3) SELECT * FROM a",
            "SELECT (WITH RECURSIVE a AS (SELECT 1 AS b UNION ALL SELECT b FROM a) SELECT count(*) FROM a)",
            "SELECT ? + $1",
            "SELECT 1; SELECT 2",
            "",
            "-- nothing",
            "SELECT * FROM '/etc/passwd'",
        ];
        for role in [Role::Deidentified, Role::Confidential] {
            for text in refused_to_all {
                assert!(judged(role, text).await.is_err(), "{role:?}: {text}");
            }
        }
        for text in [
            "EXPLAIN SELECT 1",
            "EXPLAIN ANALYZE SELECT 1",
            "EXPLAIN VERBOSE SELECT * FROM notes",
            "SELECT * FROM information_schema.df_settings",
            "SELECT (SELECT value FROM information_schema.df_settings LIMIT 1)",
            "SELECT 1 WHERE EXISTS (SELECT 1 FROM information_schema.df_settings)",
            "WITH s AS (SELECT * FROM information_schema.df_settings) SELECT count(*) FROM s",
        ] {
            assert!(judged(Role::Deidentified, text).await.is_err(), "{text}");
            assert!(judged(Role::Confidential, text).await.is_ok(), "{text}");
        }
    }

    #[tokio::test]
    async fn parameters_get_their_values() {
        let context = SessionContext::new();
        context.sql("CREATE TABLE notes AS VALUES (1, 'a?'), (2, 'b')").await.unwrap().collect().await.unwrap();
        let row = |columns: Vec<ScalarValue>| {
            let columns =
                columns.iter().enumerate().map(|(index, value)| (format!("p{index}"), value.to_array().unwrap()));
            RecordBatch::try_from_iter(columns).unwrap()
        };
        let two = row(vec![ScalarValue::from(2_i64), ScalarValue::from("b")]);
        for text in [
            "SELECT column1 FROM notes WHERE column1 = ? AND column2 = ?",
            "SELECT column1 FROM notes -- why?\nWHERE column2 <> 'a?' AND column1 = ?\n AND column2 = ?",
            "SELECT column1 FROM notes WHERE column2 = $2 AND column1 = $1",
            "SELECT column1 FROM notes WHERE column1 = $a AND column2 = $b",
        ] {
            let judged =
                judge(&context, Role::Deidentified, text).await.map_err(|refused| refused.to_string()).unwrap();
            let types: Vec<_> = judged.parameters.fields().iter().map(|field| field.data_type().clone()).collect();
            assert_eq!(types.len(), 2, "{text}");
            assert!(types[0].is_integer() && !types[1].is_numeric(), "{text}: {types:?}");
            let bound = bind(&context, Role::Deidentified, &judged.plan, &judged.parameters, &two).unwrap();
            assert_eq!(bound.schema.fields().len(), 1);
            let rows = context.execute_logical_plan(bound.plan).await.unwrap().collect().await.unwrap();
            assert_eq!(rows.iter().map(RecordBatch::num_rows).sum::<usize>(), 1, "{text}");
        }
        let judged =
            judge(&context, Role::Deidentified, "SELECT ? AS a, ? AS b").await.map_err(|r| r.to_string()).unwrap();
        let fits =
            |values: &RecordBatch| bind(&context, Role::Deidentified, &judged.plan, &judged.parameters, values).is_ok();
        assert!(fits(&two));
        assert!(!fits(&row(vec![ScalarValue::from(2_i64)])) && !fits(&two.slice(0, 0)));
        // A short text can mention a long value often, and what is named in WITH as often as it is.
        let mentions = (0..100).map(|at| format!("$1 || 'x{at}'")).collect::<Vec<_>>().join(", ");
        let often = format!("WITH t AS (SELECT {mentions}) SELECT 1 FROM t a, t b, t c");
        let judged = judge(&context, Role::Deidentified, &often).await.map_err(|r| r.to_string()).unwrap();
        let long = row(vec![ScalarValue::from("a".repeat(100_000))]);
        let refused = bind(&context, Role::Deidentified, &judged.plan, &judged.parameters, &long).err();
        assert!(matches!(refused, Some(Refused::Copied)));
    }

    #[test]
    fn what_is_too_long_or_too_deep_is_refused_and_does_no_harm() {
        let tried = || {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(long_and_deep());
        };
        std::thread::Builder::new().stack_size(STACK).spawn(tried).unwrap().join().unwrap();
    }

    async fn long_and_deep() {
        for text in [
            format!("SELECT 1{}", "+1".repeat(100_000)),
            format!("SELECT {}1", "- ".repeat(60_000)),
            format!("SELECT {}1{}", "(".repeat(60_000), ")".repeat(60_000)),
            format!("SELECT 1{}", "::int".repeat(30_000)),
            format!("SELECT 1{}", " UNION ALL SELECT 1".repeat(10_000)),
            format!("SELECT '{}'", "a".repeat(300_000)),
            format!("SELECT a{}", "[1]".repeat(50_000)),
            format!("SELECT a{}", ".a".repeat(50_000)),
            format!("WITH n AS (SELECT FROM notes) SELECT 1 FROM n{}", ", n".repeat(60_000)),
            format!("SELECT 1 FROM notes GROUP BY 1, CUBE(column1{})", ", column1".repeat(60)),
            format!(
                "WITH t0 AS (SELECT column1 AS a FROM notes){} SELECT a FROM t30 WHERE a > 5",
                (0..30).map(|at| format!(", t{} AS (SELECT a + a AS a FROM t{at})", at + 1)).collect::<String>()
            ),
        ] {
            assert!(judged(Role::Deidentified, &text).await.is_err(), "{}", &text[..30]);
        }
        let many = (0..20_000).map(|value| value.to_string()).collect::<Vec<_>>().join(", ");
        assert!(judged(Role::Deidentified, &format!("SELECT * FROM notes WHERE column1 IN ({many})")).await.is_ok());
        for deep in [
            format!("SELECT 1{}", "+1".repeat(MOST_WORDS - 10)),
            format!("SELECT 1{}", "+random()".repeat(MOST_WORDS - 10)),
            format!("SELECT 'a'{}", "||'a'".repeat(MOST_WORDS - 10)),
        ] {
            assert!(judged(Role::Deidentified, &deep).await.is_ok(), "{}", &deep[..30]);
        }
    }
}
