//! The record's names: each word by itself, joined where they stand together.
//!
//! ```text
//! STRONG, ROBERT J        family, given, initial   a full name, in any case
//! called Strong today     family                   alone, an ordinary word: only with a capital inside a sentence
//! seen by ramaswamy       family                   alone, no other word: in any case
//! ```

use super::PatientRecord;
use super::fold;
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Detector, Label, Span};

/// What a word is of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Given,
    Middle,
    Family,
}

#[derive(Debug)]
struct NameWord {
    key: Vec<char>,
    part: Part,
    label: Label,
    /// Whose name it is: words of different people make no full name.
    person: u8,
    /// Whether it is also an ordinary, medical or calendar word.
    ordinary: bool,
    /// Whether it is worth a span by itself.
    lone: bool,
}

/// The words of all names of a record.
#[derive(Debug, Default)]
pub(super) struct NameSet {
    words: Vec<NameWord>,
    /// A bit for each small ASCII letter that a word begins with; the rest of the scripts share the highest bit.
    first: u32,
}

impl NameSet {
    /// The names of a record.
    pub(super) fn new(record: &PatientRecord) -> Self {
        let mut set = Self::default();
        for given in &record.given_names {
            set.given(given, Label::Patient, 0);
        }
        for middle in &record.middle_names {
            set.add(middle, Part::Middle, Label::Patient, 0);
        }
        for family in &record.family_names {
            set.family(family, Label::Patient, 0);
        }
        for (index, (label, name)) in record.related.iter().enumerate() {
            let person = u8::try_from(index + 1).unwrap_or(u8::MAX);
            set.related(name, *label, person);
        }
        set
    }

    fn related(&mut self, name: &str, label: Label, person: u8) {
        let (family, given) = match name.split_once(',') {
            Some((family, given)) => (family.trim(), given.trim()),
            None => {
                let name = name.trim();
                let words: Vec<&str> = name.split_whitespace().collect();
                // Particles belong to the family name: `Ana de la Cruz`.
                let particle = words
                    .iter()
                    .skip(1)
                    .position(|word| Lexicon::shared().word(word).is(WordFlags::PARTICLE))
                    .map(|index| index + 1);
                let split = particle.unwrap_or(words.len().saturating_sub(1));
                let at = words.get(split).map_or(0, |word| word.as_ptr() as usize - name.as_ptr() as usize);
                (&name[at..], name[..at].trim())
            }
        };
        self.family(family, label, person);
        for (index, word) in given.split_whitespace().enumerate() {
            if index == 0 {
                self.given(word, label, person);
            } else {
                self.add(word, Part::Middle, label, person);
            }
        }
    }

    fn given(&mut self, given: &str, label: Label, person: u8) {
        self.add(given, Part::Given, label, person);
        for nickname in Lexicon::shared().nicknames(given.trim()) {
            self.add(nickname, Part::Given, label, person);
        }
    }

    /// A family name as a whole and, where it has several parts, each long part.
    fn family(&mut self, family: &str, label: Label, person: u8) {
        self.add(family, Part::Family, label, person);
        let parts: Vec<&str> = family.split([' ', '-']).filter(|part| part.chars().count() > 3).collect();
        if parts.len() > 1 || parts.len() == 1 && family.trim().contains([' ', '-']) {
            for part in parts {
                self.add(part, Part::Family, label, person);
            }
        }
    }

    fn add(&mut self, word: &str, part: Part, label: Label, person: u8) {
        let key = fold::key(word);
        let Some(&first) = key.first() else { return };
        if self.words.iter().any(|known| known.key == key && known.part == part && known.person == person) {
            return;
        }
        let info = Lexicon::shared().word(word.trim());
        let calendar = ["april", "may", "june", "august", "summer", "autumn", "march"]
            .contains(&key.iter().collect::<String>().as_str());
        let ordinary = info.english_band().is_some_and(|band| band <= 2)
            || info.is_any(WordFlags::MEDICAL.union(WordFlags::CARE_ROLE).union(WordFlags::NATIONALITY))
            || calendar;
        self.first |= 1 << bit_of(first);
        let lone = key.len() > 2 && !(part == Part::Middle && ordinary);
        self.words.push(NameWord { key, part, label, person, ordinary, lone });
    }

    /// The words that stand at a place, with their ends; the longest of each person and part first.
    fn at<'s>(&'s self, text: &'s str, at: usize, first: char) -> impl Iterator<Item = (&'s NameWord, usize)> {
        let may = self.first & (1 << bit_of(first)) != 0;
        let words = if may { &self.words[..] } else { &[] };
        words.iter().filter(move |word| word.key[0] == first).filter_map(move |word| {
            Some((word, fold::match_key(text, at, &word.key, &['-', '\'', '’', ' ', '\n', '\r', '‑'], 2)?))
        })
    }

    /// The part that a single letter stands for.
    fn initial(&self, letter: char, person: u8) -> Option<Part> {
        self.words
            .iter()
            .find(|word| word.person == person && word.key[0] == letter && word.part != Part::Family)
            .map(|word| word.part)
    }
}

fn bit_of(letter: char) -> u32 {
    if letter.is_ascii_lowercase() { letter as u32 - 'a' as u32 } else { 31 }
}

/// A name that is being read.
#[derive(Debug, Clone, Copy)]
struct Run {
    start: usize,
    end: usize,
    person: u8,
    label: Label,
    given: bool,
    family: bool,
    initial: bool,
    words: usize,
    ordinary: bool,
    lone: bool,
}

/// Joins the words of a text to names, left to right.
pub(super) struct Runs<'m> {
    names: &'m NameSet,
    text: &'m str,
    run: Option<Run>,
    /// A single letter that may begin a name: its place and the letter.
    letters: Vec<(usize, usize, char)>,
    /// Words before this place are part of a name already read.
    read_to: usize,
}

impl<'m> Runs<'m> {
    /// No name as yet.
    pub(super) fn new(names: &'m NameSet, text: &'m str) -> Self {
        Self { names, text, run: None, letters: Vec::new(), read_to: 0 }
    }

    /// Takes the next word of the text.
    pub(super) fn word(&mut self, start: usize, end: usize, first: char, spans: &mut Vec<Span>) {
        if start < self.read_to || fold::inside_word(self.text, start) {
            return;
        }
        let best = self.names.at(self.text, start, first).max_by_key(|(word, end)| {
            (*end, self.run.is_some_and(|run| run.person == word.person), std::cmp::Reverse(word.person))
        });
        match best {
            Some((word, end)) => {
                self.name_word(word.part, word.label, word.person, word.ordinary, word.lone, start, end, spans);
                self.read_to = end;
            }
            None if self.text[start..end].chars().count() == 1 && first.is_alphabetic() => {
                self.letter(start, end, first, spans)
            }
            None => {
                self.flush(spans);
                self.letters.clear();
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one name word and its place")]
    fn name_word(
        &mut self,
        part: Part,
        label: Label,
        person: u8,
        ordinary: bool,
        lone: bool,
        start: usize,
        end: usize,
        spans: &mut Vec<Span>,
    ) {
        let joins = self.run.is_some_and(|run| run.person == person && self.joined(run.end, start));
        if !joins {
            self.flush(spans);
            let mut run = Run {
                start,
                end,
                person,
                label,
                given: false,
                family: false,
                initial: false,
                words: 0,
                ordinary: true,
                lone: false,
            };
            self.take_letters(&mut run);
            self.run = Some(run);
        }
        if let Some(run) = &mut self.run {
            run.end = end;
            run.words += 1;
            run.given |= part == Part::Given;
            run.family |= part == Part::Family;
            run.ordinary &= ordinary;
            run.lone |= lone;
        }
        self.letters.clear();
    }

    /// Initials right before a name belong to it if they are the person's: `R. J. Strong`.
    fn take_letters(&self, run: &mut Run) {
        for &(start, end, letter) in self.letters.iter().rev() {
            if !self.joined(end, run.start) || self.names.initial(letter, run.person).is_none() {
                return;
            }
            run.start = start;
            run.initial = true;
        }
    }

    fn letter(&mut self, start: usize, end: usize, letter: char, spans: &mut Vec<Span>) {
        if let Some(run) = self.run {
            let comma_or_blank = self.joined(run.end, start);
            if comma_or_blank
                && self.names.initial(letter, run.person).is_some()
                && self.text[start..end].chars().all(char::is_uppercase)
            {
                self.run = Some(Run { end, initial: true, ..run });
                return;
            }
            self.flush(spans);
        }
        self.letters.push((start, end, letter));
    }

    /// Whether only blanks, a comma, dots or hyphens stand between two places.
    fn joined(&self, from: usize, to: usize) -> bool {
        self.text.get(from..to).is_some_and(|between| {
            between.len() <= 6
                && between
                    .chars()
                    .all(|c| c.is_whitespace() || matches!(c, ',' | '.' | '-' | '\'' | '’' | '(' | '"' | ')'))
                && between.matches('\n').count() <= 1
                && !(between.contains('.')
                    && from >= 2
                    && self.text[..from].chars().rev().nth(1).is_some_and(char::is_alphanumeric)
                    && between.trim() == ".")
        })
    }

    fn flush(&mut self, spans: &mut Vec<Span>) {
        let Some(run) = self.run.take() else { return };
        let full = run.family && (run.given || run.initial);
        let score = if full { Some(1.0) } else { self.alone(&run) };
        if let Some(score) = score {
            spans.push(Span::new(run.start, run.end, run.label, Detector::Record, score));
        }
    }

    /// How sure a name without its other part is.
    fn alone(&self, run: &Run) -> Option<f32> {
        let written = &self.text[run.start..run.end];
        let capital = written.starts_with(char::is_uppercase);
        let upper = !written.chars().any(char::is_lowercase);
        let titled = self.after_title(run.start);
        if titled {
            return Some(1.0);
        }
        if !run.lone || self.is_eponym(run) {
            return None;
        }
        if !run.ordinary {
            let long = run.end - run.start >= 5;
            return if capital { Some(0.9) } else { long.then_some(0.7) };
        }
        (capital && !upper && self.inside_sentence(run.start)).then_some(0.7)
    }

    fn after_title(&self, start: usize) -> bool {
        let before = self.text[..start].trim_end_matches([' ', '.', '\n']);
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        ["mr", "mrs", "ms", "miss", "dr", "mx", "drs"].iter().any(|title| title.eq_ignore_ascii_case(word))
            && start - before.len() <= 3
    }

    /// Whether what stands before is a small word or a light mark, not the end of a sentence or a label.
    fn inside_sentence(&self, start: usize) -> bool {
        let before = self.text[..start].trim_end_matches([' ', '"', '(', '\'']);
        before.chars().next_back().is_some_and(|last| last.is_lowercase() || last == ',')
            || self.text[..start].ends_with('(')
    }

    fn is_eponym(&self, run: &Run) -> bool {
        let word = &self.text[run.start..run.end];
        let Some(heads) = Lexicon::shared().eponym(word) else {
            return false;
        };
        let rest = self.text[run.end..].trim_start_matches(['\'', '’', ' ']);
        let rest = rest.strip_prefix("s ").unwrap_or(rest);
        heads.iter().any(|head| rest.get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head)))
    }

    /// Ends the last name.
    pub(super) fn finish(mut self, spans: &mut Vec<Span>) {
        self.flush(spans);
    }
}
