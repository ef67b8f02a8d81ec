//! Where the tasks of a run hand rows to one another: a confidential folder or prefix that all of them reach.
//!
//! ```text
//! EXCHANGE/_plainsight-exchange                   it is ours
//! EXCHANGE/<run>/notes.json                       the files that are read
//! EXCHANGE/<run>/sentences/3/<attempt>/5.parquet  what task 3 has for task 5
//! EXCHANGE/<run>/sentences/done/3.json            … and for all others: which attempt counts, how many rows
//! EXCHANGE/<run>/alive/3                          written again every minute for as long as task 3 is at work
//!           └ <job>-<epoch>: what the lease of the output calls this beginning
//! ```
//!
//! A file is never written over: each attempt has names of its own, and the first that says so is the one that counts. So a task that was given
//! up and lives on disturbs nobody.

use std::collections::BTreeSet;
use std::fmt;
use std::io::Write;
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use datafusion::prelude::DataFrame;
use futures::TryStreamExt;
use object_store::ObjectMeta;
use serde::{Deserialize, Serialize};
use tokio::task::{AbortHandle, JoinSet};

use super::TaskOptions;
use crate::corpus::columns::{numbers, unreadable};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::output::{Output, nonce};
use crate::corpus::part::{PartFormat, PartWriter};
use crate::corpus::progress::Meter;
use crate::corpus::report::RunReport;
use crate::corpus::stages::Job;
use crate::corpus::store::{Creation, Location};
use crate::corpus::upkeep::upkeep;

/// Marks an exchange as ours.
const MARK: &str = "_plainsight-exchange";
/// Where tasks give signs of life.
const ALIVE: &str = "alive";
/// What waiting for other tasks is called where stages are told.
const WAIT: &str = "wait for the other tasks";
/// How often a task gives a sign of life.
const BEAT: Duration = Duration::from_secs(60);
/// How often is looked whether others have sent what is waited for.
const LOOK: Duration = Duration::from_secs(2);

/// How often, in that time, is looked whether a place is marked as an exchange.
const LOOKS_FOR_MARK: u32 = 5;

/// What tasks send one another, in this order; the last is for nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The distinct sentences of a share, to the tasks that judge them.
    Sentences,
    /// What the ensemble claims on them, back.
    Claims,
    /// What is known of patients from a share, to the tasks that answer for them.
    Values,
    /// All that is known of them, back.
    Dictionaries,
    /// The parts of the output: no rows, but the word that a share is finished.
    Parts,
}

impl fmt::Display for Phase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Sentences => "sentences",
            Self::Claims => "claims",
            Self::Values => "values",
            Self::Dictionaries => "dictionaries",
            Self::Parts => "parts",
        })
    }
}

/// What a task has sent in a phase.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sent {
    attempt: String,
    /// The rows for each task.
    rows: Vec<u64>,
    /// The bytes of all of them.
    bytes: u64,
    /// What the phase adds to the report of the run.
    pub(super) report: RunReport,
}

impl Sent {
    /// The rows for all tasks together.
    pub(super) fn rows(&self) -> u64 {
        self.rows.iter().sum()
    }

    /// The bytes that were written for them.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// The exchange of one run, as one of its tasks sees it.
pub(super) struct Exchange {
    root: Location,
    task: usize,
    tasks: usize,
    patience: Duration,
    /// Ends with this.
    _beats: JoinSet<()>,
    beat: AbortHandle,
}

impl Exchange {
    /// The exchange of those who write an output, in a place that was taken.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where its folder cannot be made.
    pub(super) fn open(options: &TaskOptions, output: &Output) -> Result<Self> {
        let root = run_folder(&options.exchange, output.job(), output.epoch().unwrap_or_default());
        // What tasks exchange is text of notes.
        root.create_closed_in(&options.exchange)?;
        let mut beats = JoinSet::new();
        let beat = beats.spawn_on(give_signs_of_life(root.join(&format!("{ALIVE}/{}", options.index))), &upkeep());
        Ok(Self { root, task: options.index, tasks: options.of, patience: options.patience, _beats: beats, beat })
    }

    /// The folder of this run.
    pub(super) const fn root(&self) -> &Location {
        &self.root
    }

    /// What this task has sent in a phase, if it has.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where the store does not answer.
    pub(super) async fn sent(&self, phase: Phase) -> Result<Option<Sent>> {
        self.sent_by(phase, self.task).await
    }

    async fn sent_by(&self, phase: Phase, task: usize) -> Result<Option<Sent>> {
        let Some((content, _)) = self.done(phase, task).read_if_there().await? else { return Ok(None) };
        serde_json::from_slice(&content).map(Some).map_err(|_| unreadable("exchange"))
    }

    fn done(&self, phase: Phase, task: usize) -> Location {
        self.root.join(&format!("{phase}/done/{task}.json"))
    }

    /// Sends rows, which come in the order of their first column, `receiver`; so many, where it is known how many there must be.
    ///
    /// # Errors
    /// Those of the statement that makes the rows; [`CorpusError::Output`] where they cannot be written; [`CorpusError::Accounting`] where there are
    /// more or fewer.
    pub(super) async fn send(
        &self,
        phase: Phase,
        rows: DataFrame,
        expected: Option<u64>,
        report: RunReport,
    ) -> Result<()> {
        let attempt = format!("{:016x}", nonce()?);
        let folder = self.root.join(&format!("{phase}/{}/{attempt}", self.task));
        let mut batches = rows.execute_stream().await.map_err(CorpusError::in_stage("exchange"))?;
        let mut files = Files::new(folder, batches.schema(), self.tasks)?;
        while let Some(batch) = batches.try_next().await.map_err(CorpusError::in_stage("exchange"))? {
            files.write(&batch).await?;
        }
        let (rows, bytes) = files.finish().await?;
        let sent: u64 = rows.iter().sum();
        if expected.is_some_and(|expected| expected != sent) {
            return Err(CorpusError::Accounting {
                reason: format!("{} rows of {phase} were to be sent, and {sent} were", expected.unwrap_or_default()),
            });
        }
        self.finish(phase, Sent { attempt, rows, bytes, report }).await
    }

    /// Says that a phase is finished in which nothing is sent.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where that cannot be written.
    pub(super) async fn finish_without_rows(&self, phase: Phase, report: RunReport) -> Result<()> {
        self.finish(phase, Sent { attempt: String::new(), rows: Vec::new(), bytes: 0, report }).await
    }

    async fn finish(&self, phase: Phase, sent: Sent) -> Result<()> {
        let done = self.done(phase, self.task);
        let content = serde_json::to_string(&sent).unwrap_or_default();
        match done.local_path() {
            // Not every file system can make a file only where there is none; whichever attempt is named, it is whole.
            Some(_) if done.read_if_there().await?.is_none() => done.write(content).await,
            Some(_) => Ok(()),
            None => match done.create(content).await? {
                Creation::Made(_) | Creation::Exists => Ok(()),
            },
        }
    }

    /// How many tasks have sent what they have to in a phase.
    ///
    /// # Errors
    /// [`CorpusError::Input`] where the store does not answer.
    pub(super) async fn count(&self, phase: Phase) -> Result<usize> {
        Ok(self.root.join(&format!("{phase}/done")).list().await?.len())
    }

    /// Waits until all tasks have sent what they have to in a phase; gives it, by task.
    ///
    /// # Errors
    /// [`CorpusError::Unready`] where no other gives a sign of life for as long as is waited; [`CorpusError::Input`] where the store does not
    /// answer.
    pub(super) async fn all(&self, phase: Phase) -> Result<Vec<Sent>> {
        let (mut seen, mut since) = (Vec::new(), Instant::now());
        loop {
            let count = self.count(phase).await?;
            if count >= self.tasks {
                break;
            }
            let signs = self.signs_of_missing(phase).await?;
            if signs != seen {
                (seen, since) = (signs, Instant::now());
            }
            if since.elapsed() >= self.patience {
                return Err(CorpusError::Unready {
                    missing: self.missing(phase).await?,
                    of: self.tasks,
                    phase: phase.to_string(),
                });
            }
            tokio::time::sleep(LOOK.min(self.patience.saturating_sub(since.elapsed()))).await;
        }
        self.sent_by_all(phase).await
    }

    /// The tasks that have not sent what they have to in a phase, as they are called on the command line.
    async fn missing(&self, phase: Phase) -> Result<Vec<usize>> {
        let done = self.root.join(&format!("{phase}/done"));
        let sent: BTreeSet<String> = done.list().await?.iter().map(|file| done.path_below(&file.location)).collect();
        Ok((1..=self.tasks).filter(|task| !sent.contains(&format!("{}.json", task - 1))).collect())
    }

    /// When the tasks that have not sent what they have to in a phase last gave a sign of life, and which these are. The times are compared with
    /// one another alone, not with a clock.
    async fn signs_of_missing(&self, phase: Phase) -> Result<Vec<(usize, chrono::DateTime<chrono::Utc>)>> {
        let (missing, alive) = (self.missing(phase).await?, self.root.join(ALIVE));
        let sign = |file: ObjectMeta| {
            let task = alive.path_below(&file.location).parse::<usize>().ok()? + 1;
            missing.contains(&task).then_some((task, file.last_modified))
        };
        Ok(alive.list().await?.into_iter().filter_map(sign).collect())
    }

    /// What all tasks have sent in a phase, by task.
    ///
    /// # Errors
    /// [`CorpusError::Accounting`] where one has not; [`CorpusError::Input`] where the store does not answer.
    pub(super) async fn sent_by_all(&self, phase: Phase) -> Result<Vec<Sent>> {
        let mut all = Vec::new();
        for task in 0..self.tasks {
            let sent = self.sent_by(phase, task).await?;
            all.push(sent.ok_or_else(|| unreadable("exchange"))?);
        }
        Ok(all)
    }

    /// Waits for all tasks and brings what they have sent to this one to the work location, as the table `received`; gives its rows.
    ///
    /// # Errors
    /// Those of [`Exchange::all`], of the engine where the files cannot be read, and [`CorpusError::Accounting`] where rows are missing.
    pub(super) async fn receive(&self, job: &mut Job<'_>, phase: Phase) -> Result<u64> {
        let fail = CorpusError::in_stage("exchange");
        job.observer.begin(WAIT, None, &Meter::default());
        let all = self.all(phase).await?;
        job.observer.end(WAIT);
        let rows = |sent: &Sent| sent.rows.get(self.task).copied().unwrap_or_default();
        let files = (0..).zip(&all).map(|(task, sent)| {
            let file = format!("{phase}/{task}/{}/{}.parquet", sent.attempt, self.task);
            (self.root.join(&file).url().to_string(), rows(sent))
        });
        let (mut files, empty): (Vec<_>, Vec<_>) = files.partition(|(_, rows)| *rows > 0);
        if files.is_empty() {
            // A file without rows has columns.
            files.extend(empty.into_iter().take(1));
        }
        if self.root.local_path().is_none() {
            job.context.register_object_store(self.root.url(), self.root.store());
        }
        let files: Vec<_> = files.into_iter().map(|(file, _)| file).collect();
        let sent = job.context.read_parquet(files, Default::default()).await.map_err(&fail)?;
        job.register("sent", sent.into_view())?;
        let expected: u64 = all.iter().map(rows).sum();
        let received = job.write_table("received", "SELECT * FROM sent").await?;
        if received != expected {
            return Err(CorpusError::Accounting {
                reason: format!("{expected} rows of {phase} were sent to this task, and {received} have come"),
            });
        }
        Ok(received)
    }

    /// Removes all that was exchanged.
    ///
    /// # Errors
    /// [`CorpusError::Output`] where something cannot be removed.
    pub(super) async fn clear(&self) -> Result<()> {
        self.beat.abort();
        self.root.clear().await
    }
}

/// Where the tasks of a run that began with an epoch meet.
pub(super) fn run_folder(exchange: &Location, job: &str, epoch: u64) -> Location {
    exchange.join(&format!("{job}-{epoch:016x}"))
}

/// Writes the same small file again and again.
async fn give_signs_of_life(file: Location) {
    for beat in 0_u64.. {
        // A sign that is lost is followed by others.
        let _ = file.write(beat.to_string()).await;
        tokio::time::sleep(BEAT).await;
    }
}

/// Takes a vacant place for exchanges, or one that another task has taken. Gives what tells it from others, whatever path it is reached by.
///
/// # Errors
/// [`CorpusError::Configuration`] where something else lies there.
pub async fn take_exchange(location: &Location) -> Result<String> {
    let mark = location.join(MARK);
    let id = format!("{:016x}", nonce()?);
    for _ in 0..LOOKS_FOR_MARK {
        match mark.read_if_there().await? {
            Some((content, _)) if !content.is_empty() => return Ok(String::from_utf8_lossy(&content).into_owned()),
            None if location.is_vacant().await? => create(location, &mark, &id).await?,
            // Another task is about to write it.
            _ => tokio::time::sleep(LOOK / LOOKS_FOR_MARK).await,
        }
    }
    Err(foreign(location))
}

/// Marks a place, unless another task does so at the same moment.
async fn create(location: &Location, mark: &Location, id: &str) -> Result<()> {
    let (Some(folder), Some(path)) = (location.local_path(), mark.local_path()) else {
        return mark.create(id.to_owned()).await.map(drop);
    };
    if !folder.exists() {
        // A folder that was made for several users keeps their rights.
        location.create_confidential()?;
    }
    match std::fs::File::create_new(&path) {
        Ok(mut file) => file.write_all(id.as_bytes()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
    .map_err(|error| CorpusError::output(mark.uri(), error))
}

fn foreign(location: &Location) -> CorpusError {
    CorpusError::configuration(
        format!("there is something at `{}`, and it is no exchange of tasks", location.uri()),
        "choose another --exchange",
    )
}

/// Removes what the tasks that began with an epoch have left in an exchange; none of them may live. Gives how many files.
///
/// # Errors
/// [`CorpusError::Configuration`] where something else lies there.
pub async fn clean_exchange(exchange: &Location, epoch: u64) -> Result<u64> {
    let files = files(exchange).await?;
    let names = files.iter().map(|file| exchange.path_below(&file.location));
    let runs: BTreeSet<String> = names.filter_map(|name| Some(name.split_once('/')?.0.to_owned())).collect();
    let mut removed = 0;
    for run in runs.iter().filter(|run| run.ends_with(&format!("-{epoch:016x}"))) {
        let run = exchange.join(run);
        removed += run.list().await?.len() as u64;
        run.clear().await?;
    }
    Ok(removed)
}

/// How many files tasks have left in an exchange, whatever run they are of.
///
/// # Errors
/// [`CorpusError::Configuration`] where something else lies there.
pub async fn left_in_exchange(exchange: &Location) -> Result<u64> {
    let files = files(exchange).await?;
    Ok(files.iter().filter(|file| exchange.path_below(&file.location) != MARK).count() as u64)
}

/// What lies in an exchange.
async fn files(exchange: &Location) -> Result<Vec<ObjectMeta>> {
    let files = exchange.list().await?;
    match files.is_empty() || exchange.join(MARK).read_if_there().await?.is_some() {
        true => Ok(files),
        false => Err(foreign(exchange)),
    }
}

/// A file for each task, written one after another.
struct Files {
    folder: Location,
    schema: SchemaRef,
    /// The columns without the first.
    columns: Vec<usize>,
    open: Option<PartWriter>,
    rows: Vec<u64>,
    bytes: u64,
    tasks: usize,
}

impl Files {
    fn new(folder: Location, schema: SchemaRef, tasks: usize) -> Result<Self> {
        let columns: Vec<usize> = (1..schema.fields().len()).collect();
        let schema = schema.project(&columns).map_err(|_| unreadable("exchange"))?;
        Ok(Self { folder, schema: schema.into(), columns, open: None, rows: Vec::new(), bytes: 0, tasks })
    }

    async fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let receivers = numbers(batch, "receiver", "exchange")?;
        let rows = batch.project(&self.columns).map_err(|_| unreadable("exchange"))?;
        let mut from = 0;
        for run in receivers.values().chunk_by(|left, right| left == right) {
            self.advance(run[0] as usize + 1).await?;
            if let (Some(open), Some(count)) = (&mut self.open, self.rows.last_mut()) {
                open.write(&rows.slice(from, run.len())).await?;
                *count += run.len() as u64;
            }
            from += run.len();
        }
        Ok(())
    }

    /// Goes on until so many files are begun. Each has a file, be it without rows.
    async fn advance(&mut self, begun: usize) -> Result<()> {
        if begun < self.rows.len() || begun > self.tasks {
            return Err(unreadable("exchange"));
        }
        while self.rows.len() < begun {
            self.close().await?;
            let file = self.folder.join(&format!("{}.parquet", self.rows.len()));
            self.open = Some(PartWriter::create(file, PartFormat::Parquet, &self.schema)?);
            self.rows.push(0);
        }
        Ok(())
    }

    async fn close(&mut self) -> Result<()> {
        if let Some(open) = self.open.take() {
            self.bytes += open.finish().await?.bytes;
        }
        Ok(())
    }

    /// The rows for each task, and the bytes of all of them.
    async fn finish(mut self) -> Result<(Vec<u64>, u64)> {
        self.advance(self.tasks).await?;
        self.close().await?;
        Ok((self.rows, self.bytes))
    }
}
