//! `shift_date(date, patient_id[, anchor])`: a structured date, moved by the patient's own number of days.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, StringViewArray, StringViewBuilder, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type, TimeUnit};
use chrono::NaiveDate;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::mapped_value::is_placeholder;
use super::ways::days;
use super::{Argument, Function, text};
use crate::corpus::deidentifier::{Deidentifier, Reader};
use crate::corpus::error::CorpusError;
use crate::phi::{Class, Kind, Label};
use crate::surrogate::Surrogates;

const ARGUMENTS: [Argument; 3] = [Argument::Date("date"), Argument::Identifier("patient_id"), Argument::Date("anchor")];
/// The day that databases write where there is no end.
const NO_END: Option<NaiveDate> = NaiveDate::from_ymd_opt(9999, 12, 31);

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "shift_date",
        &[&ARGUMENTS[..2], &ARGUMENTS],
        |types| if types[0] == DataType::Null { DataType::Utf8View } else { types[0].clone() },
        (
            "shift_date(date, patient_id[, anchor])",
            "A date or timestamp, moved by the patient's own number of days, as dates in that patient's notes are; text is a date as it is written, near the anchor where it has no year. Words for no date stay, and so does the last day of 9999.",
        ),
        move |arguments| {
            let (dates, patients) = (&arguments[0], text(&arguments[1]));
            if *dates.data_type() == DataType::Null {
                return Ok(new_null_array(&DataType::Utf8View, dates.len()));
            }
            if (0..dates.len()).any(|row| dates.is_valid(row) && patients.is_null(row)) {
                return Err(CorpusError::configuration(
                    "shift_date: argument `patient_id` is null in a row with a date",
                    "give every date a patient",
                )
                .into());
            }
            let mut reader = deidentifier.reader();
            match per_day(dates.data_type()) {
                Some(per_day) => shift_number(&mut reader, dates, patients, per_day),
                None => {
                    let anchors = days(&deidentifier, arguments.get(2))?;
                    shift_text(&mut reader, dates, patients, &anchors)
                }
            }
        },
    )
}

/// How many units of a date type make a day; none for text.
pub(super) fn per_day(data_type: &DataType) -> Option<i64> {
    Some(match data_type {
        DataType::Date32 => 1,
        DataType::Date64 | DataType::Timestamp(TimeUnit::Millisecond, _) => 86_400_000,
        DataType::Timestamp(TimeUnit::Second, _) => 86_400,
        DataType::Timestamp(TimeUnit::Microsecond, _) => 86_400_000_000,
        DataType::Timestamp(TimeUnit::Nanosecond, _) => 86_400_000_000_000,
        _ => return None,
    })
}

fn shift_number(
    reader: &mut Reader<'_>,
    dates: &ArrayRef,
    patients: &StringViewArray,
    per_day: i64,
) -> Result<ArrayRef> {
    let narrow = *dates.data_type() == DataType::Date32;
    let numbers = numbers(dates)?;
    let mut shifted = Vec::with_capacity(dates.len());
    for (row, number) in numbers.as_primitive::<Int64Type>().iter().enumerate() {
        let Some(number) = number else {
            shifted.push(None);
            continue;
        };
        let moved = moved(reader.surrogates(patients.value(row))?, number, per_day);
        shifted.push(Some(moved.ok_or_else(|| CorpusError::Accounting {
            reason: "a date lies at the edge of what its type can hold, and cannot be shifted".to_owned(),
        })?));
    }
    let shifted: ArrayRef = Arc::new(Int64Array::from(shifted));
    let shifted = if narrow { cast(&shifted, &DataType::Int32)? } else { shifted };
    Ok(cast(&shifted, dates.data_type())?)
}

/// Dates and timestamps as the numbers that they are stored as.
pub(super) fn numbers(dates: &ArrayRef) -> Result<ArrayRef> {
    let narrow = *dates.data_type() == DataType::Date32;
    Ok(if narrow { cast(&cast(dates, &DataType::Int32)?, &DataType::Int64)? } else { cast(dates, &DataType::Int64)? })
}

/// The day of a date that is counted in such parts of days from 1970 on; none outside the calendar.
pub(super) fn day(number: i64, per_day: i64) -> Option<NaiveDate> {
    NaiveDate::from_epoch_days(i32::try_from(number.div_euclid(per_day)).ok()?)
}

/// Such a date as the patient's surrogates move it; what no calendar has moves by as many days.
fn moved(surrogates: &Surrogates, number: i64, per_day: i64) -> Option<i64> {
    let day = day(number, per_day);
    if day == NO_END {
        return Some(number);
    }
    match day.and_then(|day| surrogates.shift_day(day)) {
        Some(image) => i64::from(image.to_epoch_days()).checked_mul(per_day)?.checked_add(number.rem_euclid(per_day)),
        None => number.checked_add(surrogates.date_shift_days().checked_mul(per_day)?),
    }
}

fn shift_text(
    reader: &mut Reader<'_>,
    dates: &ArrayRef,
    patients: &StringViewArray,
    anchors: &[Option<NaiveDate>],
) -> Result<ArrayRef> {
    let class = Class { label: Label::Date, kind: Kind::DateFull };
    let texts = cast(dates, &DataType::Utf8View)?;
    let mut shifted = StringViewBuilder::with_capacity(texts.len());
    for (row, date) in texts.as_string_view().iter().enumerate() {
        match date {
            Some(date) if !is_placeholder(date) => {
                let anchor = anchors.get(row).copied().flatten();
                shifted.append_value(reader.surrogates(patients.value(row))?.replace_at(class, date, anchor));
            }
            other => shifted.append_option(other),
        }
    }
    let shifted: ArrayRef = Arc::new(shifted.finish());
    Ok(cast(&shifted, dates.data_type())?)
}
