//! `plainsight evaluate`.

use std::path::PathBuf;

use clap::Args;

use super::arguments::{ColumnArguments, label_map};
use crate::corpus::evaluation::{EvaluateOptions, evaluate as compare};
use crate::corpus::{CorpusError, Location, Result};
use crate::evaluate::{Bootstrap, Comparison};

#[derive(Debug, Args)]
pub(super) struct EvaluateArguments {
    /// Gold annotations: a table of note_id, start, end, label in Parquet or JSON Lines, or a folder of i2b2 XML, brat standoff
    /// or CoNLL files, told apart by their endings. Spans labelled NOT-PHI are decoys
    #[arg(long, value_name = "URI")]
    gold: String,
    /// Predicted annotations in any of these formats, with a name for reports; several are shown side by side, with what each
    /// gains over the first. Another annotator's serve as well: kappa is reported
    #[arg(long, value_name = "[NAME=]URI", required = true)]
    predicted: Vec<String>,
    /// The notes, for their tokens [default: the folder `notes` beside a gold folder named `gold`, or the texts that gold carries;
    /// without notes every character counts as one token]
    #[arg(long, value_name = "URI")]
    notes: Option<String>,
    #[command(flatten)]
    columns: ColumnArguments,
    /// The column of the notes that holds their type
    #[arg(long, value_name = "NAME", default_value = "note_type")]
    note_type: String,
    /// What gold's labels mean: plainsight, any (each is a label of its own), i2b2-2006, i2b2-2014, physionet-deid, meddocan,
    /// presidio, ontonotes, or a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "plainsight")]
    gold_labels: String,
    /// What the predictions' labels mean
    #[arg(long, value_name = "NAME|FILE", default_value = "plainsight")]
    predicted_labels: String,
    /// Bootstrap replicates for the 95 % intervals, drawn over patients; 0 for none
    #[arg(long, value_name = "N", default_value_t = Bootstrap::REPLICATES)]
    replicates: usize,
    /// List every error with its words and context in this JSON Lines file. Confidential: it quotes the notes
    #[arg(long, value_name = "URI")]
    errors: Option<String>,
    /// Write the report as one HTML page with plots
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

pub(super) async fn evaluate(arguments: EvaluateArguments) -> Result<()> {
    let notes = match &arguments.notes {
        Some(notes) => Some(Location::parse(notes)?),
        None => notes_beside(&arguments.gold).await?,
    };
    let columns = arguments.columns.options()?;
    let predicted = arguments.predicted.iter().map(|predicted| named(predicted)).collect::<Result<Vec<_>>>()?;
    let options = EvaluateOptions {
        gold: Location::parse(&arguments.gold)?,
        gold_labels: label_map(&arguments.gold_labels, "--gold-labels")?,
        predicted,
        predicted_labels: label_map(&arguments.predicted_labels, "--predicted-labels")?,
        notes: notes.map(|notes| (notes, columns)),
        note_type: arguments.note_type,
        replicates: arguments.replicates,
        errors: arguments.errors.as_deref().map(Location::parse).transpose()?,
    };
    let comparison = compare(&options).await?;
    if let Some(file) = &arguments.html {
        let written = std::fs::write(file, page(&comparison));
        written.map_err(|error| CorpusError::output(file.display().to_string(), error))?;
    }
    report(&comparison, arguments.json)
}

/// A prediction with its name: the given one, or else the last part of its place.
fn named(predicted: &str) -> Result<(String, Location)> {
    let (name, uri) = match predicted.split_once('=') {
        Some((name, uri)) if !name.contains('/') => (name.to_owned(), uri),
        _ => {
            let last = predicted.trim_end_matches('/').rsplit('/').next().unwrap_or(predicted);
            (last.split('.').next().unwrap_or(last).to_owned(), predicted)
        }
    };
    Ok((name, Location::parse(uri)?))
}

/// One prediction is told by itself, several beside one another.
fn page(comparison: &Comparison) -> String {
    match comparison.systems() {
        [(_, only)] => only.to_html(),
        _ => comparison.to_html(),
    }
}

fn report(comparison: &Comparison, json: bool) -> Result<()> {
    let fail = |error: serde_json::Error| CorpusError::output("standard output", error);
    match (comparison.systems(), json) {
        ([(_, only)], true) => super::print(serde_json::to_string_pretty(only).map_err(fail)? + "\n"),
        ([(_, only)], false) => super::print(only),
        (_, true) => super::print(serde_json::to_string_pretty(comparison).map_err(fail)? + "\n"),
        (_, false) => super::print(comparison),
    }
}

/// The notes of a warehouse as `generate` lays it out.
async fn notes_beside(gold: &str) -> Result<Option<Location>> {
    let Some(root) =
        gold.trim_end_matches('/').strip_suffix("gold").filter(|root| root.is_empty() || root.ends_with('/'))
    else {
        return Ok(None);
    };
    let notes = Location::parse(&format!("{root}notes"))?;
    Ok((!notes.is_vacant().await?).then_some(notes))
}
