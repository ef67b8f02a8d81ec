//! `plainsight train stack`: a model that decides over what an ensemble's members claim.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Overwriting;
use super::annotated::{Annotated, Members, TargetArguments, members_of, no_lists, told};
use crate::corpus::Result;
use crate::detect::stack::Method;
use crate::train::stacking::{Settings, train_stack};

#[derive(Debug, Args)]
pub(super) struct StackArguments {
    #[command(flatten)]
    annotated: Annotated,
    #[command(flatten)]
    members: Members,
    /// Which model is written; all are compared
    #[arg(long, value_enum, default_value_t)]
    method: MethodName,
    #[command(flatten)]
    target: TargetArguments,
    /// The least probability at which trained members propose a word; their own biases and thresholds do not count then
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().proposals)]
    proposals: f32,
    /// The weight of the square penalty
    #[arg(long, value_name = "X", default_value_t = Settings::default().c2)]
    c2: f64,
    /// Parts that the patients are divided into, for figures on notes that were not learned from
    #[arg(long, value_name = "N", default_value_t = Settings::default().folds)]
    folds: usize,
    /// What chance depends on
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    seed: u64,
    /// The model's file; an ensemble.toml names it: combine = "stacking", stack = "FILE"
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    overwriting: Overwriting,
}

#[derive(Debug, Clone, Copy, ValueEnum, Default)]
enum MethodName {
    /// Logistic regression
    #[default]
    Logistic,
    /// A linear support vector machine
    Svm,
}

pub(super) async fn stack(arguments: &StackArguments) -> Result<()> {
    let settings = Settings {
        method: match arguments.method {
            MethodName::Logistic => Method::Logistic,
            MethodName::Svm => Method::Svm,
        },
        target: arguments.target.target(),
        proposals: arguments.proposals,
        c2: arguments.c2,
        folds: arguments.folds,
        seed: arguments.seed,
    };
    settings.check().map_err(super::fault)?;
    let mut inputs = arguments.annotated.inputs()?;
    inputs.extend(arguments.members.input()?);
    let (description, options) = (arguments.members.description()?, arguments.members.options());
    inputs.extend(members_of(&description)?);
    arguments.overwriting.check(&[("--out", arguments.out.as_path())], &inputs)?;
    let examples = arguments.annotated.read().await?;
    let proposing = description.open_proposing(no_lists(), arguments.proposals, &options)?;
    let united = description.open_united(no_lists(), &options)?;
    let stacked = train_stack(&proposing, &united, &examples, &settings).map_err(told)?;
    super::super::print(&stacked)?;
    arguments.target.check(stacked.reached)?;
    super::write(&arguments.out, stacked.stack.to_toml().as_bytes())?;
    // As seen from the ensemble's own folder.
    let name = arguments.out.file_name().unwrap_or_default().to_string_lossy().into_owned();
    super::super::print(format!(
        "\nwritten: {}; an ensemble.toml of the same members, in the same folder, has it by\ncombine = \"stacking\"\nstack = {}\n",
        arguments.out.display(),
        toml::Value::String(name)
    ))
}
