//! SQL: every function on every string type, through sqllogictest.

use std::path::Path;
use std::sync::Arc;

use crate::support::{Place, files_below};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::error::DataFusionError;
use datafusion::prelude::SessionContext;
use plainsight::corpus::{CorpusError, Deidentifier, session};
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
    type Error = DataFusionError;
    type ColumnType = DefaultColumnType;

    async fn run(&mut self, statement: &str) -> Result<DBOutput<DefaultColumnType>, Self::Error> {
        let batches = self.context.sql(statement).await?.collect().await.map_err(told)?;
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

/// An error as the program shows it, where another machine has told it.
fn told(error: DataFusionError) -> DataFusionError {
    match error.find_root() {
        DataFusionError::Execution(message) if message.contains("told by another machine") => {
            DataFusionError::Execution(CorpusError::in_stage("sql")(error).to_string())
        }
        _ => error,
    }
}

/// A folder whose files lie in folders below it, too, is no table of some of them.
#[test]
fn files_in_folders_below_are_not_left_out() {
    let place = Place::new();
    for (folder, id) in [("d", 1), ("d/more", 2), ("e/site=a", 3), ("e/site=b", 4)] {
        place.write_lines(&format!("{folder}/n.jsonl"), &[crate::support::note(id, "P1", "Stable.")]);
    }
    for folder in ["c", "c/more", "p/year=1/x", "p/year=2"] {
        std::fs::create_dir_all(place.path(folder)).unwrap();
        std::fs::write(place.path(folder).join("n.csv"), "a\n1\n").unwrap();
    }
    let count = |folder: &str| format!("SELECT count(*) AS n FROM '{folder}'");
    let message = place.fail(2, &["sql", "-c", &count("d/")]);
    assert!(message.contains("`more`"), "{message}");
    for (left_out, folder) in [("c/", "more"), ("p/", "x"), ("c/**/*.csv", "more"), ("d/**/*.jsonl", "more")] {
        let message = place.fail(2, &["sql", "-c", &count(left_out)]);
        assert!(message.contains(&format!("`{folder}`")), "{left_out}: {message}");
    }
    let csv = format!("SET datafusion.execution.listing_table_ignore_subdirectory = false; {}", count("c/**/*.csv"));
    assert!(place.succeed(&["sql", "--format", "csv", "-c", &csv]).ends_with("n\n2\n"));
    // A link that leads nowhere may have led to a folder.
    std::os::unix::fs::symlink("/nowhere", place.path("d/more/x")).unwrap();
    assert!(place.fail(1, &["sql", "-c", &count("d/more/")]).contains("leads nowhere"));
    std::fs::remove_file(place.path("d/more/x")).unwrap();
    let insert = "INSERT INTO 'd/more/' VALUES ('N9', 'P9', 'Stable.')";
    assert!(place.fail(2, &["sql", "-c", insert]).contains("INSERT writes files `*.json`"));
    let all = format!("SET datafusion.execution.listing_table_ignore_subdirectory = false; {}", count("d/"));
    for (statements, rows) in [(count("d/more/"), 1), (count("e/"), 2), (all, 2)] {
        let told = place.succeed(&["sql", "--format", "csv", "-c", &statements]);
        assert!(told.ends_with(&format!("n\n{rows}\n")), "{statements}: {told}");
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

/// The engine knows of what was made null, and would name a folder so.
#[test]
fn a_null_partition_has_no_value_in_its_name() {
    let place = Place::new();
    let rows = "SELECT column1 AS id, nullif(column2, 'ZORVALQUIST') AS name, nullif(column3, 7) AS number \
                FROM (VALUES (1, 'ZORVALQUIST', 7), (2, 'B', 8))";
    place.succeed(&["sql", "-c", &format!("COPY ({rows}) TO 'by/' STORED AS PARQUET PARTITIONED BY (name, number)")]);
    let folders = |folder: &str| {
        let entries = std::fs::read_dir(place.path(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(folders("by"), ["name=B", "name=__HIVE_DEFAULT_PARTITION__"]);
    assert_eq!(folders("by/name=B"), ["number=8"]);
    assert_eq!(folders("by/name=__HIVE_DEFAULT_PARTITION__"), ["number=__HIVE_DEFAULT_PARTITION__"]);
    // Nor is what the folder is called a value where it is read.
    let asked = |rows: &str| place.succeed(&["sql", "--format", "csv", "-c", rows]);
    assert_eq!(asked("SELECT id, name, number FROM 'by/' WHERE name IS NULL"), "id,name,number\n1,,\n");
    assert_eq!(asked("SELECT id FROM 'by/' WHERE name = 'B' AND number = '8'"), "id\n2\n");
    assert_eq!(asked("SELECT count(name) AS n FROM 'by/' WHERE name LIKE '%HIVE%'"), "n\n0\n");
    place.succeed(&["sql", "-c", &format!("COPY ({rows}) TO 'rows/' STORED AS CSV PARTITIONED BY (name)")]);
    assert_eq!(asked("SELECT id FROM 'rows/' WHERE name IS NULL"), "id\n1\n");
}

/// What the engine would leave out or confuse without a word.
#[test]
fn nothing_of_a_file_is_left_out_in_silence() {
    let place = Place::new();
    let asked = |rows: &str| place.succeed(&["sql", "--format", "csv", "-c", rows]);
    let empty = (0..1_000).map(|row| format!("{row},,1\n")).collect::<String>();
    std::fs::write(place.path("late.csv"), format!("id,addendum,z\n{empty}7,Zorvalquist,1\n")).unwrap();
    assert_eq!(asked("SELECT max(addendum) AS a FROM 'late.csv'"), "a\nZorvalquist\n");
    std::fs::write(place.path("open.csv"), "id,b\n1,\"Zorvalquist\n2,x\n").unwrap();
    let message = place.fail(2, &["sql", "-c", "SELECT * FROM 'open.csv'"]);
    assert!(message.contains("quotation") && !message.contains("Zorvalquist"), "{message}");
    let absent = "CREATE EXTERNAL TABLE x (a INT) STORED AS PARQUET LOCATION 'none.parquet'; SELECT * FROM x";
    assert!(place.fail(2, &["sql", "-c", absent]).contains("no file"));
    // Rows go into a table by the places of its columns, of which those of folders are the last.
    for format in ["PARQUET", "CSV"] {
        let make = |columns: &str| {
            format!(
                "CREATE EXTERNAL TABLE t ({columns}) STORED AS {format} LOCATION 'by_{format}/' PARTITIONED BY (kind); \
                 INSERT INTO t SELECT 'Zorvalquist', 'A'"
            )
        };
        let message = place.fail(2, &["sql", "-c", &make("kind TEXT, text TEXT")]);
        assert!(message.contains("PARTITIONED BY last"), "{message}");
        place.succeed(&["sql", "-c", &make("text TEXT, kind TEXT")]);
        assert!(place.path(&format!("by_{format}/kind=A")).is_dir());
    }
}

/// A statement has no list of refused rows: how many there are is told where its answer is.
#[test]
fn rows_of_notes_that_cannot_be_read_are_told() {
    let place = Place::new();
    let [first, last] = ["Stable.", "Well."].map(|text| crate::support::note(text.len(), "P1", text));
    std::fs::write(place.path("notes.jsonl"), format!("{first}\nZorvalquist\n{last}\n")).unwrap();
    let output = place.plainsight(&[
        "sql",
        "--notes",
        "notes.jsonl",
        "--format",
        "csv",
        "-c",
        "SELECT count(*) AS n FROM notes",
    ]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "n\n2\n");
    assert!(told.contains("cannot be read") && told.contains(": 1 of") && !told.contains("Zorvalquist"), "{told}");
}

/// Who takes the key for its file has told it to the shell; no message tells it to the log as well.
#[test]
fn a_key_in_the_place_of_its_file_is_not_shown() {
    let place = Place::new();
    let output = place.plainsight(&["sql", "--key-file", crate::support::KEY, "-c", "SELECT 1"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && told.contains("in the place of its file"), "{told}");
    assert!(!told.contains(&crate::support::KEY[..8]), "{told}");
}

/// What is written there would be taken for released notes, or be in no table.
#[test]
fn copies_go_where_nobody_keeps_account_of_files() {
    let place = Place::new();
    place.write_lines("notes/a.jsonl", &[crate::support::note(1, "P1", "Dr. Zorvalquist came.")]);
    place.run("notes", &[]);
    for target in ["out/", "out/x.parquet", "out/more/"] {
        let copy = format!("COPY (SELECT 1 AS a) TO '{target}' STORED AS PARQUET");
        assert!(place.fail(2, &["sql", "-c", &copy]).contains("has released"), "{target}");
    }
    let insert = "CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION 'out/part'; INSERT INTO t SELECT * FROM t";
    std::fs::create_dir(place.path("out/part")).unwrap();
    place.write_parquet("out/part/a.parquet", vec![("text", super::support::strings(&["x"]))]);
    assert!(place.fail(2, &["sql", "-c", insert]).contains("has released"));
    place.write_lines("t/_delta_log/00000000000000000000.json", &[]);
    let copy = "COPY (SELECT 1 AS a) TO 't/' STORED AS PARQUET";
    assert!(place.fail(2, &["sql", "-c", copy]).contains("INSERT INTO"));
    assert_eq!(files_below(&place.path("t")).len(), 1);
}

/// A key that is written over cannot be had again, nor what was replaced with it.
#[test]
fn copies_write_over_nothing_that_the_session_reads() {
    let place = Place::new();
    place.write_lines("notes/a.jsonl", &[crate::support::note(1, "P1", "Dr. Zorvalquist came.")]);
    std::fs::write(place.path("list.txt"), "No acute distress.\n").unwrap();
    std::fs::write(place.path("site.toml"), "base = \"A\"\n").unwrap();
    std::fs::write(place.path("options.toml"), "[surrogate]\n").unwrap();
    let kept = || files_below(&place.path("")).into_iter().map(|file| (std::fs::read(&file).unwrap(), file));
    let before: Vec<_> = kept().collect();
    let flags = [
        ["sql", "--key-file", "key", "--notes", "notes", "--inclusion", "list.txt"].as_slice(),
        &["--policy", "site.toml", "--surrogate-options", "options.toml"],
    ]
    .concat();
    for target in
        ["key", "notes/a.jsonl", "notes/b.jsonl", "notes/", "notes/more/", "list.txt", "site.toml", "options.toml"]
    {
        let copy = format!("COPY (SELECT 1 AS a) TO '{target}' STORED AS JSON");
        let told = place.fail(2, &[&flags[..], &["-c", &copy]].concat());
        assert!(told.contains("COPY would write"), "{target}: {told}");
    }
    assert_eq!(kept().collect::<Vec<_>>(), before);
    place.succeed(&[&flags[..], &["-c", "COPY (SELECT 1 AS a) TO 'elsewhere.json'"]].concat());
}

#[test]
fn columns_of_one_name_are_refused() {
    let place = Place::new();
    let rows = "SELECT x.a, y.a FROM (SELECT 1 AS a) AS x, (SELECT 2 AS a) AS y";
    for target in ["x.parquet", "x.csv", "x.json"] {
        let message = place.fail(2, &["sql", "-c", &format!("COPY ({rows}) TO '{target}'")]);
        assert!(message.contains("two columns `a`") && !place.path(target).exists(), "{message}");
    }
    for format in ["json", "parquet"] {
        assert!(place.fail(2, &["sql", "--format", format, "-c", rows]).contains("two columns `a`"));
    }
    place.succeed(&["sql", "-c", rows]);
}

/// As what a run writes, so that other readers of Arrow compare them.
#[test]
fn strings_of_parquet_are_no_views() {
    let place = Place::new();
    place.succeed(&[
        "sql",
        "-c",
        "COPY (SELECT arrow_cast('x', 'Utf8View') AS a, arrow_cast('x', 'BinaryView') AS b) TO 'x.parquet'",
    ]);
    let file = std::fs::File::open(place.path("x.parquet")).unwrap();
    let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let types: Vec<_> = reader.schema().fields().iter().map(|field| field.data_type().to_string()).collect();
    assert_eq!(types, ["Utf8", "Binary"]);
}

#[test]
fn what_a_terminal_obeys_is_not_sent_to_it() {
    let place = Place::new();
    let shown = place.succeed(&["sql", "-c", "SELECT 'a' || chr(27) || '[2J' || chr(10) || 'b' AS x"]);
    assert!(!shown.contains('\u{1b}') && shown.contains("[2J"), "{shown}");
}

#[test]
fn an_empty_file_is_no_parquet() {
    let place = Place::new();
    place.succeed(&["sql", "-c", "COPY (SELECT 1 AS a) TO 'd/x.parquet'"]);
    std::fs::write(place.path("d/y.parquet"), "").unwrap();
    assert!(place.fail(2, &["sql", "-c", "SELECT count(*) FROM 'd/'"]).contains("y.parquet"));
    place.succeed(&["sql", "-c", "COPY (SELECT 'z' AS a) TO 'd/y.parquet'"]);
    assert!(place.fail(2, &["sql", "-c", "SELECT count(*) FROM 'd/'"]).contains("column `a` is Int64 in one"));
    assert!(place.fail(2, &["sql", "-c", "SET datafusion.execution.batch_sizes = 3"]).contains("batch_sizes"));
}

/// A statement that fails leaves what was there, and nothing besides; one that does not replaces it.
#[test]
fn a_copy_that_fails_leaves_what_was_there() {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "3000", "--seed", "2", "--out", "wh"]);
    let copy = |rows: &str, target: &str, how: &str| format!("COPY ({rows}) TO '{target}' {how}");
    let fails = "SELECT note_id, text, 1 / (CASE WHEN note_id = (SELECT max(note_id) FROM 'wh/notes/') THEN 0 ELSE 1 END) AS x FROM 'wh/notes/' ORDER BY note_id";
    let names = || {
        let names = std::fs::read_dir(place.path(".")).unwrap().map(|file| file.unwrap().file_name());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    for target in ["good.parquet", "good.csv", "good.jsonl"] {
        place.succeed(&["sql", "-c", &copy("SELECT 1 AS good", target, "")]);
        let (good, before) = (std::fs::read(place.path(target)).unwrap(), names());
        place.fail(1, &["sql", "-c", &copy(fails, target, "")]);
        assert!(std::fs::read(place.path(target)).unwrap() == good && names() == before, "{target}");
        place.succeed(&["sql", "-c", &copy("SELECT 2 AS good", target, "")]);
        assert!(std::fs::read(place.path(target)).unwrap() != good && names() == before, "{target}");
        let asked = place.succeed(&["sql", "--format", "csv", "-c", &format!("SELECT good FROM '{target}'")]);
        assert_eq!(asked, "good\n2\n");
    }
    let before = names();
    for target in ["folder/", "folder"] {
        place.fail(1, &["sql", "-c", &copy(fails, target, "STORED AS PARQUET")]);
        assert_eq!(names(), before);
    }
    let parts = "STORED AS PARQUET PARTITIONED BY (kind)";
    for (rows, target, how) in [("1 AS x", "folder/", "STORED AS PARQUET"), ("1 AS x, 'a' AS kind", "parts.d", parts)] {
        place.succeed(&["sql", "-c", &copy(&format!("SELECT {rows}"), target, how)]);
        let asked = format!("SELECT x FROM '{}/'", target.trim_end_matches('/'));
        assert_eq!(place.succeed(&["sql", "--format", "csv", "-c", &asked]), "x\n1\n");
    }
    // Nor does one into a folder that is there add files of some of the rows.
    for how in ["STORED AS PARQUET", "STORED AS CSV", "STORED AS CSV PARTITIONED BY (x)"] {
        let buffer = "SET datafusion.execution.objectstore_writer_buffer_size = 65536; ";
        place.fail(1, &["sql", "-c", &format!("{buffer}{}", copy(fails, "folder/", how))]);
        assert_eq!(files_below(&place.path("folder")).len(), 1, "{how}");
    }
    let more = copy("SELECT 2 AS x", "folder/", "STORED AS PARQUET");
    place.succeed(&["sql", "-c", &format!("{more}; {more}")]);
    assert_eq!(place.succeed(&["sql", "--format", "csv", "-c", "SELECT sum(x) AS x FROM 'folder/'"]), "x\n5\n");
    // What is read may be what is written.
    place.succeed(&["sql", "-c", &copy("SELECT good + 1 AS good FROM 'good.csv'", "good.csv", "")]);
    assert_eq!(place.succeed(&["sql", "--format", "csv", "-c", "SELECT good FROM 'good.csv'"]), "good\n3\n");
}

/// A word is a folder in FROM, but whoever makes a table or adds to one means a table.
#[test]
fn folders_are_not_taken_for_tables_that_are_made_or_added_to() {
    let place = Place::new();
    let own = "SELECT 'own' AS id";
    place.write_parquet("notes/a.parquet", vec![("id", crate::support::strings(&["raw"]))]);
    let asked = |statements: &str| place.succeed(&["sql", "--format", "csv", "-c", statements]);
    for create in [
        "CREATE TABLE notes AS",
        "CREATE TABLE IF NOT EXISTS notes AS",
        "CREATE OR REPLACE TABLE notes AS",
        "CREATE VIEW notes AS",
    ] {
        assert_eq!(asked(&format!("{create} {own}; SELECT id FROM notes")), "id\nown\n", "{create}");
    }
    let twice = format!("CREATE TABLE IF NOT EXISTS notes AS {own}; INSERT INTO notes VALUES ('added'); ");
    let kept = format!("{twice}CREATE TABLE IF NOT EXISTS notes AS SELECT 1 AS x; SELECT id FROM notes ORDER BY id");
    assert!(asked(&kept).ends_with("id\nadded\nown\n"));
    place.fail(1, &["sql", "-c", &format!("{twice}CREATE TABLE notes AS {own}")]);
    assert!(place.fail(2, &["sql", "-c", "INSERT INTO notes VALUES ('added')"]).contains("`notes` is no table"));
    for drop in ["TABLE notes", "VIEW notes", "TABLE 'notes/a.parquet'", "TABLE \"notes/a.parquet\""] {
        assert!(place.fail(2, &["sql", "-c", &format!("DROP {drop}")]).contains("there is no table"), "{drop}");
    }
    assert_eq!(asked(&format!("CREATE TABLE notes AS {own}; DROP TABLE notes; SELECT id FROM notes")), "id\nraw\n");
    assert_eq!(files_below(&place.path("notes")).len(), 1);
    assert_eq!(asked("SELECT id FROM notes"), "id\nraw\n");
    // Patients' records have hidden files, too.
    place.write_parquet("patients/a.parquet", vec![("patient_id", crate::support::strings(&["P1"]))]);
    std::fs::create_dir_all(place.path("patients/_tmp")).unwrap();
    std::fs::write(place.path("patients/_tmp/b.parquet"), "half a file").unwrap();
    place.succeed(&["sql", "--patients", "patients", "-c", "SELECT phi_score('Seen.', 'P1')"]);
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
    let twice = "COPY (SELECT 1) TO 'one.csv'; COPY (SELECT 1) TO 'two.csv' OPTIONS ('delimiter' ';', 'delimiter' '|')";
    let message = place.fail(2, &["sql", "-c", twice]);
    assert!(message.contains("`delimiter` is given twice") && !place.path("one.csv").exists(), "{message}");
    let passed_over = "COPY (SELECT 1) TO 'one.csv'; SELECT n FROM n PREWHERE n = 1";
    let message = place.fail(2, &["sql", "-c", passed_over]);
    assert!(message.contains("PREWHERE has no effect") && !place.path("one.csv").exists(), "{message}");
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
