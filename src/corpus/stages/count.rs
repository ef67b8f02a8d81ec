//! How often every distinct sentence occurs: `sql/count.sql`, and the index by which the texts are found.

use std::sync::Arc;

use super::{COUNT_INDEX, Job};
use crate::corpus::error::Result;
use crate::corpus::index::{CountIndex, CountIndexWriter};

pub(super) async fn count(job: &mut Job<'_>) -> Result<Arc<CountIndex>> {
    let rows = job.source.known_rows();
    let index = job
        .stage("count", rows, async |job, meter| {
            let statement = include_str!("../../../sql/count.sql");
            job.report.sentences.distinct = job.write_table_of_documents("counts", statement, meter).await?;
            let mut index = CountIndexWriter::create(&job.work.location.join(COUNT_INDEX))?;
            job.each_batch("count", include_str!("../../../sql/count_index.sql"), |batch| index.add(batch)).await?;
            index.finish()
        })
        .await?;
    Ok(Arc::new(index))
}
