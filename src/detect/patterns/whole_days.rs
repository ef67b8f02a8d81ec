//! Days with their year that stand free, which nothing else is, whatever word stands before them.
//!
//! ```text
//! "Encounter 2014-03-05T10:00:00Z"             no number of an account
//! "Next visit 03/05/2014-03/14/2014"           nor is a stay
//! "Called 2014-03-05"                          and nobody's telephone
//! "3/5/20141030"                               a day that ran together with its hour
//! "MRN 2014-03-05A7", "/2014/03/05/quorlin"    a part of something else
//! ```
//!
//! The families of numbers take what a word introduces; so these come before them.

use super::context::{byte_at, byte_before, word_before};
use super::cues::Cue;
use super::dates::is_whole_date;
use super::findings::{Findings, date};
use super::survey::{Chain, Survey};
use crate::detect::listed::listed;
use crate::phi::Kind;

/// A day with its year has no fewer digits.
const FEWEST_DIGITS: usize = 6;
/// The digits of a year, and of one with an hour and a minute behind it.
const YEAR: usize = 4;
const YEAR_AND_HOUR: usize = 8;

/// Adds them.
pub(super) fn detect(sentence: &str, survey: &Survey, findings: &mut Findings) {
    if survey.digits < FEWEST_DIGITS {
        return;
    }
    for chain in survey.chains.iter().filter(|chain| matches!(chain.count, 3 | 6)) {
        let days: &[Chain] = match (chain.count, chain.separators()) {
            (6, b"//-//" | b"--/--") => &[chain.part(0, 3), chain.part(3, 6)],
            (3, b"//") => &[without_hour(sentence, survey, chain).unwrap_or(*chain)],
            (3, b"--") if is_year_first(chain) || is_called(sentence, chain) => &[*chain],
            _ => continue,
        };
        let free = stands_free(sentence, chain) && !findings.covers(&chain.range());
        if free && days.iter().all(|day| has_year(day) && is_whole_date(sentence, day)) {
            days.iter().for_each(|day| findings.add(day.range(), date(Kind::DateFull), 1.0));
        }
    }
}

/// Whether nothing is joined to a chain of which it could be a part, but a clock time.
fn stands_free(sentence: &str, chain: &Chain) -> bool {
    let before = byte_before(sentence, chain.start);
    let [after, next, third] = [0, 1, 2].map(|at| byte_at(sentence, chain.end + at));
    let begins = before == 0 || before.is_ascii_whitespace() || b"([{<|,;:=\"'*".contains(&before);
    let clock =
        after == b'T' && next.is_ascii_digit() && third.is_ascii_digit() && byte_at(sentence, chain.end + 3) == b':';
    let ends = after == 0
        || after.is_ascii_whitespace()
        || b")]}>|,;:!?\"'*".contains(&after)
        || matches!(after, b'.' | b'-') && !next.is_ascii_alphanumeric();
    begins && (ends || clock)
}

/// Whether one of the numbers has the digits of a year.
fn has_year(day: &Chain) -> bool {
    day.numbers().iter().any(|(start, end)| end - start == YEAR)
}

/// `Called 03-05-2014`: no telephone number has such groups, but the number of a record may.
fn is_called(sentence: &str, day: &Chain) -> bool {
    listed!(
        word_before(sentence, day.start),
        "call called calls phoned telephoned phone telephone tel fax faxed page paged pager texted"
    )
}

fn is_year_first(day: &Chain) -> bool {
    day.numbers().first().is_some_and(|(start, end)| end - start == YEAR)
}

/// A day without the hour and the minute that ran together with its year, where no word introduces a number.
fn without_hour(sentence: &str, survey: &Survey, chain: &Chain) -> Option<Chain> {
    /// Between a word and the number that it introduces.
    const WIDEST_GAP: usize = 12;
    let &(start, end) = chain.numbers().last()?;
    let hour: u32 = sentence[start..end].get(YEAR..)?.parse().ok()?;
    let introduced = survey.hits.iter().any(|hit| {
        matches!(hit.cue, Cue::Identifier(_)) && hit.end <= chain.start && chain.start - hit.end <= WIDEST_GAP
    });
    let fits = end - start == YEAR_AND_HOUR && hour < 2400 && hour % 100 < 60 && !introduced;
    fits.then(|| chain.cut(start + YEAR))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn whole_days_behind_any_word() {
        for (sentence, days) in [
            ("Next visit 03/05/2014-03/14/2014.", &["03/05/2014", "03/14/2014"] as &[&str]),
            ("Encounter 2014-03-05T10:00:00Z", &["2014-03-05"]),
            ("Called 2014-03-05.", &["2014-03-05"]),
            ("Report 2014-03-05/2014-03-07 for pain", &["2014-03-05", "2014-03-07"]),
            ("Faxed 2014-03-05 for pain", &["2014-03-05"]),
            ("Called 03-05-2014.", &["03-05-2014"]),
            ("Coverage 3/5/2014-3/7/2014", &["3/5/2014", "3/7/2014"]),
            ("seen 3/5/20141030", &["3/5/2014"]),
            ("seen 2014-Mar-05 and 2014/Mar/05 in clinic", &["2014-Mar-05", "2014/Mar/05"]),
            ("seen Mar 3 2014 Mar 5", &["Mar 3 2014", "Mar 5"]),
            ("[31/Dec/2014:23:10:00 +0000] signed", &["31/Dec/2014"]),
            ("chest_2014_03_05.pdf, Date of service: 2014_03_05", &["2014_03_05", "2014_03_05"]),
            ("OBR|1|||19990305103000|", &["19990305"]),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), days, "{sentence}");
            assert_eq!(found(sentence, &[Label::Account, Label::Phone, Label::IdNum]), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn what_a_day_is_a_part_of_stays_whole() {
        for (sentence, whole) in [
            ("MRN 2014-03-05-118", "2014-03-05-118"),
            ("MRN 03-12-2014", "03-12-2014"),
            ("MRN 3/5/20147", "3/5/20147"),
            ("MRN 2014-03-05A7", "2014-03-05A7"),
            ("MRN: 2014-03-05-A7", "2014-03-05-A7"),
            ("Accession: XR-2014-03-05-K7", "XR-2014-03-05-K7"),
            ("Claim # 2014-03-05-KM1961", "2014-03-05-KM1961"),
            ("Account 3/5/20141030", "3/5/20141030"),
            ("see https://clinic.org/u/2014-03-05/jones-maria now", "https://clinic.org/u/2014-03-05/jones-maria"),
            ("www.mkowalczyk-2014-03-05.org", "www.mkowalczyk-2014-03-05.org"),
        ] {
            let labels = [Label::MedicalRecord, Label::IdNum, Label::Account, Label::Url];
            assert_eq!(found(sentence, &labels), [whole], "{sentence}");
        }
    }
}
