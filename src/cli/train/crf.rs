//! `plainsight train crf`: a model of annotated notes, and an ensemble that runs it alone.

use std::path::{Path, PathBuf};

use clap::Args;

use super::annotated::TargetArguments;
use super::{Learning, Overwriting};
use crate::cli::progress::{LogFormat, Progress};
use crate::corpus::{CorpusError, Location, Result};
use crate::detect::crf::{CrfModel, Dial};
use crate::train::Example;
use crate::train::crf::Settings;
use crate::train::customization::{Scenario, customize};
use crate::train::dial::{Choice, Measure, Point, Target, choose, curve};
use crate::train::scores::evaluate;

/// The base model that is compiled in.
const SHIPPED: &str = "shipped";

#[derive(Debug, Args)]
pub(super) struct CrfArguments {
    #[command(flatten)]
    learning: Learning,
    /// The model's file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
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
    #[command(flatten)]
    target: TargetArguments,
}

pub(super) async fn crf(arguments: &CrfArguments, log_format: LogFormat) -> Result<()> {
    let learning = &arguments.learning;
    let target = arguments.target.target();
    target.map_or(Ok(()), Target::check).map_err(super::fault)?;
    let ensemble = arguments.ensemble()?;
    // Without a target every note is learned from; with one, some must be kept to measure on.
    let (training, development) = match (&learning.development, target) {
        (None, None) => (learning.annotated.read().await?, Vec::new()),
        _ => learning.divided().await?,
    };
    let mut model = arguments.trained(&training, &Progress::new(log_format)).await?;
    let mut told = format!("{} sentences, {} weights\n", training.len(), model.weights().count());
    let choice = target.and_then(|target| choose(&curve(&model, &development, Measure::Tokens), target));
    if let Some(choice) = &choice {
        told.push_str(&turned(choice));
        let thresholds = model.dial().thresholds.clone();
        model = model.with_dial(Dial { outside_bias: choice.chosen.outside_bias, thresholds });
    }
    if !development.is_empty() {
        told.push_str(&format!("\non {} development sentences\n{}", development.len(), evaluate(&model, &development)));
    }
    crate::cli::print(told)?;
    arguments.target.check(choice.is_none_or(|choice| choice.reached))?;
    super::write(&arguments.out, &model.to_bytes().map_err(|error| unusable(&error))?)?;
    // One that is there may have members and dials of its own.
    let kept = ensemble.exists();
    if !kept {
        super::write(&ensemble, ensemble_file(&arguments.out).as_bytes())?;
    }
    let ensemble = ensemble.display();
    let runs = if kept {
        format!("{ensemble} is left as it is")
    } else {
        format!("{ensemble} runs it alone, without patterns and dictionaries")
    };
    crate::cli::print(format!(
        "\nwritten: {}, as confidential as the notes: who has a list of names can try which of them it knows\n{runs}\n",
        arguments.out.display()
    ))
}

impl CrfArguments {
    /// The model, as it is before its dial is turned.
    async fn trained(&self, training: &[Example], shown: &Progress) -> Result<CrfModel> {
        let base = self.base.as_deref().map(base_model).transpose()?;
        let others = match &self.mix {
            Some(mix) => Some(self.learning.annotated.read_from(mix, self.mix_notes.as_deref()).await?),
            None => None,
        };
        let scenario = match (&base, &others) {
            (Some(base), _) => Scenario::AThenB(base),
            (None, Some(others)) => Scenario::AMixB(others),
            (None, None) => Scenario::OnlyB,
        };
        let settings = Settings { development_share: self.early_stopping, ..self.learning.settings() };
        let observe = |progress: crate::train::crf::Progress| {
            if progress.iteration.is_multiple_of(10) {
                let development = progress.development.map_or(String::new(), |f1| format!(", strict F1 {f1:.4}"));
                let (step, objective) = (progress.iteration, progress.objective);
                shown.message(&format!("step {step}: objective {objective:.0}{development}"));
            }
        };
        let model = customize(training, scenario, &settings, observe).map_err(super::fault)?;
        let name = self.out.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(model.with_description(format!("{name}, of {} sentences", training.len())))
    }

    /// Where the ensemble of the model alone goes: beside it. Neither takes the place of the other, or of what is read.
    fn ensemble(&self) -> Result<PathBuf> {
        let ensemble = self.out.with_extension("toml");
        if ensemble == self.out {
            return Err(CorpusError::configuration(
                format!("`{}` is where the ensemble of the model goes", self.out.display()),
                "let --out end otherwise: site.crf",
            ));
        }
        let mut inputs = self.learning.inputs()?;
        let base = self.base.as_deref().filter(|base| *base != SHIPPED);
        let further = [("--base", base), ("--mix", self.mix.as_deref()), ("--mix-notes", self.mix_notes.as_deref())];
        for (flag, place) in further {
            inputs.extend(place.map(Location::parse).transpose()?.map(|place| (flag, place)));
        }
        let outputs = [("--out", self.out.as_path()), ("the ensemble beside --out", ensemble.as_path())];
        // What is there of the two is told apart: the ensemble is never replaced.
        let new = if ensemble.exists() { &outputs[..1] } else { &outputs[..] };
        self.overwriting.check(new, &inputs)?;
        Ok(ensemble)
    }
}

/// The model that training starts from.
fn base_model(base: &str) -> Result<CrfModel> {
    match base {
        SHIPPED => CrfModel::shipped(),
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
    let figures = |point: &Point| {
        let [precision, recall, _] = point.counted.shown();
        format!("recall {recall}, precision {precision}")
    };
    let reached = if choice.reached { "" } else { " (the target is not reached; this is the nearest)" };
    format!(
        "dial: bias {}{reached}\n  {} by words, where without bias it is {}\n",
        choice.chosen.outside_bias,
        figures(&choice.chosen),
        figures(&choice.unbiased)
    )
}

fn unusable(error: &crate::detect::crf::CrfError) -> CorpusError {
    CorpusError::configuration(error.to_string(), "give a file that `plainsight train crf` wrote")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        crf: CrfArguments,
    }

    fn arguments(of: &[&[&str]]) -> CrfArguments {
        let mut line = vec!["crf"];
        line.extend(of.concat());
        Line::parse_from(line).crf
    }

    /// Why `train crf` of a few notes, one a patient, is refused with these arguments; nothing is written then.
    async fn refused(labels: &[&str], further: &[&str]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let gold = folder.path().join("gold");
        std::fs::create_dir(&gold).unwrap();
        for (at, label) in labels.iter().enumerate() {
            std::fs::write(gold.join(format!("{at}.txt")), "Rose came.").unwrap();
            let annotations = if label.is_empty() { String::new() } else { format!("T1\t{label} 0 4\tRose\n") };
            std::fs::write(gold.join(format!("{at}.ann")), annotations).unwrap();
        }
        let out = folder.path().join("site.crf");
        let fixed = ["--gold", gold.to_str().unwrap(), "--out", out.to_str().unwrap(), "--iterations", "2"];
        let error = crf(&arguments(&[&fixed, further]), LogFormat::default()).await.unwrap_err();
        assert!(error.is_usage() && !out.exists() && !out.with_extension("toml").exists(), "{error}");
        error.to_string()
    }

    #[tokio::test]
    async fn a_target_that_is_no_share_is_refused() {
        for share in ["95", "0", "NaN"] {
            for target in ["--target-recall", "--target-precision"] {
                let message = refused(&["DOCTOR"], &[target, share]).await;
                assert!(message.contains("`target` must be above 0"), "{message}");
            }
        }
    }

    #[tokio::test]
    async fn nothing_is_measured_where_there_are_no_identifiers() {
        // Of one patient there is no fifth; or there is nothing but that.
        let message = refused(&["DOCTOR"], &["--target-recall", "0.9"]).await;
        assert!(message.contains("measure on") || message.contains("learn from"), "{message}");
        let message = refused(&[""; 40], &["--target-recall", "0.9"]).await;
        assert!(message.contains("measure on") && message.contains("--development"), "{message}");
    }

    #[tokio::test]
    async fn nothing_is_stopped_by_no_identifiers() {
        let message = refused(&["DOCTOR"; 3], &["--early-stopping", "1e-9"]).await;
        assert!(message.contains("keep a greater share"), "{message}");
    }

    #[test]
    fn a_model_takes_no_place_of_an_input() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (gold, crf, toml) = (path("gold.jsonl"), path("site.crf"), path("site.toml"));
        let ensemble = |further: &[&str]| arguments(&[&["--gold", &gold], further]).ensemble();
        assert_eq!(ensemble(&["--out", &crf]).unwrap(), Path::new(&toml));
        assert_eq!(ensemble(&["--out", "shipped", "--base", "shipped"]).unwrap(), Path::new("shipped.toml"));
        for further in [
            &["--out", &toml][..],
            &["--out", &gold],
            &["--out", &crf, "--base", &crf],
            &["--out", &crf, "--gold-labels", &toml],
            &["--out", &path("none/site.crf")],
        ] {
            assert!(ensemble(further).unwrap_err().is_usage(), "{further:?}");
        }
    }

    #[test]
    fn a_model_takes_no_place_of_another_unasked() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (gold, crf, toml) = (path("gold.jsonl"), path("site.crf"), path("site.toml"));
        std::fs::write(&toml, "an ensemble that somebody wrote").unwrap();
        let ensemble = |further: &[&str]| arguments(&[&["--gold", &gold, "--out", &crf], further]).ensemble();
        assert!(ensemble(&[]).is_ok(), "an ensemble that is there stays");
        std::fs::write(&crf, "a model").unwrap();
        assert!(ensemble(&[]).unwrap_err().to_string().contains("there already"));
        assert!(ensemble(&["--overwrite"]).is_ok());
    }
}
