//! The stages of a run, each a statement in `sql/` over the tables that the ones before it wrote.
//!
//! ```text
//! documents ─ count ─▶ counts ─ sentences ─▶ sentences ─ claims ─▶ claims ─ index ─┬─ second pass ─┬─▶ note_spans() ─┬─ replace ─▶ notes
//!                                                                                  └───────────────┘                 └─ detect ──▶ spans
//! ```
//!
//! What stages hand on lies under the work location, readable by its owner only: it tells PHI from all else.

mod candidates;
mod claims;
mod count;
mod detect;
mod earlier_spans;
mod harvest;
mod incremental;
mod offsets;
mod places;
mod prevalence;
mod quarantine;
mod released;
mod replace;
mod second_pass;
mod sentences;
mod shares;
mod tables;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::prelude::SessionContext;
use replace::Parts;

use super::claims::SentenceClaims;
use super::deidentifier::Deidentifier;
use super::error::{CorpusError, Result};
use super::functions::join_back;
use super::index::PatientDictionaries;
use super::managed::refuse_released;
use super::memory::give_back;
use super::output::{Earlier, Identities, Output, PartRecord, Settings, occupied, report_of, status};
use super::part::PartFormat;
use super::progress::{Meter, Observer};
use super::report::{Records, RunReport, StageReport};
use super::schema::{ColumnOptions, Role};
use super::session::limited_session;
use super::source::{Format, Share, Source, discover_files, first_patients};
use super::stop::{listen, until_stopped};
use super::store::Location;

pub use candidates::{CandidateOptions, candidates, gold_candidates};
pub use harvest::{check_templates, harvest};
use incremental::Release;
pub(super) use places::{CLAIM_INDEX, COUNT_INDEX, DICTIONARIES, TABLES};
use places::{Done, Work, check_apart, take_cache};
pub use places::{clean_work, forget_tasks};
pub use prevalence::prevalence;
pub use quarantine::RefusedLimit;
pub(super) use released::{anchored, namespace, quoted, released};
pub use shares::{TaskOptions, clean_exchange, left_in_exchange};

/// What a job over notes reads, where it works, and with what.
#[derive(Debug, Clone)]
pub struct JobOptions {
    /// The notes.
    pub notes: Location,
    /// The patients' records, which are read before: named so that they are not written over.
    pub patients: Option<Location>,
    /// Where stages hand on their tables; local and confidential.
    pub work: Location,
    /// Whether the tables stay at the work location when the job has ended.
    pub keep_work: bool,
    /// Where what members say of sentences is remembered from run to run; local and confidential.
    pub cache: Option<Location>,
    /// How many bytes of memory the engine may hold before it writes to disk; none for as many as it wants.
    pub memory: Option<u64>,
    /// The roles of columns.
    pub columns: ColumnOptions,
    /// How many workers.
    pub partitions: usize,
    /// Whether it is written down at the work location where replaced spans stood and where what stands for them does.
    pub map_offsets: bool,
}

impl JobOptions {
    /// Refuses places that lie in one another, `further` confidential ones among them.
    fn check_apart(&self, out: Option<&Location>, further: &[(&str, &Location)]) -> Result<()> {
        let mut inputs = vec![("the notes", &self.notes)];
        inputs.extend(self.patients.iter().map(|patients| ("the patients", patients)));
        let mut confidential = vec![("the work location", &self.work)];
        confidential.extend(self.cache.iter().map(|cache| ("the span cache", cache)));
        confidential.extend(further);
        check_apart(&inputs, out, &confidential)
    }
}

/// Where a run writes, and how.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// What it reads.
    pub job: JobOptions,
    /// Where the result goes.
    pub out: Location,
    /// Whether an earlier output at `out` may be replaced.
    pub overwrite: bool,
    /// Whether each distinct sentence is detected once; else each occurrence is, which takes longer and finds the same.
    pub dedupe: bool,
    /// Whether what is found with confidence in a note is looked for in the patient's others.
    pub second_pass: bool,
    /// Whether parts of an earlier output at `out` are kept where neither their notes nor what is known of their patients has changed.
    pub incremental: bool,
    /// How many rows may be refused before the run has failed.
    pub refused_at_most: RefusedLimit,
    /// Which part of the run is done, where it is one of several tasks; these remove each sentence's repetition, and make all anew.
    pub task: Option<TaskOptions>,
}

/// A job that is about to begin: its notes are found, its detectors are open, nothing is written yet.
#[derive(Clone)]
struct Prepared {
    source: Arc<Source>,
    deidentifier: Arc<Deidentifier>,
    identities: Identities,
    settings: Settings,
    key_id: String,
    ensemble: Vec<String>,
    records: Option<Records>,
    /// Files of notes that are left to another run.
    files_left: u64,
    begun: Instant,
}

/// A job under way.
struct Job<'o> {
    source: Arc<Source>,
    deidentifier: Arc<Deidentifier>,
    identities: Identities,
    settings: Settings,
    context: SessionContext,
    work: Work,
    cache: Option<Location>,
    partitions: usize,
    map_offsets: bool,
    observer: &'o dyn Observer,
    report: RunReport,
    /// The rows that the last statement over all documents could not read; which they are, is told where notes are written.
    unread: u64,
    /// How many may be refused, in a run: of a share alone nobody can tell.
    refused_at_most: Option<RefusedLimit>,
    begun: Instant,
}

/// De-identifies notes: the whole way from `notes` to `out`. Where an interrupted run of the same job has finished stages or parts, it goes
/// on from there; where the output is whole already, it does nothing and says so in the report.
///
/// # Errors
/// Any [`CorpusError`]; then `out` is not whole, and the same run may be tried again.
pub async fn run(options: &RunOptions, deidentifier: Arc<Deidentifier>, observer: &dyn Observer) -> Result<RunReport> {
    // So long the process waits for this run to put down what it has in hand.
    let _listening = listen();
    let (prepared, output) = take(options, deidentifier).await?;
    let nothing_to_do = RunReport { nothing_to_do: true, ..prepared.report(options.job.partitions) };
    let stages = prepared.stages();
    let done = match (output.is_whole(), &options.task) {
        (true, _) => refuse_whole(options).await.map(|()| None),
        (false, Some(task)) => {
            match until_stopped(shares::run(prepared, options, task, &output, observer)).await {
                // Another attempt at this task has done what there was to do, and removed what this one went by.
                Err(error)
                    if !matches!(error, CorpusError::Stopped) && output.is_declared().await.unwrap_or_default() =>
                {
                    Ok(None)
                }
                done => done.map(Some),
            }
        }
        (false, None) => until_stopped(prepared.run(options, &output, observer)).await.map(Some),
    };
    let done = match done {
        Ok(None) => until_stopped(forget(options, &stages)).await.map(|()| nothing_to_do),
        Ok(Some(report)) => Ok(report),
        Err(error) => Err(error),
    };
    output.give_back().await;
    done
}

/// Files that tell that they have no row are as good as none where an output of rows would be taken away for them: an export may have failed.
///
/// # Errors
/// [`CorpusError::Empty`].
async fn refuse_emptied(options: &RunOptions, source: &Source) -> Result<()> {
    let takes_away = options.incremental || options.overwrite;
    if takes_away && source.known_rows() == Some(0) && status(&options.out).await?.rows.is_some_and(|rows| rows > 0) {
        return Err(CorpusError::Empty { location: source.location.uri().to_owned(), is_place: true });
    }
    Ok(())
}

/// Refuses an output that is whole already, and from which more rows are missing than may be now.
async fn refuse_whole(options: &RunOptions) -> Result<()> {
    match report_of(&options.out).await {
        Ok(report) => options.refused_at_most.check(&report, &options.job.notes),
        // Without a report nobody can tell, and the manifest says that it is whole.
        Err(_) => Ok(()),
    }
}

/// Removes what a run has left at its work location, and a task in its exchange, where the output is whole: it may have been killed just before it did
/// so itself.
async fn forget(options: &RunOptions, stages: &str) -> Result<()> {
    match &options.task {
        Some(task) => shares::forget(options, task).await,
        None if options.job.keep_work => Ok(()),
        None => places::forget_of(&options.job.work, stages),
    }
}

/// Opens what a run reads and works with, and takes its output.
async fn take(options: &RunOptions, deidentifier: Arc<Deidentifier>) -> Result<(Prepared, Output)> {
    let allowed = match (options.incremental, options.overwrite) {
        (_, true) => Earlier::Overwrite,
        (true, false) => Earlier::GoOn,
        (false, false) => Earlier::Keep,
    };
    let all = |deidentifier| Prepared::open(&options.job, Some(&options.out), deidentifier, options.second_pass, None);
    let Some(task) = &options.task else {
        let prepared = until_stopped(all(deidentifier)).await?;
        refuse_emptied(options, &prepared.source).await?;
        let output = Output::take(&options.out, &prepared.job(), allowed).await?;
        return Ok((prepared, output));
    };
    options.job.check_apart(Some(&options.out), &[("the exchange", &task.exchange)])?;
    let exchange = until_stopped(shares::take_exchange(&task.exchange)).await?;
    let begun = until_stopped(shares::as_begun(options, task, &exchange, &deidentifier)).await?;
    let mut prepared = match begun {
        Some(begun) => begun,
        None => until_stopped(all(deidentifier)).await?,
    };
    refuse_emptied(options, &prepared.source).await?;
    let job = prepared.job();
    let share = Share { index: task.index, of: task.of };
    prepared.source = Arc::new(Source { share, ..prepared.source.as_ref().clone() });
    let output = Output::join(&options.out, &job, task.of, exchange, allowed).await?;
    Ok((prepared, output))
}

/// Finds the identifiers of notes and writes them to `out`, a file of Parquet or JSON Lines by its ending.
///
/// # Errors
/// Any [`CorpusError`]; then there is no new file at `out`.
pub async fn detect(
    options: &RunOptions,
    deidentifier: Arc<Deidentifier>,
    observer: &dyn Observer,
) -> Result<RunReport> {
    let Some(format) = PartFormat::of_name(options.out.uri()) else {
        return Err(CorpusError::configuration(
            format!("`{}` ends in no known format", options.out.uri()),
            "let --out end in .parquet or .jsonl",
        ));
    };
    refuse_released(&options.out).await?;
    match options.overwrite {
        true => earlier_spans::refuse_other_file(&options.out, format).await?,
        false if options.out.is_vacant().await? => {}
        false => return Err(occupied(&options.out)),
    }
    let prepared = Prepared::open(&options.job, Some(&options.out), deidentifier, options.second_pass, None).await?;
    let mut job = prepared.begin(&options.job, observer)?;
    job.index(options).await?;
    detect::detect(&mut job, &options.out, format).await?;
    job.end().await
}

impl Prepared {
    /// Opens what a job works with; of the notes all files, or those named, by their paths below the location.
    async fn open(
        options: &JobOptions,
        out: Option<&Location>,
        deidentifier: Arc<Deidentifier>,
        second_pass: bool,
        files: Option<&BTreeSet<String>>,
    ) -> Result<Self> {
        let begun = Instant::now();
        options.check_apart(out, &[])?;
        if let Some(cache) = &options.cache {
            take_cache(cache).await?;
        }
        let key_id = deidentifier.key()?.id();
        // Opened now: a model that is missing or damaged stops the run before a note is read.
        let ensemble = deidentifier.ensemble()?.members();
        let source = Arc::new(discover_files(&options.notes, &options.columns, files).await?);
        if source.columns.patient().is_none() && !deidentifier.records().is_empty() {
            return Err(CorpusError::configuration(
                "no column says whose a note is, so the patients' records cannot be matched",
                "name it with `--columns patient=NAME`",
            ));
        }
        let records = match options.patients.is_some() || !deidentifier.records().is_empty() {
            true => Some(records_of_notes(&source, &deidentifier).await?),
            false => None,
        };
        let identities = Identities::new(&deidentifier)?;
        if options.map_offsets && source.columns.note().is_none_or(|note| note.role == Role::Drop) {
            return Err(CorpusError::configuration(
                "no column names the notes, so nobody could tell whose offsets these are",
                "name it with `--columns note=NAME`, and do not drop it",
            ));
        }
        // Parts that were finished without a map of offsets are no use to a run with one.
        let settings = identities.settings(&source, &deidentifier, (second_pass, options.map_offsets))?;
        Ok(Self { source, deidentifier, identities, settings, key_id, ensemble, records, files_left: 0, begun })
    }

    /// What tells this job from others: its notes, settings and detectors.
    fn job(&self) -> String {
        self.identities.job(&self.settings, &self.source, &self.deidentifier)
    }

    fn report(&self, partitions: usize) -> RunReport {
        RunReport {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            key_id: self.key_id.clone(),
            policy: self.deidentifier.policy().name().to_owned(),
            replacement: self.deidentifier.replacement().name().to_owned(),
            surrogate: self.deidentifier.surrogate_options(),
            ensemble: self.ensemble.clone(),
            context: self.deidentifier.context().name().to_owned(),
            records: self.records,
            files_left: self.files_left,
            partitions,
            ..RunReport::default()
        }
    }

    /// What marks the work location as this job's: all that its stages depend on.
    fn stages(&self) -> String {
        self.identities.detection(&self.settings, &self.source)
    }

    fn begin<'o>(self, options: &JobOptions, observer: &'o dyn Observer) -> Result<Job<'o>> {
        let stages = self.stages();
        let work = Work::take(&options.work, options.keep_work, &stages)?;
        let context = limited_session(&self.deidentifier, options.partitions, options.memory, Some(&options.work))?;
        let report = self.report(options.partitions);
        Ok(Job {
            source: self.source,
            deidentifier: self.deidentifier,
            identities: self.identities,
            settings: self.settings,
            context,
            work,
            cache: options.cache.clone(),
            partitions: options.partitions,
            map_offsets: options.map_offsets,
            observer,
            report,
            unread: 0,
            refused_at_most: None,
            begun: self.begun,
        })
    }

    /// Every stage of a run.
    async fn run(self, options: &RunOptions, output: &Output, observer: &dyn Observer) -> Result<RunReport> {
        let mut job = Job { refused_at_most: Some(options.refused_at_most), ..self.begin(&options.job, observer)? };
        let mut release = match options.incremental {
            true => Some(Release::open(&job, output).await?),
            false => None,
        };
        let dictionaries = job.index(options).await?;
        let parts = match &mut release {
            Some(release) => release.plan(&mut job, output, dictionaries.as_deref()).await?,
            None => Parts::of(&mut job, output),
        };
        replace::replace(&mut job, output, parts, options.refused_at_most, release).await?;
        job.end().await
    }
}

/// How many of some notes have a record; none of many is a mistake, not a corpus of nobody known.
async fn records_of_notes(source: &Arc<Source>, deidentifier: &Deidentifier) -> Result<Records> {
    const MANY: u64 = 100;
    let known = deidentifier.records();
    let patients = first_patients(source, MANY).await?;
    let notes = |is_counted: &dyn Fn(&str) -> bool| {
        patients.iter().filter(|(patient, _)| is_counted(patient)).map(|(_, notes)| notes).sum::<u64>()
    };
    let (looked_at, with_record) = (notes(&|_| true), notes(&|patient| known.has(patient)));
    if looked_at >= MANY && with_record == 0 {
        return Err(CorpusError::configuration(
            format!("none of the {looked_at} notes that were looked at is of a patient in --patients"),
            "identifiers are compared as text (17 is not 00017); `--patient-columns patient_id=NAME` says which column of --patients has those of the notes",
        ));
    }
    Ok(Records { patients: known.len() as u64, looked_at, with_record })
}

impl<'o> Job<'o> {
    /// A job that writes no output.
    async fn begin(
        options: &JobOptions,
        deidentifier: Arc<Deidentifier>,
        observer: &'o dyn Observer,
    ) -> Result<Job<'o>> {
        Prepared::open(options, None, deidentifier, false, None).await?.begin(options, observer)
    }

    /// Refuses notes of nobody known where a choice rests on how many patients share something.
    fn require_patients(&self) -> Result<()> {
        match self.source.columns.patient() {
            Some(_) => Ok(()),
            None => Err(CorpusError::configuration(
                "no column says whose a note is, so nobody can tell how many patients share a sentence",
                "name it with `--columns patient=NAME`",
            )),
        }
    }

    /// The stages up to the table `sentences`.
    async fn distinct_sentences(&mut self) -> Result<()> {
        let counts = count::count(self).await?;
        sentences::sentences(self, &counts).await
    }

    /// Every stage up to the function that finds the identifiers of a note; gives what the second pass looks for.
    async fn index(&mut self, options: &RunOptions) -> Result<Option<Arc<PatientDictionaries>>> {
        let claims = if options.dedupe {
            self.distinct_sentences().await?;
            SentenceClaims::Index(claims::claims(self).await?)
        } else {
            SentenceClaims::Afresh
        };
        let claims = Arc::new(claims);
        let dictionaries = match options.second_pass {
            true => Some(second_pass::second_pass(self, &claims).await?),
            false => None,
        };
        self.context.register_udf(join_back(&self.deidentifier, &claims, dictionaries.as_ref()));
        Ok(dictionaries)
    }

    async fn end(mut self) -> Result<RunReport> {
        self.report.seconds = self.begun.elapsed().as_secs_f64();
        self.work.finish(!self.report.quarantined.is_empty()).await?;
        Ok(self.report)
    }

    /// Runs one stage under the eyes of the observer and adds it to the report.
    async fn stage<T>(
        &mut self,
        name: &'static str,
        rows: Option<u64>,
        work: impl AsyncFnOnce(&mut Self, &Meter) -> Result<T>,
    ) -> Result<T> {
        let (meter, begun) = (Meter::default(), Instant::now());
        self.observer.begin(name, rows, &meter);
        let result = work(self, &meter).await?;
        give_back();
        // One that has failed does not end: who watches says so when the job is over.
        self.observer.end(name);
        self.report.stages.push(StageReport::new(name, begun.elapsed(), meter.rows(), meter.bytes()));
        Ok(result)
    }

    /// Runs a stage that an interrupted try of this job may have finished; `work` tells what is worth knowing of it besides what it writes.
    async fn stage_once(
        &mut self,
        name: &'static str,
        rows: Option<u64>,
        work: impl AsyncFnOnce(&mut Self, &Meter) -> Result<Done>,
    ) -> Result<Done> {
        if let Some(done) = self.work.done(name) {
            self.refuse_kept(done.unread, done.read)?;
            let report = StageReport::new(name, Duration::ZERO, done.read, 0);
            self.report.stages.push(StageReport { is_kept: true, written: done.written, ..report });
            return Ok(done);
        }
        let done = self.stage(name, rows, work).await?;
        self.work.finished(name, &done)?;
        if let Some(report) = self.report.stages.last_mut() {
            report.written = done.written;
        }
        Ok(done)
    }

    /// Holds the rows that a stage has read, refused ones included, against those that there are.
    fn reconcile(&mut self, stage: &str, read: u64) -> Result<()> {
        let before = Some(self.report.notes_read).filter(|rows| *rows > 0);
        match self.source.known_rows().or(before) {
            Some(rows) if rows != read => Err(CorpusError::Accounting {
                reason: format!("there are {rows} notes, and stage `{stage}` has read {read}"),
            }),
            _ => {
                self.report.notes_read = read;
                Ok(())
            }
        }
    }

    /// Notes how many rows the only stage that reads the notes has read.
    fn read_here(&mut self, read: u64) {
        if self.report.notes_read == 0 {
            self.report.notes_read = read;
        }
    }

    /// Whether it is known where the spans of a part stood, if it is asked for.
    fn has_offsets(&self, part: &PartRecord) -> bool {
        let file = || self.work.path(places::OFFSETS).join(offsets::file_name(part, self.format()));
        !self.map_offsets || part.name.is_none() || file().is_file()
    }

    /// The format of output files: that of the source.
    fn format(&self) -> PartFormat {
        match self.source.format {
            Format::Parquet => PartFormat::Parquet,
            Format::JsonLines(_) | Format::Text => PartFormat::JsonLines,
        }
    }
}
