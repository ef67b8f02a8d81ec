//! SQL: every function on every string type, through sqllogictest.

use std::path::Path;
use std::sync::Arc;

use crate::support::Place;
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

/// SQL and the run go different ways to the same text: the statement is rewritten over distinct sentences, the run has its stages.
#[test]
fn deidentify_gives_what_a_run_gives_that_sees_each_note_by_itself() {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "1500", "--patients", "40", "--seed", "31", "--out", "wh"]);
    place.run("wh/notes", &["--patients", "wh/patients", "--no-second-pass", "--columns", "id=note_id"]);
    let deidentified = |setting: &str, folder: &str| {
        let statement = format!(
            "{setting}COPY (SELECT note_id, deidentify(text, patient_id) AS text FROM 'wh/notes/') TO '{folder}/' STORED AS PARQUET"
        );
        place.succeed(&["sql", "--key-file", "key", "--patients", "wh/patients", "-c", &statement]);
        let (ids, texts) = (place.values(folder, "note_id"), place.values(folder, "text"));
        ids.into_iter().zip(texts).collect::<std::collections::BTreeMap<_, _>>()
    };
    let rewritten = deidentified("", "rewritten");
    let mut by_run = place.values("out", "text");
    let mut by_sql: Vec<_> = rewritten.values().cloned().collect();
    by_run.sort();
    by_sql.sort();
    assert!(by_sql.len() == 1500 && by_sql == by_run, "SQL and the run differ");
    assert!(rewritten == deidentified("SET plainsight.distinct_detection = false; ", "afresh"));
}
