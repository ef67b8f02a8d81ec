//! Note templates, read once from readable files into pieces.
//!
//! ```text
//! pain_site: 3 | left knee                          a rule, with a weight
//! pain_site: {right|left} {shoulder|hip}            a choice in place
//! vitals: BP {100..160}/{55..95}, T {36.1..38.2}    numbers
//! room: {@HOSPITAL:Room {%###}}                     marked text, with a pattern (# digit, A letter)
//! opening: {PATIENT.full} is a {AGE}-year-old {man} what the patient's record says
//! hpi: {~symptom 2..4} {^reassurance} {=story}      sentences by law, see [`Law`]
//! ```
//! `\n`, `\t`, `\{` and `\|` are written with a backslash; a line that ends in ` \` goes on in the next.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::template::{Draw, Law, Parser, Piece, logical_lines, weighted};

/// The alternatives of one name.
#[derive(Debug)]
pub struct Rule {
    name: String,
    /// Cumulative weight and expansion of each alternative.
    alternatives: Vec<(u64, Vec<Piece>)>,
}

impl Rule {
    /// The expansion that a ticket in `0..self.weight()` draws.
    pub fn alternative(&self, ticket: u64) -> &[Piece] {
        let place = self.alternatives.partition_point(|(cumulative, _)| *cumulative <= ticket);
        self.alternatives.get(place).map_or(&[], |(_, pieces)| pieces)
    }

    /// The sum of all weights.
    pub fn weight(&self) -> u64 {
        self.alternatives.last().map_or(0, |(cumulative, _)| *cumulative)
    }
}

/// What can be wrong with a grammar file.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum GrammarError {
    /// A line that is no rule.
    #[error("{file}:{line}: {reason}")]
    Line {
        /// The file.
        file: &'static str,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A rule that needs itself.
    #[error("the rule `{0}` expands to itself")]
    Cycle(String),
    /// A sentence that notes share must not say whom it is about.
    #[error("the rule `{0}` is drawn with ~ or ^ but names somebody")]
    NotShared(String),
}

/// All rules.
#[derive(Debug)]
pub struct Grammar {
    rules: Vec<Rule>,
    names: HashMap<String, usize>,
}

const FILES: &[(&str, &str)] = &[
    ("words.txt", include_str!("data/grammar/words.txt")),
    ("narrative.txt", include_str!("data/grammar/narrative.txt")),
    ("specialties.txt", include_str!("data/grammar/specialties.txt")),
    ("lines.txt", include_str!("data/grammar/lines.txt")),
    ("boilerplate.txt", include_str!("data/grammar/boilerplate.txt")),
    ("identifiers.txt", include_str!("data/grammar/identifiers.txt")),
    ("people.txt", include_str!("data/grammar/people.txt")),
    ("notes.txt", include_str!("data/grammar/notes.txt")),
];

static SHARED: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::load().expect("the shipped grammar is valid: the test below reads it"));

impl Grammar {
    /// The shipped grammar, read at first use.
    pub fn shared() -> &'static Grammar {
        &SHARED
    }

    /// Reads the shipped files.
    ///
    /// # Errors
    /// [`GrammarError`] where a file is not valid.
    pub fn load() -> Result<Self, GrammarError> {
        Self::parse(FILES)
    }

    /// Reads a grammar from named texts.
    ///
    /// # Errors
    /// [`GrammarError`] for a line that is no rule, an unknown name, a cycle, or a shared sentence that names somebody.
    pub fn parse(files: &[(&'static str, &str)]) -> Result<Self, GrammarError> {
        let mut grammar = Self { rules: Vec::new(), names: HashMap::new() };
        let mut sources = Vec::new();
        for &(file, text) in files {
            for (line, source) in logical_lines(text) {
                let reject = |reason: &str| GrammarError::Line { file, line, reason: reason.to_owned() };
                let (name, expansion) = source.split_once(':').ok_or_else(|| reject("a rule is `name: expansion`"))?;
                let index = grammar.declare(name.trim());
                sources.push((file, line, index, expansion.trim().to_owned()));
            }
        }
        for (file, line, index, expansion) in sources {
            let (weight, body) = weighted(&expansion);
            let pieces = Parser { names: &grammar.names }.sequence(body).map_err(|reason| GrammarError::Line {
                file,
                line,
                reason,
            })?;
            let rule = &mut grammar.rules[index];
            let cumulative = rule.weight() + weight;
            rule.alternatives.push((cumulative, pieces));
        }
        grammar.check()?;
        Ok(grammar)
    }

    fn declare(&mut self, name: &str) -> usize {
        if let Some(&index) = self.names.get(name) {
            return index;
        }
        self.rules.push(Rule { name: name.to_owned(), alternatives: Vec::new() });
        self.names.insert(name.to_owned(), self.rules.len() - 1);
        self.rules.len() - 1
    }

    /// The rule of this index, as `Piece::Rule` holds it.
    pub fn rule(&self, index: usize) -> Option<&Rule> {
        self.rules.get(index)
    }

    /// The index of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// How many alternatives all rules have together.
    pub fn alternatives(&self) -> usize {
        self.rules.iter().map(|rule| rule.alternatives.len()).sum()
    }

    /// How many alternatives hold protected values themselves.
    pub fn marked_alternatives(&self) -> usize {
        let alternatives = self.rules.iter().flat_map(|rule| &rule.alternatives);
        alternatives.filter(|(_, pieces)| any_piece(pieces, &mut is_personal)).count()
    }

    fn check(&self) -> Result<(), GrammarError> {
        let mut states = vec![0u8; self.rules.len()];
        (0..self.rules.len()).try_for_each(|index| self.check_cycles(index, &mut states))?;
        for rule in &self.rules {
            let mut shared = Vec::new();
            for (_, pieces) in &rule.alternatives {
                any_piece(pieces, &mut |piece| {
                    if let Piece::Draw(Draw { law: Law::Common | Law::Tail, rule, .. }) = piece {
                        shared.push(*rule);
                    }
                    false
                });
            }
            if let Some(index) = shared.into_iter().find(|&index| self.names_somebody(index, &mut HashSet::new())) {
                return Err(GrammarError::NotShared(self.rules[index].name.clone()));
            }
        }
        Ok(())
    }

    fn check_cycles(&self, index: usize, states: &mut [u8]) -> Result<(), GrammarError> {
        match states[index] {
            1 => return Err(GrammarError::Cycle(self.rules[index].name.clone())),
            2 => return Ok(()),
            _ => states[index] = 1,
        }
        for next in self.references(index) {
            self.check_cycles(next, states)?;
        }
        states[index] = 2;
        Ok(())
    }

    fn names_somebody(&self, index: usize, seen: &mut HashSet<usize>) -> bool {
        if !seen.insert(index) {
            return false;
        }
        let alternatives = &self.rules[index].alternatives;
        alternatives.iter().any(|(_, pieces)| any_piece(pieces, &mut is_personal))
            || self.references(index).into_iter().any(|next| self.names_somebody(next, seen))
    }

    fn references(&self, index: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for (_, pieces) in &self.rules[index].alternatives {
            any_piece(pieces, &mut |piece| {
                match piece {
                    Piece::Rule(rule) | Piece::Draw(Draw { rule, .. }) => found.push(*rule),
                    _ => {}
                }
                false
            });
        }
        found
    }
}

fn is_personal(piece: &Piece) -> bool {
    match piece {
        Piece::Marked(..) => true,
        Piece::Slot(slot) => slot.is_personal(),
        _ => false,
    }
}

/// Whether `test` holds for one of the pieces or what stands inside them.
fn any_piece(pieces: &[Piece], test: &mut impl FnMut(&Piece) -> bool) -> bool {
    pieces.iter().any(|piece| {
        test(piece)
            || match piece {
                Piece::Choice(alternatives) => alternatives.iter().any(|pieces| any_piece(pieces, test)),
                Piece::Marked(_, pieces) => any_piece(pieces, test),
                _ => false,
            }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Grammar, GrammarError> {
        Grammar::parse(&[("test", text)])
    }

    #[test]
    fn the_shipped_grammar_is_valid_and_rich() {
        let grammar = Grammar::load().map_err(|error| error.to_string()).unwrap();
        assert!(grammar.marked_alternatives() >= 400, "{} templates with identifiers", grammar.marked_alternatives());
        assert!(grammar.alternatives() - grammar.marked_alternatives() >= 400);
    }

    #[test]
    fn mistakes_are_named_by_line() {
        assert_eq!(parse("a: {b}").unwrap_err().to_string(), "test:1: `b` is neither a rule nor a slot");
        assert_eq!(parse("# note\n\na: {b").unwrap_err().to_string(), "test:3: a `{` without `}`");
        assert!(matches!(parse("a: }"), Err(GrammarError::Line { .. })));
        assert!(matches!(parse("no rule"), Err(GrammarError::Line { .. })));
        assert!(matches!(parse("a: {@NAME:x}"), Err(GrammarError::Line { .. })));
        assert!(matches!(parse("a: {5..x}"), Err(GrammarError::Line { .. })));
        assert_eq!(parse("a: {b}\nb: {a}").unwrap_err(), GrammarError::Cycle("a".to_owned()));
    }

    #[test]
    fn shared_sentences_name_nobody() {
        assert_eq!(
            parse("a: {~b}\nb: {c}\nc: {PATIENT.full} left").unwrap_err(),
            GrammarError::NotShared("b".to_owned())
        );
        assert_eq!(parse("a: {^b}\nb: in {@CITY:Ely}").unwrap_err(), GrammarError::NotShared("b".to_owned()));
        assert!(parse("a: {~b}\nb: {He} left").is_ok());
    }

    #[test]
    fn weights_divide_the_tickets() {
        let grammar = parse("a: 3 | zz\na: y").unwrap();
        let rule = grammar.rule(0).unwrap();
        assert_eq!(rule.weight(), 4);
        let texts: Vec<_> = (0..4).map(|ticket| format!("{:?}", rule.alternative(ticket))).collect();
        assert_eq!(texts.iter().filter(|text| text.contains("zz")).count(), 3);
    }
}
