//! Values with tags of HTML or control words of RTF inside: read without them, and written with them where they stood.
//!
//! ```text
//! Hollis</b> <i>Varga ─▶ Hollis Varga  ─▶ Gilman Early  ─▶ Gilman</b> <i>Early
//! March\b0  3, 1961   ─▶ March 3, 1961 ─▶ November 3, … ─▶ November\b0  3, …
//! 18 Elm<br/>Street   ─▶ 18 Elm Street ─▶ 45 Oak Street ─▶ 45 Oak<br/>Street      a tag that breaks the line parts words
//! 88</b>41207         ─▶ 8841207       ─▶ 3808686       ─▶ 38</b>08686
//! ```
//!
//! A tag with attributes is part of the value, for its attributes may hold somebody; so is what no list knows, as `<smith>`. In numbers, codes
//! and names of users no control word is read: `CORP\f1234` is somebody.

use crate::phi::Label;

/// Tags that words follow as they would without them.
const INLINE: [&str; 16] =
    ["a", "b", "big", "em", "font", "i", "mark", "s", "small", "span", "strike", "strong", "sub", "sup", "u", "wbr"];
/// Tags that part words.
const BREAKS: [&str; 14] = ["br", "center", "dd", "div", "dt", "hr", "li", "ol", "p", "pre", "table", "td", "tr", "ul"];
/// Control words of RTF, with or without a number behind them.
const INLINE_CONTROLS: [&str; 9] = ["b", "cf", "f", "fs", "highlight", "i", "plain", "ul", "ulnone"];
/// Control words of RTF that part words.
const BREAKING_CONTROLS: [&str; 4] = ["line", "par", "pard", "tab"];
/// No tag is longer.
const LONGEST: usize = 16;
/// No number of a control word has more.
const MOST_DIGITS: usize = 3;

/// A value with tags, as it is meant.
pub(super) struct Tags<'v> {
    /// The value without tags.
    pub(super) plain: String,
    tags: Vec<Tag<'v>>,
}

/// Tags without anything between them.
struct Tag<'v> {
    text: &'v str,
    /// The whole words before it.
    words: usize,
    /// The characters between the last of them and the tag.
    offset: usize,
    /// Whether the plain value has a blank in its place.
    is_blank: bool,
}

impl<'v> Tags<'v> {
    /// The value as it is meant; nothing where it has no tag, or nothing besides.
    pub(super) fn of(label: Label, value: &'v str) -> Option<Self> {
        if !value.bytes().any(|byte| matches!(byte, b'<' | b'\\')) || matches!(label, Label::Email | Label::Url) {
            return None;
        }
        let marks = if is_of_words(label) { &['<', '\\'][..] } else { &['<'] };
        let mut read = Self { plain: String::with_capacity(value.len()), tags: Vec::new() };
        let mut rest = value;
        while let Some(at) = rest.find(marks) {
            let (before, from) = rest.split_at(at);
            read.plain.push_str(before);
            let Some((length, breaks)) = tags(from) else {
                read.plain.push_str(&from[..1]);
                rest = &from[1..];
                continue;
            };
            let (text, after) = from.split_at(length);
            let is_in_word = read.plain.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric);
            let ends = ends_of_words(&read.plain);
            let words = if is_in_word && !breaks { ends.len().saturating_sub(1) } else { ends.len() };
            let end = words.checked_sub(1).map_or(0, |last| ends[last]);
            let offset = read.plain[end..].chars().count();
            let is_blank = is_in_word && breaks;
            read.tags.push(Tag { text, words, offset, is_blank });
            read.plain.extend(is_blank.then_some(' '));
            rest = after;
        }
        read.plain.push_str(rest);
        let has_left = read.plain.match_indices(marks).any(|(at, _)| tag(&read.plain[at..]).is_some());
        let is_read = !read.tags.is_empty() && !has_left && read.plain.contains(char::is_alphanumeric);
        is_read.then_some(read)
    }

    /// Another value with the tags behind as many words and signs as before, or behind the last word where it has fewer.
    pub(super) fn write(&self, other: &str) -> String {
        let ends = ends_of_words(other);
        let mut written = String::with_capacity(other.len() + 16);
        let mut at = 0;
        for tag in &self.tags {
            let end_of =
                |words: usize| words.checked_sub(1).map_or(0, |last| ends.get(last).copied().unwrap_or(other.len()));
            let (from, next) = (end_of(tag.words), end_of(tag.words + 1));
            let offset = other[from..next].char_indices().nth(tag.offset).map_or(next, |(offset, _)| from + offset);
            let place = offset.max(at);
            written.push_str(&other[at..place]);
            written.push_str(tag.text);
            at = place + usize::from(tag.is_blank && other[place..].starts_with(' '));
        }
        written.push_str(&other[at..]);
        written
    }
}

/// Whether values of a label are words, between which a control word may stand.
const fn is_of_words(label: Label) -> bool {
    matches!(
        label,
        Label::Patient
            | Label::Doctor
            | Label::Profession
            | Label::Hospital
            | Label::Organization
            | Label::Street
            | Label::City
            | Label::State
            | Label::Country
            | Label::LocationOther
            | Label::Date
            | Label::Age
    )
}

/// Where each run of letters and digits ends.
fn ends_of_words(text: &str) -> Vec<usize> {
    let ends = |&(at, character): &(usize, char)| {
        let end = at + character.len_utf8();
        character.is_alphanumeric() && !text[end..].starts_with(char::is_alphanumeric)
    };
    text.char_indices().filter(ends).map(|(at, character)| at + character.len_utf8()).collect()
}

/// The length of the tags that a text begins with, and whether any of them parts words.
fn tags(text: &str) -> Option<(usize, bool)> {
    let mut found = tag(text)?;
    while let Some((length, breaks)) = tag(&text[found.0..]) {
        found = (found.0 + length, found.1 || breaks);
    }
    Some(found)
}

/// The length of the tag or control word that a text begins with, and whether it parts words.
fn tag(text: &str) -> Option<(usize, bool)> {
    // `<Mark>` is somebody.
    let is_one_case = |name: &str| {
        !name.contains(|c: char| c.is_ascii_uppercase()) || !name.contains(|c: char| c.is_ascii_lowercase())
    };
    let is_listed =
        |list: &[&str], name: &str| is_one_case(name) && list.iter().any(|listed| listed.eq_ignore_ascii_case(name));
    if let Some(inside) = text.strip_prefix('<') {
        let end = inside.bytes().take(LONGEST).position(|byte| byte == b'>')?;
        let name = inside[..end].strip_prefix('/').unwrap_or(&inside[..end]).trim_end_matches(['/', ' ']);
        let breaks = is_listed(&BREAKS, name);
        return (breaks || is_listed(&INLINE, name)).then_some((end + 2, breaks));
    }
    let word = text.strip_prefix('\\')?;
    let name = word.bytes().take(LONGEST).take_while(u8::is_ascii_lowercase).count();
    let digits = word[name..].bytes().take(MOST_DIGITS).take_while(u8::is_ascii_digit).count();
    let (name, rest) = (&word[..name], &word[name + digits..]);
    let breaks = BREAKING_CONTROLS.contains(&name);
    // One blank ends a control word and belongs to it.
    let length = text.len() - rest.strip_prefix(' ').unwrap_or(rest).len();
    let is_ended = !rest.starts_with(char::is_alphanumeric);
    (is_ended && (breaks || INLINE_CONTROLS.contains(&name))).then_some((length, breaks))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::surrogate::{Key, Revealed, Surrogates};

    #[test]
    fn values_are_read_without_tags_and_written_with_them() {
        for (value, plain, other, written) in [
            ("Hollis</b> <i>Varga", "Hollis Varga", "Eve Poe", "Eve</b> <i>Poe"),
            ("Hollis <B>Varga</B>, Jr", "Hollis Varga, Jr", "Eve Poe, Jr", "Eve <B>Poe</B>, Jr"),
            ("18 Elm<br/>Street", "18 Elm Street", "5 Oak Street", "5 Oak<br/>Street"),
            ("18 Elm<br> Street", "18 Elm Street", "5 Oak Street", "5 Oak<br> Street"),
            ("Ann</b><br/><i>Lee", "Ann Lee", "Eve Poe", "Eve</b><br/><i>Poe"),
            ("88</b>41207", "8841207", "3808686", "38</b>08686"),
            ("Mc<wbr>Nab", "McNab", "Ng", "Ng<wbr>"),
            ("Hollis</b> Varga", "Hollis Varga", "", "</b>"),
            ("March\\b0  3, 1961", "March 3, 1961", "May 17, 1961", "May\\b0  17, 1961"),
            ("Elm\\par Street", "Elm Street", "Oak Street", "Oak\\par Street"),
        ] {
            let tags = Tags::of(Label::Patient, value).unwrap();
            assert_eq!((tags.plain.as_str(), tags.write(other).as_str()), (plain, written));
        }
        for value in [
            "Ann Lee",
            "a < b > c",
            "<smith>",
            "<b",
            "CORP\\jdoe",
            "CORP\\bell",
            "<span title='Lee'>",
            "M\\'fcller",
            "<<b>b>",
            "\\",
        ] {
            assert!(Tags::of(Label::Patient, value).is_none(), "{value}");
        }
        for value in ["<Mark>", "<b>", "\\b12", "X\\f12345", "Ann <Li>"] {
            assert!(Tags::of(Label::Doctor, value).is_none(), "{value}");
        }
        for label in [Label::Username, Label::IdNum, Label::Phone] {
            assert!(Tags::of(label, "CORP\\f12").is_none(), "{label}");
        }
    }

    #[test]
    fn a_value_with_tags_is_in_step_with_the_plain_one() {
        for id in 0..10 {
            let surrogates = Surrogates::new(&Key::from_hex(&"5e".repeat(32)).unwrap(), &id.to_string());
            for (label, value, plain) in [
                (Label::Patient, "Zebulon</b>&nbsp;<i>Quorlin", "Zebulon Quorlin"),
                (Label::Doctor, "<b>Quorlin</b>, Ann", "Quorlin, Ann"),
                (Label::Date, "<b>March</b> 5, 2014", "March 5, 2014"),
                (Label::Phone, "507-<wbr>555-0101", "507-555-0101"),
                (Label::MedicalRecord, "71</b>23456", "7123456"),
            ] {
                let image = surrogates.replace(label.into(), value);
                let read = Tags::of(label, &image).unwrap();
                let tags = |tags: &Tags<'_>| tags.tags.iter().map(|tag| tag.text.to_owned()).collect::<Vec<_>>();
                assert_eq!(tags(&read), tags(&Tags::of(label, value).unwrap()), "{image}");
                assert_eq!(read.plain.replace("&nbsp;", " "), surrogates.replace(label.into(), plain), "{image}");
                let told = surrogates.reveal(label.into(), &image);
                assert!(!matches!(told, Revealed::NotInvertible { .. }), "{value} {image}");
            }
        }
    }

    proptest! {
        #[test]
        fn tags_stay_as_they_are(
            value in "(</?b>|<br/>|\\\\par |\\\\b0|<|>|[A-Za-z0-9 ,]|\\PC){0,24}",
            other in "[A-Za-z0-9 ,é]{0,24}",
        ) {
            if let Some(tags) = Tags::of(Label::Patient, &value) {
                prop_assert_eq!(tags.write(&tags.plain), value.as_str());
                let mut rest = tags.write(&other);
                for tag in &tags.tags {
                    let (before, after) = rest.split_once(tag.text).unwrap();
                    rest = format!("{before}{}{after}", if tag.is_blank { " " } else { "" });
                }
                prop_assert_eq!(rest.replace(' ', ""), other.replace(' ', ""));
            }
        }
    }
}
