//! Candidates for the inclusion list: `sql/inclusion_candidates.sql`, or the sentences that a validation found free of identifiers.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch};

use super::{Job, JobOptions};
use crate::corpus::columns::{numbers, texts, unreadable};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::Result;
use crate::corpus::evaluation::AnnotatedText;
use crate::corpus::functions::{Detection, read_spans, sentence_answer};
use crate::corpus::progress::Observer;
use crate::detect::inclusion::{Candidate, ClaimedRange, Context, Why};
use crate::phi::{Claim, Span};
use crate::text::InContext;

/// Which sentences are candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CandidateOptions {
    /// So many of the most prevalent.
    pub prevalent: u64,
    /// And so many of the most prevalent others that hold a medical term.
    pub medical: u64,
    /// None that fewer patients have.
    pub patients_at_least: u64,
}

/// Counts the sentences of notes and asks the ensemble about the most prevalent.
///
/// # Errors
/// Any [`CorpusError`](crate::corpus::CorpusError).
pub async fn candidates(
    options: &JobOptions,
    choice: CandidateOptions,
    deidentifier: Arc<Deidentifier>,
    observer: &dyn Observer,
) -> Result<Vec<Candidate>> {
    let mut job = Job::begin(options, deidentifier, observer).await?;
    job.require_patients()?;
    job.distinct_sentences().await?;
    let found = job
        .stage("detect", None, async |job, meter| {
            job.context.register_udf(sentence_answer(&job.deidentifier, &Arc::new(Detection::new(None)), meter));
            let CandidateOptions { prevalent, medical, patients_at_least } = choice;
            let statement = include_str!("../../../sql/inclusion_candidates.sql")
                .replace("{patients}", &patients_at_least.to_string())
                .replace("{prevalent}", &prevalent.to_string())
                .replace("{medical}", &medical.to_string());
            job.write_table("candidates", &statement).await?;
            let mut found = Vec::new();
            job.each_batch("detect", include_str!("../../../sql/inclusion_claims.sql"), |batch| {
                read(batch, &mut found)
            })
            .await?;
            Ok(found)
        })
        .await?;
    job.end().await?;
    Ok(found)
}

fn read(batch: &RecordBatch, found: &mut Vec<Candidate>) -> Result<()> {
    const TABLE: &str = "candidates";
    let text = |name| texts(batch, name, TABLE);
    let (sentences, before, after, why) = (text("text")?, text("before")?, text("after")?, text("why")?);
    let number = |name| numbers(batch, name, TABLE);
    let (occurrences, notes, patients) = (number("occurrences")?, number("notes")?, number("patients")?);
    let answers = batch.column_by_name("answer").and_then(|column| column.as_struct_opt());
    let claims = answers.and_then(|answers| answers.column_by_name("claims")).ok_or_else(|| unreadable(TABLE))?;
    for (row, spans) in read_spans(claims).map_err(|_| unreadable(TABLE))?.iter().enumerate() {
        found.push(Candidate {
            context: Context::of(InContext { before: before.value(row), text: "", after: after.value(row) }),
            sentence: sentences.value(row).to_owned(),
            occurrences: occurrences.value(row),
            notes: notes.value(row),
            patients: patients.value(row),
            why: why.value(row).parse().map_err(|()| unreadable(TABLE))?,
            claims: claimed(spans),
        });
    }
    Ok(())
}

fn claimed(spans: &[Span]) -> Vec<ClaimedRange> {
    let mut claimed = Vec::new();
    for Span { start, end, claims } in spans {
        let label = |claim: &Claim| claim.class.to_string();
        claimed.extend(claims.iter().map(|claim| ClaimedRange { start: *start, end: *end, label: label(claim) }));
    }
    claimed
}

/// The sentences of validated notes in which nobody marked anything, with what the ensemble claims in them. Notes that the annotations do not name
/// are passed over: nobody says that they were read.
///
/// # Errors
/// Where a trained member fails.
pub fn gold_candidates(
    gold: &[AnnotatedText],
    patients_at_least: u64,
    deidentifier: &Deidentifier,
) -> Result<Vec<Candidate>> {
    struct Seen<'g> {
        occurrences: u64,
        notes: HashSet<&'g str>,
        patients: HashSet<&'g str>,
    }
    let mut seen: HashMap<InContext<'_>, Seen<'_>> = HashMap::new();
    let mut marked: HashSet<InContext<'_>> = HashSet::new();
    for note in gold.iter().filter(|note| note.is_named) {
        let cut: Vec<_> = crate::text::sentences(&note.text).collect();
        for (range, sentence) in cut.iter().zip(deidentifier.context().sentences(&note.text, &cut)) {
            if note.spans.iter().any(|(span, _)| span.start < range.end && range.start < span.end) {
                // What was marked once is no candidate, though it was overlooked elsewhere.
                marked.insert(sentence);
            }
            let new = || Seen { occurrences: 0, notes: HashSet::new(), patients: HashSet::new() };
            let counted = seen.entry(sentence).or_insert_with(new);
            counted.occurrences += 1;
            counted.notes.insert(&note.note_id);
            counted.patients.insert(&note.group);
        }
    }
    let free: Vec<_> = seen
        .iter()
        .filter(|(sentence, seen)| !marked.contains(sentence) && seen.patients.len() as u64 >= patients_at_least)
        .collect();
    let sentences: Vec<_> = free.iter().map(|(sentence, _)| **sentence).collect();
    let found = deidentifier.ensemble()?.detect_all(&sentences, &mut |_| {})?;
    let candidate = |((sentence, seen), spans): (&(&InContext<'_>, &Seen<'_>), Vec<Span>)| Candidate {
        context: Context::of(**sentence),
        sentence: sentence.text.to_owned(),
        occurrences: seen.occurrences,
        notes: seen.notes.len() as u64,
        patients: seen.patients.len() as u64,
        why: Why::Gold,
        claims: claimed(&spans),
    };
    Ok(free.iter().zip(found).map(candidate).collect())
}
