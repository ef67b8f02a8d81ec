//! Segmentation, contexts, tokens and offsets.

use plainsight::text::{CodePoints, ContextMode, sentences, tokens};

use crate::input;

/// A text with a sentence as long as this may be cut by length, and then a boundary depends on all that stands before it.
const NEVER_CUT_BY_LENGTH: usize = 2_000;

/// Sentences are lossless and local; contexts, tokens and offsets fit them.
pub fn segmentation(bytes: &[u8]) {
    let text = input::text(bytes);
    let ranges: Vec<_> = sentences(&text).collect();
    let mut at = 0;
    for range in &ranges {
        assert!(range.start >= at && range.end > range.start);
        assert!(text[at..range.start].chars().all(char::is_whitespace));
        assert_eq!(text[range.clone()].trim(), &text[range.clone()]);
        at = range.end;
    }
    assert!(text[at..].chars().all(char::is_whitespace));
    for mode in ContextMode::ALL {
        let mut judged = mode.sentences(&text, &ranges);
        assert!(ranges.iter().all(|range| judged.next().is_some_and(|sentence| sentence.text == &text[range.clone()])));
        assert!(judged.next().is_none());
    }
    let mut code_points = CodePoints::new(&text);
    for range in &ranges {
        assert_eq!(code_points.before(range.start), text[..range.start].chars().count());
    }
    let mut at = 0;
    for token in tokens(&text) {
        assert!(token.start >= at && !token.text(&text).is_empty());
        at = token.end;
    }
    if text.len() < NEVER_CUT_BY_LENGTH && !text.is_empty() {
        assert_local(&text, bytes);
    }
}

/// One character is put in the place of another: two lines away, nothing moves.
fn assert_local(text: &str, bytes: &[u8]) {
    let number = bytes.iter().fold(0_usize, |number, byte| number.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    let at = text.floor_char_boundary(number % text.len());
    let other = ['a', ' ', 'A', '.', ':', '?', '\n', '\r', '\t', '1', '|', 'é'][number / text.len() % 12];
    let old = text[at..].chars().next().map_or(0, char::len_utf8);
    let edited = format!("{}{other}{}", &text[..at], &text[at + old..]);
    let first = text[..at].rmatch_indices('\n').nth(2).map_or(0, |(feed, _)| feed);
    let rest = &text[at + old..];
    let behind = rest.match_indices('\n').nth(2).map_or(0, |(feed, _)| rest.len() - feed - 1);
    let before = |found: &str| boundaries(found).into_iter().filter(|place| *place < first).collect::<Vec<_>>();
    let after = |found: &str| {
        let ends = boundaries(found).into_iter().map(|place| found.len() - place);
        ends.filter(|left| *left < behind).collect::<Vec<_>>()
    };
    assert_eq!(before(text), before(&edited), "boundaries before an edit at {at} moved");
    assert_eq!(after(text), after(&edited), "boundaries after an edit at {at} moved");
}

fn boundaries(text: &str) -> Vec<usize> {
    sentences(text).flat_map(|range| [range.start, range.end]).collect()
}
