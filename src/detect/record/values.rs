//! The record's numbers, contacts and places, however they are written.
//!
//! ```text
//! (218) 555-0142 ─▶ 218.555.0142, 12185550142, 555-0142, +1 218 555 O142     0012345 ─▶ 12345, MRN0012345, 00 12 345
//! ```

use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::PatientRecord;
use super::fold::{self, Key, letter_like};
use super::names::is_known_word;
use super::near::PairSet;
use super::places::Street;
use super::plain::{is_combining_mark, is_invisible, plain};
use super::sought::{Form, Sought};
use crate::lexicon::Lexicon;
use crate::phi::{Class, Detector, Label, Span};

/// A value; its key lies with those of the others.
#[derive(Debug)]
struct Value {
    head: Head,
    /// Of the key and the form.
    digest: u64,
    form: Form,
    score: f32,
    /// Where the key begins, and its length.
    at: u32,
    length: u32,
    class: Class,
}

/// The first letters of a key as a scan may have read them; 0 after the last one, and for those that need not come right after the first.
type Head = [u8; 8];

/// Every value but names and the birth date.
#[derive(Debug, Default)]
pub(super) struct ValueSet {
    /// In the order of their heads.
    values: Vec<Value>,
    /// The keys, end to end.
    keys: Vec<u8>,
    /// The first two letters of values, as a scan sees them.
    begins: PairSet,
    /// Whether after the first letter of a value something else may follow than letters and digits and the marks between them.
    marked: bool,
    pub(super) street: Option<Street>,
}

impl ValueSet {
    /// The values of a record, instead of those of another; its birth date as it is written, where it could not be read.
    pub(super) fn refill(&mut self, record: &PatientRecord<'_>, is_birth_read: bool) {
        let Self { mut values, mut keys, .. } = std::mem::take(self);
        values.clear();
        keys.clear();
        *self = Self { values, keys, ..Self::default() };
        for phone in record.phones.iter().flat_map(|cell| numbers_in(cell)) {
            self.phone(phone);
        }
        for email in record.emails.iter().flat_map(|cell| emails_in(cell)) {
            self.add(email, Label::Email, Form::Exact, 5, 1.0);
            self.local_part(email);
        }
        for (label, cell) in &record.identifiers {
            codes_in(cell).for_each(|value| self.identifier(value, *label));
        }
        self.zip(&record.zip);
        self.places(record);
        if !is_birth_read && record.birth_date.bytes().filter(u8::is_ascii_digit).count() >= 4 {
            self.add(record.birth_date.trim(), Label::Date, Form::Verbatim, 6, 1.0);
        }
        self.as_written(record);
        let mut values = std::mem::take(&mut self.values);
        let order = |value: &Value| u64::from_be_bytes(value.head);
        values.sort_by(|one, other| {
            let tails = || self.tail(one).cmp(self.tail(other));
            order(one).cmp(&order(other)).then_with(tails).then(one.digest.cmp(&other.digest))
        });
        // The first of several stays.
        values.dedup_by_key(|value| (value.head, value.digest, value.class.label));
        self.values = values;
    }

    /// How many bytes it takes besides itself.
    pub(super) fn heap_bytes(&self) -> usize {
        self.values.capacity() * size_of::<Value>() + self.keys.capacity()
    }

    /// Whether a value can begin at a place of a text, given the first byte of the key there.
    #[inline]
    pub(super) fn may_begin(&self, text: &str, at: usize, first: u8) -> bool {
        let held = match Next::after(text, at) {
            _ if first == b'0' => return true,
            Next::Unknown => return true,
            Next::Nothing => false,
            Next::Letter { letter, .. } => self.begins.may_hold(letter_like(first), letter),
        };
        held || self.marked && !text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
    }

    pub(super) fn add(&mut self, value: &str, class: impl Into<Class>, form: Form, shortest: usize, score: f32) {
        let at = self.keys.len();
        match form {
            Form::Exact | Form::Verbatim => self.keys.extend_from_slice(value.to_lowercase().as_bytes()),
            _ => push_letters(value, &mut self.keys),
        }
        let (class, key) = (class.into(), &self.keys[at..]);
        let length = key.len();
        if key.is_empty() || length < shortest {
            self.keys.truncate(at);
            return;
        }
        let exact = matches!(form, Form::Exact | Form::Verbatim);
        let mut head = Head::default();
        for (place, &letter) in head.iter_mut().zip(if exact { &key[..1] } else { key }) {
            *place = letter_like(letter);
        }
        if form == Form::Verbatim {
            // What stands in a note is met by its first letter, folded.
            head[0] = letter_like(fold::first(value, 0).unwrap_or(key[0]));
        }
        let digest = xxh3_64_with_seed(key, form as u64);
        self.marked |= exact && !key.get(1).is_some_and(u8::is_ascii_alphanumeric);
        match *key {
            [_, second, ..] => self.begins.insert(head[0], letter_like(second)),
            _ => self.begins.insert_all(head[0]),
        }
        // A record's values are a few thousand bytes.
        self.values.push(Value { head, digest, form, score, at: at as u32, length: length as u32, class });
    }

    fn key(&self, value: &Value) -> &[u8] {
        self.keys.get(value.at as usize..(value.at + value.length) as usize).unwrap_or(&[])
    }

    /// What follows the head of a key, as a scan may have read it; nothing where the head stands for a first letter alone.
    fn tail(&self, value: &Value) -> impl Iterator<Item = u8> {
        let whole = value.head[size_of::<Head>() - 1] != 0;
        let tail = if whole { self.key(value).get(size_of::<Head>()..) } else { None };
        tail.unwrap_or_default().iter().map(|&letter| letter_like(letter))
    }

    /// The letter of a value at a place, as a scan may have read it; 0 after the last one.
    fn letter(&self, value: &Value, place: usize) -> u8 {
        value
            .head
            .get(place)
            .copied()
            .unwrap_or_else(|| self.key(value).get(place).map_or(0, |&letter| letter_like(letter)))
    }

    /// Lets values begin as a key does.
    pub(super) fn begins(&mut self, key: &[u8]) {
        match *key {
            [first, second, ..] => self.begins.insert(letter_like(first), letter_like(second)),
            [first] => {
                self.begins.insert_all(letter_like(first));
                self.marked = true;
            }
            [] => {}
        }
    }

    /// A telephone number, an extension behind it or not, with and without country code, and without area code.
    fn phone(&mut self, phone: &str) {
        let international = phone.trim_start().starts_with('+') || phone.trim_start().starts_with("00");
        let number = phone.split(|letter: char| letter.is_ascii_alphabetic()).next().unwrap_or("");
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

    /// What stands before the `@` of an address, which people give as their user name, and whose rest scanners and hands spoil:
    /// `athorvaldsen67@comcast`. An ordinary word alone is none.
    fn local_part(&mut self, email: &str) {
        let local = email.split('@').next().unwrap_or_default();
        if local.len() < email.len() && local.contains(char::is_alphabetic) && !is_known_word(local) {
            self.add(local, Label::Email, Form::Verbatim, 5, 0.9);
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
            // With its zeros, too, which may be parts of their own: `00.48.213`.
            self.add(text, label, Form::Code, 6, 1.0);
            let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim_start_matches('0');
            if digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                self.add(digits, label, Form::Code, 6, 0.95);
            }
        } else if number.len() == 4 && text.len() == 4 {
            self.add(number, label, Form::Code, 4, 0.9);
        } else if number.bytes().any(|byte| byte != b'0') {
            // `0000417`: with its zeros it is no other number.
            self.add(text, label, Form::Code, 6, 1.0);
        }
        if text.len() >= 6 && text.as_bytes()[text.len() - 4..].iter().all(u8::is_ascii_digit) {
            self.add(&text[text.len() - 4..], label, Form::Tail, 4, 0.9);
        }
    }

    /// Values with marks that part words elsewhere, as the record writes them: names of a lost character set (`NuÃ±ez`, `Mu?oz`), accounts
    /// with their domain (`CORP\\jdoe`), roots of identifiers (`1.2.840.113619`).
    fn as_written(&mut self, record: &PatientRecord<'_>) {
        let private = [&record.given_names, &record.middle_names, &record.family_names].into_iter().flatten();
        let private = private.map(|name| (Label::Patient, name));
        let related = record.related.iter().map(|(label, name)| (*label, name));
        // Most are of letters and the marks of names alone.
        let is_of_names = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'\'' | b'-' | b',' | b'.');
        for (label, name) in private.chain(related).filter(|(_, name)| !name.bytes().all(is_of_names)) {
            for word in name.split_whitespace().map(|word| word.trim_matches(is_mark)) {
                if word.contains(|c| is_mark(c) && !is_mark_of_names(c)) {
                    self.add(word, label, Form::Verbatim, 3, 1.0);
                }
            }
        }
        let phones = record.phones.iter().map(|phone| (Label::Phone, phone));
        let identifiers = record.identifiers.iter().map(|(label, value)| (*label, value));
        let places =
            [(Label::Organization, &record.employer), (Label::City, &record.city), (Label::Street, &record.street)];
        for (label, value) in phones.chain(identifiers).chain(places) {
            if value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-')) {
                continue;
            }
            let value = value.trim_matches(is_mark);
            // A few digits with marks are a fraction or a time as well.
            let telling = value.contains(char::is_alphabetic)
                || value.bytes().filter(u8::is_ascii_digit).count() >= FEWEST_DIGITS;
            if telling && value.contains(|c| is_mark(c) && (c == '.' || !is_mark_of_names(c))) {
                self.add(value, label, Form::Verbatim, 4, 1.0);
            }
        }
    }

    fn zip(&mut self, zip: &str) {
        // A number has lost the zero that it began with.
        let whole = format!("0{}", zip.trim());
        let zip = if zip.trim().len() == 4 && Lexicon::shared().zip(&whole).is_some() { &whole } else { zip };
        self.add(zip, Label::Zip, Form::Code, 4, 0.9);
        if let Some(five) = zip.trim().get(..5).filter(|five| five.bytes().all(|byte| byte.is_ascii_digit())) {
            self.add(five, Label::Zip, Form::Code, 5, 0.9);
        }
    }

    /// Adds the values that stand at a place where letters or digits begin.
    pub(super) fn find_at(&self, text: &str, at: usize, first: u8, spans: &mut Vec<Span>) {
        self.find_from(text, at, at, first, spans);
        if first == b'0' {
            let zeros = text[at..].chars().take_while(|&zero| matches!(plain(zero), '0' | 'O' | 'o'));
            let number = at + zeros.map(char::len_utf8).sum::<usize>();
            if let Some(first) = fold::first(text, number) {
                self.find_from(text, at, number, first, spans);
            }
        }
        if let Some(street) = &self.street
            && !fold::inside_word(text, at)
            && let Some(end) = street.end_at(text, at)
        {
            spans.push(Span::new(at, end, Label::Street, Detector::Record, 1.0));
        }
    }

    /// Narrows the values letter by letter: where many notes have no patient of their own, they share tens of thousands.
    fn find_from(&self, text: &str, start: usize, at: usize, first: u8, spans: &mut Vec<Span>) {
        let judge = |values: &[Value], spans: &mut Vec<Span>| {
            for value in values {
                let sought = Sought { key: self.key(value), class: value.class, form: value.form };
                if let Some(end) = sought.end_at(text, at, start, spans) {
                    let start = if value.class.label == Label::Phone { before_phone(text, start) } else { start };
                    spans.push(Span::new(start, end, value.class, Detector::Record, value.score));
                }
            }
        };
        let (mut values, mut letter, mut end) = (self.values.as_slice(), letter_like(first), at);
        for place in 0.. {
            let from = values.partition_point(|value| self.letter(value, place) < letter);
            let to = from + values[from..].partition_point(|value| self.letter(value, place) == letter);
            let ends_here = |value: &Value| self.letter(value, place + 1) == 0;
            let longer = from + values[from..to].partition_point(ends_here);
            judge(&values[from..longer], spans);
            values = &values[longer..to];
            if values.is_empty() {
                return;
            }
            // A few are told apart as soon by trying them.
            if place + 1 >= size_of::<Head>() && values.len() <= FEW {
                break;
            }
            match Next::after(text, end) {
                Next::Letter { letter: next, at } => (letter, end) = (next, at),
                Next::Nothing => return,
                Next::Unknown => break,
            }
        }
        judge(values, spans);
    }
}

/// So many values with one beginning are tried one by one.
const FEW: usize = 4;

/// So many digits without a letter are more than a fraction, a time or a version.
const FEWEST_DIGITS: usize = 6;

/// Whether a character is neither letter nor digit.
fn is_mark(character: char) -> bool {
    !character.is_alphanumeric()
}

/// Whether a mark stands in names and addresses as a matter of course, so that words are read over it.
fn is_mark_of_names(mark: char) -> bool {
    mark.is_whitespace()
        || matches!(plain(mark), '\'' | '’' | '‘' | '`' | '´' | '-' | '.' | ',' | '(' | ')')
        || is_combining_mark(mark)
        || is_invisible(mark)
}

/// The next letter or digit after one of a text, as a scan may have read it.
#[derive(Clone, Copy)]
enum Next {
    Letter {
        letter: u8,
        at: usize,
    },
    /// None stands so near that a value could go on there.
    Nothing,
    /// It is not of ASCII, or written out as an entity of HTML or the like, or in the next line.
    Unknown,
}

impl Next {
    /// More marks than may stand between two letters of any value.
    const MOST_MARKS: usize = 4;

    #[inline]
    fn after(text: &str, at: usize) -> Self {
        match text.as_bytes().get(at) {
            None => return Self::Nothing,
            Some(here) if !here.is_ascii_alphanumeric() => return Self::Unknown,
            Some(_) => {}
        }
        for (at, &byte) in text.as_bytes().iter().enumerate().skip(at + 1).take(Self::MOST_MARKS) {
            if byte.is_ascii_alphanumeric() {
                return Self::Letter { letter: letter_like(byte.to_ascii_lowercase()), at };
            }
            if byte >= 0x80 || matches!(byte, b'&' | b'\\' | b'=' | b'%' | b'\n' | b'\r') {
                return Self::Unknown;
            }
        }
        Self::Nothing
    }
}

/// Letters and digits of a value, which few are longer than.
pub(super) type Letters = SmallVec<[u8; 32]>;

/// The letters and digits of a value, folded.
pub(super) fn letters(value: &str) -> Letters {
    let mut all = Letters::new();
    push_letters(value, &mut all);
    all
}

fn push_letters(value: &str, all: &mut impl Extend<u8>) {
    if value.is_ascii() {
        return all.extend(value.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase()));
    }
    for character in value.chars() {
        let mut key = Key::new();
        key.push_char(character);
        all.extend(key.as_bytes().iter().copied());
    }
}

/// The telephone numbers in a cell, which may tell what each is for, and hold several: `Cell: 806-716-3134; work 806-716-9921 x12`.
fn numbers_in(cell: &str) -> impl Iterator<Item = &str> {
    let several =
        cell.split([';', ',', '|', '\n']).flat_map(|part| part.split(" / ")).flat_map(|part| part.split(" or "));
    several.flat_map(|part| part.split(" and ")).filter_map(|part| {
        // `(H) 617-555-0134`: what is in brackets may be no digits.
        let digit = part.find(|first: char| first.is_ascii_digit())?;
        let mark = part[..digit].strip_suffix(['+', '(']).map_or(digit, str::len);
        Some(&part[mark..])
    })
}

/// The addresses of electronic mail in a cell, which may hold several.
fn emails_in(cell: &str) -> impl Iterator<Item = &str> {
    let addresses = cell.split([';', ',', '|', '\n', ' ']).filter(|part| part.contains('@')).count();
    let marks: &[char] = if addresses > 1 { &[';', ',', '|', '\n', ' '] } else { &[] };
    let several = !marks.is_empty();
    let is_address = move |part: &&str| !part.is_empty() && (!several || part.contains('@'));
    cell.split(marks).map(|part| part.trim().trim_matches(['<', '>', '(', ')'])).filter(is_address)
}

/// The numbers and codes in a cell, which may hold several: `00417710; 00884412`. Behind a comma only what has digits is another one.
fn codes_in(cell: &str) -> impl Iterator<Item = &str> {
    let is_code = |part: &str| part.bytes().filter(u8::is_ascii_digit).count() >= 4;
    let marks: &[char] = match cell.split([';', '|', '\n', ',']).all(is_code) {
        true => &[';', '|', '\n', ','],
        false if cell.split([';', '|', '\n']).all(is_code) => &[';', '|', '\n'],
        false => &[],
    };
    cell.split(marks).map(str::trim).filter(|part| !part.is_empty())
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
