//! A table as the engine reads it and appends to it.

use std::sync::Arc;

use arrow::datatypes::{Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{ScalarValue, not_impl_err};
use datafusion::datasource::listing::{ListingTableUrl, PartitionedFile};
use datafusion::datasource::physical_plan::parquet::ParquetRowSelection;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::sink::DataSinkExec;
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::Result;
use datafusion::logical_expr::dml::InsertOp;
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;

use super::append::Append;
use super::listing::{DeltaFile, DeltaTable};
use super::snapshot::opened;
use crate::corpus::error::CorpusError;
use crate::corpus::source::rows_left;
use crate::corpus::store::Location;

/// The table at a location, for the engine; none where there is no log.
///
/// # Errors
/// Those of [`opened`].
pub(in crate::corpus) async fn table(
    location: &Location,
) -> crate::corpus::error::Result<Option<Arc<dyn TableProvider>>> {
    Ok(opened(location).await?.map(|table| provider(location, &table)))
}

/// A table that was opened, for the engine.
pub(super) fn provider(location: &Location, table: &DeltaTable) -> Arc<dyn TableProvider> {
    Arc::new(DeltaProvider { location: location.clone(), schema: columns(table) })
}

/// The columns: those of the files, then the partitions.
fn columns(table: &DeltaTable) -> SchemaRef {
    let fields = table.file_schema.fields().iter().chain(&table.partitions);
    // Metadata of fields are free text of whoever wrote the table.
    let plain = |field: &Arc<Field>| Field::new(field.name(), field.data_type().clone(), field.is_nullable());
    Arc::new(Schema::new(fields.map(plain).collect::<Vec<_>>()))
}

/// Reads the version that is the newest when a statement is planned: one that was written before in the same session is seen.
#[derive(Debug)]
struct DeltaProvider {
    location: Location,
    schema: SchemaRef,
}

#[async_trait]
impl TableProvider for DeltaProvider {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        _conditions: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let table = opened(&self.location).await?.filter(|table| columns(table) == self.schema);
        let Some(table) = table else {
            return Err(
                CorpusError::input(self.location.uri(), "the columns of the table have changed meanwhile").into()
            );
        };
        if table.files.is_empty() {
            let schema =
                projection.map_or_else(|| Ok(Arc::clone(&self.schema)), |at| self.schema.project(at).map(Arc::new));
            return Ok(Arc::new(EmptyExec::new(schema?)));
        }
        let in_files = self.schema.fields()[..table.file_schema.fields().len()].to_vec();
        let partitions = self.schema.fields()[in_files.len()..].to_vec();
        let schema =
            TableSchema::builder(Arc::new(Schema::new(in_files))).with_table_partition_cols(partitions.clone()).build();
        let mut options = session.table_options().parquet.clone();
        options.global = session.config_options().execution.parquet.clone();
        let source = ParquetSource::new(schema).with_table_parquet_options(options);
        let files = table.files.iter().map(|file| partitioned(&self.location, file, &partitions));
        let files = FileGroup::new(files.collect::<Result<Vec<_>>>()?);
        let store = ListingTableUrl::parse(self.location.url())?.object_store();
        let scan = FileScanConfigBuilder::new(store, Arc::new(source))
            .with_file_groups(files.split_files(session.config().target_partitions()))
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(scan))
    }

    async fn insert_into(
        &self,
        _session: &dyn Session,
        rows: Arc<dyn ExecutionPlan>,
        how: InsertOp,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if how != InsertOp::Append {
            return not_impl_err!("rows are appended to a Delta table; what it has is not replaced");
        }
        let sink = Append::new(self.location.clone(), Arc::clone(&self.schema));
        Ok(Arc::new(DataSinkExec::new(rows, Arc::new(sink), None)))
    }
}

/// A file with what its log says of it.
fn partitioned(location: &Location, file: &DeltaFile, partitions: &[Arc<Field>]) -> Result<PartitionedFile> {
    let mut scanned = PartitionedFile::new_from_meta(file.object.clone());
    let values = file.values.iter().zip(partitions).map(|(value, partition)| match value {
        Some(value) => ScalarValue::try_from_string(value.clone(), partition.data_type()),
        None => ScalarValue::try_new_null(partition.data_type()),
    });
    // What the value was is not told.
    let no_value = |_| CorpusError::input(location.uri(), "a value of a partition is not of the column's type");
    scanned.partition_values = values.collect::<Result<_>>().map_err(no_value)?;
    if let Some(deleted) = &file.deleted {
        let Some(rows) = file.rows else {
            return Err(CorpusError::input(location.uri(), "its log does not tell how many rows a file has").into());
        };
        scanned = scanned.with_extension(ParquetRowSelection::new(rows_left(deleted, 0..rows)));
    }
    Ok(scanned)
}
