//! Work beside the task that waits for it, on whichever thread is free.

use datafusion::common::runtime::SpawnedTask;

use super::error::{CorpusError, Result};

/// Does work in a task of its own, which ends where nobody waits for it any more.
///
/// # Errors
/// Those of the work; [`CorpusError::Internal`] where it has panicked.
pub(super) async fn in_worker<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    SpawnedTask::spawn(work).join().await.map_err(|_| CorpusError::internal("a worker ended early"))?
}
