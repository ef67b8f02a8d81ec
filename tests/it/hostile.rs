//! Hostile input: whatever the bytes of a file are, the program says what is wrong with it, or gives a result that accounts for every
//! row. It never stops by a fault of its own, never hangs, takes no more memory than it may, and quotes no note.
//!
//! ```text
//! a whole file ─ damage(seed) ─▶ bits turned, stretches overwritten, cut out, doubled, the end lost ─▶ the program, bound in time and memory
//! ```
//!
//! Every case is told by a number: `PLAINSIGHT_HOSTILE_CASES=1000` tries more of them, and a failure names the one it fell on.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use flate2::write::GzEncoder;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use serde_json::{Value, json};

use super::support::{Place, files_below, program, strings};

/// Cases of each kind of file, where the environment asks for no other number.
const CASES: u64 = 12;
/// How long one run may take, on a machine that is busy with other tests.
const LONGEST: Duration = Duration::from_secs(600);
/// The address space that one run may have, in KiB; threads and the program itself take some hundred MiB of it.
const MEMORY: &str = "4194304";
/// A word of every note, which no message may quote.
const SECRET: &str = "Quetzalcoatlus";

/// How a run ended.
struct Ended {
    /// The exit code.
    code: i32,
    /// What it said on standard error.
    said: String,
}

/// Runs the program bound in time and memory, and checks what holds however it ends.
fn run(place: &Place, case: &str, arguments: &[&str]) -> Ended {
    let limited = format!("ulimit -v {MEMORY} && exec \"$0\" \"$@\"");
    let mut running = Command::new("sh")
        .args(["-c", limited.as_str()])
        .arg(program().get_program())
        .args(arguments)
        .current_dir(place.path(""))
        .env_remove("PLAINSIGHT_KEY")
        .env("PLAINSIGHT_ENSEMBLE", "knowledge")
        // Each arena of the allocator takes address space, and so does each worker.
        .envs([("MALLOC_ARENA_MAX", "2"), ("TOKIO_WORKER_THREADS", "2"), ("RAYON_NUM_THREADS", "2")])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = running.stderr.take().unwrap();
    let listening = std::thread::spawn(move || {
        let mut said = String::new();
        told.read_to_string(&mut said).map(|_| said)
    });
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = running.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > LONGEST {
            running.kill().unwrap();
            running.wait().unwrap();
            panic!("{case}: has not ended after {LONGEST:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let said = listening.join().unwrap().unwrap();
    let code = status.code().unwrap_or_else(|| panic!("{case}: {status}: {said}"));
    assert!([0, 1, 2, 75].contains(&code), "{case}: exit code {code}: {said}");
    assert!(!said.contains("fault in plainsight"), "{case}: {said}");
    assert!(!said.contains(SECRET), "{case}: a message quotes the notes");
    Ended { code, said }
}

/// De-identifies `notes` into `out`; where that succeeds every row is accounted for, and otherwise nothing looks whole.
fn deidentify(place: &Place, case: &str, further: &[&str]) -> Ended {
    let whole = place.path("out/_SUCCESS");
    let was_whole = whole.exists();
    let arguments = ["run", "--notes", "notes", "--out", "out", "--key-file", "key", "--partitions", "2"];
    let ended = run(place, case, &[&arguments[..], further].concat());
    if ended.code == 0 {
        assert!(whole.is_file(), "{case}: it is not whole");
        let report = place.report();
        let number = |name: &str| report[name].as_u64().unwrap();
        let refused: u64 = report["quarantined"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
        assert_eq!(number("notes_read"), number("notes_written") + refused, "{case}");
    } else {
        assert!(was_whole || !whole.exists(), "{case}: half an output looks whole");
        assert!(ended.said.contains("error: "), "{case}: exit code {}: {}", ended.code, ended.said);
    }
    ended
}

/// Numbers that are the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound.max(1) as u64) as usize
    }
}

/// The bytes with one to three damages. The ends of files, where formats keep their tables, are hit as often as all the rest.
fn damaged(whole: &[u8], seed: u64) -> Vec<u8> {
    let (mut bytes, mut random) = (whole.to_vec(), Random(seed));
    for _ in 0..=random.below(3) {
        let reach = if random.below(2) == 0 { bytes.len() } else { bytes.len().min(512) };
        let at = bytes.len() - reach + random.below(reach);
        let end = bytes.len().min(at + 1 + random.below(48));
        match random.below(8) {
            0 | 1 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
            2 => bytes[at..end].fill(0xff),
            3 => bytes[at..end].fill(0),
            4 => bytes[at..end].iter_mut().for_each(|byte| *byte = random.below(256) as u8),
            5 => drop(bytes.drain(at..end)),
            6 => {
                let doubled = bytes[at..end].to_vec();
                bytes.splice(at..at, doubled);
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}

/// The numbers of the cases to try.
fn cases() -> std::ops::Range<u64> {
    0..std::env::var("PLAINSIGHT_HOSTILE_CASES").ok().and_then(|number| number.parse().ok()).unwrap_or(CASES)
}

/// The columns of some notes.
fn notes() -> [Vec<String>; 3] {
    let text = |id: usize| {
        format!(
            "{SECRET} was seen by Dr. Ngozi Okafor on 03/{:02}/2019, MRN 00{id}42.\nNo acute distress.\nSex: F",
            id % 28 + 1
        )
    };
    [
        (0..24).map(|id| format!("N{id}")).collect(),
        (0..24).map(|id| format!("P{}", id % 5)).collect(),
        (0..24).map(text).collect(),
    ]
}

fn parquet(file: &Path, compression: Compression) {
    let [ids, patients, texts] = notes().map(|column| strings(&column.iter().map(String::as_str).collect::<Vec<_>>()));
    let batch = RecordBatch::try_from_iter([("note_id", ids), ("patient_id", patients), ("text", texts)]).unwrap();
    let properties =
        WriterProperties::builder().set_compression(compression).set_max_row_group_row_count(Some(10)).build();
    let mut writer = ArrowWriter::try_new(File::create(file).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn json_lines() -> Vec<u8> {
    let [ids, patients, texts] = notes();
    let rows = ids.iter().zip(&patients).zip(&texts);
    let line = |((id, patient), text)| format!("{}\n", json!({"note_id": id, "patient_id": patient, "text": text}));
    rows.map(line).collect::<String>().into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Runs over a folder with one file `name` in it, damaged in every way; whole it must succeed.
fn damage_notes(name: &str, whole: &[u8]) {
    let place = Place::new();
    std::fs::create_dir(place.path("notes")).unwrap();
    let file = place.path("notes").join(name);
    std::fs::write(&file, whole).unwrap();
    assert_eq!(deidentify(&place, "the whole file", &[]).code, 0);
    for seed in cases() {
        std::fs::write(&file, damaged(whole, seed)).unwrap();
        deidentify(&place, &format!("{name}, case {seed}"), &["--overwrite"]);
    }
}

#[test]
fn damaged_parquet_files() {
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::ZSTD(ZstdLevel::default())] {
        let place = Place::new();
        parquet(&place.path("whole"), compression);
        damage_notes("a.parquet", &std::fs::read(place.path("whole")).unwrap());
    }
}

#[test]
fn damaged_json_lines() {
    damage_notes("a.jsonl", &json_lines());
}

#[test]
fn damaged_compressed_json_lines() {
    damage_notes("a.jsonl.gz", &gzip(&json_lines()));
    damage_notes("a.jsonl.zst", &zstd::encode_all(&json_lines()[..], 1).unwrap());
}

/// Rows that lie behind the end of a file are not there; that they should be is told by its compression alone.
#[test]
fn a_compressed_file_that_ends_too_early_stops_the_run() {
    for (name, whole) in
        [("a.jsonl.gz", gzip(&json_lines())), ("a.jsonl.zst", zstd::encode_all(&json_lines()[..], 1).unwrap())]
    {
        for length in [whole.len() - 1, whole.len() - 5, whole.len() / 2, 20] {
            let place = Place::new();
            std::fs::create_dir(place.path("notes")).unwrap();
            std::fs::write(place.path("notes").join(name), &whole[..length]).unwrap();
            let case = format!("{name}, {length} of {} bytes", whole.len());
            let ended = deidentify(&place, &case, &[]);
            assert!(ended.code == 1 && ended.said.contains(name), "{case}: {}: {}", ended.code, ended.said);
        }
    }
}

/// Some hundred KiB that unpack to 3 GiB: as one line, and as many blank ones.
#[test]
fn files_that_grow_when_they_are_unpacked() {
    let blank = [vec![b' '; (1 << 20) - 1], vec![b'\n']].concat();
    let whole = b"{\"note_id\":\"N0\",\"patient_id\":\"P0\",\"text\":\"Stable.\"}\n".as_slice();
    let begun = b"{\"note_id\":\"N1\",\"patient_id\":\"P1\",\"text\":\"".as_slice();
    for (case, begun, middle, refused) in
        [("an endless line", begun, vec![b'a'; 64 << 20], 1_u64), ("blank lines", &b""[..], blank.repeat(64), 0)]
    {
        let place = Place::new();
        std::fs::create_dir(place.path("notes")).unwrap();
        let pack = |content: &[u8]| zstd::encode_all(content, 1).unwrap();
        let packed = [pack(whole), pack(begun), pack(&middle).repeat(48), pack(b"\n"), pack(whole)].concat();
        assert!(packed.len() < 1 << 20, "{}", packed.len());
        std::fs::write(place.path("notes/a.jsonl.zst"), packed).unwrap();
        assert_eq!(deidentify(&place, case, &[]).code, 0, "{case}");
        assert_eq!(place.report()["notes_read"], 2 + refused, "{case}");
    }
}

/// A value inside a value inside a value, deeper than any stack.
#[test]
fn deep_values_are_refused_alone() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let place = Place::new();
        std::fs::create_dir(place.path("notes")).unwrap();
        let deep = format!("{}1{}", open.repeat(400_000), close.repeat(400_000));
        let mut lines = json_lines();
        for line in [&deep, &format!("{{\"note_id\":\"N99\",\"patient_id\":\"P1\",\"text\":{deep}}}")] {
            lines.extend(format!("{line}\n").into_bytes());
        }
        std::fs::write(place.path("notes/a.jsonl"), lines).unwrap();
        assert_eq!(deidentify(&place, "deep values", &[]).code, 0);
        assert_eq!(place.report()["notes_read"], 26);
        assert_eq!(place.report()["notes_written"], 24);
    }
}

#[test]
fn damaged_records_of_patients() {
    let place = Place::new();
    place.succeed(&["generate", "--notes", "40", "--patients", "8", "--seed", "3", "--out", "wh"]);
    std::fs::rename(place.path("wh/notes"), place.path("notes")).unwrap();
    let files = files_below(&place.path("wh/patients"));
    let whole = std::fs::read(&files[0]).unwrap();
    for seed in cases() {
        std::fs::write(&files[0], damaged(&whole, seed)).unwrap();
        deidentify(&place, &format!("patients, case {seed}"), &["--overwrite", "--patients", "wh/patients"]);
    }
}

/// Every file below some folders with its content.
fn contents(place: &Place, folders: &[&str]) -> Vec<(PathBuf, Vec<u8>)> {
    let files = folders.iter().flat_map(|folder| files_below(&place.path(folder)));
    files.map(|file| (file.clone(), std::fs::read(&file).unwrap())).collect()
}

/// The folders as they were.
fn restore(place: &Place, folders: &[&str], contents: &[(PathBuf, Vec<u8>)]) {
    for folder in folders.iter().map(|folder| place.path(folder)).filter(|folder| folder.exists()) {
        std::fs::remove_dir_all(folder).unwrap();
    }
    for (file, bytes) in contents {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
}

/// What a run has remembered and what it says of itself is right, or is not believed: a later run gives the same notes, or none.
#[test]
fn damaged_caches_and_manifests_change_no_note() {
    let place = Place::new();
    std::fs::create_dir(place.path("notes")).unwrap();
    std::fs::write(place.path("notes/a.jsonl"), json_lines()).unwrap();
    let (growing, cached) = (["--incremental", "--cache", "cache"], ["--overwrite", "--cache", "cache"]);
    assert_eq!(deidentify(&place, "the first run", &growing).code, 0);
    let (folders, part) = (["out", "cache"], place.path("out/part-000000.jsonl"));
    let (written, expected) = (contents(&place, &folders), std::fs::read(&part).unwrap());
    // The report is read by nobody but people, and stays as it is where there is nothing to do.
    let read = |file: &std::path::PathBuf| *file != part && !file.ends_with("run.json");
    for (at, (file, bytes)) in written.iter().enumerate().filter(|(_, (file, _))| read(file)) {
        for seed in cases() {
            for further in [&growing[..], &cached, &["--overwrite"]] {
                restore(&place, &folders, &written);
                std::fs::write(file, damaged(bytes, seed)).unwrap();
                let case = format!("file {at}, case {seed}, {further:?}");
                if deidentify(&place, &case, further).code == 0 {
                    assert!(std::fs::read(&part).unwrap() == expected, "{case}: other notes");
                }
            }
        }
    }
}

#[test]
fn damaged_annotations() {
    let place = Place::new();
    let span = |start: u64, end: u64, label: &str| json!({"note_id": "n1", "start": start, "end": end, "label": label});
    place.write_lines("gold.jsonl", &[span(0, 14, "PATIENT"), span(26, 32, "DOCTOR"), span(36, 44, "DATE")]);
    place.write_lines("found.jsonl", &[span(0, 14, "PATIENT"), span(26, 30, "DOCTOR")]);
    let text = format!("{SECRET} was seen by Okafor on 3/4/2019.");
    place.write_lines("notes.jsonl", &[json!({"note_id": "n1", "patient_id": "p", "text": text})]);
    for name in ["gold.jsonl", "found.jsonl", "notes.jsonl"] {
        let whole = std::fs::read(place.path(name)).unwrap();
        for seed in cases() {
            std::fs::write(place.path(name), damaged(&whole, seed)).unwrap();
            let arguments =
                ["evaluate", "--gold", "gold.jsonl", "--predicted", "found.jsonl", "--notes", "notes.jsonl"];
            run(&place, &format!("{name}, case {seed}"), &[&arguments[..], &["--gold-labels", "plainsight"]].concat());
        }
        std::fs::write(place.path(name), whole).unwrap();
    }
}

/// What takes all memory ends with an error that says so.
#[test]
#[cfg(target_os = "linux")]
fn a_process_without_bounds_ends_before_the_system_ends_it() {
    let place = Place::new();
    let groups = "SELECT max(n) FROM (SELECT count(*) AS n FROM generate_series(1, 1000000000) GROUP BY value * 7919 % 1000000007)";
    let told = place.fail(1, &["sql", "--most-memory", "512MiB", "-c", groups]);
    assert!(told.contains("and 512 MiB is the most that it may (--most-memory)"), "{told}");
}
