//! What forms put around the letters and digits that are filled in: boxes and lines.
//!
//! ```text
//! DOB |0|3|1|4|1|9|6|1|       03141961          SSN: _123_-_45_-_6789_       123-45-6789
//! ```

/// Fewer boxes may be answers in a row: `|Y|N|Y|N|`.
const FEWEST: usize = 6;
/// No value has more letters.
const MOST: usize = 40;

/// Whether a sentence has such a mark.
pub(super) fn has_one(sentence: &str) -> bool {
    let bytes = sentence.as_bytes();
    memchr::memchr2_iter(b'|', b'_', bytes).any(|at| match bytes[at] {
        b'|' => bytes.get(at + 2) == Some(&b'|') && is_wall(&sentence[..at], &sentence[at + 1..]),
        _ => is_line(&sentence[..at], &sentence[at + 1..]),
    })
}

/// Whether a stroke between two texts parts two boxes of a row.
pub(super) fn is_wall(before: &str, rest: &str) -> bool {
    let (left, right) = (cells(before.chars().rev()), cells(rest.chars()));
    left > 0 && right > 0 && left + right >= FEWEST
}

/// How many boxes of one sign come first.
fn cells(characters: impl Iterator<Item = char>) -> usize {
    let (mut characters, mut cells) = (characters.peekable(), 0);
    while cells < MOST && characters.next_if(|&c| c.is_alphanumeric() || matches!(c, '-' | '/')).is_some() {
        match characters.next() {
            Some('|') => cells += 1,
            Some(other) if other.is_alphanumeric() => return cells,
            _ => return cells + 1,
        }
    }
    cells
}

/// Whether a low line between two texts is one that digits stand on: no letter is beside it, and a digit is.
pub(super) fn is_line(before: &str, rest: &str) -> bool {
    let beside = [before.trim_end_matches('_').chars().next_back(), rest.trim_start_matches('_').chars().next()];
    let is_digit = |beside: &Option<char>| beside.is_some_and(|c| c.is_ascii_digit());
    let is_letter = |beside: &Option<char>| beside.is_some_and(char::is_alphabetic);
    // `12_34` is a code.
    beside.iter().any(is_digit) && !beside.iter().any(is_letter) && !beside.iter().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_and_lines_are_told_from_tables_and_codes() {
        for form in
            ["DOB |0|3|1|4|1|9|6|1|", "|W|H|I|T|L|O|C|K|", "_1_/_2_/_88_", "SSN: _123_-_45_-_6789_", "(_617_) _555_"]
        {
            assert!(has_one(form), "{form}");
        }
        for other in [
            "|Y|N|Y|N|",
            "| a | b |",
            "WBC|7.1|8.2|9.3",
            "user_12a",
            "lot 12_34",
            "Name: ______",
            "a|b|c",
            "",
            "|",
            "_",
        ] {
            assert!(!has_one(other), "{other}");
        }
    }
}
