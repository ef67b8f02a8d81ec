//! `plainsight sql`: statements from the command line, a file, standard input, or a person.
//!
//! ```text
//! plainsight sql -c "SET …; SELECT …"     plainsight sql -f report.sql --format csv > report.csv     plainsight sql
//! ```

mod output;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::DFParser;

use super::arguments::{
    ColumnArguments, DeidentifyArguments, PolicyArguments, available_workers, context_mode, memory_size,
};
use crate::corpus::{CorpusError, Location, Result, limited_session, register_notes, register_work};
use crate::text::ContextMode;
use output::{Format, Writer};

#[derive(Debug, Args)]
pub(super) struct SqlArguments {
    /// Statements, with `;` between them; files and folders can be named in FROM: SELECT * FROM 'notes/part.parquet'
    #[arg(short = 'c', long = "command", value_name = "STATEMENTS")]
    command: Option<String>,
    /// A file of statements; `-` is standard input, which is read too where neither this nor --command is given and nobody types
    #[arg(short = 'f', long = "file", value_name = "FILE", conflicts_with = "command")]
    file: Option<PathBuf>,
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
    /// How rows are written to standard output
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

pub(super) async fn sql(arguments: SqlArguments) -> Result<()> {
    let statements = match (&arguments.command, &arguments.file) {
        (Some(command), _) => command.clone(),
        (None, Some(file)) => read(file)?,
        (None, None) => read(Path::new("-"))?,
    };
    let context = arguments.session().await?;
    run(&context, &statements, arguments.format).await
}

impl SqlArguments {
    /// The session in which statements run.
    async fn session(&self) -> Result<SessionContext> {
        let (preset, policy) = (self.columns.preset(), Some(&self.policy));
        let deidentifier = Arc::new(self.deidentify.deidentifier(policy, preset, self.context).await?);
        let partitions = self.partitions.unwrap_or_else(available_workers);
        let work = self.work.as_deref().map(Location::parse).transpose()?;
        let context = limited_session(&deidentifier, partitions, self.memory, work.as_ref())?;
        if let Some(notes) = &self.notes {
            register_notes(&context, &Location::parse(notes)?, &self.columns.options()?, partitions).await?;
        }
        if let Some(work) = &work {
            register_work(&context, work, &deidentifier).await?;
        }
        Ok(context)
    }
}

/// The text of a file, or of standard input.
fn read(file: &Path) -> Result<String> {
    let read = match file.to_str() {
        Some("-") => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        }
        _ => std::fs::read_to_string(file),
    };
    read.map_err(|error| CorpusError::input(file.to_string_lossy(), error))
}

/// Runs statements one after another, none before all are understood, and writes the rows of those that give some.
async fn run(context: &SessionContext, statements: &str, format: Format) -> Result<()> {
    let fail = CorpusError::in_stage("sql");
    let mut writer = Writer::new(format)?;
    for statement in DFParser::parse_sql(statements).map_err(&fail)? {
        let plan = context.state().statement_to_plan(statement).await.map_err(&fail)?;
        let rows = context.execute_logical_plan(plan).await.map_err(&fail)?;
        // What only changes the session gives rows without columns.
        let says = !rows.schema().fields().is_empty();
        let batches = rows.execute_stream().await.map_err(&fail)?;
        writer.write(batches, says).await?;
    }
    writer.finish()
}
