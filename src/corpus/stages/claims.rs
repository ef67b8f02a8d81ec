//! What the ensemble claims on every distinct sentence, `sql/claims.sql`, the index that leads back to notes, and the span cache.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arrow::array::AsArray;
use url::Url;

use super::{CLAIM_INDEX, Done, Job};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::{Detection, sentence_answer};
use crate::corpus::index::{CacheReport, SentenceIndex, SentenceIndexWriter, SpanCache};
use crate::corpus::progress::Meter;

/// Files of sentences that are detected at a time.
const FILES_AT_ONCE: usize = 8;

pub(super) async fn claims(job: &mut Job<'_>) -> Result<SentenceIndex> {
    detected(job).await?;
    let distinct = job.report.sentences.distinct;
    indexed(job, distinct, include_str!("../../../sql/claim_index.sql")).await
}

/// The stages up to the table `claims`, on all rows of the table `sentences`.
pub(super) async fn detected(job: &mut Job<'_>) -> Result<()> {
    let distinct = job.report.sentences.distinct;
    let fingerprints = job.deidentifier.ensemble()?.fingerprints();
    let cache = job.cache.as_ref().map(|root| SpanCache::open(root, &job.report.key_id, &fingerprints)).transpose()?;
    let detection = Arc::new(Detection::new(cache));
    let done = job
        .stage_once("detect", Some(distinct), async |job, meter| detect_in_chunks(job, &detection, meter).await)
        .await?;
    if done.written != distinct {
        return Err(CorpusError::Accounting {
            reason: format!("{distinct} distinct sentences went into detection and {} came out", done.written),
        });
    }
    job.report.vetoed = done.vetoed.values().sum();
    job.register_written("claims", distinct, include_str!("../../../sql/claims.sql")).await?;
    if let Some(cache) = detection.cache() {
        let models = job.deidentifier.ensemble()?.models();
        job.report.cache =
            models.into_iter().zip(&done.asked).map(|(member, &asked)| CacheReport { member, asked }).collect();
        job.stage_once("remember", None, async |job, meter| remember(job, cache, &done.asked, meter).await).await?;
    }
    Ok(())
}

/// The index of the claims on so many sentences, which a statement gives in the order of their hashes.
pub(super) async fn indexed(job: &mut Job<'_>, sentences: u64, statement: &str) -> Result<SentenceIndex> {
    let done = job.stage_once("index", Some(sentences), async |job, meter| {
        let mut index = SentenceIndexWriter::create(&job.work.location.join(CLAIM_INDEX))?;
        let add = |batch: &_| {
            meter.add_batches(std::slice::from_ref(batch));
            index.add(batch)
        };
        job.each_batch("index", statement, add).await?;
        index.finish()?;
        Ok(Done { written: meter.rows(), ..Done::default() })
    });
    let written = done.await?.written;
    if written != sentences {
        return Err(CorpusError::Accounting {
            reason: format!("there are {sentences} distinct sentences, and claims on {written}"),
        });
    }
    SentenceIndex::open(&job.work.path(CLAIM_INDEX))
}

/// A file's address: in a path the engine would take `[`, `?` and `*` for a pattern.
fn address(file: &Path) -> Result<String> {
    let fail = |()| CorpusError::internal("the work location is no absolute path");
    Url::from_file_path(file).map(String::from).map_err(fail)
}

/// Detects some files of sentences after the others, so that a try that is interrupted loses little.
async fn detect_in_chunks(job: &mut Job<'_>, detection: &Arc<Detection>, meter: &Meter) -> Result<Done> {
    let fail = CorpusError::in_stage("detect");
    let statement = include_str!("../../../sql/claims.sql");
    job.context.register_udf(sentence_answer(&job.deidentifier, detection, meter));
    let mut all = Done { asked: vec![0; detection.asked().len()], ..Done::default() };
    let files = job.work.files("sentences")?;
    if files.is_empty() {
        job.write_table("claims", statement).await?;
        return Ok(all);
    }
    job.work.location.join("claims").create_confidential()?;
    for (number, files) in files.chunks(FILES_AT_ONCE).enumerate() {
        let name = format!("claims-{number:06}");
        let done = match job.work.done(&name) {
            Some(done) => done,
            None => {
                let before = (detection.vetoed(), detection.asked());
                let addresses = files.iter().map(|file| address(file)).collect::<Result<Vec<_>>>()?;
                let sentences = job.context.read_parquet(addresses, Default::default()).await.map_err(&fail)?;
                job.register("sentences", sentences.into_view())?;
                let written = job.write_file("detect", &format!("claims/{number:06}.parquet"), statement).await?;
                let done = Done {
                    written,
                    vetoed: grown(&before.0, detection.vetoed()),
                    asked: detection.asked().iter().zip(&before.1).map(|(now, before)| now - before).collect(),
                    ..Done::default()
                };
                job.work.finished(&name, &done)?;
                done
            }
        };
        all.written += done.written;
        all.asked.iter_mut().zip(&done.asked).for_each(|(sum, asked)| *sum += asked);
        done.vetoed.into_iter().for_each(|(term, count)| *all.vetoed.entry(term).or_default() += count);
    }
    job.register_table_of_work("sentences").await?;
    Ok(all)
}

/// What counts have grown by.
fn grown(before: &BTreeMap<&'static str, u64>, now: BTreeMap<&'static str, u64>) -> BTreeMap<String, u64> {
    let growth = now.into_iter().map(|(term, count)| (term, count - before.get(term).copied().unwrap_or_default()));
    growth.filter(|(_, count)| *count > 0).map(|(term, count)| (term.to_owned(), count)).collect()
}

/// Adds what members have said in this run to the cache.
async fn remember(job: &mut Job<'_>, cache: &SpanCache, asked: &[u64], meter: &Meter) -> Result<Done> {
    for (member, asked) in asked.iter().enumerate() {
        if *asked == 0 {
            continue;
        }
        let mut segment = cache.segment(member)?;
        let statement = include_str!("../../../sql/fresh.sql").replace("{member}", &(member + 1).to_string());
        job.each_batch("remember", &statement, |batch| {
            meter.add(batch.num_rows() as u64, 0);
            let keys = crate::corpus::columns::keys(batch, "sentence_hash", "claims")?;
            let unreadable = || CorpusError::internal("the answers of members cannot be read");
            let answers = batch.column_by_name("answer").and_then(|column| column.as_binary_opt::<i32>());
            let answers = answers.ok_or_else(unreadable)?;
            keys.into_iter()
                .zip(answers.iter().flatten())
                .try_for_each(|(key, answer)| segment.add(key, answer).map(drop))
        })
        .await?;
        segment.finish()?;
    }
    cache.merge_segments()?;
    Ok(Done::default())
}
