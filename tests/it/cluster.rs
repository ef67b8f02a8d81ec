//! A scheduler and executors on ports of this machine: statements and runs give there what they give in one process.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::Duration;

use plainsight::cluster::Cluster;
use plainsight::corpus::{Deidentifier, upgraded_session};
use plainsight::surrogate::Key;

use super::output::{Output, difference};
use super::serve::{Server, ask, token};
use super::statements::{Session, run_logic_tests};
use super::support::{KEY, Place, files_below, note};

/// A cluster that ends with the test.
struct Members {
    scheduler: Child,
    executors: Vec<Child>,
    address: String,
}

/// Starts a member, and waits until it says that it is ready.
fn started(place: &Place, arguments: &[&str]) -> (Child, String) {
    let (child, line) = begun(place, arguments);
    assert!(!line.is_empty(), "{}", log(place));
    (child, line)
}

/// Starts a member, and waits for its first line: an empty one where it has ended without.
fn begun(place: &Place, arguments: &[&str]) -> (Child, String) {
    let log = std::fs::File::options().append(true).create(true).open(place.path("cluster.log")).unwrap();
    let mut child = place.command(arguments).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim().to_owned())
}

/// What the members have told.
fn log(place: &Place) -> String {
    std::fs::read_to_string(place.path("cluster.log")).unwrap()
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Members {
    fn start(place: &Place, executors: usize, further: &[&str]) -> Self {
        let (scheduler, line) = started(place, &["cluster", "scheduler", "--listen", "127.0.0.1:0"]);
        let address = line.strip_prefix("listening on ").unwrap().to_owned();
        let mut members = Self { scheduler, executors: Vec::new(), address };
        (0..executors).for_each(|_| members.join(place, further));
        members
    }

    /// One executor more, with one slot.
    fn join(&mut self, place: &Place, further: &[&str]) {
        let (work, scheduler) = (format!("executor-{}", self.executors.len()), self.address.replace("df://", ""));
        let executor = (0..3).find_map(|_| {
            // Before the executor has it, another test may get the port that was free.
            let listen = format!("127.0.0.1:{}", free_port());
            let arguments = ["cluster", "executor", "--scheduler", &scheduler, "--listen", &listen, "--work", &work];
            let arguments = [&arguments[..], &["--slots", "1", "--key-file", "key"], further].concat();
            let (mut executor, line) = begun(place, &arguments);
            if line.is_empty() {
                executor.wait().unwrap();
                return None;
            }
            Some(executor)
        });
        self.executors.push(executor.unwrap_or_else(|| panic!("{}", log(place))));
    }
}

impl Drop for Members {
    fn drop(&mut self) {
        for child in self.executors.iter_mut().chain([&mut self.scheduler]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn warehouse(notes: u32) -> Place {
    let place = Place::new();
    place.succeed(&["generate", "--notes", &notes.to_string(), "--patients", "30", "--seed", "12", "--out", "wh"]);
    place.succeed(&[
        "sql",
        "-c",
        "COPY (SELECT * FROM 'wh/notes/') TO 'tree/' STORED AS PARQUET PARTITIONED BY (note_type)",
    ]);
    place
}

#[test]
fn an_executor_leaves_nothing_of_those_before_it() {
    let place = Place::new();
    let left =
        ["run-1/share-2-of-3/_plainsight-work", "run-1/share-2-of-3/received/0.parquet", "shuffle-1/job/data.arrow"];
    for file in left {
        let file = place.path("executor-0").join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "Rosa").unwrap();
    }
    // Another executor that lives keeps what it hands on.
    let other = place.path("executor-0").join("shuffle-2");
    std::fs::create_dir_all(&other).unwrap();
    std::fs::write(other.join("data.arrow"), "Rosa").unwrap();
    let alive = std::fs::File::create(place.path("executor-0").join("shuffle-2.alive")).unwrap();
    alive.lock().unwrap();
    let mut members = Members::start(&place, 1, &[]);
    let there = |name: &str| place.path("executor-0").join(name).exists();
    assert!(!there("run-1") && !there("shuffle-1") && there("shuffle-2/data.arrow"), "{}", log(&place));
    // SAFETY: the process is a child of this one, and has not been waited for.
    assert_eq!(unsafe { libc::kill(members.executors[0].id().cast_signed(), libc::SIGTERM) }, 0);
    members.executors[0].wait().unwrap();
    let names = std::fs::read_dir(place.path("executor-0")).unwrap().map(|entry| entry.unwrap().file_name());
    let names: std::collections::BTreeSet<_> = names.collect();
    assert_eq!(names, ["shuffle-2".into(), "shuffle-2.alive".into()].into());
}

#[test]
fn an_executor_that_is_asked_to_end_before_it_is_ready_leaves_nothing() {
    let place = Place::new();
    // Who listens there never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let scheduler = silent.local_addr().unwrap().to_string();
    let begun = || {
        let listen = format!("127.0.0.1:{}", free_port());
        let arguments = ["cluster", "executor", "--scheduler", &scheduler, "--listen", &listen, "--work", "work"];
        let mut executor = place.command(&arguments).args(["--slots", "1", "--key-file", "key"]).spawn().unwrap();
        let taken = place.path("work").join(format!("shuffle-{}", listen.rsplit_once(':').unwrap().1));
        while !taken.exists() {
            // Another test may have got the port.
            if executor.try_wait().unwrap().is_some() {
                return None;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        Some(executor)
    };
    let mut executor = (0..3).find_map(|_| begun()).expect("there is a port");
    // SAFETY: the process is a child of this one, and has not been waited for.
    assert_eq!(unsafe { libc::kill(executor.id().cast_signed(), libc::SIGTERM) }, 0);
    assert_eq!(executor.wait().unwrap().code(), Some(143));
    assert_eq!(std::fs::read_dir(place.path("work")).unwrap().count(), 0);
}

#[test]
fn a_cluster_without_executors_says_so() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1", "Seen by Dr. Ngozi Okafor on 03/04/2019.\n")]);
    let members = Members::start(&place, 0, &[]);
    let told = place.fail(75, &["sql", "--cluster", &members.address, "-c", "SELECT note_id FROM 'notes.jsonl'"]);
    assert!(told.contains("no executor asks it for work"), "{told}");
}

#[test]
fn the_sql_logic_tests_pass_on_two_executors() {
    let place = Place::new();
    let members = Members::start(&place, 2, &[]);
    let cluster = Cluster::new(&members.address, None).unwrap();
    run_logic_tests(&|| {
        let deidentifier = Arc::new(Deidentifier::new().with_key(Key::from_hex(KEY).unwrap()));
        let upgraded = upgraded_session(&deidentifier, 2, &|state| cluster.upgrade(state, &deidentifier));
        Session { context: upgraded.unwrap(), engine: "cluster" }
    });
}

#[test]
fn statements_give_what_they_give_in_one_process() {
    let place = warehouse(400);
    let members = Members::start(&place, 2, &["--patients", "wh/patients"]);
    let ask = |cluster: bool, setting: &str, table: &str| {
        let statement = format!("{setting}SELECT note_id, deidentify(text, patient_id) AS text FROM {table}");
        let mut arguments =
            vec!["sql", "--key-file", "key", "--patients", "wh/patients", "--format", "json", "-c", &statement];
        if !table.starts_with('\'') {
            arguments.extend(["--notes", "tree"]);
        }
        if cluster {
            arguments.extend(["--cluster", &members.address]);
        }
        let mut lines: Vec<_> = place.succeed(&arguments).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let alone = ask(false, "", "'tree/'");
    assert_eq!(alone.len(), 400);
    for setting in ["", "SET plainsight.distinct_detection = false; "] {
        for table in ["'tree/'", "notes"] {
            assert!(ask(true, setting, table) == alone, "{setting}{table}");
        }
    }
    // The plan is the rewritten one, cut into stages.
    let explained = "EXPLAIN SELECT deidentify(text, patient_id) FROM 'tree/'";
    let plan = place.succeed(&[
        "sql",
        "--key-file",
        "key",
        "--patients",
        "wh/patients",
        "--cluster",
        &members.address,
        "-c",
        explained,
    ]);
    assert!(plan.contains("JoinBack"), "{plan}");
}

#[test]
fn mistakes_in_statements_are_told_as_in_one_process() {
    let place = warehouse(20);
    let members = Members::start(&place, 1, &[]);
    let ask = |cluster: bool, statement: &str| {
        let further: &[&str] = if cluster { &["--cluster", &members.address] } else { &[] };
        place.plainsight(&[&["sql", "--key-file", "key", "-c", statement], further].concat())
    };
    for (statement, told) in [
        ("SELECT deidentify(text, patient_id, 'Z') FROM 'tree/'", "argument `policy` is no policy"),
        ("SELECT 1 / (length(text) - length(text)) FROM 'tree/'", "Divide by zero"),
        ("SELECT CAST(text AS INT) FROM 'tree/'", "Cast error"),
    ] {
        let outputs = [false, true].map(|cluster| ask(cluster, statement));
        let told_by = |output: &std::process::Output| String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(outputs.iter().all(|output| told_by(output).contains(told)), "{statement}: {outputs:?}");
        assert_eq!(outputs[0].status.code(), outputs[1].status.code(), "{statement}");
    }
    let recursive =
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT * FROM t ORDER BY n";
    assert_eq!(ask(true, recursive).stdout, ask(false, recursive).stdout);
    let of_a_table = "WITH RECURSIVE t(n) AS (SELECT count(*) FROM 'tree/' UNION ALL SELECT n - 1 FROM t WHERE n > 9) SELECT * FROM t";
    assert!(String::from_utf8_lossy(&ask(true, of_a_table).stderr).contains("recursive query"));
}

/// What an unset form of a date or time becomes on the way would be an empty field.
#[test]
fn files_are_written_as_in_one_process() {
    let place = warehouse(20);
    let members = Members::start(&place, 1, &[]);
    let copy = |folder: &str, options: &str, further: &[&str]| {
        let statement = format!(
            "COPY (SELECT note_id, note_datetime AS seen, CAST(note_datetime AS DATE) AS day, CAST(note_datetime AS TIME) AS clock, \
             CAST(NULL AS DATE) AS never, CAST(note_datetime AS TIMESTAMP) + INTERVAL '1 millisecond' AS exact \
             FROM 'tree/' ORDER BY note_id) TO '{folder}.csv' {options}"
        );
        place.succeed(&[&["sql", "--key-file", "key", "-c", &statement], further].concat());
        std::fs::read_to_string(place.path(&format!("{folder}.csv"))).unwrap()
    };
    for (name, options) in [("plain", ""), ("said", "OPTIONS ('format.timestamp_format' '%d/%m/%Y')")] {
        let alone = copy(&format!("{name}-alone"), options, &[]);
        assert!(alone.lines().count() == 21 && alone.contains(':'), "{alone}");
        assert_eq!(copy(&format!("{name}-there"), options, &["--cluster", &members.address]), alone);
    }
    // A table of the session is nowhere else.
    let change = "CREATE TABLE t AS SELECT note_id FROM 'tree/'; INSERT INTO t SELECT note_id FROM 'tree/'";
    let told = place.fail(2, &["sql", "--key-file", "key", "--cluster", &members.address, "-c", change]);
    assert!(told.contains("ask it without --cluster"), "{told}");
}

/// The worked queries, but those over what a run has kept on its own machine.
#[test]
fn worked_queries_give_what_they_give_in_one_process() {
    let (place, source) = (Place::new(), Path::new(env!("CARGO_MANIFEST_DIR")));
    for folder in ["examples", "sql"] {
        std::os::unix::fs::symlink(source.join(folder), place.path(folder)).unwrap();
    }
    std::fs::write(place.path("list.txt"), "No acute distress.\n").unwrap();
    let (notes, known) = (
        ["--notes", "examples/warehouse/notes"],
        ["--patients", "examples/warehouse/patients", "--inclusion", "list.txt"],
    );
    let run = [&["run", "--out", "deidentified", "--key-file", "key"], &notes[..], &known].concat();
    place.succeed(&run);
    place.succeed(&[&["detect", "--out", "spans.parquet", "--key-file", "key"], &notes[..], &known].concat());
    let members = Members::start(&place, 2, &known);
    let mut asked = 0;
    for file in files_below(&source.join("sql/queries")).iter().filter(|file| file.extension() == Some("sql".as_ref()))
    {
        if std::fs::read_to_string(file).unwrap().contains("--work work") {
            continue;
        }
        let rows = |further: &[&str]| {
            let ask = ["sql", "--key-file", "key", "--format", "json", "-f", file.to_str().unwrap()];
            let rows = place.succeed(&[&ask, &notes[..], &known, further].concat());
            let mut rows: Vec<_> = rows.lines().map(str::to_owned).collect();
            rows.sort();
            rows
        };
        assert_eq!(rows(&["--cluster", &members.address]), rows(&[]), "{}", file.display());
        asked += 1;
    }
    assert!(asked >= 13, "{asked} worked queries");
}

#[test]
fn tables_of_delta_lake_are_read_and_not_written() {
    let place = warehouse(60);
    let members = Members::start(&place, 2, &[]);
    let make = "CREATE EXTERNAL TABLE t (note_id TEXT, patient_id TEXT, text TEXT) STORED AS DELTA LOCATION 'table'; \
                INSERT INTO t SELECT note_id, patient_id, text FROM 'tree/'";
    place.succeed(&["sql", "-c", make]);
    let ask = |statement: &str, further: &[&str]| {
        place.plainsight(&[&["sql", "--key-file", "key", "--format", "csv", "-c", statement], further].concat())
    };
    let (statement, on_cluster) =
        ("SELECT note_id, deidentify(text, patient_id) FROM 'table' ORDER BY note_id", ["--cluster", &members.address]);
    let alone = ask(statement, &[]);
    assert!(alone.status.success() && alone.stdout.len() > 5000);
    assert_eq!(ask(statement, &on_cluster).stdout, alone.stdout);
    for rows in ["SELECT note_id, patient_id, text FROM 'tree/'", "SELECT 'N', 'P', 'a'"] {
        let insert = format!("CREATE EXTERNAL TABLE t STORED AS DELTA LOCATION 'table'; INSERT INTO t {rows}");
        let refused = ask(&insert, &on_cluster);
        assert!(String::from_utf8_lossy(&refused.stderr).contains("does not append to a Delta table"));
    }
    assert_eq!(ask(statement, &[]).stdout, alone.stdout);
}

/// The files of an output, and those of the same run in one process.
fn outputs(place: &Place, out: &str) -> (BTreeMap<String, bytes::Bytes>, BTreeMap<String, bytes::Bytes>) {
    place.run("tree", &["--patients", "wh/patients"]);
    (Output::Local(place.path(out)).lasting(), Output::Local(place.path("out")).lasting())
}

fn run_on<'a>(members: &'a Members, out: &'a str) -> [&'a str; 17] {
    let address = members.address.as_str();
    [
        "run",
        "--notes",
        "tree",
        "--patients",
        "wh/patients",
        "--out",
        out,
        "--key-file",
        "key",
        "--cluster",
        address,
        "--tasks",
        "3",
        "--exchange",
        "exchange",
        "--log-format",
        "json",
    ]
}

#[test]
fn a_run_on_a_cluster_writes_what_one_process_writes() {
    let place = warehouse(300);
    // More tasks than places for them.
    let members = Members::start(&place, 2, &["--patients", "wh/patients"]);
    let told = place.succeed(&run_on(&members, "clustered"));
    assert!(told.contains("report: "), "{told}");
    let (clustered, alone) = outputs(&place, "clustered");
    assert_eq!(difference(&clustered, &alone), [""; 0]);
    // Nothing is left of what is confidential, and a second time there is nothing to do.
    assert!(files_below(&place.path("exchange")).iter().all(|file| file.ends_with("_plainsight-exchange")));
    let fail_if_empty = [&run_on(&members, "clustered")[..], &["--fail-if-empty"]].concat();
    assert_eq!(place.plainsight(&fail_if_empty).status.code(), Some(3));
    std::fs::create_dir(place.path("empty")).unwrap();
    let mut without_notes = run_on(&members, "none");
    for (notes, code) in [("empty", 0), ("nowhere", 1)] {
        without_notes[2] = notes;
        assert_eq!(place.plainsight(&without_notes).status.code(), Some(code), "{notes}");
        let asked = [&without_notes[..], &["--fail-if-empty"]].concat();
        assert_eq!(place.plainsight(&asked).status.code(), Some(3), "{notes}");
    }
}

/// Waits until a task of a run has handed something to the others; or the run has ended.
fn wait_for_work(place: &Place, run: &mut Child) {
    let exchange = Output::Local(place.path("exchange"));
    while run.try_wait().unwrap().is_none() && !exchange.names().iter().any(|name| name.contains("/done/")) {
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_run_outlives_its_executors_and_goes_on_after_its_scheduler() {
    let place = warehouse(300);
    let further = ["--patients", "wh/patients"];
    let mut members = Members::start(&place, 2, &further);
    let mut run =
        place.command(&run_on(&members, "clustered")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for_work(&place, &mut run);
    members.executors[0].kill().unwrap();
    members.executors[0].wait().unwrap();
    assert!(run.wait().unwrap().success(), "an executor was lost");
    let (clustered, alone) = outputs(&place, "clustered");
    assert_eq!(difference(&clustered, &alone), [""; 0]);

    let mut run =
        place.command(&run_on(&members, "again")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for_work(&place, &mut run);
    members.scheduler.kill().unwrap();
    members.scheduler.wait().unwrap();
    assert!(!run.wait().unwrap().success(), "the scheduler was lost");
    let members = Members::start(&place, 1, &further);
    place.succeed(&run_on(&members, "again"));
    let again = Output::Local(place.path("again")).lasting();
    assert_eq!(difference(&again, &alone), [""; 0]);
}

#[test]
fn executors_that_would_answer_otherwise_refuse() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1", "Seen by Dr. Ngozi Okafor on 03/04/2019.\n")]);
    place.write_lines("patients.jsonl", &[serde_json::json!({"patient_id": "P1", "family_name": "Lee"})]);
    let members = Members::start(&place, 1, &[]);
    let ask = |further: &[&str]| {
        let statement = "SELECT deidentify(text, patient_id) FROM 'notes.jsonl'";
        place.plainsight(&[&["sql", "--cluster", &members.address, "-c", statement], further].concat())
    };
    assert!(ask(&["--key-file", "key"]).status.success());
    std::fs::write(place.path("other"), "ab".repeat(32)).unwrap();
    for further in [
        &["--key-file", "other"][..],
        &["--key-file", "key", "--policy", "A"],
        &["--key-file", "key", "--replace", "tag"],
        &["--key-file", "key", "--context", "none"],
        &["--key-file", "key", "--ensemble", "fast"],
        &["--key-file", "key", "--patients", "patients.jsonl"],
    ] {
        let output = ask(further);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && message.contains("differs from this session"), "{further:?}: {message}");
        assert!(!message.contains("Okafor") && output.stdout.is_empty(), "{message}");
    }
}

/// An authority, and a certificate that it or another vouches for.
fn certificates(place: &Place, name: &str) {
    use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let issued = authority.self_signed(&key).unwrap();
    let issuer = Issuer::new(authority, key);
    let own = KeyPair::generate().unwrap();
    let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
    let certificate = CertificateParams::new(names).unwrap().signed_by(&own, &issuer).unwrap();
    for (ending, text) in [("ca", issued.pem()), ("cert", certificate.pem()), ("key", own.serialize_pem())] {
        std::fs::write(place.path(&format!("{name}.{ending}")), text).unwrap();
    }
    set_mode(place, &format!("{name}.key"), 0o600);
}

fn set_mode(place: &Place, name: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(place.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn members_show_one_another_certificates() {
    let place = Place::new();
    place.write_lines("notes.jsonl", &[note(1, "P1", "Seen by Dr. Ngozi Okafor on 03/04/2019.\n")]);
    certificates(&place, "site");
    certificates(&place, "stranger");
    let site = ["--cluster-cert", "site.cert", "--cluster-key", "site.key", "--cluster-ca", "site.ca"];
    let scheduler = [&["cluster", "scheduler", "--listen", "127.0.0.1:0"][..], &site].concat();
    // A key that others can read shows them to be anybody.
    let executor = ["cluster", "executor", "--work", "x", "--key-file", "key"];
    for (file, flag, command) in
        [("site.key", "--cluster-key", scheduler.clone()), ("key", "--key-file", executor.to_vec())]
    {
        set_mode(&place, file, 0o644);
        let told = place.fail(2, &command);
        assert!(told.contains(flag) && told.contains("chmod 600"), "{told}");
        set_mode(&place, file, 0o600);
    }
    let (scheduler, line) = started(&place, &scheduler);
    let address = line.strip_prefix("listening on ").unwrap().to_owned();
    let mut members = Members { scheduler, executors: Vec::new(), address: address.clone() };
    members.join(&place, &site);
    let ask = |further: &[&str]| {
        let statement = "SELECT note_id FROM 'notes.jsonl'";
        place.plainsight(&[&["sql", "--key-file", "key", "--cluster", &address, "-c", statement], further].concat())
    };
    let output = ask(&site);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let stranger = ["--cluster-cert", "stranger.cert", "--cluster-key", "stranger.key", "--cluster-ca", "site.ca"];
    let without = ask(&[]);
    assert_eq!(without.status.code(), Some(2), "{}", String::from_utf8_lossy(&without.stderr));
    // That it goes well another time is not to be expected.
    assert_eq!(ask(&stranger).status.code(), Some(1));
    // A stranger is no executor either, and without certificates nobody listens to other machines.
    let stranger = [
        &["cluster", "executor", "--work", "x", "--scheduler"],
        &[address.strip_prefix("df://").unwrap()][..],
        &stranger,
    ]
    .concat();
    let listen = format!("127.0.0.1:{}", free_port());
    assert!(!place.plainsight(&[&stranger[..], &["--listen", &listen]].concat()).status.success());
    place.fail(2, &["cluster", "scheduler", "--listen", "0.0.0.0:0"]);
    place.fail(2, &["sql", "--cluster", "df://10.9.8.7:50050", "-c", "SELECT 1"]);
}

#[test]
fn a_server_has_its_notes_de_identified_by_a_cluster() {
    let place = warehouse(120);
    let token = token(&place, "ann", "deidentified");
    let members = Members::start(&place, 1, &[]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let rows = |further: &[&str]| {
        let server = Server::start(&place, "tree", further);
        runtime.block_on(async {
            let mut client = server.client(&token).await;
            let batches =
                ask(&mut client, "SELECT note_id, text FROM notes WHERE note_type <> 'x' ORDER BY note_id, text")
                    .await
                    .unwrap();
            arrow::util::pretty::pretty_format_batches(&batches).unwrap().to_string()
        })
    };
    let alone = rows(&[]);
    assert!(alone.lines().count() > 120);
    assert_eq!(rows(&["--cluster", &members.address]), alone);
}
