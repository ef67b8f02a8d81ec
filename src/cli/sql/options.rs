//! Options that a statement gives twice: the engine would take the last one alone, and say nothing.
//!
//! ```text
//! COPY … OPTIONS ('compression' 'zstd(3)', 'format.compression' 'snappy')      one option, two names
//! ```

use datafusion::sql::parser::Statement;

use crate::corpus::{CorpusError, Result};

/// What the engine puts before an option whose name has no full stop.
const FORMAT: &str = "format.";

/// Refuses a statement that gives an option twice.
///
/// # Errors
/// [`CorpusError::Configuration`] with the option.
pub(super) fn refuse_options_twice(statement: &Statement) -> Result<()> {
    let options = match statement {
        Statement::CopyTo(copy) => &copy.options,
        Statement::CreateExternalTable(table) => &table.options,
        Statement::Explain(explain) => return refuse_options_twice(&explain.statement),
        Statement::Statement(_) | Statement::Reset(_) => return Ok(()),
    };
    let mut seen = Vec::new();
    for (name, _) in options {
        let known = name.to_lowercase();
        let known = known.strip_prefix(FORMAT).unwrap_or(&known).to_owned();
        if seen.contains(&known) {
            return Err(CorpusError::configuration(
                format!("the option `{name}` is given twice in OPTIONS"),
                "give it once; `format.` before a name, and capitals, make no difference",
            ));
        }
        seen.push(known);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use datafusion::sql::parser::DFParser;

    use super::*;

    fn refused(statement: &str) -> Option<String> {
        let statements = DFParser::parse_sql(statement).unwrap();
        statements.iter().find_map(|statement| refuse_options_twice(statement).err()).map(|error| error.to_string())
    }

    #[test]
    fn an_option_is_given_once() {
        let copy = |options: &str| format!("COPY (SELECT 1) TO 'a.csv' OPTIONS ({options})");
        let create = |options: &str| {
            format!("CREATE EXTERNAL TABLE a (x INT) STORED AS CSV LOCATION 'a.csv' OPTIONS ({options})")
        };
        for options in [
            "'delimiter' ';', 'delimiter' '|'",
            "'DELIMITER' ';', 'delimiter' '|'",
            "'has_header' 'true', 'format.has_header' 'false'",
            "'format.has_header' 'true', 'delimiter' ';', 'format.has_header' 'true'",
        ] {
            for statement in [copy(options), create(options), format!("EXPLAIN {}", copy(options))] {
                let told = refused(&statement).unwrap_or_default();
                assert!(told.contains("is given twice"), "{statement}: {told}");
            }
        }
        for statement in
            [copy("'delimiter' ';', 'has_header' 'true'"), create("'delimiter' ';'"), "SELECT 1".to_owned()]
        {
            assert_eq!(refused(&statement), None);
        }
    }
}
