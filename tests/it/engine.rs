//! The corpus engine: counting, the span cache, the memory limit, detection of each occurrence, and the inclusion list.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use datafusion::physical_plan::{ExecutionPlan, collect};
use plainsight::corpus::schema::ColumnOptions;
use plainsight::corpus::{Deidentifier, Location, limited_session, register_notes};
use plainsight::surrogate::Key;
use plainsight::text::{ContextMode, sentences};
use serde_json::{Value, json};

use super::support::{KEY, Place, note, strings};

/// A small warehouse with its records.
fn warehouse(notes: usize) -> Place {
    let place = Place::new();
    place.succeed(&["generate", "--notes", &notes.to_string(), "--patients", "30", "--seed", "3", "--out", "wh"]);
    place
}

const RECORDS: [&str; 2] = ["--patients", "wh/patients"];

/// The notes that a run wrote, file by file.
fn written(place: &Place, out: &str) -> Vec<String> {
    place.values(out, "text")
}

fn asked(place: &Place) -> Vec<u64> {
    let members = place.report()["cache"].as_array().unwrap().clone();
    members.iter().map(|member| member["asked"].as_u64().unwrap()).collect()
}

fn lines(output: &str) -> Vec<Value> {
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn counts_are_those_of_a_count_by_hand() {
    let place = warehouse(400);
    // Notes without a patient count as of one. And a sentence twice in one note.
    let mut notes = vec![note(9001, "P1", "Stable. Stable.\nPlan:\nRest"), note(9002, "P1", "Stable.\nDiet:\nRest")];
    notes.push(json!({"note_id": "N9003", "patient_id": null, "text": "Stable."}));
    notes.push(json!({"note_id": "N9004", "patient_id": null, "text": "Stable."}));
    let generated =
        place.succeed(&["sql", "--format", "json", "-c", "SELECT note_id, patient_id, text FROM 'wh/notes/'"]);
    notes.extend(lines(&generated));
    place.write_lines("notes/a.jsonl", &notes[..250]);
    place.write_lines("notes/b.jsonl", &notes[250..]);
    place.run("notes", &["--work", "work", "--partitions", "2"]);

    #[derive(Default, PartialEq, Debug)]
    struct Count {
        occurrences: u64,
        notes: BTreeSet<String>,
        patients: BTreeSet<String>,
    }
    let mut expected: BTreeMap<[String; 2], Count> = BTreeMap::new();
    for note in &notes {
        let (id, text) = (note["note_id"].as_str().unwrap(), note["text"].as_str().unwrap());
        let cut: Vec<_> = sentences(text).collect();
        for sentence in ContextMode::Short.sentences(text, &cut) {
            let count = expected.entry([sentence.before.to_owned(), sentence.text.to_owned()]).or_default();
            count.occurrences += 1;
            count.notes.insert(id.to_owned());
            count.patients.insert(note["patient_id"].as_str().unwrap_or_default().to_owned());
        }
    }
    let statement = "SELECT before, text, occurrences, notes, patients FROM sentences";
    let counted =
        lines(&place.succeed(&["sql", "--key-file", "key", "--work", "work", "--format", "json", "-c", statement]));
    assert_eq!(counted.len(), expected.len());
    for row in &counted {
        let part = |name: &str| row[name].as_str().unwrap().to_owned();
        let count = &expected[&[part("before"), part("text")]];
        let numbers = [count.occurrences, count.notes.len() as u64, count.patients.len() as u64];
        assert_eq!(["occurrences", "notes", "patients"].map(|name| row[name].as_u64().unwrap()), numbers);
    }
    assert_eq!(
        expected[&["Plan:".to_owned(), "Rest".to_owned()]].occurrences,
        1,
        "a fragment is counted by its context"
    );
}

#[test]
fn stages_run_by_hand_as_they_do_in_a_run() {
    let place = warehouse(60);
    place.run("wh/notes", &["--work", "work"]);
    let by_hand = |statement: &str| {
        let arguments = ["sql", "--key-file", "key", "--notes", "wh/notes", "--work", "work", "--format", "json", "-c"];
        let mut rows = lines(&place.succeed(&[&arguments[..], &[statement]].concat()));
        rows.sort_by_key(ToString::to_string);
        rows
    };
    for (stage, table) in
        [("count", "counts"), ("sentences", "sentences"), ("detect", "claims"), ("second-pass", "second_pass")]
    {
        let statement = place.succeed(&["explain", stage, "--sql"]);
        assert_eq!(by_hand(&statement), by_hand(&format!("SELECT * FROM {table}")), "{stage}");
    }
    let spans = by_hand(&place.succeed(&["explain", "join", "--sql"]));
    place.succeed(&["detect", "--notes", "wh/notes", "--key-file", "key", "--out", "spans.jsonl"]);
    assert_eq!(spans.len(), std::fs::read_to_string(place.path("spans.jsonl")).unwrap().lines().count());
    assert!(place.fail(2, &["explain", "guess"]).contains("is no stage"));
}

#[test]
fn each_occurrence_by_itself_gives_the_same() {
    let place = warehouse(300);
    place.run("wh/notes", &RECORDS);
    let once = written(&place, "out");
    place.run("wh/notes", &[&RECORDS[..], &["--no-dedupe", "--overwrite"]].concat());
    assert_eq!(written(&place, "out"), once);
    place.run("wh/notes", &[&RECORDS[..], &["--no-dedupe", "--no-second-pass", "--overwrite"]].concat());
    assert_ne!(written(&place, "out"), once);
}

#[test]
fn what_is_remembered_is_not_asked_again() {
    let place = warehouse(200);
    // Patterns and dictionaries, and a CRF: two members.
    let ensemble = |name: &str, threshold: &str| {
        let text = format!(
            "format = 1\n[[member]]\nkind = \"knowledge\"\n[[member]]\nkind = \"crf\"\npath = \"shipped:crf-phi/model.crf\"\n\
             thresholds = {{ default = {threshold} }}\n"
        );
        std::fs::write(place.path(name), text).unwrap();
    };
    ensemble("loose.toml", "0.2");
    ensemble("strict.toml", "0.95");
    let run = |ensemble: &str, further: &[&str]| {
        place.run("wh/notes", &[&["--ensemble", ensemble, "--overwrite"], further].concat());
        written(&place, "out")
    };
    let cached = ["--cache", "cache"];
    let fresh = run("loose.toml", &[]);
    assert_eq!(place.report()["cache"], json!([]));
    let first = run("loose.toml", &cached);
    let distinct = place.report()["sentences"]["distinct"].as_u64().unwrap();
    assert_eq!(asked(&place), [distinct, distinct]);
    let second = run("loose.toml", &cached);
    assert_eq!(asked(&place), [0, 0]);
    assert_eq!((&first, &second), (&fresh, &fresh));

    // Thresholds are applied to what is remembered.
    let strict = run("strict.toml", &cached);
    assert_eq!(asked(&place), [0, 0]);
    assert_eq!(strict, run("strict.toml", &[]));
    assert_ne!(strict, fresh);

    // A site's dictionary changes what patterns and dictionaries say together, and nothing else.
    std::fs::write(place.path("site.tsv"), "HOSPITAL\tZebra Room\n").unwrap();
    run("loose.toml", &["--cache", "cache", "--dictionary", "site.tsv"]);
    assert_eq!(asked(&place), [distinct, 0]);

    // New notes cost their new sentences.
    place.write_lines(
        "grown/a.jsonl",
        &[note(1, "P1", "Seen by Dr. Okafor of Zzyzx."), note(2, "P2", "Feels zzyzx well.")],
    );
    place.run("grown", &["--ensemble", "loose.toml", "--overwrite", "--cache", "cache"]);
    assert_eq!(asked(&place), [2, 2]);
    place.write_lines("grown/b.jsonl", &[note(3, "P1", "Feels zzyzx well. He came to zzyzx late.")]);
    place.run("grown", &["--ensemble", "loose.toml", "--overwrite", "--cache", "cache"]);
    assert_eq!(asked(&place), [1, 1]);

    // What is remembered is under a key: another key finds nothing.
    std::fs::write(place.path("key"), KEY.replace('0', "f")).unwrap();
    run("loose.toml", &cached);
    assert_eq!(asked(&place), [distinct, distinct]);
}

#[test]
fn a_damaged_cache_stops_the_run_and_none_lies_in_the_output() {
    let place = warehouse(30);
    place.run("wh/notes", &["--cache", "cache"]);
    let mut files = super::support::files_below(&place.path("cache"));
    files.retain(|file| file.extension().is_some_and(|ending| ending == "idx"));
    let segment = files.remove(0);
    let whole = std::fs::read(&segment).unwrap();
    std::fs::write(&segment, &whole[..whole.len() / 2]).unwrap();
    let arguments = ["run", "--notes", "wh/notes", "--out", "out", "--key-file", "key", "--overwrite", "--cache"];
    assert!(place.fail(1, &[&arguments[..], &["cache"]].concat()).contains("no whole index"));
    assert!(place.fail(2, &[&arguments[..], &["out/cache"]].concat()).contains("lie in one another"));
}

/// A job that goes on from what a work location has must not take what is damaged there for nothing known.
#[test]
fn a_damaged_index_of_a_kept_work_location_stops_the_run() {
    let place = warehouse(120);
    let kept = [&RECORDS[..], &["--work", "work"]].concat();
    place.run("wh/notes", &kept);
    let again = ["run", "--notes", "wh/notes", "--key-file", "key", "--overwrite", "--out", "again"];
    let again = [&again[..], &kept[..]].concat();
    place.succeed(&again);
    assert_eq!(written(&place, "again"), written(&place, "out"));
    for name in ["dictionaries.idx", "claims.idx"] {
        let index = place.path("work").join(name);
        let whole = std::fs::read(&index).unwrap();
        let mut damaged = whole.clone();
        // The values come first, and are a quarter of it at least.
        let some = damaged.len() / 8;
        damaged[64..some].fill(0);
        std::fs::write(&index, damaged).unwrap();
        let told = place.fail(1, &again);
        assert!(told.contains(name) && told.contains("damaged; remove it"), "{told}");
        std::fs::write(&index, whole).unwrap();
    }
    std::fs::remove_dir_all(place.path("work")).unwrap();
    place.succeed(&again);
    assert_eq!(written(&place, "again"), written(&place, "out"));
}

/// How often the operators of a plan have written to disk.
fn spills(plan: &Arc<dyn ExecutionPlan>) -> usize {
    let own = plan.metrics().and_then(|metrics| metrics.spill_count()).unwrap_or_default();
    own + plan.children().into_iter().map(spills).sum::<usize>()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn grouping_goes_to_disk_within_the_limit_and_counts_the_same() {
    let place = Place::new();
    // Skewed: one sentence in every line, one patient of most notes; and many sentences that occur once.
    let line =
        |note: usize, line: usize| format!("No change. Value {note} of {line} was seen again by the team today.\n");
    let text = |id: usize| (0..300).map(|number| line(id, number)).collect::<String>();
    let notes: Vec<_> = (0..1_500).map(|id| note(id, if id % 10 == 0 { "P2" } else { "P1" }, &text(id))).collect();
    place.write_lines("notes/a.jsonl", &notes[..700]);
    place.write_lines("notes/b.jsonl", &notes[700..]);
    let root = |name: &str| Location::parse(&place.path(name).to_string_lossy()).unwrap();
    let deidentifier = Arc::new(Deidentifier::new().with_key(Key::from_hex(KEY).unwrap()));
    let counted = async |memory: Option<u64>| {
        let spill = root("spill");
        std::fs::create_dir_all(place.path("spill")).unwrap();
        let context = limited_session(&deidentifier, 2, memory, Some(&spill)).unwrap();
        register_notes(&context, &root("notes"), &ColumnOptions::default(), 2).await.unwrap();
        let plan =
            context.sql(include_str!("../../sql/count.sql")).await.unwrap().create_physical_plan().await.unwrap();
        let batches = collect(Arc::clone(&plan), context.task_ctx()).await.unwrap();
        context
            .register_batch("counts", arrow::compute::concat_batches(&batches[0].schema(), &batches).unwrap())
            .unwrap();
        let totals = "SELECT count(*) AS rows, sum(occurrences) AS all, max(occurrences) AS most, max(patients) AS patients FROM counts";
        let totals = context.sql(totals).await.unwrap().collect().await.unwrap();
        (arrow::util::pretty::pretty_format_batches(&totals).unwrap().to_string(), spills(&plan))
    };
    let (free, none) = counted(None).await;
    let (limited, some) = counted(Some(48 << 20)).await;
    assert_eq!(none, 0);
    assert!(some > 0, "nothing was written to disk, so the limit was not felt");
    assert_eq!(free, limited);
    assert!(free.contains("450001") && free.contains("450000"), "{free}");
}

#[test]
fn what_is_sorted_or_grouped_on_disk_leaves_memory_to_what_merges_and_writes_it() {
    let place = Place::new();
    // Strings that are copied, as those of claims: views of strings are counted by the engine as often as they are seen.
    let sorted = "SELECT hash AS h, [named_struct('at', value, 'hash', hash)] AS v
        FROM (SELECT value, arrow_cast(md5(CAST(value AS VARCHAR)), 'Utf8') AS hash FROM generate_series(1, 3000000))
        ORDER BY h";
    let grouped = "SELECT h, sum(n) AS n, count(*) AS p, min(first) AS first
        FROM (
            SELECT h, v % 1000 AS p, count(*) AS n, min(v) AS first
            FROM (SELECT sha256(CAST(value % 2000000 AS VARCHAR)) AS h, value AS v FROM generate_series(1, 3000000))
            GROUP BY h, v % 1000
        )
        GROUP BY h";
    for (statement, check, expected) in [
        (sorted, "SELECT count(DISTINCT h), sum(v[1]['at']) FROM 'sorted.parquet'", "3000000,4500001500000"),
        (
            grouped,
            "SELECT count(*), sum(n), min(first), max(first) FROM 'grouped.parquet'",
            "2000000,3000000,1,2000000",
        ),
    ] {
        let file = check.rsplit('\'').nth(1).unwrap();
        place.succeed(&["sql", "--memory", "64MiB", "-c", &format!("COPY ({statement}) TO '{file}'")]);
        let told = place.succeed(&["sql", "--format", "csv", "-c", check]);
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn a_run_within_little_memory_writes_the_same() {
    let place = warehouse(300);
    place.run("wh/notes", &RECORDS);
    let free = written(&place, "out");
    place.run("wh/notes", &[&RECORDS[..], &["--memory", "64MiB", "--overwrite"]].concat());
    assert_eq!(written(&place, "out"), free);
    assert!(place.fail(2, &["run", "--notes", "wh/notes", "--out", "o", "--memory", "1MiB"]).contains("64MiB"));
    assert!(place.fail(2, &["run", "--notes", "wh/notes", "--out", "o", "--memory", "lots"]).contains("2GiB"));
}

#[test]
fn only_what_was_approved_is_exempt() {
    let place = Place::new();
    let text = "Plan:\nRest\nNo acute distress today at all.\nSeen by Dr. Okafor this morning again.\nMother of Zenobia came along too.";
    let notes: Vec<_> = (0..12).map(|id| note(id, &format!("P{id}"), text)).collect();
    place.write_lines("notes.jsonl", &notes);
    let build = ["inclusion", "build", "--notes", "notes.jsonl", "--key-file", "key"];
    let told = place.succeed(&[&build[..], &["--out", "list.csv"]].concat());
    assert!(told.starts_with("5 candidates, 60 sentences of the notes; 2 are set apart"), "{told}");
    assert!(place.fail(1, &[&build[..], &["--out", "list.csv"]].concat()).contains("already"));
    let few = place.succeed(&[&build[..], &["--out", "few.csv", "--patients-at-least", "13"]].concat());
    assert!(few.starts_with("0 candidates"), "{few}");

    let listed = |place: &Place| {
        place.run("notes.jsonl", &["--inclusion", "list.csv", "--overwrite"]);
        place.report()["sentences"]["listed"].as_u64().unwrap()
    };
    assert_eq!(listed(&place), 0, "candidates are not exempt before somebody approves");
    let approve = ["inclusion", "approve", "list.csv", "--reviewer", "Meyer", "--reason", "read", "--all-unclaimed"];
    place.succeed(&approve);
    assert_eq!(listed(&place), 3);
    assert!(place.succeed(&["inclusion", "stats", "list.csv", "--sentences", "72"]).contains("50.0 %"));
    assert!(place.fail(2, &["inclusion", "stats", "list.csv", "--sentences", "35"]).contains("--sentences is less"));
    let first = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
    assert!(first.contains("No acute distress") && !first.contains("Okafor") && !first.contains("Zenobia"));

    // A fragment is exempt after its own line only.
    place.write_lines("other.jsonl", &[note(1, "P1", "Wife:\nRest")]);
    place.run("other.jsonl", &["--inclusion", "list.csv", "--overwrite"]);
    assert_eq!(place.report()["sentences"]["listed"], 0);
}

#[test]
fn what_a_validation_left_unmarked_can_be_listed() {
    let place = Place::new();
    let text = "No change since March.\nHe was well.\nHe was well.";
    place.write_lines("notes.jsonl", &[note(1, "P1", text), note(2, "P2", "He was well.\nNo change since March.")]);
    place.write_lines("gold.jsonl", &[json!({"note_id": "N1", "start": 16, "end": 21, "label": "DATE"})]);
    let build = "inclusion build --notes notes.jsonl --key-file key --from-gold gold.jsonl --out list.csv";
    let told = place.succeed(&build.split(' ').collect::<Vec<_>>());
    // Nobody says that the other note was read.
    let expected = "1 of 2 notes are annotated, and are taken\n1 candidates, 2 sentences of the notes; 0 are set apart";
    assert!(told.starts_with(expected), "{told}");
    assert!(std::fs::read_to_string(place.path("list.csv")).unwrap().contains("He was well.,,,2,1,1,gold"));
}

#[test]
fn how_a_corpus_repeats_itself() {
    let place = Place::new();
    let notes: Vec<_> = (0..20)
        .map(|id| {
            note(
                id,
                &format!("P{}", id / 2),
                &format!("No acute distress today at all. Value {id} is a new one every time."),
            )
        })
        .collect();
    place.write_lines("notes.jsonl", &notes);
    let count = ["count", "--notes", "notes.jsonl", "--key-file", "key"];
    let told: Value =
        serde_json::from_str(&place.succeed(&[&count[..], &["--format", "json", "--plot", "c.svg"]].concat())).unwrap();
    assert_eq!([&told["notes"], &told["sentences"], &told["distinct"]], [20, 40, 21]);
    assert_eq!(told["top"][0], json!({"rank": 1, "occurrences": 20, "share": 0.5}));
    assert_eq!(
        told["by_patients"],
        json!([
            {"patients": 1, "distinct": 20, "occurrences": 20},
            {"patients": 10, "distinct": 1, "occurrences": 20},
        ])
    );
    let growth: Vec<u64> =
        told["growth"].as_array().unwrap().iter().map(|point| point["distinct"].as_u64().unwrap()).collect();
    assert_eq!(growth, [3, 5, 7, 9, 11, 13, 15, 17, 19, 21]);
    assert!(std::fs::read_to_string(place.path("c.svg")).unwrap().starts_with("<svg"));
    assert!(place.succeed(&count).contains("21      52.5 %"));
    let before = std::fs::read(place.path("notes.jsonl")).unwrap();
    place.fail(2, &[&count[..], &["--plot", "notes.jsonl"]].concat());
    place.fail(2, &[&count[..], &["--work", "work", "--plot", "work/c.svg"]].concat());
    assert_eq!(std::fs::read(place.path("notes.jsonl")).unwrap(), before);
}

#[test]
fn templates_of_one_sample_tag_another() {
    let place = Place::new();
    let signed = |id: usize, name: &str| format!("Note signed by {name}, on 3/{}/2019.\nNo change.", id % 27 + 1);
    let names = ["OKAFOR", "BRANDVOLD", "LINDQVIST", "ABERNATHY", "ZAMBRANO", "KOWALCZYK"];
    let notes: Vec<_> =
        (0..36).map(|id| note(id, &format!("P{id}"), &signed(id, &format!("Dr. {}", names[id % 6])))).collect();
    place.write_lines("notes.jsonl", &notes);
    let harvest = ["templates", "harvest", "--notes", "notes.jsonl", "--key-file", "key", "--out", "t.toml"];
    let told = place.succeed(&[&harvest[..], &["--conflicts", "conflicts.txt"]].concat());
    assert!(told.starts_with("1 templates, which 36 sentences of the notes match; 0 shapes conflict"), "{told}");
    let file = std::fs::read_to_string(place.path("t.toml")).unwrap();
    assert!(file.contains("Note signed by Dr\\. (?<DOCTOR>") && file.contains("patients = 36"), "{file}");
    assert!(names.iter().all(|name| !file.contains(name)), "examples hold nobody");
    assert!(place.fail(1, &harvest).contains("already"));
    // Sentences of too few patients make none.
    let few: Vec<_> = (0..36).map(|id| note(id, "P1", &signed(id, &format!("Dr. {}", names[id % 6])))).collect();
    place.write_lines("few.jsonl", &few);
    let told =
        place.succeed(&["templates", "harvest", "--notes", "few.jsonl", "--key-file", "key", "--out", "few.toml"]);
    assert!(told.starts_with("0 templates"), "{told}");

    assert!(place.succeed(&["templates", "stats", "t.toml"]).contains("seen in the sample    1 templates"));
    let checked = place.succeed(&["templates", "check", "t.toml", "--notes", "few.jsonl", "--key-file", "key"]);
    let row: Vec<&str> = checked.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(row[1..], ["36", "36", "0", "0", "0"]);
    // One that lets a name pass is told, and is a failure.
    let losing = r#"
        [[template]]
        name = "losing"
        pattern = 'Note signed by Dr\. OKAFOR, on .{1,4}/(?<DATE>[0-9]+/[0-9]+)\.'
        matches = ["Note signed by Dr. OKAFOR, on 3/[DATE 4/2019]."]
    "#;
    std::fs::write(place.path("losing.toml"), losing).unwrap();
    let told = place.fail(2, &["templates", "check", "losing.toml", "--notes", "few.jsonl", "--key-file", "key"]);
    assert!(told.contains("template `losing`") && told.contains("let some of an identifier pass"), "{told}");
    // So is one that calls it what stays.
    let kept = losing
        .replace(".{1,4}/(?<DATE>[0-9]+/[0-9]+)", "(?<TIME>[0-9]{1,2}/[0-9]/20[0-9]{2})")
        .replace("3/[DATE 4/2019]", "[TIME 3/4/2019]");
    std::fs::write(place.path("kept.toml"), kept).unwrap();
    place.fail(2, &["templates", "check", "kept.toml", "--notes", "few.jsonl", "--key-file", "key"]);
    place.run("few.jsonl", &["--templates", "t.toml"]);
    assert_eq!(place.report()["sentences"]["template"], 36);
    assert!(!std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap().contains("OKAFOR"));
    let both = [
        "templates",
        "harvest",
        "--notes",
        "few.jsonl",
        "--key-file",
        "key",
        "--out",
        "x.toml",
        "--templates",
        "t.toml",
    ];
    assert!(place.fail(2, &both).contains("in the place of the detectors"));
}

#[test]
fn what_a_policy_keeps_is_no_slot_for_any_word() {
    let place = Place::new();
    let template = r#"
        [[template]]
        name = "job"
        pattern = 'Works as a (?<PROFESSION>\p{Alphabetic}+) in (?<DATE_year>[0-9]{1,4})\.'
        matches = ["Works as a [PROFESSION roofer] in [DATE:year 2019]."]
        [[template]]
        name = "age"
        pattern = 'Worked until age (?<AGE>[0-9]+)\.'
        matches = ["Worked until age [AGE 55]."]
    "#;
    std::fs::write(place.path("t.toml"), template).unwrap();
    let text = "Works as a Brandvold in 2019.\nWorked until age 55.\nWorked until age 94.";
    place.write_lines("notes.jsonl", &[note(1, "P1", text)]);
    let run = |policy: &str| {
        place.run("notes.jsonl", &["--templates", "t.toml", "--policy", policy, "--overwrite"]);
        std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap()
    };
    // C keeps jobs: what stands in the place of one is left to the detectors, however it is written. An age is told by its number.
    let kept = run("C");
    assert_eq!(place.report()["sentences"]["template"], 2);
    let arguments = ["run", "--notes", "notes.jsonl", "--out", "o", "--key-file", "key", "--templates", "t.toml"];
    let told = String::from_utf8(place.plainsight(&arguments).stderr).unwrap();
    assert!(told.contains("1 templates have slots for words that the policy keeps"), "{told}");
    assert!(kept.contains("until age 55") && !kept.contains("until age 94"), "{kept}");
    assert!(!run("D").contains("Brandvold"));
    assert_eq!(place.report()["sentences"]["template"], 3);
    let expression = template.replace(r"(?<PROFESSION>\p{Alphabetic}+)", "(?<PROFESSION>[A-Za-z]+( [A-Z][a-z]+)?)");
    std::fs::write(place.path("t.toml"), expression).unwrap();
    run("C");
    assert_eq!(place.report()["sentences"]["template"], 2);
    std::fs::write(place.path("t.toml"), template.replace(r"in (?<DATE_year>[0-9]{1,4})\.", ".*")).unwrap();
    let message = place.fail(2, &arguments);
    assert!(message.contains("template `job`") && message.contains("any word would pass"), "{message}");
}

#[test]
fn a_list_is_for_the_context_it_was_made_with_and_floors_need_patients() {
    let place = Place::new();
    let notes: Vec<_> = (0..12).map(|id| json!({"note_id": id, "text": "Lives near the old quarry house."})).collect();
    place.write_lines("nobody.jsonl", &notes);
    let build = ["inclusion", "build", "--key-file", "key", "--notes"];
    assert!(place.fail(2, &[&build[..], &["nobody.jsonl", "--out", "l.csv"]].concat()).contains("whose a note is"));
    let nulls: Vec<_> = (0..12)
        .map(|id| json!({"note_id": id, "patient_id": null, "text": "Lives near the old quarry house."}))
        .collect();
    place.write_lines("nulls.jsonl", &[&nulls[..], &[note(99, "P1", "Stable.")]].concat());
    assert!(place.succeed(&[&build[..], &["nulls.jsonl", "--out", "l.csv"]].concat()).starts_with("0 candidates"));
    let run = ["run", "--notes", "nulls.jsonl", "--out", "out", "--key-file", "key", "--inclusion", "l.csv"];
    let told = place.fail(2, &[&run[..], &["--context", "none"]].concat());
    assert!(told.contains("was made with --context short"), "{told}");
}

#[test]
fn what_is_confidential_lies_apart_and_is_closed_to_others() {
    let place = warehouse(30);
    let arguments = ["run", "--notes", "wh/notes", "--out", "out", "--key-file", "key", "--cache"];
    assert!(place.fail(2, &[&arguments[..], &["wh/notes/cache"]].concat()).contains("lie in one another"));
    std::fs::create_dir(place.path("mine")).unwrap();
    std::fs::write(place.path("mine/file"), "x").unwrap();
    assert!(place.fail(2, &[&arguments[..], &["mine"]].concat()).contains("no span cache"));
    // Of files of any kind notes are read.
    for (command, file) in [("inclusion build", "wh/notes/list.csv"), ("templates harvest", "wh/notes/t.toml")] {
        let command: Vec<&str> = command.split(' ').collect();
        let told =
            place.fail(2, &[&command[..], &["--notes", "wh/notes", "--key-file", "key", "--out", file]].concat());
        assert!(told.contains("name a file elsewhere") && !place.path(file).exists(), "{told}");
    }
    place.run("wh/notes", &["--cache", "cache", "--work", "work"]);
    #[cfg(unix)]
    for file in
        [super::support::files_below(&place.path("cache")), super::support::files_below(&place.path("work"))].concat()
    {
        use std::os::unix::fs::PermissionsExt;
        let is_index = file.extension().is_some_and(|ending| ending == "idx");
        let mode = std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert!(!is_index || mode == 0o600, "{} has the mode {mode:o}", file.display());
    }
}

/// The rows of an output in the order of their notes, whatever parts they lie in.
fn rows(place: &Place, out: &str) -> Vec<String> {
    let files = super::support::files_below(&place.path(out));
    let parts = files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    let mut rows: Vec<String> = parts
        .flat_map(|part| std::fs::read_to_string(part).unwrap().lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    rows.sort();
    rows
}

#[test]
fn an_output_grows_with_its_notes_as_if_it_were_made_anew() {
    let place = Place::new();
    let plain = |id: usize, patient: &str| note(id, patient, "Feels well today, and is eating again.");
    // The name is told by nothing in the first note; the later one tells it.
    place.write_lines("notes/b.jsonl", &[note(1, "P1", "Lakeview sent him home today."), plain(2, "P2")]);
    place.write_lines("notes/c.jsonl", &[plain(3, "P3"), plain(4, "P4")]);
    place.write_lines("notes/d.jsonl", &[plain(5, "P5")]);
    let grow = |further: &[&str]| place.run("notes", &[&["--incremental", "--cache", "cache"], further].concat());
    let growth = |place: &Place| {
        let report = place.report();
        let growth = &report["growth"];
        ["kept", "rewritten", "new", "removed"].map(|name| growth[name].as_u64().unwrap())
    };
    let is_as_anew = || {
        place.succeed(&["run", "--notes", "notes", "--out", "anew", "--key-file", "key", "--overwrite"]);
        assert_eq!(rows(&place, "out"), rows(&place, "anew"));
        assert!(place.path("out/_SUCCESS").is_file());
    };
    grow(&[]);
    is_as_anew();
    let first = std::fs::read_to_string(place.path("out/part-000000.jsonl")).unwrap();
    let told_alone = first.contains("Lakeview");

    // Nothing new: nothing is done.
    let before = std::fs::read(place.path("out/_plainsight/run.json")).unwrap();
    grow(&[]);
    assert_eq!(std::fs::read(place.path("out/_plainsight/run.json")).unwrap(), before);
    is_as_anew();

    // A file that sorts first, and tells the name of P1.
    place.write_lines("notes/a.jsonl", &[note(6, "P1", "Mrs. Okafor, 66, was seen at Lakeview Clinic today.")]);
    grow(&[]);
    assert_eq!(growth(&place), [2, 1, 1, 0]);
    assert_eq!(place.report()["growth"]["written"], json!(["part-000000.jsonl", "part-000003.jsonl"]));
    is_as_anew();
    assert!(told_alone && !rows(&place, "out").concat().contains("Lakeview"));

    // A file that has changed, and one that is gone.
    place.write_lines("notes/d.jsonl", &[plain(5, "P5"), plain(7, "P7")]);
    std::fs::remove_file(place.path("notes/c.jsonl")).unwrap();
    grow(&[]);
    assert_eq!(growth(&place), [2, 0, 1, 2]);
    is_as_anew();

    // What a killed run has left is cleared: a part that nobody remembers, no manifest but the one before, and no mark of success.
    std::fs::write(place.path("out/part-000077.jsonl"), "{}\n").unwrap();
    let own = place.path("out/_plainsight");
    std::fs::rename(own.join("manifest.json"), own.join("previous.json")).unwrap();
    std::fs::remove_file(place.path("out/_SUCCESS")).unwrap();
    grow(&[]);
    is_as_anew();

    // Other settings make another output; so do records of patients where there were none: without them what they told would be back.
    let arguments =
        ["run", "--notes", "notes", "--out", "out", "--key-file", "key", "--incremental", "--cache", "cache"];
    place.write_lines("patients.jsonl", &[json!({"patient_id": "P5", "family_name": "Okafor"})]);
    for other in [["--policy", "A"], ["--patients", "patients.jsonl"]] {
        assert!(place.fail(2, &[&arguments[..], &other].concat()).contains("other settings"));
    }
    is_as_anew();
    assert!(place.fail(2, &arguments[..8]).contains("--cache"));
    place.succeed(&[&arguments[..], &["--policy", "A", "--overwrite"]].concat());
    assert_eq!(place.report()["growth"]["incremental"], false);

    // Notes that are all gone: what is left of them in the output is not passed over.
    std::fs::rename(place.path("notes"), place.path("elsewhere")).unwrap();
    std::fs::create_dir(place.path("notes")).unwrap();
    let is_refused = |further: &[&str]| {
        let told = place.fail(2, &[&arguments[..], &["--policy", "A"], further].concat());
        assert!(told.contains("still holds those of earlier runs"), "{told}");
    };
    is_refused(&[]);
    is_refused(&["--overwrite"]);
    // Nor where there are files, and no row in them.
    let nothing = || strings(&[]);
    place
        .write_parquet("notes/a.parquet", vec![("note_id", nothing()), ("patient_id", nothing()), ("text", nothing())]);
    is_refused(&[]);
    is_refused(&["--overwrite"]);
    std::fs::remove_file(place.path("notes/a.parquet")).unwrap();
    // Nor where the run before was killed.
    std::fs::rename(own.join("manifest.json"), own.join("previous.json")).unwrap();
    std::fs::remove_file(place.path("out/_SUCCESS")).unwrap();
    is_refused(&[]);
}
