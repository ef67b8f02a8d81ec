//! The stages of a run, each a statement in `sql/` over the tables that the ones before it wrote.
//!
//! ```text
//! documents ─ count ─▶ counts ─ sentences ─▶ sentences ─ claims ─▶ claims ─ index ─▶ note_spans() ─┬─ replace ─▶ notes
//!                                                                                                  └─ detect ──▶ spans
//! ```
//!
//! What stages hand on lies under the work location, readable by its owner only: it tells PHI from all else.

mod claims;
mod count;
mod detect;
mod replace;
mod sentences;

use std::sync::Arc;
use std::time::Instant;

use datafusion::prelude::SessionContext;

use super::deidentifier::Deidentifier;
use super::error::{CorpusError, Result};
use super::index::SentenceIndex;
use super::part::PartFormat;
use super::progress::{Meter, Observer};
use super::report::{RunReport, StageReport};
use super::schema::ColumnOptions;
use super::session::session;
use super::source::{Format, Source, discover};
use super::store::Location;

/// Where a run reads and writes, and how.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The notes.
    pub notes: Location,
    /// Where the result goes.
    pub out: Location,
    /// Where stages hand on their tables; confidential.
    pub work: Location,
    /// The roles of columns.
    pub columns: ColumnOptions,
    /// How many workers.
    pub partitions: usize,
    /// Whether what is at `out` may be replaced.
    pub overwrite: bool,
}

/// A run under way.
struct Job<'o> {
    source: Arc<Source>,
    deidentifier: Arc<Deidentifier>,
    context: SessionContext,
    work: Location,
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
    let mut job = Job::begin(options, deidentifier, observer).await?;
    let made = match job.index().await {
        Ok(index) => replace::replace(&mut job, &index, &options.out).await,
        Err(error) => Err(error),
    };
    if made.is_err() {
        // The error that ended the run matters more than one in clearing up after it.
        let _ = options.out.clear().await;
    }
    made?;
    Ok(job.end())
}

/// Finds the identifiers of notes and writes them to `out`, a file of Parquet or JSON Lines by its ending.
///
/// # Errors
/// Any [`CorpusError`]; then there is no file at `out`.
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
    let mut job = Job::begin(options, deidentifier, observer).await?;
    let index = job.index().await?;
    detect::detect(&mut job, &index, &options.out, format).await?;
    Ok(job.end())
}

impl<'o> Job<'o> {
    async fn begin(
        options: &RunOptions,
        deidentifier: Arc<Deidentifier>,
        observer: &'o dyn Observer,
    ) -> Result<Job<'o>> {
        let begun = Instant::now();
        check_places(options)?;
        let key_id = deidentifier.key()?.id();
        let source = Arc::new(discover(&options.notes, &options.columns).await?);
        if !options.out.is_vacant().await? {
            if !options.overwrite {
                return Err(CorpusError::configuration(
                    format!("there is something at `{}` already", options.out.uri()),
                    "choose another --out, or give --overwrite",
                ));
            }
            options.out.clear().await?;
        }
        options.work.create_confidential()?;
        let context = session(&deidentifier, options.partitions, Some(&options.work))?;
        let report = RunReport {
            version: env!("CARGO_PKG_VERSION"),
            key_id,
            policy: deidentifier.policy().name().to_owned(),
            replacement: deidentifier.replacement().name(),
            partitions: options.partitions,
            ..RunReport::default()
        };
        Ok(Job {
            source,
            deidentifier,
            context,
            work: options.work.clone(),
            partitions: options.partitions,
            observer,
            report,
            begun,
        })
    }

    /// Every stage up to the index of distinct sentences.
    async fn index(&mut self) -> Result<Arc<SentenceIndex>> {
        count::count(self).await?;
        sentences::sentences(self).await?;
        claims::claims(self).await
    }

    fn end(mut self) -> RunReport {
        self.report.seconds = self.begun.elapsed().as_secs_f64();
        self.report
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

    /// Runs a statement and writes its rows as the table `name` under the work location, for the stages after it. Gives the rows.
    async fn write_table(&self, name: &'static str, statement: &str) -> Result<u64> {
        let folder = self.work.join(name);
        folder.clear().await?;
        folder.create_confidential()?;
        let fail = CorpusError::in_stage(name);
        let url = format!("{}/", folder.url().as_str().trim_end_matches('/'));
        let rows = self.context.sql(statement).await.map_err(&fail)?;
        let options = datafusion::dataframe::DataFrameWriteOptions::new();
        let written = rows.write_parquet(&url, options, None).await.map_err(&fail)?;
        self.context.register_parquet(name, &url, Default::default()).await.map_err(&fail)?;
        let count = |batch: &arrow::array::RecordBatch| {
            use arrow::array::AsArray;
            batch
                .column(0)
                .as_primitive_opt::<arrow::datatypes::UInt64Type>()
                .and_then(arrow::compute::sum)
                .unwrap_or_default()
        };
        Ok(written.iter().map(count).sum())
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
            Format::JsonLines(_) => PartFormat::JsonLines,
        }
    }
}

/// Input, output and work must lie apart: one would overwrite or leak into the other.
fn check_places(options: &RunOptions) -> Result<()> {
    let apart = |name: &str, inner: &Location, other: &str, outer: &Location| {
        if inner.is_within(outer) {
            return Err(CorpusError::configuration(
                format!("{name} lies in {other}"),
                "give notes, output and work a place of their own each",
            ));
        }
        Ok(())
    };
    apart("the output", &options.out, "the notes", &options.notes)?;
    apart("the notes", &options.notes, "the output", &options.out)?;
    apart("the work location", &options.work, "the output", &options.out)?;
    apart("the output", &options.out, "the work location", &options.work)?;
    apart("the work location", &options.work, "the notes", &options.notes)
}
