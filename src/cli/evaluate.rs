//! `plainsight evaluate`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{ColumnArguments, label_map};
use crate::corpus::evaluation::{EvaluateOptions, evaluate as compare, refuse_overwriting};
use crate::corpus::{CorpusError, Location, Result, refuse_released};
use crate::evaluate::{Bootstrap, Comparison, LabelMap};

/// More replicates make intervals no better, and are held in memory.
const MOST_REPLICATES: i64 = 1_000_000;

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
    #[arg(long, value_name = "N", default_value_t = Bootstrap::REPLICATES as u32, value_parser = clap::value_parser!(u32).range(..=MOST_REPLICATES))]
    replicates: u32,
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
    let predicted = named(&arguments.predicted)?;
    let options = EvaluateOptions {
        gold: Location::parse(&arguments.gold)?,
        gold_labels: label_map(&arguments.gold_labels, "--gold-labels")?,
        predicted,
        predicted_labels: label_map(&arguments.predicted_labels, "--predicted-labels")?,
        notes: notes.map(|notes| (notes, columns)),
        note_type: arguments.note_type,
        replicates: arguments.replicates as usize,
        errors: arguments.errors.as_deref().map(Location::parse).transpose()?,
    };
    check_outputs(&options, arguments.html.as_deref(), [&arguments.gold_labels, &arguments.predicted_labels])?;
    if let Some(errors) = &options.errors {
        refuse_released(errors).await?;
    }
    let comparison = compare(&options).await?;
    if let Some(file) = &arguments.html {
        let written = std::fs::write(file, page(&comparison));
        written.map_err(|error| CorpusError::output(file.display().to_string(), error))?;
    }
    report(&comparison, arguments.json)
}

/// Predictions with their names: the given ones, or else the last parts of their places, with as much more of these as tells them apart.
fn named(predicted: &[String]) -> Result<Vec<(String, Location)>> {
    let given: Vec<(Option<&str>, &str)> = predicted.iter().map(|predicted| cut(predicted)).collect();
    let name = |at: usize, part: Part| {
        let (given, place) = given[at];
        given.map_or_else(|| part.of(place), str::to_owned)
    };
    let mut names: Vec<String> = (0..given.len()).map(|at| name(at, Part::Stem)).collect();
    for part in [Part::StemInFolder, Part::FileInFolder] {
        for at in shared(&names) {
            names[at] = name(at, part);
        }
    }
    if let Some(&at) = shared(&names).first() {
        return Err(CorpusError::configuration(
            format!("several predictions are called `{}`", names[at]),
            "name them apart: --predicted NAME=PATH",
        ));
    }
    names.into_iter().zip(given).map(|(name, (_, place))| Ok((name, Location::parse(place)?))).collect()
}

/// The name that is given with a place, and the place.
fn cut(predicted: &str) -> (Option<&str>, &str) {
    match predicted.split_once('=') {
        Some((name, place)) if !name.contains('/') => (Some(name), place),
        _ => (None, predicted),
    }
}

/// The names that are there more than once, by their places in the list.
fn shared(names: &[String]) -> Vec<usize> {
    let is_shared = |at: &usize| names.iter().filter(|other| **other == names[*at]).count() > 1;
    (0..names.len()).filter(is_shared).collect()
}

/// How much of a place makes a name.
#[derive(Clone, Copy)]
enum Part {
    Stem,
    StemInFolder,
    FileInFolder,
}

impl Part {
    fn of(self, place: &str) -> String {
        let mut parts = place.trim_end_matches('/').rsplit('/');
        let file = parts.next().unwrap_or(place);
        let stem = file.split('.').next().unwrap_or(file);
        let last = if matches!(self, Self::FileInFolder) { file } else { stem };
        match (self, parts.next()) {
            (Self::StemInFolder | Self::FileInFolder, Some(folder)) if !folder.is_empty() => format!("{folder}/{last}"),
            _ => last.to_owned(),
        }
    }
}

/// Refuses a report or a listing of errors in the place of what is read.
fn check_outputs(options: &EvaluateOptions, html: Option<&Path>, labels: [&str; 2]) -> Result<()> {
    let html = html.map(|file| Location::parse(&file.to_string_lossy())).transpose()?;
    let outputs = [("--errors", options.errors.clone()), ("--html", html)];
    let outputs: Vec<_> = outputs.into_iter().filter_map(|(flag, place)| Some((flag, place?))).collect();
    let mut inputs = vec![("--gold", options.gold.clone())];
    inputs.extend(options.predicted.iter().map(|(_, place)| ("--predicted", place.clone())));
    inputs.extend(options.notes.iter().map(|(place, _)| ("--notes", place.clone())));
    for (flag, labels) in ["--gold-labels", "--predicted-labels"].into_iter().zip(labels) {
        if !LabelMap::names().contains(&labels) {
            inputs.push((flag, Location::parse(labels)?));
        }
    }
    refuse_overwriting(&outputs, &inputs, &[])
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(predicted: &[&str]) -> Result<Vec<String>> {
        let predicted: Vec<String> = predicted.iter().map(|&predicted| predicted.to_owned()).collect();
        Ok(named(&predicted)?.into_iter().map(|(name, _)| name).collect())
    }

    #[test]
    fn predictions_are_told_apart() {
        for (predicted, expected) in [
            (["a.jsonl", "b.jsonl"], ["a", "b"]),
            (["rules=x/a.jsonl", "y/a.jsonl"], ["rules", "a"]),
            (["x/gold", "y/gold/"], ["x/gold", "y/gold"]),
            (["a=x/b.jsonl", "y/a.jsonl"], ["a", "y/a"]),
            (["x/a.v1.jsonl", "x/a.v2.jsonl"], ["x/a.v1.jsonl", "x/a.v2.jsonl"]),
        ] {
            assert_eq!(names(&predicted).unwrap(), expected);
        }
        for predicted in [["x/a.jsonl", "x/a.jsonl"], ["a=x.jsonl", "a=y.jsonl"]] {
            let refused = names(&predicted).unwrap_err();
            assert!(refused.is_usage() && refused.to_string().contains("NAME=PATH"), "{refused}");
        }
    }

    #[test]
    fn what_is_read_is_not_written_over() {
        let place = |name: &str| Location::parse(&format!("/nowhere/{name}")).unwrap();
        let mut options = EvaluateOptions::new(place("gold.jsonl"), place("spans.jsonl"));
        let html = |name: &str| PathBuf::from(format!("/nowhere/{name}"));
        let labels = ["plainsight", "/nowhere/labels.toml"];
        assert!(check_outputs(&options, Some(&html("page.html")), labels).is_ok());
        for input in ["gold.jsonl", "spans.jsonl", "labels.toml"] {
            assert!(check_outputs(&options, Some(&html(input)), labels).unwrap_err().is_usage());
        }
        options.errors = Some(place("spans.jsonl"));
        assert!(check_outputs(&options, None, labels).unwrap_err().to_string().contains("--errors"));
    }
}
