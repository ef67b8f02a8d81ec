//! Names that are nearly the same: one edit, one sound written otherwise, a pet form.
//!
//! ```text
//! Pillai ~ Pilai, Pilali, Pillay     Bożena ~ Bojena     Joseph ~ Josef     Revathi ▷ Reva, Revu
//! ```

use super::fold::letter_like;
use super::names::Likeness;

/// The shortest word that may be misspelt.
pub(super) const SHORTEST: usize = 4;

/// A set of pairs of letters or digits.
#[derive(Debug, Default)]
pub(super) struct PairSet([u64; 16]);

impl PairSet {
    /// Adds a pair.
    pub(super) const fn insert(&mut self, first: u8, second: u8) {
        let slot = slot(first, second);
        self.0[slot / 64] |= 1 << (slot % 64);
    }

    /// Adds every pair that begins with a byte.
    pub(super) fn insert_all(&mut self, first: u8) {
        (0..32).for_each(|second| self.insert(first, second));
    }

    /// Whether a pair, or one that shares its slot, is in the set.
    pub(super) const fn may_hold(&self, first: u8, second: u8) -> bool {
        let slot = slot(first, second);
        self.0[slot / 64] >> (slot % 64) & 1 != 0
    }
}

/// Which pairs of letters begin and end a set of words, as a scan sees them.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    begin: PairSet,
    end: PairSet,
}

impl Pairs {
    /// Adds a word of at least two bytes.
    pub(super) fn insert(&mut self, word: &[u8]) {
        if let [first, second, .., before, last] = *word {
            self.begin.insert(letter_like(first), letter_like(second));
            self.end.insert(letter_like(before), letter_like(last));
        }
    }

    /// Whether a word shares its first two or its last two letters with one of the set.
    pub(super) fn may_hold(&self, word: &[u8]) -> bool {
        let [first, second, .., before, last] = *word else { return false };
        self.begin.may_hold(letter_like(first), letter_like(second))
            || self.end.may_hold(letter_like(before), letter_like(last))
    }
}

const fn slot(first: u8, second: u8) -> usize {
    ((first & 31) as usize) << 5 | (second & 31) as usize
}

/// The letters of a word as bits.
pub(super) fn letters(word: &[u8]) -> u32 {
    word.iter().fold(0, |letters, &byte| letters | 1 << (byte & 31))
}

/// How alike two different words are: by one insertion, deletion, substitution or transposition, or one spelling of a
/// sound; none if they differ by more. In short words most such differences make another word, so they are slight.
pub(super) fn likeness(name: &[u8], word: &[u8]) -> Option<Likeness> {
    let (short, long) = (name.len().min(word.len()), name.len().max(word.len()));
    if short < SHORTEST || long - short > 2 || short < 6 && name[0] != word[0] {
        return None;
    }
    let begin = name.iter().zip(word).take_while(|(one, other)| one == other).count();
    let end =
        name.iter().rev().zip(word.iter().rev()).take(short - begin).take_while(|(one, other)| one == other).count();
    let (one, other) = (&name[begin..name.len() - end], &word[begin..word.len() - end]);
    let sound = same_sound(one, other);
    let near = match (one, other) {
        ([], [edited]) | ([edited], []) => {
            let doubled = begin > 0 && name[begin - 1] == *edited || name.get(begin) == Some(edited);
            // A name that only loses or gains its last letter is too often another word.
            doubled || short >= 5 && (end > 0 || short >= 6)
        }
        ([_], [_]) => short >= 5 || sound,
        ([a, b], [c, d]) if sound || a == d && b == c => short >= 5,
        _ if sound => short >= SHORTEST,
        _ => return None,
    };
    Some(if near { Likeness::Near } else { Likeness::Slight })
}

/// Whether two short runs of letters write the same sound in the spellings of one name or another.
fn same_sound(one: &[u8], other: &[u8]) -> bool {
    const SOUNDS: &[(&[u8], &[u8])] = &[
        (b"c", b"k"),
        (b"c", b"s"),
        (b"s", b"z"),
        (b"v", b"w"),
        (b"w", b"v"),
        (b"l", b"y"),
        (b"j", b"y"),
        (b"ph", b"f"),
        (b"ck", b"k"),
        (b"zh", b"j"),
        (b"zh", b"z"),
        (b"sz", b"s"),
        (b"sh", b"s"),
        (b"ee", b"l"),
        (b"oo", b"u"),
        (b"ou", b"u"),
        (b"ch", b"k"),
        (b"le", b"y"),
        (b"ey", b"l"),
        (b"ea", b"ee"),
        (b"ks", b"x"),
    ];
    SOUNDS.iter().any(|&(left, right)| left == one && right == other || left == other && right == one)
}

/// Whether a word is a given name cut short to four letters or more, or to three and a pet ending: `Kosi`, `Ashu`.
pub(super) fn is_pet_form(given: &[u8], word: &[u8]) -> bool {
    const ENDINGS: &[&[u8]] = &[b"y", b"ie", b"i", b"u", b"ey", b"ka", b"ita", b"ito", b"s"];
    if given.len() < SHORTEST || word.len() < SHORTEST || given == word {
        return false;
    }
    let shared = given.iter().zip(word).take_while(|(one, other)| one == other).count();
    let rest = &word[shared..];
    rest.is_empty() && given.len() > word.len() || shared >= 3 && ENDINGS.contains(&rest)
}

/// Whether a word with digits is a word that a scan has garbled, not a code: letters before, more letters than digits.
pub(super) fn is_scanned_word(written: &str) -> bool {
    let digits = written.bytes().filter(u8::is_ascii_digit).count();
    let ends_in_number = written.bytes().rev().take(2).filter(u8::is_ascii_digit).count() == 2;
    digits * 2 < written.len()
        && !ends_in_number
        && written.bytes().all(|byte| !matches!(byte, b'3' | b'4' | b'7' | b'9'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit_and_no_more() {
        let near = |name: &str, word: &str| likeness(name.as_bytes(), word.as_bytes());
        for (name, word) in [
            ("keller", "keler"),
            ("keller", "kleler"),
            ("keller", "kellar"),
            ("keller", "kellner"),
            ("josef", "joseph"),
            ("kowal", "koval"),
            ("nina", "ninna"),
            ("matthews", "mathews"),
        ] {
            assert_eq!(near(name, word), Some(Likeness::Near), "{name} {word}");
        }
        assert_eq!(near("anne", "anna"), Some(Likeness::Slight));
        for (name, word) in [("keller", "kilnar"), ("nina", "lina"), ("marta", "carta"), ("lee", "lea")] {
            assert_eq!(near(name, word), None, "{name} {word}");
        }
    }

    #[test]
    fn pet_forms_keep_the_beginning() {
        for (given, word) in [("marguerite", "margie"), ("oluwaseun", "oluwa"), ("asha", "ashu"), ("danuta", "danka")] {
            assert!(is_pet_form(given.as_bytes(), word.as_bytes()), "{given} {word}");
        }
        for (given, word) in [("marguerite", "mar"), ("asha", "ashram"), ("daniel", "dark")] {
            assert!(!is_pet_form(given.as_bytes(), word.as_bytes()), "{given} {word}");
        }
    }
}
