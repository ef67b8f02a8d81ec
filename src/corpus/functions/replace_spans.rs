//! `replace_spans(text, patient, claims[, policy[, mode[, anchor]]])`: the text with what the policy removes replaced; and
//! `replaced_spans`, of the same arguments: where that was, and where what stands for it is.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, StringBuilder, StringViewBuilder, UInt64Builder};
use arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::deidentify::no_patient;
use super::spans::{check_fit, list, read_spans};
use super::ways::Ways;
use super::{Argument, Function, text};
use crate::corpus::deidentifier::{Deidentifier, Reader, Way};
use crate::corpus::error::CorpusError;
use crate::phi::Span;
use crate::text::CodePoints;

const ARGUMENTS: [Argument; 6] = [
    Argument::Text("text"),
    Argument::Identifier("patient"),
    Argument::Any("claims"),
    Argument::Text("policy"),
    Argument::Text("mode"),
    Argument::Date("anchor"),
];
const FORMS: [&[Argument]; 4] = [ARGUMENTS.split_at(3).0, ARGUMENTS.split_at(4).0, ARGUMENTS.split_at(5).0, &ARGUMENTS];

pub(in crate::corpus) fn function(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::new(
        "replace_spans",
        &FORMS,
        |_| DataType::Utf8View,
        (
            "replace_spans(text, patient, claims[, policy[, mode[, anchor]]])",
            "The text with every span that the policy removes replaced, and every other byte as it was. Without policy and mode: those of the session.",
        ),
        move |arguments| {
            let mut replaced = StringViewBuilder::with_capacity(arguments[0].len());
            for_each(&deidentifier, arguments, |row| {
                match row {
                    Some((reader, way, text, patient, spans)) => {
                        replaced.append_value(reader.replace(way, text, patient, spans)?);
                    }
                    None => replaced.append_null(),
                }
                Ok(())
            })?;
            Ok(Arc::new(replaced.finish()))
        },
    )
    .spread()
}

/// Where spans stood and where what replaced them stands: a list, in code points of the one text and of the other.
pub(super) fn places(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::new(
        "replaced_spans",
        &FORMS,
        |_| DataType::List(Arc::new(Field::new_list_field(DataType::Struct(place_fields()), false))),
        (
            "replaced_spans(text, patient, claims[, policy[, mode[, anchor]]])",
            "What replace_spans replaces: label, where it stood (start, end), and where what stands for it is (new_start, new_end), in code points.",
        ),
        move |arguments| {
            let mut labels = StringBuilder::new();
            let mut places: [UInt64Builder; 4] = Default::default();
            let (mut lengths, mut valid) = (Vec::new(), Vec::new());
            for_each(&deidentifier, arguments, |row| {
                let mut told = Vec::new();
                valid.push(row.is_some());
                if let Some((reader, way, text, patient, spans)) = row {
                    let tell = |class, old, new| told.push((class, old, new));
                    let replaced = reader.replace_and_tell(way, text, patient, spans, tell)?;
                    let (mut before, mut after) = (CodePoints::new(text), CodePoints::new(&replaced));
                    for (class, old, new) in &told {
                        labels.append_value(class.label.name());
                        let ends = [before.before(old.start), before.before(old.end)];
                        let new_ends = [after.before(new.start), after.before(new.end)];
                        let ends = ends.into_iter().chain(new_ends);
                        places.iter_mut().zip(ends).for_each(|(column, end)| column.append_value(end as u64));
                    }
                }
                lengths.push(told.len());
                Ok(())
            })?;
            let columns = places.into_iter().map(|mut place| Arc::new(place.finish()) as ArrayRef);
            list(
                place_fields(),
                std::iter::once(Arc::new(labels.finish()) as ArrayRef).chain(columns).collect(),
                lengths,
                valid,
            )
        },
    )
    .spread()
}

fn place_fields() -> Fields {
    let number = |name: &str| Field::new(name, DataType::UInt64, false);
    let places = ["start", "end", "new_start", "new_end"].map(number);
    std::iter::once(Field::new("label", DataType::Utf8, false)).chain(places).collect()
}

/// Who replaces, how, in which text of which patient, and which spans.
type Row<'r, 'd> = (&'r mut Reader<'d>, Way<'r>, &'r str, &'r str, &'r [Span]);

/// Hands every row on; none for a null text.
fn for_each(
    deidentifier: &Deidentifier,
    arguments: &[ArrayRef],
    mut take: impl FnMut(Option<Row<'_, '_>>) -> Result<()>,
) -> Result<()> {
    let (texts, patients, claims) = (text(&arguments[0]), text(&arguments[1]), &arguments[2]);
    let (mut reader, mut ways) = (deidentifier.reader(), Ways::new(deidentifier, &arguments[3..])?);
    for (row, spans) in read_spans(claims)?.iter().enumerate() {
        if texts.is_null(row) {
            take(None)?;
        } else if patients.is_null(row) {
            return Err(no_patient().into());
        } else if claims.is_null(row) {
            let reason = "a text has no claims; it is not let through".to_owned();
            return Err(CorpusError::Accounting { reason }.into());
        } else {
            check_fit(texts.value(row), spans)?;
            take(Some((&mut reader, ways.of(row)?, texts.value(row), patients.value(row), spans)))?;
        }
    }
    Ok(())
}
