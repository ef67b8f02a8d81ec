//! Tables of Delta Lake: what their logs no longer name is not read, and what is appended is there for all, or for nobody.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, StringArray};
use serde_json::{Value, json};

use super::support::{Place, strings};

/// A table, written by hand as the protocol of Delta Lake says.
struct Table<'p> {
    place: &'p Place,
    folder: &'static str,
}

/// The columns of the notes, without those of partitions.
const COLUMNS: [&str; 3] = ["note_id", "patient_id", "text"];
/// Passes as it is, so that what was written tells what was read.
const KEPT: [&str; 2] = ["--keep-columns", "note_id"];
const GOES_ON: [&str; 3] = ["--incremental", "--cache", "cache"];
/// The rows 3, 4, 7, 11, 18 and 29 as a deletion vector within the log: magic number, one bitmap, in base 85.
const SIX_ROWS: &str = "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L";

fn columns(names: &[&str]) -> Value {
    let fields: Vec<_> =
        names.iter().map(|name| json!({"name": name, "type": "string", "nullable": true, "metadata": {}})).collect();
    json!({"type": "struct", "fields": fields})
}

fn metadata(names: &[&str], partitions: &[&str], configuration: Value) -> Value {
    json!({"metaData": {
        "id": "6f0e7f2b-3b52-4f0a-9d0c-0f4d1a7b9c11", "format": {"provider": "parquet", "options": {}},
        "schemaString": columns(names).to_string(), "partitionColumns": partitions, "configuration": configuration,
    }})
}

fn protocol() -> Value {
    let features = ["deletionVectors"];
    json!({"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": features, "writerFeatures": features}})
}

impl Table<'_> {
    fn commit(&self, version: usize, actions: &[Value]) {
        self.place.write_lines(&format!("{}/_delta_log/{version:020}.json", self.folder), actions);
    }

    /// Writes notes of these numbers to a file, and gives what a log says when it is added.
    fn file(&self, name: &str, notes: std::ops::Range<usize>, partitions: Value) -> Value {
        let texts = notes.clone().map(|note| format!("Seen by Dr. Zorvalquist{note} on 03/04/2019."));
        let (ids, patients) =
            (notes.clone().map(|note| format!("N{note}")), notes.clone().map(|note| format!("P{}", note % 5)));
        let column = |values: Vec<String>| Arc::new(StringArray::from(values)) as ArrayRef;
        let values = [column(ids.collect()), column(patients.collect()), column(texts.collect())];
        self.place.write_parquet(&format!("{}/{name}", self.folder), COLUMNS.into_iter().zip(values).collect());
        self.add(name, notes.len(), partitions)
    }

    fn add(&self, name: &str, rows: usize, partitions: Value) -> Value {
        let size = std::fs::metadata(self.place.path(self.folder).join(name)).unwrap().len();
        let path = name.replace('%', "%25");
        json!({"add": {
            "path": path, "partitionValues": partitions, "size": size, "modificationTime": 1_600_000_000_000_u64, "dataChange": true,
            "stats": json!({"numRecords": rows}).to_string(),
        }})
    }
}

fn removed(name: &str) -> Value {
    json!({"remove": {"path": name, "deletionTimestamp": 1_600_000_001_000_u64, "dataChange": true}})
}

/// Of the file that was added, without six of its rows.
fn without_six_rows(mut added: Value) -> Value {
    let vector = json!({"storageType": "i", "pathOrInlineDv": SIX_ROWS, "sizeInBytes": 44, "cardinality": 6});
    added["add"]["deletionVector"] = vector;
    added
}

fn ids(notes: impl IntoIterator<Item = usize>) -> BTreeSet<String> {
    notes.into_iter().map(|note| format!("N{note}")).collect()
}

fn is_deleted(row: usize) -> bool {
    [3, 4, 7, 11, 18, 29].contains(&row)
}

fn written(place: &Place, folder: &str) -> BTreeSet<String> {
    let values = place.values(folder, "note_id");
    let notes: BTreeSet<_> = values.iter().cloned().collect();
    assert_eq!(notes.len(), values.len(), "a note is there twice");
    notes
}

#[test]
fn what_the_log_no_longer_names_is_not_read() {
    let place = Place::new();
    let table = Table { place: &place, folder: "notes" };
    let (first, second) = (table.file("a.parquet", 0..40, json!({})), table.file("b.parquet", 40..50, json!({})));
    table.commit(0, &[protocol(), metadata(&COLUMNS, &[], json!({})), first.clone(), second]);
    place.run("notes", &[&KEPT[..], &GOES_ON].concat());
    assert_eq!(written(&place, "out"), ids(0..50));

    // A file is replaced, and rows of another are deleted: the run that goes on makes both parts anew.
    let third = table.file("c.parquet", 50..55, json!({}));
    table.commit(1, &[removed("b.parquet"), third, removed("a.parquet"), without_six_rows(first)]);
    place.run("notes", &[&KEPT[..], &GOES_ON].concat());
    let left = || ids((0..40).filter(|row| !is_deleted(*row)).chain(50..55));
    assert_eq!(written(&place, "out"), left());
    assert_eq!(place.report()["notes_read"], left().len());
    place.succeed(&[&["verify", "--notes", "notes", "--out", "out", "--key-file", "key"], &KEPT[..]].concat());

    // The same rows in every way to a table.
    let rows = "SELECT note_id FROM 'notes'";
    let asked = place.succeed(&["sql", "--format", "csv", "-c", rows]);
    assert_eq!(asked.lines().skip(1).map(str::to_owned).collect::<BTreeSet<_>>(), left());
    let some =
        "SELECT note_id FROM 'notes/' WHERE note_id IN ('N3', 'N5', 'N29', 'N30', 'N52', 'N45') ORDER BY note_id";
    assert_eq!(place.succeed(&["sql", "--format", "csv", "-c", some]), "note_id\nN30\nN5\nN52\n");
    let asked = ["sql", "--notes", "notes", "--key-file", "key", "--format", "csv", "-c", "SELECT note_id FROM notes"];
    let asked = place.succeed(&asked);
    assert_eq!(asked.lines().skip(1).map(str::to_owned).collect::<BTreeSet<_>>(), left());
    // A run of its own writes what the one that went on has written.
    place.succeed(&[&["run", "--notes", "notes", "--out", "anew", "--key-file", "key"], &KEPT[..]].concat());
    let texts = |folder: &str| {
        place.values(folder, "note_id").into_iter().zip(place.values(folder, "text")).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(texts("anew"), texts("out"));
}

#[test]
fn partitions_come_from_the_log() {
    let place = Place::new();
    let table = Table { place: &place, folder: "notes" };
    let names = ["note_id", "patient_id", "text", "ward"];
    // Neither the folders nor their names need say what the values are.
    let files = [
        table.file("ward=3%2FW/a.parquet", 0..4, json!({"ward": "3/W"})),
        table.file("elsewhere/b.parquet", 4..6, json!({"ward": "ICU"})),
        table.file("c.parquet", 6..7, json!({"ward": null})),
    ];
    table.commit(0, &[&[protocol(), metadata(&names, &["ward"], json!({}))], &files[..]].concat());
    let counted = "SELECT ward, count(*) AS notes FROM 'notes' GROUP BY ward ORDER BY ward NULLS LAST";
    assert_eq!(place.succeed(&["sql", "--format", "csv", "-c", counted]), "ward,notes\n3/W,4\nICU,2\n,1\n");
    place.run("notes", &["--keep-columns", "ward"]);
    let folders = place.succeed(&[
        "sql",
        "--format",
        "csv",
        "-c",
        "SELECT ward, count(*) AS notes FROM 'out/' GROUP BY ward ORDER BY ward",
    ]);
    assert_eq!(folders, "ward,notes\n3/W,4\nICU,2\n,1\n");
}

#[test]
fn records_of_patients_may_be_a_table_too() {
    let place = Place::new();
    let text = "The quarrion and the brimwick were seen.";
    let columns = [("note_id", "N1"), ("patient_id", "P1"), ("text", text)];
    place.write_parquet("notes/a.parquet", columns.map(|(name, value)| (name, strings(&[value]))).to_vec());
    let table = Table { place: &place, folder: "patients" };
    let file = |name: &str, family: &str| {
        place.write_parquet(
            &format!("patients/{name}"),
            vec![("patient_id", strings(&["P1"])), ("family_name", strings(&[family]))],
        );
        table.add(name, 1, json!({}))
    };
    let (old, new) = (file("old.parquet", "Brimwick"), file("new.parquet", "Quarrion"));
    table.commit(0, &[protocol(), metadata(&["patient_id", "family_name"], &[], json!({})), old]);
    table.commit(1, &[removed("old.parquet"), new]);
    place.run("notes", &["--patients", "patients"]);
    let text = place.values("out", "text").remove(0).to_lowercase();
    assert!(!text.contains("quarrion") && text.contains("brimwick"), "{text}");
}

#[test]
fn rows_are_appended_for_all_or_for_nobody() {
    let place = Place::new();
    let create =
        "CREATE EXTERNAL TABLE released (note_id TEXT, text TEXT, length BIGINT) STORED AS DELTA LOCATION 'released'";
    let open = "CREATE EXTERNAL TABLE released STORED AS DELTA LOCATION 'released'";
    let sql = |statements: &str| place.succeed(&["sql", "--key-file", "key", "--format", "csv", "-c", statements]);
    assert!(place.fail(2, &["sql", "-c", open]).contains("there is no Delta table"));
    place.write_lines("notes.jsonl", &[super::support::note(1, "P1", "Seen by Dr. Zorvalquist on 03/04/2019.")]);
    let insert = "INSERT INTO released SELECT note_id, deidentify(text, patient_id), length(text) FROM 'notes.jsonl'";
    // What was written in a session is seen in it.
    assert!(sql(&format!("{create}; {insert}; SELECT count(*) FROM released")).ends_with("count(*)\n1\n"));
    assert!(sql(&format!("{open}; {insert}; SELECT count(*), min(length) FROM released")).ends_with("2,38\n"));
    assert!(sql(&format!("{create}; SELECT count(*) FROM released")).ends_with("\n2\n"));
    let texts = sql("SELECT text FROM 'released'");
    assert!(texts.contains("Seen by Dr. ") && !texts.contains("Zorvalquist"), "{texts}");

    // A statement that fails half-way leaves the table as it was; so does one of other columns.
    let broken =
        format!("{open}; INSERT INTO released SELECT note_id, text, 1 / (length(text) - 38) FROM 'notes.jsonl'");
    place.fail(1, &["sql", "-c", &broken]);
    place.fail(2, &["sql", "-c", &format!("{open}; INSERT OVERWRITE released SELECT 'a', 'b', 1")]);
    let other = "CREATE EXTERNAL TABLE released (note_id TEXT) STORED AS DELTA LOCATION 'released'";
    assert!(place.fail(2, &["sql", "-c", other]).contains("other columns"));
    // Where files lie that nobody has listed, no table is made.
    place.write_parquet("files/a.parquet", vec![("note_id", strings(&["N1"]))]);
    let beside = "CREATE EXTERNAL TABLE t (note_id TEXT) STORED AS DELTA LOCATION 'files'";
    assert!(place.fail(1, &["sql", "-c", beside]).contains("a folder of its own"));

    // Of writers at the same time, each has its rows in the table.
    let statement = format!("{open}; {insert}");
    let mut writers: Vec<_> = (0..4).map(|_| place.start(&["sql", "--key-file", "key", "-c", &statement])).collect();
    assert!(writers.iter_mut().all(|writer| writer.wait().unwrap().success()));
    assert!(sql("SELECT count(*) FROM 'released'").ends_with("\n6\n"));
}

#[test]
fn rows_go_to_their_partitions() {
    let place = Place::new();
    let sql = |statements: &str| place.succeed(&["sql", "--key-file", "key", "--format", "csv", "-c", statements]);
    let create = "CREATE EXTERNAL TABLE t (note_id BIGINT, text TEXT, kind TEXT, day DATE) STORED AS DELTA \
                  PARTITIONED BY (kind, day) LOCATION 't'";
    let values = "(1, 'a', 'ED 3/4', DATE '2024-02-29'), (2, 'b', 'ED 3/4', DATE '2024-02-29'), (3, 'c', NULL, DATE '2024-02-29'), \
                  (4, 'd', 'l''été%20=x', DATE '2024-03-01')";
    let insert = format!("INSERT INTO t (note_id, text, kind, day) VALUES {values}");
    let rows = "SELECT note_id, kind, day, text FROM 't' ORDER BY note_id";
    let expected = "note_id,kind,day,text\n1,ED 3/4,2024-02-29,a\n2,ED 3/4,2024-02-29,b\n3,,2024-02-29,c\n4,l'été%20=x,2024-03-01,d\n";
    sql(&format!("{create}; {insert}"));
    assert_eq!(sql(rows), expected);
    // One version names the files of all partitions, each with its own values.
    let version = std::fs::read_to_string(place.path("t/_delta_log/00000000000000000001.json")).unwrap();
    let added = version.lines().filter(|line| line.starts_with("{\"add\"")).count();
    assert_eq!(added, 3, "{version}");
    assert!(version.contains(r#""kind":"ED 3/4""#) && version.contains(r#""day":"2024-02-29""#), "{version}");

    // It is appended to by others who name it, and only where its columns and partitions are those.
    let open = "CREATE EXTERNAL TABLE t STORED AS DELTA LOCATION 't'";
    sql(&format!("{open}; INSERT INTO t (note_id, text, day, kind) SELECT note_id + 10, text, day, kind FROM t"));
    assert_eq!(
        sql("SELECT kind, count(*) AS rows FROM 't' WHERE day < DATE '2024-03-01' GROUP BY kind ORDER BY kind"),
        "kind,rows\nED 3/4,4\n,2\n"
    );
    let other = create.replace("(kind, day)", "(day)");
    assert!(place.fail(2, &["sql", "-c", &other]).contains("partitions"));
    let unknown = create.replace("(kind, day)", "(kind, site)");
    assert!(place.fail(2, &["sql", "-c", &unknown]).contains("`site`, which is no column"));
    let ahead = create.replace("(kind, day)", "(note_id)");
    assert!(place.fail(2, &["sql", "-c", &ahead]).contains("PARTITIONED BY last"));
    // What a log would make null is not written, nor anything beside it.
    let empty = format!(
        "{open}; INSERT INTO t (note_id, kind, day) VALUES (20, '', DATE '2024-03-01'), (21, 'x', DATE '2024-03-01')"
    );
    assert!(place.fail(1, &["sql", "-c", &empty]).contains("without letters"));
    assert_eq!(sql("SELECT count(*) AS rows FROM 't'"), "rows\n8\n");
}

#[test]
fn what_cannot_be_read_as_it_is_meant_is_refused() {
    let place = Place::new();
    let refused = |notes: &str| {
        let from = place
            .fail(if notes == "iceberg" { 2 } else { 1 }, &["sql", "-c", &format!("SELECT count(*) FROM '{notes}'")]);
        let run = place.fail(1, &["run", "--notes", notes, "--out", "out", "--key-file", "key"]);
        assert!(!from.contains("Zorvalquist") && !run.contains("Zorvalquist"), "{from} {run}");
        (from, run)
    };
    let both = |notes: &str, reason: &str| {
        let (from, run) = refused(notes);
        assert!(from.contains(reason) && run.contains(reason), "{from}\n{run}");
    };
    let table = |folder: &'static str| Table { place: &place, folder };
    let mapped = table("mapped");
    let configuration = json!({"delta.columnMapping.mode": "name", "delta.columnMapping.maxColumnId": "3"});
    let protocol_of_mapping = json!({"protocol": {"minReaderVersion": 2, "minWriterVersion": 5}});
    let mut named = metadata(&COLUMNS, &[], configuration);
    let mut schema = columns(&COLUMNS);
    for (id, field) in schema["fields"].as_array_mut().unwrap().iter_mut().enumerate() {
        field["metadata"] =
            json!({"delta.columnMapping.id": id + 1, "delta.columnMapping.physicalName": format!("col-{id}")});
    }
    named["metaData"]["schemaString"] = json!(schema.to_string());
    mapped.commit(0, &[protocol_of_mapping, named, mapped.file("a.parquet", 0..3, json!({}))]);
    both("mapped", "delta.columnMapping.mode");

    let unknown = table("unknown");
    let features = ["readsBackwards"];
    let protocol_of_others = json!({"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": features, "writerFeatures": features}});
    unknown.commit(
        0,
        &[protocol_of_others, metadata(&COLUMNS, &[], json!({})), unknown.file("a.parquet", 0..3, json!({}))],
    );
    both("unknown", "readsBackwards");

    let outside = table("outside");
    let mut elsewhere = outside.file("a.parquet", 0..3, json!({}));
    elsewhere["add"]["path"] = json!("../unknown/a.parquet");
    outside.commit(0, &[protocol(), metadata(&COLUMNS, &[], json!({})), elsewhere]);
    both("outside", "not below it");

    let damaged = table("damaged");
    damaged.commit(0, &[protocol(), metadata(&COLUMNS, &[], json!({})), damaged.file("a.parquet", 0..3, json!({}))]);
    std::fs::write(place.path("damaged/_delta_log/00000000000000000001.json"), "{\"add\": \"Zorvalquist").unwrap();
    refused("damaged");

    // A version of which nothing is left had perhaps removed rows.
    for (folder, left) in [("lost_all", ""), ("lost_lines", "\n \n"), ("lost_action", "{}\n")] {
        let blank = table(folder);
        blank.commit(0, &[protocol(), metadata(&COLUMNS, &[], json!({})), blank.file("a.parquet", 0..3, json!({}))]);
        std::fs::write(place.path(folder).join("_delta_log/00000000000000000001.json"), left).unwrap();
        both(folder, "a version without content");
        let open = format!("CREATE EXTERNAL TABLE t STORED AS DELTA LOCATION '{folder}'");
        assert!(place.fail(1, &["sql", "-c", &open]).contains("a version without content"));
    }

    place.write_parquet("iceberg/data/a.parquet", vec![("x", Arc::new(Int64Array::from(vec![1])) as ArrayRef)]);
    place.write_lines("iceberg/metadata/v1.metadata.json", &[json!({"format-version": 2})]);
    both("iceberg", "Apache Iceberg");
    // What the table has dropped still lies among its rows.
    for part in ["iceberg/data", "iceberg/data/a.parquet"] {
        let message = place.fail(1, &["run", "--notes", part, "--out", "out", "--key-file", "key"]);
        assert!(message.contains("Apache Iceberg"), "{part}: {message}");
        place.fail(2, &["sql", "-c", &format!("SELECT count(*) FROM '{part}'")]);
    }

    // Parts of a table, or what lies above it, are not read as files, in whatever way they are named.
    for part in ["unknown/a.parquet", "unknown/*.parquet", "."] {
        let message = place.fail(1, &["sql", "-c", &format!("SELECT count(*) FROM '{part}'")]);
        assert!(message.contains("Delta table"), "{part}: {message}");
    }
    let above = table("above/t");
    above.commit(0, &[protocol(), metadata(&COLUMNS, &[], json!({})), above.file("a.parquet", 0..3, json!({}))]);
    for part in ["above", "above/t/a.parquet"] {
        let message = place.fail(1, &["run", "--notes", part, "--out", "out", "--key-file", "key"]);
        assert!(message.contains("Delta table"), "{part}: {message}");
    }
    // Nor by a link.
    std::fs::create_dir(place.path("linked")).unwrap();
    std::os::unix::fs::symlink(place.path("above/t/a.parquet"), place.path("linked/a.parquet")).unwrap();
    both("linked", "leads into a Delta table");
    both("linked/a.parquet", "lies in, a Delta table");
    // What `run` has released is no place for a table.
    place.write_parquet(
        "plain.parquet",
        vec![("note_id", strings(&["N1"])), ("patient_id", strings(&["P1"])), ("text", strings(&["Stable."]))],
    );
    place.run("plain.parquet", &[]);
    let inside = "CREATE EXTERNAL TABLE t (x BIGINT) STORED AS DELTA LOCATION 'out/sub'; INSERT INTO t VALUES (1)";
    assert!(place.fail(2, &["sql", "-c", inside]).contains("released"));
    assert!(!place.path("out/sub").exists());
    let files = "CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION 'unknown/'; SELECT count(*) FROM t";
    assert!(place.fail(1, &["sql", "-c", files]).contains("Delta table"));
    // A log of which all versions are lost is no reason to read all files.
    let lost = table("lost");
    lost.file("a.parquet", 0..3, json!({}));
    std::fs::create_dir(place.path("lost/_delta_log")).unwrap();
    both("lost", "no version");

    // A vector that has lost rows does not bring them back.
    let fewer = table("fewer");
    let mut damaged = without_six_rows(fewer.file("a.parquet", 0..40, json!({})));
    damaged["add"]["deletionVector"]["cardinality"] = json!(7);
    fewer.commit(0, &[protocol(), metadata(&COLUMNS, &[], json!({})), damaged]);
    both("fewer", "damaged");

    // A table without rows is a day without notes.
    let empty = table("empty");
    empty.commit(0, &[protocol(), metadata(&COLUMNS, &[], json!({}))]);
    let answered = place.succeed(&["sql", "--format", "csv", "-c", "SELECT count(*) AS notes FROM 'empty'"]);
    assert_eq!(answered, "notes\n0\n");
    assert_eq!(
        place.succeed(&["sql", "--format", "csv", "-c", "SELECT text FROM 'empty' ORDER BY text"]).trim(),
        "text"
    );
    place.fail(3, &["run", "--notes", "empty", "--out", "out", "--key-file", "key", "--fail-if-empty"]);
}
