//! `plainsight sql`: statements from the command line, a file, standard input, or a person.
//!
//! ```text
//! plainsight sql -c "SET …; SELECT …"     plainsight sql -f report.sql --format csv > report.csv     plainsight sql
//! ```

mod copy;
mod formats;
mod held;
mod names;
mod options;
mod output;
mod person;
mod shell;

use std::io::{IsTerminal, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::DFParser;
use futures::TryStreamExt;

use super::arguments::{memory_size, workers};
use super::cluster::RemoteArguments;
use super::session::SessionArguments;
use super::signals::LeftInterrupts;
use crate::corpus::evaluation::refuse_overwriting;
use crate::corpus::source::discover;
use crate::corpus::{
    CorpusError, Location, Place, Result, limited_session, passed_over, register_notes, register_shared, register_work,
    upgraded_session,
};
use copy::{Copied, ReadByFlags, refuse_managed_places, refuse_places_of_the_session};
use formats::refuse_unknown_format;
use names::without_files;
use options::refuse_options_twice;
use output::{Format, Writer};
use person::Session;
use shell::history_place;

pub(super) use shell::restore_terminal;

#[derive(Debug, Args)]
pub(super) struct SqlArguments {
    /// Statements, with `;` between them; files and folders can be named in FROM: SELECT * FROM 'notes/part.parquet'
    #[arg(short = 'c', long = "command", value_name = "STATEMENTS", allow_hyphen_values = true)]
    command: Option<String>,
    /// A file of statements; `-` is standard input, which is read too where neither this nor --command is given and nobody types
    #[arg(short = 'f', long = "file", value_name = "FILE", conflicts_with = "command")]
    file: Option<PathBuf>,
    /// Notes, to be had as the tables `notes` and `documents` that the stages of a run read
    #[arg(long, value_name = "URI")]
    notes: Option<String>,
    /// What a run has kept at its --work: its tables `counts`, `sentences`, `claims`, `second_pass`, and the functions that look up what it
    /// has indexed
    #[arg(long, value_name = "DIR", conflicts_with = "cluster")]
    work: Option<String>,
    #[command(flatten)]
    session: SessionArguments,
    /// How rows are written to standard output
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Where the shell keeps what was typed, which may name patients: readable by its owner only; an empty name keeps nothing
    /// [default: plainsight/history below $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, value_name = "FILE")]
    history: Option<String>,
    /// How many workers [default: one a processor]
    #[arg(long, value_name = "N")]
    partitions: Option<NonZeroUsize>,
    /// How much memory the engine may hold before it writes to disk: 512MiB, 2GiB [default: as much as it wants]
    #[arg(long, value_name = "SIZE", value_parser = memory_size, conflicts_with = "cluster")]
    memory: Option<u64>,
    #[command(flatten)]
    remote: RemoteArguments,
}

pub(super) async fn sql(arguments: SqlArguments) -> Result<()> {
    // What COPY writes may be notes.
    crate::cli::keep_files_private();
    let statements = match (&arguments.command, &arguments.file) {
        (Some(command), _) => command.clone(),
        (None, Some(file)) => read(file)?,
        (None, None) if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() => {
            return converse(arguments).await;
        }
        (None, None) => read(Path::new("-"))?,
    };
    let context = arguments.session().await?;
    run(&context, &statements, arguments.format).await
}

/// Opens the shell.
async fn converse(arguments: SqlArguments) -> Result<()> {
    let context = arguments.session().await?;
    let mut session = Session { context, runtime: tokio::runtime::Handle::current() };
    let history = match arguments.history {
        Some(file) => Some(PathBuf::from(file)).filter(|file| !file.as_os_str().is_empty()),
        None => history_place(|name| std::env::var_os(name)),
    };
    if let Some(file) = &history {
        refuse_overwriting(&[("--history", Location::parse(&file.to_string_lossy())?)], &[], &[])?;
    }
    let _left = LeftInterrupts::leave();
    let opened = move || {
        shell::open(&mut session, arguments.format, history.as_deref())
            .map_err(|error| CorpusError::input("the terminal", error))
    };
    super::waiting(opened).await
}

impl SqlArguments {
    /// The session in which statements run.
    async fn session(&self) -> Result<SessionContext> {
        let deidentifier = Arc::new(self.session.deidentifier(None).await?);
        let partitions = workers(self.partitions);
        let work = self.work.as_deref().map(Location::parse).transpose()?;
        let cluster = self.remote.cluster().await?;
        let context = match &cluster {
            Some(cluster) => {
                upgraded_session(&deidentifier, partitions, &|state| cluster.upgrade(state, &deidentifier))?
            }
            None => limited_session(&deidentifier, partitions, self.memory, work.as_ref())?,
        };
        if let Some(notes) = &self.notes {
            let (notes, columns) = (Location::parse(notes)?, self.session.columns.options()?);
            match &cluster {
                Some(_) => {
                    let source = discover(&notes, &columns).await?;
                    register_shared(&context, &source, &Place::of(&notes, &[]), &columns, partitions)?;
                }
                None => register_notes(&context, &notes, &columns, partitions).await?,
            }
        }
        if let Some(work) = &work {
            register_work(&context, work, &deidentifier).await?;
        }
        context.state_ref().write().config_mut().set_extension(Arc::new(self.read_by_flags(work)?));
        Ok(context)
    }

    /// What no statement may write over, or into.
    fn read_by_flags(&self, work: Option<Location>) -> Result<ReadByFlags> {
        let mut inputs = self.session.inputs()?;
        if let Some(notes) = &self.notes {
            inputs.push(("--notes", Location::parse(notes)?));
        }
        inputs.extend(work.map(|work| ("--work", work)));
        Ok(ReadByFlags(inputs))
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
    // Some editors begin a file with a mark.
    let read = read.map(|text| text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text));
    read.map_err(|error| CorpusError::input(file.to_string_lossy(), error))
}

/// Runs statements one after another, none before all are understood, and writes the rows of those that give some.
async fn run(context: &SessionContext, statements: &str, format: Format) -> Result<()> {
    let fail = CorpusError::in_stage("sql");
    let mut writer = Writer::new(format)?;
    let statements = DFParser::parse_sql(statements).map_err(&fail)?;
    if statements.is_empty() {
        return Err(CorpusError::configuration(
            "there is no statement",
            "give one by --command, --file or standard input",
        ));
    }
    statements.iter().try_for_each(refuse_options_twice)?;
    let state = context.state();
    statements.iter().try_for_each(|statement| refuse_unknown_format(&state, statement))?;
    if let Some(clause) = statements.iter().find_map(|statement| passed_over(&state, statement)) {
        return Err(CorpusError::configuration(
            format!("{clause} has no effect in this engine"),
            "write the statement without it; WHERE, LIMIT and GROUP BY ROLLUP (…) have one",
        ));
    }
    for statement in statements {
        let plan = context.state().statement_to_plan(statement).await.map_err(&fail)?;
        refuse_places_of_the_session(context, &plan)?;
        refuse_managed_places(&plan).await?;
        let (plan, copied) = Copied::aside(context, without_files(context, plan)?)?;
        let rows = context.execute_logical_plan(plan).await.map_err(&fail)?;
        // What only changes the session gives rows without columns.
        let says = !rows.schema().fields().is_empty();
        let batches = rows.execute_stream().await.map_err(&fail)?;
        let Some(copied) = copied else {
            writer.write(batches, says).await?;
            continue;
        };
        // How much was copied is said when it is in its place.
        let schema = batches.schema();
        match batches.try_collect::<Vec<_>>().await {
            Ok(told) => {
                copied.put().await?;
                let told = futures::stream::iter(told.into_iter().map(Ok));
                writer.write(Box::pin(RecordBatchStreamAdapter::new(schema, told)), says).await?;
            }
            Err(error) => {
                copied.give_up().await;
                return Err(CorpusError::in_running("sql")(error));
            }
        }
    }
    writer.finish()
}
