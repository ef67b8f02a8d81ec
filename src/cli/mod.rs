//! The command line: one file a subcommand, each parses, calls the corpus room, and prints.
//!
//! ```text
//! plainsight generate | count | run | detect | evaluate | train | inclusion | templates | sql | explain | key | reveal | doctor
//! ```
//!
//! Data and reports go to standard output, everything else to standard error. Exit codes: 0 done, 1 the run failed, 2 a usage
//! mistake, 130 and 143 ended by SIGINT and SIGTERM.

mod arguments;
mod count;
mod detect;
mod doctor;
mod evaluate;
mod explain;
mod generate;
mod inclusion;
mod inclusion_build;
mod key;
mod progress;
mod reveal;
mod run;
mod sql;
mod templates;
mod train;

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

use crate::corpus::{CorpusError, Result};
use progress::LogFormat;

#[derive(Parser)]
#[command(name = "plainsight", version, about, max_term_width = 100)]
/// Offline, corpus-scale de-identification of clinical notes.
struct Arguments {
    /// How progress and messages are written to standard error: bars or lines for people, or JSON lines for schedulers
    #[arg(long, global = true, value_enum, default_value_t)]
    log_format: LogFormat,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// De-identify notes: Parquet or JSON Lines in, the same rows and layout out
    Run(run::RunArguments),
    /// Find identifiers and write their spans, without replacing them
    Detect(detect::DetectArguments),
    /// Tell how a corpus repeats itself: the share of the commonest sentences, and whether new ones still come
    Count(count::CountArguments),
    /// Compare predicted spans with gold ones: precision, recall, F1
    Evaluate(evaluate::EvaluateArguments),
    /// Train a detector from annotated notes, and see what notes and features are worth
    Train(train::TrainArguments),
    /// Decide which sentences no detector needs to see: review, approve, merge, compare lists
    Inclusion(inclusion::InclusionArguments),
    /// Make templates of what has one fixed shape, check and count them
    Templates(templates::TemplatesArguments),
    /// Ask in SQL, with plainsight's functions, over files in FROM
    Sql(sql::SqlArguments),
    /// Show the statements of which a run is made
    Explain(explain::ExplainArguments),
    /// Make a synthetic note warehouse with gold spans
    Generate(generate::GenerateArguments),
    /// Make a key, or check one
    Key(key::KeyArguments),
    /// Tell what a surrogate stands for, to those who have the key
    Reveal(reveal::RevealArguments),
    /// Tell which detectors, models and runtime this machine would use, and how to get a faster one
    Doctor(doctor::DoctorArguments),
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    progress::start_log(arguments.log_format);
    silence_panics();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            return fail(&CorpusError::Accounting { reason: format!("no threads can be started: {error}") });
        }
    };
    let code = runtime.block_on(async {
        tokio::select! {
            result = dispatch(arguments) => result.map_or_else(|error| fail(&error), |()| ExitCode::SUCCESS),
            // What is under way is dropped, and clears up after itself.
            code = signalled() => ExitCode::from(code),
        }
    });
    runtime.shutdown_timeout(Duration::from_secs(5));
    crate::corpus::clear_abandoned();
    code
}

/// Waits for the signals that ask a process to end; gives the exit code that says so.
async fn signalled() -> u8 {
    const INTERRUPTED: u8 = 130;
    const TERMINATED: u8 = 143;
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        return tokio::select! {
            _ = terminate.recv() => TERMINATED,
            _ = tokio::signal::ctrl_c() => INTERRUPTED,
        };
    }
    let _ = tokio::signal::ctrl_c().await;
    INTERRUPTED
}

/// A panic's own message may quote the text at hand: only its place is told.
fn silence_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(std::io::stderr(), "error: a fault in plainsight at {place}; please report it");
    }));
}

async fn dispatch(arguments: Arguments) -> Result<()> {
    let log_format = arguments.log_format;
    match arguments.command {
        Command::Run(arguments) => run::run(arguments, log_format).await,
        Command::Detect(arguments) => detect::detect(arguments, log_format).await,
        Command::Count(arguments) => count::count(arguments, log_format).await,
        Command::Evaluate(arguments) => evaluate::evaluate(arguments).await,
        Command::Train(arguments) => train::train(arguments, log_format).await,
        Command::Inclusion(arguments) => inclusion::inclusion(arguments, log_format).await,
        Command::Templates(arguments) => templates::templates(arguments, log_format).await,
        Command::Sql(arguments) => sql::sql(arguments).await,
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Generate(arguments) => generate::generate(arguments, log_format).await,
        Command::Key(arguments) => key::key(arguments),
        Command::Reveal(arguments) => reveal::reveal(&arguments),
        Command::Doctor(arguments) => doctor::doctor(&arguments),
    }
}

/// Runs what waits for a person apart, so that signals are heard meanwhile.
async fn waiting(command: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
    let stopped = |_| CorpusError::Accounting { reason: "the command has stopped by a fault of its own".to_owned() };
    tokio::task::spawn_blocking(command).await.map_err(stopped)?
}

fn fail(error: &CorpusError) -> ExitCode {
    // Standard error may be closed; the exit code says it all the same.
    let _ = writeln!(std::io::stderr(), "error: {error}");
    if error.is_usage() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Writes to standard output; a reader that has gone away is no failure.
fn print(text: impl std::fmt::Display) -> Result<()> {
    match write!(std::io::stdout(), "{text}").and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(CorpusError::output("standard output", error))
        }
        _ => Ok(()),
    }
}
