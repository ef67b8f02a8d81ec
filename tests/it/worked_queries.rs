//! The queries of `sql/queries`: that they run as they say, and that those which look for leaks find them.

use std::os::unix::fs::symlink;
use std::path::Path;

use crate::support::{Place, files_below};

/// Each worked query runs by the command in its head, on the sample that comes with the source, and gives rows.
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

/// A policy that lets names stand leaves every one of them to be found, and a check that finds none where they stand is worth nothing.
#[test]
fn what_is_left_of_records_is_found() {
    let (place, source) = (Place::new(), Path::new(env!("CARGO_MANIFEST_DIR")));
    for folder in ["examples", "sql"] {
        symlink(source.join(folder), place.path(folder)).unwrap();
    }
    std::fs::write(place.path("kept.toml"), "base = \"A\"\nkeep = [\"PATIENT\"]\n").unwrap();
    let run = [
        "run",
        "--notes",
        "examples/warehouse/notes",
        "--patients",
        "examples/warehouse/patients",
        "--key-file",
        "key",
        "--ensemble",
        "knowledge",
        "--policy",
        "kept.toml",
        "--out",
        "deidentified",
    ];
    place.succeed(&run);
    let ask = ["sql", "--key-file", "key", "--format", "csv", "-f", "sql/queries/records_left.sql"];
    let rows = place.succeed(&ask);
    let left = |field: &str| -> u64 {
        let row = rows.lines().find(|row| row.starts_with(&format!("{field},"))).unwrap_or_else(|| panic!("{rows}"));
        row.split(',').nth(2).unwrap().parse().unwrap()
    };
    assert!(left("family_name") > 0 && left("kin") > 0, "{rows}");
    assert_eq!(left("ssn"), 0, "{rows}");
    // The ids of a cohort are those of the release.
    place.succeed(&[
        "sql",
        "--key-file",
        "key",
        "--notes",
        "examples/warehouse/notes",
        "--patients",
        "examples/warehouse/patients",
        "--ensemble",
        "knowledge",
        "-f",
        "sql/queries/cohort.sql",
    ]);
    let same = "SELECT count(*) AS rows FROM 'cohort.parquet' AS cohort JOIN 'deidentified/' AS released \
                ON cohort.note_id = released.note_id AND cohort.patient_id = released.patient_id";
    let all = "SELECT count(*) AS rows FROM 'cohort.parquet'";
    let count = |statement: &str| place.succeed(&["sql", "--format", "csv", "-c", statement]);
    assert_eq!(count(same), count(all));
    assert_ne!(count(all), "rows\n0\n");
}
