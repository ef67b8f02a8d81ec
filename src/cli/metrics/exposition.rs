//! The text format of Prometheus (version 0.0.4, <https://prometheus.io/docs/instrumenting/exposition_formats>): for each metric its
//! help and type, then a line for each of its series.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant, SystemTime};

use super::{Figures, Stage};

/// What becomes of a job, each a series of which one is 1.
const STATES: [&str; 5] = ["running", "done", "failed", "retry", "interrupted"];

/// The lines of a file.
struct Lines<'f, 'o> {
    job: &'f str,
    formatter: &'f mut fmt::Formatter<'o>,
}

impl Lines<'_, '_> {
    /// Writes a metric, unless it has no series. `series` are the labels besides the job's, by name, and the value.
    fn metric<'l>(
        &mut self,
        (name, kind, help): (&str, &str, &str),
        series: impl IntoIterator<Item = (Option<(&'static str, &'l str)>, f64)>,
    ) -> fmt::Result {
        let mut headed = false;
        for (label, value) in series {
            if !std::mem::replace(&mut headed, true) {
                writeln!(self.formatter, "# HELP plainsight_{name} {help}\n# TYPE plainsight_{name} {kind}")?;
            }
            write!(self.formatter, "plainsight_{name}{{job=\"{}\"", escaped(self.job))?;
            if let Some((label, said)) = label {
                write!(self.formatter, ",{label}=\"{}\"", escaped(said))?;
            }
            writeln!(self.formatter, "}} {value}")?;
        }
        Ok(())
    }

    fn counts<'l>(
        &mut self,
        name: &str,
        help: &str,
        label: &'static str,
        counts: impl IntoIterator<Item = (&'l str, u64)>,
    ) -> fmt::Result {
        let series = counts.into_iter().map(|(said, count)| (Some((label, said)), count as f64));
        self.metric((name, "counter", help), series)
    }
}

/// The value of a label between its quotes.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn unix_seconds(time: SystemTime) -> f64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

/// All that is known of the stages of one name.
#[derive(Default)]
struct Sum {
    rows: u64,
    bytes: u64,
    time: Duration,
    expected: Option<u64>,
    running: bool,
}

/// A stage that begins twice is one: its figures add up.
fn sums(stages: &[Stage], now: Instant) -> BTreeMap<&'static str, Sum> {
    let mut sums: BTreeMap<&'static str, Sum> = BTreeMap::new();
    for stage in stages {
        let sum = sums.entry(stage.name).or_default();
        sum.rows += stage.meter.rows();
        sum.bytes += stage.meter.bytes();
        sum.time += stage.took.unwrap_or_else(|| now.saturating_duration_since(stage.begun));
        sum.expected = stage.rows.map(|rows| rows.saturating_add(sum.expected.unwrap_or(0))).or(sum.expected);
        sum.running |= stage.took.is_none();
    }
    sums
}

fn state(ended: Option<u8>) -> &'static str {
    match ended {
        None => "running",
        // Done, or there was nothing to do.
        Some(0 | 3) => "done",
        Some(75) => "retry",
        Some(130 | 143) => "interrupted",
        Some(_) => "failed",
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = &mut Lines { job: &self.job, formatter };
        let version = Some(("version", env!("CARGO_PKG_VERSION")));
        lines.metric(("build_info", "gauge", "The version of plainsight; always 1."), [(version, 1.0)])?;
        let start = ("start_time_seconds", "gauge", "When the job began, in seconds since 1970.");
        lines.metric(start, [(None, unix_seconds(self.started))])?;
        let end = ("end_time_seconds", "gauge", "When the job ended, in seconds since 1970; absent while it runs.");
        lines.metric(end, self.ended.map(|(time, _)| (None, unix_seconds(time))))?;
        let code = ("exit_code", "gauge", "The exit code of the job; absent while it runs.");
        lines.metric(code, self.ended.map(|(_, code)| (None, f64::from(code))))?;
        let now = state(self.ended.map(|(_, code)| code));
        let states = STATES.map(|name| (Some(("state", name)), f64::from(u8::from(name == now))));
        lines.metric(("state", "gauge", "1 for the state that the job is in."), states)?;
        let parts = [("written", self.parts.written), ("kept", self.parts.kept)];
        lines.counts("parts_total", "Finished parts of the output, written or kept from before.", "outcome", parts)?;
        self.stages(lines)?;
        self.totals(lines)
    }
}

impl Figures {
    fn stages(&self, lines: &mut Lines<'_, '_>) -> fmt::Result {
        // What ran when the job ended runs no more.
        let sums = sums(&self.stages, Instant::now());
        let each = |value: fn(&Sum) -> f64| sums.iter().map(move |(name, sum)| (Some(("stage", *name)), value(sum)));
        let rows = ("stage_rows_total", "counter", "Rows that the stage has read.");
        lines.metric(rows, each(|sum| sum.rows as f64))?;
        let bytes = ("stage_text_bytes_total", "counter", "Bytes of text that the stage has read.");
        lines.metric(bytes, each(|sum| sum.bytes as f64))?;
        let seconds = ("stage_seconds_total", "counter", "How long the stage has taken so far.");
        lines.metric(seconds, each(|sum| sum.time.as_secs_f64()))?;
        let expected = sums.iter().filter_map(|(name, sum)| Some((Some(("stage", *name)), sum.expected? as f64)));
        lines.metric(
            ("stage_expected_rows", "gauge", "Rows that the stage will read, where that is known."),
            expected,
        )?;
        let runs = self.ended.is_none();
        let running = sums.iter().map(|(name, sum)| (Some(("stage", *name)), f64::from(u8::from(runs && sum.running))));
        lines.metric(("stage_running", "gauge", "1 while the stage runs."), running)
    }

    fn totals(&self, lines: &mut Lines<'_, '_>) -> fmt::Result {
        let Some(totals) = &self.report else { return Ok(()) };
        let read = ("notes_read_total", "counter", "Rows of the input, refused ones included.");
        lines.metric(read, [(None, totals.read as f64)])?;
        lines.metric(("notes_written_total", "counter", "Rows of the output."), [(None, totals.written as f64)])?;
        for (name, help, label, counts) in [
            ("notes_refused_total", "Rows that were refused, by reason.", "reason", &totals.refused),
            ("spans_found_total", "Identifiers that were found, by label.", "label", &totals.found),
            ("spans_replaced_total", "Identifiers that were replaced, by label.", "label", &totals.replaced),
        ] {
            lines.counts(name, help, label, counts.iter().map(|(said, count)| (said.as_str(), *count)))?;
        }
        Ok(())
    }
}
