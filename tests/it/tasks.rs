//! A run as several tasks: the output is the one that a single run writes, whatever becomes of single tasks on the way.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Child, Command, Output as Ended, Stdio};
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};

use super::chance::Chance;
use super::faults::attempt::{Blow, End, Moment, attempt, program};
use super::faults::{seeds, watched};
use super::output::{Output, difference};
use super::proxy::{Fault, Proxy, Weather};
use super::s3::{Account, BUCKET, Server};
use super::support::{Place, files_below, note};

const NOTES: u64 = 400;

/// Notes of some patients in many files, where every patient has notes in several of them.
fn warehouse(format: &str) -> Place {
    let place = Place::new();
    place.succeed(&["generate", "--notes", &NOTES.to_string(), "--patients", "25", "--seed", "5", "--out", "wh"]);
    let copy = format!("COPY (SELECT * FROM 'wh/notes/') TO 'tree/' STORED AS {format} PARTITIONED BY (note_type)");
    place.succeed(&["sql", "-c", &copy]);
    assert!(files_below(&place.path("tree")).len() >= 6, "too few units");
    place
}

/// Where tasks read, write and meet.
struct Run<'a> {
    place: &'a Place,
    account: Option<&'a Account>,
    notes: String,
    out: Output,
    exchange: String,
    further: &'a [&'a str],
}

impl<'a> Run<'a> {
    fn local(place: &'a Place, out: &str, further: &'a [&'a str]) -> Self {
        let exchange = place.path("exchange").to_str().unwrap().to_owned();
        Self { place, account: None, notes: "tree".to_owned(), out: Output::Local(place.path(out)), exchange, further }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let out = self.out.uri();
        let common = ["run", "--key-file", "key", "--notes", &self.notes, "--out", &out];
        program(self.place, self.account, &[&common, arguments, self.further].concat())
    }

    /// The run by one process.
    fn alone(&self) -> BTreeMap<String, Bytes> {
        let ended = self.command(&[]).output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{}", told(&ended));
        self.out.lasting()
    }

    fn task(&self, task: usize, of: usize, wait: u64) -> Command {
        let (task, wait) = (format!("{task}/{of}"), wait.to_string());
        self.command(&["--task", &task, "--exchange", &self.exchange, "--task-wait", &wait])
    }

    /// All tasks at once.
    fn together(&self, of: usize) -> Vec<Ended> {
        // Counted from 0, as some schedulers do.
        let tasks: Vec<Child> = (0..of).map(|task| started(&mut self.task(task, of, 120))).collect();
        tasks.into_iter().map(|task| task.wait_with_output().unwrap()).collect()
    }

    fn report(&self) -> Value {
        serde_json::from_slice(&self.out.read("_plainsight/run.json").unwrap()).unwrap()
    }

    /// Holds the output against that of one process.
    fn check(&self, alone: &BTreeMap<String, Bytes>) {
        assert_eq!(difference(&self.out.lasting(), alone), [""; 0]);
        self.out.check(NOTES).unwrap();
    }
}

fn started(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn told(ended: &Ended) -> String {
    String::from_utf8_lossy(&ended.stderr).into_owned()
}

fn all_done(ended: &[Ended]) {
    for task in ended {
        assert_eq!(task.status.code(), Some(0), "{}", told(task));
    }
}

/// What a report counts, without times and how it was worked out.
fn counts(report: &Value) -> Value {
    let names = [
        "key_id",
        "notes_read",
        "notes_written",
        "sentences",
        "vetoed",
        "second_pass",
        "spans_found",
        "spans_replaced",
    ];
    names.iter().map(|name| (name.to_string(), report[name].clone())).collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn tasks_write_what_one_process_writes() {
    for (format, further) in [
        ("PARQUET", &["--patients", "wh/patients"][..]),
        // Notes of nobody known, from files that do not say how many rows they have.
        ("JSON", &["--columns", "text=text", "--drop-columns", "patient_id,note_id"]),
        ("PARQUET", &["--no-second-pass"]),
    ] {
        let place = warehouse(format);
        let single = Run::local(&place, "single", further);
        let alone = single.alone();
        for of in [1, 3] {
            let run = Run::local(&place, &format!("out-{of}"), further);
            all_done(&run.together(of));
            run.check(&alone);
            assert_eq!(counts(&run.report()), counts(&single.report()), "{format} {of}");
            assert_eq!(run.report()["tasks"]["of"], of);
            let left: Vec<_> =
                files_below(&place.path("exchange")).iter().map(|file| file.file_name().unwrap().to_owned()).collect();
            assert_eq!(left, ["_plainsight-exchange"], "what was exchanged is confidential");
            assert!(!place.path(&format!("out-{of}.work")).exists());
        }
    }
}

#[test]
fn what_one_share_tells_of_a_patient_is_found_in_the_others() {
    let place = Place::new();
    // A name that only the first note tells of with confidence, and a patient whose notes are in both shares.
    place.write_lines("tree/a.jsonl", &[note(1, "P1", "Seen by Dr. Ngozi Okafor on 03/04/2019.\n")]);
    place.write_lines(
        "tree/b.jsonl",
        &[note(2, "P1", "told okafor that the pain is better\n"), note(3, "P2", "okafor\n")],
    );
    let run = Run::local(&place, "out", &[]);
    all_done(&run.together(2));
    let read = |name: &str| String::from_utf8(run.out.read(name).unwrap().to_vec()).unwrap();
    let second = read("part-000001.jsonl");
    assert!(!second.lines().next().unwrap().contains("okafor"), "{second}");
}

#[test]
fn there_may_be_more_tasks_than_files() {
    let place = Place::new();
    // One of them has no sentence at all.
    place.write_lines(
        "tree/a.jsonl",
        &[note(1, "P1", "Seen by Dr. Ngozi Okafor on 03/04/2019.\n"), note(2, "P2", "Well.\n")],
    );
    place.write_lines("tree/b.jsonl", &[note(3, "P1", "")]);
    let alone = Run::local(&place, "single", &[]).alone();
    let run = Run::local(&place, "out", &[]);
    all_done(&run.together(7));
    assert_eq!(difference(&run.out.lasting(), &alone), [""; 0]);
}

#[test]
fn notes_that_arrive_once_tasks_have_begun_are_left_to_another_run() {
    let place = Place::new();
    place.write_lines("tree/a.jsonl", &[note(1, "P1", "Seen by Dr. Ngozi Okafor on 03/04/2019.\n")]);
    place.write_lines("tree/b.jsonl", &[note(2, "P1", "told okafor\n"), note(3, "P2", "Well.\n")]);
    let alone = Run::local(&place, "single", &[]).alone();
    let run = Run::local(&place, "out", &[]);
    assert_eq!(run.task(1, 2, 0).output().unwrap().status.code(), Some(75));
    // In a column of its own, and before the others.
    place.write_lines("tree/0.jsonl", &[json!({"note_id": "N9", "patient_id": "P2", "text": "Okafor", "late": 1})]);
    for task in [2, 1, 2, 1, 2, 1].into_iter().take_while(|_| !place.path("out/_SUCCESS").exists()) {
        let ended = run.task(task, 2, 0).output().unwrap();
        assert!([Some(0), Some(75)].contains(&ended.status.code()), "{}", told(&ended));
    }
    assert_eq!(difference(&run.out.lasting(), &alone), [""; 0]);
    assert_eq!(run.report()["files_left"], 1);
    // Where one of those that they began with is gone it is another run.
    std::fs::remove_file(place.path("tree/0.jsonl")).unwrap();
    let other = Run::local(&place, "other", &[]);
    assert_eq!(other.task(1, 2, 0).output().unwrap().status.code(), Some(75));
    std::fs::remove_file(place.path("tree/a.jsonl")).unwrap();
    assert_eq!(other.task(2, 2, 0).output().unwrap().status.code(), Some(2));
}

/// Several of them are read together.
#[test]
fn texts_that_arrive_once_tasks_have_begun_are_left_to_another_run() {
    let place = Place::new();
    std::fs::create_dir(place.path("tree")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(place.path("tree").join(name), text).unwrap();
    for number in 100..400 {
        write(&format!("{number}.txt"), &format!("Seen by Dr. Ngozi Okafor on 03/04/2019, for the {number}th time.\n"));
    }
    let alone = Run::local(&place, "single", &[]).alone();
    assert!(alone.len() < 200, "each is read by itself: {}", alone.len());
    let run = Run::local(&place, "out", &[]);
    assert_eq!(run.task(1, 2, 0).output().unwrap().status.code(), Some(75));
    write("150-late.txt", "Okafor came again.\n");
    for task in [2, 1, 2, 1, 2, 1].into_iter().take_while(|_| !place.path("out/_SUCCESS").exists()) {
        let ended = run.task(task, 2, 0).output().unwrap();
        assert!([Some(0), Some(75)].contains(&ended.status.code()), "{}", told(&ended));
    }
    assert_eq!(difference(&run.out.lasting(), &alone), [""; 0]);
    assert_eq!(run.report()["files_left"], 1);
}

#[test]
fn a_task_that_does_not_wait_goes_on_when_it_is_run_again() {
    let place = warehouse("PARQUET");
    let alone = Run::local(&place, "single", &[]).alone();
    let run = Run::local(&place, "out", &[]);
    let mut rounds = 0;
    let mut ended: Vec<Ended>;
    loop {
        ended = (1..=3).map(|task| run.task(task, 3, 0).output().unwrap()).collect();
        rounds += 1;
        let codes: Vec<_> = ended.iter().map(|task| task.status.code()).collect();
        assert!(codes.iter().all(|code| [Some(0), Some(75)].contains(code)), "{codes:?} {}", told(&ended[0]));
        if codes == [Some(0); 3] {
            break;
        }
        assert!(told(&ended[0]).contains("(of 3 tasks)"), "{}", told(&ended[0]));
        assert!(rounds < 6, "{codes:?}: no task gets on");
    }
    run.check(&alone);
    // The last of them has found all parts there; run once more, each has nothing to do.
    let again = run.task(2, 3, 0).arg("--fail-if-empty").output().unwrap();
    assert_eq!(again.status.code(), Some(3), "{}", told(&again));
    run.check(&alone);
}

/// One task, started again with blows drawn from the seed until it says that it is done. Gives how often it was struck.
fn survive(run: &Run<'_>, task: usize, seed: u64) -> Result<usize, String> {
    let mut chance = Chance::of(seed, &format!("task {task}"));
    let blows = chance.below(4);
    let (mut struck, mut temporary) = (0, 0);
    loop {
        let moment = Moment::Time(Duration::from_millis(chance.below(3500) as u64));
        let blow = *chance.one_of(&[Blow::Kill, Blow::Kill, Blow::Terminate]);
        let plan = (struck < blows).then_some((moment, blow));
        match attempt(&mut run.task(task, 3, 120), plan.as_ref(), &run.out, None)? {
            End::Done => return Ok(struck),
            End::Struck => struck += 1,
            End::Temporary => temporary += 1,
        }
        if temporary > 12 {
            return Err(format!("task {task} asked to be started again {temporary} times"));
        }
        if chance.below(2) == 0 {
            // On another machine, which has none of what this one had worked out.
            drop(std::fs::remove_dir_all(run.place.path(&format!("work/share-{task}-of-3"))));
        }
    }
}

/// A tenth of the runs of [`a_run_survives_kills_and_faults`](super::faults), each by three tasks, here and in a bucket that answers badly.
#[test]
fn tasks_survive_kills_and_faults() {
    let place = warehouse("PARQUET");
    let further = &["--patients", "wh/patients", "--work", "work"];
    let alone = Run::local(&place, "single", further).alone();
    let server = Server::given_or_started();
    let bucket = server.bucket(BUCKET);
    let notes = bucket.folder("notes");
    notes.upload(&place.path("tree"));
    let (mut struck, mut faults) = (0, 0);
    let seeds = seeds();
    let seeds = seeds.start..seeds.start + (seeds.end - seeds.start).div_ceil(10);
    let runs = seeds.end - seeds.start;
    for seed in seeds {
        let weather = Weather { seed, share: 0.04, faults: &Fault::OF_A_REQUEST, bursts: 0.002 };
        let proxy = (seed % 2 == 1).then(|| Proxy::start(&server.account().endpoint, weather));
        let account = proxy.as_ref().map(|proxy| server.account().by_way_of(proxy.endpoint()));
        let run = match &account {
            Some(account) => Run {
                account: Some(account),
                notes: notes.uri(),
                out: Output::Remote(bucket.folder("out")),
                exchange: bucket.folder("exchange").uri(),
                ..Run::local(&place, "out", further)
            },
            None => Run::local(&place, &format!("out-{seed}"), further),
        };
        let blows = watched(&run.out, || {
            std::thread::scope(|scope| {
                let run = &run;
                let tasks = [1, 2, 3].map(|task| scope.spawn(move || survive(run, task, seed)));
                tasks.into_iter().map(|task| task.join().unwrap()).sum::<Result<usize, String>>()
            })
        });
        struck += blows.unwrap_or_else(|reason| panic!("seed {seed}: {reason}"));
        faults += proxy.map(|proxy| proxy.counts().values().sum::<usize>()).unwrap_or_default();
        // Inputs that lie elsewhere have other digests in the manifest.
        let (parts, mut expected) = (run.out.parts(), alone.clone());
        expected.retain(|name, _| !name.contains("manifest"));
        assert_eq!(difference(&parts, &expected), [""; 0], "seed {seed}");
        run.out.check(NOTES).unwrap_or_else(|reason| panic!("seed {seed}: {reason}"));
    }
    writeln!(std::io::stderr(), "tasks survived {runs} of {runs} ({struck} kills, {faults} faults)").unwrap();
    assert!(runs < 2 || (struck > 0 && faults > 0), "nothing was survived");
}

#[test]
fn tasks_that_wait_for_one_that_never_comes_make_room_for_it() {
    let place = warehouse("PARQUET");
    let run = Run::local(&place, "out", &[]);
    // Each of the two sees the other wait, which is no sign of life of the third.
    let waiting = [1, 2].map(|task| started(&mut run.task(task, 3, 5)));
    for task in waiting.map(|task| task.wait_with_output().unwrap()) {
        assert_eq!(task.status.code(), Some(75), "{}", told(&task));
    }
    all_done(&run.together(3));
}

#[test]
fn an_earlier_output_stays_until_the_parts_are_ready_to_be_written() {
    let place = warehouse("PARQUET");
    let earlier = Run::local(&place, "out", &["--replace", "tag"]).alone();
    let run = Run::local(&place, "out", &["--overwrite"]);
    for _ in 0..2 {
        assert_eq!(run.task(1, 2, 0).output().unwrap().status.code(), Some(75));
        assert_eq!(difference(&run.out.lasting(), &earlier), [""; 0]);
    }
    all_done(&run.together(2));
    run.out.check(NOTES).unwrap();
    assert!(run.out.lasting() != earlier);
    // It is theirs, and whole: none of them begins anew.
    let again = run.task(1, 2, 0).output().unwrap();
    assert!(told(&again).contains("nothing to do"), "{}", told(&again));
}

#[test]
fn what_was_exchanged_goes_though_the_last_task_dies() {
    let place = warehouse("PARQUET");
    let run = Run::local(&place, "out", &[]);
    assert_eq!(run.task(1, 2, 0).output().unwrap().status.code(), Some(75));
    let exchanged = || files_below(&place.path("exchange")).len();
    assert!(exchanged() > 2);
    let refused = place.fail(2, &["clean", "out", "--exchange", "tree"]);
    assert!(refused.contains("no exchange of tasks"), "{refused}");
    assert!(place.path("out.work").exists() && place.path("out/_plainsight/writer.json").exists());
    let cleaned = place.succeed(&["clean", "out", "--exchange", "exchange"]);
    assert!(cleaned.contains("of the exchange"), "{cleaned}");
    assert_eq!(exchanged(), 1);
    // Given up for a run by one process, of which they know nothing.
    assert_eq!(run.task(1, 2, 0).output().unwrap().status.code(), Some(75));
    Run::local(&place, "out", &[]).alone();
    let cleaned = place.succeed(&["clean", "out", "--exchange", "exchange"]);
    assert!(cleaned.contains("files of other tasks are in the exchange"), "{cleaned}");
    for folder in std::fs::read_dir(place.path("exchange")).unwrap().map(|entry| entry.unwrap().path()) {
        if folder.is_dir() {
            std::fs::remove_dir_all(folder).unwrap();
        }
    }
    place.succeed(&["clean", "out"]);
    std::fs::remove_dir_all(place.path("out")).unwrap();
    all_done(&run.together(2));
    assert_eq!(exchanged(), 1);
    // As if the last had been killed when the output was whole.
    let epoch = run.report()["tasks"]["epoch"].as_u64().unwrap();
    let left = place.path(&format!("exchange/job-{epoch:016x}/sentences/0"));
    std::fs::create_dir_all(&left).unwrap();
    std::fs::write(left.join("0.parquet"), "…").unwrap();
    let again = run.task(2, 2, 0).output().unwrap();
    assert!(told(&again).contains("nothing to do"), "{}", told(&again));
    assert_eq!(exchanged(), 1);
}

#[test]
fn nobody_else_writes_beside_tasks() {
    let place = warehouse("PARQUET");
    let run = Run::local(&place, "out", &[]);
    let waiting = started(&mut run.task(1, 2, 600));
    let begun = std::time::Instant::now();
    while run
        .out
        .read("_plainsight/writer.json")
        .is_none_or(|lease| !String::from_utf8_lossy(&lease).contains("\"tasks\""))
    {
        assert!(begun.elapsed() < Duration::from_secs(300), "the task did not begin");
        std::thread::sleep(Duration::from_millis(50));
    }
    let status = place.succeed(&["status", "out", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&status).unwrap()["state"], "running", "{status}");
    let refused = run.command(&["--work", "elsewhere"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(75), "{}", told(&refused));
    // A task with other settings would write something else, and one with another exchange would wait for ever.
    let mut other = Run::local(&place, "out", &["--replace", "tag"]);
    for exchange in ["exchange", "elsewhere"] {
        other.exchange = exchange.to_owned();
        let refused = other.task(2, 2, 0).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{}", told(&refused));
        assert!(told(&refused).contains("with other notes, settings"), "{}", told(&refused));
        other.further = &[];
    }
    let second = run.task(2, 2, 120).output().unwrap();
    all_done(&[second, waiting.wait_with_output().unwrap()]);
    run.out.check(NOTES).unwrap();
}

#[test]
fn refused_rows_are_listed_by_the_task_that_read_them() {
    let place = Place::new();
    let lines = |number: usize| format!("{}\nno JSON\n", note(number, "P1", "Seen by Dr. Okafor."));
    std::fs::create_dir(place.path("tree")).unwrap();
    for number in 0..4 {
        std::fs::write(place.path(&format!("tree/{number}.jsonl")), lines(number)).unwrap();
    }
    // Of the tasks together, not of each.
    let strict = Run::local(&place, "out", &["--refused-at-most", "3"]).together(2);
    let told = strict.iter().map(|ended| String::from_utf8_lossy(&ended.stderr)).collect::<String>();
    assert!(told.contains("4 of 8 rows were refused (4: "), "{told}");
    assert!(!place.path("out/_SUCCESS").exists());
    let run = Run::local(&place, "out", &["--refused-at-most", "50%"]);
    let ended = run.together(2);
    all_done(&ended);
    let report = run.report();
    assert_eq!((report["notes_read"].as_u64(), report["notes_written"].as_u64()), (Some(8), Some(4)), "{report}");
    for task in [1, 2] {
        let list =
            std::fs::read_to_string(place.path(&format!("out.work/share-{task}-of-2/quarantine.jsonl"))).unwrap();
        assert_eq!(list.lines().count(), 2, "{list}");
    }
    let cleaned = place.succeed(&["clean", "out", "--work", "out.work"]);
    assert!(cleaned.contains("the work location"), "{cleaned}");
    assert!(!place.path("out.work").exists());
}

#[test]
fn tasks_meet_in_a_bucket() {
    let place = warehouse("PARQUET");
    let server = Server::given_or_started();
    let bucket = server.bucket(BUCKET);
    let notes = bucket.folder("notes");
    notes.upload(&place.path("tree"));
    let exchange = bucket.folder("exchange");
    let remote = |name: &str| Run {
        place: &place,
        account: Some(server.account()),
        notes: notes.uri(),
        out: Output::Remote(bucket.folder(name)),
        exchange: exchange.uri(),
        further: &["--work", "work"],
    };
    let alone = remote("single").alone();
    let run = remote("out");
    all_done(&run.together(3));
    run.check(&alone);
    assert_eq!(exchange.names(), ["_plainsight-exchange"]);
}

#[test]
fn what_cannot_be_a_task_is_refused() {
    let place = Place::new();
    place.write_lines("tree/a.jsonl", &[note(1, "P1", "Seen.")]);
    let run = ["run", "--notes", "tree", "--out", "out", "--key-file", "key"];
    for (arguments, reason) in [
        (&["--task", "3/2", "--exchange", "x"][..], "say which task"),
        (&["--task", "0/0", "--exchange", "x"], "say which task"),
        (&["--task", "1/1001", "--exchange", "x"], "say which task"),
        (&["--task", "1/2"], "--exchange"),
        (&["--task", "1/2", "--exchange", "out/x"], "lie in one another"),
        (&["--task", "1/2", "--exchange", "tree"], "lie in one another"),
        (&["--task", "1/2", "--exchange", "x", "--no-dedupe"], "cannot be used with"),
        (&["--task", "1/2", "--exchange", "mine", "--task-wait", "0"], "no exchange of tasks"),
    ] {
        std::fs::create_dir_all(place.path("mine")).unwrap();
        std::fs::write(place.path("mine/file"), "x").unwrap();
        let message = place.fail(2, &[&run, arguments].concat());
        assert!(message.contains(reason), "{arguments:?}: {message}");
    }
}
