//! The command line: one file a subcommand, each parses, calls the corpus room, and prints.
//!
//! ```text
//! plainsight run | detect | verify | status | clean | count | evaluate | train | inclusion | templates | sql | serve | explain | …
//! ```
//!
//! Data and reports go to standard output, everything else to standard error. Exit codes: 0 done,
//! 1 failed, 2 a usage mistake, 3 nothing to do, 75 a temporary fault, 130 and 143 ended by SIGINT and SIGTERM.

mod access;
mod arguments;
mod ceiling;
mod cluster;
mod config;
mod count;
mod detect;
mod doctor;
mod evaluate;
mod explain;
mod generate;
mod inclusion;
mod inclusion_build;
mod key;
mod metrics;
mod progress;
mod reveal;
mod run;
mod serve;
mod session;
mod signals;
mod sql;
mod status;
mod templates;
mod train;
mod verify;
mod whole_file;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::corpus::{CorpusError, Result, is_awaited, is_stopped};
use metrics::Metrics;
use progress::LogFormat;

/// The stack of a thread, in bytes: the engine goes as deep into a condition as that has parts.
const STACK: usize = 16 << 20;
/// What the help of the program says of flags.
const ELSEWHERE: &str = "Every flag that has a long name can also be given by an environment variable (--key-file by \
    PLAINSIGHT_KEY_FILE) or in the file of --config; `plainsight config show` tells what holds.";

#[derive(Parser)]
#[command(name = "plainsight", version, about, max_term_width = 100, after_long_help = ELSEWHERE)]
/// Offline, corpus-scale de-identification of clinical notes.
struct Arguments {
    /// How progress and messages are written to standard error: bars or lines for people, or JSON lines for schedulers
    #[arg(long, global = true, value_enum, default_value_t)]
    log_format: LogFormat,
    /// Flags in a TOML file: a table for each subcommand, and [defaults] for all. What the command line or the environment says
    /// counts more
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Write how the job is to this file, in the text format of Prometheus, every ten seconds and at the end
    #[arg(long, global = true, value_name = "FILE")]
    metrics: Option<PathBuf>,
    /// The name of the job in --metrics: its label `job`
    #[arg(long, global = true, value_name = "NAME", default_value = "plainsight", value_parser = metrics::job_name)]
    metrics_job: String,
    /// The most memory that the whole process may hold, such as 16GiB, files that are mapped left out; it ends with an error before the system
    /// ends it without one [default: nine tenths of the memory of the container or machine]
    #[arg(long, global = true, value_name = "SIZE", value_parser = arguments::memory_size)]
    most_memory: Option<u64>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// De-identify notes: Parquet, JSON Lines or text in, the same rows and layout out
    Run(run::RunArguments),
    /// Tell how the output of a run stands: vacant, foreign, running, interrupted, whole or damaged
    Status(status::StatusArguments),
    /// Remove what dead runs have left: unfinished outputs, files that no manifest names, work locations
    Clean(status::CleanArguments),
    /// Check an output against its notes, independently of the run that made it
    Verify(verify::VerifyArguments),
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
    /// Answer SQL over the network, by Arrow Flight SQL: de-identified views, and the notes for those who may see them
    Serve(serve::ServeArguments),
    /// Compute for others: be the scheduler or an executor of a cluster, on which `sql`, `serve` and `run` compute with --cluster
    Cluster(cluster::ClusterCommand),
    /// Say who may ask `serve`: passwords and tokens
    Access(access::AccessArguments),
    /// Show the statements of which a run is made
    Explain(explain::ExplainArguments),
    /// Make a synthetic note warehouse with gold spans
    Generate(generate::GenerateArguments),
    /// Make a key, or check one
    Key(key::KeyArguments),
    /// Tell what a surrogate stands for, to those who have the key
    Reveal(reveal::RevealArguments),
    /// Tell what environment and configuration file make of the flags
    Config(config::show::ConfigArguments),
    /// Tell which detectors, models and runtime this machine would use, and how to get a faster one
    Doctor(doctor::DoctorArguments),
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    // Builds of ONNX Runtime report their use over the network unless they are told not to; nothing here may.
    // SAFETY: no other thread has begun yet.
    unsafe { std::env::set_var("ORT_DISABLE_TELEMETRY", "1") };
    crate::corpus::keep_heaps_few();
    let (arguments, set_aside) = match parsed() {
        Ok(parsed) => parsed,
        Err(error) => {
            warn_of_variables();
            return ExitCode::from(fail(&error));
        }
    };
    progress::start_log(arguments.log_format);
    warn_of_variables();
    set_aside.iter().for_each(|message| progress::warn(message));
    silence_panics();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK).build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            return ExitCode::from(fail(&CorpusError::internal(format!("no threads can be started: {error}"))));
        }
    };
    let code = runtime.block_on(measured(arguments));
    runtime.shutdown_timeout(Duration::from_secs(1));
    crate::corpus::clear_abandoned();
    ExitCode::from(code)
}

/// The arguments of this process, completed by environment and file, and messages on what of those gave way.
fn parsed() -> Result<(Arguments, Vec<String>)> {
    let mut command = Arguments::command();
    let layered = match config::layered(command.clone(), std::env::args_os().collect(), &environment) {
        Ok(layered) => layered,
        Err(config::Refused::CommandLine(error)) => {
            // What is missing may stand in a variable that is misspelt; help is no mistake.
            if error.use_stderr() {
                warn_of_variables();
            }
            error.exit()
        }
        Err(config::Refused::Configuration(error)) => return Err(error),
    };
    let arguments = Arguments::from_arg_matches(&layered.matches);
    let arguments = arguments.unwrap_or_else(|error| error.format(&mut command).exit());
    if let Some(file) = &arguments.metrics {
        metrics::check_apart(file, &layered.matches)?;
    }
    Ok((arguments, layered.set_aside))
}

fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Says which variables are named as ours are and are not known. An empty one says nothing anyway.
fn warn_of_variables() {
    let given = std::env::vars_os().filter(|(_, value)| !value.is_empty());
    let names = given.map(|(name, _)| name.to_string_lossy().into_owned());
    config::unknown_variables(&Arguments::command(), names).iter().for_each(|message| progress::warn(message));
}

/// Does what is asked for, and writes metrics meanwhile where they are; gives the exit code.
async fn measured(mut arguments: Arguments) -> u8 {
    let metrics = match Metrics::start(arguments.metrics.take(), std::mem::take(&mut arguments.metrics_job)) {
        Ok(metrics) => metrics,
        Err(error) => return fail(&error),
    };
    let code = until_signalled(arguments, &metrics).await;
    if let Err(error) = metrics.end(code) {
        progress::warn(&error.to_string());
    }
    code
}

async fn until_signalled(arguments: Arguments, metrics: &Metrics) -> u8 {
    signals::outlive_limits_of_files();
    let asked = signals::asked_to_end();
    ceiling::watch(arguments.most_memory);
    let work = dispatch(arguments, metrics);
    tokio::pin!(asked, work);
    tokio::select! {
        biased;
        code = &mut asked => {
            if is_awaited() {
                // What a run has in hand is put down; whatever takes longer is dropped.
                if let Ok(Err(error)) = tokio::time::timeout(signals::GRACE, &mut work).await {
                    fail(&error);
                }
            }
            code
        }
        result = &mut work => match result {
            // The signal came while the work was looked after: the work heard of it first.
            Err(error) if is_stopped() => {
                fail(&error);
                asked.await
            }
            result => finished(result),
        },
    }
}

/// How a command has ended that has not failed.
enum Outcome {
    /// It did what it was asked for.
    Done,
    /// There was nothing to do, and the user wants to be told by the exit code.
    NothingToDo,
    /// What was checked is not as it should be; the report says so.
    NotClean,
}

fn finished(result: Result<Outcome>) -> u8 {
    match result {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::NothingToDo) => 3,
        Ok(Outcome::NotClean) => 1,
        Err(error) => fail(&error),
    }
}

/// A panic's own message may quote the text at hand: only its place is told.
fn silence_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(std::io::stderr(), "error: a fault in plainsight at {place}; please report it");
    }));
}

async fn dispatch(arguments: Arguments, metrics: &Metrics) -> Result<Outcome> {
    let log_format = arguments.log_format;
    match arguments.command {
        Command::Run(arguments) => return run::run(arguments, log_format, metrics).await,
        Command::Verify(arguments) => return verify::verify(arguments).await,
        Command::Status(arguments) => status::tell(arguments).await,
        Command::Clean(arguments) => status::remove(arguments).await,
        Command::Detect(arguments) => detect::detect(arguments, log_format, metrics).await,
        Command::Count(arguments) => count::count(arguments, log_format).await,
        Command::Evaluate(arguments) => evaluate::evaluate(arguments).await,
        Command::Train(arguments) => train::train(arguments, log_format).await,
        Command::Inclusion(arguments) => inclusion::inclusion(arguments, log_format).await,
        Command::Templates(arguments) => templates::templates(arguments, log_format).await,
        Command::Sql(arguments) => sql::sql(arguments).await,
        Command::Serve(arguments) => serve::serve(arguments).await,
        Command::Cluster(command) => cluster::cluster(command).await,
        Command::Access(arguments) => access::access(arguments).await,
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Generate(arguments) => generate::generate(arguments, log_format).await,
        Command::Key(arguments) => key::key(arguments),
        Command::Reveal(arguments) => reveal::reveal(&arguments),
        Command::Config(chosen) => {
            config::show::config(chosen, Arguments::command(), arguments.config, &environment).and_then(print)
        }
        Command::Doctor(arguments) => doctor::doctor(&arguments),
    }
    .map(|()| Outcome::Done)
}

/// Runs what waits for a person apart, so that signals are heard meanwhile.
async fn waiting(command: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
    let stopped = |_| CorpusError::internal("the command has ended early");
    tokio::task::spawn_blocking(command).await.map_err(stopped)?
}

/// Tells why the program ends, and with which exit code.
fn fail(error: &CorpusError) -> u8 {
    // Standard error may be closed; the exit code says it all the same.
    let _ = writeln!(std::io::stderr(), "error: {error}");
    match error {
        _ if error.is_usage() => 2,
        _ if error.is_temporary() => 75,
        _ => 1,
    }
}

/// From now on, only the user can read what this process writes.
fn keep_files_private() {
    #[cfg(unix)]
    // SAFETY: `umask` has no conditions.
    unsafe {
        libc::umask(0o077);
    }
}

/// Tells on standard output what was asked for; see [`put`].
fn print(text: impl std::fmt::Display) -> Result<()> {
    put(text.to_string().as_bytes())
}

/// Writes to standard output; a reader that has gone away is no failure.
fn put(bytes: &[u8]) -> Result<()> {
    match std::io::stdout().write_all(bytes).and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(CorpusError::output("standard output", error))
        }
        _ => Ok(()),
    }
}
