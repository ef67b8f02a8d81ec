//! `sentence_counts(text)`: the distinct sentences of a text with how often each occurs, by hash alone. What the grouping of the whole
//! corpus begins with.

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
            "The distinct sentences of a text in the order of their hashes: a list of struct(sentence_hash, occurrences).",
        ),
        move |arguments| {
            let hasher = deidentifier.hasher()?;
            let (mut hash, mut occurrences) = (FixedSizeBinaryBuilder::new(16), UInt64Builder::new());
            let (mut lengths, mut valid) = (Vec::new(), Vec::new());
            let (mut cut, mut keys) = (Vec::new(), Vec::new());
            for text in text(&arguments[0]) {
                let text_or_nothing = text.unwrap_or_default();
                cut.clear();
                cut.extend(sentences(text_or_nothing));
                let judged = deidentifier.context().sentences(text_or_nothing, &cut);
                keys.clear();
                keys.extend(judged.map(|sentence| hasher.hash_in_context(sentence)));
                // Sorted, equal ones are neighbours; a note has few.
                keys.sort_unstable();
                let mut length = 0;
                for equal in keys.chunk_by(|one, other| one == other) {
                    hash.append_value(equal[0])?;
                    occurrences.append_value(equal.len() as u64);
                    length += 1;
                }
                lengths.push(length);
                valid.push(text.is_some());
            }
            let columns: Vec<ArrayRef> = vec![Arc::new(hash.finish()), Arc::new(occurrences.finish())];
            spans::list(fields(), columns, lengths, valid)
        },
    )
}
