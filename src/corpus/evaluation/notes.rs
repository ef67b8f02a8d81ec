//! The texts of notes, with what figures are told by: the patient and the type of note.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::SessionContext;
use futures::TryStreamExt;

use super::annotations::Annotations;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::progress::Meter;
use crate::corpus::schema::{ColumnOptions, Role};
use crate::corpus::source::{discover, identifiers, notes_table};
use crate::corpus::store::Location;

/// The column that tells what kind of note each is, where nobody names another; there need be none.
pub(super) const NOTE_TYPE: &str = "note_type";

/// One note.
#[derive(Debug)]
pub(super) struct NoteText {
    pub(super) text: String,
    pub(super) patient: Option<String>,
    pub(super) note_type: Option<String>,
}

/// Notes by identifier.
///
/// They lie in memory: a set that people have annotated is small beside a corpus.
#[derive(Debug, Default)]
pub(super) struct NoteTexts {
    pub(super) notes: BTreeMap<String, NoteText>,
}

impl NoteTexts {
    /// The texts that gold itself carries; none where a note of it has none.
    pub(super) fn of_gold(gold: &Annotations) -> Option<Self> {
        let whole = !gold.texts.is_empty() && gold.notes.keys().all(|note| gold.texts.contains_key(note));
        let note = |(id, text): (&String, &String)| {
            (id.clone(), NoteText { text: text.clone(), patient: None, note_type: None })
        };
        whole.then(|| Self { notes: gold.texts.iter().map(note).collect() })
    }

    /// Reads the notes of a data set.
    pub(super) async fn read(
        context: &SessionContext,
        location: &Location,
        columns: &ColumnOptions,
        note_type: &str,
    ) -> Result<Self> {
        let fail = CorpusError::in_stage("evaluate");
        let source = Arc::new(discover(location, columns).await?);
        let text: Vec<_> = source.columns.of(Role::Text).collect();
        let (&[text], Some(note)) = (&text[..], source.columns.note()) else {
            return Err(CorpusError::configuration(
                "notes are compared by one column that names them and one of text",
                "name them with `--columns note=NAME,text=NAME`, and drop or keep the other text columns",
            ));
        };
        let is_there = source.columns.iter().any(|column| column.name == note_type);
        if note_type == text.name || !is_there && !["", NOTE_TYPE].contains(&note_type) {
            return Err(CorpusError::configuration(
                format!("the notes have no column `{note_type}` that tells what kind of note each is"),
                "name it with --note-type NAME as it is written, or leave the flag out",
            ));
        }
        let patient = source.columns.patient().map(|_| "__patient");
        let names = [Some(note.name.as_str()), Some(text.name.as_str()), patient, Some(note_type)];
        let table = notes_table(&source, 1, &Arc::default(), &Meter::default())?;
        context.register_table("notes", Arc::new(table)).map_err(&fail)?;
        let plan = context.table("notes").await.map_err(&fail)?.create_physical_plan().await.map_err(&fail)?;
        let mut batches = execute_stream(plan, context.task_ctx()).map_err(&fail)?;
        let mut texts = Self::default();
        while let Some(batch) = batches.try_next().await.map_err(&fail)? {
            texts.add(&batch, names).map_err(|reason| CorpusError::input(location.uri(), reason))?;
        }
        Ok(texts)
    }

    /// Adds rows; the columns are those of the note's identifier, its text, its patient and its type.
    fn add(&mut self, batch: &RecordBatch, names: [Option<&str>; 4]) -> Result<(), String> {
        let column = |name: Option<&str>| {
            name.and_then(|name| batch.column_by_name(name)).map(|column| cast(column, &DataType::Utf8))
        };
        let mut columns = names.map(|name| column(name).and_then(|column| column.ok()));
        // As a run names them: 17.0 is 17.
        if let Some(named) = names[0].and_then(|name| batch.column_by_name(name)) {
            columns[0] = identifiers(named).and_then(|named| cast(&named, &DataType::Utf8)).ok();
        }
        let value = |place: usize, row: usize| {
            let column = columns[place].as_ref()?.as_string::<i32>();
            column.is_valid(row).then(|| column.value(row).to_owned())
        };
        for row in 0..batch.num_rows() {
            let Some(id) = value(0, row) else { return Err("a note has no identifier".to_owned()) };
            let Some(text) = value(1, row) else { continue };
            let note = NoteText { text, patient: value(2, row), note_type: value(3, row) };
            if self.notes.insert(id.clone(), note).is_some() {
                return Err(format!("note {id} is there twice"));
            }
        }
        Ok(())
    }
}
