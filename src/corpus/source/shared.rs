//! The tables of a source in the plans of a cluster: which units are read is in the plan, and whoever computes a partition reads them.
//!
//! ```text
//! SharedRows: place, columns, digest of the notes ─▶ rows
//!   units of each partition, as numbers
//! ```
//!
//! The notes are listed where a statement is understood, and again where they are read; a digest tells whether both have seen the same.

use std::collections::VecDeque;
use std::io::Cursor;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use arrow::array::{AsArray, RecordBatch, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt64Type};
use arrow::ipc::reader::StreamReader;
use arrow::ipc::writer::StreamWriter;
use async_trait::async_trait;
use datafusion::catalog::memory::MemorySourceConfig;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::plan_err;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::expressions::Column;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties,
    ReplaceChildrenOptions,
};
use futures::TryStreamExt;
use serde::{Deserialize, Serialize};

use super::table::{DOCUMENT_SCHEMA, Shape, batches, notes_schema};
use super::{Quarantine, Source, discover};
use crate::corpus::error::CorpusError;
use crate::corpus::progress::Meter;
use crate::corpus::schema::ColumnOptions;
use crate::corpus::store::Place;

/// Sources that are remembered by those who read them again and again.
const MOST_KNOWN: usize = 8;

/// What is read, and as what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Reading {
    place: Place,
    columns: ColumnOptions,
    shape: Shape,
    /// Of all units, as they were when the statement was understood.
    digest: String,
}

/// A table of a source that others read.
#[derive(Debug)]
pub struct SharedTable {
    reading: Reading,
    schema: SchemaRef,
    units: u64,
    workers: u64,
}

impl SharedTable {
    /// The tables `documents` and `notes` of a source that lies at a place, read in `partitions`.
    pub fn both(source: &Source, place: &Place, columns: &ColumnOptions, partitions: usize) -> [Self; 2] {
        let units = source.units.len() as u64;
        [(Shape::Documents, Arc::clone(&DOCUMENT_SCHEMA)), (Shape::Notes, notes_schema(source))].map(
            |(shape, schema)| {
                let reading = Reading { place: place.clone(), columns: columns.clone(), shape, digest: digest(source) };
                Self { reading, schema, units, workers: (partitions as u64).clamp(1, units.max(1)) }
            },
        )
    }
}

#[async_trait]
impl TableProvider for SharedTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _session: &dyn Session,
        projection: Option<&Vec<usize>>,
        _conditions: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let numbers = Arc::new(Schema::new(vec![Field::new("unit", DataType::UInt64, false)]));
        let partition = |worker: u64| {
            let units = UInt64Array::from_iter_values((worker..self.units).step_by(self.workers as usize));
            Ok(vec![RecordBatch::try_new(Arc::clone(&numbers), vec![Arc::new(units)])?])
        };
        let partitions = (0..self.workers).map(partition).collect::<Result<Vec<_>>>()?;
        let units = MemorySourceConfig::try_new_exec(&partitions, numbers, None)?;
        let rows: Arc<dyn ExecutionPlan> =
            Arc::new(SharedRows::new(units, self.reading.clone(), Arc::clone(&self.schema)));
        let Some(projection) = projection else { return Ok(rows) };
        let column = |&index: &usize| {
            let name = self.schema.field(index).name();
            (Arc::new(Column::new(name, index)) as Arc<dyn PhysicalExpr>, name.clone())
        };
        Ok(Arc::new(ProjectionExec::try_new(projection.iter().map(column).collect::<Vec<_>>(), rows)?))
    }
}

/// Reads the units whose numbers its input gives.
#[derive(Debug)]
pub struct SharedRows {
    units: Arc<dyn ExecutionPlan>,
    reading: Reading,
    properties: Arc<PlanProperties>,
}

impl SharedRows {
    fn new(units: Arc<dyn ExecutionPlan>, reading: Reading, schema: SchemaRef) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(units.output_partitioning().partition_count()),
            units.pipeline_behavior(),
            units.boundedness(),
        );
        Self { units, reading, properties: Arc::new(properties) }
    }

    /// As bytes, its input left out.
    ///
    /// # Errors
    /// [`DataFusionError`] where it cannot be written.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let reading = serde_json::to_vec(&self.reading).map_err(fault)?;
        let mut bytes = (reading.len() as u64).to_le_bytes().to_vec();
        bytes.extend(reading);
        StreamWriter::try_new(&mut bytes, &self.schema())?.finish()?;
        Ok(bytes)
    }

    /// The plan of such bytes over its input.
    ///
    /// # Errors
    /// [`DataFusionError`] for bytes that are none.
    pub fn decode(bytes: &[u8], units: Arc<dyn ExecutionPlan>) -> Result<Self> {
        let parts = bytes
            .split_first_chunk()
            .and_then(|(length, rest)| rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?));
        let Some((reading, schema)) = parts else { return plan_err!("a table came in part") };
        let schema = StreamReader::try_new(Cursor::new(schema), None)?.schema();
        Ok(Self::new(units, serde_json::from_slice(reading).map_err(fault)?, schema))
    }
}

impl DisplayAs for SharedRows {
    fn fmt_as(&self, _: DisplayFormatType, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "SharedRows: {:?}", self.reading.shape)
    }
}

impl ExecutionPlan for SharedRows {
    fn name(&self) -> &str {
        "SharedRows"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.units]
    }

    /// More partitions of units would be more readers, and other orders of rows.
    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Ok([units]) = <[_; 1]>::try_from(children) else { return plan_err!("SharedRows has one input") };
        Ok(Arc::new(Self::new(units, self.reading.clone(), self.schema())))
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let (units, schema, reading) = (self.units.execute(partition, context)?, self.schema(), self.reading.clone());
        let of = Arc::clone(&schema);
        let rows = async move {
            let numbers: Vec<RecordBatch> = units.try_collect().await?;
            let numbers =
                numbers.iter().flat_map(|batch| batch.column(0).as_primitive::<UInt64Type>().values().to_vec());
            let source = reading.source().await?;
            let units = numbers.filter_map(|unit| usize::try_from(unit).ok()).filter(|unit| *unit < source.units.len());
            let rows = batches(
                &source,
                units.collect(),
                reading.shape,
                of,
                Arc::new(Quarantine::of_statement()),
                Meter::default(),
            );
            Ok::<_, DataFusionError>(rows.map_err(DataFusionError::from))
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, futures::stream::once(rows).try_flatten())))
    }
}

/// Sources with what asked for them, the last first.
type Known = VecDeque<(Reading, Arc<Source>)>;

/// What was read last, by those who read for others.
static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

impl Reading {
    /// The notes, if they are still what they were.
    async fn source(&self) -> crate::corpus::error::Result<Arc<Source>> {
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, source)) = known().iter().find(|(reading, _)| reading == self) {
            return Ok(Arc::clone(source));
        }
        let location = self.place.location()?;
        let source = Arc::new(discover(&location, &self.columns).await?);
        if digest(&source) != self.digest {
            return Err(CorpusError::input(
                location.uri(),
                "the notes are not those that were there when the statement was understood, or not the same on every machine",
            ));
        }
        let mut known = known();
        known.truncate(MOST_KNOWN - 1);
        known.push_front((self.clone(), Arc::clone(&source)));
        Ok(source)
    }
}

/// What tells these notes from others: every unit with the version of its file.
fn digest(source: &Source) -> String {
    let mut hasher = blake3::Hasher::new();
    for unit in source.units.iter() {
        let rows = unit.part.row_groups();
        hasher.update(format!("{:?} {} {:?} {rows} ", unit.file.as_ref(), unit.bytes, unit.version).as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

fn fault(error: serde_json::Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
