//! Days and months that their neighbours tell: `LMP 2/3 or 2/4`, `visits 1/8, 1/10, 1/15`, `C1D1 4/4`, `DOB 11 08 31`.
//!
//! A pair of numbers may be a fraction or a score. Several in a row whose days run on within a month are dates, and so are all that are
//! joined to one that the word before it tells, or to a whole date: `3/4, 3/6, and 3/8/2019`.

use super::context::{byte_at, byte_before, word_after, word_before};
use super::dates::{day_and_month, is_whole_date, value};
use super::findings::{Findings, date};
use super::pairs::{BEFORE_DATES, FRACTION_WORDS, fraction_word_near, is_of_machine};
use super::survey::{Chain, Survey};
use super::years::unit_follows;
use crate::detect::listed::listed;
use crate::phi::{Kind, Label};

/// Fields of days, behind which three numbers with blanks are one.
const FIELDS: &str = "dos doa doi lmp edd edc date dated cert recert certification recertification exp expires expired expiration eff \
                      effective signed";
/// A day and what was measured on it take no more bytes than so many before the next day.
const WIDEST_ENTRY: usize = 30;
/// So many days make a series.
const FEWEST_ENTRIES: usize = 3;

/// Judges every row of pairs of a sentence, and numbers after the cycle of a therapy or the field of a birth.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    columns(sentence, survey, findings);
    series(sentence, survey, findings);
    let mut rest = survey.chains.as_slice();
    let mut previous = None;
    while let Some((first, later)) = rest.split_first() {
        if !is_pair(sentence, first) {
            birth_in_columns(sentence, rest, findings);
            (previous, rest) = (Some(first), later);
            continue;
        }
        let mut length = 1;
        while rest
            .get(length)
            .is_some_and(|next| is_pair(sentence, next) && are_joined(&sentence[rest[length - 1].end..next.start]))
        {
            length += 1;
        }
        let row = &rest[..length];
        let beside = |whole: Option<&Chain>| whole.is_some_and(|whole| are_beside(sentence, row, whole));
        if length > 1 && are_dates(sentence, row)
            || after_cycle(sentence, first)
            || goes_on_from_date(sentence, first, findings)
            || beside(previous)
            || beside(rest.get(length))
        {
            let free = row.iter().filter(|pair| !findings.covers(&pair.range())).collect::<Vec<_>>();
            free.iter().for_each(|pair| findings.add(pair.range(), date(Kind::DatePartial), 0.8));
        }
        (previous, rest) = (row.last(), &rest[length..]);
    }
}

/// `1/3/2020, 1/17, 1/31` and `3/4, 3/6, and 3/8/2019`: days in a row with a whole date, each later than the one before.
fn are_beside(sentence: &str, row: &[Chain], whole: &Chain) -> bool {
    let (Some(first), Some(last)) = (row.first(), row.last()) else { return false };
    let between = if whole.start < first.start { whole.end..first.start } else { last.end..whole.start };
    if whole.count != 3 || whole.separators() != b"//" || !is_whole_date(sentence, whole) {
        return false;
    }
    let parts = |chain: &Chain| parts(sentence, chain);
    let mut days = row.iter().map(parts).collect::<Vec<_>>();
    days.insert(if whole.start < first.start { 0 } else { days.len() }, parts(whole));
    sentence.get(between).is_some_and(are_joined)
        && days.windows(2).all(|pair| pair[0] < pair[1])
        && !fraction_word_near(sentence, first.start)
}

/// `3/14`, and no part of anything longer.
fn is_pair(sentence: &str, chain: &Chain) -> bool {
    let numbers = chain.numbers();
    chain.count == 2
        && chain.separators() == b"/"
        && numbers.iter().all(|(start, end)| end - start <= 2)
        && day_and_month(value(sentence, numbers[0]).0, value(sentence, numbers[1]).0)
        && !byte_at(sentence, chain.end).is_ascii_alphanumeric()
        && !byte_before(sentence, chain.start).is_ascii_alphanumeric()
        && byte_at(sentence, chain.end) != b'%'
}

/// The two numbers of a pair.
fn parts(sentence: &str, pair: &Chain) -> (u32, u32) {
    (value(sentence, pair.numbers()[0]).0, value(sentence, pair.numbers()[1]).0)
}

fn are_joined(between: &str) -> bool {
    matches!(between, ", " | "," | " & " | "; ")
        || listed!(between.trim_matches([' ', ',']), "or and") && between.contains(' ')
}

fn are_dates(sentence: &str, row: &[Chain]) -> bool {
    let parts = |chain: &Chain| parts(sentence, chain);
    let (Some(first), Some(last)) = (row.first(), row.last()) else { return false };
    let before = word_before(sentence, first.start);
    let fraction = fraction_word_near(sentence, first.start) || listed!(word_after(sentence, last.end), FRACTION_WORDS);
    let rising = row.windows(2).all(|pair| parts(&pair[0]) < parts(&pair[1]));
    let days = row.iter().any(|pair| parts(pair).1 > 12 && !parts(pair).1.is_multiple_of(10));
    let one_month = row.iter().all(|pair| parts(pair).0 == parts(first).0);
    // `photos 1/28, 3/6, 4/15`: days that run on over months, not one score after the other.
    let run_on = row.len() > 2 && row.windows(2).any(|pair| parts(&pair[0]).1 != parts(&pair[1]).1) && !fraction;
    // `seen 4/5 and 5/5 of them`
    let told = listed!(before, "lmp dob dos doa on since dated") || days && listed!(before, BEFORE_DATES);
    rising && (told && !fraction || days && run_on || one_month && days && (row.len() > 2 || !fraction))
}

/// `New Year's Day and 1/2`: joined to a date that has been found.
fn goes_on_from_date(sentence: &str, first: &Chain, findings: &Findings) -> bool {
    let joined = |end: &usize| sentence.get(*end..first.start).is_some_and(|gap| gap.len() <= 6 && are_joined(gap));
    // `since Easter, 8/10` and `Tuesday, 4/5 grip`: pain and strength.
    let (of, all) = (value(sentence, first.numbers()[0]).0, value(sentence, first.numbers()[1]).0);
    let counted = matches!(all, 5 | 10) && of <= all
        || unit_follows(sentence, first.end)
        || listed!(word_after(sentence, first.end), FRACTION_WORDS)
        || listed!(word_after(sentence, first.end), "of day days tab");
    !counted && !fraction_word_near(sentence, first.start) && findings.ends_of(Label::Date).iter().any(joined)
}

/// Adds `4/1    4/2    4/3    4/4`: the columns of a table, one for each day.
fn columns(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let chains = survey.chains.as_slice();
    for (at, _) in chains.iter().enumerate().filter(|(_, first)| is_pair(sentence, first)) {
        let later = chains.iter().skip(at).zip(chains.iter().skip(at + 1));
        let length = 1 + later.take_while(|(left, right)| is_next_column(sentence, left, right)).count();
        let row = chains.iter().skip(at).take(length).filter(|_| length > 2);
        row.filter(|day| !findings.covers(&day.range()))
            .collect::<Vec<_>>()
            .iter()
            .for_each(|day| findings.add(day.range(), date(Kind::DatePartial), 0.8));
    }
}

/// Adds `10/1 1.4  10/3 1.9  10/10 3.1`: days that rise, with something behind each. Scores fall as often, and have one scale.
fn series(sentence: &str, survey: &Survey, findings: &mut Findings) {
    let pairs: Vec<_> = survey.chains.iter().filter(|chain| is_pair(sentence, chain)).collect();
    let parts = |chain: &Chain| parts(sentence, chain);
    for run in pairs.chunk_by(|left, right| {
        let near = right.start - left.end <= WIDEST_ENTRY && !sentence[left.end..right.start].contains('\n');
        near && parts(left) < parts(right) && parts(right).0 - parts(left).0 <= 1
    }) {
        let days = run.iter().map(|chain| parts(chain));
        let months = days.clone().all(|(month, _)| month <= 12);
        let beyond_scores = days.clone().any(|(_, day)| day > 6 && !day.is_multiple_of(10));
        let varied = run.windows(2).filter(|pair| parts(pair[0]).1 != parts(pair[1]).1).count() > 1;
        if run.len() < FEWEST_ENTRIES
            || !(months && beyond_scores && varied)
            || fraction_word_near(sentence, run[0].start)
            || is_of_machine(word_before(sentence, run[0].start))
        {
            continue;
        }
        for day in run.iter().filter(|day| !unit_follows(sentence, day.end)) {
            if !findings.covers(&day.range()) {
                findings.add(day.range(), date(Kind::DatePartial), 0.7);
            }
        }
    }
}

/// Whether two pairs are days, one after the other, in columns beside each other.
fn is_next_column(sentence: &str, left: &Chain, right: &Chain) -> bool {
    let parts = |chain: &Chain| parts(sentence, chain);
    let gap = sentence.get(left.end..right.start).unwrap_or_default();
    is_pair(sentence, right)
        && (gap.starts_with("  ") || gap.contains('|'))
        && gap.bytes().all(|byte| matches!(byte, b' ' | b'|'))
        && parts(left).0 == parts(right).0
        && parts(left).1 + 1 == parts(right).1
}

/// `C1D1 4/4`.
fn after_cycle(sentence: &str, chain: &Chain) -> bool {
    let Some(head) = sentence[..chain.start].strip_suffix(' ') else { return false };
    let token = head.rsplit([' ', '(', ',', ';', '\n']).next().unwrap_or_default();
    let Some(rest) = token.strip_prefix(['C', 'c']) else { return false };
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let day = digits.strip_prefix(['D', 'd']).unwrap_or("x");
    digits.len() < rest.len() && !day.is_empty() && day.bytes().all(|byte| byte.is_ascii_digit())
}

/// `DOB 11 08 31`, `next cert 6 19 25`: the columns of a form, or blanks that a scanner or somebody left for slashes.
fn birth_in_columns(sentence: &str, chains: &[Chain], findings: &mut Findings) {
    let [month, day, year, ..] = chains else { return };
    let field = word_before(sentence, month.start);
    let birth = listed!(field, "dob birthdate d.o.b");
    if [month, day, year].iter().any(|chain| chain.count != 1) || !birth && !listed!(field, FIELDS) {
        return;
    }
    // A day that is not of a birth is of these years, and no fourth number follows.
    let rest = &sentence[year.end..];
    let counted = unit_follows(sentence, year.end)
        || rest.starts_with(|c: char| !matches!(c, ' ' | ',' | ';' | '.' | ')' | '\n'))
        || rest.trim_start_matches([' ', '.', ',']).starts_with(|c: char| c.is_ascii_digit());
    if !birth && (counted || !matches!(value(sentence, year.numbers()[0]).0, 10..=49 | 1990..=2060)) {
        return;
    }
    let blank = |left: &Chain, right: &Chain| {
        sentence.get(left.end..right.start).is_some_and(|gap| gap.trim().is_empty() && gap.len() <= 3)
    };
    let length = |chain: &Chain| chain.end - chain.start;
    let fits = length(month) <= 2 && length(day) <= 2 && matches!(length(year), 2 | 4);
    let numbers = (value(sentence, month.numbers()[0]).0, value(sentence, day.numbers()[0]).0);
    let range = month.start..year.end;
    if fits && blank(month, day) && blank(day, year) && day_and_month(numbers.0, numbers.1) && !findings.covers(&range)
    {
        findings.add(range, date(Kind::DateFull), 0.9);
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
    fn rows_of_days() {
        assert_eq!(dates("LMP 2/3 or 2/4, unsure"), ["2/3", "2/4"]);
        assert_eq!(dates("rehab visits completed: 1/8, 1/10, 1/15"), ["1/8", "1/10", "1/15"]);
        assert_eq!(dates("wound photos 1/28, 3/6, 4/15"), ["1/28", "3/6", "4/15"]);
        assert_eq!(dates("seen on 3/4 and 3/6 in clinic"), ["3/4", "3/6"]);
        assert_eq!(dates("Chemo C1D1 4/4, C2D1 4/25"), ["4/4", "4/25"]);
        assert_eq!(dates("DOB 11 08 31"), ["11 08 31"]);
        assert_eq!(dates("infusions 3/4, 3/6, and 3/8/2019"), ["3/4", "3/6", "3/8/2019"]);
        assert_eq!(dates("chemo 1/3/2020, 1/7, 1/10 & 2/4"), ["1/3/2020", "1/7", "1/10", "2/4"]);
    }

    #[test]
    fn days_with_something_behind_each() {
        assert_eq!(dates("INR  10/1 1.4  10/3 1.9  10/10 3.1  10/12 2.4"), ["10/1", "10/3", "10/10", "10/12"]);
        assert_eq!(dates("wts 3/28 71.2, 4/2 70.8, 4/9 69.9"), ["3/28", "4/2", "4/9"]);
        for sentence in [
            "delts 4/5 bi 4/5 tri 5/5",
            "hip 2/5 knee 3/5 ankle 4/5",
            "pain 3/10 then 5/10 then 6/10",
            "BiPAP 8/4, 9/5, 10/7",
        ] {
            assert_eq!(dates(sentence), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn days_beside_dates_and_in_columns() {
        assert_eq!(dates("Missed New Year's Day and 1/2, says stuck"), ["New Year's Day", "1/2"]);
        assert_eq!(dates("closed Christmas Eve, 12/27 and after"), ["Christmas Eve", "12/27"]);
        assert_eq!(dates("        4/1    4/2    4/3    4/4\nBP      118/62"), ["4/1", "4/2", "4/3", "4/4"]);
        assert_eq!(dates("| 5/4 | 5/5 | 5/6 |"), ["5/4", "5/5", "5/6"]);
        assert_eq!(dates("next cert 6 19 25 at the office"), ["6 19 25"]);
        assert_eq!(dates("EDD: 11 4 2026, by US"), ["11 4 2026"]);
        assert_eq!(dates("ate Thanksgiving and 1/2 of the pie"), ["Thanksgiving"]);
        assert_eq!(dates("worse since Mother's Day, 8/10"), ["Mother's Day"]);
        for sentence in [
            "pulses  1/4  2/4  3/4",
            "strength  4/5    5/5    4/5",
            "exp 6 19 25 30 mL",
            "signed 1 2 3 forms",
            "date 3 10 20 mg",
        ] {
            assert_eq!(dates(sentence), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn rows_of_scores() {
        for sentence in [
            "strength 4/5 and 5/5 in the legs",
            "pain between 3/10 and 5/10",
            "pulses 1/4, 2/4",
            "vision 20/20, 20/30",
            "grade 1/6 or 2/6 murmur",
            "ate 2/4, 3/4 of it",
            "recall 8/15, 9/15, 11/15",
            "strength 3/5, 4/5, 6/7 in the arm",
        ] {
            assert_eq!(dates(sentence), [] as [&str; 0], "{sentence}");
        }
    }
}
