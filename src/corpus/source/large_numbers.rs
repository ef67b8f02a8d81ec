//! Whole numbers of JSON Lines that the engine would read as floats, of which two become one.
//!
//! ```text
//! {"patient_id": 12345678901234567890}        more than 2⁶³: its column is one of floats …
//! {"patient_id": 12345678901234567891}        … in which these two patients are one
//! {"weight": 71.5, "mrn": 9007199254740993}   in columns of their own both are what they are
//! ```

use arrow::datatypes::{DataType, Schema};
use futures::TryStreamExt;
use object_store::ObjectMeta;

use super::Format;
use super::discover::{file_uri, format_of};
use super::json::lines;
use super::keys::end_of_string;
use super::nested::each_value;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::store::Location;

/// Up to here every whole number is a float as well.
const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

/// Refuses JSON Lines with a whole number that a float may not hold, where the engine takes the column for one of floats; files in a compression
/// of the engine's alone are not looked at. `location` is where the files were found.
///
/// # Errors
/// [`CorpusError::Input`] with the file, the line, counted from 1, and the column, and where a file cannot be read.
pub(in crate::corpus) async fn refuse_large_numbers<'f>(
    location: &Location,
    files: impl Iterator<Item = &'f ObjectMeta>,
    schema: &Schema,
) -> Result<()> {
    let floats: Vec<&str> = schema
        .fields()
        .iter()
        .filter(|field| has_floats(field.data_type()))
        .map(|field| field.name().as_str())
        .collect();
    if floats.is_empty() {
        return Ok(());
    }
    for file in files {
        let Some(Format::JsonLines(compression)) = format_of(&file.location) else { continue };
        let mut lines = lines(location, file.location.clone(), compression);
        while let Some(batch) = lines.try_next().await? {
            let found =
                batch.iter().find_map(|(number, line)| Some((number + 1, column_of_large_number(line, &floats)?)));
            if let Some((line, column)) = found {
                let reason = format!(
                    "line {line} has a whole number in `{column}` that is too large beside the other numbers of the column, where two such \
                     numbers would become one; write the numbers of this column as strings, in all lines"
                );
                return Err(CorpusError::input(file_uri(location, file), reason));
            }
        }
    }
    Ok(())
}

/// Whether values of a type are floats, or have some in them.
fn has_floats(data_type: &DataType) -> bool {
    match data_type {
        DataType::Float64 => true,
        DataType::List(item) | DataType::LargeList(item) => has_floats(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| has_floats(field.data_type())),
        _ => false,
    }
}

/// The first of some columns in which a line has such a number.
fn column_of_large_number<'c>(line: &[u8], columns: &[&'c str]) -> Option<&'c str> {
    let mut found = None;
    each_value(line, |key, value| {
        let column = columns.iter().find(|column| column.as_bytes() == key);
        if let Some(column) = column.filter(|_| has_large_number(line.get(value).unwrap_or_default())) {
            found = found.or(Some(*column));
        }
    });
    found
}

/// Whether a value is such a number, or has one in it outside of strings.
fn has_large_number(value: &[u8]) -> bool {
    let mut at = 0;
    while let Some(&byte) = value.get(at) {
        if byte == b'"' {
            let Some(end) = end_of_string(value, at + 1) else { return false };
            at = end + 1;
        } else if byte.is_ascii_digit() {
            let rest = &value[at..];
            let is_of_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
            let number = &rest[..rest.iter().position(|byte| !is_of_number(byte)).unwrap_or(rest.len())];
            let is_whole = number.iter().all(u8::is_ascii_digit);
            let value = std::str::from_utf8(number).ok().and_then(|number| number.parse::<u64>().ok());
            if is_whole && value.is_none_or(|value| value > EXACT) {
                return true;
            }
            at += number.len();
        } else {
            at += 1;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::datatypes::Field;

    use super::*;

    #[test]
    fn whole_numbers_that_floats_do_not_hold_are_told() {
        let told = |line: &str| column_of_large_number(line.as_bytes(), &["id", "ids"]);
        for (line, column) in [
            (r#"{"id": 9007199254740993}"#, Some("id")),
            (r#"{"id": -12345678901234567890, "x": 1}"#, Some("id")),
            (r#"{"ids": ["a", 98765432109876543210]}"#, Some("ids")),
            (r#"{"id": 9007199254740992}"#, None),
            (r#"{"id": "98765432109876543210"}"#, None),
            (r#"{"id": 3.14159265358979323846, "x": 98765432109876543210}"#, None),
            (r#"{"id": 1e300}"#, None),
            ("nothing", None),
        ] {
            assert_eq!(told(line), column, "{line}");
        }
    }

    #[test]
    fn only_columns_with_floats_are_looked_at() {
        let list = |item: DataType| DataType::List(Arc::new(Field::new_list_field(item, true)));
        assert!(has_floats(&DataType::Float64) && has_floats(&list(DataType::Float64)));
        assert!(has_floats(&DataType::Struct(vec![Field::new("x", DataType::Float64, true)].into())));
        assert!(!has_floats(&DataType::Int64) && !has_floats(&list(DataType::Utf8)));
    }
}
