//! Every distinct sentence with its text and the way it goes: `sql/sentences.sql`.

use std::sync::Arc;

use arrow::array::AsArray;
use arrow::datatypes::{Int64Type, UInt64Type};

use super::Job;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::first_sentences;
use crate::corpus::index::CountIndex;
use crate::detect::Route;

pub(super) async fn sentences(job: &mut Job<'_>, counts: &Arc<CountIndex>) -> Result<()> {
    job.context.register_udf(first_sentences(&job.deidentifier, counts));
    let rows = job.source.known_rows();
    let written = job
        .stage("sentences", rows, async |job, meter| {
            job.write_table_of_documents("sentences", include_str!("../../../sql/sentences.sql"), meter).await
        })
        .await?;
    if written != job.report.sentences.distinct {
        return Err(CorpusError::Accounting {
            reason: format!(
                "{} distinct sentences were counted and {written} found again; the notes changed during the run",
                job.report.sentences.distinct
            ),
        });
    }
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
