//! Lines from a terminal, with editing, completion and history.
//!
//! ```text
//! plainsight> SELECT count(*)⏎
//! FROM notes⏎                        Enter makes a new line while the statement is unfinished: all of it can be edited
//! WHERE note_id > 3;⏎                now it is whole, and is handed over in one piece
//! ```
//!
//! On terminals that cannot move the cursor (`TERM=dumb`, shells within editors) lines are read one by one.

use std::io;
use std::path::Path;

use rustyline::completion::{Completer, Pair};
use rustyline::error::{ReadlineError, Signal};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Helper};

use super::completion::complete;
use super::history::{ENTRIES, History, is_kept};
use super::{Line, ReadLines, Words, is_whole};

/// A terminal from which lines are read.
pub(super) struct Editor {
    lines: rustyline::Editor<Knowledge, MemHistory>,
    history: Option<History>,
}

impl Editor {
    /// Takes over the terminal. What cannot be read of the history is told by a message, and nothing is kept then.
    ///
    /// # Errors
    /// The terminal cannot be used.
    pub(super) fn open(history: Option<&Path>) -> io::Result<(Self, Option<String>)> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .max_history_size(ENTRIES)
            .and_then(|builder| builder.history_ignore_dups(true))
            .map_err(failure)?
            .history_ignore_space(true)
            .auto_add_history(false)
            .build();
        let memory = MemHistory::with_config(&config);
        let mut lines = rustyline::Editor::with_history(config, memory).map_err(failure)?;
        let reads_one_by_one = std::env::var("TERM").is_ok_and(|terminal| reads_one_by_one(&terminal));
        lines.set_helper(Some(Knowledge { words: Words::default(), reads_one_by_one }));
        let (history, told) = match history.map(|path| (path, History::open(path))) {
            None => (None, None),
            Some((_, Ok((history, entries)))) => {
                for entry in entries {
                    lines.add_history_entry(entry).map_err(failure)?;
                }
                (Some(history), None)
            }
            Some((path, Err(error))) => (None, Some(format!("the history {} is not kept: {error}", path.display()))),
        };
        Ok((Self { lines, history }, told))
    }
}

/// The terminals on which nothing can be edited.
fn reads_one_by_one(terminal: &str) -> bool {
    ["dumb", "cons25", "emacs"].iter().any(|simple| simple.eq_ignore_ascii_case(terminal))
}

impl ReadLines for Editor {
    fn read(&mut self, prompt: &str) -> io::Result<Line> {
        loop {
            return match self.lines.readline(prompt) {
                Ok(text) => Ok(Line::Text(text)),
                Err(ReadlineError::Eof) => Ok(Line::End),
                Err(ReadlineError::Interrupted | ReadlineError::Signal(Signal::Interrupt)) => Ok(Line::Interrupted),
                Err(ReadlineError::Signal(Signal::Resize)) => continue,
                Err(error) => Err(failure(error)),
            };
        }
    }

    fn keep(&mut self, text: &str) -> io::Result<()> {
        if !is_kept(text) {
            return Ok(());
        }
        self.lines.add_history_entry(text).map_err(failure)?;
        match &mut self.history {
            Some(history) => history.keep(text).inspect_err(|_| self.history = None),
            None => Ok(()),
        }
    }

    fn learn(&mut self, words: Words) {
        if let Some(knowledge) = self.lines.helper_mut() {
            knowledge.words = words;
        }
    }
}

fn failure(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// What the editor knows of the language.
struct Knowledge {
    words: Words,
    reads_one_by_one: bool,
}

impl Helper for Knowledge {}

impl Validator for Knowledge {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match self.reads_one_by_one || is_whole(context.input()) {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

impl Completer for Knowledge {
    type Candidate = Pair;

    fn complete(&self, line: &str, cursor: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let found = complete(line, cursor, &self.words, &list);
        let candidates = found.candidates.into_iter();
        let pairs =
            candidates.map(|candidate| Pair { display: candidate.shown, replacement: candidate.written }).collect();
        Ok((found.start, pairs))
    }
}

impl Hinter for Knowledge {
    type Hint = String;
}

impl Highlighter for Knowledge {}

/// What a local folder holds; nothing if it cannot be read. Names that are no text cannot be typed either.
fn list(folder: &str) -> Vec<(String, bool)> {
    /// Enough for people; a folder of a million notes must not stop the cursor.
    const MOST: usize = 5000;
    let entries = std::fs::read_dir(if folder.is_empty() { "." } else { folder });
    let entries = entries.into_iter().flatten().flatten().take(MOST);
    let named = entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path().is_dir())));
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_listed_and_what_is_none_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("notes")).unwrap();
        std::fs::write(folder.path().join("a.parquet"), "").unwrap();
        let mut found = list(folder.path().to_str().unwrap());
        found.sort();
        assert_eq!(found, [("a.parquet".to_owned(), false), ("notes".to_owned(), true)]);
        assert_eq!(list("/no/such/folder"), []);
    }
}
