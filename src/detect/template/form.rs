//! A template as a sequence of fixed texts and runs: the subset of regular expressions that the automaton reads.
//!
//! ```text
//! Signed by (?<DOCTOR>\p{Alphabetic}+) on (?<DATE_full>[0-9]+/[0-9]+)
//! └───┬────┘          └──────┬───────┘└┬─┘             └─┬──┘│└─┬──┘
//!    text                   run       text              run text run       and where groups open and close
//! ```
//!
//! What follows a run cannot be part of it, so that there is one way to read a sentence, without going back.

use super::group::{class_of_group, group_of_class};
use super::reach::{MOST_DIGITS, MOST_DIGITS_TOGETHER};
use super::run::Run;
use crate::phi::Class;

/// One step of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// These characters, at least one.
    Text(String),
    /// A run.
    Run(Run),
    /// A group of this class begins.
    Open(Class),
    /// The group ends.
    Close,
}

impl Part {
    /// The run that it is, to be changed.
    pub fn run_mut(&mut self) -> Option<&mut Run> {
        match self {
            Self::Run(run) => Some(run),
            _ => None,
        }
    }
}

/// A template that can be read from left to right without going back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    parts: Vec<Part>,
}

/// The characters that mean something in a regular expression outside brackets.
const META: &str = r"\.+*?()|[]{}^$";

impl Form {
    /// A form of these parts; none where a run could go on into what follows it, or a group is empty, not closed or inside another.
    pub fn new(parts: Vec<Part>) -> Option<Self> {
        let mut joined: Vec<Part> = Vec::with_capacity(parts.len());
        for part in parts {
            match (joined.last_mut(), part) {
                (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
                (_, part) => joined.push(part),
            }
        }
        let form = Self { parts: joined };
        (form.has_sound_groups() && form.is_unambiguous()).then_some(form)
    }

    /// Whether a slot of a class that is kept takes in more than a number of four digits, or than numbers of six together.
    pub fn takes_in_any_word(&self, keeps: impl Fn(Class) -> bool) -> bool {
        let (mut is_kept, mut digits) = (false, 0);
        self.parts.iter().any(|part| {
            match part {
                Part::Open(class) => (is_kept, digits) = (keeps(*class), 0),
                Part::Close => is_kept = false,
                Part::Run(Run::ShortDigits) => digits += MOST_DIGITS,
                Part::Run(Run::ClockDigits) => digits += 2,
                Part::Run(_) => return is_kept,
                Part::Text(_) => {}
            }
            is_kept && digits > MOST_DIGITS_TOGETHER
        })
    }

    /// Whether a run outside the slots takes in words: they would pass untouched.
    pub fn has_open_text(&self) -> bool {
        let mut is_slot = false;
        self.parts.iter().any(|part| {
            match part {
                Part::Open(_) => is_slot = true,
                Part::Close => is_slot = false,
                Part::Text(_) | Part::Run(_) => {}
            }
            !is_slot && matches!(part, Part::Run(run) if run.contains('A'))
        })
    }

    /// Reads a regular expression of the subset; none for every other one, whether valid or not.
    pub fn parse(pattern: &str) -> Option<Self> {
        let (mut parts, mut groups, mut rest) = (Vec::new(), Vec::new(), pattern);
        while let Some(next) = rest.chars().next() {
            if let Some((run, expression)) = Run::ALL.into_iter().find(|(_, expression)| rest.starts_with(expression)) {
                parts.push(Part::Run(run));
                rest = &rest[expression.len()..];
            } else if let Some(group) = rest.strip_prefix("(?<") {
                let (name, inside) = group.split_once('>')?;
                if !is_group_name(name) || groups.contains(&name) {
                    return None;
                }
                groups.push(name);
                parts.push(Part::Open(class_of_group(name)?));
                rest = inside;
            } else if next == ')' {
                parts.push(Part::Close);
                rest = &rest[1..];
            } else {
                let (character, length) = if next == '\\' { escaped(rest)? } else { (next, next.len_utf8()) };
                if length == next.len_utf8() && META.contains(next) {
                    return None;
                }
                parts.push(Part::Text(character.to_string()));
                rest = &rest[length..];
            }
        }
        Self::new(parts)
    }

    /// The regular expression that means the same; none where a class has no group name.
    pub fn pattern(&self) -> Option<String> {
        let (mut pattern, mut groups) = (String::new(), Vec::new());
        for part in &self.parts {
            match part {
                Part::Text(text) => text.chars().for_each(|character| push_literal(&mut pattern, character)),
                Part::Run(run) => pattern.push_str(run.expression()),
                Part::Open(class) => {
                    let name = group_of_class(*class, &groups).filter(|name| is_group_name(name))?;
                    pattern.push_str(&format!("(?<{name}>"));
                    groups.push(name);
                }
                Part::Close => pattern.push(')'),
            }
        }
        Some(pattern)
    }

    /// The groups of a sentence that is wholly of this form, in order; none for every other one.
    pub fn read(&self, sentence: &str) -> Option<Vec<(usize, usize, Class)>> {
        let (mut at, mut groups) = (0, Vec::new());
        for part in &self.parts {
            match part {
                Part::Text(text) if sentence[at..].starts_with(text.as_str()) => at += text.len(),
                Part::Text(_) => return None,
                Part::Run(run) => at = run.end(sentence, at)?,
                Part::Open(class) => groups.push((at, at, *class)),
                Part::Close => {
                    if let Some(group) = groups.last_mut() {
                        group.1 = at;
                    }
                }
            }
        }
        (at == sentence.len()).then_some(groups)
    }

    /// The parts in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    fn has_sound_groups(&self) -> bool {
        let (mut is_open, mut is_empty) = (false, true);
        for part in &self.parts {
            match part {
                Part::Open(_) if is_open => return false,
                Part::Open(_) => (is_open, is_empty) = (true, true),
                Part::Close if !is_open || is_empty => return false,
                Part::Close => is_open = false,
                Part::Text(_) | Part::Run(_) => is_empty = false,
            }
        }
        !is_open
    }

    fn is_unambiguous(&self) -> bool {
        let mut steps = self.parts.iter().filter(|part| matches!(part, Part::Text(_) | Part::Run(_))).peekable();
        while let Some(step) = steps.next() {
            let Part::Run(run) = step else { continue };
            let is_apart = match steps.peek() {
                Some(Part::Text(text)) => !text.chars().next().is_some_and(|next| run.contains(next)),
                Some(Part::Run(next)) => run.is_apart_from(*next),
                _ => true,
            };
            if !is_apart {
                return false;
            }
        }
        true
    }
}

/// Whether a regular expression takes it as a group's name.
fn is_group_name(name: &str) -> bool {
    let is_first = |character: char| character == '_' || character.is_alphabetic();
    name.chars().next().is_some_and(is_first)
        && name.chars().all(|character| matches!(character, '_' | '.') || character.is_alphanumeric())
}

/// Reads an escaped character: it and the length of what stands for it.
fn escaped(text: &str) -> Option<(char, usize)> {
    let code = text.strip_prefix('\\')?;
    match code.chars().next()? {
        'n' => Some(('\n', 2)),
        'r' => Some(('\r', 2)),
        't' => Some(('\t', 2)),
        'x' => {
            let digits = code.strip_prefix("x{")?.split_once('}')?.0;
            let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            is_hexadecimal.then_some((character, digits.len() + 4))
        }
        character if META.contains(character) || matches!(character, '#' | '&' | '-' | '~') => Some((character, 2)),
        _ => None,
    }
}

/// Writes a character so that a regular expression means just it, and people can see it.
fn push_literal(pattern: &mut String, character: char) {
    match character {
        '\n' => pattern.push_str(r"\n"),
        '\r' => pattern.push_str(r"\r"),
        '\t' => pattern.push_str(r"\t"),
        ' ' => pattern.push(' '),
        _ if character.is_whitespace() || character.is_control() => {
            pattern.push_str(&format!(r"\x{{{:X}}}", character as u32));
        }
        _ => {
            if META.contains(character) {
                pattern.push('\\');
            }
            pattern.push(character);
        }
    }
}
