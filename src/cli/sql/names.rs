//! Names of tables that might be names of files. In FROM a word is a file or folder where there is no table of that name; whoever makes a table, or
//! adds rows to one, means a table.

use datafusion::common::TableReference;
use datafusion::logical_expr::dml::WriteOp;
use datafusion::logical_expr::{DdlStatement, DropTable, DropView, LogicalPlan};
use datafusion::prelude::SessionContext;

use crate::corpus::{CorpusError, Result};

/// A statement for which a word is no file.
///
/// # Errors
/// [`CorpusError::Configuration`] for rows that would be added to files that a word happens to name, and where a table is dropped that there is
/// not: the engine takes the name of any file for one, and drops nothing.
pub(super) fn without_files(context: &SessionContext, plan: LogicalPlan) -> Result<LogicalPlan> {
    match plan {
        // The engine looks a new name up as it does in FROM. Nothing is replaced: there is no table.
        LogicalPlan::Ddl(DdlStatement::CreateMemoryTable(mut table)) if is_new(context, &table.name) => {
            (table.if_not_exists, table.or_replace) = (false, true);
            Ok(LogicalPlan::Ddl(DdlStatement::CreateMemoryTable(table)))
        }
        LogicalPlan::Ddl(DdlStatement::CreateView(mut view)) if is_new(context, &view.name) => {
            view.or_replace = true;
            Ok(LogicalPlan::Ddl(DdlStatement::CreateView(view)))
        }
        LogicalPlan::Dml(statement)
            if matches!(statement.op, WriteOp::Insert(_)) && is_new(context, &statement.table_name) =>
        {
            Err(CorpusError::configuration(
                format!("`{}` is no table; rows are not added to files of that name", statement.table_name),
                "make a table of them: CREATE EXTERNAL TABLE … LOCATION '…'",
            ))
        }
        LogicalPlan::Ddl(
            DdlStatement::DropTable(DropTable { ref name, if_exists: false, .. })
            | DdlStatement::DropView(DropView { ref name, if_exists: false, .. }),
        ) if !is_of_the_session(context, name) => Err(CorpusError::configuration(
            format!("there is no table `{name}`"),
            "DROP takes a table of the session away, and never a file",
        )),
        other => Ok(other),
    }
}

/// Whether a table of that name was made or registered in the session.
fn is_of_the_session(context: &SessionContext, name: &TableReference) -> bool {
    let state = context.state();
    let defaults = &state.config_options().catalog;
    let name = name.clone().resolve(&defaults.default_catalog, &defaults.default_schema);
    let schema = context.catalog(&name.catalog).and_then(|catalog| catalog.schema(&name.schema));
    schema.is_some_and(|schema| schema.table_names().iter().any(|table| **table == *name.table))
}

/// Whether a name is a word, without slash and ending, and no table's.
fn is_new(context: &SessionContext, name: &TableReference) -> bool {
    !name.table().contains(['/', '.']) && !context.table_exist(name.clone()).unwrap_or(true)
}
