//! Folders of text files, one note each: some of them are read and written together, and each is still told by itself.

use std::collections::BTreeMap;

use super::support::{Place, files_below};

const FILES: usize = 300;

/// Notes of two sites; one of them is not UTF-8.
fn folder() -> Place {
    let place = Place::new();
    for note in 0..FILES {
        write(&place, note, &format!("Seen by Dr. Zorvalquist on 03/{:02}/2019. Note {note}.\n", note % 28 + 1));
    }
    std::fs::write(place.path("tree/site=a/note 006.txt"), b"Seen by Dr. \xff\n").unwrap();
    place
}

fn write(place: &Place, note: usize, text: &str) {
    let site = if note.is_multiple_of(3) { "a" } else { "b" };
    let file = place.path(&format!("tree/site={site}/note {note:03}.txt"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

fn run<'a>(out: &'a str, further: &[&'a str]) -> Vec<&'a str> {
    let run = ["run", "--notes", "tree", "--out", out, "--key-file", "key", "--keep-columns", "note_id,site"];
    [&run[..], further].concat()
}

/// The texts by note.
fn texts(place: &Place, out: &str) -> BTreeMap<String, String> {
    let parts = files_below(&place.path(out)).into_iter().filter(|file| file.extension().is_some_and(|e| e == "jsonl"));
    let lines =
        parts.flat_map(|part| std::fs::read_to_string(part).unwrap().lines().map(str::to_owned).collect::<Vec<_>>());
    let of_line = |line: String| {
        let line: serde_json::Value = serde_json::from_str(&line).unwrap();
        (line["note_id"].as_str().unwrap().to_owned(), line["text"].as_str().unwrap().to_owned())
    };
    lines.map(of_line).collect()
}

#[test]
fn every_file_is_a_note_and_a_bad_one_is_told_by_its_name() {
    let place = folder();
    place.succeed(&run("out", &["--work", "work"]));
    let texts = texts(&place, "out");
    assert_eq!(texts.len(), FILES - 1);
    assert!(!texts.contains_key("site=a/note 006"));
    assert!(texts["site=b/note 007"].ends_with(". Note 7.\n") && !texts["site=b/note 007"].contains("Zorvalquist"));
    assert!(files_below(&place.path("out/site=a")).len() < FILES / 3);
    let refused = files_below(&place.path("work")).into_iter().find(|file| file.ends_with("quarantine.jsonl")).unwrap();
    let refused: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(refused).unwrap()).unwrap();
    assert!(refused["file"].as_str().unwrap().ends_with("note 006.txt") && refused["row"] == 0, "{refused}");
    let verify = run("out", &[]);
    place.succeed(&[&["verify"], &verify[1..]].concat());
}

/// A folder a patient, with files of the same names, is common; their notes are several, of several patients.
#[test]
fn files_of_one_name_in_several_folders_are_several_notes() {
    let place = Place::new();
    for (folder, name) in [("PT001", "Dr. Kowalski"), ("PT002", "Dr. Nowak")] {
        std::fs::create_dir_all(place.path(&format!("tree/{folder}"))).unwrap();
        std::fs::write(place.path(&format!("tree/{folder}/discharge.txt")), format!("Seen by {name}.\n")).unwrap();
    }
    place.succeed(&["run", "--notes", "tree", "--out", "out", "--key-file", "key", "--keep-columns", "note_id"]);
    let names: Vec<_> = texts(&place, "out").into_keys().collect();
    assert_eq!(names, ["PT001/discharge", "PT002/discharge"]);
}

#[test]
fn tasks_and_incremental_runs_write_what_one_run_writes() {
    let place = folder();
    place.succeed(&run("out", &[]));
    let alone = texts(&place, "out");
    std::thread::scope(|scope| {
        for task in ["1/3", "2/3", "3/3"] {
            let place = &place;
            let work = ["work-1", "work-2", "work-3"][task.as_bytes()[0] as usize - b'1' as usize];
            scope.spawn(move || {
                place.succeed(&run("shared", &["--task", task, "--exchange", "exchange", "--work", work]));
            });
        }
    });
    assert!(texts(&place, "shared") == alone);

    place.succeed(&run("grown", &["--incremental", "--cache", "cache"]));
    write(&place, 12, "Seen by Dr. Quillfeather. Note 12, changed.\n");
    write(&place, FILES, "Seen by Dr. Quillfeather. Another note.\n");
    std::fs::remove_file(place.path("tree/site=b/note 100.txt")).unwrap();
    place.succeed(&run("grown", &["--incremental", "--cache", "cache"]));
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(place.path("grown/_plainsight/run.json")).unwrap()).unwrap();
    assert!(report["growth"]["kept"].as_u64().unwrap() > 10, "{}", report["growth"]);
    place.succeed(&run("anew", &[]));
    let (grown, anew) = (texts(&place, "grown"), texts(&place, "anew"));
    assert!(grown == anew && grown.len() == FILES - 1 && grown["site=a/note 012"].ends_with("changed.\n"));
}

/// Spans of a unit wait at the work location for those before it.
#[test]
fn spans_are_the_same_with_any_number_of_workers_and_nothing_of_them_stays() {
    let place = folder();
    for (out, workers) in [("one.jsonl", "1"), ("many.jsonl", "7")] {
        let detect = ["detect", "--notes", "tree", "--out", out, "--key-file", "key", "--keep-columns", "note_id,site"];
        place.succeed(&[&detect[..], &["--partitions", workers, "--work", "work"]].concat());
        assert!(files_below(&place.path("work")).iter().all(|file| file.extension().is_none_or(|e| e != "arrow")));
    }
    let read = |out: &str| std::fs::read_to_string(place.path(out)).unwrap();
    assert!(read("one.jsonl") == read("many.jsonl") && read("one.jsonl").lines().count() >= 2 * (FILES - 1));
}
