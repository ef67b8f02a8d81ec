//! Variables that are named as ours are, and that nothing reads: a slip of the pen there is no silent default either.
//!
//! ```text
//! PLAINSIGHT_KEY_FLE=site.key    the variable PLAINSIGHT_KEY_FLE is not known, and nothing reads it: is it PLAINSIGHT_KEY_FILE?
//! ```
//!
//! Values are never told: such a variable may hold a key.

use clap::Command;

use super::flags;

/// What all variables of this program begin with.
pub(super) const PREFIX: &str = "PLAINSIGHT_";

/// Variables that the program reads and that are no flag's.
const OWN: [&str; 2] = ["CONFIG", "HISTORY"];

/// Those of what is run beside the program, and may stand in the same environment: clients of `serve`, tests, and what builds and checks it.
const NEIGHBOURS: [&str; 14] = [
    "ADVISORIES_REQUIRED",
    "CA",
    "FAULT_RUNS",
    "FUZZ_TARGET",
    "HOSTILE_CASES",
    "PASSWORD",
    "PROGRAM",
    "S3_ENDPOINT",
    "SLOW_PART",
    "TEST_PROGRAM",
    "TOKEN",
    "TOOLS",
    "URI",
    "USER",
];

/// A message on each variable of these names that begins as ours do and is not known.
pub(in crate::cli) fn unknown_variables(command: &Command, names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut ours: Vec<String> =
        names.into_iter().filter_map(|name| Some(name.strip_prefix(PREFIX)?.to_owned())).collect();
    ours.retain(|name| !NEIGHBOURS.contains(&name.as_str()) && !is_of_service(name));
    if ours.is_empty() {
        return Vec::new();
    }
    ours.sort_unstable();
    let known = known(command);
    ours.iter().filter(|name| !known.contains(name)).map(|name| message(name, &known)).collect()
}

/// What the program reads, without what all begin with.
fn known(command: &Command) -> Vec<String> {
    let below = flags::leaves(command);
    let flags = below.iter().flat_map(|(_, leaf)| flags::flags(leaf)).chain(flags::flags(command));
    let variables = flags.filter_map(flags::variable).chain(flags::RESERVED.map(str::to_owned));
    let own = OWN.map(str::to_owned);
    variables.filter_map(|name| Some(name.strip_prefix(PREFIX)?.to_owned())).chain(own).collect()
}

fn message(name: &str, known: &[String]) -> String {
    let shown = name.replace(char::is_control, "?");
    let near = flags::nearest(&name.to_uppercase(), known.iter().map(String::as_str));
    let hint = near.map(|near| format!(": is it {PREFIX}{near}?")).unwrap_or_default();
    format!("the variable {PREFIX}{shown} is not known, and nothing reads it{hint}")
}

/// Whether a variable is one of those by which Kubernetes tells of a service that is called `plainsight`, or begins so.
fn is_of_service(name: &str) -> bool {
    let name = format!("_{name}");
    name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT")
        || name.ends_with("_PORT")
        || name.contains("_PORT_")
}

#[cfg(test)]
mod tests {
    use clap::{Arg, ArgAction};

    use super::*;

    fn told(names: &[&str]) -> Vec<String> {
        let command = Command::new("plainsight")
            .arg(Arg::new("log").long("log-format").global(true))
            .subcommand(Command::new("run").arg(Arg::new("key").long("key-file")))
            .subcommand(Command::new("inclusion").subcommand(
                Command::new("build").arg(Arg::new("all").long("all-unclaimed").action(ArgAction::SetTrue)),
            ));
        unknown_variables(&command, names.iter().map(|&name| name.to_owned()))
    }

    #[test]
    fn what_is_known_is_not_told() {
        let none = told(&[
            "PLAINSIGHT_KEY",
            "PLAINSIGHT_LOG",
            "PLAINSIGHT_LOG_FORMAT",
            "PLAINSIGHT_CONFIG",
            "PLAINSIGHT_HISTORY",
            "PLAINSIGHT_KEY_FILE",
            "PLAINSIGHT_ALL_UNCLAIMED",
            "PLAINSIGHT_TEST_PROGRAM",
            "PLAINSIGHT_TOKEN",
            "PLAINSIGHT_SERVICE_HOST",
            "PLAINSIGHT_PORT",
            "PLAINSIGHT_FLIGHT_PORT_32010_TCP_ADDR",
            "PLAINSIGHTS",
            "HOME",
        ]);
        assert!(none.is_empty(), "{none:?}");
    }

    #[test]
    fn what_is_not_known_is_told_with_the_nearest_that_is() {
        let near = |name: &str, near: &str| {
            let message = told(&[name]).concat();
            assert!(message.starts_with(&format!("the variable {name} ")), "{message}");
            assert!(message.ends_with(&format!(": is it {near}?")), "{message}");
        };
        near("PLAINSIGHT_KEY_FLE", "PLAINSIGHT_KEY_FILE");
        near("PLAINSIGHT_KEYFILE", "PLAINSIGHT_KEY_FILE");
        near("PLAINSIGHT_key_file", "PLAINSIGHT_KEY_FILE");
        near("PLAINSIGHT_ALL_UNCLAMED", "PLAINSIGHT_ALL_UNCLAIMED");
        near("PLAINSIGHT_KEZ", "PLAINSIGHT_KEY");
        let far = told(&["PLAINSIGHT_ZZZZZZZZ\n"]);
        assert_eq!(far, ["the variable PLAINSIGHT_ZZZZZZZZ? is not known, and nothing reads it"]);
        assert_eq!(told(&["PLAINSIGHT_B1B1B1", "HOME", "PLAINSIGHT_A1A1A1"]).len(), 2);
    }
}
