//! Sentences that people have read and found free of identifiers: they pass untouched (Murugadoss et al. 2021, inclusion list).
//!
//! ```text
//! # one sentence a line; \n, \t and \\ stand for the characters in it
//! No acute distress.
//! Review of systems was negative\nexcept as noted above.
//! ```

use std::collections::HashSet;

use super::DetectError;
use crate::text::InContext;

/// A list of exact sentences. Membership is by text, not by hash.
#[derive(Debug, Clone, Default)]
pub struct InclusionList {
    sentences: HashSet<Box<str>>,
}

impl InclusionList {
    /// Reads a list: one sentence a line, `\n`, `\t`, `\r` and `\\` written as escapes; empty lines and `#` lines are comments.
    ///
    /// # Errors
    /// [`DetectError::Inclusion`] for an unknown escape, and for a line that is not one whole sentence as the segmenter cuts
    /// them: it could never match, and its author would not know.
    pub fn parse(text: &str) -> Result<Self, DetectError> {
        let mut sentences = HashSet::new();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let fail = |reason| DetectError::Inclusion { line: index + 1, reason };
            let sentence =
                unescape(line).ok_or_else(|| fail("a backslash must be followed by n, t, r or a backslash"))?;
            let mut cut = crate::text::sentences(&sentence);
            if cut.next() != Some(0..sentence.len()) {
                return Err(fail("this is not one whole sentence as the segmenter cuts them"));
            }
            sentences.insert(sentence.into_boxed_str());
        }
        Ok(Self { sentences })
    }

    /// Whether a sentence is on the list, byte for byte.
    pub fn contains(&self, sentence: InContext<'_>) -> bool {
        self.sentences.contains(sentence.text)
    }

    /// The number of sentences.
    pub fn len(&self) -> usize {
        self.sentences.len()
    }

    /// Whether nothing is listed.
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }
}

fn unescape(line: &str) -> Option<String> {
    let mut characters = line.chars();
    let mut sentence = String::with_capacity(line.len());
    while let Some(character) = characters.next() {
        sentence.push(match character {
            '\\' => match characters.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '\\' => '\\',
                _ => return None,
            },
            other => other,
        });
    }
    Some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_sentences_only() {
        let list = InclusionList::parse("# reviewed\n\nNo acute distress.\nBack\\\\slash ok").unwrap();
        assert_eq!(list.len(), 2);
        let contains = |sentence| list.contains(InContext::alone(sentence));
        assert!(contains("No acute distress.") && contains("Back\\slash ok"));
        assert!(!contains("No acute distress") && !contains("# reviewed"));
    }

    #[test]
    fn lines_that_could_never_match_are_refused() {
        for (text, line) in [("Stable. Improved.", 1), ("Ok.\n indented", 2), ("a\\q", 1)] {
            match InclusionList::parse(text) {
                Err(DetectError::Inclusion { line: found, .. }) => assert_eq!(found, line),
                other => panic!("{other:?}"),
            }
        }
    }
}
