//! What stands around a name that is an ordinary word, and whether that tells it from the word.
//!
//! ```text
//! "told Grant to come"   a name        "will grant access"    the word
//! "Penny said"  "hi april,"  "NEXT OF KIN: JOY"               names at the beginning, in small letters, in capitals
//! ```

use super::cues::{ACTS, ADDRESSED, AFTER_MONTH, CALLED, DETERMINERS, GREETINGS, KIN, LABELS, ROLES, STATES, TITLES};
use super::name_word::Usual;
use super::plain::{character_before, end_of_escape, is_combining_mark, is_invisible};
use crate::detect::dictionary::is_before_head;
use crate::lexicon::{Lexicon, WordFlags};

/// How a word is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Small,
    Capital,
    Large,
}

impl Shape {
    /// The shape of a name as written; of several words the least telling one.
    pub(super) fn of(written: &str) -> Self {
        // Accents of their own, entities of HTML and what nobody sees end no word.
        let inside = |c: char| {
            c.is_alphabetic() || matches!(c, '\'' | '’' | '&' | ';') || is_combining_mark(c) || is_invisible(c)
        };
        let words = || written.split(|c: char| !inside(c)).filter(|word| !word.is_empty());
        if words().any(|word| word.starts_with(char::is_lowercase)) {
            Self::Small
        } else if written.contains(char::is_lowercase) || written.chars().count() == 1 {
            Self::Capital
        } else {
            Self::Large
        }
    }
}

/// Whether a word is one of a list, in any case.
pub(super) fn among(word: &str, list: &[&str]) -> bool {
    !word.is_empty() && list.iter().any(|other| other.eq_ignore_ascii_case(word))
}

/// Where the last word before a place begins and ends. A line break that is written out is no word, nor the beginning of one:
/// `by\nDr. Strong`.
fn word_before(text: &str, place: usize, is_word: impl Fn(char) -> bool) -> (usize, usize) {
    let mut end = place;
    loop {
        let word = text[..end].trim_end_matches(|c: char| !is_word(c));
        let start = word.trim_end_matches(&is_word).len();
        let escape = start.checked_sub(1).and_then(|at| end_of_escape(text, at));
        match escape {
            Some(behind) if behind < word.len() => return (behind, word.len()),
            Some(_) => end = start - 1,
            None => return (start, word.len()),
        }
    }
}

/// The surroundings of a stretch of a note.
pub(super) struct Context<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
    shape: Shape,
    /// The word before, on the same line or the one above, and what stands between.
    pub(super) before: &'t str,
    pub(super) gap_before: &'t str,
    /// The word after, on the same line, and what stands between.
    pub(super) after: &'t str,
    pub(super) gap_after: &'t str,
}

impl<'t> Context<'t> {
    pub(super) fn new(text: &'t str, start: usize, end: usize) -> Self {
        let is_word = |c: char| c.is_alphanumeric() || c == '\'' || c == '’';
        let head = &text[..start];
        let (before_start, before_end) = word_before(text, start, is_word);
        let tail = &text[end..];
        // `'s` belongs to the name's own word.
        let own = if ["'s", "’s", "'S", "’S"].iter().any(|own| tail.starts_with(own)) {
            tail.char_indices().nth(2).map_or(tail.len(), |(at, _)| at)
        } else {
            0
        };
        let rest = &tail[own..];
        let after_from = rest.find(is_word).unwrap_or(rest.len());
        let after_to = rest[after_from..].find(|c: char| !is_word(c)).map_or(rest.len(), |length| after_from + length);
        Self {
            text,
            start,
            end,
            shape: Shape::of(&text[start..end]),
            before: &head[before_start..before_end],
            gap_before: &head[before_end..],
            after: &rest[after_from..after_to],
            gap_after: &rest[..after_from],
        }
    }

    pub(super) const fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether a title stands right before: `Dr. Strong`, `Mrs Will`.
    pub(super) fn after_title(&self) -> bool {
        among(self.before, TITLES) && self.gap_before.len() <= 3 && !self.gap_before.contains([',', ';', ':'])
            // `ms` is a unit and `fr` a word, unless written as titles.
            && (self.before.starts_with(char::is_uppercase) || self.shape == Shape::Small && self.before != "ms")
    }

    /// Whether a capital word before makes it part of another name: `San Francisco`, `Bush-Francis`.
    pub(super) fn is_part_of_other(&self) -> bool {
        const PLACES: &[&str] =
            &["san", "santa", "st", "saint", "fort", "ft", "lake", "mount", "mt", "port", "new", "los", "las"];
        self.shape == Shape::Capital
            && self.before.starts_with(char::is_uppercase)
            && (self.gap_before == "-" || matches!(self.gap_before, " " | ". ") && among(self.before, PLACES))
    }

    /// Whether the rest of a sentence about a person follows.
    pub(super) fn goes_on_as_person(&self) -> bool {
        self.ends_phrase() || self.goes_on_in_past() || self.goes_on()
    }

    /// Whether letters that only people have after their names follow: `Strong, MD`, `penny sw 1412`.
    pub(super) fn before_role(&self) -> bool {
        let near = matches!(self.gap_after, " " | ", " | " (" | "/" | ",");
        let large = self.after.chars().all(char::is_uppercase);
        near && among(self.after, ROLES)
            && (large || self.shape == Shape::Small && among(self.after, &["rn", "sw", "np", "md"]))
    }

    /// Whether the name and a word like `catheter` make a medical term.
    pub(super) fn is_eponym(&self) -> bool {
        is_before_head(&self.text[self.start..self.end], &self.text[self.end..])
    }

    /// Whether medicine has the name, and no title or the like says that this is a person.
    pub(super) fn is_medical_name(&self) -> bool {
        Lexicon::shared().eponym(&self.text[self.start..self.end]).is_some()
            && self.after.starts_with(char::is_lowercase)
            && !among(self.after, ACTS)
            && !among(self.after, STATES)
    }

    /// How sure an ordinary word is a name here; none if it is the word.
    pub(super) fn ordinary(&self, usual: Usual, calendar: bool) -> Option<f32> {
        if self.after_title() || self.before_role() && usual < Usual::Grammar {
            return Some(0.95);
        }
        if calendar && self.is_date() || self.is_eponym() || self.is_hyphenated() {
            return None;
        }
        match self.shape {
            Shape::Small => self.small(usual),
            Shape::Capital => self.capital(usual, calendar),
            Shape::Large => self.large(usual),
        }
    }

    fn small(&self, usual: Usual) -> Option<f32> {
        let blank = matches!(self.gap_before, " " | "\n");
        let greeted = among(self.before, GREETINGS) && matches!(self.gap_before, " " | ", ");
        let told = blank && among(self.before, ADDRESSED);
        let acts = self.gap_after == " " && among(self.after, ACTS);
        let signs =
            self.is_own_line() && self.text[..self.start].trim_end_matches([' ', '\n', '\r', '\t']).ends_with(',');
        let found = match usual {
            Usual::No => true,
            Usual::Sometimes => {
                greeted
                    || told
                    || acts
                    || signs
                    || self.gap_before.starts_with(':') && self.gap_before.len() <= 3 && among(self.before, LABELS)
                    || blank && (among(self.before, KIN) || among(self.before, CALLED) && self.ends_phrase())
                    || self.before.ends_with('/') && self.before.starts_with(['w', 'c'])
                    || self.gap_before == "/" && among(self.before, &["w", "d", "c"])
            }
            Usual::Often => {
                greeted
                    || signs
                    || told && self.ends_phrase()
                    || self.begins_sentence() && (acts || among(self.after, &["has", "had"]))
            }
            Usual::Grammar => greeted && !among(self.before, &["thanks", "thx", "cheers"]) && self.ends_phrase(),
        };
        found.then_some(0.75)
    }

    fn capital(&self, usual: Usual, calendar: bool) -> Option<f32> {
        let acts = self.gap_after == " " && among(self.after, ACTS);
        let close = matches!(self.gap_before, " " | " (" | ": " | "/");
        let person_before = close && (among(self.before, ROLES) || among(self.before, ADDRESSED))
            || (close || self.gap_before == ", ") && among(self.before, KIN)
            || among(self.before, GREETINGS) && matches!(self.gap_before, " " | ", ");
        // `a Case tractor`, `Hope you are well`
        if self.gap_before == " " && among(self.before, DETERMINERS) || among(self.after, &["you", "this"]) {
            return None;
        }
        if self.is_own_line() || self.is_own_cell() && usual <= Usual::Sometimes {
            return Some(0.75);
        }
        if self.before_phone() || self.before_age() || person_before && !self.next_is_capital() {
            return Some(0.9);
        }
        if acts && usual < Usual::Grammar {
            return Some(0.85);
        }
        if self.gap_before.contains(':') && self.gap_before.len() <= 4 {
            let labelled = among(self.before, LABELS);
            let owned = self.is_possessive() && usual <= Usual::Sometimes;
            return (labelled || owned || usual <= Usual::Sometimes && !calendar && !self.next_is_capital())
                .then_some(0.75);
        }
        if self.begins_sentence() || usual >= Usual::Often && self.begins_line() {
            let states =
                self.gap_after == " " && (among(self.after, STATES) || self.goes_on_in_past() || self.goes_on());
            // `Baker - stable`, `Miller: seen today`
            let heads =
                matches!(self.gap_after, " - " | " – " | " — " | ": ") && self.after.starts_with(char::is_lowercase);
            return ((states || heads || self.is_possessive()) && usual <= Usual::Sometimes).then_some(0.8);
        }
        let called =
            self.gap_before == " " && among(self.before, &["with", "w", "per", "from", "called", "by", "call"]);
        if calendar {
            return (called && !self.next_is_capital() || self.is_possessive()).then_some(0.7);
        }
        // In titles and headings every word has a capital.
        let heading = self.next_is_capital() || self.previous_is_capital();
        (!heading || called && !self.next_is_capital()).then_some(0.8)
    }

    fn large(&self, usual: Usual) -> Option<f32> {
        let blank = matches!(self.gap_before, " " | ", " | ": " | ":" | ":  " | " (");
        let person = blank && (among(self.before, KIN) || self.gap_before.contains(':') && among(self.before, LABELS));
        let ends = self.ends_phrase() || self.after.is_empty() || self.before_phone() || self.before_age();
        let signs = self.is_own_line();
        let found = match usual {
            Usual::No => true,
            Usual::Sometimes => {
                person || signs || blank && among(self.before, ADDRESSED) && ends || self.before_phone()
            }
            Usual::Often => person && ends || self.before_phone(),
            Usual::Grammar => person && ends && self.gap_before.contains(':'),
        };
        found.then_some(0.8)
    }

    /// `April 5`, `May 2024`, `in June`.
    pub(super) fn is_date(&self) -> bool {
        let numbers =
            self.after.starts_with(|c: char| c.is_ascii_digit()) && self.gap_after.len() <= 2 && !self.before_phone();
        let counted = self.before.ends_with(|c: char| c.is_ascii_digit()) && self.gap_before.len() <= 1;
        numbers
            || counted
            || self.gap_before == " " && among(self.before, AFTER_MONTH)
            || among(self.after, &["of", "or"])
    }

    /// Whether another word is joined by a hyphen: `early-onset`, `post-case`.
    pub(super) fn is_hyphenated(&self) -> bool {
        self.gap_after == "-" && self.after.starts_with(char::is_lowercase)
            || self.gap_before == "-" && self.before.ends_with(char::is_lowercase)
    }

    pub(super) fn is_possessive(&self) -> bool {
        let behind = &self.text[self.end..];
        let of_several = self.text[..self.end].ends_with('s') && ["' ", "’ "].iter().any(|own| behind.starts_with(own));
        of_several || ["'s", "’s", "'S", "’S"].iter().any(|own| behind.starts_with(own))
    }

    /// `555-0142`, `(218) 555`, `x4417` right after.
    fn before_phone(&self) -> bool {
        let digits = self.text[self.end..].trim_start_matches([' ', ':', ',', '(', '@', 'x', '#', '+']);
        let gap = self.text[self.end..].len() - digits.len();
        let run = digits
            .bytes()
            .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b')' | b' '))
            .count();
        let count = digits[..run].bytes().filter(u8::is_ascii_digit).count();
        gap > 0 && gap < 4 && count >= 7
    }

    /// `, 67` or ` (67)` right after.
    fn before_age(&self) -> bool {
        let rest = &self.text[self.end..];
        let Some(digits) = [", ", " (", ","].iter().find_map(|gap| rest.strip_prefix(gap)) else { return false };
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        (1..=3).contains(&count) && !digits[count..].starts_with(['/', '-', '.', '%'])
    }

    /// Whether nothing or a mark follows, not a further word of the phrase.
    fn ends_phrase(&self) -> bool {
        let mark = self.gap_after.trim_start_matches(' ');
        self.gap_after.len() > 1
            || !mark.is_empty()
            || self.after.is_empty()
            || among(self.after, STATES)
            || among(self.after, ACTS)
            || among(
                self.after,
                &["to", "re", "at", "on", "about", "if", "that", "for", "in", "she", "he", "im", "i'm", "its"],
            )
    }

    pub(super) fn next_is_capital(&self) -> bool {
        matches!(self.gap_after, " " | "-" | " & ") && self.after.starts_with(char::is_uppercase) && !self.before_role()
    }

    fn previous_is_capital(&self) -> bool {
        matches!(self.gap_before, " " | "-" | " & ")
            && self.before.starts_with(char::is_uppercase)
            && !(self.follows_first_word() && Lexicon::shared().word(self.before).english_size() == Some(10))
    }

    /// Whether the word before is the first of its sentence.
    pub(super) fn follows_first_word(&self) -> bool {
        Self::begins(self.text, self.start - self.gap_before.len() - self.before.len())
    }

    pub(super) fn begins_line(&self) -> bool {
        self.text[..self.start].trim_end_matches([' ', '\t']).ends_with('\n')
    }

    pub(super) fn begins_sentence(&self) -> bool {
        Self::begins(self.text, self.start)
    }

    /// Whether a sentence, a line or an item of a list begins at a place.
    fn begins(text: &str, start: usize) -> bool {
        let head = text[..start].trim_end_matches([' ', '"', '“', '\'', '(', '[', '*', '>', '\t']);
        let Some(last) = character_before(text, head.len()) else { return true };
        if last.is_control() {
            // A line that was broken in the middle of a sentence goes on.
            let above = head.trim_end();
            let line = above.rfind('\n').map_or(above, |at| &above[at + 1..]);
            return line.len() < 50 || !above.ends_with(|c: char| c.is_lowercase() || c == ',');
        }
        matches!(last, '.' | '!' | '?' | '•' | '|' | ';') || last == '-' && head.len() < start
    }

    /// Whether the line, or the field of it, holds nothing else.
    fn is_own_line(&self) -> bool {
        let head = self.text[..self.start].trim_end_matches([' ', '\t', '>', '-', '~']);
        let tail = self.text[self.end..].trim_start_matches([' ', '\t', ',', '.', '!']);
        let begins = head.ends_with('\n') || character_before(self.text, head.len()).is_none();
        let ends = tail.is_empty() || tail.starts_with(['\n', '\r']) || end_of_escape(tail, 0).is_some();
        begins && ends
    }

    /// Whether a verb in the past follows: `Baker received`; no colour's `tinted`.
    pub(super) fn goes_on_in_past(&self) -> bool {
        const OF_THINGS: &[&str] =
            &["colored", "coloured", "tinted", "haired", "tinged", "eyed", "based", "shaped", "sized"];
        self.after.len() > 4
            && self.after.ends_with("ed")
            && self.after.starts_with(char::is_lowercase)
            && !among(self.after, OF_THINGS)
    }

    /// Whether what somebody is doing follows, or how somebody is: `Baker resting in bed`, `Hunter awake`.
    pub(super) fn goes_on(&self) -> bool {
        const OF_THINGS: &[&str] = &[
            "bleeding", "coating", "coloring", "dressing", "morning", "evening", "ring", "spring", "staining",
            "string", "swelling",
        ];
        const STATES_OF_PEOPLE: &[&str] = &[
            "alert",
            "awake",
            "asleep",
            "afebrile",
            "comfortable",
            "npo",
            "sleepy",
            "stable",
            "tearful",
            "unresponsive",
        ];
        let does = self.after.len() > 4 && self.after.ends_with("ing") && !among(self.after, OF_THINGS);
        self.after.starts_with(char::is_lowercase) && (does || among(self.after, STATES_OF_PEOPLE))
            || self.after == "NPO"
    }

    /// Whether the cell of a table, or the element of a document, holds nothing else.
    fn is_own_cell(&self) -> bool {
        let head = self.text[..self.start].trim_end_matches([' ', '\t']);
        let tail = self.text[self.end..].trim_start_matches([' ', '\t']);
        head.ends_with('|') && tail.starts_with('|') || head.ends_with('>') && tail.starts_with("</")
    }

    /// Whether a word is a state of a place or a road, so that the name is one of a place: `Grant County`, `Park Ave`.
    pub(super) fn before_place_head(&self) -> bool {
        const HEADS: WordFlags = WordFlags::STREET_SUFFIX
            .union(WordFlags::HOSPITAL_CUE)
            .union(WordFlags::SCHOOL_CUE)
            .union(WordFlags::CHURCH_CUE)
            .union(WordFlags::COMPANY_CUE);
        self.gap_after == " "
            && self.after.starts_with(char::is_uppercase)
            && Lexicon::shared().word(self.after).is_any(HEADS)
    }
}
