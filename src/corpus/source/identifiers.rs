//! Identifiers as text, whatever the type of their column.
//!
//! ```text
//! "P17" ─▶ P17     17 ─▶ 17     17.0 ─▶ 17, which programs write that have no integers beside null, as text too
//! ```

use arrow::array::{ArrayRef, AsArray, StringViewArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type};
use arrow::error::ArrowError;

/// From here on, a float does not tell two integers apart.
const INEXACT: f64 = 9_007_199_254_740_992.0;

/// A column as text, in which a float or a decimal that is a whole number is written as an integer, also where it was text already, and no
/// identifier has blanks around it.
pub(in crate::corpus) fn identifiers(values: &ArrayRef) -> Result<StringViewArray, ArrowError> {
    let texts = cast(values, &DataType::Utf8View)?;
    let texts = texts.as_string_view();
    Ok(match values.data_type() {
        DataType::Float16 | DataType::Float32 | DataType::Float64 => {
            let floats = cast(values, &DataType::Float64)?;
            let rows = floats.as_primitive::<Float64Type>().iter().zip(texts.iter());
            rows.map(|(float, text)| float.and_then(whole).or_else(|| Some(identifier(text?).to_owned()))).collect()
        }
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) | DataType::Decimal256(..) => {
            texts.iter().map(|text| text.map(without_zeros)).collect()
        }
        _ if texts.iter().flatten().any(|text| identifier(text).len() < text.len()) => {
            texts.iter().map(|text| text.map(identifier)).collect()
        }
        _ => texts.clone(),
    })
}

/// An identifier without the blanks that columns of a fixed width have around it, and without the fraction of an integer that was written as a
/// float: `17.0   `.
pub(crate) fn identifier(text: &str) -> &str {
    let bare = text.trim();
    integer_of_float(bare).unwrap_or(bare)
}

/// The integer that was written as a float: `17.0`.
fn integer_of_float(text: &str) -> Option<&str> {
    let integer = text.strip_suffix(".0")?;
    (!integer.is_empty() && integer.bytes().all(|digit| digit.is_ascii_digit())).then_some(integer)
}

/// A float as an integer, where it is one.
fn whole(float: f64) -> Option<String> {
    (float.fract() == 0.0 && float.abs() < INEXACT).then(|| (float as i64).to_string())
}

/// A decimal without a fraction that is nothing.
fn without_zeros(decimal: &str) -> &str {
    match decimal.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => whole,
        _ => decimal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Decimal128Array, Float64Array, Int64Array};
    use std::sync::Arc;

    #[test]
    fn whole_numbers_are_integers() {
        let texts = |values: ArrayRef| {
            let texts = identifiers(&values).unwrap();
            texts.iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>()
        };
        let expected = |texts: [Option<&str>; 4]| texts.map(|text| text.map(str::to_owned)).to_vec();
        let floats = Float64Array::from(vec![Some(17.0), None, Some(2134.5), Some(4_821_312_345.0)]);
        assert_eq!(texts(Arc::new(floats)), expected([Some("17"), None, Some("2134.5"), Some("4821312345")]));
        // What is read twice, as a column and as the value of it, stays one.
        let large = Float64Array::from(vec![Some(9_007_199_254_740_994.0), Some(1e300), Some(-0.5), None]);
        assert_eq!(texts(Arc::new(large)).first(), Some(&Some("9007199254740994".to_owned())));
        let decimals = Decimal128Array::from(vec![Some(1700), None, Some(1750), Some(-200)]);
        let decimals = decimals.with_precision_and_scale(10, 2).unwrap();
        assert_eq!(texts(Arc::new(decimals)), expected([Some("17"), None, Some("17.50"), Some("-2")]));
        let written = StringViewArray::from(vec![Some("17.0"), None, Some("2134.5"), Some("00017.0")]);
        assert_eq!(texts(Arc::new(written)), expected([Some("17"), None, Some("2134.5"), Some("00017")]));
        let others = StringViewArray::from(vec![Some("P17.0"), None, Some(".0"), Some("1.2.0")]);
        assert_eq!(texts(Arc::new(others)), expected([Some("P17.0"), None, Some(".0"), Some("1.2.0")]));
        let padded = StringViewArray::from(vec![Some("17   "), None, Some(" P1"), Some("17.0 ")]);
        assert_eq!(texts(Arc::new(padded)), expected([Some("17"), None, Some("P1"), Some("17")]));
        let integers = Int64Array::from(vec![Some(17), None, Some(0), Some(-3)]);
        assert_eq!(texts(Arc::new(integers)), expected([Some("17"), None, Some("0"), Some("-3")]));
    }
}
