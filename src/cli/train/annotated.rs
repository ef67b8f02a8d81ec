//! Arguments that the subcommands of `train` share: annotated notes, an ensemble, and what is asked of it.

use std::path::PathBuf;

use clap::Args;

use super::super::arguments::{ColumnArguments, DeviceArguments, ensemble_file, label_map};
use super::super::progress::warn;
use crate::corpus::evaluation::{AnnotatedText, annotated_texts};
use crate::corpus::{CorpusError, Location, Result};
use crate::detect::neural::RuntimeOptions;
use crate::detect::{EnsembleDescription, InclusionList, Shipped, Templates};
use crate::evaluate::LabelMap;
use crate::phi::Label;
use crate::train::dial::Target;
use crate::train::stacking::EnsembleError;
use crate::train::{Example, examples, overlapping};

/// Annotated notes.
#[derive(Debug, Args)]
pub(super) struct Annotated {
    /// Annotated notes: a table of note_id, start, end, label in Parquet or JSON Lines, or a folder of i2b2 XML, brat standoff or
    /// CoNLL files, told apart by their endings
    #[arg(long, value_name = "URI")]
    gold: String,
    /// The notes, where the annotations do not carry the texts; one without an annotation is taken to have no identifier
    #[arg(long, value_name = "URI")]
    notes: Option<String>,
    #[command(flatten)]
    columns: ColumnArguments,
    /// What the labels mean: any (each as it is), plainsight, i2b2-2006, i2b2-2014, physionet-deid, meddocan, presidio, ontonotes, or
    /// a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "any")]
    gold_labels: String,
}

impl Annotated {
    /// The sentences of the annotated notes.
    pub(super) async fn read(&self) -> Result<Vec<Example>> {
        self.read_from(&self.gold, self.notes.as_deref()).await
    }

    /// What is read, by its flags.
    pub(super) fn inputs(&self) -> Result<Vec<(&'static str, Location)>> {
        let mut inputs = vec![("--gold", Location::parse(&self.gold)?)];
        inputs.extend(self.notes.as_deref().map(Location::parse).transpose()?.map(|notes| ("--notes", notes)));
        if !LabelMap::names().contains(&self.gold_labels.as_str()) {
            inputs.push(("--gold-labels", Location::parse(&self.gold_labels)?));
        }
        Ok(inputs)
    }

    /// The sentences of other annotations and their notes, in the same format.
    pub(super) async fn read_from(&self, gold: &str, notes: Option<&str>) -> Result<Vec<Example>> {
        // Our own times are auxiliary: who learned to claim them as a label of the site would have them replaced.
        let labels = label_map(&self.gold_labels, "--gold-labels")?.with_auxiliary_times();
        let notes = notes.map(Location::parse).transpose()?;
        let notes = notes.map(|notes| Ok::<_, CorpusError>((notes, self.columns.options()?))).transpose()?;
        let texts = annotated_texts(&Location::parse(gold)?, &labels, notes.as_ref()).await?;
        let times = texts.iter().flat_map(|note| &note.spans).filter(|(_, label)| label == Label::Time.name()).count();
        if times > 0 {
            warn(&format!(
                "{times} spans of `{gold}` are TIME: clock times are learned and claimed as no identifier; call them SITE-TIME where they are one"
            ));
        }
        let overlapping: usize = texts.iter().map(|note| overlapping(&note.spans)).sum();
        if overlapping > 0 {
            warn(&format!(
                "{overlapping} spans of `{gold}` overlap others: of those that overlap, the first is learned"
            ));
        }
        // A sentence is learned by itself, for that is how the engine will ask: a distinct sentence has one answer.
        let alone = |example: Example| Example { context: None, ..example };
        let examples = |note: &AnnotatedText| examples(&note.text, &note.spans, &note.group);
        Ok(texts.iter().flat_map(examples).map(alone).collect())
    }
}

/// The ensemble that something is trained for.
#[derive(Debug, Args)]
pub(super) struct Members {
    /// The ensemble: `shipped`, `fast`, or an ensemble.toml
    #[arg(long, value_name = "shipped|fast|FILE", default_value = "shipped")]
    ensemble: String,
    #[command(flatten)]
    device: DeviceArguments,
}

impl Members {
    pub(super) fn description(&self) -> Result<EnsembleDescription> {
        Ok(match self.ensemble.as_str() {
            "shipped" => EnsembleDescription::shipped(Shipped::Whole)?,
            "fast" => EnsembleDescription::shipped(Shipped::Fast)?,
            "knowledge" => {
                return Err(CorpusError::configuration(
                    "the ensemble `knowledge` has no trained member",
                    "give shipped, fast, or the file of one that has",
                ));
            }
            file => EnsembleDescription::read(ensemble_file(file, "shipped, fast")?)?,
        })
    }

    /// The file that the ensemble is read from, by its flag; none where it is compiled in.
    pub(super) fn input(&self) -> Result<Option<(&'static str, Location)>> {
        let file = Some(self.ensemble.as_str()).filter(|file| !["shipped", "fast"].contains(file));
        Ok(file.map(Location::parse).transpose()?.map(|file| ("--ensemble", file)))
    }

    pub(super) fn options(&self) -> RuntimeOptions {
        self.device.options()
    }
}

/// What an ensemble is opened from: no output may take its place.
pub(super) fn members_of(ensemble: &EnsembleDescription) -> Result<Vec<(&'static str, Location)>> {
    let place = |file: PathBuf| Ok(("a member of --ensemble", Location::parse(&file.to_string_lossy())?));
    ensemble.files().map(place).collect()
}

/// A site's lists have no part in training: every sentence is to be judged.
pub(super) fn no_lists() -> (InclusionList, Templates) {
    (InclusionList::default(), Templates::default())
}

/// What is asked for, by words, of notes that nothing was learned from.
#[derive(Debug, Args)]
pub(super) struct TargetArguments {
    /// At least this share of the identifiers' words, at the highest precision
    #[arg(long, value_name = "SHARE", conflicts_with = "target_precision")]
    target_recall: Option<f64>,
    /// At least this precision, at the highest recall
    #[arg(long, value_name = "SHARE")]
    target_precision: Option<f64>,
    /// Write what comes nearest where the target cannot be reached
    #[arg(long)]
    nearest: bool,
}

impl TargetArguments {
    pub(super) fn target(&self) -> Option<Target> {
        let recall = self.target_recall.map(Target::Recall);
        recall.or(self.target_precision.map(Target::Precision))
    }

    /// Refuses what does not reach the target, where the nearest was not asked for.
    pub(super) fn check(&self, reached: bool) -> Result<()> {
        if reached || self.nearest {
            return Ok(());
        }
        Err(CorpusError::configuration(
            "the target is not reached on these notes, and nothing is written",
            "ask for less, add a member that finds more, or take what comes nearest with --nearest",
        ))
    }
}

/// What is at fault, for users.
pub(super) fn told(error: EnsembleError) -> CorpusError {
    match error {
        EnsembleError::Train(error) => super::fault(error),
        EnsembleError::Detect(error) => error.into(),
    }
}
