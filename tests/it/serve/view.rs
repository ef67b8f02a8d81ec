//! What the de-identified view shows: what a run writes, and nothing else of the notes.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, TimestampMicrosecondArray};

use super::{Server, ask, refusal, rows, token};
use crate::support::{Place, strings};

const COLUMNS: [&str; 6] = ["note_id", "patient_id", "encounter_id", "note_type", "note_datetime", "text"];

/// A warehouse, and what a run makes of it that sees each note by itself.
fn warehouse(notes: &str) -> Place {
    let place = Place::new();
    place.succeed(&["generate", "--notes", notes, "--patients", "12", "--out", "wh", "--canary"]);
    place.run("wh/notes", &["--patients", "wh/patients", "--no-second-pass"]);
    place
}

#[tokio::test]
async fn it_is_what_a_run_writes() {
    let place = warehouse("120");
    let (board, ann) = (token(&place, "board", "deidentified"), token(&place, "ann", "confidential"));
    let server = Server::start(&place, "wh/notes", &["--patients", "wh/patients", "--released", "past=out"]);
    let (mut board, mut ann) = (server.client(&board).await, server.client(&ann).await);
    let all = format!("SELECT {} FROM notes", COLUMNS.join(", "));
    // Nobody has looked at what is put there later.
    std::fs::copy(place.path("out/part-000000.parquet"), place.path("out/later.parquet")).unwrap();
    assert_eq!(rows(&mut board, "SELECT count(*) FROM past").await.unwrap(), ["120"]);
    std::fs::remove_file(place.path("out/later.parquet")).unwrap();
    let seen: BTreeSet<String> = rows(&mut board, &all).await.unwrap().into_iter().collect();
    let written = rows(&mut board, &all.replace("notes", "past")).await.unwrap().into_iter().collect();
    assert_eq!(seen.len(), 120);
    assert_eq!(seen, written);
    let star: BTreeSet<String> = rows(&mut board, "SELECT * FROM notes").await.unwrap().into_iter().collect();
    assert_eq!(seen, star);
    // What the functions give, and files hold.
    let mut by_function = rows(&mut ann, "SELECT deidentify(text, patient_id) FROM notes").await.unwrap();
    let mut texts = place.values("out", "text");
    by_function.sort();
    texts.sort();
    assert_eq!(by_function, texts);
    let raw = rows(&mut ann, "SELECT text FROM notes").await.unwrap().into_iter().collect::<BTreeSet<_>>();
    assert!(!texts.iter().any(|text| raw.contains(text)), "a text was not changed");
}

/// Partition values, null patients, columns that are dropped or kept, and what somebody has written beside the names.
#[tokio::test]
async fn it_is_what_a_run_writes_of_partitions_too() {
    let place = Place::new();
    for (site, first) in [("Northgate", 1), ("Lakeview%20East", 3)] {
        let times: ArrayRef =
            Arc::new(TimestampMicrosecondArray::from(vec![1_551_700_800_000_000, 1_552_132_800_000_000]));
        let patients: ArrayRef = Arc::new(arrow::array::StringArray::from(vec![Some("PT-7781234"), None]));
        let numbers: ArrayRef = Arc::new(Int64Array::from(vec![first, first + 1]));
        place.write_parquet(
            &format!("notes/site={site}/a.parquet"),
            vec![
                ("note_id", numbers),
                ("patient_id", patients),
                ("note_datetime", times),
                ("ward", strings(&["7 West", "ICU"])),
                ("secret", strings(&["Zorvalquist", "Zorvalquist"])),
                ("text", strings(&["Ada Winterbourne came on 03/04/2019.", "Call (507) 284-9911."])),
            ],
        );
    }
    let roles = ["--keep-columns", "ward", "--drop-columns", "secret"];
    place.run("notes", &[&["--no-second-pass"], &roles[..]].concat());
    let board = token(&place, "board", "deidentified");
    let server = Server::start(&place, "notes", &[&["--released", "past=out"], &roles[..]].concat());
    let mut board = server.client(&board).await;
    let columns = "note_id, patient_id, note_datetime, ward, text, site";
    let sorted = |mut rows: Vec<String>| {
        rows.sort();
        rows
    };
    let seen = sorted(rows(&mut board, &format!("SELECT {columns} FROM notes")).await.unwrap());
    assert_eq!(seen, sorted(rows(&mut board, &format!("SELECT {columns} FROM past")).await.unwrap()));
    assert!(seen.len() == 4 && !seen.iter().any(|row| row.contains("Northgate") || row.contains("Winterbourne")));
    for absent in ["secret", "__patient", "__note", "_rowid", "filename"] {
        assert!(refusal(&mut board, &format!("SELECT {absent} FROM notes")).await.message().contains(absent));
    }
}

/// Whatever is pushed towards the notes, it meets de-identified values only.
#[tokio::test]
async fn conditions_and_counts_see_what_it_shows() {
    let place = warehouse("80");
    let (board, ann) = (token(&place, "board", "deidentified"), token(&place, "ann", "confidential"));
    let server = Server::start(&place, "wh/notes", &["--patients", "wh/patients"]);
    let (mut board, mut ann) = (server.client(&board).await, server.client(&ann).await);
    let patient = place.values("wh/notes", "patient_id")[0].clone();
    let name = place.values("wh/patients", "family_name")[0].clone();
    let day = rows(&mut ann, "SELECT min(note_datetime) FROM notes").await.unwrap()[0].clone();
    for condition in [
        format!("text LIKE '%{name}%'"),
        format!("strpos(text, '{name}') > 0"),
        format!("regexp_like(text, '{name}', 'i')"),
        format!("patient_id = '{patient}'"),
        format!("patient_id IN ('{patient}')"),
        format!("CAST(patient_id AS VARCHAR) || '' = '{patient}'"),
        format!("note_datetime = TIMESTAMP '{day}'"),
        format!("note_id = '{}'", place.values("wh/notes", "note_id")[0]),
        format!("patient_id = (SELECT max(p) FROM (VALUES ('{patient}')) AS t(p))"),
        format!("EXISTS (SELECT 1 FROM (VALUES ('{patient}')) AS t(p) WHERE p = patient_id)"),
        format!("patient_id IN (SELECT p FROM (VALUES ('{patient}')) AS t(p))"),
    ] {
        let count = format!("SELECT count(*) FROM notes WHERE {condition}");
        assert_ne!(rows(&mut ann, &count).await.unwrap(), ["0"], "the notes themselves: {condition}");
        assert_eq!(rows(&mut board, &count).await.unwrap(), ["0"], "{condition}");
        let none = format!("SELECT note_id FROM notes WHERE {condition} ORDER BY text LIMIT 3");
        assert!(rows(&mut board, &none).await.unwrap().is_empty(), "{condition}");
        let parted = format!(
            "SELECT count(*) FILTER (WHERE {condition}), max(CASE WHEN {condition} THEN 1 ELSE 0 END) FROM notes"
        );
        if !condition.contains("SELECT") {
            assert_eq!(rows(&mut board, &parted).await.unwrap(), ["0|0"], "{condition}");
        }
    }
    // A join by a raw value, and by one that the view has shown.
    let join = format!("SELECT count(*) FROM notes n JOIN (VALUES ('{patient}')) AS t(p) ON n.patient_id = t.p");
    assert_ne!(rows(&mut ann, &join).await.unwrap(), ["0"]);
    assert_eq!(rows(&mut board, &join).await.unwrap(), ["0"]);
    let shown = rows(&mut board, "SELECT min(patient_id) FROM notes").await.unwrap()[0].clone();
    let own = rows(&mut board, &join.replace(&patient, &shown)).await.unwrap();
    assert_eq!(
        own,
        rows(&mut board, &format!("SELECT count(*) FROM notes WHERE patient_id = '{shown}'")).await.unwrap()
    );
    assert_ne!(own, ["0"]);
    // Least and greatest values are those of what is shown, whatever the files' statistics say.
    let (least, all) = (
        "SELECT min(note_datetime), max(note_datetime), min(note_id), max(text) FROM notes",
        "SELECT count(*) FROM notes",
    );
    let (seen, raw) = (rows(&mut board, least).await.unwrap(), rows(&mut ann, least).await.unwrap());
    assert!(seen[0].split('|').zip(raw[0].split('|')).all(|(seen, raw)| seen != raw), "{seen:?} {raw:?}");
    assert_eq!(rows(&mut board, all).await.unwrap(), ["80"]);
    // Conditions on other columns go below, and change nothing.
    let kind = rows(&mut board, "SELECT min(note_type) FROM notes").await.unwrap()[0].clone();
    let below = rows(&mut board, &format!("SELECT text FROM notes WHERE note_type = '{kind}'")).await.unwrap();
    let above = rows(
        &mut board,
        &format!(
            "SELECT text FROM (SELECT text, note_type || random() AS t FROM notes) WHERE starts_with(t, '{kind}')"
        ),
    )
    .await
    .unwrap();
    assert!(!below.is_empty() && below.iter().collect::<BTreeSet<_>>() == above.iter().collect(), "{kind}");
    assert_eq!(
        ask(&mut board, "SELECT text FROM notes LIMIT 7")
            .await
            .unwrap()
            .iter()
            .map(|batch| batch.num_rows())
            .sum::<usize>(),
        7
    );
    assert_eq!(rows(&mut board, "SELECT count(*) FROM (SELECT 1 FROM notes LIMIT 5)").await.unwrap(), ["5"]);
    let two = "SELECT count(*) FROM notes a JOIN notes b ON a.text = b.text AND a.note_id = b.note_id";
    assert_eq!(rows(&mut board, two).await.unwrap(), ["80"]);
}
