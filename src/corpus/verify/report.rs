//! What the check of an output has found, in counts and places; no value, no file name.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::rows::PartOutcome;
use super::{Job, count_times};
use crate::corpus::output::Manifest;
use crate::verify::{Finding, FindingKind, Severity, Tally};

/// What was checked and what was found.
#[derive(Debug, Clone, Default, Serialize)]
pub struct VerifyReport {
    /// Rows of the output, by its manifest.
    pub rows: u64,
    /// Rows of the source that were refused, by the manifest.
    pub refused: u64,
    /// Parts that were compared with their notes.
    pub parts: u64,
    /// Rows that were compared.
    pub rows_compared: u64,
    /// Texts that were examined.
    pub texts: u64,
    /// Their bytes in the source.
    pub bytes: u64,
    /// Texts in which a leak or damage was found.
    pub texts_at_fault: u64,
    /// Whether every identifier and every patient was followed through all rows; else a sample of them.
    pub all_followed: bool,
    /// Whether no identifier is left and nothing is damaged.
    pub clean: bool,
    /// What was found: by severity, by kind.
    pub findings: BTreeMap<&'static str, BTreeMap<&'static str, u64>>,
    #[serde(skip)]
    tally: Tally,
}

/// Where something was found. Confidential: it tells identifiers from surrogates.
#[derive(Debug, Clone, Serialize)]
pub struct PlacedFinding {
    /// The number of the part.
    pub part: u64,
    /// The row in the part, from 0.
    pub row: u64,
    /// The row in the unit of the source that the part was made from, from 0; refused ones count.
    pub source_row: u64,
    /// The column.
    pub column: String,
    /// How grave it is.
    pub severity: &'static str,
    /// What it is.
    pub kind: &'static str,
    /// First byte and one past the last, in the source's text.
    pub source: [usize; 2],
    /// The same in the output's text.
    pub output: [usize; 2],
}

impl PlacedFinding {
    pub(super) fn new(part: u64, row: u64, source_row: u64, column: &str, finding: &Finding) -> Self {
        Self {
            part,
            row,
            source_row,
            column: column.to_owned(),
            severity: finding.kind.severity().name(),
            kind: finding.kind.name(),
            source: [finding.source.start, finding.source.end],
            output: [finding.output.start, finding.output.end],
        }
    }
}

impl VerifyReport {
    /// The report on an output of which nothing has been checked yet.
    pub(super) fn of(manifest: &Manifest) -> Self {
        Self { rows: manifest.rows, refused: manifest.refused, ..Self::default() }
    }

    pub(super) fn count_all(&mut self, kind: FindingKind, times: u64) {
        count_times(&mut self.tally, kind, times);
        self.settle();
    }

    pub(super) fn add(&mut self, part: &PartOutcome) {
        self.parts += 1;
        self.rows_compared += part.rows;
        self.texts += part.texts;
        self.bytes += part.bytes;
        self.texts_at_fault += part.notes_at_fault;
        self.tally.add(&part.tally);
        self.settle();
    }

    pub(super) fn followed(&mut self, job: &Job) {
        let pseudonyms = job.pseudonyms.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let shifts = job.shifts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.all_followed = pseudonyms.values().all(|column| column.followed().1) && shifts.followed().1;
        self.settle();
    }

    fn settle(&mut self) {
        self.clean = self.tally.is_clean();
        self.findings.clear();
        for (kind, count) in self.tally.iter() {
            self.findings.entry(kind.severity().name()).or_default().insert(kind.name(), count);
        }
    }
}

impl fmt::Display for VerifyReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, count) in [
            ("rows", self.rows),
            ("refused", self.refused),
            ("parts compared", self.parts),
            ("rows compared", self.rows_compared),
            ("texts examined", self.texts),
            ("texts at fault", self.texts_at_fault),
        ] {
            writeln!(formatter, "  {name:<28}{count:>12}")?;
        }
        writeln!(formatter, "\n  {:<28}{:>12}{:>18}", "findings", "count", "per 1,000 texts")?;
        for severity in [Severity::Leak, Severity::Damage, Severity::Review, Severity::Apart] {
            writeln!(formatter, "  {:<28}{:>12}", severity.name(), self.tally.of(severity))?;
            for (kind, count) in self.tally.iter().filter(|(kind, _)| kind.severity() == severity) {
                let rate = count as f64 * 1000.0 / self.texts.max(1) as f64;
                writeln!(formatter, "    {:<26}{count:>12}{rate:>18.2}", kind.name())?;
            }
        }
        if !self.all_followed {
            writeln!(
                formatter,
                "\n  identifiers and patients were too many to follow all of them; a sample was followed"
            )?;
        }
        writeln!(formatter, "\n  {}", if self.clean { "clean" } else { "not clean" })
    }
}
