//! Text as one cell of a table, so that it comes back from any spreadsheet as it was, and as one line of a terminal.
//!
//! ```text
//! text              cell              why
//! No distress.      No distress.
//! a⏎b               a\nb              line breaks and what cannot be seen are written as in plain lists
//! =SUM(A1)          '=SUM(A1)         one apostrophe before what a spreadsheet would compute or convert:
//! 3/4               '3/4              formulas, numbers, dates, TRUE; the reader takes one away
//! 'tis so           ''tis so
//! ```

use std::fmt::Write;

/// Whether a character cannot be seen, or changes how others are shown: controls, joiners, marks of direction, tags.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Text on one line: `\n`, `\r`, `\t` and `\\` for these characters, `\u{…}` for others that cannot be seen.
pub(super) fn escaped(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            '\\' => line.push_str("\\\\"),
            hidden if is_hidden(hidden) => push_code(&mut line, hidden),
            seen => line.push(seen),
        }
    }
    line
}

/// A character as its number.
pub(super) fn push_code(line: &mut String, character: char) {
    // Writing to a string does not fail.
    let _ = write!(line, "\\u{{{:x}}}", u32::from(character));
}

/// The text that was escaped; none where a backslash is followed by anything else.
pub(super) fn unescaped(line: &str) -> Option<String> {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let (character, length) = match after.chars().next()? {
            'n' => ('\n', 1),
            't' => ('\t', 1),
            'r' => ('\r', 1),
            '\\' => ('\\', 1),
            'u' => {
                let digits = after.strip_prefix("u{")?.split_once('}')?.0;
                let is_number = (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                (u32::from_str_radix(digits, 16).ok().filter(|_| is_number).and_then(char::from_u32)?, digits.len() + 3)
            }
            _ => return None,
        };
        text.push(character);
        rest = &after[length..];
    }
    text.push_str(rest);
    Some(text)
}

/// A cell that no spreadsheet takes for more than text: it is left alone if it begins with a letter, has a blank and no digit.
pub(super) fn guarded(cell: &str) -> String {
    let is_plain = cell.starts_with(char::is_alphabetic) && cell.contains(' ') && !cell.contains(char::is_numeric);
    if is_plain || cell.is_empty() { cell.to_owned() } else { format!("'{cell}") }
}

/// The cell before it was guarded. One that a spreadsheet has taken the guard from comes back too.
pub(super) fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').unwrap_or(cell)
}

/// Text for a terminal, which it cannot drive: line breaks and tabs as pictures, what cannot be seen by its number.
pub(super) fn pictured(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push('␤'),
            '\r' => shown.push('␍'),
            '\t' => shown.push('␉'),
            hidden if is_hidden(hidden) => push_code(&mut shown, hidden),
            seen => shown.push(seen),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::candidate::tests::awkward;
    use super::*;

    #[test]
    fn what_a_spreadsheet_would_convert_is_guarded() {
        for cell in ["=1+1", "+1", "-1", "@x", "3/4", "1E5", "007", "TRUE", "March 3", "'tis so", " x y", "\u{a0}"] {
            assert_eq!(guarded(cell), format!("'{cell}"));
        }
        for cell in ["", "No acute distress.", "Écho was normal"] {
            assert_eq!(guarded(cell), cell);
        }
    }

    #[test]
    fn only_known_escapes_are_read() {
        assert_eq!(unescaped(r"a\nb\tc\rd\\e\u{0}\u{1F600}").as_deref(), Some("a\nb\tc\rd\\e\0\u{1f600}"));
        for line in [r"\", r"\q", r"\u", r"\u{", r"\u{}", r"\u{d800}", r"\u{+41}", r"\u{1234567}", r"\u{zz}"] {
            assert_eq!(unescaped(line), None, "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in awkward()) {
            let cell = guarded(&escaped(&text));
            prop_assert!(!cell.contains(is_hidden));
            prop_assert_eq!(unescaped(unguarded(&cell)).unwrap(), text.clone());
            prop_assert!(!cell.starts_with(['=', '+', '-', '@']));
            prop_assert!(!pictured(&text).contains(is_hidden));
        }

        #[test]
        fn any_cell_is_read_or_refused(cell in "[\\\\a-u{}0-9'é]{0,20}") {
            if let Some(text) = unescaped(unguarded(&cell)) {
                prop_assert_eq!(unescaped(&escaped(&text)).unwrap(), text);
            }
        }
    }
}
