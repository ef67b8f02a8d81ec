//! Two batches of as many rows, the source's and the output's, compared column by column as the roles ask.

use arrow::array::timezone::Tz;
use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::buffer::NullBuffer;
use arrow::compute::cast;
use arrow::datatypes::{DataType, UInt64Type};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use chrono::{Datelike, MappedLocalTime, NaiveDate, NaiveTime, TimeZone};

use super::Job;
use super::report::PlacedFinding;
use super::rows::PartOutcome;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::{holds_more, is_placeholder, keeps_another, pseudonyms_within, told, zone};
use crate::corpus::schema::{Column, Role};
use crate::corpus::source::{identifier, place_of_document};
use crate::corpus::stages::namespace;
use crate::phi::{Class, Label};
use crate::surrogate::{DateOrder, is_only_date};
use crate::verify::{Examiner, Finding, FindingKind, Pairing};

/// No date moves by more years.
const LONGEST_SHIFT: i32 = 11;
/// The length of a day in the forms that are read here: a time may follow.
const DAY: usize = "2019-03-04".len();

/// Checks as many rows of the source as of the output, column by column.
pub(super) fn check_rows(
    job: &Job,
    before: &RecordBatch,
    after: &RecordBatch,
    examiner: &mut Examiner,
    outcome: &mut PartOutcome,
) -> Result<()> {
    let patients = before.column(1).as_string_view();
    for column in job.columns.iter().filter(|column| !column.partition) {
        let (Some(values), Some(became)) = (before.column_by_name(&column.name), after.column_by_name(&column.name))
        else {
            outcome.tally.count(FindingKind::PartDamaged);
            continue;
        };
        if column.role == Role::Text {
            check_texts(job, column, before, (values, became), examiner, outcome);
            continue;
        }
        let (texts, became_texts) = (shown(values)?, shown(became)?);
        // A column without a type, in which all is null, has no nulls of its own.
        let (nulls, became_nulls) = (values.logical_nulls(), became.logical_nulls());
        let expected = match column.role {
            Role::Id | Role::Note | Role::Patient => {
                let pseudonyms = pseudonyms_within(job.deidentifier.key()?, &namespace(column), values);
                Some(shown(&pseudonyms.map_err(CorpusError::in_stage("verify"))?)?)
            }
            _ => None,
        };
        let dated = Dated::of(values.data_type());
        let is_null = |nulls: &Option<NullBuffer>, row: usize| nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        for row in 0..texts.len().min(became_texts.len()) {
            let (value, became_value) = (texts[row].as_str(), became_texts[row].as_str());
            let kind = match (is_null(&nulls, row), is_null(&became_nulls, row)) {
                (true, true) => None,
                (false, true) if is_taken_out(job, column, patients.value(row), value)? => None,
                (false, false) => match column.role {
                    Role::Date => check_date(job, dated, patients.value(row), value, became_value),
                    Role::Keep => (value != became_value).then_some(FindingKind::KeptChanged),
                    Role::Mapped(label) => check_mapped(job, (column, label), patients.value(row), value, became_value),
                    _ => {
                        let is_other = expected.as_ref().is_some_and(|expected| expected[row] != became_value);
                        check_identifier(job, column, value, became_value)
                            .or_else(|| is_other.then_some(FindingKind::IdentifierInconsistent))
                    }
                },
                _ => Some(FindingKind::NullChanged),
            };
            if let Some(kind) = kind {
                let at = outcome.rows + row as u64;
                note(outcome, column, at, source_row(before, row), Finding { kind, source: 0..0, output: 0..0 });
            }
        }
    }
    Ok(())
}

/// Whether null stands for a value that holds more than the values of its column do.
fn is_taken_out(job: &Job, column: &Column, patient: &str, value: &str) -> Result<bool> {
    let class = match column.role {
        Role::Date => Class::from(Label::Date),
        Role::Mapped(class) => told(class, value),
        _ => return Ok(false),
    };
    if is_placeholder(class.label, value) {
        return Ok(false);
    }
    let policy = job.deidentifier.policy();
    Ok(holds_more(class.label, value)
        || column.role != Role::Date
            && !policy.removes(class)
            && keeps_another(&mut job.deidentifier.reader(), policy, class, value, patient)?)
}

/// Every value of a column as text.
fn shown(array: &ArrayRef) -> Result<Vec<String>> {
    // Parquet has one type for days: what comes back of the other is told without the hour that it has besides.
    let days = match array.data_type() {
        DataType::Date64 => {
            Some(cast(array, &DataType::Date32).map_err(|error| CorpusError::in_stage("verify")(error.into()))?)
        }
        _ => None,
    };
    let array = days.as_ref().unwrap_or(array);
    let options = FormatOptions::default();
    let values = ArrayFormatter::try_new(array.as_ref(), &options)
        .map_err(|error| CorpusError::in_stage("verify")(error.into()))?;
    Ok((0..array.len()).map(|row| values.value(row).to_string()).collect())
}

/// Examines the texts of a column.
fn check_texts(
    job: &Job,
    column: &Column,
    before: &RecordBatch,
    (values, became): (&ArrayRef, &ArrayRef),
    examiner: &mut Examiner,
    outcome: &mut PartOutcome,
) {
    let (Some(texts), Some(became)) = (values.as_string_view_opt(), became.as_string_view_opt()) else {
        outcome.tally.count(FindingKind::PartDamaged);
        return;
    };
    let patients = before.column(1).as_string_view();
    let mut findings = Vec::new();
    for row in 0..before.num_rows() {
        let at = outcome.rows + row as u64;
        findings.clear();
        match (texts.is_null(row), became.is_null(row)) {
            (false, false) if at.is_multiple_of(job.step) => {
                let known = job.known(patients.value(row));
                examiner.examine(texts.value(row), became.value(row), known.as_deref(), &mut findings);
                outcome.texts += 1;
                outcome.bytes += texts.value(row).len() as u64;
            }
            (false, false) | (true, true) => continue,
            _ => findings.push(Finding { kind: FindingKind::NullChanged, source: 0..0, output: 0..0 }),
        }
        outcome.notes_at_fault += u64::from(findings.iter().any(|finding| finding.kind.severity().is_fault()));
        for finding in findings.drain(..) {
            note(outcome, column, at, source_row(before, row), finding);
        }
    }
}

fn source_row(before: &RecordBatch, row: usize) -> u64 {
    place_of_document(before.column(0).as_primitive::<UInt64Type>().value(row)).1
}

fn note(outcome: &mut PartOutcome, column: &Column, row: u64, source_row: u64, finding: Finding) {
    outcome.tally.count(finding.kind);
    if outcome.findings.len() < super::MOST_LISTED {
        outcome.findings.push(PlacedFinding::new(outcome.part, row, source_row, &column.name, &finding));
    }
}

/// An identifier must have become another, which does not hold it, always the same one, and no other's.
pub(super) fn check_identifier(job: &Job, column: &Column, value: &str, became: &str) -> Option<FindingKind> {
    if value == became && !value.trim().is_empty() || holds(became, value) {
        return Some(FindingKind::IdentifierKept);
    }
    (job.pseudonym(column, identifier(value), became) == Pairing::Contradicted)
        .then_some(FindingKind::IdentifierInconsistent)
}

/// Whether an identifier that is too long for chance stands in what it became, in any case.
fn holds(became: &str, value: &str) -> bool {
    const LONG: usize = 6;
    value.trim().len() >= LONG && became.to_lowercase().contains(&value.trim().to_lowercase())
}

/// A mapped value must have become another, the same one for the patient, unless the policy keeps it, or options keep states.
fn check_mapped(
    job: &Job,
    (column, class): (&Column, Class),
    patient: &str,
    value: &str,
    became: &str,
) -> Option<FindingKind> {
    if is_placeholder(class.label, value) {
        return (value != became).then_some(FindingKind::KeptChanged);
    }
    let is_kept = !job.deidentifier.policy().removes(told(class, value));
    let may_stay = is_kept || (class.label == Label::State && job.surrogate.keep_states);
    if value == became && !may_stay {
        return Some(FindingKind::IdentifierKept);
    }
    (job.mapped(column, patient, value, became) == Pairing::Contradicted).then_some(FindingKind::IdentifierInconsistent)
}

/// How a column has its dates.
#[derive(Clone, Copy)]
enum Dated {
    /// As text.
    Text,
    /// As a type of days or moments, which clocks may show in a zone.
    Typed(Option<Tz>),
}

impl Dated {
    fn of(data_type: &DataType) -> Self {
        match data_type {
            DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => Self::Typed(zone(data_type)),
            _ => Self::Text,
        }
    }

    /// Whether a value stands for no end, or for none: a type cannot hold what it would become. The least type, of nanoseconds, reaches from 1677 to
    /// 2262.
    fn may_stay(self, day: Option<NaiveDate>) -> bool {
        matches!(self, Self::Typed(_)) && day.is_none_or(|day| !(1678..2262).contains(&day.year()))
    }

    /// Whether clocks leap over a time on a day.
    fn is_leapt_over(self, day: NaiveDate, time: &str) -> bool {
        let Self::Typed(Some(zone)) = self else { return false };
        let time = NaiveTime::parse_from_str(time, "T%H:%M:%S%.f");
        time.is_ok_and(|time| matches!(zone.offset_from_local_datetime(&day.and_time(time)), MappedLocalTime::None))
    }
}

/// A date must have moved, and by as many days as the patient's others, and nothing behind it; of one in a form that is not known here, or
/// that tells an age over 89, only that it has become another date, and tells none.
fn check_date(job: &Job, dated: Dated, patient: &str, value: &str, became: &str) -> Option<FindingKind> {
    if is_placeholder(Label::Date, value) {
        return (value != became).then_some(FindingKind::KeptChanged);
    }
    if !value.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let oldest = i32::from(job.surrogate.oldest_year);
    let day = |text| date_of(text, job.surrogate.date_order);
    let days = (day(value), day(became));
    if value == became {
        return (!dated.may_stay(days.0)).then_some(FindingKind::DateNotShifted);
    }
    let moved = match days {
        (Some(before), Some(after)) if before.year() < oldest => after.year() >= oldest - LONGEST_SHIFT,
        (Some(before), Some(after)) => job.shift(patient, (after - before).num_days()) == Pairing::Consistent,
        _ => may_stand_for(value, became),
    };
    if !moved {
        return Some(FindingKind::DateNotShifted);
    }
    // `2019-03-04 - 2019-03-08`: another date stands behind it, and what joins them stays.
    let is_further = |&at: &usize| value.get(at..).is_some_and(|rest| day(rest).is_some());
    if let Some(at) = days.0.and_then(|_| (DAY..value.len()).find(is_further))
        && value.get(DAY..at) == became.get(DAY..at)
    {
        return check_date(job, dated, patient, &value[at..], became.get(at..).unwrap_or_default());
    }
    // Of a type of days that has milliseconds, the beginning of the day is none.
    let time =
        |text| <str>::get(text, DAY..).map(without_offset).map(|time| time.strip_prefix("T00:00:00").unwrap_or(time));
    let (Some(_), Some(after)) = days else { return None };
    let is_kept = time(value) == time(became);
    (!is_kept && !time(value).is_some_and(|time| dated.is_leapt_over(after, time))).then_some(FindingKind::TimeChanged)
}

/// A time of day without how far it is from that of Greenwich, which in summer is another one.
fn without_offset(time: &str) -> &str {
    const OFFSET: &str = "+00:00";
    let at = time.len().saturating_sub(OFFSET.len());
    match time.get(at..) {
        Some(offset) if at > 0 && offset.starts_with(['+', '-']) && offset.as_bytes()[3] == b':' => &time[..at],
        _ => time,
    }
}

/// Whether what a value became is a date, if the value is one.
fn may_stand_for(value: &str, became: &str) -> bool {
    is_only_date(became) || !is_only_date(value)
}

/// A day in one of two usual forms; where day and month may be either, in the order of the surrogates.
fn date_of(text: &str, order: DateOrder) -> Option<NaiveDate> {
    let head = text.get(..DAY)?;
    let forms = match order {
        DateOrder::MonthFirst => ["%Y-%m-%d", "%m/%d/%Y"].as_slice(),
        DateOrder::DayFirst => &["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y"],
    };
    forms.iter().find_map(|form| NaiveDate::parse_from_str(head, form).ok())
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::TimeUnit;

    use super::*;

    #[test]
    fn dates_are_read_in_the_usual_forms() {
        let day = NaiveDate::from_ymd_opt(2019, 3, 4);
        let date_of = |text| super::date_of(text, DateOrder::MonthFirst);
        assert_eq!(date_of("2019-03-04"), day);
        assert_eq!(date_of("2019-03-04T10:22:00"), day);
        assert_eq!(date_of("03/04/2019"), day);
        assert_eq!(date_of("4.3.19"), None);
        assert_eq!(date_of("ä019-03-04"), None);
        assert_eq!(super::date_of("04/03/2019", DateOrder::DayFirst), day);
        assert_eq!(super::date_of("2019-03-04", DateOrder::DayFirst), day);
    }

    #[test]
    fn times_that_clocks_leap_over_and_dates_beyond_a_type() {
        let zone = |name: &str| Dated::of(&DataType::Timestamp(TimeUnit::Second, Some(name.into())));
        let day = |text| date_of(text, DateOrder::MonthFirst);
        let spring = day("2019-03-10").unwrap();
        assert!(zone("America/New_York").is_leapt_over(spring, "T02:30:00"));
        assert!(!zone("America/New_York").is_leapt_over(spring, "T03:30:00"));
        assert!(!zone("UTC").is_leapt_over(spring, "T02:30:00"));
        assert!(!Dated::Text.is_leapt_over(spring, "T02:30:00"));
        for end in ["2262-04-11T23:47:16.854775807", "5881580-07-11", "1677-09-21"] {
            assert!(Dated::of(&DataType::Date32).may_stay(day(end)) && !Dated::Text.may_stay(day(end)), "{end}");
        }
        assert!(!Dated::of(&DataType::Date32).may_stay(spring.into()));
    }

    #[test]
    fn a_date_in_any_form_becomes_a_date() {
        for value in ["20190304101112+0000", "20190304101112.123", "04MAR2019:10:11:12", "4.3.19", "2019-063"] {
            assert!(!may_stand_for(value, "38404493840463+0008"), "{value}");
            assert!(!may_stand_for(value, "XK-44193"), "{value}");
            assert!(may_stand_for(value, "20190107101112+0000"), "{value}");
        }
        // What holds more than a date is judged elsewhere.
        assert!(may_stand_for("2019-03-04 Jones", "XK-44193"));
    }
}
