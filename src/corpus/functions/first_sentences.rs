//! `first_sentences(document, text)`: the sentences that stand first in this document, with their counts and text.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, FixedSizeBinaryBuilder, StringViewBuilder, UInt64Builder};
use arrow::datatypes::{DataType, Field, Fields, UInt64Type};
use datafusion::common::exec_err;
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, spans, text};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::CorpusError;
use crate::corpus::index::CountIndex;
use crate::text::sentences;

fn fields() -> Fields {
    let number = |name| Field::new(name, DataType::UInt64, false);
    let text = |name| Field::new(name, DataType::Utf8View, false);
    vec![
        Field::new("sentence_hash", DataType::FixedSizeBinary(16), false),
        number("occurrences"),
        number("notes"),
        number("patients"),
        text("text"),
        text("before"),
        text("after"),
    ]
    .into()
}

pub(super) fn function(deidentifier: &Arc<Deidentifier>, counts: &Arc<CountIndex>) -> ScalarUDF {
    let (deidentifier, counts) = (Arc::clone(deidentifier), Arc::clone(counts));
    Function::define(
        "first_sentences",
        &[&[Argument::Any("document"), Argument::Text("text")]],
        |_| DataType::List(Arc::new(Field::new_list_field(DataType::Struct(fields()), false))),
        (
            "first_sentences(document, text)",
            "The sentences of a text that stand in no document before it: a list of struct(sentence_hash, occurrences, notes, patients, text, before, after). A sentence that was not counted is an error.",
        ),
        move |arguments| {
            let hasher = deidentifier.hasher()?;
            let Some(documents) = arguments[0].as_primitive_opt::<UInt64Type>() else {
                return exec_err!("first_sentences: argument `document` must be an unsigned number of 64 bits");
            };
            let mut hash = FixedSizeBinaryBuilder::new(16);
            let mut numbers: [UInt64Builder; 3] = Default::default();
            let mut texts: [StringViewBuilder; 3] = Default::default();
            let (mut lengths, mut valid) = (Vec::new(), Vec::new());
            let (mut cut, mut seen) = (Vec::new(), HashSet::new());
            for (row, text) in text(&arguments[1]).iter().enumerate() {
                cut.clear();
                cut.extend(sentences(text.unwrap_or_default()));
                seen.clear();
                for sentence in deidentifier.context().sentences(text.unwrap_or_default(), &cut) {
                    let key = hasher.hash_in_context(sentence);
                    let Some(count) = counts.get(u128::from_be_bytes(key)) else {
                        let reason = "a sentence was not counted; the notes changed during the run".to_owned();
                        return Err(CorpusError::Accounting { reason }.into());
                    };
                    if count.first_document != documents.value(row) || !seen.insert(key) {
                        continue;
                    }
                    hash.append_value(key)?;
                    let counted = [count.occurrences, count.notes, count.patients];
                    numbers.iter_mut().zip(counted).for_each(|(column, number)| column.append_value(number));
                    let parts = [sentence.text, sentence.before, sentence.after];
                    texts.iter_mut().zip(parts).for_each(|(column, part)| column.append_value(part));
                }
                lengths.push(seen.len());
                valid.push(text.is_some());
            }
            let mut columns: Vec<ArrayRef> = vec![Arc::new(hash.finish())];
            columns.extend(numbers.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
            columns.extend(texts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
            spans::list(fields(), columns, lengths, valid)
        },
    )
}
