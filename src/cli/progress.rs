//! Progress on standard error: a bar for each stage on a terminal, a line for each otherwise, JSON lines for schedulers.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::corpus::progress::{Meter, Observer};
use crate::corpus::{is_stopped, upkeep};

/// How progress and messages are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Default)]
pub(super) enum LogFormat {
    /// Bars on a terminal, lines otherwise
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

/// How often a stage that runs on is reported where there is no terminal.
const EVERY: Duration = Duration::from_secs(10);

/// What is said of a stage that has ended well.
const DONE: &str = "done";

/// How much is told: the variable `PLAINSIGHT_LOG` is off, error, warn, info (the default), debug or trace.
fn level() -> LevelFilter {
    std::env::var("PLAINSIGHT_LOG").ok().and_then(|level| level.parse().ok()).unwrap_or(LevelFilter::INFO)
}

/// Sends plainsight's own log records to standard error where they are wanted as JSON; for people, progress is written as
/// lines. Records of the libraries underneath are left out: they show statements, which may hold names.
pub(super) fn start_log(format: LogFormat) {
    if format == LogFormat::Json {
        let filter = EnvFilter::new(format!("plainsight={}", level()));
        // A record that cannot be written is no reason to write another: standard error may be closed.
        let builder =
            tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).log_internal_errors(false);
        // A second start, as in tests, keeps the first.
        let _ = builder.json().flatten_event(true).with_target(false).try_init();
    }
}

/// Says how many templates are not used, if any.
pub(super) fn warn_of_templates(unused: usize) {
    if unused == 0 {
        return;
    }
    warn(&format!("{unused} templates have slots for words that the policy keeps; the detectors read those sentences"));
}

/// Says what does not stop the program, and should be known.
pub(super) fn warn(text: &str) {
    match tracing::dispatcher::has_been_set() {
        true => tracing::warn!("{text}"),
        false => line(text),
    }
}

/// Shows how far a job is.
pub(super) struct Progress {
    format: LogFormat,
    bars: bool,
    current: Mutex<Option<Stage>>,
}

struct Stage {
    name: &'static str,
    meter: Meter,
    begun: Instant,
    bar: Option<ProgressBar>,
    watcher: tokio::task::JoinHandle<()>,
}

impl Progress {
    pub(super) fn new(format: LogFormat) -> Self {
        let bars = format == LogFormat::Text && level() >= LevelFilter::INFO && std::io::stderr().is_terminal();
        Self { format, bars, current: Mutex::default() }
    }

    /// Says something between stages.
    pub(super) fn message(&self, text: &str) {
        match self.format {
            LogFormat::Json => tracing::info!("{text}"),
            LogFormat::Text => line(text),
        }
    }

    /// Says how the stage under way, if there is one, has come to its end.
    fn over(&self, state: &'static str) {
        let Some(ended) = self.current.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        ended.watcher.abort();
        match ended.bar {
            Some(bar) if state == DONE => {
                show(&bar, &ended.meter, ended.begun);
                bar.finish();
            }
            Some(bar) => bar.abandon_with_message(state),
            None => log(self.format, ended.name, state, None, &ended.meter, ended.begun),
        }
    }
}

impl Observer for Progress {
    fn begin(&self, stage: &'static str, rows: Option<u64>, meter: &Meter) {
        let begun = Instant::now();
        let bar = self.bars.then(|| bar(stage, rows));
        let watcher = match &bar {
            Some(bar) => upkeep().spawn(draw(bar.clone(), meter.clone(), begun)),
            None => upkeep().spawn(tell(self.format, stage, rows, meter.clone(), begun)),
        };
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Stage { name: stage, meter: meter.clone(), begun, bar, watcher });
    }

    fn end(&self, _stage: &'static str) {
        self.over(DONE);
    }
}

impl Drop for Progress {
    /// A stage that is still under way when the job is over has not ended well.
    fn drop(&mut self) {
        self.over(if is_stopped() { "stopped" } else { "failed" });
    }
}

fn bar(stage: &'static str, rows: Option<u64>) -> ProgressBar {
    let (bar, template) = match rows {
        Some(rows) => (ProgressBar::new(rows), "{prefix:>10} [{bar:30}] {human_pos}/{human_len} rows {msg} ETA {eta}"),
        None => (ProgressBar::new_spinner(), "{prefix:>10} {spinner} {human_pos} rows {msg}"),
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_prefix(stage)
}

fn show(bar: &ProgressBar, meter: &Meter, begun: Instant) {
    bar.set_position(meter.rows());
    bar.set_message(format!("{:.1} MB/s", rate(meter.bytes(), begun) / 1e6));
}

fn rate(count: u64, begun: Instant) -> f64 {
    count as f64 / begun.elapsed().as_secs_f64().max(1e-9)
}

async fn draw(bar: ProgressBar, meter: Meter, begun: Instant) {
    loop {
        show(&bar, &meter, begun);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn tell(format: LogFormat, stage: &'static str, rows: Option<u64>, meter: Meter, begun: Instant) {
    loop {
        tokio::time::sleep(EVERY).await;
        log(format, stage, "running", rows, &meter, begun);
    }
}

fn log(format: LogFormat, stage: &'static str, state: &'static str, of: Option<u64>, meter: &Meter, begun: Instant) {
    let (rows, seconds) = (meter.rows(), begun.elapsed().as_secs_f64());
    let megabytes_per_second = rate(meter.bytes(), begun) / 1e6;
    let eta_seconds = of.filter(|_| rows > 0).map(|of| seconds * of.saturating_sub(rows) as f64 / rows as f64);
    match format {
        LogFormat::Json => tracing::info!(stage, state, rows, of, seconds, megabytes_per_second, eta_seconds, "stage"),
        LogFormat::Text => {
            let of = of.map(|of| format!(" of {of}")).unwrap_or_default();
            let eta = eta_seconds.map(|eta| format!(", ETA {eta:.0} s")).unwrap_or_default();
            line(&format!("{stage}: {state}, {rows}{of} rows, {megabytes_per_second:.1} MB/s, {seconds:.1} s{eta}"));
        }
    }
}

/// A plain line; standard error may be closed, and the job goes on all the same.
fn line(text: &str) {
    if level() < LevelFilter::INFO {
        return;
    }
    let _ = writeln!(std::io::stderr(), "{text}");
}
