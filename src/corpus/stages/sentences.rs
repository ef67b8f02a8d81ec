//! Every distinct sentence with its text and the way it goes: `sql/sentences.sql`.

use std::sync::Arc;

use arrow::array::AsArray;
use arrow::datatypes::{Int64Type, UInt64Type};

use super::{Done, Job};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::first_sentences;
use crate::corpus::index::CountIndex;
use crate::corpus::progress::Meter;
use crate::detect::Route;

/// Rows in a file of sentences, about: some files together are detected at a time, and what is detected need not be detected again when a
/// run is interrupted.
const ROWS_IN_FILE: u64 = 32_768;
/// Rows in a file of other tables, at most.
const ROWS_IN_OTHER_FILES: u64 = 50_000_000;
/// The engine's setting for it.
const ROWS: &str = "execution.soft_max_rows_per_output_file";

pub(super) async fn sentences(job: &mut Job<'_>, counts: &Arc<CountIndex>) -> Result<()> {
    job.context.register_udf(first_sentences(&job.deidentifier, counts));
    let rows = job.source.known_rows();
    let statement = include_str!("../../../sql/sentences.sql");
    let done = job
        .stage_once("sentences", rows, async |job, meter| {
            job.set(ROWS, ROWS_IN_FILE).await?;
            let written = job.write_table_of_documents("sentences", statement, meter).await?;
            job.set(ROWS, ROWS_IN_OTHER_FILES).await?;
            Ok(Done { read: meter.read(), unread: job.unread, written, ..Done::default() })
        })
        .await?;
    job.reconcile("sentences", done.read)?;
    let written = done.written;
    if written != job.report.sentences.distinct {
        return Err(CorpusError::Accounting {
            reason: format!(
                "{} distinct sentences were counted and {written} found again; the notes changed during the run",
                job.report.sentences.distinct
            ),
        });
    }
    match written {
        // Without rows there is no file, but a table all the same.
        0 => job.write_table_of_documents("sentences", statement, &Meter::default()).await.map(drop)?,
        _ => job.register_table_of_work("sentences").await?,
    }
    funnel(job).await
}

/// The same from what other tasks have sent, the table `received`.
pub(super) async fn gathered(job: &mut Job<'_>) -> Result<()> {
    let statement = include_str!("../../../sql/shares/sentences.sql");
    let done = job
        .stage_once("gather", None, async |job, _| {
            job.set(ROWS, ROWS_IN_FILE).await?;
            let written = job.write_table("sentences", statement).await?;
            job.set(ROWS, ROWS_IN_OTHER_FILES).await?;
            Ok(Done { written, ..Done::default() })
        })
        .await?;
    job.report.sentences.distinct = done.written;
    job.register_written("sentences", done.written, statement).await?;
    funnel(job).await
}

async fn funnel(job: &mut Job<'_>) -> Result<()> {
    let fail = CorpusError::in_stage("sentences");
    let rows = job
        .context
        .sql(include_str!("../../../sql/funnel.sql"))
        .await
        .map_err(&fail)?
        .collect()
        .await
        .map_err(&fail)?;
    let funnel = &mut job.report.sentences;
    for batch in &rows {
        let routes = arrow::compute::cast(batch.column(0), &arrow::datatypes::DataType::Utf8)
            .map_err(|error| fail(error.into()))?;
        let (distinct, texts) =
            (batch.column(1).as_primitive::<Int64Type>(), batch.column(2).as_primitive::<Int64Type>());
        let occurrences = batch.column(3).as_primitive::<UInt64Type>();
        for (row, route) in routes.as_string::<i32>().iter().enumerate() {
            let count = distinct.value(row).unsigned_abs();
            funnel.distinct_texts += texts.value(row).unsigned_abs();
            funnel.occurrences += occurrences.value(row);
            match route {
                Some(route) if route == Route::Listed.name() => funnel.listed += count,
                Some(route) if route == Route::Template.name() => funnel.template += count,
                _ => funnel.remainder += count,
            }
        }
    }
    Ok(())
}
