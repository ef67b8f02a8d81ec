//! The configuration file: a TOML table for each subcommand, held against the flags that there are.
//!
//! ```toml
//! log-format = "json"          # flags that all subcommands have stand above the tables
//!
//! [defaults]                   # for each subcommand that has such a flag
//! key-file = "site.key"
//!
//! [run]
//! notes = "s3://hospital/notes/"
//! dictionary = ["units.tsv", "staff.tsv"]
//! no-second-pass = true
//!
//! [inclusion.build]
//! prevalent = 10_000
//! ```
//!
//! Whatever no flag answers to is refused with its line, so that a slip of the pen is no silent default.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use clap::{Arg, Command};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::flags;
use crate::cli::arguments::read;
use crate::corpus::{CorpusError, Result};

/// The table whose keys hold for many subcommands.
pub(super) const DEFAULTS: &str = "defaults";

/// What a file gives one flag.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The values; of a switch `true` or `false`.
    pub(super) values: Vec<OsString>,
    /// Its line, from 1.
    pub(super) line: usize,
}

type Entries = BTreeMap<String, Entry>;

/// A configuration file, of which every key is known and every value has a type that its flag takes.
#[derive(Debug, Default)]
pub(super) struct File {
    name: String,
    above: Entries,
    defaults: Entries,
    tables: BTreeMap<Vec<String>, Entries>,
}

impl File {
    /// Reads a file for a command, which must be built.
    ///
    /// # Errors
    ///
    /// A configuration error where the file cannot be read, is no TOML, or says something that no flag answers to.
    pub(super) fn open(file: &Path, command: &Command, is_secret: fn(&str, &str) -> bool) -> Result<Self> {
        let name = file.display().to_string().replace(char::is_control, "?");
        Reader { name: &name, text: &read(file, "--config")?, is_secret }.file(command)
    }

    /// What the table of the subcommand at a path gives a flag.
    pub(super) fn own(&self, path: &[String], flag: &str) -> Option<&Entry> {
        self.tables.get(path)?.get(flag)
    }

    /// What the file gives a flag of all or of many subcommands.
    pub(super) fn shared(&self, flag: &str) -> Option<&Entry> {
        self.above.get(flag).or_else(|| self.defaults.get(flag))
    }

    /// The name of the file.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

/// Reads one file.
struct Reader<'f> {
    name: &'f str,
    text: &'f str,
    is_secret: fn(&str, &str) -> bool,
}

impl Reader<'_> {
    fn file(&self, command: &Command) -> Result<File> {
        // The message of the parser quotes nothing; its display would quote the line.
        let parsed = DeTable::parse(self.text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            self.refused(start, format!("this is no TOML: {}", error.message()), "see https://toml.io")
        })?;
        let mut file = File { name: self.name.to_owned(), ..File::default() };
        let global = |arg: &&Arg| arg.is_global_set();
        let has_table = |below: &&Command| below.get_name() != flags::FILE_FLAG;
        for (key, value) in parsed.get_ref() {
            let name = key.get_ref().as_ref();
            if name == DEFAULTS {
                let all: Vec<&Arg> =
                    flags::leaves(command).into_iter().flat_map(|(_, leaf)| flags::flags(leaf)).collect();
                file.defaults = self.entries("in [defaults]", self.table(key, value)?, &all)?;
            } else if let Some(subcommand) =
                flags::subcommands(command).filter(has_table).find(|below| below.get_name() == name)
            {
                self.subcommand(subcommand, vec![name.to_owned()], self.table(key, value)?, &mut file)?;
            } else {
                let known: Vec<&Arg> = flags::flags(command).filter(global).collect();
                let Some((flag, entry)) = self.entry(key, value, &known)? else {
                    return Err(self.unknown_above(key, command, &known));
                };
                self.add(&mut file.above, flag, entry)?;
            }
        }
        Ok(file)
    }

    /// The table of a subcommand, and those below it.
    fn subcommand(&self, command: &Command, path: Vec<String>, table: &DeTable<'_>, file: &mut File) -> Result<()> {
        let place = format!("in [{}]", path.join("."));
        let names: Vec<&str> = flags::subcommands(command).map(Command::get_name).collect();
        if names.is_empty() {
            let known: Vec<&Arg> = flags::flags(command).collect();
            let entries = self.entries(&place, table, &known)?;
            file.tables.insert(path, entries);
            return Ok(());
        }
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let Some(below) = flags::subcommands(command).find(|below| below.get_name() == name) else {
                return Err(self.unknown(key, &place, &names));
            };
            let path = path.iter().cloned().chain([name.to_owned()]).collect();
            self.subcommand(below, path, self.table(key, value)?, file)?;
        }
        Ok(())
    }

    /// The entries of a table. Flags of one name may stand several times in `known`, one for each subcommand.
    fn entries(&self, place: &str, table: &DeTable<'_>, known: &[&Arg]) -> Result<Entries> {
        let mut entries = Entries::new();
        for (key, value) in table {
            let Some((flag, entry)) = self.entry(key, value, known)? else {
                let mut names: Vec<&str> = known.iter().map(|arg| flags::long(arg)).collect();
                names.sort_unstable();
                names.dedup();
                return Err(self.unknown(key, place, &names));
            };
            self.add(&mut entries, flag, entry)?;
        }
        Ok(entries)
    }

    fn add(&self, entries: &mut Entries, flag: String, entry: Entry) -> Result<()> {
        let line = entry.line;
        match entries.insert(flag.clone(), entry) {
            None => Ok(()),
            Some(_) => Err(self.at_line(line, format!("`{flag}` is given twice"), "write it once, with hyphens")),
        }
    }

    /// The entry of a key, where a flag answers to it: the value must suit at least one flag of that name.
    fn entry(
        &self,
        key: &Spanned<DeString<'_>>,
        value: &Spanned<DeValue<'_>>,
        known: &[&Arg],
    ) -> Result<Option<(String, Entry)>> {
        let name = key.get_ref().replace('_', "-");
        let at = key.span().start;
        if texts(value.get_ref()).iter().any(|text| (self.is_secret)(&name, text)) {
            let message = format!("`{name}` holds a secret");
            return Err(self.refused(at, message, "leave it to the environment of the store"));
        }
        let mut refusal = None;
        for arg in known.iter().filter(|arg| flags::long(arg) == name) {
            match values(arg, value.get_ref()).and_then(|values| flags::accepts(arg, &values).map(|()| values)) {
                Ok(values) => return Ok(Some((name, Entry { values, line: self.line(at) }))),
                Err(reason) => refusal = Some(reason),
            }
        }
        let hint = "`plainsight SUBCOMMAND --help` tells what the flag takes";
        refusal.map_or(Ok(None), |reason| Err(self.refused(at, format!("`{name}`: {reason}"), hint)))
    }

    fn table<'t, 'i>(&self, key: &Spanned<DeString<'_>>, value: &'t Spanned<DeValue<'i>>) -> Result<&'t DeTable<'i>> {
        value.get_ref().as_table().ok_or_else(|| {
            let name = key.get_ref();
            self.refused(
                key.span().start,
                format!("`{name}` is a subcommand, not a flag"),
                format!("write a table: [{name}]"),
            )
        })
    }

    /// A key above the tables that is neither a flag of all subcommands nor a table.
    fn unknown_above(&self, key: &Spanned<DeString<'_>>, command: &Command, known: &[&Arg]) -> CorpusError {
        let name = key.get_ref().replace('_', "-");
        let having: Vec<String> = flags::leaves(command)
            .into_iter()
            .filter(|(_, leaf)| flags::flag(leaf, &name).is_some())
            .map(|(path, _)| format!("[{}]", path.join(".")))
            .collect();
        if !having.is_empty() {
            let message = format!("`{name}` is a flag of some subcommands and stands above the tables");
            return self.refused(
                key.span().start,
                message,
                format!("write it below [defaults], {}", having.join(", ")),
            );
        }
        let has_table = |below: &&Command| below.get_name() != flags::FILE_FLAG;
        let tables = flags::subcommands(command).filter(has_table).map(Command::get_name).chain([DEFAULTS]);
        self.unknown(
            key,
            "above the tables",
            &known.iter().map(|arg| flags::long(arg)).chain(tables).collect::<Vec<_>>(),
        )
    }

    fn unknown(&self, key: &Spanned<DeString<'_>>, place: &str, known: &[&str]) -> CorpusError {
        let name = key.get_ref().replace('_', "-");
        let hint = match (name.as_str(), flags::nearest(&name, known.iter().copied())) {
            ("key", _) => "a key stands in no configuration file; name its file with `key-file`".to_owned(),
            (flags::FILE_FLAG, _) => "a configuration file names no other one".to_owned(),
            (_, Some(near)) => format!("is it `{near}`? Known there: {}", known.join(", ")),
            (_, None) => format!("known there: {}", known.join(", ")),
        };
        let shown = name.replace(char::is_control, "?");
        self.refused(key.span().start, format!("there is no `{shown}` {place}"), hint)
    }

    fn refused(&self, at: usize, message: impl std::fmt::Display, hint: impl Into<String>) -> CorpusError {
        self.at_line(self.line(at), message, hint)
    }

    fn at_line(&self, line: usize, message: impl std::fmt::Display, hint: impl Into<String>) -> CorpusError {
        CorpusError::configuration(format!("{}:{line}: {message}", self.name), hint)
    }

    fn line(&self, at: usize) -> usize {
        1 + self.text.bytes().take(at).filter(|byte| *byte == b'\n').count()
    }
}

/// The values that a TOML value gives a flag.
fn values(arg: &Arg, value: &DeValue<'_>) -> Result<Vec<OsString>, String> {
    match value {
        DeValue::Boolean(on) if flags::is_switch(arg) => Ok(vec![on.to_string().into()]),
        _ if flags::is_switch(arg) => Err(format!("it is true or false, not a TOML {}", value.type_str())),
        DeValue::Array(several) if flags::is_list(arg) => {
            several.iter().map(|value| scalar(value.get_ref()).map(OsString::from)).collect()
        }
        DeValue::Array(_) => Err("it takes one value, not an array".to_owned()),
        value => Ok(vec![scalar(value)?.into()]),
    }
}

/// The strings in a TOML value.
fn texts<'v>(value: &'v DeValue<'_>) -> Vec<&'v str> {
    match value {
        DeValue::String(text) => vec![text],
        DeValue::Array(several) => several.iter().flat_map(|value| texts(value.get_ref())).collect(),
        _ => Vec::new(),
    }
}

fn scalar(value: &DeValue<'_>) -> Result<String, String> {
    match value {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Float(number) => Ok(number.as_str().to_owned()),
        DeValue::Integer(number) => match i128::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Ok(number.to_string()),
            Err(_) => Err("the number is too large".to_owned()),
        },
        other => Err(format!("it takes a string or a number, not a TOML {}", other.type_str())),
    }
}
