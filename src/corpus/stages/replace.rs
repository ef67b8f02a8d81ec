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
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::read_spans;
use crate::corpus::part::{PartFormat, PartWriter};
use crate::corpus::schema::{Column, Role};
use crate::corpus::source::{Quarantine, Source, Unit, notes_table};
use crate::corpus::store::Location;
use crate::phi::{Detector, Policy, Span};
use crate::surrogate::pseudonym_text;

/// What the parts of an output add up to.
#[derive(Debug, Default)]
struct Tally {
    rows: u64,
    parts: u64,
    found: BTreeMap<&'static str, u64>,
    replaced: BTreeMap<&'static str, u64>,
    second_pass_alone: u64,
}

pub(super) async fn replace(job: &mut Job<'_>, out: &Location) -> Result<()> {
    let quarantine = Arc::new(Quarantine::default());
    let rows = job.source.known_rows();
    let tally = job
        .stage("replace", rows, async |job, meter| {
            let tally = write_parts(job, &quarantine, meter, out).await?;
            // Where nothing is counted and there is no second pass, this stage is the first that reads.
            job.read_here(meter);
            Ok(tally)
        })
        .await?;
    job.account(tally.rows, &quarantine.take()).await?;
    (job.report.spans_found, job.report.spans_replaced) = (tally.found, tally.replaced);
    job.report.second_pass.spans = tally.second_pass_alone;
    job.report.seconds = job.begun.elapsed().as_secs_f64();
    let report = serde_json::to_string_pretty(&job.report).map_err(|error| CorpusError::output(out.uri(), error))?;
    out.join(super::RUN_REPORT).write(report + "\n").await?;
    out.join("_SUCCESS").write("").await
}

/// Every unit becomes a part, as many at once as there are workers.
async fn write_parts(
    job: &Job<'_>,
    quarantine: &Arc<Quarantine>,
    meter: &crate::corpus::progress::Meter,
    out: &Location,
) -> Result<Tally> {
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
    let tasks = streams.into_iter().enumerate().map(|(unit, stream)| {
        let (shape, out) = (Arc::clone(&shape), out.clone());
        async move {
            let part = SpawnedTask::spawn(async move { write_part(&shape, unit, stream, &out).await });
            part.join().await.map_err(|_| CorpusError::Accounting { reason: "a worker ended early".to_owned() })?
        }
    });
    let tally: Tally = futures::stream::iter(tasks)
        .buffer_unordered(job.partitions.max(1))
        .try_fold(Tally::default(), |mut sum, part| async move {
            sum.add(part);
            Ok(sum)
        })
        .await?;
    if tally.parts == 0 {
        let empty = out.join(&format!("part-000000.{}", shape.format.ending()));
        PartWriter::create(empty, shape.format, &shape.schema)?.finish().await?;
    }
    Ok(tally)
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
    mut batches: datafusion::execution::SendableRecordBatchStream,
    out: &Location,
) -> Result<Tally> {
    let fail = CorpusError::in_stage("replace");
    let mut tally = Tally::default();
    let mut writer = None;
    while let Some(batch) = batches.try_next().await.map_err(&fail)? {
        if batch.num_rows() == 0 {
            continue;
        }
        let target = match &mut writer {
            Some(writer) => writer,
            None => {
                let name = format!("{}part-{unit:06}.{}", shape.folders[unit], shape.format.ending());
                writer.insert(PartWriter::create(out.join(&name), shape.format, &shape.schema)?)
            }
        };
        tally.count(&batch, shape)?;
        target.write(&output_columns(&batch, shape).map_err(|error| fail(error.into()))?).await?;
    }
    if let Some(writer) = writer {
        writer.finish().await?;
        tally.parts = 1;
    }
    Ok(tally)
}

fn output_columns(batch: &RecordBatch, shape: &Shape) -> Result<RecordBatch, arrow::error::ArrowError> {
    let columns =
        shape.schema.fields().iter().enumerate().map(|(place, field)| cast(batch.column(place), field.data_type()));
    RecordBatch::try_new(Arc::clone(&shape.schema), columns.collect::<Result<_, _>>()?)
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.rows += other.rows;
        self.parts += other.parts;
        self.second_pass_alone += other.second_pass_alone;
        for (sum, part) in [(&mut self.found, other.found), (&mut self.replaced, other.replaced)] {
            for (label, count) in part {
                *sum.entry(label).or_default() += count;
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
