//! The record's numbers, contacts and places, however they are written.
//!
//! ```text
//! (218) 555-0142 ─▶ 218.555.0142, 12185550142, 555-0142, +1 218 555 O142     0012345 ─▶ 12345, MRN0012345, 00 12 345
//! ```

use super::PatientRecord;
use super::fold::{self, Key, letter_like, match_key};
use super::near::PairSet;
use super::places::Street;
use crate::phi::{Class, Detector, Label, Span};

/// How a value may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Letters and digits with any separators, zeros before them or not.
    Code,
    /// Four digits that are said to be the last of a number.
    Tail,
    /// Letter by letter, marks between them as they come.
    Exact,
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

#[derive(Debug)]
struct Value {
    key: Box<[u8]>,
    class: Class,
    form: Form,
    score: f32,
}

/// Every value but names and the birth date.
#[derive(Debug, Default)]
pub(super) struct ValueSet {
    values: Vec<Value>,
    /// The first two letters of values, as a scan sees them.
    begins: PairSet,
    pub(super) street: Option<Street>,
}

const CODE_MARKS: &[char] = &['-', '.', ' ', '(', ')', '/', '–', '‑', '\u{a0}', '_'];
const WORD_MARKS: &[char] = &[' ', '-', '\'', '’', '.', ',', '\n', '\r', '\t', '&', '/', '+'];

impl ValueSet {
    /// The values of a record.
    pub(super) fn new(record: &PatientRecord) -> Self {
        let mut set = Self::default();
        for phone in &record.phones {
            set.phone(phone);
        }
        for email in &record.emails {
            set.add(email.trim(), Label::Email, Form::Exact, 5, 1.0);
        }
        for (label, value) in &record.identifiers {
            set.identifier(value, *label);
        }
        set.zip(&record.zip);
        set.places(record);
        set
    }

    /// Whether a value can begin at a place of a text, given the first byte of the key there.
    pub(super) fn may_begin(&self, text: &str, at: usize, first: u8) -> bool {
        match text.as_bytes().get(at + 1) {
            Some(second) if second.is_ascii_alphanumeric() && first != b'0' => {
                self.begins.may_hold(letter_like(first), letter_like(second.to_ascii_lowercase()))
            }
            _ => true,
        }
    }

    pub(super) fn add(&mut self, value: &str, class: impl Into<Class>, form: Form, shortest: usize, score: f32) {
        let key: Box<[u8]> = if form == Form::Exact { value.to_lowercase().bytes().collect() } else { letters(value) };
        let class = class.into();
        let known = |known: &Value| known.key == key && known.form == form && known.class.label == class.label;
        if key.is_empty() || key.len() < shortest || self.values.iter().any(known) {
            return;
        }
        self.begins(&key);
        self.values.push(Value { key, class, form, score });
    }

    /// Lets values begin as a key does.
    pub(super) fn begins(&mut self, key: &[u8]) {
        match *key {
            [first, second, ..] => self.begins.insert(letter_like(first), letter_like(second)),
            [first] => self.begins.insert_all(letter_like(first)),
            [] => {}
        }
    }

    /// A telephone number with and without country code, and without area code.
    fn phone(&mut self, phone: &str) {
        let international = phone.trim_start().starts_with('+') || phone.trim_start().starts_with("00");
        let phone = phone.to_ascii_lowercase();
        let number = phone.split(['x', 'e']).next().unwrap_or("");
        let digits: String = number.chars().filter(char::is_ascii_digit).collect();
        let digits = digits.trim_start_matches('0');
        self.add(digits, Label::Phone, Form::Code, 7, 1.0);
        if digits.len() == 10 && !international {
            self.add(&format!("1{digits}"), Label::Phone, Form::Code, 11, 1.0);
        }
        if digits.len() >= 10 {
            // What stands before the national number is taken in where it is found.
            let national = if digits.len() == 11 && digits.starts_with('1') { 10 } else { digits.len().min(10) };
            self.add(&digits[digits.len() - national..], Label::Phone, Form::Code, 7, 1.0);
            if !international || digits.starts_with('1') {
                self.add(&digits[digits.len() - 7..], Label::Phone, Form::Code, 7, 0.9);
            }
            self.add(&digits[digits.len() - 4..], Label::Phone, Form::Tail, 4, 0.8);
        }
    }

    /// A number or code; without letters before its digits, too, for they are often left out.
    fn identifier(&mut self, value: &str, label: Label) {
        if !value.bytes().any(|byte| byte.is_ascii_digit()) {
            self.add(value, label, Form::Words, 4, 1.0);
            if matches!(label, Label::Hospital | Label::Organization) {
                self.stem(value, label);
            }
            return;
        }
        let code = letters(value);
        let text = std::str::from_utf8(&code).unwrap_or_default();
        let number = text.trim_start_matches('0');
        // Zeros alone, and the stars of a masked number, are no digits to look for.
        if number.len() >= 5
            && number.bytes().any(|byte| byte != b'0')
            && (text.len() - number.len() < 4 || label != Label::Ssn)
        {
            self.add(number, label, Form::Code, 5, 1.0);
            let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim_start_matches('0');
            if digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                self.add(digits, label, Form::Code, 6, 0.95);
            }
        } else if number.len() == 4 && text.len() == 4 {
            self.add(number, label, Form::Code, 4, 0.9);
        }
        if text.len() >= 6 && text.as_bytes()[text.len() - 4..].iter().all(u8::is_ascii_digit) {
            self.add(&text[text.len() - 4..], label, Form::Tail, 4, 0.9);
        }
    }

    fn zip(&mut self, zip: &str) {
        self.add(zip, Label::Zip, Form::Code, 4, 0.9);
        if let Some(five) = zip.trim().get(..5).filter(|five| five.bytes().all(|byte| byte.is_ascii_digit())) {
            self.add(five, Label::Zip, Form::Code, 5, 0.9);
        }
    }

    /// Adds the values that stand at a place where letters or digits begin.
    pub(super) fn find_at(&self, text: &str, at: usize, first: u8, spans: &mut Vec<Span>) {
        let zeros = text[at..].bytes().take_while(|byte| matches!(byte, b'0' | b'O' | b'o')).count();
        self.find_from(text, at, at, first, spans);
        if zeros > 0
            && text.as_bytes()[at] == b'0'
            && let Some(first) = fold::first(text, at + zeros)
        {
            self.find_from(text, at, at + zeros, first, spans);
        }
        if let Some(street) = &self.street
            && !fold::inside_word(text, at)
            && let Some(end) = street.end_at(text, at)
        {
            spans.push(Span::new(at, end, Label::Street, Detector::Record, 1.0));
        }
    }

    fn find_from(&self, text: &str, start: usize, at: usize, first: u8, spans: &mut Vec<Span>) {
        let looks = letter_like(first);
        for value in self.values.iter().filter(|value| letter_like(value.key[0]) == looks) {
            if let Some(end) = value.end_at(text, at, start, spans) {
                let start = if value.class.label == Label::Phone { before_phone(text, start) } else { start };
                spans.push(Span::new(start, end, value.class, Detector::Record, value.score));
            }
        }
    }
}

/// The letters and digits of a value, folded.
pub(super) fn letters(value: &str) -> Box<[u8]> {
    let mut all = Vec::with_capacity(value.len());
    for character in value.chars() {
        let mut key = Key::new();
        key.push_char(character);
        all.extend_from_slice(key.as_bytes());
    }
    all.into()
}

/// Where a telephone number begins whose national digits begin at a place: with `+44`, `1-`, or there.
fn before_phone(text: &str, at: usize) -> usize {
    let head = text[..at].trim_end_matches([' ', '-', '.', '(', ')', '0', '/']);
    let digits = head.bytes().rev().take_while(u8::is_ascii_digit).count();
    let from = head.len() - digits;
    let plus = digits > 0 && digits <= 3 && head[..from].ends_with('+');
    let one = digits == 1 && head.ends_with('1') && at - head.len() <= 2 && !fold::inside_word(text, from);
    if plus {
        from - 1
    } else if one && at > head.len() {
        from
    } else {
        at
    }
}

impl Value {
    /// The end of the value at a place; `start` is where its leading zeros began.
    fn end_at(&self, text: &str, at: usize, start: usize, spans: &[Span]) -> Option<usize> {
        match self.form {
            Form::Code => self.code(text, at, start),
            Form::Tail => self.tail(text, at).filter(|_| start == at),
            Form::Exact => {
                let found = text.as_bytes().get(at..at + self.key.len())?;
                let inside = fold::inside_word(text, at);
                (!inside && found.eq_ignore_ascii_case(&self.key) && text.is_char_boundary(at + self.key.len()))
                    .then(|| at + self.key.len())
            }
            Form::Words => self.words(text, at),
            Form::Capital => self.words(text, at).filter(|_| is_capital(text, at)),
            Form::Place => self.words(text, at).filter(|&end| is_capital(text, at) && is_place(text, at, end)),
            Form::County => self.words(text, at).filter(|_| is_capital(text, at) && after_county(text, at)),
            Form::AfterCity => {
                let end = match_key(text, at, &self.key, WORD_MARKS, 2)?;
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

    /// A number may be stuck to letters, and stands for itself: it is no part of a longer number or of an amount.
    fn code(&self, text: &str, at: usize, start: usize) -> Option<usize> {
        let end = match_key(text, at, &self.key, CODE_MARKS, if self.key.len() < 7 { 1 } else { 2 })?;
        let found = &text.as_bytes()[at..end];
        let digits = self.key.iter().filter(|byte| byte.is_ascii_digit()).count();
        let read = found.iter().filter(|byte| byte.is_ascii_digit()).count();
        // A scan garbles some of the digits, never most.
        if read * 2 < digits {
            return None;
        }
        let (before, after) = (text[..start].chars().next_back(), text[end..].chars().next());
        let number = |c: char| c.is_ascii_digit();
        let long = digits >= 6;
        if before.is_some_and(|c| number(c) || c.is_alphanumeric() && !long)
            || after.is_some_and(|c| number(c) || c.is_alphanumeric() && !long)
        {
            return None;
        }
        // Short numbers in pieces are measurements.
        let pieces = found.iter().filter(|byte| !byte.is_ascii_alphanumeric()).count();
        if self.key.len() < 7 && pieces > 2 {
            return None;
        }
        let goes_on = text[end..].starts_with(['-', '.', '/']) && text[end + 1..].starts_with(number);
        let amount = text[..start].ends_with(['$', '£', '€'])
            || text[end..].starts_with('%')
            || text[..start].ends_with(['.', '/', '-']) && text[..start - 1].ends_with(number);
        let zip = self.class.label == Label::Zip;
        let sure = digits >= 8
            || zip
            || text[at..end].bytes().filter(|byte| matches!(byte, b' ' | b'-')).count() == 0 && digits >= 6;
        (!(goes_on || amount && !zip) || sure && !text[..start].ends_with(['$', '.'])).then_some(end)
    }

    /// Four digits after words like `last four`, `ending in`, or after the stars of a masked number.
    fn tail(&self, text: &str, at: usize) -> Option<usize> {
        let end = at + self.key.len();
        if text.as_bytes().get(at..end)? != &*self.key || follows_word(text, end) {
            return None;
        }
        let mut from = at.saturating_sub(30);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let head = &text[from..at];
        let said =
            ["last 4", "last four", "ending", "ends in", "ssn", "xxx", "***", "xx-", "social", "l4", "last-4", "last4"];
        said.iter().any(|cue| contains(head, cue)).then_some(end)
    }

    fn words(&self, text: &str, at: usize) -> Option<usize> {
        let end = match_key(text, at, &self.key, WORD_MARKS, 3)?;
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
    text[end..].starts_with(char::is_alphanumeric)
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

/// Whether `county`, `county of` or `county:` stands right before.
fn after_county(text: &str, at: usize) -> bool {
    let head = text[..at].trim_end_matches([' ', ':', '\t']);
    let ends = |head: &str, word: &str| {
        head.len() >= word.len() && head.as_bytes()[head.len() - word.len()..].eq_ignore_ascii_case(word.as_bytes())
    };
    ends(head, "county") || ends(head, "county of")
}
