//! How detectors read a sentence: odd characters as the plain ones that they stand for.
//!
//! ```text
//! as it is written                          as it is read
//! June 12 (no-break blank), 03−04−1950      June 12, 03-04-1950        blanks and hyphens of all kinds
//! SSN １２３-４５-６７８９                      SSN 123-45-6789            full-width forms
//! Quor·lin (soft hyphen, zero width)        Quorlin
//! Tel:&nbsp;716-3134, Mu&ntilde;oz          Tel: 716-3134, Muñoz       entities of HTML
//! Mu\u00f1oz, Mu=C3=B1oz                    Muñoz                       letters as JSON, RTF, mail and web addresses write them
//! Vandermolen&ndash;Ruiz                    Vandermolen-Ruiz            a dash that joins two words
//! 617â€“555â€“0134, Oâ€™Brien                617-555-0134, O'Brien       a mark that was read in another character set
//! Ann%20Quorlin, 11%2F29%2F1950             Ann Quorlin, 11/29/1950     a mark as web addresses write it
//! 806 716⏎   3134                           806 716 3134               a number that is wrapped
//! June⏎> 12, 2020                           June⏎12, 2020              an indent, the mark of a quotation
//! |0|3|1|4|1|9|6|1|, _3_/_14_/_61_          |03141961|, 3/14/61         the boxes and lines of forms
//! seen today.\nQuorlin came                 seen today.⏎Quorlin came    a line break that is written out
//! MRN:\t441709                              MRN: 441709                a tab that is
//! <td>MRN:</td><td>441709</td>               MRN:  441709               tags of HTML
//! {\b Ann} Quorlin\par, seen\.br\            Ann Quorlin⏎, seen⏎         control words of RTF, escapes of HL7
//! wifeMariacalledaboutmeds                  wife Maria called about meds    blanks that are lost
//! Zip06051CntyHartford                      Zip: 06051⏎Cnty: Hartford       labels that ran together with values
//! <state>VT</state>                         <state>State: VT;</state>       elements that are fields of an address
//! Patient ....... Quorlin, "city": "Akron"   Patient : Quorlin, city: Akron   what leads from a label to its value
//! ```
//!
//! What is found is led back to the bytes as they are written, so a span never ends inside an entity. Most sentences have nothing of the
//! kind, and are read as they are.

mod boxes;
pub(super) mod controls;
mod elements;
mod fields;
mod glued;
mod labels;

use std::borrow::Cow;
use std::ops::Range;

use super::boundaries::markup::tag_at;
use crate::phi::Span;
use crate::text::{entity_after, letter_written_out, mark_written_out, plain};

/// What is longer is no entity that stands for a character.
const LONGEST_ENTITY: usize = 9;

/// A sentence as it is read.
#[derive(Debug)]
pub(super) struct Reading {
    text: String,
    /// For each byte of the text, what it stands for in the sentence.
    places: Vec<Range<usize>>,
}

impl Reading {
    /// The reading of a sentence; none where it is read as it is written.
    pub(super) fn of(sentence: &str) -> Option<Self> {
        let marked = memchr::memchr3(b'\n', b'&', b'\\', sentence.as_bytes()).is_some() || has_escape(sentence);
        let marked = marked || has_tag(sentence);
        let mut cuts: Vec<(usize, &str)> = glued::cuts(sentence).into_iter().map(|at| (at, " ")).collect();
        cuts.extend(labels::cuts(sentence));
        cuts.extend(elements::cuts(sentence));
        let is_rtf = controls::is_rtf(sentence);
        if is_rtf {
            cuts.extend(controls::cuts(sentence));
        }
        cuts.sort_by_key(|(at, _)| *at);
        if !marked
            && cuts.is_empty()
            && !boxes::has_one(sentence)
            && !fields::has_one(sentence)
            && (sentence.is_ascii() || !sentence.chars().any(is_odd))
        {
            return None;
        }
        let mut reading = Self { text: String::with_capacity(sentence.len()), places: Vec::new() };
        let (mut at, mut cuts) = (0, cuts.into_iter().peekable());
        while let Some(letter) = sentence[at..].chars().next() {
            while let Some((_, missing)) = cuts.next_if(|(cut, _)| *cut <= at) {
                reading.text.push_str(missing);
                reading.places.resize(reading.text.len(), at..at + letter.len_utf8());
            }
            let (read, length) = read_at(sentence, at, letter, is_rtf, &reading.text);
            if let Some(read) = read {
                reading.text.push(read);
                reading.places.resize(reading.text.len(), at..at + length);
            }
            at += length;
        }
        (reading.text != sentence).then_some(reading)
    }

    /// The sentence as it is read.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// A span of the reading as one of the sentence.
    pub(super) fn led_back(&self, mut span: Span) -> Span {
        let first = self.places.get(span.start).map(|place| place.start);
        let last = span.end.checked_sub(1).and_then(|last| self.places.get(last)).map(|place| place.end);
        if let (Some(first), Some(last)) = (first, last) {
            (span.start, span.end) = (first, last);
        }
        span
    }
}

/// Where blanks are lost in a word: those between words, and those around labels of fields.
pub(super) fn lost_blanks(text: &str) -> Vec<usize> {
    let mut cuts = glued::cuts(text);
    cuts.extend(labels::cuts(text).into_iter().map(|(at, _)| at));
    cuts
}

/// A part of a text as it is read.
pub(super) fn plainly(part: &str) -> Cow<'_, str> {
    Reading::of(part).map_or(Cow::Borrowed(part), |reading| Cow::Owned(reading.text))
}

/// Whether a character stands for a plain one, or for none.
fn is_odd(letter: char) -> bool {
    matches!(letter, '–' | '—' | '·' | '•' | 'â') || plain(letter) != Some(letter)
}

/// What the character at byte `at` is read as, none where it is passed over, and how many bytes that takes; `read` is what the sentence
/// before it was read as.
fn read_at(sentence: &str, at: usize, letter: char, is_rtf: bool, read: &str) -> (Option<char>, usize) {
    let (before, rest) = (&sentence[..at], &sentence[at + letter.len_utf8()..]);
    match letter {
        '\r' if rest.starts_with('\n') => (None, 1),
        '\n' => wrap(before, rest),
        '\\' if let Some((meant, length)) = controls::control_at(sentence, at, is_rtf) => {
            (meant.and_then(|meant| joined(meant, read, &sentence[at + length..])), length)
        }
        '{' if is_rtf => {
            let group = &sentence[at..];
            let named = || controls::named_at(group).map(|(_, length)| length);
            (None, controls::entry_at(group).or_else(named).unwrap_or(1))
        }
        '}' if is_rtf => (None, 1),
        '\\' if is_break(before, rest) => (Some('\n'), 2),
        '\\' if is_tab(rest) => (Some(' '), 2),
        '<' if let Some((length, is_inline)) = tag_at(&sentence[at..]) => ((!is_inline).then_some(' '), length),
        '\\' | '=' | '%' if let Some((meant, length)) = letter_written_out(&sentence[at..]) => {
            (joined(meant, read, &sentence[at + length..]), length)
        }
        '.' if let Some(length) = fields::leader(before, &sentence[at..]) => (Some(':'), length),
        '"' if let Some(read) = fields::quotation(before, rest) => (read, 1),
        '[' if fields::opens_list(before, rest) => (Some(' '), 1),
        '|' if boxes::is_wall(before, rest) => (None, 1),
        '_' if boxes::is_line(before, rest) => (None, 1),
        '%' | 'â' | '\\' => match mark_written_out(before, &sentence[at..]) {
            Some((meant, length)) => (joined(meant, read, &sentence[at + length..]), length),
            None => (Some(letter), letter.len_utf8()),
        },
        '&' => match entity_after(rest, LONGEST_ENTITY) {
            Some((meant, length)) => (joined(meant, read, &rest[length..]), 1 + length),
            None => (Some('&'), 1),
        },
        other => (joined(other, read, rest), other.len_utf8()),
    }
}

fn has_tag(sentence: &str) -> bool {
    memchr::memchr_iter(b'<', sentence.as_bytes()).any(|at| tag_at(&sentence[at..]).is_some())
}

/// Whether what follows a backslash makes a tab of it that is written out: a capital or a digit is behind it.
fn is_tab(rest: &str) -> bool {
    rest.strip_prefix('t').is_some_and(|behind| behind.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()))
}

/// Whether there is a mark or a letter that is written as in mail or in a web address.
fn has_escape(sentence: &str) -> bool {
    memchr::memchr2_iter(b'%', b'=', sentence.as_bytes()).any(|at| {
        mark_written_out(&sentence[..at], &sentence[at..]).is_some() || letter_written_out(&sentence[at..]).is_some()
    })
}

/// The plain character for one behind what was `read` and before the `rest`. A dash that touches a word on either side is a hyphen;
/// with blanks around it it is a dash, which cues know.
fn joined(letter: char, read: &str, rest: &str) -> Option<char> {
    let joins = || read.ends_with(char::is_alphanumeric) && begins_word(rest);
    let digits = || read.ends_with(|c: char| c.is_ascii_digit()) && rest.starts_with(|c: char| c.is_ascii_digit());
    match letter {
        '–' if joins() || is_in_number(read, rest) => Some('-'),
        '—' if digits() => Some('-'),
        '·' | '•' if digits() || is_in_telephone(read, rest) => Some('.'),
        _ => plain(letter),
    }
}

/// Whether a dash between blanks parts the groups of one number: `555 – 0 1 4 1`, `C620 – 5514 – 0 233`, but `3/4 – 3/7`, `120 – 140`.
fn is_in_number(read: &str, rest: &str) -> bool {
    let (Some(before), Some(after)) = (read.strip_suffix(' '), rest.strip_prefix(' ')) else { return false };
    let last = before.rsplit(' ').next().unwrap_or_default();
    let mut groups = after.split(' ');
    let (first, second) = (groups.next().unwrap_or_default(), groups.next().unwrap_or_default());
    let is_digit = |group: &str| group.len() == 1 && group.starts_with(|c: char| c.is_ascii_digit());
    let is_group = |group: &str| (3..=6).contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_digit());
    // Digits and letters one by one: `0 2 2 9 – 1 7 4 – 6.`, `K T 2 – X Y 0 – P L 4 4`
    let is_sign =
        |group: &str| matches!(group.as_bytes(), [sign] if sign.is_ascii_digit() || sign.is_ascii_uppercase());
    let one_by_one = is_sign(last) && before.rsplit(' ').nth(1).is_some_and(is_sign);
    let coded = last.starts_with(|c: char| c.is_ascii_uppercase()) && last.ends_with(|c: char| c.is_ascii_digit());
    let of_digits = last.ends_with(|c: char| c.is_ascii_digit())
        && last.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && (is_digit(first) && second.starts_with(|c: char| c.is_ascii_digit()) || coded && is_group(first));
    of_digits || one_by_one && is_sign(first.trim_end_matches(['.', ',', ';', ')', '\n']))
}

/// Whether a dot between blanks parts the groups of a telephone number: `206 · 555 · 0160`.
fn is_in_telephone(read: &str, rest: &str) -> bool {
    let (Some(before), Some(after)) = (read.strip_suffix(' '), rest.strip_prefix(' ')) else { return false };
    let last = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let first = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    last == 3 && matches!(first, 3 | 4)
}

/// Whether a text begins with a letter or a digit, perhaps written as an entity.
fn begins_word(text: &str) -> bool {
    let letter = match text.strip_prefix('&') {
        Some(name) => entity_after(name, LONGEST_ENTITY).map(|(meant, _)| meant),
        None => text.chars().next(),
    };
    letter.is_some_and(char::is_alphanumeric)
}

/// Whether a backslash between two texts begins a line break that is written out, `\n` or `\r`, and no part of a path: a capital follows
/// it, or the mark that ends a sentence stands right before it.
fn is_break(before: &str, rest: &str) -> bool {
    let Some(behind) = rest.strip_prefix(['n', 'r']) else { return false };
    let words = before.strip_suffix(['.', '!', '?', ';', ',']);
    let ends = words.is_some_and(|words| words.ends_with(char::is_alphanumeric));
    behind.starts_with(char::is_uppercase) || ends && behind.starts_with(char::is_alphabetic)
}

/// A line break inside a sentence, with the indent and the mark of a quotation behind it: a blank where it breaks a number, nothing
/// where a hyphen of the number stands before it.
fn wrap(before: &str, rest: &str) -> (Option<char>, usize) {
    let bare = rest.trim_start_matches([' ', '\t']);
    let bare = bare.strip_prefix('>').map_or(bare, |quoted| quoted.trim_start_matches([' ', '>']));
    let length = 1 + rest.len() - bare.len();
    let before = before.strip_suffix('\r').unwrap_or(before);
    let digit = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
    let hyphened = before.strip_suffix('-').is_some_and(digit);
    let read = match bare.starts_with(|c: char| c.is_ascii_digit()) {
        true if hyphened => None,
        true if digit(before) => Some(' '),
        _ => Some('\n'),
    };
    (read, length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::{Detector, Label};
    use proptest::prelude::*;

    fn read(sentence: &str) -> String {
        Reading::of(sentence).map_or_else(|| sentence.to_owned(), |reading| reading.text)
    }

    #[test]
    fn each_row_of_the_table() {
        for (written, expected) in [
            ("June\u{a0}12, 03\u{2212}04\u{2212}1950", "June 12, 03-04-1950"),
            ("SSN １２３-４５-６７８９", "SSN 123-45-6789"),
            ("Quor\u{ad}lin, Lad\u{200b}ner", "Quorlin, Ladner"),
            ("Tel:&nbsp;716&#160;3134, Mu&ntilde;oz, &Eacute;va", "Tel: 716 3134, Muñoz, Éva"),
            ("806 716\r\n   3134, 123-45-\n6789", "806 716 3134, 123-45-6789"),
            ("June\n> 12, 2020", "June\n12, 2020"),
            ("(575) 555 – 0 1 4 1, 206 555—0185, 828·555·0175", "(575) 555 - 0 1 4 1, 206 555-0185, 828.555.0175"),
            (
                "MRN 0 2 2 9 – 1 7 4 – 6. MBI 5 K T 2 – X Y 0 – P L 4 4",
                "MRN 0 2 2 9 - 1 7 4 - 6. MBI 5 K T 2 - X Y 0 - P L 4 4",
            ),
            ("C620 – 5514 – 0 233, 120 – 140, Na · K", "C620 - 5514 - 0 233, 120 – 140, Na · K"),
            ("29–Jan–2019, 3/4 – 3/7", "29-Jan-2019, 3/4 – 3/7"),
            ("Vandermolen&ndash;Ruiz, Frey&#8211;Adeleke", "Vandermolen-Ruiz, Frey-Adeleke"),
            ("Andr&eacute;&ndash;&Eacute;mile, Frey\u{2011}Adeleke", "André-Émile, Frey-Adeleke"),
            ("well &ndash; seen, home&mdash;alone", "well – seen, home—alone"),
            ("617â€“555â€“0134, 617â€“555â€”0134, Oâ€™Brien, âge", "617-555-0134, 617-555-0134, O'Brien, âge"),
            ("%27Ann%20Quorlin%27, 11%2F29%2f1950, 95%20 of", "'Ann Quorlin', 11/29/1950, 95%20 of"),
            ("MRN ٤٤١٧٠٩٣", "MRN 4417093"),
            ("O\\u2019Brien\\u2013Lee 3\\u20134 pm \\u2014 ok\\ud83d\\ude4f", "O’Brien-Lee 3-4 pm — ok🙏"),
            ("Dr. O\\'Dea, Smith\\'s", "Dr. O'Dea, Smith's"),
            (
                "Ren\\u00e9 Mu\\'f1oz, Garc=C3=ADa, Bj%C3%B6rk \\u0041 a=C3 5%C3",
                "René Muñoz, García, Björk \\u0041 a=C3 5%C3",
            ),
            ("Seen today.\\nQuorlin came.\\nher son too", "Seen today.\nQuorlin came.\nher son too"),
            ("C:\\notes, HOSP\\nlee, 5\\n6", "C:\\notes, HOSP\\nlee, 5\\n6"),
            ("AT&T; R&D &bogus; &#0;", "AT&T; R&D &bogus; &#0;"),
            ("Attending:\\tStrong, MRN:\\t441709, C:\\temp", "Attending: Strong, MRN: 441709, C:\\temp"),
            ("<b>Patient:</b> Strong, <td>MRN:</td><td class=\"a\">441709</td>", "Patient: Strong,  MRN:  441709 "),
            ("p <0.05, x<b and b>a, <Strong>, <p", "p <0.05, x<b and b>a, <Strong>, <p"),
            ("MRN: \u{202d}44170\u{202c}, 3\u{2044}4\u{2044}2019", "MRN: 44170, 3/4/2019"),
            ("DOB |0|3|1|4|1|9|6|1| |Y|N|Y|", "DOB |03141961| |Y|N|Y|"),
            ("SSN: _123_-_45_-_6789_, user_12", "SSN: 123-45-6789, user_12"),
            ("Patient ......... Haukur Quorlin", "Patient : Haukur Quorlin"),
            ("He was... Well. Wait.......Ann", "He was... Well. Wait.......Ann"),
            ("{\"city\": \"Akron\", \"state\":\"OH\"}", "{city: Akron;, state:OH;}"),
            ("Addr24 Elm StCityAkronZip44301", "\nAddr: 24 Elm St\nCity: Akron\nZip: 44301"),
        ] {
            assert_eq!(read(written), expected);
        }
        assert!(Reading::of("plain text, María 3–4").is_some());
        assert!(Reading::of("plain text, María").is_none());
    }

    #[test]
    fn spans_are_led_back_to_what_is_written() {
        let sentence = "by Mu&ntilde;oz at 806\u{a0}716\n  3134.";
        let reading = Reading::of(sentence).unwrap();
        for (part, written) in [("Muñoz", "Mu&ntilde;oz"), ("806 716 3134", "806\u{a0}716\n  3134")] {
            let start = reading.text().find(part).unwrap();
            let span = Span::new(start, start + part.len(), Label::Doctor, Detector::Pattern, 1.0);
            let span = reading.led_back(span);
            assert_eq!(&sentence[span.start..span.end], written);
        }
    }

    #[test]
    fn a_part_is_read_as_the_whole_is() {
        assert_eq!(plainly("Zebulon&nbsp;Quorlin"), "Zebulon Quorlin");
        assert_eq!(plainly("O&#39;Branagan"), "O'Branagan");
        assert!(matches!(plainly("Zebulon Quorlin"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn any_part_of_a_reading_is_a_part_of_the_sentence(
            sentence in "(\\PC|\n|&nbsp;|&#233;|&ndash;|\u{ad}|\u{2212}|\u{a0}|> |１|7|-|–|Q|\\\\|n){0,24}",
            from in 0_usize..40,
            length in 1_usize..40
        ) {
            if let Some(reading) = Reading::of(&sentence) {
                let text = reading.text();
                let end = (from + length).min(text.len());
                if from < end && text.is_char_boundary(from) && text.is_char_boundary(end) {
                    let span = reading.led_back(Span::new(from, end, Label::Doctor, Detector::Pattern, 1.0));
                    prop_assert!(sentence.get(span.start..span.end).is_some_and(|part| !part.is_empty()));
                }
            }
        }
    }
}
