//! Templates of a sample: `sql/template_*.sql`, and how given templates fare on it.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Job, JobOptions};
use crate::corpus::columns::{numbers, texts, unreadable};
use crate::corpus::deidentifier::Deidentifier;
use crate::corpus::error::Result;
use crate::corpus::functions::{Detection, read_spans, sentence_answer};
use crate::corpus::progress::Observer;
use crate::detect::template::{Checked, Comparison, Harvest, Harvester, Reading, Settings, SyntaxShape};
use crate::detect::{DetectError, Templates};
use crate::phi::Span;
use crate::text::InContext;

/// Runs the ensemble over a sample of notes and makes templates of what always has one shape and is always claimed alike.
///
/// # Errors
/// Any [`CorpusError`](crate::corpus::CorpusError).
pub async fn harvest(
    options: &JobOptions,
    settings: Settings,
    deidentifier: Arc<Deidentifier>,
    observer: &dyn Observer,
) -> Result<Harvest> {
    let mut job = Job::begin(options, deidentifier, observer).await?;
    job.require_patients()?;
    tagged(&mut job).await?;
    let harvest = job
        .stage("harvest", None, async |job, meter| {
            job.write_table("shapes", include_str!("../../../sql/template_shapes.sql")).await?;
            let patients = patients(job, &settings, meter).await?;
            let mut harvester = Harvester::new(readings(job, &settings, &patients).await?, settings);
            each_sentence(job, |sentence, spans| harvester.see(sentence, spans)).await?;
            let ensemble = job.deidentifier.ensemble()?;
            let detect = |texts: &[&str]| -> std::result::Result<Vec<Vec<Span>>, DetectError> {
                let alone: Vec<_> = texts.iter().map(|text| InContext::alone(text)).collect();
                ensemble.detect_all(&alone, &mut |_| {})
            };
            Ok(harvester.finish(detect)?)
        })
        .await?;
    job.end().await?;
    Ok(harvest)
}

/// Holds templates against what the ensemble, which must not have them, claims on the sentences of notes.
///
/// # Errors
/// Any [`CorpusError`](crate::corpus::CorpusError).
pub async fn check_templates(
    options: &JobOptions,
    templates: &Templates,
    deidentifier: Arc<Deidentifier>,
    observer: &dyn Observer,
) -> Result<Vec<Checked>> {
    let mut job = Job::begin(options, deidentifier, observer).await?;
    tagged(&mut job).await?;
    let mut comparison = Comparison::new(templates);
    each_sentence(&job, |sentence, spans| comparison.see(sentence, spans)).await?;
    job.end().await?;
    Ok(comparison.finish())
}

/// Counts the sentences, and has the ensemble read each: the table `tagged`.
async fn tagged(job: &mut Job<'_>) -> Result<()> {
    job.distinct_sentences().await?;
    let distinct = job.report.sentences.distinct;
    job.stage("detect", Some(distinct), async |job, meter| {
        job.context.register_udf(sentence_answer(&job.deidentifier, &Arc::new(Detection::new(None)), meter));
        job.write_table("tagged", include_str!("../../../sql/template_sentences.sql")).await
    })
    .await
    .map(drop)
}

fn with_least(statement: &str, settings: &Settings) -> String {
    statement.replace("{sentences}", &settings.least_sentences.to_string())
}

async fn patients(
    job: &mut Job<'_>,
    settings: &Settings,
    meter: &crate::corpus::progress::Meter,
) -> Result<HashMap<String, u64>> {
    let statement = with_least(include_str!("../../../sql/template_patients.sql"), settings);
    job.write_table_of_documents("patients_of_shapes", &statement, meter).await?;
    let mut patients = HashMap::new();
    job.each_batch("harvest", "SELECT syntax, patients FROM patients_of_shapes", |batch| {
        let syntax = texts(batch, "syntax", "patients_of_shapes")?;
        let counts = numbers(batch, "patients", "patients_of_shapes")?;
        patients.extend(syntax.iter().flatten().map(str::to_owned).zip(counts.values().iter().copied()));
        Ok(())
    })
    .await?;
    Ok(patients)
}

async fn readings(job: &Job<'_>, settings: &Settings, patients: &HashMap<String, u64>) -> Result<Vec<SyntaxShape>> {
    let mut shapes: Vec<SyntaxShape> = Vec::new();
    let statement = with_least(include_str!("../../../sql/template_readings.sql"), settings);
    job.each_batch("harvest", &statement, |batch| {
        let (syntax, ner) = (texts(batch, "syntax", "shapes")?, texts(batch, "ner", "shapes")?);
        let (sentences, occurrences) =
            (numbers(batch, "sentences", "shapes")?, numbers(batch, "occurrences", "shapes")?);
        let counts = sentences.values().iter().copied().zip(occurrences.values().iter().copied());
        for ((syntax, ner), (sentences, occurrences)) in syntax.iter().zip(ner.iter()).zip(counts) {
            let (Some(syntax), Some(ner)) = (syntax, ner) else { return Err(unreadable("shapes")) };
            let reading = Reading { ner: ner.to_owned(), sentences, occurrences };
            match shapes.last_mut().filter(|shape| shape.syntax == syntax) {
                Some(shape) => shape.readings.push(reading),
                None => {
                    let patients = patients.get(syntax).copied().unwrap_or_default();
                    shapes.push(SyntaxShape { syntax: syntax.to_owned(), readings: vec![reading], patients });
                }
            }
        }
        Ok(())
    })
    .await?;
    Ok(shapes)
}

/// Every distinct sentence with what the ensemble claims on it.
async fn each_sentence(job: &Job<'_>, mut take: impl FnMut(&str, &[Span])) -> Result<()> {
    job.each_batch("harvest", "SELECT text, answer['claims'] AS claims FROM tagged", |batch| {
        let claims = batch.column_by_name("claims").ok_or_else(|| unreadable("tagged"))?;
        let claims = read_spans(claims).map_err(|_| unreadable("tagged"))?;
        let text = texts(batch, "text", "tagged")?;
        text.iter().zip(&claims).for_each(|(text, spans)| take(text.unwrap_or_default(), spans));
        Ok(())
    })
    .await
}
