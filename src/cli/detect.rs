//! `plainsight detect`.

use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::arguments::DeidentifyArguments;
use super::metrics::Metrics;
use super::progress::{LogFormat, Progress};
use super::run::{JobArguments, tell_refused};
use crate::corpus::Result;
use crate::detect::Half;

#[derive(Debug, Args)]
pub(super) struct DetectArguments {
    #[command(flatten)]
    job: JobArguments,
    /// The file of spans: Parquet or JSON Lines by its ending. Confidential: it tells where the identifiers are
    #[arg(long, value_name = "URI")]
    out: String,
    #[command(flatten)]
    deidentify: DeidentifyArguments,
    /// Which half of the ensemble is asked
    #[arg(long, value_enum, default_value_t)]
    detectors: Detectors,
}

#[derive(Debug, Clone, Copy, ValueEnum, Default)]
enum Detectors {
    /// Patterns, dictionaries and templates; the patient's record is matched too
    Knowledge,
    /// Trained models; the patient's record is matched too
    Learned,
    /// Every detector there is
    #[default]
    All,
}

pub(super) async fn detect(arguments: DetectArguments, log_format: LogFormat, metrics: &Metrics) -> Result<()> {
    // Spans tell of notes, also while they are written.
    super::keep_files_private();
    let out = arguments.job.target.location(&arguments.out)?;
    let options = arguments.job.options(out, &arguments.deidentify)?;
    let half = match arguments.detectors {
        Detectors::Knowledge => Half::Knowledge,
        Detectors::Learned => Half::Learned,
        Detectors::All => Half::Both,
    };
    let deidentifier = arguments.job.deidentifier(half, &arguments.deidentify, None).await?;
    let progress = Progress::new(log_format);
    let report = crate::corpus::detect(&options, Arc::new(deidentifier), &metrics.observing(&progress)).await?;
    metrics.report(&report);
    tell_refused(&options, &report, &progress);
    super::print(format!("\n{report}"))
}
