//! Figures of a job for those who watch many: a file in the text format of Prometheus.
//!
//! ```text
//! # HELP plainsight_stage_rows_total Rows that the stage has read.
//! # TYPE plainsight_stage_rows_total counter
//! plainsight_stage_rows_total{job="nightly",stage="count"} 103000
//! ```
//!
//! It is written at the beginning, every ten seconds and at the end, each time as a new file that takes the place of the old one, so
//! that a collector never reads half of it. There are counts and times in it, by stages, labels and reasons that the program knows by
//! name: no place, no file name, no id, nothing of a note. So it may be read by all: the collector is another user.

mod exposition;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use clap::ArgMatches;

use super::arguments::default_work;
use crate::corpus::evaluation::refuse_overwriting;
use crate::corpus::progress::{Meter, Observer};
use crate::corpus::{CorpusError, Location, Result, RunReport, put_whole, upkeep};

/// How often the file is written while a job runs.
const EVERY: Duration = Duration::from_secs(10);
/// How every file of metrics begins.
const BEGINNING: &[u8; 18] = b"# HELP plainsight_";

/// The name of a job, which becomes a label: letters, digits, `_`, `-` and `.`.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn job_name(name: &str) -> Result<String, String> {
    let fits = |character: char| character.is_ascii_alphanumeric() || "_-.".contains(character);
    match !name.is_empty() && name.len() <= 64 && name.chars().all(fits) {
        true => Ok(name.to_owned()),
        false => Err("up to 64 letters, digits, _, - and .".to_owned()),
    }
}

/// Refuses a file in a place that a command reads or writes, as its flags name it.
///
/// # Errors
///
/// A usage error.
pub(super) fn check_apart(file: &Path, mut matches: &ArgMatches) -> Result<()> {
    while let Some((_, further)) = matches.subcommand() {
        matches = further;
    }
    let place = |flag: &str| {
        let named = matches.try_get_raw(flag).ok().flatten().and_then(|mut values| values.next());
        named.and_then(|uri| Location::parse(&uri.to_string_lossy()).ok())
    };
    let work = place("out").and_then(|out| Location::parse(&default_work(&out)).ok());
    let flags = [("--notes", "notes"), ("--patients", "patients"), ("--out", "out"), ("--work", "work")];
    let named = flags.into_iter().filter_map(|(flag, name)| Some((flag, place(name)?)));
    let closed: Vec<_> = named.chain(work.map(|work| ("the work location", work))).collect();
    refuse_overwriting(&[("--metrics", Location::parse(&file.to_string_lossy())?)], &[], &closed)
}

/// The metrics of this process; where no file is asked for, nothing.
#[derive(Debug)]
pub(super) struct Metrics(Option<Writing>);

#[derive(Debug)]
struct Writing {
    shared: Arc<Shared>,
    writer: tokio::task::JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    file: PathBuf,
    figures: Mutex<Figures>,
}

/// What is known of a job.
#[derive(Debug)]
struct Figures {
    job: String,
    started: SystemTime,
    stages: Vec<Stage>,
    report: Option<Totals>,
    parts: Parts,
    /// The time of the end and the exit code.
    ended: Option<(SystemTime, u8)>,
}

/// A stage, as often as it has begun.
#[derive(Debug)]
struct Stage {
    name: &'static str,
    rows: Option<u64>,
    meter: Meter,
    begun: Instant,
    took: Option<Duration>,
}

/// Parts of the output.
#[derive(Debug, Clone, Copy, Default)]
struct Parts {
    written: u64,
    kept: u64,
}

/// What the report of a run tells.
#[derive(Debug)]
struct Totals {
    read: u64,
    written: u64,
    refused: BTreeMap<String, u64>,
    found: BTreeMap<String, u64>,
    replaced: BTreeMap<String, u64>,
}

impl Metrics {
    /// Begins to write a file, where one is asked for, by a task of the runtime that this is called in.
    ///
    /// # Errors
    ///
    /// A usage error where the file holds anything but metrics, an output error where it cannot be written.
    pub(super) fn start(file: Option<PathBuf>, job: String) -> Result<Self> {
        Self::start_writing(file, job, EVERY)
    }

    fn start_writing(file: Option<PathBuf>, job: String, every: Duration) -> Result<Self> {
        let Some(file) = file else { return Ok(Self(None)) };
        refuse_others(&file)?;
        let figures = Figures {
            job,
            started: SystemTime::now(),
            stages: Vec::new(),
            report: None,
            parts: Parts::default(),
            ended: None,
        };
        let shared = Arc::new(Shared { file, figures: Mutex::new(figures) });
        shared.write()?;
        let writer = upkeep().spawn(write_on(Arc::clone(&shared), every));
        Ok(Self(Some(Writing { shared, writer })))
    }

    /// An observer that counts and hands on to another.
    pub(super) fn observing<'o>(&self, next: &'o dyn Observer) -> Observing<'o> {
        Observing { shared: self.0.as_ref().map(|writing| Arc::clone(&writing.shared)), next }
    }

    /// Takes over what the report of a run tells.
    pub(super) fn report(&self, report: &RunReport) {
        let Some(writing) = &self.0 else { return };
        let mut figures = writing.shared.figures();
        figures.report = Some(Totals {
            read: report.notes_read,
            written: report.notes_written,
            refused: report.quarantined.clone(),
            found: report.spans_found.clone(),
            replaced: report.spans_replaced.clone(),
        });
        // Parts are counted as they are finished; what the report knows besides is never less.
        let growth = &report.growth;
        figures.parts.written = figures.parts.written.max(growth.rewritten + growth.new);
        figures.parts.kept = figures.parts.kept.max(growth.kept + report.parts_kept);
    }

    /// Writes the file for the last time, with the exit code of the process.
    ///
    /// # Errors
    ///
    /// An output error where the file cannot be written any more.
    pub(super) fn end(self, code: u8) -> Result<()> {
        let Some(writing) = self.0 else { return Ok(()) };
        writing.writer.abort();
        writing.shared.figures().ended = Some((SystemTime::now(), code));
        writing.shared.write()
    }
}

async fn write_on(shared: Arc<Shared>, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        // A disk that is full for a while stops no run; whether the last figures could be written is told at the end.
        let _ = shared.write();
    }
}

impl Shared {
    fn figures(&self) -> MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> Result<()> {
        // Held while writing, so that no earlier figures take the place of later ones.
        let figures = self.figures();
        // Anybody may read counts.
        put_whole(&self.file, figures.to_string().as_bytes(), 0o644)
            .map_err(|error| CorpusError::output(self.file.display().to_string(), error))
    }
}

/// Refuses a file that holds anything but metrics: it may be what the job is to read.
fn refuse_others(file: &Path) -> Result<()> {
    if !file.metadata().is_ok_and(|there| there.is_file() && there.len() > 0) {
        return Ok(());
    }
    let mut beginning = [0; BEGINNING.len()];
    let read = std::fs::File::open(file).and_then(|mut there| there.read_exact(&mut beginning));
    match read.is_ok() && beginning == *BEGINNING {
        true => Ok(()),
        false => Err(CorpusError::configuration(
            format!("`{}` is there, and holds no metrics", file.display()),
            "let --metrics name a file that is not there yet, or the one of an earlier job",
        )),
    }
}

/// Counts for the metrics and hands on to another observer.
pub(super) struct Observing<'o> {
    shared: Option<Arc<Shared>>,
    next: &'o dyn Observer,
}

impl Observer for Observing<'_> {
    fn begin(&self, stage: &'static str, rows: Option<u64>, meter: &Meter) {
        if let Some(shared) = &self.shared {
            let begun = Stage { name: stage, rows, meter: meter.clone(), begun: Instant::now(), took: None };
            shared.figures().stages.push(begun);
        }
        self.next.begin(stage, rows, meter);
    }

    fn end(&self, stage: &'static str) {
        if let Some(shared) = &self.shared {
            let mut figures = shared.figures();
            let running = figures.stages.iter_mut().rev().find(|run| run.name == stage && run.took.is_none());
            if let Some(run) = running {
                run.took = Some(run.begun.elapsed());
            }
        }
        self.next.end(stage);
    }

    fn part(&self, kept: bool) {
        if let Some(shared) = &self.shared {
            let parts = &mut shared.figures().parts;
            let count = if kept { &mut parts.kept } else { &mut parts.written };
            *count += 1;
        }
        self.next.part(kept);
    }
}

#[cfg(test)]
mod tests;
