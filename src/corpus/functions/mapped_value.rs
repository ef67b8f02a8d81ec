//! `mapped_value(label, value, patient)`: a value of a structured column, replaced as it would be in a note of that patient.

use std::sync::Arc;

use arrow::array::{Array, StringViewBuilder};
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::surrogate::class_of;
use super::{Argument, Function, text};
use crate::corpus::deidentifier::{Deidentifier, Way};
use crate::evaluate::derived_kind;
use crate::phi::{Class, Kind, Label, Policy};

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "mapped_value",
        &[&[Argument::Text("label"), Argument::Identifier("value"), Argument::Identifier("patient")]],
        |_| DataType::Utf8View,
        (
            "mapped_value(label, value, patient)",
            "What stands for a value in that patient's notes, in the mode of the session; ages that the policy keeps stay.",
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
                        let class = told(class_of("mapped_value", labels.value(row))?, value);
                        match is_kept(policy, class) {
                            true => mapped.append_value(value),
                            false => mapped.append_value(reader.value(way, class, value, patients.value(row))?),
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

/// Whether a value stays: an age that the policy keeps. What else is mapped was named for it.
pub(in crate::corpus) fn is_kept(policy: &Policy, class: Class) -> bool {
    class.label == Label::Age && !policy.removes(class)
}
