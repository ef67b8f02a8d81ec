//! The identifiers of every note in one file: `sql/detect.sql`.

use std::sync::Arc;

use arrow::array::RecordBatch;
use datafusion::physical_plan::execute_stream_partitioned;
use futures::{StreamExt, TryStreamExt};

use super::Job;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::index::SentenceIndex;
use crate::corpus::part::{PartFormat, PartWriter};
use crate::corpus::schema::Role;
use crate::corpus::source::documents_table;
use crate::corpus::store::Location;

pub(super) async fn detect(
    job: &mut Job<'_>,
    _index: &Arc<SentenceIndex>,
    out: &Location,
    format: PartFormat,
) -> Result<()> {
    let rows = job.source.known_rows();
    job.stage("join", rows, async |job, meter| {
        let fail = CorpusError::in_stage("join");
        job.keep_units_apart().await?;
        let documents = documents_table(&job.source, job.source.units.len(), meter)?;
        job.context.register_table("documents", Arc::new(documents)).map_err(&fail)?;
        let mut spans = job.context.sql(include_str!("../../../sql/detect.sql")).await.map_err(&fail)?;
        if job.source.columns.of(Role::Text).count() == 1 {
            spans = spans.drop_columns(&["text_column"]).map_err(&fail)?;
        }
        let plan = spans.create_physical_plan().await.map_err(&fail)?;
        let mut writer = PartWriter::create(out.clone(), format, &plan.schema())?;
        // Units are detected side by side and written in order, so that the file is the same whatever the number of workers.
        let units = execute_stream_partitioned(plan, job.context.task_ctx()).map_err(&fail)?;
        let tasks = units.into_iter().map(|unit| async move {
            let batches = tokio::spawn(unit.try_collect::<Vec<RecordBatch>>()).await;
            batches
                .map_err(|_| CorpusError::Accounting { reason: "a worker ended early".to_owned() })?
                .map_err(CorpusError::in_stage("join"))
        });
        let mut units = futures::stream::iter(tasks).buffered(job.partitions.max(1));
        while let Some(batches) = units.try_next().await? {
            for batch in &batches {
                writer.write(batch).await?;
            }
        }
        writer.finish().await
    })
    .await
}
