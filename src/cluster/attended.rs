//! The scheduler's service as clients meet it: one that tells of executors that are not there, where the engine's own has a statement wait for ever.
//!
//! ```text
//! executor ─ asks for work ─▶ seen just now
//! client ── a statement ─────▶ has one been seen? ─ yes ─▶ the engine's scheduler
//!                                  └ not for 10 s ─▶ "no executor asks … for work", a fault that may pass
//! ```

use std::sync::Mutex;
use std::time::{Duration, Instant};

use ballista_core::serde::protobuf::scheduler_grpc_server::SchedulerGrpc;
use ballista_core::serde::protobuf::{
    CancelJobParams, CancelJobResult, CleanJobDataParams, CleanJobDataResult, CreateUpdateSessionParams,
    CreateUpdateSessionResult, ExecuteQueryParams, ExecuteQueryResult, ExecutorStoppedParams, ExecutorStoppedResult,
    FailedJob, GetJobMetricsParams, GetJobMetricsResult, GetJobStatusParams, GetJobStatusResult, HeartBeatParams,
    HeartBeatResult, PollWorkParams, PollWorkResult, RegisterExecutorParams, RegisterExecutorResult,
    RemoveSessionParams, RemoveSessionResult, UpdateTaskStatusParams, UpdateTaskStatusResult, job_status,
};
use tonic::{Request, Response, Status, async_trait};

use super::scheduler::LOST_AFTER;
use crate::corpus::CorpusError;

/// How long a statement waits for the first executor: they may have been started together. Below what a client waits for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often is looked for one.
const LOOK: Duration = Duration::from_millis(100);
/// Of what the engine says where the last executor is lost.
const ALL_LOST: &str = "all executors were lost";

/// A scheduler's service, and when an executor last asked it for work.
pub(super) struct Attended<S> {
    service: S,
    address: String,
    seen: Mutex<Option<Instant>>,
}

type Answer<T> = Result<Response<T>, Status>;

impl<S> Attended<S> {
    pub(super) fn new(service: S, address: String) -> Self {
        Self { service, address, seen: Mutex::new(None) }
    }

    fn see(&self) {
        *self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(Instant::now());
    }

    fn is_attended(&self) -> bool {
        let seen = *self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        seen.is_some_and(|seen| seen.elapsed() < Duration::from_secs(LOST_AFTER))
    }

    /// Waits for an executor, but not for long.
    async fn attended(&self) -> Result<(), Status> {
        let begun = Instant::now();
        while !self.is_attended() {
            if begun.elapsed() >= PATIENCE {
                return Err(Status::unavailable(self.unattended("no executor asks it for work")));
            }
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    /// What clients are told, in the form in which they show it.
    fn unattended(&self, why: &str) -> String {
        let location = format!("df://{}", self.address);
        let reason = format!("{why}; start one: plainsight cluster executor --scheduler {}", self.address);
        CorpusError::Input { location, reason, temporary: true }.for_others().strip_backtrace()
    }
}

#[async_trait]
impl<S: SchedulerGrpc> SchedulerGrpc for Attended<S> {
    type ExecuteQueryPushStream = S::ExecuteQueryPushStream;

    async fn poll_work(&self, request: Request<PollWorkParams>) -> Answer<PollWorkResult> {
        self.see();
        self.service.poll_work(request).await
    }

    async fn execute_query(&self, request: Request<ExecuteQueryParams>) -> Answer<ExecuteQueryResult> {
        self.attended().await?;
        self.service.execute_query(request).await
    }

    async fn execute_query_push(&self, request: Request<ExecuteQueryParams>) -> Answer<Self::ExecuteQueryPushStream> {
        self.attended().await?;
        self.service.execute_query_push(request).await
    }

    async fn get_job_status(&self, request: Request<GetJobStatusParams>) -> Answer<GetJobStatusResult> {
        let mut answer = self.service.get_job_status(request).await?;
        let status = answer.get_mut().status.as_mut().and_then(|status| status.status.as_mut());
        if let Some(job_status::Status::Failed(FailedJob { error, .. })) = status
            && error.contains(ALL_LOST)
        {
            *error = self.unattended("all its executors were lost");
        }
        Ok(answer)
    }

    async fn register_executor(&self, request: Request<RegisterExecutorParams>) -> Answer<RegisterExecutorResult> {
        self.service.register_executor(request).await
    }

    async fn heart_beat_from_executor(&self, request: Request<HeartBeatParams>) -> Answer<HeartBeatResult> {
        self.service.heart_beat_from_executor(request).await
    }

    async fn update_task_status(&self, request: Request<UpdateTaskStatusParams>) -> Answer<UpdateTaskStatusResult> {
        self.service.update_task_status(request).await
    }

    async fn create_update_session(
        &self,
        request: Request<CreateUpdateSessionParams>,
    ) -> Answer<CreateUpdateSessionResult> {
        self.service.create_update_session(request).await
    }

    async fn remove_session(&self, request: Request<RemoveSessionParams>) -> Answer<RemoveSessionResult> {
        self.service.remove_session(request).await
    }

    async fn get_job_metrics(&self, request: Request<GetJobMetricsParams>) -> Answer<GetJobMetricsResult> {
        self.service.get_job_metrics(request).await
    }

    async fn executor_stopped(&self, request: Request<ExecutorStoppedParams>) -> Answer<ExecutorStoppedResult> {
        self.service.executor_stopped(request).await
    }

    async fn cancel_job(&self, request: Request<CancelJobParams>) -> Answer<CancelJobResult> {
        self.service.cancel_job(request).await
    }

    async fn clean_job_data(&self, request: Request<CleanJobDataParams>) -> Answer<CleanJobDataResult> {
        self.service.clean_job_data(request).await
    }
}
