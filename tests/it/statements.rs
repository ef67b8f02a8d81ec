//! SQL: every function on every string type, through sqllogictest.

use std::path::Path;
use std::sync::Arc;

use arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::prelude::SessionContext;
use plainsight::corpus::{Deidentifier, session};
use plainsight::surrogate::Key;
use sqllogictest::{AsyncDB, DBOutput, DefaultColumnType, Runner};

struct Session(SessionContext);

#[async_trait::async_trait]
impl AsyncDB for Session {
    type Error = datafusion::error::DataFusionError;
    type ColumnType = DefaultColumnType;

    async fn run(&mut self, statement: &str) -> Result<DBOutput<DefaultColumnType>, Self::Error> {
        let batches = self.0.sql(statement).await?.collect().await?;
        let options = FormatOptions::default().with_null("NULL");
        let mut rows = Vec::new();
        for batch in &batches {
            let columns = batch
                .columns()
                .iter()
                .map(|column| ArrayFormatter::try_new(column, &options))
                .collect::<Result<Vec<_>, _>>()?;
            rows.extend(
                (0..batch.num_rows())
                    .map(|row| columns.iter().map(|column| column.value(row).to_string()).collect::<Vec<_>>()),
            );
        }
        let types = vec![DefaultColumnType::Text; batches.first().map_or(0, |batch| batch.num_columns())];
        if types.is_empty() { Ok(DBOutput::StatementComplete(0)) } else { Ok(DBOutput::Rows { types, rows }) }
    }

    async fn shutdown(&mut self) {}

    fn engine_name(&self) -> &str {
        "plainsight"
    }
}

#[test]
fn sql_logic_tests() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut files: Vec<_> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slt"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "slt"));
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let mut runner = Runner::new(|| async {
            let key = Key::from_hex(crate::support::KEY).unwrap();
            Ok(Session(session(&Arc::new(Deidentifier::new().with_key(key)), 2).unwrap()))
        });
        runtime.block_on(runner.run_file_async(&file)).unwrap();
    }
}
