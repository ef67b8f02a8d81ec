//! The notation of templates: one line is read into pieces.
//!
//! ```text
//! "{Mr} {PATIENT.last} is {AGE}."  ──▶  [Slot, Text(" "), Slot, Text(" is "), Slot, Text(".")]
//! ```

use std::collections::HashMap;

use super::slot::Slot;
use crate::phi::Label;

/// A part of a template.
#[derive(Debug)]
pub enum Piece {
    /// Text as it stands.
    Text(Box<str>),
    /// One of a rule's alternatives.
    Rule(usize),
    /// One of several alternatives, equally likely.
    Choice(Vec<Vec<Piece>>),
    /// A whole number between two bounds, both included.
    Number(i64, i64),
    /// A decimal number: bounds as multiples of the last place, and the count of places.
    Decimal(i64, i64, u32),
    /// Letters and digits by pattern.
    Pattern(Box<str>),
    /// Text that is protected.
    Marked(Label, Vec<Piece>),
    /// A value of the patient, the staff or the visit.
    Slot(Slot),
    /// Sentences drawn by a law.
    Draw(Draw),
}

/// How sentences of a rule are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// `+`: afresh.
    Fresh,
    /// `^`: from a small pool that every note shares.
    Common,
    /// `~`: by an identity from a heavy tail, so that distinct sentences grow as a power of all sentences.
    Tail,
    /// `=`: as the patient's earlier notes had it, word for word, for a while.
    Copied,
}

/// Sentences of one rule, one after the other.
#[derive(Debug)]
pub struct Draw {
    /// How.
    pub law: Law,
    /// Of which rule.
    pub rule: usize,
    /// At least and at most how many.
    pub count: (i64, i64),
    /// Whether each stands on a line of its own.
    pub lines: bool,
}

/// Lines that are neither empty nor comments, with ` \` at the end joined to the next.
pub(super) fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (number, line) in text.lines().enumerate() {
        let (line, continues) = match line.strip_suffix(" \\") {
            Some(line) => (line, true),
            None => (line, false),
        };
        match lines.last_mut() {
            Some((_, previous)) if open => previous.push_str(line.trim_start()),
            _ if line.trim().is_empty() || line.starts_with('#') => continue,
            _ => lines.push((number + 1, line.to_owned())),
        }
        open = continues;
    }
    lines
}

/// `5 | expansion`: a weight, 1 where none is written.
pub(super) fn weighted(expansion: &str) -> (u64, &str) {
    match expansion.split_once('|') {
        Some((weight, body)) => match weight.trim().parse() {
            Ok(weight) => (weight, body.trim_start()),
            Err(_) => (1, expansion),
        },
        None => (1, expansion),
    }
}

/// Reads lines, given the rules that there are.
pub(super) struct Parser<'a> {
    /// Index of each rule.
    pub names: &'a HashMap<String, usize>,
}

impl Parser<'_> {
    /// The pieces of one expansion, or what is wrong with it.
    pub fn sequence(&self, source: &str) -> Result<Vec<Piece>, String> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut rest = source;
        while let Some(character) = rest.chars().next() {
            let mut length = character.len_utf8();
            match character {
                '\\' => {
                    let escaped = rest[1..].chars().next().ok_or("a backslash at the end")?;
                    length += escaped.len_utf8();
                    text.push(match escaped {
                        'n' => '\n',
                        't' => '\t',
                        other => other,
                    });
                }
                '{' => {
                    length = braced(rest)?;
                    if !text.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut text).into()));
                    }
                    pieces.push(self.brace(&rest[1..length - 1])?);
                }
                '}' => return Err("a `}` without `{`".to_owned()),
                other => text.push(other),
            }
            rest = &rest[length..];
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text.into()));
        }
        Ok(pieces)
    }

    fn brace(&self, inside: &str) -> Result<Piece, String> {
        if let Some(marked) = inside.strip_prefix('@') {
            let (label, body) = marked.split_once(':').ok_or("marked text is `{@LABEL:text}`")?;
            let label = label.parse().map_err(|_| format!("`{label}` is no label"))?;
            return Ok(Piece::Marked(label, self.choice_or_sequence(body)?));
        }
        if split_choice(inside).len() > 1 {
            return Ok(Piece::Choice(self.alternatives(inside)?));
        }
        match inside.chars().next() {
            Some('%') => Ok(Piece::Pattern(inside[1..].into())),
            Some('~') => self.draw(Law::Tail, &inside[1..]),
            Some('^') => self.draw(Law::Common, &inside[1..]),
            Some('+') => self.draw(Law::Fresh, &inside[1..]),
            Some('=') => self.draw(Law::Copied, &inside[1..]),
            Some('0'..='9' | '-') => number(inside),
            _ => match Slot::parse(inside) {
                Some(slot) => Ok(Piece::Slot(slot)),
                None => Ok(Piece::Rule(self.name(inside)?)),
            },
        }
    }

    fn choice_or_sequence(&self, source: &str) -> Result<Vec<Piece>, String> {
        if split_choice(source).len() > 1 {
            return Ok(vec![Piece::Choice(self.alternatives(source)?)]);
        }
        self.sequence(source)
    }

    fn alternatives(&self, source: &str) -> Result<Vec<Vec<Piece>>, String> {
        split_choice(source).into_iter().map(|part| self.sequence(part)).collect()
    }

    /// `name`, `name 3`, `name 2..5`, each with `/` after the name where lines are wanted.
    fn draw(&self, law: Law, source: &str) -> Result<Piece, String> {
        let (name, count) = source.split_once(' ').unwrap_or((source, "1"));
        let (name, lines) = name.strip_suffix('/').map_or((name, false), |name| (name, true));
        let (low, high) = count.split_once("..").unwrap_or((count, count));
        let count = low.parse().ok().zip(high.parse().ok()).ok_or_else(|| format!("`{count}` is no count"))?;
        Ok(Piece::Draw(Draw { law, rule: self.name(name)?, count, lines }))
    }

    fn name(&self, name: &str) -> Result<usize, String> {
        self.names.get(name).copied().ok_or_else(|| format!("`{name}` is neither a rule nor a slot"))
    }
}

/// `{60..100}` or `{1.5..4.0}`.
fn number(source: &str) -> Result<Piece, String> {
    let bad = || format!("`{source}` is no range of numbers");
    let (low, high) = source.split_once("..").ok_or_else(bad)?;
    let places = low.split_once('.').map_or(0, |(_, decimals)| decimals.len() as u32);
    let scaled =
        |bound: &str| bound.parse::<f64>().ok().map(|value| (value * 10f64.powi(places as i32)).round() as i64);
    let (low, high) = scaled(low).zip(scaled(high)).ok_or_else(bad)?;
    Ok(if places == 0 { Piece::Number(low, high) } else { Piece::Decimal(low, high, places) })
}

/// The length of the `{…}` that the text begins with.
fn braced(source: &str) -> Result<usize, String> {
    let mut depth = 0usize;
    let mut escaped = false;
    for (at, byte) in source.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Ok(at + 1);
                }
            }
            _ => {}
        }
    }
    Err("a `{` without `}`".to_owned())
}

/// The parts between the `|` that stand in no inner braces.
fn split_choice(source: &str) -> Vec<&str> {
    let (mut depth, mut escaped, mut start) = (0usize, false, 0);
    let mut parts = Vec::new();
    for (at, byte) in source.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'|' if depth == 0 => {
                parts.push(&source[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&source[start..]);
    parts
}
