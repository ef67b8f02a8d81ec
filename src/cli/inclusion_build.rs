//! `plainsight inclusion build`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::arguments::{CorpusArguments, DeidentifyArguments, label_map};
use super::inclusion::save_new;
use super::progress::{LogFormat, Progress};
use super::whole_file;
use crate::corpus::evaluation::annotated_texts;
use crate::corpus::{CandidateOptions, CorpusError, Location, Result, candidates, gold_candidates};
use crate::detect::Half;
use crate::detect::inclusion::ReviewFile;

#[derive(Debug, Args)]
pub(super) struct BuildArguments {
    #[command(flatten)]
    corpus: CorpusArguments,
    #[command(flatten)]
    deidentify: DeidentifyArguments,
    /// The review file, which does not exist yet: a Parquet table where its name ends in .parquet, else a CSV. Confidential: it
    /// quotes the notes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many of the most prevalent sentences are candidates
    #[arg(long, value_name = "N", default_value_t = 25_000)]
    prevalent: u64,
    /// How many of the most prevalent others that hold a disease, drug or procedure term
    #[arg(long, value_name = "N", default_value_t = 25_000)]
    medical: u64,
    /// No sentence that fewer patients have [default: 10; with --from-gold 1]
    #[arg(long, value_name = "N")]
    patients_at_least: Option<u64>,
    /// Instead of the most prevalent: the sentences of these validated notes in which nobody marked an identifier; gold spans in any
    /// format that `evaluate` takes, of those among the notes given by --notes that they name
    #[arg(long, value_name = "URI")]
    from_gold: Option<String>,
    /// What the labels of --from-gold mean; `any` takes all for identifiers
    #[arg(long, value_name = "NAME|FILE", default_value = "any")]
    gold_labels: String,
}

pub(super) async fn build(arguments: BuildArguments, log_format: LogFormat) -> Result<()> {
    whole_file::check_new(&[&arguments.out])?;
    let options = arguments.corpus.options(None)?;
    whole_file::refuse_among_inputs(&[("--out", &arguments.out)], &options)?;
    let preset = arguments.corpus.columns.preset();
    let context = arguments.corpus.context;
    let deidentifier =
        arguments.deidentify.deidentifier_of(Half::Both, None, preset, context, Some(&arguments.corpus.source)).await?;
    let found = match &arguments.from_gold {
        Some(gold) => {
            let labels = label_map(&arguments.gold_labels, "--gold-labels")?;
            let notes = (options.notes.clone(), options.columns.clone());
            let gold = annotated_texts(&Location::parse(gold)?, &labels, Some(&notes)).await?;
            let named = gold.iter().filter(|note| note.is_named).count();
            super::print(format!("{named} of {} notes are annotated, and are taken\n", gold.len()))?;
            gold_candidates(&gold, arguments.patients_at_least.unwrap_or(1), &deidentifier)?
        }
        None => {
            let choice = CandidateOptions {
                prevalent: arguments.prevalent,
                medical: arguments.medical,
                patients_at_least: arguments.patients_at_least.unwrap_or(10),
            };
            candidates(&options, choice, Arc::new(deidentifier), &Progress::new(log_format)).await?
        }
    };
    let claimed = found.iter().filter(|candidate| candidate.is_claimed()).count();
    let all = found.len();
    let occurrences: u64 = found.iter().map(|candidate| candidate.occurrences).sum();
    let file = ReviewFile::new(context, found).map_err(|error| CorpusError::internal(error.to_string()))?;
    save_new(&arguments.out, &file)?;
    super::print(format!(
        "{all} candidates, {occurrences} sentences of the notes; {claimed} are set apart, for a detector claims something in them\n\
         decide on them: plainsight inclusion review {} --reviewer NAME\n",
        arguments.out.display()
    ))
}
