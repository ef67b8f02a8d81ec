//! `plainsight generate`.

use std::num::NonZeroUsize;

use clap::Args;

use super::arguments::workers;
use super::progress::{LogFormat, Progress};
use crate::corpus::warehouse::write_warehouse;
use crate::corpus::{CorpusError, Location, Result};
use crate::generate::GenerateOptions;

#[derive(Debug, Args)]
pub(super) struct GenerateArguments {
    /// How many notes
    #[arg(long, value_name = "N")]
    notes: u64,
    /// How many patients [default: one for every 20 notes]
    #[arg(long, value_name = "P")]
    patients: Option<u64>,
    /// Where `notes/`, `patients/` and `gold/` go
    #[arg(long, value_name = "URI")]
    out: String,
    /// The same seed gives the same warehouse
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Use invented names and ids that occur nowhere else, so that a leak can be searched for
    #[arg(long)]
    canary: bool,
    /// How many workers [default: one a processor]
    #[arg(long, value_name = "N")]
    partitions: Option<NonZeroUsize>,
    /// Replace the earlier output at --out
    #[arg(long)]
    overwrite: bool,
}

pub(super) async fn generate(arguments: GenerateArguments, log_format: LogFormat) -> Result<()> {
    let patients = arguments.patients.unwrap_or_else(|| arguments.notes.div_ceil(20)).max(1);
    if arguments.notes > 0 && arguments.patients == Some(0) {
        return Err(CorpusError::configuration("notes need patients", "give --patients 1 or more"));
    }
    let options = GenerateOptions { notes: arguments.notes, patients, seed: arguments.seed, canary: arguments.canary };
    let workers = workers(arguments.partitions);
    write_warehouse(
        options,
        &Location::parse(&arguments.out)?,
        workers,
        arguments.overwrite,
        &Progress::new(log_format),
    )
    .await
}
