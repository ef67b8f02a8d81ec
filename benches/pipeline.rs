//! The main job on generated notes: notes/s, MB/s, the share of each stage, peak memory, how time and memory grow with the corpus, and
//! the profile of the corpus.
//!
//! ```text
//! CARGO_INCREMENTAL=0 cargo bench --bench pipeline --profile dev --config benches/optimized.toml -- --notes 10000,100000 --memory 1024MiB
//! ```
//!
//! `--again` runs a second time with the span cache of the first and once without it, detecting every occurrence, and compares the
//! outputs; `--roads` measures the two ways from claims back to notes. (With the dev profile the engine is the one that tests use,
//! compiled once and optimized; only plainsight is compiled anew.)

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arrow::array::AsArray;
use arrow::datatypes::UInt64Type;
use plainsight::corpus::progress::Unobserved;
use plainsight::corpus::schema::{ColumnOptions, Preset};
use plainsight::corpus::warehouse::write_warehouse;
use plainsight::corpus::{
    Deidentifier, JobOptions, Location, PatientRecords, RefusedLimit, Result, RunOptions, RunReport, keep_heaps_few,
    limited_session, register_notes, register_work, run, session,
};
use plainsight::generate::GenerateOptions;
use plainsight::surrogate::Key;

/// The commonest sentences whose share of the corpus is told, as for the Mayo corpus (Murugadoss et al. 2021).
const COMMONEST: usize = 1_600;

/// What is measured.
struct Arguments {
    sizes: Vec<u64>,
    memory: Option<u64>,
    again: bool,
    roads: bool,
}

impl Arguments {
    fn of_process() -> Self {
        let arguments: Vec<String> = std::env::args().collect();
        let value = |flag: &str| {
            arguments
                .iter()
                .position(|argument| argument == flag)
                .and_then(|at| arguments.get(at + 1))
                .map(String::as_str)
        };
        let sizes = value("--notes").unwrap_or("10000").split(',').filter_map(|size| size.parse().ok()).collect();
        let memory =
            value("--memory").and_then(|size| size.strip_suffix("MiB")?.parse::<u64>().ok()).map(|size| size << 20);
        let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
        Self { sizes, memory, again: has("--again"), roads: has("--roads") }
    }
}

fn main() -> Result<()> {
    // As the program does.
    keep_heaps_few();
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    runtime.block_on(measure_all(&Arguments::of_process()))
}

async fn measure_all(arguments: &Arguments) -> Result<()> {
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    println!(
        "{workers} workers, plainsight compiled {}, the engine's memory {}",
        if cfg!(debug_assertions) { "with debug assertions" } else { "without" },
        arguments.memory.map_or("unlimited".to_owned(), |bytes| format!("{} MiB", bytes >> 20))
    );
    let mut earlier: Option<(f64, f64, f64)> = None;
    for &notes in &arguments.sizes {
        let (sentences, distinct, seconds) = measure(notes, workers, arguments).await?;
        if let Some((fewer, fewer_distinct, fewer_seconds)) = earlier {
            let exponent = (distinct / fewer_distinct).ln() / (sentences / fewer).ln();
            println!("  distinct sentences grew as n^{exponent:.3} from the size before");
            println!(
                "  time a sentence: {:.2} × that of the size before",
                seconds / sentences / (fewer_seconds / fewer)
            );
        }
        earlier = Some((sentences, distinct, seconds));
    }
    Ok(())
}

async fn measure(notes: u64, workers: usize, arguments: &Arguments) -> Result<(f64, f64, f64)> {
    let root = Location::parse(
        &std::env::temp_dir().join(format!("plainsight-bench-{}", std::process::id())).to_string_lossy(),
    )?;
    let begun = Instant::now();
    let options = GenerateOptions { notes, patients: notes.div_ceil(20), seed: 1, canary: false };
    write_warehouse(options, &root.join("warehouse"), workers, false, &Unobserved).await?;
    let generated = begun.elapsed().as_secs_f64();
    println!("\n{notes} notes, generated in {generated:.1} s: {:.0} notes/s", notes as f64 / generated);

    let patients = root.join("warehouse/patients");
    let job = JobOptions {
        notes: root.join("warehouse/notes"),
        patients: Some(patients.clone()),
        work: root.join("work"),
        keep_work: true,
        cache: arguments.again.then(|| root.join("cache")),
        memory: arguments.memory,
        columns: ColumnOptions::default(),
        partitions: workers,
        map_offsets: false,
    };
    let options = RunOptions {
        job,
        out: root.join("out"),
        overwrite: false,
        dedupe: true,
        second_pass: true,
        incremental: false,
        refused_at_most: RefusedLimit::default(),
        task: None,
    };
    let begun = Instant::now();
    let records = PatientRecords::load(&patients, Preset::Plainsight).await?;
    println!("  patients' records read in {:.2} s", begun.elapsed().as_secs_f64());
    let key = Key::from_hex(&"5e".repeat(32))?;
    let deidentifier = Arc::new(Deidentifier::new().with_key(key).with_records(records));
    let peak = PeakMemory::watch();
    let report = run(&options, Arc::clone(&deidentifier), &Unobserved).await?;
    tell(notes, &report);
    println!("  peak memory of this process in the run, mapped files left out: {} MiB", peak.mebibytes());
    let (sentences, distinct) = (report.sentences.occurrences as f64, report.sentences.distinct as f64);
    println!(
        "  {:.1} sentences a note, {:.1} % of {sentences} distinct",
        sentences / notes as f64,
        100.0 * distinct / sentences
    );
    println!("  by text alone {:.1} %", 100.0 * report.sentences.distinct_texts as f64 / sentences);
    println!("  the commonest {COMMONEST} are {:.1} % of all", 100.0 * commonest(&options.job.work).await? / sentences);
    if arguments.roads {
        roads(&options.job, &deidentifier).await?;
    }
    if arguments.again {
        again(notes, &options, &deidentifier).await?;
    }
    root.clear().await?;
    Ok((sentences, distinct, report.seconds))
}

fn tell(notes: u64, report: &RunReport) {
    let bytes = report.stages.first().map_or(0, |stage| stage.bytes) as f64;
    println!(
        "  run: {:.1} s, {:.0} notes/s, {:.1} MB/s",
        report.seconds,
        notes as f64 / report.seconds,
        bytes / 1e6 / report.seconds
    );
    for stage in &report.stages {
        println!("    {:<11} {:>8.2} s  {:>5.1} %", stage.stage, stage.seconds, 100.0 * stage.seconds / report.seconds);
    }
}

/// The same run with what the first has remembered, and with every occurrence detected by itself.
async fn again(notes: u64, options: &RunOptions, deidentifier: &Arc<Deidentifier>) -> Result<()> {
    let parts = |options: &RunOptions| -> Vec<(std::path::PathBuf, Vec<u8>)> {
        let folder = options.out.local_path().unwrap_or_default();
        let mut files: Vec<_> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path()).collect();
        files.retain(|file| file.is_file());
        files.sort();
        files.into_iter().map(|file| (file.clone(), std::fs::read(file).unwrap_or_default())).collect()
    };
    let first = parts(options);
    for (name, dedupe) in [("with the span cache of the first run", true), ("every occurrence by itself", false)] {
        let mut options = RunOptions { overwrite: true, dedupe, ..options.clone() };
        options.job.cache = options.job.cache.filter(|_| dedupe);
        let report = run(&options, Arc::clone(deidentifier), &Unobserved).await?;
        println!("  {name}:");
        tell(notes, &report);
        println!("    the output is {}", if parts(&options) == first { "the same, byte for byte" } else { "ANOTHER" });
    }
    Ok(())
}

/// The two roads from the claims on distinct sentences back to notes: a join of all occurrences by hash, gathered by note, and cutting
/// the notes again to look each sentence up.
async fn roads(job: &JobOptions, deidentifier: &Arc<Deidentifier>) -> Result<()> {
    let context = limited_session(deidentifier, job.partitions, job.memory, Some(&job.work))?;
    register_notes(&context, &job.notes, &job.columns, job.partitions).await?;
    register_work(&context, &job.work, deidentifier).await?;
    let fail = plainsight::corpus::CorpusError::in_stage("roads");
    let join = "SELECT sum(cardinality(claims)) FROM (
            SELECT document, array_agg(claims) AS claims FROM (
                SELECT occurrences.document, claims.answer['claims'] AS claims
                FROM claims JOIN (
                    SELECT document, sentence['sentence_hash'] AS hash
                    FROM (SELECT document, unnest(sentences(text)) AS sentence FROM documents)
                ) AS occurrences ON claims.sentence_hash = occurrences.hash
            ) GROUP BY document
        )";
    let look_up = "SELECT sum(cardinality(confident_values(text))) FROM documents";
    for round in 1..=3 {
        for (name, statement) in [("join and gather", join), ("cut again and look up", look_up)] {
            let (begun, peak) = (Instant::now(), PeakMemory::watch());
            let ended = async { context.sql(statement).await?.collect().await }.await;
            let seconds = begun.elapsed().as_secs_f64();
            match ended {
                Ok(_) => println!("  road {round}, {name}: {seconds:.2} s, peak memory {} MiB", peak.mebibytes()),
                Err(error) => println!("  road {round}, {name}: ended after {seconds:.2} s: {}", fail(error)),
            }
        }
    }
    Ok(())
}

async fn commonest(work: &Location) -> Result<f64> {
    let context = session(&Arc::new(Deidentifier::new()), 1)?;
    let statement = format!(
        "SELECT CAST(sum(occurrences) AS BIGINT UNSIGNED) FROM (SELECT occurrences FROM '{}/' ORDER BY occurrences DESC LIMIT {COMMONEST})",
        work.join("counts").local_path().unwrap_or_default().display()
    );
    let fail = plainsight::corpus::CorpusError::in_stage("profile");
    let rows = context.sql(&statement).await.map_err(&fail)?.collect().await.map_err(&fail)?;
    Ok(rows.iter().map(|batch| batch.column(0).as_primitive::<UInt64Type>().value(0)).sum::<u64>() as f64)
}

/// Watches the memory that this process has taken for itself; the pages of mapped files are the system's.
struct PeakMemory {
    peak: Arc<AtomicU64>,
    done: Arc<AtomicBool>,
}

impl PeakMemory {
    fn watch() -> Self {
        let (peak, done) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (seen, ended) = (Arc::clone(&peak), Arc::clone(&done));
        std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                seen.fetch_max(own_kilobytes().unwrap_or_default(), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        Self { peak, done }
    }

    fn mebibytes(&self) -> u64 {
        self.done.store(true, Ordering::Relaxed);
        self.peak.load(Ordering::Relaxed) / 1024
    }
}

fn own_kilobytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
