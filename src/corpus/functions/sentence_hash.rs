//! `sentence_hash(text)`: the keyed hash under which a sentence is counted, 16 bytes.

use std::sync::Arc;

use arrow::array::FixedSizeBinaryBuilder;
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, text};
use crate::corpus::deidentifier::Deidentifier;

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "sentence_hash",
        &[&[Argument::Text("text")]],
        |_| DataType::FixedSizeBinary(16),
        (
            "sentence_hash(text)",
            "The keyed 128-bit hash of a text, as sentences are counted by. It can be guessed by the keyholder: as confidential as the text.",
        ),
        move |arguments| {
            let hasher = deidentifier.hasher()?;
            let mut hashes = FixedSizeBinaryBuilder::new(16);
            for text in text(&arguments[0]) {
                match text {
                    Some(text) => hashes.append_value(hasher.hash(text))?,
                    None => hashes.append_null(),
                }
            }
            Ok(Arc::new(hashes.finish()))
        },
    )
}
