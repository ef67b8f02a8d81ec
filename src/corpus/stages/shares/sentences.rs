//! Every distinct sentence of the corpus is detected once, by the task that answers for its text.

use super::Task;
use super::exchange::Phase;
use crate::corpus::error::{CorpusError, Result};
use crate::corpus::index::SentenceIndex;
use crate::corpus::output::Output;
use crate::corpus::report::{Funnel, RunReport};
use crate::corpus::stages::{Job, claims, sentences};

impl Task<'_> {
    /// Counts the sentences of the share and sends each to the task that judges it.
    pub(super) async fn send_sentences(&self, job: &mut Job<'_>) -> Result<()> {
        if self.exchange.sent(Phase::Sentences).await?.is_some() {
            return Ok(());
        }
        job.distinct_sentences().await?;
        let report = self.reported(job);
        // Other shares have some of the same sentences: how many there are in all is told by those who judge them.
        let distinct = report.sentences.distinct;
        let counted = Funnel { occurrences: report.sentences.occurrences, ..Funnel::default() };
        let statement = self.statement(include_str!("../../../../sql/shares/send_sentences.sql"));
        let rows = job.context.sql(&statement).await.map_err(CorpusError::in_stage("exchange"))?;
        let report = RunReport { sentences: counted, ..report };
        self.exchange.send(Phase::Sentences, rows, Some(distinct), report).await
    }

    /// Detects what was sent to this task, and sends back what is claimed.
    pub(super) async fn judge_sentences(&self, output: &Output) -> Result<()> {
        if self.exchange.sent(Phase::Claims).await?.is_some() {
            return Ok(());
        }
        let mut job = self.begin("bucket")?;
        let received = self.exchange.receive(&mut job, Phase::Sentences).await?;
        sentences::gathered(&mut job).await?;
        claims::detected(&mut job).await?;
        // Neither side need fit in memory.
        job.set("optimizer.prefer_hash_join", false).await?;
        job.set("optimizer.repartition_joins", true).await?;
        let statement = include_str!("../../../../sql/shares/send_claims.sql");
        let rows = job.context.sql(statement).await.map_err(CorpusError::in_stage("exchange"))?;
        let report = self.reported(&mut job);
        if !self.options.second_pass {
            self.make_way(output, Phase::Claims).await?;
        }
        self.exchange.send(Phase::Claims, rows, Some(received), report).await?;
        job.work.finish(false).await
    }

    /// The claims on the sentences of the share.
    pub(super) async fn index_of_claims(&self, job: &mut Job<'_>) -> Result<SentenceIndex> {
        let rows = self.exchange.receive(job, Phase::Claims).await?;
        let sent = self.exchange.sent(Phase::Sentences).await?.map(|sent| sent.rows());
        if sent != Some(rows) {
            return Err(CorpusError::Accounting {
                reason: format!("{} sentences were sent, and claims on {rows} came back", sent.unwrap_or_default()),
            });
        }
        claims::indexed(job, rows, include_str!("../../../../sql/shares/claim_index.sql")).await
    }
}
