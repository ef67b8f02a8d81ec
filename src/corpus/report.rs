//! What a run did, in counts: printed at its end and written as `run.json`. It holds no value of the input, no file name and no
//! key, so that it can lie beside the output.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Serialize;

use super::index::CacheReport;
use crate::surrogate::SurrogateOptions;

/// What a run did.
#[derive(Debug, Clone, Default, Serialize)]
pub struct RunReport {
    /// The version of plainsight.
    pub version: &'static str,
    /// Names the key without telling it.
    pub key_id: String,
    /// The policy.
    pub policy: String,
    /// What stands in the place of identifiers: surrogate, tag, and so on.
    pub replacement: &'static str,
    /// The options of the surrogates: a run with other ones is another release.
    pub surrogate: SurrogateOptions,
    /// Who looked for identifiers: detectors in order, trained ones with model, version and what computed them.
    pub ensemble: Vec<String>,
    /// What sentences were keyed and judged with: none, short or around.
    pub context: &'static str,
    /// How many sentences each member was asked about; empty without a span cache.
    pub cache: Vec<CacheReport>,
    /// Whether the output was whole already, made by the same job: then nothing else was done.
    pub nothing_to_do: bool,
    /// Parts that an interrupted run of the same job had finished, and that were kept.
    pub parts_kept: u64,
    /// What an incremental run kept and wrote.
    pub growth: Growth,
    /// How many workers.
    pub partitions: usize,
    /// Rows read, refused ones included.
    pub notes_read: u64,
    /// Rows written.
    pub notes_written: u64,
    /// Rows refused, by reason.
    pub quarantined: BTreeMap<String, u64>,
    /// The way of the sentences.
    pub sentences: Funnel,
    /// Claims on distinct sentences that medical vocabulary took back, by its term; of those that the span cache did not know.
    pub vetoed: BTreeMap<String, u64>,
    /// What the second pass did.
    pub second_pass: SecondPass,
    /// Identifiers found, by label.
    pub spans_found: BTreeMap<String, u64>,
    /// Identifiers replaced, by label.
    pub spans_replaced: BTreeMap<String, u64>,
    /// Time and rows of each stage.
    pub stages: Vec<StageReport>,
    /// The time of the whole run in seconds.
    pub seconds: f64,
}

/// What became of the parts of an earlier output.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Growth {
    /// Whether there was an earlier output to go on from.
    pub incremental: bool,
    /// Parts that stayed as they were.
    pub kept: u64,
    /// Parts that were written again, for something else is known of their patients.
    pub rewritten: u64,
    /// Parts of new or changed input.
    pub new: u64,
    /// Parts whose input is gone.
    pub removed: u64,
    /// The parts that were written, by their names in the output.
    pub written: Vec<String>,
}

impl Growth {
    /// Counts a part: whether there was one of the same input before, and whether that is kept.
    pub(super) fn count(&mut self, known: bool, kept: bool) {
        match (known, kept) {
            (_, true) => self.kept += 1,
            (true, false) => self.rewritten += 1,
            (false, false) => self.new += 1,
        }
    }
}

/// How many sentences go which way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Funnel {
    /// Sentences of all notes.
    pub occurrences: u64,
    /// Distinct ones.
    pub distinct: u64,
    /// Distinct texts: what distinct sentences would be without context.
    pub distinct_texts: u64,
    /// Distinct ones on the inclusion list.
    pub listed: u64,
    /// Distinct ones tagged by a template.
    pub template: u64,
    /// Distinct ones that the ensemble sees.
    pub remainder: u64,
}

/// What was found with confidence in a note and looked for in the patient's others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SecondPass {
    /// Patients of whom something was found with confidence.
    pub patients: u64,
    /// Values that were looked for, over all patients.
    pub values: u64,
    /// Spans of the output that nothing else would have found.
    pub spans: u64,
}

/// Time and rows of a stage.
#[derive(Debug, Clone, Serialize)]
pub struct StageReport {
    /// The stage.
    pub stage: &'static str,
    /// Its time in seconds.
    pub seconds: f64,
    /// The rows that it read.
    pub rows: u64,
    /// The rows that it wrote for the stages after it: distinct sentences, claims, values.
    pub written: u64,
    /// The bytes of text that it read.
    pub bytes: u64,
    /// Rows a second.
    pub rows_per_second: f64,
    /// Whether an interrupted run of the same job had finished it.
    pub is_kept: bool,
}

impl StageReport {
    /// The report of a stage that read `rows` and `bytes` of text in `time`.
    pub fn new(stage: &'static str, time: Duration, rows: u64, bytes: u64) -> Self {
        let seconds = time.as_secs_f64();
        let rows_per_second = if seconds > 0.0 { rows as f64 / seconds } else { 0.0 };
        Self { stage, seconds, rows, bytes, rows_per_second, written: 0, is_kept: false }
    }
}

impl fmt::Display for RunReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line =
            |formatter: &mut fmt::Formatter<'_>, name: &str, count: u64| writeln!(formatter, "  {name:<22}{count:>12}");
        line(formatter, "notes", self.notes_read)?;
        line(formatter, "written", self.notes_written)?;
        line(formatter, "quarantined", self.quarantined.values().sum())?;
        for (reason, count) in &self.quarantined {
            writeln!(formatter, "    {count} × {reason}")?;
        }
        if self.parts_kept > 0 {
            line(formatter, "parts already finished", self.parts_kept)?;
        }
        if self.growth.incremental {
            line(formatter, "parts kept", self.growth.kept)?;
            line(formatter, "parts written again", self.growth.rewritten)?;
            line(formatter, "new parts", self.growth.new)?;
            line(formatter, "parts removed", self.growth.removed)?;
        }
        line(formatter, "sentences", self.sentences.occurrences)?;
        line(formatter, "distinct", self.sentences.distinct)?;
        line(formatter, "  by text alone", self.sentences.distinct_texts)?;
        line(formatter, "on the inclusion list", self.sentences.listed)?;
        line(formatter, "by template", self.sentences.template)?;
        line(formatter, "remainder", self.sentences.remainder)?;
        for CacheReport { member, asked } in &self.cache {
            line(formatter, &format!("  asked {}", member.split(' ').next().unwrap_or_default()), *asked)?;
        }
        line(formatter, "claims vetoed", self.vetoed.values().sum())?;
        if self.second_pass.values > 0 {
            line(formatter, "second-pass values", self.second_pass.values)?;
            line(formatter, "found by them alone", self.second_pass.spans)?;
        }
        writeln!(formatter, "\n  {:<22}{:>12}{:>12}", "spans", "found", "replaced")?;
        for (label, found) in &self.spans_found {
            let replaced = self.spans_replaced.get(label).copied().unwrap_or_default();
            writeln!(formatter, "  {label:<22}{found:>12}{replaced:>12}")?;
        }
        writeln!(formatter, "\n  {:<22}{:>12}{:>12}{:>12}{:>10}", "stage", "seconds", "rows", "rows/s", "MB/s")?;
        for stage in &self.stages {
            if stage.is_kept {
                writeln!(formatter, "  {:<22}{:>12}", stage.stage, "finished before")?;
                continue;
            }
            let megabytes = if stage.seconds > 0.0 { stage.bytes as f64 / 1e6 / stage.seconds } else { 0.0 };
            writeln!(
                formatter,
                "  {:<22}{:>12.2}{:>12}{:>12.0}{:>10.1}",
                stage.stage, stage.seconds, stage.rows, stage.rows_per_second, megabytes
            )?;
        }
        let rate = if self.seconds > 0.0 { self.notes_read as f64 / self.seconds } else { 0.0 };
        writeln!(formatter, "  {:<22}{:>12.2}{:>12}{:>12.0}", "all", self.seconds, self.notes_read, rate)
    }
}
