//! The shell of `plainsight sql`: statements are typed, rows come back, and an error is told without ending it.
//!
//! ```text
//! plainsight> \d
//! notes   2 columns
//! plainsight> SELECT count(*)
//! FROM notes;
//! +----------+
//! | count(*) |
//! …
//! plainsight> \q
//! ```
//!
//! The loop knows neither the engine nor the terminal: it reads from [`ReadLines`] and asks [`Asked`]. Rows and lists go to standard output,
//! all else to standard error. What the engine side must see to:
//!
//! - The shell blocks its thread: run it where that may be (`tokio::task::spawn_blocking`), and let [`Asked::ask`] wait for the engine with the
//!   handle of the runtime.
//! - While a line is read, Ctrl-C is a key like others, and drops the line. While a statement runs, it is SIGINT: [`Asked::ask`] listens for
//!   it, drops the statement and gives [`Refused::Interrupted`]. The process must not end by SIGINT as long as the shell is open.
//! - Before the process ends by any other signal, it calls [`restore_terminal`].

mod commands;
mod completion;
mod editor;
mod history;
mod key_words;
mod parts;
mod place;
mod statements;
mod terminal;
mod words;

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

pub(super) use history::history_place;
pub(in crate::cli) use terminal::restore_terminal;
pub(super) use words::{Column, Function, Table, Words, in_quotes};

use super::output::Format;
use commands::Command;
use statements::{statements, unfinished};
use words::aligned;

/// What stands before a statement, and before the lines that go on with it where those are read one by one.
const PROMPTS: [&str; 2] = ["plainsight> ", "         -> "];

/// Who answers: the session of the engine.
pub(super) trait Asked {
    /// Does one statement, without its `;`, and writes its rows to standard output. Never asked for [`Format::Parquet`].
    ///
    /// # Errors
    /// Why it was not done, or that a SIGINT came meanwhile.
    fn ask(&mut self, statement: &str, format: Format) -> Result<(), Refused>;

    /// What can be named now: asked for at the beginning and after all that was done.
    fn words(&mut self) -> Words;

    /// The columns of a table or a file, named as after FROM, whether or not it is among the [`Words`].
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    fn columns(&mut self, table: &str) -> Result<Vec<Column>, Refused>;
}

/// Why nothing came of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refused {
    /// It failed: what went wrong, as it is told to the user.
    Failed(String),
    /// The user has ended it.
    Interrupted,
}

/// What has been read from the user.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Line {
    /// A line, or all lines of a statement, without the last line end.
    Text(String),
    /// Ctrl-C: what was typed does not count.
    Interrupted,
    /// Ctrl-D.
    End,
}

/// Who reads what the user types.
trait ReadLines {
    /// Reads a line after this prompt.
    fn read(&mut self, prompt: &str) -> io::Result<Line>;

    /// Keeps what was typed for later. An error is told once; nothing is written after it.
    fn keep(&mut self, text: &str) -> io::Result<()>;

    /// Takes what can be named from now on.
    fn learn(&mut self, words: Words);
}

/// Opens the shell on the terminal, until the user ends it.
///
/// # Errors
/// The terminal cannot be read, or standard output not be written.
pub(super) fn open(asked: &mut dyn Asked, format: Format, history: Option<&Path>) -> io::Result<()> {
    terminal::remember_terminal();
    let (mut lines, told) = editor::Editor::open(history)?;
    let (mut output, mut messages) = (io::stdout(), io::stderr());
    let mut shell =
        Shell { asked, lines: &mut lines, output: &mut output, messages: &mut messages, format, timing: false };
    shell.tell(&format!("plainsight {}: \\? lists the commands, \\q ends", env!("CARGO_PKG_VERSION")));
    if let Some(told) = told {
        shell.tell(&format!("warning: {told}"));
    }
    shell.run()
}

/// Whether a text that begins a statement can be handed over: a command, whole statements, or nothing at all.
fn is_whole(text: &str) -> bool {
    commands::command(text).is_some() || unfinished(text).is_none()
}

/// Whether the shell goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Read,
    End,
}

/// The shell, while it runs.
struct Shell<'s> {
    asked: &'s mut dyn Asked,
    lines: &'s mut dyn ReadLines,
    output: &'s mut dyn Write,
    messages: &'s mut dyn Write,
    format: Format,
    timing: bool,
}

impl Shell<'_> {
    fn run(&mut self) -> io::Result<()> {
        let mut begun = String::new();
        let words = self.asked.words();
        self.lines.learn(words);
        loop {
            match self.lines.read(PROMPTS[usize::from(!begun.is_empty())])? {
                Line::Interrupted => begun.clear(),
                Line::End if begun.is_empty() => return Ok(()),
                Line::End => {
                    self.tell("the last statement did not end with `;` and was not done");
                    return Ok(());
                }
                Line::Text(line) => {
                    begun.push_str(&line);
                    if !is_whole(&begun) {
                        begun.push('\n');
                    } else if self.answer(&std::mem::take(&mut begun))? == Next::End {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Does what was typed: a command, or statements.
    fn answer(&mut self, typed: &str) -> io::Result<Next> {
        if let Err(error) = self.lines.keep(typed.trim_end()) {
            self.tell(&format!("warning: the history is no longer kept: {error}"));
        }
        match commands::command(typed) {
            Some(Ok(command)) => return self.obey(command),
            Some(Err(message)) => self.tell(&format!("error: {message}")),
            None => self.ask(typed),
        }
        Ok(Next::Read)
    }

    /// Does statements, up to the first one that is refused: the others may rest on it.
    fn ask(&mut self, typed: &str) {
        // What is whole can be cut.
        let statements = statements(typed).unwrap_or_default();
        for (done, statement) in statements.iter().enumerate() {
            let begins = Instant::now();
            let answer = self.asked.ask(statement.text, self.format);
            if self.timing {
                self.tell(&format!("took {}", told(begins.elapsed())));
            }
            if let Err(refused) = answer {
                self.refused(refused);
                let left = statements.len() - done - 1;
                if left > 0 {
                    self.tell(&format!("statements after it that were not done: {left}"));
                }
                break;
            }
        }
        if !statements.is_empty() {
            let words = self.asked.words();
            self.lines.learn(words);
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<Next> {
        match command {
            Command::Quit => return Ok(Next::End),
            Command::Help => self.print(&commands::help())?,
            Command::Tables => {
                let tables = self.asked.words().tables;
                let counts: Vec<_> = tables
                    .iter()
                    .map(|table| match table.columns.len() {
                        1 => "1 column".to_owned(),
                        count => format!("{count} columns"),
                    })
                    .collect();
                self.print(&aligned(
                    tables.iter().map(|table| table.name.as_str()).zip(counts.iter().map(String::as_str)),
                ))?;
            }
            Command::Columns(table) => match self.asked.columns(&table) {
                Ok(columns) => {
                    self.print(&aligned(columns.iter().map(|column| (column.name.as_str(), column.kind.as_str()))))?
                }
                Err(refused) => self.refused(refused),
            },
            Command::Functions(text) => {
                let functions = self.asked.words().functions;
                let held =
                    functions.iter().filter(|function| function.name.to_lowercase().contains(&text.to_lowercase()));
                self.print(&aligned(held.map(|function| (function.name.as_str(), function.summary.as_str()))))?;
            }
            Command::Timing(wanted) => {
                self.timing = wanted.unwrap_or(!self.timing);
                self.tell(if self.timing { "timing is on" } else { "timing is off" });
            }
            Command::Format(wanted) => {
                self.format = wanted.unwrap_or(self.format);
                self.tell(&format!("rows are printed as {}", format!("{:?}", self.format).to_lowercase()));
            }
        }
        Ok(Next::Read)
    }

    fn refused(&mut self, refused: Refused) {
        match refused {
            Refused::Failed(message) => self.tell(&format!("error: {message}")),
            Refused::Interrupted => self.tell("interrupted"),
        }
    }

    /// Writes a message. Standard error may be closed; that is no failure.
    fn tell(&mut self, message: &str) {
        let _ = writeln!(self.messages, "{}", message.trim_end());
    }

    fn print(&mut self, list: &str) -> io::Result<()> {
        self.output.write_all(list.as_bytes())?;
        self.output.flush()
    }
}

/// A time as people read it.
fn told(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{:.1} ms", time.as_secs_f64() * 1e3),
        1..60 => format!("{:.2} s", time.as_secs_f64()),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests;
