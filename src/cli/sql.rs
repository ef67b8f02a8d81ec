//! `plainsight sql`.

use std::sync::Arc;

use clap::{Args, ValueEnum};
use datafusion::arrow::util::pretty::pretty_format_batches;
use futures::TryStreamExt;

use super::arguments::{DeidentifyArguments, PolicyArguments, available_workers, memory_size};
use crate::corpus::schema::Preset;
use crate::corpus::{CorpusError, Result, limited_session};

#[derive(Debug, Args)]
pub(super) struct SqlArguments {
    /// The statement; files and folders can be named in FROM: SELECT * FROM 'notes/part.parquet'
    #[arg(short = 'c', long = "command", value_name = "QUERY")]
    query: String,
    /// How rows are printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    deidentify: DeidentifyArguments,
    #[command(flatten)]
    policy: PolicyArguments,
    /// How many workers [default: one a processor]
    #[arg(long, value_name = "N")]
    partitions: Option<usize>,
    /// How much memory the engine may hold before it writes to disk: 512MiB, 2GiB [default: as much as it wants]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    memory: Option<u64>,
}

#[derive(Debug, Clone, Copy, ValueEnum, Default)]
enum Format {
    /// A table for people
    #[default]
    Table,
    /// One JSON object a line
    Json,
}

pub(super) async fn sql(arguments: SqlArguments) -> Result<()> {
    let deidentifier = arguments.deidentify.deidentifier(Some(&arguments.policy), Preset::Plainsight).await?;
    let partitions = arguments.partitions.unwrap_or_else(available_workers);
    let context = limited_session(&Arc::new(deidentifier), partitions, arguments.memory, None)?;
    let fail = CorpusError::in_stage("sql");
    let result = context.sql(&arguments.query).await.map_err(&fail)?;
    match arguments.format {
        Format::Table => {
            let schema = Arc::new(result.schema().as_arrow().clone());
            let mut batches = result.collect().await.map_err(&fail)?;
            if batches.is_empty() {
                batches.push(datafusion::arrow::array::RecordBatch::new_empty(schema));
            }
            super::print(format!("{}\n", pretty_format_batches(&batches).map_err(|error| fail(error.into()))?))
        }
        Format::Json => {
            let mut batches = result.execute_stream().await.map_err(&fail)?;
            while let Some(batch) = batches.try_next().await.map_err(&fail)? {
                let mut writer = datafusion::arrow::json::LineDelimitedWriter::new(Vec::new());
                writer.write(&batch).and_then(|()| writer.finish()).map_err(|error| fail(error.into()))?;
                super::print(String::from_utf8_lossy(&writer.into_inner()))?;
            }
            Ok(())
        }
    }
}
