//! What is known of each patient from the patient's own notes: `sql/second_pass.sql`.

use std::sync::Arc;

use arrow::array::RecordBatch;

use super::{DICTIONARIES, Done, Job};
use crate::corpus::claims::SentenceClaims;
use crate::corpus::error::Result;
use crate::corpus::functions::confident_values;
use crate::corpus::index::{PatientDictionaries, PatientDictionariesWriter};
use crate::corpus::progress::Meter;

pub(super) async fn second_pass(job: &mut Job<'_>, claims: &Arc<SentenceClaims>) -> Result<Arc<PatientDictionaries>> {
    let rows = job.source.known_rows();
    job.context.register_udf(confident_values(&job.deidentifier, claims));
    let done = job
        .stage_once("second pass", rows, async |job, meter| {
            let done = values(job, meter).await?;
            write_dictionaries(job, include_str!("../../../sql/dictionaries.sql")).await?;
            Ok(done)
        })
        .await?;
    job.reconcile("second pass", done.read)?;
    let dictionaries = dictionaries(job)?;
    job.report.second_pass.values = done.written;
    job.report.second_pass.patients = dictionaries.patients() as u64;
    Ok(dictionaries)
}

/// Writes the table `second_pass`.
pub(super) async fn values(job: &mut Job<'_>, meter: &Meter) -> Result<Done> {
    let statement = include_str!("../../../sql/second_pass.sql");
    let written = job.write_table_of_documents("second_pass", statement, meter).await?;
    Ok(Done { read: meter.read(), unread: job.unread, written, ..Done::default() })
}

/// Writes the dictionaries of patients, which a statement gives in the order of patients. Gives their values.
pub(super) async fn write_dictionaries(job: &Job<'_>, statement: &str) -> Result<u64> {
    let (mut dictionaries, mut values) = (PatientDictionariesWriter::create(&job.work.location.join(DICTIONARIES))?, 0);
    let add = |batch: &RecordBatch| {
        values += batch.num_rows() as u64;
        dictionaries.add(batch)
    };
    job.each_batch("second pass", statement, add).await?;
    dictionaries.finish(job.deidentifier.hasher()?)?;
    Ok(values)
}

/// The dictionaries that were written.
pub(super) fn dictionaries(job: &Job<'_>) -> Result<Arc<PatientDictionaries>> {
    PatientDictionaries::open(&job.work.path(DICTIONARIES), job.deidentifier.hasher()?).map(Arc::new)
}
