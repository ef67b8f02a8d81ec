//! The parts of a text of SQL: words, quotes, comments, blanks. They are what the engine's parser would see in its default dialect.
//!
//! ```text
//! SELECT 'a;b' -- c;      ▶  SELECT · 'a;b' · -- c; · ;
//! ;                          word     text    comment  semicolon
//! ```
//!
//! Nothing is lost: the parts of a text, joined, are the text. What opens and is not closed reaches to the end of the text.

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Spaces, tabs, line ends, and the mark that some editors put before a file.
    Blank,
    /// `-- …` without its line end, or `/* … */`, which may hold others.
    Comment,
    /// A key word, or a name without quotes.
    Word,
    /// A number.
    Number,
    /// `'…'` and its kin: `E'…'`, `X'…'`, `R'…'`, `U&'…'`, `Q'[…]'`, `$$…$$`, `$word$…$word$`.
    Text,
    /// A name in quotes: `"…"` or `` `…` ``.
    Name,
    /// `;`
    Semicolon,
    /// Any other sign.
    Sign,
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part<'t> {
    /// What it is.
    pub(super) kind: Kind,
    /// As it stands; never empty.
    pub(super) text: &'t str,
    /// Where it begins, in bytes.
    pub(super) start: usize,
    /// Whether the quote or comment that it opens is closed.
    pub(super) closed: bool,
}

impl Part<'_> {
    /// Where it ends, in bytes.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether the parser passes over it.
    pub(super) fn is_blank(&self) -> bool {
        matches!(self.kind, Kind::Blank | Kind::Comment)
    }
}

/// The parts of a text, in order.
pub(super) fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = &text[start..];
        let (kind, length) = first(rest, rest.chars().next()?);
        let part = Part { kind, text: &rest[..length.unwrap_or(rest.len())], start, closed: length.is_some() };
        start = part.end();
        Some(part)
    })
}

/// The kind of the first part of a text that begins with `begins`, and its length in bytes: none where it is never closed.
fn first(text: &str, begins: char) -> (Kind, Option<usize>) {
    match begins {
        ';' => (Kind::Semicolon, Some(1)),
        '\'' => (Kind::Text, doubled(text, 1, '\'')),
        '"' | '`' => (Kind::Name, doubled(text, 1, begins)),
        '$' => dollar(text),
        '-' if text.starts_with("--") => (Kind::Comment, Some(text.find('\n').unwrap_or(text.len()))),
        '/' if text.starts_with("/*") => (Kind::Comment, comment(text)),
        '.' if text[1..].starts_with(|next: char| next.is_ascii_digit()) => (Kind::Number, Some(number(text))),
        '0'..='9' => (Kind::Number, Some(number(text))),
        _ if is_blank(begins) => (Kind::Blank, Some(run(text, is_blank))),
        _ if begins.is_alphabetic() || matches!(begins, '_' | '#' | '@') => word(text),
        _ => (Kind::Sign, Some(sign(text, begins))),
    }
}

/// The length of a sign. Those that end with `/` are taken whole, or it could seem to open a comment.
fn sign(text: &str, begins: char) -> usize {
    let long = ["//", "||/", "|/"].into_iter().find(|long| text.starts_with(long));
    long.map_or(begins.len_utf8(), str::len)
}

fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// Whether a character can stand inside a word.
pub(super) fn continues_word(character: char) -> bool {
    character.is_alphabetic() || character.is_ascii_digit() || matches!(character, '_' | '@' | '$' | '#')
}

/// How many bytes at the beginning of a text are of the kind wanted.
fn run(text: &str, wanted: impl Fn(char) -> bool) -> usize {
    text.find(|character| !wanted(character)).unwrap_or(text.len())
}

/// Where what is found next in the text ends.
fn after(text: &str, from: usize, closing: &str) -> Option<usize> {
    Some(from + text.get(from..)?.find(closing)? + closing.len())
}

/// The end of a quote in which the closing sign, written twice, stands for itself.
fn doubled(text: &str, mut from: usize, quote: char) -> Option<usize> {
    loop {
        from += text[from..].find(quote)? + 1;
        if !text[from..].starts_with(quote) {
            return Some(from);
        }
        from += 1;
    }
}

/// The end of a quote in which, besides, what follows a `\` stands for something else.
fn escaped(text: &str, mut at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at) {
        at += match (byte, bytes.get(at + 1)) {
            (b'\\', _) | (b'\'', Some(b'\'')) => 2,
            (b'\'', _) => return Some(at + 1),
            _ => 1,
        };
    }
    None
}

/// The end of a comment, the comments within it passed over.
fn comment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(two) = bytes.get(at..at + 2) {
        match two {
            b"/*" => (at, depth) = (at + 2, depth + 1),
            b"*/" if depth == 1 => return Some(at + 2),
            b"*/" => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
    }
    None
}

/// `$$…$$`, `$word$…$word$`, or a place for a value: `$1`.
fn dollar(text: &str) -> (Kind, Option<usize>) {
    let tag = 1 + run(&text[1..], |character| character.is_alphanumeric() || character == '_');
    match text[tag..].starts_with('$') {
        true => (Kind::Text, after(text, tag + 1, &text[..=tag])),
        false => (Kind::Sign, Some(tag)),
    }
}

/// The length of a number: `1`, `.5`, `1.5e-3`, `0xff`.
fn number(text: &str) -> usize {
    let digits = |from: usize| from + run(&text[from..], |character| character.is_ascii_digit());
    let mut end = digits(0);
    if end == 1 && text.starts_with("0x") {
        return 2 + run(&text[2..], |character| character.is_ascii_hexdigit());
    }
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    if let Some(exponent) = text[end..].strip_prefix(['e', 'E']) {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if unsigned.starts_with(|character: char| character.is_ascii_digit()) {
            end = digits(text.len() - unsigned.len());
        }
    }
    end
}

/// A word, or the quote that it introduces.
fn word(text: &str) -> (Kind, Option<usize>) {
    let end = run(text, continues_word);
    let (word, rest) = text.split_at(end);
    let quote = rest.chars().next();
    match (word, quote) {
        ("e" | "E" | "x" | "X", Some('\'')) => (Kind::Text, escaped(text, end + 1)),
        ("r" | "R", Some(quote @ ('\'' | '"'))) => (Kind::Text, raw(text, quote)),
        ("u" | "U", Some('&')) if rest.starts_with("&'") => (Kind::Text, doubled(text, end + 2, '\'')),
        ("q" | "Q" | "nq" | "nQ" | "Nq" | "NQ", Some('\'')) => (Kind::Text, delimited(text, end + 1)),
        _ => (Kind::Word, Some(end)),
    }
}

/// The end of `R'…'` and `R'''…'''`.
fn raw(text: &str, quote: char) -> Option<usize> {
    match run(&text[1..], |character| character == quote) {
        1 => doubled(text, 2, quote),
        2 => Some(3),
        _ => after(text, 4, if quote == '"' { "\"\"\"" } else { "'''" }),
    }
}

/// The end of `Q'[…]'`: the sign after the quote says which one closes it.
fn delimited(text: &str, from: usize) -> Option<usize> {
    let opening = text[from..].chars().next()?;
    let closing = match opening {
        '[' => ']',
        '{' => '}',
        '<' => '>',
        '(' => ')',
        // The parser refuses these; an ordinary quote keeps the harm small.
        ' ' | '\t' | '\r' | '\n' => return doubled(text, from, '\''),
        other => other,
    };
    after(text, from + opening.len_utf8(), &format!("{closing}'"))
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
    use proptest::prelude::*;

    use super::*;

    /// What decides where quotes and comments begin and end, in any order.
    fn snippets() -> impl Strategy<Value = String> {
        let snippet = prop::sample::select(vec![
            "'", "'", "\"", "`", ";", ";", "$", "$$", "$a$", "$1", "--", "-", "/*", "*/", "/", "*", "|", "\n", "\r",
            " ", "\\", "a", "e", "E", "q", "nq", "N", "r", "x", "b", "U&", "[", "]", "(", "1", ".", "5e", "0x", "é",
            "_", "日",
        ]);
        prop::collection::vec(snippet, 0..24).prop_map(|snippets| snippets.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn nothing_is_lost(text in prop_oneof![any::<String>(), snippets()]) {
            let joined: String = parts(&text).map(|part| part.text).collect();
            prop_assert_eq!(&joined, &text);
            prop_assert!(parts(&text).all(|part| !part.text.is_empty() && text[part.start..].starts_with(part.text)));
            let open = parts(&text).position(|part| !part.closed);
            prop_assert!(open.is_none_or(|open| open + 1 == parts(&text).count()));
        }

        /// The engine's own parser is the judge: where it finds the `;` of a text that it can read.
        #[test]
        fn the_parser_finds_the_same_semicolons(text in snippets()) {
            let Ok(tokens) = Tokenizer::new(&GenericDialect, &text).tokenize_with_location() else { return Ok(()) };
            let theirs: Vec<_> = tokens.iter().filter(|token| token.token == Token::SemiColon).map(|token| token.span.start).collect();
            let ours: Vec<_> = parts(&text).filter(|part| part.kind == Kind::Semicolon).map(|part| part.start).collect();
            prop_assert!(parts(&text).all(|part| part.closed));
            prop_assert_eq!(theirs.len(), ours.len());
            for (theirs, ours) in theirs.into_iter().zip(ours) {
                let lines: Vec<_> = text[..ours].split('\n').collect();
                prop_assert_eq!((theirs.line, theirs.column), (lines.len() as u64, lines[lines.len() - 1].chars().count() as u64 + 1));
            }
        }
    }

    #[test]
    fn quotes_of_every_kind_are_one_part() {
        for quote in [
            "'a;''b'",
            "\"a;\"\"b\"",
            "`a;``b`",
            "$$a;'b$$",
            "$t$a;$$b$t$",
            "/* ; /* ; */ ; */",
            "-- a;b",
            "E'\\';'",
            "R''';'''",
            "Q'[;'';]'",
            "U&';\\0041'",
            "''",
            "$$$$",
        ] {
            let found: Vec<_> = parts(quote).collect();
            assert_eq!((found.len(), found[0].closed), (1, true), "{quote}");
        }
        for open in ["'a;", "\"a;\"\"", "$$;$", "$t$;$$", "/* ; /* ; */", "E'\\'", "Q'[;'", "R''';'"] {
            let found: Vec<_> = parts(open).collect();
            assert_eq!((found.len(), found[0].closed), (1, false), "{open}");
        }
    }
}
