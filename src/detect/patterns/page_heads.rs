//! Whose page a line heads: a number beside a birth and a sex, which no word introduces.
//!
//! ```text
//! JOST, AMANDA C 3-660-677 06/07/1942 F
//!                └ MEDICALRECORD      └ right beside the birth
//! ```
//!
//! Headers of pages, census lists and labels of specimens have no room for words. A day and a sex side by side are a person's, so the number
//! in their line is, too.

use super::context::{byte_at, byte_before, first_word};
use super::findings::Findings;
use super::survey::{Chain, Survey};
use crate::detect::listed::listed;
use crate::phi::Label;

/// A birth, with its year, and a number have no fewer digits.
const FEWEST_DIGITS: usize = 12;
/// How many digits a record's number has.
const SHORTEST: usize = 6;
const LONGEST: usize = 11;
/// Between a birth and a sex: ` (82 `, ` DOB: `, ` | `.
const WIDEST_GAP: usize = 8;

/// Adds the numbers in lines with a birth and a sex, once days are known.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits < FEWEST_DIGITS || survey.chains.len() < 2 {
        return;
    }
    for (start, line) in survey.lines(sentence) {
        let chains = || survey.chains.iter().filter(|chain| start <= chain.start && chain.end <= start + line.len());
        let is_birth = |chain: &Chain| findings.ends_whole_date(chain.end) && is_beside_sex(line, chain, start);
        if !chains().any(is_birth) {
            continue;
        }
        for number in chains().filter(|chain| is_number(sentence, chain)) {
            if !findings.covers(&number.range()) {
                findings.add(number.range(), Label::MedicalRecord, 0.9);
            }
        }
    }
}

/// Whether a sex stands beside a day, in a line that begins at `start`: `06/07/1942 F`, `Female | DOB 06/07/1942`, `6/7/1942 (82 F)`.
fn is_beside_sex(line: &str, day: &Chain, start: usize) -> bool {
    let is_between = |c: char| !c.is_alphabetic();
    let after = line.get(day.end - start..).unwrap_or_default();
    let behind = after.trim_start_matches(is_between);
    let before = line.get(..day.start - start).unwrap_or_default();
    let ahead = before.trim_end_matches(is_between);
    let ahead = ["DOB", "dob", "Dob"].iter().find_map(|lead| ahead.strip_suffix(lead)).unwrap_or(ahead);
    let ahead = ahead.trim_end_matches(is_between);
    let last = ahead.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    after.len() - behind.len() <= WIDEST_GAP && is_sex(first_word(behind))
        || before.len() - ahead.len() <= WIDEST_GAP && is_sex(last)
}

fn is_sex(word: &str) -> bool {
    matches!(word, "F" | "M") || listed!(word, "female male")
}

/// Whether a chain is a number of its own, and of no telephone by its form.
fn is_number(sentence: &str, chain: &Chain) -> bool {
    let lengths: Vec<usize> = chain.numbers().iter().map(|(start, end)| end - start).collect();
    let free = |byte: u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b'$' | b'.' | b'/');
    (SHORTEST..=LONGEST).contains(&lengths.iter().sum())
        && lengths.len() == chain.count
        && chain.separators().iter().all(|&mark| mark == b'-')
        && !matches!(lengths[..], [3, 3, 4] | [3, 4] | [10])
        && free(byte_before(sentence, chain.start))
        && (free(byte_at(sentence, chain.end)) || byte_at(sentence, chain.end) == b'.')
}

#[cfg(test)]
mod tests {
    use crate::detect::SentenceDetector;
    use crate::detect::patterns::PatternDetector;
    use crate::phi::{Label, unite};

    fn numbers(line: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        PatternDetector::new().detect(line, &mut spans);
        let spans = unite(spans);
        let numbers = spans.iter().filter(|span| span.leading().class.label == Label::MedicalRecord);
        numbers.map(|span| &line[span.start..span.end]).collect()
    }

    #[test]
    fn numbers_beside_a_birth_and_a_sex_are_of_records() {
        for line in [
            "JOST, AMANDA C 3-660-677 06/07/1942 F",
            "Jost, Amanda C   3-660-677   F   06/07/1942   4 West",
            "3-660-677 | Jost, Amanda | Female | DOB: 06/07/1942",
            "JOST, AMANDA  DOB 06/07/1942 (82 F) 3-660-677",
            "Jost, Amanda 3-660-677 M 06-07-1942",
        ] {
            assert_eq!(numbers(line), ["3-660-677"], "{line}");
        }
        assert_eq!(numbers("OKAFOR,NGOZI T  00482213  F  DOB 3/2/1958"), ["00482213"]);
    }

    #[test]
    fn other_numbers_are_not() {
        for line in [
            "JOST, AMANDA 06/07/1942 F 555-0142",
            "JOST, AMANDA 06/07/1942 F (612) 555-0142",
            "JOST|AMANDA|19420607|F|3045550188",
            "Last dose of heparin 5,000 units 06/07/2019, platelets 104000",
            "M. bovis 06/07/2019, 104-220-118 copies",
            "Seen 06/07/2019. Male infant, weight 3-4 kg",
            "06/07/1942 F 120/80 98.6 72-18",
        ] {
            assert_eq!(numbers(line), [] as [&str; 0], "{line}");
        }
    }
}
