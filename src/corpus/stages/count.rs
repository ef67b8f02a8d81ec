//! How often every distinct sentence occurs: `sql/count.sql`, and the index by which the texts are found.

use std::sync::Arc;

use super::{COUNT_INDEX, Done, Job};
use crate::corpus::error::Result;
use crate::corpus::index::{CountIndex, CountIndexWriter};

pub(super) async fn count(job: &mut Job<'_>) -> Result<Arc<CountIndex>> {
    let rows = job.source.known_rows();
    let done = job
        .stage_once("count", rows, async |job, meter| {
            let statement = include_str!("../../../sql/count.sql");
            let written = job.write_table_of_documents("counts", statement, meter).await?;
            let mut index = CountIndexWriter::create(&job.work.location.join(COUNT_INDEX))?;
            job.each_batch("count", include_str!("../../../sql/count_index.sql"), |batch| index.add(batch)).await?;
            index.finish()?;
            Ok(Done { read: meter.read(), unread: job.unread, written, ..Done::default() })
        })
        .await?;
    job.reconcile("count", done.read)?;
    job.report.sentences.distinct = done.written;
    if done.written > 0 {
        job.register_table_of_work("counts").await?;
    }
    Ok(Arc::new(CountIndex::open(&job.work.path(COUNT_INDEX))?))
}
