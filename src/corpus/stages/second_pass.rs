//! What is known of each patient from the patient's own notes: `sql/second_pass.sql`.

use std::sync::Arc;

use super::{DICTIONARIES, Done, Job};
use crate::corpus::claims::SentenceClaims;
use crate::corpus::error::Result;
use crate::corpus::functions::confident_values;
use crate::corpus::index::{PatientDictionaries, PatientDictionariesWriter};

pub(super) async fn second_pass(job: &mut Job<'_>, claims: &Arc<SentenceClaims>) -> Result<Arc<PatientDictionaries>> {
    let rows = job.source.known_rows();
    job.context.register_udf(confident_values(&job.deidentifier, claims));
    let done = job
        .stage_once("second pass", rows, async |job, meter| {
            let statement = include_str!("../../../sql/second_pass.sql");
            let written = job.write_table_of_documents("second_pass", statement, meter).await?;
            let mut dictionaries = PatientDictionariesWriter::create(&job.work.location.join(DICTIONARIES))?;
            let statement = include_str!("../../../sql/dictionaries.sql");
            job.each_batch("second pass", statement, |batch| dictionaries.add(batch)).await?;
            dictionaries.finish(job.deidentifier.hasher()?)?;
            Ok(Done { read: meter.read(), written, ..Done::default() })
        })
        .await?;
    let dictionaries = PatientDictionaries::open(&job.work.path(DICTIONARIES), job.deidentifier.hasher()?)?;
    job.reconcile("second pass", done.read)?;
    job.report.second_pass.values = done.written;
    job.report.second_pass.patients = dictionaries.patients() as u64;
    Ok(Arc::new(dictionaries))
}
