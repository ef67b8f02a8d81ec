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
mod harvest;
mod incremental;
mod places;
mod prevalence;
mod quarantine;
mod replace;
mod second_pass;
mod sentences;

use std::sync::Arc;
use std::time::Instant;

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::UInt64Type;
use datafusion::datasource::MemTable;
use datafusion::prelude::SessionContext;
use futures::TryStreamExt;
use replace::Parts;

use super::claims::SentenceClaims;
use super::deidentifier::Deidentifier;
use super::error::{CorpusError, Result};
use super::functions::join_back;
use super::index::PatientDictionaries;
use super::part::PartFormat;
use super::progress::{Meter, Observer};
use super::report::{RunReport, StageReport};
use super::schema::ColumnOptions;
use super::session::limited_session;
use super::source::{Format, Source, discover, documents_table};
use super::store::Location;

pub use candidates::{CandidateOptions, candidates, gold_candidates};
pub use harvest::{check_templates, harvest};
use incremental::Release;
pub use places::clear_abandoned;
pub(super) use places::{CLAIM_INDEX, COUNT_INDEX, DICTIONARIES, Output, TABLES};
use places::{RUN_REPORT, Work, check_apart, occupied, take_cache};
pub use prevalence::prevalence;

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
}

/// A run under way.
struct Job<'o> {
    source: Arc<Source>,
    deidentifier: Arc<Deidentifier>,
    context: SessionContext,
    work: Work,
    cache: Option<Location>,
    partitions: usize,
    observer: &'o dyn Observer,
    report: RunReport,
    begun: Instant,
}

/// De-identifies notes: the whole way from `notes` to `out`.
///
/// # Errors
/// Any [`CorpusError`]; then `out` is left empty.
pub async fn run(options: &RunOptions, deidentifier: Arc<Deidentifier>, observer: &dyn Observer) -> Result<RunReport> {
    let mut job = Job::begin(&options.job, Some(&options.out), deidentifier, observer).await?;
    let mut release = match options.incremental {
        true => Some(Release::open(&job, options).await?),
        false => None,
    };
    let goes_on = release.as_ref().is_some_and(Release::goes_on);
    let output = match goes_on {
        true => Output::go_on(&options.out),
        false => Output::take(&options.out, RUN_REPORT, options.overwrite).await?,
    };
    job.report.growth.incremental = goes_on;
    let made = job.make(options, release.as_mut()).await;
    match made {
        Ok(()) => output.finish(),
        Err(error) => {
            output.abandon().await;
            return Err(error);
        }
    }
    job.end().await
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
    if !options.overwrite && !options.out.is_vacant().await? {
        return Err(occupied(&options.out));
    }
    let mut job = Job::begin(&options.job, Some(&options.out), deidentifier, observer).await?;
    job.index(options).await?;
    detect::detect(&mut job, &options.out, format).await?;
    job.end().await
}

impl<'o> Job<'o> {
    async fn begin(
        options: &JobOptions,
        out: Option<&Location>,
        deidentifier: Arc<Deidentifier>,
        observer: &'o dyn Observer,
    ) -> Result<Job<'o>> {
        let begun = Instant::now();
        let mut inputs = vec![("the notes", &options.notes)];
        inputs.extend(options.patients.iter().map(|patients| ("the patients", patients)));
        let mut confidential = vec![("the work location", &options.work)];
        confidential.extend(options.cache.iter().map(|cache| ("the span cache", cache)));
        check_apart(&inputs, out, &confidential)?;
        if let Some(cache) = &options.cache {
            take_cache(cache).await?;
        }
        let key_id = deidentifier.key()?.id();
        // Opened now: a model that is missing or damaged stops the run before a note is read.
        let ensemble = deidentifier.ensemble()?.members();
        let source = Arc::new(discover(&options.notes, &options.columns).await?);
        if source.columns.patient().is_none() && !deidentifier.records().is_empty() {
            return Err(CorpusError::configuration(
                "no column says whose a note is, so the patients' records cannot be matched",
                "name it with `--columns patient=NAME`",
            ));
        }
        let work = Work::take(&options.work, options.keep_work).await?;
        let context = limited_session(&deidentifier, options.partitions, options.memory, Some(&options.work))?;
        let report = RunReport {
            version: env!("CARGO_PKG_VERSION"),
            key_id,
            policy: deidentifier.policy().name().to_owned(),
            replacement: deidentifier.replacement().name(),
            surrogate: deidentifier.surrogate_options(),
            ensemble,
            context: deidentifier.context().name(),
            partitions: options.partitions,
            ..RunReport::default()
        };
        Ok(Job {
            source,
            deidentifier,
            context,
            work,
            cache: options.cache.clone(),
            partitions: options.partitions,
            observer,
            report,
            begun,
        })
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

    /// Every stage of a run.
    async fn make(&mut self, options: &RunOptions, mut release: Option<&mut Release>) -> Result<()> {
        let dictionaries = self.index(options).await?;
        let parts = match &mut release {
            Some(release) => release.plan(self, options, dictionaries.as_deref()).await?,
            None => Parts::all(&self.source),
        };
        replace::replace(self, &options.out, parts, release).await
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
        let result = work(self, &meter).await;
        self.observer.end(name);
        self.report.stages.push(StageReport::new(name, begun.elapsed(), meter.rows(), meter.bytes()));
        result
    }

    /// Runs a statement over all documents and writes its rows as the table `name`. Gives the rows.
    async fn write_table_of_documents(&mut self, name: &'static str, statement: &str, meter: &Meter) -> Result<u64> {
        let fail = CorpusError::in_stage(name);
        let documents = documents_table(&self.source, self.partitions, &Arc::default(), meter)?;
        self.context.register_table("documents", Arc::new(documents)).map_err(&fail)?;
        let written = self.write_table(name, statement).await?;
        self.context.deregister_table("documents").map_err(&fail)?;
        self.report.notes_read = meter.read();
        Ok(written)
    }

    /// Runs a statement and writes its rows as the table `name` under the work location, for the stages after it. Gives the rows.
    async fn write_table(&self, name: &'static str, statement: &str) -> Result<u64> {
        let folder = self.work.location.join(name);
        folder.create_confidential()?;
        let fail = CorpusError::in_stage(name);
        let url = format!("{}/", folder.url().as_str().trim_end_matches('/'));
        let rows = self.context.sql(statement).await.map_err(&fail)?;
        let schema = Arc::clone(rows.schema().inner());
        let options = datafusion::dataframe::DataFrameWriteOptions::new();
        let written = rows.write_parquet(&url, options, None).await.map_err(&fail)?;
        let count = |batch: &RecordBatch| {
            batch.column(0).as_primitive_opt::<UInt64Type>().and_then(arrow::compute::sum).unwrap_or_default()
        };
        let written = written.iter().map(count).sum();
        if written == 0 {
            // No row makes no file, and no file has no columns.
            let empty = MemTable::try_new(schema, vec![vec![]]).map_err(&fail)?;
            self.context.register_table(name, Arc::new(empty)).map_err(&fail)?;
        } else {
            self.context.register_parquet(name, &url, Default::default()).await.map_err(&fail)?;
        }
        Ok(written)
    }

    /// Notes how many rows the only stage that reads the notes has read.
    fn read_here(&mut self, meter: &Meter) {
        if self.report.notes_read == 0 {
            self.report.notes_read = meter.read();
        }
    }

    /// Runs a statement and hands on its batches, one after another.
    async fn each_batch(
        &self,
        stage: &'static str,
        statement: &str,
        mut take: impl FnMut(&RecordBatch) -> Result<()>,
    ) -> Result<()> {
        let fail = CorpusError::in_stage(stage);
        let rows = self.context.sql(statement).await.map_err(&fail)?;
        let mut batches = rows.execute_stream().await.map_err(&fail)?;
        while let Some(batch) = batches.try_next().await.map_err(&fail)? {
            take(&batch)?;
        }
        Ok(())
    }

    /// From here on the units of the source stay apart, each a partition of its own.
    async fn keep_units_apart(&self) -> Result<()> {
        let fail = CorpusError::in_stage("session");
        let settled =
            self.context.sql("SET datafusion.optimizer.enable_round_robin_repartition = false").await.map_err(&fail)?;
        settled.collect().await.map(drop).map_err(fail)
    }

    /// The format of output files: that of the source.
    fn format(&self) -> PartFormat {
        match self.source.format {
            Format::Parquet => PartFormat::Parquet,
            Format::JsonLines(_) | Format::Text => PartFormat::JsonLines,
        }
    }
}
