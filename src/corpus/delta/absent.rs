//! Tables of Delta Lake in a program that was built without the feature `delta`: none is read for a folder of files.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider, TableProviderFactory};
use datafusion::logical_expr::CreateExternalTable;
use datafusion::physical_plan::ExecutionPlan;

use super::listing::{DeltaTable, is_table};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;

fn refused(location: &Location) -> CorpusError {
    CorpusError::configuration(
        format!("`{}` is a Delta table, and this program was built without them", location.uri()),
        "build it with the feature `delta`",
    )
}

/// None, where there is no table.
///
/// # Errors
/// [`CorpusError::Configuration`] where there is one.
pub(in crate::corpus) async fn opened(location: &Location) -> Result<Option<DeltaTable>> {
    match is_table(location).await? {
        true => Err(refused(location)),
        false => Ok(None),
    }
}

/// None, where there is no table.
///
/// # Errors
/// [`CorpusError::Configuration`] where there is one.
pub(in crate::corpus) async fn table(location: &Location) -> Result<Option<Arc<dyn TableProvider>>> {
    opened(location).await.map(|_| None)
}

/// Whether a node of a plan appends to a table: none does.
pub(crate) fn appends_to_table(_node: &Arc<dyn ExecutionPlan>) -> bool {
    false
}

/// Opens and makes no tables.
#[derive(Debug)]
pub(in crate::corpus) struct DeltaFactory;

#[async_trait]
impl TableProviderFactory for DeltaFactory {
    async fn create(
        &self,
        _session: &dyn Session,
        statement: &CreateExternalTable,
    ) -> datafusion::error::Result<Arc<dyn TableProvider>> {
        Err(refused(&Location::parse(statement.locations.first().map_or("", String::as_str))?).into())
    }
}
