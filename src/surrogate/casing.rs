//! How a word is written, so that its surrogate can be written the same way.
//!
//! ```text
//! SMITH + jones → JONES     smith + jones → jones     Smith + jones → Jones     McAdam + mcbride → McBride
//! ```

use super::latin::plain;

/// The way a word uses capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Casing {
    /// Only capitals, and more than one letter.
    Upper,
    /// No capitals.
    Lower,
    /// A capital first.
    Title,
    /// Capitals inside as well.
    Mixed,
}

impl Casing {
    /// How `word` is written; a single capital, or a word of a script without case, counts as [`Casing::Title`].
    pub(super) fn of(word: &str) -> Self {
        if word.is_ascii() {
            return Self::of_ascii(word.as_bytes());
        }
        let (mut upper, mut lower, mut first_upper) = (0, 0, false);
        for character in word.chars().filter(|character| character.is_alphabetic()) {
            if character.is_uppercase() {
                first_upper |= upper + lower == 0;
                upper += 1;
            } else if character.is_lowercase() {
                lower += 1;
            }
        }
        Self::of_counts(upper, lower, first_upper)
    }

    fn of_ascii(word: &[u8]) -> Self {
        let upper = word.iter().filter(|byte| byte.is_ascii_uppercase()).count();
        let lower = word.iter().filter(|byte| byte.is_ascii_lowercase()).count();
        let first = word.iter().find(|byte| byte.is_ascii_alphabetic());
        Self::of_counts(upper, lower, first.is_some_and(u8::is_ascii_uppercase))
    }

    const fn of_counts(upper: usize, lower: usize, first_upper: bool) -> Self {
        match (upper, lower) {
            (0, 1..) => Self::Lower,
            (2.., 0) => Self::Upper,
            (2.., _) => Self::Mixed,
            (1, 1..) if !first_upper => Self::Mixed,
            _ => Self::Title,
        }
    }

    /// Writes a word, given in lower case, this way: capitals after spaces, hyphens and `Mc` too where the form is
    /// [`Casing::Title`] or [`Casing::Mixed`].
    pub(super) fn apply(self, word: &str) -> String {
        match self {
            Self::Upper => word.to_uppercase(),
            Self::Lower => word.to_lowercase(),
            Self::Title | Self::Mixed => title(word),
        }
    }
}

fn title(word: &str) -> String {
    let mut written = String::with_capacity(word.len());
    let mut start = true;
    for character in word.chars() {
        let after_mc =
            written.ends_with("Mc") && (written.len() == 2 || written[..written.len() - 2].ends_with([' ', '-']));
        if start || after_mc {
            written.extend(character.to_uppercase());
        } else {
            written.push(character);
        }
        start = matches!(character, ' ' | '-' | '/');
    }
    written
}

/// A word in lower case, without the accents of Latin letters and without apostrophes: what words are looked up by.
pub(super) fn fold(word: &str) -> String {
    if word.is_ascii() {
        let mut folded = word.to_ascii_lowercase();
        if folded.bytes().any(|byte| matches!(byte, b'\'' | b'`')) {
            folded.retain(|character| !matches!(character, '\'' | '`'));
        }
        return folded;
    }
    let mut folded = String::with_capacity(word.len());
    for character in word.chars() {
        match character {
            'a'..='z' | '0'..='9' => folded.push(character),
            'A'..='Z' => folded.push(character.to_ascii_lowercase()),
            '\'' | '`' => {}
            _ if character.is_ascii() => folded.push(character),
            _ => character.to_lowercase().for_each(|lower| match plain(lower) {
                Some(letters) => folded.push_str(letters),
                None => folded.push(lower),
            }),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_as_their_originals() {
        for (original, surrogate, written) in [
            ("SMITH", "jones", "JONES"),
            ("smith", "jones", "jones"),
            ("Smith", "jones", "Jones"),
            ("J", "k", "K"),
            ("McAdam", "mcbride", "McBride"),
            ("Smith-Brown", "jones-mcbride", "Jones-McBride"),
            ("LaToya", "keisha", "Keisha"),
            ("李", "wang", "Wang"),
        ] {
            assert_eq!(Casing::of(original).apply(surrogate), written, "{original}");
        }
    }

    #[test]
    fn folding_drops_case_accents_and_apostrophes() {
        assert_eq!(fold("O'Brien"), "obrien");
        assert_eq!(fold("JOSÉ"), fold("jose"));
        assert_eq!(fold("Jose\u{301}"), "jose");
        assert_eq!(fold("Łukasz Weiß"), "lukasz weiss");
        assert_eq!(fold("NGUYỄN Văn Phạm"), "nguyen van pham");
        assert_eq!(fold("Tra\u{302}\u{300}n"), fold("Trần"));
        assert_eq!(fold("Hawaiʻi"), "hawaii");
        assert_eq!(fold("İpek Məmmədov"), "ipek memmedov");
    }
}
