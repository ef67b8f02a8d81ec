//! What a run did, in counts: printed at its end and written as `run.json`. It holds no value of the input, no file name and no
//! key, so that it can lie beside the output.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};

use super::index::CacheReport;
use crate::surrogate::SurrogateOptions;

/// What a run did.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct RunReport {
    /// The version of plainsight.
    pub version: String,
    /// Names the key without telling it.
    pub key_id: String,
    /// The policy.
    pub policy: String,
    /// What stands in the place of identifiers: surrogate, tag, and so on.
    pub replacement: String,
    /// The options of the surrogates: a run with other ones is another release.
    pub surrogate: SurrogateOptions,
    /// Who looked for identifiers: detectors in order, trained ones with model, version and what computed them.
    pub ensemble: Vec<String>,
    /// What sentences were keyed and judged with: none, short or around.
    pub context: String,
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
    /// Where the run is one of several tasks: how many there are, and how far they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<Tasks>,
    /// Files of notes that came after the tasks of the run had begun, and are left to another run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub files_left: u64,
    /// Rows read, refused ones included.
    pub notes_read: u64,
    /// Rows written.
    pub notes_written: u64,
    /// Rows refused, by reason.
    pub quarantined: BTreeMap<String, u64>,
    /// Values of dates and mapped columns that are null in the output, by column: they held more than a date or a value of their label, perhaps a
    /// name, or could not be read.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub taken_out: BTreeMap<String, u64>,
    /// The way of the sentences.
    pub sentences: Funnel,
    /// Claims on distinct sentences that medical vocabulary took back in this run. Of what the span cache knew of patterns and
    /// dictionaries, they were taken back in an earlier one. Their words stand in the output as they stood in the notes, so they are not told.
    #[serde(deserialize_with = "vetoed")]
    pub vetoed: u64,
    /// Where there are patients' records: how many, and how many notes have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<Records>,
    /// What the second pass did.
    pub second_pass: SecondPass,
    /// Identifiers found, by label.
    pub spans_found: BTreeMap<String, u64>,
    /// Identifiers replaced, by label.
    pub spans_replaced: BTreeMap<String, u64>,
    /// Time and rows of each stage.
    pub stages: Vec<StageReport>,
    /// The time of the whole run in seconds; of several tasks, the sum of theirs.
    pub seconds: f64,
}

/// How far the tasks of a run are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tasks {
    /// How many there are.
    pub of: usize,
    /// How many of them have done their whole share.
    pub done: usize,
    /// The bytes that they handed to one another, once all have.
    pub exchanged_bytes: u64,
    /// Tells this beginning from others of the same job: by it what was exchanged is found.
    pub epoch: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Reads how many claims were vetoed; reports of earlier versions tell it by term.
fn vetoed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Vetoed {
        All(u64),
        ByTerm(BTreeMap<String, u64>),
    }
    Ok(match Vetoed::deserialize(deserializer)? {
        Vetoed::All(count) => count,
        Vetoed::ByTerm(counts) => counts.values().sum(),
    })
}

impl RunReport {
    /// The report as it lies beside the output.
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Adds what another task of the same run did.
    pub(super) fn add(&mut self, other: Self) {
        for CacheReport { member, asked } in other.cache {
            match self.cache.iter_mut().find(|known| known.member == member) {
                Some(known) => known.asked += asked,
                None => self.cache.push(CacheReport { member, asked }),
            }
        }
        self.parts_kept += other.parts_kept;
        self.growth.written.extend(other.growth.written);
        self.growth.written.sort();
        self.notes_read += other.notes_read;
        self.notes_written += other.notes_written;
        self.vetoed += other.vetoed;
        for (sums, counts) in [
            (&mut self.quarantined, other.quarantined),
            (&mut self.taken_out, other.taken_out),
            (&mut self.spans_found, other.spans_found),
            (&mut self.spans_replaced, other.spans_replaced),
        ] {
            counts.into_iter().for_each(|(name, count)| *sums.entry(name).or_default() += count);
        }
        self.sentences.add(&other.sentences);
        self.second_pass.patients += other.second_pass.patients;
        self.second_pass.values += other.second_pass.values;
        self.second_pass.spans += other.second_pass.spans;
        for stage in other.stages {
            match self.stages.iter_mut().find(|known| known.stage == stage.stage) {
                Some(known) => known.add(&stage),
                None => self.stages.push(stage),
            }
        }
        self.seconds += other.seconds;
    }
}

/// What became of the parts of an earlier output.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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

impl Funnel {
    fn add(&mut self, other: &Self) {
        self.occurrences += other.occurrences;
        self.distinct += other.distinct;
        self.distinct_texts += other.distinct_texts;
        self.listed += other.listed;
        self.template += other.template;
        self.remainder += other.remainder;
    }
}

/// What was found with confidence in a note and looked for in the patient's others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondPass {
    /// Patients of whom something was found with confidence.
    pub patients: u64,
    /// Values that were looked for, over all patients.
    pub values: u64,
    /// Spans of the output that nothing else would have found.
    pub spans: u64,
}

/// How the patients' records fit the notes, told by some of the notes before the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Records {
    /// Patients with records.
    pub patients: u64,
    /// Notes that were looked at.
    pub looked_at: u64,
    /// Those among them whose patients have records.
    pub with_record: u64,
}

/// Time and rows of a stage.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StageReport {
    /// The stage.
    pub stage: String,
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
    pub fn new(stage: &str, time: Duration, rows: u64, bytes: u64) -> Self {
        let seconds = time.as_secs_f64();
        let rows_per_second = if seconds > 0.0 { rows as f64 / seconds } else { 0.0 };
        Self { stage: stage.to_owned(), seconds, rows, bytes, rows_per_second, written: 0, is_kept: false }
    }

    /// Adds the same stage of another task: its time, too, so that rows a second are those of one task.
    fn add(&mut self, other: &Self) {
        self.seconds += other.seconds;
        self.rows += other.rows;
        self.bytes += other.bytes;
        self.written += other.written;
        self.is_kept &= other.is_kept;
        self.rows_per_second = if self.seconds > 0.0 { self.rows as f64 / self.seconds } else { 0.0 };
    }
}

impl fmt::Display for RunReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line =
            |formatter: &mut fmt::Formatter<'_>, name: &str, count: u64| writeln!(formatter, "  {name:<22}{count:>12}");
        line(formatter, "notes", self.notes_read)?;
        line(formatter, "written", self.notes_written)?;
        if self.files_left > 0 {
            line(formatter, "files left, came late", self.files_left)?;
        }
        line(formatter, "quarantined", self.quarantined.values().sum())?;
        for (reason, count) in &self.quarantined {
            writeln!(formatter, "    {count} × {reason}")?;
        }
        if !self.taken_out.is_empty() {
            line(formatter, "values taken out", self.taken_out.values().sum())?;
            for (column, count) in &self.taken_out {
                writeln!(formatter, "    {count} × in `{column}`")?;
            }
        }
        if let Some(Records { looked_at, with_record, .. }) = self.records {
            writeln!(formatter, "  {:<22}{with_record:>12} of {looked_at}", "notes with a record")?;
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
        // A cache remembers what was left of claims, not what was taken back.
        let vetoed = if self.cache.is_empty() { "claims vetoed" } else { "claims vetoed anew" };
        line(formatter, vetoed, self.vetoed)?;
        if self.second_pass.values > 0 {
            line(formatter, "second-pass values", self.second_pass.values)?;
            line(formatter, "found by them alone", self.second_pass.spans)?;
        }
        let is_replaced = !self.spans_replaced.is_empty();
        writeln!(formatter, "\n  {:<22}{:>12}{:>12}", "spans", "found", if is_replaced { "replaced" } else { "" })?;
        for (label, found) in &self.spans_found {
            write!(formatter, "  {label:<22}{found:>12}")?;
            match is_replaced {
                true => writeln!(formatter, "{:>12}", self.spans_replaced.get(label).copied().unwrap_or_default())?,
                false => writeln!(formatter)?,
            }
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
        if let Some(Tasks { of, exchanged_bytes, .. }) = self.tasks.filter(|tasks| tasks.exchanged_bytes > 0) {
            writeln!(formatter, "  {:<22}{of:>12}{:>22.1} MB exchanged", "tasks", exchanged_bytes as f64 / 1e6)?;
        }
        let rate = if self.seconds > 0.0 { self.notes_read as f64 / self.seconds } else { 0.0 };
        let name = if self.tasks.is_some() { "all, of every task" } else { "all" };
        writeln!(formatter, "  {name:<22}{:>12.2}{:>12}{:>12.0}", self.seconds, self.notes_read, rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_vetoed_in_earlier_runs_is_not_told_as_none() {
        let report = RunReport { vetoed: 5, ..RunReport::default() };
        assert!(report.to_string().contains("\n  claims vetoed     "), "{report}");
        let cache = vec![CacheReport { member: "knowledge 1".to_owned(), asked: 0 }];
        let told = RunReport { cache, ..RunReport::default() }.to_string();
        assert!(told.contains("\n  claims vetoed anew     "), "{told}");
    }

    #[test]
    fn reports_that_tell_vetoes_by_term_are_read_as_their_sum() {
        let report = RunReport { vetoed: 5, ..RunReport::default() };
        let written: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
        assert_eq!(written["vetoed"], 5);
        for (told, expected) in [("5", 5), (r#"{"berg": 1, "foley": 3}"#, 4), ("{}", 0)] {
            let text = report.to_json().replace("\"vetoed\": 5", &format!("\"vetoed\": {told}"));
            assert_eq!(serde_json::from_str::<RunReport>(&text).unwrap().vetoed, expected, "{told}");
        }
    }
}
