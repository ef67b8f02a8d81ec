//! Spans as columns: the claims that stages hand on, in bytes, and the spans that users see, in code points.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, Float32Builder, Int64Builder, ListArray, StringBuilder, StructArray, UInt32Builder,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, Fields, Float32Type, UInt32Type};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::ScalarUDF;

use super::{Argument, Function, text};
use crate::phi::{Claim, Class, Detector, Span};
use crate::text::CodePoints;

/// What stages hand on: a list of claims, start and end in bytes; claims on the same range are one span.
pub fn claim_type() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Struct(claim_fields()), false)))
}

fn claim_fields() -> Fields {
    vec![
        Field::new("start", DataType::UInt32, false),
        Field::new("end", DataType::UInt32, false),
        Field::new("class", DataType::Utf8, false),
        Field::new("detector", DataType::Utf8, false),
        Field::new("score", DataType::Float32, false),
    ]
    .into()
}

/// Builds a column of [`claim_type`].
#[derive(Default)]
pub(super) struct ClaimsBuilder {
    start: UInt32Builder,
    end: UInt32Builder,
    class: StringBuilder,
    detector: StringBuilder,
    score: Float32Builder,
    lengths: Vec<usize>,
    valid: Vec<bool>,
}

impl ClaimsBuilder {
    /// Adds a row: the spans of a text.
    pub(super) fn append(&mut self, spans: &[Span]) -> Result<()> {
        let mut length = 0;
        for span in spans {
            let (Ok(start), Ok(end)) = (u32::try_from(span.start), u32::try_from(span.end)) else {
                return exec_err!("a text is longer than 4 GiB");
            };
            for claim in &span.claims {
                self.start.append_value(start);
                self.end.append_value(end);
                self.class.append_value(claim.class.to_string());
                self.detector.append_value(claim.detector.name());
                self.score.append_value(claim.score);
                length += 1;
            }
        }
        self.lengths.push(length);
        self.valid.push(true);
        Ok(())
    }

    pub(super) fn append_null(&mut self) {
        self.lengths.push(0);
        self.valid.push(false);
    }

    pub(super) fn finish(mut self) -> Result<ArrayRef> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.start.finish()),
            Arc::new(self.end.finish()),
            Arc::new(self.class.finish()),
            Arc::new(self.detector.finish()),
            Arc::new(self.score.finish()),
        ];
        list(claim_fields(), columns, self.lengths, self.valid)
    }
}

/// A list column of structs from its flattened fields.
pub(super) fn list(fields: Fields, columns: Vec<ArrayRef>, lengths: Vec<usize>, valid: Vec<bool>) -> Result<ArrayRef> {
    let item = Arc::new(Field::new_list_field(DataType::Struct(fields.clone()), false));
    let values = StructArray::try_new(fields, columns, None)?;
    Ok(Arc::new(ListArray::try_new(
        item,
        OffsetBuffer::from_lengths(lengths),
        Arc::new(values),
        Some(NullBuffer::from(valid)),
    )?))
}

/// The spans of each row of a column of [`claim_type`].
///
/// # Errors
/// An execution error where the column is of another type, or names a class or detector that does not exist.
pub fn read_spans(array: &ArrayRef) -> Result<Vec<Vec<Span>>> {
    let Some(lists) = array.as_list_opt::<i32>().filter(|_| array.data_type().equals_datatype(&claim_type())) else {
        return exec_err!("this is no list of claims");
    };
    let values = lists.values().as_struct();
    let (start, end) = (values.column(0).as_primitive::<UInt32Type>(), values.column(1).as_primitive::<UInt32Type>());
    let (class, detector) = (values.column(2).as_string::<i32>(), values.column(3).as_string::<i32>());
    let score = values.column(4).as_primitive::<Float32Type>();
    let mut rows = Vec::with_capacity(lists.len());
    for row in 0..lists.len() {
        let mut spans: Vec<Span> = Vec::new();
        let offsets = lists.value_offsets();
        for at in offsets[row] as usize..offsets[row + 1] as usize {
            let claim = claim(class.value(at), detector.value(at), score.value(at))?;
            let (start, end) = (start.value(at) as usize, end.value(at) as usize);
            match spans.last_mut() {
                Some(last) if (last.start, last.end) == (start, end) => last.claims.push(claim),
                _ => spans.push(Span { start, end, claims: vec![claim] }),
            }
        }
        rows.push(spans);
    }
    Ok(rows)
}

/// Refuses spans that are not of this text, or not in order: a user may hand a function the claims on another.
pub(super) fn check_fit(text: &str, spans: &[Span]) -> Result<()> {
    let mut from = 0;
    for span in spans {
        if span.start < from || text.get(span.start..span.end).is_none() {
            return exec_err!("the claims are not of this text, or not in order");
        }
        from = span.end;
    }
    Ok(())
}

fn claim(class: &str, detector: &str, score: f32) -> Result<Claim> {
    let class: Class = class.parse().map_err(|error| datafusion::error::DataFusionError::External(Box::new(error)))?;
    match Detector::ALL.iter().find(|candidate| candidate.name() == detector) {
        Some(&detector) => Ok(Claim { class, detector, score }),
        None => exec_err!("`{detector}` is no detector"),
    }
}

fn claim_list_type() -> DataType {
    let fields: Fields = vec![
        Field::new("class", DataType::Utf8, false),
        Field::new("detector", DataType::Utf8, false),
        Field::new("score", DataType::Float32, false),
    ]
    .into();
    DataType::List(Arc::new(Field::new_list_field(DataType::Struct(fields), false)))
}

fn located_fields() -> Fields {
    vec![
        Field::new("start", DataType::Int64, false),
        Field::new("end", DataType::Int64, false),
        Field::new("label", DataType::Utf8, false),
        Field::new("claims", claim_list_type(), false),
        Field::new("score", DataType::Float32, false),
    ]
    .into()
}

/// `located_spans(text, claims)`: spans in code points, each with its label, every claim and the best score.
pub(super) fn located() -> ScalarUDF {
    Function::define(
        "located_spans",
        &[&[Argument::Text("text"), Argument::Any("claims")]],
        |_| DataType::List(Arc::new(Field::new_list_field(DataType::Struct(located_fields()), false))),
        (
            "located_spans(text, claims)",
            "The spans that a list of claims makes on a text, in code points, with label, claims and score.",
        ),
        |arguments| {
            let texts = text(&arguments[0]);
            let rows = read_spans(&arguments[1])?;
            let (mut start, mut end, mut label, mut score) =
                (Int64Builder::new(), Int64Builder::new(), StringBuilder::new(), Float32Builder::new());
            let (mut class, mut detector, mut claim_score) =
                (StringBuilder::new(), StringBuilder::new(), Float32Builder::new());
            let (mut lengths, mut valid, mut claims) = (Vec::new(), Vec::new(), Vec::new());
            for (row, spans) in rows.iter().enumerate() {
                let present = texts.is_valid(row) && arguments[1].is_valid(row);
                valid.push(present);
                lengths.push(if present { spans.len() } else { 0 });
                let mut code_points = CodePoints::new(if present { texts.value(row) } else { "" });
                for span in spans.iter().filter(|_| present) {
                    start.append_value(code_points.before(span.start) as i64);
                    end.append_value(code_points.before(span.end) as i64);
                    label.append_value(span.leading().class.label.name());
                    score.append_value(best_score(span));
                    claims.push(span.claims.len());
                    for claim in &span.claims {
                        class.append_value(claim.class.to_string());
                        detector.append_value(claim.detector.name());
                        claim_score.append_value(claim.score);
                    }
                }
            }
            let DataType::List(item) = claim_list_type() else { return exec_err!("claims are a list") };
            let DataType::Struct(fields) = item.data_type().clone() else { return exec_err!("a claim is a struct") };
            let claims_of: ArrayRef = Arc::new(ListArray::try_new(
                item,
                OffsetBuffer::from_lengths(claims),
                Arc::new(StructArray::try_new(
                    fields,
                    vec![Arc::new(class.finish()), Arc::new(detector.finish()), Arc::new(claim_score.finish())],
                    None,
                )?),
                None,
            )?);
            let columns: Vec<ArrayRef> = vec![
                Arc::new(start.finish()),
                Arc::new(end.finish()),
                Arc::new(label.finish()),
                claims_of,
                Arc::new(score.finish()),
            ];
            list(located_fields(), columns, lengths, valid)
        },
    )
}

/// The best score of a span's claims.
pub(super) fn best_score(span: &Span) -> f32 {
    span.claims.iter().map(|claim| claim.score).fold(0.0, f32::max)
}
