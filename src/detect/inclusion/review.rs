//! The review at a terminal: one candidate a screen, one line of answer, saved at once.
//!
//! ```text
//! ── 1 of 2 to decide ── … No acute distress. …       a⏎                     approved, saved
//! ── 2 of 2 to decide ── … Seen by ⟦DOCTOR Lee⟧. …    a always the eponym⏎   claims need a reason of their own
//! ```
//!
//! It reads lines, not keys, and so works through a pipe, a remote shell and a test alike. The end of the input ends the review; the
//! next one begins with what is undecided.

use std::io::{BufRead, Write};

use chrono::{DateTime, Utc};

use super::error::ReviewError;
use super::file::ReviewFile;
use super::screen::{HELP, KEYS, screen};
use super::verdict::{Decision, Verdict};

/// Clears a terminal and goes to its first line.
const CLEAR: &str = "\u{1b}[2J\u{1b}[H";

/// Who reviews, and what is taken for the reason where none is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session<'s> {
    /// The name that goes with every decision.
    pub reviewer: &'s str,
    /// The reason of an approval, but for one in spite of claims.
    pub approval: &'s str,
    /// The reason of a rejection.
    pub rejection: &'s str,
    /// Whether the output is a terminal that is cleared before each candidate.
    pub clear: bool,
}

/// What a review has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reviewed {
    /// Approved in this review.
    pub approved: usize,
    /// Rejected in this review.
    pub rejected: usize,
    /// Left undecided, by this review or not yet reached.
    pub undecided: usize,
}

impl std::fmt::Display for Reviewed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(formatter, "approved {}, rejected {}, undecided {}", self.approved, self.rejected, self.undecided)
    }
}

/// Asks about each undecided entry, in the order of the file. `save` is called after every change, also after one that is undone; the
/// version is one above that of the file before, as long as anything is decided.
///
/// # Errors
/// [`ReviewError::Verdict`] for a session without a name or reasons, before anything is asked; [`ReviewError::Save`] where `save`
/// fails; [`ReviewError::Terminal`] where input or output does.
pub fn review(
    file: &mut ReviewFile,
    session: Session<'_>,
    input: impl BufRead,
    output: impl Write,
    now: impl FnMut() -> DateTime<Utc>,
    save: impl FnMut(&ReviewFile) -> std::io::Result<()>,
) -> Result<Reviewed, ReviewError> {
    for reason in [session.approval, session.rejection] {
        Verdict::new(Decision::Approved, session.reviewer, DateTime::UNIX_EPOCH, reason)?;
    }
    let undecided = |(index, _)| index;
    let queue: Vec<usize> =
        file.entries.iter().enumerate().filter(|(_, entry)| entry.verdict.is_none()).map(undecided).collect();
    let first_version = file.version;
    let mut review = Review { file, session, queue, at: 0, first_version, output, now, save };
    review.ask_all(input)?;
    Ok(review.reviewed())
}

/// A review under way.
struct Review<'r, Output, Now, Save> {
    file: &'r mut ReviewFile,
    session: Session<'r>,
    /// The entries that were undecided, and how many of them have been passed.
    queue: Vec<usize>,
    at: usize,
    first_version: u32,
    output: Output,
    now: Now,
    save: Save,
}

impl<Output, Now, Save> Review<'_, Output, Now, Save>
where
    Output: Write,
    Now: FnMut() -> DateTime<Utc>,
    Save: FnMut(&ReviewFile) -> std::io::Result<()>,
{
    fn ask_all(&mut self, mut input: impl BufRead) -> Result<(), ReviewError> {
        let mut shown = None;
        while let Some(&index) = self.queue.get(self.at) {
            if shown.replace(self.at) != Some(self.at) {
                self.show(index)?;
            }
            write!(self.output, "{KEYS} > ")?;
            self.output.flush()?;
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line)? == 0 {
                writeln!(self.output)?;
                return Ok(());
            }
            let line = String::from_utf8_lossy(&line);
            let (key, reason) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
            match key.to_ascii_lowercase().as_str() {
                "a" => self.approve(index, reason.trim())?,
                "r" => self.decide(index, Decision::Rejected, reason.trim(), self.session.rejection)?,
                "s" => self.at += 1,
                "u" => self.undo()?,
                "q" => return Ok(()),
                _ => write!(self.output, "{HELP}")?,
            }
        }
        Ok(())
    }

    fn show(&mut self, index: usize) -> Result<(), ReviewError> {
        let clear = if self.session.clear { CLEAR } else { "" };
        let screen = screen(&self.file.entries[index].candidate, self.at + 1, self.queue.len());
        Ok(writeln!(self.output, "{clear}{screen}")?)
    }

    fn approve(&mut self, index: usize, reason: &str) -> Result<(), ReviewError> {
        if reason.is_empty() && self.file.entries[index].candidate.is_claimed() {
            return Ok(writeln!(
                self.output,
                "a detector claims something here: give a reason, as in `a always the eponym`"
            )?);
        }
        self.decide(index, Decision::Approved, reason, self.session.approval)
    }

    fn decide(&mut self, index: usize, decision: Decision, reason: &str, usual: &str) -> Result<(), ReviewError> {
        let reason = if reason.is_empty() { usual } else { reason };
        let verdict = Verdict::new(decision, self.session.reviewer, (self.now)(), reason)?;
        self.file.entries[index].verdict = Some(verdict);
        self.at += 1;
        self.save()
    }

    fn undo(&mut self) -> Result<(), ReviewError> {
        let Some(before) = self.at.checked_sub(1) else {
            return Ok(writeln!(self.output, "there is nothing to undo")?);
        };
        self.at = before;
        match self.file.entries[self.queue[before]].verdict.take() {
            Some(_) => self.save(),
            None => Ok(()),
        }
    }

    fn save(&mut self) -> Result<(), ReviewError> {
        let is_changed = self.queue.iter().any(|&index| self.file.entries[index].verdict.is_some());
        self.file.version = self.first_version.saturating_add(u32::from(is_changed));
        (self.save)(self.file).map_err(ReviewError::Save)
    }

    fn reviewed(&self) -> Reviewed {
        let count =
            |decision| self.queue.iter().filter(|&&index| self.file.entries[index].decision() == decision).count();
        Reviewed {
            approved: count(Some(Decision::Approved)),
            rejected: count(Some(Decision::Rejected)),
            undecided: count(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidate::ClaimedRange;
    use super::super::candidate::tests::candidate;
    use super::*;
    use crate::text::ContextMode;

    const SESSION: Session<'_> = Session { reviewer: "Meyer", approval: "read", rejection: "doubt", clear: false };

    fn file() -> ReviewFile {
        let claims = vec![ClaimedRange { start: 0, end: 3, label: "DOCTOR".to_owned() }];
        let claimed = super::super::Candidate { claims, ..candidate("", "Lee sign.", 50) };
        ReviewFile::new(ContextMode::Short, [candidate("", "Ok.", 30), candidate("", "Well.", 20), claimed]).unwrap()
    }

    /// Reviews with typed lines; gives what was shown and what was saved.
    fn typed(file: &mut ReviewFile, lines: &str) -> (Reviewed, String, Vec<ReviewFile>) {
        let (mut shown, mut saved, mut second) = (Vec::new(), Vec::new(), 0);
        let now = || {
            second += 1;
            DateTime::from_timestamp(second, 0).unwrap()
        };
        let save = |file: &ReviewFile| {
            saved.push(file.clone());
            Ok(())
        };
        let reviewed = review(file, SESSION, lines.as_bytes(), &mut shown, now, save).unwrap();
        (reviewed, String::from_utf8(shown).unwrap(), saved)
    }

    fn decisions(file: &ReviewFile) -> [Option<Decision>; 3] {
        std::array::from_fn(|index| file.entries[index].decision())
    }

    const APPROVED: Option<Decision> = Some(Decision::Approved);
    const REJECTED: Option<Decision> = Some(Decision::Rejected);

    #[test]
    fn decisions_are_taken_and_saved_one_by_one() {
        let mut file = file();
        let (reviewed, shown, saved) = typed(&mut file, "a\n R  a room \na\na the sign\n");
        assert_eq!(decisions(&file), [APPROVED, REJECTED, APPROVED]);
        assert_eq!(reviewed, Reviewed { approved: 2, rejected: 1, undecided: 0 });
        assert_eq!(
            saved.iter().map(decisions).collect::<Vec<_>>()[..2],
            [[APPROVED, None, None], [APPROVED, REJECTED, None]]
        );
        assert!(saved.len() == 3 && saved.iter().all(|file| file.version() == 2));
        assert!(shown.contains("give a reason"), "{shown}");
        let reasons: Vec<_> = file.entries.iter().map(|entry| entry.verdict.as_ref().unwrap().reason()).collect();
        assert_eq!(reasons, ["read", "a room", "the sign"]);
        let times: Vec<_> =
            file.entries.iter().map(|entry| entry.verdict.as_ref().unwrap().time().timestamp()).collect();
        assert_eq!(times, [1, 2, 3]);
    }

    #[test]
    fn undo_goes_back_over_decisions_and_skips() {
        let mut file = file();
        let (reviewed, shown, saved) = typed(&mut file, "u\na\ns\nu\nu\nr\nq\n");
        assert_eq!(decisions(&file), [REJECTED, None, None]);
        assert_eq!(reviewed, Reviewed { approved: 0, rejected: 1, undecided: 2 });
        assert_eq!(
            saved.iter().map(|file| (decisions(file)[0], file.version())).collect::<Vec<_>>(),
            [(APPROVED, 2), (None, 1), (REJECTED, 2)]
        );
        assert!(shown.contains("there is nothing to undo"), "{shown}");
    }

    #[test]
    fn the_next_review_goes_on_where_this_one_ended() {
        let mut file = file();
        typed(&mut file, "a\ns\n");
        let (reviewed, shown, _) = typed(&mut file, "x\nr");
        assert!(shown.contains("1 of 2 to decide") && shown.contains("Well.") && !shown.contains("Ok."), "{shown}");
        assert!(shown.contains("back to the one before"), "{shown}");
        assert_eq!(decisions(&file), [APPROVED, REJECTED, None]);
        assert_eq!((reviewed.undecided, file.version()), (1, 3));
        assert_eq!(typed(&mut ReviewFile::new(ContextMode::Short, []).unwrap(), "a\n").0, Reviewed::default());
    }

    #[test]
    fn a_nameless_reviewer_is_asked_nothing_and_a_failed_save_ends_the_review() {
        let now = || DateTime::UNIX_EPOCH;
        let nameless = Session { reviewer: " ", ..SESSION };
        let mut shown = Vec::new();
        let refused = review(&mut file(), nameless, &b"a\n"[..], &mut shown, now, |_| Ok(()));
        assert!(matches!(refused, Err(ReviewError::Verdict(_))) && shown.is_empty());
        let full = |_: &ReviewFile| Err(std::io::Error::other("full"));
        let failed = review(&mut file(), SESSION, &b"s\na\na\n"[..], &mut shown, now, full);
        assert!(matches!(failed, Err(ReviewError::Save(_))));
    }
}
