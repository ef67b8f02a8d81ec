//! One part beside the unit that it was made from, row by row.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::TableProvider;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::prelude::SessionContext;
use futures::TryStreamExt;

use super::Job;
use super::columns::{check_identifier, check_rows};
use super::report::PlacedFinding;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::logical_types::LogicalTypes;
use crate::corpus::output::PartRecord;
use crate::corpus::progress::Meter;
use crate::corpus::schema::{ColumnOptions, Columns, Role};
use crate::corpus::source::{
    Compression, Format, NO_VALUE, Part, Quarantine, Share, Source, Unit, discover, notes_table,
};
use crate::corpus::store::Location;
use crate::verify::{Examiner, FindingKind, Tally};

/// What was found in a part.
#[derive(Debug, Default)]
pub(super) struct PartOutcome {
    /// Its number.
    pub part: u64,
    /// Rows that stand on both sides.
    pub rows: u64,
    /// Texts that were examined, and their bytes in the source.
    pub texts: u64,
    pub bytes: u64,
    /// Texts in which a leak or damage was found.
    pub notes_at_fault: u64,
    pub tally: Tally,
    pub findings: Vec<PlacedFinding>,
}

/// Checks a part: its file, its rows, its columns.
pub(super) async fn check_part(job: Arc<Job>, unit: usize, part: PartRecord) -> Result<PartOutcome> {
    let job = job.as_ref();
    let mut outcome = PartOutcome { part: part.number, ..PartOutcome::default() };
    if !is_whole(job.out.clone(), part.clone()).await? {
        // What is in a file that is not the one that was written says nothing of the run.
        outcome.tally.count(FindingKind::PartDamaged);
        return Ok(outcome);
    }
    check_folders(job, unit, &part, &mut outcome);
    let quarantine = Arc::new(Quarantine::default());
    let mut before = Rows::of(one_unit(&job.source, &job.source.units[unit]), Arc::clone(&quarantine)).await?;
    let mut after = match &part.name {
        Some(name) => Rows::of(part_source(job, &job.out.join(name)).await?, Arc::default()).await?,
        None => Rows::none(),
    };
    let mut examiner = Examiner::new(job.deidentifier.policy());
    loop {
        let rows = before.left().await?.min(after.left().await?);
        if rows == 0 {
            break;
        }
        check_rows(job, &before.take(rows), &after.take(rows), &mut examiner, &mut outcome)?;
        outcome.rows += rows as u64;
    }
    let lone = before.left().await? > 0 || after.left().await? > 0;
    if lone || outcome.rows != part.rows || quarantine.take().len() as u64 != part.refused {
        outcome.tally.count(FindingKind::PartDamaged);
    }
    Ok(outcome)
}

/// Whether the file of a part is the one that was written.
async fn is_whole(out: Location, part: PartRecord) -> Result<bool> {
    let Some(name) = &part.name else { return Ok(part.rows == 0) };
    let file = out.join(name);
    match file.stored().await {
        Ok(stored) => Ok(stored.bytes == part.bytes && stored.digest == part.digest),
        Err(object_store::Error::NotFound { .. }) => Ok(false),
        Err(error) => Err(CorpusError::store_input(file.uri(), &error)),
    }
}

/// The folders of a part are those of its unit: kept ones as they are, others by pseudonyms.
fn check_folders(job: &Job, unit: usize, part: &PartRecord, outcome: &mut PartOutcome) {
    let Some(name) = &part.name else { return };
    let unit = &job.source.units[unit];
    let folders: Vec<&str> = name.split('/').collect();
    let partitions = job.source.columns.iter().filter(|column| column.partition).zip(&unit.partition_values);
    let shown = partitions.zip(&unit.partition_folders).filter(|((column, _), _)| column.role != Role::Drop);
    for (place, ((column, value), written)) in shown.enumerate() {
        let folder = folders.get(place).copied().unwrap_or_default();
        let became = folder.split_once('=').map_or("", |(_, became)| became);
        let kind = match column.role {
            Role::Keep => (folder != written).then_some(FindingKind::KeptChanged),
            _ if value == NO_VALUE => (folder != written).then_some(FindingKind::KeptChanged),
            _ => check_identifier(job, column, value, became),
        };
        kind.into_iter().for_each(|kind| outcome.tally.count(kind));
    }
}

/// A source of one unit.
fn one_unit(source: &Source, unit: &Unit) -> Arc<Source> {
    let unit = Unit { index: 0, ..unit.clone() };
    Arc::new(Source { units: Arc::from([unit]), ..source.clone() })
}

/// A part as a source of its own, whose text columns are those of the notes and whose others are kept.
async fn part_source(job: &Job, file: &Location) -> Result<Arc<Source>> {
    let is_text = |name: &str| job.columns.iter().any(|column| column.role == Role::Text && column.name == *name);
    let (text, others): (Vec<_>, Vec<_>) = job.written.iter().cloned().partition(|name| is_text(name));
    let options = ColumnOptions {
        columns: text.into_iter().map(|name| (Role::Text, name)).collect(),
        keep: others,
        ..ColumnOptions::default()
    };
    if job.source.format == Format::Parquet {
        return Ok(Arc::new(discover(file, &options).await?));
    }
    // The columns of JSON Lines are read as those of the source, not told from the lines of this part alone. Mapped ones are strings.
    let is_mapped = |field: &Field| {
        job.columns.iter().any(|column| matches!(column.role, Role::Mapped(_)) && column.name == *field.name())
    };
    let of_source = job.written.iter().filter_map(|name| job.source.schema.field_with_name(name).ok());
    let fields = of_source.map(|field| match is_mapped(field) {
        true => Field::new(field.name(), DataType::Utf8, true),
        false => field.clone(),
    });
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let unit = Unit {
        index: 0,
        file: file.path().clone(),
        bytes: 0,
        version: String::new(),
        partition_values: Vec::new(),
        partition_folders: Vec::new(),
        part: Part::Lines(Compression::None),
    };
    Ok(Arc::new(Source {
        location: file.clone(),
        format: Format::JsonLines(Compression::None),
        columns: Columns::resolve(&schema, &[], &options)?,
        file_schema: Arc::clone(&schema),
        logical_types: LogicalTypes::default(),
        schema,
        partitions: Vec::new(),
        units: Arc::from([unit]),
        share: Share::ALL,
    }))
}

/// Rows that are taken as many at a time as the other side has.
struct Rows {
    batches: Option<SendableRecordBatchStream>,
    batch: Option<RecordBatch>,
}

impl Rows {
    async fn of(source: Arc<Source>, quarantine: Arc<Quarantine>) -> Result<Self> {
        let fail = CorpusError::in_stage("verify");
        let context = SessionContext::new();
        let table = notes_table(&source, 1, &quarantine, &Meter::default())?;
        let plan = table.scan(&context.state(), None, &[], None).await.map_err(&fail)?;
        Ok(Self { batches: Some(plan.execute(0, context.task_ctx()).map_err(&fail)?), batch: None })
    }

    const fn none() -> Self {
        Self { batches: None, batch: None }
    }

    /// How many rows are in hand; none at the end.
    async fn left(&mut self) -> Result<usize> {
        while self.batch.as_ref().is_none_or(|batch| batch.num_rows() == 0) {
            let Some(batches) = &mut self.batches else { return Ok(0) };
            match batches.try_next().await.map_err(CorpusError::in_stage("verify"))? {
                Some(batch) => self.batch = Some(batch),
                None => self.batches = None,
            }
        }
        Ok(self.batch.as_ref().map_or(0, RecordBatch::num_rows))
    }

    /// So many rows of those in hand.
    fn take(&mut self, rows: usize) -> RecordBatch {
        match &mut self.batch {
            Some(batch) => {
                let taken = batch.slice(0, rows.min(batch.num_rows()));
                *batch = batch.slice(taken.num_rows(), batch.num_rows() - taken.num_rows());
                taken
            }
            None => RecordBatch::new_empty(Arc::new(Schema::empty())),
        }
    }
}
