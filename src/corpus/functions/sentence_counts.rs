//! `sentence_counts(text)`: the distinct sentences of a text with how often each occurs, by hash alone; with
//! `sentence_counts(text, true)` their text too. What the grouping of the whole corpus begins with.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, FixedSizeBinaryBuilder, StringViewBuilder, UInt64Builder};
use arrow::datatypes::{DataType, Field, Fields};
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, spans, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::text::sentences;

fn fields(with_text: bool) -> Fields {
    let mut fields = vec![
        Field::new("sentence_hash", DataType::FixedSizeBinary(16), false),
        Field::new("occurrences", DataType::UInt64, false),
    ];
    if with_text {
        fields.push(Field::new("text", DataType::Utf8View, false));
    }
    fields.into()
}

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "sentence_counts",
        &[&[Argument::Text("text")], &[Argument::Text("text"), Argument::Any("with_text")]],
        |types| DataType::List(Arc::new(Field::new_list_field(DataType::Struct(fields(types.len() == 2)), false))),
        (
            "sentence_counts(text[, with_text])",
            "The distinct sentences of a text in order of appearance: a list of struct(sentence_hash, occurrences[, text]).",
        ),
        move |arguments| {
            let hasher = deidentifier.hasher()?;
            let with_text = arguments.len() == 2;
            let (mut hash, mut occurrences, mut cut) =
                (FixedSizeBinaryBuilder::new(16), UInt64Builder::new(), StringViewBuilder::new());
            let (mut lengths, mut valid) = (Vec::new(), Vec::new());
            let (mut order, mut counts) = (Vec::new(), HashMap::new());
            for text in text(&arguments[0]) {
                order.clear();
                counts.clear();
                for range in sentences(text.unwrap_or_default()) {
                    let sentence = &text.unwrap_or_default()[range];
                    let key = hasher.hash(sentence);
                    let count = counts.entry(key).or_insert(0);
                    if *count == 0 {
                        order.push((key, sentence));
                    }
                    *count += 1;
                }
                for (key, sentence) in &order {
                    hash.append_value(key)?;
                    occurrences.append_value(counts[key]);
                    if with_text {
                        cut.append_value(sentence);
                    }
                }
                lengths.push(order.len());
                valid.push(text.is_some());
            }
            let mut columns: Vec<ArrayRef> = vec![Arc::new(hash.finish()), Arc::new(occurrences.finish())];
            if with_text {
                columns.push(Arc::new(cut.finish()));
            }
            spans::list(fields(with_text), columns, lengths, valid)
        },
    )
}
