//! `plainsight train`: a CRF from annotated notes, what its features and examples are worth, and what an ensemble makes of its
//! members' claims.

mod annotated;
mod crf;
mod dial;
mod stack;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use self::annotated::Annotated;
use super::arguments::available_workers;
use super::progress::LogFormat;
use super::whole_file;
use crate::corpus::evaluation::refuse_overwriting;
use crate::corpus::{CorpusError, Location, PRIVATE, Result, put_whole};
use crate::detect::crf::Families;
use crate::train::ablation::{ablation, feature_sets};
use crate::train::crf::{Negatives, Sampling, Settings};
use crate::train::learning_curve::learning_curve;
use crate::train::{Example, TrainError, check_measurable, divided};

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
    Crf(crf::CrfArguments),
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
    /// Annotated notes of other patients to measure on and turn the dial by, in the same format [default: a fifth of the patients,
    /// where something is measured]
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
    #[command(flatten)]
    overwriting: Overwriting,
}

pub(super) async fn train(arguments: TrainArguments, log_format: LogFormat) -> Result<()> {
    match arguments.command {
        TrainCommand::Crf(arguments) => crf::crf(&arguments, log_format).await,
        TrainCommand::Report(arguments) => {
            let (training, test) = arguments.learning.divided().await?;
            super::print(ablation(&training, &test, &feature_sets(), &arguments.learning.settings()).map_err(fault)?)
        }
        TrainCommand::Curve(arguments) => {
            let plot: Vec<_> = arguments.plot.iter().map(|file| ("--plot", file.as_path())).collect();
            arguments.overwriting.check(&plot, &arguments.learning.inputs()?)?;
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

    /// What to learn from, and what to measure on. Of few patients a fifth may be none, and on nothing every figure would be 1.
    async fn divided(&self) -> Result<(Vec<Example>, Vec<Example>)> {
        let training = self.annotated.read().await?;
        let ((training, development), hint) = match &self.development {
            Some(development) => {
                let development = self.annotated.read_from(development, self.development_notes.as_deref()).await?;
                ((training, development), "name notes with identifiers by --development")
            }
            None => (
                divided(&training, DEVELOPMENT, self.seed),
                "a fifth of the patients, by chance, is kept for that: annotate notes of more patients, name others by \
                 --development, or try another --seed",
            ),
        };
        check_measurable(&development).map_err(|error| CorpusError::configuration(error.to_string(), hint))?;
        Ok((training, development))
    }

    /// What is read, by its flags.
    fn inputs(&self) -> Result<Vec<(&'static str, Location)>> {
        let mut inputs = self.annotated.inputs()?;
        let further = [("--development", &self.development), ("--development-notes", &self.development_notes)];
        for (flag, place) in further {
            inputs.extend(place.as_deref().map(Location::parse).transpose()?.map(|place| (flag, place)));
        }
        Ok(inputs)
    }
}

/// Whether what training takes long to make may take the place of what is there.
#[derive(Debug, Args)]
struct Overwriting {
    /// Replace a file that is there
    #[arg(long)]
    overwrite: bool,
}

impl Overwriting {
    /// Refuses, before anything is learned, files that would be written over what is read, over what is there where that was not asked for,
    /// or into no folder.
    fn check(&self, outputs: &[(&'static str, &Path)], inputs: &[(&'static str, Location)]) -> Result<()> {
        let place = |(flag, file): &(&'static str, &Path)| Ok((*flag, Location::parse(&file.to_string_lossy())?));
        let places: Vec<_> = outputs.iter().map(place).collect::<Result<_>>()?;
        refuse_overwriting(&places, inputs, &[])?;
        for (_, file) in outputs {
            let refused =
                |reason: &str, hint| Err(CorpusError::configuration(format!("`{}` {reason}", file.display()), hint));
            if !whole_file::folder_of(file).is_dir() {
                return refused("is to lie in a folder that is not there", "make it, or name another place");
            }
            if file.is_dir() {
                return refused("is a folder", "name a file");
            }
            if file.exists() && !self.overwrite {
                return refused("is there already", "name another file, or let it be replaced with --overwrite");
            }
        }
        Ok(())
    }
}

fn fault(error: TrainError) -> CorpusError {
    CorpusError::configuration(error.to_string(), "see `plainsight train --help`")
}

/// Writes a file for its owner only: what was learned from notes tells of them.
fn write(file: &Path, content: &[u8]) -> Result<()> {
    put_whole(file, content, PRIVATE).map_err(|error| CorpusError::output(file.display().to_string(), error))
}
