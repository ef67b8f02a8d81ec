//! Dates whose month is a Roman numeral, in lines of any language: `12.IV.2018`, `14/VII/1968`, `4 VII 1968`.
//!
//! Between blanks `2 IV 2000` is given into a vein as often and `3 X 1000` is a product, so numerals that mean something else there ask
//! for a word that tells a date: `born 2 IV 1950`.

use super::context::{byte_before, word_before};
use super::findings::{Findings, date};
use super::pairs::BEFORE_DATES;
use super::survey::Chain;
use super::years::unit_follows;
use crate::detect::listed::listed;
use crate::phi::Kind;
use crate::text::numbers::ROMAN_MONTHS;

/// What stands on either side of the month, the same on both.
const SEPARATORS: [&str; 5] = [".", "-", "/", " ", ". "];

/// Judges a number that may be the day of such a date.
pub(super) fn detect(sentence: &str, chain: &Chain, findings: &mut Findings) {
    if chain.count != 1 || chain.end - chain.start > 2 {
        return;
    }
    let before = byte_before(sentence, chain.start);
    let glued = before.is_ascii_alphanumeric() || matches!(before, b'.' | b'/' | b'-' | b'$' | b'#' | b'_');
    if glued || !sentence[chain.range()].parse::<u32>().is_ok_and(|day| (1..=31).contains(&day)) {
        return;
    }
    let rest = &sentence[chain.end..];
    let read = SEPARATORS.iter().find_map(|separator| month_and_year(rest, separator));
    let Some((month, length, spaced)) = read else { return };
    let range = chain.start..chain.end + length;
    let told = !spaced
        || !matches!(month, "I" | "IV" | "V" | "X")
        || listed!(word_before(sentence, range.start), BEFORE_DATES);
    if told && !unit_follows(sentence, range.end) && !findings.covers(&range) {
        findings.add(range, date(Kind::DateFull), 0.9);
    }
}

/// The month that a text goes on with behind a day, the length of it and its year, and whether blanks alone stand between them. A year of
/// two digits is told by full stops only.
fn month_and_year<'t>(text: &'t str, separator: &str) -> Option<(&'t str, usize, bool)> {
    let numeral = text.strip_prefix(separator)?;
    let letters = numeral.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (month, behind) = numeral.split_at(letters);
    // `11.xi.57`: small numerals between full stops or strokes, which are hardly anything else.
    let small = matches!(separator, "." | "/") && month.bytes().all(|letter| letter.is_ascii_lowercase());
    let is_month = |numeral: &str| *numeral == *month || small && numeral.eq_ignore_ascii_case(month);
    let year = behind.strip_prefix(separator).filter(|_| ROMAN_MONTHS.iter().any(|numeral| is_month(numeral)))?;
    let digits = year.bytes().take_while(u8::is_ascii_digit).count();
    let (year, after) = year.split_at(digits);
    let fits = match digits {
        4 => year.parse::<u32>().is_ok_and(|year| (1840..=2299).contains(&year)),
        2 => separator == ".",
        _ => false,
    };
    let goes_on = after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        || after.strip_prefix(['.', '/', '-']).is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit()));
    (fits && !goes_on).then(|| (month, text.len() - after.len(), separator == " "))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn months_in_roman_numerals() {
        for (sentence, stamp) in [
            ("Operated 12.IV.2018 without trouble", "12.IV.2018"),
            ("DOB 14.VII.1968, from the old chart", "14.VII.1968"),
            ("came over 4 VII 1968 by boat", "4 VII 1968"),
            ("born 2 IV 1950 at home", "2 IV 1950"),
            ("seen 14/XII/1968 and well", "14/XII/1968"),
            ("film of 03-IX-1999 is lost", "03-IX-1999"),
            ("seen 12.IV.18, no change", "12.IV.18"),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), [stamp], "{sentence}");
        }
    }

    #[test]
    fn numerals_that_are_no_months() {
        for sentence in [
            "gave 2 IV 2000 mL of saline",
            "took 3 X 1000 mg daily",
            "grade 2-IV-12 of the scale",
            "40.IV.2018 in the index",
            "see section 2.IV.12.3 there",
            "CN 3.XIV.2018 is no month",
        ] {
            let dates = found(sentence, &[Label::Date]);
            assert!(dates.iter().all(|date| !date.contains(['I', 'X'])), "{sentence}: {dates:?}");
        }
    }
}
