//! Values that are written apart: read as one, replaced as that one is, and written apart again.
//!
//! ```text
//! 1 1 / 0 8 / 1 9 5 1 ─▶ 11 / 08 / 1951 ─▶ 01 / 24 / 1952 ─▶ 0 1 / 2 4 / 1 9 5 2      a date in the boxes of a form
//! R U N Y O N         ─▶ RUNYON         ─▶ DELANEY        ─▶ D E L A N E Y            a name that is spelled
//! five five five oh … ─▶ 5550…          ─▶ 8143…          ─▶ eight one four three …   a number that is read out
//! 0|3|1|4|1|9|5|1     ─▶ 03141951       ─▶ 05271952       ─▶ 0|5|2|7|1|9|5|2      boxes with strokes between them
//! N.J.                ─▶ NJ             ─▶ OR             ─▶ O.R.
//! ```

use super::dates::has_clock;
use crate::phi::Label;
use crate::text::numbers::UNITS;

/// Fewer letters are initials.
const FEWEST_LETTERS: usize = 4;
/// Fewer words for digits are other words.
const FEWEST_WORDS: usize = 3;

/// A value that is written apart, read as one.
pub(super) struct Apart<'v> {
    value: &'v str,
    form: Form,
    /// The value as it is written otherwise.
    pub(super) whole: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Blanks between digits of one number.
    Digits,
    /// A mark between each two letters.
    Letters,
    /// Words for digits.
    Words,
    /// A stroke between each two signs.
    Boxes,
}

impl<'v> Apart<'v> {
    /// The value as one, if its label has such a form and it is written so.
    pub(super) fn of(label: Label, value: &'v str) -> Option<Self> {
        let (form, whole) = match label {
            _ if value.as_bytes().get(1) == Some(&b'|') => (Form::Boxes, joined_boxes(value)?),
            // `2019-03-04 10 AM` is a day and an hour.
            Label::Date => (Form::Digits, joined_digits(value).filter(|_| !has_clock(value))?),
            Label::Patient | Label::Doctor => (Form::Letters, joined_letters(value, FEWEST_LETTERS, &[' ', '-'])?),
            Label::State => (Form::Letters, joined_letters(value, 2, &['.']).filter(|state| state.len() == 2)?),
            Label::Phone | Label::Fax | Label::Zip => (Form::Words, digits_of_words(value)?),
            label if label.is_number() => (Form::Words, digits_of_words(value)?),
            _ => return None,
        };
        Some(Self { value, form, whole })
    }

    /// A surrogate of the whole, written apart as the value was.
    pub(super) fn write(&self, surrogate: &str) -> String {
        match self.form {
            Form::Digits => self.with_blanks(surrogate),
            Form::Letters => self.with_marks(surrogate),
            Form::Words => self.in_words(surrogate),
            Form::Boxes => surrogate.chars().map(String::from).collect::<Vec<_>>().join("|"),
        }
    }

    /// Blanks behind the same digits of each number.
    fn with_blanks(&self, surrogate: &str) -> String {
        let mut blanks = blanks_of_numbers(self.value).into_iter();
        let mut written = String::with_capacity(self.value.len());
        let mut number: Option<(Vec<usize>, usize)> = None;
        for letter in surrogate.chars() {
            number = letter
                .is_ascii_digit()
                .then(|| number.take().unwrap_or_else(|| (blanks.next().unwrap_or_default(), 0)));
            if let Some((places, digits)) = &mut number {
                if places.contains(digits) {
                    written.push(' ');
                }
                *digits += 1;
            }
            written.push(letter);
        }
        written
    }

    /// The mark of the value between each two letters, and behind the last where it is there.
    fn with_marks(&self, surrogate: &str) -> String {
        let mark: String = self.value.chars().find(|c| !c.is_alphabetic()).into_iter().collect();
        let letters: Vec<String> = surrogate.chars().filter(|c| c.is_alphabetic()).map(String::from).collect();
        let end = if self.value.ends_with(&mark) { mark.as_str() } else { "" };
        [&letters.join(&mark), end].concat()
    }

    /// A word for each digit that was a word.
    fn in_words(&self, surrogate: &str) -> String {
        let mut digits = surrogate.chars().filter(char::is_ascii_digit);
        let zero = if self.value.to_ascii_lowercase().contains("zero") { "zero" } else { "oh" };
        let mut written = String::with_capacity(self.value.len());
        for part in self.value.split_inclusive(is_gap) {
            let word = part.trim_end_matches(is_gap);
            if word.starts_with(|c: char| c.is_ascii_digit()) {
                written.extend(digits.by_ref().take(word.len()));
            } else if !word.is_empty() {
                let digit = digits.next().and_then(|digit| digit.to_digit(10)).unwrap_or(0);
                written.push_str(if digit == 0 { zero } else { UNITS[digit as usize] });
            }
            written.push_str(&part[word.len()..]);
        }
        if self.value.chars().any(char::is_lowercase) { written } else { written.to_uppercase() }
    }
}

/// `0|3|1|4`: one sign in each box.
fn joined_boxes(value: &str) -> Option<String> {
    let mut boxes = value.split('|').map(|filled| {
        let mut signs = filled.chars();
        signs.next().filter(|_| signs.next().is_none())
    });
    let whole = boxes.by_ref().collect::<Option<String>>()?;
    (whole.chars().count() >= FEWEST_LETTERS).then_some(whole)
}

const fn is_gap(character: char) -> bool {
    matches!(character, ' ' | ',' | '-' | '\n')
}

/// Whether the blank at a place parts two digits of one number: in a date of two separators every one does, else a single digit from
/// a single digit.
fn is_inside(value: &str, at: usize) -> bool {
    let bytes = value.as_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let between = bytes.get(at) == Some(&b' ') && digit(at.checked_sub(1)) && digit(Some(at + 1));
    let boxed = ['/', '-', '.'].iter().any(|&mark| value.matches(mark).count() == 2);
    let single = !digit(at.checked_sub(2)) && !digit(Some(at + 2)) && value.contains(|c: char| c.is_ascii_alphabetic());
    between && (boxed || single)
}

fn joined_digits(value: &str) -> Option<String> {
    let blank_between = |three: &[u8]| three[0].is_ascii_digit() && three[1] == b' ' && three[2].is_ascii_digit();
    if !value.as_bytes().windows(3).any(blank_between) {
        return None;
    }
    let whole: String =
        value.char_indices().filter(|&(at, _)| !is_inside(value, at)).map(|(_, character)| character).collect();
    let numbers = || whole.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    let fits = numbers().all(|number| number.len() <= 4) && numbers().count() <= 3;
    (whole.len() < value.len() && fits).then_some(whole)
}

/// For each number of a value, before which of its digits a blank stands.
fn blanks_of_numbers(value: &str) -> Vec<Vec<usize>> {
    let mut numbers = Vec::new();
    let mut number: Option<(Vec<usize>, usize)> = None;
    for (at, character) in value.char_indices() {
        if character.is_ascii_digit() {
            number.get_or_insert_with(Default::default).1 += 1;
        } else if is_inside(value, at) {
            let (places, digits) = number.get_or_insert_with(Default::default);
            places.push(*digits);
        } else if let Some((places, _)) = number.take() {
            numbers.push(places);
        }
    }
    numbers.extend(number.map(|(places, _)| places));
    numbers
}

/// The letters of a value that has one of `marks` between each two, at least `fewest`, all of them capitals or small ones.
fn joined_letters(value: &str, fewest: usize, marks: &[char]) -> Option<String> {
    let mark = value.chars().nth(1).filter(|mark| marks.contains(mark))?;
    let parts: Vec<&str> = value.strip_suffix(mark).unwrap_or(value).split(mark).collect();
    let are = |is_of_case: fn(&u8) -> bool| {
        parts.iter().all(|part| part.len() == 1 && part.bytes().all(|byte| is_of_case(&byte)))
    };
    let is_one = are(u8::is_ascii_uppercase) || are(u8::is_ascii_lowercase);
    (parts.len() >= fewest && is_one).then(|| parts.concat())
}

/// The digits of a value that is read out, in part at least.
fn digits_of_words(value: &str) -> Option<String> {
    let (mut digits, mut words) = (String::new(), 0);
    for part in value.split(is_gap).filter(|part| !part.is_empty()) {
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            digits.push_str(part);
            continue;
        }
        let word = part.to_ascii_lowercase();
        let digit = match word.as_str() {
            "oh" | "o" => 0,
            word => UNITS[..10].iter().position(|unit| *unit == word)?,
        };
        digits.push(char::from(b'0' + digit as u8));
        words += 1;
    }
    (words >= FEWEST_WORDS).then_some(digits)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn there_and_back(label: Label, value: &str, whole: &str) {
        let apart = Apart::of(label, value).expect("it is written apart");
        assert_eq!((apart.whole.as_str(), apart.write(whole).as_str()), (whole, value));
    }

    #[test]
    fn values_are_read_as_one_and_written_apart() {
        there_and_back(Label::Date, "1 1 / 0 8 / 1 9 5 1", "11 / 08 / 1951");
        there_and_back(Label::Date, "12/ 08 /2 016", "12/ 08 /2016");
        there_and_back(Label::Date, "SEP 0 9 2013", "SEP 09 2013");
        there_and_back(Label::Patient, "R U N Y O N", "RUNYON");
        there_and_back(Label::Doctor, "Q-U-I-C-K", "QUICK");
        there_and_back(Label::Doctor, "s-m-i-t-h", "smith");
        there_and_back(Label::MedicalRecord, "five five oh two one nine seven", "5502197");
        there_and_back(Label::Zip, "eight eight oh four six", "88046");
        there_and_back(Label::State, "N.J.", "NJ");
        there_and_back(Label::Date, "0|3|1|4|1|9|5|1", "03141951");
        there_and_back(Label::Ssn, "1|2|3|-|4|5|-|6|7|8|9", "123-45-6789");
        there_and_back(Label::Patient, "W|H|I|T|E", "WHITE");
        there_and_back(Label::State, "N.J", "NJ");
        there_and_back(Label::Phone, "three oh four five five five oh one nine nine", "3045550199");
        there_and_back(Label::Phone, "973 five five five 0164", "9735550164");
        for (label, value) in [
            (Label::Date, "3 / 14 / 1921"),
            (Label::Date, "11 08 31"),
            (Label::Date, "March 5 2014"),
            (Label::Date, "2019-03-04 10 AM"),
            (Label::Date, "2019-03-04 3pm"),
            (Label::Patient, "J R Smith"),
            (Label::Patient, "j R s m"),
            (Label::Patient, "O B"),
            (Label::Phone, "555-0199"),
            (Label::City, "A B C D"),
            (Label::Patient, "A|B"),
            (Label::Patient, "A|Bell|C|D"),
        ] {
            assert!(Apart::of(label, value).is_none(), "{value}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_as_one_is_written_as_it_was(value in "[0-9 /]{1,14}|[A-Z]( [A-Z]){2,6}|(five|oh|two|31)( (one|zero|7)){3,8}|[0-9A-Z](\\|[0-9A-Z/-]){2,9}") {
            for label in [Label::Date, Label::Patient, Label::Phone] {
                if let Some(apart) = Apart::of(label, &value) {
                    let written = apart.write(&apart.whole);
                    prop_assert!(label == Label::Phone || written == value, "{value:?} {written:?}");
                }
            }
        }
    }
}
