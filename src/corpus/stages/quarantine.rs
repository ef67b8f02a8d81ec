//! The rows that were refused: counted by reason, and written down by file and place under the work location, for the names of
//! files may hold PHI. Where no other rows were there, or more are refused than the user allows, the run has failed.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Job;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::report::RunReport;
use crate::corpus::source::Refused;
use crate::corpus::store::Location;

/// How many rows a run may refuse and still end well.
///
/// ```
/// use plainsight::corpus::RefusedLimit;
///
/// let limit: RefusedLimit = "0.5%".parse()?;
/// assert!(limit.allows(5, 1000) && !limit.allows(6, 1000));
/// assert!("3".parse::<RefusedLimit>()?.allows(3, 3));
/// assert!("101%".parse::<RefusedLimit>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusedLimit {
    /// So many.
    Rows(u64),
    /// So many in a hundred of those read.
    Percent(f64),
}

impl RefusedLimit {
    /// Whether so many of the rows read may be refused.
    pub fn allows(self, refused: u64, read: u64) -> bool {
        match self {
            Self::Rows(most) => refused <= most,
            // Exact for as many rows as a float counts, some 10^15.
            Self::Percent(percent) => refused as f64 * 100.0 <= percent * read as f64,
        }
    }

    /// Holds what a run has read and refused against the limit; where nothing else was there, no limit allows it.
    pub(super) fn check(self, report: &RunReport, notes: &Location) -> Result<()> {
        self.check_counted(&report.quarantined, report.notes_read, notes)
    }

    /// The same of rows read, and those refused by reason.
    fn check_counted(self, quarantined: &BTreeMap<String, u64>, read: u64, notes: &Location) -> Result<()> {
        let refused: u64 = quarantined.values().sum();
        let reasons = quarantined.iter().map(|(reason, count)| format!("{count}: {reason}"));
        let reasons = reasons.collect::<Vec<_>>().join("; ");
        let told = match refused {
            1.. if refused >= read => format!("all rows were refused ({reasons})"),
            _ if self.allows(refused, read) => return Ok(()),
            _ => format!("{refused} of {read} rows were refused ({reasons}), and {self} may be: see --refused-at-most"),
        };
        let listed = "hint: quarantine.jsonl at the work location lists them by file and place";
        Err(CorpusError::input(notes.uri(), format!("{told}\n  {listed}")))
    }
}

impl Default for RefusedLimit {
    /// All but one.
    fn default() -> Self {
        Self::Percent(100.0)
    }
}

impl FromStr for RefusedLimit {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let limit = match text.strip_suffix('%') {
            Some(percent) => percent.parse().ok().filter(|percent| (0.0..=100.0).contains(percent)).map(Self::Percent),
            None => text.parse().ok().map(Self::Rows),
        };
        limit.ok_or_else(|| "write how many rows, or what part of them: 100, 0.5%".to_owned())
    }
}

impl fmt::Display for RefusedLimit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows(0) => formatter.write_str("none"),
            Self::Rows(most) => write!(formatter, "at most {most}"),
            Self::Percent(percent) => write!(formatter, "at most {percent}%"),
        }
    }
}

impl Job<'_> {
    /// Writes down the refused rows, and holds what was read against what was written and refused. What was read is counted
    /// by the first stage that reads the notes, `written` and `refused` by the last.
    pub(super) async fn account(&mut self, written: u64, refused: &[Refused]) -> Result<()> {
        for row in refused {
            *self.report.quarantined.entry(row.reason.to_owned()).or_default() += 1;
        }
        self.report.notes_written = written;
        let read = self.source.known_rows().unwrap_or(self.report.notes_read);
        if read != self.report.notes_read || read != written + refused.len() as u64 {
            return Err(CorpusError::Accounting {
                reason: format!(
                    "there are {read} notes; {} were read, {written} written and {} refused",
                    self.report.notes_read,
                    refused.len()
                ),
            });
        }
        self.list_refused(refused).await
    }

    /// Holds the rows that a stage could not read against the limit: where there are too many, nothing of an earlier output is taken away for
    /// those that are left.
    pub(super) async fn refuse_unread(&mut self, refused: &[Refused], read: u64) -> Result<()> {
        self.unread = refused.len() as u64;
        let mut quarantined = BTreeMap::new();
        refused.iter().for_each(|row| *quarantined.entry(row.reason.to_owned()).or_default() += 1);
        let checked = self.check_unread(&quarantined, read);
        if checked.is_err() {
            self.list_refused(refused).await?;
        }
        checked
    }

    /// The same of a stage that an earlier try has finished, of which the number alone is known.
    pub(super) fn refuse_kept(&mut self, unread: u64, read: u64) -> Result<()> {
        self.unread = unread;
        let quarantined = BTreeMap::from([("they could not be read".to_owned(), unread)]);
        self.check_unread(&quarantined, read)
    }

    fn check_unread(&self, quarantined: &BTreeMap<String, u64>, read: u64) -> Result<()> {
        match self.refused_at_most {
            Some(limit) if self.unread > 0 => limit.check_counted(quarantined, read, &self.source.location),
            _ => Ok(()),
        }
    }

    /// Writes down the refused rows.
    async fn list_refused(&self, refused: &[Refused]) -> Result<()> {
        if refused.is_empty() {
            return Ok(());
        }
        let lines = refused.iter().map(|row| {
            let unit = &self.source.units[row.unit];
            let line = serde_json::json!({
                "file": self.source.location.name_of(unit.file_of(row.row)),
                "row": unit.place_in_file(row.row),
                "column": row.column,
                "reason": row.reason,
            });
            format!("{line}\n")
        });
        let list = self.work.location.join(super::places::QUARANTINE);
        list.write(lines.collect::<String>()).await?;
        list.restrict_to_owner()
    }
}
