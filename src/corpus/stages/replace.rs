//! The notes, de-identified: `sql/replace.sql`, one output part for each unit of the source.
//!
//! ```text
//! unit 12 of notes/site=a/ ─▶ out/site=3f9c…/part-000012.parquet
//! ```
//!
//! Part names and partition folders tell nothing of the input's. `_plainsight/run.json` holds the report, and `_SUCCESS` is
//! written last: without it the output is not whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::runtime::SpawnedTask;
use datafusion::physical_plan::{ExecutionPlanProperties, execute_stream_partitioned};
use futures::{StreamExt, TryStreamExt};

use super::Job;
use super::incremental::Release;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::read_spans;
use crate::corpus::part::{PartFormat, PartWriter};
use crate::corpus::schema::{Column, Role};
use crate::corpus::source::{Quarantine, Source, Unit, notes_table};
use crate::corpus::store::Location;
use crate::phi::{Detector, Policy, Span};
use crate::surrogate::pseudonym_text;

/// What the parts of an output add up to.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    pub(super) rows: u64,
    pub(super) parts: u64,
    pub(super) found: BTreeMap<&'static str, u64>,
    pub(super) replaced: BTreeMap<&'static str, u64>,
    pub(super) second_pass_alone: u64,
}

/// The parts of an output, by unit.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// The numbers in their names.
    pub(super) numbers: Vec<u64>,
    /// What those add up to that stay as they are; none for those that are written.
    pub(super) kept: Vec<Option<Tally>>,
}

impl Parts {
    /// All are written.
    pub(super) fn all(source: &Source) -> Self {
        Self { numbers: (0..source.units.len() as u64).collect(), kept: vec![None; source.units.len()] }
    }
}

/// A part that was written.
#[derive(Debug)]
pub(super) struct WrittenPart {
    pub(super) unit: usize,
    /// Its path in the output; none where there was no row to write.
    pub(super) name: Option<String>,
    pub(super) tally: Tally,
}

/// Writes the parts that are not kept, and declares the output whole.
pub(super) async fn replace(
    job: &mut Job<'_>,
    out: &Location,
    parts: Parts,
    mut release: Option<&mut Release>,
) -> Result<()> {
    let quarantine = Arc::new(Quarantine::default());
    let rows = job.source.known_rows();
    let written = job
        .stage("replace", rows, async |job, meter| {
            let written = write_parts(job, &quarantine, meter, out, &parts).await?;
            // Where nothing is counted and there is no second pass, this stage is the first that reads.
            job.read_here(meter);
            Ok(written)
        })
        .await?;
    let mut tally = Tally::default();
    parts.kept.iter().flatten().chain(written.iter().map(|part| &part.tally)).for_each(|part| tally.add(part));
    if tally.parts == 0 {
        write_empty(job, out).await?;
    }
    let refused = quarantine.take();
    job.account(tally.rows, &refused).await?;
    if let Some(release) = &mut release {
        let mut refused_in = vec![0; job.source.units.len()];
        refused.iter().for_each(|row| refused_in[row.unit] += 1);
        release.remember(&parts, &written, &refused_in).await?;
        job.report.growth.written = written.iter().filter_map(|part| part.name.clone()).collect();
        job.report.growth.written.sort();
    }
    (job.report.spans_found, job.report.spans_replaced) = (tally.found, tally.replaced);
    job.report.second_pass.spans = tally.second_pass_alone;
    job.report.seconds = job.begun.elapsed().as_secs_f64();
    let report = serde_json::to_string_pretty(&job.report).map_err(|error| CorpusError::output(out.uri(), error))?;
    out.join(super::RUN_REPORT).write(report + "\n").await?;
    out.join("_SUCCESS").write("").await
}

/// A file without rows: no part makes no file, and no file has no columns.
async fn write_empty(job: &Job<'_>, out: &Location) -> Result<()> {
    let plan = job.context.sql(&statement(&job.source)?).await.map_err(CorpusError::in_stage("replace"))?;
    let shape = Shape::new(job, plan.schema().inner())?;
    let empty = out.join(&format!("part-000000.{}", shape.format.ending()));
    PartWriter::create(empty, shape.format, &shape.schema)?.finish().await
}

/// Every unit that is not kept becomes a part, as many at once as there are workers.
async fn write_parts(
    job: &Job<'_>,
    quarantine: &Arc<Quarantine>,
    meter: &crate::corpus::progress::Meter,
    out: &Location,
    parts: &Parts,
) -> Result<Vec<WrittenPart>> {
    let fail = CorpusError::in_stage("replace");
    job.keep_units_apart().await?;
    let notes = notes_table(&job.source, job.source.units.len(), quarantine, meter)?;
    job.context.register_table("notes", Arc::new(notes)).map_err(&fail)?;
    let plan =
        job.context.sql(&statement(&job.source)?).await.map_err(&fail)?.create_physical_plan().await.map_err(&fail)?;
    let streams = execute_stream_partitioned(Arc::clone(&plan), job.context.task_ctx()).map_err(&fail)?;
    if plan.output_partitioning().partition_count() != job.source.units.len().max(1) {
        return Err(CorpusError::Accounting { reason: "the units of the source did not stay apart".to_owned() });
    }
    let shape = Arc::new(Shape::new(job, &plan.schema())?);
    // A unit that is kept is not read: its stream is dropped.
    let streams = streams.into_iter().enumerate().filter(|(unit, _)| parts.kept.get(*unit).is_none_or(Option::is_none));
    let tasks = streams.map(|(unit, stream)| {
        let (shape, out) = (Arc::clone(&shape), out.clone());
        let number = parts.numbers.get(unit).copied().unwrap_or_default();
        async move {
            let part = SpawnedTask::spawn(async move { write_part(&shape, unit, number, stream, &out).await });
            part.join().await.map_err(|_| CorpusError::Accounting { reason: "a worker ended early".to_owned() })?
        }
    });
    futures::stream::iter(tasks).buffer_unordered(job.partitions.max(1)).try_collect().await
}

/// `sql/replace.sql` with its parameters, made from the roles of the columns.
fn statement(source: &Source) -> Result<String> {
    let claims = source
        .columns
        .of(Role::Text)
        .map(|column| format!("note_spans({}, __patient) AS {}", quoted(&column.name), quoted(&claims_name(column))));
    let mut columns = Vec::new();
    for column in source.columns.iter().filter(|column| !column.partition && column.role != Role::Drop) {
        let name = quoted(&column.name);
        columns.push(match column.role {
            Role::Text => format!("replace_spans({name}, __patient, {}) AS {name}", quoted(&claims_name(column))),
            Role::Date => format!("shift_date({name}, __patient) AS {name}"),
            Role::Id | Role::Note | Role::Patient => {
                format!("pseudonym({}, {name}) AS {name}", literal(&namespace(column)))
            }
            Role::Keep | Role::Drop => name,
        });
    }
    columns.extend(source.columns.of(Role::Text).map(|column| quoted(&claims_name(column))));
    let template = include_str!("../../../sql/replace.sql");
    let statement = template.lines().filter(|line| !line.starts_with("--")).collect::<Vec<_>>().join("\n");
    let parts = statement.split_once("{columns}").and_then(|(head, rest)| Some((head, rest.split_once("{claims}")?)));
    let (head, (middle, tail)) =
        parts.ok_or_else(|| CorpusError::Accounting { reason: "sql/replace.sql has lost a parameter".to_owned() })?;
    let claims = claims.collect::<Vec<_>>().join(", ");
    Ok(format!("{head}{}{middle}{claims}{tail}", columns.join(", ")))
}

fn claims_name(column: &Column) -> String {
    format!("__claims {}", column.name)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Within what pseudonyms are consistent: patients over all tables, other ids over columns of one name.
fn namespace(column: &Column) -> String {
    match column.role {
        Role::Patient => "patient".to_owned(),
        _ => column.name.to_lowercase(),
    }
}

/// What all parts have in common.
struct Shape {
    source: Arc<Source>,
    schema: SchemaRef,
    format: PartFormat,
    folders: Vec<String>,
    policy: Policy,
}

impl Shape {
    fn new(job: &Job<'_>, planned: &SchemaRef) -> Result<Self> {
        let fields = planned.fields().iter().filter(|field| !field.name().starts_with("__claims ")).map(|field| {
            let original = job.source.file_schema.field_with_name(field.name()).ok();
            let text = *field.data_type() == DataType::Utf8View;
            match original {
                Some(original) if text && !original.data_type().is_integer() => {
                    Arc::new(Field::new(field.name(), text_type(original.data_type()), true))
                }
                _ => Arc::new(Field::new(field.name(), bare(field.data_type()), true)),
            }
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let folders = job.source.units.iter().map(|unit| folder(job, unit)).collect::<Result<_>>()?;
        Ok(Self {
            source: Arc::clone(&job.source),
            schema,
            format: job.format(),
            folders,
            policy: job.deidentifier.policy().clone(),
        })
    }
}

/// The type of a text column in the output: that of the source, a string type where it was binary.
fn text_type(original: &DataType) -> DataType {
    match original {
        DataType::Binary => DataType::Utf8,
        DataType::LargeBinary => DataType::LargeUtf8,
        DataType::BinaryView => DataType::Utf8View,
        DataType::Dictionary(_, value) => value.as_ref().clone(),
        DataType::Null => DataType::Utf8,
        other => other.clone(),
    }
}

/// A type without the metadata of the fields inside it, which is free text of whoever wrote the source.
fn bare(data_type: &DataType) -> DataType {
    let field = |field: &Arc<Field>| Arc::new(Field::new(field.name(), bare(field.data_type()), field.is_nullable()));
    match data_type {
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect()),
        DataType::List(item) => DataType::List(field(item)),
        DataType::LargeList(item) => DataType::LargeList(field(item)),
        DataType::FixedSizeList(item, length) => DataType::FixedSizeList(field(item), *length),
        DataType::Map(entries, sorted) => DataType::Map(field(entries), *sorted),
        other => other.clone(),
    }
}

/// The partition folders of a unit: pseudonyms in the place of values, and kept ones as they are written in the source.
fn folder(job: &Job<'_>, unit: &Unit) -> Result<String> {
    let mut folder = String::new();
    let columns = job.source.columns.iter().filter(|column| column.partition);
    for ((column, value), written) in columns.zip(&unit.partition_values).zip(&unit.partition_folders) {
        match column.role {
            Role::Drop => continue,
            Role::Keep => folder.push_str(written),
            _ => {
                let pseudonym = pseudonym_text(job.deidentifier.key()?, &namespace(column), value);
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
) -> Result<WrittenPart> {
    let fail = CorpusError::in_stage("replace");
    let mut tally = Tally::default();
    let mut writer = None;
    let folder = shape.folders.get(unit).map_or("", String::as_str);
    let name = format!("{folder}part-{number:06}.{}", shape.format.ending());
    while let Some(batch) = batches.try_next().await.map_err(&fail)? {
        if batch.num_rows() == 0 {
            continue;
        }
        let target = match &mut writer {
            Some(writer) => writer,
            None => writer.insert(PartWriter::create(out.join(&name), shape.format, &shape.schema)?),
        };
        tally.count(&batch, shape)?;
        target.write(&output_columns(&batch, shape).map_err(|error| fail(error.into()))?).await?;
    }
    let name = match writer {
        Some(writer) => {
            writer.finish().await?;
            tally.parts = 1;
            Some(name)
        }
        None => None,
    };
    Ok(WrittenPart { unit, name, tally })
}

fn output_columns(batch: &RecordBatch, shape: &Shape) -> Result<RecordBatch, arrow::error::ArrowError> {
    let columns =
        shape.schema.fields().iter().enumerate().map(|(place, field)| cast(batch.column(place), field.data_type()));
    RecordBatch::try_new(Arc::clone(&shape.schema), columns.collect::<Result<_, _>>()?)
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        self.parts += other.parts;
        self.second_pass_alone += other.second_pass_alone;
        for (sum, part) in [(&mut self.found, &other.found), (&mut self.replaced, &other.replaced)] {
            for (label, count) in part {
                *sum.entry(*label).or_default() += count;
            }
        }
    }

    fn count(&mut self, batch: &RecordBatch, shape: &Shape) -> Result<()> {
        self.rows += batch.num_rows() as u64;
        for column in shape.source.columns.of(Role::Text) {
            let Some(claims) = batch.column_by_name(&claims_name(column)) else { continue };
            for span in read_spans(claims).map_err(CorpusError::in_stage("replace"))?.iter().flatten() {
                self.count_span(span, &shape.policy);
            }
        }
        Ok(())
    }

    fn count_span(&mut self, span: &Span, policy: &Policy) {
        let label = span.leading().class.label.name();
        *self.found.entry(label).or_default() += 1;
        let alone = span.claims.iter().all(|claim| claim.detector == Detector::SecondPass);
        self.second_pass_alone += u64::from(alone);
        if policy.removes_span(span) {
            *self.replaced.entry(label).or_default() += 1;
        }
    }
}
