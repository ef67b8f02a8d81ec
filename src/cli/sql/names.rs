//! Names of tables that might be names of files. In FROM a word is a file or folder where there is no table of that name; whoever makes a table, or
//! adds rows to one, means a table.

use datafusion::common::TableReference;
use datafusion::logical_expr::dml::WriteOp;
use datafusion::logical_expr::{DdlStatement, LogicalPlan};
use datafusion::prelude::SessionContext;

use crate::corpus::{CorpusError, Result};

/// A statement for which a word is no file.
///
/// # Errors
/// [`CorpusError::Configuration`] for rows that would be added to files that a word happens to name.
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
        other => Ok(other),
    }
}

/// Whether a name is a word, without slash and ending, and no table's.
fn is_new(context: &SessionContext, name: &TableReference) -> bool {
    !name.table().contains(['/', '.']) && !context.table_exist(name.clone()).unwrap_or(true)
}
