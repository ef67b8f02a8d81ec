//! One entry as one row of a review file.
//!
//! ```text
//! sentence          context  after  occurrences  notes  patients  why        claims          decision … reason  check
//! Seen by Dr. Lee.                  97           97     97        prevalent  'DOCTOR 12..15                     obcafkpd
//! ```
//!
//! The check word is made of the sentence and its context: what was changed since, by a spreadsheet or by hand, is no longer what
//! a reviewer is asked about. It stands last because spreadsheets leave out empty cells at the end of a row.

use chrono::DateTime;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::candidate::{Candidate, ClaimedRange, Context};
use super::cell::{escaped, guarded, unescaped, unguarded};
use super::file::Entry;
use super::verdict::{Decision, Verdict, time_text};
use crate::text::CodePoints;

/// The columns, in the order in which they are written.
pub(super) const COLUMNS: [&str; 13] = [
    "sentence",
    "context",
    "after",
    "occurrences",
    "notes",
    "patients",
    "why",
    "claims",
    "decision",
    "reviewer",
    "time",
    "reason",
    "check",
];

/// The column of the line after a sentence: only `--context around` has any, so that other files may lack it.
pub(super) const AFTER: usize = 2;

/// The column that a row added by hand may leave empty.
pub(super) const CHECK: usize = 12;

/// Stands for any context. A context that is a star itself is written by its number.
const ANY: &str = "*";

/// What has been read from a row.
pub(super) struct Row {
    pub entry: Entry,
    /// Whether the row vouches for its text.
    pub checked: bool,
}

/// The cells of an entry.
pub(super) fn cells(entry: &Entry) -> [String; 13] {
    let text = |text: &str| guarded(&escaped(text));
    let candidate = &entry.candidate;
    let [before, after] = context_cells(&candidate.context);
    let verdict = entry.verdict.as_ref();
    let said = |part: fn(&Verdict) -> String| verdict.map(part).unwrap_or_default();
    [
        text(&candidate.sentence),
        before,
        after,
        candidate.occurrences.to_string(),
        candidate.notes.to_string(),
        candidate.patients.to_string(),
        candidate.why.name().to_owned(),
        guarded(&claims_cell(candidate)),
        said(|verdict| verdict.decision().name().to_owned()),
        said(|verdict| guarded(&escaped(verdict.reviewer()))),
        said(|verdict| guarded(&time_text(verdict.time()))),
        said(|verdict| guarded(&escaped(verdict.reason()))),
        check_word(candidate),
    ]
}

/// The entry that a row's cells describe.
///
/// # Errors
/// What is wrong with the row, without its text.
pub(super) fn read(cells: [&str; 13]) -> Result<Row, &'static str> {
    const ESCAPE: &str = "a backslash must be followed by n, t, r, u{…} or a backslash";
    let text = |cell: &str| unescaped(unguarded(cell)).ok_or(ESCAPE);
    let [sentence, before, after, occurrences, notes, patients, why, claims, decision, reviewer, time, reason, check] =
        cells;
    let sentence = text(sentence)?;
    let (before, after) = (unguarded(before), text(after)?);
    let context = match before.trim() == ANY {
        true if after.is_empty() => Context::Any,
        true => return Err("any context has no line after it"),
        false => Context::This { before: unescaped(before).ok_or(ESCAPE)?, after },
    };
    let candidate = Candidate {
        context,
        claims: read_claims(&sentence, unguarded(claims))?,
        sentence,
        occurrences: number(occurrences)?,
        notes: number(notes)?,
        patients: number(patients)?,
        why: why.trim().parse().map_err(|()| "why must be prevalent, medical or gold")?,
    };
    let candidate = candidate.checked(0).map_err(|_| "there is no sentence, or a claim is no range of it")?;
    let check = check.trim();
    if !check.is_empty() && check != check_word(&candidate) {
        return Err("the sentence or its context is not as it was written; a spreadsheet or an edit has changed it");
    }
    let verdict = read_verdict(decision, [&text(reviewer)?, unguarded(time), &text(reason)?])?;
    Ok(Row { entry: Entry { candidate, verdict }, checked: !check.is_empty() })
}

fn context_cells(context: &Context) -> [String; 2] {
    match context {
        Context::Any => [ANY.to_owned(), String::new()],
        Context::This { before, after } => {
            let star = before.trim() == ANY;
            let before = if star { escaped(before).replace('*', r"\u{2a}") } else { escaped(before) };
            [guarded(&before), guarded(&escaped(after))]
        }
    }
}

/// `DOCTOR 12..15; DATE:full 20..24`, in code points.
fn claims_cell(candidate: &Candidate) -> String {
    let mut points = CodePoints::new(&candidate.sentence);
    let claim =
        |claim: &ClaimedRange| format!("{} {}..{}", claim.label, points.before(claim.start), points.before(claim.end));
    candidate.claims.iter().map(claim).collect::<Vec<_>>().join("; ")
}

fn read_claims(sentence: &str, cell: &str) -> Result<Vec<ClaimedRange>, &'static str> {
    const FORM: &str = "claims must be of the form `DOCTOR 12..15; DATE 20..24`, in characters of the sentence";
    let byte = |point: &str| {
        let point: usize = point.parse().ok()?;
        sentence.char_indices().map(|(at, _)| at).chain([sentence.len()]).nth(point)
    };
    let claim = |text: &str| {
        let (label, range) = text.trim().split_once(' ')?;
        let (start, end) = range.split_once("..")?;
        Some(ClaimedRange { start: byte(start)?, end: byte(end)?, label: label.to_owned() })
    };
    let texts = cell.split(';').filter(|text| !text.trim().is_empty());
    texts.map(|text| claim(text).ok_or(FORM)).collect()
}

fn read_verdict(decision: &str, said: [&str; 3]) -> Result<Option<Verdict>, &'static str> {
    let [reviewer, time, reason] = said.map(str::trim);
    let decision = match decision.trim().to_ascii_lowercase().as_str() {
        "" if [reviewer, time, reason].iter().all(|cell| cell.is_empty()) => return Ok(None),
        "" => return Err("there is a reviewer, time or reason and no decision"),
        "approved" => Decision::Approved,
        "rejected" => Decision::Rejected,
        _ => return Err("the decision must be approved, rejected or empty"),
    };
    let time = DateTime::parse_from_rfc3339(time).map_err(|_| "the time must be as in 2026-11-21T16:40:00Z")?;
    let verdict = Verdict::new(decision, reviewer, time.to_utc(), reason);
    verdict.map(Some).map_err(|_| "a decision needs a reviewer, a time and a reason")
}

fn number(cell: &str) -> Result<u64, &'static str> {
    cell.trim().parse().map_err(|_| "occurrences, notes and patients must be whole numbers")
}

/// Eight letters, which no spreadsheet takes for a number: 32 bits of the hash of context and sentence.
fn check_word(candidate: &Candidate) -> String {
    let context = match &candidate.context {
        Context::Any => 0,
        Context::This { before, after } => xxh3_64_with_seed(after.as_bytes(), xxh3_64(before.as_bytes())),
    };
    let hash = xxh3_64_with_seed(candidate.sentence.as_bytes(), context);
    (0..8).map(|place| char::from(b'a' + (hash >> (4 * place) & 15) as u8)).collect()
}
