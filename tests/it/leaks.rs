//! No id, date or partition value of the input is anywhere in the output tree: not in a value, a file name, or metadata.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, TimestampMicrosecondArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;

use crate::support::{Place, files_below, program, read_parquet, strings};

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
    let output = program()
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

/// Every command, at its most talkative, over notes whose names and numbers are like nothing else: none of them comes out of any.
#[test]
fn no_command_tells_a_canary() {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "400", "--patients", "12", "--out", "wh", "--canary"]);
    // A line that is no JSON, and one whose text is none: what is refused is told by its place.
    let canaries: Vec<String> = ["given_name", "family_name", "mrn", "health_plan_id", "patient_id"]
        .iter()
        .flat_map(|column| place.values("wh/patients", column))
        .chain(place.values("wh/notes", "note_id"))
        .collect();
    assert!(canaries.len() > 400 && canaries.iter().all(|canary| canary.len() >= 8));
    let lines = format!("{{\"note_id\": \"1\", {}\n{{\"note_id\": \"2\", \"text\": 7}}\n", canaries[0]);
    std::fs::create_dir(place.path("broken")).unwrap();
    std::fs::write(place.path("broken/a.jsonl"), lines).unwrap();
    std::fs::write(place.path("broken.parquet"), format!("PAR1 {} PAR1", canaries[0])).unwrap();
    let (notes, work) = (["--notes", "wh/notes"], ["--work", "work", "--metrics", "metrics.prom"]);
    let run = [&["run", "--out", "out", "--patients", "wh/patients"], &notes[..], &work[..]].concat();
    let cast = format!("SELECT CAST(text AS BIGINT) FROM 'wh/notes/' WHERE text LIKE '%{}%'", "Zq");
    let commands: Vec<Vec<&str>> = vec![
        run.clone(),
        run,
        vec!["run", "--out", "o1", "--notes", "broken"],
        vec!["run", "--out", "o2", "--notes", "broken.parquet"],
        vec!["run", "--out", "wh", "--notes", "wh/notes", "--overwrite"],
        vec!["run", "--out", "o3", "--notes", "wh/notes", "--patients", "broken"],
        vec!["detect", "--notes", "wh/notes", "--out", "spans.parquet", "--metrics", "detect.prom"],
        vec!["count", "--notes", "wh/notes"],
        vec!["templates", "harvest", "--notes", "wh/notes", "--patients-at-least", "2", "--out", "harvested.toml"],
        vec!["verify", "--notes", "wh/notes", "--out", "out", "--patients", "wh/patients"],
        vec!["verify", "--notes", "wh/notes", "--out", "out", "--patients", "broken"],
        vec!["status", "out"],
        vec!["clean", "out"],
        vec!["sql", "-c", &cast],
    ];
    for command in commands {
        let output = place
            .command(&[&["--log-format", "json"], &command[..]].concat())
            .env("PLAINSIGHT_KEY", crate::support::KEY)
            .env("PLAINSIGHT_LOG", "trace")
            .env("RUST_BACKTRACE", "1")
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!told.contains("a fault in plainsight"), "{command:?}: {told}");
        let canary = canaries.iter().position(|canary| told.contains(canary.as_str()));
        assert!(canary.is_none(), "{command:?} tells canary {}", canary.unwrap_or_default());
    }
    for file in files_below(&place.path("")) {
        let name = file.to_string_lossy().into_owned();
        assert!(!canaries.iter().any(|canary| name.contains(canary.as_str())), "a file name tells a canary");
    }
    for metrics in ["metrics.prom", "detect.prom"] {
        let text = std::fs::read_to_string(place.path(metrics)).unwrap();
        assert!(text.contains("plainsight_") && !canaries.iter().any(|canary| text.contains(canary.as_str())));
    }
}
