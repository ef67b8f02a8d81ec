//! `plainsight sql`.

use std::sync::Arc;

use clap::{Args, ValueEnum};
use datafusion::arrow::util::pretty::pretty_format_batches;
use futures::TryStreamExt;

use super::arguments::{
    ColumnArguments, DeidentifyArguments, PolicyArguments, available_workers, context_mode, memory_size,
};
use crate::corpus::{CorpusError, Location, Result, limited_session, register_notes, register_work};
use crate::text::ContextMode;

#[derive(Debug, Args)]
pub(super) struct SqlArguments {
    /// The statement; files and folders can be named in FROM: SELECT * FROM 'notes/part.parquet'
    #[arg(short = 'c', long = "command", value_name = "QUERY")]
    query: String,
    /// Notes, to be had as the tables `notes` and `documents` that the stages of a run read
    #[arg(long, value_name = "URI")]
    notes: Option<String>,
    /// What a run has kept at its --work: its tables `counts`, `sentences`, `claims`, `second_pass`, and the functions that look up what it
    /// has indexed
    #[arg(long, value_name = "DIR")]
    work: Option<String>,
    /// What joins the key of a sentence of up to four words, as in `run`: none, short or around
    #[arg(long, value_name = "none|short|around", default_value = "short", value_parser = context_mode)]
    context: ContextMode,
    #[command(flatten)]
    columns: ColumnArguments,
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
    let deidentifier = arguments
        .deidentify
        .deidentifier(Some(&arguments.policy), arguments.columns.preset(), arguments.context)
        .await?;
    let partitions = arguments.partitions.unwrap_or_else(available_workers);
    let deidentifier = Arc::new(deidentifier);
    let work = arguments.work.as_deref().map(Location::parse).transpose()?;
    let context = limited_session(&deidentifier, partitions, arguments.memory, work.as_ref())?;
    let fail = CorpusError::in_stage("sql");
    if let Some(notes) = &arguments.notes {
        register_notes(&context, &Location::parse(notes)?, &arguments.columns.options()?, partitions).await?;
    }
    if let Some(work) = &work {
        register_work(&context, work, &deidentifier).await?;
    }
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
