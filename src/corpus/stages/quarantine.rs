//! The rows that were refused: counted by reason, and written down by file and place under the work location, for the names of
//! files may hold PHI. Where no other rows were there, the run has failed.

use super::Job;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::source::Refused;

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
        if refused.is_empty() {
            return Ok(());
        }
        if written == 0 {
            let reasons = self.report.quarantined.iter().map(|(reason, count)| format!("{count}: {reason}"));
            let reason = format!("all rows were refused ({})", reasons.collect::<Vec<_>>().join("; "));
            return Err(CorpusError::input(self.source.location.uri(), reason));
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
