//! Annotated notes with their texts, for training.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::annotations::Annotations;
use super::mapped;
use super::notes::NoteTexts;
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::schema::ColumnOptions;
use crate::corpus::session::session;
use crate::corpus::store::Location;
use crate::evaluate::{LabelMap, Mark};

/// A note with what people marked in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedText {
    /// The note.
    pub note_id: String,
    /// Whose it is, or the note itself where that is not known.
    pub group: String,
    /// Its text.
    pub text: String,
    /// Whether the annotations name it. Tables of spans name no note in which nothing was marked, and none that nobody has read.
    pub is_named: bool,
    /// Byte ranges of the text with the names of their labels; decoys are left out.
    pub spans: Vec<(Range<usize>, String)>,
}

/// Reads annotated notes in any of the formats that evaluation takes. `notes` are needed where the annotations lack the texts.
///
/// # Errors
/// [`CorpusError::Input`] where a data set cannot be read, names a label that the map does not know, or has a span that does not
/// fit its note; [`CorpusError::Configuration`] where texts are missing.
pub async fn annotated_texts(
    gold: &Location,
    labels: &LabelMap,
    notes: Option<&(Location, ColumnOptions)>,
) -> Result<Vec<AnnotatedText>> {
    let context = session(&Arc::new(Deidentifier::new()), 1)?;
    let annotations = Annotations::read(&context, gold).await?;
    let mut spans: BTreeMap<_, _> = mapped(&annotations, gold, |spans| labels.gold(spans))?;
    let texts = match notes {
        Some((notes, columns)) => Some(NoteTexts::read(&context, notes, columns, "").await?),
        None => NoteTexts::of_gold(&annotations),
    };
    let texts = texts.ok_or_else(|| {
        CorpusError::configuration(
            format!("`{}` has annotations without texts", gold.uri()),
            "give the notes: --notes, or the flag that goes with this one",
        )
    })?;
    annotations.refuse_other_texts(gold, &texts)?;
    let mut annotated = Vec::with_capacity(texts.notes.len());
    for (note_id, note) in texts.notes {
        let fault = || {
            CorpusError::input(
                gold.uri(),
                format!("note {note_id} has a span that is empty or does not lie in its text"),
            )
        };
        // Code point to byte; one more for the end of the text.
        let bytes: Vec<usize> = note.text.char_indices().map(|(at, _)| at).chain([note.text.len()]).collect();
        let byte = |at: usize| bytes.get(at).copied().ok_or_else(fault);
        let mut ranges = Vec::new();
        let marked = spans.remove(&note_id);
        let is_named = marked.is_some();
        for span in marked.unwrap_or_default() {
            if let Mark::Identifier(class) = span.mark {
                if span.start >= span.end {
                    return Err(fault());
                }
                ranges.push((byte(span.start)?..byte(span.end)?, class.label.name().to_owned()));
            }
        }
        let group = note.patient.unwrap_or_else(|| note_id.clone());
        annotated.push(AnnotatedText { note_id, group, text: note.text, is_named, spans: ranges });
    }
    match spans.keys().next() {
        Some(note) => Err(CorpusError::input(gold.uri(), format!("note {note} is annotated, but not among the notes"))),
        None => Ok(annotated),
    }
}
