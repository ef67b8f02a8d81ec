//! `sentence_route(sentence)`: `listed`, `template` or `remainder`.

use std::sync::Arc;

use arrow::array::StringArray;
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, text};
use crate::corpus::deidentifier::Deidentifier;

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "sentence_route",
        &[&[Argument::Text("sentence")]],
        |_| DataType::Utf8,
        (
            "sentence_route(sentence)",
            "Which way a sentence goes: on the inclusion list (`listed`), tagged by a template (`template`), or left for the ensemble (`remainder`).",
        ),
        move |arguments| {
            let ensemble = deidentifier.ensemble()?;
            let routes =
                text(&arguments[0]).iter().map(|sentence| sentence.map(|sentence| ensemble.route(sentence).name()));
            Ok(Arc::new(routes.collect::<StringArray>()))
        },
    )
}
