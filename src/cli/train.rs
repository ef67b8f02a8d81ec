//! `plainsight train`: a CRF from annotated notes, what its features and examples are worth, and what an ensemble makes of its
//! members' claims.

mod annotated;
mod dial;
mod stack;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use self::annotated::Annotated;
use super::arguments::available_workers;
use super::progress::{LogFormat, Progress};
use crate::corpus::{CorpusError, Result};
use crate::detect::crf::{CrfModel, Dial, Families};
use crate::train::ablation::{ablation, feature_sets};
use crate::train::crf::{Negatives, Sampling, Settings};
use crate::train::customization::{Scenario, customize};
use crate::train::dial::{Choice, Measure, Target, choose, curve};
use crate::train::learning_curve::learning_curve;
use crate::train::scores::evaluate;
use crate::train::{Example, TrainError, divided};

/// The share of groups that figures are told on, where no notes are given for that.
const DEVELOPMENT: f64 = 0.2;

#[derive(Debug, Args)]
pub(super) struct TrainArguments {
    #[command(subcommand)]
    command: TrainCommand,
}

#[derive(Debug, Subcommand)]
enum TrainCommand {
    /// Train a conditional random field and write it to a file, with an ensemble.toml beside it to run it with
    Crf(CrfArguments),
    /// Train with every combination of feature sets and compare them (Gardner et al. 2010, figure 4)
    Report(ReportArguments),
    /// Train on more and more of the notes: how many are worth annotating
    Curve(CurveArguments),
    /// Train a model that decides over the claims of an ensemble's members, and compare it with union and majority (Liu et al. 2022)
    Stack(stack::StackArguments),
    /// Turn the dials of an ensemble to a recall or precision, and write it as a new ensemble.toml (Hartman et al. 2020)
    Dial(dial::DialArguments),
}

/// Annotated notes, and how to learn from them.
#[derive(Debug, Args)]
struct Learning {
    #[command(flatten)]
    annotated: Annotated,
    /// Annotated notes of other patients to measure on and turn the dial by, in the same format [default: a fifth of the patients]
    #[arg(long, value_name = "URI")]
    development: Option<String>,
    /// The notes of --development, where its annotations do not carry the texts
    #[arg(long, value_name = "URI", requires = "development")]
    development_notes: Option<String>,
    /// Families of features, joined by +, or all
    #[arg(long, value_name = "NAMES", default_value = "all")]
    features: Families,
    /// Which words outside of identifiers to learn from
    #[arg(long, value_enum, default_value_t)]
    sampling: SamplingName,
    /// Which sentences without identifiers to learn from
    #[arg(long, value_enum, default_value_t)]
    negatives: NegativesName,
    /// At most this many steps of the optimizer
    #[arg(long, value_name = "N", default_value_t = Settings::default().iterations)]
    iterations: usize,
    /// The weight of the absolute penalty: more makes a smaller model
    #[arg(long, value_name = "X", default_value_t = Settings::default().c1)]
    c1: f64,
    /// The weight of the square penalty
    #[arg(long, value_name = "X", default_value_t = Settings::default().c2)]
    c2: f64,
    /// What chance depends on
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    seed: u64,
}

#[derive(Debug, Clone, Copy, ValueEnum, Default)]
enum SamplingName {
    /// All of them
    #[default]
    All,
    /// Half of them, by chance, and the four before each identifier: more recall, less precision
    Random,
    /// Those within eight words of an identifier: more recall, less precision, and the fastest
    Window,
}

#[derive(Debug, Clone, Copy, ValueEnum, Default)]
enum NegativesName {
    /// All of them
    #[default]
    Full,
    /// As many as there are sentences with identifiers: more recall, less precision
    Balanced,
}

#[derive(Debug, Args)]
struct CrfArguments {
    #[command(flatten)]
    learning: Learning,
    /// The model's file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// A model to start from ("A then B"): what it knows stays where the notes have nothing to say. `shipped` is the one of English
    /// notes that is compiled in; its labels are plainsight's
    #[arg(long, value_name = "shipped|FILE", conflicts_with = "mix")]
    base: Option<String>,
    /// Annotated notes of other sites, in the same format, to learn from together with these ("A mix B")
    #[arg(long, value_name = "URI")]
    mix: Option<String>,
    /// The notes of --mix, where its annotations do not carry the texts
    #[arg(long, value_name = "URI", requires = "mix")]
    mix_notes: Option<String>,
    /// The share of patients to stop early by; they are not learned from
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    early_stopping: f64,
    /// Turn the recall dial until this share of the identifiers' words is found on the development notes
    #[arg(long, value_name = "SHARE", conflicts_with = "target_precision")]
    target_recall: Option<f64>,
    /// Turn the recall dial as far as this precision allows, by words, on the development notes
    #[arg(long, value_name = "SHARE")]
    target_precision: Option<f64>,
}

#[derive(Debug, Args)]
struct ReportArguments {
    #[command(flatten)]
    learning: Learning,
}

#[derive(Debug, Args)]
struct CurveArguments {
    #[command(flatten)]
    learning: Learning,
    /// Write the curve as an SVG plot
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

pub(super) async fn train(arguments: TrainArguments, log_format: LogFormat) -> Result<()> {
    match arguments.command {
        TrainCommand::Crf(arguments) => crf(&arguments, log_format).await,
        TrainCommand::Report(arguments) => {
            let (training, test) = arguments.learning.divided().await?;
            super::print(ablation(&training, &test, &feature_sets(), &arguments.learning.settings()).map_err(fault)?)
        }
        TrainCommand::Curve(arguments) => {
            let (training, test) = arguments.learning.divided().await?;
            let groups: BTreeSet<&str> = training.iter().map(|example| example.group.as_str()).collect();
            let sizes: Vec<usize> = (0..6).rev().map(|halvings| (groups.len() >> halvings).max(1)).collect();
            let settings = arguments.learning.settings();
            let curve = learning_curve(&training, &test, &sizes, &settings).map_err(fault)?;
            if let Some(file) = &arguments.plot {
                write(file, curve.to_svg().as_bytes())?;
            }
            super::print(curve)
        }
        TrainCommand::Stack(arguments) => stack::stack(&arguments).await,
        TrainCommand::Dial(arguments) => dial::dial(&arguments).await,
    }
}

impl Learning {
    fn settings(&self) -> Settings {
        Settings {
            families: self.features,
            sampling: match self.sampling {
                SamplingName::All => Sampling::All,
                SamplingName::Random => Sampling::RandomOutside { probability: 0.5, history: 4 },
                SamplingName::Window => Sampling::Window { tokens: 8 },
            },
            negatives: match self.negatives {
                NegativesName::Full => Negatives::Full,
                NegativesName::Balanced => Negatives::Balanced,
            },
            iterations: self.iterations,
            c1: self.c1,
            c2: self.c2,
            seed: self.seed,
            threads: available_workers(),
            ..Settings::default()
        }
    }

    /// What to learn from, and what to measure on.
    async fn divided(&self) -> Result<(Vec<Example>, Vec<Example>)> {
        let training = self.annotated.read().await?;
        Ok(match &self.development {
            Some(development) => {
                (training, self.annotated.read_from(development, self.development_notes.as_deref()).await?)
            }
            None => divided(&training, DEVELOPMENT, self.seed),
        })
    }
}

async fn crf(arguments: &CrfArguments, log_format: LogFormat) -> Result<()> {
    let learning = &arguments.learning;
    let target = match (arguments.target_recall, arguments.target_precision) {
        (Some(recall), _) => Some(Target::Recall(recall)),
        (None, Some(precision)) => Some(Target::Precision(precision)),
        (None, None) => None,
    };
    // Without a target every note is learned from; with one, some must be kept to measure on.
    let (training, development) = match (&learning.development, target) {
        (None, None) => (learning.annotated.read().await?, Vec::new()),
        _ => learning.divided().await?,
    };
    let base = arguments.base.as_deref().map(base_model).transpose()?;
    let others = match &arguments.mix {
        Some(mix) => Some(learning.annotated.read_from(mix, arguments.mix_notes.as_deref()).await?),
        None => None,
    };
    let scenario = match (&base, &others) {
        (Some(base), _) => Scenario::AThenB(base),
        (None, Some(others)) => Scenario::AMixB(others),
        (None, None) => Scenario::OnlyB,
    };
    let settings = Settings { development_share: arguments.early_stopping, ..learning.settings() };
    let shown = Progress::new(log_format);
    let observe = |progress: crate::train::crf::Progress| {
        if progress.iteration.is_multiple_of(10) {
            let development = progress.development.map_or(String::new(), |f1| format!(", strict F1 {f1:.4}"));
            shown.message(&format!("step {}: objective {:.0}{development}", progress.iteration, progress.objective));
        }
    };
    let mut model = customize(&training, scenario, &settings, observe).map_err(fault)?;
    let name = arguments.out.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    model = model.with_description(format!("{name}, of {} sentences", training.len()));
    let mut told = format!("{} sentences, {} weights\n", training.len(), model.weights().count());
    if let Some(choice) = target.and_then(|target| choose(&curve(&model, &development, Measure::Tokens), target)) {
        told.push_str(&turned(&choice));
        let thresholds = model.dial().thresholds.clone();
        model = model.with_dial(Dial { outside_bias: choice.chosen.outside_bias, thresholds });
    }
    if !development.is_empty() {
        told.push_str(&format!("\non {} development sentences\n{}", development.len(), evaluate(&model, &development)));
    }
    write(&arguments.out, &model.to_bytes().map_err(|error| unusable(&error))?)?;
    let ensemble = arguments.out.with_extension("toml");
    write(&ensemble, ensemble_file(&arguments.out).as_bytes())?;
    super::print(format!("{told}\nwritten: {}, {}\n", arguments.out.display(), ensemble.display()))
}

/// The model that training starts from.
fn base_model(base: &str) -> Result<CrfModel> {
    match base {
        "shipped" => CrfModel::shipped(),
        file => CrfModel::open(Path::new(file)),
    }
    .map_err(|error| unusable(&error))
}

/// The ensemble of the model alone.
fn ensemble_file(model: &Path) -> String {
    let file = model.file_name().unwrap_or_default().to_string_lossy();
    format!("format = 1\n\n[[member]]\nkind = \"crf\"\npath = {}\n", toml::Value::String(file.into_owned()))
}

fn turned(choice: &Choice) -> String {
    let figures = |point: &crate::train::dial::Point| {
        format!("recall {:.4}, precision {:.4}", point.counted.recall(), point.counted.precision())
    };
    let reached = if choice.reached { "" } else { " (the target is not reached; this is the nearest)" };
    format!(
        "dial: bias {}{reached}\n  {} by words, where without bias it is {}\n",
        choice.chosen.outside_bias,
        figures(&choice.chosen),
        figures(&choice.unbiased)
    )
}

fn fault(error: TrainError) -> CorpusError {
    CorpusError::configuration(error.to_string(), "see `plainsight train --help`")
}

fn unusable(error: &crate::detect::crf::CrfError) -> CorpusError {
    CorpusError::configuration(error.to_string(), "give a file that `plainsight train crf` wrote")
}

fn write(file: &Path, content: &[u8]) -> Result<()> {
    std::fs::write(file, content).map_err(|error| CorpusError::output(file.display().to_string(), error))
}
