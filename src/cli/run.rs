//! `plainsight run`.

use std::sync::Arc;

use clap::Args;

use super::arguments::{ColumnArguments, DeidentifyArguments, PolicyArguments, available_workers};
use super::progress::{LogFormat, Progress};
use crate::corpus::{Location, Result, RunOptions, RunReport};

#[derive(Debug, Args)]
pub(super) struct RunArguments {
    #[command(flatten)]
    job: JobArguments,
    /// Where the de-identified notes go: a folder that does not exist yet, or is empty
    #[arg(long, value_name = "URI")]
    out: String,
    #[command(flatten)]
    deidentify: DeidentifyArguments,
    #[command(flatten)]
    policy: PolicyArguments,
}

/// What `run` and `detect` share.
#[derive(Debug, Args)]
pub(super) struct JobArguments {
    /// The notes: a Parquet or JSON Lines file, a folder of them, or a Hive-partitioned tree; a local path, s3://, gs:// or az://
    #[arg(long, value_name = "URI")]
    notes: String,
    /// Where stages hand on their tables, and refused rows are listed: confidential. Kept when given [default: the output's name +
    /// `.work`, removed at the end unless rows were refused]
    #[arg(long, value_name = "URI")]
    work: Option<String>,
    /// Do not look for what is found with confidence in one note of a patient in the patient's other notes
    #[arg(long)]
    no_second_pass: bool,
    #[command(flatten)]
    pub(super) columns: ColumnArguments,
    /// How many workers [default: one a processor]
    #[arg(long, value_name = "N")]
    partitions: Option<usize>,
    /// Replace the earlier output at --out
    #[arg(long)]
    overwrite: bool,
}

impl JobArguments {
    pub(super) fn options(&self, out: &str, deidentify: &DeidentifyArguments) -> Result<RunOptions> {
        let out = Location::parse(out)?;
        let work = match (&self.work, out.local_path()) {
            (Some(work), _) => Location::parse(work)?,
            (None, Some(_)) => Location::parse(&format!("{}.work", out.uri().trim_end_matches('/')))?,
            (None, None) => Location::parse(
                &std::env::temp_dir().join(format!("plainsight-{}.work", std::process::id())).to_string_lossy(),
            )?,
        };
        Ok(RunOptions {
            notes: Location::parse(&self.notes)?,
            patients: deidentify.patients.as_deref().map(Location::parse).transpose()?,
            keep_work: self.work.is_some(),
            out,
            work,
            second_pass: !self.no_second_pass,
            columns: self.columns.options()?,
            partitions: self.partitions.unwrap_or_else(available_workers).max(1),
            overwrite: self.overwrite,
        })
    }
}

pub(super) async fn run(arguments: RunArguments, log_format: LogFormat) -> Result<()> {
    let options = arguments.job.options(&arguments.out, &arguments.deidentify)?;
    let preset = arguments.job.columns.preset();
    let deidentifier = arguments.deidentify.deidentifier(Some(&arguments.policy), preset).await?;
    let progress = Progress::new(log_format);
    let report = crate::corpus::run(&options, Arc::new(deidentifier), &progress).await?;
    tell_refused(&options, &report, &progress);
    super::print(format!("\n{report}\n  report: {}\n", options.out.join("_plainsight/run.json").uri()))
}

/// Says where the refused rows are listed, if there are any.
pub(super) fn tell_refused(options: &RunOptions, report: &RunReport, progress: &Progress) {
    if !report.quarantined.is_empty() {
        progress.message(&format!("refused rows are listed in {}", options.work.join("quarantine.jsonl").uri()));
    }
}
