//! `plainsight count`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::arguments::{CorpusArguments, KeyArguments};
use super::progress::{LogFormat, Progress};
use super::whole_file::refuse_among_inputs;
use crate::corpus::{CorpusError, Deidentifier, Result};

#[derive(Debug, Args)]
pub(super) struct CountArguments {
    #[command(flatten)]
    corpus: CorpusArguments,
    #[command(flatten)]
    key: KeyArguments,
    /// How the counts are printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Draw both curves into this SVG file: the share of the commonest sentences, and the growth of distinct ones
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum, Default)]
enum Format {
    /// Tables for people
    #[default]
    Text,
    /// One JSON object
    Json,
}

pub(super) async fn count(arguments: CountArguments, log_format: LogFormat) -> Result<()> {
    let options = arguments.corpus.options(None)?;
    if let Some(file) = &arguments.plot {
        refuse_among_inputs(&[("--plot", file)], &options)?;
        // Told before hours of counting.
        if file.parent().is_some_and(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
            return Err(CorpusError::configuration(
                format!("there is no folder for --plot `{}`", file.display()),
                "make it, or name a file in one that is there",
            ));
        }
    }
    let deidentifier = Deidentifier::new().with_key(arguments.key.required()?).with_context(arguments.corpus.context);
    let prevalence = crate::corpus::prevalence(&options, Arc::new(deidentifier), &Progress::new(log_format)).await?;
    if let Some(file) = &arguments.plot {
        let fail = |error| CorpusError::output(file.display().to_string(), error);
        std::fs::write(file, prevalence.plot()).map_err(fail)?;
    }
    match arguments.format {
        Format::Text => super::print(format!("\n{prevalence}")),
        Format::Json => {
            let json = serde_json::to_string_pretty(&prevalence).map_err(|error| CorpusError::output("JSON", error))?;
            super::print(json + "\n")
        }
    }
}
