//! Gold and predicted annotations, joined by note for the evaluator.
//!
//! ```text
//! gold              ─┐
//! predicted, several ┼─ by note ─▶ Evaluator, one a prediction ─▶ Comparison
//! notes              ┘   tokens need the text; without it every code point counts as one
//! ```

mod annotated;
mod annotations;
mod notes;
mod overwriting;
mod rows;

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::prelude::SessionContext;

pub use self::annotated::{AnnotatedText, annotated_texts};
use self::annotations::Annotations;
use self::notes::{NOTE_TYPE, NoteTexts};
pub(crate) use self::overwriting::refuse_overwriting;
use super::deidentifier::Deidentifier;
use super::error::{CorpusError, Result};
use super::schema::ColumnOptions;
use super::session::session;
use super::store::Location;
use crate::evaluate::{
    Bootstrap, Comparison, Evaluator, GoldSpan, LabelMap, LabelledSpan, NoteUnderTest, TokenUnit, list_errors,
};

/// What is compared, and how.
#[derive(Debug)]
pub struct EvaluateOptions {
    /// The gold annotations.
    pub gold: Location,
    /// What gold's labels mean.
    pub gold_labels: LabelMap,
    /// The predictions by name; what the others gain is told over the first.
    pub predicted: Vec<(String, Location)>,
    /// What the predictions' labels mean.
    pub predicted_labels: LabelMap,
    /// The notes with the roles of their columns; where gold has the texts itself, they are not needed.
    pub notes: Option<(Location, ColumnOptions)>,
    /// The column of the notes that holds their type.
    pub note_type: String,
    /// Bootstrap replicates; none for no intervals.
    pub replicates: usize,
    /// Where the errors are listed, with the words of the notes: confidential.
    pub errors: Option<Location>,
}

impl EvaluateOptions {
    /// Gold and one prediction, in our own labels.
    pub fn new(gold: Location, predicted: Location) -> Self {
        Self {
            gold,
            gold_labels: LabelMap::default(),
            predicted: vec![("predicted".to_owned(), predicted)],
            predicted_labels: LabelMap::default(),
            notes: None,
            note_type: NOTE_TYPE.to_owned(),
            replicates: Bootstrap::REPLICATES,
            errors: None,
        }
    }
}

/// A prediction under way.
struct System {
    name: String,
    spans: BTreeMap<String, Vec<LabelledSpan>>,
    evaluator: Evaluator,
}

/// Compares predictions with gold.
///
/// # Errors
/// [`CorpusError::Input`] where a data set cannot be read, lacks a column, names a label that the map does not know, or has spans
/// that do not fit their note.
pub async fn evaluate(options: &EvaluateOptions) -> Result<Comparison> {
    let context = session(&Arc::new(Deidentifier::new()), 1)?;
    let gold = Annotations::read(&context, &options.gold).await?;
    let mut gold_spans = mapped(&gold, &options.gold, |spans| options.gold_labels.gold(spans))?;
    let texts = match &options.notes {
        Some((notes, columns)) => {
            let texts = NoteTexts::read(&context, notes, columns, &options.note_type).await?;
            gold.refuse_other_texts(&options.gold, &texts)?;
            Some(texts)
        }
        None => NoteTexts::of_gold(&gold),
    };
    let mut systems = systems(&context, options, texts.as_ref(), &gold_spans).await?;
    let (mut errors, has_texts) = (String::new(), texts.is_some());
    match texts {
        Some(texts) => {
            for (id, note) in &texts.notes {
                let gold = gold_spans.remove(id).unwrap_or_default();
                let note = NoteUnderTest {
                    note_id: id,
                    cluster: note.patient.as_deref(),
                    note_type: note.note_type.as_deref(),
                    text: Some(&note.text),
                    gold: &gold,
                    predicted: &[],
                };
                add(&mut systems, &options.gold, note, options.errors.is_some().then_some(&mut errors))?;
            }
            let notes = options.notes.as_ref().map_or(&options.gold, |(notes, _)| notes).uri();
            let left = systems.iter().map(|system| system.spans.len());
            let left = options.predicted.iter().map(|(_, location)| location).zip(left);
            let mut left = std::iter::once((&options.gold, gold_spans.len())).chain(left).filter(|(_, left)| *left > 0);
            if let Some((location, left)) = left.next() {
                let reason = format!("{left} of the notes that it has spans of are not among the notes at `{notes}`");
                return Err(CorpusError::input(location.uri(), reason));
            }
        }
        None => {
            let mut ids: Vec<_> = systems.iter().flat_map(|system| system.spans.keys().cloned()).collect();
            ids.extend(gold_spans.keys().cloned());
            ids.sort();
            ids.dedup();
            for id in &ids {
                let gold = gold_spans.remove(id).unwrap_or_default();
                let note = NoteUnderTest {
                    note_id: id,
                    cluster: None,
                    note_type: None,
                    text: None,
                    gold: &gold,
                    predicted: &[],
                };
                add(&mut systems, &options.gold, note, None)?;
            }
        }
    }
    if let Some(location) = &options.errors {
        if !has_texts {
            return Err(CorpusError::configuration("errors cannot be listed without the notes", "give --notes"));
        }
        location.write_confidential(errors).await?;
    }
    compared(systems)
}

/// The predictions, each with an evaluator of its own.
async fn systems(
    context: &SessionContext,
    options: &EvaluateOptions,
    texts: Option<&NoteTexts>,
    gold: &BTreeMap<String, Vec<GoldSpan>>,
) -> Result<Vec<System>> {
    let marks_times = gold.values().flatten().any(|span| LabelMap::is_time(span.mark));
    let labels = options.predicted_labels.clone();
    let labels = if marks_times { labels } else { labels.with_auxiliary_times() };
    let unit = if texts.is_some() { TokenUnit::Token } else { TokenUnit::CodePoint };
    let mut systems = Vec::new();
    for (name, location) in &options.predicted {
        let predicted = Annotations::read(context, location).await?;
        texts.map_or(Ok(()), |texts| predicted.refuse_other_texts(location, texts))?;
        let spans = mapped(&predicted, location, |spans| labels.predicted(spans))?;
        let evaluator = Evaluator::with_replicates(unit, options.replicates);
        systems.push(System { name: name.clone(), spans, evaluator });
    }
    Ok(systems)
}

/// Scores one note for every system, and lists its errors.
fn add(
    systems: &mut [System],
    gold: &Location,
    note: NoteUnderTest<'_>,
    mut errors: Option<&mut String>,
) -> Result<()> {
    for system in systems {
        let predicted = system.spans.remove(note.note_id).unwrap_or_default();
        let note = NoteUnderTest { predicted: &predicted, ..note };
        let fail = |error: crate::evaluate::EvaluateError| {
            let at_fault = if error.is_of_gold() { gold.uri() } else { &system.name };
            CorpusError::input(at_fault, format!("note {}: {error}", note.note_id))
        };
        system.evaluator.add_note(note).map_err(fail)?;
        if let Some(errors) = &mut errors {
            for error in list_errors(&note).map_err(fail)? {
                let mut line = serde_json::to_value(&error).map_err(|error| CorpusError::output("errors", error))?;
                line["system"] = system.name.as_str().into();
                errors.push_str(&format!("{line}\n"));
            }
        }
    }
    Ok(())
}

fn compared(systems: Vec<System>) -> Result<Comparison> {
    let mut comparison = Comparison::new();
    for System { name, evaluator, .. } in systems {
        let fail = |error: crate::evaluate::EvaluateError| CorpusError::input(&name, error.to_string());
        comparison.add(name.clone(), evaluator.finish()).map_err(fail)?;
    }
    Ok(comparison)
}

/// Every note's annotations in our labels.
fn mapped<Span, Error: std::fmt::Display>(
    annotations: &Annotations,
    location: &Location,
    map: impl Fn(&[crate::evaluate::gold::Annotation]) -> Result<Vec<Span>, Error>,
) -> Result<BTreeMap<String, Vec<Span>>> {
    let spans = annotations.notes.iter().map(|(note, spans)| Ok((note.clone(), map(spans)?)));
    spans.collect::<Result<_, Error>>().map_err(|error| CorpusError::input(location.uri(), error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gold and a prediction in JSON Lines, compared; each is given as lines of start and label.
    async fn compared(labels: &str, gold: &[(u64, &str)], predicted: &[(u64, &str)]) -> crate::evaluate::Evaluation {
        let folder = tempfile::tempdir().unwrap();
        let line = |(start, label): &(u64, &str)| {
            let end = start + 4;
            serde_json::json!({"note_id": "n", "start": start, "end": end, "label": label}).to_string() + "\n"
        };
        let written = |name: &str, spans: &[(u64, &str)]| {
            let file = folder.path().join(name);
            std::fs::write(&file, spans.iter().map(line).collect::<String>()).unwrap();
            Location::parse(file.to_str().unwrap()).unwrap()
        };
        let mut options = EvaluateOptions::new(written("gold.jsonl", gold), written("spans.jsonl", predicted));
        options.gold_labels = LabelMap::named(labels).unwrap();
        options.predicted_labels = options.gold_labels.clone();
        evaluate(&options).await.unwrap().systems()[0].1.clone()
    }

    #[tokio::test]
    async fn nothing_found_is_scored_and_so_is_nothing_marked() {
        let one = [(0, "CITY")];
        let missed = compared("plainsight", &one, &[]).await;
        assert_eq!((missed.gold_spans, missed.predicted_spans), (1, 0));
        let spurious = compared("plainsight", &[], &one).await;
        assert_eq!((spurious.gold_spans, spurious.predicted_spans), (0, 1));
        let neither = compared("plainsight", &[], &[]).await;
        assert_eq!((neither.notes, neither.gold_spans), (0, 0));
        assert!(!neither.to_string().is_empty() && neither.to_html().contains("</html>"));
    }

    #[tokio::test]
    async fn offsets_of_another_text_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let written = |name: &str, content: &str| {
            let file = folder.path().join(name);
            std::fs::write(&file, content).unwrap();
            Location::parse(file.to_str().unwrap()).unwrap()
        };
        let columns = written("n.conll", "Rose\tB-DOCTOR\nBrown\tI-DOCTOR\n,\tO\nMD\tO\n");
        written("n.txt", "Rose Brown, MD\n");
        let standoff = written("n.ann", "T1\tDOCTOR 0 10\tRose Brown\n");
        for (gold, predicted) in [(&columns, &standoff), (&standoff, &columns)] {
            let told = evaluate(&EvaluateOptions::new(gold.clone(), predicted.clone())).await.unwrap_err().to_string();
            assert!(told.contains("1 of its notes") && !told.contains("Rose"), "{told}");
        }
        for same in [columns, standoff] {
            let found = evaluate(&EvaluateOptions::new(same.clone(), same)).await.unwrap();
            assert_eq!(found.systems()[0].1.strict.micro().true_positives, 1);
        }
    }

    #[tokio::test]
    async fn times_are_scored_where_gold_marks_them_as_a_label_of_its_own() {
        let (times, city) = ([(0, "Time"), (9, "CITY")], [(9, "CITY")]);
        let found = compared("any", &times, &[(0, "TIME"), (9, "CITY")]).await;
        assert_eq!((found.gold_spans, found.strict.micro().true_positives), (2, 2));
        let missed = compared("any", &times, &city).await;
        assert_eq!(missed.strict.micro().false_negatives, 1);
        let beside = compared("any", &city, &[(0, "TIME"), (9, "CITY")]).await;
        assert_eq!((beside.predicted_spans, beside.strict.micro().false_positives), (1, 0));
        assert_eq!(compared("plainsight", &times, &city).await.gold_spans, 1);
    }
}
