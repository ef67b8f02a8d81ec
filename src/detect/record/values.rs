//! The record's numbers, contacts and places.

use super::PatientRecord;
use super::fold::{self, match_key};
use crate::lexicon::{Lexicon, WordFlags};
use crate::phi::{Class, Detector, Kind, Label, Span};

/// How a value may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Digits with any separators.
    Digits,
    /// Letters and digits with any separators.
    Code,
    /// Letter by letter, marks between them as they come.
    Exact,
    /// Words with blanks, hyphens or commas between them, in any case.
    Words,
    /// The same, written with a capital.
    Capital,
    /// A state's code or name, right after the city.
    AfterCity,
}

#[derive(Debug)]
struct Value {
    key: Vec<char>,
    class: Class,
    form: Form,
    score: f32,
}

/// Every value but names and the birth date.
#[derive(Debug, Default)]
pub(super) struct ValueSet {
    values: Vec<Value>,
    /// A bit for each ASCII letter or digit that a value begins with.
    first: u128,
    street: Option<Street>,
    other_script: bool,
}

#[derive(Debug)]
struct Street {
    house: String,
    /// The words of the street's name, folded, without suffix and unit.
    name: Vec<char>,
}

const DIGIT_MARKS: &[char] = &['-', '.', ' ', '(', ')', '/', '–', '‑', '\u{a0}'];
const WORD_MARKS: &[char] = &[' ', '-', '\'', '’', '.', ',', '\n', '\r', '\t', '&'];

impl ValueSet {
    /// The values of a record.
    pub(super) fn new(record: &PatientRecord) -> Self {
        let mut set = Self::default();
        for phone in &record.phones {
            set.phone(phone);
        }
        for email in &record.emails {
            set.add(email, Label::Email, Form::Exact, 5, 1.0);
        }
        for (label, value) in &record.identifiers {
            let digits = value.chars().any(|c| c.is_ascii_digit());
            set.add(value, *label, if digits { Form::Code } else { Form::Words }, 4, 1.0);
        }
        set.add(&record.zip, Label::Zip, Form::Digits, 5, 0.9);
        set.place(&record.city, Class::of(Label::City));
        let county = record.county.trim().trim_end_matches("County").trim_end_matches("county").trim();
        if !county.is_empty() {
            let class = Class { label: Label::LocationOther, kind: Kind::LocationCounty };
            set.add(&format!("{county} County"), class, Form::Words, 4, 1.0);
        }
        let home = ["us", "usa", "unitedstates", "unitedstatesofamerica"]
            .contains(&fold::key(&record.country).iter().collect::<String>().as_str());
        if !home {
            set.place(&record.country, Class::of(Label::Country));
        }
        set.state(&record.state);
        let ordinary = !record.employer.trim().contains(' ') && is_ordinary(&record.employer);
        set.add(&record.employer, Label::Organization, if ordinary { Form::Capital } else { Form::Words }, 4, 0.95);
        set.street(&record.street);
        set
    }

    /// Whether a value can begin with the letter or digit.
    pub(super) fn may_begin(&self, first: char) -> bool {
        if first.is_ascii() { self.first & (1 << (first as u32)) != 0 } else { self.other_script }
    }

    fn add(&mut self, value: &str, class: impl Into<Class>, form: Form, shortest: usize, score: f32) {
        let key = if form == Form::Exact { value.trim().to_lowercase().chars().collect() } else { fold::key(value) };
        let Some(&first) = key.first() else { return };
        if key.len() < shortest || form == Form::Digits && !key.iter().all(char::is_ascii_digit) {
            return;
        }
        self.begins(first);
        self.values.push(Value { key, class: class.into(), form, score });
    }

    fn begins(&mut self, first: char) {
        if first.is_ascii() {
            self.first |= 1 << (first as u32);
        } else {
            self.other_script = true;
        }
    }

    /// A telephone number with and without country code, and without area code.
    fn phone(&mut self, phone: &str) {
        let phone = phone.to_ascii_lowercase();
        let number = phone.split(['x', 'e']).next().unwrap_or("");
        let digits: String = number.chars().filter(char::is_ascii_digit).collect();
        self.add(&digits, Label::Phone, Form::Digits, 7, 1.0);
        let national = match digits.len() {
            11 if digits.starts_with('1') => &digits[1..],
            _ => digits.as_str(),
        };
        if national.len() == 10 {
            self.add(national, Label::Phone, Form::Digits, 7, 1.0);
            self.add(&format!("1{national}"), Label::Phone, Form::Digits, 7, 1.0);
            self.add(&national[3..], Label::Phone, Form::Digits, 7, 0.9);
        }
    }

    fn place(&mut self, place: &str, class: Class) {
        let form = if is_ordinary(place) || !place.trim().contains(' ') { Form::Capital } else { Form::Words };
        self.add(place, class, form, 3, 0.95);
    }

    fn state(&mut self, state: &str) {
        let known = Lexicon::shared().state(state);
        let forms = known.map_or([state, ""], |known| [known.name, known.abbreviation]);
        for form in forms {
            self.add(form, Label::State, Form::AfterCity, 2, 0.95);
        }
    }

    fn street(&mut self, street: &str) {
        let mut words = street.split_whitespace();
        let Some(house) = words.next().filter(|word| word.starts_with(|c: char| c.is_ascii_digit())) else {
            self.add(street, Label::Street, Form::Words, 6, 1.0);
            return;
        };
        let mut name: Vec<&str> = words.map(|word| word.trim_matches([',', '.'])).collect();
        if let Some(unit) = name.iter().position(|word| is_unit(word)) {
            name.truncate(unit);
        }
        while name.len() > 1 && name.last().is_some_and(|word| is_suffix(word)) {
            name.pop();
        }
        let name = fold::key(&name.concat());
        if let Some(first) = house.chars().next().filter(|_| name.len() >= 3) {
            self.begins(first);
            self.street = Some(Street { house: house.trim_end_matches(',').to_owned(), name });
        }
    }

    /// Adds the values that stand at a place where a word or number begins.
    pub(super) fn find_at(&self, text: &str, at: usize, first: char, spans: &mut Vec<Span>) {
        if fold::inside_word(text, at) {
            return;
        }
        for value in self.values.iter().filter(|value| value.key[0] == first) {
            let Some(end) = value.end_at(text, at, spans) else {
                continue;
            };
            spans.push(Span::new(at, end, value.class, Detector::Record, value.score));
        }
        if let Some(end) = self.street.as_ref().and_then(|street| street.end_at(text, at)) {
            spans.push(Span::new(at, end, Label::Street, Detector::Record, 1.0));
        }
    }
}

impl Value {
    fn end_at(&self, text: &str, at: usize, spans: &[Span]) -> Option<usize> {
        match self.form {
            Form::Digits => {
                let end = match_key(text, at, &self.key, DIGIT_MARKS, 2)?;
                let goes_on = text[end..].starts_with(['-', '.', '/'])
                    && text[end + 1..].starts_with(|c: char| c.is_ascii_digit())
                    && self.class.label != Label::Zip;
                let amount = text[..at].ends_with(['$', '.', '/', '-']) || text[end..].starts_with('%');
                (!goes_on && !amount).then_some(end)
            }
            Form::Code => match_key(text, at, &self.key, DIGIT_MARKS, 1),
            Form::Exact => {
                let length: usize = self.key.len();
                let found: Vec<char> = text[at..].chars().take(length).collect();
                let equal = found.len() == length
                    && found.iter().zip(&self.key).all(|(a, b)| a.to_lowercase().eq(std::iter::once(*b)));
                equal.then(|| at + found.iter().map(|c| c.len_utf8()).sum::<usize>())
            }
            Form::Words => match_key(text, at, &self.key, WORD_MARKS, 3),
            Form::Capital => {
                let end = match_key(text, at, &self.key, WORD_MARKS, 2)?;
                text[at..].starts_with(char::is_uppercase).then_some(end)
            }
            Form::AfterCity => {
                let end = match_key(text, at, &self.key, WORD_MARKS, 2)?;
                let after = spans.iter().rev().take(4).any(|span| {
                    span.claims[0].class.label == Label::City
                        && span.end <= at
                        && at - span.end <= 3
                        && text[span.end..at].chars().all(|c| matches!(c, ' ' | ',' | '\n'))
                });
                (after || self.key.len() > 4 && text[at..].starts_with(char::is_uppercase)).then_some(end)
            }
        }
    }
}

impl Street {
    /// House number, name, and whatever suffix and unit follow.
    fn end_at(&self, text: &str, at: usize) -> Option<usize> {
        let rest = text.get(at..)?;
        let house = rest.get(..self.house.len()).filter(|house| house.eq_ignore_ascii_case(&self.house))?;
        let gap =
            rest[house.len()..].len() - rest[house.len()..].trim_start_matches([' ', ',', '\n', '\r', '\t']).len();
        if gap == 0 {
            return None;
        }
        let mut end = match_key(text, at + house.len() + gap, &self.name, WORD_MARKS, 3)?;
        let mut unit = false;
        loop {
            let blanks = text[end..].len() - text[end..].trim_start_matches([' ', ',', '.', '#']).len();
            let start = end + blanks;
            let length = text[start..].bytes().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let word = &text[start..start + length];
            let number = unit && (word.len() == 1 || word.bytes().any(|byte| byte.is_ascii_digit()));
            if blanks == 0 || length == 0 || blanks > 3 || !(is_suffix(word) || is_unit(word) || number) {
                return Some(end);
            }
            unit = is_unit(word);
            end = start + length;
        }
    }
}

fn is_unit(word: &str) -> bool {
    ["apt", "apartment", "unit", "suite", "ste", "bldg", "building", "lot", "floor", "fl", "room", "rm", "trlr"]
        .iter()
        .any(|unit| unit.eq_ignore_ascii_case(word))
        || word.starts_with('#')
}

fn is_suffix(word: &str) -> bool {
    Lexicon::shared()
        .word(word)
        .is_any(WordFlags::STREET_SUFFIX.union(WordFlags::RARE_STREET_SUFFIX).union(WordFlags::DIRECTION))
}

/// Whether a value is an ordinary word, too.
fn is_ordinary(value: &str) -> bool {
    let info = Lexicon::shared().word(value.trim());
    info.english_band().is_some() || info.is(WordFlags::MEDICAL)
}
