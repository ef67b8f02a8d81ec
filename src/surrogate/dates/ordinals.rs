//! Ordinals of numbers: `1st`, `22nd`.
//!
//! ```text
//! 3 → rd, 11 → th, 21 → st      th, 2019 → , 2019: what stands behind the number of `March 5th, 2019`
//! ```

/// `st`, `nd`, `rd` or `th`.
pub(in crate::surrogate) const fn ordinal_suffix(number: u32) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

/// What stands behind a number, without the ending of its ordinal.
pub(in crate::surrogate) fn without_ordinal(text: &str) -> &str {
    let rest = text.get(..2).filter(|suffix| ["st", "nd", "rd", "th"].iter().any(|of| suffix.eq_ignore_ascii_case(of)));
    rest.and_then(|_| text.get(2..)).filter(|rest| !rest.starts_with(char::is_alphanumeric)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinal_suffixes() {
        let written: Vec<_> = [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31].iter().map(|&day| ordinal_suffix(day)).collect();
        assert_eq!(written, ["st", "nd", "rd", "th", "th", "th", "th", "st", "nd", "rd", "st"]);
    }

    #[test]
    fn endings_of_ordinals_fall_away() {
        for (text, rest) in
            [("th, 2019", ", 2019"), ("ND", ""), ("there", "there"), (" of", " of"), ("é", "é"), ("", "")]
        {
            assert_eq!(without_ordinal(text), rest, "{text}");
        }
    }
}
