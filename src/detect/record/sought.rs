//! Whether a value of the record stands at a place of a note, in one of the forms it may be written in.
//!
//! ```text
//! 0012345 ─▶ "00 12 345" a code    "last four 2345" its tail    "MRN 100123456" neither: part of a longer number
//! ```

use super::fold::{self, match_key};
use super::plain::{character_before, plain};
use crate::detect::patterns::years::unit_follows;
use crate::phi::{Class, Label, Span};

/// How a value may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Letters and digits with any separators, zeros before them or not.
    Code,
    /// Four digits that are said to be the last of a number.
    Tail,
    /// Letter by letter, marks between them as they come.
    Exact,
    /// The same, in any case of letters of any alphabet, and no part of a longer word.
    Verbatim,
    /// Words with blanks, hyphens or commas between them, in any case.
    Words,
    /// The same, written with a capital.
    Capital,
    /// The same, after a word like `in` or before a state.
    Place,
    /// The same, beside the word `county`.
    County,
    /// A state's code or name, right after the city.
    AfterCity,
}

/// A value that is looked for at a place.
pub(super) struct Sought<'s> {
    pub key: &'s [u8],
    pub class: Class,
    pub form: Form,
}

/// The marks between the parts of a code. A short one in two lines may be two numbers of a column, and in two cells of a table it
/// is, so those marks are for the longer ones.
const CODE_MARKS: &[char] = &['-', '.', ' ', '(', ')', '/', '_'];
const WRAPPED_MARKS: &[char] = &['-', '.', ' ', '(', ')', '/', '_', '\n'];
const LONG_MARKS: &[char] =
    &['-', '.', ',', ' ', '(', ')', '/', '_', '\n', '\t', ':', '*', '~', '+', '|', '\\', '•', '·', '∙', '‧'];

/// From this many letters and digits on a code is no other number by chance, however it is parted.
const LONG: usize = 7;
/// In more pieces it is a column of a table.
const MOST_PIECES: usize = 5;
/// The same for a code in two lines.
const WRAPPED: usize = 5;

const WORD_MARKS: &[char] = &[' ', '-', '_', '\'', '’', '.', ',', '\n', '\r', '\t', '&', '/', '+'];

impl Sought<'_> {
    /// The end of the value at a place; `start` is where its leading zeros began.
    pub(super) fn end_at(&self, text: &str, at: usize, start: usize, spans: &[Span]) -> Option<usize> {
        match self.form {
            Form::Code => self.code(text, at, start),
            Form::Tail => self.tail(text, at).filter(|_| start == at),
            Form::Exact => {
                let found = text.as_bytes().get(at..at + self.key.len())?;
                let inside = fold::inside_word(text, at);
                (!inside && found.eq_ignore_ascii_case(self.key) && text.is_char_boundary(at + self.key.len()))
                    .then(|| at + self.key.len())
            }
            Form::Verbatim => self.verbatim(text, at).filter(|_| start == at),
            Form::Words => self.words(text, at),
            Form::Capital => self.words(text, at).filter(|_| is_capital(text, at)),
            Form::Place => self.words(text, at).filter(|&end| is_capital(text, at) && is_place(text, at, end)),
            Form::County => self.words(text, at).filter(|_| is_capital(text, at) && after_county(text, at)),
            Form::AfterCity => {
                let end = match_key(text, at, self.key, WORD_MARKS, 2)?;
                let after = spans.iter().rev().take(4).any(|span| {
                    span.claims[0].class.label == Label::City
                        && span.end <= at
                        && at - span.end <= 3
                        && text[span.end..at].chars().all(|c| matches!(c, ' ' | ',' | '\n'))
                });
                let whole = !follows_word(text, end) && !fold::inside_word(text, at);
                (whole && (after || self.key.len() > 4 && is_capital(text, at))).then_some(end)
            }
        }
    }

    /// Character by character, so that marks count that part words elsewhere: `NuÃ±ez`, `CORP\\jdoe`.
    fn verbatim(&self, text: &str, at: usize) -> Option<usize> {
        let (mut key, mut end) = (std::str::from_utf8(self.key).ok()?, at);
        while !key.is_empty() {
            let written = text.get(end..)?.chars().next()?;
            for letter in written.to_lowercase() {
                key = key.strip_prefix(letter)?;
            }
            end += written.len_utf8();
        }
        (!fold::inside_word(text, at) && !follows_word(text, end)).then_some(end)
    }

    /// A number may be stuck to letters, and stands for itself: it is no part of a longer number or of an amount.
    fn code(&self, text: &str, at: usize, start: usize) -> Option<usize> {
        let (marks, gap) = match self.key.len() {
            LONG.. => (LONG_MARKS, 3),
            WRAPPED.. if self.class.label != Label::Zip => (WRAPPED_MARKS, 1),
            _ => (CODE_MARKS, 1),
        };
        let end = match_key(text, at, self.key, marks, gap)?;
        let found = &text[at..end];
        let digits = self.key.iter().filter(|byte| byte.is_ascii_digit()).count();
        let read = found.chars().filter(|&c| number(c)).count();
        // A scan garbles some of the digits, never most.
        if read * 2 < digits {
            return None;
        }
        let (before, after) = (character_before(text, start), text[end..].chars().next());
        let long = digits >= 6;
        if before.is_some_and(|c| number(c) || fold::is_of_word(c) && !long)
            || after.is_some_and(|c| number(c) || fold::is_of_word(c) && !long)
        {
            return None;
        }
        // Short numbers in pieces are measurements, and `0.` begins an amount.
        let pieces = found.split(|c: char| !plain(c).is_ascii_alphanumeric()).filter(|piece| !piece.is_empty()).count();
        // Its letters and digits one by one are a column of nothing else.
        let apart = self.key.len() >= LONG && pieces == self.key.len();
        if self.key.len() < LONG && pieces > 3
            || pieces > MOST_PIECES && !apart
            || pieces == 2 && found.starts_with("0.")
        {
            return None;
        }
        // A number is broken once, or its cells are a table's.
        if found.matches('\n').count() > 1 {
            return None;
        }
        let goes_on = text[end..].starts_with(['-', '.', '/']) && text[end + 1..].starts_with(number);
        let amount = text[..start].ends_with(['$', '£', '€'])
            || text[end..].starts_with('%')
            || text[..start].ends_with(['.', '/', '-']) && text[..start - 1].ends_with(number);
        let zip = self.class.label == Label::Zip;
        // `MRN 4417`, but `4417 mL`
        if digits == 4 && !zip && unit_follows(text, end) {
            return None;
        }
        let sure = digits >= 8
            || zip
            || text[at..end].bytes().filter(|byte| matches!(byte, b' ' | b'-')).count() == 0 && digits >= 6;
        (!(goes_on || amount && !zip) || sure && !text[..start].ends_with(['$', '.'])).then_some(end)
    }

    /// Four digits after words like `last four`, `ending in`, or after the stars of a masked number.
    fn tail(&self, text: &str, at: usize) -> Option<usize> {
        let end = at + self.key.len();
        if text.as_bytes().get(at..end)? != self.key || follows_word(text, end) {
            return None;
        }
        let mut from = at.saturating_sub(30);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let head = &text[from..at];
        let said =
            ["last 4", "last four", "ending", "ends in", "ssn", "xxx", "***", "xx-", "social", "l4", "last-4", "last4"];
        let said = said.iter().any(|cue| contains(head, cue)) || after_social(head);
        // `555-0135 or 0136`: behind another number of a record.
        let beside = self.class.label == Label::Phone && after_phone(text, at);
        (said || beside).then_some(end)
    }

    fn words(&self, text: &str, at: usize) -> Option<usize> {
        let end = match_key(text, at, self.key, WORD_MARKS, 3)?;
        // Text that has lost its blanks: `theLakeshore Grille`, `no Chicagowinters`.
        let stuck_before = fold::inside_word(text, at);
        let joint = is_capital(text, at) && text[..at].ends_with(char::is_lowercase);
        let long = self.key.len() >= 7 && is_capital(text, at) && text[end..].starts_with(char::is_lowercase);
        let stuck_after = follows_word(text, end);
        let known = || super::names::is_known_word(word_around(text, at, end));
        (!stuck_before || joint).then_some(())?;
        (!stuck_after || long && !known()).then_some(())?;
        (self.class.label != Label::City || !is_scale(text, end)).then_some(end)
    }
}

fn number(character: char) -> bool {
    plain(character).is_ascii_digit()
}

/// The word that a value ends in, as far as it goes on after it.
fn word_around(text: &str, at: usize, end: usize) -> &str {
    let letter = |c: char| c.is_alphanumeric();
    let start = text[at..end].rfind(|c: char| !letter(c)).map_or(at, |mark| at + mark + 1);
    let length = text[end..].find(|c: char| !letter(c)).unwrap_or(text.len() - end);
    text.get(start..end + length).unwrap_or("")
}

/// Whether a word follows that makes a city the name of a scale: `Chicago Classification`, `Boston criteria`.
fn is_scale(text: &str, end: usize) -> bool {
    const SCALES: &[&str] = &[
        "classification",
        "criteria",
        "score",
        "scale",
        "scoring",
        "protocol",
        "system",
        "staging",
        "grade",
        "consensus",
        "definition",
        "criterion",
        "index",
        "bowel",
        "coma",
        "keratoprosthesis",
        "brace",
        "cognitive",
    ];
    let rest = text[end..].strip_prefix(' ').unwrap_or("");
    let word = &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())];
    SCALES.iter().any(|scale| scale.eq_ignore_ascii_case(word))
}

/// Whether a letter or digit follows.
pub(super) fn follows_word(text: &str, end: usize) -> bool {
    text[end..].starts_with(fold::is_of_word)
}

fn is_capital(text: &str, at: usize) -> bool {
    text[at..].starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
}

fn contains(text: &str, cue: &str) -> bool {
    text.as_bytes().windows(cue.len()).any(|window| window.eq_ignore_ascii_case(cue.as_bytes()))
}

/// Whether an ordinary word with a capital is a place here: `in Mobile`, `Mobile, AL`.
fn is_place(text: &str, at: usize, end: usize) -> bool {
    const BEFORE: &[&str] = &["in", "from", "to", "near", "at", "of", "outside", "around", "leaving", "into"];
    let head = text[..at].trim_end_matches(' ');
    let word = head.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    let tail = text[end..].trim_start_matches([' ', ',']);
    let state =
        tail.get(..2).is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_uppercase()) && !follows_word(tail, 2));
    let zip = tail.len() < text[end..].len() && tail.bytes().take_while(u8::is_ascii_digit).count() >= 4;
    state || zip || BEFORE.iter().any(|before| before.eq_ignore_ascii_case(word)) && head.len() < at
}

/// Whether a social security number is told: `soc 2289`, `soc sec # 2289`.
fn after_social(head: &str) -> bool {
    let head = head.trim_end_matches([' ', '#', ':']);
    let mut words = head.rsplit([' ', '(', ',']).filter(|word| !word.is_empty());
    let (last, before) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is = |word: &str, other: &str| word.trim_end_matches('.').eq_ignore_ascii_case(other);
    is(last, "soc") || is(last, "sec") && is(before, "soc")
}

/// Whether a telephone number ends right before a place, with `or`, `and` or a mark between.
fn after_phone(text: &str, at: usize) -> bool {
    let head = text[..at].trim_end();
    let joined = ["or", "and", "/", "&", ","].iter().find_map(|joint| head.strip_suffix(joint));
    let Some(head) = joined.map(str::trim_end) else { return false };
    let number = head
        .bytes()
        .rev()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b' ' | b')' | b'('))
        .count();
    let number = &head[head.len() - number..];
    number.ends_with(|c: char| c.is_ascii_digit()) && number.bytes().filter(u8::is_ascii_digit).count() >= 7
}

/// Whether `county`, `county of` or `county:` stands right before.
fn after_county(text: &str, at: usize) -> bool {
    let head = text[..at].trim_end_matches([' ', ':', '\t']);
    let ends = |head: &str, word: &str| {
        head.len() >= word.len() && head.as_bytes()[head.len() - word.len()..].eq_ignore_ascii_case(word.as_bytes())
    };
    ends(head, "county") || ends(head, "county of")
}
