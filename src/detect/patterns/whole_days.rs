//! Days with their year which nothing else can be, whatever word stands before them.
//!
//! ```text
//! "Encounter 2014-03-05T10:00:00Z"             no number of an account
//! "Next visit 03/05/2014-03/14/2014"           nor is a stay
//! "Called 2014-03-05"                          and nobody's telephone
//! "3/5/20141030"                               a day that ran together with its hour
//! ```
//!
//! The families of numbers take what a word introduces; so these come before them.

use super::context::{byte_at, byte_before, word_before};
use super::dates::{is_glued, is_whole_date};
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
            (3, b"//") => &[without_hour(sentence, chain).unwrap_or(*chain)],
            (3, b"--") if is_year_first(chain) || is_called(sentence, chain) => &[*chain],
            _ => continue,
        };
        let free = !byte_before(sentence, chain.start).is_ascii_alphanumeric()
            && (byte_at(sentence, chain.end) == b'T' || !is_glued(sentence, chain));
        if free && days.iter().all(|day| has_year(day) && is_whole_date(sentence, day)) {
            days.iter().for_each(|day| findings.add(day.range(), date(Kind::DateFull), 1.0));
        }
    }
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

/// A day without the hour and the minute that ran together with its year.
fn without_hour(sentence: &str, chain: &Chain) -> Option<Chain> {
    let &(start, end) = chain.numbers().last()?;
    let hour: u32 = sentence[start..end].get(YEAR..)?.parse().ok()?;
    (end - start == YEAR_AND_HOUR && hour < 2400 && hour % 100 < 60).then(|| chain.cut(start + YEAR))
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
            ("seen 2014-Mar-05, 2014/Mar/05 and 2014 Mar 5 in clinic", &["2014-Mar-05", "2014/Mar/05", "2014 Mar 5"]),
            ("[31/Dec/2014:23:10:00 +0000] signed", &["31/Dec/2014"]),
            ("chest_2014_03_05.pdf, Date of service: 2014_03_05", &["2014_03_05", "2014_03_05"]),
            ("Seen 2014. 3. 5. in Seoul", &["2014. 3. 5"]),
            ("OBR|1|||19990305103000|", &["19990305"]),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), days, "{sentence}");
            assert_eq!(found(sentence, &[Label::Account, Label::Phone, Label::IdNum]), [] as [&str; 0], "{sentence}");
        }
    }

    #[test]
    fn numbers_of_persons_stay_numbers() {
        for (sentence, numbers) in [
            ("MRN 2014-03-05-118", &["2014-03-05-118"] as &[&str]),
            ("MRN 03-12-2014", &["03-12-2014"]),
            ("MRN 3/5/20147", &["3/5/20147"]),
        ] {
            assert_eq!(found(sentence, &[Label::MedicalRecord]), numbers, "{sentence}");
        }
    }
}
