//! The tables that stages hand on: statements written to the work location, read back, settings of the engine.

use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::UInt64Type;
use datafusion::catalog::TableProvider;
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::datasource::MemTable;
use futures::TryStreamExt;

use super::Job;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::progress::Meter;
use crate::corpus::source::{Quarantine, documents_table};
use crate::corpus::store::Location;

impl Job<'_> {
    /// Runs a statement over all documents and writes its rows as the table `name`. Gives the rows. Where more documents cannot be read than may
    /// be refused, the job ends.
    pub(super) async fn write_table_of_documents(
        &mut self,
        name: &'static str,
        statement: &str,
        meter: &Meter,
    ) -> Result<u64> {
        let fail = CorpusError::in_stage(name);
        let quarantine = Arc::<Quarantine>::default();
        let documents = documents_table(&self.source, self.partitions, &quarantine, meter)?;
        self.register("documents", Arc::new(documents))?;
        let written = self.write_table(name, statement).await?;
        self.context.deregister_table("documents").map_err(&fail)?;
        self.refuse_unread(&quarantine.take(), meter.read()).await?;
        Ok(written)
    }

    /// Runs a statement and writes its rows as the table `name` under the work location, for the stages after it. Gives the rows.
    pub(super) async fn write_table(&self, name: &'static str, statement: &str) -> Result<u64> {
        let folder = self.work.location.join(name);
        // A try that was interrupted may have left some of it.
        folder.clear().await?;
        folder.create_confidential()?;
        let fail = CorpusError::in_stage(name);
        let rows = self.context.sql(statement).await.map_err(&fail)?;
        let schema = Arc::clone(rows.schema().inner());
        let options = DataFrameWriteOptions::new();
        let written = rows.write_parquet(&folder_url(&folder), options, None).await.map_err(&fail)?;
        let written = rows_of(&written);
        match written {
            // No row makes no file, and no file has no columns.
            0 => {
                let empty = MemTable::try_new(schema, vec![vec![]]).map_err(&fail)?;
                self.register(name, Arc::new(empty))?;
            }
            _ => self.register_table_of_work(name).await?,
        }
        Ok(written)
    }

    /// Registers a table that was written; where it had no row there is no file, and the statement makes it again.
    pub(super) async fn register_written(&mut self, name: &'static str, written: u64, statement: &str) -> Result<()> {
        match written {
            0 => self.write_table(name, statement).await.map(drop),
            _ => self.register_table_of_work(name).await,
        }
    }

    /// Runs a statement and writes its rows as one file under the work location, which is there when it is whole. Gives the rows.
    pub(super) async fn write_file(&self, stage: &'static str, name: &str, statement: &str) -> Result<u64> {
        let fail = CorpusError::in_stage(stage);
        let rows = self.context.sql(statement).await.map_err(&fail)?;
        let url = self.work.location.join(name).url().to_string();
        let options = DataFrameWriteOptions::new().with_single_file_output(true);
        Ok(rows_of(&rows.write_parquet(&url, options, None).await.map_err(&fail)?))
    }

    /// Registers a table that lies under the work location.
    pub(super) async fn register_table_of_work(&self, name: &'static str) -> Result<()> {
        let url = folder_url(&self.work.location.join(name));
        let fail = CorpusError::in_stage(name);
        self.context.deregister_table(name).map_err(&fail)?;
        self.context.register_parquet(name, &url, Default::default()).await.map_err(fail)
    }

    /// Registers a table in the place of one of the same name.
    pub(super) fn register(&self, name: &'static str, table: Arc<dyn TableProvider>) -> Result<()> {
        let fail = CorpusError::in_stage(name);
        self.context.deregister_table(name).map_err(&fail)?;
        self.context.register_table(name, table).map(drop).map_err(fail)
    }

    /// Runs a statement and hands on its batches, one after another.
    pub(super) async fn each_batch(
        &self,
        stage: &'static str,
        statement: &str,
        mut take: impl FnMut(&RecordBatch) -> Result<()>,
    ) -> Result<()> {
        let fail = CorpusError::in_stage(stage);
        let rows = self.context.sql(statement).await.map_err(&fail)?;
        let mut batches = rows.execute_stream().await.map_err(&fail)?;
        while let Some(batch) = batches.try_next().await.map_err(&fail)? {
            take(&batch)?;
        }
        Ok(())
    }

    /// From here on the units of the source stay apart, each a partition of its own.
    pub(super) async fn keep_units_apart(&self) -> Result<()> {
        self.set("optimizer.enable_round_robin_repartition", false).await
    }

    /// Changes a setting of the engine.
    pub(super) async fn set(&self, name: &str, value: impl std::fmt::Display) -> Result<()> {
        let fail = CorpusError::in_stage("session");
        let settled = self.context.sql(&format!("SET datafusion.{name} = {value}")).await.map_err(&fail)?;
        settled.collect().await.map(drop).map_err(fail)
    }
}

fn folder_url(folder: &Location) -> String {
    format!("{}/", folder.url().as_str().trim_end_matches('/'))
}

/// The rows that the engine says to have written.
fn rows_of(written: &[RecordBatch]) -> u64 {
    let count = |batch: &RecordBatch| {
        batch.column(0).as_primitive_opt::<UInt64Type>().and_then(arrow::compute::sum).unwrap_or_default()
    };
    written.iter().map(count).sum()
}
