//! The identifiers of every note in one file: `sql/detect.sql`.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::execute_stream_partitioned;
use futures::{StreamExt, TryStreamExt};

use super::{Job, RefusedLimit};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::part::{PartFormat, PartWriter};
use crate::corpus::report::RunReport;
use crate::corpus::schema::Role;
use crate::corpus::source::{Quarantine, documents_table};
use crate::corpus::store::Location;
use crate::corpus::worker::in_worker;
use crate::phi::Detector;

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
        let work = job.work.path("");
        let tasks = (0..)
            .zip(units)
            .map(|(unit, spans): (usize, _)| in_worker(lay_down(work.join(format!("unit-{unit}.arrow")), spans)));
        let mut units = futures::stream::iter(tasks).buffered(job.partitions.max(1));
        while let Some(unit) = units.try_next().await? {
            let fail = |error: &dyn std::fmt::Display| CorpusError::input(unit.display().to_string(), error);
            let file = BufReader::new(File::open(&unit).map_err(|error| fail(&error))?);
            for batch in StreamReader::try_new(file, None).map_err(|error| fail(&error))? {
                let batch = batch.map_err(|error| fail(&error))?;
                count(&mut job.report, &batch)?;
                writer.write(&batch).await?;
            }
            std::fs::remove_file(&unit).map_err(|error| fail(&error))?;
        }
        writer.finish().await?;
        out.restrict_to_owner()?;
        job.read_here(meter.read());
        Ok(meter.read())
    });
    let read = read.await?;
    let refused = quarantine.take();
    job.account(read - refused.len() as u64, &refused).await?;
    RefusedLimit::default().check(&job.report, &job.source.location)
}

/// Adds spans to what was found, and to what the second pass has found alone.
fn count(report: &mut RunReport, spans: &RecordBatch) -> Result<()> {
    let column = |name: &str| {
        let column = spans.column_by_name(name).cloned();
        column.ok_or_else(|| CorpusError::internal("spans have a label and claims"))
    };
    let labels =
        cast(&column("label")?, &DataType::Utf8).map_err(|error| CorpusError::in_stage("join")(error.into()))?;
    let claims = column("claims")?;
    let (labels, claims) = (labels.as_string::<i32>(), claims.as_list::<i32>());
    let detectors = claims.values().as_struct().column_by_name("detector").cloned();
    let detectors = detectors.ok_or_else(|| CorpusError::internal("a claim has a detector"))?;
    let by_second_pass = |at: i32| detectors.as_string::<i32>().value(at as usize) == Detector::SecondPass.name();
    for (row, label) in labels.iter().enumerate() {
        *report.spans_found.entry(label.unwrap_or_default().to_owned()).or_default() += 1;
        let offsets = claims.value_offsets();
        report.second_pass.spans += u64::from((offsets[row]..offsets[row + 1]).all(by_second_pass));
    }
    Ok(())
}

/// Writes the spans of a unit to a file at the work location, where they wait for those of the units before it: a unit may be of any size.
async fn lay_down(file: PathBuf, mut spans: SendableRecordBatchStream) -> Result<PathBuf> {
    let fail = |error: &dyn std::fmt::Display| CorpusError::output(file.display().to_string(), error);
    let sink = BufWriter::new(File::create(&file).map_err(|error| fail(&error))?);
    let mut writer = StreamWriter::try_new(sink, &spans.schema()).map_err(|error| fail(&error))?;
    while let Some(batch) = spans.try_next().await.map_err(CorpusError::in_stage("join"))? {
        writer.write(&batch).map_err(|error| fail(&error))?;
    }
    writer.finish().map_err(|error| fail(&error))?;
    let mut sink = writer.into_inner().map_err(|error| fail(&error))?;
    sink.flush().map_err(|error| fail(&error))?;
    Ok(file)
}
