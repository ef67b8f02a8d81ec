//! SQL: every function on every string type, through sqllogictest.

use std::path::Path;
use std::sync::Arc;

use crate::support::{Place, files_below};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::prelude::SessionContext;
use plainsight::corpus::{Deidentifier, session};
use plainsight::surrogate::Key;
use sqllogictest::{AsyncDB, DBOutput, DefaultColumnType, Runner};

/// A session of the engine, as the logic tests ask it.
pub struct Session {
    pub context: SessionContext,
    /// What `skipif` and `onlyif` call it.
    pub engine: &'static str,
}

#[async_trait::async_trait]
impl AsyncDB for Session {
    type Error = datafusion::error::DataFusionError;
    type ColumnType = DefaultColumnType;

    async fn run(&mut self, statement: &str) -> Result<DBOutput<DefaultColumnType>, Self::Error> {
        let batches = self.context.sql(statement).await?.collect().await?;
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
        self.engine
    }
}

#[test]
fn sql_logic_tests() {
    run_logic_tests(&|| {
        let key = Key::from_hex(crate::support::KEY).unwrap();
        let context = session(&Arc::new(Deidentifier::new().with_key(key)), 2).unwrap();
        Session { context, engine: "plainsight" }
    });
}

/// Runs every file of logic tests, each in a session of its own.
pub fn run_logic_tests(open: &dyn Fn() -> Session) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut files: Vec<_> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slt"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "slt"));
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let mut runner = Runner::new(|| async { Ok(open()) });
        runtime.block_on(runner.run_file_async(&file)).unwrap();
    }
}

/// What COPY writes may be notes: nobody else may read it. What is refused is told without its values, which partitions have in names of folders.
#[cfg(unix)]
#[test]
fn copies_are_the_owners_and_errors_hold_no_text() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let text = "Zorvalquist came / with a cough. ".repeat(20);
    place.write_lines("notes.jsonl", &[crate::support::note(1, "P1", &text)]);
    place.succeed(&["sql", "-c", "-- a comment first\nCOPY (SELECT text FROM 'notes.jsonl') TO 'copy.parquet'"]);
    assert_eq!(std::fs::metadata(place.path("copy.parquet")).unwrap().permissions().mode() & 0o777, 0o600);
    let copy = "COPY (SELECT note_id, text FROM 'notes.jsonl') TO 'by_text/' STORED AS PARQUET PARTITIONED BY (text)";
    let message = place.fail(1, &["sql", "-c", copy]);
    assert!(!message.contains("Zorvalquist") && message.contains("not shown"), "{message}");
}

/// Each worked query runs by the command in its head, on the sample that comes with the source, and gives rows.
#[cfg(unix)]
#[test]
fn worked_queries_run_as_their_heads_say() {
    let (place, source) = (Place::new(), Path::new(env!("CARGO_MANIFEST_DIR")));
    for folder in ["examples", "sql"] {
        std::os::unix::fs::symlink(source.join(folder), place.path(folder)).unwrap();
    }
    std::fs::rename(place.path("key"), place.path("key.hex")).unwrap();
    std::fs::write(place.path("list.txt"), "No acute distress.\n").unwrap();
    let notes =
        ["--notes", "examples/warehouse/notes", "--patients", "examples/warehouse/patients", "--key-file", "key.hex"];
    place.succeed(&[&["run", "--out", "deidentified", "--work", "work"], &notes[..]].concat());
    place.succeed(&[&["detect", "--out", "spans.parquet"], &notes[..]].concat());
    let queries = files_below(&source.join("sql/queries"));
    let queries = queries.iter().filter(|file| file.extension().is_some_and(|ending| ending == "sql"));
    let mut ran = 0;
    for file in queries {
        let text = std::fs::read_to_string(file).unwrap();
        let (_, command) = text.split_once("-- Run:").unwrap();
        let lines = command.lines().take_while(|line| !line.starts_with("WITH") && !line.starts_with("COPY"));
        let words = lines.flat_map(|line| line.split_whitespace().filter(|word| !["--", "\\"].contains(word)));
        let words: Vec<_> = words.skip_while(|word| *word != "sql").collect();
        let rows = place.succeed(&words);
        // A table has a line of names and three of its frame; not every question has an answer on a small sample.
        assert!(rows.lines().count() > 3 || rows.starts_with('{'), "{}: {rows}", file.display());
        ran += 1;
    }
    assert!(ran >= 15, "{ran} worked queries");
}

/// Statements from a file, from standard input, several at once, in every format.
#[test]
fn statements_come_from_anywhere_and_rows_go_out_in_any_format() {
    let place = Place::new();
    let text = "CREATE TABLE t AS VALUES (1, 'a;b'), (2, NULL);\n-- a comment; with a semicolon\nSELECT column1 AS n, column2 AS t FROM t ORDER BY n;";
    std::fs::write(place.path("report.sql"), text).unwrap();
    let csv = place.succeed(&["sql", "-f", "report.sql", "--format", "csv"]);
    assert_eq!(csv, "n,t\n1,a;b\n2,\n");
    let nested = "SELECT make_array('a,b', NULL, 'c') AS list UNION ALL SELECT NULL ORDER BY list NULLS LAST";
    let csv = place.succeed(&["sql", "-c", nested, "--format", "csv"]);
    assert_eq!(csv, "list\n\"[a,b, , c]\"\n\"\"\n");
    let mut command = place.command(&["sql", "--format", "json"]);
    let stdin = std::fs::File::open(place.path("report.sql")).unwrap();
    let output = command.stdin(stdin).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "{\"n\":1,\"t\":\"a;b\"}\n{\"n\":2}\n");
    let output = place.plainsight(&["sql", "-f", "report.sql", "--format", "parquet"]);
    std::fs::write(place.path("rows.parquet"), output.stdout).unwrap();
    assert_eq!(place.column(".", "t"), [Some("a;b".to_owned()), None]);
    // Nothing is done before all is understood.
    let message = place.fail(2, &["sql", "-c", "COPY (SELECT 1) TO 'one.csv'; SELEKT 2"]);
    assert!(message.contains("SELEKT") && !place.path("one.csv").exists(), "{message}");
    assert!(place.fail(2, &["sql", "-c", "SELECT 1; SELECT 2", "--format", "parquet"]).contains("one statement"));
    assert!(place.fail(1, &["sql", "-f", "no.sql"]).contains("no.sql"));
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
