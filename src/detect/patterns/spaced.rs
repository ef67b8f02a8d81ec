//! Numeric dates with blanks in them, as the boxes of forms, scanners and dictation leave them: `3 / 14 / 1921`, `1 1 / 0 8 / 1 9 3 1`,
//! `12/ 08 /2 016`, `3. 14. 1921`.
//!
//! A chain of numbers has no blanks, so these are several chains. Without the blanks they are one date, and nothing else.

use super::context::{byte_at, byte_before, word_before};
use super::dates::day_and_month;
use super::findings::{Findings, date};
use super::pairs::{BEFORE_DATES, fraction_word_near};
use super::survey::Survey;
use super::years::unit_follows;
use crate::detect::listed::listed;
use crate::phi::Kind;

/// No date with blanks is longer, in bytes.
const LONGEST: usize = 24;

/// Judges every few chains that stand close together.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.chains.len() < 2 || survey.digits < 4 {
        return;
    }
    with_blanks(sentence, survey, findings);
    let mut done = 0;
    for (first, chain) in survey.chains.iter().enumerate() {
        let start = chain.start;
        let goes_on = first > 0 && is_gap(&sentence[survey.chains[first - 1].end..start], true);
        if start < done || goes_on || byte_before(sentence, start).is_ascii_alphanumeric() {
            continue;
        }
        let mut found = None;
        let mut end = chain.end;
        for (at, next) in survey.chains.iter().enumerate().skip(first + 1) {
            if !is_gap(&sentence[end..next.start], false) || next.end - start > LONGEST {
                break;
            }
            end = next.end;
            let other = survey.chains.get(at + 1);
            let followed = other.is_some_and(|other| is_gap(&sentence[end..other.start], true));
            if !followed && !byte_at(sentence, end).is_ascii_alphanumeric() && is_date(sentence, start, end) {
                found = Some(end);
            }
        }
        if let Some(end) = found.filter(|&end| !findings.covers(&(start..end))) {
            findings.add(start..end, date(Kind::DateFull), 0.9);
            done = end;
        }
    }
}

/// `06 21 1929`, `2019 03 14`, and `10 14 24` beside one or behind a word of days: three numbers with blanks alone between them.
fn with_blanks(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let mut whole = false;
    let of_four_digits: &[[usize; 3]] = &[[2, 2, 4], [4, 2, 2]];
    for (widths, is_sure) in [(of_four_digits, true), (&[[2, 2, 2]], false)] {
        for first in 0..survey.chains.len().saturating_sub(2) {
            let chains = &survey.chains[first..first + 3];
            let range = chains[0].start..chains[2].end;
            let told = is_sure || whole || listed!(word_before(sentence, range.start), BEFORE_DATES);
            if told && is_in_blanks(sentence, survey, first, widths) && !findings.covers(&range) {
                whole = true;
                findings.add(range, date(Kind::DateFull), 0.85);
            }
        }
    }
}

/// Whether three numbers from the `first` on are a date of one of these widths, and stand by themselves.
fn is_in_blanks(sentence: &str, survey: &Survey, first: usize, widths: &[[usize; 3]]) -> bool {
    let near = |left: usize| {
        let pair = survey.chains.get(left).zip(survey.chains.get(left + 1));
        pair.is_some_and(|(left, right)| &sentence[left.end..right.start] == " ")
    };
    let chains = [0, 1, 2].map(|at| &survey.chains[first + at]);
    let found = chains.map(|chain| if chain.count == 1 { chain.end - chain.start } else { 0 });
    let numbers = chains.map(|chain| sentence[chain.range()].parse::<u32>().unwrap_or(0));
    let (month, day, year) = match found[0] {
        4 => (numbers[1], numbers[2], numbers[0]),
        _ => (numbers[0], numbers[1], numbers[2]),
    };
    let (start, end) = (chains[0].start, chains[2].end);
    let begins = !byte_before(sentence, start).is_ascii_alphanumeric() && (first == 0 || !near(first - 1));
    let ends = !byte_at(sentence, end).is_ascii_alphanumeric() && byte_at(sentence, end) != b'%' && !near(first + 2);
    widths.contains(&found)
        && near(first)
        && near(first + 1)
        && month <= 12
        && day_and_month(month, day)
        && (year < 100 || (1900..=2060).contains(&year))
        && begins
        && ends
        && !unit_follows(sentence, end)
}

/// Whether what stands between two chains is one blank, or a separator with at most two blanks on either side.
fn is_gap(between: &str, separated: bool) -> bool {
    let mark = between.trim_matches(' ');
    between.len() <= 5 && (matches!(mark, "/" | "-" | ".") || !separated && between == " ")
}

/// Whether a part of a sentence is a date once its blanks are left out.
fn is_date(sentence: &str, start: usize, end: usize) -> bool {
    let text = sentence[start..end].replace(' ', "");
    let Some(separator) = text.find(['/', '-', '.']).map(|at| text.as_bytes()[at]) else { return false };
    let parts: Vec<&str> = text.split(char::from(separator)).collect();
    let [first, second, year] = parts[..] else { return false };
    let number = |part: &str| (1..=2).contains(&part.len()).then(|| part.parse::<u32>().ok()).flatten();
    let (Some(first), Some(second)) = (number(first), number(second)) else { return false };
    if !day_and_month(first, second) || ends_in_another_number(&sentence[start..end], &sentence[end..]) {
        return false;
    }
    let counted = unit_follows(sentence, end);
    // `4 . 17 . 22`: nothing else is written so.
    let parted = sentence[start..end].matches(" . ").count() == 2 && first <= 12;
    let told = (listed!(word_before(sentence, start), BEFORE_DATES) || is_dotted_field(&sentence[..start]))
        && separator != b'.'
        || separator == b'.' && listed!(word_before(sentence, start), "dob d.o.b born birthdate birthday bday");
    match (year.len(), year.parse::<u32>()) {
        (4, Ok(1840..=2299)) => !counted,
        // `3 / 4 / 15` and `1 - 2 - 13` count other things too.
        (2, Ok(_)) => {
            (told || parted)
                && !counted
                && !fraction_word_near(sentence, start)
                && (separator == b'/' || separator == b'.' || parted || year.starts_with('0'))
        }
        _ => false,
    }
}

/// Whether what would be the end of the year is a number of its own, an hour or a value: `12/28/19 13:05`, `Cr 3/4/19 12`.
fn ends_in_another_number(text: &str, rest: &str) -> bool {
    let Some((before, last)) = text.rsplit_once(' ') else { return false };
    let two = |digits: &str| digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let year = before.rsplit(['/', '-', '.']).next().unwrap_or_default().trim();
    let clock = rest.strip_prefix(':').is_some_and(|minutes| minutes.starts_with(|c: char| c.is_ascii_digit()));
    // A date without a blank is whole before it: its year has two digits.
    two(last) && two(year) && (!before.contains(' ') || clock)
}

/// Whether a text ends in `D.O.B.`, `D.O.S.` or their like.
fn is_dotted_field(text: &str) -> bool {
    let bytes = text.trim_end_matches([' ', ':']).as_bytes();
    matches!(bytes.last_chunk::<6>(), Some([b'D' | b'd', b'.', b'O' | b'o', b'.', _, b'.']))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    fn dates(sentence: &str) -> Vec<&str> {
        found(sentence, &[Label::Date])
    }

    #[test]
    fn blanks_alone() {
        assert_eq!(dates("Saul 06 21 1929 M, Prevnar L delt 10 15 24 Ilse"), ["06 21 1929", "10 15 24"]);
        assert_eq!(dates("DOB 02 08 31"), ["02 08 31"]);
        assert_eq!(dates("DOB 2019 03 14"), ["2019 03 14"]);
        for sentence in ["Age 11 12 15 years", "scores 10 14 24", "doses 02 08 10 12", "reps 10 10 2000 steps"] {
            assert_eq!(dates(sentence), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn dates_with_blanks_are_one_span() {
        for (sentence, found) in [
            ("DOB 3 / 14 / 1921", "3 / 14 / 1921"),
            ("born 3 - 14 - 1921 at home", "3 - 14 - 1921"),
            ("seen 03/ 14/ 2021", "03/ 14/ 2021"),
            ("Date: 3/14 / 2021.", "3/14 / 2021"),
            ("DOS: 3 / 14 / 21", "3 / 14 / 21"),
            ("seen 9 - 4 - 03, again", "9 - 4 - 03"),
            ("TUMOR BOARD 4 . 17 . 22", "4 . 17 . 22"),
            ("on 14. 3. 2021 again", "14. 3. 2021"),
            ("DOB 1 1 / 0 8 / 1 9 3 1   Age", "1 1 / 0 8 / 1 9 3 1"),
            ("D.O.S. 1 1/ 24/ 0 9   PAGE", "1 1/ 24/ 0 9"),
            ("signed 12/ 08 /2 016 illegible", "12/ 08 /2 016"),
        ] {
            assert_eq!(dates(sentence), [found], "{sentence}");
        }
    }

    #[test]
    fn what_follows_a_year_of_two_digits_is_no_part_of_it() {
        for (sentence, found) in [
            ("Admitted 12/28/19 13:05. Transferred", "12/28/19"),
            ("Onset 11-30-20 06:40", "11-30-20"),
            ("Cr 3/4/19 12", "3/4/19"),
            ("seen 3.4.2019, INR 03/04/19 21 s", "03/04/19"),
            ("HR 3/4/20 88", "3/4/20"),
        ] {
            assert!(dates(sentence).contains(&found), "{sentence}: {:?}", dates(sentence));
        }
        for sentence in ["seen 1 2/ 28/ 19 13:05", "Transferred 12 / 28 / 19 13:05"] {
            assert!(dates(sentence).iter().all(|found| !found.ends_with("13")), "{sentence}: {:?}", dates(sentence));
        }
        assert_eq!(dates("D.O.S. 1 1/ 24/ 20 09"), ["1 1/ 24/ 20 09"]);
    }

    #[test]
    fn counts_with_blanks_are_no_dates() {
        for sentence in [
            "pain 3 / 10 / 5 today",
            "reps 3 - 10 - 12",
            "BP 120 / 80 / 1999",
            "1. 2. 3. 2019",
            "strength 4 / 5 / 5",
            "grades 1 / 2 / 3 / 2019",
            "1 / 2 / 2000 mL",
            "sets 10 - 10 - 05",
            "doses 1 / 2 / 04",
        ] {
            assert!(dates(sentence).iter().all(|found| !found.contains(['/', '-'])), "{sentence}");
        }
    }
}
