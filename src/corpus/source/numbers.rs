//! Numbers of JSON Lines that the type of their column would change: the decoder cuts a fraction off where the first lines had whole numbers, and reads
//! digits in quotes as a number, although `"00017"` and 17 are two patients.

use arrow::datatypes::{DataType, Schema};

use super::nested::each_value;

/// The columns of numbers.
pub(super) struct Numbers<'s>(Vec<(&'s [u8], Kind)>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Whole,
    Float,
}

impl<'s> Numbers<'s> {
    pub(super) fn of(schema: &'s Schema) -> Self {
        let columns = schema.fields().iter().filter_map(|field| match field.data_type() {
            DataType::Int64 => Some((field.name().as_bytes(), Kind::Whole)),
            DataType::Float64 => Some((field.name().as_bytes(), Kind::Float)),
            _ => None,
        });
        Self(columns.collect())
    }

    /// Whether all values of these columns in a line stay what they are. Of what is no JSON the answer means nothing.
    pub(super) fn are_kept_in(&self, line: &[u8]) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let mut are_kept = true;
        each_value(line, |key, value| {
            if let Some((_, kind)) = self.0.iter().find(|(name, _)| *name == key) {
                are_kept &= std::str::from_utf8(line.get(value).unwrap_or_default()).is_ok_and(|it| is_kept(it, *kind));
            }
        });
        are_kept
    }
}

fn is_kept(value: &str, kind: Kind) -> bool {
    // Every whole number up to it is a float as well.
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    match kind {
        _ if value == "null" => true,
        Kind::Whole if value.parse::<i64>().is_ok() => true,
        Kind::Whole => value.parse::<f64>().is_ok_and(|number| number.fract() == 0.0 && number.abs() <= EXACT),
        Kind::Float => value.parse::<f64>().is_ok_and(f64::is_finite),
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::Field;

    use super::*;

    #[test]
    fn what_would_be_cut_or_read_as_another_is_told() {
        let schema = Schema::new(vec![
            Field::new("id", DataType::Int64, true),
            Field::new("t", DataType::Float64, true),
            Field::new("text", DataType::Utf8View, true),
        ]);
        let numbers = Numbers::of(&schema);
        for line in [
            r#"{"id":17,"t":98.6,"text":"1.5"}"#,
            r#"{"id":17.0,"t":98}"#,
            r#"{"id":1e3,"t":null}"#,
            r#"{"id":-9223372036854775808,"t":-1e-3}"#,
            r#"{"text":"\"id\":\"17\""}"#,
        ] {
            assert!(numbers.are_kept_in(line.as_bytes()), "{line}");
        }
        for line in [
            r#"{"id":98.6}"#,
            r#"{"id":"00017"}"#,
            r#"{"\u0069d":"17"}"#,
            r#"{"t":"1.50"}"#,
            r#"{"t":"NaN"}"#,
            r#"{"t":1e400}"#,
            r#"{"id":true}"#,
        ] {
            assert!(!numbers.are_kept_in(line.as_bytes()), "{line}");
        }
    }
}
