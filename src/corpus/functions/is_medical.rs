//! `is_medical(sentence)`: whether a sentence holds a disease, drug or procedure term.

use std::sync::Arc;

use arrow::array::BooleanArray;
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, text};
use crate::detect::inclusion::is_medical;

pub(super) fn function() -> ScalarUDF {
    Function::define(
        "is_medical",
        &[&[Argument::Text("sentence")]],
        |_| DataType::Boolean,
        ("is_medical(sentence)", "Whether a sentence holds a disease, drug, procedure or other medical term."),
        |arguments| Ok(Arc::new(text(&arguments[0]).iter().map(|text| text.map(is_medical)).collect::<BooleanArray>())),
    )
}
