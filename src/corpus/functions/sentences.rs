//! `sentences(text)`: the sentences of a text, with offsets in code points and their hash.

use std::sync::Arc;

use arrow::array::{ArrayRef, FixedSizeBinaryBuilder, Int64Builder, StringViewBuilder};
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
        Field::new("before", DataType::Utf8View, false),
        Field::new("after", DataType::Utf8View, false),
        Field::new("sentence_hash", DataType::FixedSizeBinary(16), false),
    ]
    .into()
}

pub(in crate::corpus) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "sentences",
        &[&[Argument::Text("text")]],
        |_| DataType::List(Arc::new(Field::new_list_field(DataType::Struct(fields()), false))),
        (
            "sentences(text)",
            "The sentences of a text: a list of struct(start, end, text, before, after, sentence_hash), offsets half-open in code points. For fragments, before and after are the lines that they are judged with.",
        ),
        move |arguments| {
            let hasher = deidentifier.hasher()?;
            let texts = text(&arguments[0]);
            let (mut start, mut end) = (Int64Builder::new(), Int64Builder::new());
            let mut parts: [StringViewBuilder; 3] = Default::default();
            let mut hash = FixedSizeBinaryBuilder::new(16);
            let (mut lengths, mut valid) = (Vec::new(), Vec::new());
            for text in texts {
                let mut code_points = CodePoints::new(text.unwrap_or_default());
                let cut: Vec<_> = sentences(text.unwrap_or_default()).collect();
                let in_context = deidentifier.context().sentences(text.unwrap_or_default(), &cut);
                for (range, sentence) in cut.iter().zip(in_context) {
                    start.append_value(code_points.before(range.start) as i64);
                    end.append_value(code_points.before(range.end) as i64);
                    let texts = [sentence.text, sentence.before, sentence.after];
                    parts.iter_mut().zip(texts).for_each(|(column, part)| column.append_value(part));
                    hash.append_value(hasher.hash_in_context(sentence))?;
                }
                lengths.push(cut.len());
                valid.push(text.is_some());
            }
            let mut columns: Vec<ArrayRef> = vec![Arc::new(start.finish()), Arc::new(end.finish())];
            columns.extend(parts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
            columns.push(Arc::new(hash.finish()));
            spans::list(fields(), columns, lengths, valid)
        },
    )
}
