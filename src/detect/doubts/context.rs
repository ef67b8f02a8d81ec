//! What stands around a claim: `[5]/325` is a part of `5/325`, and `Percocet` the word before it.

use std::ops::Range;

use crate::phi::Span;

/// Where a claim stands with all that is joined to it by characters that belong together.
pub(super) fn joined(sentence: &str, span: &Span, belongs: impl Fn(char) -> bool) -> Range<usize> {
    let start = sentence[..span.start].trim_end_matches(&belongs).len();
    let end = sentence.len() - sentence[span.end..].trim_start_matches(&belongs).len();
    start..end
}

/// The word of letters and digits that a text ends in, over blanks.
pub(super) fn last_word(text: &str) -> &str {
    let text = text.trim_end_matches([' ', '\n', '~']);
    text.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phi::{Detector, Label};

    #[test]
    fn what_is_joined_to_a_claim_and_the_word_before_it() {
        let sentence = "né Percocet 5/325 bid";
        let start = sentence.find('5').unwrap();
        let span = Span::new(start, start + 1, Label::Date, Detector::Transformer, 0.9);
        let range = joined(sentence, &span, |c| c.is_ascii_digit() || c == '/');
        assert_eq!(&sentence[range.clone()], "5/325");
        assert_eq!(last_word(&sentence[..range.start]), "Percocet");
        assert_eq!(joined(sentence, &span, |_| false), start..start + 1);
        assert_eq!(last_word("né"), "né");
        assert_eq!(last_word("x, "), "");
    }
}
