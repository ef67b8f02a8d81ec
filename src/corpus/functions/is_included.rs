//! `is_included(text)`: whether a text is on the inclusion list.

use std::sync::Arc;

use arrow::array::BooleanArray;
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::detect::Route;
use crate::text::sentences;

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "is_included",
        &[&[Argument::Text("text")]],
        |_| DataType::Boolean,
        (
            "is_included(text)",
            "Whether every sentence of a text is on the inclusion list, so that no detector needs to see it; false for an empty text.",
        ),
        move |arguments| {
            let (ensemble, context) = (deidentifier.ensemble()?, deidentifier.context());
            let included = |text: &str| {
                let cut: Vec<_> = sentences(text).collect();
                !cut.is_empty() && context.sentences(text, &cut).all(|one| ensemble.route(one) == Route::Listed)
            };
            Ok(Arc::new(text(&arguments[0]).iter().map(|text| text.map(included)).collect::<BooleanArray>()))
        },
    )
}
