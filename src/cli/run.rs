//! `plainsight run`.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::Outcome;
use super::arguments::{CorpusArguments, DeidentifyArguments, PolicyArguments, TargetArguments};
use super::cluster::RemoteArguments;
use super::metrics::Metrics;
use super::progress::{LogFormat, Progress};
use crate::cluster::{Cluster, ClusterRun};
use crate::corpus::output::status;
use crate::corpus::{
    CorpusError, Deidentifier, Location, Place, RefusedLimit, Result, RunOptions, RunReport, StoreOptions, TaskOptions,
    Tasks, report_of,
};
use crate::detect::Half;

/// Every task sends every other a file in each of four phases.
const MOST_TASKS: usize = 1000;

#[derive(Debug, Args)]
pub(super) struct RunArguments {
    #[command(flatten)]
    job: JobArguments,
    /// Where the de-identified notes go: a folder that does not exist yet, or is empty
    #[arg(long, value_name = "URI")]
    out: String,
    /// Go on from the earlier output at --out: parts are kept where neither their notes nor what is known of their patients has changed,
    /// written again where a new note tells more of a patient, and removed where their notes are gone. What is needed to tell is
    /// remembered in --cache
    #[arg(long, requires = "cache")]
    incremental: bool,
    /// Write down in offsets/ at the work location, part by part, where each replaced span stood and where what stands for it does, so that
    /// annotations on the notes can be carried over. Confidential: it tells surrogates from what was missed
    #[arg(long)]
    map_offsets: bool,
    /// How many rows may be refused, of all that are read, before the run fails and its output is not declared whole: 0, 100, 0.5%
    #[arg(long, value_name = "ROWS|N%", default_value = "100%")]
    refused_at_most: RefusedLimit,
    #[command(flatten)]
    task: TaskArguments,
    #[command(flatten)]
    remote: RemoteArguments,
    /// Exit with 3, not 0, where there is nothing to do: no notes, or an output that is whole and was made by the same run before
    #[arg(long)]
    fail_if_empty: bool,
    #[command(flatten)]
    deidentify: DeidentifyArguments,
    #[command(flatten)]
    policy: PolicyArguments,
}

/// One task of several, or all of them on a cluster.
#[derive(Debug, Args)]
#[group(skip)]
#[command(group = clap::ArgGroup::new("shared").args(["task", "cluster"]))]
struct TaskArguments {
    /// Do the I-th of N shares of the run, in step with the other tasks, which may run anywhere: a share is a part of the notes, and of the sentences
    /// and patients of all of them. The task that ends last declares the output whole; one that was lost is run again. I counts from 1, or from
    /// 0: 0/N is N/N
    #[arg(long, value_name = "I/N", value_parser = task, requires = "exchange", conflicts_with_all = ["incremental", "no_dedupe"])]
    task: Option<(usize, usize)>,
    /// Into how many tasks the run is cut for the executors of --cluster, which meet in --exchange too
    #[arg(long, value_name = "N", requires = "cluster", value_parser = clap::value_parser!(u16).range(1..=MOST_TASKS as i64))]
    tasks: Option<u16>,
    /// Where the tasks hand sentences, claims and values to one another: a folder, or an s3://, gs:// or az:// URL, which all of them reach.
    /// Confidential; emptied when the output is whole
    #[arg(long, value_name = "URI", requires = "shared")]
    exchange: Option<String>,
    /// An option of the store of the exchange, over the environment's; secrets as KEY=env:NAME or KEY=file:PATH; may be given several times
    #[arg(long, value_name = "KEY=VALUE", requires = "exchange")]
    exchange_option: Vec<String>,
    /// How many seconds a task waits while no other gives a sign of life, before it exits with 75; run again, it goes on from there
    #[arg(long, value_name = "SECONDS", requires = "task", default_value_t = 600)]
    task_wait: u64,
}

impl TaskArguments {
    fn options(&self) -> Result<Option<TaskOptions>> {
        let (Some((number, of)), Some(exchange)) = (self.task, &self.exchange) else { return Ok(None) };
        let exchange = Location::parse_with(exchange, &StoreOptions::parse(&self.exchange_option)?)?;
        Ok(Some(TaskOptions { index: number - 1, of, exchange, patience: Duration::from_secs(self.task_wait) }))
    }
}

fn task(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match numbers {
        // Schedulers count from 0 or from 1: the one that counts from 0 calls the last so.
        Some((0, of)) if (1..=MOST_TASKS).contains(&of) => Ok((of, of)),
        Some((number, of)) if (1..=of).contains(&number) && of <= MOST_TASKS => Ok((number, of)),
        _ => Err(format!("say which task of how many, up to {MOST_TASKS}: 3/8")),
    }
}

/// What `run` and `detect` share.
#[derive(Debug, Args)]
pub(super) struct JobArguments {
    #[command(flatten)]
    pub(super) corpus: CorpusArguments,
    #[command(flatten)]
    pub(super) target: TargetArguments,
    /// Do not look for what is found with confidence in one note of a patient in the patient's other notes
    #[arg(long)]
    no_second_pass: bool,
    /// A local folder where what detectors say of sentences is remembered from run to run: confidential. What is there is not detected
    /// again
    #[arg(long, value_name = "DIR")]
    cache: Option<String>,
    /// Detect each occurrence of a sentence by itself: the same spans, many times as slow
    #[arg(long, conflicts_with = "cache")]
    no_dedupe: bool,
    /// Replace the earlier output at --out
    #[arg(long)]
    overwrite: bool,
}

impl RunArguments {
    /// How a run ends that had nothing to do.
    fn nothing_to_do(&self) -> Outcome {
        if self.fail_if_empty { Outcome::NothingToDo } else { Outcome::Done }
    }

    /// How a run ends that has written its output: tables without a row are no notes, either.
    fn ended(&self, report: &RunReport) -> Outcome {
        let is_empty = report.notes_read == 0 && !self.incremental;
        if is_empty { self.nothing_to_do() } else { Outcome::Done }
    }

    /// What a run has come to; none, and it is said so, where there were no notes. A place that is not there was mistyped, unless the user says that
    /// it may be missing.
    fn unless_empty<T>(&self, ended: Result<T>, progress: &Progress) -> Result<Option<T>> {
        match ended {
            Err(error @ CorpusError::Empty { is_place, .. }) if is_place || self.fail_if_empty => {
                progress.message(&format!("nothing to do: {error}"));
                Ok(None)
            }
            ended => ended.map(Some),
        }
    }
}

impl JobArguments {
    pub(super) fn options(&self, out: Location, deidentify: &DeidentifyArguments) -> Result<RunOptions> {
        let mut job = self.corpus.options(Some(&out))?;
        job.patients = deidentify.patients.as_deref().map(|uri| self.corpus.source.location(uri)).transpose()?;
        job.cache = self.cache.as_deref().map(Location::parse).transpose()?;
        Ok(RunOptions {
            job,
            out,
            overwrite: self.overwrite,
            dedupe: !self.no_dedupe,
            second_pass: !self.no_second_pass,
            incremental: false,
            refused_at_most: RefusedLimit::default(),
            task: None,
        })
    }

    /// The finder and replacer that the arguments describe, or one half of its ensemble.
    pub(super) async fn deidentifier(
        &self,
        half: Half,
        deidentify: &DeidentifyArguments,
        policy: Option<&PolicyArguments>,
    ) -> Result<Deidentifier> {
        let (preset, context) = (self.corpus.columns.preset(), self.corpus.context);
        deidentify.deidentifier_of(half, policy, preset, context, Some(&self.corpus.source)).await
    }
}

pub(super) async fn run(arguments: RunArguments, log_format: LogFormat, metrics: &Metrics) -> Result<Outcome> {
    if let Some(cluster) = arguments.remote.cluster().await? {
        return run_on(&cluster, arguments, log_format, metrics).await;
    }
    let out = arguments.job.target.location(&arguments.out)?;
    let mut options = arguments.job.options(out, &arguments.deidentify)?;
    options.incremental = arguments.incremental;
    options.job.map_offsets = arguments.map_offsets;
    options.refused_at_most = arguments.refused_at_most;
    options.task = arguments.task.options()?;
    let deidentifier = arguments.job.deidentifier(Half::Both, &arguments.deidentify, Some(&arguments.policy)).await?;
    let progress = Progress::new(log_format);
    let report = crate::corpus::run(&options, Arc::new(deidentifier), &metrics.observing(&progress)).await;
    if arguments.incremental || options.overwrite {
        refuse_emptied(&report, &options.out).await?;
    }
    let Some(report) = arguments.unless_empty(report, &progress)? else { return Ok(arguments.nothing_to_do()) };
    if report.nothing_to_do {
        if options.job.map_offsets && !has_offsets(&work_of(&options)) {
            progress
                .message("the offsets of this output are not at the work location: --overwrite makes it and them anew");
        }
        let uri = options.out.uri();
        progress.message(&format!("nothing to do: `{uri}` is whole, and the same notes and settings made it"));
        return Ok(arguments.nothing_to_do());
    }
    metrics.report(&report);
    tell_refused(&options, &report, &progress);
    if let Some(Tasks { of, done, .. }) = report.tasks.filter(|tasks| tasks.done < tasks.of) {
        progress
            .message(&format!("this task is done; {done} of {of} are, and the last of them declares the output whole"));
        super::print(format!("\n{report}\n"))?;
        return Ok(Outcome::Done);
    }
    super::print(format!("\n{report}\n  report: {}\n", options.out.join("_plainsight/run.json").uri()))?;
    Ok(arguments.ended(&report))
}

/// An output that grows or is to be replaced, and whose notes are all gone, holds what it should not, or the notes have only been mislaid: nobody but the user knows.
async fn refuse_emptied<T>(ended: &Result<T>, out: &Location) -> Result<()> {
    let Err(CorpusError::Empty { location, .. }) = ended else { return Ok(()) };
    if status(out).await?.parts == 0 {
        return Ok(());
    }
    Err(CorpusError::configuration(
        format!("there are no notes at `{location}`, and `{}` still holds those of earlier runs", out.uri()),
        "look whether the notes are where they were; if they are all to go, delete the output",
    ))
}

/// Has the executors of a cluster do the run.
async fn run_on(
    cluster: &Cluster,
    arguments: RunArguments,
    log_format: LogFormat,
    metrics: &Metrics,
) -> Result<Outcome> {
    let job = &arguments.job;
    let (corpus, task) = (&job.corpus, &arguments.task);
    let (Some(tasks), Some(exchange)) = (task.tasks, &task.exchange) else {
        return Err(CorpusError::configuration(
            "a run on a cluster is cut into tasks that meet somewhere",
            "give --tasks N, and --exchange URI, which all executors reach",
        ));
    };
    if arguments.incremental || arguments.map_offsets || job.no_dedupe || job.cache.is_some() || corpus.has_work() {
        return Err(CorpusError::configuration(
            "--incremental, --map-offsets, --no-dedupe, --cache and --work are not for runs on a cluster",
            "leave them out; executors work in folders of their own",
        ));
    }
    let out = job.target.location(&arguments.out)?;
    let run = ClusterRun {
        notes: corpus.place()?,
        columns: corpus.columns.options()?,
        out: job.target.place(&out),
        exchange: Place::of(
            &Location::parse_with(exchange, &StoreOptions::parse(&task.exchange_option)?)?,
            &task.exchange_option,
        ),
        tasks: tasks.into(),
        refused_at_most: arguments.refused_at_most,
        overwrite: job.overwrite,
        second_pass: !job.no_second_pass,
        memory: corpus.memory,
    };
    let deidentifier = Arc::new(job.deidentifier(Half::Both, &arguments.deidentify, Some(&arguments.policy)).await?);
    let progress = Progress::new(log_format);
    let told = |done| progress.message(&format!("{done} of {tasks} tasks are done"));
    let anything = arguments.unless_empty(run.run(cluster, &deidentifier, told).await, &progress)?;
    let Some(anything) = anything else { return Ok(arguments.nothing_to_do()) };
    if !anything {
        progress.message(&format!("nothing to do: `{}` is whole, and the same notes and settings made it", out.uri()));
        return Ok(arguments.nothing_to_do());
    }
    let report = report_of(&out).await?;
    if !report.quarantined.is_empty() {
        progress.message(
            "refused rows are listed on the executors that refused them: WORK/run-…/share-…/quarantine.jsonl, which stays",
        );
    }
    metrics.report(&report);
    super::print(format!("\n{report}\n  report: {}\n", out.join("_plainsight/run.json").uri()))?;
    Ok(arguments.ended(&report))
}

/// Says where the refused rows are listed, if there are any, and where offsets are mapped.
pub(super) fn tell_refused(options: &RunOptions, report: &RunReport, progress: &Progress) {
    let work = work_of(options);
    let list = work.join("quarantine.jsonl");
    if list.local_path().is_some_and(|path| path.is_file()) {
        progress.message(&format!("refused rows are listed in {}", list.uri()));
    } else if !report.quarantined.is_empty() {
        // The last task tells of all.
        progress.message("refused rows are listed by the tasks that refused them: quarantine.jsonl at their --work");
    }
    if options.job.map_offsets && has_offsets(&work) {
        progress.message(&format!("offsets are mapped in {}", work.join("offsets").uri()));
    }
}

/// Where the job works.
fn work_of(options: &RunOptions) -> Location {
    match &options.task {
        Some(task) => options.job.work.join(&task.share_folder()),
        None => options.job.work.clone(),
    }
}

fn has_offsets(work: &Location) -> bool {
    work.join("offsets").local_path().is_some_and(|path| path.is_dir())
}
