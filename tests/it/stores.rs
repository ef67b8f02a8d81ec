//! Object stores: the same as local folders, thousands of objects, two writers at once, and wrong credentials.
//!
//! They run against a server of their own, or against any that `PLAINSIGHT_S3_ENDPOINT` names; `.ci/moto` does so with moto's.

use std::process::{Command, Output as Ended, Stdio};
use std::time::{Duration, Instant};

use super::faults::attempt::program;
use super::output::{Output, difference};
use super::s3::{Account, BUCKET, Server};
use super::support::{Place, note, signal};

/// The arguments of a run, each behind its name.
fn run(place: &Place, account: Option<&Account>, pairs: &[[&str; 2]]) -> Command {
    let arguments = [&["run", "--key-file", "key", "--ensemble", "knowledge"], pairs.as_flattened()].concat();
    program(place, account, &arguments)
}

fn succeed(command: &mut Command) {
    let ended = command.output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}

fn warehouse() -> Place {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "300", "--patients", "30", "--seed", "11", "--out", "wh"]);
    let copy = "COPY (SELECT * FROM 'wh/notes/') TO 'tree/' STORED AS PARQUET PARTITIONED BY (note_type)";
    place.succeed(&["sql", "-c", copy]);
    place
}

#[test]
fn a_bucket_is_as_good_as_a_folder() {
    let place = warehouse();
    let server = Server::given_or_started();
    let bucket = server.bucket(BUCKET);
    let (notes, patients) = (bucket.folder("notes"), bucket.folder("patients"));
    notes.upload(&place.path("tree"));
    patients.upload(&place.path("wh/patients"));
    let local = Output::Local(place.path("out"));
    let remote = Output::Remote(bucket.folder("out"));
    let work = ["--work", "work"];
    succeed(&mut run(&place, None, &[["--notes", "tree"], ["--patients", "wh/patients"], ["--out", "out"]]));
    let (from, of, to) = (notes.uri(), patients.uri(), remote.uri());
    let stores = [["--notes", &from], ["--patients", &of], ["--out", &to], work];
    succeed(&mut run(&place, Some(server.account()), &stores));
    for output in [&local, &remote] {
        output.check(300).unwrap();
    }
    assert_eq!(difference(&local.parts(), &remote.parts()), [""; 0]);
    assert_eq!(server.open_uploads().unwrap_or_default(), 0);

    // A second run has nothing to do, and says so where it is asked to.
    let before = remote.lasting();
    succeed(&mut run(&place, Some(server.account()), &stores));
    let again = run(&place, Some(server.account()), &stores).arg("--fail-if-empty").output().unwrap();
    assert_eq!(again.status.code(), Some(3), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(difference(&remote.lasting(), &before), [""; 0]);
}

#[test]
fn files_of_one_kind_in_a_folder_are_read_by_pattern() {
    let place = Place::new();
    let server = Server::given_or_started();
    let folder = server.bucket(BUCKET).folder("kinds");
    folder.write("a.csv", "x\n1\n2\n".into());
    folder.write("b.csv", "x\n3\n".into());
    folder.write("c.jsonl", "{\"x\": 9}\n".into());
    let ask = |from: &str| {
        let statement = format!("SELECT sum(x) AS x FROM '{}/{from}'", folder.uri());
        program(&place, Some(server.account()), &["sql", "--format", "csv", "-c", &statement]).output().unwrap()
    };
    assert_eq!(ask("*.csv").stdout, b"x\n6\n");
    assert_eq!(ask("*.jsonl").stdout, b"x\n9\n");
    folder.write("below/d.csv", "x\n5\n".into());
    assert_eq!(ask("*.csv").stdout, b"x\n6\n");
    for (from, told) in [("", "*.csv`"), ("*.parquet", "no file or folder"), ("[ab].csv", "'folder/*.ending'")] {
        assert!(String::from_utf8_lossy(&ask(from).stderr).contains(told), "{from}: {:?}", ask(from));
    }
    folder.write("table/a.csv", "x\n1\n".into());
    folder.write("table/_delta_log/00000000000000000000.json", "{}\n".into());
    assert!(!ask("table/*.csv").status.success() && ask("table/*.csv").stdout.is_empty());
}

#[test]
fn nothing_is_laid_among_released_notes_in_a_bucket() {
    let place = Place::new();
    let server = Server::given_or_started();
    let folder = server.bucket(BUCKET).folder("released");
    folder.write("notes/a.jsonl", format!("{}\n", note(1, "P1", "Seen by Dr. Okafor.")).into());
    let [notes, out] = ["notes", "out"].map(|name| format!("{}/{name}", folder.uri()));
    succeed(&mut run(&place, Some(server.account()), &[["--notes", &notes], ["--out", &out], ["--work", "work"]]));
    let before = folder.names();
    let spans = format!("{out}/spans.jsonl");
    place.write_lines("gold.jsonl", &[serde_json::json!({"note_id": "N1", "start": 12, "end": 18, "label": "DOCTOR"})]);
    for arguments in [
        &["detect", "--key-file", "key", "--notes", &notes, "--out", &spans][..],
        &["evaluate", "--notes", &notes, "--gold", "gold.jsonl", "--predicted", "gold.jsonl", "--errors", &spans],
    ] {
        let ended = program(&place, Some(server.account()), arguments).output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{ended:?}");
        assert!(String::from_utf8_lossy(&ended.stderr).contains("has released"), "{ended:?}");
    }
    assert_eq!(folder.names(), before);
}

/// A statement that fails leaves what was there, nothing besides, and no upload open; one that does not gives what a folder has.
#[test]
fn a_whole_bucket_is_a_place_and_marks_of_folders_are_no_notes() {
    let place = Place::new();
    // Buckets of our own: of a server that is given only one is known.
    let server = Server::start();
    let (from, to) = (server.bucket("whole-notes"), server.bucket("whole-output"));
    let notes = from.whole();
    notes.write("site=1/a.jsonl", format!("{}\n", note(1, "P1", "Seen by Dr. Okafor.")).into());
    for mark in ["site=2", "site=1", "site=1_$folder$"] {
        notes.write(mark, Default::default());
    }
    assert_eq!([notes.uri(), to.whole().uri()], ["s3://whole-notes/", "s3://whole-output/"]);
    for from in ["s3://whole-notes", "s3://whole-notes/"] {
        let pairs = [["--notes", from], ["--out", "s3://whole-output"], ["--work", "work"]];
        succeed(run(&place, Some(server.account()), &pairs).arg("--overwrite"));
    }
    let names = to.whole().names();
    let parts: Vec<_> = names.iter().filter(|name| name.ends_with(".jsonl")).collect();
    assert!(parts.len() == 1 && parts[0].starts_with("site="), "{names:?}");
    assert!(!String::from_utf8_lossy(&to.whole().read(parts[0]).unwrap()).contains("Okafor"));
}

#[test]
fn a_copy_that_fails_leaves_a_bucket_as_it_was() {
    let place = warehouse();
    let server = Server::given_or_started();
    let folder = server.bucket(BUCKET).folder("copies");
    let all = "SELECT note_id, repeat(text, 30) AS text FROM 'wh/notes/' ORDER BY note_id";
    let last = "(SELECT max(note_id) FROM 'wh/notes/')";
    let fails = format!("SELECT *, 1 / (CASE WHEN note_id = {last} THEN 0 ELSE 1 END) AS x FROM ({all})");
    let copy = |rows: &str, name: &str, how: &str| {
        // So small that a large file goes in parts.
        let buffer = "SET datafusion.execution.objectstore_writer_buffer_size = 5242880; ";
        let statement = format!("{buffer}COPY ({rows}) TO '{}/{name}' {how}", folder.uri());
        program(&place, Some(server.account()), &["sql", "-c", &statement])
    };
    let good = ["good.csv", "good.jsonl", "good.parquet"];
    good.iter().for_each(|name| succeed(&mut copy("SELECT 1 AS good", name, "")));
    let before = good.map(|name| folder.read(name).unwrap());
    let folders =
        [("more/", "STORED AS CSV"), ("more/", "STORED AS PARQUET"), ("more/", "STORED AS CSV PARTITIONED BY (x)")];
    for (name, how) in good.map(|name| (name, "")).into_iter().chain(folders) {
        let ended = copy(&fails, name, how).output().unwrap();
        assert_eq!(ended.status.code(), Some(1), "{}", String::from_utf8_lossy(&ended.stderr));
        assert!(ended.stdout.is_empty(), "nothing was copied");
        assert_eq!(folder.names(), good, "{name} {how}");
        assert_eq!(server.open_uploads().unwrap_or_default(), 0, "{name} {how}");
    }
    assert_eq!(good.map(|name| folder.read(name).unwrap()), before);
    for name in good {
        succeed(&mut copy(all, name, ""));
        place.succeed(&["sql", "-c", &format!("COPY ({all}) TO '{name}'")]);
        let (stored, local) = (folder.read(name).unwrap(), std::fs::read(place.path(name)).unwrap());
        assert!(stored == local || name.ends_with("parquet") && stored.len() == local.len(), "{name}");
    }
    assert_eq!(server.open_uploads().unwrap_or_default(), 0);
}

#[test]
fn thousands_of_small_objects() {
    let place = Place::new();
    let server = Server::given_or_started();
    let bucket = server.bucket(BUCKET);
    let notes = bucket.folder("small");
    for id in 0..3000 {
        let line = note(id, &format!("P{}", id / 10), "Seen by Dr. Okafor on 03/04/2019. No acute distress.");
        notes.write(&format!("{:02}/{id:04}.jsonl", id % 50), format!("{line}\n").into());
    }
    let output = Output::Remote(bucket.folder("out"));
    let (from, to) = (notes.uri(), output.uri());
    let pairs = [["--notes", &from], ["--out", &to], ["--work", "work"]];
    succeed(&mut run(&place, Some(server.account()), &pairs));
    output.check(3000).unwrap();
    let parts = output.parts();
    assert_eq!(parts.keys().filter(|name| name.ends_with(".jsonl")).count(), 3000);
    assert!(!parts.values().any(|content| content.windows(6).any(|window| window == b"Okafor")));
}

/// Two runs at the same moment, each with a work folder of its own.
fn together(mut commands: [Command; 2]) -> [Ended; 2] {
    let begin = |command: &mut Command| command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let children = commands.each_mut().map(begin);
    children.map(|child| child.wait_with_output().unwrap())
}

fn one_of_two_writers(place: &Place, account: Option<&Account>, notes: &str, output: &Output) {
    let out = output.uri();
    for round in 0..5 {
        output.clear();
        let works = [0, 1].map(|writer| format!("work-{round}-{writer}"));
        let writer = |work: &String| run(place, account, &[["--notes", notes], ["--out", &out], ["--work", work]]);
        let ended = together([writer(&works[0]), writer(&works[1])]);
        let told = ended.each_ref().map(|ended| String::from_utf8_lossy(&ended.stderr).into_owned());
        // Who looks at the lease when the first has just ended finds the output whole, and has nothing to do.
        let outcome = |(ended, told): (&Ended, &String)| match ended.status.code() {
            Some(0) if !told.contains("nothing to do") => "wrote",
            Some(0) | Some(75) => "was refused",
            _ => "failed",
        };
        let mut outcomes: Vec<_> = ended.iter().zip(&told).map(outcome).collect();
        outcomes.sort_unstable();
        assert_eq!(outcomes, ["was refused", "wrote"], "{told:?}");
        output.check(300).unwrap();
    }
}

#[test]
fn of_two_writers_one_writes() {
    let place = warehouse();
    let folder = place.path("tree");
    one_of_two_writers(&place, None, folder.to_str().unwrap(), &Output::Local(place.path("out")));
    // Not against a server that is given: moto's looks for an object and puts it in two steps, and lets two writers in.
    let server = Server::start();
    let bucket = server.bucket(BUCKET);
    let notes = bucket.folder("notes");
    notes.upload(&folder);
    one_of_two_writers(&place, Some(server.account()), &notes.uri(), &Output::Remote(bucket.folder("out")));
}

#[test]
fn wrong_credentials_are_told_without_telling_them() {
    // Not against a server that is given: moto's lets everybody in.
    let place = Place::new();
    let server = Server::start();
    let notes = server.bucket(BUCKET).folder("notes");
    notes.write("a.jsonl", format!("{}\n", note(1, "P1", "Stable.")).into());
    let account = Account { secret: "a-wrong-secret-0815".to_owned(), ..server.account().clone() };
    let begun = Instant::now();
    let uri = notes.uri();
    let ended = run(&place, Some(&account), &[["--notes", &uri], ["--out", "out"]]).output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{told}");
    assert!(begun.elapsed() < Duration::from_secs(30), "what no retry can mend was tried again");
    assert!(told.contains(&uri), "{told}");
    let reasons = ["credential", "denied", "permission", "forbidden", "signature"];
    assert!(reasons.iter().any(|reason| told.to_lowercase().contains(reason)), "{told}");
    for secret in [account.secret.as_str(), "test-secret", "Signature=", "AWS4-HMAC"] {
        assert!(!told.contains(secret), "{told}");
    }
}

/// Asked to stop in the midst of an upload in parts, a run aborts it and gives its lease back, so that the next need not wait.
///
/// It is given seconds to do so, and those of a worker that computes may be over before it lets go of its upload. So on a busy machine it is
/// asked again; a run that never does what it has to fails every time.
#[test]
fn a_signal_leaves_no_open_upload_and_no_lease_to_wait_for() {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "12000", "--patients", "600", "--seed", "13", "--out", "wh"]);
    place.succeed(&["sql", "-c", "COPY (SELECT * FROM 'wh/notes/') TO 'notes/a.json' STORED AS JSON"]);
    let mut left = Vec::new();
    while let Err(reason) = stopped_amid_an_upload(&place) {
        left.push(reason);
        assert!(left.len() < 4, "{left:?}");
    }
}

/// Stops a run as soon as it uploads in parts, and has another go on. An error tells what a run has left that ended in time all the same.
fn stopped_amid_an_upload(place: &Place) -> Result<(), String> {
    // Not against a server that is given: who asks it for open uploads has to know its ways.
    let server = Server::start();
    let bucket = server.bucket(BUCKET);
    let notes = bucket.folder("notes");
    notes.upload(&place.path("notes"));
    let output = Output::Remote(bucket.folder("out"));
    let (from, to) = (notes.uri(), output.uri());
    let pairs = [["--notes", &from], ["--out", &to], ["--work", "work"]];
    let mut child = run(place, Some(server.account()), &pairs).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while server.open_uploads() == Some(0) {
        if child.try_wait().unwrap().is_some() {
            return Err("it ended before it was seen to upload".to_owned());
        }
        assert!(begun.elapsed() < Duration::from_secs(600), "nothing was uploaded");
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&child, libc::SIGTERM);
    let stopped = Instant::now();
    let code = child.wait().unwrap().code();
    // Ten seconds are promised, and a busy machine is given some more.
    assert!(stopped.elapsed() < Duration::from_secs(30), "it took {:?} to end", stopped.elapsed());
    if code == Some(0) {
        return Err("it was done before it heard the signal".to_owned());
    }
    assert_eq!(code, Some(143));
    if server.open_uploads() != Some(0) {
        return Err("an upload is open".to_owned());
    }
    // A lease that is there says that nobody holds it any more.
    let lease = output.read("_plainsight/writer.json");
    if lease.is_some_and(|lease| serde_json::from_slice::<serde_json::Value>(&lease).unwrap()["ended"] != true) {
        return Err("the lease was not given back".to_owned());
    }
    succeed(&mut run(place, Some(server.account()), &pairs));
    output.check(12000).unwrap();
    Ok(())
}
