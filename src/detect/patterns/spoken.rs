//! Years as they are said: `March fourteenth nineteen twenty-one`, `born in nineteen oh five`, `since two thousand and eight`.

use super::context::{Cursor, byte_before, word_before};
use super::findings::{Findings, date};
use super::survey::Hit;
use super::years::unit_follows;
use crate::detect::listed::listed;
use crate::phi::Kind;
use crate::text::numbers::read_year;

/// Reads a year in words; the cursor moves over it.
pub(super) fn year(sentence: &str, cursor: &mut Cursor) -> Option<u32> {
    if !listed!(cursor.word(), "eighteen nineteen twenty two") {
        return None;
    }
    let (mut words, mut ends) = (Vec::with_capacity(5), Vec::with_capacity(5));
    let mut here = *cursor;
    while words.len() < 5 && !here.word().is_empty() {
        words.push(here.word().to_ascii_lowercase());
        here.at += here.word().len();
        ends.push(here.at);
        if here.skip(b" -\n", 1) == 0 {
            break;
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (year, used) = read_year(&words)?;
    let end = *ends.get(used.checked_sub(1)?)?;
    // `nineteen twenty-gauge needles`, `twenty forty vision`
    let counted = unit_follows(sentence, end) || sentence[end..].starts_with('-');
    (!counted && (1840..2100).contains(&year)).then(|| {
        cursor.at = end;
        year
    })
}

/// Judges a number in words with which a year may begin.
pub(super) fn detect(sentence: &str, hit: Hit, findings: &mut Findings) {
    let mut cursor = Cursor::new(sentence, hit.start);
    let Some(year) = year(sentence, &mut cursor) else { return };
    let range = hit.start..cursor.at;
    if byte_before(sentence, hit.start) == b'-' || findings.covers(&range) {
        return;
    }
    let lead = word_before(sentence, hit.start);
    let told = listed!(
        lead,
        "in since circa early mid late born spring summer fall autumn winter year b class of from until till through by before \
         after during between",
    );
    // `at nineteen thirty` and `given eighteen forty` are clock times, `of twenty forty` is a visual acuity, `two thousand` an amount.
    let sure = listed!(lead, "in since circa early mid late born spring summer fall autumn winter year b class");
    let clock = year % 100 < 60 && !sure;
    if match year {
        2000.. => sure,
        1900.. => told || !clock,
        _ => sure,
    } {
        findings.add(range, date(Kind::DateYear), 0.85);
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn dates(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Date])
    }

    #[test]
    fn years_in_words() {
        for (sentence, found) in [
            ("Born March fourteenth nineteen twenty-one.", "March fourteenth nineteen twenty-one"),
            ("born March fourteenth, nineteen twenty one in Ohio", "March fourteenth, nineteen twenty one"),
            ("He came over in nineteen oh five.", "nineteen oh five"),
            ("CABG in two thousand and eight, no angina", "two thousand and eight"),
            ("Quit smoking in twenty nineteen", "twenty nineteen"),
            ("the winter of nineteen sixty-three", "winter of nineteen sixty-three"),
            ("Nineteen sixty-four was a hard year", "Nineteen sixty-four"),
        ] {
            assert_eq!(dates(sentence), [found], "{sentence}");
        }
    }

    #[test]
    fn amounts_in_words_are_no_years() {
        for sentence in [
            "vision twenty twenty in both eyes",
            "gave two thousand units of heparin",
            "two thousand milliliters over night",
            "a nineteen twenty-gauge needle",
            "called at nineteen thirty",
            "last given eighteen forty",
            "vision of twenty forty",
            "twenty five patients",
        ] {
            assert_eq!(dates(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
