//! Ages of infants in months, weeks and days, told by the sex or the child behind them: `6mo M`, `3 wk F`, `9mo boy`, `18m girl`.
//!
//! ```text
//! 6mo M w/ fever, 3-wk F        ages
//! x6mo, f/u 6mo M/W/F           how long, and when
//! ```
//!
//! How long something lasts is told in the same units. So a single letter must be a capital and a word by itself, and no word of a span may
//! stand before the number.

use super::ages;
use super::context::{byte_before, word_before};
use super::findings::Findings;
use super::survey::Chain;
use crate::detect::listed::listed;

/// Units of an infant's age.
const UNITS: &str = "mo mos mth mths mnth mnths month months wk wks week weeks day days dy";
/// Units of one letter, which must touch their number.
const LETTERS: &str = "m w d";
/// Words before how long something lasts, or when it is due.
const OF_SPANS: &str = "x q every last past next over within another f/u fu until till per each in after";
/// Who is of the age.
const CHILDREN: &str = "male female boy girl infant baby babyboy babygirl newborn neonate";

/// What is made for a child or a sex: `6 week infant formula supply`.
const THINGS: &str = "formula cereal vitamins condom condoms catheter catheters urinal urinals size";

/// Judges a number that may be such an age.
pub(super) fn detect(sentence: &str, chain: &Chain, findings: &mut Findings) {
    let begins = matches!(byte_before(sentence, chain.start), b' ' | b'(' | b'\n' | b',' | b':' | b'|' | b'>');
    let short = chain.count == 1 && chain.end - chain.start <= 2;
    if !short
        || !begins
        || !is_of_child(&sentence[chain.end..])
        || listed!(word_before(sentence, chain.start), OF_SPANS)
        || findings.covers(&chain.range())
    {
        return;
    }
    // Ninety weeks are no ninety years.
    findings.add(chain.range(), ages::class(0), 0.85);
}

/// Whether a unit of an infant's age and a child follow a number.
fn is_of_child(rest: &str) -> bool {
    let bare = rest.strip_prefix([' ', '-']).unwrap_or(rest);
    let (unit, behind) = bare.split_at(letters(bare));
    let glued = bare.len() == rest.len();
    if !(listed!(unit, UNITS) || glued && listed!(unit, LETTERS)) {
        return false;
    }
    // A stop ends a sentence behind a unit that is written out.
    let behind =
        behind.strip_prefix('.').filter(|_| !listed!(unit, "month months week weeks day days")).unwrap_or(behind);
    let Some(child) = behind.strip_prefix([' ', '-']) else { return false };
    let (child, after) = child.split_at(letters(child));
    let thing = after.strip_prefix(' ').unwrap_or_default();
    (matches!(child, "M" | "F") || listed!(child, CHILDREN))
        && !listed!(&thing[..letters(thing)], THINGS)
        && (after.is_empty() || after.starts_with([' ', ',', ';', ')', '\n', '|']))
}

/// How many letters a text begins with.
fn letters(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_alphabetic).count()
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn infants_by_their_sex() {
        for (sentence, age) in [
            ("6mo M w/ fever", "6"),
            ("Seen: 6 mo F, well", "6"),
            ("3wk M poor feeding", "3"),
            ("this 9mo boy with cough", "9"),
            ("18m girl here for a check", "18"),
            ("a 10-day female with jaundice", "10"),
            ("5 mo. M, fussy", "5"),
        ] {
            assert_eq!(found(sentence, &[Label::Age]), [age], "{sentence}");
        }
    }

    #[test]
    fn spans_are_no_ages() {
        for sentence in [
            "PPI x 6mo, MRI then",
            "f/u 6mo M/W/F",
            "q 6 mo F up with us",
            "3m walk test done",
            "culture at 6 wk M. catarrhalis",
            "return in 6 mo. Male condoms given",
            "returns at 6 months. Female catheters ordered",
            "stent for 6mo, Metformin too",
            "every 3 mo male clinic",
            "6 week infant formula supply",
            "5 m boys race",
            "2 d M1 segment",
        ] {
            assert_eq!(found(sentence, &[Label::Age]), [] as [&str; 0], "{sentence}");
        }
    }
}
