//! `sentence_counts(text)`: the distinct sentences of a text with how often each occurs, by hash alone. What the grouping of the whole
//! corpus begins with.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, FixedSizeBinaryBuilder, UInt64Builder};
use arrow::datatypes::{DataType, Field, Fields};
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, spans, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::text::sentences;

fn fields() -> Fields {
    vec![
        Field::new("sentence_hash", DataType::FixedSizeBinary(16), false),
        Field::new("occurrences", DataType::UInt64, false),
    ]
    .into()
}

pub(super) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        "sentence_counts",
        &[&[Argument::Text("text")]],
        |_| DataType::List(Arc::new(Field::new_list_field(DataType::Struct(fields()), false))),
        (
            "sentence_counts(text)",
            "The distinct sentences of a text in order of appearance: a list of struct(sentence_hash, occurrences).",
        ),
        move |arguments| {
            let hasher = deidentifier.hasher()?;
            let (mut hash, mut occurrences) = (FixedSizeBinaryBuilder::new(16), UInt64Builder::new());
            let (mut lengths, mut valid) = (Vec::new(), Vec::new());
            let (mut cut, mut order, mut counts) = (Vec::new(), Vec::new(), HashMap::new());
            for text in text(&arguments[0]) {
                cut.clear();
                order.clear();
                counts.clear();
                cut.extend(sentences(text.unwrap_or_default()));
                for sentence in deidentifier.context().sentences(text.unwrap_or_default(), &cut) {
                    let key = hasher.hash_in_context(sentence);
                    let count = counts.entry(key).or_insert(0);
                    if *count == 0 {
                        order.push(key);
                    }
                    *count += 1;
                }
                for key in &order {
                    hash.append_value(key)?;
                    occurrences.append_value(counts[key]);
                }
                lengths.push(order.len());
                valid.push(text.is_some());
            }
            let columns: Vec<ArrayRef> = vec![Arc::new(hash.finish()), Arc::new(occurrences.finish())];
            spans::list(fields(), columns, lengths, valid)
        },
    )
}
