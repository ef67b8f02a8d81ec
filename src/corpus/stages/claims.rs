//! What the ensemble claims on every distinct sentence, `sql/claims.sql`, the index that leads back to notes, and the span cache.

use std::sync::Arc;

use arrow::array::AsArray;

use super::{CLAIM_INDEX, Job};
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::{Detection, sentence_answer};
use crate::corpus::index::{CacheReport, SentenceIndex, SentenceIndexWriter, SpanCache};

pub(super) async fn claims(job: &mut Job<'_>) -> Result<SentenceIndex> {
    let distinct = job.report.sentences.distinct;
    let fingerprints = job.deidentifier.ensemble()?.fingerprints();
    let cache = job.cache.as_ref().map(|root| SpanCache::open(root, &job.report.key_id, &fingerprints)).transpose()?;
    let (detected, detection) = job
        .stage("detect", Some(distinct), async |job, meter| {
            let detection = Arc::new(Detection::new(meter, cache));
            job.context.register_udf(sentence_answer(&job.deidentifier, &detection));
            let written = job.write_table("claims", include_str!("../../../sql/claims.sql")).await?;
            job.report.vetoed = detection.vetoed();
            Ok((written, detection))
        })
        .await?;
    if detected != distinct {
        return Err(CorpusError::Accounting {
            reason: format!("{distinct} distinct sentences went into detection and {detected} came out"),
        });
    }
    if let Some(cache) = detection.cache() {
        let models = job.deidentifier.ensemble()?.models();
        let asked = models.into_iter().zip(detection.asked());
        job.report.cache = asked.map(|(member, asked)| CacheReport { member, asked }).collect();
        remember(job, cache, &detection).await?;
    }
    job.stage("index", Some(distinct), async |job, meter| {
        let mut index = SentenceIndexWriter::create(&job.work.location.join(CLAIM_INDEX))?;
        let add = |batch: &_| {
            meter.add_batches(std::slice::from_ref(batch));
            index.add(batch)
        };
        job.each_batch("index", include_str!("../../../sql/claim_index.sql"), add).await?;
        index.finish()
    })
    .await
}

/// Adds what members have said in this run to the cache.
async fn remember(job: &mut Job<'_>, cache: &SpanCache, detection: &Detection) -> Result<()> {
    job.stage("remember", None, async |job, meter| {
        for (member, asked) in detection.asked().into_iter().enumerate() {
            if asked == 0 {
                continue;
            }
            let mut segment = cache.segment(member)?;
            let statement = include_str!("../../../sql/fresh.sql").replace("{member}", &(member + 1).to_string());
            job.each_batch("remember", &statement, |batch| {
                meter.add(batch.num_rows() as u64, 0);
                let keys = crate::corpus::columns::keys(batch, "sentence_hash", "claims")?;
                let unreadable =
                    || CorpusError::Accounting { reason: "the answers of members cannot be read".to_owned() };
                let answers = batch.column_by_name("answer").and_then(|column| column.as_binary_opt::<i32>());
                let answers = answers.ok_or_else(unreadable)?;
                keys.into_iter()
                    .zip(answers.iter().flatten())
                    .try_for_each(|(key, answer)| segment.add(key, answer).map(drop))
            })
            .await?;
            segment.finish()?;
        }
        cache.merge_segments()
    })
    .await
}
