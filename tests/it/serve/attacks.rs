//! What the de-identified role tries, and does not get. Where it is cheap, the same is asked in the role that may, so that what is refused is
//! known to work.

use tonic::Code;

use super::{Server, audit, refusal, rows, token};
use crate::support::{Place, files_below};

/// A warehouse with names and numbers like nothing else, and all of them.
fn canaries(place: &Place) -> Vec<String> {
    place.succeed(&["generate", "--notes", "80", "--patients", "12", "--out", "wh", "--canary"]);
    ["given_name", "family_name", "mrn", "health_plan_id", "patient_id"]
        .iter()
        .flat_map(|column| place.values("wh/patients", column))
        .chain(place.values("wh/notes", "note_id"))
        .collect()
}

#[tokio::test]
async fn functions_are_not_there() {
    let place = Place::new();
    let names = canaries(&place);
    let (board, ann) = (token(&place, "board", "deidentified"), token(&place, "ann", "confidential"));
    let server = Server::start(&place, "wh/notes", &["--patients", "wh/patients"]);
    let (mut board, mut ann) = (server.client(&board).await, server.client(&ann).await);
    let (name, patient) =
        (&names[0], names.iter().find(|name| place.values("wh/patients", "patient_id").contains(name)).unwrap());
    for call in [
        format!("shift_date(DATE '2020-01-01', '{patient}')"),
        format!("surrogate('PATIENT', '{name}', '{patient}')"),
        format!("deidentify('{name} came', '{patient}')"),
        format!("phi_spans('{name} came')"),
        format!("phi_score('{name} came')"),
        format!("sentence_hash('{name}')"),
        format!("is_included('{name}')"),
        format!("sentences('{name} came.')"),
        format!("pseudonym('patient', '{patient}')"),
        "pseudonym('note_id', note_id)".to_owned(),
        format!("replace_spans('{name}', '{patient}', NULL)"),
    ] {
        let statement = format!("SELECT {call} FROM notes LIMIT 1");
        let refused = refusal(&mut board, &statement).await;
        assert!(refused.code() == Code::InvalidArgument && refused.message().contains("Invalid function"), "{refused}");
        if !call.contains("is_included") && !call.contains("replace_spans") {
            assert_eq!(rows(&mut ann, &statement).await.unwrap().len(), 1, "{statement}");
        }
    }
    let ours = "routine_name IN ('surrogate','shift_date','sentence_hash','phi_spans','phi_score','deidentify','is_included','sentences','pseudonym','input_file_name','repeat')";
    let listed = format!("SELECT count(*) FROM information_schema.routines WHERE {ours}");
    assert_eq!(rows(&mut board, &listed).await.unwrap(), ["0"]);
    assert_ne!(rows(&mut ann, &listed).await.unwrap(), ["0"]);
    let shown = rows(&mut board, "SHOW FUNCTIONS").await.unwrap().join("\n");
    assert!(shown.contains("upper") && !shown.contains("shift_date") && !shown.contains("De-identification"));
    for absent in [
        "input_file_name()",
        "repeat('a', 1000000000)",
        "lpad('a', 1000000000)",
        "array_repeat(1, 1000000000)",
        "range(1, 1000000000)",
    ] {
        assert_eq!(
            refusal(&mut board, &format!("SELECT {absent} FROM notes")).await.code(),
            Code::InvalidArgument,
            "{absent}"
        );
    }
}

#[tokio::test]
async fn tables_files_and_settings_are_not_there() {
    let place = Place::new();
    canaries(&place);
    let (board, ann) = (token(&place, "board", "deidentified"), token(&place, "ann", "confidential"));
    let server = Server::start(&place, "wh/notes", &[]);
    let (mut board, mut ann) = (server.client(&board).await, server.client(&ann).await);
    assert_eq!(
        rows(&mut board, "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'public'")
            .await
            .unwrap(),
        ["notes|VIEW"]
    );
    assert_eq!(
        rows(&mut board, "SELECT count(*) FROM information_schema.views WHERE definition IS NOT NULL").await.unwrap(),
        ["0"]
    );
    let columns = rows(&mut board, "SHOW COLUMNS FROM notes").await.unwrap().join("\n");
    assert!(columns.contains("note_datetime") && !columns.contains("__patient"), "{columns}");
    assert_eq!(rows(&mut board, "DESCRIBE notes").await.unwrap().len(), 6);
    assert_ne!(rows(&mut ann, "SELECT count(*) FROM documents").await.unwrap(), ["0"]);
    // A file that is there and one that is not are told alike.
    let there = place.path("wh/patients").to_string_lossy().into_owned();
    let gone = place.path("no/patients").to_string_lossy().into_owned();
    for client in [&mut board, &mut ann] {
        for path in [
            there.as_str(),
            "wh/patients/",
            "/etc/passwd",
            "file:///etc/passwd",
            "s3://bucket/key",
            "http://127.0.0.1:1/a.parquet",
        ] {
            let refused = refusal(client, &format!("SELECT * FROM '{path}'")).await;
            let other = refusal(client, &format!("SELECT * FROM '{gone}'")).await;
            assert_eq!(refused.code(), Code::InvalidArgument);
            assert_eq!(refused.message().replace(path, ""), other.message().replace(&gone, ""), "{path}");
        }
        let out = place.path("stolen.csv").to_string_lossy().into_owned();
        for statement in [
            format!("COPY notes TO '{out}'"),
            format!("COPY (SELECT text FROM notes) TO '{out}' STORED AS CSV"),
            format!("CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION '{there}'"),
            "CREATE TABLE t AS SELECT * FROM notes".to_owned(),
            "CREATE VIEW v AS SELECT * FROM notes".to_owned(),
            "INSERT INTO notes SELECT * FROM notes".to_owned(),
            "DROP VIEW notes".to_owned(),
            "SET datafusion.optimizer.expand_views_at_output = false".to_owned(),
            "SET plainsight.distinct_detection = false".to_owned(),
            "SHOW ALL".to_owned(),
            "PREPARE p AS SELECT 1".to_owned(),
        ] {
            assert_eq!(refusal(client, &statement).await.code(), Code::PermissionDenied, "{statement}");
        }
        assert!(!place.path("stolen.csv").exists());
    }
    for statement in [
        "EXPLAIN SELECT * FROM notes",
        "EXPLAIN ANALYZE SELECT * FROM notes",
        "SELECT * FROM information_schema.df_settings",
    ] {
        assert_eq!(refusal(&mut board, statement).await.code(), Code::PermissionDenied, "{statement}");
        assert!(rows(&mut ann, statement).await.is_ok(), "{statement}");
    }
    for statement in [
        "SELECT * FROM documents",
        "SELECT * FROM sentences",
        "SELECT * FROM read_parquet('wh/notes')",
        "SELECT * FROM parquet_metadata('wh/notes')",
        "SELECT text FROM notes PREWHERE text IS NULL",
    ] {
        assert_eq!(refusal(&mut board, statement).await.code(), Code::InvalidArgument, "{statement}");
    }
}

/// Everything that the role is told, errors included, and everything that is written beside: no canary is in it.
#[tokio::test]
async fn nothing_tells_a_canary() {
    let place = Place::new();
    let names = canaries(&place);
    place.run("wh/notes", &["--patients", "wh/patients"]);
    let (board, ann) = (token(&place, "board", "deidentified"), token(&place, "ann", "confidential"));
    let further = ["--patients", "wh/patients", "--released", "past=out", "--metrics", "metrics.prom"];
    let server = Server::start(&place, "wh/notes", &further);
    let (mut board, mut ann) = (server.client(&board).await, server.client(&ann).await);
    let mut told = String::new();
    for statement in [
        "SELECT * FROM notes",
        "SELECT * FROM past",
        "SELECT CAST(text AS BIGINT) FROM notes",
        "SELECT text FROM notes WHERE CAST(text AS DATE) > DATE '2020-01-01'",
        "SELECT note_id FROM notes WHERE CAST(patient_id AS BIGINT) > 0",
        "SELECT 1 / (octet_length(text) - octet_length(text)) FROM notes",
        "SELECT to_timestamp(text) FROM notes",
        "SELECT arrow_cast(note_id, 'Int8') FROM notes",
        "SELECT arrow_metadata(text, 'a') FROM notes LIMIT 1",
        "SELECT min(text), max(text), first_value(text), string_agg(patient_id, ',') FROM notes",
        "SELECT approx_distinct(text), array_agg(encounter_id) FROM notes",
        "SELECT *, row_number() OVER (ORDER BY text), lag(text) OVER (ORDER BY note_id) FROM notes",
        "SELECT n.text, p.text FROM notes n JOIN past p ON n.note_id = p.note_id",
        "SELECT text FROM notes UNION SELECT text FROM past",
        "SELECT * FROM notes TABLESAMPLE SYSTEM (50)",
        "SELECT text FROM notes WHERE text IN (SELECT text FROM past) ORDER BY text LIMIT 5",
        "SELECT nothing FROM notes",
    ] {
        match rows(&mut board, statement).await {
            Ok(rows) => told.push_str(&rows.join("\n")),
            Err(status) => {
                assert!(!status.message().contains("wh/"), "{status}");
                told.push_str(status.message());
            }
        }
    }
    assert!(told.len() > 50_000);
    let canary = |text: &str| names.iter().position(|name| text.contains(name.as_str()));
    assert_eq!(canary(&told), None);
    // The role that may see them does, or this test tells nothing.
    assert!(canary(&rows(&mut ann, "SELECT text FROM notes").await.unwrap().join("\n")).is_some());
    assert!(refusal(&mut ann, &format!("SELECT CAST('{}' AS BIGINT)", names[0])).await.code() == Code::InvalidArgument);
    let log =
        ["audit", "serve.log", "metrics.prom"].map(|name| std::fs::read_to_string(place.path(name)).unwrap()).concat();
    assert!(log.contains("query_ended") && canary(&log).is_none());
    assert!(!log.contains("SELECT text") && !log.contains("octet_length"));
    // The same text has the same digest, and another key another.
    let lines = audit(&place);
    assert!(
        lines
            .iter()
            .filter(|line| line["event"] == "query_begun")
            .all(|line| line["digest"].as_str().unwrap().len() == 32)
    );
    assert_ne!(lines.last().unwrap()["digest"], blake3::hash(b"SELECT text FROM notes").to_hex()[..32]);
}

/// A fault while notes are read is told as such; where they lie is told to those only who may see them.
#[tokio::test]
async fn faults_below_tell_no_paths() {
    let place = Place::new();
    canaries(&place);
    let (board, ann) = (token(&place, "board", "deidentified"), token(&place, "ann", "confidential"));
    let server = Server::start(&place, "wh/notes", &[]);
    for file in files_below(&place.path("wh/notes")) {
        std::fs::remove_file(file).unwrap();
    }
    let refused = refusal(&mut server.client(&board).await, "SELECT * FROM notes").await;
    // Files that have gone since they were listed may be others by now.
    assert_eq!((refused.code(), refused.message().contains("cannot be had")), (Code::Unavailable, true), "{refused}");
    assert!(!refused.message().contains("wh") && !refused.message().contains("parquet"), "{refused}");
    let refused = refusal(&mut server.client(&ann).await, "SELECT * FROM notes").await;
    assert!(refused.message().contains("parquet"), "{refused}");
    for attempt in 0.. {
        if std::fs::read_to_string(place.path("serve.log")).unwrap().to_lowercase().contains("error") {
            break;
        }
        assert!(attempt < 2400, "the log does not tell of the fault");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}
