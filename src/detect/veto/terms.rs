//! The table of terms that are names besides, and what tells that they are none.
//!
//! ```text
//! hawkins | neer : cuff | shoulder     terms of one row, and the stems of words that they are found with
//! kennedy : +ulcer                     right before the word only
//! ```

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::detect::listed::Sieve;
use crate::lexicon::Lexicon;

/// A given name that so many bear is oftener somebody than the term.
const COMMON_GIVEN: u32 = 10_000;
/// The stem of terms that name nobody in any company.
const ALWAYS: &str = "*";
/// What begins a stem that tells only right behind its term, of terms that many are called: `kennedy: +ulcer`.
const BESIDE: char = '+';
/// A term longer than this is none of the table's.
const LONGEST_TERM: usize = 32;
/// Stems up to this length are whole words.
const WHOLE: usize = 3;

/// The entries of a claim all of whose words are terms; none where one is not.
pub(super) fn terms_of(inside: &str) -> Option<Vec<&'static Entry>> {
    let whole = inside.trim();
    if let Some(entry) = entry_of(whole) {
        return Some(vec![entry]);
    }
    let parts = || whole.split([' ', '-', '/', '\n']).filter(|part| !part.is_empty());
    if parts().count() > 4 {
        return None;
    }
    parts()
        .filter(|part| !matches!(*part, "and" | "of" | "or" | "de" | "&"))
        .map(entry_of)
        .collect::<Option<Vec<_>>>()
        .filter(|entries| !entries.is_empty())
}

/// The entry of a word, or of several, its possessive left out.
pub(super) fn entry_of(word: &str) -> Option<&'static Entry> {
    if word.len() > LONGEST_TERM {
        return None;
    }
    let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
    TERMS.may_hold(bare).then(|| TABLE.get(bare.to_lowercase().as_str())).flatten()
}

/// Whether a word begins as a stem does; one of a few letters is the whole word.
pub(super) fn is_stem(stem: &str, word: &str) -> bool {
    let fits = word.get(..stem.len()).is_some_and(|start| start.eq_ignore_ascii_case(stem));
    fits && (stem.len() > WHOLE || word.len() == stem.len())
}

/// One term of the table.
pub(super) struct Entry {
    pub(super) term: &'static str,
    pub(super) stems: Vec<&'static str>,
    /// The lines of the table that have the term.
    pub(super) rows: Vec<usize>,
}

impl Entry {
    /// Whether the term names nobody in any company.
    pub(super) fn is_always(&self) -> bool {
        self.stems.contains(&ALWAYS)
    }

    /// Whether hardly anyone bears the term as a name.
    pub(super) fn is_rare(&self) -> bool {
        let info = Lexicon::shared().word(self.term);
        !info.is_common_surname() && info.given_count < COMMON_GIVEN
    }

    /// Whether nothing but the word right behind the term tells that it is no name.
    pub(super) fn is_name(&self) -> bool {
        self.stems.iter().all(|stem| stem.starts_with(BESIDE))
    }

    /// Whether the term names nobody right before a word.
    pub(super) fn goes_before(&self, word: &str) -> bool {
        self.stems.iter().filter_map(|stem| stem.strip_prefix(BESIDE)).any(|stem| is_stem(stem, word))
    }
}

static TABLE: LazyLock<HashMap<&'static str, Entry>> = LazyLock::new(|| {
    let mut table: HashMap<&'static str, Entry> = HashMap::new();
    for (row, line) in include_str!("terms.txt").lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let Some((terms, stems)) = line.rsplit_once(':') else { continue };
        for term in terms.split('|').map(str::trim).filter(|term| !term.is_empty()) {
            let entry = table.entry(term).or_insert_with(|| Entry { term, stems: Vec::new(), rows: Vec::new() });
            entry.rows.push(row);
            entry.stems.extend(stems.split('|').map(str::trim).filter(|stem| !stem.is_empty()));
        }
    }
    table
});

/// The terms, and the first words of those of several: most words are turned away by a hash.
struct Terms {
    whole: Sieve,
    begins: Sieve,
}

impl Terms {
    fn load() -> Self {
        let mut terms = Self { whole: Sieve::new(), begins: Sieve::new() };
        for term in TABLE.keys() {
            terms.whole.add(term.as_bytes());
            if let Some((first, _)) = term.split_once(' ') {
                terms.begins.add(first.as_bytes());
            }
        }
        terms
    }

    /// Whether a word may be a term; never no where it is.
    fn may_hold(&self, word: &str) -> bool {
        !word.is_ascii() || self.whole.may_hold(word.as_bytes())
    }

    /// Whether a term of several words may begin with a word; never no where one does.
    fn may_begin(&self, word: &str) -> bool {
        !word.is_ascii() || self.begins.may_hold(word.as_bytes())
    }
}

static TERMS: LazyLock<Terms> = LazyLock::new(Terms::load);

/// Whether a term of several words may begin with a word; never no where one does.
pub(super) fn may_begin(word: &str) -> bool {
    TERMS.may_begin(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_long_and_every_row_has_stems() {
        assert!(TABLE.len() >= 150, "{}", TABLE.len());
        assert!(
            TABLE
                .values()
                .all(|entry| entry.stems.iter().all(|stem| stem.len() >= 2 || *stem == ALWAYS)
                    && !entry.stems.is_empty())
        );
        assert!(TABLE.keys().all(|term| term.len() <= LONGEST_TERM && *term == term.to_lowercase()));
    }
}
