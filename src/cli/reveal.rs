//! `plainsight reveal`: what a surrogate stands for, one value at a time, with a line in an audit file for each.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::NaiveDate;
use clap::Args;

use super::arguments::{KeyArguments, surrogate_options};
use crate::corpus::evaluation::refuse_overwriting;
use crate::corpus::{CorpusError, Location, Result, private_file};
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
    let surrogates = Surrogates::with_options(&key, &arguments.patient, options);
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
        "patient": pseudonym_text(key, "audit", &arguments.patient),
        "label": arguments.label.to_string(),
        "told": told,
    });
    let mut options = private_file();
    options.append(true).create(true);
    let written = options.open(audit).and_then(|mut file| writeln!(file, "{line}"));
    written.map_err(|error| CorpusError::output(audit.display().to_string(), error))
}
