//! The table of patients: columns that nobody knows, identifiers that are floats, and records of somebody else.

use std::sync::Arc;

use arrow::array::{ArrayRef, Float64Array, Int64Array};
use serde_json::{Value, json};

use crate::support::{Place, note, strings};

const RUN: [&str; 11] = [
    "run",
    "--notes",
    "notes.jsonl",
    "--out",
    "out",
    "--key-file",
    "key",
    "--replace",
    "tag",
    "--patients",
    "patients.jsonl",
];

#[test]
fn a_column_that_nobody_knows_stops_the_run() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1", "zorblatt came")]);
    let patient = json!({"patient_id": "P1", "last_name": "Zorblatt", "nick": ["Zo", "Bo"], "created_at": "2019"});
    place.write_lines("patients.jsonl", &[patient]);
    let message = place.fail(2, &RUN);
    assert!(["last_name", "nick", "created_at", "--patient-columns"].iter().all(|told| message.contains(told)));
    assert!(!message.contains("patient_id") && !place.path("out").exists(), "{message}");
    let columns = |given: &'static str| [&RUN[..], &["--patient-columns", given]].concat();
    assert!(place.fail(2, &columns("family_name=surname")).contains("surname"));
    assert!(place.fail(2, &columns("name=last_name")).contains("family_name"));
    place.succeed(&columns("family_name=last_name,aliases=nick,unused=created_at"));
    let written = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
    assert!(written.contains("[PATIENT] came"), "{written}");
    let verify = ["verify", "--notes", "notes.jsonl", "--out", "out", "--key-file", "key", "--patients"];
    assert!(place.fail(2, &[&verify[..], &["patients.jsonl"]].concat()).contains("last_name"));
    let columns = ["patients.jsonl", "--patient-columns", "family_name=last_name,aliases=nick,unused=created_at"];
    assert_ne!(place.plainsight(&[&verify[..], &columns].concat()).status.code(), Some(2));
}

/// The engine tells the columns of JSON by the first thousand lines, and passes over what only later ones have.
#[test]
fn a_key_that_only_the_last_row_has_is_a_column() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1001", "zorblatt came")]);
    let row = |at: usize| json!({"patient_id": format!("P{at}"), "family_name": "Smith"});
    let last = json!({"patient_id": "P1001", "maiden_name": "Zorblatt"});
    let rows: Vec<_> = (1..1001).map(row).chain([last]).collect();
    place.write_lines("patients.jsonl", &rows);
    place.succeed(&RUN);
    let written = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
    assert!(written.contains("[PATIENT] came"), "{written}");
    let from = "SELECT count(maiden_name) FROM 'patients.jsonl'";
    let created = "CREATE EXTERNAL TABLE p STORED AS JSON LOCATION 'patients.jsonl'; SELECT count(maiden_name) FROM p";
    for statement in [from, &created.replace("patients.jsonl", "*.jsonl"), created] {
        assert!(place.succeed(&["sql", "--format", "csv", "-c", statement]).ends_with("1\n"), "{statement}");
    }
}

/// The second of two equal keys would take the place of the first, and a name would be left in the notes.
#[test]
fn a_row_with_a_key_twice_stops_the_run() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1", "zorblatt came")]);
    let row = r#"{"patient_id":"P1","aliases":["Zorblatt"],"aliases":["Quagga"]}"#;
    std::fs::write(place.path("patients.jsonl"), format!("\n{row}\n")).unwrap();
    let verify =
        ["verify", "--notes", "notes.jsonl", "--out", "out", "--key-file", "key", "--patients", "patients.jsonl"];
    for arguments in [&RUN[..], &verify] {
        let message = place.fail(1, arguments);
        assert!(message.contains("patients.jsonl") && message.contains("line 2 has a key twice"), "{message}");
        assert!(!message.contains("Zorblatt") && !message.contains("Quagga"), "{message}");
    }
    assert!(!place.path("out").exists());
}

/// As floats the numbers of two patients would be one, and of neither the record would be found.
#[test]
fn numbers_that_no_float_holds_stop_the_run() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "12345678901234567890", "zorblatt came")]);
    let rows = ["12345678901234567890", "12345678901234567891"]
        .map(|id| format!("{{\"patient_id\":{id},\"family_name\":\"Zorblatt\"}}\n"));
    std::fs::write(place.path("patients.jsonl"), rows.concat()).unwrap();
    let from = "SELECT patient_id FROM 'patients.jsonl'";
    let created = "CREATE EXTERNAL TABLE p STORED AS JSON LOCATION 'patients.jsonl'; SELECT * FROM p";
    let (pattern, from_pattern) = (created.replace("patients.jsonl", "pat*.jsonl"), "SELECT * FROM 'pat*.jsonl'");
    let statements = [from, created, &pattern, from_pattern].map(|statement| ["sql", "-c", statement]);
    for arguments in std::iter::once(&RUN[..]).chain(statements.iter().map(|statement| &statement[..])) {
        let message = place.fail(1, arguments);
        assert!(message.contains("line 1 has a whole number in `patient_id`"), "{message}");
        assert!(!message.contains("1234567890"), "{message}");
    }
    let quoted = rows.map(|row| row.replace(":1", ":\"1").replace(",\"f", "\",\"f"));
    std::fs::write(place.path("patients.jsonl"), quoted.concat()).unwrap();
    place.succeed(&RUN);
    assert!(std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap().contains("[PATIENT] came"));
}

/// Some programs have no integers beside null: they write 17 as 17.0.
#[test]
fn a_float_names_the_patient_whom_the_integer_names() {
    let place = Place::new();
    let patients: ArrayRef = Arc::new(Int64Array::from(vec![17, 18]));
    let texts = strings(&["zorblatt came, 48213775", "zorblatt came, 48213775"]);
    place.write_parquet("notes.parquet", vec![("patient_id", patients), ("text", texts)]);
    let ids: ArrayRef = Arc::new(Float64Array::from(vec![Some(17.0), None]));
    let numbers: ArrayRef = Arc::new(Float64Array::from(vec![48_213_775.0, 1.0]));
    let names = strings(&["Zorblatt", "Lee"]);
    place.write_parquet("patients.parquet", vec![("patient_id", ids), ("mrn", numbers), ("family_name", names)]);
    place.run("notes.parquet", &["--patients", "patients.parquet", "--replace", "tag", "--no-second-pass"]);
    let written = place.values("out", "text");
    assert!(written[0].starts_with("[PATIENT] came") && !written[0].contains("48213775"), "{written:?}");
    // The number is nobody's there.
    assert!(!written[1].contains("[MEDICALRECORD]"), "{written:?}");
}

#[test]
fn records_of_nobody_in_the_notes_stop_the_run() {
    let place = Place::new();
    let notes: Vec<Value> = (0..120).map(|id| note(id, if id % 2 == 0 { "17" } else { "18" }, "Stable.")).collect();
    place.write_lines("notes.jsonl", &notes);
    place.write_lines("patients.jsonl", &[json!({"patient_id": "00017", "family_name": "Zorblatt"})]);
    let message = place.fail(2, &RUN);
    assert!(message.contains("none of the 120 notes") && message.contains("as text"), "{message}");
    assert!(!place.path("out").exists());
    place.write_lines("patients.jsonl", &[json!({"patient_id": "17", "family_name": "Zorblatt"})]);
    let told = place.succeed(&RUN);
    assert!(told.contains("notes with a record") && told.contains(" 60 of 120"), "{told}");
    assert_eq!(place.report()["records"], json!({"patients": 1, "looked_at": 120, "with_record": 60}));
    // Of a few notes nobody can tell; without records nothing is said.
    place.write_lines("notes.jsonl", &notes[1..2]);
    place.succeed(&[&RUN[..], &["--overwrite"]].concat());
    place.run("notes.jsonl", &["--overwrite"]);
    assert!(place.report().get("records").is_none());
}
