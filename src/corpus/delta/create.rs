//! `CREATE EXTERNAL TABLE … STORED AS DELTA LOCATION '…'`: a table that is there already, or a new one with the columns that are given.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef, Schema};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::common::{not_impl_err, plan_err};
use datafusion::error::Result;
use datafusion::logical_expr::CreateExternalTable;
use delta_kernel::committer::FileSystemCommitter;
use delta_kernel::engine::arrow_conversion::TryIntoKernel;
use delta_kernel::schema::StructType;
use delta_kernel::transaction::CommitResult;
use delta_kernel::transaction::create_table::create_table;
use delta_kernel::transaction::data_layout::DataLayout;

use super::append::WRITER;
use super::kernel::{done, root, with_engine};
use super::listing::DeltaTable;
use super::snapshot::opened;
use super::table::{provider, table};
use crate::corpus::error::CorpusError;
use crate::corpus::files::{column_name, refuse_partitions_ahead};
use crate::corpus::store::Location;

/// Opens and makes tables.
#[derive(Debug)]
pub(in crate::corpus) struct DeltaFactory;

#[async_trait]
impl TableProviderFactory for DeltaFactory {
    async fn create(&self, _session: &dyn Session, statement: &CreateExternalTable) -> Result<Arc<dyn TableProvider>> {
        let [location] = statement.locations.as_slice() else {
            return plan_err!("a Delta table has one location");
        };
        let is_plain = |field: &Arc<Field>| field.is_nullable();
        let columns = statement.schema.as_arrow().fields();
        if !columns.iter().all(is_plain) || !statement.constraints.is_empty() || !statement.column_defaults.is_empty() {
            return not_impl_err!("a Delta table is made without NOT NULL, keys and defaults");
        }
        refuse_partitions_ahead(statement)?;
        let location = Location::parse(location)?;
        let wanted = statement.schema.as_arrow();
        let partitions = partitions(&statement.table_partition_cols, wanted)?;
        if let Some(there) = opened(&location).await? {
            return match wanted.fields().is_empty() || is_as_wanted(&there, wanted, &partitions) {
                true => Ok(provider(&location, &there)),
                false => plan_err!(
                    "the Delta table there has other columns or partitions; leave them out to take it as it is"
                ),
            };
        }
        if wanted.fields().is_empty() {
            return plan_err!("there is no Delta table at '{}'; give columns to make one", location.uri());
        }
        make(&location, wanted, partitions).await?;
        match table(&location).await? {
            Some(table) => Ok(table),
            None => plan_err!("there is no Delta table at '{}'", location.uri()),
        }
    }
}

/// The columns that `PARTITIONED BY` names, which it gives as they were typed.
fn partitions(named: &[String], columns: &Schema) -> Result<Vec<String>> {
    let column = |typed: &String| {
        let name = column_name(typed);
        match columns.field_with_name(&name) {
            Ok(_) => Ok(name),
            Err(_) => plan_err!("PARTITIONED BY names `{name}`, which is no column of the table"),
        }
    };
    named.iter().map(column).collect()
}

/// Whether a table has the columns that a statement gives, the ones of the files in their order, and the same partitions.
fn is_as_wanted(there: &DeltaTable, wanted: &Schema, partitions: &[String]) -> bool {
    let names = |fields: &[FieldRef]| fields.iter().map(|field| field.name().clone()).collect::<Vec<_>>();
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    let in_files = names(wanted.fields()).into_iter().filter(|name| !partitions.contains(name));
    in_files.collect::<Vec<_>>() == names(there.file_schema.fields())
        && sorted(partitions.to_vec()) == sorted(names(&there.partitions))
}

/// Makes a table without rows.
async fn make(location: &Location, columns: &Schema, partitions: Vec<String>) -> crate::corpus::error::Result<()> {
    if !location.list().await?.is_empty() {
        let reason = "there are files that no log names; a new Delta table wants a folder of its own";
        return Err(CorpusError::output(location.uri(), reason));
    }
    if let Some(folder) = location.local_path() {
        std::fs::create_dir_all(&folder).map_err(|error| CorpusError::output(location.uri(), error))?;
    }
    let fields = columns.fields().iter().map(|field| Field::new(field.name(), plain(field.data_type()), true));
    let columns: StructType = (&Schema::new(fields.collect::<Vec<_>>())).try_into_kernel().map_err(|_| {
        CorpusError::configuration(
            "a column has a type that Delta has not",
            "give text, numbers, dates or truth values",
        )
    })?;
    let place = location.clone();
    with_engine(location, move |engine| {
        let table = create_table(root(&place), Arc::new(columns), WRITER, false);
        let table = match partitions.is_empty() {
            true => table,
            false => table.with_data_layout(DataLayout::partitioned(partitions)),
        };
        let table = table.build(engine, Box::new(FileSystemCommitter::new())).map_err(|_| {
            CorpusError::configuration(
                "the columns cannot be those of a Delta table",
                "give names that differ, and have no blanks nor any of ,;{}()=, and a column that is no partition",
            )
        })?;
        match done(&place, table.commit(engine))? {
            CommitResult::Committed(_) => Ok(()),
            _ => Err(CorpusError::output(place.uri(), "somebody else has made a table there meanwhile")),
        }
    })
    .await
}

/// A type as Delta has it: it knows neither views nor lengths of 64 bits.
fn plain(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Utf8View | DataType::LargeUtf8 => DataType::Utf8,
        DataType::BinaryView | DataType::LargeBinary => DataType::Binary,
        other => other.clone(),
    }
}
