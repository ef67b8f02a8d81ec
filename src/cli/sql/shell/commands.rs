//! The commands of the shell itself: lines that begin with `\`.
//!
//! ```text
//! \d notes      ▶  Command::Columns("notes")
//! \timing on    ▶  Command::Timing(Some(true))
//! ```

use clap::ValueEnum;

use super::words::aligned;
use crate::cli::sql::output::Format;

/// The formats that a terminal can show.
pub(super) const FORMATS: &[&str] = &["table", "csv", "json"];

/// How a command is called and what it does, for people.
pub(super) struct Help {
    pub(super) name: &'static str,
    value: &'static str,
    meaning: &'static str,
}

/// The commands, as they are listed.
pub(super) const COMMANDS: &[Help] = &[
    Help { name: "\\d", value: "", meaning: "list the tables" },
    Help { name: "\\d", value: "NAME", meaning: "list the columns of a table, or of a file: \\d 'notes.parquet'" },
    Help { name: "\\df", value: "[TEXT]", meaning: "list the functions, or those whose names hold the text" },
    Help { name: "\\format", value: "[FORMAT]", meaning: "print rows as table, csv or json; alone, tell which" },
    Help { name: "\\timing", value: "[on|off]", meaning: "tell how long each statement takes" },
    Help { name: "\\?", value: "", meaning: "show this list" },
    Help { name: "\\q", value: "", meaning: "end; so do quit, exit and Ctrl-D" },
];

/// What is typed besides statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    Quit,
    Help,
    Tables,
    /// The columns of a table, named as after FROM.
    Columns(String),
    /// The functions whose names hold a text.
    Functions(String),
    /// Whether to tell how long statements take; the other way round if it is not said.
    Timing(Option<bool>),
    /// The format to print in; none to be told the present one.
    Format(Option<Format>),
}

/// The command that a line is, none if it is a statement.
///
/// # Errors
/// It begins with `\` and is no command; the message says so.
pub(super) fn command(line: &str) -> Option<Result<Command, String>> {
    let line = line.trim().trim_end_matches(';').trim_end();
    if line.eq_ignore_ascii_case("quit") || line.eq_ignore_ascii_case("exit") {
        return Some(Ok(Command::Quit));
    }
    if !line.starts_with('\\') {
        return None;
    }
    let (name, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    Some(read(name, value.trim()))
}

fn read(name: &str, value: &str) -> Result<Command, String> {
    match (name, value) {
        ("\\q", "") => Ok(Command::Quit),
        ("\\?", "") => Ok(Command::Help),
        ("\\d", "") => Ok(Command::Tables),
        ("\\d", table) => Ok(Command::Columns(table.to_owned())),
        ("\\df", text) => Ok(Command::Functions(text.to_owned())),
        ("\\timing", "") => Ok(Command::Timing(None)),
        ("\\timing", "on") => Ok(Command::Timing(Some(true))),
        ("\\timing", "off") => Ok(Command::Timing(Some(false))),
        ("\\timing", _) => Err("`\\timing` takes on or off".to_owned()),
        ("\\format", "") => Ok(Command::Format(None)),
        ("\\format", format) => match Format::from_str(format, true) {
            Ok(Format::Parquet) => {
                Err("Parquet is no text; write a file: COPY (SELECT …) TO 'rows.parquet'".to_owned())
            }
            Ok(format) => Ok(Command::Format(Some(format))),
            Err(_) => Err(format!("`\\format` takes {}", FORMATS.join(", "))),
        },
        ("\\q" | "\\?", _) => Err(format!("`{name}` takes nothing")),
        _ => Err("there is no such command; \\? lists them".to_owned()),
    }
}

/// The list of the commands.
pub(super) fn help() -> String {
    let calls: Vec<_> = COMMANDS.iter().map(|command| format!("{} {}", command.name, command.value)).collect();
    let rows = calls.iter().zip(COMMANDS).map(|(call, command)| (call.trim_end(), command.meaning));
    format!(
        "A statement ends with `;` and may go over several lines.\n{}Tab completes, Ctrl-C drops a line or ends a statement, Ctrl-R \
         searches what was typed. A line that\nbegins with a space is not kept.\n",
        aligned(rows)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_statements() {
        for (line, expected) in [
            ("\\q", Command::Quit),
            (" EXIT ; ", Command::Quit),
            ("\\?", Command::Help),
            ("\\d", Command::Tables),
            ("\\d  'a b.parquet' ;", Command::Columns("'a b.parquet'".to_owned())),
            ("\\df", Command::Functions(String::new())),
            ("\\df name", Command::Functions("name".to_owned())),
            ("\\timing", Command::Timing(None)),
            ("\\timing off", Command::Timing(Some(false))),
            ("\\format", Command::Format(None)),
            ("\\format CSV", Command::Format(Some(Format::Csv))),
        ] {
            assert_eq!(command(line), Some(Ok(expected)), "{line}");
        }
        for wrong in ["\\", "\\x", "\\format parquet", "\\format xml", "\\timing maybe", "\\q now"] {
            assert!(matches!(command(wrong), Some(Err(_))), "{wrong}");
        }
        for statement in ["SELECT 1;", "", "exit_code", "-- quit"] {
            assert_eq!(command(statement), None, "{statement}");
        }
    }

    #[test]
    fn the_list_names_every_command_that_can_be_read() {
        for Help { name, .. } in COMMANDS {
            assert!(matches!(command(name), Some(Ok(_))), "{name}");
            assert!(help().contains(name));
        }
        assert!(FORMATS.iter().all(|name| matches!(read("\\format", name), Ok(Command::Format(Some(_))))));
    }
}
