//! What stands around the cursor in a statement, and so which tables, columns, functions and key words could stand at it.
//!
//! ```text
//! SELECT n.te| FROM notes AS n      the word begun `n.te`, the tables named: notes, also as n   ▶  text
//! ```

use super::Words;
use super::completion::{Candidate, Completion, begins};
use super::key_words::{KEY_WORDS, STARTS};
use super::parts::{Kind, Part, parts};
use super::words::{Column, Table, in_quotes};

/// A word, name or sign of a statement. Names joined by dots are one: `notes."Text"`.
struct Token<'t> {
    kind: Kind,
    text: String,
    parts: Vec<Part<'t>>,
}

impl Token<'_> {
    fn is(&self, word: &str) -> bool {
        self.parts.len() == 1 && self.text.eq_ignore_ascii_case(word)
    }

    fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    fn start(&self) -> usize {
        self.parts.first().map_or(0, |part| part.start)
    }
}

fn tokens<'t>(parts: &[Part<'t>]) -> Vec<Token<'t>> {
    let mut found: Vec<Token<'t>> = Vec::new();
    let mut joins = false;
    for part in parts {
        let is_name = matches!(part.kind, Kind::Word | Kind::Name);
        match found.last_mut() {
            Some(last) if joins && (part.text == "." || is_name && last.text.ends_with('.')) => {
                last.text.push_str(part.text);
                last.parts.push(*part);
            }
            _ if part.is_blank() => joins = false,
            _ => {
                joins = is_name;
                found.push(Token { kind: part.kind, text: part.text.to_owned(), parts: vec![*part] });
            }
        }
    }
    found
}

/// The words after which a clause is another.
const CLAUSES: &[&str] = &[
    "SELECT", "FROM", "JOIN", "ON", "USING", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "QUALIFY", "SET", "VALUES",
    "INTO", "TO", "LOCATION", "BY", "WINDOW", "OPTIONS",
];
/// The words after which a table stands, or a file.
const BEFORE_TABLES: &[&str] =
    &["FROM", "JOIN", "INTO", "TO", "LOCATION", "UPDATE", "TABLE", "VIEW", "DESCRIBE", "DESC", "COPY"];

/// Where the cursor is.
pub(super) struct Place<'p> {
    /// The parts of the statement before the cursor.
    pub(super) before: &'p [Part<'p>],
    /// The text behind the cursor.
    pub(super) behind: &'p str,
    pub(super) words: &'p Words,
}

impl Place<'_> {
    /// Whether a table, or a file in quotes, stands where the last word of the statement begins.
    pub(super) fn wants_table(&self) -> bool {
        let mut tokens = tokens(self.before);
        if self.before.last().is_some_and(|last| !last.is_blank()) {
            tokens.pop();
        }
        wants_table(&tokens)
    }

    /// What could stand in the place of the word at the cursor, which may be empty.
    pub(super) fn word(&self, cursor: usize) -> Completion {
        let mut earlier = tokens(self.before);
        let begun = match self.before.last().map(|part| part.kind) {
            Some(Kind::Word | Kind::Name) => earlier.pop(),
            Some(Kind::Number | Kind::Text) => return Completion::default(),
            _ => earlier.pop_if(|last| last.parts.len() > 1 && last.text.ends_with('.') && self.ends_with_dot()),
        };
        let start = begun.as_ref().map_or(cursor, Token::start);
        let prefix = begun.map_or(String::new(), |begun| begun.text);
        let case = earlier.iter().find(|token| token.kind == Kind::Word).map_or("", |token| &token.text);
        let case = if prefix.is_empty() { case } else { &prefix };
        match earlier.last() {
            _ if earlier.iter().all(|token| token.is_any(&["EXPLAIN", "ANALYZE", "VERBOSE"])) => {
                Completion { start, candidates: key_words(STARTS, &prefix, case) }
            }
            Some(last) if last.is("AS") => Completion::default(),
            _ if wants_table(&earlier) => {
                let mut candidates = self.tables(&prefix);
                // SELECT … FROM (SELECT …), COPY (…) and CREATE TABLE IF NOT EXISTS: what else may stand there.
                if !prefix.is_empty() && !prefix.contains('.') {
                    candidates.extend(key_words(&["EXISTS", "IF", "LATERAL", "NOT", "UNNEST"], &prefix, case));
                }
                Completion { start, candidates }
            }
            _ => self.expression(start, &prefix, case, &earlier),
        }
    }

    fn ends_with_dot(&self) -> bool {
        self.before.last().is_some_and(|part| part.text == ".")
    }

    /// Columns, functions and key words; after a dot, the columns of the table before it.
    fn expression(&self, start: usize, prefix: &str, case: &str, earlier: &[Token<'_>]) -> Completion {
        let named = self.named(earlier);
        if let Some((owner, begun)) = prefix.rsplit_once('.') {
            let columns =
                named.iter().filter(|(name, _)| name.eq_ignore_ascii_case(owner)).flat_map(|(_, table)| &table.columns);
            let candidates = columns.filter(|column| begins(&column.name, begun)).map(written).collect();
            return Completion { start: start + owner.len() + 1, candidates };
        }
        let columns = self.columns(&named);
        let mut candidates: Vec<_> =
            columns.into_iter().filter(|column| begins(&column.name, prefix)).map(written).collect();
        // With nothing begun, hundreds of functions would hide the columns.
        if !prefix.is_empty() {
            let opening = if self.behind.starts_with('(') { "" } else { "(" };
            let functions = self.words.functions.iter().filter(|function| begins(&function.name, prefix));
            candidates.extend(
                functions.map(|function| Candidate::new(&function.name, format!("{}{opening}", function.name))),
            );
            candidates
                .extend(named.iter().filter(|(name, _)| begins(name, prefix)).map(|(name, _)| Candidate::same(name)));
        }
        if !prefix.is_empty() || candidates.is_empty() {
            candidates.extend(key_words(KEY_WORDS, prefix, case));
        }
        Completion { start, candidates }
    }

    /// The columns of the tables that the statement names, or of all if it names none, by name.
    fn columns<'w>(&'w self, named: &[(String, &'w Table)]) -> Vec<&'w Column> {
        let mut columns: Vec<_> = match named.is_empty() {
            true => self.words.tables.iter().flat_map(|table| &table.columns).collect(),
            false => named.iter().flat_map(|(_, table)| &table.columns).collect(),
        };
        columns.sort_by(|one, other| one.name.cmp(&other.name));
        columns.dedup_by(|one, other| one.name == other.name);
        columns
    }

    fn tables(&self, prefix: &str) -> Vec<Candidate> {
        self.words
            .tables
            .iter()
            .filter(|table| begins(&table.name, prefix))
            .map(|table| Candidate::same(&table.name))
            .collect()
    }

    /// The tables that the statement names, before the cursor and behind it, each under its own name and its alias.
    fn named(&self, earlier: &[Token<'_>]) -> Vec<(String, &Table)> {
        // The quote that ends a name at the cursor would open one here.
        let behind = self.behind.strip_prefix('"').unwrap_or(self.behind);
        let behind: Vec<_> = parts(behind).take_while(|part| part.kind != Kind::Semicolon).collect();
        let behind = tokens(&behind);
        let all: Vec<_> = earlier.iter().chain(&behind).collect();
        let mut found = Vec::new();
        for (place, token) in all.iter().enumerate() {
            let Some(table) = self.words.tables.iter().find(|table| table.name.eq_ignore_ascii_case(&token.text))
            else {
                continue;
            };
            found.push((table.name.clone(), table));
            let next = |ahead: usize| all.get(place + ahead).filter(|token| token.parts.len() == 1);
            let alias = match next(1) {
                Some(word) if word.is("AS") => next(2),
                other => other,
            };
            if let Some(alias) = alias.filter(|alias| alias.kind == Kind::Word && !alias.is_any(KEY_WORDS)) {
                found.push((alias.text.clone(), table));
            }
        }
        found
    }

    /// What could stand in `"…`, which is open at the cursor: names of tables or of columns.
    pub(super) fn quoted_name(&self, part: &Part<'_>) -> Completion {
        let prefix = part.text[1..].replace("\"\"", "\"");
        let named = self.named(&tokens(self.before));
        let names: Vec<&String> = match self.wants_table() {
            true => self.words.tables.iter().map(|table| &table.name).collect(),
            false => self.columns(&named).into_iter().map(|column| &column.name).collect(),
        };
        let closing = if self.behind.starts_with('"') { "" } else { "\"" };
        let candidates = names.into_iter().filter(|name| begins(name, &prefix));
        let candidates =
            candidates.map(|name| Candidate::new(name, format!("{}{closing}", name.replace('"', "\"\"")))).collect();
        Completion { start: part.start + 1, candidates }
    }
}

/// Whether a table, or a file in quotes, stands after these.
fn wants_table(earlier: &[Token<'_>]) -> bool {
    match earlier.last() {
        Some(last) if last.text == "," => {
            earlier.iter().rev().find(|token| token.is_any(CLAUSES)).is_some_and(|clause| clause.is("FROM"))
        }
        Some(last) => last.is_any(BEFORE_TABLES),
        None => false,
    }
}

fn written(column: &Column) -> Candidate {
    Candidate::new(&column.name, in_quotes(&column.name))
}

/// The key words that begin so, in capitals unless this text has none.
fn key_words(words: &[&str], prefix: &str, case: &str) -> Vec<Candidate> {
    let is_small = case.chars().any(char::is_lowercase) && !case.chars().any(char::is_uppercase);
    let found = words.iter().filter(|word| begins(word, prefix));
    found.map(|word| Candidate::same(if is_small { word.to_ascii_lowercase() } else { (*word).to_owned() })).collect()
}
