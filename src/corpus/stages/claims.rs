//! What the ensemble claims on every distinct sentence, `sql/claims.sql`, and the index that leads back to notes.

use std::sync::Arc;

use futures::TryStreamExt;

use super::Job;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::{Vetoes, metered_claims};
use crate::corpus::index::{IndexBuilder, SentenceIndex};

pub(super) async fn claims(job: &mut Job<'_>) -> Result<Arc<SentenceIndex>> {
    let distinct = job.report.sentences.distinct;
    let detected = job
        .stage("detect", Some(distinct), async |job, meter| {
            let vetoes = Vetoes::default();
            job.context.register_udf(metered_claims(&job.deidentifier, meter, &vetoes));
            let written = job.write_table("claims", include_str!("../../../sql/claims.sql")).await;
            job.report.vetoed = vetoes.by_term();
            written
        })
        .await?;
    if detected != distinct {
        return Err(CorpusError::Accounting {
            reason: format!("{distinct} distinct sentences went into detection and {detected} came out"),
        });
    }
    job.stage("index", Some(distinct), async |job, meter| {
        let fail = CorpusError::in_stage("index");
        let claims = job.context.table("claims").await.map_err(&fail)?;
        let mut batches = claims.execute_stream().await.map_err(&fail)?;
        let mut builder = IndexBuilder::default();
        while let Some(batch) = batches.try_next().await.map_err(&fail)? {
            meter.add(batch.num_rows() as u64, 0);
            builder.add(&batch)?;
        }
        builder.finish().map(Arc::new)
    })
    .await
}
