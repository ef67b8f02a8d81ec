//! `verify`: a clean output is clean, and whatever is planted in one is found, each kind by its name.

use serde_json::{Value, json};

use crate::support::{Place, note};

/// Notes of one patient whose record is known, and the output of a run over them.
fn released(place: &Place) {
    place.write_lines(
        "notes.jsonl",
        &[
            note(
                1,
                "P1",
                "Ottoline Quillfeather was seen on 03/04/2019.\nCall 507-284-9911, MRN: 00917364.\nNo acute distress.",
            ),
            note(2, "P1", "Mail to oquill@example.org, SSN 219-09-9999.\nLives at 114 Marrowby Lane."),
            note(3, "P2", "Lungs are clear. Follow-up in two weeks."),
        ],
    );
    place.write_lines(
        "patients.jsonl",
        &[json!({
            "patient_id": "P1", "given_name": "Ottoline", "family_name": "Quillfeather", "phones": ["507-284-9911"],
            "street": "114 Marrowby Lane", "mrn": "00917364", "ssn": "219-09-9999", "email": "oquill@example.org",
        })],
    );
    place.run("notes.jsonl", &["--patients", "patients.jsonl"]);
}

const VERIFY: [&str; 10] = [
    "verify",
    "--notes",
    "notes.jsonl",
    "--patients",
    "patients.jsonl",
    "--out",
    "out",
    "--key-file",
    "key",
    "--format=json",
];

/// Changes the rows of the output, and the manifest with them, as a faulty run would have written them.
fn plant(place: &Place, change: impl Fn(&mut Vec<Value>)) {
    let part = place.path("out/part-000000.jsonl");
    let text = std::fs::read_to_string(&part).unwrap();
    let mut rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    change(&mut rows);
    let content: String = rows.iter().map(|row| format!("{row}\n")).collect();
    std::fs::write(&part, &content).unwrap();
    let manifest = place.path("out/_plainsight/manifest.json");
    let mut told: Value = serde_json::from_slice(&std::fs::read(&manifest).unwrap()).unwrap();
    told["parts"][0]["bytes"] = json!(content.len());
    told["parts"][0]["digest"] = json!(blake3::hash(content.as_bytes()).to_hex().as_str());
    std::fs::write(manifest, told.to_string()).unwrap();
}

/// What a check of the output finds, by kind, with the patients' records; it must not be clean.
fn found(place: &Place) -> serde_json::Map<String, Value> {
    found_by(place, &VERIFY)
}

fn found_by(place: &Place, arguments: &[&str]) -> serde_json::Map<String, Value> {
    let checked = place.plainsight(arguments);
    assert_eq!(checked.status.code(), Some(1), "{}", String::from_utf8_lossy(&checked.stderr));
    let text = String::from_utf8(checked.stdout).unwrap();
    for secret in ["Quillfeather", "284-9911", "00917364", "oquill", "219-09", "Marrowby"] {
        assert!(!text.contains(secret), "the report quotes `{secret}`");
    }
    let report: Value = serde_json::from_str(&text).unwrap();
    report["findings"].as_object().unwrap().values().flat_map(|kinds| kinds.as_object().unwrap().clone()).collect()
}

fn count(found: &serde_json::Map<String, Value>, kind: &str) -> u64 {
    found.get(kind).and_then(Value::as_u64).unwrap_or_default()
}

#[test]
fn a_clean_output_is_clean_in_every_mode() {
    let place = Place::new();
    released(&place);
    for mode in ["surrogate", "tag", "numbered-tag", "angle-tag", "redact", "mask", "mask-whole"] {
        place.run("notes.jsonl", &["--patients", "patients.jsonl", "--replace", mode, "--overwrite"]);
        let report: Value = serde_json::from_str(&place.succeed(&VERIFY)).unwrap();
        assert_eq!((report["clean"].as_bool(), report["rows_compared"].as_u64()), (Some(true), Some(3)), "{mode}");
    }
    place.succeed(&["generate", "--notes", "300", "--patients", "20", "--out", "wh", "--seed", "31"]);
    let places = ["--notes", "wh/notes", "--out", "wh-out", "--key-file", "key"];
    place.succeed(&[&["run"], &places[..]].concat());
    place.succeed(&[&["verify"], &places[..]].concat());
}

#[test]
fn the_list_of_findings_takes_the_place_of_nothing() {
    let place = Place::new();
    released(&place);
    let notes = std::fs::read(place.path("notes.jsonl")).unwrap();
    for file in ["notes.jsonl", "patients.jsonl", "out/findings.jsonl", "out.work/findings.jsonl"] {
        let message = place.fail(2, &[&VERIFY[..], &["--findings", file]].concat());
        assert!(message.contains("--findings name a file elsewhere"), "{message}");
    }
    assert_eq!(std::fs::read(place.path("notes.jsonl")).unwrap(), notes);
    place.succeed(&[&VERIFY[..], &["--findings", "findings.jsonl"]].concat());
    assert!(place.path("findings.jsonl").exists());
}

#[test]
fn what_is_planted_in_a_text_is_found_by_its_kind() {
    let original = |line: &str| line.to_owned();
    let without_record: Vec<_> = VERIFY.into_iter().filter(|word| !word.contains("patients")).collect();
    // What a value is named by: the record, where it is known, else its shape.
    for (row, line, kinds, shapes) in [
        (0, original("Ottoline Quillfeather was seen on 03/04/2019."), &["name-of-record"][..], &[][..]),
        (0, original("Call 507-284-9911, MRN: 00917364."), &["number-of-record"], &["phone", "record-number"]),
        (
            1,
            original("Mail to oquill@example.org, SSN 219-09-9999."),
            &["number-of-record"],
            &["email", "social-security-number"],
        ),
        (1, original("Lives at 114 Marrowby Lane."), &["address-of-record"], &[]),
    ] {
        let place = Place::new();
        released(&place);
        let source = std::fs::read_to_string(place.path("notes.jsonl")).unwrap();
        let source: Value = serde_json::from_str(source.lines().nth(row).unwrap()).unwrap();
        let at = source["text"].as_str().unwrap().lines().position(|candidate| candidate == line).unwrap();
        plant(&place, |rows| {
            let text = rows[row]["text"].as_str().unwrap();
            let lines: Vec<_> =
                text.lines().enumerate().map(|(place, own)| if place == at { &line } else { own }).collect();
            rows[row]["text"] = json!(lines.join("\n"));
        });
        let found = found(&place);
        assert!(kinds.iter().all(|kind| count(&found, kind) > 0), "not all of {kinds:?} in {found:?}");
        if !shapes.is_empty() {
            let found = found_by(&place, &without_record);
            assert!(shapes.iter().all(|kind| count(&found, kind) > 0), "not all of {shapes:?} in {found:?}");
        }
    }
}

#[test]
fn a_time_that_moved_with_its_date_is_found() {
    let place = Place::new();
    let dated = |id, text, date: &str| {
        let mut row = note(id, "P1", text);
        row["note_date"] = json!(date);
        row
    };
    place.write_lines(
        "notes.jsonl",
        &[dated(1, "Fine.", "2019-03-04T10:22:00"), dated(2, "Well.", "2019-03-06T08:00:00")],
    );
    place.write_lines("patients.jsonl", &[json!({"patient_id": "P1"})]);
    let columns = ["--columns", "date=note_date"];
    place.run("notes.jsonl", &[&["--patients", "patients.jsonl"], &columns[..]].concat());
    let verify = [&VERIFY[..], &columns].concat();
    place.succeed(&verify);
    plant(&place, |rows| {
        let date = rows[1]["note_date"].as_str().unwrap();
        rows[1]["note_date"] = json!(date.replace("T08", "T09"));
    });
    assert_eq!(count(&found_by(&place, &verify), "time-of-date-changed"), 1);
}

#[test]
fn a_name_whose_letters_are_written_out_is_found() {
    let place = Place::new();
    let text = r"Inés Muñoz came. In\'e9s Mu\'f1oz came. In=C3=A9s Mu=C3=B1oz came. In&eacute;s Mu&ntilde;oz came.";
    place.write_lines("notes.jsonl", &[note(1, "P1", text)]);
    place.write_lines("patients.jsonl", &[json!({"patient_id": "P1", "given_name": "Inés", "family_name": "Muñoz"})]);
    place.run("notes.jsonl", &["--patients", "patients.jsonl"]);
    place.succeed(&VERIFY);
    plant(&place, |rows| rows[0]["text"] = json!(text));
    assert_eq!(count(&found(&place), "name-of-record"), 4);
}

#[test]
fn damage_is_found_by_its_kind() {
    type Change = fn(&mut Vec<Value>);
    let cases: [(Change, &str); 6] = [
        (|rows| rows[1]["note_id"] = json!("somebody else's"), "identifier-inconsistent"),
        (|rows| drop(rows.pop()), "part-damaged"),
        (|rows| rows[0]["patient_id"] = json!("P1"), "identifier-kept"),
        (|rows| rows[1]["patient_id"] = rows[2]["patient_id"].clone(), "identifier-inconsistent"),
        (|rows| rows[2]["text"] = json!(null), "null-changed"),
        (
            |rows| {
                rows[2]["text"] = json!("Lungs are clear. Follow-up in two weeks. Nobody has written this sentence.")
            },
            "inserted",
        ),
    ];
    for (change, kind) in cases {
        let place = Place::new();
        released(&place);
        plant(&place, change);
        let found = found(&place);
        assert!(count(&found, kind) > 0, "no {kind} in {found:?}");
    }
    // Files that are not those of the manifest, one too many, and notes that came later.
    let place = Place::new();
    released(&place);
    for extra in ["out/part-000001.jsonl", "out/.old.jsonl", "out/_plainsight/extra.jsonl", "out/_plainsight/.old"] {
        std::fs::write(place.path(extra), "{}\n").unwrap();
        assert!(count(&found(&place), "part-unknown") > 0, "{extra}");
        std::fs::remove_file(place.path(extra)).unwrap();
    }
    let part = place.path("out/part-000000.jsonl");
    let content = std::fs::read_to_string(&part).unwrap();
    std::fs::write(&part, content.replace("clear", "noisy")).unwrap();
    assert!(count(&found(&place), "part-damaged") > 0);
    place.write_lines("notes.jsonl", &[note(1, "P1", "Another note.")]);
    assert!(count(&found(&place), "not-covered") > 0);
    std::fs::remove_file(place.path("out/_SUCCESS")).unwrap();
    assert!(place.fail(2, &VERIFY).contains("not declared whole"));
    std::fs::remove_file(place.path("out/_plainsight/manifest.json")).unwrap();
    place.fail(2, &VERIFY);
}

#[test]
fn texts_that_have_changed_places_are_found() {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "60", "--out", "wh", "--seed", "8"]);
    place.succeed(&["sql", "-c", "COPY (SELECT note_id, patient_id, text FROM 'wh/notes/') TO 'notes.jsonl'"]);
    place.run("notes.jsonl", &[]);
    plant(&place, |rows| {
        for pair in rows.chunks_exact_mut(2) {
            let text = pair[0]["text"].clone();
            pair[0]["text"] = pair[1]["text"].clone();
            pair[1]["text"] = text;
        }
    });
    let verify: Vec<_> = VERIFY.into_iter().filter(|word| !word.contains("patients")).collect();
    let found = found_by(&place, &verify);
    assert!(count(&found, "other-text") >= 57, "{found:?}");
}
