//! Formats of tables that nobody knows: the engine would tell of them only once it makes the table, where it may not quote.
//!
//! ```text
//! CREATE EXTERNAL TABLE t STORED AS JSONL …      JSON Lines are STORED AS JSON, whatever their ending
//! ```

use datafusion::execution::SessionState;
use datafusion::sql::parser::Statement;

use crate::corpus::{CorpusError, Result};

/// Refuses a statement that makes a table of a format which the session does not have.
///
/// # Errors
/// [`CorpusError::Configuration`] with the format, and those that there are.
pub(super) fn refuse_unknown_format(state: &SessionState, statement: &Statement) -> Result<()> {
    let table = match statement {
        Statement::CreateExternalTable(table) => table,
        Statement::Explain(explain) => return refuse_unknown_format(state, &explain.statement),
        _ => return Ok(()),
    };
    let known = state.table_factories();
    let format = table.file_type.to_uppercase();
    if known.contains_key(&format) {
        return Ok(());
    }
    let mut names: Vec<&str> = known.keys().map(String::as_str).collect();
    names.sort_unstable();
    let hint = match format.as_str() {
        "JSONL" => "JSON Lines are STORED AS JSON, whatever their files end in".to_owned(),
        _ => format!("a table may be STORED AS {}", names.join(", ")),
    };
    Err(CorpusError::configuration(format!("STORED AS {}: there is no such format", table.file_type), hint))
}

#[cfg(test)]
mod tests {
    use datafusion::execution::SessionStateBuilder;
    use datafusion::sql::parser::DFParser;

    use super::*;

    #[test]
    fn only_formats_that_there_are_make_tables() {
        let state = SessionStateBuilder::new().with_default_features().build();
        let refused = |statement: &str| {
            let statements = DFParser::parse_sql(statement).unwrap();
            statements
                .iter()
                .find_map(|statement| refuse_unknown_format(&state, statement).err())
                .map(|it| it.to_string())
        };
        let create = |format: &str| format!("CREATE EXTERNAL TABLE t STORED AS {format} LOCATION 't'");
        for format in ["PARQUET", "csv", "JSON", "NDJSON"] {
            assert_eq!(refused(&create(format)), None, "{format}");
        }
        assert_eq!(refused("SELECT 1"), None);
        assert!(refused(&create("jsonl")).unwrap().contains("STORED AS JSON,"));
        assert!(refused(&create("ICEBERG")).unwrap().contains("PARQUET"));
    }
}
