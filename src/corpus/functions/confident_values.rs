//! `confident_values(text)`: what the claims of known sentences tell of a note's patient with confidence, for the second pass.

use std::sync::Arc;

use arrow::array::{ArrayRef, StringBuilder};
use arrow::datatypes::{DataType, Field, Fields};
use datafusion::logical_expr::ScalarUDF;

use super::spans::list;
use super::{Argument, Function, text};
use crate::corpus::claims::SentenceClaims;
use crate::corpus::deidentifier::Deidentifier;
use crate::detect::second_pass::confident;
use crate::phi::unite;
use crate::text::sentences;

fn fields() -> Fields {
    vec![Field::new("label", DataType::Utf8, false), Field::new("text", DataType::Utf8, false)].into()
}

pub(super) fn function(deidentifier: &Arc<Deidentifier>, claims: &Arc<SentenceClaims>) -> ScalarUDF {
    let (deidentifier, claims) = (Arc::clone(deidentifier), Arc::clone(claims));
    Function::define(
        "confident_values",
        &[&[Argument::Text("text")]],
        |_| DataType::List(Arc::new(Field::new_list_field(DataType::Struct(fields()), false))),
        (
            "confident_values(text)",
            "The values of a note that are sure enough to be looked for in the patient's other notes: a list of struct(label, text).",
        ),
        move |arguments| {
            let (mut labels, mut values) = (StringBuilder::new(), StringBuilder::new());
            let (mut lengths, mut valid) = (Vec::new(), Vec::new());
            for text in text(&arguments[0]) {
                let found = match text {
                    Some(text) => {
                        let cut: Vec<_> = sentences(text).collect();
                        confident(text, &unite(claims.spans(text, &cut, &deidentifier)?))
                    }
                    None => Vec::new(),
                };
                valid.push(text.is_some());
                lengths.push(found.len());
                for (label, value) in found {
                    labels.append_value(label.name());
                    values.append_value(value);
                }
            }
            let columns: Vec<ArrayRef> = vec![Arc::new(labels.finish()), Arc::new(values.finish())];
            list(fields(), columns, lengths, valid)
        },
    )
}
