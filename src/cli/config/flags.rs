//! What can be configured, read off the command itself: the flags with a long name that take a value or switch something on.
//!
//! ```text
//! plainsight run --key-file FILE     key-file in [run] or [defaults], PLAINSIGHT_KEY_FILE
//! plainsight --log-format json       log-format above all tables, PLAINSIGHT_LOG_FORMAT
//! ```

use std::ffi::OsString;

use clap::builder::Resettable;
use clap::{Arg, ArgAction, Command};

use super::variables::PREFIX;

/// The flag that names the configuration file, and so cannot stand in it.
pub(super) const FILE_FLAG: &str = "config";

/// Variables with a meaning of their own: they are no flag's.
pub(super) const RESERVED: [&str; 2] = ["PLAINSIGHT_KEY", "PLAINSIGHT_LOG"];

/// The flags of a command that can be configured, in the order of its help; the global ones too where the command is built.
pub(super) fn flags(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| {
        let action =
            matches!(arg.get_action(), ArgAction::Set | ArgAction::Append | ArgAction::SetTrue | ArgAction::SetFalse);
        action && arg.get_long().is_some_and(|name| name != FILE_FLAG)
    })
}

/// The flag of that long name.
pub(super) fn flag<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    flags(command).find(|arg| long(arg) == name)
}

/// The long name of a flag.
pub(super) fn long(arg: &Arg) -> &str {
    arg.get_long().unwrap_or_default()
}

/// Whether the flag switches something on, rather than take a value.
pub(super) fn is_switch(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::SetFalse)
}

/// Whether the flag takes several values.
pub(super) fn is_list(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
}

/// The environment variable of a flag.
pub(super) fn variable(arg: &Arg) -> Option<String> {
    let own = arg.get_env().map(|name| name.to_string_lossy().into_owned());
    let name = own.unwrap_or_else(|| format!("{PREFIX}{}", long(arg).to_uppercase().replace('-', "_")));
    (!RESERVED.contains(&name.as_str())).then_some(name)
}

/// The subcommands, without the `help` that is made for each.
pub(super) fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help")
}

/// Every subcommand that has none below it, with its path.
pub(super) fn leaves(command: &Command) -> Vec<(Vec<String>, &Command)> {
    let mut found = Vec::new();
    for subcommand in subcommands(command) {
        let name = subcommand.get_name().to_owned();
        if subcommands(subcommand).next().is_none() {
            found.push((vec![name], subcommand));
            continue;
        }
        for (mut path, leaf) in leaves(subcommand) {
            path.insert(0, name.clone());
            found.push((path, leaf));
        }
    }
    found
}

/// The subcommand at a path.
pub(super) fn descend<'c>(command: &'c Command, path: &[String]) -> Option<&'c Command> {
    path.iter().try_fold(command, |command, name| subcommands(command).find(|below| below.get_name() == name))
}

/// The same command with nothing that must be given and nothing that excludes another: it tells which flags are given. It reads
/// no environment.
pub(super) fn relaxed(command: Command) -> Command {
    let groups: Vec<String> = command.get_groups().map(|group| group.get_id().to_string()).collect();
    let command = groups.into_iter().fold(command, |command, group| {
        command.mut_group(group, |group| {
            group.required(false).multiple(true).requires(Resettable::Reset).conflicts_with(Resettable::Reset)
        })
    });
    command.mut_args(free).mut_subcommands(relaxed)
}

/// The same command, which reads no environment.
pub(super) fn without_environment(command: Command) -> Command {
    command.mut_args(|arg| arg.env(Resettable::Reset)).mut_subcommands(without_environment)
}

fn free(arg: Arg) -> Arg {
    arg.required(false)
        .requires(Resettable::Reset)
        .conflicts_with(Resettable::Reset)
        .required_unless_present(Resettable::Reset)
        .env(Resettable::Reset)
}

/// The words that give a flag its values on the command line. A switch is given or not.
pub(super) fn words(arg: &Arg, values: &[OsString]) -> Vec<OsString> {
    if is_switch(arg) {
        let given = values.iter().any(|value| value == "true");
        return if given { vec![format!("--{}", long(arg)).into()] } else { Vec::new() };
    }
    let word = |value: &OsString| {
        let mut word = OsString::from(format!("--{}=", long(arg)));
        word.push(value);
        word
    };
    values.iter().map(word).collect()
}

/// Whether the flag takes these values.
///
/// # Errors
///
/// What its parser says against them, on one line.
pub(super) fn accepts(arg: &Arg, values: &[OsString]) -> Result<(), String> {
    if is_switch(arg) {
        let said = matches!(values, [value] if value == "true" || value == "false");
        return if said { Ok(()) } else { Err("it is true or false".to_owned()) };
    }
    let alone = free(arg.clone()).global(false);
    let command = Command::new("plainsight").no_binary_name(true).disable_help_flag(true).arg(alone);
    match command.try_get_matches_from(words(arg, values)) {
        Ok(_) => Ok(()),
        Err(error) => Err(message(&error)),
    }
}

/// What a clap error says, on one line, without its pointer to the help.
pub(super) fn message(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let said = text.split("\n\nFor more information").next().unwrap_or(text);
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the flag has these values without being told.
pub(super) fn is_default(arg: &Arg, values: &[OsString]) -> bool {
    match is_switch(arg) {
        true => values.iter().all(|value| value == "false"),
        false => !arg.get_default_values().is_empty() && arg.get_default_values().iter().eq(values),
    }
}

/// Whether one of two flags of a command excludes the other.
pub(super) fn exclude_each_other(command: &Command, one: &Arg, other: &Arg) -> bool {
    let excludes = |one: &Arg, other: &Arg| {
        !one.is_global_set()
            && command.get_arg_conflicts_with(one).iter().any(|excluded| excluded.get_id() == other.get_id())
    };
    excludes(one, other) || excludes(other, one)
}

/// The name among `known` that is nearest to `name`, where one is near.
pub(super) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let near = known.into_iter().map(|other| (edits(name, other), other)).min()?;
    (near.0 <= 1 + name.chars().count() / 4).then_some(near.1)
}

/// How many letters must be put in, taken out or changed to make one word of the other.
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, against) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *against);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["notes", "key-file", "partitions"];
        assert_eq!(nearest("key-fle", known), Some("key-file"));
        assert_eq!(nearest("partition", known), Some("partitions"));
        assert_eq!(nearest("zzzz", known), None);
        assert_eq!(nearest("notes", []), None);
        assert_eq!((edits("", "abc"), edits("abc", ""), edits("kitten", "sitting")), (3, 3, 3));
    }

    #[test]
    fn switches_and_values_become_words() {
        let switch = Arg::new("a").long("all").action(ArgAction::SetTrue);
        assert_eq!(words(&switch, &["true".into()]), ["--all"]);
        assert!(words(&switch, &["false".into()]).is_empty());
        let list = Arg::new("d").long("dictionary").action(ArgAction::Append);
        assert_eq!(words(&list, &["-x".into(), "".into()]), ["--dictionary=-x", "--dictionary="]);
    }
}
