//! `plainsight config show`: what the environment and the file make of the flags, as a file that says the same.
//!
//! ```toml
//! log-format = "text"         # default
//!
//! [run]
//! notes = "warehouse/notes"   # plainsight.toml:4
//! partitions = 4              # PLAINSIGHT_PARTITIONS
//! # out is not set, and is required
//! # cache is not set
//! ```

use std::any::TypeId;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::PathBuf;

use clap::{Arg, Args, Command, Subcommand};

use super::{Environment, Settings, flags, is_secret};
use crate::corpus::{CorpusError, Result};

#[derive(Debug, Args)]
pub(in crate::cli) struct ConfigArguments {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Print what environment and file say of each flag, and where, as a file that can be used in their place
    Show {
        /// The subcommand, as in `config show inclusion build` [default: all of them]
        #[arg(value_name = "SUBCOMMAND")]
        subcommand: Vec<String>,
    },
}

/// Runs `plainsight config` on the flags of `command`, with the file that is given on the command line; gives what is to be
/// printed.
///
/// # Errors
///
/// What is wrong with the file or a variable, or that there is no such subcommand.
pub(in crate::cli) fn config(
    arguments: ConfigArguments,
    mut command: Command,
    file: Option<PathBuf>,
    environment: Environment<'_>,
) -> Result<String> {
    let ConfigCommand::Show { subcommand: path } = arguments.command;
    command.build();
    if flags::descend(&command, &path).is_none() {
        let known: Vec<String> = flags::leaves(&command).into_iter().map(|(path, _)| path.join(" ")).collect();
        return Err(CorpusError::configuration(
            format!("there is no subcommand `{}`", path.join(" ")),
            format!("give one of: {}", known.join(", ")),
        ));
    }
    let settings = Settings::read(&command, file, environment)?;
    let mut shown = String::new();
    let everywhere: Vec<&Arg> = flags::flags(&command).filter(|arg| arg.is_global_set()).collect();
    table(&mut shown, &settings, &command, &[], &everywhere)?;
    for (leaf_path, leaf) in flags::leaves(&command) {
        let own: Vec<&Arg> = flags::flags(leaf)
            .filter(|arg| !arg.is_global_set() || settings.file.own(&leaf_path, flags::long(arg)).is_some())
            .collect();
        if leaf_path.starts_with(&path) && !own.is_empty() {
            shown.push_str(&format!("\n[{}]\n", leaf_path.join(".")));
            table(&mut shown, &settings, leaf, &leaf_path, &own)?;
        }
    }
    Ok(shown)
}

/// Writes a line for each of some flags of a command.
fn table(shown: &mut String, settings: &Settings<'_>, command: &Command, path: &[String], own: &[&Arg]) -> Result<()> {
    let (counting, set_aside) = settings.of(command, path, &|_| false)?;
    for arg in own {
        let name = flags::long(arg);
        let setting = counting.iter().find(|setting| setting.arg.get_id() == arg.get_id());
        let (values, origin) = match setting {
            Some(setting) => (setting.values.clone(), setting.origin.to_string()),
            None => (defaults(arg), "default".to_owned()),
        };
        // A list that is given empty is as good as one that is not given.
        if values.is_empty() {
            let required = if arg.is_required_set() { ", and is required" } else { "" };
            let _ = writeln!(shown, "# {name} is not set{required}");
        } else if values.iter().any(|value| is_secret(name, &value.to_string_lossy())) {
            let _ = writeln!(shown, "# {name} is set by {origin}; it holds a secret");
        } else {
            let _ = writeln!(shown, "{name} = {}  # {origin}", written(arg, &values));
        }
    }
    for message in set_aside {
        let _ = writeln!(shown, "# {message}");
    }
    Ok(())
}

fn defaults(arg: &Arg) -> Vec<OsString> {
    match flags::is_switch(arg) {
        true => vec!["false".into()],
        false => arg.get_default_values().iter().map(|value| value.as_os_str().to_owned()).collect(),
    }
}

/// The values of a flag in TOML.
fn written(arg: &Arg, values: &[OsString]) -> String {
    let one = |value: &OsString| {
        let text = value.to_string_lossy();
        if flags::is_switch(arg) || (is_number(arg) && is_toml_number(&text)) {
            return text.into_owned();
        }
        toml::Value::String(text.into_owned()).to_string()
    };
    match (flags::is_list(arg), values) {
        (false, [value]) => one(value),
        _ => format!("[{}]", values.iter().map(one).collect::<Vec<_>>().join(", ")),
    }
}

/// Whether the values of a flag are numbers.
fn is_number(arg: &Arg) -> bool {
    let kind = arg.get_value_parser().type_id();
    let whole = [TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>(), TypeId::of::<i64>()];
    whole.iter().chain(&[TypeId::of::<f32>(), TypeId::of::<f64>()]).any(|number| kind == *number)
}

/// Whether a text is a number in TOML too, and comes back as the same text.
fn is_toml_number(text: &str) -> bool {
    let back = format!("x = {text}").parse::<toml::Table>().ok().and_then(|table| table.get("x").cloned());
    match back {
        Some(toml::Value::Integer(number)) => number.to_string() == text,
        Some(toml::Value::Float(_)) => true,
        _ => false,
    }
}
