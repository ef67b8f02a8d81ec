//! `mapped_value(label, value, patient[, anchor])`: a value of a structured column, replaced as it would be in a note of that patient.

use std::sync::Arc;

use arrow::array::{Array, StringViewBuilder};
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::surrogate::class_of;
use super::ways::days;
use super::{Argument, Function, text};
use crate::corpus::deidentifier::{Deidentifier, Way};
use crate::evaluate::derived_kind;
use crate::phi::{Class, Kind};

const ARGUMENTS: [Argument; 4] =
    [Argument::Text("label"), Argument::Identifier("value"), Argument::Identifier("patient"), Argument::Date("anchor")];

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "mapped_value",
        &[&ARGUMENTS[..3], &ARGUMENTS],
        |_| DataType::Utf8View,
        (
            "mapped_value(label, value, patient[, anchor])",
            "What stands for a value in that patient's notes, in the mode of the session; what the policy keeps stays, and so do blanks and words for nothing.",
        ),
        move |arguments| {
            let [labels, values, patients] = [0, 1, 2].map(|argument| text(&arguments[argument]));
            let (policy, replacement) = (deidentifier.policy(), deidentifier.replacement());
            let anchors = days(&deidentifier, arguments.get(3))?;
            let mut reader = deidentifier.reader();
            let mut mapped = StringViewBuilder::with_capacity(values.len());
            for (row, value) in values.iter().enumerate() {
                match value {
                    Some(value) if !is_placeholder(value) => {
                        let way = Way { policy, replacement, anchor: anchors.get(row).copied().flatten() };
                        let class = told(class_of("mapped_value", labels.value(row))?, value);
                        match policy.removes(class) {
                            false => mapped.append_value(value),
                            true => mapped.append_value(reader.value(way, class, value, patients.value(row))?),
                        }
                    }
                    blank => mapped.append_option(blank),
                }
            }
            Ok(Arc::new(mapped.finish()))
        },
    )
}

/// A class with the kind that its value tells, where none is given.
pub(in crate::corpus) fn told(class: Class, value: &str) -> Class {
    let kind = if class.kind == Kind::Unknown { derived_kind(class.label, value) } else { class.kind };
    Class { kind, ..class }
}

/// What stands in columns where there is no value.
const PLACEHOLDERS: &[&str] = &[
    "n/a",
    "n.a.",
    "na",
    "nil",
    "none",
    "null",
    "unk",
    "unknown",
    "not known",
    "not available",
    "not applicable",
    "not recorded",
    "missing",
    "ongoing",
    "pending",
    "tbd",
    "present",
    "9999-12-31",
    "9999-12-31 00:00:00",
    "9999-12-31t00:00:00",
    "0000-00-00",
    "0000-00-00 00:00:00",
];

/// Whether a value of a structured column stands for none: blanks, marks, a word that says so, the days that databases write for no day.
pub(in crate::corpus) fn is_placeholder(value: &str) -> bool {
    let value = value.trim().to_lowercase();
    !value.contains(char::is_alphanumeric) || PLACEHOLDERS.contains(&value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_nothing_are_told_from_values() {
        for value in ["", "  ", "-", "?", "N/A", "Unknown", "null", "9999-12-31", "0000-00-00 00:00:00"] {
            assert!(is_placeholder(value), "{value}");
        }
        for value in ["Nan", "0", "March", "9999-12-30", "Noone", "x"] {
            assert!(!is_placeholder(value), "{value}");
        }
    }
}
