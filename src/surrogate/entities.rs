//! Values with entities of HTML, or letters that other forms of text write out: read as the characters that they stand for, and written with
//! the marks that they had.
//!
//! ```text
//! Zebulon&nbsp;Quorlin ─▶ Zebulon Quorlin ─▶ Kevin Hughes ─▶ Kevin&nbsp;Hughes
//! Mu&ntilde;oz         ─▶ Muñoz           ─▶ Velez        ─▶ Velez             a letter is one of the name, and goes with it
//! Mu\\'f1oz, Mu=C3=B1oz  the same
//! 3%2F4%2F2019         ─▶ 3/4/2019        ─▶ 7/15/2019    ─▶ 7%2F15%2F2019
//! ```

use crate::text::{entity_after, letter_written_out, mark_written_out, plain};

/// What is longer is the name of no entity that is read.
const LONGEST: usize = 10;
/// What begins with one of these may be written out.
const BEGINS: [char; 5] = ['&', '\\', '=', '%', 'â'];

/// Whether a byte may be the first of one of those.
const fn may_begin(byte: u8) -> bool {
    matches!(byte, b'&' | b'\\' | b'=' | b'%' | 0xc3)
}

/// A value with entities, as it is meant.
pub(super) struct Entities<'v> {
    /// The value without entities.
    pub(super) plain: String,
    /// Its marks in their order, each with how it is written.
    marks: Vec<(char, &'v str)>,
}

impl<'v> Entities<'v> {
    /// The value as it is meant; nothing where it has no entity.
    pub(super) fn of(value: &'v str) -> Option<Self> {
        if !value.bytes().any(may_begin) {
            return None;
        }
        let mut read = Self { plain: String::with_capacity(value.len()), marks: Vec::new() };
        let (mut rest, mut found) = (value, false);
        while let Some(first) = rest.chars().next() {
            let written = written_out(&value[..value.len() - rest.len()], rest);
            found |= written.is_some();
            let (meant, length) = written.unwrap_or((Some(first), first.len_utf8()));
            let (written, later) = rest.split_at(length);
            rest = later;
            read.plain.extend(meant);
            read.marks.extend(meant.filter(|meant| !meant.is_alphanumeric()).map(|meant| (meant, written)));
        }
        // What is read once is read: `&#38;nbsp;` stays a text that speaks of an entity.
        let is_written_out = |at: usize| {
            let (before, rest) = read.plain.split_at(at);
            written_out(before, rest).is_some()
        };
        let is_read = !read.plain.match_indices(BEGINS).any(|(at, _)| is_written_out(at));
        (found && is_read).then_some(read)
    }

    /// Another value with the marks written as they were: each as the same one in its turn, or as the last of them.
    pub(super) fn write(&self, other: &str) -> String {
        let mut written = String::with_capacity(other.len() + 16);
        let mut turns: Vec<(char, usize)> = Vec::new();
        for character in other.chars() {
            let turn = match turns.iter_mut().find(|(mark, _)| *mark == character) {
                Some((_, turn)) => {
                    *turn += 1;
                    *turn
                }
                None => {
                    turns.push((character, 0));
                    0
                }
            };
            let alike = self.marks.iter().filter(|(mark, _)| *mark == character);
            match alike.take(turn + 1).last() {
                Some((_, text)) => written.push_str(text),
                None => written.push(character),
            }
        }
        written
    }
}

/// The character that a text begins with, written out, where another text stands before it: see [`entity`], [`letter_written_out`] and
/// [`mark_written_out`].
fn written_out(before: &str, text: &str) -> Option<(Option<char>, usize)> {
    let written = || letter_written_out(text).or_else(|| mark_written_out(before, text));
    entity(text).or_else(|| written().map(|(character, length)| (Some(character), length)))
}

/// The character of the entity that a text begins with, none for one that nobody sees, and its length. However often its `&` was
/// made an entity itself, as in `&amp;nbsp;`, it is one.
fn entity(text: &str) -> Option<(Option<char>, usize)> {
    let mut name = text.strip_prefix('&')?;
    while let Some(rest) = name.strip_prefix("amp;") {
        name = rest;
    }
    let before = text.len() - name.len();
    match entity_after(name, LONGEST) {
        Some((read, length)) => Some((plain(read), before + length)),
        None => (before > 1).then_some((Some('&'), before)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::phi::Label;
    use crate::surrogate::{Key, Revealed, Surrogates};

    #[test]
    fn entities_are_read_as_what_they_stand_for() {
        for (value, plain) in [
            ("Zebulon&nbsp;Quorlin", "Zebulon Quorlin"),
            ("Mu&ntilde;oz &Eacute;va &Scaron;imic", "Muñoz Éva Šimic"),
            ("O&#39;Brien, O&apos;Brien", "O'Brien, O'Brien"),
            ("Quor&shy;lin", "Quorlin"),
            ("Mu\\'f1oz Mu\\u00f1oz Mu=C3=B1oz Mu%C3%B1oz", "Muñoz Muñoz Muñoz Muñoz"),
            ("Johnson &amp; Sons &amp;nbsp; &amp;amp;nbsp;", "Johnson & Sons    "),
            ("&#74;ohn&#x20;Lee&#160;X", "John Lee X"),
            ("Quorlin&#8208;Vale&#12288;&#65313;nn", "Quorlin-Vale Ann"),
        ] {
            assert_eq!(Entities::of(value).map(|entities| entities.plain).as_deref(), Some(plain));
        }
        for value in ["a=b", "50%", "CORP\\jdoe", "AT&T", "R&D; &bogus; &#0; &;", "&", "", "Muñoz", "&#38;nbsp;"] {
            assert!(Entities::of(value).is_none(), "{value}");
        }
    }

    #[test]
    fn marks_are_written_as_they_were() {
        for (value, other, written) in [
            ("Ann&nbsp;Lee", "Eve Poe", "Eve&nbsp;Poe"),
            ("Ann Mae&nbsp;Lee", "Eve Sue Poe", "Eve Sue&nbsp;Poe"),
            ("Ann&nbsp;Lee", "Eve Sue Poe", "Eve&nbsp;Sue&nbsp;Poe"),
            ("O&#39;Neil", "Poe", "Poe"),
            ("a=1&amp;b=2", "x=3&y=4", "x=3&amp;y=4"),
        ] {
            let entities = Entities::of(value).unwrap();
            assert_eq!(entities.write(other), written);
        }
    }

    #[test]
    fn a_value_with_entities_is_in_step_with_the_plain_one() {
        for id in 0..10 {
            let surrogates = Surrogates::new(&Key::from_hex(&"5e".repeat(32)).unwrap(), &id.to_string());
            for (label, value, plain, mark) in [
                (Label::Patient, "Zebulon&nbsp;Quorlin", "Zebulon Quorlin", "&nbsp;"),
                (Label::Patient, "MU&Ntilde;OZ,&#32;ANA", "MUÑOZ, ANA", "&#32;"),
                (Label::Doctor, "Dr.&nbsp;O&#39;Brien", "Dr. O'Brien", "&nbsp;"),
                (Label::Date, "March&nbsp;5,&nbsp;2014", "March 5, 2014", "&nbsp;"),
                (Label::Phone, "507&ndash;555&ndash;0101", "507–555–0101", "&ndash;"),
                (Label::MedicalRecord, "7&#45;123&#45;456", "7-123-456", "&#45;"),
                (Label::Date, "3%2F4%2F2019", "3/4/2019", "%2F"),
                (Label::Patient, "Zebulon%20Quorlin", "Zebulon Quorlin", "%20"),
                (Label::Phone, "507â€“555â€“0101", "507–555–0101", "â€“"),
            ] {
                let image = surrogates.replace(label.into(), value);
                let expected = surrogates.replace(label.into(), plain);
                assert_eq!(Entities::of(&image).map(|entities| entities.plain), Some(expected), "{image}");
                assert!(image.contains(mark) && image != value, "{image}");
                let told = surrogates.reveal(label.into(), &image);
                assert!(!matches!(told, Revealed::NotInvertible { .. }), "{value} {image}");
            }
            for munoz in ["Mu&ntilde;oz", "Mu\\'f1oz", "Mu\\u00f1oz", "Mu=C3=B1oz"] {
                let munoz = surrogates.replace(Label::Patient.into(), munoz);
                assert_eq!(munoz, surrogates.replace(Label::Patient.into(), "Muñoz"));
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_written(
            value in "(&|#|;|amp;|nbsp;|ntilde;|92;|\\\\|'|u00|f1|=C3=B1|%C3%B1|[A-Za-z0-9 ]|\\PC){0,24}"
        ) {
            if let Some(entities) = Entities::of(&value) {
                prop_assert!(Entities::of(&entities.plain).is_none());
                let marks = |text: &str| text.chars().filter(|character| !character.is_alphanumeric()).count();
                prop_assert_eq!(marks(&entities.plain), entities.marks.len());
                prop_assert!(!entities.write("").contains('&'));
            }
        }
    }
}
