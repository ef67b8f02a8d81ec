//! How often every distinct sentence occurs: `sql/count.sql`.

use super::Job;
use crate::corpus::error::Result;

pub(super) async fn count(job: &mut Job<'_>) -> Result<()> {
    let rows = job.source.known_rows();
    let distinct = job
        .stage("count", rows, async |job, meter| {
            let statement = include_str!("../../../sql/count.sql");
            let distinct = job.write_table_of_documents("counts", statement, meter).await?;
            job.report.notes_read = meter.read();
            Ok(distinct)
        })
        .await?;
    job.report.sentences.distinct = distinct;
    Ok(())
}
