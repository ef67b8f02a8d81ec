//! Gold and predicted spans from data sets, joined by note for the evaluator.
//!
//! ```text
//! gold (note_id, start, end, label) ─┐
//! predicted (the same columns)      ─┼─ by note_id ─▶ Evaluator
//! notes (note_id, text)             ─┘   tokens need the text; without it every code point counts as one
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type};
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::SessionContext;
use futures::TryStreamExt;

use super::deidentifier::Deidentifier;
use super::error::{CorpusError, Result};
use super::files::open;
use super::progress::Meter;
use super::schema::ColumnOptions;
use super::session::session;
use super::source::{discover, documents_table};
use super::store::Location;
use crate::evaluate::{Evaluation, Evaluator, LabelledSpan, TokenUnit};
use crate::phi::Label;

/// Gold spans and predicted ones, by note.
type SpansByNote = HashMap<String, (Vec<LabelledSpan>, Vec<LabelledSpan>)>;

/// Compares predicted spans with gold ones, over the tokens of `notes` where they are given.
///
/// # Errors
/// [`CorpusError::Input`] where a data set cannot be read, lacks a column, names an unknown label, or has spans that do not fit
/// their note.
pub async fn evaluate(
    gold: &Location,
    predicted: &Location,
    notes: Option<(&Location, &ColumnOptions)>,
) -> Result<Evaluation> {
    let context = session(&Arc::new(Deidentifier::new()), 1, None)?;
    let mut spans = SpansByNote::new();
    read(&context, gold, |note, span| spans.entry(note).or_default().0.push(span)).await?;
    read(&context, predicted, |note, span| spans.entry(note).or_default().1.push(span)).await?;
    match notes {
        Some((notes, columns)) => over_tokens(&context, spans, notes, columns).await,
        None => over_code_points(&spans, gold),
    }
}

async fn over_tokens(
    context: &SessionContext,
    mut spans: SpansByNote,
    notes: &Location,
    columns: &ColumnOptions,
) -> Result<Evaluation> {
    let fail = CorpusError::in_stage("evaluate");
    let source = Arc::new(discover(notes, columns).await?);
    context
        .register_table("documents", Arc::new(documents_table(&source, 1, &Arc::default(), &Meter::default())?))
        .map_err(&fail)?;
    let plan = context.table("documents").await.map_err(&fail)?.create_physical_plan().await.map_err(&fail)?;
    let mut batches = execute_stream(plan, context.task_ctx()).map_err(&fail)?;
    let mut evaluator = Evaluator::new(TokenUnit::Token);
    while let Some(batch) = batches.try_next().await.map_err(&fail)? {
        let (ids, texts) = (batch.column(1).as_string_view(), batch.column(4).as_string_view());
        for row in 0..batch.num_rows() {
            let (gold, predicted) = spans.remove(ids.value(row)).unwrap_or_default();
            evaluator
                .add_note(Some(texts.value(row)), &gold, &predicted)
                .map_err(|error| CorpusError::input(notes.uri(), format!("note {}: {error}", ids.value(row))))?;
        }
    }
    if spans.is_empty() {
        Ok(evaluator.finish())
    } else {
        Err(CorpusError::input(notes.uri(), format!("{} notes that have spans are not there", spans.len())))
    }
}

fn over_code_points(spans: &SpansByNote, gold: &Location) -> Result<Evaluation> {
    let mut evaluator = Evaluator::new(TokenUnit::CodePoint);
    for (note, (gold_spans, predicted)) in spans {
        evaluator
            .add_note(None, gold_spans, predicted)
            .map_err(|error| CorpusError::input(gold.uri(), format!("note {note}: {error}")))?;
    }
    Ok(evaluator.finish())
}

async fn read(context: &SessionContext, location: &Location, mut each: impl FnMut(String, LabelledSpan)) -> Result<()> {
    let fail = |error: datafusion::error::DataFusionError| {
        CorpusError::input(location.uri(), error.to_string().lines().next().unwrap_or_default())
    };
    let table = open(context, location).await?;
    let columns = table.select_columns(&["note_id", "start", "end", "label"]).map_err(fail)?;
    let mut batches = columns.execute_stream().await.map_err(fail)?;
    while let Some(batch) = batches.try_next().await.map_err(fail)? {
        spans_of(&batch, location, &mut each)?;
    }
    Ok(())
}

fn spans_of(batch: &RecordBatch, location: &Location, each: &mut impl FnMut(String, LabelledSpan)) -> Result<()> {
    let fail = |reason: &str| CorpusError::input(location.uri(), reason);
    let as_type = |place: usize, data_type: &DataType| {
        cast(batch.column(place), data_type).map_err(|_| fail("note_id and label must be text, start and end integers"))
    };
    let (notes, labels) = (as_type(0, &DataType::Utf8)?, as_type(3, &DataType::Utf8)?);
    let (starts, ends) = (as_type(1, &DataType::Int64)?, as_type(2, &DataType::Int64)?);
    if [&notes, &labels, &starts, &ends].iter().any(|column| column.null_count() > 0) {
        return Err(fail("a span has a null in note_id, start, end or label"));
    }
    let (notes, labels) = (notes.as_string::<i32>(), labels.as_string::<i32>());
    let (starts, ends) = (starts.as_primitive::<Int64Type>(), ends.as_primitive::<Int64Type>());
    for row in 0..batch.num_rows() {
        let label: Label = labels.value(row).parse().map_err(|error: crate::phi::PhiError| fail(&error.to_string()))?;
        let (Ok(start), Ok(end)) = (usize::try_from(starts.value(row)), usize::try_from(ends.value(row))) else {
            return Err(fail("a span begins or ends before its note"));
        };
        each(notes.value(row).to_owned(), LabelledSpan::new(start, end, label));
    }
    Ok(())
}
