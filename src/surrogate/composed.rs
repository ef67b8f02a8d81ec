//! Names that no list holds: pronounceable, numbered.
//!
//! ```text
//! h ─▶ h·a·nd·o·l·er     h·u·st·a·r·ow     …          every number another name
//! ```

/// How many composed names of two syllables a letter has.
pub(super) const SHORT_NAMES: u64 = 96 * 96 * 16;

/// A pronounceable name in small letters; different numbers below 96 to the power of `syllables`, times 16, give
/// different names, and so do different numbers of syllables.
pub(super) fn compose(letter: u8, mut number: u64, syllables: usize) -> String {
    const VOWELS: [&str; 6] = ["a", "e", "i", "o", "u", "ai"];
    const MIDDLES: [&str; 16] = ["b", "d", "g", "l", "ll", "m", "n", "nd", "r", "rr", "rl", "s", "st", "t", "th", "v"];
    const ENDS: [&str; 16] =
        ["ado", "an", "ani", "ard", "ek", "ell", "en", "er", "ett", "ey", "in", "is", "o", "ow", "ski", "wick"];
    let first = char::from(b'a' + letter.min(25));
    let mut name = String::from(first);
    match first {
        'q' => name.push('u'),
        'a' | 'e' | 'i' | 'o' | 'u' => name.push('l'),
        _ => {}
    }
    let mut next = |list: &[&'static str]| {
        let part = list[(number % list.len() as u64) as usize];
        number /= list.len() as u64;
        part
    };
    for _ in 0..syllables {
        name.push_str(next(&VOWELS));
        name.push_str(next(&MIDDLES));
    }
    name.push_str(next(&ENDS));
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_another_name() {
        for letter in [b'h' - b'a', b'o' - b'a', b'q' - b'a'] {
            let mut names: Vec<String> = (0..SHORT_NAMES).map(|number| compose(letter, number, 2)).collect();
            names.extend((0..SHORT_NAMES).map(|number| compose(letter, number, 3)));
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all);
            assert!(names.iter().all(|name| name.as_bytes()[0] == b'a' + letter));
        }
    }
}
