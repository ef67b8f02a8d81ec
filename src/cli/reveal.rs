//! `plainsight reveal`: what a surrogate stands for, one value at a time, with a line in an audit file for each.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::NaiveDate;
use clap::Args;

use super::arguments::{KeyArguments, surrogate_options};
use crate::corpus::evaluation::refuse_overwriting;
use crate::corpus::{CorpusError, Location, Result, identifier, private_file};
use crate::phi::Class;
use crate::surrogate::{Key, Revealed, Surrogates, pseudonym_text};

#[derive(Debug, Args)]
pub(super) struct RevealArguments {
    /// The surrogate, as it stands in the note
    surrogate: String,
    #[command(flatten)]
    key: KeyArguments,
    /// The patient's original id
    #[arg(long, value_name = "ID")]
    patient: String,
    /// What it is: PATIENT, DATE, PHONE and the other labels
    #[arg(long, value_name = "LABEL")]
    label: Class,
    /// The original day of the note, as 2019-03-04, where the run had an --anchor-column and a date has no year
    #[arg(long, value_name = "DATE")]
    anchor: Option<NaiveDate>,
    /// The options of the release, where it had any
    #[arg(long, value_name = "FILE")]
    surrogate_options: Option<PathBuf>,
    /// Where a line is added for every value that is asked for: time, key id, a pseudonym of the patient, label, whether it was told
    #[arg(long, value_name = "FILE")]
    audit: PathBuf,
}

pub(super) fn reveal(arguments: &RevealArguments) -> Result<()> {
    let key = arguments.key.required()?;
    let options = surrogate_options(arguments.surrogate_options.as_deref())?;
    refuse_overwriting(&[("--audit", Location::parse(&arguments.audit.to_string_lossy())?)], &[], &[])?;
    refuse_other_file(&arguments.audit)?;
    // As a run reads it: 17, 17.0 and 17 between blanks are one patient.
    let surrogates = Surrogates::with_options(&key, identifier(&arguments.patient), options);
    let revealed = surrogates.reveal_at(arguments.label, &arguments.surrogate, arguments.anchor);
    // Written first: what cannot be recorded is not told.
    record(&arguments.audit, &key, arguments, &revealed)?;
    match revealed {
        Revealed::Value(value) => super::print(format!("{value}\n")),
        Revealed::OneOf(values) => super::print(format!("{}\n", values.join("\n"))),
        Revealed::NotInvertible { reason } => {
            Err(CorpusError::configuration(format!("this surrogate cannot be revealed: {reason}"), "see README, keys"))
        }
    }
}

/// Refuses a file that is there and does not begin with a line of an audit file.
fn refuse_other_file(audit: &Path) -> Result<()> {
    let first = match File::open(audit) {
        Ok(file) => BufReader::new(file).take(LONGEST_LINE).lines().next(),
        Err(_) => return Ok(()),
    };
    let is_ours = |line: &str| {
        let line: Option<serde_json::Value> = serde_json::from_str(line).ok();
        line.is_some_and(|line| ["time", "key_id", "patient", "told"].iter().all(|name| line.get(name).is_some()))
    };
    match first {
        None => Ok(()),
        Some(Ok(line)) if is_ours(&line) => Ok(()),
        Some(_) => Err(CorpusError::configuration(
            format!("--audit `{}` holds something else", audit.display()),
            "name a new file, or one that `plainsight reveal` has written",
        )),
    }
}

/// Of an audit file, in bytes.
const LONGEST_LINE: u64 = 4096;

fn record(audit: &Path, key: &Key, arguments: &RevealArguments, revealed: &Revealed) -> Result<()> {
    let told = match revealed {
        Revealed::Value(_) => "value",
        Revealed::OneOf(_) => "one of several values",
        Revealed::NotInvertible { .. } => "nothing",
    };
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let line = serde_json::json!({
        "time": seconds,
        "key_id": key.id(),
        "patient": pseudonym_text(key, "audit", identifier(&arguments.patient)),
        "label": arguments.label.to_string(),
        "told": told,
    });
    let mut options = private_file();
    options.append(true).create(true);
    let written = options.open(audit).and_then(|mut file| writeln!(file, "{line}"));
    written.map_err(|error| CorpusError::output(audit.display().to_string(), error))
}
