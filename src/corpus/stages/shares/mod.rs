//! A run as several tasks, each with a share of the notes and of everything that is grouped.
//!
//! ```text
//! share i of the notes     bucket i of texts and patients        share i of the notes
//! count, sentences ──────▶ detect ─────────────────────────────▶ index, second pass
//!                          all that is known of patients ◀────── values
//!                                                       ───────▶ replace ─ the last task: manifest, _SUCCESS
//! ```
//!
//! Every distinct sentence of the corpus is detected once, by the task that answers for its text; what is known of a patient is gathered by the task
//! that answers for the patient. Each arrow waits for all tasks. What is sent stays in the exchange until the output is whole, so that a task
//! which was lost is simply run again, wherever that is. The output is, byte for byte, the one that a single run writes.

mod begun;
mod exchange;
mod sentences;
mod values;

use std::sync::Arc;
use std::time::Duration;

pub(super) use begun::as_begun;
use exchange::{Exchange, Phase};
pub use exchange::{clean_exchange, left_in_exchange, take_exchange};

use super::places::{self, forget_offsets_of_others, remove_if_empty};
use super::replace::{self, Parts, Shape};
use super::{Job, JobOptions, Prepared, RunOptions};
use crate::corpus::claims::SentenceClaims;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::join_back;
use crate::corpus::output::{Output, PartRecord, epoch_of_report};
use crate::corpus::progress::Observer;
use crate::corpus::report::{RunReport, Tasks};
use crate::corpus::store::Location;

/// Removes what a task has left in an exchange and at the work location, once the output is whole: it may have been killed just before it did so
/// itself.
///
/// # Errors
/// [`CorpusError::Output`] where something cannot be removed.
pub(super) async fn forget(options: &RunOptions, task: &TaskOptions) -> Result<()> {
    if let Some(epoch) = epoch_of_report(&options.out).await? {
        clean_exchange(&task.exchange, epoch).await?;
    }
    forget_work(options)
}

/// Removes the folders of a task, unless they are to be kept, or refused rows are listed there.
fn forget_work(options: &RunOptions) -> Result<()> {
    let (Some(task), false) = (&options.task, options.job.keep_work) else { return Ok(()) };
    for folder in [task.folder("share"), task.folder("bucket")] {
        places::forget(&options.job.work.join(&folder))?;
    }
    if let Some(work) = options.job.work.local_path() {
        // Where another task works there too, or refused rows are listed, it stays.
        remove_if_empty(&work);
    }
    Ok(())
}

/// One of several tasks that do a run together.
#[derive(Debug, Clone)]
pub struct TaskOptions {
    /// Which, from 0.
    pub index: usize,
    /// Of how many.
    pub of: usize,
    /// Where the tasks hand rows to one another: reached by all of them, confidential.
    pub exchange: Location,
    /// How long this task waits while no other gives a sign of life.
    pub patience: Duration,
}

impl TaskOptions {
    /// The folder below the work location where this task works on its share, and lists the rows that it refuses.
    pub fn share_folder(&self) -> String {
        self.folder("share")
    }

    fn folder(&self, name: &str) -> String {
        format!("{name}-{}-of-{}", self.index + 1, self.of)
    }
}

/// A task under way.
struct Task<'o> {
    prepared: Prepared,
    options: &'o RunOptions,
    task: &'o TaskOptions,
    exchange: Exchange,
    observer: &'o dyn Observer,
}

/// Does one task's part of a run; the last of the tasks declares the output whole.
pub(super) async fn run(
    prepared: Prepared,
    options: &RunOptions,
    task: &TaskOptions,
    output: &Output,
    observer: &dyn Observer,
) -> Result<RunReport> {
    let exchange = Exchange::open(task, output)?;
    begun::remember(exchange.root(), &prepared.source).await?;
    let task = Task { prepared, options, task, exchange, observer };
    task.run(output).await
}

impl Task<'_> {
    async fn run(self, output: &Output) -> Result<RunReport> {
        let mut job = self.begin("share")?;
        self.send_sentences(&mut job).await?;
        self.judge_sentences(output).await?;
        let claims = Arc::new(SentenceClaims::Index(self.index_of_claims(&mut job).await?));
        let dictionaries = match self.options.second_pass {
            true => {
                self.send_values(&mut job, &claims).await?;
                self.gather_values(output).await?;
                Some(self.dictionaries(&mut job).await?)
            }
            false => None,
        };
        job.context.register_udf(join_back(&job.deidentifier, &claims, dictionaries.as_ref()));
        forget_offsets_of_others(&self.options.job.work, self.task.of)?;
        let parts = Parts::of(&mut job, output);
        let (records, shape) = replace::write(&mut job, output, parts).await?;
        let seconds = job.begun.elapsed().as_secs_f64();
        let report = RunReport { seconds, ..std::mem::take(&mut job.report) };
        let quarantined = !report.quarantined.is_empty();
        if self.exchange.sent(Phase::Parts).await?.is_none() {
            self.exchange.finish_without_rows(Phase::Parts, report).await?;
        }
        let report = self.declare(output, &shape, &records).await?;
        job.work.finish(quarantined).await?;
        forget_work(self.options)?;
        Ok(report)
    }

    /// A job of this task, which works in a folder of its own.
    fn begin(&self, folder: &str) -> Result<Job<'_>> {
        let work = self.options.job.work.join(&self.task.folder(folder));
        self.prepared.clone().begin(&JobOptions { work, ..self.options.job.clone() }, self.observer)
    }

    /// What a job has to report so far; how many notes were read is told once, at the end.
    fn reported(&self, job: &mut Job<'_>) -> RunReport {
        let notes_read = job.report.notes_read;
        let next = RunReport { notes_read, ..self.prepared.report(job.partitions) };
        RunReport { notes_read: 0, ..std::mem::replace(&mut job.report, next) }
    }

    /// The first task makes way for the parts of all before it sends what the others wait for before they write: an earlier output stays as it was
    /// until then. Where another attempt at this task has sent it by now, they may be writing already.
    async fn make_way(&self, output: &Output, awaited: Phase) -> Result<()> {
        match self.task.index == 0 && self.exchange.sent(awaited).await?.is_none() {
            true => output.begin_for_all().await,
            false => Ok(()),
        }
    }

    /// `{task}` and `{tasks}` of a statement.
    fn statement(&self, statement: &str) -> String {
        statement.replace("{tasks}", &self.task.of.to_string()).replace("{task}", &self.task.index.to_string())
    }

    /// Declares the output whole if all tasks have done their share. Gives what all have done then, else what this one has; `records` are those of
    /// its parts.
    async fn declare(&self, output: &Output, shape: &Shape, records: &[PartRecord]) -> Result<RunReport> {
        let (of, epoch) = (self.task.of, output.epoch().unwrap_or_default());
        let mut tasks = Tasks { of, done: self.exchange.count(Phase::Parts).await?, exchanged_bytes: 0, epoch };
        let mut report = self.prepared.report(self.options.job.partitions);
        if tasks.done < self.task.of {
            if output.is_declared().await? {
                // Another has declared it whole, and removed what was exchanged.
                tasks.done = self.task.of;
            }
            for phase in self.phases() {
                self.exchange.sent(phase).await?.into_iter().for_each(|sent| report.add(sent.report));
            }
            replace::add_parts(&mut report, records);
            return Ok(RunReport { tasks: Some(tasks), ..report });
        }
        let declared = async {
            for phase in self.phases() {
                for sent in self.exchange.sent_by_all(phase).await? {
                    tasks.exchanged_bytes += sent.bytes();
                    report.add(sent.report);
                }
            }
            report.tasks = Some(tasks);
            self.options.refused_at_most.check(&report, &self.prepared.source.location)?;
            let records = self.records(output).await?;
            let settings = &self.prepared.settings.all;
            let manifest = replace::finished(&mut report, settings, output, shape, records).await?;
            output.commit(report.to_json(), &manifest).await
        };
        if let Err(error) = declared.await {
            // Another of the last tasks may have been faster; then what this one looked for is gone. Or this one came as far as the manifest.
            match output.is_declared().await? {
                true => output.declare_whole().await?,
                false => return Err(error),
            }
        }
        self.exchange.clear().await?;
        Ok(report)
    }

    /// What is sent in this run, in order.
    fn phases(&self) -> impl Iterator<Item = Phase> + use<> {
        let second_pass = self.options.second_pass;
        let is_sent = move |phase: &Phase| second_pass || ![Phase::Values, Phase::Dictionaries].contains(phase);
        [Phase::Sentences, Phase::Claims, Phase::Values, Phase::Dictionaries, Phase::Parts].into_iter().filter(is_sent)
    }

    /// The records of all parts, in the order of units.
    async fn records(&self, output: &Output) -> Result<Vec<PartRecord>> {
        let source = &self.prepared.source;
        let mut records = output.records().await?;
        records.sort_by_key(|part| part.number);
        let expected = source.units.iter().map(|unit| self.prepared.identities.unit(source, unit));
        if !expected.eq(records.iter().map(|part| part.input.clone())) || !output.holds(&records).await? {
            return Err(CorpusError::Output {
                location: self.options.out.uri().to_owned(),
                reason: format!(
                    "{} parts were finished, and not all of them are there any more\n  hint: run the tasks again; they make what is missing",
                    source.units.len()
                ),
                temporary: true,
            });
        }
        Ok(records)
    }
}
