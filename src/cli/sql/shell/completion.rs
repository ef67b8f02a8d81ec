//! What could stand at the cursor.
//!
//! ```text
//! sel|                              ▶  select                   a key word, in the case that was begun
//! SELECT no| FROM notes             ▶  note_id, note_type       columns of the tables that the statement names
//! SELECT n.| FROM notes AS n        ▶  note_id, patient_id, …
//! SELECT * FROM n|                  ▶  notes
//! SELECT * FROM 'examples/w|        ▶  warehouse/               local folders and files
//! \f|                               ▶  \format
//! ```
//!
//! Pure: the words are given, and so is what a folder holds.

use super::Words;
use super::commands;
use super::parts::{Kind, Part, parts};
use super::place::Place;

/// What could stand at the cursor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::cli) struct Completion {
    /// Where what a candidate replaces begins, in bytes; it ends at the cursor.
    pub(in crate::cli) start: usize,
    /// Each as it is shown and as it is written, best first.
    pub(in crate::cli) candidates: Vec<Candidate>,
}

/// One thing that could stand at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct Candidate {
    /// As it is shown in a list.
    pub(in crate::cli) shown: String,
    /// As it is written into the line.
    pub(in crate::cli) written: String,
}

impl Candidate {
    pub(super) fn new(shown: impl Into<String>, written: impl Into<String>) -> Self {
        Self { shown: shown.into(), written: written.into() }
    }

    pub(super) fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(text.clone(), text)
    }
}

/// What a folder holds: the name of each entry, and whether it is a folder itself. An empty path is the working folder.
pub(in crate::cli) type ListFolder<'f> = &'f dyn Fn(&str) -> Vec<(String, bool)>;

/// What could stand at the cursor, a place in the text in bytes.
pub(in crate::cli) fn complete(text: &str, cursor: usize, words: &Words, folder: ListFolder<'_>) -> Completion {
    let cursor = (0..=cursor.min(text.len())).rev().find(|&place| text.is_char_boundary(place)).unwrap_or(0);
    let (before, behind) = text.split_at(cursor);
    if before.trim_start().starts_with('\\') {
        return command(before, words);
    }
    let here = statement_parts(before);
    let place = Place { before: &here, behind, words };
    match here.last() {
        // A comment to the end of the line goes on where the cursor stands.
        Some(Part { kind: Kind::Comment, text, closed, .. }) if !closed || text.starts_with("--") => {
            Completion::default()
        }
        Some(part) if !part.closed => match part.text.chars().next() {
            Some('\'') if place.wants_table() => path(part, behind, folder),
            Some('"') => place.quoted_name(part),
            _ => Completion::default(),
        },
        _ => place.word(cursor),
    }
}

/// The parts of the statement that is not ended at the end of a text.
fn statement_parts(text: &str) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    for part in parts(text) {
        match part.kind {
            Kind::Semicolon => found.clear(),
            _ => found.push(part),
        }
    }
    found
}

/// Whether a name begins so, whatever the case.
pub(super) fn begins(name: &str, prefix: &str) -> bool {
    name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Files and folders that begin like the path in a quote that is open at the cursor.
fn path(part: &Part<'_>, behind: &str, folder: ListFolder<'_>) -> Completion {
    let typed = &part.text[1..];
    if typed.contains("://") {
        return Completion::default();
    }
    let name = typed.rfind('/').map_or(0, |slash| slash + 1);
    let unquoted = |text: &str| text.replace("''", "'");
    let prefix = unquoted(&typed[name..]);
    let closing = if behind.starts_with('\'') { "" } else { "'" };
    let mut entries = folder(&unquoted(&typed[..name]));
    // Names with control characters would play tricks on the terminal.
    entries.retain(|(entry, _)| entry.starts_with(&prefix) && (!entry.starts_with('.') || prefix.starts_with('.')));
    entries.retain(|(entry, _)| !entry.chars().any(char::is_control));
    entries.sort();
    let candidates = entries.into_iter().map(|(entry, is_folder)| {
        let written = entry.replace('\'', "''");
        match is_folder {
            true => Candidate::new(format!("{entry}/"), format!("{written}/")),
            false => Candidate::new(entry, format!("{written}{closing}")),
        }
    });
    Completion { start: part.start + 1 + name, candidates: candidates.collect() }
}

/// Commands of the shell, and what stands after them.
fn command(before: &str, words: &Words) -> Completion {
    let start = before.rfind(char::is_whitespace).map_or(0, |space| space + 1);
    let (earlier, prefix) = before.split_at(start);
    let mut candidates: Vec<&str> = match earlier.trim() {
        "" => commands::COMMANDS.iter().map(|command| command.name).collect(),
        "\\d" => words.tables.iter().map(|table| table.name.as_str()).collect(),
        "\\df" => words.functions.iter().map(|function| function.name.as_str()).collect(),
        "\\format" => commands::FORMATS.to_vec(),
        "\\timing" => vec!["on", "off"],
        _ => Vec::new(),
    };
    candidates.dedup();
    let candidates =
        candidates.into_iter().filter(|candidate| begins(candidate, prefix)).map(Candidate::same).collect();
    Completion { start, candidates }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::words::{Column, Function, Table};
    use super::*;

    fn words() -> Words {
        let table = |name: &str, columns: &[&str]| Table {
            name: name.to_owned(),
            columns: columns
                .iter()
                .map(|column| Column { name: (*column).to_owned(), kind: "Utf8".to_owned() })
                .collect(),
        };
        let function = |name: &str| Function { name: name.to_owned(), summary: String::new() };
        Words {
            tables: vec![
                table("notes", &["note_id", "text", "Patient \"x\""]),
                table("work.counts", &["notes", "patients"]),
            ],
            functions: vec![function("note_count"), function("normalize")],
        }
    }

    fn folder(path: &str) -> Vec<(String, bool)> {
        let entries: &[(&str, bool)] = match path {
            "" => &[("notes", true), ("new.parquet", false), (".hidden", false), ("n\u{1b}[2J", false)],
            "notes/" => &[("it's.json", false), ("é.json", false)],
            _ => &[],
        };
        entries.iter().map(|(name, is_folder)| ((*name).to_owned(), *is_folder)).collect()
    }

    /// The line after each candidate has been written at `|`.
    fn completed(line: &str) -> Vec<String> {
        let cursor = line.find('|').unwrap();
        let (before, behind) = (&line[..cursor], &line[cursor + 1..]);
        let found = complete(&format!("{before}{behind}"), cursor, &words(), &folder);
        found
            .candidates
            .into_iter()
            .map(|candidate| format!("{}{}", &before[..found.start], candidate.written))
            .collect()
    }

    #[track_caller]
    fn assert_completed(line: &str, expected: &[&str]) {
        assert_eq!(completed(line), expected, "{line}");
    }

    #[test]
    fn key_words_keep_the_case_that_was_begun() {
        assert_completed("sel|", &["select"]);
        assert_completed("SEL|", &["SELECT"]);
        assert_completed("Sel|", &["SELECT"]);
        assert_completed("explain sel|", &["explain select"]);
        assert_completed("SELECT 1; sel|", &["SELECT 1; select"]);
        assert_completed("select 1 from notes wher|", &["select 1 from notes where"]);
    }

    #[test]
    fn names_stand_where_they_can_stand() {
        assert_completed("SELECT * FROM n|", &["SELECT * FROM notes", "SELECT * FROM not"]);
        assert_completed("SELECT * FROM work.|", &["SELECT * FROM work.counts"]);
        assert_completed("SELECT * FROM notes, w|", &["SELECT * FROM notes, work.counts"]);
        assert_completed(
            "SELECT no| FROM notes",
            &["SELECT note_id", "SELECT note_count(", "SELECT normalize(", "SELECT notes", "SELECT not"],
        );
        assert_completed(
            "SELECT no|(text) FROM work.counts",
            &["SELECT notes", "SELECT note_count", "SELECT normalize", "SELECT not"],
        );
        assert_completed(
            "SELECT n.| FROM notes AS n",
            &["SELECT n.note_id", "SELECT n.text", "SELECT n.\"Patient \"\"x\"\"\""],
        );
        assert_completed("SELECT n.te| FROM notes n WHERE 1", &["SELECT n.text"]);
        assert_completed("SELECT other.te| FROM notes n", &[]);
        assert_completed("SELECT \"Pa| FROM notes", &["SELECT \"Patient \"\"x\"\"\""]);
        assert_completed("SELECT \"no|\" FROM work.counts", &["SELECT \"notes"]);
        assert_completed("SELECT 1 AS no|", &[]);
    }

    #[test]
    fn nothing_stands_in_texts_and_comments() {
        for line in ["SELECT 'no|", "SELECT $$no|", "SELECT 1 -- no|", "SELECT /* no|", "SELECT 'a'|", "SELECT 1|"] {
            assert_completed(line, &[]);
        }
    }

    #[test]
    fn paths_stand_in_quotes_where_a_table_stands() {
        assert_completed("SELECT * FROM 'n|", &["SELECT * FROM 'new.parquet'", "SELECT * FROM 'notes/"]);
        assert_completed("SELECT * FROM 'ne|'", &["SELECT * FROM 'new.parquet"]);
        assert_completed(
            "COPY notes TO 'notes/|",
            &["COPY notes TO 'notes/it''s.json'", "COPY notes TO 'notes/é.json'"],
        );
        assert_completed("SELECT * FROM a JOIN 'notes/it''|", &["SELECT * FROM a JOIN 'notes/it''s.json'"]);
        assert_completed("SELECT * FROM notes, '.|", &["SELECT * FROM notes, '.hidden'"]);
        assert_completed("SELECT * FROM 's3://n|", &[]);
        assert_completed("SELECT * FROM notes WHERE text = 'n|", &[]);
    }

    #[test]
    fn commands_and_what_follows_them() {
        assert_completed("\\f|", &["\\format"]);
        assert_completed("\\d n|", &["\\d notes"]);
        assert_completed("\\format j|", &["\\format json"]);
    }

    proptest! {
        #[test]
        fn any_line_is_read_without_a_panic(text in prop_oneof![any::<String>(), "[-'\"$;/*.,\\\\néFROM SELECT]{0,30}"], cursor in 0_usize..40) {
            let found = complete(&text, cursor, &words(), &folder);
            prop_assert!(found.start <= cursor.min(text.len()) && text.is_char_boundary(found.start));
        }
    }
}
