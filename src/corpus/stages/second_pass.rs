//! What is known of each patient from the patient's own notes: `sql/second_pass.sql`.

use std::sync::Arc;

use futures::TryStreamExt;

use super::Job;
use crate::corpus::dictionaries::PatientDictionaries;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::confident_values;
use crate::corpus::index::SentenceIndex;

pub(super) async fn second_pass(job: &mut Job<'_>, index: &Arc<SentenceIndex>) -> Result<Arc<PatientDictionaries>> {
    let rows = job.source.known_rows();
    job.context.register_udf(confident_values(&job.deidentifier, index));
    job.stage("second pass", rows, async |job, meter| {
        let fail = CorpusError::in_stage("second pass");
        let statement = include_str!("../../../sql/second_pass.sql");
        job.report.second_pass.values = job.write_table_of_documents("second_pass", statement, meter).await?;
        let table = job.context.table("second_pass").await.map_err(&fail)?;
        let mut batches = table.execute_stream().await.map_err(&fail)?;
        let mut dictionaries = PatientDictionaries::default();
        while let Some(batch) = batches.try_next().await.map_err(&fail)? {
            dictionaries.add(&batch)?;
        }
        job.report.second_pass.patients = dictionaries.patients() as u64;
        Ok(Arc::new(dictionaries))
    })
    .await
}
