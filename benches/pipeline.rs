//! The main job on generated notes: notes/s, MB/s, the share of each stage, peak memory, and the profile of the corpus.
//!
//! ```text
//! cargo bench --bench pipeline --profile dev --config profile.dev.opt-level=3 -- --notes 10000,100000
//! ```
//!
//! (With the dev profile the engine is the one that tests use, compiled once and optimized; only plainsight is compiled anew.)

use std::sync::Arc;
use std::time::Instant;

use arrow::array::AsArray;
use arrow::datatypes::UInt64Type;
use plainsight::corpus::progress::Unobserved;
use plainsight::corpus::schema::{ColumnOptions, Preset};
use plainsight::corpus::warehouse::write_warehouse;
use plainsight::corpus::{Deidentifier, JobOptions, Location, PatientRecords, Result, RunOptions, run, session};
use plainsight::generate::GenerateOptions;
use plainsight::surrogate::Key;

/// The commonest sentences whose share of the corpus is told, as for the Mayo corpus (Murugadoss et al. 2021).
const COMMONEST: usize = 1_600;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let sizes = arguments.iter().position(|argument| argument == "--notes").and_then(|at| arguments.get(at + 1));
    let sizes =
        sizes.map_or("10000", String::as_str).split(',').filter_map(|size| size.parse().ok()).collect::<Vec<u64>>();
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    println!(
        "{workers} workers, plainsight compiled {}",
        if cfg!(debug_assertions) { "with debug assertions" } else { "without" }
    );
    let mut earlier: Option<(f64, f64)> = None;
    for notes in sizes {
        let (sentences, distinct) = measure(notes, workers).await?;
        if let Some((fewer, fewer_distinct)) = earlier {
            let exponent = (distinct / fewer_distinct).ln() / (sentences / fewer).ln();
            println!("  distinct sentences grew as n^{exponent:.3} from the size before");
        }
        earlier = Some((sentences, distinct));
    }
    Ok(())
}

async fn measure(notes: u64, workers: usize) -> Result<(f64, f64)> {
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
        cache: None,
        memory: None,
        columns: ColumnOptions::default(),
        partitions: workers,
    };
    let options = RunOptions { job, out: root.join("out"), overwrite: false, dedupe: true, second_pass: true };
    let begun = Instant::now();
    let records = PatientRecords::load(&patients, Preset::Plainsight).await?;
    println!("  patients' records read in {:.2} s", begun.elapsed().as_secs_f64());
    let key = Key::from_hex(&"5e".repeat(32))?;
    let report = run(&options, Arc::new(Deidentifier::new().with_key(key).with_records(records)), &Unobserved).await?;

    let bytes = report.stages.first().map_or(0, |stage| stage.bytes) as f64;
    println!("  run: {:.0} notes/s, {:.1} MB/s", notes as f64 / report.seconds, bytes / 1e6 / report.seconds);
    for stage in &report.stages {
        println!("    {:<10} {:>8.2} s  {:>5.1} %", stage.stage, stage.seconds, 100.0 * stage.seconds / report.seconds);
    }
    if let Some(peak) = peak_memory() {
        println!("  peak memory of this process so far: {peak} MiB");
    }
    let (sentences, distinct) = (report.sentences.occurrences as f64, report.sentences.distinct as f64);
    println!("  {:.1} sentences and {:.0} bytes a note", sentences / notes as f64, bytes / notes as f64);
    println!("  {:.1} % of {sentences} sentences are distinct", 100.0 * distinct / sentences);
    println!("  the commonest {COMMONEST} are {:.1} % of all", 100.0 * commonest(&options.job.work).await? / sentences);
    root.clear().await?;
    Ok((sentences, distinct))
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

/// The most memory that this process has held, in MiB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}
