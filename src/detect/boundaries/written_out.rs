//! What an export has written out: a line break, a tab or a mark is outside a span or inside it as a whole, else the export cannot be read any more.
//!
//! ```text
//! "seen\[nSmith\]n"     seen\n[Smith]\n          "Bell &am[p; Sons]"     Bell &amp; [Sons]          "Mu&nt[ilde;oz]"     [Mu&ntilde;oz]
//! ```

use crate::detect::record::plain::end_of_escape;
use crate::text::entity_after;

/// No name of a character is longer.
const LONGEST_NAME: usize = 8;

/// A span with what is written out at its ends inside or outside.
pub(super) fn with_whole(text: &str, (start, end): (usize, usize)) -> (usize, usize) {
    let start = match entity_around(text, start) {
        Some((from, _, letter)) if letter.is_alphabetic() => from - letters(text[..from].chars().rev()),
        Some((_, to, _)) => to.min(end),
        None => start,
    };
    let end = match entity_around(text, end) {
        Some((_, to, letter)) if letter.is_alphabetic() => to + letters(text[to..].chars()),
        Some((from, _, _)) => from.max(start),
        None => end,
    };
    without_escapes(text, start, end)
}

fn without_escapes(text: &str, mut start: usize, mut end: usize) -> (usize, usize) {
    // The letter of `\n`, or all of it.
    for from in [start.saturating_sub(1), start] {
        if let Some(behind) = end_of_escape(text, from).filter(|&behind| behind > start) {
            start = behind.min(end);
        }
    }
    while let Some(at) = text[start..end].rfind('\\').map(|at| start + at) {
        // The stroke alone of what follows, or all of a line break.
        if at + 1 != end && end_of_escape(text, at).is_none_or(|behind| behind < end) {
            break;
        }
        end = at;
    }
    (start, end)
}

/// The entity of HTML that a place lies in, with the character that it stands for.
fn entity_around(text: &str, at: usize) -> Option<(usize, usize, char)> {
    let from = text.floor_char_boundary(at.saturating_sub(LONGEST_NAME + 1));
    let from = from + text[from..at].rfind('&')?;
    let (character, length) = entity_after(&text[from + 1..], LONGEST_NAME)?;
    let to = from + 1 + length;
    (to > at).then_some((from, to, character))
}

/// How many bytes the letters take that come first.
fn letters(characters: impl Iterator<Item = char>) -> usize {
    characters.take_while(|character| character.is_alphabetic()).map(char::len_utf8).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_written_out_is_inside_or_outside() {
        for (marked, expected) in [
            ("seen\\⟦nSmith\\⟧n", "Smith"),
            ("seen⟦\\nSmith\\n⟧", "Smith"),
            ("seen⟦\\r\\nSmith⟧\\r\\n", "Smith"),
            ("by \\\"⟦Smith\\⟧\"", "Smith"),
            ("Bell &am⟦p; Sons⟧", " Sons"),
            ("⟦Bell &am⟧p; Sons", "Bell "),
            ("⟦Bell &amp; Sons⟧", "Bell &amp; Sons"),
            ("Mu&nt⟦ilde;oz⟧", "Mu&ntilde;oz"),
            ("⟦Mu&nt⟧ilde;oz.", "Mu&ntilde;oz"),
            ("&⟦amp⟧;", ""),
            ("\\⟦n⟧", ""),
            ("A&⟦P⟧", "P"),
        ] {
            let (open, close) = (marked.find('⟦').unwrap(), marked.find('⟧').unwrap() - '⟦'.len_utf8());
            let text = marked.replace(['⟦', '⟧'], "");
            let (start, end) = with_whole(&text, (open, close));
            assert_eq!(&text[start..end], expected, "{marked}");
        }
    }

    proptest! {
        #[test]
        fn any_span_stays_one(text in "(&amp;|&ntilde;|\\\\n|\\\\|é|S|n|;|&| ){0,12}", from: usize, to: usize) {
            let places: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let (from, to) = (places[from % places.len()], places[to % places.len()]);
            let (start, end) = with_whole(&text, (from.min(to), from.max(to)));
            prop_assert!(start <= end && text.get(start..end).is_some());
        }
    }
}
