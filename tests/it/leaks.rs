//! No id, date or partition value of the input is anywhere in the output tree: not in a value, a file name, or metadata.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, TimestampMicrosecondArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;

use crate::support::{Place, files_below, read_parquet, strings};

/// Everything that can be read in an output tree: paths, raw bytes, and the values of Parquet columns.
fn everything(place: &Place) -> Vec<u8> {
    let mut all = Vec::new();
    for file in files_below(&place.path("out")) {
        all.extend_from_slice(file.strip_prefix(place.path("out")).unwrap().to_str().unwrap().as_bytes());
        all.extend(std::fs::read(&file).unwrap());
        if file.extension().is_some_and(|ending| ending == "parquet") {
            for batch in read_parquet(&file) {
                for column in batch.columns() {
                    let text = cast(column, &DataType::Utf8).unwrap();
                    text.as_string::<i32>().iter().flatten().for_each(|value| all.extend_from_slice(value.as_bytes()));
                    all.push(b'\n');
                }
            }
        }
    }
    all
}

fn assert_absent(all: &[u8], secrets: &[&str]) {
    for secret in secrets {
        assert!(!all.windows(secret.len()).any(|window| window == secret.as_bytes()), "`{secret}` is in the output");
    }
}

#[test]
fn ids_dates_and_partition_values() {
    let place = Place::new();
    let text = "Patient Name: WINTERBOURNE, ADA   MRN: 00917364   DOB: 11/23/1951\r\nSeen on 03/04/2019 and March 9, 2019. Call (507) 284-9911.\r\n";
    for (folder, note, patient, day) in [
        ("site=Northgate/visit_day=2019-03-04", "NT-550011", "PT-7781234", 1_551_700_800_000_000_i64),
        ("site=Lakeview%20East/visit_day=2019-03-09", "NT-550012", "PT-7785678", 1_552_132_800_000_000),
    ] {
        let times: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![day]));
        place.write_parquet(
            &format!("notes/{folder}/Winterbourne-2019-03-04.parquet"),
            vec![
                ("note_id", strings(&[note])),
                ("patient_id", strings(&[patient])),
                ("note_datetime", times),
                ("text", strings(&[text])),
            ],
        );
    }
    place.run("notes", &[]);
    let all = everything(&place);
    assert_absent(
        &all,
        &[
            "Northgate",
            "Lakeview",
            "2019-03-04",
            "2019-03-09",
            "NT-550011",
            "NT-550012",
            "PT-7781234",
            "PT-7785678",
            "03/04/2019",
            "March 9, 2019",
            "11/23/1951",
            "00917364",
            "284-9911",
            "WINTERBOURNE",
            "Winterbourne",
            "ADA ",
        ],
    );
    let folders: Vec<_> = files_below(&place.path("out"))
        .iter()
        .filter_map(|file| Some(file.strip_prefix(place.path("out")).ok()?.to_str()?.to_owned()))
        .collect();
    assert!(
        folders.iter().filter(|file| file.starts_with("site=") && file.contains("/visit_day=")).count() == 2,
        "{folders:?}"
    );
}

#[test]
fn the_ids_of_a_generated_warehouse() {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "800", "--patients", "50", "--out", "wh", "--canary"]);
    place.run("wh/notes", &["--patients", "wh/patients"]);
    let all = everything(&place);
    let text = String::from_utf8_lossy(&all);
    for column in ["note_id", "patient_id", "encounter_id"] {
        for id in place.values("wh/notes", column) {
            assert!(!text.contains(&id), "an id of column {column} is in the output");
        }
    }
    for column in ["mrn", "health_plan_id"] {
        for id in place.values("wh/patients", column) {
            assert!(!text.contains(&id), "an id of the patients' column {column} is in the output");
        }
    }
    let (before, after) = (place.values("wh/notes", "note_datetime"), place.values("out", "note_datetime"));
    assert!(before.iter().zip(&after).all(|(before, after)| before[..10] != after[..10]), "a date was not shifted");
}

#[test]
fn messages_and_logs_hold_no_note_text() {
    let place = Place::new();
    let lines = "{\"note_id\":\"N1\",\"patient_id\":\"P1\",\"text\":\"Zorvalquist came\"}\n{\"note_id\":\"N2\", Zorvalquist\n{\"note_id\":3,\"text\":\"Zorvalquist\"}\n";
    std::fs::write(place.path("notes.jsonl"), lines).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_plainsight"))
        .current_dir(place.path(""))
        .env("PLAINSIGHT_LOG", "trace")
        .env("PLAINSIGHT_ENSEMBLE", "shipped")
        .env("PLAINSIGHT_KEY", crate::support::KEY)
        .args(["--log-format", "json", "run", "--notes", "notes.jsonl", "--out", "out", "--work", "work"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let logs = [output.stderr, output.stdout, std::fs::read(place.path("work/quarantine.jsonl")).unwrap()].concat();
    assert!(String::from_utf8_lossy(&logs).contains("\"stage\":\"count\""));
    assert_absent(&logs, &["Zorvalquist", crate::support::KEY]);
    assert_absent(&everything(&place), &[crate::support::KEY]);
}
