//! What is known of each patient from the patient's own notes: `sql/second_pass.sql`.

use std::sync::Arc;

use super::{DICTIONARIES, Job};
use crate::corpus::claims::SentenceClaims;
use crate::corpus::error::Result;
use crate::corpus::functions::confident_values;
use crate::corpus::index::{PatientDictionaries, PatientDictionariesWriter};

pub(super) async fn second_pass(job: &mut Job<'_>, claims: &Arc<SentenceClaims>) -> Result<Arc<PatientDictionaries>> {
    let rows = job.source.known_rows();
    job.context.register_udf(confident_values(&job.deidentifier, claims));
    job.stage("second pass", rows, async |job, meter| {
        let statement = include_str!("../../../sql/second_pass.sql");
        job.report.second_pass.values = job.write_table_of_documents("second_pass", statement, meter).await?;
        let mut dictionaries = PatientDictionariesWriter::create(&job.work.location.join(DICTIONARIES))?;
        let statement = include_str!("../../../sql/dictionaries.sql");
        job.each_batch("second pass", statement, |batch| dictionaries.add(batch)).await?;
        let dictionaries = dictionaries.finish(job.deidentifier.hasher()?)?;
        job.report.second_pass.patients = dictionaries.patients() as u64;
        Ok(Arc::new(dictionaries))
    })
    .await
}
