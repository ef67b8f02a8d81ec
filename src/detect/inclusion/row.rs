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

/// The columns of free text, in whose cells what a spreadsheet would change is escaped and guarded, and those that it would convert.
const TEXTS: [usize; 4] = [0, AFTER, 9, 11];
const CONVERTED: [usize; 2] = [7, 10];

/// The column of the line before a sentence.
const CONTEXT: usize = 1;

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
    let mut cells = values(entry).map(Option::unwrap_or_default);
    for column in TEXTS {
        cells[column] = guarded(&escaped(&cells[column]));
    }
    for column in CONVERTED {
        cells[column] = guarded(&cells[column]);
    }
    cells[CONTEXT] = match &entry.candidate.context {
        Context::Any => ANY.to_owned(),
        Context::This { before, .. } if before.trim() == ANY => guarded(&escaped(before).replace('*', r"\u{2a}")),
        Context::This { before, .. } => guarded(&escaped(before)),
    };
    cells
}

/// What an entry's cells mean: text as it is, nothing where nothing was decided, and no line before a sentence of any context.
pub(super) fn values(entry: &Entry) -> [Option<String>; 13] {
    let candidate = &entry.candidate;
    let [before, after] = match &candidate.context {
        Context::Any => [None, None],
        Context::This { before, after } => [Some(before.clone()), Some(after.clone())],
    };
    let verdict = entry.verdict.as_ref();
    [
        Some(candidate.sentence.clone()),
        before,
        after,
        Some(candidate.occurrences.to_string()),
        Some(candidate.notes.to_string()),
        Some(candidate.patients.to_string()),
        Some(candidate.why.name().to_owned()),
        Some(claims_text(candidate)),
        verdict.map(|verdict| verdict.decision().name().to_owned()),
        verdict.map(|verdict| verdict.reviewer().to_owned()),
        verdict.map(|verdict| time_text(verdict.time())),
        verdict.map(|verdict| verdict.reason().to_owned()),
        Some(check_word(candidate)),
    ]
}

/// The entry that a row's cells describe.
///
/// # Errors
/// What is wrong with the row, without its text.
pub(super) fn read(cells: [&str; 13]) -> Result<Row, &'static str> {
    const ESCAPE: &str = "a backslash must be followed by n, t, r, u{…} or a backslash";
    let mut values = cells.map(|cell| Some(cell.to_owned()));
    for column in TEXTS {
        values[column] = Some(unescaped(unguarded(cells[column])).ok_or(ESCAPE)?);
    }
    for column in CONVERTED {
        values[column] = Some(unguarded(cells[column]).to_owned());
    }
    let before = unguarded(cells[CONTEXT]);
    values[CONTEXT] = match before.trim() == ANY {
        true => None,
        false => Some(unescaped(before).ok_or(ESCAPE)?),
    };
    read_values(values.each_ref().map(Option::as_deref))
}

/// The entry that a row's values describe.
///
/// # Errors
/// What is wrong with the row, without its text.
pub(super) fn read_values(values: [Option<&str>; 13]) -> Result<Row, &'static str> {
    let context = match (values[CONTEXT], values[AFTER].unwrap_or_default()) {
        (None, "") => Context::Any,
        (None, _) => return Err("any context has no line after it"),
        (Some(before), after) => Context::This { before: before.to_owned(), after: after.to_owned() },
    };
    let [sentence, _, _, occurrences, notes, patients, why, claims, decision, reviewer, time, reason, check] =
        values.map(Option::unwrap_or_default);
    let candidate = Candidate {
        context,
        claims: read_claims(sentence, claims)?,
        sentence: sentence.to_owned(),
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
    let verdict = read_verdict(decision, [reviewer, time, reason])?;
    Ok(Row { entry: Entry { candidate, verdict }, checked: !check.is_empty() })
}

/// `DOCTOR 12..15; DATE:full 20..24`, in code points.
fn claims_text(candidate: &Candidate) -> String {
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
