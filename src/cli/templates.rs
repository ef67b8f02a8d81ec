//! `plainsight templates`: sentences of one fixed shape, tagged by rule.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};

use super::arguments::{CorpusArguments, DeidentifyArguments, templates_in};
use super::progress::{LogFormat, Progress};
use super::whole_file;
use crate::corpus::{CorpusError, Deidentifier, Result, check_templates, harvest};
use crate::detect::template::{Conflict, Refusal, Settings};
use crate::detect::{DetectError, Half};

#[derive(Debug, Args)]
pub(super) struct TemplatesArguments {
    #[command(subcommand)]
    command: TemplatesCommand,
}

#[derive(Debug, Subcommand)]
enum TemplatesCommand {
    /// Make templates of what always has one shape in a sample of notes, and is always claimed alike
    Harvest(Box<HarvestArguments>),
    /// Hold templates against what the ensemble claims on the sentences of notes; fails where one would let some of an identifier pass
    Check(Box<CheckArguments>),
    /// Count what a template file holds
    Stats {
        /// A template file
        file: PathBuf,
    },
}

#[derive(Debug, Args)]
struct HarvestArguments {
    #[command(flatten)]
    corpus: CorpusArguments,
    #[command(flatten)]
    deidentify: DeidentifyArguments,
    /// The template file, which does not exist yet. Its examples are filled at random, so nobody is in them; read it all the same
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// List what became no template, and why. Confidential: it quotes the notes
    #[arg(long, value_name = "FILE")]
    conflicts: Option<PathBuf>,
    /// The least number of distinct sentences of one shape
    #[arg(long, value_name = "N", default_value_t = Settings::default().least_sentences)]
    sentences_at_least: u64,
    /// The least number of patients with sentences of that shape
    #[arg(long, value_name = "N", default_value_t = Settings::default().least_patients)]
    patients_at_least: u64,
    /// The least share of the sentences that a template matches on which the ensemble does not say otherwise. Nowhere may the ensemble
    /// claim what lies outside the slots, however low this is
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().least_purity, value_parser = share)]
    purity_at_least: f64,
}

/// A share of all.
fn share(text: &str) -> std::result::Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a number from 0 to 1".to_owned())
}

#[derive(Debug, Args)]
struct CheckArguments {
    /// A template file
    file: PathBuf,
    #[command(flatten)]
    corpus: CorpusArguments,
    #[command(flatten)]
    deidentify: DeidentifyArguments,
}

pub(super) async fn templates(arguments: TemplatesArguments, log_format: LogFormat) -> Result<()> {
    // Templates quote notes.
    super::keep_files_private();
    match arguments.command {
        TemplatesCommand::Harvest(arguments) => gather(*arguments, log_format).await,
        TemplatesCommand::Check(arguments) => hold(*arguments, log_format).await,
        TemplatesCommand::Stats { file } => {
            let templates = templates_in(&file, "the template file")?;
            super::print(format!("{}\n", templates.statistics()))
        }
    }
}

/// The finder, which must have no templates and no list of its own: they would answer in the ensemble's place.
async fn finder(corpus: &CorpusArguments, deidentify: &DeidentifyArguments) -> Result<Arc<Deidentifier>> {
    if deidentify.has_lists() {
        return Err(CorpusError::configuration(
            "--inclusion and --templates would answer in the place of the detectors",
            "leave them out",
        ));
    }
    let (preset, source) = (corpus.columns.preset(), Some(&corpus.source));
    deidentify.deidentifier_of(Half::Both, None, preset, corpus.context, source).await.map(Arc::new)
}

async fn gather(arguments: HarvestArguments, log_format: LogFormat) -> Result<()> {
    let conflicts = arguments.conflicts.iter().map(|file| ("--conflicts", file.as_path()));
    let files: Vec<_> = std::iter::once(("--out", arguments.out.as_path())).chain(conflicts).collect();
    whole_file::check_new(&files.iter().map(|(_, file)| *file).collect::<Vec<_>>())?;
    let settings = Settings {
        least_sentences: arguments.sentences_at_least.max(1),
        least_patients: arguments.patients_at_least,
        least_purity: arguments.purity_at_least,
        ..Settings::default()
    };
    let options = arguments.corpus.options(None)?;
    whole_file::refuse_among_inputs(&files, &options)?;
    let deidentifier = finder(&arguments.corpus, &arguments.deidentify).await?;
    let found = harvest(&options, settings, deidentifier, &Progress::new(log_format)).await?;
    let write = |file: &PathBuf, text: &str| {
        whole_file::put_new(file, text.as_bytes())
            .map_err(|error| CorpusError::output(file.display().to_string(), error))
    };
    write(&arguments.out, &found.to_toml())?;
    if let Some(file) = &arguments.conflicts {
        let conflict = |conflict: &Conflict| format!("{conflict}\n    {}\n", conflict.syntax);
        let refusal = |refusal: &Refusal| format!("{refusal}\n    {}\n", refusal.syntax);
        let lines = found.conflicts.iter().map(conflict).chain(found.refusals.iter().map(refusal));
        write(file, &lines.collect::<String>())?;
    }
    let occurrences: u64 = found.rules.iter().map(|rule| rule.support.occurrences).sum();
    super::print(format!(
        "{} templates, which {occurrences} sentences of the notes match; {} shapes conflict, {} were refused\n\
         read them before you use them: {}\n",
        found.rules.len(),
        found.conflicts.len(),
        found.refusals.len(),
        arguments.out.display()
    ))
}

async fn hold(arguments: CheckArguments, log_format: LogFormat) -> Result<()> {
    let templates = templates_in(&arguments.file, "the template file")?;
    let options = arguments.corpus.options(None)?;
    let deidentifier = finder(&arguments.corpus, &arguments.deidentify).await?;
    let checked = check_templates(&options, &templates, deidentifier, &Progress::new(log_format)).await?;
    let mut told = format!(
        "{:<24}{:>10}{:>10}{:>12}{:>14}{:>10}\n",
        "template", "matched", "agree", "complete", "contradict", "lose"
    );
    for one in &checked {
        let tally = one.tally;
        told.push_str(&format!(
            "{:<24}{:>10}{:>10}{:>12}{:>14}{:>10}\n",
            one.name,
            tally.matched(),
            tally.agreeing,
            tally.completing,
            tally.contradicting,
            tally.losing
        ));
    }
    super::print(told)?;
    match checked.iter().find(|one| one.tally.losing > 0) {
        Some(one) => {
            let reason = format!("in {} sentences it would let some of an identifier pass", one.tally.losing);
            Err(DetectError::Template { name: one.name.clone(), reason }.into())
        }
        None => Ok(()),
    }
}
