//! The tables, columns and functions that a session knows.

use super::key_words::{KEY_WORDS, STARTS};

/// What can be named in a statement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::cli) struct Words {
    /// The tables, in the order in which they are listed.
    pub(in crate::cli) tables: Vec<Table>,
    /// The functions, likewise.
    pub(in crate::cli) functions: Vec<Function>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct Table {
    /// As it is written after FROM: with its schema where it is not the default one, in quotes where it needs them.
    pub(in crate::cli) name: String,
    /// Its columns, in order.
    pub(in crate::cli) columns: Vec<Column>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct Column {
    /// Its name, without quotes.
    pub(in crate::cli) name: String,
    /// Its type, as it is shown.
    pub(in crate::cli) kind: String,
}

/// A function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct Function {
    /// Its name, as it is called.
    pub(in crate::cli) name: String,
    /// What it does, in a line: its signature and the first sentence of its documentation.
    pub(in crate::cli) summary: String,
}

/// A name as a statement must hold it: the engine reads names without quotes as if they had no capitals.
pub(in crate::cli) fn in_quotes(name: &str) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_')
        && name
            .chars()
            .all(|character| character.is_ascii_lowercase() || character.is_ascii_digit() || character == '_')
        && !KEY_WORDS.iter().chain(STARTS).any(|word| word.eq_ignore_ascii_case(name));
    if is_plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// Rows of two columns, the second one aligned. Control characters in names are shown as what they are, not obeyed by the terminal.
pub(super) fn aligned<'r>(rows: impl IntoIterator<Item = (&'r str, &'r str)>) -> String {
    let rows: Vec<_> = rows.into_iter().map(|(left, right)| (harmless(left), harmless(right))).collect();
    let width = rows.iter().map(|(left, _)| left.chars().count()).max().unwrap_or(0);
    rows.iter().map(|(left, right)| format!("{}\n", format!("{left:width$}  {right}").trim_end())).collect()
}

fn harmless(text: &str) -> String {
    let shown = |character: char| match character.is_control() {
        true => character.escape_default().to_string(),
        false => character.to_string(),
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_quotes_where_they_need_them() {
        let quoted = ["note_id", "Note", "end", "a b", "1st", "", "a\"b", "größe"].map(in_quotes);
        assert_eq!(quoted, ["note_id", "\"Note\"", "\"end\"", "\"a b\"", "\"1st\"", "\"\"", "\"a\"\"b\"", "\"größe\""]);
    }

    #[test]
    fn rows_are_aligned_and_harmless() {
        assert_eq!(
            aligned([("a", "Utf8"), ("long", ""), ("\u{1b}[2J", "x")]),
            "a          Utf8\nlong\n\\u{1b}[2J  x\n"
        );
    }
}
