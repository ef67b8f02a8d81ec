//! The notes that are attacked, and what detection finds in them.
//!
//! ```text
//! generate ─▶ twenty notes a patient ─┐
//! tests/notes/development ────────────┴─▶ SourceNote ─ ensemble, second pass if asked for, policy ─▶ spans to be replaced
//! ```

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use plainsight::detect::second_pass::{PatientDictionary, confident};
use plainsight::detect::{DetectError, Ensemble};
use plainsight::generate::{GenerateOptions, Warehouse};
use plainsight::phi::{Label, Policy, Span, unite};

use crate::markup::NoteSet;

/// A note with its gold, as bytes.
#[derive(Clone)]
pub struct SourceNote {
    pub patient: String,
    pub note_type: String,
    /// The day of the note, in days since 1970, where it is known.
    pub day: Option<i64>,
    pub text: String,
    pub gold: Vec<(Range<usize>, Label)>,
    pub handwritten: bool,
}

/// Generated notes, twenty a patient.
pub fn generated(notes: u64, seed: u64) -> Vec<SourceNote> {
    let warehouse = Warehouse::new(GenerateOptions { notes, patients: (notes / 20).max(1), seed, canary: false });
    let note = |index| {
        let note = warehouse.note(index);
        let gold = note.gold.iter().map(|span| (span.start as usize, span.end as usize, span.label));
        SourceNote {
            patient: note.patient_id,
            note_type: note.note_type.to_owned(),
            day: Some(note.note_datetime.and_utc().timestamp().div_euclid(86_400)),
            gold: in_bytes(&note.text, gold),
            text: note.text,
            handwritten: false,
        }
    };
    (0..notes).map(note).collect()
}

/// The hand-written notes of a folder; decoys are no gold.
pub fn handwritten(folder: &Path) -> Result<Vec<SourceNote>, String> {
    Ok(of_set(&NoteSet::read(folder)?))
}

/// The notes of a set.
pub fn of_set(set: &NoteSet) -> Vec<SourceNote> {
    let text = |value: &serde_json::Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let mut gold: HashMap<String, Vec<(usize, usize, Label)>> = HashMap::new();
    for row in &set.gold {
        if let (Some(start), Some(end), Ok(label)) =
            (row["start"].as_u64(), row["end"].as_u64(), text(row, "label").parse())
        {
            gold.entry(text(row, "note_id")).or_default().push((start as usize, end as usize, label));
        }
    }
    let note = |row: &serde_json::Value| {
        let (id, content) = (text(row, "note_id"), text(row, "text"));
        SourceNote {
            patient: text(row, "patient_id"),
            note_type: text(row, "note_type"),
            day: None,
            gold: in_bytes(&content, gold.remove(&id).unwrap_or_default().into_iter()),
            text: content,
            handwritten: true,
        }
    };
    set.notes.iter().map(note).collect()
}

/// Gold in code points, which is in order, as bytes.
pub fn in_bytes<L>(text: &str, gold: impl Iterator<Item = (usize, usize, L)>) -> Vec<(Range<usize>, L)> {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let place = |at: usize| places.get(at).copied().unwrap_or(text.len());
    gold.map(|(start, end, label)| (place(start)..place(end), label)).filter(|(range, _)| !range.is_empty()).collect()
}

/// What detection found in each note, under the default policy; with a second pass if it is asked for.
pub fn found(ensemble: &Ensemble, notes: &[SourceNote], second_pass: bool) -> Result<Vec<Vec<Span>>, DetectError> {
    let policy = Policy::default();
    let texts: Vec<&str> = notes.iter().map(|note| note.text.as_str()).collect();
    let mut found = ensemble.detect_texts(&texts, plainsight::text::ContextMode::default())?;
    if second_pass {
        look_again(ensemble, notes, &mut found);
    }
    found.iter_mut().for_each(|spans| spans.retain(|span| policy.removes_span(span)));
    Ok(found)
}

/// Looks in all notes of a patient for what was found with confidence in one of them, as a run does.
fn look_again(ensemble: &Ensemble, notes: &[SourceNote], found: &mut [Vec<Span>]) {
    let mut values: HashMap<&str, Vec<(Label, String)>> = HashMap::new();
    for (note, spans) in notes.iter().zip(found.iter()) {
        values.entry(&note.patient).or_default().extend(confident(&note.text, spans));
    }
    let dictionary = |(patient, values): (_, Vec<(Label, String)>)| {
        (patient, PatientDictionary::new(values.iter().map(|(label, value)| (*label, value.as_str()))))
    };
    let dictionaries: HashMap<&str, PatientDictionary> = values.into_iter().map(dictionary).collect();
    for (note, spans) in notes.iter().zip(found) {
        if let Some(dictionary) = dictionaries.get(note.patient.as_str()) {
            dictionary.find(&note.text, spans);
        }
        *spans = unite(std::mem::take(spans));
        ensemble.adjust(&note.text, spans);
    }
}
