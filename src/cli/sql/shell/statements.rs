//! Text cut into statements.
//!
//! ```text
//! -- counts
//! SELECT ';' AS a;     ▶  line 2: SELECT ';' AS a
//! SELECT 2             ▶  line 3: SELECT 2            (in a file; in the shell it is unfinished: no `;`)
//! ```
//!
//! A `;` in a quote or a comment cuts nothing: see [`super::parts`]. Pieces without any statement, blank or only comments, are passed over.

use super::parts::{Kind, Part, parts};

/// One statement of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct Statement<'t> {
    /// From its first word to before its `;`. Comments within it are kept, so that a line number of the parser can be added to `line`.
    pub(in crate::cli) text: &'t str,
    /// The line of the text in which it begins, from 1.
    pub(in crate::cli) line: usize,
}

/// Why a text does not end where a statement may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(in crate::cli) enum Unfinished {
    /// A quote is open.
    #[error("the quote {mark} that opens in line {line} is never closed")]
    Quote {
        /// What opens it.
        mark: &'static str,
        /// The line where it opens, from 1.
        line: usize,
    },
    /// A comment is open.
    #[error("the comment /* that opens in line {line} is never closed")]
    Comment {
        /// The line where it opens, from 1.
        line: usize,
    },
    /// The last statement has no `;`.
    #[error("the statement that begins in line {line} does not end with ;")]
    Semicolon {
        /// The line where the statement begins, from 1.
        line: usize,
    },
}

/// The statements of a file or of `--command`. The last one needs no `;`.
///
/// # Errors
/// A quote or a comment is open: all is refused, for where it was meant to be closed is anyone's guess, and what was done before cannot be
/// undone.
pub(in crate::cli) fn statements(text: &str) -> Result<Vec<Statement<'_>>, Unfinished> {
    let mut found = Vec::new();
    for piece in pieces(text) {
        match piece.unfinished() {
            None | Some(Unfinished::Semicolon { .. }) => found.extend(piece.statement()),
            Some(open) => return Err(open),
        }
    }
    Ok(found)
}

/// What a user who types this text has still to write before it can be done; nothing where no statement has begun.
pub(in crate::cli) fn unfinished(text: &str) -> Option<Unfinished> {
    pieces(text).last().and_then(|piece| piece.unfinished())
}

/// The text up to a `;`, and that.
struct Piece<'t> {
    text: &'t str,
    /// The line in which it begins, from 1.
    line: usize,
}

/// The text, cut after every `;` that ends a statement.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let (mut rest, mut line) = (text, 1);
    std::iter::from_fn(move || {
        let end = parts(rest).take_while(|part| part.kind != Kind::Semicolon).last().map_or(0, |part| part.end());
        // With the `;`, which the end of the text may lack.
        let (piece, after) = rest.split_at(rest.len().min(end + 1));
        let found = Piece { text: piece, line };
        line += piece.matches('\n').count();
        rest = after;
        (!piece.is_empty()).then_some(found)
    })
}

impl<'t> Piece<'t> {
    /// What is to be done, if anything.
    fn statement(&self) -> Option<Statement<'t>> {
        let wanted = |part: &Part<'_>| part.kind != Kind::Semicolon && part.kind != Kind::Blank;
        let first = self.first_word()?;
        let end = parts(self.text).filter(wanted).last()?.end();
        Some(Statement { text: &self.text[first.start..end], line: self.line_at(first.start) })
    }

    /// What keeps it from being whole.
    fn unfinished(&self) -> Option<Unfinished> {
        let last = parts(self.text).last()?;
        let line = self.line_at(last.start);
        match (last.closed, last.kind) {
            (false, Kind::Comment) => Some(Unfinished::Comment { line }),
            (false, _) => Some(Unfinished::Quote { mark: mark(last.text), line }),
            (true, Kind::Semicolon) => None,
            (true, _) => self.first_word().map(|first| Unfinished::Semicolon { line: self.line_at(first.start) }),
        }
    }

    /// Where the statement begins.
    fn first_word(&self) -> Option<Part<'t>> {
        parts(self.text).find(|part| !part.is_blank() && part.kind != Kind::Semicolon)
    }

    fn line_at(&self, byte: usize) -> usize {
        self.line + self.text[..byte].matches('\n').count()
    }
}

/// What opens a quote.
fn mark(quote: &str) -> &'static str {
    match quote.chars().find(|character| matches!(character, '\'' | '"' | '`' | '$')) {
        Some('"') => "\"",
        Some('`') => "`",
        Some('$') => "$$",
        _ => "'",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(text: &str) -> Vec<(usize, &str)> {
        statements(text).unwrap().into_iter().map(|statement| (statement.line, statement.text)).collect()
    }

    #[test]
    fn statements_come_with_their_lines() {
        assert_eq!(cut("SELECT 1; SELECT 2"), [(1, "SELECT 1"), (1, "SELECT 2")]);
        assert_eq!(
            cut("-- counts; all\n\nSELECT ';' AS a -- why;\n  FROM t;\n;; /* x */ ;\nSELECT 2 -- last\n"),
            [(3, "SELECT ';' AS a -- why;\n  FROM t"), (6, "SELECT 2 -- last")]
        );
        assert_eq!(
            cut("\u{feff}SELECT 1;\r\nSELECT '\n'\r\n;SELECT 3;"),
            [(1, "SELECT 1"), (2, "SELECT '\n'"), (4, "SELECT 3")]
        );
        assert_eq!(cut(" \n-- nothing"), []);
    }

    #[test]
    fn what_is_open_refuses_a_file_and_names_the_line() {
        let refused = |text| statements(text).unwrap_err().to_string();
        assert_eq!(refused("SELECT 1;\nSELECT 'a;\nSELECT 2;"), "the quote ' that opens in line 2 is never closed");
        assert_eq!(refused("SELECT 1;\n\n/* /* */ SELECT 2;"), "the comment /* that opens in line 3 is never closed");
        assert_eq!(refused("SELECT $word$ $$"), "the quote $$ that opens in line 1 is never closed");
    }

    #[test]
    fn the_shell_waits_for_what_is_missing() {
        for (text, missing) in [
            ("SELECT 1", Some(Unfinished::Semicolon { line: 1 })),
            ("SELECT 1;\nSELECT", Some(Unfinished::Semicolon { line: 2 })),
            ("SELECT 1 -- done;", Some(Unfinished::Semicolon { line: 1 })),
            ("SELECT 'it''s;", Some(Unfinished::Quote { mark: "'", line: 1 })),
            ("SELECT 1; /*", Some(Unfinished::Comment { line: 1 })),
            ("", None),
            ("-- a note", None),
            ("SELECT 1;", None),
            ("SELECT 1; -- done\n", None),
            (";", None),
        ] {
            assert_eq!(unfinished(text), missing, "{text}");
        }
    }

    proptest! {
        #[test]
        fn pieces_joined_are_the_text(text in prop_oneof![any::<String>(), "[-'\"`$;/*\\\\a\n ]{0,40}"]) {
            let joined: String = pieces(&text).map(|piece| piece.text).collect();
            prop_assert_eq!(&joined, &text);
        }

        /// Each statement, alone, is one whole statement again, and the text holds it in the line that was said.
        #[test]
        fn a_statement_is_one_statement(text in "[-'\"`$;/*a\n ]{0,40}") {
            for statement in statements(&text).unwrap_or_default() {
                prop_assert_eq!(statements(statement.text), Ok(vec![Statement { text: statement.text, line: 1 }]));
                let before = statement.text.as_ptr() as usize - text.as_ptr() as usize;
                prop_assert_eq!(text[..before].matches('\n').count() + 1, statement.line);
            }
        }

        /// What a user has typed becomes whole by what is said to be missing.
        #[test]
        fn what_is_missing_makes_it_whole(text in "[-'\";a\n ]{0,30}") {
            let missing = match unfinished(&text) {
                Some(Unfinished::Quote { mark, .. }) => format!("{mark};"),
                Some(_) => "\n;".to_owned(),
                None => String::new(),
            };
            prop_assert_eq!(unfinished(&(text + &missing)), None);
        }
    }
}
