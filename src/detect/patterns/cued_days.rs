//! Days that look like an amount or a clock time, told by the word right before them: `DOS 0304`, `cath 0215`, `echo 10.2`.
//!
//! ```text
//! DOS 0304, last pap 0918, LMP 3.14, echo 10.2           days of a month
//! cath at 0215, straight cath 0430, CT 1.5 cm, INR 1.2   a clock time, the same, a size, a value
//! ```
//!
//! Four digits are an hour and its minutes far more often, and two numbers with a full stop a value. So the word before must be one of a
//! day or of what is done once, nothing may measure the number, and beside clock times four digits are one of them.

use super::context::{byte_at, byte_before, first_run, offset_in, word_before};
use super::dates::{day_and_month, value};
use super::findings::{Findings, date};
use super::survey::{Chain, Survey};
use super::years::unit_follows;
use crate::detect::listed::listed;
use crate::phi::Kind;

/// Words of a day: no number behind them is anything else.
const OF_DAYS: &str = "dos dob doa doi lmp edd edc dated";
/// What is done once and written with its day.
const DONE: &str = "cath lhc rhc echo tte tee colonoscopy colo egd ercp eus mammo mammogram mammography dexa biopsy bx sigmoidoscopy \
                    bronch bronchoscopy cystoscopy cysto hysteroscopy angiogram";
/// Likewise, and with four digits only: a pressure goes by the same name.
const SCREENED: &str = "pap paps papsmear";
/// Catheters of the bladder, which are put in at an hour.
const OF_BLADDERS: &str =
    "straight st str foley urinary bladder self intermittent condom suprapubic sp in out in/out i&o coude texas";
/// Who or what comes before a visit that is told by `seen` alone.
const SEEN: &str = "last pt patient he she they first next";
/// What makes a number behind its blank a measure, where no unit does.
const MEASURED: &str = "x m sd by vs versus to of times mets t tesla cmh2o h2o fr french gauge ga bid tid qid qd qhs qod daily nightly po wk wks week \
                        weeks mo mos month months yr yrs year years day beats am pm score points fold on";

/// What is behind four digits that are an hour: `EGD 1030 tomorrow`, `K 3.1 on 0430 labs`.
const TIMED: &str = "today tomorrow tonight npo labs lab draw draws check checks recheck vitals vs rounds assessment gas abg bmp cbc bgl \
                     dose";

/// Judges a number, or two with a full stop between them.
pub(super) fn detect(sentence: &str, survey: &Survey, chain: &Chain, findings: &mut Findings) {
    if chain.count == 1 && is_full_run(sentence, chain) && !findings.covers(&chain.range()) {
        findings.add(chain.range(), date(Kind::DateFull), 0.85);
        return;
    }
    let told = match chain.count {
        1 => is_run(sentence, chain) && is_told_in_a_run(sentence, survey, chain),
        2 => is_dotted(sentence, chain) && is_told_with_a_stop(sentence, chain),
        _ => false,
    };
    if told && !is_measured(sentence, chain.end) && !findings.covers(&chain.range()) {
        findings.add(chain.range(), date(Kind::DatePartial), 0.75);
    }
}

/// `0304`: a month and a day of it in four digits.
fn is_run(sentence: &str, chain: &Chain) -> bool {
    let (number, digits) = value(sentence, chain.numbers()[0]);
    digits == 4 && (1..=12).contains(&(number / 100)) && (1..=31).contains(&(number % 100))
}

/// `DOI:081919`: a month, a day of it and a year in six digits, behind a word of a day.
fn is_full_run(sentence: &str, chain: &Chain) -> bool {
    let (number, digits) = value(sentence, chain.numbers()[0]);
    digits == 6
        && day_and_month(number / 10_000, number / 100 % 100)
        && cue(sentence, chain.start).is_some_and(|(cue, _)| listed!(cue, OF_DAYS))
        && !byte_at(sentence, chain.end).is_ascii_alphanumeric()
}

/// `10.2`, `3.14`: a month and a day, one of them with two digits, for `1.5` is of all amounts.
fn is_dotted(sentence: &str, chain: &Chain) -> bool {
    let [(month, first), (day, second)] = [0, 1].map(|at| value(sentence, chain.numbers()[at]));
    chain.separators() == b"." && first.max(second) == 2 && month <= 12 && day_and_month(month, day)
}

fn is_told_in_a_run(sentence: &str, survey: &Survey, chain: &Chain) -> bool {
    let Some((cue, before)) = cue(sentence, chain.start) else { return false };
    if listed!(cue, OF_DAYS) {
        return true;
    }
    let behind = sentence[chain.end..].strip_prefix(' ').unwrap_or_default();
    if listed!(first_run(behind, u8::is_ascii_alphanumeric), TIMED) {
        return false;
    }
    // `on 1215 calories`; with a zero before it nothing is counted.
    let on = cue.eq_ignore_ascii_case("on") && sentence[chain.start..].starts_with('0');
    let done = listed!(cue, DONE) || listed!(cue, SCREENED);
    (on || done && !(cue.eq_ignore_ascii_case("cath") && listed!(before, OF_BLADDERS)))
        && !survey.chains.iter().any(|other| other.start != chain.start && is_clock(sentence, other))
}

/// Whether a number stands for an hour and its minutes: `0200`, or `14` of `14:05`.
fn is_clock(sentence: &str, chain: &Chain) -> bool {
    let (number, digits) = value(sentence, chain.numbers()[0]);
    let colon = byte_at(sentence, chain.end) == b':' && byte_at(sentence, chain.end + 1).is_ascii_digit();
    // What is larger may be a year.
    chain.count == 1 && (digits == 4 && number < 1_900 && number % 100 < 60 || digits <= 2 && colon)
}

fn is_told_with_a_stop(sentence: &str, chain: &Chain) -> bool {
    let Some((cue, before)) = cue(sentence, chain.start) else { return false };
    let seen = || cue.eq_ignore_ascii_case("seen") && (before.is_empty() || listed!(before, SEEN));
    listed!(cue, OF_DAYS) || listed!(cue, DONE) || seen()
}

/// The word right before a place and the one before that; none where a mark parts it from the place.
fn cue(sentence: &str, at: usize) -> Option<(&str, &str)> {
    let word = word_before(sentence, at);
    let start = offset_in(sentence, word);
    let gap = sentence.get(start + word.len()..at).filter(|gap| !word.is_empty() && !gap.is_empty())?;
    let near = gap.bytes().all(|byte| matches!(byte, b' ' | b':' | b'(' | b'[' | b'\n'));
    // `LHC/RHC`, `echo/TTE`
    let last = word.rsplit('/').next().unwrap_or(word);
    (near && !matches!(byte_before(sentence, start), b'@' | b'_')).then(|| (last, word_before(sentence, start)))
}

/// Whether what follows says that a number is an amount or a clock time, or that it goes on.
fn is_measured(sentence: &str, at: usize) -> bool {
    let rest = &sentence[at..];
    let goes_on = rest.starts_with(|c: char| !matches!(c, ' ' | ',' | ';' | ')' | ']' | '.' | ':' | '\n' | '\t' | '?'));
    let behind = rest.trim_start_matches([' ', ':', ',']);
    let number = rest.trim_start_matches(['.', ':', ',']).starts_with(|c: char| c.is_ascii_digit());
    let word = first_run(behind, u8::is_ascii_alphanumeric);
    let blank = rest.starts_with(' ');
    let sign = behind.starts_with(['>', '<', '=', '+', '%', '°', '±', '×', '→']) || behind.starts_with("->");
    // `cath 11.5 at skin`: how deep it lies.
    let deep =
        ["at ", "@ ", "to "].iter().find_map(|at| behind.strip_prefix(at)).map(|rest| rest.trim_start_matches("the "));
    let landmark = deep.map_or("", |rest| first_run(rest, u8::is_ascii_alphabetic));
    let lies = listed!(landmark, "skin lip lips teeth gum gums gumline nare nares naris hub umbilicus stoma");
    goes_on || number || sign || lies || blank && (unit_follows(sentence, at) || listed!(word, MEASURED))
}

#[cfg(test)]
mod tests {
    use crate::detect::patterns::golden::found;
    use crate::phi::Label;

    #[test]
    fn a_month_and_a_day_in_four_digits() {
        for (sentence, day) in [
            ("DOS 0304, claim resent", "0304"),
            ("DOS: 1118", "1118"),
            ("Employer:TYSON DOI:081919 Adj:LACEY", "081919"),
            ("DOS 1118 labs billed", "1118"),
            ("DOB 0215 per the band", "0215"),
            ("Cath 0215: clean coronaries", "0215"),
            ("s/p LHC/RHC 0604 with one stent", "0604"),
            ("last PAP 0918 normal", "0918"),
            ("colonoscopy (0617) two polyps", "0617"),
            ("LMP 1102. Not pregnant", "1102"),
            ("letter dated 0721 scanned", "0721"),
            ("echo 1021, EF 55", "1021"),
            ("had it out on 0812, doing ok", "0812"),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), [day], "{sentence}");
        }
    }

    #[test]
    fn a_month_and_a_day_with_a_full_stop() {
        for (sentence, day) in [
            ("echo 10.2, EF 55", "10.2"),
            ("Seen 3.14 for a cough", "3.14"),
            ("pt seen 11.30, labs drawn", "11.30"),
            ("DOS 3.14", "3.14"),
            ("LMP 12.1", "12.1"),
            ("cath (10.21) clean", "10.21"),
            ("letter dated 7.21", "7.21"),
        ] {
            assert_eq!(found(sentence, &[Label::Date]), [day], "{sentence}");
        }
    }

    #[test]
    fn hours_values_sizes_and_doses() {
        for sentence in [
            "cath at 0215 by the fellow",
            "cath @ 0215",
            "LOR 6.5 cm, cath 11.5 at skin",
            "straight cath 0430 for 400 mL",
            "Foley cath 0915, clear urine",
            "in/out cath 0215",
            "asleep 0200, echo 0915, lunch 1205",
            "seen 14:05, cath 0215 planned",
            "cath 0215 hrs",
            "EGD 1030 tomorrow",
            "potassium low on 0430 labs",
            "asleep on 0830 rounds",
            "seen 0215 by the RT",
            "EKG 0915 unchanged",
            "labs 0430 pending",
            "given 1015 and 1115",
            "appt 0915",
            "echo 1345 pending",
            "DOS 0042",
            "on 1215 calories",
            "on 1015 ml of feeds",
            "pap 1012 cmH2O",
            "Rm 0304, ext 0215",
            "room 1012 and bed 0215",
            "echo room 1012",
            "WBC 10.2, Hgb 11.3",
            "INR 1.2, PSA 3.14",
            "echo 55",
            "echo EF 55.2",
            "echo 5.2",
            "TTE 10.2 cm root",
            "echo 10.2 mmHg gradient",
            "echo 10.2 m/s peak",
            "echo 10.2 -> 11.4",
            "echo 10.2 to 11.4",
            "echo 10.2-11.4",
            "MRI 1.5 T",
            "CT 10.2 x 3.1 cm",
            "biopsy 12.10 mm from the edge",
            "dexa -2.10",
            "nodule seen 1.12 on CT",
            "mass seen 10.2 cm",
            "patient seen 2.10 times a week",
            "on 12.5 of carvedilol",
            "on 6.25 BID",
            "on 10.2 now",
            "on 7.12 L",
            "cath 6.5 French",
            "dated 13.40",
            "echo v10.2",
            "lmp 10.2.1 release",
            "grade 3.14 of 5",
            "a dose of 10.15 mg",
            "GCS 10.12",
            "colonoscopy 10.2% yield",
            "echo, 10.2 was the Hgb",
            "echo. 1015 lunch",
        ] {
            assert_eq!(found(sentence, &[Label::Date]), [] as [&str; 0], "{sentence}");
        }
    }
}
