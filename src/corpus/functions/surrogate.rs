//! `surrogate(label, value, patient_id)`: what stands for a value in that patient's notes.

use std::sync::Arc;

use arrow::array::{Array, StringViewBuilder};
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, holds_more, is_placeholder, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::{CorpusError, Result};
use crate::phi::Class;

/// The class that an argument names, which is not told: it may be of the wrong column.
pub(super) fn class_of(function: &str, label: &str) -> Result<Class> {
    label.parse().map_err(|_| {
        CorpusError::configuration(
            format!("{function}: argument `label` must be a label"),
            "labels are those of i2b2-2014, such as PATIENT or DATE:full",
        )
    })
}

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "surrogate",
        &[&[Argument::Text("label"), Argument::Text("value"), Argument::Identifier("patient_id")]],
        |_| DataType::Utf8View,
        (
            "surrogate(label, value, patient_id)",
            "The surrogate of a value, the same in all of that patient's notes; blanks and words for nothing stay. An e-mail address, an age, a date or a time that holds more than that becomes null. Labels are those of i2b2-2014, with a sub-kind where there is one: 'DATE:full'.",
        ),
        move |arguments| {
            let [labels, values, patients] = [0, 1, 2].map(|argument| text(&arguments[argument]));
            let mut reader = deidentifier.reader();
            let mut surrogates = StringViewBuilder::with_capacity(values.len());
            for (row, value) in values.iter().enumerate() {
                let (Some(value), true, true) = (value, labels.is_valid(row), patients.is_valid(row)) else {
                    surrogates.append_null();
                    continue;
                };
                let class = class_of("surrogate", labels.value(row))?;
                if is_placeholder(class.label, value) {
                    // As in a mapped column: what stands for no value stays.
                    surrogates.append_value(value);
                    continue;
                }
                if holds_more(class.label, value) {
                    surrogates.append_null();
                    continue;
                }
                surrogates.append_value(reader.surrogates(patients.value(row))?.replace(class, value));
            }
            Ok(Arc::new(surrogates.finish()))
        },
    )
}
