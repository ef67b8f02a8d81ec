//! What may stand in the place of an identifier.
//!
//! ```text
//! surrogate       Seen by Dr. Nielsen on 07/02/2018.
//! tag             Seen by Dr. [DOCTOR] on [DATE].
//! numbered-tag    Seen by Dr. [DOCTOR-4127] on [DATE-883].
//! angle-tag       Seen by Dr. <*<PERSON*> on <*<DATE*>.
//! redact          Seen by Dr. [REDACTED] on [REDACTED].
//! mask            Seen by Dr. ***** on **/**/****.
//! mask-whole      Seen by Dr. ***** on **********.
//! ```

use std::fmt;
use std::str::FromStr;

use chrono::NaiveDate;

use super::Surrogates;
use super::words::is_combining;
use crate::phi::{Class, Label};
use crate::text::entity_after;

/// What stands in the place of an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Replacement {
    /// A plausible fictional value, consistent for the patient.
    #[default]
    Surrogate,
    /// The label in brackets: `[PATIENT]`.
    Tag,
    /// The label and a number, the same for the same value of a patient: `[PATIENT-4127]`.
    ///
    /// Numbers that count from one would need a table of what a patient's earlier notes hold, shared by all workers and kept for all
    /// later ones. These are keyed, from 1 to 9999, and need none: they say which mentions are one value and nothing else. Two values
    /// of a patient share a number once in ten thousand.
    NumberedTag,
    /// The category of Liu et al. 2022 between angles: `<*<PERSON*>`, and `ADDRESS`, `DOB`, `ID`, `PHONE`. A date is `DATE`, as what
    /// is a birth date is not told apart; labels that they do not have keep their names.
    AngleTag,
    /// A fixed mask: `[REDACTED]`.
    Redact,
    /// An asterisk for every letter and digit; spaces and punctuation stay, and so do lengths, but that an accent of its own goes with
    /// its letter and an entity of HTML is one character.
    Mask,
    /// An asterisk for every character but line breaks, so that not even the words are told apart.
    MaskWhole,
}

/// What is longer is no entity that stands for a character.
const LONGEST_ENTITY: usize = 9;

/// A name that is no mode of replacement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no way to replace; there are {}", Replacement::names())]
pub struct UnknownReplacement {
    /// The name.
    pub name: String,
}

impl Replacement {
    /// Every mode.
    pub const ALL: &'static [Self] =
        &[Self::Surrogate, Self::Tag, Self::NumberedTag, Self::AngleTag, Self::Redact, Self::Mask, Self::MaskWhole];

    /// The name used on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Surrogate => "surrogate",
            Self::Tag => "tag",
            Self::NumberedTag => "numbered-tag",
            Self::AngleTag => "angle-tag",
            Self::Redact => "redact",
            Self::Mask => "mask",
            Self::MaskWhole => "mask-whole",
        }
    }

    /// What stands for a value that needs no key for it; nothing for the modes that do.
    pub fn without_key(self, class: Class, value: &str) -> Option<String> {
        Some(match self {
            Self::Surrogate | Self::NumberedTag => return None,
            Self::Tag => by_cell(value, &format!("[{}]", class.label)),
            Self::AngleTag => by_cell(value, &format!("<*<{}*>", category(class.label))),
            Self::Redact => by_cell(value, "[REDACTED]"),
            Self::Mask => masked(value, char::is_alphanumeric),
            Self::MaskWhole => masked(value, |_| true),
        })
    }

    fn names() -> String {
        Self::ALL.iter().map(|mode| mode.name()).collect::<Vec<_>>().join(", ")
    }
}

impl Surrogates {
    /// What stands for a value of this patient in any mode, in a note of a day where that is known ([`Surrogates::replace_at`]).
    pub fn write(&self, replacement: Replacement, class: Class, value: &str, anchor: Option<NaiveDate>) -> String {
        match replacement.without_key(class, value) {
            Some(written) => written,
            None if replacement == Replacement::NumberedTag => {
                by_cell(value, &format!("[{}-{}]", class.label, self.number(class, value)))
            }
            None => self.replace_at(class, value, anchor),
        }
    }
}

/// The five categories of Liu et al.; other labels by their names.
const fn category(label: Label) -> &'static str {
    match label {
        Label::Patient | Label::Doctor => "PERSON",
        Label::Street | Label::City | Label::State | Label::Country | Label::Zip | Label::LocationOther => "ADDRESS",
        Label::Phone | Label::Fax => "PHONE",
        Label::Username => "ID",
        label if label.is_number() => "ID",
        label => label.name(),
    }
}

/// A tag for a value; where the value goes over lines or the cells of a table, one for each of them, with what is between them as it was.
fn by_cell(value: &str, tag: &str) -> String {
    const ENDS: [char; 4] = ['\n', '\r', '|', '\t'];
    if !value.contains(ENDS) {
        return tag.to_owned();
    }
    let is_mark = |character: char| !character.is_alphanumeric();
    let mut written = String::with_capacity(value.len());
    for cell in value.split_inclusive(ENDS) {
        let begins = cell.len() - cell.trim_start_matches(is_mark).len();
        let ends = cell.trim_end_matches(is_mark).len();
        match begins < ends {
            true => written.extend([&cell[..begins], tag, &cell[ends..]]),
            false => written.push_str(cell),
        }
    }
    if written.contains(tag) { written } else { tag.to_owned() }
}

/// A value with an asterisk for each character that is hidden. What stands for one in HTML is one.
fn masked(value: &str, hides: impl Fn(char) -> bool) -> String {
    let (mut written, mut rest) = (String::with_capacity(value.len()), value);
    while let Some(character) = rest.chars().next() {
        let entity = rest.strip_prefix('&').and_then(|name| entity_after(name, LONGEST_ENTITY));
        let (meant, length) = entity.map_or((character, character.len_utf8()), |(meant, length)| (meant, length + 1));
        // An accent of its own belongs to the letter before it, and tells of it.
        if is_combining(meant) && written.ends_with('*') {
            rest = &rest[length..];
            continue;
        }
        match matches!(meant, '\n' | '\r') || !hides(meant) {
            true => written.push_str(&rest[..length]),
            false => written.push('*'),
        }
        rest = &rest[length..];
    }
    written
}

impl fmt::Display for Replacement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Replacement {
    type Err = UnknownReplacement;

    fn from_str(name: &str) -> Result<Self, UnknownReplacement> {
        let known = Self::ALL.iter().find(|mode| mode.name().eq_ignore_ascii_case(name));
        known.copied().ok_or_else(|| UnknownReplacement { name: name.chars().take(80).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::Key;

    #[test]
    fn names_are_read_as_they_are_written() {
        for &mode in Replacement::ALL {
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
        assert!("hide".parse::<Replacement>().unwrap_err().to_string().contains("numbered-tag"));
    }

    #[test]
    fn every_mode_writes_its_form() {
        let surrogates = Surrogates::new(&Key::from_hex(&"3c".repeat(32)).unwrap(), "1");
        let write = |mode: Replacement, label: Label, value: &str| surrogates.write(mode, label.into(), value, None);
        assert_eq!(write(Replacement::Tag, Label::Patient, "Ann Lee"), "[PATIENT]");
        assert_eq!(write(Replacement::AngleTag, Label::Doctor, "Lee"), "<*<PERSON*>");
        assert_eq!(write(Replacement::AngleTag, Label::Ssn, "123-45-6789"), "<*<ID*>");
        assert_eq!(write(Replacement::AngleTag, Label::Hospital, "MGH"), "<*<HOSPITAL*>");
        assert_eq!(write(Replacement::Redact, Label::Date, "3/4/2019"), "[REDACTED]");
        assert_eq!(write(Replacement::Mask, Label::Patient, "José O'Neil,\nJr."), "**** *'****,\n**.");
        assert_eq!(write(Replacement::MaskWhole, Label::Patient, "José O'Neil,\nJr."), "************\n***");
        assert_ne!(write(Replacement::Surrogate, Label::Patient, "Ann Lee"), "Ann Lee");
        assert_eq!(Replacement::Tag.without_key(Label::Url.into(), "x.org").unwrap(), "[URL]");
        let keyed = |mode: &&Replacement| mode.without_key(Label::Url.into(), "x").is_none();
        let keyed: Vec<_> = Replacement::ALL.iter().copied().filter(|mode| keyed(&mode)).collect();
        assert_eq!(keyed, [Replacement::Surrogate, Replacement::NumberedTag]);
    }

    #[test]
    fn lines_and_cells_stay_apart() {
        let tag = |value: &str| Replacement::Tag.without_key(Label::Doctor.into(), value).unwrap();
        assert_eq!(tag("Smith\nJohn"), "[DOCTOR]\n[DOCTOR]");
        assert_eq!(tag("O'Brien)\r\n  Kate"), "[DOCTOR])\r\n  [DOCTOR]");
        assert_eq!(tag("Walsh | Kate"), "[DOCTOR] | [DOCTOR]");
        assert_eq!(tag("Walsh |"), "[DOCTOR] |");
        assert_eq!(tag("|"), "[DOCTOR]");
        assert_eq!(
            Replacement::Redact.without_key(Label::Street.into(), "44 Elm\nSt").unwrap(),
            "[REDACTED]\n[REDACTED]"
        );
    }

    #[test]
    fn masks_leave_markup_whole() {
        let mask = |mode: Replacement, value: &str| mode.without_key(Label::Doctor.into(), value).unwrap();
        assert_eq!(mask(Replacement::Mask, "Nguye\u{302}\u{303}n Rene\u{301}"), "****** ****");
        assert_eq!(mask(Replacement::Mask, "O&apos;Brien&nbsp;M&uuml;"), "*&apos;*****&nbsp;**");
        assert_eq!(mask(Replacement::MaskWhole, "O&apos;Brien&"), "********");
    }

    #[test]
    fn one_value_has_one_number_however_it_is_written() {
        let key = Key::from_hex(&"3c".repeat(32)).unwrap();
        let tag = |patient: &str, label: Label, value: &str| {
            Surrogates::new(&key, patient).write(Replacement::NumberedTag, label.into(), value, None)
        };
        assert_eq!(tag("1", Label::Patient, "John C. Smith"), tag("1", Label::Patient, "SMITH, JOHN"));
        assert_eq!(tag("1", Label::Phone, "(507) 555-0101"), tag("1", Label::Phone, "1-507-555-0101"));
        assert_eq!(tag("1", Label::Date, "March 4, 2019"), tag("1", Label::Date, "03/04/2019"));
        assert_eq!(tag("1", Label::State, "MN"), tag("1", Label::State, "Minnesota"));
        assert_ne!(tag("1", Label::Patient, "John Smith"), tag("1", Label::Patient, "Jack Smith"));
        assert_ne!(tag("1", Label::Patient, "John Smith"), tag("2", Label::Patient, "John Smith"));
        let number = tag("1", Label::Patient, "John Smith");
        let digits = number.trim_start_matches("[PATIENT-").trim_end_matches(']');
        assert!((1..=9999).contains(&digits.parse::<u32>().unwrap()));
    }
}
