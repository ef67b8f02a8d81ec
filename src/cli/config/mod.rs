//! Flags from more places than the command line.
//!
//! ```text
//! command line  ▶  PLAINSIGHT_<FLAG>  ▶  [run] of the file  ▶  [defaults] of the file  ▶  default
//!    wins                                                                                 loses
//! ```
//!
//! This knows no subcommand by name: it reads the flags off the command that clap has made of our types. What the environment and
//! the file say is put on the command line, as words behind those that were given, and that is parsed once more: so required flags,
//! values, and flags that need one another are judged as if all of it had been typed. Flags that exclude one another are the
//! exception: what comes from a place that loses gives way, and that is told; of one place they are refused.
//!
//! Relative paths in the file are used as they are written, from the folder in which the program is started.

mod file;
mod flags;
pub(super) mod show;
mod variables;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use crate::corpus::{CorpusError, Result};
use file::File;
pub(super) use variables::unknown_variables;

/// Looks up an environment variable.
pub(super) type Environment<'e> = &'e dyn Fn(&str) -> Option<OsString>;

/// A command line that was completed by environment and file.
#[derive(Debug)]
pub(super) struct Layered {
    /// All of it, parsed.
    pub(super) matches: ArgMatches,
    /// What was left out, for it excludes what counts more: a message for each.
    pub(super) set_aside: Vec<String>,
}

/// Why there is nothing to run.
#[derive(Debug)]
pub(super) enum Refused {
    /// A mistake on the command line, or a wish for help.
    CommandLine(clap::Error),
    /// A mistake in the file or in the environment.
    Configuration(CorpusError),
}

impl From<CorpusError> for Refused {
    fn from(error: CorpusError) -> Self {
        Self::Configuration(error)
    }
}

/// Where a value comes from; what counts more stands later.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// A line of a file, for all or many subcommands.
    Shared { file: String, line: usize },
    /// A line of a file, for this subcommand.
    Own { file: String, line: usize },
    /// An environment variable.
    Variable(String),
}

impl Origin {
    fn rank(&self) -> u8 {
        match self {
            Self::Shared { .. } => 0,
            Self::Own { .. } => 1,
            Self::Variable(_) => 2,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shared { file, line } | Self::Own { file, line } => write!(formatter, "{file}:{line}"),
            Self::Variable(name) => formatter.write_str(name),
        }
    }
}

/// What a place says of a flag.
#[derive(Debug, Clone)]
struct Setting<'c> {
    arg: &'c Arg,
    values: Vec<OsString>,
    origin: Origin,
}

/// Parses the words of a command line, the program's name first, and completes it.
///
/// # Errors
///
/// What clap says of the command line, or what is wrong with the file or a variable.
pub(super) fn layered(
    command: Command,
    given: Vec<OsString>,
    environment: Environment<'_>,
) -> std::result::Result<Layered, Refused> {
    let typed = match flags::relaxed(command.clone()).try_get_matches_from(&given) {
        Ok(typed) => typed,
        Err(error) => return Err(Refused::CommandLine(in_full(command, &given, error))),
    };
    let (path, typed) = leaf(&typed);
    let mut tree = command.clone();
    tree.build();
    let file = typed.try_get_one::<PathBuf>(flags::FILE_FLAG).ok().flatten().cloned();
    let settings = Settings::read(&tree, file, environment)?;
    let Some(subcommand) = flags::descend(&tree, &path) else {
        let error =
            flags::without_environment(command).error(ErrorKind::InvalidSubcommand, "there is no such subcommand");
        return Err(Refused::CommandLine(error));
    };
    let is_typed = |arg: &Arg| typed.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let (counting, set_aside) = settings.of(subcommand, &path, &is_typed)?;
    // A default that is typed would exclude other flags; left out it holds all the same.
    let telling = counting.iter().filter(|setting| !flags::is_default(setting.arg, &setting.values));
    let added: Vec<OsString> = telling.flat_map(|setting| flags::words(setting.arg, &setting.values)).collect();
    let completed = flags::without_environment(command).try_get_matches_from(with(&given, &added));
    match completed {
        Ok(matches) => Ok(Layered { matches, set_aside }),
        Err(error) if added.is_empty() => Err(Refused::CommandLine(error)),
        Err(error) => {
            let hint = format!(
                "some flags come from the environment or a file: `plainsight config show {}` tells which",
                path.join(" ")
            );
            Err(CorpusError::configuration(flags::message(&error), hint).into())
        }
    }
}

/// The error of the whole command, whose help and usage say what must be given, where it has the same one.
fn in_full(command: Command, given: &[OsString], error: clap::Error) -> clap::Error {
    match command.try_get_matches_from(given) {
        Err(full) if full.kind() == error.kind() => full,
        _ => error,
    }
}

/// The subcommand that was asked for, and what was given to it.
fn leaf(matches: &ArgMatches) -> (Vec<String>, &ArgMatches) {
    let (mut path, mut matches) = (Vec::new(), matches);
    while let Some((name, below)) = matches.subcommand() {
        path.push(name.to_owned());
        matches = below;
    }
    (path, matches)
}

/// The words given and those added, which must stand before a `--`.
fn with(given: &[OsString], added: &[OsString]) -> Vec<OsString> {
    let end = given.iter().position(|word| word == "--").unwrap_or(given.len());
    given[..end].iter().chain(added).chain(&given[end..]).cloned().collect()
}

/// Whether a value of a flag is a secret: a store's option `NAME=VALUE` whose name says so, and which does not say where the secret
/// is to be found (`env:NAME`, `file:PATH`). Such values stand in no file and are not shown.
fn is_secret(flag: &str, value: &str) -> bool {
    const WORDS: [&str; 5] = ["secret", "token", "password", "sas", "credential"];
    const PLACES: [&str; 4] = ["file", "path", "uri", "endpoint"];
    let Some((name, value)) = value.split_once('=').filter(|_| flag.ends_with("-option")) else { return false };
    let name = name.trim().to_lowercase();
    let told = name.ends_with("key") || WORDS.iter().any(|word| name.contains(word));
    let elsewhere = value.starts_with("env:") || value.starts_with("file:");
    told && !elsewhere && !PLACES.iter().any(|place| name.ends_with(place))
}

/// What environment and file say.
struct Settings<'e> {
    tree: &'e Command,
    file: File,
    environment: Environment<'e>,
}

impl<'e> Settings<'e> {
    /// Reads the file, that of the variable where none is given.
    fn read(tree: &'e Command, file: Option<PathBuf>, environment: Environment<'e>) -> Result<Self> {
        let named = || environment("PLAINSIGHT_CONFIG").filter(|name| !name.is_empty()).map(PathBuf::from);
        let file = match file.or_else(named) {
            Some(file) => File::open(&file, tree, is_secret)?,
            None => File::default(),
        };
        Ok(Self { tree, file, environment })
    }

    /// What counts for a subcommand besides the command line, and messages on what gives way. The flags that are typed there
    /// are asked for, since they win.
    fn of<'c>(
        &self,
        command: &'c Command,
        path: &[String],
        is_typed: &dyn Fn(&Arg) -> bool,
    ) -> Result<(Vec<Setting<'c>>, Vec<String>)> {
        let mut settings = Vec::new();
        for arg in flags::flags(command).filter(|arg| !is_typed(arg)) {
            settings.extend(self.setting(arg, path)?);
        }
        let typed: Vec<&Arg> = flags::flags(command).filter(|arg| is_typed(arg)).collect();
        compatible(command, settings, &typed)
    }

    /// What counts most of what is said of a flag.
    fn setting<'c>(&self, arg: &'c Arg, path: &[String]) -> Result<Option<Setting<'c>>> {
        if let Some(setting) = self.variable(arg)? {
            return Ok(Some(setting));
        }
        let name = flags::long(arg);
        let file = || self.file.name().to_owned();
        if let Some(entry) = self.file.own(path, name) {
            let origin = Origin::Own { file: file(), line: entry.line };
            return Ok(Some(Setting { arg, values: entry.values.clone(), origin }));
        }
        // Where it suits a flag of the same name elsewhere only, it is meant for that one.
        let shared = self.file.shared(name).filter(|entry| flags::accepts(arg, &entry.values).is_ok());
        Ok(shared.map(|entry| {
            let origin = Origin::Shared { file: file(), line: entry.line };
            Setting { arg, values: entry.values.clone(), origin }
        }))
    }

    /// What the environment says of a flag; an empty variable says nothing.
    fn variable<'c>(&self, arg: &'c Arg) -> Result<Option<Setting<'c>>> {
        let Some(name) = flags::variable(arg) else { return Ok(None) };
        let Some(value) = (self.environment)(&name).filter(|value| !value.is_empty()) else { return Ok(None) };
        let values = spelled(arg, &value);
        let Err(reason) = flags::accepts(arg, &values) else {
            return Ok(Some(Setting { arg, values, origin: Origin::Variable(name) }));
        };
        let suits = |other: &Arg| flags::accepts(other, &spelled(other, &value)).is_ok();
        let elsewhere =
            flags::leaves(self.tree).into_iter().filter_map(|(_, leaf)| flags::flag(leaf, flags::long(arg)));
        if elsewhere.into_iter().any(suits) {
            return Ok(None);
        }
        Err(CorpusError::configuration(
            format!("the variable {name}: {reason}"),
            format!("change or unset it, or give --{}", flags::long(arg)),
        ))
    }
}

/// The values in the text of a variable: a line each for a flag that is repeated.
fn spelled(arg: &Arg, text: &OsStr) -> Vec<OsString> {
    match text.to_str() {
        Some(text) if flags::is_switch(arg) => match text.to_lowercase().as_str() {
            "1" => vec!["true".into()],
            "0" => vec!["false".into()],
            said => vec![said.into()],
        },
        Some(text) if flags::is_list(arg) => text.lines().map(OsString::from).collect(),
        _ => vec![text.to_owned()],
    }
}

/// What can stand together: of two settings that exclude each other the one that counts more, or that which is typed.
fn compatible<'c>(
    command: &Command,
    mut settings: Vec<Setting<'c>>,
    typed: &[&Arg],
) -> Result<(Vec<Setting<'c>>, Vec<String>)> {
    settings.sort_by_key(|setting| std::cmp::Reverse(setting.origin.rank()));
    let (mut counting, mut set_aside): (Vec<Setting<'c>>, _) = (Vec::new(), Vec::new());
    for setting in settings {
        // What any run does anyway excludes nothing.
        let idle = flags::is_default(setting.arg, &setting.values);
        let excluded = |other: &Arg| !idle && flags::exclude_each_other(command, setting.arg, other);
        let name = flags::long(setting.arg);
        if let Some(by) = typed.iter().find(|other| excluded(other)) {
            set_aside.push(format!("--{name} of {} is set aside for --{}", setting.origin, flags::long(by)));
            continue;
        }
        let others = || counting.iter().filter(|other| !flags::is_default(other.arg, &other.values));
        match others().find(|other| excluded(other.arg)) {
            None => counting.push(setting),
            Some(by) if by.origin.rank() == setting.origin.rank() => {
                return Err(CorpusError::configuration(
                    format!(
                        "`{name}` ({}) cannot be used with `{}` ({})",
                        setting.origin,
                        flags::long(by.arg),
                        by.origin
                    ),
                    "take one of them out",
                ));
            }
            Some(by) => set_aside.push(format!(
                "--{name} of {} is set aside for --{} of {}",
                setting.origin,
                flags::long(by.arg),
                by.origin
            )),
        }
    }
    Ok((counting, set_aside))
}

#[cfg(test)]
mod tests;
