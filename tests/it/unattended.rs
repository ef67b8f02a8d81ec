//! Runs that nobody watches: interrupted, repeated, started twice, on nothing, and what is told of them.

use std::collections::BTreeMap;
use std::fs::DirEntry;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{self, Place, files_below, note};

/// Notes in a Hive tree of many files, so that there are many parts, and their patients.
fn tree(place: &Place) {
    place.succeed(&["generate", "--notes", "800", "--patients", "40", "--out", "wh", "--seed", "23"]);
    let query = "COPY (SELECT * FROM 'wh/notes/') TO 'tree/' STORED AS PARQUET PARTITIONED BY (note_type)";
    place.succeed(&["sql", "-c", query]);
    assert!(files_below(&place.path("tree")).len() > 20);
}

/// Every file of an output by its path, but the report, which tells the time.
fn contents(place: &Place, out: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let root = place.path(out);
    let files = files_below(&root).into_iter().filter(|file| !file.ends_with("run.json"));
    files.map(|file| (file.strip_prefix(&root).unwrap().to_owned(), std::fs::read(&file).unwrap())).collect()
}

const RUN: [&str; 9] =
    ["run", "--notes", "tree", "--patients", "wh/patients", "--key-file", "key", "--partitions", "1"];

fn run_to<'a>(out: &'a str, further: &[&'a str]) -> Vec<&'a str> {
    [&RUN[..], &["--out", out], further].concat()
}

/// Starts a run and ends it with a signal when it has finished some parts.
fn interrupt(place: &Place, arguments: &[&str], signal: i32) -> Child {
    let mut run = place.start(arguments);
    let (records, begun) = (place.path("out/_plainsight/parts"), Instant::now());
    // A record that is being written has another name, and is none yet.
    let is_record = |entry: &DirEntry| entry.path().extension().is_some_and(|extension| extension == "json");
    while std::fs::read_dir(&records).map_or(0, |entries| entries.flatten().filter(is_record).count()) < 3 {
        let is_alive = run.try_wait().unwrap().is_none();
        assert!(begun.elapsed() < Duration::from_secs(600) && is_alive, "no part was recorded");
        // Who only looks all the time is the last to be given time when the machine is busy.
        std::thread::sleep(Duration::from_millis(1));
    }
    support::signal(&run, signal);
    run
}

fn state(place: &Place, out: &str) -> serde_json::Value {
    let status: serde_json::Value = serde_json::from_str(&place.succeed(&["status", out, "--json"])).unwrap();
    status["state"].clone()
}

#[test]
fn a_run_that_was_killed_goes_on_and_writes_the_same_bytes() {
    let place = Place::new();
    tree(&place);
    place.succeed(&run_to("clean", &[]));
    let clean = contents(&place, "clean");
    for (signal, keep_work) in [(libc::SIGKILL, true), (libc::SIGKILL, false), (libc::SIGTERM, true)] {
        let mut killed = interrupt(&place, &run_to("out", &[]), signal);
        let asked = Instant::now();
        let code = killed.wait().unwrap().code();
        assert_eq!(code, (signal == libc::SIGTERM).then_some(143));
        // Ten seconds are promised, and a busy machine is given some more.
        assert!(asked.elapsed() < Duration::from_secs(30), "it took {} s to end", asked.elapsed().as_secs());
        assert!(!place.path("out/_SUCCESS").exists() && !place.path("out/_plainsight/manifest.json").exists());
        assert_eq!(state(&place, "out"), "interrupted");
        if !keep_work {
            std::fs::remove_dir_all(place.path("out.work")).unwrap();
        }
        place.succeed(&run_to("out", &[]));
        let report = place.report();
        assert!(report["parts_kept"].as_u64().unwrap() >= 3);
        let stages_kept = report["stages"].as_array().unwrap().iter().filter(|stage| stage["is_kept"] == true).count();
        assert_eq!(stages_kept > 0, keep_work);
        assert_eq!(report["notes_written"], 800);
        assert!(contents(&place, "out") == clean, "signal {signal}: other bytes than an uninterrupted run");
        assert_eq!(state(&place, "out"), "whole");
        assert!(!place.path("out.work").exists());
        // Who waits for the mark is told, and gets it.
        std::fs::remove_file(place.path("out/_SUCCESS")).unwrap();
        assert_eq!(state(&place, "out"), "interrupted");
        place.succeed(&run_to("out", &[]));
        assert_eq!(state(&place, "out"), "whole");
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
}

/// Detection without the funnel computes for a minute without a pause; the only worker has no time for signals.
#[test]
fn a_signal_ends_a_run_whose_workers_are_busy() {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "600", "--patients", "12", "--out", "wh"]);
    let arguments = ["run", "--notes", "wh/notes", "--out", "out", "--key-file", "key", "--no-dedupe"];
    let mut command = place.command(&[&arguments[..], &["--ensemble", "shipped"]].concat());
    let mut run = command.env("TOKIO_WORKER_THREADS", "1").stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(run.stderr.take().unwrap()).lines();
    let is_busy = |line: String| line.contains("second pass") && line.contains("running");
    assert!(said.any(|line| is_busy(line.unwrap())), "it ended before it was asked to");
    let asked = Instant::now();
    support::signal(&run, libc::SIGTERM);
    assert_eq!(run.wait().unwrap().code(), Some(143));
    assert!(asked.elapsed() < Duration::from_secs(30), "it took {} s to end", asked.elapsed().as_secs());
    assert_ne!(state(&place, "out"), "whole");
    place.succeed(&["clean", "out"]);
    assert!(!place.path("out.work").exists());
}

#[test]
fn what_was_finished_for_other_notes_or_settings_is_not_kept() {
    let place = Place::new();
    tree(&place);
    interrupt(&place, &run_to("out", &[]), libc::SIGKILL).wait().unwrap();
    place.succeed(&run_to("out", &["--replace", "redact"]));
    assert_eq!(place.report()["parts_kept"], 0);
    let stages = place.report()["stages"].as_array().unwrap().iter().filter(|stage| stage["is_kept"] == true).count();
    assert!(stages >= 4, "what is found does not depend on what stands in its place");
    place.succeed(&run_to("clean", &["--replace", "redact"]));
    assert!(contents(&place, "out") == contents(&place, "clean"));

    interrupt(&place, &run_to("out", &["--overwrite"]), libc::SIGKILL).wait().unwrap();
    let first = files_below(&place.path("tree")).remove(0);
    std::fs::copy(&first, first.with_file_name("more.parquet")).unwrap();
    place.succeed(&run_to("out", &[]));
    assert_eq!(place.report()["parts_kept"], 0);
    place.succeed(&run_to("clean", &["--overwrite"]));
    assert!(contents(&place, "out") == contents(&place, "clean"));
}

#[test]
fn an_incremental_run_that_was_killed_goes_on() {
    let place = Place::new();
    tree(&place);
    let all = files_below(&place.path("tree"));
    std::fs::create_dir(place.path("later")).unwrap();
    let moved: Vec<_> = all
        .iter()
        .step_by(4)
        .map(|file| (file, place.path("later").join(file.parent().unwrap().file_name().unwrap())))
        .collect();
    moved.iter().for_each(|(file, aside)| std::fs::rename(file, aside).unwrap());
    let incremental = run_to("out", &["--incremental", "--cache", "cache"]);
    place.succeed(&incremental);
    moved.iter().for_each(|(file, aside)| std::fs::rename(aside, file).unwrap());
    interrupt(&place, &incremental, libc::SIGKILL).wait().unwrap();
    assert!(!place.path("out/_SUCCESS").exists());
    let message = place.fail(2, &run_to("out", &[]));
    assert!(message.contains("--incremental to go on"), "{message}");
    place.succeed(&incremental);
    assert!(place.report()["parts_kept"].as_u64().unwrap() >= 3 && place.report()["growth"]["incremental"] == true);
    place.succeed(&run_to("clean", &[]));
    let rows = |out: &str| {
        let mut rows: Vec<_> = place.values(out, "note_id").into_iter().zip(place.values(out, "text")).collect();
        rows.sort();
        rows
    };
    assert!(rows("out") == rows("clean"));
    place.succeed(&["status", "out"]);
}

#[test]
fn the_same_run_again_does_nothing_and_says_so() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1", "Seen by Dr. Quillfeather."), note(2, "P2", "No complaints.")]);
    place.run("notes.jsonl", &[]);
    let before = contents(&place, "out");
    let arguments = ["run", "--notes", "notes.jsonl", "--out", "out", "--key-file", "key"];
    let again = place.plainsight(&arguments);
    assert!(again.status.success() && again.stdout.is_empty());
    assert!(String::from_utf8_lossy(&again.stderr).contains("nothing to do"));
    place.fail(3, &[&arguments[..], &["--fail-if-empty"]].concat());
    assert!(contents(&place, "out") == before);

    // A run that ended between its last steps is finished.
    std::fs::remove_file(place.path("out/_SUCCESS")).unwrap();
    place.succeed(&arguments);
    assert!(contents(&place, "out") == before);

    // So is one that was killed before it could remove its work; what another job has left in the same place is not touched.
    let kept = ["--work", "out.work"];
    place.run("notes.jsonl", &[&["--overwrite"], &kept[..]].concat());
    let before = contents(&place, "out");
    place.succeed(&[&arguments[..], &kept].concat());
    std::fs::rename(place.path("out.work"), place.path("kept")).unwrap();
    place.write_lines("others.jsonl", &[note(1, "P1", "Seen by Dr. Thistlewood.")]);
    let others = ["run", "--notes", "others.jsonl", "--out", "theirs", "--key-file", "key"];
    place.succeed(&[&others[..], &kept].concat());
    place.succeed(&arguments);
    assert!(place.path("out.work").exists());
    std::fs::remove_dir_all(place.path("out.work")).unwrap();
    std::fs::rename(place.path("kept"), place.path("out.work")).unwrap();
    place.succeed(&arguments);
    assert!(!place.path("out.work").exists());
    assert!(contents(&place, "out") == before);

    let message = place.fail(2, &[&arguments[..], &["--policy", "A"]].concat());
    assert!(message.contains("--overwrite"), "{message}");
    place.write_lines("notes.jsonl", &[note(1, "P1", "Seen by Dr. Quillfeather again.")]);
    place.fail(2, &arguments);
    assert!(contents(&place, "out") == before);
    place.run("notes.jsonl", &["--overwrite"]);
    assert_eq!(place.report()["notes_written"], 1);
}

#[test]
fn an_output_that_has_lost_a_part_is_damaged_and_can_be_mended() {
    let place = Place::new();
    tree(&place);
    let incremental = run_to("out", &["--incremental", "--cache", "cache"]);
    place.succeed(&incremental);
    let whole = contents(&place, "out");
    let is_part = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "parquet");
    let part = files_below(&place.path("out")).into_iter().find(is_part).unwrap();
    for overwrite in [false, true] {
        std::fs::remove_file(&part).unwrap();
        assert_eq!(state(&place, "out"), "damaged");
        let message = place.fail(2, &run_to("out", &[]));
        assert!(message.contains("1 of ") && message.contains("--overwrite"), "{message}");
        match overwrite {
            true => place.succeed(&run_to("out", &["--overwrite"])),
            false => place.succeed(&incremental),
        };
        assert_eq!(state(&place, "out"), "whole");
        assert!(contents(&place, "out").contains_key(part.strip_prefix(place.path("out")).unwrap()));
    }
    assert_eq!(contents(&place, "out").len(), whole.len());

    let manifest = place.path("out/_plainsight/manifest.json");
    let content = std::fs::read(&manifest).unwrap();
    std::fs::write(&manifest, &content[..content.len() / 2]).unwrap();
    assert_eq!(state(&place, "out"), "damaged");
    std::fs::remove_file(&manifest).unwrap();
    assert_eq!(state(&place, "out"), "damaged");
    place.fail(2, &run_to("out", &[]));
    let parts = || files_below(&place.path("out")).into_iter().filter(is_part).collect::<Vec<_>>();
    let left = parts();
    place.succeed(&["clean", "out"]);
    assert_eq!(parts(), left);
    place.succeed(&run_to("out", &["--overwrite"]));
    assert_eq!(state(&place, "out"), "whole");
}

#[test]
fn no_notes_are_nothing_to_do_and_no_place_is_a_mistake() {
    let place = Place::new();
    std::fs::create_dir(place.path("empty")).unwrap();
    let arguments = |notes: &'static str| ["run", "--notes", notes, "--out", "out", "--key-file", "key"];
    std::fs::create_dir(place.path("quiet")).unwrap();
    std::fs::write(place.path("quiet/a.jsonl"), "").unwrap();
    std::fs::write(place.path("quiet/b.jsonl"), "\n \n").unwrap();
    for nothing in ["empty", "quiet"] {
        place.succeed(&arguments(nothing));
        place.fail(3, &[&arguments(nothing)[..], &["--fail-if-empty"]].concat());
    }
    place.fail(1, &arguments("nowhere"));
    place.fail(3, &[&arguments("nowhere")[..], &["--fail-if-empty"]].concat());
    assert!(!place.path("out").exists());
    // A table without a row is one, and its output says so; to whoever asks it is nothing to do.
    place.write_lines("rows.jsonl", &[note(1, "P1", "Seen today.")]);
    let none = "COPY (SELECT * FROM 'rows.jsonl' WHERE note_id = 'none') TO 'table/a.parquet'";
    std::fs::create_dir(place.path("table")).unwrap();
    place.succeed(&["sql", "-c", none]);
    place.fail(3, &[&arguments("table")[..], &["--fail-if-empty"]].concat());
    assert_eq!(state(&place, "out"), "whole");
}

#[test]
fn a_second_writer_is_refused_while_the_first_lives() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1", "No complaints.")]);
    std::fs::create_dir_all(place.path("out/_plainsight")).unwrap();
    let lease = std::fs::File::create(place.path("out/_plainsight/writer.json")).unwrap();
    lease.lock().unwrap();
    assert_eq!(state(&place, "out"), "running");
    let arguments = ["run", "--notes", "notes.jsonl", "--out", "out", "--key-file", "key"];
    let message = place.fail(75, &arguments);
    assert!(message.contains("is being written"), "{message}");
    place.fail(75, &["clean", "out"]);
    // Not by closing it: a process that another test is about to start may have it open for a moment.
    lease.unlock().unwrap();
    place.succeed(&arguments);
    assert!(!place.path("out/_plainsight/writer.json").exists());
}

#[test]
fn a_synthetic_warehouse_is_no_output_of_a_run() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1", "No complaints.")]);
    place.succeed(&["generate", "--notes", "10", "--out", "wh"]);
    let before = contents(&place, "wh");
    assert_eq!(state(&place, "wh"), "foreign");
    place.fail(2, &["clean", "wh"]);
    assert!(contents(&place, "wh") == before);
    place.fail(2, &["run", "--notes", "notes.jsonl", "--out", "wh", "--key-file", "key", "--overwrite"]);
    assert!(contents(&place, "wh") == before);
    place.succeed(&["generate", "--notes", "5", "--out", "wh", "--overwrite"]);
}

#[test]
fn what_dead_runs_leave_can_be_removed_and_nothing_else() {
    let place = Place::new();
    tree(&place);
    assert_eq!(state(&place, "out"), "vacant");
    interrupt(&place, &run_to("out", &[]), libc::SIGKILL).wait().unwrap();
    // Before anything is written there, the work location is all that is left, and it holds sentences.
    std::fs::remove_dir_all(place.path("out")).unwrap();
    assert_eq!(state(&place, "out"), "interrupted");
    assert!(place.succeed(&["status", "out"]).contains("out.work"));
    place.succeed(&["clean", "out"]);
    assert!(!place.path("out").exists() && !place.path("out.work").exists());
    assert_eq!(state(&place, "out"), "vacant");

    place.succeed(&run_to("out", &[]));
    let whole = contents(&place, "out");
    std::fs::write(place.path("out/part-999999.parquet"), "left").unwrap();
    place.succeed(&["clean", "out"]);
    assert!(contents(&place, "out") == whole);

    std::fs::create_dir(place.path("mine")).unwrap();
    std::fs::write(place.path("mine/letter.txt"), "dear").unwrap();
    assert_eq!(state(&place, "mine"), "foreign");
    place.fail(2, &["clean", "mine"]);
    place.fail(2, &["clean", "out", "--work", "mine"]);
    assert!(place.path("mine/letter.txt").exists());
}

/// A manifest that names a file which is not there is none, and nothing is built from it.
#[test]
fn what_an_image_is_built_from_has_every_target() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = Place::new();
    let copy = |file: &std::path::Path| {
        let copied = place.path("image").join(file.strip_prefix(root).unwrap());
        std::fs::create_dir_all(copied.parent().unwrap()).unwrap();
        std::fs::copy(file, copied).unwrap();
    };
    let ignored = std::fs::read_to_string(root.join(".containerignore")).unwrap();
    for passed in ignored.lines().filter_map(|line| line.strip_prefix('!')) {
        let (folder, is_wanted): (_, fn(&std::path::Path) -> bool) = match passed.strip_suffix("/*.rs") {
            Some(folder) => (folder, |file| file.extension().is_some_and(|ending| ending == "rs")),
            None => (passed, |_| true),
        };
        let there = root.join(folder);
        if there.is_file() {
            copy(&there);
            continue;
        }
        // Of a folder the files that targets begin with are enough.
        let files = std::fs::read_dir(there).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|file| file.is_file() && is_wanted(file)).for_each(|file| copy(&file));
    }
    // Without the engine the program is not to be had, which is told once the manifest has been read.
    let build = ["build", "--locked", "--offline", "--no-default-features", "--bin", "plainsight"];
    let mut cargo = std::process::Command::new(env!("CARGO"));
    let told = cargo.args(build).current_dir(place.path("image")).output().unwrap();
    let told = String::from_utf8_lossy(&told.stderr);
    assert!(told.contains("requires the features"), "{told}");
}
