//! `sentence_route(sentence, before, after)`: `listed`, `template` or `remainder`.

use std::sync::Arc;

use arrow::array::{Array, StringArray};
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, text, valid};
use crate::corpus::deidentifier::Deidentifier;
use crate::text::InContext;

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "sentence_route",
        &[&[Argument::Text("sentence"), Argument::Text("before"), Argument::Text("after")]],
        |_| DataType::Utf8,
        (
            "sentence_route(sentence, before, after)",
            "Which way a sentence goes, with what stands before and after it: on the inclusion list (`listed`), tagged by a template (`template`), or left for the ensemble (`remainder`).",
        ),
        move |arguments| {
            let ensemble = deidentifier.ensemble()?;
            let [sentences, before, after] = [0, 1, 2].map(|at| text(&arguments[at]));
            let route = |row| {
                let (before, after) = (valid(before, row).unwrap_or_default(), valid(after, row).unwrap_or_default());
                valid(sentences, row).map(|text| ensemble.route(InContext { before, text, after }).name())
            };
            Ok(Arc::new((0..sentences.len()).map(route).collect::<StringArray>()))
        },
    )
}
