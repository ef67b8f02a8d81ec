//! The notes, de-identified: `sql/replace.sql`, one output part for each unit of the source.
//!
//! ```text
//! unit 12 of notes/site=a/ ─▶ out/site=3f9c…/part-000012.parquet
//! ```
//!
//! Part names and partition folders tell nothing of the input's. A part is recorded when it is finished, so that a run that is interrupted
//! goes on where it was.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::physical_plan::{ExecutionPlanProperties, execute_stream_partitioned};
use futures::{StreamExt, TryStreamExt};
use parquet::schema::types::SchemaDescriptor;

use super::incremental::Release;
use super::offsets::{self, OffsetsWriter};
use super::places::OFFSETS;
use super::released::{claims_name, given_name, may_be_taken_out, namespace, statement};
use super::{Job, RefusedLimit};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::read_spans;
use crate::corpus::output::{Leave, Manifest, Output, PartRecord};
use crate::corpus::part::{PartFormat, PartWriter};
use crate::corpus::report::RunReport;
use crate::corpus::schema::{Role, bare};
use crate::corpus::source::{NO_VALUE, Quarantine, Source, Unit, identifier, is_json, notes_table};
use crate::corpus::store::Location;
use crate::corpus::worker::in_worker;
use crate::phi::{Detector, Policy, Span};
use crate::surrogate::pseudonym_text;

/// The parts of an output, by unit.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// What each part is made from.
    pub(super) inputs: Vec<String>,
    /// The numbers in their names.
    pub(super) numbers: Vec<u64>,
    /// Those that stay as they are; none for those that are written.
    pub(super) kept: Vec<Option<PartRecord>>,
}

impl Parts {
    /// All parts of the source; of those that are read, what an interrupted run of the same job has finished is kept.
    pub(super) fn of(job: &mut Job<'_>, output: &Output) -> Self {
        let mut parts = Self::default();
        let read: BTreeSet<usize> = job.source.read_units().collect();
        for (number, unit) in (0..).zip(job.source.units.iter()) {
            let input = job.identities.unit(&job.source, unit);
            let finished = output.finished(&input).filter(|part| part.number == number && read.contains(&unit.index));
            let finished = finished.filter(|part| job.has_offsets(part));
            job.report.parts_kept += u64::from(finished.is_some());
            parts.add(input, number, finished.cloned());
        }
        parts
    }

    pub(super) fn add(&mut self, input: String, number: u64, kept: Option<PartRecord>) {
        self.inputs.push(input);
        self.numbers.push(number);
        self.kept.push(kept);
    }

    fn kept_names(&self) -> BTreeSet<&str> {
        self.kept.iter().flatten().filter_map(|part| part.name.as_deref()).collect()
    }
}

/// Writes the parts that are not kept, and declares the output whole.
pub(super) async fn replace(
    job: &mut Job<'_>,
    output: &Output,
    parts: Parts,
    refused_at_most: RefusedLimit,
    mut release: Option<Release>,
) -> Result<()> {
    output.begin(&parts.kept_names(), release.as_ref().and_then(Release::previous)).await?;
    let (records, shape) = write(job, output, parts).await?;
    job.report.seconds = job.begun.elapsed().as_secs_f64();
    refused_at_most.check(&job.report, &job.source.location)?;
    let mut manifest = finished(&mut job.report, &job.settings.all, output, &shape, records).await?;
    if let Some(release) = &mut release {
        manifest.next = manifest.next.max(release.next());
        release.remember(&manifest)?;
    }
    output.commit(job.report.to_json(), &manifest).await?;
    if let Some(release) = release {
        // The output is whole, whatever stays of what was remembered before; the next run forgets it.
        let _ = release.forget_earlier(&manifest);
    }
    Ok(())
}

/// Writes the parts of the units that are read and not kept. Gives the records of both, by unit, and what all parts have in common.
pub(super) async fn write(job: &mut Job<'_>, output: &Output, parts: Parts) -> Result<(Vec<PartRecord>, Arc<Shape>)> {
    parts.kept.iter().flatten().for_each(|_| job.observer.part(true));
    let quarantine = Arc::new(Quarantine::default());
    let kept_rows: u64 = parts.kept.iter().flatten().map(|part| part.rows + part.refused).sum();
    let rows = job.source.known_rows().map(|rows| rows.saturating_sub(kept_rows));
    let (written, shape) = job
        .stage("replace", rows, async |job, meter| {
            let written = write_parts(job, &quarantine, meter, output, &parts).await?;
            // Where nothing is counted and there is no second pass, this stage is the first that reads.
            job.read_here(meter.read() + kept_rows);
            Ok(written)
        })
        .await?;
    job.report.growth.written = written.iter().filter_map(|(_, part)| part.name.clone()).collect();
    job.report.growth.written.sort();
    let mut records = parts.kept;
    written.into_iter().for_each(|(unit, part)| records[unit] = Some(part));
    let records: Vec<_> = records.into_iter().flatten().collect();
    let (refused, rows) = (quarantine.take(), records.iter().map(|part| part.rows).sum());
    job.account(rows, &refused).await?;
    if let Some(stage) = job.report.stages.last_mut() {
        stage.written = rows;
    }
    Ok((records, shape))
}

/// The manifest of an output whose parts are all written, and what they add to the report.
pub(super) async fn finished(
    report: &mut RunReport,
    settings: &str,
    output: &Output,
    shape: &Shape,
    mut records: Vec<PartRecord>,
) -> Result<Manifest> {
    if records.is_empty() {
        records.push(PartRecord::default());
    }
    if records.iter().all(|part| part.name.is_none()) {
        write_empty(shape, output, &mut records[0]).await?;
    }
    add_parts(report, &records);
    let (job, settings) = (output.job().to_owned(), settings.to_owned());
    Ok(Manifest::new(job, settings, report.key_id.clone(), &shape.schema, records))
}

/// Adds to a report what was found and replaced in parts.
pub(super) fn add_parts(report: &mut RunReport, parts: &[PartRecord]) {
    for part in parts {
        add_counts(&mut report.taken_out, &part.taken_out);
        add_counts(&mut report.spans_found, &part.found);
        add_counts(&mut report.spans_replaced, &part.replaced);
        report.second_pass.spans += part.second_pass_alone;
    }
}

fn add_counts(sums: &mut BTreeMap<String, u64>, counts: &BTreeMap<String, u64>) {
    counts.iter().for_each(|(label, count)| *sums.entry(label.clone()).or_default() += count);
}

/// A file without rows: no part makes no file, and no file has no columns. It stands for the first input.
async fn write_empty(shape: &Shape, output: &Output, part: &mut PartRecord) -> Result<()> {
    let name = format!("part-{:06}.{}", part.number, shape.format.ending());
    let writer = shape.begin(output.location().join(&name))?;
    let uploaded = writer.finish().await?;
    (part.name, part.bytes, part.digest) = (Some(name), uploaded.bytes, uploaded.digest);
    Ok(())
}

/// No files.
static NONE: BTreeSet<String> = BTreeSet::new();

/// Every unit that is not kept becomes a part, as many at once as there are workers.
async fn write_parts(
    job: &Job<'_>,
    quarantine: &Arc<Quarantine>,
    meter: &crate::corpus::progress::Meter,
    output: &Output,
    parts: &Parts,
) -> Result<(Vec<(usize, PartRecord)>, Arc<Shape>)> {
    let fail = CorpusError::in_stage("replace");
    job.keep_units_apart().await?;
    let kept = parts.kept.iter().flatten().map(|part| offsets::file_name(part, job.format())).collect();
    job.work.keep_offsets(if job.map_offsets { &kept } else { &NONE })?;
    let notes = notes_table(&job.source, usize::MAX, quarantine, meter)?;
    job.context.register_table("notes", Arc::new(notes)).map_err(&fail)?;
    let units: Vec<usize> = job.source.read_units().collect();
    let plan = job
        .context
        .sql(&statement(&job.source, job.map_offsets)?)
        .await
        .map_err(&fail)?
        .create_physical_plan()
        .await
        .map_err(&fail)?;
    let streams = execute_stream_partitioned(Arc::clone(&plan), job.context.task_ctx()).map_err(&fail)?;
    if plan.output_partitioning().partition_count() != units.len().max(1) {
        return Err(CorpusError::internal("the units of the source did not stay apart"));
    }
    let shape = Arc::new(Shape::new(job, &plan.schema())?);
    // A unit that is kept is not read: its stream is dropped.
    // Where there are no units there is one partition all the same, and nothing in it.
    let streams = units.into_iter().zip(streams).filter(|(unit, _)| parts.kept[*unit].is_none());
    let tasks = streams.map(|(unit, stream)| {
        let (task_shape, out, leave) = (Arc::clone(&shape), output.location().clone(), output.leave());
        let (number, input) = (parts.numbers[unit], parts.inputs[unit].clone());
        let quarantine = Arc::clone(quarantine);
        async move {
            let part = in_worker(async move { write_part(&task_shape, unit, number, stream, &out, &leave).await });
            let part = part.await?;
            let part = PartRecord { input, refused: quarantine.of_unit(unit), ..part };
            output.record(&part).await?;
            job.observer.part(false);
            Ok::<_, CorpusError>((unit, part))
        }
    });
    let written = futures::stream::iter(tasks).buffer_unordered(job.partitions.max(1)).try_collect().await?;
    Ok((written, shape))
}

/// What all parts have in common.
pub(super) struct Shape {
    source: Arc<Source>,
    schema: SchemaRef,
    /// The schema of Parquet, where it says more.
    annotated: Option<SchemaDescriptor>,
    format: PartFormat,
    folders: Vec<String>,
    policy: Policy,
    /// Where it is told how offsets have changed.
    offsets: Option<Location>,
}

impl Shape {
    fn new(job: &Job<'_>, planned: &SchemaRef) -> Result<Self> {
        let fields = planned.fields().iter().filter(|field| !field.name().starts_with("__")).map(|field| {
            let original = job.source.file_schema.field_with_name(field.name()).ok();
            let text = *field.data_type() == DataType::Utf8View;
            match original {
                Some(original) if is_json(original) => Arc::new(original.clone()),
                Some(original) if text => Arc::new(Field::new(field.name(), text_type(original.data_type()), true)),
                // Parquet has one type for days, and none for the milliseconds of this one.
                _ if *field.data_type() == DataType::Date64 => {
                    Arc::new(Field::new(field.name(), DataType::Date32, true))
                }
                _ => Arc::new(Field::new(field.name(), bare(field.data_type()), true)),
            }
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let folders = job.source.units.iter().map(|unit| folder(job, unit)).collect::<Result<_>>()?;
        let is_kept = |name: &str| job.source.columns.of(Role::Keep).any(|column| column.name == name);
        let annotated = job.source.logical_types.annotate(&schema, is_kept);
        Ok(Self {
            source: Arc::clone(&job.source),
            annotated: annotated.map_err(|error| CorpusError::internal(error.to_string()))?,
            schema,
            format: job.format(),
            folders,
            policy: job.deidentifier.policy().clone(),
            offsets: job.map_offsets.then(|| job.work.location.join(OFFSETS)),
        })
    }
}

impl Shape {
    /// Begins a part.
    fn begin(&self, location: Location) -> Result<PartWriter> {
        PartWriter::create_annotated(location, self.format, &self.schema, self.annotated.as_ref())
    }
}

/// The type of a text column in the output: that of the source, a string type where it was binary or a mapped integer. Other readers of Arrow do
/// not know how to compare views.
fn text_type(original: &DataType) -> DataType {
    match original {
        integer if integer.is_integer() => DataType::Utf8,
        DataType::Binary => DataType::Utf8,
        DataType::LargeBinary => DataType::LargeUtf8,
        DataType::BinaryView => DataType::Utf8View,
        DataType::Dictionary(_, value) => value.as_ref().clone(),
        DataType::Null => DataType::Utf8,
        other => other.clone(),
    }
}

/// The partition folders of a unit: pseudonyms in the place of values; kept ones, and what stands for no value, as they are written in the source.
fn folder(job: &Job<'_>, unit: &Unit) -> Result<String> {
    let mut folder = String::new();
    let columns = job.source.columns.iter().filter(|column| column.partition);
    for ((column, value), written) in columns.zip(&unit.partition_values).zip(&unit.partition_folders) {
        match column.role {
            Role::Drop => continue,
            Role::Keep => folder.push_str(written),
            _ if value == NO_VALUE => folder.push_str(written),
            _ => {
                let pseudonym = pseudonym_text(job.deidentifier.key()?, &namespace(column), identifier(value));
                folder.push_str(&format!("{}={pseudonym}", column.name));
            }
        }
        folder.push('/');
    }
    Ok(folder)
}

async fn write_part(
    shape: &Shape,
    unit: usize,
    number: u64,
    mut batches: datafusion::execution::SendableRecordBatchStream,
    out: &Location,
    leave: &Leave,
) -> Result<PartRecord> {
    let fail = CorpusError::in_stage("replace");
    let mut part = PartRecord { number, ..PartRecord::default() };
    let mut writer = None;
    let mut offsets = None;
    let folder = shape.folders.get(unit).map_or("", String::as_str);
    let name = format!("{folder}part-{number:06}.{}", shape.format.ending());
    while let Some(batch) = batches.try_next().await.map_err(&fail)? {
        if batch.num_rows() == 0 {
            continue;
        }
        let target = match &mut writer {
            Some(writer) => writer,
            None => {
                offsets = match &shape.offsets {
                    Some(place) => Some(OffsetsWriter::new(place, number, shape.format)?),
                    None => None,
                };
                writer.insert(shape.begin(out.join(&name))?)
            }
        };
        count(&mut part, &batch, shape)?;
        let released = output_columns(&batch, shape).map_err(|error| fail(error.into()))?;
        if let Some(offsets) = &mut offsets {
            offsets.write(&shape.source.columns, &batch, &released).await?;
        }
        target.write(&released).await?;
    }
    if let Some(writer) = writer {
        leave.check()?;
        let uploaded = writer.finish().await?;
        (part.name, part.bytes, part.digest) = (Some(name), uploaded.bytes, uploaded.digest);
    }
    // Before the part is recorded as finished, so that none is without.
    if let Some(offsets) = offsets {
        offsets.finish(&part).await?;
    }
    Ok(part)
}

fn output_columns(batch: &RecordBatch, shape: &Shape) -> Result<RecordBatch, arrow::error::ArrowError> {
    let columns =
        shape.schema.fields().iter().enumerate().map(|(place, field)| cast(batch.column(place), field.data_type()));
    RecordBatch::try_new(Arc::clone(&shape.schema), columns.collect::<Result<_, _>>()?)
}

/// Counts the rows of a batch and the spans in them.
fn count(part: &mut PartRecord, batch: &RecordBatch, shape: &Shape) -> Result<()> {
    part.rows += batch.num_rows() as u64;
    for column in shape.source.columns.of(Role::Text) {
        let Some(claims) = batch.column_by_name(&claims_name(column)) else { continue };
        for span in read_spans(claims).map_err(CorpusError::in_stage("replace"))?.iter().flatten() {
            count_span(part, span, &shape.policy);
        }
    }
    for column in may_be_taken_out(&shape.source.columns) {
        let (given, became) = (batch.column_by_name(&given_name(column)), batch.column_by_name(&column.name));
        let Some((given, became)) = given.and_then(|given| given.as_boolean_opt()).zip(became) else { continue };
        let nulls = became.logical_nulls();
        let is_null = |row: usize| nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        let count =
            given.iter().enumerate().filter(|(row, given)| *given == Some(true) && is_null(*row)).count() as u64;
        if count > 0 {
            *part.taken_out.entry(column.name.clone()).or_default() += count;
        }
    }
    Ok(())
}

fn count_span(part: &mut PartRecord, span: &Span, policy: &Policy) {
    let label = span.leading().class.label.name();
    let add = |counts: &mut BTreeMap<String, u64>| match counts.get_mut(label) {
        Some(count) => *count += 1,
        None => {
            counts.insert(label.to_owned(), 1);
        }
    };
    add(&mut part.found);
    let alone = span.claims.iter().all(|claim| claim.detector == Detector::SecondPass);
    part.second_pass_alone += u64::from(alone);
    if policy.removes_span(span) {
        add(&mut part.replaced);
    }
}
