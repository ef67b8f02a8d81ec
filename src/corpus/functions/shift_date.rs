//! `shift_date(date, patient_id[, anchor])`: a structured date, moved by the patient's own number of days.
//!
//! ```text
//! 2019-03-04 10:00 in New York ─▶ 2019-05-03 10:00 in New York, an hour less in UTC
//! infinity, as programs write it ─▶ infinity
//! ```

use std::sync::Arc;

use arrow::array::timezone::{Tz, TzOffset};
use arrow::array::{Array, ArrayRef, AsArray, Int64Array, StringViewArray, StringViewBuilder, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type, TimeUnit};
use chrono::{DateTime, NaiveDate, NaiveDateTime, Offset, TimeZone};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::mapped_value::is_placeholder;
use super::ways::days;
use super::{Argument, Function, text};
use crate::corpus::deidentifier::{Deidentifier, Reader};
use crate::corpus::error::CorpusError;
use crate::phi::{Class, Kind, Label};
use crate::surrogate::{Surrogates, is_only_date};

const ARGUMENTS: [Argument; 3] = [Argument::Date("date"), Argument::Identifier("patient_id"), Argument::Date("anchor")];
/// Of a clock.
const SECONDS_OF_DAY: i64 = 86_400;
/// The day that databases write where there is no end.
const NO_END: Option<NaiveDate> = NaiveDate::from_ymd_opt(9999, 12, 31);

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "shift_date",
        &[&ARGUMENTS[..2], &ARGUMENTS],
        |types| match &types[0] {
            DataType::Null => DataType::Utf8View,
            // Arguments come with the values of their dictionaries written out.
            DataType::Dictionary(_, values) => values.as_ref().clone(),
            other => other.clone(),
        },
        (
            "shift_date(date, patient_id[, anchor])",
            "A date or timestamp, moved by the patient's own number of days, as dates in that patient's notes are; text is a date as it is written, near the anchor where it has no year. Words for no date stay, and so do the last day of 9999 and what a type ends with; text that holds more than a date becomes null.",
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
    let zone = zone(dates.data_type());
    let numbers = numbers(dates)?;
    let mut shifted = Vec::with_capacity(dates.len());
    for (row, number) in numbers.as_primitive::<Int64Type>().iter().enumerate() {
        let Some(number) = number else {
            shifted.push(None);
            continue;
        };
        let surrogates = reader.surrogates(patients.value(row))?;
        let moved = match zone {
            Some(zone) => moved_in_zone(surrogates, number, per_day, zone),
            None => moved(surrogates, number, per_day),
        };
        shifted.push(Some(moved.unwrap_or(number)));
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

/// Such a date as the patient's surrogates move it; none where it stays: the last day of 9999, the least and the greatest number, and what no
/// calendar has or its type can hold no later day of. Programs write them for no end.
fn moved(surrogates: &Surrogates, number: i64, per_day: i64) -> Option<i64> {
    let day = day(number, per_day)?;
    if Some(day) == NO_END || [i64::MIN, i64::MAX].contains(&number) {
        return None;
    }
    let image = i64::from(surrogates.shift_day(day)?.to_epoch_days());
    image.checked_mul(per_day)?.checked_add(number.rem_euclid(per_day))
}

/// The zone of timestamps that have one.
pub(in crate::corpus) fn zone(data_type: &DataType) -> Option<Tz> {
    match data_type {
        DataType::Timestamp(_, Some(zone)) => zone.parse().ok(),
        _ => None,
    }
}

/// A moment as the patient's surrogates move it where clocks show its zone: the day moves, and the time on the clock stays.
fn moved_in_zone(surrogates: &Surrogates, number: i64, per_day: i64, zone: Tz) -> Option<i64> {
    if Some(day(number, per_day)?) == NO_END || [i64::MIN, i64::MAX].contains(&number) {
        return None;
    }
    let per_second = per_day / SECONDS_OF_DAY;
    let seconds = number.div_euclid(per_second);
    let east = |offset: TzOffset| i64::from(offset.fix().local_minus_utc());
    let before = east(zone.offset_from_utc_datetime(&clock(seconds)?));
    let local = moved(surrogates, seconds.checked_add(before)?, SECONDS_OF_DAY)?;
    let offsets = zone.offset_from_local_datetime(&clock(local)?).map(east);
    // An hour that comes twice is the one of the same season; one that clocks leap over is told as if they did not.
    let after = if offsets.latest() == Some(before) { before } else { offsets.earliest().unwrap_or(before) };
    local.checked_sub(after)?.checked_mul(per_second)?.checked_add(number.rem_euclid(per_second))
}

/// What a clock shows so many seconds after the beginning of 1970; none outside the calendar.
fn clock(seconds: i64) -> Option<NaiveDateTime> {
    DateTime::from_timestamp(seconds, 0).map(|moment| moment.naive_utc())
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
            Some(date) if is_placeholder(Label::Date, date) => shifted.append_value(date),
            Some(date) if is_only_date(date) => {
                let anchor = anchors.get(row).copied().flatten();
                shifted.append_value(reader.surrogates(patients.value(row))?.replace_at(class, date, anchor));
            }
            // What stands beside a date may be a name.
            _ => shifted.append_null(),
        }
    }
    let shifted: ArrayRef = Arc::new(shifted.finish());
    Ok(cast(&shifted, dates.data_type())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::Key;
    use arrow::array::{
        Date32Array, StringArray, TimestampMicrosecondArray, TimestampNanosecondArray, TimestampSecondArray,
    };
    use arrow::util::display::array_value_to_string;

    fn shifted(dates: ArrayRef) -> ArrayRef {
        let key = Key::from_hex(&"5e".repeat(32)).unwrap();
        let deidentifier = Deidentifier::new().with_key(key);
        let patients = StringViewArray::from_iter_values(std::iter::repeat_n("P1", dates.len()));
        let mut reader = deidentifier.reader();
        match per_day(dates.data_type()) {
            Some(per_day) => shift_number(&mut reader, &dates, &patients, per_day).unwrap(),
            None => shift_text(&mut reader, &dates, &patients, &[]).unwrap(),
        }
    }

    fn texts(values: &ArrayRef) -> Vec<String> {
        (0..values.len()).map(|row| array_value_to_string(values, row).unwrap()).collect()
    }

    /// Programs write them for infinity and for no value.
    #[test]
    fn what_a_type_ends_with_stays() {
        let days = Date32Array::from(vec![i32::MAX, i32::MIN, i32::MAX - 1, 2_932_896, 0]);
        let nanoseconds = TimestampNanosecondArray::from(vec![i64::MAX, i64::MIN, i64::MAX - 1, 0]);
        let microseconds = TimestampMicrosecondArray::from(vec![i64::MAX, i64::MIN, i64::MIN + 1, 0]);
        let in_zone = microseconds.clone().with_timezone("America/New_York");
        let all: [ArrayRef; 4] = [Arc::new(days), Arc::new(nanoseconds), Arc::new(microseconds), Arc::new(in_zone)];
        for dates in all {
            let (before, after) = (numbers(&dates).unwrap(), numbers(&shifted(Arc::clone(&dates))).unwrap());
            let (before, after) = (before.as_primitive::<Int64Type>(), after.as_primitive::<Int64Type>());
            assert_eq!((before.values()[..2].to_vec(), after.null_count()), (after.values()[..2].to_vec(), 0));
            assert_ne!(before.values().last(), after.values().last());
        }
    }

    /// A clock in New York shows the same time before and after, whatever hour of UTC that is.
    #[test]
    fn clocks_keep_their_time() {
        let noons = (17_000..17_400).map(|day| day * SECONDS_OF_DAY + 17 * 3600);
        let moments = TimestampSecondArray::from_iter_values(noons).with_timezone("America/New_York");
        let days: ArrayRef = Arc::new(Date32Array::from_iter_values(17_000..17_400));
        let moments: ArrayRef = Arc::new(moments);
        let (before, after) = (texts(&moments), texts(&shifted(Arc::clone(&moments))));
        for (row, day) in texts(&shifted(days)).iter().enumerate() {
            let expected = format!("{day}{}", &before[row][10..19]);
            assert_eq!(&after[row][..19], expected, "{}", before[row]);
        }
        assert!(before.iter().zip(&after).any(|(before, after)| before[19..] != after[19..]), "summer and winter");
    }

    #[test]
    fn a_name_beside_a_date_is_gone() {
        let dates = ["2019-03-04 (Dr. Karen Jones)", "sometime", "Smith John", "2019-03-04", "ongoing", "12/31/9999"];
        let shifted = shifted(Arc::new(StringArray::from(dates.to_vec())));
        let shifted: Vec<_> = shifted.as_string::<i32>().iter().collect();
        assert_eq!((&shifted[..3], &shifted[4..]), (&[None; 3][..], &[Some("ongoing"), Some("12/31/9999")][..]));
        assert!(shifted[3].is_some_and(|date| date != dates[3]));
    }
}
