//! `sentences(text)`: the sentences of a text, with offsets in code points and their hash.

use std::sync::Arc;

use arrow::array::{FixedSizeBinaryBuilder, Int64Builder, StringViewBuilder};
use arrow::datatypes::{DataType, Field, Fields};
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, spans, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::text::{CodePoints, sentences};

fn fields() -> Fields {
    vec![
        Field::new("start", DataType::Int64, false),
        Field::new("end", DataType::Int64, false),
        Field::new("text", DataType::Utf8View, false),
        Field::new("sentence_hash", DataType::FixedSizeBinary(16), false),
    ]
    .into()
}

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "sentences",
        &[&[Argument::Text("text")]],
        |_| DataType::List(Arc::new(Field::new_list_field(DataType::Struct(fields()), false))),
        (
            "sentences(text)",
            "The sentences of a text: a list of struct(start, end, text, sentence_hash), offsets half-open in code points.",
        ),
        move |arguments| {
            let hasher = deidentifier.hasher()?;
            let texts = text(&arguments[0]);
            let (mut start, mut end) = (Int64Builder::new(), Int64Builder::new());
            let (mut cut, mut hash) = (StringViewBuilder::new(), FixedSizeBinaryBuilder::new(16));
            let (mut lengths, mut valid) = (Vec::new(), Vec::new());
            for text in texts {
                let mut length = 0;
                let mut code_points = CodePoints::new(text.unwrap_or_default());
                for range in sentences(text.unwrap_or_default()) {
                    let sentence = &text.unwrap_or_default()[range.clone()];
                    start.append_value(code_points.before(range.start) as i64);
                    end.append_value(code_points.before(range.end) as i64);
                    cut.append_value(sentence);
                    hash.append_value(hasher.hash(sentence))?;
                    length += 1;
                }
                lengths.push(length);
                valid.push(text.is_some());
            }
            spans::list(
                fields(),
                vec![Arc::new(start.finish()), Arc::new(end.finish()), Arc::new(cut.finish()), Arc::new(hash.finish())],
                lengths,
                valid,
            )
        },
    )
}
