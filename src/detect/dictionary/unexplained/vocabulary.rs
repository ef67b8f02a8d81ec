//! Words by what they mean for the capitals beside them.

use std::sync::LazyLock;

use crate::detect::patterns::cues::WordTable;

/// What a word tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::detect::dictionary) enum Use {
    /// Written with a capital in clinical prose without naming anyone.
    Ordinary,
    /// Stands before the names of places and houses.
    Lead,
    /// Ends the names of places and houses.
    Head,
    /// What findings, devices and products are: after it a name is no person's.
    Thing,
    /// What only persons do.
    PersonVerb,
    /// A verb that things have as well.
    Verb,
}

/// A word in any case with its use; the file is part of the program.
const WORDS: &str = include_str!("vocabulary.txt");

/// Whether a word has the use.
pub(super) fn is(word: &str, of: Use) -> bool {
    use_of(word) == Some(of)
}

/// What a word tells, if anything.
pub(in crate::detect::dictionary) fn use_of(word: &str) -> Option<Use> {
    static TABLE: LazyLock<WordTable<Use>> = LazyLock::new(|| WordTable::of(sections()));
    TABLE.get(word.as_bytes())
}

/// Every word that tells something, blank-separated.
pub(in crate::detect::dictionary) fn words() -> impl Iterator<Item = &'static str> {
    sections().map(|(_, words)| words)
}

/// Blocks of words under `[use]` headings.
fn sections() -> impl Iterator<Item = (Use, &'static str)> {
    WORDS.split("\n[").filter_map(|block| {
        let (name, words) = block.split_once("]\n")?;
        let of = match name {
            "ordinary" => Use::Ordinary,
            "lead" => Use::Lead,
            "head" => Use::Head,
            "thing" => Use::Thing,
            "verb" => Use::Verb,
            "person verb" => Use::PersonVerb,
            _ => return None,
        };
        Some((of, words))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_known_and_words_have_one_use() {
        assert_eq!(sections().count(), WORDS.matches("\n[").count());
        assert!(is("Emergency", Use::Ordinary) && is("lodge", Use::Head) && is("At", Use::Lead));
        let mut words: Vec<&str> = sections().flat_map(|(_, words)| words.split_ascii_whitespace()).collect();
        words.sort_unstable();
        assert!(words.windows(2).all(|pair| pair[0] != pair[1]), "a word stands in two places");
    }
}
