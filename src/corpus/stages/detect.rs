//! The identifiers of every note in one file: `sql/detect.sql`.

use std::sync::Arc;

use arrow::array::RecordBatch;
use datafusion::common::runtime::SpawnedTask;
use datafusion::physical_plan::execute_stream_partitioned;
use futures::{StreamExt, TryStreamExt};

use super::Job;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::part::{PartFormat, PartWriter};
use crate::corpus::schema::Role;
use crate::corpus::source::{Quarantine, documents_table};
use crate::corpus::store::Location;

pub(super) async fn detect(job: &mut Job<'_>, out: &Location, format: PartFormat) -> Result<()> {
    let quarantine = Arc::new(Quarantine::default());
    let rows = job.source.known_rows();
    let read = job.stage("join", rows, async |job, meter| {
        let fail = CorpusError::in_stage("join");
        job.keep_units_apart().await?;
        let documents = documents_table(&job.source, job.source.units.len(), &quarantine, meter)?;
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
            let batches = SpawnedTask::spawn(unit.try_collect::<Vec<RecordBatch>>()).join().await;
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
        writer.finish().await?;
        out.restrict_to_owner()?;
        job.read_here(meter.read());
        Ok(meter.read())
    });
    let read = read.await?;
    let refused = quarantine.take();
    job.account(read - refused.len() as u64, &refused).await
}
