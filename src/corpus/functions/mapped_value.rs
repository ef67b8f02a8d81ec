//! `mapped_value(label, value, patient)`: a value of a structured column, replaced as it would be in a note of that patient.

use std::sync::Arc;

use arrow::array::{Array, StringViewBuilder};
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::surrogate::class_of;
use super::{Argument, Function, text};
use crate::corpus::deidentifier::{Deidentifier, Way};

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "mapped_value",
        &[&[Argument::Text("label"), Argument::Identifier("value"), Argument::Identifier("patient")]],
        |_| DataType::Utf8View,
        (
            "mapped_value(label, value, patient)",
            "What stands for a value in that patient's notes, in the mode of the session; nothing but blanks stays as it is.",
        ),
        move |arguments| {
            let [labels, values, patients] = [0, 1, 2].map(|argument| text(&arguments[argument]));
            let (policy, replacement) = (deidentifier.policy(), deidentifier.replacement());
            let way = Way { policy, replacement, anchor: None };
            let mut reader = deidentifier.reader();
            let mut mapped = StringViewBuilder::with_capacity(values.len());
            for (row, value) in values.iter().enumerate() {
                match value {
                    Some(value) if !value.trim().is_empty() => {
                        let class = class_of("mapped_value", labels.value(row))?;
                        mapped.append_value(reader.value(way, class, value, patients.value(row))?);
                    }
                    blank => mapped.append_option(blank),
                }
            }
            Ok(Arc::new(mapped.finish()))
        },
    )
}
