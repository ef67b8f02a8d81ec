//! `plainsight verify`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::Outcome;
use super::arguments::{
    ColumnArguments, KeyArguments, SourceArguments, TargetArguments, default_work, patient_records, policy_named,
    workers,
};
use crate::corpus::evaluation::refuse_overwriting;
use crate::corpus::records::PatientColumns;
use crate::corpus::verify::{PlacedFinding, VerifyOptions, verify as check};
use crate::corpus::{CorpusError, Deidentifier, Location, Result, refuse_released};
use crate::surrogate::Replacement;

#[derive(Debug, Args)]
pub(super) struct VerifyArguments {
    /// The notes that the output was made from
    #[arg(long, value_name = "URI")]
    notes: String,
    /// The output of `run`
    #[arg(long, value_name = "URI")]
    out: String,
    /// The patients' structured records: what they say must be gone from these patients' notes
    #[arg(long, value_name = "URI")]
    patients: Option<String>,
    /// Columns of --patients that go by other names than the known ones, as in `run`
    #[arg(long, value_name = "FIELD=NAME,…", value_delimiter = ',')]
    patient_columns: Vec<String>,
    #[command(flatten)]
    source: SourceArguments,
    #[command(flatten)]
    target: TargetArguments,
    #[command(flatten)]
    key: KeyArguments,
    #[command(flatten)]
    columns: ColumnArguments,
    /// What was to be removed, as the run had it: A (Safe Harbor), B, C, D, or a TOML file. What it keeps is no leak
    #[arg(long, value_name = "A|B|C|D|FILE", default_value = "C")]
    policy: String,
    /// Examine the text of about N rows, spread over all parts; everything else is checked in every row [default: all]
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// List every finding by its place in this JSON Lines file, a million of them at most. Confidential: it quotes nothing, but tells
    /// identifiers from surrogates
    #[arg(long, value_name = "FILE")]
    findings: Option<PathBuf>,
    /// How the report is printed
    #[arg(long, value_enum, default_value_t)]
    format: ReportFormat,
    /// How many workers [default: one a processor]
    #[arg(long, value_name = "N")]
    partitions: Option<NonZeroUsize>,
}

/// How the report is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum ReportFormat {
    /// A table
    #[default]
    Text,
    /// One JSON object
    Json,
}

pub(super) async fn verify(arguments: VerifyArguments) -> Result<Outcome> {
    let preset = arguments.columns.preset();
    let policy = policy_named(&arguments.policy)?;
    let mut deidentifier =
        Deidentifier::new().with_key(arguments.key.required()?).with_policy(policy, Replacement::default());
    let patients = arguments.patients.as_deref().map(|uri| arguments.source.location(uri)).transpose()?;
    let options = VerifyOptions {
        notes: arguments.source.location(&arguments.notes)?,
        out: arguments.target.location(&arguments.out)?,
        columns: arguments.columns.options()?,
        sample: arguments.sample,
        partitions: workers(arguments.partitions),
    };
    let work = Location::parse(&default_work(&options.out))?;
    let mut closed =
        vec![("--notes", options.notes.clone()), ("--out", options.out.clone()), ("the work location", work)];
    closed.extend(patients.iter().map(|patients| ("--patients", patients.clone())));
    let listed = arguments.findings.as_ref().map(|file| Location::parse(&file.to_string_lossy())).transpose()?;
    let outputs: Vec<_> = listed.iter().map(|file| ("--findings", file.clone())).collect();
    refuse_overwriting(&outputs, &[], &closed)?;
    if let Some(file) = &listed {
        refuse_released(file).await?;
    }
    if let Some(patients) = &patients {
        let columns = PatientColumns::new(preset, &arguments.patient_columns)?;
        deidentifier = deidentifier.with_records(patient_records(patients, columns).await?);
    }
    let (report, findings) = check(&options, Arc::new(deidentifier)).await?;
    let json = |error: serde_json::Error| CorpusError::output("standard output", error);
    match arguments.format {
        ReportFormat::Text => super::print(&report)?,
        ReportFormat::Json => super::print(serde_json::to_string_pretty(&report).map_err(json)? + "\n")?,
    }
    if let Some(file) = listed {
        file.write_confidential(listing(&findings)?).await?;
    }
    Ok(if report.clean { Outcome::Done } else { Outcome::NotClean })
}

fn listing(findings: &[PlacedFinding]) -> Result<String> {
    let mut lines = String::new();
    for finding in findings {
        let line = serde_json::to_string(finding).map_err(|error| CorpusError::output("--findings", error))?;
        lines.push_str(&line);
        lines.push('\n');
    }
    Ok(lines)
}
