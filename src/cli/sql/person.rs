//! The session of the engine as the shell asks it.

use std::fmt::Display;

use arrow::array::AsArray;
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion::prelude::SessionContext;
use tokio::runtime::Handle;

use super::output::Format;
use super::shell::{Asked, Column, Function, Refused, Table, Words, in_quotes};

/// A session, and the runtime on which its statements run while the shell waits.
pub(super) struct Session {
    pub(super) context: SessionContext,
    pub(super) runtime: Handle,
}

impl Asked for Session {
    fn ask(&mut self, statement: &str, format: Format) -> Result<(), Refused> {
        self.runtime.block_on(async {
            tokio::select! {
                // Listens before the statement begins: nothing pressed meanwhile is lost.
                biased;
                _ = tokio::signal::ctrl_c() => Err(Refused::Interrupted),
                done = super::run(&self.context, statement, format) => done.map_err(failed),
            }
        })
    }

    fn words(&mut self) -> Words {
        let tables = self.runtime.block_on(self.tables()).unwrap_or_default();
        Words { tables, functions: self.functions() }
    }

    fn columns(&mut self, table: &str) -> Result<Vec<Column>, Refused> {
        let rows =
            self.runtime.block_on(self.context.sql(&format!("SELECT * FROM {table} LIMIT 0"))).map_err(failed)?;
        let column = |field: &std::sync::Arc<arrow::datatypes::Field>| Column {
            name: field.name().clone(),
            kind: field.data_type().to_string(),
        };
        Ok(rows.schema().fields().iter().map(column).collect())
    }
}

impl Session {
    /// The tables of the session, which files that are named in statements are not among.
    async fn tables(&self) -> datafusion::error::Result<Vec<Table>> {
        let rows = self.context.sql(include_str!("../../../sql/session/columns.sql")).await?.collect().await?;
        let mut tables: Vec<Table> = Vec::new();
        for batch in &rows {
            let columns =
                batch.columns().iter().map(|column| cast(column, &DataType::Utf8)).collect::<Result<Vec<_>, _>>()?;
            let value = |column: usize, row: usize| columns[column].as_string::<i32>().value(row).to_owned();
            for row in 0..batch.num_rows() {
                let (schema, name) = (value(0, row), in_quotes(&value(1, row)));
                let name = if schema == "public" { name } else { format!("{}.{name}", in_quotes(&schema)) };
                let column = Column { name: value(2, row), kind: value(3, row) };
                match tables.last_mut() {
                    Some(table) if table.name == name => table.columns.push(column),
                    _ => tables.push(Table { name, columns: vec![column] }),
                }
            }
        }
        Ok(tables)
    }

    /// The functions, with the first sentence of what is said of them.
    fn functions(&self) -> Vec<Function> {
        let state = self.context.state();
        let summary = |documentation: Option<&datafusion::logical_expr::Documentation>| {
            let Some(documentation) = documentation else { return String::new() };
            let says = documentation.description.trim();
            let sentence = says.split_once(". ").map_or(says, |(first, _)| first).trim_end_matches('.');
            format!("{}: {sentence}", documentation.syntax_example).replace('\n', " ")
        };
        let scalar =
            state.scalar_functions().values().map(|function| (function.name(), summary(function.documentation())));
        let aggregate =
            state.aggregate_functions().values().map(|function| (function.name(), summary(function.documentation())));
        let window =
            state.window_functions().values().map(|function| (function.name(), summary(function.documentation())));
        let all = scalar.chain(aggregate).chain(window);
        let mut functions: Vec<_> = all.map(|(name, summary)| Function { name: name.to_owned(), summary }).collect();
        functions.sort_by(|left, right| left.name.cmp(&right.name));
        functions.dedup_by(|left, right| left.name == right.name);
        functions
    }
}

fn failed(error: impl Display) -> Refused {
    Refused::Failed(error.to_string())
}
