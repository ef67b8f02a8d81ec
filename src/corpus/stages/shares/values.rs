//! What is known of each patient from all shares, gathered by the task that answers for the patient.

use std::sync::Arc;

use super::Task;
use super::exchange::Phase;
use crate::corpus::claims::SentenceClaims;
use crate::corpus::columns::numbers;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::functions::confident_values;
use crate::corpus::index::PatientDictionaries;
use crate::corpus::output::Output;
use crate::corpus::progress::Meter;
use crate::corpus::report::{RunReport, SecondPass};
use crate::corpus::source::documents_table;
use crate::corpus::stages::{Job, second_pass};

impl Task<'_> {
    /// Sends what the second pass finds in the share, and whose notes are in it.
    pub(super) async fn send_values(&self, job: &mut Job<'_>, claims: &Arc<SentenceClaims>) -> Result<()> {
        if self.exchange.sent(Phase::Values).await?.is_some() {
            return Ok(());
        }
        job.context.register_udf(confident_values(&job.deidentifier, claims));
        let rows = job.source.known_rows();
        let done = job.stage("second pass", rows, async |job, meter| second_pass::values(job, meter).await).await?;
        job.reconcile("second pass", done.read)?;
        let documents = documents_table(&job.source, job.partitions, &Arc::default(), &Meter::default())?;
        job.register("documents", Arc::new(documents))?;
        let statement = self.statement(include_str!("../../../../sql/shares/send_values.sql"));
        let rows = job.context.sql(&statement).await.map_err(CorpusError::in_stage("exchange"))?;
        let report = self.reported(job);
        self.exchange.send(Phase::Values, rows, None, report).await
    }

    /// Gathers what is known of the patients that this task answers for, and sends it wherever they have notes.
    pub(super) async fn gather_values(&self, output: &Output) -> Result<()> {
        if self.exchange.sent(Phase::Dictionaries).await?.is_some() {
            return Ok(());
        }
        let mut job = self.begin("bucket")?;
        self.exchange.receive(&mut job, Phase::Values).await?;
        let mut known = SecondPass::default();
        job.each_batch("exchange", include_str!("../../../../sql/shares/known.sql"), |batch| {
            let sum = |name| Ok::<_, CorpusError>(numbers(batch, name, "received")?.iter().flatten().sum::<u64>());
            known.patients += sum("patients")?;
            known.values += sum("known")?;
            Ok(())
        })
        .await?;
        job.set("optimizer.prefer_hash_join", false).await?;
        job.set("optimizer.repartition_joins", true).await?;
        let statement = include_str!("../../../../sql/shares/send_dictionaries.sql");
        let rows = job.context.sql(statement).await.map_err(CorpusError::in_stage("exchange"))?;
        let report = RunReport { second_pass: known, ..RunReport::default() };
        self.make_way(output, Phase::Dictionaries).await?;
        self.exchange.send(Phase::Dictionaries, rows, None, report).await?;
        job.work.finish(false).await
    }

    /// What is known of the patients of the share.
    pub(super) async fn dictionaries(&self, job: &mut Job<'_>) -> Result<Arc<PatientDictionaries>> {
        let rows = self.exchange.receive(job, Phase::Dictionaries).await?;
        let statement = include_str!("../../../../sql/shares/dictionaries.sql");
        let values =
            job.stage("dictionaries", Some(rows), async |job, _| second_pass::write_dictionaries(job, statement).await);
        let values = values.await?;
        if values != rows {
            return Err(CorpusError::Accounting {
                reason: format!("{rows} values were sent to this task, and {values} have come"),
            });
        }
        second_pass::dictionaries(job)
    }
}
