//! The command line itself: help, keys, exit codes.

#[cfg(unix)]
use crate::support::signal;
use crate::support::{Place, program};

/// Help is part of what users rely on: a change shows in the snapshot.
#[test]
fn help_texts() {
    let place = Place::new();
    let mut all = place.succeed(&["--help"]);
    let below = ["cluster scheduler", "cluster executor"];
    for command in ["run", "detect", "evaluate", "sql", "serve", "access", "generate", "key"].iter().chain(&below) {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        all.push_str(&format!("\n━━ plainsight {command} --help\n{}", place.succeed(&words)));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn keys() {
    let place = Place::new();
    let id = place.succeed(&["key", "new", "fresh"]);
    assert_eq!(id, place.succeed(&["key", "check", "fresh"]));
    assert_ne!(id, place.succeed(&["key", "check", "key"]));
    assert!(place.fail(1, &["key", "new", "fresh"]).contains("fresh"));
    std::fs::write(place.path("bad"), "zz".repeat(32)).unwrap();
    let message = place.fail(2, &["key", "check", "bad"]);
    assert!(!message.contains("zz"), "{message}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(place.path("fresh")).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn usage_mistakes_exit_with_2() {
    let place = Place::new();
    for arguments in
        [&["run"][..], &["nonsense"], &["detect", "--notes", "x", "--out", "y.csv", "--key-file", "key"], &["sql"]]
    {
        place.fail(2, arguments);
    }
    let learned = ["detect", "--notes", "x", "--out", "y.parquet", "--detectors", "learned", "--key-file", "key"];
    assert!(place.fail(2, &learned).contains("--ensemble knowledge has no trained members"));
}

/// A run that is asked to stop ends soon, says so, and leaves nothing that looks whole; what it leaves for the next try can be removed.
#[cfg(unix)]
#[test]
fn a_signal_leaves_nothing_that_looks_whole() {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "40000", "--out", "wh"]);
    let mut run = program()
        .current_dir(place.path(""))
        .args(["run", "--ensemble", "knowledge", "--notes", "wh/notes", "--out", "out", "--key-file", "key"])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // Once in the midst of writing the output, which is the worst moment.
    while !place.path("out.work/second pass.done").exists() {
        assert!(run.try_wait().unwrap().is_none(), "the run ended before it wrote anything");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    signal(&run, libc::SIGTERM);
    assert_eq!(run.wait().unwrap().code(), Some(143));
    assert!(!place.path("out").exists(), "no part was finished, and something is left");
    let mode =
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(place.path("out.work")).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o700);
    place.succeed(&["clean", "out"]);
    assert!(!place.path("out.work").exists());
}

/// Whoever is given the released notes would be given it, too.
#[test]
fn nothing_confidential_is_put_among_released_notes() {
    let place = Place::new();
    place.write_lines("notes/a.jsonl", &[crate::support::note(1, "P1", "Dr. Zorvalquist came.")]);
    place.run("notes", &[]);
    place.succeed(&[
        "inclusion",
        "build",
        "--notes",
        "notes",
        "--key-file",
        "key",
        "--out",
        "list.csv",
        "--patients-at-least",
        "1",
    ]);
    for command in [
        &["key", "new", "out/other.key"][..],
        &["access", "token", "reader", "--role", "deidentified", "--users", "out/users.toml"],
        &["inclusion", "merge", "list.csv", "--out", "out/list.csv"],
    ] {
        let message = place.fail(2, command);
        assert!(message.contains("has released"), "{command:?}: {message}");
    }
    assert!(place.fail(1, &["key", "new", "key"]).contains("never written over"));
}

#[test]
fn detect_takes_the_place_of_spans_alone() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[crate::support::note(1, "P1", "Dr. Zorvalquist came.")]);
    let detect = ["detect", "--notes", "notes.jsonl", "--ensemble", "knowledge", "--overwrite", "--key-file"];
    std::fs::copy(place.path("key"), place.path("key.jsonl")).unwrap();
    place.write_lines("gold.jsonl", &[serde_json::json!({"note_id": "1", "start": 0, "end": 2, "label": "DOCTOR"})]);
    for (key, kept) in [("key", "gold.jsonl"), ("key.jsonl", "key.jsonl")] {
        let before = std::fs::read(place.path(kept)).unwrap();
        let message = place.fail(2, &[&detect[..], &[key, "--out", kept]].concat());
        assert!(message.contains("something else than spans"), "{message}");
        assert_eq!(std::fs::read(place.path(kept)).unwrap(), before);
    }
    for out in ["spans.jsonl", "spans.parquet"] {
        for _ in 0..2 {
            place.succeed(&[&detect[..], &["key", "--out", out]].concat());
        }
    }
}
