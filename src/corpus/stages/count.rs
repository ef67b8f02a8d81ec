//! How often every distinct sentence occurs: `sql/count.sql`.

use std::sync::Arc;

use super::Job;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::source::documents_table;

pub(super) async fn count(job: &mut Job<'_>) -> Result<()> {
    let rows = job.source.known_rows();
    let distinct = job
        .stage("count", rows, async |job, meter| {
            let documents = documents_table(&job.source, job.partitions, &Arc::default(), meter)?;
            job.context.register_table("documents", Arc::new(documents)).map_err(CorpusError::in_stage("count"))?;
            let distinct = job.write_table("counts", include_str!("../../../sql/count.sql")).await?;
            job.context.deregister_table("documents").map_err(CorpusError::in_stage("count"))?;
            job.report.notes_read = meter.read();
            Ok(distinct)
        })
        .await?;
    job.report.sentences.distinct = distinct;
    Ok(())
}
