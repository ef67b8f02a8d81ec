//! What characters of a note mean where they are other forms of those of ASCII, and which are not seen at all.
//!
//! ```text
//! １２３−４５ ─▶ 123-45     Mu&ntilde;oz ─▶ Munoz     (806)&nbsp;716 ─▶ (806) 716     "45⏎ > 6789" ─▶ 45⏎6789
//! ```
//!
//! Nothing is copied: what reads a note here goes on by the length that a character has in it, so places stay those of the note.

use crate::text::{end_of_written, entity_after, latin_base, letter_written_out};

/// No name of an entity is longer, in bytes.
const LONGEST_NAME: usize = 8;

/// The character of ASCII that another is a form of: full-width letters and digits, dashes, blanks, slashes; itself otherwise.
#[inline]
pub(in crate::detect) fn plain(character: char) -> char {
    if character.is_ascii() {
        return character;
    }
    match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        '\u{2044}' | '\u{2215}' => '/',
        _ => character,
    }
}

/// Soft hyphens, joiners, marks of writing direction: they stand between letters of a word, or of two, and nobody sees them.
pub(in crate::detect) const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
    )
}

/// Accents that are characters of their own.
pub(in crate::detect) const fn is_combining_mark(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// The first character of a text as it is meant, and its length: a line break with its indent is one `\n`, an entity of HTML what
/// it names, any other character what it is a form of.
pub(in crate::detect) fn read(text: &str) -> Option<(char, usize)> {
    let character = text.chars().next()?;
    let whole = match character {
        '&' | '\\' | '=' | '%' => written_out(text),
        ' ' | '\t' | '\n' | '\r' => Some(('\n', line_break(text))).filter(|&(_, length)| length > 0),
        _ => None,
    };
    Some(whole.unwrap_or_else(|| (plain(character), character.len_utf8())))
}

/// The length of the line break that a text begins with, with the blanks around it and the marks of quoting after it; 0 if none
/// is there.
pub(in crate::detect) fn line_break(text: &str) -> usize {
    let line = text.trim_start_matches([' ', '\t']);
    let next = line.strip_prefix("\r\n").or_else(|| line.strip_prefix(['\n', '\r']));
    let indent = |character: char| matches!(plain(character), ' ' | '\t' | '>');
    next.map_or(0, |next| text.len() - next.trim_start_matches(indent).len())
}

/// Where a text goes on behind a line break or a tab that an export wrote out at a place: `\nLadner`, `\t82439`.
pub(in crate::detect) fn end_of_escape(text: &str, at: usize) -> Option<usize> {
    match text.as_bytes().get(at..)? {
        [b'\\', b't', next, ..] if next.is_ascii_uppercase() || next.is_ascii_digit() => Some(at + 2),
        [b'\\', ..] => end_of_written(text, at),
        _ => None,
    }
}

/// The character right before a place; none at the beginning and where a line break or a tab is written out there.
pub(super) fn character_before(text: &str, at: usize) -> Option<char> {
    let escape = at.checked_sub(2).filter(|&start| text.as_bytes()[start] == b'\\');
    let ends_here = |start| end_of_escape(text, start).is_some_and(|end| end >= at);
    if escape.is_some_and(ends_here) { None } else { text[..at].chars().next_back() }
}

/// The character that is written out at the beginning of a text, as an entity of HTML or a letter of another form, and how long that is.
pub(in crate::detect) fn written_out(text: &str) -> Option<(char, usize)> {
    entity(text).or_else(|| letter_written_out(text))
}

/// The character that the entity of HTML at the beginning of a text names, and the entity's length: a letter without its accent,
/// a blank, a mark of those that stand in names and numbers; none for any other.
pub(in crate::detect) fn entity(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('&')?;
    let (named, length) = entity_after(rest, LONGEST_NAME)?;
    let character = match named {
        _ if rest.starts_with('#') => named,
        // Brackets and quotation marks open and close parts of a page and are in no value.
        '<' | '>' | '"' => return None,
        _ => bare(named),
    };
    Some((plain(character), length + 1))
}

/// A letter that a name of HTML means, without its accent; ligatures have none.
fn bare(letter: char) -> char {
    match letter {
        'ß' | 'æ' | 'Æ' | 'œ' | 'Œ' | 'þ' | 'Þ' => letter,
        _ => match latin_base(letter).map(char::from) {
            Some(base) if letter.is_uppercase() => base.to_ascii_uppercase(),
            Some(base) => base,
            None => letter,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(text: &str) -> String {
        let (mut read_out, mut at) = (String::new(), 0);
        while let Some((character, length)) = read(&text[at..]) {
            read_out.push(character);
            at += length;
        }
        read_out
    }

    #[test]
    fn other_forms_are_read_as_those_of_ascii() {
        let cases = [
            ("１２３－４５−６７‑８９", "123-45-67-89"),
            ("(806)&nbsp;716\u{a0}3134", "(806) 716 3134"),
            ("Mu&ntilde;oz, &Eacute;mile &#241;&#xF1;", "Munoz, Emile ññ"),
            ("O&#39;Hara &amp; Sons", "O'Hara & Sons"),
            ("&Lstrok;ucja Ha&ncaron;&aacute;&sacute;, Fa&szlig;, B&AElig;r", "Lucja Hanas, Faß, BÆr"),
            ("a&commat;b&period;c &ldquo;so&rdquo;", "a@b.c &ldquo;so&rdquo;"),
            ("123 45\r\n  > 6789", "123 45\n6789"),
            ("123 45 \n\t6789", "123 45\n6789"),
            ("Mu\\'f1oz Mu\\u00f1oz 100%", "Muñoz Muñoz 100%"),
            ("R&D; &lt;b&gt; &; &#; &#xZZ;", "R&D; &lt;b&gt; &; &#; &#xZZ;"),
        ];
        for (text, meant) in cases {
            assert_eq!(all(text), meant, "{text}");
        }
    }

    #[test]
    fn breaks_and_tabs_that_are_written_out() {
        for (text, end) in [
            ("\\nLadner", Some(2)),
            ("\\r\\nLadner", Some(4)),
            ("\\n12", Some(2)),
            ("\\tLadner", Some(2)),
            ("\\t12", Some(2)),
            ("\\nladner", None),
            ("\\table", None),
            ("Ladner", None),
            ("", None),
        ] {
            assert_eq!(end_of_escape(text, 0), end, "{text}");
        }
        assert_eq!(character_before("a\\nB", 3), None);
        assert_eq!(character_before("a\\xB", 3), Some('x'));
        assert_eq!((character_before("éB", 2), character_before("B", 0)), (Some('é'), None));
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(text in "(&|#|;|ntilde|\\n|\\r| |>|é|１|\\PC){0,24}") {
            let mut at = 0;
            while let Some((_, length)) = read(text.get(at..).unwrap()) {
                prop_assert!(length > 0);
                at += length;
            }
            prop_assert_eq!(at, text.len());
        }
    }
}
