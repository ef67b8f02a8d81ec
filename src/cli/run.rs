//! `plainsight run`.

use std::sync::Arc;

use clap::Args;

use super::arguments::{ColumnArguments, DeidentifyArguments, PolicyArguments, available_workers};
use super::progress::{LogFormat, Progress};
use crate::corpus::{Location, Result, RunOptions};

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
    /// Where stages hand on their tables; confidential, kept when given [default: the output's name + `.work`, removed at the end]
    #[arg(long, value_name = "URI")]
    work: Option<String>,
    #[command(flatten)]
    pub(super) columns: ColumnArguments,
    /// How many workers [default: one a processor]
    #[arg(long, value_name = "N")]
    partitions: Option<usize>,
    /// Replace what is at --out
    #[arg(long)]
    overwrite: bool,
}

impl JobArguments {
    pub(super) fn options(&self, out: &str) -> Result<RunOptions> {
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
            out,
            work,
            columns: self.columns.options()?,
            partitions: self.partitions.unwrap_or_else(available_workers).max(1),
            overwrite: self.overwrite,
        })
    }

    /// Removes the work location unless the user named it, or rows were refused: their list stays.
    pub(super) async fn clear_work(&self, options: &RunOptions, keep: bool) -> Result<()> {
        if self.work.is_some() {
            return Ok(());
        }
        if keep {
            for table in ["counts", "sentences", "claims"] {
                options.work.join(table).clear().await?;
            }
            return Ok(());
        }
        options.work.clear().await
    }
}

pub(super) async fn run(arguments: RunArguments, log_format: LogFormat) -> Result<()> {
    let options = arguments.job.options(&arguments.out)?;
    let deidentifier =
        arguments.deidentify.deidentifier(Some(&arguments.policy), arguments.job.columns.preset()).await?;
    let progress = Progress::new(log_format);
    let report = match crate::corpus::run(&options, Arc::new(deidentifier), &progress).await {
        Ok(report) => report,
        Err(error) => {
            let _ = arguments.job.clear_work(&options, false).await;
            return Err(error);
        }
    };
    let refused = !report.quarantined.is_empty();
    arguments.job.clear_work(&options, refused).await?;
    if refused {
        progress.message(&format!("refused rows are listed in {}", options.work.join("quarantine.jsonl").uri()));
    }
    super::print(format!("\n{report}\n  report: {}\n", options.out.join("_plainsight/run.json").uri()))
}
